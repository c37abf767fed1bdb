// SPDX-License-Identifier: Apache-2.0
// COFF objects, bigobj, and PE images. Specification: Microsoft, "PE Format"; of bigobj, winnt.h.
//
// Strange about it: a section's name of more than 8 characters is a place in the string table, in decimal or base64
// digits; a count of relocations that does not fit is in the first relocation; numbers of symbols count the auxiliary
// records; what is a section's COMDAT stands in its symbol.
#include <fmt/format.h>

#include <algorithm>

#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"
#include "objwriter/read/object.h"

namespace xas::read {

using namespace coff;

namespace {

std::string_view short_name(const u8* field) {
  const auto* text = reinterpret_cast<const char*>(field);
  return {text, ::strnlen(text, 8)};
}

/// The place in the string table that "/123" or "//AAAAB" names; false for another name.
bool long_name_place(std::string_view name, u64& place) {
  if (name.size() < 2 || name[0] != '/') return false;
  place = 0;
  if (name[1] != '/') {
    for (char c : name.substr(1)) {
      if (c < '0' || c > '9') return false;
      place = place * 10 + u64(c - '0');
    }
    return true;
  }
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (char c : name.substr(2)) {
    const std::size_t digit = digits.find(c);
    if (digit == digits.npos) return false;
    place = place * 64 + digit;
  }
  return name.size() > 2;
}

}  // namespace

bool Object::read_coff(Error& error) {
  header_ = kind == FileKind::pe ? bytes_.number(0x3c, 4) + 4 : 0;
  if (!read_coff_header(error) || !read_coff_symbols(error) || !read_coff_sections(error)) return false;
  read_coff_comdats();
  return true;
}

/// Fills in what describes the file; the section headers begin at `section_headers`.
bool Object::read_coff_header(Error& error) {
  const u64 at = header_;
  is_64 = false;
  if (kind == FileKind::bigobj) {
    const auto header = bytes_.structure<BigObjHeader>(0);  // identify() has seen all of it
    machine = header.Machine;
    time_stamp = header.TimeDateStamp;
    section_count_ = header.NumberOfSections;
    symbols_offset_ = header.PointerToSymbolTable;
    symbol_count_ = header.NumberOfSymbols;
    symbol_size_ = sizeof(BigObjSymbol);
    section_headers = sizeof(BigObjHeader);
  } else {
    if (!bytes_.holds(at, sizeof(Header))) return fail(error, bytes_.size(), "the file ends in the COFF header");
    const auto header = bytes_.structure<Header>(at);
    machine = header.Machine;
    flags = header.Characteristics;
    time_stamp = header.TimeDateStamp;
    section_count_ = header.NumberOfSections;
    symbols_offset_ = header.PointerToSymbolTable;
    symbol_count_ = header.NumberOfSymbols;
    const u64 optional = at + sizeof(Header);
    section_headers = optional + header.SizeOfOptionalHeader;
    if (kind == FileKind::pe) {
      if (header.SizeOfOptionalHeader < 32 || !bytes_.holds(optional, 32)) {
        return fail(error, at, "the file ends in the optional header");
      }
      constexpr u64 pe32 = 0x10b, pe32_plus = 0x20b;
      const u64 magic = bytes_.number(optional, 2);
      if (magic != pe32 && magic != pe32_plus) {
        return fail(error, optional, fmt::format("the optional header's magic is {:#x}, not 0x10b or 0x20b", magic));
      }
      linked = true;
      image_base = magic == pe32 ? bytes_.number(optional + 28, 4) : bytes_.number(optional + 24, 8);
    }
  }
  is_64 = machine == IMAGE_FILE_MACHINE_AMD64 || machine == IMAGE_FILE_MACHINE_ARM64 ||
          machine == IMAGE_FILE_MACHINE_ARM64EC;
  return true;
}

bool Object::read_coff_symbols(Error& error) {
  if (symbols_offset_ == 0) return true;
  const u64 size = u64(symbol_count_) * symbol_size_;
  if (!bytes_.holds(symbols_offset_, size)) {
    return fail(error, header_, fmt::format("{} symbols reach beyond the end of the file", symbol_count_));
  }
  const u64 strings_offset = symbols_offset_ + size;
  u64 strings_size = 0;
  if (bytes_.holds(strings_offset, 4)) strings_size = bytes_.number(strings_offset, 4);
  if (!bytes_.holds(strings_offset, strings_size)) {
    return fail(error, strings_offset,
                fmt::format("the string table's {} bytes reach beyond the end of the file", strings_size));
  }
  StringTable strings(bytes_.part(strings_offset, strings_size));
  symbols.resize(symbol_count_);
  u32 aux = 0;
  for (u32 i = 0; i < symbol_count_; ++i) {
    const u64 place = symbols_offset_ + u64(i) * symbol_size_;
    Symbol& symbol = symbols[i];
    if (aux != 0) {
      --aux;
      symbol.auxiliary = true;
      continue;
    }
    const bool big = kind == FileKind::bigobj;
    const u8* field = bytes_.data() + place;
    symbol.value = bytes_.number(place + 8, 4);
    const i32 number = big ? i32(bytes_.number(place + 12, 4)) : i16(bytes_.number(place + 12, 2));
    symbol.section = u32(number);
    if (!big && number < 0 && u16(number) <= max_section_number_16) symbol.section = u16(number);
    symbol.type = u16(bytes_.number(place + (big ? 16 : 14), 2));
    symbol.storage_class = u8(bytes_.number(place + symbol_size_ - 2, 1));
    symbol.aux_count = u8(bytes_.number(place + symbol_size_ - 1, 1));
    symbol.special = i32(symbol.section) < 0;
    symbol.binding =
        symbol.storage_class == IMAGE_SYM_CLASS_EXTERNAL || symbol.storage_class == IMAGE_SYM_CLASS_WEAK_EXTERNAL;
    if (!symbol.special && symbol.section > section_count_) {
      return fail(error, place, fmt::format("symbol {} is in section {}, of {}", i, symbol.section, section_count_));
    }
    const u64 zeroes = bytes_.number(place, 4), offset = bytes_.number(place + 4, 4);
    if (zeroes != 0 || offset == 0) {
      symbol.name = short_name(field);
    } else if (offset < 4 || !strings.at(offset, symbol.name)) {
      return fail(error, place, fmt::format("the name of symbol {} is at {:#x}, not in the string table", i, offset));
    }
    aux = symbol.aux_count;
    if (aux > symbol_count_ - 1 - i) {
      return fail(error, place,
                  fmt::format("symbol {} has {} auxiliary records, {} follow", i, aux, symbol_count_ - 1 - i));
    }
  }
  return true;
}

bool Object::read_coff_sections(Error& error) {
  if (!bytes_.holds(section_headers, u64(section_count_) * sizeof(SectionHeader))) {
    return fail(error, header_, fmt::format("{} section headers reach beyond the end of the file", section_count_));
  }
  StringTable strings;
  if (symbols_offset_ != 0) {
    const u64 at = symbols_offset_ + u64(symbol_count_) * symbol_size_;
    if (bytes_.holds(at, 4)) strings = StringTable(bytes_.part(at, bytes_.number(at, 4)));
  }
  sections.resize(u64(section_count_) + 1);
  u64 total = 0;
  for (u32 i = 1; i <= section_count_; ++i) {
    Section& section = sections[i];
    section.index = i;
    section.header = section_headers + u64(i - 1) * sizeof(SectionHeader);
    const auto from = bytes_.structure<SectionHeader>(section.header);
    section.name = short_name(bytes_.data() + section.header);
    if (u64 place; long_name_place(section.name, place) && !strings.at(place, section.name)) {
      return fail(error, section.header,
                  fmt::format("the name of section {} is at {:#x}, not in the string table", i, place));
    }
    section.flags = from.Characteristics;
    section.address = from.VirtualAddress;
    if (linked) section.address += image_base;
    section.offset = from.PointerToRawData;
    section.size = from.SizeOfRawData;
    const u32 align = u32(section.flags & IMAGE_SCN_ALIGN_MASK) >> IMAGE_SCN_ALIGN_SHIFT;
    section.align = align ? u64(1) << (align - 1) : 1;
    u64 held = section.offset && !(section.flags & IMAGE_SCN_CNT_UNINITIALIZED_DATA) ? section.size : 0;
    if (linked) {
      // In memory it ends where VirtualSize says; what the file has more is padding.
      section.size = from.VirtualSize ? u64(from.VirtualSize) : section.size;
      held = std::min(held, section.size);
    }
    if (!bytes_.holds(section.offset, held)) {
      return fail(error, section.header,
                  fmt::format("section {} has {} bytes at {:#x}, beyond the end of the file ({:#x})", i, held,
                              section.offset, bytes_.size()));
    }
    if (held) section.data = bytes_.part(section.offset, held);

    section.relocs_offset = from.PointerToRelocations;
    section.relocs_count = from.NumberOfRelocations;
    if (section.flags & IMAGE_SCN_LNK_NRELOC_OVFL && section.relocs_count == 0xffff) {
      if (!bytes_.holds(section.relocs_offset, sizeof(Relocation)) || bytes_.number(section.relocs_offset, 4) == 0) {
        return fail(error, section.header, fmt::format("section {} has no count of its relocations", i));
      }
      section.relocs_count = u32(bytes_.number(section.relocs_offset, 4) - 1);
      section.relocs_offset += sizeof(Relocation);
    }
    const u64 relocs = u64(section.relocs_count) * sizeof(Relocation);
    if (section.relocs_count && !bytes_.holds(section.relocs_offset, relocs)) {
      return fail(
          error, section.header,
          fmt::format("the {} relocations of section {} reach beyond the end of the file", section.relocs_count, i));
    }
    if ((total += held + relocs) > 2 * bytes_.size()) {
      return fail(error, section.header, fmt::format("the sections up to {} have more than twice the file's bytes", i));
    }
  }
  return true;
}

/// The first symbol of a COMDAT section is its own, with an auxiliary record; the second one is what it is chosen by.
void Object::read_coff_comdats() {
  for (u32 i = 0; i < symbols.size(); ++i) {
    const Symbol& symbol = symbols[i];
    if (symbol.auxiliary || symbol.special || symbol.section == 0) continue;
    Section& of = sections[symbol.section];
    if (!(of.flags & IMAGE_SCN_LNK_COMDAT)) continue;
    if (of.selection != 0) {
      if (of.comdat_symbol == none) of.comdat_symbol = i;
      continue;
    }
    if (symbol.storage_class != IMAGE_SYM_CLASS_STATIC || symbol.aux_count == 0) continue;
    const auto aux = bytes_.structure<AuxSectionDefinition>(symbols_offset_ + u64(i + 1) * symbol_size_);
    of.selection = aux.Selection;
    if (of.selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE) {
      of.associated = aux.Number;
      if (kind == FileKind::bigobj) of.associated |= u32(aux.HighNumber) << 16;
    }
  }
}

bool Object::coff_relocations(const Section& section, std::vector<Reloc>& relocs, Error& error) const {
  relocs.reserve(relocs.size() + section.relocs_count);
  for (u32 i = 0; i < section.relocs_count; ++i) {
    const u64 place = section.relocs_offset + u64(i) * sizeof(Relocation);
    const auto from = bytes_.structure<Relocation>(place);
    const Reloc reloc{from.VirtualAddress - u32(linked ? 0 : section.address), from.SymbolTableIndex, from.Type, 0};
    if (reloc.symbol >= symbols.size()) {
      return fail(
          error, place,
          fmt::format("a relocation of {} is against symbol {}, of {}", section.name, reloc.symbol, symbols.size()));
    }
    relocs.push_back(reloc);
  }
  return true;
}

std::span<const u8> Object::auxiliary(u32 index) const {
  return bytes_.part(symbols_offset_ + u64(index + 1) * symbol_size_, u64(symbols[index].aux_count) * symbol_size_);
}

}  // namespace xas::read
