// Directives of Windows unwind information.
#pragma once

#include "asm/directives/directives.h"

namespace xas {

void directive_seh_proc(Assembler& a, u32);
void directive_seh_endproc(Assembler& a, u32);
void directive_seh_endfunclet(Assembler& a, u32);
void directive_seh_startchained(Assembler& a, u32);
void directive_seh_endchained(Assembler& a, u32);
void directive_seh_pushreg(Assembler& a, u32);
void directive_seh_setframe(Assembler& a, u32);
void directive_seh_stackalloc(Assembler& a, u32);
void directive_seh_save(Assembler& a, u32 xmm);
void directive_seh_pushframe(Assembler& a, u32);
void directive_seh_endprologue(Assembler& a, u32);
void directive_seh_handler(Assembler& a, u32);
void directive_seh_handlerdata(Assembler& a, u32);
void directive_seh_code(Assembler& a, u32);
void directive_seh_unwindversion(Assembler& a, u32);
void directive_seh_startepilogue(Assembler& a, u32);
void directive_seh_unwindv2start(Assembler& a, u32);
void directive_seh_endepilogue(Assembler& a, u32);
void directive_seh_foreign(Assembler& a, u32);

inline constexpr Directive seh_directives[] = {
    {".seh_proc", directive_seh_proc, 0},
    {".seh_endproc", directive_seh_endproc, 0},
    {".seh_endfunclet", directive_seh_endfunclet, 0},
    {".seh_startchained", directive_seh_startchained, 0},
    {".seh_endchained", directive_seh_endchained, 0},
    {".seh_pushreg", directive_seh_pushreg, 0},
    {".seh_setframe", directive_seh_setframe, 0},
    {".seh_stackalloc", directive_seh_stackalloc, 0},
    {".seh_savereg", directive_seh_save, 0},
    {".seh_savexmm", directive_seh_save, 1},
    {".seh_pushframe", directive_seh_pushframe, 0},
    {".seh_endprologue", directive_seh_endprologue, 0},
    {".seh_handler", directive_seh_handler, 0},
    {".seh_handlerdata", directive_seh_handlerdata, 0},
    {".seh_code", directive_seh_code, 0},
    {".seh_unwindversion", directive_seh_unwindversion, 0},
    {".seh_startepilogue", directive_seh_startepilogue, 0},
    {".seh_unwindv2start", directive_seh_unwindv2start, 0},
    {".seh_endepilogue", directive_seh_endepilogue, 0},
    {".seh_eh", directive_seh_foreign, 0},
    {".seh_32", directive_seh_foreign, 0},
    {".seh_no32", directive_seh_foreign, 0},
};

}  // namespace xas
