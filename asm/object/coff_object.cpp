// SPDX-License-Identifier: Apache-2.0
// From the Program to the object model, for COFF. The symbol table is made by coff_symtab.cpp.
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "asm/object/coff_symtab.h"
#include "asm/object/emit.h"
#include "asm/object/fixup.h"
#include "asm/object/symtab.h"
#include "asm/unwind/win_unwind.h"
#include "objwriter/coff_constants.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

using namespace coff;

namespace {

/// Whatever was asked for, BFD gives the sections that Windows knows the flags that they have in images; also half of
/// an alignment.
u32 gnu_characteristics(std::string_view name, u32 flags) {
  constexpr u32 data = IMAGE_SCN_MEM_READ | IMAGE_SCN_CNT_INITIALIZED_DATA;
  constexpr u32 writable = data | IMAGE_SCN_MEM_WRITE, discardable = data | IMAGE_SCN_MEM_DISCARDABLE;
  constexpr u32 align_8 = 0x400000;
  struct Known {
    std::string_view name;
    u32 flags;
  };
  constexpr Known known[] = {
      {".arch", discardable | align_8}, {".edata", data},    {".idata", writable}, {".pdata", data}, {".rdata", data},
      {".reloc", discardable},          {".rsrc", writable}, {".tls", writable},   {".xdata", data}};
  for (const Known& k : known) {
    if (k.name == name) return (flags & ~u32(IMAGE_SCN_MEM_WRITE)) | k.flags;
  }
  return flags;
}

void make_coff_sections(Program& program, obj::Object& object, ObjectStorage& storage) {
  object.sections.resize(program.sections.size());
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    section.index = i;
    obj::Section& o = object.sections[i];
    o.name = section.name;
    o.flags = section.characteristics;
    if (program.profile.coff_bfd_section_flags && !has_llvm_form(section))
      o.flags = gnu_characteristics(section.name, o.flags);
    if (section.is_code() && program.info.coff.machine == IMAGE_FILE_MACHINE_ARMNT) {
      // All code of Windows is Thumb; LLVM makes .text of what the triple says.
      if (i != 0 || program.options.target.thumb) o.flags |= IMAGE_SCN_MEM_16BIT;
    }
    o.size = section.size;
    o.align = u64(1) << section.log2_align;
    o.selection = section.selection;
    if (section.padding) o.defined_size = section.size - section.padding;
    if (section.selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE) {
      const Resolved r = program.resolve(section.group);
      if (r.kind == Resolved::place) {
        o.link_section = r.section;
      } else {
        program.diags.error(section.loc, fmt::format("section {} is associated with '{}', which is not in a section",
                                                     section.name, program.symbols[section.group].text()));
      }
    }
    borrow_contents(program, i, storage, o.contents);
  }
}

/// The space of .struct is no section of the object.
void remove_absolute_space(Program& program, obj::Object& object) {
  if (!program.absolute_space) return;
  const u32 gone = program.absolute_space->section;
  object.sections.erase(object.sections.begin() + gone);
  const auto renumber = [&](u32& section) {
    if (section > gone && section < program.sections.size()) --section;
  };
  for (obj::CoffSymbol& s : object.coff_symbols) renumber(s.section);
  for (obj::Section& s : object.sections) renumber(s.link_section);
}

/// .symidx, .safeseh, .secnum and .secoffset: the numbers are known now.
void fill_symbol_indices(Program& program, const CoffSymbolTable& table) {
  if (program.coff.symbol_indices.empty()) return;
  const std::vector<u32> numbers = table.record_numbers();
  for (const CoffSymbolIndex& field : program.coff.symbol_indices) {
    u32 value = 0;
    if (field.kind == CoffSymbolIndex::index) {
      const u32 index = table.index_of(field.symbol);
      if (index == obj::none) continue;
      value = numbers[index];
    } else {
      const Resolved r = program.resolve(field.symbol);
      const bool offset = field.kind == CoffSymbolIndex::section_offset;
      if (r.kind == Resolved::place) {
        const bool behind_absolute = program.absolute_space && r.section > program.absolute_space->section;
        value = offset ? u32(r.value) : r.section + 1 - behind_absolute;
      } else if (r.kind == Resolved::number && offset) {
        value = u32(r.value);
      } else {
        program.diags.error(
            field.loc, fmt::format("'{}' is not in a section of this object", program.symbols[field.symbol].text()));
        continue;
      }
    }
    store_int(program.sections.sub(field.subsection).data + field.pos, value, 4);
  }
}

/// .llvm_addrsig, and .llvm.call-graph-profile: lists of symbols by their indices, so their bytes come last of all.
void fill_symbol_lists(Program& program, const CoffSymbolTable& table) {
  if (!program.records.emit_addrsig && program.records.call_graph.empty()) return;
  const std::vector<u32> numbers = table.record_numbers();
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    Subsection& sub = program.sections.sub(section.default_subsection);
    if (section.name == ".llvm_addrsig") {
      for (const Name& name : program.coff.address_significant) {
        SymbolId id = program.symbols.find(name);
        if (id == no_symbol) continue;
        const Symbol& s = program.symbols[id];
        if (s.has(symbol_temporary) && s.kind == SymbolKind::label)
          id = program.sections[program.sections.sub(s.where).section].symbol;
        if (table.index_of(id) == obj::none) continue;
        const u32 number = numbers[table.index_of(id)];
        u8 bytes[max_leb128_size];
        sub.append(bytes, write_uleb128(bytes, number));
      }
    } else if (section.name == ".llvm.call-graph-profile") {
      for (const CallGraphEdge& edge : program.records.call_graph) {
        u8 bytes[16];
        store_int(bytes, numbers[table.index_of(edge.from)], 4);
        store_int(bytes + 4, numbers[table.index_of(edge.to)], 4);
        store_int(bytes + 8, edge.count, 8);
        sub.append(bytes, sizeof bytes);
      }
    } else {
      continue;
    }
    section.size = sub.size;
  }
}

/// Objects are the same each time, unless link.exe is to tell by the stamp that one is new. SOURCE_DATE_EPOCH is what
/// reproducible builds have instead of the time.
u32 time_stamp(const Program& program) {
  if (!program.options.incremental) return 0;
  if (const char* epoch = std::getenv("SOURCE_DATE_EPOCH")) return u32(std::strtoull(epoch, nullptr, 10));
  return u32(std::time(nullptr));
}

}  // namespace

void make_coff_object(Program& program, obj::Object& object, ObjectStorage& storage) {
  object.big_endian = false;
  object.rela = false;
  object.machine = program.info.coff.machine;
  object.coff = program.profile.coff_bfd_file ? obj::gnu_coff_style : obj::llvm_coff_style;
  object.coff.big_obj = program.options.big_obj;
  object.coff.cuts_file_names = program.profile.coff_cuts_file_names;
  object.time_stamp = time_stamp(program);
  if (program.profile.coff_bfd_file) {
    object.flags = IMAGE_FILE_LINE_NUMS_STRIPPED |
                   (program.info.coff.machine == IMAGE_FILE_MACHINE_I386 ? u32(IMAGE_FILE_32BIT_MACHINE) : 0);
  }

  obj::Object unused;
  SymbolTableMaker expressions(program, unused, storage);
  expressions.resolve_expressions();

  i64 start = 0;
  for (u32 i = 0; i < program.sections.size(); ++i) coff_anchor(program, i, start);

  check_comdats(program);
  Fixups fixups(program);
  fixups.decide(storage.relocs);
  if (program.diags.errors()) return;

  for (SymbolId id : program.coff.weakref_targets) {
    Symbol& s = program.symbols[id];
    if (s.binding == Binding::weak) continue;
    if (s.is_defined() || s.has(symbol_referenced) || s.binding != Binding::unset) {
      if (program.profile.coff_sdb)
        program.coff.sdb_fields[id].any = true;  // GNU as leaves the record behind, empty
      continue;
    }
    s.binding = Binding::weak;
    s.weak_search() = program.profile.coff_weak_search;
  }

  // No new symbols after this.
  CoffSymbolTable table(program, object, storage);
  table.make();
  fill_symbol_indices(program, table);
  fill_epilogue_places(program);
  fill_symbol_lists(program, table);
  make_coff_sections(program, object, storage);
  fixups.count_asked(object);
  for (u32 i = 0; i < program.sections.size(); ++i) {
    for (obj::Reloc& r : storage.relocs[i]) {
      if (r.symbol != obj::none) r.symbol = table.index_of(r.symbol);
    }
    object.sections[i].relocs = storage.relocs[i];
  }
  remove_absolute_space(program, object);
}

}  // namespace xas
