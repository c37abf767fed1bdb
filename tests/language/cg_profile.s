# llvm
# .cg_profile: undefined symbols become weak, temporary ones their sections' symbols; entries are made at the end.
	.text
	.globl from
from:	nop
	.Llocal: nop
	.section .text.to,"ax",@progbits
.Lto:	nop
	.cg_profile from, later, 42
	.cg_profile from, .Lto, 18446744073709551615
	.cg_profile .Llocal, undefined, 3
	.cg_profile undefined2, undefined, 0
	.cg_profile declared, from, 5
	.globl declared
later:	nop
