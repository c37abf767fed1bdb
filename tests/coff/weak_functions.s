# gnu64 gnu32: what stands in fields and records depends on whether .def or .weak came last
        .text
        .def    before; .scl 2; .type 32; .endef
        .weak   before
before: nop
        .weak   behind
        .def    behind; .scl 2; .type 32; .endef
behind: nop
        .globl  first
        .def    first; .scl 2; .type 32; .endef
first:  call    before + 3
        call    behind + 3
        .data
        .long   before, behind
        .long   before - ., later - .
later:  .long   1
        .weak   later
        .secidx later
        .section .text$one,"x"
        .linkonce discard
