# both
# What has no suffix in .code16gcc: LLVM reads 32-bit code, whose enter and leave are those of 16 bits.
	.code16gcc
	pushf
	enter	$8, $1
	leave
	push	$1
	ret	$4
	lret
	lret	$4
	iret
	ljmp	$1, $2
	lcall	$1, $2
	jmp	*0x10
	call	*0x10
