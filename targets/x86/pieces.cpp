// SPDX-License-Identifier: Apache-2.0
// The pieces in which GNU as writes an instruction: each prefix, the opcode, ModRM, SIB, displacement, immediates; and
// how much room it keeps for a branch. Its line tables depend on them: asm/debug/memory_blocks.h.
#include "targets/x86/x86.h"

namespace xas::x86 {
namespace {

/// One instruction, read from its bytes.
class Pieces {
 public:
  Pieces(const u8* code, u64 left, unsigned bits, u8* sizes)
      : p_(code), end_(code + left), bits_(bits), narrow_(bits == 16), narrow_address_(bits == 16), sizes_(sizes) {}

  unsigned read() {
    while (p_ < end_ && is_prefix(*p_)) prefix();
    if (p_ >= end_) return 0;
    read_opcode();
    if (!is_whole_ && has_modrm()) read_modrm();
    if (!is_whole_) read_immediates();
    return p_ <= end_ ? count_ : 0;
  }

 private:
  enum Map : u8 { one_byte, map_0f, map_0f38, map_0f3a, xop_8 = 8, xop_9, xop_a };

  u8 at(unsigned i) const { return p_ + i < end_ ? p_[i] : 0; }
  void byte() { put(0, 1); }
  void piece(unsigned n) { put(u8(n), n); }
  void put(u8 size, unsigned n) {
    sizes_[count_++] = size;
    p_ += n;
  }

  bool is_prefix(u8 c) const {
    switch (c) {
      case 0x26:
      case 0x2E:
      case 0x36:
      case 0x3E:
      case 0x64:
      case 0x65:
      case 0x66:
      case 0x67:
      case 0xF0:
      case 0xF2:
      case 0xF3: return count_ < 14;
      default: return bits_ == 64 && c >> 4 == 4 && count_ < 14;
    }
  }

  void prefix() {
    if (*p_ == 0x66) narrow_ = bits_ != 16;
    if (*p_ == 0x67) narrow_address_ = bits_ == 32;
    wide_ = bits_ == 64 && *p_ >> 4 == 4 && (*p_ & 8);
    byte();
  }

  void read_opcode() {
    const bool in_64 = bits_ == 64 || at(1) >= 0xC0;
    if (*p_ == 0xC5 && in_64) return read_vector(2, map_0f);
    if (*p_ == 0xC4 && in_64) return read_vector(3, Map(at(1) & 0x1F));
    if (*p_ == 0x62 && in_64) return read_vector(4, Map(at(1) & 7));
    if (*p_ == 0x8F && (at(1) & 0x1F) >= 8) return read_vector(3, Map(at(1) & 0x1F));
    if (*p_ != 0x0F) {
      opcode_ = *p_;
      return read_one_byte();
    }
    map_ = at(1) == 0x38 ? map_0f38 : at(1) == 0x3A ? map_0f3a : map_0f;
    const unsigned n = map_ == map_0f ? 2 : 3;
    opcode_ = at(n - 1);
    if (map_ == map_0f && opcode_ >> 4 == 8) return whole(2 + number());
    // Some have all their bytes in the opcode.
    const bool is_fixed = at(2) >= 0xC0 && (opcode_ == 0x01 || (opcode_ == 0xAE && at(2) >= 0xE8) || opcode_ == 0x1E);
    if (map_ == map_0f && is_fixed) return whole(3);
    piece(n);
  }

  void read_vector(unsigned n, Map map) {
    is_vector_ = true;
    map_ = map;
    piece(n);
    opcode_ = at(0);
    byte();
  }

  void read_one_byte() {
    const bool is_short_jump = opcode_ == 0xEB || opcode_ >> 4 == 7 || (opcode_ >= 0xE0 && opcode_ <= 0xE3);
    if (is_short_jump) return whole(2);
    if (opcode_ == 0xE8 || opcode_ == 0xE9) return whole(1 + number());
    if (opcode_ == 0xC7 && at(1) == 0xF8) return whole(2 + number());
    if (opcode_ == 0x9A || opcode_ == 0xEA) return whole(3 + number());
    if (opcode_ >= 0xD8 && opcode_ <= 0xDF && at(1) >= 0xC0) return whole(2);
    byte();
  }

  void whole(unsigned n) {
    piece(n);
    is_whole_ = true;
  }

  unsigned number() const { return narrow_ ? 2 : 4; }

  bool has_modrm() const {
    const u8 op = opcode_;
    switch (map_) {
      case one_byte:
        switch (op >> 4) {
          case 0x0:
          case 0x1:
          case 0x2:
          case 0x3: return (op & 7) < 4;
          case 0x6: return op == 0x62 || op == 0x63 || op == 0x69 || op == 0x6B;
          case 0x8: return true;
          case 0xC: return op <= 0xC7 && op != 0xC2 && op != 0xC3;
          case 0xD: return op <= 0xD3 || op >= 0xD8;
          case 0xF: return (op & 7) >= 6;
          default: return false;
        }
      case map_0f:
        if (is_vector_) return op != 0x77;
        switch (op >> 4) {
          case 0x0: return op < 0x05 || op == 0x0D || op == 0x0F;
          case 0x3: return false;
          case 0x7: return op != 0x77;
          case 0xA: return (op & 7) >= 3;
          case 0xC: return op < 0xC8;
          default: return true;
        }
      default: return true;
    }
  }

  void read_modrm() {
    modrm_ = at(0);
    byte();
    const unsigned mod = modrm_ >> 6, rm = modrm_ & 7;
    if (mod == 3) return;
    if (narrow_address_) {
      const unsigned n = mod == 0 ? (rm == 6 ? 2 : 0) : mod;
      if (n) piece(n);
      return;
    }
    bool has_base = rm != 5;
    if (rm == 4) {
      has_base = (at(0) & 7) != 5;
      byte();
    }
    const unsigned n = mod == 1 ? 1 : mod == 2 || !has_base ? 4 : 0;
    if (n) piece(n);
  }

  void read_immediates() {
    const u8 op = opcode_;
    switch (map_) {
      case one_byte: return read_one_byte_immediates();
      case map_0f:
        if ((op >= 0x70 && op <= 0x73) || op == 0xA4 || op == 0xAC || op == 0xBA || op == 0xC2 ||
            (op >= 0xC4 && op <= 0xC6) || op == 0x0F)
          piece(1);
        return;
      case map_0f3a:
      case xop_8: return piece(1);
      case xop_a: return piece(4);
      default: return;
    }
  }

  void read_one_byte_immediates() {
    const u8 op = opcode_;
    const bool is_test = !(modrm_ & 0x30);  // of F6 and F7
    if (op < 0x40) {
      if ((op & 7) == 4) return piece(1);
      if ((op & 7) == 5) return piece(number());
      return;
    }
    switch (op) {
      case 0x68:
      case 0x69:
      case 0x81:
      case 0xA9:
      case 0xC7: return piece(number());
      case 0x6A:
      case 0x6B:
      case 0x80:
      case 0x82:
      case 0x83:
      case 0xA8:
      case 0xC0:
      case 0xC1:
      case 0xC6:
      case 0xCD:
      case 0xD4:
      case 0xD5:
      case 0xE4:
      case 0xE5:
      case 0xE6:
      case 0xE7: return piece(1);
      case 0xA0:
      case 0xA1:
      case 0xA2:
      case 0xA3: return piece(bits_ == 64 ? 8 : narrow_address_ ? 2 : 4);
      case 0xC2:
      case 0xCA: return piece(2);
      case 0xC8: piece(2); return piece(1);
      case 0xF6:
        if (is_test) piece(1);
        return;
      case 0xF7:
        if (is_test) piece(number());
        return;
      default: break;
    }
    if (op >= 0xB0 && op <= 0xB7) return piece(1);
    if (op >= 0xB8 && op <= 0xBF) return piece(wide_ ? 8 : number());
  }

  const u8* p_;
  const u8* const end_;
  const unsigned bits_;
  bool narrow_, narrow_address_;  ///< operands, addresses of two bytes
  bool wide_ = false, is_vector_ = false;
  bool is_whole_ = false;  ///< the rest is one piece, which has been read
  u8* const sizes_;
  unsigned count_ = 0;
  Map map_ = one_byte;
  u8 opcode_ = 0, modrm_ = 0;
};

}  // namespace

Target::FragmentSizes X86Target::fragment_sizes() const {
  if (!options_.gnu) return {};
  FragmentSizes sizes{
      .header = 160, .branch_fixed = 1, .branch_room = 5, .max_padding_room = 0xFFFF, .padding_as_needed = true};
  if (options_.gnu_since(244)) sizes.header = 144;
  if (options_.gnu_since(247)) {
    sizes.header = 136;
    sizes.max_padding_room = 35;
    sizes.padding_by_skip = true;
  }
  return sizes;
}

unsigned X86Target::written_pieces(const u8* code, u64 left, u8 (&sizes)[max_written_pieces]) const {
  return Pieces(code, left, options_.bits, sizes).read();
}

}  // namespace xas::x86
