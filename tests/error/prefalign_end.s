# .prefalign: the end symbol is behind it, in the same section.
        .text
.Lbefore:
        nop
        .prefalign 4, .Lbefore, nop     # ERROR 9 not behind the .prefalign
        .prefalign 4, .Lundefined, nop  # ERROR 9 end symbol
        .prefalign 4, .Lelsewhere, nop  # ERROR 9 end symbol
        .data
.Lelsewhere:
