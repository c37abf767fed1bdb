// SPDX-License-Identifier: Apache-2.0
// Literal pools: values that instructions load from memory near them (`ldr x0, =value`), until .ltorg or the end of the
// text writes them.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "asm/program/program.h"

namespace xas {

struct Literal {
  Value value;
  unsigned size;
  SymbolId label;
  SourceLoc loc;
  bool forgotten = false;  ///< its symbol has no name until the pool is written
  std::optional<u64> high = {};  ///< of a number that does not fit in `value`
  /// Of a pool of words: one of its own, the second of two, or one that nothing uses yet.
  enum { own, second, padding } word = own;
};

struct LiteralPool {
  u32 subsection;
  std::vector<Literal> literals = {};
  std::unordered_map<u64, u32> index = {};        ///< of `literals`, by literal_key
  std::unordered_map<u64, Literal> written = {};  ///< by .ltorg, the last of each key, if later loads may use them

  // Of a pool of words:
  std::unordered_map<u64, u32> doubles = {};  ///< where two words stand that are one number, by the number
  u32 padding = ~u32(0);                      ///< the first word that nothing uses yet
  bool has_doubles = false;
};

/// The same for all that may be the same literal: names count, as a symbol may have had another handle.
u64 literal_key(const Program& program, const Value& value, unsigned size);

}  // namespace xas
