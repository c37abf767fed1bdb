// SPDX-License-Identifier: Apache-2.0
// What the builder (xas/object.hpp) keeps of an object until it is written: the same for both formats.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "objwriter/coff.h"
#include "objwriter/elf.h"
#include "objwriter/elf_constants.h"
#include "xas/object.hpp"

namespace xas::object {

struct MachineInfo {
  u16 machine = 0;  ///< e_machine, or COFF's Machine; 0: the format has no objects for it
  bool elf64 = false;
  bool big_endian = false;
  bool rela = false;
  u32 flags = 0;
  u8 pointer_size = 0;
  u32 pointer = 0;  ///< relocation type of a plain pointer
};

MachineInfo elf_machine(Machine machine);
MachineInfo coff_machine(Machine machine);

/// The machine has a relocation of this number (builder_relocations.cpp).
bool has_relocation(Format format, u16 machine, u32 type);

/// Bytes of the field that a relocation without addend patches, if it is a plain one: such a field holds the addend.
/// 0 if it is not.
unsigned elf_plain_field(u16 machine, u32 type);
unsigned coff_plain_field(u16 machine, u32 type);

struct SectionData {
  std::string name;
  SectionOptions options;
  std::vector<u8> bytes;
  u64 zeros = 0;  ///< size of a section without contents
  std::vector<obj::Reloc> relocs;  ///< with the handles of symbols
  u32 link = obj::none;
  bool link_to_symbols = false;
  u32 group = obj::none;
  u32 symbol = obj::none;

  bool nobits() const { return options.type == elf::SHT_NOBITS; }
  u64 size() const { return nobits() ? zeros : bytes.size(); }
};

struct SymbolData {
  std::string name;
  obj::Symbol symbol;  ///< but for the name
  bool referred = false;
};

struct StackMapRecordData {
  u32 function;  ///< of StackMapData::functions
  u32 code;
  u64 offset;    ///< in the section
  u64 id;
  std::vector<Location> locations;
  std::vector<LiveOut> live_outs;
};

/// Stack maps (builder_stack_map.cpp).
struct StackMapData {
  struct Function {
    u32 symbol;
    u64 stack_size;
  };
  std::string name = ".llvm_stackmaps";
  u64 flags = elf::SHF_ALLOC;
  std::vector<Function> functions;
  u32 open = obj::none;  ///< function of the records to come
  std::vector<StackMapRecordData> records;
  std::vector<std::pair<u64, u32>> sections;  ///< section of code, or ~0: all; section of its stack maps
};

/// A place that a PC section describes; with `end`, a range.
struct PcTagged {
  u32 code;  ///< section
  u64 begin;
  std::optional<u64> end = {};
};

/// PC sections (builder_pc_section.cpp).
struct PcData {
  u8 offset_size = 4;                                      ///< bytes of a PC
  std::map<std::pair<u32, std::string>, u32> tables = {};  ///< section of code, name; the table's section
  std::vector<PcTagged> tagged = {};                       ///< to be checked when the code is there
};

struct Builder::Impl {
  Machine machine;
  Format format;
  MachineInfo info;
  std::vector<SectionData> sections;
  std::vector<SymbolData> symbols;
  std::vector<obj::Group> groups;
  std::unordered_map<std::string, u32> by_name;  ///< symbols that are not local
  StackMapData stack_maps;
  PcData pcs;
  bool mark_stack = true;
  bool compact_relocations = false;
  bool big_object = false;
  std::string error;

  obj::ElfWriter elf_writer;
  obj::CoffWriter coff_writer;
  OutputBuffer out;

  void start(Machine for_machine, Format for_format);

  void fail(std::string message) {
    if (error.empty()) error = std::move(message);
  }
  SectionData* at(Section section) {
    if (u32(section) < sections.size()) return &sections[u32(section)];
    fail(fmt::format("there is no section {}", u32(section)));
    return nullptr;
  }
  SymbolData* at(Symbol symbol) {
    if (u32(symbol) < symbols.size()) return &symbols[u32(symbol)];
    fail(fmt::format("there is no symbol {}", u32(symbol)));
    return nullptr;
  }
  /// The section, if bytes can be added to it.
  SectionData* with_bytes(Section section) {
    SectionData* s = at(section);
    if (!s || !s->nobits()) return s;
    fail(fmt::format("section {} has no contents, so nothing but zeros can be added to it", s->name));
    return nullptr;
  }
  bool good_name(std::string_view name) {
    if (name.find('\0') == name.npos) return true;
    fail("a name has a zero byte in it");
    return false;
  }
  /// The symbol, if it is one whose properties can be set.
  SymbolData* settable(Symbol symbol) {
    SymbolData* s = at(symbol);
    if (!s || s->symbol.type != elf::STT_SECTION) return s;
    fail("the symbol of a section can't be changed");
    return nullptr;
  }
  u32 new_symbol(std::string_view name, u8 binding);
  void define(Symbol symbol, u32 section, u64 value);

  void tag(Builder& builder, const PcTagged& place, const PcTag& tag);
  Section pc_table(Builder& builder, u32 code, std::string_view name);
  bool finish_pc_tables();
  bool make_stack_maps();
  bool make_stack_map(u64 code, u32 section);
  bool check();
  bool put_addends(const SectionData& section, std::vector<u8>& bytes);
  bool borrow_contents(u32 section, obj::Section& out);
  // ELF
  void add_symbols(obj::Object& object);
  bool add_sections(obj::Object& object);
  // COFF (builder_coff.cpp)
  bool make_coff(obj::Object& object);
  u32 coff_characteristics(const SectionData& section);
  bool choose_comdats(obj::Object& object);
  void add_coff_symbols(obj::Object& object);
  obj::CoffSymbol coff_symbol(const SymbolData& symbol);
  void check_coff_symbol(const SymbolData& symbol);

  // What `write` hands to the writer, and the object borrows
  std::vector<u32> number;                       ///< a symbol's index in the object
  std::vector<std::vector<obj::Reloc>> relocs;
  std::vector<std::vector<u8>> patched;          ///< contents with the addends in them
  std::deque<std::string> names;                 ///< that were invented
};

}  // namespace xas::object
