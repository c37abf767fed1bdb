// SPDX-License-Identifier: Apache-2.0
// Relocations of COFF objects for ARM64 (Windows).
//
// What is strange: the field is the addend, and it means another thing than the field that the linker makes of it. That
// of adrp counts bytes, not pages; branches have none, because linkers take their fields for zero; and the upper half
// of an offset in a section can't have one, because a carry from the lower half would be lost.
//
// Specification: Microsoft, "PE Format", "COFF Relocations (Object Only)", "ARM64 Processors".
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"

namespace xas::aarch64 {

namespace {

enum Arm64 : u32 {
  IMAGE_REL_ARM64_ADDR32 = 1,
  IMAGE_REL_ARM64_ADDR32NB = 2,
  IMAGE_REL_ARM64_BRANCH26 = 3,
  IMAGE_REL_ARM64_PAGEBASE_REL21 = 4,
  IMAGE_REL_ARM64_REL21 = 5,
  IMAGE_REL_ARM64_PAGEOFFSET_12A = 6,
  IMAGE_REL_ARM64_PAGEOFFSET_12L = 7,
  IMAGE_REL_ARM64_SECREL = 8,
  IMAGE_REL_ARM64_SECREL_LOW12A = 9,
  IMAGE_REL_ARM64_SECREL_HIGH12A = 10,
  IMAGE_REL_ARM64_SECREL_LOW12L = 11,
  IMAGE_REL_ARM64_SECTION = 13,
  IMAGE_REL_ARM64_ADDR64 = 14,
  IMAGE_REL_ARM64_BRANCH19 = 15,
  IMAGE_REL_ARM64_BRANCH14 = 16,
  IMAGE_REL_ARM64_REL32 = 17,
};

constexpr struct {
  std::string_view name;
  i16 number;
} relocation_names[] = {
    {"ABSOLUTE", 0},       {"ADDR32", 1},          {"ADDR32NB", 2},       {"BRANCH26", 3},      {"PAGEBASE_REL21", 4},
    {"REL21", 5},          {"PAGEOFFSET_12A", 6},  {"PAGEOFFSET_12L", 7}, {"SECREL", 8},        {"SECREL_LOW12A", 9},
    {"SECREL_HIGH12A", 10},{"SECREL_LOW12L", 11},  {"TOKEN", 12},         {"SECTION", 13},      {"ADDR64", 14},
    {"BRANCH19", 15},      {"BRANCH14", 16},       {"REL32", 17},
};

constexpr std::string_view data_modifiers[] = {"imgrel", "secrel32", "secidx"};
enum : u16 { mod_imgrel = first_coff_modifier, mod_secrel32, mod_secidx };

RelocChoice data_relocation(const RelocQuery& q) {
  const unsigned size = 1u << (q.kind & 3);
  const bool pcrel = q.pcrel || (q.kind >= fixup_pcrel1 && q.kind <= fixup_pcrel8);
  // Of a distance of eight bytes, the linker finds the lower half.
  if (pcrel && q.modifier == 0 && size >= 4) return {.type = IMAGE_REL_ARM64_REL32, .bias = 4};
  if (!pcrel && size == 8 && q.modifier == 0) return {IMAGE_REL_ARM64_ADDR64, {}};
  if (!pcrel && size == 4) {
    if (q.modifier == 0) return {IMAGE_REL_ARM64_ADDR32, {}};
    if (q.modifier == mod_imgrel) return {IMAGE_REL_ARM64_ADDR32NB, {}};
    if (q.modifier == mod_secrel32) return {IMAGE_REL_ARM64_SECREL, {}};
  }
  if (!pcrel && size == 2 && q.modifier == mod_secidx) return {.type = IMAGE_REL_ARM64_SECTION, .no_addend = true};
  return {0, fmt::format("no COFF relocation for a symbol in a {}field of {} byte{}", pcrel ? "PC-relative " : "", size,
                         size == 1 ? "" : "s")};
}

}  // namespace

u16 coff_modifier(std::string_view name) {
  for (u16 i = 0; i < std::size(data_modifiers); ++i) {
    if (text::equals_ignoring_case(name, data_modifiers[i])) return u16(first_coff_modifier + i);
  }
  return 0;
}

std::string_view coff_modifier_name(u16 modifier) {
  const unsigned i = modifier - first_coff_modifier;
  return i < std::size(data_modifiers) ? data_modifiers[i] : std::string_view();
}

RelocChoice AArch64Target::coff_relocation(const RelocQuery& q) const {
  if (q.kind == fixup_none) return {0, "there is no relocation for this"};
  if (q.kind < first_target_kind) return data_relocation(q);
  const std::string_view op = modifier_name(q.modifier);
  const bool load = q.kind >= fixup_offset1 && q.kind <= fixup_offset16;
  if (load || q.kind == fixup_add12) {
    if (op == "lo12") return {load ? u32(IMAGE_REL_ARM64_PAGEOFFSET_12L) : u32(IMAGE_REL_ARM64_PAGEOFFSET_12A), {}};
    if (op == "secrel_lo12")
      return {load ? u32(IMAGE_REL_ARM64_SECREL_LOW12L) : u32(IMAGE_REL_ARM64_SECREL_LOW12A), {}};
    if (op == "secrel_hi12" && !load) return {.type = IMAGE_REL_ARM64_SECREL_HIGH12A, .zero_addend = true};
    if (op.empty()) return {0, "a symbol here needs a relocation operator (such as :lo12:)"};
  }
  const bool page = q.kind == fixup_adrp_addend && op == "pg_hi21_nc";
  if (!op.empty() && !page) return {0, fmt::format(":{}: can't stand here in COFF", op)};
  switch (q.kind) {
    case fixup_branch26:
    case fixup_call26: return {.type = IMAGE_REL_ARM64_BRANCH26, .zero_addend = true};
    case fixup_branch19: return {.type = IMAGE_REL_ARM64_BRANCH19, .zero_addend = true};
    case fixup_branch14: return {.type = IMAGE_REL_ARM64_BRANCH14, .zero_addend = true};
    case fixup_adr: return {IMAGE_REL_ARM64_REL21, {}};
    case fixup_adrp_addend: return {IMAGE_REL_ARM64_PAGEBASE_REL21, {}};
    default: return {0, "there is no COFF relocation for this field: its value must be known when the object is made"};
  }
}

int coff_relocation_number(std::string_view name) {
  constexpr std::string_view prefix = "IMAGE_REL_ARM64_";
  if (!name.starts_with(prefix)) return -1;
  name.remove_prefix(prefix.size());
  for (const auto& n : relocation_names) {
    if (n.name == name) return n.number;
  }
  return -1;
}

}  // namespace xas::aarch64
