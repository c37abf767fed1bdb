# A name is that of a section or of a label.
foo:
        .section foo, "a"               # ERROR 9 has the name of a symbol
        .section bar, "a"
bar:                                    # ERROR 1 already defined
