// SPDX-License-Identifier: Apache-2.0
// Names of relocations are the psABIs'.
#include "elf_names.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace diff {

using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

namespace {

constexpr std::array x86_64_relocs = {"NONE",
                                      "64",
                                      "PC32",
                                      "GOT32",
                                      "PLT32",
                                      "COPY",
                                      "GLOB_DAT",
                                      "JUMP_SLOT",
                                      "RELATIVE",
                                      "GOTPCREL",
                                      "32",
                                      "32S",
                                      "16",
                                      "PC16",
                                      "8",
                                      "PC8",
                                      "DTPMOD64",
                                      "DTPOFF64",
                                      "TPOFF64",
                                      "TLSGD",
                                      "TLSLD",
                                      "DTPOFF32",
                                      "GOTTPOFF",
                                      "TPOFF32",
                                      "PC64",
                                      "GOTOFF64",
                                      "GOTPC32",
                                      "GOT64",
                                      "GOTPCREL64",
                                      "GOTPC64",
                                      "GOTPLT64",
                                      "PLTOFF64",
                                      "SIZE32",
                                      "SIZE64",
                                      "GOTPC32_TLSDESC",
                                      "TLSDESC_CALL",
                                      "TLSDESC",
                                      "IRELATIVE",
                                      "RELATIVE64",
                                      "39",
                                      "40",
                                      "GOTPCRELX",
                                      "REX_GOTPCRELX",
                                      "CODE_4_GOTPCRELX",
                                      "CODE_4_GOTTPOFF",
                                      "CODE_4_GOTPC32_TLSDESC"};
constexpr std::array i386_relocs = {"NONE",
                                    "32",
                                    "PC32",
                                    "GOT32",
                                    "PLT32",
                                    "COPY",
                                    "GLOB_DAT",
                                    "JUMP_SLOT",
                                    "RELATIVE",
                                    "GOTOFF",
                                    "GOTPC",
                                    "32PLT",
                                    "12",
                                    "13",
                                    "TLS_TPOFF",
                                    "TLS_IE",
                                    "TLS_GOTIE",
                                    "TLS_LE",
                                    "TLS_GD",
                                    "TLS_LDM",
                                    "16",
                                    "PC16",
                                    "8",
                                    "PC8",
                                    "TLS_GD_32",
                                    "TLS_GD_PUSH",
                                    "TLS_GD_CALL",
                                    "TLS_GD_POP",
                                    "TLS_LDM_32",
                                    "TLS_LDM_PUSH",
                                    "TLS_LDM_CALL",
                                    "TLS_LDM_POP",
                                    "TLS_LDO_32",
                                    "TLS_IE_32",
                                    "TLS_LE_32",
                                    "TLS_DTPMOD32",
                                    "TLS_DTPOFF32",
                                    "TLS_TPOFF32",
                                    "SIZE32",
                                    "TLS_GOTDESC",
                                    "TLS_DESC_CALL",
                                    "TLS_DESC",
                                    "IRELATIVE",
                                    "GOT32X"};

}  // namespace

std::string reloc_name(uint16_t machine, uint32_t type) {
  if (machine == 62 && type < x86_64_relocs.size()) return fmt::format("R_X86_64_{}", x86_64_relocs[type]);
  if (machine == 3 && type < i386_relocs.size()) return fmt::format("R_386_{}", i386_relocs[type]);
  return fmt::format("relocation {}", type);
}

std::string section_type_name(uint32_t type) {
  constexpr std::array names = {"NULL",       "PROGBITS",   "SYMTAB",        "STRTAB", "RELA",        "HASH", "DYNAMIC",
                                "NOTE",       "NOBITS",     "REL",           "SHLIB",  "DYNSYM",      "12",   "13",
                                "INIT_ARRAY", "FINI_ARRAY", "PREINIT_ARRAY", "GROUP",  "SYMTAB_SHNDX"};
  if (type < names.size()) return names[type];
  if (type == 0x70000001) return "X86_64_UNWIND";
  return fmt::format("{:#x}", type);
}

std::string section_flags_name(uint64_t flags) {
  constexpr std::string_view letters = "WAX?MSILOGTC";
  std::string text;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((flags >> bit & 1) == 0) continue;
    if (bit < letters.size() && letters[bit] != '?')
      text += letters[bit];
    else if (bit == 28)
      text += 'l';
    else if (bit == 31)
      text += 'E';
    else if (bit == 21)
      text += 'R';
    else
      text += fmt::format("<{}>", bit);
  }
  return text.empty() ? "none" : text;
}

}  // namespace diff
