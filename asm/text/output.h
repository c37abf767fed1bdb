// SPDX-License-Identifier: Apache-2.0
// Text to a file descriptor, in large pieces; and JSON, one object a line.
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "asm/text/append.h"
#include "xas/types.hpp"

namespace xas {

class Output {
 public:
  /// To `descriptor` (standard output), which stays open.
  explicit Output(int descriptor = 1) : descriptor_(descriptor) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() { flush(); }

  template <typename... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    append(text_, format, std::forward<Args>(args)...);
    if (text_.size() > (1 << 16)) flush();
  }
  void write(std::string_view text) {
    text_ += text;
    if (text_.size() > (1 << 16)) flush();
  }
  /// What has not been written yet, for whoever wants text and no file; it is gone then.
  std::string take() { return std::exchange(text_, {}); }
  /// There has been something to write.
  bool has_text() const { return wrote_ || !text_.empty(); }
  /// Writes what there is. False, with errno, if that or an earlier write has failed.
  bool flush();
  /// A write has failed: nothing more is written.
  bool has_failed() const { return error_ != 0; }

  // JSON. Members of an object are separated by themselves.

  void json_begin(char bracket = '{') { separate(), text_ += bracket, first_ = true; }
  void json_end(char bracket = '}') { text_ += bracket, first_ = false; }
  void json_key(std::string_view key) {
    json_string(key);
    text_ += ':';
    first_ = true;
  }
  void json_string(std::string_view text);
  void json_number(u64 value) { separate(), text_ += fmt::format_int(value).c_str(); }
  void json_signed(i64 value) { separate(), text_ += fmt::format_int(value).c_str(); }
  void json_null() { json_literal("null"); }
  /// null, true or false.
  void json_literal(std::string_view text) { separate(), text_ += text; }
  void json_field(std::string_view key, std::string_view value) { json_key(key), json_string(value); }
  void json_field(std::string_view key, const char* value) { json_field(key, std::string_view(value)); }
  void json_field(std::string_view key, u64 value) { json_key(key), json_number(value); }
  void json_hex(std::string_view key, std::span<const u8> bytes);
  void json_line() {
    text_ += "}\n";
    first_ = true;
    if (text_.size() > (1 << 16)) flush();
  }

 private:
  void separate() {
    if (!first_) text_ += ',';
    first_ = false;
  }

  int descriptor_;
  std::string text_;
  bool first_ = true;  ///< nothing stands in the innermost bracket, or a key has just been written
  bool wrote_ = false;
  int error_ = 0;  ///< errno of the first write that failed
};

}  // namespace xas
