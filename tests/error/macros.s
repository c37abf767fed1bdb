# Expansions: the place is in the macro's body, the chain of invocations are notes.
        .macro load reg
        movl $1, \reg                   # ERROR 3:10 unknown register '%ebq'
        .endm
        .macro outer reg
        load \reg                       # NOTE 6:2 in expansion of
        .endm
        outer %ebq                      # NOTE 8:9 in expansion of
        load %eax
