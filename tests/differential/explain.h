// SPDX-License-Identifier: Apache-2.0
// The readable context of a difference between the contents of two sections.
#pragma once

#include <cstdint>
#include <string>

#include "compare.h"
#include "objwriter/read/object.h"

namespace diff {

using xas::read::Object;
using xas::read::Section;

struct Place {
  const Object& oracle;
  const Object& subject;
  const Section& oracle_section;
  const Section& subject_section;
  std::uint64_t offset;  ///< of the first byte that differs, or where the shorter one ends
};

/// Cause and detail of two sections of machine code differing: the instruction in both, the function, the source line.
Difference explain_code(const Comparison& files, const Place& place);

/// Of debugging and unwind sections: the first line of readelf's decoding that differs.
Difference explain_debug(const Comparison& files, const Place& place);

/// Of any other section: the bytes.
Difference explain_data(const Place& place);

}  // namespace diff
