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

void X86Target::directive_code(const char*& p, unsigned bits, Emitter& out) {
  if (bits > 16 && !has_386())
    out.error(p, fmt::format("the processor that .arch or -march selects has no {}-bit code", bits));
  else
    set_mode(bits);
}

void X86Target::directive_code16gcc(const char*&, unsigned, Emitter&) { set_mode(16, true); }

/// .att_syntax [prefix|noprefix], .intel_syntax [prefix|noprefix]
void X86Target::directive_syntax(const char*& p, unsigned intel, Emitter& out) {
  p = skip_blanks(p);
  std::string_view word = take_word(p);
  if (!word.empty() && word != "prefix" && word != "noprefix") {
    p -= word.size();
    if (options_.gnu) return out.error(p, fmt::format("expected prefix or noprefix, not '{}'", word));
    word = {};
  }
  intel_ = intel;
  // GNU as wants % in .intel_syntax unless `noprefix` is said; LLVM never does.
  naked_registers_ = word == "noprefix" || (intel && word.empty() && !options_.gnu);
  set_mode(mode_, gcc16_);
}

void X86Target::directive_mnemonic(const char*&, unsigned intel, Emitter&) {
  set_option("mmnemonic", intel ? "intel" : "att");
}

/// .arch processor, .arch .extension, .arch push, .arch pop
void X86Target::directive_arch(const char*& p, unsigned, Emitter& out) {
  p = skip_blanks(p);
  const char* where = p;
  std::string_view word = take_word(p);
  if (word.empty()) return out.error(where, "expected a processor or a feature");
  if (word == "push") return arch_stack_.push_back({features_, gated_, cpu_, mode_, gcc16_});
  if (word == "pop") return pop_arch(where, out);
  // The longest vectors of AVX10 that are wanted, which GNU as 2.44 reads and LLVM does not need: .avx10.2/256
  if (*p == '/' && word.find("avx10.") != word.npos) word = {word.data(), word.size() + 1 + take_word(++p).size()};
  std::string error;
  if (!set_arch(word, error)) {
    if (options_.gnu) out.error(where, error);
    else out.warning(where, error);
  }
  p = skip_blanks(p);
  if (*p == ',') {  // jumps, nojumps: about code promotion on the 8086
    p = skip_blanks(p + 1);
    take_word(p);
  }
}

void X86Target::pop_arch(const char* where, Emitter& out) {
  if (arch_stack_.empty()) return out.error(where, ".arch pop without .arch push");
  const ArchState& top = arch_stack_.back();
  if (top.mode != mode_ || top.gcc16 != gcc16_) {
    return out.error(where, fmt::format("this .arch pop belongs to an .arch push in .code{}{}", top.mode,
                                        top.gcc16 ? "gcc" : ""));
  }
  features_ = top.features;
  gated_ = top.gated;
  cpu_ = top.cpu;
  arch_stack_.pop_back();
  update_registers();
}

void X86Target::directive_index_registers(const char*&, unsigned allowed, Emitter&) {
  x86_options_.index_registers = allowed;
}

void X86Target::directive_sse_check(const char*& p, unsigned, Emitter& out) { select_check("msse-check", p, out); }

void X86Target::directive_operand_check(const char*& p, unsigned, Emitter& out) {
  select_check("moperand-check", p, out);
}

/// What the option of this name takes, too.
void X86Target::select_check(std::string_view option, const char*& p, Emitter& out) {
  p = skip_blanks(p);
  const char* where = p;
  const std::string_view word = take_word(p);
  if (word != "none" && word != "warning" && word != "error")
    return out.error(where, "expected none, warning or error");
  set_option(option, word);
}

std::span<const DirectiveRow<X86Target>> X86Target::directives() {
  static constexpr DirectiveRow<X86Target> rows[] = {
      {".insn", &X86Target::directive_insn},
      {".code64", &X86Target::directive_code, 64},
      {".code32", &X86Target::directive_code, 32},
      {".code16", &X86Target::directive_code, 16},
      {".code16gcc", &X86Target::directive_code16gcc},
      {".att_syntax", &X86Target::directive_syntax, false},
      {".intel_syntax", &X86Target::directive_syntax, true},
      {".att_mnemonic", &X86Target::directive_mnemonic, false},
      {".intel_mnemonic", &X86Target::directive_mnemonic, true},
      {".arch", &X86Target::directive_arch},
      {".disallow_index_reg", &X86Target::directive_index_registers, false},
      {".allow_index_reg", &X86Target::directive_index_registers, true},
      {".sse_check", &X86Target::directive_sse_check},
      {".operand_check", &X86Target::directive_operand_check},
  };
  return rows;
}

/// .lfi_rewrite_disable, .lfi_rewrite_enable
void X86Target::directive_lfi_rewrite(const char*&, unsigned on, Emitter&) { x86_options_.lfi = on; }

std::span<const DirectiveRow<X86Target>> X86Target::lfi_directives() {
  static constexpr DirectiveRow<X86Target> rows[] = {
      {".lfi_rewrite_disable", &X86Target::directive_lfi_rewrite, false},
      {".lfi_rewrite_enable", &X86Target::directive_lfi_rewrite, true},
  };
  return rows;
}

bool X86Target::directive(Name name, const char*& p, Emitter& out) {
  return read_directive(*this, directives(), name.text(), p, out) ||
         (options_.lfi && read_directive(*this, lfi_directives(), name.text(), p, out));
}

}  // namespace xas::x86
