// SPDX-License-Identifier: Apache-2.0
// A statement as the operand parsers (AT&T, Intel) leave it and the matcher and encoder take it.
#pragma once

#include <algorithm>
#include <string_view>

#include "targets/emitter.h"
#include "targets/x86/registers.h"

namespace xas::x86 {

/// How the registers of a memory operand are named; decides the address size.
enum class AddressRegs : u8 { none, r16, r32, r64, rip, eip };

/// The small facts about an operand, kept together so that one store clears them.
struct OperandFacts {
  Space space;
  bool is_memory;       ///< or a bare expression, which is also a branch target
  bool is_immediate;
  bool symbolic;        ///< `value` is not a constant
  u8 number;            ///< of a register operand
  u8 reg_flags;         ///< RegFlag of a register operand
  // Memory
  AddressRegs regs;     ///< of base and index
  bool has_base, has_index, has_displacement;
  u8 base, index;       ///< numbers
  u8 scale;             ///< log2
  u8 segment;           ///< 0: none, else number + 1
  u8 broadcast;         ///< N of {1toN}, 0: none
  u8 vector_index;      ///< 1, 2, 3: the index is an xmm, ymm, zmm register
};
static_assert(sizeof(OperandFacts) == 16);

struct Operand : OperandFacts {
  u64 classes;          ///< see row.h, in the space `space`
  const Reg* reg;       ///< of a register operand
  Value value;          ///< displacement, immediate or branch target
  const char* where;

  void set_register(const Reg& r) {
    space = space_register;
    reg = &r;
    classes = r.classes;
    number = r.number;
    reg_flags = r.flags;
  }
};

enum PrefixFlag : u32 {
  prefix_lock = 1, prefix_rep = 2, prefix_repne = 4, prefix_data = 8, prefix_addr = 16,
  prefix_bnd = 32, prefix_notrack = 64, prefix_xacquire = 128, prefix_xrelease = 256,
  prefix_rex = 512,                 ///< an explicit rex.*: bits in Statement::rex
  want_vex = 1 << 10, want_vex3 = 1 << 11, want_evex = 1 << 12, want_load = 1 << 13, want_store = 1 << 14,
  want_disp8 = 1 << 15, want_disp32 = 1 << 16, want_disp16 = 1 << 17, want_rex = 1 << 18, want_rex2 = 1 << 19,
  want_nooptimize = 1 << 20, want_vex2 = 1 << 21, want_swap = 1 << 22,
  want_nf = 1 << 23,
  uses_egpr = 1 << 24,              ///< an address has one of %r16 to %r31
  want_noimm8s = 1 << 25,           ///< no immediate of eight bits that is sign-extended
  clears_w = 1 << 26,               ///< VEX in place of another prefix that was written: -mvexwig does not count
};

/// F3 or F2, whatever it means.
inline constexpr u32 repetitions = prefix_rep | prefix_repne | prefix_bnd | prefix_xacquire | prefix_xrelease;
/// Prefixes that only few instructions can have.
inline constexpr u32 meant_prefixes = repetitions | prefix_lock | prefix_data | prefix_notrack;

struct Statement {
  static constexpr unsigned max_operands = 5;
  unsigned count = 0;
  int memory = -1;             ///< the operand that is memory
  u32 prefixes = 0;
  u8 rex = 0;
  u8 emitted = 0;              ///< bytes of prefixes that have been written
  u8 segment_prefix = 0;       ///< written as a prefix: number + 1
  bool unusual_address = false;///< an address with a segment, or not as wide as the mode's
  bool star = false;           ///< an operand was written with *
  bool shapeless = false;      ///< nothing is to be noted for the line cache
  bool sized_by_rex = false;   ///< a rex.w that was written has chosen the 64-bit form
  bool commute = false;        ///< sources may be exchanged as with -O2
  u8 deco = 0;                 ///< Deco bits that appear
  u8 mask = 0;                 ///< number of the mask register
  u8 mask_operand = 0;         ///< operand the mask stands behind
  u8 default_flags = 0;        ///< {dfv=}: OF 8, SF 4, ZF 2, CF 1
  u8 rounding = 0;             ///< L'L of {rn-sae} ...
  u8 before_rounding = 0;      ///< operands in front of it
  const Spelling* spelling = nullptr;  ///< AT&T: what the mnemonic can mean
  const char* where = nullptr; ///< the mnemonic
  const char* deco_where = nullptr;
  const char* end = nullptr;  ///< where the operands end that have been read; null: they have no text
  std::string_view mnemonic;
  union {
    Operand ops[max_operands + 1];  ///< in AT&T's order; those up to `count` have been set
  };

  Statement() {}  // nothing is done for the operands
};

/// Makes a number of the value if it is known to be one.
inline bool make_number(Value& v, Emitter& out) {
  if (v.is_constant()) return true;
  i64 number;
  if (v.modifier || !out.known_constant(v, number)) return false;
  v = Value{};
  v.constant = number;
  return true;
}

/// One of %r16 to %r31 by itself.
inline bool is_egpr(const Operand& o) { return o.space == space_register && (o.reg_flags & reg_egpr); }

inline bool has_egpr(const Statement& s) { return std::any_of(s.ops, s.ops + s.count, is_egpr); }

/// Not even its absolute value has 32 bits: GNU as from 2.44 on takes no short form for what is left of it.
inline bool is_longer_than_32_bits(i64 number) { return number > 0xFFFFFFFFll || number < -0xFFFFFFFFll; }

/// A form of APX that was encoded without VEX before.
inline bool is_promoted(const Row& row) { return row.encoding == encoding_evex && row.map == map_4; }

/// The number of the operand that a row holds there, or no_operand.
inline unsigned operand_in_role(const Row& row, Role role) { return (row.roles >> (4 * role)) & 15; }

/// That operand; null if there is none.
inline const Operand* role_operand(const Row& row, const Statement& s, Role role) {
  const unsigned i = operand_in_role(row, role);
  return i == no_operand ? nullptr : &s.ops[i];
}

}  // namespace xas::x86
