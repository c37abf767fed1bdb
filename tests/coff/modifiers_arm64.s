// msvcarm64: every relocation modifier of objects for Windows in every field that has a relocation for it
        .text
        adrp x0, foo
        adr x0, foo
        bl foo
        cbz x0, foo
        tbz x0, #1, foo
        .word foo
        .xword foo
        add x0, x0, :lo12:foo
        add w0, w0, :lo12:foo
        ldrb w0, [x1, :lo12:foo]
        ldrh w0, [x1, :lo12:foo]
        ldr w0, [x1, :lo12:foo]
        ldr x0, [x1, :lo12:foo]
        ldr q0, [x1, :lo12:foo]
        str x0, [x1, :lo12:foo]
        adrp x0, :pg_hi21_nc:foo
        add x0, x0, :secrel_lo12:foo
        add w0, w0, :secrel_lo12:foo
        ldrb w0, [x1, :secrel_lo12:foo]
        ldrh w0, [x1, :secrel_lo12:foo]
        ldr w0, [x1, :secrel_lo12:foo]
        ldr x0, [x1, :secrel_lo12:foo]
        ldr q0, [x1, :secrel_lo12:foo]
        str x0, [x1, :secrel_lo12:foo]
        add x0, x0, :secrel_hi12:foo
        add w0, w0, :secrel_hi12:foo
        .word foo@IMGREL
