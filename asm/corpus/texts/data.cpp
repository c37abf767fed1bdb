// SPDX-License-Identifier: Apache-2.0
// Strings, numbers of every width and spelling, and fields that .reloc marks.

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

std::string characters(Text& text) {
  std::string out;
  for (unsigned n = text.below(9); n; --n) {
    switch (text.below(8)) {
      case 0: out += text.any({"\\n", "\\t", "\\b", "\\f", "\\r", "\\\\", "\\\""}); break;
      case 1: out += fmt::format("\\{:o}", text.below(32)) + "x"; break;
      case 2: out += fmt::format("\\{:03o}", text.below(256)); break;
      case 3:
        if (!text.llvm) out += fmt::format("\\x{:x}", text.below(4096));
        break;
      case 4: out += text.any({"#", ";", "/*", "//", "'", "%", "&", "!", "<>", ",", " ", "  ", "\t", "@", "|"}); break;
      case 5: out += text.any({"\xc3\xa9", "7", "8"}); break;
      default: out += char('A' + text.below(58)) == '\\' ? 'z' : char('A' + text.below(26)); break;
    }
  }
  return out;
}

void strings(Text& text) {
  const auto directive =
      text.llvm ? text.any({".ascii", ".asciz", ".string"})
                : text.any({".ascii", ".asciz", ".string", ".string8", ".string16", ".string32", ".string64"});
  std::string line = fmt::format("{} \"{}\"", directive, characters(text));
  for (unsigned n = text.below(3); n; --n)
    line += fmt::format("{}\"{}\"", text.llvm ? text.any({",", ", "}) : text.any({",", ", ", " , ", " "}),
                        characters(text));
  text.line("{}{}", line, text.any({"", "", " # comment", " /* comment */"}));
}

std::string digits(Text& text, unsigned max, std::string_view from) {
  std::string out;
  for (unsigned n = 1 + text.below(max); n; --n) out += from[text.below(unsigned(from.size()))];
  return out;
}

std::string integer(Text& text, unsigned bits) {
  std::string out(text.one_in(5) ? text.any({"-", "~", "- ", "+", "--"}) : "");
  switch (text.below(6)) {
    case 0: return out + "0x" + digits(text, bits / 4, "0123456789abcdefABCDEF");
    case 1: return out + "0" + digits(text, bits / 3, "01234567");
    case 2: return out + "0b" + digits(text, bits, "01");
    case 3: return out + fmt::format("'{}{}", char('a' + text.below(26)), text.llvm || text.one_in(2) ? "'" : "");
    default: return out + "1" + digits(text, bits / 4, "0123456789");
  }
}

void integers(Text& text) {
  struct Kind {
    const char* name;
    unsigned bits;
  };
  static constexpr Kind kinds[] = {{".byte", 8},   {".short", 16}, {".word", 16},  {".value", 16}, {".2byte", 16},
                                   {".int", 32},   {".long", 32},  {".4byte", 32}, {".quad", 64},  {".8byte", 64},
                                   {".octa", 128}, {".dc.b", 8},   {".dc.w", 16},  {".dc.l", 32}};
  const Kind& kind = kinds[text.below(std::size(kinds))];
  const bool wide = kind.bits > 64;
  std::string line = fmt::format("{} ", kind.name);
  for (unsigned n = 1 + text.below(4); n; --n) {
    // A sign before what has more than 64 bits is another matter in each of them.
    line += wide ? "0x" + digits(text, 32, "0123456789abcdef") : integer(text, kind.bits - 1);
    if (n > 1) line += text.any({",", ", ", " ,"});
  }
  text.line("{}", line);
}

/// `digits_before` of them before the point, and exponents below `exponents`.
std::string real(Text& text, unsigned digits_before, unsigned exponents) {
  std::string out(text.any({"", "", "-", "+"}));
  if (text.one_in(12)) return out + std::string(text.any({"inf", "nan", "infinity"}));
  if (!text.llvm && text.one_in(6)) out += "0";
  out += "1" + digits(text, digits_before, "0123456789");
  if (text.llvm || !text.one_in(4)) out += "." + digits(text, 24, "0123456789");
  if (text.one_in(2)) out += fmt::format("{}{}", text.any({"e", "E", "e+"}), text.below(exponents));
  else if (text.one_in(2)) out += fmt::format("e-{}", text.below(exponents));
  return out;
}

void reals(Text& text) {
  std::string_view directive = text.any({".float", ".double", ".single", ".dc.s", ".dc.d"});
  if (!text.llvm && text.one_in(2)) directive = text.any({".tfloat", ".hfloat", ".bfloat16", ".dc.x"});
  const bool tiny = directive == ".hfloat";
  const bool wide = directive == ".double" || directive == ".dc.d" || directive == ".tfloat" || directive == ".dc.x";
  const unsigned before = tiny ? 2 : wide ? 24 : 8, exponents = tiny ? 2 : wide ? 250 : 28;
  std::string line = fmt::format("{} {}", directive, real(text, before, exponents));
  for (unsigned n = text.below(3); n; --n) line += ", " + real(text, before, exponents);
  text.line("{}", line);
}

void filling(Text& text) {
  switch (text.below(7)) {
    case 0: return text.line(".fill {}, {}, {}", text.below(6), text.below(9), integer(text, 31));
    case 1: return text.line(".fill {}{}", text.below(6), text.any({"", ", 2", ",4"}));
    case 2: return text.line(".{} {}, {}", text.any({"skip", "space", "zero"}), text.below(20), text.below(256));
    case 3: return text.line(".dcb.{} {}, {}", text.any({"b", "w", "l"}), text.below(6), text.below(120));
    case 4: return text.line(".ds.{} {}", text.any({"b", "w", "l", "d", "s"}), text.below(6));
    case 5: return text.line("{} {}", text.any({".uleb128", ".sleb128"}), integer(text, 62));
    default: return text.line(".p2align {}, {}", text.below(6), text.below(250));
  }
}

}  // namespace

void data(Text& text) {
  text.line(".data");
  for (unsigned lines = 5 + text.below(30); lines; --lines) {
    switch (text.below(4)) {
      case 0: strings(text); break;
      case 1: integers(text); break;
      case 2: reals(text); break;
      default: filling(text); break;
    }
  }
}

void relocations(Text& text) {
  const unsigned labels = 8;
  unsigned next = 0;
  const auto target = [&] {
    std::string out(text.any({"u", "g", "l", ".L"}));
    if (out != "u" && out != "g") out += fmt::format("{}", text.below(labels));
    if (text.one_in(3)) out += fmt::format("{:+}", int(text.below(40)) - 41);
    return out;
  };
  // Both look at the pieces that contents are in: GNU as refuses what is in another one, llvm-mc orders by them.
  const auto place = [&]() -> std::string {
    if (text.llvm || text.one_in(2)) return ".";
    return fmt::format("l{}", next ? text.below(next) : 0);
  };
  text.line(".globl g\n.text\nl0: .quad 0, 0, 0\n.L0:");
  next = 1;
  while (next < labels) {
    switch (text.below(9)) {
      case 0: text.line("l{}: .quad 0\n.L{}:", next, next), ++next; break;
      case 1:  // jumps end pieces of llvm-mc
        text.line("{} {}", text.llvm ? "call" : text.any({"call", "jmp", "jne"}), target());
        break;
      case 2: text.line(".long {}", target()); break;
      case 3:
        if (!text.llvm) text.line(".p2align {}", 1 + text.below(4));
        break;
      case 4:
        if (!text.llvm) text.line(".subsection {}", text.below(3));
        break;
      default: {
        const std::string_view type =
            text.any({"R_X86_64_NONE", "R_X86_64_32", "R_X86_64_64", "R_X86_64_PC32", "R_X86_64_16", "R_X86_64_8",
                      "BFD_RELOC_NONE", "BFD_RELOC_32", "BFD_RELOC_64", "R_X86_64_PLT32"});
        text.line(".reloc {}, {}{}\n.quad 0", place(), type, text.one_in(6) ? "" : ", " + target());
      }
    }
  }
  text.line(".text\ng: .skip 20");
}

}  // namespace xas::corpus::texts
