// SPDX-License-Identifier: Apache-2.0
// COFF objects as text. Each line is one fact: the header, a section, a row of its contents, a relocation, a symbol.
// Names stand in place of indices, so that lines can be compared one by one, and sorted to tell another order from
// other content.
#include "coff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "objwriter/read/object.h"

namespace diff {
namespace {

using namespace xas::read;

struct Line {
  std::string kind;  ///< without names of the program: what differences are counted by
  std::string text;
  auto operator<=>(const Line&) const = default;
};

class CoffText {
 public:
  explicit CoffText(const Object& object) : object_(object) {}

  /// The object as lines, or what cannot be read.
  bool write(std::vector<Line>& lines, Error& error) {
    const bool big = object_.kind == FileKind::bigobj;
    lines.push_back(
        {"header", fmt::format("machine {:#x}, {} sections, flags {:#x}, stamp {:#x}{}", object_.machine,
                               object_.sections.size() - 1, object_.flags, object_.time_stamp, big ? ", bigobj" : "")});
    for (const Section& section : object_.sections) {
      if (section.index != 0 && !write_section(section, lines, error)) return false;
    }
    for (std::uint32_t i = 0; i < object_.symbols.size(); ++i) {
      const Symbol& symbol = object_.symbols[i];
      if (symbol.auxiliary) continue;
      lines.push_back({fmt::format("symbol of class {}", symbol.storage_class),
                       fmt::format("{}: value {:#x}, section {}, type {:#x}, auxiliary {}", symbol.name, symbol.value,
                                   std::int32_t(symbol.section), symbol.type, hex(object_.auxiliary(i)))});
    }
    return true;
  }

 private:
  static std::string hex(std::span<const std::uint8_t> bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); }

  bool write_section(const Section& section, std::vector<Line>& lines, Error& error) {
    const std::string general = general_section_name(section.name.substr(0, section.name.find('$')));
    lines.push_back({fmt::format("section {}", general), fmt::format("{} {}: size {:#x}, flags {:#x}", section.index,
                                                                     section.name, section.size, section.flags)});
    for (std::size_t at = 0; at < section.data.size(); at += 16) {
      const auto row = section.data.subspan(at, std::min<std::size_t>(16, section.data.size() - at));
      lines.push_back(
          {fmt::format("contents of {}", general), fmt::format("{} {:#x}: {}", section.name, at, hex(row))});
    }
    std::vector<Reloc> relocs;
    if (!object_.relocations(section, relocs, error)) return false;
    for (const Reloc& reloc : relocs) {
      lines.push_back({fmt::format("relocation of type {} in {}", reloc.type, general),
                       fmt::format("{} {:#x}: {}", section.name, reloc.offset, object_.symbols[reloc.symbol].name)});
    }
    return true;
  }

  const Object& object_;
};

}  // namespace

bool is_coff(std::span<const std::uint8_t> bytes) {
  const FileKind kind = xas::read::identify(bytes);
  return kind == FileKind::coff || kind == FileKind::bigobj;
}

std::vector<Difference> compare_coff(std::span<const std::uint8_t> oracle, std::span<const std::uint8_t> subject) {
  Object oracle_object, subject_object;
  std::vector<Line> left, right;
  Error error;
  if (!read_object(oracle, oracle_object, error) || !CoffText(oracle_object).write(left, error)) {
    return {{"the oracle's object cannot be read", fmt::format("{} at {:#x}", error.message, error.offset)}};
  }
  if (!read_object(subject, subject_object, error) || !CoffText(subject_object).write(right, error)) {
    return {{"xas' object cannot be read", fmt::format("{} at {:#x}", error.message, error.offset)}};
  }
  const auto first = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  const auto told = [](const Line* line) { return line ? line->text : std::string("nothing"); };
  const Line* a = first.first == left.end() ? nullptr : &*first.first;
  const Line* b = first.second == right.end() ? nullptr : &*first.second;
  if (!a && !b) return {{"bytes between the parts of the file", "", true}};
  const std::string detail = fmt::format("{}; xas {}", told(a), told(b));
  const std::string kind = a ? a->kind : b->kind;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  if (left == right) return {{fmt::format("order of {}", kind), detail, true}};
  return {{kind, detail}};
}

}  // namespace diff
