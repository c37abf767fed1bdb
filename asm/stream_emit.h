// SPDX-License-Identifier: Apache-2.0
// Instructions of values that are known by their shape (asm/read/cache/typed_templates.h): the way that nearly all of
// them take, as code of its caller.
#pragma once

#include "asm/read/cache/put_together.h"
#include "asm/stream_verbs.h"

namespace xas {

/// Puts it in place, if it is known.
template <class Instruction>
[[gnu::always_inline]] inline StreamVerbs::Emitted StreamVerbs::take_known(const Instruction& instruction,
                                                                           std::span<const xas_arg> args) {
  if (!instruction.known) [[unlikely]]
    return Emitted::no;
  if (!instruction.known->is_plain || program().lines.pending) [[unlikely]]
    return take_here(instruction, args);
  reader_.line_cache.instructions.take_plain(instruction);
  return Emitted::yes;
}

/// The same of one that has a symbol, or has to know where it stands.
template <class Instruction>
StreamVerbs::Emitted StreamVerbs::take_here(const Instruction& instruction, std::span<const xas_arg> args) {
  const u32 errors = program().diags.errors();
  if (!stand()) return Emitted::wrong;
  ShapeSymbol symbol;
  if (instruction.known->has_symbol) {
    const xas_value& v = instruction.known->symbol_of(args.data());
    if (!may_be_taken_out(v.add)) return Emitted::no;
    symbol = {v.add, id_of(v.add), v.constant};
  }
  if (!reader_.line_cache.instructions.take_values(instruction, symbol)) return Emitted::no;
  return program().diags.errors() == errors ? Emitted::yes : Emitted::wrong;
}

template <class Template>
[[gnu::always_inline]] inline StreamVerbs::Emitted StreamVerbs::emit_known(xas_mnemonic mnemonic,
                                                                           std::span<const xas_arg> args) {
  return take_known(reader_.line_cache.instructions.find_known<Template>(mnemonic, args), args);
}

}  // namespace xas
