10.prefalign 4,.Lend,nop
jmp .Lend
.prefalign 3,.Lend,0xcc
.p2align 4,,7
nop
.Lend:
.bundle_align_mode 4
.bundle_lock
call f
.bundle_unlock
.cg_profile f,g,5
.addrsig
.addrsig_sym f
f:
