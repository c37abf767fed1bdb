// SPDX-License-Identifier: Apache-2.0
// Templates of the line cache (line_cache.h): what the first line of a shape (targets/line_shape.h) came to, to put the
// others together from: bytes, numbers, registers, one fixup or branch.
//
// All numbers of a class, and all registers of a group, take the same form of an instruction. A template says which of
// them it is good for; a line with another is read, and may come to another template for the same key.
#pragma once

#include "asm/read/cache/text_table.h"
#include "objwriter/endian.h"
#include "targets/emitter.h"
#include "targets/instruction_fields.h"
#include "targets/line_shape.h"

namespace xas {

/// What a template knows of the name that was taken out.
struct SymbolTemplate {
  i64 constant;      ///< beside the symbol
  FieldFixup field;  ///< the fixup; of a branch only `kind`: its form
  u16 modifier;
  i8 where;          ///< from the name to the place the fixup is reported at
  bool has_symbol, is_branch;
  bool is_near;  ///< the distance to a label of the same section, for which no linker is asked, can be put in
};

struct InstructionTemplate : SymbolTemplate {
  static constexpr u32 max_bytes = 16;

  u8 bytes[max_bytes];
  u8 size;                 ///< bytes; 0 with a branch
  u8 displacement_at, displacement_size, immediate_at, immediate_size;
  RegisterField registers[InstructionFields::max_registers];
};

/// A little-endian number of so many bytes.
inline void put_number(u8* to, u8 bytes, i64 v) {
  const ul32 stored = u32(v);
  if (bytes == 1)
    to[0] = u8(v);
  else if (bytes == 4)
    std::memcpy(to, &stored, 4);
  else if (bytes == 2)
    to[0] = u8(v), to[1] = u8(v >> 8);
  else
    for (u8 i = 0; i < bytes; ++i) to[i] = u8(v >> (8 * i));
}

/// By key.
using InstructionTemplates = TextTable<InstructionTemplate>;

struct WordTemplate : SymbolTemplate {
  u32 word;  ///< zero where a field is
  u8 block;  ///< Emitter::block behind it
  WordFields fields;

  /// The bytes of a word, the first one lowest, and the other way round.
  u32 in_order(u32 of) const { return fields.halves ? std::rotl(of, 16) : of; }

  /// The word of another line of the shape; false if it may be encoded otherwise.
  bool put(const WordPieces& pieces, u32& to) const;
  /// Takes `of`, the first of the shape, as what the others are made of; false if it does not hold the pieces so.
  bool hold(u32 of, const WordPieces& pieces);
};

using WordTemplates = TextTable<WordTemplate>;

inline bool WordTemplate::put(const WordPieces& pieces, u32& to) const {
  u64 all = word;
  for (unsigned i = 0; i < pieces.register_count; ++i) {
    const WordFields::Register& r = fields.registers[i];
    const u64 number = pieces.registers[i].number;
    if (number > r.max) return false;
    all |= number << r.bit[0] | number << r.bit[1];
  }
  if (fields.distinct && pieces.names_one_twice()) return false;
  for (unsigned i = 0; i < pieces.number_count; ++i) {
    const WordFields::Number& n = fields.numbers[i];
    const i32 number = pieces.numbers[i].value;
    if (number < n.low || number > n.high || (u32(number) & n.odd)) return false;
    for (const WordFields::Part& part : n.parts) {
      if (part.width == 0) break;
      const u32 value = u32((number ^ part.flip) + part.add) >> part.shift;
      all |= u64(value & ((u32(1) << part.width) - 1)) << part.bit;
    }
  }
  to = u32(all);
  return true;
}

}  // namespace xas
