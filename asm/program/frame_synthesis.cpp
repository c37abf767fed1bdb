// SPDX-License-Identifier: Apache-2.0
#include "asm/program/frame_synthesis.h"

#include <fmt/format.h>

#include "asm/program/streamer.h"

namespace xas {

FrameSynthesis::Function* FrameSynthesis::open(const Streamer& out) {
  const auto found = open_.find(out.current->id);
  return found == open_.end() ? nullptr : &found->second;
}

bool FrameSynthesis::in_function(const Streamer& out) const { return open_.contains(out.current->id); }

FlowStep& FrameSynthesis::add(Streamer& out, Function& function, FlowStep::Kind kind, SourceLoc loc) {
  FlowStep& step = function.steps.emplace_back();
  step.kind = kind;
  step.pos = u32(out.current->size);
  step.fragment = u32(out.current->fragments.size());
  step.loc = loc;
  return step;
}

void FrameSynthesis::begin_function(Streamer& out, SymbolId symbol) {
  end_function(out);
  Function& function = open_[out.current->id];
  function.symbol = symbol;
  add(out, function, FlowStep::begin, out.program.sources.statement_loc());
}

void FrameSynthesis::note_size(Streamer& out, SymbolId symbol) {
  if (const Function* const function = open(out); function && function->symbol == symbol) end_function(out);
}

void FrameSynthesis::note_label(Streamer& out, SymbolId label, SourceLoc loc) {
  Function* const function = open(out);
  if (!function) return;
  function->labels.emplace(label, u32(function->steps.size()));
  add(out, *function, FlowStep::label, loc).symbol = label;
}

void FrameSynthesis::note_step(Streamer& out, const FrameStep& step, SourceLoc loc) {
  Function* const function = open(out);
  if (!function) return;
  add(out, *function, FlowStep::instruction, loc).step = step;
  if (step.kind == FrameStep::Kind::jump && step.target == no_symbol) function->traceable = false;
}

void FrameSynthesis::note_cfi_label(Streamer& out, u32 label) {
  if (Function* const function = open(out))
    add(out, *function, FlowStep::directive, out.program.sources.statement_loc()).cfi_label = label;
}

void FrameSynthesis::note_signal_frame(Streamer& out) {
  if (Function* const function = open(out))
    add(out, *function, FlowStep::directive, out.program.sources.statement_loc()).rules = {{cfi_dir_signal_frame}};
}

void FrameSynthesis::ignore(Streamer& out) {
  if (std::exchange(ignores_reported_, true)) return;
  out.warning(out.program.sources.statement,
              "--scfi makes frames itself: what .cfi_* directives say of them is ignored");
}

void FrameSynthesis::end_function(Streamer& out) {
  const auto found = open_.find(out.current->id);
  if (found == open_.end()) return;
  Function function = std::move(found->second);
  open_.erase(found);
  const SourceLoc loc = out.program.sources.statement_loc();
  add(out, function, FlowStep::end, loc);
  const std::string_view name = out.program.symbols[function.symbol].text();
  Diags& diags = out.program.diags;
  if (!function.traceable)
    return diags.error(
        loc, fmt::format("no call frame information can be made for '{}': an indirect jump may lead anywhere", name));
  const FrameFlow::Report error = [&](const FlowStep& step, std::string message) {
    diags.error(step.loc, std::move(message));
  };
  const FrameFlow::Report warn = [&](const FlowStep& step, std::string message) {
    diags.warning(step.loc, std::move(message));
  };
  FrameFlow flow(function.steps, function.labels, *out.program.target.frame_registers(),
                 out.program.target.cfi_defaults().cfa_offset);
  flow.find_missing(warn);
  if (!flow.follow(error, warn))
    return diags.error(
        loc, fmt::format("no call frame information can be made for '{}': its frame can't be followed", name));
  if (!flow.restore_states())
    return diags.error(
        loc, fmt::format("no call frame information can be made for '{}': ways that meet have different frames", name));
  make_frame(out, function);
  if (const FlowStep* const step = flow.unreachable())
    diags.warning(step->loc, fmt::format("nothing in '{}' leads here, so that it has no call frame information", name));
}

void FrameSynthesis::make_frame(Streamer& out, Function& function) {
  CfiTable& cfi = out.program.cfi;
  std::size_t placed = cfi.insns.size();
  const auto place = [&](const FlowStep& at) {
    for (; placed < cfi.insns.size(); ++placed) {
      cfi.insns[placed].pos = at.pos;
      cfi.insns[placed].fragment = at.fragment;
    }
  };
  CfiFrame& frame = begin_frame_at(out, function.steps.front().pos, function.steps.front().fragment);
  place(function.steps.front());
  for (const FlowStep& step : function.steps) {
    if (step.cfi_label != ~u32(0)) say_label(out, frame, step.cfi_label);
    for (const FrameRule& rule : step.rules)
      say_of_frame(out, frame, rule.says, {.reg = rule.reg, .offset = rule.offset}, out.program.sources.statement);
    place(step);
  }
  end_frame(out, frame);
}

void FrameSynthesis::finish(Streamer& out) { end_function(out); }

}  // namespace xas
