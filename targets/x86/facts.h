// SPDX-License-Identifier: Apache-2.0
// What an instruction does, as far as an assembler and its tools ask: operands read and written, registers, state and
// flags besides them, the kind of a branch, and what few instructions only have (traits). The generator
// (targets/isagen) makes the facts of each row from the last column of targets/x86/*.isa, whose words are told in the
// legend of general.isa; `facts_of` in tables.h gives those of a row.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas::x86 {

/// What happens to an operand, three bits for each in Facts::operands.
enum Access : u8 {
  access_none = 0,  ///< neither: the address of lea, a branch target, a hint
  access_read = 1,
  access_write = 2,
  access_keep = 4,  ///< besides access_write: only a part is written, the rest of the register stays
};

/// Registers whatever their width, and state, that are read or written without being an operand.
enum Resource : u32 {
  resource_ax = 1u << 0, resource_cx = 1u << 1, resource_dx = 1u << 2, resource_bx = 1u << 3,
  resource_sp = 1u << 4, resource_bp = 1u << 5, resource_si = 1u << 6, resource_di = 1u << 7,
  resource_r11 = 1u << 8,
  resource_es = 1u << 9, resource_cs = 1u << 10, resource_ss = 1u << 11, resource_ds = 1u << 12,
  resource_fs = 1u << 13, resource_gs = 1u << 14,
  resource_xmm0 = 1u << 15,
  resource_xmm = 1u << 16,    ///< %xmm1 to %xmm7
  resource_ymm = 1u << 17,    ///< the upper parts of all vector registers
  resource_mm = 1u << 18,     ///< whether MMX or x87 uses the registers they share
  resource_st = 1u << 19,     ///< x87 registers, and which of them is the top
  resource_fcw = 1u << 20, resource_fsw = 1u << 21,  ///< x87's control and status word
  resource_mxcsr = 1u << 22,
  resource_mem = 1u << 23,    ///< memory that no operand in ModRM addresses: stack, strings
  resource_ssp = 1u << 24,    ///< the shadow stack
  resource_tile = 1u << 25,   ///< the configuration of tiles
  resource_msr = 1u << 26, resource_xcr = 1u << 27, resource_pkru = 1u << 28,
  resource_sys = 1u << 29,    ///< anything else that is not of one program alone
};

struct ResourceName {
  std::string_view name;
  u32 bit;
};

inline constexpr ResourceName resource_names[] = {
    {"ax", resource_ax},     {"cx", resource_cx},     {"dx", resource_dx},       {"bx", resource_bx},
    {"sp", resource_sp},     {"bp", resource_bp},     {"si", resource_si},       {"di", resource_di},
    {"r11", resource_r11},   {"es", resource_es},     {"cs", resource_cs},       {"ss", resource_ss},
    {"ds", resource_ds},     {"fs", resource_fs},     {"gs", resource_gs},       {"xmm0", resource_xmm0},
    {"xmm", resource_xmm},   {"ymm", resource_ymm},   {"mm", resource_mm},       {"st", resource_st},
    {"fcw", resource_fcw},   {"fsw", resource_fsw},   {"mxcsr", resource_mxcsr}, {"mem", resource_mem},
    {"ssp", resource_ssp},   {"tile", resource_tile}, {"msr", resource_msr},     {"xcr", resource_xcr},
    {"pkru", resource_pkru}, {"sys", resource_sys}};

/// Flags by the letters of the tables: overflow, sign, zero, auxiliary carry, parity, carry; direction, interrupt,
/// trap, alignment check (K).
inline constexpr std::string_view flag_letters = "OSZAPCDITK";

constexpr u16 flag_bit(char letter) {
  const std::size_t i = flag_letters.find(letter);
  return i == flag_letters.npos ? u16(0) : u16(1u << i);
}

enum class Branch : u8 {
  none,
  jcc,
  loop,               ///< loop and its kin, jecxz
  jmp, jmp_indirect, jmp_far, jmp_far_indirect,
  jmp_absolute,       ///< to an address of 64 bits (APX)
  call, call_indirect, call_far, call_far_indirect,
  ret, ret_far,
  iret,
  xbegin,             ///< holds where to go when the transaction is aborted
  trap,               ///< into the operating system or a handler
  sysret,             ///< and back
};

inline constexpr std::string_view branch_names[] = {
    "none",         "jcc",    "loop",          "jmp",      "jmp_indirect",      "jmp_far", "jmp_far_indirect",
    "jmp_absolute", "call",   "call_indirect", "call_far", "call_far_indirect", "ret",     "ret_far",
    "iret",         "xbegin", "trap",          "sysret"};

/// Processors make one operation of the instruction and the conditional jump behind it, if the jump's condition is one
/// of these pairs (o, b, e, be, s, p, l, le), a bit for each.
enum Fuse : u8 {
  fuse_none = 0,
  fuse_all = 0xFF,        ///< test, and
  fuse_cmp = 0b11001110,  ///< cmp, add, sub
  fuse_inc = 0b11000100,  ///< inc, dec
};

/// What the assembler has to know of few instructions. The words of the tables are these names.
enum Trait : u32 {
  trait_lea = 1u << 0,          ///< the result is the operand's address
  trait_frame = 1u << 1,        ///< enter, leave
  trait_dtable = 1u << 2,       ///< memory holds a limit and the address of a descriptor table: six or ten bytes
  trait_shadow = 1u << 3,       ///< interrupts wait until the next instruction is over
  trait_pushimm = 1u << 4,      ///< pushes a number
  trait_sizesrc = 1u << 5,      ///< the source tells the size, the destination does not
  trait_flataddr = 1u << 6,     ///< the address has 64 bits in 64-bit code, else 32
  trait_norex2 = 1u << 7,       ///< no REX2 prefix
  trait_llvm32 = 1u << 8,       ///< in 16-bit code LLVM takes it to have 32 bits if nothing tells the size
  trait_uncounted = 1u << 9,    ///< LLVM does not count the last byte when it says where the instruction ends
  trait_ownrep = 1u << 10,      ///< F3 in the encoding is a `rep`, and one that is written is the same
  trait_mov = 1u << 11,         ///< mov between registers and memory: linkers make more of it than of other `gotx` rows
  trait_unfenced = 1u << 12,    ///< -mlfence-after-load overlooks that it reads memory
  trait_zeroing = 1u << 13,     ///< of twice the same register it makes zero
  trait_idempotent = 1u << 14,  ///< twice the same register stays as it is
  trait_fence = 1u << 15,       ///< a memory fence
  trait_swapped = 1u << 16,     ///< fsub for fsubr and the like: AT&T's meaning, which -mmnemonic=intel takes back
  trait_usemmx = 1u << 17,      ///< -mx86-used-note counts it as use of these registers, though none is an operand
  trait_usexmm = 1u << 18,
  trait_useymm = 1u << 19,
  trait_v2 = 1u << 20,          ///< -mx86-used-note: x86-64-v2 in 64-bit code
  trait_shortimm = 1u << 21,    ///< opcode | short_opcode_bit has an immediate of eight bits, sign-extended
  trait_unread = 1u << 22,      ///< LLVM does not look at the operand, which only names what is implied
  trait_sum = 1u << 23,         ///< add
  trait_difference = 1u << 24,  ///< sub
  trait_masking = 1u << 25,     ///< and
  trait_gotx247 = 1u << 26,     ///< GNU as from 2.47 on: as `gotx` rows
  trait_repeatable = 1u << 27,  ///< no instruction on strings, but a repetition before it means something to processors
  trait_released = 1u << 28,    ///< `xrelease` makes sense before it, without a `lock`, if it stores
  trait_padlock = 1u << 29,     ///< GNU as from 2.47 on: neither data16 nor repne before it
};

/// What trait_shortimm says of the opcode.
inline constexpr u8 short_opcode_bit = 2;

struct TraitName {
  std::string_view name;
  u32 bit;
};

inline constexpr TraitName trait_names[] = {{"lea", trait_lea},
                                            {"frame", trait_frame},
                                            {"dtable", trait_dtable},
                                            {"shadow", trait_shadow},
                                            {"pushimm", trait_pushimm},
                                            {"sizesrc", trait_sizesrc},
                                            {"flataddr", trait_flataddr},
                                            {"norex2", trait_norex2},
                                            {"llvm32", trait_llvm32},
                                            {"uncounted", trait_uncounted},
                                            {"ownrep", trait_ownrep},
                                            {"mov", trait_mov},
                                            {"unfenced", trait_unfenced},
                                            {"zeroing", trait_zeroing},
                                            {"idempotent", trait_idempotent},
                                            {"fence", trait_fence},
                                            {"swapped", trait_swapped},
                                            {"usemmx", trait_usemmx},
                                            {"usexmm", trait_usexmm},
                                            {"useymm", trait_useymm},
                                            {"v2", trait_v2},
                                            {"shortimm", trait_shortimm},
                                            {"unread", trait_unread},
                                            {"sum", trait_sum},
                                            {"difference", trait_difference},
                                            {"masking", trait_masking},
                                            {"gotx247", trait_gotx247},
                                            {"repeatable", trait_repeatable},
                                            {"released", trait_released},
                                            {"padlock", trait_padlock}};

/// Facts of one row; rows with the same ones share them. Requests of a statement come on top: a write mask without {z}
/// keeps elements of the destination, {nf} leaves the flags alone, rep counts %rcx down.
struct Facts {
  u32 reads = 0;             ///< Resource bits
  u32 writes = 0;
  u32 traits = 0;            ///< Trait bits
  u16 operands = 0;          ///< Access of each, in the order of Row::kind
  u16 flags_read = 0;        ///< flag_bit of each
  u16 flags_written = 0;     ///< all that may change, those below included
  u16 flags_cleared = 0, flags_set = 0, flags_undefined = 0;
  Branch branch = Branch::none;
  u8 fuses = fuse_none;      ///< Fuse
  u8 es_operand = 15;        ///< the operand that is a string at %es:(%rdi), no_operand if none is
  /// Names in x86_related_names, 0: none. The 32-bit operation that does the same if the upper half is zero; the VEX
  /// instruction that does the same; the move that does not ask for alignment.
  u8 narrow = 0, vex = 0, unaligned = 0;

  bool operator==(const Facts&) const = default;

  bool has(Trait trait) const { return traits & trait; }
  u8 access(unsigned operand) const { return operands >> (3 * operand) & 7; }
};

}  // namespace xas::x86
