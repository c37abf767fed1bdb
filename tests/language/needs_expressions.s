# gnu
# Expressions that settle late, and those that are settled early.
	.text
start:	nop
	nop
	.if . - start > 1
	.byte 0xaa
	.endif
	.long (end - .) / 8
	.set late, end - start
	.fill (end - start) / 4, 1, 0x90
	.set x, 1
	.long x
	.set x, x + 1
	.long x
	x = x * 3
	.long x
	.equiv once, 7
	.eqv lazy, x + 1
	.long lazy
	.long lazy
1:	jmp 1f
	.long 1f - 1b
1:	nop
	movl $late2, %eax
	movq $late2, %rax
	addq $late2, late2(%rbx)
	pushq $late2
	.set late2, 5
	.long -1, ~0, !0, !5, 1 << 31, 7 % 4, -7 / 2, 5 <> 5, 5 == 5, 1 && 2, 0 || 3, 6 & 3 | 8 ^ 1, 2 < 3
	.quad 0xffffffffffffffff, -0x8000000000000000, 'a
	.octa 0x123456789abcdef0123456789abcdef
	.byte 0b101, 0377, 0x7f, 10
	.long later - start
	.space 5 - (later - mid)
mid:	nop
later:	nop
	.org start + 0x200
	.uleb128 end - start, 300, later - mid
	.sleb128 start - end, -5
	.balign 16
end:
	.ascii "a" "b", "c"
	.string "x" "y"
	.float 1.5, 1e10, -0.0
	.double 3.14159
