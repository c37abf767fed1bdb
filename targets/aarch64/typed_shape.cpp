// SPDX-License-Identifier: Apache-2.0
// Shapes of instructions that are said by a mnemonic's number and values (targets/line_shape.h): as those of lines
// (line_shape.cpp), with half a word of the key for each operand. Where a piece stands is which atom it becomes
// (typed_instruction.cpp).
#include <array>

#include "targets/aarch64/aarch64.h"
#include "targets/typed_shape.h"

namespace xas::aarch64 {

namespace {

/// By atom: one more than the last number of a class's registers that stand for each other; 0: they don't.
constexpr std::array<u8, 256> alike = [] {
  std::array<u8, 256> end{};
  end[atom_w] = end[atom_x] = 31;
  for (unsigned a = atom_b; a <= atom_q; ++a) end[a] = 32;
  for (unsigned a = atom_v; a <= atom_z_q; ++a) end[a] = 32;
  for (unsigned a = atom_p; a <= atom_p_m; ++a) end[a] = 16;
  return end;
}();

/// The mnemonics whose numbers are masks, or bits that depend on each other.
constexpr std::string_view with_numbers[] = {"and",  "ands", "orr",  "orn",   "eor",  "eon",  "tst",   "bic", "bfc",
                                             "bfi",  "bfm",  "bfxil", "sbfiz", "sbfm", "sbfx", "ubfiz", "ubfm", "ubfx"};

class NumberKeepers {
 public:
  constexpr NumberKeepers() {
    for (const std::string_view name : with_numbers) {
      const u32 number = mnemonic_number(hash_name(name));
      u32 at = slot(number);
      while (numbers_[at]) at = (at + 1) % slots;
      numbers_[at] = number;
    }
  }
  constexpr bool has(u32 number) const {
    u32 at = slot(number);
    while (numbers_[at] && numbers_[at] != number) at = (at + 1) % slots;
    return numbers_[at] != 0;
  }

 private:
  static constexpr u32 slots = 128;
  static constexpr u32 slot(u32 number) { return number / 8 % slots; }
  u32 numbers_[slots] = {};
};
constexpr NumberKeepers number_keepers;

class ShapeOfValues {
 public:
  ShapeOfValues(WordPieces& pieces, ShapeSymbol& symbol, u32 mnemonic)
      : pieces_(pieces), symbol_(symbol), mnemonic_(mnemonic) {}

  /// The operand's half word, not 0; 0: there is no shape.
  [[gnu::always_inline]] u32 word(const xas_arg& a) {
    if (a.kind == XAS_ARG_REGISTER && is_bare(a)) {
      const u32 r = reg(a.reg);
      return r ? tag_register | r << 3 : 0;
    }
    constexpr unsigned known_flags = XAS_ARG_WRITE_BACK | XAS_ARG_ELEMENT;
    if (a.segment | a.mask | a.scale | a.size | a.broadcast | (a.flags & ~known_flags) | a.value.subtract) return 0;
    if (a.text && a.kind != XAS_ARG_WORD && a.kind != XAS_ARG_MEMORY) return 0;
    if (a.value.modifier && !a.value.add) return 0;
    switch (a.kind) {
      case XAS_ARG_REGISTER: return a.count ? 0 : one_register(a, 0);
      case XAS_ARG_LIST: return a.count - 1u > 3 || a.flags & XAS_ARG_WRITE_BACK ? 0 : one_register(a, a.count);
      case XAS_ARG_VALUE:
      case XAS_ARG_TARGET: return a.flags | a.count ? 0 : value(a.value);
      case XAS_ARG_MEMORY: return a.flags & ~XAS_ARG_WRITE_BACK || a.count ? 0 : memory(a);
      case XAS_ARG_WORD: return a.flags | a.count | a.value.add ? 0 : text(a.text) ? u32(tag_text) : 0;
      default: return 0;
    }
  }

  /// What did not fit into the words: a text, or a number that stays.
  u64 rest() const { return rest_; }

  void finish() {
    pieces_.line = nullptr;
    pieces_.register_count = u8(register_count_);
    pieces_.number_count = u8(number_count_);
  }

 private:
  enum Tag : u32 { tag_register = 1, tag_number, tag_kept_number, tag_symbol, tag_memory, tag_text };

  /// There is nothing but a register.
  static bool is_bare(const xas_arg& a) {
    const RareParts rare(a);
    return !(rare.registers | rare.facts | a.value.add | a.value.subtract | a.value.modifier) && !a.text;
  }

  /// Its class, and its number if it stays: sixteen bits, not 0; 0: it is none.
  u32 reg(xas_register number) {
    if (number - 1 > 0xFFFF) return 0;
    const Register r = Register::unpack(int(number - 1));
    const u8 end = alike[r.atom];
    u32 stays = r.number;
    if (end && !has_text_) {
      if (r.number >= end) return 0;
      if (register_count_ == WordPieces::max_registers) return 0;
      pieces_.registers[register_count_++] = {atom_, r.number};
      stays = was_taken;
    } else if (r.number > 31) {
      return 0;
    }
    ++atom_;
    return u32(r.atom) << 8 | stays;
  }
  static constexpr u32 was_taken = 0xFF;

  /// The same in an address: its class tells all. 0: it does not.
  u32 in_address(xas_register number) {
    const u32 r = reg(number);
    const Atom atom = Atom(r >> 8);
    const bool fixed = (atom == atom_sp || atom == atom_wsp || atom == atom_xzr || atom == atom_wzr) && (r & 31) == 31;
    return fixed || (r & 0xFF) == was_taken ? u32(atom) : 0;
  }

  u32 one_register(const xas_arg& a, u32 count) {
    if (a.value.add) return 0;
    atom_ += count != 0;
    const u32 r = reg(a.reg);
    if (!r) return 0;
    const bool has_element = a.flags & XAS_ARG_ELEMENT, write_back = a.flags & XAS_ARG_WRITE_BACK;
    atom_ += has_element + write_back;
    const u32 element = has_element ? a.element : 0;
    return element > 0x3F ? 0 : tag_register | r << 3 | u32(has_element) << 19 | element << 20 | u32(write_back) << 26 |
                                    count << 27;
  }

  u32 value(const xas_value& v) {
    if (v.add) return symbol(v) ? tag_symbol | u32(v.constant != 0) << 3 | v.modifier << 8 : 0;
    if (number_keepers.has(mnemonic_)) {
      ++atom_;
      return keep(u64(v.constant)) ? u32(tag_kept_number) : 0;
    }
    return number(v.constant) ? tag_number | u32(v.constant < 0) << 3 : 0;
  }

  bool number(i64 v) {
    if (number_count_ == WordPieces::max_numbers || !is_taken(v) || has_text_) return false;
    pieces_.numbers[number_count_++] = {atom_, i32(v)};
    ++atom_;
    return true;
  }

  bool symbol(const xas_value& v) {
    if (symbol_.handle || v.add == XAS_HERE || v.modifier > 0xFF || !is_taken(v.constant)) return false;
    symbol_.handle = v.add;
    symbol_.constant = v.constant;
    ++atom_;
    return true;
  }

  u32 memory(const xas_arg& a) {
    ++atom_;  // [
    const u32 base = in_address(a.reg);
    if (!base) return 0;
    u32 index = 0, offset = 0;
    if (a.index) {
      if (a.value.add || a.value.constant) return 0;
      if (!(index = in_address(a.index))) return 0;
    } else if (a.value.add) {
      if (!symbol(a.value)) return 0;
      offset = 3;
    } else if (a.value.constant) {
      if (!number(a.value.constant)) return 0;
      offset = a.value.constant < 0 ? 2 : 1;
    }
    ++atom_;  // ], unless there is a text
    if (a.text && !text(a.text)) return 0;
    return tag_memory | base << 3 | index << 11 | offset << 19 | u32(a.value.constant != 0) << 21 |
           u32(a.flags & XAS_ARG_WRITE_BACK) << 21 | u32(a.text != nullptr) << 23 | a.value.modifier << 24;
  }
  /// A short one that stays. How many atoms it becomes is not known.
  bool text(const char* p) {
    u64 word = 0;
    unsigned n = 0;
    for (; p[n]; ++n) {
      if (n == max_text) return false;
      word |= u64(u8(p[n])) << (8 * n);
    }
    has_text_ = true;
    return n && keep(word);
  }

  bool keep(u64 what) {
    constexpr unsigned unused = 64 - 8 * max_text;
    if (has_rest_ || (what >> (8 * max_text) && u64(i64(what << unused) >> unused) != what)) return false;
    has_rest_ = true;
    rest_ = what << unused >> unused;
    return true;
  }

  static constexpr unsigned max_text = 7;

  WordPieces& pieces_;
  ShapeSymbol& symbol_;
  u32 mnemonic_;
  u32 register_count_ = 0, number_count_ = 0;
  u8 atom_ = 0;  ///< which the next operand begins with
  bool has_text_ = false, has_rest_ = false;
  u64 rest_ = 0;
};

}  // namespace

bool AArch64Target::typed_word_shape(u32 number, u32 how, const xas_arg* args, std::size_t count, WordShape& shape,
                                     ShapeSymbol& symbol) const {
  constexpr std::size_t max_count = 4;
  if (how || count > max_count || follows_.active) return false;
  ShapeOfValues values(shape.pieces, symbol, number);
  shape.key[0] = number | u64(count) << 32;
  shape.key[1] = shape.key[2] = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const u64 word = values.word(args[i]);
    if (!word) return false;
    shape.key[1 + i / 2] |= word << (i % 2 * 32);
  }
  shape.key[3] = typed_key | values.rest();
  values.finish();
  return true;
}

}  // namespace xas::aarch64
