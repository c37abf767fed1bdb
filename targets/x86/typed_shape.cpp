// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that are said by a mnemonic's number and values (targets/line_shape.h): as those of lines
// (line_shape.cpp), with a word of the key for each operand.
#include <cstddef>
#include <cstring>

#include "targets/x86/shapes.h"
#include "targets/x86/x86.h"
#include "xas/stream.h"

namespace xas::x86 {

namespace {

/// Numbers that are as large in the text of a line stay there.
constexpr i64 largest_taken = 999'999'999;

/// What no text starts a key with: its last byte.
constexpr u64 typed_key = u64(0xFF) << 56;

class ShapeOfValues {
 public:
  ShapeOfValues(InstructionShape& shape, bool has_immediate) : shape_(shape), has_immediate_(has_immediate) {
    shape.name = {};
    shape.has_displacement = shape.has_immediate = false;
    shape.register_count = 0;
  }

  /// The operand's word, not 0; 0: there is no shape.
  [[gnu::always_inline]] u64 word(const xas_arg& a) {
    if (!is_plain(a)) return 0;
    switch (a.kind) {
      case XAS_ARG_REGISTER: return known(a.reg) ? 1 | reg(a.reg, true) << 3 : 0;
      case XAS_ARG_VALUE: return immediate(a.value.constant);
      case XAS_ARG_MEMORY: return memory(a);
      default: return 0;
    }
  }

 private:
  /// It has neither symbols nor text, and nothing is added to it.
  static bool is_plain(const xas_arg& a) {
    static_assert(offsetof(xas_arg, mask) == offsetof(xas_arg, segment) + 4);
    static_assert(offsetof(xas_value, subtract) == offsetof(xas_value, add) + 4);
    u64 registers, symbols;
    std::memcpy(&registers, &a.segment, sizeof registers);
    std::memcpy(&symbols, &a.value.add, sizeof symbols);
    return !(registers | symbols | a.value.modifier | a.size | a.broadcast | a.count | a.element | a.flags) && !a.text;
  }

  static bool known(xas_register r) { return r - 1 < registers.count; }

  /// Ten bits: the group's mark, or the register itself if it is not encoded as all of its group are.
  u64 reg(xas_register number, bool alike) {
    const ShapeRegister& r = numbered_shape_registers[number - 1];
    const u64 itself = 0x100 + number;
    if (!r.mark) return itself;
    const bool taken = alike && !(has_immediate_ && r.short_forms);
    shape_.registers[shape_.register_count++] = {r.number, taken};
    return taken ? r.mark : itself;
  }

  u64 immediate(i64 v) {
    const u8 of = immediate_class(v);
    if (shape_.has_immediate || v > largest_taken || v < -largest_taken) return 0;
    if (of == 0) return 2 | u64(v) << 8;
    shape_.has_immediate = true;
    shape_.immediate = i32(v);
    return 2 | u64(of) << 3;
  }

  u64 memory(const xas_arg& a) {
    const i64 v = a.value.constant;
    if (!known(a.reg) || shape_.has_displacement || has_memory_ || v > largest_taken || v < -largest_taken) return 0;
    has_memory_ = true;
    const u8 of = displacement_class(v);
    shape_.has_displacement = of != 0;
    shape_.displacement = i32(v);
    // Of bases, number 4 has a form of its own, and so has number 5 without a displacement.
    const ShapeRegister& base = numbered_shape_registers[a.reg - 1];
    const bool alike = base.in_addresses && base.number != 4 && (base.number != 5 || of);
    u64 word = 3 | u64(of) << 3 | u64(a.scale) << 8 | reg(a.reg, alike) << 16;
    if (a.index) {
      if (!known(a.index)) return 0;
      word |= reg(a.index, true) << 32;
    }
    return word;
  }

  InstructionShape& shape_;
  bool has_immediate_;
  bool has_memory_ = false;
};

}  // namespace

bool X86Target::typed_shape(u32 number, u32 how, const xas_arg* args, std::size_t count,
                            InstructionShape& shape) const {
  constexpr std::size_t max_count = 3;
  if (x86_options_.any || intel_ || how || count > max_count) return false;
  ShapeOfValues values(shape, count && args[0].kind == XAS_ARG_VALUE);
  shape.key[0] = number | u64(count) << 32;
  shape.key[1] = shape.key[2] = shape.key[3] = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (!(shape.key[i + 1] = values.word(args[i]))) return false;
  shape.key[3] |= typed_key;
  return true;
}

}  // namespace xas::x86
