#include "asm/text/output.h"

#include <unistd.h>

#include <cerrno>

namespace xas {
namespace {

/// How many bytes at `i` are one character in UTF-8; 0 if they are none.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return i + k < text.size() ? u8(text[i + k]) : 0; };
  const auto more = [&](std::size_t k) { return (byte(k) & 0xc0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return more(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool overlong = first == 0xe0 && byte(1) < 0xa0, surrogate = first == 0xed && byte(1) >= 0xa0;
    return more(1) && more(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool overlong = first == 0xf0 && byte(1) < 0x90, beyond = first == 0xf4 && byte(1) >= 0x90;
    return more(1) && more(2) && more(3) && !overlong && !beyond ? 4 : 0;
  }
  return 0;
}

/// A character that stands for itself in a JSON string.
bool is_plain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

}  // namespace

bool Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !failed_) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      failed_ = true;
    else
      rest.remove_prefix(std::size_t(n));
  }
  text_.clear();
  return !failed_;
}

/// Bytes that are no UTF-8 become U+FFFD.
void Output::json_string(std::string_view text) {
  separate();
  text_ += '"';
  for (std::size_t i = 0; i < text.size();) {
    std::size_t plain = i;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    text_ += text.substr(i, plain - i);
    i = plain;
    if (i == text.size()) break;
    const std::size_t length = utf8_length(text, i);
    const char c = text[i];
    if (length == 0)
      text_ += "\\ufffd";
    else if (length > 1)
      text_ += text.substr(i, length);
    else if (c == '"' || c == '\\')
      (text_ += '\\') += c;
    else
      fmt::format_to(std::back_inserter(text_), "\\u{:04x}", unsigned(c));
    i += length ? length : 1;
  }
  text_ += '"';
}

void Output::json_hex(std::string_view key, std::span<const u8> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  json_key(key);
  separate();
  text_ += '"';
  for (u8 byte : bytes) {
    text_ += digits[byte >> 4];
    text_ += digits[byte & 15];
  }
  text_ += '"';
}

}  // namespace xas
