08.intel_syntax noprefix
mov eax,dword ptr [rbx+rcx*4+16]
add rax,offset flat:x
x:lea rdx,x[rip]
vaddps zmm1{k1}{z},zmm2,dword bcst [rax]
mov byte ptr es:[edi],5
jmp short x
call [rax]
push offset x
and eax,1 shl 3 or 4
