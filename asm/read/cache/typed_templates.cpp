// SPDX-License-Identifier: Apache-2.0
// The table of templates of typed instructions (typed_templates.h).
#include "asm/read/cache/typed_templates.h"

#include <algorithm>

namespace xas {

TypedTemplate::TypedTemplate(const WordTemplate& of, u32 number, std::span<const xas_arg> args,
                             const TypedWordShape& shape)
    : WordTemplate(of), mnemonic(number), operands(u8(args.size())) {
  register_count = number_count = 0;
  has_text = false;
  for (unsigned i = 0; i < args.size(); ++i) {
    const xas_arg& a = args[i];
    const auto at = [&](std::size_t offset) { return u16(i * sizeof a + offset); };
    taken[i] = shape.taken[i];
    if (taken[i] & TypedWordShape::base) register_at[register_count++] = at(offsetof(xas_arg, reg));
    if (taken[i] & TypedWordShape::index) register_at[register_count++] = at(offsetof(xas_arg, index));
    if (taken[i] & TypedWordShape::constant) {
      // None, a negative one, and in an address zero, are another shape.
      WordFields::Number& n = fields.numbers[number_count];
      if (a.value.constant < 0)
        n.high = std::min(n.high, -1);
      else
        n.low = std::max(n.low, a.kind == XAS_ARG_MEMORY ? 1 : 0);
      number_at[number_count++] = at(offsetof(xas_arg, value) + offsetof(xas_value, constant));
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
  for (unsigned i = 0; i < register_count; ++i)
    fields.registers[i].max = std::min(fields.registers[i].max, shape.last_register[i]);
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
