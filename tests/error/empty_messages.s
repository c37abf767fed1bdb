        .error ""                       # ERROR 9 .error directive
        .warning ""                     # WARNING 9 .warning directive
        .p2align 1 << 63                # ERROR 9 is less than 1
