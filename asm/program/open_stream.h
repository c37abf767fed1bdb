// SPDX-License-Identifier: Apache-2.0
// The stream between .bs_begin and .bs_end. Its bits are collected beside the sections; .bs_end adds them to the
// current one, when what its fields of fixed width had to wait for is known.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/value.h"
#include "xas/bitstream.hpp"

namespace xas {

struct Subsection;

struct OpenStream {
  /// A field that is filled in at the end.
  struct Later {
    u64 bit;
    unsigned width;
    Value value;
    SourceLoc loc;
  };
  /// A block that is open, or (the first) the stream around all of them.
  struct Block {
    SourceLoc loc = 0;
    u64 id = ~u64(0);
    u64 described = ~u64(0);             ///< in BLOCKINFO: the block whose abbreviations are defined
    std::vector<SourceLoc> definitions;  ///< of the abbreviations, from number 4
  };

  OpenStream(std::string_view magic, SourceLoc begin) : writer(magic), loc(begin), blocks(1) {}

  bitstream::Writer writer;
  SourceLoc loc;                       ///< of .bs_begin
  Subsection* into = nullptr;          ///< where it goes
  bool watched_labels = false;         ///< Streamer::watches_labels before
  std::vector<Later> later;
  std::vector<Block> blocks;
  std::map<u64, std::vector<SourceLoc>> described;  ///< abbreviations that BLOCKINFO gives blocks
};

}  // namespace xas
