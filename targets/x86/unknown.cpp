// SPDX-License-Identifier: Apache-2.0
// What is said of names that are no mnemonics of x86.
#include <fmt/format.h>

#include "targets/nearest_name.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

constexpr std::string_view directives[] = {".code64",     ".code32",       ".code16",          ".code16gcc",
                                           ".att_syntax", ".intel_syntax", ".att_mnemonic",    ".intel_mnemonic",
                                           ".arch",       ".insn",         ".allow_index_reg", ".disallow_index_reg",
                                           ".sse_check",  ".operand_check"};

template <std::size_t size>
void offer_all(const Spelling (&spellings)[size], NearestName& nearest) {
  for (const Spelling& s : spellings)
    if (s.count) nearest.offer({x86_names + s.name, s.length});
}

/// A mnemonic without its condition.
std::string conditional(std::string_view name) {
  if (name == "cmov" || name == "set" || name == "j")
    return fmt::format("it needs a condition, as in '{0}e', '{0}ne', '{0}l', '{0}b'", name);
  return {};
}

}  // namespace

std::string X86Target::explain_unknown(std::string_view name, NearestName& nearest) const {
  for (const std::string_view directive : directives) nearest.offer(directive);
  if (name.starts_with('.')) return {};
  if (std::string text = conditional(name); !text.empty()) return text;
  const u64 hash = hash_name(name);
  if (intel_ && find_spelling(name, hash)) {
    const std::string_view bare = name.substr(0, name.size() - 1);
    const bool suffixed = find_intel_spelling(bare, hash_name(bare));
    return fmt::format("that is AT&T syntax, which .att_syntax selects{}",
                       suffixed ? fmt::format("; in Intel syntax it is '{}'", bare) : "");
  }
  if (!intel_ && find_intel_spelling(name, hash)) return "that is Intel syntax, which '.intel_syntax noprefix' selects";
  if (intel_)
    offer_all(x86_intel_spellings, nearest);
  else
    offer_all(x86_spellings, nearest);
  return {};
}

}  // namespace xas::x86
