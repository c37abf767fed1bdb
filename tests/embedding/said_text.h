// SPDX-License-Identifier: Apache-2.0
// Takes the statements of a text apart: names, numbers, strings, operands between commas.
#pragma once

#include <cctype>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace said_text {

using std::string;
using std::string_view;

inline bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }
inline bool is_name(char c) { return is_name_start(c) || std::isdigit(static_cast<unsigned char>(c)) || c == '$'; }

inline string_view trimmed(string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front()))) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.remove_suffix(1);
  return s;
}

/// A decimal number without a zero in front, or one of base 16, of up to 63 bits.
inline bool number(string_view s, std::int64_t& value) {
  if (s.empty() || (s.size() > 1 && s[0] == '0' && s[1] != 'x')) return false;
  const int base = s.starts_with("0x") ? 16 : 10;
  if (base == 16) s.remove_prefix(2);
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, base);
  return error == std::errc() && end == s.data() + s.size() && value >= 0;
}

/// Operands between commas that are not in quotes or parentheses.
inline std::vector<string_view> operands_of(string_view s) {
  std::vector<string_view> parts;
  std::size_t from = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (quoted && s[i] == '\\')
      ++i;
    else if (s[i] == '"')
      quoted = !quoted;
    else if (!quoted && (s[i] == '(' || s[i] == ')'))
      depth += s[i] == '(' ? 1 : -1;
    else if (!quoted && depth == 0 && s[i] == ',')
      parts.push_back(trimmed(s.substr(from, i - from))), from = i + 1;
  }
  if (!trimmed(s).empty() || s.find_last_of(",") != s.npos) parts.push_back(trimmed(s.substr(from)));
  return parts;
}

/// The characters of a string in quotes with usual escapes.
inline bool unquoted(string_view s, string& out) {
  if (s.size() < 2 || s.front() != '"' || s.back() != '"') return false;
  s = s.substr(1, s.size() - 2);
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s[i] == '"') return false;
    if (s[i] != '\\') {
      out += s[i];
      continue;
    }
    if (++i == s.size()) return false;
    constexpr string_view letters = "ntrbf\"\\", characters = "\n\t\r\b\f\"\\";
    if (const auto at = letters.find(s[i]); at != letters.npos) {
      out += characters[at];
    } else if (i + 2 < s.size() && s[i] >= '0' && s[i] <= '3' && std::isdigit(s[i + 1]) && std::isdigit(s[i + 2])) {
      out += char((s[i] - '0') * 64 + (s[i + 1] - '0') * 8 + s[i + 2] - '0');
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace said_text
