// SPDX-License-Identifier: Apache-2.0
// How a function's instructions change its frame, followed along its flow of control: from steps (targets/frame_step.h)
// to the rules of call frame information (--scfi).
//
// The rules are heuristics, as GNU as has them. The canonical frame address (CFA) is an offset from the stack pointer,
// whose value must then be known everywhere; or, from where the frame pointer is set to the stack pointer, an offset
// from the frame pointer, which must then stay as it is. A register that a function has to give back is saved where it
// is stored on the stack for the first time, and restored where it is loaded from there.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "asm/program/frames.h"
#include "targets/frame_step.h"

namespace xas {

/// A rule of the frame, which holds from the step on to which it belongs.
struct FrameRule {
  CfiDirective says;
  u32 reg = 0;
  i64 offset = 0;
};

/// A step of the function, or something else that stands in it.
struct FlowStep {
  enum Kind : u8 {
    instruction,
    begin,      ///< the first step
    label,      ///< `symbol`
    directive,  ///< what the text says of the frame: a label in it, `cfi_label`, or rules
    end,        ///< the last step
  } kind = instruction;
  FrameStep step{FrameStep::Kind::set};
  SymbolId symbol = no_symbol;
  u32 cfi_label = ~u32(0);  ///< its number in CfiTable::labels
  u32 pos = 0, fragment = 0;  ///< where the rules take effect: behind the instruction
  SourceLoc loc = 0;
  std::vector<FrameRule> rules;
};

class FrameFlow {
 public:
  /// Reports what is said of a step.
  using Report = std::function<void(const FlowStep& step, std::string message)>;

  /// `cfa_offset`: the CFA's from the stack pointer where the function begins.
  FrameFlow(std::vector<FlowStep>& steps, const std::unordered_map<SymbolId, u32>& labels,
            const FrameRegisters& registers, i64 cfa_offset);

  /// Labels that branches name and the function does not have.
  void find_missing(const Report& warn) const;
  /// Adds the rules to the steps. False: a step can't be followed, which has been reported, or ways through the
  /// function meet whose frames differ.
  bool follow(const Report& error, const Report& warn);
  /// Rules that make each block begin with the frame that ways to it bring along, not with that of the block before it.
  /// False: there is no place to remember one of them.
  bool restore_states();
  /// The first instruction that no way leads to; null if there is none.
  const FlowStep* unreachable() const;

 private:
  struct SavedRegister {
    u32 reg;
    i64 offset;  ///< from the CFA
    bool operator==(const SavedRegister&) const = default;
  };
  struct Copy {
    u32 reg;
    i64 stack_size;
    bool operator==(const Copy&) const = default;
  };
  struct State {
    u32 cfa_register;
    i64 cfa_offset;
    i64 stack_size;
    bool traceable = true;             ///< the stack pointer's value is known
    std::vector<SavedRegister> saved;  ///< those on the stack, by number
    std::vector<Copy> copies;          ///< registers that the stack pointer was copied to
    bool operator==(const State&) const = default;
  };
  struct Block {
    u32 first, last;  ///< steps; last is one behind the end
    std::vector<u32> next;
    u32 entry = 0, exit = 0;  ///< states
    bool reached = false;
  };
  class Interpreter;

  bool same_frame(u32 a, u32 b) const;
  void find_blocks();

  std::vector<FlowStep>& steps_;
  const std::unordered_map<SymbolId, u32>& labels_;
  const FrameRegisters& registers_;
  std::vector<Block> blocks_;  ///< in the order of the text
  std::vector<u32> block_at_;  ///< by step, for the first of each
  std::vector<State> states_;  ///< each once, as far as a block leaves it alone
};

}  // namespace xas
