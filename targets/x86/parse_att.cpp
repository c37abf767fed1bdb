// SPDX-License-Identifier: Apache-2.0
// AT&T operands.
//
//   operand   := [ '*' ] ( register | '$' expression | memory ) { '{' decoration '}' }
//   memory    := [ '%' segment ':' ] [ expression ] [ '(' [ register ] [ ',' [ register ] [ ',' scale ] ] ')' ]
//
// Small numbers are read here, registers in register_names.h, decorations in decorations.cpp; only text with symbols
// goes to the Emitter. A bare expression is memory, an absolute address, and a branch target at once; the row that
// accepts it decides.
#include <fmt/format.h>

#include <cstring>

#include "targets/advice.h"
#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/blanks.h"
#include "targets/x86/explain.h"
#include "targets/x86/register_names.h"

namespace xas::x86 {

using text::is_digit, text::is_letter, text::is_name_char;

namespace {

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
  if (const char* const behind = skip_blanks(p + is_digit(*p)); behind != p && *behind == ')') {
    p = behind;
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
  out.error(where, Explainer(*this).explain_in_address({where, std::size_t(q - where)}));
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
      return *problem ? (out.error(where, Explainer(*this).explain_index(problem, *index, o.regs)), false)
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
        if (*p == ',' || *p == '\n') return out.error(p, Explainer(*this).explain_missing(*p, s)), false;
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
      out.error(p, Explainer(*this).explain_register(name));
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
    if (*behind == ',' && options_.gnu_since(244)) {
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

}  // namespace xas::x86
