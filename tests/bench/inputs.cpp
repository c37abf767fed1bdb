// SPDX-License-Identifier: Apache-2.0
// See inputs.h. All of them are taken by GNU as and by llvm-mc alike.
#include "inputs.h"

#include <fmt/format.h>

#include <iterator>

namespace bench {
namespace {

using Text = fmt::memory_buffer;

int scaled(double scale, int full) { return static_cast<int>(full * scale) + 1; }

template <typename... Values>
void line(Text& text, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(text), format, std::forward<Values>(values)...);
}

std::string one_line(double) { return "nop\n"; }

/// Six megabytes of lines like ".byte 17".
std::string bytes(double scale) {
  Text text;
  line(text, ".data\n");
  for (int i = 0; i < scaled(scale, 600'000); ++i) line(text, ".byte {}\n", 100 + i % 156);
  return fmt::to_string(text);
}

std::string sections(double scale) {
  Text text;
  for (int i = 0; i < scaled(scale, 100'000); ++i) line(text, ".section .text.f{0},\"ax\",@progbits\nf{0}:\nret\n", i);
  return fmt::to_string(text);
}

/// Forward branches, each of which grows only because the ones in it do.
std::string branches(double scale) {
  Text text;
  int count = scaled(scale, 50'000);
  for (int i = 0; i < count; ++i) line(text, ".L{}:\njne .L{}\n.skip 2\n", i, i + 31);
  for (int i = count; i < count + 31; ++i) line(text, ".L{}:\n.skip 4\n", i);
  return fmt::to_string(text);
}

std::string line_numbers(double scale) {
  Text text;
  line(text, ".file 1 \"bench.c\"\n.text\nmain:\n");
  for (int i = 0; i < scaled(scale, 100'000); ++i) line(text, ".loc 1 {} {}\nmovl $1, %eax\n", 1 + i % 5000, i % 60);
  return fmt::to_string(text);
}

std::string alignments(double scale) {
  Text text;
  for (int i = 0; i < scaled(scale, 60'000); ++i) line(text, "ret\n.p2align {}\n", 2 + i % 4);
  return fmt::to_string(text);
}

std::string symbols(double scale) {
  Text text;
  line(text, ".data\n");
  for (int i = 0; i < scaled(scale, 100'000); ++i)
    line(text, ".globl a_name_of_some_length_{0}\na_name_of_some_length_{0}:\n.quad another_one_{0}\n", i);
  return fmt::to_string(text);
}

std::string unwinding(double scale) {
  Text text;
  for (int i = 0; i < scaled(scale, 50'000); ++i) {
    line(text,
         ".cfi_startproc\npushq %rbp\n.cfi_def_cfa_offset 16\n.cfi_offset 6, -16\npopq %rbp\n.cfi_def_cfa 7, "
         "8\nret\n.cfi_endproc\n");
  }
  return fmt::to_string(text);
}

/// Macros that call macros, ten deep, with arguments that are handed down.
std::string macros(double scale) {
  Text text;
  line(text, ".macro m0 a b\n.byte \\a, \\b\n.endm\n");
  for (int i = 1; i < 10; ++i) line(text, ".macro m{} a b\nm{} \\b, \\a\n.endm\n", i, i - 1);
  for (int i = 0; i < scaled(scale, 20'000); ++i) line(text, "m9 {}, {}\n", i % 200, i % 100);
  return fmt::to_string(text);
}

/// Conditionals one in the other, with what they leave out, and one after the other.
std::string conditionals(double scale) {
  Text text;
  const int count = scaled(scale, 50'000);
  for (int i = 0; i < count; ++i) line(text, ".if {} > {}\n.byte 1\n.else\n.byte 2\n.endif\n", i % 7, i % 5);
  for (int i = 0; i < count; ++i) line(text, ".if 1\n");
  line(text, ".byte 3\n");
  for (int i = 0; i < count; ++i) line(text, ".else\n.byte 4\n.endif\n");
  return fmt::to_string(text);
}

/// Numbers in a hundred parentheses, and symbols that each stand for the one before.
std::string expressions(double scale) {
  Text text;
  const std::string open(100, '('), close(100, ')');
  for (int i = 0; i < scaled(scale, 10'000); ++i) line(text, ".long {}{}{} + (1 << 3) * {}\n", open, i, close, i % 11);
  line(text, "s0 = 0\n");
  for (int i = 1; i < scaled(scale, 50'000); ++i) line(text, "s{0} = s{1} + 1\n.long s{0}\n", i, i - 1);
  return fmt::to_string(text);
}

/// Loops in loops, with rounds that are alike and rounds that are not.
std::string loops(double scale) {
  Text text;
  line(text, ".rept {}\n.rept 10\n.byte 1\n.endr\n.irp x, 1, 2, 3\n.byte \\x\n.endr\n.endr\n", scaled(scale, 30'000));
  return fmt::to_string(text);
}

}  // namespace

const std::vector<Synthetic>& synthetic_inputs() {
  static const std::vector<Synthetic> inputs = {
      {"one line", one_line},         {"600,000 .byte", bytes},        {"100,000 sections", sections},
      {"50,000 growing jumps", branches}, {"100,000 .loc", line_numbers},  {"60,000 .p2align", alignments},
      {"200,000 symbols", symbols},   {"50,000 frames", unwinding},
      {"200,000 macro calls", macros}, {"100,000 .if", conditionals}, {"deep expressions", expressions},
      {"400,000 rounds", loops},
  };
  return inputs;
}

}  // namespace bench
