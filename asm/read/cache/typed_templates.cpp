// SPDX-License-Identifier: Apache-2.0
// Templates of typed instructions (typed_templates.h), made of the first one of a shape.
#include "asm/read/cache/typed_templates.h"

#include <algorithm>

namespace xas {

/// What the register's number is multiplied with, of the eight bytes that hold the field, as the host has them.
static u64 factor(const RegisterField& field) {
  if (field.shift == RegisterField::nowhere) return 0;
  const unsigned byte = field.at % sizeof(u64);
  return u64(1) << (8 * (std::endian::native == std::endian::little ? byte : sizeof(u64) - 1 - byte) + field.shift);
}

ArgPattern::ArgPattern(const xas_arg& a, u8 taken, u32 class_mask)
    : kind(a.kind),
      is_register(a.kind == XAS_ARG_REGISTER),
      is_memory(a.kind == XAS_ARG_MEMORY),
      has_value(a.kind == XAS_ARG_VALUE || a.kind == XAS_ARG_TARGET),
      reg(a.reg),
      reg_mask(taken & TypedShape::base ? class_mask : ~u32(0)),
      index(a.index),
      index_mask(taken & TypedShape::index ? class_mask : ~u32(0)),
      add(a.value.add),
      add_mask(taken & TypedShape::named ? 0 : ~u32(0)),
      modifier(a.value.modifier),
      constant(a.value.constant),
      constant_mask(taken & TypedShape::constant ? 0 : ~i64(0)),
      text(short_text(a.text)),
      sizes(sizes_of(a)),
      facts(facts_of(a)),
      count(a.count),
      has_text(a.text != nullptr) {}

TypedPattern::TypedPattern(u32 number, std::span<const xas_arg> args, const TypedShape& shape, u32 class_mask)
    : mnemonic(number), operands(u8(args.size())), is_plain(false), value_at(0) {
  for (unsigned i = 0; i < args.size(); ++i) {
    const xas_arg& a = args[i];
    u8 taken = shape.taken[i];
    if (taken & TypedShape::named) {
      value_at = place(i, offsetof(xas_arg, value));
      if (a.value.constant) taken |= TypedShape::constant;
    }
    patterns[i] = {a, taken, class_mask};
  }
}

TypedWord::TypedWord(const WordTemplate& of, u32 number, std::span<const xas_arg> args, const TypedWordShape& shape)
    : WordTemplate(of), TypedPattern(number, args, shape, ~u32(0xFF)), register_count(0), part_count(0) {
  is_plain = !has_symbol && fields.size == sizeof word && !fields.alone && !fields.halves;
  const WordFields::Number* next_number = fields.numbers;
  for (unsigned i = 0; i < args.size(); ++i) {
    const u8 taken = shape.taken[i];
    if (taken & TypedShape::base) registers[register_count++].at = place(i, offsetof(xas_arg, reg));
    if (taken & TypedShape::index) registers[register_count++].at = place(i, offsetof(xas_arg, index));
    if (taken & TypedShape::constant) {
      // None, a negative one, and in an address zero, are another shape.
      WordFields::Number n = *next_number++;
      if (args[i].value.constant < 0)
        n.high = std::min(n.high, -1);
      else
        n.low = std::max(n.low, args[i].kind == XAS_ARG_MEMORY ? 1 : 0);
      add_parts(n, place(i, constant_offset));
    }
  }
  for (unsigned i = 0; i < register_count; ++i) {
    const WordFields::Register& r = fields.registers[i];
    registers[i].max = std::min(r.max, shape.last_register[i]);
    registers[i].factor = u32(u64(1) << r.bit[0] | u64(1) << r.bit[1]);
  }
}

void TypedWord::add_parts(const WordFields::Number& n, u16 at) {
  for (const WordFields::Part& p : n.parts) {
    if (p.width == 0) break;
    parts[part_count++] = {.low = n.low,
                           .range = u64(i64(n.high) - n.low),
                           .odd = n.odd,
                           .flip = u32(p.flip),
                           .add = u32(p.add),
                           .mask = u32(((u64(1) << p.width) - 1) << p.shift),
                           .at = at,
                           .turn = u8((p.bit - p.shift) & 31)};
  }
}

TypedBytes::TypedBytes(const InstructionTemplate& of, u32 number, std::span<const xas_arg> args,
                       const TypedBytesShape& shape)
    : InstructionTemplate(of),
      TypedPattern(number, args, shape, ~u32(std::tuple_size_v<GroupedRegisterTable> - 1)),
      register_count(0),
      number_count(0) {
  is_plain = !has_symbol;
  static_assert(sizeof first + sizeof behind == max_bytes);
  std::memcpy(&first, bytes, sizeof first);
  std::memcpy(&behind, bytes + sizeof first, sizeof behind);
  u32 next_register = 0;
  const auto add_register = [&](u16 at) {
    while (!shape.line.registers[next_register].taken) ++next_register;
    const RegisterField& field = InstructionTemplate::registers[next_register];
    const auto& of_group = shape.registers[next_register++];
    registers[register_count++] = {factor(field), at, of_group.group, u8(field.alike & of_group.alike),
                                   field.at >= sizeof first};
  };
  const auto add_number = [&](const TypedBytesShape::Numbers& n, std::size_t operand, u8 field_at, u8 field_size) {
    numbers[number_count++] = {n.low, u64(n.high - n.low), place(operand, constant_offset), field_at, field_size};
  };
  for (std::size_t i = 0; i < args.size(); ++i) {
    const u8 taken = shape.taken[i];
    if (taken & TypedShape::base) add_register(place(i, offsetof(xas_arg, reg)));
    if (taken & TypedShape::index) add_register(place(i, offsetof(xas_arg, index)));
    if (taken & TypedShape::constant) {
      if (args[i].kind == XAS_ARG_MEMORY)
        add_number(shape.displacements, i, displacement_at, displacement_size);
      else
        add_number(shape.immediates, i, immediate_at, immediate_size);
    } else if (const i64 v = args[i].value.constant; (taken & TypedShape::named) && v) {
      add_number(v < 0 ? TypedBytesShape::Numbers{-largest_taken, -1} : TypedBytesShape::Numbers{1, largest_taken}, i,
                 0, 0);
    }
  }
}

}  // namespace xas
