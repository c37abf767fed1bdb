# bytes .text cccccccc cccccccc cccccccc cccccccc 90cccccc cccccccc 01020304 05
# has AddressAlignment: 16
# The padding within a body counts: 1 + 7 + 5 bytes are aligned to 16, the inner 5 to 8. Both end at one symbol.
	.byte 0xcc
	.prefalign 5, .Lend, 0xcc
	nop
	.prefalign 3, .Lend, 0xcc
	.byte 1, 2, 3, 4, 5
.Lend:
