// SPDX-License-Identifier: Apache-2.0
// Command-line options of x86 that change what instructions become: see options.cpp.
#pragma once

#include "xas/types.hpp"

namespace xas::x86 {

/// Bits of encodings that processors ignore: what the options of their names say.
struct IgnoredBits {
  u8 vex_lig = 0;   ///< -mavxscalar=
  u8 vex_wig = 0;   ///< -mvexwig=
  u8 evex_lig = 0;  ///< -mevexlig=
  u8 evex_wig = 0;  ///< -mevexwig=
  u8 evex_rcig = 0; ///< -mevexrcig=
  u8 vex_sizing_w = 0, evex_sizing_w = 0;  ///< of Row::w_by_size: as above where there are no registers of 64 bits
};

enum class BeforeRet : u8 { none, op_or, op_not, op_shl };
enum class BeforeBranch : u8 { none, all, with_register, with_memory };

/// Kinds of branches, as -malign-branch names them.
enum BranchKind : u8 {
  branch_jcc = 1, branch_fused = 2, branch_jmp = 4, branch_call = 8, branch_indirect = 16, branch_ret = 32,
};

struct AlignBranch {
  u8 boundary_log2 = 0;    ///< 0: branches are not aligned
  u8 kinds = 0;            ///< BranchKind bits; 0 and not said: the usual ones (GNU as)
  bool said_kinds = false;
  int max_prefixes = -1;  ///< -1: not said
  bool any_align = false;
};

struct X86Options {
  bool any = false;  ///< one of those below, or -O
  bool index_registers = false;  ///< -mindex-reg: eiz and riz are registers without %, too (not counted)
  bool sse2avx = false;
  bool unaligned_moves = false;
  bool omit_lock = false;
  bool fence_as_lock_add = false;
  bool bnd_prefix = false;
  bool intel_mnemonic = false;  ///< -mmnemonic=intel, .intel_mnemonic: AT&T's fsub and fdiv are not exchanged
  bool intel64 = false;         ///< -mintel64
  bool amd64 = false;           ///< -mamd64 (not counted)
  bool lfence_after_load = false;
  AlignBranch align_branch;
  bool pads = false;       ///< padding().on()
  BeforeBranch before_branch = BeforeBranch::none;
  BeforeRet before_ret = BeforeRet::none;
  u8 sse_check = 0;  ///< 1: warning, 2: error
  u8 operand_check = 1;
  bool tls_check = true;
  bool used_note = false;
  bool lfi = false;  ///< TargetOptions::lfi; false between .lfi_rewrite_disable and .lfi_rewrite_enable
};

/// What -mx86-used-note has seen.
struct UsedNote {
  u32 isa = 0;       ///< GNU_PROPERTY_X86_ISA_1_*
  u32 features = 0;  ///< GNU_PROPERTY_X86_FEATURE_2_*
};

}  // namespace xas::x86
