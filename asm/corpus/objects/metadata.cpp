// SPDX-License-Identifier: Apache-2.0
// Metadata that compilers leave for tools and runtimes: LLVM's tables, frames, notes.
#include "asm/corpus/objects/sample.h"
#include "objwriter/elf_constants.h"
#include "objwriter/metadata/stack_map.h"
#include "xas/bitstream.hpp"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view pc_clause = "LLVM, PC Sections Metadata";
constexpr std::string_view stack_clause = "LLVM, Stack maps and patch points: Stack Map Format";
constexpr std::string_view bitcode_clause = "LLVM, Bitcode File Format";
constexpr std::string_view bb_clause = "LLVM Extensions, SHT_LLVM_BB_ADDR_MAP";
constexpr std::string_view cg_clause = "LLVM Extensions, SHT_LLVM_CALL_GRAPH_PROFILE, SHT_LLVM_CALL_GRAPH";
constexpr std::string_view llvm_clause = "LLVM Extensions";
constexpr std::string_view frame_clause = "LSB Core, Exception Frames";
constexpr std::string_view note_clause = "gABI, Note Section";

/// The relocation of a four-byte distance.
u32 relative_type(const Sample& s) {
  if (s.target.machine == "aarch64") return s.is_coff() ? 17 : 261;  // REL32, PREL32
  if (s.target.machine == "arm") return s.is_coff() ? 10 : 3;
  if (s.is_coff()) return s.target.machine == "i386" ? 20 : 4;
  return 2;  // R_X86_64_PC32, R_386_PC32
}
void relative(Sample& s, Builder::Section section, Builder::Symbol symbol) {
  const u64 at = s.o.size(section);
  s.o.integer(section, 0, 4);
  s.o.relocate(section, at, relative_type(s), symbol);
}

// PC tables

void pc_table(Sample& s, std::string_view behind) {
  s.program();
  const auto table = s.o.section("faults", object::data_section);
  relative(s, table, s.start);
  s.o.integer(table, 42, 4);
  s.o.append(table, behind);
  if (s.finish()) s.fact_section("faults", s.is_coff() ? "SizeOfRawData" : "sh_size");
}
void pc_plain(Sample& s) { pc_table(s, {}); }
void pc_cut(Sample& s) { pc_table(s, "xyz"); }

// Stack maps

/// One function, one large constant, two records; the second has live-outs.
bool stack_map(Sample& s) {
  s.program();
  using stack_map::Kind;
  stack_map::Encoder encoder;
  const u32 f = encoder.function(0, 24);
  encoder.record(f, 77, 2, {{Kind::reg, 8, 3, 0}, {Kind::indirect, 8, 7, 16}, encoder.constant(5)});
  encoder.record(f, 78, 3, {encoder.constant(i64(1) << 40)}, {{0, 8}, {3, 8}});
  const auto section = s.o.section(".llvm_stackmaps", object::data_section);
  const auto bytes = stack_map::encode(encoder.map(), s.big_endian());
  s.o.append(section, std::span(bytes));
  const bool high = s.word_size() == 4 && s.big_endian();
  const u32 pointer = s.target.machine == "aarch64" ? (s.is_coff() ? 14 : 257)
                      : s.target.machine == "arm"   ? (s.is_coff() ? 1 : 2)
                      : s.target.machine == "x32"   ? 10
                      : s.is_coff() && s.target.machine == "i386" ? 6
                                                                  : 1;
  s.o.relocate(section, stack_map::header_size + (high ? 4 : 0), pointer, s.start);
  return s.finish();
}
void stack_map_good(Sample& s) {
  if (!stack_map(s)) return;
  s.fact("stack map functions", 1);
  s.fact("stack map constants", 1);
  s.fact("stack map records", 2);
}
/// A field of the section is changed: "byte[0]".
void break_map(Sample& s, std::string_view field, u64 value) {
  if (stack_map(s)) s.set_section(".llvm_stackmaps", field, value);
}
// 16 bytes of header, 24 of the function, 8 of the constant; the first record has three locations, then 4 + 4 bytes.
void map_version_1(Sample& s) { break_map(s, "byte[0]", 1); }
void map_version_4(Sample& s) { break_map(s, "byte[0]", 4); }
void map_reserved(Sample& s) { break_map(s, "byte[1]", 1); }
void map_reserved_record(Sample& s) { break_map(s, "half[30]", 1); }
void map_kind_0(Sample& s) { break_map(s, "byte[64]", 0); }
void map_kind_6(Sample& s) { break_map(s, "byte[64]", 6); }
void map_size_0(Sample& s) { break_map(s, "half[33]", 0); }
void map_register_offset(Sample& s) { break_map(s, "word[18]", 8); }
void map_functions_huge(Sample& s) { break_map(s, "word[1]", 0xffffffff); }
void map_constants_huge(Sample& s) { break_map(s, "word[2]", 0xffffffff); }
void map_records_huge(Sample& s) { break_map(s, "word[3]", 0xffffffff); }
void map_record_fewer(Sample& s) { break_map(s, "word[3]", 1); }
void map_function_records(Sample& s) { break_map(s, s.big_endian() ? "word[9]" : "word[8]", 7); }
void map_offset_beyond(Sample& s) { break_map(s, "word[14]", 0x10000); }
void map_locations_huge(Sample& s) { break_map(s, "half[31]", 0xffff); }
void map_padding(Sample& s) { break_map(s, "byte[100]", 1); }
void map_cut(Sample& s) {
  if (stack_map(s)) s.set_section(".llvm_stackmaps", s.is_coff() ? "SizeOfRawData" : "sh_size", 100);
}
u64 second_record(const Sample& s) {  // where it starts in the section
  const auto contents = s.image.contents(s.image.section(".llvm_stackmaps"));
  return contents.size - 48;
}
void map_constant_beyond(Sample& s) {
  if (stack_map(s)) s.set_section(".llvm_stackmaps", fmt::format("word[{}]", (second_record(s) + 24) / 4), 9);
}
void map_live_out_order(Sample& s) {
  if (stack_map(s)) s.set_section(".llvm_stackmaps", fmt::format("half[{}]", (second_record(s) + 36) / 2), 9);
}
void map_live_out_size(Sample& s) {
  if (stack_map(s)) s.set_section(".llvm_stackmaps", fmt::format("byte[{}]", second_record(s) + 39), 0);
}

// Bitcode

/// An identification block and a module of version 2.
std::vector<u8> module_bytes() {
  static constexpr u8 magic[4] = {'B', 'C', 0xc0, 0xde};
  bitstream::Writer w(std::string_view(reinterpret_cast<const char*>(magic), sizeof magic));
  constexpr u64 IDENTIFICATION_BLOCK = 13, STRING = 1, EPOCH = 2, MODULE_BLOCK = 8, VERSION = 1, TRIPLE = 2;
  w.enter(IDENTIFICATION_BLOCK, 5);
  w.record(STRING, {'L', 'L', 'V', 'M'});
  w.record(EPOCH, {0});
  w.leave();
  w.enter(MODULE_BLOCK, 3);
  w.record(VERSION, {2});
  w.record(TRIPLE, {'x', '8', '6', '_', '6', '4'});
  w.leave();
  w.finish();
  return {w.bytes().begin(), w.bytes().end()};
}
bool bitcode(Sample& s, std::string_view name, u32 type, u64 flags, std::vector<u8> bytes) {
  s.program();
  const auto section = s.o.section(name, {.type = type, .flags = flags});
  s.o.append(section, std::span(bytes));
  return s.finish();
}
void bitcode_section(Sample& s) {
  if (bitcode(s, ".llvmbc", SHT_PROGBITS, 0, module_bytes())) s.fact("triple", "x86_64");
}
void fat_lto(Sample& s) {
  if (bitcode(s, ".llvm.lto", SHT_LLVM_LTO, SHF_EXCLUDE, module_bytes())) s.fact("triple", "x86_64");
}
void bitcode_cut(Sample& s) {
  auto bytes = module_bytes();
  bytes.resize(bytes.size() - 8);
  bitcode(s, ".llvmbc", SHT_PROGBITS, 0, std::move(bytes));
}
void bitcode_magic(Sample& s) { bitcode(s, ".llvmbc", SHT_PROGBITS, 0, {'B', 'C', 0xc0, 0xde}); }
void bitcode_block_size(Sample& s) {
  if (bitcode(s, ".llvmbc", SHT_PROGBITS, 0, module_bytes())) s.set_section(".llvmbc", "byte[8]", 0xff);
}
void bitcode_none(Sample& s) { bitcode(s, ".llvmbc", SHT_PROGBITS, 0, {'x', 'y', 'z', 'w'}); }

// Basic blocks' addresses

/// The map of _start, with two blocks, as `version` has it.
bool bb_map(Sample& s, unsigned version, unsigned features) {
  s.program();
  const auto map = s.o.section(".llvm_bb_addr_map", {.type = version ? SHT_LLVM_BB_ADDR_MAP : SHT_LLVM_BB_ADDR_MAP_V0,
                                                      .flags = SHF_LINK_ORDER});
  s.o.link_order(map, s.text);
  constexpr unsigned call_sites = 0x20, hashes = 0x40;
  if (version) s.o.integer(map, version, 1);
  if (version) s.o.integer(map, features, version >= 5 ? 2 : 1);
  s.o.pointer(map, s.start);
  s.uleb(map, 2);
  for (unsigned block = 0; block < 2; ++block) {
    if (version >= 2) s.uleb(map, block);
    s.uleb(map, version == 0 ? 2 * block : 0);  // v0: from the function's start; else from the block before
    if (features & call_sites) s.uleb(map, 0);
    s.uleb(map, 2);
    s.uleb(map, block);
    if (features & hashes) s.o.integer(map, 0x0123456789abcdef + block, 8);
  }
  if (!s.finish()) return false;
  if (version >= 2) s.fact("basic blocks", 2);  // LLVM 22 reads no older ones
  s.fact("version", version);
  return true;
}
template <unsigned Version, unsigned Features>
void bb(Sample& s) {
  bb_map(s, Version, Features);
}
void bb_version_beyond(Sample& s) { bb_map(s, 200, 0); }
void bb_features(Sample& s) { bb_map(s, 2, 0x80); }
void bb_cut(Sample& s) {
  if (!bb_map(s, 2, 0)) return;
  s.set_section(".llvm_bb_addr_map", "sh_size", *s.image.get(s.in_section(".llvm_bb_addr_map") + "sh_size") - 1);
}
void bb_blocks_huge(Sample& s) {
  if (bb_map(s, 2, 0)) s.set_section(".llvm_bb_addr_map", fmt::format("byte[{}]", 2 + s.word_size()), 0x7f);
}

// What else LLVM has

void call_graph_profile(Sample& s) {
  s.program();
  const auto section = s.o.section(".llvm.call-graph-profile",
                                   {.type = SHT_LLVM_CALL_GRAPH_PROFILE, .flags = SHF_EXCLUDE, .entsize = 8});
  s.o.link_to_symbols(section);
  s.o.integer(section, 1000, 8);
  s.o.relocate(section, 0, 0, s.start);
  s.o.relocate(section, 0, 0, s.start);
  s.finish();
}
void call_graph_profile_odd(Sample& s) {
  call_graph_profile(s);
  s.set_section(".llvm.call-graph-profile", "sh_size", 7);
}
void call_graph_profile_alone(Sample& s) {
  call_graph_profile(s);
  s.set("section[" + std::to_string(s.relocations_of(".llvm.call-graph-profile")) + "].sh_size", 8);
}
void call_graph(Sample& s) {
  s.program();
  const auto section = s.o.section(".llvm.callgraph", {.type = SHT_LLVM_CALL_GRAPH});
  s.o.link_order(section, s.text);
  s.o.integer(section, 0, 1);  // version
  s.o.integer(section, 7, 1);  // an indirect target; direct callees; indirect callees
  s.o.pointer(section, s.start);
  s.o.integer(section, 0x1122334455667788, 8);
  s.uleb(section, 1);
  s.o.pointer(section, s.start);
  s.uleb(section, 1);
  s.o.integer(section, 0x1122334455667788, 8);
  s.finish();
}
void call_graph_version(Sample& s) {
  call_graph(s);
  s.set_section(".llvm.callgraph", "byte[0]", 99);
}
void addrsig(Sample& s, std::string_view bytes) {
  s.program();
  const auto section = s.o.section(".llvm_addrsig", {.type = SHT_LLVM_ADDRSIG, .flags = SHF_EXCLUDE});
  s.o.link_to_symbols(section);
  s.o.append(section, bytes);
  s.finish();
}
void addrsig_good(Sample& s) { addrsig(s, "\x01"); }
void addrsig_beyond(Sample& s) { addrsig(s, "\xff\x7f"); }
void addrsig_cut(Sample& s) { addrsig(s, "\x01\x80"); }
void addrsig_link(Sample& s) {
  addrsig_good(s);
  s.set_section(".llvm_addrsig", "sh_link", s.image.section(".text"));
}
void libraries(Sample& s, std::string_view names) {
  s.program();
  s.section(".deplibs", SHT_LLVM_DEPENDENT_LIBRARIES, names, SHF_MERGE | SHF_STRINGS, 1, 1);
  s.finish();
}
void libraries_good(Sample& s) { libraries(s, std::string_view("m\0", 2)); }
void libraries_no_end(Sample& s) { libraries(s, "m"); }
void linker_options(Sample& s, std::string_view text) {
  s.program();
  s.section(".linker-options", SHT_LLVM_LINKER_OPTIONS, text, SHF_EXCLUDE);
  s.finish();
}
void options_good(Sample& s) { linker_options(s, std::string_view("key\0value\0", 10)); }
void options_odd(Sample& s) { linker_options(s, std::string_view("key\0", 4)); }
void options_no_end(Sample& s) { linker_options(s, "key"); }

/// One OpenMP image of eight bytes, of no triple.
bool offload(Sample& s) {
  s.program();
  const auto section = s.o.section(".llvm.offloading", {.type = SHT_LLVM_OFFLOADING, .flags = SHF_EXCLUDE, .align = 8});
  const auto put = [&](u64 value, unsigned size) {  // the container is little endian on every machine
    for (unsigned i = 0; i < size; ++i) s.o.integer(section, value >> (8 * i) & 0xff, 1);
  };
  constexpr u64 header = 32, entry = 40, image = 8;
  put(0xad10ff10, 4), put(1, 4), put(header + entry + image, 8), put(header, 8), put(entry, 8);
  put(1, 2), put(1, 2), put(0, 4);                                  // kinds of image and offloading, flags
  put(header + entry, 8), put(0, 8), put(header + entry, 8), put(image, 8);  // no strings; the image
  put(0x0011223344556677, 8);
  return s.finish();
}
void offloading(Sample& s) { offload(s); }
void offloading_size(Sample& s) {
  if (offload(s)) s.set_section(".llvm.offloading", "byte[15]", 0x7f);
}
void offloading_entry(Sample& s) {
  if (offload(s)) s.set_section(".llvm.offloading", "byte[23]", 0x7f);
}
void offloading_version(Sample& s) {
  if (offload(s)) s.set_section(".llvm.offloading", "byte[4]", 99);
}

// Frames

/// A CIE of 20 bytes with its length, an FDE for _start, and a terminator.
bool frames(Sample& s, u32 fde_length = 16) {
  s.program();
  const auto section = s.o.section(".eh_frame", {.flags = SHF_ALLOC, .align = s.wide() ? u64(8) : u64(4)});
  s.o.integer(section, 20, 4);
  s.o.integer(section, 0, 4);
  s.o.append(section, std::string_view("\x01zR\0\x01\x78\x10\x01\x1b", 9));  // distances of four bytes, signed
  s.o.append(section, std::string_view("\x0c\x07\x08\x90\x01\0\0", 7));
  s.o.integer(section, fde_length, 4);
  s.o.integer(section, 28, 4);
  relative(s, section, s.start);
  s.o.integer(section, 4, 4);
  s.o.zeros(section, 4);
  return s.finish();
}
void frame_good(Sample& s) {
  if (frames(s)) s.fact_section(".eh_frame", "sh_size");
}
void frame_length(Sample& s) { frames(s, 0x1000); }
void frame_long(Sample& s) { frames(s, 0xffffffff); }
void frame_pointer(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "word[7]", 0x1000);
}
void frame_pointer_odd(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "word[7]", 27);
}
void frame_no_cie(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "word[1]", 4);
}
void frame_version(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "byte[8]", 77);
}
void frame_augmentation(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "byte[10]", '?');
}
void frame_encoding(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "byte[16]", 0x7f);
}
void frame_terminated(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "word[0]", 0);
}
void frame_cut(Sample& s) {
  if (frames(s)) s.set_section(".eh_frame", "sh_size", 30);
}

// Notes

bool note(Sample& s, u64 align, u64 name_size, u64 size, u64 flags = 0) {
  s.program();
  const auto section = s.o.section(".note.special", {.type = SHT_NOTE, .flags = flags, .align = align});
  s.o.integer(section, name_size, 4);
  s.o.integer(section, size, 4);
  s.o.integer(section, 1, 4);
  s.o.append(section, std::string_view("xas\0descriptor\0\0", 16));
  return s.finish();
}
void note_good(Sample& s) {
  if (note(s, 4, 4, 10)) s.fact("note owner", "xas");
}
void note_align_1(Sample& s) { note(s, 1, 4, 10); }
void note_align_2(Sample& s) { note(s, 2, 4, 10); }
void note_align_8(Sample& s) { note(s, 8, 4, 8); }
void note_align_16(Sample& s) { note(s, 16, 4, 10); }
void note_name_beyond(Sample& s) { note(s, 4, 0x1000, 10); }
void note_size_beyond(Sample& s) { note(s, 4, 4, 0x1000); }
void note_size_wraps(Sample& s) { note(s, 4, 0xfffffffe, 0xfffffffe); }
void note_name_no_end(Sample& s) { note(s, 4, 3, 10); }
void note_cut(Sample& s) {
  if (note(s, 4, 4, 10)) s.set_section(".note.special", "sh_size", 11);
}
template <u32 Size>
void property(Sample& s) {
  s.program();
  const u64 align = s.wide() ? 8 : 4;
  const auto section = s.o.section(".note.gnu.property", {.type = SHT_NOTE, .flags = SHF_ALLOC, .align = align});
  for (const u64 value : {u64(4), s.wide() ? u64(16) : u64(12), u64(5)}) s.o.integer(section, value, 4);
  s.o.append(section, std::string_view("GNU\0", 4));
  const u32 features = s.target.machine == "aarch64" ? 0xc0000000 : 0xc0000002;
  for (const u32 value : {features, Size, u32(3)}) s.o.integer(section, value, 4);
  if (s.wide()) s.o.zeros(section, 4);
  s.finish();
}

using enum Verdict;
constexpr Case cases[] = {
    {"pc-table", "a table of one program counter and a constant", pc_clause, valid, all_formats, pc_plain},
    {"pc-table-cut", "a table with three bytes behind the last entry", pc_clause, tolerated, all_formats, pc_cut},
    {"stack-map", "a function, a constant, two records, live-outs", stack_clause, valid, all_formats, stack_map_good},
    {"stack-map-version-1", "version 1", stack_clause, malformed, all_formats, map_version_1},
    {"stack-map-version-4", "version 4", stack_clause, malformed, all_formats, map_version_4},
    {"stack-map-reserved", "a reserved byte of the header is 1", stack_clause, malformed, all_formats, map_reserved},
    {"stack-map-reserved-record", "a reserved field of a record is 1", stack_clause, malformed, all_formats,
     map_reserved_record},
    {"stack-map-kind-0", "a location of kind 0", stack_clause, malformed, all_formats, map_kind_0},
    {"stack-map-kind-6", "a location of kind 6", stack_clause, malformed, all_formats, map_kind_6},
    {"stack-map-size-0", "a location of no bytes", stack_clause, malformed, all_formats, map_size_0},
    {"stack-map-register-offset", "a register with an offset", stack_clause, malformed, all_formats,
     map_register_offset},
    {"stack-map-constant-beyond", "a constant beyond the last", stack_clause, malformed, all_formats,
     map_constant_beyond},
    {"stack-map-functions-huge", "2^32 - 1 functions", stack_clause, malformed, all_formats, map_functions_huge},
    {"stack-map-constants-huge", "2^32 - 1 constants", stack_clause, malformed, all_formats, map_constants_huge},
    {"stack-map-records-huge", "2^32 - 1 records", stack_clause, malformed, all_formats, map_records_huge},
    {"stack-map-records-fewer", "one record by the header, two by the function", stack_clause, malformed, all_formats,
     map_record_fewer},
    {"stack-map-function-records", "seven records by the function, two by the header", stack_clause, malformed,
     all_formats, map_function_records},
    {"stack-map-offset-beyond", "a record beyond its function's section", stack_clause, malformed, all_formats,
     map_offset_beyond},
    {"stack-map-locations-huge", "65,535 locations in a record of three", stack_clause, malformed, all_formats,
     map_locations_huge},
    {"stack-map-padding", "padding that is not zero", stack_clause, malformed, all_formats, map_padding},
    {"stack-map-live-out-order", "live-outs that are not in order", stack_clause, malformed, all_formats,
     map_live_out_order},
    {"stack-map-live-out-size", "a live-out of no bytes", stack_clause, malformed, all_formats, map_live_out_size},
    {"stack-map-cut", "the section ends within a record", stack_clause, malformed, all_formats, map_cut},
    {"bitcode", "a module in .llvmbc", bitcode_clause, valid, elf, bitcode_section},
    {"bitcode-fat-lto", "a module in .llvm.lto, beside code", bitcode_clause, valid, elf, fat_lto},
    {"bitcode-cut", "bitcode that ends early", bitcode_clause, malformed, elf, bitcode_cut},
    {"bitcode-magic", "bitcode of nothing but its magic number", bitcode_clause, malformed, elf, bitcode_magic},
    {"bitcode-block-size", "a block that is longer than the section", bitcode_clause, malformed, elf,
     bitcode_block_size},
    {"bitcode-none", ".llvmbc without bitcode", bitcode_clause, malformed, elf, bitcode_none},
    {"bb-addr-map-v0", "a map of two blocks, version 0", bb_clause, tolerated, elf, bb<0, 0>},
    {"bb-addr-map-v1", "a map of two blocks, version 1", bb_clause, tolerated, elf, bb<1, 0>},
    {"bb-addr-map-v2", "a map of two blocks, version 2", bb_clause, valid, elf, bb<2, 0>},
    {"bb-addr-map-v3", "a map of two blocks with call sites, version 3", bb_clause, valid, elf, bb<3, 0x20>},
    {"bb-addr-map-v4", "a map of two blocks with hashes, version 4", bb_clause, valid, elf, bb<4, 0x60>},
    {"bb-addr-map-v5", "a map of two blocks with hashes, version 5", bb_clause, valid, elf, bb<5, 0x60>},
    {"bb-addr-map-v200", "a map of a version that no one knows", bb_clause, malformed, elf, bb_version_beyond},
    {"bb-addr-map-features", "a feature that version 2 does not have", bb_clause, malformed, elf, bb_features},
    {"bb-addr-map-cut", "a map that ends within a block", bb_clause, malformed, elf, bb_cut},
    {"bb-addr-map-blocks", "127 blocks by their number, two in the section", bb_clause, malformed, elf,
     bb_blocks_huge},
    {"call-graph-profile", "a call graph profile of one edge", cg_clause, valid, elf, call_graph_profile},
    {"call-graph-profile-odd", "a call graph profile of seven bytes", cg_clause, malformed, elf,
     call_graph_profile_odd},
    {"call-graph-profile-alone", "an edge of one end", cg_clause, malformed, elf64, call_graph_profile_alone},
    {"call-graph", "a call graph of a function that calls itself", cg_clause, valid, elf, call_graph},
    {"call-graph-version", "a call graph of version 99", cg_clause, malformed, elf, call_graph_version},
    {"addrsig", "an address-significance table", llvm_clause, valid, elf, addrsig_good},
    {"addrsig-beyond", "an address-significant symbol beyond the last", llvm_clause, malformed, elf, addrsig_beyond},
    {"addrsig-cut", "an address-significance table that ends within a number", llvm_clause, malformed, elf,
     addrsig_cut},
    {"addrsig-link", "an address-significance table linked to .text", llvm_clause, tolerated, elf, addrsig_link},
    {"dependent-libraries", "a dependent library", llvm_clause, valid, elf, libraries_good},
    {"dependent-libraries-no-end", "a dependent library whose name has no end", llvm_clause, malformed, elf,
     libraries_no_end},
    {"linker-options", "a linker option", llvm_clause, valid, elf, options_good},
    {"linker-options-odd", "a linker option without a value", llvm_clause, malformed, elf, options_odd},
    {"linker-options-no-end", "a linker option that has no end", llvm_clause, malformed, elf, options_no_end},
    {"offloading", "an image for an accelerator", llvm_clause, valid, elf, offloading},
    {"offloading-size", "an image for an accelerator of 2^62 bytes", llvm_clause, malformed, elf, offloading_size},
    {"offloading-entry", "an offloading entry beyond the section", llvm_clause, malformed, elf, offloading_entry},
    {"offloading-version", "offloading of version 99", llvm_clause, malformed, elf, offloading_version},
    {"eh-frame", "a CIE and an FDE", frame_clause, valid, elf, frame_good},
    {"eh-frame-terminator", "a terminator first, and frames behind it", frame_clause, tolerated, elf,
     frame_terminated},
    {"eh-frame-length", "an FDE longer than the section", frame_clause, malformed, elf, frame_length},
    {"eh-frame-length-64", "an FDE of a 64-bit length, which is not there", frame_clause, malformed, elf, frame_long},
    {"eh-frame-pointer", "an FDE whose CIE is before the section", frame_clause, malformed, elf, frame_pointer},
    {"eh-frame-pointer-odd", "an FDE whose CIE is within another", frame_clause, malformed, elf, frame_pointer_odd},
    {"eh-frame-no-cie", "only FDEs", frame_clause, malformed, elf, frame_no_cie},
    {"eh-frame-version", "a CIE of version 77", frame_clause, malformed, elf, frame_version},
    {"eh-frame-augmentation", "a CIE with an unknown augmentation", frame_clause, malformed, elf, frame_augmentation},
    {"eh-frame-encoding", "a CIE with an unknown pointer encoding", frame_clause, malformed, elf, frame_encoding},
    {"eh-frame-cut", "the section ends within the FDE", frame_clause, malformed, elf, frame_cut},
    {"note", "a note of an unknown owner", note_clause, valid, elf, note_good},
    {"note-align-1", "notes aligned to 1 byte", note_clause, tolerated, elf, note_align_1},
    {"note-align-2", "notes aligned to 2 bytes", note_clause, tolerated, elf, note_align_2},
    {"note-align-8", "notes aligned to 8 bytes", note_clause, tolerated, elf, note_align_8},
    {"note-align-16", "notes aligned to 16 bytes", note_clause, tolerated, elf, note_align_16},
    {"note-name-no-end", "a note whose owner has no zero behind it", note_clause, tolerated, elf, note_name_no_end},
    {"note-name-beyond", "a note whose owner's name reaches beyond the section", note_clause, malformed, elf,
     note_name_beyond},
    {"note-size-beyond", "a note that reaches beyond the section", note_clause, malformed, elf, note_size_beyond},
    {"note-size-wraps", "a note whose sizes wrap around", note_clause, malformed, elf, note_size_wraps},
    {"note-cut", "the section ends within a note's header", note_clause, malformed, elf, note_cut},
    {"property-size", "a GNU property of 2^28 bytes", "Linux Extensions to gABI, .note.gnu.property", malformed,
     elf64 | bit(Format::elf32le), property<0x10000000>},
    {"property", "a GNU property", "Linux Extensions to gABI, .note.gnu.property", valid,
     elf64 | bit(Format::elf32le), property<4>},
};

}  // namespace

std::span<const Case> metadata_cases() { return cases; }

}  // namespace xas::corpus::objects
