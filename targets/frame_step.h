// SPDX-License-Identifier: Apache-2.0
// What an instruction does that call frame information has to tell of: to the stack pointer, to registers that are
// saved on the stack, and to the flow of control. A target describes each instruction as one or more such steps, in
// their order, when Emitter::wants_frame_steps asks for it (--scfi); asm/program/frame_synthesis.h makes frames of
// them.
#pragma once

#include "targets/value.h"

namespace xas {

/// Where a step takes something from or puts it: a register by its DWARF number, memory at a register and an offset in
/// bytes, or a number.
struct FrameOperand {
  enum Kind : u8 { nothing, reg, memory, number } kind = nothing;
  u32 reg_number = 0;
  i64 offset = 0;  ///< of memory

  static constexpr FrameOperand of(u32 number) { return {reg, number, 0}; }
  static constexpr FrameOperand at(u32 number, i64 offset = 0) { return {memory, number, offset}; }
  bool is_register(u32 number) const { return kind == reg && reg_number == number; }
};

struct FrameStep {
  enum class Kind : u8 {
    add,       ///< `to` = `from` + `number`, or a register if it is not by_number
    subtract,  ///< the same with a difference
    mask,      ///< some bits of `to` are cleared
    move,      ///< between registers, or a register and memory
    store,     ///< as a part of more: a push, a pair
    load,
    set,  ///< `to` is changed in another way
    call,
    jump,    ///< to `target`; no_symbol: it is not known where to
    branch,  ///< to `target`, or on
    leave,   ///< returns
  };
  Kind kind;
  FrameOperand from{}, to{};
  bool by_number = true;
  i64 number = 0;
  SymbolId target = no_symbol;
};

/// The registers that frames are made of; by their DWARF numbers, all below max_frame_registers.
struct FrameRegisters {
  u32 stack_pointer, frame_pointer;
  bool (*is_saved)(u32 number);  ///< a function has to give it back as it was; both pointers are among them
};
inline constexpr u32 max_frame_registers = 96;

}  // namespace xas
