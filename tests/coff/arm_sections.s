# msvcarm mingwarm: flags of code sections, and trap
        .text
        trap
        .thumb
        trap
        .section .text$a, "xr"
        trap
        .data
        .long 1
