// Exception tables of ARM's own ABI: .fnstart, .save and their kin to .ARM.exidx and .ARM.extab.
//
// Each function has an entry of two words in .ARM.exidx: where it is, and how it is unwound: not at all, by up to three
// bytes of operations in the entry, or by a table in .ARM.extab, which begins with the routine that reads it.
// Operations undo the prologue (targets/arm/ehabi.h). Words are numbers, so that bytes of operations count from the
// highest.
//
// Source: Exception Handling ABI for the Arm Architecture, 6 (tables).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <cstdlib>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "asm/read/reader.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"

namespace xas {

namespace {

constexpr unsigned routines = 3;  ///< __aeabi_unwind_cpp_pr0 to pr2
constexpr i64 largest_frame = 1 << 24;

ArmFunction* open_function(Reader& reader, bool before_data = true) {
  if (!reader.program().arm.in_function) {
    reader.error("no function is open here; .fnstart begins one");
  } else if (before_data && reader.program().arm.function.has_data) {
    reader.error("this must stand before .handlerdata");
  } else {
    return &reader.program().arm.function;
  }
  reader.skip_statement();
  return nullptr;
}

void flush_pending(ArmFunction& f) {
  if (f.pending) f.operations.move_sp(-f.pending);
  f.pending = 0;
}

/// A general register, by its name.
bool parse_general(Reader& reader, u8& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  const int r = parse_any_register(reader, reader.p);
  if (r < 0 || arm::Register::unpack(r).atom != arm::atom_low)
    return reader.error(where, "expected a general register"), false;
  number = arm::Register::unpack(r).number;
  return true;
}

/// '{' register [ '-' register ] { ',' ... } '}': a bit for each; all general, or all double. Between the general ones
/// may stand ra_auth_code, the return address's signature. GNU as saves what a range completes by itself: `pieces`,
/// whose bits are not in the mask.
bool parse_list(Reader& reader, u32& mask, bool& vector, bool& signature, std::vector<u32>& pieces) {
  skip_blanks(reader);
  if (*reader.p != '{') return reader.error_here("expected a list of registers in braces"), false;
  ++reader.p;
  mask = 0;
  signature = false;
  for (;;) {
    skip_blanks(reader);
    unsigned ends[2] = {1, 0};
    constexpr std::string_view signature_name = "ra_auth_code";
    const bool is_signature = name_length(reader.p) == signature_name.size() &&
                              text::equals_ignoring_case({reader.p, signature_name.size()}, signature_name);
    if (is_signature) {
      if (vector) return reader.error_here("the registers of a list must be of one kind"), false;
      reader.p += signature_name.size();
      signature = true;
    }
    for (unsigned i = 0; i < 2 && !is_signature; ++i) {
      skip_blanks(reader);
      const char* where = reader.p;
      const int number = parse_any_register(reader, reader.p);
      const arm::Register r = number < 0 ? arm::Register{} : arm::Register::unpack(number);
      const bool is_vector = r.atom == arm::atom_d;
      if (number < 0 || (!is_vector && r.atom != arm::atom_low))
        return reader.error(where, "expected a register"), false;
      if ((mask || signature || !pieces.empty()) && is_vector != vector)
        return reader.error(where, "the registers of a list must be of one kind"), false;
      vector = is_vector;
      ends[i] = r.number;
      if (i == 0) {
        ends[1] = ends[0];
        skip_blanks(reader);
        if (*reader.p != '-') break;
        ++reader.p;
      } else if (ends[1] < ends[0]) {
        return reader.error(where, "a range ends with a register of a higher number"), false;
      }
    }
    for (unsigned n = ends[0]; n <= ends[1]; ++n) mask |= 1u << n;
    if (reader.program().profile.ehabi_range_pops_alone && !vector && ends[0] < ends[1])
      pieces.push_back(std::exchange(mask, 0));
    skip_blanks(reader);
    if (*reader.p == ',') {
      ++reader.p;
      continue;
    }
    if (*reader.p != '}') return reader.error_here("expected ',' or '}' in the list"), false;
    ++reader.p;
    return true;
  }
}

/// [ '#' ] number
bool parse_offset(Reader& reader, const ArmFunction& f, i64& value) {
  skip_blanks(reader);
  const char* where = reader.p;
  if (*reader.p == '#' || *reader.p == '$') ++reader.p;
  if (!reader.absolute(value, "the offset")) return false;
  if (value >= -largest_frame && value <= largest_frame && std::abs(f.stack - value) <= largest_frame) return true;
  return reader.error(where, fmt::format("{} makes a frame of more than {} bytes", value, largest_frame)), false;
}

/// The table that goes with a code section: .ARM.exidx.text.f for .text.f, in its group.
Section& table_section(Program& program, std::string_view prefix, u32 code, bool index) {
  const Section& of = program.sections[code];
  const std::string name = of.name == ".text" ? std::string(prefix) : fmt::format("{}{}", prefix, of.name);
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& s = program.sections[i];
    if (s.name == name && s.group == of.group &&
        (!index ||
         (s.link_order != no_symbol && program.sections.sub(program.symbols[s.link_order].where).section == code)))
      return s;
  }
  Section& s = program.sections.create({program.symbols.keep(name), name.size()});
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
void flush_operations(Streamer& out, ArmFunction& f, bool has_data, std::vector<u8>& bytes) {
  if (f.uses_frame) {
    f.operations.move_sp(f.stack - f.pending - f.frame);
    f.operations.sp_from(f.frame_register);
  } else {
    flush_pending(f);
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
  out.switch_to(
      out.program.sections.sub(table_section(out.program, ".ARM.extab", f.section, false).default_subsection));
  out.emit_align(2, 1, 0, 0, f.loc);
  f.table = out.make_label_here();
  if (f.personality != no_symbol) put_prel31(out, f.personality, f.loc);
  put_words(out, bytes);
  if (!has_data && f.personality == no_symbol) out.emit_int(0, 4);
}

void fnstart(Reader& reader) {
  if (reader.program().arm.in_function) {
    reader.error(".fnstart before the .fnend of the function that is open");
    return reader.program().diags.note(reader.program().arm.function.loc, "which begins here");
  }
  reader.program().arm.in_function = true;
  reader.program().arm.function = {};
  reader.program().arm.function.loc = reader.program().sources.statement_loc();
  reader.program().arm.function.start = reader.out.make_label_here();
  reader.program().arm.function.section = reader.out.current->section;
}

/// A reference that keeps the routine in the program, at an entry of the index whose first `written` bytes stand.
void mark_routine(Streamer& out, ArmFunction& f, u32 written) {
  if (f.personality_index < 0 || f.personality != no_symbol) return;
  std::vector<u32>& marked = out.program.arm.marked[f.personality_index];
  if (out.program.profile.ehabi_routine_once) {
    if (std::find(marked.begin(), marked.end(), out.current->section) != marked.end()) return;
    marked.push_back(out.current->section);
  }
  const SymbolId routine = out.program.symbols.intern_copy(fmt::format("__aeabi_unwind_cpp_pr{}", f.personality_index));
  out.program.symbols[routine].flags |= symbol_referenced;
  out.add_fixup(u32(out.current->size) - written, fixup_none, {.add = routine, .modifier = arm::mod_none_reloc}, f.loc);
}

void fnend(Reader& reader) {
  ArmFunction* f = open_function(reader, false);
  if (!f) return;
  Subsection* const code = &reader.program().sections.sub(reader.program().sections[f->section].default_subsection);
  std::vector<u8> bytes;
  // GNU as makes the section whether it is needed or not.
  if (f->table == no_symbol && reader.program().profile.ehabi_extab_always)
    table_section(reader.program(), ".ARM.extab", f->section, false);
  if (f->table == no_symbol && !f->cant_unwind) flush_operations(reader.out, *f, false, bytes);
  reader.out.switch_to(reader.program().sections.sub(
      table_section(reader.program(), ".ARM.exidx", f->section, true).default_subsection));
  reader.out.emit_align(2, 1, 0, 0, f->loc);
  if (!reader.program().profile.ehabi_routine_second) mark_routine(reader.out, *f, 0);
  put_prel31(reader.out, f->start, f->loc);
  if (reader.program().profile.ehabi_routine_second) mark_routine(reader.out, *f, 4);
  if (f->cant_unwind)
    reader.out.emit_int(1, 4);
  else if (f->table != no_symbol)
    put_prel31(reader.out, f->table, f->loc);
  else
    put_words(reader.out, bytes);
  reader.out.switch_to(*code);
  reader.program().arm.in_function = false;
}

void cantunwind(Reader& reader) {
  ArmFunction* f = open_function(reader);
  if (!f) return;
  if (f->personality != no_symbol || f->personality_index >= 0)
    return reader.error(".cantunwind contradicts the personality routine");
  f->cant_unwind = true;
}

void personality(Reader& reader) {
  ArmFunction* f = open_function(reader);
  if (!f) return;
  if (f->cant_unwind || f->personality != no_symbol || f->personality_index >= 0) {
    return reader.error("the function has a personality routine already, or can't be unwound");
  }
  parse_symbol(reader, f->personality, "symbol name");
  if (f->personality != no_symbol) reader.program().symbols[f->personality].flags |= symbol_referenced;
}

void personality_index(Reader& reader) {
  ArmFunction* f = open_function(reader);
  i64 index;
  if (!f || !reader.absolute(index, "the routine's number")) return;
  if (f->cant_unwind || f->personality != no_symbol || f->personality_index >= 0) {
    return reader.error("the function has a personality routine already, or can't be unwound");
  }
  if (index < 0 || index >= i64(routines))
    return reader.error(fmt::format("there is no routine {}; 0 to 2 are known", index));
  f->personality_index = int(index);
}

void handlerdata(Reader& reader) {
  ArmFunction* f = open_function(reader);
  if (!f) return;
  if (f->cant_unwind) return reader.error(".handlerdata contradicts .cantunwind");
  f->has_data = true;
  std::vector<u8> bytes;
  flush_operations(reader.out, *f, true, bytes);
}

/// .save and .vsave: the latter's double registers have been stored without the word that fstmx adds.
void save_registers(Reader& reader, bool is_vsave) {
  ArmFunction* f = open_function(reader);
  u32 mask;
  bool vector = false, signature;
  std::vector<u32> pieces;
  if (!f || !parse_list(reader, mask, vector, signature, pieces)) return;
  i64 count = std::popcount(mask) + signature;
  for (u32 piece : pieces) count += std::popcount(piece);
  const bool is_fstmx = vector && !is_vsave;
  if (is_fstmx && (mask >> std::countr_zero(mask) & ((mask >> std::countr_zero(mask)) + 1)))
    return reader.error("fstmx stores registers that follow each other");
  if (is_fstmx && mask > 0xFFFF) return reader.error("fstmx stores no registers beyond d15; .vsave has them");
  f->stack -= count * (vector ? 8 : 4) + (is_fstmx ? 4 : 0);
  flush_pending(*f);
  if (is_fstmx) return f->operations.pop_fstmx(mask);
  if (vector) return f->operations.pop_vector(mask);
  constexpr u32 above_signature = 0xF000;  // it stands in the place of r12
  if (signature) {
    f->operations.pop(mask & above_signature);
    f->operations.pop_signature();
    mask &= ~above_signature;
  }
  f->operations.pop(mask);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) f->operations.pop(*piece);
}

void save(Reader& reader) { save_registers(reader, false); }
void vsave(Reader& reader) { save_registers(reader, true); }

void pad(Reader& reader) {
  ArmFunction* f = open_function(reader);
  i64 size;
  if (!f || !parse_offset(reader, *f, size)) return;
  if (size % 4) return reader.error(fmt::format("{} is no multiple of 4", size));
  f->stack -= size;
  f->pending -= size;
}

/// .setfp register, (sp | register) [, offset]
void setfp(Reader& reader) {
  ArmFunction* f = open_function(reader);
  u8 frame, base;
  i64 offset = 0;
  if (!f || !parse_general(reader, frame) || !expect_comma(reader, "the register") || !parse_general(reader, base))
    return;
  if (accept_comma(reader) && !parse_offset(reader, *f, offset)) return;
  if (base != arm::reg_sp && base != f->frame_register) {
    return reader.error("the second register must be sp, or the frame pointer of an earlier .setfp");
  }
  f->uses_frame = true;
  f->frame_register = frame;
  f->frame = (base == arm::reg_sp ? f->stack : f->frame) + offset;
}

/// .movsp register [, offset]
void movsp(Reader& reader) {
  ArmFunction* f = open_function(reader);
  u8 reg;
  i64 offset = 0;
  if (!f || !parse_general(reader, reg)) return;
  if (reg == arm::reg_sp || reg == arm::reg_pc) return reader.error("sp and pc can't hold the stack pointer");
  if (accept_comma(reader) && !parse_offset(reader, *f, offset)) return;
  if (f->uses_frame && f->frame_register != arm::reg_sp) return reader.error(".movsp behind a .setfp");
  flush_pending(*f);
  f->frame_register = reg;
  f->frame = f->stack + offset;
  f->operations.sp_from(reg);
}

/// .unwind_raw offset, byte, ...
void unwind_raw(Reader& reader) {
  ArmFunction* f = open_function(reader);
  i64 offset;
  if (!f || !parse_offset(reader, *f, offset)) return;
  std::vector<u8> bytes;
  while (accept_comma(reader)) {
    const char* where = reader.p;
    i64 byte;
    if (!reader.absolute(byte, "the byte")) return;
    if (byte < 0 || byte > 255) return reader.error(where, fmt::format("{} is not a byte (0 to 255)", byte));
    bytes.push_back(u8(byte));
  }
  if (bytes.empty()) return reader.error_here("expected ',' and bytes of operations");
  flush_pending(*f);
  f->stack -= offset;
  f->operations.raw(std::move(bytes));
}

/// .pacspval: the stack pointer was the modifier of the return address's authentication code.
void pacspval(Reader& reader) {
  ArmFunction* f = open_function(reader);
  if (!f) return;
  flush_pending(*f);
  f->operations.raw({reader.program().profile.ehabi_pacspval_operation});
}

struct EhabiDirective {
  std::string_view name;
  void (*handler)(Reader&);
};

constexpr EhabiDirective directives[] = {
    {".fnstart", fnstart}, {".fnend", fnend}, {".cantunwind", cantunwind}, {".personality", personality},
    {".personalityindex", personality_index}, {".handlerdata", handlerdata}, {".save", save}, {".vsave", vsave},
    {".pad", pad}, {".setfp", setfp}, {".movsp", movsp}, {".unwind_raw", unwind_raw},
    {".pacspval", pacspval},
};

}  // namespace

bool ehabi_directive(Reader& reader, std::string_view name) {
  for (const EhabiDirective& d : directives) {
    if (!text::equals_ignoring_case(name, d.name)) continue;
    if (reader.program().is_coff) {
      reader.error("exceptions of Windows have tables of their own; .seh_ directives describe functions");
      reader.skip_statement();
    } else {
      d.handler(reader);
    }
    return true;
  }
  return false;
}

}  // namespace xas
