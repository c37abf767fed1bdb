// The reader of elf.h. The field layouts are those of the System V gABI; names of relocations are the psABIs'.
#include "elf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace diff {
namespace {

using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

constexpr uint32_t SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_NOBITS = 8, SHT_REL = 9, SHT_GROUP = 17,
                   SHT_SYMTAB_SHNDX = 18, SHT_CREL = 0x40000014;
constexpr uint32_t SHN_LORESERVE = 0xff00, SHN_XINDEX = 0xffff;

/// Integers of the file at any offset, all of them checked.
class Bytes {
 public:
  Bytes(std::span<const uint8_t> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  std::span<const uint8_t> part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      throw ElfError(
          fmt::format("{} bytes at {:#x} reach beyond the end of the file ({:#x})", size, offset, bytes_.size()));
    }
    return bytes_.subspan(offset, size);
  }

  uint64_t get(uint64_t offset, unsigned size) const {
    auto field = part(offset, size);
    uint64_t value = 0;
    for (unsigned i = 0; i < size; ++i) {
      value |= uint64_t(field[big_endian_ ? size - 1 - i : i]) << (8 * i);
    }
    return value;
  }

 private:
  std::span<const uint8_t> bytes_;
  bool big_endian_;
};

/// Reads fields one after the other; `word` is 4 or 8 bytes by the file's class.
class Fields {
 public:
  Fields(const Bytes& bytes, uint64_t offset, bool elf64) : bytes_(bytes), at_(offset), elf64_(elf64) {}
  uint64_t next(unsigned size) {
    uint64_t value = bytes_.get(at_, size);
    at_ += size;
    return value;
  }
  uint64_t word() { return next(elf64_ ? 8 : 4); }

 private:
  const Bytes& bytes_;
  uint64_t at_;
  bool elf64_;
};

std::string string_at(const Bytes& bytes, const ElfSection& table, uint64_t offset) {
  if (offset >= table.size)
    throw ElfError(fmt::format("string offset {:#x} outside of section {}", offset, table.index));
  auto text = bytes.part(table.offset + offset, table.size - offset);
  auto end = std::find(text.begin(), text.end(), uint8_t(0));
  if (end == text.end()) throw ElfError("a string without its end");
  return std::string(text.begin(), end);
}

const ElfSection& section_at(const ElfFile& file, uint64_t index, const char* what) {
  if (index == 0 || index >= file.sections.size()) throw ElfError(fmt::format("{}: no section {}", what, index));
  return file.sections[index];
}

void read_sections(const Bytes& bytes, ElfFile& file, uint64_t count, uint64_t names, uint64_t entry_size) {
  std::vector<uint64_t> name_offsets;
  auto header = [&](uint64_t index) {
    Fields fields(bytes, file.section_headers + index * entry_size, file.elf64);
    ElfSection section;
    section.index = static_cast<uint32_t>(index);
    name_offsets.push_back(fields.next(4));
    section.type = static_cast<uint32_t>(fields.next(4));
    section.flags = fields.word();
    section.address = fields.word();
    section.offset = fields.word();
    section.size = fields.word();
    section.link = static_cast<uint32_t>(fields.next(4));
    section.info = static_cast<uint32_t>(fields.next(4));
    section.align = fields.word();
    section.entsize = fields.word();
    return section;
  };
  ElfSection first = header(0);
  name_offsets.clear();
  if (count == 0) count = first.size;
  if (names == SHN_XINDEX) names = first.link;
  bytes.part(file.section_headers, count * entry_size);
  file.sections.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    ElfSection section = header(i);
    if (i != 0 && section.type != SHT_NOBITS) section.data = bytes.part(section.offset, section.size);
    file.sections.push_back(std::move(section));
  }
  const ElfSection table = section_at(file, names, "e_shstrndx");
  for (ElfSection& section : file.sections) {
    section.name = section.index == 0 ? "" : string_at(bytes, table, name_offsets[section.index]);
  }
}

void read_symbols(const Bytes& bytes, ElfFile& file) {
  const ElfSection* table = nullptr;
  const ElfSection* extended = nullptr;
  for (const ElfSection& section : file.sections) {
    if (section.type == SHT_SYMTAB) table = &section;
    if (section.type == SHT_SYMTAB_SHNDX) extended = &section;
  }
  if (table == nullptr) return;
  file.first_global = table->info;
  const ElfSection& strings = section_at(file, table->link, "the symbol table's strings");
  const unsigned entry = file.elf64 ? 24 : 16;
  for (uint64_t at = 0; at + entry <= table->size; at += entry) {
    Fields fields(bytes, table->offset + at, file.elf64);
    ElfSymbol symbol;
    uint64_t name = fields.next(4);
    if (!file.elf64) symbol.value = fields.next(4), symbol.size = fields.next(4);
    auto info = fields.next(1);
    symbol.binding = static_cast<uint8_t>(info >> 4);
    symbol.type = info & 15;
    symbol.other = static_cast<uint8_t>(fields.next(1));
    symbol.section = static_cast<uint32_t>(fields.next(2));
    if (file.elf64) symbol.value = fields.next(8), symbol.size = fields.next(8);
    if (symbol.section == SHN_XINDEX) {
      if (extended == nullptr) throw ElfError("SHN_XINDEX without SHT_SYMTAB_SHNDX");
      symbol.section = static_cast<uint32_t>(bytes.get(extended->offset + at / entry * 4, 4));
    } else {
      symbol.special = symbol.section >= SHN_LORESERVE;
    }
    if (!symbol.special && symbol.section >= file.sections.size()) {
      throw ElfError(fmt::format("symbol {}: no section {}", file.symbols.size(), symbol.section));
    }
    symbol.name = string_at(bytes, strings, name);
    file.symbols.push_back(std::move(symbol));
  }
}

void read_relocs(const Bytes& bytes, ElfFile& file) {
  for (const ElfSection& section : file.sections) {
    if (section.type != SHT_RELA && section.type != SHT_REL && section.type != SHT_CREL) continue;
    section_at(file, section.info, "a relocation section's target");
    ElfSection& target = file.sections[section.info];
    if (!target.reloc_kind.empty()) target.reloc_kind += '+';
    target.reloc_kind += section.type == SHT_RELA ? "RELA" : section.type == SHT_REL ? "REL" : "CREL";
    if (section.type == SHT_CREL) continue;  // compared as bytes
    bool rela = section.type == SHT_RELA;
    const unsigned word = file.elf64 ? 8 : 4;
    const unsigned entry = word * (rela ? 3 : 2);
    target.relocs.reserve(target.relocs.size() + section.size / entry);
    for (uint64_t at = 0; at + entry <= section.size; at += entry) {
      Fields fields(bytes, section.offset + at, file.elf64);
      ElfReloc reloc;
      reloc.offset = fields.word();
      uint64_t info = fields.word();
      reloc.type = static_cast<uint32_t>(file.elf64 ? info & 0xffffffff : info & 0xff);
      reloc.symbol = static_cast<uint32_t>(file.elf64 ? info >> 32 : info >> 8);
      if (rela) {
        uint64_t addend = fields.word();
        reloc.addend = file.elf64 ? static_cast<std::int64_t>(addend) : static_cast<std::int32_t>(addend);
      }
      if (reloc.symbol >= file.symbols.size() && reloc.symbol != 0) {
        throw ElfError(
            fmt::format("{}: a relocation against symbol {} of {}", section.name, reloc.symbol, file.symbols.size()));
      }
      target.relocs.push_back(reloc);
    }
  }
}

void read_groups(const Bytes& bytes, ElfFile& file) {
  for (const ElfSection& section : file.sections) {
    if (section.type != SHT_GROUP) continue;
    ElfGroup group;
    group.section = section.index;
    group.flags = static_cast<uint32_t>(bytes.get(section.offset, 4));
    if (section.info >= file.symbols.size()) throw ElfError("a group's signature is no symbol");
    const ElfSymbol& signature = file.symbols[section.info];
    bool is_section = signature.type == 3 && signature.name.empty() && !signature.special;
    group.signature = is_section ? file.sections[signature.section].name : signature.name;
    for (uint64_t at = 4; at + 4 <= section.size; at += 4) {
      auto member = static_cast<uint32_t>(bytes.get(section.offset + at, 4));
      section_at(file, member, "a group's member");
      group.members.push_back(member);
    }
    file.groups.push_back(std::move(group));
  }
  for (const ElfGroup& group : file.groups) {
    for (uint32_t member : group.members) file.sections[member].group = group.section;
  }
}

constexpr std::array x86_64_relocs = {
    "NONE", "64", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE", "GOTPCREL", "32", "32S", "16",
    "PC16", "8", "PC8", "DTPMOD64", "DTPOFF64", "TPOFF64", "TLSGD", "TLSLD", "DTPOFF32", "GOTTPOFF", "TPOFF32", "PC64",
    "GOTOFF64", "GOTPC32", "GOT64", "GOTPCREL64", "GOTPC64", "GOTPLT64", "PLTOFF64", "SIZE32", "SIZE64",
    "GOTPC32_TLSDESC", "TLSDESC_CALL", "TLSDESC", "IRELATIVE", "RELATIVE64", "39", "40", "GOTPCRELX", "REX_GOTPCRELX",
    "CODE_4_GOTPCRELX", "CODE_4_GOTTPOFF", "CODE_4_GOTPC32_TLSDESC"};
constexpr std::array i386_relocs = {
    "NONE", "32", "PC32", "GOT32", "PLT32", "COPY", "GLOB_DAT", "JUMP_SLOT", "RELATIVE", "GOTOFF", "GOTPC", "32PLT",
    "12", "13", "TLS_TPOFF", "TLS_IE", "TLS_GOTIE", "TLS_LE", "TLS_GD", "TLS_LDM", "16", "PC16", "8", "PC8",
    "TLS_GD_32", "TLS_GD_PUSH", "TLS_GD_CALL", "TLS_GD_POP", "TLS_LDM_32", "TLS_LDM_PUSH", "TLS_LDM_CALL",
    "TLS_LDM_POP", "TLS_LDO_32", "TLS_IE_32", "TLS_LE_32", "TLS_DTPMOD32", "TLS_DTPOFF32", "TLS_TPOFF32", "SIZE32",
    "TLS_GOTDESC", "TLS_DESC_CALL", "TLS_DESC", "IRELATIVE", "GOT32X"};

}  // namespace

ElfFile read_elf(std::span<const uint8_t> bytes) {
  constexpr std::array<uint8_t, 4> magic = {0x7f, 'E', 'L', 'F'};
  if (bytes.size() < 52 || !std::equal(magic.begin(), magic.end(), bytes.begin())) throw ElfError("not an ELF file");
  ElfFile file;
  file.elf64 = bytes[4] == 2;
  file.big_endian = bytes[5] == 2;
  file.os_abi = bytes[7];
  file.abi_version = bytes[8];
  Bytes checked(bytes, file.big_endian);
  Fields fields(checked, 16, file.elf64);
  file.type = static_cast<uint16_t>(fields.next(2));
  file.machine = static_cast<uint16_t>(fields.next(2));
  fields.next(4);  // e_version
  fields.word();   // e_entry
  fields.word();   // e_phoff
  file.section_headers = fields.word();
  file.flags = static_cast<uint32_t>(fields.next(4));
  fields.next(2 + 2 + 2);  // e_ehsize, e_phentsize, e_phnum
  uint64_t entry_size = fields.next(2);
  uint64_t count = fields.next(2);
  uint64_t names = fields.next(2);
  if (entry_size != (file.elf64 ? 64u : 40u)) throw ElfError(fmt::format("e_shentsize is {}", entry_size));
  if (file.section_headers == 0) return file;
  read_sections(checked, file, count, names, entry_size);
  read_symbols(checked, file);
  read_relocs(checked, file);
  read_groups(checked, file);
  return file;
}

std::string reloc_name(uint16_t machine, uint32_t type) {
  if (machine == 62 && type < x86_64_relocs.size()) return fmt::format("R_X86_64_{}", x86_64_relocs[type]);
  if (machine == 3 && type < i386_relocs.size()) return fmt::format("R_386_{}", i386_relocs[type]);
  return fmt::format("relocation {}", type);
}

std::string section_type_name(uint32_t type) {
  constexpr std::array names = {"NULL",   "PROGBITS", "SYMTAB", "STRTAB", "RELA",  "HASH",        "DYNAMIC",    "NOTE",
                                "NOBITS", "REL",      "SHLIB",  "DYNSYM", "12",    "13",          "INIT_ARRAY",
                                "FINI_ARRAY",
                                "PREINIT_ARRAY", "GROUP", "SYMTAB_SHNDX"};
  if (type < names.size()) return names[type];
  if (type == 0x70000001) return "X86_64_UNWIND";
  return fmt::format("{:#x}", type);
}

std::string section_flags_name(uint64_t flags) {
  constexpr std::string_view letters = "WAX?MSILOGTC";
  std::string text;
  for (unsigned bit = 0; bit < 64; ++bit) {
    if ((flags >> bit & 1) == 0) continue;
    if (bit < letters.size() && letters[bit] != '?') text += letters[bit];
    else if (bit == 28) text += 'l';
    else if (bit == 31) text += 'E';
    else if (bit == 21) text += 'R';
    else text += fmt::format("<{}>", bit);
  }
  return text.empty() ? "none" : text;
}

}  // namespace diff
