# A division by zero that shows when all symbols are known.
        .quad   5/a                     # ERROR 17 division by zero
        .quad   (c-b)%(b-b2)            # ERROR 17 division by zero
        .set    a, 0
b:
b2:     nop
c:
