// SPDX-License-Identifier: Apache-2.0
// What templates (asm/read/cache/template.h) have to know of an instruction: where its registers and numbers are, and
// for which others the same row is taken. Nothing is said of an instruction with a field that depends on two numbers.
#include <algorithm>
#include <bit>

#include "targets/arm/arm.h"
#include "targets/arm/number_class.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

using Line = atoms::LinearField;

constexpr i64 max_byte = 255;

/// False if the field is no linear function of numbers like this one.
bool line_of(const Encoder& e, i64 number, Line& line) {
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: return line.set_linear(e);
    case enc_signed:
      if (!std::has_single_bit(u32(e.scale)) || e.segment[0].width != 1) return false;
      line = {.low = 0, .high = e.high, .shift = u8(std::countr_zero(u32(e.scale))), .first_segment = 1};
      if (number < 0) line = {-e.high, -1, -1, 1, line.shift, 1};
      return true;
    // As they are, without a rotation. Others are put together by their own rules.
    case enc_a32_imm:
    case enc_t32_imm: line = {.low = 0, .high = max_byte}; return true;
    case enc_a32_minus:
    case enc_t32_minus: line = {.low = -max_byte, .high = -1, .flip = -1, .add = 1}; return true;
    case enc_a32_not:
    case enc_t32_not: line = {.low = -max_byte - 1, .high = -1, .flip = -1}; return true;
    case enc_shift32: line = {.low = 1, .high = 31}; return true;
    case enc_mov16: line = {.low = 0, .high = 65535}; return true;
    default: return false;
  }
}

/// The field holds no number from `low` to `high`. The ends are moved where that does it.
bool holds_none(const Encoder& e, i32& low, i32& high) {
  // Of bytes, and of bytes below zero, those that are held nevertheless stand at an end.
  const auto none_of_bytes = [&](i32 first) {
    if (low < first && high >= first) low = first;
    return low >= first && high <= max_byte;
  };
  const auto none_of_negative = [&](i32 last) {
    if (high > last && low <= last) high = last;
    return high <= last && low >= -max_byte;
  };
  switch (e.encoding) {
    case enc_constant: return atoms::leave_out(e.low, low, high);
    case enc_a32_imm: return none_of_negative(-1);
    case enc_t32_imm: return none_of_negative(-2);   // all ones are a byte again and again
    case enc_a32_minus: return none_of_bytes(1);
    case enc_t32_minus: return none_of_bytes(2);
    case enc_a32_not: return none_of_bytes(0);
    case enc_t32_not: return none_of_bytes(1);
    case enc_shift32: return high < 1 || low > 32;
    case enc_signed: return low > e.high || high < -e.high;
    case enc_linear: case enc_imm_expr: case enc_mov16: break;
    default: return false;
  }
  Line line;
  return line_of(e, 0, line) && (line.high < low || line.low > high);
}

/// The register that was taken out and is atom `i`; -1: it is something else. A sign that is not written stands where
/// its register does.
int register_of(const WordPieces& pieces, const Operands& o, unsigned i) {
  const bool is_sign = o.atom(i) == atom_plus || o.atom(i) == atom_minus;
  return is_sign ? -1 : pieces.register_at(unsigned(o.where[i] - pieces.line));
}

/// How far up the number of a register stands in its value. A quad register has that of its first half.
unsigned shift_of(Atom a) { return a == atom_q ? 1 : 0; }

/// The registers that could stand in the place of one that was taken out: `first` and those up to `last` above it.
struct Group {
  i64 first, last;
};

bool is_general(Atom a) { return a == atom_low || a == atom_high; }

/// In A32 all general registers, else eight.
Group group_of(Atom a, i64 number, bool thumb) {
  if (is_general(a) && !thumb) return {0, reg_lr};
  return {number & ~i64(7), 7};
}

/// `value` is that of a register `a`. Of those that could stand in its place the bits of one part differ.
bool add_register(const Encoder& e, Atom a, i64 value, bool thumb, WordFields::Register& r) {
  if (e.encoding == enc_same || e.encoding == enc_other_than)  // all registers that are equal are told
    return thumb || !is_general(a);
  if (e.encoding != enc_linear || e.base != 0 || e.scale != 1) return false;
  const atoms::Segment s = e.segment[e.segments - 1];
  const unsigned shift = shift_of(a);
  const Group group = group_of(a, value >> shift, thumb);
  const i64 last = std::min((e.high >> shift) - group.first, group.last);
  const u8 bit = u8(s.lsb + shift);
  if (e.low > (group.first << shift) || last < 2) return false;
  if (s.width < std::bit_width(u64(group.last)) + int(shift) || bit > 29) return false;
  if (r.bit[0] == bit || r.bit[1] != WordFields::no_bit) return false;
  r.bit[r.bit[0] != WordFields::no_bit] = bit;
  r.max = std::min(r.max, u8(last));
  return true;
}

bool add_number(const Encoder& e, i32 value, WordFields::Number& n) {
  Line line;
  if (n.parts[0].width || !line_of(e, value, line)) return false;
  n.odd = (u32(1) << line.shift) - 1;
  u8 shift = line.shift;
  unsigned part = 0;
  for (unsigned i = e.segments; i-- > line.first_segment && part < WordFields::max_parts; ++part) {
    const atoms::Segment s = e.segment[i];
    if (s.lsb == 255 || shift + s.width > 31) return false;
    n.parts[part] = {.flip = line.flip, .add = line.add, .shift = shift, .width = s.width, .bit = s.lsb};
    shift = u8(shift + s.width);
  }
  // What is above must be zero.
  const i64 end = i64(1) << shift;
  if (line.flip == 0)
    line.high = std::min(line.high, end - 1 - line.add);
  else
    line.low = std::max(line.low, line.add - end);
  n.low = i32(std::max<i64>(n.low, line.low));
  n.high = i32(std::min<i64>(n.high, line.high));
  return true;
}

/// All registers that could be the same as one that was taken out are taken out themselves: those by another name (a1,
/// R0) are not.
bool all_are_pieces(const Operands& o, const WordPieces& pieces) {
  for (unsigned i = 0; i < o.count; ++i) {
    const Atom a = o.atom(i);
    if (!is_general(a) && a != atom_d && a != atom_q) continue;
    const i64 last = is_general(a) ? i64(reg_lr) : a == atom_d ? 15 : 7;
    if (o.value[i] >> shift_of(a) <= last && pieces.register_at(unsigned(o.where[i] - pieces.line)) < 0) return false;
  }
  return true;
}

/// The condition is met by all lines of a shape or by none. It compares two core registers, which are equal in all
/// lines or in none, or one with a register that is never taken out. `distinct`: only if no two that were taken out are
/// the same.
bool is_told_by_shape(const ClashTest& test, bool thumb, bool& distinct) {
  switch (test.kind) {
    case ClashTest::same: distinct |= !thumb; return test.width == 4;
    case ClashTest::number: return test.width == 4 && (test.other == reg_sp || test.other == reg_pc);
    case ClashTest::holds:
    case ClashTest::has: return false;
    case ClashTest::always: return true;
  }
  return false;
}

/// Whether the row's rules for registers say of all lines of the shape what they say of this one.
bool are_told_by_shape(const Facts& facts, const WordPieces& pieces, bool thumb, bool& distinct) {
  for (unsigned i = 0; i < pieces.register_count; ++i)
    if (const char kind = pieces.line[pieces.registers[i].at]; facts.clash_count && (kind == 'd' || kind == 'q'))
      return false;
  for (unsigned i = 0; i < facts.clash_count; ++i)
    for (const ClashTest* test = arm_clash_tests + arm_clash_uses[facts.clashes + i].tests;; ++test) {
      if (!is_told_by_shape(*test, thumb, distinct)) return false;
      if (test->ends_term && test->ends) break;
    }
  return true;
}

/// The bits of a signature that tell apart registers that could stand for each other.
void alike_bits(const Operands& o, const WordPieces& pieces, u64 (&bits)[2]) {
  static_assert((atom_low ^ atom_high) == 1);
  bits[0] = bits[1] = 0;
  for (unsigned i = 0; i < o.count; ++i)
    if (is_general(o.atom(i)) && register_of(pieces, o, i) >= 0) bits[i >> 3] |= u64(1) << (8 * (i & 7));
}

}  // namespace

/// Adds a field of the last instruction's row; false if nothing can be said of it.
bool ArmTarget::add_field(const Field& f, const WordPieces& pieces, WordFields& fields) const {
  const Encoder& e = arm_encoders[f.encoder];
  const i64 at = last_.operands.where[f.atom] - pieces.line;
  if (at < 0 || at > 255) return false;
  if (e.encoding == enc_next) return false;
  if (const int r = register_of(pieces, last_.operands, f.atom); r >= 0) {
    const Atom a = last_.operands.atom(f.atom);
    const i64 value = last_.operands.value[f.atom];
    const i64 number = value >> shift_of(a);
    return number - group_of(a, number, thumb_).first == pieces.registers[r].number &&
           add_register(e, a, value, thumb_, fields.registers[r]);
  }
  const int n = pieces.number_at(unsigned(at));
  if (n < 0) return e.encoding != enc_msb && e.encoding != enc_width ? true : pieces.number_count == 0;
  const i32 value = pieces.numbers[n].value;
  return last_.operands.is_number(f.atom) && last_.operands.value[f.atom] == value &&
         add_number(e, value, fields.numbers[n]);
}

/// The row takes no line of the shape because of this field.
bool ArmTarget::refuses(const Row& row, const Field& f, const WordPieces& pieces, WordFields& fields) const {
  const Encoder& e = arm_encoders[f.encoder];
  const i64 at = last_.operands.where[f.atom] - pieces.line;
  if (at < 0 || at > 255) return false;
  const int n = pieces.number_at(unsigned(at));
  if (n >= 0)
    return last_.operands.is_number(f.atom) && holds_none(e, fields.numbers[n].low, fields.numbers[n].high);
  const bool is_piece = register_of(pieces, last_.operands, f.atom) >= 0;
  const bool is_told = e.encoding == enc_same || e.encoding == enc_other_than;
  if (is_piece && (!is_told || (!thumb_ && is_general(last_.operands.atom(f.atom))))) return false;
  if (e.encoding == enc_msb || e.encoding == enc_width || e.encoding == enc_next) return false;
  Encoded ignored;
  ignored.word = 0;
  return !encode_field(row, e, f, last_.operands, ignored);
}

/// No row before the instruction's own would take one of the numbers and registers that its own takes.
bool ArmTarget::fits_no_row_before(const WordPieces& pieces, WordFields& fields) const {
  u64 alike[2] = {0, 0};
  if (!thumb_) alike_bits(last_.operands, pieces, alike);
  const auto differs = [&](const Row& row, unsigned i) {
    return ((last_.operands.signature[i] ^ row.signature[i]) & row.mask[i] & ~alike[i]) != 0;
  };
  if ((last_.row->mask[0] & alike[0]) | (last_.row->mask[1] & alike[1])) return false;
  for (const Row* row = last_.first_row; row != last_.row; ++row) {
    if (differs(*row, 0) || differs(*row, 1) || !usable(*row, last_.mnemonic, last_.block)) continue;
    if (processor_.is_gated() && !processor_.has_all(row->features)) continue;
    bool refused = false;
    for (const Field* f = arm_fields + row->fields; f != arm_fields + row->fields + row->field_count; ++f)
      refused = refused || refuses(*row, *f, pieces, fields);
    if (!refused) return false;
  }
  return true;
}

WordFields ArmTarget::word_fields(const WordPieces& pieces) const {
  WordFields fields;
  if (!last_.row || typed_.on_operands || (last_.row->flags & row_v4bx)) return fields;
  if (!all_are_pieces(last_.operands, pieces)) return fields;
  if (!are_told_by_shape(facts_of(*last_.row), pieces, thumb_, fields.distinct)) return fields;
  for (WordFields::Register& r : fields.registers) r = {u8(thumb_ ? 7 : 14), {WordFields::no_bit, WordFields::no_bit}};
  for (unsigned i = 0; i < pieces.number_count; ++i) {
    // The sign and the class are in the shape.
    const i32 value = pieces.numbers[i].value;
    const NumberClass c = number_class(value, thumb_);
    fields.numbers[i] = {
        .low = value < 0 ? -c.high : c.low, .high = value < 0 ? std::min(-c.low, -1) : c.high, .odd = 0, .parts = {}};
  }
  bool is_branch = false;
  for (const Field* f = arm_fields + last_.row->fields; f != arm_fields + last_.row->fields + last_.row->field_count;
       ++f) {
    if (!add_field(*f, pieces, fields)) return fields;
    const Encoding e = arm_encoders[f->encoder].encoding;
    is_branch |=
        last_.operands.atom(f->atom) == atom_expr && last_.row->set == set_t16 && e >= enc_t16_b8 && e <= enc_t16_adr;
  }
  if (is_branch && pieces.register_count > 1) return fields;
  for (unsigned i = 0; i < pieces.register_count; ++i) {
    // One that is nowhere is the same as another.
    bool is_told = fields.registers[i].bit[0] != WordFields::no_bit;
    for (unsigned j = 0; j < pieces.register_count && !is_told; ++j)
      is_told = j != i && pieces.registers[j].number == pieces.registers[i].number &&
                fields.registers[j].bit[0] != WordFields::no_bit;
    if (!is_told) return fields;
  }
  for (unsigned i = 0; i < pieces.number_count; ++i)
    if (!fields.numbers[i].parts[0].width) return fields;
  if (is_branch) {
    fields.size = 0;
    fields.form_holds_register = pieces.register_count == 1;
    fields.registers[0].bit[0] = 0;
  } else {
    fields.size = last_.row->set == set_t16 ? 2 : 4;
    fields.halves = thumb_ && fields.size == 4;
  }
  fields.alone = options_.gnu && stands_alone(*last_.row, last_.mnemonic, last_.operands, last_.block);
  fields.known = fits_no_row_before(pieces, fields);
  return fields;
}

}  // namespace xas::arm
