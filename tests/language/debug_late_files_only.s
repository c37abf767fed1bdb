# gnu -g
# The same without lines of the compiler: a line table of files alone, and still the sections of -g.
	.text
	nop
	.section .text.c, "ax"
	.type	bar, %function
bar:
	nop
	.size	bar, . - bar
	.file	1 "foo.c"
	.section .text.d, "ax"
	nop
	.section .text.c, "ax"
	nop

