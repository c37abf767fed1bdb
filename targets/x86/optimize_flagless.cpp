// SPDX-License-Identifier: Apache-2.0
// -O of instructions with {nf}: they leave the flags alone, so that what does the same may set none, or others. GNU as
// has this from 2.44 on.
//
//   -O   imul by 3, 5 and 9 becomes lea, by a power of two shl; add and sub of 128 and 1, of the other sign or as inc
//        and dec; rotation by all bits but one, by one the other way; with BMI2 named, mulx, rorx, shlx and its kin
//   -Os  only what gets shorter; and sums become lea where that is shorter
#include <algorithm>
#include <bit>

#include "targets/x86/address.h"
#include "targets/x86/optimize.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr u8 stack_pointer = 4;  // no index

unsigned bits_of(const Row& row) {
  return row.suffix == 'b' ? 8 : row.suffix == 'w' ? 16 : row.suffix == 'l' ? 32 : 64;
}

/// The immediate as a number of `bits` bits with its sign.
i64 signed_immediate(const Operand& o, unsigned bits) {
  return i64(u64(o.value.constant) << (64 - bits)) >> (64 - bits);
}

bool names_egpr(const Operand& o) { return is_register(o) ? o.number >= 16 : o.is_memory && ((o.base | o.index) & 16); }

/// Bytes of an EVEX instruction on registers, behind which an immediate of so many bytes follows.
unsigned evex_size(unsigned immediate) { return 6 + immediate; }

/// Bytes of a lea to `to`.
unsigned lea_size(const Operand& m, const Operand& to) {
  const u8 registers = m.base | (m.has_index ? m.index : 0) | to.number;
  const bool word = to.reg->cls == RegClass::r16, wide = to.reg->cls == RegClass::r64;
  const unsigned prefixes = word + (registers & 16 ? 2 : registers & 8 || wide);
  const i64 v = m.value.constant;
  const unsigned displacement = v == 0 && (m.base & 7) != 5 ? 0 : v == i64(i8(v)) ? 1 : 4;
  return prefixes + 2 + (m.has_index || (m.base & 7) == 4) + displacement;
}

}  // namespace

/// What lea computes.
struct Sum {
  const Operand* base;
  const Operand* index;  ///< or null
  u8 scale;              ///< log2
  i64 displacement;
};

/// The lea that computes `sum` to the last operand. With -Os, null unless it has less than `size` bytes.
const Row* X86Target::Optimizer::adopt_sum(Statement& s, const Sum& sum, unsigned size) const {
  Statement lea = s;
  lea.ops[1] = s.ops[s.count - 1];
  Operand& m = lea.ops[0];
  const u8 base = sum.base->number, index = sum.index ? sum.index->number : u8(0);
  make_address(m, AddressRegs::r64, base);
  m.has_index = sum.index != nullptr;
  m.index = index;
  m.scale = sum.scale;
  m.has_displacement = sum.displacement != 0;
  m.value = {.constant = sum.displacement};
  lea.count = 2;
  lea.memory = 0;
  lea.prefixes &= ~u32(want_nf);
  if ((base | index) & 16) lea.prefixes |= uses_egpr;
  lea.mnemonic = "lea";
  lea.spelling = nullptr;
  if (x_.options_.optimize == optimize_for_size && lea_size(m, lea.ops[1]) >= size) return nullptr;
  return adopt(s, lea, lea.mnemonic);
}

/// imul by a number that lea or shl can do.
const Row* X86Target::Optimizer::optimize_product(const Row& row, Statement& s) const {
  const unsigned bits = bits_of(row);
  const bool zeroes = row.flags & row_nd;
  const Operand &from = s.ops[s.count == 3], &to = s.ops[s.count - 1];
  const bool in_place = s.count == 2 || (is_register(from) && from.reg == to.reg);
  if (s.count < 2 || !s.ops[0].is_immediate || s.ops[0].symbolic || !is_register(to)) return nullptr;
  const i64 number = signed_immediate(s.ops[0], bits);
  const bool is_byte = number == i64(i8(number));
  const Operand& source = s.count == 2 ? to : from;
  if (number == 3 || number == 5 || number == 9) {
    if (zeroes || !is_register(source) || source.number == stack_pointer) return nullptr;
    return adopt_sum(s, {&source, &source, u8(std::countr_zero(u64(number - 1))), 0}, evex_size(1));
  }
  const u64 power = u64(number) & (~u64(0) >> (64 - bits));
  if (!std::has_single_bit(power) || (bits == 64 && number < 0)) return nullptr;
  const int count = std::countr_zero(power);
  if (x_.options_.optimize == optimize_for_size && is_byte && count > 1) return nullptr;
  if (bits == 16 && !zeroes && !in_place) return nullptr;
  Statement shift = s;
  shift.ops[0].value.constant = count;
  x_.classify_immediate(shift.ops[0]);
  shift.count = 1;
  if (zeroes || !in_place) shift.ops[shift.count++] = source;
  shift.ops[shift.count++] = to;
  shift.memory = is_register(source) ? -1 : 1;
  shift.mnemonic = "shl";
  shift.spelling = nullptr;
  const Row* const found = adopt(s, shift, shift.mnemonic);
  if (!found) return nullptr;
  const Row* const sum =
      x_.options_.optimize == optimize_for_size ? optimize_flagless(*found, s) : optimize_shift(*found, s);
  return sum ? sum : found;
}

/// rol, ror, shl, sal, shr, sar and mul with BMI2, which has to be named.
const Row* X86Target::Optimizer::optimize_with_bmi2(const Row& row, Statement& s) const {
  const std::string_view name = base_name(s);
  const unsigned bits = bits_of(row);
  const Operand& to = s.ops[s.count - 1];
  const bool by_one = name.starts_with("ro") && row.imm == imm_none;  // no shorter
  if (bits < 32 || by_one || !is_register(to) || std::any_of(s.ops, s.ops + s.count, names_egpr)) return nullptr;
  Statement other = s;
  other.spelling = nullptr;
  other.prefixes &= ~u32(want_nf);
  std::string longer(name);
  if (name == "mul") {
    constexpr u8 dx = 2;
    if (s.count != 1 || to.number != dx) return nullptr;
    other.count = 3;
    other.ops[0] = other.ops[1] = other.ops[2] = to;
    for (Operand* const o : {&other.ops[0], &other.ops[1]}) {
      o->number = 0;
      resize(*o, to.reg->cls);
    }
  } else {
    if (s.count < 2 || s.count > 3) return nullptr;
    if (s.count == 2) other.ops[other.count++] = to;
    if (name == "rol" && s.ops[0].is_immediate && !s.ops[0].symbolic) {
      other.ops[0].value.constant = u8(bits - u64(s.ops[0].value.constant));
      x_.classify_immediate(other.ops[0]);
      longer = "ror";
    } else if (name == "rol") {
      return nullptr;
    } else if (name != "ror") {
      if (!is_register(s.ops[0])) return nullptr;
      resize(other.ops[0], to.reg->cls);
      if (name == "sal") longer = "shl";
    }
  }
  longer += 'x';
  const Row* const found = x_.row_of(longer, other);
  if (!found || found->encoding != encoding_vex || !(x_.gated_ || x_.is_named(*found))) return nullptr;
  s = other;
  return found;
}

const Row* X86Target::Optimizer::optimize_flagless(const Row& row, Statement& s) const {
  const std::string_view name = base_name(s);
  const unsigned bits = bits_of(row);
  const bool rotates = name == "rol" || name == "ror";
  if (name == "imul" || name == "imulzu") return optimize_product(row, s);
  if (rotates && s.count >= 2 && constant_in(s.ops[0], bits - 1, bits - 1)) {
    Statement other = s;
    other.ops[0].value.constant = 1;
    x_.classify_immediate(other.ops[0]);
    return adopt(s, other, (name == "rol" ? "ror" : "rol") + std::string(s.mnemonic.substr(name.size())));
  }
  constexpr std::string_view of_bmi2[] = {"mul", "rol", "ror", "shl", "sal", "shr", "sar"};
  if (std::ranges::find(of_bmi2, name) != std::end(of_bmi2))
    if (const Row* const found = optimize_with_bmi2(row, s)) return found;
  // What has 16 bits, and zero above them, is no lea.
  const Operand &first = s.ops[0], &second = s.ops[1], &to = s.ops[s.count - 1];
  const bool may_be_lea = x_.options_.optimize == optimize_for_size && bits >= 16 &&
                          !(bits == 16 && (row.flags & row_nd)) &&
                          s.count >= 2 && is_register(second) && is_register(to);
  if ((name == "shl" || name == "sal") && may_be_lea && constant_in(first, 1, 1))
    return second.number == stack_pointer ? nullptr : adopt_sum(s, {&second, &second, 0, 0}, evex_size(0));
  if (name != "add" && name != "sub") return nullptr;
  if (name == "add" && may_be_lea && is_register(first)) {
    const bool needs_displacement = (second.number & 7) == 5 && (first.number & 7) != 5;  // as the base
    const bool exchanged = first.number == stack_pointer || needs_displacement;
    const Sum sum{exchanged ? &first : &second, exchanged ? &second : &first, 0, 0};
    return sum.index->number == stack_pointer ? nullptr : adopt_sum(s, sum, evex_size(0));
  }
  if (!first.is_immediate || first.symbolic) return nullptr;
  const i64 number = signed_immediate(first, bits);
  Statement other = s;
  const std::string suffix(s.mnemonic.substr(name.size()));
  if (number == 1 || number == -1) {
    --other.count;
    for (unsigned i = 0; i < other.count; ++i) other.ops[i] = s.ops[i + 1];
    if (other.memory >= 0) --other.memory;
    return adopt(s, other, ((name == "add") == (number == 1) ? "inc" : "dec") + suffix);
  }
  const unsigned immediate = number >= -128 && number <= 128 ? 1 : bits == 16 ? 2 : 4;
  if (may_be_lea)
    if (const Row* const lea =
            adopt_sum(s, {&second, nullptr, 0, name == "add" ? number : -number}, evex_size(immediate)))
      return lea;
  if (number != 128 || bits == 8) return nullptr;
  other.ops[0].value.constant = -128;
  x_.classify_immediate(other.ops[0]);
  return adopt(s, other, (name == "add" ? "sub" : "add") + suffix);
}

}  // namespace xas::x86
