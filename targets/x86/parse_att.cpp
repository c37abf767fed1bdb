// SPDX-License-Identifier: Apache-2.0
// AT&T operands.
//
//   operand   := [ '*' ] ( register | '$' expression | memory ) { '{' decoration '}' }
//   memory    := [ '%' segment ':' ] [ expression ] [ '(' [ register ] [ ',' [ register ] [ ',' scale ] ] ')' ]
//
// Small numbers and registers are read here; only text with symbols goes to the Emitter. A bare expression is
// memory, an absolute address, and a branch target at once; the row that accepts it decides.
#include <fmt/format.h>

#include "targets/advice.h"
#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/blanks.h"

#include <bit>
#include <cstdlib>
#include <cstring>

namespace xas::x86 {

using text::is_digit, text::is_letter, text::is_name_char;

namespace {

constexpr u64 bare_classes = memory_classes | class_bit("moffs") | class_bit("rel");

/// A decimal or hexadecimal number, possibly negative, that nothing continues into a longer expression: behind it
/// stands one of the characters that can end it in an operand. Anything else is the Emitter's.
bool scan_simple_number(const char*& p, i64& value) {
  const char* q = p;
  bool negative = *q == '-';
  q += negative;
  u64 v = 0;
  if (!is_digit(*q)) return false;
  if (*q == '0' && q[1] != ',' && q[1] != '(' && q[1] != '\n') {
    if ((q[1] | 0x20) != 'x') return false;  // octal, binary, local labels
    const char* digits = q += 2;
    for (;; ++q) {
      unsigned d = is_digit(*q)                       ? unsigned(*q - '0')
                   : unsigned((*q | 0x20) - 'a') <= 5 ? unsigned((*q | 0x20) - 'a' + 10)
                                                      : 16;
      if (d == 16) break;
      v = v << 4 | d;
    }
    if (q == digits || q > digits + 15) return false;
  } else {
    const char* digits = q;
    for (; is_digit(*q); ++q) v = v * 10 + u64(*q - '0');
    if (q > digits + 17) return false;
  }
  switch (*q) {
    case ',': case '\n': case ')': case '(': break;
    case ' ': case '\t': case '\r': {
      const char* r = q;
      while (is_blank(*r)) ++r;
      if (*r != ',' && *r != '\n' && *r != '#' && *r != ')' && *r != ';' && *r != '{') return false;
      break;
    }
    case ';': case '#': case '{': break;
    default: return false;
  }
  value = negative ? -i64(v) : i64(v);
  p = q;
  return true;
}

}  // namespace

/// register := '%' name | '%st' '(' digit ')'. p moves behind it; null (and p stays) if there is no such register in
/// this mode. What follows the usual names is below '0': , ) newline blank. Anything else is left to slow_register.
inline const Reg* X86Target::fast_register(const char*& p) const {
  u64 word;
  std::memcpy(&word, p + 1, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  constexpr u64 ones = 0x0101010101010101;
  const u64 low = (word - '0' * ones) & ~word & 0x80 * ones;  // the first marked byte is the first below '0'
  const unsigned n = low ? unsigned(std::countr_zero(low)) / 8 : 8;
  if (n != 0 && n < 8) [[likely]] {
    const int i = find_register(word & ~(~u64(0) << 8 * n));
    if (i >= 0) [[likely]] {
      const Reg& r = registers.regs[i];
      if (!(r.flags & (bad_registers_ | reg_slow))) [[likely]] {
        p += n + 1;
        return &r;
      }
    }
  }
  return nullptr;
}

inline const Reg* X86Target::parse_reg(const char*& p) {
  if (*p == '%')
    if (const Reg* const r = fast_register(p)) [[likely]]
      return r;
  return slow_register(p);
}

/// Without % fewer names are registers, and what is none is a symbol. LLVM has no test registers; GNU as none of those
/// that came with APX (egpr_names.cpp).
bool X86Target::has_naked_name(const Reg& r) const {
  if (!options_.gnu) return r.cls != RegClass::test;
  if (r.cls == RegClass::no_index64 || r.cls == RegClass::no_index32) return x86_options_.index_registers;
  return (naked_egprs_ || !(r.flags & reg_egpr)) && !(r.cls == RegClass::test && mode_ == 64);
}

/// The same for all that is rare: capitals, blanks, %st(1), names without %.
const Reg* X86Target::slow_register(const char*& p) {
  const char* q = p;
  if (*q == '%') {
    ++q;
    while (is_blank(*q)) ++q;
  } else if (!naked_registers_) {
    return nullptr;
  }
  u64 word = 0;
  unsigned n = 0;
  for (;; ++n) {
    char c = q[n];
    if (!is_letter(c) && !is_digit(c)) break;
    if (n < 8) word |= u64(u8(c >= 'A' && c <= 'Z' ? c + 32 : c)) << (8 * n);
  }
  if (n == 0 || n > 8) return nullptr;
  const int i = find_register(word);
  if (i < 0) return nullptr;
  const Reg* r = &registers.regs[i];
  if (*p != '%' && (q[n] == '_' || q[n] == '.' || q[n] == '$' || q[n] == '@' || !has_naked_name(*r))) return nullptr;
  q += n;
  if (r->cls == RegClass::r8 && (r->flags & reg_slow) && options_.gnu && options_.release >= 247)
    r = &implied_low_bytes[r->number];
  if (r->cls == RegClass::st && (r->flags & reg_slow)) {
    const char* s = q;
    while (is_blank(*s)) ++s;
    if (*s == '(') {
      do ++s; while (is_blank(*s));
      unsigned digit = unsigned(*s - '0');
      if (digit > 7) return nullptr;
      do ++s; while (is_blank(*s));
      if (*s != ')') return nullptr;
      r = &registers.regs[find_register(name_word("st", 2) | u64('0' + digit) << 16)];
      q = s + 1;
    }
  }
  if (!has_register(*r)) return nullptr;
  p = q;
  return r;
}

/// A number that was read from `from` to `to` is the distance of labels: LLVM does not know it when it chooses the
/// displacement's size.
static bool names_label(const char* from, const char* to, Emitter& out) {
  for (const char* p = from; p < to;) {
    if (is_digit(*p)) {
      while (is_name_char(*p)) ++p;  // 0x10
      continue;
    }
    if (!is_name_char(*p)) {
      ++p;
      continue;
    }
    Value value;
    if (!out.term(p, value) || !value.is_constant()) return true;
  }
  return false;
}

/// The register that `.set name, %reg` bound a name to.
const Reg* X86Target::aliased_register(const char*& p, Emitter& out) const {
  const char* q = p;
  if (!out.has_register_aliases || is_digit(*q)) return nullptr;
  while (is_name_char(*q)) ++q;
  if (q == p) return nullptr;
  int i = out.register_alias({p, std::size_t(q - p)});
  if (i < 0 || unsigned(i) >= registers.count) return nullptr;
  p = q;
  return &registers.regs[i];
}

/// The register was there where it got its other name; the mode, or the processor, may have changed since.
void X86Target::check_alias(const Reg& r, const char* where, Emitter& out) const {
  if (!has_register(r)) out.error(where, explain_register('%' + register_name(r)));
}

/// The same, and an error if there is no such register here.
const Reg* X86Target::alias_register(const char*& p, Emitter& out) const {
  const char* const where = p;
  const Reg* const r = aliased_register(p, out);
  if (r) check_alias(*r, where, out);
  return r;
}

/// What is known only in the end has a field of 16 or 32 bits, unless its modifier has a relocation of 8 or 64 alone.
void X86Target::classify_symbolic_immediate(Operand& o) const {
  o.symbolic = true;
  o.classes = class_bit("sym");
  switch (o.value.modifier) {
    case mod_abs8:
      o.classes |= class_bit("i8") | class_bit("s8_16") | class_bit("s8_32") | class_bit("s8_64");
      break;
    case mod_size:
      if (!options_.gnu) break;
      [[fallthrough]];
    case mod_gotoff: case mod_gotplt: case mod_pltoff: o.classes |= class_bit("sym64"); break;
    default: break;
  }
}

/// GNU as from 2.44 on: a number in 32-bit code that operators made of numbers of 32 bits is a number of 32 bits.
bool X86Target::wraps_silently(const Operand& o) const {
  if (!options_.gnu || options_.release < 244 || options_.bits != 32 || mode_ == 64 || !o.where) return false;
  bool has_operator = false;
  for (const char* p = o.where;; ++p) {
    if (is_digit(*p)) {
      char* end;
      if (std::strtoull(p, &end, 0) > 0xFFFFFFFF) return false;
      p = end - 1;
    } else if (*p == '(' && p[1] == '%') {
      return has_operator;
    } else if (std::string_view("+-*/~!&|^<>").find(*p) != std::string_view::npos) {
      has_operator = true;
    } else if (*p == ',' || *p == '\n' || *p == '\0' || *p == ';' || *p == '#') {
      return has_operator;
    } else if (std::string_view("()$ \t").find(*p) == std::string_view::npos) {
      return false;
    }
  }
}

/// Puts the classes of a constant immediate: all ranges it falls into.
void X86Target::classify_immediate(Operand& o) const {
  constexpr u64 any = class_bit("imm"), i32s = class_bit("i32s"), i32 = class_bit("i32"), i16 = class_bit("i16"),
                i8c = class_bit("i8"), s16 = class_bit("s8_16"), s32 = class_bit("s8_32"), s64 = class_bit("s8_64"),
                u4 = class_bit("u4"), one = class_bit("one"), three = class_bit("three");
  i64 v = o.value.constant;
  if (options_.bits == 32 && mode_ != 64 && v < -0x80000000ll && v > -0x100000000ll) [[unlikely]] {
    // ~(1 << 31): where numbers have 32 bits, they wrap around. LLVM does not look for a shorter one then.
    v = o.value.constant = i64(::xas::i32(v));
    if (!options_.gnu) {
      o.classes = any | i32;
      return;
    }
  }
  u64 c = any;
  if (v >= -128 && v <= 127) {
    c |= i32s | i32 | i16 | i8c | s16 | s32 | s64;
    if (u64(v) <= 15) c |= u4;
    if (v == 1) c |= one;
    if (v == 3) c |= three;
  } else {
    if (options_.gnu && mode_ != 64 && v != i64(::xas::i32(v))) {  // its numbers have 32 bits there
      o.value.constant = i64(::xas::i32(v));
      classify_immediate(o);
      if (options_.release >= 244 && is_longer_than_32_bits(v) && !wraps_silently(o)) o.classes &= any | i32 | i32s;
      return;
    }
    if (v == i64(::xas::i32(v))) c |= i32s;
    if (v >= -0x80000000ll && v <= 0xFFFFFFFFll) {
      c |= i32;
      i64 w = i64(::xas::i32(u32(v)));
      if (w >= -128 && w <= 127) c |= s32;
    }
    if (v >= -0x8000 && v <= 0xFFFF) {
      c |= i16;
      i64 w = i64(::xas::i16(u16(v)));
      if (w >= -128 && w <= 127) c |= s16;
    }
    if (v >= -128 && v <= 255) c |= i8c;
    if (options_.gnu && v > 0x7FFFFFFF && v <= 0xFFFFFFFFll) {
      // GNU as reads 32 bits with their sign before it looks for fewer: addw $0xffffff80, %ax
      const i64 w = i64(::xas::i32(u32(v)));
      if (w >= -128) c |= i8c | s16;
      if (w >= -0x8000) c |= i16;
    }
  }
  o.classes = c;
}

/// Decides what an immediate is whose value has been read.
void X86Target::settle_immediate(Operand& o, Emitter& out) const {
  i64 constant;
  if (!o.value.is_constant() && !o.value.modifier && out.known_constant(o.value, constant))
    o.value = {.constant = constant};
  o.symbolic = !o.value.is_constant();
  o.symbolic ? classify_symbolic_immediate(o) : classify_immediate(o);
}

bool X86Target::parse_immediate(const char*& p, Operand& o, Emitter& out) {
  o.is_immediate = true;
  o.space = space_other;
  p = skip_blanks(p);
  i64 number;
  if (scan_simple_number(p, number)) {
    o.value.constant = number;
    o.symbolic = false;
    classify_immediate(o);
    return true;
  }
  if (*p <= ',') [[unlikely]] {
    if (*p == '%') return out.error(o.where, "an immediate cannot be a register; leave out the '$'"), false;
    if (*p == ',' || *p == '\n')
      return out.error(p, fmt::format("expected a number or a name behind '$', found {}",
                                      *p == ',' ? "','" : "the end of the line")),
             false;
  }
  if (!out.expression(p, o.value)) return false;
  settle_immediate(o, out);
  return true;
}

namespace {

/// The number behind the index, 1 if `index` is null.
bool parse_scale(const char*& p, const Reg* index, Operand& o, Emitter& out) {
  const char* const where = p;
  i64 scale = *p - '0';
  if (is_digit(*p) && (p[1] == ')' || is_blank(p[1]))) {
    p = skip_blanks(p + 1);
  } else if (*p == '\n') {  // what closes the address is missing
    scale = 1;
  } else {
    Value v;
    if (!out.expression(p, v)) return false;
    if (!v.is_constant()) return out.error(where, "the scale of an address must be 1, 2, 4 or 8"), false;
    scale = v.constant;
    p = skip_blanks(p);
  }
  if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
    return out.error(where, fmt::format("scale {} is not 1, 2, 4 or 8", scale)), false;
  o.scale = scale == 8 ? 3 : u8(scale >> 1);
  if (!index && scale != 1)
    out.warning(where, "scale factor without an index register; an index without a base is written '(,%rax,4)'");
  if (!index) o.scale = 0;
  return true;
}

}  // namespace

bool X86Target::refuse_in_address(const char* where, Emitter& out) const {
  const char* q = where + (*where == '%');
  while (is_letter(*q) || is_digit(*q)) ++q;
  out.error(where, explain_in_address({where, std::size_t(q - where)}));
  return false;
}

/// The base of an address, up to the ',' or ')' behind it.
[[gnu::always_inline]] inline bool X86Target::parse_base(const char*& p, Operand& o, Emitter& out) {
  const char* const where = p;
  const Reg* base = parse_reg(p);
  if (!base) base = alias_register(p, out);
  if (!base || !use_base(*base, o)) return refuse_in_address(where, out);
  p = skip_blanks(p);
  return true;
}

/// Index and scale of an address; p is behind the ','.
[[gnu::always_inline]] inline bool X86Target::parse_index(const char*& p, Operand& o, Emitter& out) {
  p = skip_blanks(p);
  const char* const where = p;
  const Reg* index = parse_reg(p);
  if (!index && !is_digit(*p)) index = alias_register(p, out);
  if (index) {
    if (const char* const problem = use_index(*index, o))
      return *problem ? (out.error(where, explain_index(problem, *index, o.regs)), false)
                      : refuse_in_address(where, out);
    p = skip_blanks(p);
  } else if (*p == '%') {
    return refuse_in_address(where, out);
  }
  if (index && *p == ',') p = skip_blanks(p + 1);
  return *p == ')' || parse_scale(p, index, o, out);
}

/// What stands between the parentheses of a memory operand; p is behind the '('.
bool X86Target::parse_address(const char*& p, Operand& o, Emitter& out) {
  const char* const open = p - 1;
  p = skip_blanks(p);
  if (*p != ',' && *p != ')' && !parse_base(p, o, out)) return false;
  const bool relative = o.regs >= AddressRegs::rip;
  if (*p == ',' && !relative && !parse_index(++p, o, out)) return false;
  if (*p == ')') return ++p, true;
  if (relative)
    out.error(p, "an address relative to %rip takes no index; expected ')'");
  else
    out.error(p, fmt::format("expected ')' at the end of the address, found {}{}",
                             text::found(p, *p == '\n' || *p == '\0'), closing_advice(open, p, ')')));
  return false;
}

/// 16-bit addresses have eight combinations of registers only.
bool X86Target::finish_memory(Statement& s, Operand& o, Emitter& out) {
  constexpr u64 vector_classes[2][3] = {{class_bit("vmx"), class_bit("vmy"), class_bit("vmz")},
                                        {class_bit("vmxh"), class_bit("vmyh"), class_bit("vmz")}};
  if (o.vector_index) {
    o.classes = vector_classes[o.index >= 16][o.vector_index - 1];
    if (!o.has_base) o.regs = mode_ == 16 ? AddressRegs::r32 : AddressRegs::none;
  } else if (!o.has_base && !o.has_index) {
    o.classes = o.segment ? bare_classes & ~class_bit("rel") : bare_classes;
    if (o.value.modifier && options_.gnu && mode_ == 32 && modifier_name(o.value.modifier) == "GOT")
      o.classes &= ~class_bit("moffs");
    const i64 v = o.value.constant;
    if (mode_ == 64 && !o.symbolic && v != i64(i32(v)) && !(s.prefixes & prefix_addr)) [[unlikely]]
      o.classes |= class_bit("moffs64");
    if (mode_ == 64 && options_.gnu && (s.prefixes & (prefix_addr | want_disp32))) [[unlikely]]
      o.classes |= class_bit("moffs64");
  } else {
    o.classes = memory_classes;
  }
  if (o.regs == AddressRegs::r16 && o.has_base && o.base == 2 && !o.has_index && !o.has_displacement) {
    // (%dx) is the register, in the operands of in, out, ins and outs.
    const Reg* dx = &registers.regs[find_register(name_word("dx", 2))];
    static_cast<OperandFacts&>(o) = {};
    o.set_register(*dx);
    o.classes = class_bit("dx");
    return true;
  }
  if (o.regs == AddressRegs::r16) {
    auto is_bx_bp = [](u8 n) { return n == 3 || n == 5; };
    auto is_si_di = [](u8 n) { return n == 6 || n == 7; };
    bool ok = mode_ != 64 && o.scale == 0 &&
              (o.has_index ? o.has_base && is_bx_bp(o.base) && is_si_di(o.index)
                           : is_bx_bp(o.base) || is_si_di(o.base));
    if (!ok)
      return out.error(o.where, mode_ == 64 ? "64-bit code has no 16-bit addresses"
                                            : "not a 16-bit address: (%bx|%bp[,%si|%di]), (%si) and (%di) are"), false;
  }
  s.unusual_address |=
      o.segment != 0 || (o.regs != native_regs_ && o.regs != AddressRegs::none && o.regs != AddressRegs::rip);
  if (((o.has_base ? o.base : 0) | (o.has_index && !o.vector_index ? o.index : 0)) & 16) [[unlikely]]
    s.prefixes |= uses_egpr;
  if (mode_ != 64 && o.regs == AddressRegs::r64)
    return out.error(o.where, "64-bit addresses need 64-bit code"), false;
  return true;
}

/// `o` has been cleared; a segment may have been read already.
bool X86Target::parse_memory(const char*& p, Statement& s, Operand& o, Emitter& out) {
  o.is_memory = true;
  o.space = space_other;
  i64 number;
  if (*p != '(' || !(p[1] == '%' || p[1] == ',')) {
    const char* start = p;
    bool address = false;
    if (*p == '(') {  // a parenthesis of the expression, unless a register, an alias or a comma follows
      const char* q = skip_blanks(p + 1);
      const char* r = q;
      address =
          *q == '%' || *q == ',' || (naked_registers_ && parse_reg(r)) || (is_letter(*q) && aliased_register(r, out));
    }
    if (!address) {
      if (scan_simple_number(p, number)) {
        o.value.constant = number;
      } else {
        if (*p == ',' || *p == '\n') return out.error(p, explain_missing(*p, s)), false;
        if (!out.expression(p, o.value)) return false;
        i64 constant;
        o.symbolic = !o.value.is_constant();
        if (o.symbolic && !o.value.modifier && o.value.sub != no_symbol && out.known_constant(o.value, constant)) {
          o.value = Value{};
          o.value.constant = constant;
          o.symbolic = false;
        }
        if (p == start) {
          out.error(p, "expected an operand");
          return false;
        }
        if (!options_.gnu && !o.symbolic && names_label(start, p, out))
          s.prefixes |= mode_ == 16 ? want_disp16 : want_disp32;
      }
      o.has_displacement = true;
      if (is_blank(*p)) p = skip_blanks(p);
    }
  }
  const bool written = *p == '(';
  if (written) {
    ++p;
    if (!parse_address(p, o, out)) return false;
  }
  if (!finish_memory(s, o, out)) return false;
  // GNU as: x(,1) is an address like any other, neither a target nor one of the accumulator's.
  if (written && options_.gnu && !o.has_base && !o.has_index) o.classes &= ~(class_bit("rel") | class_bit("moffs"));
  if (o.is_memory) s.memory = int(s.count);
  return true;
}

/// {%k1} {z} {1to8}, behind an operand; p is at the '{'.
bool X86Target::parse_decorations(const char*& p, Statement& s, Operand& o, Emitter& out) {
  while (*p == '{') {
    const char* where = p;
    if (!s.deco_where) s.deco_where = where;
    p = skip_blanks(p + 1);
    if (*p == 'z' && *skip_blanks(p + 1) == '}') {
      p = skip_blanks(p + 1);
      if (s.deco & deco_zero) return out.error(where, "a second {z}"), false;
      if ((s.deco & deco_mask) && s.mask_operand != s.count)
        return out.error(where, "{z} stands beside the write mask"), false;
      s.deco |= deco_zero;
      s.mask_operand = u8(s.count);
    } else if (*p == '1' && p[1] == 't' && p[2] == 'o') {
      p += 3;
      unsigned n = 0;
      while (is_digit(*p) && n < 100) n = n * 10 + unsigned(*p++ - '0');
      const u64 broadcast = broadcast_class(n);
      if (insn_sizes_ && *p == ':' && !parse_insn_size(p, *insn_sizes_, s.count, out)) return false;
      if (!broadcast || !o.is_memory || (o.vector_index && !insn_sizes_))
        return out.error(where, "a broadcast is {1to2}, {1to4}, {1to8}, {1to16} or {1to32} behind memory"), false;
      if (o.broadcast > 1) return out.error(where, "a second broadcast"), false;
      o.broadcast = u8(n);
      o.classes = broadcast;
    } else if (insn_sizes_ && *p == ':') {
      if (!parse_insn_size(p, *insn_sizes_, s.count, out)) return false;
    } else {
      const Reg* r = parse_reg(p);
      if (!r && *p == 'k' && u8(p[1] - '0') <= 7) {  // {k1}, without %
        r = &registers.regs[find_register(name_word(p, 2))];
        p += 2;
      }
      if (!r || r->cls != RegClass::mask)
        return out.error(where, "expected {%k1} to {%k7}, {z} or a broadcast like {1to8}"), false;
      if (r->number == 0) return out.error(where, "%k0 cannot be a write mask"), false;
      if (s.deco & deco_mask) return out.error(where, "a second write mask"), false;
      if ((s.deco & deco_zero) && s.mask_operand != s.count)
        return out.error(where, "the write mask stands beside {z}"), false;
      s.deco |= deco_mask;
      s.mask = r->number;
      s.mask_operand = u8(s.count);
    }
    p = skip_blanks(p);
    if (*p != '}') return out.error(p, "expected '}'"), false;
    p = skip_blanks(p + 1);
  }
  return true;
}

/// {dfv=of,sf}: which flags a conditional comparison sets if its condition does not hold; p is at the '{'.
bool X86Target::parse_default_flags(const char*& p, Statement& s, Emitter& out) {
  const char* q = skip_blanks(skip_blanks(p + 1) + 3);
  if (*q == '=') q = skip_blanks(q + 1);
  while (*q != '}') {
    static constexpr std::pair<char, u8> flags[] = {{'o', 8}, {'s', 4}, {'z', 2}, {'c', 1}};
    u8 bit = 0;
    for (auto [letter, value] : flags)
      if ((*q | 0x20) == letter && (q[1] | 0x20) == 'f') bit = value;
    if (!bit || (s.default_flags & bit))
      return out.error(q, bit ? "a flag is named twice" : "expected of, sf, zf or cf, as in {dfv=of,zf}"), false;
    s.default_flags |= bit;
    q = skip_blanks(q + 2);
    if (*q == ',') q = skip_blanks(q + 1);
  }
  p = skip_blanks(q + 1);
  s.deco |= deco_dfv;
  return true;
}

/// {rn-sae} {rd-sae} {ru-sae} {rz-sae} {sae}, in the place of an operand.
bool X86Target::parse_rounding(const char*& p, Statement& s, Emitter& out) {
  const char* where = p;
  const char* q = skip_blanks(p + 1);
  auto rest = [&](std::string_view text) {
    for (char c : text)
      if ((*q | 0x20) == (c | 0x20)) ++q;
      else return false;
    return true;
  };
  if (s.deco & (deco_er | deco_sae)) return out.error(where, "rounding is controlled twice"), false;
  s.deco_where = where;
  s.before_rounding = u8(s.count);
  if ((*q | 0x20) == 's') {
    if (rest("sae")) s.deco |= deco_sae;
  } else if ((*q | 0x20) == 'r') {
    char mode = char(q[1] | 0x20);
    unsigned number = mode == 'n' ? 0 : mode == 'd' ? 1 : mode == 'u' ? 2 : mode == 'z' ? 3 : 4;
    q += 2;
    if (number < 4 && rest("-sae")) {
      s.rounding = u8(number);
      s.deco |= deco_er;
    }
  }
  q = skip_blanks(q);
  if (!(s.deco & (deco_er | deco_sae)) || *q != '}')
    return out.error(where, "expected {rn-sae}, {rd-sae}, {ru-sae}, {rz-sae} or {sae}"), false;
  p = q + 1;
  return true;
}

/// %axl has a REX prefix even where the instruction implies its register.
void X86Target::set_register(Statement& s, Operand& o, const Reg& r) const {
  o.set_register(r);
  if (r.cls == RegClass::r8 && (r.flags & reg_slow)) s.prefixes |= want_rex;
}

bool X86Target::parse_operand(const char*& p, Statement& s, Emitter& out) {
  Operand& o = s.ops[s.count];
  static_cast<OperandFacts&>(o) = {};
  o.where = p;
  if (*p == '%') [[likely]] {  // a register by itself; all else, a segment in front of an address too, goes on below
    const char* q = p;
    const Reg* r = fast_register(q);
    if (r && (*q == ',' || *q == '\n')) {
      p = q;
      o.set_register(*r);
      ++s.count;
      return true;
    }
  }
  o.value = {};
  if (*p == '*') {
    s.star = true;
    p = skip_blanks(p + 1);
  }
  if (*p == '$') {
    ++p;
    if (!parse_immediate(p, o, out)) return false;
  } else if (const Reg* r = *p == '%' || naked_registers_ ? parse_reg(p) : nullptr) {
    const char* q = p;
    if (r->cls == RegClass::segment && (*q == ':' || (is_blank(*q) && *(q = skip_blanks(q)) == ':'))) {
      o.segment = u8(r->number + 1);
      p = skip_blanks(q + 1);
      if (*p == '*') {
        s.star = true;
        p = skip_blanks(p + 1);
      }
      if (!parse_memory(p, s, o, out)) return false;
    } else {
      set_register(s, o, *r);
    }
  } else if (*p == '%') {
    const char* q = p + 1;
    while (is_name_char(*q)) ++q;
    std::string_view name(p, std::size_t(q - p));
    const char* text = p + 1;
    const Reg* aliased = alias_register(text, out);
    if (!aliased) {
      out.error(p, explain_register(name));
      return false;
    }
    p = text;
    o.set_register(*aliased);
  } else {
    const Reg* aliased = nullptr;
    if (is_letter(*p) || *p == '_' || *p == '.') {
      const char* q = p;
      aliased = alias_register(q, out);
      if (aliased) p = q;
    }
    if (aliased && aliased->cls == RegClass::segment && *skip_blanks(p) == ':') {
      o.segment = u8(aliased->number + 1);
      p = skip_blanks(skip_blanks(p) + 1);
      if (!parse_memory(p, s, o, out)) return false;
    } else if (aliased) {
      o.set_register(*aliased);
    } else if (!parse_memory(p, s, o, out)) {
      return false;
    }
  }
  if (is_blank(*p) || *p == '/') p = skip_blanks(p);
  if (*p == '{') [[unlikely]]
    if (!parse_decorations(p, s, o, out)) return false;
  ++s.count;
  return true;
}

/// All operands of a statement. p is at the first, or at the statement's end.
bool X86Target::parse_operands(const char*& p, Statement& s, Emitter& out) {
  // GNU as takes a comment that goes on in the next line for the end of the statement.
  if (*p == '/' && p[1] == '*' && options_.gnu) [[unlikely]] {
    const char* const behind = skip_blanks(p);
    if (std::memchr(p, '\n', std::size_t(behind - p))) return true;
    if (*behind == ',' && options_.release >= 244) {
      p = behind;
      branch_hint(p, s);
    }
  }
  p = skip_blanks(p);
  if (*p == '\n' || *p == ';' || *p == '#' || *p == '\0' || *p == '/') return true;
  for (;;) {
    if (*p == '{') {
      if ((*skip_blanks(p + 1) | 0x20) == 'd') {
        if (!parse_default_flags(p, s, out)) return false;
        continue;
      }
      if (!parse_rounding(p, s, out)) return false;
    } else {
      if (s.count == Statement::max_operands) {
        out.error(p, "too many operands");
        return false;
      }
      if (!parse_operand(p, s, out)) return false;
    }
    p = skip_blanks(p);
    if (*p != ',') {
      s.end = p;
      return true;
    }
    p = skip_blanks(p + 1);
  }
}

int X86Target::parse_register(const char*& p) {
  const Reg* r = parse_reg(p);
  return r ? int(r - registers.regs) : -1;
}

}  // namespace xas::x86
