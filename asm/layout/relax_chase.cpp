// SPDX-License-Identifier: Apache-2.0
// The event-driven part of relaxation (relax.cpp tells the algorithm): one branch after the other grows, and those over
// it are told.
#include <algorithm>
#include <bit>

#include "asm/layout/relax.h"

namespace xas {

/// The branches that may still grow, and the alignments.
class Relaxation::Chase {
 public:
  explicit Chase(Relaxation& relaxation) : r_(relaxation) {}
  void run();

 private:
  /// A branch that may still grow.
  struct Watched {
    u32 fragment;
    u32 begin, end;  ///< the fragments between it and its target
    i64 distance;
    bool candidate;
  };

  void start();
  void move(u32 fragment, i64 by);
  u32 next_align(u32 from, int zeros) const;
  bool reaches(const Watched& w) const {
    const Item& item = r_.items_[w.fragment];
    return item.mode < backward || (w.distance >= item.low && w.distance <= item.high);
  }

  Relaxation& r_;
  std::vector<Watched> watched_;
  std::vector<u32> block_start_, block_list_;  ///< for each block of fragments: the watched branches over it
  std::vector<u32> aligns_;                    ///< fragments that align, in order
  std::vector<u64> residue_;                   ///< their offset, modulo their alignment
  std::vector<u8> align_block_max_;            ///< greatest log2 in each block of aligns_
  std::vector<u32> candidates_, ready_;
};

void Relaxation::Chase::start() {
  const u32 blocks = u32(r_.items_.size() >> block_bits) + 1;
  block_start_.assign(blocks + 1, 0);
  for (u32 i = 0; i < r_.items_.size(); ++i) {
    const Item& item = r_.items_[i];
    if (item.mode == align) {
      if (aligns_.size() % 64 == 0) align_block_max_.push_back(0);
      align_block_max_.back() = std::max(align_block_max_.back(), u8(item.low));
      aligns_.push_back(i);
      residue_.push_back(item.pos + r_.before(i));
    } else if (item.mode == backward || item.mode == forward || item.mode == forward_over_align) {
      const Watched w{.fragment = i,
                      .begin = std::min(i, item.target),
                      .end = std::max(i, item.target),
                      .distance = item.delta + i64(r_.before(item.target) - r_.before(i)),
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
void Relaxation::Chase::move(u32 fragment, i64 by) {
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
u32 Relaxation::Chase::next_align(u32 from, int zeros) const {
  const u32 n = u32(aligns_.size());
  while (from < n) {
    if (from % 64 == 0 && align_block_max_[from / 64] <= zeros) {
      from += 64;
      continue;
    }
    if (r_.items_[aligns_[from]].low > zeros) return from;
    ++from;
  }
  return n;
}

void Relaxation::Chase::run() {
  start();
  for (u32 n = u32(watched_.size()); n-- > 0;) {
    if (!reaches(watched_[n])) ready_.push_back(n);
  }
  while (!ready_.empty()) {
    const Watched& w = watched_[ready_.back()];
    ready_.pop_back();
    if (reaches(w)) continue;
    const u64 size = r_.size_[w.fragment];
    r_.size_[w.fragment] = r_.grow(r_.items_[w.fragment], w.fragment, w.distance, false);
    if (r_.order_.settles) r_.settle(w.fragment);
    u64 shift = r_.size_[w.fragment] - size;
    move(w.fragment, i64(shift));
    // A shift by a multiple of its alignment leaves an .align as it is; any other may make it shrink or grow.
    u32 k = u32(std::upper_bound(aligns_.begin(), aligns_.end(), w.fragment) - aligns_.begin());
    while (shift != 0) {
      k = next_align(k, std::countr_zero(shift));
      if (k >= aligns_.size()) break;
      residue_[k] += shift;
      const u32 fragment = aligns_[k++];
      const u64 pad = r_.items_[fragment].padding(residue_[k - 1]);
      const u64 change = pad - r_.size_[fragment];
      if (change == 0) continue;
      r_.size_[fragment] = pad;
      move(fragment, i64(change));
      shift += change;
    }
    for (u32 n : candidates_) {
      watched_[n].candidate = false;
      if (!reaches(watched_[n])) ready_.push_back(n);
    }
    candidates_.clear();
  }
}

void Relaxation::chase() {
  if (order_.settles) settle_wide();
  place();
  Chase(*this).run();
  place();
}

}  // namespace xas
