// SPDX-License-Identifier: Apache-2.0
// Operands of the C interface (xas_arg) as a target takes them.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

#include "targets/target.h"
#include "xas/stream.h"

namespace xas {

inline constexpr unsigned max_typed_operands = 16;

/// The operand with the fields that its kind has; the others are zero, whatever the caller has in them.
inline xas_arg with_fields_of_kind(const xas_arg& a) {
  xas_arg own = {.kind = a.kind};
  switch (a.kind) {
    case XAS_ARG_LIST: own.count = a.count; [[fallthrough]];
    case XAS_ARG_REGISTER: own.reg = a.reg, own.mask = a.mask, own.element = a.element, own.flags = a.flags; return own;
    case XAS_ARG_TARGET: own.reg = a.reg, own.index = a.index; [[fallthrough]];
    case XAS_ARG_VALUE: own.value = a.value; return own;
    case XAS_ARG_WORD: own.text = a.text; return own;
    default: return a;
  }
}

/// The same of operands, of which there are not too many.
class KindsOfArgs {
 public:
  explicit KindsOfArgs(std::span<const xas_arg> args) : count_(args.size()) {
    std::ranges::transform(args, args_, with_fields_of_kind);
  }
  operator std::span<const xas_arg>() const { return {args_, count_}; }

 private:
  std::size_t count_;
  xas_arg args_[max_typed_operands];
};

/// What is wrong with how operands are handed in, before one of them is read; null: nothing.
inline const char* wrong_args(const xas_arg* args, std::size_t count) {
  static_assert(max_typed_operands == 16);
  if (count > max_typed_operands) return "`count` is more than 16, which is the most operands that an instruction has";
  return count && !args ? "`args` is a null pointer" : nullptr;
}

/// The same of an instruction.
inline const char* wrong_instruction(xas_mnemonic mnemonic, const xas_arg* args, std::size_t count) {
  return mnemonic ? wrong_args(args, count) : "`mnemonic` is 0";
}

/// What is wrong with operand number i, from 0, as it is told.
std::string of_operand(std::size_t i, const char* wrong);

/// What is wrong with an operand, or null: registers are those of the target, and what else the kind asks for is there.
/// The value is the caller's to look at.
inline const char* wrong_typed_arg(const Target& target, const xas_arg& a) {
  constexpr unsigned flags = XAS_ARG_ZEROING | XAS_ARG_WRITE_BACK | XAS_ARG_ELEMENT | XAS_ARG_MINUS;
  if (a.kind > XAS_ARG_WORD) return "`kind` is none of xas_arg_kind";
  if (a.flags & ~flags) return "`flags` is no sum of XAS_ARG_*";
  for (const xas_register r : {a.reg, a.index, a.segment, a.mask})
    if (r && !target.has_register(int(r - 1))) return "its register is none of the target";
  if ((a.kind == XAS_ARG_REGISTER || a.kind == XAS_ARG_LIST) && !a.reg) return "`reg` is 0";
  return a.kind == XAS_ARG_WORD && !a.text ? "`text` is a null pointer" : nullptr;
}

/// The texts of operands, each with a comma behind it, as typed_operand finds them.
inline void append_texts(std::span<const xas_arg> args, std::string& to) {
  for (const xas_arg& a : args)
    if (a.text) to.append(a.text) += ',';
}

/// The operand with this value. `text` is where append_texts has put its text, and goes on behind it.
inline TypedOperand typed_operand(const xas_arg& a, const Value& value, const char*& text) {
  TypedOperand o{.kind = TypedOperand::Kind(a.kind),
                 .zeroing = (a.flags & XAS_ARG_ZEROING) != 0,
                 .write_back = (a.flags & XAS_ARG_WRITE_BACK) != 0,
                 .has_element = (a.flags & XAS_ARG_ELEMENT) != 0,
                 .minus = (a.flags & XAS_ARG_MINUS) != 0,
                 .scale = a.scale,
                 .size = a.size,
                 .broadcast = a.broadcast,
                 .count = a.count,
                 .element = a.element,
                 .reg = int(a.reg) - 1,
                 .index = int(a.index) - 1,
                 .segment = int(a.segment) - 1,
                 .mask = int(a.mask) - 1,
                 .value = value};
  if (a.text) {
    o.text = text;
    text += std::strlen(a.text) + 1;
  }
  return o;
}

/// The number of the register of this name; 0 if the target has none of it in the mode that it is in.
xas_register register_named(Target& target, std::string_view name);

}  // namespace xas
