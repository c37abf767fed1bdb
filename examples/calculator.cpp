// SPDX-License-Identifier: Apache-2.0
// A calculator that compiles what one types: each line becomes code for this machine (x86-64 or AArch64 Linux), which
// is called at once.
//
//     $ printf 'x = 3\nsqrt(2) * (1 + x)\n' | calculator
//
//   line    := [ name '=' ] sum
//   sum     := product { ('+' | '-') product }
//   product := factor { ('*' | '/') factor }
//   factor  := '-' factor | number | name | name '(' sum ')' | '(' sum ')'
//
// Values wait on the stack. Numbers stand behind the code; variables and functions are names that xas asks for.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "xas/xas.hpp"

namespace {

/// The machine's part of the compiler: '@' stands for a name. xmm0 or d0 has the value at hand.
#if defined(__x86_64__)
constexpr const char* enter = "\tpushq %rbp\n\tmovq %rsp, %rbp\n";
constexpr const char* leave = "\tleave\n\tret\n\t.p2align 3\n";
constexpr const char* push = "\tsubq $16, %rsp\n\tmovsd %xmm0, (%rsp)\n";
constexpr const char* pop =
    "\tmovapd %xmm0, %xmm1\n\tmovsd (%rsp), %xmm0\n\taddq $16, %rsp\n";  // left and right operand
constexpr const char* load = "\tmovabsq $@, %rax\n\tmovsd (%rax), %xmm0\n";
constexpr const char* store = "\tmovabsq $@, %rax\n\tmovsd %xmm0, (%rax)\n";
constexpr const char* load_number = "\tmovsd @(%rip), %xmm0\n";
constexpr const char* negate = "\tmovq %xmm0, %rax\n\tbtcq $63, %rax\n\tmovq %rax, %xmm0\n";
constexpr const char* add = "\taddsd %xmm1, %xmm0\n";
constexpr const char* subtract = "\tsubsd %xmm1, %xmm0\n";
constexpr const char* multiply = "\tmulsd %xmm1, %xmm0\n";
constexpr const char* divide = "\tdivsd %xmm1, %xmm0\n";
constexpr const char* call = "\tcall @\n";
#elif defined(__aarch64__)
constexpr const char* enter = "\tstp x29, x30, [sp, #-16]!\n\tmov x29, sp\n";
constexpr const char* leave = "\tmov sp, x29\n\tldp x29, x30, [sp], #16\n\tret\n\t.p2align 3\n";
constexpr const char* push = "\tstr d0, [sp, #-16]!\n";
constexpr const char* pop = "\tfmov d1, d0\n\tldr d0, [sp], #16\n";  // left and right operand
constexpr const char* load = "\tldr x9, =@\n\tldr d0, [x9]\n";
constexpr const char* store = "\tldr x9, =@\n\tstr d0, [x9]\n";
constexpr const char* load_number = "\tldr d0, @\n";
constexpr const char* negate = "\tfneg d0, d0\n";
constexpr const char* add = "\tfadd d0, d0, d1\n";
constexpr const char* subtract = "\tfsub d0, d0, d1\n";
constexpr const char* multiply = "\tfmul d0, d0, d1\n";
constexpr const char* divide = "\tfdiv d0, d0, d1\n";
constexpr const char* call = "\tbl @\n";
#else
#error "this example is for x86-64 and AArch64"
#endif

struct Function {
  const char* name;
  double (*address)(double);
};
constexpr Function functions[] = {{"sqrt", std::sqrt}, {"sin", std::sin}, {"cos", std::cos},
                                  {"exp", std::exp},   {"log", std::log}, {"abs", std::fabs}};

using Variables = std::map<std::string, double, std::less<>>;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// One line to assembly.
class Compiler {
 public:
  Compiler(std::string_view line, Variables& variables) : rest_(line), variables_(variables) {}

  /// The text; empty if there is a mistake.
  std::string compile() {
    code_ = enter;
    const std::string_view start = rest_;
    const std::string name = word();
    if (!name.empty() && accept('=')) {
      sum();
      variables_.try_emplace(name, 0);
      emit(store, name);
    } else {
      rest_ = start;
      sum();
    }
    blanks();
    if (!rest_.empty()) good_ = false;
    return good_ ? code_ + leave + numbers_ : std::string();
  }

 private:
  void emit(std::string_view text, std::string_view name = {}) {
    for (char c : text) {
      if (c == '@')
        code_ += name;
      else
        code_ += c;
    }
  }
  void blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }
  bool accept(char c) {
    blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string word() {
    blanks();
    std::size_t n = 0;
    while (n < rest_.size() && is_letter(rest_[n])) ++n;
    const std::string name(rest_.substr(0, n));
    rest_.remove_prefix(n);
    return name;
  }

  void sum() {
    product();
    for (;;) {
      const char* operation = accept('+') ? add : accept('-') ? subtract : nullptr;
      if (!operation) return;
      emit(push);
      product();
      emit(pop);
      emit(operation);
    }
  }
  void product() {
    factor();
    for (;;) {
      const char* operation = accept('*') ? multiply : accept('/') ? divide : nullptr;
      if (!operation) return;
      emit(push);
      factor();
      emit(pop);
      emit(operation);
    }
  }
  void factor() {
    if (accept('-')) {
      factor();
      return emit(negate);
    }
    if (accept('(')) {
      sum();
      good_ &= accept(')');
      return;
    }
    if (const std::string name = word(); !name.empty()) {
      if (!accept('(')) return emit(load, name);
      sum();
      good_ &= accept(')');
      return emit(call, name);
    }
    number();
  }
  void number() {
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      good_ = false;
      return;
    }
    const std::string label = ".Lnumber" + std::to_string(count_++);
    numbers_ += label + ": .double " + std::string(rest_.data(), end) + "\n";
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    emit(load_number, label);
  }

  std::string_view rest_;
  Variables& variables_;
  std::string code_, numbers_;
  int count_ = 0;
  bool good_ = true;
};

/// What a name of the code stands for; see xas_resolver.
int address_of(void* user, const char* name, std::uint64_t, xas_use use, std::uint64_t* value) {
  if (use == XAS_USE_BRANCH) {
    for (const Function& f : functions) {
      if (std::strcmp(f.name, name) == 0) return *value = reinterpret_cast<std::uintptr_t>(f.address), 1;
    }
    return 0;
  }
  auto& variables = *static_cast<Variables*>(user);
  const auto it = variables.find(name);
  if (it == variables.end()) return 0;
  *value = reinterpret_cast<std::uintptr_t>(&it->second);
  return 1;
}

}  // namespace

int main() {
  xas::Context context;
#if defined(__aarch64__)
  context.option("--target=aarch64-linux-gnu");
#else
  context.option("--target=x86_64-linux-gnu");
#endif
  Variables variables;
  int mistakes = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::string text = Compiler(line, variables).compile();
    if (text.empty()) {
      std::printf("what is '%s'?\n", line.c_str());
      ++mistakes;
    } else if (const xas::Code code = context.load(text, address_of, &variables)) {
      std::printf("%.10g\n", code.function<double()>()());
    } else {
      std::printf("%s", context.text().data());
      ++mistakes;
    }
  }
  return mistakes != 0;
}
