// SPDX-License-Identifier: Apache-2.0
#include "asm/debug/memory_blocks.h"

#include <algorithm>

namespace xas {
namespace {

/// The blocks of one subsection, while it is put together once more.
class Blocks {
 public:
  explicit Blocks(const Target::FragmentSizes& sizes) : header_(sizes.header) { begin_fragment(); }

  /// A row stands here.
  void row(LineRow& row) {
    if (is_empty_) row.flags |= line_begins_fragment;
    here_ = &row;
  }

  /// `n` bytes in pieces of any size. False: a block ends within them.
  bool append_run(u64 n) {
    if (room() <= n) return false;
    if (n) put(n);
    return true;
  }

  /// A piece of an instruction. Bytes by themselves leave the block's last one free.
  void append(u64 n) {
    n ? make_room(n) : make_room(2);
    put(n ? n : 1);
  }

  /// `fixed` bytes, and room for more at the fragment's end.
  void append_growing(u64 fixed, u64 more) {
    make_room(fixed + more);
    if (fixed) put(fixed);
    next_ += more;
    end_fragment();
  }

  void end_fragment() {
    if (here_) here_->flags |= line_ends_fragment;
    here_ = nullptr;
    is_empty_ = true;
    next_ = std::min((next_ + alignment - 1) & ~(alignment - 1), block_);
    begin_fragment();
  }

 private:
  static constexpr u64 block_header = 16, usual_block = 4064, alignment = 8;
  static constexpr u64 reserve = 107;  ///< that a block has beyond a header that it was made for

  u64 room() const { return block_ - next_; }

  void put(u64 n) {
    next_ += n;
    here_ = nullptr;
    is_empty_ = false;
  }

  void make_room(u64 n) {
    if (room() >= n) return;
    constexpr u64 small = 0x10000;
    next_block_ = std::max(usual_block, (n < small ? 2 * n : n + small) + header_);
    while (room() < n) end_fragment();
    next_block_ = usual_block;
  }

  void begin_fragment() {
    if (room() < header_) {
      block_ = std::max(header_ + reserve, next_block_);
      next_ = block_header;
    }
    next_ += header_;
  }

  u64 header_;
  u64 block_ = usual_block, next_block_ = usual_block;  ///< sizes
  u64 next_ = block_header;                             ///< where the next byte goes in the block
  bool is_empty_ = true;                                ///< nothing is in the fragment yet
  LineRow* here_ = nullptr;                             ///< the last row at this place
};

/// Puts a subsection together in the order of its source: rows, fragments, pieces that xas has no fragment for.
class Replay {
 public:
  Replay(Program& program, u32 id)
      : program_(program),
        sub_(program.sections.sub(id)),
        sizes_(program.target.fragment_sizes()),
        blocks_(sizes_),
        pieces_(program.lines.pieces_of(id)) {}

  /// Goes on to this row, and marks it.
  void run(LineRow& row) {
    take_until(u32(&row - program_.lines.rows.data()), row.fragment);
    advance(row.pos);
    blocks_.row(row);
  }

  /// Goes on to the end, where the last fragment ends.
  void finish() {
    take_until(u32(program_.lines.rows.size()), u32(sub_.fragments.size()));
    advance(sub_.size);
    blocks_.end_fragment();
  }

 private:
  /// All pieces and fragments in front of row `number`, which has so many fragments before it.
  void take_until(u32 number, u32 fragments) {
    for (;;) {
      const bool has_piece = piece_ < pieces_.size() && pieces_[piece_].rows <= number;
      const bool has_fragment = fragment_ < fragments;
      if (has_piece && (!has_fragment || pieces_[piece_].fragment <= fragment_))
        take(pieces_[piece_++]);
      else if (has_fragment)
        take(sub_.fragments[fragment_++]);
      else
        break;
    }
  }

  /// Fixed bytes up to there.
  void advance(u64 to) {
    if (blocks_.append_run(to - at_)) return void(at_ = to);
    while (at_ < to) {
      u8 sizes[Target::max_written_pieces];
      const unsigned count = sub_.data ? program_.target.written_pieces(sub_.data + at_, to - at_, sizes) : 0;
      if (!count) blocks_.append(1), ++at_;
      for (unsigned i = 0; i < count; ++i) {
        blocks_.append(sizes[i]);
        at_ += std::max<u8>(sizes[i], 1);
      }
    }
    at_ = to;
  }

  void take(const LinePiece& piece) {
    advance(piece.from);
    blocks_.append_growing(piece.fixed, piece.room);
    at_ = piece.to;
  }

  void take(const Fragment& f) {
    constexpr u64 longest_leb = 10;
    advance(f.pos);
    switch (f.kind) {
      case FragmentKind::insn:
        if (sizes_.branch_fixed == 0 && program_.target.relax_unresolved_state(f.as<InsnFragment>().form) == 0)
          return blocks_.append(program_.target.relax_size(f.as<InsnFragment>().form, 0));
        return blocks_.append_growing(sizes_.branch_fixed, sizes_.branch_room);
      case FragmentKind::align: {
        const AlignFragment& align = f.as<AlignFragment>();
        return blocks_.append_growing(
            0, align.pattern_size ? align.pattern_size : sizes_.padding_room(align.log2, align.max_skip));
      }
      case FragmentKind::fill: return blocks_.append_growing(0, f.as<FillFragment>().unit);
      case FragmentKind::leb: return blocks_.append_growing(0, longest_leb);
      case FragmentKind::grown: return;  // the instruction is a piece
      default: return blocks_.append_growing(0, 1);
    }
  }

  Program& program_;
  const Subsection& sub_;
  Target::FragmentSizes sizes_;
  Blocks blocks_;
  std::span<const LinePiece> pieces_;
  std::size_t piece_ = 0;
  u32 fragment_ = 0;  ///< the next one
  u64 at_ = 0;        ///< fixed bytes before here
};

}  // namespace

void mark_fragments(Program& program, u32 subsection) {
  DwarfLines& lines = program.lines;
  if (!program.target.fragment_sizes().header || subsection >= lines.sequences.size()) return;
  Replay replay(program, subsection);
  LineRow* before = nullptr;
  bool before_is_marked = false;
  for (u32 run = lines.sequences[subsection].first_run; run != no_run; run = lines.runs[run].next) {
    const u32 end = run + 1 < lines.runs.size() ? lines.runs[run + 1].first : u32(lines.rows.size());
    for (u32 i = lines.runs[run].first; i < end; ++i) {
      LineRow& row = lines.rows[i];
      if (row.flags & line_label) continue;
      const bool asks = row.flags & line_reset_view;
      if (asks && before && !before_is_marked) replay.run(*before);
      if (asks) replay.run(row);
      before = &row;
      before_is_marked = asks;
    }
  }
  if (!before) return;
  // The row behind it is in another subsection.
  if (!before_is_marked) replay.run(*before);
  replay.finish();
}

}  // namespace xas
