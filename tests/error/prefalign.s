# .prefalign: its operands.
        .prefalign 4                    # ERROR 41 expected a comma
        .prefalign 4, .Lend, -1         # ERROR 30 fill value -1
        .prefalign 4, 5, nop            # ERROR 23 expected
        .prefalign                      # ERROR 41 expected the exponent
        .prefalign 4, .Lend,            # ERROR 41 expected what to fill with
.Lend:
