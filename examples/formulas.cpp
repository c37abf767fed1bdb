// SPDX-License-Identifier: Apache-2.0
// A compiler that prints assembly, and hands it to xas in memory. Each line of its language is a function of integers:
//
//     area(w, h) = w * h
//     border(w, h) = 2 * (w + h) - area(1, 4)
//
//     formulas shapes.txt shapes.o && cc main.c shapes.o
//
// The functions are called from C: `long area(long w, long h)`. Lines of the source are in the object's line table, and
// an unknown function is left to the linker.
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "xas/xas.hpp"

namespace {

constexpr const char* argument_registers[] = {"%rdi", "%rsi", "%rdx", "%rcx", "%r8", "%r9"};
constexpr unsigned max_arguments = 6;

/// One function: what is read is printed at once, for a machine with a stack. The result of each part is in %rax.
class Compiler {
 public:
  Compiler(const std::string& line, std::ostream& out) : p_(line.c_str()), out_(out) {}

  /// function := name '(' [ name { ',' name } ] ')' '=' sum
  void function() {
    const std::string name = word();
    expect('(');
    if (!accept(')')) {
      do parameters_.push_back(word());
      while (accept(','));
      expect(')');
    }
    expect('=');
    if (parameters_.size() > max_arguments) throw std::string("a function has at most six parameters");
    out_ << "\t.globl " << name << "\n\t.type " << name << ", @function\n" << name << ":\n";
    out_ << "\tpushq %rbp\n\tmovq %rsp, %rbp\n";
    for (std::size_t i = 0; i < parameters_.size(); ++i) push(argument_registers[i]);
    sum();
    if (*p_) throw std::string("unexpected '") + *p_ + "'";
    out_ << "\tleave\n\tret\n\t.size " << name << ", . - " << name << "\n";
  }

 private:
  const char* p_;
  std::ostream& out_;
  std::vector<std::string> parameters_;
  unsigned depth_ = 0;  ///< pushed beside %rbp

  void skip() {
    while (std::isspace(static_cast<unsigned char>(*p_))) ++p_;
  }
  bool accept(char c) {
    skip();
    if (*p_ != c) return false;
    ++p_;
    skip();
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw std::string("expected '") + c + "'";
  }
  std::string word() {
    skip();
    std::string w;
    while (std::isalnum(static_cast<unsigned char>(*p_)) || *p_ == '_') w += *p_++;
    if (w.empty()) throw std::string("expected a name or a number");
    skip();
    return w;
  }
  void push(const char* what) {
    out_ << "\tpushq " << what << "\n";
    ++depth_;
  }
  void pop(const char* where) {
    out_ << "\tpopq " << where << "\n";
    --depth_;
  }

  /// sum := product { ('+' | '-') product }
  void sum() {
    product();
    for (;;) {
      const bool plus = accept('+');
      if (!plus && !accept('-')) return;
      push("%rax");
      product();
      out_ << "\tmovq %rax, %rcx\n";
      pop("%rax");
      out_ << (plus ? "\taddq" : "\tsubq") << " %rcx, %rax\n";
    }
  }

  /// product := factor { '*' factor }
  void product() {
    factor();
    while (accept('*')) {
      push("%rax");
      factor();
      pop("%rcx");
      out_ << "\timulq %rcx, %rax\n";
    }
  }

  /// factor := '(' sum ')' | number | name [ '(' [ sum { ',' sum } ] ')' ]
  void factor() {
    if (accept('(')) {
      sum();
      return expect(')');
    }
    const std::string w = word();
    if (std::isdigit(static_cast<unsigned char>(w[0]))) {
      out_ << "\tmovq $" << w << ", %rax\n";
    } else if (accept('(')) {
      call(w);
    } else {
      std::size_t i = 0;
      while (i < parameters_.size() && parameters_[i] != w) ++i;
      if (i == parameters_.size()) throw "unknown name " + w;
      out_ << "\tmovq " << -8 * int(i + 1) << "(%rbp), %rax\n";
    }
  }

  void call(const std::string& name) {
    const bool pad = depth_ % 2;  // at a call, the stack is a multiple of 16
    if (pad) push("$0");
    unsigned count = 0;
    if (!accept(')')) {
      do {
        if (count == max_arguments) throw std::string("a function has at most six arguments");
        sum();
        push("%rax");
        ++count;
      } while (accept(','));
      expect(')');
    }
    while (count) pop(argument_registers[--count]);
    out_ << "\tcall " << name << "@PLT\n";
    if (pad) pop("%rcx");
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: formulas SOURCE OBJECT\n";
    return 2;
  }
  std::ifstream source(argv[1]);
  std::ostringstream assembly;
  assembly << "\t.file 1 \"" << argv[1] << "\"\n\t.text\n";
  std::string line;
  for (unsigned number = 1; std::getline(source, line); ++number) {
    if (line.empty()) continue;
    assembly << "\t.loc 1 " << number << "\n";
    try {
      Compiler(line, assembly).function();
    } catch (const std::string& message) {
      std::cerr << argv[1] << ":" << number << ": " << message << "\n";
      return 1;
    }
  }
  assembly << "\t.section .note.GNU-stack, \"\", @progbits\n";

  xas::Context context;
  if (!context.assemble(assembly.str(), "generated.s")) {  // of numbers that are too large, of names that are none
    std::cerr << context.text();
    return 1;
  }
  const auto object = context.object();
  std::ofstream out(argv[2], std::ios::binary);
  out.write(reinterpret_cast<const char*>(object.data()), std::streamsize(object.size()));
  out.close();
  if (!out) std::cerr << "formulas: cannot write " << argv[2] << "\n";
  return out ? 0 : 1;
}
