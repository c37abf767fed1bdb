// SPDX-License-Identifier: Apache-2.0
// The name that somebody may have meant: of those that are offered, the one that the fewest edits lead to.
// For messages; nothing that is correct comes here.
#pragma once

#include <string>
#include <string_view>

namespace xas {

/// Number of edits (a character put in, left out, changed, or two swapped) between two names, or limit + 1.
unsigned edit_distance(std::string_view a, std::string_view b, unsigned limit);

class NearestName {
 public:
  /// `wanted` is what was written, and has to outlive this.
  explicit NearestName(std::string_view wanted);
  virtual ~NearestName() = default;

  /// Offers a name, which has to outlive this. One that begins with what was written is one edit away. Of names that
  /// are as near, the one with the fewest letters of its own wins, then one that ends alike, then the longest if it has
  /// none of its own, else the shortest, then the first.
  virtual void offer(std::string_view name);

  /// The nearest name; empty if none is near.
  std::string_view name() const { return best_; }
  /// Whether it is one edit away.
  bool is_close() const { return cost_ >> 17 <= 1; }
  /// "; did you mean 'name'?"; empty if none is near.
  std::string question() const {
    return best_.empty() ? std::string() : "; did you mean '" + std::string(best_) + "'?";
  }

 private:
  bool is_far(std::string_view name) const;

  std::string_view wanted_, best_;
  unsigned limit_;      ///< edits that a name may be away
  unsigned cost_ = ~0u; ///< of best_
};

}  // namespace xas
