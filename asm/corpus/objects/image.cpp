// SPDX-License-Identifier: Apache-2.0
// Names of fields to places in the file. Structures are lists of fields in their order; a field's offset is the sum of
// the sizes before it.
#include "asm/corpus/objects/image.h"

#include <fmt/format.h>

#include "asm/corpus/corpus.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"
#include "objwriter/read/object.h"

namespace xas::corpus::objects {

using namespace elf;

namespace {

/// A field and its size in bytes in ELF32 and ELF64.
struct Field {
  std::string_view name;
  u8 size32, size64;
};

constexpr Field elf_header[] = {
    {"e_ident", 16, 16},  {"e_type", 2, 2},      {"e_machine", 2, 2}, {"e_version", 4, 4},   {"e_entry", 4, 8},
    {"e_phoff", 4, 8},    {"e_shoff", 4, 8},     {"e_flags", 4, 4},   {"e_ehsize", 2, 2},    {"e_phentsize", 2, 2},
    {"e_phnum", 2, 2},    {"e_shentsize", 2, 2}, {"e_shnum", 2, 2},   {"e_shstrndx", 2, 2},
};
constexpr Field elf_section[] = {
    {"sh_name", 4, 4}, {"sh_type", 4, 4}, {"sh_flags", 4, 8}, {"sh_addr", 4, 8},      {"sh_offset", 4, 8},
    {"sh_size", 4, 8}, {"sh_link", 4, 4}, {"sh_info", 4, 4},  {"sh_addralign", 4, 8}, {"sh_entsize", 4, 8},
};
constexpr Field elf32_symbol[] = {
    {"st_name", 4, 0}, {"st_value", 4, 0}, {"st_size", 4, 0}, {"st_info", 1, 0}, {"st_other", 1, 0}, {"st_shndx", 2, 0},
};
constexpr Field elf64_symbol[] = {
    {"st_name", 0, 4}, {"st_info", 0, 1}, {"st_other", 0, 1}, {"st_shndx", 0, 2}, {"st_value", 0, 8}, {"st_size", 0, 8},
};
constexpr Field elf_relocation[] = {{"r_offset", 4, 8}, {"r_info", 4, 8}, {"r_addend", 4, 8}};
constexpr Field elf32_compression[] = {{"ch_type", 4, 0}, {"ch_size", 4, 0}, {"ch_addralign", 4, 0}};
constexpr Field elf64_compression[] = {
    {"ch_type", 0, 4}, {"ch_reserved", 0, 4}, {"ch_size", 0, 8}, {"ch_addralign", 0, 8}};

// COFF has one size: the second column is that of a bigobj where they differ.
constexpr Field coff_header[] = {
    {"Machine", 2, 2},         {"NumberOfSections", 2, 2},     {"TimeDateStamp", 4, 4},
    {"PointerToSymbolTable", 4, 4},
    {"NumberOfSymbols", 4, 4}, {"SizeOfOptionalHeader", 2, 2}, {"Characteristics", 2, 2},
};
constexpr Field bigobj_header[] = {
    {"Sig1", 2, 2},           {"Sig2", 2, 2},           {"Version", 2, 2},
    {"Machine", 2, 2},        {"TimeDateStamp", 4, 4},  {"ClassID", 16, 16},
    {"SizeOfData", 4, 4},     {"Flags", 4, 4},          {"MetaDataSize", 4, 4},
    {"MetaDataOffset", 4, 4}, {"NumberOfSections", 4, 4}, {"PointerToSymbolTable", 4, 4},
    {"NumberOfSymbols", 4, 4},
};
constexpr Field coff_section[] = {
    {"Name", 8, 8},
    {"VirtualSize", 4, 4},
    {"VirtualAddress", 4, 4},
    {"SizeOfRawData", 4, 4},
    {"PointerToRawData", 4, 4},
    {"PointerToRelocations", 4, 4},
    {"PointerToLinenumbers", 4, 4},
    {"NumberOfRelocations", 2, 2},
    {"NumberOfLinenumbers", 2, 2},
    {"Characteristics", 4, 4},
};
constexpr Field coff_symbol[] = {
    {"Name", 8, 8}, {"Value", 4, 4}, {"SectionNumber", 2, 4}, {"Type", 2, 2}, {"StorageClass", 1, 1},
    {"NumberOfAuxSymbols", 1, 1},
};
constexpr Field coff_relocation[] = {{"VirtualAddress", 4, 4}, {"SymbolTableIndex", 4, 4}, {"Type", 2, 2}};
constexpr Field section_definition[] = {
    {"Length", 4, 4}, {"NumberOfRelocations", 2, 2}, {"NumberOfLinenumbers", 2, 2}, {"CheckSum", 4, 4},
    {"Number", 2, 2}, {"Selection", 1, 1},           {"Reserved", 1, 1},            {"HighNumber", 2, 2},
};
constexpr Field weak_external[] = {{"TagIndex", 4, 4}, {"Characteristics", 4, 4}};

/// "name[7]rest" into its parts; the index is 0 where there is none.
struct Step {
  std::string_view name;
  u64 index = 0;
  std::string_view rest;
};
std::optional<Step> step(std::string_view path) {
  Step s;
  const std::size_t end = std::min(path.find_first_of(".["), path.size());
  s.name = path.substr(0, end);
  s.rest = path.substr(end);
  if (s.rest.starts_with('[')) {
    const std::size_t close = s.rest.find(']');
    if (close == s.rest.npos) return std::nullopt;
    const auto index = parse_number(s.rest.substr(1, close - 1));
    if (!index) return std::nullopt;
    s.index = *index;
    s.rest.remove_prefix(close + 1);
  }
  if (s.rest.starts_with('.')) s.rest.remove_prefix(1);
  return s;
}

struct Found {
  u64 offset;
  unsigned size;
};
/// `name` of a structure at `base`; "name[3]" is its byte 3.
std::optional<Found> field_of(std::span<const Field> fields, u64 base, std::string_view name, bool wide) {
  const auto part = step(name);
  for (const Field& f : fields) {
    const unsigned size = wide ? f.size64 : f.size32;
    if (part && part->name == f.name) {
      if (part->name.size() == name.size()) return Found{base, size};
      if (part->index < size) return Found{base + part->index, 1};
    }
    base += size;
  }
  return std::nullopt;
}

constexpr unsigned coff_header_size = 20, bigobj_header_size = 56, coff_section_size = 40;

}  // namespace

u64 Image::number(u64 offset, unsigned size) const { return read::Bytes(bytes_, big_endian_).number(offset, size); }

std::string_view Image::text(u64 offset, u64 limit) const {
  const char* at = reinterpret_cast<const char*>(bytes_.data()) + offset;
  return {at, ::strnlen(at, std::min<u64>(limit, bytes_.size() - offset))};
}

void Image::open(std::span<const u8> object) {
  bytes_.assign(object.begin(), object.end());
  sections_.clear();
  changes_.clear();
  symbols_ = relocations_ = groups_ = 0;
  const read::FileKind kind = read::identify(bytes_);
  coff_ = kind != read::FileKind::elf;
  bigobj_ = kind == read::FileKind::bigobj;
  coff_ ? open_coff() : open_elf();
}

void Image::open_elf() {
  wide_ = bytes_[4] == ELFCLASS64;
  big_endian_ = bytes_[5] == ELFDATA2MSB;
  const u64 entry = wide_ ? 64 : 40;
  headers_ = *get("header.e_shoff");
  const auto field = [&](u64 i, std::string_view name) {
    const auto place = field_of(elf_section, headers_ + i * entry, name, wide_);
    return number(place->offset, place->size);
  };
  u64 count = *get("header.e_shnum"), names = *get("header.e_shstrndx");
  if (count == 0) count = field(0, "sh_size");
  if (names == SHN_XINDEX) names = field(0, "sh_link");
  const u64 name_bytes = field(names, "sh_offset");
  sections_.resize(count);
  for (u64 i = 0; i < count; ++i) {
    Section& s = sections_[i];
    s.header = headers_ + i * entry;
    s.type = u32(field(i, "sh_type"));
    s.offset = field(i, "sh_offset");
    s.size = s.type == SHT_NOBITS || s.type == SHT_NULL ? 0 : field(i, "sh_size");
    s.name = name_bytes + field(i, "sh_name");
    if (s.type == SHT_GROUP) ++groups_;
    if (s.type == SHT_REL || s.type == SHT_RELA) relocations_ += s.size / field(i, "sh_entsize");
    if (s.type != SHT_SYMTAB) continue;
    symbol_table_ = {s.offset, s.size};
    symbol_size_ = wide_ ? 24 : 16;
    symbols_ = s.size / symbol_size_;
    const u64 strings = field(i, "sh_link");
    strings_ = {field(strings, "sh_offset"), field(strings, "sh_size")};
  }
}

void Image::open_coff() {
  wide_ = bigobj_;  // the second column of the tables
  big_endian_ = false;
  headers_ = bigobj_ ? bigobj_header_size : coff_header_size;
  sections_.resize(*get("header.NumberOfSections") + 1);
  symbol_size_ = bigobj_ ? 20 : 18;
  symbols_ = *get("header.NumberOfSymbols");
  symbol_table_ = {*get("header.PointerToSymbolTable"), symbols_ * symbol_size_};
  const u64 strings = symbol_table_.offset + symbol_table_.size;
  strings_ = {strings, number(strings, 4)};
  for (u64 i = 1; i < sections_.size(); ++i) {
    Section& s = sections_[i];
    s.header = s.name = headers_ + (i - 1) * coff_section_size;
    if (bytes_[s.header] == '/') s.name = strings_.offset + *parse_number(text(s.header + 1, 7));
    const auto field = [&](std::string_view name) {
      const auto place = field_of(coff_section, s.header, name, false);
      return number(place->offset, place->size);
    };
    s.offset = field("PointerToRawData");
    const bool has_contents = !(field("Characteristics") & coff::IMAGE_SCN_CNT_UNINITIALIZED_DATA);
    s.size = has_contents ? field("SizeOfRawData") : 0;
    s.relocs = field("PointerToRelocations");
    u64 count = field("NumberOfRelocations");
    if (field("Characteristics") & coff::IMAGE_SCN_LNK_NRELOC_OVFL) count = number(s.relocs, 4);
    s.relocs_size = count * 10;
    relocations_ += count;
  }
}

std::string_view Image::section_name(u64 index) const {
  const Section& s = sections_[index];
  return text(s.name, coff_ && s.name == s.header ? 8 : bytes_.size());
}

u64 Image::section(std::string_view name) const {
  for (u64 i = 1; i < sections_.size(); ++i)
    if (section_name(i) == name) return i;
  return 0;
}

u64 Image::symbol(std::string_view name) const {
  for (u64 i = coff_ ? 0 : 1; i < symbols_; ++i) {
    const u64 at = symbol_table_.offset + i * symbol_size_;
    const bool is_long = coff_ && number(at, 4) == 0;
    const u64 place = !coff_ ? strings_.offset + number(at, 4) : is_long ? strings_.offset + number(at + 4, 4) : at;
    if (text(place, coff_ && !is_long ? 8 : bytes_.size()) == name) return i;
    if (coff_) i += bytes_[at + symbol_size_ - 1];
  }
  return 0;
}

std::optional<Image::Place> Image::find_relocation(u64 index, u64 number, std::string_view field) const {
  const Section& s = sections_[index];
  if (coff_) {
    if (number * 10 >= s.relocs_size) return std::nullopt;
    const auto found = field_of(coff_relocation, s.relocs + number * 10, field, false);
    return found ? std::optional<Place>({found->offset, found->size}) : std::nullopt;
  }
  const u64 size = (s.type == SHT_RELA ? 3 : 2) * (wide_ ? 8 : 4);
  if ((s.type != SHT_RELA && s.type != SHT_REL) || number * size >= s.size) return std::nullopt;
  const bool symbol = field == "r_sym", type = field == "r_type";
  const auto found = field_of(elf_relocation, s.offset + number * size, symbol || type ? "r_info" : field, wide_);
  if (!found || found->offset >= s.offset + (number + 1) * size) return std::nullopt;
  const unsigned bits = wide_ ? 32 : 8;
  Place place{found->offset, found->size};
  if (symbol) place.shift = bits, place.mask = wide_ ? 0xffffffff : 0xffffff;
  if (type) place.mask = (u64(1) << bits) - 1;
  return place;
}

std::optional<Image::Place> Image::find_in_section(u64 index, std::string_view field) const {
  if (index >= sections_.size() || (coff_ && index == 0)) return std::nullopt;
  const Section& s = sections_[index];
  const auto part = step(field);
  if (!part) return std::nullopt;
  if (part->name == "relocation") return find_relocation(index, part->index, part->rest);
  for (unsigned log = 0; log < 4; ++log) {
    constexpr std::string_view names[] = {"byte", "half", "word", "xword"};
    const unsigned size = 1u << log;
    if (part->name == names[log] && (part->index + 1) * size <= s.size)
      return Place{s.offset + part->index * size, size};
  }
  std::optional<Found> found;
  if (field.starts_with("ch_"))
    found = field_of(wide_ ? std::span<const Field>(elf64_compression) : elf32_compression, s.offset, field, wide_);
  else
    found = coff_ ? field_of(coff_section, s.header, field, false) : field_of(elf_section, s.header, field, wide_);
  return found ? std::optional<Place>({found->offset, found->size}) : std::nullopt;
}

std::optional<Image::Place> Image::find_in_symbol(u64 index, std::string_view field) const {
  if (index >= symbols_) return std::nullopt;
  u64 base = symbol_table_.offset + index * symbol_size_;
  std::optional<Found> found;
  if (!coff_) {
    found = field_of(wide_ ? std::span<const Field>(elf64_symbol) : elf32_symbol, base, field, wide_);
  } else if (field.starts_with("aux.")) {
    base += symbol_size_;
    found = field_of(section_definition, base, field.substr(4), false);
    if (!found) found = field_of(weak_external, base, field.substr(4), false);
  } else {
    found = field_of(coff_symbol, base, field, bigobj_);
  }
  return found ? std::optional<Place>({found->offset, found->size}) : std::nullopt;
}

std::optional<Image::Place> Image::find(std::string_view field) const {
  const auto part = step(field);
  if (!part) return std::nullopt;
  if (part->name == "section") return find_in_section(part->index, part->rest);
  if (part->name == "symbol") return find_in_symbol(part->index, part->rest);
  if (part->name == "strings" && part->rest == "size" && coff_) return Place{strings_.offset, 4};
  if (part->name != "header") return std::nullopt;
  const auto found = !coff_    ? field_of(elf_header, 0, part->rest, wide_)
                     : bigobj_ ? field_of(bigobj_header, 0, part->rest, true)
                               : field_of(coff_header, 0, part->rest, false);
  return found ? std::optional<Place>({found->offset, found->size}) : std::nullopt;
}

std::optional<u64> Image::get(std::string_view field) const {
  const auto place = find(field);
  if (!place || place->size > 8 || place->offset + place->size > bytes_.size()) return std::nullopt;
  return number(place->offset, place->size) >> place->shift & place->mask;
}

bool Image::set(std::string_view field, u64 value) {
  const auto place = find(field);
  if (!place || place->size > 8 || place->offset + place->size > bytes_.size()) return false;
  if (place->size < 8 && value >> (8 * place->size)) return false;
  if (value & ~place->mask) return false;
  const u64 old = number(place->offset, place->size);
  const u64 field_bits = place->mask == ~u64(0) ? ~u64(0) : place->mask << place->shift;
  const u64 made = (old & ~field_bits) | (value << place->shift & field_bits);
  store_int(&bytes_[place->offset], made, place->size, big_endian_);
  changes_.push_back(fmt::format("{} = {:#x}", field, value));
  return true;
}

void Image::note(std::string change) { changes_.push_back(std::move(change)); }

void Image::headers_to_front() {
  const u64 entry = wide_ ? 64 : 40, header = wide_ ? 64 : 52;
  const u64 moved = (sections_.size() * entry + 15) & ~u64(15);  // whatever was aligned still is
  std::vector<u8> table(bytes_.begin() + std::ptrdiff_t(headers_), bytes_.end());
  table.resize(moved);
  bytes_.resize(headers_);
  bytes_.insert(bytes_.begin() + std::ptrdiff_t(header), table.begin(), table.end());
  const std::vector<std::string> before = changes_;
  for (u64 i = 1; i < sections_.size(); ++i) {
    sections_[i].header = header + i * entry;
    sections_[i].offset += moved;
    sections_[i].name += moved;
    set(fmt::format("section[{}].sh_offset", i), sections_[i].offset);
  }
  sections_[0].header = headers_ = header;
  set("header.e_shoff", header);
  symbol_table_.offset += moved;
  strings_.offset += moved;
  changes_ = before;
}

}  // namespace xas::corpus::objects
