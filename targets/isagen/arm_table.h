// SPDX-License-Identifier: Apache-2.0
// What is ARM's own of tables whose operands are atoms.
#pragma once

#include "targets/arm/row.h"
#include "targets/isagen/atom_table.h"

namespace xas::isagen::arm {

using namespace xas::arm;

struct Isa {
  using Row = arm::Row;
  using Field = arm::Field;
  using Encoder = arm::Encoder;
  using Encoding = arm::Encoding;
  using Atom = arm::Atom;
  static constexpr unsigned max_atoms = arm::max_atoms;
  static constexpr u8 or_minus_zero = 1, or_expr = 2, or_float = 4;  ///< as in a64_table.h
  static constexpr bool features_have_rules = false;
  static constexpr bool names_have_features = false;
  static constexpr std::string_view prefix = "arm", folder = "arm";
  static constexpr std::string_view header = "arm", header_prefix = "ARM";

  static constexpr u32 distinct_flag = row_distinct;

  // As in a64_table.h.
  static bool is_register(Atom a);
  static bool is_part(Atom a) { return a == Atom::atom_d_lane || a == Atom::atom_d_lane2; }
  static bool merges(Atom) { return false; }
  static bool has_slices(Atom) { return false; }
  static constexpr Encoding next_register = Encoding::enc_next;
  static bool trait(std::string_view word, std::string_view value, u32& traits);
  static u8 instruction_set(std::string_view name);
  static bool applies(u8 sets, const Row& row) { return sets == 0 || (sets & row.set); }

  static bool stands_for(const Row& a, const Row& b);
  /// A32's forms come first.
  static bool before(const Row& a, const Row& b) { return (a.set == set_a32) > (b.set == set_a32); }
  static std::string row_text(const AtomForm<Isa>& form, unsigned fields);
  static std::string spelling_text(const std::vector<const AtomForm<Isa>*>& forms, unsigned names);
};

using Form = AtomForm<Isa>;
using Table = AtomTable<Isa>;

/// As in a64_table.h.
Table read(const std::vector<SourceText>& files);
void check_reachable(Table& table);
std::string write(const Table& table);
std::string write_header(const Table& table);
int self_test();

}  // namespace xas::isagen::arm
