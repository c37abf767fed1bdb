# both
# In Intel syntax, lines that are the same may mean something else the next time: distances back, and names set anew.
	.intel_syntax noprefix
.L57: nop
	je	.L57
	nop
	je	.L57
	loop	.L57
	loop	.L57
	jmp .L57
	jmp .L57
	call	.L57
	call	.L57
	jmp	.L57
	jmp	.L57
	x = 5
	mov	eax, x
	mov	eax, x
	x = 6
	mov	eax, x
1:	mov	eax, 7
	jmp	1b
	jmp	1b
	jmp	short .L57
	jmp	short .L57
	mov	eax, offset x
