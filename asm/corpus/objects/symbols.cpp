// SPDX-License-Identifier: Apache-2.0
// Symbol tables: names, order, values, kinds.
#include "asm/corpus/objects/sample.h"
#include "objwriter/elf_constants.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi = "gABI, Symbol Table";
constexpr std::string_view gabi_strings = "gABI, String Table";
constexpr std::string_view gnu = "GNU ABI extensions: STB_GNU_UNIQUE, STT_GNU_IFUNC";
constexpr std::string_view pe = "PE Format, COFF Symbol Table";

/// Global symbol `special` in .data, and a local one before it.
bool special(Sample& s) {
  s.program();
  s.o.define(s.o.symbol("local", object::Binding::local), s.data, 0);
  s.object("special", s.data);
  return s.finish();
}

void long_name(Sample& s) {
  s.program();
  std::string name(s.param, 'x');
  for (char& c : name) c = char('a' + s.random.below(26));
  s.object(name, s.data);
  if (s.finish()) s.fact("name length", s.param);
}

void one_name(Sample& s) {
  s.program();
  for (u64 i = 0; i < s.param; ++i) s.o.define(s.o.symbol("same", object::Binding::local), s.data, i & 3);
  if (s.finish()) s.fact("symbols same", s.param);
}

void many(Sample& s) {
  s.program();
  std::string name;
  for (u64 i = 0; i < s.param; ++i) {
    name.clear();
    append(name, "g{}", i);
    s.o.define(s.o.symbol(name), s.data, s.random.below(4));
  }
  if (s.finish()) s.fact(s.is_coff() ? "NumberOfSymbols" : "globals", s.is_coff() ? s.image.symbols() : s.param + 1);
}

void named(Sample& s, std::string_view name) {
  s.program();
  s.object(name, s.data);
  if (s.finish()) s.fact_symbol(name, "st_value");
}
void version_two(Sample& s) { named(s, "a@b@@c"); }
void version_plain(Sample& s) { named(s, "a@v"); }
void version_default(Sample& s) { named(s, "a@@v"); }
void version_only(Sample& s) { named(s, "@@v"); }
void name_odd(Sample& s) {
  s.program();
  s.object("\x01\xff\t name \"quoted\"", s.data);
  s.finish();
}

void name_empty(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_name", 0);
}
void name_beyond(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_name", 0x10000000);
}
void strings_no_end(Sample& s) {
  if (!special(s)) return;
  const u64 strings = s.image.section(".strtab");
  s.set(fmt::format("section[{}].byte[{}]", strings, s.image.contents(strings).size - 1), 'x');
}
void strings_empty(Sample& s) {
  if (special(s)) s.set_section(".strtab", "sh_size", 0);
}
void strings_first(Sample& s) {
  if (special(s)) s.set_section(".strtab", "byte[0]", 'x');
}
void locals_behind(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_info", STB_LOCAL << 4 | STT_OBJECT);
}
void globals_before(Sample& s) {
  if (special(s)) s.set_symbol("local", "st_info", STB_GLOBAL << 4);
}
void info_zero(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_info", 0);
}
void info_beyond(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_info", 0x10000000);
}
void same_global(Sample& s) {
  if (!special(s)) return;
  s.set_symbol("special", "st_name", *s.image.get(fmt::format("symbol[{}].st_name", s.image.symbol("_start"))));
}
void value_beyond(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_value", 0x10000000);
}
void value_last(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_value", s.wide() ? ~u64(0) : 0xffffffff);
}
void size_wraps(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_size", s.wide() ? ~u64(0) : 0xffffffff);
}
void section_beyond(Sample& s) {
  if (special(s)) s.set_symbol("special", s.is_coff() ? "SectionNumber" : "st_shndx", s.is_coff() ? 0x7000 : 0xfe00);
}
void section_reserved(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_shndx", 0xff77);
}
void binding_reserved(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_info", 7 << 4 | STT_OBJECT);
}
void type_reserved(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_info", STB_GLOBAL << 4 | 8);
}
void other_bits(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_other", 0x1c);
}
void global_section(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_info", STB_GLOBAL << 4 | STT_SECTION);
}
void null_symbol(Sample& s) {
  if (!special(s)) return;
  s.set("symbol[0].st_value", 0x1234);
  s.set("symbol[0].st_shndx", SHN_ABS);
}
void entsize_zero(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_entsize", 0);
}
void entsize_other(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_entsize", s.wide() ? 16 : 24);
}
void size_remainder(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_size", *s.image.get(s.in_section(".symtab") + "sh_size") - 1);
}
void link_beyond(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_link", 0x10000000);
}
void link_itself(Sample& s) {
  if (special(s)) s.set_section(".symtab", "sh_link", s.image.section(".symtab"));
}
void two_tables(Sample& s) {
  s.program();
  s.section(".second", SHT_PROGBITS, {}, 0, s.wide() ? 8 : 4, s.wide() ? 24 : 16);
  if (!s.finish()) return;
  const auto first = s.image.symbol_table();
  s.set_section(".second", "sh_type", SHT_SYMTAB);
  s.set_section(".second", "sh_offset", first.offset);
  s.set_section(".second", "sh_size", first.size);
  s.set_section(".second", "sh_link", s.image.section(".strtab"));
  s.set_section(".second", "sh_info", 1);
}

// Kinds

void common(Sample& s, u64 size, u64 align) {
  s.program();
  s.o.define_common(s.o.symbol("special"), size, align);
  if (!s.finish()) return;
  s.fact_symbol("special", s.is_coff() ? "Value" : "st_size");
}
void common_small(Sample& s) { common(s, 8, 8); }
void common_huge(Sample& s) { common(s, s.wide() ? u64(1) << 62 : u64(1) << 30, 8); }
void common_align(Sample& s) {
  common(s, 8, 8);
  s.set_symbol("special", "st_value", 3);
}
void unique(Sample& s) {
  s.program();
  const auto symbol = s.o.symbol("special", object::Binding::unique);
  s.o.define(symbol, s.data, 0);
  s.o.set_type(symbol, object::SymbolType::object);
  if (s.finish()) s.fact_symbol("special", "st_info");
}
void ifunc(Sample& s) {
  s.program();
  const auto symbol = s.o.symbol("special");
  s.o.define(symbol, s.text, 0);
  s.o.set_type(symbol, object::SymbolType::ifunc);
  if (s.finish()) s.fact_symbol("special", "st_info");
}
void tls(Sample& s) {
  s.program();
  const auto section = s.o.section(".tdata", object::tls_section);
  s.o.zeros(section, 8);
  const auto symbol = s.o.symbol("special");
  s.o.define(symbol, section, 0);
  s.o.set_type(symbol, object::SymbolType::tls);
  if (s.finish()) s.fact_symbol("special", "st_info");
}
void tls_elsewhere(Sample& s) {
  if (special(s)) s.set_symbol("special", "st_info", STB_GLOBAL << 4 | STT_TLS);
}
void weak_undefined(Sample& s) {
  s.program();
  s.o.pointer(s.data, s.o.symbol("special", object::Binding::weak));
  if (s.finish() && !s.is_coff()) s.fact_symbol("special", "st_info");
}
void visibilities(Sample& s) {
  s.program();
  constexpr std::string_view names[] = {"normal", "internal", "hidden", "protected"};
  for (unsigned i = 0; i < 4; ++i) s.o.set_visibility(s.object(names[i], s.data), object::Visibility(i));
  if (!s.finish()) return;
  for (const auto name : names) s.fact_symbol(name, "st_other");
}
void files(Sample& s) {
  s.o.file("one.c");
  s.o.file("two.c");
  s.program();
  if (s.finish() && !s.is_coff()) s.fact_symbol("two.c", "st_info");
}
void absolute(Sample& s) {
  s.program();
  s.o.define_absolute(s.o.symbol("special"), s.wide() ? ~u64(0) : 0xffffffff);
  if (s.finish()) s.fact_symbol("special", s.is_coff() ? "Value" : "st_value");
}

// COFF

void coff_name_beyond(Sample& s) {
  s.program();
  s.object("a_long_symbol_name", s.data);
  if (s.finish()) s.set_symbol("a_long_symbol_name", "Name", u64(0x10000000) << 32);
}
void coff_aux_beyond(Sample& s) {
  if (special(s)) s.set_symbol("special", "NumberOfAuxSymbols", 255);
}
void coff_class_unknown(Sample& s) {
  if (special(s)) s.set_symbol("special", "StorageClass", 200);
}
void coff_strings(Sample& s, u64 size) {
  s.program();
  s.object("a_long_symbol_name", s.data);
  if (s.finish()) s.set("strings.size", size);
}
void coff_strings_zero(Sample& s) { coff_strings(s, 0); }
void coff_strings_three(Sample& s) { coff_strings(s, 3); }
void coff_strings_beyond(Sample& s) { coff_strings(s, 0x7fffffff); }
void coff_strings_none(Sample& s) {
  if (special(s)) s.cut(s.image.string_table().offset);
}
bool weak(Sample& s) {
  s.program();
  s.o.pointer(s.data, s.o.symbol("special", object::Binding::weak));
  return s.finish();
}
void coff_weak_itself(Sample& s) {
  if (weak(s)) s.set_symbol("special", "aux.TagIndex", s.image.symbol("special"));
}
void coff_weak_beyond(Sample& s) {
  if (weak(s)) s.set_symbol("special", "aux.TagIndex", 0x7fffffff);
}
void coff_weak_search(Sample& s) {
  if (weak(s)) s.set_symbol("special", "aux.Characteristics", 77);
}

using enum Verdict;
constexpr Case cases[] = {
    {"symbols-1000000", "a million global symbols", gabi, valid, elf, many, 1000000, "{} global symbols"},
    {"symbols-one-name", "a million local symbols of one name", gabi, valid, elf, one_name, 1000000,
     "{} local symbols of one name"},
    {"symbol-name-64k", "a name of 65,536 characters", gabi_strings, valid, all_formats, long_name, 65536,
     "a name of {} characters"},
    {"symbol-name-1m", "a name of 1,048,576 characters", gabi_strings, valid, all_formats, long_name, 1048576,
     "a name of {} characters"},
    {"symbol-name-empty", "a global symbol without a name", gabi, tolerated, elf, name_empty},
    {"symbol-name-odd", "a name with control characters, a blank and a byte that is no UTF-8", gabi_strings, tolerated,
     elf, name_odd},
    {"symbol-version", "a@v: a version that is not the default", "GNU as, .symver", tolerated, elf, version_plain},
    {"symbol-version-default", "a@@v: the default version", "GNU as, .symver", tolerated, elf, version_default},
    {"symbol-version-twice", "a@b@@c: two versions", "GNU as, .symver", malformed, elf, version_two},
    {"symbol-version-only", "@@v: a version of nothing", "GNU as, .symver", malformed, elf, version_only},
    {"symbol-visibilities", "a symbol of each visibility", gabi, valid, elf, visibilities},
    {"symbol-unique", "STB_GNU_UNIQUE", gnu, valid, elf, unique},
    {"symbol-ifunc", "STT_GNU_IFUNC", gnu, valid, elf, ifunc},
    {"symbol-tls", "STT_TLS in a section with SHF_TLS", gabi, valid, elf, tls},
    {"symbol-weak-undefined", "a weak symbol that is defined nowhere", gabi, valid, elf, weak_undefined},
    {"symbol-absolute", "an absolute symbol with all bits set", gabi, valid, elf, absolute},
    {"symbol-common", "a common symbol of 8 bytes", gabi, valid, elf, common_small},
    {"symbol-files", "two symbols of type STT_FILE", gabi, valid, elf, files},
    {"symbol-common-huge", "a common symbol of 2^62 bytes (ELF32: 2^30)", gabi, tolerated, elf, common_huge},
    {"symbol-common-align", "a common symbol aligned to 3 bytes", gabi, malformed, elf, common_align},
    {"symbol-tls-elsewhere", "STT_TLS in a section without SHF_TLS", gabi, malformed, elf, tls_elsewhere},
    {"symbol-local-behind-global", "a local symbol behind the first global one", gabi, malformed, elf, locals_behind},
    {"symbol-global-before-local", "a global symbol among the local ones", gabi, malformed, elf, globals_before},
    {"symbols-info-zero", "sh_info of the symbol table is 0", gabi, malformed, elf, info_zero},
    {"symbols-info-beyond", "sh_info of the symbol table is beyond the last symbol", gabi, malformed, elf,
     info_beyond},
    {"symbol-defined-twice", "two global symbols of one name in one file", gabi, malformed, elf, same_global},
    {"symbol-value-beyond", "a symbol beyond the end of its section", gabi, tolerated, elf, value_beyond},
    {"symbol-value-last", "a symbol at the last address from its section", gabi, tolerated, elf, value_last},
    {"symbol-size-wraps", "a symbol whose end wraps around", gabi, tolerated, elf, size_wraps},
    {"symbol-section-beyond", "a symbol in a section beyond the last", gabi, malformed, all_formats, section_beyond},
    {"symbol-section-reserved", "a symbol in reserved section 0xff77", gabi, malformed, elf, section_reserved},
    {"symbol-binding-reserved", "a symbol of binding 7", gabi, malformed, elf, binding_reserved},
    {"symbol-type-reserved", "a symbol of type 8", gabi, malformed, elf, type_reserved},
    {"symbol-other-bits", "unused bits of st_other are set", gabi, tolerated, elf, other_bits},
    {"symbol-section-global", "a global symbol of type STT_SECTION", gabi, malformed, elf, global_section},
    {"symbol-null", "symbol 0 is not empty", gabi, malformed, elf, null_symbol},
    {"symbol-name-beyond", "a name beyond the string table", gabi_strings, malformed, elf, name_beyond},
    {"strings-last-no-end", "the last string of the table has no end", gabi_strings, malformed, elf, strings_no_end},
    {"strings-empty", "the string table is empty, the symbols have names", gabi_strings, malformed, elf,
     strings_empty},
    {"strings-first-byte", "the string table does not start with a zero", gabi_strings, malformed, elf, strings_first},
    {"symbols-entsize-zero", "sh_entsize of the symbol table is 0", gabi, malformed, elf, entsize_zero},
    {"symbols-entsize-other", "sh_entsize of the symbol table is that of the other class", gabi, malformed, elf,
     entsize_other},
    {"symbols-size-remainder", "the symbol table ends within a symbol", gabi, malformed, elf, size_remainder},
    {"symbols-link-beyond", "the symbols' string table is beyond the last section", gabi, malformed, elf, link_beyond},
    {"symbols-link-itself", "the symbols' string table is the symbol table", gabi, malformed, elf, link_itself},
    {"symbols-two-tables", "two sections of type SHT_SYMTAB", gabi, malformed, elf, two_tables},
    {"coff-symbol-weak", "a weak external with a default", pe, valid, coffs, weak_undefined},
    {"coff-symbol-absolute", "an absolute symbol with all bits set", pe, valid, coffs, absolute},
    {"coff-symbol-common", "a common symbol of 8 bytes", pe, valid, coffs, common_small},
    {"coff-symbol-files", "two symbols for files", pe, valid, coffs, files},
    {"coff-symbols-100000", "100,000 external symbols", pe, valid, coffs, many, 100000, "{} external symbols"},
    {"coff-symbol-class", "a storage class that no one has defined", pe, tolerated, coffs, coff_class_unknown},
    {"coff-symbol-name-beyond", "a name beyond the string table", pe, malformed, coffs, coff_name_beyond},
    {"coff-symbol-aux-beyond", "more auxiliary records than records", pe, malformed, coffs, coff_aux_beyond},
    {"coff-strings-zero", "the string table's size is 0", pe, malformed, coffs, coff_strings_zero},
    {"coff-strings-three", "the string table's size is less than its own four bytes", pe, malformed, coffs,
     coff_strings_three},
    {"coff-strings-beyond", "the string table reaches beyond the file's end", pe, malformed, coffs,
     coff_strings_beyond},
    {"coff-strings-none", "the file ends behind the symbols, where the string table would be", pe, malformed, coffs,
     coff_strings_none},
    {"coff-weak-itself", "a weak external whose default is itself", pe, malformed, coffs, coff_weak_itself},
    {"coff-weak-beyond", "a weak external whose default is beyond the last symbol", pe, malformed, coffs,
     coff_weak_beyond},
    {"coff-weak-search", "a weak external with an unknown kind of search", pe, malformed, coffs, coff_weak_search},
};

}  // namespace

std::span<const Case> symbol_cases() { return cases; }

}  // namespace xas::corpus::objects
