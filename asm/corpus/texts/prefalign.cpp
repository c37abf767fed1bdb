// SPDX-License-Identifier: Apache-2.0
// .prefalign among code, data, branches and alignments, several to one end, ends before them too. LEB128 numbers of
// distances are left out: docs/differences.md.
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

constexpr unsigned max_labels = 7;

std::string_view instruction(Text& text, bool thumb) {
  switch (text.machine) {
    case Machine::x86_64: return text.any({"nop", "ret", "movl $1, %eax", "leaq 8(%rsp), %rdi", "call external"});
    case Machine::i386: return text.any({"nop", "ret", "movl $1, %eax", "int3"});
    case Machine::arm64: return text.any({"nop", "ret", "add x0, x0, 1"});
    case Machine::arm: break;
  }
  return thumb ? text.any({"nop", "bx lr", "adds r0, r0, 1", "add.w r0, r1, r2"})
               : text.any({"nop", "bx lr", "add r0, r0, 1"});
}

std::string_view branch(Text& text) {
  switch (text.machine) {
    case Machine::x86_64:
    case Machine::i386: return text.any({"jmp", "jne"});
    case Machine::arm64: return text.any({"b", "b.ne", "bl"});
    case Machine::arm: break;
  }
  return text.any({"b", "bne"});
}

}  // namespace

void preferred_alignments(Text& text) {
  const bool x86 = text.machine == Machine::x86_64 || text.machine == Machine::i386;
  const std::string_view section =
      text.any({".text", ".text", ".text", ".text", ".data", ".section .rodata, \"a\"", ".bss"});
  const bool code = section == ".text", nobits = section == ".bss";
  const bool thumb = text.machine == Machine::arm && text.one_in(2);
  text.line("{}", section);
  if (text.machine == Machine::arm) text.line("{}", thumb ? ".thumb" : ".arm");
  const unsigned labels = 2 + text.below(max_labels - 1);
  const auto label = [&] { return fmt::format(".L{}", text.below(labels)); };
  const auto statement = [&] {
    const unsigned kind = text.below(100);
    if (kind < 27) {
      const unsigned log2 = text.one_in(12) ? 12 + text.below(52) : text.below(10);
      const std::string_view fill = nobits ? "0" : text.any({"nop", "nop", "nop", "0xcc", "0", "255"});
      return text.line(".prefalign {}, {}, {}", log2, label(), fill);
    }
    if (kind < 38) {
      const std::string_view fill = nobits || text.one_in(2) ? "" : text.any({", 0xab", ",, 7", ",, 3"});
      return text.line(".p2align {}{}", 1 + text.below(5), fill);
    }
    if (kind < 65 && code) return text.line("{} {}", branch(text), label());
    if (code && (kind < 85 || !x86)) return text.line("{}", instruction(text, thumb));
    if (nobits || kind < 94) return text.line(".zero {}", 1 + text.below(text.one_in(3) ? 130 : 16));
    text.line(".byte {}, {}", 1 + text.below(255), 1 + text.below(255));
  };
  const unsigned statements = 6 + text.below(18);
  std::vector<unsigned> before(labels);  // how many statements stand before each label
  for (unsigned& place : before) place = text.below(statements + 1);
  for (unsigned i = 0; i <= statements; ++i) {
    for (unsigned n = 0; n < labels; ++n)
      if (before[n] == i) text.line(".L{}:", n);
    if (i < statements) statement();
  }
}

}  // namespace xas::corpus::texts
