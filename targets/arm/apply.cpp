// SPDX-License-Identifier: Apache-2.0
// What the fields of fixups hold: values and distances as bits, with the errors of those that do not fit.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdlib>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

/// A distance that is a multiple of `scale`, with `bits` bits and a sign.
std::string branch_error(i64 value, unsigned bits, unsigned scale) {
  const i64 reach = i64(scale) << (bits - 1);
  if (value & (scale - 1)) return fmt::format("the target is not a multiple of {} bytes away", scale);
  if (value < -reach || value >= reach)
    return fmt::format("the target is {} bytes away, out of reach ({} to {})", value, -reach, reach - i64(scale));
  return {};
}

/// A distance up to `max` in both directions, a multiple of `scale`.
std::string offset(i64 value, i64 max, unsigned scale) {
  const i64 size = value < 0 ? -value : value;
  if (size % scale) return fmt::format("the place is {} bytes away, which is not a multiple of {}", value, scale);
  if (size > max) return fmt::format("the place is {} bytes away, out of reach ({} to {})", value, -max, max);
  return {};
}

u32 t32_branch(u32 v, bool exchange) {
  const u32 s = v >> 24 & 1, i1 = v >> 23 & 1, i2 = v >> 22 & 1;
  return s << 26 | (v >> 12 & 0x3FF) << 16 | (i1 ^ s ^ 1) << 13 | (i2 ^ s ^ 1) << 11 |
         (exchange ? v >> 1 & 0x7FE : v >> 1 & 0x7FF);
}

// Each puts a value into a word if the field is of its kind, or tells why it can't be.

/// How far a branch's field reaches: its bits, in units of `scale` bytes.
struct Reach {
  u8 bits = 0, scale = 0;
  /// False if it is no field of a branch, too.
  bool fits(i64 value) const {
    const i64 reach = i64(scale) << bits >> 1;
    return value >= -reach && value < reach && !(value & (scale - 1));
  }
};

constexpr auto reaches = [] {
  std::array<Reach, fixup_field> of = {};
  of[fixup_a32_branch] = of[fixup_a32_call] = of[fixup_a32_call_conditional] = {24, 4};
  of[fixup_a32_blx] = {25, 2};
  of[fixup_t16_b8] = {8, 2};
  of[fixup_t16_b11] = {11, 2};
  of[fixup_t32_b20] = {20, 2};
  of[fixup_t32_b24] = of[fixup_t32_bl] = {24, 2};
  of[fixup_t32_blx] = {23, 4};
  return of;
}();

Reach reach_of(u16 kind) { return kind < reaches.size() ? reaches[kind] : Reach{}; }

/// The bits of a call's field that processors before Thumb-2 and Armv6-M have.
constexpr u8 short_call_bits = 22;

/// What the field of a branch holds of a distance.
u32 branch_field(u16 kind, u32 v) {
  switch (kind) {
    case fixup_a32_blx: return (v >> 2 & 0xFFFFFF) | (v >> 1 & 1) << 24;
    case fixup_t16_b8: return v >> 1 & 0xFF;
    case fixup_t16_b11: return v >> 1 & 0x7FF;
    case fixup_t32_b20:
      return (v >> 20 & 1) << 26 | (v >> 12 & 0x3F) << 16 | (v >> 18 & 1) << 13 | (v >> 19 & 1) << 11 |
             (v >> 1 & 0x7FF);
    case fixup_t32_b24:
    case fixup_t32_bl: return t32_branch(v, false);
    case fixup_t32_blx: return t32_branch(v, true);
    default: return v >> 2 & 0xFFFFFF;
  }
}

/// Branches. `bits` are those of the field that count, 0: all. `odd`: the distance may be odd.
bool put_branch(u16 kind, i64 value, bool odd, unsigned bits, u32& word, std::string& error) {
  const u32 v = u32(u64(value));
  if (kind == fixup_t16_cbz) {
    if (value == -2) {  // the next instruction
      word = 0xBF00;
      return true;
    }
    if (value < 0 || value > 126 || value & 1)
      error = fmt::format("the target is {} bytes away; it must be 0 to 126, an even number", value);
    word |= (v >> 6 & 1) << 9 | (v >> 1 & 31) << 3;
    return true;
  }
  const Reach reach = reach_of(kind);
  if (reach.bits == 0) return false;
  error = branch_error(odd ? value & ~i64(1) : value, bits ? bits : reach.bits, reach.scale);
  word |= branch_field(kind, v);
  return true;
}

/// Branch futures and low overhead loops. LLVM takes a loop of no bytes.
bool put_loop(u16 kind, i64 value, bool gnu, u32& word, std::string& error) {
  const u32 v = u32(u64(value));
  switch (kind) {
    case fixup_t32_bf:
      if (value < 2 || value > 30 || value & 1)
        error = fmt::format("the branch is {} bytes away; it must be 2 to 30, an even number", value);
      word |= (v >> 1 & 15) << 23;
      break;
    case fixup_t32_bf_else: {
      const i64 behind = value - i64(word >> 23 & 15) * 2;  // the branch has been filled in before
      if (behind != 2 && behind != 4) error = "this must be the instruction behind the branch";
      word |= u32(behind == 4) << 17;
      break;
    }
    case fixup_t32_bf12: case fixup_t32_bf16: case fixup_t32_bf18: {
      const unsigned bits = kind == fixup_t32_bf12 ? 12 : kind == fixup_t32_bf16 ? 16 : 18;
      error = branch_error(value, bits, 2);
      word |= (v >> 12 & ((1u << (bits - 11)) - 1)) << 16 | (v >> 2 & 0x3FF) << 1 | (v >> 1 & 1) << 11;
      break;
    }
    case fixup_t32_wls: case fixup_t32_le: {
      const i64 distance = kind == fixup_t32_wls ? value : -value;
      const i64 least = gnu ? 2 : 0;
      if (distance < least || distance > 4094 || distance & 1) {
        error = fmt::format("the target is {} bytes away; it must be an even number from {} to 4094 {}", value, least,
                            kind == fixup_t32_wls ? "forward" : "backward");
      }
      word |= u32(distance >> 1 & 1) << 11 | u32(distance >> 2 & 0x3FF) << 1;
      break;
    }
    default: return false;
  }
  return true;
}

/// Addresses of literals.
bool put_address(u16 kind, i64 value, u32& word, std::string& error) {
  const u32 v = u32(u64(value));
  const u32 magnitude = value < 0 ? 0 - u32(u64(value)) : u32(u64(value)), up = value >= 0;
  switch (kind) {
    case fixup_a32_load: case fixup_a32_pool: case fixup_t32_load:
      error = offset(value, 4095, 1);
      word |= u32(kind == fixup_a32_pool ? value > 0 : up) << 23 | magnitude;
      break;
    case fixup_a32_load8: case fixup_a32_pool8:
      error = offset(value, 255, 1);
      word |= u32(kind == fixup_a32_pool8 ? value > 0 : up) << 23 | (magnitude >> 4 & 15) << 8 | (magnitude & 15);
      break;
    case fixup_a32_vload: case fixup_t32_vload: case fixup_t32_load8:
      error = offset(value, 1020, 4);
      word |= up << 23 | magnitude >> 2;
      break;
    case fixup_a32_vload16: case fixup_t32_vload16:
      error = offset(value, 510, 2);
      word |= up << 23 | magnitude >> 1;
      break;
    case fixup_a32_adr: {
      int imm = a32_immediate(magnitude);
      if (imm >= 0) word |= (up ? 0x00800000 : 0x00400000) | u32(imm);
      else if ((imm = a32_immediate(0 - magnitude)) >= 0) word |= (up ? 0x00400000 : 0x00800000) | u32(imm);
      else error = fmt::format("the place is {} bytes away, which is not 8 bits rotated by an even number", value);
      break;
    }
    case fixup_t16_load: case fixup_t16_adr:
      if (value < 0 || value > 1020 || value & 3)
        error = fmt::format("the place is {} bytes away; it must be 0 to 1020, a multiple of 4", value);
      word |= v >> 2 & 0xFF;
      break;
    case fixup_t32_adr:
      error = offset(value, 4095, 1);
      word = (word & ~0x00A00000u) | (up ? 0 : 0x00A00000) | t32_spread(magnitude);
      break;
    default: return false;
  }
  return true;
}

/// Parts of an address (:pc_g0:symbol): what is added is in the field as an addition or a subtraction.
bool put_group(u16 kind, i64 value, u32& word, std::string& error) {
  const u32 magnitude = value < 0 ? 0 - u32(u64(value)) : u32(u64(value)), up = value >= 0;
  switch (kind) {
    case fixup_a32_group_alu: {
      const int imm = a32_immediate(magnitude);
      if (imm < 0) {
        error = fmt::format("{} can't be added here: 8 bits, rotated, are what is left", value);
        return true;
      }
      word = (word & ~0x00C00FFFu) | (up ? 0x00800000 : 0x00400000) | u32(imm);
      break;
    }
    case fixup_a32_group_load:
      error = offset(value, 4095, 1);
      word = (word & ~0x00800FFFu) | u32(up) << 23 | magnitude;
      break;
    case fixup_a32_group_load8:
      error = offset(value, 255, 1);
      word = (word & ~0x00800F0Fu) | u32(up) << 23 | (magnitude >> 4 & 15) << 8 | (magnitude & 15);
      break;
    case fixup_a32_group_vload:
      error = offset(value, 1020, 4);
      word = (word & ~0x008000FFu) | u32(up) << 23 | magnitude >> 2;
      break;
    default: return false;
  }
  return true;
}

/// 16 bits of a move. `relocated`: a linker adds to them.
std::string put_move(u16 kind, u16 modifier, bool relocated, i64 value, u32& word) {
  const u32 v = u32(u64(value));
  const bool a32 = kind == fixup_a32_movw || kind == fixup_a32_movt;
  u32 part = v;
  if (relocated) {
    if (value < -0x8000 || value > 0x7FFF)
      return fmt::format("{} can't be added here: 16 bits with a sign are what is left", value);
  } else if (modifier == mod_upper16) {
    part = v >> 16;
  } else if (modifier != mod_lower16 && (value < 0 || value > 0xFFFF)) {
    return fmt::format("{} does not fit in 16 bits", value);
  }
  part &= 0xFFFF;
  word |= (part >> 12) << 16 | (a32 ? part & 0xFFF : t32_spread(part & 0xFFF));
  return {};
}

/// A byte of an address, or what a linker adds to.
std::string put_byte(u16 modifier, bool relocated, i64 value, u32& word) {
  if (relocated) {
    if (value < 0 || value > 0xFF) return fmt::format("{} can't be added here: 8 bits are what is left", value);
    word |= u32(value);
  } else {
    word |= u32(u64(value)) >> 8 * (modifier - mod_lower0_7) & 0xFF;
  }
  return {};
}

/// GNU as: an immediate that is known late and can't be written has the opposite instruction with its negative or its
/// complement, as if it had been known at once. False: there is none, or it has no room for that either.
bool put_opposite_a32(i64 value, u32& word) {
  enum : u32 { and_, sub = 2, add = 4, adc, sbc, cmp = 10, cmn, mov = 13, bic, mvn };
  struct Opposite {
    u32 from, to;
    bool complement;
  };
  constexpr Opposite opposites[] = {{add, sub, false},  {sub, add, false}, {cmp, cmn, false}, {cmn, cmp, false},
                                    {mov, mvn, true},   {mvn, mov, true},  {and_, bic, true}, {bic, and_, true},
                                    {adc, sbc, true},   {sbc, adc, true}};
  constexpr u32 immediate_form = 0x0E000000, opcode = 0x01E00000, sets_flags = 0x00100000, field = 0xFFF;
  if ((word & immediate_form) != 0x02000000) return false;
  const u32 op = (word & opcode) >> 21;
  if (op >= 8 && op < 12 && !(word & sets_flags)) return false;  // msr
  for (const Opposite& o : opposites) {
    if (o.from != op) continue;
    const int bits = a32_immediate(o.complement ? ~u32(u64(value)) : 0 - u32(u64(value)));
    if (bits >= 0) word = (word & ~(opcode | field)) | o.to << 21 | u32(bits);
    return bits >= 0;
  }
  return false;
}

/// The same of T32, where there are additions of 12 bits, too.
bool put_opposite_t32(i64 value, u32& word) {
  enum : u32 { and_, bic, orr, orn, add = 8, adc = 10, sbc, sub = 13 };
  constexpr u32 immediate_form = 0xFA008000, form = 0xF0000000, opcode = 0x01E00000, sets_flags = 0x00100000;
  constexpr u32 field = 0x040070FF, none = 15, plain = 0x02000000;
  if ((word & immediate_form) != form) return false;
  const u32 op = (word & opcode) >> 21, target = word >> 8 & 15;
  const u32 negative = 0 - u32(u64(value)), complement = ~u32(u64(value));
  const auto put = [&](u32 other, int bits) {
    if (bits < 0) return false;
    word = (word & ~(opcode | field)) | other << 21 | t32_spread(u32(bits));
    return true;
  };
  switch (op) {
    case add: case sub: {
      if (put(op ^ add ^ sub, t32_immediate(negative))) return true;
      constexpr i64 most = 0xFFF;
      if ((word & sets_flags) || value < -most || value > most) return false;
      const bool adds = (op == add) == (value >= 0);
      constexpr u32 addw = 0, subw = 5;
      word = (word & ~(opcode | field)) | plain | (adds ? addw : subw) << 21 | t32_spread(u32(std::abs(value)));
      return true;
    }
    case orr: case orn: return put(op ^ orr ^ orn, t32_immediate(complement));
    case and_: case bic: return target != none && put(op ^ and_ ^ bic, t32_immediate(complement));
    case adc: case sbc: return put(op ^ adc ^ sbc, t32_immediate(complement));
  }
  return false;
}

/// `mov` of 16 bits is `movw`.
bool put_wide_move(bool a32, i64 value, u32& word) {
  if (value < 0 || value > 0xFFFF) return false;
  const u32 v = u32(value), high = v >> 12 << 16;
  constexpr u32 a32_mask = 0x0FF00000, a32_mov = 0x03A00000, a32_movw = 0x03000000;
  constexpr u32 t32_mask = 0xFBFF8000, t32_mov = 0xF04F0000, t32_movw = 0xF2400000;
  if (a32 && (word & a32_mask) == a32_mov) {
    word = (word & 0xF000F000) | a32_movw | high | (v & 0xFFF);
    return true;
  }
  if (a32 || (word & t32_mask) != t32_mov) return false;
  word = (word & 0xF00) | t32_movw | high | t32_spread(v & 0xFFF);
  return true;
}

/// A T32 load or store with 12 bits of offset has one with eight for what is negative; addw has subw.
bool put_negative_t32(i64 value, u32& word) {
  constexpr u32 plain = 0xFBF08000, addw = 0xF2000000, subw = 0xF2A00000, other = addw ^ subw, most_plain = 0xFFF;
  if ((word & plain) == addw || (word & plain) == subw) {
    if (value >= 0 || value < -i64(most_plain)) return false;
    word = (word ^ other) | t32_spread(u32(-value));
    return true;
  }
  constexpr u32 group = 0xFE000000, of_loads = 0xF8000000, positive = 0x00800000, subtracts = 0xC00;
  constexpr i64 most = 0xFF;
  if ((word & group) != of_loads || !(word & positive) || value >= 0 || value < -most) return false;
  word = (word & ~(positive | 0xFFF)) | subtracts | u32(-value);
  return true;
}

}  // namespace

/// The two instructions of `adrl`: one and a no-op if that reaches, or an addition to the sum of the first.
std::string ArmTarget::put_adrl(i64 value, u8* at) const {
  constexpr u32 a32_nop = 0xE1A00000, add = 0x00800000, subtract = 0x00400000, operation = 0x01E00000;
  constexpr u32 base = 0x000F0000;
  const u32 word = load(at, fixup_a32_adrl) & ~(operation | 0xFFF);
  const auto store_both = [&](u32 first, u32 second) {
    store(at, fixup_a32_adrl, first);
    store(at + 4, fixup_a32_adrl, second);
    return std::string();
  };
  const u32 distance = u32(u64(value));
  const std::pair<u32, u32> ways[] = {{add, distance}, {subtract, 0 - distance}};
  for (const auto& [op, number] : ways)
    if (const int imm = a32_immediate(number); imm >= 0) return store_both(word | op | u32(imm), a32_nop);
  const u32 rd = word >> 12 & 15, rest_word = (word & ~base) | rd << 16;
  for (const auto& [op, number] : ways) {
    for (u32 rotation = 0; rotation < 32; rotation += 2) {
      const u32 turned = std::rotl(number, int(rotation)), low = turned & 0xFF, rest = turned ^ low;
      const u32 at = rest > 0xFFFFFF ? 24 : rest > 0xFFFF ? 16 : 8;  // the rest must be one byte
      if (!low || (rest & ((1u << at) - 1))) continue;
      const u32 again = (rotation + 32 - at) % 32;
      return store_both(word | op | rotation << 7 | low, rest_word | op | again << 7 | rest >> at);
    }
  }
  return fmt::format("the place is {} bytes away, which is not twice 8 bits rotated by an even number", value);
}

/// A branch that is `opcode` with its field zero. False, with nothing written: it is none, or does not reach that far.
bool ArmTarget::write_branch(u16 kind, u32 opcode, i64 value, u8* at) const {
  if (!reach_of(kind).fits(value)) return false;
  store(at, kind, opcode | branch_field(kind, u32(u64(value))));
  return true;
}

/// Branches.
bool ArmTarget::apply_distance(u16 kind, i64 distance, u8* at) const {
  if (!reach_of(kind).fits(distance)) return false;
  if (has_short_calls(kind) && !Reach{short_call_bits, 2}.fits(distance)) return false;
  store(at, kind, load(at, kind) | branch_field(kind, u32(u64(distance))));
  return true;
}

/// What GNU as makes of a number that is known late and does not fit its instruction.
bool ArmTarget::put_other_form(const Encoder& e, i64 value, u32& word) const {
  const bool a32 = e.encoding == enc_a32_imm;
  if (!a32 && e.encoding != enc_t32_imm) return put_negative_t32(value, word);
  return (a32 ? put_opposite_a32(value, word) : put_opposite_t32(value, word)) ||
         (selects("v6t2") && put_wide_move(a32, value, word));
}

std::string ArmTarget::apply(u16 kind, u16 modifier, i64 value, u8* at) const {
  if (apply_distance(kind, value, at)) [[likely]]
    return {};
  const bool relocated = modifier & modifier_relocated;
  modifier &= u16(~modifier_relocated);
  if (kind == fixup_tls_call || kind == fixup_thumb_tls_call || kind == fixup_v4bx) return {};
  if (kind == fixup_a32_adrl) return put_adrl(value, at);
  u32 word = load(at, kind);
  std::string error;
  if (kind >= fixup_field) {
    const unsigned encoder = unsigned(kind - fixup_field) / 4;
    if (encoder >= std::size(arm_encoders)) return "unknown field";
    const u32 empty = word;
    const Encoder& e = arm_encoders[encoder];
    if (!apply_encoder(e, value, word)) {
      word = empty;
      if (!options_.gnu || !put_other_form(e, value, word)) return fmt::format("{} can't stand here", value);
    }
  } else if (kind == fixup_a32_movw || kind == fixup_a32_movt || kind == fixup_t32_movw || kind == fixup_t32_movt) {
    error = put_move(kind, modifier, relocated && info_.coff.machine == 0, value, word);
  } else if (kind == fixup_t16_byte) {
    error = put_byte(modifier, relocated, value, word);
  } else if (kind == fixup_prel31) {
    if (value < -0x40000000ll || value > 0x3FFFFFFFll) error = fmt::format("{} does not fit in 31 bits", value);
    word = (word & 0x80000000u) | (u32(u64(value)) & 0x7FFFFFFF);
  } else if (kind == fixup_target1) {
    word = u32(u64(value));
  } else if (relocated && kind == fixup_t16_adr && value == -4) {
    word |= 0xFF;  // for the linker
  } else if (!put_branch(kind, value, takes_odd_distance(kind), has_short_calls(kind) ? short_call_bits : 0, word,
                         error) &&
             !put_address(kind, value, word, error) && !put_group(kind, value, word, error) &&
             !put_loop(kind, value, options_.gnu, word, error)) {
    return "unknown field";
  }
  if (error.empty()) store(at, kind, word);
  return error;
}

}  // namespace xas::arm
