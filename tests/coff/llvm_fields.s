# msvc64 mingw64 msvc32
	.text
	.globl	f
	.def	f; .scl 2; .type 32; .endef
f:	movl	$f@IMGREL, %eax
	movl	$g@SECREL32, %eax
	jmp	f
	jmp	local
	.def	local; .scl 3; .type 32; .endef
local:	ret
	.data
	.long	f@IMGREL+4
	.long	g@imgrel
	.long	f@SECREL32
	.symidx	f
	.symidx	g
	.addrsig
	.addrsig_sym	f
	.addrsig_sym	g
	.cg_profile	f, g, 7
