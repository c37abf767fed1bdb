// SPDX-License-Identifier: Apache-2.0
// .insn: an instruction that the text spells out, for what the tables do not have (GNU as from 2.41 on).
//
//   .insn { '{' pseudo-prefix '}' | prefix } [ encoding ] opcode [ '+r' | '/' digit ] [ condition ] { ',' operand }
//   encoding := ( VEX | XOP | EVEX ) { '.' ( 128 | 256 | 512 | L0 | L1 | L2 | L3 | LIG | LZ | NP | 66 | F3 | F2 |
//                                            0F | 0F38 | 0F3A | M number | W0 | W1 | WIG ) } [ '.' ( ND | ZU ) ]
//   condition := '{' 'scc' '=' number [ ',' 'dfv' '=' { flag } ] '}'
//
// ND, ZU and the condition are of APX, so of EVEX only (GNU as from 2.45 on).
// The opcode of a legacy encoding has its prefixes and its escape in front (0xf30f01e8), that of the others the escape
// if the encoding does not name the map. Operands are as elsewhere. Behind an immediate {:s32} or {:u8} tells its size,
// behind memory {:d16} what a displacement of eight bits is counted in.
//
// What has been read becomes a row, as if it stood in a table, and is encoded as all others are.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "targets/text.h"
#include "targets/x86/blanks.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

static constexpr u8 no_extension = 0xFF;

/// What stands in front of the operands.
struct InsnForm {
  Encoding encoding = encoding_legacy;
  std::optional<u8> map, pp, w, length;
  std::optional<u8> condition;    ///< {scc=}
  bool length_ignored = false, w_ignored = false;
  bool new_destination = false;   ///< ND
  bool zero_upper = false;        ///< ZU
  u64 opcode = 0;
  unsigned opcode_size = 0;       ///< bytes
  bool register_in_opcode = false;
  u8 extension = no_extension;
};

namespace {

std::string lower_word(const char*& p) {
  std::string word;
  while (text::is_letter(*p) || text::is_digit(*p) || *p == '.') word += text::lower(*p++);
  return word;
}

/// One field of an encoding, between its dots.
bool take_field(std::string_view field, InsnForm& form) {
  const auto once = [](std::optional<u8>& to, unsigned value) {
    if (to) return false;
    to = u8(value);
    return true;
  };
  if (field == "128" || field == "l0" || field == "lz") return once(form.length, 0);
  if (field == "256" || field == "l1") return once(form.length, 1);
  if (field == "512" || field == "l2") return once(form.length, 2);
  if (field == "l3") return once(form.length, 3);
  if (field == "lig") return form.length_ignored = true, once(form.length, 0);
  if (field == "np") return once(form.pp, pp_none);
  if (field == "66") return once(form.pp, pp_66);
  if (field == "f3") return once(form.pp, pp_f3);
  if (field == "f2") return once(form.pp, pp_f2);
  if (field == "0f") return once(form.map, map_0f);
  if (field == "0f38") return once(form.map, map_0f38);
  if (field == "0f3a") return once(form.map, map_0f3a);
  if (field == "w0") return once(form.w, 0);
  if (field == "w1") return once(form.w, 1);
  if (field == "wig") return form.w_ignored = true, once(form.w, 0);
  if (field.size() < 2 || field.size() > 3 || field[0] != 'm') return false;
  unsigned number = 0;
  for (const char c : field.substr(1)) {
    if (!text::is_digit(c)) return false;
    number = number * 10 + unsigned(c - '0');
  }
  return number < (form.encoding == encoding_evex ? 16u : 32u) && once(form.map, number);
}

/// VEX.256.66.0F.W1; false if `word` is none, or with an error in `problem`.
bool take_encoding(std::string_view word, InsnForm& form, std::string& problem) {
  const std::string_view kind = word.substr(0, word.find('.'));
  if (kind == "vex") form.encoding = encoding_vex;
  else if (kind == "xop") form.encoding = encoding_xop;
  else if (kind == "evex") form.encoding = encoding_evex;
  else return false;
  for (std::size_t at = kind.size(); at < word.size();) {
    const std::size_t end = std::min(word.find('.', at + 1), word.size());
    const std::string_view field = word.substr(at + 1, end - at - 1);
    const bool is_last = end == word.size() && kind == "evex";
    if (is_last && (field == "nd" || field == "zu")) {
      (field == "nd" ? form.new_destination : form.zero_upper) = true;
    } else if (!take_field(field, form)) {
      problem = fmt::format("'{}' cannot stand here in an encoding", field);
      return false;
    }
    at = end;
  }
  return true;
}

/// How many bits a number needs, signed or not.
unsigned bytes_of(i64 v) {
  if (v >= -0x80 && v <= 0xFF) return 1;
  if (v >= -0x8000 && v <= 0xFFFF) return 2;
  return v >= -0x80000000ll && v <= 0xFFFFFFFFll ? 4 : 8;
}

/// The form of immediates of these sizes, the second 0 if there is one; imm_none if no instruction has them.
ImmForm imm_form(unsigned first, unsigned second) {
  if (second == 0) return first == 1 ? imm_8 : first == 2 ? imm_16 : first == 4 ? imm_32 : imm_64;
  if (second == 1) return first == 1 ? imm_8_8 : first == 2 ? imm_16_8 : imm_none;
  return second != 2 ? imm_none : first == 2 ? imm_16_16 : first == 4 ? imm_32_16 : imm_none;
}

void set_role(Row& row, Role role, unsigned operand) {
  row.roles = (row.roles & ~(15u << (4 * role))) | operand << (4 * role);
}

bool is_memory(const Operand& o) { return o.space == space_other && o.is_memory; }
bool is_immediate(const Operand& o) { return o.space == space_other && o.is_immediate; }

/// log2 of the vector length in units of 128 bits that registers, or the size of memory, tell.
unsigned length_of(const Statement& s, const InsnSizes& sizes) {
  const unsigned broadcast = s.memory >= 0 ? std::max<unsigned>(s.ops[s.memory].broadcast, 1) : 1;
  const unsigned bytes = sizes.unit * broadcast;
  unsigned length = bytes == 64 ? 2 : bytes == 32 ? 1 : 0;
  for (unsigned i = 0; i < s.count; ++i) {
    if (s.ops[i].space != space_register) continue;
    const RegClass cls = s.ops[i].reg->cls;
    if (cls == RegClass::ymm) length = std::max(length, 1u);
    if (cls == RegClass::zmm) length = 2;
  }
  return length;
}

/// Takes the prefixes and the escape off a legacy opcode, or the escape off another; `prefixes` gets what has no field
/// in a row.
bool take_opcode(const InsnForm& form, Row& row, std::string& prefixes) {
  u8 bytes[8] = {};
  unsigned n = form.opcode_size, at = 0;
  for (unsigned i = 0; i < n; ++i) bytes[i] = u8(form.opcode >> (8 * (n - 1 - i)));
  if (form.encoding == encoding_legacy) {
    for (; n - at > 1 && (bytes[at] == 0x66 || bytes[at] == 0xF3 || bytes[at] == 0xF2); ++at) {
      if (row.pp != pp_none) prefixes += char(row.pp == pp_66 ? 0x66 : row.pp == pp_f3 ? 0xF3 : 0xF2);
      row.pp = bytes[at] == 0x66 ? pp_66 : bytes[at] == 0xF3 ? pp_f3 : pp_f2;
    }
  }
  if (!form.map && n - at > 1 && bytes[at] == 0x0F) {
    ++at;
    row.map = map_0f;
    if (n - at > 1 && (bytes[at] == 0x38 || bytes[at] == 0x3A)) row.map = bytes[at++] == 0x38 ? map_0f38 : map_0f3a;
  }
  row.opcode = bytes[at];
  if (n - at > 2) return false;
  if (n - at == 2) {
    row.modrm_form = modrm_fixed;
    row.modrm = bytes[at + 1];
  }
  return true;
}

/// Says which field holds which operand: memory, or the first register, is in rm; the last register in reg, the one
/// before it in vvvv, and one more in the immediate. A new destination is the last one, in vvvv.
bool place_operands(const InsnForm& form, const Statement& s, Row& row) {
  u8 registers[Statement::max_operands], count = 0;
  unsigned memory = no_operand;
  for (unsigned i = 0; i < s.count; ++i) {
    if (is_memory(s.ops[i])) {
      if (memory != no_operand) return false;
      memory = i;
    } else if (!is_immediate(s.ops[i])) {
      registers[count++] = u8(i);
    }
  }
  if (form.register_in_opcode) {
    if (count != 1 || memory != no_operand) return false;
    set_role(row, role_opcode, registers[0]);
    return true;
  }
  if (count == 0 && memory == no_operand) return form.extension == no_extension;
  if (row.modrm_form == modrm_fixed) return false;
  row.modrm_form = modrm_operands;
  if (form.extension != no_extension) row.modrm = u8(form.extension << 3);
  u8 first = 0;
  if (form.new_destination) {
    if (count < 2 - (memory != no_operand)) return false;
    set_role(row, role_vvvv, registers[--count]);
  }
  // Of four registers the first is the one in the immediate, if memory does not stand in front of all.
  const bool fourth = form.encoding != encoding_legacy && count + (memory != no_operand) == 4;
  if (fourth && memory != 0) set_role(row, role_is4, registers[first++]);
  set_role(row, role_rm, memory != no_operand ? memory : registers[first++]);
  if (fourth && memory == 0) set_role(row, role_is4, registers[first++]);
  const bool has_reg = first < count && form.extension == no_extension;
  if (has_reg) set_role(row, role_reg, registers[--count]);
  if (form.new_destination) return first == count && (has_reg || form.extension != no_extension);
  if (first < count) {
    if (form.encoding == encoding_legacy) return false;
    set_role(row, role_vvvv, registers[--count]);
  }
  if (fourth) row.imm = imm_is4;
  return first == count;
}

/// Operand size, W, vector length, and the unit of displacements of eight bits.
void set_sizes(const InsnForm& form, const Statement& s, unsigned mode, const InsnSizes& sizes, bool narrow_rounding,
               Row& row) {
  bool word = false, quad = false, dword = false;
  for (unsigned i = 0; i < s.count; ++i) {
    if (s.ops[i].space != space_register) continue;
    const RegClass cls = s.ops[i].reg->cls;
    word |= cls == RegClass::r16, dword |= cls == RegClass::r32, quad |= cls == RegClass::r64;
  }
  if (form.encoding == encoding_legacy) {
    row.rex_w = quad && mode == 64;
    if (word) row.operand_size = size_16;
    else if (dword) row.operand_size = size_32;
    return;
  }
  const unsigned length = form.length.value_or(u8(length_of(s, sizes)));
  row.length = length & 3;
  row.length_ignored = form.length_ignored;
  row.w = form.w.value_or(u8(quad && mode == 64));
  row.w_ignored = form.w_ignored;
  if (form.encoding != encoding_evex) return;
  const unsigned bytes = 16u << length;
  row.disp_shift = u8(std::countr_zero(sizes.unit ? sizes.unit : bytes));
  if (length == 1 && narrow_rounding) row.deco = deco_narrow_er | deco_narrow_sae;
  if (s.memory >= 0 && s.ops[s.memory].broadcast) {
    const unsigned element = std::max(bytes / s.ops[s.memory].broadcast, 1u);
    row.broadcast_shift = sizes.unit ? row.disp_shift : u8(std::countr_zero(element));
  }
}

}  // namespace

/// {:s32} {:u8} {:d16}, or the end of {1to8:d2}; p is at the ':'.
bool X86Target::parse_insn_size(const char*& p, InsnSizes& sizes, unsigned operand, Emitter& out) const {
  const char* const where = p;
  const char kind = text::lower(p[1]);
  p += 2;
  unsigned number = 0;
  while (text::is_digit(*p) && number < 1000) number = number * 10 + unsigned(*p++ - '0');
  const bool of_memory = kind == 'd';
  if ((!of_memory && kind != 's' && kind != 'u') || !std::has_single_bit(number) || number > 64 ||
      (!of_memory && number < 8)) {
    out.error(where, "expected the size of an immediate, as in {:s8} or {:u32}, or of memory, as in {:d16}");
    return false;
  }
  if (of_memory) sizes.unit = u8(number);
  else sizes.immediate[operand] = u8(number / 8), sizes.is_signed |= kind == 's';
  p = skip_blanks(p);
  return true;
}

/// Prefixes and the encoding, up to the opcode.
bool X86Target::parse_insn_prefixes(const char*& p, InsnForm& form, Statement& s, Emitter& out) {
  for (std::string problem; !text::is_digit(*p); p = skip_blanks(p)) {
    const char* const where = p;
    if (*p == '{') {
      if (!add_pseudo_prefix(p, s, out)) return false;
      continue;
    }
    const std::string word = lower_word(p);
    if (word.empty()) return out.error(where, "expected an opcode"), false;
    if (form.encoding == encoding_legacy && take_encoding(word, form, problem)) continue;
    if (!problem.empty()) return out.error(where, problem), false;
    if (!add_prefix(word, s, out))
      return out.error(where, fmt::format("'{}' is neither a prefix nor an encoding", word)), false;
  }
  return true;
}

/// The opcode, and what is said of its ModRM byte.
bool X86Target::parse_insn_opcode(const char*& p, InsnForm& form, Emitter& out) const {
  const char* const where = p;
  const unsigned base = *p == '0' && text::lower(p[1]) == 'x' ? 16 : 10;
  if (base == 16) p += 2;
  const char* const digits = p;
  for (;; ++p) {
    const char c = text::lower(*p);
    const unsigned digit = text::is_digit(c) ? unsigned(c - '0') : text::is_letter(c) ? unsigned(c - 'a' + 10) : 99;
    if (digit >= base) break;
    form.opcode = form.opcode * base + digit;
  }
  const bool too_long = p == digits || p - digits > 10 || form.opcode > 0xFFFFFFFF;
  if (too_long || text::is_name_char(*p))
    return out.error(where, "expected an opcode of at most four bytes, as in 0x0f01"), false;
  form.opcode_size = std::max(1u, unsigned(std::bit_width(form.opcode) + 7) / 8);
  if (*p == '+' && text::lower(p[1]) == 'r' && !text::is_name_char(p[2])) {
    form.register_in_opcode = true;
    p += 2;
  } else if (*p == '/') {
    if (p[1] < '0' || p[1] > '7' || text::is_name_char(p[2]))
      return out.error(p, "expected the opcode's extension, /0 to /7"), false;
    form.extension = u8(p[1] - '0');
    p += 2;
  }
  p = skip_blanks(p);
  return true;
}

/// {scc=0b1011,dfv=of}; p is at the '{'.
bool X86Target::parse_insn_condition(const char*& p, InsnForm& form, Statement& s, Emitter& out) {
  const char* q = skip_blanks(p + 1);
  constexpr std::string_view name = "scc=";
  if (form.encoding != encoding_evex || !std::equal(name.begin(), name.end(), q))
    return out.error(p, "expected operands, or a condition, as in {scc=3,dfv=of}, behind an opcode of EVEX"), false;
  q += name.size();
  unsigned base = 10, number = 0;
  if (*q == '0' && (q[1] == 'x' || q[1] == 'b')) base = q[1] == 'x' ? 16 : 2, q += 2;
  const char* const digits = q;
  for (; text::is_letter(*q) || text::is_digit(*q); ++q) {
    const unsigned digit = text::is_digit(*q) ? unsigned(*q - '0') : unsigned(text::lower(*q) - 'a' + 10);
    if (digit >= base || number > 15) break;
    number = number * base + digit;
  }
  if (q == digits || number > 15) return out.error(digits, "expected a condition's number, from 0 to 15"), false;
  form.condition = u8(number);
  if (*q == ',') return p = q, parse_default_flags(p, s, out);
  if (*q != '}') return out.error(q, "expected ',dfv=' or the condition's end, '}'"), false;
  p = skip_blanks(q + 1);
  return true;
}

void X86Target::directive_insn(const char*& p, unsigned, Emitter& out) {
  if (!out.start_instruction()) return;
  if (out.wants_frame_steps) out.no_frame_steps(p, "--scfi does not know what such an instruction does");
  fields_ = {};
  Statement s;
  InsnForm form;
  InsnSizes sizes;
  s.where = p = skip_blanks(p);
  s.mnemonic = ".insn";
  if (!parse_insn_prefixes(p, form, s, out) || !parse_insn_opcode(p, form, out)) return;
  bool good = *p != '{' || parse_insn_condition(p, form, s, out);
  if (good && *p == ',') {
    p = skip_blanks(p + 1);
    IntelFacts facts;
    insn_sizes_ = &sizes;
    good = intel_ ? parse_intel_operands(p, s, facts, out) : parse_operands(p, s, out);
    insn_sizes_ = nullptr;
    if (intel_) {  // the order of rows is AT&T's
      std::reverse(s.ops, s.ops + s.count);
      std::reverse(sizes.immediate, sizes.immediate + s.count);
      if (s.memory >= 0) s.memory = int(s.count) - 1 - s.memory;
      if (!sizes.unit) sizes.unit = facts.memory_bytes;
    }
  }
  if (good) encode_insn(form, sizes, s, out);
}

/// Makes a row of what has been read, and encodes it.
void X86Target::encode_insn(const InsnForm& form, const InsnSizes& sizes, Statement& s, Emitter& out) {
  Row row{};
  row.roles = ~u32(0);
  row.flags = row_mode16 | row_mode32 | row_mode64;
  row.encoding = form.encoding;
  row.count = u8(s.count);
  row.map = form.map.value_or(0) & 15;
  row.pp = form.pp.value_or(pp_none) & 3;
  if (form.new_destination || form.zero_upper) row.flags |= row_nd;
  if (form.condition) {
    row.op = op_ccmp;
    row.trailer = *form.condition;
  }
  row.facts = row_of("fnop", Statement{})->facts;  // as little as can be known of what it does
  std::string prefixes;
  if (!take_opcode(form, row, prefixes) || (form.encoding != encoding_legacy && form.map > 15))
    return out.error(s.where, "an opcode has at most two bytes behind prefixes and escape, and maps are M0 to M15");
  if (!place_operands(form, s, row))
    return out.error(s.where, "no encoding has room for these operands behind such an opcode");
  set_sizes(form, s, mode_, sizes, has_narrow_rounding(), row);
  const bool egpr = (s.prefixes & (want_rex2 | uses_egpr)) || has_egpr(s);
  if (egpr && form.encoding == encoding_legacy && row.map > map_0f)
    return out.error(s.where, "REX2 reaches opcodes without escape, and behind 0F, but none behind 0F38 and 0F3A");
  unsigned bytes[2] = {0, 0}, count = 0;
  for (unsigned i = 0; i < s.count; ++i) {
    if (!is_immediate(s.ops[i])) continue;
    if (s.ops[i].symbolic && !sizes.immediate[i])
      return out.error(s.ops[i].where, "the size of this immediate is not known; say it, as in {:s32}");
    if (count == 2) return out.error(s.ops[i].where, "an instruction has at most two immediates");
    bytes[count] = sizes.immediate[i] ? sizes.immediate[i] : bytes_of(s.ops[i].value.constant);
    set_role(row, count++ ? role_imm2 : role_imm, i);
  }
  if (row.imm == imm_is4 ? count > 1 : count && !(row.imm = imm_form(bytes[0], bytes[1])))
    return out.error(s.where, "no instruction has immediates of these sizes");
  if (row.imm == imm_32 && sizes.is_signed && mode_ == 64) row.operand_size = size_64;
  for (const char prefix : prefixes) *out.out = u8(prefix), out.advance(1);
  encode(row, s, out);
  out.ends_in_data();
}

}  // namespace xas::x86
