// SPDX-License-Identifier: Apache-2.0
#include "objwriter/read/places.h"

#include <algorithm>

#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas::read {
namespace {

bool counts(const Object& object, const Symbol& symbol) {
  if (symbol.name.empty() || symbol.special || symbol.auxiliary || symbol.section == 0) return false;
  if (object.is_coff()) {
    return symbol.storage_class != coff::IMAGE_SYM_CLASS_FILE &&
           symbol.storage_class != coff::IMAGE_SYM_CLASS_SECTION &&
           !(symbol.storage_class == coff::IMAGE_SYM_CLASS_STATIC && symbol.aux_count != 0);
  }
  return symbol.type != elf::STT_SECTION && symbol.type != elf::STT_FILE && symbol.type != elf::STT_TLS &&
         !symbol.name.starts_with('$') && !symbol.name.starts_with(".L");
}

u32 rank_of(const Object& object, const Symbol& symbol) {
  const bool is_function = object.is_coff() ? coff::is_function_type(symbol.type) : elf::is_function(symbol.type);
  return (is_function ? 2 : 0) + (symbol.binding != elf::STB_LOCAL ? 1 : 0);
}

}  // namespace

Places::Places(const Object& object) {
  symbols_ = object.symbols.empty() ? &object.dynamic_symbols : &object.symbols;
  const bool is_arm = object.is_elf() && object.machine == elf::EM_ARM;
  for (u32 i = 0; i < symbols_->size(); ++i) {
    const Symbol& symbol = (*symbols_)[i];
    if (!counts(object, symbol)) continue;
    u64 offset = symbol.value;
    if (object.linked && object.is_elf()) offset -= object.sections[symbol.section].address;
    if (is_arm && symbol.type == elf::STT_FUNC) offset &= ~u64(1);  // the bit of Thumb
    entries_.push_back({symbol.section, offset, rank_of(object, symbol), i});
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    if (a.section != b.section) return a.section < b.section;
    if (a.offset != b.offset) return a.offset < b.offset;
    return a.rank != b.rank ? a.rank < b.rank : a.symbol > b.symbol;
  });
  if (!object.linked) return;
  for (const Section& section : object.sections) {
    const bool loaded = object.is_coff() || section.flags & elf::SHF_ALLOC;
    const bool tls_zeros = object.is_elf() && section.type == elf::SHT_NOBITS && section.flags & elf::SHF_TLS;
    if (loaded && section.size && !tls_zeros) ranges_.push_back({section.address, section.size, section.index});
  }
  std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.address < b.address; });
}

Nearest Places::nearest(Place place) const {
  const auto behind = std::upper_bound(entries_.begin(), entries_.end(), place, [](const Place& p, const Entry& e) {
    return p.section != e.section ? p.section < e.section : p.offset < e.offset;
  });
  if (behind == entries_.begin() || behind[-1].section != place.section) return {};
  const Symbol& symbol = (*symbols_)[behind[-1].symbol];
  return {symbol.name, place.offset - behind[-1].offset, symbol.size};
}

std::optional<Place> Places::of_address(u64 address) const {
  const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                       [](u64 value, const Range& range) { return value < range.address; });
  if (behind == ranges_.begin()) return {};
  const Range& range = behind[-1];
  if (address - range.address >= range.size) return {};
  return Place{range.section, address - range.address};
}

FieldRelocs field_relocs(const Object& object) {
  if (object.is_elf()) {
    switch (object.machine) {
      case elf::EM_X86_64: return {2, 24, 10, 1, 8, 0};            // R_X86_64_PC32, PC64, 32, 64, RELATIVE
      case elf::EM_386: return {2, none, 1, none, 8, 0};           // R_386_PC32, 32, RELATIVE
      case elf::EM_ARM: return {3, none, 2, none, 23, 0};          // R_ARM_REL32, ABS32, RELATIVE
      case elf::EM_AARCH64: return {261, 260, 258, 257, 1027, 0};  // R_AARCH64_PREL32, PREL64, ABS32, ABS64, RELATIVE
      default: return {};
    }
  }
  switch (object.machine) {
    case coff::IMAGE_FILE_MACHINE_AMD64: return {4, none, 2, 1, none, 4};       // REL32, ADDR32, ADDR64
    case coff::IMAGE_FILE_MACHINE_I386: return {0x14, none, 6, none, none, 4};  // REL32, DIR32
    case coff::IMAGE_FILE_MACHINE_ARMNT: return {0xa, none, 1, none, none, 4};  // REL32, ADDR32
    case coff::IMAGE_FILE_MACHINE_ARM64:
    case coff::IMAGE_FILE_MACHINE_ARM64EC: return {0x11, none, 1, 0xe, none, 4};  // REL32, ADDR32, ADDR64
    default: return {};
  }
}

Pointed pointed_by(const Object& object, const Reloc& reloc, bool has_addend, i64 contents) {
  Pointed pointed;
  pointed.addend = has_addend ? reloc.addend : contents;
  if (reloc.symbol >= object.symbols.size()) return pointed;
  const Symbol& symbol = object.symbols[reloc.symbol];
  const bool is_section = object.is_elf() && symbol.type == elf::STT_SECTION;
  if (!is_section) pointed.symbol = symbol.name;
  if (symbol.special || symbol.section == 0) return pointed;
  pointed.place = {symbol.section, symbol.value + u64(pointed.addend)};
  return pointed;
}

}  // namespace xas::read
