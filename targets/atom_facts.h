// SPDX-License-Identifier: Apache-2.0
// What an instruction does beside its encoding: which operands it reads and writes, which state that no operand names,
// whether it touches memory or branches, and which of its registers may not be the same. One entry for each different
// set of facts; rows of the generated tables have its number in an array of their own (`facts_of` in the target's
// tables.h), so that matching never touches it. Shared with the generator. For targets whose operands are atoms.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas::atoms {

/// State that instructions read or write though no operand names it.
enum State : u32 {
  state_n = 1, state_z = 2, state_c = 4, state_v = 8,
  state_q = 0x10,       ///< ARM: saturation has occurred
  state_ge = 0x20,      ///< ARM: greater or equal, a bit for each byte
  state_fpflags = 0x40, ///< ARM: the flags that floating-point comparisons set
  state_vpr = 0x80,     ///< ARM: predicates of MVE
  state_lr = 0x100, state_sp = 0x200,
  state_x16 = 0x800, state_x17 = 0x1000, state_x15 = 0x2000,
  state_ffr = 0x4000,   ///< SVE's first-fault register
  state_nzcv = 15,
};

struct StateName {
  std::string_view name;
  u32 bit;
};

inline constexpr StateName state_names[] = {
    {"n", state_n},   {"z", state_z},   {"c", state_c},   {"v", state_v},     {"q", state_q},     {"ge", state_ge},
    {"lr", state_lr}, {"sp", state_sp}, {"x15", state_x15}, {"x16", state_x16}, {"x17", state_x17}, {"ffr", state_ffr},
    {"vpr", state_vpr}, {"fpflags", state_fpflags}};

enum class Branch : u8 { none, jump, call, ret };

/// How an assembler takes registers that clash.
enum class Severity : u8 { none, warning, error };

/// One condition on an instruction's word, on fields of registers or on lists of them (a bit for each).
struct ClashTest {
  enum Kind : u8 {
    same,    ///< the fields at `at` and at `other` are equal
    number,  ///< the field at `at` is `other`
    holds,   ///< the list at `at` has the register of the field at `other`
    has,     ///< the list at `at` has register `other`
    always,
  };
  Kind kind;
  u8 at, width;
  u8 other;
  bool wanted;     ///< the condition must hold, or must not
  bool ends_term;  ///< of conditions that must all be met
  bool ends;       ///< of the rule, whose terms are alternatives
};

enum class ClashWhen : u8 {
  always,
  may,     ///< the feature may be used
  chosen,  ///< the feature is of the selected processor
  lacks,   ///< the feature is not of the selected processor
};

/// A rule that registers break, which the architecture calls unpredictable, and what the assemblers say then.
struct Clash {
  std::string_view message;
  Severity gnu, llvm;
  ClashWhen when;
  u16 feature;
};

/// A rule of a form, and the first of its conditions.
struct ClashUse {
  u16 clash;
  u16 tests;
};

struct Facts {
  // Operands by the number of their atom, a bit for each; registers of addresses and lists are among them.
  u16 reads, writes;
  // Of enum State. What a suffix `s` sets is among it for forms that have the suffix; those of Thumb that have it
  // outside of IT blocks alone (row_flags_outside) set nothing in them.
  u32 state_reads, state_writes;
  Branch branch;
  bool conditional;  ///< of a branch: it may not be taken
  bool indirect;     ///< of a branch: a register or memory says where to
  bool loads, stores;
  u8 clash_count;
  u16 clashes;       ///< the first of its rules
  u32 traits;        ///< the target's own (enum Trait)
};

/// Whether a rule's conditions are met by an instruction.
inline bool clashes(const ClashTest* test, u32 word) {
  for (bool term = true;; ++test) {
    const auto field = [&](unsigned at, unsigned width) { return word >> at & ((1u << width) - 1); };
    bool met = true;
    switch (test->kind) {
      case ClashTest::same: met = field(test->at, test->width) == field(test->other, test->width); break;
      case ClashTest::number: met = field(test->at, test->width) == test->other; break;
      case ClashTest::holds: met = word >> (test->at + field(test->other, 4)) & 1; break;
      case ClashTest::has: met = word >> (test->at + test->other) & 1; break;
      case ClashTest::always: break;
    }
    term &= met == test->wanted;
    if (!test->ends_term) continue;
    if (term) return true;
    if (test->ends) return false;
    term = true;
  }
}

}  // namespace xas::atoms
