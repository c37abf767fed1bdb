// SPDX-License-Identifier: Apache-2.0
// Exception tables of ARM's own ABI: .fnstart, .save and their kin to .ARM.exidx and .ARM.extab.
//
// Each function has an entry of two words in .ARM.exidx: where it is, and how it is unwound: not at all, by up to three
// bytes of operations in the entry, or by a table in .ARM.extab, which begins with the routine that reads it.
// Operations undo the prologue (targets/arm/ehabi.h). Words are numbers, so that bytes of operations count from the
// highest.
#include "asm/program/ehabi.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"

namespace xas {

namespace {

constexpr std::string_view extab = ".ARM.extab", exidx = ".ARM.exidx";
constexpr unsigned routines = 3;  ///< __aeabi_unwind_cpp_pr0 to pr2

void error(Streamer& out, std::string message) { out.error(out.program.sources.statement, std::move(message)); }

u64 table_key(std::string_view name, SymbolId group) { return hash_step(hash_name(name), group); }

/// The first section that is the table of this name for a section of code; ~0 if there is none yet.
u32 find_table(Program& program, std::string_view name, u32 code, bool index) {
  EhabiTables& tables = program.ehabi;
  for (; tables.indexed < program.sections.size(); ++tables.indexed) {
    const Section& s = program.sections[tables.indexed];
    if (s.name.starts_with(extab) || s.name.starts_with(exidx))
      tables.by_name.add(table_key(s.name, s.group), tables.indexed);
  }
  const SymbolId group = program.sections[code].group;
  return tables.by_name.find(table_key(name, group), [&](u32 number) {
    const Section& s = program.sections[number];
    if (s.name != name || s.group != group) return false;
    if (!index) return true;
    return s.link_order != no_symbol && program.sections.sub(program.symbols[s.link_order].where).section == code;
  });
}

/// The table that goes with a code section: .ARM.exidx.text.f for .text.f, in its group.
Section& table_section(Program& program, std::string_view prefix, u32 code) {
  EhabiTables& tables = program.ehabi;
  const bool index = prefix == exidx, own = index || !program.profile.ehabi_shares_extab;
  std::vector<u32>& made = index ? tables.index_of : tables.extab_of;
  if (own && code < made.size() && made[code]) return program.sections[made[code]];
  const Section& of = program.sections[code];
  const std::string name = of.name == ".text" ? std::string(prefix) : fmt::format("{}{}", prefix, of.name);
  if (index || !own) {
    if (const u32 known = find_table(program, name, code, index); known != ~u32(0)) return program.sections[known];
  }
  const u32 number = u32(program.sections.size());
  Section& s = program.sections.create(program.symbols.keep(name));
  if (own) {
    if (made.size() <= code) made.resize(code + 1);
    made[code] = number;
    if (index) tables.indexed = number + 1;
  }
  s.type = index ? elf::SHT_ARM_EXIDX : u32(elf::SHT_PROGBITS);
  s.flags = elf::SHF_ALLOC | (index ? u64(elf::SHF_LINK_ORDER) : 0) | (of.group != no_symbol ? u64(elf::SHF_GROUP) : 0);
  s.group = of.group;
  s.comdat = of.comdat;
  s.mapping = Mapping::none;
  if (index) s.link_order = program.section_symbol(program.sections[code]);
  program.info.elf.all_section_symbols ? program.list_section(s) : void(program.section_symbol(s));
  return s;
}

void put_prel31(Streamer& out, SymbolId to, SourceLoc loc) {
  out.data_follows();
  std::memset(out.current->reserve(8), 0, 8);
  out.add_fixup(u32(out.current->size), arm::fixup_prel31, {.add = to}, loc);
  out.current->size += 4;
}

/// Bytes of operations as words, the first byte highest.
void put_words(Streamer& out, std::vector<u8> bytes) {
  bytes.resize((bytes.size() + 3) & ~std::size_t(3));
  for (std::size_t i = 0; i < bytes.size(); i += 4)
    out.emit_int(u32(bytes[i]) << 24 | u32(bytes[i + 1]) << 16 | u32(bytes[i + 2]) << 8 | bytes[i + 3], 4);
}

/// Ends the operations and, where they do not fit into the index, begins the function's table. The current section is
/// the table's afterwards, if there is one.
void flush_operations(Streamer& out, EhabiFunction& f, bool has_data, std::vector<u8>& bytes) {
  if (f.uses_frame) {
    f.operations.move_sp(f.stack - f.pending - f.frame);
    f.operations.sp_from(f.frame_register);
  } else {
    f.flush_pending();
  }
  bytes = f.operations.finish(f.personality != no_symbol, f.personality_index);
  if (f.personality == no_symbol && f.personality_index == 0 && bytes.size() > 4) {
    return out.program.diags.error(
        f.loc, "the operations of this function do not fit into three bytes, as .personalityindex 0 asks for");
  }
  constexpr std::size_t max_words = 256;
  if (bytes.size() / 4 > max_words)
    return out.program.diags.error(f.loc, "the operations of this function take more than 1023 bytes");
  if (!has_data && f.personality == no_symbol && f.personality_index == 0) return;
  out.switch_to(out.program.sections.sub(table_section(out.program, extab, f.section).default_subsection));
  out.emit_align(2, 1, 0, 0, f.loc);
  f.table = out.make_label_here();
  if (f.personality != no_symbol) put_prel31(out, f.personality, f.loc);
  put_words(out, bytes);
  if (!has_data && (f.personality == no_symbol || out.program.profile.ehabi_empty_data)) out.emit_int(0, 4);
}

/// A reference that keeps the routine in the program, at an entry of the index whose first `written` bytes stand.
void mark_routine(Streamer& out, EhabiFunction& f, u32 written) {
  if (f.personality_index < 0 || f.personality != no_symbol || !out.program.info.elf.marks_routines) return;
  if (out.program.profile.ehabi_routine_once) {
    std::vector<bool>& marked = out.program.ehabi.marked[f.personality_index];
    const u32 table = out.current->section;
    if (marked.size() <= table) marked.resize(table + 1);
    if (marked[table]) return;
    marked[table] = true;
  }
  const SymbolId routine = out.program.symbols.intern_copy(fmt::format("__aeabi_unwind_cpp_pr{}", f.personality_index));
  out.program.symbols[routine].flags |= symbol_referenced;
  out.add_fixup(u32(out.current->size) - written, fixup_none, {.add = routine, .modifier = arm::mod_none_reloc}, f.loc);
}

}  // namespace

void EhabiFunction::flush_pending() {
  if (pending) operations.move_sp(-pending);
  pending = 0;
}

void begin_ehabi_function(Streamer& out) {
  EhabiTables& tables = out.program.ehabi;
  if (tables.in_function) {
    error(out, ".fnstart before the .fnend of the function that is open");
    return out.program.diags.note(tables.function.loc, "which begins here");
  }
  tables.in_function = true;
  tables.function = {};
  tables.function.loc = out.program.sources.statement_loc();
  tables.function.start = out.make_label_here();
  tables.function.section = out.current->section;
}

EhabiFunction* ehabi_function(Streamer& out, bool before_data) {
  EhabiTables& tables = out.program.ehabi;
  if (!tables.in_function) return error(out, "no function is open here; .fnstart begins one"), nullptr;
  if (before_data && tables.function.has_data) return error(out, "this must stand before .handlerdata"), nullptr;
  return &tables.function;
}

void end_ehabi_function(Streamer& out, EhabiFunction& f) {
  Program& program = out.program;
  if (!f.has_data) f.subsection = out.current->id;
  const u32 code =
      program.profile.ehabi_keeps_subsection ? f.subsection : program.sections[f.section].default_subsection;
  std::vector<u8> bytes;
  // GNU as makes the section whether it is needed or not.
  if (f.table == no_symbol && program.profile.ehabi_extab_always) table_section(program, extab, f.section);
  if (f.table == no_symbol && !f.cant_unwind) flush_operations(out, f, false, bytes);
  out.switch_to(program.sections.sub(table_section(program, exidx, f.section).default_subsection));
  out.emit_align(2, 1, 0, 0, f.loc);
  if (!program.profile.ehabi_routine_second) mark_routine(out, f, 0);
  put_prel31(out, f.start, f.loc);
  if (program.profile.ehabi_routine_second) mark_routine(out, f, 4);
  if (f.cant_unwind)
    out.emit_int(1, 4);
  else if (f.table != no_symbol)
    put_prel31(out, f.table, f.loc);
  else
    put_words(out, bytes);
  out.switch_to(program.sections.sub(code));
  program.ehabi.in_function = false;
}

void ehabi_cant_unwind(Streamer& out, EhabiFunction& f) {
  if (f.personality != no_symbol || f.personality_index >= 0)
    return error(out, ".cantunwind contradicts the personality routine");
  f.cant_unwind = true;
}

bool may_choose_ehabi_routine(Streamer& out, const EhabiFunction& f) {
  if (!f.cant_unwind && f.personality == no_symbol && f.personality_index < 0) return true;
  error(out, "the function has a personality routine already, or can't be unwound");
  return false;
}

void ehabi_personality(Streamer& out, EhabiFunction& f, SymbolId routine) {
  f.personality = routine;
  out.program.symbols[routine].flags |= symbol_referenced;
}

void ehabi_personality_index(Streamer& out, EhabiFunction& f, i64 index) {
  if (index < 0 || index >= i64(routines))
    return error(out, fmt::format("there is no routine {}; 0 to 2 are known", index));
  f.personality_index = int(index);
}

void ehabi_handler_data(Streamer& out, EhabiFunction& f) {
  if (f.cant_unwind) return error(out, ".handlerdata contradicts .cantunwind");
  f.has_data = true;
  f.subsection = out.current->id;
  std::vector<u8> bytes;
  flush_operations(out, f, true, bytes);
}

/// The stack pointer is in ip, which is stored itself, and sp is not: what takes sp from ip is not needed.
static void store_moved_sp(EhabiFunction& f, u32& registers) {
  constexpr u32 ip = 1 << 12, sp = 1 << 13;
  if (f.frame_register != 12 || (registers & (ip | sp)) != ip || !f.operations.take_back_sp_from(12)) return;
  f.pending = 0;
  registers ^= ip | sp;
}

void ehabi_save(Streamer& out, EhabiFunction& f, u32 registers, bool signature, std::span<const u32> runs) {
  i64 count = std::popcount(registers) + signature;
  for (u32 run : runs) count += std::popcount(run);
  f.stack -= count * 4;
  if (out.program.profile.ehabi_stores_moved_sp) store_moved_sp(f, registers);
  f.flush_pending();
  constexpr u32 above_signature = 0xF000;  // it stands in the place of r12
  if (signature) {
    f.operations.pop(registers & above_signature);
    f.operations.pop_signature();
    registers &= ~above_signature;
  }
  f.operations.pop(registers);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) f.operations.pop(*run);
}

void ehabi_vsave(EhabiFunction& f, u32 registers) {
  f.stack -= std::popcount(registers) * 8;
  f.flush_pending();
  f.operations.pop_vector(registers);
}

void ehabi_save_fstmx(Streamer& out, EhabiFunction& f, u32 registers) {
  const u32 run = registers >> std::countr_zero(registers);
  if (run & (run + 1)) return error(out, "fstmx stores registers that follow each other");
  if (registers > 0xFFFF) return error(out, "fstmx stores no registers beyond d15; .vsave has them");
  f.stack -= std::popcount(registers) * 8 + 4;
  f.flush_pending();
  f.operations.pop_fstmx(registers);
}

void ehabi_save_wmmx(EhabiFunction& f, u32 registers) {
  f.stack -= std::popcount(registers) * 8;
  f.flush_pending();
  f.operations.pop_wmmx(registers);
}

void ehabi_save_wmmx_control(EhabiFunction& f, u32 registers) {
  f.stack -= std::popcount(registers) * 4;
  f.flush_pending();
  f.operations.pop_wmmx_control(registers);
}

void ehabi_save_fpa(EhabiFunction& f, u8 first, u8 count) {
  constexpr i64 register_size = 12;
  f.stack -= count * register_size;
  f.flush_pending();
  f.operations.pop_fpa(first, count);
}

void ehabi_pad(Streamer& out, EhabiFunction& f, i64 size) {
  if (size % 4) return error(out, fmt::format("{} is no multiple of 4", size));
  f.stack -= size;
  f.pending -= size;
}

void ehabi_set_frame(Streamer& out, EhabiFunction& f, u8 frame, u8 base, i64 offset) {
  if (base != arm::reg_sp && base != f.frame_register)
    return error(out, "the second register must be sp, or the frame pointer of an earlier .setfp");
  f.uses_frame = true;
  f.frame_register = frame;
  f.frame = (base == arm::reg_sp ? f.stack : f.frame) + offset;
}

void ehabi_move_sp(Streamer& out, EhabiFunction& f, u8 reg, i64 offset) {
  if (f.uses_frame && f.frame_register != arm::reg_sp) return error(out, ".movsp behind a .setfp");
  f.flush_pending();
  f.frame_register = reg;
  f.frame = f.stack + offset;
  f.operations.sp_from(reg);
}

void ehabi_raw(EhabiFunction& f, i64 offset, std::vector<u8> operations) {
  f.flush_pending();
  f.stack -= offset;
  f.operations.raw(std::move(operations));
}

void ehabi_pac_sp(Streamer& out, EhabiFunction& f) {
  f.flush_pending();
  f.operations.raw({out.program.profile.ehabi_pacspval_operation});
}

}  // namespace xas
