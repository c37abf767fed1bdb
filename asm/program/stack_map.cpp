// SPDX-License-Identifier: Apache-2.0
// The verbs of stack maps; see stack_map.h.
#include "asm/program/stack_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/program/coff.h"
#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

constexpr u8 section_log2_align = 3;

u64 default_flags(const Program& program) {
  return program.is_coff ? coff::IMAGE_SCN_CNT_INITIALIZED_DATA | coff::IMAGE_SCN_MEM_READ : u64(elf::SHF_ALLOC);
}

Section& make_section(Program& program, u32 code) {
  const StackMaps& all = program.stack_maps;
  if (program.is_coff) {
    Section& s = coff_section(program, all.name, u32(all.flags));
    s.absolute = false;
    s.log2_align = std::max<u8>(s.log2_align, section_log2_align);
    return s;
  }
  if (code == StackMapSection::all_code) {
    const u32 before = program.sections.size();
    Section& s = program.section_named(all.name);
    if (program.sections.size() != before || s.absolute) {
      s.absolute = false;
      s.type = elf::SHT_PROGBITS;
      s.flags = all.flags;
      if (program.info.elf.all_section_symbols) program.list_section(s);
    }
    s.log2_align = std::max<u8>(s.log2_align, section_log2_align);
    return s;
  }
  Section& s = program.sections.create(all.name);
  const Section& of = program.sections[code];
  s.type = elf::SHT_PROGBITS;
  s.flags = all.flags | (of.group != no_symbol ? u64(elf::SHF_GROUP) : 0);
  s.group = of.group;
  s.comdat = of.comdat;
  s.loc = all.chosen_at;
  s.log2_align = section_log2_align;
  s.link_order = program.section_symbol(program.sections[code]);
  return s;
}

/// The section for the records of a section's code, made if needed, with the symbol that marks the first one.
void need_section(Program& program, u32 code) {
  StackMaps& all = program.stack_maps;
  if (program.is_coff || !(all.flags & elf::SHF_LINK_ORDER)) code = StackMapSection::all_code;
  for (const StackMapSection& s : all.sections)
    if (s.code == code) return;
  Section& s = make_section(program, code);
  all.sections.push_back({code, program.sections.index_of(s)});
  if (all.sections.size() > 1) return;
  if (all.symbol == no_symbol) all.symbol = program.symbols.intern_copy("__LLVM_StackMaps");
  Symbol& symbol = program.symbols[all.symbol];
  if (symbol.is_defined())
    return program.diags.error(symbol.loc, "'__LLVM_StackMaps' marks the stack maps, and is no other symbol");
  const Subsection& start = program.sections.sub(s.default_subsection);
  symbol.become_label(start.id, start.size, u32(start.fragments.size()));
  symbol.loc = all.chosen_at;
}

/// Makes the record one of this place. False (reported) if there can be none.
bool add(Streamer& out, StackMapRecord&& record) {
  Program& program = out.program;
  StackMaps& all = program.stack_maps;
  if (all.open == StackMaps::none) {
    program.diags.error(record.loc, "no function for this record; .stackmap_function names it");
    return false;
  }
  if (!out.can_emit() || !out.reserved.close_shadow(out, "a record", record.loc)) return false;
  if (all.flags == 0 && !all.is_chosen) all.flags = default_flags(program);
  record.function = all.open;
  record.subsection = out.current->id;
  record.pos = out.current->size;
  record.fragment = u32(out.current->fragments.size());
  need_section(program, out.current->section);
  all.records.push_back(std::move(record));
  return true;
}

/// Space is reserved in whole instructions, and not without limit.
bool can_reserve(Program& program, u64 bytes, std::string_view what, SourceLoc loc) {
  const u64 unit = u64(1) << program.target.code_log2();
  if (bytes > max_reserved_bytes) {
    program.diags.error(loc, fmt::format("{} of {} bytes exceeds the limit of {}", what, bytes, max_reserved_bytes));
  } else if (bytes % unit != 0) {
    program.diags.error(loc, fmt::format("{} of {} bytes; instructions take multiples of {}", what, bytes, unit));
  } else {
    return true;
  }
  return false;
}

}  // namespace

void set_stack_map_function(Streamer& out, SymbolId function, u64 stack_size, SourceLoc loc) {
  Program& program = out.program;
  StackMaps& all = program.stack_maps;
  if (!out.reserved.close_shadow(out, "a function", loc)) return;
  const auto [known, is_new] = all.function_of.try_emplace(function, u32(all.functions.size()));
  all.open = known->second;
  if (is_new) return all.functions.push_back({function, stack_size, loc});
  const StackMapFunction& first = all.functions[all.open];
  if (first.stack_size == stack_size) return;
  program.diags.error(loc, fmt::format("'{}' has another stack size already", program.symbols[function].text()));
  program.diags.note(first.loc, "here");
}

void emit_stack_map(Streamer& out, StackMapRecord record, u64 shadow) {
  const SourceLoc loc = record.loc;
  if (can_reserve(out.program, shadow, "a shadow", loc) && add(out, std::move(record)))
    out.reserved.open_shadow(out, shadow, loc);
}

void emit_patch_point(Streamer& out, StackMapRecord record, u64 bytes, const PatchCall* call) {
  const SourceLoc loc = record.loc;
  const u64 id = record.id;
  if (!can_reserve(out.program, bytes, "a patch point", loc) || !add(out, std::move(record))) return;
  out.reserved.open_patch_point(out, id, bytes, loc);
  if (call && out.start_instruction())
    out.program.target.write_patch_call(call->target, call->scratch, out, call->where);
  out.reserved.close_patch_point(out, loc);
}

void begin_patch_point(Streamer& out, StackMapRecord record, u64 bytes) {
  const SourceLoc loc = record.loc;
  const u64 id = record.id;
  if (can_reserve(out.program, bytes, "a patch point", loc) && add(out, std::move(record)))
    out.reserved.open_patch_point(out, id, bytes, loc);
}

void end_patch_point(Streamer& out, SourceLoc loc) { out.reserved.close_patch_point(out, loc); }

void emit_statepoint(Streamer& out, StackMapRecord record) {
  const SourceLoc loc = record.loc;
  if (!add(out, std::move(record))) return;
  const Subsection& sub = *out.current;
  // What stands before it, as far back as an instruction may reach.
  const u64 from = sub.fragments.empty() ? 0 : sub.fragments[sub.fragments.size() - 1].pos;
  const u64 most = std::min<u64>(sub.size - from, longest_instruction);
  for (unsigned n = 1; n <= most; ++n) {
    const u8* const code = sub.data + sub.size - n;
    if (out.program.target.is_call(code, n) || out.program.target.is_nop(code, n)) return;
  }
  out.program.diags.warning(loc, "a statepoint is the return address of a call, and no call stands before this one");
}

void set_stack_map_section(Streamer& out, std::string_view name, u64 flags, SourceLoc loc) {
  Program& program = out.program;
  StackMaps& all = program.stack_maps;
  if (all.is_chosen) {
    program.diags.error(loc, "the section of stack maps has been chosen already");
    return program.diags.note(all.chosen_at, "here");
  }
  for (const StackMapSection& s : all.sections) {  // of records before this, and empty still
    program.sections[s.section].absolute = true;
    program.symbols[all.symbol].kind = SymbolKind::undefined;
  }
  all.sections.clear();
  all.name = program.symbols.keep(name);
  all.flags = flags;
  all.is_chosen = true;
  all.chosen_at = loc;
  for (const StackMapRecord& record : all.records)
    need_section(program, program.sections.sub(record.subsection).section);
  if (program.is_coff || !(flags & elf::SHF_LINK_ORDER)) need_section(program, StackMapSection::all_code);
}

}  // namespace xas
