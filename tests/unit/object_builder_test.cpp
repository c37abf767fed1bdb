// SPDX-License-Identifier: Apache-2.0
// xas/object.hpp: what ends up in the object, and what is refused.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"
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

struct CoffReader {
  std::span<const u8> file;
  coff::Header header;

  explicit CoffReader(std::span<const u8> bytes) : file(bytes) {
    REQUIRE(bytes.size() > sizeof header);
    std::memcpy(&header, bytes.data(), sizeof header);
  }
  template <typename T>
  const T* at(u64 offset) const {
    return reinterpret_cast<const T*>(file.data() + offset);
  }
  /// From 1.
  const coff::SectionHeader& section(u32 i) const { return at<coff::SectionHeader>(sizeof header)[i - 1]; }
  const coff::Symbol& symbol(u32 i) const { return at<coff::Symbol>(header.PointerToSymbolTable)[i]; }
  const coff::Relocation& relocation(u32 in, u32 i) const {
    return at<coff::Relocation>(section(in).PointerToRelocations)[i];
  }
  std::string name(u32 i) const {
    const u8* const n = reinterpret_cast<const u8*>(&symbol(i));
    u32 words[2];
    std::memcpy(words, n, sizeof words);
    if (words[0]) return std::string(reinterpret_cast<const char*>(n), strnlen(reinterpret_cast<const char*>(n), 8));
    return at<char>(header.PointerToSymbolTable + u64(header.NumberOfSymbols) * sizeof(coff::Symbol) + words[1]);
  }
  u32 find(std::string_view wanted) const {
    for (u32 i = 0; i < header.NumberOfSymbols; i += 1 + symbol(i).NumberOfAuxSymbols)
      if (name(i) == wanted) return i;
    FAIL("there is no symbol ", wanted);
    return 0;
  }
  /// Byte `at` of a symbol's auxiliary record.
  u8 aux(u32 i, u32 at) const { return reinterpret_cast<const u8*>(&symbol(i + 1))[at]; }
  std::string contents(u32 i) const {
    return std::string(at<char>(section(i).PointerToRawData), section(i).SizeOfRawData);
  }
};

constexpr u8 nops[8] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90};

/// What a builder says that has a section of nops, and in which `mistake` is made.
template <typename Mistake>
std::string error_of_mistake(Machine machine, object::Format format, Mistake&& mistake) {
  Builder o(machine, format);
  auto s = o.section(".text", code_section);
  o.append(s, nops);
  mistake(o, s);
  CHECK(o.write().empty());
  return o.error();
}

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
  auto error_of = [](auto&& mistake) { return error_of_mistake(Machine::i386, object::Format::elf, mistake); };
  using S = Builder::Section;
  CHECK(error_of([](Builder& o, S) { o.zeros(S(7), 1); }) == "there is no section 7");
  CHECK(error_of([](Builder& o, S) { o.set_type(o.symbol("x"), object::SymbolType(9)); }) ==
        "9 is no type of a symbol");
  CHECK(error_of([](Builder& o, S) { o.set_visibility(o.symbol("x"), object::Visibility(4)); }) ==
        "4 is no visibility of a symbol");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 1, Builder::Symbol(3)); }) == "there is no symbol 3");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 8, 1, o.symbol("x")); }) ==
        "a relocation at 8 in section .text, which has 8 bytes");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 6, 1, o.symbol("x"), 1); }) ==
        "the field at 6 in section .text has 4 bytes, but the section ends behind 2");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 6, 22, o.symbol("x"), 256); }) ==
        "addend 256 at 6 in section .text does not fit the field's 1 bytes");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 256, o.symbol("x")); }) ==
        "section .text would have a relocation of type 256, which the machine does not have");
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

TEST_CASE("objects for Windows") {
  using namespace coff;
  Builder o(Machine::x86_64, object::Format::coff);
  auto text = o.section(".text", code_section);
  auto bss = o.section(".bss", zeros_section);
  auto inlined = o.section(".text$f", code_section);
  auto unwind = o.section(".xdata$f", constants_section);
  auto directives = o.section(".drectve", {.characteristics = IMAGE_SCN_LNK_INFO | IMAGE_SCN_LNK_REMOVE});
  o.append(directives, "-export:main ");
  auto main = o.symbol("main");
  o.set_type(main, SymbolType::function);
  o.define(main, text, 0);
  o.append(text, nops);
  o.zeros(bss, 100);
  auto f = o.symbol("f", Binding::weak);  // what C++ says of its inline functions
  o.define(f, inlined, 0);
  o.append(inlined, nops);
  const auto group = o.group(f);
  o.add_to_group(group, inlined);
  o.add_to_group(group, unwind);
  auto weak = o.symbol("a_weak_function", Binding::weak);
  o.define(weak, text, 4);
  auto common = o.symbol("common");
  o.define_common(common, 24, 8);
  o.relocate(text, 4, 4, f);
  o.relocate(text, 0, 4, o.section_symbol(bss), 7);
  o.pointer(unwind, weak, 1);
  o.pointer(unwind, common);
  o.symbol("unused");
  o.file("a.c");
  const auto bytes = o.write();
  REQUIRE_MESSAGE(!bytes.empty(), o.error());

  CoffReader r(bytes);
  CHECK(r.header.Machine == IMAGE_FILE_MACHINE_AMD64);
  REQUIRE(r.header.NumberOfSections == 5);
  // Headers of sections that go with others stand last.
  CHECK(r.section(1).Characteristics == (IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE | IMAGE_SCN_MEM_READ | 0x500000));
  CHECK(r.section(2).SizeOfRawData == 100);
  CHECK((r.section(3).Characteristics & IMAGE_SCN_LNK_COMDAT) != 0);
  CHECK(r.section(4).Characteristics == (IMAGE_SCN_LNK_INFO | IMAGE_SCN_LNK_REMOVE | 0x100000));
  CHECK(r.contents(1) == std::string("\x07\0\0\0\x90\x90\x90\x90", 8));
  CHECK(r.contents(5) == std::string("\1", 1) + std::string(15, '\0'));
  REQUIRE(r.section(1).NumberOfRelocations == 2);
  CHECK(r.relocation(1, 0).SymbolTableIndex == r.find(".bss"));
  CHECK(r.relocation(1, 1).SymbolTableIndex == r.find("f"));
  CHECK(r.relocation(5, 0).Type == 1);
  CHECK(r.relocation(5, 0).SymbolTableIndex == r.find("a_weak_function"));

  CHECK(r.name(0) == ".file");
  const u32 chosen = r.find(".text$f");
  CHECK(r.name(chosen + 2) == "f");  // what chooses a section comes first
  CHECK(r.symbol(chosen + 2).StorageClass == IMAGE_SYM_CLASS_EXTERNAL);
  constexpr u32 selection = 14, number = 12, search = 4;
  CHECK(r.aux(chosen, selection) == IMAGE_COMDAT_SELECT_ANY);
  CHECK(r.aux(r.find(".xdata$f"), selection) == IMAGE_COMDAT_SELECT_ASSOCIATIVE);
  CHECK(r.aux(r.find(".xdata$f"), number) == 3);
  CHECK(r.symbol(r.find("main")).Type == IMAGE_SYM_DTYPE_FUNCTION);
  const u32 external = r.find("a_weak_function");
  CHECK(r.symbol(external).StorageClass == IMAGE_SYM_CLASS_WEAK_EXTERNAL);
  CHECK(r.symbol(external).SectionNumber == 0);
  CHECK(r.aux(external, 0) == r.find(".weak.a_weak_function.default.main"));
  CHECK(r.aux(external, search) == IMAGE_WEAK_EXTERN_SEARCH_ALIAS);
  CHECK(r.symbol(r.find(".weak.a_weak_function.default.main")).Value == 4);
  CHECK(r.symbol(r.find("common")).Value == 24);
}

TEST_CASE("what COFF has no word for") {
  auto error_of = [](auto&& mistake) { return error_of_mistake(Machine::aarch64, object::Format::coff, mistake); };
  using S = Builder::Section;
  CHECK(error_of([](Builder& o, S) { o.section(".init_array", {.type = SHT_INIT_ARRAY, .flags = 3}); }) ==
        "section .init_array has type 14 and flags 0x3, of which COFF has no counterpart");
  CHECK(error_of([](Builder& o, S s) { o.define(o.symbol("x", Binding::unique), s, 0); }) ==
        "symbol x: COFF has neither indirect functions nor unique symbols");
  CHECK(error_of([](Builder& o, S) { o.define_common(o.symbol("x"), 4, 16); }).starts_with(
      "common symbol x can't be aligned to 16 bytes"));
  CHECK(error_of([](Builder& o, S) { o.define_absolute(o.symbol("x"), u64(1) << 32); }) ==
        "symbol x is 0x100000000; symbols of COFF have 32 bits");
  CHECK(error_of([](Builder& o, S s) { o.add_to_group(o.group(o.symbol("x")), s); }) ==
        "the signature x is not defined in a section of its group, as COFF demands");
  CHECK(error_of([](Builder& o, S s) { o.link_order(s, o.section(".data", data_section)); }) ==
        "section .text is to go with .data, which is in no group; COFF drops sections of groups only");
  CHECK(error_of([](Builder& o, S s) { o.relocate(s, 0, 3, o.symbol("x"), 4); }) ==
        "relocation 3 at 0 in section .text has an addend, which belongs into the instruction's own bits");
  Builder be(Machine::aarch64_be, object::Format::coff);
  CHECK(be.write().empty());
  CHECK(be.error() == "there are no COFF objects for this machine");
}

TEST_CASE("compact relocations, a table of symbols' numbers, a big object") {
  Builder o(Machine::i386);
  const auto data = o.section(".data", data_section);
  const auto main = o.symbol("main");
  o.define(main, data, 0);
  o.pointer(data, main, 8);
  const auto table = o.section(".llvm_addrsig", {.type = SHT_LLVM_ADDRSIG});
  o.link_to_symbols(table);
  o.compact_relocations(true);
  Reader<Elf32le> r(o.write());
  CHECK(r.headers[r.find(".crel.data")].sh_type == SHT_CREL);
  CHECK(r.contents(".data") == std::string(4, '\0'));  // the addend is in the relocation
  CHECK(r.headers[r.find(".llvm_addrsig")].sh_link == r.find(".symtab"));

  Builder big(Machine::x86_64, object::Format::coff);
  big.big_object(true);
  big.section(".text", code_section);
  const auto bytes = big.write();
  coff::BigObjHeader header;
  REQUIRE(bytes.size() > sizeof header);
  std::memcpy(&header, bytes.data(), sizeof header);
  CHECK(std::memcmp(header.ClassID, coff::bigobj_class_id, 16) == 0);
  CHECK(header.NumberOfSections == 1);

  Builder wrong(Machine::x86_64);
  wrong.big_object(true);
  CHECK(wrong.error() == "a big object (bigobj) is one of COFF's formats");
}
