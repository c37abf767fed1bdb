# gnu64 gnu32 msvc64 msvc32 mingw64 mingw32: what both assemblers know of data, symbols, conditionals and macros, in objects for Windows
	.data
	.2byte	1, 2
	.4byte	3
	.8byte	4
	.ascii	"a" , "b\n"
	.asciz	"c"
	.string	"d"
	.int	5
	.octa	0x123456789abcdef0123456789abcdef
	.value	7
	.dc	1
	.dc.a	label
	.dc.b	1
	.dc.w	2
	.dc.l	3
	.dc.s	1.5
	.dc.d	2.5
	.dcb	2, 1
	.dcb.b	2, 1
	.dcb.w	2, 1
	.dcb.l	2, 1
	.dcb.s	2, 1.5
	.dcb.d	2, 2.5
	.ds	2
	.ds.b	2
	.ds.w	2
	.ds.l	2
	.ds.s	2
	.ds.d	2
	.double	1.25
	.float	1.25
	.single	1.25
	.sleb128 -300
	.p2align 4
	.long	1
	.p2alignl 3, 0x01020304
	.long	1
	.balignl 8, 5
	.word	1
	.p2alignw 2, 6
	.word	1
	.balignw 4, 7
	.align	8
label:	.incbin	"directives.s", 0, 9
	.equ	one, 1
	.equiv	two, 2
	three = one + two
	.long	one, two, three
	.extern	unused
	.global	label
	.if	three == 3
	.long	1
	.elseif	three
	.long	2
	.else
	.long	3
	.endif
	.ifc	a, a
	.byte	1
	.endif
	.ifnc	a, b
	.byte	2
	.endif
	.ifdef	label
	.byte	3
	.endif
	.ifndef	nothing
	.byte	4
	.endif
	.ifnotdef nothing
	.byte	5
	.endif
	.ifeqs	"a", "a"
	.byte	6
	.endif
	.ifnes	"a", "b"
	.byte	7
	.endif
	.ifeq	0
	.byte	8
	.endif
	.ifne	1
	.byte	9
	.endif
	.ifgt	1
	.byte	10
	.endif
	.ifge	0
	.byte	11
	.endif
	.iflt	-1
	.byte	12
	.endif
	.ifle	0
	.byte	13
	.endif
	.ifb
	.byte	14
	.endif
	.ifnb	x
	.byte	15
	.endif
	.macro	twice x
	.byte	\x
	.ifb	\x
	.exitm
	.endif
	.byte	\x
	.endm
	twice	16
	.purgem	twice
	.irp	x, 1, 2
	.byte	\x
	.endr
	.irpc	x, 34
	.byte	\x
	.endr
	.rep	2
	.byte	17
	.endr
	.altmacro
	.macro	plus x
	.byte	x
	.endm
	plus	%1+2
	.noaltmacro
	.print	""
	.text
	.code32
	nop
	.intel_syntax noprefix
	mov	eax, 1
	.att_syntax
	.code16
	nop
	.code16gcc
	nop
	.end
	this is not read
