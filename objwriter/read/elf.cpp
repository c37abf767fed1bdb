// SPDX-License-Identifier: Apache-2.0
// ELF files: System V gABI, chapters 4 and 5; SHT_CREL as LLVM writes it.
//
// Strange about it: when there are too many sections, e_shnum is 0 and the first section header has the number in
// sh_size, and e_shstrndx in sh_link; a symbol's section is then in another table, SHT_SYMTAB_SHNDX.
#include <fmt/format.h>

#include "objwriter/elf_constants.h"
#include "objwriter/elf_format.h"
#include "objwriter/read/object.h"
#include "xas/leb128.hpp"

namespace xas::read {

using namespace elf;

namespace {

bool has_contents(u32 type) { return type != SHT_NULL && type != SHT_NOBITS; }

bool is_relocation_section(u32 type) { return type == SHT_REL || type == SHT_RELA || type == SHT_CREL; }

/// LEB128 numbers of a section's bytes; reading beyond the end gives 0 and says so.
class Leb128 {
 public:
  explicit Leb128(std::span<const u8> data) : data_(data) {}
  bool failed() const { return failed_; }
  u64 at() const { return at_; }

  u8 byte() {
    if (at_ == data_.size()) return failed_ = true, u8(0);
    return data_[at_++];
  }
  u64 number(bool is_signed) {
    u64 value;
    const u8 *const start = data_.data(), *p = start + at_;
    failed_ |= !read_leb128(p, start + data_.size(), is_signed, value);
    at_ = u64(p - start);
    return value;
  }

 private:
  std::span<const u8> data_;
  u64 at_ = 0;
  bool failed_ = false;
};

}  // namespace

bool Object::read_elf(Error& error) {
  constexpr u64 ident_size = 16;
  if (bytes_.size() < ident_size) return fail(error, bytes_.size(), "the file ends in the ELF header");
  const u8 file_class = bytes_.data()[4], order = bytes_.data()[5];
  if (file_class != ELFCLASS32 && file_class != ELFCLASS64) {
    return fail(error, 4, fmt::format("EI_CLASS is {}, not 1 (32 bits) or 2 (64 bits)", file_class));
  }
  if (order != ELFDATA2LSB && order != ELFDATA2MSB) {
    return fail(error, 5, fmt::format("EI_DATA is {}, not 1 (little endian) or 2 (big endian)", order));
  }
  is_64 = file_class == ELFCLASS64;
  big_endian = order == ELFDATA2MSB;
  os_abi = bytes_.data()[7];
  abi_version = bytes_.data()[8];
  bytes_ = Bytes(bytes_.part(0, bytes_.size()), big_endian);
  if (is_64) return big_endian ? read_elf_as<Elf64be>(error) : read_elf_as<Elf64le>(error);
  return big_endian ? read_elf_as<Elf32be>(error) : read_elf_as<Elf32le>(error);
}

template <typename F>
bool Object::read_elf_as(Error& error) {
  if (!bytes_.holds(0, sizeof(typename F::Ehdr))) {
    return fail(error, bytes_.size(), "the file ends in the ELF header");
  }
  return read_elf_sections<F>(error) && read_elf_symbols<F>(SHT_SYMTAB, symbols, error) &&
         read_elf_symbols<F>(SHT_DYNSYM, dynamic_symbols, error) && link_elf_relocations(error) &&
         read_elf_groups<F>(error);
}

template <typename F>
bool Object::read_elf_sections(Error& error) {
  using Shdr = typename F::Shdr;
  const auto header = bytes_.structure<typename F::Ehdr>(0);
  type = header.e_type;
  machine = header.e_machine;
  flags = header.e_flags;
  linked = type != ET_REL;
  section_headers = header.e_shoff;
  if (section_headers == 0) return true;
  const u64 entry_place = F::is_64 ? 58 : 46;
  if (header.e_shentsize != sizeof(Shdr)) {
    return fail(error, entry_place, fmt::format("e_shentsize is {}, not {}", u16(header.e_shentsize), sizeof(Shdr)));
  }
  if (!bytes_.holds(section_headers, sizeof(Shdr))) {
    return fail(error, F::is_64 ? 40 : 32,
                fmt::format("the section headers are at {:#x}, outside of the file", section_headers));
  }
  const auto first = bytes_.structure<Shdr>(section_headers);
  const u64 count = header.e_shnum ? u64(header.e_shnum) : u64(first.sh_size);
  const u64 names_index = header.e_shstrndx == SHN_XINDEX ? u64(first.sh_link) : u64(header.e_shstrndx);
  if (count > (bytes_.size() - section_headers) / sizeof(Shdr)) {
    return fail(error, section_headers, fmt::format("{} section headers reach beyond the end of the file", count));
  }

  sections.resize(count);
  u64 contents = 0;
  for (u64 i = 0; i < count; ++i) {
    Section& section = sections[i];
    section.header = section_headers + i * sizeof(Shdr);
    const auto from = bytes_.structure<Shdr>(section.header);
    section.index = u32(i);
    section.type = from.sh_type;
    section.flags = from.sh_flags;
    section.address = from.sh_addr;
    section.offset = from.sh_offset;
    section.size = from.sh_size;
    section.link = from.sh_link;
    section.info = from.sh_info;
    section.align = from.sh_addralign;
    section.entsize = from.sh_entsize;
    if (i == 0 || !has_contents(section.type) || section.size == 0) continue;
    if (!bytes_.holds(section.offset, section.size)) {
      return fail(error, section.header,
                  fmt::format("section {} has {} bytes at {:#x}, beyond the end of the file ({:#x})", i, section.size,
                              section.offset, bytes_.size()));
    }
    section.data = bytes_.part(section.offset, section.size);
    if ((contents += section.size) > 2 * bytes_.size()) {
      return fail(error, section.header, fmt::format("the sections up to {} have more than twice the file's bytes", i));
    }
  }

  if (names_index == 0) return true;
  if (names_index >= count) {
    return fail(error, F::is_64 ? 62 : 50, fmt::format("e_shstrndx is {}, of {} sections", names_index, count));
  }
  StringTable names(sections[names_index].data);
  for (Section& section : sections) {
    const u64 name = bytes_.structure<Shdr>(section.header).sh_name;
    if (section.index != 0 && !names.at(name, section.name)) {
      return fail(error, section.header,
                  fmt::format("the name of section {} is at {:#x}, not a string of section {}", section.index, name,
                              names_index));
    }
  }
  return true;
}

template <typename F>
bool Object::read_elf_symbols(u32 table_type, std::vector<Symbol>& made, Error& error) {
  using Sym = typename F::Sym;
  const Section* table = nullptr;
  for (const Section& section : sections) {
    if (section.type == table_type && !table) table = &section;
  }
  if (!table) return true;
  const Section* extended = nullptr;
  for (const Section& section : sections) {
    if (section.type == SHT_SYMTAB_SHNDX && section.link == table->index) extended = &section;
  }
  if (table_type == SHT_SYMTAB) first_global = table->info;
  const Section* strings = section(table->link);
  if (!strings) {
    return fail(error, table->header,
                fmt::format("the strings of {} are in section {}, which is not there", table->name, table->link));
  }
  if (table->entsize != sizeof(Sym) && table->entsize != 0) {
    return fail(error, table->header,
                fmt::format("the entries of {} have {} bytes, not {}", table->name, table->entsize, sizeof(Sym)));
  }
  StringTable names(strings->data);
  const u64 count = table->data.size() / sizeof(Sym);
  made.resize(count);
  for (u64 i = 0; i < count; ++i) {
    const u64 place = table->offset + i * sizeof(Sym);
    const auto from = bytes_.structure<Sym>(place);
    Symbol& symbol = made[i];
    symbol.value = from.st_value;
    symbol.size = from.st_size;
    symbol.binding = u8(from.st_info >> 4);
    symbol.type = from.st_info & 15;
    symbol.other = from.st_other;
    symbol.section = from.st_shndx;
    if (symbol.section == SHN_XINDEX) {
      if (!extended || extended->data.size() / 4 <= i) {
        return fail(error, place, fmt::format("symbol {} has no entry in a section of type SHT_SYMTAB_SHNDX", i));
      }
      symbol.section = u32(bytes_.number(extended->offset + i * 4, 4));
    } else {
      symbol.special = symbol.section >= SHN_LORESERVE;
    }
    if (!symbol.special && symbol.section >= sections.size()) {
      return fail(error, place, fmt::format("symbol {} is in section {}, of {}", i, symbol.section, sections.size()));
    }
    if (!(from.st_name == 0 && strings->data.empty()) && !names.at(from.st_name, symbol.name)) {
      return fail(
          error, place,
          fmt::format("the name of symbol {} is at {:#x}, not a string of {}", i, u32(from.st_name), strings->name));
    }
  }
  return true;
}

bool Object::link_elf_relocations(Error& error) {
  std::vector<u32> last(sections.size());
  for (Section& section : sections) {
    if (!is_relocation_section(section.type)) continue;
    // Of an image, .rela.dyn and its kin are for no section; .rela.plt names .got.plt but holds addresses.
    if (linked && section.flags & SHF_ALLOC) continue;
    if (section.info == 0 && linked) continue;
    if (section.info == 0 || section.info >= sections.size()) {
      return fail(error, section.header,
                  fmt::format("{} is for section {}, of {}", section.name, section.info, sections.size()));
    }
    u32& chain_end = last[section.info];
    (chain_end ? sections[chain_end].next_relocations : sections[section.info].first_relocations) = section.index;
    chain_end = section.index;
  }
  return true;
}

template <typename F>
bool Object::read_elf_groups(Error& error) {
  for (const Section& section : sections) {
    if (section.type != SHT_GROUP) continue;
    Group group;
    group.section = section.index;
    if (section.data.size() < 4) return fail(error, section.header, fmt::format("group {} is empty", section.index));
    if (section.info >= symbols.size()) {
      return fail(
          error, section.header,
          fmt::format("the signature of group {} is symbol {}, of {}", section.index, section.info, symbols.size()));
    }
    const Symbol& signature = symbols[section.info];
    const bool by_section = signature.type == STT_SECTION && signature.name.empty() && !signature.special;
    group.signature = by_section ? sections[signature.section].name : signature.name;
    group.flags = u32(bytes_.number(section.offset, 4));
    for (u64 at = 4; at + 4 <= section.data.size(); at += 4) {
      const u64 member = bytes_.number(section.offset + at, 4);
      if (member == 0 || member >= sections.size()) {
        return fail(error, section.offset + at,
                    fmt::format("a member of group {} is section {}, of {}", section.index, member, sections.size()));
      }
      group.members.push_back(u32(member));
    }
    groups.push_back(std::move(group));
  }
  for (const Group& group : groups) {
    for (u32 member : group.members) sections[member].group = group.section;
  }
  return true;
}

bool Object::relocation_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const {
  if (section.type == SHT_CREL) return elf_crel_section(section, relocs, error);
  if (is_64) {
    return big_endian ? elf_relocation_section<Elf64be>(section, relocs, error)
                      : elf_relocation_section<Elf64le>(section, relocs, error);
  }
  return big_endian ? elf_relocation_section<Elf32be>(section, relocs, error)
                    : elf_relocation_section<Elf32le>(section, relocs, error);
}

template <typename F>
bool Object::elf_relocation_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const {
  const bool rela = section.type == SHT_RELA;
  const u64 entry = rela ? sizeof(typename F::Rela) : sizeof(typename F::Rel);
  const u64 count = section.data.size() / entry;
  const std::size_t symbol_count = (section.flags & SHF_ALLOC && linked ? dynamic_symbols : symbols).size();
  relocs.reserve(relocs.size() + count);
  for (u64 i = 0; i < count; ++i) {
    const u64 place = section.offset + i * entry;
    const auto from = bytes_.structure<typename F::Rel>(place);
    const u64 info = from.r_info;
    Reloc reloc;
    reloc.offset = from.r_offset;
    reloc.symbol = u32(F::is_64 ? info >> 32 : info >> 8);
    reloc.type = u32(F::is_64 ? info & 0xffffffff : info & 0xff);
    if (rela) {
      const u64 addend = bytes_.structure<typename F::Rela>(place).r_addend;
      reloc.addend = F::is_64 ? i64(addend) : i64(i32(u32(addend)));
    }
    if (reloc.symbol != 0 && reloc.symbol >= symbol_count) {
      return fail(
          error, place,
          fmt::format("a relocation of {} is against symbol {}, of {}", section.name, reloc.symbol, symbol_count));
    }
    relocs.push_back(reloc);
  }
  return true;
}

/// A header of count * 8 + (addends are there) * 4 + shift of offsets; then for each relocation, a byte of flags and
/// of the low bits of its offset's distance, and what differs from the relocation before.
bool Object::elf_crel_section(const Section& section, std::vector<Reloc>& relocs, Error& error) const {
  Leb128 numbers(section.data);
  const u64 header = numbers.number(false);
  const u64 count = header >> 3;
  const bool addends = header & 4;
  const unsigned shift = header & 3, flag_bits = addends ? 3 : 2;
  if (count > section.data.size()) {
    return fail(error, section.offset,
                fmt::format("{} relocations in {} bytes of {}", count, section.data.size(), section.name));
  }
  relocs.reserve(relocs.size() + count);
  Reloc reloc;
  for (u64 i = 0; i < count; ++i) {
    const u64 place = section.offset + numbers.at();
    const u8 first = numbers.byte();
    u64 delta = (first & 0x7f) >> flag_bits;
    if (first & 0x80) delta = (numbers.number(false) << (7 - flag_bits)) + delta;
    reloc.offset += delta << shift;
    if (!is_64) reloc.offset = u32(reloc.offset);
    if (first & 1) reloc.symbol += u32(numbers.number(true));
    if (first & 2) reloc.type += u32(numbers.number(true));
    if (first & 4 && addends) reloc.addend = i64(u64(reloc.addend) + numbers.number(true));
    if (!is_64) reloc.addend = i32(u32(reloc.addend));
    if (numbers.failed()) {
      return fail(error, place, fmt::format("{} ends in relocation {} of {}", section.name, i, count));
    }
    if (reloc.symbol != 0 && reloc.symbol >= symbols.size()) {
      return fail(
          error, place,
          fmt::format("a relocation of {} is against symbol {}, of {}", section.name, reloc.symbol, symbols.size()));
    }
    relocs.push_back(reloc);
  }
  return true;
}

}  // namespace xas::read
