// SPDX-License-Identifier: Apache-2.0
// The name that somebody may have meant: of those that are offered, the one that the fewest edits lead to.
// For messages; nothing that is correct comes here.
#pragma once

#include <string_view>

namespace xas {

/// Number of edits (a character put in, left out, changed, or two swapped) between two names, or limit + 1.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit);

class NearestName {
 public:
  /// `wanted` is what was written, and has to outlive this.
  explicit NearestName(std::string_view wanted);

  /// Offers a name, which has to outlive this. Of names that are as near, the one with the fewest letters of its own
  /// wins, then the longest if it has none of its own, else the shortest, then the first.
  void offer(std::string_view name);

  /// The nearest name; empty if none is near.
  std::string_view name() const { return best_; }

 private:
  std::string_view wanted_, best_;
  unsigned limit_;      ///< edits that a name may be away
  unsigned cost_ = ~0u; ///< of best_
};

}  // namespace xas
