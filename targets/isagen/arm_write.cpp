// SPDX-License-Identifier: Apache-2.0
// What the common part of writing ARM's tables (atom_write.h) leaves to it, and tests of the checks.
#include "targets/arm/register_sets.h"
#include "targets/isagen/arm_table.h"
#include "targets/isagen/atom_write.h"
#include "targets/isagen/table_test.h"

namespace xas::isagen::arm {

/// Every rule of `a` must be one of `b`, what it needs be nothing or the same, and both must be for the same suffix,
/// set and place of the condition.
bool Isa::stands_for(const Row& a, const Row& b) {
  constexpr u32 suffix = row_flags | row_flags_outside;
  return !(a.flags & ~b.flags & ~row_checked) && a.set == b.set && (a.condition == 255) == (b.condition == 255) &&
         (a.flags & suffix) == (b.flags & suffix) && (a.features == 0 || a.features == b.features);
}

std::string Isa::row_text(const Form& f, unsigned fields) {
  return fmt::format("{:#x},{},{},{},{},{},{}", f.row.opcode, f.row.flags, fields, f.row.features, f.fields.size(),
                     f.row.set, f.row.condition);
}

std::string Isa::spelling_text(const std::vector<const Form*>& forms, unsigned names) {
  unsigned a32 = 0;
  bool has_s = false;
  for (const Form* f : forms) {
    a32 += f->row.set == set_a32;
    has_s |= (f->row.flags & (row_flags | row_flags_outside)) != 0;
  }
  return fmt::format("{},{},{},{},{}", a32, forms.size() - a32, forms[0]->mnemonic.size(), names, has_s);
}

void check_reachable(Table& table) { check_forms_reachable(table); }

std::string write_header(const Table& table) { return write_atom_header(table, "ARM", xas::arm::register_sets); }

std::string write(const Table& table) { return AtomWriter<Isa>(table).text(); }

int self_test() {
  constexpr TableCase cases[] = {
      {"[a32]\nadd{s} Rd, Rn, Rm | cccc 0000 100S nnnn dddd 00000000mmmm", ""},
      {"[a32]\nadd Rd, Rn=, Rm | cccc 0000 1000 nnnn dddd 00000000mmmm", ""},
      {"[t16]\nadd{S} Ld, Ln, Lm | 0001100 mmm nnn ddd", ""},
      {"feature thumb2\nfeature (llvm)\n[both]\nvadd.f32 DDd, DNn, DMm | 111100100D00nnnndddd1101N0M0mmmm", ""},
      {"add Rd | cccc 0000 1000 0000 dddd 000000000000", "no instruction set"},
      {"[a64]\nadd Rd | cccc 0000 1000 0000 dddd 000000000000", "unknown instruction set"},
      {"[a32]\nadd{s} Rd | cccc 0000 1000 0000 dddd 000000000000", "no 'S'"},
      {"[a32]\nadd Rd | ccc0 0000 1000 0000 dddd 000000000000", "four bits"},
      {"[a32]\nadd Rd | cccc 0000 1000 nnnn dddd 000000000000", "covered by no operand"},
      {"[t16]\nadd Ld | 00011000000000ddd", "17 bits"},
      {"[a32]\nadd Rd, #u:d | cccc 0000 1000 0000 dddd 000000000000", ""},
      {"[a32]\nadd Rd, Rn | cccc 0000 1000 0000 dddd 000000000000", "has no 'n'"},
      {"[a32]\nadd Rd, foo:i | cccc 0000 1000 0000 dddd iiiiiiiiiiii", "unknown operand"},
      {"[a32]\nadd Rd, @foo:i | cccc 0000 1000 0000 dddd iiiiiiiiiiii", "unknown set of names"},
      {"[a32]\nadd Rd | cccc 0000 1000 0000 dddd 000000000000 | | foo", "unknown flag"},
      {"[a32 v9]\nadd Rd | cccc 0000 1000 0000 dddd 000000000000", "unknown feature"},
      {"[a32]\nadd Rd | cccc000010000000dddd000000000000\nadd Gd | cccc000010000000dddd000000000001", "never chosen"},
      {"[a32]\nadd Gd | cccc000010000000dddd000000000000\nadd Rd | cccc000010000000dddd000000000001", ""},
      {"[t32]\nb t32b20:xyz | 11110 x cccc yyyyyy 10000 zzzzzzzzzzz", ""},
      {"feature arm920\nshown arm920 = ARM920T", ""},
      {"shown arm920 = ARM920T", "unknown feature"},
      {"feature (neon)\nfeature cortex-a8\nunit cortex-a8 = (neon)", ""},
      {"feature cortex-a8\nunit cortex-a8 = (neon)", "unknown feature"},
      // Facts.
      {"facts s:nzcv reads:c = adc\n[a32]\nadc{s} Rd, Rn, Rm | cccc 0000 101S nnnn dddd 00000000mmmm", ""},
      {"facts load = ldr\nclash base a32 load gnu:warning llvm:error | t=n | loaded\n[a32]\n"
       "ldr Rt, [Rn]! | cccc 0101 1011 nnnn tttt 000000000000 |  | base", ""},
      {"clash base a32 load gnu:warning | t=n | loaded\n[a32]\n"
       "str Rt, [Rn]! | cccc 0101 1010 nnnn tttt 000000000000 |  | base", "'base' is of no row"},
      {"clash nosp t32 gnu:error | ?=sp | sp\n[t32]\nmul Gd, Gn, Gm | 111110110000nnnn1111dddd0000mmmm |  | nosp:dnm",
       ""},
      {"clash nosp t32 gnu:error | ?=sp | sp\n[t32]\nmul Gd, Gn, Gm | 111110110000nnnn1111dddd0000mmmm |  | nosp",
       "'nosp' needs letters"},
      {"clash same gnu:error | d=n | same\n[t32]\nmul Gd, Gn, Gm | 111110110000nnnn1111dddd0000mmmm |  | same:dn",
       "'same' has no letters"},
      {"clash listed a32 gnu:error | i[n] & !i[pc] | in it\n[a32]\n"
       "ldm Gn!, list:i | cccc 100 01 011 nnnn iiiiiiiiiiiiiiii |  | listed", ""},
      {"[t32]\nvpst | 11111110011100010000111101001101 |  | block:x", "letters t and e"},
  };
  return run_table_cases("arm", cases, read, check_reachable);
}

}  // namespace xas::isagen::arm
