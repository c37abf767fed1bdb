# gnu-thumb
# gnu-thumb -march=armv6-m -mthumb
@ Differences of Thumb functions: the linker's if .type has said that they are, else numbers.
	.syntax unified
	.thumb
	.type t,%function
t: nop
u: nop
	.word t-u
	.word v-u
	.word t-.
	.hword t-u
	.word w-u
	.thumb_func
w: nop
	.type v,%function
v: nop
	.p2align 3
	.word w-u
