// SPDX-License-Identifier: Apache-2.0
// Tests of the mistakes that are found in x86's tables.
#include "targets/isagen/table_test.h"
#include "targets/isagen/x86_table.h"

namespace xas::isagen {
namespace {

constexpr std::string_view declarations =
    "family cc o:0 no:1\n"
    "kind r32 = r32\nkind rv v = r16, r32, r64\nkind rmv v = r16 m16, r32 m32, r64 m64\nkind rm32 = r32 m32\n"
    "kind xmm = xmm\nkind X xyz = xmm, ymm, zmm\nkind Xm xyz = xmm m128, ymm m256, zmm m512\nkind m = m8 m16 m\n"
    "kind i8 = i8 sym\nkind iz v = i16 sym, i32 sym, i32s sym\nkind rel = rel\n"
    "feature sse\nfeature avx512vl\nfeature avx512f\n"
    "effect cc of o no = <O\neffect test = r >SZP 0OC ?A fuse=all\n";

constexpr TableCase cases[] = {
    {"add.v rmv, rv | MR 01 /r | | lock", ""},
    {"add.v rmv, rv | MR 01 /r | | lock | x >OSZAPC =ax <mem fuse=cmp", ""},
    {"j{cc} rel | D 70+cc cb > 0F 80+cc cz | | | branch=jcc cc", ""},
    {"[sse | x]\nfoo xmm, xmm | RM 0F 58 /r | | | test", ""},
    {"vaddps X{kz}, X, Xm{er} | RVM EVEX.xyz.NP.0F.W0 58 /r | avx512f", ""},
    {"foo r32, rm32 | RM 01", "no field holds the operand"},
    {"foo r32, rm32 | RM 01 /1", "holds both an operand and /digit"},
    {"foo r32 | RM 01 /r", "1 operands, but op/en 'RM' has 2"},
    {"foo r32, r32 | RR 01 /r", "two operands in field 'R'"},
    {"foo rm32 | R 01 /r", "cannot be encoded as 'R'"},
    {"foo r32, i8 | MI 01 /0", "0 immediate fields for 1"},
    {"foo r32 | M 01 /0 ib", "1 immediate fields for 0"},
    {"foo r32, r32, r32 | RVM 01 /r", "no vvvv"},
    {"foo r32 | O 50", "go together"},
    {"foo | . 50+r", "go together"},
    {"foo rel | D E8 | | | branch=call", "needs cb"},
    {"foo r32 | M 01 /0 | mmx2", "unknown feature 'mmx2'"},
    {"foo r33 | M 01 /0", "unknown operand kind"},
    {"foo r32 | M 01 /0 | | locked", "unknown flag"},
    {"j{cd} rel | D 70+cd cb", "unknown family"},
    {"j{cc} rel | D 70 cb | | | branch=jcc", "is not used"},
    {"foo r32 | M 01 /0 | | | writes", "unknown word 'writes'"},
    {"foo r32 | M 01 /0 | | | xr", "tells of 2 operands, there are 1"},
    {"foo r32, i8 | MI 01 /0 ib | | | xw", "an immediate is read"},
    {"foo r32 | M 01 /0 | | | >OQ", "unknown flag 'Q'"},
    {"foo r32 | M 01 /0 | | | >O 0O", "said twice"},
    {"foo r32 | M 01 /0 | | | >xx", "unknown register or state"},
    {"foo r32 | M 01 /0 | | | ?ax", "only flags"},
    {"foo r32 | M 01 /0 | | | cc", "does not say what it is for ''"},
    {"foo r32 | M 01 /0 | | | fuse=most", "fuse=all, cmp or inc"},
    {"foo r32 | M 01 /0 | | | branch=up", "unknown kind of branch"},
    {"foo r32 | M 01 /0 | | | branch=jcc", "go together"},
    {"foo rel | D E8 cz | | | branch=ret", "go together"},
    {"foo *rm32 | M FF /2 | | | r", "go together"},
    {"foo r32, rm32 | RM APX.NP.W0 01 /r | | nf", "{nf} asks for nothing"},
    {"foo r32 | M 01 /0 | | | vex=vfoo", "no instruction 'vfoo'"},
    {"foo.v rmv, iz | MI 81 /0 iz | | | shortimm", "no row has the short form's opcode"},
    {"effect alu x", "'=' is missing"},
    {"effect test = r", "declared twice"},
    {"foo rv | M 01 /0", "needs a size family"},
    {"foo X | R VEX.128.66.0F 58 /r", "five parts"},
    {"foo xmm | R VEX.512.66.0F.W0 58 /r", "no 512-bit forms"},
    {"foo X{k} | R VEX.xy.66.0F.W0 58 /r", "need EVEX"},
    {"foo xmm, m | RM EVEX.128.66.0F.W0 58 /r", "needs one size"},
    {"foo r32, rm32 | RM 01 /r\nfoo r32, rm32 | RM 03 /r", "never chosen"},
    {"foo r32, rm32 | RM 01 /r\nfoo r32, r32 | RM 03 /r", "never chosen"},
    {"foo r32, r32 | RM 01 /r\nfoo r32, rm32 | RM 03 /r", ""},
    {"kind r32 = r32", "declared twice"},
    {"kind q = r31", "unknown operand class"},
    {"foo", "2 to 5 columns"},
    {"foo | . 0G", "neither a byte nor"},
};

}  // namespace

int self_test() {
  const auto read = [](const std::vector<SourceText>& files) {
    std::vector<SourceText> all{{"declarations", std::string(declarations)}};
    all.insert(all.end(), files.begin(), files.end());
    return read_x86(all);
  };
  return run_table_cases("x86", cases, read, check_reachable);
}

}  // namespace xas::isagen
