// SPDX-License-Identifier: Apache-2.0
// What the assemblers have to be told for each target, and which bits relocations of each target leave alone.
#include "asm/corpus/instructions/assemble.h"

namespace xas::corpus {

namespace {

constexpr const char* arm_attributes =
    "-mattr=+neon,+crypto,+fullfp16,+dotprod,+crc,+fp16fml,+bf16,+i8mm,+v8.9a,+clrbhb,+hwdiv,+hwdiv-arm,+mp,"
    "+trustzone,+virtualization,+ras,+sb";
constexpr const char* m_profile_attributes =
    "-mattr=+mve.fp,+fp64,+d32,+fullfp16,+lob,+pacbti,+cdecp0,+cdecp1,+cdecp2,+cdecp3,+cdecp4,+cdecp5,+cdecp6,+cdecp7,"
    "+dsp,+8msecext,+ras";
constexpr const char* m_profile =
    "-march=armv8.1-m.main+mve.fp+fp.dp+pacbti+cdecp0+cdecp1+cdecp2+cdecp3+cdecp4+cdecp5+cdecp6+cdecp7";

struct FieldBits {
  u32 type;
  u64 bits;  ///< of the field at the relocation's place
};

// x86: whole bytes.
constexpr u64 byte1 = 0xff, byte2 = 0xffff, byte4 = 0xffffffff, byte8 = ~u64(0);
constexpr FieldBits x86_64_fields[] = {{1, byte8},  {2, byte4},  {4, byte4},  {9, byte4},  {10, byte4}, {11, byte4},
                                       {12, byte2}, {13, byte2}, {14, byte1}, {15, byte1}, {24, byte8}, {26, byte4}};
constexpr FieldBits i386_fields[] = {{1, byte4},  {2, byte4},  {4, byte4},  {10, byte4},
                                     {20, byte2}, {21, byte2}, {22, byte1}, {23, byte1}};
// A64: bits of the instruction word (AAELF64, 5.7).
constexpr u64 adr_bits = 0x60ffffe0, imm19_bits = 0x00ffffe0, imm14_bits = 0x0007ffe0, imm26_bits = 0x03ffffff,
              imm12_bits = 0x003ffc00, imm16_bits = 0x001fffe0, movw_bits = 0x601fffe0;
constexpr FieldBits a64_fields[] = {
    {263, imm16_bits}, {264, imm16_bits}, {265, imm16_bits}, {266, imm16_bits}, {267, imm16_bits}, {268, imm16_bits},
    {269, imm16_bits}, {270, movw_bits},  {271, movw_bits},  {272, movw_bits},  {273, imm19_bits}, {274, adr_bits},
    {275, adr_bits},   {276, adr_bits},   {277, imm12_bits}, {278, imm12_bits}, {279, imm14_bits}, {280, imm19_bits},
    {282, imm26_bits}, {283, imm26_bits}, {284, imm12_bits}, {285, imm12_bits}, {286, imm12_bits}, {299, imm12_bits}};
// ARM (AAELF32, 5.6.1); of T32 the first halfword is the low one here.
constexpr u64 t32_branch_bits = 0x2fff07ff;
constexpr FieldBits arm_fields[] = {
    {1, 0x00ffffff},       {2, 0xffffffff},  {4, 0x00800fff},       {5, 0x00000fff},
    {10, t32_branch_bits}, {11, 0xff},       {15, 0x00ffffff},      {16, t32_branch_bits},
    {28, 0x00ffffff},      {29, 0x00ffffff}, {30, t32_branch_bits}, {43, 0x000f0fff},
    {44, 0x000f0fff},      {47, 0x70ff040f}, {48, 0x70ff040f},      {51, 0x2fff043f},
    {52, 0x02f8},          {53, 0x70ff0400}, {54, 0x0fff0080},      {58, 0x00cf0fff},
    {61, 0x00800f0f},      {62, 0x008000ff}, {63, 0x00800f0f},      {67, 0x008000ff},
    {102, 0x07ff},         {103, 0xff},      {136, 0x07fe001f},     {137, 0x07fe007f},
    {138, 0x07fe001f}};

u64 field_bits(Machine machine, u32 type) {
  auto find = [&](auto& fields) {
    for (const FieldBits& f : fields)
      if (f.type == type) return f.bits;
    return byte4;
  };
  switch (machine) {
    case Machine::x86_64: return find(x86_64_fields);
    case Machine::i386:
    case Machine::x86_16: return find(i386_fields);
    case Machine::aarch64: return find(a64_fields);
    default: return find(arm_fields);
  }
}

}  // namespace

void fixed_bits(Machine machine, const Assembled& line, std::vector<u8>& mask) {
  mask.assign(line.bytes.size(), 0xff);
  for (const Relocation& r : line.relocations) {
    u64 bits = field_bits(machine, r.type);
    for (std::size_t at = r.offset; bits && at < mask.size(); ++at, bits >>= 8) mask[at] &= u8(~bits);
  }
}

Dialect dialect_of(const Request& request, unsigned group) {
  Dialect d;
  d.options.push_back(request.llvm ? "--compat=llvm" : "--compat=gnu");
  d.options.push_back("-fmax-errors=0");
  switch (request.machine) {
    case Machine::x86_64:
      d.options.push_back("--target=x86_64-linux-gnu");
      d.gnu_command = {"as", "--64"};
      d.llvm_options = {"-triple=x86_64-linux-gnu"};
      break;
    case Machine::i386:
    case Machine::x86_16:
      d.options.push_back("--target=i386-linux-gnu");
      d.gnu_command = {"as", "--32"};
      d.llvm_options = {"-triple=i386-linux-gnu"};
      if (request.machine == Machine::x86_16) d.head = " .code16\n";
      break;
    case Machine::aarch64:
      d.options.push_back("--target=aarch64-linux-gnu");
      d.gnu_command = {"aarch64-linux-gnu-as", "-march=all"};
      d.llvm_options = {"-triple=aarch64-linux-gnu", "-mattr=+all"};
      break;
    case Machine::arm:
    case Machine::thumb:
      d.options.push_back("--target=arm-linux-gnueabihf");
      d.gnu_command = {"arm-linux-gnueabihf-as"};
      d.llvm_options = {request.machine == Machine::arm ? "-triple=armv8a-linux-gnueabihf"
                                                        : "-triple=thumbv8a-linux-gnueabihf"};
      if (group == 0) {
        // GNU as chooses other forms for processors that it is not told.
        if (!request.llvm) d.options.insert(d.options.end(), {"-mcpu=all", "-mfpu=crypto-neon-fp-armv8"});
        d.gnu_command.insert(d.gnu_command.end(), {"-mcpu=all", "-mfpu=crypto-neon-fp-armv8"});
        d.llvm_options.push_back(arm_attributes);
      } else {
        if (!request.llvm) d.options.push_back(m_profile);
        d.gnu_command.push_back(m_profile);
        d.llvm_options = {"-triple=thumbv8.1m.main-none-eabi", m_profile_attributes};
      }
      d.head = request.machine == Machine::arm ? " .syntax unified\n .arm\n" : " .syntax unified\n .thumb\n";
      break;
  }
  if (request.syntax == Syntax::intel) d.head += " .intel_syntax noprefix\n";
  return d;
}

}  // namespace xas::corpus
