// SPDX-License-Identifier: Apache-2.0
// From a row and its operands to bytes and fixups.
//
// X86Target::encode writes the parts in their order. First are legacy prefixes: 66, F2 and F3 are written here, and
// legacy_prefixes.cpp does it if there are others. REX, VEX or EVEX are next (opcode_prefixes.h), then the opcode.
// ModRM with SIB and displacement follows, then immediates, then the distance of a branch. What only few rows ask for
// is in special_rows.cpp.
#include <fmt/format.h>

#include <utility>

#include "targets/x86/opcode_prefixes.h"
#include "targets/x86/placement.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

u8* put(u8* o, u64 value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) *o++ = u8(value >> (8 * i));
  return o;
}

u8* put4(u8* o, u64 value) {
  for (unsigned i = 0; i < 4; ++i) o[i] = u8(value >> (8 * i));  // one store
  return o + 4;
}

bool fits8(i64 v) { return v == i64(i8(v)); }

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

/// ModRM, SIB and displacement of a 32- or 64-bit address. `shift` is log2 of N of disp8*N, `kind` that of a
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

/// The same relative to %rip, behind an EVEX prefix of map 4. LLVM knows additions of 64 bits that load an operand, and
/// have another destination or leave the flags alone.
u16 evex_displacement_kind(const Row& row, bool relaxes, u32 prefixes, bool gnu) {
  if (gnu) return relaxes ? fixup_rip32_evex_gotx : fixup_rip32_evex;
  constexpr u8 add_to_memory = 0x01, add_from_memory = 0x03;
  if (!row.w || (row.opcode != add_to_memory && row.opcode != add_from_memory)) return fixup_rip32;
  const bool flagless = row.opcode == add_from_memory && (prefixes & want_nf);
  return row.count == 3 || flagless ? fixup_rip32_evex : fixup_rip32;
}

/// Kind of a four-byte displacement, by which the relocation is chosen.
u16 displacement_kind(const Row& row, const Operand& m, u32 prefixes, unsigned mode, bool rex, bool rex2, bool narrow,
                      const TargetOptions& options) {
  bool rip = m.regs == AddressRegs::rip || m.regs == AddressRegs::eip;
  const bool wraps = m.regs == AddressRegs::eip && options.gnu && !m.value.modifier;
  const bool lea = facts_of(row).has(trait_lea), mov = facts_of(row).has(trait_mov);
  // What linkers would put in the place of operations of 16 bits has an immediate of 32. GNU as asks for the prefix.
  const bool relaxes = (row.flags & row_gotx) || (options.gnu_since(247) && facts_of(row).has(trait_gotx247));
  const bool small = row.operand_size == (options.gnu && mode == 16 ? size_32 : size_16);
  const bool gotx = relaxes && !(small && (rip || options.gnu || mov));
  if (rip) {
    if (wraps) return fixup_eip32;
    if (rex2) return gotx ? fixup_rip32_rex2_gotx : lea || options.gnu ? fixup_rip32_rex2 : fixup_rip32;
    if (row.encoding == encoding_evex && row.map == map_4)
      return evex_displacement_kind(row, relaxes, prefixes, options.gnu);
    if (gotx && row.map == map_0f38) return rex ? fixup_rip32_code5_gotx : fixup_rip32_rex2_gotx;
    if (gotx && row.map != map_0f) return rex ? fixup_rip32_rex_gotx : fixup_rip32_gotx;
    return lea && rex ? fixup_rip32_lea_rex : fixup_rip32;
  }
  // What 64-bit code sign-extends is told from other fields, for i386 has no relocation for it.
  if (mode == 64 && options.bits == 32 && options.gnu)
    return gotx && m.has_base && m.value.modifier ? fixup_disp32_gotx_base : narrow ? fixup_disp32 : fixup_imm32s;
  const bool loads_32 = gotx && mov && row.operand_size == size_32 && m.has_base;
  if (mode == 64 && options.bits == 32 && loads_32) return fixup_disp32_gotx_base;
  if (mode == 64) return narrow ? fixup_disp32_abs : fixup_disp32;
  // 16- and 32-bit code of a 64-bit object: LLVM takes what is added to a register to be signed.
  if (options.bits == 64) return options.gnu || !(m.has_base || m.has_index) ? fixup_disp32_abs : fixup_disp32;
  const bool index_alone = m.has_index && !m.has_base;
  if (!gotx || (options.gnu && index_alone)) return fixup_disp32;
  return (mov || options.gnu) && m.has_base ? fixup_disp32_gotx_base : fixup_disp32_gotx;
}

}  // namespace

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
  const bool is_relative = m.regs == AddressRegs::rip || m.regs == AddressRegs::eip;
  if (m.symbolic && m.value.modifier == mod_tlscall && m.has_base && !m.has_index && !is_relative) {
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
                    displacement_kind(row, m, s.prefixes, mode_, f.any_rex, f.rex2, narrow, options_), f.disp);
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
  if (!intel_) return options_.gnu_since(244) ? LabelListing::never : in_att;
  if (!options_.gnu_since(247)) return LabelListing::always;
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
  const unsigned tail = trailer || (row.op == op_llvm_imm8 && !options_.gnu && !options_.llvm_since(23));
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
      if (wide && is_foreign_) kind = fixup_branch32_foreign;
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
  const bool refused = !options_.gnu || (options_.gnu_since(244) && s.mnemonic != ".insn");
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
