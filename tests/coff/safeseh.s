# msvc32
	.text
	.def	@feat.00;
	.scl	3;
	.type	0;
	.endef
	.globl	@feat.00
@feat.00 = 1
	.safeseh	_handler
	.safeseh	_other
	.safeseh	_handler
	.globl	_other
_other:	call	_stdcall@8
	call	@fastcall@4
	jmp	LBB0
LBB0:	ret
