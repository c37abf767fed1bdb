// msvcarm64 mingwarm64: directives of AArch64 in objects for Windows
        .text
        .align  2
        .cpu    generic+crc
        .arch   armv8.2-a
        .arch_extension sve
name    .req    x3
        mov     name, #1
        .unreq  name
        .inst   0xd503201f
        .dword  1
        .xword  label
label:  ldr     x0, =elsewhere
        .pool
