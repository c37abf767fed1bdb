# gnu --generate-missing-build-notes=yes
# gnu --generate-missing-build-notes=yes --32
# gnu --generate-missing-build-notes=yes -g
# gnu-aarch64 --generate-missing-build-notes=yes
# A note for each code section, if the text has none.
	nop
	.section .text.x,"ax"
	nop
	nop
	.section .init,"ax"
	.data
	.long 1
