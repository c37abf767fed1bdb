// SPDX-License-Identifier: Apache-2.0
// Code that a runtime may overwrite while the program runs: the shadow of a stack map record, and patch points.
//
// A shadow promises that so many bytes from the record on hold no branch target, no return address, no other record and
// not the end of the code. It is open until one of these comes; what is missing then becomes no-ops. Where target code
// pads late (x86) they stand before what closes it, and else at the record, in a fragment whose size is set then.
// A patch point reserves bytes for code, its own and no-ops behind it, that the runtime replaces as a whole.
#pragma once

#include <string_view>
#include <vector>

#include "asm/text/source_loc.h"
#include "targets/value.h"

namespace xas {

class Streamer;

/// Bytes that one record can reserve.
inline constexpr u64 max_reserved_bytes = u64(1) << 20;

class ReservedCode {
 public:
  /// Something is open in the current subsection: its labels and instructions have to be seen.
  bool watching = false;

  void open_shadow(Streamer& out, u64 bytes, SourceLoc loc);
  void open_patch_point(Streamer& out, u64 id, u64 bytes, SourceLoc loc);
  /// Fills it with no-ops. What is not open, or holds too many bytes, is an error.
  void close_patch_point(Streamer& out, SourceLoc loc);
  /// Nothing that comes from here on is in the open shadow. False (reported): a patch point is open, in which there can
  /// be no `what`.
  bool close_shadow(Streamer& out, std::string_view what, SourceLoc loc);

  bool any() const { return !open_.empty(); }
  bool in_patch_point(const Streamer& out);
  /// Another subsection has become current.
  void switched(Streamer& out);
  /// At the end of the text.
  void finish(Streamer& out);

  /// Where an instruction begins.
  struct Mark {
    u64 pos;
    u32 fragments, fixups;
    SymbolId symbols;
  };
  Mark begin_instruction(const Streamer& out);
  void end_instruction(Streamer& out, const Mark& mark);

 private:
  static constexpr u32 none = ~u32(0);
  struct Space {
    u32 subsection;
    bool is_patch_point;
    u64 id;  ///< of the patch point
    u64 bytes;
    u64 pos;  ///< where it begins
    u32 fragments;
    u32 padding;  ///< number of the fragment before it, if no-ops stand there; or none
    SourceLoc loc;
  };

  Space* open_in(u32 subsection);
  u64 missing(const Streamer& out, const Space& space, u64 pos, u64 counted) const;
  void close(Streamer& out, Space& space);
  void remove(Streamer& out, const Space& space);

  std::vector<Space> open_;  ///< one of a subsection, at most
};

}  // namespace xas
