// SPDX-License-Identifier: Apache-2.0
// --scfi: call frame information made up from what the instructions of a function do, in place of what .cfi_*
// directives say. A function begins at its `.type NAME, @function`, and ends at its `.size`, at the next function's
// `.type` in the same subsection, or with the text. What is collected of it here becomes a frame then (frame_flow.h).
#pragma once

#include <unordered_map>
#include <vector>

#include "asm/program/frame_flow.h"

namespace xas {

class Streamer;

class FrameSynthesis {
 public:
  /// The symbol's type says that it is a function.
  void begin_function(Streamer& out, SymbolId function);
  /// The symbol's size has been said.
  void note_size(Streamer& out, SymbolId symbol);
  void note_label(Streamer& out, SymbolId label, SourceLoc loc);
  void note_step(Streamer& out, const FrameStep& step, SourceLoc loc);
  /// .cfi_label and .cfi_signal_frame, which count
  void note_cfi_label(Streamer& out, u32 label);
  void note_signal_frame(Streamer& out);
  /// What other directives say of frames does not count, which the first of them reports.
  void ignore(Streamer& out);
  /// At the end of the text.
  void finish(Streamer& out);

  bool in_function(const Streamer& out) const;

 private:
  struct Function {
    SymbolId symbol;
    std::vector<FlowStep> steps;
    std::unordered_map<SymbolId, u32> labels;  ///< indices of their steps
    bool traceable = true;                     ///< it is known where its jumps lead to
  };
  Function* open(const Streamer& out);
  FlowStep& add(Streamer& out, Function& function, FlowStep::Kind kind, SourceLoc loc);
  void end_function(Streamer& out);
  void make_frame(Streamer& out, Function& function);

  std::unordered_map<u32, Function> open_;  ///< by subsection
  bool ignores_reported_ = false;
};

}  // namespace xas
