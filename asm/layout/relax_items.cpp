// SPDX-License-Identifier: Apache-2.0
// Relaxation (relax.cpp): the items that the passes go over, made of the section's fragments, and what becomes of an
// item when its fragment grows.
#include <algorithm>
#include <limits>

#include "asm/layout/layout.h"
#include "asm/layout/relax.h"

namespace xas {

void Relaxation::build(Section& section, bool anew) {
  anew_ = anew;
  waits_ = profile_.relax_order == RelaxOrder::waiting && !section.has_prefalign;
  moves_ = waits_ || profile_.relax_order == RelaxOrder::moving;
  settles_ = waits_ && program_.info.code.branches_settle;
  passes_ = 0;
  subs_.clear();
  items_.clear();
  size_.clear();
  slow_.clear();
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
      item.is_wide = false;
      item.multiple = 1;
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
  if (item.mode == grows) return 0;
  if (item.mode == align) return std::min((u64(1) << item.low) - 1, item.target != 0 ? item.target : unbounded);
  return item.mode == fixed ? std::min<u64>(f.size, unbounded) : unbounded;
}

/// Takes branches out of the passes that will reach their targets however much everything grows between. Of the others,
/// tells forward branches that cross an alignment from those that do not, if these may wait.
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
    const bool always = is_branch && item.multiple == 1 && item.delta >= item.low - std::min<i64>(span, 0) &&
                        item.delta <= item.high - std::max<i64>(span, 0);
    if (always) item.low = -far, item.high = far;
    const bool may_wait = waits_ & (mode == forward) & (next_align < item.target);
    item.mode = always ? reaches : Mode(pick(may_wait, forward_over_align, mode));
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
      if (f.as<AlignFragment>().is_doubled) item.delta = i64(1) << item.low;
      item.target = f.as<AlignFragment>().max_skip;
      break;
    case FragmentKind::org: build_pointing(section, f.as<OrgFragment>(), item); break;
    case FragmentKind::prefalign: build_prefalign(f.as<PrefalignFragment>(), item); break;
    case FragmentKind::padding: build_padding(sub, f, item); break;
    case FragmentKind::fill: build_fill(f, f.as<FillFragment>().unit, item); break;
    case FragmentKind::nops: build_fill(f, 1, item); break;
    case FragmentKind::piece:
      item.mode = fixed;
      f.size = f.as<PieceFragment>().bytes;
      break;
    case FragmentKind::grown: {
      u8& fewer = f.as<GrownFragment>().fewer;
      item.mode = settles_ && fewer ? grows : fixed;
      f.size = item.mode == grows ? 0 - u64(fewer) : 0;
      break;
    }
    case FragmentKind::leb:
      if (finalize_leb(f)) {
        item.mode = fixed;
        break;
      }
      if (!waits_ && !profile_.leb128_shrinks) build_leb(f.as<LebFragment>(), item);
      if (f.size == 0 && item.mode != leb) f.size = 1;
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
}

void Relaxation::leave_to_linker(Fragment& f, Item& item, u32 index) {
  InsnFragment& insn = f.as<InsnFragment>();
  const u8 wanted = program_.target.relax_unresolved_state(insn.form);
  item.mode = fixed;
  if (insn.state >= wanted) return;
  if (waits_ && !settles_) {
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

/// A distance of labels of the section takes part in the passes, and begins with no size. All else is slow.
void Relaxation::build_leb(const LebFragment& f, Item& item) {
  if (program_.info.labels.thumb || !build_distance(f.number, item)) return;
  item.low = i32(f.encoding);
  item.mode = leb;
}

/// So does one that GNU as fills, unless it fills the distance itself.
void Relaxation::build_fill(Fragment& f, u8 unit, Item& item) {
  const Value count = f.value();
  if (FragmentValue(count).is_constant()) {
    item.mode = fixed;
    slow_size(f, 0, f.size);
  } else if (waits_ && build_distance(count, item)) {
    const u32 index = u32(&item - items_.data()), start = u32(item.high);
    if ((item.target <= index) != (start <= index)) return;
    item.low = unit;
    item.mode = fill;
  }
}

/// Makes the item tell a distance of labels of the section; false if the value is none.
bool Relaxation::build_distance(const Value& v, Item& item) const {
  if (v.add == no_symbol || v.sub == no_symbol) return false;
  const Symbol& end = program_.symbols[v.add];
  const Symbol& start = program_.symbols[v.sub];
  const auto is_here = [&](const Symbol& s) {
    return s.kind == SymbolKind::label && program_.sections.sub(s.where).section == section_;
  };
  if (!is_here(end) || !is_here(start)) return false;
  const auto place_of = [&](const Symbol& s) { return first_pos_[s.where] + s.value; };
  item.delta = i64(place_of(end) - place_of(start) + u64(v.constant));
  item.target = first_fragment_[end.where] + end.fragment;
  item.high = i32(first_fragment_[start.where] + start.fragment);
  return true;
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
    item.multiple = form.multiple;
  } else {
    const RelaxRange range = program_.target.relax_range(insn.form, insn.state);
    item.low = i32(std::max<i64>(range.low, -i64(far)));
    item.high = i32(std::min<i64>(range.high, far));
    item.multiple = range.multiple;
  }
  if (item.high == far) item.mode = reaches;
}

/// Takes the first form that reaches; gives its size. `misaligned`: the present one does not, at any distance.
u64 Relaxation::grow(Item& item, u32 index, i64 distance, bool misaligned) {
  InsnFragment& insn = fragment_at(index).as<InsnFragment>();
  insn.state += misaligned;
  while (!program_.target.relax_range(insn.form, insn.state).contains(distance)) ++insn.state;
  set_reach(insn, item);
  return program_.target.relax_size(insn.form, insn.state);
}

}  // namespace xas
