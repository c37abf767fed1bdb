// SPDX-License-Identifier: Apache-2.0
// The language itself: sizes that are known late, expressions, macros, loops and conditionals.
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {

void layout(Text& text) {
  const unsigned labels = 4 + text.below(20);
  const bool numbers = text.one_in(2);
  const auto label = [&] { return text.below(labels); };
  for (unsigned i = 0; i < labels; ++i) {
    text.line(".L{}:", i);
    const unsigned pieces = text.below(5);
    for (unsigned p = 0; p < pieces; ++p) {
      switch (text.below(10)) {
        case 0:
        case 1:  // what alignments do to numbers and branches together is a matter of the passes' order
          if (!numbers) text.line("{} .L{}", text.any({"jmp", "jg"}), label());
          break;
        case 2: text.line(".p2align {}{}", 1 + text.below(5), text.any({"", "", ",,7", ",0xcc", ",,3"})); break;
        case 3: text.line(".skip {}", text.any({"1", "20", "60", "90", "118", "120"})); break;
        case 4:
          if (numbers) text.line(".uleb128 .L{}-.L{}", labels - 1, i);
          break;
        case 5:
          if (numbers) text.line(".sleb128 .L{}-.L{}", i, labels - 1);
          break;
        case 6: text.line(".long .L{}-.L{}", label(), label()); break;
        case 7: text.line(".fill {}, {}, 0x90", text.below(9), 1 + text.below(4)); break;
        case 8: text.line(".balign {}", text.any({"8", "16", "32"})); break;
        default: text.line("nop"); break;
      }
    }
  }
  text.line(".skip (.L1-.L0)&7\n.Lto: .org .Lto+{}\nret", 100 + text.below(100));
}

namespace {

std::string number(Text& text) {
  switch (text.below(7)) {
    case 0: return fmt::format("0x{:x}", text.below(1u << 30));
    case 1: return fmt::format("0{:o}", text.below(5000));
    case 2: return fmt::format("0b{:b}", text.below(500));
    case 3: return fmt::format("'{}'", char('A' + text.below(26)));
    case 4: return fmt::format("k{}", text.below(4));
    case 5: return fmt::format("(.Lb-.La{:+})", int(text.below(9)) - 4);
    default: return fmt::format("{}", text.below(100));
  }
}

std::string expression(Text& text, unsigned depth) {
  if (depth == 0 || text.one_in(5)) return number(text);
  switch (text.below(9)) {
    case 0: return fmt::format("-{}", expression(text, depth - 1));
    case 1: return fmt::format("~{}", expression(text, depth - 1));
    case 2: return fmt::format("({})", expression(text, depth - 1));
    case 3: return fmt::format("({})/{}", expression(text, depth - 1), 1 + text.below(20));
    case 4: return fmt::format("({})%{}", expression(text, depth - 1), 1 + text.below(20));
    case 5: return fmt::format("({}){}{}", expression(text, depth - 1), text.any({"<<", ">>"}), text.below(20));
    default:
      return fmt::format(
          "{}{}{}", expression(text, depth - 1),
          text.any({"+", "-", "*", "&", "|", "^", "+", " - ", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "<>"}),
          expression(text, depth - 1));
  }
}

}  // namespace

void expressions(Text& text) {
  text.line(".data");
  for (unsigned k = 0; k < 4; ++k) text.line("k{} = {}", k, text.below(1000));
  text.line(".La: .skip {}\n.Lb:", text.below(200));
  const unsigned lines = 5 + text.below(25);
  for (unsigned i = 0; i < lines; ++i) {
    const std::string value = expression(text, 1 + text.below(4));
    switch (text.below(7)) {
      case 0: text.line(".if {}\n.byte {}\n.else\n.byte {}\n.endif", value, i, i + 100); break;
      case 1: text.line(".set k{}, {}", text.below(4), value); break;
      case 2: text.line(".quad late+{}", number(text)); break;
      case 3: text.line(".skip ({})&15, {}", value, text.below(200)); break;
      case 4:  // GNU as takes a calculated operand of .sleb128 for one without a sign
        text.line(".uleb128 {}", value);
        text.line(".sleb128 {}", text.llvm ? value : fmt::format("-{}", text.below(100000)));
        break;
      case 5: text.line(".byte ({})&255", value); break;
      default: text.line(".quad {}", value); break;
    }
  }
  text.line(".set late, .+{}\nlatest = late-.Lb", text.below(50));
}

namespace {

std::string argument(Text& text) {
  switch (text.below(8)) {
    case 0: return "\"a b, c\"";
    case 1: return fmt::format("{} + {}", text.below(9), text.below(9));
    case 2: return fmt::format("({})", text.below(9));
    case 3: return "%eax";
    case 4: return text.llvm ? "x" : "";
    case 5: return "$5";
    default: return fmt::format("v{}", text.below(5));
  }
}

/// What can be used where a line stands.
using Names = std::vector<std::string>;

void body(Text& text, unsigned depth, const Names& names, std::string inner = "\\()");

/// One statement. Its strings show how arguments were taken apart.
void statement(Text& text, unsigned depth, const Names& names) {
  const auto use = [&]() -> const std::string& { return names[text.below(unsigned(names.size()))]; };
  switch (text.below(depth ? 10 : 5)) {
    case 0: return text.line(".asciz \"<{}>\"", use());
    case 1:
      return text.line(".ascii \"{}{}{}\"", text.any({"", "\\\\n", "x"}), use(),
                       text.llvm ? text.any({"", " y", "-1"}) : text.any({"", "\\()y", "\\()1"}));
    case 2: return text.line(".byte {}", text.below(100));
    case 3: return text.line(".ifc \"{}\", \"v1\"\n.byte 1\n.else\n.byte 2\n.endif", use());
    case 4: return text.line("{} {}\n.byte 3\n.endif", text.any({".ifb", ".ifnb"}), use());
    case 5:
      text.line(".rept {}", text.below(4));
      body(text, depth - 1, names);
      return text.line(".endr");
    case 6:
      text.line(".irp i{}, {}, {}, {}", depth, argument(text), use(), text.below(100));
      body(text, depth - 1, names, fmt::format("\\i{}", depth));
      return text.line(".endr");
    case 7:
      text.line(".irpc c{}, {}", depth, text.any({"abc", "12", "xy"}));
      body(text, depth - 1, names, fmt::format("\\c{}", depth));
      return text.line(".endr");
    case 8: return text.line(".if {}\n.exitm\n.endif", text.below(2));
    default: return text.line("m{} {}", depth + text.below(2) + 7, text.below(9));
  }
}

/// `inner` is the name that the loop around it gives, if it is one.
void body(Text& text, unsigned depth, const Names& names, std::string inner) {
  Names all = names;
  all.push_back(std::move(inner));
  const unsigned lines = 1 + text.below(3);
  for (unsigned i = 0; i < lines; ++i) statement(text, depth, all);
}

}  // namespace

void macros(Text& text) {
  text.line(".data");
  // Names that are called from within others take one argument and call nothing.
  for (unsigned m = 7; m <= 11; ++m) text.line(".macro m{} only\n.asciz \"{}\\only\"\n.endm", m, m);
  const unsigned count = 1 + text.below(3);
  for (unsigned m = 0; m < count; ++m) {
    text.line(".macro m{} {}", m,
              text.any({"a, b=7, c", "a b c", "a:req, b=v1, c:vararg", "a=2,b,c=\"q r\"", "a, b, c:vararg"}));
    body(text, 2, {"\\a", "\\b", "\\c", "\\a\\()\\b", "\\a\\b", "\\@"}, text.llvm ? "\\()" : "\\nothing");
    text.line(".endm");
  }
  const unsigned calls = 2 + text.below(8);
  for (unsigned i = 0; i < calls; ++i) {
    const unsigned m = text.below(count);
    if (text.one_in(4)) text.line("m{} {}, c={}", m, argument(text).empty() ? "1" : "2", text.below(9));
    else
      text.line("m{} v0{} {}{} {}", m, text.any({",", " ", ","}), argument(text), text.any({",", ","}), argument(text));
  }
  if (text.one_in(2)) text.line(".purgem m0\n.macro m0\n.byte 9\n.endm\nm0");
}

}  // namespace xas::corpus::texts
