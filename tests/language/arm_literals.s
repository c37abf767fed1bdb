# gnu-thumb -march=armv7-a -mfpu=neon
# gnu-thumb -march=armv7-a -mfpu=neon -mthumb
@ Constants in extension registers and of other loads; pools of one and two words; lists of one register.
	.syntax unified
f:	ldr r0, =0x12345678
	vldr d0, =0x123456789abcdef0
	vldr s0, =0x3e000000
	vldr s1, =0x3df00001
	vldr d1, =0xff00ff0000ffff00
	vldr d16, =0x0000003f0000003f
	vldr d17, =0x4040000000000000
	ldr r1, =g
	.ltorg
	nop
	fldd d9, =0xfff000000fff
	flds s3, =0x42000001
	.ltorg
	nop
	ldc p1, c2, 1f
	.p2align 2
1:	nop
	ldm r1!, {r9}
	.arm
	ldrh r0, =0xFF00
	ldrsb r1, =0x12345
	nop {5}
