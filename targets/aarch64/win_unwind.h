// SPDX-License-Identifier: Apache-2.0
// Unwind codes of ARM64 Windows, and the bytes of .xdata and words of .pdata that are made of them.
#pragma once

#include "targets/win_unwind.h"

namespace xas::aarch64 {

/// Operations of prologues and epilogues, by the names that Microsoft's documentation gives their codes.
enum class WinUnwind : u8 {
  alloc_s, alloc_m, alloc_l,
  save_r19r20_x, save_fplr, save_fplr_x,
  save_regp, save_regp_x, save_reg, save_reg_x, save_lrpair,
  save_fregp, save_fregp_x, save_freg, save_freg_x,
  alloc_z, save_any_reg,
  set_fp, add_fp, nop, end, end_c, save_next,
  trap_frame, machine_frame, context, ec_context, clear_unwound_to_call, pac_sign_lr,
  count
};

/// How the code of an operation is made: `base` and, in its low bits, the register's number from `first` on above the
/// offset in units of 8 bytes. `less` is what the offset's field is less by.
struct WinUnwindForm {
  u32 base;
  u8 bytes;
  u8 offset_bits;  ///< 0: there is no offset
  u8 unit;         ///< of the offset
  u8 less;
  u8 first, last;  ///< registers; `last` 0: there is none
  u8 step = 1;     ///< from one register to the next
};
const WinUnwindForm& win_unwind_form(WinUnwind operation);

struct WinUnwindCode {
  WinUnwind operation;
  u8 reg = 0;       ///< save_any_reg: the second byte of the code
  u32 offset = 0;   ///< in bytes; save_any_reg: the third byte
  bool operator==(const WinUnwindCode&) const = default;
};

using WinUnwindFunction = xas::WinUnwindFunction<WinUnwindCode>;

/// Tells what is wrong with the lengths of a function's parts.
void check_win_unwind(const WinUnwindFunction& function, WinUnwindProblems& problems);

/// Makes the function's unwind information. Its codes are replaced by shorter ones where these say the same.
WinUnwindInfo make_win_unwind_info(WinUnwindFunction& function, WinUnwindProblems& problems);

}  // namespace xas::aarch64
