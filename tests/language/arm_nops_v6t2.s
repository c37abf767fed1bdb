# gnu-thumb -mcpu=arm1156t2-s
# gnu-thumb -mcpu=arm1020
# gnu-thumb -march=armv6k
# No-ops proper are of Armv6K in A32, and of Armv6T2 in Thumb.
	.syntax unified
	.arm
	nop
	.thumb
	nop
