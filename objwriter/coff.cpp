// SPDX-License-Identifier: Apache-2.0
// The COFF writer. It numbers sections and symbols, collects the names that don't fit their eight bytes, gives every
// region of the file its offset, then allocates the file and writes the regions.
//
// What is strange: the format has 16 bits for the number of sections, of relocations of a section, and for the number
// of a symbol's section, and each limit is broken in a way of its own. More than 65,279 sections make a bigobj, another
// format with longer symbol records. 65,535 relocations and more set IMAGE_SCN_LNK_NRELOC_OVFL and put their number,
// itself included, into a first relocation that is none. Every section has a symbol with an auxiliary record, the
// section definition, that repeats its size and the count of relocations and says how duplicates (COMDAT) are treated.
//
// The two reference assemblers (CoffStyle) differ in this order of the file's parts:
//   GNU as    headers, contents of all sections, padding to four bytes, relocations of all sections, symbols, strings
//   llvm-mc   headers, contents and relocations section by section, symbols, strings
//
// Specification: Microsoft, "PE Format".
#include "objwriter/coff.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <new>

#include <zlib.h>

#include "fmt/format.h"
#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"

namespace xas::obj {

using namespace coff;

namespace {

constexpr u32 name_size = 8;
constexpr u64 max_relocs = 0xffff;  ///< from here on the count is in the first relocation

u64 reloc_records(const Section& section) {
  const u64 n = section.relocs.size();
  return n >= max_relocs ? n + 1 : n;
}

/// A name in a section header or symbol record: the name itself, or where it is in the string table.
void put_short_name(u8* out, std::string_view name) {
  std::memset(out, 0, name_size);
  std::memcpy(out, name.data(), name.size());
}

/// "/1234567", and from ten million on "//" and six base64 digits.
void put_section_name_offset(u8* out, u32 offset) {
  std::memset(out, 0, name_size);
  if (offset < 10000000) {
    const std::string digits = fmt::format("/{}", offset);
    std::memcpy(out, digits.data(), digits.size());
    return;
  }
  constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out[0] = out[1] = '/';
  for (unsigned i = 0; i < 6; ++i) out[7 - i] = u8(alphabet[u64(offset) >> (6 * i) & 63]);
}

void put_symbol_name_offset(u8* out, u32 offset) {
  const ul32 words[2] = {u32(0), offset};
  std::memcpy(out, words, name_size);
}

}  // namespace

u32 CoffWriter::record_size() const { return big_obj_ ? sizeof(BigObjSymbol) : sizeof(coff::Symbol); }

/// Not in a bigobj, where what GNU as writes for such a name has the layout of its host's memory and is read by no one.
bool CoffWriter::files_in_strings() const { return style().long_files_in_strings && !big_obj_; }

bool CoffWriter::has_contents(u32 section) const {
  return (object_->sections[section].flags & IMAGE_SCN_CNT_UNINITIALIZED_DATA) == 0;
}

std::optional<WriteError> CoffWriter::check() const {
  for (const Section& s : object_->sections) {
    if (s.align > largest_alignment)
      return WriteError{fmt::format("section {} is aligned to {} bytes; COFF sections can be aligned to {}", s.name,
                                    s.align, largest_alignment)};
    if (s.size > ~u32(0))
      return WriteError{fmt::format("section {} has {} bytes; COFF sections hold 4294967295", s.name, s.size)};
    for (const Reloc& r : s.relocs)
      if (r.type > 0xffff)
        return WriteError{
            fmt::format("section {} has a relocation of type {}; those of COFF go up to 65535", s.name, r.type)};
  }
  return std::nullopt;
}

/// Numbers the sections, which is the order of their headers. link.exe can't read a section that is associated with one
/// of a higher number, so llvm-mc puts those last.
void CoffWriter::number_sections() {
  const auto& sections = object_->sections;
  sections_.assign(sections.size(), {});
  u32 next = 1;
  auto is_late = [&](u32 i) {
    return style().associative_last && sections[i].selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE;
  };
  for (u32 i = 0; i < sections.size(); ++i)
    if (!is_late(i)) sections_[i].number = next++;
  for (u32 i = 0; i < sections.size(); ++i)
    if (is_late(i)) sections_[i].number = next++;
  big_obj_ = style().big_obj || sections.size() > max_section_number_16;
}

void CoffWriter::number_symbols() {
  symbols_.clear();
  symbols_.reserve(object_->coff_symbols.size());
  symbol_records_ = 0;
  for (const CoffSymbol& s : object_->coff_symbols) {
    PlacedSymbol placed = {.index = u32(symbol_records_)};
    switch (s.aux) {
      case CoffSymbol::Aux::none: break;
      case CoffSymbol::Aux::section:
      case CoffSymbol::Aux::weak: placed.aux_records = 1; break;
      case CoffSymbol::Aux::raw: placed.aux_records = u8(s.text.size() / sizeof(coff::Symbol)); break;
      case CoffSymbol::Aux::file:
        placed.aux_records = files_in_strings()
                                 ? 1
                                 : u8(std::min<u64>((s.text.size() + record_size() - 1) / record_size(), 255));
    }
    symbols_.push_back(placed);
    symbol_records_ += 1 + placed.aux_records;
  }
}

std::optional<WriteError> CoffWriter::collect_strings() {
  using Order = StringTable::Order;
  constexpr u64 start = sizeof(u32);  // the table's size
  section_names_.clear(start);
  strings_.clear(start);
  StringTable& section_names = style().sorted_strings ? strings_ : section_names_;
  for (u32 i = 0; i < sections_.size(); ++i)
    if (object_->sections[i].name.size() > name_size) sections_[i].name = section_names.add(object_->sections[i].name);
  if (!style().sorted_strings) {
    section_names.finish(Order::as_added_all);
    strings_.clear(section_names.size());
  }
  for (u32 i = 0; i < symbols_.size(); ++i) {
    const CoffSymbol& s = object_->coff_symbols[i];
    if (s.name.size() > name_size) symbols_[i].name = strings_.add(s.name);
    if (s.aux == CoffSymbol::Aux::file && files_in_strings() && s.text.size() > record_size())
      symbols_[i].text = strings_.add(s.text);
  }
  strings_.finish(style().sorted_strings ? Order::sorted : Order::as_added_whole);
  if (strings_.size() > ~u32(0))
    return WriteError{"the names have more than 4294967295 bytes, which is all that a COFF string table holds"};
  return std::nullopt;
}

/// Calls `visit(region, i)` for everything behind the headers.
template <typename Visit>
void CoffWriter::in_file_order(Visit visit) const {
  const u32 n = u32(sections_.size());
  const bool relocs_last = style().relocs_after_contents;
  for (u32 i = 0; i < n; ++i) {
    visit(Region::contents, i);
    if (!relocs_last) visit(Region::relocs, i);
  }
  if (relocs_last) visit(Region::padding, 0);
  for (u32 i = 0; relocs_last && i < n; ++i) visit(Region::relocs, i);
  visit(Region::symbols, 0);
  visit(Region::strings, 0);
}

std::optional<WriteError> CoffWriter::place() {
  u64 position = big_obj_ ? sizeof(BigObjHeader) : sizeof(Header);
  position += sections_.size() * sizeof(SectionHeader);
  in_file_order([&](Region region, u32 i) {
    switch (region) {
      case Region::contents:
        sections_[i].contents = position;
        if (has_contents(i)) position += object_->sections[i].size;
        break;
      case Region::relocs:
        sections_[i].relocs = position;
        position += reloc_records(object_->sections[i]) * sizeof(Relocation);
        break;
      case Region::padding:
        padding_offset_ = position;
        position = (position + 3) & ~u64(3);
        break;
      case Region::symbols:
        symbols_offset_ = position;
        position += symbol_records_ * record_size();
        break;
      case Region::strings:
        strings_offset_ = position;
        position += strings_.size();
        break;
    }
  });
  file_size_ = position;
  if (file_size_ > ~u32(0))
    return WriteError{fmt::format("the object file has {} bytes; COFF files hold 4294967295", file_size_)};
  return std::nullopt;
}

// Writing

void CoffWriter::write_headers(u8* out) const {
  const Object& o = *object_;
  u64 size;
  if (big_obj_) {
    BigObjHeader h = {};
    h.Sig1 = IMAGE_FILE_MACHINE_UNKNOWN;
    h.Sig2 = 0xffff;
    h.Version = 2;
    h.Machine = o.machine;
    h.TimeDateStamp = o.time_stamp;
    std::memcpy(h.ClassID, bigobj_class_id, sizeof h.ClassID);
    h.NumberOfSections = u32(sections_.size());
    h.PointerToSymbolTable = u32(symbols_offset_);
    h.NumberOfSymbols = u32(symbol_records_);
    std::memcpy(out, &h, size = sizeof h);
  } else {
    const bool relocs =
        std::any_of(o.sections.begin(), o.sections.end(), [](const Section& s) { return !s.relocs.empty(); });
    Header h = {};
    h.Machine = o.machine;
    h.NumberOfSections = u16(sections_.size());
    h.TimeDateStamp = o.time_stamp;
    h.PointerToSymbolTable = u32(symbols_offset_);
    h.NumberOfSymbols = u32(symbol_records_);
    h.Characteristics = u16(o.flags | (style().flag_no_relocs && !relocs ? IMAGE_FILE_RELOCS_STRIPPED : 0));
    std::memcpy(out, &h, size = sizeof h);
  }
  for (u32 i = 0; i < sections_.size(); ++i)
    write_section_header(i, out + size + (sections_[i].number - 1) * sizeof(SectionHeader));
}

void CoffWriter::write_section_header(u32 section, u8* out) const {
  const Section& s = object_->sections[section];
  const Placed& p = sections_[section];
  SectionHeader h = {};
  if (p.name == no_name) put_short_name(h.Name, s.name);
  else put_section_name_offset(h.Name, section_names().offset(p.name));
  h.SizeOfRawData = u32(s.size);
  if (has_contents(section) && (s.size != 0 || style().pointer_if_empty)) h.PointerToRawData = u32(p.contents);
  if (!s.relocs.empty()) h.PointerToRelocations = u32(p.relocs);
  h.NumberOfRelocations = u16(std::min<u64>(s.relocs.size(), max_relocs));
  const u32 overflow = s.relocs.size() >= max_relocs ? u32(IMAGE_SCN_LNK_NRELOC_OVFL) : 0;
  const u32 align = u32(std::bit_width(std::max<u64>(s.align, 1))) << IMAGE_SCN_ALIGN_SHIFT;
  h.Characteristics = u32(s.flags) | align | overflow;
  std::memcpy(out, &h, sizeof h);
}

void CoffWriter::write_contents(u32 section, u8* out) {
  const Section& s = object_->sections[section];
  if (!has_contents(section)) return;
  const Contents& c = s.contents;
  if (s.size == 0) {}
  else if (c.write) c.write(c.producer, c.id, out);
  else if (c.data) std::memcpy(out, c.data, s.size);
  else std::memset(out, 0, s.size);
  // "JamCRC" from 0: the usual CRC-32 without its two inversions.
  if (style().checksums) sections_[section].checksum = ~u32(crc32_z(~u32(0), out, s.size));
}

void CoffWriter::write_relocs(u32 section, u8* out) const {
  const Section& s = object_->sections[section];
  auto* to = reinterpret_cast<Relocation*>(out);
  if (s.relocs.size() >= max_relocs) *to++ = {u32(s.relocs.size() + 1), u32(0), u16(0)};
  // Against nothing: GNU as writes the index -1, and GNU ld reads it so.
  auto index = [&](u32 symbol) { return symbol == none ? ~u32(0) : symbols_[symbol].index; };
  for (const Reloc& r : s.relocs) *to++ = {u32(r.offset), index(r.symbol), u16(r.type)};
}

void CoffWriter::write_section_definition(const CoffSymbol& symbol, u8* out) const {
  const Section& s = object_->sections[symbol.section];
  const Placed& p = sections_[symbol.section];
  u32 number = style().own_numbers ? p.number : 0;
  if (s.link_section != none) number = sections_[s.link_section].number;
  const u64 relocs = s.relocs.size() - (style().counts_asked_relocs ? 0 : s.asked_relocs);
  AuxSectionDefinition d = {};
  d.Length = u32(s.defined_size == ~u64(0) ? s.size : s.defined_size);
  d.NumberOfRelocations = u16(style().saturated_counts ? std::min(relocs, max_relocs) : relocs);
  d.CheckSum = p.checksum;
  d.Number = u16(number);
  d.Selection = s.selection;
  d.HighNumber = u16(number >> 16);
  std::memcpy(out, &d, sizeof d);
}

/// The auxiliary records of a symbol; `out` has been zeroed.
void CoffWriter::write_aux(const CoffSymbol& symbol, const PlacedSymbol& placed, u8* out) const {
  switch (symbol.aux) {
    case CoffSymbol::Aux::none: break;
    case CoffSymbol::Aux::section: write_section_definition(symbol, out); break;
    case CoffSymbol::Aux::weak: {
      AuxWeakExternal w = {};
      w.TagIndex = symbol.tag == none ? 0 : symbols_[symbol.tag].index;
      w.Characteristics = symbol.search;
      std::memcpy(out, &w, sizeof w);
      break;
    }
    case CoffSymbol::Aux::raw:
      for (u32 i = 0; i < placed.aux_records; ++i)
        std::memcpy(out + i * record_size(), symbol.text.data() + i * sizeof(coff::Symbol), sizeof(coff::Symbol));
      break;
    case CoffSymbol::Aux::file:
      if (placed.text == no_name) {
        constexpr u64 bfd_file_name_size = 14;
        const bool cuts = style().cuts_file_names && !big_obj_;
        const u64 room = cuts ? bfd_file_name_size : placed.aux_records * record_size();
        std::memcpy(out, symbol.text.data(), std::min<u64>(symbol.text.size(), room));
      } else {
        AuxFileOffset f = {};
        f.Offset = strings_.offset(placed.text);
        std::memcpy(out, &f, sizeof f);
      }
  }
}

template <typename Record>
void CoffWriter::write_symbols(u8* out) const {
  using Number = std::conditional_t<std::is_same_v<Record, BigObjSymbol>, u32, u16>;
  for (u32 i = 0; i < symbols_.size(); ++i) {
    const CoffSymbol& s = object_->coff_symbols[i];
    const PlacedSymbol& p = symbols_[i];
    Record* r = reinterpret_cast<Record*>(out);
    if (p.name == no_name) put_short_name(r->Name, s.name);
    else put_symbol_name_offset(r->Name, strings_.offset(p.name));
    r->Value = u32(s.value);
    i64 number;
    switch (s.section) {
      case section_undefined: number = IMAGE_SYM_UNDEFINED; break;
      case section_absolute: number = IMAGE_SYM_ABSOLUTE; break;
      case section_debug: number = IMAGE_SYM_DEBUG; break;
      default: number = sections_[s.section].number;
    }
    r->SectionNumber = Number(number);
    r->Type = s.type;
    r->StorageClass = s.storage_class;
    r->NumberOfAuxSymbols = p.aux_records;
    out += sizeof(Record);
    std::memset(out, 0, p.aux_records * sizeof(Record));
    write_aux(s, p, out);
    if (big_obj_ && style().class_in_big_aux && s.aux != CoffSymbol::Aux::file) {
      for (u32 k = 1; k <= p.aux_records; ++k) {
        out[k * sizeof(Record) - 2] = s.storage_class;
        out[k * sizeof(Record) - 1] = p.aux_records;
      }
    }
    out += p.aux_records * sizeof(Record);
  }
}

std::optional<WriteError> CoffWriter::write(const Object& object, OutputBuffer& out) {
  object_ = &object;
  if (auto error = check()) return error;
  number_sections();
  number_symbols();
  if (auto error = collect_strings()) return error;
  if (auto error = place()) return error;
  // Every offset and size is final.
  if (!out.set_size(file_size_)) throw std::bad_alloc();
  u8* file = out.data();
  write_headers(file);
  in_threads(object.threads.count(file_size_, write_share), u32(sections_.size()), [&](u32 i) {
    write_contents(i, file + sections_[i].contents);
    write_relocs(i, file + sections_[i].relocs);
  });
  // The symbols have the contents' checksums.
  if (style().relocs_after_contents) std::memset(file + padding_offset_, 0, -padding_offset_ & 3);
  if (big_obj_)
    write_symbols<BigObjSymbol>(file + symbols_offset_);
  else
    write_symbols<coff::Symbol>(file + symbols_offset_);
  section_names_.write(file + strings_offset_);
  strings_.write(file + strings_offset_);
  const ul32 size = u32(strings_.size());
  std::memcpy(file + strings_offset_, &size, sizeof size);
  return std::nullopt;
}

std::optional<WriteError> write_coff(const Object& object, OutputBuffer& out) {
  return CoffWriter().write(object, out);
}

}  // namespace xas::obj
