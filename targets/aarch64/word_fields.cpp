// SPDX-License-Identifier: Apache-2.0
// What templates (asm/read/cache/template.h) have to know of an instruction: where its registers and numbers are, and
// for which others the same row is taken. Nothing is said of an instruction with a field that depends on two operands.
#include <bit>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"

namespace xas::aarch64 {

namespace {

using Line = atoms::LinearField;

/// False if the field is no linear function of the number.
bool line_of(const Encoder& e, i64 number, Line& line) {
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: return line.set_linear(e);
    case enc_offset:
      line = {.low = 0, .high = 4095 * i64(e.scale), .shift = u8(std::countr_zero(u32(e.scale)))};
      return true;
    case enc_offset_unscaled: line = {.low = -256, .high = 255}; return true;
    case enc_add12: line = {.low = 0, .high = 4095}; return true;
    case enc_mov16:
    case enc_movz: line = {.low = 0, .high = 65535}; return number >= 0 && number <= 65535;
    case enc_movn: line = {.low = -32768, .high = -1, .flip = -1}; return number >= -32768 && number < 0;
    default: return false;
  }
}

/// The field holds no number from `low` to `high`. The ends are moved where that does it.
bool holds_none(const Encoder& e, i32& low, i32& high) {
  if (e.encoding == enc_constant) return atoms::leave_out(e.low, low, high);
  if (e.encoding == enc_mov16_op) return true;  // operators alone
  if (e.encoding == enc_movz) return low >= -32768 && high < 0;  // no half of it is zero
  Line line;
  return line_of(e, e.encoding == enc_movn ? -1 : 0, line) && (line.high < low || line.low > high);
}

/// Where atom `i` stands among the pieces.
i64 place_of(const Operands& o, unsigned i, const WordPieces& pieces) {
  return pieces.line ? o.where[i] - pieces.line : i64(i);
}

bool add_register(const Encoder& e, WordFields::Register& r) {
  const bool plain = e.encoding == enc_linear && e.low == 0 && e.base == 0 && e.scale == 1 && e.segments == 1;
  if (!plain || e.segment[0].width > 5 || e.segment[0].lsb > 27 || r.bit[1] != WordFields::no_bit) return false;
  r.bit[r.bit[0] != WordFields::no_bit] = e.segment[0].lsb;
  r.max = u8(std::min<i64>(r.max, e.high));
  return true;
}

/// lsl: both of its fields count from the other end.
void add_shift_left(const Encoder& e, WordFields::Number& n) {
  n.low = std::max(n.low, 1);
  n.high = std::min(n.high, i32(e.low - 1));
  for (unsigned i = 0; i < 2; ++i) {
    const atoms::Segment s = e.segment[i];
    n.parts[i] = {.flip = -1, .add = i32(e.low + 1 - i), .shift = 0, .width = s.width, .bit = s.lsb};
  }
}

bool add_number(const Encoder& e, i32 value, WordFields::Number& n) {
  if (n.parts[0].width || e.segments > WordFields::max_parts) return false;
  for (unsigned i = 0; i < e.segments; ++i)
    if (e.segment[i].lsb == 255) return false;
  if (e.encoding == enc_shift_left && e.segments == 2 && value > 0) return add_shift_left(e, n), true;
  Line line;
  if (!line_of(e, value, line)) return false;
  n.low = i32(std::max<i64>(n.low, line.low));
  n.high = i32(std::min<i64>(n.high, line.high));
  n.odd = (u32(1) << line.shift) - 1;
  u8 shift = line.shift;
  for (unsigned i = e.segments; i-- > 0;) {
    const atoms::Segment s = e.segment[i];
    n.parts[i] = {.flip = line.flip, .add = line.add, .shift = shift, .width = s.width, .bit = s.lsb};
    shift = u8(shift + s.width);
  }
  return shift < 32;
}

}  // namespace

/// Adds a field of the last instruction's row; false if nothing can be said of it.
bool AArch64Target::add_field(const Field& f, const WordPieces& pieces, WordFields& fields) const {
  const Encoder& e = a64_encoders[f.encoder];
  switch (e.encoding) {
    case enc_same: case enc_pair_next: case enc_literal_pool: return false;
    case enc_width: case enc_width_end:
      if (pieces.number_count) return false;  // the number before it counts too
      break;
    default: break;
  }
  const i64 at = place_of(operands_, f.atom, pieces);
  if (at < 0 || at > 255) return false;
  if (const int r = pieces.register_at(unsigned(at)); r >= 0)
    return operands_.value[f.atom] == pieces.registers[r].number && add_register(e, fields.registers[r]);
  const int n = pieces.number_at(unsigned(at));
  if (n < 0) return true;
  const i32 value = pieces.numbers[n].value;
  return operands_.is_number(f.atom) && operands_.value[f.atom] == value && add_number(e, value, fields.numbers[n]);
}

/// No row before the instruction's own would take one of the numbers that its own takes.
bool AArch64Target::fits_no_row_before(const WordPieces& pieces, WordFields& fields) const {
  for (const Row* row = first_row_; row != row_; ++row) {
    if (row->flags & (options_.gnu ? row_llvm : row_gnu)) continue;
    if (first_difference(*row, operands_) != max_atoms || (gated_ && !available(row->features))) continue;
    bool refused = false;
    for (const Field* f = a64_fields + row->fields; f != a64_fields + row->fields + row->field_count; ++f) {
      const i64 at = place_of(operands_, f->atom, pieces);
      const int n = at < 0 || at > 255 ? -1 : pieces.number_at(unsigned(at));
      if (n < 0 || !operands_.is_number(f->atom)) continue;
      refused |= holds_none(a64_encoders[f->encoder], fields.numbers[n].low, fields.numbers[n].high);
    }
    if (!refused) return false;
  }
  return true;
}

/// All registers that could be the same as another are pieces: those by another name (lr, X0) are not.
static bool all_are_pieces(const Operands& o, const WordPieces& pieces) {
  for (unsigned i = 0; i < o.count; ++i) {
    const Atom a = o.atom(i);
    const bool is_register = a < atom_imm || (a >= atom_b && a <= atom_q);
    if (is_register && o.value[i] != 31 && pieces.register_at(unsigned(place_of(o, i, pieces))) < 0) return false;
  }
  return true;
}

WordFields AArch64Target::word_fields(const WordPieces& pieces) const {
  WordFields fields;
  const bool follows = row_ && row_->prefix != prefix_none && row_->prefix != prefix_anywhere;
  if (!row_ || (follows && !options_.gnu)) return fields;
  for (WordFields::Register& r : fields.registers) r = {31, {WordFields::no_bit, WordFields::no_bit}};
  for (unsigned i = 0; i < WordPieces::max_numbers; ++i) {
    // The sign stays in the shape.
    const bool negative = i < pieces.number_count && pieces.numbers[i].value < 0;
    fields.numbers[i] = {.low = negative ? INT32_MIN : 0, .high = negative ? -1 : INT32_MAX, .odd = 0, .parts = {}};
  }
  for (const Field* f = a64_fields + row_->fields; f != a64_fields + row_->fields + row_->field_count; ++f)
    if (!add_field(*f, pieces, fields)) return fields;
  for (unsigned i = 0; i < pieces.register_count; ++i)
    if (fields.registers[i].bit[0] == WordFields::no_bit) return fields;
  for (unsigned i = 0; i < pieces.number_count; ++i)
    if (!fields.numbers[i].parts[0].width) return fields;
  fields.distinct = row_->flags & row_distinct;
  if (fields.distinct && !all_are_pieces(operands_, pieces)) return fields;
  fields.known = fits_no_row_before(pieces, fields);
  return fields;
}

}  // namespace xas::aarch64
