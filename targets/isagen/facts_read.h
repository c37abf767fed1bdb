// SPDX-License-Identifier: Apache-2.0
// What instructions do beside their encoding (targets/atom_facts.h): the words for it, in declarations by
// mnemonic and in rows' last column, and how a form's facts follow from them and from its operands. The notation is
// told in docs/tables.md.
#pragma once

#include <cstdlib>

#include "targets/isagen/atom_table.h"

namespace xas::isagen {

using atoms::Branch, atoms::ClashTest, atoms::ClashWhen, atoms::Severity;

/// Names for several flags.
inline constexpr atoms::StateName state_groups[] = {
    {"nzcv", atoms::state_nzcv}, {"nzc", atoms::state_nzcv & ~atoms::state_v}, {"nz", atoms::state_n | atoms::state_z}};

/// Reads declarations and words of facts; the table holds what they come to.
template <class Isa>
class FactReader {
 public:
  explicit FactReader(AtomTable<Isa>& table) : table_(table) {}

  /// facts WORDS = MNEMONICS: what these do; `name*` is all that begin so and are in no more special declaration
  void declare(std::string_view line) {
    const std::size_t equals = line.find('=');
    if (equals == line.npos) fail("'=' is missing");
    const unsigned number = unsigned(table_.fact_classes.size());
    FactWords all;
    const std::vector<std::string> left = words(line.substr(0, equals));
    for (std::size_t i = 1; i < left.size(); ++i)
      if (!word(left[i], all)) fail("unknown word '{}'", left[i]);
    table_.fact_classes.push_back(std::move(all));
    for (const std::string& m : words(line.substr(equals + 1)))
      if (!table_.class_of.emplace(m, FactClassUse{number}).second) fail("'{}' is declared twice", m);
  }

  /// clash NAME WORDS | CONDITIONS | MESSAGE
  void declare_clash(std::string_view line) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() != 3) fail("a clash has 3 columns, this one has {}", columns.size());
    const std::vector<std::string> left = words(columns[0]);
    if (left.size() < 2) fail("a clash needs a name");
    ClashRule rule{.conditions = columns[1], .message = columns[2]};
    for (std::size_t i = 2; i < left.size(); ++i) clash_word(left[i], rule);
    if (rule.gnu == Severity::none && rule.llvm == Severity::none) fail("neither assembler minds '{}'", left[1]);
    table_.clash_index.emplace(left[1], unsigned(table_.clashes.size()));
    table_.clashes.push_back(std::move(rule));
  }

  /// Takes note of a word; false if it is none of these.
  bool word(const std::string& w, FactWords& to) const {
    const std::size_t colon = w.find(':');
    if (colon != w.npos) {
      const std::string key = w.substr(0, colon), value = w.substr(colon + 1);
      if (key == "use") to.use = access(value);
      else if (key == "reads") to.reads |= states(value);
      else if (key == "writes") to.writes |= states(value);
      else if (key == "s") to.suffix |= states(value);
      else if (table_.clash_index.contains(key)) to.clashes.push_back({key, value});
      else return Isa::trait(key, value, to.traits);
      return true;
    }
    if (w == "load") to.loads = true;
    else if (w == "store") to.stores = true;
    else if (w == "jump") to.branch = Branch::jump;
    else if (w == "call") to.branch = Branch::call;
    else if (w == "return") to.branch = Branch::ret;
    else if (w == "conditional") to.conditional = true;
    else if (w == "indirect") to.indirect = true;
    else if (table_.clash_index.contains(w)) to.clashes.push_back({w, ""});
    else return Isa::trait(w, "", to.traits);
    return true;
  }

  /// Completes a form, of which the row says `own`, with the facts of its mnemonic. `sets_flags`: it has the suffix s.
  void complete(AtomForm<Isa>& form, const FactWords& own, const std::string& pattern, bool sets_flags) {
    FactWords all = class_words(form.mnemonic);
    if (!own.use.empty()) all.use = own.use;
    all.reads |= own.reads, all.writes |= own.writes, all.suffix |= own.suffix;
    all.loads |= own.loads, all.stores |= own.stores;
    all.conditional |= own.conditional, all.indirect |= own.indirect;
    if (own.branch != Branch::none) all.branch = own.branch;
    all.traits |= own.traits;
    all.clashes.insert(all.clashes.end(), own.clashes.begin(), own.clashes.end());
    if (all.branch == Branch::none && (all.conditional || all.indirect)) fail("a branch of what kind?");
    atoms::Facts& f = form.facts;
    f.state_reads = all.reads;
    f.state_writes = all.writes | (sets_flags ? all.suffix : 0);
    f.branch = all.branch;
    f.conditional = all.conditional, f.indirect = all.indirect;
    f.loads = all.loads, f.stores = all.stores;
    f.traits = all.traits;
    const std::size_t registers = operands(form, all.use.empty() ? "wr" : all.use);
    if (own.use.size() > registers) fail("'use:{}' has more letters than registers", own.use);
    for (const ClashWord& w : all.clashes) {
      const auto [begin, end] = table_.clash_index.equal_range(w.name);
      for (auto it = begin; it != end; ++it) {
        const ClashRule& rule = table_.clashes[it->second];
        if (!Isa::applies(rule.set, form.row) || (rule.loads && !f.loads) || (rule.stores && !f.stores)) continue;
        form.clashes.push_back({it->second, tests(conditions(rule, w), pattern)});
      }
    }
    // What a processor does not have at all comes first.
    std::stable_partition(form.clashes.begin(), form.clashes.end(),
                          [&](const ClashOfForm& c) { return table_.clashes[c.clash].when == ClashWhen::lacks; });
  }

  /// What can be told when all is read: features of clashes, and declarations that are of nothing.
  void finish() {
    for (ClashRule& rule : table_.clashes) {
      if (rule.needs.empty()) continue;
      const auto it = table_.feature_index.find(rule.needs);
      if (it == table_.feature_index.end())
        table_.errors.push_back({"", 0, fmt::format("unknown feature '{}' of a clash", rule.needs)});
      else rule.feature = it->second;
    }
    for (const auto& [name, use] : table_.class_of)
      if (!use.used) table_.errors.push_back({"", 0, fmt::format("facts of '{}', which is no mnemonic", name)});
    std::vector<bool> used(table_.clashes.size());
    for (const AtomForm<Isa>& f : table_.forms)
      for (const ClashOfForm& c : f.clashes) used[c.clash] = true;
    for (const auto& [name, number] : table_.clash_index)
      if (!used[number]) table_.errors.push_back({"", 0, fmt::format("clash '{}' is of no row", name)});
  }

 private:
  AtomTable<Isa>& table_;

  /// Letters of how operands are used, in their order, the last one for all that follow.
  static std::string access(const std::string& text) {
    if (text.empty() || text.find_first_not_of("rwx") != text.npos) fail("'{}' is not of the letters r, w and x", text);
    return text;
  }

  static u32 states(const std::string& text) {
    u32 all = 0;
    for (const std::string& name : split(text, ',')) {
      u32 bits = 0;
      for (const auto& known : atoms::state_names) bits |= known.name == name ? known.bit : 0;
      for (const auto& known : state_groups) bits |= known.name == name ? known.bit : 0;
      if (!bits) fail("unknown state '{}'", name);
      all |= bits;
    }
    return all;
  }

  /// gnu:error llvm:warning may:FEATURE chosen:FEATURE lacks:FEATURE, and names of instruction sets
  void clash_word(const std::string& w, ClashRule& rule) const {
    const std::size_t colon = w.find(':');
    const std::string key = w.substr(0, colon), value = colon == w.npos ? "" : w.substr(colon + 1);
    if (key == "gnu" || key == "llvm") {
      const Severity s = value == "error" ? Severity::error : value == "warning" ? Severity::warning : Severity::none;
      if (s == Severity::none) fail("unknown severity '{}'", value);
      (key == "gnu" ? rule.gnu : rule.llvm) = s;
    } else if (key == "may" || key == "chosen" || key == "lacks") {
      rule.when = key == "may" ? ClashWhen::may : key == "chosen" ? ClashWhen::chosen : ClashWhen::lacks;
      rule.needs = value;
    } else if (w == "load" || w == "store") {
      (w == "load" ? rule.loads : rule.stores) = true;
    } else if (const u8 set = Isa::instruction_set(w)) {
      rule.set |= set;
    } else {
      fail("unknown word '{}'", w);
    }
  }

  /// The most special declaration of a mnemonic.
  FactWords class_words(const std::string& mnemonic) {
    auto it = table_.class_of.find(mnemonic);
    for (std::size_t n = mnemonic.size() + 1; it == table_.class_of.end() && n-- > 0;)
      it = table_.class_of.find(mnemonic.substr(0, n) + "*");
    if (it == table_.class_of.end()) return {};
    it->second.used = true;
    return table_.fact_classes[it->second.number];
  }

  /// Which atoms are read and written: registers in the order of `use`; those of addresses are read, and written too
  /// where the address is written back. Returns how many have a letter.
  std::size_t operands(AtomForm<Isa>& form, const std::string& use) {
    using Atom = typename Isa::Atom;
    const auto atom = [&](unsigned i) {
      return i < Isa::max_atoms ? Atom(form.row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF) : Atom::atom_none;
    };
    bool merges = false;
    for (unsigned i = 0; i < Isa::max_atoms; ++i) merges |= Isa::merges(atom(i));
    int base = -1, last = -1;
    bool inside = false, address = false, closed = false;
    std::size_t letter = 0;
    char how = 'r';
    const auto note = [&](unsigned i, char access) {
      if (access != 'w') form.facts.reads |= u16(1 << i);
      if (access != 'r') form.facts.writes |= u16(1 << i);
    };
    for (unsigned i = 0; i < Isa::max_atoms && atom(i) != Atom::atom_none; ++i) {
      const Atom a = atom(i);
      if (a == Atom::atom_open) {
        inside = true;
        address = i == 0 || !Isa::has_slices(atom(i - 1));
        if (address) base = -1;
      } else if (a == Atom::atom_close || a == Atom::atom_close_write) {
        inside = false;
        closed = address && a == Atom::atom_close;
        if (address && base >= 0 && a == Atom::atom_close_write) note(unsigned(base), 'x');
      } else if (a == Atom::atom_write) {
        if (last >= 0 && unsigned(last) + 1 == i) note(i - 1, 'x');
        else if (base >= 0 && closed) note(unsigned(base), 'x');
      } else if (Isa::is_register(a)) {
        last = int(i);
        if (inside || closed) {
          note(i, 'r');
          if (inside && address && base < 0) base = int(i);
          if (closed && base >= 0) note(unsigned(base), 'x');
          continue;
        }
        if (!is_next(form, i)) how = use[std::min(letter++, use.size() - 1)];
        const bool part = Isa::is_part(a) || atom(i + 1) == Atom::atom_index;
        note(i, how == 'w' && (part || (merges && i == 0) || is_twice(form, i)) ? 'x' : how);
      } else if (a == Atom::atom_imm && closed && base >= 0) {
        note(unsigned(base), 'x');
      }
    }
    return letter;
  }

  /// The register behind the one before it, which is used as that one is.
  bool is_next(const AtomForm<Isa>& form, unsigned atom) const {
    return std::any_of(form.fields.begin(), form.fields.end(), [&](const auto& f) {
      return f.atom == atom && table_.encoders[f.encoder].encoding == Isa::next_register;
    });
  }

  /// A register that goes to two places, as the destination and as a source. (One whose successor goes to the second
  /// place has a base below 0.)
  bool is_twice(const AtomForm<Isa>& form, unsigned atom) const {
    unsigned places = 0;
    for (const auto& f : form.fields) places += f.atom == atom && table_.encoders[f.encoder].base >= 0;
    return places > 1;
  }

  struct Place {
    u8 at, width;
  };
  static Place place_of(char letter, const std::string& pattern) {
    const std::size_t first = pattern.find(letter), last = pattern.rfind(letter);
    if (first == pattern.npos) fail("the pattern has no '{}'", letter);
    return {u8(31 - last), u8(last - first + 1)};
  }

  /// The conditions of a rule, for each of the registers if it is about any.
  static std::string conditions(const ClashRule& rule, const ClashWord& word) {
    const bool any = rule.conditions.find('?') != std::string::npos;
    if (any == word.letters.empty()) fail("'{}' {}", word.name, any ? "needs letters" : "has no letters");
    if (!any) return rule.conditions;
    std::string all;
    for (const char letter : word.letters)
      all += (all.empty() ? "" : " or ") + replace_all(rule.conditions, "?", std::string(1, letter));
    return all;
  }

  /// CONDITION { '&' CONDITION } { 'or' ... }
  static std::vector<ClashTest> tests(const std::string& text, const std::string& pattern) {
    std::vector<ClashTest> all;
    for (const std::string& term : split(replace_all(text, " or ", "|"), '|')) {
      for (const std::string& condition : split(term, '&')) all.push_back(test(condition, pattern));
      all.back().ends_term = true;
    }
    all.back().ends = true;
    return all;
  }

  /// a=b a!=b a=31 a=sp: fields of registers; a/2=b: of which b holds the half; i[n] i[sp] !i[sp]: of a list; always
  static ClashTest test(std::string text, const std::string& pattern) {
    ClashTest t{.kind = ClashTest::always, .at = 0, .width = 0, .other = 0, .wanted = true, .ends_term = false,
                .ends = false};
    if (text == "always") return t;
    if (text.starts_with('!')) {
      t.wanted = false;
      text.erase(0, 1);
    }
    const auto other = [&](const std::string& name, ClashTest::Kind number, ClashTest::Kind letter) {
      if (name == "sp" || name == "lr" || name == "pc") {
        t.kind = number;
        t.other = name == "sp" ? 13 : name == "lr" ? 14 : 15;
      } else if (!name.empty() && std::isdigit(u8(name[0]))) {
        t.kind = number;
        t.other = u8(std::atoi(name.c_str()));
      } else if (name.size() == 1) {
        const Place p = place_of(name[0], pattern);
        if (letter == ClashTest::same && p.width != t.width) fail("'{}' compares fields of different sizes", text);
        t.kind = letter;
        t.other = p.at;
      } else {
        fail("unknown condition '{}'", text);
      }
    };
    if (text.size() < 3) fail("unknown condition '{}'", text);
    const Place p = place_of(text[0], pattern);
    t.at = p.at, t.width = p.width;
    if (text.compare(1, 2, "/2") == 0) {
      ++t.at, --t.width;
      text.erase(1, 2);
    }
    if (text[1] == '[' && text.back() == ']') {
      other(text.substr(2, text.size() - 3), ClashTest::has, ClashTest::holds);
      return t;
    }
    std::size_t at = 1;
    if (text[at] == '!') t.wanted = !t.wanted, ++at;
    if (text[at] != '=') fail("unknown condition '{}'", text);
    other(text.substr(at + 1), ClashTest::number, ClashTest::same);
    return t;
  }
};

}  // namespace xas::isagen
