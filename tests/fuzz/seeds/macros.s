00.macro m a,b=2,c:vararg
.byte \a,\b
.ifnb \c
m \c
.endif
.endm
m 1
m 1,2,3,4
.rept 3
.irp x,1,2
.long \x+.-f
.endr
.endr
f:
.altmacro
.if . - f == 0
nop
.else
.err
.endif
