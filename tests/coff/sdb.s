# gnu64 gnu32
# Debugging information of old: tags, members, blocks, functions and their ends.
	.file "t.c"
	.text
	.def _s; .scl 10; .type 8; .size 12; .endef
	.def _a; .val 0; .scl 8; .type 4; .endef
	.def _b; .val 4; .scl 8; .dim 2; .size 8; .type 52; .endef
	.def .eos; .val 12; .scl 102; .tag _s; .size 12; .endef
	.globl _f
	.def _f; .val _f; .scl 2; .type 36; .endef
_f:	nop
	.def .bf; .val .; .scl 101; .line 3; .endef
	nop
	.def _x; .val 8; .scl 1; .type 4; .endef
	.def _y; .val -4; .scl 9; .tag _s; .size 12; .type 8; .endef
	.def .bb; .val .; .scl 100; .line 4; .endef
	nop
	.def _r; .val 3; .scl 4; .type 4; .endef
	.def .eb; .val .; .scl 100; .line 5; .endef
	.def .ef; .val .; .scl 101; .line 7; .endef
	ret
	.def _f; .val .; .scl -1; .endef
	.globl _g
	.def _g; .val _g; .scl 2; .type 36; .endef
_g:	nop
	.def .bf; .val .; .scl 101; .line 10; .endef
	ret
	.def .ef; .val .; .scl 101; .line 2; .endef
	.def _g; .val .; .scl -1; .endef
	.def _t; .scl 13; .type 8; .tag _s; .size 12; .endef
	.def _later; .scl 3; .type 8; .tag _unknown; .size 12; .endef
	.data
_later:	.long 1,2,3
	.def _v; .val _v; .scl 2; .type 60; .dim 3,4; .size 48; .endef
	.globl _v
_v:	.long _f
	.def _e; .scl 15; .type 10; .size 4; .endef
