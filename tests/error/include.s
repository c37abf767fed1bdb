# Included files.
        .include "include.inc"          # NOTE 2:9 included from here
        .include "not-there.inc"        # ERROR 18 cannot open 'not-there.inc'
# ERROR include.inc:2:9 unknown instruction
