// SPDX-License-Identifier: Apache-2.0
// What expressions come to: symbols, sums and differences of them, and the trees of the expression pool, all reduced to
// at most one symbol added and one subtracted. During layout the answers are provisional: of the sizes as they stand.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "asm/program/expr_pool.h"

namespace xas {

class Program;

/// A place among the fixed bytes and the fragments of a subsection.
struct CodePlace {
  u32 subsection;
  u32 fragment;  ///< fragments before it
  u64 pos;   ///< fixed bytes before it
};

class Values {
 public:
  explicit Values(Program& program) : program_(program) {}

  /// After layout: what a symbol, or add - sub + constant, comes to.
  Resolved resolve(SymbolId id);
  Resolved resolve(const Value& value);
  /// After layout: brings a value to its simplest form, in which only labels, undefined and common symbols are left,
  /// and no two labels of one section. False, and why, if it has no such form.
  bool reduce(Value& value, const char*& why);
  /// LLVM on ARM: the distance of the symbol from a label has the lowest bit set, as its address has.
  bool keeps_thumb_bit(const Symbol& s) const;
  /// GNU as in ELF: differences with indirect functions are the linker's.
  bool keeps_indirect() const;
  /// This is one by now.
  bool is_indirect_difference(const Value& value) const;
  /// Where the two ends of a difference are; false if one of them is no label by now. `dot` is the current place.
  bool places(const Value& difference, const CodePlace& dot, CodePlace& end, CodePlace& start) const;
  /// Differences of two labels between which nothing can grow become numbers, but for those that a linker has to know
  /// of. `dot` is the current place.
  void fold(Value& value, const CodePlace& dot) const;
  /// The same of all, where a number is needed.
  void fold_to_number(Value& value, const CodePlace& dot) const;
  /// The number that a value comes to by now: absolute symbols and what is made of them.
  bool number_by_now(const Value& value, i64& result);
  /// For messages: "; 'name' is not defined", of the name on account of which a value is no number; else empty.
  std::string explain_unknown(const Value& value) const;
  /// The register that a symbol stands for, maybe by way of others; null if it stands for none.
  const Symbol* register_of(SymbolId id) const;
  /// Something may have been defined since the last answer of number_by_now.
  void new_state() { ++states_by_now_; }
  /// l op r, or op l; false with an error where it has no value.
  bool fold_constants(ExprOp op, i64 l, i64 r, i64& result, SourceLoc loc);

 private:
  bool expand(SymbolId id, Value& out, const char*& why);
  bool evaluate(u32 node, Value& out, const char*& why);
  bool comparable(const Value& l, const Value& r) const;
  bool join(Value& l, const Value& r, const char*& why);
  bool node_by_now(u32 node, i64& result);
  /// What a symbol that stands for an expression has come to, in one state of things.
  struct Expanded {
    u32 version = ~u32(0);
    bool open = false;  ///< it is being worked out
    const char* why;    ///< it has no value, and why; else null
    Value value;
  };
  using ExpandedSymbols = std::unordered_map<SymbolId, Expanded>;
  template <class Work>
  const Expanded& resolve(ExpandedSymbols& table, u32 version, SymbolId root, Work&& work);
  void push_unresolved(const ExpandedSymbols& table, u32 version, u32 node);

  Program& program_;
  ExpandedSymbols expanded_, by_now_;
  std::vector<SymbolId> unresolved_;  ///< that `resolve` still has to look at
  u32 states_by_now_ = 0;            ///< the version of by_now_
};

/// The aliases made by .weakref and .set may lead to it: what a branch's operand names in the end, if that is a label
/// plus a constant.
bool branch_target(const Program& program, SymbolId id, i64& constant, SymbolId& label);

}  // namespace xas
