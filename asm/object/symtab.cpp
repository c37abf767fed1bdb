// SPDX-License-Identifier: Apache-2.0
// Choosing and ordering the symbols of the object.
//
// Both reference assemblers list symbols in the order in which they first met them, local ones first; they differ in
// where they put what they come upon late (kept .L symbols, group signatures, targets of .weakref, versioned names),
// and in what a symbol that is only referred to is worth. ELF: gABI "Symbol Table".
#include "asm/object/symtab.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "asm/program/aliases.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

void SymbolTableMaker::resolve_expressions() {
  for (SymbolId id = 0; id < program_.symbols.size(); ++id) {
    if (program_.symbols[id].kind != SymbolKind::expression || program_.symbols[id].has(symbol_weakref)) continue;
    if (program_.symbols[id].has(symbol_anonymous)) continue;
    const Resolved r = program_.resolve(id);
    Symbol& s = program_.symbols[id];
    if (r.kind == Resolved::number) {
      s.kind = SymbolKind::absolute;
      s.value = u64(r.value);
    } else if (r.kind == Resolved::place) {
      const Section& section = program_.sections[r.section];
      const Subsection& sub = program_.sections.sub(section.first);
      s.become_label(section.first, u64(r.value) - sub.base, 0);
    } else if (r.kind == Resolved::error && !s.has(symbol_temporary) && !program_.values.register_of(id) &&
               !(program_.is_coff && s.binding == Binding::weak)) {
      program_.diags.error(s.loc, fmt::format("the value of '{}' can't be told: {}", s.text(), r.message));
    } else if (r.kind == Resolved::undefined && program_.symbols[r.symbol].kind == SymbolKind::common &&
               !s.has(symbol_temporary)) {
      program_.diags.error(s.loc, fmt::format("'{}' can't be set to common symbol '{}': its place is not known",
                                              s.text(), program_.symbols[r.symbol].text()));
    }
  }
}

// Versions

/// .symver foo, foo@VERSION and foo@@VERSION give a defined symbol a second name; an undefined one, or one with @@@,
/// is renamed.
void SymbolTableMaker::apply_versions() {
  std::unordered_map<SymbolId, u32> count;
  std::unordered_map<SymbolId, std::string_view> renames;
  for (const SymbolVersion& v : program_.records.versions) ++count[v.symbol];
  auto versions = program_.records.versions;
  if (!program_.profile.versions_replace) {
    // GNU as goes from symbol to symbol, and at each from the last version to the first.
    std::reverse(versions.begin(), versions.end());
    std::stable_sort(versions.begin(), versions.end(), [](auto& l, auto& r) { return l.symbol < r.symbol; });
  }
  for (const SymbolVersion& v : versions) {
    const Symbol s = program_.symbols[v.symbol];
    if (s.kind == SymbolKind::common) {
      program_.diags.error(v.loc,
                           fmt::format("common symbol '{}' can't have a version: '{}'", s.text(), v.versioned_name));
      continue;
    }
    const std::size_t at = v.versioned_name.find('@');
    std::string_view tail = v.versioned_name.substr(at);
    const bool is_default = tail.starts_with("@@") && !tail.starts_with("@@@");
    bool rename = !s.is_defined() || !v.keep_original;
    // What GNU as removes stands at the end under its new name, as everything that LLVM renames.
    const bool moves = program_.profile.versions_replace || (s.is_defined() && !tail.starts_with("@@@"));
    if (!v.keep_original && s.has(symbol_in_relocation) && count[v.symbol] > 1) {
      program_.diags.error(
          v.loc, fmt::format("'{}' has several versions and is removed, but a relocation names it", s.text()));
    }
    if (tail.starts_with("@@@")) {
      tail.remove_prefix(s.is_defined() ? 1 : 2);
      rename = true;
    } else if (is_default && !s.is_defined()) {
      program_.diags.error(v.loc,
                           fmt::format("default version '{}' needs '{}' to be defined", v.versioned_name, s.text()));
      continue;
    }
    const bool used = s.has(symbol_in_relocation) || (!program_.profile.versions_replace && s.has(symbol_referenced));
    if (!s.is_defined() && !used) {
      unused_.push_back(v.symbol);
      continue;
    }
    storage_.names.push_back(fmt::format("{}{}", v.versioned_name.substr(0, at), tail));
    const std::string& name = storage_.names.back();
    if (rename) {
      const auto [other, first] = renames.try_emplace(v.symbol, name);
      if (!first && other->second != name) {
        program_.diags.error(v.loc, fmt::format("'{}' is renamed to '{}' and to '{}'", s.text(), other->second, name));
        continue;
      }
    }
    if (rename && !moves) {
      renamed_.emplace_back(v.symbol, name);
      continue;
    }
    const SymbolId id = program_.symbols.intern_copy(name);
    Symbol& alias = program_.symbols[id];
    const Symbol named = alias;
    alias = s;
    alias.name = named.name;
    alias.name_size = named.name_size;
    alias.flags = u16(s.flags & ~u32(symbol_temporary | symbol_sized));
    if (rename) replaced_.emplace_back(v.symbol, id);
    program_.records.aliases.push_back({id, v.symbol, u32(program_.records.sizes.size()), true, true});
  }
  hide_versioned();
}

/// The last .symver of a symbol that says so makes the symbol itself local or hidden, unless it is renamed.
void SymbolTableMaker::hide_versioned() {
  std::unordered_map<SymbolId, SymbolVersion::Original> last;
  for (const SymbolVersion& v : program_.records.versions) {
    const bool renamed =
        !program_.symbols[v.symbol].is_defined() || v.versioned_name.find("@@@") != std::string_view::npos;
    if (v.original != SymbolVersion::as_it_is && !renamed) last[v.symbol] = v.original;
  }
  for (const auto& [id, original] : last) {
    Symbol& s = program_.symbols[id];
    if (original == SymbolVersion::local) {
      if (s.binding != Binding::weak) s.binding = Binding::local;  // .weak is the stronger word
    } else {
      s.other = u8((s.other & ~3u) | STV_HIDDEN);
    }
  }
}

// Sizes and types

namespace {

/// What an alias of its own type `own` becomes when it stands for a symbol of type `base` (llvm-mc).
u8 merged_type(u8 own, u8 base) {
  const bool plain = base == STT_NOTYPE || base == STT_OBJECT;
  switch (own) {
    case STT_GNU_IFUNC: return plain || base == STT_FUNC || base == STT_TLS ? own : base;
    case STT_TLS: return plain || base == STT_FUNC || base == STT_GNU_IFUNC ? own : base;
    case STT_FUNC: return plain || base == STT_TLS ? own : base;
    case STT_OBJECT: return base == STT_NOTYPE ? own : base;
    default: return base;
  }
}

}  // namespace

void SymbolTableMaker::apply_aliases() {
  std::unordered_map<SymbolId, SymbolId> base_of;  // aliases of aliases are looked through
  for (const Alias& alias : program_.records.aliases) {
    const auto known = base_of.find(alias.base);
    base_of[alias.symbol] = known == base_of.end() ? alias.base : known->second;
    u8& type = program_.symbols[alias.symbol].type;
    if (program_.symbols[alias.base].type == STT_GNU_IFUNC && type != STT_TLS) type = STT_GNU_IFUNC;
  }
  for (const Alias& alias : program_.records.aliases) {
    Symbol& s = program_.symbols[alias.symbol];
    s.type = merged_type(s.type, program_.symbols[base_of[alias.symbol]].type);
  }
}

void SymbolTableMaker::apply_sizes() {
  const bool at_once = program_.profile.aliases_copy_at_once;
  std::unordered_map<SymbolId, u64> unlisted;  // sizes of symbols that only aliases know
  const auto size_of = [&](SymbolId id) -> u64* {
    if (index_[id] != obj::none) return &object_.symbols[index_[id]].size;
    const auto known = unlisted.find(id);
    return known == unlisted.end() ? nullptr : &known->second;
  };
  // GNU as takes a size of 0 for none, but not one that follows labels.
  std::unordered_set<SymbolId> by_labels;
  const auto is_sized_by_labels = [&](SymbolId id) {
    if (by_labels.empty()) {
      for (const SizeRecord& record : program_.records.sizes) {
        if (!record.value.is_constant()) by_labels.insert(record.symbol);
      }
      by_labels.insert(no_symbol);  // so that it is filled once
    }
    return by_labels.contains(id);
  };
  const auto inherit = [&](const Alias& alias) {
    u64& size = *size_of(alias.symbol);
    const bool sized = program_.symbols[alias.symbol].has(symbol_sized);
    if (sized && (!at_once || size != 0 || is_sized_by_labels(alias.symbol))) return;
    size = *size_of(alias.base);
  };
  // llvm-mc looks at each symbol on the way, but for one plus a constant: its size is that of the label behind it all.
  std::unordered_map<SymbolId, SymbolId> bases;
  if (!at_once) {
    for (Alias& of : program_.records.aliases) {
      const auto further = bases.find(of.base);
      const SymbolId label = further == bases.end() ? of.base : further->second;
      bases.emplace(of.symbol, label);
      if (!of.plain) of.base = label;
    }
  }
  for (const Alias& of : program_.records.aliases) {
    for (const SymbolId id : {of.symbol, of.base})
      if (index_[id] == obj::none) unlisted.try_emplace(id, 0);
  }
  auto alias = program_.records.aliases.begin();
  for (u32 i = 0; i < program_.records.sizes.size(); ++i) {
    const SizeRecord& record = program_.records.sizes[i];
    u64* const size = size_of(record.symbol);
    if (!size && !program_.profile.size_is_reference) continue;
    for (; at_once && alias != program_.records.aliases.end() && alias->sizes_before <= i; ++alias) {
      if (alias->takes_at_once) inherit(*alias);
    }
    const Resolved r = program_.resolve(record.value);
    if (r.kind != Resolved::number) {
      const std::string text =
          fmt::format("the size of '{}' is not known when the object is made", program_.symbols[record.symbol].text());
      program_.options.size_errors_are_warnings ? program_.diags.warning(record.loc, text)
                                                : program_.diags.error(record.loc, text);
      if (r.message) program_.diags.note(record.loc, r.message);
      continue;
    }
    if (size) *size = u64(r.value);
  }
  for (; at_once && alias != program_.records.aliases.end(); ++alias) {
    if (alias->takes_at_once) inherit(*alias);
  }
  if (!at_once) {
    for (const Alias& late : program_.records.aliases) inherit(late);
    return;
  }
  for (const Alias& late : late_aliases_behind_their_bases(program_)) inherit(late);
}

// Selection

bool SymbolTableMaker::is_listed(const Symbol& s) const {
  if (s.has(symbol_in_relocation)) return s.kind != SymbolKind::expression;
  if (s.flags & (symbol_section | symbol_anonymous | symbol_weakref)) return false;
  if (s.kind == SymbolKind::expression || s.kind == SymbolKind::register_) return false;
  if (s.kind == SymbolKind::common && !program_.profile.undefined_temporary_is_error) return true;
  const bool linked = !program_.profile.undefined_temporary_is_error && !s.is_local();
  if (s.has(symbol_temporary) && !linked)
    return s.is_defined() && (program_.options.keep_locals || program_.options.save_temp_labels);
  if (s.is_defined()) {
    return !(program_.options.strip_local_absolute && s.kind == SymbolKind::absolute && binding_of(s) == STB_LOCAL);
  }
  if (s.binding == Binding::weak && program_.profile.drop_unused_weak &&
      !(s.flags & (symbol_referenced | symbol_temporary)))
    return false;
  const u16 references = symbol_referenced | symbol_declared | symbol_weakly_referenced |
                         (program_.profile.size_is_reference ? symbol_sized : 0);
  return s.flags & references;
}

/// An undefined signature is "defined" in the group's header, and local if nothing says otherwise.
bool SymbolTableMaker::stays_in_group(const Symbol& s) const {
  return program_.profile.signature_stays_in_group && !s.is_defined() && !s.has(symbol_in_relocation);
}

/// GNU as makes a symbol of an undefined .L name when a relocation has to name it.
bool SymbolTableMaker::waits_for_end(const Symbol& s) const {
  return program_.profile.undefined_temporaries_last && !s.is_defined() && s.has(symbol_temporary) &&
         s.binding == Binding::unset && !s.has(symbol_anonymous) &&
         (program_.profile.kept_temporaries_last || !s.has(symbol_operand));
}

/// Locals that GNU as comes upon when it looks at relocations, or lists all sections; what stands for `.` is none.
bool SymbolTableMaker::waits_for_other_locals(SymbolId id) const {
  const Symbol& s = program_.symbols[id];
  if (s.has(symbol_section))
    return s.is_later_section() && (program_.profile.kept_temporaries_last || program_.info.elf.all_section_symbols);
  if (program_.options.keep_locals) return false;
  return program_.profile.kept_temporaries_last && s.has(symbol_temporary) &&
         !(s.has(symbol_anonymous) && numeric_label(id) == program_.order.numeric_instances.end());
}

bool SymbolTableMaker::is_listed_as_operand(SymbolId id) const {
  const Symbol& s = program_.symbols[id];
  return program_.profile.kept_temporaries_last && s.has(symbol_operand) && s.has(symbol_in_relocation) &&
         waits_for_end(s);
}

u8 SymbolTableMaker::binding_of(const Symbol& s) const {
  switch (s.binding) {
    case Binding::global: return STB_GLOBAL;
    case Binding::weak: return STB_WEAK;
    case Binding::unique:
      return !s.is_defined() && program_.profile.undefined_local_is_global ? STB_GLOBAL : STB_GNU_UNIQUE;
    case Binding::local: return !s.is_defined() && program_.profile.undefined_local_is_global ? STB_GLOBAL : STB_LOCAL;
    case Binding::unset: break;
  }
  if (s.is_defined()) return s.kind == SymbolKind::common ? STB_GLOBAL : STB_LOCAL;
  const bool only_weakly = s.has(symbol_weakly_referenced) && !s.has(symbol_referenced) && !s.has(symbol_declared);
  return only_weakly ? STB_WEAK : STB_GLOBAL;
}

u8 SymbolTableMaker::type_of(const Symbol& s) const {
  if (s.kind == SymbolKind::label && !s.has(symbol_section)) {
    const Section& section = program_.sections[program_.sections.sub(s.where).section];
    if (section.flags & SHF_TLS) return STT_TLS;
  }
  if (s.kind == SymbolKind::common && program_.options.elf_stt_common && s.type != STT_TLS) return STT_COMMON;
  return s.type;
}

void SymbolTableMaker::check(const Symbol& s) {
  if (s.kind == SymbolKind::common && s.binding == Binding::weak && program_.profile.common_not_weak) {
    program_.diags.error(s.loc, fmt::format("'{}' can't be both weak and common", s.text()));
  }
  if (s.is_defined() || !s.has(symbol_temporary) || !program_.profile.undefined_temporary_is_error) return;
  program_.diags.error(s.loc,
                       fmt::format("'{}' is not defined, and its name keeps it out of the symbol table", s.text()));
}

void SymbolTableMaker::put(SymbolId id) {
  const Symbol& s = program_.symbols[id];
  index_[id] = u32(object_.symbols.size());
  obj::Symbol& o = object_.symbols.emplace_back();
  if (!s.has(symbol_section)) o.name = s.text();
  o.binding = binding_of(s);
  o.type = type_of(s);
  o.other = program_.info.labels.thumb ? u8(s.other & ~other_thumb_marks) : s.other;
  const bool is_thumb = program_.info.labels.thumb && (s.other & other_thumb);
  switch (s.kind) {
    case SymbolKind::label: {
      const Subsection& sub = program_.sections.sub(s.where);
      o.section = sub.section;
      o.value = (s.has(symbol_section) ? 0 : sub.offset(s.value, s.fragment)) | is_thumb;
      break;
    }
    case SymbolKind::absolute:
      o.section = obj::section_absolute;
      o.value = s.value | is_thumb;
      break;
    case SymbolKind::common:
      o.section = s.has(symbol_large_common) ? obj::section_large_common : obj::section_common;
      o.value = s.fragment;
      o.size = s.value;
      break;
    default: break;
  }
  if (s.has(symbol_anonymous) && o.name.empty() && !s.has(symbol_section)) {
    storage_.names.push_back(numeric_name(id));
    o.name = storage_.names.back();
  }
}

/// Which of the labels by number it is; the end if it is none.
std::vector<NumericInstance>::const_iterator SymbolTableMaker::numeric_label(SymbolId id) const {
  const auto& labels = program_.order.numeric_instances;
  const auto by_symbol = [](const auto& label, SymbolId symbol) { return label.symbol < symbol; };
  const auto at = std::lower_bound(labels.begin(), labels.end(), id, by_symbol);
  return at != labels.end() && at->symbol == id ? at : labels.end();
}

/// The name of a numeric label: GNU as says which one it is of those with its number, llvm-mc which of all. What has no
/// number stands for `.`, or for a place in .eh_frame.
std::string SymbolTableMaker::numeric_name(SymbolId id) const {
  const auto& labels = program_.order.numeric_instances;
  const auto at = numeric_label(id);
  if (at == labels.end()) return program_.profile.label_names_hold_numbers ? "L0\x01" : ".L0 ";
  if (!program_.profile.label_names_hold_numbers) return fmt::format(".Ltmp{}", at - labels.begin());
  return fmt::format(".L{}\x02{}", at->number, at->instance);
}

void SymbolTableMaker::put_file(const FileSymbol& f) {
  obj::Symbol& o = object_.symbols.emplace_back();
  o.name = f.name;
  o.type = STT_FILE;
  o.section = obj::section_absolute;
}

/// Symbols of sections that have none yet, and of the headers of groups.
void SymbolTableMaker::put_other_sections() {
  for (u32 i = 0; i < program_.sections.size(); ++i) {
    const SymbolId id = program_.sections[i].symbol;
    if (id != no_symbol && index_[id] == obj::none && !program_.sections[i].absolute) put(id);
  }
  for (u32 g = 0; g < object_.groups.size(); ++g) {
    obj::Symbol& o = object_.symbols.emplace_back();
    o.type = STT_SECTION;
    o.section = obj::section_first_group + g;
  }
}

/// Groups name their signatures by their places in the table, and those that are signatures only belong to the groups.
void SymbolTableMaker::link_signatures() {
  for (u32 g = 0; g < object_.groups.size(); ++g) {
    const SymbolId id = object_.groups[g].signature;
    obj::Symbol& o = object_.symbols[index_[id]];
    const bool local = index_[id] < object_.local_symbols;
    if (!program_.symbols[id].is_defined() && local) o.binding = STB_LOCAL;
    if ((!program_.symbols[id].is_defined() && local) || stays_in_group(program_.symbols[id]))
      o.section = obj::section_first_group + g;
    object_.groups[g].signature = index_[id];
  }
}

void SymbolTableMaker::make(const std::vector<SymbolId>& kept) {
  apply_versions();
  if (!program_.profile.aliases_copy_at_once) apply_aliases();
  index_.assign(program_.symbols.size(), obj::none);
  list(kept);
  keep_names();
  link_signatures();
  for (auto [old, fresh] : replaced_) index_[old] = index_[fresh];
  for (auto [id, name] : renamed_) {
    if (index_[id] != obj::none) object_.symbols[index_[id]].name = name;
  }
  apply_sizes();
}

/// Numbered names are those of the text, which may have gone by. Those that are listed are made anew.
void SymbolTableMaker::keep_names() {
  if (!program_.symbols.copies_names) return;
  program_.symbols.for_each_numbered([this](SymbolId id, const auto& name) {
    if (index_[id] == obj::none) return;
    std::string_view& listed = object_.symbols[index_[id]].name;
    if (!listed.empty()) listed = program_.symbols.keep(name());
  });
}

}  // namespace xas
