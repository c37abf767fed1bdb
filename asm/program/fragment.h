// SPDX-License-Identifier: Apache-2.0
// Fragments: the pieces of a section whose size is not known while the text is read.
//
// A fragment is where it stands, its size, its kind, and what its kind needs: the payload, one small struct per kind
// below. Passes over the fragments of a big input read nearly nothing else, so all payloads share the same bytes.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

#include "targets/value.h"

namespace xas {

enum class FragmentKind : u8 { insn, align, org, fill, leb, nops, prefalign, padding, piece, grown };

/// What several payloads begin with: add - sub + constant, which is known after layout.
struct FragmentValue {
  i64 constant = 0;
  SymbolId add = no_symbol;
  SymbolId sub = no_symbol;

  FragmentValue() = default;
  FragmentValue(const Value& v) : constant(v.constant), add(v.add), sub(v.sub) {}
  operator Value() const { return {.constant = constant, .add = add, .sub = sub}; }
  bool is_constant() const { return add == no_symbol && sub == no_symbol; }
};

/// An instruction that may grow.
struct InsnFragment {
  static constexpr FragmentKind kind = FragmentKind::insn;
  i64 constant = 0;  ///< its target is `target` + `constant`; see also in_field and Fixups::branch
  SymbolId target = no_symbol;
  i32 distance = 0;  ///< from its start to its target, if has_distance: layout found it
  u16 form = 0;      ///< the target's number for the instruction
  u16 modifier = 0;  ///< on `target`
  u8 state = 0;      ///< which of its sizes it has
  bool has_distance = false;
  bool in_field = false;  ///< `constant` is what its field holds, and the linker does the rest
  u8 settled = 0;         ///< the pass of relaxation that did (Code::branches_settle); 255: that one or a later one
};

/// Padding up to a power of two.
struct AlignFragment {
  static constexpr FragmentKind kind = FragmentKind::align;
  u64 pattern = 0;   ///< what it is filled with, if pattern_size is not 0
  u32 max_skip = 0;  ///< if more would be needed, there is no padding; 0: no limit
  u16 nop_style = 0;
  u8 log2 = 0;
  u8 pattern_size = 0;           ///< in bytes; 0: filled with no-ops
  bool ends_subsection = false;  ///< added by layout
  bool after_data = false;       ///< behind what is no instruction, if the target asks for that
  bool is_doubled = false;       ///< with its own multiple more, so that a LEB128 number before it settles
};

/// Up to an offset of the subsection.
struct OrgFragment {
  static constexpr FragmentKind kind = FragmentKind::org;
  FragmentValue to;
  u8 fill = 0;
};

/// What a fill of `size` bytes repeats of a value: its low bytes, at most four.
constexpr u32 fill_pattern(u64 value, unsigned size) {
  return u32(value) & (size >= 4 ? ~u32(0) : (u32(1) << (8 * size)) - 1);
}

/// `count` times `unit` bytes of `pattern`.
struct FillFragment {
  static constexpr FragmentKind kind = FragmentKind::fill;
  FragmentValue count;
  u32 pattern = 0;
  u8 unit = 1;
};

enum class LebEncoding : u8 {
  is_unsigned,
  is_signed,
  advance,  ///< that many bytes of code as DW_CFA_advance_loc*, in the shortest form; see frame_text.h
};

inline LebEncoding leb_encoding(bool is_signed) {
  return is_signed ? LebEncoding::is_signed : LebEncoding::is_unsigned;
}

/// A number as LEB128.
struct LebFragment {
  static constexpr FragmentKind kind = FragmentKind::leb;
  FragmentValue number;
  LebEncoding encoding = LebEncoding::is_unsigned;
};

/// So many bytes of no-ops.
struct NopsFragment {
  static constexpr FragmentKind kind = FragmentKind::nops;
  FragmentValue bytes;
  u16 nop_style = 0;
  u8 longest = 0;  ///< bytes that one of them may have; 0: no limit
  bool reserved = false;  ///< see reserved_code.h
  bool after_data = false;  ///< as of AlignFragment
};

/// Padding up to the preferred alignment of the body behind it, which goes up to `end`.
struct PrefalignFragment {
  static constexpr FragmentKind kind = FragmentKind::prefalign;
  SymbolId end = no_symbol;
  u16 nop_style = 0;
  u8 fill = 0;
  bool fills_nops = false;  ///< the padding is no-ops, and not `fill`
  u8 max_log2 = 0;
  u8 log2 = 0;  ///< what layout has come to
};

enum class PaddingForm : u8 {
  nops,
  prefix,
  prefix_of_jump,  ///< the fragment behind it is the instruction (llvm-mc)
};

/// Padding that keeps a branch within a boundary: no-ops, or prefixes of an instruction. See branch_padding.h.
struct PaddingFragment {
  static constexpr FragmentKind kind = FragmentKind::padding;
  static constexpr u32 none = ~u32(0);
  u32 end_pos = 0;          ///< nops: the place behind the branch, in fixed bytes
  u32 end_fragment = none;  ///< and in fragments; none: it turned out not to be needed
  u32 padding = none;       ///< prefix: number of the no-ops that it and those behind it fill, if it leads them
  u32 run_room = 0;         ///< prefix that leads: room of all of them
  u16 nop_style = 0;
  PaddingForm form = PaddingForm::nops;
  u8 boundary_log2 = 0;
  u8 prefix = 0;  ///< the byte to be repeated
  u8 room = 0;    ///< prefix: bytes that the instruction can take
};

/// Bytes that are made when code has been laid out: see pieces.h.
struct PieceFragment {
  static constexpr FragmentKind kind = FragmentKind::piece;
  u64 bytes = 0;
  u32 number = 0;  ///< in Pieces::all
};

/// Behind an instruction that counts as so many bytes less until layout has come to it (Code::branches_settle).
struct GrownFragment {
  static constexpr FragmentKind kind = FragmentKind::grown;
  u8 fewer = 0;
};

class Fragment {
 public:
  template <class Payload>
  Fragment(u64 pos, SourceLoc loc, const Payload& payload) : pos(pos), loc(loc) {
    become(payload);
  }

  /// What it is. Its kind must be that of the payload.
  template <class Payload>
  Payload& as() {
    assert(kind == Payload::kind);
    return *std::launder(reinterpret_cast<Payload*>(payload_));
  }
  template <class Payload>
  const Payload& as() const {
    assert(kind == Payload::kind);
    return *std::launder(reinterpret_cast<const Payload*>(payload_));
  }
  template <class Payload>
  void become(const Payload& payload) {
    static_assert(sizeof(Payload) <= sizeof payload_ && std::is_trivially_copyable_v<Payload>);
    kind = Payload::kind;
    new (payload_) Payload(payload);
  }

  /// The value that decides its size. Only for kinds whose size follows a value.
  Value value() const {
    switch (kind) {
      case FragmentKind::org: return as<OrgFragment>().to;
      case FragmentKind::fill: return as<FillFragment>().count;
      case FragmentKind::leb: return as<LebFragment>().number;
      case FragmentKind::nops: return as<NopsFragment>().bytes;
      case FragmentKind::insn: return {.constant = as<InsnFragment>().constant, .add = as<InsnFragment>().target};
      case FragmentKind::prefalign: return {.add = as<PrefalignFragment>().end};
      default: assert(false); return {};
    }
  }
  /// Its symbols, to be fetched into the cache: of instructions and of values. Of other kinds they are any numbers.
  std::array<SymbolId, 2> symbol_hints() const {
    static_assert(offsetof(InsnFragment, target) == offsetof(FragmentValue, add) &&
                  offsetof(FragmentValue, sub) == offsetof(FragmentValue, add) + sizeof(SymbolId));
    std::array<SymbolId, 2> symbols;
    std::memcpy(&symbols, payload_ + offsetof(FragmentValue, add), sizeof symbols);
    return symbols;
  }

  u64 pos;       ///< fixed bytes before it in the subsection
  u64 size = 0;  ///< current size; only grows during layout, but for align, org and fill, which follow their inputs

 private:
  alignas(8) std::byte payload_[24];

 public:
  SourceLoc loc;
  FragmentKind kind;
};
static_assert(sizeof(Fragment) <= 48);

}  // namespace xas
