// SPDX-License-Identifier: Apache-2.0
// PC sections and stack maps by the functions of xas/object.hpp and xas/stream.h: their objects have the same tables,
// for the same code, as the directives' (which tests/metadata compares with those of llc).
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "objwriter/elf_constants.h"
#include "objwriter/read/object.h"
#include "xas/object.hpp"
#include "xas/xas.hpp"

using namespace xas;
using object::Builder;
using object::Machine;
using Format = object::Format;

namespace {

/// What is written as a number in little-endian or big-endian order at a relocation without addend of its own.
i64 field_at(const read::Object& object, const read::Section& s, u64 offset) {
  u32 field = 0;
  for (unsigned i = 0; i < 4; ++i) field |= u32(s.data[offset + (object.big_endian ? 3 - i : i)]) << (8 * i);
  return i32(field);
}

/// A line for each section whose name has "tab" or "map" in it: all that the object says of it. Relocations are told by
/// the places that they name.
std::string tables_of(std::span<const u8> bytes) {
  read::Object object;
  read::Error error;
  REQUIRE_MESSAGE(read::read_object(bytes, object, error), error.message);
  std::vector<std::string> lines;
  for (const read::Section& s : object.sections) {
    if (s.data.empty() || (s.name.find("tab") == s.name.npos && s.name.find("map") == s.name.npos) || s.name[0] == '.')
      continue;
    std::vector<read::Reloc> relocs;
    REQUIRE(object.relocations(s, relocs, error));
    const bool rela =
        object.is_elf() && s.first_relocations && object.sections[s.first_relocations].type == elf::SHT_RELA;
    std::vector<u8> data(s.data.begin(), s.data.end());
    std::vector<std::string> places;
    for (const read::Reloc& r : relocs) {
      const read::Symbol& symbol = object.symbols[r.symbol];
      const i64 addend = rela ? r.addend : field_at(object, s, r.offset);
      std::fill_n(data.begin() + i64(r.offset), 4, u8(0));
      const read::Section* const in = object.section(symbol.section);
      places.push_back(in && !symbol.special
                           ? fmt::format("{:#x} {} {}+{:#x}", r.offset, r.type, in->name, i64(symbol.value) + addend)
                           : fmt::format("{:#x} {} {}+{:#x}", r.offset, r.type, symbol.name, addend));
    }
    std::string group;
    for (const read::Group& g : object.groups)
      if (s.group && g.section == s.group) group = g.signature;
    const bool linked = object.is_elf() && s.flags & elf::SHF_LINK_ORDER;
    lines.push_back(fmt::format("{} type {} flags {:#x} align {} link {} group '{}' with {}: {:02x}; {}", s.name,
                                s.type, s.flags, s.align, linked ? object.sections[s.link].name : "", group,
                                s.associated != 0, fmt::join(data, " "), fmt::join(places, ", ")));
  }
  std::sort(lines.begin(), lines.end());
  return fmt::format("{}", fmt::join(lines, "\n"));
}

std::string tables_of_text(const char* target, const std::string& text) {
  Context context;
  context.option("--target", target);
  context.option("--compat", "llvm");
  const bool good = context.assemble(text);
  REQUIRE_MESSAGE(good, std::string(context.diagnostic(0).message));
  return tables_of(context.object());
}

struct Target {
  Machine machine;
  Format format;
  const char* triple;
  unsigned pc_size;
};
constexpr Target targets[] = {
    {Machine::x86_64, Format::elf, "x86_64-linux-gnu", 4},
    {Machine::x86_64, Format::elf, "x86_64-linux-gnu", 8},
    {Machine::x32, Format::elf, "x86_64-linux-gnux32", 4},
    {Machine::i386, Format::elf, "i386-linux-gnu", 4},
    {Machine::aarch64, Format::elf, "aarch64-linux-gnu", 4},
    {Machine::aarch64, Format::elf, "aarch64-linux-gnu", 8},
    {Machine::aarch64_be, Format::elf, "aarch64_be-linux-gnu", 4},
    {Machine::arm, Format::elf, "armv7-linux-gnueabihf", 4},
    {Machine::arm_be, Format::elf, "armebv7-linux-gnueabihf", 4},
    {Machine::x86_64, Format::coff, "x86_64-w64-windows-gnu", 4},
    {Machine::i386, Format::coff, "i686-w64-windows-gnu", 4},
    {Machine::aarch64, Format::coff, "aarch64-w64-windows-gnu", 4},
    {Machine::arm, Format::coff, "thumbv7-w64-windows-gnu", 4},
};

constexpr u8 code[16] = {};

/// Constants as a text has them, those of the builder, and of the stream.
constexpr const char* text_constants = "(i8 3, i16 -1, i32 300, i64 0x123456789a)";
constexpr object::PcConstant constants[] = {{3, 1}, {u64(-1), 2}, {300, 4}, {0x123456789a, 8}};
constexpr xas_pc_constant stream_constants[] = {
    {{3, 0, 0, 0}, 1}, {{-1, 0, 0, 0}, 2}, {{300, 0, 0, 0}, 4}, {{0x123456789a, 0, 0, 0}, 8}};

std::string with_pc_size(const Target& target) { return target.pc_size == 8 ? " .pcsection_offset 8\n" : ""; }

}  // namespace

TEST_CASE("PC sections: the builder's tables are the directive's") {
  for (const Target& target : targets) {
    CAPTURE(target.triple);
    Builder o(target.machine, target.format);
    o.pc_offset_size(target.pc_size);
    const auto text = o.section(".text", object::code_section);
    const object::PcTag tags[] = {
        {"pc_table"}, {"constants_table", false, constants}, {"small_table", true, constants}};
    o.tag_pc(text, 4, tags);  // its code is still to come
    o.append(text, code);
    o.tag_range(text, 4, 16, tags);
    o.tag_pc(text, 15, std::span(tags, 1));
    const auto object = o.write();
    REQUIRE_MESSAGE(!object.empty(), o.error());
    const std::string tables =
        fmt::format("\"pc_table\", \"constants_table\", {0}, \"small_table!C\", {0}\n", text_constants);
    CHECK(tables_of(object) ==
          tables_of_text(target.triple, with_pc_size(target) + " .text\nf: .zero 16\n" + " .pcsection f + 4, " +
                                            tables + " .pcsection f + 4, f + 16, " + tables +
                                            " .pcsection f + 15, \"pc_table\"\n"));
    CHECK(tables_of(o.write()) == tables_of(object));
  }
}

TEST_CASE("PC sections: in the group of their code, one for each section of it") {
  Builder o(Machine::x86_64);
  Builder::Section sections[2];
  const object::PcTag tag[] = {{"table"}};
  for (auto& s : sections) {
    const std::string name(&s == sections ? "f" : "g");
    s = o.section(".text." + name, object::code_section);
    o.append(s, code);
    o.tag_pc(s, 0, tag);
    const auto symbol = o.symbol(name, object::Binding::weak);
    o.define(symbol, s, 0);
    o.add_to_group(o.group(symbol), s);
  }
  const auto elf = o.write();
  REQUIRE_MESSAGE(!elf.empty(), o.error());
  CHECK(tables_of(elf) == tables_of_text("x86_64-linux-gnu", R"(
    .weak f, g
    .section .text.f,"axG",@progbits,f,comdat
f:  .pcsection "table"
    .byte 0
    .zero 15
    .section .text.g,"axG",@progbits,g,comdat
g:  .pcsection g, "table"
    .zero 16
)"));

  Builder w(Machine::x86_64, Format::coff);
  const auto text = w.section(".text$f", object::code_section);
  w.append(text, code);
  w.tag_pc(text, 1, tag);
  const auto f = w.symbol("f");
  w.define(f, text, 0);
  w.add_to_group(w.group(f), text);
  const auto coff = w.write();
  REQUIRE_MESSAGE(!coff.empty(), w.error());
  CHECK(tables_of(coff) == tables_of_text("x86_64-w64-windows-gnu", R"(
    .section .text$f,"xr",discard,f
    .globl f
f:  .zero 16
    .pcsection f + 1, "table"
)"));
}

TEST_CASE("PC sections: what the builder refuses") {
  const auto error_of = [](auto&& mistake, Machine machine = Machine::x86_64) {
    Builder o(machine);
    const auto text = o.section(".text", object::code_section);
    o.append(text, code);
    mistake(o, text);
    CHECK(o.write().empty());
    return o.error();
  };
  using S = Builder::Section;
  const auto tag = [](Builder& o, S s, u64 offset, const object::PcTag& t) { o.tag_pc(s, offset, {&t, 1}); };
  CHECK(error_of([&](Builder& o, S s) { tag(o, s, 16, {"table"}); }) ==
        "a PC tag at 16 in section .text, which has 16 bytes");
  CHECK(error_of([&](Builder& o, S) { tag(o, S(9), 0, {"table"}); }) == "there is no section 9");
  CHECK(error_of([&](Builder& o, S s) { tag(o, s, 0, {""}); }) == "a PC section has a name");
  CHECK(error_of([&](Builder& o, S s) { tag(o, s, 0, {std::string_view("a\0b", 3)}); }) ==
        "a name has a zero byte in it");
  const object::PcConstant three[] = {{1, 3}}, large[] = {{300, 1}};
  CHECK(error_of([&](Builder& o, S s) {
          tag(o, s, 0, {"table", false, three});
        }) == "a constant of 3 bytes; 1, 2, 4 and 8 are possible");
  CHECK(error_of([&](Builder& o, S s) {
          tag(o, s, 0, {"table", false, large});
        }) == "value 300 does not fit in i8 (-128 to 255)");
  CHECK(error_of([](Builder& o, S s) { o.tag_range(s, 5, 3, {}); }) == "the range ends before it begins, by 2 bytes");
  CHECK(error_of([](Builder& o, S s) { o.tag_range(s, 0, u64(1) << 32, {}); }) ==
        "a range of 4294967296 bytes; its size has 32 bits");
  CHECK(error_of([](Builder& o, S s) {
          const object::PcTag t[] = {{"table"}};
          o.tag_range(s, 3, 17, t);
        }) == "a PC tag at 17 in section .text, which has 16 bytes");
  CHECK(error_of([](Builder& o, S) { o.pc_offset_size(5); }) == "an offset has 4 or 8 bytes, not 5");
  CHECK(error_of([](Builder& o, S) { o.pc_offset_size(8); }, Machine::i386) ==
        "an offset of 8 bytes needs a 64-bit ELF target");
}

TEST_CASE("PC sections: the stream's tables are the directive's") {
  for (const Target& target : targets) {
    CAPTURE(target.triple);
    Context context;
    context.option("--target", target.triple);
    context.option("--compat", "llvm");
    Stream s(context);
    REQUIRE(s);
    CHECK(s.pc_offset_size(target.pc_size));
    const xas::SymbolHandle f = s.symbol("f"), end = s.new_label();
    const xas_pc_constant outside[] = {{s.symbol("outside") + 2, 4}};
    const PcTag plain("pc_table"), small("small_table", stream_constants, true), linked("linked_table", outside);
    CHECK(s.tag_range(f, end, {plain, small}));
    CHECK(s.tag_pc({plain, small}));
    CHECK(s.label(f));
    CHECK(s.align(2));
    CHECK(s.fill(15));
    CHECK(s.tag_pc({plain, linked}));
    CHECK(s.integer(1, 1));
    CHECK(s.label(end));
    CHECK(s.tag_pc(f + 4, {linked}));
    REQUIRE(s.finish());
    const std::string both = fmt::format("\"pc_table\", \"small_table!C\", {}\n", text_constants);
    CHECK(tables_of(context.object()) == tables_of_text(target.triple, with_pc_size(target) + fmt::format(R"(
    .text
    .pcsection f, 9f, {0}
    .pcsection {0}
f:  .p2align 2
    .zero 15
    .pcsection "pc_table", "linked_table", (i32 outside + 2)
    .byte 1
9:  .pcsection f + 4, "linked_table", (i32 outside + 2)
)",
                                                                                                          both)));
  }
}

TEST_CASE("PC sections: what a stream refuses") {
  Context context;
  context.option("--target", "i386-linux-gnu");
  Stream s(context);
  const xas_pc_constant three[] = {{{0, 0, 0, 0}, 3}};
  PcTag old("table");
  old.struct_size = 1;
  xas_context* const c = context.get();
  const PcTag good("table"), wrong("table", three), unnamed("");
  const xas_value no_such = {0, 3, 0, 0};
  CHECK(xas_tag_pc(c, nullptr, nullptr, 1) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_pc(c, nullptr, &good, 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_pc(c, nullptr, &wrong, 1) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_pc(c, nullptr, &unnamed, 1) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_pc(c, nullptr, &old, 1) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_pc(c, &no_such, &good, 1) == XAS_BAD_ARGUMENT);
  CHECK(xas_tag_range(c, nullptr, &no_such, &good, 1) == XAS_BAD_ARGUMENT);
  const xas_pc_constant large[] = {{{300, 0, 0, 0}, 1}};
  CHECK_FALSE(s.tag_pc({PcTag("table", large)}));
  CHECK_FALSE(s.tag_pc(4, {good}));  // a number is no place
  CHECK_FALSE(s.tag_pc(s.symbol("a") - s.symbol("b"), {good}));
  CHECK_FALSE(s.pc_offset_size(8));
  CHECK_FALSE(s.pc_offset_size(3));
  CHECK_FALSE(s.finish());
  CHECK(context.diagnostic_count() == 12);
  const std::string_view said = context.text();
  for (std::string_view message :
       {"xas_tag_pc: there are no tags", "xas_tag_pc: the size is not 1, 2, 4 or 8 bytes",
        "xas_tag_pc: a tag has no `section`", "xas_tag_range: `begin` is a null pointer",
        "value 300 does not fit in i8 (-128 to 255)", "expected a label, or a label and a number",
        "an offset of 8 bytes needs a 64-bit ELF target"})
    CHECK(said.find(message) != said.npos);
  Stream again(context);
  CHECK(again.tag_pc({good}));
  CHECK_FALSE(again.finish());
  CHECK(std::string(context.diagnostic(0).message) == "no instruction follows '.pcsection' in section '.text'");
}

TEST_CASE("stack maps: the builder's are the directives'") {
  struct Registers {
    Target target;
    u16 size;
    const char *first, *stack, *frame, *other;
    u16 dwarf_first, dwarf_stack, dwarf_frame, dwarf_other;
  };
  constexpr Registers all[] = {
      {{Machine::x86_64, Format::elf, "x86_64-linux-gnu", 4}, 8, "%rax", "%rsp", "%rbp", "%rcx", 0, 7, 6, 2},
      {{Machine::x86_64, Format::coff, "x86_64-w64-windows-gnu", 4}, 8, "%rax", "%rsp", "%rbp", "%rcx", 0, 7, 6, 2},
      {{Machine::i386, Format::elf, "i386-linux-gnu", 4}, 4, "%eax", "%esp", "%ebp", "%ecx", 0, 4, 5, 1},
      {{Machine::aarch64, Format::elf, "aarch64-linux-gnu", 4}, 8, "x0", "sp", "x29", "x2", 0, 31, 29, 2},
      {{Machine::aarch64_be, Format::elf, "aarch64_be-linux-gnu", 4}, 8, "x0", "sp", "x29", "x2", 0, 31, 29, 2},
      {{Machine::aarch64, Format::coff, "aarch64-w64-windows-gnu", 4}, 8, "x0", "sp", "x29", "x2", 0, 31, 29, 2},
      {{Machine::arm, Format::elf, "armv7-linux-gnueabihf", 4}, 4, "r0", "sp", "r11", "r2", 0, 13, 11, 2},
  };
  for (const Registers& r : all) {
    CAPTURE(r.target.triple);
    using object::Location;
    Builder o(r.target.machine, r.target.format);
    o.stack_map_section("maps", elf::SHF_WRITE | elf::SHF_ALLOC);
    const auto text = o.section(".text", object::code_section);
    const auto f = o.symbol("f", object::Binding::local), g = o.symbol("g", object::Binding::local);
    o.define(f, text, 0);
    o.append(text, code);
    o.define(g, text, 16);
    o.append(text, code);
    const Location one[] = {{Location::reg, r.size, r.dwarf_first, 0},
                            {Location::direct, r.size, r.dwarf_stack, -8},
                            {Location::indirect, 2, r.dwarf_frame, 16},
                            {Location::constant, 8, 0, 5},
                            {Location::constant, 8, 0, 0x100000000},
                            {Location::constant_index, 8, 0, 9},
                            {Location::constant, 8, 0, -1}};
    const object::LiveOut live[] = {{r.dwarf_other, 4}, {r.dwarf_first, 2}, {r.dwarf_other, 2}};
    o.stack_map_function(f, 40);
    o.stack_map(text, 4, 7, one);
    o.stack_map(text, 12, ~u64(0), std::span(one, 1), live);
    o.stack_map_function(g, ~u64(0));
    o.stack_map(text, 16, 1, {});
    const auto object = o.write();
    REQUIRE_MESSAGE(!object.empty(), o.error());
    const std::string directives =
        fmt::format(R"(
    .stackmap_section "maps", "{4}"
    .text
    .stackmap_function f, 40
f:  .zero 4
    .stackmap 7, 0, reg({0}), direct({1}, -8), indirect({2}, 16):2, const(5), const(0x100000000), constindex(9), const(-1)
    .zero 8
    .stackmap 0xffffffffffffffff, 0, reg({0}), liveout({3}:4, {0}:2, {3}:2)
    .zero 4
g:  .stackmap_function g, dynamic
    .stackmap 1, 0
    .zero 16
)",
                    r.first, r.stack, r.frame, r.other, r.target.format == Format::coff ? "dw" : "aw");
    CHECK(tables_of(object) == tables_of_text(r.target.triple, directives));
    CHECK(tables_of(o.write()) == tables_of(object));
  }
}

TEST_CASE("stack maps: one for each section of code, in its group") {
  Builder o(Machine::x86_64);
  o.stack_map_section("maps", elf::SHF_WRITE | elf::SHF_ALLOC | elf::SHF_LINK_ORDER);
  u64 id = 0;
  for (const char* name : {"f", "g"}) {
    const auto text = o.section(std::string(".text.") + name, object::code_section);
    o.append(text, code);
    const auto symbol = o.symbol(name, object::Binding::weak);
    o.define(symbol, text, 0);
    if (*name == 'g') o.add_to_group(o.group(symbol), text);
    o.stack_map_function(symbol, 8);
    o.stack_map(text, 8, ++id, {});
  }
  const auto object = o.write();
  REQUIRE_MESSAGE(!object.empty(), o.error());
  CHECK(tables_of(object) == tables_of_text("x86_64-linux-gnu", R"(
    .stackmap_section "maps", "awo"
    .weak f, g
    .section .text.f,"ax",@progbits
    .stackmap_function f, 8
f:  .zero 8
    .stackmap 1, 0
    .zero 8
    .section .text.g,"axG",@progbits,g,comdat
    .stackmap_function g, 8
g:  .zero 8
    .stackmap 2, 0
    .zero 8
)"));
}

TEST_CASE("stack maps: what the builder refuses") {
  const auto error_of = [](auto&& mistake, Format format = Format::elf) {
    Builder o(Machine::x86_64, format);
    const auto text = o.section(".text", object::code_section);
    o.append(text, code);
    const auto f = o.symbol("f");
    o.define(f, text, 8);
    mistake(o, text, f);
    CHECK(o.write().empty());
    return o.error();
  };
  using S = Builder::Section;
  using Y = Builder::Symbol;
  using object::Location;
  const auto with = [](Location l) {
    return [l](Builder& o, S s, Y f) {
      o.stack_map_function(f, 8);
      o.stack_map(s, 8, 5, {&l, 1});
    };
  };
  CHECK(error_of([](Builder& o, S s, Y) { o.stack_map(s, 0, 5, {}); }) == "stack map 5 is of no function");
  CHECK(error_of([](Builder& o, S s, Y f) {
          o.stack_map_function(f, 8);
          o.stack_map(s, 17, 5, {});
        }) == "stack map 5 is at 17 in section .text, which has 16 bytes");
  CHECK(error_of([](Builder& o, S s, Y f) {
          o.stack_map_function(f, 8);
          o.stack_map(s, 4, 5, {});
        }) == "stack map 5 is not in its function f, or more than 4 GiB behind its start");
  CHECK(error_of([](Builder& o, S, Y f) {
          o.stack_map_function(f, 8);
          o.stack_map_function(f, 16);
        }) == "function f has another stack size already");
  CHECK(error_of([](Builder& o, S s, Y f) {
          o.stack_map_function(f, 8);
          o.stack_map(s, 8, 5, {});
          o.stack_map_section("maps", 2);
        }) == "the section of stack maps is chosen behind the first record");
  CHECK(error_of([](Builder& o, S s, Y f) {
          const object::LiveOut none{1, 0};
          o.stack_map_function(f, 8);
          o.stack_map(s, 8, 5, {}, {&none, 1});
        }) == "a live-out of stack map 5 has size 0");
  CHECK(error_of([](Builder& o, S, Y) { o.stack_map_section("maps", elf::SHF_LINK_ORDER); }, Format::coff) ==
        "COFF has no sections of stack maps that are linked to code");
  CHECK(error_of(with({Location::reg, 0, 1, 0})) == "a location of stack map 5 has size 0");
  CHECK(error_of(with({Location::Kind(9), 8, 1, 0})) == "a location of stack map 5 is of kind 9");
  CHECK(error_of(with({Location::direct, 8, 1, i64(1) << 31})) ==
        "the offset 2147483648 of stack map 5 does not fit in 32 bits");
}
