// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that are said by a mnemonic's number and values (targets/typed_shape.h): what may be taken out
// of their operands, as it is out of those of lines (line_shape.cpp).
#include <algorithm>

#include "targets/typed_shape.h"
#include "targets/x86/shapes.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

class ShapeOfValues {
 public:
  ShapeOfValues(TypedBytesShape& shape, bool has_immediate) : shape_(shape), has_immediate_(has_immediate) {
    shape = {};
  }

  /// The next operand. False: there is no shape.
  bool take(const xas_arg& a) {
    taken_ = &shape_.taken[operand_++];
    if (a.segment | a.mask | a.size | a.broadcast | a.count | a.element | a.flags | a.value.subtract) return false;
    if (a.text || (a.value.modifier && !a.value.add)) return false;
    switch (a.kind) {
      case XAS_ARG_REGISTER: return reg(a.reg, 0xFF, TypedShape::base);
      case XAS_ARG_VALUE: return a.value.add ? symbol(a.value) : immediate(a.value.constant);
      case XAS_ARG_TARGET: return a.value.add && !(a.reg | a.index) && symbol(a.value);
      case XAS_ARG_MEMORY: return memory(a);
      default: return false;
    }
  }

 private:
  /// A register for which `alike` of its group may stand, or itself. False: it is none.
  bool reg(xas_register number, unsigned alike, TypedShape::Part part) {
    if (number - 1 >= registers.count) return false;
    const ShapeRegister& r = numbered_shape_registers[number - 1];
    if (!r.mark) return true;
    if (has_immediate_) alike &= without_short_forms(r.mark);
    auto& line = shape_.line;
    const bool taken = alike >> r.number & 1;
    shape_.registers[line.register_count] = {r.mark, u8(alike)};
    line.registers[line.register_count++] = {r.number, taken};
    if (taken) *taken_ |= part;
    return true;
  }

  static unsigned without_short_forms(u8 group) {
    unsigned alike = 0xFF;
    for (const ShapeRegister& r : numbered_shape_registers)
      if (r.mark == group && r.short_forms) alike &= ~(1u << r.number);
    return alike;
  }

  bool immediate(i64 v) {
    if (shape_.line.has_immediate || !is_taken(v)) return false;
    if (immediate_class(v) == 0) return true;
    shape_.line.has_immediate = true;
    shape_.line.immediate = i32(v);
    shape_.immediates = range_of<immediate_class>(v);
    *taken_ |= TypedShape::constant;
    return true;
  }

  bool symbol(const xas_value& v) {
    if (shape_.symbol.handle || v.add == XAS_HERE || !is_taken(v.constant)) return false;
    shape_.symbol = {.handle = v.add, .constant = v.constant};
    *taken_ |= TypedShape::named;
    return true;
  }

  bool memory(const xas_arg& a) {
    const i64 v = a.value.constant;
    if (has_memory_ || !is_taken(v)) return false;
    has_memory_ = true;
    const bool has_displacement = !a.value.add && v;
    if (a.value.add && !symbol(a.value)) return false;
    if (has_displacement) {
      shape_.line.has_displacement = true;
      shape_.line.displacement = i32(v);
      shape_.displacements = range_of<displacement_class>(v);
      *taken_ |= TypedShape::constant;
    }
    // Of bases, number 4 has a form of its own, and so has number 5 without a displacement.
    const unsigned bases = 0xFF & ~(1u << 4) & ~(has_displacement || a.value.add ? 0 : 1u << 5);
    if (a.reg && !reg(a.reg, is_base(a.reg) ? bases : 0, TypedShape::base)) return false;
    return !a.index || reg(a.index, 0xFF, TypedShape::index);
  }

  static bool is_base(xas_register number) {
    return number - 1 < registers.count && numbered_shape_registers[number - 1].in_addresses;
  }

  /// The numbers of the class that v is in.
  template <u8 (*class_of)(i64)>
  static TypedBytesShape::Numbers range_of(i64 v) {
    constexpr i64 starts[] = {-largest_taken, -32768, -128, 0, 1, 4, 16, 128, 256, 32768, 65536, largest_taken + 1};
    const i64* const next = std::ranges::upper_bound(starts, v);
    const i64 *first = next - 1, *last = next;
    while (first != starts && class_of(first[-1]) == class_of(v)) --first;
    while (last + 1 != std::end(starts) && class_of(*last) == class_of(v)) ++last;
    return {*first, *last - 1};
  }

  TypedBytesShape& shape_;
  u8* taken_ = nullptr;  ///< of this operand
  unsigned operand_ = 0;
  bool has_immediate_;
  bool has_memory_ = false;
};

}  // namespace

bool X86Target::typed_shape(u32, std::span<const xas_arg> args, TypedBytesShape& shape) const {
  if (x86_options_.any || intel_) return false;
  ShapeOfValues values(shape, !args.empty() && args[0].kind == XAS_ARG_VALUE);
  return std::ranges::all_of(args, [&](const xas_arg& a) { return values.take(a); });
}

}  // namespace xas::x86
