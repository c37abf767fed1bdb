// SPDX-License-Identifier: Apache-2.0
// Numbers that do not fit the field they stand in: sections, symbols' sections, COFF's relocations.

#include "asm/corpus/objects/sample.h"
#include "objwriter/elf_constants.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi_header = "gABI, ELF Header: e_shnum, e_shstrndx";
constexpr std::string_view gabi_index = "gABI, Section Header: SHN_XINDEX; Symbol Table: st_shndx";
constexpr std::string_view pe_sections = "PE Format, COFF File Header; winnt.h, ANON_OBJECT_HEADER_BIGOBJ";
constexpr std::string_view pe_relocs = "PE Format, Section Flags: IMAGE_SCN_LNK_NRELOC_OVFL";

/// From so many ELF headers on there is a .symtab_shndx: .strtab, one before the last, is number 65,279 or more.
constexpr u64 first_with_shndx = SHN_LORESERVE + 2;

/// As many sections as make `param` headers, with a symbol in the last one.
void make_sections(Sample& s, bool section_symbols) {
  s.program();
  // ELF: the null header, .text, .data, its relocations, .note.GNU-stack, .symtab, .strtab, .shstrtab
  const u64 own = s.is_coff() ? 2 : s.param >= first_with_shndx ? 9 : 8;
  if (s.param <= own) {
    s.error = fmt::format("--param={}: more than {} are needed", s.param, own);
    return;
  }
  const u64 count = s.param - own;
  std::string name = "s.";
  Builder::Section last{};
  for (u64 i = 0; i < count; ++i) {
    name.resize(2);
    append(name, "{:x}", i);
    last = s.o.section(name, object::constants_section);
    if (section_symbols) s.o.section_symbol(last);
  }
  s.o.append(last, "abcd");
  const auto symbol = s.object("in_last", last);
  s.o.pointer(s.data, symbol);
  if (!s.finish()) return;
  const u64 headers = s.image.sections() - (s.is_coff() ? 1 : 0);
  if (headers != s.param) {
    s.error = fmt::format("--param={}: .symtab_shndx, which is needed then, would make it {}", s.param, headers);
    return;
  }
  s.fact(s.is_coff() ? "NumberOfSections" : "section_headers", headers);
  s.fact(s.is_coff() ? "SectionNumber in_last" : "section in_last", s.image.section(name));
}
void sections(Sample& s) { make_sections(s, false); }
void sections_with_symbols(Sample& s) { make_sections(s, true); }

/// Section 0xfff1 has the number of SHN_ABS.
void section_fff1(Sample& s) {
  s.program();
  constexpr u64 before = 4;  // null, .text, .data and its relocations
  Builder::Section there{};
  for (u64 i = before; i < 0xfff8; ++i) {
    const auto section = s.o.section(fmt::format("s.{:x}", i), object::constants_section);
    if (i == 0xfff1) there = section;
  }
  s.o.append(there, "abcd");
  const auto symbol = s.object("in_fff1", there);
  s.o.pointer(s.data, symbol);
  const auto absolute = s.o.symbol("absolute");
  s.o.define_absolute(absolute, 0x1234);
  if (!s.finish()) return;
  s.fact("section in_fff1", s.image.section("s.fff1"));
  s.fact_symbol("absolute", "st_shndx");
  s.fact_symbol("absolute", "st_value");
}

void escape_shnum(Sample& s) {
  s.program();
  if (!s.finish()) return;
  const u64 count = s.image.sections();
  s.set("section[0].sh_size", count);
  s.set("header.e_shnum", 0);
  s.fact("section_headers", count);
}

void escape_shstrndx(Sample& s) {
  s.program();
  if (!s.finish()) return;
  s.set("section[0].sh_link", *s.image.get("header.e_shstrndx"));
  s.set("header.e_shstrndx", SHN_XINDEX);
}

/// A table of section numbers for a symbol table with `symbols` symbols; its section becomes SHT_SYMTAB_SHNDX later.
Builder::Section shndx_table(Sample& s, u64 symbols) {
  const auto table = s.section(".symtab_shndx", SHT_PROGBITS, {}, 0, 4, 4);
  s.o.zeros(table, 4 * symbols);
  return table;
}
void set_shndx_table(Sample& s, std::string_view symbol, u64 section) {
  s.set_section(".symtab_shndx", "sh_type", SHT_SYMTAB_SHNDX);
  s.set_section(".symtab_shndx", "sh_link", s.image.section(".symtab"));
  const u64 number = s.image.symbol(symbol);
  s.set(fmt::format("{}word[{}]", s.in_section(".symtab_shndx"), number), section);
  s.set_symbol(symbol, "st_shndx", SHN_XINDEX);
}

void escape_shndx(Sample& s) {
  s.program();
  shndx_table(s, 2);
  if (!s.finish()) return;
  set_shndx_table(s, "_start", s.image.section(".text"));
  s.fact("section _start", s.image.section(".text"));
}

void escape_all(Sample& s) {
  escape_shndx(s);
  const u64 count = s.image.sections();
  s.set("section[0].sh_size", count);
  s.set("section[0].sh_link", *s.image.get("header.e_shstrndx"));
  s.set("header.e_shnum", 0);
  s.set("header.e_shstrndx", SHN_XINDEX);
  s.fact("section_headers", count);
}

void shndx_beyond(Sample& s) {
  s.program();
  shndx_table(s, 2);
  if (s.finish()) set_shndx_table(s, "_start", 0x10000000);
}

void shndx_short(Sample& s) {
  s.program();
  shndx_table(s, 2);
  if (!s.finish()) return;
  set_shndx_table(s, "_start", s.image.section(".text"));
  s.set_section(".symtab_shndx", "sh_size", 4);
}

void shndx_missing(Sample& s) {
  s.program();
  if (s.finish()) s.set_symbol("_start", "st_shndx", SHN_XINDEX);
}

template <u64 Value>
void shnum(Sample& s) {
  s.program();
  if (!s.finish()) return;
  if (Value < SHN_LORESERVE) {
    s.set("header.e_shnum", Value);
  } else {
    s.set("header.e_shnum", 0);
    s.set("section[0].sh_size", s.wide() ? Value : Value & 0xffffffff);
  }
}

void shstrndx_beyond(Sample& s) {
  s.program();
  if (s.finish()) s.set("header.e_shstrndx", 0xfeff);
}

void shstrndx_not_strings(Sample& s) {
  s.program();
  if (s.finish()) s.set("header.e_shstrndx", s.image.section(".text"));
}

void coff_relocations(Sample& s) {
  s.program();
  for (u64 i = 1; i < s.param; ++i) s.o.pointer(s.data, s.start);
  if (!s.finish()) return;
  s.fact("relocations .data", s.param);
  s.fact_section(".data", "NumberOfRelocations");
}

/// 65,535 relocations, of which the first has their number.
template <u32 Count>
void coff_overflow_count(Sample& s) {
  s.program();
  for (u64 i = 1; i < 65535; ++i) s.o.pointer(s.data, s.start);
  if (s.finish()) s.set_relocation(".data", 0, "VirtualAddress", Count);
}

void coff_overflow_unneeded(Sample& s) {
  s.program();
  s.o.pointer(s.data, s.start);
  if (!s.finish()) return;
  const auto flags = *s.image.get(s.in_section(".data") + "Characteristics");
  s.set_section(".data", "Characteristics", flags | 0x01000000);
  s.set_section(".data", "NumberOfRelocations", 0xffff);
  s.set_relocation(".data", 0, "VirtualAddress", 2);
  s.set_relocation(".data", 0, "SymbolTableIndex", 0);
  s.set_relocation(".data", 0, "Type", 0);
}

void coff_sections_beyond(Sample& s) {
  s.program();
  if (s.finish()) s.set("header.NumberOfSections", s.target.format == Format::coff ? 0xfeff : 0x7fffffff);
}

void coff_symbols_beyond(Sample& s) {
  s.program();
  if (s.finish()) s.set("header.NumberOfSymbols", 0x7fffffff);
}

void coff_no_symbols(Sample& s) {
  s.program();
  if (!s.finish()) return;
  s.set("header.PointerToSymbolTable", 0xfffffff0);
}

using enum Verdict;
constexpr Case cases[] = {
    {"sections-65279", "65,279 section headers: the most that e_shnum holds", gabi_header, valid, elf, sections, 65279,
     "{} section headers"},
    {"sections-65280", "65,280 section headers: e_shnum is 0, the number in the null header", gabi_header, valid, elf,
     sections, 65280, "{} section headers"},
    {"sections-65282", "65,282 section headers, of which one is .symtab_shndx: the first number with which it is there",
     gabi_header, valid, elf, sections, 65282, "{} section headers"},
    {"sections-70000", "70,000 section headers, also the section names' table beyond 0xff00", gabi_header, valid, elf,
     sections, 70000, "{} section headers"},
    {"section-symbols-70000", "70,000 section headers, each section with a symbol of type STT_SECTION", gabi_index,
     valid, elf, sections_with_symbols, 70000, "{} section headers, each section with a symbol of type STT_SECTION"},
    {"sections-1000000", "a million section headers", gabi_header, valid, elf, sections, 1000000, "{} section headers",
     true},
    {"section-fff1", "a symbol in section 0xfff1 beside one in SHN_ABS, which has this number", gabi_index, valid, elf,
     section_fff1},
    {"escape-shnum", "e_shnum is 0 and the null header has the number, of a few", gabi_header, tolerated, elf,
     escape_shnum},
    {"escape-shstrndx", "e_shstrndx is SHN_XINDEX and the null header has the number, a small one", gabi_header,
     tolerated, elf, escape_shstrndx},
    {"escape-shndx", "a symbol's section is in SHT_SYMTAB_SHNDX, and has a small number", gabi_index, tolerated, elf,
     escape_shndx},
    {"escape-all", "all three escapes where none is needed", gabi_header, tolerated, elf, escape_all},
    {"shndx-beyond", "SHT_SYMTAB_SHNDX names a section beyond the last", gabi_index, malformed, elf, shndx_beyond},
    {"shndx-short", "SHT_SYMTAB_SHNDX has fewer entries than there are symbols", gabi_index, malformed, elf,
     shndx_short},
    {"shndx-missing", "a symbol with SHN_XINDEX, and no SHT_SYMTAB_SHNDX", gabi_index, malformed, elf, shndx_missing},
    {"shnum-beyond", "more section headers than the file has room for", gabi_header, malformed, elf, shnum<0xfeff>},
    {"shnum-32", "2^32 - 1 section headers by the null header", gabi_header, malformed, elf, shnum<0xffffffff>},
    {"shnum-58", "2^58 section headers: their bytes wrap around", gabi_header, malformed, elf64, shnum<u64(1) << 58>},
    {"shstrndx-beyond", "the section names' table is beyond the last section", gabi_header, malformed, elf,
     shstrndx_beyond},
    {"shstrndx-not-strings", "the section names' table is .text", gabi_header, malformed, elf, shstrndx_not_strings},
    {"coff-sections-65279", "65,279 sections: the most of the regular format", pe_sections, valid, coff, sections,
     65279, "{} sections"},
    {"bigobj-sections-65280", "65,280 sections: bigobj is needed", pe_sections, valid, bit(Format::bigobj), sections,
     65280, "{} sections"},
    {"bigobj-sections-70000", "70,000 sections", pe_sections, valid, bit(Format::bigobj), sections, 70000,
     "{} sections"},
    {"bigobj-unneeded", "bigobj for a hundred sections", pe_sections, valid, bit(Format::bigobj), sections, 100,
     "bigobj for {} sections"},
    {"coff-relocations-65534", "65,534 relocations: the most that NumberOfRelocations holds", pe_relocs, valid, coffs,
     coff_relocations, 65534, "{} relocations"},
    {"coff-relocations-65535", "65,535 relocations: their number is in the first", pe_relocs, valid, coffs,
     coff_relocations, 65535, "{} relocations"},
    {"coff-relocations-65536", "65,536 relocations", pe_relocs, valid, coffs, coff_relocations, 65536,
     "{} relocations"},
    {"coff-overflow-unneeded", "the number of relocations is in the first, and small", pe_relocs, tolerated, coffs,
     coff_overflow_unneeded},
    {"coff-overflow-zero", "IMAGE_SCN_LNK_NRELOC_OVFL, and 0 relocations in the first", pe_relocs, malformed, coffs,
     coff_overflow_count<0>},
    {"coff-overflow-beyond", "IMAGE_SCN_LNK_NRELOC_OVFL, and more relocations than the file", pe_relocs, malformed,
     coffs, coff_overflow_count<0xffffffff>},
    {"coff-sections-beyond", "NumberOfSections beyond the file's end", pe_sections, malformed, coffs,
     coff_sections_beyond},
    {"coff-symbols-beyond", "NumberOfSymbols beyond the file's end", "PE Format, COFF File Header", malformed, coffs,
     coff_symbols_beyond},
    {"coff-symbols-outside", "PointerToSymbolTable beyond the file's end", "PE Format, COFF File Header", malformed,
     coffs, coff_no_symbols},
};

}  // namespace

std::span<const Case> count_cases() { return cases; }

}  // namespace xas::corpus::objects
