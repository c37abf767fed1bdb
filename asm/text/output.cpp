// SPDX-License-Identifier: Apache-2.0
#include "asm/text/output.h"

#include <unistd.h>

#include <cerrno>

#include "asm/text/json.h"

namespace xas {
bool Output::flush() {
  std::string_view rest = text_;
  while (!rest.empty() && !error_) {
    const ssize_t n = ::write(descriptor_, rest.data(), rest.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      error_ = errno;
    else
      rest.remove_prefix(std::size_t(n));
  }
  wrote_ |= !text_.empty();
  text_.clear();
  if (error_) errno = error_;
  return !error_;
}

void Output::json_string(std::string_view text) {
  separate();
  append_json_string(text_, text);
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
