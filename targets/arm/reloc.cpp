// SPDX-License-Identifier: Apache-2.0
// Relocation operators (:lower16:symbol, symbol(GOT)), what a fixup's field holds, and which relocation it becomes.
//
// Sources: ELF for the Arm Architecture (AAELF32), 5.6; the PE format's IMAGE_REL_ARM_*. ARM's relocations have no
// addend of their own: what is added stands in the field.
#include <fmt/format.h>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

using namespace text;

namespace {

enum : u16 {
  R_ARM_NONE = 0, R_ARM_PC24 = 1, R_ARM_ABS32 = 2, R_ARM_REL32 = 3, R_ARM_LDR_PC_G0 = 4, R_ARM_ABS16 = 5,
  R_ARM_ABS8 = 8, R_ARM_SBREL32 = 9, R_ARM_THM_CALL = 10, R_ARM_THM_PC8 = 11, R_ARM_XPC25 = 15, R_ARM_THM_XPC22 = 16,
  R_ARM_GOTOFF32 = 24, R_ARM_BASE_PREL = 25, R_ARM_GOT_BREL = 26, R_ARM_PLT32 = 27, R_ARM_CALL = 28,
  R_ARM_JUMP24 = 29, R_ARM_THM_JUMP24 = 30, R_ARM_TARGET1 = 38,
  R_ARM_V4BX = 40, R_ARM_PREL31 = 42,
  R_ARM_MOVW_ABS_NC = 43, R_ARM_TARGET2 = 41, R_ARM_MOVT_ABS = 44, R_ARM_MOVW_PREL_NC = 45, R_ARM_MOVT_PREL = 46,
  R_ARM_THM_MOVW_ABS_NC = 47, R_ARM_THM_MOVT_ABS = 48, R_ARM_THM_MOVW_PREL_NC = 49, R_ARM_THM_MOVT_PREL = 50,
  R_ARM_THM_JUMP19 = 51, R_ARM_THM_JUMP6 = 52, R_ARM_THM_ALU_PREL_11_0 = 53, R_ARM_THM_PC12 = 54, R_ARM_ALU_PC_G0 = 58,
  R_ARM_LDRS_PC_G0 = 64, R_ARM_LDC_PC_G0 = 67, R_ARM_TLS_GOTDESC = 90, R_ARM_TLS_CALL = 91, R_ARM_TLS_DESCSEQ = 92,
  R_ARM_THM_TLS_CALL = 93, R_ARM_GOT_PREL = 96, R_ARM_THM_JUMP11 = 102, R_ARM_THM_JUMP8 = 103, R_ARM_TLS_GD32 = 104,
  R_ARM_TLS_LDM32 = 105, R_ARM_TLS_LDO32 = 106, R_ARM_TLS_IE32 = 107, R_ARM_TLS_LE32 = 108, R_ARM_GOTFUNCDESC = 161,
  R_ARM_GOTOFFFUNCDESC = 162, R_ARM_FUNCDESC = 163, R_ARM_TLS_GD32_FDPIC = 165, R_ARM_TLS_LDM32_FDPIC = 166,
  R_ARM_TLS_IE32_FDPIC = 167,
  R_ARM_MOVW_BREL_NC = 84, R_ARM_THM_MOVW_BREL_NC = 87, R_ARM_THM_TLS_DESCSEQ16 = 129,
  R_ARM_THM_ALU_ABS_G0_NC = 132, R_ARM_THM_BF16 = 136, R_ARM_THM_BF12 = 137, R_ARM_THM_BF18 = 138,
};

enum : u16 {
  IMAGE_REL_ARM_ADDR32 = 1, IMAGE_REL_ARM_ADDR32NB = 2, IMAGE_REL_ARM_REL32 = 0xA, IMAGE_REL_ARM_SECTION = 0xE,
  IMAGE_REL_ARM_SECREL = 0xF, IMAGE_REL_ARM_MOV32T = 0x11, IMAGE_REL_ARM_BRANCH20T = 0x12,
  IMAGE_REL_ARM_BRANCH24T = 0x14,
  IMAGE_REL_ARM_BLX23T = 0x15,
};

/// In the order of ArmModifier: the name, and the relocation of a word of data, 0 if there is none.
constexpr struct {
  std::string_view name;
  u16 word;
} modifiers[mod_count] = {
    {"", R_ARM_ABS32}, {"lower16", 0}, {"upper16", 0}, {"lower0_7", 0}, {"lower8_15", 0}, {"upper0_7", 0},
    {"upper8_15", 0}, {"got", R_ARM_GOT_BREL}, {"gotoff", R_ARM_GOTOFF32}, {"got_prel", R_ARM_GOT_PREL},
    {"tlsgd", R_ARM_TLS_GD32}, {"tlsldm", R_ARM_TLS_LDM32}, {"tlsldo", R_ARM_TLS_LDO32}, {"tpoff", R_ARM_TLS_LE32},
    {"gottpoff", R_ARM_TLS_IE32}, {"tlscall", R_ARM_TLS_CALL}, {"tlsdesc", R_ARM_TLS_GOTDESC}, {"plt", R_ARM_ABS32},
    {"prel31", R_ARM_PREL31}, {"target1", R_ARM_TARGET1}, {"target2", R_ARM_TARGET2}, {"sbrel", R_ARM_SBREL32},
    {"none", R_ARM_NONE}, {"gotfuncdesc", R_ARM_GOTFUNCDESC}, {"gotofffuncdesc", R_ARM_GOTOFFFUNCDESC},
    {"tlsgd_fdpic", R_ARM_TLS_GD32_FDPIC}, {"tlsldm_fdpic", R_ARM_TLS_LDM32_FDPIC},
    {"gottpoff_fdpic", R_ARM_TLS_IE32_FDPIC}, {"funcdesc", R_ARM_FUNCDESC}, {"imgrel", 0}, {"secrel32", 0},
    {"secidx", 0},
    {"tlsdescseq", R_ARM_TLS_DESCSEQ},
    {"pc_g0_nc", 0}, {"pc_g0", 0}, {"pc_g1_nc", 0}, {"pc_g1", 0}, {"pc_g2", 0},
    {"sb_g0_nc", 0}, {"sb_g0", 0}, {"sb_g1_nc", 0}, {"sb_g1", 0}, {"sb_g2", 0},
    {"lower16 of sbrel", 0}, {"upper16 of sbrel", 0},
};

constexpr struct {
  std::string_view name;
  u16 type;
} names[] = {
    {"NONE", 0}, {"PC24", 1}, {"ABS32", 2}, {"REL32", 3}, {"LDR_PC_G0", 4}, {"ABS16", 5}, {"ABS12", 6}, {"THM_ABS5", 7},
    {"ABS8", 8}, {"SBREL32", 9}, {"THM_CALL", 10}, {"THM_PC8", 11}, {"TLS_DTPMOD32", 17}, {"TLS_DTPOFF32", 18},
    {"TLS_TPOFF32", 19}, {"COPY", 20}, {"GLOB_DAT", 21}, {"JUMP_SLOT", 22}, {"RELATIVE", 23}, {"GOTOFF32", 24},
    {"BASE_PREL", 25}, {"GOT_BREL", 26}, {"PLT32", 27}, {"CALL", 28}, {"JUMP24", 29}, {"THM_JUMP24", 30},
    {"BASE_ABS", 31}, {"TARGET1", 38}, {"SBREL31", 39}, {"V4BX", 40}, {"TARGET2", 41}, {"PREL31", 42},
    {"MOVW_ABS_NC", 43}, {"MOVT_ABS", 44}, {"MOVW_PREL_NC", 45}, {"MOVT_PREL", 46}, {"THM_MOVW_ABS_NC", 47},
    {"THM_MOVT_ABS", 48}, {"THM_MOVW_PREL_NC", 49}, {"THM_MOVT_PREL", 50}, {"THM_JUMP19", 51}, {"THM_JUMP6", 52},
    {"THM_ALU_PREL_11_0", 53}, {"THM_PC12", 54}, {"ABS32_NOI", 55}, {"REL32_NOI", 56}, {"TLS_GOTDESC", 90},
    {"TLS_CALL", 91}, {"TLS_DESCSEQ", 92}, {"THM_TLS_CALL", 93}, {"GOT_ABS", 95}, {"GOT_PREL", 96}, {"GOT_BREL12", 97},
    {"GOTOFF12", 98}, {"GNU_VTENTRY", 100}, {"GNU_VTINHERIT", 101}, {"THM_JUMP11", 102}, {"THM_JUMP8", 103},
    {"TLS_GD32", 104}, {"TLS_LDM32", 105}, {"TLS_LDO32", 106}, {"TLS_IE32", 107}, {"TLS_LE32", 108}, {"THM_BF16", 136},
    {"THM_BF12", 137}, {"THM_BF18", 138}, {"IRELATIVE", 160}, {"ALU_PC_G0_NC", 57}, {"ALU_PC_G0", 58},
    {"ALU_PC_G1_NC", 59}, {"ALU_PC_G1", 60}, {"ALU_PC_G2", 61}, {"LDR_PC_G1", 62}, {"LDR_PC_G2", 63},
    {"LDRS_PC_G0", 64}, {"LDRS_PC_G1", 65}, {"LDRS_PC_G2", 66}, {"LDC_PC_G0", 67}, {"LDC_PC_G1", 68},
    {"LDC_PC_G2", 69}, {"ALU_SB_G0_NC", 70}, {"ALU_SB_G0", 71}, {"ALU_SB_G1_NC", 72}, {"ALU_SB_G1", 73},
    {"ALU_SB_G2", 74}, {"LDR_SB_G0", 75}, {"LDR_SB_G1", 76}, {"LDR_SB_G2", 77}, {"LDRS_SB_G0", 78}, {"LDRS_SB_G1", 79},
    {"LDRS_SB_G2", 80}, {"LDC_SB_G0", 81}, {"LDC_SB_G1", 82}, {"LDC_SB_G2", 83}, {"MOVW_BREL_NC", 84},
    {"MOVT_BREL", 85}, {"MOVW_BREL", 86}, {"THM_MOVW_BREL_NC", 87}, {"THM_MOVT_BREL", 88}, {"THM_MOVW_BREL", 89},
    {"PLT32_ABS", 94}, {"GOTRELAX", 99}, {"TLS_LDO12", 109}, {"TLS_LE12", 110}, {"TLS_IE12GP", 111},
    {"THM_TLS_DESCSEQ16", 129}, {"THM_TLS_DESCSEQ32", 130}, {"THM_ALU_ABS_G0_NC", 132}, {"THM_ALU_ABS_G1_NC", 133},
    {"THM_ALU_ABS_G2_NC", 134}, {"THM_ALU_ABS_G3", 135}, {"GOTFUNCDESC", 161}, {"GOTOFFFUNCDESC", 162},
    {"FUNCDESC", 163}, {"FUNCDESC_VALUE", 164}, {"TLS_GD32_FDPIC", 165}, {"TLS_LDM32_FDPIC", 166},
    {"TLS_IE32_FDPIC", 167},
};

bool is_branch(u16 kind) {
  switch (kind) {
    case fixup_a32_branch: case fixup_a32_call: case fixup_a32_call_conditional: case fixup_a32_blx:
    case fixup_t16_b8: case fixup_t16_b11: case fixup_t32_b20: case fixup_t32_b24:
    case fixup_t32_bl: case fixup_t32_blx:
      return true;
    default: return false;
  }
}

bool is_t16(u16 kind) {
  return (kind >= fixup_t16_b8 && kind <= fixup_t16_byte) || (kind >= fixup_field && (kind - fixup_field) % 4 == 1);
}
bool is_t32(u16 kind) {
  return (kind >= fixup_t32_b20 && kind <= fixup_t32_vload16) || (kind >= fixup_field && (kind - fixup_field) % 4 == 2);
}

}  // namespace

u32 ArmTarget::load(const u8* at, u16 kind) const {
  if (!options_.big_endian) [[likely]] {
    const auto halfword = [](const u8* p) { return u32(p[0]) | u32(p[1]) << 8; };
    if (is_t16(kind)) return halfword(at);
    return is_t32(kind) ? halfword(at) << 16 | halfword(at + 2) : halfword(at) | halfword(at + 2) << 16;
  }
  const auto halfword = [](const u8* p) { return u32(p[0]) << 8 | u32(p[1]); };
  return is_t16(kind) ? halfword(at) : halfword(at) << 16 | halfword(at + 2);
}

void ArmTarget::store(u8* at, u16 kind, u32 word) const {
  if (!options_.big_endian) [[likely]] {
    const auto halfword = [](u32 v, u8* p) { p[0] = u8(v), p[1] = u8(v >> 8); };
    if (is_t16(kind)) return halfword(word, at);
    if (is_t32(kind)) word = word >> 16 | word << 16;
    return halfword(word, at), halfword(word >> 16, at + 2);
  }
  const auto halfword = [](u32 v, u8* p) { p[0] = u8(v >> 8), p[1] = u8(v); };
  if (is_t16(kind)) return halfword(word, at);
  halfword(word >> 16, at), halfword(word, at + 2);
}

u16 ArmTarget::modifier(std::string_view name) const {
  for (u16 i = 1; i < mod_count; ++i)
    if (equals_ignoring_case(name, modifiers[i].name)) return i;
  return 0;
}

std::string_view ArmTarget::modifier_name(u16 modifier) const {
  return modifier < mod_count ? modifiers[modifier].name : std::string_view();
}

namespace {

enum : u8 { a32_stub = 1, t32_stub };

}  // namespace

/// `blx` has no stub, for it is either instruction set that it would have to be of.
Target::BranchReach ArmTarget::branch_reach(u16 kind) const {
  const u8 thumb_stub = processor_.has_it() ? t32_stub : 0;
  switch (kind) {
    case fixup_a32_branch: case fixup_a32_call: case fixup_a32_call_conditional: return {i64(1) << 25, a32_stub};
    case fixup_t16_b8: return {i64(1) << 8, thumb_stub};
    case fixup_t16_b11: return {i64(1) << 11, thumb_stub};
    case fixup_t32_b20: return {i64(1) << 20, thumb_stub};
    case fixup_t32_b24: return {i64(1) << 24, thumb_stub};
    case fixup_t32_bl: return {i64(1) << (has_short_calls(kind) ? 22 : 24), thumb_stub};
    default: return {};
  }
}

/// That of Thumb loads no literal, whose place would have to be a multiple of 4; as a direct branch does, it stays in
/// Thumb code. That of A32 enters Thumb code if the address has bit 0.
unsigned ArmTarget::write_stub(u8 stub, u64 address, u8 (&out)[max_stub]) const {
  if (stub == a32_stub) {
    store(out, fixup_a32_branch, 0xE51FF004);  // ldr pc, [pc, #-4]
    store(out + 4, fixup_a32_branch, u32(address));
    return 8;
  }
  const auto halfword = [&](u32 v) { return (v & 0xF000) << 4 | (v & 0x800) << 15 | (v & 0x700) << 4 | (v & 0xFF); };
  store(out, fixup_t32_movw, 0xF2400C00 | halfword(u32(address) | 1));     // movw ip, #lower
  store(out + 4, fixup_t32_movt, 0xF2C00C00 | halfword(u32(address >> 16)));  // movt ip, #upper
  store(out + 8, fixup_t16_b11, 0x4760);                                   // bx ip
  return 10;
}

bool ArmTarget::final_value(u16 kind, u16 modifier, i64&) const {
  switch (kind) {
    case fixup_tls_call: case fixup_thumb_tls_call: case fixup_v4bx: return false;
    default: return modifier == 0 || modifier == mod_plt || (modifier >= mod_lower16 && modifier <= mod_upper8_15);
  }
}

FixupInfo ArmTarget::fixup_info(u16 kind) const {
  if (kind < first_target_kind) return {};
  if (kind == fixup_tls_call || kind == fixup_thumb_tls_call || kind == fixup_v4bx) return {0, false};
  if (kind == fixup_target1) return {4, false};
  if (kind == fixup_a32_adrl) return {8, true, false, switches_.interwork};
  if (kind == fixup_prel31) return {4, true};
  const bool aligned = kind == fixup_t16_load || kind == fixup_t16_adr || kind == fixup_t32_load ||
                       kind == fixup_t32_load8 || kind == fixup_t32_adr || kind == fixup_t32_vload ||
                       kind == fixup_t32_vload16 ||
                       kind == fixup_t32_blx;
  const bool value = kind >= fixup_field || (kind >= fixup_a32_group_alu && kind <= fixup_a32_group_vload) ||
                     kind == fixup_a32_movw || kind == fixup_a32_movt || kind == fixup_t16_byte ||
                     kind == fixup_t32_movw || kind == fixup_t32_movt;
  // `b 0x100`: an address to GNU as, a distance to LLVM.
  const bool to_address = options_.gnu && options_.format == ObjectFormat::elf && is_branch(kind);
  const bool is_adr = kind == fixup_a32_adr || kind == fixup_a32_adrl;
  const bool is_thumb_adr = kind == fixup_t16_adr || kind == fixup_t32_adr || (is_adr && switches_.interwork);
  return {.size = u8(is_t16(kind) ? 2 : 4),
          .pcrel = !value,
          .aligned = aligned,
          .is_thumb_adr = is_thumb_adr,
          .branch = is_branch(kind),
          .to_address = to_address,
          .pc_ahead = u8(value ? 0 : kind < fixup_t16_b8 ? 8 : 4)};
}

namespace {

RelocChoice coff_relocation(const RelocQuery& q) {
  switch (q.kind) {
    case fixup_data4:
      if (q.modifier == mod_imgrel) return {IMAGE_REL_ARM_ADDR32NB, {}};
      if (q.modifier == mod_secrel32) return {IMAGE_REL_ARM_SECREL, {}};
      if (q.modifier) break;
      return q.pcrel ? RelocChoice{IMAGE_REL_ARM_REL32, {}, 4} : RelocChoice{IMAGE_REL_ARM_ADDR32, {}};
    case fixup_pcrel4: return {IMAGE_REL_ARM_REL32, {}, 4};
    case fixup_data2:
      if (q.modifier != mod_secidx) break;
      return {.type = IMAGE_REL_ARM_SECTION, .no_addend = true};
    // The linker counts from behind the instruction by itself.
    case fixup_t32_b20: return {IMAGE_REL_ARM_BRANCH20T, {}, 4};
    case fixup_t32_b24: case fixup_t32_bl: return {IMAGE_REL_ARM_BRANCH24T, {}, 4};
    case fixup_t32_blx: return {IMAGE_REL_ARM_BLX23T, {}, 4};
    case fixup_t32_movw:
      if (q.modifier == mod_lower16) return {IMAGE_REL_ARM_MOV32T, {}};
      return {0, "movw takes the lower half (:lower16:), and the movt behind it the upper one"};
    case fixup_t32_movt:
      if (q.modifier == mod_upper16) return {.covered = true};  // by that of the movw in front of it
      return {0, "movt takes the upper half (:upper16:), behind a movw of the lower one"};
    default: break;
  }
  return {0, "there is no relocation for this"};
}

}  // namespace

/// A part of an address: which group it is counts from the modifier, whose names without _nc alone are for loads.
static RelocChoice group_relocation(const RelocQuery& q) {
  constexpr u16 alu[] = {57, 58, 59, 60, 61, 70, 71, 72, 73, 74};
  constexpr u16 loads[][10] = {{0, 4, 0, 62, 63, 0, 75, 0, 76, 77}, {0, 64, 0, 65, 66, 0, 78, 0, 79, 80},
                               {0, 67, 0, 68, 69, 0, 81, 0, 82, 83}};
  const unsigned group = q.modifier - mod_pc_g0_nc;
  if (q.kind == fixup_a32_group_alu) return {alu[group], {}};
  const u16 type = loads[q.kind - fixup_a32_group_load][group];
  if (type == 0) return {0, "loads and stores take the rest of an address only: the operator without _nc"};
  return {type, {}};
}

/// The distance to a place that is elsewhere, of loads and `adr` of A32, which GNU as leaves to no linker. LLVM does,
/// but for loads of coprocessors.
static RelocChoice distance_relocation(const RelocQuery& q) {
  if (q.gnu || q.kind == fixup_a32_vload) {
    return {0, q.kind == fixup_a32_adr
                   ? "the address of a symbol that is elsewhere is no distance; `ldr r0, =name` loads it"
                   : "a symbol that is elsewhere can't be reached; `ldr r0, =name` loads its address"};
  }
  switch (q.kind) {
    case fixup_a32_load:
    case fixup_a32_pool: return {R_ARM_LDR_PC_G0, {}};
    case fixup_a32_adr: return {R_ARM_ALU_PC_G0, {}};
    default: return {R_ARM_LDRS_PC_G0, {}};
  }
}

static RelocChoice no_relocation(const RelocQuery& q) {
  return {0, q.modifier ? fmt::format("({}) can't stand here", modifiers[q.modifier].name)
                        : "there is no relocation for this"};
}

/// Branches that reach as far as a linker needs. Before there was an EABI, others were known.
static RelocChoice branch_relocation(const RelocQuery& q, bool eabi) {
  const bool thumb = q.kind == fixup_t32_bl || q.kind == fixup_t32_blx;
  if (q.modifier == mod_tlscall && q.kind != fixup_t32_b24)
    return {thumb ? R_ARM_THM_TLS_CALL : R_ARM_TLS_CALL, {}};
  if (q.modifier && q.modifier != mod_plt) return no_relocation(q);
  switch (q.kind) {
    case fixup_t32_b24: return {R_ARM_THM_JUMP24, {}};
    case fixup_t32_bl: return {R_ARM_THM_CALL, {}};
    case fixup_t32_blx: return {eabi ? R_ARM_THM_CALL : R_ARM_THM_XPC22, {}};
    default: break;
  }
  if (eabi) return {q.kind == fixup_a32_call || q.kind == fixup_a32_blx ? R_ARM_CALL : R_ARM_JUMP24, {}};
  return {q.modifier == mod_plt ? R_ARM_PLT32 : q.kind == fixup_a32_blx ? R_ARM_XPC25 : R_ARM_PC24, {}};
}

/// Half of an address, of movw and movt.
static RelocChoice half_relocation(const RelocQuery& q, bool pcrel) {
  const bool a32 = q.kind == fixup_a32_movw || q.kind == fixup_a32_movt;
  if (q.modifier == mod_lower16_sbrel || q.modifier == mod_upper16_sbrel) {
    const u16 based = a32 ? R_ARM_MOVW_BREL_NC : R_ARM_THM_MOVW_BREL_NC;
    return {u32(based + (q.modifier == mod_upper16_sbrel)), {}};
  }
  if (q.modifier != mod_lower16 && q.modifier != mod_upper16) return {0, "a symbol here needs :lower16: or :upper16:"};
  const u16 base = a32 ? R_ARM_MOVW_ABS_NC : R_ARM_THM_MOVW_ABS_NC;
  return {u32(base + (q.modifier == mod_upper16) + (pcrel ? 2 : 0)), {}};
}

RelocChoice ArmTarget::relocation(const RelocQuery& q) const {
  if (q.format == ObjectFormat::coff) return coff_relocation(q);
  if (!switches_.fdpic && q.modifier >= mod_gotfuncdesc && q.modifier <= mod_funcdesc)
    return {0, fmt::format("({}) is for objects with function descriptors (--fdpic)", modifier_name(q.modifier))};
  const bool pcrel = q.pcrel || (q.kind >= fixup_pcrel1 && q.kind <= fixup_pcrel8);
  switch (q.kind) {
    case fixup_none:
      if (q.modifier == mod_none_reloc) return {R_ARM_NONE, {}};
      break;
    case fixup_data1: case fixup_data2:
      if (pcrel || q.modifier) break;
      return {q.kind == fixup_data1 ? R_ARM_ABS8 : R_ARM_ABS16, {}};
    case fixup_data4: case fixup_pcrel4: {
      if (q.modifier == 0 && pcrel && q.is_got_symbol) return {R_ARM_BASE_PREL, {}};
      if (q.modifier == 0) return {pcrel ? R_ARM_REL32 : R_ARM_ABS32, {}};
      if (q.modifier == mod_none_reloc) return {R_ARM_NONE, {}};
      const u16 type = modifiers[q.modifier].word;
      if (type == 0) break;
      return {type, {}};
    }
    case fixup_prel31: return {R_ARM_PREL31, {}};
    case fixup_target1: return {R_ARM_TARGET1, {}};
    case fixup_v4bx: return {R_ARM_V4BX, {}};
    case fixup_tls_call: return {R_ARM_TLS_DESCSEQ, {}};
    case fixup_thumb_tls_call: return {q.gnu ? R_ARM_THM_TLS_DESCSEQ16 : R_ARM_TLS_DESCSEQ, {}};
    case fixup_a32_branch: case fixup_a32_call_conditional: case fixup_a32_call: case fixup_a32_blx:
    case fixup_t32_bl: case fixup_t32_blx: case fixup_t32_b24: return branch_relocation(q, has_eabi());
    case fixup_t32_b20: return {R_ARM_THM_JUMP19, {}};
    case fixup_t32_bf12: return {R_ARM_THM_BF12, {}};
    case fixup_t32_bf16: return {R_ARM_THM_BF16, {}};
    case fixup_t32_bf18: return {R_ARM_THM_BF18, {}};
    case fixup_t16_b11: return {R_ARM_THM_JUMP11, {}};
    case fixup_t16_b8: return {R_ARM_THM_JUMP8, {}};
    case fixup_t16_cbz: return {R_ARM_THM_JUMP6, {}};
    case fixup_t16_load: return {R_ARM_THM_PC8, {}};
    case fixup_t16_adr:
      if (q.gnu) return {0, "the address of a symbol that is elsewhere needs Thumb-2"};
      return {R_ARM_THM_PC8, {}};
    case fixup_t16_byte: return {u32(R_ARM_THM_ALU_ABS_G0_NC + (q.modifier - mod_lower0_7)), {}};
    case fixup_t32_load: return {R_ARM_THM_PC12, {}};
    case fixup_t32_adr: return {R_ARM_THM_ALU_PREL_11_0, {}};
    case fixup_a32_group_alu: case fixup_a32_group_load: case fixup_a32_group_load8: case fixup_a32_group_vload:
      return group_relocation(q);
    case fixup_a32_load:
    case fixup_a32_pool:
    case fixup_a32_load8:
    case fixup_a32_pool8:
    case fixup_a32_vload:
    case fixup_a32_adr: return distance_relocation(q);
    case fixup_a32_movw: case fixup_a32_movt: case fixup_t32_movw: case fixup_t32_movt:
      return half_relocation(q, pcrel);
    default:
      if (pcrel) return {0, "there is no relocation for this distance; its target must be a label of the same section"};
      return {0,
              "a symbol can't stand here: this field takes a number that is known when the object is made; an address "
              "comes by movw with :lower16: and movt with :upper16:, or `ldr r0, =name`"};
  }
  return no_relocation(q);
}

bool ArmTarget::may_resolve(const RelocQuery& q) const {
  switch (q.kind) {
    case fixup_tls_call: case fixup_thumb_tls_call: case fixup_v4bx: case fixup_target1: return false;
    default: break;
  }
  const bool is_part = q.modifier >= mod_lower16 && q.modifier <= mod_upper8_15;
  if (q.modifier && !is_part && !(q.modifier == mod_plt && options_.gnu)) return false;
  if (!q.pcrel) return true;
  const bool to_arm = q.function && !q.thumb_function, to_thumb = q.function && q.thumb_function;
  const bool local = q.local || (options_.gnu && q.format == ObjectFormat::coff);
  // GNU as: of the processor, or because Thumb code has an instruction of Armv5T.
  const auto knows_blx = [&] { return selects("v5t") || used("v5t", true); };
  switch (q.kind) {
    // LLVM leaves the choice between bl and blx to the linker.
    case fixup_a32_call: return options_.gnu && local && (!to_thumb || knows_blx());
    case fixup_a32_call_conditional: return options_.gnu && local && !to_thumb;
    case fixup_a32_blx: return options_.gnu && local && (!to_arm || knows_blx());
    case fixup_t32_blx: return options_.gnu && local;
    case fixup_a32_branch: return local && !to_thumb;
    case fixup_t32_bl: return local && (!to_arm || (options_.gnu && knows_blx()));
    case fixup_t32_b20: case fixup_t32_b24: return (local || !options_.gnu) && !to_arm;
    case fixup_t16_b8: case fixup_t16_cbz: return options_.gnu ? local : !to_arm;
    case fixup_t16_b11: return options_.gnu || !to_arm;
    default: return true;
  }
}

bool ArmTarget::match_call(const RelocQuery& q, u16& kind, u8* field) const {
  const auto change = [&](u16 to, u32 opcode) {
    kind = to;
    store(field, kind, opcode);
  };
  constexpr u32 a32_bl = 0xEB000000, a32_blx = 0xFA000000, t32_bl = 0xF000D000, t32_blx = 0xF000C000;
  switch (kind) {
    case fixup_a32_call:
      if (q.thumb_function) change(fixup_a32_blx, a32_blx);
      return false;
    case fixup_t32_bl:
      if (!q.thumb_function) change(fixup_t32_blx, t32_blx);
      return false;
    case fixup_a32_blx:
      if (q.thumb_function) return false;
      return change(fixup_a32_call, a32_bl), true;
    case fixup_t32_blx:
      if (!q.thumb_function) return false;
      return change(fixup_t32_bl, t32_bl), true;
    default: return false;
  }
}

bool ArmTarget::needs_symbol(const RelocQuery& q) const {
  if (q.format == ObjectFormat::coff) return false;
  if (q.thumb_function) return true;
  if (q.kind < first_target_kind && !q.gnu) {
    return q.modifier || q.kind != fixup_data4 || q.pcrel;  // R_ARM_ABS32 alone may name a section
  }
  if (q.kind == fixup_prel31) return q.gnu && q.function;
  if (!q.gnu || q.function) return true;
  if (q.kind == fixup_a32_movw || q.kind == fixup_a32_movt || q.kind == fixup_t32_movw || q.kind == fixup_t32_movt)
    return true;
  switch (q.modifier) {
    case mod_none: case mod_sbrel: case mod_target1: case mod_got_prel: case mod_plt: return false;
    default: return true;
  }
}

bool ArmTarget::is_tls(u16 modifier) const {
  modifier &= u16(~modifier_relocated);
  return (modifier >= mod_tlsgd && modifier <= mod_tlsdesc) || (options_.gnu && modifier == mod_tlsdescseq) ||
         (modifier >= mod_tlsgd_fdpic && modifier <= mod_gottpoff_fdpic);
}

int ArmTarget::relocation_number(std::string_view name, ObjectFormat format) const {
  if (format != ObjectFormat::elf) return -1;
  if (name.starts_with("BFD_RELOC_")) {
    name.remove_prefix(10);
    return name == "NONE" ? 0
           : name == "8"  ? int(R_ARM_ABS8)
           : name == "16" ? int(R_ARM_ABS16)
           : name == "32" ? int(R_ARM_ABS32)
                          : -1;
  }
  if (!name.starts_with("R_ARM_")) return -1;
  name.remove_prefix(6);
  for (const auto& n : names)
    if (n.name == name) return n.type;
  return -1;
}

}  // namespace xas::arm
