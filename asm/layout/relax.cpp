// SPDX-License-Identifier: Apache-2.0
// Relaxation: finding the sizes of one section's fragments.
//
// Every fragment starts as small as it can be, and branches only grow, so the sizes found are the smallest that work.
// The usual case is a few passes over an array of small items, one per fragment, with the sum of sizes before each
// (relax_pass.cpp).
// Both reference assemblers do it this way, but their passes differ, and since alignment can shrink while branches
// grow, the difference can be seen in rare objects:
//
//   GNU as    goes forward once and moves everything at once: what lies behind is at its new place; what lies ahead is
//             taken to move as much as the branch itself did, unless an .align or .org in between may absorb that
//             (then it is taken to stay where it was).
//   llvm-mc   decides all branches on one state of the section, then places everything anew. Even branches that are
//             left to the linker start small, which the alignments of the first state show.
//
// GNU as does not know .prefalign, so sections that have one are relaxed in LLVM's way. Its body is measured on the old
// state, and the alignment that follows from that only grows: otherwise an alignment in the body, which the padding
// moves, could make it change for ever.
//
// A chain in which each branch makes only the next one grow would need as many passes as it has branches. So after
// `plain_passes` the section is finished event by event (relax_chase.cpp): a branch that grows tells those that span
// it, and the next alignment that its growth disturbs. That takes time in proportion to the growth, not to the section.
#include "asm/layout/relax.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "asm/layout/layout.h"
#include "asm/program/frame_text.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "xas/leb128.hpp"

namespace xas {

namespace {

/// Parts of an expression that are looked at to find out whether it moves.
constexpr unsigned max_steps = 32;

/// Its size is a distance or a count, and not how long a number or an instruction is.
bool fills(const Fragment& f) { return f.kind != FragmentKind::leb && f.kind != FragmentKind::insn; }

u64 leb_size(LebEncoding encoding, i64 value) {
  if (encoding == LebEncoding::advance) return advance_size(value);
  return encoding == LebEncoding::is_signed ? sleb128_size(value) : uleb128_size(u64(value));
}

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

/// A local label that is no function.
static bool is_plain_label(const Symbol& s) {
  const bool local = s.is_local();
  return s.kind == SymbolKind::label && local && s.type == elf::STT_NOTYPE;
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
  first_fragment_.resize(program.sections.subsections());
  first_pos_.resize(program.sections.subsections());
}

Fragment& Relaxation::fragment_at(u32 index) {
  std::size_t low = 0, high = subs_.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (first_fragment_[subs_[middle]->id] <= index ? low : high) = middle;
  }
  return subs_[low]->fragments[index - first_fragment_[subs_[low]->id]];
}

// Items

void Relaxation::build(Section& section, bool anew) {
  anew_ = anew;
  moves_ = profile_.moves_while_relaxing && !section.has_prefalign;
  subs_.clear();
  items_.clear();
  size_.clear();
  slow_.clear();
  aligned_targets_.clear();
  u64 pos = 0;
  u32 fragments = 0;
  for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
    Subsection& sub = program_.sections.sub(id);
    subs_.push_back(&sub);
    first_fragment_[id] = fragments;
    first_pos_[id] = pos;
    fragments += u32(sub.fragments.size());
    pos += sub.size;
  }
  section_ = program_.sections.index_of(section);
  items_.resize(fragments);
  size_.resize(fragments);
  inner_.resize(fragments + 1);  // for now by the greatest sizes
  u64 most = 0;
  u32 index = 0;
  for (Subsection* sub : subs_) {
    const u64 base_pos = first_pos_[sub->id];
    for (std::size_t i = 0; i < sub->fragments.size(); ++i, ++index) {
      Fragment& f = sub->fragments[i];
      const Fragment& ahead = sub->fragments[std::min(i + prefetch_distance, sub->fragments.size() - 1)];
      program_.symbols.prefetch(ahead.symbol_hints()[0]);
      Item& item = items_[index];
      item.pos = base_pos + f.pos;
      item.mode = slow;
      if (f.kind == FragmentKind::insn) [[likely]] {
        build_insn(*sub, f, item, index);
      } else {
        build_other(section, *sub, f, item, index);
      }
      if (item.mode <= slow) {
        const Mode mode = item.mode;
        if (mode == slow) slow_.push_back(index);
        fix(item, index);
        item.mode = mode;
      }
      size_[index] = f.size;
      inner_[index] = most;
      most += greatest_size(f, item);
    }
  }
  inner_[fragments] = most;
  classify_branches();
}

/// What the fragment may come to, if that is known before it has been placed. More than any branch has to care about
/// counts as `unbounded`, so that no sum of them overflows.
u64 Relaxation::greatest_size(const Fragment& f, const Item& item) {
  constexpr u64 unbounded = u64(far) + 1;
  if (f.kind == FragmentKind::insn) [[likely]]
    return form_of(f.as<InsnFragment>().form).greatest_size;
  if (item.mode == align) return std::min((u64(1) << item.low) - 1, item.target != 0 ? item.target : unbounded);
  return item.mode == fixed ? std::min<u64>(f.size, unbounded) : unbounded;
}

/// Makes a constant of a LEB128 number if the sections of its labels are final. Most sizes in `gcc -g` output are such
/// numbers, and each would be worked out half a dozen times otherwise.
bool Relaxation::finalize_leb(Fragment& f) {
  LebFragment& leb = f.as<LebFragment>();
  FragmentValue& number = leb.number;
  if (!number.is_constant()) {
    const SymbolId only = number.add != no_symbol ? number.add : number.sub;
    const Symbol& plus = program_.symbols[only];
    const Symbol& minus = program_.symbols[number.sub != no_symbol ? number.sub : only];
    if (plus.kind == SymbolKind::label && minus.kind == SymbolKind::label && plus.where == minus.where &&
        number.add != no_symbol && number.sub != no_symbol && !program_.info.labels.thumb) [[likely]] {
      const Subsection& sub = program_.sections.sub(plus.where);
      if (!sub.is_final()) return false;
      number.constant =
          i64(u64(number.constant) + sub.offset(plus.value, plus.fragment) - sub.offset(minus.value, minus.fragment));
    } else {
      unsigned steps = 0;
      if (!is_final(number.add, steps) || !is_final(number.sub, steps)) return false;
      Value v = number;
      const char* why;
      if (!program_.reduce(v, why) || !v.is_constant()) return false;
      number.constant = v.constant;
    }
    number.add = number.sub = no_symbol;
  }
  f.size = leb_size(leb.encoding, number.constant);
  return true;
}

/// Nothing that its value depends on will move. Big trees (of view numbers, they are small) are not looked through.
bool Relaxation::is_final(const Section& section) const {
  for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
    if (!program_.sections.sub(id).is_final()) return false;
  }
  return true;
}

void Relaxation::make_final(const Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
    Subsection& sub = program_.sections.sub(id);
    sub.final_size = sub.size;
    sub.final_fragments = u32(sub.fragments.size());
  }
}

bool Relaxation::is_final(SymbolId id, unsigned& steps) const {
  if (id == no_symbol) return true;
  const Symbol& s = program_.symbols[id];
  switch (s.kind) {
    case SymbolKind::label: return program_.sections.sub(s.where).is_final();
    case SymbolKind::absolute: return true;
    case SymbolKind::expression: return ++steps < max_steps && is_final_node(u32(s.value), steps);
    default: return false;
  }
}

bool Relaxation::is_final_node(u32 index, unsigned& steps) const {
  if (++steps > max_steps) return false;
  const ExprNode& node = program_.exprs[index];
  if (node.op == ExprOp::leaf) return is_final(node.value.add, steps) && is_final(node.value.sub, steps);
  const bool unary = node.op == ExprOp::neg || node.op == ExprOp::bit_not || node.op == ExprOp::log_not;
  return is_final_node(node.lhs, steps) && (unary || is_final_node(node.rhs, steps));
}

bool Relaxation::finalize_in_order(Section& section) {
  const auto next = [&](u32 id) { return program_.sections.sub(id).next; };
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    BigVector<Fragment>& fragments = program_.sections.sub(id).fragments;
    for (std::size_t i = 0; i < fragments.size(); ++i) {
      const Fragment& ahead = fragments[std::min(i + prefetch_distance, fragments.size() - 1)];
      for (SymbolId id : ahead.symbol_hints()) program_.symbols.prefetch(id);
      const FragmentKind kind = fragments[i].kind;
      if (kind == FragmentKind::leb ? !finalize_leb(fragments[i])
                                    : kind != FragmentKind::align && kind != FragmentKind::piece)
        return false;
    }
  }
  section.size = 0;
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    Subsection& sub = program_.sections.sub(id);
    sub.base = section.size;
    sub.growth = 0;
    sub.before.clear();
    sub.before.reserve(sub.fragments.size());
    for (Fragment& f : sub.fragments) {
      sub.before.push_back(sub.growth);
      if (f.kind == FragmentKind::align) {
        const AlignFragment& align = f.as<AlignFragment>();
        const u64 pad = alignment_padding(sub.base + f.pos + sub.growth, align.log2);
        f.size = align.max_skip && pad > align.max_skip ? 0 : pad;
      } else if (f.kind == FragmentKind::piece) {
        f.size = f.as<PieceFragment>().bytes;
      }
      sub.growth += f.size;
    }
    section.size += sub.total();
  }
  slow_.clear();
  ++program_.layout_version;
  return true;
}

/// Takes branches out of the passes that will reach their targets however much everything grows between. Of the others,
/// tells forward branches that cross an alignment from those that do not; only GNU as's passes ask.
void Relaxation::classify_branches() {
  u32 next_align = ~u32(0);
  for (u32 i = u32(items_.size()); i-- > 0;) {
    Item& item = items_[i];
    const Mode mode = item.mode;
    next_align = pick((mode == align) | (mode == org) | (mode == prefalign), i, next_align);
    const bool is_branch = (mode == forward) | (mode == backward);
    const i64 span =
        i64(inner_[pick(is_branch, item.target, i)] - inner_[i]);  // the greatest, below zero if it goes back
    // At the least and at the most the distance is this: item.delta, and what of the span comes on top of it.
    const bool always = is_branch && item.delta >= item.low - std::min<i64>(span, 0) &&
                        item.delta <= item.high - std::max<i64>(span, 0);
    if (always) item.low = -far, item.high = far;
    item.mode = always ? reaches : Mode(pick((mode == forward) & (next_align < item.target), forward_over_align, mode));
  }
}

/// Everything but branches.
void Relaxation::build_other(const Section& section, const Subsection& sub, Fragment& f, Item& item, u32 index) {
  item.delta = 0;
  item.low = item.high = 0;
  item.target = index;
  switch (f.kind) {
    case FragmentKind::insn: break;
    case FragmentKind::align:
      item.mode = align;
      item.low = f.as<AlignFragment>().log2;
      item.target = f.as<AlignFragment>().max_skip;
      break;
    case FragmentKind::org: build_pointing(section, f.as<OrgFragment>(), item); break;
    case FragmentKind::prefalign: build_prefalign(f.as<PrefalignFragment>(), item); break;
    case FragmentKind::padding: build_padding(sub, f, item); break;
    case FragmentKind::fill:
    case FragmentKind::nops:
      if (FragmentValue(f.value()).is_constant()) {
        item.mode = fixed;
        slow_size(f, 0, f.size);
      }
      break;
    case FragmentKind::piece:
      item.mode = fixed;
      f.size = f.as<PieceFragment>().bytes;
      break;
    case FragmentKind::leb:
      if (finalize_leb(f)) {
        item.mode = fixed;
      } else if (f.size == 0) {
        f.size = 1;
      }
      break;
  }
}

void Relaxation::build_insn(const Subsection& sub, Fragment& f, Item& item, u32 index) {
  InsnFragment& insn = f.as<InsnFragment>();
  const Form& form = form_of(insn.form);
  insn.has_distance = false;  // of an earlier layout
  if (f.size == 0) f.size = form.size;
  if (!form.pcrel) {
    const SymbolKind kind = program_.symbols[insn.target].kind;
    if (kind != SymbolKind::absolute && kind != SymbolKind::expression) leave_to_linker(f, item, index);
    return;
  }

  // Most are to a label of their subsection, which nobody may take elsewhere. An alias is followed to its label, but it
  // is the alias whose binding counts. Anything but label + constant is slow.
  i64 constant = insn.constant;
  const Symbol* label = &program_.symbols[insn.target];
  if (!is_plain_label(*label) || label->where != sub.id || insn.modifier != 0 || program_.is_coff) {
    const Symbol& first = *label;
    SymbolId id;
    if (!branch_target(program_, insn.target, constant, id)) return;
    label = &program_.symbols[id];
    const Symbol& named = binding_symbol(program_, first, *label);
    if (label->kind != SymbolKind::label || program_.sections.sub(label->where).section != section_ ||
        !insn_resolves(program_, named, insn, true)) {
      return leave_to_linker(f, item, index);
    }
  }
  item.target = first_fragment_[label->where] + label->fragment;
  item.delta = i64(first_pos_[label->where] + label->value + u64(constant) - item.pos);
  item.mode = item.target <= index ? backward : forward;
  set_reach(insn, item);
  if (form.multiple > 1 && insn.state == 0) aligned_targets_.push_back(index);
}

/// Instructions that reach multiples of some number only, and whose targets are none, grow. True if one did.
bool Relaxation::grow_misaligned() {
  bool grown = false;
  for (const u32 i : aligned_targets_) {
    Item& item = items_[i];
    InsnFragment& insn = fragment_at(i).as<InsnFragment>();
    if (insn.state != 0) continue;
    const u64 target = item.pos + u64(item.delta) + before(item.target);
    if (target % form_of(insn.form).multiple == 0) continue;
    grown = true;
    ++insn.state;
    size_[i] = program_.target.relax_size(insn.form, insn.state);
    set_reach(insn, item);
  }
  return grown;
}

void Relaxation::leave_to_linker(Fragment& f, Item& item, u32 index) {
  InsnFragment& insn = f.as<InsnFragment>();
  const u8 wanted = program_.target.relax_unresolved_state(insn.form);
  item.mode = fixed;
  if (insn.state >= wanted) return;
  if (moves_) {
    insn.state = wanted;
    f.size = program_.target.relax_size(insn.form, wanted);
  } else {
    fix(item, index);
    item.mode = to_linker;
  }
}

/// An .org takes part in the passes if its label is in the section. Others are slow, and so are those with a distance
/// in them, which is not known yet.
void Relaxation::build_pointing(const Section& section, const OrgFragment& f, Item& item) {
  Value v = f.to;
  if (v.sub != no_symbol) return;
  if (v.add != no_symbol && program_.symbols[v.add].kind == SymbolKind::expression) {
    const ExprNode& node = program_.exprs[u32(program_.symbols[v.add].value)];
    const bool alias = node.op == ExprOp::leaf && node.value.sub == no_symbol && node.value.add != no_symbol;
    if (!alias || program_.symbols[node.value.add].kind == SymbolKind::expression) return;
  }
  const char* why;
  if (!program_.reduce(v, why) || v.sub != no_symbol) return;
  u64 to = u64(v.constant);
  if (v.add != no_symbol) {
    const Symbol& label = program_.symbols[v.add];
    if (label.kind != SymbolKind::label || &program_.sections[program_.sections.sub(label.where).section] != &section)
      return;
    to += first_pos_[label.where] + label.value;
    item.target = first_fragment_[label.where] + label.fragment;
  } else {
    item.target = 0;
  }
  item.delta = i64(to - item.pos);
  item.mode = org;
}

/// A .prefalign is padded only if its end is in the section. An end that is more than another name of a label is slow.
void Relaxation::build_prefalign(PrefalignFragment& f, Item& item) {
  if (anew_) f.log2 = 0;
  SymbolId id;
  i64 constant = 0;
  if (!branch_target(program_, f.end, constant, id)) return;
  const Symbol& label = program_.symbols[id];
  if (label.kind != SymbolKind::label || program_.sections.sub(label.where).section != section_)
    return void(item.mode = fixed);
  item.target = first_fragment_[label.where] + label.fragment;
  item.delta = i64(first_pos_[label.where] + label.value + u64(constant) - item.pos);
  item.low = f.log2;
  item.mode = prefalign;
}

const Relaxation::Form& Relaxation::ask_form(u16 number) {
  if (forms_.size() <= number) forms_.resize(number + 1u);
  Form& form = forms_[number];
  form.known = true;
  form.pcrel = program_.target.relax_pcrel(number);
  form.size = form.greatest_size = u8(program_.target.relax_size(number, 0));
  for (u8 state = 0; program_.target.relax_range(number, state).high != std::numeric_limits<i64>::max();)
    form.greatest_size = std::max(form.greatest_size, u8(program_.target.relax_size(number, ++state)));
  const RelaxRange range = program_.target.relax_range(number, 0);
  form.multiple = range.multiple;
  form.low = i32(std::max<i64>(range.low, -i64(far)));
  form.high = i32(std::min<i64>(range.high, far));
  return form;
}

/// Takes the item out of the passes: it becomes a branch to itself that reaches everything.
void Relaxation::fix(Item& item, u32 index) {
  item.mode = fixed;
  item.delta = 0;
  item.target = index;
  item.low = -far;
  item.high = far;
}

void Relaxation::set_reach(const InsnFragment& insn, Item& item) {
  if (insn.state == 0) {
    const Form& form = form_of(insn.form);
    item.low = form.low;
    item.high = form.high;
  } else {
    const RelaxRange range = program_.target.relax_range(insn.form, insn.state);
    item.low = i32(std::max<i64>(range.low, -i64(far)));
    item.high = i32(std::min<i64>(range.high, far));
  }
  if (item.high == far) item.mode = reaches;
}

/// Takes the first form that reaches; gives its size.
u64 Relaxation::grow(Item& item, u32 index, i64 distance) {
  InsnFragment& insn = fragment_at(index).as<InsnFragment>();
  while (!program_.target.relax_range(insn.form, insn.state).contains(distance)) ++insn.state;
  set_reach(insn, item);
  return program_.target.relax_size(insn.form, insn.state);
}

// Sizes that are expressions

/// The size it should have now; false if its expression has no usable value (reported when layout is done).
bool Relaxation::slow_size(Fragment& f, u64 offset, u64& size) {
  const Resolved r = program_.resolve(f.value());
  if (f.kind == FragmentKind::insn) {
    InsnFragment& insn = f.as<InsnFragment>();
    const bool pcrel = form_of(insn.form).pcrel;
    if (pcrel ? r.kind == Resolved::place && r.section == subs_[0]->section : r.kind == Resolved::number) {
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
  const bool location = points && r.kind == Resolved::place && r.section == subs_[0]->section;
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

/// Gives every slow fragment the size that its expression has now; true if one changed. llvm-mc works out LEB128 numbers
/// and instructions on one state, after what only fills.
bool Relaxation::update_slow(Section& section, unsigned round) {
  if (moves_) return update_in_order(section, round);
  if (update_in_order(section, round)) return true;
  bool changed = false;
  for (u32 i : slow_) {
    Fragment& f = fragment_at(i);
    if (fills(f)) continue;
    u64 size;
    slow_size(f, items_[i].pos + before(i), size);
    changed |= set_slow_size(f, i, size, round);
  }
  return changed;
}

bool Relaxation::set_slow_size(const Fragment& f, u32 i, u64 size, unsigned round) {
  if (f.kind == FragmentKind::leb && (!profile_.leb128_shrinks || !may_shrink_ || round > shrinking_rounds))
    size = std::max(size, size_[i]);
  if (size == size_[i]) return false;
  size_[i] = size;
  last_changed_ = i;
  return true;
}

/// Goes through the slow fragments in order. What lies before one is already where the new sizes put it, so that a
/// table of `.fill table + 9 * n - .` comes out in one round.
bool Relaxation::update_in_order(Section& section, unsigned round) {
  publish(section);
  bool changed = false;
  u64 shift = 0;         // how much further all that lies behind has moved
  u64 shift_before = 0;  // of it, what is in the base of the subsection
  u32 at = 0;            // of subs_
  u32 placed = 0;        // so many fragments are where the new sizes put them
  for (u32 i : slow_) {
    for (; placed <= i; ++placed) {
      while (placed - first_fragment_[subs_[at]->id] >= subs_[at]->fragments.size()) {
        subs_[at]->growth += shift - shift_before;
        subs_[++at]->base += shift;
        shift_before = shift;
      }
      subs_[at]->before[placed - first_fragment_[subs_[at]->id]] += shift - shift_before;
    }
    Fragment& f = fragment_at(i);
    if (!moves_ && !fills(f)) continue;
    const u64 was = size_[i];
    u64 size;
    slow_size(f, items_[i].pos + before(i) + shift, size);
    if (!set_slow_size(f, i, size, round)) continue;
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
  for (Subsection* sub : subs_) {
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
  for (Subsection* sub : subs_) {
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
  do {
    place();
    relax_quick();
  } while (grow_misaligned());
  bool moved = false;
  for (unsigned round = 1; !slow_.empty() && update_slow(section, round); ++round) {
    moved = true;
    if (round > max_passes) {
      Fragment& f = fragment_at(last_changed_);
      program_.diags.error(f.loc,
                           "the size of this depends on itself: it changes whenever everything else has settled");
      break;
    }
    do {
      place();
      relax_quick();
    } while (grow_misaligned());
  }
  publish(section);
  publish_targets();
  return moved;
}

}  // namespace xas
