// SPDX-License-Identifier: Apache-2.0
// The last column of x86's tables: what instructions do. Its words are told in the legend of targets/x86/general.isa.

#include <algorithm>

#include "targets/isagen/x86_table.h"

namespace xas::isagen {
namespace {

using namespace x86;

bool is_access(std::string_view word) { return word.find_first_not_of("-rwxp") == word.npos; }

u8 access_of(char letter) {
  switch (letter) {
    case 'r': return access_read;
    case 'w': return access_write;
    case 'x': return access_read | access_write;
    case 'p': return access_write | access_keep;
    default: return access_none;
  }
}

u16 flags_of(std::string_view letters) {
  u16 flags = 0;
  for (char c : letters) {
    if (!flag_bit(c)) fail("unknown flag '{}' in '{}'", c, letters);
    flags |= flag_bit(c);
  }
  return flags;
}

/// Number of a name of another instruction.
u8 related(Table& table, std::string_view name) {
  const auto it = std::find(table.related.begin(), table.related.end(), name);
  if (it != table.related.end()) return u8(it - table.related.begin());
  if (table.related.size() > 255) fail("too many names of other instructions: Facts has bytes for them");
  table.related.emplace_back(name);
  return u8(table.related.size() - 1);
}

class FactsReader {
 public:
  FactsReader(Table& table, const std::string& member) : table_(table), member_(member) {}

  Facts facts;
  std::string access;

  void word(const std::string& w) {
    if (is_access(w)) {
      access = w;
    } else if (const auto it = table_.effects.find(w); it != table_.effects.end()) {
      effect(it->first, it->second);
    } else if (std::string_view("<>=01?").find(w[0]) != std::string_view::npos) {
      for (const std::string& part : split(std::string_view(w).substr(1), ',')) implied(w[0], part);
    } else if (const std::size_t equals = w.find('='); equals != std::string::npos) {
      valued(w.substr(0, equals), w.substr(equals + 1));
    } else {
      for (const TraitName& t : trait_names)
        if (t.name == w) return void(facts.traits |= t.bit);
      fail("unknown word '{}' about what the instruction does", w);
    }
  }

 private:
  void effect(const std::string& name, const Effect& e) {
    const auto it = e.words.find(e.by_member ? member_ : std::string());
    if (it == e.words.end()) fail("effect '{}' does not say what it is for '{}'", name, member_);
    for (const std::string& w : it->second) word(w);
  }

  /// One of the registers and flags behind a sign.
  void implied(char sign, const std::string& part) {
    for (const ResourceName& r : resource_names) {
      if (r.name != part) continue;
      if (sign != '<' && sign != '>' && sign != '=') fail("'{}{}': only flags are known to be that", sign, part);
      if (sign != '>') facts.reads |= r.bit;
      if (sign != '<') facts.writes |= r.bit;
      return;
    }
    if (part.empty() || part[0] < 'A' || part[0] > 'Z') fail("unknown register or state '{}'", part);
    const u16 flags = flags_of(part);
    if (sign == '<' || sign == '=') facts.flags_read |= flags;
    if (sign == '<') return;
    if (facts.flags_written & flags) fail("it is said twice what becomes of flags in '{}'", part);
    facts.flags_written |= flags;
    if (sign == '0') facts.flags_cleared |= flags;
    if (sign == '1') facts.flags_set |= flags;
    if (sign == '?') facts.flags_undefined |= flags;
  }

  void valued(std::string_view key, std::string_view value) {
    if (key == "branch") {
      const auto it = std::find(std::begin(branch_names), std::end(branch_names), value);
      if (it == std::end(branch_names)) fail("unknown kind of branch '{}'", value);
      facts.branch = Branch(it - std::begin(branch_names));
    } else if (key == "fuse") {
      facts.fuses = value == "all" ? fuse_all : value == "cmp" ? fuse_cmp : value == "inc" ? fuse_inc : fuse_none;
      if (!facts.fuses) fail("fuse=all, cmp or inc, not '{}'", value);
    } else if (key == "narrow") {
      facts.narrow = related(table_, value);
    } else if (key == "vex") {
      facts.vex = related(table_, value);
    } else if (key == "unaligned") {
      facts.unaligned = related(table_, value);
    } else {
      fail("unknown word '{}={}' about what the instruction does", key, value);
    }
  }

  Table& table_;
  const std::string& member_;
};

bool is_indirect(Branch b) {
  return b == Branch::jmp_indirect || b == Branch::call_indirect || b == Branch::jmp_far_indirect ||
         b == Branch::call_far_indirect;
}

/// What the encoding says of the same.
void check_encoding(const Facts& facts, std::string_view op_en, const Row& row) {
  const Branch b = facts.branch;
  if (bool(row.flags & row_indirect) != is_indirect(b)) fail("'*' and the kind of an indirect branch go together");
  if ((row.flags & row_grows) && b != Branch::jmp && b != Branch::jcc) fail("only jmp and jcc grow");
  const bool has_distance = op_en.find('D') != op_en.npos;
  const bool direct = b == Branch::jcc || b == Branch::jmp || b == Branch::call || b == Branch::loop ||
                      b == Branch::xbegin;
  if (has_distance != direct) fail("a D operand and the kind of a direct branch go together");
  if (facts.fuses && b != Branch::none) fail("a branch is not fused with a jump");
  if ((row.flags & row_nf) && !facts.flags_written) fail("{{nf}} asks for nothing where no flag is written");
  if (facts.has(trait_shortimm) && (row.imm != imm_16 && row.imm != imm_32)) fail("shortimm needs iz");
}

}  // namespace

Facts read_facts(Table& table, const std::vector<std::string>& words, const std::string& member,
                 std::string_view op_en, const Row& row) {
  FactsReader reader(table, member);
  for (const std::string& w : words) reader.word(w);
  Facts& facts = reader.facts;
  std::string access = reader.access;
  if (access.size() > op_en.size())
    fail("'{}' tells of {} operands, there are {}", access, access.size(), op_en.size());
  while (access.size() < op_en.size()) {
    const char field = op_en[access.size()];
    access += field == 'D' ? '-' : access.empty() && field != 'I' ? 'w' : 'r';
  }
  if (row.encoding != encoding_legacy) facts.fuses = fuse_none;
  for (std::size_t i = 0; i < op_en.size(); ++i) {
    if (op_en[i] == 'I' && access[i] != 'r') fail("an immediate is read, not '{}'", access[i]);
    const std::size_t at = row.flags & row_straight ? i : op_en.size() - 1 - i;
    facts.operands |= u16(access_of(access[i]) << (3 * at));
    if (op_en[i] == 'Y') facts.es_operand = u8(at);
  }
  check_encoding(facts, op_en, row);
  return facts;
}

}  // namespace xas::isagen
