// SPDX-License-Identifier: Apache-2.0
// Call frame information: what the .cfi_* directives collect (directives/cfi.cpp), and .eh_frame / .debug_frame made of
// it (unwind/eh_frame.cpp).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

class Program;
class Streamer;

/// One instruction of a frame description. Relative offsets are made absolute while they are collected.
enum class CfiOp : u8 {
  def_cfa,           ///< reg, offset
  def_cfa_register,  ///< reg
  def_cfa_offset,    ///< offset
  def_aspace_cfa,    ///< reg, offset, extra = address space
  offset,            ///< reg, offset
  val_offset,        ///< reg, offset
  register_,         ///< reg, offset = the other register
  restore,           ///< reg
  undefined,         ///< reg
  same_value,        ///< reg
  remember_state,
  restore_state,
  window_save,       ///< also AArch64's negate_ra_state
  negate_ra_state_with_pc,
  escape,            ///< `extra` bytes from escape_bytes[offset]; reg: where among them a sleb128(...) is
  escape_value,      ///< values[offset]; reg = its EscapeForm
  encoded_address,   ///< reg, extra = encoding, values[offset]: .cfi_val_encoded_addr
  label,             ///< labels[reg] is here
  place,             ///< nothing but the place: GNU as's .cfi_signal_frame and .cfi_return_column
};

struct CfiInsn {
  u32 pos, fragment;  ///< where in the code it takes effect
  u32 next;       ///< index of the frame's next instruction, or no_insn
  u32 reg;
  i64 offset;
  u32 extra;
  CfiOp op;
};
static_assert(sizeof(CfiInsn) == 32);
/// In `extra` of CfiOp::offset: it was written as .cfi_rel_offset.
inline constexpr u32 cfi_relative = 1;
/// Of that and CfiOp::def_cfa_offset: it counts from the CFA that a `simple` frame begins with.
inline constexpr u32 cfi_from_start = 2;
/// Of CfiOp::def_cfa_offset (llvm): it was written as .cfi_adjust_cfa_offset, by `reg`.
inline constexpr u32 cfi_adjusts = 4;
inline constexpr u32 no_insn = ~u32(0);
/// In `reg` of CfiOp::escape: all bytes were written one by one, or some as a form other than one sleb128(...).
inline constexpr u32 cfi_no_sleb = ~u32(0), cfi_other_forms = cfi_no_sleb - 1;

/// How .cfi_escape stores a value.
enum class EscapeForm : u8 { byte, data2, data4, data8, uleb128, sleb128 };
struct EscapeItem {
  EscapeForm form = EscapeForm::byte;
  Value value;
};

/// DW_EH_PE_*, as far as they are used.
enum PointerEncoding : u8 {
  DW_EH_PE_absptr = 0x00,
  DW_EH_PE_uleb128 = 0x01,
  DW_EH_PE_udata2 = 0x02,
  DW_EH_PE_udata4 = 0x03,
  DW_EH_PE_udata8 = 0x04,
  DW_EH_PE_signed = 0x08,
  DW_EH_PE_sdata4 = 0x0b,
  DW_EH_PE_sdata8 = 0x0c,
  DW_EH_PE_pcrel = 0x10,
  DW_EH_PE_indirect = 0x80,
  DW_EH_PE_omit = 0xff,
};

/// The address of a personality routine or of language-specific data.
struct CfiPointer {
  SymbolId symbol = no_symbol;
  u8 encoding = DW_EH_PE_omit;
  i64 constant = 0;
  std::string_view late_name;  ///< of a symbol that becomes one when the frames are written (Profile::late_cfi_symbols)
  bool operator==(const CfiPointer&) const = default;
};

enum CfiSections : u8 { cfi_eh_frame = 1, cfi_debug_frame = 2, cfi_sframe = 4 };

/// Letters of the augmentation that a frame asks for beyond z, P, L and R.
enum CfiFlags : u8 {
  cfi_simple = 1,        ///< without the target's initial rules
  cfi_signal_frame = 2,  ///< S
  cfi_b_key = 4,         ///< B: AArch64, signed with key B
  cfi_mte_tagged = 8,    ///< G: AArch64, tagged stack
};

/// What lies between .cfi_startproc and .cfi_endproc.
struct CfiFrame {
  u32 subsection;
  u32 start_pos, start_fragment;
  u32 end_pos = 0, end_fragment = 0;
  u32 first_insn = no_insn, last_insn = no_insn;
  u32 return_column = ~u32(0);  ///< ~0: the target's
  u8 flags = 0;
  u8 sections = 0;
  bool closed = false;
  CfiPointer personality, lsda;
  i64 cfa_offset = 0;  ///< while it is open: what .cfi_adjust_cfa_offset and .cfi_rel_offset count from
  bool cfa_known = true;  ///< while it is open: it is no `simple` frame, or has said what its CFA is
  SymbolId start_label = no_symbol;  ///< LLVM on ARM: what its relocation names, as soon as there is one
  SourceLoc loc = 0;
};

struct CfiTable {
  BigVector<CfiFrame> frames;
  BigVector<CfiInsn> insns;
  std::vector<u8> escape_bytes;
  std::vector<Value> values;
  struct Label {
    Name name;  ///< not met as a symbol by this: it is listed as if first met when the frames are written
    SourceLoc loc;
  };
  std::vector<Label> labels;  ///< of .cfi_label

  /// By id of the subsection: 1 + index of the frame that is open there, 0 for none. Frames of different subsections
  /// may be open at the same time.
  std::vector<u32> open_in;
  /// Of .cfi_remember_state: index of the frame, and its cfa_offset.
  std::vector<std::pair<u32, i64>> remembered;

  u8 sections = cfi_eh_frame;  ///< .cfi_sections
  u8 all_sections = 0;         ///< of all frames so far
  bool in_use = false;         ///< a frame was begun: .cfi_sections can't change its mind about .eh_frame any more

  void clear() { *this = CfiTable{}; }
};

/// The sections in which the frame stands (CfiSections): those of the .cfi_sections before it, or of the last one.
u8 sections_of(const Program& program, const CfiFrame& frame);
/// The sections in which any frame stands.
u8 sections_of_frames(const Program& program);

/// What is said of an open frame, one by one; the directives `.cfi_` of these names. An offset counts bytes.
enum CfiDirective : u32 {
  cfi_dir_def_cfa,
  cfi_dir_def_cfa_register,
  cfi_dir_def_cfa_offset,
  cfi_dir_adjust_cfa_offset,
  cfi_dir_def_aspace_cfa,
  cfi_dir_offset,
  cfi_dir_rel_offset,
  cfi_dir_val_offset,
  cfi_dir_register,
  cfi_dir_return_column,
  cfi_dir_restore,
  cfi_dir_undefined,
  cfi_dir_same_value,
  cfi_dir_remember_state,
  cfi_dir_restore_state,
  cfi_dir_window_save,  ///< also AArch64's negate_ra_state
  cfi_dir_negate_ra_state_with_pc,
  cfi_dir_signal_frame,
  cfi_dir_b_key_frame,
  cfi_dir_mte_tagged_frame,
};

/// The operands that a directive has.
enum class CfiForm : u8 {
  none,
  offset,
  reg,
  registers,  ///< of each of which the same is said
  register_and_offset,
  register_offset_and_space,
  two_registers,
};
constexpr CfiForm form_of(CfiDirective directive) {
  switch (directive) {
    case cfi_dir_def_cfa_offset:
    case cfi_dir_adjust_cfa_offset: return CfiForm::offset;
    case cfi_dir_def_cfa_register:
    case cfi_dir_return_column:
    case cfi_dir_same_value: return CfiForm::reg;
    case cfi_dir_restore:
    case cfi_dir_undefined: return CfiForm::registers;
    case cfi_dir_def_cfa:
    case cfi_dir_offset:
    case cfi_dir_rel_offset:
    case cfi_dir_val_offset: return CfiForm::register_and_offset;
    case cfi_dir_def_aspace_cfa: return CfiForm::register_offset_and_space;
    case cfi_dir_register: return CfiForm::two_registers;
    default: return CfiForm::none;
  }
}

/// As far as the directive has them. Registers have their numbers of DWARF.
struct CfiOperands {
  u32 reg = 0, other = 0;
  i64 offset = 0;
  i64 space = 0;  ///< of cfi_dir_def_aspace_cfa
};

/// 1 + index of the frame that is open in the subsection of this id; 0 if none is.
inline u32 frame_open_in(const CfiTable& cfi, u32 subsection) {
  return subsection < cfi.open_in.size() ? cfi.open_in[subsection] : 0;
}
/// The frame that is open in the current subsection; null if there is none, which has been reported.
CfiFrame* open_frame(Streamer& out);
/// The same for what this directive says; null also if frames are made up (--scfi), where it is noted or ignored.
CfiFrame* frame_for(Streamer& out, CfiDirective directive);
/// The frame that frame_open_in says is open, where a second one would begin; `advice` is how to close it.
void report_open_frame(Streamer& out, u32 open, const char* where, std::string_view advice);
/// A frame begins here; none may be open. `simple`: without the target's initial rules.
void begin_frame(Streamer& out, bool simple);
/// The same, at another place of the current subsection.
CfiFrame& begin_frame_at(Streamer& out, u32 pos, u32 fragment, bool simple = false);
void end_frame(Streamer& out, CfiFrame& frame);
/// `at`: where the operands stand.
void say_of_frame(Streamer& out, CfiFrame& frame, CfiDirective directive, const CfiOperands& operands, const char* at);
/// Appends to what an open frame says, for the current place.
CfiInsn& add_cfi_insn(Streamer& out, CfiFrame& frame, CfiOp op, u32 reg = 0, i64 offset = 0, u32 extra = 0);
/// Parts of the frame's description as they are; one that is no number yet becomes a field.
void say_escape(Streamer& out, CfiFrame& frame, std::span<const EscapeItem> items);
/// The register's value is an address, which is stored in this encoding (DW_EH_PE_*).
void say_encoded_address(Streamer& out, CfiFrame& frame, u32 reg, u32 encoding, const Value& value);
/// The symbol is a label of this place in the frame's description. One that is defined already is an error.
/// `label`: its number in CfiTable::labels.
void say_label(Streamer& out, CfiFrame& frame, u32 label);
/// A new piece of code begins for GNU as, if only an empty one: behind an alignment that came to nothing, and at each
/// line where there is a listing. What follows is no rule of the CIE.
void end_initial_rules(Streamer& out);
/// At the end of the text: reports what .cfi_endproc has not closed, and names of .cfi_label that are also something
/// else's.
void check_frames(Streamer& out, SourceLoc end);

}  // namespace xas
