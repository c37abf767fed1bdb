# OPTIONS --target=aarch64-linux-gnu
// Operators of relocations where they can't stand, and operands that no row has.
        .xword g@AUTH(ic,1)             // ERROR 17 unknown relocation modifier
        movz w0, :abs_g2:x              // ERROR 18 invalid operand for `movz`
        movz x0, :abs_g1:x, lsl #16     // ERROR 18 invalid operand for `movz`
        adr x0, 0x200000                // ERROR 17 invalid operand for `adr`
        adrp x0, #0x1234                // ERROR 18 invalid operand for `adrp`
        ldr x0, =:lo12:x                // ERROR 17 has no relocation operator
        sub x0, x1, :lo12:x             // ERROR 21 invalid operand for `sub`
        add x0, x1, :bogus:x            // ERROR 21 unknown relocation operator ':bogus:'
        ldr x0, [x1, #32768]            // ERROR 22 invalid operand for `ldr`
        .aeabi_attribute 1, 1           // ERROR 26 must stand behind an .aeabi_subsection
        .aeabi_subsection aeabi_pauthabi, optional, uleb128     // ERROR 43 must be required
        .aeabi_subsection a, optional, text                     // ERROR 40 must be uleb128
        .aeabi_subsection b                                     // ERROR 27 there is no subsection 'b' yet
        .aeabi_subsection aeabi_feature_and_bits, optional, uleb128
        .aeabi_attribute Tag_Foo, 1                             // ERROR 26 has no tag 'Tag_Foo'
        .aeabi_attribute 0, "x"                                 // ERROR 29 are numbers
        .aeabi_attribute 0, 2                                   // ERROR 29 must be 0 or 1
        b.xx foo                                // ERROR 9 unknown suffix '.xx'
