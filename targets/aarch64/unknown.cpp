// SPDX-License-Identifier: Apache-2.0
// What is said of names that are no mnemonics of A64.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/advice.h"
#include "targets/nearest_name.h"

namespace xas::aarch64 {

namespace {

/// What 32-bit ARM has, and A64 does otherwise.
constexpr struct {
  std::string_view name, instead;
} arm_only[] = {
    {"push", "'str x0, [sp, #-16]!', or stp for a pair"},
    {"pop", "'ldr x0, [sp], #16', or ldp for a pair"},
    {"ldm", "ldp"},
    {"ldmia", "ldp"},
    {"ldmfd", "ldp"},
    {"ldmdb", "ldp"},
    {"ldmib", "ldp"},
    {"ldrd", "ldp"},
    {"stm", "stp"},
    {"stmia", "stp"},
    {"stmfd", "stp"},
    {"stmdb", "stp"},
    {"stmib", "stp"},
    {"strd", "stp"},
    {"bx", "br, or ret to return"},
    {"blx", "blr"},
    {"swi", "svc"},
    {"movw", "movz"},
    {"movt", "'movk x0, #n, lsl #16'"},
    {"mrc", "mrs"},
    {"mcr", "msr"},
    {"rsb", "neg, or sub with the operands the other way round"},
    {"teq", "eor, then tst or cbz"},
    {"mla", "madd"},
    {"umlal", "umaddl"},
    {"smlal", "smaddl"},
    {"vpush", "'stp d0, d1, [sp, #-16]!'"},
    {"vpop", "'ldp d0, d1, [sp], #16'"},
    {"vldr", "ldr"},
    {"vstr", "str"},
    {"vldm", "ld1"},
    {"vstm", "st1"},
    {"vmov", "fmov, or mov of an element like v0.s[0]"},
    {"vadd", "add, or fadd"},
    {"vsub", "sub, or fsub"},
    {"vmul", "mul, or fmul"},
    {"vmrs", "mrs"},
    {"vmsr", "msr"},
    {"pld", "'prfm pldl1keep'"},
    {"it", "csel, or a branch: there are no IT blocks"},
    {"call", "bl"},
    {"jmp", "b"},
    {"lea", "adr, or adrp and add"},
    {"syscall", "'svc #0'"},
    {"int", "svc"},
};

constexpr std::string_view condition_names[] = {"eq", "ne", "cs", "hs", "cc", "lo", "mi", "pl", "vs",
                                                "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"};

bool is_mnemonic(std::string_view name) { return !name.empty() && find_spelling(name, hash_name(name)); }

}  // namespace

bool has_mnemonic(std::string_view name) {
  return is_mnemonic(name) ||
         (name.starts_with("b.") && std::ranges::find(condition_names, name.substr(2)) != std::end(condition_names));
}

std::string AArch64Target::explain_unknown(std::string_view name, NearestName& nearest) const {
  offer_directives(directives(), nearest);
  if (name == ".req") return "a name stands before it: 'name .req x0'";
  if (name.starts_with('.')) return {};
  const std::string_view bare = name.substr(0, name.find('.'));
  for (const auto& [arm, instead] : arm_only)
    if (bare == arm) return fmt::format("A64 has {}", instead);
  if (bare == "b" || (bare.size() == 3 && bare[0] == 'b' && bare.size() < name.size()))
    return "a conditional branch is one of b.eq, b.ne, b.cs, b.cc, b.mi, b.pl, b.vs, b.vc, b.hi, b.ls, b.ge, b.lt, "
           "b.gt, b.le";
  for (const std::string_view condition : condition_names) {
    if (!name.ends_with(condition)) continue;
    const std::string_view head = name.substr(0, name.size() - condition.size());
    const bool other = head == "ldm" || head == "stm" || head == "bx" || head == "push" || head == "pop";
    if (other || is_mnemonic(head))
      return fmt::format("A64 has no conditional '{}'; branch around it with b.{}, or use csel, csinc, csneg", head,
                         condition);
  }
  if (bare.size() != name.size() && is_mnemonic(bare))
    return fmt::format("'{}' takes no '{}' here", bare, name.substr(bare.size()));
  for (const Spelling& s : a64_spellings)
    if (s.length) nearest.offer({a64_names + s.name, s.length});
  return {};
}

}  // namespace xas::aarch64
