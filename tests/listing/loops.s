	nop
	.rept 2
	.byte 1,2
	nop
	.endr
	.irp x,1,2
	.byte \x
	.endr
	ret
	.irpc x,34
	.byte \x
	.byte 7
	.endr
	ret
	.macro m a
	.byte \a
	.rept 2
	.byte \a+1
	.endr
	.endm
	m 5
	ret
