// SPDX-License-Identifier: Apache-2.0
// The builder's objects for Windows. What callers say in the terms of both formats becomes COFF's: ELF's types and
// flags of sections are characteristics, groups are COMDAT sections with others associated to them, a weak symbol is an
// undefined one that names a default. What COFF has no word for is an error, unless it changes nothing for a linker of
// COFF (sizes and visibility of symbols, sections whose equal parts may be merged).
#include <algorithm>
#include <bit>

#include "fmt/format.h"
#include "objwriter/builder_impl.h"
#include "objwriter/coff_constants.h"

namespace xas::object {

using namespace coff;
using Aux = obj::CoffSymbol::Aux;

MachineInfo coff_machine(Machine machine) {
  switch (machine) {
    case Machine::x86_64: return {.machine = IMAGE_FILE_MACHINE_AMD64, .pointer_size = 8, .pointer = 1};   // ADDR64
    case Machine::i386: return {.machine = IMAGE_FILE_MACHINE_I386, .pointer_size = 4, .pointer = 6};      // DIR32
    case Machine::aarch64: return {.machine = IMAGE_FILE_MACHINE_ARM64, .pointer_size = 8, .pointer = 14}; // ADDR64
    case Machine::arm: return {.machine = IMAGE_FILE_MACHINE_ARMNT, .pointer_size = 4, .pointer = 1};      // ADDR32
    default: return {};
  }
}

unsigned coff_plain_field(u16 machine, u32 type) {
  switch (machine) {
    case IMAGE_FILE_MACHINE_AMD64: return type == 1 ? 8 : type == 10 ? 2 : type == 12 ? 1 : 4;  // SECTION, SECREL7
    case IMAGE_FILE_MACHINE_I386: return type == 10 ? 2 : type == 13 ? 1 : 4;
    case IMAGE_FILE_MACHINE_ARM64:  // ADDR32, ADDR32NB, SECREL, SECTION, ADDR64, REL32; the others are instructions'
      return type == 1 || type == 2 || type == 8 || type == 17 ? 4 : type == 13 ? 2 : type == 14 ? 8 : 0;
    default:  // the same without ADDR64
      return type == 1 || type == 2 || type == 10 || type == 15 ? 4 : type == 14 ? 2 : 0;
  }
}

/// IMAGE_SCN_* of a section that is described in ELF's terms.
u32 Builder::Impl::coff_characteristics(const SectionData& section) {
  using namespace elf;
  const SectionOptions& o = section.options;
  if (o.characteristics) {
    if (section.nobits() != ((o.characteristics & IMAGE_SCN_CNT_UNINITIALIZED_DATA) != 0))
      fail(fmt::format("section {} has type {}, but characteristics {:#x}", section.name, o.type, o.characteristics));
    return o.characteristics;
  }
  constexpr u64 known = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_TLS | SHF_LINK_ORDER;
  if ((o.type != SHT_PROGBITS && o.type != SHT_NOBITS) || (o.flags & ~known))
    fail(fmt::format("section {} has type {} and flags {:#x}, of which COFF has no counterpart", section.name, o.type,
                     o.flags));
  u32 c = IMAGE_SCN_MEM_READ;
  if (o.flags & SHF_WRITE) c |= IMAGE_SCN_MEM_WRITE;
  if (o.flags & SHF_EXECINSTR) c |= IMAGE_SCN_MEM_EXECUTE;
  if (!(o.flags & SHF_ALLOC)) c |= IMAGE_SCN_MEM_DISCARDABLE;
  return c | (section.nobits()              ? IMAGE_SCN_CNT_UNINITIALIZED_DATA
              : o.flags & SHF_EXECINSTR ? IMAGE_SCN_CNT_CODE
                                        : IMAGE_SCN_CNT_INITIALIZED_DATA);
}

/// In each group, the section that has the signature is chosen by it, and the others go with that one.
bool Builder::Impl::choose_comdats(obj::Object& object) {
  std::vector<u32> leaders(groups.size(), obj::none);
  for (u32 g = 0; g < groups.size(); ++g) {
    const SymbolData& s = symbols[groups[g].signature];
    const u32 section = s.symbol.section;
    if (!groups[g].comdat) fail(fmt::format("the group of {} is no COMDAT, and COFF has no other groups", s.name));
    if (section >= sections.size() || sections[section].group != g) {
      fail(fmt::format("the signature {} is not defined in a section of its group, as COFF demands", s.name));
    } else {
      leaders[g] = section;
    }
  }
  if (!error.empty()) return false;
  for (u32 i = 0; i < sections.size(); ++i) {
    const SectionData& s = sections[i];
    const u32 with = s.group != obj::none ? i : s.link;
    if (with == obj::none) continue;
    const u32 group = sections[with].group;
    if (group == obj::none) {
      fail(fmt::format("section {} is to go with {}, which is in no group; COFF drops sections of groups only", s.name,
                       sections[with].name));
      return false;
    }
    object.sections[i].flags |= IMAGE_SCN_LNK_COMDAT;
    if (leaders[group] == i) {
      object.sections[i].selection = IMAGE_COMDAT_SELECT_ANY;
    } else {
      object.sections[i].selection = IMAGE_COMDAT_SELECT_ASSOCIATIVE;
      object.sections[i].link_section = leaders[group];
    }
  }
  return true;
}

void Builder::Impl::check_coff_symbol(const SymbolData& symbol) {
  const obj::Symbol& s = symbol.symbol;
  if (s.type == elf::STT_GNU_IFUNC || s.binding == elf::STB_GNU_UNIQUE)
    fail(fmt::format("symbol {}: COFF has neither indirect functions nor unique symbols", symbol.name));
  if (s.section == obj::section_absolute && s.value > ~u32(0))
    fail(fmt::format("symbol {} is {:#x}; symbols of COFF have 32 bits", symbol.name, s.value));
  if (s.section != obj::section_common) return;
  constexpr u64 max_align = 32;  // what linkers make of a size
  if (s.size == 0 || s.size > ~u32(0))
    fail(fmt::format("common symbol {} has {} bytes; in COFF it can have 1 to 4294967295", symbol.name, s.size));
  else if (s.value > std::min(max_align, std::bit_ceil(s.size)))
    fail(
        fmt::format("common symbol {} can't be aligned to {} bytes: COFF leaves that to the linker, which goes by the "
                    "size, up to {}",
                    symbol.name, s.value, max_align));
}

/// As the table has it, but for weak symbols.
obj::CoffSymbol Builder::Impl::coff_symbol(const SymbolData& symbol) {
  check_coff_symbol(symbol);
  const obj::Symbol& s = symbol.symbol;
  obj::CoffSymbol o{.name = symbol.name, .value = s.value, .section = s.section};
  if (s.section == obj::section_common) o.section = obj::section_undefined, o.value = s.size;
  if (s.type == elf::STT_FUNC) o.type = IMAGE_SYM_DTYPE_FUNCTION;
  o.storage_class = s.binding == elf::STB_LOCAL ? IMAGE_SYM_CLASS_STATIC : IMAGE_SYM_CLASS_EXTERNAL;
  return o;
}

/// Files; each section's symbol, followed by the one it is chosen by; the others.
void Builder::Impl::add_coff_symbols(obj::Object& object) {
  auto& list = object.coff_symbols;
  number.assign(symbols.size(), obj::none);
  const auto add = [&](u32 i, const obj::CoffSymbol& s) {
    number[i] = u32(list.size());
    list.push_back(s);
  };
  for (u32 i = 0; i < symbols.size(); ++i) {
    if (symbols[i].symbol.type != elf::STT_FILE) continue;
    add(i, {.name = ".file",
            .section = obj::section_debug,
            .storage_class = IMAGE_SYM_CLASS_FILE,
            .aux = Aux::file,
            .text = symbols[i].name});
  }
  for (u32 i = 0; i < sections.size(); ++i) {
    const SectionData& s = sections[i];
    if (s.symbol != obj::none) number[s.symbol] = u32(list.size());
    list.push_back({.name = s.name, .section = i, .storage_class = IMAGE_SYM_CLASS_STATIC, .aux = Aux::section});
    if (object.sections[i].selection == IMAGE_COMDAT_SELECT_ANY) {
      const u32 signature = groups[s.group].signature;
      add(signature, coff_symbol(symbols[signature]));
    }
  }
  // Defaults of one name in two objects would clash, so a name of this object is added.
  std::string_view unique;
  for (const SymbolData& s : symbols)
    if (s.symbol.binding == elf::STB_GLOBAL && s.symbol.section < sections.size() && unique.empty()) unique = s.name;
  for (u32 i = 0; i < symbols.size(); ++i) {
    const SymbolData& s = symbols[i];
    if (number[i] != obj::none || (s.symbol.section == obj::section_undefined && !s.referred)) continue;
    obj::CoffSymbol o = coff_symbol(s);
    if (s.symbol.binding == elf::STB_WEAK) {
      obj::CoffSymbol by_default = o;
      by_default.name =
          names.emplace_back(fmt::format(".weak.{}.default{}{}", s.name, unique.empty() ? "" : ".", unique));
      if (o.section == obj::section_undefined) by_default.section = obj::section_absolute;
      o = {.name = o.name,
           .type = o.type,
           .storage_class = IMAGE_SYM_CLASS_WEAK_EXTERNAL,
           .aux = Aux::weak,
           .tag = u32(list.size()) + 1,
           .search = IMAGE_WEAK_EXTERN_SEARCH_ALIAS};
      add(i, o);
      list.push_back(by_default);
    } else {
      add(i, o);
    }
  }
}

bool Builder::Impl::make_coff(obj::Object& object) {
  object.coff = obj::llvm_coff_style;
  object.coff.big_obj = big_object;
  names.clear();
  object.sections.resize(sections.size());
  for (u32 i = 0; i < sections.size(); ++i) object.sections[i].flags = coff_characteristics(sections[i]);
  if (!choose_comdats(object)) return false;
  add_coff_symbols(object);
  for (u32 i = 0; i < sections.size() && error.empty(); ++i) borrow_contents(i, object.sections[i]);
  return error.empty();
}

}  // namespace xas::object
