// SPDX-License-Identifier: Apache-2.0
// What stands in front of a mnemonic: prefixes (rep, lock, data16, rex.w, ...), pseudo prefixes ({vex3}, {disp32},
// ...), and the ways of writing a mnemonic that the fast path does not know (capitals, `jmp.d32`, `jne,pt`).
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "targets/x86/blanks.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

/// Registers of MMX and later, in the first two operands behind immediates: GNU as calls these instructions SIMD.
bool is_simd(const Row& row, const Statement& s) {
  constexpr u64 registers = class_bit("mm") | class_bit("xmm0") | class_bit("xmm") | class_bit("ymm") |
                            class_bit("zmm") | class_bit("k") | class_bit("tmm") | class_bit("bnd");
  if (row.encoding != encoding_legacy) return true;
  unsigned first = 0;
  while (first < s.count && s.ops[first].is_immediate) ++first;
  for (unsigned i = first; i < std::min<unsigned>(first + 2, row.count); ++i)
    if (x86_kinds[row.kind[i]][space_register] & registers) return true;
  return false;
}

namespace {

struct PrefixName {
  std::string_view name;
  u32 flag;
  u8 byte;     ///< when it stands alone
  u8 segment;  ///< number + 1
  u8 bits;     ///< of the operands or addresses it is for
};

constexpr PrefixName prefix_names[] = {
    {"rep", prefix_rep, 0xF3, 0, 0},         {"repe", prefix_rep, 0xF3, 0, 0},
    {"repz", prefix_rep, 0xF3, 0, 0},        {"repne", prefix_repne, 0xF2, 0, 0},
    {"repnz", prefix_repne, 0xF2, 0, 0},     {"lock", prefix_lock, 0xF0, 0, 0},
    {"data16", prefix_data, 0x66, 0, 16}, {"data32", prefix_data, 0x66, 0, 32},
    {"addr16", prefix_addr, 0x67, 0, 16}, {"addr32", prefix_addr, 0x67, 0, 32},
    {"aword", prefix_addr, 0x67, 0, 16},  {"adword", prefix_addr, 0x67, 0, 32},
    {"word", prefix_data, 0x66, 0, 16},   {"dword", prefix_data, 0x66, 0, 32},
    {"notrack", prefix_notrack, 0x3E, 0, 0}, {"bnd", prefix_bnd, 0xF2, 0, 0},
    {"xacquire", prefix_xacquire, 0xF2, 0, 0}, {"xrelease", prefix_xrelease, 0xF3, 0, 0},
    {"acquire", prefix_xacquire, 0xF2, 0, 0},  {"release", prefix_xrelease, 0xF3, 0, 0},
    {"es", 0, 0x26, 1, 0},                   {"cs", 0, 0x2E, 2, 0},
    {"ss", 0, 0x36, 3, 0},                   {"ds", 0, 0x3E, 4, 0},
    {"fs", 0, 0x64, 5, 0},                   {"gs", 0, 0x65, 6, 0},
};

constexpr std::pair<std::string_view, u32> pseudo_names[] = {
    {"vex", want_vex},       {"vex2", want_vex2},   {"vex3", want_vex3},   {"evex", want_evex},
    {"load", want_load},     {"store", want_store}, {"disp8", want_disp8}, {"disp16", want_disp16},
    {"disp32", want_disp32}, {"rex", want_rex},     {"rex2", want_rex2},   {"nooptimize", want_nooptimize},
    {"nf", want_nf},         {"noimm8s", want_noimm8s}};

/// Of these the last one counts.
constexpr u32 exclusive[] = {want_vex | want_vex2 | want_vex3 | want_evex, want_load | want_store,
                             want_disp8 | want_disp16 | want_disp32};

/// Bits of rex, rex.wrxb, rex64, rex64xyz, rexx..., or -1.
int rex_bits(std::string_view name) {
  if (!name.starts_with("rex")) return -1;
  name.remove_prefix(3);
  int bits = 0;
  if (name.starts_with("64")) {
    bits = 8;
    name.remove_prefix(2);
  } else if (name.starts_with(".")) {
    if (name.size() == 1) return -1;
    name.remove_prefix(1);
    for (char c : name) {
      int bit = c == 'w' ? 8 : c == 'r' ? 4 : c == 'x' ? 2 : c == 'b' ? 1 : 0;
      if (!bit || (bits & bit)) return -1;
      bits |= bit;
    }
    return bits;
  }
  for (char c : name) {
    int bit = c == 'x' ? 4 : c == 'y' ? 2 : c == 'z' ? 1 : 0;
    if (!bit || (bits & bit)) return -1;
    bits |= bit;
  }
  return bits;
}

bool at_statement_end(const char* p) {
  return *p == '\n' || *p == ';' || *p == '#' || *p == '\0' || (*p == '/' && (p[1] == '/' || p[1] == '*'));
}

bool is_mnemonic_char(char c) {
  return u8((c | 0x20) - 'a') <= 25 || u8(c - '0') <= 9 || c == '_' || c == '.';
}

/// Whether the byte for a prefix is taken: segments and notrack are of one kind, so are all repetitions.
bool has_prefix_like(u32 flag, u8 segment, const Statement& s) {
  if (segment || flag == prefix_notrack) return s.segment_prefix || (s.prefixes & prefix_notrack);
  return s.prefixes & (flag & repetitions ? repetitions : flag);
}

bool is_memory_at(const Statement& s, unsigned operand) { return s.memory >= 0 && unsigned(s.memory) == operand; }

bool can_be_locked(const Row& row, const Statement& s) {
  return (row.flags & row_lock) && s.memory >= 0 && row.encoding == encoding_legacy;
}

/// What GNU as says of a prefix that makes no sense before this instruction; empty if they all do.
std::string_view meaningless_prefix(const Row& row, const Statement& s) {
  const bool legacy = row.encoding == encoding_legacy;
  const Facts& facts = facts_of(row);
  const bool hle = s.prefixes & (prefix_xacquire | prefix_xrelease);
  const bool repeatable = (row.flags & (row_rep | row_repne)) || facts.has(trait_repeatable) ||
                          (facts.has(trait_ownrep) && row.pp == pp_f3 && !(s.prefixes & prefix_repne));
  if ((s.prefixes & (prefix_rep | prefix_repne)) && !repeatable) return "it can't be repeated";
  if ((s.prefixes & prefix_lock) && !can_be_locked(row, s)) return "it can't be locked";
  if ((s.prefixes & prefix_data) && is_simd(row, s) && !is_promoted(row)) return "its operands have no other size";
  if ((s.prefixes & prefix_notrack) && !(row.flags & row_notrack)) return "it is no indirect branch";
  if (!hle) return "";
  if ((s.prefixes & prefix_xrelease) && facts.has(trait_released) && is_memory_at(s, s.count - 1)) return "";
  if (!legacy || !(row.flags & row_hle)) return "it neither acquires nor releases a lock";
  constexpr u8 xchg = 0x86;
  if (!(s.prefixes & prefix_lock) && (row.opcode & 0xFE) != xchg) return "it has no `lock`";
  return "";
}

/// What the mnemonic can mean in the syntax.
const Spelling* look_up(std::string_view name, u64 hash, bool intel) {
  if (!intel) return find_spelling(name, hash);
  if (name.empty()) return nullptr;
  if (const Spelling* s = find_intel_spelling(name, hash)) return s;
  // AT&T's names of far branches are accepted; by LLVM some with the suffixes of ports, by GNU as extensions, too.
  constexpr std::string_view att[] = {"lcall", "ljmp",   "lret",   "lretw",  "lretl",  "lretq",  "inb",    "inw",
                                      "inl",   "outb",   "outw",   "outl",   "pushal", "popal",  "cbtw",   "cwtl",
                                      "cltq",  "cwtd",   "cltd",   "cqto",   "movsbw", "movsbq", "movswq", "movslq",
                                      "movzbw", "movzbq", "movzwq", "fldt",   "fstpt"};
  if (name == "lretd") return find_spelling("lretl", hash_name("lretl"));
  return std::ranges::find(att, name) != std::end(att) ? find_spelling(name, hash) : nullptr;
}

/// What `.s`, `.d8` or `.d32` stands behind, which becomes a pseudo prefix. `lower`: the mnemonic in lower case.
const Spelling* look_up_with_tail(std::string_view lower, bool intel, Statement& s) {
  static constexpr std::pair<std::string_view, u32> tails[] = {
      {".s", want_swap}, {".d8", want_disp8}, {".d32", want_disp32}};
  for (auto [tail, flag] : tails) {
    if (!lower.ends_with(tail)) continue;
    const std::string_view base = lower.substr(0, lower.size() - tail.size());
    const Spelling* found = look_up(base, hash_name(base), intel);
    if (!found) continue;
    s.prefixes |= flag;
    return found;
  }
  return nullptr;
}

}  // namespace

/// Prefixes that mean something before few instructions only: GNU as refuses them before others, LLVM does not.
bool X86Target::can_have_prefixes(const Row& row, const Statement& s, Emitter& out) const {
  const auto refuse = [&](std::string_view why) {
    out.error(s.where, fmt::format("this prefix has no meaning before `{}`: {}", s.mnemonic, why));
    return false;
  };
  if ((s.prefixes & prefix_bnd) && !(row.flags & row_bnd)) return refuse("it is no branch");
  if ((s.prefixes & prefix_bnd) && !has_mpx()) return refuse("MPX has to be named by .arch or -march=");
  if ((s.prefixes & prefix_bnd) && (s.prefixes & (prefix_rep | prefix_repne))) return refuse("`bnd` is a `rep`");
  if (options_.gnu) {
    const bool alone = facts_of(row).has(trait_padlock) && options_.gnu_since(247);
    if (alone && (s.prefixes & (prefix_data | prefix_repne))) return refuse("it has `rep` alone");
    const std::string_view why = meaningless_prefix(row, s);
    return why.empty() || refuse(why);
  }
  if ((s.prefixes & prefix_lock) && !can_be_locked(row, s))
    out.warning(s.where, fmt::format("`lock` before `{}`, which cannot be locked with these operands", s.mnemonic));
  return true;
}

/// What the mnemonic of this mnemonic_number can mean in the present syntax.
const Spelling* X86Target::lookup(u32 number) const {
  if (!intel_) return find_in(x86_spellings, number);
  if (const Spelling* s = find_in(x86_intel_spellings, number)) return s;
  const Spelling* const s = find_in(x86_spellings, number);
  return s ? look_up(name_of(*s), s->hash, true) : nullptr;
}

/// A prefix that has nothing to do with the instruction behind it, but that its fields come a byte later. Repetitions
/// that stand before it do as well.
void X86Target::emit_prefix(u8 byte, Statement& s, Emitter& out) const {
  u8* o = out.out;
  if (!options_.gnu) {
    if (s.prefixes & (prefix_rep | prefix_xrelease)) *o++ = 0xF3;
    if (s.prefixes & (prefix_repne | prefix_xacquire)) *o++ = 0xF2;
    s.prefixes &= ~u32(prefix_rep | prefix_xrelease | prefix_repne | prefix_xacquire);
  }
  *o++ = byte;
  s.emitted = u8(s.emitted + (o - out.out));
  out.advance(unsigned(o - out.out));
}

bool X86Target::add_prefix(std::string_view name, Statement& s, Emitter& out, bool alone) {
  if (int rex = rex_bits(name); rex >= 0) {
    if (mode_ != 64) return false;
    if (!options_.gnu && name == "rex64") {  // a REX prefix that is needed follows
      emit_prefix(0x48, s, out);
      return true;
    }
    if (options_.gnu && (s.rex & rex)) out.error(s.where, "there is a prefix that sets this bit already");
    s.rex = u8(s.rex | 0x40 | rex);
    return true;
  }
  for (const PrefixName& n : prefix_names) {
    if (n.name != name) continue;
    if (n.bits == 32 && !has_386() && options_.gnu_since(244))
      out.error(s.where, fmt::format("`{}` is for the 80386 and later processors", name));
    const bool is_byte = alone && options_.gnu;  // whatever that does to what comes next
    if (n.bits == mode_ && !is_byte)
      out.error(s.where, fmt::format("`{}` changes nothing in {}-bit mode", name, mode_));
    else if (n.bits && mode_ == 64 && (n.bits == 16) == (n.flag == prefix_addr))
      out.error(s.where, fmt::format("`{}` does not exist in 64-bit mode", name));
    if (!options_.gnu) {
      // LLVM has segments, sizes of addresses, data16 and hints of transactions as instructions without operands: they
      // are bytes, whatever follows. In 16-bit code data32 only chooses among forms.
      const bool hint = n.flag == prefix_xacquire || n.flag == prefix_xrelease;
      const bool alone = n.segment || hint || n.flag == prefix_addr || (n.flag == prefix_data && mode_ != 16);
      if (alone) emit_prefix(n.byte, s, out);
      else s.prefixes |= n.flag;
      return true;
    }
    if (has_prefix_like(n.flag, n.segment, s)) out.error(s.where, "there is a prefix of this kind already");
    s.prefixes |= n.flag;
    if (n.segment) s.segment_prefix = n.segment;
    return true;
  }
  return false;
}

/// Those that a number says (XAS_LOCK and its kin), in the order in which text has them.
bool X86Target::add_prefixes(u32 how, Statement& s, Emitter& out) {
  static constexpr std::string_view names[] = {"bnd", "notrack", "xacquire", "xrelease", "rep", "repne", "lock"};
  static constexpr u32 pseudo[] = {want_vex, want_vex3, want_evex, want_nf};
  constexpr u32 first_pseudo = std::size(names), all = first_pseudo + std::size(pseudo);
  if (how >> all) return out.error(s.where, "x86 has no such way of saying an instruction"), false;
  for (u32 i = 0; i < first_pseudo; ++i)
    if ((how >> i & 1) && !add_prefix(names[i], s, out)) return false;
  for (u32 i = first_pseudo; i < all; ++i)
    if (how >> i & 1) s.prefixes |= pseudo[i - first_pseudo];
  return true;
}

/// {name}; p is at the '{'.
bool X86Target::add_pseudo_prefix(const char*& p, Statement& s, Emitter& out) {
  const char* where = p;
  const char* q = p + 1;
  while (is_blank(*q)) ++q;
  std::string name;
  while (is_mnemonic_char(*q)) name += text::lower(*q++);
  while (is_blank(*q)) ++q;
  if (*q == '}')
    for (auto [text, flag] : pseudo_names)
      if (text == name) {
        if (flag == want_disp16 && mode_ == 64) return out.error(where, "64-bit code has no {disp16}"), false;
        if (flag == want_disp32 && !has_386() && options_.gnu_since(244))
          return out.error(where, "{disp32} is for the 80386 and later processors"), false;
        for (u32 group : exclusive)
          if (group & flag) s.prefixes &= ~group;
        s.prefixes |= flag;
        p = q + 1;
        return true;
      }
  out.error(where, fmt::format("unknown pseudo prefix '{{{}}}'", name));
  return false;
}

/// Prefixes without an instruction are emitted as they are: the instruction they belong to may be on the next line.
void X86Target::emit_prefixes_alone(const Statement& s, Emitter& out) {
  constexpr PaddedInstruction padded{.lone_prefix = true};
  if (x86_options_.pads) out.begin_padded(padded);
  u8* o = out.out;
  for (const PrefixName& n : prefix_names)
    if ((n.segment && n.segment == s.segment_prefix) ||
        (n.flag && (s.prefixes & n.flag) && (o == out.out || o[-1] != n.byte)))
      *o++ = n.byte;
  if (s.rex) *o++ = s.rex;
  out.advance(unsigned(o - out.out));
  out.ends_in_data();
  if (x86_options_.pads) out.end_padded(padded, 0, 0);
}

/// `jne,pt foo` and `jne,pn foo`: branch hints are segment prefixes.
void X86Target::branch_hint(const char*& p, Statement& s) {
  const char* q = p + 1;
  if (options_.gnu_since(244)) q = skip_blanks(q);
  if (*q != 'p' || (q[1] != 't' && q[1] != 'n') || is_mnemonic_char(q[2])) return;
  s.segment_prefix = q[1] == 't' ? 4 : 2;
  p = skip_blanks(q + 2);
}

/// All that the fast path does not find. Null with `done`: nothing more is to be done (prefixes only, or an error
/// has been reported); null without: there is no such mnemonic.
const Spelling* X86Target::slow_spelling(Name name, const char*& p, Statement& s, Emitter& out, bool& done) {
  bool first = true;
  std::string lower;
  for (;; first = false) {
    std::string_view text = name.text();
    const char* const pseudo = text.empty() && *p == '{' ? p : nullptr;
    bool was_emitted = false;
    if (pseudo) {
      if (!add_pseudo_prefix(p, s, out)) {
        done = true;
        return nullptr;
      }
    } else {
      if (name.p[name.size] == '-') {  // xcrypt-cbc
        const char* q = name.p + name.size + 1;
        while (is_mnemonic_char(*q)) ++q;
        std::string_view longer(name.p, std::size_t(q - name.p));
        if (look_up(longer, hash_name(longer), intel_)) {
          name = Name{name.p, u32(longer.size()), hash_name(longer)};
          text = longer;
          p = q;
          while (is_blank(*p)) ++p;
        }
      }
      s.where = name.p;
      s.mnemonic = text;
      if (const Spelling* found = look_up(text, name.hash, intel_)) return found;
      lower.assign(text);
      for (char& c : lower) c = text::lower(c);
      if (const Spelling* found = look_up(lower, hash_name(lower), intel_)) return found;
      const u8 emitted = s.emitted;
      if (!add_prefix(lower, s, out, first && at_statement_end(skip_blanks(p)))) {
        if (const Spelling* found = look_up_with_tail(lower, intel_, s)) return found;
        if (first) return nullptr;
        out.error(name.p, fmt::format("unknown instruction '{}'", text));
        done = true;
        return nullptr;
      }
      // To LLVM that was an instruction, and {disp8} before it was its own.
      was_emitted = s.emitted != emitted;
      if (was_emitted) s.prefixes &= ~u32(want_disp8 | want_disp16 | want_disp32);
    }
    while (is_blank(*p)) ++p;
    if (*p == '/' && p[1] == '*' && options_.gnu_since(244)) {
      const char* const behind = skip_blanks(p);
      if (!std::memchr(p, '\n', std::size_t(behind - p))) p = behind;
    }
    if (*p == '/' && p[1] != '*' && (p[1] != '/' || p[2] == '*'))  // rep/movsb
      p = options_.gnu_since(244) ? skip_blanks(p + 1) : p + 1;
    if (pseudo && at_statement_end(p)) {
      out.error(pseudo, "a pseudo prefix stands before an instruction");
      done = true;
      return nullptr;
    }
    if (at_statement_end(p)) {
      if (x86_options_.omit_lock) s.prefixes &= ~u32(prefix_lock);
      emit_prefixes_alone(s, out);
      done = true;
      return nullptr;
    }
    const char* q = p;
    while (is_mnemonic_char(*q)) ++q;
    if (q == p && *p != '{') {
      out.error(p, "expected an instruction behind the prefix");
      done = true;
      return nullptr;
    }
    if (was_emitted) out.next_instruction();
    name = Name{p, u32(q - p), hash_name({p, std::size_t(q - p)})};
    p = q;
    while (is_blank(*p)) ++p;
    if (name.size == 0) name.p = p;
  }
}

}  // namespace xas::x86

std::string_view xas::x86_mnemonic(u32 number) {
  const x86::Spelling* s = x86::find_in(x86::x86_spellings, number);
  if (!s) s = x86::find_in(x86::x86_intel_spellings, number);
  return s ? x86::name_of(*s) : std::string_view();
}
