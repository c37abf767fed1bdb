// Unwind codes of ARM64 Windows: what the .seh_* directives of ARM64 collect (directives/seh_arm64.cpp), and what
// .xdata and .pdata are made of (win_unwind_arm64.cpp).
#pragma once

#include <span>
#include <vector>

#include "asm/diag.h"
#include "targets/target.h"

namespace xas {

class Assembler;
struct CodeViewPiece;
struct UnwindFrame;

/// Operations of prologues and epilogues, by the names that Microsoft's documentation gives their codes.
enum class ArmUnwind : u8 {
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
struct ArmUnwindForm {
  u32 base;
  u8 bytes;
  u8 offset_bits;  ///< 0: there is no offset
  u8 unit;         ///< of the offset
  u8 less;
  u8 first, last;  ///< registers; `last` 0: there is none
  u8 step = 1;     ///< from one register to the next
};
const ArmUnwindForm& form_of(ArmUnwind operation);

struct ArmUnwindCode {
  ArmUnwind operation;
  u8 reg = 0;       ///< save_any_reg: the second byte of the code
  u32 offset = 0;   ///< in bytes; save_any_reg: the third byte
  bool operator==(const ArmUnwindCode&) const = default;
};

/// A part of a function that has unwind information of its own: the length has room for one megabyte.
struct ArmSegment {
  u32 begin, length;  ///< in bytes
  u32 info;           ///< where its information starts in the function's piece of .xdata
  u32 first_epilogue, epilogues;
};

/// What is made of a frame when code has been laid out.
struct ArmUnwindInfo {
  std::vector<ArmSegment> segments;
  u32 packed = 0;      ///< what .pdata says in place of a reference to .xdata; 0: it refers
  bool made = false;   ///< there is something to refer to
};

/// Makes the bytes of the frame's piece of .xdata, and their relocations (win_unwind_piece.h).
void make_arm64_unwind_info(Assembler& a, UnwindFrame& frame, CodeViewPiece& piece);

}  // namespace xas
