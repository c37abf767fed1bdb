// SPDX-License-Identifier: Apache-2.0
// The sections that describe hand-written assembly to debuggers, beside its line table: one compilation unit, with the
// functions that the source declares (GNU as) or its labels (LLVM), and the addresses that it covers.
#include <algorithm>
#include <vector>

#include "asm/debug/dwarf_sections.h"
#include "asm/layout/layout.h"
#include "asm/program/section_writer.h"
#include "objwriter/elf_constants.h"
#include "xas/leb128.hpp"

namespace xas {

namespace {

std::string_view producer_of(const Program& program) {
  return program.options.producer.empty() ? program.profile.producer : program.options.producer;
}

enum : u32 {
  DW_TAG_label = 0x0a,
  DW_TAG_compile_unit = 0x11,
  DW_TAG_subprogram = 0x2e,
  DW_TAG_unspecified_type = 0x3b,
  DW_AT_name = 0x03,
  DW_AT_stmt_list = 0x10,
  DW_AT_low_pc = 0x11,
  DW_AT_high_pc = 0x12,
  DW_AT_language = 0x13,
  DW_AT_comp_dir = 0x1b,
  DW_AT_producer = 0x25,
  DW_AT_decl_file = 0x3a,
  DW_AT_decl_line = 0x3b,
  DW_AT_external = 0x3f,
  DW_AT_type = 0x49,
  DW_AT_ranges = 0x55,
  DW_AT_language_name = 0x90,
  DW_UT_compile = 0x01,
  DW_RLE_end_of_list = 0x00,
  DW_RLE_start_length = 0x07,
  DW_LANG_Mips_Assembler = 0x8001,
  DW_LNAME_Assembly = 0x1d,
};

void put_abbreviation(SectionWriter& w, u32 attribute, u32 form) {
  w.put_uleb(attribute);
  w.put_uleb(form);
}

u32 section_offset_form(const Program& program) {
  return program.lines.version() >= 4 ? u32(DW_FORM_sec_offset)
         : program.options.dwarf64    ? u32(DW_FORM_data8)
                                      : u32(DW_FORM_data4);
}

void raise_alignment(Section& section, u8 log2) { section.log2_align = std::max(section.log2_align, log2); }

SectionWriter::Length begin_unit(SectionWriter& w, unsigned offset_size) {
  if (offset_size == 8) w.put4(0xFFFFFFFF);
  return w.begin_length(offset_size);
}

}  // namespace

u64 end_of_code(const Program& program, const Section& section) {
  const u32 second = program.sections.sub(section.first).next;
  return program.profile.lines_by_subsection || second == ~u32(0) ? section.size - end_padding_size(program, section)
                                                                  : program.sections.sub(second).base;
}

namespace {

/// .debug_aranges: the address and size of each section with code. Version 2 in all versions of DWARF.
void write_aranges(Program& program, Section& aranges, Section& info, const std::vector<Section*>& code) {
  const unsigned address_size = program.info.address_size, offset_size = program.options.dwarf64 ? 8 : 4;
  SectionWriter w(program, aranges);
  const SectionWriter::Length length = begin_unit(w, offset_size);
  w.put2(2);
  w.put_reference(offset_size, info, 0);
  w.put1(address_size);
  w.put1(0);
  w.put_zeros((0 - w.offset()) & (2 * address_size - 1));
  for (Section* s : code) {
    w.put_reference(address_size, *s, 0);
    w.put(end_of_code(program, *s), address_size);
  }
  w.put_zeros(2 * address_size);
  w.end_length(length);
}

// GNU as

/// A function that gets an entry: .type says so, .size gives its size.
struct Function {
  SymbolId symbol;
  u64 size;
  bool external;
  u64 name;  ///< offset in .debug_str
};

/// The .size that each symbol has, or ~0: an alias has that of its base by then, unless it has one of its own. Of
/// several the last one counts, but a number is only replaced by another (the symbol table has the last one all the
/// same).
std::vector<u32> sizes_of_symbols(Program& program) {
  constexpr u32 none = ~u32(0);
  std::vector<u32> size_of(program.symbols.size(), none);
  const auto inherit = [&](const Alias& alias) {
    if (size_of[alias.symbol] == none) size_of[alias.symbol] = size_of[alias.base];
  };
  auto alias = program.records.aliases.begin();
  for (u32 i = 0; i <= program.records.sizes.size(); ++i) {
    for (; alias != program.records.aliases.end() && alias->sizes_before <= i; ++alias) {
      if (alias->takes_at_once) inherit(*alias);
    }
    if (i == program.records.sizes.size()) continue;
    u32& chosen = size_of[program.records.sizes[i].symbol];
    const auto is_number = [&](u32 n) {
      const SizeRecord& size = program.records.sizes[n];
      return size.value.is_constant() && !size.over_padding;
    };
    const bool stays =
        chosen != none && is_number(chosen) && program.records.sizes[chosen].value.constant != 0 && !is_number(i);
    if (!stays) chosen = i;
  }
  return size_of;
}

/// What stands for something that was defined later is not defined yet, and what `.thumb_func` and `.thumb_set` alone
/// declare is no function yet.
std::vector<Function> functions(Program& program) {
  const std::vector<u32> size_of = sizes_of_symbols(program);
  std::vector<Function> found;
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    const Symbol& s = program.symbols[id];
    if (!s.is_defined() || s.kind == SymbolKind::expression || !elf::is_function(s.type) || size_of[id] == ~u32(0))
      continue;
    if (program.info.labels.thumb && (s.other & other_thumb_untyped)) continue;
    const Value& value = program.records.sizes[size_of[id]].value;
    if (value.is_constant() && value.constant == 0) continue;
    const Resolved size = program.resolve(value);
    if (size.kind != Resolved::number) continue;  // reported where the symbol table is made
    found.push_back({id, u64(size.value), s.binding == Binding::global || s.binding == Binding::unique, 0});
  }
  const MeetingOrder met(program);
  std::ranges::stable_sort(found, {}, [&](const Function& f) { return met.place(f.symbol); });
  return found;
}

/// .debug_ranges: address ranges from version 3 on; returns where the list starts.
u64 write_gnu_ranges(Program& program, const std::vector<Section*>& code) {
  const unsigned address_size = program.info.address_size;
  Section& section = program.section_named(".debug_ranges");
  raise_alignment(section, address_size == 8 ? 4 : 3);
  SectionWriter w(program, section);
  const u64 start = w.offset();
  w.put(~u64(0), address_size);  // a base address follows
  w.put_zeros(address_size);
  for (Section* s : code) {
    w.put_reference(address_size, *s, 0);
    w.put_reference(address_size, *s, i64(end_of_code(program, *s)));
  }
  w.put_zeros(2 * address_size);
  return start;
}

/// .debug_rnglists, from DWARF 5 on; returns where the list starts.
u64 write_range_lists(Program& program, const std::vector<Section*>& code) {
  const unsigned address_size = program.info.address_size, offset_size = program.options.dwarf64 ? 8 : 4;
  SectionWriter w(program, program.section_named(".debug_rnglists"));
  const SectionWriter::Length length = begin_unit(w, offset_size);
  w.put2(u16(program.lines.version()));
  w.put1(address_size);
  w.put1(0);
  w.put4(0);  // no table of offsets
  const u64 start = w.offset();
  for (Section* s : code) {
    w.put1(DW_RLE_start_length);
    w.put_reference(address_size, *s, 0);
    w.put_uleb(end_of_code(program, *s));
  }
  w.put1(DW_RLE_end_of_list);
  w.end_length(length);
  return start;
}

struct Strings {
  u64 name, comp_dir, producer;
};

Strings write_gnu_strings(Program& program, Section& section, std::vector<Function>& list) {
  mark_as_strings(program, section);
  SectionWriter w(program, section);
  const LineFiles& files = program.lines.files;
  Strings at{};
  at.name = w.offset();
  const bool of_file_0 = files.files.size() == 1 || (program.lines.line_version() >= 5 && files.files[0].defined);
  const LineFile& main = files.files[of_file_0 ? 0 : 1];
  if (main.directory) {
    w.put_bytes(remap_path(program, files.directories[main.directory]));
    w.put1('/');
  }
  w.put_string(main.name);
  at.comp_dir = w.offset();
  w.put_string(remap_path(program, program.lines.working_dir(program)));
  at.producer = w.offset();
  w.put_string(producer_of(program));
  for (Function& f : list) {
    f.name = w.offset();
    w.put_string(program.symbols[f.symbol].text());
  }
  return at;
}

/// Abbreviations: 1 the unit, 2 a function, 3 the type that functions are said to return.
void write_gnu_abbreviations(Program& program, Section& section, u32 external_form, bool any_function, bool ranges) {
  const unsigned version = program.lines.version();
  SectionWriter w(program, section);
  w.put_uleb(1);
  w.put_uleb(DW_TAG_compile_unit);
  w.put1(any_function);
  put_abbreviation(w, DW_AT_stmt_list, section_offset_form(program));
  if (ranges) {
    put_abbreviation(w, DW_AT_ranges, section_offset_form(program));
  } else {
    put_abbreviation(w, DW_AT_low_pc, DW_FORM_addr);
    put_abbreviation(w, DW_AT_high_pc, version < 4 ? DW_FORM_addr : DW_FORM_udata);
  }
  put_abbreviation(w, DW_AT_name, DW_FORM_strp);
  put_abbreviation(w, DW_AT_comp_dir, DW_FORM_strp);
  put_abbreviation(w, DW_AT_producer, DW_FORM_strp);
  put_abbreviation(w, DW_AT_language, DW_FORM_data2);
  put_abbreviation(w, 0, 0);
  if (any_function) {
    w.put_uleb(2);
    w.put_uleb(DW_TAG_subprogram);
    w.put1(0);
    put_abbreviation(w, DW_AT_name, DW_FORM_strp);
    if (external_form) put_abbreviation(w, DW_AT_external, external_form);
    if (version > 2) put_abbreviation(w, DW_AT_type, DW_FORM_ref_udata);
    put_abbreviation(w, DW_AT_low_pc, DW_FORM_addr);
    put_abbreviation(w, DW_AT_high_pc, version < 4 ? DW_FORM_addr : DW_FORM_udata);
    put_abbreviation(w, 0, 0);
    if (version > 2) {
      w.put_uleb(3);
      w.put_uleb(DW_TAG_unspecified_type);
      w.put1(0);
      put_abbreviation(w, 0, 0);
    }
  }
  w.put1(0);
}

/// The symbol of the type entry, which -L keeps. The text may have another of that name.
SymbolId make_type_entry(Program& program) {
  static constexpr std::string_view name = ".Ldebug_no_type_tag";
  const SymbolId id = program.symbols.make_anonymous();
  Symbol& s = program.symbols[id];
  s.name = name.data();
  s.name_size = u32(name.size());
  s.flags = symbol_temporary;
  return id;
}

/// `type_entry` gets the place of the entry for the type of all functions, from DWARF 3 on.
void write_gnu_functions(Program& program, SectionWriter& w, Section& str, const std::vector<Function>& list,
                         u32 external_form, SymbolId type_entry) {
  const unsigned address_size = program.info.address_size, version = program.lines.version();
  const unsigned offset_size = program.options.dwarf64 ? 8 : 4;
  // Each function refers to the type entry behind the last of them, so its offset decides how long the references are.
  u64 fixed = 0;
  for (const Function& f : list) {
    fixed += 1 + offset_size + (external_form == DW_FORM_flag) + address_size +
             (version < 4 ? address_size : uleb128_size(f.size));
  }
  u64 type = 0;
  for (unsigned size = 1; version > 2; ++size) {
    type = w.offset() + fixed + size * list.size();
    if (uleb128_size(type) <= size) break;
  }
  for (const Function& f : list) {
    w.put_uleb(2);
    w.put_reference(offset_size, str, f.name);
    if (external_form == DW_FORM_flag) w.put1(f.external);
    if (version > 2) w.put_uleb(type);
    w.put_reference(address_size, f.symbol, 0);
    if (version < 4) {
      w.put_reference(address_size, f.symbol, i64(f.size));
    } else {
      w.put_uleb(f.size);
    }
  }
  if (version > 2) {
    program.symbols[type_entry].become_label(w.subsection().id, w.subsection().size, 0);
    w.put_uleb(3);
  }
  w.put1(0);
}

std::vector<Section*> sections_with_rows(Program& program) {
  std::vector<Section*> code;
  for (const u32 index : program.lines.sections) code.push_back(&program.sections[index]);
  return code;
}

}  // namespace

void write_gnu_debug_info(Program& program, Section& line) {
  const unsigned address_size = program.info.address_size, version = program.lines.version();
  const unsigned offset_size = program.options.dwarf64 ? 8 : 4;
  const std::vector<Section*> code = sections_with_rows(program);
  std::vector<Function> list = functions(program);
  const bool any_external = std::any_of(list.begin(), list.end(), [](const Function& f) { return f.external; });
  const bool any_local = std::any_of(list.begin(), list.end(), [](const Function& f) { return !f.external; });
  const u32 external_form = !any_external              ? 0
                            : any_local || version < 4 ? u32(DW_FORM_flag)
                                                       : u32(DW_FORM_flag_present);

  Section& info = program.section_named(".debug_info");
  Section& abbrev = program.section_named(".debug_abbrev");
  Section& aranges = program.section_named(".debug_aranges");
  Section& str = program.section_named(".debug_str");
  raise_alignment(aranges, address_size == 8 ? 4 : 3);
  const bool ranges = code.size() > 1;
  u64 ranges_at = 0;
  if (ranges) ranges_at = version < 5 ? write_gnu_ranges(program, code) : write_range_lists(program, code);
  write_aranges(program, aranges, info, code);
  write_gnu_abbreviations(program, abbrev, external_form, !list.empty(), ranges);
  const Strings strings = write_gnu_strings(program, str, list);

  SectionWriter w(program, info);
  const SectionWriter::Length length = begin_unit(w, offset_size);
  w.put2(version);
  if (version >= 5) w.put1(DW_UT_compile);
  if (version < 5) w.put_reference(offset_size, abbrev, 0);
  w.put1(address_size);
  if (version >= 5) w.put_reference(offset_size, abbrev, 0);
  w.put_uleb(1);
  w.put_reference(offset_size, line, 0);
  if (ranges) {
    w.put_reference(offset_size, program.section_named(version < 5 ? ".debug_ranges" : ".debug_rnglists"), ranges_at);
  } else {
    w.put_reference(address_size, *code[0], 0);
    if (version < 4) {
      w.put_reference(address_size, *code[0], i64(end_of_code(program, *code[0])));
    } else {
      w.put_uleb(end_of_code(program, *code[0]));
    }
  }
  const SymbolId type_entry = list.empty() || version < 3 ? no_symbol : make_type_entry(program);
  w.put_reference(offset_size, str, strings.name);
  w.put_reference(offset_size, str, strings.comp_dir);
  w.put_reference(offset_size, str, strings.producer);
  w.put2(DW_LANG_Mips_Assembler);
  if (!list.empty()) write_gnu_functions(program, w, str, list, external_form, type_entry);
  w.end_length(length);
}

// LLVM

namespace {

/// .debug_ranges, of DWARF 3 and 4; returns where the list starts.
u64 write_llvm_ranges(Program& program, const std::vector<Section*>& code) {
  const unsigned address_size = program.info.address_size;
  SectionWriter w(program, program.section_named(".debug_ranges"));
  const u64 start = w.offset();
  for (Section* s : code) {
    w.put(~u64(0), address_size);  // a base address follows
    w.put_reference(address_size, *s, 0);
    w.put(0, address_size);
    w.put(end_of_code(program, *s), address_size);
  }
  w.put_zeros(2 * address_size);
  return start;
}

void write_llvm_abbreviations(Program& program, Section& section, bool ranges) {
  SectionWriter w(program, section);
  w.put_uleb(1);
  w.put_uleb(DW_TAG_compile_unit);
  w.put1(1);
  put_abbreviation(w, DW_AT_stmt_list, section_offset_form(program));
  if (ranges) {
    put_abbreviation(w, DW_AT_ranges, section_offset_form(program));
  } else {
    put_abbreviation(w, DW_AT_low_pc, DW_FORM_addr);
    put_abbreviation(w, DW_AT_high_pc, DW_FORM_addr);
  }
  put_abbreviation(w, DW_AT_name, DW_FORM_string);
  put_abbreviation(w, DW_AT_comp_dir, DW_FORM_string);
  put_abbreviation(w, DW_AT_producer, DW_FORM_string);
  put_abbreviation(w, program.lines.version() < 6 ? DW_AT_language : DW_AT_language_name, DW_FORM_data2);
  put_abbreviation(w, 0, 0);
  w.put_uleb(2);
  w.put_uleb(DW_TAG_label);
  w.put1(0);
  put_abbreviation(w, DW_AT_name, DW_FORM_string);
  put_abbreviation(w, DW_AT_decl_file, DW_FORM_data4);
  put_abbreviation(w, DW_AT_decl_line, DW_FORM_data4);
  put_abbreviation(w, DW_AT_low_pc, DW_FORM_addr);
  put_abbreviation(w, 0, 0);
  w.put1(0);
}

void write_llvm_labels(Program& program, SectionWriter& w) {
  for (const DwarfLines::Label& label : program.lines.generated.labels) {
    const Symbol& s = program.symbols[label.symbol];
    std::string_view name = s.text();
    if (name.starts_with('_')) name.remove_prefix(1);
    w.put_uleb(2);
    w.put_string(name);
    w.put4(label.file);
    w.put4(label.line);
    const Subsection& sub = program.sections.sub(s.where);
    w.put_reference(program.info.address_size, program.sections[sub.section], sub.offset(s.value, s.fragment));
  }
}

}  // namespace

void write_llvm_debug_info(Program& program) {
  const unsigned address_size = program.info.address_size, version = program.lines.version();
  const unsigned offset_size = program.options.dwarf64 ? 8 : 4;
  std::vector<Section*> code;
  bool any_statement = program.lines.any_label;  // the first label or instruction enters the source as a file
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& section = program.sections[i];
    if (!program.sections.has_instructions(section)) continue;
    any_statement = true;
    if (has_generated_rows(program, section)) code.push_back(&section);
  }
  if (version >= 5 || any_statement) program.lines.ensure_root_file(program);
  if (code.empty()) return;
  const bool ranges = code.size() > 1 && version >= 3;
  Section& info = program.section_named(".debug_info");
  Section& abbrev = program.section_named(".debug_abbrev");
  Section& aranges = program.section_named(".debug_aranges");
  write_aranges(program, aranges, info, code);
  u64 ranges_at = 0;
  if (ranges) ranges_at = version >= 5 ? write_range_lists(program, code) : write_llvm_ranges(program, code);
  write_llvm_abbreviations(program, abbrev, ranges);

  SectionWriter w(program, info);
  const SectionWriter::Length length = begin_unit(w, offset_size);
  w.put2(version);
  if (version >= 5) {
    w.put1(DW_UT_compile);
    w.put1(address_size);
  }
  w.put_reference(offset_size, abbrev, 0);
  if (version <= 4) w.put1(address_size);
  w.put_uleb(1);
  w.put_reference(offset_size, program.section_named(".debug_line"), 0);
  if (ranges) {
    w.put_reference(offset_size, program.section_named(version >= 5 ? ".debug_rnglists" : ".debug_ranges"), ranges_at);
  } else {
    w.put_reference(address_size, *code[0], 0);
    w.put_reference(address_size, *code[0], i64(end_of_code(program, *code[0])));
  }
  const LineFiles& files = program.lines.files;
  if (files.directories.size() > 1) {
    w.put_bytes(remap_path(program, files.directories[1]));
    w.put1('/');
  }
  w.put_string(files.files.size() > 1 ? files.files[1].name : remap_path(program, files.files[0].name));
  w.put_string(remap_path(program, program.lines.working_dir(program)));
  w.put_string(producer_of(program));
  w.put2(program.lines.version() < 6 ? DW_LANG_Mips_Assembler : DW_LNAME_Assembly);
  write_llvm_labels(program, w);
  w.put1(0);
  w.end_length(length);
}

}  // namespace xas
