// SPDX-License-Identifier: Apache-2.0
// The directives .seh_* said by xas_seh of xas/stream.h.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/embedding/said_text.h"
#include "xas/stream.h"

namespace said_text {

/// {r4-r7, lr}: a bit for each register whose name begins with `kind`.
inline bool register_mask(string_view s, char kind, std::int64_t& mask) {
  static const std::map<string_view, unsigned> names = {{"ip", 12}, {"sp", 13}, {"lr", 14}, {"pc", 15}};
  const auto number_of = [&](string_view name, unsigned& n) {
    std::int64_t number_read;
    if (const auto known = names.find(name); kind == 'r' && known != names.end()) return n = known->second, true;
    if (name.size() < 2 || name[0] != kind || !number(name.substr(1), number_read) || number_read > 31) return false;
    return n = unsigned(number_read), true;
  };
  if (!s.starts_with("{") || !s.ends_with("}")) return false;
  for (const string_view part : operands_of(s.substr(1, s.size() - 2))) {
    const std::size_t dash = part.find('-');
    unsigned first, last;
    if (!number_of(trimmed(part.substr(0, dash)), first)) return false;
    last = first;
    if (dash != part.npos && !number_of(trimmed(part.substr(dash + 1)), last)) return false;
    for (unsigned n = first; n <= last; ++n) mask |= std::int64_t(1) << n;
  }
  return mask != 0;
}

/// `.seh_name list` by xas_seh; false if it is none of its rules, or not in a plain form. `s`: the operands as they
/// stand.
inline bool say_unwinding(xas_context* x, string_view name, const std::vector<string_view>& list, string_view s) {
  enum Operands { none, a_value, a_register, both, two_registers, general_mask, vector_mask };
  struct Rule {
    xas_seh_rule rule;
    Operands operands;
  };
  static const std::map<string_view, Rule> rules = {
      {"endprologue", {XAS_SEH_ENDPROLOGUE, none}},
      {"stackalloc", {XAS_SEH_STACKALLOC, a_value}},
      {"startepilogue", {XAS_SEH_STARTEPILOGUE, none}},
      {"endepilogue", {XAS_SEH_ENDEPILOGUE, none}},
      {"endfunclet", {XAS_SEH_ENDFUNCLET, none}},
      {"handlerdata", {XAS_SEH_HANDLERDATA, none}},
      {"code", {XAS_SEH_CODE, none}},
      {"pushframe", {XAS_SEH_PUSHFRAME, none}},
      {"nop", {XAS_SEH_NOP, none}},
      {"pushreg", {XAS_SEH_PUSHREG, a_register}},
      {"setframe", {XAS_SEH_SETFRAME, both}},
      {"savereg", {XAS_SEH_SAVEREG, both}},
      {"savexmm", {XAS_SEH_SAVEXMM, both}},
      {"startchained", {XAS_SEH_STARTCHAINED, none}},
      {"endchained", {XAS_SEH_ENDCHAINED, none}},
      {"unwindversion", {XAS_SEH_UNWINDVERSION, a_value}},
      {"unwindv2start", {XAS_SEH_UNWINDV2START, none}},
      {"splitchained", {XAS_SEH_SPLITCHAINED, none}},
      {"push2regs", {XAS_SEH_PUSH2REGS, two_registers}},
      {"save_r19r20_x", {XAS_SEH_SAVE_R19R20_X, a_value}},
      {"save_fplr", {XAS_SEH_SAVE_FPLR, a_value}},
      {"save_fplr_x", {XAS_SEH_SAVE_FPLR_X, a_value}},
      {"save_reg", {XAS_SEH_SAVE_REG, both}},
      {"save_reg_x", {XAS_SEH_SAVE_REG_X, both}},
      {"save_regp", {XAS_SEH_SAVE_REGP, both}},
      {"save_regp_x", {XAS_SEH_SAVE_REGP_X, both}},
      {"save_lrpair", {XAS_SEH_SAVE_LRPAIR, both}},
      {"save_freg", {XAS_SEH_SAVE_FREG, both}},
      {"save_freg_x", {XAS_SEH_SAVE_FREG_X, both}},
      {"save_fregp", {XAS_SEH_SAVE_FREGP, both}},
      {"save_fregp_x", {XAS_SEH_SAVE_FREGP_X, both}},
      {"allocz", {XAS_SEH_ALLOCZ, a_value}},
      {"set_fp", {XAS_SEH_SET_FP, none}},
      {"add_fp", {XAS_SEH_ADD_FP, a_value}},
      {"save_next", {XAS_SEH_SAVE_NEXT, none}},
      {"trap_frame", {XAS_SEH_TRAP_FRAME, none}},
      {"context", {XAS_SEH_CONTEXT, none}},
      {"ec_context", {XAS_SEH_EC_CONTEXT, none}},
      {"clear_unwound_to_call", {XAS_SEH_CLEAR_UNWOUND_TO_CALL, none}},
      {"pac_sign_lr", {XAS_SEH_PAC_SIGN_LR, none}},
      {"save_any_reg", {XAS_SEH_SAVE_ANY_REG, both}},
      {"save_any_reg_p", {XAS_SEH_SAVE_ANY_REG_P, both}},
      {"save_any_reg_x", {XAS_SEH_SAVE_ANY_REG_X, both}},
      {"save_any_reg_px", {XAS_SEH_SAVE_ANY_REG_PX, both}},
      {"save_zreg", {XAS_SEH_SAVE_ZREG, both}},
      {"save_preg", {XAS_SEH_SAVE_PREG, both}},
      {"stackalloc_w", {XAS_SEH_STACKALLOC_W, a_value}},
      {"save_regs", {XAS_SEH_SAVE_REGS, general_mask}},
      {"save_regs_w", {XAS_SEH_SAVE_REGS_W, general_mask}},
      {"save_sp", {XAS_SEH_SAVE_SP, a_register}},
      {"save_fregs", {XAS_SEH_SAVE_FREGS, vector_mask}},
      {"save_lr", {XAS_SEH_SAVE_LR, a_value}},
      {"nop_w", {XAS_SEH_NOP_W, none}},
      {"endprologue_fragment", {XAS_SEH_ENDPROLOGUE_FRAGMENT, none}}};
  const auto known = rules.find(name);
  if (known == rules.end()) return false;
  const Operands has = known->second.operands;
  const bool is_mask = has == general_mask || has == vector_mask;
  std::int64_t n = 0;
  xas_register reg = 0;
  if (is_mask ? !register_mask(s, has == general_mask ? 'r' : 'd', n)
              : list.size() != (has == both || has == two_registers ? 2 : has != none ? 1 : 0))
    return false;
  const auto named = [&](string_view operand) {
    return xas_register_named(x, string(operand.substr(operand.starts_with("%"))).c_str());
  };
  if (has == a_register || has == both || has == two_registers) {
    if (!(reg = named(list[0]))) return false;
  }
  if (has == two_registers && !(n = named(list[1]))) return false;
  if ((has == a_value || has == both) && !number(list.back(), n)) return false;
  xas_seh(x, known->second.rule, reg, n);
  return true;
}

}  // namespace said_text
