# A quote or a backslash, and then the end of the line.
# ERROR 3:15 expected a character
        .byte '\
# ERROR 5:15 expected a character
        .byte '
