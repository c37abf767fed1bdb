// SPDX-License-Identifier: Apache-2.0
// Expressions: read once into the linear form `Value` (add - sub + constant), which nearly all are; the others become
// nodes of the pool, and an anonymous symbol stands for them. After layout `evaluate` resolves any of them.
#pragma once

#include <vector>

#include "asm/program/symbol.h"

namespace xas {

struct ExprNode {
  ExprOp op = ExprOp::leaf;
  u32 lhs = 0, rhs = 0;  ///< nodes
  Value value;           ///< of a leaf
  SourceLoc loc = 0;
};

class ExprPool {
 public:
  u32 leaf(const Value& value, SourceLoc loc) { return push({ExprOp::leaf, 0, 0, value, loc}); }
  u32 node(ExprOp op, u32 lhs, u32 rhs, SourceLoc loc) { return push({op, lhs, rhs, {}, loc}); }
  const ExprNode& operator[](u32 i) const { return nodes_[i]; }
  void clear() { nodes_.clear(); }

 private:
  u32 push(ExprNode n) {
    nodes_.push_back(n);
    return u32(nodes_.size() - 1);
  }
  std::vector<ExprNode> nodes_;
};

/// What a symbol or an expression comes to: a number, a place in a section plus a number, or an undefined symbol plus
/// a number.
struct Resolved {
  enum Kind : u8 { number, place, undefined, error } kind = error;
  i64 value = 0;               ///< the number; the offset in the section; the addend to the undefined symbol
  u32 section = 0;             ///< of a place: index of the section
  SymbolId symbol = no_symbol; ///< the symbol that a relocation would name: the label, the undefined or common symbol
  i64 addend = 0;              ///< what is to be added to `symbol`
  const char* message = nullptr;  ///< of an error: why
};

}  // namespace xas
