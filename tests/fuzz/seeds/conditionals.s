00.if 1
.ifdef a
.byte 1
.elseif 2>1
.ifc a b,a b
.ifeqs "x","x"
.byte 2
.else
.err
.endif
.endif
.else
.ifnb
.endif
.endif
.endif
.ifb 
.ifgt x-y
x:
.ifndef y
y:.endif
.endif
