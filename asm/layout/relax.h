// SPDX-License-Identifier: Apache-2.0
// Relaxation of one section: finds the sizes of its fragments. relax.cpp tells the algorithm.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "asm/program/frame_text.h"
#include "asm/program/program.h"
#include "objwriter/elf_constants.h"
#include "xas/leb128.hpp"

namespace xas {

/// `yes` or `no`, without a jump: which kind of item comes next cannot be foretold, and a wrong guess costs as much as
/// three items.
inline u32 pick(bool which, u32 yes, u32 no) { return no ^ ((yes ^ no) & (0 - u32(which))); }

/// How far it is to the next multiple of 2**log2.
inline u64 alignment_padding(u64 offset, i32 log2) { return (0 - offset) & ((u64(1) << log2) - 1); }

/// `body`: bytes from behind the padding to the end, which may stand before it. True if they want more than before.
inline bool raise_prefalign(PrefalignFragment& f, i64 body) {
  if (body <= 1) return false;
  const int log2 = std::min(int(std::bit_width(u64(body - 1))), int(f.max_log2));
  if (log2 <= f.log2) return false;
  f.log2 = u8(log2);
  return true;
}

/// A local label that is no function.
inline bool is_plain_label(const Symbol& s) {
  const bool local = s.is_local();
  return s.kind == SymbolKind::label && local && s.type == elf::STT_NOTYPE;
}

inline u64 leb_size(LebEncoding encoding, i64 value) {
  if (encoding == LebEncoding::advance) return advance_size(value);
  return encoding == LebEncoding::is_signed ? sleb128_size(value) : uleb128_size(u64(value));
}

/// Scratch memory and the state of one section's relaxation. Reused from section to section.
class Relaxation {
 public:
  explicit Relaxation(Program& program);

  /// Rounds after which LEB128 numbers do not shrink any more (GNU as lets them, which may go on for ever).
  static constexpr unsigned shrinking_rounds = 8;

  /// Finds the sizes of the section. Sizes that are expressions may read labels of other sections: true if such a size
  /// changed, measured by the present state of those. With `alone`, a section that has such sizes is not relaxed.
  bool relax(Section& section, bool alone);
  /// Places the fragments of a relaxed section again, after something else has changed their sizes.
  void place_again(Section& section);
  /// From now on LEB128 numbers only grow.
  void forbid_shrinking() { may_shrink_ = false; }
  /// The section has fragments whose size is an expression (see Mode::slow).
  bool has_slow() const { return !slow_.empty(); }

 private:
  enum Mode : u8 {
    fixed,               ///< will not change any more
    slow,                ///< the size is an expression, looked at between passes
    reaches,             ///< a branch that reaches everything
    backward,            ///< a branch to a label before it
    forward,             ///< a branch to a label behind it
    forward_over_align,  ///< the same, over an .align or .org
    align,
    grows,      ///< a GrownFragment
    to_linker,  ///< a branch whose target the linker finds: grows in a pass (llvm-mc; Order::settles)
    org,
    fill,  ///< as many bytes as a distance in the section tells (GNU as)
    prefalign,
    leb,          ///< a LEB128 number that is a distance in the section and only grows (llvm-mc)
    pad,          ///< before a branch: see branch_padding.h
    prefix,       ///< before an instruction
    lead_prefix,  ///< the first of a run of these
  };

  static constexpr i32 far = std::numeric_limits<i32>::max();

  /// What a pass reads of a fragment; fragments themselves are too big to walk over again and again.
  struct Item {
    i64 delta;   ///< branch, org: fixed bytes from it to its target; prefalign: to the end of the body
                 ///< leb, fill: fixed bytes in the distance
                 ///< align: bytes that come on top (AlignFragment::is_doubled)
                 ///< pad: fixed bytes to the end of the branch; prefix: its size as its leader wants it
    u64 pos;     ///< fixed bytes before it in the section
    i32 low;     ///< branch: reach of the present state (`far`: everything); align, pad, prefalign: log2, of prefalign
                 ///< the greatest so far; lead_prefix: room of the run; leb: the LebEncoding; fill: bytes of a unit
    i32 high;    ///< prefix: its own room; leb, fill: fragments before the start of the distance
    u32 target;  ///< branch, org, prefalign: fragments before the target; align: the most padding, 0 for no limit;
                 ///< pad: fragments before the end of the branch; lead_prefix: the pad that the run may fill
                 ///< leb, fill: fragments before the end of the distance
    Mode mode;
    bool is_wide;  ///< to_linker, or a branch that has not settled: it is wide for now (relax_settle.cpp)
    u8 multiple;   ///< branch: what its target must be for it to stay narrow (RelaxRange::multiple)

    /// Takes it out of the passes: it becomes a branch to itself that reaches everything.
    void fix(u32 index) {
      mode = fixed;
      delta = 0;
      target = index;
      low = -far;
      high = far;
    }
    /// Of an alignment that stands there.
    u64 padding(u64 offset) const {
      const u64 pad = alignment_padding(offset, low);
      return (target != 0 && pad > target ? 0 : pad) + u64(delta);
    }
  };

  /// What the target says of a form, asked once.
  struct Form {
    bool known = false;
    bool pcrel = true;
    u8 size;          ///< of its first state
    u8 greatest_size;  ///< of all states
    u8 multiple;      ///< what its target must be in its first state
    i32 low, high;    ///< reach of its first state
  };

  /// Passes and rounds after which sizes that still change are taken to depend on themselves.
  static constexpr unsigned max_passes = 1000;
  /// Items in a block, as a power of two.
  static constexpr unsigned block_bits = 5;

  /// The section's fragments, counted through its subsections.
  struct SectionFragments {
    u32 section = 0;
    std::vector<Subsection*> subs;    ///< in order
    std::vector<u32> first_fragment;  ///< by subsection id: fragments of the section before it
    std::vector<u64> first_pos;       ///< by subsection id: fixed bytes of the section before it

    Fragment& at(u32 index) const;
  };

  /// Of the sizes before each item; one more than there are items.
  struct Sums {
    BigVector<u64> inner;   ///< by item: that sum, but for what is added to
    std::vector<u64> base;  ///< all of a block, so that a block moves in one step
    BigVector<u64> next;    ///< both as the pass under way makes them (one state)
    std::vector<u64> next_base;

    u64 before(u32 index) const { return base[index >> block_bits] + inner[index]; }
  };

  /// Which way the passes go (RelaxOrder).
  struct Order {
    bool moves = false;    ///< passes move what they come by: RelaxOrder::moving, or `waits`
    bool waits = false;    ///< RelaxOrder::waiting, but not in a section with a .prefalign
    bool settles = false;  ///< `waits`, of a target with TargetInfo::Code::branches_settle
  };

  /// Bringing numbers and alignments to rest that drive each other.
  struct Calming {
    unsigned since = 0;      ///< the round in which an alignment was doubled last; 0: none was
    bool now = false;        ///< what still bounces in this round is stopped
    i32 least_doubled = 64;  ///< of the alignments that were doubled in this round
  };

  class ItemMaker;  // relax_items.cpp
  class Chase;      // relax_chase.cpp

  void build(Section& section, bool anew);
  u64 greatest_size(const Fragment& f, const Item& item);
  void classify_branches();
  const Form& form_of(u16 number) {
    return number < forms_.size() && forms_[number].known ? forms_[number] : ask_form(number);
  }
  const Form& ask_form(u16 number);
  void set_reach(const InsnFragment& insn, Item& item);
  u64 grow(Item& item, u32 index, i64 distance, bool misaligned);

  /// What is known of a block of items since they were last looked at, to leave them out of a pass.
  struct Block {
    u32 active = 0;           ///< a bit for each item that may change in a pass
    u32 first = 0, last = 0;  ///< the blocks that branches in it reach over
    bool is_far = true;       ///< these are many
    u64 listeners = 0;        ///< a bit for each block near this one that had branches over it: see tell_neighbors
    u64 moved = 0;            ///< how much those have changed in all; is_far: churn_.all when it was looked at
    u64 slack = 0;            ///< how much more they may before a branch may not reach; 0: always look
    u64 waiting = 0;          ///< the least shift that lets its waiting branches go on waiting; 0: none waits
    u64 align_mask = 0;       ///< a shift without these bits leaves the alignments in it as they are
  };
  /// What a pass sees of a block, to be kept in it.
  struct Seen {
    i64 slack = std::numeric_limits<i64>::max();
    u64 waiting = 0, align_mask = 0;
    bool reaches_less = false;  ///< a branch in it has come to reach everything
  };
  /// By how much sizes have changed in all, growing or shrinking.
  struct Churn {
    struct Change {
      u32 block;
      u64 by;
    };
    u64 all = 0;
    u64 before_pass = 0;          ///< the same, before the pass under way (one state)
    std::vector<Change> changes;  ///< of the pass under way (one state)
  };

  u64 branch_padding(u32 index, u64 offset) const;
  u64 prefix_size(u32 index, u64 before);
  /// One pass; true if something changed. in_place: it moves what it comes by; else it decides on one state. Without
  /// `decide` only padding moves.
  template <bool in_place, bool decide>
  bool pass();
  template <bool in_place, bool decide>
  u64 pass_block(u32 number, u64 shift, bool& changed);
  template <bool in_place, bool decide>
  u64 pointing_size(u32 index, u64 was, u64 now, u64 shift);
  template <bool in_place>
  void end_block(u32 number, const Seen& seen, u64 churn);
  void tell_neighbors(u32 number, u64 by);
  /// One pass of the targets whose branches settle (relax_settle.cpp); true if something changed.
  bool settle_pass();
  u64 settle_block(u32 number, u64 shift, bool& changed);
  bool stays_narrow(u32 index, i64 shift) const;
  i64 shift_of_target(u32 index, i64 shift, i64 multiple) const;
  u64 set_wide(u32 index, bool wide);
  void settle(u32 index);
  void settle_wide();
  void start_blocks();
  void find_reach(u32 number);
  void place();
  void relax_quick();

  void chase();

  bool slow_size(Fragment& f, u64 offset, u64& size);
  bool update_slow(Section& section, unsigned round);
  bool update_in_order(Section& section);
  bool set_slow_size(const Fragment& f, u32 i, u64 size);
  u32 alignment_behind(u32 index);
  void double_alignment(u32 index);
  void publish(Section& section);
  void publish_targets();

  /// The sum of the sizes before an item.
  u64 before(u32 index) const { return sums_.before(index); }

  Program& program_;
  const Profile& profile_;
  bool may_shrink_ = true;
  Calming calming_;
  bool anew_ = false;  ///< nothing of an earlier relaxation of the section counts
  Order order_;
  unsigned passes_ = 0;            ///< of settle_pass, with the one under way
  bool points_elsewhere_ = false;  ///< in the pass under way something changed that points at labels, or is padding
  u32 last_changed_ = 0;           ///< the fragment that changed last, of those that may go on for ever

  SectionFragments here_;
  std::vector<Form> forms_;
  BigVector<Item> items_;
  BigVector<u64> size_;  ///< present sizes
  Sums sums_;
  std::vector<Block> blocks_;
  Churn churn_;
  std::vector<u32> slow_;
};

}  // namespace xas
