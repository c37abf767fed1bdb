# gnu64 gnu32 --gcodeview: lines of the source, in pieces as GNU as has them.
# gnu64 gnu32 -g: stabs, which GNU as takes if no format is said.
# gnu64 gnu32 --gdwarf-2: rows for the source, and the order of the symbols of made sections.
# gnu64 gnu32 --gdwarf-5: rows for the source, and the order of the symbols of made sections.
# gnu64 gnu32 --gdwarf-3
# gnu64 gnu32 --gdwarf-4
# gnu64 gnu32 --gstabs+
	.macro twice a
	nop
	mov	\a, \a
	.endm
	.text
	.globl	f
f:	nop
	twice	%eax
	jne	f
	nop
	jmp	far
	nop ; nop
	.balign	8
	nop
	.balign	1
	nop
	.space	4
	nop
	.fill	2, 2, 0
	nop
	.uleb128 .Lb-f
	nop
	.uleb128 5
	nop
	.org	200
	.rept	2
	nop
	nop
	.endr
.Lb:	rep stosb
	nop
	jmp	.Lb
	jecxz	.Lb
	data16 jmp .Lb
	nop
	.data
	nop
	.text	1
	nop
	.text
	nop
	.section .text$g, "xr"
g:	twice	%ebx
	.text
	.line	5
	nop
	.zero	200
	jmp	f
# 1 "codeview.s"
	nop
# 3 "symbols.s"
	nop
	.file "seh.s"
	nop
	.rept 2
	nop
	.endr
	nop
	.func f, f
	nop
	.endfunc
	.file "comdat.s"
	.stabs "x:1",128,0,0,0
	.stabn 68,0,5,f
	.stabd 68,0,6
	nop
