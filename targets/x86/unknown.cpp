// SPDX-License-Identifier: Apache-2.0
// What is said of names that are no mnemonics of x86.
#include <fmt/format.h>

#include "targets/advice.h"
#include "targets/nearest_name.h"
#include "targets/x86/tables.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

template <std::size_t size>
void offer_all(const Spelling (&spellings)[size], NearestName& nearest) {
  for (const Spelling& s : spellings)
    if (s.count) nearest.offer({x86_names + s.name, s.length});
}

/// What ARM and AArch64 have, and x86 does otherwise.
constexpr struct {
  std::string_view name, instead;
} elsewhere[] = {{"ldr", "mov"},          {"str", "mov"},
                 {"ldrb", "movzx"},       {"strb", "mov"},
                 {"ldrh", "movzx"},       {"ldp", "two mov"},
                 {"stp", "two mov"},      {"b", "jmp"},
                 {"bl", "call"},          {"br", "jmp"},
                 {"blr", "call"},         {"bx", "jmp, or ret to return"},
                 {"beq", "je"},           {"bne", "jne"},
                 {"b.eq", "je"},          {"b.ne", "jne"},
                 {"cbz", "test and je"},  {"cbnz", "test and jne"},
                 {"svc", "syscall"},      {"swi", "syscall"},
                 {"mvn", "not"},          {"eor", "xor"},
                 {"orr", "or"},           {"lsl", "shl"},
                 {"lsr", "shr"},          {"asr", "sar"},
                 {"adr", "lea"},          {"adrp", "lea"},
                 {"movz", "mov"},         {"movw", "mov"},
                 {"mla", "imul and add"}, {"madd", "imul and add"},
                 {"udiv", "div"},         {"sdiv", "idiv"},
                 {"csel", "cmov"},        {"cset", "set"}};

/// A mnemonic and a register without a blank between them: moveax.
std::string joined(std::string_view name, bool intel) {
  constexpr std::size_t longest = 8;
  for (std::size_t n = name.size() - 1; n >= 2 && name.size() - n <= longest; --n) {
    const std::string_view head = name.substr(0, n), tail = name.substr(n);
    const u64 hash = hash_name(head);
    if (!(intel ? find_intel_spelling(head, hash) : find_spelling(head, hash))) continue;
    const int r = find_register(name_word(tail.data(), tail.size()));
    if (r >= 0 && !(registers.regs[r].flags & reg_cfi_only))
      return fmt::format("is a blank missing, as in '{} {}{}'?", head, intel ? "" : "%", tail);
  }
  return {};
}

/// A mnemonic without its condition.
std::string conditional(std::string_view name) {
  if (name == "cmov" || name == "set" || name == "j")
    return fmt::format("it needs a condition, as in '{0}e', '{0}ne', '{0}l', '{0}b'", name);
  return {};
}

}  // namespace

bool has_mnemonic(std::string_view name) {
  const u64 hash = hash_name(name);
  return find_spelling(name, hash) || find_intel_spelling(name, hash);
}

std::string X86Target::explain_unknown(std::string_view name, NearestName& nearest) const {
  offer_directives(directives(), nearest);
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
  for (const auto& [other, instead] : elsewhere)
    if (name == other) return fmt::format("that is an instruction of ARM or AArch64, and x86 has {}", instead);
  if (intel_)
    offer_all(x86_intel_spellings, nearest);
  else
    offer_all(x86_spellings, nearest);
  return nearest.is_close() ? std::string() : joined(name, intel_);
}

}  // namespace xas::x86
