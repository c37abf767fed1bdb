	.aeabi_subsection	aeabi_feature_and_bits, optional, uleb128
	.aeabi_attribute	0, 1	// Tag_Feature_BTI
	.aeabi_attribute	Tag_Feature_PAC, 1
	.aeabi_attribute	Tag_Feature_GCS, 0
	.aeabi_subsection	aeabi_pauthabi, required, uleb128
	.aeabi_attribute	Tag_PAuth_Platform, 2
	.aeabi_attribute	Tag_PAuth_Schema, 300
	.aeabi_subsection	private_subsection, optional, ntbs
	.aeabi_attribute	7, "hello"
	.aeabi_attribute	200, "wor\tld"
	.aeabi_subsection	aeabi_feature_and_bits
	.aeabi_attribute	5, 1
	.text
	nop
