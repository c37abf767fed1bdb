// SPDX-License-Identifier: Apache-2.0
// A good object that ends just before, within or just behind each of its structures. The section headers stand at the
// front, else every cut would only miss them; the cuts of the headers themselves are those of an object that has them
// last, as assemblers write it.
#include "asm/corpus/objects/sample.h"
#include "objwriter/elf_constants.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi = "gABI, Object Files: File Format";
constexpr std::string_view pe = "PE Format, COFF File Header, Section Table";

enum Where { before, within, behind };

/// An object with one of everything.
bool whole(Sample& s) {
  s.program();
  const auto function = s.o.section(s.is_coff() ? ".text$f" : ".text.f", object::code_section);
  s.o.integer(function, 0x909090c3, 4);
  const auto f = s.o.symbol("a_function_in_a_group");
  s.o.define(f, function, 0);
  s.o.add_to_group(s.o.group(f), function);
  s.o.pointer(s.data, f);
  s.constants(".rodata", "constants");
  return s.finish();
}

void cut_at(Sample& s, Image::Extent extent, Where where) {
  s.cut(where == before ? extent.offset : extent.offset + extent.size - (where == within ? 1 : 0));
}

template <Where W>
void file_header(Sample& s) {
  if (whole(s)) cut_at(s, {0, s.is_coff() ? (s.target.format == Format::coff ? 20u : 56u) : s.wide() ? 64u : 52u}, W);
}

/// The table of headers, or the first of them.
template <Where W, bool First>
void headers(Sample& s) {
  if (!whole(s)) return;
  const u64 size = s.is_coff() || !s.wide() ? 40 : 64;
  const u64 count = s.image.sections() - (s.is_coff() ? 1 : 0);
  cut_at(s, {s.image.section_headers(), First ? size : count * size}, W);
}

bool moved(Sample& s) {
  if (!whole(s)) return false;
  if (s.is_coff()) return true;
  s.image.headers_to_front();
  s.image.note("the section headers are moved to the front");
  return true;
}

void contents(Sample& s, std::string_view name, Where where) {
  if (moved(s)) cut_at(s, s.image.contents(s.image.section(name)), where);
}
template <Where W>
void text(Sample& s) {
  contents(s, ".text", W);
}
template <Where W>
void data(Sample& s) {
  contents(s, ".data", W);
}
template <Where W>
void group(Sample& s) {
  contents(s, ".group", W);
}
template <Where W>
void symbols(Sample& s) {
  if (moved(s)) cut_at(s, s.image.symbol_table(), W);
}
template <Where W>
void first_symbol(Sample& s) {
  if (!moved(s)) return;
  cut_at(s, {s.image.symbol_table().offset, s.image.symbol_table().size / s.image.symbols()}, W);
}
template <Where W>
void symbol_strings(Sample& s) {
  if (moved(s)) cut_at(s, s.image.string_table(), W);
}
template <Where W>
void section_strings(Sample& s) {
  contents(s, ".shstrtab", W);
}
template <Where W>
void relocations(Sample& s) {
  if (!moved(s)) return;
  const u64 section = s.relocations_of(".data");
  cut_at(s, s.is_coff() ? s.image.relocations_of(section) : s.image.contents(section), W);
}
void string_size(Sample& s) {
  if (moved(s)) cut_at(s, {s.image.string_table().offset, 4}, within);
}
void nothing(Sample& s) {
  if (whole(s)) s.cut(0);
}
void magic(Sample& s) {
  if (whole(s)) s.cut(s.is_coff() ? 2 : 4);
}
void identification(Sample& s) {
  if (whole(s)) s.cut(16);
}
void headers_first(Sample& s) { moved(s); }
void one_more(Sample& s) {
  if (whole(s)) s.cut(s.image.bytes().size() + 1);
}

using enum Verdict;
constexpr Case cases[] = {
    {"cut-nothing", "an empty file", gabi, malformed, all_formats, nothing},
    {"cut-magic", "the file ends behind its magic number", gabi, malformed, all_formats, magic},
    {"cut-identification", "the file ends behind e_ident", gabi, malformed, elf, identification},
    {"cut-header-within", "the file ends within its header", gabi, malformed, all_formats, file_header<within>},
    {"cut-header-behind", "the file ends behind its header", gabi, malformed, all_formats, file_header<behind>},
    {"cut-section-headers-before", "the file ends before the section headers", gabi, malformed, all_formats,
     headers<before, false>},
    {"cut-section-headers-within", "the file ends within the last section header", gabi, malformed, all_formats,
     headers<within, false>},
    {"cut-first-header-within", "the file ends within the first section header", gabi, malformed, all_formats,
     headers<within, true>},
    {"cut-first-header-behind", "the file ends behind the first section header", gabi, malformed, all_formats,
     headers<behind, true>},
    {"headers-first", "nothing is missing; the section headers stand before the contents", gabi, valid, elf,
     headers_first},
    {"byte-behind", "a byte behind everything", gabi, tolerated, all_formats, one_more},
    {"cut-text-before", "the file ends before the contents of .text", gabi, malformed, all_formats, text<before>},
    {"cut-text-within", "the file ends within the contents of .text", gabi, malformed, all_formats, text<within>},
    {"cut-text-behind", "the file ends behind the contents of .text", gabi, malformed, all_formats, text<behind>},
    {"cut-data-before", "the file ends before the contents of .data", gabi, malformed, all_formats, data<before>},
    {"cut-data-within", "the file ends within the contents of .data", gabi, malformed, all_formats, data<within>},
    {"cut-data-behind", "the file ends behind the contents of .data", gabi, malformed, all_formats, data<behind>},
    {"cut-group-before", "the file ends before a group", gabi, malformed, elf, group<before>},
    {"cut-group-within", "the file ends within a group", gabi, malformed, elf, group<within>},
    {"cut-group-behind", "the file ends behind a group", gabi, malformed, elf, group<behind>},
    {"cut-symbols-before", "the file ends before the symbols", gabi, malformed, all_formats, symbols<before>},
    {"cut-first-symbol-within", "the file ends within the first symbol", gabi, malformed, all_formats,
     first_symbol<within>},
    {"cut-first-symbol-behind", "the file ends behind the first symbol", gabi, malformed, all_formats,
     first_symbol<behind>},
    {"cut-symbols-within", "the file ends within the last symbol", gabi, malformed, all_formats, symbols<within>},
    {"cut-symbols-behind", "the file ends behind the symbols", gabi, malformed, elf, symbols<behind>},
    {"cut-strings-within", "the file ends within the names of the symbols", gabi, malformed, all_formats,
     symbol_strings<within>},
    {"cut-strings-behind", "the file ends behind the names of the symbols", gabi, malformed, elf,
     symbol_strings<behind>},
    {"cut-string-size", "the file ends within the string table's size", pe, malformed, coffs, string_size},
    {"cut-relocations-before", "the file ends before the relocations", gabi, malformed, all_formats,
     relocations<before>},
    {"cut-relocations-within", "the file ends within the relocations", gabi, malformed, all_formats,
     relocations<within>},
    {"cut-relocations-behind", "the file ends behind the relocations", gabi, malformed, all_formats,
     relocations<behind>},
    {"cut-section-names-before", "the file ends before the names of the sections", gabi, malformed, elf,
     section_strings<before>},
    {"cut-section-names-within", "the file ends within the names of the sections", gabi, malformed, elf,
     section_strings<within>},
};

}  // namespace

std::span<const Case> cut_cases() { return cases; }

}  // namespace xas::corpus::objects
