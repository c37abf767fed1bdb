# llvm-thumb -triple=thumbv6m-none-eabi
# llvm-thumb -triple=thumbv8m.base-none-eabi
# llvm-thumb -triple=thumbv8m.main-none-eabi
# llvm-thumb -triple=thumbv7m-none-eabi -mcpu=cortex-m0
# llvm-thumb -triple=armv6k-none-eabi
# llvm-thumb -triple=armv6t2-none-eabi
# gnu-thumb -march=armv6-m
# gnu-thumb -march=armv8-m.base
@ What alignments of code are filled with.
	.syntax unified
	.ifndef ARM
	.thumb
	.endif
	bx lr
	.p2align 3
	bx lr
