// SPDX-License-Identifier: Apache-2.0
// From the Program to the object model.
#include "asm/object/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "asm/object/fixup.h"
#include "asm/object/made_sections.h"
#include "asm/object/symtab.h"
#include "objwriter/elf_constants.h"
#include "xas/leb128.hpp"

namespace xas {

using namespace elf;

namespace {

/// An empty .text is for execution only where another section is (flag 'y' of sections).
void mark_execute_only(Program& program) {
  const u64 flag = program.info.elf.execute_only;
  if (!program.profile.execute_only_text || flag == 0 || program.text->size != 0) return;
  for (u32 i = 0; i < program.sections.size(); ++i) program.text->flags |= program.sections[i].flags & flag;
}

void make_elf_sections(Program& program, obj::Object& object, ObjectStorage& storage) {
  mark_execute_only(program);
  object.sections.resize(program.sections.size());
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    section.index = i;
    obj::Section& o = object.sections[i];
    o.omitted = section.absolute || (&section == program.text && !program.text_chosen);
    o.name = section.name;
    o.type = section.type;
    o.flags = section.flags;
    o.size = section.size;
    o.align = u64(1) << section.log2_align;
    if (!program.profile.sections_aligned_in_file)
      o.file_align = std::min<u64>(o.align, program.info.elf.is_64 ? 8 : 4);
    o.entsize = section.entsize;
    o.info = section.info;
    o.link_to_symtab = section.type == SHT_LLVM_CALL_GRAPH_PROFILE;
    borrow_contents(program, i, storage, o.contents);
  }
}

/// The section that linkers would link one of this type to.
std::string_view linked_by_type(const obj::Section& o) {
  switch (o.type) {
    case SHT_GNU_LIBLIST: return o.flags & SHF_ALLOC ? ".dynstr" : ".gnu.libstr";
    case SHT_DYNAMIC: case SHT_DYNSYM: case SHT_GNU_verdef: case SHT_GNU_verneed: return ".dynstr";
    case SHT_HASH: case SHT_GNU_HASH: case SHT_GNU_versym: return ".dynsym";
    case SHT_REL: case SHT_RELA: return o.flags & SHF_ALLOC ? ".dynsym" : "";
    default: return "";
  }
}

/// Sections that a text gives a type of those that linkers write: GNU as links them as those.
void link_by_type(Program& program, obj::Object& object) {
  if (!program.profile.bfd_section_names) return;
  std::unordered_map<std::string_view, u32> by_name;  // once it is needed
  const auto named = [&](std::string_view name) {
    if (by_name.empty()) {
      for (u32 i = 0; i < object.sections.size(); ++i)
        if (!object.sections[i].omitted) by_name[object.sections[i].name] = i;
    }
    const auto found = by_name.find(name);
    return found == by_name.end() ? obj::none : found->second;
  };
  for (obj::Section& o : object.sections) {
    if (const std::string_view linked = linked_by_type(o); !linked.empty()) o.link_section = named(linked);
    if (o.type != SHT_REL && o.type != SHT_RELA) continue;
    o.link_to_symtab = !(o.flags & SHF_ALLOC) || program.profile.alloc_relocs_link_symbols;
    const std::string_view prefix = o.type == SHT_REL ? ".rel" : ".rela";
    if (o.name.starts_with(prefix)) o.info_section = named(o.name.substr(prefix.size()));
  }
}

/// 'o': the section that the symbol is in (check_linked_sections has seen to it that it is in one).
void link_sections(Program& program, obj::Object& object) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const SymbolId to = program.sections[i].link_order;
    if (to != no_symbol) object.sections[i].link_section = program.resolve(to).section;
  }
}

void make_groups(Program& program, obj::Object& object) {
  std::unordered_map<SymbolId, u32> known;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& section = program.sections[i];
    if (section.group == no_symbol) continue;
    const auto [it, is_new] = known.try_emplace(section.group, u32(object.groups.size()));
    if (is_new) {
      object.groups.push_back({.signature = section.group, .comdat = section.comdat});
    } else if (object.groups[it->second].comdat != section.comdat) {
      if (program.profile.one_comdat_makes_group) object.groups[it->second].comdat = true;
      program.diags.warning(
          section.loc,
          fmt::format("section {} and others of its group disagree on whether it is a COMDAT group", section.name));
    }
    object.sections[i].group = it->second;
  }
}

/// ELFOSABI_GNU where the object uses an extension that only GNU systems know, else the target's.
u8 os_abi(const Program& program, const obj::Object& object) {
  if (program.gnu_abi) return ELFOSABI_GNU;
  if (program.info.elf.os_abi) return program.info.elf.os_abi;
  for (const obj::Section& s : object.sections) {
    if (s.flags & (SHF_GNU_RETAIN | SHF_GNU_MBIND)) return ELFOSABI_GNU;
  }
  return 0;
}

void make_address_significance(Program& program, obj::Object& object, ObjectStorage& storage,
                               const SymbolTableMaker& table) {
  for (SymbolId id : program.records.address_significant) {
    const u32 index = table.index_of(significant_symbol(program, id));
    if (index == obj::none) continue;
    append_uleb128(storage.address_significant, index + 1);
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

/// Lines by the subsection that was the current one when they began, in the order of their places.
using LinesOfSubsections = std::unordered_map<u32, std::vector<const Listing::Entry*>>;

/// A mapping symbol is on the last line that began there or before. 0: none did.
SourceLoc line_of_mark(const LinesOfSubsections& lines, const Symbol& mark) {
  const auto its = lines.find(mark.where);
  if (its == lines.end()) return 0;
  const auto place = [](const Listing::Entry* e) { return std::pair(e->fragment, e->pos); };
  const auto next = std::ranges::upper_bound(its->second, std::pair(mark.fragment, mark.value), {}, place);
  return next == its->second.begin() ? 0 : (*std::prev(next))->loc;
}

/// The symbols of a listing: those of the object, in the order in which they were met.
void list_symbols(Program& program, const obj::Object& object, const SymbolTableMaker& table) {
  auto& rows = program.listing.symbol_rows;
  std::unordered_map<SymbolId, SourceLoc> base_place;  // GNU as shows the line of the label that an alias counts from
  for (const Alias& alias : program.records.aliases)
    base_place.try_emplace(alias.symbol, program.symbols[alias.base].loc);
  std::unordered_set<SymbolId> marks;
  for (const MappingSymbol& m : program.mapping_symbols) marks.insert(m.symbol);
  LinesOfSubsections lines;
  for (const Listing::Entry& e : program.listing.entries) lines[e.subsection].push_back(&e);
  for (const FileSymbol& f : program.order.file_symbols)
    rows.push_back({.name = std::string(f.name), .section = "*ABS*"});
  const MeetingOrder met(program);
  std::vector<std::pair<SymbolId, SymbolId>> order;  // what it is listed before; itself
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    if (table.index_of(id) == obj::none || program.symbols[id].has(symbol_section)) continue;
    order.emplace_back(met.place(id).first, id);
  }
  std::stable_sort(order.begin(), order.end(), [&](const auto& l, const auto& r) {
    if (l.first != r.first) return l.first < r.first;
    return table.index_of(l.second) < table.index_of(r.second);
  });
  for (const auto& [place, id] : order) {
    const u32 index = table.index_of(id);
    const Symbol& s = program.symbols[id];
    const obj::Symbol& o = object.symbols[index];
    const bool is_thumb = program.info.labels.thumb && (s.other & other_thumb);  // the value's lowest bit says so
    Listing::SymbolRow row{.name = std::string(o.name),
                           .value = o.value - is_thumb,
                           .place = s.loc,
                           .undefined = o.section == obj::section_undefined};
    switch (s.kind) {
      case SymbolKind::label:
        row.section = program.sections[program.sections.sub(s.where).section].name;
        if (const auto base = base_place.find(id); base != base_place.end()) row.place = base->second;
        if (s.loc && marks.contains(id)) row.place = line_of_mark(lines, s);
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

void make_object(Program& program, obj::Object& object, ObjectStorage& storage) {
  storage.program = &program;
  storage.keeps_contents = program.listing.on;
  program.fields_decided = true;
  if (program.is_coff) return make_coff_object(program, object, storage);
  object.elf64 = program.info.elf.is_64;
  object.big_endian = program.info.big_endian;
  object.rela = program.info.elf.rela;
  object.machine = program.info.elf.machine;
  object.flags = program.info.elf.flags;
  object.elf = program.profile.one_string_table ? obj::llvm_elf_style : obj::gnu_elf_style;
  object.elf.crel = program.options.crel;

  SymbolTableMaker table(program, object, storage);
  table.resolve_expressions();

  Fixups fixups(program);
  fixups.decide(storage.relocs);
  if (fixups.got_needed())
    program.symbols[program.symbols.intern_copy("_GLOBAL_OFFSET_TABLE_")].flags |= symbol_referenced;
  if (program.records.emit_addrsig) {
    std::unordered_set<SymbolId> signatures;
    for (u32 i = 0; i < program.sections.size(); ++i)
      if (program.sections[i].group != no_symbol) signatures.insert(program.sections[i].group);
    for (SymbolId id : program.records.address_significant) {
      const SymbolId listed = significant_symbol(program, id);
      if (program.symbols[listed].has(symbol_section) || signatures.contains(id))
        program.symbols[listed].flags |= symbol_in_relocation;
      else if (program.symbols[listed].binding == Binding::weak)
        program.symbols[listed].flags |= symbol_referenced;
    }
  }

  // No new sections, groups or symbols after this.
  make_elf_sections(program, object, storage);
  link_sections(program, object);
  link_by_type(program, object);
  make_groups(program, object);
  table.make(fixups.kept_temporaries());
  object.os_abi = program.options.os_abi ? program.options.os_abi : os_abi(program, object);

  for (u32 i = 0; i < program.sections.size(); ++i) {
    for (obj::Reloc& r : storage.relocs[i]) {
      if (r.symbol != obj::none) r.symbol = table.index_of(r.symbol);
    }
    object.sections[i].relocs = storage.relocs[i];
  }
  if (program.options.listing.parts) list_symbols(program, object, table);
  if (program.records.emit_addrsig) make_address_significance(program, object, storage, table);
}

}  // namespace xas
