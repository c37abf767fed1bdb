// Pieces of .xdata and their entries in .pdata, for the machines whose unwind codes stand for instructions.
//
// What is strange: a frame without a single code has no information at all, and the handler's data that stand before
// the first code would be nobody's.
#include "asm/win_unwind_piece.h"

#include "asm/assembler.h"

namespace xas {

namespace {

bool has_codes(const UnwindFrame& f) { return !f.codes.empty() || !f.thumb_codes.empty() || !f.epilogues.empty(); }

}  // namespace

UnwindPieceMaker::UnwindPieceMaker(Assembler& a, UnwindFrame& frame, CodeViewPiece& piece)
    : a_(a), f_(frame), piece_(piece), out_(piece.bytes) {}

void UnwindPieceMaker::problem(SourceLoc loc, std::string message) { a_.diags.error(loc, std::move(message)); }

bool UnwindPieceMaker::distance(SymbolId from, SymbolId to, u32& result) {
  const Resolved r = a_.resolve(Value{.add = to, .sub = from});
  if (r.kind != Resolved::number || r.value < 0 || r.value > i64(~u32(0))) return false;
  result = u32(r.value);
  return true;
}

void UnwindPieceMaker::put32(u32 v) {
  for (unsigned i = 0; i < 4; ++i) out_.push_back(u8(v >> (8 * i)));
}

void UnwindPieceMaker::put_handler() {
  const RelocChoice choice = a_.target.relocation({.kind = fixup_data4,
                                                   .modifier = a_.target.modifier("IMGREL"),
                                                   .has_symbol = true,
                                                   .format = ObjectFormat::coff});
  SymbolId named = f_.handler.add;
  i64 addend = 0;
  const Symbol& s = a_.symbols[named];
  if (s.kind == SymbolKind::label && is_coff_temporary(s)) {
    addend = i64(a_.label_offset(s));
    named = coff_anchor(a_, a_.sections.sub(s.where).section, addend);
  }
  a_.add_reloc({.subsection = piece_.subsection,
                .offset = {.constant = i64(out_.size()), .add = piece_.start},
                .type = choice.type,
                .value = {.add = named},
                .loc = f_.loc});
  put32(u32(addend));
}

void place_unwind_piece(Assembler& a, u32 index, bool has_data) {
  UnwindFrame& f = a.unwind.frames[index];
  if (f.info != no_symbol) return;
  if (a.unwind.arm) note_known_lengths(a, f);
  Section& xdata = unwind_section(a, f.section, ".xdata");
  a.current = &a.sections.sub(xdata.default_subsection);
  if (!has_codes(f)) {
    if (has_data) f.data_without_codes = a.loc_of(a.statement_start);
    return;
  }
  if (f.data_without_codes) {
    a.diags.error(f.data_without_codes,
                  "the function has no unwind information before this, so the handler's data are nobody's");
    return;
  }
  f.has_data = has_data;
  // LLVM leaves a handler that is for unwinding alone out.
  if (f.handler_flags & UNW_FLAG_EHANDLER) {
    f.handler = {.add = a.symbols.intern_copy(f.late_handler)};
    a.symbols[f.handler.add].flags |= symbol_referenced;
  }
  a.emit_align(2, 1, 0, 0, f.loc);
  CodeViewPiece& piece = add_codeview_piece(a, CodeViewPieceKind::unwind_info, f.loc);
  piece.function = index;
  f.info = piece.start;
}

void make_unwind_piece(Assembler& a, CodeViewPiece& piece) {
  UnwindFrame& f = a.unwind.frames[piece.function];
  a.unwind.arm ? make_arm_unwind_info(a, f, piece) : make_arm64_unwind_info(a, f, piece);
}

void write_piece_runtime_functions(Assembler& a) {
  const u16 image_relative = a.target.modifier("IMGREL");
  for (const UnwindFrame& f : a.unwind.frames) {
    if (!f.arm_info.made) continue;
    a.current = &a.sections.sub(unwind_section(a, f.section, ".pdata").default_subsection);
    for (const ArmSegment& s : f.arm_info.segments) {
      a.emit_value({.constant = i64(s.begin), .add = f.begin, .modifier = image_relative}, 4, f.loc);
      if (f.arm_info.packed) {
        a.emit_int(f.arm_info.packed, 4);
      } else {
        a.emit_value({.constant = i64(s.info), .add = f.info, .modifier = image_relative}, 4, f.loc);
      }
    }
  }
}

}  // namespace xas
