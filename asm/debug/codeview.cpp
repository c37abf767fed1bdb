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

#include "asm/program/streamer.h"
#include "asm/unwind/win_unwind_piece.h"

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

void put(std::vector<u8>& out, u64 value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out.push_back(u8(value >> (8 * i)));
}

/// One to four bytes, the first bits telling how many; what does not fit in 29 bits is left out, as LLVM does.
void put_annotation(std::vector<u8>& out, u32 v) {
  if (v < 0x80) {
    out.push_back(u8(v));
  } else if (v < 0x4000) {
    out.push_back(u8(v >> 8 | 0x80));
    out.push_back(u8(v));
  } else if (v < 0x20000000) {
    out.push_back(u8(v >> 24 | 0xc0));
    out.push_back(u8(v >> 16));
    out.push_back(u8(v >> 8));
    out.push_back(u8(v));
  }
}

u32 fold_sign(i32 v) { return v < 0 ? (0u - u32(v)) << 1 | 1 : u32(v) << 1; }

class Encoder {
 public:
  explicit Encoder(Program& program) : program_(program), cv_(program.codeview) {}

  void encode(CodeViewPiece& piece) {
    piece.bytes.clear();
    switch (piece.kind) {
      case CodeViewPieceKind::strings: piece.bytes.assign(cv_.strings.begin(), cv_.strings.end()); break;
      case CodeViewPieceKind::inlined_lines: inlined_lines(piece); break;
      case CodeViewPieceKind::ranges: ranges(piece); break;
      case CodeViewPieceKind::unwind_info: make_unwind_piece(program_, piece); break;
    }
  }

 private:
  /// Bytes from one label to another of its section.
  bool distance(const CodeViewPiece& piece, SymbolId from, SymbolId to, u32& result) {
    const Resolved r = program_.resolve(Value{.add = to, .sub = from});
    if (r.kind == Resolved::number && r.value >= 0 && r.value < i64(~u32(0))) return result = u32(r.value), true;
    program_.diags.error(piece.loc, "the labels here must be of one section, in ascending order");
    return false;
  }

  u32 section_of(SymbolId label) const { return program_.sections.sub(program_.symbols[label].where).section; }

  void inlined_lines(CodeViewPiece& piece) {
    const auto function = cv_.functions.find(piece.function);
    if (function == cv_.functions.end()) return;
    const CodeViewFunction& site = function->second;
    std::size_t first = site.first, end = site.end;
    for (const auto& [id, place] : site.inlined) {
      const auto child = cv_.functions.find(id);
      if (child == cv_.functions.end()) continue;
      first = std::min(first, child->second.first);
      end = std::max(end, child->second.end);
    }
    if (first >= end) return;

    constexpr std::size_t room = longest_record - 12 - 8;  // the record's other fields, and the last annotation
    std::vector<u8>& out = piece.bytes;
    SymbolId last_label = piece.begin;
    CodeViewPlace last = piece.from;
    bool open = false;
    u32 length;
    for (std::size_t i = first; i < end && out.size() < room; ++i) {
      const CodeViewLine& line = cv_.lines[i];
      CodeViewPlace place = line.place;
      if (line.function != piece.function) {
        const auto inlined = site.inlined.find(line.function);
        if (inlined == site.inlined.end()) {
          // Not of this function: its range ends here.
          if (open) {
            if (!distance(piece, last_label, line.label, length)) return;
            put_annotation(out, BA_OP_ChangeCodeLength);
            put_annotation(out, length);
            last_label = line.label;
          }
          open = false;
          continue;
        }
        place = inlined->second;
      }
      if (open && place.file == last.file && place.line == last.line) continue;
      open = true;
      if (place.file != last.file) {
        const CodeViewFile* file = cv_.file(place.file);
        put_annotation(out, BA_OP_ChangeFile);
        put_annotation(out, file ? file->offset : 0);
      }
      const u32 line_delta = fold_sign(i32(place.line - last.line));
      if (!distance(piece, last_label, line.label, length)) return;
      if (line_delta < 8 && length <= 15) {
        put_annotation(out, BA_OP_ChangeCodeOffsetAndLineOffset);
        put_annotation(out, line_delta << 4 | length);
      } else {
        if (line_delta) {
          put_annotation(out, BA_OP_ChangeLineOffset);
          put_annotation(out, line_delta);
        }
        put_annotation(out, BA_OP_ChangeCodeOffset);
        put_annotation(out, length);
      }
      last_label = line.label;
      last = place;
    }
    if (!distance(piece, last_label, piece.end, length)) return;
    u32 until_next;
    if (end < cv_.lines.size() && section_of(cv_.lines[end].label) == section_of(last_label) &&
        distance(piece, last_label, cv_.lines[end].label, until_next)) {
      length = std::min(length, until_next);
    }
    put_annotation(out, BA_OP_ChangeCodeLength);
    put_annotation(out, length);
  }

  /// A field that the linker fills: the offset of `label` + `bias` in its section, or the section's number.
  void relocate(CodeViewPiece& piece, SymbolId label, u32 bias, unsigned size, u16 modifier) {
    const Symbol& s = program_.symbols[label];
    const bool by_section = is_coff_temporary(s) || program_.profile.coff_sections_for_globals;
    RelocQuery query{.kind = u16(size == 4 ? fixup_data4 : fixup_data2),
                     .modifier = modifier,
                     .has_symbol = true,
                     .format = ObjectFormat::coff,
                     .gnu = program_.profile.gnu_target};
    const RelocChoice choice = program_.target.relocation(query);
    i64 value = (by_section ? i64(program_.label_offset(s)) : 0) + i64(bias);
    const SymbolId named = by_section ? coff_anchor(program_, section_of(label), value) : label;
    program_.add_reloc({.subsection = piece.subsection,
                        .offset = {.constant = i64(piece.bytes.size()), .add = piece.start},
                        .type = choice.type,
                        .value = {.add = named},
                        .loc = piece.loc});
    put(piece.bytes, size == 4 ? u64(value) : 0, size);
  }

  void ranges(CodeViewPiece& piece) {
    struct Sizes {
      u32 gap, range;
    };
    std::vector<Sizes> sizes;
    SymbolId last = no_symbol;
    for (const auto& [begin, end] : piece.ranges) {
      for (SymbolId id : {begin, end}) {
        if (program_.symbols[id].kind == SymbolKind::label) continue;
        return program_.diags.error(piece.loc,
                                    fmt::format("'{}' is no label of this file", program_.symbols[id].text()));
      }
      Sizes s{0, 0};
      if (last != no_symbol && !distance(piece, last, begin, s.gap)) return;
      if (!distance(piece, begin, end, s.range)) return;
      sizes.push_back(s);
      last = end;
    }
    for (std::size_t i = 0; i < sizes.size();) {
      // Ranges that fit into one record become one with gaps.
      const SymbolId begin = piece.ranges[i].first;
      u32 total = sizes[i].range;
      std::size_t j = i + 1;
      for (; j < sizes.size() && u64(total) + sizes[j].gap + sizes[j].range <= longest_range; ++j) {
        total += sizes[j].gap + sizes[j].range;
      }
      const std::size_t gaps = j - i - 1;
      u32 bias = 0;
      do {
        const u32 chunk = std::min(longest_range, total);
        put(piece.bytes, piece.header.size() + 8 + 4 * gaps, 2);
        piece.bytes.insert(piece.bytes.end(), piece.header.begin(), piece.header.end());
        relocate(piece, begin, bias, 4, secrel32_);
        relocate(piece, begin, bias, 2, secidx_);
        put(piece.bytes, chunk, 2);
        bias += chunk;
        total -= chunk;
      } while (total > 0);
      u32 gap_at = sizes[i].range;
      for (++i; i < j; ++i) {
        put(piece.bytes, gap_at, 2);
        put(piece.bytes, sizes[i].gap, 2);
        gap_at += sizes[i].gap + sizes[i].range;
      }
    }
  }

  Program& program_;
  CodeView& cv_;
  const u16 secrel32_ = program_.target.modifier("SECREL32"), secidx_ = program_.target.modifier("SECIDX");
};

}  // namespace

u32 CodeView::add_string(const std::string& s) {
  const auto [it, is_new] = string_offsets.try_emplace(s, u32(strings.size()));
  if (is_new) strings.append(s).push_back('\0');
  return it->second;
}

std::vector<CodeViewLine> codeview_lines(const CodeView& cv, u32 id) {
  std::vector<CodeViewLine> out;
  const auto function = cv.functions.find(id);
  if (function == cv.functions.end()) return out;
  const CodeViewFunction& f = function->second;
  std::size_t first = f.first, end = f.end;
  for (const auto& [child_id, place] : f.inlined) {
    const auto child = cv.functions.find(child_id);
    if (child == cv.functions.end()) continue;
    first = std::min(first, child->second.first);
    end = std::max(end, child->second.end);
  }
  for (std::size_t i = first; i < end; ++i) {
    const CodeViewLine& line = cv.lines[i];
    if (line.function == id) {
      out.push_back(line);
      continue;
    }
    const auto inlined = f.inlined.find(line.function);
    if (inlined == f.inlined.end()) continue;
    const CodeViewPlace& at = inlined->second;
    // A long inlined function is one line of this one.
    if (!out.empty()) {
      const CodeViewPlace& last = out.back().place;
      if (last.file == at.file && last.line == at.line && last.column == at.column) continue;
    }
    out.push_back({line.label, id, at, false});
  }
  return out;
}

void encode_codeview(Program& program) {
  const CodeView& cv = program.codeview;
  if (cv.offset_needed && !cv.offsets_known)
    program.diags.error(cv.offset_needed, "the table of checksums is missing; .cv_filechecksums makes it");
  Encoder encoder(program);
  for (CodeViewPiece& piece : program.codeview.pieces) {
    encoder.encode(piece);
    Subsection& sub = program.sections.sub(piece.subsection);
    sub.fragments[piece.fragment].as<PieceFragment>().bytes = piece.bytes.size();
    sub.final_size = ~u64(0);
  }
}

}  // namespace xas
