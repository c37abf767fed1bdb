10a=b+1
b=.-c
c:
.equiv d,(a*3)/(c-c+1)
.eqv e,f-.
f==(1<<63)-1
.long a,-d,~e,!f,a<>b,(a&&b)||c,1f-1b,a@GOT
1:
.if a-c>3
.org .+d
.endif
.fill (1f-c)/2,2,d
.uleb128 1f-c,0x1234567890abcdef1234
1:.set a,a+1
.reloc .,R_X86_64_NONE,a+4
.dc.a c-1b
.float 0x1.8p3,1e-40
.octa 0xffffffffffffffffffffffffffffffff
