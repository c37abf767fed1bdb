// SPDX-License-Identifier: Apache-2.0
// Directives that only x86 has: code modes, syntax, architecture, checks.
#include <fmt/format.h>

#include "targets/text.h"
#include "targets/x86/blanks.h"
#include "targets/x86/x86.h"

namespace xas::x86 {

namespace {

std::string_view take_word(const char*& p) {
  const char* start = p;
  while (u8((*p | 0x20) - 'a') <= 25 || u8(*p - '0') <= 9 || *p == '_' || *p == '.' || *p == '-' || *p == '+') ++p;
  return {start, std::size_t(p - start)};
}

}  // namespace

/// .code32, .code64
void X86Target::select_mode(unsigned bits, const char* where, Emitter& out) {
  if (!has_386())
    out.error(where, fmt::format("the processor that .arch or -march selects has no {}-bit code", bits));
  else
    set_mode(bits);
}

bool X86Target::directive(Name name, const char*& p, Emitter& out) {
  const std::string lower = text::lower(name.text());
  if (lower == ".insn") return insn_directive(p, out);
  if (lower == ".code64") return select_mode(64, name.p, out), true;
  if (lower == ".code32") return select_mode(32, name.p, out), true;
  if (lower == ".code16") return set_mode(16), true;
  if (lower == ".code16gcc") return set_mode(16, true), true;
  if (lower == ".att_syntax" || lower == ".intel_syntax") {
    p = skip_blanks(p);
    std::string_view word = take_word(p);
    bool intel = lower == ".intel_syntax";
    if (!word.empty() && word != "prefix" && word != "noprefix") {
      p -= word.size();
      if (options_.gnu) return out.error(p, fmt::format("expected prefix or noprefix, not '{}'", word)), true;
      word = {};
    }
    intel_ = intel;
    // GNU as wants % in .intel_syntax unless `noprefix` is said; LLVM never does.
    naked_registers_ = word == "noprefix" || (intel && word.empty() && !options_.gnu);
    set_mode(mode_, gcc16_);
    return true;
  }
  if (lower == ".arch") {
    p = skip_blanks(p);
    const char* where = p;
    std::string_view word = take_word(p);
    if (word.empty()) return out.error(where, "expected a processor or a feature"), true;
    if (word == "push") return arch_stack_.push_back({features_, gated_, cpu_, mode_, gcc16_}), true;
    if (word == "pop") {
      if (arch_stack_.empty()) return out.error(where, ".arch pop without .arch push"), true;
      if (const ArchState& top = arch_stack_.back(); top.mode != mode_ || top.gcc16 != gcc16_) {
        return out.error(where, fmt::format("this .arch pop belongs to an .arch push in .code{}{}", top.mode,
                                            top.gcc16 ? "gcc" : "")), true;
      }
      features_ = arch_stack_.back().features;
      gated_ = arch_stack_.back().gated;
      cpu_ = arch_stack_.back().cpu;
      arch_stack_.pop_back();
      update_registers();
      return true;
    }
    // The longest vectors of AVX10 that are wanted, which GNU as 2.44 reads and LLVM does not need: .avx10.2/256
    if (*p == '/' && word.find("avx10.") != word.npos) word = {word.data(), word.size() + 1 + take_word(++p).size()};
    std::string error;
    if (!set_arch(word, error)) {
      if (options_.gnu) out.error(where, error);
      else out.warning(where, error);
    }
    p = skip_blanks(p);
    if (*p == ',') {  // jumps, nojumps: about code promotion on the 8086
      ++p;
      p = skip_blanks(p);
      take_word(p);
    }
    return true;
  }
  if (lower == ".allow_index_reg" || lower == ".disallow_index_reg")
    return x86_options_.index_registers = lower[1] == 'a', true;
  if (lower == ".att_mnemonic" || lower == ".intel_mnemonic")
    return set_option("mmnemonic", lower == ".intel_mnemonic" ? "intel" : "att");
  if (lower == ".sse_check" || lower == ".operand_check") {
    p = skip_blanks(p);
    const char* where = p;
    const std::string_view word = take_word(p);
    if (word != "none" && word != "warning" && word != "error")
      return out.error(where, "expected none, warning or error"), true;
    set_option(lower == ".sse_check" ? "msse-check" : "moperand-check", word);
    return true;
  }
  return false;
}

}  // namespace xas::x86
