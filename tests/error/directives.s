# Directives that only count, that are refused, or that only some objects have.
        .fail 400                       # ERROR 9 .fail 400
        .fail 500                       # WARNING 9 .fail 500
        .cold x                         # ERROR 9 only Mach-O
        .linkonce discard               # WARNING 9 no meaning in ELF
        .mri 1
        .section .none                  # ERROR 9 MRI mode has no named sections
        .common x, 4                    # ERROR 9 common sections
        .mri 0
        .ds.p 1, x                      # ERROR 9 must be a constant
        .struct 8
a:      .skip 4
b:      .byte 1                         # ERROR 9 nothing to be stored in a .struct
        .text
        .if b - a != 4
        .error "not reached"
        .endif
        .base64 "YWJj", "YQ="           # ERROR 25 not valid base64
        .prefalign 70, e, nop           # ERROR 20 alignment 2\*\*70
        .prefalign 4, e, 256            # ERROR 26 fill value 256
        .prefalign 4, e                 # ERROR 41 expected a comma
        .eqv loop, loop + 1
        .long loop                      # ERROR 22:20 nested deeper
        .octa 0x100000000000000000000000000000000  # WARNING 15 its upper part is dropped
        .long 0x123456789abcdef01       # WARNING 15 its upper part is dropped
        .vtable_inherit nowhere, 0      # ERROR 9 must be defined before
        .section .twice,"a"
        .section .twice,"aw"            # ERROR 9 changed section flags for .twice
        .section .twice,"a",@nobits     # ERROR 9 changed section type for .twice
        .section .twice
        .section .twice,""
        .section .rodata.twice,"aM",@progbits,4
        .section .rodata.twice,"aM",@progbits,8  # ERROR 9 changed entry size for .rodata.twice
        .section .data.twice,"ax"
        .section .data.twice,"aw"       # WARNING 9 changed section flags for .data.twice.*ignored
        .section .strange,"a",@strange  # WARNING 31 unknown section type 'strange', taken as 'progbits'
        .abort enough                   # ERROR 9 .abort directive: enough
        .error "behind .abort"
