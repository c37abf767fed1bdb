// SPDX-License-Identifier: Apache-2.0
// What stands in braces, in either syntax: {%k1}, {z} and {1to8} behind an operand, {rn-sae} in the place of one,
// {dfv=of,sf} in front of operands.
#include <utility>

#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/blanks.h"
#include "targets/x86/register_names.h"

namespace xas::x86 {

using text::is_digit;

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
      if ((*q | 0x20) == (c | 0x20))
        ++q;
      else
        return false;
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

}  // namespace xas::x86
