# gnu --32
# The GOT's distance plus that of two labels, as clang -m32 -fPIC -masm=intel writes it.
	.intel_syntax noprefix
	call	.L0$pb
.L0$pb:	pop	ebx
.Ltmp0:	add	ebx, offset _GLOBAL_OFFSET_TABLE_+(.Ltmp0-.L0$pb)
	add	eax, offset _GLOBAL_OFFSET_TABLE_+(.Ltmp0-.L0$pb)
	add	ebx, _GLOBAL_OFFSET_TABLE_+(.Ltmp0-.L0$pb)
	add	ebx, (.Ltmp0-.L0$pb)+_GLOBAL_OFFSET_TABLE_
	mov	ebx, offset flat:_GLOBAL_OFFSET_TABLE_+(.Ltmp0-.L0$pb)
	add	dword ptr [eax], offset _GLOBAL_OFFSET_TABLE_+(.Ltmp0-.L0$pb)
