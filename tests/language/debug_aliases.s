# gnu -g
# gnu --gdwarf-3
# gnu --gdwarf-5
# gnu-aarch64 --gdwarf-5
# Functions of .debug_info: aliases have the size that the function has by then.
	.text
	.globl	f, g
	.type	f, %function
	.set	early, f
f:	nop
	.set	before, f
	.size	f, .-f
	.weak	after
	after = f
	.globl	global
	global = f
	.set	part, f+1
	own = f
	.size	own, 1
	.type	g, %function
g:	nop
	.set	again, after
	.size	g, .-g
	.set	late, h
	.type	h, %function
h:	nop
	.size	h, 2
