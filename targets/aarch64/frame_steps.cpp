// SPDX-License-Identifier: Apache-2.0
// What instructions do to stack and registers, step by step (--scfi). Loads, stores and sums are told by the word, all
// else by the facts of the row.
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"
#include "targets/frame_step.h"

namespace xas::aarch64 {

namespace {

using Step = FrameStep;
using Kind = FrameStep::Kind;

constexpr u32 sp = 31, fp = 29;       ///< DWARF numbers, which are those of the general registers
constexpr u32 vector_registers = 64;  ///< the number of v0

constexpr bool saved(u32 number) {
  return (number >= 19 && number <= sp) || (number >= vector_registers + 8 && number <= vector_registers + 15);
}

constexpr FrameRegisters frame_registers_of_a64{.stack_pointer = sp, .frame_pointer = fp, .is_saved = saved};

/// How an address is formed.
enum class Mode : u8 { offset, before, after };

/// A load or store of a register, or of two.
struct Transfer {
  u32 base = 0;
  i64 offset = 0;
  Mode mode = Mode::offset;
  bool loads = false;
  u32 bytes = 0;  ///< of each register; 0: what no frame is told of, a part of one
  u32 registers[2]{};
  unsigned count = 0;  ///< of registers
};

/// ldp, stp and their kin, but for those without an allocation hint's use (ldnp, stnp).
bool read_pair(u32 word, Transfer& t) {
  if ((word & 0x3A00'0000) != 0x2800'0000 || !field(word, 23, 2)) return false;
  const u32 size = word >> 30;
  const bool is_vector = field(word, 26, 1), tags_or_words = !is_vector && size == 1;
  t.loads = field(word, 22, 1);
  const u32 bytes = is_vector ? 4u << size : size == 2 ? 8 : 4;
  const u32 unit = tags_or_words && !t.loads ? 16 : bytes;  // stgp, ldpsw
  t.offset = signed_field(word, 15, 7) * unit;
  t.mode = field(word, 23, 2) == 1 ? Mode::after : field(word, 23, 2) == 3 ? Mode::before : Mode::offset;
  t.base = field(word, 5, 5);
  if (bytes >= 8) t.bytes = bytes;
  for (const unsigned at : {0u, 10u}) t.registers[t.count++] = field(word, at, 5) + (is_vector ? vector_registers : 0);
  return true;
}

/// ldr, str and their kin with an offset that is a number; tags.
bool read_single(u32 word, Transfer& t) {
  if ((word & 0xFF20'0400) == 0xD920'0400) {
    t.offset = signed_field(word, 12, 9) * 16;
    t.mode = field(word, 11, 1) ? Mode::before : Mode::after;
    t.base = field(word, 5, 5);
    return true;
  }
  const u32 size = word >> 30, opc = field(word, 22, 2);
  const bool is_vector = field(word, 26, 1);
  const bool is_quad = is_vector && size == 0 && opc >= 2;
  if ((word & 0x3B00'0000) == 0x3900'0000) {
    t.offset = i64(field(word, 10, 12)) << (is_quad ? 4 : size);
  } else if ((word & 0x3B20'0400) == 0x3800'0400) {
    t.offset = signed_field(word, 12, 9);
    t.mode = field(word, 11, 1) ? Mode::before : Mode::after;
  } else {
    return false;
  }
  t.base = field(word, 5, 5);
  t.loads = opc & 1;
  if (is_quad || (size == 3 && opc < 2)) {
    t.bytes = is_quad ? 16 : 8;
    t.registers[t.count++] = field(word, 0, 5) + (is_vector ? vector_registers : 0);
  }
  return true;
}

/// A register's offset: ldr x0, [x1, x2]
bool has_register_offset(u32 word) { return (word & 0x3B20'0C00) == 0x3820'0800; }
/// irg, which changes nothing of an address but its tag
bool only_tags(u32 word) { return (word & 0xFFE0'FC00) == 0x9AC0'1000; }

}  // namespace

const FrameRegisters* AArch64Target::frame_registers() const {
  return options_.frame_steps ? &frame_registers_of_a64 : nullptr;
}

void AArch64Target::describe_branch(const Row& row, const Operands& o, const Encoded& e, const char* where,
                                    Emitter& out) const {
  const Facts& facts = facts_of(row);
  switch (facts.branch) {
    case atoms::Branch::none: return;
    case atoms::Branch::call: return out.frame_step({.kind = Kind::call}, where);
    case atoms::Branch::ret: return out.frame_step({.kind = Kind::leave}, where);
    case atoms::Branch::jump: break;
  }
  if (facts.indirect) return out.frame_step({.kind = Kind::jump}, where);
  const Value target = e.pending ? o.expr[e.fields[0].expr] : Value{};
  if (!target.is_symbol_plus_constant() || target.constant)
    return out.no_frame_steps(where, "--scfi can't follow a branch to anything but a label");
  out.frame_step({.kind = facts.conditional ? Kind::branch : Kind::jump, .target = target.add}, where);
}

/// Sums and copies of addresses. False: it is none.
bool AArch64Target::describe_sum(const Operands& o, const Encoded& e, const char* where, Emitter& out) const {
  const u32 word = e.word;
  const bool immediate = (word & 0x1F80'0000) == 0x1100'0000, extended = (word & 0x1FE0'0000) == 0x0B20'0000;
  if (!immediate && !extended) return false;
  const u32 rd = field(word, 0, 5), rn = field(word, 5, 5);
  if (field(word, 29, 1) && rd == 31) return true;  // compares
  const Kind kind = field(word, 30, 1) ? Kind::subtract : Kind::add;
  const bool wide = word >> 31;
  const auto say = [&](const Step& step) { out.frame_step(step, where); };
  if (!wide || e.pending || (extended && (field(word, 13, 3) != 3 || field(word, 10, 3)))) {
    if (rd == sp || rd == fp) say({.kind = Kind::set, .to = FrameOperand::of(rd)});
  } else if (extended) {
    say({.kind = kind, .from = FrameOperand::of(rn), .to = FrameOperand::of(rd), .by_number = false});
  } else if (o.count == 2) {  // mov
    say({.kind = Kind::move, .from = FrameOperand::of(rn), .to = FrameOperand::of(rd)});
  } else {
    const i64 number = i64(field(word, 10, 12)) << (field(word, 22, 1) ? 12 : 0);
    say({.kind = kind, .from = FrameOperand::of(rn), .to = FrameOperand::of(rd), .number = number});
  }
  return true;
}

/// Loads and stores. False: it is none of those that tell of a frame.
bool AArch64Target::describe_transfer(u32 word, const char* where, Emitter& out) const {
  Transfer t;
  if (!read_pair(word, t) && !read_single(word, t)) return false;
  const auto say = [&](const Step& step) { out.frame_step(step, where); };
  const auto write_back = [&](Mode mode) {
    if (t.mode != mode) return;
    say({.kind = Kind::add, .from = FrameOperand::of(t.base), .to = FrameOperand::of(t.base), .number = t.offset});
  };
  write_back(Mode::before);
  i64 at = t.mode == Mode::offset ? t.offset : 0;
  if (t.bytes == 16 && info_.big_endian) at += 8;  // the half that a function has to give back
  for (unsigned i = 0; t.bytes && i < t.count; ++i, at += t.bytes) {
    if (t.registers[i] == 31) continue;  // xzr
    const FrameOperand reg = FrameOperand::of(t.registers[i]), memory = FrameOperand::at(t.base, at);
    if (t.loads)
      say({.kind = Kind::load, .from = memory, .to = reg});
    else
      say({.kind = Kind::store, .from = reg, .to = memory});
  }
  write_back(Mode::after);
  return true;
}

void AArch64Target::describe(const Row& row, const Operands& o, const Encoded& e, const char* where,
                             Emitter& out) const {
  const Facts& facts = facts_of(row);
  if (facts.branch != atoms::Branch::none) return describe_branch(row, o, e, where, out);
  if (describe_sum(o, e, where, out) || describe_transfer(e.word, where, out) || only_tags(e.word)) return;
  if (has_register_offset(e.word) && (facts.loads || facts.stores)) {
    if (saved(field(e.word, 0, 5) + (field(e.word, 26, 1) ? vector_registers : 0)))
      out.warning(where,
                  "a register that has to be given back, at an offset that is a register's: --scfi does not "
                  "take this for saving or restoring it");
    return;
  }
  bool on_stack = false, keeps_vector = false;
  for (unsigned i = 0; i < o.count; ++i) {
    const Atom atom = o.atom(i);
    const bool general = atom == atom_w || atom == atom_x, pointer = atom == atom_sp || atom == atom_wsp;
    const bool is_fp = general && o.value[i] == fp;
    on_stack |= pointer || is_fp;
    keeps_vector |= ((atom >= atom_z && atom <= atom_z_q) || (atom >= atom_list1 && atom <= atom_list4)) &&
                    o.value[i] >= 8 && o.value[i] <= 15;
    if ((facts.writes >> i & 1) && (pointer || is_fp))
      out.frame_step({.kind = Kind::set, .to = FrameOperand::of(pointer ? sp : fp)}, where);
  }
  if ((facts.loads || facts.stores) && on_stack && keeps_vector)
    out.no_frame_steps(where, "--scfi does not know where this saves or restores a register");
}

}  // namespace xas::aarch64
