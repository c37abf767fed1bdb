# gnu64 gnu32: of names of 15 to 18 bytes GNU as writes 14.
	.file	"aaaaaaaaaaaaaa"
	.file	"aaaaaaaaaaaaaaa"
	.file	"aaaaaaaaaaaaaaaaaa"
	.file	"a_name_of_19_bytes_"
	.text
	nop
