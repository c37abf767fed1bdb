# llvm-thumb -triple=armv7-linux-gnueabihf
# llvm-thumb -triple=armv7m-none-eabi -defsym=M=1
# llvm-thumb -triple=armv6m-none-eabi -defsym=M=1
@ Where .arm and .thumb align, and .code does not; what stands before a directive has chosen the encoding.
	.ifdef M
	.short 1
	nop
	.thumb
	nop
	.else
	nop
	.thumb
	nop
	.arm
	nop
	.byte 1
	.thumb
	nop
	.code 32
	nop
	.code 16
	nop
	.byte 1
	.code 16
	.section .thumb_aligned,"ax",%progbits
	.thumb
	.word 1
	.section .arm_aligned,"ax",%progbits
	.arm
	.byte 1
	.endif
