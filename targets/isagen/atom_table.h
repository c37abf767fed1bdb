// SPDX-License-Identifier: Apache-2.0
// The tables of a target whose operands are atoms (targets/aarch64/row.h), as the generator reads them: declarations,
// and rows multiplied out over families and optional parts. `Isa` names the target's own types and what it does
// differently; see a64_table.h for what it must have.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "targets/atom_facts.h"
#include "targets/isagen/notation.h"

namespace xas::isagen {

/// A row's features: all of the clauses, of each clause any.
using Needs = std::vector<std::vector<unsigned>>;

/// A word of a set of names.
struct NamedValue {
  std::string name;
  unsigned value;
  unsigned features;  ///< index into AtomTable::needs
};

/// A clash, and the registers that a rule about any register (`?`) is for.
struct ClashWord {
  std::string name, letters;
};

/// What words say an instruction does; facts_read.h has them.
struct FactWords {
  std::string use;  ///< r, w and x for registers in their order; empty: as most
  u32 reads = 0, writes = 0, suffix = 0;
  atoms::Branch branch = atoms::Branch::none;
  bool conditional = false, indirect = false, loads = false, stores = false;
  u32 traits = 0;
  std::vector<ClashWord> clashes;
};

/// A declaration of facts, by a mnemonic or the beginning of one.
struct FactClassUse {
  unsigned number;
  bool used = false;
};

/// A rule about registers that must differ, as it is declared.
struct ClashRule {
  std::string conditions, message, needs;
  atoms::Severity gnu = atoms::Severity::none, llvm = atoms::Severity::none;
  atoms::ClashWhen when = atoms::ClashWhen::always;
  unsigned feature = 0;
  u8 set = 0;  ///< only of forms of these instruction sets, if not 0,
  bool loads = false, stores = false;  ///< and that do this
};

struct ClashOfForm {
  unsigned clash;
  std::vector<atoms::ClashTest> tests;
};

template <class Isa>
struct AtomForm {
  std::string mnemonic;
  typename Isa::Row row{};
  std::vector<typename Isa::Field> fields;
  std::vector<unsigned> name_operands;  ///< operands (by commas) that are names
  atoms::Facts facts{};
  std::vector<ClashOfForm> clashes;
  std::string file;
  unsigned line = 0;
};

template <class Isa>
struct AtomTable {
  std::map<std::string, Family, std::less<>> families;
  std::map<std::string, unsigned, std::less<>> name_sets;
  std::vector<std::vector<NamedValue>> names;
  std::vector<std::string> name_set_names;
  std::vector<Feature> features;
  std::vector<unsigned> feature_aliases;  ///< those that are only other names
  std::vector<std::pair<unsigned, std::string>> shown_names;  ///< of features, as they are shown to a reader
  std::vector<std::pair<unsigned, unsigned>> units;  ///< a processor, and its unit of floating point
  std::vector<std::pair<unsigned, unsigned>> gnu_brings;  ///< a feature, and one that it brings in the gnu profile
  std::map<std::string, unsigned, std::less<>> feature_index;
  std::vector<Needs> needs;
  std::vector<typename Isa::Encoder> encoders;
  std::vector<FactWords> fact_classes;
  std::map<std::string, FactClassUse, std::less<>> class_of;
  std::vector<ClashRule> clashes;
  std::multimap<std::string, unsigned, std::less<>> clash_index;
  std::vector<AtomForm<Isa>> forms;
  std::vector<TableError> errors;
};

}  // namespace xas::isagen
