# gnu -g
# gnu --gdwarf-5
# llvm -g
# Line markers of inline assembly: behind `# 0 "" 2` lines are those of the file that is read; behind `# 0 "file"` only its
# name changes (LLVM counts from 0).
#APP
# 82 "foo.h" 1
 nop
# 0 "" 2
#NO_APP
 nop
 nop
# 0 "x.c"
 nop
 nop
# 7 "y.c"
 nop
# 0 "" 2
 nop
