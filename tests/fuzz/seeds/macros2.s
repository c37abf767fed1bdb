00.altmacro
.macro m a:req,b=<1 2>,c:vararg
LOCAL l
l:.byte \a,%a+1,&b
.exitm
.endm
m 1 2,b=3
m <a b>,!<,"x"
.noaltmacro
.macro outer n
.macro inner\n x
.byte \x\()\n,\@,\+
.endm
inner\n 5
.purgem inner\n
.endm
outer 1
.rept 2
.rept 2
.irpc c,ab
.byte '\c
.endr
.endr
.endr
.macro r n
.if \n
r \n-1
.endif
.endm
r 5
