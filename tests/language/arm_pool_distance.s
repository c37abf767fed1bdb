# gnu-thumb -march=armv7-a -mfpu=neon
# llvm-thumb -triple=armv7a-linux-gnueabihf -mattr=+neon
@ Loads that reach nothing: GNU as subtracts the distance 0 of a literal, but of no label.
	.syntax unified
f:
	ldr r3, =0x12345678
	nop
	.ltorg
	ldr r0, 1f
	nop
1:	.word 1
	ldrh r0, 2f
	nop
2:	.word 2
	ldr r4, =f
	.ltorg
