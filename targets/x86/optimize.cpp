// SPDX-License-Identifier: Apache-2.0
// -O: shorter encodings of the same effect, as GNU as chooses them.
//
//   -O1  64-bit operations whose result has a zero upper half become 32-bit ones; vector operations that yield zero
//        become 128-bit ones; EVEX moves and logic become VEX; lea that only moves becomes mov
//   -O2  also: and, or of a register with itself become test
//   -Os  also: test of a register with a small immediate looks at its low byte only
//
// From 2.44 on all of them know more: comparisons of a vector with itself are zero, what extracts its lowest part is a
// move, shifts by one are sums (not with -Os, of general registers), xchg needs no lock, and bits below the 16th are
// tested in 32. Of %r8 to %r15 they no longer make shorter what is not.
#include <algorithm>

#include "targets/x86/optimize.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

/// A register of 64 bits, or one from %r8 on.
bool needs_rex(const Statement& s) {
  return std::any_of(s.ops, s.ops + s.count, [](const Operand& o) {
    if (is_register(o)) return o.reg->cls == RegClass::r64 || o.number >= 8;
    return o.is_memory && ((o.has_base && o.base >= 8) || (o.has_index && o.index >= 8));
  });
}

/// The upper half of the result of an operation on 64 bits is zero, and the one on 32 bits does the same. `shortens`:
/// only if that needs no REX prefix then.
bool has_zero_upper_half(const Row& row, const Statement& s, bool shortens) {
  const Facts& facts = facts_of(row);
  if (!facts.narrow) return false;
  if (facts.has(trait_zeroing))
    return (row.op == op_double || is_twice_the_same(s)) && is_register_of(s.ops[0], RegClass::r64);
  if (s.count != 2 || !is_register_of(s.ops[1], RegClass::r64)) return false;
  if (shortens && s.ops[1].number >= 8 &&
      !(row.imm == imm_64 || x86_related_names[facts.narrow] == std::string_view("mov")))
    return false;
  // The sign of a shorter immediate fills the upper half.
  const i64 largest = row.imm == imm_64 ? imm32 : row.imm == imm_8 ? imm7 : imm31;
  return constant_in(s.ops[0], 0, largest);
}

}  // namespace

/// lea that loads a constant or a register; null if it does more. Changes `s` to the mov that does the same.
const Row* X86Target::Optimizer::optimize_lea(Statement& s) const {
  const Operand& m = s.ops[0];
  const Operand& to = s.ops[1];
  if (!m.is_memory || !is_register(to)) return nullptr;
  if (!m.has_base && !m.has_index) {
    if (m.symbolic && x_.mode_ == 64 && to.reg->cls == RegClass::r16) return nullptr;
    if (x_.mode_ != 64 && m.symbolic &&
        (to.reg->cls == RegClass::r32) != ((x_.mode_ == 32) != !!(s.prefixes & prefix_addr)))
      return nullptr;
    if (x_.mode_ == 16 && x_.options_.optimize != 2 && !(s.prefixes & prefix_addr) && to.reg->cls == RegClass::r32)
      return nullptr;
    Statement moved = s;
    Operand& imm = moved.ops[0];
    imm.is_memory = false;
    imm.is_immediate = true;
    imm.segment = 0;
    moved.memory = -1;
    moved.prefixes &= ~u32(prefix_addr);
    moved.unusual_address = false;
    const bool narrow = (x_.mode_ == 16) != !!(s.prefixes & prefix_addr) && x_.mode_ != 64;
    if (narrow && !imm.symbolic) imm.value.constant &= 0xFFFF;
    if (imm.symbolic) imm.classes = class_bit("sym");
    else x_.classify_immediate(imm);
    if (x_.mode_ == 64 && (s.prefixes & prefix_addr) && to.reg->cls == RegClass::r64)
      resize(moved.ops[1], RegClass::r32);
    const Row* row = x_.row_of("mov", moved);
    if (row) s = moved;
    return row;
  }
  if (m.symbolic || m.value.constant || m.vector_index || m.regs == AddressRegs::rip || m.regs == AddressRegs::eip)
    return nullptr;
  const bool from_index = !m.has_base && m.has_index && m.scale == 0 && m.index != 4;
  if ((m.has_base && m.has_index) || (!m.has_base && !from_index)) return nullptr;
  const RegClass cls = m.regs == AddressRegs::r64   ? RegClass::r64
                       : m.regs == AddressRegs::r32 ? RegClass::r32
                                                    : RegClass::r16;
  Statement moved = s;
  Operand& from = moved.ops[0];
  const u8 number = from_index ? m.index : m.base;
  static_cast<OperandFacts&>(from) = {};
  from.number = number;
  RegClass width = to.reg->cls;
  std::string_view name = "mov";
  if (cls == RegClass::r16 && width == RegClass::r32) {
    if (x_.mode_ != 32) return nullptr;
    width = RegClass::r16;
    name = "movzwl";
  } else if (cls == RegClass::r32 && width == RegClass::r64) {
    width = RegClass::r32;
    resize(moved.ops[1], RegClass::r32);
  }
  resize(from, width);
  moved.memory = -1;
  moved.prefixes = (moved.prefixes & ~u32(prefix_addr)) | (name == "mov" ? want_load : 0u);
  moved.unusual_address = false;
  const Row* row = x_.row_of(name, moved);
  if (!row) return nullptr;
  s = moved;
  s.prefixes &= ~u32(want_load);
  return row;
}

/// An address of 32 bits needs a prefix; the low bits of one of 64 are the same.
const Row* X86Target::Optimizer::widen_lea(const Row* given, Statement& s) const {
  Operand& m = s.ops[0];
  const bool narrow = m.regs == AddressRegs::r32 || m.regs == AddressRegs::eip;
  if (!narrow && !(s.prefixes & prefix_addr)) return given;
  if (narrow) m.regs = m.regs == AddressRegs::eip ? AddressRegs::rip : AddressRegs::r64;
  s.prefixes &= ~u32(prefix_addr);
  if (m.value.constant < -0x80000000ll) s.prefixes |= want_disp32;  // it is not seen that it wraps
  if (!m.symbolic) m.value.constant = i64(i32(u32(m.value.constant)));
  s.unusual_address = m.segment != 0;
  if (s.ops[1].reg->cls != RegClass::r64) return given;
  resize(s.ops[1], RegClass::r32);
  const Row* row = x_.row_of("lea", s);
  return row ? row : given;
}

const Row* X86Target::Optimizer::optimize_vector(const Row& row, Statement& s) const {
  const bool three = s.count == 3 && is_register(s.ops[0]) && is_register(s.ops[1]) && is_register(s.ops[2]);
  const bool evex = row.encoding == encoding_evex;
  const Facts& facts = facts_of(row);
  const std::string_view vex_name = x86_related_names[facts.vex];
  if (three && s.ops[0].reg == s.ops[1].reg && s.ops[2].reg->cls != RegClass::xmm && facts.has(trait_zeroing) &&
      (row.encoding == encoding_vex || (evex && (!(s.deco & deco_mask) || (s.deco & deco_zero)))) &&
      !(s.deco & (deco_er | deco_sae))) {
    Statement narrow = s;
    if (s.ops[0].reg->cls == RegClass::mask) {
      if (!row.w) return nullptr;
      std::string name(s.mnemonic);
      name.back() = 'w';
      return x_.row_of(name, s);
    }
    bool high = false;
    for (unsigned i = 0; i < 3; ++i) {
      high |= s.ops[i].number >= 16;
      resize(narrow.ops[i], RegClass::xmm);
    }
    const bool keep_evex = evex && (high || (s.prefixes & want_evex));
    // A 512-bit operation may only become an EVEX one of 128 bits where it was said that there are such.
    const bool wide = s.ops[2].reg->cls == RegClass::zmm;
    if (keep_evex && (x_.options_.optimize < 2 || (wide && !x_.said_vl_ && !x_.gated_))) return nullptr;
    if (evex && !keep_evex) {
      narrow.deco = 0;
      narrow.prefixes |= want_vex;
    }
    const std::string_view name = evex && !keep_evex && !vex_name.empty() ? vex_name : s.mnemonic;
    const Row* found = x_.row_of(name, narrow);
    if (!found) return nullptr;
    s = narrow;
    s.prefixes &= ~u32(want_vex);
    if (evex && !keep_evex) s.prefixes |= clears_w;
    return found;
  }
  if (!evex || s.deco || (s.prefixes & want_evex) || vex_name.empty()) return nullptr;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.is_memory && o.broadcast) return nullptr;
    if (o.is_memory && !o.symbolic) {
      // The scaled disp8 of EVEX may be what a VEX instruction needs four bytes for.
      auto fits = [&](unsigned shift) {
        const i64 v = o.value.constant;
        return (v & ((i64(1) << shift) - 1)) == 0 && (v >> shift) == i64(i8(v >> shift));
      };
      if (fits(row.disp_shift) && !fits(0)) return nullptr;
    }
  }
  const Row* found = x_.row_of(vex_name, s);
  if (!found || found->encoding != encoding_vex) return nullptr;
  s.prefixes |= clears_w;
  return found;
}

namespace {

/// What an instruction that extracts the lowest part is as a move: to a register, and to memory.
struct Extract {
  std::string_view name, to_register, to_memory;
  bool wide;  ///< the part has 256 bits
};

constexpr Extract extracts[] = {
    {"pextrd", "movd", "movd", false},
    {"vpextrd", "vmovd", "vmovd", false},
    {"pextrq", "movq", "movq", false},
    {"vpextrq", "vmovq", "vmovq", false},
    {"extractps", "movd", "movss", false},
    {"vextractps", "vmovd", "vmovss", false},
    {"vextractf128", "vmovaps", "vmovups", false},
    {"vextracti128", "vmovdqa", "vmovdqu", false},
    {"vextractf32x4", "vmovaps", "vmovups", false},
    {"vextracti32x4", "vmovdqa", "vmovdqu", false},
    {"vextractf64x2", "vmovapd", "vmovupd", false},
    {"vextracti64x2", "vmovdqa", "vmovdqu", false},
    {"vextractf32x8", "vmovaps", "vmovups", true},
    {"vextracti32x8", "vmovdqa", "vmovdqu", true},
    {"vextractf64x4", "vmovapd", "vmovupd", true},
    {"vextracti64x4", "vmovdqa", "vmovdqu", true},
};

}  // namespace

/// vextractf128 $0, ...: the move that does the same.
const Row* X86Target::Optimizer::optimize_extract(Statement& s) const {
  if (s.count != 3 || s.deco || !constant_in(s.ops[0], 0, 0) || (s.prefixes & want_evex)) return nullptr;
  const Extract* const found = std::ranges::find(extracts, s.mnemonic, &Extract::name);
  if (found == std::end(extracts)) return nullptr;
  Statement moved = s;
  moved.ops[0] = s.ops[1];
  moved.ops[1] = s.ops[2];
  moved.count = 2;
  if (moved.memory >= 0) --moved.memory;
  if (moved.ops[0].reg->cls != RegClass::xmm) resize(moved.ops[0], found->wide ? RegClass::ymm : RegClass::xmm);
  const bool to_memory = !is_register(moved.ops[1]);
  std::string name(to_memory ? found->to_memory : found->to_register);
  const bool high = s.ops[1].number >= 16 || (!to_memory && s.ops[2].number >= 16) || (s.prefixes & uses_egpr);
  if (found->name.ends_with("extractps")) {  // of a register no more than 32 bits count
    moved.prefixes |= clears_w;
    if (!to_memory) resize(moved.ops[1], RegClass::r32);
  }
  if (high && name.starts_with("vmovdq")) name += found->name.find("64") != found->name.npos ? "64" : "32";
  if (found->to_register.find('a') != found->to_register.npos) moved.prefixes |= want_store;  // has two forms
  const Row* const row = x_.row_of(name, moved);
  if (!row) return nullptr;
  moved.prefixes &= ~u32(want_store);
  s = moved;
  return row;
}

/// insertps that puts all to zero, or is a move of the lowest part.
const Row* X86Target::Optimizer::optimize_insert(bool vex, Statement& s) const {
  const Operand& control = s.ops[0];
  if (s.count != (vex ? 4u : 3u) || !control.is_immediate || control.symbolic || (s.prefixes & want_evex))
    return nullptr;
  const i64 number = control.value.constant, cleared = number & 15, place = number >> 4 & 3;
  const bool from_memory = !is_register(s.ops[1]);
  Statement moved = s;
  if (!from_memory && cleared == 15) {
    moved.count = vex ? 3 : 2;
    for (unsigned i = 0; i < moved.count; ++i) moved.ops[i] = s.ops[s.count - 1];
    const bool low = vex && moved.ops[0].number < 16;
    for (Operand* o = moved.ops; low && o < moved.ops + 2; ++o) {  // of any register, so one that needs no more bits
      o->number &= 7;
      resize(*o, RegClass::xmm);
    }
  } else if (from_memory ? cleared == 14 && place == 0 : number == 0) {
    moved.count = from_memory ? 2 : s.count - 1;
    for (unsigned i = 0; i < moved.count; ++i) moved.ops[i] = s.ops[i + 1];
    moved.ops[moved.count - 1] = s.ops[s.count - 1];
    if (from_memory) moved.memory = 0;
    else moved.prefixes |= want_load;
  } else {
    return nullptr;
  }
  const bool zero = !from_memory && cleared == 15;
  const Row* const row = x_.row_of(zero ? (vex ? "vxorps" : "xorps") : vex ? "vmovss" : "movss", moved);
  if (!row) return nullptr;
  moved.prefixes &= ~u32(want_load);
  s = moved;
  return row;
}

/// shl and the like by one: the sum that does the same.
const Row* X86Target::Optimizer::optimize_shift(const Row& row, Statement& s) const {
  std::string_view name = base_name(s);
  const bool has_count = s.count && s.ops[0].is_immediate;
  if (has_count && !constant_in(s.ops[0], 1, 1)) return nullptr;
  Statement sum = s;
  sum.count = 0;
  if (name == "shl" || name == "sal") {
    const Operand* const first = s.ops + has_count;
    const unsigned count = s.count - has_count;
    const bool by_one = operand_in_role(row, role_rm) == unsigned(has_count);  // and not by %cl
    if (x_.options_.optimize == 3 || count < 1 || count > 2 || !by_one || !is_register(first[0])) return nullptr;
    for (const Operand& each : {first[0], first[0], first[count - 1]})
      if (sum.count <= count) sum.ops[sum.count++] = each;
    sum.mnemonic = "add";
    sum.spelling = nullptr;
    return adopt(s, sum, sum.mnemonic);
  }
  const bool vex = row.encoding != encoding_legacy;
  if (name.starts_with('v')) name.remove_prefix(1);
  if (!has_count || (vex ? s.count != 3 : s.count != 2) || !is_register(s.ops[1])) return nullptr;
  constexpr std::string_view shifts[] = {"psllw", "pslld", "psllq"}, sums[] = {"paddw", "paddd", "paddq"};
  const auto shift = std::ranges::find(shifts, name);
  if (shift == std::end(shifts) || (name == "psllq" && s.ops[1].reg->cls == RegClass::mm)) return nullptr;
  sum.ops[sum.count++] = s.ops[1];
  sum.ops[sum.count++] = s.ops[1];
  if (vex) sum.ops[sum.count++] = s.ops[2];
  return adopt(s, sum, (vex ? "v" : "") + std::string(sums[shift - std::begin(shifts)]));
}

/// The row of `name` that takes `other`, which `s` becomes then.
const Row* X86Target::Optimizer::adopt(Statement& s, const Statement& other, std::string_view name) const {
  const Row* const row = x_.row_of(name, other);
  if (row) s = other;
  return row;
}

/// Instructions of APX with a destination of their own, where an older one does the same: it is one of the sources, or
/// the result is zero.
const Row* X86Target::Optimizer::optimize_destination(const Row& row, Statement& s) const {
  if (!(row.flags & row_nd) || row.encoding != encoding_evex || s.count < 2 || (s.prefixes & (want_nf | want_evex)))
    return nullptr;
  const Operand &to = s.ops[s.count - 1], &from = s.ops[s.count - 2];
  if (!is_register(to)) return nullptr;
  const std::string_view name = base_name(s);
  Statement shorter = s;
  --shorter.count;
  const bool zero = (name == "xor" || name == "sub") && s.count == 3 && is_register(from) && is_register(s.ops[0]) &&
                    s.ops[0].reg == from.reg;
  const auto adopt_legacy = [&](std::string_view other) -> const Row* {
    shorter.memory = -1;
    for (unsigned i = 0; i < shorter.count; ++i)
      if (shorter.ops[i].is_memory) shorter.memory = int(i);
    const Row* const found = x_.row_of(other, shorter);
    if (!found || found->encoding != encoding_legacy) return nullptr;
    s = shorter;
    return found;
  };
  if (zero) {
    shorter.ops[0] = shorter.ops[1] = to;
    for (Operand* const o : {&shorter.ops[0], &shorter.ops[1]}) resize(*o, RegClass::r32);
    return adopt_legacy(name);
  }
  // Of fewer bits they put zero to what is above the result.
  if (to.reg->cls != RegClass::r32 && to.reg->cls != RegClass::r64) return nullptr;
  // cfcmov of registers is cmov.
  const bool most = x_.options_.optimize >= 2;
  const bool moves =
      name.starts_with("cmov") || (most && name.starts_with("cfcmov") && is_register(s.ops[0]) && is_register(from));
  const std::string_view condition = moves ? name.substr(name.find("mov") + 3) : std::string_view();
  // With a REX prefix these are no shorter.
  const bool carries = name == "adcx" || name == "adox";
  if (carries && needs_rex(s)) return nullptr;
  if (is_register(from) && from.reg == to.reg) {
    shorter.ops[shorter.count - 1] = to;
    return adopt_legacy(moves ? "cmov" + std::string(condition) : std::string(s.mnemonic));
  }
  if (!most || s.count != 3 || !is_register(s.ops[0]) || s.ops[0].reg != to.reg) return nullptr;
  shorter.ops[0] = from;
  shorter.ops[1] = to;
  constexpr std::string_view commutative[] = {"add", "adc", "and", "or", "xor", "imul"};
  if (carries || std::ranges::find(commutative, name) != std::end(commutative)) return adopt_legacy(s.mnemonic);
  if (!moves || !is_register(from)) return nullptr;
  std::string opposite = "cmov";
  if (condition == "pe" || condition == "po")
    opposite += condition == "pe" ? "po" : "pe";
  else if (condition.starts_with('n'))
    opposite += condition.substr(1);
  else
    (opposite += 'n') += condition;
  return adopt_legacy(opposite);
}

/// What GNU as makes of vectors, shifts and bits from 2.44 on.
const Row* X86Target::Optimizer::optimize_newly(const Row& row, Statement& s) const {
  std::string_view name = base_name(s);
  if (name == "xchg" && s.memory >= 0 && !(s.prefixes & (prefix_xacquire | prefix_xrelease)))
    s.prefixes &= ~u32(prefix_lock);
  if (const Row* const sum = optimize_shift(row, s)) {
    const Row* const older = optimize_destination(*sum, s);
    return older ? older : sum;
  }
  if (x_.options_.gnu_since(247) && name == "xadd" && is_twice_the_same(s)) return x_.row_of("add", s);
  if (x_.options_.gnu_since(247))
    if (const Row* const shorter = optimize_extension(row, s)) return shorter;
  if (const Row* const older = optimize_destination(row, s)) return older;
  if (name == "movbe" && is_twice_the_same(s) && s.ops[0].reg->cls != RegClass::r16) {
    Statement swapped = s;
    swapped.count = 1;
    return adopt(s, swapped, "bswap");
  }
  if (s.prefixes & want_nf)
    if (const Row* const shorter = optimize_flagless(row, s)) return shorter;
  const bool vex = row.encoding != encoding_legacy;
  if (name.starts_with('v')) name.remove_prefix(1);
  const bool legacy_pair = !vex && is_twice_the_same(s);
  if (name.starts_with("pcmpgt") && !s.deco && !(s.prefixes & want_evex)) {
    const bool pair = s.count == 3 && is_register(s.ops[0]) && is_register(s.ops[1]) && s.ops[0].reg == s.ops[1].reg &&
                      s.ops[2].reg->cls != RegClass::mask;
    if (legacy_pair) return x_.row_of("pxor", s);
    if (!vex || !pair) return nullptr;
    for (Operand* const o : {&s.ops[0], &s.ops[1]}) {  // any register will do, and the first need no more bits
      if (o->number < 8) continue;
      const RegClass cls = o->reg->cls;
      o->number = 0;
      resize(*o, cls);
    }
    return x_.row_of("vpxor", s);
  }
  // -Os: shorter than what compares or copies 64 bits at once.
  if (x_.options_.optimize == 3 && name == "pcmpeqq" && !s.deco && !(s.prefixes & want_evex)) {
    const bool same = s.count == 3 && is_register(s.ops[0]) && s.ops[0].reg == s.ops[1].reg;
    if (vex ? same && s.ops[2].reg->cls != RegClass::mask && s.ops[1].number < 8 : legacy_pair)
      return x_.row_of(vex ? "vpcmpeqd" : "pcmpeqd", s);
  }
  const bool copies = name == "pbroadcastq" && vex && s.count == 2 && is_register_of(s.ops[0], RegClass::xmm) &&
                      is_register_of(s.ops[1], RegClass::xmm);
  if (x_.options_.optimize == 3 && copies && !s.deco && !(s.prefixes & want_evex) && s.ops[0].number < 8) {
    Statement pair = s;
    pair.ops[2] = s.ops[1];
    pair.ops[1] = s.ops[0];
    pair.count = 3;
    pair.prefixes |= clears_w;
    return adopt(s, pair, "vpunpcklqdq");
  }
  const bool tests = row.op == op_ccmp && (name.starts_with("ctest") || name == "test");
  if (x_.options_.optimize == 3 && tests && s.count == 2 && is_register(s.ops[1]) && constant_in(s.ops[0], 0, imm7)) {
    Statement narrow = s;
    resize(narrow.ops[1], RegClass::r8);
    return adopt(s, narrow, std::string(name) + 'b');
  }
  if (name == "insertps") return optimize_insert(vex, s);
  constexpr std::string_view bits[] = {"bt", "btc", "btr", "bts"};
  const bool only_tests = name == "bt";
  if (s.count == 2 && is_register(s.ops[1]) && std::ranges::find(bits, name) != std::end(bits)) {
    const RegClass cls = s.ops[1].reg->cls;
    // In 64-bit code the upper half is lost.
    const bool in_word = constant_in(s.ops[0], 0, 15);
    const bool low = x_.mode_ != 16 && cls == RegClass::r16 && in_word && (only_tests || x_.mode_ != 64);
    const bool half = cls == RegClass::r64 && constant_in(s.ops[0], 0, 31) && only_tests && s.ops[1].number < 8;
    if (low || half) {
      resize(s.ops[1], RegClass::r32);
      return x_.row_of(std::string(name) + 'l', s);
    }
    if (x_.mode_ == 16 && cls == RegClass::r32 && in_word) {
      resize(s.ops[1], RegClass::r16);
      return x_.row_of(std::string(name) + 'w', s);
    }
  }
  return optimize_extract(s);
}

/// The row to use in place of `given`; `s` is changed to suit it.
const Row* X86Target::Optimizer::optimize(const Row* given, Statement& s) const {
  const Row& row = *given;
  if (x_.options_.gnu_since(244)) {
    if (const Row* better = optimize_newly(row, s))
      return better->encoding == encoding_legacy && row.encoding == encoding_evex ? optimize(better, s) : better;
  }
  if (row.encoding != encoding_legacy) {
    const Row* better = optimize_vector(row, s);
    return better ? better : given;
  }
  if (row.map != map_none || s.count == 0) return given;
  const Facts& facts = facts_of(row);
  if (facts.has(trait_lea)) {
    s.ops[0].segment = s.segment_prefix = 0;
    const bool empty = !s.ops[0].has_displacement && !s.ops[0].has_base && !s.ops[0].has_index;  // (,1)
    if (const Row* better = optimize_lea(s))
      return facts_of(*better).has(trait_lea) || empty ? better : optimize(better, s);
    if (x_.mode_ == 64 && s.memory == 0) return widen_lea(given, s);
  }
  const std::string narrow_name(x86_related_names[facts.narrow]);
  // Only flags follow from it, and no bit of the immediate is above the low byte.
  const bool only_flags = facts.narrow && s.count == 2 && !(facts.access(1) & access_write);
  if (x_.options_.optimize == 3 && only_flags && is_register(s.ops[1]) && constant_in(s.ops[0], 0, imm7)) {
    Statement narrow = s;
    if (x_.mode_ == 64 || s.ops[1].number < 4) {
      resize(narrow.ops[1], RegClass::r8);
      if (const Row* found = x_.row_of(narrow_name + 'b', narrow)) return s = narrow, found;
    }
    return given;
  }
  if (x_.mode_ == 64 && has_zero_upper_half(row, s, x_.options_.gnu_since(244))) {
    Statement narrow = s;
    for (unsigned i = 0; i < s.count; ++i)
      if (is_register(narrow.ops[i])) resize(narrow.ops[i], RegClass::r32);
    if (narrow.ops[0].is_immediate) x_.classify_immediate(narrow.ops[0]);
    if (const Row* found = x_.row_of(narrow_name + 'l', narrow)) return s = narrow, found;
  }
  if (x_.options_.optimize == 2 && facts.has(trait_idempotent) && is_twice_the_same(s) &&
      (x_.mode_ != 64 || s.ops[0].reg->cls != RegClass::r32))
    if (const Row* found = x_.row_of("test", s)) return found;
  return given;
}

}  // namespace xas::x86
