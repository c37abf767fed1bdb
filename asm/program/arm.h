// What only ARM objects have: symbols of Thumb functions, and exception tables (arm_ehabi.cpp).
#pragma once

#include <string_view>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/arm/ehabi.h"
#include "targets/target.h"

namespace xas {

class Program;
class Streamer;
class Reader;

/// What lies between .fnstart and .fnend.
struct ArmFunction {
  SourceLoc loc = 0;
  SymbolId start = no_symbol;
  u32 section = 0;             ///< index of the code's section
  SymbolId table = no_symbol;  ///< its entry of .ARM.extab, once it has one
  SymbolId personality = no_symbol;
  int personality_index = -1;
  bool cant_unwind = false;
  bool has_data = false;       ///< .handlerdata
  bool uses_frame = false;     ///< .setfp
  u8 frame_register = 13;
  i64 stack = 0,
      frame = 0;  ///< of the stack pointer and of the frame pointer: bytes from where the former was at first
  i64 pending = 0;             ///< bytes of stack for which no operation has been written yet
  arm::EhabiOperations operations;
};

struct ArmState {
  u32 labels = 0;              ///< so many have been defined
  bool in_function = false;
  ArmFunction function;
  std::vector<u32> marked[3];              ///< GNU as, by number of __aeabi_unwind_cpp_prN: tables that refer to it
};

/// Directives of ARM that are not the target's. False if there is none of that name.
bool arm_directive(Reader& reader, std::string_view name);

/// A label has been defined, if TargetInfo::Labels::watched.
void mark_label(Program& program, SymbolId id);
/// At the end of the text: GNU as marks the labels of Thumb code that have become functions by then.
void mark_thumb_functions(Program& program);

/// .fnstart and what may follow it up to .fnend.
bool ehabi_directive(Reader& reader, std::string_view name);

}  // namespace xas
