// SPDX-License-Identifier: Apache-2.0
// .xdata and .pdata of ARM64 Windows. Prologue and epilogues are told instruction by instruction, one code each, so the
// codes of what is still to be undone say where in a prologue one is. A function whose prologue is one of those that
// the documentation lists, and whose only epilogue mirrors it, is told by one word in .pdata, without any .xdata.
//
// What is strange: a function of more than a megabyte is cut into segments, each with all of the prologue's codes;
// those behind the first begin with end_c, "this prologue has been executed already".
//
// Sources: Microsoft, "ARM64 exception handling"; which of several right encodings is chosen is what llvm-mc does.
#include "targets/aarch64/win_unwind.h"

#include <fmt/format.h>

#include <algorithm>

namespace xas::aarch64 {

namespace {

using Op = WinUnwind;
using Codes = std::vector<WinUnwindCode>;

constexpr u8 frame_pointer = 29, link_register = 30;
constexpr u32 longest_segment = 0xFFFFC;   // 18 bits count instructions
constexpr u32 longest_packed = 0x7FF * 4;  // 11 bits do

constexpr WinUnwindForm forms[] = {
    /* alloc_s */ {0x00, 1, 5, 16, 0, 0, 0},
    /* alloc_m */ {0xC000, 2, 11, 16, 0, 0, 0},
    /* alloc_l */ {0xE0000000, 4, 24, 16, 0, 0, 0},
    /* save_r19r20_x */ {0x20, 1, 5, 8, 0, 0, 0},
    /* save_fplr */ {0x40, 1, 6, 8, 0, 0, 0},
    /* save_fplr_x */ {0x80, 1, 6, 8, 1, 0, 0},
    /* save_regp */ {0xC800, 2, 6, 8, 0, 19, 29},
    /* save_regp_x */ {0xCC00, 2, 6, 8, 1, 19, 29},
    /* save_reg */ {0xD000, 2, 6, 8, 0, 19, 30},
    /* save_reg_x */ {0xD400, 2, 5, 8, 1, 19, 30},
    /* save_lrpair */ {0xD600, 2, 6, 8, 0, 19, 29, 2},
    /* save_fregp */ {0xD800, 2, 6, 8, 0, 8, 14},
    /* save_fregp_x */ {0xDA00, 2, 6, 8, 1, 8, 14},
    /* save_freg */ {0xDC00, 2, 6, 8, 0, 8, 15},
    /* save_freg_x */ {0xDE00, 2, 5, 8, 1, 8, 15},
    /* alloc_z */ {0xDF00, 2, 8, 1, 0, 0, 0},
    /* save_any_reg */ {0xE70000, 3, 0, 1, 0, 0, 0},
    /* set_fp */ {0xE1, 1, 0, 1, 0, 0, 0},
    /* add_fp */ {0xE200, 2, 8, 8, 0, 0, 0},
    /* nop */ {0xE3, 1, 0, 1, 0, 0, 0},
    /* end */ {0xE4, 1, 0, 1, 0, 0, 0},
    /* end_c */ {0xE5, 1, 0, 1, 0, 0, 0},
    /* save_next */ {0xE6, 1, 0, 1, 0, 0, 0},
    /* trap_frame */ {0xE8, 1, 0, 1, 0, 0, 0},
    /* machine_frame */ {0xE9, 1, 0, 1, 0, 0, 0},
    /* context */ {0xEA, 1, 0, 1, 0, 0, 0},
    /* ec_context */ {0xEB, 1, 0, 1, 0, 0, 0},
    /* clear_unwound_to_call */ {0xEC, 1, 0, 1, 0, 0, 0},
    /* pac_sign_lr */ {0xFC, 1, 0, 1, 0, 0, 0},
};
static_assert(std::size(forms) == std::size_t(Op::count));

u32 size_of(const Codes& codes, std::size_t from = 0) {
  u32 n = 0;
  for (std::size_t i = from; i < codes.size(); ++i) n += win_unwind_form(codes[i].operation).bytes;
  return n;
}

void put_code(std::vector<u8>& out, const WinUnwindCode& code) {
  const WinUnwindForm& form = win_unwind_form(code.operation);
  u32 word = form.base;
  if (code.operation == Op::save_any_reg) word |= u32(code.reg) << 8 | code.offset;
  if (form.offset_bits) word |= code.offset / form.unit - form.less;
  if (form.last) word |= u32(code.reg - form.first) / form.step << form.offset_bits;
  for (unsigned i = form.bytes; i-- > 0;) out.push_back(u8(word >> (8 * i)));
}

/// Where a shorter code says the same, it takes the place of the longer one. `codes` are in the prologue's order.
template <typename Iterator>
void shorten(Iterator first, Iterator last) {
  // The register pair, and its place, that save_next would stand for.
  u32 next_reg = 0, next_offset = 0;
  for (; first != last; ++first) {
    WinUnwindCode& code = *first;
    if (code.operation == Op::save_regp && code.reg == frame_pointer) {
      code = {Op::save_fplr, 0, code.offset};
    } else if (code.operation == Op::save_regp_x && code.reg == frame_pointer) {
      code = {Op::save_fplr_x, 0, code.offset};
    } else if (code.operation == Op::save_regp_x && code.reg == 19 && code.offset <= 248) {
      code = {Op::save_r19r20_x, 0, code.offset};
    } else if (code.operation == Op::add_fp && code.offset == 0) {
      code = {Op::set_fp};
    } else if (code.operation == Op::save_regp && next_reg && code.reg == next_reg && code.offset == next_offset) {
      code = {Op::save_next};
    }
    switch (code.operation) {
      case Op::save_r19r20_x: next_reg = 21, next_offset = 16; break;
      case Op::save_regp_x: next_reg = code.reg + 2u, next_offset = 16; break;
      case Op::save_regp: next_reg = code.reg + 2u, next_offset = code.offset + 16; break;
      case Op::save_next:
        if (next_reg) next_reg += 2, next_offset += 16;
        break;
      default: next_reg = 0; break;
    }
  }
}

/// The codes of these do not stand for one instruction each.
bool is_special(const WinUnwindCode& code) {
  return code.operation >= Op::trap_frame && code.operation <= Op::clear_unwound_to_call;
}

/// An epilogue that undoes the first operations of the prologue, in reverse: where its codes start among the
/// prologue's, which are written in reverse too. -1: it is none.
int offset_in_prologue(const Codes& prologue, const Codes& epilogue) {
  if (epilogue.size() > prologue.size()) return -1;
  if (!std::equal(epilogue.rbegin(), epilogue.rend(), prologue.begin())) return -1;
  return int(size_of(prologue, epilogue.size()));
}

// Packed unwind data

/// Reads a prologue as the documentation lays down ("Packed unwind data").
class Canonical {
 public:
  /// Its `end` comes first.
  explicit Canonical(const Codes& codes) : codes_(codes), at_(1) {}

  /// The word for .pdata but for the function's length; 0 if the prologue is another one.
  u32 pack() {
    const bool pac = accept(Op::pac_sign_lr);
    if (!integers(pac) || !floats()) return 0;
    u32 locals = 0;
    if (!allocations(locals)) return 0;
    if (fplr_ && !accept(Op::set_fp)) return 0;
    if (at_ != codes_.size() || integers_ > 10 || floats_ > 8 || (lr_ && fplr_) || (pac && !fplr_)) return 0;
    const u32 saved = (8 * (integers_ + lr_ + floats_) + 15) & ~15u;
    if (saved != reserved_ || locals % 16 || (fplr_ && locals < 16)) return 0;
    const u32 frame = (saved + locals) / 16;
    if (frame > 0x1FF) return 0;
    const u32 chain = pac ? 2 : fplr_ ? 3 : lr_ ? 1 : 0;
    return 1 | (floats_ ? floats_ - 1 : 0) << 13 | integers_ << 16 | chain << 21 | frame << 23;
  }

 private:
  const WinUnwindCode* peek(std::size_t ahead = 0) const {
    return at_ + ahead < codes_.size() ? &codes_[at_ + ahead] : nullptr;
  }
  bool is(Op operation, std::size_t ahead = 0) const { return peek(ahead) && peek(ahead)->operation == operation; }
  bool accept(Op operation) {
    if (!is(operation)) return false;
    ++at_;
    return true;
  }
  bool is_alloc() const { return is(Op::alloc_s) || is(Op::alloc_m); }
  u32 next_place() const { return 8 * (integers_ + lr_ + floats_); }

  /// x19 and those behind it, and lr if it has no frame record: the first save makes the room for all.
  bool integers(bool pac) {
    if (is(Op::save_r19r20_x)) {
      reserved_ = codes_[at_++].offset;
      integers_ = 2;
    } else if (is(Op::save_reg_x)) {
      const WinUnwindCode& code = codes_[at_++];
      reserved_ = code.offset;
      if (code.reg != 19 && code.reg != link_register) return false;
      (code.reg == link_register ? lr_ : integers_) = 1;
      return true;
    } else if (is_alloc() && !pac && is(Op::save_lrpair, 1) && peek(1)->reg == 19 && peek(1)->offset == 0) {
      // There is no save_lrpair that makes room. LLVM does not pack floating-point registers behind it.
      reserved_ = codes_[at_].offset;
      at_ += 2;
      integers_ = lr_ = 1;
      no_floats_ = true;
      return true;
    } else {
      return true;
    }
    for (; peek(); ++at_) {
      const WinUnwindCode& code = codes_[at_];
      const bool here = code.offset == next_place() && code.reg == 19 + integers_;
      if (code.operation == Op::save_next || (code.operation == Op::save_regp && here)) {
        integers_ += 2;
        continue;
      }
      const bool one = code.operation == Op::save_reg && here;
      const bool pair = code.operation == Op::save_lrpair && here;
      const bool link = code.operation == Op::save_reg && code.reg == link_register && code.offset == next_place();
      if (!one && !pair && !link) break;
      if (one || pair) ++integers_;
      lr_ = pair || link;
      ++at_;
      break;
    }
    return true;
  }

  bool floats() {
    if (is(Op::save_fregp_x) && reserved_ == 0 && at_ <= 2) {
      if (peek()->reg != 8) return false;
      reserved_ = codes_[at_++].offset;
      floats_ = 2;
    }
    for (; peek() && !no_floats_; ++at_) {
      const WinUnwindCode& code = codes_[at_];
      const bool here = code.reg == 8 + floats_ && code.offset == next_place();
      if (code.operation == Op::save_fregp && here && reserved_) {
        floats_ += 2;
      } else if (code.operation == Op::save_next && reserved_) {  // even behind a single register: so LLVM has it
        floats_ += 2;
      } else if (code.operation == Op::save_freg && here && floats_) {
        ++floats_;
        ++at_;
        break;
      } else {
        break;
      }
    }
    return true;
  }

  bool allocations(u32& locals) {
    if (is(Op::save_fplr_x)) {
      locals = codes_[at_++].offset;
      fplr_ = 1;
      return true;
    }
    while (is_alloc()) {
      if (locals != 0 && locals != 4080) return false;
      locals += codes_[at_++].offset;
    }
    if (is(Op::save_fplr)) {
      if (locals == 0 || codes_[at_++].offset != 0) return false;
      fplr_ = 1;
    }
    return true;
  }

  const Codes& codes_;
  std::size_t at_;
  u32 reserved_ = 0;  ///< what the first save subtracts from the stack pointer
  u32 integers_ = 0, floats_ = 0;
  bool no_floats_ = false;
  u32 lr_ = 0;        ///< saved beside the others
  u32 fplr_ = 0;      ///< saved as a frame record
};

// .xdata

/// Bytes of the instructions that the codes stand for, if that can be told.
std::optional<u32> instruction_bytes(const Codes& codes) {
  if (std::any_of(codes.begin(), codes.end(), is_special)) return {};
  return u32(codes.size() - 1) * 4;
}

class Maker : WinUnwindMaker<WinUnwindCode> {
 public:
  Maker(WinUnwindFunction& function, WinUnwindInfo& info, WinUnwindProblems& problems)
      : WinUnwindMaker(function, info, problems) {}

  void make() {
    shorten(f_.prologue.begin(), f_.prologue.end());
    for (WinUnwindFunction::Epilogue& e : f_.epilogues) {
      shorten(e.codes.rbegin(), e.codes.rend());
      starts_.push_back(*e.start);
    }
    cut(f_.length);
    for (std::size_t i = 0; i < segments_.size() && problems_.empty(); ++i) segment(segments_[i], i == 0);
    for (const Segment& s : segments_) info_.segments.push_back(s.place);
  }

 private:
  struct Segment {
    WinUnwindSegment place;
    u32 first_epilogue, epilogues;
  };
  struct Scope {
    u32 start;        ///< in the segment
    u32 code;         ///< index of its first code
    const Codes* own = nullptr;  ///< codes that are written for it
    u32 epilogue = 0;
  };

/// Segments of at most a megabyte, none of which ends in an epilogue.
  void cut(u32 length) {
    u32 begin = 0, next = 0;
    while (length - begin > longest_segment) {
      u32 end = begin + longest_segment;
      const u32 first = next;
      while (next < starts_.size() && epilogue_end(next) < end) ++next;
      if (next < starts_.size() && starts_[next] <= end) end = starts_[next];
      if (end == begin)
        return problem("this epilogue is longer than unwind information allows", next);
      segments_.push_back({{.begin = begin, .length = end - begin, .info = 0}, first, next - first});
      begin = end;
    }
    segments_.push_back({{.begin = begin, .length = length - begin, .info = 0}, next, u32(starts_.size()) - next});
  }

  u32 epilogue_end(u32 i) const { return starts_[i] + u32(f_.epilogues[i].codes.size() - 1) * 4; }

  /// The only epilogue of a segment, at its end, needs no scope: where its codes start is all that must be said. -1 if
  /// that can't be; else it tells in `shared` whether they are the prologue's.
  int single_epilogue(const Segment& s, u32 prologue_bytes, bool& shared) const {
    shared = false;
    if (s.epilogues != 1) return -1;
    const Codes& codes = f_.epilogues[s.first_epilogue].codes;
    if ((s.place.begin + s.place.length - starts_[s.first_epilogue]) / 4 != codes.size()) return -1;
    constexpr u32 last_start = 31, max_bytes = 124;  // what the header has room for
    const int at = offset_in_prologue(f_.prologue, codes);
    if (at >= 0 && u32(at) <= last_start && prologue_bytes <= max_bytes) {
      shared = true;
      return at;
    }
    return prologue_bytes <= last_start && prologue_bytes + size_of(codes) <= max_bytes ? int(prologue_bytes) : -1;
  }

  bool pack(const Segment& s, int epilogue) {
    if (segments_.size() > 1 || f_.has_data || f_.has_handler || s.place.length > longest_packed)
      return false;
    // The epilogue may lack what sets the frame pointer.
    if (epilogue != 0 && (epilogue != 1 || f_.prologue.back().operation != Op::set_fp)) return false;
    const u32 word = Canonical(f_.prologue).pack();
    if (word) info_.packed = word | s.place.length / 4 << 2;
    return word;
  }

  void segment(Segment& s, bool first) {
    s.place.info = u32(out_.size());
    const u32 prologue_bytes = size_of(f_.prologue);
    bool shared;
    int single = single_epilogue(s, prologue_bytes, shared);
    if (shared && pack(s, single)) return;

    std::vector<Scope> scopes;
    const u32 end_c = first ? 0 : 1;
    if (!first) {
      if (single >= 0) ++single;
      if (s.epilogues == 0) single = 0;  // "Function fragments": points to end_c
    }
    u32 bytes = prologue_bytes + end_c;
    if (!shared) {
      for (u32 i = s.first_epilogue; i < s.first_epilogue + s.epilogues; ++i) add_scope(scopes, s, i, bytes, end_c);
    }
    const u32 words = (bytes + 3) / 4;
    const u32 count = single >= 0 ? u32(single) : s.epilogues;
    const bool handler = f_.has_handler;
    const bool extended = count > 31 || bytes > 124;
    if (words > 0xFF || count > 0xFFFF) {
      return problem(
          fmt::format("this function takes {} words of unwind codes and {} epilogues; there is room for 255 and "
                      "65535",
                      words, count));
    }
    put32(s.place.length / 4 | u32(handler) << 20 | u32(single >= 0) << 21 |
          (extended ? 0 : count << 22 | words << 27));
    if (extended) put32(count | words << 16);
    if (single < 0) {
      for (const Scope& scope : scopes) put32(scope.start / 4 | scope.code << 22);
    }
    const u32 codes_at = u32(out_.size());
    if (!first) put_code(out_, {Op::end_c});
    for (auto code = f_.prologue.rbegin(); code != f_.prologue.rend(); ++code) put_code(out_, *code);
    for (const Scope& scope : scopes) {
      if (!scope.own) continue;
      for (const WinUnwindCode& code : *scope.own) put_code(out_, code);
    }
    while (out_.size() < codes_at + 4 * words) put_code(out_, {Op::nop});
    if (handler) put_handler();
  }

  /// Equal epilogues share their codes, and those that mirror the prologue use its.
  void add_scope(std::vector<Scope>& scopes, const Segment& s, u32 i, u32& bytes, u32 end_c) {
    const Codes& codes = f_.epilogues[i].codes;
    Scope scope{.start = starts_[i] - s.place.begin, .code = 0, .epilogue = i};
    const auto same =
        std::find_if(scopes.begin(), scopes.end(), [&](const Scope& o) { return o.own && *o.own == codes; });
    if (same != scopes.end()) {
      scope.code = same->code;
    } else if (const int at = offset_in_prologue(f_.prologue, codes); at >= 0) {
      scope.code = u32(at) + end_c;
    } else {
      scope.code = bytes;
      scope.own = &codes;
      bytes += size_of(codes);
    }
    scopes.push_back(scope);
    constexpr u32 max = 0x3FF;
    if (scope.code > max)
      problem("too many unwind codes stand before this epilogue's: there is room for 1023 bytes", i);
  }

  std::vector<Segment> segments_;
  std::vector<u32> starts_;  ///< of epilogues, in the function
};

}  // namespace

const WinUnwindForm& win_unwind_form(WinUnwind operation) { return forms[std::size_t(operation)]; }

void check_win_unwind(const WinUnwindFunction& f, WinUnwindProblems& problems) {
  if (f.length % 4) {
    problems.push_back({fmt::format("the function's length of {} bytes is no multiple of 4", f.length)});
    return;
  }
  const auto check = [&](const Codes& codes, std::optional<u32> length, std::string_view what, u32 epilogue) {
    check_win_unwind_length(length, instruction_bytes(codes), what, epilogue, problems);
  };
  check(f.prologue, f.prologue_length, "prologue", WinUnwindProblem::function);
  for (u32 i = 0; i < f.epilogues.size(); ++i) {
    const WinUnwindFunction::Epilogue& e = f.epilogues[i];
    check(e.codes, e.length, "epilogue", i);
    if (e.start) continue;
    problems.push_back({"this epilogue is not behind the start of its function", i});
    return;
  }
}

WinUnwindInfo make_win_unwind_info(WinUnwindFunction& function, WinUnwindProblems& problems) {
  WinUnwindInfo info;
  Maker(function, info, problems).make();
  return info;
}

}  // namespace xas::aarch64
