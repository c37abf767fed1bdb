// SPDX-License-Identifier: Apache-2.0
// One object of the corpus while it is made: built by xas/object.hpp, then changed by the names of its fields; and the
// facts that a reader has to find in it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "asm/corpus/corpus.h"
#include "asm/corpus/objects/image.h"
#include "xas/object.hpp"

namespace xas::corpus::objects {

using object::Builder;

enum class Format : u8 { elf64le, elf64be, elf32le, elf32be, coff, bigobj };
constexpr unsigned bit(Format format) { return 1u << unsigned(format); }
inline constexpr unsigned elf64 = bit(Format::elf64le) | bit(Format::elf64be);
inline constexpr unsigned elf32 = bit(Format::elf32le) | bit(Format::elf32be);
inline constexpr unsigned elf = elf64 | elf32;
inline constexpr unsigned coff = bit(Format::coff);
inline constexpr unsigned coffs = bit(Format::coff) | bit(Format::bigobj);
inline constexpr unsigned all_formats = elf | coffs;

/// A machine in one of the formats.
struct Target {
  Format format;
  std::string_view machine;
  object::Machine builder;
};

struct Sample {
  Sample(const Target& target, u64 param, u64 seed, std::string_view name);

  const Target target;
  const u64 param;  ///< --param, or the case's own number
  Random random;
  Builder o;
  Image image;
  std::vector<std::pair<std::string, std::variant<u64, std::string>>> facts;
  std::string error;  ///< what has gone wrong in making it

  bool is_coff() const { return target.format >= Format::coff; }
  bool wide() const { return target.format == Format::elf64le || target.format == Format::elf64be; }
  bool big_endian() const { return target.format == Format::elf64be || target.format == Format::elf32be; }
  unsigned word_size() const { return target.machine == "x86_64" || target.machine == "aarch64" ? 8 : 4; }

  // The program that everything stands beside: .text with function _start, .data with a pointer to it.
  Builder::Section text{}, data{};
  Builder::Symbol start{};
  void program();
  /// A loaded section of constants with contents.
  Builder::Section constants(std::string_view name, std::string_view contents = "abcd");
  /// A section that is not loaded, of a type and flags.
  Builder::Section section(std::string_view name, u32 type, std::string_view contents, u64 flags = 0, u64 align = 1,
                           u64 entsize = 0);
  /// A global object of four bytes at the section's start.
  Builder::Symbol object(std::string_view name, Builder::Section section);
  void uleb(Builder::Section section, u64 value);

  /// From the builder to the file. Changes and facts come behind it.
  bool finish();

  void set(std::string_view field, u64 value);
  void set_section(std::string_view name, std::string_view field, u64 value);
  void set_symbol(std::string_view name, std::string_view field, u64 value);
  /// Of the relocations for a section.
  void set_relocation(std::string_view section, u64 number, std::string_view field, u64 value);
  /// "section[4].": what the fields of the section begin with.
  std::string in_section(std::string_view name) const { return fmt::format("section[{}].", image.section(name)); }
  /// The number of a section's relocation section.
  u64 relocations_of(std::string_view section) const;
  void cut(u64 size);

  void fact(std::string_view name, u64 value) { facts.emplace_back(name, value); }
  void fact(std::string_view name, std::string_view value) { facts.emplace_back(name, std::string(value)); }
  /// "FIELD NAME" and the value that the file has there.
  void fact_section(std::string_view name, std::string_view field);
  void fact_symbol(std::string_view name, std::string_view field);
};

enum class Verdict : u8 { valid, tolerated, malformed };

struct Case {
  std::string_view name;
  std::string_view title;   ///< what is special
  std::string_view clause;  ///< of the specification
  Verdict verdict;
  unsigned formats;
  void (*make)(Sample& sample);
  u64 param = 0;                  ///< how many; 0: there is nothing to count
  std::string_view counted = {};  ///< the title with another number, which stands for {}
  bool large = false;             ///< more than 64 MB
};

struct Topic {
  std::string_view name;
  std::span<const Case> cases;
};

// A topic a file
std::span<const Case> count_cases();
std::span<const Case> group_cases();
std::span<const Case> relocation_cases();
std::span<const Case> section_cases();
std::span<const Case> symbol_cases();
std::span<const Case> metadata_cases();
std::span<const Case> cut_cases();

/// What a program does with an object: "readelf" and "reads".
struct ToolResult {
  std::string_view tool, result;
};
/// As it was measured (tests/corpus-objects); nothing for a case or format that was not.
std::vector<ToolResult> tool_results(std::string_view name, std::string_view format);

}  // namespace xas::corpus::objects
