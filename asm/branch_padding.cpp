// See branch_padding.h. What is an instruction of which kind is the target's answer (targets/x86/align_branch.cpp).
#include "asm/branch_padding.h"

#include <algorithm>

#include "asm/assembler.h"

namespace xas {

namespace {

/// GNU as adds up the room of the instructions before a branch up to here; those behind that take no prefix.
constexpr u32 most_room = 20;

constexpr unsigned longest_instruction = 15;

}  // namespace

void BranchPadding::start(const PaddingOptions& options, const Profile& profile) {
  options_ = options;
  late_ = options.on() && !profile.moves_while_relaxing;
}

BranchPadding::Run& BranchPadding::run(const Assembler& a) {
  if (runs_.size() <= a.current->id) runs_.resize(a.current->id + 1u);
  return runs_[a.current->id];
}

u32 BranchPadding::add(Assembler& a, PaddingForm form) {
  Flex& f = a.add_flex(FlexKind::padding, a.loc_of(a.statement_start));
  f.form = form;
  f.state = form == padding_nops ? options_.boundary_log2 : 0;
  f.fill = form == padding_nops ? a.target.nop_style() : 0;
  return u32(a.current->flexes.size() - 1);
}

void BranchPadding::begin(Assembler& a, const PaddedInstruction& insn) {
  nops_ = prefix_ = none;
  if (a.current->nobits) return;
  late_ ? begin_llvm(a, run(a), insn) : begin_gnu(a, run(a), insn);
}

/// One more instruction before the branch to come that may take prefixes.
void BranchPadding::join(Assembler& a, Run& run, u32 flex, u32 room) {
  Flex& f = a.current->flexes[flex];
  f.form = padding_prefix;
  f.state = u8(room);
  if (run.lead == none) {
    run.lead = flex;
    run.room = room;
  } else if (run.room >= most_room) {
    run.room = most_room;
    f.state = 0;
  } else {
    run.room += room;
  }
}

void BranchPadding::begin_gnu(Assembler& a, Run& run, const PaddedInstruction& insn) {
  const auto& flexes = a.current->flexes;
  if (flexes.size() != run.flexes) run.lead = run.setter = none;  // something else than data
  const bool free = a.current->size == run.pos && !run.shadow;     // no data, no prefix right before it
  const bool padded = insn.branch && free;
  const bool fused = padded && run.setter != none && (run.fuses & insn.fuses);
  if (run.setter != none && !fused && run.setter_room) join(a, run, run.setter, run.setter_room);
  if (padded) {
    Section& section = a.current_section();
    section.log2_align = std::max(section.log2_align, options_.boundary_log2);
    nops_ = fused ? run.setter : add(a, padding_nops);
    if (run.lead != none) {
      Flex& lead = a.current->flexes[run.lead];
      lead.sub = nops_;
      lead.constant = run.room;
    }
    run.lead = none;
  } else if (insn.relaxable) {
    run.lead = none;
  }
  run.setter = none;
  if (padded || insn.branch || insn.relaxable || !free) return;
  if (insn.fuses && options_.fuses) {
    run.setter = add(a, padding_nops);
    run.fuses = insn.fuses;
  } else if (insn.takes_prefix && options_.most_prefixes) {
    prefix_ = add(a, padding_prefix);
  }
}

void BranchPadding::begin_llvm(Assembler& a, Run& run, const PaddedInstruction& insn) {
  const u64 size = a.current->size;
  const auto& flexes = a.current->flexes;
  const u64 piece = flexes.empty() ? 0 : flexes.back().pos;  // where LLVM's fragment begins
  const bool same = last_ == a.current && flexes.size() == run.flexes;
  const bool data = same ? size != run.pos : size != piece;
  const bool free = !insn.fixed && !insn.lone_prefix && !run.shadow && !data;
  if (options_.boundary_log2 && a.current_section().is_code()) {
    const u32 setter = run.setter != none && (run.fuses & insn.fuses) ? run.setter : none;
    const bool fused = setter != none && same;  // with no fragment of LLVM's in between
    run.setter = none;
    if (insn.branch) {
      nops_ = free && !fused ? add(a, padding_nops) : setter;
    } else if (free && insn.fuses && !insn.relaxable && options_.fuses) {
      run.setter = add(a, padding_nops);
      run.fuses = insn.fuses;
    }
  }
  if (!options_.most_prefixes) return;
  if (options_.boundary_log2) {
    // What stands right behind no-ops takes no prefix.
    const bool behind_nops = flexes.size() && flexes.back().kind == FlexKind::padding &&
                             flexes.back().form == padding_nops && flexes.back().pos == size;
    if (free && !behind_nops) prefix_ = add(a, padding_prefix);
    return;
  }
  // Only what has two forms is a piece of its own for llvm-mc, together with what is before them, one of which has to
  // be free.
  const u32 number = u32(flexes.size()) + 1;
  if (free) run.free = number;
  if (insn.has_forms && run.free == number) prefix_ = add(a, padding_prefix);
}

void BranchPadding::end(Assembler& a, const PaddedInstruction& insn, u8 prefix, unsigned room) {
  if (a.current->nobits) return;
  Run& run = this->run(a);
  auto& flexes = a.current->flexes;
  if (nops_ != none) {
    Flex& f = flexes[nops_];
    f.constant = i64(a.current->size);
    f.add = u32(flexes.size());
    if (late_) {
      Section& section = a.current_section();
      section.log2_align = std::max(section.log2_align, options_.boundary_log2);
    }
  } else if (run.setter != none && !late_) {
    flexes[run.setter].fill_size = prefix;
    run.setter_room = room;
  }
  if (prefix_ != none) {
    Flex& f = flexes[prefix_];
    f.fill_size = prefix;
    f.state = u8(room);
    if (prefix_ + 1 < flexes.size()) f.form = padding_prefix_of_jump;
    if (!late_) join(a, run, prefix_, room);
  }
  run.pos = a.current->size;
  run.flexes = u32(flexes.size());
  run.shadow = insn.lone_prefix || insn.shadows;
  last_ = a.current;
}

// llvm-mc's last step

namespace {

class Widener {
 public:
  Widener(Assembler& a, const Section& section) : a_(a), section_(section) {}

  bool run() {
    find_labels();
    for (u32 id = section_.first; id != ~u32(0); id = a_.sections.sub(id).next) {
      sub_ = &a_.sections.sub(id);
      const std::vector<bool>& labels = labels_[id];
      for (u32 i = 0; i < sub_->flexes.size(); ++i) {
        if (labels[i]) candidates_.clear();
        i = visit(i);
      }
    }
    return changed_;
  }

 private:
  struct Candidate {
    Flex* prefix;
    Flex* jump;
  };

  /// Which flexes have a label between the flex before and themselves.
  void find_labels() {
    labels_.resize(a_.sections.subsections());
    for (u32 id = section_.first; id != ~u32(0); id = a_.sections.sub(id).next) {
      labels_[id].assign(a_.sections.sub(id).flexes.size() + 1, false);
    }
    const auto mark = [&](u32 sub, u32 flex) {
      if (sub < labels_.size() && flex < labels_[sub].size()) labels_[sub][flex] = true;
    };
    for (SymbolId id = 0; id < a_.symbols.size(); ++id) {
      const Symbol& s = a_.symbols[id];
      if (s.kind == SymbolKind::label) mark(s.where, s.flex);
    }
    // LLVM has labels for these as well.
    for (const CfiFrame& frame : a_.cfi.frames) {
      mark(frame.subsection, frame.start_flex);
      mark(frame.subsection, frame.end_flex);
      for (u32 i = frame.first_insn; i != no_insn; i = a_.cfi.insns[i].next)
        mark(frame.subsection, a_.cfi.insns[i].flex);
    }
    const DwarfLines& lines = a_.lines;
    for (u32 id = 0; id < lines.sequences.size(); ++id) {
      for (u32 run = lines.sequences[id].first_run; run != no_run; run = lines.runs[run].next) {
        const u32 end = run + 1 < lines.runs.size() ? lines.runs[run + 1].first : u32(lines.rows.size());
        for (u32 row = lines.runs[run].first; row < end; ++row) mark(id, lines.rows[row].flex);
      }
    }
  }

  u32 visit(u32 i) {
    Flex& f = sub_->flexes[i];
    switch (f.kind) {
      case FlexKind::insn: candidates_.push_back({nullptr, &f}); return i;
      case FlexKind::align:
        if (a_.padding.options().any_align) widen(f.size);
        candidates_.clear();
        return i;
      case FlexKind::padding: break;
      default: candidates_.clear(); return i;
    }
    if (f.form != padding_nops) {
      const bool jump = f.form == padding_prefix_of_jump;
      candidates_.push_back({&f, jump ? &sub_->flexes[i + 1] : nullptr});
      return i + jump;
    }
    f.size -= widen(f.size);
    candidates_.clear();
    // What the padding is for stays as it is.
    return f.add == no_symbol ? i : f.add - 1;
  }

  /// Makes instructions longer by `wanted` bytes, or by as many as can be; returns these.
  u64 widen(u64 wanted) {
    u64 left = wanted;
    while (left && !candidates_.empty()) {
      const auto [prefix, jump] = candidates_.back();
      candidates_.pop_back();
      unsigned length = 0;
      if (jump) {
        const u8 longest = a_.target.relax_unresolved_state(jump->form);
        if (jump->state < longest) {
          const u64 size = a_.target.relax_size(jump->form, longest);
          if (size - jump->size > left) return wanted - left;
          left -= size - jump->size;
          jump->state = longest;
          jump->size = size;
          changed_ = true;
        }
      }
      if (!prefix || prefix->size) continue;
      if (jump) length = unsigned(jump->pos - prefix->pos + jump->size);
      const u64 most = std::min<u64>(prefix->state, longest_instruction - length);
      prefix->size = std::min(most, left);
      left -= prefix->size;
      changed_ |= prefix->size != 0;
    }
    return wanted - left;
  }

  Assembler& a_;
  const Section& section_;
  Subsection* sub_ = nullptr;
  std::vector<std::vector<bool>> labels_;  ///< by subsection
  std::vector<Candidate> candidates_;
  bool changed_ = false;
};

}  // namespace

bool widen_instructions(Assembler& a, Section& section) { return Widener(a, section).run(); }

}  // namespace xas
