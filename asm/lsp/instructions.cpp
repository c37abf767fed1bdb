// SPDX-License-Identifier: Apache-2.0
#include "asm/lsp/instructions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "targets/text.h"
#include "targets/x86/registers.h"

namespace xas::lsp {

namespace {

using Forms = std::map<std::string, std::vector<InstructionForm>, std::less<>>;

/// Takes every form and none of its lines.
class Collector : public corpus::Sink {
 public:
  explicit Collector(Forms& forms) : forms_(forms) {}

  bool wants(std::string_view) const override { return true; }
  bool begin(corpus::Form&& form) override {
    std::vector<InstructionForm>& forms = forms_[form.mnemonic];
    if (forms.empty() || forms.back().text != form.text)
      forms.push_back({form.text, fmt::format("{}", fmt::join(form.features, ", "))});
    return false;
  }
  void line(std::string_view, corpus::LineKind) override {}

 private:
  Forms& forms_;
};

/// Endings that a mnemonic may have which are in no table.
constexpr std::string_view x86_suffixes[] = {"b", "w", "l", "q"};
constexpr std::string_view arm_suffixes[] = {".w", ".n", "s",  "eq", "ne", "cs", "hs", "cc", "lo", "mi",
                                             "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le", "al"};

}  // namespace

Instructions::Instructions(const corpus::Request& request)
    : is_arm_(request.machine == corpus::Machine::arm || request.machine == corpus::Machine::thumb) {
  Collector collector(forms_);
  switch (request.machine) {
    case corpus::Machine::aarch64: walk_a64(request, collector); break;
    case corpus::Machine::arm:
    case corpus::Machine::thumb: walk_arm(request, collector); break;
    default: walk_x86(request, collector);
  }
}

std::span<const InstructionForm> Instructions::find(std::string_view mnemonic, std::string& name) const {
  name = text::lower(mnemonic);
  if (const auto found = forms_.find(name); found != forms_.end()) return found->second;
  const auto suffixes = is_arm_ ? std::span<const std::string_view>(arm_suffixes) : std::span(x86_suffixes);
  // `addseq.w` has three of them, the last one first.
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view suffix : suffixes) {
      if (name.size() <= suffix.size() || !name.ends_with(suffix)) continue;
      name.resize(name.size() - suffix.size());
      if (const auto found = forms_.find(name); found != forms_.end()) return found->second;
      changed = is_arm_;
      break;
    }
  }
  return {};
}

corpus::Request instructions_of(const TargetOptions& target, bool intel_syntax, bool llvm) {
  corpus::Request request;
  switch (target.machine) {
    case Machine::aarch64: request.machine = corpus::Machine::aarch64; break;
    case Machine::arm: request.machine = target.thumb ? corpus::Machine::thumb : corpus::Machine::arm; break;
    case Machine::unknown: break;
    case Machine::x86:
      request.machine = target.bits == 64   ? corpus::Machine::x86_64
                        : target.bits == 32 ? corpus::Machine::i386
                                            : corpus::Machine::x86_16;
      break;
  }
  request.syntax = target.machine != Machine::x86 ? corpus::Syntax::gnu
                   : intel_syntax                 ? corpus::Syntax::intel
                                                  : corpus::Syntax::att;
  request.llvm = llvm;
  return request;
}

std::vector<std::string> register_names(const TargetOptions& target, bool intel_syntax) {
  std::vector<std::string> names;
  const auto numbered = [&](std::string_view prefix, unsigned from, unsigned to) {
    for (unsigned i = from; i <= to; ++i) names.push_back(fmt::format("{}{}", prefix, i));
  };
  switch (target.machine) {
    case Machine::unknown: break;
    case Machine::x86:
      for (u32 i = 0; i < x86::registers.count; ++i) {
        const x86::Reg& r = x86::registers.regs[i];
        if ((r.flags & x86::reg_only64) && target.bits != 64) continue;
        names.push_back((intel_syntax ? "" : "%") + x86::register_name(r));
      }
      break;
    case Machine::aarch64:
      numbered("x", 0, 30), numbered("w", 0, 30);
      for (const char* name : {"sp", "wsp", "xzr", "wzr", "lr", "fp"}) names.emplace_back(name);
      for (const char* kind : {"v", "q", "d", "s", "h", "b", "z"}) numbered(kind, 0, 31);
      numbered("p", 0, 15);
      break;
    case Machine::arm:
      numbered("r", 0, 15);
      for (const char* name : {"sp", "lr", "pc", "ip", "fp", "sl"}) names.emplace_back(name);
      numbered("s", 0, 31), numbered("d", 0, 31), numbered("q", 0, 15);
      break;
  }
  return names;
}

}  // namespace xas::lsp
