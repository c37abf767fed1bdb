# both
# Tables whose entries are filled up to a place that is counted from the start: what is filled depends on where it
# stands itself, and the branches over it stay as short as that allows.
	.text
	nop
table:
	.irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40
	.if \n & 3
	push $0
	.endif
	push $\n
	jmp common
	.fill table + 9 * \n - ., 1, 0xcc
	.endr
common:
	nop
	.p2align 4
again:
	jne 1f
	.skip again + 24 - ., 0x90
	jmp common
	.skip 140 - (. - again)
1:	ret

	.section .text.sub, "ax"
first:
	jmp last
	.fill first + 32 - ., 1, 1
	.subsection 1
second:
	jmp last
	.fill second + 90 - ., 1, 2
	.subsection 2
last:	nop
	.uleb128 last - first
	.uleb128 last - second
