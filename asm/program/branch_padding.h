// SPDX-License-Identifier: Apache-2.0
// Padding that keeps branches from crossing a boundary (-malign-branch, -mbranches-within-32B-boundaries and llvm-mc's
// -x86-align-branch), a workaround for an erratum of Intel's processors of 2015 to 2019.
//
// A PaddingFragment stands before the instructions concerned, and is one of two things (PaddingForm):
//
//   nops    before a branch, or before the instruction that is fused with it
//   prefix  before an instruction that can take some more bytes of a prefix
//
// GNU as decides both in its passes: what prefixes of the instructions before a branch can hold is not padded. The
// first of a run of such instructions leads it: it knows the no-ops that they replace, and the room of all of them.
// llvm-mc decides no-ops in its passes; in the end it replaces them by prefixes and by long forms of jumps, from the
// nearest instruction backwards up to a label.
#pragma once

#include <vector>

#include "asm/program/section.h"
#include "targets/target.h"

namespace xas {

/// Bytes that an instruction of x86 may have.
inline constexpr unsigned longest_instruction = 15;

class Program;
class Streamer;
struct Profile;

class BranchPadding {
 public:
  void start(const PaddingOptions& options, const Profile& profile);

  void begin(Streamer& out, const PaddedInstruction& insn);
  void end(Streamer& out, const PaddedInstruction& insn, u8 prefix, unsigned room);

  const PaddingOptions& options() const { return options_; }
  /// Instructions are made longer when all other sizes are final.
  bool widens() const { return late_; }

 private:
  static constexpr u32 none = ~u32(0);

  /// A subsection as its last instruction left it.
  struct Run {
    u64 pos = 0;          ///< its end
    u32 fragments = 0;
    bool shadow = false;  ///< nothing may be put behind it
    u32 lead = none;      ///< first of the instructions that may take prefixes for the branch to come (gnu)
    u32 room = 0;         ///< what they may take in all
    u32 setter = none;    ///< padding before the last instruction, which may be fused with the branch to come
    u8 fuses = 0;         ///< with which ones
    u32 setter_room = 0;
    u32 free = 0;         ///< 1 + fragments before the newest instruction that may have prefixes (llvm-mc)
  };

  void begin_gnu(Streamer& out, Run& run, const PaddedInstruction& insn);
  void begin_llvm(Streamer& out, Run& run, const PaddedInstruction& insn);
  void join(Streamer& out, Run& run, u32 fragment, u32 room);
  u32 add(Streamer& out, PaddingForm form);
  Run& run(const Streamer& out);

  PaddingOptions options_;
  bool late_ = false;            ///< llvm-mc's way
  std::vector<Run> runs_;        ///< by subsection
  const Subsection* last_ = nullptr;  ///< of the last instruction
  u32 nops_ = none;              ///< padding that the instruction under way ends
  u32 prefix_ = none;            ///< padding for its prefixes
};

}  // namespace xas
