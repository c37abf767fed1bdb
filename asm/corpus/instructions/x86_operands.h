// SPDX-License-Identifier: Apache-2.0
// Operands of x86 instructions: which a row's kinds take, and how they are written.
#pragma once

#include <span>
#include <vector>

#include "asm/corpus/instructions/form.h"
#include "targets/x86/tables.h"

namespace xas::corpus::x86forms {

using namespace xas::x86;

/// Registers of a class, in the order of their numbers.
struct RegisterFile {
  std::string_view cls;  ///< the name in row.h
  std::span<const std::string_view> names;
  unsigned narrow_count;  ///< how many there are outside of 64-bit mode
};

struct Operand {
  enum Kind : u8 { reg, mem, imm, target } kind = reg;
  bool indirect = false;  ///< `*` in AT&T syntax
  bool symbolic = false;  ///< of mem, imm: `symbol` is added
  bool has_disp = false;
  u8 scale = 1;
  u8 broadcast = 0;  ///< N of {1toN}
  const RegisterFile* file = nullptr;
  std::string_view name;  ///< of a register
  std::string_view segment, base, index;
  i64 value = 0;  ///< of a number; the displacement; the distance
};

struct Choice {
  Operand operand;
  std::string_view edge;
};

struct Context {
  Machine machine;
  const Row& row;
  bool wide() const { return machine == Machine::x86_64; }
};

/// What operand i may be. `i` counts in the manual's order, rows in AT&T's.
inline const u64* kind_of(const Row& row, unsigned i) {
  return x86_kinds[row.kind[row.flags & row_straight ? i : row.count - 1u - i]];
}

/// Register number n of the file, or the last there is.
std::string_view register_name(const RegisterFile& file, unsigned n);

/// What operand i (in the manual's order) may be: the simplest first, then what is at the edges. Empty if the mode has
/// none.
void add_choices(std::vector<Choice>& out, const Context& context, unsigned i);
/// Any of what it may be.
Operand draw_operand(Random& random, const Context& context, unsigned i, std::span<const Choice> choices);
/// What is just beside what it may be.
std::vector<Choice> beyond(const Context& context, unsigned i);

void write_att(std::string& text, const Operand& operand);
/// With the size of memory in front, as operand i of the row has it.
void write_intel(std::string& text, const Row& row, unsigned i, const Operand& operand);

/// The row under one of its names, in words.
Form describe(std::string_view name, const Row& row, const Request& request);

}  // namespace xas::corpus::x86forms
