// SPDX-License-Identifier: Apache-2.0
// The structures of an ELF file, for the four combinations of word size and byte order.
// Specification: System V gABI, chapter 4 (Elf32_*, Elf64_*). Field names are its own.
#pragma once

#include "objwriter/endian.h"

namespace xas::elf {

template <bool Is64, std::endian Order>
struct Format {
  static constexpr bool is_64 = Is64;
  using Half = Ordered<u16, Order>;
  using Word = Ordered<u32, Order>;
  using Xword = Ordered<u64, Order>;
  using Native = std::conditional_t<Is64, u64, u32>;  ///< an address, offset or size, as a number
  using Addr = Ordered<Native, Order>;                ///< ... and in the file

  struct Ehdr {
    u8 e_ident[16];
    Half e_type;
    Half e_machine;
    Word e_version;
    Addr e_entry;
    Addr e_phoff;
    Addr e_shoff;
    Word e_flags;
    Half e_ehsize;
    Half e_phentsize;
    Half e_phnum;
    Half e_shentsize;
    Half e_shnum;
    Half e_shstrndx;
  };

  struct Shdr {
    Word sh_name;
    Word sh_type;
    Addr sh_flags;
    Addr sh_addr;
    Addr sh_offset;
    Addr sh_size;
    Word sh_link;
    Word sh_info;
    Addr sh_addralign;
    Addr sh_entsize;
  };

  struct Sym32 {
    Word st_name;
    Addr st_value;
    Addr st_size;
    u8 st_info;
    u8 st_other;
    Half st_shndx;
  };
  struct Sym64 {
    Word st_name;
    u8 st_info;
    u8 st_other;
    Half st_shndx;
    Addr st_value;
    Addr st_size;
  };
  using Sym = std::conditional_t<Is64, Sym64, Sym32>;

  struct Rel {
    Addr r_offset;
    Addr r_info;
  };
  struct Rela {
    Addr r_offset;
    Addr r_info;
    Addr r_addend;
  };

  static Native r_info(u32 symbol, u32 type) {
    if constexpr (Is64) return u64(symbol) << 32 | type;
    else return symbol << 8 | (type & 0xff);
  }
};

using Elf32le = Format<false, std::endian::little>;
using Elf32be = Format<false, std::endian::big>;
using Elf64le = Format<true, std::endian::little>;
using Elf64be = Format<true, std::endian::big>;

static_assert(sizeof(Elf32le::Ehdr) == 52 && sizeof(Elf64le::Ehdr) == 64);
static_assert(sizeof(Elf32le::Shdr) == 40 && sizeof(Elf64le::Shdr) == 64);
static_assert(sizeof(Elf32le::Sym) == 16 && sizeof(Elf64le::Sym) == 24);
static_assert(sizeof(Elf32le::Rel) == 8 && sizeof(Elf64le::Rel) == 16);
static_assert(sizeof(Elf32le::Rela) == 12 && sizeof(Elf64le::Rela) == 24);

}  // namespace xas::elf
