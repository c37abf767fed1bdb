// SPDX-License-Identifier: Apache-2.0
// Directives of ARM's exception tables: .fnstart, .save and their kin. What they come to: asm/program/ehabi.h.
#include "asm/program/ehabi.h"

#include <fmt/format.h>

#include <cstdlib>

#include "asm/directives/arm.h"
#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "asm/read/reader.h"
#include "targets/arm/arm.h"
#include "targets/nearest_name.h"

namespace xas {

namespace {

EhabiFunction* open_function(Reader& reader, bool before_data = true) {
  EhabiFunction* const f = ehabi_function(reader.out, before_data);
  if (!f) reader.skip_statement();
  return f;
}

/// A general register, by its name.
bool parse_general(Reader& reader, u8& number) {
  skip_blanks(reader);
  const char* where = reader.p;
  const int r = parse_any_register(reader, reader.p);
  if (r < 0 || arm::Register::unpack(r).atom != arm::atom_low)
    return reader.expected(where, "a general register"), false;
  number = arm::Register::unpack(r).number;
  return true;
}

/// '{' register [ '-' register ] { ',' ... } '}': a bit for each; all general, or all double. Between the general ones
/// may stand ra_auth_code, the return address's signature. GNU as saves what a range completes by itself: `runs`,
/// whose bits are not in the mask.
bool parse_list(Reader& reader, u32& mask, bool& vector, bool& signature, std::vector<u32>& runs) {
  skip_blanks(reader);
  if (*reader.p != '{') return reader.expected("a list of registers in braces"), false;
  ++reader.p;
  mask = 0;
  signature = false;
  for (;;) {
    skip_blanks(reader);
    constexpr std::string_view signature_name = "ra_auth_code";
    if (name_length(reader.p) == signature_name.size() &&
        text::equals_ignoring_case({reader.p, signature_name.size()}, signature_name)) {
      if (vector) return reader.error_here("the registers of a list must be of one kind"), false;
      reader.p += signature_name.size();
      signature = true;
    } else {
      const char* where = reader.p;
      ArmRegisterRange range;
      if (!parse_register_range(reader, range)) return false;
      if ((mask || signature || !runs.empty()) && range.vector != vector)
        return reader.error(where, "the registers of a list must be of one kind"), false;
      vector = range.vector;
      mask |= range.mask();
      if (reader.program().profile.ehabi_range_pops_alone && !vector && range.first < range.last)
        runs.push_back(std::exchange(mask, 0));
    }
    skip_blanks(reader);
    if (*reader.p == ',') {
      ++reader.p;
      continue;
    }
    if (*reader.p != '}') return reader.expected("',' or '}' in the list"), false;
    ++reader.p;
    return true;
  }
}

/// A register like wr12: the prefix and a number below `count`.
bool parse_numbered(Reader& reader, std::string_view prefix, u8 count, u8& number) {
  skip_blanks(reader);
  const std::size_t length = name_length(reader.p), at = prefix.size();
  if (length <= at || length > at + 2 || !text::equals_ignoring_case({reader.p, at}, prefix)) return false;
  unsigned n = 0;
  for (std::size_t i = at; i < length; ++i) {
    if (!text::is_digit(reader.p[i])) return false;
    n = n * 10 + unsigned(reader.p[i] - '0');
  }
  if (n >= count || (length == at + 2 && reader.p[at] == '0')) return false;
  reader.p += length;
  number = u8(n);
  return true;
}

/// [ '{' ] register [ '-' register ] { ',' ... } [ '}' ], of iWMMXt. GNU as leaves out the register that ends a range.
bool parse_wmmx_list(Reader& reader, std::string_view prefix, u8 count, u32& mask) {
  const bool braces = *reader.p == '{';
  if (braces) ++reader.p;
  mask = 0;
  do {
    u8 first, end;
    const char* where = reader.p;
    if (!parse_numbered(reader, prefix, count, first))
      return reader.expected(where, fmt::format("a register {}N", prefix)), false;
    mask |= 1u << first;
    skip_blanks(reader);
    if (*reader.p != '-') continue;
    where = ++reader.p;
    if (!parse_numbered(reader, prefix, count, end))
      return reader.expected(where, fmt::format("a register {}N", prefix)), false;
    if (end <= first) return reader.error(where, "a range ends with a register of a higher number"), false;
    for (unsigned n = first; n < end; ++n) mask |= 1u << n;
  } while (accept_comma(reader));
  skip_blanks(reader);
  if (braces && *reader.p != '}') return reader.expected("',' or '}' in the list"), false;
  if (braces) ++reader.p;
  return true;
}

/// FPA's register, and how many of them.
void save_fpa(Reader& reader, EhabiFunction& f, u8 first) {
  i64 count;
  if (!expect_comma(reader, "the register")) return;
  const char* where = reader.p;
  if (!reader.absolute(count, "the number of registers")) return;
  if (count < 1 || count > 4) return reader.error(where, "1 to 4 registers of FPA can be stored at once");
  ehabi_save_fpa(f, first, u8(count));
}

/// Registers of the coprocessors of older processors; false if there are others, and nothing has been read.
bool save_of_coprocessor(Reader& reader, EhabiFunction& f) {
  constexpr u8 fpa_registers = 8, data_registers = 16, control_registers = 4;
  skip_blanks(reader);
  const char* const start = reader.p;
  u8 number;
  if (parse_numbered(reader, "f", fpa_registers, number)) return save_fpa(reader, f, number), true;
  if (*reader.p == '{') ++reader.p;
  const bool data = parse_numbered(reader, "wr", data_registers, number);
  const bool control = !data && parse_numbered(reader, "wcgr", control_registers, number);
  reader.p = start;
  if (!data && !control) return false;
  u32 mask;
  if (!parse_wmmx_list(reader, data ? "wr" : "wcgr", data ? data_registers : control_registers, mask)) return true;
  data ? ehabi_save_wmmx(f, mask) : ehabi_save_wmmx_control(f, mask);
  return true;
}

/// [ '#' ] number
bool parse_offset(Reader& reader, const EhabiFunction& f, i64& value) {
  skip_blanks(reader);
  const char* where = reader.p;
  if (*reader.p == '#' || *reader.p == '$') ++reader.p;
  if (!reader.absolute(value, "the offset")) return false;
  if (value >= -max_ehabi_frame && value <= max_ehabi_frame && std::abs(f.stack - value) <= max_ehabi_frame)
    return true;
  return reader.error(where, fmt::format("{} makes a frame of more than {} bytes", value, max_ehabi_frame)), false;
}

void fnstart(Reader& reader) { begin_ehabi_function(reader.out); }

void fnend(Reader& reader) {
  if (EhabiFunction* f = open_function(reader, false)) end_ehabi_function(reader.out, *f);
}

void cantunwind(Reader& reader) {
  if (EhabiFunction* f = open_function(reader)) ehabi_cant_unwind(reader.out, *f);
}

void personality(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  SymbolId routine;
  if (!f || !may_choose_ehabi_routine(reader.out, *f) || !parse_symbol(reader, routine, "symbol name")) return;
  ehabi_personality(reader.out, *f, routine);
}

void personality_index(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  i64 index;
  if (!f || !reader.absolute(index, "the routine's number") || !may_choose_ehabi_routine(reader.out, *f)) return;
  ehabi_personality_index(reader.out, *f, index);
}

void handlerdata(Reader& reader) {
  if (EhabiFunction* f = open_function(reader)) ehabi_handler_data(reader.out, *f);
}

/// .save: double registers have been stored by fstmx.
void save(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  u32 mask;
  bool vector = false, signature;
  std::vector<u32> runs;
  if (!f || save_of_coprocessor(reader, *f) || !parse_list(reader, mask, vector, signature, runs)) return;
  vector ? ehabi_save_fstmx(reader.out, *f, mask) : ehabi_save(reader.out, *f, mask, signature, runs);
}

/// .vsave: double registers have been stored without the word that fstmx adds.
void vsave(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  u32 mask;
  bool vector = false, signature;
  std::vector<u32> runs;
  if (!f || save_of_coprocessor(reader, *f) || !parse_list(reader, mask, vector, signature, runs)) return;
  vector ? ehabi_vsave(*f, mask) : ehabi_save(reader.out, *f, mask, signature, runs);
}

void pad(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  i64 size;
  if (f && parse_offset(reader, *f, size)) ehabi_pad(reader.out, *f, size);
}

/// .setfp register, (sp | register) [, offset]
void setfp(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  u8 frame, base;
  i64 offset = 0;
  if (!f || !parse_general(reader, frame) || !expect_comma(reader, "the register") || !parse_general(reader, base))
    return;
  if (accept_comma(reader) && !parse_offset(reader, *f, offset)) return;
  ehabi_set_frame(reader.out, *f, frame, base, offset);
}

/// .movsp register [, offset]
void movsp(Reader& reader) {
  EhabiFunction* f = open_function(reader);
  u8 reg;
  i64 offset = 0;
  if (!f || !parse_general(reader, reg)) return;
  if (reg == arm::reg_sp || reg == arm::reg_pc) return reader.error("sp and pc can't hold the stack pointer");
  if (accept_comma(reader) && !parse_offset(reader, *f, offset)) return;
  ehabi_move_sp(reader.out, *f, reg, offset);
}

/// .unwind_raw offset, byte, ...
void unwind_raw(Reader& reader) {
  EhabiFunction* f = open_function(reader);
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
  if (bytes.empty()) return reader.expected("',' and bytes of operations");
  ehabi_raw(*f, offset, std::move(bytes));
}

void pacspval(Reader& reader) {
  if (EhabiFunction* f = open_function(reader)) ehabi_pac_sp(reader.out, *f);
}

struct EhabiDirective {
  std::string_view name;
  void (*handler)(Reader&);
};

constexpr EhabiDirective ehabi_directives[] = {
    {".fnstart", fnstart},
    {".fnend", fnend},
    {".cantunwind", cantunwind},
    {".personality", personality},
    {".personalityindex", personality_index},
    {".handlerdata", handlerdata},
    {".save", save},
    {".vsave", vsave},
    {".pad", pad},
    {".setfp", setfp},
    {".movsp", movsp},
    {".unwind_raw", unwind_raw},
    {".pacspval", pacspval},
};

}  // namespace

bool parse_register_range(Reader& reader, ArmRegisterRange& range) {
  for (const bool is_first : {true, false}) {
    skip_blanks(reader);
    const char* where = reader.p;
    const int number = parse_any_register(reader, reader.p);
    const arm::Register r = number < 0 ? arm::Register{} : arm::Register::unpack(number);
    const bool is_quad = r.atom == arm::atom_q, is_vector = is_quad || r.atom == arm::atom_d;
    if (!is_vector && r.atom != arm::atom_low) return reader.expected(where, "a register"), false;
    if (is_first) range = {.first = r.number, .vector = is_vector};
    range.last = r.number + is_quad;
    if (is_vector != range.vector) return reader.error(where, "the registers of a list must be of one kind"), false;
    if (range.last < range.first)
      return reader.error(where, "a range ends with a register of a higher number"), false;
    if (!is_first) break;
    skip_blanks(reader);
    if (*reader.p != '-') break;
    ++reader.p;
  }
  return true;
}

bool ehabi_directive(Reader& reader, std::string_view name) {
  for (const EhabiDirective& d : ehabi_directives) {
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

void offer_ehabi_directives(NearestName& nearest) {
  for (const EhabiDirective& d : ehabi_directives) nearest.offer(d.name);
}

}  // namespace xas
