// SPDX-License-Identifier: Apache-2.0
// Frames and line tables: what the assembler writes from records, in several sections, with code between the records
// that may still change its size.
#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

std::string_view reg(Text& text) { return text.any({"%rbx", "%rbp", "%r12", "%rsp", "3", "6", "%rip", "13", "%xmm1"}); }

/// Code of known size, of many sizes, and such whose size has yet to be found.
void code(Text& text, unsigned labels) {
  switch (text.below(9)) {
    case 0: return text.line(".skip {}", text.any({"1", "3", "63", "64", "70", "255", "256", "300"}));
    case 1: return text.line("jmp .Lend{}", labels);
    case 2: return text.line(".p2align {}", text.below(5));
    case 3: return text.line("call f");
    case 4: return text.line("mov %rsp, %rbp");
    default: return text.line("push %rbp");
  }
}

void frame_directive(Text& text, unsigned& remembered) {
  const int offset = (int(text.below(20)) - 10) * 8;
  switch (text.below(15)) {
    case 0: return text.line(".cfi_def_cfa_offset {}", 8 + text.below(40) * 8);
    case 1: return text.line(".cfi_def_cfa_register {}", reg(text));
    case 2: return text.line(".cfi_def_cfa {}, {}", reg(text), 8 * text.below(50));
    case 3: return text.line(".cfi_adjust_cfa_offset {}", 8 + 8 * text.below(4));
    case 4: return text.line(".cfi_offset {}, {}", reg(text), offset);
    case 5: return text.line(".cfi_rel_offset {}, {}", reg(text), offset);
    case 6: return text.line(".cfi_restore {}", reg(text));
    case 7: return text.line(".cfi_same_value {}", reg(text));
    case 8: return text.line(".cfi_undefined {}", reg(text));
    case 9: return text.line(".cfi_register {}, {}", reg(text), reg(text));
    case 10: return text.line(".cfi_remember_state"), void(++remembered);
    case 11:
      if (remembered) text.line(".cfi_restore_state"), --remembered;
      return;
    case 12: return text.line(".cfi_escape 0x{:x}, {}, 1", text.below(200), text.below(128));
    case 13: return text.line("{} {}, {}", text.any({".cfi_val_offset", ".cfi_offset"}), reg(text), offset);
    default:
      if (text.one_in(4)) text.line(".cfi_window_save");
  }
}

}  // namespace

void frames(Text& text) {
  if (text.one_in(3)) {
    text.line(".cfi_sections {}", text.any({".debug_frame", ".eh_frame", ".eh_frame, .debug_frame"}));
  }
  const unsigned functions = 1 + text.below(6);
  for (unsigned f = 0; f < functions; ++f) {
    text.line(".section {}",
              text.any({".text", ".text", ".text", ".text.b,\"ax\"", ".text.c,\"axG\",@progbits,g,comdat"}));
    text.line("f{}: .cfi_startproc{}", f, text.any({"", "", "", " simple"}));
    if (text.one_in(3)) text.line(".cfi_personality {}, {}", text.any({"0x9b", "0x3", "0"}), text.any({"p", "q"}));
    if (text.one_in(3)) text.line(".cfi_lsda {}, {}", text.any({"0x1b", "0x3"}), text.any({".Lx", "x"}));
    if (text.one_in(5)) text.line(".cfi_signal_frame");
    if (text.one_in(6)) text.line(".cfi_return_column {}", text.any({"8", "16", "%rip"}));
    unsigned remembered = 0;
    const unsigned lines = text.below(20);
    for (unsigned i = 0; i < lines; ++i) {
      if (text.one_in(2)) code(text, f);
      else frame_directive(text, remembered);
    }
    text.line(".Lend{}: ret", f);
    text.line(".cfi_endproc");
  }
  text.line(".section .gcc_except_table,\"a\"\n.Lx: .byte 1");
}

void line_tables(Text& text) {
  const bool version_5 = text.one_in(2);
  if (!text.llvm && !version_5) text.line(".file \"main.c\"");
  if (version_5)
    text.line(".file 0 \"/src\" \"main.c\"{}", text.one_in(2) ? " md5 0x00112233445566778899aabbccddeeff" : "");
  const bool sums = text.out.find("md5") != std::string::npos;
  const unsigned files = 1 + text.below(4);
  for (unsigned f = 1; f <= files; ++f) {
    const auto directory = version_5 ? text.any({"\"/src\" ", "\"/other\" ", ""}) : text.any({"", ""});
    text.line(".file {} {}\"{}{}.c\"{}", f, directory, text.any({"", "in/", "/usr/"}), f,
              sums ? fmt::format(" md5 0xab{:030x}", text.below(1u << 31)) : std::string());
  }
  const bool has_views = !text.llvm && text.one_in(2);
  unsigned views = 0;
  // GNU as needs a row with a view number in the first subsection to count on in the second.
  if (has_views) text.line(".loc 1 1 view .LV{}\nnop", views++);
  const unsigned lines = 5 + text.below(40);
  for (unsigned i = 0; i < lines; ++i) {
    if (text.one_in(8)) {
      text.line("{}", text.any({".text", ".text 1", ".text", ".section .text.b,\"ax\"",
                                ".section .text.c,\"axG\",@progbits,g,comdat"}));
    } else if (text.one_in(2)) {
      code(text, 0);
    } else {
      std::string loc = fmt::format(".loc {} {}", 1 + text.below(files), 1 + text.below(text.one_in(4) ? 3000 : 30));
      if (text.one_in(2)) loc += fmt::format(" {}", text.below(100));
      if (text.one_in(5)) loc += text.any({" prologue_end", " basic_block", " epilogue_begin"});
      if (text.one_in(4)) loc += fmt::format(" is_stmt {}", text.below(2));
      if (text.one_in(6)) loc += fmt::format(" discriminator {}", text.below(200));
      if (text.one_in(9)) loc += fmt::format(" isa {}", text.below(3));
      if (has_views) loc += fmt::format(" view .LV{}", views++);
      text.line("{}", loc);
    }
  }
  text.line(".text\n.Lend0: ret\nf: ret");
  if (views) {
    text.line(".section .debug_v");
    for (unsigned v = 0; v < views; ++v) text.line(".uleb128 .LV{}", v);
  }
}

namespace {

/// An instruction, of any of the shapes that make a difference to where GNU as begins fragments.
std::string_view instruction(Text& text) {
  switch (text.machine) {
    case Machine::arm64: return text.any({"nop", "add x1, x2, x3", "bl f", "b.ne f"});
    case Machine::arm:
      return text.any({"nop", "add r1, r2, r10", "adds r1, r1, #1", "ldr r0, [r1]", "bl f", "movw r1, #3"});
    default: break;
  }
  if (text.one_in(6) && text.machine == Machine::x86_64)
    return text.any({"movabsq $0x123456789abc, %rax", "vaddps %zmm1, %zmm20, %zmm3{%k1}", "movq sym(%rip), %r9",
                     "endbr64", "lock cmpxchg %r8, 8(%r9,%r10,4)", "movq $-1, sym+4(%rip)", "movabs 0x123456789, %al"});
  return text.any({"nop",
                   "ret",
                   "addl $1000, %ebx",
                   "movl %eax, 8(%ecx,%edx,2)",
                   "movups 100(%ecx), %xmm1",
                   "call g",
                   "imul $3, %ebx, %ecx",
                   "addw $300, (%edi)",
                   "fld1",
                   "faddp",
                   "lfence",
                   "pause",
                   "rep stosb",
                   "int3",
                   "vpaddb %ymm1, %ymm2, %ymm3",
                   "shldl $3, %eax, (%ebx)",
                   "testb $1, 3(%esp)",
                   "testl $7, %fs:4",
                   "enter $8, $0",
                   "pshufb %xmm1, %xmm2",
                   "palignr $1, %xmm1, %xmm2",
                   "movb $1, sym",
                   "jecxz .+2",
                   "incl sym(,%eax,8)",
                   "movw $3, %fs:(%ebp)",
                   "cmpl $0, 1000(%ebx)",
                   "setne %cl",
                   "btl $3, %eax",
                   "cpuid",
                   "out %al, $3",
                   "movl $5, %eax",
                   "notl %edi",
                   "fnstcw 4(%esp)",
                   "fstcw 4(%esp)"});
}

}  // namespace

/// Rows with `view -0`, some kilobytes of code with them.
void view_resets(Text& text) {
  const bool is_x86 = text.machine == Machine::x86_64 || text.machine == Machine::i386;
  if (text.machine == Machine::arm) text.line(".syntax unified\n{}", text.any({".thumb", ".thumb", ".arm"}));
  text.line(".file 1 \"a.c\"\n.text\n.loc 1 1\nf: nop");
  const unsigned steps = 500 + text.below(3000), rows = 1 + text.below(8);
  unsigned labels = 0;
  for (unsigned i = 0; i < steps; ++i) {
    if (text.one_in(rows)) text.line(".loc 1 {} view -0", 1 + text.below(1000));
    if (text.one_in(40))
      text.line(".p2align {}", text.any({"1", "2", "3", "4", "4", "4,,10", "5", "6", "8", "3,0", "2,0x1234"}));
    else if (text.one_in(12))
      text.line(".L{}:", labels++);
    else if (is_x86 ? text.one_in(5) : text.one_in(15))
      text.line("{} .L{}", is_x86 ? text.any({"jmp", "jne", "jb", "js"}) : std::string_view("b"),
                text.below(labels + 9));
    else if (text.one_in(900) && text.machine != Machine::arm)
      text.line("{}", text.any({".text 1", ".text", ".section .text.b,\"ax\"", ".skip 8", ".balign 8"}));
    else
      text.line("{}", instruction(text));
  }
  for (unsigned i = 0; i < 9; ++i) text.line(".L{}: nop", labels++);
}

}  // namespace xas::corpus::texts
