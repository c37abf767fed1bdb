// The A64 tables as the generator reads them: declarations, and rows multiplied out over families and optional parts.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "targets/aarch64/row.h"
#include "targets/isagen/notation.h"
#include "targets/isagen/x86_table.h"

namespace xas::isagen::a64 {

/// A row's features: all of the clauses, of each clause any.
using Needs = std::vector<std::vector<unsigned>>;

/// A word of a set of names.
struct NamedValue {
  std::string name;
  unsigned value;
  unsigned features;  ///< index into Table::needs
  auto operator<=>(const NamedValue&) const = default;
};

struct Form {
  std::string mnemonic;
  aarch64::Row row{};
  std::vector<aarch64::Field> fields;
  std::vector<unsigned> name_operands;  ///< operands (by commas) that are names
  std::string file;
  unsigned line = 0;
};

struct Table {
  std::map<std::string, Family, std::less<>> families;
  std::map<std::string, unsigned, std::less<>> name_sets;
  std::vector<std::vector<NamedValue>> names;
  std::vector<std::string> name_set_names;
  std::vector<Feature> features;
  std::vector<unsigned> feature_aliases;  ///< those that are only other names
  std::map<std::string, unsigned, std::less<>> feature_index;
  std::vector<Needs> needs;
  std::vector<aarch64::Encoder> encoders;
  std::vector<Form> forms;
  std::vector<TableError> errors;
};

Table read(const std::vector<SourceText>& files);
void check_reachable(Table& table);
std::string write(const Table& table);

/// Tests of the mistakes the generator must find; returns the number of those it did not.
int self_test();

}  // namespace xas::isagen::a64
