# gnu --32
# llvm -triple=i386-linux-gnu
# Numbers of 32 bits wrap around; differences from the place they stand at keep the names of merged strings.
	.text
	and	$~(1<<31), %eax
	add	$~(1<<31), %ecx
	cmp	$-0xfffffff0, %ecx
	push	$~(1<<31)
	mov	$table - 0xC0000000, %eax
	mov	(table - 0xC0000000), %ecx
	.section .strings, "aMS", @progbits, 1
a:	.asciz	"a"
b:	.asciz	"b"
	.section .table, "a"
table:
	.long	b - .
	.long	table - 0xC0000000
