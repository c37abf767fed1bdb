// SPDX-License-Identifier: Apache-2.0
// tiny: a compiler for a small language, on xas::Stream. docs/tutorial.md goes through it step by step.
//
//     tiny PROGRAM OBJECT [x86_64-linux | aarch64-linux | x86_64-windows]
//
//     fn fact(n)                    a function; all values are integers of 64 bits
//       if n < 2 return 1           if and while take one statement
//       return n * fact(n - 1)
//     end
//     fn main()
//       let i = 1                   let makes a variable or changes it
//       while i < 10 { print fact(i)  let i = i + 1 }
//       return 0
//     end
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "xas/xas.hpp"

using xas::Operand;

namespace {

enum class Machine { x86, windows, aarch64 };

/// The instructions that the compiler needs. A value is in the accumulator (rax, x0); others wait on the stack, 16
/// bytes each, so that it stays aligned.
class Code {
 public:
  Code(xas::Stream& s, Machine machine) : s_(s), machine_(machine) {}

  void begin_function(xas::SymbolHandle name, unsigned parameters) {
    s_.declare(name, XAS_GLOBAL);
    if (machine_ != Machine::windows) s_.declare(name, XAS_FUNCTION);
    s_.label(name);
    if (machine_ == Machine::windows) {
      const xas_register frame = s_.reg("rbp");
      s_.seh_begin();
      s_.feed("push %rbp");
      s_.seh(XAS_SEH_PUSHREG, frame);
      s_.feed("mov %rsp, %rbp");
      s_.seh(XAS_SEH_SETFRAME, frame, 0);
      s_.feed("sub $256, %rsp");
      s_.seh(XAS_SEH_STACKALLOC, 0, 256);
      s_.seh(XAS_SEH_ENDPROLOGUE);
    } else if (machine_ == Machine::x86) {
      s_.cfi_begin();
      s_.feed("push %rbp");
      s_.cfi(XAS_CFI_DEF_CFA_OFFSET, 0, 16);
      s_.cfi(XAS_CFI_OFFSET, rbp, -16);
      s_.feed("mov %rsp, %rbp");
      s_.cfi(XAS_CFI_DEF_CFA_REGISTER, rbp);
      s_.feed("sub $256, %rsp");
    } else {
      s_.cfi_begin();
      s_.feed("stp x29, x30, [sp, #-16]!");
      s_.cfi(XAS_CFI_DEF_CFA_OFFSET, 0, 16);
      s_.cfi(XAS_CFI_OFFSET, x29, -16);
      s_.cfi(XAS_CFI_OFFSET, x30, -8);
      s_.feed("mov x29, sp");
      s_.cfi(XAS_CFI_DEF_CFA_REGISTER, x29);
      s_.feed("sub sp, sp, #256");
    }
    for (unsigned i = 0; i < parameters; ++i) {
      say(std::string("mov ") + argument(i) + ", %rax", i ? "mov x0, x" + std::to_string(i) : "");
      store(i);
    }
  }
  void end_function(xas::SymbolHandle name) {
    number(0);
    leave();
    if (machine_ == Machine::windows) return void(s_.seh_end());
    s_.cfi_end();
    s_.size_to_here(name);
  }
  void leave() { say("lea 0(%rbp), %rsp\n pop %rbp\n ret", "mov sp, x29\n ldp x29, x30, [sp], #16\n ret"); }

  void number(long n) { say("mov $" + std::to_string(n) + ", %rax", "ldr x0, =" + std::to_string(n)); }
  void load(unsigned slot) { say("mov " + place(slot) + ", %rax", "ldr x0, " + place(slot)); }
  void store(unsigned slot) { say("mov %rax, " + place(slot), "str x0, " + place(slot)); }
  void push() { say("sub $16, %rsp\n mov %rax, (%rsp)", "str x0, [sp, #-16]!"); }
  /// The value that waits, operator, the accumulator.
  void binary(char op) {
    say("mov %rax, %rcx\n mov (%rsp), %rax\n add $16, %rsp", "mov x1, x0\n ldr x0, [sp], #16");
    switch (op) {
      case '+': return say("add %rcx, %rax", "add x0, x0, x1");
      case '-': return say("sub %rcx, %rax", "sub x0, x0, x1");
      case '*': return say("imul %rcx, %rax", "mul x0, x0, x1");
      case '/': return say("cqto\n idiv %rcx", "sdiv x0, x0, x1");
      default: return say("cmp %rcx, %rax\n setl %al\n movzbl %al, %eax", "cmp x0, x1\n cset x0, lt");
    }
  }
  /// The arguments wait on the stack.
  void call(const std::string& function, unsigned arguments) {
    for (unsigned i = arguments; i-- > 0;)
      say(std::string("mov (%rsp), ") + argument(i) + "\n add $16, %rsp", "ldr x" + std::to_string(i) + ", [sp], #16");
    if (machine_ == Machine::windows) return void(s_.feed("sub $32, %rsp\n call " + function + "\n add $32, %rsp"));
    say("xor %eax, %eax\n call " + function + "@PLT", "bl " + function);
  }
  /// The address of what printf prints numbers by.
  void format() { say("lea .Lformat(%rip), %rax", "adrp x0, .Lformat\n add x0, x0, :lo12:.Lformat"); }
  void jump(const std::string& label) { say("jmp " + label, "b " + label); }
  void jump_if_zero(const std::string& label) { say("test %rax, %rax\n jz " + label, "cbz x0, " + label); }

 private:
  static constexpr unsigned rbp = 6, x29 = 29, x30 = 30;  // their numbers in DWARF

  void say(const std::string& x86, const std::string& aarch64) {
    s_.feed(machine_ == Machine::aarch64 ? aarch64 : x86);
  }
  std::string place(unsigned slot) const {
    const std::string at = std::to_string(-16 * (int(slot) + 1));
    return machine_ == Machine::aarch64 ? "[x29, #" + at + "]" : at + "(%rbp)";
  }
  const char* argument(unsigned i) const {
    static constexpr const char* unix_names[] = {"%rdi", "%rsi", "%rdx", "%rcx"};
    static constexpr const char* windows_names[] = {"%rcx", "%rdx", "%r8", "%r9"};
    return (machine_ == Machine::windows ? windows_names : unix_names)[i];
  }

  xas::Stream& s_;
  Machine machine_;
};

/// Reads the program and says its code; one token ahead, no tree.
class Compiler {
 public:
  Compiler(xas::Stream& s, Machine machine, std::string text, const char* file)
      : s_(s), code_(s, machine), text_(std::move(text)), file_(file) {
    next();
  }

  bool program() {
    while (good_ && !token_.empty()) function();
    return good_;
  }

 private:
  static constexpr std::size_t max_arguments = 4, max_variables = 15;

  void next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) line_ += text_[at_++] == '\n';
    std::size_t end = at_;
    const auto is_word = [&] { return end < text_.size() && std::isalnum(static_cast<unsigned char>(text_[end])); };
    while (is_word()) ++end;
    if (end == at_ && end < text_.size()) ++end;
    token_ = text_.substr(at_, end - at_);
    at_ = end;
    s_.place(file_, line_);
  }
  bool accept(std::string_view word) {
    if (token_ != word) return false;
    next();
    return true;
  }
  void expect(std::string_view word) {
    if (!accept(word)) fail("expected '" + std::string(word) + "'");
  }
  void fail(const std::string& message) {
    if (good_) std::fprintf(stderr, "%s:%u: %s, found '%s'\n", file_, line_, message.c_str(), token_.c_str());
    good_ = false;
    token_.clear();
    at_ = text_.size();
  }
  std::string name() {
    const std::string word = token_;
    if (word.empty() || !std::isalpha(static_cast<unsigned char>(word[0]))) fail("expected a name");
    next();
    return word;
  }
  unsigned slot(const std::string& variable) {
    if (slots_.size() >= max_variables) fail("a function has up to 15 variables");
    return slots_.try_emplace(variable, unsigned(slots_.size())).first->second;
  }
  std::string new_label() { return ".L" + std::to_string(labels_++); }

  void function() {
    const unsigned line = line_;
    expect("fn");
    const std::string called = name();
    slots_.clear();
    expect("(");
    while (good_ && token_ != ")") {
      slot(name());
      if (!accept(",")) break;
    }
    expect(")");
    if (slots_.size() > max_arguments) fail("a function has up to 4 parameters");
    const xas::SymbolHandle symbol = s_.symbol(called);
    s_.place(file_, line);  // not that of the next token
    s_.loc(1, line);
    code_.begin_function(symbol, unsigned(slots_.size()));
    while (good_ && token_ != "end") statement();
    s_.loc(1, line_);
    code_.end_function(symbol);
    expect("end");
  }

  void statement() {
    s_.loc(1, line_);
    if (accept("{")) {
      while (good_ && token_ != "}") statement();
      expect("}");
    } else if (accept("return")) {
      expression();
      code_.leave();
    } else if (accept("print")) {
      code_.format();
      code_.push();
      expression();
      code_.push();
      code_.call("printf", 2);
    } else if (accept("let")) {
      const std::string variable = name();
      expect("=");
      expression();
      code_.store(slot(variable));
    } else if (token_ == "if" || token_ == "while") {
      const bool loop = token_ == "while";
      next();
      const std::string again = new_label(), behind = new_label();
      s_.label(s_.symbol(again));
      expression();
      code_.jump_if_zero(behind);
      statement();
      if (loop) code_.jump(again);
      s_.label(s_.symbol(behind));
    } else {
      fail("expected a statement");
    }
  }

  void expression() {
    sum();
    while (good_ && token_ == "<") operation([this] { sum(); });
  }
  void sum() {
    product();
    while (good_ && (token_ == "+" || token_ == "-")) operation([this] { product(); });
  }
  void product() {
    primary();
    while (good_ && (token_ == "*" || token_ == "/")) operation([this] { primary(); });
  }
  template <class Right>
  void operation(const Right& right) {
    const char op = token_[0];
    next();
    code_.push();
    right();
    code_.binary(op);
  }
  void primary() {
    if (accept("(")) {
      expression();
      return expect(")");
    }
    if (!token_.empty() && std::isdigit(static_cast<unsigned char>(token_[0]))) {
      code_.number(std::strtol(token_.c_str(), nullptr, 10));
      return next();
    }
    const std::string word = name();
    if (!accept("(")) {
      if (good_ && !slots_.count(word)) fail("'" + word + "' has no value");
      return code_.load(slots_[word]);
    }
    unsigned arguments = 0;
    while (good_ && token_ != ")") {
      expression();
      code_.push();
      if (++arguments > max_arguments) return fail("a call has up to 4 arguments");
      if (!accept(",")) break;
    }
    expect(")");
    code_.call(word, arguments);
  }

  xas::Stream& s_;
  Code code_;
  std::string text_;
  const char* file_;
  std::size_t at_ = 0;
  unsigned line_ = 1, labels_ = 0;
  std::string token_;
  std::map<std::string, unsigned> slots_;
  bool good_ = true;
};

/// What a debugger has to know beyond the line table: one compilation unit, from .Lbegin to .Lend.
void describe_unit(xas::Stream& s, const char* file, Machine machine) {
  const auto section = [&](const char* name) {
    s.open_section(name, {.flags = machine == Machine::windows ? "dr" : ""});
  };
  enum { DW_TAG_compile_unit = 17, DW_AT_name = 3, DW_AT_stmt_list = 16, DW_AT_low_pc = 17, DW_AT_high_pc = 18 };
  enum { DW_FORM_addr = 1, DW_FORM_string = 8, DW_FORM_data8 = 7, DW_FORM_sec_offset = 23 };
  section(".debug_line");
  const xas::SymbolHandle lines = s.symbol(".Llines"), abbreviations = s.symbol(".Labbreviations");
  s.label(lines);
  section(".debug_abbrev");
  s.label(abbreviations);
  for (int byte :
       {1, int(DW_TAG_compile_unit), 0, int(DW_AT_name), int(DW_FORM_string), int(DW_AT_stmt_list),
        int(DW_FORM_sec_offset), int(DW_AT_low_pc), int(DW_FORM_addr), int(DW_AT_high_pc), int(DW_FORM_data8), 0, 0, 0})
    s.integer(unsigned(byte), 1);
  section(".debug_info");
  const xas::SymbolHandle from = s.new_label(), to = s.new_label(), begin = s.symbol(".Lbegin"),
                          end = s.symbol(".Lend");
  // An offset within a section of debugging information: to COFF, another relocation than an address.
  const auto offset = [&](xas::SymbolHandle symbol) {
    if (machine == Machine::windows) return s.directive(".secrel32", {symbol});
    return s.data(symbol, 4);
  };
  s.data(to - from, 4);  // the unit's length
  s.label(from);
  s.integer(4, 2);  // DWARF 4
  offset(abbreviations);
  s.integer(8, 1);  // bytes of an address
  s.leb128(1, false);
  s.bytes(std::string_view(file));
  s.integer(0, 1);
  offset(lines);
  s.data(begin, 8);
  s.data(end - begin, 8);
  s.label(to);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string_view, std::pair<const char*, Machine>> targets = {
      {"x86_64-linux", {"x86_64-linux-gnu", Machine::x86}},
      {"aarch64-linux", {"aarch64-linux-gnu", Machine::aarch64}},
      {"x86_64-windows", {"x86_64-w64-mingw32", Machine::windows}}};
  const auto target = targets.find(argc > 3 ? argv[3] : "x86_64-linux");
  std::ifstream in(argc > 2 ? argv[1] : "");
  if (argc < 3 || !in || target == targets.end()) {
    std::fprintf(stderr, "usage: tiny PROGRAM OBJECT [x86_64-linux | aarch64-linux | x86_64-windows]\n");
    return 2;
  }
  const auto [triple, machine] = target->second;
  xas::Context context;
  context.option("--target", triple);
  xas::Stream s(context);
  s.directive(".file", {Operand::word("1 \"" + std::string(argv[1]) + "\"")});
  s.open_section(".text");
  s.label(s.symbol(".Lbegin"));
  Compiler compiler(s, machine, {std::istreambuf_iterator<char>(in), {}}, argv[1]);
  if (!compiler.program()) return 1;
  if (machine == Machine::aarch64) s.directive(".ltorg");
  s.label(s.symbol(".Lend"));
  s.open_section(".rodata", {.flags = machine == Machine::windows ? "dr" : "a"});
  s.label(s.symbol(".Lformat"));
  s.bytes(machine == Machine::windows ? std::string_view("%lld\n\0", 6) : std::string_view("%ld\n\0", 5));
  describe_unit(s, argv[1], machine);
  if (machine != Machine::windows) s.open_section(".note.GNU-stack", {.flags = ""});
  if (!s.finish()) {
    std::fputs(context.text().data(), stderr);
    return 1;
  }
  const auto object = context.object();
  std::ofstream(argv[2], std::ios::binary).write(reinterpret_cast<const char*>(object.data()), long(object.size()));
}
