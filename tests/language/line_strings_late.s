# gnu
# gnu -gdwarf-5
# Symbols of sections that share a name come when a relocation is seen that names them, and so does .debug_line_str's.
	.file	0 "dir" "a.c"
	.file	1 "dir" "b.h"
	.text
	.loc	1 3
f:	nop
	.section map, "ao", @progbits, f
	.quad	f
.Lone:	.quad	1
	.section index, "ao", @progbits, f
	.quad	.Lone
	.section .text.g, "ax"
	.loc	1 4
g:	nop
	.section map, "ao", @progbits, g
.Ltwo:	.quad	g
	.section index, "ao", @progbits, g
	.quad	.Ltwo
	.section .debug_info
	.4byte	1
