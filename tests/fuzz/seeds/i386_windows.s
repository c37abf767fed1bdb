14.cv_fpo_proc _f 4
_f:
pushl %ebp
.cv_fpo_pushreg %ebp
movl %esp,%ebp
.cv_fpo_setframe %ebp
.cv_fpo_stackalloc 8
.cv_fpo_endprologue
ret
.cv_fpo_endproc
.section .debug$S,"dr"
.cv_fpo_data _f
.safeseh _f
