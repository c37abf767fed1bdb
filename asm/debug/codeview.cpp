// SPDX-License-Identifier: Apache-2.0
// The parts of .debug$S whose size depends on code.
//
// What is strange: lines of an inlined function are a program of small instructions ("binary annotations"), whose
// operands take one, two or four bytes; and the range of a variable is at most 61,440 bytes long, so that longer ones
// become several records, and short ones next to each other become one with gaps.
//
// Source: Microsoft's published headers of the PDB format (cvinfo.h), and what LLVM writes.
#include "asm/debug/debug.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "asm/program/pieces.h"
#include "asm/program/streamer.h"
#include "objwriter/endian.h"

namespace xas {

namespace {

// BinaryAnnotationOpcode
constexpr u32 BA_OP_ChangeCodeLength = 4;
constexpr u32 BA_OP_ChangeFile = 5;
constexpr u32 BA_OP_ChangeLineOffset = 6;
constexpr u32 BA_OP_ChangeCodeOffset = 3;
constexpr u32 BA_OP_ChangeCodeOffsetAndLineOffset = 0xb;

constexpr u32 longest_range = 0xf000;
constexpr u32 longest_record = 0xff00;

u32 fold_sign(i32 v) { return v < 0 ? (0u - u32(v)) << 1 | 1 : u32(v) << 1; }

class PieceEncoder {
 public:
  explicit PieceEncoder(Program& program) : program_(program), cv_(program.codeview) {}

  void encode(u32 number) {
    const Piece& piece = program_.pieces.all[number];
    number_ = number;
    start_ = out_ = nullptr;
    switch (piece.kind) {
      case PieceKind::strings: append(cv_.strings.data(), cv_.strings.size()); break;
      case PieceKind::inlined_lines: inlined_lines(cv_.inlined_lines[piece.number]); break;
      case PieceKind::ranges: ranges(cv_.range_lists[piece.number]); break;
      case PieceKind::unwind_info: return;
    }
    fill_piece(program_, number, {start_, out_});
  }

 private:
  // Bytes of the piece

  /// There will be at most so many.
  void begin(std::size_t most) {
    if (scratch_.size() < most) scratch_.resize(most);
    start_ = out_ = scratch_.data();
  }
  void append(const void* bytes, std::size_t n) {
    begin(n + 1);
    put(bytes, n);
  }
  void put(const void* bytes, std::size_t n) {
    if (n) std::memcpy(out_, bytes, n);
    out_ += n;
  }
  void put(u64 value, unsigned size) {
    store_int(out_, value, size);
    out_ += size;
  }
  void put_high_first(u32 value, unsigned size) {
    store_int(out_, value, size, true);
    out_ += size;
  }
  /// One to four bytes, the first bits telling how many; what does not fit in 29 bits is left out, as LLVM does.
  void put_annotation(u32 v) {
    if (v < 0x80) {
      *out_++ = u8(v);
    } else if (v < 0x4000) {
      put_high_first(v | 0x8000, 2);
    } else if (v < 0x20000000) {
      put_high_first(v | 0xc0000000, 4);
    }
  }
  void put_annotation(u32 operation, u32 operand) {
    put_annotation(operation);
    put_annotation(operand);
  }

  SourceLoc loc() const { return program_.pieces.all[number_].loc; }

  /// Bytes from one label to another of its section.
  bool distance(SymbolId from, SymbolId to, u32& result) {
    const Symbol &a = program_.symbols[from], &b = program_.symbols[to];
    if (a.kind == SymbolKind::label && b.kind == SymbolKind::label && a.where == b.where &&
        !program_.info.labels.thumb) {
      const Subsection& sub = program_.sections.sub(a.where);
      const u64 n = sub.offset(b.value, b.fragment) - sub.offset(a.value, a.fragment);
      if (n < ~u32(0)) return result = u32(n), true;
    }
    const Resolved r = program_.resolve(Value{.add = to, .sub = from});
    if (r.kind == Resolved::number && r.value >= 0 && r.value < i64(~u32(0))) return result = u32(r.value), true;
    program_.diags.error(loc(), "the labels here must be of one section, in ascending order");
    return false;
  }

  u32 section_of(SymbolId label) const { return program_.sections.sub(program_.symbols[label].where).section; }

  void inlined_lines(const CodeViewInlinedLines& lines) {
    const u32 function = cv_.functions.find(lines.function);
    if (function == no_function) return;
    const CodeViewFunction& site = cv_.functions[function];
    if (site.first >= site.end) return;

    constexpr std::size_t room = longest_record - 12 - 8;  // the record's other fields, and the last annotation
    constexpr std::size_t longest_line = 64;
    begin(longest_record + longest_line);
    SymbolId last_label = lines.begin;
    CodeViewPlace last{lines.file, lines.line, 0};
    bool open = false;
    u32 length;
    for (u32 i = site.first; i < site.end && std::size_t(out_ - start_) < room; ++i) {
      const CodeViewLine& line = cv_.lines[i];
      const CodeViewPlace* place = &line.place;
      if (line.function != function) {
        place = cv_.functions.place_in(function, line.function);
        if (!place) {
          // Not of this function: its range ends here.
          if (open) {
            if (!distance(last_label, line.label, length)) return;
            put_annotation(BA_OP_ChangeCodeLength, length);
            last_label = line.label;
          }
          open = false;
          continue;
        }
      }
      if (open && place->file == last.file && place->line == last.line) continue;
      open = true;
      if (place->file != last.file) {
        const CodeViewFile* file = cv_.file(place->file);
        put_annotation(BA_OP_ChangeFile, file ? file->offset : 0);
      }
      const u32 line_delta = fold_sign(i32(place->line - last.line));
      if (!distance(last_label, line.label, length)) return;
      if (line_delta < 8 && length <= 15) {
        put_annotation(BA_OP_ChangeCodeOffsetAndLineOffset, line_delta << 4 | length);
      } else {
        if (line_delta) put_annotation(BA_OP_ChangeLineOffset, line_delta);
        put_annotation(BA_OP_ChangeCodeOffset, length);
      }
      last_label = line.label;
      last = *place;
    }
    if (!distance(last_label, lines.end, length)) return;
    u32 until_next;
    if (site.end < cv_.lines.size() && section_of(cv_.lines[site.end].label) == section_of(last_label) &&
        distance(last_label, cv_.lines[site.end].label, until_next)) {
      length = std::min(length, until_next);
    }
    put_annotation(BA_OP_ChangeCodeLength, length);
  }

  /// A field that the linker fills: the offset of `label` + `bias` in its section, or the section's number.
  void relocate(SymbolId label, u32 bias, unsigned size, u32 type) {
    const Symbol& s = program_.symbols[label];
    const bool by_section = is_coff_temporary(s) || program_.profile.coff_sections_for_globals;
    i64 value = (by_section ? i64(program_.label_offset(s)) : 0) + i64(bias);
    const SymbolId named = by_section ? coff_anchor(program_, section_of(label), value) : label;
    make_room(program_.pieces.relocs);
    program_.pieces.relocs.push_back({.piece = number_, .at = u32(out_ - start_), .symbol = named, .type = type});
    put(size == 4 ? u64(value) : 0, size);
  }
  u32 relocation_type(FixupKind kind, std::string_view modifier) const {
    return program_.target
        .relocation({.kind = kind,
                     .modifier = program_.target.modifier(modifier),
                     .has_symbol = true,
                     .format = ObjectFormat::coff,
                     .gnu = program_.profile.gnu_target})
        .type;
  }

  /// Sizes of the ranges and of the gaps before them. False: one is wrong.
  bool measure(std::span<const CodeViewRange> ranges) {
    sizes_.clear();
    SymbolId last = no_symbol;
    for (const auto& [begin, end] : ranges) {
      for (SymbolId id : {begin, end}) {
        if (program_.symbols[id].kind == SymbolKind::label) continue;
        program_.diags.error(loc(), fmt::format("'{}' is no label of this file", program_.symbols[id].text()));
        return false;
      }
      Sizes s{0, 0};
      if (last != no_symbol && !distance(last, begin, s.gap)) return false;
      if (!distance(begin, end, s.range)) return false;
      sizes_.push_back(s);
      last = end;
    }
    return true;
  }

  void ranges(const CodeViewRangeList& list) {
    const std::span<const CodeViewRange> ranges(cv_.ranges.data() + list.first, list.end - list.first);
    if (!measure(ranges)) return;
    const std::string_view header(cv_.range_headers.data() + list.header, list.header_size);
    std::size_t records = 0;
    for (const Sizes& s : sizes_) records += 2 + s.range / longest_range;
    begin(records * (header.size() + 10) + 4 * sizes_.size());
    for (std::size_t i = 0; i < sizes_.size();) {
      // Ranges that fit into one record become one with gaps.
      const SymbolId first = ranges[i].begin;
      u32 total = sizes_[i].range;
      std::size_t j = i + 1;
      for (; j < sizes_.size() && u64(total) + sizes_[j].gap + sizes_[j].range <= longest_range; ++j) {
        total += sizes_[j].gap + sizes_[j].range;
      }
      const std::size_t gaps = j - i - 1;
      u32 bias = 0;
      do {
        const u32 chunk = std::min(longest_range, total);
        put(header.size() + 8 + 4 * gaps, 2);
        put(header.data(), header.size());
        relocate(first, bias, 4, secrel32_);
        relocate(first, bias, 2, secidx_);
        put(chunk, 2);
        bias += chunk;
        total -= chunk;
      } while (total > 0);
      u32 gap_at = sizes_[i].range;
      for (++i; i < j; ++i) {
        put(gap_at, 2);
        put(sizes_[i].gap, 2);
        gap_at += sizes_[i].gap + sizes_[i].range;
      }
    }
  }

  struct Sizes {
    u32 gap, range;
  };

  Program& program_;
  CodeView& cv_;
  const u32 secrel32_ = relocation_type(fixup_data4, "SECREL32"), secidx_ = relocation_type(fixup_data2, "SECIDX");
  u32 number_ = 0;                        ///< of the piece
  u8 *start_ = nullptr, *out_ = nullptr;  ///< its bytes, in scratch_
  std::vector<u8> scratch_;
  std::vector<Sizes> sizes_;  ///< of its ranges
};

}  // namespace

void encode_codeview(Program& program) {
  const CodeView& cv = program.codeview;
  if (cv.offset_needed && !cv.offsets_known)
    program.diags.error(cv.offset_needed, "the table of checksums is missing; .cv_filechecksums makes it");
  if (program.pieces.all.empty()) return;
  PieceEncoder encoder(program);
  for (u32 i = 0; i < program.pieces.all.size(); ++i) encoder.encode(i);
}

}  // namespace xas
