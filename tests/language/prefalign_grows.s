# bytes .text ebff cccc eb00 90
# has AddressAlignment: 4
# Bodies of exactly a power of two are aligned to it, and a label behind is where the padding puts it.
	.byte 0xeb, 0xff
	.prefalign 3, .Lend, 0xcc
	jmp .Lnext
.Lnext:
	nop
.Lend:
