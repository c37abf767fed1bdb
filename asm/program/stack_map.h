// SPDX-License-Identifier: Apache-2.0
// Stack maps: where a runtime finds the values of a function at given places (LLVM, "Stack maps and patch points"), and
// the code that it may overwrite there. The verbs of .stackmap and its kin; asm/debug/stack_map.cpp writes the section.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "objwriter/metadata/stack_map.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;

struct StackMapLocation {
  stack_map::Kind kind = stack_map::Kind::reg;
  u16 size = 0;   ///< of the value, in bytes
  u16 dwarf = 0;  ///< the register's number
  i64 value = 0;  ///< offset from the register; the constant: `constant` goes to the pool if it exceeds 32 bits
};

struct StackMapFunction {
  SymbolId symbol;
  u64 stack_size;  ///< stack_map::dynamic_size: it varies
  SourceLoc loc;
};

struct StackMapRecord {
  u64 id = 0;
  std::vector<StackMapLocation> locations = {};
  std::vector<stack_map::LiveOut> live_outs = {};
  SourceLoc loc = 0;
  // Its place, which the verbs set
  u32 function = 0;  ///< of StackMaps::functions
  u32 subsection = 0;
  u32 fragment = 0;
  u64 pos = 0;
};

/// A section of stack maps, for all code or (flag o) for one section of code.
struct StackMapSection {
  static constexpr u32 all_code = ~u32(0);
  u32 code = all_code;
  u32 section = 0;
};

struct StackMaps {
  static constexpr u32 none = ~u32(0);
  std::vector<StackMapFunction> functions;
  std::unordered_map<SymbolId, u32> function_of;
  u32 open = none;  ///< the function of the records to come
  std::vector<StackMapRecord> records;

  std::string_view name = ".llvm_stackmaps";
  u64 flags = 0;           ///< SHF_*; of COFF IMAGE_SCN_*
  bool is_chosen = false;  ///< .stackmap_section has been read
  SourceLoc chosen_at = 0;
  std::vector<StackMapSection> sections;
  SymbolId symbol = no_symbol;  ///< __LLVM_StackMaps
};

/// The function of the records that follow, and its frame: bytes, or stack_map::dynamic_size.
void set_stack_map_function(Streamer& out, SymbolId function, u64 stack_size, SourceLoc loc);
/// A record of this place; a runtime may overwrite `shadow` bytes from it on.
void emit_stack_map(Streamer& out, StackMapRecord record, u64 shadow);
/// A record of this place, `bytes` of code that a runtime may overwrite: none yet, or a call of `target`.
struct PatchCall {
  Value target;
  int scratch = -1;  ///< DWARF number of the register that is to hold the address; -1: the target's choice
  const char* where = nullptr;
};
void emit_patch_point(Streamer& out, StackMapRecord record, u64 bytes, const PatchCall* call);
/// The same with the code up to end_patch_point.
void begin_patch_point(Streamer& out, StackMapRecord record, u64 bytes);
void end_patch_point(Streamer& out, SourceLoc loc);
/// A record of this place, the return address of the call before it.
void emit_statepoint(Streamer& out, StackMapRecord record);
/// Where stack maps go. `flags` are SHF_* (with SHF_LINK_ORDER: a section for each one of code), of COFF IMAGE_SCN_*.
void set_stack_map_section(Streamer& out, std::string_view name, u64 flags, SourceLoc loc);

}  // namespace xas
