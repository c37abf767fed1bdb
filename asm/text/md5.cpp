// SPDX-License-Identifier: Apache-2.0
// RFC 1321. The additive constants are 2^32 * |sin(i + 1)|, as the specification defines them, worked out at compile
// time.
#include "asm/text/md5.h"

#include <array>
#include <bit>
#include <cstring>

namespace xas {

namespace {

constexpr std::array<u32, 64> make_constants() {
  std::array<u32, 64> table{};
  for (int i = 0; i < 64; ++i) {
    // Reduced to [-pi, pi], where the series converges within long double's precision.
    constexpr long double pi = 3.141592653589793238462643383279502884L;
    long double x = i + 1;
    while (x > pi) x -= 2 * pi;
    long double term = x, sum = x;
    for (int n = 1; n < 30; ++n) {
      term *= -x * x / ((2 * n) * (2 * n + 1));
      sum += term;
    }
    table[u32(i)] = u32((sum < 0 ? -sum : sum) * 4294967296.0L);
  }
  return table;
}
constexpr std::array<u32, 64> constants = make_constants();
static_assert(constants[0] == 0xd76aa478 && constants[63] == 0xeb86d391);

constexpr u8 rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

u32 load(const u8* p) { return u32(p[0]) | u32(p[1]) << 8 | u32(p[2]) << 16 | u32(p[3]) << 24; }

void process(u32 (&state)[4], const u8* block) {
  u32 a = state[0], b = state[1], c = state[2], d = state[3];
  for (u32 i = 0; i < 64; ++i) {
    u32 f, word;
    switch (i / 16) {
      case 0: f = (b & c) | (~b & d), word = i; break;
      case 1: f = (d & b) | (~d & c), word = 5 * i + 1; break;
      case 2: f = b ^ c ^ d, word = 3 * i + 5; break;
      default: f = c ^ (b | ~d), word = 7 * i; break;
    }
    const u32 sum = a + f + constants[i] + load(block + word % 16 * 4);
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, rotations[i / 16][i % 4]);
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
}

}  // namespace

void md5(std::string_view data, u8 (&digest)[16]) {
  u32 state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const u8* p = reinterpret_cast<const u8*>(data.data());
  std::size_t left = data.size();
  for (; left >= 64; p += 64, left -= 64) process(state, p);
  u8 tail[128] = {};
  if (left) std::memcpy(tail, p, left);
  tail[left] = 0x80;
  const std::size_t end = left < 56 ? 64 : 128;
  for (int i = 0; i < 8; ++i) tail[end - 8 + std::size_t(i)] = u8(u64(data.size()) * 8 >> 8 * i);
  for (std::size_t at = 0; at < end; at += 64) process(state, tail + at);
  for (int i = 0; i < 16; ++i) digest[i] = u8(state[i / 4] >> 8 * (i % 4));
}

}  // namespace xas
