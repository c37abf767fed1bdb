// SPDX-License-Identifier: Apache-2.0
// The directives that describe code to debuggers and unwinders: .cfi_*, .file, .loc.
#pragma once

#include "asm/read/reader.h"

namespace xas {

// cfi.cpp
void directive_cfi_sections(Reader& reader, u32);
void directive_cfi_startproc(Reader& reader, u32);
void directive_cfi_endproc(Reader& reader, u32);
void directive_cfi(Reader& reader, u32 op);  // CfiDirective
void directive_cfi_escape(Reader& reader, u32);
void directive_cfi_pointer(Reader& reader, u32 is_lsda);
void directive_cfi_val_encoded_addr(Reader& reader, u32);
void directive_cfi_label(Reader& reader, u32);
void directive_cfi_compact(Reader& reader, u32);

// dwarf.cpp
void directive_file(Reader& reader, u32);
void directive_loc(Reader& reader, u32);
void directive_loc_mark_labels(Reader& reader, u32);
void directive_loc_label(Reader& reader, u32);

/// What a .loc says.
struct LocDirective {
  u32 file = 0, line = 0, column = 0, discriminator = 0, isa = 0;
  u32 set = 0;                 ///< flags of LineFlags that it names
  bool has_column = false, has_isa = false, has_is_stmt = false, has_view = false;
  ViewName view;  ///< has_view: the number's name; or it must come to 0
};
/// The usual operands of a .loc, at q; the place behind them, or null if they are others.
const char* plain_loc(Program& program, const char* q, LocDirective& loc);
/// What stands at `at` has been read without an error.
void record_loc(Streamer& out, const LocDirective& loc, const char* at);

inline constexpr Directive cfi_directives[] = {
    {".cfi_sections", directive_cfi_sections, 0},
    {".cfi_startproc", directive_cfi_startproc, 0},
    {".cfi_endproc", directive_cfi_endproc, 0},
    {".cfi_def_cfa", directive_cfi, cfi_dir_def_cfa},
    {".cfi_def_cfa_register", directive_cfi, cfi_dir_def_cfa_register},
    {".cfi_def_cfa_offset", directive_cfi, cfi_dir_def_cfa_offset},
    {".cfi_adjust_cfa_offset", directive_cfi, cfi_dir_adjust_cfa_offset},
    {".cfi_llvm_def_aspace_cfa", directive_cfi, cfi_dir_def_aspace_cfa},
    {".cfi_offset", directive_cfi, cfi_dir_offset},
    {".cfi_rel_offset", directive_cfi, cfi_dir_rel_offset},
    {".cfi_val_offset", directive_cfi, cfi_dir_val_offset},
    {".cfi_register", directive_cfi, cfi_dir_register},
    {".cfi_return_column", directive_cfi, cfi_dir_return_column},
    {".cfi_restore", directive_cfi, cfi_dir_restore},
    {".cfi_undefined", directive_cfi, cfi_dir_undefined},
    {".cfi_same_value", directive_cfi, cfi_dir_same_value},
    {".cfi_remember_state", directive_cfi, cfi_dir_remember_state},
    {".cfi_restore_state", directive_cfi, cfi_dir_restore_state},
    {".cfi_window_save", directive_cfi, cfi_dir_window_save},
    {".cfi_negate_ra_state", directive_cfi, cfi_dir_window_save},
    {".cfi_negate_ra_state_with_pc", directive_cfi, cfi_dir_negate_ra_state_with_pc},
    {".cfi_signal_frame", directive_cfi, cfi_dir_signal_frame},
    {".cfi_b_key_frame", directive_cfi, cfi_dir_b_key_frame},
    {".cfi_mte_tagged_frame", directive_cfi, cfi_dir_mte_tagged_frame},
    {".cfi_escape", directive_cfi_escape, 0},
    {".cfi_personality", directive_cfi_pointer, 0},
    {".cfi_lsda", directive_cfi_pointer, 1},
    {".cfi_val_encoded_addr", directive_cfi_val_encoded_addr, 0},
    {".cfi_label", directive_cfi_label, 0},
    {".cfi_personality_id", directive_cfi_compact, 0},
    {".cfi_inline_lsda", directive_cfi_compact, 0},
    {".cfi_fde_data", directive_cfi_compact, 0},
};

inline constexpr Directive dwarf_directives[] = {
    {".file", directive_file, 0},
    {".loc", directive_loc, 0},
    {".loc_mark_labels", directive_loc_mark_labels, 0},
    {".loc_label", directive_loc_label, 0},
};

}  // namespace xas
