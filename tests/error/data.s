# Data directives.
        .byte 256                       # WARNING 15 256 does not fit in 1 byte .*truncated
        .byte -256, -129                # WARNING 15 truncated
        .short 70000                    # WARNING 16 truncated
        .byte 255, -128
        .byte 1,                        # WARNING 41 a value is missing
        .long foo bar                   # ERROR 19 unexpected 'bar'
        .long foo ? bar                 # ERROR 19 unexpected
        .ascii abc                      # ERROR 16 expected a string in double quotes
        .string "a\q"                   # WARNING 19 escape
        .uleb128                        # WARNING 41 a value is missing
        .incbin "not-there.bin"         # ERROR 17 cannot open 'not-there.bin'
        .quad 09                        # ERROR 15 bad number
        .byte 018                       # ERROR 15 bad number
