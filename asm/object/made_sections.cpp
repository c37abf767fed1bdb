// SPDX-License-Identifier: Apache-2.0
// Small sections that are made of what options and directives said (made_sections.h).
#include "asm/object/made_sections.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "asm/program/coff_verbs.h"
#include "asm/program/elf_sections.h"
#include "asm/program/section_writer.h"
#include "asm/program/streamer.h"
#include "asm/unwind/win_unwind.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas {

using namespace elf;

namespace {

/// --execstack, --noexecstack.
void mark_stack(Program& program) {
  if (!program.options.exec_stack && !program.options.no_exec_stack) return;
  const u32 before = program.sections.size();
  Section& note = program.section_named(".note.GNU-stack");
  if (program.profile.stack_mark_is_note) note.type = SHT_NOTE;
  else if (program.sections.size() != before) note.type = SHT_PROGBITS;
  if (program.options.exec_stack) note.flags |= SHF_EXECINSTR;
}

/// A note of what the target's instructions have used (-mx86-used-note) or can do with (-aarch64-mark-bti-property).
void make_property_note(Program& program) {
  const std::string note = program.target.property_note();
  if (note.empty()) return;
  const u32 sections_before = program.sections.size();
  Section& section = program.section_named(".note.gnu.property");
  if (program.sections.size() == sections_before && program.info.elf.machine == EM_AARCH64)
    return program.diags.remark("the text has a .note.gnu.property of its own");
  section.type = SHT_NOTE;
  section.flags = SHF_ALLOC;
  section.log2_align = program.info.elf.is_64 ? 3 : 2;
  Subsection& sub = program.sections.sub(section.first);
  program.map_written(sub, 0);
  std::memcpy(sub.reserve(note.size()), note.data(), note.size());
  sub.size += note.size();
}

/// The target's note about the code, signed by its own section.
void make_abi_note(Program& program) {
  const Target::AbiNote note = program.target.abi_note();
  if (note.section.empty()) return;
  SectionRequest request{
      .name = note.section, .flags = SHF_ALLOC | SHF_GROUP, .type = SHT_NOTE, .has_flags = true, .comdat = true};
  request.group =
      symbol_of_text(program, Name{note.section.data(), u32(note.section.size()), hash_name(note.section)});
  Section& section = elf_section(program, request);
  section.log2_align = std::max<u8>(section.log2_align, 2);
  program.map_written(program.sections.sub(section.default_subsection), 0);
  SectionWriter w(program, section);
  constexpr u32 type = 1;
  w.put4(note.owner.size() + 1);
  w.put4(note.description.size() + 1);
  w.put4(type);
  for (const std::string_view text : {note.owner, note.description}) {
    w.put_string(text);
    w.pad(4);
  }
}

/// .memtag on AArch64: a relocation that does nothing for each of the symbols, in a section without contents.
void make_memory_tags(Program& program) {
  if (program.records.memory_tagged.empty() || program.info.elf.machine != EM_AARCH64) return;
  std::sort(program.records.memory_tagged.begin(), program.records.memory_tagged.end());
  Section& section = program.sections.create(program.symbols.keep(".memtag.globals.static"));
  section.type = SHT_AARCH64_MEMTAG_GLOBALS_STATIC;
  program.section_symbol(section);
  const u32 none = u32(program.target.relocation_number("BFD_RELOC_NONE", program.options.target.format));
  for (SymbolId id : program.records.memory_tagged)
    program.add_reloc(
        {.subsection = section.default_subsection, .offset = {}, .type = none, .value = {.add = id}, .loc = 0});
}

/// .llvm.call-graph-profile of what .cg_profile collected.
void make_call_graph_section(Program& program) {
  if (program.records.call_graph.empty()) return;
  Section& section = program.sections.create(program.symbols.keep(".llvm.call-graph-profile"));
  section.type = SHT_LLVM_CALL_GRAPH_PROFILE;
  section.flags = SHF_EXCLUDE;
  section.entsize = 8;
  section.loc = program.records.call_graph.front().loc;
  program.section_symbol(section);
  Subsection& sub = program.sections.sub(section.default_subsection);
  if (program.profile.maps_all_data) program.map_written(sub, 0);
  const int none = program.target.relocation_number("BFD_RELOC_NONE", program.options.target.format);
  for (const CallGraphEdge& edge : program.records.call_graph) {
    for (SymbolId id : {edge.from, edge.to}) {
      program.symbols[id].flags |= symbol_referenced;
      const bool is_number = program.symbols[id].kind == SymbolKind::absolute;  // which relocations do not name
      program.add_reloc({.subsection = sub.id,
                         .offset = {.constant = i64(sub.size)},
                         .type = u32(none),
                         .value = is_number ? Value{} : Value{.add = significant_symbol(program, id)},
                         .loc = edge.loc});
    }
    u8 count[8];
    store_int(count, edge.count, sizeof count, program.info.big_endian);
    sub.append(count, sizeof count);
  }
}

/// .stab is linked to its strings.
void link_stabs(Program& program) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& s = program.sections[i];
    if (s.name != ".stab" || s.entsize != stab_record_size || s.link_order != no_symbol) continue;
    s.link_order = program.section_symbol(program.section_named(".stabstr"));
  }
}

void make_elf_sections(Streamer& out) {
  Program& program = out.program;
  mark_stack(program);
  make_property_note(program);
  if (!program.profile.arm_attributes_last) {
    make_build_attributes(program);
    make_attributes_section(out);
  }
  make_abi_note(program);
  make_call_graph_section(program);
  make_memory_tags(program);
  link_stabs(program);
}

void make_coff_sections(Streamer& out, SourceLoc end) {
  // llvm-mc begins with those of unwind tables, and has lists of symbols before line tables.
  Program& program = out.program;
  if (program.profile.coff_frame_sections_first && !program.cfi.frames.empty()) {
    if (program.cfi.sections & cfi_eh_frame) program.section_named(".eh_frame");
    if (program.cfi.sections & cfi_debug_frame) program.section_named(".debug_frame");
  }
  close_definition(out);
  finish_unwind_tables(out, end);
  name_coff_calls(program);
  if (program.records.emit_addrsig) coff_section(program, ".llvm_addrsig", coff::IMAGE_SCN_LNK_REMOVE);
  if (!program.records.call_graph.empty())
    coff_section(program, ".llvm.call-graph-profile", coff::IMAGE_SCN_LNK_REMOVE);
}

}  // namespace

void make_sections_before_layout(Streamer& out, SourceLoc end) {
  if (!out.program.is_coff)
    make_elf_sections(out);
  else
    make_coff_sections(out, end);
}

SymbolId significant_symbol(Program& program, SymbolId id) {
  const Symbol& s = program.symbols[id];
  if (s.kind != SymbolKind::label || !s.has(symbol_temporary)) return id;
  return program.section_symbol(program.sections[program.sections.sub(s.where).section]);
}

}  // namespace xas
