// SPDX-License-Identifier: Apache-2.0
// Registers that must differ or can't stand somewhere, which rows and their mnemonics say (`clash` in facts.isa), and
// coprocessors that the selected processor does not have.
#include "targets/arm/arm.h"
#include "targets/arm/tables.h"

namespace xas::arm {

namespace {

bool has_pc(const Operands& o) {
  for (unsigned i = 0; i < o.count; ++i)
    if (o.atom(i) == atom_pc) return true;
  return false;
}

}  // namespace

/// What the selected processor does not have although it has the form; empty if there is nothing.
std::string_view ArmTarget::unavailable(const Row& row, u32 word) const {
  if (!(row.flags & (row_coprocessor | row_custom))) return {};
  const unsigned number = word >> 8 & (row.flags & row_custom ? 7 : 15);
  const bool system = number >= 14, with_mve = system || number == 8 || number == 9;
  if (!options_.gnu && processor_.is_selected() && ((chosen("v8") && !system) || (chosen("v8.1m.main") && with_mve)))
    return "the selected architecture has no such coprocessor";
  if (!thumb_ || !chosen("cde")) return {};
  const bool is_custom = number < 8 && chosen(std::string("cdecp") + char('0' + number));
  if (is_custom == ((row.flags & row_custom) != 0)) return {};
  return is_custom ? "this coprocessor is a custom datapath"
                   : "this coprocessor is not configured as a custom datapath";
}

/// Checks of a row with one of the flags row_checked; false after an error.
bool ArmTarget::is_sound(const Row& row, u32 word, const Operands& o, const char* where, Emitter& out) const {
  if ((row.flags & row_no_pc) && has_pc(o)) {
    out.warning(where, "pc can't stand here: what the processor does is not known");
    return true;
  }
  const Facts& facts = facts_of(row);
  for (const ClashUse* use = arm_clash_uses + facts.clashes; use != arm_clash_uses + facts.clashes + facts.clash_count;
       ++use) {
    const Clash& clash = arm_clashes[use->clash];
    const Severity severity = options_.gnu ? clash.gnu : clash.llvm;
    if (severity == Severity::none || !processor_.has_rule(clash) || !clashes(arm_clash_tests + use->tests, word))
      continue;
    if (severity == Severity::warning) return out.warning(where, std::string(clash.message)), true;
    return out.error(where, std::string(clash.message)), false;
  }
  const std::string_view missing = unavailable(row, word);
  if (!missing.empty()) out.error(where, std::string(missing));
  return missing.empty();
}

}  // namespace xas::arm
