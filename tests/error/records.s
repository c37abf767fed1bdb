# Bundles, pseudo probes, stabs, attributes.
        .bundle_lock                    # ERROR 9 needs a .bundle_align_mode
        .bundle_unlock                  # ERROR 9 without .bundle_lock
        .bundle_align_mode 40           # ERROR 28 between 0 and 30
        .bundle_align_mode 2
        movl $1, 8(%rsp)                # ERROR 9 these 8 bytes do not fit in a bundle of 4
        .bundle_align_mode 0
        .pseudoprobe 1 1 20 0 f         # ERROR 9 the type goes up to 15
        .pseudoprobe 1 1 0 0 @ 2 f      # ERROR 33 expected ':'
        .pseudoprobe x                  # ERROR 22 expected the function's number
        .stabs "a",1                    # ERROR 41 expected a comma
        .gnu_attribute 4, "a"           # ERROR 27 constant
        .gnu_attribute -1, 1            # ERROR 24 32 bits
        .psize 60, 5                    # ERROR 20 at least 10 columns
        .rva x                          # ERROR 9 only COFF
        .slong 1, x, -1
        .bundle_align_mode 4
        .bundle_lock                    # ERROR 9 has no .bundle_unlock
