// SPDX-License-Identifier: Apache-2.0
// The event-driven part of relaxation (relax.cpp tells the algorithm): one branch after the other grows, and those over
// it are told.
#include <algorithm>
#include <bit>

#include "asm/layout/relax.h"

namespace xas {

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
      residue_.push_back(item.pos + before(i));
    } else if (item.mode == backward || item.mode == forward || item.mode == forward_over_align) {
      const Watched w{.fragment = i,
                      .begin = std::min(i, item.target),
                      .end = std::max(i, item.target),
                      .distance = item.delta + i64(before(item.target) - before(i)),
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

/// The fragment grew: branches over it reach further than they did.
void Relaxation::move_watched(u32 fragment, i64 by) {
  const u32 block = fragment >> block_bits;
  for (u32 n = block_start_[block]; n < block_start_[block + 1]; ++n) {
    Watched& w = watched_[block_list_[n]];
    if (fragment < w.begin || fragment >= w.end) continue;
    w.distance += w.begin == w.fragment ? by : -by;
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
  if (settles_) settle_wide();
  place();
  start_watching();
  const auto reaches = [&](const Watched& w) {
    const Item& item = items_[w.fragment];
    return item.mode < backward || (w.distance >= item.low && w.distance <= item.high);
  };
  ready_.clear();
  for (u32 n = u32(watched_.size()); n-- > 0;) {
    if (!reaches(watched_[n])) ready_.push_back(n);
  }
  while (!ready_.empty()) {
    const Watched& w = watched_[ready_.back()];
    ready_.pop_back();
    if (reaches(w)) continue;
    const u64 size = size_[w.fragment];
    size_[w.fragment] = grow(items_[w.fragment], w.fragment, w.distance, false);
    if (settles_) settle(w.fragment);
    u64 shift = size_[w.fragment] - size;
    move_watched(w.fragment, i64(shift));
    // A shift by a multiple of its alignment leaves an .align as it is; any other may make it shrink or grow.
    u32 k = u32(std::upper_bound(aligns_.begin(), aligns_.end(), w.fragment) - aligns_.begin());
    while (shift != 0) {
      k = next_align(k, std::countr_zero(shift));
      if (k >= aligns_.size()) break;
      residue_[k] += shift;
      const u32 fragment = aligns_[k++];
      const u64 pad = padding(items_[fragment], residue_[k - 1]);
      const u64 change = pad - size_[fragment];
      if (change == 0) continue;
      size_[fragment] = pad;
      move_watched(fragment, i64(change));
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

}  // namespace xas
