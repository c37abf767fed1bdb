// SPDX-License-Identifier: Apache-2.0
// What LLVM calls the fields of instructions, for -show-encoding.
#include <fmt/format.h>

#include <algorithm>

#include "targets/text.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

EncodedField absolute(std::string_view name, u8 bytes) { return {name, 0, u8(8 * bytes), false, 0}; }
/// LLVM's value counts from the end of the field.
EncodedField relative(std::string_view name, u8 bytes) { return {name, 0, u8(8 * bytes), true, i8(bytes)}; }

bool is_prefix(u8 byte) {
  constexpr u8 prefixes[] = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3};
  return std::ranges::find(prefixes, byte) != std::end(prefixes);
}

/// A displacement that does not count from the instruction pointer.
EncodedField displacement32(const u8* instruction, unsigned at, bool is_64_bit) {
  const u8* const opcode = std::find_if_not(instruction, instruction + at, is_prefix);
  const u8* const field = instruction + at;
  if (opcode + 1 == field) return absolute("FK_Data_4", 4);  // mov of the accumulator
  const auto names_sib = [](u8 byte) { return (byte & 7) == 4 && byte >> 6 != 3; };
  const bool sib = opcode + 2 < field && names_sib(field[-2]) && !(opcode + 3 == field && !names_sib(opcode[1]));
  const bool has_base = !sib && (field[-1] & 0xC7) != 5;
  if (!is_64_bit && !sib && !has_base) return absolute("FK_Data_4", 4);
  constexpr u8 mov = 0x8B, rex_w = 0x48, rex_bits = 0xF8;
  const bool is_load = opcode[0] == mov || (is_64_bit && opcode[1] == mov && (opcode[0] & rex_bits) == 0x40);
  const bool is_32_bit = std::find(instruction, opcode, 0x66) == opcode && (opcode[0] & rex_bits) != rex_w;
  return absolute(is_load && is_32_bit && has_base ? "reloc_signed_4byte_relax" : "reloc_signed_4byte", 4);
}

/// A distance from the instruction pointer. Linkers may change the instruction, if it names a symbol and nothing more.
EncodedField rip_relative(u16 kind, bool is_symbol, const u8* field) {
  constexpr u8 mov = 0x8B, rex_w = 0x48, rex_bits = 0xF8;
  std::string_view name = "reloc_riprel_4byte";
  if (!is_symbol) return relative(name, 4);
  switch (kind) {
    case fixup_rip32_gotx: name = "reloc_riprel_4byte_relax"; break;
    case fixup_rip32_lea_rex: name = "reloc_riprel_4byte_relax_rex"; break;
    case fixup_rip32_rex_gotx:
      name = field[-2] == mov && (field[-3] & rex_bits) == rex_w ? "reloc_riprel_4byte_movq_load"
                                                                 : "reloc_riprel_4byte_relax_rex";
      break;
    case fixup_rip32_rex2_gotx:
      name = field[-2] == mov ? "reloc_riprel_4byte_movq_load_rex2" : "reloc_riprel_4byte_relax_rex2";
      break;
    case fixup_rip32_evex: name = "reloc_riprel_4byte_relax_evex"; break;
    default: break;
  }
  return relative(name, 4);
}

}  // namespace

EncodedField X86Target::encoded_field(const FieldFixup& field, const Value& value, const u8* instruction) const {
  const u8* const at = instruction + field.at;
  switch (field.kind) {
    case fixup_data1:
    case fixup_imm8:
    case fixup_imm8s: return absolute("FK_Data_1", 1);
    case fixup_data2:
    case fixup_imm16:
    case fixup_disp16: return absolute("FK_Data_2", 2);
    case fixup_data4:
    case fixup_imm32: return absolute("FK_Data_4", 4);
    case fixup_data8:
    case fixup_imm64:
    case fixup_moffs64: return absolute("FK_Data_8", 8);
    case fixup_imm32s: return absolute("reloc_signed_4byte", 4);
    case fixup_disp32:
    case fixup_disp32_abs:
    case fixup_disp32_gotx:
    case fixup_disp32_gotx_base: return displacement32(instruction, field.at, mode_ == 64);
    case fixup_rip32:
    case fixup_eip32:
    case fixup_rip32_gotx:
    case fixup_rip32_rex_gotx:
    case fixup_rip32_lea_rex:
    case fixup_rip32_rex2:
    case fixup_rip32_rex2_gotx:
    case fixup_rip32_code5_gotx:
    case fixup_rip32_evex_gotx:
    case fixup_rip32_evex: return rip_relative(field.kind, value.constant == 0 && value.sub == no_symbol, at);
    case fixup_pcrel1:
    case fixup_branch8: return relative("FK_PCRel_1", 1);
    case fixup_pcrel2:
    case fixup_branch16:
    case fixup_xbegin16:
    case fixup_call16: return relative("FK_PCRel_2", 2);
    case fixup_pcrel4: return relative("FK_PCRel_4", 4);
    case fixup_branch32:
    case fixup_call32:
    case fixup_branch32_foreign:
      return relative(value.modifier || mode_ != 64 ? "FK_PCRel_4" : "reloc_branch_4byte_pcrel", 4);
    default: return {"FK_NONE"};
  }
}

std::string X86Target::operator_text(u16 modifier, std::string_view symbol) const {
  if (!modifier) return std::string(symbol);
  const bool lower = modifier == mod_tlsdesc || modifier == mod_tlscall;
  return fmt::format("{}@{}", symbol, lower ? text::lower(modifier_name(modifier)) : modifier_name(modifier));
}

}  // namespace xas::x86
