# bytes .text 90cccccc cccccccc 90909090 9090c3cc cccccccc cccccccc c3909090 90909090 c30f1f00 90909090 c3
# has AddressAlignment: 16
# .prefalign: `body` bytes up to the end symbol are aligned to the smallest power of two that holds them, at most to what is
# preferred. 6+1 bytes: 8. 1 byte behind a p2align 4: stays. 8 bytes and more, 8 preferred: 8. Then no-ops before 5 bytes.
	.text
	nop
	.prefalign 4, .Lend1, 0xcc
	.rept 6
	nop
	.endr
	ret
.Lend1:
	.p2align 4, 0xcc
	.byte 0xcc
	.p2align 3, 0xcc
	.prefalign 4, .Lend2, 0xcc
	ret
.Lend2:
	.prefalign 0, .Lend3, nop
	.rept 7
	nop
	.endr
.Lend3:
	ret
	.prefalign 2, .Lend4, nop
	.rept 4
	nop
	.endr
	ret
.Lend4:
