// msvcarm64 mingwarm64 arm64ec
// Relocations of ARM64: in instructions, in data, to symbols and, for temporary ones, to sections.
  .text
  .def function
  .scl 2
  .type 32
  .endef
  .globl function
  .p2align 2
function:
  adrp x0, external
  adrp x0, external + 5
  adrp x0, 0x5000
  add x0, x0, :lo12:external
  add x0, x0, :lo12:external + 0x12345
  ldrb w1, [x0, :lo12:external + 3]
  ldrh w1, [x0, :lo12:external + 2]
  ldr w1, [x0, :lo12:external + 4]
  ldr x1, [x0, :lo12:external + 8]
  ldr q1, [x0, :lo12:external + 16]
  ldr x0, [x0, external@PAGEOFF]
  adr x0, external + 3
  add x0, x0, :secrel_hi12:external
  add x0, x0, :secrel_lo12:external
  ldr x0, [x0, :secrel_lo12:external + 8]
  b external
  bl function
  b.eq external
  cbz x0, external
  tbz x0, #3, external
  adrp x0, .Lhere
  add x0, x0, :lo12:.Lhere
  adr x1, .Lhere
  b .Lhere
  tbnz w1, #5, .Lhere
.Lhere:
  cbnz x2, Lnamed
Lnamed:
  ldr x0, =external
  ldr x0, =0x1234567812345678
  // the stack probe, near and far
  mov x15, #4096
  bl __chkstk
  sub sp, sp, x15, lsl #4
  mov x15, #4096
  adrp x16, __chkstk
  add x16, x16, :lo12:__chkstk
  blr x16
  sub sp, sp, x15, lsl #4
  .p2align 4
  nop ; ret

  .data
  .word external + 4
  .xword external + 8
  .word external@IMGREL + 12
  .rva external, .Lhere, function + 4
  .secrel32 external
  .secrel32 .Lhere
  .secidx external
  .secidx .Lhere
  .word external - .
  .xword external - .
  .word .Lhere - .Ldata
  .xword .Lhere
  .word .Lhere@IMGREL
.Ldata:
  .symidx external

// Places beyond a megabyte are told from a label that the section has for each.
  .section .large, "dw"
  .zero 0x250000
.Lfar:
  .xword .Lfar
  .word .Lfar - 0x200000
  .word .Lfar + 0x1000000
  .secrel32 .Lfar
  .secidx .Lfar
  .text
  adrp x0, .Lfar
  ldr x0, [x0, :lo12:.Lfar]
