// SPDX-License-Identifier: Apache-2.0
// The x86 tables as the generator reads them: declarations, and rows multiplied out over their families.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "targets/isagen/notation.h"
#include "targets/x86/facts.h"
#include "targets/x86/row.h"

namespace xas::isagen {

struct Member {
  std::vector<std::string> names;  ///< synonyms
  unsigned number;
};

/// The set of classes an operand kind accepts.
struct Mask {
  u64 space[2] = {0, 0};
  auto operator<=>(const Mask&) const = default;
};

enum class Axis : u8 { none, size, length };

struct Kind {
  Axis axis = Axis::none;
  Mask masks[3];
};

/// One form, with all that can be said to get it.
struct Form {
  x86::Row row{};
  std::vector<std::string> spellings;
  std::vector<std::string> intel_spellings;  ///< the same in Intel syntax
  std::vector<std::string> intel_suffixed;   ///< and with a suffix, where that is no other instruction's name
  std::string file;
  unsigned line = 0;
  std::string text;
};

/// Words about what instructions do, under one name; of a family by its members.
struct Effect {
  bool by_member = false;
  std::map<std::string, std::vector<std::string>, std::less<>> words;  ///< by member, or under ""
};

struct Table {
  std::map<std::string, std::vector<Member>, std::less<>> families;
  std::map<std::string, Effect, std::less<>> effects;
  std::map<std::string, Kind, std::less<>> kinds;
  std::vector<Feature> features;
  std::map<std::string, unsigned, std::less<>> feature_index;

  std::vector<Mask> masks;                 ///< what Row::kind indexes
  std::vector<std::vector<unsigned>> sets; ///< what Row::features indexes; sorted feature numbers
  std::vector<x86::GrownForm> grown;
  std::vector<x86::Facts> facts;           ///< what Row::facts indexes
  std::vector<std::string> related{""};    ///< what Facts::narrow and its like index
  std::vector<Form> forms;
  std::vector<TableError> errors;
};

/// Reads and checks; mistakes are in `errors`.
Table read_x86(const std::vector<SourceText>& files);

/// Checks that need the whole table: forms that can never be chosen, and facts that name other instructions.
void check_reachable(Table& table);

/// What the words of a row's last column say of one of its forms (x86_facts.cpp); fails if they cannot be meant.
/// `member` is the first name of the family's member, `op_en` has a letter for each operand.
x86::Facts read_facts(Table& table, const std::vector<std::string>& words, const std::string& member,
                      std::string_view op_en, const x86::Row& row);

/// The C++ text of the constexpr arrays.
std::string write_x86(const Table& table);
/// That of include/xas/x86.h.
std::string write_x86_header(const Table& table);

/// Tests of the mistakes the generator must find; returns the number of those it did not.
int self_test();

}  // namespace xas::isagen
