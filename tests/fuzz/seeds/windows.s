03.globl f
.def f;.scl 2;.type 32;.endef
.seh_proc f
f:
pushq %rbp
.seh_pushreg %rbp
subq $32,%rsp
.seh_stackalloc 32
.seh_setframe %rbp,16
.seh_endprologue
nop
.seh_handler h,@except
.seh_handlerdata
.long 1
.text
ret
.seh_endproc
.section .x,"dr",discard,s
s:.secrel32 f
.secidx f
.rva f+4
.section .y,"dr",associative,s
.weak w
.long w@IMGREL
.linkonce discard
.comm c,8,4
