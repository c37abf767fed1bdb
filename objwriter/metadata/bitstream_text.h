// SPDX-License-Identifier: Apache-2.0
// Bitstreams as the text of the `.bs_*` directives, which asm/directives/bitstream.cpp reads.
//
// The promise: what `print_file` writes, assembled, is the very bytes that it was given. What no writer of LLVM's makes
// (a number longer than needed, padding that is not zero) is printed as raw bits, at the smallest unit that leaves the
// meaning of the rest: the record, else the block, else the stream.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "xas/bitstream.hpp"

namespace xas::bitstream {

/// A run of bytes of a file: a stream, or what stands between streams.
struct Part {
  enum class Kind : u8 { stream, wrapper, bytes } kind = Kind::bytes;
  u64 offset = 0;  ///< in the file, in bytes
  u64 size = 0;
};

/// What is known of a stream before it is printed.
struct StreamFacts {
  struct Block {
    u64 end = 0;                ///< the bit behind it
    bool raw = false;           ///< it cannot be said in directives
    bool wrong_length = false;  ///< its length is not that of its contents
  };
  struct Names {
    std::string block;
    std::unordered_map<u64, std::string> records;
  };
  u64 end = 0;  ///< the bit behind the last block
  bool raw = false;
  std::vector<Block> blocks;   ///< in the order in which they begin
  std::map<u64, Names> names;  ///< that the stream itself gives, by block
};

/// Walks through the stream at the start of `bytes`. False, with `error`, if it cannot be read.
bool examine(std::span<const u8> bytes, StreamFacts& facts, Error& error);

/// The parts of a file or section: a wrapper's header, streams, and the bytes around them. A file that does not begin
/// with a wrapper is a stream, or several, with bytes between them. `facts` has one entry for each stream. The error's
/// bit counts from the start of `bytes`.
bool split(std::span<const u8> bytes, std::vector<Part>& parts, std::vector<StreamFacts>& facts, Error& error);

/// The name of a block or record: the stream's own, else, in LLVM's bitcode, that of LLVM IR; empty if there is none.
std::string_view block_name(const StreamFacts& facts, std::string_view magic, u64 block);
std::string_view record_name(const StreamFacts& facts, std::string_view magic, u64 block, u64 code);

using Sink = std::function<void(std::string_view)>;

/// Prints what `split` found in `bytes`.
void print_parts(std::span<const u8> bytes, std::span<const Part> parts, std::span<const StreamFacts> facts,
                 const Sink& sink);

/// Prints a whole file or section. False, with `error`, before anything is printed.
bool print_file(std::span<const u8> bytes, const Sink& sink, Error& error);

}  // namespace xas::bitstream
