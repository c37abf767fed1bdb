# gnu
# GNU as writes no-ops at the end: those of 16 bits only if the text ends in 16-bit code.
	.code16
start:	cli
	.p2align 4
	hlt
	.balign 64
	ret
	.code32
	inc	%eax
	.p2align 3
	ret
	.code64
	ret
