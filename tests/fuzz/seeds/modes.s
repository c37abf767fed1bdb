01.code32
movl x@GOTOFF(%ebx),%eax
call g@PLT
.code16
ljmp $8,$x
movw %ax,(%bx,%si)
.intel_syntax noprefix
mov eax,dword ptr [ebx+ecx*4+8]
.att_syntax
