// SPDX-License-Identifier: Apache-2.0
// What the topics of `xas-corpus texts` share: numbers that depend on the seed alone, and the text that grows.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "asm/text/append.h"

namespace xas::corpus::texts {

enum class Machine : std::uint8_t { x86_64, i386, arm64, arm };

class Text {
 public:
  /// `llvm`: for llvm-mc, which knows other directives than GNU as.
  Text(std::uint64_t seed, bool llvm, Machine machine = Machine::x86_64)
      : llvm(llvm), machine(machine), state_(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}

  /// A number below `end`.
  unsigned below(unsigned end) {
    state_ ^= state_ << 13, state_ ^= state_ >> 7, state_ ^= state_ << 17;
    return static_cast<unsigned>((state_ >> 33) % end);
  }
  bool one_in(unsigned n) { return below(n) == 0; }

  std::string_view any(std::initializer_list<std::string_view> of) { return of.begin()[below(unsigned(of.size()))]; }

  template <class... T>
  void line(fmt::format_string<T...> format, T&&... values) {
    append(out, format, std::forward<T>(values)...);
    out += '\n';
  }

  const bool llvm;
  const Machine machine;
  std::string out;

 private:
  std::uint64_t state_;
};

/// The topics: each appends some dozen lines that the assembler it is for accepts, but for few.
void symbols_and_sections(Text& text);
void frames(Text& text);
void line_tables(Text& text);
void layout(Text& text);
void expressions(Text& text);
void macros(Text& text);
void data(Text& text);
void relocations(Text& text);
void conditionals(Text& text);
void alternate_macros(Text& text);
void numbered_lines(Text& text);
void section_kinds(Text& text);
void late_sizes(Text& text);
void bundles(Text& text);
void rare_frames(Text& text);
void rare_lines(Text& text);
void view_resets(Text& text);
void versions(Text& text);
void nested_macros(Text& text);
void preferred_alignments(Text& text);
// For Windows:
void unwind_tables(Text& text);
void codeview(Text& text);
void coff_symbols(Text& text);

}  // namespace xas::corpus::texts
