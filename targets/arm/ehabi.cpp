// SPDX-License-Identifier: Apache-2.0
// Operations of ARM's exception tables (ehabi.h).
#include "targets/arm/ehabi.h"

#include "xas/leb128.hpp"

#include <algorithm>
#include <bit>

namespace xas::arm {

namespace {

/// Operations by their first byte.
enum : u8 {
  op_sp_up = 0x00,
  op_sp_down = 0x40,
  op_pop_mask = 0x80,
  op_sp_from = 0x90,
  op_pop_r4 = 0xA0,
  op_pop_r4_lr = 0xA8,
  op_finish = 0xB0,
  op_pop_low = 0xB1,
  op_sp_up_far = 0xB2,
  op_pop_signature = 0xB4,
  op_pop_vfp_high = 0xC8,
  op_pop_vfp = 0xC9,
  op_pop_fstmx = 0xB3,
  op_pop_fstmx_from_8 = 0xB8,
  op_pop_wmmx_from_10 = 0xC0,
  op_pop_wmmx = 0xC6,
  op_pop_wmmx_control = 0xC7,
  op_pop_fpa_from_4 = 0xB4,
  op_pop_fpa = 0xC8,
};

}  // namespace

void EhabiOperations::move_sp(i64 offset) {
  if (offset > 0x200) {
    std::vector<u8> bytes{op_sp_up_far};
    append_uleb128(bytes, u64(offset - 0x204) >> 2);
    return raw(std::move(bytes));
  }
  while (offset > 0) {
    const i64 part = std::min<i64>(offset, 0x100);
    raw({u8(op_sp_up | (part - 4) >> 2)});
    offset -= part;
  }
  while (offset < 0) {
    const i64 part = std::min<i64>(-offset, 0x100);
    raw({u8(op_sp_down | (part - 4) >> 2)});
    offset += part;
  }
}

void EhabiOperations::sp_from(u8 reg) { raw({u8(op_sp_from | reg)}); }

bool EhabiOperations::take_back_sp_from(u8 reg) {
  const bool is_last = !operations_.empty() && operations_.back() == std::vector<u8>{u8(op_sp_from | reg)};
  if (is_last) operations_.pop_back();
  return is_last;
}

void EhabiOperations::pop(u32 mask) {
  if (mask & 0x10) {
    // A run from r4 on, perhaps with lr, has a short form.
    unsigned range = 0;
    while (range < 7 && mask >> (5 + range) & 1) ++range;
    const u32 others = mask & 0xFFF0 & ~((2u << (4 + range)) - 0x10);
    if (others == 0 || others == 0x4000) {
      raw({u8((others ? op_pop_r4_lr : op_pop_r4) | range)});
      mask &= 0xF;
    }
  }
  if (mask & 0xFFF0) raw({u8(op_pop_mask | mask >> 12), u8(mask >> 4)});
  if (mask & 0xF) raw({op_pop_low, u8(mask & 0xF)});
}

void EhabiOperations::pop_signature() { raw({op_pop_signature}); }

/// Runs of double registers, those from d16 on first.
void EhabiOperations::pop_vector(u32 mask) {
  for (const bool high : {true, false}) {
    u32 half = high ? mask >> 16 : mask & 0xFFFF;
    while (half) {
      const unsigned last = unsigned(std::bit_width(half)) - 1;
      const unsigned count = unsigned(std::countl_one(half << (31 - last)));
      const unsigned first = last + 1 - count;
      raw({high ? op_pop_vfp_high : op_pop_vfp, u8(first << 4 | (count - 1))});
      half &= (1u << first) - 1;
    }
  }
}

void EhabiOperations::pop_fstmx(u32 mask) {
  const unsigned first = unsigned(std::countr_zero(mask)), count = unsigned(std::popcount(mask));
  if (first == 8) raw({u8(op_pop_fstmx_from_8 | (count - 1))});
  else raw({op_pop_fstmx, u8(first << 4 | (count - 1))});
}

/// What the last operation pops of iWMMXt's registers if these, which were stored after it, stand right below: a bit
/// for each, and the operation is taken back. Else 0.
u32 EhabiOperations::take_wmmx_above(u32 mask) {
  if (operations_.empty()) return 0;
  const std::vector<u8>& last = operations_.back();
  unsigned first, count;
  if (last.size() == 1 && last[0] >= op_pop_wmmx_from_10 && last[0] < op_pop_wmmx) {
    first = 10, count = last[0] - op_pop_wmmx_from_10 + 1u;
  } else if (last.size() == 2 && last[0] == op_pop_wmmx) {
    first = last[1] >> 4, count = (last[1] & 15) + 1u;
  } else {
    return 0;
  }
  if (first == 0 || mask >> (first - 1) != 1) return 0;
  operations_.pop_back();
  return ((1u << count) - 1) << first;
}

/// Runs, the highest first.
void EhabiOperations::pop_wmmx(u32 mask) {
  mask |= take_wmmx_above(mask);
  while (mask) {
    const unsigned last = unsigned(std::bit_width(mask)) - 1;
    const unsigned count = unsigned(std::countl_one(mask << (31 - last)));
    const unsigned first = last + 1 - count;
    if (first == 10)
      raw({u8(op_pop_wmmx_from_10 | (count - 1))});
    else
      raw({op_pop_wmmx, u8(first << 4 | (count - 1))});
    mask &= (1u << first) - 1;
  }
}

void EhabiOperations::pop_wmmx_control(u32 mask) { raw({op_pop_wmmx_control, u8(mask)}); }

void EhabiOperations::pop_fpa(u8 first, u8 count) {
  if (first == 4)
    raw({u8(op_pop_fpa_from_4 | (count - 1))});
  else
    raw({op_pop_fpa, u8(first << 4 | (count - 1))});
}

std::vector<u8> EhabiOperations::finish(bool own_routine, int& index) const {
  std::vector<u8> code;
  for (auto o = operations_.rbegin(); o != operations_.rend(); ++o) code.insert(code.end(), o->begin(), o->end());
  if (!own_routine && index < 0) index = code.size() <= 3 ? 0 : 1;
  const bool counted = own_routine || index > 0;  // a byte says how many words follow the first
  const std::size_t head = (own_routine ? 0 : 1) + (counted ? 1 : 0);
  const std::size_t size = counted ? (head + code.size() + 3) & ~std::size_t(3) : 4;
  std::vector<u8> out(std::max(size, head + code.size()), op_finish);
  auto next = out.begin();
  if (!own_routine) *next++ = u8(0x80 | index);
  if (counted) *next++ = u8(size / 4 - 1);
  std::copy(code.begin(), code.end(), next);
  return out;
}

}  // namespace xas::arm
