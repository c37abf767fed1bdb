// SPDX-License-Identifier: Apache-2.0
// Templates of instructions that are said by values, for targets whose instructions are words: found by the mnemonic
// and the operands, but for what was taken out of these (TypedWordShape). No key is made of them: they are compared as
// they are in memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

#include "asm/read/cache/template.h"
#include "objwriter/big_memory.h"
#include "targets/typed_shape.h"

namespace xas {

/// An operand in words of 32 bits.
inline constexpr std::size_t arg_words = sizeof(xas_arg) / sizeof(u32);

/// By TypedWordShape::Part: the bits of an operand that are the same in all instructions of the shape.
alignas(16) inline constexpr auto arg_masks = [] {
  std::array<std::array<u32, arg_words>, 2 * TypedWordShape::text> masks{};
  constexpr auto word = [](std::size_t offset) { return offset / sizeof(u32); };
  constexpr std::size_t value = offsetof(xas_arg, value);
  constexpr std::size_t constant = word(value + offsetof(xas_value, constant));
  for (unsigned taken = 0; taken < masks.size(); ++taken) {
    const auto whole = [&](unsigned part) { return taken & part ? 0 : ~u32(0); };
    auto& m = masks[taken];
    for (const std::size_t offset :
         {offsetof(xas_arg, kind), offsetof(xas_arg, segment), offsetof(xas_arg, mask), offsetof(xas_arg, scale),
          value + offsetof(xas_value, subtract), value + offsetof(xas_value, modifier)})
      m[word(offset)] = ~u32(0);
    m[word(offsetof(xas_arg, element))] = std::bit_cast<u32>(std::array<u8, 4>{0xFF, 0xFF, 0, 0});  // and flags
    // Of registers, their class (Register::packed, and one more).
    m[word(offsetof(xas_arg, reg))] = whole(TypedWordShape::base) | ~u32(0xFF);
    m[word(offsetof(xas_arg, index))] = whole(TypedWordShape::index) | ~u32(0xFF);
    m[constant] = m[constant + 1] = whole(TypedWordShape::constant);
    m[word(value + offsetof(xas_value, add))] = whole(TypedWordShape::named);
    for (std::size_t i = 0; i < sizeof(const char*); i += sizeof(u32))
      m[word(offsetof(xas_arg, text) + i)] = whole(TypedWordShape::text);
  }
  return masks;
}();
static_assert(offsetof(xas_arg, broadcast) == offsetof(xas_arg, scale) + 2);
static_assert(offsetof(xas_arg, flags) == offsetof(xas_arg, element) + 1 && offsetof(xas_arg, element) % 4 == 0);

/// A text of up to seven characters, in a word; 0: it is longer, or there is none.
inline u64 short_text(const char* p) {
  u64 word = 0;
  for (unsigned n = 0; p && p[n]; ++n) {
    if (n == sizeof word - 1) return 0;
    word |= u64(u8(p[n])) << (8 * n);
  }
  return word;
}

/// Operands are compared in pieces: vectors, where the host's are made of these.
#if __SIZEOF_POINTER__ == 8
typedef u64 ArgPiece __attribute__((vector_size(16)));
#else
using ArgPiece = u32;
#endif
using ArgPieceBits = std::array<u32, sizeof(ArgPiece) / sizeof(u32)>;
static_assert(sizeof(xas_arg) % sizeof(ArgPiece) == 0);

inline ArgPiece arg_piece(const void* from, std::size_t number) {
  ArgPiece piece;
  std::memcpy(&piece, static_cast<const char*>(from) + number * sizeof piece, sizeof piece);
  return piece;
}

struct TypedTemplate : WordTemplate {
  /// Of the first instruction of the shape.
  TypedTemplate(const WordTemplate& of, u32 number, std::span<const xas_arg> args, const TypedWordShape& shape);

  // WordTemplate's fields once more: each by where among the bytes of the operands its value stands (`at`).
  struct Register {
    u32 factor;  ///< its number times this is what it adds to the word
    u16 at;
    u8 max;
  };
  /// Of a number: (((number ^ flip) + add) & mask), turned left.
  struct Part {
    i64 low;
    u64 range;  ///< number - low is at most this
    u32 odd;    ///< bits that must be zero
    u32 flip, add, mask;
    u16 at;
    u8 turn;
  };

  u32 mnemonic;
  u8 operands;
  bool has_text;
  u8 register_count, part_count;
  u16 value_at;  ///< of the symbol
  u8 taken[TypedWordShape::max_operands];
  Register registers[WordPieces::max_registers];
  Part parts[WordPieces::max_numbers * WordFields::max_parts];
  u64 text[TypedWordShape::max_operands];
  alignas(16) u32 rest[TypedWordShape::max_operands][arg_words];

  bool is_for(u32 number, std::span<const xas_arg> args) const {
    if (mnemonic != number || operands != args.size()) return false;
    ArgPiece differ = {};
    for (unsigned i = 0; i < args.size(); ++i) {
      const void* const mask = __builtin_assume_aligned(&arg_masks[taken[i]], sizeof(ArgPiece));
      const void* const same = __builtin_assume_aligned(rest[i], sizeof(ArgPiece));
#pragma GCC unroll 16
      for (std::size_t p = 0; p < sizeof(xas_arg) / sizeof(ArgPiece); ++p)
        differ |= (arg_piece(&args[i], p) & arg_piece(mask, p)) ^ arg_piece(same, p);
    }
    return std::bit_cast<ArgPieceBits>(differ) == ArgPieceBits{} && (!has_text || has_texts_of(args));
  }

  bool has_texts_of(std::span<const xas_arg> args) const {
    for (unsigned i = 0; i < args.size(); ++i)
      if (taken[i] & TypedWordShape::text && short_text(args[i].text) != text[i]) return false;
    return true;
  }

  /// What stands there among the bytes of the operands.
  template <class T>
  static T value_of(const xas_arg* args, u16 at) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(args) + at, sizeof value);
    return value;
  }
  /// The register's number within its class.
  static u8 number_of(const xas_arg* args, const Register& r) { return u8(value_of<xas_register>(args, r.at) - 1); }

  /// The word that these operands of the shape come to; false if they may be encoded otherwise.
  [[gnu::always_inline]] bool put(const xas_arg* args, u32& to) const {
    u32 all = word;
    for (const Register& r : std::span(registers, register_count)) {
      const u8 number = number_of(args, r);
      if (number > r.max) return false;
      all += number * r.factor;
    }
    if (fields.distinct && names_one_twice(args)) return false;
    for (const Part& p : std::span(parts, part_count)) {
      const u64 number = value_of<u64>(args, p.at);
      if (number - u64(p.low) > p.range || (number & p.odd)) return false;
      all |= std::rotl(((u32(number) ^ p.flip) + p.add) & p.mask, p.turn);
    }
    to = all;
    return true;
  }

  bool names_one_twice(const xas_arg* args) const {
    u32 seen = 0;
    for (unsigned i = 0; i < register_count; ++i) {
      const u32 bit = u32(1) << number_of(args, registers[i]);
      if (seen & bit) return true;
      seen |= bit;
    }
    return false;
  }

  const xas_value& symbol_of(const xas_arg* args) const {
    return *reinterpret_cast<const xas_value*>(reinterpret_cast<const char*>(args) + value_at);
  }

 private:
  void add_parts(const WordFields::Number& n, u16 at);
};

/// The table: sets of a few templates, of which a new one takes the place of the oldest.
class TypedTemplates {
 public:
  /// The template that makes `word` of the instruction; null: there is none.
  [[gnu::always_inline]] const TypedTemplate* find(u32 mnemonic, std::span<const xas_arg> args, u32& word) const {
    if (!sets_) return nullptr;
    for (const u16 used : sets_[place(mnemonic, args)].used) {
      if (!used) break;
      const TypedTemplate& t = templates_[used - 1];
      if (t.is_for(mnemonic, args) && t.put(args.data(), word)) return &t;
    }
    return nullptr;
  }

  /// Where that of an instruction goes. Null if there is no memory.
  TypedTemplate* put(u32 mnemonic, std::span<const xas_arg> args);

  /// Instructions may mean something else from here on.
  void forget();

 private:
  static constexpr unsigned ways = 4, log2_sets = 8;
  static constexpr std::size_t max_templates = ways << log2_sets;
  struct Set {
    u16 used[ways];  ///< one more than a template's index; 0: none, and none behind it
  };

  /// By what tells most instructions apart: the mnemonic, the class of the first operand's register, the last operand's
  /// kind and class.
  static std::size_t place(u32 mnemonic, std::span<const xas_arg> args) {
    u64 h = mnemonic;
    if (!args.empty()) {
      const xas_arg &first = args.front(), &last = args.back();
      h ^= (u64(last.kind) << 24 | last.reg >> 8) << 32 ^ u64(first.reg >> 8) << 16;
    }
    return (h * hash_multiplier) >> (64 - log2_sets);
  }

  RawMemory memory_;
  Set* sets_ = nullptr;
  TypedTemplate* templates_ = nullptr;  ///< behind the sets
  u16 count_ = 0;
};

}  // namespace xas
