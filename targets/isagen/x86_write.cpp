// SPDX-License-Identifier: Apache-2.0
// Checks over all rows of a mnemonic, and the constexpr arrays.
#include <fmt/format.h>

#include <algorithm>

#include "targets/hash.h"
#include "targets/isagen/header.h"
#include "targets/isagen/x86_table.h"
#include "targets/x86/registers.h"

namespace xas::isagen {
namespace {

using namespace x86;

constexpr u32 mode_bits = row_mode16 | row_mode32 | row_mode64;
constexpr u32 profile_bits = row_gnu | row_llvm;
constexpr u32 syntax_bits = row_att | row_intel;

/// Everything `b` accepts is accepted by `a` already, so that `b` behind `a` is never chosen.
bool covers(const Table& table, const Row& a, const Row& b) {
  if (a.count != b.count || (a.flags & row_indirect) != (b.flags & row_indirect) || a.op == op_newer) return false;
  for (u32 group : {mode_bits, profile_bits, syntax_bits})
    if ((b.flags & group) & ~(a.flags & group)) return false;
  if ((b.flags & (row_alt | row_load | row_store)) || (a.flags & row_alt)) return false;
  if (a.suffix != b.suffix) return false;  // the operand size chooses
  if (a.encoding != b.encoding) return false;  // {vex} and {evex} choose
  if (b.deco & ~a.deco & 15) return false;
  if ((a.deco & deco_mask_required) && !(b.deco & deco_mask_required)) return false;
  for (unsigned i = 0; i < a.count; ++i)
    for (int s = 0; s < 2; ++s)
      if (table.masks[b.kind[i]].space[s] & ~table.masks[a.kind[i]].space[s]) return false;
  return true;
}

using Lists = std::map<std::string, std::vector<unsigned>>;

void add_form(Lists& lists, const std::string& name, unsigned form) {
  std::vector<unsigned>& list = lists[name];
  if (list.empty() || list.back() != form) list.push_back(form);
}

Lists lists_of(const Table& table) {
  Lists lists;
  for (unsigned i = 0; i < table.forms.size(); ++i)
    for (const std::string& s : table.forms[i].spellings) add_form(lists, s, i);
  return lists;
}

Lists intel_lists_of(const Table& table) {
  Lists lists, suffixed;
  for (unsigned i = 0; i < table.forms.size(); ++i) {
    for (const std::string& s : table.forms[i].intel_spellings) add_form(lists, s, i);
    for (const std::string& s : table.forms[i].intel_suffixed) add_form(suffixed, s, i);
  }
  lists.merge(suffixed);
  return lists;
}

std::string row_text(const Row& r) {
  // In the order of struct Row.
  const unsigned fields[] = {r.count,
                             r.opcode,
                             r.modrm,
                             r.roles,
                             r.flags,
                             r.features,
                             r.grow,
                             r.encoding,
                             r.map,
                             r.pp,
                             r.length,
                             r.length_ignored,
                             r.w,
                             r.w_ignored,
                             r.modrm_form,
                             r.rex_w,
                             r.imm,
                             r.target,
                             r.operand_size,
                             r.address_size,
                             r.disp_shift,
                             r.broadcast_shift,
                             r.deco,
                             r.w_by_size,
                             r.trailer,
                             unsigned(r.suffix),
                             r.op,
                             r.facts};
  std::string out = fmt::format("{{{{{},{},{},{},{}}}", r.kind[0], r.kind[1], r.kind[2], r.kind[3], r.kind[4]);
  for (unsigned field : fields) out += ',' + std::to_string(field);
  return out + '}';
}

std::string facts_text(const Facts& f) {
  // In the order of struct Facts.
  return fmt::format("{{{:#x},{:#x},{:#x},{:#x},{:#x},{:#x},{:#x},{:#x},{:#x},Branch::{},{:#x},{},{},{},{}}}", f.reads,
                     f.writes, f.traits, f.operands, f.flags_read, f.flags_written, f.flags_cleared, f.flags_set,
                     f.flags_undefined, branch_names[unsigned(f.branch)], f.fuses, f.es_operand, f.narrow, f.vex,
                     f.unaligned);
}

/// Facts name other instructions by their AT&T names.
void check_related(Table& table, const Lists& lists) {
  for (const Form& f : table.forms) {
    const Facts& facts = table.facts[f.row.facts];
    const std::string narrow = facts.narrow ? table.related[facts.narrow] + "l" : std::string();
    for (const std::string& name : {narrow, table.related[facts.vex], table.related[facts.unaligned]})
      if (!name.empty() && !lists.contains(name))
        table.errors.push_back({f.file, f.line, fmt::format("there is no instruction '{}'", name)});
    if (!facts.has(trait_shortimm)) continue;
    const bool is_there = std::any_of(table.forms.begin(), table.forms.end(), [&](const Form& other) {
      return other.row.imm == imm_8 && other.row.opcode == (f.row.opcode | short_opcode_bit) &&
             other.row.map == f.row.map && other.row.modrm == f.row.modrm && other.row.encoding == f.row.encoding;
    });
    if (!is_there) table.errors.push_back({f.file, f.line, "shortimm: no row has the short form's opcode"});
  }
}

/// Row::w_by_size: another form has a register of 64 bits where this one has one of 32, if only by its suffix, and no
/// other difference.
void find_sizing_w(Table& table) {
  const auto sizes_of = [&](const Form& f, std::string_view name) {
    u64 found = 0;
    for (unsigned i = 0; i < f.row.count; ++i)
      found |= u64((table.masks[f.row.kind[i]].space[space_register] & class_bit(name)) != 0) << i;
    return found;
  };
  const auto is_twin = [](const Row& a, const Row& b) {
    return a.encoding == b.encoding && a.map == b.map && a.pp == b.pp && a.opcode == b.opcode && a.count == b.count &&
           a.modrm == b.modrm && a.length == b.length && a.roles == b.roles;
  };
  for (Form& f : table.forms) {
    const u64 narrow = f.row.encoding == encoding_legacy || f.row.w || f.row.w_ignored ? 0 : sizes_of(f, "r32");
    const bool by_suffix = f.row.suffix == 'l' && f.row.encoding == encoding_vex && !f.row.w && !f.row.w_ignored;
    if (!narrow && !by_suffix) continue;
    f.row.w_by_size = std::any_of(table.forms.begin(), table.forms.end(), [&](const Form& other) {
      const bool wider = (sizes_of(other, "r64") & narrow) || (by_suffix && other.row.suffix == 'q');
      return other.row.w && wider && is_twin(f.row, other.row);
    });
  }
}

/// The hash tables of mnemonics, and the lists of forms and names that they share.
class Spellings {
 public:
  explicit Spellings(const Table& table) : table_(table) {}

  std::string table(std::string_view array, const Lists& lists, bool intel) {
    std::size_t capacity = 16;
    while (capacity < 2 * lists.size()) capacity *= 2;
    std::vector<std::string> slots(capacity, "{}");
    std::vector<bool> used(capacity);
    for (const auto& [name, list] : lists) {
      auto [it, fresh] = placed_.emplace(PoolKey(list.begin(), list.end()), unsigned(flat_.size()));
      if (fresh) flat_.insert(flat_.end(), list.begin(), list.end());
      u64 hash = hash_name(name);
      std::size_t slot = hash & (capacity - 1);
      while (used[slot]) slot = (slot + 1) & (capacity - 1);
      used[slot] = true;
      slots[slot] = fmt::format("{{{:#x}u,{},{},{},{},{},{}}}", hash, names_.size(), it->second, list.size(),
                                name.size(), int(name.back()), int(intel ? char(0) : suffix_of(name, list)));
      names_ += name;
    }
    std::string out = fmt::format("inline constexpr Spelling {}[{}] = {{\n", array, capacity);
    for (std::size_t i = 0; i < capacity; ++i) out += slots[i] + (i % 4 == 3 ? ",\n" : ",");
    return out + "};\n\n";
  }

  std::string pools() const {
    std::string out = "inline constexpr u16 x86_lists[] = {\n";
    for (std::size_t i = 0; i < flat_.size(); ++i) out += fmt::format("{},{}", flat_[i], i % 20 == 19 ? "\n" : "");
    out += "};\n\ninline constexpr char x86_names[] =\n";
    for (std::size_t i = 0; i < names_.size(); i += 100) out += fmt::format("  \"{}\"\n", names_.substr(i, 100));
    return out + "  ;\n";
  }

  bool fits() const { return flat_.size() < 65536; }

 private:
  char suffix_of(const std::string& name, const std::vector<unsigned>& list) const {
    char suffix = table_.forms[list[0]].row.suffix;
    for (unsigned i : list) {
      const Form& f = table_.forms[i];
      bool bare = f.row.suffix && std::find(f.spellings.begin(), f.spellings.end(),
                                            name + f.row.suffix) != f.spellings.end();
      if (bare || f.row.suffix != suffix) suffix = 0;
    }
    return suffix;
  }

  const Table& table_;
  std::vector<unsigned> flat_;
  std::map<PoolKey, unsigned> placed_;
  std::string names_;
};

}  // namespace

void check_reachable(Table& table) {
  const Lists lists = lists_of(table);
  check_related(table, lists);
  find_sizing_w(table);
  for (const auto& [name, list] : lists)
    for (unsigned j = 1; j < list.size(); ++j)
      for (unsigned i = 0; i < j; ++i) {
        const Form& a = table.forms[list[i]];
        const Form& b = table.forms[list[j]];
        if (!covers(table, a.row, b.row)) continue;
        table.errors.push_back({b.file, b.line, fmt::format("`{}`: this form is never chosen, because {}:{} accepts "
                                                            "all its operands", name, a.file, a.line)});
        break;
      }
}

std::string write_x86_header(const Table& table) {
  HeaderText header{"x86", "X86", "x86", {}, {}};
  for (const Lists& lists : {lists_of(table), intel_lists_of(table)})
    for (const auto& [name, list] : lists) header.mnemonics.insert(name);
  for (unsigned i = 0; i < registers.count; ++i)
    if (!(registers.regs[i].flags & reg_cfi_only) && registers.regs[i].name != name_word("st", 2))
      header.registers.emplace_back(register_name(registers.regs[i]), int(i));
  return write_header(header);
}

std::string write_x86(const Table& table) {
  std::string out = "// Generated by isagen from targets/x86/*.isa.\n\n";
  auto line = [&out]<class... T>(fmt::format_string<T...> f, T&&... args) {
    out += fmt::format(f, std::forward<T>(args)...);
    out += '\n';
  };
  line("inline constexpr Row x86_rows[] = {{");
  for (const Form& f : table.forms) line("  {},", row_text(f.row));
  line("}};\n");

  line("inline constexpr Facts x86_facts[] = {{");
  for (const Facts& f : table.facts) line("  {},", facts_text(f));
  line("}};\n");
  line("inline constexpr std::string_view x86_related_names[] = {{");
  for (const std::string& name : table.related) out += fmt::format("\"{}\",", name);
  line("}};\n");

  Spellings spellings(table);
  out += spellings.table("x86_spellings", lists_of(table), false);
  out += spellings.table("x86_intel_spellings", intel_lists_of(table), true);
  out += spellings.pools();

  line("/// What each kind accepts, by Space.");
  line("inline constexpr u64 x86_kinds[][2] = {{");
  for (const Mask& m : table.masks) line("  {{{:#x}, {:#x}}},", m.space[space_register], m.space[space_other]);
  line("}};\n");
  line("inline constexpr GrownForm x86_grown[] = {{");
  for (const GrownForm& g : table.grown) out += fmt::format("{{{:#x},{},{:#x}}},", g.short_opcode, g.map, g.opcode);
  line("}};\n");
  line("inline constexpr std::string_view x86_feature_names[] = {{");
  for (const Feature& f : table.features) out += fmt::format("\"{}\",", f.name);
  line("}};\n");
  auto set_text = [](const std::vector<unsigned>& set) {
    u64 words[feature_words] = {};
    for (unsigned f : set) words[f / 64] |= u64(1) << (f % 64);
    return fmt::format("{{{{{:#x}u,{:#x}u,{:#x}u}}}},", words[0], words[1], words[2]);
  };
  line("/// What each feature brings with it, itself included.");
  line("inline constexpr FeatureSet x86_feature_closure[] = {{");
  std::vector<std::vector<unsigned>> closure;
  for (unsigned i = 0; i < table.features.size(); ++i) {
    std::vector<unsigned> set{i};
    for (unsigned f : table.features[i].implies) set.insert(set.end(), closure[f].begin(), closure[f].end());
    closure.push_back(set);
    out += set_text(set) + '\n';
  }
  line("}};\n");
  line("inline constexpr FeatureSet x86_feature_sets[] = {{");
  for (const auto& set : table.sets) out += set_text(set) + '\n';
  line("}};");
  return out;
}

}  // namespace xas::isagen
