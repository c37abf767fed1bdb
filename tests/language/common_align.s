# gnu
# Without an alignment: a common symbol has that of the next power of two, what .lcomm allocates that of the one before.
        .comm   a1, 1
        .comm   a3, 3
        .comm   a5, 5
        .comm   a8, 8
        .comm   a9, 9
        .comm   a33, 33
        .tls_common t5, 5
        .lcomm  b1, 1
        .lcomm  b3, 3
        .lcomm  b5, 5
        .lcomm  b9, 9
        .lcomm  b16, 16
        .lcomm  b33, 33
        .local  c, d
        .comm   c, 3
        .comm   d, 64
        .largecomm l3, 3
        .local  l5
        .largecomm l5, 5
