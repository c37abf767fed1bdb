// SPDX-License-Identifier: Apache-2.0
// The table of templates of typed instructions (typed_templates.h).
#include "asm/read/cache/typed_templates.h"

#include <algorithm>

namespace xas {

TypedTemplate::TypedTemplate(const WordTemplate& of, u32 number, std::span<const xas_arg> args,
                             const TypedWordShape& shape)
    : WordTemplate(of), mnemonic(number), operands(u8(args.size())) {
  register_count = part_count = 0;
  has_text = false;
  const WordFields::Number* next_number = fields.numbers;
  for (unsigned i = 0; i < args.size(); ++i) {
    const xas_arg& a = args[i];
    const auto at = [&](std::size_t offset) { return u16(i * sizeof a + offset); };
    taken[i] = shape.taken[i];
    if (taken[i] & TypedWordShape::base) registers[register_count++].at = at(offsetof(xas_arg, reg));
    if (taken[i] & TypedWordShape::index) registers[register_count++].at = at(offsetof(xas_arg, index));
    if (taken[i] & TypedWordShape::constant) {
      // None, a negative one, and in an address zero, are another shape.
      WordFields::Number n = *next_number++;
      if (a.value.constant < 0)
        n.high = std::min(n.high, -1);
      else
        n.low = std::max(n.low, a.kind == XAS_ARG_MEMORY ? 1 : 0);
      add_parts(n, at(offsetof(xas_arg, value) + offsetof(xas_value, constant)));
    }
    if (taken[i] & TypedWordShape::named) {
      value_at = at(offsetof(xas_arg, value));
      if (a.value.constant) taken[i] |= TypedWordShape::constant;
    }
    text[i] = short_text(a.text);
    if (text[i]) taken[i] |= TypedWordShape::text, has_text = true;
    std::memcpy(rest[i], &a, sizeof a);
    for (std::size_t w = 0; w < arg_words; ++w) rest[i][w] &= arg_masks[taken[i]][w];
  }
  for (unsigned i = 0; i < register_count; ++i) {
    const WordFields::Register& r = fields.registers[i];
    registers[i].max = std::min(r.max, shape.last_register[i]);
    registers[i].factor = u32(u64(1) << r.bit[0] | u64(1) << r.bit[1]);
  }
}

void TypedTemplate::add_parts(const WordFields::Number& n, u16 at) {
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

TypedTemplate* TypedTemplates::put(u32 mnemonic, std::span<const xas_arg> args) {
  if (!sets_) {
    constexpr std::size_t sets_size = sizeof(Set) << log2_sets;
    memory_ = RawMemory(sets_size + max_templates * sizeof(TypedTemplate));
    sets_ = static_cast<Set*>(memory_.get());
    if (!sets_) return nullptr;
    templates_ = reinterpret_cast<TypedTemplate*>(static_cast<char*>(memory_.get()) + sets_size);
    forget();
  }
  Set& set = sets_[place(mnemonic, args)];
  const u16 oldest = set.used[ways - 1];
  std::copy_backward(set.used, set.used + ways - 1, set.used + ways);
  set.used[0] = oldest ? oldest : ++count_;
  return &templates_[set.used[0] - 1];
}

void TypedTemplates::forget() {
  count_ = 0;
  if (sets_) std::memset(sets_, 0, sizeof(Set) << log2_sets);
}

}  // namespace xas
