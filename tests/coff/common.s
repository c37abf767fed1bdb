# gnu64 gnu32 mingw64 mingw32 msvc64 msvc32
# Common symbols; their alignment is an option for the linker in .drectve, or their size.
	.globl	x
x:	nop
	.comm	plain, 12
	.comm	aligned, 12, 4
	.lcomm	here, 20, 8
	.data
	.long	plain, aligned, here+4
