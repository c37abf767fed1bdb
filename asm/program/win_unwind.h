// SPDX-License-Identifier: Apache-2.0
// Unwind information of Windows: what the verbs of asm/unwind/seh.h collect. What it becomes: asm/unwind/win_unwind.h.
#pragma once

#include <string_view>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/aarch64/win_unwind.h"
#include "targets/arm/win_unwind.h"
#include "targets/value.h"

namespace xas {

/// Whose unwind codes are made; `any`: a verb describes the functions of each of them.
enum class UnwindMachine : u8 { none, x64, arm64, arm, any };
/// By the machine of the COFF object; `none`: its functions have no tables.
UnwindMachine unwind_machine(u16 coff_machine);

/// UWOP_*; Microsoft, "x64 exception handling", "Unwind operation code".
enum UnwindCode : u8 {
  UWOP_PUSH_NONVOL = 0,
  UWOP_ALLOC_LARGE = 1,
  UWOP_ALLOC_SMALL = 2,
  UWOP_SET_FPREG = 3,
  UWOP_SAVE_NONVOL = 4,
  UWOP_SAVE_NONVOL_FAR = 5,
  UWOP_EPILOG = 6,
  UWOP_SAVE_XMM128 = 8,
  UWOP_SAVE_XMM128_FAR = 9,
  UWOP_PUSH_MACHFRAME = 10,
  UWOP_PUSH2 = 11,  ///< only in version 3, whose codes have numbers of their own
};

/// UNW_FLAG_*
enum UnwindFlags : u8 { UNW_FLAG_EHANDLER = 1, UNW_FLAG_UHANDLER = 2, UNW_FLAG_CHAININFO = 4 };

/// One operation of a prologue or, in version 3, of an epilogue.
struct UnwindOperation {
  SymbolId at;     ///< behind its instruction; version 3: in front of it
  UnwindCode code;
  u8 info;         ///< register, size, ...
  u8 words;        ///< 16-bit words that follow: 0, 1 or 2
  u32 operand;     ///< what follows; else UWOP_SET_FPREG: register and offset, UWOP_PUSH2: the second register
};

struct UnwindEpilogue {
  SymbolId start = no_symbol, end = no_symbol;
  SymbolId unwind_start = no_symbol;  ///< .seh_unwindv2start: where popping begins
  SourceLoc loc = 0;
  std::vector<UnwindOperation> operations;     ///< version 3
  std::vector<aarch64::WinUnwindCode> codes;   ///< ARM64: in the order of its instructions, `end` behind them
  // ARM
  std::vector<arm::WinUnwindCode> thumb_codes;
  u8 condition = condition_always;    ///< of its instructions
  bool ends_known = false;            ///< how far it is from the function's end was known when that was read
};

/// No index of a frame.
inline constexpr u32 no_frame = ~u32(0);

/// What lies between .seh_proc and .seh_endproc, or .seh_startchained and .seh_endchained; .seh_splitchained ends one
/// and begins another.
struct UnwindFrame {
  u32 section;                   ///< index of the code's section
  SymbolId begin = no_symbol, end = no_symbol;
  SymbolId prologue_end = no_symbol;
  Value handler = {};
  std::string_view late_handler; ///< a handler's name that becomes a symbol when its use is written
  bool has_handler = false;
  u8 handler_flags = 0;
  u8 frame_register = 0, frame_offset = 0;
  bool has_frame = false;
  u8 version = 1;                ///< 1 to 3 (x86-64)
  u32 chained_to = no_frame;     ///< index of the frame it belongs to
  bool is_split = false;         ///< begun by .seh_splitchained: it ends with its function
  SymbolId info = no_symbol;     ///< its UNWIND_INFO, once written
  i32 subsection = 0;            ///< of .xdata, where GNU as puts it; what follows .seh_handlerdata is in the next one
  std::vector<UnwindOperation> operations;
  std::vector<UnwindEpilogue> epilogues;
  SourceLoc loc = 0;
  // ARM64 and ARM
  std::vector<aarch64::WinUnwindCode> codes;   ///< of the prologue, `end` in front of them
  SymbolId funclet_end = no_symbol;   ///< .seh_endfunclet or (ARM) .seh_handlerdata, else as `end`
  bool has_data = false;              ///< .seh_handlerdata
  SourceLoc data_without_codes = 0;   ///< .seh_handlerdata before anything else
  std::vector<WinUnwindSegment> segments;  ///< each has an entry in .pdata
  u32 packed = 0;                     ///< WinUnwindInfo::packed
  // ARM
  std::vector<arm::WinUnwindCode> thumb_codes;
  bool fragment = false;              ///< .seh_endprologue_fragment: the prologue is another fragment's
  bool length_known = false;          ///< when the function's end was read
};

/// x86-64: two bytes that say where an epilogue begins. Version 2: how far from its function's end; version 3: the
/// same, negative, or from the epilogue behind it.
struct EpiloguePlace {
  u32 subsection, pos;
  u32 frame, epilogue;  ///< their indices
  SymbolId behind = no_symbol;  ///< version 3: the epilogue behind it
};

struct UnwindTable {
  std::vector<UnwindFrame> frames;
  u32 open = no_frame;          ///< index of the innermost open frame
  u32 first_of_function = 0;    ///< index of the frame that .seh_proc began
  u8 version = 1;               ///< .seh_unwindversion before any function
  UnwindMachine machine = UnwindMachine::none;  ///< whose functions they are
  /// Codes stand for instructions, and tables are made after layout (asm/unwind/win_unwind_piece.h).
  bool by_instruction() const { return machine == UnwindMachine::arm64 || machine == UnwindMachine::arm; }
  bool in_epilogue = false;
  std::vector<EpiloguePlace> epilogue_places;
  /// The subsections of an .xdata of GNU as's: each frame has one for its UNWIND_INFO and one for its handler's data.
  struct Subsections {
    i32 next = 0;                   ///< the first that no frame has
    i32 data = 0;                   ///< what .seh_handlerdata has begun last; 0: nothing
    bool front_has_data = false;    ///< .seh_handlerdata counts for the frame of subsection 0
  };
  std::vector<Subsections> subsections;  ///< by section
  std::vector<u32> unwind_ids;       ///< by code section: LLVM's number of its own .xdata and .pdata; 0: none yet
  u32 last_unwind_id = 0;
};

}  // namespace xas
