// The tables of a target whose operands are atoms (targets/aarch64/row.h), as the generator reads them: declarations,
// and rows multiplied out over families and optional parts. `Isa` names the target's own types and what it does
// differently; see a64_table.h for what it must have.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

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

template <class Isa>
struct AtomForm {
  std::string mnemonic;
  typename Isa::Row row{};
  std::vector<typename Isa::Field> fields;
  std::vector<unsigned> name_operands;  ///< operands (by commas) that are names
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
  std::vector<std::pair<unsigned, unsigned>> gnu_brings;  ///< a feature, and one that it brings in the gnu profile
  std::map<std::string, unsigned, std::less<>> feature_index;
  std::vector<Needs> needs;
  std::vector<typename Isa::Encoder> encoders;
  std::vector<AtomForm<Isa>> forms;
  std::vector<TableError> errors;
};

}  // namespace xas::isagen
