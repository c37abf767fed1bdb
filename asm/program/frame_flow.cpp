// SPDX-License-Identifier: Apache-2.0
#include "asm/program/frame_flow.h"

#include <algorithm>

namespace xas {

namespace {

constexpr u32 no_block = ~u32(0);

using Kind = FrameStep::Kind;

bool is_sum(const FrameStep& step) { return step.kind == Kind::add || step.kind == Kind::subtract; }
bool is_calculation(const FrameStep& step) { return is_sum(step) || step.kind == Kind::mask; }

}  // namespace

/// Takes a state through a block.
class FrameFlow::Interpreter {
 public:
  Interpreter(const FrameRegisters& registers, State state, const Report& error, const Report& warn)
      : state_(std::move(state)),
        registers_(registers),
        sp_(registers.stack_pointer),
        fp_(registers.frame_pointer),
        error_(error),
        warn_(warn) {}

  const State& state() const { return state_; }

  /// False: the step can't be followed, which has been reported.
  bool take(FlowStep& flow) {
    flow_ = &flow;
    const FrameStep& step = flow.step;
    if (!check_stack_pointer(step) || !check_frame_pointer(step)) return false;
    if (step.to.kind == FrameOperand::memory) return save(step), true;
    if (step.to.kind != FrameOperand::reg) return true;
    switch (step.kind) {
      case Kind::move: return move(step);
      case Kind::load: return load(step);
      case Kind::add:
      case Kind::subtract: add(step); return true;
      default: return true;
    }
  }

 private:
  bool is_tracked(u32 reg) const { return registers_.is_saved(reg); }
  bool by_frame_pointer() const { return state_.cfa_register == fp_; }

  SavedRegister* saved(u32 reg) {
    const auto at = std::ranges::lower_bound(state_.saved, reg, {}, &SavedRegister::reg);
    return at != state_.saved.end() && at->reg == reg ? &*at : nullptr;
  }
  Copy* copy_in(u32 reg) {
    const auto at = std::ranges::find(state_.copies, reg, &Copy::reg);
    return at == state_.copies.end() ? nullptr : &*at;
  }

  void say(CfiDirective what, u32 reg, i64 offset = 0) { flow_->rules.push_back({what, reg, offset}); }
  void define_register(u32 reg) {
    state_.cfa_register = reg;
    say(cfi_dir_def_cfa_register, reg);
  }
  void move_cfa(i64 by) {
    state_.cfa_offset += by;
    say(cfi_dir_def_cfa_offset, 0, state_.cfa_offset);
  }

  /// The step stores a register on the stack for the first time.
  bool saves(const FrameStep& step) {
    // A push of memory counts as one of the register that addresses it, as GNU as has it.
    if (step.to.kind != FrameOperand::memory || step.from.kind == FrameOperand::number ||
        step.from.kind == FrameOperand::nothing || !is_tracked(step.from.reg_number))
      return false;
    if (saved(step.from.reg_number)) return false;
    if (step.kind == Kind::move) return step.to.reg_number == sp_ || (step.to.reg_number == fp_ && by_frame_pointer());
    return step.kind == Kind::store && step.to.reg_number == sp_;
  }

  /// From where the stack pointer's value is not known the CFA has to be an offset from the frame pointer, and nothing
  /// may be saved on the stack.
  bool check_stack_pointer(const FrameStep& step) {
    bool lost = false, wrong = false;
    if (step.kind == Kind::move && step.to.is_register(sp_) && step.from.kind == FrameOperand::reg &&
        step.from.reg_number != fp_) {
      lost = !copy_in(step.from.reg_number);
    } else if (step.to.is_register(sp_) &&
               ((is_sum(step) && !step.by_number) || step.kind == Kind::mask || step.kind == Kind::set)) {
      lost = true;
    } else if (!state_.traceable && saves(step)) {
      wrong = !(step.kind == Kind::move && step.to.reg_number == fp_ && by_frame_pointer());
    }
    if (lost) {
      if (!by_frame_pointer()) wrong = true;
      state_.traceable = false;
    }
    if (wrong)
      error_(*flow_,
             "the stack pointer's value is not known from here on, so that no call frame information can be made");
    return !wrong;
  }

  bool check_frame_pointer(const FrameStep& step) {
    if (!by_frame_pointer() || step.to.kind == FrameOperand::nothing || step.to.reg_number != fp_) return true;
    if (is_sum(step) && step.from.is_register(fp_) && step.by_number) return true;
    if (step.kind == Kind::load) return true;
    if (step.to.kind == FrameOperand::memory &&
        (step.kind == Kind::move || step.kind == Kind::store || is_calculation(step)))
      return true;
    error_(*flow_, "the frame pointer is changed while the frame is told by it; no call frame information can be made");
    return false;
  }

  void save(const FrameStep& step) {
    if (is_calculation(step) || !saves(step)) return;
    const bool from_stack = step.to.reg_number == sp_;
    const i64 offset = step.to.offset - (from_stack ? state_.stack_size : state_.cfa_offset);
    const u32 reg = step.from.reg_number;
    state_.saved.insert(std::ranges::lower_bound(state_.saved, reg, {}, &SavedRegister::reg), {reg, offset});
    say(cfi_dir_offset, reg, offset);
  }

  /// The register gets back what was saved of it, if the step loads it from there.
  bool restore(const FrameStep& step) {
    const u32 reg = step.to.reg_number;
    SavedRegister* const known = saved(reg);
    if (!known) {
      error_(*flow_, "a register that has to be given back is loaded from the stack, where it has not been saved");
      return false;
    }
    i64 from = 0;
    if (step.from.reg_number == sp_) {
      from = step.from.offset - state_.stack_size;
    } else if (by_frame_pointer()) {
      const SavedRegister* const frame = saved(fp_);
      from = step.from.offset + (frame ? frame->offset : 0);
    }
    if (from != known->offset) {
      warn_(*flow_, "a register is not restored from where it was saved");
      return true;
    }
    state_.saved.erase(state_.saved.begin() + (known - state_.saved.data()));
    say(cfi_dir_restore, reg);
    return true;
  }

  bool move(const FrameStep& step) {
    const u32 to = step.to.reg_number;
    if (step.from.kind == FrameOperand::memory) {
      const bool from_stack = step.from.reg_number == sp_ || step.from.reg_number == fp_;
      return !from_stack || !is_tracked(to) || restore(step);
    }
    if (step.from.kind != FrameOperand::reg) return true;
    if (step.from.reg_number == sp_ && to == fp_ && !by_frame_pointer()) {
      define_register(to);
    } else if (step.from.reg_number == fp_ && to == sp_ && by_frame_pointer()) {
      const SavedRegister* const frame = saved(fp_);
      state_.stack_size = frame ? -frame->offset : 0;
      define_register(to);
      state_.traceable = true;
    } else if (step.from.reg_number == sp_) {
      if (Copy* const known = copy_in(to))
        known->stack_size = state_.stack_size;
      else
        state_.copies.push_back({to, state_.stack_size});
    } else if (to == sp_) {
      if (const Copy* const known = copy_in(step.from.reg_number)) {
        state_.stack_size = known->stack_size;
        state_.traceable = true;
      }
    }
    return true;
  }

  void add(const FrameStep& step) {
    const i64 by = step.kind == Kind::add ? -step.number : step.number;  // the stack grows by so much
    if (!step.to.is_register(sp_)) return;
    if (step.from.is_register(sp_)) {
      state_.stack_size += by;
      if (!by_frame_pointer()) move_cfa(by);
    } else if (step.kind == Kind::add && step.from.is_register(fp_) && by_frame_pointer()) {
      const SavedRegister* const frame = saved(fp_);
      state_.stack_size = by - (frame ? frame->offset : 0);
    }
  }

  bool load(const FrameStep& step) {
    const u32 to = step.to.reg_number;
    const bool from_stack = step.from.kind == FrameOperand::memory &&
                            (step.from.reg_number == sp_ || (step.from.reg_number == fp_ && by_frame_pointer()));
    if (!from_stack) return true;
    if (to == fp_ && by_frame_pointer()) {
      define_register(sp_);
      if (state_.cfa_offset != state_.stack_size) move_cfa(state_.stack_size - state_.cfa_offset);
    }
    return !is_tracked(to) || restore(step);
  }

  State state_;
  const FrameRegisters& registers_;
  const u32 sp_, fp_;
  const Report& error_;
  const Report& warn_;
  FlowStep* flow_ = nullptr;
};

FrameFlow::FrameFlow(std::vector<FlowStep>& steps, const std::unordered_map<SymbolId, u32>& labels,
                     const FrameRegisters& registers, i64 cfa_offset)
    : steps_(steps), labels_(labels), registers_(registers) {
  states_.push_back({registers.stack_pointer, cfa_offset, cfa_offset});
  find_blocks();
}

void FrameFlow::find_blocks() {
  const u32 count = u32(steps_.size());
  const auto ends_block = [&](u32 i) {
    const Kind kind = steps_[i].step.kind;
    return steps_[i].kind == FlowStep::instruction &&
           (kind == Kind::jump || kind == Kind::branch || kind == Kind::leave);
  };
  block_at_.assign(count, no_block);
  bool begins = true;
  for (u32 i = 0; i < count; ++i) {
    if (begins || steps_[i].kind == FlowStep::label) {
      block_at_[i] = u32(blocks_.size());
      blocks_.push_back({i, i, {}});
    }
    blocks_.back().last = i + 1;
    begins = ends_block(i);
  }
  for (u32 b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    const u32 last = block.last - 1;
    const auto leads_to = [&](u32 other) {
      if (std::ranges::find(block.next, other) == block.next.end()) block.next.push_back(other);
    };
    const bool ends = ends_block(last);
    const Kind kind = steps_[last].step.kind;
    if (ends && kind != Kind::leave)
      if (const auto target = labels_.find(steps_[last].step.target); target != labels_.end())
        leads_to(block_at_[target->second]);
    const bool goes_on = !ends || kind == Kind::branch;
    if (goes_on && b + 1 < blocks_.size()) leads_to(b + 1);
  }
  // Which blocks a way leads to.
  std::vector<u32> waiting{0};
  blocks_[0].reached = true;
  while (!waiting.empty()) {
    const u32 b = waiting.back();
    waiting.pop_back();
    for (const u32 next : blocks_[b].next) {
      if (blocks_[next].reached) continue;
      blocks_[next].reached = true;
      waiting.push_back(next);
    }
  }
}

void FrameFlow::find_missing(const Report& warn) const {
  for (const Block& block : blocks_) {
    const FlowStep& last = steps_[block.last - 1];
    if (block.reached && last.kind == FlowStep::instruction && last.step.kind == Kind::branch &&
        !labels_.contains(last.step.target))
      warn(last, "the branch leads out of the function, or to a label that it does not have");
  }
}

/// Copies of the stack pointer are no part of the frame; neither is its value while the frame is told by another
/// register.
bool FrameFlow::same_frame(u32 a, u32 b) const {
  if (a == b) return true;
  const State &x = states_[a], &y = states_[b];
  return x.cfa_register == y.cfa_register && x.cfa_offset == y.cfa_offset && x.saved == y.saved &&
         x.traceable == y.traceable && (x.cfa_register != registers_.stack_pointer || x.stack_size == y.stack_size);
}

bool FrameFlow::follow(const Report& error, const Report& warn) {
  struct Visit {
    u32 block;
    u32 next = 0;
  };
  std::vector<bool> entered(blocks_.size());
  std::vector<Visit> path;
  const auto enter = [&](u32 b, u32 state) {
    Block& block = blocks_[b];
    entered[b] = true;
    block.entry = block.exit = state;
    Interpreter interpreter(registers_, states_[state], error, warn);
    for (u32 i = block.first; i < block.last; ++i)
      if (steps_[i].kind == FlowStep::instruction && !interpreter.take(steps_[i])) return false;
    if (!(interpreter.state() == states_[state])) {
      block.exit = u32(states_.size());
      states_.push_back(interpreter.state());
    }
    path.push_back({b});
    return true;
  };
  if (!enter(0, 0)) return false;
  while (!path.empty()) {
    const Block& block = blocks_[path.back().block];
    if (path.back().next == block.next.size()) {
      path.pop_back();
      continue;
    }
    const u32 to = block.next[path.back().next++];
    if (entered[to]) {
      if (!same_frame(blocks_[to].entry, block.exit)) return false;
    } else if (!enter(to, block.exit)) {
      return false;
    }
  }
  return true;
}

bool FrameFlow::restore_states() {
  std::vector<u32> reached;
  for (u32 b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].reached) reached.push_back(b);
  std::vector<bool> to_be_remembered(blocks_.size());
  std::size_t waiting = 0;
  for (std::size_t i = reached.size(); i-- > 1;) {
    Block& block = blocks_[reached[i]];
    if (!same_frame(blocks_[reached[i - 1]].exit, block.entry)) {
      steps_[block.first].rules.push_back({cfi_dir_restore_state});
      to_be_remembered[reached[i]] = true;
      ++waiting;
      continue;
    }
    for (const u32 next : block.next) {
      if (!to_be_remembered[next]) continue;
      to_be_remembered[next] = false;
      --waiting;
      steps_[block.last - 1].rules.push_back({cfi_dir_remember_state});
    }
  }
  return waiting == 0;
}

const FlowStep* FrameFlow::unreachable() const {
  for (const Block& block : blocks_) {
    if (block.reached) continue;
    for (u32 i = block.first; i < block.last; ++i)
      if (steps_[i].kind == FlowStep::instruction || steps_[i].kind == FlowStep::directive) return &steps_[i];
  }
  return nullptr;
}

}  // namespace xas
