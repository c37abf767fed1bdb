// SPDX-License-Identifier: Apache-2.0
// The formats of instruction lines.
#pragma once

#include <fstream>
#include <string>
#include <vector>

#include "asm/corpus/instructions/agreement.h"
#include "asm/corpus/instructions/assemble.h"

namespace xas::corpus {

enum class Format : u8 { s, jsonl, mc, dis, capstone, go, hex, raw, seeds };

/// A line with all that is known of it.
struct Result {
  const Form& form;
  std::string_view text;
  LineKind kind;
  u64 hash = 0;  ///< of form and operands
  const Assembled& assembled;
  Agreement agreement;
};

/// Writes results; the format's head and end by itself.
class Writer {
 public:
  Writer(const Request& request, Format format) : request_(request), format_(format) {}
  /// "" or "-" is standard output; for seeds a folder, for raw also PATH.index. What is wrong, or an empty text.
  std::string open(const std::string& path);
  void write(const Result& result);
  /// Of all formats but seeds.
  Output& output() { return *out_; }
  bool has_written() const { return has_written_; }
  /// A write has failed: finish() says why, and more need not come.
  bool has_failed() const;
  /// The rest. What is wrong, or an empty text.
  std::string finish();

 private:
  void begin();
  void write_jsonl(const Result& result);
  void write_mc(const Result& result);
  void begin_mc_group(unsigned group);
  std::size_t first_size(const Result& result, std::span<const u8> rest) const;
  void write_capstone(const Result& result);
  void write_raw(const Result& result);
  void write_seed(const Result& result);
  void put_hex(std::span<const u8> bytes, std::string_view before, std::string_view between);

  const Request& request_;
  Format format_;
  std::string path_, error_;
  int descriptor_ = 1, index_descriptor_ = -1;
  std::optional<Output> out_, index_;
  u64 raw_offset_ = 0;
  bool has_written_ = false;
  int mc_group_ = -1;          ///< the group of the lines before
  bool mc_has_run_[2] = {};    ///< a group has its RUN line
  std::string text_;
  std::vector<u8> mask_;
};

/// "x86_64", ...
std::string_view machine_name(Machine machine);

/// 20 bytes (FIPS 180-4), which name fuzzers' seeds.
std::array<u8, 20> sha1(std::span<const u8> data);

}  // namespace xas::corpus
