// SPDX-License-Identifier: Apache-2.0
// One assembly, from text to object.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "asm/read/reader.h"
#include "objwriter/output_buffer.h"

namespace xas {

/// One of the texts that are assembled, one after the other, as if they were one.
struct Input {
  enum Kind : u8 { file, standard_input, memory } kind = file;
  std::string name;       ///< path; of memory: what diagnostics call it
  std::string_view text;  ///< of memory
};

/// Assembles the inputs with a reader that has read nothing yet. True if there were no errors: then `out` is the object
/// file. What went wrong, and warnings, are in reader.program().diags; their places are in reader.program().sources.
bool assemble(Reader& reader, std::span<const Input> inputs, OutputBuffer& out);

/// What `assemble` does when all text has been read, or all has been said otherwise.
bool finish(Reader& reader, OutputBuffer& out);

}  // namespace xas
