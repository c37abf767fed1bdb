// SPDX-License-Identifier: Apache-2.0
// objwriter/read: what the object builder wrote is what is read, and damaged files are refused with a place.
#include <doctest/doctest.h>

#include <string>

#include "objwriter/elf_constants.h"
#include "objwriter/read/archive.h"
#include "objwriter/read/object.h"
#include "xas/object.hpp"

using namespace xas;
using namespace xas::read;
using object::Builder;
using object::Machine;

namespace {

std::vector<u8> example(Machine machine, object::Format format) {
  Builder b(machine, format);
  const auto text = b.section(".text", object::code_section);
  b.append(text, std::string_view("\x90\x90\x90\x90\x90\x90\x90\x90", 8));
  const auto function = b.symbol("a_function_with_a_long_name");
  b.define(function, text, 4);
  b.pointer(b.section(".data.with.a.long.name", object::data_section), b.symbol("callee"));
  const auto in_group = b.section(".text.in_a_group", object::code_section);
  const auto chosen = b.symbol("chosen_by");
  b.append(in_group, "x");
  b.define(chosen, in_group, 0);
  b.add_to_group(b.group(chosen), in_group);
  const auto bytes = b.write();
  REQUIRE_MESSAGE(!bytes.empty(), b.error());
  return {bytes.begin(), bytes.end()};
}

const Section& named(const Object& object, std::string_view name) {
  for (const Section& section : object.sections) {
    if (section.name == name) return section;
  }
  FAIL("no section " << name);
  return object.sections[0];
}

/// All of a file that the reader gives, so that every check of it is reached.
bool read_all(std::span<const u8> bytes, Error& error) {
  Object object;
  if (!read_object(bytes, object, error)) return false;
  for (const Section& section : object.sections) {
    std::vector<Reloc> relocs;
    if (!object.relocations(section, relocs, error)) return false;
  }
  return true;
}

void check_example(const std::vector<u8>& bytes, FileKind kind) {
  Object object;
  Error error;
  REQUIRE_MESSAGE(read_object(bytes, object, error), error.message);
  CHECK(object.kind == kind);
  CHECK(!object.linked);
  CHECK(named(object, ".text").data.size() == 8);
  const Section& data = named(object, ".data.with.a.long.name");
  std::vector<Reloc> relocs;
  REQUIRE(object.relocations(data, relocs, error));
  REQUIRE(relocs.size() == 1);
  CHECK(relocs[0].offset == 0);
  CHECK(object.symbols[relocs[0].symbol].name == "callee");
  bool found = false;
  for (const Symbol& symbol : object.symbols) {
    if (symbol.name != "a_function_with_a_long_name") continue;
    found = true;
    CHECK(object.section(symbol.section) == &named(object, ".text"));
    CHECK(symbol.value == 4);
  }
  CHECK(found);
  const Section& in_group = named(object, ".text.in_a_group");
  if (object.is_elf()) {
    REQUIRE(object.groups.size() == 1);
    CHECK(object.groups[0].signature == "chosen_by");
    CHECK(object.groups[0].members == std::vector<u32>{in_group.index});
    CHECK(in_group.group == object.groups[0].section);
  } else {
    CHECK(in_group.selection != 0);
    REQUIRE(in_group.comdat_symbol != none);
    CHECK(object.symbols[in_group.comdat_symbol].name == "chosen_by");
  }
}

struct Kind {
  Machine machine;
  object::Format format;
  bool is_64, big_endian;
};
constexpr Kind kinds[] = {
    {Machine::x86_64, object::Format::elf, true, false},    {Machine::i386, object::Format::elf, false, false},
    {Machine::aarch64_be, object::Format::elf, true, true}, {Machine::arm_be, object::Format::elf, false, true},
    {Machine::x86_64, object::Format::coff, true, false},   {Machine::arm, object::Format::coff, false, false},
};

std::string archive_member(std::string name, std::string_view contents) {
  std::string size = std::to_string(contents.size());
  name.resize(16, ' ');
  size.resize(10, ' ');
  std::string member = name + "0           0     0     644     " + size + "`\n" + std::string(contents);
  if (member.size() % 2) member += '\n';
  return member;
}

std::span<const u8> as_bytes(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

}  // namespace

TEST_CASE("reader: what the builder wrote") {
  for (const Kind& kind : kinds) {
    const auto bytes = example(kind.machine, kind.format);
    const bool elf = kind.format == object::Format::elf;
    check_example(bytes, elf ? FileKind::elf : FileKind::coff);
    Object object;
    Error error;
    REQUIRE(read_object(bytes, object, error));
    CHECK(object.is_64 == kind.is_64);
    CHECK(object.big_endian == kind.big_endian);
  }
}

TEST_CASE("reader: a file that ends early is refused, or is whole") {
  for (const Kind& kind : kinds) {
    const auto bytes = example(kind.machine, kind.format);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      // A copy of that size, so that a checker of memory sees what is read behind it.
      const std::vector<u8> cut(bytes.begin(), bytes.begin() + i64(size));
      Error error;
      if (!read_all(cut, error)) CHECK(!error.message.empty());
    }
  }
}

TEST_CASE("reader: no byte that is changed does harm") {
  for (const Kind& kind : kinds) {
    auto bytes = example(kind.machine, kind.format);
    for (u8& byte : bytes) {
      const u8 kept = byte;
      for (u8 value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        byte = value;
        Error error;
        if (!read_all(bytes, error)) CHECK(!error.message.empty());
      }
      byte = kept;
    }
  }
}

TEST_CASE("reader: errors have places") {
  auto bytes = example(Machine::x86_64, object::Format::elf);
  Error error;
  bytes[4] = 9;
  CHECK(!read_all(bytes, error));
  CHECK(error.offset == 4);
  CHECK(error.message == "EI_CLASS is 9, not 1 (32 bits) or 2 (64 bits)");
  bytes[4] = 2;
  bytes[58] = 65;
  CHECK(!read_all(bytes, error));
  CHECK(error.offset == 58);
  CHECK(error.message == "e_shentsize is 65, not 64");
  CHECK(!read_all(as_bytes("some text that is no object"), error));
  CHECK(error.message == "not an object: it is a file of unknown kind");
}

TEST_CASE("reader: one long name for many symbols takes no time for each") {
  Builder b(Machine::x86_64);
  const auto text = b.section(".text", object::code_section);
  b.append(text, "x");
  const std::string name(1 << 20, 'n');
  b.define(b.symbol(name), text, 0);
  for (int i = 0; i < 20000; ++i) b.define(b.symbol("s" + std::to_string(i), object::Binding::local), text, 0);
  auto span = b.write();
  std::vector<u8> bytes(span.begin(), span.end());
  Object object;
  Error error;
  REQUIRE(read_object(bytes, object, error));
  u32 place = 0;
  const Section& table = named(object, ".symtab");
  for (u32 i = 0; i < object.symbols.size(); ++i) {
    if (object.symbols[i].name.size() == name.size()) place = u32(object.bytes().number(table.offset + i * 24, 4));
  }
  REQUIRE(place != 0);
  // Each symbol's name begins a little later in the long one; from the end to the start is the worst order.
  for (u32 i = 1; i < object.symbols.size(); ++i) {
    const u32 at = place + 1000000 - i;
    for (unsigned k = 0; k < 4; ++k) bytes[table.offset + i * 24 + k] = u8(at >> (8 * k));
  }
  REQUIRE(read_object(bytes, object, error));
  CHECK(object.symbols[1].name.size() == name.size() - 1000000 + 1);
  CHECK(object.symbols[20000].name.size() == name.size() - 1000000 + 20000);
}

TEST_CASE("reader: archives") {
  const std::string text = "!<arch>\n" + archive_member("/", std::string(4, '\0')) +
                           archive_member("//", "a_member_with_a_long_name.o/\n") + archive_member("short.o/", "123") +
                           archive_member("/0", "45") +
                           archive_member("#1/8", std::string("bsd.o\0\0\0"
                                                              "6",
                                                              9));
  std::vector<Member> members;
  Error error;
  REQUIRE_MESSAGE(read_archive(as_bytes(text), members, error), error.message);
  REQUIRE(members.size() == 3);
  CHECK(members[0].name == "short.o");
  CHECK(members[0].data.size() == 3);
  CHECK(members[1].name == "a_member_with_a_long_name.o");
  CHECK(members[2].name == "bsd.o");
  CHECK(members[2].data.size() == 1);
  CHECK(members[2].data[0] == '6');

  const std::string thin = "!<thin>\n" + archive_member("//", "dir/a_member_of_a_thin_one.o/\n") +
                           archive_member("/0", "").replace(48, 2, "77");
  members.clear();
  REQUIRE_MESSAGE(read_archive(as_bytes(thin), members, error), error.message);
  REQUIRE(members.size() == 1);
  CHECK(members[0].external);
  CHECK(members[0].name == "dir/a_member_of_a_thin_one.o");
  CHECK(members[0].size == 77);

  for (std::size_t size = 8; size < text.size(); ++size) {
    const std::vector<u8> cut(text.begin(), text.begin() + i64(size));
    members.clear();
    if (!read_archive(cut, members, error)) CHECK(error.offset <= size);
  }
  members.clear();
  CHECK(!read_archive(as_bytes("!<arch>\n" + archive_member("/9", "x")), members, error));
  CHECK(error.message == "an archive member's name is '/9', and the table of names has 0 bytes");
}
