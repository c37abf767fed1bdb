// SPDX-License-Identifier: Apache-2.0
// The passes of relaxation (relax.cpp tells the algorithm): what one pass over the items of a section does, and which
// blocks of them it need not look at.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "asm/layout/relax.h"

namespace xas {

namespace {

/// Real programs need a few dozen (sqlite3 at -O2 more than 100), and must get the reference's result.
constexpr unsigned plain_passes = 256;
/// Blocks that are told of a change are so many blocks from it at most; those whose branches reach further count the
/// changes of the whole section.
constexpr u32 near_blocks = 16;

/// The items of a block being moved: those before `placed` are where the pass puts them.
template <bool in_place>
struct BlockMove {
  u64* out;
  const u64* inner;
  u64* sizes;
  u32 placed;
  u64 shift;      ///< how far what comes next has moved
  u64 churn = 0;  ///< by how much sizes have changed

  [[gnu::always_inline]] void up_to(u32 i) {
    if (!in_place || shift != 0) {
      for (u32 k = placed; k < i; ++k) out[k] = inner[k] + shift;
    }
    placed = i;
  }
  [[gnu::always_inline]] void resize(u32 i, u64 size) {
    up_to(i + 1);
    const u64 by = size - sizes[i];
    churn += i64(by) < 0 ? 0 - by : by;
    sizes[i] = size;
    shift += by;
  }
};

}  // namespace

/// Blocks of items are left out of a pass where nothing can happen: no alignment is disturbed by the shift that comes
/// in, and what the branches reach over has changed by less than they can bear. Most passes of a big section change a
/// few places only. (In GNU as's way a branch that reaches too far over an alignment waits for as long as what stands
/// before it has moved further in the pass than it lacks; that is why there are a hundred passes.)
template <bool in_place, bool decide>
bool Relaxation::pass() {
  const u32 n = u32(items_.size());
  const u64 end = before(n);
  if (!in_place) {
    sums_.next.resize(sums_.inner.size());
    sums_.next_base.resize(sums_.base.size());
    churn_.before_pass = churn_.all;  // all that branches see of the section is how it was before the pass
  }
  bool changed = false;
  u64 shift = 0;  // how much further everything from here on has moved in this pass
  for (u32 b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const u64 moved = block.is_far ? (in_place ? churn_.all : churn_.before_pass) - block.moved : block.moved;
    if ((shift & block.align_mask) == 0 && moved < block.slack &&
        (block.waiting == 0 || i64(shift) >= i64(block.waiting + moved))) {
      if (in_place) {
        sums_.base[b] += shift;
      } else {
        const u32 begin = b << block_bits, behind = std::min(n, begin + (1u << block_bits));
        std::copy(sums_.inner.data() + begin, sums_.inner.data() + behind, sums_.next.data() + begin);
        sums_.next_base[b] = sums_.base[b] + shift;
      }
    } else {
      shift = pass_block<in_place, decide>(b, shift, changed);
    }
  }
  if (!in_place) {
    sums_.inner.swap(sums_.next);
    sums_.base.swap(sums_.next_base);
    for (const Churn::Change& c : churn_.changes) tell_neighbors(c.block, c.by);
    churn_.changes.clear();
  }
  sums_.inner[n] = end + shift - sums_.base[n >> block_bits];
  return changed;
}

/// What the next passes need to know of a block that was looked at.
template <bool in_place>
void Relaxation::end_block(u32 number, const Seen& seen, u64 churn) {
  Block& block = blocks_[number];
  block.slack = u64(seen.slack);
  block.waiting = seen.waiting;
  block.align_mask = seen.align_mask;
  // Counted from before this block changed: what changed in it may not have been seen by the branches before it.
  block.moved = !block.is_far ? 0 : in_place ? churn_.all : churn_.before_pass;
  if (!churn) return;
  churn_.all += churn;
  if (in_place) {
    tell_neighbors(number, churn);
  } else {
    churn_.changes.push_back({number, churn});
  }
}

/// How much may change in what an instruction reaches over that asks for a target of some alignment: nothing. Nor may a
/// shift of it all disturb that, which shows in the next pass.
static i64 aligned_slack(u8 multiple, u64 shift, u64& align_mask) {
  const u64 mask = multiple - 1u;
  align_mask |= mask;
  return (shift & mask) == 0;
}

/// Looks at the items of the block that may change (Block::active), all branches in the same way (see pick). The
/// offsets of what lies between are moved in one go, up to an item whose size changes.
template <bool in_place, bool decide>
u64 Relaxation::pass_block(u32 number, u64 shift, bool& changed) {
  u64* const out = in_place ? sums_.inner.data() : sums_.next.data();
  const u64* const inner = sums_.inner.data();
  const u64* const bases = sums_.base.data();
  const u64 base = bases[number];
  if (!in_place) sums_.next_base[number] = base;
  Block& block = blocks_[number];
  const u32 begin = number << block_bits, end = std::min(u32(items_.size()), begin + (1u << block_bits));
  Seen seen;
  BlockMove<in_place> move{.out = out, .inner = inner, .sizes = size_.data(), .placed = begin, .shift = shift};
  for (u32 rest = block.active; rest != 0; rest &= rest - 1) {
    const u32 i = begin + u32(std::countr_zero(rest));
    Item& item = items_[i];
    const u64 was = base + inner[i], now = was + move.shift;
    if (item.mode == align) {
      const u64 pad = item.padding(item.pos + now);
      seen.align_mask |= (u64(1) << item.low) - 1;
      if (pad == size_[i]) continue;
      if (in_place) changed = true;
      move.resize(i, pad);
      continue;
    }
    if (item.mode > align) [[unlikely]] {
      seen.slack = 0;
      if (item.mode == grows) continue;  // before the first pass
      if (item.mode == to_linker) {
        if (!decide) continue;
        InsnFragment& insn = here_.at(i).as<InsnFragment>();
        insn.state = program_.target.relax_unresolved_state(insn.form);
        move.resize(i, program_.target.relax_size(insn.form, insn.state));
        item.fix(i);
        changed = true;
        continue;
      }
      if (item.mode >= pad && !decide) continue;
      move.up_to(i + 1);
      const u64 size = pointing_size<in_place, decide>(i, was, now, move.shift);
      if (size != size_[i]) changed = points_elsewhere_ = true, last_changed_ = i;
      move.resize(i, size);
      continue;
    }
    if (!decide) {
      if (item.mode >= backward) seen.slack = 0;
      continue;
    }
    const u64 target = bases[item.target >> block_bits] + inner[item.target];
    // A target that has been placed is where it will be, and the branch is not.
    const u64 moved_along = in_place && (item.mode == backward) & (item.target < move.placed) ? move.shift : 0;
    i64 distance = item.delta + i64(target - was - moved_along);
    const i64 room = std::min(distance - item.low, item.high - distance);
    // Whether the target is aligned shows where it was before the pass, even if all moves in place.
    const u64 off = (item.pos + was + u64(distance)) & (item.multiple - 1u);
    if (room >= 0 && off == 0) [[likely]] {
      const i64 spare = item.multiple == 1 ? room + 1 : aligned_slack(item.multiple, move.shift, seen.align_mask);
      seen.slack = std::min(seen.slack, spare);
      continue;
    }
    if (item.mode < backward) continue;
    const bool may_wait = item.mode == forward_over_align && in_place && i64(move.shift) > 0 && off == 0;
    if (may_wait && distance - i64(move.shift) <= item.high) {
      seen.waiting = std::max(seen.waiting, u64(distance - item.high));
      continue;
    }
    if (may_wait) distance -= i64(move.shift);
    move.resize(i, grow(item, i, distance, off != 0));
    changed = true;
    if (item.mode >= backward) {
      seen.slack = 0;
    } else {
      seen.reaches_less = true;
      block.active &= ~(rest & (0 - rest));
    }
  }
  move.up_to(end);
  if (seen.reaches_less) find_reach(number);
  end_block<in_place>(number, seen, move.churn);
  return move.shift;
}

/// The size that an .org, a fill, a .prefalign, a LEB128 number or padding before a branch should have.
template <bool in_place, bool decide>
u64 Relaxation::pointing_size(u32 index, u64 was, u64 now, u64 shift) {
  Item& item = items_[index];
  if (item.mode == org) {
    const u64 target = in_place || item.target > index
                           ? before(item.target)
                           : sums_.next_base[item.target >> block_bits] + sums_.next[item.target];
    const i64 distance = item.delta + i64(target + (item.target > index ? shift : 0) - now);
    return distance > 0 ? u64(distance) : 0;
  }
  if (item.mode == leb) {
    const i64 distance = item.delta + i64(before(item.target) - before(u32(item.high)));
    return decide ? std::max(size_[index], leb_size(LebEncoding(item.low), distance)) : size_[index];
  }
  if (item.mode == fill) {
    const i64 count = item.delta + i64(before(item.target) - before(u32(item.high)));
    u64 size;
    const bool counts = decide && count >= 0 && !__builtin_mul_overflow(u64(count), u64(item.low), &size);
    return counts ? size : size_[index];
  }
  if (item.mode == prefalign) {
    PrefalignFragment& f = here_.at(index).as<PrefalignFragment>();
    const i64 body = item.delta + i64(before(item.target) - was - size_[index]);
    if (decide && item.target > index && raise_prefalign(f, body)) item.low = f.log2;
    return alignment_padding(item.pos + now, item.low);
  }
  const u64 before = in_place ? now : was;
  return item.mode == pad ? branch_padding(index, item.pos + before) : prefix_size(index, before);
}

/// The blocks that have branches over this one have something to look at.
void Relaxation::tell_neighbors(u32 number, u64 by) {
  for (u64 rest = blocks_[number].listeners; rest != 0; rest &= rest - 1) {
    Block& block = blocks_[number + u32(std::countr_zero(rest)) - near_blocks];
    const bool counts = (block.first <= number) & (number <= block.last);
    block.moved += by & (0 - u64(counts));
  }
}

/// Every block has to be looked at.
void Relaxation::start_blocks() {
  blocks_.assign((items_.size() + (1u << block_bits) - 1) >> block_bits, Block{});
  churn_.all = 0;
  for (u32 i = 0; i < items_.size(); ++i)
    blocks_[i >> block_bits].active |= u32(items_[i].mode >= backward) << (i & ((1u << block_bits) - 1));
  for (u32 b = 0; b < blocks_.size(); ++b) find_reach(b);
}

/// Which blocks its branches reach over, those that may still grow. They reach less and less.
void Relaxation::find_reach(u32 number) {
  Block& block = blocks_[number];
  const u32 begin = number << block_bits;
  u32 first = begin, last = begin;
  for (u32 rest = block.active; rest != 0; rest &= rest - 1) {
    const u32 i = begin + u32(std::countr_zero(rest));
    const Item& item = items_[i];
    const u32 target = pick(u32(item.mode - backward) <= forward_over_align - backward, item.target, i);
    first = std::min(first, target);
    last = std::max(last, target);
  }
  block.first = first >> block_bits;
  block.last = std::max(number, last ? (last - 1) >> block_bits : 0);
  if (!block.is_far || block.last - block.first > near_blocks) return;
  block.is_far = false;
  for (u32 over = block.first; over <= block.last; ++over)
    blocks_[over].listeners |= u64(1) << (number + near_blocks - over);
}

/// Sums up the sizes, and pads as they demand.
void Relaxation::place() {
  const u32 n = u32(items_.size());
  sums_.inner.resize(n + 1);
  sums_.base.assign((n >> block_bits) + 1, 0);
  u64 sum = 0;
  for (u32 i = 0; i < n; ++i) {
    sums_.inner[i] = sum;
    sum += size_[i];
  }
  sums_.inner[n] = sum;
  start_blocks();
  pass<false, false>();
}

/// Finds the sizes of all but the slow fragments.
void Relaxation::relax_quick() {
  for (unsigned n = 1;; ++n) {
    points_elsewhere_ = false;
    bool changed = order_.settles ? settle_pass() : order_.moves ? pass<true, true>() : pass<false, true>();
    if (!slow_.empty() && !order_.waits && n < plain_passes && update_in_order(program_.sections[here_.section])) {
      place();
      changed = true;
    }
    if (!changed) return;
    if (n % plain_passes == 0) chase();
    if (n > max_passes && points_elsewhere_) {
      // Branches come to rest, so this is what points at labels, or padding, whose size does not matter.
      const Fragment& f = here_.at(last_changed_);
      if (f.kind == FragmentKind::padding) {
        for (Item& item : items_) {
          if (item.mode >= pad) item.fix(u32(&item - items_.data()));
        }
        continue;
      }
      const char* const what = f.kind == FragmentKind::org ? "this .org" : "this";
      program_.diags.error(f.loc, fmt::format("the size of {} depends on itself", what));
      for (Item& item : items_) {
        if (item.mode == org || item.mode == fill) item.fix(u32(&item - items_.data()));
      }
    }
  }
}

}  // namespace xas
