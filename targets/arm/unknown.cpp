// SPDX-License-Identifier: Apache-2.0
// What is said of names that are no mnemonics of A32 and T32.
#include <fmt/format.h>

#include <algorithm>

#include "targets/advice.h"
#include "targets/arm/arm.h"
#include "targets/arm/tables.h"
#include "targets/nearest_name.h"

namespace xas::arm {

namespace {

/// What other instruction sets have, and ARM does otherwise.
constexpr struct {
  std::string_view name, instead;
} elsewhere[] = {
    {"ret", "'bx lr'"},
    {"br", "bx"},
    {"blr", "blx"},
    {"ldp", "ldrd, or ldm"},
    {"stp", "strd, or stm"},
    {"csel", "two mov with conditions"},
    {"cset", "two mov with conditions"},
    {"movz", "movw"},
    {"movk", "movt"},
    {"neg", "'rsb r0, r1, #0'"},
    {"fmov", "vmov"},
    {"fadd", "vadd.f32, or vadd.f64"},
    {"fsub", "vsub.f32, or vsub.f64"},
    {"fmul", "vmul.f32, or vmul.f64"},
    {"madd", "mla"},
    {"msub", "mls"},
    {"adrp", "adr, or movw and movt"},
    {"call", "bl"},
    {"jmp", "b"},
    {"lea", "adr"},
    {"syscall", "'svc #0'"},
    {"int", "svc"},
    {"xor", "eor"},
    {"or", "orr"},
    {"not", "mvn"},
    {"shl", "lsl"},
    {"shr", "lsr"},
    {"sar", "asr"},
};

bool is_condition(std::string_view s) { return std::ranges::find(condition_names, s) != std::end(condition_names); }

bool is_mnemonic(std::string_view name) { return !name.empty() && find_spelling(name, hash_name(name)); }

/// add, with a condition that is none behind it, or with what goes between them at the end.
std::string explain_suffixes(std::string_view name) {
  if (name.size() > 3 && name.ends_with('s')) {
    const std::string_view condition = name.substr(name.size() - 3, 2), head = name.substr(0, name.size() - 3);
    if (is_condition(condition) && is_mnemonic(head))
      return fmt::format("in unified syntax the 's' stands before the condition: '{}s{}'", head, condition);
  }
  for (std::size_t n = name.size() - 1; n >= 2; --n) {
    const std::string_view head = name.substr(0, n), tail = name.substr(n);
    if (tail.size() > 3 || tail.starts_with('.') || !is_mnemonic(head) || tail.size() < 2) continue;
    return fmt::format(
        "'{}' may be followed by a condition (eq, ne, cs, hs, cc, lo, mi, pl, vs, vc, hi, ls, ge, lt, gt, "
        "le, al), but '{}' is none",
        head, tail);
  }
  return {};
}

/// The types that there are behind this name: ".f32, .f64"; empty if it takes none.
std::string types_of(std::string_view name) {
  constexpr std::size_t max_shown = 8;
  std::vector<std::string_view> types;
  for (const Spelling& s : arm_spellings) {
    const std::string_view other(arm_names + s.name, s.length);
    if (other.size() > name.size() && other[name.size()] == '.' && other.starts_with(name))
      types.push_back(other.substr(name.size()));
  }
  std::ranges::sort(types);
  std::string text;
  for (std::size_t i = 0; i < std::min(types.size(), max_shown); ++i) text += (i ? ", " : "") + std::string(types[i]);
  return text + (types.size() > max_shown ? ", ..." : "");
}

/// The mnemonic with a condition that the name is one edit away from: beqq.
std::string nearest_with_condition(std::string_view name) {
  NearestName nearest(name);
  std::vector<std::string> names;
  for (const Spelling& s : arm_spellings) {
    const std::string_view head(arm_names + s.name, s.length);
    if (s.length == 0 || s.length + 3u < name.size() || s.length > name.size() || head.find('.') != head.npos) continue;
    for (const std::string_view condition : condition_names)
      if (head[0] == name[0]) names.push_back(fmt::format("{}{}", head, condition));
  }
  for (const std::string& each : names) nearest.offer(each);
  return nearest.is_close() ? fmt::format("did you mean '{}'?", nearest.name()) : std::string();
}

}  // namespace

bool has_mnemonic(std::string_view name) {
  return is_mnemonic(name) || (name.size() == 3 && name[0] == 'b' && is_condition(name.substr(1)));
}

std::string ArmTarget::explain_unknown(std::string_view name, NearestName& nearest) const {
  offer_directives(directives(), nearest);
  if (name == ".req") return "a name stands before it: 'name .req r0'";
  if (name.starts_with('.')) return {};
  for (const auto& [other, instead] : elsewhere)
    if (name == other) return fmt::format("{} has {}", thumb_ ? "T32" : "A32", instead);
  const std::size_t dot = name.find('.');
  const std::string_view bare = name.substr(0, dot);
  if (dot != name.npos && bare == "b" && is_condition(name.substr(dot + 1)))
    return fmt::format("a branch's condition has no dot before it: 'b{}'", name.substr(dot + 1));
  if (std::string types = types_of(bare); !types.empty())
    return fmt::format("'{}' {} {}", bare, dot == name.npos ? "needs a type, one of" : "takes the types", types);
  if (dot != name.npos && is_mnemonic(bare))
    return fmt::format("'{}' takes no '{}': a width is .n or .w, and a type like .i32, .s16 or .f32 is for vectors",
                       bare, name.substr(dot));
  for (const Spelling& s : arm_spellings)
    if (s.length) nearest.offer({arm_names + s.name, s.length});
  if (std::string text = nearest_with_condition(name); !text.empty() && !nearest.is_close()) return text;
  if (!nearest.name().empty()) return {};
  return name.size() > 2 ? explain_suffixes(name) : std::string();
}

}  // namespace xas::arm
