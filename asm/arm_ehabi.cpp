// Exception tables of ARM's own ABI: .fnstart, .save and their kin to .ARM.exidx and .ARM.extab.
//
// Each function has an entry of two words in .ARM.exidx: where it is, and how it is unwound: not at all, by up to three
// bytes of operations in the entry, or by a table in .ARM.extab, which begins with the routine that reads it.
// Operations undo the prologue, so they stand in reverse. Words are numbers, so that bytes of operations count from the
// highest.
//
// Source: Exception Handling ABI for the Arm Architecture, 6 (tables), 10.3 (operations).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <cstdlib>

#include "asm/assembler.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"

namespace xas {

namespace {

constexpr u32 SHT_ARM_EXIDX = 0x70000001;
constexpr unsigned routines = 3;  ///< __aeabi_unwind_cpp_pr0 to pr2
constexpr i64 largest_frame = 1 << 24;

/// Operations of the ABI by their first byte.
enum : u8 {
  op_sp_up = 0x00, op_sp_down = 0x40, op_pop_mask = 0x80, op_sp_from = 0x90, op_pop_r4 = 0xA0, op_pop_r4_lr = 0xA8,
  op_finish = 0xB0, op_pop_low = 0xB1, op_sp_up_far = 0xB2, op_pop_signature = 0xB4, op_pop_vfp_high = 0xC8,
  op_pop_vfp = 0xC9, op_pop_fstmx = 0xB3, op_pop_fstmx_from_8 = 0xB8,
};

ArmFunction* open_function(Assembler& a, bool before_data = true) {
  if (!a.arm.in_function) {
    a.error(a.statement_start, "no function is open here; .fnstart begins one");
  } else if (before_data && a.arm.function.has_data) {
    a.error(a.statement_start, "this must stand before .handlerdata");
  } else {
    return &a.arm.function;
  }
  a.skip_statement();
  return nullptr;
}

void put_sp_offset(ArmFunction& f, i64 offset) {
  std::vector<u8> bytes;
  if (offset > 0x200) {
    bytes.push_back(op_sp_up_far);
    for (u64 v = u64(offset - 0x204) >> 2, more = 1; more;) {
      more = v > 0x7F;
      bytes.push_back(u8((v & 0x7F) | (more ? 0x80 : 0)));
      v >>= 7;
    }
    f.operations.push_back(bytes);
    return;
  }
  while (offset > 0) {
    const i64 part = std::min<i64>(offset, 0x100);
    f.operations.push_back({u8(op_sp_up | (part - 4) >> 2)});
    offset -= part;
  }
  while (offset < 0) {
    const i64 part = std::min<i64>(-offset, 0x100);
    f.operations.push_back({u8(op_sp_down | (part - 4) >> 2)});
    offset += part;
  }
}

void flush_pending(ArmFunction& f) {
  if (f.pending) put_sp_offset(f, -f.pending);
  f.pending = 0;
}

void put_save(ArmFunction& f, u32 mask) {
  if (mask & 0x10) {
    // A run from r4 on, perhaps with lr, has a short form.
    unsigned range = 0;
    while (range < 7 && mask >> (5 + range) & 1) ++range;
    const u32 others = mask & 0xFFF0 & ~((2u << (4 + range)) - 0x10);
    if (others == 0 || others == 0x4000) {
      f.operations.push_back({u8((others ? op_pop_r4_lr : op_pop_r4) | range)});
      mask &= 0xF;
    }
  }
  if (mask & 0xFFF0) f.operations.push_back({u8(op_pop_mask | mask >> 12), u8(mask >> 4)});
  if (mask & 0xF) f.operations.push_back({op_pop_low, u8(mask & 0xF)});
}

/// Runs of double registers, those from d16 on first.
void put_vector_save(ArmFunction& f, u32 mask) {
  for (const bool high : {true, false}) {
    u32 half = high ? mask >> 16 : mask & 0xFFFF;
    while (half) {
      const unsigned last = unsigned(std::bit_width(half)) - 1;
      const unsigned count = unsigned(std::countl_one(half << (31 - last)));
      const unsigned first = last + 1 - count;
      f.operations.push_back({high ? op_pop_vfp_high : op_pop_vfp, u8(first << 4 | (count - 1))});
      half &= (1u << first) - 1;
    }
  }
}

/// What fstmx of Armv5 stored: a run of double registers, and another word.
void put_fstmx_save(ArmFunction& f, u32 mask) {
  const unsigned first = unsigned(std::countr_zero(mask)), count = unsigned(std::popcount(mask));
  if (first == 8) f.operations.push_back({u8(op_pop_fstmx_from_8 | (count - 1))});
  else f.operations.push_back({op_pop_fstmx, u8(first << 4 | (count - 1))});
}

/// A general register, by its name.
bool parse_general(Assembler& a, u8& number) {
  skip_blanks(a);
  const char* where = a.p;
  const int r = parse_any_register(a, a.p);
  if (r < 0 || arm::Register::unpack(r).atom != arm::atom_low)
    return a.error(where, "expected a general register"), false;
  number = arm::Register::unpack(r).number;
  return true;
}

/// '{' register [ '-' register ] { ',' ... } '}': a bit for each; all general, or all double. Between the general ones
/// may stand ra_auth_code, the return address's signature. GNU as saves what a range completes by itself: `pieces`,
/// whose bits are not in the mask.
bool parse_list(Assembler& a, u32& mask, bool& vector, bool& signature, std::vector<u32>& pieces) {
  skip_blanks(a);
  if (*a.p != '{') return a.error_here("expected a list of registers in braces"), false;
  ++a.p;
  mask = 0;
  signature = false;
  for (;;) {
    skip_blanks(a);
    unsigned ends[2] = {1, 0};
    constexpr std::string_view signature_name = "ra_auth_code";
    const bool is_signature = name_length(a.p) == signature_name.size() &&
                              text::equals_ignoring_case({a.p, signature_name.size()}, signature_name);
    if (is_signature) {
      if (vector) return a.error_here("the registers of a list must be of one kind"), false;
      a.p += signature_name.size();
      signature = true;
    }
    for (unsigned i = 0; i < 2 && !is_signature; ++i) {
      skip_blanks(a);
      const char* where = a.p;
      const int number = parse_any_register(a, a.p);
      const arm::Register r = number < 0 ? arm::Register{} : arm::Register::unpack(number);
      const bool is_vector = r.atom == arm::atom_d;
      if (number < 0 || (!is_vector && r.atom != arm::atom_low)) return a.error(where, "expected a register"), false;
      if ((mask || signature || !pieces.empty()) && is_vector != vector)
        return a.error(where, "the registers of a list must be of one kind"), false;
      vector = is_vector;
      ends[i] = r.number;
      if (i == 0) {
        ends[1] = ends[0];
        skip_blanks(a);
        if (*a.p != '-') break;
        ++a.p;
      } else if (ends[1] < ends[0]) {
        return a.error(where, "a range ends with a register of a higher number"), false;
      }
    }
    for (unsigned n = ends[0]; n <= ends[1]; ++n) mask |= 1u << n;
    if (a.profile.gnu && !vector && ends[0] < ends[1]) pieces.push_back(std::exchange(mask, 0));
    skip_blanks(a);
    if (*a.p == ',') {
      ++a.p;
      continue;
    }
    if (*a.p != '}') return a.error_here("expected ',' or '}' in the list"), false;
    ++a.p;
    return true;
  }
}

/// [ '#' ] number
bool parse_offset(Assembler& a, const ArmFunction& f, i64& value) {
  skip_blanks(a);
  const char* where = a.p;
  if (*a.p == '#' || *a.p == '$') ++a.p;
  if (!a.absolute(value, "the offset")) return false;
  if (value >= -largest_frame && value <= largest_frame && std::abs(f.stack - value) <= largest_frame) return true;
  return a.error(where, fmt::format("{} makes a frame of more than {} bytes", value, largest_frame)), false;
}

/// The table that goes with a code section: .ARM.exidx.text.f for .text.f, in its group.
Section& table_section(Assembler& a, std::string_view prefix, u32 code, bool index) {
  const Section& of = a.sections[code];
  const std::string name = of.name == ".text" ? std::string(prefix) : fmt::format("{}{}", prefix, of.name);
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& s = a.sections[i];
    if (s.name == name && s.group == of.group &&
        (!index || (s.link_order != no_symbol && a.sections.sub(a.symbols[s.link_order].where).section == code)))
      return s;
  }
  Section& s = a.sections.create({a.symbols.keep(name), name.size()});
  s.type = index ? SHT_ARM_EXIDX : u32(elf::SHT_PROGBITS);
  s.flags = elf::SHF_ALLOC | (index ? u64(elf::SHF_LINK_ORDER) : 0) | (of.group != no_symbol ? u64(elf::SHF_GROUP) : 0);
  s.group = of.group;
  s.comdat = of.comdat;
  s.mapping = Mapping::none;
  if (index) s.link_order = a.section_symbol(a.sections[code]);
  a.info.all_section_symbols ? a.list_section(s) : void(a.section_symbol(s));
  return s;
}

void put_prel31(Assembler& a, SymbolId to, SourceLoc loc) {
  a.data_follows();
  std::memset(a.current->reserve(8), 0, 8);
  a.add_fixup(u32(a.current->size), arm::fixup_prel31, {.add = to}, loc);
  a.current->size += 4;
}

/// Bytes of operations as words, the first byte highest.
void put_words(Assembler& a, std::vector<u8> bytes) {
  bytes.resize((bytes.size() + 3) & ~std::size_t(3));
  for (std::size_t i = 0; i < bytes.size(); i += 4)
    a.emit_int(u32(bytes[i]) << 24 | u32(bytes[i + 1]) << 16 | u32(bytes[i + 2]) << 8 | bytes[i + 3], 4);
}

/// All operations in the order of unwinding, behind what says which routine reads them and how long they are.
std::vector<u8> finish_operations(ArmFunction& f) {
  std::vector<u8> code;
  for (auto o = f.operations.rbegin(); o != f.operations.rend(); ++o) code.insert(code.end(), o->begin(), o->end());
  std::vector<u8> out;
  std::size_t size;
  if (f.personality != no_symbol) {
    size = (code.size() + 1 + 3) & ~std::size_t(3);
    out.push_back(u8(size / 4 - 1));
  } else {
    if (f.personality_index < 0) f.personality_index = code.size() <= 3 ? 0 : 1;
    out.push_back(u8(0x80 | f.personality_index));
    size = 4;
    if (f.personality_index > 0) {
      size = (code.size() + 2 + 3) & ~std::size_t(3);
      out.push_back(u8(size / 4 - 1));
    }
  }
  out.insert(out.end(), code.begin(), code.end());
  while (out.size() < size) out.push_back(op_finish);
  return out;
}

/// Ends the operations and, where they do not fit into the index, begins the function's table. The current section is
/// the table's afterwards, if there is one.
void flush_operations(Assembler& a, ArmFunction& f, bool has_data, std::vector<u8>& bytes) {
  if (f.uses_frame) {
    put_sp_offset(f, f.stack - f.pending - f.frame);
    f.operations.push_back({u8(op_sp_from | f.frame_register)});
  } else {
    flush_pending(f);
  }
  bytes = finish_operations(f);
  if (f.personality == no_symbol && f.personality_index == 0 && bytes.size() > 4) {
    return a.diags.error(
        f.loc, "the operations of this function do not fit into three bytes, as .personalityindex 0 asks for");
  }
  constexpr std::size_t most_words = 256;
  if (bytes.size() / 4 > most_words)
    return a.diags.error(f.loc, "the operations of this function take more than 1023 bytes");
  if (!has_data && f.personality == no_symbol && f.personality_index == 0) return;
  a.switch_to(a.sections.sub(table_section(a, ".ARM.extab", f.section, false).default_subsection));
  a.emit_align(2, 1, 0, 0, f.loc);
  f.table = a.make_label_here();
  if (f.personality != no_symbol) put_prel31(a, f.personality, f.loc);
  put_words(a, bytes);
  if (!has_data && f.personality == no_symbol) a.emit_int(0, 4);
}

void fnstart(Assembler& a) {
  if (a.arm.in_function) {
    a.error(a.statement_start, ".fnstart before the .fnend of the function that is open");
    return a.diags.note(a.arm.function.loc, "which begins here");
  }
  a.arm.in_function = true;
  a.arm.function = {};
  a.arm.function.loc = a.loc_of(a.statement_start);
  a.arm.function.start = a.make_label_here();
  a.arm.function.section = a.current->section;
}

/// A reference that keeps the routine in the program, at an entry of the index whose first `written` bytes stand.
void mark_routine(Assembler& a, ArmFunction& f, u32 written) {
  if (f.personality_index < 0 || f.personality != no_symbol) return;
  std::vector<u32>& marked = a.arm.marked[f.personality_index];
  if (a.profile.gnu) {
    if (std::find(marked.begin(), marked.end(), a.current->section) != marked.end()) return;
    marked.push_back(a.current->section);
  }
  const SymbolId routine = a.symbols.intern_copy(fmt::format("__aeabi_unwind_cpp_pr{}", f.personality_index));
  a.symbols[routine].flags |= symbol_referenced;
  a.add_fixup(u32(a.current->size) - written, fixup_none, {.add = routine, .modifier = arm::mod_none_reloc}, f.loc);
}

void fnend(Assembler& a) {
  ArmFunction* f = open_function(a, false);
  if (!f) return;
  Subsection* const code = &a.sections.sub(a.sections[f->section].default_subsection);
  std::vector<u8> bytes;
  // GNU as makes the section whether it is needed or not.
  if (f->table == no_symbol && a.profile.gnu) table_section(a, ".ARM.extab", f->section, false);
  if (f->table == no_symbol && !f->cant_unwind) flush_operations(a, *f, false, bytes);
  a.switch_to(a.sections.sub(table_section(a, ".ARM.exidx", f->section, true).default_subsection));
  a.emit_align(2, 1, 0, 0, f->loc);
  if (!a.profile.gnu) mark_routine(a, *f, 0);
  put_prel31(a, f->start, f->loc);
  if (a.profile.gnu) mark_routine(a, *f, 4);
  if (f->cant_unwind) a.emit_int(1, 4);
  else if (f->table != no_symbol) put_prel31(a, f->table, f->loc);
  else put_words(a, bytes);
  a.switch_to(*code);
  a.arm.in_function = false;
}

void cantunwind(Assembler& a) {
  ArmFunction* f = open_function(a);
  if (!f) return;
  if (f->personality != no_symbol || f->personality_index >= 0)
    return a.error(a.statement_start, ".cantunwind contradicts the personality routine");
  f->cant_unwind = true;
}

void personality(Assembler& a) {
  ArmFunction* f = open_function(a);
  if (!f) return;
  if (f->cant_unwind || f->personality != no_symbol || f->personality_index >= 0) {
    return a.error(a.statement_start, "the function has a personality routine already, or can't be unwound");
  }
  parse_symbol(a, f->personality, "symbol name");
  if (f->personality != no_symbol) a.symbols[f->personality].flags |= symbol_referenced;
}

void personality_index(Assembler& a) {
  ArmFunction* f = open_function(a);
  i64 index;
  if (!f || !a.absolute(index, "the routine's number")) return;
  if (f->cant_unwind || f->personality != no_symbol || f->personality_index >= 0) {
    return a.error(a.statement_start, "the function has a personality routine already, or can't be unwound");
  }
  if (index < 0 || index >= i64(routines))
    return a.error(a.statement_start, fmt::format("there is no routine {}; 0 to 2 are known", index));
  f->personality_index = int(index);
}

void handlerdata(Assembler& a) {
  ArmFunction* f = open_function(a);
  if (!f) return;
  if (f->cant_unwind) return a.error(a.statement_start, ".handlerdata contradicts .cantunwind");
  f->has_data = true;
  std::vector<u8> bytes;
  flush_operations(a, *f, true, bytes);
}

/// .save and .vsave: the latter's double registers have been stored without the word that fstmx adds.
void save_registers(Assembler& a, bool is_vsave) {
  ArmFunction* f = open_function(a);
  u32 mask;
  bool vector = false, signature;
  std::vector<u32> pieces;
  if (!f || !parse_list(a, mask, vector, signature, pieces)) return;
  i64 count = std::popcount(mask) + signature;
  for (u32 piece : pieces) count += std::popcount(piece);
  const bool is_fstmx = vector && !is_vsave;
  if (is_fstmx && (mask >> std::countr_zero(mask) & ((mask >> std::countr_zero(mask)) + 1)))
    return a.error(a.statement_start, "fstmx stores registers that follow each other");
  if (is_fstmx && mask > 0xFFFF)
    return a.error(a.statement_start, "fstmx stores no registers beyond d15; .vsave has them");
  f->stack -= count * (vector ? 8 : 4) + (is_fstmx ? 4 : 0);
  flush_pending(*f);
  if (is_fstmx) return put_fstmx_save(*f, mask);
  if (vector) return put_vector_save(*f, mask);
  constexpr u32 above_signature = 0xF000;  // it stands in the place of r12
  if (signature) {
    put_save(*f, mask & above_signature);
    f->operations.push_back({op_pop_signature});
    mask &= ~above_signature;
  }
  put_save(*f, mask);
  for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) put_save(*f, *piece);
}

void save(Assembler& a) { save_registers(a, false); }
void vsave(Assembler& a) { save_registers(a, true); }

void pad(Assembler& a) {
  ArmFunction* f = open_function(a);
  i64 size;
  if (!f || !parse_offset(a, *f, size)) return;
  if (size % 4) return a.error(a.statement_start, fmt::format("{} is no multiple of 4", size));
  f->stack -= size;
  f->pending -= size;
}

/// .setfp register, (sp | register) [, offset]
void setfp(Assembler& a) {
  ArmFunction* f = open_function(a);
  u8 frame, base;
  i64 offset = 0;
  if (!f || !parse_general(a, frame) || !expect_comma(a, "the register") || !parse_general(a, base)) return;
  if (accept_comma(a) && !parse_offset(a, *f, offset)) return;
  if (base != arm::reg_sp && base != f->frame_register) {
    return a.error(a.statement_start, "the second register must be sp, or the frame pointer of an earlier .setfp");
  }
  f->uses_frame = true;
  f->frame_register = frame;
  f->frame = (base == arm::reg_sp ? f->stack : f->frame) + offset;
}

/// .movsp register [, offset]
void movsp(Assembler& a) {
  ArmFunction* f = open_function(a);
  u8 reg;
  i64 offset = 0;
  if (!f || !parse_general(a, reg)) return;
  if (reg == arm::reg_sp || reg == arm::reg_pc)
    return a.error(a.statement_start, "sp and pc can't hold the stack pointer");
  if (accept_comma(a) && !parse_offset(a, *f, offset)) return;
  if (f->uses_frame && f->frame_register != arm::reg_sp)
    return a.error(a.statement_start, ".movsp behind a .setfp");
  flush_pending(*f);
  f->frame_register = reg;
  f->frame = f->stack + offset;
  f->operations.push_back({u8(op_sp_from | reg)});
}

/// .unwind_raw offset, byte, ...
void unwind_raw(Assembler& a) {
  ArmFunction* f = open_function(a);
  i64 offset;
  if (!f || !parse_offset(a, *f, offset)) return;
  std::vector<u8> bytes;
  while (accept_comma(a)) {
    const char* where = a.p;
    i64 byte;
    if (!a.absolute(byte, "the byte")) return;
    if (byte < 0 || byte > 255) return a.error(where, fmt::format("{} is not a byte (0 to 255)", byte));
    bytes.push_back(u8(byte));
  }
  if (bytes.empty()) return a.error_here("expected ',' and bytes of operations");
  flush_pending(*f);
  f->stack -= offset;
  f->operations.push_back(bytes);
}

/// .pacspval: the stack pointer was the modifier of the return address's authentication code.
void pacspval(Assembler& a) {
  ArmFunction* f = open_function(a);
  if (!f) return;
  flush_pending(*f);
  f->operations.push_back({u8(a.profile.gnu ? 0xB5 : 0xB4)});
}

struct EhabiDirective {
  std::string_view name;
  void (*handler)(Assembler&);
};

constexpr EhabiDirective directives[] = {
    {".fnstart", fnstart}, {".fnend", fnend}, {".cantunwind", cantunwind}, {".personality", personality},
    {".personalityindex", personality_index}, {".handlerdata", handlerdata}, {".save", save}, {".vsave", vsave},
    {".pad", pad}, {".setfp", setfp}, {".movsp", movsp}, {".unwind_raw", unwind_raw},
    {".pacspval", pacspval},
};

}  // namespace

bool ehabi_directive(Assembler& a, std::string_view name) {
  for (const EhabiDirective& d : directives) {
    if (!text::equals_ignoring_case(name, d.name)) continue;
    if (a.is_coff) {
      a.error(a.statement_start, "exceptions of Windows have tables of their own; .seh_ directives describe functions");
      a.skip_statement();
    } else {
      d.handler(a);
    }
    return true;
  }
  return false;
}

}  // namespace xas
