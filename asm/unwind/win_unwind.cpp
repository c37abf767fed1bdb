// SPDX-License-Identifier: Apache-2.0
// .xdata and .pdata of x86-64: UNWIND_INFO, and the RUNTIME_FUNCTION that refers to it. Everything is written with the
// assembler's ordinary verbs while the text is read: lengths are differences of labels, which layout finds.
//
// Sources: Microsoft, "x64 exception handling"; of version 3, "x64 unwind information v3".
#include "asm/unwind/win_unwind.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/program/streamer.h"
#include "objwriter/coff_constants.h"
#include "objwriter/endian.h"

namespace xas {

using namespace coff;

namespace {

void put_image_relative(Streamer& out, Value value, SourceLoc loc) {
  if (!value.is_constant()) value.modifier = out.program.target.modifier("IMGREL");
  out.emit_value(value, 4, loc);
}

/// Where in the prologue (or epilogue) that begins at `from` something stands: in one byte or two.
void put_distance(Streamer& out, SymbolId from, SymbolId to, SourceLoc loc, unsigned size = 1) {
  const i64 most = size == 1 ? 255 : 65535;
  Value distance{.add = to, .sub = from};
  out.fold(distance);
  if (distance.is_constant() && distance.constant > most) {
    const SourceLoc there = out.program.symbols[to].loc;
    out.program.diags.error(
        there ? there : loc,
        fmt::format("this is {} bytes into the prologue or epilogue, which has at most {}", distance.constant, most));
    distance.constant = 0;
  }
  out.emit_value(distance, size, loc);
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

/// From where version 2 counts to epilogues; no_symbol if the text has not come there.
SymbolId end_for_epilogues(const Program& program, const UnwindFrame& f) {
  return program.profile.seh_epilogues_from_end ? f.end : f.funclet_end;
}

bool ends_function(Streamer& out, const UnwindFrame& f) {
  const UnwindEpilogue& last = f.epilogues.back();
  const SymbolId end = end_for_epilogues(out.program, f);
  i64 distance;
  return end != no_symbol && fixed_distance(out, last.unwind_start, end, distance) &&
         distance == epilogue_size(out, last);
}

/// Two bytes that say where an epilogue begins (EpiloguePlace).
void put_epilogue_place(Streamer& out, const UnwindFrame& f, const UnwindEpilogue& e, SymbolId behind = no_symbol) {
  UnwindTable& table = out.program.unwind;
  table.epilogue_places.push_back({.subsection = out.current->id,
                                   .pos = u32(out.current->size),
                                   .frame = u32(&f - table.frames.data()),
                                   .epilogue = u32(&e - f.epilogues.data()),
                                   .behind = behind});
  out.emit_int(0, 2);
}

// Version 2

/// The size of epilogues, then how far from the function's end each begins, which is known after layout. One
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
    put_epilogue_place(out, f, f.epilogues[i]);
  }
  if (others % 2 == 0) out.emit_int(UWOP_EPILOG << 8, 2);
}

// Version 3: behind the header comes a payload. In it, where the operations of the prologue stand, the epilogues with
// where theirs stand, the last one first, and the pool of the operations themselves, which all of them share.

enum : u8 { UNW_FLAG_LARGE = 8, EPILOG_INFO_LARGE = 2 };

/// Adds what an operation is to the pool.
void add_operation_code(std::string& pool, const UnwindOperation& o) {
  const auto put = [&](u32 value, unsigned size) { append_int(pool, value, size); };
  const bool far = o.words == 2;
  switch (o.code) {
    case UWOP_SET_FPREG: return put(0, 1), put(o.operand, 1);
    case UWOP_ALLOC_SMALL: return put(u32(o.info) << 4 | 8, 1);
    case UWOP_ALLOC_LARGE: put(far ? 1 : 2, 1); break;
    case UWOP_PUSH_MACHFRAME: return put(3, 1), put(o.info, 1);
    case UWOP_PUSH_NONVOL: return put(u32(o.info) << 3 | 4, 1);
    case UWOP_PUSH2:
      if (o.operand == o.info + 1u) return put(u32(o.info) << 3 | 7, 1);
      return put(o.operand << 11 | u32(o.info) << 6 | 0x20, 2);
    case UWOP_SAVE_NONVOL: case UWOP_SAVE_NONVOL_FAR: put(u32(o.info) << 3 | (far ? 5 : 6), 1); break;
    case UWOP_SAVE_XMM128: case UWOP_SAVE_XMM128_FAR: put(u32(o.info) << 4 | (far ? 9 : 10), 1); break;
    case UWOP_EPILOG: return;
  }
  put(o.operand, 2 * o.words);
}

/// An epilogue as it is told.
struct EpilogueDescription {
  const UnwindEpilogue* epilogue;
  std::size_t first_code;      ///< its place in the pool
  bool is_large;               ///< distances take two bytes
  bool is_inherited = false;   ///< the same operations at the same distances as those of the epilogue behind it
  std::vector<i64> distances;  ///< empty if they are not known yet

  unsigned size() const {
    return is_inherited ? 3 : 5 + (is_large ? 2 : 1) * unsigned(1 + epilogue->operations.size());
  }
};

/// Of all epilogues that have operations, the last one first. Those of them that the pool lacks are added to it.
std::vector<EpilogueDescription> describe_epilogues(Streamer& out, const UnwindFrame& f, std::string& pool) {
  std::vector<EpilogueDescription> all;
  for (const UnwindEpilogue& e : f.epilogues) {
    if (e.operations.empty()) continue;
    std::string codes;
    for (const UnwindOperation& o : e.operations) add_operation_code(codes, o);
    const std::size_t known = pool.find(codes);
    i64 length, distance;
    const bool is_small = fixed_distance(out, e.start, e.end, length) && length <= 255;
    const std::size_t first = known != pool.npos ? known : pool.size();
    EpilogueDescription d{.epilogue = &e, .first_code = first, .is_large = !is_small};
    for (const UnwindOperation& o : e.operations) {
      if (fixed_distance(out, e.start, o.at, distance)) d.distances.push_back(distance);
    }
    if (d.distances.size() != e.operations.size()) d.distances.clear();
    if (known == pool.npos) pool += codes;
    all.insert(all.begin(), std::move(d));
  }
  for (std::size_t i = 1; i < all.size(); ++i) {
    all[i].is_inherited = !all[i].distances.empty() && all[i].distances == all[i - 1].distances &&
                          all[i].first_code == all[i - 1].first_code;
  }
  return all;
}

void write_epilogue(Streamer& out, const UnwindFrame& f, const EpilogueDescription& d, SymbolId behind) {
  const UnwindEpilogue& e = *d.epilogue;
  const std::size_t count = e.operations.size();
  if (count > 31) {
    out.program.diags.error(
        e.loc, fmt::format("this epilogue has {} operations; version 3 of unwind information has room for 31", count));
  }
  out.emit_int((d.is_inherited ? 0 : count << 3) | (d.is_large ? EPILOG_INFO_LARGE : 0), 1);
  put_epilogue_place(out, f, e, behind);
  if (d.is_inherited) return;
  const unsigned size = d.is_large ? 2 : 1;
  out.emit_int(d.first_code, 2);
  put_distance(out, e.start, e.end, e.loc, size);
  for (const UnwindOperation& o : e.operations) put_distance(out, e.start, o.at, e.loc, size);
}

/// The header and the payload; the count of its 16-bit words.
unsigned write_version_3(Streamer& out, const UnwindFrame& f, u8 flags) {
  std::string pool;
  for (auto o = f.operations.rbegin(); o != f.operations.rend(); ++o) add_operation_code(pool, *o);
  const std::vector<EpilogueDescription> epilogues = describe_epilogues(out, f, pool);
  i64 length = 0;
  const bool is_known = f.prologue_end == no_symbol || fixed_distance(out, f.begin, f.prologue_end, length);
  const bool is_small = is_known && length <= 255 && std::ranges::all_of(f.operations, [&](const UnwindOperation& o) {
                          i64 distance;
                          return fixed_distance(out, f.begin, o.at, distance) && distance <= 255;
                        });
  const bool is_large = !is_small;
  std::size_t bytes = is_large + f.operations.size() * (is_large ? 2 : 1) + pool.size();
  for (const EpilogueDescription& d : epilogues) bytes += d.size();
  const std::size_t words = (bytes + 1) / 2;

  const auto check = [&](std::size_t value, std::size_t most, std::string_view what) {
    if (value <= most) return;
    out.program.diags.error(f.loc, fmt::format("this function's {} {}; version 3 of unwind information has room for {}",
                                               what, value, most));
  };
  check(f.operations.size(), 31, "prologue's operations are");
  check(epilogues.size(), 7, "epilogues are");
  check(std::size_t(length), 65535, "prologue's bytes are");
  check(words, 255, "operations in words of 16 bits take");

  out.emit_int(3 | (flags | (is_large ? UNW_FLAG_LARGE : 0)) << 3, 1);
  is_known ? out.emit_int(length & 0xff, 1) : put_distance(out, f.begin, f.prologue_end, f.loc);
  out.emit_int(words, 1);
  out.emit_int(f.operations.size() | epilogues.size() << 5, 1);
  if (is_large) out.emit_int(length >> 8, 1);
  for (auto o = f.operations.rbegin(); o != f.operations.rend(); ++o)
    put_distance(out, f.begin, o->at, f.loc, is_large ? 2 : 1);
  SymbolId behind = no_symbol;
  for (const EpilogueDescription& d : epilogues) {
    write_epilogue(out, f, d, behind);
    behind = d.epilogue->start;
  }
  out.emit_bytes(reinterpret_cast<const u8*>(pool.data()), pool.size());
  if (bytes % 2) out.emit_int(0, 1);
  return unsigned(words);
}

// All versions

/// The header and the codes of versions 1 and 2; the count of their 16-bit words.
unsigned write_codes(Streamer& out, const UnwindFrame& f, u8 flags) {
  const bool has_epilogues = f.version == 2 && !f.epilogues.empty();
  const bool at_end = has_epilogues && ends_function(out, f);
  const unsigned epilogues = has_epilogues ? unsigned(2 + f.epilogues.size() - at_end) & ~1u : 0;
  const unsigned count = epilogues + slots(f);
  if (count > 255) {
    out.program.diags.error(
        f.loc,
        fmt::format("this function's prologue and epilogues take {} unwind codes; there is room for 255", count));
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
  return count;
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
  const unsigned words = f.version < 3 ? write_codes(out, f, flags) : write_version_3(out, f, flags);
  if (words & 1) out.emit_int(0, 2);

  if (chained) {
    write_runtime_function(out, out.program.unwind.frames[f.chained_to]);
  } else if (flags & (UNW_FLAG_EHANDLER | UNW_FLAG_UHANDLER)) {
    if (!f.late_handler.empty()) f.handler = {.add = out.program.symbols.intern_copy(f.late_handler)};
    if (f.handler.add != no_symbol) out.program.symbols[f.handler.add].flags |= symbol_referenced;
    put_image_relative(out, f.handler, f.loc);
  } else if (words == 0 && out.program.profile.unwind_info_min_8) {
    out.emit_int(0, 4);  // LLVM makes every UNWIND_INFO of eight bytes at least
  }
}

void fill_epilogue_places(Program& program) {
  for (const EpiloguePlace& place : program.unwind.epilogue_places) {
    const UnwindFrame& f = program.unwind.frames[place.frame];
    const UnwindEpilogue& e = f.epilogues[place.epilogue];
    u8* const out = program.sections.sub(place.subsection).data + place.pos;
    if (f.version == 3) {
      const SymbolId from = place.behind != no_symbol ? place.behind : f.end;
      const Resolved r = program.resolve(Value{.add = e.start, .sub = from});
      if (r.kind != Resolved::number || r.value < -32768 || r.value > 32767) {
        program.diags.error(e.loc,
                            "version 3 of unwind information takes epilogues within 32768 bytes of their function's "
                            "end or of the next epilogue");
        continue;
      }
      store_int(out, u64(r.value), 2);
      continue;
    }
    const Resolved r = program.resolve(Value{.add = end_for_epilogues(program, f), .sub = e.unwind_start});
    if (r.kind != Resolved::number || r.value < 0 || r.value > 0xfff) {
      program.diags.error(e.loc,
                          "version 2 of unwind information takes epilogues within 4095 bytes of their function's end");
      continue;
    }
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
    const bool by_instruction = out.program.unwind.by_instruction();
    if (by_instruction && f.info == no_symbol) continue;
    Section& pdata = unwind_section(out.program, f.section, ".pdata");
    out.current = &out.program.sections.sub(pdata.default_subsection);
    out.emit_align(2, 1, 0, 0, f.loc);
    if (!by_instruction) write_runtime_function(out, f);
  }
}

}  // namespace xas
