// Unwind codes of Windows on ARM (Thumb code): what the .seh_* directives of ARM collect (directives/seh_arm.cpp), and
// what .xdata and .pdata are made of (win_unwind_arm.cpp).
#pragma once

#include "asm/diag.h"
#include "targets/target.h"

namespace xas {

class Assembler;
struct CodeViewPiece;
struct UnwindFrame;

/// Operations of prologues and epilogues. Those that are called wide are of 32-bit instructions; the ranges of an
/// allocation's size have codes of their own.
enum class ThumbUnwind : u8 {
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

struct ThumbUnwindCode {
  ThumbUnwind operation;
  u32 reg = 0;
  u32 offset = 0;  ///< in bytes
  bool operator==(const ThumbUnwindCode&) const = default;
};

/// ARM: remembers which lengths are known where the function's end is read.
void note_known_lengths(Assembler& a, UnwindFrame& frame);

/// Makes the bytes of the frame's piece of .xdata, and their relocations (win_unwind_piece.h).
void make_arm_unwind_info(Assembler& a, UnwindFrame& frame, CodeViewPiece& piece);

}  // namespace xas
