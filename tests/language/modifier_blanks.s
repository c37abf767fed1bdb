# gnu --32
# Blanks before a modifier, as hand-written sources of libmpg123 have them.
	pand	one_null @GOTOFF(%eax), %mm1
	movl	foo @GOT(%ebx), %eax
	leal	foo	@GOTOFF(%ebx), %eax
	addl	$_GLOBAL_OFFSET_TABLE_, %ebx
	pushl	foo @GOT(%ebx)
	call	bar @PLT
	.long	foo @GOTOFF
	movl	$foo @GOTOFF, %eax
