// SPDX-License-Identifier: Apache-2.0
// Relaxation (relax.cpp): the items that the passes go over, made of the section's fragments, and what becomes of an
// item when its fragment grows.
#include <algorithm>
#include <limits>

#include "asm/layout/layout.h"
#include "asm/layout/relax.h"
#include "asm/layout/relax_final.h"
#include "asm/program/branch_padding.h"

namespace xas {

/// Makes items of fragments. One that it leaves `slow` has no place in the passes.
class Relaxation::ItemMaker {
 public:
  explicit ItemMaker(Relaxation& relaxation) : r_(relaxation) {}
  void make_insn(const Subsection& sub, Fragment& f, Item& item, u32 index);
  void make_other(const Section& section, const Subsection& sub, Fragment& f, Item& item, u32 index);

 private:
  void leave_to_linker(Fragment& f, Item& item, u32 index);
  void make_org(const Section& section, const OrgFragment& f, Item& item);
  void make_leb(const LebFragment& f, Item& item);
  void make_fill(Fragment& f, u8 unit, Item& item);
  void make_prefalign(PrefalignFragment& f, Item& item);
  void make_padding(const Subsection& sub, const Fragment& f, Item& item);
  bool tell_distance(const Value& v, Item& item) const;

  Relaxation& r_;
};

void Relaxation::build(Section& section, bool anew) {
  anew_ = anew;
  order_.waits = profile_.relax_order == RelaxOrder::waiting && !section.has_prefalign;
  order_.moves = order_.waits || profile_.relax_order == RelaxOrder::moving;
  order_.settles = order_.waits && program_.info.code.branches_settle;
  passes_ = 0;
  here_.subs.clear();
  items_.clear();
  size_.clear();
  slow_.clear();
  u64 pos = 0;
  u32 fragments = 0;
  for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
    Subsection& sub = program_.sections.sub(id);
    here_.subs.push_back(&sub);
    here_.first_fragment[id] = fragments;
    here_.first_pos[id] = pos;
    fragments += u32(sub.fragments.size());
    pos += sub.size;
  }
  here_.section = program_.sections.index_of(section);
  items_.resize(fragments);
  size_.resize(fragments);
  sums_.inner.resize(fragments + 1);  // for now by the greatest sizes
  u64 most = 0;
  ItemMaker maker(*this);
  u32 index = 0;
  for (Subsection* sub : here_.subs) {
    const u64 base_pos = here_.first_pos[sub->id];
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
        maker.make_insn(*sub, f, item, index);
      } else {
        maker.make_other(section, *sub, f, item, index);
      }
      if (item.mode <= slow) {
        const Mode mode = item.mode;
        if (mode == slow) slow_.push_back(index);
        item.fix(index);
        item.mode = mode;
      }
      size_[index] = f.size;
      sums_.inner[index] = most;
      most += greatest_size(f, item);
    }
  }
  sums_.inner[fragments] = most;
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
        i64(sums_.inner[pick(is_branch, item.target, i)] - sums_.inner[i]);  // the greatest, below zero if it goes back
    // At the least and at the most the distance is this: item.delta, and what of the span comes on top of it.
    const bool always = is_branch && item.multiple == 1 && item.delta >= item.low - std::min<i64>(span, 0) &&
                        item.delta <= item.high - std::max<i64>(span, 0);
    if (always) item.low = -far, item.high = far;
    const bool may_wait = order_.waits & (mode == forward) & (next_align < item.target);
    item.mode = always ? reaches : Mode(pick(may_wait, forward_over_align, mode));
  }
}

/// Everything but branches.
void Relaxation::ItemMaker::make_other(const Section& section, const Subsection& sub, Fragment& f, Item& item,
                                       u32 index) {
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
    case FragmentKind::org: make_org(section, f.as<OrgFragment>(), item); break;
    case FragmentKind::prefalign: make_prefalign(f.as<PrefalignFragment>(), item); break;
    case FragmentKind::padding: make_padding(sub, f, item); break;
    case FragmentKind::fill: make_fill(f, f.as<FillFragment>().unit, item); break;
    case FragmentKind::nops: make_fill(f, 1, item); break;
    case FragmentKind::piece:
      item.mode = fixed;
      f.size = f.as<PieceFragment>().bytes;
      break;
    case FragmentKind::grown: {
      u8& fewer = f.as<GrownFragment>().fewer;
      item.mode = r_.order_.settles && fewer ? grows : fixed;
      f.size = item.mode == grows ? 0 - u64(fewer) : 0;
      break;
    }
    case FragmentKind::leb:
      if (finalize_leb(r_.program_, f)) {
        item.mode = fixed;
        break;
      }
      if (!r_.order_.waits && !r_.profile_.leb128_shrinks) make_leb(f.as<LebFragment>(), item);
      if (f.size == 0 && item.mode != leb) f.size = 1;
      break;
  }
}

void Relaxation::ItemMaker::make_insn(const Subsection& sub, Fragment& f, Item& item, u32 index) {
  InsnFragment& insn = f.as<InsnFragment>();
  const Form& form = r_.form_of(insn.form);
  insn.has_distance = false;  // of an earlier layout
  if (f.size == 0) f.size = form.size;
  if (!form.pcrel) {
    const SymbolKind kind = r_.program_.symbols[insn.target].kind;
    if (kind != SymbolKind::absolute && kind != SymbolKind::expression) leave_to_linker(f, item, index);
    return;
  }

  // Most are to a label of their subsection, which nobody may take elsewhere. An alias is followed to its label, but it
  // is the alias whose binding counts. Anything but label + constant is slow.
  i64 constant = insn.constant;
  const Symbol* label = &r_.program_.symbols[insn.target];
  if (!is_plain_label(*label) || label->where != sub.id || insn.modifier != 0 || r_.program_.is_coff) {
    const Symbol& first = *label;
    SymbolId id;
    if (!branch_target(r_.program_, insn.target, constant, id)) return;
    label = &r_.program_.symbols[id];
    const Symbol& named = binding_symbol(r_.program_, first, *label);
    if (label->kind != SymbolKind::label || r_.program_.sections.sub(label->where).section != r_.here_.section ||
        !insn_resolves(r_.program_, named, insn, true)) {
      return leave_to_linker(f, item, index);
    }
  }
  item.target = r_.here_.first_fragment[label->where] + label->fragment;
  item.delta = i64(r_.here_.first_pos[label->where] + label->value + u64(constant) - item.pos);
  item.mode = item.target <= index ? backward : forward;
  r_.set_reach(insn, item);
}

void Relaxation::ItemMaker::leave_to_linker(Fragment& f, Item& item, u32 index) {
  InsnFragment& insn = f.as<InsnFragment>();
  const u8 wanted = r_.program_.target.relax_unresolved_state(insn.form);
  item.mode = fixed;
  if (insn.state >= wanted) return;
  if (r_.order_.waits && !r_.order_.settles) {
    insn.state = wanted;
    f.size = r_.program_.target.relax_size(insn.form, wanted);
  } else {
    item.fix(index);
    item.mode = to_linker;
  }
}

/// An .org takes part in the passes if its label is in the section. Others are slow, and so are those with a distance
/// in them, which is not known yet.
void Relaxation::ItemMaker::make_org(const Section& section, const OrgFragment& f, Item& item) {
  Value v = f.to;
  if (v.sub != no_symbol) return;
  if (v.add != no_symbol && r_.program_.symbols[v.add].kind == SymbolKind::expression) {
    const ExprNode& node = r_.program_.exprs[u32(r_.program_.symbols[v.add].value)];
    const bool alias = node.op == ExprOp::leaf && node.value.sub == no_symbol && node.value.add != no_symbol;
    if (!alias || r_.program_.symbols[node.value.add].kind == SymbolKind::expression) return;
  }
  const char* why;
  if (!r_.program_.reduce(v, why) || v.sub != no_symbol) return;
  u64 to = u64(v.constant);
  if (v.add != no_symbol) {
    const Symbol& label = r_.program_.symbols[v.add];
    if (label.kind != SymbolKind::label) return;
    if (&r_.program_.sections[r_.program_.sections.sub(label.where).section] != &section) return;
    to += r_.here_.first_pos[label.where] + label.value;
    item.target = r_.here_.first_fragment[label.where] + label.fragment;
  } else {
    item.target = 0;
  }
  item.delta = i64(to - item.pos);
  item.mode = org;
}

/// A distance of labels of the section takes part in the passes, and begins with no size. All else is slow.
void Relaxation::ItemMaker::make_leb(const LebFragment& f, Item& item) {
  if (r_.program_.info.labels.thumb || !tell_distance(f.number, item)) return;
  item.low = i32(f.encoding);
  item.mode = leb;
}

/// So does one that GNU as fills, unless it fills the distance itself.
void Relaxation::ItemMaker::make_fill(Fragment& f, u8 unit, Item& item) {
  const Value count = f.value();
  if (FragmentValue(count).is_constant()) {
    item.mode = fixed;
    r_.slow_size(f, 0, f.size);
  } else if (r_.order_.waits && tell_distance(count, item)) {
    const u32 index = u32(&item - r_.items_.data()), start = u32(item.high);
    if ((item.target <= index) != (start <= index)) return;
    item.low = unit;
    item.mode = fill;
  }
}

/// Makes the item tell a distance of labels of the section; false if the value is none.
bool Relaxation::ItemMaker::tell_distance(const Value& v, Item& item) const {
  if (v.add == no_symbol || v.sub == no_symbol) return false;
  const Symbol& end = r_.program_.symbols[v.add];
  const Symbol& start = r_.program_.symbols[v.sub];
  const auto is_here = [&](const Symbol& s) {
    return s.kind == SymbolKind::label && r_.program_.sections.sub(s.where).section == r_.here_.section;
  };
  if (!is_here(end) || !is_here(start)) return false;
  const auto place_of = [&](const Symbol& s) { return r_.here_.first_pos[s.where] + s.value; };
  item.delta = i64(place_of(end) - place_of(start) + u64(v.constant));
  item.target = r_.here_.first_fragment[end.where] + end.fragment;
  item.high = i32(r_.here_.first_fragment[start.where] + start.fragment);
  return true;
}

/// A .prefalign is padded only if its end is in the section. An end that is more than another name of a label is slow.
void Relaxation::ItemMaker::make_prefalign(PrefalignFragment& f, Item& item) {
  if (r_.anew_) f.log2 = 0;
  SymbolId id;
  i64 constant = 0;
  if (!branch_target(r_.program_, f.end, constant, id)) return;
  const Symbol& label = r_.program_.symbols[id];
  if (label.kind != SymbolKind::label || r_.program_.sections.sub(label.where).section != r_.here_.section)
    return void(item.mode = fixed);
  item.target = r_.here_.first_fragment[label.where] + label.fragment;
  item.delta = i64(r_.here_.first_pos[label.where] + label.value + u64(constant) - item.pos);
  item.low = f.log2;
  item.mode = prefalign;
}

void Relaxation::ItemMaker::make_padding(const Subsection& sub, const Fragment& f, Item& item) {
  const u32 first = r_.here_.first_fragment[sub.id];
  const PaddingFragment& padding = f.as<PaddingFragment>();
  if (padding.form == PaddingForm::nops) {
    if (padding.end_fragment == PaddingFragment::none) return void(item.mode = fixed);
    item.mode = pad;
    item.low = padding.boundary_log2;
    item.delta = i64(padding.end_pos - f.pos);
    item.target = first + padding.end_fragment;
    return;
  }
  item.high = padding.room;
  item.delta = i64(f.size);
  if (padding.padding == PaddingFragment::none) return void(item.mode = padding.room == 0 ? fixed : prefix);
  item.mode = lead_prefix;
  item.low = i32(padding.run_room);
  item.target = first + padding.padding;
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
  InsnFragment& insn = here_.at(index).as<InsnFragment>();
  insn.state += misaligned;
  while (!program_.target.relax_range(insn.form, insn.state).contains(distance)) ++insn.state;
  set_reach(insn, item);
  return program_.target.relax_size(insn.form, insn.state);
}

}  // namespace xas
