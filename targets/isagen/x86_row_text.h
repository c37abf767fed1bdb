// SPDX-License-Identifier: Apache-2.0
// A row of x86's tables as it is read (x86_read.cpp), before its families are multiplied out (x86_multiply.cpp).
#pragma once

#include <string>
#include <vector>

#include "targets/isagen/x86_table.h"

namespace xas::isagen {

/// A number that may depend on the family member: base + factor * member.
struct FamilyByte {
  unsigned base = 0;
  unsigned factor = 0;
};

struct OperandText {
  std::string kind;
  u8 deco = 0;
  bool star = false;
};

/// A feature in a row; `length` is the one of a length family that needs it, 0: all do.
struct NeededFeature {
  unsigned number;
  char length;
};

/// A row before its families are multiplied out.
struct RowText {
  std::vector<std::string> att_names;
  std::vector<std::string> intel_names;  ///< empty: the same
  bool bare = true;             ///< the name without a suffix is accepted
  bool suffixes = false;        ///< ... and with
  std::string sizes;            ///< suffix letters of the size family, or the one suffix
  bool length_suffix = false;
  std::string family;
  std::vector<OperandText> operands;
  std::string roles;

  x86::Encoding encoding = x86::encoding_legacy;
  unsigned map = x86::map_none;
  unsigned pp = x86::pp_none;
  std::string lengths;          ///< "x", "y", "z" or a family of them; "i" for LIG
  std::string w;                ///< "0" "1" "i" "v"
  bool size_prefix = false;     ///< 66h in pp for 16 bits (APX)
  bool rex_w = false;
  FamilyByte opcode;
  bool opcode_r = false;
  bool has_fixed_modrm = false;
  FamilyByte fixed_modrm;
  bool fixed_r = false;
  bool slash_r = false;
  bool has_digit = false;
  FamilyByte digit;
  std::vector<std::string> immediates;
  bool has_trailer = false;
  FamilyByte trailer;
  std::string target;
  bool fwait = false;
  unsigned operand_size = x86::size_none;
  unsigned address_size = x86::size_none;
  bool grows = false;
  unsigned grow_map = x86::map_none;
  FamilyByte grow_opcode;

  std::vector<NeededFeature> features;
  u32 flags = 0;
  bool only64 = false, not64 = false, d64 = false, norexw = false, novl = false;
  int disp_size = 0;
  u8 op = x86::op_none;
  std::vector<std::string> facts;  ///< words of the last column
};

/// Number of a declared feature.
unsigned feature_number(const Table& table, const std::string& name);

/// Adds the row's forms to the table: one for each combination of its families' members.
void multiply(Table& table, const RowText& row, const std::string& file, unsigned line, const std::string& text);

}  // namespace xas::isagen
