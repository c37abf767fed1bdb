// Relaxation: finding the sizes of one section's flexes.
//
// Every flex starts as small as it can be, and branches only grow, so the sizes found are the smallest that work. The
// usual case is a few passes over an array of small items, one per flex, with the sum of sizes before each (`before_`).
// Both reference assemblers do it this way, but their passes differ, and since alignment can shrink while branches
// grow, the difference can be seen in rare objects:
//
//   GNU as    goes forward once and moves everything at once: what lies behind is at its new place; what lies ahead is
//             taken to move as much as the branch itself did, unless an .align or .org in between may absorb that
//             (then it is taken to stay where it was).
//   llvm-mc   decides all branches on one state of the section, then places everything anew. Even branches that are
//             left to the linker start small, which the alignments of the first state show.
//
// A chain in which each branch makes only the next one grow would need as many passes as it has branches. So after
// `plain_passes` the section is finished event by event (`chase`): a branch that grows tells the branches that span it,
// and the next alignment that its growth disturbs. That takes time in proportion to the growth, not to the section.
#include "asm/relax.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "asm/layout.h"
#include "asm/leb128.h"

namespace xas {

namespace {

/// Real programs need a few dozen (sqlite3 at -O2 more than 16), and must get the reference's result.
constexpr unsigned plain_passes = 256;
/// Passes and rounds after which sizes that still change are taken to depend on themselves.
constexpr unsigned max_passes = 1000;
/// Rounds after which LEB128 numbers do not shrink any more (GNU as lets them, which may go on for ever).
constexpr unsigned shrinking_rounds = 8;
constexpr unsigned block_bits = 5;
/// Changes are added up over so many blocks; branches that reach further count all changes.
constexpr u32 near_blocks = 16;
/// Parts of an expression that are looked at to find out whether it moves.
constexpr unsigned most_steps = 32;
/// Aliases of aliases of labels.
constexpr unsigned max_alias_depth = 64;

constexpr i32 far = std::numeric_limits<i32>::max();

}  // namespace

bool branch_settles(const Assembler& a, const Symbol& s, u16 modifier) {
  constexpr u8 STT_GNU_IFUNC = 10, STV_DEFAULT = 0;
  if (a.is_coff) {
    // Linkers may put thunks in front of functions, which link.exe's incremental mode does.
    const bool function = (s.coff_type & 0xf0) == 0x20;
    constexpr u8 IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY = 4;
    const bool weak = s.binding == Binding::weak;
    if (!a.profile.coff_functions_relocate) return modifier == 0 && !weak;
    return modifier == 0 && !function && !(weak && s.type == IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY);
  }
  if (s.type == STT_GNU_IFUNC || s.binding == Binding::weak) return false;
  if (s.binding == Binding::unset || s.binding == Binding::local) {
    return modifier == 0 || a.profile.resolve_global_branches;
  }
  if (!a.profile.resolve_global_branches) return false;
  if ((s.other & 3) != STV_DEFAULT) return true;
  return modifier == 0 && !a.options.mshared;
}

Relaxation::Relaxation(Assembler& a) : a_(a), profile_(a.profile) {
  first_flex_.resize(a.sections.subsections());
  first_pos_.resize(a.sections.subsections());
}

Flex& Relaxation::flex_at(u32 index) {
  std::size_t low = 0, high = subs_.size();
  while (high - low > 1) {
    const std::size_t middle = (low + high) / 2;
    (first_flex_[subs_[middle]->id] <= index ? low : high) = middle;
  }
  return subs_[low]->flexes[index - first_flex_[subs_[low]->id]];
}

// Items

void Relaxation::build(Section& section) {
  subs_.clear();
  items_.clear();
  size_.clear();
  slow_.clear();
  u64 pos = 0;
  u32 flexes = 0;
  for (u32 id = section.first; id != ~u32(0); id = a_.sections.sub(id).next) {
    Subsection& sub = a_.sections.sub(id);
    subs_.push_back(&sub);
    first_flex_[id] = flexes;
    first_pos_[id] = pos;
    flexes += u32(sub.flexes.size());
    pos += sub.size;
  }
  items_.reserve(flexes);
  size_.reserve(flexes);
  for (Subsection* sub : subs_) {
    for (std::size_t i = 0; i < sub->flexes.size(); ++i) {
      Flex& f = sub->flexes[i];
      a_.symbols.prefetch(sub->flexes[std::min(i + prefetch_distance, sub->flexes.size() - 1)].add);
      Item& item = items_.emplace_back();
      item.pos = first_pos_[sub->id] + f.pos;
      fix(item, u32(items_.size() - 1));
      item.mode = slow;
      switch (f.kind) {
        case FlexKind::insn: build_insn(section, *sub, f, item, first_pos_[sub->id]); break;
        case FlexKind::align:
          item.mode = align;
          item.low = f.state;
          item.target = f.add;
          break;
        case FlexKind::org:
        case FlexKind::prefalign: build_pointing(section, f, item); break;
        case FlexKind::padding: build_padding(*sub, f, item); break;
        case FlexKind::fill:
        case FlexKind::nops:
          if (f.add == no_symbol && f.sub == no_symbol) {
            item.mode = fixed;
            slow_size(f, 0, f.size);
          }
          break;
        case FlexKind::leb:
          if (settle_leb(f)) {
            item.mode = fixed;
          } else if (f.size == 0) {
            f.size = 1;
          }
          break;
      }
      if (item.mode == slow) slow_.push_back(u32(items_.size() - 1));
      size_.push_back(f.size);
    }
  }
  mark_alignments_between();
}

/// A LEB128 number between labels of sections that do not move any more is the constant that it comes to: a number of
/// its own is what most of the sizes in `gcc -g` output are, and each would be worked out half a dozen times.
bool Relaxation::settle_leb(Flex& f) {
  if (f.add != no_symbol || f.sub != no_symbol) {
    const SymbolId only = f.add != no_symbol ? f.add : f.sub;
    const Symbol& plus = a_.symbols[only];
    const Symbol& minus = a_.symbols[f.sub != no_symbol ? f.sub : only];
    if (plus.kind == SymbolKind::label && minus.kind == SymbolKind::label && plus.where == minus.where &&
        f.add != no_symbol && f.sub != no_symbol && !a_.info.arm_labels) [[likely]] {
      const Subsection& sub = a_.sections.sub(plus.where);
      if (!sub.is_settled()) return false;
      f.constant = i64(u64(f.constant) + sub.offset(plus.value, plus.flex) - sub.offset(minus.value, minus.flex));
    } else {
      unsigned steps = 0;
      if (!is_settled(f.add, steps) || !is_settled(f.sub, steps)) return false;
      Value v{.constant = f.constant, .add = f.add, .sub = f.sub};
      const char* why;
      if (!a_.reduce(v, why) || !v.is_constant()) return false;
      f.constant = v.constant;
    }
    f.add = f.sub = no_symbol;
  }
  f.size = f.state ? sleb128_size(f.constant) : uleb128_size(u64(f.constant));
  return true;
}

/// Nothing that its value depends on will move. Big trees (of view numbers, they are small) are not looked through.
bool Relaxation::is_settled(SymbolId id, unsigned& steps) const {
  if (id == no_symbol) return true;
  const Symbol& s = a_.symbols[id];
  switch (s.kind) {
    case SymbolKind::label: return a_.sections.sub(s.where).is_settled();
    case SymbolKind::absolute: return true;
    case SymbolKind::expression: return ++steps < most_steps && is_settled_node(u32(s.value), steps);
    default: return false;
  }
}

bool Relaxation::is_settled_node(u32 index, unsigned& steps) const {
  if (++steps > most_steps) return false;
  const ExprNode& node = a_.exprs[index];
  if (node.op == ExprOp::leaf) return is_settled(node.value.add, steps) && is_settled(node.value.sub, steps);
  const bool unary = node.op == ExprOp::neg || node.op == ExprOp::bit_not || node.op == ExprOp::log_not;
  return is_settled_node(node.lhs, steps) && (unary || is_settled_node(node.rhs, steps));
}

bool Relaxation::settle_numbers(Section& section) {
  const auto next = [&](u32 id) { return a_.sections.sub(id).next; };
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    BigVector<Flex>& flexes = a_.sections.sub(id).flexes;
    for (std::size_t i = 0; i < flexes.size(); ++i) {
      const Flex& ahead = flexes[std::min(i + prefetch_distance, flexes.size() - 1)];
      a_.symbols.prefetch(ahead.add);
      a_.symbols.prefetch(ahead.sub);
      if (flexes[i].kind != FlexKind::leb || !settle_leb(flexes[i])) return false;
    }
  }
  section.size = 0;
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    Subsection& sub = a_.sections.sub(id);
    sub.base = section.size;
    sub.growth = 0;
    sub.before.clear();
    sub.before.reserve(sub.flexes.size());
    for (const Flex& f : sub.flexes) {
      sub.before.push_back(sub.growth);
      sub.growth += f.size;
    }
    section.size += sub.total();
  }
  slow_.clear();
  ++a_.layout_version;
  return true;
}

/// Tells forward branches that cross an alignment from those that do not; only GNU as's passes ask.
void Relaxation::mark_alignments_between() {
  u32 next_align = ~u32(0);
  for (u32 i = u32(items_.size()); i-- > 0;) {
    Item& item = items_[i];
    if (item.mode == align || item.mode == org || item.mode == prefalign) next_align = i;
    if (item.mode == forward && next_align < item.target) item.mode = forward_over_align;
  }
}

void Relaxation::build_insn(const Section& section, const Subsection& sub, Flex& f, Item& item, u64 base_pos) {
  const Form& form = form_of(f.form);
  if (f.size == 0) f.size = a_.target.relax_size(f.form, f.state);
  if (!form.pcrel) {
    const SymbolKind kind = a_.symbols[f.add].kind;
    if (kind != SymbolKind::absolute && kind != SymbolKind::expression) leave_to_linker(f, item);
    return;
  }

  // An alias is followed to its label, but it is the alias whose binding counts. Anything but label + constant is slow.
  SymbolId id = f.add;
  i64 constant = f.constant;
  for (unsigned depth = 0; depth < max_alias_depth; ++depth) {
    const Symbol& s = a_.symbols[id];
    if (s.kind == SymbolKind::expression) {
      const ExprNode& node = a_.exprs[u32(s.value)];
      if (node.op != ExprOp::leaf || !node.value.is_symbol_plus_constant()) return;
      id = node.value.add;
      constant = i64(u64(constant) + u64(node.value.constant));
    } else {
      break;
    }
  }
  const Symbol& label = a_.symbols[id];
  if (label.kind == SymbolKind::expression) return;
  const Symbol& first = a_.symbols[f.add];
  const Symbol& named = first.has(symbol_anonymous) || first.has(symbol_weakref) ? label : first;
  if (label.kind != SymbolKind::label || &a_.sections[a_.sections.sub(label.where).section] != &section ||
      !branch_settles(a_, named, u16(f.fill))) {
    return leave_to_linker(f, item);
  }
  const u32 self = first_flex_[sub.id] + u32(&f - sub.flexes.data());
  item.target = first_flex_[label.where] + label.flex;
  item.delta = i64(first_pos_[label.where] + label.value + u64(constant) - (base_pos + f.pos));
  item.mode = item.target <= self ? backward : forward;
  set_reach(f, item, self);
}

void Relaxation::leave_to_linker(Flex& f, Item& item) {
  const u8 wanted = a_.target.relax_unresolved_state(f.form);
  item.mode = fixed;
  if (f.state >= wanted) return;
  if (profile_.moves_while_relaxing) {
    f.state = wanted;
    f.size = a_.target.relax_size(f.form, wanted);
  } else {
    item.mode = to_linker;
  }
}

/// .org and .prefalign whose label is in the section take part in the passes; others are slow.
void Relaxation::build_pointing(const Section& section, const Flex& f, Item& item) {
  Value v{.constant = f.constant, .add = f.add, .sub = f.sub};
  const char* why;
  if (!a_.reduce(v, why) || v.sub != no_symbol) return;
  u64 to = u64(v.constant);
  if (v.add != no_symbol) {
    const Symbol& label = a_.symbols[v.add];
    if (label.kind != SymbolKind::label || &a_.sections[a_.sections.sub(label.where).section] != &section) return;
    to += first_pos_[label.where] + label.value;
    item.target = first_flex_[label.where] + label.flex;
  } else if (f.kind == FlexKind::org) {
    item.target = 0;
  } else {
    return;
  }
  item.delta = i64(to - item.pos);
  item.low = f.state;
  item.mode = f.kind == FlexKind::org ? org : prefalign;
}

const Relaxation::Form& Relaxation::form_of(u16 number) {
  if (forms_.size() <= number) forms_.resize(number + 1u);
  Form& form = forms_[number];
  if (!form.known) {
    form.known = true;
    form.pcrel = a_.target.relax_pcrel(number);
    form.first = a_.target.relax_range(number, 0);
  }
  return form;
}

/// It will not change any more: a branch to itself that reaches everything.
void Relaxation::fix(Item& item, u32 index) {
  item.mode = fixed;
  item.delta = 0;
  item.target = index;
  item.low = -far;
  item.high = far;
}

void Relaxation::set_reach(const Flex& f, Item& item, u32 index) {
  const RelaxRange range = f.state == 0 ? form_of(f.form).first : a_.target.relax_range(f.form, f.state);
  if (range.high >= far) return fix(item, index);
  item.low = i32(std::max<i64>(range.low, -i64(far)));
  item.high = i32(range.high);
}

void Relaxation::grow(Item& item, u32 index, i64 distance) {
  Flex& f = flex_at(index);
  while (!a_.target.relax_range(f.form, f.state).contains(distance)) ++f.state;
  size_[index] = a_.target.relax_size(f.form, f.state);
  set_reach(f, item, index);
}

// Passes

u64 Relaxation::padding(const Item& item, u64 offset) const {
  const u64 pad = (0 - offset) & ((u64(1) << item.low) - 1);
  return item.target != 0 && pad > item.target ? 0 : pad;
}

/// The body runs from behind the padding to its end; `body` is its size as it stands.
u64 Relaxation::prefalign_padding(const Item& item, u64 offset, i64 body) const {
  if (body <= 0) return 0;
  const u64 wanted = std::min(std::bit_ceil(u64(body)), u64(1) << item.low);
  return (0 - offset) & (wanted - 1);
}

/// Blocks of items are left out of a pass where nothing can happen: no alignment is disturbed by the shift that comes
/// in, and what the branches reach over has changed by less than they can bear. Most passes of a big section change a
/// few places only. (In GNU as's way a branch that reaches too far over an alignment waits for as long as what stands
/// before it has moved further in the pass than it lacks; that is why there are a hundred passes.)
template <bool in_place, bool decide>
bool Relaxation::pass() {
  if (!in_place) {
    next_.resize(before_.size());
    churn_before_ = churn_;  // all that branches see of the section is how it was before the pass
    all_churn_before_ = all_churn_;
  }
  const u32 n = u32(items_.size());
  bool changed = false;
  u64 shift = 0;  // how much further everything from here on has moved in this pass
  for (u32 b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const u64 moved = churn(block) - block.seen;
    if ((shift & block.align_mask) == 0 && moved < block.slack &&
        (block.waiting == 0 || i64(shift) >= i64(block.waiting + moved))) {
      if (in_place && shift == 0) continue;
      shift_block<in_place>(b, shift);
    } else {
      shift = pass_block<in_place, decide>(b, shift, changed);
    }
  }
  (in_place ? before_ : next_)[n] = before_[n] + shift;
  if (!in_place) before_.swap(next_);
  return changed;
}

/// Everything in the block moves by `shift`. Passes over sqlite3 move 94,000 blocks.
template <bool in_place>
void Relaxation::shift_block(u32 number, u64 shift) {
  constexpr u32 size = 1u << block_bits;
  const u32 begin = number << block_bits;
  if (in_place && begin + size <= items_.size()) {
    u64* const before = before_.data() + begin;
    for (u32 i = 0; i < size; ++i) before[i] += shift;  // vector instructions
    return;
  }
  u64* const out = in_place ? before_.data() : next_.data();
  const u32 end = std::min(u32(items_.size()), begin + size);
  for (u32 i = begin; i < end; ++i) out[i] = before_[i] + shift;
}

/// All branches are looked at in the same way, those that will not grow any more too: what kind of item comes next
/// cannot be foretold, and each wrong guess costs as much as three items.
template <bool in_place, bool decide>
u64 Relaxation::pass_block(u32 number, u64 shift, bool& changed) {
  u64* const out = in_place ? before_.data() : next_.data();
  const u64* const old = before_.data();
  Block& block = blocks_[number];
  const u32 begin = number << block_bits, end = std::min(u32(items_.size()), (number + 1) << block_bits);
  const u64 all = in_place ? all_churn_ : all_churn_before_;
  Block next;
  u64 churn = churn_[number];
  u32 first = begin, last = begin;  // flexes that branches reach over
  i64 slack = std::numeric_limits<i64>::max();
  u64 waiting = 0;
  const auto resize = [&](u32 i, u64 size) {
    const u64 by = size - size_[i];
    churn += i64(by) < 0 ? 0 - by : by;
    size_[i] = size;
    shift += by;
  };
  for (u32 i = begin; i < end; ++i) {
    Item& item = items_[i];
    const u64 was = old[i], now = was + shift;
    out[i] = now;
    if (item.mode == align) {
      const u64 pad = padding(item, item.pos + now);
      next.align_mask |= (u64(1) << item.low) - 1;
      if (pad == size_[i]) continue;
      if (in_place) changed = true;
      resize(i, pad);
      continue;
    }
    if (item.mode > align) [[unlikely]] {
      slack = 0;
      if (item.mode == to_linker) {
        if (!decide) continue;
        Flex& f = flex_at(i);
        f.state = a_.target.relax_unresolved_state(f.form);
        resize(i, a_.target.relax_size(f.form, f.state));
        fix(item, i);
        changed = true;
      } else if (item.mode == org) {
        const i64 distance = item.delta + i64((item.target <= i ? out[item.target] : old[item.target] + shift) - now);
        const u64 size = distance > 0 ? u64(distance) : 0;
        if (size != size_[i]) changed = true, unsettled_ = i;
        resize(i, size);
      } else if (item.mode >= pad) {
        if (!decide) continue;
        const u64 before = in_place ? now : was;
        const u64 size = item.mode == pad ? branch_padding(i, item.pos + before) : prefix_size(i, before);
        if (size != size_[i]) changed = true, unsettled_ = i;
        resize(i, size);
      } else {  // prefalign: its end lies behind it, so both its sides are old
        const i64 body = item.delta + i64(old[item.target] - was - size_[i]);
        const u64 size = prefalign_padding(item, item.pos + now, body);
        if (size != size_[i]) changed = true, unsettled_ = i;
        resize(i, size);
      }
      continue;
    }
    if (!decide) {
      if (item.mode >= backward) slack = 0;
      continue;
    }
    const u64 moved_along = in_place && item.mode == backward ? shift : 0;  // its target has moved already
    i64 distance = item.delta + i64(old[item.target] - was - moved_along);
    const i64 room = std::min(distance - item.low, item.high - distance);
    if (room < 0) [[unlikely]] {
      if (item.mode < backward) continue;
      const bool may_wait = item.mode == forward_over_align && in_place && i64(shift) > 0;
      if (may_wait && distance - i64(shift) <= item.high) {
        waiting = std::max(waiting, u64(distance - item.high));
      } else {
        if (may_wait) distance -= i64(shift);
        const u64 size = size_[i];
        grow(item, i, distance);
        const u64 grown = std::exchange(size_[i], size);
        resize(i, grown);
        changed = true;
        if (item.mode == fixed) continue;
        slack = 0;
      }
    } else {
      slack = std::min(slack, room + 1);
    }
    first = std::min(first, item.target);
    last = std::max(last, item.target);
  }
  all_churn_ += churn - churn_[number];
  next.first = first >> block_bits;
  next.last = std::max(number, last ? (last - 1) >> block_bits : 0);
  next.slack = u64(slack);
  next.waiting = waiting;
  // Counted from before this block changed: what changed in it may not have been seen by the branches before it.
  next.seen = next.last - next.first > near_blocks ? all : this->churn(next, in_place ? churn_ : churn_before_);
  churn_[number] = churn;
  block = next;
  return shift;
}

/// How much the sizes have changed in all where this block's branches reach.
u64 Relaxation::churn(const Block& block) const {
  return block.last - block.first > near_blocks ? all_churn_ : churn(block, churn_);
}

u64 Relaxation::churn(const Block& block, const std::vector<u64>& of) const {
  u64 sum = 0;
  for (u32 b = block.first; b <= block.last; ++b) sum += of[b];
  return sum;
}

void Relaxation::start_blocks() {
  blocks_.assign((items_.size() + (1u << block_bits) - 1) >> block_bits, Block{});
  churn_.assign(blocks_.size(), 0);
  all_churn_ = 0;
}

/// Sums up the sizes, and pads as they demand.
void Relaxation::place() {
  before_.resize(items_.size() + 1);
  u64 sum = 0;
  for (u32 i = 0; i < items_.size(); ++i) {
    before_[i] = sum;
    sum += size_[i];
  }
  before_[items_.size()] = sum;
  start_blocks();
  pass<false, false>();
}

/// Settles everything but the slow flexes.
void Relaxation::settle_quick() {
  for (unsigned n = 1;; ++n) {
    if (!(profile_.moves_while_relaxing ? pass<true, true>() : pass<false, true>())) return;
    if (n % plain_passes == 0) chase();
    if (n > max_passes) {
      // Branches have settled in chase(), so this is what points at labels, or padding, whose size does not matter.
      const Flex& f = flex_at(unsettled_);
      if (f.kind == FlexKind::padding) {
        for (Item& item : items_) {
          if (item.mode >= pad) fix(item, u32(&item - items_.data()));
        }
        continue;
      }
      a_.diags.error(f.loc, f.kind == FlexKind::org ? "the size of this .org depends on itself"
                                                    : "the padding of this .prefalign depends on itself");
      for (Item& item : items_) {
        if (item.mode == org || item.mode == prefalign) fix(item, u32(&item - items_.data()));
      }
    }
  }
}

// Event by event

void Relaxation::start_watching() {
  watched_.clear();
  aligns_.clear();
  residue_.clear();
  align_block_max_.clear();
  const u32 blocks = u32(items_.size() >> block_bits) + 1;
  block_start_.assign(blocks + 1, 0);
  for (u32 i = 0; i < items_.size(); ++i) {
    const Item& item = items_[i];
    if (item.mode == align) {
      if (aligns_.size() % 64 == 0) align_block_max_.push_back(0);
      align_block_max_.back() = std::max(align_block_max_.back(), u8(item.low));
      aligns_.push_back(i);
      residue_.push_back(item.pos + before_[i]);
    } else if (item.mode == backward || item.mode == forward || item.mode == forward_over_align) {
      const Watched w{.flex = i,
                      .begin = std::min(i, item.target),
                      .end = std::max(i, item.target),
                      .distance = item.delta + i64(before_[item.target] - before_[i]),
                      .candidate = false};
      if (w.begin == w.end) continue;
      for (u32 b = w.begin >> block_bits; b <= (w.end - 1) >> block_bits; ++b) ++block_start_[b + 1];
      watched_.push_back(w);
    }
  }
  for (u32 b = 0; b < blocks; ++b) block_start_[b + 1] += block_start_[b];
  block_list_.resize(block_start_[blocks]);
  std::vector<u32> at(block_start_.begin(), block_start_.end() - 1);
  for (u32 n = 0; n < watched_.size(); ++n) {
    const Watched& w = watched_[n];
    for (u32 b = w.begin >> block_bits; b <= (w.end - 1) >> block_bits; ++b) block_list_[at[b]++] = n;
  }
}

/// The flex grew: branches over it reach further than they did.
void Relaxation::move_watched(u32 flex, i64 by) {
  const u32 block = flex >> block_bits;
  for (u32 n = block_start_[block]; n < block_start_[block + 1]; ++n) {
    Watched& w = watched_[block_list_[n]];
    if (flex < w.begin || flex >= w.end) continue;
    w.distance += w.begin == w.flex ? by : -by;
    if (!w.candidate) {
      w.candidate = true;
      candidates_.push_back(block_list_[n]);
    }
  }
}

/// Position in aligns_ of the first one from `from` on that demands more than 2^zeros; aligns_.size() if there is none.
u32 Relaxation::next_align(u32 from, int zeros) const {
  const u32 n = u32(aligns_.size());
  while (from < n) {
    if (from % 64 == 0 && align_block_max_[from / 64] <= zeros) {
      from += 64;
      continue;
    }
    if (items_[aligns_[from]].low > zeros) return from;
    ++from;
  }
  return n;
}

void Relaxation::chase() {
  place();
  start_watching();
  const auto reaches = [&](const Watched& w) {
    const Item& item = items_[w.flex];
    return item.mode == fixed || (w.distance >= item.low && w.distance <= item.high);
  };
  ready_.clear();
  for (u32 n = u32(watched_.size()); n-- > 0;) {
    if (!reaches(watched_[n])) ready_.push_back(n);
  }
  while (!ready_.empty()) {
    const Watched& w = watched_[ready_.back()];
    ready_.pop_back();
    if (reaches(w)) continue;
    const u64 size = size_[w.flex];
    grow(items_[w.flex], w.flex, w.distance);
    u64 shift = size_[w.flex] - size;
    move_watched(w.flex, i64(shift));
    // A shift by a multiple of its alignment leaves an .align as it is; any other may make it shrink or grow.
    u32 k = u32(std::upper_bound(aligns_.begin(), aligns_.end(), w.flex) - aligns_.begin());
    while (shift != 0) {
      k = next_align(k, std::countr_zero(shift));
      if (k >= aligns_.size()) break;
      residue_[k] += shift;
      const u32 flex = aligns_[k++];
      const u64 pad = padding(items_[flex], residue_[k - 1]);
      const u64 change = pad - size_[flex];
      if (change == 0) continue;
      size_[flex] = pad;
      move_watched(flex, i64(change));
      shift += change;
    }
    for (u32 n : candidates_) {
      watched_[n].candidate = false;
      if (!reaches(watched_[n])) ready_.push_back(n);
    }
    candidates_.clear();
  }
  place();
}

// Sizes that are expressions

/// The size it should have now; false if its expression has no usable value (reported when layout is done).
bool Relaxation::slow_size(Flex& f, u64 offset, u64& size) {
  const Resolved r = a_.resolve(Value{.constant = f.constant, .add = f.add, .sub = f.sub});
  if (f.kind == FlexKind::insn) {
    const bool pcrel = form_of(f.form).pcrel;
    if (pcrel ? r.kind == Resolved::place && r.section == subs_[0]->section : r.kind == Resolved::number) {
      const i64 reach = pcrel ? r.value - i64(offset) : r.value;
      while (!a_.target.relax_range(f.form, f.state).contains(reach)) ++f.state;
    } else {
      f.state = std::max(f.state, a_.target.relax_unresolved_state(f.form));
    }
    size = a_.target.relax_size(f.form, f.state);
    return true;
  }
  size = f.kind == FlexKind::leb;
  if (r.kind != Resolved::number) return false;
  switch (f.kind) {
    case FlexKind::leb: size = f.state ? sleb128_size(r.value) : uleb128_size(u64(r.value)); return true;
    case FlexKind::nops: size = r.value > 0 ? u64(r.value) : 0; return r.value >= 0;
    case FlexKind::fill:
      if (r.value <= 0) return r.value == 0;
      return !__builtin_mul_overflow(u64(r.value), u64(f.fill_size), &size);
    case FlexKind::org:
      size = r.value > 0 && u64(r.value) > offset ? u64(r.value) - offset : 0;
      return r.value >= 0 && u64(r.value) >= offset;
    default: return false;
  }
}

/// Gives every slow flex the size that its expression has now; true if one changed.
bool Relaxation::update_slow(Section& section, unsigned round) {
  publish(section);
  bool changed = false;
  for (u32 i : slow_) {
    Flex& f = flex_at(i);
    u64 size;
    slow_size(f, items_[i].pos + before_[i], size);
    if (f.kind == FlexKind::leb && (!profile_.leb128_shrinks || !may_shrink_ || round > shrinking_rounds))
      size = std::max(size, size_[i]);
    if (size == size_[i]) continue;
    size_[i] = size;
    unsettled_ = i;
    changed = true;
  }
  return changed;
}

/// Writes sizes back to where offsets are asked for.
void Relaxation::publish(Section& section) {
  ++a_.layout_version;
  u32 i = 0;
  u64 pos = 0;
  for (Subsection* sub : subs_) {
    const u64 start = before_[i];
    sub->base = pos + start;
    sub->before.resize(sub->flexes.size());
    for (u32 n = 0; n < sub->flexes.size(); ++n, ++i) {
      sub->before[n] = before_[i] - start;
      sub->flexes[n].size = size_[i];
    }
    sub->growth = before_[i] - start;
    pos += sub->size;
  }
  section.size = pos + before_[i];
}

bool Relaxation::settle(Section& section, bool alone) {
  build(section);
  if (alone && !slow_.empty()) return false;
  place();
  settle_quick();
  bool moved = false;
  for (unsigned round = 1; !slow_.empty() && update_slow(section, round); ++round) {
    moved = true;
    if (round > max_passes) {
      Flex& f = flex_at(unsettled_);
      a_.diags.error(f.loc, "the size of this depends on itself: it changes whenever everything else has settled");
      break;
    }
    place();
    settle_quick();
  }
  publish(section);
  return moved;
}

}  // namespace xas
