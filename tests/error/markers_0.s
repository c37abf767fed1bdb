# What GCC writes around inline assembly: behind `# 0 "" 2` the file that is read counts again.
#APP
# 82 "foo.h" 1
        foo                             # ERROR foo.h:82:9 unknown instruction
# 0 "" 2
#NO_APP
        foo                             # ERROR 9 unknown instruction
# 0 "named.c"
        foo                             # ERROR named.c:9:9 unknown instruction
# Right behind a separator, a marker counts too; behind a blank it is a comment.
nop;# 20 "behind.c"
        foo                             # ERROR behind.c:20:9 unknown instruction
nop; # 30 "comment.c"
        foo                             # ERROR behind.c:22:9 unknown instruction
