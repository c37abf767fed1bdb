// SPDX-License-Identifier: Apache-2.0
// Exception tables of ARM's own ABI, verb by verb: a function begins, its prologue is told, it ends, and its entries of
// .ARM.exidx and .ARM.extab are written.
//
// Source: Exception Handling ABI for the Arm Architecture, 6 (tables).
#pragma once

#include <span>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/program/section.h"
#include "targets/arm/ehabi.h"
#include "targets/value.h"

namespace xas {

class Streamer;

/// What lies between .fnstart and .fnend.
struct EhabiFunction {
  SourceLoc loc = 0;
  SymbolId start = no_symbol;
  u32 section = 0;             ///< index of the code's section
  u32 subsection = 0;          ///< id of the one in which its code ends
  SymbolId table = no_symbol;  ///< its entry of .ARM.extab, once it has one
  SymbolId personality = no_symbol;
  int personality_index = -1;
  bool cant_unwind = false;
  bool has_data = false;       ///< .handlerdata
  bool uses_frame = false;     ///< .setfp
  u8 frame_register = 13;
  i64 stack = 0;               ///< of the stack pointer: bytes from where it was at first
  i64 frame = 0;               ///< of the frame pointer: bytes from there
  i64 pending = 0;             ///< bytes of stack for which no operation has been written yet
  arm::EhabiOperations operations;

  void flush_pending();
};

struct EhabiTables {
  bool in_function = false;
  EhabiFunction function;
  std::vector<bool> marked[3];  ///< GNU as, by number of __aeabi_unwind_cpp_prN and section: the table refers to it

  // Which sections are tables of which code

  SectionIndex by_name;        ///< by name and group: all that the text names so, and .ARM.extab
  u32 indexed = 0;             ///< sections before it are there
  std::vector<u32> index_of;   ///< by section of code: its .ARM.exidx that .fnend has made; 0 if there is none
  std::vector<u32> extab_of;   ///< the same of its .ARM.extab, where no other section has it too
};

/// What a frame may have at most, in bytes.
inline constexpr i64 max_ehabi_frame = 1 << 24;

// The verbs. Errors are reported at the current statement; then nothing is changed. Those that take an EhabiFunction
// describe the function that is open: `ehabi_function`.

/// .fnstart: a function begins in the current section.
void begin_ehabi_function(Streamer& out);
/// The function that is open; null (reported) if there is none, or if `before_data` and .handlerdata has stood in it.
EhabiFunction* ehabi_function(Streamer& out, bool before_data = true);
/// .fnend: writes the function's entry of the index, and its table if it needs one.
void end_ehabi_function(Streamer& out, EhabiFunction& f);

/// .cantunwind: exceptions do not pass the function.
void ehabi_cant_unwind(Streamer& out, EhabiFunction& f);
/// Whether its personality routine can still be chosen; else that is reported.
bool may_choose_ehabi_routine(Streamer& out, const EhabiFunction& f);
/// .personality: a routine of the program's own.
void ehabi_personality(Streamer& out, EhabiFunction& f, SymbolId routine);
/// .personalityindex: __aeabi_unwind_cpp_prN, 0 to 2.
void ehabi_personality_index(Streamer& out, EhabiFunction& f, i64 index);
/// .handlerdata: what follows belongs into the function's table, which becomes the current section.
void ehabi_handler_data(Streamer& out, EhabiFunction& f);

/// .save: general registers have been stored, a bit for each, and the signature of the return address. `runs` have been
/// stored on their own, each with one operation.
void ehabi_save(Streamer& out, EhabiFunction& f, u32 registers, bool signature, std::span<const u32> runs);
/// .vsave: double registers, a bit for each.
void ehabi_vsave(EhabiFunction& f, u32 registers);
/// .save of double registers: by fstmx, which adds a word. They must follow each other and end with d15 or before.
void ehabi_save_fstmx(Streamer& out, EhabiFunction& f, u32 registers);
/// .save of iWMMXt's data registers, and of wcgr0 to wcgr3: a bit for each.
void ehabi_save_wmmx(EhabiFunction& f, u32 registers);
void ehabi_save_wmmx_control(EhabiFunction& f, u32 registers);
/// .save of FPA's registers.
void ehabi_save_fpa(EhabiFunction& f, u8 first, u8 count);
/// .pad: the stack has grown by `size` bytes, a multiple of 4.
void ehabi_pad(Streamer& out, EhabiFunction& f, i64 size);
/// .setfp: `frame` is `base` (sp, or the frame pointer so far) and `offset` bytes.
void ehabi_set_frame(Streamer& out, EhabiFunction& f, u8 frame, u8 base, i64 offset);
/// .movsp: `reg` holds the stack pointer and `offset` bytes.
void ehabi_move_sp(Streamer& out, EhabiFunction& f, u8 reg, i64 offset);
/// .unwind_raw: operations as bytes, which add `offset` to the stack pointer.
void ehabi_raw(EhabiFunction& f, i64 offset, std::vector<u8> operations);
/// .pacspval: the stack pointer was the modifier of the return address's authentication code.
void ehabi_pac_sp(Streamer& out, EhabiFunction& f);

}  // namespace xas
