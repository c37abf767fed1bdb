// .xdata and .pdata of x86-64: UNWIND_INFO, and the RUNTIME_FUNCTION that refers to it. Everything is written with the
// assembler's ordinary verbs while the text is read: lengths are differences of labels, so they settle with layout.
//
// What is strange: which .xdata. A linker that drops a COMDAT function must drop its tables, so these go into a section
// that is tied to the function's. GNU as names it after the function's (.xdata$name) and makes it a COMDAT of the same
// kind; LLVM does so for GNU environments, and has sections associated with the function's symbol for Microsoft's. LLVM
// gives every code section other than .text its own pair.
//
// Source: Microsoft, "x64 exception handling".
#include "asm/win_unwind.h"

#include <fmt/format.h>

#include "asm/assembler.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

namespace {

constexpr u32 no_frame = ~u32(0);
constexpr u32 read_only_data = IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_READ;

/// GNU as: what follows the first '$' or '.' of the code section's name, which may be nothing.
std::string_view gnu_suffix(std::string_view name) {
  const std::size_t dollar = name.find('$');
  const std::size_t dot = name.find('.', 1);
  const std::size_t at = std::min(dollar, dot);
  return at == name.npos ? std::string_view() : name.substr(at);
}

Section& llvm_unwind_section(Assembler& a, u32 index, std::string_view name) {
  const Section& code = a.sections[index];
  if (&code == a.text) return coff_section(a, name, read_only_data);
  UnwindTable& table = a.unwind;
  if (table.unwind_ids.size() <= index) table.unwind_ids.resize(index + 1);
  if (table.unwind_ids[index] == 0) table.unwind_ids[index] = ++table.last_unwind_id;
  const u32 unique = table.unwind_ids[index];
  if (!(code.characteristics & IMAGE_SCN_LNK_COMDAT))
    return coff_section(a, name, read_only_data, 0, no_symbol, unique);
  constexpr u32 comdat = read_only_data | IMAGE_SCN_LNK_COMDAT;
  if (!a.options.msvc) {
    const std::size_t dollar = code.name.find('$');
    const std::string_view suffix = dollar == code.name.npos ? std::string_view() : code.name.substr(dollar + 1);
    return coff_section(a, fmt::format("{}${}", name, suffix), comdat, IMAGE_COMDAT_SELECT_ANY);
  }
  if (code.group == no_symbol) return coff_section(a, name, read_only_data, 0, no_symbol, unique);
  return coff_section(a, name, comdat, IMAGE_COMDAT_SELECT_ASSOCIATIVE, code.group, unique);
}

void put_image_relative(Assembler& a, Value value, SourceLoc loc) {
  if (!value.is_constant()) value.modifier = a.target.modifier("IMGREL");
  a.emit_value(value, 4, loc);
}

void put_distance(Assembler& a, SymbolId from, SymbolId to, SourceLoc loc) {
  Value distance{.add = to, .sub = from};
  a.fold(distance);
  a.emit_value(distance, 1, loc);
}

unsigned slots(const UnwindFrame& f) {
  unsigned n = 0;
  for (const UnwindOperation& o : f.operations) n += 1 + o.words;
  return n;
}

/// The constant distance between two labels of code without alignments and growing branches between them; else not.
bool fixed_distance(Assembler& a, SymbolId from, SymbolId to, i64& distance) {
  Value v{.add = to, .sub = from};
  a.fold(v);
  distance = v.constant;
  return v.is_constant();
}

/// From where popping begins to behind the `ret`, which is one byte long and not in the epilogue as it is marked.
i64 epilogue_size(Assembler& a, const UnwindEpilogue& e) {
  i64 distance;
  if (fixed_distance(a, e.unwind_start, e.end, distance) && distance < 255) return distance + 1;
  a.diags.error(e.loc, "version 2 of unwind information takes epilogues of up to 255 bytes without alignments in them");
  return 0;
}

bool ends_function(Assembler& a, const UnwindFrame& f) {
  const UnwindEpilogue& last = f.epilogues.back();
  i64 distance;
  return f.funclet_end != no_symbol && fixed_distance(a, last.unwind_start, f.funclet_end, distance) &&
         distance == epilogue_size(a, last);
}

/// Version 2: the size of epilogues, then how far from the function's end each begins, which is known after layout. One
/// that ends the function is told by a bit. Their number is made even.
void write_epilogues(Assembler& a, const UnwindFrame& f, bool at_end) {
  const i64 size = epilogue_size(a, f.epilogues.back());
  a.emit_int(u64(size), 1);
  a.emit_int(UWOP_EPILOG | (at_end ? 0x10 : 0), 1);
  const std::size_t others = f.epilogues.size() - at_end;
  for (std::size_t i = others; i-- > 0;) {
    if (epilogue_size(a, f.epilogues[i]) != size) {
      a.diags.error(f.epilogues[i].loc,
                    "this epilogue's size is not that of the others, as version 2 of unwind information needs it");
    }
    a.unwind.epilogue_places.push_back({.subsection = a.current->id,
                                        .pos = u32(a.current->size),
                                        .frame = u32(&f - a.unwind.frames.data()),
                                        .epilogue = u32(i)});
    a.emit_int(0, 1);
    a.emit_int(UWOP_EPILOG, 1);
  }
  if (others % 2 == 0) a.emit_int(UWOP_EPILOG << 8, 2);
}

}  // namespace

Section& companion_section(Assembler& a, const Section& code, std::string_view name, u32 characteristics) {
  const std::string full = fmt::format("{}{}", name, gnu_suffix(code.name));
  const u32 known = a.sections.size();
  Section& s = coff_section(a, full, characteristics);
  if (known != a.sections.size()) {
    s.selection = code.selection;
    s.comdat = code.comdat;
    s.characteristics |= code.characteristics & IMAGE_SCN_LNK_COMDAT;
  }
  return s;
}

Subsection& unwind_data_or_start(Assembler& a, Section& section) {
  Subsection& start = a.sections.sub(section.default_subsection);
  if (!a.profile.coff_gnu_symbols || a.unwind.frames.empty()) return start;
  const UnwindFrame& f = a.unwind.frames.back();
  if (!f.has_data || &unwind_section(a, f.section, ".xdata") != &section) return start;
  Subsection& data = a.sections.subsection(section, f.subsection + 1);
  return data.size == 0 && data.flexes.empty() ? data : start;
}

Section& unwind_section(Assembler& a, u32 code, std::string_view name) {
  return a.profile.coff_gnu_symbols ? companion_section(a, a.sections[code], name, read_only_data)
                                    : llvm_unwind_section(a, code, name);
}

void write_runtime_function(Assembler& a, const UnwindFrame& frame) {
  put_image_relative(a, {.add = frame.begin}, frame.loc);
  put_image_relative(a, {.add = frame.end}, frame.loc);
  put_image_relative(a, {.add = frame.info}, frame.loc);
}

void write_unwind_info(Assembler& a, UnwindFrame& f) {
  if (f.info != no_symbol) return;
  Section& xdata = unwind_section(a, f.section, ".xdata");
  a.current = &a.sections.subsection(xdata, f.subsection);
  a.emit_align(2, 1, 0, 0, f.loc);
  f.info = a.make_label_here();

  const bool chained = f.chained_to != no_frame;
  const u8 flags = chained ? u8(UNW_FLAG_CHAININFO) : f.handler_flags;
  const bool has_epilogues = f.version >= 2 && !f.epilogues.empty();
  const bool at_end = has_epilogues && ends_function(a, f);
  const unsigned epilogues = has_epilogues ? unsigned(2 + f.epilogues.size() - at_end) & ~1u : 0;
  const unsigned count = epilogues + slots(f);
  if (count > 255) {
    a.diags.error(
        f.loc,
        fmt::format("this function's prologue and epilogues take {} unwind codes; there is room for 255", count));
    return;
  }
  a.emit_int(f.version | flags << 3, 1);
  if (f.prologue_end != no_symbol) {
    put_distance(a, f.begin, f.prologue_end, f.loc);
  } else {
    a.emit_int(0, 1);
  }
  a.emit_int(count, 1);
  a.emit_int(f.frame_offset | f.frame_register, 1);
  if (epilogues) write_epilogues(a, f, at_end);
  for (auto o = f.operations.rbegin(); o != f.operations.rend(); ++o) {
    put_distance(a, f.begin, o->at, f.loc);
    a.emit_int(o->code | o->info << 4, 1);
    if (o->words) a.emit_int(o->operand, 2 * o->words);
  }
  if (count & 1) a.emit_int(0, 2);

  if (chained) {
    write_runtime_function(a, a.unwind.frames[f.chained_to]);
  } else if (flags & (UNW_FLAG_EHANDLER | UNW_FLAG_UHANDLER)) {
    if (!f.late_handler.empty()) f.handler = {.add = a.symbols.intern_copy(f.late_handler)};
    if (f.handler.add != no_symbol) a.symbols[f.handler.add].flags |= symbol_referenced;
    put_image_relative(a, f.handler, f.loc);
  } else if (count == 0 && !a.profile.coff_gnu_symbols) {
    a.emit_int(0, 4);  // LLVM makes every UNWIND_INFO of eight bytes at least
  }
}

void fill_epilogue_places(Assembler& a) {
  for (const EpiloguePlace& place : a.unwind.epilogue_places) {
    const UnwindFrame& f = a.unwind.frames[place.frame];
    const UnwindEpilogue& e = f.epilogues[place.epilogue];
    const Resolved r = a.resolve(Value{.add = f.funclet_end, .sub = e.unwind_start});
    if (r.kind != Resolved::number || r.value < 0 || r.value > 0xfff) {
      a.diags.error(e.loc, "version 2 of unwind information takes epilogues within 4095 bytes of their function's end");
      continue;
    }
    u8* out = a.sections.sub(place.subsection).data + place.pos;
    out[0] = u8(r.value);
    out[1] = u8(UWOP_EPILOG | r.value >> 8 << 4);
  }
}

void finish_unwind_tables(Assembler& a) {
  if (a.unwind.frames.empty()) return;
  if (a.unwind.open != no_frame) {
    a.diags.error(a.profile.reports_open_at_end ? a.here() : a.unwind.frames[a.unwind.open].loc,
                  "this function's unwind information is never closed; .seh_endproc closes it");
    return;
  }
  if (a.profile.coff_gnu_symbols) return;
  for (const UnwindFrame& f : a.unwind.frames) {
    const bool by_instruction = a.unwind.arm64 || a.unwind.arm;  // whose entries are written after layout
    if (by_instruction && f.info == no_symbol) continue;
    Section& pdata = unwind_section(a, f.section, ".pdata");
    a.current = &a.sections.sub(pdata.default_subsection);
    a.emit_align(2, 1, 0, 0, f.loc);
    if (!by_instruction) write_runtime_function(a, f);
  }
}

}  // namespace xas
