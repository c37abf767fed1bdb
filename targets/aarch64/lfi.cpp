// SPDX-License-Identifier: Apache-2.0
// Code for a sandbox of 4 GB (Lightweight Fault Isolation): x27 holds the sandbox's first address, x28, x30 and sp hold
// addresses in it, x25 points to what the runtime keeps for the thread, and x26 is free for what is made here.
// Instructions are looked at when they have been encoded: an address, a new stack pointer or a place to branch to is
// cut down to 32 bits and added to x27. `add x28, x27, wN, uxtw` is called a guard of xN: as long as neither of the two
// changes, accesses through xN need no other. What LLVM leaves as it is stays, with a warning.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"

namespace xas::aarch64 {

namespace {

constexpr unsigned thread_data = 25, scratch = 26, sandbox = 27, in_sandbox = 28, link = 30, stack = 31;

constexpr unsigned rd(u32 word) { return field(word, 0, 5); }
constexpr unsigned rn(u32 word) { return field(word, 5, 5); }
constexpr unsigned rm(u32 word) { return field(word, 16, 5); }
constexpr u32 with_rd(u32 word, unsigned r) { return (word & ~u32(0x1F)) | r; }
constexpr u32 with_rn(u32 word, unsigned r) { return (word & ~u32(0x3E0)) | r << 5; }

/// add xTo, x27, wFrom, uxtw
constexpr u32 confined(unsigned to, unsigned from) { return 0x8B204000 | from << 16 | sandbox << 5 | to; }
/// add or sub xR, xR, #by
constexpr u32 moved(unsigned r, i32 by) {
  return (by < 0 ? 0xD1000000 | u32(-by) << 10 : 0x91000000 | u32(by) << 10) | r << 5 | r;
}

/// How a load or store says its address.
enum class Address : u8 {
  none,
  literal,      ///< a distance
  based,        ///< [xN], [xN, #i]
  scaled,       ///< [xN, #i] of one register: there is a form with a register's offset
  before,       ///< [xN, #i]!
  after,        ///< [xN], #i
  indexed,      ///< [xN, xM, extend]
  pair_before,  ///< of two registers
  pair_after,
  list_after,   ///< of a list of vectors: [xN], #i or [xN], xM
};

/// Where it says whether it loads or stores.
enum class Effect : u8 { both, load, in_l, in_opc };

constexpr struct Access {
  u32 mask, bits;
  Address address;
  Effect effect;
} accesses[] = {
    {0x3FA00000, 0x08800000, Address::based, Effect::in_l},        // ldar, stlr and their kin
    {0x3F000000, 0x08000000, Address::based, Effect::both},        // exclusive ones, cas
    {0x3F208C00, 0x38200000, Address::based, Effect::both},        // ldadd and its kin
    {0x3F20FC00, 0x38208000, Address::based, Effect::both},        // swp
    {0x3FFFFC00, 0x38BFC000, Address::based, Effect::load},        // ldapr
    {0xFA000000, 0xE8000000, Address::none, Effect::both},         // ldtp, sttp
    {0xFE400000, 0x68000000, Address::none, Effect::both},         // stgp
    {0x3B800000, 0x28800000, Address::pair_after, Effect::in_l},   // ldp, stp
    {0x3B800000, 0x29800000, Address::pair_before, Effect::in_l},
    {0x3A000000, 0x28000000, Address::based, Effect::in_l},        // and ldnp, stnp
    {0x3B000000, 0x39000000, Address::scaled, Effect::in_opc},     // ldr, str, prfm
    {0x3B200C00, 0x38000400, Address::after, Effect::in_opc},
    {0x3B200C00, 0x38000C00, Address::before, Effect::in_opc},
    {0x3B200C00, 0x38200800, Address::indexed, Effect::in_opc},
    {0x3B200C00, 0x38000000, Address::based, Effect::in_opc},      // ldur, stur, prfum
    {0x3B000000, 0x18000000, Address::literal, Effect::load},
    {0xBFBF0000, 0x0C000000, Address::based, Effect::in_l},        // ld1 to ld4, st1 to st4
    {0xBFA00000, 0x0C800000, Address::list_after, Effect::in_l},
    {0xBF9F0000, 0x0D000000, Address::based, Effect::in_l},        // of one element
    {0xBF800000, 0x0D800000, Address::list_after, Effect::in_l},
};

constexpr Access no_access = {0, 0, Address::none, Effect::both};

const Access& access_of(u32 word) {
  for (const Access& a : accesses)
    if ((word & a.mask) == a.bits) return a;
  return no_access;
}

/// The sandbox is asked to confine it.
bool is_confined(const Lfi& lfi, Effect effect, u32 word) {
  bool loads = true, stores = true;
  switch (effect) {
    case Effect::both: break;
    case Effect::load: stores = false; break;
    case Effect::in_l: loads = field(word, 22, 1); stores = !loads; break;
    case Effect::in_opc: loads = field(word, 22, field(word, 26, 1) ? 1 : 2); stores = !loads; break;
  }
  return (loads && lfi.confines_loads) || (stores && lfi.confines_stores);
}

/// Bytes that a load or store of a list moves.
u32 list_size(u32 word) {
  if (!field(word, 24, 1)) {
    constexpr u8 registers[16] = {4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2};
    return u32(registers[field(word, 12, 4)]) << (field(word, 30, 1) ? 4 : 3);
  }
  // One element of each register, or the same in all of its elements.
  const u32 registers = (field(word, 13, 1) << 1 | field(word, 21, 1)) + 1, scale = field(word, 14, 2);
  if (scale == 3) return registers << field(word, 10, 2);
  return registers << (scale == 2 ? 2 + field(word, 10, 1) : scale);
}

/// A load or store of one register at [x27, wM, uxtw].
constexpr u32 at_low_half(u32 word, unsigned m) { return (word & 0xC4C0001F) | 0x38204800 | m << 16 | sandbox << 5; }

/// x26 becomes the sum in the brackets.
u32 sum_of(u32 word) {
  const u32 scale = field(word, 26, 1) && field(word, 23, 1) ? 4 : field(word, 30, 2);
  const u32 option = field(word, 13, 3), shift = field(word, 12, 1) ? scale : 0;
  const u32 rest = shift << 10 | rm(word) << 16 | rn(word) << 5 | scratch;
  constexpr u32 lsl = 3;
  // That form has xzr in the place of sp; llvm-mc takes it all the same.
  return option == lsl ? 0x8B000000 | rest : 0x8B200000 | option << 13 | rest;
}

/// dc and ic of one address, that programs may use.
bool is_cache_operation(u32 word) {
  if ((word & 0xFFFFF0E0) != 0xD50B7020) return false;
  const u32 m = field(word, 8, 4);
  return m == 4 || m == 5 || (m >= 10 && m <= 14);
}
bool is_system(u32 word) { return (word & 0xFFF80000) == 0xD5080000; }

/// br, blr and ret.
bool is_indirect_branch(u32 word) { return (word & 0xFF9FFC1F) == 0xD61F0000 && field(word, 21, 2) != 3; }
constexpr u32 plain_ret = 0xD65F03C0;

/// Registers that LLVM does not know as general ones: pairs of casp, rcwcasp and mrrs, the eight of ld64b, those of
/// sysl, whose other names with one operand are instructions of their own.
bool has_other_registers(u32 word, const Operands& o) {
  return (word & 0xBFA00000) == 0x08200000 || (word & 0xBFA00000) == 0x09800000 ||
         (word & 0xBF20FC00) == 0x19200C00 ||
         (word & 0xFFF00000) == 0xD5700000 || (word & 0xFFFFFC00) == 0xF83FD000 ||
         ((word & 0xFFF80000) == 0xD5280000 && o.count > 1);
}

bool is_general(Atom a) { return a == atom_w || a == atom_x; }

/// The general registers that operands name and the instruction changes, a bit for each.
u32 named_changes(const Facts& facts, const Operands& o, u32 word) {
  if (has_other_registers(word, o)) return 0;
  u32 changes = 0;
  for (unsigned i = 0; i < o.count; ++i)
    if ((facts.writes >> i & 1) && is_general(o.atom(i))) changes |= u32(1) << o.value[i];
  return changes;
}

/// Those that it changes without naming them.
u32 silent_changes(const Facts& facts) {
  const auto bit = [&](atoms::State state, unsigned number) {
    return facts.state_writes & state ? u32(1) << number : 0;
  };
  return bit(atoms::state_x15, 15) | bit(atoms::state_x16, 16) | bit(atoms::state_x17, 17) | bit(atoms::state_lr, link);
}

bool changes_stack(const Facts& facts, const Operands& o) {
  return (facts.writes & 1) && (o.atom(0) == atom_sp || o.atom(0) == atom_wsp);
}

/// Where the address of a load or store begins; -1: it has none.
int address_at(const Operands& o) {
  for (unsigned i = 0; i < o.count; ++i)
    if (o.atom(i) == atom_open) return int(i);
  return -1;
}

/// What an instruction becomes.
struct Confined {
  u32 words[4];
  unsigned count = 0;
  unsigned main = 0;         ///< the one that has the fields of the original
  u32 changes = 0;           ///< registers that are changed, a bit for each
  bool has_guard = false;    ///< there is a new one
  bool is_branch = false;
  bool takes_tls_call = false;

  void add(u32 word) { words[count++] = word; }
  void add_main(u32 word) {
    main = count;
    add(word);
  }
};

void add_guard(Lfi& lfi, unsigned r, Confined& to) {
  if (lfi.guarded == int(r)) return;
  to.add(confined(in_sandbox, r));
  to.has_guard = true;
  if (lfi.shares_guards) lfi.guarded = int(r);
}

/// ld1 {...}, [xN], ...
void confine_list_after(Lfi& lfi, u32 word, Confined& to) {
  const unsigned n = rn(word), m = rm(word);
  constexpr u32 after = 0x009F0000;
  if (n == stack) {
    if (m == 31) return to.add_main(word);
    to.add_main(word & ~after);
    to.add(0x8B206000 | m << 16 | stack << 5 | scratch);  // add x26, sp, xM
    to.changes |= u32(1) << scratch;
    return to.add(confined(stack, scratch));
  }
  add_guard(lfi, n, to);
  to.add_main(with_rn(word & ~after, in_sandbox));
  to.add(m == 31 ? moved(n, i32(list_size(word))) : 0x8B000000 | m << 16 | n << 5 | n);
}

/// `has_fields`: some of its bits are not known yet.
void confine_access(Lfi& lfi, Address form, u32 word, bool has_fields, Confined& to) {
  const unsigned n = rn(word);
  if (form == Address::list_after) return confine_list_after(lfi, word, to);
  if (form == Address::indexed) {
    to.add(sum_of(word));
    to.changes |= u32(1) << scratch;
    return to.add_main(at_low_half(word, scratch));
  }
  if (n == stack) return to.add_main(word);
  switch (form) {
    case Address::before:
      to.add(moved(n, i32(signed_field(word, 12, 9))));
      return to.add_main(at_low_half(word, n));
    case Address::after:
      to.add_main(at_low_half(word, n));
      return to.add(moved(n, i32(signed_field(word, 12, 9))));
    case Address::pair_before:
    case Address::pair_after: {
      const unsigned scale = field(word, 26, 1) ? 2 + field(word, 30, 2) : 2 + field(word, 31, 1);
      const bool after = form == Address::pair_after;
      add_guard(lfi, n, to);
      to.add_main(with_rn((word & ~u32(after ? 0x01BF8000 : 0x01800000)) | 0x01000000, in_sandbox));
      return to.add(moved(n, i32(signed_field(word, 15, 7)) * (1 << scale)));
    }
    case Address::scaled:
      if (!has_fields && field(word, 10, 12) == 0) return to.add_main(at_low_half(word, n));
      [[fallthrough]];
    default:
      add_guard(lfi, n, to);
      return to.add_main(with_rn(word, in_sandbox));
  }
}

/// A new value of sp, by way of x26.
void confine_stack(u32 word, bool has_fields, Confined& to) {
  constexpr u32 mov = 0x9100001F;  // mov sp, xN
  if ((word & 0xFFFFFC1F) == mov && !has_fields) return to.add_main(confined(stack, rn(word)));
  to.add_main(with_rd(word, scratch));
  to.changes |= u32(1) << scratch;
  to.add(confined(stack, scratch));
}

/// System calls, the thread's pointer, indirect branches, caches. False: it is something else.
bool confine_system(Lfi& lfi, u32 word, Confined& to) {
  constexpr u32 thread_pointer = (16 / 8) << 10 | thread_data << 5;  // [x25, #16]
  if ((word & 0xFFE0001F) == 0xD4000001) {
    to.add(0xAA0003E0 | link << 16 | scratch);      // mov x26, x30
    to.add(0xF85F8000 | sandbox << 5 | link);       // ldur x30, [x27, #-8]
    to.add(0xD63F0000 | link << 5);                 // blr x30
    to.add(confined(link, scratch));
    to.is_branch = true;
  } else if ((word & 0xFFFFFFE0) == 0xD53BD040) {
    to.add(0xF9400000 | thread_pointer | rd(word));
  } else if ((word & 0xFFFFFFE0) == 0xD51BD040) {
    to.add(0xF9000000 | thread_pointer | rd(word));
  } else if (is_indirect_branch(word) && word != plain_ret) {
    add_guard(lfi, rn(word), to);
    to.add_main(with_rn(word, in_sandbox));
    to.takes_tls_call = true;
  } else if (is_cache_operation(word)) {
    add_guard(lfi, rd(word), to);
    to.add(with_rd(word, in_sandbox));
  } else {
    return false;
  }
  return true;
}

/// False after an error.
bool is_allowed(const Lfi& lfi, const Facts& facts, u32 word, const Operands& o, Emitter& out) {
  constexpr u32 reserved = u32(1) << thread_data | u32(1) << sandbox | u32(1) << in_sandbox;
  if (named_changes(facts, o, word) & reserved) {
    for (unsigned i = 0; i < o.count; ++i) {
      if (!(facts.writes >> i & 1) || !is_general(o.atom(i)) || !(reserved >> o.value[i] & 1)) continue;
      out.error(o.where[i],
                fmt::format("x{} is reserved in the code of a sandbox (LFI), and may not be changed", o.value[i]));
      return false;
    }
  }
  if (access_of(word).address == Address::literal && lfi.confines_loads) {
    out.error(o.where[o.count - 1],
              "the code of a sandbox (LFI) has no loads from a distance; adrp and an offset reach there");
    return false;
  }
  return true;
}

/// What may leave the sandbox is said; it stays as it is.
void warn_unconfined(const Lfi& lfi, const Facts& facts, u32 word, const Operands& o, const char* where,
                     Emitter& out) {
  const bool branches = facts.branch != atoms::Branch::none && facts.indirect && word != plain_ret;
  const bool accesses = (facts.loads && lfi.confines_loads) || (facts.stores && lfi.confines_stores);
  const int at = address_at(o);
  if (branches)
    out.warning(where, "this branch is not confined to the sandbox (LFI): br, blr and ret are");
  else if (is_system(word) || (accesses && at >= 0))
    out.warning(where, "this access to memory has no form that is confined to the sandbox (LFI)");
}

/// False after an error.
bool confine(Lfi& lfi, const Facts& facts, u32 word, bool has_fields, const Operands& o, Confined& to,
             const char* where, Emitter& out) {
  if (!is_allowed(lfi, facts, word, o, out)) return false;
  if (confine_system(lfi, word, to)) return true;
  const u32 named = named_changes(facts, o, word);
  const Access* access = &access_of(word);
  // rprfm has the bits of a prefetch, and its address is no operand.
  if (access->address == Address::indexed && o.atom(1) != atom_open) access = &no_access;
  if (access->address != Address::none) {
    if (is_confined(lfi, access->effect, word)) confine_access(lfi, access->address, word, has_fields, to);
    else to.add_main(word);
  } else if (changes_stack(facts, o) && address_at(o) < 0 && (lfi.confines_loads || lfi.confines_stores)) {
    confine_stack(word, has_fields, to);
  } else {
    warn_unconfined(lfi, facts, word, o, where, out);
    to.add_main(word);
  }
  if (named >> link & 1) to.add(confined(link, link));
  return true;
}

}  // namespace

void AArch64Target::emit_confined(const Row& row, const Encoded& e, const Operands& o, const char* where,
                                  Emitter& out) {
  repeats_ = false;
  const u64 before = out.places();
  if (before != lfi_.places) lfi_.guarded = Lfi::no_guard;
  const Facts& facts = facts_of(row);
  Confined to;
  if (!lfi_.rewrites) to.add_main(e.word);
  else if (!confine(lfi_, facts, e.word, e.pending, o, to, where, out)) return;
  for (unsigned i = 0; i < to.count; ++i) put_word(out.out + 4 * i, to.words[i]);
  const u8 at = u8(4 * to.main);
  if (to.takes_tls_call && lfi_.tls_call) {
    out.fixup({.kind = fixup_tls_call, .at = at}, *lfi_.tls_call, o.where[0]);
    lfi_.tls_call.reset();
  }
  put_fields(e, o, at, out);
  out.advance(4 * to.count);

  const u32 changes = to.changes | named_changes(facts, o, e.word) | silent_changes(facts);
  const bool stays = lfi_.rewrites && !to.is_branch && facts.branch == atoms::Branch::none;
  lfi_.places = out.places();
  // A place that this instruction itself has made (a row of a line table) stands before a new guard.
  if (!stays || (lfi_.places != before && !to.has_guard) || (lfi_.guarded >= 0 && (changes >> lfi_.guarded & 1)))
    lfi_.guarded = Lfi::no_guard;
}

}  // namespace xas::aarch64
