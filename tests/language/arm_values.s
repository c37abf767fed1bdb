# gnu-thumb -march=armv7-a -mfpu=neon
@ A zero with a sign, distances by their sign, lists as numbers.
	vmov.f32 q0, #-0.0
	vmov.f32 q0, #0.0
	adr r0, . - 0x300
	adrhi r1, . - 0x2ffffff8
	push 0x18
	ldm r7, 60
