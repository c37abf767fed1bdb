// SPDX-License-Identifier: Apache-2.0
// See explain.h. The decoding is left to objdump and readelf, which share nothing with xas.
#include "explain.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "process.h"

namespace diff {
namespace {

using xas::read::Symbol;

constexpr std::uint64_t decode_limit = 8 << 20;  // bytes of a section; beyond that the decoders take minutes

const Symbol* nearest_symbol(const Object& file, std::uint32_t section, std::uint64_t offset) {
  const Symbol* best = nullptr;
  for (const Symbol& symbol : file.symbols) {
    if (symbol.section != section || symbol.special || symbol.value > offset || symbol.type == 3 || symbol.name.empty())
      continue;
    if (best == nullptr || symbol.value >= best->value) best = &symbol;
  }
  return best;
}

std::string hex_around(const Section& section, std::uint64_t offset) {
  std::string text;
  std::uint64_t from = offset & ~std::uint64_t(7);
  for (std::uint64_t at = from; at < std::min<std::uint64_t>(from + 16, section.data.size()); ++at) {
    text += fmt::format("{}{:02x}", at == offset ? '>' : ' ', section.data[at]);
  }
  return text.empty() ? " (the end)" : text;
}

struct Instruction {
  std::uint64_t offset = 0;
  std::string bytes;
  std::string text;
};

/// objdump's instructions of `section` between two offsets.
std::vector<Instruction> disassemble(const std::filesystem::path& object, const Section& section, std::uint64_t from,
                                     std::uint64_t to, const Comparison& files) {
  std::vector<Instruction> instructions;
  RunResult result =
      run({"objdump", "-d", "-z", "-w", "--no-addresses", "-j", std::string(section.name),
           fmt::format("--start-address={}", from), fmt::format("--stop-address={}", to), object.string()},
          "", "", files.scratch);
  // Addresses are counted here, from the bytes.
  static const RE2 line_pattern("^\\s*((?:[0-9a-f]{2} )+)\\s*\t?(.*)$");
  std::uint64_t at = from;
  std::size_t start = 0;
  while (start < result.output.size()) {
    std::size_t end = std::min(result.output.find('\n', start), result.output.size());
    std::string line = result.output.substr(start, end - start);
    start = end + 1;
    std::string bytes, text;
    if (!RE2::FullMatch(line, line_pattern, &bytes, &text)) continue;
    while (!bytes.empty() && bytes.back() == ' ') bytes.pop_back();
    instructions.push_back({at, bytes, text});
    at += (bytes.size() + 1) / 3;
  }
  return instructions;
}

std::string mnemonic(const std::string& text) {
  static const RE2 prefixes(
      "^((?:(?:lock|rep|repz|repnz|notrack|bnd|data16|cs|ds|es|ss|fs|gs|addr32|rex\\.?[WRXB]*|xacquire|xrelease) "
      ")*)([a-z0-9.()]+).*");
  std::string before, name;
  if (!RE2::FullMatch(text, prefixes, &before, &name)) return text.substr(0, text.find(' '));
  if (name == "nop" || name == "nopw" || name == "nopl" ||
      (name == "xchg" && text.find("%ax,%ax") != std::string::npos))
    return "nop";
  return before.find("data16") != std::string::npos ? name : before + name;
}

/// The line of `source` that holds instruction number `index` (from 0, without no-ops) behind the label `symbol`.
std::optional<std::string> source_line(const std::filesystem::path& source, const std::string& symbol,
                                       std::size_t index) {
  auto text = read_file(source, 64 << 20);
  if (!text) return std::nullopt;
  std::size_t at = text->compare(0, symbol.size() + 1, symbol + ":") == 0 ? 0 : text->find("\n" + symbol + ":");
  if (at == std::string::npos) return std::nullopt;
  auto line_number =
      1 + static_cast<std::size_t>(std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  std::size_t start = at == 0 ? 0 : at + 1;
  if (at != 0) ++line_number;
  static const RE2 instruction("^\\s+[a-z{].*");
  static const RE2 no_operation("^\\s+(nop|data16|xchgw\\s+%ax,\\s*%ax).*");
  for (; start < text->size(); ++line_number) {
    std::size_t end = std::min(text->find('\n', start), text->size());
    std::string line = text->substr(start, end - start);
    start = end + 1;
    if (!RE2::FullMatch(line, instruction) || RE2::FullMatch(line, no_operation)) continue;
    if (index-- == 0)
      return fmt::format("{}:{}: {}", source.filename().string(), line_number,
                         line.substr(line.find_first_not_of(" \t")));
  }
  return std::nullopt;
}

std::string without_numbers(std::string text) {
  static const RE2 numbers("\\b(0x[0-9a-f]+|[0-9a-f]*[0-9][0-9a-f]*)\\b");
  RE2::GlobalReplace(&text, numbers, "N");
  static const RE2 spaces("\\s+");
  RE2::GlobalReplace(&text, spaces, " ");
  return text.substr(0, 100);
}

std::vector<std::string_view> lines_of(const std::string& text) {
  std::vector<std::string_view> lines;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

}  // namespace

Difference explain_code(const Comparison& files, const Place& place) {
  const Symbol* symbol = nearest_symbol(place.oracle, place.oracle_section.index, place.offset);
  std::uint64_t from = symbol != nullptr ? symbol->value : 0;
  std::string where = fmt::format("{}+{:#x}", place.oracle_section.name, place.offset);
  if (symbol != nullptr) where += fmt::format(" ({}+{:#x})", symbol->name, place.offset - from);
  auto oracle = disassemble(files.oracle, place.oracle_section, from, place.offset + 16, files);
  auto subject = disassemble(files.subject, place.subject_section, from, place.offset + 16, files);
  // Both lists agree up to the instruction that holds the byte.
  std::size_t index = 0, counted = 0;
  while (index < oracle.size() && index < subject.size() && oracle[index].bytes == subject[index].bytes) {
    if (mnemonic(oracle[index].text) != "nop") ++counted;
    ++index;
  }
  if (index >= oracle.size() || index >= subject.size()) {
    Difference data = explain_data(place);
    return {fmt::format("code: {}", index >= subject.size() ? "xas has less" : "xas has more"),
            where + ": " + data.detail};
  }
  const Instruction& left = oracle[index];
  const Instruction& right = subject[index];
  std::string cause;
  std::string left_name = mnemonic(left.text), right_name = mnemonic(right.text);
  if (left_name != right_name) cause = fmt::format("code: {} became {}", left_name, right_name);
  else if (left.bytes.size() != right.bytes.size())
    cause = fmt::format("code: {} of another length ({} bytes, xas {})", left_name, (left.bytes.size() + 1) / 3,
                        (right.bytes.size() + 1) / 3);
  else cause = fmt::format("code: {} encoded differently", left_name);
  std::string detail = fmt::format("{}: {} [{}], xas: {} [{}]", where, left.bytes, left.text, right.bytes, right.text);
  if (symbol != nullptr) {
    if (auto line = source_line(files.source, std::string(symbol->name), counted)) detail += "; source " + *line;
  }
  return {cause, detail};
}

Difference explain_data(const Place& place) {
  const Section& left = place.oracle_section;
  const Section& right = place.subject_section;
  const Symbol* symbol = nearest_symbol(place.oracle, left.index, place.offset);
  std::string where = fmt::format("{}+{:#x}", left.name, place.offset);
  if (symbol != nullptr) where += fmt::format(" ({}+{:#x})", symbol->name, place.offset - symbol->value);
  std::string cause = fmt::format("contents of {}", general_section_name(left.name));
  if (left.size != right.size) cause += right.size < left.size ? ", too short" : ", too long";
  return {cause, fmt::format("{}: {}, xas:{}; sizes {:#x} and {:#x}", where, hex_around(left, place.offset),
                             hex_around(right, place.offset), left.size, right.size)};
}

Difference explain_debug(const Comparison& files, const Place& place) {
  Difference plain = explain_data(place);
  const std::string name(place.oracle_section.name);
  const char* option = nullptr;
  if (name == ".eh_frame" || name.starts_with(".debug_frame")) option = "--debug-dump=frames";
  else if (name.starts_with(".debug_line") && !name.starts_with(".debug_line_str")) option = "--debug-dump=rawline";
  if (option == nullptr || place.oracle_section.size > decode_limit) return plain;
  auto decode = [&](const std::filesystem::path& object) {
    return run({"readelf", "-W", option, object.string()}, "", "", files.scratch).output;
  };
  std::string left_text = decode(files.oracle), right_text = decode(files.subject);
  auto left = lines_of(left_text), right = lines_of(right_text);
  for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i) {
    if (left[i] == right[i]) continue;
    // The length in a header differs whenever something later does; what comes later says more.
    if (left[i].find("Length:") != std::string_view::npos || left[i].find("Offset:") != std::string_view::npos)
      continue;
    std::string cause = fmt::format("{}: \"{}\" became \"{}\"", name, without_numbers(std::string(left[i])),
                                    without_numbers(std::string(right[i])));
    return {cause, fmt::format("\"{}\", xas \"{}\"; {}", left[i], right[i], plain.detail)};
  }
  return plain;
}

}  // namespace diff
