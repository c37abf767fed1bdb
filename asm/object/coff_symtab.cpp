// SPDX-License-Identifier: Apache-2.0
// The symbol table of an object for Windows.
//
// What is strange: every section has a symbol with an auxiliary record; a weak symbol is an undefined one that names
// another symbol, its default, which the assembler has to invent; and the two assemblers agree on nothing in the order.
//
//   GNU as    .file, then in the order of first reference (functions and static symbols: of .def) all local symbols and
//             functions, then other defined global symbols and common ones, then undefined ones, those last whose
//             names look like local labels'. Symbols of sections
//             come behind those of the text, but a COMDAT section's before the first symbol in it, for the linker.
//             The first function has an auxiliary record, which is empty but for old debugging information
//             (asm/program/coff_sdb.h); from 2.47 on all functions have one (coff_functions_chain).
//   llvm-mc   each section's symbol with its COMDAT symbol, then the others in the order of first reference, then
//             .file.
#include "asm/object/coff_symtab.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace xas {

using namespace coff;
using Aux = obj::CoffSymbol::Aux;

// llvm-mc

void CoffSymbolTable::make_llvm() {
  for (u32 i = 0; i < program_.sections.size(); ++i) {
    const Section& s = program_.sections[i];
    if (s.absolute) continue;
    const u32 at = add(section_symbol(i));
    if (s.symbol != no_symbol) index_[s.symbol] = at;
    if (names_comdat(s)) object_.coff_symbols[reserve(s.group)].section = i;
    put_offset_labels(i);
  }
  const SymbolId count = program_.symbols.size();
  for (SymbolId id = 0; id < count; ++id) put_llvm(id);
  name_llvm_defaults();
  for (const FileSymbol& f : program_.order.file_symbols) {
    add({.name = ".file",
         .section = obj::section_debug,
         .storage_class = IMAGE_SYM_CLASS_FILE,
         .aux = Aux::file,
         .text = f.name});
  }
}

/// The label of every megabyte (see coff_anchor).
void CoffSymbolTable::put_offset_labels(u32 section) {
  if (section >= program_.coff.offset_labels.size()) return;
  u32 number = 0;
  for (SymbolId id : program_.coff.offset_labels[section]) {
    ++number;
    index_[id] = add({.name = keep(fmt::format("$L{}_{}", program_.sections[section].name, number)),
                      .value = u64(number) << 20,
                      .section = section,
                      .storage_class = IMAGE_SYM_CLASS_LABEL});
  }
}

void CoffSymbolTable::put_llvm(SymbolId id) {
  const Symbol& s = program_.symbols[id];
  if (s.has(symbol_section) || s.kind == SymbolKind::register_ || s.has(symbol_anonymous)) return;
  if (s.has(symbol_temporary)) {
    if (s.kind == SymbolKind::undefined && s.has(symbol_in_relocation)) {
      program_.diags.error(s.loc,
                           fmt::format("'{}' is not defined, and its name keeps it out of the symbol table", s.text()));
    }
    if (s.storage_class() != IMAGE_SYM_CLASS_STATIC) return;
  }
  if (!is_referenced(s)) return;
  const u32 at = reserve(id);
  obj::CoffSymbol o = object_.coff_symbols[at];
  if (is_weak(s)) {
    put_llvm_weak(id, o);
  } else {
    place(o, s);
    o.type = s.coff_type;
    o.storage_class = s.storage_class();
    if (o.storage_class == IMAGE_SYM_CLASS_NULL) {
      o.storage_class = is_external(s) ? IMAGE_SYM_CLASS_EXTERNAL : IMAGE_SYM_CLASS_STATIC;
    }
  }
  object_.coff_symbols[at] = o;
}

/// A weak symbol is undefined; where it was defined, or nothing, is given another name, unless it is an alias of a
/// global symbol.
void CoffSymbolTable::put_llvm_weak(SymbolId id, obj::CoffSymbol& o) {
  const Symbol& s = program_.symbols[id];
  o.section = obj::section_undefined;
  o.storage_class = IMAGE_SYM_CLASS_WEAK_EXTERNAL;
  o.aux = Aux::weak;
  o.search = s.weak_search();
  const SymbolId target = weak_alias_target(id);
  if (target != no_symbol) {
    o.tag = reserve(target);
    return;
  }
  obj::CoffSymbol other{.name = keep(fmt::format(".weak.{}.default", s.text())), .type = s.coff_type};
  place(other, s);
  if (other.section == obj::section_undefined) other.section = obj::section_absolute;
  other.storage_class = s.storage_class() ? s.storage_class() : u8(IMAGE_SYM_CLASS_EXTERNAL);
  o.tag = add(other);
  defaults_.push_back(o.tag);
}

/// A weak symbol that is set to this one stands for it: it is undefined or, in LLVM, global. One of a COMDAT that has a
/// name, which GNU as can't write, goes with its COMDAT in both.
bool CoffSymbolTable::serves_weak(SymbolId base) const {
  const Symbol& s = program_.symbols[base];
  if (s.kind == SymbolKind::undefined) return true;
  const bool in_comdat = s.kind == SymbolKind::label && names_comdat(program_.sections[section_of(s)]);
  return (program_.profile.coff_weak_names_global || in_comdat) && is_external(s);
}

/// The symbol that a weak one stands for; no_symbol if it is its own.
SymbolId CoffSymbolTable::weak_alias_target(SymbolId id) const {
  if (const auto alias = bases_.find(id); alias != bases_.end()) return alias->second;
  const Symbol& s = program_.symbols[id];
  if (s.kind == SymbolKind::expression) {
    const ExprNode& node = program_.exprs[u32(s.value)];
    const bool plain = node.op == ExprOp::leaf && node.value.is_symbol_plus_constant();
    if (plain && (program_.profile.coff_weak_names_global || serves_weak(node.value.add))) return node.value.add;
  }
  return no_symbol;
}

/// Defaults of one name in two objects would clash, so a global name of this object is added.
void CoffSymbolTable::name_llvm_defaults() {
  if (defaults_.empty()) return;
  const auto unique = [&](bool comdat) -> std::string_view {
    for (u32 i = 0; i < object_.coff_symbols.size(); ++i) {
      const obj::CoffSymbol& s = object_.coff_symbols[i];
      if (s.storage_class != IMAGE_SYM_CLASS_EXTERNAL || s.section == obj::section_undefined) continue;
      if (std::ranges::binary_search(defaults_, i)) continue;
      if (!comdat && s.section < program_.sections.size() &&
          (program_.sections[s.section].characteristics & IMAGE_SCN_LNK_COMDAT))
        continue;
      return s.name;
    }
    return {};
  };
  std::string_view name = unique(false);
  if (name.empty()) name = unique(true);
  if (name.empty()) return;
  for (u32 i : defaults_) object_.coff_symbols[i].name = keep(fmt::format("{}.{}", object_.coff_symbols[i].name, name));
}

// GNU as

bool CoffSymbolTable::listed_gnu(const Symbol& s) const {
  if (s.flags & (symbol_section | symbol_anonymous | symbol_weakref)) return false;
  if (s.kind == SymbolKind::register_) return false;
  if (s.kind == SymbolKind::expression) return is_weak(s);
  if (s.has(symbol_coff_default)) return true;
  if (program_.options.strip_local_absolute && s.kind == SymbolKind::absolute && !is_external(s)) return false;
  // .globl makes a symbol of any name one for the linker; storage class 2 does not.
  const bool linked = s.binding == Binding::global || s.kind == SymbolKind::common;
  if (s.has(symbol_temporary) && !linked)
    return s.has(symbol_in_relocation) || (s.is_defined() && program_.options.keep_locals);
  return is_referenced(s);
}

/// Lists the symbols in the order in which GNU as has met them.
class CoffSymbolTable::GnuList {
 public:
  explicit GnuList(const CoffSymbolTable& table)
      : table_(table),
        program_(table.program_),
        last_move_(program_.symbols.size(), obj::none),
        placed_(program_.sections.size()),
        is_comdat_(program_.symbols.size()),
        waits_(program_.symbols.size()) {
    for (u32 i = 0; i < moves().size(); ++i)
      if (moves()[i].symbol != no_symbol) last_move_[moves()[i].symbol] = i;
    for (u32 i = 0; i < program_.sections.size(); ++i)
      if (names_comdat(program_.sections[i])) is_comdat_[program_.sections[i].group] = true;
  }

  std::vector<Entry> make() {
    put_symbols();
    put_sections();
    put_waiting();
    return std::move(list_);
  }

 private:
  const std::vector<CoffMove>& moves() const { return program_.coff.moves; }

  void put_section(u32 i) {
    placed_[i] = true;
    list_.push_back({.section = i});
    if (names_comdat(program_.sections[i])) list_.push_back({.symbol = program_.sections[i].group, .comdat = true});
  }

  void put(SymbolId id) {
    const Symbol& s = program_.symbols[id];
    if (!table_.listed_gnu(s)) return;
    if (s.kind == SymbolKind::label) {
      const u32 section = table_.section_of(s);
      const Section& in = program_.sections[section];
      if (in.selection && (in.size || has_llvm_form(in)) && !placed_[section]) put_section(section);
    }
    if (!is_comdat_[id]) list_.push_back({.symbol = id});
  }

  /// An undefined name that looks like a local label's (LoadLibraryA) is a symbol when the first relocation needs it.
  void put_or_wait(SymbolId id) {
    const Symbol& s = program_.symbols[id];
    waits_[id] = s.has(symbol_temporary) && s.kind == SymbolKind::undefined && s.binding == Binding::unset &&
                 last_move_[id] == obj::none && !is_comdat_[id];
    if (last_move_[id] == obj::none && !waits_[id]) put(id);
  }

  /// What has been moved to a place before this symbol.
  void put_moved(SymbolId before) {
    for (; next_move_ < moves().size() && moves()[next_move_].before <= before; ++next_move_) {
      const CoffMove& m = moves()[next_move_];
      if (m.symbol == no_symbol)
        list_.push_back({.sdb = m.sdb});
      else if (last_move_[m.symbol] == next_move_)
        put(m.symbol);
    }
  }

  /// What was given another value has the place of the first one.
  void put_symbols() {
    const SymbolId count = program_.symbols.size();
    std::vector<std::pair<SymbolId, SymbolId>> redefined = program_.order.redefined;
    std::ranges::stable_sort(redefined, {}, [](const auto& r) { return r.second; });
    std::vector<bool> is_redefined(count);
    for (const auto& [fresh, place] : redefined) is_redefined[fresh] = true;
    auto next = redefined.begin();
    for (SymbolId id = 0; id < count; ++id) {
      put_moved(id);
      for (; next != redefined.end() && next->second == id; ++next) put_or_wait(next->first);
      if (!is_redefined[id]) put_or_wait(id);
    }
    put_moved(count);
  }

  /// Sections with no symbol before which they would stand: invented ones, those with contents, those referred to.
  void put_sections() {
    constexpr u32 standard_sections = 3;
    const auto put_those = [&](const auto& wanted) {
      for (u32 i = 0; i < program_.sections.size(); ++i)
        if (!placed_[i] && wanted(program_.sections[i], i)) put_section(i);
    };
    if (program_.coff.invented_debug_info)
      for (std::string_view name : {".debug_info", ".debug_abbrev", ".debug_line"})
        put_those([&](const Section& s, u32) { return s.name == name; });
    put_those([](const Section& s, u32 i) {
      return !s.absolute && (s.size || i < standard_sections || has_llvm_form(s));
    });
    put_those([&](const Section& s, u32) {
      return !s.absolute && s.symbol != no_symbol && program_.symbols[s.symbol].has(symbol_in_relocation);
    });
  }

  void put_waiting() {
    for (const auto& relocs : table_.storage_.relocs) {
      for (const obj::Reloc& r : relocs) {
        if (r.symbol >= waits_.size() || !waits_[r.symbol]) continue;
        waits_[r.symbol] = false;
        put(r.symbol);
      }
    }
  }

  const CoffSymbolTable& table_;
  const Program& program_;
  std::vector<Entry> list_;
  std::vector<u32> last_move_;   ///< by symbol: which of the moves is its last; obj::none: it stays
  u32 next_move_ = 0;
  std::vector<bool> placed_;     ///< by section
  std::vector<bool> is_comdat_;  ///< by symbol: it stands behind its section's
  std::vector<bool> waits_;      ///< by symbol: for a relocation
};

void CoffSymbolTable::put_files_gnu() {
  // Each has the number of the next one's record.
  constexpr u64 records = 2;
  u64 next = 0;
  const auto put = [&](std::string_view name) {
    next += records;
    add({.name = ".file",
         .value = next < records * program_.order.file_symbols.size() ? next : 0,
         .section = obj::section_debug,
         .storage_class = IMAGE_SYM_CLASS_FILE,
         .aux = Aux::file,
         .text = name});
  };
  if (program_.order.file_symbols.empty() || program_.options.strip_local_absolute)
    return put("fake");  // a local absolute, too
  for (auto f = program_.order.file_symbols.rbegin(); f != program_.order.file_symbols.rend(); ++f) put(f->name);
}

obj::CoffSymbol CoffSymbolTable::gnu_symbol(SymbolId id) const {
  const Symbol& s = program_.symbols[id];
  obj::CoffSymbol o{.name = s.text(), .type = s.coff_type};
  if (is_weak(s)) {
    o.storage_class = IMAGE_SYM_CLASS_WEAK_EXTERNAL;
    o.aux = Aux::weak;
    o.search = s.weak_search();
    return o;
  }
  place(o, s);
  o.storage_class = s.storage_class();
  if (is_external(s)) {
    o.storage_class = IMAGE_SYM_CLASS_EXTERNAL;
  } else if (o.storage_class == IMAGE_SYM_CLASS_NULL) {
    const bool in_text = s.kind == SymbolKind::label && &program_.sections[section_of(s)] == program_.text;
    o.storage_class = in_text ? IMAGE_SYM_CLASS_LABEL : IMAGE_SYM_CLASS_STATIC;
  }
  return o;
}

/// What only debuggers know: no place, but for blocks and the ends of functions.
obj::CoffSymbol CoffSymbolTable::sdb_symbol(const SdbSymbol& d) const {
  obj::CoffSymbol o{.name = d.name, .type = d.type, .storage_class = d.storage_class};
  const Resolved r = program_.resolve(d.value);
  if (r.kind == Resolved::number || r.kind == Resolved::place) o.value = u64(r.value);
  o.section = is_sdb_absolute(d.storage_class) ? obj::section_absolute : obj::section_debug;
  if (is_sdb_place(d.storage_class))
    o.section = r.kind == Resolved::place ? r.section : program_.sections.index_of(*program_.text);
  return o;
}

/// `.weak.NAME`: has the place of NAME, and a name that no other object gives.
obj::CoffSymbol CoffSymbolTable::gnu_default(SymbolId id, std::string_view unique) {
  const Symbol& s = program_.symbols[id];
  const SymbolId weak = program_.symbols.find(s.text().substr(std::string_view(".weak.").size()));
  obj::CoffSymbol o{.name = keep(fmt::format("{}.{}", s.text(), unique)), .storage_class = IMAGE_SYM_CLASS_EXTERNAL};
  place(o, program_.symbols[weak]);
  if (o.section == obj::section_undefined) o.section = obj::section_absolute;
  return o;
}

CoffSymbolTable::Made CoffSymbolTable::make_entry(const Entry& e, std::string_view& unique) {
  if (e.section != obj::none) {
    const Section& s = program_.sections[e.section];
    return {section_symbol(e.section, s.size || e.section < 3 || has_llvm_form(s)), e, 0};
  }
  if (e.sdb != obj::none) {
    const SdbSymbol& d = program_.coff.sdb[e.sdb];
    return {sdb_symbol(d), e, is_sdb_end_of_function(d.storage_class) ? unlisted : 0};
  }
  const Symbol& s = program_.symbols[e.symbol];
  if (e.comdat) return {gnu_symbol(e.symbol), e, 0};
  if (s.has(symbol_coff_default)) {
    const SymbolId weak = program_.symbols.find(s.text().substr(std::string_view(".weak.").size()));
    const Symbol& w = program_.symbols[weak];
    if (is_weak(w) && weak_alias_target(weak) == no_symbol) return {gnu_default(e.symbol, unique), e, 1};
    return {{}, e, unlisted};
  }
  const bool undefined = !s.is_defined() || is_weak(s);
  if (undefined && unique.empty() && !s.text().starts_with('.') && !is_weak(s)) unique = s.text();
  const bool local = !is_external(s) || (is_function(s) && s.kind != SymbolKind::common);
  return {gnu_symbol(e.symbol), e, undefined ? 2u : local ? 0u : 1u};
}

bool CoffSymbolTable::is_defined_function(const Symbol& s) { return is_function(s) && s.is_defined(); }

bool CoffSymbolTable::is_plain_function(const Made& m) const {
  return m.entry.symbol != no_symbol && m.symbol.aux == Aux::none && m.is_listed() &&
         is_defined_function(program_.symbols[m.entry.symbol]);
}

/// The first function alone has a record. GNU as would write it over that of a function which .weak has named since its
/// .def.
void CoffSymbolTable::put_first_function_record(std::vector<Made>& made) {
  const auto first = std::find_if(made.begin(), made.end(), [&](const Made& m) {
    if (m.symbol.aux != Aux::weak) return is_plain_function(m);
    const Symbol& s = program_.symbols[m.entry.symbol];
    return is_defined_function(s) && s.storage_class() == IMAGE_SYM_CLASS_WEAK_EXTERNAL;
  });
  if (first == made.end() || first->symbol.aux == Aux::weak) return;
  first->symbol.aux = Aux::raw;
  first->symbol.text = keep(sdb_record({}, 0, 0, object_.coff.big_obj));
}

/// What link_sdb has to know of the symbols.
std::vector<SdbEntry> CoffSymbolTable::sdb_entries(const std::vector<Made>& made) const {
  std::vector<SdbEntry> entries(made.size());
  for (u32 i = 0; i < made.size(); ++i) {
    const Made& m = made[i];
    SdbEntry& e = entries[i];
    e = {.name = m.symbol.name,
         .type = m.symbol.type,
         .storage_class = m.symbol.storage_class,
         .own = m.entry.sdb != obj::none,
         .function = is_plain_function(m),
         .stays = m.rank == 0,
         .value = m.symbol.value};
    if (e.own) {
      e.fields = &program_.coff.sdb[m.entry.sdb].fields;
    } else if (m.entry.symbol != no_symbol && m.symbol.aux == Aux::none) {
      const auto known = program_.coff.sdb_fields.find(m.entry.symbol);
      if (known != program_.coff.sdb_fields.end()) e.fields = &known->second;
    }
  }
  return entries;
}

/// The auxiliary records of functions and of old debugging information, which name other records by their numbers.
void CoffSymbolTable::put_sdb_records(std::vector<Made>& made) {
  const bool chain = program_.profile.coff_functions_chain;
  if (!chain && program_.coff.sdb.empty() && program_.coff.sdb_fields.empty()) return put_first_function_record(made);
  std::vector<SdbEntry> entries = sdb_entries(made);
  link_sdb(entries, chain);

  std::vector<u32> numbers(made.size());
  std::vector<u32> sdb_at(program_.coff.sdb.size()), symbol_at(program_.symbols.size());
  u32 number = u32(2 * object_.coff_symbols.size());  // .file and its record
  for (unsigned rank = 0; rank < ranks; ++rank) {
    for (u32 i = 0; i < made.size(); ++i) {
      if (made[i].rank != rank) continue;
      numbers[i] = number;
      const Entry& e = made[i].entry;
      if (e.sdb != obj::none)
        sdb_at[e.sdb] = number;
      else if (e.symbol < symbol_at.size())
        symbol_at[e.symbol] = number;
      number += made[i].symbol.aux != Aux::none || entries[i].has_record ? 2 : 1;
    }
  }
  for (u32 i = 0; i < made.size(); ++i) {
    const SdbEntry& e = entries[i];
    if (!e.has_record) continue;
    u32 tag = 0;
    if (e.fields && e.fields->tag != obj::none)
      tag = sdb_at[e.fields->tag];
    else if (e.fields && e.fields->tag_symbol < symbol_at.size())
      tag = symbol_at[e.fields->tag_symbol];
    made[i].symbol.aux = Aux::raw;
    made[i].symbol.text = keep(sdb_record(e, tag, e.end == obj::none ? 0 : numbers[e.end], object_.coff.big_obj));
  }
}

/// The symbols of a listing, in the order of the text.
void CoffSymbolTable::list_for_listing(const std::vector<Made>& made) {
  auto& rows = program_.listing.symbol_rows;
  for (const obj::CoffSymbol& file : object_.coff_symbols)
    rows.push_back({.name = std::string(file.text), .section = "*ABS*"});
  for (const Made& m : made) {
    if (m.entry.symbol == no_symbol || !m.is_listed()) continue;
    const Symbol& s = program_.symbols[m.entry.symbol];
    Listing::SymbolRow row{.name = std::string(m.symbol.name),
                           .section = "*ABS*",
                           .value = m.symbol.value,
                           .place = s.loc,
                           .undefined = s.kind == SymbolKind::undefined};
    if (s.kind == SymbolKind::label) row.section = program_.sections[section_of(s)].name;
    if (s.kind == SymbolKind::common) row.section = "*COM*";
    if (s.kind != SymbolKind::label) row.place = 0;
    rows.push_back(row);
  }
}

void CoffSymbolTable::make_gnu() {
  const std::vector<Entry> list = GnuList(*this).make();
  put_files_gnu();

  std::vector<Made> made;
  made.reserve(list.size());
  std::string_view unique = program_.coff.unique_name;
  for (const Entry& e : list) made.push_back(make_entry(e, unique));
  put_sdb_records(made);
  if (program_.options.listing.parts) list_for_listing(made);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    for (const Made& m : made) {
      if (m.rank != rank) continue;
      const u32 at = add(m.symbol);
      if (m.entry.sdb != obj::none) continue;
      const SymbolId id = m.entry.symbol != no_symbol ? m.entry.symbol : program_.sections[m.entry.section].symbol;
      if (id != no_symbol) index_[id] = at;
    }
  }
  for (const Made& m : made) {
    if (m.symbol.aux != Aux::weak) continue;
    const Symbol& s = program_.symbols[m.entry.symbol];
    SymbolId to = weak_alias_target(m.entry.symbol);
    if (to == no_symbol) to = program_.symbols.find(fmt::format(".weak.{}", s.text()));
    if (to != no_symbol) object_.coff_symbols[index_[m.entry.symbol]].tag = index_[to];
  }
}

}  // namespace xas
