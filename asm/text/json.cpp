// SPDX-License-Identifier: Apache-2.0
#include "asm/text/json.h"

namespace xas {

unsigned decode_utf8(std::string_view text, u32& code) {
  u8 c = u8(text[0]);
  unsigned n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (n == 0 || text.size() < n) return 0;
  code = n == 1 ? c : c & (0xFF >> (n + 1));
  for (unsigned i = 1; i < n; ++i) {
    if ((u8(text[i]) & 0xC0) != 0x80) return 0;
    code = code << 6 | (u8(text[i]) & 0x3F);
  }
  bool overlong = (n == 3 && code < 0x800) || (n == 4 && code < 0x10000);
  return overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : n;
}

/// A character that stands for itself in a JSON string.
static bool is_plain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    std::size_t plain = i;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out += text.substr(i, plain - i);
    i = plain;
    if (i == text.size()) break;
    u32 code = 0;
    const unsigned length = decode_utf8(text.substr(i), code);
    if (length == 0) {
      out += "\\ufffd";
    } else if (code < 0x20 || code == 0x7F) {
      constexpr char hex[] = "0123456789abcdef";
      ((out += "\\u00") += hex[code >> 4]) += hex[code & 15];
    } else {
      if (code == '"' || code == '\\') out += '\\';
      out += text.substr(i, length);
    }
    i += length ? length : 1;
  }
  out += '"';
}

}  // namespace xas
