// SPDX-License-Identifier: Apache-2.0
// The comparison of two objects: first what belongs together is paired by name, then each pair is compared field by
// field. Order is looked at last, and only when nothing else differs.
#include "compare.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "coff.h"
#include "elf_names.h"
#include "explain.h"
#include "process.h"

namespace diff {
namespace {

using xas::read::Error;
using xas::read::Group;
using xas::read::Reloc;
using xas::read::Symbol;

constexpr std::uint32_t SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_NOBITS = 8, SHT_REL = 9, SHT_GROUP = 17,
                        SHT_SYMTAB_SHNDX = 18, SHT_CREL = 0x40000014;
constexpr std::uint64_t SHF_EXECINSTR = 4, SHF_INFO_LINK = 0x40;
constexpr std::uint8_t STT_SECTION = 3, STT_FILE = 4;

/// Sections that the writer makes from the model: compared through what they hold.
bool is_bookkeeping(const Section& section) {
  switch (section.type) {
    case 0:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_RELA:
    case SHT_REL:
    case SHT_GROUP:
    case SHT_SYMTAB_SHNDX:
    case SHT_CREL: return true;
    default:
      return false;
  }
}

std::string section_name(const Object& file, std::uint32_t index) {
  return index < file.sections.size() ? std::string(file.sections[index].name) : fmt::format("<section {}>", index);
}

std::string group_signature(const Object& file, const Section& section) {
  if (section.group == 0) return "";
  for (const Group& group : file.groups) {
    if (group.section == section.group) return std::string(group.signature);
  }
  return "";
}

std::string place_name(const Object& file, const Symbol& symbol) {
  if (symbol.special) {
    switch (symbol.section) {
      case 0xfff1: return "ABS";
      case 0xfff2: return "COMMON";
      case 0xff02: return "LARGE_COMMON";
      default: return fmt::format("{:#x}", symbol.section);
    }
  }
  return symbol.section == 0 ? "UND" : section_name(file, symbol.section);
}

std::string symbol_name(const Object& file, const Symbol& symbol) {
  if (symbol.type == STT_SECTION && symbol.name.empty()) return "section " + section_name(file, symbol.section);
  return std::string(symbol.name);
}

std::string binding_name(std::uint8_t binding) {
  constexpr const char* names[] = {"local", "global", "weak"};
  return binding < 3 ? names[binding] : binding == 10 ? "unique" : fmt::format("binding {}", binding);
}

std::string symbol_type_name(std::uint8_t type) {
  constexpr const char* names[] = {"NOTYPE", "OBJECT", "FUNC", "SECTION", "FILE", "COMMON", "TLS"};
  return type < 7 ? names[type] : type == 10 ? "IFUNC" : fmt::format("type {}", type);
}

std::string symbol_class(const Object& file, const Symbol& symbol) {
  std::string place = place_name(file, symbol);
  return fmt::format("{} {} in {}", binding_name(symbol.binding), symbol_type_name(symbol.type),
                     general_section_name(place));
}

/// "RELA", "REL+RELA", ..., or nothing for a section without relocations.
std::string reloc_kind(const Object& file, const Section& section) {
  std::string kinds;
  for (std::uint32_t i = section.first_relocations; i != 0; i = file.sections[i].next_relocations) {
    if (!kinds.empty()) kinds += '+';
    const std::uint32_t type = file.sections[i].type;
    kinds += type == SHT_RELA ? "RELA" : type == SHT_REL ? "REL" : "CREL";
  }
  return kinds;
}

/// One comparison's state: the differences found so far.
class Comparer {
 public:
  Comparer(const Comparison& files, const Object& left, const Object& right)
      : files_(files), left_(left), right_(right) {}

  std::vector<Difference> compare() {
    compare_header();
    pair_sections();
    compare_contents();
    for (auto [left, right] : pairs_) compare_section_header(*left, *right);
    compare_groups();
    for (auto [left, right] : pairs_) compare_relocs(*left, *right);
    compare_symbols();
    if (found_.empty()) compare_order();
    return std::move(found_);
  }

 private:
  void add(std::string cause, std::string detail, bool consequence = false) {
    found_.push_back({std::move(cause), std::move(detail), false, consequence && code_differs_});
  }

  void compare_header() {
    auto field = [&](const char* name, std::uint64_t left, std::uint64_t right) {
      if (left != right) add(fmt::format("ELF header: {}", name), fmt::format("{:#x}, xas {:#x}", left, right));
    };
    field("class", left_.is_64, right_.is_64);
    field("byte order", left_.big_endian, right_.big_endian);
    field("EI_OSABI", left_.os_abi, right_.os_abi);
    field("EI_ABIVERSION", left_.abi_version, right_.abi_version);
    field("e_type", left_.type, right_.type);
    field("e_machine", left_.machine, right_.machine);
    field("e_flags", left_.flags, right_.flags);
  }

  // Name, group and number among those with the same name and group.
  using SectionKey = std::tuple<std::string, std::string, int>;

  static std::map<SectionKey, const Section*> keyed_sections(const Object& file) {
    std::map<SectionKey, const Section*> keyed;
    std::map<std::pair<std::string, std::string>, int> seen;
    for (const Section& section : file.sections) {
      if (is_bookkeeping(section)) continue;
      std::string signature = group_signature(file, section);
      const std::string name(section.name);
      int number = seen[{name, signature}]++;
      keyed[{name, signature, number}] = &section;
    }
    return keyed;
  }

  void pair_sections() {
    auto left = keyed_sections(left_), right = keyed_sections(right_);
    std::map<const Section*, const Section*> found;
    for (auto& [key, section] : left) {
      auto other = right.find(key);
      if (other == right.end()) {
        add(fmt::format("section missing: {}", general_section_name(section->name)),
            fmt::format("{} (type {}, size {:#x}, group {})", section->name, section_type_name(section->type),
                        section->size, std::get<1>(key)));
      } else {
        found[section] = other->second;
      }
    }
    for (auto& [key, section] : right) {
      if (left.contains(key)) continue;
      add(fmt::format("section extra: {}", general_section_name(section->name)),
          fmt::format("{} (type {}, size {:#x}, group {})", section->name, section_type_name(section->type),
                      section->size, std::get<1>(key)));
    }
    for (const Section& section : left_.sections) {
      auto other = found.find(&section);
      if (other != found.end()) pairs_.emplace_back(&section, other->second);
    }
  }

  void compare_contents() {
    // Code first: what differs there moves everything that refers to it.
    for (bool code : {true, false}) {
      for (auto [left, right] : pairs_) {
        if (((left->flags & SHF_EXECINSTR) != 0) != code) continue;
        compare_contents(*left, *right, code);
      }
      if (code) code_differs_ = !found_.empty() && explained_code_ > 0;
    }
  }

  void compare_contents(const Section& left, const Section& right, bool code) {
    if (left.type == SHT_NOBITS || right.type == SHT_NOBITS) {
      if (left.size != right.size)
        add(fmt::format("size of {}", general_section_name(left.name)),
            fmt::format("{:#x}, xas {:#x}", left.size, right.size));
      return;
    }
    auto mismatch = std::mismatch(left.data.begin(), left.data.end(), right.data.begin(), right.data.end());
    if (mismatch.first == left.data.end() && mismatch.second == right.data.end()) return;
    Place place{left_, right_, left, right, static_cast<std::uint64_t>(mismatch.first - left.data.begin())};
    Difference difference;
    if (code) {
      // The disassembler takes its time; the first sections of a file tell enough.
      if (explained_code_++ < 4) difference = explain_code(files_, place);
      else difference = {"code: in a later section", std::string(left.name)};
    } else {
      difference = explained_data_++ < 12 ? explain_debug(files_, place) : explain_data(place);
    }
    difference.consequence = !code && code_differs_;
    found_.push_back(std::move(difference));
  }

  void compare_section_header(const Section& left, const Section& right) {
    auto differs = [&](const char* what, const std::string& a, const std::string& b) {
      if (a == b) return;
      add(fmt::format("section {}: {}: {} became {}", what, general_section_name(left.name), a, b),
          std::string(left.name));
    };
    differs("type", section_type_name(left.type), section_type_name(right.type));
    differs("flags", section_flags_name(left.flags), section_flags_name(right.flags));
    differs("entsize", fmt::format("{}", left.entsize), fmt::format("{}", right.entsize));
    differs("alignment", fmt::format("{}", left.align), fmt::format("{}", right.align));
    differs("relocations' kind", reloc_kind(left_, left), reloc_kind(right_, right));
    if (left.address != right.address) add("section address", std::string(left.name));
    std::string left_link = section_name(left_, left.link), right_link = section_name(right_, right.link);
    if (left_link != right_link) {
      add(fmt::format("section link: {}", general_section_name(left.name)),
          fmt::format("{}: {}, xas {}", left.name, left_link, right_link));
    }
    bool by_section = ((left.flags | right.flags) & SHF_INFO_LINK) != 0;
    std::string left_info = by_section ? section_name(left_, left.info) : fmt::format("{}", left.info);
    std::string right_info = by_section ? section_name(right_, right.info) : fmt::format("{}", right.info);
    if (left_info != right_info) {
      add(fmt::format("section info: {}", general_section_name(left.name)),
          fmt::format("{}: {}, xas {}", left.name, left_info, right_info));
    }
  }

  static std::map<std::string, std::string> keyed_groups(const Object& file) {
    std::map<std::string, std::string> keyed;
    for (const Group& group : file.groups) {
      std::string members = fmt::format("flags {} members", group.flags);
      for (std::uint32_t member : group.members) members += " " + section_name(file, member);
      std::string key(group.signature);
      while (keyed.contains(key)) key += "'";
      keyed[key] = members;
    }
    return keyed;
  }

  void compare_groups() {
    auto left = keyed_groups(left_), right = keyed_groups(right_);
    for (auto& [signature, members] : left) {
      auto other = right.find(signature);
      if (other == right.end()) add("group missing", signature);
      else if (other->second != members)
        add("group's members", fmt::format("{}: {}, xas {}", signature, members, other->second));
    }
    for (auto& [signature, members] : right) {
      if (!left.contains(signature)) add("group extra", signature);
    }
  }

  struct NamedReloc {
    std::uint64_t offset;
    std::uint32_t type;
    std::string symbol;
    std::int64_t addend;
    auto operator<=>(const NamedReloc&) const = default;
  };

  std::vector<NamedReloc> named_relocs(const Object& file, const Section& section) {
    std::vector<Reloc> relocs;
    if (Error error; !file.relocations(section, relocs, error)) {
      add("relocations cannot be read", fmt::format("{}: {} at {:#x}", section.name, error.message, error.offset));
    }
    std::vector<NamedReloc> named;
    named.reserve(relocs.size());
    for (const Reloc& reloc : relocs) {
      std::string name = reloc.symbol < file.symbols.size() ? symbol_name(file, file.symbols[reloc.symbol]) : "";
      named.push_back({reloc.offset, reloc.type, std::move(name), reloc.addend});
    }
    return named;
  }

  std::string reloc_text(const NamedReloc& reloc) const {
    return fmt::format("{:#x} {} {} {:+#x}", reloc.offset, reloc_name(left_.machine, reloc.type), reloc.symbol,
                       reloc.addend);
  }

  void compare_relocs(const Section& left, const Section& right) {
    auto ours = named_relocs(left_, left), theirs = named_relocs(right_, right);
    if (ours == theirs) return;
    std::string where = general_section_name(left.name);
    auto sorted_ours = ours, sorted_theirs = theirs;
    std::sort(sorted_ours.begin(), sorted_ours.end());
    std::sort(sorted_theirs.begin(), sorted_theirs.end());
    if (sorted_ours == sorted_theirs) {
      auto at = static_cast<std::size_t>(std::mismatch(ours.begin(), ours.end(), theirs.begin()).first - ours.begin());
      add(fmt::format("relocations in another order: {}", where),
          fmt::format("{}: number {} is {}, xas {}", left.name, at, reloc_text(ours[at]), reloc_text(theirs[at])));
      return;
    }
    std::vector<NamedReloc> lost, added;
    std::set_difference(sorted_ours.begin(), sorted_ours.end(), sorted_theirs.begin(), sorted_theirs.end(),
                        std::back_inserter(lost));
    std::set_difference(sorted_theirs.begin(), sorted_theirs.end(), sorted_ours.begin(), sorted_ours.end(),
                        std::back_inserter(added));
    const NamedReloc* a = lost.empty() ? nullptr : &lost.front();
    const NamedReloc* b = added.empty() ? nullptr : &added.front();
    if (a != nullptr && b != nullptr && a->offset != b->offset) (a->offset < b->offset ? b : a) = nullptr;
    std::string cause;
    if (b == nullptr) cause = fmt::format("relocation missing: {} in {}", reloc_name(left_.machine, a->type), where);
    else if (a == nullptr) cause = fmt::format("relocation extra: {} in {}", reloc_name(left_.machine, b->type), where);
    else if (a->type != b->type)
      cause = fmt::format("relocation type: {} became {} in {}", reloc_name(left_.machine, a->type),
                          reloc_name(left_.machine, b->type), where);
    else if (a->symbol != b->symbol)
      cause =
          fmt::format("relocation symbol: {} became {} in {}", symbol_kind(a->symbol), symbol_kind(b->symbol), where);
    else cause = fmt::format("relocation addend: {} in {}", reloc_name(left_.machine, a->type), where);
    add(cause,
        fmt::format("{}: {}, xas {}", left.name, a != nullptr ? reloc_text(*a) : "nothing",
                    b != nullptr ? reloc_text(*b) : "nothing"),
        true);
  }

  static std::string symbol_kind(const std::string& name) {
    if (name.empty()) return "nothing";
    return name.starts_with("section ") ? "a section" : "a name";
  }

  using SymbolKey = std::tuple<std::string, bool, int>;

  static std::map<SymbolKey, const Symbol*> keyed_symbols(const Object& file) {
    std::map<SymbolKey, const Symbol*> keyed;
    std::map<std::pair<std::string, bool>, int> seen;
    for (std::size_t i = 1; i < file.symbols.size(); ++i) {
      const Symbol& symbol = file.symbols[i];
      std::string name = symbol_name(file, symbol);
      bool is_file = symbol.type == STT_FILE;
      int number = seen[{name, is_file}]++;
      keyed[{std::move(name), is_file, number}] = &symbol;
    }
    return keyed;
  }

  void compare_symbols() {
    auto left = keyed_symbols(left_), right = keyed_symbols(right_);
    for (auto& [key, symbol] : left) {
      auto other = right.find(key);
      if (other == right.end()) add(fmt::format("symbol missing: {}", symbol_class(left_, *symbol)), std::get<0>(key));
      else compare_symbol(std::get<0>(key), *symbol, *other->second);
    }
    for (auto& [key, symbol] : right) {
      if (!left.contains(key)) add(fmt::format("symbol extra: {}", symbol_class(right_, *symbol)), std::get<0>(key));
    }
  }

  void compare_symbol(const std::string& name, const Symbol& left, const Symbol& right) {
    auto differs = [&](const char* what, const std::string& a, const std::string& b) {
      if (a != b)
        add(fmt::format("symbol {}: {} became {}", what, general_section_name(a), general_section_name(b)), name);
    };
    auto number = [&](const char* what, std::uint64_t a, std::uint64_t b) {
      if (a != b)
        add(fmt::format("symbol {}: {}", what, symbol_class(left_, left)),
            fmt::format("{}: {:#x}, xas {:#x}", name, a, b), true);
    };
    differs("section", place_name(left_, left), place_name(right_, right));
    differs("binding", binding_name(left.binding), binding_name(right.binding));
    differs("type", symbol_type_name(left.type), symbol_type_name(right.type));
    differs("visibility", fmt::format("{}", left.other), fmt::format("{}", right.other));
    number("value", left.value, right.value);
    number("size", left.size, right.size);
  }

  void compare_order() {
    auto add_order = [&](std::string cause, std::string detail) {
      found_.push_back({std::move(cause), std::move(detail), true, false});
    };
    for (std::size_t i = 0; i < std::max(left_.sections.size(), right_.sections.size()); ++i) {
      std::string a = section_name(left_, static_cast<std::uint32_t>(i)),
                  b = section_name(right_, static_cast<std::uint32_t>(i));
      if (a == b) continue;
      add_order(fmt::format("order of sections: {} became {}", general_section_name(a), general_section_name(b)),
                fmt::format("section {} is {}, xas {}", i, a, b));
      return;
    }
    for (std::size_t i = 0; i < std::min(left_.symbols.size(), right_.symbols.size()); ++i) {
      std::string a = symbol_name(left_, left_.symbols[i]), b = symbol_name(right_, right_.symbols[i]);
      if (a == b) continue;
      add_order(fmt::format("order of symbols: {} became {}", symbol_class(left_, left_.symbols[i]),
                            symbol_class(right_, right_.symbols[i])),
                fmt::format("symbol {} is {}, xas {}", i, a, b));
      return;
    }
    for (std::size_t i = 0; i < left_.sections.size(); ++i) {
      const Section& a = left_.sections[i];
      const Section& b = right_.sections[i];
      if (!std::ranges::equal(a.data, b.data)) {
        add_order(fmt::format("bytes of {}",
                              a.type == SHT_STRTAB ? std::string("a string table") : general_section_name(a.name)),
                  fmt::format("{}, sizes {:#x} and {:#x}", a.name, a.size, b.size));
        return;
      }
      if (std::tie(a.offset, a.flags, a.link, a.info, a.align, a.entsize, a.type) !=
          std::tie(b.offset, b.flags, b.link, b.info, b.align, b.entsize, b.type)) {
        bool only_offset = std::tie(a.flags, a.link, a.info, a.align, a.entsize, a.type) ==
                           std::tie(b.flags, b.link, b.info, b.align, b.entsize, b.type);
        add_order(fmt::format("{} of {}", only_offset ? "file offset" : "section header", general_section_name(a.name)),
                  fmt::format("{}: offset {:#x}, xas {:#x}; flags {:#x}, {:#x}; link {}, {}; info {}, {}; alignment "
                              "{}, {}; entsize {}, {}",
                              a.name, a.offset, b.offset, a.flags, b.flags, a.link, b.link, a.info, b.info, a.align,
                              b.align, a.entsize, b.entsize));
        return;
      }
    }
    add_order("bytes outside of sections",
              fmt::format("section headers at {:#x}, xas {:#x}", left_.section_headers, right_.section_headers));
  }

  const Comparison& files_;
  const Object& left_;
  const Object& right_;
  std::vector<std::pair<const Section*, const Section*>> pairs_;
  std::vector<Difference> found_;
  bool code_differs_ = false;
  int explained_code_ = 0;
  int explained_data_ = 0;
};

}  // namespace

std::string general_section_name(std::string_view name) {
  static const RE2 particular(
      "^(\\.(?:text|text\\.(?:unlikely|hot|startup|exit)|rodata|rodata\\.cst|rodata\\.str|data|data\\.rel|"
      "data\\.rel\\.ro|data\\.rel\\.local|data\\.rel\\.ro\\.local|bss|tdata|tbss|gcc_except_table|ldata|lbss|lrodata|"
      "ltext|init_array|fini_array))[._].*$");
  std::string general(name);
  RE2::Replace(&general, particular, "\\1.*");
  return general;
}

std::vector<Difference> compare_objects(const Comparison& files) {
  auto left = read_file(files.oracle), right = read_file(files.subject);
  if (!left) return {{"the oracle left no object", ""}};
  if (!right) return {{"xas left no object", ""}};
  if (*left == *right) return {};
  if (is_coff(as_bytes(*left))) return compare_coff(as_bytes(*left), as_bytes(*right));
  Object left_file, right_file;
  Error error;
  if (!xas::read::read_object(as_bytes(*left), left_file, error)) {
    return {{"the oracle's object cannot be read", fmt::format("{} at {:#x}", error.message, error.offset)}};
  }
  if (!xas::read::read_object(as_bytes(*right), right_file, error)) {
    return {{fmt::format("xas' object cannot be read: {} at {:#x}", error.message, error.offset), ""}};
  }
  return Comparer(files, left_file, right_file).compare();
}

}  // namespace diff
