# Line markers: places are those of the file that the marker names.
        nop
# 100 "other.c"
        foo                             # ERROR other.c:100:9 unknown instruction
# 7 "dir/third.c" 1
        nop
        foo                             # ERROR dir/third.c:8:9 unknown instruction
