// SPDX-License-Identifier: Apache-2.0
// What people write by hand: conditionals in all spellings, .altmacro, and programs whose lines -g has to number.

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

std::string condition(Text& text) {
  const auto word = [&] { return text.any({"a", "b", "v1", "A", "a b", ""}); };
  const auto known = [&] { return fmt::format("k{}", text.below(4)); };
  const auto value = [&] {
    return fmt::format("k{}{}{}", text.below(3), text.any({"-", "+", "*", "&"}), text.below(3));
  };
  switch (text.below(10)) {
    case 0: return fmt::format("{} {}", text.any({".ifdef", ".ifndef", ".ifnotdef"}), known());
    case 1: return fmt::format("{} {}{}{}", text.any({".ifc", ".ifnc"}), word(), text.any({",", ", ", " ,"}), word());
    case 2:
      return fmt::format("{} \"{}\"{}\"{}\"", text.any({".ifeqs", ".ifnes"}), word(), text.any({",", ", "}), word());
    case 3: return fmt::format("{} {}", text.any({".ifb", ".ifnb"}), word());
    case 4:
      return fmt::format(".if k{} {} {}", text.below(3), text.any({"==", "<", ">=", "!=", "&&", "||"}), text.below(3));
    case 5: return fmt::format(".if . - start {} {}", text.any({"<", ">"}), text.below(60));
    default:
      return fmt::format("{} {}", text.any({".if", ".ifeq", ".ifne", ".ifge", ".ifgt", ".ifle", ".iflt"}), value());
  }
}

void lines_of_data(Text& text, unsigned& number) {
  for (unsigned n = 1 + text.below(3); n; --n) text.line(".byte {}", number++ % 250);
}

/// What stands in a branch that may be skipped, where nothing but conditionals counts.
void skipped_or_not(Text& text, bool certainly_skipped) {
  if (certainly_skipped)
    return text.line("{}", text.any({"nonsense (", ".if", ".ascii \"open", ".ifdef", "# .endif", "/* .endif */ x y",
                                     ".macro", ".byte 'a", "\"s.endif\"", "x = = y"}));
  text.line("{}", text.any({"", "# comment .endif", ".ascii \".endif\"", ".byte '#'", "/* .else */"}));
}

void conditional(Text& text, unsigned depth, unsigned& number) {
  const bool never = text.one_in(6);
  text.line("{}", never ? ".if 0" : condition(text));
  skipped_or_not(text, false);
  if (never) {
    std::string_view opener = text.any({".ifdef x", ".if 1", ".ifc a, b", ".ifnes \"a\", \"b\""});
    text.line("nonsense (\n{}\n.byte 99\n.else\n.endif", opener);
  }
  lines_of_data(text, number);
  if (depth && text.one_in(2)) conditional(text, depth - 1, number);
  for (unsigned n = text.below(3); n; --n) {
    text.line(".elseif k{} {} {}", text.below(3), text.any({"==", "<"}), text.below(3));
    lines_of_data(text, number);
    if (depth && text.one_in(3)) conditional(text, depth - 1, number);
  }
  if (text.one_in(2)) {
    text.line(".else");
    lines_of_data(text, number);
  }
  text.line(".endif{}", text.any({"", " # x", "; .byte 7"}));
  if (text.one_in(4)) text.line("k{} = {}", text.below(3), text.below(3));
}

}  // namespace

void conditionals(Text& text) {
  unsigned number = 0;
  text.line(".data\nstart:\nk0=0; k1=1\nk2 = 2");
  for (unsigned n = 3 + text.below(8); n; --n) conditional(text, 3, number);
}

namespace {

std::string alternate_argument(Text& text) {
  switch (text.below(8)) {
    case 0: return fmt::format("<{}, {}>", text.below(9), text.below(9));
    case 1: return fmt::format("%({}+{}*2)", text.below(9), text.below(9));
    case 2: return fmt::format("%k{}", text.below(3));
    case 3: return std::string(text.any({"<a!>b>", "<a b>", "<x!!y>"}));
    case 4: return fmt::format("\"s{}\"", text.below(9));
    default: return fmt::format("{}", text.below(100));
  }
}

void alternate_line(Text& text, unsigned depth) {
  switch (text.below(depth ? 9 : 6)) {
    case 0: return text.line(".ascii \"{} {} {}\"", text.any({"a", "\\a", "&a", "x&a&y", "a&&b"}), "\\b", "\\()");
    case 1: return text.line(".byte {}", text.below(100));
    case 2:  // llvm-mc has no LOCAL
      if (text.llvm) return text.line(".ascii \"\\@\"");
      return text.line("here: .byte . - here");
    case 3: return text.line(".irp i, a, 1, b\n.ascii \"<\\i>\"\n.endr");
    case 4: return text.line(".ascii \"\\@\"");
    case 5: return text.line(".irpc c, a12\n.ascii \"c&c \\c\"\n.endr");
    case 6: return text.line("inner {}", text.any({"a", "b", "%k1+2", "<1>", "\\a"}));
    case 7:
      text.line(".rept {}", text.below(3));
      alternate_line(text, depth - 1);
      return text.line(".endr");
    default: return text.line(".ifb b\n.byte 1\n.else\n.byte 2\n.endif");
  }
}

}  // namespace

void alternate_macros(Text& text) {
  text.line(".data\n.altmacro\nk0=3\nk1=5\nk2=k0*k1\n.macro inner v{}.ascii \"v \\v &v\"\n.endm",
            text.llvm ? "\n" : "\n LOCAL here\nhere: ");
  const unsigned count = 1 + text.below(3);
  for (unsigned m = 0; m < count; ++m) {
    text.line(".macro m{} {}", m,
              text.any({"a, b", "a b", "a=1, b", "a, b:vararg", text.llvm ? "a:req, b" : "a:req, b=<x y>"}));
    if (!text.llvm && text.one_in(2)) text.line(" LOCAL here, other\nother:");
    else text.line(".set {}, .", text.llvm ? "place" : "here");
    for (unsigned n = 1 + text.below(5); n; --n) alternate_line(text, 1);
    text.line(".endm");
  }
  for (unsigned n = 2 + text.below(7); n; --n) {
    if (text.one_in(9)) text.line("{}", text.any({".noaltmacro", ".altmacro"}));
    text.line("m{} {}{} {}", text.below(count), alternate_argument(text), text.any({",", ", ", " "}),
              alternate_argument(text));
  }
}

namespace {

void code_line(Text& text, unsigned& label) {
  switch (text.below(9)) {
    case 0: return text.line("f{}: nop", label++);
    case 1: return text.line("f{}:\n\n# comment\n push %rax; pop %rax", label++);
    case 2: return text.line("/* a comment\n of lines */ ret");
    case 3: return text.line("");
    case 4: return text.line("jmp f0");
    case 5: return text.line("two {}", text.below(9));
    case 6: return text.line(".byte {}", text.below(9));
    case 7: return text.line(".p2align {}", text.below(5));
    default: return text.line("mov ${}, %eax", text.below(99));
  }
}

}  // namespace

void numbered_lines(Text& text) {
  unsigned label = 1;
  text.line(".macro two a\n mov $\\a, %ecx\n\n nop\n.endm");
  text.line(".macro outer a\n nop\n two \\a\n.rept 2\n inc %eax\n dec %eax\n.endr\n.endm\nf0:");
  for (unsigned n = 5 + text.below(20); n; --n) {
    switch (text.below(12)) {
      case 0:
        text.line("{}", text.any({".text", ".section .text.b,\"ax\"", ".data", ".section .init,\"ax\"", ".text 1"}));
        break;
      case 1: text.line("outer {}", text.below(9)); break;
      case 2:
        text.line(".rept {}", text.below(4));
        for (unsigned k = 1 + text.below(3); k; --k) text.line("{}", text.any({"nop", "inc %eax", "", "two 3"}));
        text.line(".endr");
        break;
      case 3: text.line(".irp r, eax, ebx\n xor %\\r, %\\r\n\n push %rdx\n.endr"); break;
      case 4:
        if (text.one_in(2)) text.line("# {} \"file{}.c\"", 1 + text.below(50), text.below(3));
        break;
      case 5:
        if (text.one_in(3)) text.line(".if {}\nnop\n.else\nhlt\n.endif", text.below(2));
        break;
      default: code_line(text, label);
    }
  }
}

}  // namespace xas::corpus::texts
