// SPDX-License-Identifier: Apache-2.0
// Relocations of COFF objects for x86-64 and i386.
//
// What is strange: a PC-relative field counts from its own end, and there is no addend but the field itself. Types
// exist for 32 bits, for 64 on x86-64, and for little else; GNU as has its own for the rest, which GNU ld alone
// understands.
//
// Specification: Microsoft, "PE Format", "COFF Relocations (Object Only)"; the additional numbers are those of BFD.
#include <fmt/format.h>

#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

enum Amd64 : u32 {
  IMAGE_REL_AMD64_ADDR64 = 1,
  IMAGE_REL_AMD64_ADDR32 = 2,
  IMAGE_REL_AMD64_ADDR32NB = 3,
  IMAGE_REL_AMD64_REL32 = 4,
  IMAGE_REL_AMD64_SECTION = 10,
  IMAGE_REL_AMD64_SECREL = 11,
  bfd_amd64_pcrel64 = 14,
};

enum CoffI386 : u32 {
  IMAGE_REL_I386_DIR32 = 6,
  IMAGE_REL_I386_DIR32NB = 7,
  IMAGE_REL_I386_SECTION = 10,
  IMAGE_REL_I386_SECREL = 11,
  IMAGE_REL_I386_REL32 = 20,
};

/// Those that BFD has beyond the specification, for both machines.
enum Bfd : u32 { bfd_8 = 15, bfd_16 = 16, bfd_signed32 = 17, bfd_pcrel8 = 18, bfd_pcrel16 = 19 };

RelocChoice refuse(const RelocQuery& q, unsigned size) {
  return {0, fmt::format("no COFF relocation for a symbol in a {}field of {} byte{}", q.pcrel ? "PC-relative " : "",
                         size, size == 1 ? "" : "s")};
}

/// The field counts from its end, and relocations from its start.
RelocChoice pc_relative(u32 type, unsigned size) { return {.type = type, .bias = i8(size)}; }

}  // namespace

RelocChoice choose_coff(const RelocQuery& q, unsigned size, bool amd64) {
  switch (q.modifier) {
    case mod_none:
      if (q.is_got_symbol && !q.gnu && q.kind >= first_target_kind)
        return {0, "there is no global offset table in COFF"};
      break;
    case mod_imgrel:
      if (size == 4 && !q.pcrel) return {amd64 ? u32(IMAGE_REL_AMD64_ADDR32NB) : u32(IMAGE_REL_I386_DIR32NB), {}};
      return refuse(q, size);
    case mod_secrel32:
      if (size == 4 && !q.pcrel) return {amd64 ? u32(IMAGE_REL_AMD64_SECREL) : u32(IMAGE_REL_I386_SECREL), {}};
      return refuse(q, size);
    case mod_secidx:
      if (size == 2 && !q.pcrel) {
        return {.type = amd64 ? u32(IMAGE_REL_AMD64_SECTION) : u32(IMAGE_REL_I386_SECTION),
                .no_addend = !q.gnu || q.section_symbol};
      }
      return refuse(q, size);
    case mod_plt:   // there is no procedure linkage table: it is the function itself
    case mod_abs8:  // an address that fits a narrow field fits this one
      if (size < 4) return refuse(q, size);
      break;
    default: return {0, "this relocation modifier does not exist in COFF"};
  }
  if (q.pcrel) {
    switch (size) {
      case 4: return pc_relative(amd64 ? u32(IMAGE_REL_AMD64_REL32) : u32(IMAGE_REL_I386_REL32), size);
      case 8:
        if (!amd64) break;
        // LLVM takes the low half for the difference.
        return q.gnu ? pc_relative(bfd_amd64_pcrel64, size) : pc_relative(IMAGE_REL_AMD64_REL32, 4);
      case 2:
        if (q.gnu) return pc_relative(bfd_pcrel16, size);
        break;
      case 1:
        if (q.gnu) return pc_relative(bfd_pcrel8, size);
        break;
    }
    return refuse(q, size);
  }
  switch (size) {
    case 8:
      if (amd64) return {IMAGE_REL_AMD64_ADDR64, {}};
      break;
    case 4:
      if (!amd64) return {IMAGE_REL_I386_DIR32, {}};
      return {
          q.gnu && (q.kind == fixup_disp32 || q.kind == fixup_imm32s) ? u32(bfd_signed32) : u32(IMAGE_REL_AMD64_ADDR32),
          {}};
    case 2:
      if (q.gnu) return {bfd_16, {}};
      break;
    case 1:
      if (q.gnu) return {bfd_8, {}};
      break;
  }
  return refuse(q, size);
}

/// For .reloc: IMAGE_REL_* and the generic names of BFD.
unsigned coff_relocation_size(u32 number, bool amd64) {
  switch (number) {
    case bfd_8: return 1;
    case bfd_16: return 2;
    case IMAGE_REL_AMD64_ADDR64: return amd64 ? 8 : 0;
    case IMAGE_REL_AMD64_ADDR32: return amd64 ? 4 : 0;
    case IMAGE_REL_I386_DIR32: return amd64 ? 0 : 4;
    default: return 0;
  }
}

int coff_relocation_number(std::string_view name, bool amd64) {
  static constexpr struct {
    std::string_view name;
    i16 amd64, i386;
  } names[] = {
      {"IMAGE_REL_AMD64_ABSOLUTE", 0, -1},
      {"IMAGE_REL_AMD64_ADDR64", 1, -1},
      {"IMAGE_REL_AMD64_ADDR32", 2, -1},
      {"IMAGE_REL_AMD64_ADDR32NB", 3, -1},
      {"IMAGE_REL_AMD64_REL32", 4, -1},
      {"IMAGE_REL_AMD64_SECTION", 10, -1},
      {"IMAGE_REL_AMD64_SECREL", 11, -1},
      {"IMAGE_REL_I386_ABSOLUTE", -1, 0},
      {"IMAGE_REL_I386_DIR32", -1, 6},
      {"IMAGE_REL_I386_DIR32NB", -1, 7},
      {"IMAGE_REL_I386_SECTION", -1, 10},
      {"IMAGE_REL_I386_SECREL", -1, 11},
      {"IMAGE_REL_I386_REL32", -1, 20},
      {"BFD_RELOC_8", 15, 15},
      {"BFD_RELOC_16", 16, 16},
      {"BFD_RELOC_32", 2, 6},
      {"BFD_RELOC_64", 1, -1},
      {"BFD_RELOC_32_PCREL", 4, 20},
      {"BFD_RELOC_RVA", 3, 7},
  };
  for (const auto& n : names) {
    if (n.name == name) return amd64 ? n.amd64 : n.i386;
  }
  return -1;
}

}  // namespace xas::x86
