40.title "t"
.macro m a
.byte \a
.endm
m 5
.list
.nolist
.rept 3
nop
.endr
.list
.psize 10,40
.eject
.irp x,1,2
.byte \x
.endr
.sbttl "s"
# 5 "g.s"
nop
.if 0
.endif
