// SPDX-License-Identifier: Apache-2.0
// The verbs of Windows unwind information that every machine has, and those of x86-64: see seh.h.
#include "asm/unwind/seh.h"

#include <fmt/format.h>

#include "asm/program/streamer.h"
#include "asm/unwind/win_unwind.h"
#include "asm/unwind/win_unwind_piece.h"

namespace xas {

namespace {

constexpr i64 scaled_limit = 0xffff;

void error(Streamer& out, std::string message) { out.error(out.program.sources.statement, std::move(message)); }

/// Belongs to the epilogue that is open, which only version 3 can tell, else to the prologue.
void add_operation(Streamer& out, UnwindFrame& f, UnwindCode code, unsigned info, u8 words = 0, u32 operand = 0) {
  const bool in_epilogue = out.program.unwind.in_epilogue;
  if (in_epilogue && f.version < 3)
    return error(out, "only version 3 of unwind information tells what epilogues do (.seh_unwindversion 3)");
  (in_epilogue ? f.epilogues.back().operations : f.operations)
      .push_back({.at = out.make_label_here(), .code = code, .info = u8(info), .words = words, .operand = operand});
}

/// Everything of the open function is known: its tables are written (.pdata at the end, by LLVM).
void close_function(Streamer& out) {
  UnwindTable& table = out.program.unwind;
  const u32 code_section = table.frames[table.open].section;
  Subsection* const before = out.current;
  const Mapping mapping = out.mapping;
  for (u32 i = table.first_of_function; i < table.frames.size(); ++i) {
    if (table.frames[i].end == no_symbol) continue;
    if (table.by_instruction()) {
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
  if (out.program.info.mapping.notes_data) out.note_mapping(mapping);
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

/// Whose handler is meant: what .seh_splitchained has begun is the function still.
UnwindFrame& with_handler(Streamer& out, UnwindFrame& f) {
  return f.is_split ? out.program.unwind.frames[f.chained_to] : f;
}

/// The epilogue that is open; null (reported) if there is none.
UnwindEpilogue* open_epilogue(Streamer& out, UnwindFrame& f) {
  if (out.program.unwind.in_epilogue) return &f.epilogues.back();
  return error(out, "no epilogue is open; .seh_startepilogue begins one"), nullptr;
}

bool in_32_bits(Streamer& out, i64 offset, std::string_view what, const char* at) {
  if (offset >= 0 && offset <= i64(~u32(0))) return true;
  return out.error(at, fmt::format("{} {} is not between 0 and 4294967295", what, offset)), false;
}

/// GNU as takes what is not aligned in the long form, which LLVM refuses.
bool is_aligned(Streamer& out, i64 value, i64 unit, const char* at) {
  if (out.program.profile.seh_any_size || value % unit == 0) return true;
  return out.error(at, fmt::format("{} is not a multiple of {}", value, unit)), false;
}

/// The register is of x86-64's general ones, of which version 3 knows 32, or (`xmm`) of its vector registers.
bool is_x64(Streamer& out, const UnwindFrame& f, const UnwindOperands& o, bool xmm) {
  if (o.reg.kind != (xmm ? 'v' : 'r') || (xmm && o.reg.number > 15)) {
    out.error(o.reg_at, fmt::format("expected {}", xmm ? "%xmm0 to %xmm15" : "a 64-bit general register"));
    return false;
  }
  if (o.reg.number < 16 || f.version >= 3) return true;
  out.error(o.reg_at, fmt::format("r{} can only be told by version 3 of unwind information (.seh_unwindversion 3)",
                                  o.reg.number));
  return false;
}

/// An epilogue can't go on beyond here.
bool epilogue_open(Streamer& out) {
  if (out.program.unwind.in_epilogue)
    error(out, "an epilogue is still open; .seh_endepilogue closes it");
  return out.program.unwind.in_epilogue;
}

}  // namespace

bool has_unwind_tables(Streamer& out) {
  if (out.program.unwind.machine != UnwindMachine::none) return true;
  error(out, ".seh_ directives describe functions of x86-64, ARM64 and ARM; exceptions of i386 have no tables");
  return false;
}

UnwindFrame* unwind_frame(Streamer& out, UnwindMachine machine, bool in_section) {
  UnwindTable& table = out.program.unwind;
  if (machine == UnwindMachine::x64 && table.by_instruction())
    return error(out, "this directive describes functions of x86-64, not of ARM64 or ARM"), nullptr;
  if (machine == UnwindMachine::arm64 && table.machine != machine)
    return error(out, "this directive describes functions of ARM64"), nullptr;
  if (machine == UnwindMachine::arm && table.machine != machine)
    return error(out, "this directive describes functions of ARM"), nullptr;
  if (!has_unwind_tables(out)) return nullptr;
  if (table.open == no_frame) return error(out, "there is no function open here; .seh_proc begins one"), nullptr;
  UnwindFrame& f = table.frames[table.open];
  if (in_section && out.program.profile.seh_stays_in_section && f.section != out.current->section) {
    error(out, fmt::format("the function that is open is in section {}, not in {}",
                           out.program.sections[f.section].name, out.current_section().name));
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
  table.first_of_function = u32(table.frames.size());
  begin_frame(out, no_frame);
}

void end_unwind_function(Streamer& out, UnwindFrame& f) {
  if (f.chained_to != no_frame && !f.is_split)
    return error(out, "a chained region is still open; .seh_endchained closes it");
  if (epilogue_open(out)) return;
  if ((!f.codes.empty() || !f.thumb_codes.empty()) && f.prologue_end == no_symbol)
    return error(out, "this function's prologue is still open; .seh_endprologue ends it");
  f.end = out.make_label_here();
  if (f.funclet_end == no_symbol) f.funclet_end = f.end;
  leave_section(out.program);
  close_function(out);
}

void end_unwind_code(Streamer& out, UnwindFrame& f) { f.funclet_end = out.make_label_here(); }

void begin_chained_region(Streamer& out) {
  if (!out.program.profile.seh_chained_regions)
    return error(out, "LLVM has no chained regions from 23 on; --compat=llvm-22 takes .seh_startchained");
  if (!epilogue_open(out)) begin_frame(out, out.program.unwind.open);
}

void end_chained_region(Streamer& out, UnwindFrame& f) {
  if (f.chained_to == no_frame || f.is_split)
    return error(out, "no chained region is open; .seh_startchained begins one");
  if (epilogue_open(out)) return;
  f.end = f.funclet_end = out.make_label_here();
  out.program.unwind.open = f.chained_to;
}

void split_chained_region(Streamer& out, UnwindFrame& f) {
  if (f.chained_to != no_frame && !f.is_split)
    return error(out, "a chained region is still open; .seh_endchained closes it");
  if (f.prologue_end == no_symbol)
    return error(out, "a prologue can't be split; .seh_endprologue ends it");
  if (epilogue_open(out)) return;
  UnwindTable& table = out.program.unwind;
  const u32 function = f.is_split ? f.chained_to : table.open;
  f.end = out.make_label_here();
  if (f.funclet_end == no_symbol) f.funclet_end = f.end;
  begin_frame(out, function);
  table.frames.back().is_split = true;
  table.frames.back().version = table.frames[function].version;
}

void begin_unwind_epilogue(Streamer& out, UnwindFrame& f, u8 condition) {
  if (out.program.unwind.in_epilogue) return error(out, "an epilogue is open already; .seh_endepilogue closes it");
  if (f.prologue_end == no_symbol)
    return error(out, "an epilogue before the prologue has ended (.seh_endprologue)");
  out.program.unwind.in_epilogue = true;
  f.epilogues.push_back({.start = out.make_label_here(), .loc = out.program.sources.statement_loc()});
  f.epilogues.back().condition = condition;
}

void end_unwind_epilogue(Streamer& out, UnwindFrame& f) {
  UnwindEpilogue* const e = open_epilogue(out, f);
  if (!e) return;
  if (out.program.unwind.machine == UnwindMachine::arm64) e->codes.push_back({aarch64::WinUnwind::end});
  if (out.program.unwind.machine == UnwindMachine::arm) end_arm_epilogue(*e);
  if (f.version == 2 && e->unwind_start == no_symbol) return error(out, "this epilogue lacks .seh_unwindv2start");
  e->end = out.make_label_here();
  out.program.unwind.in_epilogue = false;
}

void start_epilogue_pops(Streamer& out, UnwindFrame& f) {
  UnwindEpilogue* const e = open_epilogue(out, f);
  if (!e) return;
  if (e->unwind_start != no_symbol) return error(out, "this epilogue has a .seh_unwindv2start already");
  e->unwind_start = out.make_label_here();
}

void set_unwind_version(Streamer& out, i64 version, const char* at) {
  if (out.program.unwind.by_instruction())
    return out.error(at, "unwind information of ARM and ARM64 has no other versions");
  if (version < 1 || version > 3)
    return out.error(at, fmt::format("there is no version {} of unwind information; 1 to 3 are known", version));
  if (out.program.unwind.open == no_frame) {
    out.program.unwind.version = u8(version);
  } else if (UnwindFrame* f = unwind_frame(out)) {
    if (f->version != out.program.unwind.version && f->version != version)
      return out.error(at, fmt::format("this function has version {} already", f->version));
    f->version = u8(version);
  }
}

bool may_have_handler(Streamer& out, UnwindFrame& frame) {
  const UnwindFrame& f = with_handler(out, frame);
  if (f.chained_to != no_frame) return error(out, "chained regions have no handlers of their own"), false;
  if (f.info != no_symbol) return error(out, "the handler must be named before .seh_handlerdata"), false;
  return true;
}

void set_unwind_handler(Streamer& out, UnwindFrame& frame, const Value& handler, std::string_view name, u8 flags) {
  UnwindFrame& f = with_handler(out, frame);
  f.handler = handler;
  f.late_handler = name;
  f.has_handler = true;
  f.handler_flags = u8(out.program.profile.seh_handler_constants ? flags : f.handler_flags | flags);
}

void begin_handler_data(Streamer& out, UnwindFrame& frame) {
  Program& program = out.program;
  UnwindFrame& f = with_handler(out, frame);
  if (f.chained_to != no_frame) return error(out, "chained regions have no handlers of their own");
  if (program.profile.seh_data_apart) {
    f.has_data = true;
    return out.switch_to(unwind_data(program, f));
  }
  leave_section(program);
  if (!program.unwind.by_instruction()) return write_unwind_info(out, f);
  if (f.funclet_end == no_symbol) {
    out.current = &program.sections.sub(program.sections[f.section].default_subsection);
    f.funclet_end = out.make_label_here();
  }
  place_unwind_piece(out, program.unwind.open, true);
}

void end_handler_data(Streamer& out, UnwindFrame& f) {
  out.switch_to(out.program.sections.sub(out.program.sections[f.section].default_subsection));
}

void unwind_push_register(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  if (is_x64(out, f, o, false)) add_operation(out, f, UWOP_PUSH_NONVOL, o.reg.number);
}

void unwind_push_two(Streamer& out, UnwindFrame& f, const UnwindOperands& first, const UnwindOperands& second) {
  if (f.version < 3)
    return error(out, "only version 3 of unwind information knows two registers in one push (.seh_unwindversion 3)");
  if (is_x64(out, f, first, false) && is_x64(out, f, second, false))
    add_operation(out, f, UWOP_PUSH2, first.reg.number, 0, second.reg.number);
}

void unwind_set_frame(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  if (!is_x64(out, f, o, false) || !in_32_bits(out, o.offset, "the frame's offset", o.offset_at)) return;
  if (o.reg.number > 15) return out.error(o.reg_at, "only rax to r15 can be frame registers");
  if (o.offset % 16 || o.offset > 240) {
    return out.error(o.offset_at,
                     fmt::format("the frame's offset is {}; it must be a multiple of 16 up to 240", o.offset));
  }
  if (!out.program.unwind.in_epilogue) {
    if (f.has_frame) return error(out, "this function has a frame register already");
    f.has_frame = true;
    f.frame_register = o.reg.number;
    f.frame_offset = u8(o.offset);
  }
  add_operation(out, f, UWOP_SET_FPREG, 0, 0, u32(o.offset) | o.reg.number);
}

void unwind_allocate(Streamer& out, UnwindFrame& f, i64 size, const char* at, bool wide) {
  if (out.program.unwind.machine == UnwindMachine::arm64) return allocate_on_arm64(out, f, size, at);
  if (out.program.unwind.machine == UnwindMachine::arm) return allocate_on_arm(out, f, size, at, wide);
  if (!in_32_bits(out, size, "the size", at) || !is_aligned(out, size, 8, at)) return;
  if (size == 0) {
    if (!out.program.profile.seh_any_size) out.error(at, "the size must not be 0");
    return;
  }
  if (size % 8 == 0 && size <= 128) {
    add_operation(out, f, UWOP_ALLOC_SMALL, unsigned(size - 8) / 8);
  } else if (size % 8 == 0 && size <= scaled_limit * 8) {
    add_operation(out, f, UWOP_ALLOC_LARGE, 0, 1, u32(size / 8));
  } else {
    add_operation(out, f, UWOP_ALLOC_LARGE, 1, 2, u32(size));
  }
}

void unwind_save_register(Streamer& out, UnwindFrame& f, const UnwindOperands& o, bool xmm) {
  const u32 unit = xmm ? 16 : 8;
  if (!is_x64(out, f, o, xmm) || !in_32_bits(out, o.offset, "the offset", o.offset_at)) return;
  if (!is_aligned(out, o.offset, unit, o.offset_at)) return;
  // LLVM has the same limit for both, in bytes.
  const i64 limit = scaled_limit * (out.program.profile.seh_scaled_vector_limit ? unit : 8);
  const u32 offset = u32(o.offset);
  if (offset % unit == 0 && offset <= limit) {
    add_operation(out, f, xmm ? UWOP_SAVE_XMM128 : UWOP_SAVE_NONVOL, o.reg.number, 1, offset / unit);
  } else {
    add_operation(out, f, xmm ? UWOP_SAVE_XMM128_FAR : UWOP_SAVE_NONVOL_FAR, o.reg.number, 2, offset);
  }
}

void unwind_push_machine_frame(Streamer& out, UnwindFrame& f, bool code) {
  if (out.program.unwind.machine == UnwindMachine::arm64)
    return add_arm64_code(out, f, {aarch64::WinUnwind::machine_frame});
  const bool anywhere = out.program.unwind.in_epilogue || out.program.profile.seh_frame_anywhere;
  if (!f.operations.empty() && !anywhere)
    return error(out, ".seh_pushframe must be the first of its function's operations");
  add_operation(out, f, UWOP_PUSH_MACHFRAME, code);
}

void unwind_nop(Streamer& out, UnwindFrame& f, bool wide) {
  if (out.program.unwind.machine == UnwindMachine::arm)
    return add_arm_code(out, f, {wide ? arm::WinUnwind::wide_nop : arm::WinUnwind::nop});
  add_arm64_code(out, f, {aarch64::WinUnwind::nop});
}

void end_unwind_prologue(Streamer& out, UnwindFrame& f, bool fragment) {
  const UnwindTable& table = out.program.unwind;
  const bool again = f.prologue_end != no_symbol;
  constexpr const char* message = "this function's prologue has ended already";
  if (again && table.by_instruction()) return error(out, message);
  if (again && out.program.profile.seh_first_endprologue)
    return out.warning(out.program.sources.statement, message);
  f.prologue_end = out.make_label_here();
  f.fragment = fragment;
  if (table.machine == UnwindMachine::arm64) f.codes.insert(f.codes.begin(), {aarch64::WinUnwind::end});
  if (table.machine == UnwindMachine::arm) f.thumb_codes.insert(f.thumb_codes.begin(), {arm::WinUnwind::end});
}

}  // namespace xas
