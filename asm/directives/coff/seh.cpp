// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives: what a prologue does, for unwinding (asm/unwind/seh.h). Here are those that mark functions and
// their parts, and the operations of x86-64; those of ARM64 are in seh_arm64.cpp, those of ARM in seh_arm.cpp.
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "asm/unwind/seh.h"

namespace xas {

namespace {

UnwindFrame* open_frame(Reader& reader, bool in_section = true) {
  UnwindFrame* const f = unwind_frame(reader.out, in_section);
  if (!f) reader.skip_statement();
  return f;
}

/// For directives of x86-64 alone.
UnwindFrame* open_x64_frame(Reader& reader) {
  if (!is_arm64(reader.program()) && !is_arm(reader.program())) return open_frame(reader);
  reader.error("this directive describes functions of x86-64, not of ARM64 or ARM");
  reader.skip_statement();
  return nullptr;
}

/// A general or (`xmm`) vector register: its name, or its number (LLVM).
bool parse_register(Reader& reader, bool xmm, u8& number) {
  constexpr std::string_view general[16] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                            "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  skip_blanks(reader);
  const char* where = reader.p;
  if (u8(*reader.p - '0') <= 9) {
    i64 value;
    if (!reader.absolute(value, "the register's number")) return false;
    if (value >= 0 && value <= 15) return number = u8(value), true;
    return reader.error(where, fmt::format("register number {} is not between 0 and 15", value)), false;
  }
  if (*reader.p == '%') ++reader.p;
  std::string name(reader.p, name_length(reader.p));
  for (char& c : name) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (u8 i = 0; i < 16; ++i) {
    if (xmm ? name != fmt::format("xmm{}", i) : name != general[i]) continue;
    reader.p += name.size();
    number = i;
    return true;
  }
  return reader.error(where, fmt::format("expected {}", xmm ? "%xmm0 to %xmm15" : "a 64-bit general register")), false;
}

bool parse_offset(Reader& reader, i64& offset, std::string_view what) {
  const char* where = reader.p;
  if (!reader.absolute(offset, what)) return false;
  if (offset >= 0 && offset <= i64(~u32(0))) return true;
  return reader.error(where, fmt::format("{} {} is not between 0 and 4294967295", what, offset)), false;
}

/// GNU as takes what is not aligned in the long form, which LLVM refuses.
bool check_aligned(Streamer& out, i64 value, i64 unit, const char* where) {
  if (out.program.profile.seh_any_size || value % unit == 0) return true;
  return out.error(where, fmt::format("{} is not a multiple of {}", value, unit)), false;
}

}  // namespace

UnwindFrame* open_arm64_frame(Reader& reader) {
  if (is_arm64(reader.program())) return open_frame(reader);
  reader.error("this directive describes functions of ARM64");
  reader.skip_statement();
  return nullptr;
}

UnwindFrame* open_arm_frame(Reader& reader) {
  if (is_arm(reader.program())) return open_frame(reader);
  reader.error("this directive describes functions of ARM");
  reader.skip_statement();
  return nullptr;
}

/// .seh_proc name
void directive_seh_proc(Reader& reader, u32) {
  Name name;
  if (!has_unwind_tables(reader.out)) return reader.skip_statement();
  if (parse_name(reader, name, "the function's name")) begin_unwind_function(reader.out);
}

void directive_seh_endproc(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader)) end_unwind_function(reader.out, *f);
}

/// .seh_endfunclet says where a function ends before its data do, which counts for ARM64 and for the epilogues of
/// x86-64.
void directive_seh_endfunclet(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader)) f->funclet_end = reader.out.make_label_here();
}

void directive_seh_startchained(Reader& reader, u32) {
  if (open_x64_frame(reader)) begin_chained_region(reader.out);
}

void directive_seh_endchained(Reader& reader, u32) {
  if (UnwindFrame* f = open_x64_frame(reader)) end_chained_region(reader.out, *f);
}

void directive_seh_pushreg(Reader& reader, u32) {
  UnwindFrame* f = open_x64_frame(reader);
  u8 reg;
  if (f && parse_register(reader, false, reg)) unwind_push_register(reader.out, *f, reg);
}

/// .seh_setframe register, offset
void directive_seh_setframe(Reader& reader, u32) {
  UnwindFrame* f = open_x64_frame(reader);
  u8 reg;
  i64 offset;
  if (!f || !parse_register(reader, false, reg) || !expect_comma(reader, "the register")) return;
  const char* where = reader.p;
  if (!parse_offset(reader, offset, "the frame's offset")) return;
  if (offset % 16 || offset > 240)
    return reader.error(where, fmt::format("the frame's offset is {}; it must be a multiple of 16 up to 240", offset));
  unwind_set_frame(reader.out, *f, reg, u8(offset));
}

/// .seh_stackalloc size
void directive_seh_stackalloc(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (is_arm64(reader.program())) return seh_arm64_stackalloc(reader, *f);
  if (is_arm(reader.program())) return directive_seh_arm_stackalloc(reader, 0);
  skip_blanks(reader);
  const char* where = reader.p;
  i64 size;
  if (!parse_offset(reader, size, "the size") || !check_aligned(reader.out, size, 8, where)) return;
  if (size == 0) {
    if (!reader.program().profile.seh_any_size) reader.error(where, "the size must not be 0");
    return;
  }
  unwind_allocate(reader.out, *f, u32(size));
}

/// .seh_savereg register, offset      .seh_savexmm register, offset
void directive_seh_save(Reader& reader, u32 xmm) {
  UnwindFrame* f = open_x64_frame(reader);
  u8 reg;
  i64 offset;
  if (!f || !parse_register(reader, xmm, reg) || !expect_comma(reader, "the register")) return;
  const char* where = reader.p;
  const i64 unit = xmm ? 16 : 8;
  if (!parse_offset(reader, offset, "the offset") || !check_aligned(reader.out, offset, unit, where)) return;
  unwind_save_register(reader.out, *f, reg, u32(offset), xmm);
}

/// .seh_pushframe [@code]
void directive_seh_pushframe(Reader& reader, u32) {
  if (is_arm64(reader.program())) return directive_seh_arm64(reader, u32(aarch64::WinUnwind::machine_frame));
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  bool code = false;
  if (!at_end_of_statement(reader)) {
    const char* where = reader.p;
    if (*reader.p == '@') ++reader.p;
    const std::string_view word(reader.p, name_length(reader.p));
    if (word != "code") return reader.error(where, "expected @code or the end of the statement");
    reader.p += word.size();
    code = true;
  }
  unwind_push_machine_frame(reader.out, *f, code);
}

void directive_seh_endprologue(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (is_arm64(reader.program())) return seh_arm64_endprologue(reader.out, *f);
  if (is_arm(reader.program())) return directive_seh_arm_endprologue(reader, 0);
  end_unwind_prologue(reader.out, *f);
}

/// .seh_handler symbol, @unwind | @except [, ...]
void directive_seh_handler(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader, false);
  if (!f || !may_have_handler(reader.out, *f)) return;
  skip_blanks(reader);
  if (reader.program().profile.seh_handler_constants) {
    if (*reader.p == '@') {
      const std::string_view word(reader.p + 1, name_length(reader.p + 1));
      if (word != "0" && word != "1" && word != "null") return reader.error_here("expected @0, @1, @null or a symbol");
      f->handler = {.constant = word == "1"};
      reader.p += 1 + word.size();
    } else if (!reader.expression_value(f->handler)) {
      return;
    }
  } else {
    Name name;
    if (!parse_name(reader, name, "the handler")) return;
    f->late_handler = {reader.program().symbols.keep(name.text()), name.size};
  }
  f->has_handler = true;
  u8 flags = 0;
  while (accept_comma(reader)) {
    const char* where = reader.p;
    if (*reader.p != '@' && *reader.p != '%') return reader.error(where, "expected @unwind or @except");
    ++reader.p;
    const std::string_view word(reader.p, name_length(reader.p));
    if (word != "unwind" && word != "except") return reader.error(where, "expected @unwind or @except");
    flags |= word == "unwind" ? UNW_FLAG_UHANDLER : UNW_FLAG_EHANDLER;
    reader.p += word.size();
  }
  if (flags == 0 && !reader.program().profile.seh_handler_constants)
    return reader.error_here("expected a comma, and @unwind or @except");
  f->handler_flags = u8(reader.program().profile.seh_handler_constants ? flags : f->handler_flags | flags);
}

/// .seh_handlerdata: what follows belongs to the handler, behind the UNWIND_INFO.
void directive_seh_handlerdata(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader, false)) begin_handler_data(reader.out, *f);
}

/// .seh_code: back to the function's section
void directive_seh_code(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader, false)) end_handler_data(reader.out, *f);
}

/// GNU as has these for other machines.
void directive_seh_foreign(Reader& reader, u32) {
  reader.warning("this directive says nothing on x86; ignored");
  reader.skip_statement();
}

// Version 2

/// .seh_unwindversion number
void directive_seh_unwindversion(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  i64 version;
  if (!reader.absolute(version, "the version")) return;
  if (is_arm64(reader.program()) || is_arm(reader.program()))
    return reader.error(where, "unwind information of ARM and ARM64 has no other versions");
  if (version != 1 && version != 2)
    return reader.error(where, fmt::format("there is no version {} of unwind information; 1 and 2 are known", version));
  set_unwind_version(reader.out, u8(version));
}

void directive_seh_startepilogue(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader)) begin_unwind_epilogue(reader.out, *f);
}

void directive_seh_unwindv2start(Reader& reader, u32) {
  if (UnwindFrame* f = open_x64_frame(reader)) start_epilogue_pops(reader.out, *f);
}

void directive_seh_endepilogue(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  UnwindEpilogue* const open = f ? unwind_epilogue(reader.out, *f) : nullptr;
  if (!open) return;
  UnwindEpilogue& e = *open;
  if (is_arm64(reader.program())) seh_arm64_endepilogue(e);
  if (is_arm(reader.program())) seh_arm_endepilogue(e);
  if (f->version >= 2 && e.unwind_start == no_symbol) return reader.error("this epilogue lacks .seh_unwindv2start");
  e.end = reader.out.make_label_here();
  reader.program().unwind.in_epilogue = false;
}

}  // namespace xas
