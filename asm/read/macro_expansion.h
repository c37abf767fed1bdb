// SPDX-License-Identifier: Apache-2.0
// Expansions: what a macro's or a loop's body becomes with its arguments, and the stack of buffers that are read.
//
// A body is kept as text and cut into pieces when it is first used: literal text, and what is to be put in between. A
// call then is a few copies into a new buffer. Loops whose rounds are all alike are not expanded at all: their one copy
// is read again and again.
#pragma once

#include <string>
#include <string_view>

#include "asm/read/macro.h"

namespace xas {

/// The body's pieces for the mode that is on now.
void cut_body(Reader& reader, Body& body, const MacroParameters& parameters, bool is_macro);

/// What \@ and \+ stand for.
struct Counters {
  u64 calls, iteration;
};

/// Appends the body, which has been cut, with its arguments.
void write_body(Reader& reader, const Body& body, const MacroParameters& parameters, const MacroArguments& arguments,
                Counters counters, std::string& out);

/// A text that was made, or one that was made before.
struct Expansion {
  std::string_view name;
  std::string_view text;
  SourceLoc call;
  SourceLoc origin;                      ///< where the text was written
  const SourceBuffer* buffer = nullptr;  ///< null: a new one is made of the text
};

/// The buffer to read, counted within the expansions that are open. Null: a limit is reached, or there is no memory,
/// which is reported.
const SourceBuffer* expansion_buffer(Reader& reader, const Expansion& expansion);

/// Opens an expansion; the call's statement must have been passed. False if a limit is reached, which is reported.
bool enter_expansion(Reader& reader, const Expansion& expansion, SourceKind kind);

/// Counts an expansion of that size within `depth` others. False if it exceeds the limit, which is reported.
bool count_expansion(Reader& reader, u64 size, u64 depth, SourceLoc call);

}  // namespace xas
