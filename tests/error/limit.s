# The limit of errors.
# OPTIONS -fmax-errors=2
        foo1                            # ERROR 9 'foo1'
        foo2                            # ERROR 9 'foo2'
        foo3
        foo4
