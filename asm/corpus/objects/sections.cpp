// SPDX-License-Identifier: Apache-2.0
// Sections: alignment, merging, order, contents, compression.
#include <zlib.h>

#include "asm/corpus/objects/sample.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi = "gABI, Section Header";
constexpr std::string_view gabi_align = "gABI, Section Header: sh_addralign";
constexpr std::string_view gabi_merge = "gABI, Section Attribute Flags: SHF_MERGE, SHF_STRINGS";
constexpr std::string_view gabi_order = "gABI, Section Attribute Flags: SHF_LINK_ORDER";
constexpr std::string_view gabi_compressed = "gABI, Compressed Sections";
constexpr std::string_view pe = "PE Format, Section Table";

/// A section of constants called .special.
bool special(Sample& s) {
  s.program();
  s.object("in_special", s.constants(".special"));
  return s.finish();
}

template <u64 Align>
void align(Sample& s) {
  if (!special(s)) return;
  s.set_section(".special", "sh_addralign", Align);
  s.fact_section(".special", "sh_addralign");
}

/// Set afterwards: the writer would begin the contents at byte 2^31 of the file.
void unloaded_align(Sample& s) {
  s.program();
  s.section(".special", SHT_PROGBITS, {});
  if (!s.finish()) return;
  s.set_section(".special", "sh_addralign", u64(1) << 31);
  s.fact_section(".special", "sh_addralign");
}

// Merging

bool merged(Sample& s, std::string_view contents, u64 flags, u64 entsize) {
  s.program();
  s.section(".special", SHT_PROGBITS, contents, SHF_ALLOC | SHF_MERGE | flags, 1, entsize);
  return s.finish();
}
constexpr std::string_view strings("one\0two\0one\0", 12);
void merge(Sample& s) {
  if (merged(s, "abcdefghabcd", 0, 4)) s.fact_section(".special", "sh_entsize");
}
void merge_strings(Sample& s) {
  if (merged(s, strings, SHF_STRINGS, 1)) s.fact_section(".special", "sh_entsize");
}
void merge_wide_strings(Sample& s) {
  constexpr std::string_view wide("a\0b\0\0\0a\0b\0\0\0", 12);
  if (merged(s, wide, SHF_STRINGS, 2)) s.fact_section(".special", "sh_entsize");
}
void merge_entsize_0(Sample& s) { merged(s, "abcdefgh", 0, 0); }
void strings_entsize_0(Sample& s) { merged(s, strings, SHF_STRINGS, 0); }
void merge_remainder(Sample& s) { merged(s, "abcdefghij", 0, 4); }
void strings_no_end(Sample& s) { merged(s, strings.substr(0, 11), SHF_STRINGS, 1); }
void wide_strings_no_end(Sample& s) { merged(s, std::string_view("a\0b\0c\0d", 7), SHF_STRINGS, 2); }
void merge_huge_entsize(Sample& s) {
  if (merged(s, "abcdefgh", 0, 4)) s.set_section(".special", "sh_entsize", s.wide() ? u64(1) << 63 : 0x80000000);
}
void merge_writable(Sample& s) { merged(s, "abcdefgh", SHF_WRITE, 4); }

// Order

bool ordered(Sample& s) {
  s.program();
  const auto a = s.constants(".order.a"), b = s.constants(".order.b");
  s.o.link_order(a, s.text);
  s.o.link_order(b, s.text);
  return s.finish();
}
void order(Sample& s) {
  if (ordered(s)) s.fact_section(".order.a", "sh_link");
}
void order_itself(Sample& s) {
  if (ordered(s)) s.set_section(".order.a", "sh_link", s.image.section(".order.a"));
}
void order_ring(Sample& s) {
  if (!ordered(s)) return;
  s.set_section(".order.a", "sh_link", s.image.section(".order.b"));
  s.set_section(".order.b", "sh_link", s.image.section(".order.a"));
}
void order_beyond(Sample& s) {
  if (ordered(s)) s.set_section(".order.a", "sh_link", 0x10000000);
}
void order_null(Sample& s) {
  if (ordered(s)) s.set_section(".order.a", "sh_link", 0);
}
void order_symbols(Sample& s) {
  if (ordered(s)) s.set_section(".order.a", "sh_link", s.image.section(".symtab"));
}

// Contents

void nobits(Sample& s, u64 size) {
  s.program();
  s.o.zeros(s.o.section(".special", object::zeros_section), 16);
  if (!s.finish()) return;
  s.set_section(".special", "sh_size", size);
  s.fact_section(".special", "sh_size");
}
void nobits_63(Sample& s) { nobits(s, s.wide() ? u64(1) << 63 : u64(1) << 31); }
void nobits_last(Sample& s) { nobits(s, s.wide() ? ~u64(0) : 0xffffffff); }
void nobits_outside(Sample& s) {
  s.program();
  s.o.zeros(s.o.section(".special", object::zeros_section), 16);
  if (s.finish()) s.set_section(".special", "sh_offset", 0xffffff00);
}
void overlapping(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_offset", s.image.contents(s.image.section(".text")).offset);
}
void over_headers(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_offset", 0);
}
void offset_outside(Sample& s) {
  if (special(s)) s.set_section(".special", s.is_coff() ? "PointerToRawData" : "sh_offset", 0xffffffff);
}
void size_beyond(Sample& s) {
  if (special(s)) s.set_section(".special", s.is_coff() ? "SizeOfRawData" : "sh_size", 0x7fffffff);
}
void end_wraps(Sample& s) {
  if (!special(s)) return;
  s.set_section(".special", s.is_coff() ? "SizeOfRawData" : "sh_size", s.wide() ? ~u64(0) - 15 : 0xfffffff0);
}
void name_empty(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_name", 0);
}
void name_beyond(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_name", 0x10000000);
}
void type_unknown(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_type", 0x12345);
}
void type_null(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_type", SHT_NULL);
}
void flags_all(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_flags", s.wide() ? ~u64(0) : 0xffffffff);
}
void flags_os(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_flags", SHF_ALLOC | SHF_OS_NONCONFORMING);
}
void address(Sample& s) {
  if (special(s)) s.set_section(".special", "sh_addr", 0x1000);
}
void null_header(Sample& s) {
  if (!special(s)) return;
  s.set("section[0].sh_type", SHT_PROGBITS);
  s.set("section[0].sh_offset", 1);
}
void shentsize(Sample& s) {
  if (special(s)) s.set("header.e_shentsize", s.wide() ? 40 : 64);
}
void shoff_outside(Sample& s) {
  if (special(s)) s.set("header.e_shoff", 0x10000000);
}
void shoff_odd(Sample& s) {
  if (special(s)) s.set("header.e_shoff", *s.image.get("header.e_shoff") + 1);
}
void same_name(Sample& s) {
  s.program();
  for (u64 i = 0; i < s.param; ++i) s.constants(".special");
  if (s.finish()) s.fact("sections .special", s.param);
}

// Compression. The streams are stored blocks, so that no version of zlib or zstd changes them.

constexpr std::string_view plain_text = "compressed section, compressed section, compressed section";

std::string zlib_stored(std::string_view text) {
  std::string out = "\x78\x01\x01";
  const auto size = u16(text.size());
  for (const u16 n : {size, u16(~size)}) append_int(out, n, 2);
  out += text;
  const u32 sum = u32(adler32(1, reinterpret_cast<const u8*>(text.data()), uInt(text.size())));
  append_int(out, sum, 4, true);
  return out;
}

std::string zstd_stored(std::string_view text) {
  std::string out = "\x28\xb5\x2f\xfd\x20";  // magic; single segment, a content size of one byte
  out += char(text.size());
  const u32 block = u32(text.size()) << 3 | 1;  // the last, raw
  append_int(out, block, 3);
  return out += text;
}

/// .debug_str with a compression header and `stream`.
bool compressed(Sample& s, u32 type, u64 size, std::string_view stream, u64 flags = 0) {
  s.program();
  const auto section = s.section(".debug_str", SHT_PROGBITS, {}, SHF_COMPRESSED | flags, s.wide() ? 8 : 4);
  const unsigned word = s.wide() ? 8 : 4;
  s.o.integer(section, type, word);  // ELF64: ch_reserved is the other half
  if (s.wide() && s.big_endian()) {
    const u8 type_first[8] = {0, 0, 0, u8(type)};
    s.o.patch(section, 0, type_first);
  }
  s.o.integer(section, size, word);
  s.o.integer(section, 1, word);
  s.o.append(section, stream);
  if (!s.finish()) return false;
  s.fact_section(".debug_str", "ch_type");
  s.fact_section(".debug_str", "ch_size");
  return true;
}
void zlib(Sample& s) { compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), zlib_stored(plain_text)); }
void zstd(Sample& s) { compressed(s, ELFCOMPRESS_ZSTD, plain_text.size(), zstd_stored(plain_text)); }
void compressed_empty(Sample& s) { compressed(s, ELFCOMPRESS_ZLIB, 0, zlib_stored({})); }
void compressed_small(Sample& s) { compressed(s, ELFCOMPRESS_ZLIB, plain_text.size() - 1, zlib_stored(plain_text)); }
void compressed_large(Sample& s) { compressed(s, ELFCOMPRESS_ZLIB, plain_text.size() + 1, zlib_stored(plain_text)); }
void compressed_huge(Sample& s) {
  compressed(s, ELFCOMPRESS_ZLIB, s.wide() ? u64(1) << 60 : 0xf0000000, zlib_stored(plain_text));
}
void compressed_cut(Sample& s) {
  compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), std::string_view(zlib_stored(plain_text)).substr(0, 20));
}
void compressed_bad_stream(Sample& s) { compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), plain_text); }
void zstd_bad_stream(Sample& s) { compressed(s, ELFCOMPRESS_ZSTD, plain_text.size(), plain_text); }
void compressed_checksum(Sample& s) {
  std::string stream = zlib_stored(plain_text);
  stream.back() = char(stream.back() ^ 1);
  compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), stream);
}
void compressed_header_cut(Sample& s) {
  if (compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), {}))
    s.set_section(".debug_str", "sh_size", s.wide() ? 23 : 11);
}
void compressed_no_bytes(Sample& s) {
  if (compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), {})) s.set_section(".debug_str", "sh_size", 0);
}
void compressed_type(Sample& s) { compressed(s, 77, plain_text.size(), plain_text); }
void compressed_alloc(Sample& s) {
  compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), zlib_stored(plain_text), SHF_ALLOC);
}
void compressed_align(Sample& s) {
  if (compressed(s, ELFCOMPRESS_ZLIB, plain_text.size(), zlib_stored(plain_text)))
    s.set_section(".debug_str", "ch_addralign", 3);
}
/// What is behind the header is a compressed section again, header and all.
void compressed_twice(Sample& s) {
  const unsigned word = s.wide() ? 8 : 4;
  std::string inner(3 * word, '\0');
  const auto put = [&](unsigned at, unsigned size, u64 value) {
    store_int(&inner[at], value, size, s.big_endian());
  };
  put(0, 4, ELFCOMPRESS_ZLIB);
  put(word, word, plain_text.size());
  put(2 * word, word, 1);
  inner += zlib_stored(plain_text);
  compressed(s, ELFCOMPRESS_ZLIB, inner.size(), zlib_stored(inner));
}
void zdebug(Sample& s) {
  s.program();
  std::string contents("ZLIB\0\0\0\0\0\0\0", 11);
  contents += char(plain_text.size());
  s.section(".zdebug_str", SHT_PROGBITS, contents + zlib_stored(plain_text));
  s.finish();
}

// COFF

void coff_align_all(Sample& s) {
  if (!special(s)) return;
  const u64 flags = *s.image.get(s.in_section(".special") + "Characteristics");
  s.set_section(".special", "Characteristics", flags | 0xf00000);
}
void coff_name_beyond(Sample& s) {
  s.program();
  s.constants(".a_long_section_name");
  if (s.finish()) s.set_section(".a_long_section_name", "Name", 0x393939393939392f);  // "/9999999"
}
void coff_name_not_a_number(Sample& s) {
  s.program();
  s.constants(".a_long_section_name");
  if (s.finish()) s.set_section(".a_long_section_name", "Name", 0x6f6f6f6f6f6f6f2f);  // "/ooooooo"
}
void coff_name_base64(Sample& s) {
  s.program();
  s.constants(".a_long_section_name");
  if (s.finish()) s.set_section(".a_long_section_name", "Name", 0x4541414141412f2f);  // "//AAAAAE": 4
}
void coff_optional_header(Sample& s) {
  if (special(s)) s.set("header.SizeOfOptionalHeader", 0xffff);
}
void coff_machine(Sample& s) {
  if (special(s)) s.set("header.Machine", 0x7777);
}
void coff_virtual_size(Sample& s) {
  if (!special(s)) return;
  s.set_section(".special", "VirtualSize", 0x1000);
  s.set_section(".special", "VirtualAddress", 0x1000);
}
void bigobj_version(Sample& s) {
  if (special(s)) s.set("header.Version", 0x7777);
}
void bigobj_class(Sample& s) {
  if (special(s)) s.set("header.ClassID[15]", 0);
}

using enum Verdict;
constexpr Case cases[] = {
    {"align-0", "sh_addralign is 0, which means the same as 1", gabi_align, valid, elf, align<0>},
    {"align-1", "sh_addralign is 1", gabi_align, valid, elf, align<1>},
    {"align-3", "sh_addralign is 3", gabi_align, malformed, elf, align<3>},
    {"align-2-31", "sh_addralign is 2^31, of an empty section that is not loaded", gabi_align, tolerated, elf,
     unloaded_align},
    {"align-2-63", "sh_addralign is 2^63", gabi_align, tolerated, elf64, align<u64(1) << 63>},
    {"merge", "equal entries that a linker may merge", gabi_merge, valid, elf, merge},
    {"merge-strings", "equal strings that a linker may merge", gabi_merge, valid, elf, merge_strings},
    {"merge-wide-strings", "equal strings of two-byte characters", gabi_merge, valid, elf, merge_wide_strings},
    {"merge-writable", "SHF_MERGE in a writable section", gabi_merge, tolerated, elf, merge_writable},
    {"merge-entsize-0", "SHF_MERGE and sh_entsize 0", gabi_merge, tolerated, elf, merge_entsize_0},
    {"strings-entsize-0", "SHF_MERGE, SHF_STRINGS and sh_entsize 0", gabi_merge, tolerated, elf, strings_entsize_0},
    {"merge-remainder", "SHF_MERGE, and a size that is no multiple of sh_entsize", gabi_merge, malformed, elf,
     merge_remainder},
    {"merge-entsize-huge", "SHF_MERGE, and sh_entsize with its top bit set", gabi_merge, malformed, elf,
     merge_huge_entsize},
    {"strings-no-end", "SHF_STRINGS, and the last string has no end", gabi_merge, malformed, elf, strings_no_end},
    {"wide-strings-no-end", "strings of two-byte characters, ended within one", gabi_merge, malformed, elf,
     wide_strings_no_end},
    {"link-order", "two sections in the order of .text", gabi_order, valid, elf, order},
    {"link-order-null", "SHF_LINK_ORDER, and sh_link is 0", gabi_order, tolerated, elf, order_null},
    {"link-order-itself", "a section in its own order", gabi_order, malformed, elf, order_itself},
    {"link-order-ring", "two sections, each in the order of the other", gabi_order, malformed, elf, order_ring},
    {"link-order-beyond", "a section in the order of one beyond the last", gabi_order, malformed, elf, order_beyond},
    {"link-order-symbols", "a section in the order of the symbol table", gabi_order, malformed, elf, order_symbols},
    {"nobits-half", "SHT_NOBITS of half the address space", gabi, tolerated, elf, nobits_63},
    {"nobits-all", "SHT_NOBITS of the whole address space but a byte", gabi, tolerated, elf, nobits_last},
    {"nobits-outside", "SHT_NOBITS whose sh_offset is beyond the file's end", gabi, valid, elf, nobits_outside},
    {"section-overlap", "two sections of the same bytes", gabi, malformed, elf, overlapping},
    {"section-over-header", "a section of the ELF header's bytes", gabi, malformed, elf, over_headers},
    {"section-outside", "a section's contents start beyond the file's end", gabi, malformed, all_formats,
     offset_outside},
    {"section-beyond", "a section's contents end beyond the file's end", gabi, malformed, all_formats, size_beyond},
    {"section-wraps", "the end of a section's contents wraps around", gabi, malformed, all_formats, end_wraps},
    {"section-name-empty", "a section without a name", gabi, tolerated, elf, name_empty},
    {"section-name-beyond", "a section's name beyond the string table", gabi, malformed, elf, name_beyond},
    {"section-same-name", "a thousand sections of one name", gabi, valid, elf, same_name, 1000,
     "{} sections of one name"},
    {"section-type-unknown", "a section of a type that no one has defined", gabi, tolerated, elf, type_unknown},
    {"section-type-null", "an inactive section header with contents and a symbol", gabi, tolerated, elf, type_null},
    {"section-flags-all", "a section with all flags", gabi, malformed, elf, flags_all},
    {"section-os-nonconforming", "SHF_OS_NONCONFORMING: who does not know the rules must not link it", gabi, tolerated,
     elf, flags_os},
    {"section-address", "a section with an address, in a relocatable file", gabi, tolerated, elf, address},
    {"null-header", "section header 0 is not empty", gabi, malformed, elf, null_header},
    {"shentsize", "e_shentsize is that of the other class", "gABI, ELF Header: e_shentsize", malformed, elf, shentsize},
    {"shoff-outside", "the section headers are beyond the file's end", "gABI, ELF Header: e_shoff", malformed, elf,
     shoff_outside},
    {"shoff-odd", "the section headers start one byte too late", "gABI, ELF Header: e_shoff", malformed, elf,
     shoff_odd},
    {"compressed-zlib", "a section compressed with zlib", gabi_compressed, valid, elf, zlib},
    {"compressed-zstd", "a section compressed with zstd", gabi_compressed, valid, elf, zstd},
    {"compressed-empty", "an empty section, compressed", gabi_compressed, tolerated, elf, compressed_empty},
    {"compressed-twice", "a compressed section that holds a compressed section", gabi_compressed, tolerated, elf,
     compressed_twice},
    {"compressed-zdebug", "compression as it was before the gABI had it: .zdebug_str", "GNU binutils, .zdebug_*",
     tolerated, elf, zdebug},
    {"compressed-size-small", "ch_size is one byte too small", gabi_compressed, malformed, elf, compressed_small},
    {"compressed-size-large", "ch_size is one byte too large", gabi_compressed, malformed, elf, compressed_large},
    {"compressed-size-huge", "ch_size of 2^60 (ELF32: 3.75 GB)", gabi_compressed, malformed, elf, compressed_huge},
    {"compressed-cut", "the compressed stream ends early", gabi_compressed, malformed, elf, compressed_cut},
    {"compressed-no-stream", "what follows the header is no zlib stream", gabi_compressed, malformed, elf,
     compressed_bad_stream},
    {"compressed-no-zstd", "what follows the header is no zstd frame", gabi_compressed, malformed, elf,
     zstd_bad_stream},
    {"compressed-checksum", "the zlib stream's checksum is wrong", gabi_compressed, malformed, elf,
     compressed_checksum},
    {"compressed-header-cut", "SHF_COMPRESSED, and a byte less than a header", gabi_compressed, malformed, elf,
     compressed_header_cut},
    {"compressed-no-header", "SHF_COMPRESSED in an empty section", gabi_compressed, malformed, elf,
     compressed_no_bytes},
    {"compressed-type-unknown", "ch_type is 77", gabi_compressed, malformed, elf, compressed_type},
    {"compressed-alloc", "SHF_COMPRESSED together with SHF_ALLOC", gabi_compressed, malformed, elf, compressed_alloc},
    {"compressed-align", "ch_addralign is 3", gabi_compressed, malformed, elf, compressed_align},
    {"coff-align-15", "an alignment of 2^14, which IMAGE_SCN_ALIGN_* does not have", pe, malformed, coffs,
     coff_align_all},
    {"coff-name-base64", "a section's name by base64, in a small string table", pe, tolerated, coffs, coff_name_base64},
    {"coff-name-beyond", "a section's name beyond the string table", pe, malformed, coffs, coff_name_beyond},
    {"coff-name-not-a-number", "a section's name is '/' and no number", pe, malformed, coffs, coff_name_not_a_number},
    {"coff-virtual-size", "VirtualSize and VirtualAddress in an object", pe, tolerated, coffs, coff_virtual_size},
    {"coff-optional-header", "an optional header beyond the file's end", "PE Format, COFF File Header", malformed, coff,
     coff_optional_header},
    {"coff-machine-unknown", "a machine that no one has", "PE Format, Machine Types", malformed, coff, coff_machine},
    {"bigobj-version", "a bigobj of version 0x7777", "winnt.h, ANON_OBJECT_HEADER_BIGOBJ", tolerated,
     bit(Format::bigobj), bigobj_version},
    {"bigobj-class", "a bigobj with another ClassID", "winnt.h, ANON_OBJECT_HEADER_BIGOBJ", malformed,
     bit(Format::bigobj), bigobj_class},
};

}  // namespace

std::span<const Case> section_cases() { return cases; }

}  // namespace xas::corpus::objects
