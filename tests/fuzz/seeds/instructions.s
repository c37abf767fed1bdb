00vaddps %zmm1,%zmm2,%zmm3{%k1}{z}
vaddpd 64(%rax){1to8},%zmm2,%zmm3
vaddps {rn-sae},%zmm1,%zmm2,%zmm3
{evex} vpaddd %xmm1,%xmm2,%xmm3
lock addl $1,(%rax)
rep movsb
movabs $0x1122334455667788,%rax
mov %fs:x@tpoff,%rax
leaq x@tlsgd(%rip),%rdi
fldt (%rax)
tdpbssd %tmm1,%tmm2,%tmm3
movq %cr0,%rax
enqcmd (%rax),%rbx
