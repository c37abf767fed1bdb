// SPDX-License-Identifier: Apache-2.0
// One form of an A64 instruction as the generated tables hold it. Shared by the generator (targets/isagen), which fills
// rows from targets/aarch64/*.isa, and by the target, which walks them.
//
// What is strange: operands are not compared as operands. The parser turns their text into a sequence of *atoms*, one
// byte each: a register's class, an immediate, a bracket, a shift's name. Up to sixteen atoms are two 64-bit integers,
// the signature, and a row accepts what equals its own under its mask. Everything that has a value (a register's
// number, an immediate) leaves it beside its atom, and the row's fields say which bits it goes to.
#pragma once

#include <string_view>

#include "targets/atom_row.h"

namespace xas::aarch64 {

/// The low bits of the first groups are chosen so that a mask can accept several: register 31 under its names,
/// numbers and expressions, shifts and extensions by name.
enum Atom : u8 {
  atom_none = 0,
  atom_w = 0x04, atom_wzr = 0x05, atom_wsp = 0x06,
  atom_x = 0x08, atom_xzr = 0x09, atom_sp = 0x0A,
  atom_imm = 0x0C,    ///< a number
  atom_float = 0x0D,  ///< a number with a point or an exponent; its value is the bits of the double
  atom_expr = 0x0E,   ///< an expression that is not a number, or has a relocation operator
  atom_literal = 0x0F,///< =expression
  atom_b = 0x10, atom_h, atom_s, atom_d, atom_q,
  atom_write = 0x17,  ///< ! behind a register
  atom_index = 0x18,  ///< [number] behind a register
  atom_range2 = 0x19, ///< first:last, with two or four numbers
  atom_range4 = 0x1A,
  atom_open = 0x1B, atom_close = 0x1C, atom_close_write = 0x1D,  ///< [ ] ]!
  atom_name = 0x1E,
  atom_lsl = 0x20, atom_lsr, atom_asr, atom_ror,
  atom_uxtb = 0x28, atom_uxth, atom_uxtw, atom_uxtx, atom_sxtb, atom_sxth, atom_sxtw, atom_sxtx,
  atom_msl = 0x30, atom_mul, atom_mul_vl, atom_vgx2, atom_vgx4,
  atom_list1 = 0x38, atom_list2, atom_list3, atom_list4, atom_list2_stride8, atom_list4_stride4,
  atom_empty_list = 0x3E,
  // Vector registers by what stands behind the point.
  atom_v = 0x40, atom_v_8b, atom_v_16b, atom_v_4h, atom_v_8h, atom_v_2s, atom_v_4s, atom_v_1d, atom_v_2d, atom_v_1q,
  atom_v_2h, atom_v_4b, atom_v_2b, atom_v_b, atom_v_h, atom_v_s, atom_v_d, atom_v_q,
  atom_z = 0x58, atom_z_b, atom_z_h, atom_z_s, atom_z_d, atom_z_q,
  atom_p = 0x60, atom_p_b, atom_p_h, atom_p_s, atom_p_d, atom_p_q, atom_p_z, atom_p_m,
  atom_pn = 0x68, atom_pn_b, atom_pn_h, atom_pn_s, atom_pn_d, atom_pn_q, atom_pn_z, atom_pn_m,
  atom_za = 0x70, atom_za_b, atom_za_h, atom_za_s, atom_za_d, atom_za_q,
  atom_tile = 0x78, atom_tile_b, atom_tile_h, atom_tile_s, atom_tile_d, atom_tile_q,  ///< za0.s
  atom_row = 0x80, atom_row_b, atom_row_h, atom_row_s, atom_row_d, atom_row_q,        ///< za0h.s
  atom_col = 0x88, atom_col_b, atom_col_h, atom_col_s, atom_col_d, atom_col_q,        ///< za0v.s
  atom_zt0 = 0x90,
  atom_count = 0x98,
};

using atoms::Field, atoms::Segment, atoms::max_atoms;

/// How a value becomes bits.
enum Encoding : u8 {
  enc_linear,          ///< (value - base) / scale, negated if `scale` is negative; from low to high
  enc_constant,        ///< must be `low`, and has no bits
  enc_float_constant,  ///< must be that double, given by its bits in `low`
  enc_same,            ///< must equal the value of atom `low`, and has no bits
  enc_name,            ///< a name of set `low`
  enc_logical,         ///< a bitmask immediate of an element of `low` bits, as N:immr:imms
  enc_logical_not,     ///< the complement
  enc_mov,             ///< a bitmask immediate of mov: if it is known only later, a wide move may take its place
  enc_fp8,             ///< an 8-bit floating-point immediate
  enc_movz,            ///< 16 bits, shifted by a multiple of 16, of a register of `low` bits: hw:imm16
  enc_movn,            ///< the same of the complement
  enc_bytes,           ///< bytes that are 0 or 255: a bit for each
  enc_shift_left,      ///< lsl by 0 to `low`-1 as immr:imms
  enc_field_left,      ///< #lsb of bfi and its kin: -lsb mod `low`
  enc_width,           ///< #width: imms = width - 1, with the lsb before it in one register
  enc_width_end,       ///< #width of bfx: imms = lsb + width - 1
  enc_branch26,
  enc_call26,
  enc_branch19,
  enc_branch14,
  enc_literal19,
  enc_adr,
  enc_adrp,     ///< distances
  enc_branch9,  ///< cb<cc>
  enc_back16,   ///< retaasppc label: a distance backwards
  enc_add12,    ///< an immediate that relocation operators may stand for
  enc_offset,   ///< the scaled offset of a load or store: `scale` bytes; relocation operators
  enc_offset_unscaled,
  enc_mov16,         ///< of movz, movn, movk: :abs_g0: and its kin
  enc_mov16_op,      ///< mov in place of movz: with an operator only
  enc_system,        ///< a system register's name
  enc_literal_pool,  ///< =expression
  enc_imm_expr,      ///< as enc_linear, but an expression may be resolved after layout
  enc_pair_next,     ///< the register behind the one of atom `low`
  enc_sve_shifted,   ///< an 8-bit number, or one shifted left by 8 (sh:imm8); modulo 2^`low`, if not 0
  enc_sve_signed,    ///< the same, signed; of elements of 8 bits, `low` is 8 and there is no shift
  enc_flags,         ///< the letters of nzcv, of which a capital one is 1
  enc_tls_call,      ///< .tlsdesccall in the operand's place
};

using Encoder = atoms::Encoder<Encoding, 5>;

enum RowFlag : u8 {
  row_gnu = 1,   ///< only in this profile
  row_llvm = 2,
  row_distinct = 4,  ///< some of its registers must differ: its facts have rules
};

/// What a form has to do with movprfx, which may only stand before instructions that overwrite its register.
enum Prefix : u8 {
  prefix_none,      ///< not of SVE: may not follow it
  prefix_plain,     ///< may follow the unpredicated movprfx only
  prefix_b, prefix_h, prefix_s, prefix_d,  ///< may follow one with its own predicate and elements of that size
  prefix_itself,    ///< is movprfx
  prefix_never,     ///< of SVE, and may not follow it
  prefix_anywhere,  ///< no rule holds for it: what debuggers put in an instruction's place
};

struct Row {
  u64 signature[2];
  u64 mask[2];
  u32 opcode;
  u16 fields;    ///< first of a64_fields
  u8 field_count;
  u8 flags;
  u16 features;  ///< index into the alternatives of features
  u8 prefix;     ///< of enum Prefix
  u8 spare;
};

/// A mnemonic, in an open-addressing table keyed by hash_name.
struct Spelling {
  u32 number;    ///< mnemonic_number
  u32 name;      ///< offset of the text in the pool
  u16 first;     ///< its rows
  u16 count;
  u8 length;
  u8 names;      ///< the operands that may be names, a bit for each (by commas)
};

/// A word in a set of names.
struct NameEntry {
  std::string_view name;
  u32 value;
  u16 features;  ///< as a row's
};

}  // namespace xas::aarch64
