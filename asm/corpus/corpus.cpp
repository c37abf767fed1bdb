// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/corpus.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace xas::corpus {

void tell(std::string_view message) {
  const std::string text = fmt::format("xas-corpus: {}\n", message);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int fail(std::string_view message) {
  tell(fmt::format("error: {}", message));
  return 1;
}

std::optional<u64> parse_number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  u64 number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, wrong] = std::from_chars(text.data(), end, number, hexadecimal ? 16 : 10);
  if (wrong != std::errc() || stop != end) return std::nullopt;
  return number;
}

bool Arguments::next() {
  if (error.empty() && value_) error = fmt::format("'--{}' takes no value", name_);
  if (!error.empty() || at_ == words_.size()) return false;
  std::string_view word = words_[at_++];
  value_.reset();
  is_option_ = word.size() > 1 && word[0] == '-';
  if (!is_option_) {
    name_ = word;
    return true;
  }
  word.remove_prefix(word.starts_with("--") ? 2 : 1);
  const std::size_t equals = std::min(word.find('='), word.size());
  name_ = word.substr(0, equals);
  if (equals < word.size()) value_ = word.substr(equals + 1);
  return true;
}

std::string_view Arguments::value() {
  if (!is_option_) return name_;
  if (!value_ && at_ < words_.size()) value_ = words_[at_++];
  if (!value_ || value_->empty()) {
    if (error.empty()) error = fmt::format("'--{}' takes a value", name_);
    value_.reset();
    return {};
  }
  const std::string_view text = *value_;
  value_.reset();
  return text;
}

bool Arguments::flag() { return !value_; }

u64 Arguments::number(u64 min, u64 max) {
  const std::string_view text = value();
  const auto number = parse_number(text);
  if (number && *number >= min && *number <= max) return *number;
  if (error.empty()) {
    error = max == ~u64(0) && min == 0
                ? fmt::format("'--{}' takes a number, not '{}'", name_, text)
                : fmt::format("'--{}' takes a number from {} to {}, not '{}'", name_, min, max, text);
  }
  return min;
}

unsigned Arguments::choice(std::initializer_list<std::string_view> names) {
  const std::string_view text = value();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return unsigned(found - names.begin());
  if (error.empty()) error = fmt::format("'--{}' takes {}, not '{}'", name_, fmt::join(names, ", "), text);
  return 0;
}

void Arguments::unknown() {
  value_.reset();
  if (!error.empty()) return;
  error = is_option_ ? fmt::format("unknown option '--{}'; --help lists those that there are", name_)
                     : fmt::format("unexpected argument '{}'", name_);
}

Shard parse_shard(Arguments& arguments) {
  const std::string_view text = arguments.value();
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto index = parse_number(text.substr(0, slash));
  const auto count = slash < text.size() ? parse_number(text.substr(slash + 1)) : std::nullopt;
  if (index && count && *index < *count) return {*index, *count};
  if (arguments.error.empty())
    arguments.error = fmt::format("'--shard' takes K/N with K from 0 to N - 1, not '{}'", text);
  return {};
}

}  // namespace xas::corpus
