// SPDX-License-Identifier: Apache-2.0
// Directives of CodeView.
#pragma once

#include "asm/directives/directives.h"

namespace xas {

void directive_cv_file(Reader& reader, u32);
void directive_cv_func_id(Reader& reader, u32);
void directive_cv_inline_site_id(Reader& reader, u32);
void directive_cv_loc(Reader& reader, u32);
void directive_cv_linetable(Reader& reader, u32);
void directive_cv_inline_linetable(Reader& reader, u32);
void directive_cv_def_range(Reader& reader, u32);
void directive_cv_string(Reader& reader, u32);
void directive_cv_stringtable(Reader& reader, u32);
void directive_cv_filechecksums(Reader& reader, u32);
void directive_cv_filechecksumoffset(Reader& reader, u32);
void directive_cv_fpo_proc(Reader& reader, u32);
void directive_cv_fpo_register(Reader& reader, u32 set_frame);
void directive_cv_fpo_number(Reader& reader, u32 align);
void directive_cv_fpo_endprologue(Reader& reader, u32);
void directive_cv_fpo_endproc(Reader& reader, u32);
void directive_cv_fpo_data(Reader& reader, u32);

/// The usual operands of a .cv_loc, at q; the place behind them, or null if they are others.
const char* plain_codeview_line(Program& program, const char* q, u32& function, CodeViewPlace& place);

inline constexpr Directive codeview_directives[] = {
    {".cv_file", directive_cv_file, 0},
    {".cv_func_id", directive_cv_func_id, 0},
    {".cv_inline_site_id", directive_cv_inline_site_id, 0},
    {".cv_loc", directive_cv_loc, 0},
    {".cv_linetable", directive_cv_linetable, 0},
    {".cv_inline_linetable", directive_cv_inline_linetable, 0},
    {".cv_def_range", directive_cv_def_range, 0},
    {".cv_string", directive_cv_string, 0},
    {".cv_stringtable", directive_cv_stringtable, 0},
    {".cv_filechecksums", directive_cv_filechecksums, 0},
    {".cv_filechecksumoffset", directive_cv_filechecksumoffset, 0},
    {".cv_fpo_proc", directive_cv_fpo_proc, 0},
    {".cv_fpo_pushreg", directive_cv_fpo_register, 0},
    {".cv_fpo_setframe", directive_cv_fpo_register, 1},
    {".cv_fpo_stackalloc", directive_cv_fpo_number, 0},
    {".cv_fpo_stackalign", directive_cv_fpo_number, 1},
    {".cv_fpo_endprologue", directive_cv_fpo_endprologue, 0},
    {".cv_fpo_endproc", directive_cv_fpo_endproc, 0},
    {".cv_fpo_data", directive_cv_fpo_data, 0},
};

}  // namespace xas
