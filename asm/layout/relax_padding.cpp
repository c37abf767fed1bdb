// SPDX-License-Identifier: Apache-2.0
// The part of relaxation that pads branches (branch_padding.h).
#include <algorithm>

#include "asm/program/branch_padding.h"
#include "asm/layout/layout.h"
#include "asm/layout/relax.h"

namespace xas {

/// What has to stand at `offset` for the branch, and what is fused with it, to neither cross the boundary nor end at
/// it.
u64 Relaxation::branch_padding(u32 index, u64 offset) const {
  const Item& item = items_[index];
  u64 length = u64(item.delta);
  for (u32 i = index + 1; i < item.target; ++i) length += size_[i];
  const u64 boundary = u64(1) << item.low;
  const u64 from = offset & (boundary - 1);
  return from + length >= boundary ? boundary - from : 0;
}

/// The prefixes of one instruction. The first of a run decides for all: they hold the whole padding or nothing, the
/// first ones as much as they can. `before` is the size of the fragments before it.
u64 Relaxation::prefix_size(u32 index, u64 before) {
  Item& item = items_[index];
  if (item.mode != lead_prefix) return u64(item.delta);
  u64 wanted = branch_padding(item.target, items_[item.target].pos + before);
  if (wanted > u64(item.low)) wanted = 0;
  for (u32 i = index; i < item.target; ++i) {
    Item& one = items_[i];
    if (one.mode < prefix) continue;
    const u64 size = std::min<u64>(wanted, u64(one.high));
    one.delta = i64(size);
    wanted -= size;
  }
  return u64(item.delta);
}

void Relaxation::place_again(Section& section) {
  build(section, false);
  for (u32 i = 0; i < items_.size(); ++i) {
    if (items_[i].mode != align && items_[i].mode != prefalign) items_[i].fix(i);
  }
  place();
  publish(section);
}

}  // namespace xas
