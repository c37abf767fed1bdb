// SPDX-License-Identifier: Apache-2.0
// One form of an ARM instruction as the generated tables hold it. Shared by the generator (targets/isagen), which fills
// rows from targets/arm/*.isa, and by the target, which walks them.
//
// Operands are matched as on AArch64 (targets/aarch64/row.h): their text becomes a sequence of atoms, one byte each,
// and a row accepts a sequence by comparing two integers under a mask. What ARM adds stands beside the operands: a row
// belongs to one of the three encodings (A32, and Thumb's of 16 and 32 bits), and has rules for the `s` suffix, for the
// condition and for its place in an IT block.
#pragma once

#include <string_view>

#include "targets/atom_row.h"

namespace xas::arm {

/// The low bits of the first groups are chosen so that a mask can accept several of a group.
enum Atom : u8 {
  atom_none = 0,
  atom_low = 0x08,   ///< r0 to r7
  atom_high = 0x09,  ///< r8 to r12, lr
  atom_sp = 0x0A,
  atom_pc = 0x0C,
  atom_imm = 0x10,   ///< a number
  atom_minus_zero = 0x11,  ///< #-0: a subtracted zero
  atom_expr = 0x12,  ///< an expression that is not a number, or has a relocation operator
  atom_float = 0x14, ///< a number with a point or an exponent; its value is the bits of the double
  atom_literal = 0x18,  ///< =expression
  atom_plus = 0x1A, atom_minus = 0x1B,  ///< before a register that is an offset
  atom_write = 0x1C, ///< ! behind a register
  atom_open = 0x1D, atom_close = 0x1E, atom_close_write = 0x1F,  ///< [ ] ]!
  atom_lsl = 0x20, atom_lsr, atom_asr, atom_ror, atom_rrx, atom_uxtw,
  atom_user = 0x28,  ///< ^ behind a list
  atom_align,        ///< :64 behind the register of an address
  atom_name,
  atom_index,        ///< [number] behind a register
  atom_option,       ///< {number}
  atom_list = 0x30,  ///< general registers, a bit for each
  atom_s_list,       ///< extension registers: the first, and how many in the bits from 8 on
  atom_d_list,
  atom_d_list2,      ///< every second one
  atom_d_all,        ///< with [] behind each
  atom_d_all2,
  atom_d_lane,       ///< with [number] behind each; the number follows as an atom
  atom_d_lane2,
  atom_s_vpr,        ///< extension registers and vpr
  atom_d_vpr,
  atom_s = 0x40, atom_d, atom_q,
  atom_coprocessor = 0x48, atom_coprocessor_register,
  atom_count,
};

using atoms::Field, atoms::Segment, atoms::max_atoms;

/// How a value becomes bits.
enum Encoding : u8 {
  enc_linear,       ///< (value - base) / scale, negated if `scale` is negative; from low to high
  enc_constant,     ///< must be `low`, and has no bits
  enc_float_constant,  ///< must be that double, given by its bits in `low`
  enc_same,         ///< must equal the value of atom `low`, and has no bits
  enc_name,         ///< a name of set `low`
  enc_next,         ///< the register behind that of atom `low`, which must be even
  enc_other_than,   ///< anything but the register of atom `low`, and has no bits
  enc_a32_imm,      ///< 8 bits rotated right by an even number
  enc_a32_minus,    ///< the same of the negated value
  enc_a32_not,      ///< the same of the complement
  enc_t32_imm,      ///< 8 bits repeated, or shifted: i:imm3:imm8
  enc_t32_minus,
  enc_t32_not,
  enc_signed,       ///< a sign bit (1: added), then the magnitude in units of `scale`, at most `high`
  enc_shift32,      ///< 1 to 32, of which 32 is 0
  enc_msb,          ///< #width of bfi: lsb + width - 1, with the lsb before it
  enc_width,        ///< #width of ubfx: width - 1, with the lsb before it
  enc_list,         ///< of the registers `low` (a bit for each)
  enc_list_with,    ///< of low registers, the register of atom 0 among them
  enc_list_but,     ///< of low registers, the register of atom 0 not among them
  enc_clear_list,   ///< the same with apsr (bit 16) in place of pc
  enc_single,       ///< a list of one of the registers `low`
  enc_count,        ///< a list of `low` extension registers: the first
  enc_s_list,       ///< any number of them: the first, then the count (d:Vd, then imm8)
  enc_d_list,       ///< D:Vd, then twice the count; `low` is added to the count
  enc_mov16,        ///< :lower16: and :upper16: too
  enc_mov16_top,    ///< the same of movt
  enc_byte,         ///< a byte of an address: :lower0_7: and so on
  enc_fpa_imm,      ///< 0 to 5, 0.5, 10
  enc_vfp_imm,      ///< an 8-bit floating-point immediate
  enc_simd_imm,     ///< an immediate of elements of `low` bits: cmode etc.; of `low` / 256 bits, repeated, if not 0
  enc_simd_not,     ///< of the complement
  enc_imm_expr,     ///< as enc_linear, but an expression may be resolved after layout
  enc_a32_branch, enc_a32_call, enc_a32_blx, enc_a32_load, enc_a32_load8, enc_a32_adr, enc_a32_adrl,  ///< distances
  enc_vfp_load,
  enc_t16_b8, enc_t16_b11, enc_t16_cbz, enc_t16_load, enc_t16_adr,
  enc_t32_b20, enc_t32_b24, enc_t32_bl, enc_t32_blx, enc_t32_load, enc_t32_load8, enc_t32_adr,
  enc_t32_wls, enc_t32_le,
  enc_t32_bf,       ///< of branch futures: 0: where, 1: where else, the rest: where to, with so many bits
  enc_literal_pool, ///< =expression
  enc_literal_pool8,  ///< the same, as far as 8 bits reach
};

using Encoder = atoms::Encoder<Encoding, 6>;

enum InstructionSet : u8 { set_a32 = 1, set_t16 = 2, set_t32 = 4 };

enum RowFlag : u32 {
  row_gnu = 1,  ///< only in this profile
  row_llvm = 2,
  row_no_it = 4,              ///< not in an IT block
  row_last_it = 8,            ///< only as the last of an IT block
  row_outside_it = 16,        ///< this form is for outside of IT blocks
  row_inside_it = 32,         ///< and this for inside
  row_wide = 64,              ///< only with .w
  row_flags = 128,            ///< the mnemonic must have the suffix s
  row_flags_outside = 256,    ///< it must have it outside of IT blocks, and must not in them
  row_narrow = 512,           ///< only with .n
  row_any_it = 1024,          ///< unconditional even in an IT block
  row_nop = 4096,             ///< a no-op proper, of processors that have them
  row_plain = 8192,           ///< only without .w and .n
  row_low_v6 = 16384,         ///< GNU as: with low registers alone for processors from Armv6-M and Armv6T2 on
  row_vpt = 2048,             ///< may stand in a VPT block, with the suffix t or e
  row_distinct = 32768,       ///< some of its registers must differ, or can't stand there: its facts have rules
  row_no_it_llvm = 0x10000,   ///< not in an IT block; GNU as takes it there
  row_coprocessor = 0x20000,  ///< of a coprocessor, in bits 8 to 11, that is no custom datapath
  row_custom = 0x40000,       ///< of a custom datapath
  row_divided = 0x80000,      ///< of old syntax alone
  row_no_pc = 0x100000,       ///< pc has no meaning here; GNU as takes it with a warning
  row_v4bx = 0x200000,        ///< linkers may be told of it (R_ARM_V4BX)
  row_vpt_block = 0x400000,   ///< opens a VPT block
  row_gnu_244 = 0x800000,     ///< only in GNU as's profile, from release 2.44 on
  row_gnu_247 = 0x10000000,   ///< the same, from 2.47 on
  row_neutral = 0x1000000,    ///< GNU as: goes on with an IT block that it has made
  row_typed = 0x2000000,      ///< GNU as: only with the type that the row has
  row_exact = 0x20000000,     ///< only with that type, for LLVM too
  row_unified = 0x4000000,    ///< not of old syntax
  row_old = 0x8000000,        ///< of old syntax too, where narrow forms keep others out: with the suffix s, or wide
  row_checked = row_distinct | row_coprocessor | row_custom | row_no_pc,
};

/// What facts say that only this target asks for.
enum Trait : u32 {
  // GNU as counts it with what may grow although its numbers are known, if its registers have a narrow form.
  grow_move = 1,
  grow_compare = 2,
  grow_add = 4,
  grow_sub = 8,
  grow_load = 0x10,
  grow_store = 0x20,
  grow_small = 0x40,  ///< loads and stores of bytes and halfwords
  // A list of registers may be written otherwise.
  list_number = 0x80,  ///< as a number, a bit for each
  list_first = 0x100,
  list_second = 0x200,    ///< the operand without braces, if it is one register
  minus_zero = 0x400,     ///< the sign of #-0 counts to GNU as in T32 too
  wraps = 0x800,          ///< GNU as keeps 32 bits of a number
  block_count_at = 12,    ///< opens a VPT block: of how many instructions (3 bits),
  block_pattern_at = 16,  ///< and a bit for each that is `else`
};

struct Row {
  u64 signature[2];
  u64 mask[2];
  u32 opcode;    ///< of T32 the first halfword on top
  u32 flags;     ///< RowFlag
  u16 fields;    ///< first of arm_fields
  u16 features;  ///< index into the alternatives of features
  u8 field_count;
  u8 set;        ///< InstructionSet
  u8 condition;  ///< lowest bit of the condition's place; 255: the encoding has none
};

/// A mnemonic without its condition and `s`, in an open-addressing table keyed by hash_name. A32's rows come first.
struct Spelling {
  u32 number;    ///< mnemonic_number
  u32 name;      ///< offset of the text in the pool
  u16 first;     ///< its rows
  u16 a32_count;
  u16 thumb_count;
  u8 length;
  u8 names;      ///< the operands that may be names, a bit for each (by commas)
  bool has_s;    ///< some form takes the suffix
};

/// A word in a set of names.
struct NameEntry {
  std::string_view name;
  u32 value;
};

}  // namespace xas::arm
