// Shapes and templates (asm/instruction_shape.h) for targets whose instructions are words: A64.
//
// All registers but the zero register and the stack pointer, and all decimal numbers are taken out; what stands behind
// a vector register's number (.4s) stays. A template knows the range of each number and register that is encoded as the
// first was, and by which form: another number is read, which may come to another template for the same key.
#pragma once

#include <string_view>

#include "asm/instruction_shape.h"

namespace xas {

struct WordShape {
  TextKey key;
  const char* end;        ///< of the line: its newline
  std::string_view name;  ///< what was taken out; empty if there is no name
  WordPieces pieces;

  /// Reads the line at p, in text that ends at `limit`; false if it has no shape. max_shape_line bytes behind `limit`
  /// can be read.
  bool read(const CharTable& chars, const char* p, const char* limit);

 private:
  unsigned take_register(const char* p, unsigned begin, unsigned stop);
  bool take_number(const char* p, unsigned begin, unsigned stop, unsigned size);
};

struct WordTemplate : SymbolTemplate {
  u32 word;  ///< zero where a field is
  WordFields fields;

  /// The word of another line of the shape; false if it may be encoded otherwise.
  bool put(const WordPieces& pieces, u32& to) const;
  /// Takes `of`, the first of the shape, as what the others are made of; false if it does not hold the pieces so.
  bool hold(u32 of, const WordPieces& pieces);
};

using WordTemplates = TextTable<WordTemplate>;

inline bool WordTemplate::put(const WordPieces& pieces, u32& to) const {
  u64 all = word;
  u32 seen = 0;
  bool twice = false;
  for (unsigned i = 0; i < pieces.register_count; ++i) {
    const WordFields::Register& r = fields.registers[i];
    const u32 number = pieces.registers[i].number;
    if (number > r.most) return false;
    twice |= seen >> number & 1;
    seen |= u32(1) << number;
    all |= u64(number) << r.bit[0] | u64(number) << r.bit[1];
  }
  if (fields.distinct && twice) return false;
  for (unsigned i = 0; i < pieces.number_count; ++i) {
    const WordFields::Number& n = fields.numbers[i];
    const i32 number = pieces.numbers[i].value;
    if (number < n.low || number > n.high || (u32(number) & n.odd)) return false;
    for (const WordFields::Part& part : n.parts) {
      const u32 value = u32((number ^ part.flip) + part.add) >> part.shift;
      all |= u64(value & ((u32(1) << part.width) - 1)) << part.bit;
    }
  }
  to = u32(all);
  return true;
}

}  // namespace xas
