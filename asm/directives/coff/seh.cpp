// The .seh_* directives: what a prologue does, for unwinding (asm/program/win_unwind.h). Here are those that mark
// functions and their parts, and the operations of x86-64; those of ARM64 are in seh_arm64.cpp, those of ARM in
// seh_arm.cpp. GNU as calls for them inside of the section in which their function began, and LLVM does not.
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/read/parse.h"
#include "asm/unwind/win_unwind_piece.h"
#include "objwriter/coff_constants.h"

namespace xas {

namespace {

constexpr u32 no_frame = ~u32(0);
constexpr i64 scaled_limit = 0xffff;

bool is_arm64(const Program& program) {
  return program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARM64 ||
         program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARM64EC;
}

bool is_arm(const Program& program) { return program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARMNT; }

bool has_tables(Reader& reader) {
  if (reader.program().info.coff.machine == coff::IMAGE_FILE_MACHINE_AMD64 || is_arm64(reader.program()) ||
      is_arm(reader.program()))
    return true;
  reader.error(".seh_ directives describe functions of x86-64, ARM64 and ARM; exceptions of i386 have no tables");
  reader.skip_statement();
  return false;
}

UnwindFrame* open_frame(Reader& reader, bool in_section = true) {
  if (!has_tables(reader)) return nullptr;
  if (reader.program().unwind.open == no_frame) {
    reader.error("there is no function open here; .seh_proc begins one");
  } else if (in_section && reader.program().profile.seh_stays_in_section &&
             reader.program().unwind.frames[reader.program().unwind.open].section != reader.out.current->section) {
    reader.error(fmt::format(
        "the function that is open is in section {}, not in {}",
        reader.program().sections[reader.program().unwind.frames[reader.program().unwind.open].section].name,
        reader.out.current_section().name));
  } else {
    return &reader.program().unwind.frames[reader.program().unwind.open];
  }
  reader.skip_statement();
  return nullptr;
}

/// For directives of x86-64 alone.
UnwindFrame* open_x64_frame(Reader& reader) {
  if (!is_arm64(reader.program()) && !is_arm(reader.program())) return open_frame(reader);
  reader.error("this directive describes functions of x86-64, not of ARM64 or ARM");
  reader.skip_statement();
  return nullptr;
}

void add_operation(Streamer& out, UnwindFrame& f, UnwindCode code, unsigned info, u8 words = 0, u32 operand = 0) {
  f.operations.push_back(
      {.at = out.make_label_here(), .code = code, .info = u8(info), .words = words, .operand = operand});
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

/// Everything of the open function is known: its tables are written (.pdata at the end, by LLVM).
void close_function(Streamer& out) {
  UnwindTable& table = out.program.unwind;
  const u32 code_section = table.frames[table.open].section;
  Subsection* const before = out.current;
  for (u32 i = table.first_of_function; i < table.frames.size(); ++i) {
    if (table.frames[i].end == no_symbol) continue;
    if (table.arm64 || table.arm) {
      place_unwind_piece(out, i, false);
      continue;
    }
    write_unwind_info(out, table.frames[i]);
    if (!out.program.profile.seh_pdata_at_once) continue;
    out.current =
        &out.program.sections.sub(unwind_section(out.program, table.frames[i].section, ".pdata").default_subsection);
    write_runtime_function(out, table.frames[i]);
  }
  // LLVM goes back to the function's section, wherever .seh_endproc stands.
  out.current = out.program.profile.seh_ends_in_function
                    ? &out.program.sections.sub(out.program.sections[code_section].default_subsection)
                    : before;
  table.open = no_frame;
}

void begin_frame(Streamer& out, u32 chained_to) {
  UnwindTable& table = out.program.unwind;
  UnwindFrame f{.section = out.current->section, .begin = out.make_label_here()};
  f.chained_to = chained_to;
  f.version = table.version;
  f.loc = out.program.sources.statement_loc();
  if (out.program.profile.seh_data_apart) f.subsection = next_unwind_subsection(out.program, f.section);
  table.open = u32(table.frames.size());
  table.frames.push_back(std::move(f));
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
  if (!has_tables(reader)) return;
  reader.program().unwind.arm64 = is_arm64(reader.program());
  reader.program().unwind.arm = is_arm(reader.program());
  Name name;
  if (!parse_name(reader, name, "the function's name")) return;
  if (reader.program().unwind.open != no_frame) {
    reader.error("the function before this is not closed; .seh_endproc closes it");
    reader.program().diags.note(reader.program().unwind.frames[reader.program().unwind.open].loc, "it begins here");
    return;
  }
  reader.program().unwind.first_of_function = u32(reader.program().unwind.frames.size());
  begin_frame(reader.out, no_frame);
}

/// LLVM goes to the section of the tables where they are complete, and so forgets a .loc that no instruction has
/// followed.
static void leave_section(Program& program) {
  if (program.lines.wants_sections) program.lines.on_section_change();
}

/// An epilogue can't go on beyond here.
static bool epilogue_open(Streamer& out) {
  if (out.program.unwind.in_epilogue)
    out.error(out.program.sources.statement, "an epilogue is still open; .seh_endepilogue closes it");
  return out.program.unwind.in_epilogue;
}

void directive_seh_endproc(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (f->chained_to != no_frame) return reader.error("a chained region is still open; .seh_endchained closes it");
  if (epilogue_open(reader.out)) return;
  if ((!f->codes.empty() || !f->thumb_codes.empty()) && f->prologue_end == no_symbol) {
    return reader.error("this function's prologue is still open; .seh_endprologue ends it");
  }
  f->end = reader.out.make_label_here();
  if (f->funclet_end == no_symbol) f->funclet_end = f->end;
  leave_section(reader.program());
  close_function(reader.out);
}

/// .seh_endfunclet says where a function ends before its data do, which counts for ARM64 and for the epilogues of
/// x86-64.
void directive_seh_endfunclet(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader)) f->funclet_end = reader.out.make_label_here();
}

void directive_seh_startchained(Reader& reader, u32) {
  if (!open_x64_frame(reader)) return;
  if (epilogue_open(reader.out)) return;
  begin_frame(reader.out, reader.program().unwind.open);
}

void directive_seh_endchained(Reader& reader, u32) {
  UnwindFrame* f = open_x64_frame(reader);
  if (!f) return;
  if (f->chained_to == no_frame) return reader.error("no chained region is open; .seh_startchained begins one");
  if (epilogue_open(reader.out)) return;
  f->end = f->funclet_end = reader.out.make_label_here();
  reader.program().unwind.open = f->chained_to;
}

void directive_seh_pushreg(Reader& reader, u32) {
  UnwindFrame* f = open_x64_frame(reader);
  u8 reg;
  if (f && parse_register(reader, false, reg)) add_operation(reader.out, *f, UWOP_PUSH_NONVOL, reg);
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
  if (f->has_frame) return reader.error("this function has a frame register already");
  f->has_frame = true;
  f->frame_register = reg;
  f->frame_offset = u8(offset);
  add_operation(reader.out, *f, UWOP_SET_FPREG, 0);
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
  if (size % 8 == 0 && size <= 128) {
    add_operation(reader.out, *f, UWOP_ALLOC_SMALL, unsigned((size - 8) / 8));
  } else if (size % 8 == 0 && size <= scaled_limit * 8) {
    add_operation(reader.out, *f, UWOP_ALLOC_LARGE, 0, 1, u32(size / 8));
  } else {
    add_operation(reader.out, *f, UWOP_ALLOC_LARGE, 1, 2, u32(size));
  }
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
  // LLVM has the same limit for both, in bytes.
  const i64 limit = reader.program().profile.seh_scaled_vector_limit ? scaled_limit * unit : scaled_limit * 8;
  if (offset % unit == 0 && offset <= limit) {
    add_operation(reader.out, *f, xmm ? UWOP_SAVE_XMM128 : UWOP_SAVE_NONVOL, reg, 1, u32(offset / unit));
  } else {
    add_operation(reader.out, *f, xmm ? UWOP_SAVE_XMM128_FAR : UWOP_SAVE_NONVOL_FAR, reg, 2, u32(offset));
  }
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
  if (!f->operations.empty() && !reader.program().profile.seh_frame_anywhere) {
    return reader.error(".seh_pushframe must be the first of its function's operations");
  }
  add_operation(reader.out, *f, UWOP_PUSH_MACHFRAME, code);
}

void directive_seh_endprologue(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (is_arm64(reader.program())) return seh_arm64_endprologue(reader.out, *f);
  if (is_arm(reader.program())) return directive_seh_arm_endprologue(reader, 0);
  if (f->prologue_end != no_symbol && reader.program().profile.seh_first_endprologue) {
    return reader.warning("this function's prologue has ended already");
  }
  f->prologue_end = reader.out.make_label_here();
}

/// .seh_handler symbol, @unwind | @except [, ...]
void directive_seh_handler(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader, false);
  if (!f) return;
  if (f->chained_to != no_frame) return reader.error("chained regions have no handlers of their own");
  if (f->info != no_symbol) return reader.error("the handler must be named before .seh_handlerdata");
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
  UnwindFrame* f = open_frame(reader, false);
  if (!f) return;
  if (f->chained_to != no_frame) return reader.error("chained regions have no handlers of their own");
  if (reader.program().profile.seh_data_apart) {
    f->has_data = true;
    reader.out.switch_to(unwind_data(reader.program(), *f));
    return;
  }
  leave_section(reader.program());
  if (!is_arm64(reader.program()) && !is_arm(reader.program())) return write_unwind_info(reader.out, *f);
  if (f->funclet_end == no_symbol) {
    reader.out.current = &reader.program().sections.sub(reader.program().sections[f->section].default_subsection);
    f->funclet_end = reader.out.make_label_here();
  }
  place_unwind_piece(reader.out, reader.program().unwind.open, true);
}

/// .seh_code: back to the function's section
void directive_seh_code(Reader& reader, u32) {
  if (UnwindFrame* f = open_frame(reader, false))
    reader.out.switch_to(reader.program().sections.sub(reader.program().sections[f->section].default_subsection));
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
  if (reader.program().unwind.open == no_frame) {
    reader.program().unwind.version = u8(version);
  } else if (UnwindFrame* f = open_frame(reader)) {
    f->version = u8(version);
  }
}

void directive_seh_startepilogue(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (reader.program().unwind.in_epilogue)
    return reader.error("an epilogue is open already; .seh_endepilogue closes it");
  if (f->prologue_end == no_symbol) return reader.error("an epilogue before the prologue has ended (.seh_endprologue)");
  reader.program().unwind.in_epilogue = true;
  f->epilogues.push_back({.start = reader.out.make_label_here(), .loc = reader.program().sources.statement_loc()});
}

void directive_seh_unwindv2start(Reader& reader, u32) {
  UnwindFrame* f = open_x64_frame(reader);
  if (!f) return;
  if (!reader.program().unwind.in_epilogue) return reader.error("no epilogue is open; .seh_startepilogue begins one");
  UnwindEpilogue& e = f->epilogues.back();
  if (e.unwind_start != no_symbol) return reader.error("this epilogue has a .seh_unwindv2start already");
  e.unwind_start = reader.out.make_label_here();
}

void directive_seh_endepilogue(Reader& reader, u32) {
  UnwindFrame* f = open_frame(reader);
  if (!f) return;
  if (!reader.program().unwind.in_epilogue) return reader.error("no epilogue is open; .seh_startepilogue begins one");
  UnwindEpilogue& e = f->epilogues.back();
  if (is_arm64(reader.program())) seh_arm64_endepilogue(e);
  if (is_arm(reader.program())) seh_arm_endepilogue(e);
  if (f->version >= 2 && e.unwind_start == no_symbol) return reader.error("this epilogue lacks .seh_unwindv2start");
  e.end = reader.out.make_label_here();
  reader.program().unwind.in_epilogue = false;
}

}  // namespace xas
