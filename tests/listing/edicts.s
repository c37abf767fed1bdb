	.text
l1:	nop
	.set al, l1+1
	.set abs1, 3
	.set l2, abs1+1
	.globl und
	.weak w
l3: l4:	nop
	.macro mm

	nop
lab\@:	nop

	.endm
	mm
	mm
	.rept 2
	.rept 2
	.byte 1
	.endr
	.byte 2
	.endr
	.section .debug_foo
	.long 1
	.byte 3
	.text
	.nolist
	nop
	.list
	nop
	.if 0
	nop
	.elseif 0
	nop
	.else
	nop
	.endif
	.if 1
	nop
	.else
	nop
	.endif
	.eject
	nop
	.title "my title"
	.sbttl "sub"
	nop
	.struct 0
a1:	.space 4
a2:
	.text
	nop; nop; nop
	.pushsection .data
	.byte 1
	.popsection
	nop
	nop
	nop
	.include "included.inc"
	.end
	nop
	nop
