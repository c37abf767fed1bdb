// SPDX-License-Identifier: Apache-2.0
// objwriter/metadata: bytes of PC sections and stack maps, and what is refused; bitstreams, their text and their
// errors.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

#include "objwriter/metadata/bitstream_text.h"
#include "objwriter/metadata/dwarf_registers.h"
#include "objwriter/metadata/pc_section.h"
#include "objwriter/metadata/stack_map.h"
#include "targets/target.h"
#include "tests/metadata/assemble_stream.h"
#include "xas/stackmap.h"

using namespace xas;

namespace {

std::string hex(std::span<const u8> bytes) { return fmt::format("{:02x}", fmt::join(bytes, " ")); }

std::string constant(i64 value, unsigned bits, bool compress, bool big_endian = false) {
  std::vector<u8> out;
  pc_section::encode_constant(out, {u64(value), value < 0 ? ~u64(0) : 0, bits}, compress, big_endian);
  return hex(out);
}

/// The error of a text, or an empty one.
std::string text_error(std::string_view text) {
  std::vector<u8> bytes;
  bitstream::TextError error;
  if (bitstream::assemble_text(text, bytes, error)) return {};
  return fmt::format("{}: {}", error.line, error.message);
}

/// The error of a text of one block with the abbreviation id width 3.
std::string block_error(std::string_view body) {
  return text_error(fmt::format(".bs_begin \"BC\\300\\336\"; .bs_block 8, 3; {}; .bs_end_block; .bs_end", body));
}

/// The bytes of a text, printed and assembled again: they must be the same.
std::vector<u8> round_trip(std::string_view text) {
  std::vector<u8> bytes, again;
  bitstream::TextError error;
  REQUIRE_MESSAGE(bitstream::assemble_text(text, bytes, error), error.line << ": " << error.message);
  std::string printed;
  bitstream::Error wrong;
  REQUIRE_MESSAGE(bitstream::print_file(
                      bytes, [&](std::string_view part) { printed += part; }, wrong),
                  wrong.bit << ": " << wrong.message);
  REQUIRE_MESSAGE(bitstream::assemble_text(printed, again, error), error.line << ": " << error.message << "\n"
                                                                              << printed);
  CHECK(hex(again) == hex(bytes));
  return bytes;
}

std::string read_error(std::string_view text) {
  std::vector<u8> bytes;
  bitstream::TextError error;
  REQUIRE_MESSAGE(bitstream::assemble_text(text, bytes, error), error.line << ": " << error.message);
  bitstream::Error wrong;
  if (bitstream::print_file(
          bytes, [](std::string_view) {}, wrong))
    return {};
  return fmt::format("bit {}: {}", wrong.bit, wrong.message);
}

}  // namespace

TEST_CASE("PC sections: constants as llc writes them") {
  CHECK(constant(3, 8, false) == "03");
  CHECK(constant(-3, 12, false) == "fd 0f");
  CHECK(constant(-1, 24, false) == "ff ff ff 00");
  CHECK(constant(0x123456, 24, false, true) == "00 12 34 56");
  CHECK(constant(1, 48, false) == "01 00 00 00 00 00 00 00");
  CHECK(constant(-2, 128, false) == "fe ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff");
  CHECK(constant(-1, 16, true) == "ff ff 03");
  CHECK(constant(5, 8, true) == "05");
  CHECK(constant(200, 8, true) == "c8");  // a byte is never compressed
  CHECK(constant(300, 64, true) == "ac 02");
  std::vector<u8> out;
  pc_section::encode_range_size(out, 34, false, true);
  pc_section::encode_range_size(out, 300, true, true);
  CHECK(hex(out) == "00 00 00 22 ac 02");
  CHECK(pc_section::misfit(255, 8).empty());
  CHECK(pc_section::misfit(-128, 8).empty());
  CHECK(!pc_section::misfit(-129, 8).empty());
  CHECK(!pc_section::misfit(256, 8).empty());
  CHECK(pc_section::misfit(-1, 1).empty());
}

TEST_CASE("PC sections: names and schemas") {
  pc_section::Name name;
  std::string error;
  REQUIRE(pc_section::parse_name("s!C", name, error));
  CHECK(name.section == "s");
  CHECK(name.compress);
  CHECK(!pc_section::parse_name("s!X", name, error));
  CHECK(error == "unknown option 'X' in \"s!X\" (known: C)");
  CHECK(!pc_section::parse_name("!C", name, error));
  CHECK(error == "a PC section has a name");
  pc_section::Schema schema;
  REQUIRE(pc_section::parse_schema("t=pc8,range,u,i16,ptr", schema, error));
  CHECK(schema.pc_size == 8);
  CHECK(schema.fields.size() == 4);
  CHECK(!pc_section::parse_schema("t=i24", schema, error));
  CHECK(!pc_section::parse_schema("t", schema, error));
  CHECK(error == "'t' is not NAME=FIELD,...");
  CHECK(pc_section::built_in_schema("sanmd_covered2"));
  CHECK(pc_section::built_in_schema("sanmd_atomics65538")->pc_size == 8);
  CHECK(!pc_section::built_in_schema("sanmd_covered"));
  CHECK(!pc_section::built_in_schema("sanmd_covered3"));

  const u8 table[] = {0xfe, 0xff, 0xff, 0xff, 0x22, 0x07, 0x90, 0x01, 0x80};
  pc_section::Entry entry;
  read::Error wrong;
  REQUIRE(
      pc_section::decode_entry(table, 0, *pc_section::built_in_schema("sanmd_covered2"), 4, 8, false, entry, wrong));
  CHECK(entry.distance == -2);
  CHECK(*entry.size == 0x22);
  REQUIRE(entry.constants.size() == 2);
  CHECK(entry.constants[1].low == 144);
  CHECK(entry.end == 8);
  CHECK(!pc_section::decode_entry(table, 4, *pc_section::built_in_schema("sanmd_covered2"), 4, 8, false, entry, wrong));
  CHECK(wrong.offset == 4);
  CHECK(wrong.message == "the entry does not end: the table has 9 bytes");
}

TEST_CASE("stack maps: what is encoded is what is decoded") {
  using namespace stack_map;
  for (bool big_endian : {false, true}) {
    Encoder encoder;
    const u32 unused = encoder.function(0, 8), g = encoder.function(0x2000, dynamic_size),
              f = encoder.function(0x1000, 40);
    static_cast<void>(unused);
    CHECK(encoder.empty());
    CHECK(encoder.record(f, 77, 15,
                         {{Kind::reg, 8, 3, 0},
                          encoder.constant(5),
                          encoder.constant(0x100000000),
                          encoder.constant(0xffffffff),
                          encoder.constant(0x100000000),
                          encoder.constant(-1)}));
    CHECK(encoder.record(g, ~u64(0), 0, {}, {{7, 8}, {0, 2}, {7, 16}}));
    CHECK(encoder.record(f, 78, 20, {{Kind::indirect, 8, 7, -24}, encoder.pooled_constant(1)}));
    CHECK(!encoder.record(f, 1, 0, std::vector<Location>(65536)));
    const Map made = encoder.map();
    CHECK(made.constants == std::vector<u64>{0x100000000, 0xffffffff, 1});
    const auto bytes = encode(made, big_endian);
    Map map;
    std::vector<Problem> problems;
    read::Error error;
    REQUIRE_MESSAGE(decode(bytes, 0, big_endian, map, problems, error), error.message);
    CHECK(problems.empty());
    CHECK(map.end == bytes.size());
    REQUIRE(map.functions.size() == 2);
    CHECK(map.functions[0].address == 0x1000);
    CHECK(map.functions[0].records == 2);
    CHECK(map.functions[1].stack_size == dynamic_size);
    REQUIRE(map.records.size() == 3);
    CHECK(map.records[1].id == 78);
    CHECK(map.records[1].locations[0].offset == -24);
    CHECK(map.records[2].id == ~u64(0));
    REQUIRE(map.records[2].live_outs.size() == 2);
    CHECK(map.records[2].live_outs[1].size == 16);
    CHECK(hex(encode(map, big_endian)) == hex(bytes));
  }
}

TEST_CASE("stack maps: what is wrong with one") {
  using namespace stack_map;
  Encoder encoder;
  const u32 f = encoder.function(0x1000, 40);
  encoder.record(f, 1, 15, {{Kind::reg, 8, 3, 0}, encoder.constant(0x100000000)}, {{3, 8}, {7, 8}});
  const auto good = encode(encoder.map(), false);
  constexpr std::size_t record = 16 + 24 + 8, locations = record + 16, live_outs = locations + 24 + 4;
  struct Case {
    std::size_t at;
    u8 value;
    const char* message;  ///< begins with '!' if the map cannot be read
  };
  const Case cases[] = {
      {0, 2, "!a stack map of version 2, which LLVM has not written since 2017"},
      {0, 4, "!a stack map of version 4; only 3 is known"},
      {1, 7, "a reserved field of the header is 0x7, not 0"},
      {3, 1, "a reserved field of the header is 0x100, not 0"},
      {12, 9, "!1 functions, 1 constants and 9 records do not fit in the 88 bytes that follow"},
      {7, 0xff, "!4278190081 functions, 1 constants and 1 records do not fit in the 88 bytes that follow"},
      {32, 2, "the functions have 2 records together, the map 1"},
      {record + 12, 1, "a reserved field of a record is 0x1, not 0"},
      {record + 15, 1, "!record 1 has 258 locations, 40 bytes are left"},
      {locations, 6, "a location of record 1 is of kind 6; it is 1 to 5"},
      {locations + 1, 1, "a reserved field of a location is 0x1, not 0"},
      {locations + 2, 0, "a location of record 1 has size 0"},
      {locations + 6, 9, "a reserved field of a location is 0x9, not 0"},
      {locations + 12 + 8, 1, "a location of record 1 is constant 1, of 1"},
      {live_outs, 9, "the live-outs of record 1 are not in order: 7 behind 9"},
      {live_outs + 2, 1, "a reserved field of a live-out is 0x1, not 0"},
      {live_outs + 3, 0, "a live-out of record 1 has size 0"},
      {live_outs + 8, 1, "the padding behind the live-outs is not zero"},
      {live_outs - 1, 1, "!record 1 has 258 live-outs, 12 bytes are left"},
  };
  for (const Case& c : cases) {
    auto bytes = good;
    bytes[c.at] = c.value;
    Map map;
    std::vector<Problem> problems;
    read::Error error;
    const bool whole = decode(bytes, 0, false, map, problems, error);
    CAPTURE(c.message);
    CHECK(whole == (c.message[0] != '!'));
    if (!whole)
      CHECK(error.message == c.message + 1);
    else if (problems.empty())
      FAIL_CHECK("nothing was found");
    else
      CHECK(problems[0].message == c.message);
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<u8> cut(good.begin(), good.begin() + i64(size));
    Map map;
    std::vector<Problem> problems;
    read::Error error;
    CHECK(!decode(cut, 0, false, map, problems, error));
  }
  auto two = good;
  two.insert(two.end(), good.begin(), good.end());
  two.resize(two.size() + 8);
  std::vector<Map> maps;
  std::vector<Problem> problems;
  read::Error error;
  CHECK(decode_all(two, false, maps, problems, error));
  CHECK(maps.size() == 2);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message == "8 bytes are left over");
}

TEST_CASE("stack maps: a value in a register is its low bytes") {
  uintptr_t values[2] = {0, uintptr_t(0x11223344'55667788)};
  const xas_stackmap_registers registers = {values, 2};
  struct xas_stackmap_location location = {XAS_STACKMAP_REGISTER, 0, 1, 0, 0};
  uint64_t value;
  for (const unsigned size : {1u, 2u, 4u}) {
    location.size = size;
    CHECK(xas_stackmap_slot(&location, &registers, &value) != nullptr);
    CHECK(value == (values[1] & ((uint64_t(1) << 8 * size) - 1)));
  }
  location.size = 2 * sizeof(uintptr_t);
  CHECK(xas_stackmap_slot(&location, &registers, &value) == nullptr);
  CHECK(value == 0);
  location = {.kind = XAS_STACKMAP_REGISTER, .size = 8, .dwarf = 2, .offset = 0, .value = 0};
  CHECK(xas_stackmap_slot(&location, &registers, &value) == nullptr);
}

TEST_CASE("DWARF registers: the names are those that the targets take for the number") {
  struct Machine {
    dwarf::Machine machine;
    xas::Machine target;
    unsigned bits;
  };
  const Machine machines[] = {{dwarf::Machine::x86_64, xas::Machine::x86, 64},
                              {dwarf::Machine::i386, xas::Machine::x86, 32},
                              {dwarf::Machine::aarch64, xas::Machine::aarch64, 64},
                              {dwarf::Machine::arm, xas::Machine::arm, 32}};
  for (const Machine& machine : machines) {
    TargetOptions options;
    options.machine = machine.target;
    options.bits = machine.bits;
    OptionProblems problems;
    const auto target = make_target(options, problems);
    for (unsigned i = 0; i < 300; ++i) {
      const dwarf::Register found = dwarf::register_of(machine.machine, i);
      if (found.name.empty()) continue;
      const char* p = found.name.c_str();
      CAPTURE(found.name);
      CHECK(target->dwarf_register(p) == int(i));
      CHECK(*p == '\0');
    }
  }
}

TEST_CASE("DWARF registers: x86's that stack maps may name have names and sizes") {
  TargetOptions options;
  options.machine = xas::Machine::x86;
  for (const auto& [machine, bits] : {std::pair{dwarf::Machine::x86_64, 64u}, {dwarf::Machine::i386, 32u}}) {
    options.bits = bits;
    OptionProblems problems;
    const auto target = make_target(options, problems);
    for (const char* name : {"%r9", "%r16", "%r31", "%cs", "%gs", "%fs.base", "%rflags", "%eflags", "%eip", "%rip",
                             "%bnd0", "%bnd3", "%mxcsr", "%fcw", "%tr", "%ldtr", "%xmm7", "%xmm16", "%k1", "%st(1)"}) {
      const char* p = name;
      Target::StackMapRegister reg;
      if (!target->stack_map_register(p, reg) || *p != '\0' || reg.dwarf < 0) continue;
      CAPTURE(name);
      const dwarf::Register found = dwarf::register_of(machine, unsigned(reg.dwarf));
      CHECK(found.name == name);
      CHECK(found.size == reg.size);
    }
  }
}

TEST_CASE("bitstreams: a module by hand") {
  const auto bytes = round_trip(R"(
        .bs_begin "BC\xc0\xde"
        .bs_block 13, 5          # IDENTIFICATION
          .bs_abbrev 1, array(char6)
          .bs_record_as 4, 1, "LLVM22.1.8"
          .bs_record 2, 0        # EPOCH
        .bs_end_block
        .bs_block 8, 3                           # MODULE
          .bs_record 1, 2                        # VERSION
          .bs_record 2, "x86_64-unknown-linux-gnu"   # TRIPLE
        .bs_end_block
        .bs_block 23, 3; .bs_abbrev 1, blob; .bs_record_as 4, 1, ""; .bs_end_block   # STRTAB
        .bs_end
)");
  CHECK(bytes.size() == 96);
}

TEST_CASE("bitstreams: everything that a stream can have comes back") {
  round_trip(R"(.bs_begin "TEST"
    .bs_block 0, 2; .bs_record 1, 9; .bs_abbrev 5, fixed(0), vbr(0), fixed(32), vbr(32), char6, blob
      .bs_record 2, "NAMED"; .bs_record 3, 5, "RECORD"; .bs_record 1, 10; .bs_abbrev fixed(3), array(7); .bs_end_block
    .bs_block 9, 5; .bs_record_as 4, 5, 0, 0, 0xffffffff, -1, "_", "\0\377\"\\bytes"
      .bs_abbrev vbr(6), array(vbr(2)); .bs_record_as 5, 77, 1, 2, 3, 0xffffffffffffffff
      .bs_abbrev 1, array, fixed(3), blob, unusable
      .bs_block 10, 32; .bs_record_as 4, 2, 7, 7, 7; .bs_end_block
      .bs_end_block
    .bs_block 9, 5, words=7; .bs_end_block
    .bs_block 0xffffffff, 2; .bs_record 0; .bs_end_block
    .bs_end
    .zero 4
    .bs_begin "TEST"; .bs_end
    .byte 1, 2, 3)");
  // A wrapper, with bytes on both sides of its stream.
  round_trip(R"(.long 0x0b17c0de, 0, 24, 16, 7; .byte 1, 2, 3, 4
    .bs_begin "BC\300\336"; .bs_block 8, 3; .bs_end_block; .bs_end; .byte 0, 0, 0, 9)");
}

TEST_CASE("bitstreams: what no writer of LLVM's would write is kept as bits") {
  // A vbr6 of 1 in two chunks; padding that is not zero behind a block's end; the same in BLOCKINFO and in the header.
  round_trip(R"(.bs_begin "TEST"; .bs_block 8, 3; .bs_bits 0x3, 3; .bs_bits 0x21, 6; .bs_bits 0, 6; .bs_bits 0, 6
    .bs_record 1, 2; .bs_end_block; .bs_end)");
  round_trip(R"(.bs_begin "TEST"; .bs_block 8, 3; .bs_bits 0x100, 32; .bs_bits 0, 1; .bs_end_block; .bs_end)");
  round_trip(R"(.bs_begin "TEST"; .bs_block 8, 2, words=1; .bs_bits 0x80000000, 32; .bs_end_block
    .bs_block 9, 3; .bs_record 1; .bs_end_block; .bs_end)");
  round_trip(R"(.bs_begin "TEST"; .bs_block 0, 2; .bs_record 1, 8; .bs_bits 2, 2; .bs_bits 0x11, 5; .bs_bits 0, 5
    .bs_bits 9, 4; .bs_end_block; .bs_block 8, 3; .bs_end_block; .bs_end)");
}

TEST_CASE("bitstreams: errors of the text") {
  CHECK(block_error(".bs_record 1") == "");
  CHECK(block_error(".bs_abbrev 1, fixed(3); .bs_record_as 4, 2, 3") == "1: value 2 is not the abbreviation's 1");
  CHECK(block_error(".bs_abbrev 1, fixed(3); .bs_record_as 4, 1, 8") == "1: value 8 does not fit in fixed(3) (0 to 7)");
  CHECK(block_error(".bs_abbrev 1, char6; .bs_record_as 4, 1, \"-\"") ==
        "1: value 45 is not a char6 (a-z, A-Z, 0-9, '.', '_')");
  CHECK(block_error(".bs_abbrev 1, blob; .bs_record_as 4, 1, 256") ==
        "1: value 256 is not a byte of a blob (0 to 255)");
  CHECK(block_error(".bs_abbrev 1, fixed(3); .bs_record_as 4, 1") ==
        "1: abbreviation 4 takes 2 values with the code, 1 are given");
  CHECK(block_error(".bs_abbrev 1, fixed(3), array(char6); .bs_record_as 4, 1") ==
        "1: abbreviation 4 takes 2 or more values with the code, 1 are given");
  CHECK(block_error(".bs_abbrev 1, array(char6), 3") == "1: an array is an abbreviation's last operand");
  CHECK(block_error(".bs_abbrev 1, blob, 3") == "1: a blob is an abbreviation's last operand");
  CHECK(block_error(".bs_abbrev 1, array(blob)") ==
        "1: an array's element is a literal, fixed, vbr or char6, not a blob");
  CHECK(block_error(".bs_abbrev 1, array(array)") ==
        "1: an array's element is a literal, fixed, vbr or char6, not an array");
  CHECK(block_error(".bs_abbrev array(char6)") == "1: an array cannot be a record's code");
  CHECK(block_error(".bs_abbrev 1, fixed(33)") == "1: fixed(33): a width is 0 to 32");
  CHECK(block_error(".bs_abbrev 1, vbr(33)") == "1: vbr(33): a width is 0, or 2 to 32");
  CHECK(block_error(".bs_abbrev 1, vbr(1)") == "1: vbr(1) would never end: a width is 0, or 2 to 32");
  CHECK(block_error(".bs_abbrev 1, vbr(0); .bs_record_as 4, 1, 1") == "1: value 1 does not fit in vbr(0), which is 0");
  CHECK(block_error(".bs_record_as 9, 1") == "1: abbreviation 9 is not defined in block 8 (there is none)");
  CHECK(block_error(".bs_abbrev 1; .bs_abbrev 2; .bs_record_as 9, 1") ==
        "1: abbreviation 9 is not defined in block 8 (known: 4 to 5)");
  CHECK(block_error(".bs_abbrev 1, array, unusable; .bs_record_as 4, 1") ==
        "1: no record can be written by abbreviation 4: an array without an element");
  CHECK(block_error(".bs_block 0, 2; .bs_abbrev 1") ==
        "1: in block 0, SETBID (record 1) says which block an abbreviation is for");
  CHECK(block_error(".bs_bits 8, 3") == "1: value 8 does not fit in 3 bits");
  CHECK(block_error(".bs_bits 8, 65") == "1: 65 bits: 0 to 64 can be given");
  CHECK(block_error(".bs_block 8, 1") == "1: a width of 1: abbreviation ids have 2 to 32 bits");
  CHECK(block_error(".bs_block 0x100000000, 3") == "1: block 4294967296: a number of 32 bits is wanted");
  CHECK(block_error(".bs_end") == "1: block 8 is not closed (1 open)");
  CHECK(block_error(".byte 1") == "1: a stream is open; it takes '.bs_*' directives only");
  CHECK(text_error(".bs_begin \"BC\"") == "1: the magic of a stream has four bytes, not 2");
  CHECK(text_error("\n.bs_record 1") == "2: '.bs_record' outside of '.bs_begin' and '.bs_end'");
  CHECK(text_error(".bs_begin \"TEST\"; .bs_record 1") == "1: a record outside of all blocks");
  CHECK(text_error(".bs_begin \"TEST\"; .bs_end_block") == "1: no block is open");
  CHECK(text_error(".bs_begin \"TEST\"\n") == "1: this '.bs_begin' has no '.bs_end'");
  CHECK(block_error(".bs_bits 18446744073709551616, 3") == "1: the number does not fit in 64 bits");
}

TEST_CASE("bitstreams: errors of the bits") {
  const auto in_block = [](std::string_view body) {
    return read_error(fmt::format(".bs_begin \"TEST\"; .bs_block 8, 3; {}; .bs_end_block; .bs_end", body));
  };
  CHECK(in_block(".bs_record 1") == "");
  CHECK(in_block(".bs_bits 4, 3") == "bit 96: abbreviation 4 is not defined in block 8 (there is none)");
  // A record of 1,000 values; an array, a blob, an abbreviation of more than there is.
  CHECK(in_block(".bs_bits 3, 3; .bs_bits 1, 6; .bs_bits 0x28, 6; .bs_bits 0x3f, 6; .bs_bits 1, 6") ==
        "bit 96: block 8: a record of 2024 values, 5 bits are left");
  CHECK(in_block(".bs_abbrev 1, array(fixed(7)); .bs_bits 4, 3; .bs_bits 0x1f, 6") ==
        "bit 126: block 8: an array of 31 elements, 25 bits are left");
  CHECK(in_block(".bs_abbrev 1, blob; .bs_bits 4, 3; .bs_bits 0x1f, 6") ==
        "bit 117: block 8: a blob of 31 bytes, 4 are left");
  CHECK(in_block(".bs_abbrev 1, array(7); .bs_bits 4, 3; .bs_bits 0x3f, 6; .bs_bits 0x3f, 6; .bs_bits 0x1f, 6") ==
        "bit 126: block 8: an array of 32767 elements, 13 bits are left");
  CHECK(in_block(".bs_bits 2, 3; .bs_bits 0, 5") ==
        "bit 96: an abbreviation has at least one operand, for the record's code");
  CHECK(in_block(".bs_bits 2, 3; .bs_bits 1, 5; .bs_bits 0xe, 4") ==
        "bit 96: an abbreviation's operand has the encoding 7; it is 1 to 5");
  CHECK(in_block(".bs_abbrev 1, array, unusable; .bs_bits 4, 3") ==
        "bit 117: block 8: no record can be read by abbreviation 4: an array without an element");
  CHECK(read_error(".bs_begin \"TEST\"; .bs_bits 1, 2; .bs_bits 8, 8; .bs_bits 1, 22; .bs_bits 0, 32; .bs_end") ==
        "bit 32: block 8: abbreviation ids of 1 bits; they have 2 to 32");
  CHECK(read_error(".bs_begin \"TEST\"; .bs_bits 1, 2; .bs_bits 8, 8; .bs_bits 3, 22; .bs_bits 1, 32; .bs_end") ==
        "bit 96: the stream ends in block 8");
  CHECK(
      read_error(
          ".bs_begin \"TEST\"; .bs_block 0, 3; .bs_bits 2, 3; .bs_bits 1, 5; .bs_bits 3, 9; .bs_end_block; .bs_end") ==
      "bit 96: block 0 defines an abbreviation before SETBID");
  std::string deep = ".bs_begin \"TEST\"\n";
  for (int i = 0; i < 256; ++i) deep += ".bs_block 8, 2\n";
  CHECK(read_error(deep + ".bs_bits 1, 2; .bs_bits 8, 8; .bs_bits 3, 22; .bs_bits 1, 32\n" + [] {
          std::string ends;
          for (int i = 0; i < 256; ++i) ends += ".bs_end_block\n";
          return ends;
        }() + ".bs_end") == "bit 16416: blocks are nested deeper than 256");
  std::vector<u8> wrapper(20);
  bitstream::TextError text;
  wrapper.clear();
  REQUIRE(bitstream::assemble_text(".long 0x0b17c0de, 0, 20, 9, 7", wrapper, text));
  bitstream::Error wrong;
  CHECK(!bitstream::print_file(
      wrapper, [](std::string_view) {}, wrong));
  CHECK(wrong.message == "the wrapper's stream has 9 bytes at 20, the file has 20");
}

TEST_CASE("bitstreams: numbers of every width at every bit") {
  using namespace bitstream;
  std::vector<u64> values = {0, 1, ~u64(0)};
  for (unsigned i = 1; i < 64; ++i) values.insert(values.end(), {(u64(1) << i) - 1, u64(1) << i});
  for (u64 width = 2; width <= max_width; ++width) {
    Writer w("BC\xc0\xde");
    REQUIRE(w.enter(8, 3));
    REQUIRE(w.abbreviation({literal(1), vbr(width), fixed(width), fixed(1)}));
    for (u64 value : values) REQUIRE(w.record_as(4, {1, value, value & ((u64(1) << width) - 1), value & 1}));
    REQUIRE(w.leave());
    REQUIRE(w.finish());
    Reader r(w.bytes());
    REQUIRE(r.next() == Item::enter);
    REQUIRE(r.next() == Item::abbreviation);
    for (u64 value : values) {
      REQUIRE(r.next() == Item::record);
      CHECK(r.record().values == std::vector<u64>{value, value & ((u64(1) << width) - 1), value & 1});
      CHECK(r.canonical());
    }
    REQUIRE(r.next() == Item::leave);
    CHECK(r.next() == Item::end);
  }
}

TEST_CASE("bitstreams: places that are filled in later") {
  using namespace bitstream;
  Writer w("TEST");
  REQUIRE(w.enter(8, 4));
  REQUIRE(w.abbreviation({literal(1), fixed(32), vbr(6)}));
  REQUIRE(w.record_as(4, {1, 0, 5}));
  const u64 place = w.field_position(1);
  CHECK(w.field_position(0) == 0);
  CHECK(w.field_position(2) == 0);
  REQUIRE(w.leave());
  CHECK(w.patch(place, 32, w.position() / 32));
  CHECK(!w.patch(place, 3, 8));
  CHECK(!w.patch(1000000, 32, 8));
  REQUIRE(w.finish());
  Reader r(w.bytes());
  CHECK(r.next() == Item::enter);
  CHECK(r.next() == Item::abbreviation);
  REQUIRE(r.next() == Item::record);
  CHECK(r.record().values == std::vector<u64>{w.position() / 32, 5});
  CHECK(r.next() == Item::leave);
  CHECK(r.next() == Item::end);
}
