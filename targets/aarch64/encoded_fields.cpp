// SPDX-License-Identifier: Apache-2.0
// What LLVM calls the fields of instructions, for -show-encoding.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"

namespace xas::aarch64 {

EncodedField AArch64Target::encoded_field(const FieldFixup& field, const Value&, const u8*) const {
  switch (field.kind) {
    case fixup_branch26: return {"fixup_aarch64_pcrel_branch26", 0, 26};
    case fixup_call26: return {"fixup_aarch64_pcrel_call26", 0, 26};
    case fixup_branch19: return {"fixup_aarch64_pcrel_branch19", 5, 19};
    case fixup_branch14: return {"fixup_aarch64_pcrel_branch14", 5, 14};
    case fixup_branch9: return {"fixup_aarch64_pcrel_branch9", 5, 9};
    case fixup_back16: return {"fixup_aarch64_pcrel_branch16", 5, 16};
    case fixup_literal19: return {"fixup_aarch64_ldr_pcrel_imm19", 5, 19};
    case fixup_adr: return {"fixup_aarch64_pcrel_adr_imm21", 0, 32};
    case fixup_adrp:
    case fixup_adrp_addend: return {"fixup_aarch64_pcrel_adrp_imm21", 0, 32};
    case fixup_add12: return {"fixup_aarch64_add_imm12", 10, 12};
    case fixup_offset1: return {"fixup_aarch64_ldst_imm12_scale1", 10, 12};
    case fixup_offset2: return {"fixup_aarch64_ldst_imm12_scale2", 10, 12};
    case fixup_offset4: return {"fixup_aarch64_ldst_imm12_scale4", 10, 12};
    case fixup_offset8: return {"fixup_aarch64_ldst_imm12_scale8", 10, 12};
    case fixup_offset16: return {"fixup_aarch64_ldst_imm12_scale16", 10, 12};
    case fixup_movz:
    case fixup_movk: return {"fixup_aarch64_movw", 5, 16};
    default: return {"FK_NONE"};
  }
}

std::string AArch64Target::operator_text(u16 modifier, std::string_view symbol) const {
  return modifier ? fmt::format(":{}:{}", modifier_name(modifier), symbol) : std::string(symbol);
}

}  // namespace xas::aarch64
