# Immediates of 16 bits are not cut, and are no reason for an operand size.
        ret $0x10001                    # ERROR 13 operand 1 is the immediate
        lret $0x10001                   # ERROR 14 operand 1 is the immediate
        enter $0x10001, $0              # ERROR 15 operand 1 is the immediate
        ret $0xffff
        movw $0x12345, (%rax)           # WARNING 14 shortened
