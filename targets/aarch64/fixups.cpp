// SPDX-License-Identifier: Apache-2.0
// What the fields of instructions hold when their values are known.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"

namespace xas::aarch64 {

namespace {

/// A distance that is a multiple of `scale`, in `bits` bits.
std::string branch(i64 value, unsigned bits, unsigned scale, u32& field) {
  if (value & (scale - 1))
    return fmt::format("the target is {} bytes away, which is not a multiple of {}", value, scale);
  const i64 reach = i64(scale) << (bits - 1);
  if (value < -reach || value >= reach)
    return fmt::format("the target is {} bytes away, out of reach ({} to {})", value, -reach, reach - i64(scale));
  field = u32(u64(value) / scale) & ((u32(1) << bits) - 1);
  return {};
}

/// The orr in `word` becomes movz or movn if they can move the value, of the bits in `mask`. They can't write sp.
bool wide_move(u64 value, u64 mask, u32& word) {
  constexpr u32 movz = 0x52800000, movn = 0x12800000, width = 0x80000000;
  const u32 rd = word & 31;
  if (rd == 31) return false;
  for (const auto& [opcode, v] : {std::pair{movz, value}, std::pair{movn, ~value & mask}}) {
    for (unsigned hw = 0; hw < 4; ++hw) {
      if (v & ~(u64(0xFFFF) << (16 * hw))) continue;
      word = (word & width) | opcode | hw << 21 | u32(v >> (16 * hw)) << 5 | rd;
      return true;
    }
  }
  return false;
}

/// A distance into its field; false if the field is of another kind.
bool put_distance(u16 kind, i64 value, u32& word, std::string& error) {
  u32 field = 0;
  switch (kind) {
    case fixup_branch26:
    case fixup_call26:
      error = branch(value, 26, 4, field);
      word |= field;
      break;
    case fixup_branch19:
    case fixup_literal19:
      error = branch(value, 19, 4, field);
      word |= field << 5;
      break;
    case fixup_branch14:
      error = branch(value, 14, 4, field);
      word |= field << 5;
      break;
    case fixup_branch9:
      error = branch(value, 9, 4, field);
      word |= field << 5;
      break;
    case fixup_back16:
      if (value > 0 || value < -0x3FFFC || value & 3)
        error = fmt::format("the target is {} bytes away; it must be 0 to 262140 bytes before this", value);
      word |= u32(-value / 4 & 0xFFFF) << 5;
      break;
    case fixup_adr:
    case fixup_adrp_addend:
      error = branch(value, 21, 1, field);
      word |= (field & 3) << 29 | (field >> 2) << 5;
      break;
    case fixup_adrp:
      error = branch(value & ~i64(0xFFF), 21, 4096, field);
      word |= (field & 3) << 29 | (field >> 2) << 5;
      break;
    default: return false;
  }
  return true;
}

/// 16 bits of movz or movk: the part that the operator `op` takes, if there is one.
std::string put_part(bool movz, std::string_view op, int group, i64 value, u32& word) {
  const bool checked = op.find("_nc") == op.npos;
  const bool is_signed = op.ends_with("_s") || (op.find("prel") != op.npos && op.find("nc") == op.npos);
  if (group == 3 && !is_signed)
    value = i64(u64(value) >> 48);  // whatever the sign
  else if (group > 0)
    value >>= 16 * group;
  if (movz && is_signed) {
    // movn for negative numbers
    word = value < 0 ? word & ~(1u << 30) : word | 1u << 30;
    if (value < 0) value = ~value;
  }
  if (checked && (value < 0 || value > 0xFFFF)) return fmt::format("{} does not fit in 16 bits", value);
  word |= u32(value & 0xFFFF) << 5;
  return {};
}

/// mov of any number that one instruction can hold.
std::string put_whole(i64 value, unsigned size, u32& word) {
  if (size == 32 && (value < -0x80000000ll || value > 0xFFFFFFFFll))
    return fmt::format("{} does not fit in 32 bits", value);
  const u64 mask = size == 32 ? 0xFFFFFFFFull : ~u64(0);
  if (wide_move(u64(value) & mask, mask, word)) return {};
  const int bits = logical_immediate(u64(value), size);
  if (bits < 0) return fmt::format("{} takes more than one instruction to move", value);
  word |= u32(bits) << 10;
  return {};
}

}  // namespace

bool AArch64Target::apply_distance(u16 kind, i64 distance, u8* at) const {
  const auto put = [&](unsigned bits, unsigned lsb) {
    const i64 words = distance >> 2, reach = i64(1) << (bits - 1);
    if (distance & 3 || words < -reach || words >= reach) return false;
    put_word(at, get_word(at) | (u32(words) & ((u32(1) << bits) - 1)) << lsb);
    return true;
  };
  switch (kind) {
    case fixup_branch26:
    case fixup_call26: return put(26, 0);
    case fixup_branch19:
    case fixup_literal19: return put(19, 5);
    case fixup_branch14: return put(14, 5);
    case fixup_adr: {
      constexpr i64 reach = i64(1) << 20;
      if (distance < -reach || distance >= reach) return false;
      put_word(at, get_word(at) | (u32(distance) & 3) << 29 | (u32(distance >> 2) & 0x7FFFF) << 5);
      return true;
    }
    default: return false;
  }
}

Target::BranchReach AArch64Target::branch_reach(u16 kind) const {
  switch (kind) {
    case fixup_branch26:
    case fixup_call26: return {i64(1) << 27, 1};
    case fixup_branch19: return {i64(1) << 20, 1};
    case fixup_branch14: return {i64(1) << 15, 1};
    default: return {};
  }
}

unsigned AArch64Target::write_stub(u8, u64 address, u8 (&out)[max_stub]) const {
  put_word(out, 0x58000050);      // ldr x16, .+8
  put_word(out + 4, 0xD61F0200);  // br x16
  for (unsigned i = 0; i < 8; ++i) out[8 + i] = u8(address >> (options_.big_endian ? 56 - 8 * i : 8 * i));
  return 16;
}

/// The immediate of add or sub, each of which becomes the other for a negative one. `free`: no operator says which part
/// of an address it is, so it may be shifted.
static std::string put_add(i64 value, bool free, u32& word) {
  constexpr u32 shifted = 1u << 22, subtracts = 1u << 30;
  if (free && value < 0 && value >= -0xFFFFFF) {
    value = -value;
    word ^= subtracts;
  }
  const bool may_shift = free && !(word & shifted);
  if (value < 0 || (value > 0xFFF && (!may_shift || value & 0xFFF || value > 0xFFF000)))
    return fmt::format("{} is no immediate of add or sub (0 to 4095, perhaps shifted by 12)", value);
  word |= value > 0xFFF ? (u32(value >> 12) << 10 | shifted) : u32(value) << 10;
  return {};
}

/// The offset of a load or store of `scale` bytes. In GNU as (`may_unscale`) ldr becomes ldur: bit 24 tells them apart.
static std::string put_offset(i64 value, unsigned scale, bool may_unscale, u32& word) {
  if (value >= 0 && value % scale == 0 && value / scale <= 0xFFF) {
    word |= u32(value / scale) << 10;
  } else if (may_unscale && value >= -256 && value < 256) {
    word = (word & ~(1u << 24)) | u32(value & 0x1FF) << 12;
  } else {
    return fmt::format("{} is no offset here: a multiple of {} from 0 to {} is", value, scale, 4095 * scale);
  }
  return {};
}

std::string AArch64Target::apply(u16 kind, u16 modifier, i64 value, u8* at) const {
  u32 word = get_word(at);
  std::string error;
  const std::string_view op = modifier_name(modifier);
  if (is_coff() && op.ends_with("lo12")) value &= 0xFFF;
  if (is_coff() && op.ends_with("hi12")) value = value >> 12 & 0xFFF;
  if (modifier && !is_coff() && !takes_operator(kind, modifier)) return fmt::format(":{}: can't stand here", op);
  if (put_distance(kind, value, word, error)) {
    if (error.empty()) put_word(at, word);
    return error;
  }
  switch (kind) {
    case fixup_add12:
      error = put_add(value, !modifier, word);
      if (op == "secrel_hi12") word |= 1u << 22;
      break;
    case fixup_offset1:
    case fixup_offset2:
    case fixup_offset4:
    case fixup_offset8:
    case fixup_offset16:
      error = put_offset(value, 1u << (kind - fixup_offset1), options_.gnu && !modifier, word);
      break;
    case fixup_unscaled:
      if (value < -256 || value > 255) return fmt::format("offset {} is out of range (-256 to 255)", value);
      word |= u32(value & 0x1FF) << 12;
      break;
    case fixup_movz:
    case fixup_movk: error = put_part(kind == fixup_movz, op, movw_group(modifier), value, word); break;
    case fixup_logical32:
    case fixup_logical64: {
      const int bits = logical_immediate(u64(value), kind == fixup_logical32 ? 32 : 64);
      if (bits < 0) return fmt::format("{} is no bitmask immediate", value);
      word |= u32(bits) << 10;
      break;
    }
    case fixup_mov32:
    case fixup_mov64: error = put_whole(value, kind == fixup_mov32 ? 32 : 64, word); break;
    case fixup_tls_call:
    case fixup_tls_add:
    case fixup_tls_load: return {};
    default: {
      if (kind < fixup_field || kind - fixup_field >= int(std::size(a64_encoders))) return "unknown field";
      const Encoder& e = a64_encoders[kind - fixup_field];
      if (e.encoding == enc_bytes) {
        const int bits = byte_mask(u64(value));
        if (bits < 0) return fmt::format("{:#x} has bytes that are neither 0 nor 255", u64(value));
        bool fits = true;
        word |= atoms::deposit(e, u64(bits), fits);
        break;
      }
      if (value < e.low || value > e.high || (value - e.base) % e.scale)
        return fmt::format("{} is out of range ({} to {})", value, e.low, e.high);
      atoms::put_linear(e, value, word);
    }
  }
  if (error.empty()) put_word(at, word);
  return error;
}

}  // namespace xas::aarch64
