// SPDX-License-Identifier: Apache-2.0
// The verbs of include/xas/stream.h for unwinding on Windows, which are those of asm/unwind/seh.h.
#include <fmt/format.h>

#include <climits>
#include <iterator>
#include <optional>

#include "asm/stream_verbs.h"
#include "asm/unwind/seh.h"

namespace xas {

namespace {

/// Whose functions a rule describes, on this machine.
UnwindMachine machine_of(xas_seh_rule rule, UnwindMachine here) {
  if (rule == XAS_SEH_PUSHFRAME) return here == UnwindMachine::arm64 ? here : UnwindMachine::x64;
  if (rule == XAS_SEH_NOP) return here == UnwindMachine::arm ? here : UnwindMachine::arm64;
  if (rule < XAS_SEH_PUSHREG) return UnwindMachine::any;
  if (rule < XAS_SEH_SAVE_R19R20_X) return UnwindMachine::x64;
  if (rule > XAS_SEH_ENDPROLOGUE_FRAGMENT) return UnwindMachine::x64;
  return rule < XAS_SEH_STACKALLOC_W ? UnwindMachine::arm64 : UnwindMachine::arm;
}

/// Of ARM64's rules with a form, from XAS_SEH_SAVE_R19R20_X on.
constexpr aarch64::WinUnwind arm64_operations[] = {
    aarch64::WinUnwind::save_r19r20_x, aarch64::WinUnwind::save_fplr,   aarch64::WinUnwind::save_fplr_x,
    aarch64::WinUnwind::save_reg,      aarch64::WinUnwind::save_reg_x,  aarch64::WinUnwind::save_regp,
    aarch64::WinUnwind::save_regp_x,   aarch64::WinUnwind::save_lrpair, aarch64::WinUnwind::save_freg,
    aarch64::WinUnwind::save_freg_x,   aarch64::WinUnwind::save_fregp,  aarch64::WinUnwind::save_fregp_x,
    aarch64::WinUnwind::alloc_z,       aarch64::WinUnwind::set_fp,      aarch64::WinUnwind::add_fp,
    aarch64::WinUnwind::save_next,     aarch64::WinUnwind::trap_frame,  aarch64::WinUnwind::context,
    aarch64::WinUnwind::ec_context,    aarch64::WinUnwind::clear_unwound_to_call,
    aarch64::WinUnwind::pac_sign_lr};
static_assert(XAS_SEH_SAVE_R19R20_X + std::size(arm64_operations) == XAS_SEH_SAVE_ANY_REG);

void say_arm64(Streamer& out, UnwindFrame& f, xas_seh_rule rule, const UnwindOperands& o) {
  switch (rule) {
    case XAS_SEH_SAVE_ANY_REG: return unwind_save_any(out, f, o, false, false);
    case XAS_SEH_SAVE_ANY_REG_P: return unwind_save_any(out, f, o, true, false);
    case XAS_SEH_SAVE_ANY_REG_X: return unwind_save_any(out, f, o, false, true);
    case XAS_SEH_SAVE_ANY_REG_PX: return unwind_save_any(out, f, o, true, true);
    case XAS_SEH_SAVE_ZREG: return unwind_save_scalable(out, f, o, false);
    case XAS_SEH_SAVE_PREG: return unwind_save_scalable(out, f, o, true);
    default: return unwind_arm64(out, f, arm64_operations[rule - XAS_SEH_SAVE_R19R20_X], o);
  }
}

/// The value, of so many bits; null, reported, if it has more.
std::optional<u32> bits_of(Streamer& out, const UnwindOperands& o, i64 largest) {
  if (o.offset >= 0 && o.offset <= largest) return u32(o.offset);
  out.error(o.offset_at, fmt::format("the value {} is not between 0 and {}", o.offset, largest));
  return {};
}

void say_arm(Streamer& out, UnwindFrame& f, xas_seh_rule rule, const UnwindOperands& o) {
  constexpr i64 any = ~u32(0);
  switch (rule) {
    case XAS_SEH_STACKALLOC_W: return unwind_allocate(out, f, o.offset, o.offset_at, true);
    case XAS_SEH_SAVE_REGS:
    case XAS_SEH_SAVE_REGS_W:
      if (const auto mask = bits_of(out, o, 0xFFFF)) unwind_save_mask(out, f, *mask, rule == XAS_SEH_SAVE_REGS_W);
      return;
    case XAS_SEH_SAVE_SP: return unwind_save_sp(out, f, o);
    case XAS_SEH_SAVE_FREGS:
      if (const auto mask = bits_of(out, o, any)) unwind_save_vector_mask(out, f, *mask);
      return;
    case XAS_SEH_SAVE_LR: return unwind_save_lr(out, f, o);
    case XAS_SEH_NOP_W: return unwind_nop(out, f, true);
    case XAS_SEH_CUSTOM:
      if (const auto bytes = bits_of(out, o, any)) unwind_custom(out, f, *bytes);
      return;
    default: return end_unwind_prologue(out, f, true);
  }
}

void begin_epilogue(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  if (o.offset == 0) return begin_unwind_epilogue(out, f);
  if (out.program.unwind.machine != UnwindMachine::arm)
    return out.error(o.offset_at, "only epilogues of ARM have conditions");
  if (const auto condition = bits_of(out, o, condition_always + 1)) begin_unwind_epilogue(out, f, u8(*condition - 1));
}

void push_two(Streamer& out, UnwindFrame& f, const UnwindOperands& o) {
  UnwindOperands other{.reg_at = o.offset_at};
  const Target& target = out.program.target;
  const i64 number = o.offset - 1;
  if (number >= 0 && number < INT_MAX && target.has_register(int(number))) other.reg = target.win_register(int(number));
  unwind_push_two(out, f, o, other);
}

void say_rule(Streamer& out, UnwindFrame& f, xas_seh_rule rule, const UnwindOperands& o) {
  switch (rule) {
    case XAS_SEH_ENDPROLOGUE: return end_unwind_prologue(out, f);
    case XAS_SEH_STACKALLOC: return unwind_allocate(out, f, o.offset, o.offset_at);
    case XAS_SEH_STARTEPILOGUE: return begin_epilogue(out, f, o);
    case XAS_SEH_ENDEPILOGUE: return end_unwind_epilogue(out, f);
    case XAS_SEH_ENDFUNCLET: return end_unwind_code(out, f);
    case XAS_SEH_HANDLERDATA: return begin_handler_data(out, f);
    case XAS_SEH_CODE: return end_handler_data(out, f);
    case XAS_SEH_PUSHFRAME: return unwind_push_machine_frame(out, f, o.offset != 0);
    case XAS_SEH_NOP: return unwind_nop(out, f, false);
    case XAS_SEH_PUSHREG: return unwind_push_register(out, f, o);
    case XAS_SEH_SETFRAME: return unwind_set_frame(out, f, o);
    case XAS_SEH_SAVEREG: return unwind_save_register(out, f, o, false);
    case XAS_SEH_SAVEXMM: return unwind_save_register(out, f, o, true);
    case XAS_SEH_STARTCHAINED: return begin_chained_region(out);
    case XAS_SEH_ENDCHAINED: return end_chained_region(out, f);
    case XAS_SEH_UNWINDV2START: return start_epilogue_pops(out, f);
    case XAS_SEH_SPLITCHAINED: return split_chained_region(out, f);
    case XAS_SEH_PUSH2REGS: return push_two(out, f, o);
    default: break;
  }
  rule < XAS_SEH_STACKALLOC_W ? say_arm64(out, f, rule, o) : say_arm(out, f, rule, o);
}

}  // namespace

bool StreamVerbs::has_unwinding() {
  if (program().is_coff) return true;
  return reader_.error("unwind information of Windows is for COFF objects; frames of ELF are xas_cfi's"), false;
}

void StreamVerbs::begin_unwinding() {
  if (has_unwinding() && has_unwind_tables(reader_.out)) begin_unwind_function(reader_.out);
}

void StreamVerbs::end_unwinding() {
  if (!has_unwinding()) return;
  if (UnwindFrame* f = unwind_frame(reader_.out)) end_unwind_function(reader_.out, *f);
}

void StreamVerbs::unwind_rule(xas_seh_rule rule, xas_register reg, i64 value) {
  Streamer& out = reader_.out;
  if (!has_unwinding()) return;
  const char* const here = program().sources.statement;
  if (rule == XAS_SEH_UNWINDVERSION) return set_unwind_version(out, value, here);
  const bool in_section = rule != XAS_SEH_HANDLERDATA && rule != XAS_SEH_CODE;
  UnwindFrame* const f = unwind_frame(out, machine_of(rule, program().unwind.machine), in_section);
  if (!f) return;
  UnwindOperands o{.offset = value, .reg_at = here, .offset_at = here};
  if (reg) o.reg = program().target.win_register(int(reg - 1));
  say_rule(out, *f, rule, o);
}

void StreamVerbs::unwind_handler(const xas_value& handler, unsigned when) {
  static_assert(u32(XAS_SEH_EXCEPT) == u32(UNW_FLAG_EHANDLER) && u32(XAS_SEH_UNWIND) == u32(UNW_FLAG_UHANDLER));
  Streamer& out = reader_.out;
  if (!has_unwinding()) return;
  UnwindFrame* const f = unwind_frame(out, UnwindMachine::any, false);
  if (!f || !may_have_handler(out, *f)) return;
  if (program().profile.seh_handler_constants) return set_unwind_handler(out, *f, value(handler), {}, u8(when));
  if (when == 0) return reader_.error("a handler is called for exceptions, while unwinding, or both");
  // Its name becomes a symbol when the tables are written.
  const bool late = has_name(handler.add) && !handler.subtract && !handler.constant;
  if (late) return set_unwind_handler(out, *f, {}, handle(handler.add).name.text(), u8(when));
  set_unwind_handler(out, *f, value(handler), {}, u8(when));
}

}  // namespace xas
