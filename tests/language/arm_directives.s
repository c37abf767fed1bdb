# llvm-thumb -triple=armv7-linux-gnueabihf -mattr=+mp
# gnu-thumb -march=armv7-a+mp -mfpu=neon
@ .align without a number, .tlsdescseq, immediates as words of 32 bits.
	.syntax unified
	.data
	.byte 1
	.align
	.byte 2
	.text
	.word v
	.tlsdescseq v
	add r2, pc, r1
	mvn r7, #~0xffffff00
	pld [r0, r1, rrx]
	pldw [r0, -r1, rrx]
	.thumb
	movs pc, lr
	addw r0, r1, #0xFFFFFF01
	.THUMB_FUNC
f:	bx lr
