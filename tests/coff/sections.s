# all
# Flags, default flags, alignment of sections by name, padding at their ends.
	.text
	nop
	.data
	.byte	1
	.bss
	.space	3
	.section .rdata,"dr"
	.byte	2
	.section .named,"w"
	.byte	3
	.section .code,"x"
	nop
	.section .code_writable,"wx"
	nop
	.section .read,"r"
	.byte	4
	.section .shared,"s"
	.byte	5
	.section .removed,"n"
	.byte	6
	.section .unreadable,"dy"
	.byte	7
	.section .zeros,"b"
	.space	9
	.section .debug_something,"dr"
	.byte	8
	.section .text$part,"x"
	nop
	.p2align 5
	nop
	.section .data$part,"dw"
	.byte	9
	.section .plain
	.byte	10
	.section .empty,"dr"
	.section .a_name_of_more_than_eight_characters,"dr"
	.byte	13
