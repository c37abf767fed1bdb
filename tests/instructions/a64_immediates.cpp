// SPDX-License-Identifier: Apache-2.0
// Prints instructions with all immediates of A64 that have an encoding of their own, and numbers beside them. What the
// lines assemble to is for the reference assemblers to say (tests/run.sh).
//
//   a64-immediates logical    bitmask immediates of 64 and 32 bits
//   a64-immediates float      floating-point immediates, as decimal numbers
#include <cstdio>
#include <cstring>
#include <initializer_list>

#include "xas/types.hpp"

using namespace xas;

namespace {

/// A rotated run of ones in elements of every size, and what stands beside it.
void print_logical() {
  for (unsigned size = 2; size <= 64; size *= 2)
    for (unsigned ones = 1; ones < size; ++ones)
      for (unsigned turn = 0; turn < size; ++turn) {
        const u64 mask = size == 64 ? ~u64(0) : (u64(1) << size) - 1;
        const u64 run = (u64(1) << ones) - 1;
        const u64 element = (run >> turn | run << ((size - turn) % size)) & mask;
        u64 v = 0;
        for (unsigned at = 0; at < 64; at += size) v |= element << at;
        std::printf("and x1, x2, #%#llx\n", (unsigned long long)v);
        if (size < 64) std::printf("orr w1, w2, #%#llx\n", (unsigned long long)(v & 0xFFFFFFFF));
        if (turn == 0) std::printf("eor x1, x2, #%#llx\n", (unsigned long long)(v ^ 0x10100));
      }
}

void print_float() {
  for (unsigned imm = 0; imm < 256; ++imm) {
    const int exponent = int((imm >> 4 & 7) ^ 4) - 3;
    double d = (16 + (imm & 15)) / 16.0;
    for (int i = 0; i < exponent; ++i) d *= 2;
    for (int i = exponent; i < 0; ++i) d /= 2;
    if (imm & 0x80) d = -d;
    for (auto reg : {"h", "s", "d"}) std::printf("fmov %s1, #%.10g%s\n", reg, d, d == i64(d) ? ".0" : "");
    std::printf("fmov v1.4s, #%.12e\n", d);
    std::printf("fmov z1.d, #%.12e\n", d * 1.03);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "logical") == 0) return print_logical(), 0;
  if (argc > 1 && std::strcmp(argv[1], "float") == 0) return print_float(), 0;
  std::fputs("usage: a64-immediates logical|float\n", stderr);
  return 2;
}
