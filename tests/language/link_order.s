# both
# 'o': the section that a symbol is in, or a section's name.
	.section .foo,"a",@progbits
.Ltmp:
	.byte 0
	.section .bar,"ao",@progbits,.Ltmp
	.byte 1
	.section .bar2,"ao",@progbits,.foo
	.byte 2
	.section .meta,"awo",@progbits,.Ltmp,unique,1
	.byte 3
	.text
later:	nop
	.section .meta,"awo",@progbits,later,unique,2
	.byte 4
	.section .none,"ao",@progbits,0
	.byte 6
