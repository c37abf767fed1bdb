	nop
	.rept 2
	.byte 1,2
	nop
	.endr
	ret
	.byte 5
	.rept 1
	.byte 9
	.endr
