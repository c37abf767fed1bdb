# both
# Symbols that are set again and again are listed where they were first (GNU as), or where LLVM has them.
x = 1
y = 2
	.long x, y
x = 3
	.long x
y = 4
	.long y
x = x + y
	.long x
	.globl x
z = x
	.macro count
i = i + 1
	.long i
	.endm
i = 0
	.rept 20
	count
	.endr
f:	.long x
y = f
	.quad y
y = 7
	.long y
x = f
	.quad x
.Lt = 1
	.long .Lt
.Lt = 2
	.long .Lt
