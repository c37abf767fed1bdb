# gnu64 gnu32
# What only GNU as has: alignment by a digit, exclusion, subsections, .linkonce of sections, .ident, .lcomm with a default alignment.
	.section .aligned,"dr5"
	.byte	1
	.section .left_out,"e"
	.byte	2
	.text	2
	.byte	3
	.text	1
	.byte	4
	.data	1
	.byte	5
	.data
	.byte	6
	.lcomm	small,1
	.lcomm	large,100
	.long	small, large
	.section .text$one,"x"
	.linkonce
	.globl	one
one:	call	two
	.section .text$two,"x"
	.linkonce one_only
	.globl	two
	.def	two; .scl 2; .type 32; .endef
two:	jmp	one
	.def	local_function; .scl 3; .type 32; .endef
local_function:
local_in_two:
	.section .rdata$three,"dr"
	.linkonce same_size
	.long	local_in_two, local_function
	.section .rdata$four,"dr"
	.globl	four
	.linkonce same_contents
four:	.long	three_is_nowhere
	.long	four
	.ident	"an identification"
	.section .debug_x,"dr"
	.secrel32	local_in_two, four+4
