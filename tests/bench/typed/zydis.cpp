// SPDX-License-Identifier: Apache-2.0
// Zydis's encoder, which finds the form of a request.
#include <Zydis/Zydis.h>

#include <cstdlib>
#include <initializer_list>

#include "tests/bench/typed/ways.h"

namespace typed_bench {

namespace {

using Operand = ZydisEncoderOperand;

Operand reg(ZydisRegister r) {
  Operand o = {};
  o.type = ZYDIS_OPERAND_TYPE_REGISTER;
  o.reg.value = r;
  return o;
}
Operand imm(std::int64_t n) {
  Operand o = {};
  o.type = ZYDIS_OPERAND_TYPE_IMMEDIATE;
  o.imm.s = n;
  return o;
}
Operand mem(unsigned size, ZydisRegister base, std::int64_t displacement, ZydisRegister index = ZYDIS_REGISTER_NONE,
            unsigned scale = 0) {
  Operand o = {};
  o.type = ZYDIS_OPERAND_TYPE_MEMORY;
  o.mem = {base, index, ZyanU8(scale), displacement, ZyanU16(size)};
  return o;
}

std::uint8_t* say(std::uint8_t* p, ZydisMnemonic mnemonic, std::initializer_list<Operand> operands) {
  ZydisEncoderRequest r = {};
  r.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
  r.mnemonic = mnemonic;
  for (const Operand& o : operands) r.operands[r.operand_count++] = o;
  ZyanUSize size = ZYDIS_MAX_INSTRUCTION_LENGTH;
  if (!ZYAN_SUCCESS(ZydisEncoderEncodeInstruction(&r, p, &size))) std::abort();
  return p + size;
}

void plain(int rounds, int times) {
  std::vector<std::uint8_t> code;
  for (int round = 0; round < rounds; ++round) {
    code.resize(std::size_t(times) * 10 * 16);
    std::uint8_t* p = code.data();
    for (int i = 0; i < times; ++i) {
      p = say(p, ZYDIS_MNEMONIC_PUSH, {reg(ZYDIS_REGISTER_RBP)});
      p = say(p, ZYDIS_MNEMONIC_MOV, {reg(ZYDIS_REGISTER_RBP), reg(ZYDIS_REGISTER_RSP)});
      p = say(p, ZYDIS_MNEMONIC_SUB, {reg(ZYDIS_REGISTER_RSP), imm(32)});
      p = say(p, ZYDIS_MNEMONIC_MOV, {reg(ZYDIS_REGISTER_EAX), mem(4, ZYDIS_REGISTER_RBP, -4)});
      p = say(p, ZYDIS_MNEMONIC_ADD, {reg(ZYDIS_REGISTER_EAX), imm(1000)});
      p = say(p, ZYDIS_MNEMONIC_CMP, {reg(ZYDIS_REGISTER_ECX), reg(ZYDIS_REGISTER_EAX)});
      p = say(p, ZYDIS_MNEMONIC_IMUL,
              {reg(ZYDIS_REGISTER_EAX), mem(4, ZYDIS_REGISTER_RDI, 8, ZYDIS_REGISTER_RCX, 4)});
      p = say(p, ZYDIS_MNEMONIC_MOVUPS, {mem(16, ZYDIS_REGISTER_RSP, 16), reg(ZYDIS_REGISTER_XMM1)});
      p = say(p, ZYDIS_MNEMONIC_LEA, {reg(ZYDIS_REGISTER_RDX), mem(8, ZYDIS_REGISTER_RAX, 64)});
      p = say(p, ZYDIS_MNEMONIC_RET, {});
    }
  }
}

}  // namespace

void add_zydis(std::vector<Way>& ways) { ways.push_back({Set::plain, "zydis", "Zydis, encoder", plain}); }

}  // namespace typed_bench
