// From the assembler's state to the object model.
#include "asm/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "asm/fixup.h"
#include "asm/leb128.h"
#include "asm/symtab.h"
#include "asm/directives/directives.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

namespace {

void make_sections(Assembler& a, obj::Object& object, ObjectStorage& storage) {
  object.sections.resize(a.sections.size());
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& section = a.sections[i];
    section.index = i;
    obj::Section& o = object.sections[i];
    o.omitted = section.absolute || (&section == a.text && !a.text_chosen);
    o.name = section.name;
    o.type = section.type;
    o.flags = section.flags;
    o.size = section.size;
    o.align = u64(1) << section.log2_align;
    o.entsize = section.entsize;
    o.info = section.info;
    o.link_to_symtab = section.type == SHT_LLVM_CALL_GRAPH_PROFILE;
    borrow_contents(a, i, storage, o.contents);
  }
}

/// 'o': the section that the symbol is in.
void link_sections(Assembler& a, obj::Object& object) {
  for (u32 i = 0; i < a.sections.size(); ++i) {
    const Section& section = a.sections[i];
    if (section.link_order == no_symbol) continue;
    const Resolved r = a.resolve(section.link_order);
    if (r.kind == Resolved::place) {
      object.sections[i].link_section = r.section;
    } else {
      report_linked_section(a, section);
    }
  }
}

void make_groups(Assembler& a, obj::Object& object) {
  std::unordered_map<SymbolId, u32> known;
  for (u32 i = 0; i < a.sections.size(); ++i) {
    const Section& section = a.sections[i];
    if (section.group == no_symbol) continue;
    const auto [it, is_new] = known.try_emplace(section.group, u32(object.groups.size()));
    if (is_new) {
      object.groups.push_back({.signature = section.group, .comdat = section.comdat});
    } else if (object.groups[it->second].comdat != section.comdat) {
      if (a.profile.gnu_section_defaults) object.groups[it->second].comdat = true;
      a.diags.warning(
          section.loc,
          fmt::format("section {} and others of its group disagree on whether it is a COMDAT group", section.name));
    }
    object.sections[i].group = it->second;
  }
}

/// ELFOSABI_GNU where the object uses an extension that only GNU systems know, else the target's.
u8 os_abi(const Assembler& a, const obj::Object& object) {
  if (a.gnu_abi) return ELFOSABI_GNU;
  if (a.info.os_abi) return a.info.os_abi;
  for (const obj::Section& s : object.sections) {
    if (s.flags & (SHF_GNU_RETAIN | SHF_GNU_MBIND)) return ELFOSABI_GNU;
  }
  return 0;
}

/// .L names are replaced by their sections' symbols.
SymbolId significant_symbol(Assembler& a, SymbolId id) {
  const Symbol& s = a.symbols[id];
  if (s.kind != SymbolKind::label || !s.has(symbol_temporary)) return id;
  return a.section_symbol(a.sections[a.sections.sub(s.where).section]);
}

void make_address_significance(Assembler& a, obj::Object& object, ObjectStorage& storage,
                               const SymbolTableMaker& table) {
  for (SymbolId id : a.address_significant) {
    const u32 index = table.index_of(significant_symbol(a, id));
    if (index == obj::none) continue;
    u8 bytes[max_leb128_size];
    const unsigned n = uleb128_size(index + 1);
    write_leb128(bytes, index + 1, false, n);
    storage.address_significant.insert(storage.address_significant.end(), bytes, bytes + n);
  }
  obj::Section& o = object.sections.emplace_back();
  o.name = ".llvm_addrsig";
  o.type = SHT_LLVM_ADDRSIG;
  o.flags = SHF_EXCLUDE;
  o.size = storage.address_significant.size();
  o.link_to_symtab = true;
  o.after_relocs = true;
  o.contents.data = storage.address_significant.data();
}

/// The symbols of a listing: those of the object, in the order in which they were met.
void list_symbols(Assembler& a, const obj::Object& object, const SymbolTableMaker& table) {
  auto& rows = a.listing.symbol_rows;
  std::unordered_map<SymbolId, SourceLoc> base_place;  // GNU as shows the line of the label that an alias counts from
  for (const Alias& alias : a.aliases) base_place.try_emplace(alias.symbol, a.symbols[alias.base].loc);
  for (const FileSymbol& f : a.file_symbols) rows.push_back({.name = f.name, .section = "*ABS*"});
  // .L symbols are met where an operand names them first, or else at the end.
  std::unordered_map<SymbolId, SymbolId> before;
  for (const OperandTemporary& t : a.operand_temporaries) before.try_emplace(t.symbol, t.before);
  std::vector<std::pair<SymbolId, SymbolId>> order;  // what it is listed before; itself
  for (SymbolId id = 0; id < a.symbols.size(); ++id) {
    if (table.index_of(id) == obj::none || a.symbols[id].has(symbol_section)) continue;
    const auto named = before.find(id);
    order.emplace_back(!a.symbols[id].has(symbol_temporary) ? id + 1
                       : named != before.end()              ? named->second
                                                            : no_symbol,
                       id);
  }
  std::stable_sort(order.begin(), order.end(), [&](const auto& l, const auto& r) {
    if (l.first != r.first) return l.first < r.first;
    return table.index_of(l.second) < table.index_of(r.second);
  });
  for (const auto& [place, id] : order) {
    const u32 index = table.index_of(id);
    const Symbol& s = a.symbols[id];
    const obj::Symbol& o = object.symbols[index];
    Listing::SymbolRow row{
        .name = o.name, .value = o.value, .place = s.loc, .undefined = o.section == obj::section_undefined};
    switch (s.kind) {
      case SymbolKind::label:
        row.section = a.sections[a.sections.sub(s.where).section].name;
        if (const auto base = base_place.find(id); base != base_place.end()) row.place = base->second;
        break;
      case SymbolKind::common:
        row.section = "*COM*";
        row.value = o.size;
        row.place = 0;
        break;
      default: row.section = "*ABS*"; break;
    }
    rows.push_back(row);
  }
}

}  // namespace

/// .memtag on AArch64: a relocation that does nothing for each of the symbols, in a section without contents.
void make_memory_tags(Assembler& a) {
  constexpr u32 SHT_AARCH64_MEMTAG_GLOBALS_STATIC = 0x70000007;
  if (a.memory_tagged.empty() || a.info.elf_machine != EM_AARCH64) return;
  std::sort(a.memory_tagged.begin(), a.memory_tagged.end());
  Section& section = a.sections.create(a.symbols.keep(".memtag.globals.static"));
  section.type = SHT_AARCH64_MEMTAG_GLOBALS_STATIC;
  a.section_symbol(section);
  const u32 none = u32(a.target.relocation_number("BFD_RELOC_NONE", a.options.target.format));
  for (SymbolId id : a.memory_tagged)
    a.add_reloc({.subsection = section.default_subsection, .offset = {}, .type = none, .value = {.add = id}, .loc = 0});
}

void make_call_graph_section(Assembler& a) {
  if (a.call_graph.empty()) return;
  Section& section = a.sections.create(a.symbols.keep(".llvm.call-graph-profile"));
  section.type = SHT_LLVM_CALL_GRAPH_PROFILE;
  section.flags = SHF_EXCLUDE;
  section.entsize = 8;
  section.loc = a.call_graph.front().loc;
  a.section_symbol(section);
  Subsection& sub = a.sections.sub(section.default_subsection);
  if (a.profile.maps_all_data) a.map_written(sub, 0);
  const int none = a.target.relocation_number("BFD_RELOC_NONE", a.options.target.format);
  for (const CallGraphEdge& edge : a.call_graph) {
    for (SymbolId id : {edge.from, edge.to}) {
      a.symbols[id].flags |= symbol_referenced;
      a.add_reloc({.subsection = sub.id,
                   .offset = {.constant = i64(sub.size)},
                   .type = u32(none),
                   .value = {.add = significant_symbol(a, id)},
                   .loc = edge.loc});
    }
    u8 count[8];
    for (unsigned i = 0; i < 8; ++i) count[a.info.big_endian ? 7 - i : i] = u8(edge.count >> (8 * i));
    sub.append(count, sizeof count);
  }
}

void make_object(Assembler& a, obj::Object& object, ObjectStorage& storage) {
  storage.assembler = &a;
  if (a.is_coff) return make_coff_object(a, object, storage);
  object.elf64 = a.info.elf64;
  object.big_endian = a.info.big_endian;
  object.rela = a.info.rela;
  object.machine = a.info.elf_machine;
  object.flags = a.info.elf_flags;
  object.elf = a.profile.one_string_table ? obj::llvm_elf_style : obj::gnu_elf_style;
  object.elf.crel = a.options.crel;

  SymbolTableMaker table(a, object, storage);
  table.settle_expressions();

  // Relocations name symbols by the assembler's handles until the symbol table is there.
  Fixups fixups(a);
  storage.relocs.resize(a.sections.size());
  for (u32 i = 0; i < a.sections.size(); ++i) fixups.decide(a.sections[i], storage.relocs[i]);
  if (fixups.got_needed()) a.symbols[a.symbols.intern_copy("_GLOBAL_OFFSET_TABLE_")].flags |= symbol_referenced;
  if (a.emit_addrsig) {
    std::unordered_set<SymbolId> signatures;
    for (u32 i = 0; i < a.sections.size(); ++i)
      if (a.sections[i].group != no_symbol) signatures.insert(a.sections[i].group);
    for (SymbolId id : a.address_significant) {
      const SymbolId listed = significant_symbol(a, id);
      if (a.symbols[listed].has(symbol_section) || signatures.contains(id))
        a.symbols[listed].flags |= symbol_in_relocation;
    }
  }

  // No new sections, groups or symbols after this.
  make_sections(a, object, storage);
  link_sections(a, object);
  make_groups(a, object);
  table.make(fixups.kept_temporaries());
  object.os_abi = a.options.os_abi ? a.options.os_abi : os_abi(a, object);

  for (u32 i = 0; i < a.sections.size(); ++i) {
    for (obj::Reloc& r : storage.relocs[i]) {
      if (r.symbol != obj::none) r.symbol = table.index_of(r.symbol);
    }
    object.sections[i].relocs = storage.relocs[i];
  }
  if (a.emit_addrsig) make_address_significance(a, object, storage, table);
  if (a.listing.on) list_symbols(a, object, table);
}

void make_listing(Assembler& a, obj::Object& object, ObjectStorage& storage) {
  for (obj::Section& s : object.sections) {
    if (s.contents.data || !s.contents.write || s.omitted || s.type == SHT_NOBITS) continue;
    std::vector<u8>& bytes = storage.bytes.emplace_back(s.size);
    s.contents.write(s.contents.producer, s.contents.id, bytes.data());
    s.contents = {.data = bytes.data()};
  }
  a.listing.write(a, &object);
}

}  // namespace xas
