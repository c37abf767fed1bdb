# gnu
# Macros as hand-written sources use them: what one of the assemblers, or both, used to reject.
	# Arguments with blanks and parentheses (kernel: "m .inst (0x0)", "8*3 +8(%rsp)").
	.macro run a:vararg
	\a
	.endm
	run .long (0x0)
	.macro load where
	movq \where, %rax
	.endm
	load 8*3 +8(%rsp)
	load 8*3+8(%rsp)
	.macro two a b
	.byte \a, \b
	.endm
	two 1 2
	two 1, 2
	two 1+1 2
	two b=3 a=4
	# Directives and macros in upper case; names of macros in any case.
	.MACRO Upper x
	.BYTE \x
	.ENDM
	upper 1
	UPPER 2
	.GLOBL g
	.REPT 2
	NOP
	.ENDR
	.IF 1
	.Byte 3
	.ELSE
	.err
	.ENDIF
	# \@, \(), defaults, required, nested definitions.
	.macro unique
	.L\@_x: .long .L\@_x
	.endm
	unique
	unique
	.macro glue a, b=z, c:req
\a\()_\b\()x: .byte \c
	.endm
	glue p, q, 1
	glue r, c=2
	.macro define name, value
	.macro \name x
	.byte \value, \x
	.endm
	.endm
	define inner1, 10
	define inner2, 20
	inner1 1
	inner2 2
	.purgem inner1
	# .altmacro
	.altmacro
	.macro alt a, b
	LOCAL here
here:	.byte a+1
	.ascii "&b"
	.long here
	.endm
	alt 1, <x y>
	alt %(2*3), <!<!>>
	.macro value v
	.byte v
	.endm
	value %(1+2*3)
	.noaltmacro
	# .irp, .irpc with nothing, blanks, strings
	.irp r, rax, rbx,rcx
	pushq %\r
	.endr
	.irp x
	.byte 5 \x
	.endr
	.irpc c, 0123
	.byte \c
	.endr
	.irpc c "45"
	.byte 0\c
	.endr
	# .exitm leaves the conditionals that it is in
	.macro leave n
	.if \n
	.byte \n
	.exitm
	.endif
	.byte 0
	.endm
	leave 1
	leave 0
	.macro count n
	.if \n
	.byte \n
	count "(\n-1)"
	.endif
	.endm
	count 5
g:
