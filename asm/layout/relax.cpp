// SPDX-License-Identifier: Apache-2.0
// Relaxation: finding the sizes of one section's fragments.
//
// Every fragment starts as small as it can be, and branches only grow. The sizes found are not always the smallest that
// work, because an alignment can shrink while a branch grows. The usual case is a few passes (relax_pass.cpp) over an
// array of small items, one per fragment (relax_items.cpp), with the sum of sizes before each. What cannot move any
// more takes none (relax_final.cpp). Both reference assemblers do it this way, but their passes differ, and so do the
// sizes (RelaxOrder):
//
//   GNU as    goes forward once and moves everything at once: what lies behind is at its new place; what lies ahead is
//             taken to move as much as the branch itself did, unless an .align or .org in between may absorb that
//             (then it is taken to stay where it was). For Thumb it does otherwise: relax_settle.cpp.
//   llvm-mc   decides all branches on one state of the section, then places everything anew. Even branches that are
//             left to the linker start small, which the alignments of the first state show. From 23 on it moves
//             everything at once; what lies ahead is taken to move along, over alignments too.
//
// GNU as does not know .prefalign, so sections that have one are relaxed on one state. Its body is measured on the old
// state, and the alignment that follows from that only grows: otherwise an alignment in the body, which the padding
// moves, could make it change for ever.
//
// A chain in which each branch makes only the next one grow would need as many passes as it has branches. So after
// `plain_passes` the section is finished event by event (relax_chase.cpp): a branch that grows tells those that span
// it, and the next alignment that its growth disturbs. That takes time in proportion to the growth, not to the section.
#include "asm/layout/relax.h"

#include <algorithm>

#include "asm/layout/layout.h"
#include "objwriter/coff_constants.h"

namespace xas {

namespace {

/// Its size is a distance or a count, and not how long a number or an instruction is.
bool fills(const Fragment& f) { return f.kind != FragmentKind::leb && f.kind != FragmentKind::insn; }

}  // namespace

bool branch_resolves(const Program& program, const Symbol& s, u16 modifier) {
  if (program.is_coff) {
    // Linkers may put thunks in front of functions, which link.exe's incremental mode does.
    const bool function = (s.coff_type & 0xf0) == 0x20;
    const bool weak = s.binding == Binding::weak;
    if (!program.profile.coff_functions_relocate) return modifier == 0 && !weak;
    return modifier == 0 && !function && !(weak && s.type == coff::IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY);
  }
  if (s.type == elf::STT_GNU_IFUNC || s.binding == Binding::weak) return false;
  if (s.is_local()) {
    return modifier == 0 || program.profile.resolve_global_branches;
  }
  if (!program.profile.resolve_global_branches) return false;
  if ((s.other & 3) != elf::STV_DEFAULT) return true;
  return modifier == 0 && !program.options.mshared;
}

const Symbol& binding_symbol(const Program& program, const Symbol& named, const Symbol& label) {
  const bool passes = named.has(symbol_weakref) && !program.profile.weakref_is_local;
  return named.has(symbol_anonymous) || passes ? label : named;
}

bool insn_resolves(const Program& program, const Symbol& s, const InsnFragment& insn, bool sizing) {
  if (!program.info.relocations.by_function || program.is_coff || !program.profile.arm_resolves_globals)
    return branch_resolves(program, s, insn.modifier);
  if (s.type == elf::STT_GNU_IFUNC || s.binding == Binding::weak) return false;
  const bool local = s.is_local();
  if (local && s.type != elf::STT_FUNC && insn.modifier == 0) return true;  // whatever the instruction is
  u8 scratch[Emitter::max_instruction];
  const u8 state = sizing ? program.target.relax_unresolved_state(insn.form) : insn.state;
  RelocQuery q{.kind = program.target.relax_write(insn.form, state, scratch).kind,
               .modifier = insn.modifier,
               .pcrel = true,
               .has_symbol = true,
               .local = local || (sizing && (s.other & 3) != elf::STV_DEFAULT),
               .format = program.options.target.format,
               .gnu = true};
  q.function = s.type == elf::STT_FUNC;
  q.thumb_function = s.other & other_thumb;
  return program.target.may_resolve(q);
}

Relaxation::Relaxation(Program& program) : program_(program), profile_(program.profile) {
  here_.first_fragment.resize(program.sections.subsections());
  here_.first_pos.resize(program.sections.subsections());
}

Fragment& Relaxation::SectionFragments::at(u32 index) const {
  std::size_t low = 0, high = subs.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (first_fragment[subs[middle]->id] <= index ? low : high) = middle;
  }
  return subs[low]->fragments[index - first_fragment[subs[low]->id]];
}

// Sizes that are expressions

/// The size it should have now; false if its expression has no usable value (reported when layout is done).
bool Relaxation::slow_size(Fragment& f, u64 offset, u64& size) {
  const Resolved r = program_.resolve(f.value());
  if (f.kind == FragmentKind::insn) {
    InsnFragment& insn = f.as<InsnFragment>();
    const bool pcrel = form_of(insn.form).pcrel;
    if (pcrel ? r.kind == Resolved::place && r.section == here_.subs[0]->section : r.kind == Resolved::number) {
      const i64 reach = pcrel ? r.value - i64(offset) : r.value;
      while (!program_.target.relax_range(insn.form, insn.state).contains(reach)) ++insn.state;
    } else {
      insn.state = std::max(insn.state, program_.target.relax_unresolved_state(insn.form));
    }
    size = program_.target.relax_size(insn.form, insn.state);
    return true;
  }
  size = f.kind == FragmentKind::leb;
  const bool points = f.kind == FragmentKind::org || f.kind == FragmentKind::prefalign;
  const bool location = points && r.kind == Resolved::place && r.section == here_.subs[0]->section;
  if (r.kind != Resolved::number && !location) return false;
  switch (f.kind) {
    case FragmentKind::leb: size = leb_size(f.as<LebFragment>().encoding, r.value); return true;
    case FragmentKind::nops: size = r.value > 0 ? u64(r.value) : 0; return r.value >= 0;
    case FragmentKind::fill:
      if (r.value <= 0) return r.value == 0;
      return !__builtin_mul_overflow(u64(r.value), u64(f.as<FillFragment>().unit), &size);
    case FragmentKind::org:
      size = r.value > 0 && u64(r.value) > offset ? u64(r.value) - offset : 0;
      return r.value >= 0 && u64(r.value) >= offset;
    case FragmentKind::prefalign:
      if (location) raise_prefalign(f.as<PrefalignFragment>(), i64(u64(r.value) - offset - f.size));
      size = alignment_padding(offset, f.as<PrefalignFragment>().log2);
      return location;
    default: return false;
  }
}

/// Gives every slow fragment the size that its expression has now; true if one changed. Passes on one
/// state work out LEB128 numbers and instructions after what only fills.
bool Relaxation::update_slow(Section& section, unsigned round) {
  calming_.now = round - calming_.since > shrinking_rounds;
  calming_.least_doubled = 64;
  if (order_.moves) {
    const bool changed = update_in_order(section);
    if (calming_.least_doubled != 64) calming_.since = round;
    return changed;
  }
  if (update_in_order(section)) return true;
  bool changed = false;
  for (u32 i : slow_) {
    Fragment& f = here_.at(i);
    if (fills(f)) continue;
    u64 size;
    slow_size(f, items_[i].pos + before(i), size);
    changed |= set_slow_size(f, i, size);
  }
  return changed;
}

/// The next alignment that a number can drive, and that has not been doubled; the number of items if there is none.
u32 Relaxation::alignment_behind(u32 index) {
  const u32 none = u32(items_.size());
  const bool in_code = program_.sections[here_.subs.front()->section].is_code();
  for (u32 i = index + 1; i < none; ++i) {
    if (items_[i].mode != align) continue;
    const AlignFragment& behind = here_.at(i).as<AlignFragment>();
    if (!in_code || behind.pattern_size != 0) return behind.is_doubled ? none : i;  // no-ops don't count
  }
  return none;
}

void Relaxation::double_alignment(u32 index) {
  here_.at(index).as<AlignFragment>().is_doubled = true;
  items_[index].delta = i64(1) << items_[index].low;
  calming_.least_doubled = items_[index].low;
}

bool Relaxation::set_slow_size(const Fragment& f, u32 i, u64 size) {
  if (f.kind == FragmentKind::leb && size < size_[i]) {
    if (!profile_.leb128_shrinks || !may_shrink_) return false;
    if (calming_.now) {
      // In GNU as a number and an alignment behind it that drive each other, the one growing as the other shrinks, come
      // to rest when the alignment has as much again. What stands behind one that was doubled now, and is aligned to
      // more, may come to rest by itself.
      const u32 behind = order_.moves ? alignment_behind(i) : u32(items_.size());
      if (behind == items_.size()) return false;
      if (items_[behind].low <= calming_.least_doubled) return double_alignment(behind), true;
    }
  }
  if (size == size_[i]) return false;
  size_[i] = size;
  last_changed_ = i;
  return true;
}

/// Goes through the slow fragments in order. What lies before one is already where the new sizes put it, so that a
/// table of `.fill table + 9 * n - .` comes out in one round.
bool Relaxation::update_in_order(Section& section) {
  publish(section);
  bool changed = false;
  u64 shift = 0;         // how much further all that lies behind has moved
  u64 shift_before = 0;  // of it, what is in the base of the subsection
  u32 at = 0;            // of here_.subs
  u32 placed = 0;        // so many fragments are where the new sizes put them
  for (u32 i : slow_) {
    for (; placed <= i; ++placed) {
      while (placed - here_.first_fragment[here_.subs[at]->id] >= here_.subs[at]->fragments.size()) {
        here_.subs[at]->growth += shift - shift_before;
        here_.subs[++at]->base += shift;
        shift_before = shift;
      }
      here_.subs[at]->before[placed - here_.first_fragment[here_.subs[at]->id]] += shift - shift_before;
    }
    Fragment& f = here_.at(i);
    if (!order_.moves && !fills(f)) continue;
    const u64 was = size_[i];
    u64 size;
    slow_size(f, items_[i].pos + before(i) + shift, size);
    if (!set_slow_size(f, i, size)) continue;
    shift += size_[i] - was;
    changed = true;
    ++program_.layout_version;
  }
  return changed;
}

/// Writes sizes back to where offsets are asked for.
void Relaxation::publish(Section& section) {
  ++program_.layout_version;
  u32 i = 0;
  u64 pos = 0;
  for (Subsection* sub : here_.subs) {
    const u64 start = before(i);
    sub->base = pos + start;
    sub->before.resize(sub->fragments.size());
    for (u32 n = 0; n < sub->fragments.size(); ++n, ++i) {
      sub->before[n] = before(i) - start;
      sub->fragments[n].size = size_[i];
    }
    sub->growth = before(i) - start;
    pos += sub->size;
  }
  section.size = pos + before(i);
}

/// Tells branches in the section how far it is to where they go.
void Relaxation::publish_targets() {
  const bool thumb = program_.info.labels.thumb;
  if (thumb && program_.is_coff) return;
  u32 i = 0;
  for (Subsection* sub : here_.subs) {
    for (Fragment& f : sub->fragments) {
      const Item& item = items_[i];
      const bool is_known = u32(item.mode - reaches) <= forward_over_align - reaches;
      const i64 distance = item.delta + i64(before(pick(is_known, item.target, i)) - before(i));
      ++i;
      if (f.kind != FragmentKind::insn) [[unlikely]]
        continue;
      InsnFragment& insn = f.as<InsnFragment>();
      insn.distance = i32(distance);
      insn.has_distance = is_known & (i32(distance) == distance);
      // Elsewhere what kind of code the label marks counts.
      if (thumb && (insn.modifier || !is_plain_label(program_.symbols[insn.target]))) insn.has_distance = false;
    }
  }
}

bool Relaxation::relax(Section& section, bool alone) {
  build(section, alone);
  if (alone && !slow_.empty()) return false;
  if (!slow_.empty() && !order_.waits) {  // what fills is there before branches are decided
    place();
    update_in_order(section);
  }
  place();
  relax_quick();
  bool moved = false;
  calming_.since = 0;
  for (unsigned round = 1; !slow_.empty() && update_slow(section, round); ++round) {
    moved = true;
    if (round > max_passes) {
      Fragment& f = here_.at(last_changed_);
      program_.diags.error(f.loc,
                           "the size of this depends on itself: it changes whenever everything else has settled");
      break;
    }
    place();
    relax_quick();
  }
  publish(section);
  publish_targets();
  return moved;
}

}  // namespace xas
