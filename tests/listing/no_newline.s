	nop
	.byte 1