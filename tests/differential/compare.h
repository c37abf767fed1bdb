// SPDX-License-Identifier: Apache-2.0
// What differs between two objects, by cause.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace diff {

/// One thing that differs. `cause` has no addresses and no names of the program in it, so that equal faults in many
/// files get equal causes and can be counted; `detail` tells this one.
struct Difference {
  std::string cause;
  std::string detail;
  bool order = false;        ///< the same content in another order or at another place in the file
  bool consequence = false;  ///< likely to come from an earlier difference (addresses behind code of another size)
};

struct Comparison {
  std::filesystem::path oracle;   ///< object files
  std::filesystem::path subject;
  std::filesystem::path source;   ///< assembler text, to name the line; may be empty
  std::filesystem::path scratch;  ///< for the disassembler's output
};

/// Empty if the files are equal byte for byte.
std::vector<Difference> compare_objects(const Comparison& comparison);

/// `name` without the part that belongs to one function or object: ".text.main" is ".text.*".
std::string general_section_name(std::string_view name);

}  // namespace diff
