// SPDX-License-Identifier: Apache-2.0
// Inputs of one kind only, each of which shows a cost that grows: they are made here, so that nobody has to keep them.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Synthetic {
  const char* name;
  std::string (*make)(double scale);  ///< `scale` of 1 is the full size
};

const std::vector<Synthetic>& synthetic_inputs();

}  // namespace bench
