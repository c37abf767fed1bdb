// SPDX-License-Identifier: Apache-2.0
// .xdata and .pdata of x86-64: UNWIND_INFO, and the RUNTIME_FUNCTION that refers to it. Everything is written with the
// assembler's ordinary verbs while the text is read: lengths are differences of labels, which layout finds.
//
// Source: Microsoft, "x64 exception handling".
#include "asm/program/win_unwind.h"

#include <fmt/format.h>

#include <utility>

#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

namespace {

void put_image_relative(Streamer& out, Value value, SourceLoc loc) {
  if (!value.is_constant()) value.modifier = out.program.target.modifier("IMGREL");
  out.emit_value(value, 4, loc);
}

/// Where in the prologue something stands: one byte.
void put_distance(Streamer& out, SymbolId from, SymbolId to, SourceLoc loc) {
  constexpr i64 most = 255;
  Value distance{.add = to, .sub = from};
  out.fold(distance);
  if (distance.is_constant() && distance.constant > most) {
    const SourceLoc there = out.program.symbols[to].loc;
    out.program.diags.error(
        there ? there : loc,
        fmt::format("this is {} bytes into the function; a prologue has at most {}", distance.constant, most));
    distance.constant = 0;
  }
  out.emit_value(distance, 1, loc);
}

unsigned slots(const UnwindFrame& f) {
  unsigned n = 0;
  for (const UnwindOperation& o : f.operations) n += 1 + o.words;
  return n;
}

/// The constant distance between two labels of code without alignments and growing branches between them; else not.
bool fixed_distance(Streamer& out, SymbolId from, SymbolId to, i64& distance) {
  Value v{.add = to, .sub = from};
  out.fold(v);
  distance = v.constant;
  return v.is_constant();
}

/// From where popping begins to behind the `ret`, which is one byte long and not in the epilogue as it is marked.
i64 epilogue_size(Streamer& out, const UnwindEpilogue& e) {
  i64 distance;
  if (fixed_distance(out, e.unwind_start, e.end, distance) && distance < 255) return distance + 1;
  out.program.diags.error(
      e.loc, "version 2 of unwind information takes epilogues of up to 255 bytes without alignments in them");
  return 0;
}

bool ends_function(Streamer& out, const UnwindFrame& f) {
  const UnwindEpilogue& last = f.epilogues.back();
  i64 distance;
  return f.funclet_end != no_symbol && fixed_distance(out, last.unwind_start, f.funclet_end, distance) &&
         distance == epilogue_size(out, last);
}

/// Version 2: the size of epilogues, then how far from the function's end each begins, which is known after layout. One
/// that ends the function is told by a bit. Their number is made even.
void write_epilogues(Streamer& out, const UnwindFrame& f, bool at_end) {
  const i64 size = epilogue_size(out, f.epilogues.back());
  out.emit_int(u64(size), 1);
  out.emit_int(UWOP_EPILOG | (at_end ? 0x10 : 0), 1);
  const std::size_t others = f.epilogues.size() - at_end;
  for (std::size_t i = others; i-- > 0;) {
    if (epilogue_size(out, f.epilogues[i]) != size) {
      out.program.diags.error(
          f.epilogues[i].loc,
          "this epilogue's size is not that of the others, as version 2 of unwind information needs it");
    }
    out.program.unwind.epilogue_places.push_back({.subsection = out.current->id,
                                                  .pos = u32(out.current->size),
                                                  .frame = u32(&f - out.program.unwind.frames.data()),
                                                  .epilogue = u32(i)});
    out.emit_int(0, 1);
    out.emit_int(UWOP_EPILOG, 1);
  }
  if (others % 2 == 0) out.emit_int(UWOP_EPILOG << 8, 2);
}

}  // namespace

Subsection& unwind_data_or_start(Program& program, Section& section) {
  Subsection& start = program.sections.sub(section.default_subsection);
  const u32 index = start.section;
  if (index >= program.unwind.subsections.size() || program.unwind.subsections[index].data == 0) return start;
  const UnwindTable::Subsections& known = program.unwind.subsections[index];
  Subsection& data = program.sections.subsection(section, known.data);
  const bool is_empty = data.size == 0 && data.fragments.empty();
  return known.front_has_data || is_empty ? data : start;
}

i32 next_unwind_subsection(Program& program, u32 code) {
  const u32 xdata = program.sections.index_of(unwind_section(program, code, ".xdata"));
  if (program.unwind.subsections.size() <= xdata) program.unwind.subsections.resize(xdata + 1);
  return std::exchange(program.unwind.subsections[xdata].next, program.unwind.subsections[xdata].next + 2);
}

Subsection& unwind_data(Program& program, const UnwindFrame& frame) {
  Section& xdata = unwind_section(program, frame.section, ".xdata");
  UnwindTable::Subsections& known = program.unwind.subsections[program.sections.index_of(xdata)];
  known.data = frame.subsection + 1;
  known.front_has_data |= frame.subsection == 0;
  return program.sections.subsection(xdata, known.data);
}

void write_runtime_function(Streamer& out, const UnwindFrame& frame) {
  for (SymbolId id : {frame.begin, frame.end, frame.info}) put_image_relative(out, {.add = id}, frame.loc);
}

void write_unwind_info(Streamer& out, UnwindFrame& f) {
  if (f.info != no_symbol) return;
  Section& xdata = unwind_section(out.program, f.section, ".xdata");
  out.current = &out.program.sections.subsection(xdata, f.subsection);
  out.emit_align(2, 1, 0, 0, f.loc);
  f.info = out.make_label_here();

  const bool chained = f.chained_to != no_frame;
  const u8 flags = chained ? u8(UNW_FLAG_CHAININFO) : f.handler_flags;
  const bool has_epilogues = f.version >= 2 && !f.epilogues.empty();
  const bool at_end = has_epilogues && ends_function(out, f);
  const unsigned epilogues = has_epilogues ? unsigned(2 + f.epilogues.size() - at_end) & ~1u : 0;
  const unsigned count = epilogues + slots(f);
  if (count > 255) {
    out.program.diags.error(
        f.loc,
        fmt::format("this function's prologue and epilogues take {} unwind codes; there is room for 255", count));
    return;
  }
  out.emit_int(f.version | flags << 3, 1);
  if (f.prologue_end != no_symbol) {
    put_distance(out, f.begin, f.prologue_end, f.loc);
  } else {
    out.emit_int(0, 1);
  }
  out.emit_int(count, 1);
  out.emit_int(f.frame_offset | f.frame_register, 1);
  if (epilogues) write_epilogues(out, f, at_end);
  for (auto o = f.operations.rbegin(); o != f.operations.rend(); ++o) {
    put_distance(out, f.begin, o->at, f.loc);
    out.emit_int(o->code | o->info << 4, 1);
    if (o->words) out.emit_int(o->operand, 2 * o->words);
  }
  if (count & 1) out.emit_int(0, 2);

  if (chained) {
    write_runtime_function(out, out.program.unwind.frames[f.chained_to]);
  } else if (flags & (UNW_FLAG_EHANDLER | UNW_FLAG_UHANDLER)) {
    if (!f.late_handler.empty()) f.handler = {.add = out.program.symbols.intern_copy(f.late_handler)};
    if (f.handler.add != no_symbol) out.program.symbols[f.handler.add].flags |= symbol_referenced;
    put_image_relative(out, f.handler, f.loc);
  } else if (count == 0 && out.program.profile.unwind_info_min_8) {
    out.emit_int(0, 4);  // LLVM makes every UNWIND_INFO of eight bytes at least
  }
}

void fill_epilogue_places(Program& program) {
  for (const EpiloguePlace& place : program.unwind.epilogue_places) {
    const UnwindFrame& f = program.unwind.frames[place.frame];
    const UnwindEpilogue& e = f.epilogues[place.epilogue];
    const Resolved r = program.resolve(Value{.add = f.funclet_end, .sub = e.unwind_start});
    if (r.kind != Resolved::number || r.value < 0 || r.value > 0xfff) {
      program.diags.error(e.loc,
                          "version 2 of unwind information takes epilogues within 4095 bytes of their function's end");
      continue;
    }
    u8* out = program.sections.sub(place.subsection).data + place.pos;
    out[0] = u8(r.value);
    out[1] = u8(UWOP_EPILOG | r.value >> 8 << 4);
  }
}

void finish_unwind_tables(Streamer& out, SourceLoc end) {
  if (out.program.unwind.frames.empty()) return;
  if (out.program.unwind.open != no_frame) {
    out.program.diags.error(
        out.program.profile.reports_open_at_end ? end : out.program.unwind.frames[out.program.unwind.open].loc,
        "this function's unwind information is never closed; .seh_endproc closes it");
    return;
  }
  if (out.program.profile.seh_pdata_at_once) return;
  for (const UnwindFrame& f : out.program.unwind.frames) {
    const bool by_instruction =
        out.program.unwind.arm64 || out.program.unwind.arm;  // whose entries are written after layout
    if (by_instruction && f.info == no_symbol) continue;
    Section& pdata = unwind_section(out.program, f.section, ".pdata");
    out.current = &out.program.sections.sub(pdata.default_subsection);
    out.emit_align(2, 1, 0, 0, f.loc);
    if (!by_instruction) write_runtime_function(out, f);
  }
}

}  // namespace xas
