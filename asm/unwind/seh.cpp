// SPDX-License-Identifier: Apache-2.0
#include "asm/unwind/seh.h"

#include <fmt/format.h>

#include "asm/program/streamer.h"
#include "asm/unwind/win_unwind_piece.h"
#include "objwriter/coff_constants.h"

namespace xas {

namespace {

constexpr i64 scaled_limit = 0xffff;

void error(Streamer& out, std::string message) { out.error(out.program.sources.statement, std::move(message)); }

void add_operation(Streamer& out, UnwindFrame& f, UnwindCode code, unsigned info, u8 words = 0, u32 operand = 0) {
  f.operations.push_back(
      {.at = out.make_label_here(), .code = code, .info = u8(info), .words = words, .operand = operand});
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

/// LLVM goes to the section of the tables where they are complete, and so forgets a .loc that no instruction has
/// followed.
void leave_section(Program& program) {
  if (program.lines.wants_sections) program.lines.on_section_change();
}

/// An epilogue can't go on beyond here.
bool epilogue_open(Streamer& out) {
  if (out.program.unwind.in_epilogue)
    error(out, "an epilogue is still open; .seh_endepilogue closes it");
  return out.program.unwind.in_epilogue;
}

}  // namespace

bool is_arm64(const Program& program) {
  return program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARM64 ||
         program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARM64EC;
}

bool is_arm(const Program& program) { return program.info.coff.machine == coff::IMAGE_FILE_MACHINE_ARMNT; }

bool has_unwind_tables(Streamer& out) {
  const Program& program = out.program;
  if (program.info.coff.machine == coff::IMAGE_FILE_MACHINE_AMD64 || is_arm64(program) || is_arm(program)) return true;
  error(out, ".seh_ directives describe functions of x86-64, ARM64 and ARM; exceptions of i386 have no tables");
  return false;
}

UnwindFrame* unwind_frame(Streamer& out, bool in_section) {
  if (!has_unwind_tables(out)) return nullptr;
  UnwindTable& table = out.program.unwind;
  if (table.open == no_frame) return error(out, "there is no function open here; .seh_proc begins one"), nullptr;
  UnwindFrame& f = table.frames[table.open];
  if (in_section && out.program.profile.seh_stays_in_section && f.section != out.current->section) {
    error(out, fmt::format("the function that is open is in section {}, not in {}", out.program.sections[f.section].name,
                           out.current_section().name));
    return nullptr;
  }
  return &f;
}

void begin_unwind_function(Streamer& out) {
  UnwindTable& table = out.program.unwind;
  if (table.open != no_frame) {
    error(out, "the function before this is not closed; .seh_endproc closes it");
    return out.program.diags.note(table.frames[table.open].loc, "it begins here");
  }
  table.arm64 = is_arm64(out.program);
  table.arm = is_arm(out.program);
  table.first_of_function = u32(table.frames.size());
  begin_frame(out, no_frame);
}

void end_unwind_function(Streamer& out, UnwindFrame& f) {
  if (f.chained_to != no_frame) return error(out, "a chained region is still open; .seh_endchained closes it");
  if (epilogue_open(out)) return;
  if ((!f.codes.empty() || !f.thumb_codes.empty()) && f.prologue_end == no_symbol)
    return error(out, "this function's prologue is still open; .seh_endprologue ends it");
  f.end = out.make_label_here();
  if (f.funclet_end == no_symbol) f.funclet_end = f.end;
  leave_section(out.program);
  close_function(out);
}

void begin_chained_region(Streamer& out) {
  if (!epilogue_open(out)) begin_frame(out, out.program.unwind.open);
}

void end_chained_region(Streamer& out, UnwindFrame& f) {
  if (f.chained_to == no_frame) return error(out, "no chained region is open; .seh_startchained begins one");
  if (epilogue_open(out)) return;
  f.end = f.funclet_end = out.make_label_here();
  out.program.unwind.open = f.chained_to;
}

void begin_unwind_epilogue(Streamer& out, UnwindFrame& f) {
  if (out.program.unwind.in_epilogue) return error(out, "an epilogue is open already; .seh_endepilogue closes it");
  if (f.prologue_end == no_symbol)
    return error(out, "an epilogue before the prologue has ended (.seh_endprologue)");
  out.program.unwind.in_epilogue = true;
  f.epilogues.push_back({.start = out.make_label_here(), .loc = out.program.sources.statement_loc()});
}

UnwindEpilogue* unwind_epilogue(Streamer& out, UnwindFrame& f) {
  if (out.program.unwind.in_epilogue) return &f.epilogues.back();
  return error(out, "no epilogue is open; .seh_startepilogue begins one"), nullptr;
}

void start_epilogue_pops(Streamer& out, UnwindFrame& f) {
  UnwindEpilogue* const e = unwind_epilogue(out, f);
  if (!e) return;
  if (e->unwind_start != no_symbol) return error(out, "this epilogue has a .seh_unwindv2start already");
  e->unwind_start = out.make_label_here();
}

void set_unwind_version(Streamer& out, u8 version) {
  if (out.program.unwind.open == no_frame) {
    out.program.unwind.version = version;
  } else if (UnwindFrame* f = unwind_frame(out)) {
    f->version = version;
  }
}

bool may_have_handler(Streamer& out, const UnwindFrame& f) {
  if (f.chained_to != no_frame) return error(out, "chained regions have no handlers of their own"), false;
  if (f.info != no_symbol) return error(out, "the handler must be named before .seh_handlerdata"), false;
  return true;
}

void begin_handler_data(Streamer& out, UnwindFrame& f) {
  Program& program = out.program;
  if (f.chained_to != no_frame) return error(out, "chained regions have no handlers of their own");
  if (program.profile.seh_data_apart) {
    f.has_data = true;
    return out.switch_to(unwind_data(program, f));
  }
  leave_section(program);
  if (!is_arm64(program) && !is_arm(program)) return write_unwind_info(out, f);
  if (f.funclet_end == no_symbol) {
    out.current = &program.sections.sub(program.sections[f.section].default_subsection);
    f.funclet_end = out.make_label_here();
  }
  place_unwind_piece(out, program.unwind.open, true);
}

void end_handler_data(Streamer& out, UnwindFrame& f) {
  out.switch_to(out.program.sections.sub(out.program.sections[f.section].default_subsection));
}

void unwind_push_register(Streamer& out, UnwindFrame& f, u8 reg) { add_operation(out, f, UWOP_PUSH_NONVOL, reg); }

void unwind_set_frame(Streamer& out, UnwindFrame& f, u8 reg, u8 offset) {
  if (f.has_frame) return error(out, "this function has a frame register already");
  f.has_frame = true;
  f.frame_register = reg;
  f.frame_offset = offset;
  add_operation(out, f, UWOP_SET_FPREG, 0);
}

void unwind_allocate(Streamer& out, UnwindFrame& f, u32 size) {
  if (size % 8 == 0 && size <= 128) {
    add_operation(out, f, UWOP_ALLOC_SMALL, (size - 8) / 8);
  } else if (size % 8 == 0 && size <= scaled_limit * 8) {
    add_operation(out, f, UWOP_ALLOC_LARGE, 0, 1, size / 8);
  } else {
    add_operation(out, f, UWOP_ALLOC_LARGE, 1, 2, size);
  }
}

void unwind_save_register(Streamer& out, UnwindFrame& f, u8 reg, u32 offset, bool xmm) {
  const u32 unit = xmm ? 16 : 8;
  // LLVM has the same limit for both, in bytes.
  const i64 limit = scaled_limit * (out.program.profile.seh_scaled_vector_limit ? unit : 8);
  if (offset % unit == 0 && offset <= limit) {
    add_operation(out, f, xmm ? UWOP_SAVE_XMM128 : UWOP_SAVE_NONVOL, reg, 1, offset / unit);
  } else {
    add_operation(out, f, xmm ? UWOP_SAVE_XMM128_FAR : UWOP_SAVE_NONVOL_FAR, reg, 2, offset);
  }
}

void unwind_push_machine_frame(Streamer& out, UnwindFrame& f, bool code) {
  if (!f.operations.empty() && !out.program.profile.seh_frame_anywhere)
    return error(out, ".seh_pushframe must be the first of its function's operations");
  add_operation(out, f, UWOP_PUSH_MACHFRAME, code);
}

void end_unwind_prologue(Streamer& out, UnwindFrame& f) {
  if (f.prologue_end != no_symbol && out.program.profile.seh_first_endprologue)
    return out.warning(out.program.sources.statement, "this function's prologue has ended already");
  f.prologue_end = out.make_label_here();
}

}  // namespace xas
