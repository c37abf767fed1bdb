// SPDX-License-Identifier: Apache-2.0
// From a row and its operands to bytes and fixups.
//
// The order of prefixes is the assemblers': fwait, segment, 67, 66, F2/F3, F0, REX. LLVM writes a rep in front of all
// of them and, with string instructions, the segment behind the 67. What is mandatory follows the lock.
#include <fmt/format.h>

#include <algorithm>

#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

/// A displacement field as ModRM wrote it.
struct Displacement {
  u8* at = nullptr;
  u8 size = 0;
  u16 kind = 0;
};

/// The operands in their fields, and what has been written of the instruction.
struct Placement {
  const Operand* reg;
  const Operand* rm;
  const Operand* opcode;
  const Operand* memory;       ///< rm, if it is memory
  const Operand* target;
  unsigned address_bits;
  u8 reg_number = 0, rm_number = 0, vvvv_number = 0;
  bool any_rex = false, rex2 = false;
  Displacement disp;

  /// The fourth bits of the registers in ModRM and SIB.
  unsigned reg_high() const { return reg_number >> 3 & 1; }
  unsigned base_high() const { return (memory ? memory->base : rm_number) >> 3 & 1; }
  unsigned index_high() const { return rm ? rm->index >> 3 & 1 : 0; }
};

namespace {

constexpr u8 segment_byte[6] = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65};

u8* put(u8* o, u64 value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) *o++ = u8(value >> (8 * i));
  return o;
}

u8* put4(u8* o, u64 value) {
  for (unsigned i = 0; i < 4; ++i) o[i] = u8(value >> (8 * i));  // one store
  return o + 4;
}

bool fits8(i64 v) { return v == i64(i8(v)); }

unsigned bits_of(AddressRegs r, unsigned mode) {
  switch (r) {
    case AddressRegs::r16: return 16;
    case AddressRegs::r32: case AddressRegs::eip: return 32;
    case AddressRegs::r64: case AddressRegs::rip: return 64;
    case AddressRegs::none: return mode;
  }
  return mode;
}

/// ModRM and displacement of a 16-bit address. `shift` is log2 of N of disp8*N.
u8* put_memory16(u8* o, const Operand& m, u8 reg, u32 prefixes, unsigned shift, Displacement& d) {
  unsigned rm;
  if (!m.has_base && !m.has_index) {
    *o++ = u8(reg << 3 | 6);
    d = {o, 2, fixup_disp16};
    return put(o, m.symbolic ? 0 : u64(m.value.constant), 2);
  }
  if (m.has_index) rm = (m.base == 5 ? 2 : 0) + (m.index == 7 ? 1 : 0);
  else rm = m.base == 6 ? 4 : m.base == 7 ? 5 : m.base == 5 ? 6 : 7;
  i64 v = i64(i16(m.value.constant));
  const bool scales = (v & ((i64(1) << shift) - 1)) == 0 && fits8(v >> shift);
  bool wide = m.symbolic || !scales || (prefixes & want_disp16);
  if (!wide && v == 0 && rm != 6 && !(prefixes & want_disp8)) {
    *o++ = u8(reg << 3 | rm);
    return o;
  }
  *o++ = u8((wide ? 0x80 : 0x40) | reg << 3 | rm);
  d = {o, u8(wide ? 2 : 1), fixup_disp16};
  return put(o, m.symbolic ? 0 : u64(wide ? v : v >> shift), wide ? 2 : 1);
}

/// ModRM, SIB and displacement of a 32- or 64-bit address. `shift` is log2 of N of disp8*N, `abs` the kind of a
/// four-byte displacement.
u8* put_memory(u8* o, const Operand& m, u8 reg, u32 prefixes, unsigned mode, unsigned shift, bool force_sib, u16 kind,
               Displacement& d) {
  reg = u8((reg & 7) << 3);
  if (m.regs == AddressRegs::rip || m.regs == AddressRegs::eip) {
    *o++ = reg | 5;
    d = {o, 4, kind};
    return put4(o, m.symbolic ? 0 : u64(m.value.constant));
  }
  if (!m.has_base) {
    if (!m.has_index && mode != 64 && !force_sib) {
      *o++ = reg | 5;
    } else {
      *o++ = reg | 4;
      *o++ = u8(m.scale << 6 | (m.has_index ? (m.index & 7) << 3 : 0x20) | 5);
    }
    d = {o, 4, kind};
    return put4(o, m.symbolic ? 0 : u64(m.value.constant));
  }
  i64 v = m.value.constant;
  if (m.regs == AddressRegs::r32) v = i64(i32(u32(v)));
  unsigned mod, size;
  if (m.symbolic) {
    mod = 2;  // whatever {disp8} asks for: neither linkers nor disp8*N could say that the value fits
    size = 4;
    v = 0;
  } else if (v == 0 && (m.base & 7) != 5 && !(prefixes & (want_disp8 | want_disp32))) {
    mod = 0;
    size = 0;
  } else if ((v & ((i64(1) << shift) - 1)) == 0 && fits8(v >> shift) && !(prefixes & want_disp32)) {
    mod = 1;
    size = 1;
    v >>= shift;
  } else {
    mod = 2;
    size = 4;
  }
  if (m.has_index || (m.base & 7) == 4 || force_sib) {
    *o++ = u8(mod << 6 | reg | 4);
    *o++ = u8(m.scale << 6 | (m.has_index ? (m.index & 7) << 3 : 0x20) | (m.base & 7));
  } else {
    *o++ = u8(mod << 6 | reg | (m.base & 7));
  }
  if (!size) return o;
  d = {o, u8(size), kind};
  if (size == 4) return put4(o, u64(v));
  *o = u8(v);
  return o + 1;
}

/// What lea computes has no more bits than the displacement.
bool is_narrow_lea(const Row& row) { return row.operand_size != size_64 && facts_of(row).has(trait_lea); }

/// Branches to a place that the instruction holds. GNU as gives them no prefix that has no meaning there.
enum class DirectBranch : u8 { none, near8, near, far };

DirectBranch direct_branch(const Row& row) {
  if (row.target == target_8) return DirectBranch::near8;
  if (row.target == target_16 || row.target == target_32) return DirectBranch::near;
  const bool pointer = row.imm == imm_16_16 || row.imm == imm_32_16;
  return pointer && row.encoding == encoding_legacy ? DirectBranch::far : DirectBranch::none;
}

/// The segment in front of `s`, if it stays there: hints of short branches do.
u8 branch_segment(DirectBranch branch, const Statement& s, Emitter& out) {
  if (branch == DirectBranch::none || (branch == DirectBranch::near8 && is_branch_hint(s.segment_prefix)))
    return s.segment_prefix;
  out.warning(s.where, fmt::format("a segment has no meaning before `{}` and is left out", s.mnemonic));
  return 0;
}

/// Where LLVM's data32, which chooses among forms, has an effect on forms of one size: calls, far jumps, lgdt and kin.
bool is_widened(const Facts& facts) {
  switch (facts.branch) {
    case Branch::call: case Branch::call_far: case Branch::call_far_indirect: case Branch::jmp_far:
    case Branch::jmp_far_indirect: return true;
    default: return facts.has(trait_dtable);
  }
}

/// Kind of a four-byte displacement, by which the relocation is chosen.
u16 displacement_kind(const Row& row, const Operand& m, unsigned mode, bool rex, bool rex2, bool narrow,
                      const TargetOptions& options) {
  bool rip = m.regs == AddressRegs::rip || m.regs == AddressRegs::eip;
  const bool wraps = m.regs == AddressRegs::eip && options.gnu && !m.value.modifier;
  const bool lea = facts_of(row).has(trait_lea), mov = facts_of(row).has(trait_mov);
  // What linkers would put in the place of operations of 16 bits has an immediate of 32.
  const bool relaxes =
      (row.flags & row_gotx) || (options.gnu && options.release >= 247 && facts_of(row).has(trait_gotx247));
  const bool gotx = relaxes && !(row.operand_size == size_16 && (rip || options.gnu || mov));
  if (rip) {
    if (wraps) return fixup_eip32;
    if (rex2) return gotx ? fixup_rip32_rex2_gotx : fixup_rip32_rex2;
    if (row.encoding == encoding_evex && row.map == map_4) return fixup_rip32_evex;
    if (gotx) return rex ? fixup_rip32_rex_gotx : fixup_rip32_gotx;
    return lea && rex ? fixup_rip32_lea_rex : fixup_rip32;
  }
  if (mode == 64 && options.bits == 32 && options.gnu)
    return gotx && m.has_base ? fixup_disp32_gotx_base : fixup_disp32;
  if (mode == 64) return narrow ? fixup_disp32_abs : fixup_disp32;
  // 16- and 32-bit code of a 64-bit object: LLVM takes what is added to a register to be signed.
  if (options.bits == 64) return options.gnu || !(m.has_base || m.has_index) ? fixup_disp32_abs : fixup_disp32;
  const bool index_alone = m.has_index && !m.has_base;
  if (!gotx || (options.gnu && (mode == 16 || index_alone))) return fixup_disp32;
  return (mov || options.gnu) && m.has_base ? fixup_disp32_gotx_base : fixup_disp32_gotx;
}

/// In x32 the linker rewrites these to instructions that need a REX prefix: room is left for it.
bool is_tls_load(const Operand* m) {
  if (!m || !m->symbolic || !m->value.modifier || m->regs != AddressRegs::rip) return false;
  return m->value.modifier == mod_tlsdesc || m->value.modifier == mod_gottpoff;
}

[[gnu::always_inline]] inline Placement place(const Row& row, const Statement& s, unsigned mode) {
  Placement f;
  f.reg = role_operand(row, s, role_reg);
  f.rm = role_operand(row, s, role_rm);
  f.opcode = role_operand(row, s, role_opcode);
  f.target = role_operand(row, s, role_target);
  f.memory = f.rm && f.rm->is_memory ? f.rm : nullptr;
  f.address_bits = mode;
  if (f.reg) f.reg_number = f.reg->number;
  if (f.rm) f.rm_number = f.rm->number;  // 0 if it is memory
  if (f.opcode) f.rm_number = f.opcode->number;
  if (row.encoding != encoding_legacy)
    if (const Operand* vvvv = role_operand(row, s, role_vvvv)) f.vvvv_number = vvvv->number;
  return f;
}

/// What leads to the opcode's map.
[[gnu::always_inline]] inline u8* put_escapes(u8* o, const Row& row) {
  if (!row.map) return o;
  *o++ = 0x0F;
  if (row.map == map_0f38) *o++ = 0x38;
  if (row.map == map_0f3a) *o++ = 0x3A;
  return o;
}

[[gnu::always_inline]] inline u8* put_evex(u8* o, const Row& row, const Statement& s, const Placement& f,
                                           const IgnoredBits& ignored) {
  const unsigned reg4 = f.reg_number >> 4 & 1;
  // A vector register in rm has its fifth bit in X; an address and a general register have theirs in bits of APX.
  const bool general = row.op == op_double || (f.rm && !f.memory && f.rm->reg->cls <= RegClass::r64);
  const unsigned x = f.memory || general ? f.index_high() : f.rm_number >> 4 & 1;
  const unsigned base4 = f.memory ? f.memory->base >> 4 & 1 : general ? f.rm_number >> 4 & 1 : 0;
  const unsigned index4 = f.memory && !f.memory->vector_index ? f.memory->index >> 4 & 1 : 0;
  const unsigned v4 = f.memory && f.memory->vector_index ? f.memory->index >> 4 & 1 : f.vvvv_number >> 4 & 1;
  const bool rounding = s.deco & deco_er;
  const unsigned b = rounding || (s.deco & deco_sae) || (f.memory && f.memory->broadcast);
  const unsigned length = rounding ? s.rounding : s.deco & deco_sae ? ignored.evex_rcig
                          : row.length_ignored ? ignored.evex_lig : row.length;
  unsigned w = row.w_ignored ? ignored.evex_wig : row.w | (row.w_by_size & ignored.evex_sizing_w);
  unsigned pp = row.pp;
  if (row.map == map_4) {  // what data16 and rex.w say has a place in the prefix
    w |= s.rex >> 3 & 1;
    if (s.prefixes & prefix_data && pp == pp_none) pp = pp_66;
  }
  *o++ = 0x62;
  *o++ = u8((!f.reg_high()) << 7 | (!x) << 6 | (!f.base_high()) << 5 | (!reg4) << 4 | base4 << 3 | row.map);
  unsigned vvvv = ~f.vvvv_number & 15u;
  unsigned last = (s.deco & deco_zero ? 0x80 : 0) | length << 5 | b << 4 | (!v4) << 3 | s.mask;
  if (row.flags & row_nd) last |= 0x10;
  if ((s.prefixes & want_nf) || row.op == op_cfcmov) last |= 4;
  if (row.op == op_ccmp) {
    vvvv = s.default_flags;
    last = row.trailer;
  }
  // What would be an index's fifth bit says that rounding is of 256 bits.
  const bool narrow = (s.deco & (deco_er | deco_sae)) && (row.deco & (deco_narrow_er | deco_narrow_sae));
  *o++ = u8(w << 7 | vvvv << 3 | (!index4 && !narrow) << 2 | pp);
  *o++ = u8(last);
  return o;
}

/// VEX and XOP.
[[gnu::always_inline]] inline u8* put_vex(u8* o, const Row& row, const Statement& s, const Placement& f,
                                          const IgnoredBits& ignored) {
  const unsigned length = row.length_ignored ? ignored.vex_lig : row.length;
  const unsigned w = row.w_ignored ? ignored.vex_wig : row.w | (row.w_by_size & ignored.vex_sizing_w);
  const unsigned last = (~f.vvvv_number & 15u) << 3 | (length & 1u) << 2 | row.pp;
  if (row.encoding == encoding_vex && row.map == map_0f && !w && !f.index_high() && !f.base_high() &&
      !(s.prefixes & want_vex3)) {
    *o++ = 0xC5;
    *o++ = u8((!f.reg_high()) << 7 | last);
  } else {
    *o++ = row.encoding == encoding_vex ? 0xC4 : 0x8F;
    *o++ = u8((!f.reg_high()) << 7 | (!f.index_high()) << 6 | (!f.base_high()) << 5 | row.map);
    *o++ = u8(w << 7 | last);
  }
  return o;
}

}  // namespace

/// %ah to %bh, which are other registers behind any prefix of 64-bit code that has bits of registers.
static bool has_high_byte(const Statement& s, Emitter& out) {
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.space != space_register || !(o.reg_flags & reg_no_rex)) continue;
    out.error(o.where, fmt::format("%{} cannot be used in an instruction that needs a REX prefix",
                                   register_name(*o.reg)));
    return true;
  }
  return false;
}

/// The operand is _GLOBAL_OFFSET_TABLE_ (plus something). It stands for the distance from the start of the instruction
/// to the table, while its relocation counts from the field: the field's offset is added.
bool is_got(const Operand& o) {
  const char* p = o.where;
  while (*p == '$' || *p == ' ' || *p == '*' || *p == '(') ++p;
  if (*p == '%' && p[1] && p[2] == 's' && p[3] == ':') p += 4;
  if (*p == '"') ++p;
  constexpr std::string_view name = "_GLOBAL_OFFSET_TABLE_";
  if (*p != '_') return false;
  for (char c : name)
    if (*p++ != c) return false;
  return *p != '@' && *p != '_' && u8((*p | 0x20) - 'a') > 25 && u8(*p - '0') > 9;
}

/// The error when the displacement of an address cannot be held by its field, else empty. It is as good as its low bits
/// where the result of lea has no others; and LLVM does not look at addresses without registers.
std::string X86Target::displacement_error(const Row& row, const Operand& m, unsigned bits) const {
  if (m.symbolic) return {};
  i64 v = m.value.constant;
  const bool wraps =
      bits < 64 || (options_.gnu && is_narrow_lea(row)) || (!options_.gnu && !m.has_base && !m.has_index);
  i64 low = bits == 16 ? -0xFFFF : wraps ? -0xFFFFFFFFll : -0x80000000ll;
  i64 high = bits == 16 ? 0xFFFF : wraps ? 0xFFFFFFFFll : 0x7FFFFFFF;
  if (v >= low && v <= high) return {};
  return fmt::format("displacement {} does not fit in {} bits ({} to {})", v, bits == 16 ? 16 : 32, low, high);
}

/// REX and displacements that are asked for, and the encoding has not.
bool X86Target::fits_prefixes(const Row& row, const Statement& s, Emitter& out) const {
  constexpr u8 rex_w = 0x48;
  const bool has_place = is_promoted(row) && options_.gnu && options_.release >= 244 && s.rex == rex_w;
  if (((s.prefixes & want_rex) || (s.rex && !has_place)) && row.encoding != encoding_legacy) {
    out.error(s.where, fmt::format("`{}` has no REX prefix", s.mnemonic));
    return false;
  }
  const bool is_branch = operand_in_role(row, role_target) != no_operand;
  return !is_branch || has_displacement(s, mode_ == 16, out);
}

/// GNU as: the displacement that {disp16} or {disp32} asks for is one that addresses or branches have there.
bool X86Target::has_displacement(const Statement& s, bool has_16_bits, Emitter& out) const {
  if (!options_.gnu || !(s.prefixes & (has_16_bits ? want_disp32 : want_disp16))) return true;
  const unsigned asked = has_16_bits ? 32 : 16;
  out.error(s.where, fmt::format("{{disp{0}}} asks for what only {0}-bit addresses and branches have", asked));
  return false;
}

/// An operand in memory that is not encoded: of instructions on strings, and `xlat`. Null: there is none.
static const Operand* implied_address(const Row& row, const Statement& s, const Placement& f) {
  return !f.memory && s.memory >= 0 && row.target == target_none ? &s.ops[s.memory] : nullptr;
}

/// The segment of an instruction on strings: only the source can have another than its own. `implied` is one of the
/// operands.
bool X86Target::string_segment(const Row& row, const Statement& s, const Operand& implied, u8& segment,
                               Emitter& out) const {
  segment = 0;
  const unsigned in_es = facts_of(row).es_operand;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (o.is_memory && o.has_base && implied.has_base && o.regs != implied.regs) {
      out.error(o.where, fmt::format("both addresses of `{}` have the same size", s.mnemonic));
      return false;
    }
    if (!o.is_memory || !o.segment || (o.segment == 1 && i == in_es)) continue;
    if (i == in_es) {
      out.error(o.where, fmt::format("this operand of `{}` is in %es, whatever is written", s.mnemonic));
      return false;
    }
    segment = o.segment == 4 && (options_.gnu || (row.flags & (row_rep | row_repne))) ? 0 : o.segment;
  }
  return true;
}

/// An address that is implied may be written; what else is written there only tells sizes, and LLVM refuses it beside
/// an accumulator.
bool X86Target::check_implied_address(const Row& row, const Statement& s, Emitter& out) const {
  const unsigned in_es = facts_of(row).es_operand;
  for (unsigned i = 0; i < s.count; ++i) {
    const Operand& o = s.ops[i];
    if (!o.is_memory) continue;
    constexpr u8 stos = 0xAA, last_scas = 0xAF, xlat = 0xD7, bx = 3, si = 6, di = 7;
    const u8 base = row.opcode == xlat ? bx : i == in_es ? di : si;
    const bool displaced = o.has_displacement && (options_.gnu || o.symbolic || o.value.constant != 0);
    const bool plain = o.has_base && o.base == base && !o.has_index && o.regs != AddressRegs::rip;
    if (plain && !displaced) continue;
    const unsigned bits = bits_of(o.regs, mode_);
    const std::string_view wide = bits == 64 ? "r" : bits == 32 ? "e" : "";
    const std::string_view name = base == bx ? "bx" : base == di ? "di" : "si";
    const bool accumulator = s.count == 2 && row.opcode >= stos && row.opcode <= last_scas;
    if (accumulator && !options_.gnu)
      return out.error(o.where, fmt::format("`{}` takes an address in {}{} here", s.mnemonic, wide, name)), false;
    out.warning(o.where, fmt::format("`{}` uses {}{} here, whatever is written", s.mnemonic, wide, name));
  }
  return true;
}

/// How wide the address is, and whether that takes a prefix. False if there is an error. `addressed` is the operand in
/// memory, implied or not.
bool X86Target::size_address(const Row& row, const Statement& s, const Operand* addressed, Placement& f,
                             bool& address_prefix, Emitter& out) const {
  f.address_bits = addressed ? bits_of(addressed->regs, mode_) : mode_;
  address_prefix = f.address_bits != mode_ || (s.prefixes & prefix_addr);
  if (row.address_size) {
    const unsigned bits = 8u << row.address_size;
    address_prefix = mode_ != bits || (s.prefixes & prefix_addr);
    if (addressed && addressed->regs == AddressRegs::none) f.address_bits = bits;
    if (f.memory && f.address_bits != bits) {
      out.error(f.memory->where,
                fmt::format("the address must be as wide as the register operand of `{}`", s.mnemonic));
      return false;
    }
  }
  if (facts_of(row).has(trait_flataddr) && f.memory && f.address_bits != (mode_ == 64 ? 64u : 32u)) {
    if (f.memory->regs != AddressRegs::none) {
      out.error(f.memory->where, fmt::format("`{}` takes no {}-bit address here", s.mnemonic, f.address_bits));
      return false;
    }
    f.address_bits = 32;
    address_prefix = true;
  }
  if (!fits_prefixes(row, s, out)) return false;
  if ((s.prefixes & prefix_addr) && mode_ == 64 && f.memory && f.memory->regs == AddressRegs::none) f.address_bits = 32;
  if ((s.prefixes & prefix_addr) && mode_ == 32 && f.address_bits == 32 && f.memory &&
      f.memory->regs == AddressRegs::none)
    f.address_bits = 16;
  if (f.memory && !has_displacement(s, f.address_bits == 16, out)) return false;
  if ((s.prefixes & (prefix_addr | want_disp32)) && mode_ == 16 && f.address_bits == 16 && addressed &&
      addressed->regs == AddressRegs::none) {
    f.address_bits = 32;
    address_prefix = true;
  }
  return true;
}

/// The size was not left to a data16.
static bool says_16_bits(const Row& row, const Statement& s) {
  if (row.suffix == 'w' && (s.mnemonic.back() | 0x20) == 'w') return true;
  constexpr u64 words = class_bit("r16") | class_bit("ax");
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].space == space_register && (x86_kinds[row.kind[i]][space_register] & s.ops[i].classes & words)) return true;
  return false;
}

/// All in front of REX for instructions that have more there than 66h and a mandatory prefix. Null if there is an
/// error.
u8* X86Target::put_unusual_prefixes(u8* o, const Row& row, const Statement& s, Placement& f, Emitter& out) {
  const Facts& facts = facts_of(row);
  const Operand* implied = implied_address(row, s, f);
  const Operand* addressed = f.memory ? f.memory : implied;
  bool address_prefix = false;
  if (!size_address(row, s, addressed, f, address_prefix, out)) return nullptr;
  const DirectBranch branch = options_.gnu ? direct_branch(row) : DirectBranch::none;
  if (branch == DirectBranch::near || branch == DirectBranch::far) address_prefix = false;
  if (!options_.gnu && facts.has(trait_unread)) address_prefix = false;
  // .code16gcc in LLVM: what addresses memory without saying so uses 32-bit registers as well.
  if (gcc16_ && !options_.gnu && (row.flags & (row_rep | row_repne)) && s.count == 0) address_prefix = true;
  u8 segment = addressed ? addressed->segment : f.target ? f.target->segment : 0;
  if (options_.gnu && segment && addressed) {
    // GNU as leaves out a prefix that only repeats the default segment.
    bool stack = addressed->has_base && (addressed->base == 4 || addressed->base == 5) &&
                 addressed->regs != AddressRegs::rip;
    if (segment == (stack ? 3 : 4)) segment = 0;
  }
  if (options_.gnu && f.target && !addressed && segment == 4) segment = 0;
  if (implied && !string_segment(row, s, *implied, segment, out)) return nullptr;
  if (!options_.gnu && facts.has(trait_unread)) segment = 0;
  if (s.segment_prefix && segment && options_.gnu && s.segment_prefix != segment) {
    out.error(s.where, "the prefix and the operand name two segments");
    return nullptr;
  }
  if (s.segment_prefix) segment = branch_segment(branch, s, out);

  const bool string = row.flags & (row_rep | row_repne);
  const bool repne = s.prefixes & (prefix_repne | prefix_xacquire | prefix_bnd);
  const u8 repeat = s.prefixes & (prefix_rep | prefix_xrelease) ? 0xF3 : repne ? 0xF2 : 0;
  if (row.flags & row_fwait) *o++ = 0x9B;
  if ((s.prefixes & prefix_notrack) && options_.gnu) *o++ = 0x3E;
  // Where the row has another, or no place for any, GNU as takes none: LLVM's order.
  const bool other = row.encoding != encoding_legacy || (row.pp >= pp_f3 && (row.pp == pp_f3) != (repeat == 0xF3));
  const bool early = repeat && !facts.has(trait_ownrep) && (!options_.gnu || other);
  // What is no instruction on strings has its segment in front even of that.
  const bool late = segment && !string && addressed && (s.prefixes & (prefix_rep | prefix_repne));
  if (early && late) *o++ = segment_byte[segment - 1], segment = 0;
  if (early) *o++ = repeat;
  if (!options_.gnu && repeat == 0xF3 && repne) *o++ = 0xF2;
  if (options_.gnu && (s.prefixes & prefix_data) && row.encoding != encoding_legacy && !is_promoted(row)) *o++ = 0x66;
  if (address_prefix && !options_.gnu && string) *o++ = 0x67;
  const bool hint = branch == DirectBranch::near8;
  if (segment && !hint) *o++ = segment_byte[segment - 1];
  if (address_prefix && (options_.gnu || !string)) *o++ = 0x67;
  if (segment && hint) *o++ = segment_byte[segment - 1];
  if (row.encoding == encoding_legacy) {
    const bool data = (s.prefixes & prefix_data) && (options_.gnu ? !hint : is_widened(facts));
    bool data_prefix = (row.operand_size == size_16 && mode_ != 16) || (row.operand_size == size_32 && mode_ == 16);
    if (options_.gnu && data && ((data_prefix && says_16_bits(row, s)) || row.pp == pp_66)) {
      out.error(s.where, fmt::format("`{}` has this prefix already", s.mnemonic));
      return nullptr;
    }
    if (data_prefix || data) *o++ = 0x66;
    if ((s.prefixes & prefix_notrack) && !options_.gnu) *o++ = 0x3E;
    if (repeat && options_.gnu && row.pp < pp_f3) *o++ = repeat;
    if (s.prefixes & prefix_lock) *o++ = 0xF0;
    if (row.pp == pp_66 && !data_prefix && !data) *o++ = 0x66;
    if (row.pp >= pp_f3) *o++ = row.pp == pp_f3 ? 0xF3 : 0xF2;
  }
  return o;
}

/// Something else than the operands' kinds says that APX is meant.
static bool asks_for_apx(const Statement& s) {
  if (s.prefixes & (want_evex | want_nf | uses_egpr)) return true;
  return has_egpr(s);
}

/// What GNU as alone asks of few rows (Op).
bool X86Target::fits_gnu(const Row& row, const Statement& s, Emitter& out) const {
  const bool is_known = options_.release >= 244;  // what follows op_later
  if (!is_known && row.op > op_later) return true;
  switch (row.op) {
    case op_not_amd64:
      if (!x86_options_.amd64 || mode_ != 64) return true;
      return out.error(s.where, fmt::format("64-bit code has `{}` only without -mamd64", s.mnemonic)), false;
    case op_addressed: {
      const Operand& o = s.ops[s.memory];
      if (!(o.classes & class_bit("moffs"))) return true;
      out.error(o.where, fmt::format("`{}` takes an address in a register", s.mnemonic));
      return false;
    }
    case op_later:
      if (is_known || asks_for_apx(s)) return true;
      out.error(
          s.where,
          fmt::format("`{}` takes these operands only with APX, which {{evex}} asks for; GNU as from 2.44 on needs "
                      "no {{evex}}",
                      s.mnemonic));
      return false;
    case op_intel64:
    case op_amd64:
    case op_intel64q: {
      if (x86_options_.intel64 != (row.op == op_amd64)) return true;
      if (row.op == op_intel64q && (row.operand_size != size_64 || (s.rex & 8))) return true;
      constexpr u64 any_size = class_bit("m16") | class_bit("m32");
      if (row.op != op_intel64q && s.ops[0].is_memory && (s.ops[0].classes & any_size) == any_size) return true;
      out.error(s.where, fmt::format("`{}` has this form only {} -mintel64", s.mnemonic,
                                     row.op == op_amd64 ? "without" : "with"));
      return false;
    }
    case op_named:
      if (options_.release >= 247 && !is_named(row)) {
        out.error(s.where, fmt::format("`{}` is for few processors: .arch has to name its feature", s.mnemonic));
        return false;
      }
      return row.count < 3 || check_distinct(row, s, out);
    case op_tiles: return check_distinct(row, s, out);
    case op_two: return check_two_registers(row, s, out);
    case op_unsigned: {
      const Operand* const imm = role_operand(row, s, role_imm);
      if (imm->symbolic || imm->value.constant >= 0) return true;
      return out.error(imm->where, fmt::format("`{}` takes a number from 0 to 4294967295", s.mnemonic)), false;
    }
    default: return true;
  }
}

/// What few rows ask for beyond their fields: registers that must not, or need not, be where they were written.
bool X86Target::adapt_placement(const Row& row, Statement& s, Placement& f, Emitter& out) const {
  if (row.op == op_double && f.reg) f.rm_number = f.reg_number;
  if (row.op == op_pair && !options_.gnu) f.reg_number &= 6;
  if (row.op == op_rex2) s.prefixes |= want_rex2;
  if (row.op == op_lock_high && (f.reg_number & 8)) {
    s.prefixes |= prefix_lock;
    f.reg_number &= 7;
  }
  constexpr u8 test = 0x84;
  if (row.op == op_ccmp && (row.opcode & 0xFE) == test && (s.prefixes & want_load) && f.reg && !f.memory)
    std::swap(f.reg_number, f.rm_number);  // the other way round there is no other opcode
  const bool no_rip = (row.flags & row_sib) || row.op == op_norip;
  if (no_rip && (f.memory->regs == AddressRegs::rip || f.memory->regs == AddressRegs::eip)) {
    out.error(f.memory->where, fmt::format("`{}` cannot address memory relative to %rip", s.mnemonic));
    return false;
  }
  if ((row.flags & row_distinct) && !check_distinct(row, s, out)) return false;
  if (options_.gnu && row.op >= op_intel64 && !fits_gnu(row, s, out)) return false;
  if (implied_address(row, s, f) && !check_implied_address(row, s, out)) return false;
  if ((row.flags & (row_comm | row_commf)) && exchange_is_shorter(row, s)) std::swap(f.rm_number, f.vvvv_number);
  return true;
}

/// The displacement has more than 32 bits: an error, or as many as its field has.
bool X86Target::shorten_displacement(const Row& row, Statement& s, const Placement& f, Emitter& out) const {
  if (wraps_silently(*f.memory)) {
    i64& displacement = s.ops[s.memory].value.constant;
    displacement = i64(i32(u32(displacement)));
    return true;
  }
  if (std::string e = displacement_error(row, *f.memory, f.address_bits); !e.empty()) {
    if (f.address_bits == 64) {
      out.error(f.memory->where, std::move(e));
      return false;
    }
    out.warning(f.memory->where, e + "; it is shortened");
  }
  i64& displacement = s.ops[s.memory].value.constant;
  // GNU as does not see that it wraps, LLVM not that nothing is left.
  const bool unseen = mode_ == 64
                          ? displacement < -0x80000000ll || displacement > 0xFFFFFFFFll
                          : options_.release >= 244 && f.address_bits == 32 && is_longer_than_32_bits(displacement);
  if (options_.gnu && unseen) s.prefixes |= want_disp32;
  displacement = i64(i32(u32(displacement)));
  if (!options_.gnu && displacement == 0) s.prefixes |= want_disp8;
  if (!options_.gnu && f.address_bits == 16) s.prefixes |= want_disp16;
  return true;
}

/// REX or REX2, and the escapes of the opcode's map. Null if there is an error.
[[gnu::always_inline]] inline u8* X86Target::put_rex(u8* o, const Row& row, const Statement& s, Placement& f,
                                                     Emitter& out) const {
  unsigned flags = f.reg ? f.reg->reg_flags : 0;
  if (f.rm) flags |= f.rm->reg_flags;
  if (f.opcode) flags |= f.opcode->reg_flags;
  const unsigned own = row.rex_w << 3 | f.reg_high() << 2 | f.index_high() << 1 | f.base_high();
  unsigned rex = own | (s.rex & 15u);
  f.any_rex = rex || (flags & reg_needs_rex) || s.rex || (s.prefixes & (want_rex | want_rex2 | uses_egpr)) ||
              (options_.x32 && is_tls_load(f.memory));
  const bool gives_way = options_.gnu || !(s.prefixes & want_rex2);
  const bool asked = !rex && !s.rex && !(flags & reg_needs_rex) && !(s.prefixes & uses_egpr) && gives_way;
  if (f.any_rex && asked && (flags & reg_no_rex) && mode_ == 64) f.any_rex = false;  // {rex} gives way to %ah
  if (f.any_rex) {
    if ((s.rex & own & ~(s.sized_by_rex ? 8u : 0u)) && options_.gnu) [[unlikely]] {
      out.error(s.where, fmt::format("`{}` has this bit of the REX prefix already", s.mnemonic));
      return nullptr;
    }
    if ((flags & reg_no_rex) && has_high_byte(s, out)) return nullptr;
    if (mode_ != 64) [[unlikely]] {
      if (asked && !(s.prefixes & want_rex2)) return put_escapes(o, row);  // LLVM: {rex} is for what can have one
      out.error(s.where, "a REX prefix needs 64-bit mode");
      return nullptr;
    }
    f.rex2 = (flags & reg_egpr) || (s.prefixes & (want_rex2 | uses_egpr));
    if (f.rex2) [[unlikely]] {
      const unsigned base = f.memory ? f.memory->base : f.rm_number, index = f.memory ? f.memory->index : 0;
      *o++ = 0xD5;
      rex |= (row.map == map_0f) << 7 | (f.reg_number >> 4 & 1) << 6 | (index >> 4 & 1) << 5 | (base >> 4 & 1) << 4;
      *o++ = u8(rex);
    } else {
      *o++ = u8(0x40 | rex);
    }
  }
  return f.rex2 ? o : put_escapes(o, row);
}

/// ModRM, SIB and displacement.
[[gnu::always_inline]] inline u8* X86Target::put_modrm(u8* o, const Row& row, Statement& s, Placement& f,
                                                       Emitter& out) const {
  if (row.modrm_form != modrm_operands) {
    if (row.modrm_form == modrm_fixed) *o++ = row.modrm;
    else if (row.modrm_form == modrm_fixed_r) *o++ = u8(row.modrm | (f.rm_number & 7));
    return o;
  }
  const u8 reg = f.reg ? f.reg_number & 7 : row.modrm >> 3;
  if (!f.memory) {
    *o++ = u8(0xC0 | reg << 3 | (f.rm || row.op == op_double ? f.rm_number & 7 : 0));
    return o;
  }
  const Operand& m = *f.memory;
  if (m.symbolic && m.value.modifier == mod_tlscall && m.has_base && !m.has_index) {
    // call *sym@TLSCALL(%rax): the symbol is a mark for the linker and has no field.
    if (options_.gnu && !fits_tls_sequence(row, s, m, out)) return o;
    *o++ = u8(reg << 3 | (m.base & 7));
    out.fixup({fixup_tls_call, 0, 0}, m.value, m.where);
    return o;
  }
  const unsigned shift = row.encoding != encoding_evex ? 0 : m.broadcast ? row.broadcast_shift : row.disp_shift;
  if (f.address_bits == 16) {
    const i64 v = m.value.constant;
    // It is not seen that it wraps; and LLVM knows nothing of disp8*N here.
    if (v < -0x8000 || v > (options_.gnu ? 0xFFFF : 0x7FFF)) s.prefixes |= want_disp16;
    if (options_.gnu) return put_memory16(o, m, reg, s.prefixes, shift, f.disp);
    return put_memory16(o, m, reg, s.prefixes & ~u32(want_disp8), 0, f.disp);
  }
  const bool narrow = options_.gnu && (f.address_bits == 32 || is_narrow_lea(row));
  return put_memory(o, m, reg, s.prefixes, mode_, shift, row.flags & row_sib,
                    displacement_kind(row, m, mode_, f.any_rex, f.rex2, narrow, options_), f.disp);
}

namespace {

constexpr u8 immediate_size[] = {0, 1, 2, 4, 8, 3, 2, 1, 4, 6};

}  // namespace

/// Intel syntax: the name at p is the first thing in its operand or brackets, or a term of a sum in these.
static bool stands_alone(const char* p) {
  const auto before = [&] {
    while (p[-1] == ' ' || p[-1] == '\t') --p;
    return p[-1];
  };
  bool in_parentheses = false;
  for (; before() == '('; --p) in_parentheses = true;
  const char c = before();
  if (c != '+' && c != '-' && c != '[') return true;
  if (c != '[' && in_parentheses) return false;
  while (p[-1] != '[' && p[-1] != ']' && p[-1] != ',' && p[-1] != '\n') --p;
  if (p[-1] != '[') return false;
  --p;
  return before() != ']';  // [rip][x] names it behind others
}

/// How GNU as lists what an operand names that would be listed `in_att` by GNU as 2.40 in AT&T syntax; null: the
/// operand is no address.
LabelListing X86Target::listing(const Statement& s, LabelListing in_att, const char* address) const {
  if (!intel_) return options_.release >= 244 ? LabelListing::never : in_att;
  if (options_.release < 247) return LabelListing::always;
  return address && (!s.end || stands_alone(address)) ? LabelListing::unknown : LabelListing::never;
}

/// Behind a segment, the name is not what the operand begins with.
static LabelListing listing_of(const Operand& memory) {
  return memory.segment ? LabelListing::never : LabelListing::known;
}

/// The fixup of a displacement; `immediates` is where the instruction goes on behind it. GNU as numbers fixups in the
/// order displacement, immediate, and the addend needs the whole length.
[[gnu::always_inline]] inline void X86Target::displacement_fixup(const Row& row, Statement& s, const Placement& f,
                                                                 const u8* immediates, Emitter& out) const {
  const Displacement& disp = f.disp;
  // LLVM does not count the last byte of 3DNow!, and one that others don't have.
  const bool trailer = row.flags & row_trailer && (options_.gnu || !facts_of(row).has(trait_uncounted));
  const unsigned tail = trailer || (row.op == op_llvm_imm8 && !options_.gnu);
  const bool relative = disp.kind >= fixup_rip32 && disp.kind <= fixup_rip32_evex;
  i8 addend = relative ? i8(disp.at - (immediates + immediate_size[row.imm] + tail)) : i8(0);
  const bool from_start = options_.gnu ? mode_ != 64 : disp.kind != fixup_disp32_gotx_base;
  if (disp.size == 4 && !relative && from_start && f.memory->value.sub == no_symbol && is_got(*f.memory))
    addend = i8(disp.at - out.out);
  const bool wide_mov = disp.at - out.out == 3 && (out.out[0] & 0xF8) == 0x48 && facts_of(row).has(trait_mov);
  const LabelListing in_att = relative && wide_mov ? LabelListing::always : listing_of(*f.memory);
  if (f.memory->value.modifier && !fits_relocation(disp.kind, row, s, *f.memory, out)) return;
  out.fixup({disp.kind, u8(disp.at - out.out), addend, listing(s, in_att, f.memory->where)}, f.memory->value,
            f.memory->where);
}

[[gnu::always_inline]] inline u8* X86Target::put_immediate(u8* o, const Row& row, Statement& s, const Operand& i,
                                                           unsigned size, u16 kind, Emitter& out) const {
  if (!i.symbolic) return put(o, u64(i.value.constant), size);
  const u8 at = u8(o - out.out);
  if (i.value.modifier && !fits_relocation(kind, row, s, i, out)) return put(o, 0, size);
  out.fixup(
      {kind, at, i8(size >= 4 && i.value.sub == no_symbol && is_got(i) ? at : 0), listing(s, LabelListing::never)},
      i.value, i.where);
  return put(o, 0, size);
}

/// Immediates of all kinds but those that are left to relaxation.
[[gnu::always_inline]] inline u8* X86Target::put_immediates(u8* o, const Row& row, Statement& s, const Operand* imm,
                                                            Emitter& out) const {
  const u16 kind32 = row.operand_size == size_64 || row.w ? fixup_imm32s : fixup_imm32;
  switch (row.imm) {
    case imm_none: return o;
    case imm_8: return put_immediate(o, row, s, *imm, 1, fixup_imm8, out);
    case imm_16: return put_immediate(o, row, s, *imm, 2, fixup_imm16, out);
    case imm_32: return put_immediate(o, row, s, *imm, 4, kind32, out);
    case imm_64: return put_immediate(o, row, s, *imm, 8, fixup_imm64, out);
    case imm_is4: {
      unsigned low = imm ? unsigned(imm->value.constant) & 15 : 0;
      *o++ = u8(role_operand(row, s, role_is4)->number << 4 | low);
      return o;
    }
    default: break;  // two of them
  }
  unsigned first = row.imm == imm_8_8 ? 1 : row.imm == imm_32_16 ? 4 : 2;
  if (row.imm == imm_16_16 && mode_ == 16 && (s.prefixes & prefix_data)) first = 4;  // data32 ljmpw
  const unsigned second = row.imm == imm_16_8 || row.imm == imm_8_8 ? 1 : 2;
  const u16 first_kind = first == 1 ? fixup_imm8 : first == 2 ? fixup_imm16 : fixup_imm32;
  const u16 second_kind = second == 1 ? fixup_imm8 : fixup_imm16;
  o = put_immediate(o, row, s, *imm, first, first_kind, out);
  return put_immediate(o, row, s, *role_operand(row, s, role_imm2), second, second_kind, out);
}

/// A branch target or an absolute address.
[[gnu::always_inline]] inline u8* X86Target::put_target(u8* o, const Row& row, Statement& s, const Operand& target,
                                                        Emitter& out) const {
  const u8 at = u8(o - out.out);
  switch (row.target) {
    case target_8:
      *o++ = 0;
      out.fixup({fixup_branch8, at, -1, listing(s, LabelListing::known)}, target.value, target.where);
      return o;
    case target_16:
    case target_32: {
      const Branch branch = facts_of(row).branch;
      const bool call = branch == Branch::call, xbegin = branch == Branch::xbegin;
      bool wide = row.target == target_32 && !(mode_ == 16 && row.operand_size == size_none);
      if ((s.prefixes & prefix_data) && (mode_ == 16 || (options_.gnu && (mode_ == 32 || (xbegin && !(s.rex & 8))))))
        wide = mode_ == 16;  // data32 callw
      o = put(o, 0, wide ? 4 : 2);
      const u16 small = call ? fixup_call16 : xbegin && options_.gnu ? fixup_xbegin16 : fixup_branch16;
      u16 kind = small;
      if (wide) kind = call ? fixup_call32 : fixup_branch32;
      if (wide && mode_ != 64 && options_.bits == 64) kind = fixup_branch32_legacy;
      if (wide && xbegin && !options_.gnu) kind = fixup_rip32;  // LLVM: no branch
      if (call && target.value.modifier && !fits_relocation(kind, row, s, target, out)) return o;
      out.fixup({kind, at, i8(wide ? -4 : -2), listing(s, LabelListing::known)}, target.value, target.where);
      return o;
    }
    case target_moffs: {
      unsigned size = s.prefixes & prefix_addr ? (mode_ == 32 ? 2 : 4) : mode_ / 8;
      if (!target.symbolic) return put(o, u64(target.value.constant), size);
      const bool got = mode_ == 32 && target.value.sub == no_symbol && is_got(target);
      const u16 disp32 = mode_ == 64 ? u16(fixup_disp32) : u16(fixup_disp32_abs);
      const u16 kind = size == 8 ? u16(fixup_moffs64) : size == 4 ? disp32 : u16(fixup_disp16);
      if (target.value.modifier && !fits_relocation(kind, row, s, target, out)) return put(o, 0, size);
      out.fixup({kind, at, i8(got ? at : 0), listing(s, listing_of(target), target.where)}, target.value, target.where);
      return put(o, 0, size);
    }
    default: return o;
  }
}

/// LLVM and newer releases of GNU as refuse what no processor executes, older ones warn; so do newer ones of .insn.
bool X86Target::fits_processor(const Statement& s, unsigned size, Emitter& out) const {
  if (out.only_counts()) return true;
  std::string text = fmt::format("this instruction has {} bytes, and processors take {}", size,
                                 max_instruction_size);
  const bool refused = !options_.gnu || (options_.release >= 244 && s.mnemonic != ".insn");
  if (refused) return out.error(s.where, std::move(text)), false;
  out.warning(s.where, std::move(text));
  return true;
}

/// GNU as takes 0xffffffff for -1 where a suffix or a register says that the operation has no more than 32 bits.
bool X86Target::extends_immediate(const Row& row, const Statement& s, const Operand& imm, Emitter& out) const {
  bool sized = mode_ != 64 || row.suffix == 'b' || row.suffix == 'w' || row.suffix == 'l';
  for (unsigned i = 0; i < s.count; ++i)
    sized |= s.ops[i].space == space_register && s.ops[i].reg->cls < RegClass::r64;
  if (!sized) out.error(imm.where, fmt::format("the immediate {} does not fit in 8 bits", imm.value.constant));
  return sized;
}

bool X86Target::encode(const Row& row, Statement& s, Emitter& out) {
  u8* o = out.out;
  Placement f = place(row, s, mode_);
  bool unusual = false;
  constexpr u32 special = row_special | row_sib | row_distinct | row_comm | row_commf;
  if (row.flags & special) [[unlikely]]
    if (!adapt_placement(row, s, f, out)) return false;

  if (s.prefixes | s.rex | s.segment_prefix | s.unusual_address | row.address_size | (row.flags & row_fwait) |
      (mode_ == 16)) [[unlikely]] {
    o = put_unusual_prefixes(o, row, s, f, out);
    if (!o) return false;
    unusual = true;
  } else if (row.encoding == encoding_legacy) {
    if (row.operand_size == size_16 || row.pp == pp_66) *o++ = 0x66;
    if (row.pp >= pp_f3) *o++ = row.pp == pp_f3 ? 0xF3 : 0xF2;
  }
  if (f.memory && !f.memory->symbolic && f.memory->value.constant != i64(i32(f.memory->value.constant))) [[unlikely]]
    if (!shorten_displacement(row, s, f, out)) return false;

  if (row.encoding == encoding_legacy) [[likely]] {
    o = put_rex(o, row, s, f, out);
    if (!o) return false;
  } else if (row.encoding == encoding_evex) {
    if (row.map == map_4 && has_high_byte(s, out)) [[unlikely]] return false;
    o = put_evex(o, row, s, f, ignored_);
  } else {
    o = put_vex(o, row, s, f, ignored_);
  }
  u8* const opcode = o;
  *o++ = u8(row.opcode | (f.opcode && row.modrm_form == modrm_none ? f.rm_number & 7 : 0));
  o = put_modrm(o, row, s, f, out);

  const Operand* imm = row.imm == imm_none ? nullptr : role_operand(row, s, role_imm);
  if (f.disp.at && f.memory->symbolic) displacement_fixup(row, s, f, o, out);
  // disp8*N is not the number that was written; and whether it can be taken depends on the number.
  if (f.disp.at && !f.memory->symbolic &&
      !(row.encoding == encoding_evex && (row.disp_shift || f.memory->broadcast))) {
    fields_.displacement_at = u8(f.disp.at - out.out + s.emitted);
    fields_.displacement_size = f.disp.size;
  }
  if (row.imm >= imm_8 && row.imm <= imm_64 && !imm->symbolic) {
    if (row.imm == imm_8 && imm->value.constant > 255) [[unlikely]]
      if (!extends_immediate(row, s, *imm, out)) return false;
    fields_.immediate_at = u8(o - out.out + s.emitted);
    fields_.immediate_size = immediate_size[row.imm];
  }
  if ((row.imm == imm_32 || row.imm == imm_16) && imm->symbolic && starts_short(row, s)) [[unlikely]] {
    const u16 kind = row.imm == imm_16                      ? fixup_imm16
                     : row.operand_size == size_64 || row.w ? fixup_imm32s
                                                            : fixup_imm32;
    short_immediate(kind, unsigned(o - opcode), unsigned(o - out.out), *imm, out);
    return true;
  }
  o = put_immediates(o, row, s, imm, out);
  if (row.flags & row_trailer) *o++ = row.trailer;
  if (f.target) o = put_target(o, row, s, *f.target, out);
  const auto size = unsigned(o - out.out);
  note_registers(row, s, unsigned(opcode - out.out), size);
  if (unusual && size > max_instruction_size && !fits_processor(s, size, out)) return false;
  out.advance(size);
  return true;
}

}  // namespace xas::x86
