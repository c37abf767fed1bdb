// SPDX-License-Identifier: Apache-2.0
// What the assembler says of a document: its diagnostics, and the bytes of each line.
#pragma once

#include <string>
#include <vector>

#include "asm/lsp/text.h"
#include "targets/target.h"

namespace xas::lsp {

/// Bytes of memory that the server's process may have: what no other limit stops ends as a lack of memory.
inline constexpr u64 max_memory = u64(1) << 32;

/// How documents are assembled.
struct Settings {
  std::vector<std::string> options;  ///< as the program takes them, the value of each behind '='
};

struct Problem {
  enum Severity : u8 { error = 1, warning = 2, note = 3 } severity = error;  ///< the protocol's numbers
  Range range;
  std::string message;
  struct Related {
    Range range;
    std::string message;
  };
  std::vector<Related> related;  ///< notes of places in the document
};

struct Analysis {
  std::vector<Problem> problems;
  std::vector<std::string>
      bytes;                  ///< by line, "b8 01 00 00 00", the first ones; of lines without, or with errors, empty
  TargetOptions target;       ///< what the options come to
  bool intel_syntax = false;  ///< the text's first choice, or that of the options
  bool llvm = false;          ///< the profile is one of LLVM's
};

/// Assembles a document, whose file is at `path` (it need not exist). Included files are looked for in its folder.
/// A comment "xas-options: OPTIONS" in one of its first lines adds options.
Analysis analyse(const Text& text, const std::string& path, const Settings& settings);

}  // namespace xas::lsp
