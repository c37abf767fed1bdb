# COMDATs as LLVM's .section names them, for windows_cxx.sh; GNU as can't read this. Assembled as PART 1 and PART 2 and
# linked together, so that the linker chooses, and looked at by comdat.c: addresses of what lies at, before and behind a
# COMDAT's symbol, in other sections, in the same one, in code. X64 is defined for x86-64.
	.macro	address place:vararg
	.ifdef	X64
	.quad	\place
	.else
	.long	\place
	.endif
	.endm
	.macro	load place:vararg
	.ifdef	X64
	addl	\place(%rip), %eax
	.else
	addl	\place, %eax
	.endif
	.endm

# The symbol is not the first of its section, and not the first label of the text.
	.section .data,"dw",discard,leader
	.globl	ahead, leader, behind
ahead:	.long	11
leader:	.long	22
behind:	.long	33
static:	.long	44
.Llocal: .long	55
	address	behind, ahead+4, static, .Llocal

# One section for each of these of both objects; sizes are not rounded.
	.section .data,"dw",same_size,sized
	.globl	sized
sized:	.byte	1, 2, 3
	.section .rdata,"dr",same_contents,equal
	.globl	equal
equal:	.byte	4, 5, 6, 7, 8
	.section .rdata,"dr",largest,big
	.globl	big
big:	.long	PART
	.if	PART == 2
	.long	200
	.endif

# What goes with a COMDAT, and sections of one name.
	.section .list$b,"dr",associative,leader
	.long	66
	.section .list$b,"dr",unique,7
	.long	77
	.section .list$a,"dr",discard,start
	.globl	start
start:	.long	1
	.section .list$c,"dr",discard,finish
	.globl	finish
finish:	.long	1

	.section .text,"xr",discard,twice
	.globl	padded, twice, thrice
padded:	movl	$5, %eax
	ret
twice:	xorl	%eax, %eax
	load	behind
	load	ahead+8
	jmp	thrice
	.byte	0xf4
thrice:
	load	static
	load	.Llocal
	ret

	.if	PART == 1
	.data
	.globl	pointers, end_of_pointers
	.balign	8
pointers:
	address	leader, behind, ahead, leader+4, behind-4, leader-4, behind+4, behind+8, big
end_of_pointers:
	.text
	.globl	sum
sum:	xorl	%eax, %eax
	load	leader
	load	behind
	load	behind-8
	load	behind+4
	load	ahead+4
	ret
	.globl	call_padded, call_twice, call_thrice
call_padded:
	call	padded
	ret
call_twice:
	call	twice
	ret
call_thrice:
	xorl	%eax, %eax
	call	thrice
	ret
	.endif
