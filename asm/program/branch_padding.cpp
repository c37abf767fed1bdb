// SPDX-License-Identifier: Apache-2.0
// See branch_padding.h. What is an instruction of which kind is the target's answer (targets/x86/align_branch.cpp).
#include "asm/program/branch_padding.h"

#include <algorithm>

#include "asm/program/streamer.h"

namespace xas {

namespace {

/// GNU as adds up the room of the instructions before a branch up to here; those behind that take no prefix.
constexpr u32 max_room = 20;

}  // namespace

void BranchPadding::start(const PaddingOptions& options, const Profile& profile) {
  options_ = options;
  late_ = options.on() && profile.branch_padding_widens;
}

BranchPadding::Run& BranchPadding::run(const Streamer& out) {
  if (runs_.size() <= out.current->id) runs_.resize(out.current->id + 1u);
  return runs_[out.current->id];
}

u32 BranchPadding::add(Streamer& out, PaddingForm form) {
  out.add_fragment(
      PaddingFragment{
          .nop_style = out.program.target.nop_style(), .form = form, .boundary_log2 = options_.boundary_log2},
      out.program.sources.statement_loc());
  return u32(out.current->fragments.size() - 1);
}

void BranchPadding::begin(Streamer& out, const PaddedInstruction& insn) {
  nops_ = prefix_ = none;
  if (out.current->nobits) return;
  late_ ? begin_llvm(out, run(out), insn) : begin_gnu(out, run(out), insn);
}

/// One more instruction before the branch to come that may take prefixes.
void BranchPadding::join(Streamer& out, Run& run, u32 fragment, u32 room) {
  PaddingFragment& padding = out.current->fragments[fragment].as<PaddingFragment>();
  padding.form = PaddingForm::prefix;
  padding.room = u8(room);
  if (run.lead == none) {
    run.lead = fragment;
    run.room = room;
  } else if (run.room >= max_room) {
    run.room = max_room;
    padding.room = 0;
  } else {
    run.room += room;
  }
}

void BranchPadding::begin_gnu(Streamer& out, Run& run, const PaddedInstruction& insn) {
  const auto& fragments = out.current->fragments;
  if (fragments.size() != run.fragments) run.lead = run.setter = none;  // something else than data
  const bool free = out.current->size == run.pos && !run.shadow;  // no data, no prefix right before it
  const bool padded = insn.branch && free;
  const bool fused = padded && run.setter != none && (run.fuses & insn.fuses);
  if (run.setter != none && !fused && run.setter_room) join(out, run, run.setter, run.setter_room);
  if (padded) {
    Section& section = out.current_section();
    section.log2_align = std::max(section.log2_align, options_.boundary_log2);
    nops_ = fused ? run.setter : add(out, PaddingForm::nops);
    if (run.lead != none) {
      PaddingFragment& lead = out.current->fragments[run.lead].as<PaddingFragment>();
      lead.padding = nops_;
      lead.run_room = run.room;
    }
    run.lead = none;
  } else if (insn.relaxable) {
    run.lead = none;
  }
  run.setter = none;
  if (padded || insn.branch || insn.relaxable || !free) return;
  if (insn.fuses && options_.fuses) {
    run.setter = add(out, PaddingForm::nops);
    run.fuses = insn.fuses;
  } else if (insn.takes_prefix && options_.max_prefixes) {
    prefix_ = add(out, PaddingForm::prefix);
  }
}

void BranchPadding::begin_llvm(Streamer& out, Run& run, const PaddedInstruction& insn) {
  const u64 size = out.current->size;
  const auto& fragments = out.current->fragments;
  const u64 piece = fragments.empty() ? 0 : fragments.back().pos;  // where LLVM's fragment begins
  const bool same = last_ == out.current && fragments.size() == run.fragments;
  const bool data = same ? size != run.pos : size != piece;
  const bool free = !insn.fixed && !insn.lone_prefix && !run.shadow && !data;
  if (options_.boundary_log2 && out.current_section().is_code()) {
    const u32 setter = run.setter != none && (run.fuses & insn.fuses) ? run.setter : none;
    const bool fused = setter != none && same;  // with no fragment of LLVM's in between
    run.setter = none;
    if (insn.branch) {
      nops_ = free && !fused ? add(out, PaddingForm::nops) : setter;
    } else if (free && insn.fuses && !insn.relaxable && options_.fuses) {
      run.setter = add(out, PaddingForm::nops);
      run.fuses = insn.fuses;
    }
  }
  if (!options_.max_prefixes) return;
  if (options_.boundary_log2) {
    // What stands right behind no-ops takes no prefix.
    const bool behind_nops = fragments.size() && fragments.back().kind == FragmentKind::padding &&
                             fragments.back().as<PaddingFragment>().form == PaddingForm::nops &&
                             fragments.back().pos == size;
    if (free && !behind_nops) prefix_ = add(out, PaddingForm::prefix);
    return;
  }
  // Only what has two forms is a piece of its own for llvm-mc, together with what is before them, one of which has to
  // be free.
  const u32 number = u32(fragments.size()) + 1;
  if (free) run.free = number;
  if (insn.has_forms && run.free == number) prefix_ = add(out, PaddingForm::prefix);
}

void BranchPadding::end(Streamer& out, const PaddedInstruction& insn, u8 prefix, unsigned room) {
  if (out.current->nobits) return;
  Run& run = this->run(out);
  auto& fragments = out.current->fragments;
  if (nops_ != none) {
    PaddingFragment& padding = fragments[nops_].as<PaddingFragment>();
    padding.end_pos = u32(out.current->size);
    padding.end_fragment = u32(fragments.size());
    if (late_) {
      Section& section = out.current_section();
      section.log2_align = std::max(section.log2_align, options_.boundary_log2);
    }
  } else if (run.setter != none && !late_) {
    fragments[run.setter].as<PaddingFragment>().prefix = prefix;
    run.setter_room = room;
  }
  if (prefix_ != none) {
    PaddingFragment& padding = fragments[prefix_].as<PaddingFragment>();
    padding.prefix = prefix;
    padding.room = u8(room);
    if (prefix_ + 1 < fragments.size()) padding.form = PaddingForm::prefix_of_jump;
    if (!late_) join(out, run, prefix_, room);
  }
  run.pos = out.current->size;
  run.fragments = u32(fragments.size());
  run.shadow = insn.lone_prefix || insn.shadows;
  last_ = out.current;
}

}  // namespace xas
