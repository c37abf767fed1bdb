// SPDX-License-Identifier: Apache-2.0
// Relaxation (relax.cpp) of Thumb in GNU as's way, which is not that of its other targets (relax_pass.cpp):
//
//   - All instructions begin narrow, those that are left to the linker or turn out wide by their numbers too.
//   - What lies ahead is taken to move as the instruction does; each alignment between lets only multiples of itself
//     through.
//   - An instruction is narrow again if its target turns out to be near. It settles, and stays wide, in the first pass
//     in which it is wide and has not moved on. Its relocation is made then, and so comes behind those of earlier
//     passes.
//
// Blocks are left out of a pass as they are there.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "asm/layout/relax.h"

namespace xas {

bool Relaxation::settle_pass() {
  ++passes_;
  const u32 n = u32(items_.size());
  const u64 end = before(n);
  bool changed = false;
  u64 shift = 0;  // how much further everything from here on has moved in this pass
  for (u32 b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    const u64 moved = block.is_far ? churn_.all - block.moved : block.moved;
    if ((shift & block.align_mask) == 0 && moved + u64(std::abs(i64(shift))) < block.slack) {
      sums_.base[b] += shift;
    } else {
      shift = settle_block(b, shift, changed);
    }
  }
  sums_.inner[n] = end + shift - sums_.base[n >> block_bits];
  return changed;
}

u64 Relaxation::settle_block(u32 number, u64 shift, bool& changed) {
  Block& block = blocks_[number];
  const u32 begin = number << block_bits, end = std::min(u32(items_.size()), begin + (1u << block_bits));
  const u64 all_before = churn_.all;
  u64 churn = 0, align_mask = 0;
  i64 slack = std::numeric_limits<i64>::max();
  bool settled = false;
  u32 placed = begin;  // the items before this one are where the pass puts them
  const auto place_up_to = [&](u32 i) {
    for (; placed < i; ++placed) sums_.inner[placed] += shift;
  };
  const auto resize = [&](u32 i, u64 size) {
    const i64 by = i64(size - size_[i]);
    size_[i] = size;
    churn += u64(std::abs(by));
    shift += u64(by);
    changed |= by != 0;
  };
  for (u32 rest = block.active; rest != 0; rest &= rest - 1) {
    const u32 i = begin + u32(std::countr_zero(rest));
    Item& item = items_[i];
    place_up_to(i + 1);
    if (item.mode < backward) continue;
    const u64 now = before(i), was = now - shift;
    if (item.mode == align) {
      align_mask |= (u64(1) << item.low) - 1;
      resize(i, item.padding(item.pos + now));
    } else if (item.mode == grows) {
      here_.at(i).as<GrownFragment>().fewer = 0;
      resize(i, 0);
      item.fix(i);
      block.active &= ~(rest & (0 - rest));
    } else if (item.mode == org || item.mode == fill) {
      slack = 0;
      last_changed_ = i;
      points_elsewhere_ = true;
      resize(i, pointing_size<true, true>(i, was, now, shift));
    } else {
      const bool narrow = item.mode != to_linker && stays_narrow(i, i64(shift));
      const bool settles = !narrow && i64(shift) <= 0;
      if (item.is_wide == narrow) resize(i, set_wide(i, !narrow));
      if (settles) {
        settle(i);
        block.active &= ~(rest & (0 - rest));
        settled = true;
      } else if (!narrow) {
        slack = 0;
      } else if (item.multiple > 1) {
        slack = std::min<i64>(slack, 1);  // nothing may move
      } else {
        const i64 distance = item.delta + i64(before(item.target) - (item.target > i ? was : now));
        slack = std::min(slack, std::min(distance - item.low, item.high - distance) + 1);
      }
    }
  }
  place_up_to(end);
  if (settled) find_reach(number);
  block.slack = u64(std::max<i64>(slack, 0));
  block.align_mask = align_mask;
  block.moved = block.is_far ? all_before : 0;
  churn_.all += churn;
  if (churn) tell_neighbors(number, churn);
  return shift;
}

/// The narrow form of a branch reaches, as things look in the pass. `shift`: how far the branch has moved in it.
bool Relaxation::stays_narrow(u32 index, i64 shift) const {
  const Item& item = items_[index];
  const auto beyond = [&](i64 distance) { return distance < item.low ? -1 : distance > item.high ? 1 : 0; };
  const i64 distance = item.delta + i64(before(item.target) - before(index));  // if the target does not move
  const bool is_ahead = item.target > index;
  int out_of_reach = beyond(is_ahead ? distance + shift : distance);
  if (item.mode == forward_over_align && out_of_reach != beyond(distance))
    out_of_reach = beyond(distance + shift_of_target(index, shift, far));
  if (out_of_reach != 0) return false;
  if (item.multiple == 1) return true;
  const i64 moves = is_ahead ? shift_of_target(index, shift, item.multiple) : 0;
  return (item.pos + before(index) + u64(distance + moves)) % item.multiple == 0;
}

/// How much of a shift an item before its target expects to get there; `multiple`: only the remainder of that by it is
/// asked for.
i64 Relaxation::shift_of_target(u32 index, i64 shift, i64 multiple) const {
  if (items_[index].mode != forward_over_align) return shift;
  i64 lets_through = 1;  // multiples of this
  for (u32 i = items_[index].target; i-- > index && lets_through < multiple;) {
    if (items_[i].mode == align) lets_through = std::max(lets_through, i64(1) << items_[i].low);
  }
  return shift - shift % lets_through;
}

/// Takes the other form; gives its size.
u64 Relaxation::set_wide(u32 index, bool wide) {
  InsnFragment& insn = here_.at(index).as<InsnFragment>();
  insn.state = wide ? program_.target.relax_unresolved_state(insn.form) : 0;
  items_[index].is_wide = wide;
  return program_.target.relax_size(insn.form, insn.state);
}

/// The branch is wide from now on.
void Relaxation::settle(u32 index) {
  Item& item = items_[index];
  InsnFragment& insn = here_.at(index).as<InsnFragment>();
  insn.settled = u8(std::min<unsigned>(passes_, std::numeric_limits<u8>::max()));
  if (item.mode == to_linker) {
    item.fix(index);
  } else {
    set_reach(insn, item);
  }
}

/// So are all that are wide now.
void Relaxation::settle_wide() {
  for (u32 i = 0; i < items_.size(); ++i) {
    if (items_[i].is_wide && items_[i].mode >= backward) settle(i);
  }
}

}  // namespace xas
