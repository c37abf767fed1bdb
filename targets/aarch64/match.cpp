// SPDX-License-Identifier: Apache-2.0
// From a signature and its values to an instruction: the first row of the mnemonic that has that signature and whose
// fields can hold the values.

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"

namespace xas::aarch64 {

using namespace atoms;

bool AArch64Target::encode_field(const Encoder& e, const Field& f, const Operands& o, Encoded& to) const {
  if (e.encoding > enc_linear) {
    if (e.encoding != enc_imm_expr) return encode_special(e, f, o, to);
    if (o.atom(f.atom) == atom_expr) {
      const u16 encoder = u16(&e - a64_encoders);
      to.wait(u16(fixup_field + encoder), o.value[f.atom], f.atom);
      return true;
    }
  }
  return put_linear(e, o.value[f.atom], to.word);
}

bool AArch64Target::encode(const Row& row, const Operands& o, Encoded& e, unsigned& failed) const {
  e.word = row.opcode;
  const Field* f = a64_fields + row.fields;
  for (unsigned i = 0; i < row.field_count; ++i) {
    if (encode_field(a64_encoders[f[i].encoder], f[i], o, e)) continue;
    failed = i;
    return false;
  }
  return true;
}

/// The fields of an instruction `at` bytes behind this place.
void AArch64Target::put_fields(const Encoded& e, const Operands& o, u8 at, Emitter& out) {
  for (unsigned i = 0; i < e.pending; ++i) {
    const char* where = o.where[e.fields[i].atom];
    Value value;
    if (e.fields[i].expr == page_of_number) [[unlikely]]
      value = {.constant = o.value[e.fields[i].atom], .modifier = modifier("pg_hi21")};
    else value = o.expr[e.fields[i].expr];
    // Clang prints the second half of a label's address without :lo12: where a catch block of C++ goes on.
    const bool label = is_coff() && e.fields[i].kind == fixup_add12 && where[0] == '.' && where[1] == 'L';
    if (label && value.modifier == 0) value.modifier = modifier("lo12");
    out.fixup({.kind = e.fields[i].kind, .at = at}, value, where);
  }
}

void AArch64Target::emit(const Row& row, const Encoded& e, const Operands& o, const char* where, Emitter& out) {
  if (lfi_.on) [[unlikely]]
    return emit_confined(row, e, o, where, out);
  put_word(out.out, e.word);
  put_fields(e, o, 0, out);
  out.advance(4);
}

/// False if no form fits.
bool AArch64Target::match(const Spelling& s, const Operands& o, const char* where, Emitter& out) {
  const Row* const end = a64_rows + s.first + s.count;
  const u8 other_profile = options_.gnu ? row_llvm : row_gnu;
  for (const Row* row = a64_rows + s.first; row != end; ++row) {
    if (((o.signature[0] ^ row->signature[0]) & row->mask[0]) | ((o.signature[1] ^ row->signature[1]) & row->mask[1]))
      continue;
    if (row->flags & other_profile) continue;
    if (gated_ && !available(row->features)) continue;
    Encoded e;
    unsigned failed;
    if (!encode(*row, o, e, failed)) continue;
    if (((row->flags & row_distinct) | row->prefix | follows_.active) && !allowed(*row, o, e.word, where, out))
        [[unlikely]]
      return true;
    if (e.pool) [[unlikely]] {
      literal(*row, e, o, where, out);
    } else {
      row_ = row;
      first_row_ = a64_rows + s.first;
      emit(*row, e, o, where, out);
    }
    if (options_.frame_steps) [[unlikely]]
      describe(*row, o, e, where, out);
    return true;
  }
  return false;
}

/// A symbol may have the name of a register, as in GNU as, or of a shift: `bl x0`, `adrp x0, s1` and `bl mul` of C's
/// functions and variables. Where no form takes the register but one takes an expression, the operand is read again as
/// that; as a number, general registers are a mistake even so. p is behind the operands. Of operands that are said by
/// values (`typed`), only names and words are text.
bool AArch64Target::read_as_symbol(const Spelling& s, Operands& o, const char*& p, bool typed, Emitter& out) {
  // Or where a name is none of those that the form takes.
  const auto difference = [&](const Row& row) {
    unsigned failed;
    Encoded e;
    if (const unsigned first = first_difference(row, o); first != max_atoms || encode(row, o, e, failed)) return first;
    const u8 atom = a64_fields[row.fields + failed].atom;
    return o.atom(atom) == atom_name ? atom : max_atoms;
  };
  unsigned at = 0;
  for (const Row* row = a64_rows + s.first; row != a64_rows + s.first + s.count; ++row)
    at = std::max(at, difference(*row));
  if (at >= o.count || o.expressions == std::size(o.expr)) return false;
  const Atom was = o.atom(at);
  const bool general = was < atom_imm, vector = was >= atom_v && was <= atom_zt0;
  const bool word = was >= atom_lsl && was <= atom_vgx4 && was != atom_mul_vl;
  if (!general && !vector && !word && (was < atom_b || was > atom_q) && was != atom_name) return false;
  if (typed && was != atom_name && !word) return false;
  Operands changed = o;
  changed.set_atom(at, was == atom_name ? atom_imm : atom_expr);
  if (word) changed.truncate(at + 1);  // `b lsl + 4`: no amount, but a part of the expression
  const auto takes = [&](const Row& row) {
    if (first_difference(row, changed) != max_atoms) return false;
    if (!general && !vector && !word) return true;  // a number may stand where a name may
    for (const Field* f = a64_fields + row.fields; f != a64_fields + row.fields + row.field_count; ++f)
      if (f->atom == at) return names_address(a64_encoders[f->encoder].encoding);
    return false;
  };
  if (std::none_of(a64_rows + s.first, a64_rows + s.first + s.count, takes)) return false;
  const char* q = o.where[at];
  Value v;
  if (!out.expression(q, v)) return false;
  if (at + 1 == changed.count) p = q;
  i64 number;
  if (!general && out.known_constant(v, number)) {
    changed.set_atom(at, atom_imm);
    changed.value[at] = number;
  } else if (was == atom_name) {
    return false;
  } else {
    changed.value[at] = changed.expressions;
    changed.expr[changed.expressions++] = v;
  }
  o = changed;
  return true;
}

void AArch64Target::match_suffixed(const Spelling& s, const Operands& o, Atom suffix, const char* where,
                                   const char* end, Emitter& out) {
  u64 bare[2] = {0, 0}, wanted[2] = {0, 0}, first[2] = {0, 0};
  bool any = false;
  for (unsigned i = 0; i < o.count; ++i) {
    if (o.atom(i) != atom_v) continue;
    const u64 shift = 8 * (i & 7);
    bare[i >> 3] |= u64(0xFF) << shift;
    if (any) continue;
    any = true;
    first[i >> 3] = u64(0xFF) << shift;
    wanted[i >> 3] = u64(suffix) << shift;
  }
  if (!any) return out.error(where, "the arrangement stands behind the mnemonic or the registers, not both");
  for (const Row* row = a64_rows + s.first; row != a64_rows + s.first + s.count; ++row) {
    u64 difference = 0;
    for (int w = 0; w < 2; ++w) {
      difference |= (o.signature[w] ^ row->signature[w]) & row->mask[w] & ~bare[w];
      difference |= (row->signature[w] ^ wanted[w]) & first[w];
      // The others must be vector registers too.
      for (unsigned i = 0; i < 8; ++i) {
        const u8 atom = u8(row->signature[w] >> (8 * i));
        if ((bare[w] >> (8 * i) & 0xFF) && (atom <= atom_v || atom >= atom_z)) difference = 1;
      }
    }
    if (difference || (gated_ && !available(row->features))) continue;
    Encoded e;
    unsigned failed;
    if (encode(*row, o, e, failed)) return emit(*row, e, o, where, out);
  }
  explain(s, o, where, end, out);
}

bool AArch64Target::assemble(const Spelling& s, const char* where, const char*& p, Emitter& out) {
  Operands& o = operands_;
  o.clear();
  if (!parse_operands(p, s.names, o, out)) return true;
  if (o.overflow) {
    out.error(where, "too many operands");
  } else if (!match(s, o, where, out)) [[unlikely]] {
    Operands again = o;
    if (!read_as_symbol(s, again, p, false, out) || !match(s, again, where, out)) explain(s, o, where, p, out);
    row_ = nullptr;
  }
  return true;
}

bool AArch64Target::instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  repeats_ = true;
  row_ = nullptr;
  if (*p == '.' && alias_statement(mnemonic, p, out)) [[unlikely]] return true;
  const Spelling* s = find_spelling(mnemonic.text(), mnemonic.hash);
  if (!s) [[unlikely]] return slow_mnemonic(mnemonic, p, out);
  return assemble(*s, mnemonic.p, p, out);
}

/// Mnemonics in upper case; with the arrangement behind them (add.8b v0, v1, v2); `name .req register`.
bool AArch64Target::slow_mnemonic(Name mnemonic, const char*& p, Emitter& out) {
  if (alias_statement(mnemonic, p, out)) return true;
  char lower[32];
  if (mnemonic.size == 0 || mnemonic.size > sizeof lower) return false;
  for (u32 i = 0; i < mnemonic.size; ++i) lower[i] = text::lower(mnemonic.p[i]);
  const std::string_view name(lower, mnemonic.size);
  const Spelling* s = find_spelling(name, hash_name(name));
  if (s) {
    return assemble(*s, mnemonic.p, p, out);
  }
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return false;
  s = find_spelling(name.substr(0, dot), hash_name(name.substr(0, dot)));
  if (!s) return false;
  return assemble_suffixed(*s, name.substr(dot), mnemonic.p, p, out);
}

}  // namespace xas::aarch64
