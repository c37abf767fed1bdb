// SPDX-License-Identifier: Apache-2.0
// Intel syntax without %: r16 to r31 and their parts are registers to LLVM. GNU as 2.40 knows nothing of them, and they
// are symbols, which is to say memory; to 2.44 they are registers. The profile of 2.40 takes them as GNU as does
// wherever GNU as would take the statement at all; what is left (three operands, flags left alone, scaled indexes,
// instructions that came later) can only mean registers.
#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

/// Matching without diagnostics: nothing but these is asked of an emitter there.
struct Quiet final : Emitter {
  void advance(unsigned) override {}
  void fixup(FieldFixup, const Value&, const char*) override {}
  void relaxable(u16, const Value&, const char*) override {}
  bool known_constant(const Value&, i64&) override { return false; }
  void error(const char*, std::string) override {}
  void warning(const char*, std::string) override {}
  void note(const char*, std::string) override {}
};

/// Instructions that came after GNU as 2.40.
bool is_later(const Row& row) {
  if (row.encoding == encoding_evex && row.map == map_4) return true;
  constexpr std::string_view later[] = {"apx",   "avx10.2", "avxvnniint16", "sha512",    "sm3",
                                        "sm4",   "usermsr", "msrimm",       "movrs",     "lkgs",
                                        "fred",  "amx-fp8", "amx-tf32",     "amx-movrs", "amx-avx512",
                                        "amx-complex"};
  const FeatureSet& set = x86_feature_sets[row.features];
  for (unsigned f = 0; f < std::size(x86_feature_names); ++f)
    if (set.word[f / 64] >> (f % 64) & 1)
      for (std::string_view name : later)
        if (x86_feature_names[f] == name) return true;
  return false;
}

}  // namespace

/// The line has a word that may be such a name.
bool names_egprs(const char* p) {
  char before = ' ';
  for (; *p && *p != '\n'; before = *p++)
    if ((*p | 0x20) == 'r' && u8(p[1] - '1') <= 2 && text::is_digit(p[2]) && !text::is_name_char(before) &&
        before != '%')
      return true;
  return false;
}

/// `s` was read with these names as registers: GNU as would take it with symbols in their places.
bool X86Target::takes_egprs_as_symbols(const Spelling& spelling, const Statement& s, const IntelFacts& facts) {
  if (s.prefixes & (want_nf | want_rex2) || s.deco & deco_dfv) return false;
  Statement t = s;
  t.prefixes &= ~u32(uses_egpr);
  unsigned in_memory = 0;
  for (unsigned i = 0; i < t.count; ++i) {
    Operand& o = t.ops[i];
    if (o.is_memory && o.has_index && o.index >= 16 && o.scale && !o.vector_index) return false;
    if (is_egpr(o)) {
      static_cast<OperandFacts&>(o) = {};
      o.space = space_other;
      o.is_memory = o.symbolic = true;
      o.value = {};
      o.classes = bare_classes;
    }
    if (!o.is_memory) continue;
    t.memory = int(i);
    ++in_memory;
  }
  if (in_memory > 1) return false;
  Quiet quiet;
  const Row* row = match_intel(spelling, t, facts.sized, facts.memory_bytes, quiet);
  return row && !is_later(*row);
}

}  // namespace xas::x86
