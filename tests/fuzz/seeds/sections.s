00.section .text.g,"axG",@progbits,g,comdat
.weak g
g:
jmp *%rax
.pushsection .x,"aw",@nobits
.zero 16
.popsection
.section .l,"ao",@progbits,.text.g
.quad g
.set a,g+4
.symver a,a@V1
.comm c,8,4
.local l
.comm l,4
.org .+20
.type i,@gnu_indirect_function
.hidden h
