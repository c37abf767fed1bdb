// SPDX-License-Identifier: Apache-2.0
// Templates of instructions that are said by values: found by the mnemonic and the operands, but for what was taken out
// of these (targets/typed_shape.h). No key is made of them: they are compared with the first ones of their shape.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>

#include "asm/read/cache/template.h"
#include "objwriter/big_memory.h"
#include "objwriter/endian.h"
#include "targets/typed_shape.h"

namespace xas {

/// A text of up to seven characters, in a word; 0: it is longer, or there is none.
inline u64 short_text(const char* p) {
  u64 word = 0;
  for (unsigned n = 0; p && p[n]; ++n) {
    if (n == sizeof word - 1) return 0;
    word |= u64(u8(p[n])) << (8 * n);
  }
  return word;
}

/// What is the same in all instructions of a shape, of one operand: the fields that its kind has; the bits of a mask
/// count.
struct ArgPattern {
  ArgPattern() = default;
  /// Of the first one; of registers that were taken out, the bits of `class_mask` count.
  ArgPattern(const xas_arg& a, u8 taken, u32 class_mask);

  u32 kind;
  bool is_register, is_memory, has_value;
  u32 reg, reg_mask;
  u32 index, index_mask;
  u32 add, add_mask;
  u32 modifier;
  i64 constant, constant_mask;
  u64 text;
  u32 sizes;
  u16 facts;
  u8 count;
  bool has_text;

  /// Not zero: another operand.
  [[gnu::always_inline]] u64 difference(const xas_arg& a) const {
    const u32 other_kind = u32(a.kind) ^ kind;
    if (is_register) [[likely]]
      return other_kind | other_register(a) | a.mask | other_facts(a);
    if (is_memory)
      return other_kind | other_register(a) | other_index(a) | a.segment | a.mask | (sizes_of(a) ^ sizes) |
             other_facts(a) | other_value(a.value) | !is_text(a.text);
    if (has_value)
      return other_kind | other_value(a.value) | (kind == XAS_ARG_TARGET ? other_register(a) | other_index(a) : 0);
    if (kind == XAS_ARG_LIST) return other_kind | other_register(a) | a.mask | other_facts(a) | u32(a.count ^ count);
    return other_kind | !is_text(a.text);
  }

  // Fields are read as wide as the caller has most likely written them, just now: a wider load would wait until his
  // stores are through.

  /// Scale, size, broadcast, count.
  static u32 sizes_of(const xas_arg& a) { return value_at<u32>(&a.scale); }
  /// Element, flags.
  static u16 facts_of(const xas_arg& a) { return value_at<u16>(&a.element); }

 private:
  static_assert(offsetof(xas_arg, count) == offsetof(xas_arg, scale) + 3);
  static_assert(offsetof(xas_arg, flags) == offsetof(xas_arg, element) + 1);

  template <class T>
  static T value_at(const void* p) {
    T value;
    std::memcpy(&value, p, sizeof value);
    return value;
  }
  bool is_text(const char* p) const { return !has_text ? !p : p && short_text(p) == text; }
  u32 other_facts(const xas_arg& a) const { return u32(facts_of(a) ^ facts); }
  u32 other_register(const xas_arg& a) const { return (a.reg ^ reg) & reg_mask; }
  u32 other_index(const xas_arg& a) const { return (a.index ^ index) & index_mask; }
  u64 other_value(const xas_value& v) const {
    return (u64(v.constant ^ constant) & u64(constant_mask)) | ((v.add ^ add) & add_mask) | v.subtract |
           (v.modifier ^ modifier);
  }
};

/// The instructions of a shape.
struct TypedPattern {
  TypedPattern(u32 number, std::span<const xas_arg> args, const TypedShape& shape, u32 class_mask);

  u32 mnemonic;
  u8 operands;
  bool is_plain;  ///< it is always the bytes alone: no symbol, and nothing that depends on where it stands
  u16 value_at;  ///< where among the bytes of the operands the symbol's value stands
  ArgPattern patterns[TypedShape::max_operands];

  [[gnu::always_inline]] bool is_for(u32 number, std::span<const xas_arg> args) const {
    if (mnemonic != number || operands != args.size()) [[unlikely]]
      return false;
    const ArgPattern* pattern = patterns;
    u64 differ = 0;
    for (const xas_arg& a : args) differ |= (pattern++)->difference(a);
    return differ == 0;
  }

  /// What stands there among the bytes of the operands.
  template <class T>
  static T value_of(const xas_arg* args, u16 at) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(args) + at, sizeof value);
    return value;
  }
  const xas_value& symbol_of(const xas_arg* args) const {
    return *reinterpret_cast<const xas_value*>(reinterpret_cast<const char*>(args) + value_at);
  }

 protected:
  /// Where the field of operand number i stands among the bytes of the operands.
  static u16 place(std::size_t i, std::size_t offset) { return u16(i * sizeof(xas_arg) + offset); }
  static constexpr std::size_t constant_offset = offsetof(xas_arg, value) + offsetof(xas_value, constant);
};

/// Of an instruction that is a word. WordTemplate's fields once more: each by where its value stands (`at`).
struct TypedWord : WordTemplate, TypedPattern {
  using Line = WordTemplate;  ///< what is learnt of a line
  using Encoded = u32;

  TypedWord(const WordTemplate& of, u32 number, std::span<const xas_arg> args, const TypedWordShape& shape);

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

  u8 register_count, part_count;
  Register registers[WordPieces::max_registers];
  Part parts[WordPieces::max_numbers * WordFields::max_parts];

  static u64 class_of(const GroupedRegisterTable*, xas_register reg) { return reg >> 8; }
  static bool is_large(i64) { return false; }
  /// The register's number within its class.
  static u8 number_of(const xas_arg* args, const Register& r) { return u8(value_of<xas_register>(args, r.at) - 1); }

  /// The word that these operands of the shape come to; false if they may be encoded otherwise.
  [[gnu::always_inline]] bool put(const GroupedRegisterTable*, const xas_arg* args, u32& to) const {
    u32 all = word;
    for (const Register& r : std::span(registers, register_count)) {
      const u8 number = number_of(args, r);
      if (number > r.max) [[unlikely]]
        return false;
      all += number * r.factor;
    }
    if (fields.distinct && names_one_twice(args)) [[unlikely]]
      return false;
    for (const Part& p : std::span(parts, part_count)) {
      const u64 number = value_of<u64>(args, p.at);
      if (number - u64(p.low) > p.range || (number & p.odd)) [[unlikely]]
        return false;
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

 private:
  void add_parts(const WordFields::Number& n, u16 at);
};

/// Of an instruction of any size. InstructionTemplate's fields once more, as TypedWord has WordTemplate's.
struct TypedBytes : InstructionTemplate, TypedPattern {
  using Line = InstructionTemplate;
  using Encoded = u8*;  ///< where the bytes go, of which more than `size` are written

  TypedBytes(const InstructionTemplate& of, u32 number, std::span<const xas_arg> args, const TypedBytesShape& shape);

  struct Register {
    u64 factor;  ///< its number times this is what it changes in the first eight bytes, or in those behind them
    u16 at;
    u8 group, alike;
    bool is_behind;
  };
  struct Number {
    i64 low;
    u64 range;  ///< number - low is at most this
    u16 at;
    u8 field_at, field_size;  ///< a size of 0: it is no field of the bytes
  };
  static constexpr unsigned max_numbers = 3;  // an immediate, a displacement, and what is added to a symbol

  u64 first, behind;  ///< sixteen bytes, with zeros for registers, as the host has integers
  u8 register_count, number_count;
  Register registers[InstructionFields::max_registers];
  Number numbers[max_numbers];

  static u64 class_of(const GroupedRegisterTable* all, xas_register reg) { return (*all)[reg % all->size()].group; }
  /// It takes another form than small ones.
  static bool is_large(i64 constant) { return constant != i8(constant); }

  [[gnu::always_inline]] bool put(const GroupedRegisterTable* all, const xas_arg* args, u8* to) const {
    u64 low = first, high = behind;
    for (const Register& r : std::span(registers, register_count)) {
      const GroupedRegister g = (*all)[value_of<xas_register>(args, r.at)];
      if (g.group != r.group || !(r.alike >> g.number & 1)) [[unlikely]]
        return false;
      (r.is_behind ? high : low) ^= g.number * r.factor;
    }
    std::memcpy(to, &low, sizeof low);
    std::memcpy(to + sizeof low, &high, sizeof high);
    for (const Number& n : std::span(numbers, number_count)) {
      const auto v = value_of<i64>(args, n.at);
      if (u64(v) - u64(n.low) > n.range) [[unlikely]]
        return false;
      put_number(to + n.field_at, n.field_size, v);
    }
    return true;
  }
};

/// The table: sets of a few templates, of which a new one takes the place of the oldest.
template <class Template>
class TypedTemplates {
 public:
  /// The template of the instruction, which has been put `to` there; null: there is none.
  [[gnu::always_inline]] const Template* find(const GroupedRegisterTable* registers, u32 mnemonic,
                                              std::span<const xas_arg> args, typename Template::Encoded& to) const {
    if (!sets_) [[unlikely]]
      return nullptr;
    for (const u32 at : sets_[place(registers, mnemonic, args)].at) {
      if (!at) [[unlikely]]
        break;
      const Template& t = template_at(at);
      if (t.is_for(mnemonic, args) && t.put(registers, args.data(), to)) [[likely]]
        return &t;
    }
    return nullptr;
  }

  /// Where that of an instruction goes. Null if there is no memory.
  Template* put(const GroupedRegisterTable* registers, u32 mnemonic, std::span<const xas_arg> args) {
    if (!sets_) {
      memory_ = RawMemory(sets_size + max_templates * sizeof(Template));
      sets_ = static_cast<Set*>(memory_.get());
      if (!sets_) return nullptr;
      forget();
    }
    Set& set = sets_[place(registers, mnemonic, args)];
    const u32 oldest = set.at[ways - 1];
    std::copy_backward(set.at, set.at + ways - 1, set.at + ways);
    set.at[0] = oldest ? oldest : u32(sets_size + sizeof(Template) * count_++);
    return &template_at(set.at[0]);
  }

  /// Instructions may mean something else from here on.
  void forget() {
    count_ = 0;
    if (sets_) std::memset(sets_, 0, sets_size);
  }

 private:
  static constexpr unsigned ways = 4, log2_sets = 8;
  static constexpr std::size_t max_templates = ways << log2_sets;
  struct Set {
    u32 at[ways];  ///< where in `memory_` a template is; 0: there is none, and none behind it
  };
  static constexpr std::size_t sets_size = sizeof(Set) << log2_sets;

  Template& template_at(u32 at) const { return *reinterpret_cast<Template*>(reinterpret_cast<char*>(sets_) + at); }

  /// By what tells most instructions apart: the mnemonic, and of the first and the last operand the kind, the
  /// register's class and how large the number is.
  static std::size_t place(const GroupedRegisterTable* registers, u32 mnemonic, std::span<const xas_arg> args) {
    u64 h = mnemonic;
    if (!args.empty()) h ^= summary(registers, args.front()) << 16 ^ summary(registers, args.back()) << 40;
    return (h * hash_multiplier) >> (64 - log2_sets);
  }
  static u64 summary(const GroupedRegisterTable* registers, const xas_arg& a) {
    return u64(a.kind) ^ Template::class_of(registers, a.reg) << 8 ^ u64(Template::is_large(a.value.constant)) << 4;
  }

  RawMemory memory_;  ///< the sets, and the templates behind them
  Set* sets_ = nullptr;
  u32 count_ = 0;  ///< of templates
};

}  // namespace xas
