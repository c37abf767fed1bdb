// xas/object.hpp: what ends up in the object, and what is refused.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "objwriter/elf_constants.h"
#include "objwriter/elf_format.h"
#include "xas/object.hpp"

using namespace xas;
using namespace xas::elf;
using namespace xas::object;

namespace {

/// Just enough of a reader.
template <typename F>
struct Reader {
  std::span<const u8> file;
  typename F::Ehdr header;
  const typename F::Shdr* headers;

  explicit Reader(std::span<const u8> bytes) : file(bytes) {
    REQUIRE(bytes.size() > sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
    headers = reinterpret_cast<const typename F::Shdr*>(bytes.data() + header.e_shoff);
  }
  const char* text(u32 table, u32 at) const {
    return reinterpret_cast<const char*>(file.data() + headers[table].sh_offset + at);
  }
  u32 find(std::string_view name) const {
    for (u32 i = 1; i < header.e_shnum; ++i)
      if (text(header.e_shstrndx, headers[i].sh_name) == name) return i;
    return 0;
  }
  std::string contents(std::string_view name) const {
    const auto& h = headers[find(name)];
    return std::string(reinterpret_cast<const char*>(file.data() + h.sh_offset), h.sh_size);
  }
  const typename F::Sym& symbol(u32 i) const {
    return reinterpret_cast<const typename F::Sym*>(file.data() + headers[find(".symtab")].sh_offset)[i];
  }
  std::string symbol_name(u32 i) const { return text(headers[find(".symtab")].sh_link, symbol(i).st_name); }
  u32 symbols() const { return u32(headers[find(".symtab")].sh_size / sizeof(typename F::Sym)); }
};

constexpr u8 nops[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

}  // namespace

TEST_CASE("sections, symbols and relocations of an x86-64 object") {
  Builder o(Machine::x86_64);
  auto text = o.section(".text", code_section);
  auto data = o.section(".data", data_section);
  auto bss = o.section(".bss", zeros_section);
  auto used = o.symbol("used");
  o.symbol("unused");
  auto main = o.symbol("main");
  CHECK(o.symbol("main") == main);
  auto local = o.symbol("local", Binding::local);
  o.define(main, text);
  o.append(text, nops);
  o.define(local, text);
  o.align(text, 16, 0xcc);
  o.relocate(text, 4, 4, used, -4);
  o.relocate(text, 0, 2, o.section_symbol(data), 7);
  o.pointer(data, local, 3);
  o.integer(data, 0x1234, 2);
  o.zeros(bss, 100);
  o.set_visibility(main, Visibility::hidden);
  o.file("a.c");
  auto bytes = o.write();
  REQUIRE_MESSAGE(!bytes.empty(), o.error());

  Reader<Elf64le> r(bytes);
  CHECK(r.contents(".text") == std::string(8, '\x90') + std::string(8, '\xcc'));
  CHECK(r.contents(".data") == std::string(8, '\0') + "\x34\x12");
  CHECK(r.headers[r.find(".bss")].sh_size == 100);
  CHECK(r.find(".note.GNU-stack") != 0);
  REQUIRE(r.symbols() == 6);
  CHECK(r.symbol_name(1) == "a.c");
  CHECK(r.symbol_name(2) == "local");
  CHECK(r.symbol(2).st_value == 8);
  CHECK(r.symbol_name(3) == "");
  CHECK(r.symbol_name(4) == "used");
  CHECK(r.symbol_name(5) == "main");
  CHECK(r.symbol(5).st_other == STV_HIDDEN);
  CHECK(r.headers[r.find(".symtab")].sh_info == 4);
  Elf64le::Rela rela[2];
  REQUIRE(r.contents(".rela.text").size() == sizeof rela);
  std::memcpy(rela, r.contents(".rela.text").data(), sizeof rela);
  CHECK(rela[0].r_offset == 0);  // sorted
  CHECK(rela[0].r_info == Elf64le::r_info(3, 2));
  CHECK(rela[1].r_info == Elf64le::r_info(4, 4));
  CHECK(i64(u64(rela[1].r_addend)) == -4);
}

TEST_CASE("addends go into the fields where relocations have none") {
  Builder o(Machine::i386);
  auto text = o.section(".text", code_section);
  auto f = o.symbol("f");
  o.append(text, nops);
  o.relocate(text, 4, 2, f, -4);
  o.relocate(text, 0, 22, f, 0x7f);
  Reader<Elf32le> r(o.write());
  CHECK(r.contents(".text") == "\x7f\x90\x90\x90\xfc\xff\xff\xff");
  CHECK(r.find(".rel.text") != 0);

  Builder big(Machine::arm_be);
  auto data = big.section(".data", data_section);
  big.pointer(data, big.symbol("f"), 0x10203);
  Reader<Elf32be> rb(big.write());
  CHECK(rb.contents(".data") == std::string("\0\1\2\3", 4));
}

TEST_CASE("groups and signatures") {
  Builder o(Machine::x86_64);
  auto text = o.section(".text.f", code_section);
  o.append(text, nops);
  auto f = o.symbol("f", Binding::weak);
  o.define(f, text, 0);
  o.add_to_group(o.group(f), text);
  auto only = o.section(".text.g", code_section);
  o.add_to_group(o.group(o.symbol("g"), false), only);
  Reader<Elf64le> r(o.write());
  CHECK(r.headers[1].sh_type == SHT_GROUP);
  CHECK(r.headers[2].sh_type == SHT_GROUP);
  CHECK(r.headers[3].sh_flags == (SHF_ALLOC | SHF_EXECINSTR | SHF_GROUP));
  REQUIRE(r.symbols() == 3);
  CHECK(r.symbol_name(1) == "g");
  CHECK(r.symbol(1).st_shndx == 2);  // its group's header
  CHECK(r.symbol(2).st_info == (STB_WEAK << 4));
}

TEST_CASE("a builder is used again") {
  Builder o(Machine::aarch64);
  CHECK(!o.write().empty());
  auto s = o.section(".data", data_section);
  o.integer(s, 1, 9);
  CHECK(o.write().empty());
  o.reset(Machine::aarch64_be);
  CHECK(o.error() == "");
  s = o.section(".data", data_section);
  o.integer(s, 0x0102, 4);
  Reader<Elf64be> r(o.write());
  CHECK(r.header.e_machine == EM_AARCH64);
  CHECK(r.contents(".data") == std::string("\0\0\1\2", 4));
  o.integer(s, 3, 1);
  CHECK(Reader<Elf64be>(o.write()).contents(".data").size() == 5);
}

TEST_CASE("mistakes are kept and nothing is written") {
  auto error_of = [](auto&& mistake) {
    Builder o(Machine::i386);
    auto s = o.section(".text", code_section);
    o.append(s, nops);
    mistake(o, s);
    CHECK(o.write().empty());
    return o.error();
  };
  using S = Builder::Section;
  CHECK(error_of([](Builder& o, S) { o.zeros(S(7), 1); }) == "there is no section 7");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 1, Builder::Symbol(3)); }) == "there is no symbol 3");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 8, 1, o.symbol("x")); }) ==
        "a relocation at 8 in section .text, which has 8 bytes");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 6, 1, o.symbol("x"), 1); }) ==
        "the field at 6 in section .text has 4 bytes, but the section ends behind 2");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 6, 22, o.symbol("x"), 256); }) ==
        "addend 256 at 6 in section .text does not fit the field's 1 bytes");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 256, o.symbol("x")); }) ==
        "section .text has a relocation of type 256; those of ELF32 files go up to 255");
  CHECK(error_of([](Builder& o, S s) { o.define(o.symbol("x"), s, 9); }) ==
        "symbol x is defined at 9 in section .text, which has 8 bytes");
  CHECK(error_of([](Builder& o, S s) {
          auto x = o.symbol("x");
          o.define(x, s);
          o.define(x, s);
        }) == "symbol x is defined twice");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 1, o.symbol("x", Binding::local)); }) ==
        "local symbol x is not defined");
  CHECK(error_of([](Builder& o, S s) { o.patch(s, 5, nops); }) ==
        "a patch of 8 bytes at 5 in section .text, which has 8 bytes");
  CHECK(error_of([](Builder& o, S) { o.append(o.section(".bss", zeros_section), nops); }) ==
        "section .bss has no contents, so nothing but zeros can be added to it");
  CHECK(error_of([](Builder& o, S) { o.symbol(std::string_view("a\0b", 3)); }) == "a name has a zero byte in it");
  CHECK(error_of([](Builder& o, S s) { o.align(s, 3); }) ==
        "section .text can't be aligned to 3 bytes; powers of two up to 2147483648 are possible");
  CHECK(error_of([](Builder& o, S) { o.group(o.symbol("x")); }) == "the group of x has no sections");
  CHECK(error_of([](Builder& o, S) {
          auto bss = o.section(".bss", zeros_section);
          o.zeros(bss, u64(5) << 30);
        }) == "section .bss has 5368709120 bytes; sections of ELF32 files hold 4294967295");
}
