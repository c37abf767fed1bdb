// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that are said by a mnemonic's number and values (targets/line_shape.h): as those of lines
// (line_shape.cpp), with a word of the key for each operand.
#include <bit>
#include <cstddef>
#include <cstring>

#include "targets/typed_shape.h"
#include "targets/x86/shapes.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

/// What few operands have, in two words that are zero if they have none of it.
struct RareParts {
  u64 registers;  ///< segment and mask
  u64 facts;      ///< two bytes of the mask; scale, size, broadcast, count, element, flags

  explicit RareParts(const xas_arg& a) {
    static_assert(offsetof(xas_arg, mask) == offsetof(xas_arg, segment) + 4);
    static_assert(offsetof(xas_arg, scale) == offsetof(xas_arg, mask) + 4);
    static_assert(offsetof(xas_arg, flags) == offsetof(xas_arg, scale) + 5);
    std::memcpy(&registers, &a.segment, sizeof registers);
    std::memcpy(&facts, reinterpret_cast<const char*>(&a) + offsetof(xas_arg, scale) - 2, sizeof facts);
  }

  static constexpr u64 scale = std::endian::native == std::endian::little ? u64(0xFF) << 16 : u64(0xFF) << 40;
};

class ShapeOfValues {
 public:
  ShapeOfValues(InstructionShape& shape, ShapeSymbol& symbol, bool has_immediate)
      : shape_(shape), symbol_(symbol), has_immediate_(has_immediate) {
    shape.has_displacement = shape.has_immediate = false;
  }

  void finish() { shape_.register_count = register_count_; }

  /// The operand's word, not 0; 0: there is no shape.
  [[gnu::always_inline]] u64 word(const xas_arg& a) {
    if (!is_plain(a)) return 0;
    switch (a.kind) {
      case XAS_ARG_REGISTER: return known(a.reg) && !a.value.add ? tag_register | reg(a.reg, true) << 3 : 0;
      case XAS_ARG_VALUE: return a.value.add ? symbolic(a.value, tag_symbol) : immediate(a.value.constant);
      case XAS_ARG_TARGET: return a.value.add && !(a.reg | a.index) ? symbolic(a.value, tag_target) : 0;
      case XAS_ARG_MEMORY: return memory(a);
      default: return 0;
    }
  }

 private:
  enum Tag : u64 { tag_register = 1, tag_number, tag_memory, tag_symbol, tag_target, tag_symbol_in_memory };

  /// It has no text, no difference of symbols, and nothing is added to it.
  static bool is_plain(const xas_arg& a) {
    const RareParts rare(a);
    return !(rare.registers | (rare.facts & ~RareParts::scale) | a.value.subtract) && !a.text &&
           (a.value.add || !a.value.modifier);
  }

  static bool known(xas_register r) { return r - 1 < registers.count; }

  /// Ten bits: the group's mark, or the register itself if it is not encoded as all of its group are.
  u64 reg(xas_register number, bool alike) {
    const ShapeRegister& r = numbered_shape_registers[number - 1];
    const u64 itself = 0x100 + number;
    if (!r.mark) return itself;
    const bool taken = alike && !(has_immediate_ && r.short_forms);
    shape_.registers[register_count_++] = {r.number, taken};
    return taken ? r.mark : itself;
  }

  u64 immediate(i64 v) {
    const u8 of = immediate_class(v);
    if (shape_.has_immediate || !is_taken(v)) return 0;
    if (of == 0) return tag_number | u64(v) << 8;
    shape_.has_immediate = true;
    shape_.immediate = i32(v);
    return tag_number | u64(of) << 3;
  }

  /// Above what memory has.
  u64 symbolic(const xas_value& v, Tag tag) {
    if (symbol_.handle || v.add == XAS_HERE || v.modifier > 0xFF || !is_taken(v.constant)) return 0;
    symbol_.handle = v.add;
    symbol_.constant = v.constant;
    return tag | u64(v.constant != 0) << 47 | u64(v.modifier) << 48;
  }

  u64 memory(const xas_arg& a) {
    const i64 v = a.value.constant;
    if (has_memory_ || !is_taken(v)) return 0;
    has_memory_ = true;
    u8 of = 0;
    u64 word;
    if (a.value.add) {
      if (!(word = symbolic(a.value, tag_symbol_in_memory))) return 0;
    } else {
      of = displacement_class(v);
      shape_.has_displacement = of != 0;
      shape_.displacement = i32(v);
      word = tag_memory | u64(of) << 3;
    }
    word |= u64(a.scale) << 8;
    if (a.reg) {
      if (!known(a.reg)) return 0;
      // Of bases, number 4 has a form of its own, and so has number 5 without a displacement.
      const ShapeRegister& base = numbered_shape_registers[a.reg - 1];
      const bool alike = base.in_addresses && base.number != 4 && (base.number != 5 || of || a.value.add);
      word |= reg(a.reg, alike) << 16;
    }
    if (a.index) {
      if (!known(a.index)) return 0;
      word |= reg(a.index, true) << 32;
    }
    return word;
  }

  InstructionShape& shape_;
  ShapeSymbol& symbol_;
  bool has_immediate_;
  bool has_memory_ = false;
  u32 register_count_ = 0;
};

}  // namespace

bool X86Target::typed_shape(u32 number, u32 how, const xas_arg* args, std::size_t count, InstructionShape& shape,
                            ShapeSymbol& symbol) const {
  constexpr std::size_t max_count = 3;
  if (x86_options_.any || intel_ || how || count > max_count) return false;
  ShapeOfValues values(shape, symbol, count && args[0].kind == XAS_ARG_VALUE);
  shape.key[0] = number | u64(count) << 32;
  shape.key[1] = shape.key[2] = shape.key[3] = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (!(shape.key[i + 1] = values.word(args[i]))) return false;
  shape.key[3] |= typed_key;
  values.finish();
  return true;
}

}  // namespace xas::x86
