// SPDX-License-Identifier: Apache-2.0
// Unwind codes of Windows on ARM (Thumb code), and the bytes of .xdata and words of .pdata that are made of them.
#pragma once

#include "targets/win_unwind.h"

namespace xas::arm {

/// Operations of prologues and epilogues. Those that are called wide are of 32-bit instructions; the ranges of an
/// allocation's size have codes of their own.
enum class WinUnwind : u8 {
  alloc_small, alloc_large, alloc_huge, wide_alloc_medium, wide_alloc_large, wide_alloc_huge,
  save_mask,       ///< push {r0-r7, lr}: `reg` has a bit for each
  wide_save_mask,  ///< push.w {r0-r12, lr}
  save_r4_r7,      ///< push {r4-rN, lr}: N is `reg`, and `offset` 1 if lr is among them
  wide_save_r4_r11,
  save_sp,         ///< mov rN, sp
  save_lr,         ///< str lr, [sp, #-offset]!
  save_d8,         ///< vpush {d8-dN}
  save_d0,         ///< vpush of `reg` to `offset`, below d16
  save_d16,        ///< and from d16 on
  nop, wide_nop, end_nop, wide_end_nop, end,
  custom,          ///< bytes as they are, in `reg`
};

struct WinUnwindCode {
  WinUnwind operation;
  u32 reg = 0;
  u32 offset = 0;  ///< in bytes
  bool operator==(const WinUnwindCode&) const = default;
};

using WinUnwindFunction = xas::WinUnwindFunction<WinUnwindCode>;

/// Tells what is wrong with the lengths of a function's parts.
void check_win_unwind(const WinUnwindFunction& function, WinUnwindProblems& problems);

/// Makes the function's unwind information. The prologue's end becomes that of an epilogue that uses its codes.
WinUnwindInfo make_win_unwind_info(WinUnwindFunction& function, WinUnwindProblems& problems);

}  // namespace xas::arm
