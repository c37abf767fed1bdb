// SPDX-License-Identifier: Apache-2.0
// Names of registers that are rare: in capitals, with blanks, %st(1), without %, and those that `.set name, %reg` has
// made.
#include "targets/x86/explain.h"
#include "targets/x86/register_names.h"
#include "targets/text.h"
#include "targets/x86/blanks.h"

namespace xas::x86 {

using text::is_digit, text::is_letter, text::is_name_char;

/// Without % fewer names are registers, and what is none is a symbol. LLVM has no test registers; GNU as none of those
/// that came with APX (egpr_names.cpp).
bool X86Target::has_naked_name(const Reg& r) const {
  if (!options_.gnu) return r.cls != RegClass::test;
  if (r.cls == RegClass::no_index64 || r.cls == RegClass::no_index32) return x86_options_.index_registers;
  return (naked_egprs_ || !(r.flags & reg_egpr)) && !(r.cls == RegClass::test && mode_ == 64);
}

/// Any name. Those that fast_register leaves have capitals, blanks, a number in parentheses (%st(1)) or no %.
const Reg* X86Target::slow_register(const char*& p) const {
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
    if (n < 8) word |= u64(u8(text::lower(c))) << (8 * n);
  }
  if (n == 0 || n > 8) return nullptr;
  const int i = find_register(word);
  if (i < 0) return nullptr;
  const Reg* r = &registers.regs[i];
  if (*p != '%' && (q[n] == '_' || q[n] == '.' || q[n] == '$' || q[n] == '@' || !has_naked_name(*r))) return nullptr;
  q += n;
  if (r->cls == RegClass::r8 && (r->flags & reg_slow) && options_.gnu_since(247)) r = &implied_low_bytes[r->number];
  if (r->cls == RegClass::st && (r->flags & reg_slow)) {
    const char* s = q;
    while (is_blank(*s)) ++s;
    if (*s == '(') {
      do ++s;
      while (is_blank(*s));
      unsigned digit = unsigned(*s - '0');
      if (digit > 7) return nullptr;
      do ++s;
      while (is_blank(*s));
      if (*s != ')') return nullptr;
      r = &registers.regs[find_register(name_word("st", 2) | u64('0' + digit) << 16)];
      q = s + 1;
    }
  }
  if (!has_register(*r)) return nullptr;
  p = q;
  return r;
}

/// The register was there where it got its other name; the mode, or the processor, may have changed since.
void X86Target::check_alias(const Reg& r, const char* where, Emitter& out) const {
  if (!has_register(r)) out.error(where, Explainer(*this).explain_register('%' + register_name(r)));
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

/// The same, and an error if there is no such register here.
const Reg* X86Target::alias_register(const char*& p, Emitter& out) const {
  const char* const where = p;
  const Reg* const r = aliased_register(p, out);
  if (r) check_alias(*r, where, out);
  return r;
}

int read_register_name(const char*& p) {
  const char* q = p;
  if (*q == '%') {
    ++q;
    while (is_blank(*q)) ++q;
  }
  u64 word = 0;
  unsigned n = 0;
  for (; is_letter(q[n]) || is_digit(q[n]) || q[n] == '.'; ++n) {
    if (n >= 8) return -1;
    word |= u64(u8(text::lower(q[n]))) << (8 * n);
  }
  if (n == 2 && word == name_word("st", 2) && q[2] == '(' && u8(q[3] - '0') <= 7 && q[4] == ')') {
    word |= u64(u8(q[3])) << 16;
    n = 5;
  }
  const int i = n ? find_register(word) : -1;
  if (i >= 0) p = q + n;
  return i;
}

int X86Target::parse_directive_register(const char*& p) { return read_register_name(p); }

int X86Target::parse_register(const char*& p) {
  const Reg* r = parse_reg(p);
  return r ? int(r - registers.regs) : -1;
}

/// %axl has a REX prefix even where the instruction implies its register.
void X86Target::set_register(Statement& s, Operand& o, const Reg& r) const {
  o.set_register(r);
  if (r.cls == RegClass::r8 && (r.flags & reg_slow)) s.prefixes |= want_rex;
}

}  // namespace xas::x86
