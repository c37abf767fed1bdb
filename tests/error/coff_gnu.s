# OPTIONS --target=x86_64-w64-mingw32
        .text
        .cfi_startproc
        .cfi_personality_id 1           # ERROR 9 compact unwind tables do not exist for this target
        .cfi_inline_lsda                # ERROR 9 compact unwind tables
        .cfi_fde_data 1, 2              # ERROR 9 compact unwind tables
        .cfi_endproc
        .size 4                         # ERROR 9 outside of .def
        .size                           # WARNING 9 outside of .def
        .hidden f                       # ERROR 9 this directive is for ELF
        .subsection 1                   # ERROR 9 this directive is for ELF
        .previous                       # ERROR 9 this directive is for ELF
        .def a
        .size 70000                     # ERROR 15 70000 is not between -32768 and 65535
        .dim 1, 2, 3, 4, x              # ERROR 26 must be a constant
        .tag 5                          # ERROR 14 expected the tag's name
        .val                            # ERROR 41 expected an expression
        .endef
        .def b
