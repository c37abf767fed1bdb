// SPDX-License-Identifier: Apache-2.0
// What all tables have in common: lines, words, mistakes and features. And what those of A64 and ARM have besides:
// columns, and rows multiplied out over families and optional parts, as text, before anything else is read of them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "xas/types.hpp"

namespace xas::isagen {

/// A list of numbers as the key of a std::map. libstdc++ 12 compares vectors of integers wrongly on big-endian hosts.
using PoolKey = std::u32string;

/// A table's file.
struct SourceText {
  std::string name;
  std::string text;
};

/// A mistake in a table; reading stops at the first in each line and goes on with the next line.
struct TableError {
  std::string file;
  unsigned line;
  std::string message;
};

struct Feature {
  std::string name;
  std::vector<unsigned> implies;  ///< directly
};

struct Mistake {
  std::string message;
};

template <class... T>
[[noreturn]] void fail(fmt::format_string<T...> format, T&&... args) {
  throw Mistake{fmt::format(format, std::forward<T>(args)...)};
}

inline std::string_view trim(std::string_view s) {
  while (!s.empty() && std::isspace(u8(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(u8(s.back()))) s.remove_suffix(1);
  return s;
}

inline std::vector<std::string> split(std::string_view s, char separator) {
  std::vector<std::string> parts;
  for (std::size_t from = 0;;) {
    std::size_t to = s.find(separator, from);
    parts.emplace_back(trim(s.substr(from, to == s.npos ? s.npos : to - from)));
    if (to == s.npos) return parts;
    from = to + 1;
  }
}

inline std::vector<std::string> words(std::string_view s) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < s.size();) {
    while (i < s.size() && std::isspace(u8(s[i]))) ++i;
    const std::size_t from = i;
    while (i < s.size() && !std::isspace(u8(s[i]))) ++i;
    if (i > from) out.emplace_back(s.substr(from, i - from));
  }
  return out;
}

/// Hands the reader the declarations of all files (lines whose first word is one of its own), then all sections
/// ([...]) and rows. `comment` begins a comment; a line that ends with a backslash goes on in the next one.
template <class Reader>
void read_lines(const std::vector<SourceText>& files, char comment, Reader& reader, std::vector<TableError>& errors) {
  for (bool declarations : {true, false})
    for (const SourceText& file : files) {
      reader.begin_file();
      unsigned number = 0;
      std::string joined;
      for (std::string_view rest = file.text; !rest.empty();) {
        ++number;
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
        line = trim(line.substr(0, line.find(comment)));
        if (line.ends_with('\\')) {
          joined += line.substr(0, line.size() - 1);
          continue;
        }
        joined += line;
        const std::string whole = std::exchange(joined, {});
        if (whole.empty()) continue;
        const std::size_t blank = whole.find(' ');
        const bool is_declaration = blank != whole.npos && reader.is_declaration(whole.substr(0, blank));
        if (is_declaration != declarations) continue;
        try {
          if (is_declaration) reader.declaration(whole);
          else if (whole[0] == '[') reader.section(whole);
          else reader.row(whole, file.name, number);
        } catch (const Mistake& m) {
          errors.push_back({file.name, number, m.message});
        } catch (const std::exception&) {
          errors.push_back({file.name, number, "malformed number"});
        }
      }
    }
}

inline std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Columns are set off by " |": the bar of Xn|sp and feature|feature is none.
inline std::vector<std::string> columns_of(std::string_view line) {
  std::vector<std::string> columns;
  for (std::size_t from = 0;;) {
    std::size_t to = line.find(" |", from);
    while (to != line.npos && to + 2 < line.size() && line[to + 2] != ' ') to = line.find(" |", to + 1);
    columns.emplace_back(trim(line.substr(from, to == line.npos ? line.npos : to - from)));
    if (to == line.npos) return columns;
    from = to + 2;
  }
}

/// What a family puts in place of %T (and %U, ...), and the bits it puts in place of T in the pattern.
struct Variant {
  std::vector<std::string> texts;
  std::string bits;
};
using Family = std::vector<Variant>;

inline Family parse_family(const std::vector<std::string>& values) {
  Family f;
  for (const std::string& v : values) {
    const std::size_t colon = v.rfind(':');
    if (colon == v.npos) fail("family member '{}' has no bits", v);
    for (const std::string& name : split(v.substr(0, colon), '|'))
      f.push_back({split(name, '/'), v.substr(colon + 1)});
  }
  return f;
}

/// Calls done(operands, pattern) for each combination of the families' members and of what may be left out.
template <class Done>
void multiply(const std::string& left, const std::string& pattern,
              const std::vector<std::pair<std::string, Family>>& families, std::size_t next, const Done& done) {
  if (next < families.size()) {
    const auto& [letters, variants] = families[next];
    if (left.find(std::string("%") + letters[0]) == left.npos) fail("family '{}' is not used", letters);
    for (const Variant& v : variants) {
      std::string text = left, bits = pattern;
      if (v.texts.size() != letters.size()) fail("family '{}' has {} texts for '{}'", letters, v.texts.size(), letters);
      for (std::size_t i = 0; i < letters.size(); ++i)
        text = replace_all(text, std::string("%") + letters[i], v.texts[i]);
      std::size_t used = 0;
      for (char& c : bits)
        if (c == letters[0]) {
          if (used >= v.bits.size()) fail("'{}' has fewer bits than the pattern's '{}'", v.bits, letters[0]);
          c = v.bits[used++];
        }
      if (used != v.bits.size()) fail("'{}' has more bits than the pattern's '{}'", v.bits, letters[0]);
      multiply(text, bits, families, next + 1, done);
    }
    return;
  }
  if (const std::size_t open = left.find("?("); open != left.npos) {
    std::size_t close = open + 2;
    for (unsigned depth = 1; close < left.size(); ++close) {
      if (left[close] == '(') ++depth;
      if (left[close] == ')' && --depth == 0) break;
    }
    if (close == left.size()) fail("')' is missing");
    const std::string inside = left.substr(open + 2, close - open - 2);
    multiply(left.substr(0, open) + inside + left.substr(close + 1), pattern, families, next, done);
    // Bits of what is left out are zero.
    std::string without = left.substr(0, open) + left.substr(close + 1), bits = pattern;
    for (std::size_t i = 0; i < inside.size(); ++i) {
      if (inside[i] != ':') continue;
      for (std::size_t k = i + 1; k < inside.size() && std::isalpha(u8(inside[k])); ++k)
        std::replace(bits.begin(), bits.end(), inside[k], '0');
    }
    multiply(without, bits, families, next, done);
    return;
  }
  done(left, pattern);
}

}  // namespace xas::isagen
