// SPDX-License-Identifier: Apache-2.0
// Instructions of values that are known by their shape (asm/read/cache/typed_templates.h): the way that nearly all of
// them take, as code of its caller.
#pragma once

#include "asm/read/cache/put_together.h"
#include "asm/stream_verbs.h"

namespace xas {

/// Puts an instruction together from what is known of its shape. False: it is not known.
template <class Instruction>
[[gnu::always_inline]] inline bool StreamVerbs::take_known(const Instruction& instruction,
                                                           std::span<const xas_arg> args) {
  if (!instruction.known) [[unlikely]]
    return false;
  if (instruction.known->has_symbol) [[unlikely]]
    return take_symbol(instruction, args);
  return reader_.line_cache.take_values(instruction);
}

template <class Instruction>
bool StreamVerbs::take_symbol(const Instruction& instruction, std::span<const xas_arg> args) {
  const xas_value& v = instruction.known->symbol_of(args.data());
  return may_be_taken_out(v.add) && reader_.line_cache.take_values(instruction, {v.add, id_of(v.add), v.constant});
}

/// One that is not known is matched.
[[gnu::always_inline]] inline const char* StreamVerbs::emit(xas_mnemonic mnemonic, u32 how,
                                                            std::span<const xas_arg> args) {
  if (!stand()) [[unlikely]]
    return nullptr;
  LineCache& cache = reader_.line_cache;
  if (how == 0) [[likely]] {
    if (program().info.lines.words) {
      if (take_known(cache.find_word(mnemonic, args), args)) return nullptr;
    } else {
      if (take_known(cache.find_bytes(mnemonic, args), args)) return nullptr;
    }
  }
  return emit_new(mnemonic, how, args);
}

}  // namespace xas
