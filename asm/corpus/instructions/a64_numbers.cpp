// SPDX-License-Identifier: Apache-2.0
// Which numbers the fields of A64 instructions take.

#include "asm/corpus/instructions/a64_choices.h"

namespace xas::corpus::a64forms {

namespace {

u64 ones_of(i64 bits) { return bits == 64 ? ~u64(0) : (u64(1) << bits) - 1; }

Numbers distance(i64 reach, i64 step) {
  return {{16 * step, 0, -reach, reach - step}, {step > 1 ? step / 2 : reach, reach, -reach - step}};
}

/// A rotated run of ones, in elements of a random size.
i64 draw_bitmask(Random& random, i64 bits) {
  const unsigned size = 2u << random.below(bits == 64 ? 6 : bits == 32 ? 5 : bits == 16 ? 4 : 3);
  const u64 mask = ones_of(size), run = (u64(1) << (1 + random.below(size - 1))) - 1;
  const unsigned turn = random.below(size);
  const u64 element = turn ? (run >> turn | run << (size - turn)) & mask : run;
  u64 value = 0;
  for (unsigned at = 0; at < 64; at += size) value |= element << at;
  return i64(value & ones_of(bits));
}

}  // namespace

Numbers numbers_of(const Encoder& e) {
  const i64 step = e.scale < 0 ? -e.scale : e.scale;
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: {
      const i64 count = (e.high - e.low) / step;
      Numbers n{{e.low + count / 2 * step, e.low, e.high}, {e.low - step, e.high + step}};
      if (count > 2) n.inside.push_back(e.low + step);
      if (step > 1) n.beyond.insert(n.beyond.end(), {e.low + 1, e.high - 1});
      return n;
    }
    case enc_constant: return {{e.low}, {e.low + 1, e.low - 1}};
    case enc_logical:
    case enc_logical_not:
    case enc_mov: {
      const u64 ones = ones_of(e.low);
      Numbers n{{}, {0, i64(ones), 5}};
      for (u64 v : {u64(1), u64(0x3C), ones >> 1, ones - 1, ones / 3}) n.inside.push_back(i64(v & ones));
      return n;
    }
    case enc_movz: return {{0x1234, 0, 0xFFFF, 0x10000}, {0x10001}};
    case enc_movn: {
      Numbers n{{-2, -1, -0x10000}, {-0x10002}};
      (e.low == 64 ? n.inside : n.beyond).push_back(-0xFFFF0001ll);
      return n;
    }
    case enc_bytes: return {{0xFF, 0, -1, 0xFF00FF00FF}, {1}};
    case enc_shift_left:
    case enc_field_left: return {{3, 0, e.low - 1}, {e.low, -1}};
    case enc_width:
    case enc_width_end: return {{2, 1, e.low, e.low - 3}, {0, e.low + 1}};
    case enc_branch26:
    case enc_call26: return distance(0x8000000, 4);
    case enc_branch19:
    case enc_literal19: return distance(0x100000, 4);
    case enc_branch14: return distance(0x8000, 4);
    case enc_branch9: return distance(0x400, 4);
    case enc_back16: return {{-64, 0, -0x3FFFC}, {-2, 4, -0x40000}};
    case enc_adr: return distance(0x100000, 1);
    case enc_adrp: return distance(0x100000000ll, 0x1000);
    case enc_add12: return {{7, 0, 4095}, {4097, -4097}};
    case enc_offset: {
      Numbers n{{2 * e.scale, 0, 4095 * e.scale}, {4096ll * e.scale}};
      if (e.scale > 1) n.beyond.insert(n.beyond.end(), {4095 * e.scale - 1, -257});
      return n;
    }
    case enc_offset_unscaled: return {{-3, -256, 255}, {-257}};
    case enc_mov16: return {{0x1234, 0, 65535}, {65536, -1}};
    case enc_sve_shifted: return {{7, 0, 255, 256, 65280}, {257, 65536, -1}};
    case enc_sve_signed: {
      Numbers n{{7, 0, 127, -128}, {128, -129, 255, 65536}};
      if (e.low != 8) n.inside.insert(n.inside.end(), {-256, 32512, -32768, 65280});
      return n;
    }
    default: return {};
  }
}

i64 draw_number(Random& random, const Encoder& e, const Numbers& known) {
  const i64 step = e.scale < 0 ? -e.scale : e.scale;
  auto between = [&](i64 low, i64 high, i64 unit) {
    return low + i64(random.next() % (u64(high - low) / u64(unit) + 1)) * unit;
  };
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: return between(e.low, e.high, step);
    case enc_logical:
    case enc_logical_not:
    case enc_mov: return draw_bitmask(random, e.low);
    case enc_movz:
    case enc_mov16: return between(0, 0xFFFF, 1);
    case enc_shift_left:
    case enc_field_left: return between(0, e.low - 1, 1);
    case enc_width:
    case enc_width_end: return between(1, 8, 1);
    case enc_branch26:
    case enc_call26: return between(-0x8000000, 0x7FFFFFC, 4);
    case enc_branch19:
    case enc_literal19: return between(-0x100000, 0xFFFFC, 4);
    case enc_branch14: return between(-0x8000, 0x7FFC, 4);
    case enc_branch9: return between(-0x400, 0x3FC, 4);
    case enc_back16: return between(-0x3FFFC, 0, 4);
    case enc_adr: return between(-0x100000, 0xFFFFF, 1);
    case enc_adrp: return between(-0x100000000ll, 0xFFFFF000ll, 0x1000);
    case enc_add12: return between(0, 4095, 1);
    case enc_offset: return between(0, 4095, 1) * e.scale;
    case enc_offset_unscaled: return between(-256, 255, 1);
    case enc_sve_shifted: return between(0, 255, 1);
    case enc_sve_signed: return between(-128, 127, 1);
    default: return known.inside.empty() ? 0 : known.inside[random.below(u32(known.inside.size()))];
  }
}

}  // namespace xas::corpus::a64forms
