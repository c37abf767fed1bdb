// SPDX-License-Identifier: Apache-2.0
// .xdata and .pdata of Windows on ARM. Prologue and epilogues are told instruction by instruction, a code for each. A
// function whose prologue and only epilogue have the usual form, and which is short, is told by one word in .pdata.
//
// What is strange: which functions are packed. llvm-mc packs when the function's length is known where its end is read,
// which is when nothing in it may grow; what was known by then is told beside the lengths that layout comes to.
//
// Sources: Microsoft, "ARM exception handling"; which of several right encodings is chosen is what llvm-mc does.
#include "targets/arm/win_unwind.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace xas::arm {

namespace {

using Op = WinUnwind;
using Codes = std::vector<WinUnwindCode>;

constexpr u32 lr_bit = 1u << 14;

bool is_end(const WinUnwindCode& c) {
  return c.operation == Op::end || c.operation == Op::end_nop || c.operation == Op::wide_end_nop;
}

bool is_allocation(const WinUnwindCode& c) {
  return c.operation == Op::alloc_small || c.operation == Op::wide_alloc_medium;
}

/// The code's bytes, the first one highest.
struct CodeBytes {
  u32 word;
  u8 size;
};

CodeBytes bytes_of(const WinUnwindCode& c) {
  const u32 words = c.offset / 4;
  switch (c.operation) {
    case Op::alloc_small: return {words, 1};
    case Op::alloc_large: return {0xF70000 | words, 3};
    case Op::alloc_huge: return {0xF8000000 | words, 4};
    case Op::wide_alloc_medium: return {0xE800 | words, 2};
    case Op::wide_alloc_large: return {0xF90000 | words, 3};
    case Op::wide_alloc_huge: return {0xFA000000 | words, 4};
    case Op::save_mask: return {0xEC00 | (c.reg & lr_bit ? 0x100 : 0) | (c.reg & 0xFF), 2};
    case Op::wide_save_mask: return {0x8000 | (c.reg & lr_bit ? 0x2000 : 0) | (c.reg & 0x1FFF), 2};
    case Op::save_r4_r7: return {0xD0 | (c.reg - 4) | c.offset << 2, 1};
    case Op::wide_save_r4_r11: return {0xD8 | (c.reg - 8) | c.offset << 2, 1};
    case Op::save_sp: return {0xC0 | c.reg, 1};
    case Op::save_lr: return {0xEF00 | words, 2};
    case Op::save_d8: return {0xE0 | (c.reg - 8), 1};
    case Op::save_d0: return {0xF500 | c.reg << 4 | c.offset, 2};
    case Op::save_d16: return {0xF600 | (c.reg - 16) << 4 | (c.offset - 16), 2};
    case Op::nop: return {0xFB, 1};
    case Op::wide_nop: return {0xFC, 1};
    case Op::end_nop: return {0xFD, 1};
    case Op::wide_end_nop: return {0xFE, 1};
    case Op::end: return {0xFF, 1};
    case Op::custom: return {c.reg, u8(c.reg > 0xFFFFFF ? 4 : c.reg > 0xFFFF ? 3 : c.reg > 0xFF ? 2 : 1)};
  }
  return {};
}

u32 size_of(const Codes& codes, std::size_t from = 0) {
  u32 n = 0;
  for (std::size_t i = from; i < codes.size(); ++i) n += bytes_of(codes[i]).size;
  return n;
}

/// Bytes of the instructions that the codes stand for; those of custom codes are not known.
u32 instruction_bytes(const Codes& codes) {
  u32 n = 0;
  for (const WinUnwindCode& c : codes) {
    switch (c.operation) {
      case Op::alloc_small:
      case Op::alloc_large:
      case Op::alloc_huge:
      case Op::save_mask:
      case Op::save_r4_r7:
      case Op::save_sp:
      case Op::nop: case Op::end_nop: n += 2; break;
      case Op::end:
      case Op::custom: break;
      default: n += 4;
    }
  }
  return n;
}

void put_code(std::vector<u8>& out, const WinUnwindCode& code) {
  const CodeBytes b = bytes_of(code);
  for (unsigned i = b.size; i-- > 0;) out.push_back(u8(b.word >> (8 * i)));
}

/// An epilogue that undoes the first operations of the prologue, in reverse: where its codes start among the
/// prologue's, which are written in reverse too. -1: it is none. With `any_end` the ends may differ.
int offset_in_prologue(const Codes& prologue, const Codes& epilogue, bool any_end) {
  const std::size_t n = epilogue.size();
  if (n > prologue.size() || n == 0) return -1;
  for (std::size_t i = any_end; i < n; ++i)
    if (!(prologue[i] == epilogue[n - 1 - i])) return -1;
  if (any_end && (prologue[0].operation != Op::end || !is_end(epilogue.back()))) return -1;
  return int(size_of(prologue, n));
}

/// Reads a prologue and its epilogue as the documentation of packed unwind data lays down.
class Packed {
 public:
  /// The word for .pdata; 0 if they are others. `at_end`: the only epilogue is known to end the function.
  u32 pack(const Codes& prologue, const WinUnwindFunction::Epilogue* epilogue, bool at_end, bool fragment, u32 length) {
    if (!read_prologue(prologue)) return 0;
    u32 ret = 3;
    if (epilogue && (epilogue->condition != condition_always || !at_end || !read_epilogue(epilogue->codes, ret)))
      return 0;
    u32 adjust = stack_;
    if (folded_ || folded_out_) {
      adjust = 0x3F0 | ((folded_ ? folded_ : folded_out_) - 1);
      if (folded_) adjust |= 4;
      if (folded_out_) adjust |= 8;
    }
    const u32 reg = ints_ >= 0 ? u32(ints_) : floats_ >= 0 ? u32(floats_) : 7;
    return u32(fragment ? 2 : 1) | (length & 0x7FF) << 2 | ret << 13 | u32(homing_) << 15 | reg << 16 |
           u32(ints_ < 0) << 19 | u32(lr_) << 20 | u32(chain_) << 21 | adjust << 22;
  }

 private:
  static constexpr u32 max_words = 0x3F4;

  /// What a push of this code saves, a bit for each register.
  static u32 mask_of(const WinUnwindCode& c) {
    if (c.operation == Op::save_mask || c.operation == Op::wide_save_mask) return c.reg;
    return (((2u << c.reg) - 1) & ~0xFu) | (c.offset ? lr_bit : 0);
  }

  /// push {[rX-r3,] r4-rN, [r11,] [lr]}: the registers below r4 only make room.
  bool read_push(u32 mask) {
    if (mask & 0x1000) return false;
    lr_ = mask & lr_bit;
    const u32 room = mask & 0xF;
    folded_ = u32(std::popcount(room));
    if (room && room != (0xF0u >> folded_ & 0xF)) return false;
    u32 saved = mask >> 4 & 0xFF;  // r4 to r11
    if (saved == 0xFF) {
      r11_ = true;
      ints_ = 6;
      return true;
    }
    if (saved & 0x80) r11_ = true;
    saved &= 0x7F;
    if (saved & (saved + 1)) return false;
    ints_ = int(std::popcount(saved)) - 1;
    return true;
  }

  bool read_prologue(const Codes& codes) {
    int step = 0;
    for (const WinUnwindCode& c : codes) {
      switch (c.operation) {
        case Op::end: case Op::end_nop: case Op::wide_end_nop:
          if (step != 0) return false;
          step = 1;
          break;
        case Op::save_mask:
          if (step == 1 && c.reg == 0xF) {
            homing_ = true;
            step = 2;
            break;
          }
          [[fallthrough]];
        case Op::wide_save_mask: case Op::save_r4_r7: case Op::wide_save_r4_r11:
          if ((step != 1 && step != 2) || !read_push(mask_of(c))) return false;
          step = 3;
          break;
        case Op::nop:  // mov r11, sp
          if (step != 3 || !r11_ || ints_ >= 0 || folded_) return false;
          chain_ = true;
          step = 4;
          break;
        case Op::wide_nop:  // add.w r11, sp, #n
          if (step != 3 || !r11_ || (ints_ < 0 && !folded_)) return false;
          chain_ = true;
          step = 4;
          break;
        case Op::save_d8:
          if (step < 1 || step > 4 || c.reg == 15 || ints_ >= 0) return false;
          floats_ = int(c.reg) - 8;
          step = 5;
          break;
        case Op::alloc_small: case Op::wide_alloc_medium:
          if (step < 1 || step > 5 || folded_ || c.offset / 4 >= max_words) return false;
          stack_ = c.offset / 4;
          step = 6;
          break;
        default: return false;
      }
    }
    if (r11_ && !chain_) {
      if (ints_ != 6) return false;
      ints_ = 7;  // r4 to r11
      r11_ = false;
    }
    return !chain_ || lr_;
  }

  bool read_restore(u32 mask, bool& lr_restored, bool& needs_return) {
    if (mask & 0x1000) return false;
    const bool lr = mask & lr_bit;
    if (homing_ && lr_) {
      if (lr) needs_return = true;
    } else if (lr_ != lr) {
      return false;
    }
    lr_restored = lr;
    u32 expected = ints_ >= 0 ? ((2u << (ints_ + 4)) - 1) & ~0xFu : 0;
    if (chain_) expected |= 0x800;
    if ((mask & 0xFF0) != expected) return false;
    const u32 room = mask & 0xF;
    folded_out_ = u32(std::popcount(room));
    if (room && room != (0xF0u >> folded_out_ & 0xF)) return false;
    if (folded_out_ == 0) return true;
    if (stack_ && stack_ != folded_out_) return false;
    return !folded_ || folded_ == folded_out_;
  }

  bool read_epilogue(const Codes& codes, u32& ret) {
    bool stack = false, floats = false, ints = false, home = false, lr = false, needs_return = false, returns = false;
    int step = 6;
    ret = 0;
    for (const WinUnwindCode& c : codes) {
      if (is_allocation(c)) {
        if (c.offset / 4 >= max_words || step > 9) return false;
        if (step == 6 && !(homing_ && floats_ < 0 && ints_ < 0 && !stack_ && !folded_ && c.offset == 16)) {
          const u32 words = c.offset / 4;
          if (stack_ ? stack_ != words : folded_ != words) return false;
          stack_ = words;
          stack = true;
          step = 7;
        } else {
          if (!homing_ || c.offset != 16) return false;
          home = true;
          step = 10;
        }
        continue;
      }
      switch (c.operation) {
        case Op::save_d8:
          if (step > 7 || floats_ != int(c.reg) - 8) return false;
          floats = true;
          step = 8;
          break;
        case Op::save_mask: case Op::wide_save_mask: case Op::save_r4_r7: case Op::wide_save_r4_r11:
          if (step > 8 || !read_restore(mask_of(c), lr, needs_return)) return false;
          ints = true;
          step = 9;
          break;
        case Op::save_lr:
          if (step > 9 || !homing_ || c.offset != 20 || lr) return false;
          lr = home = true;
          step = 10;
          break;
        case Op::end: case Op::end_nop: case Op::wide_end_nop:
          if (step > 10) return false;
          if (c.operation != Op::end) {
            returns = true;
            ret = c.operation == Op::end_nop ? 1 : 2;
          }
          step = 11;
          break;
        default: return false;
      }
    }
    if (step != 11 || (stack_ && !stack && !folded_out_) || (floats_ >= 0 && !floats) || (ints_ >= 0 && !ints))
      return false;
    return !(homing_ && !home) && !(lr_ && !lr) && !(needs_return && !returns);
  }

  int ints_ = -1;      ///< r4 to r(4 + ints_) are saved
  int floats_ = -1;    ///< d8 to d(8 + floats_)
  u32 stack_ = 0;      ///< words that are subtracted from the stack pointer
  u32 folded_ = 0;     ///< words that the push makes room for besides
  u32 folded_out_ = 0; ///< and that the pop gives back
  bool homing_ = false, r11_ = false, chain_ = false, lr_ = false;
};

class Maker : WinUnwindMaker<WinUnwindCode> {
 public:
  Maker(WinUnwindFunction& function, WinUnwindInfo& info, WinUnwindProblems& problems)
      : WinUnwindMaker(function, info, problems) {}

  void make() {
    info_.segments.push_back({.begin = 0, .length = f_.length, .info = 0});
    constexpr u32 longest_packed = 0x7FF * 2;
    if (!f_.has_handler && !f_.has_data && f_.may_pack && f_.length <= longest_packed && f_.epilogues.size() <= 1) {
      const WinUnwindFunction::Epilogue* e = f_.epilogues.empty() ? nullptr : &f_.epilogues[0];
      info_.packed = Packed().pack(f_.prologue, e, e && ends_function(*e), f_.fragment, f_.length / 2);
      if (info_.packed) return;
    }
    write(f_.length / 2, f_.has_handler);
  }

 private:
  static bool ends_function(const WinUnwindFunction::Epilogue& e) {
    return e.to_end && *e.to_end == instruction_bytes(e.codes);
  }

  /// A single epilogue at the function's end needs no scope: where its codes start, else -1. `written`: they are the
  /// prologue's, and not written again.
  int single_epilogue(bool& shared) {
    if (f_.epilogues.size() != 1) return -1;
    const WinUnwindFunction::Epilogue& e = f_.epilogues[0];
    if (e.condition != condition_always || f_.prologue.empty() || e.codes.empty() || !ends_function(e)) return -1;
    const u32 bytes = size_of(f_.prologue);
    const int apart = bytes <= 31 && bytes + size_of(e.codes) <= 63 ? int(bytes) : -1;
    const int offset = offset_in_prologue(f_.prologue, e.codes, true);
    if (offset < 0 || offset > 31 || bytes > 63) return apart;
    f_.prologue.front() = e.codes.back();
    shared = true;
    return offset;
  }

  void write(u32 length, bool handles) {
    struct Scope {
      u32 start, code;
      u8 condition;
    };
    std::vector<Scope> scopes;
    std::vector<const Codes*> written;
    u32 total = size_of(f_.prologue);
    bool shared = false, any_end = true;
    const int single = single_epilogue(shared);
    if (!shared) {
      std::vector<std::pair<const Codes*, u32>> known;
      for (u32 i = 0; i < f_.epilogues.size(); ++i) {
        const WinUnwindFunction::Epilogue& e = f_.epilogues[i];
        if (!e.start) return problem("this epilogue is not behind the start of its function", i);
        Scope scope{*e.start / 2, 0, e.condition};
        const auto same =
            std::find_if(known.begin(), known.end(), [&](const auto& k) { return *k.first == e.codes; });
        if (same != known.end()) {
          scope.code = same->second;
        } else if (const int at = offset_in_prologue(f_.prologue, e.codes, any_end); at >= 0) {
          if (any_end) f_.prologue.front() = e.codes.back();
          any_end = false;
          scope.code = u32(at);
        } else {
          scope.code = total;
          total += size_of(e.codes);
          written.push_back(&e.codes);
          known.emplace_back(&e.codes, scope.code);
        }
        scopes.push_back(scope);
      }
    }
    const u32 words = (total + 3) / 4, count = single >= 0 ? u32(single) : u32(scopes.size());
    const bool extended = count > 31 || words > 15;
    if (words > 0xFF || count > 0xFFFF)
      return problem("this function's prologue and epilogues take too many unwind codes");
    put32(length | u32(handles) << 20 | u32(single >= 0) << 21 | u32(f_.fragment) << 22 |
          (extended ? 0 : count << 23 | words << 28));
    if (extended) put32(count | words << 16);
    if (single < 0) {
      for (const Scope& s : scopes) put32(s.start | u32(s.condition) << 20 | (s.code & 0x3FF) << 24);
    }
    for (auto c = f_.prologue.rbegin(); c != f_.prologue.rend(); ++c) put_code(out_, *c);
    for (const Codes* codes : written)
      for (const WinUnwindCode& c : *codes) put_code(out_, c);
    for (u32 n = total; n < words * 4; ++n) out_.push_back(0xFB);
    if (handles) put_handler();
  }
};

}  // namespace

void check_win_unwind(const WinUnwindFunction& f, WinUnwindProblems& problems) {
  constexpr u32 longest = 0x3FFFF * 2;
  if (f.length > longest) {
    problems.push_back({fmt::format("functions of more than {} bytes can't be unwound", longest)});
    return;
  }
  const auto check = [&](const Codes& codes, std::optional<u32> length, std::string_view what, u32 epilogue) {
    const bool known =
        std::none_of(codes.begin(), codes.end(), [](const auto& c) { return c.operation == Op::custom; });
    if (known) check_win_unwind_length(length, instruction_bytes(codes), what, epilogue, problems);
  };
  if (!f.fragment) check(f.prologue, f.prologue_length, "prologue", WinUnwindProblem::function);
  for (u32 i = 0; i < f.epilogues.size(); ++i) check(f.epilogues[i].codes, f.epilogues[i].length, "epilogue", i);
}

WinUnwindInfo make_win_unwind_info(WinUnwindFunction& function, WinUnwindProblems& problems) {
  WinUnwindInfo info;
  Maker(function, info, problems).make();
  return info;
}

}  // namespace xas::arm
