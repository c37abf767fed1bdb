# gnu64 gnu32: escapes in a section's name, a number that comes later, .comm of what .set has named
        .section "a\x41b","dr"
        .long   target@SECREL32 + later
        .set    late_common, 5
        .comm   late_common, 4
        .long   late_common
target: .long   later
        .set    later, 6
