// SPDX-License-Identifier: Apache-2.0
// rewrite_coff gnu|llvm IN OUT: as rewrite, for COFF objects and the COFF writer.
#include <bit>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "objwriter/coff.h"
#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"
#include "tests/object/rewrite_files.h"

using namespace xas;
using namespace xas::coff;

namespace {

/// What an obj::Object only borrows.
struct Parsed {
  obj::Object object;
  std::vector<std::vector<obj::Reloc>> relocs;
  std::deque<std::string> texts;
};

struct Parser {
  const std::vector<u8>& file;
  Parsed& parsed;
  u64 strings = 0;  ///< offset of the string table
  u32 record = sizeof(coff::Symbol);

  std::string_view keep(std::string text) { return parsed.texts.emplace_back(std::move(text)); }
  std::string_view string_at(u64 offset) { return reinterpret_cast<const char*>(file.data() + strings + offset); }
  static std::string padded(const u8* p, std::size_t n) {
    return std::string(reinterpret_cast<const char*>(p), strnlen(reinterpret_cast<const char*>(p), n));
  }

  std::string_view section_name(const u8* name) {
    std::string text = padded(name, 8);
    if (text.rfind("//", 0) == 0) {
      const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      u64 offset = 0;
      for (char c : text.substr(2)) offset = offset * 64 + alphabet.find(c);
      return string_at(offset);
    }
    if (text[0] == '/') return string_at(std::strtoul(text.c_str() + 1, nullptr, 10));
    return keep(text);
  }

  void parse_section(const SectionHeader& h) {
    obj::Section s;
    s.name = section_name(h.Name);
    const u32 flags = h.Characteristics;
    s.flags = flags & ~u32(IMAGE_SCN_ALIGN_MASK | IMAGE_SCN_LNK_NRELOC_OVFL);
    s.align = u64(1) << ((flags & IMAGE_SCN_ALIGN_MASK) >> IMAGE_SCN_ALIGN_SHIFT) >> 1;
    s.size = h.SizeOfRawData;
    s.contents.data = file.data() + h.PointerToRawData;
    std::vector<obj::Reloc>& relocs = parsed.relocs.emplace_back();
    const auto* r = reinterpret_cast<const Relocation*>(file.data() + h.PointerToRelocations);
    u64 n = h.NumberOfRelocations;
    if (flags & IMAGE_SCN_LNK_NRELOC_OVFL) {
      n = r->VirtualAddress - 1;
      ++r;
    }
    for (u64 i = 0; i < n; ++i, ++r) relocs.push_back({r->VirtualAddress, r->SymbolTableIndex, r->Type, 0});
    parsed.object.sections.push_back(s);
  }

  /// Sets what only the section definition says.
  void parse_definition(u32 section, const u8* aux) {
    AuxSectionDefinition d;
    std::memcpy(&d, aux, sizeof d);
    obj::Section& s = parsed.object.sections[section];
    s.selection = d.Selection;
    s.defined_size = d.Length;
    const u32 number = d.Number | u32(d.HighNumber) << 16;
    if (d.Selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE && number != 0) s.link_section = number - 1;
  }

  template <typename Record>
  void parse_symbols(const u8* table, u32 records) {
    obj::Object& o = parsed.object;
    std::vector<u32> symbol_of(records, obj::none);
    for (u32 i = 0; i < records;) {
      const Record& r = *reinterpret_cast<const Record*>(table + u64(i) * record);
      const u8* aux = table + u64(i + 1) * record;
      obj::CoffSymbol s;
      u32 zeros, offset;
      std::memcpy(&zeros, r.Name, 4);
      std::memcpy(&offset, r.Name + 4, 4);
      s.name = zeros == 0 && offset != 0 ? string_at(offset) : keep(padded(r.Name, 8));
      s.value = r.Value;
      s.type = r.Type;
      s.storage_class = r.StorageClass;
      const i32 number = record == sizeof(coff::Symbol) ? i32(i16(u16(r.SectionNumber))) : i32(u32(r.SectionNumber));
      if (number == IMAGE_SYM_UNDEFINED) s.section = obj::section_undefined;
      else if (number == IMAGE_SYM_ABSOLUTE) s.section = obj::section_absolute;
      else if (number == IMAGE_SYM_DEBUG) s.section = obj::section_debug;
      else s.section = u32(record == sizeof(coff::Symbol) ? number & 0xffff : number) - 1;

      const u8 n = r.NumberOfAuxSymbols;
      if (s.storage_class == IMAGE_SYM_CLASS_FILE) {
        s.aux = obj::CoffSymbol::Aux::file;
        std::memcpy(&zeros, aux, 4);
        std::memcpy(&offset, aux + 4, 4);
        s.text = n && zeros == 0 && offset != 0 ? string_at(offset) : keep(padded(aux, n * record));
      } else if (s.storage_class == IMAGE_SYM_CLASS_WEAK_EXTERNAL && n == 1) {
        AuxWeakExternal w;
        std::memcpy(&w, aux, sizeof w);
        s.aux = obj::CoffSymbol::Aux::weak;
        s.tag = w.TagIndex;
        s.search = w.Characteristics;
      } else if (s.storage_class == IMAGE_SYM_CLASS_STATIC && n == 1 && s.section < o.sections.size() && s.type == 0) {
        s.aux = obj::CoffSymbol::Aux::section;
        parse_definition(s.section, aux);
      } else if (n != 0) {
        std::string text;
        for (u32 k = 0; k < n; ++k) text.append(reinterpret_cast<const char*>(aux + k * record), sizeof(coff::Symbol));
        s.aux = obj::CoffSymbol::Aux::raw;
        s.text = keep(text);
      }
      symbol_of[i] = u32(o.coff_symbols.size());
      o.coff_symbols.push_back(s);
      i += 1 + n;
    }
    for (obj::CoffSymbol& s : o.coff_symbols)
      if (s.tag != obj::none) s.tag = symbol_of[s.tag];
    for (auto& relocs : parsed.relocs)
      for (obj::Reloc& r : relocs)
        if (r.symbol != obj::none) r.symbol = symbol_of[r.symbol];
    for (u32 i = 0; i < o.sections.size(); ++i) o.sections[i].relocs = parsed.relocs[i];
  }

  void parse() {
    obj::Object& o = parsed.object;
    Header h;
    std::memcpy(&h, file.data(), sizeof h);
    u64 at = sizeof h;
    u32 sections = h.NumberOfSections, symbols = h.NumberOfSymbols, table = h.PointerToSymbolTable;
    o.machine = h.Machine;
    o.flags = h.Characteristics & ~u32(o.coff.flag_no_relocs ? IMAGE_FILE_RELOCS_STRIPPED : 0);
    o.time_stamp = h.TimeDateStamp;
    if (h.Machine == IMAGE_FILE_MACHINE_UNKNOWN) {
      BigObjHeader b;
      std::memcpy(&b, file.data(), at = sizeof b);
      sections = b.NumberOfSections;
      symbols = b.NumberOfSymbols;
      table = b.PointerToSymbolTable;
      o.machine = b.Machine;
      o.flags = 0;
      o.time_stamp = b.TimeDateStamp;
      o.coff.big_obj = true;
      record = sizeof(BigObjSymbol);
    }
    strings = table + u64(symbols) * record;
    for (u32 i = 0; i < sections; ++i)
      parse_section(*reinterpret_cast<const SectionHeader*>(file.data() + at + i * sizeof(SectionHeader)));
    if (o.coff.big_obj) parse_symbols<BigObjSymbol>(file.data() + table, symbols);
    else parse_symbols<coff::Symbol>(file.data() + table, symbols);
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: rewrite_coff gnu|llvm IN OUT");
  const std::vector<u8> file = read_file(argv[2]);
  if (file.size() < sizeof(Header)) fail("not an object");
  Parsed parsed;
  parsed.object.coff = std::strcmp(argv[1], "llvm") == 0 ? obj::llvm_coff_style : obj::gnu_coff_style;
  Parser{file, parsed}.parse();
  OutputBuffer out;
  if (auto error = obj::write_coff(parsed.object, out)) fail(error->message);
  write_file(argv[3], out);
}
