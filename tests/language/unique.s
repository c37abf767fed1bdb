# both
# Sections of one name, told apart by a number that is not in the object.
	.section .text,"ax",@progbits,unique,1
	nop

	.section .text,"ax",@progbits,unique,2
	nop
	nop

	.section .text,"ax",@progbits,unique,1
	ret
	.text
	hlt
	.section .foo,"aG",@progbits,g,comdat,unique,3
	.byte 1
	.section .foo,"aG",@progbits,g,comdat,unique,4
	.byte 2
	.section .foo,"aG",@progbits,g,comdat
	.byte 3
	.section .foo,"aM",@progbits,4,unique,5
	.long 4
	.section .foo,"aMS",@progbits,1,unique,4294967294
	.asciz "x"
