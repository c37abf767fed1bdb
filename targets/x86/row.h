// SPDX-License-Identifier: Apache-2.0
// One form of an x86 instruction as the generated tables hold it, and the classes by which operands are matched
// against it. Shared by the generator (targets/isagen), which fills rows from targets/x86/*.isa, and by the target,
// which walks them. What a field means is told in the legend of general.isa.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas::x86 {

/// What an operand is, in two spaces of 64 bits: registers, and everything else. An operand has the bit of each class
/// it belongs to (%al: r8 and al); a kind is a set of classes, and accepts the operand if they have one in common.
enum Space : u8 { space_register, space_other };

struct ClassName {
  std::string_view name;         ///< as declarations.isa spells it
  Space space;
  std::string_view description;  ///< for messages
};

inline constexpr ClassName class_names[] = {
    {"r8", space_register, "an 8-bit register"},
    {"r16", space_register, "a 16-bit register"},
    {"r32", space_register, "a 32-bit register"},
    {"r64", space_register, "a 64-bit register"},
    {"al", space_register, "%al"},
    {"ax", space_register, "%ax"},
    {"eax", space_register, "%eax"},
    {"rax", space_register, "%rax"},
    {"cl", space_register, "%cl"},
    {"cx", space_register, "%cx"},
    {"ecx", space_register, "%ecx"},
    {"rcx", space_register, "%rcx"},
    {"dx", space_register, "%dx"},
    {"edx", space_register, "%edx"},
    {"rdx", space_register, "%rdx"},
    {"ebx", space_register, "%ebx"},
    {"rbx", space_register, "%rbx"},
    {"es", space_register, "%es"},
    {"cs", space_register, "%cs"},
    {"ss", space_register, "%ss"},
    {"ds", space_register, "%ds"},
    {"fs", space_register, "%fs"},
    {"gs", space_register, "%gs"},
    {"creg", space_register, "a control register"},
    {"dreg", space_register, "a debug register"},
    {"treg", space_register, "a test register"},
    {"st0", space_register, "%st"},
    {"st", space_register, "an x87 register"},
    {"mm", space_register, "an MMX register"},
    {"xmm0", space_register, "%xmm0"},
    {"xmm", space_register, "an XMM register"},
    {"ymm", space_register, "a YMM register"},
    {"zmm", space_register, "a ZMM register"},
    {"xmmh", space_register, "one of %xmm16 to %xmm31"},
    {"ymmh", space_register, "one of %ymm16 to %ymm31"},
    {"k", space_register, "a mask register"},
    {"tmm", space_register, "a tile register"},
    {"bnd", space_register, "a bounds register"},
    {"r8h", space_register, "one of %r16b to %r31b"},
    {"r16h", space_register, "one of %r16w to %r31w"},
    {"r32h", space_register, "one of %r16d to %r31d"},
    {"r64h", space_register, "one of %r16 to %r31"},
    {"m8", space_other, "memory"},
    {"m16", space_other, "memory"},
    {"m32", space_other, "memory"},
    {"m64", space_other, "memory"},
    {"m80", space_other, "memory"},
    {"m128", space_other, "memory"},
    {"m256", space_other, "memory"},
    {"m512", space_other, "memory"},
    {"m", space_other, "memory"},
    {"moffs", space_other, "an absolute address"},
    {"moffs64", space_other, "an absolute address"},
    {"vmx", space_other, "memory with an XMM index"},
    {"vmy", space_other, "memory with a YMM index"},
    {"vmz", space_other, "memory with a ZMM index"},
    {"vmxh", space_other, "memory with an XMM index"},
    {"vmyh", space_other, "memory with a YMM index"},
    {"bc2", space_other, "a {1to2} broadcast"},
    {"bc4", space_other, "a {1to4} broadcast"},
    {"bc8", space_other, "a {1to8} broadcast"},
    {"bc16", space_other, "a {1to16} broadcast"},
    {"bc32", space_other, "a {1to32} broadcast"},
    {"one", space_other, "$1"},
    {"three", space_other, "$3"},
    {"u4", space_other, "an immediate from 0 to 15"},
    {"s8_16", space_other, "an immediate from -128 to 127"},
    {"s8_32", space_other, "an immediate from -128 to 127"},
    {"s8_64", space_other, "an immediate from -128 to 127"},
    {"i8", space_other, "an immediate from -128 to 255"},
    {"i16", space_other, "an immediate from -32768 to 65535"},
    {"i32", space_other, "an immediate from -2147483648 to 4294967295"},
    {"i32s", space_other, "an immediate from -2147483648 to 2147483647"},
    {"imm", space_other, "an immediate"},
    {"sym", space_other, "a symbolic immediate"},
    {"sym64", space_other, "a symbolic immediate of 64 bits"},
    {"rel", space_other, "a branch target"},
};

constexpr bool same_name(std::string_view a, std::string_view b) { return a == b; }

/// The bit of a class in its space; the classes are numbered in the order of class_names, each space for itself.
constexpr u64 class_bit(std::string_view name) {
  unsigned next[2] = {0, 0};
  for (const ClassName& c : class_names) {
    if (c.name == name) return u64(1) << next[c.space];
    ++next[c.space];
  }
  return 0;
}

enum Encoding : u8 { encoding_legacy, encoding_vex, encoding_xop, encoding_evex };
enum Map : u8 { map_none = 0, map_0f = 1, map_0f38 = 2, map_0f3a = 3, map_4 = 4, map_5 = 5, map_6 = 6, map_xop8 = 8 };
enum Pp : u8 { pp_none, pp_66, pp_f3, pp_f2 };

/// Where the encoding holds an operand: `Row::roles` has four bits for each, the number of the operand or no_operand.
/// Rows hold operands in AT&T's order, sources first.
enum Role : u8 { role_reg, role_rm, role_vvvv, role_opcode, role_imm, role_imm2, role_is4, role_target };
inline constexpr unsigned no_operand = 15;

enum ModrmForm : u8 {
  modrm_none,
  modrm_operands,  ///< from the operands, reg is `Row::modrm` >> 3 if no operand has that role
  modrm_fixed,     ///< `Row::modrm` is the byte
  modrm_fixed_r,   ///< the same, with the opcode operand's register in its low bits
};

enum ImmForm : u8 { imm_none, imm_8, imm_16, imm_32, imm_64, imm_16_8, imm_8_8, imm_is4, imm_16_16, imm_32_16 };
enum TargetForm : u8 { target_none, target_8, target_16, target_32, target_moffs };

/// Operand and address sizes; 0: the form has none.
enum Size : u8 { size_none, size_16, size_32, size_64 };

enum Deco : u8 {
  deco_mask = 1,
  deco_zero = 2,
  deco_er = 4,
  deco_sae = 8,
  deco_mask_required = 16,
  /// Of rows for 256 bits: {er} or {sae} of the row for 512 bits, which AVX10.2 had for a while (GNU as 2.44).
  deco_narrow_er = 32,
  deco_narrow_sae = 64,
  deco_dfv = 128,  ///< of statements: {dfv=} was written
};

enum RowFlag : u32 {
  row_mode16 = 1u << 0,
  row_mode32 = 1u << 1,
  row_mode64 = 1u << 2,
  row_gnu = 1u << 3,
  row_llvm = 1u << 4,
  row_att = 1u << 5,
  row_intel = 1u << 6,
  row_straight = 1u << 7,
  row_lock = 1u << 8,
  row_rep = 1u << 9,
  row_repne = 1u << 10,
  row_bnd = 1u << 11,
  row_notrack = 1u << 12,
  row_hle = 1u << 13,
  row_gotx = 1u << 14,
  row_alt = 1u << 15,
  row_load = 1u << 16,
  row_store = 1u << 17,
  row_sized = 1u << 18,
  row_sib = 1u << 19,
  row_distinct = 1u << 20,
  row_indirect = 1u << 21,
  row_d64 = 1u << 22,
  row_fwait = 1u << 23,
  row_trailer = 1u << 24,  ///< `Row::trailer` is a constant byte behind everything
  row_grows = 1u << 25,
  row_special = 1u << 26,  ///< `Row::op` asks for something beyond the encoding, or an address is implied
  row_comm = 1u << 27,     ///< the operands in vvvv and rm may be exchanged
  row_commf = 1u << 28,    ///< ... but only LLVM thinks so
  row_nd = 1u << 30,       ///< EVEX.ND: a new destination in vvvv, or zeroed upper bits
  row_nf = 1u << 31,       ///< there is a form that leaves the flags alone, asked for by {nf}
  row_careful = 1u << 29,  ///< choosing it needs more than classes: `*`, {k!}, alternatives, load and store
};

/// rex2: the prefix is there whatever the registers; ccmp: `Row::trailer` is the source condition, {dfv=} takes the
/// place of vvvv; cfcmov: EVEX.NF is set; llvm_imm8: LLVM 22 counts a byte behind the displacement that is not there;
/// llvm_narrow: LLVM has the row's {sae} for 256 bits, too;
/// lock_high: %cr8 to %cr15 are %cr0 to %cr7 behind a lock prefix; norip: base and index are two operands in one.
/// What GNU as alone asks for: intel64, amd64: -mintel64, or none; intel64q: the 64-bit form of a family; not_amd64:
/// no -mamd64; addressed: memory with a register; later: before 2.44, that something else tells APX; newer: the row is
/// of 2.44 and later alone; tiles: three different ones; named: the same, and from 2.47 on that .arch has named the
/// feature, and LLVM has it no more from 23 on; two: see check_two_registers; unsigned: of the immediate.
enum Op : u8 {
  op_none,
  op_double,
  op_pair,
  op_rex2,
  op_ccmp,
  op_cfcmov,
  op_llvm_imm8,
  op_llvm_narrow,
  op_lock_high,
  op_norip,
  op_intel64,
  op_amd64,
  op_intel64q,
  op_not_amd64,
  op_addressed,
  op_later,
  op_newer,
  op_tiles,
  op_named,
  op_two,
  op_unsigned
};

struct Row {
  u8 kind[5];
  u8 count;
  u8 opcode;
  u8 modrm;
  u32 roles;
  u32 flags;
  u16 features;      ///< index into the feature sets
  u16 grow;          ///< index into the grown forms, if row_grows
  u8 encoding : 2;
  u8 map : 4;
  u8 pp : 2;
  u8 length : 2;     ///< 0, 1, 2 for 128, 256, 512
  u8 length_ignored : 1;
  u8 w : 1;
  u8 w_ignored : 1;
  u8 modrm_form : 2;
  u8 rex_w : 1;      ///< W follows from the operand size in 64-bit mode
  u8 imm : 4;
  u8 target : 4;
  u8 operand_size : 2;
  u8 address_size : 2;
  u8 disp_shift : 4;  ///< log2 of N of disp8*N
  u8 broadcast_shift : 4;
  u8 deco : 7;
  u8 w_by_size : 1;  ///< W tells the size of a general register, and is ignored where there is none of 64 bits
  u8 trailer;
  char suffix;        ///< the AT&T suffix this form answers to, 0 if none
  u8 op;
  u16 facts;          ///< index into the facts (facts.h)
};
static_assert(sizeof(Row) == 32);

/// What a branch grows to.
struct GrownForm {
  u8 short_opcode;
  u8 map;
  u8 opcode;
};

/// A mnemonic as it may be written, in an open-addressing table keyed by hash_name.
struct Spelling {
  u64 hash;
  u32 name;       ///< offset of the text in the pool
  u16 first;      ///< the rows it can mean: x86_lists[first ...]
  u16 count;
  u8 length;
  char last;      ///< the last character; up to eight characters, it and the hash and the length tell the name
  char suffix;    ///< the suffix it carries, if all its rows got it by that suffix
};

inline constexpr unsigned feature_words = 3;
struct FeatureSet {
  u64 word[feature_words];
};

}  // namespace xas::x86
