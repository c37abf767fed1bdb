// SPDX-License-Identifier: Apache-2.0
// What the verbs of xas-corpus share: the arguments, numbers that depend on a seed alone, and the parts that a run may
// be split into.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "asm/text/output.h"

namespace xas::corpus {

/// Says something on standard error.
void tell(std::string_view message);
/// Says on standard error what is wrong. Returns the exit status, 1.
int fail(std::string_view message);

/// The options of a verb, one after the other: `--name=value`, `--name value`, `--name`, with one dash or two.
///
///     while (arguments.next()) {
///       if (arguments.is("seed")) seed = arguments.number();
///       else arguments.unknown();
///     }
///
/// The first thing that is wrong stays in `error`, and ends the loop.
class Arguments {
 public:
  explicit Arguments(std::vector<std::string> words) : words_(std::move(words)) {}

  /// On to the next one; false at the end.
  bool next();
  /// Whether it is the option of this name.
  bool is(std::string_view name) const { return is_option_ && name == name_; }
  /// Whether it is no option at all; then value() is the word.
  bool is_word() const { return !is_option_; }
  std::string_view value();
  /// For options without a value.
  bool flag();
  /// A decimal or, behind 0x, hexadecimal number.
  u64 number(u64 min = 0, u64 max = ~u64(0));
  /// The index of the value among names.
  unsigned choice(std::initializer_list<std::string_view> names);
  void unknown();

  std::string error;

 private:
  std::vector<std::string> words_;
  std::size_t at_ = 0;
  bool is_option_ = false;
  std::string_view name_;
  std::optional<std::string_view> value_;
};

/// Number `text`, or nothing.
std::optional<u64> parse_number(std::string_view text);

/// Mixes all bits of a number with each other (the last step of SplitMix64).
constexpr u64 mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// FNV-1a, mixed: the same on every machine.
constexpr u64 hash_text(std::string_view text, u64 start = 0xcbf29ce484222325u) {
  u64 h = start;
  for (char c : text) h = (h ^ u8(c)) * 0x100000001b3u;
  return mix(h);
}

/// Numbers that depend on seed, stream and draw alone, whatever has been drawn before: filters and shards change none.
class Random {
 public:
  Random(u64 seed, u64 stream, u64 draw) : key_(mix(mix(seed + 0x9e3779b97f4a7c15u) ^ stream) + mix(draw)) {}
  u64 next() { return mix(key_ + ++count_ * 0x9e3779b97f4a7c15u); }
  /// A number below `end`, which is not 0.
  u32 below(u32 end) { return u32((next() >> 32) * end >> 32); }
  bool one_in(u32 n) { return below(n) == 0; }

 private:
  u64 key_;
  u64 count_ = 0;
};

/// One of the parts that a run is split into.
struct Shard {
  u64 index = 0, count = 1;
  bool has(u64 hash) const { return hash % count == index; }
};

/// `K/N`, K from 0 to N - 1; an error of `arguments` if it is something else.
Shard parse_shard(Arguments& arguments);

/// The verbs. The exit status.
int run_instructions(Arguments& arguments);
int run_texts(Arguments& arguments);
int run_objects(Arguments& arguments);

std::string_view help_text();

}  // namespace xas::corpus
