// SPDX-License-Identifier: Apache-2.0
// What LLVM calls the fields of instructions, for -show-encoding.
#include <fmt/format.h>

#include <algorithm>

#include "targets/arm/arm.h"
#include "targets/text.h"

namespace xas::arm {

EncodedField ArmTarget::encoded_field(const FieldFixup& field, const Value&, const u8* instruction) const {
  switch (field.kind) {
    case fixup_a32_branch:
      return {instruction[3] >> 4 == 14 ? "fixup_arm_uncondbranch" : "fixup_arm_condbranch", 0, 24};
    case fixup_a32_call: return {"fixup_arm_uncondbl", 0, 24};
    case fixup_a32_call_conditional: return {"fixup_arm_condbl", 0, 24};
    case fixup_a32_blx: return {"fixup_arm_blx", 0, 24};
    case fixup_a32_load:
    case fixup_a32_pool: return {"fixup_arm_ldst_pcrel_12", 0, 32};
    case fixup_a32_load8:
    case fixup_a32_pool8: return {"fixup_arm_pcrel_10_unscaled", 0, 32};
    case fixup_a32_adr: return {"fixup_arm_adr_pcrel_12", 0, 32};
    case fixup_a32_movw: return {"fixup_arm_movw_lo16", 0, 20};
    case fixup_a32_movt: return {"fixup_arm_movt_hi16", 0, 20};
    case fixup_a32_vload: return {"fixup_arm_pcrel_10", 0, 32};
    case fixup_a32_vload16: return {"fixup_arm_pcrel_9", 0, 32};
    case fixup_t16_b8: return {"fixup_arm_thumb_bcc", 0, 8};
    case fixup_t16_b11: return {"fixup_arm_thumb_br", 0, 16};
    case fixup_t16_cbz: return {"fixup_arm_thumb_cb", 0, 16};
    case fixup_t16_load: return {"fixup_arm_thumb_cp", 0, 8};
    case fixup_t16_adr: return {"fixup_thumb_adr_pcrel_10", 0, 8};
    case fixup_t32_b20: return {"fixup_t2_condbranch", 0, 32};
    case fixup_t32_b24: return {"fixup_t2_uncondbranch", 0, 32};
    case fixup_t32_bl: return {"fixup_arm_thumb_bl", 0, 32};
    case fixup_t32_blx: return {"fixup_arm_thumb_blx", 0, 32};
    case fixup_t32_load: return {"fixup_t2_ldst_pcrel_12", 0, 32};
    case fixup_t32_load8: return {"fixup_t2_pcrel_10", 0, 32};
    case fixup_t32_adr: return {"fixup_t2_adr_pcrel_12", 0, 32};
    case fixup_t32_movw: return {"fixup_t2_movw_lo16", 0, 20};
    case fixup_t32_movt: return {"fixup_t2_movt_hi16", 0, 20};
    case fixup_t32_vload: return {"fixup_t2_pcrel_10", 0, 32};
    case fixup_t32_vload16: return {"fixup_t2_pcrel_9", 0, 32};
    default: return {"FK_NONE"};
  }
}

std::string ArmTarget::operator_text(u16 modifier, std::string_view symbol) const {
  // What the field itself says stands before the symbol, and is not told; what the linker makes of it stands behind.
  if (!modifier || modifier == mod_lower16 || modifier == mod_upper16) return std::string(symbol);
  std::string name(modifier_name(modifier));
  if (modifier == mod_plt || modifier == mod_got) std::ranges::transform(name, name.begin(), text::upper);
  return fmt::format("{}({})", symbol, name);
}

}  // namespace xas::arm
