// SPDX-License-Identifier: Apache-2.0
// What is A64's own of tables whose operands are atoms.
#pragma once

#include "targets/aarch64/row.h"
#include "targets/isagen/atom_table.h"

namespace xas::isagen::a64 {

struct Isa {
  using Row = aarch64::Row;
  using Field = aarch64::Field;
  using Encoder = aarch64::Encoder;
  using Encoding = aarch64::Encoding;
  using Atom = aarch64::Atom;
  static constexpr unsigned max_atoms = aarch64::max_atoms;
  static constexpr u8 or_expr = 2, or_float = 1;  ///< bits of atom_imm that a mask leaves out to accept these too
  static constexpr bool features_have_rules = true;  ///< other names of features, and what they bring in one profile
  static constexpr bool names_have_features = true;
  static constexpr std::string_view prefix = "a64", folder = "aarch64";  ///< of the arrays' names; of the tables
  static constexpr std::string_view header = "aarch64", header_prefix = "AARCH64";  ///< public

  static constexpr u8 distinct_flag = aarch64::row_distinct;

  // What facts follow from (facts_read.h).
  static bool is_register(Atom a);
  /// Only a part of the register is meant.
  static bool is_part(Atom a) { return a >= Atom::atom_za && a < Atom::atom_zt0; }
  /// A predicate that leaves elements of the destination as they were.
  static bool merges(Atom a) { return a == Atom::atom_p_m || a == Atom::atom_pn_m; }
  /// Brackets behind it say which part, and are no address.
  static bool has_slices(Atom a);
  static constexpr Encoding next_register = Encoding::enc_pair_next;  ///< the register behind the one before it
  /// Takes note of a word of the target's own; false if it is none.
  static bool trait(std::string_view, std::string_view, u32&) { return false; }
  static u8 instruction_set(std::string_view) { return 0; }
  static bool applies(u8, const Row&) { return true; }

  /// The rules beside the operands let `a` stand wherever `b` may.
  static bool stands_for(const Row& a, const Row& b);
  /// Forms of one mnemonic keep the tables' order.
  static bool before(const Row&, const Row&) { return false; }
  /// The rest of a row behind signature and mask; the form's fields begin at `fields`.
  static std::string row_text(const AtomForm<Isa>& form, unsigned fields);
  /// The rest of the entry of a mnemonic, whose forms these are; `names` are the operands that may be names.
  static std::string spelling_text(const std::vector<const AtomForm<Isa>*>& forms, unsigned names);
};

using Form = AtomForm<Isa>;
using Table = AtomTable<Isa>;

/// Reads and checks; mistakes are in `errors`.
Table read(const std::vector<SourceText>& files);

/// Checks that need the whole table: forms that can never be chosen.
void check_reachable(Table& table);

/// The C++ text of the constexpr arrays.
std::string write(const Table& table);
/// That of include/xas/aarch64.h.
std::string write_header(const Table& table);

/// Tests of the mistakes the generator must find; returns the number of those it did not.
int self_test();

}  // namespace xas::isagen::a64
