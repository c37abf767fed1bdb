// The .seh_* directives: what a prologue does, for unwinding (asm/win_unwind.h). Here are those that mark functions and
// their parts, and the operations of x86-64; those of ARM64 are in seh_arm64.cpp, those of ARM in seh_arm.cpp. GNU as
// calls for them inside of the section in which their function began, and LLVM does not.
#include <fmt/format.h>

#include "asm/directives/seh.h"
#include "asm/parse.h"
#include "asm/win_unwind_piece.h"
#include "objwriter/coff_constants.h"

namespace xas {

namespace {

constexpr u32 no_frame = ~u32(0);
constexpr i64 scaled_limit = 0xffff;

bool is_arm64(const Assembler& a) {
  return a.info.coff_machine == coff::IMAGE_FILE_MACHINE_ARM64 ||
         a.info.coff_machine == coff::IMAGE_FILE_MACHINE_ARM64EC;
}

bool is_arm(const Assembler& a) { return a.info.coff_machine == coff::IMAGE_FILE_MACHINE_ARMNT; }

bool has_tables(Assembler& a) {
  if (a.info.coff_machine == coff::IMAGE_FILE_MACHINE_AMD64 || is_arm64(a) || is_arm(a)) return true;
  a.error(a.statement_start,
          ".seh_ directives describe functions of x86-64, ARM64 and ARM; exceptions of i386 have no tables");
  a.skip_statement();
  return false;
}

UnwindFrame* open_frame(Assembler& a, bool in_section = true) {
  if (!has_tables(a)) return nullptr;
  if (a.unwind.open == no_frame) {
    a.error(a.statement_start, "there is no function open here; .seh_proc begins one");
  } else if (in_section && a.profile.coff_gnu_symbols && a.unwind.frames[a.unwind.open].section != a.current->section) {
    a.error(a.statement_start,
            fmt::format("the function that is open is in section {}, not in {}",
                        a.sections[a.unwind.frames[a.unwind.open].section].name, a.current_section().name));
  } else {
    return &a.unwind.frames[a.unwind.open];
  }
  a.skip_statement();
  return nullptr;
}

/// For directives of x86-64 alone.
UnwindFrame* open_x64_frame(Assembler& a) {
  if (!is_arm64(a) && !is_arm(a)) return open_frame(a);
  a.error(a.statement_start, "this directive describes functions of x86-64, not of ARM64 or ARM");
  a.skip_statement();
  return nullptr;
}

void add_operation(Assembler& a, UnwindFrame& f, UnwindCode code, unsigned info, u8 words = 0, u32 operand = 0) {
  f.operations.push_back(
      {.at = a.make_label_here(), .code = code, .info = u8(info), .words = words, .operand = operand});
}

/// A general or (`xmm`) vector register: its name, or its number (LLVM).
bool parse_register(Assembler& a, bool xmm, u8& number) {
  constexpr std::string_view general[16] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                            "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
  skip_blanks(a);
  const char* where = a.p;
  if (u8(*a.p - '0') <= 9) {
    i64 value;
    if (!a.absolute(value, "the register's number")) return false;
    if (value >= 0 && value <= 15) return number = u8(value), true;
    return a.error(where, fmt::format("register number {} is not between 0 and 15", value)), false;
  }
  if (*a.p == '%') ++a.p;
  std::string name(a.p, name_length(a.p));
  for (char& c : name) c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
  for (u8 i = 0; i < 16; ++i) {
    if (xmm ? name != fmt::format("xmm{}", i) : name != general[i]) continue;
    a.p += name.size();
    number = i;
    return true;
  }
  return a.error(where, fmt::format("expected {}", xmm ? "%xmm0 to %xmm15" : "a 64-bit general register")), false;
}

bool parse_offset(Assembler& a, i64& offset, std::string_view what) {
  const char* where = a.p;
  if (!a.absolute(offset, what)) return false;
  if (offset >= 0 && offset <= i64(~u32(0))) return true;
  return a.error(where, fmt::format("{} {} is not between 0 and 4294967295", what, offset)), false;
}

/// GNU as takes what is not aligned in the long form, which LLVM refuses.
bool check_aligned(Assembler& a, i64 value, i64 unit, const char* where) {
  if (a.profile.coff_gnu_symbols || value % unit == 0) return true;
  return a.error(where, fmt::format("{} is not a multiple of {}", value, unit)), false;
}

/// Everything of the open function is known: its tables are written (.pdata at the end, by LLVM).
void close_function(Assembler& a) {
  UnwindTable& table = a.unwind;
  const u32 code_section = table.frames[table.open].section;
  Subsection* const before = a.current;
  for (u32 i = table.first_of_function; i < table.frames.size(); ++i) {
    if (table.frames[i].end == no_symbol) continue;
    if (table.arm64 || table.arm) {
      place_unwind_piece(a, i, false);
      continue;
    }
    write_unwind_info(a, table.frames[i]);
    if (!a.profile.coff_gnu_symbols) continue;
    a.current = &a.sections.sub(unwind_section(a, table.frames[i].section, ".pdata").default_subsection);
    write_runtime_function(a, table.frames[i]);
  }
  // LLVM goes back to the function's section, wherever .seh_endproc stands.
  a.current = a.profile.coff_gnu_symbols ? before : &a.sections.sub(a.sections[code_section].default_subsection);
  table.open = no_frame;
}

void begin_frame(Assembler& a, u32 chained_to) {
  UnwindTable& table = a.unwind;
  UnwindFrame f{.section = a.current->section, .begin = a.make_label_here()};
  f.chained_to = chained_to;
  f.version = table.version;
  f.loc = a.loc_of(a.statement_start);
  if (a.profile.coff_gnu_symbols) {
    const u32 xdata = a.sections.index_of(unwind_section(a, f.section, ".xdata"));
    if (table.next_subsection.size() <= xdata) table.next_subsection.resize(xdata + 1);
    f.subsection = table.next_subsection[xdata];
    table.next_subsection[xdata] += 2;
  }
  table.open = u32(table.frames.size());
  table.frames.push_back(std::move(f));
}

}  // namespace

UnwindFrame* open_arm64_frame(Assembler& a) {
  if (is_arm64(a)) return open_frame(a);
  a.error(a.statement_start, "this directive describes functions of ARM64");
  a.skip_statement();
  return nullptr;
}

UnwindFrame* open_arm_frame(Assembler& a) {
  if (is_arm(a)) return open_frame(a);
  a.error(a.statement_start, "this directive describes functions of ARM");
  a.skip_statement();
  return nullptr;
}

/// .seh_proc name
void directive_seh_proc(Assembler& a, u32) {
  if (!has_tables(a)) return;
  a.unwind.arm64 = is_arm64(a);
  a.unwind.arm = is_arm(a);
  Name name;
  if (!parse_name(a, name, "the function's name")) return;
  if (a.unwind.open != no_frame) {
    a.error(a.statement_start, "the function before this is not closed; .seh_endproc closes it");
    a.diags.note(a.unwind.frames[a.unwind.open].loc, "it begins here");
    return;
  }
  a.unwind.first_of_function = u32(a.unwind.frames.size());
  begin_frame(a, no_frame);
}

/// LLVM goes to the section of the tables where they are complete, and so forgets a .loc that no instruction has
/// followed.
static void leave_section(Assembler& a) {
  if (a.lines.wants_sections) a.lines.on_section_change();
}

/// An epilogue can't go on beyond here.
static bool epilogue_open(Assembler& a) {
  if (a.unwind.in_epilogue) a.error(a.statement_start, "an epilogue is still open; .seh_endepilogue closes it");
  return a.unwind.in_epilogue;
}

void directive_seh_endproc(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  if (f->chained_to != no_frame)
    return a.error(a.statement_start, "a chained region is still open; .seh_endchained closes it");
  if (epilogue_open(a)) return;
  if ((!f->codes.empty() || !f->thumb_codes.empty()) && f->prologue_end == no_symbol) {
    return a.error(a.statement_start, "this function's prologue is still open; .seh_endprologue ends it");
  }
  f->end = a.make_label_here();
  if (f->funclet_end == no_symbol) f->funclet_end = f->end;
  leave_section(a);
  close_function(a);
}

/// .seh_endfunclet says where a function ends before its data do, which counts for ARM64 and for the epilogues of
/// x86-64.
void directive_seh_endfunclet(Assembler& a, u32) {
  if (UnwindFrame* f = open_frame(a)) f->funclet_end = a.make_label_here();
}

void directive_seh_startchained(Assembler& a, u32) {
  if (!open_x64_frame(a)) return;
  if (epilogue_open(a)) return;
  begin_frame(a, a.unwind.open);
}

void directive_seh_endchained(Assembler& a, u32) {
  UnwindFrame* f = open_x64_frame(a);
  if (!f) return;
  if (f->chained_to == no_frame)
    return a.error(a.statement_start, "no chained region is open; .seh_startchained begins one");
  if (epilogue_open(a)) return;
  f->end = f->funclet_end = a.make_label_here();
  a.unwind.open = f->chained_to;
}

void directive_seh_pushreg(Assembler& a, u32) {
  UnwindFrame* f = open_x64_frame(a);
  u8 reg;
  if (f && parse_register(a, false, reg)) add_operation(a, *f, UWOP_PUSH_NONVOL, reg);
}

/// .seh_setframe register, offset
void directive_seh_setframe(Assembler& a, u32) {
  UnwindFrame* f = open_x64_frame(a);
  u8 reg;
  i64 offset;
  if (!f || !parse_register(a, false, reg) || !expect_comma(a, "the register")) return;
  const char* where = a.p;
  if (!parse_offset(a, offset, "the frame's offset")) return;
  if (offset % 16 || offset > 240)
    return a.error(where, fmt::format("the frame's offset is {}; it must be a multiple of 16 up to 240", offset));
  if (f->has_frame) return a.error(a.statement_start, "this function has a frame register already");
  f->has_frame = true;
  f->frame_register = reg;
  f->frame_offset = u8(offset);
  add_operation(a, *f, UWOP_SET_FPREG, 0);
}

/// .seh_stackalloc size
void directive_seh_stackalloc(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  if (is_arm64(a)) return seh_arm64_stackalloc(a, *f);
  if (is_arm(a)) return directive_seh_arm_stackalloc(a, 0);
  skip_blanks(a);
  const char* where = a.p;
  i64 size;
  if (!parse_offset(a, size, "the size") || !check_aligned(a, size, 8, where)) return;
  if (size == 0) {
    if (!a.profile.coff_gnu_symbols) a.error(where, "the size must not be 0");
    return;
  }
  if (size % 8 == 0 && size <= 128) {
    add_operation(a, *f, UWOP_ALLOC_SMALL, unsigned((size - 8) / 8));
  } else if (size % 8 == 0 && size <= scaled_limit * 8) {
    add_operation(a, *f, UWOP_ALLOC_LARGE, 0, 1, u32(size / 8));
  } else {
    add_operation(a, *f, UWOP_ALLOC_LARGE, 1, 2, u32(size));
  }
}

/// .seh_savereg register, offset      .seh_savexmm register, offset
void directive_seh_save(Assembler& a, u32 xmm) {
  UnwindFrame* f = open_x64_frame(a);
  u8 reg;
  i64 offset;
  if (!f || !parse_register(a, xmm, reg) || !expect_comma(a, "the register")) return;
  const char* where = a.p;
  const i64 unit = xmm ? 16 : 8;
  if (!parse_offset(a, offset, "the offset") || !check_aligned(a, offset, unit, where)) return;
  // LLVM has the same limit for both, in bytes.
  const i64 limit = a.profile.coff_gnu_symbols ? scaled_limit * unit : scaled_limit * 8;
  if (offset % unit == 0 && offset <= limit) {
    add_operation(a, *f, xmm ? UWOP_SAVE_XMM128 : UWOP_SAVE_NONVOL, reg, 1, u32(offset / unit));
  } else {
    add_operation(a, *f, xmm ? UWOP_SAVE_XMM128_FAR : UWOP_SAVE_NONVOL_FAR, reg, 2, u32(offset));
  }
}

/// .seh_pushframe [@code]
void directive_seh_pushframe(Assembler& a, u32) {
  if (is_arm64(a)) return directive_seh_arm64(a, u32(ArmUnwind::machine_frame));
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  bool code = false;
  if (!at_end_of_statement(a)) {
    const char* where = a.p;
    if (*a.p == '@') ++a.p;
    const std::string_view word(a.p, name_length(a.p));
    if (word != "code") return a.error(where, "expected @code or the end of the statement");
    a.p += word.size();
    code = true;
  }
  if (!f->operations.empty() && !a.profile.coff_gnu_symbols) {
    return a.error(a.statement_start, ".seh_pushframe must be the first of its function's operations");
  }
  add_operation(a, *f, UWOP_PUSH_MACHFRAME, code);
}

void directive_seh_endprologue(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  if (is_arm64(a)) return seh_arm64_endprologue(a, *f);
  if (is_arm(a)) return directive_seh_arm_endprologue(a, 0);
  if (f->prologue_end != no_symbol && a.profile.coff_gnu_symbols) {
    return a.warning(a.statement_start, "this function's prologue has ended already");
  }
  f->prologue_end = a.make_label_here();
}

/// .seh_handler symbol, @unwind | @except [, ...]
void directive_seh_handler(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a, false);
  if (!f) return;
  if (f->chained_to != no_frame) return a.error(a.statement_start, "chained regions have no handlers of their own");
  if (f->info != no_symbol) return a.error(a.statement_start, "the handler must be named before .seh_handlerdata");
  skip_blanks(a);
  if (a.profile.coff_gnu_symbols) {
    if (*a.p == '@') {
      const std::string_view word(a.p + 1, name_length(a.p + 1));
      if (word != "0" && word != "1" && word != "null") return a.error_here("expected @0, @1, @null or a symbol");
      f->handler = {.constant = word == "1"};
      a.p += 1 + word.size();
    } else if (!a.expression_value(f->handler)) {
      return;
    }
  } else {
    Name name;
    if (!parse_name(a, name, "the handler")) return;
    f->late_handler = {a.symbols.keep(name.text()), name.size};
  }
  f->has_handler = true;
  u8 flags = 0;
  while (accept_comma(a)) {
    const char* where = a.p;
    if (*a.p != '@' && *a.p != '%') return a.error(where, "expected @unwind or @except");
    ++a.p;
    const std::string_view word(a.p, name_length(a.p));
    if (word != "unwind" && word != "except") return a.error(where, "expected @unwind or @except");
    flags |= word == "unwind" ? UNW_FLAG_UHANDLER : UNW_FLAG_EHANDLER;
    a.p += word.size();
  }
  if (flags == 0 && !a.profile.coff_gnu_symbols) return a.error_here("expected a comma, and @unwind or @except");
  f->handler_flags = u8(a.profile.coff_gnu_symbols ? flags : f->handler_flags | flags);
}

/// .seh_handlerdata: what follows belongs to the handler, behind the UNWIND_INFO.
void directive_seh_handlerdata(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a, false);
  if (!f) return;
  if (f->chained_to != no_frame) return a.error(a.statement_start, "chained regions have no handlers of their own");
  if (a.profile.coff_gnu_symbols) {
    f->has_data = true;
    a.switch_to(a.sections.subsection(unwind_section(a, f->section, ".xdata"), f->subsection + 1));
    return;
  }
  leave_section(a);
  if (!is_arm64(a) && !is_arm(a)) return write_unwind_info(a, *f);
  if (f->funclet_end == no_symbol) {
    a.current = &a.sections.sub(a.sections[f->section].default_subsection);
    f->funclet_end = a.make_label_here();
  }
  place_unwind_piece(a, a.unwind.open, true);
}

/// .seh_code: back to the function's section
void directive_seh_code(Assembler& a, u32) {
  if (UnwindFrame* f = open_frame(a, false)) a.switch_to(a.sections.sub(a.sections[f->section].default_subsection));
}

/// GNU as has these for other machines.
void directive_seh_foreign(Assembler& a, u32) {
  a.warning(a.statement_start, "this directive says nothing on x86; ignored");
  a.skip_statement();
}

// Version 2

/// .seh_unwindversion number
void directive_seh_unwindversion(Assembler& a, u32) {
  skip_blanks(a);
  const char* where = a.p;
  i64 version;
  if (!a.absolute(version, "the version")) return;
  if (is_arm64(a) || is_arm(a)) return a.error(where, "unwind information of ARM and ARM64 has no other versions");
  if (version != 1 && version != 2)
    return a.error(where, fmt::format("there is no version {} of unwind information; 1 and 2 are known", version));
  if (a.unwind.open == no_frame) {
    a.unwind.version = u8(version);
  } else if (UnwindFrame* f = open_frame(a)) {
    f->version = u8(version);
  }
}

void directive_seh_startepilogue(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  if (a.unwind.in_epilogue)
    return a.error(a.statement_start, "an epilogue is open already; .seh_endepilogue closes it");
  if (f->prologue_end == no_symbol)
    return a.error(a.statement_start, "an epilogue before the prologue has ended (.seh_endprologue)");
  a.unwind.in_epilogue = true;
  f->epilogues.push_back({.start = a.make_label_here(), .loc = a.loc_of(a.statement_start)});
}

void directive_seh_unwindv2start(Assembler& a, u32) {
  UnwindFrame* f = open_x64_frame(a);
  if (!f) return;
  if (!a.unwind.in_epilogue) return a.error(a.statement_start, "no epilogue is open; .seh_startepilogue begins one");
  UnwindEpilogue& e = f->epilogues.back();
  if (e.unwind_start != no_symbol) return a.error(a.statement_start, "this epilogue has a .seh_unwindv2start already");
  e.unwind_start = a.make_label_here();
}

void directive_seh_endepilogue(Assembler& a, u32) {
  UnwindFrame* f = open_frame(a);
  if (!f) return;
  if (!a.unwind.in_epilogue) return a.error(a.statement_start, "no epilogue is open; .seh_startepilogue begins one");
  UnwindEpilogue& e = f->epilogues.back();
  if (is_arm64(a)) seh_arm64_endepilogue(e);
  if (is_arm(a)) seh_arm_endepilogue(e);
  if (f->version >= 2 && e.unwind_start == no_symbol)
    return a.error(a.statement_start, "this epilogue lacks .seh_unwindv2start");
  e.end = a.make_label_here();
  a.unwind.in_epilogue = false;
}

}  // namespace xas
