// SPDX-License-Identifier: Apache-2.0
// Pieces of .xdata and their entries in .pdata, for the machines whose unwind codes stand for instructions.
//
// What is strange: a frame without a single code has no information at all, and the handler's data that stand before
// the first code would be nobody's.
#include "asm/unwind/win_unwind_piece.h"

#include "asm/program/pieces.h"
#include "asm/program/streamer.h"
#include "objwriter/endian.h"

namespace xas {

namespace {

using Problem = WinUnwindProblem;

bool has_codes(const UnwindFrame& f) { return !f.codes.empty() || !f.thumb_codes.empty() || !f.epilogues.empty(); }

/// From a label to one that is not before it, if that is known.
std::optional<u32> distance(Program& program, SymbolId from, SymbolId to) {
  if (to == no_symbol) return {};
  const Resolved r = program.resolve(Value{.add = to, .sub = from});
  if (r.kind != Resolved::number || r.value < 0 || r.value > i64(~u32(0))) return {};
  return u32(r.value);
}

bool is_known(Streamer& out, SymbolId from, SymbolId to) {
  Value v{.add = to, .sub = from};
  out.fold(v);
  return v.is_constant();
}

/// ARM: remembers which lengths are known where the function's end is read.
void note_known_lengths(Streamer& out, UnwindFrame& f) {
  f.length_known = is_known(out, f.begin, f.funclet_end);
  for (UnwindEpilogue& e : f.epilogues) e.ends_known = is_known(out, e.start, f.funclet_end);
}

/// A reference to the function's handler, in four bytes of piece `number`.
void put_handler(Program& program, const UnwindFrame& f, u32 number, std::vector<u8>& bytes, u32 at) {
  const RelocChoice choice = program.target.relocation({.kind = fixup_data4,
                                                        .modifier = program.target.modifier("IMGREL"),
                                                        .has_symbol = true,
                                                        .format = ObjectFormat::coff});
  SymbolId named = f.handler.add;
  i64 addend = 0;
  const Symbol& s = program.symbols[named];
  if (s.kind == SymbolKind::label && is_coff_temporary(s)) {
    addend = i64(program.label_offset(s));
    named = coff_anchor(program, program.sections.sub(s.where).section, addend);
  }
  program.pieces.relocs.push_back({.piece = number, .at = at, .symbol = named, .type = choice.type});
  store_int(&bytes[at], u64(addend), 4);
}

void report(Program& program, const UnwindFrame& f, const WinUnwindProblems& problems) {
  for (const Problem& p : problems)
    program.diags.error(p.epilogue == Problem::function ? f.loc : f.epilogues[p.epilogue].loc, p.message);
}

/// The codes of one machine (`frame_codes`, `epilogue_codes`: where the frame has them), with the lengths that layout
/// came to, made into bytes by that machine's encoder.
template <typename Code>
void make_piece(Program& program, UnwindFrame& f, u32 number, std::vector<Code> UnwindFrame::*frame_codes,
                std::vector<Code> UnwindEpilogue::*epilogue_codes) {
  const std::optional<u32> length = distance(program, f.begin, f.funclet_end);
  if (!length) return program.diags.error(f.loc, "the function's end is not behind its start");
  WinUnwindFunction<Code> function{.length = *length,
                                   .prologue = std::move(f.*frame_codes),
                                   .prologue_length = distance(program, f.begin, f.prologue_end),
                                   .has_handler = (f.handler_flags & UNW_FLAG_EHANDLER) != 0,
                                   .has_data = f.has_data,
                                   .fragment = f.fragment,
                                   .may_pack = f.length_known};
  for (UnwindEpilogue& e : f.epilogues) {
    function.epilogues.push_back({.codes = std::move(e.*epilogue_codes),
                                  .start = distance(program, f.begin, e.start),
                                  .length = distance(program, e.start, e.end),
                                  .to_end = e.ends_known ? distance(program, e.start, f.funclet_end) : std::nullopt,
                                  .condition = e.condition});
  }
  WinUnwindProblems problems;
  check_win_unwind(function, problems);
  report(program, f, problems);
  if (program.diags.errors()) return;
  WinUnwindInfo info = make_win_unwind_info(function, problems);
  report(program, f, problems);
  f.segments = std::move(info.segments);
  f.packed = info.packed;
  for (const u32 at : info.handlers) put_handler(program, f, number, info.bytes, at);
  fill_piece(program, number, info.bytes);
}

void fill_unwind_piece(Program& program, u32 number) {
  UnwindFrame& f = program.unwind.frames[program.pieces.all[number].number];
  if (program.unwind.machine == UnwindMachine::arm64)
    return make_piece(program, f, number, &UnwindFrame::codes, &UnwindEpilogue::codes);
  if (f.prologue_end == no_symbol)
    return program.diags.error(f.loc, "this function's prologue is never ended; .seh_endprologue ends it");
  make_piece(program, f, number, &UnwindFrame::thumb_codes, &UnwindEpilogue::thumb_codes);
}

}  // namespace

void place_unwind_piece(Streamer& out, u32 index, bool has_data) {
  UnwindFrame& f = out.program.unwind.frames[index];
  if (f.info != no_symbol) return;
  if (out.program.unwind.machine == UnwindMachine::arm) note_known_lengths(out, f);
  Section& xdata = unwind_section(out.program, f.section, ".xdata");
  out.current = &out.program.sections.sub(xdata.default_subsection);
  if (!has_codes(f)) {
    if (has_data) f.data_without_codes = out.program.sources.statement_loc();
    return;
  }
  if (f.data_without_codes) {
    out.program.diags.error(f.data_without_codes,
                            "the function has no unwind information before this, so the handler's data are nobody's");
    return;
  }
  f.has_data = has_data;
  // LLVM leaves a handler that is for unwinding alone out.
  if (f.handler_flags & UNW_FLAG_EHANDLER) {
    f.handler = {.add = out.program.symbols.intern_copy(f.late_handler)};
    out.program.symbols[f.handler.add].flags |= symbol_referenced;
  }
  out.emit_align(2, 1, 0, 0, f.loc);
  f.info = out.make_label_here();
  add_piece(out, PieceKind::unwind_info, index, f.loc);
}

void fill_unwind_pieces(Program& program) {
  for (u32 i = 0; i < program.pieces.all.size(); ++i)
    if (program.pieces.all[i].kind == PieceKind::unwind_info) fill_unwind_piece(program, i);
}

void write_piece_runtime_functions(Streamer& out) {
  const u16 image_relative = out.program.target.modifier("IMGREL");
  for (const UnwindFrame& f : out.program.unwind.frames) {
    if (f.segments.empty()) continue;
    out.current = &out.program.sections.sub(unwind_section(out.program, f.section, ".pdata").default_subsection);
    for (const WinUnwindSegment& s : f.segments) {
      out.emit_value({.constant = i64(s.begin), .add = f.begin, .modifier = image_relative}, 4, f.loc);
      if (f.packed) {
        out.emit_int(f.packed, 4);
      } else {
        out.emit_value({.constant = i64(s.info), .add = f.info, .modifier = image_relative}, 4, f.loc);
      }
    }
  }
}

}  // namespace xas
