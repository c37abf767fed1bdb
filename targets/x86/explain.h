// SPDX-License-Identifier: Apache-2.0
// Why a statement is no instruction: what is said of it (explain.cpp), and the nearest form that would be one
// (nearest_form.cpp).
#pragma once

#include "targets/x86/x86.h"

namespace xas::x86 {

/// Finds the words for it.
class X86Target::Explainer {
 public:
  explicit Explainer(const X86Target& target) : x_(target) {}

  void explain(const Spelling& spelling, const Statement& s, Emitter& out);
  /// Why `name`, which begins with '%', is no register here.
  std::string explain_register(std::string_view name) const;
  std::string explain_stack_register(const char* p) const;
  /// Why a name can't stand in an address.
  std::string explain_in_address(std::string_view name) const;
  /// Why a register can't be the index beside this base (use_index).
  std::string explain_index(const char* problem, const Reg& index, AddressRegs base) const;
  /// What is missing where a comma or the end of the line stands.
  std::string explain_missing(char found, const Statement& s) const;

 private:
  bool explain_syntax(const Statement& s, Emitter& out);
  bool explain_comma(const Statement& s, Emitter& out);
  std::string nearest_register(std::string_view name) const;
  bool explain_vector_index(const Spelling& spelling, const Statement& s, Emitter& out) const;
  bool explain_only64(const Statement& s, Emitter& out) const;
  void explain_operand(const Spelling& spelling, const Statement& s, int at, const Classes& wanted, bool alike,
                       Emitter& out) const;
  void explain_mode(const Spelling& spelling, const Statement& s, Emitter& out) const;
  std::string pointed_to(const Reg& reg, const Classes& wanted) const;
  std::string nearest_form(const Spelling& spelling, const Statement& s, FormKind kind = FormKind::any) const;
  std::string turned_round(const Spelling& spelling, const Statement& s) const;
  bool is_offered(const Row& row) const;

  const X86Target& x_;
};

}  // namespace xas::x86
