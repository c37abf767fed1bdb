# gnu
# What .eqv and == name is listed if it comes to a number or to a label, but not if it is only another place each time.
        .eqv    here, .+2
        .globl  shown
        shown == .+4
        .long   here, shown
        number == 5
        nop
        distance == x-.
        .long   distance, distance
x:      label == x
        # What is left of a padding that the fill value does not divide is zero.
        .data
        .org    .+1
        .balignw 4, 0x1234
        .text
