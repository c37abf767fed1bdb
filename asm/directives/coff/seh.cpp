// SPDX-License-Identifier: Apache-2.0
// The .seh_* directives: what a prologue does, for unwinding. Here their operands are read; what they say is
// asm/unwind/seh.h. Those that mark functions and their parts, and the operations of x86-64; those of ARM64 are in
// seh_arm64.cpp, those of ARM in seh_arm.cpp.
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

namespace {

/// A general or (`xmm`) vector register of x86-64: its name, or its number (LLVM). Whether it is such a one, the verbs
/// ask.
bool parse_register(Reader& reader, bool xmm, UnwindOperands& o) {
  const int count = xmm ? 16 : 32;
  skip_blanks(reader);
  o.reg_at = reader.p;
  if (text::is_digit(*reader.p)) {
    i64 value;
    if (!reader.absolute(value, "the register's number")) return false;
    o.reg = {xmm ? 'v' : 'r', u8(value)};
    if (value >= 0 && value < count) return true;
    return reader.error(o.reg_at, fmt::format("register number {} is not between 0 and {}", value, count - 1)), false;
  }
  Target& target = reader.program().target;
  const int number = target.parse_directive_register(reader.p);
  if (number < 0)
    return reader.error(o.reg_at, fmt::format("expected {}", xmm ? "%xmm0 to %xmm15" : "a 64-bit general register")),
           false;
  o.reg = target.win_register(number);
  return true;
}

}  // namespace

UnwindFrame* open_unwind_frame(Reader& reader, UnwindMachine machine, bool in_section) {
  UnwindFrame* const f = unwind_frame(reader.out, machine, in_section);
  if (!f) reader.skip_statement();
  return f;
}

bool parse_unwind_offset(Reader& reader, UnwindOperands& o, std::string_view what) {
  skip_blanks(reader);
  o.offset_at = reader.p;
  return reader.absolute(o.offset, what);
}

/// .seh_proc name
void directive_seh_proc(Reader& reader, u32) {
  Name name;
  if (!has_unwind_tables(reader.out)) return reader.skip_statement();
  if (parse_name(reader, name, "the function's name")) begin_unwind_function(reader.out);
}

void directive_seh_endproc(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader)) end_unwind_function(reader.out, *f);
}

void directive_seh_endfunclet(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader)) end_unwind_code(reader.out, *f);
}

void directive_seh_startchained(Reader& reader, u32) {
  if (open_unwind_frame(reader, UnwindMachine::x64)) begin_chained_region(reader.out);
}

void directive_seh_endchained(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64)) end_chained_region(reader.out, *f);
}

/// .seh_splitchained
void directive_seh_splitchained(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64)) split_chained_region(reader.out, *f);
}

void directive_seh_pushreg(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64);
  UnwindOperands o;
  if (f && parse_register(reader, false, o)) unwind_push_register(reader.out, *f, o);
}

/// .seh_push2regs register, register
void directive_seh_push2regs(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64);
  UnwindOperands first, second;
  if (!f || !parse_register(reader, false, first) || !expect_comma(reader, "the first register")) return;
  if (parse_register(reader, false, second)) unwind_push_two(reader.out, *f, first, second);
}

/// .seh_setframe register, offset
void directive_seh_setframe(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64);
  UnwindOperands o;
  if (!f || !parse_register(reader, false, o) || !expect_comma(reader, "the register")) return;
  if (parse_unwind_offset(reader, o, "the frame's offset")) unwind_set_frame(reader.out, *f, o);
}

/// .seh_stackalloc size      .seh_stackalloc_w size
void directive_seh_stackalloc(Reader& reader, u32 wide) {
  UnwindFrame* f = open_unwind_frame(reader, wide ? UnwindMachine::arm : UnwindMachine::any);
  UnwindOperands o;
  if (f && parse_unwind_offset(reader, o, "the size")) unwind_allocate(reader.out, *f, o.offset, o.offset_at, wide);
}

/// .seh_savereg register, offset      .seh_savexmm register, offset
void directive_seh_save(Reader& reader, u32 xmm) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64);
  UnwindOperands o;
  if (!f || !parse_register(reader, xmm, o) || !expect_comma(reader, "the register")) return;
  if (parse_unwind_offset(reader, o, "the offset")) unwind_save_register(reader.out, *f, o, xmm);
}

/// .seh_pushframe [@code]
void directive_seh_pushframe(Reader& reader, u32) {
  const bool on_arm64 = reader.program().unwind.machine == UnwindMachine::arm64;
  UnwindFrame* f = open_unwind_frame(reader, on_arm64 ? UnwindMachine::arm64 : UnwindMachine::x64);
  if (!f) return;
  bool code = false;
  if (!on_arm64 && !at_end_of_statement(reader)) {
    const char* where = reader.p;
    if (*reader.p == '@') ++reader.p;
    const std::string_view word(reader.p, name_length(reader.p));
    if (word != "code") return reader.error(where, "expected @code or the end of the statement");
    reader.p += word.size();
    code = true;
  }
  unwind_push_machine_frame(reader.out, *f, code);
}

/// .seh_endprologue      .seh_endprologue_fragment
void directive_seh_endprologue(Reader& reader, u32 fragment) {
  if (UnwindFrame* f = open_unwind_frame(reader, fragment ? UnwindMachine::arm : UnwindMachine::any))
    end_unwind_prologue(reader.out, *f, fragment);
}

/// .seh_handler symbol, @unwind | @except [, ...]
void directive_seh_handler(Reader& reader, u32) {
  UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::any, false);
  if (!f || !may_have_handler(reader.out, *f)) return;
  Value handler;
  std::string_view late_name;
  skip_blanks(reader);
  if (reader.program().profile.seh_handler_constants) {
    if (*reader.p == '@') {
      const std::string_view word(reader.p + 1, name_length(reader.p + 1));
      if (word != "0" && word != "1" && word != "null") return reader.error_here("expected @0, @1, @null or a symbol");
      handler = {.constant = word == "1"};
      reader.p += 1 + word.size();
    } else if (!reader.expression_value(handler)) {
      return;
    }
  } else {
    Name name;
    if (!parse_name(reader, name, "the handler")) return;
    late_name = reader.program().symbols.keep(name.text());
  }
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
  set_unwind_handler(reader.out, *f, handler, late_name, flags);
}

/// .seh_handlerdata: what follows belongs to the handler, behind the UNWIND_INFO.
void directive_seh_handlerdata(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::any, false)) begin_handler_data(reader.out, *f);
}

/// .seh_code: back to the function's section
void directive_seh_code(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::any, false)) end_handler_data(reader.out, *f);
}

/// GNU as has these for other machines.
void directive_seh_foreign(Reader& reader, u32) {
  reader.warning("this directive says nothing on x86; ignored");
  reader.skip_statement();
}

// Versions 2 and 3

/// .seh_unwindversion number
void directive_seh_unwindversion(Reader& reader, u32) {
  skip_blanks(reader);
  const char* where = reader.p;
  i64 version;
  if (reader.absolute(version, "the version")) set_unwind_version(reader.out, version, where);
}

void directive_seh_startepilogue(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader)) begin_unwind_epilogue(reader.out, *f);
}

void directive_seh_unwindv2start(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader, UnwindMachine::x64)) start_epilogue_pops(reader.out, *f);
}

void directive_seh_endepilogue(Reader& reader, u32) {
  if (UnwindFrame* f = open_unwind_frame(reader)) end_unwind_epilogue(reader.out, *f);
}

}  // namespace xas
