13.cv_file 1 "a.c" "0123456789abcdef0123456789abcdef" 1
.cv_func_id 0
.cv_inline_site_id 1 within 0 inlined_at 1 3 4
f:
.cv_loc 0 1 2 3 prologue_end is_stmt 0
nop
.Ll:
.cv_loc 1 1 5
.p2align 4
nop
.Le:
.section .debug$S,"dr"
.long 4
.cv_linetable 0,f,.Le
.cv_inline_linetable 1 1 5 f .Le
.cv_def_range f .Ll,"reg,17"
.cv_filechecksums
.cv_stringtable
.cv_filechecksumoffset 1
.cv_string "x"
