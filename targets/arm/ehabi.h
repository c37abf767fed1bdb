// SPDX-License-Identifier: Apache-2.0
// Operations of ARM's exception tables: what undoes the instructions of a prologue, as bytes. Sections and references
// are written elsewhere (asm/program/ehabi.cpp).
//
// Source: Exception Handling ABI for the Arm Architecture, 10.3.
#pragma once

#include <vector>

#include "xas/types.hpp"

namespace xas::arm {

/// Operations of a function, in the order of its prologue.
class EhabiOperations {
 public:
  /// The stack pointer goes up (down, if negative) by `offset` bytes.
  void move_sp(i64 offset);
  /// The stack pointer is taken from a register.
  void sp_from(u8 reg);
  /// General registers were stored: a bit for each.
  void pop(u32 mask);
  /// The return address's signature was stored.
  void pop_signature();
  /// Double registers were stored: a bit for each.
  void pop_vector(u32 mask);
  /// What fstmx of Armv5 stored: a run of double registers, and another word.
  void pop_fstmx(u32 mask);
  /// Data registers of iWMMXt were stored: a bit for each.
  void pop_wmmx(u32 mask);
  /// Its registers wcgr0 to wcgr3 were stored: a bit for each.
  void pop_wmmx_control(u32 mask);
  /// `count` registers of FPA from `first` on were stored.
  void pop_fpa(u8 first, u8 count);
  /// If the last operation is `sp_from` of this register, it is taken back. False: it is another one.
  bool take_back_sp_from(u8 reg);
  /// Bytes as they are.
  void raw(std::vector<u8> bytes) { operations_.push_back(std::move(bytes)); }

  /// All in the order of unwinding, behind what says which routine reads them and how long they are. The routine is one
  /// of the ABI's own, of which the first takes three bytes in place (`index` is chosen if it is negative), or another
  /// one (`own_routine`).
  std::vector<u8> finish(bool own_routine, int& index) const;

 private:
  u32 take_wmmx_above(u32 mask);

  std::vector<std::vector<u8>> operations_;
};

}  // namespace xas::arm
