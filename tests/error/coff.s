# OPTIONS --compat=llvm --target=x86_64-pc-windows-msvc
        .section .x,"q"                 # ERROR 21 unknown section flag 'q'
        .section .x,"bd"                # ERROR 21 section flags 'b' and 'd' exclude each other
        .section .x,"dr",some,s         # ERROR 26 unknown COMDAT selection 'some'
        .section .x,"dr",discard        # ERROR 41 expected a comma
        .linkonce associative           # ERROR 9 associative
        .scl 2                          # ERROR 9 .scl outside of .def
        .type f, @function              # ERROR 9 .type outside of .def
        .endef                          # ERROR 9 outside of .def
        .def f; .scl 300; .endef        # ERROR 22 300 is not between -1 and 255
        .secrel32                       # ERROR 41 expected an expression
        .comm c, 4, 40                  # ERROR 21 alignment 40 is not between 0 and 32
        .seh_pushreg %rbx               # ERROR 9 there is no function open here
        .seh_proc f
        .seh_stackalloc 12              # ERROR 25 12 is not a multiple of 8
        .seh_setframe %rbp, 8           # ERROR 29 multiple of 16
        .seh_pushreg %eax               # ERROR 22 expected a 64-bit general register
        .seh_savexmm %xmm16, 16         # ERROR 22 expected %xmm0 to %xmm15
        .seh_endchained                 # ERROR 9 no chained region is open
        .seh_handler h, @other          # ERROR 25 expected @unwind or @except
        .seh_proc g                     # ERROR 9 the function before this is not closed
        .seh_endproc
        .cv_loc 0 1 1                   # ERROR 18 there is no file 1
        .cv_file 1 "a.c" "123" 1        # ERROR 26 pairs of hexadecimal digits
        .cv_file 0 "a.c"                # ERROR 18 not between 1 and
        .cv_inline_site_id 1 within 0   # ERROR 41 expected 'inlined_at'
        .cv_def_range a b, other        # ERROR 28 expected a kind of range
        .cv_fpo_pushreg %ebx            # ERROR 9 between .cv_fpo_proc and .cv_fpo_endprologue
        .lazy_reference b               # ERROR 9 only Mach-O objects have symbols of this kind
        .private_extern b               # ERROR 9 only Mach-O objects
        .reference b                    # ERROR 9 only Mach-O objects
        .symbol_resolver b              # ERROR 9 only Mach-O objects
        .weak_def_can_be_hidden b       # ERROR 9 only Mach-O objects
        .weak_definition b              # ERROR 9 only Mach-O objects
