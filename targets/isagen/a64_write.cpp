// SPDX-License-Identifier: Apache-2.0
// What the common part of writing A64's tables (atom_write.h) leaves to it, and tests of the checks.
#include "targets/aarch64/register_sets.h"
#include "targets/isagen/a64_table.h"
#include "targets/isagen/atom_write.h"
#include "targets/isagen/table_test.h"

namespace xas::isagen::a64 {

using namespace aarch64;

bool Isa::stands_for(const Row& a, const Row& b) {
  const u8 profiles = row_gnu | row_llvm;
  return !(a.flags & profiles) || (a.flags & profiles) == (b.flags & profiles);
}

std::string Isa::row_text(const Form& f, unsigned fields) {
  return fmt::format("{:#x},{},{},{},{},{},0", f.row.opcode, fields, f.fields.size(), f.row.flags, f.row.features,
                     f.row.prefix);
}

std::string Isa::spelling_text(const std::vector<const Form*>& forms, unsigned names) {
  return fmt::format("{},{},{}", forms.size(), forms[0]->mnemonic.size(), names);
}

void check_reachable(Table& table) { check_forms_reachable(table); }

std::string write_header(const Table& table) { return write_atom_header(table, "A64", register_sets); }

std::string write(const Table& table) { return AtomWriter<Isa>(table).text(); }

int self_test() {
  constexpr TableCase cases[] = {
      {"add Xd, Xn, Xm | 10001011000mmmmm000000nnnnnddddd", ""},
      {"add Xd, Xn | 1000101100000000000000nnnnnddddd | | TR=a/W:0", "family 'TR' is not used"},
      {"fadd Vd.%T, Vn.%T | 0T00111000100000110101nnnnnddddd | | T=8b:0,16b:1", ""},
      {"add Xd, \\\n  Xn | 1000101100000000000000nnnnnddddd ; comment", ""},
      {"add Xd, Xn | 1000101100000000000000nnnnnddddd | nothing", "unknown feature"},
      {"add Xd | 1000101100000000000000nnnnnddddd", "covered by no operand"},
      {"add Xd, Xn | 10001011000000000000000000nddddd", ""},
      {"add Xd, Xn | 100010110000000000000000000ddddd", "has no 'n'"},
      {"add Xd, #u:d0 | 100010110000000000000000000ddddd", "two operands in"},
      {"add Xd | 10001011000000000000000000ddddd", "31 bits"},
      {"add Xd | d00010110000000000000000000ddddd", "not contiguous"},
      {"add Yd | 100010110000000000000000000ddddd", "unknown register"},
      {"add Xd, foo:i | 1000101100000000000000iiiiiddddd", "unknown operand"},
      {"add Xd, @foo:i | 1000101100000000000000iiiiiddddd", "unknown set of names"},
      {"add Xd | 100010110000000000000000000ddddd | | foo", "unknown flag"},
      {"add Xd | 100010110000000000000000000ddddd\nadd Xd | 110010110000000000000000000ddddd", "never chosen"},
      {"add Xd | 100010110000000000000000000ddddd\nadd Xd|sp | 110010110000000000000000000ddddd", ""},
      {"add Xd, #u:i | 1000101100000000000000iiiiiddddd\nadd Xd, #u:i | 11001011000000000000iiiiiiiddddd", ""},
      {"add Xd, #u:i | 10001011000000000000iiiiiiiddddd\nadd Xd, #u:i | 1100101100000000000000iiiiiddddd",
       "never chosen"},
      {"add", "2 to 4 columns"},
      {"family x = a", "has no bits"},
      {"add Xd, Xn, %T | 1000101100000000000000nnnnnddddd | | T=lsl:1", "more bits"},
      // Facts.
      {"facts use:xr load = add\nadd Xd, Xn | 1000101100000000000000nnnnnddddd", ""},
      {"add Xd, Xn | 1000101100000000000000nnnnnddddd | | use:r reads:nzcv writes:lr", ""},
      {"facts use:r = adds\nadd Xd, Xn | 1000101100000000000000nnnnnddddd", "'adds', which is no mnemonic"},
      {"facts use:r = add\nfacts use:x = add", "declared twice"},
      {"facts store", "'=' is missing"},
      {"facts stores = add", "unknown word"},
      {"add Xd | 100010110000000000000000000ddddd | | use:q", "letters r, w and x"},
      {"add Xd | 100010110000000000000000000ddddd | | use:wrr", "more letters than registers"},
      {"add Xd | 100010110000000000000000000ddddd | | reads:nzvc", "unknown state"},
      {"add Xd | 100010110000000000000000000ddddd | | indirect", "a branch of what kind"},
      {"clash twice gnu:error | d=n | both\nadd Xd, Xn | 1000101100000000000000nnnnnddddd | | twice", ""},
      {"clash twice gnu:error | d=n & n!=31 or d=31 | both\nadd%T Xd, Xn | 10001011000000000000T0nnnnnddddd | | "
       "TU=/-:0,s/twice:1 %U", ""},
      {"clash twice gnu:error | d=m | both\nadd Xd, Xn | 1000101100000000000000nnnnnddddd | | twice", "has no 'm'"},
      {"clash twice gnu:error | d=n | both\nadd Xd, Xn | 10001011000000000000000nnnnddddd | | twice",
       "fields of different sizes"},
      {"clash twice gnu:error | d<n | both\nadd Xd, Xn | 1000101100000000000000nnnnnddddd | | twice",
       "unknown condition"},
      {"clash twice gnu:error | d=n | both\nadd Xd, Xn | 1000101100000000000000nnnnnddddd", "'twice' is of no row"},
      {"clash twice | d=n | both", "neither assembler"},
      {"clash twice gnu:bad | d=n | both", "unknown severity"},
      {"clash twice gnu:error may:lse | d=n | both\nadd Xd, Xn | 1000101100000000000000nnnnnddddd | | twice",
       "unknown feature 'lse'"},
      {"clash twice gnu:error | d=n", "3 columns"},
  };
  return run_table_cases("a64", cases, read, check_reachable);
}

}  // namespace xas::isagen::a64
