# gnu-thumb
# gnu-thumb -march=armv7ve -mfpu=neon-vfpv4
# llvm-thumb -triple=armv7a-linux-gnueabihf
@ What the object says it is for, its profile with it.
	.arch armv7-a
	.object_arch armv4
	mov	r0, r1
	movw	r2, #300
