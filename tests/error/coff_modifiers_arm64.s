// OPTIONS --target=aarch64-pc-windows-msvc
// The reference assemblers drop these modifiers without a word: the relocation would be another one.
        ldrb w0, [x1, :secrel_hi12:foo]         // ERROR 23 :secrel_hi12: can't stand here in COFF
        ldrh w0, [x1, :secrel_hi12:foo]         // ERROR 23 :secrel_hi12: can't stand here in COFF
        ldr w0, [x1, :secrel_hi12:foo]          // ERROR 22 :secrel_hi12: can't stand here in COFF
        ldr x0, [x1, :secrel_hi12:foo]          // ERROR 22 :secrel_hi12: can't stand here in COFF
        ldr q0, [x1, :secrel_hi12:foo]          // ERROR 22 :secrel_hi12: can't stand here in COFF
        str x0, [x1, :secrel_hi12:foo]          // ERROR 22 :secrel_hi12: can't stand here in COFF
