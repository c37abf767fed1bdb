# gnu64 gnu32: what GNU as alone knows
	.data
	.bfloat16 1.5
	.hfloat	1.5
	.tfloat	1.5
	.ffloat	1.5
	.dfloat	1.5
	.dc.x	1.5
	.dcb.x	1, 1.5
	.ds.x	1
	.ds.p	1
	.string8 "a"
	.string16 "a"
	.string32 "a"
	.string64 "a"
	.slong	1
	.spc	2
	.xcom	shared, 4
	.xdef	label
	.xref	other
label:	.long	1
	.eqv	lazy, label + 4
	.long	lazy
	other_name == 5
	.offset	4
field:	.skip	2
	.data
	.long	field
	.ifdef	label
	.long	1
	.elsec
	.long	2
	.endc
	.macro	leave
	.byte	1
	.mexit
	.byte	2
	.endm
	leave
	.irep	x, 1, 2
	.byte	\x
	.endr
	.irepc	x, 34
	.byte	\x
	.endr
	.altmacro
	.macro	with_local
	LOCAL	here
here:	.long	here
	.endm
	with_local
	.noaltmacro
	.xstabs	".stab", "a:t", 128, 0, 0, 0
	.noformat
	.format
	.lflags
	.name
	.this_GCC_requires_the_GNU_assembler
	.this_gcc_requires_the_gnu_assembler
	.section .sect1,"d"
	.sect	.sect2,"d"
	.long	1
	.section.s .data
	.sect.s	.sect2
	.long	2
	.common.s foo, 4
	.lsym	q, 4
	.ident	"xas"
	.list
	.nolist
	.eject
	.page
	.nopage
	.llen	80
	.plen	60
	.psize	60, 80
	.title	"t"
	.ttl	"t"
	.sbttl	"s"
	.optim
	.noopt
	.loc_mark_labels 1
	.linefile 5 "text.c"
	.text
	.nop
	.allow_index_reg
	.disallow_index_reg
	.intel_mnemonic
	.att_mnemonic
	.sse_check none
	.operand_check none
	.bundle_align_mode 4
	.bundle_lock
	nop
	.bundle_unlock
#APP
	nop
#NO_APP
