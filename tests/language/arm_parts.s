# gnu-thumb -march=armv7-a -mfpu=neon -mfp16-format=ieee
@ Parts of addresses (group relocations), .rel31, vmov of what only vmvn can make, attributes.
	.syntax unified
	.arch_extension sec
f:
	add r0, r0, #:pc_g0_nc:(g)
	adds r0, r1, #:pc_g0:(g + 0x100)
	add r0, r0, #:pc_g1_nc:(g - 0x100)
	add r0, r0, #:sb_g2:(g + 0x10)
	ldr r0, [r1, #:pc_g0:(g)]
	ldrb r0, [r1, #:pc_g1:(g + 0x123)]
	str r0, [r1, #:sb_g2:(g - 0x123)]
	ldrd r0, r1, [r2, #:pc_g0:(g + 0x12)]
	strh r0, [r2, #:sb_g1:(g)]
	ldc p0, c0, [r2, #:pc_g1:(g + 0x20)]
	vldr d0, [r2, #:sb_g0:(g + 0x20)]
	vmov.i32 q15, #4294967248
	vmov.i32 d20, #0xffffffeb
	vmvn.i32 d1, #0xffffff00
	nop
	.rel31 1, g
	.rel31 0, f
