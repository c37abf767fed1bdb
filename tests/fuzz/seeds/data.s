00.byte 1,2,0x7f,-1,'a'
.short 1<<15
.quad a-b,a+4,.
.octa 0x11223344556677889900aabbccddeeff
.float 1.5,-0.0,inf
.double 1e-320
.ascii "\x41\101\n\t\"" "b"
.fill 3,4,5
.include "seed"
.incbin "seed",1,2
a:
.reloc .-4,R_X86_64_NONE,a
.balign 8,0x90
b=.-a
.print "x"
.warning "w"
