# both
# 16- and 32-bit code in a 64-bit object: no procedure linkage table, addresses are not signed.
	.code32
	call f
	jmp f
	jne f
	call g@PLT
	jmp l
	call l
	lgdt gdtr
	movl gdtr, %eax
	movl gdtr(%ebx), %ecx
	movl $gdtr, %ecx
	movl $gdtr, 4(%ecx)
	pushl $gdtr
	addl $gdtr, %ebx
	ljmp $8, $gdtr
	jmp *gdtr
	lea gdtr(,%ebx,4), %ecx
	mov %ecx, gdtr
	imul $gdtr, %ecx, %ecx
	.code16
	call f
	calll f
	jmp f
	mov gdtr, %ax
	movl $gdtr, %ecx
	movl gdtr(%ebx), %ecx
	ljmpl $8, $gdtr
	pushl $gdtr
	.code64
	call f
	jmp f
	pushq $gdtr
	mov gdtr, %ecx
	.globl l
l:
