# bytes .text 90cc eb03 909090 c3
# has AddressAlignment: 8
# A branch in the body settles with the padding: 6 bytes, aligned to 8... that is what the section's start is aligned to too.
	.prefalign 4, .Lend, 0xcc
	nop
	int3
	jmp .Lend
	nop
	nop
	nop
.Lend:
	ret
