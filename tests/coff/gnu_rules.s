# gnu64 gnu32: sections that Windows and BFD know, .struct, .def of what is defined, file names in a row, weak references.
	.file	"one.c"
	.file	"two.c"
	.section .rdata
	.long	1
	.section .edata
	.long	1
	.section .idata, "r"
	.long	1
	.section .tls, "x"
	.long	1
	.section .reloc, "r"
	.long	1
	.section .arch, "r"
	.long	1
	.section .gnu.linkonce.t.f
	.long	1
g:	.long	g
	.section .gnu.linkonce.wt.f
	.long	1
	.struct	0
w1:	.short	0
w2:	.short	0
	.data
v:	.long	w2
	.def	v
	.val	v
	.scl	3
	.type	4
	.endef
	.weakref w, weak_one
	.long	w
	.file	"three.c"
	.weak	twice
	.globl	twice
twice:	.long	twice
	.section .c1, "dr"
	.linkonce one_only
	.linkonce same_size
	.long	1
	.section .c2, "dr"
	.linkonce same_size
	.linkonce discard
	.long	1
	.comm	big, 8
	.comm	big, 4
