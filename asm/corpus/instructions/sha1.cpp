// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>

#include "asm/corpus/instructions/formats.h"

namespace xas::corpus {

std::array<u8, 20> sha1(std::span<const u8> data) {
  std::array<u32, 5> state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::vector<u8> padded(data.begin(), data.end());
  padded.push_back(0x80);
  while (padded.size() % 64 != 56) padded.push_back(0);
  for (unsigned i = 8; i-- > 0;) padded.push_back(u8(u64(data.size()) * 8 >> (8 * i)));
  for (std::size_t block = 0; block < padded.size(); block += 64) {
    std::array<u32, 80> w;
    for (unsigned i = 0; i < 16; ++i) {
      const u8* p = &padded[block + 4 * i];
      w[i] = u32(p[0]) << 24 | u32(p[1]) << 16 | u32(p[2]) << 8 | p[3];
    }
    for (unsigned i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = state;
    for (unsigned i = 0; i < 80; ++i) {
      const u32 f = i < 20 ? (b & c) | (~b & d) : i >= 40 && i < 60 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
      constexpr u32 constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
      const u32 next = std::rotl(a, 5) + f + e + constants[i / 20] + w[i];
      e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
  }
  std::array<u8, 20> digest;
  for (unsigned i = 0; i < 20; ++i) digest[i] = u8(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

}  // namespace xas::corpus
