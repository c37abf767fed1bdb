// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that are said by a mnemonic's number and values (targets/typed_shape.h): what may be taken out
// of their operands. Where a piece stands is which atom it becomes (typed_instruction.cpp).
#include <algorithm>
#include <array>

#include "targets/aarch64/aarch64.h"
#include "targets/typed_shape.h"

namespace xas::aarch64 {

namespace {

/// By atom: one more than the last number of a class's registers that stand for each other; 0: they don't.
constexpr std::array<u8, 256> alike = [] {
  std::array<u8, 256> end{};
  end[atom_w] = end[atom_x] = 31;
  for (unsigned a = atom_b; a <= atom_q; ++a) end[a] = 32;
  for (unsigned a = atom_v; a <= atom_z_q; ++a) end[a] = 32;
  for (unsigned a = atom_p; a <= atom_p_m; ++a) end[a] = 16;
  return end;
}();

/// The mnemonics whose numbers are masks, or bits that depend on each other.
constexpr std::string_view with_numbers[] = {"and",  "ands", "orr",  "orn",   "eor",  "eon",  "tst",   "bic", "bfc",
                                             "bfi",  "bfm",  "bfxil", "sbfiz", "sbfm", "sbfx", "ubfiz", "ubfm", "ubfx"};

class NumberKeepers {
 public:
  constexpr NumberKeepers() {
    for (const std::string_view name : with_numbers) {
      const u32 number = mnemonic_number(hash_name(name));
      u32 at = slot(number);
      while (numbers_[at]) at = (at + 1) % slots;
      numbers_[at] = number;
    }
  }
  constexpr bool has(u32 number) const {
    u32 at = slot(number);
    while (numbers_[at] && numbers_[at] != number) at = (at + 1) % slots;
    return numbers_[at] != 0;
  }

 private:
  static constexpr u32 slots = 128;
  static constexpr u32 slot(u32 number) { return number / 8 % slots; }
  u32 numbers_[slots] = {};
};
constexpr NumberKeepers number_keepers;

class ShapeOfValues {
 public:
  ShapeOfValues(TypedWordShape& shape, u32 mnemonic) : shape_(shape), pieces_(shape.pieces), mnemonic_(mnemonic) {
    pieces_.line = nullptr;
    pieces_.register_count = pieces_.number_count = 0;
  }

  /// The next operand. False: there is no shape.
  bool take(const xas_arg& a) {
    taken_ = &shape_.taken[operand_++];
    *taken_ = 0;
    constexpr unsigned known_flags = XAS_ARG_WRITE_BACK | XAS_ARG_ELEMENT;
    if (a.segment | a.mask | a.scale | a.size | a.broadcast | (a.flags & ~known_flags) | a.value.subtract) return false;
    if (a.value.modifier && !a.value.add) return false;
    switch (a.kind) {
      case XAS_ARG_REGISTER: return one_register(a);
      case XAS_ARG_LIST: return a.count - 1u <= 3 && !(a.flags & XAS_ARG_WRITE_BACK) && one_register(a);
      case XAS_ARG_VALUE:
      case XAS_ARG_TARGET: return value(a.value);
      case XAS_ARG_MEMORY: return !(a.flags & ~XAS_ARG_WRITE_BACK || a.count) && memory(a);
      case XAS_ARG_WORD: return text();
      default: return false;
    }
  }

 private:
  /// A register that others may stand for, or itself. False: it is none.
  bool reg(xas_register number, TypedWordShape::Part part) {
    if (number - 1 > 0xFFFF) return false;
    const Register r = Register::unpack(int(number - 1));
    const u8 end = alike[r.atom];
    if (end && !has_text_) {
      if (r.number >= end || pieces_.register_count == WordPieces::max_registers) return false;
      shape_.last_register[pieces_.register_count] = u8(end - 1);
      pieces_.registers[pieces_.register_count++] = {atom_, r.number};
      *taken_ |= part;
    } else if (r.number > 31) {
      return false;
    }
    ++atom_;
    return true;
  }

  bool one_register(const xas_arg& a) {
    atom_ += a.kind == XAS_ARG_LIST;
    if (!reg(a.reg, TypedWordShape::base)) return false;
    atom_ += (a.flags & XAS_ARG_ELEMENT) != 0;
    atom_ += (a.flags & XAS_ARG_WRITE_BACK) != 0;
    return true;
  }

  bool value(const xas_value& v) {
    if (v.add) return symbol(v);
    if (!number_keepers.has(mnemonic_)) return number(v.constant);
    ++atom_;
    return true;
  }

  bool number(i64 v) {
    if (pieces_.number_count == WordPieces::max_numbers || !is_taken(v) || has_text_) return false;
    pieces_.numbers[pieces_.number_count++] = {atom_, i32(v)};
    *taken_ |= TypedWordShape::constant;
    ++atom_;
    return true;
  }

  bool symbol(const xas_value& v) {
    if (shape_.symbol.handle || v.add == XAS_HERE || !is_taken(v.constant)) return false;
    shape_.symbol = {.handle = v.add, .constant = v.constant};
    *taken_ |= TypedWordShape::named;
    ++atom_;
    return true;
  }

  bool memory(const xas_arg& a) {
    ++atom_;  // [
    if (!reg(a.reg, TypedWordShape::base)) return false;
    if (a.index) {
      if (a.value.add || a.value.constant || !reg(a.index, TypedWordShape::index)) return false;
    } else if (a.value.add) {
      if (!symbol(a.value)) return false;
    } else if (a.value.constant) {
      if (!number(a.value.constant)) return false;
    }
    ++atom_;  // ], unless there is a text
    return !a.text || text();
  }

  /// How many atoms a text becomes is not known.
  bool text() { return has_text_ = true; }

  TypedWordShape& shape_;
  WordPieces& pieces_;
  u8* taken_ = nullptr;  ///< of this operand
  u32 mnemonic_;
  unsigned operand_ = 0;
  u8 atom_ = 0;  ///< which the next operand begins with
  bool has_text_ = false;
};

}  // namespace

bool AArch64Target::typed_shape(u32 number, std::span<const xas_arg> args, TypedWordShape& shape) const {
  ShapeOfValues values(shape, number);
  return std::ranges::all_of(args, [&](const xas_arg& a) { return values.take(a); });
}

}  // namespace xas::aarch64
