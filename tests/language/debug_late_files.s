# gnu -g
# gnu --gdwarf-2
# gnu --gdwarf-4
# gnu --gdwarf-5
# A numbered .file ends -g: the rows so far are forgotten, and the sections that had some are described all the same.
	.text
	nop
	.section .text.c, "ax"
	.type	bar, %function
bar:
	nop
	.size	bar, . - bar
	.file	1 "foo.c"
	.section .text.d, "ax"
	.loc	1 1
	nop
	.section .text.c, "ax"
	.loc	1 2
	nop
