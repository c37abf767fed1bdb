// SPDX-License-Identifier: Apache-2.0
// fadec's second encoder: a function for each form, which writes where it is told.
#include <fadec-enc2.h>

#include "tests/bench/typed/ways.h"

namespace typed_bench {

namespace {

void plain(int rounds, int times) {
  std::vector<std::uint8_t> code;
  for (int round = 0; round < rounds; ++round) {
    code.resize(std::size_t(times) * 10 * 16);
    std::uint8_t* p = code.data();
    for (int i = 0; i < times; ++i) {
      p += fe64_PUSHr(p, 0, FE_BP);
      p += fe64_MOV64rr(p, 0, FE_BP, FE_SP);
      p += fe64_SUB64ri(p, 0, FE_SP, 32);
      p += fe64_MOV32rm(p, 0, FE_AX, FE_MEM(FE_BP, 0, FE_NOREG, -4));
      p += fe64_ADD32ri(p, 0, FE_AX, 1000);
      p += fe64_CMP32rr(p, 0, FE_CX, FE_AX);
      p += fe64_IMUL32rm(p, 0, FE_AX, FE_MEM(FE_DI, 4, FE_CX, 8));
      p += fe64_SSE_MOVUPSmr(p, 0, FE_MEM(FE_SP, 0, FE_NOREG, 16), FE_XMM1);
      p += fe64_LEA64rm(p, 0, FE_DX, FE_MEM(FE_AX, 0, FE_NOREG, 64));
      p += fe64_RET(p, 0);
    }
  }
}

}  // namespace

void add_fadec(std::vector<Way>& ways) { ways.push_back({Set::plain, "fadec", "fadec, into a buffer", plain}); }

}  // namespace typed_bench
