// SPDX-License-Identifier: Apache-2.0
// Relocation sections of ELF, CREL among them, and COFF's relocations.
#include "asm/corpus/objects/sample.h"
#include "objwriter/elf_constants.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi = "gABI, Relocation";
constexpr std::string_view crel_clause = "CREL (SHT_CREL, 0x40000014), as LLVM writes and lld reads it";
constexpr std::string_view pe = "PE Format, COFF Relocations";

bool plain(Sample& s) {
  s.program();
  return s.finish();
}

/// The relocation type of a pointer.
u32 pointer_type(const Sample& s) {
  if (s.target.machine == "aarch64") return 257;  // R_AARCH64_ABS64
  if (s.target.machine == "arm") return 2;        // R_ARM_ABS32
  return s.target.machine == "x32" ? 10 : 1;      // R_X86_64_32; R_X86_64_64, R_386_32
}

void many(Sample& s) {
  s.program();
  for (u64 i = 1; i < s.param; ++i) s.o.pointer(s.data, s.start, i64(s.random.below(4096)));
  if (!s.finish()) return;
  s.fact("relocations .data", s.param);
}

/// .data has relocations of the machine's form, and beside them a section of the other form, made by hand.
void both_forms(Sample& s) {
  s.program();
  const bool rela = s.wide() || s.target.machine == "x32";
  const std::string name = rela ? ".rel.data" : ".rela.data";
  const unsigned word = s.wide() ? 8 : 4;
  s.o.zeros(s.data, s.word_size());
  const auto other = s.section(name, SHT_PROGBITS, {}, 0, word, word * (rela ? 2 : 3));
  s.o.integer(other, s.word_size(), word);
  constexpr u64 start_symbol = 1;
  s.o.integer(other, s.wide() ? start_symbol << 32 | pointer_type(s) : start_symbol << 8 | pointer_type(s), word);
  if (!rela) s.o.zeros(other, word);
  if (!s.finish()) return;
  s.set_section(name, "sh_type", rela ? SHT_REL : SHT_RELA);
  s.set_section(name, "sh_flags", SHF_INFO_LINK);
  s.set_section(name, "sh_link", s.image.section(".symtab"));
  s.set_section(name, "sh_info", s.image.section(".data"));
}

void crel(Sample& s) {
  s.o.compact_relocations(true);
  s.program();
  for (u64 i = 1; i < s.param; ++i) s.o.pointer(s.data, s.start, i64(s.random.below(1 << 20)));
  if (!s.finish()) return;
  s.fact("relocations .data", s.param);
}

/// A relocation section of .data with these bytes.
void crel_bytes(Sample& s, std::string_view bytes, u64 relocations) {
  s.program();
  const auto fields = s.o.section(".fields", object::data_section);
  s.o.zeros(fields, 64);
  s.section(".crel.fields", SHT_PROGBITS, bytes, 0, 1, 1);
  if (!s.finish()) return;
  s.set_section(".crel.fields", "sh_type", SHT_CREL);
  s.set_section(".crel.fields", "sh_flags", SHF_INFO_LINK);
  s.set_section(".crel.fields", "sh_link", s.image.section(".symtab"));
  s.set_section(".crel.fields", "sh_info", s.image.section(".fields"));
  if (relocations) s.fact("relocations .fields", relocations);
}

/// Type `type` as the SLEB128 of a first relocation.
std::string sleb(i64 value) {
  std::string text;
  for (; value < -0x40 || value >= 0x40; value >>= 7) text += char(value | 0x80);
  return text += char(value & 0x7f);
}

/// Two pointers to _start: at 0 and at 8. `shift` is that of the header; with addends or without.
template <unsigned Shift, bool Addends>
void crel_header(Sample& s) {
  constexpr unsigned flag_bits = Addends ? 3 : 2;
  std::string bytes;
  bytes += char(2 << 3 | (Addends ? 4 : 0) | Shift);
  bytes += char(Addends ? 7 : 3);  // symbol, type, addend differ; offset 0
  bytes += sleb(1) + sleb(i64(pointer_type(s)));
  if (Addends) bytes += sleb(16);
  const unsigned delta = 8 >> Shift;
  bytes += char(delta << flag_bits);
  crel_bytes(s, bytes, 2);
}

/// At 32, then at 8: the distance wraps around.
void crel_backward(Sample& s) {
  std::string bytes;
  bytes += char(2 << 3 | 3);      // shift 3, no addends
  bytes += char(4 << 2 | 3);      // offset 32
  bytes += sleb(1) + sleb(i64(pointer_type(s)));
  // -24 >> 3 modulo the address size: its low five bits, then the rest as ULEB128.
  const u64 delta = s.wide() ? (~u64(0) - 23) >> 3 : u64(~u32(0) - 23) >> 3;
  bytes += char((delta & 31) << 2 | 0x80);
  for (u64 rest = delta >> 5; rest; rest >>= 7) bytes += char((rest & 0x7f) | (rest >> 7 ? 0x80 : 0));
  crel_bytes(s, bytes, 2);
}

void crel_long_leb(Sample& s) {
  std::string bytes = "\x88\x80\x80";  // one relocation, in four bytes
  bytes += '\0';
  bytes += char(3);
  bytes += sleb(1) + sleb(i64(pointer_type(s)));
  crel_bytes(s, bytes, 1);
}

template <std::size_t N>
void crel_wrong(Sample& s, const char (&bytes)[N]) {
  crel_bytes(s, std::string_view(bytes, N - 1), 0);
}
void crel_count(Sample& s) { crel_wrong(s, "\x80\x01\x03\x01\x01"); }                // 16 relocations, one is there
void crel_count_huge(Sample& s) { crel_wrong(s, "\xf8\xff\xff\xff\xff\xff\xff\xff\xff\x01\x03\x01\x01"); }
void crel_empty(Sample& s) { crel_wrong(s, ""); }
void crel_endless(Sample& s) { crel_wrong(s, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80"); }
void crel_left_over(Sample& s) { crel_wrong(s, "\x08\x03\x01\x01\xff\xff\xff"); }
void crel_symbol(Sample& s) { crel_wrong(s, "\x08\x03\xff\xff\xff\x00\x01"); }
void crel_none(Sample& s) { crel_bytes(s, std::string_view("\0", 1), 0); }

void offset_end(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, s.is_coff() ? "VirtualAddress" : "r_offset", s.word_size());
}
void offset_across(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, s.is_coff() ? "VirtualAddress" : "r_offset", s.word_size() - 1);
}
void offset_beyond(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, s.is_coff() ? "VirtualAddress" : "r_offset", 0x10000000);
}
void offset_last(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, "r_offset", s.wide() ? ~u64(0) : 0xffffffff);
}
void symbol_null(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, "r_sym", 0);
}
void symbol_beyond(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, s.is_coff() ? "SymbolTableIndex" : "r_sym", 0xfffff0);
}
void symbol_auxiliary(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, "SymbolTableIndex", s.image.symbol(".text") + 1);
}
void type_unknown(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, s.is_coff() ? "Type" : "r_type", s.is_coff() ? 0x7777 : 0xf7);
}
void type_none(Sample& s) {
  if (plain(s)) s.set_relocation(".data", 0, "r_type", 0);
}

void addends(Sample& s) {
  s.program();
  const i64 most = s.wide() ? INT64_MAX : INT32_MAX, least = s.wide() ? INT64_MIN : INT32_MIN;
  for (i64 addend : {most, least, i64(-1), i64(1)}) s.o.pointer(s.data, s.start, addend);
  if (!s.finish()) return;
  s.fact("relocations .data", 5);
}

void unsorted(Sample& s) {
  s.program();
  s.o.pointer(s.data, s.start);
  if (!s.finish()) return;
  s.set_relocation(".data", 0, s.is_coff() ? "VirtualAddress" : "r_offset", s.word_size());
  s.set_relocation(".data", 1, s.is_coff() ? "VirtualAddress" : "r_offset", 0);
}
void same_place(Sample& s) {
  s.program();
  s.o.pointer(s.data, s.start);
  if (s.finish()) s.set_relocation(".data", 1, s.is_coff() ? "VirtualAddress" : "r_offset", 0);
}

template <u64 Value>
void set_header(Sample& s, std::string_view field) {
  if (plain(s)) s.set(fmt::format("section[{}].{}", s.relocations_of(".data"), field), Value);
}
void info_null(Sample& s) { set_header<0>(s, "sh_info"); }
void info_beyond(Sample& s) { set_header<0x10000000>(s, "sh_info"); }
void link_null(Sample& s) { set_header<0>(s, "sh_link"); }
void link_beyond(Sample& s) { set_header<0x10000000>(s, "sh_link"); }
void entsize_zero(Sample& s) { set_header<0>(s, "sh_entsize"); }
void entsize_one(Sample& s) { set_header<1>(s, "sh_entsize"); }
void entsize_huge(Sample& s) { set_header<0x7fffffff>(s, "sh_entsize"); }
void size_remainder(Sample& s) { set_header<7>(s, "sh_size"); }
void info_itself(Sample& s) {
  if (!plain(s)) return;
  const u64 self = s.relocations_of(".data");
  s.set(fmt::format("section[{}].sh_info", self), self);
}
void link_not_symbols(Sample& s) {
  if (plain(s)) s.set(fmt::format("section[{}].sh_link", s.relocations_of(".data")), s.image.section(".text"));
}
void in_nobits(Sample& s) {
  if (plain(s)) s.set_section(".data", "sh_type", SHT_NOBITS);
}

void coff_outside(Sample& s) {
  if (plain(s)) s.set_section(".data", "PointerToRelocations", 0xfffffff0);
}
void coff_count(Sample& s) {
  if (plain(s)) s.set_section(".data", "NumberOfRelocations", 0xfffe);
}

using enum Verdict;
constexpr Case cases[] = {
    {"relocations-1000000", "a million relocations of one section", gabi, valid, elf, many, 1000000,
     "{} relocations of one section"},
    {"relocations-both-forms", "SHT_REL and SHT_RELA for one section", gabi, tolerated, elf, both_forms},
    {"relocation-addends", "the largest and smallest addends", gabi, valid, elf, addends},
    {"relocation-unsorted", "relocations that are not in the order of their places", gabi, valid, all_formats,
     unsorted},
    {"relocation-same-place", "two relocations of one field", gabi, tolerated, all_formats, same_place},
    {"relocation-symbol-null", "a relocation against symbol 0", gabi, valid, elf, symbol_null},
    {"relocation-none", "relocation type 0, which changes nothing", "psABI, relocation types", valid, elf, type_none},
    {"relocation-symbol-beyond", "a relocation against a symbol beyond the last", gabi, malformed, all_formats,
     symbol_beyond},
    {"relocation-type-unknown", "a relocation of a type that the machine does not have", "psABI, relocation types",
     malformed, all_formats, type_unknown},
    {"relocation-at-end", "a relocation just behind the section's last byte", gabi, malformed, all_formats, offset_end},
    {"relocation-across-end", "a field that reaches beyond the section's end", gabi, malformed, all_formats,
     offset_across},
    {"relocation-beyond", "a relocation far beyond the section's end", gabi, malformed, all_formats, offset_beyond},
    {"relocation-offset-last", "a relocation at the last address: the field's end wraps around", gabi, malformed, elf,
     offset_last},
    {"relocations-info-null", "sh_info of a relocation section is 0", gabi, malformed, elf, info_null},
    {"relocations-info-itself", "a relocation section for itself", gabi, malformed, elf, info_itself},
    {"relocations-info-beyond", "relocations for a section beyond the last", gabi, malformed, elf, info_beyond},
    {"relocations-link-null", "sh_link of a relocation section is 0", gabi, malformed, elf, link_null},
    {"relocations-link-beyond", "sh_link of a relocation section is beyond the last section", gabi, malformed, elf,
     link_beyond},
    {"relocations-link-not-symbols", "sh_link of a relocation section is .text", gabi, malformed, elf,
     link_not_symbols},
    {"relocations-entsize-zero", "sh_entsize of a relocation section is 0", gabi, malformed, elf, entsize_zero},
    {"relocations-entsize-one", "sh_entsize of a relocation section is 1", gabi, malformed, elf, entsize_one},
    {"relocations-entsize-huge", "sh_entsize of a relocation section is 2^31 - 1", gabi, malformed, elf, entsize_huge},
    {"relocations-size-remainder", "the size of a relocation section is no multiple of an entry's", gabi, malformed,
     elf, size_remainder},
    {"relocations-of-nobits", "relocations for a section without contents", gabi, malformed, elf, in_nobits},
    {"crel", "SHT_CREL, a thousand relocations", crel_clause, tolerated, elf, crel, 1000,
     "SHT_CREL, {} relocations"},
    {"crel-shift-0", "CREL, offsets not shifted, no addends", crel_clause, tolerated, elf, crel_header<0, false>},
    {"crel-shift-1", "CREL, offsets shifted by 1, no addends", crel_clause, tolerated, elf, crel_header<1, false>},
    {"crel-shift-2", "CREL, offsets shifted by 2, no addends", crel_clause, tolerated, elf, crel_header<2, false>},
    {"crel-shift-3", "CREL, offsets shifted by 3, no addends", crel_clause, tolerated, elf, crel_header<3, false>},
    {"crel-addends-shift-0", "CREL with addends, offsets not shifted", crel_clause, tolerated, elf,
     crel_header<0, true>},
    {"crel-addends-shift-1", "CREL with addends, offsets shifted by 1", crel_clause, tolerated, elf,
     crel_header<1, true>},
    {"crel-addends-shift-2", "CREL with addends, offsets shifted by 2", crel_clause, tolerated, elf,
     crel_header<2, true>},
    {"crel-addends-shift-3", "CREL with addends, offsets shifted by 3", crel_clause, tolerated, elf,
     crel_header<3, true>},
    {"crel-backward", "CREL whose second offset is before the first", crel_clause, tolerated, elf, crel_backward},
    {"crel-long-number", "CREL whose header is a ULEB128 longer than need be", crel_clause, tolerated, elf,
     crel_long_leb},
    {"crel-none", "CREL of no relocations", crel_clause, tolerated, elf, crel_none},
    {"crel-left-over", "CREL with bytes behind the last relocation", crel_clause, tolerated, elf, crel_left_over},
    {"crel-count", "CREL of 16 relocations, of which one is there", crel_clause, malformed, elf, crel_count},
    {"crel-count-huge", "CREL of 2^61 - 1 relocations", crel_clause, malformed, elf, crel_count_huge},
    {"crel-empty", "CREL without a header", crel_clause, malformed, elf, crel_empty},
    {"crel-endless-number", "CREL whose header is a ULEB128 that does not end", crel_clause, malformed, elf,
     crel_endless},
    {"crel-symbol-beyond", "CREL against a symbol beyond the last", crel_clause, malformed, elf, crel_symbol},
    {"coff-relocation-auxiliary", "a relocation against an auxiliary record", pe, malformed, coffs, symbol_auxiliary},
    {"coff-relocations-outside", "PointerToRelocations beyond the file's end", pe, malformed, coffs, coff_outside},
    {"coff-relocations-beyond", "NumberOfRelocations beyond the file's end", pe, malformed, coffs, coff_count},
};

}  // namespace

std::span<const Case> relocation_cases() { return cases; }

}  // namespace xas::corpus::objects
