// SPDX-License-Identifier: Apache-2.0
// What the encoders of Windows' unwind information (targets/aarch64/win_unwind.h, targets/arm/win_unwind.h) are told of
// a function, beside its codes, and what they give back. They know lengths and bytes; sections, labels and relocations
// are their caller's (asm/unwind/win_unwind_piece.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xas/types.hpp"

namespace xas {

/// The condition (ARM's number) of instructions that are always executed.
inline constexpr u8 condition_always = 14;

/// A function whose code has been laid out. Lengths that are not known are left out.
template <typename Code>
struct WinUnwindFunction {
  struct Epilogue {
    std::vector<Code> codes;    ///< in the order of its instructions, the end behind them
    std::optional<u32> start;   ///< bytes from the function's start
    std::optional<u32> length;  ///< in bytes
    // ARM
    std::optional<u32> to_end;  ///< bytes from its start to the function's end; only if that was known in time
    u8 condition = condition_always;  ///< of its instructions
  };
  u32 length = 0;                      ///< in bytes
  std::vector<Code> prologue;          ///< the end in front of its instructions' codes
  std::optional<u32> prologue_length;  ///< in bytes
  std::vector<Epilogue> epilogues;
  bool has_handler = false;            ///< a routine for exceptions
  bool has_data = false;               ///< which has data
  // ARM
  bool fragment = false;               ///< the prologue is another fragment's
  bool may_pack = false;               ///< the length was known in time for one word in .pdata
};

/// A part of a function that has unwind information of its own.
struct WinUnwindSegment {
  u32 begin, length;  ///< in bytes
  u32 info;           ///< where its information starts in WinUnwindInfo::bytes
};

/// What is made of a function.
struct WinUnwindInfo {
  std::vector<u8> bytes;      ///< of .xdata
  std::vector<u32> handlers;  ///< where in `bytes` the address of the function's handler belongs, in four bytes
  std::vector<WinUnwindSegment> segments;
  u32 packed = 0;             ///< what .pdata says in place of a reference to .xdata; 0: it refers
};

/// Why a function has no unwind information.
struct WinUnwindProblem {
  static constexpr u32 function = ~u32(0);
  std::string message;
  u32 epilogue = function;    ///< its index, if it is about one
};
using WinUnwindProblems = std::vector<WinUnwindProblem>;

/// The codes of a prologue or an epilogue must stand for as many bytes as there are, or the unwinder takes one place
/// for another. `length` is what there is, `expected` what the codes stand for; nothing is said where one is not known.
void check_win_unwind_length(std::optional<u32> length, std::optional<u32> expected, std::string_view what,
                             u32 epilogue, WinUnwindProblems& problems);

/// What the makers of unwind information have in common.
template <typename Code>
class WinUnwindMaker {
 protected:
  WinUnwindMaker(WinUnwindFunction<Code>& function, WinUnwindInfo& info, WinUnwindProblems& problems)
      : f_(function), info_(info), out_(info.bytes), problems_(problems) {}

  void problem(std::string message, u32 epilogue = WinUnwindProblem::function) {
    problems_.push_back({std::move(message), epilogue});
  }
  void put32(u32 v) {
    for (unsigned i = 0; i < 4; ++i) out_.push_back(u8(v >> (8 * i)));
  }
  /// Room for the address of the handler, behind all else.
  void put_handler() {
    info_.handlers.push_back(u32(out_.size()));
    put32(0);
  }

  WinUnwindFunction<Code>& f_;
  WinUnwindInfo& info_;
  std::vector<u8>& out_;
  WinUnwindProblems& problems_;
};

}  // namespace xas
