# msvc64 mingw64 mingw32
	.text
	.globl	target
target:	ret
	.weak	alias
	alias = target
	.weak	alias_of_undefined
	.set	alias_of_undefined, nowhere
	.weak_anti_dep	anti
	.set	anti, target
	.weak_anti_dep	anti_local
	.set	anti_local, local
local:	call	alias
	call	anti
