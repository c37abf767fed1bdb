// SPDX-License-Identifier: Apache-2.0
// Longer instructions in the place of padding: llvm-mc's last step of branch alignment (program/branch_padding.h).
#include <algorithm>

#include "asm/layout/layout.h"
#include "asm/program/program.h"

namespace xas {

namespace {

class Widener {
 public:
  Widener(Program& program, const Section& section) : program_(program), section_(section) {}

  bool run() {
    find_labels();
    for (u32 id = section_.first; id != ~u32(0); id = program_.sections.sub(id).next) {
      sub_ = &program_.sections.sub(id);
      const std::vector<bool>& labels = labels_[id];
      for (u32 i = 0; i < sub_->fragments.size(); ++i) {
        if (labels[i]) candidates_.clear();
        i = visit(i);
      }
    }
    return changed_;
  }

 private:
  struct Candidate {
    Fragment* prefix;
    Fragment* jump;
  };

  /// Which fragments have a label between the fragment before and themselves.
  void find_labels() {
    labels_.resize(program_.sections.subsections());
    for (u32 id = section_.first; id != ~u32(0); id = program_.sections.sub(id).next) {
      labels_[id].assign(program_.sections.sub(id).fragments.size() + 1, false);
    }
    const auto mark = [&](u32 sub, u32 fragment) {
      if (sub < labels_.size() && fragment < labels_[sub].size()) labels_[sub][fragment] = true;
    };
    for (SymbolId id = 0; id < program_.symbols.size(); ++id) {
      const Symbol& s = program_.symbols[id];
      if (s.kind == SymbolKind::label) mark(s.where, s.fragment);
    }
    // LLVM has labels for these as well.
    for (const CfiFrame& frame : program_.cfi.frames) {
      mark(frame.subsection, frame.start_fragment);
      mark(frame.subsection, frame.end_fragment);
      for (u32 i = frame.first_insn; i != no_insn; i = program_.cfi.insns[i].next)
        mark(frame.subsection, program_.cfi.insns[i].fragment);
    }
    const DwarfLines& lines = program_.lines;
    for (u32 id = 0; id < lines.sequences.size(); ++id) {
      for (u32 run = lines.sequences[id].first_run; run != no_run; run = lines.runs[run].next) {
        const u32 end = run + 1 < lines.runs.size() ? lines.runs[run + 1].first : u32(lines.rows.size());
        for (u32 row = lines.runs[run].first; row < end; ++row) mark(id, lines.rows[row].fragment);
      }
    }
  }

  u32 visit(u32 i) {
    Fragment& f = sub_->fragments[i];
    switch (f.kind) {
      case FragmentKind::insn: candidates_.push_back({nullptr, &f}); return i;
      case FragmentKind::align:
        if (program_.padding.options().any_align) widen(f.size);
        candidates_.clear();
        return i;
      case FragmentKind::padding: break;
      default: candidates_.clear(); return i;
    }
    const PaddingFragment& padding = f.as<PaddingFragment>();
    if (padding.form != PaddingForm::nops) {
      const bool jump = padding.form == PaddingForm::prefix_of_jump;
      candidates_.push_back({&f, jump ? &sub_->fragments[i + 1] : nullptr});
      return i + jump;
    }
    f.size -= widen(f.size);
    candidates_.clear();
    // What the padding is for stays as it is.
    return padding.end_fragment == PaddingFragment::none ? i : padding.end_fragment - 1;
  }

  /// Makes instructions longer by `wanted` bytes, or by as many as can be; returns these.
  u64 widen(u64 wanted) {
    u64 left = wanted;
    while (left && !candidates_.empty()) {
      const auto [prefix, jump] = candidates_.back();
      candidates_.pop_back();
      unsigned length = 0;
      if (jump) {
        InsnFragment& insn = jump->as<InsnFragment>();
        const u8 longest = program_.target.relax_unresolved_state(insn.form);
        if (insn.state < longest) {
          const u64 size = program_.target.relax_size(insn.form, longest);
          if (size - jump->size > left) return wanted - left;
          left -= size - jump->size;
          insn.state = longest;
          jump->size = size;
          changed_ = true;
        }
      }
      if (!prefix || prefix->size) continue;
      if (jump) length = unsigned(jump->pos - prefix->pos + jump->size);
      const u64 max = std::min<u64>(prefix->as<PaddingFragment>().room, longest_instruction - length);
      prefix->size = std::min(max, left);
      left -= prefix->size;
      changed_ |= prefix->size != 0;
    }
    return wanted - left;
  }

  Program& program_;
  const Section& section_;
  Subsection* sub_ = nullptr;
  std::vector<std::vector<bool>> labels_;  ///< by subsection
  std::vector<Candidate> candidates_;
  bool changed_ = false;
};

}  // namespace

bool widen_instructions(Program& program, Section& section) { return Widener(program, section).run(); }

}  // namespace xas
