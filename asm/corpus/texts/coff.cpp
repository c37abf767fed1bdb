// SPDX-License-Identifier: Apache-2.0
// Sections, COMDATs, symbols of all classes and relocations of objects for Windows.
#include <set>
#include <string>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

constexpr unsigned symbols = 12, undefined = 5;

class Writer {
 public:
  explicit Writer(Text& text) : text_(text), local_(text.machine == Machine::i386 ? "L" : ".L") {}

  void write() {
    if (text_.machine == Machine::arm) text_.line(".syntax unified\n.thumb");
    for (unsigned n = text_.below(3); n; --n) text_.line(".file \"{}.c\"", n);
    for (unsigned n = 12 + text_.below(40); n; --n) step();
    text_.line(".text");
    code_ = true;
    if (!is_x86()) text_.line(".p2align 2");
    for (unsigned number : ahead_) text_.line("{}: nop", number);
    for (unsigned number : wanted_) {
      if (!locals_.contains(number)) text_.line("{}t{}: nop", local_, number);
    }
  }

 private:
  bool is_x86() const { return text_.machine == Machine::x86_64 || text_.machine == Machine::i386; }

  void step() {
    switch (text_.below(9)) {
      case 0: return section();
      case 1: return label();
      case 2: return binding();
      case 3: return definition();
      case 4: return text_.one_in(3) ? rare() : data();
      case 5:
      case 6: return code_ ? instruction() : data();
      default: return data();
    }
  }

  void section() {
    const unsigned number = text_.below(3);
    empty_ = code_ = false;
    switch (text_.below(9)) {
      case 0: code_ = true; return text_.line(".text");
      case 1: return text_.line(".data");
      case 2: empty_ = true; return text_.line(".bss");
      case 3: code_ = true; return text_.line(".section .text$m{},\"{}\"", number, text_.llvm ? "xr" : "x");
      case 4: return text_.line(".section .rdata,\"dr\"");
      case 5: return text_.line(".section .a_long_name_{},\"{}\"", number, text_.any({"dr", "w", "dn"}));
      case 6: empty_ = true; return text_.line(".section .bss$z,\"b\"");
      default: return comdat(number);
    }
  }

  void comdat(unsigned number) {
    if (!text_.llvm) {
      text_.line(".section .rdata$c{},\"dr\"", number);
      if (comdats_.insert(number).second) text_.line(".linkonce {}", kinds_[number]);
      return;
    }
    if (comdats_.contains(number) && text_.one_in(3))
      return text_.line(".section .xtra,\"dr\",associative,k{}", number);
    text_.line(".section .rdata,\"dr\",{},k{}", kinds_[number], number);
    if (comdats_.insert(number).second) text_.line(".globl k{}\nk{}: .long {}", number, number, number);
  }

  void label() {
    if (code_ && !is_x86()) text_.line(".p2align 2");
    if (text_.one_in(4)) return text_.line("{}: {}", text_.below(3), empty_ ? ".skip 1" : ".byte 1");
    if (text_.one_in(3)) {
      const unsigned number = text_.below(5);
      if (locals_.insert(number).second) text_.line("{}t{}:", local_, number);
      return;
    }
    const unsigned number = text_.below(symbols);
    if (defined_.insert(number).second) text_.line("g{}:", number);
  }

  std::string name() {
    switch (text_.below(7)) {
      case 0: return fmt::format("u{}", text_.below(undefined));
      case 1: {
        const unsigned number = text_.below(5);
        wanted_.insert(number);
        return fmt::format("{}t{}", local_, number);
      }
      default: return fmt::format("g{}", text_.below(symbols));
    }
  }
  std::string with_addend() {
    return text_.one_in(3) ? fmt::format("{}{:+}", name(), int(text_.below(99)) - 49) : name();
  }

  void binding() {
    const std::string of = fmt::format("{}{}", text_.one_in(4) ? 'u' : 'g', text_.below(undefined));
    if (!bound_.insert(of).second) return;
    text_.line("{} {}", text_.any({".globl", ".globl", ".weak"}), of);
  }

  void definition() {
    const unsigned number = text_.below(symbols);
    if (!described_.insert(number).second) return;
    // GNU as makes a symbol of its own of what a definition names first, unless it is a function.
    const bool function = !defined_.contains(number) || text_.one_in(2);
    text_.line(".def g{}; .scl {}; .type {}; .endef", number, text_.any({"2", "3"}), function ? 32 : 0);
  }

  void rare() {
    const unsigned number = text_.below(3);
    switch (text_.below(text_.llvm ? 4 : 6)) {
      case 0:
        if (values_.insert(number).second) text_.line(".set a{}, {}", number, text_.below(300));
        return;
      case 1:
        if (values_.insert(number + 3).second) text_.line(".set a{}, g{}+{}", number + 3, text_.below(symbols), number);
        return;
      case 2:
        if (commons_.insert(number).second)
          text_.line(".comm c{}, {}{}", number, 1 + text_.below(40), text_.any({"", ", 2", ", 4"}));
        return;
      case 3:
        if (commons_.insert(number + 3).second) text_.line(".lcomm l{}, {}", number, 1 + text_.below(40));
        return;
      case 4:
        if (weak_.insert(number).second) text_.line(".weakref w{}, u{}\n.globl u{}", number, number, number);
        return;
      default: return text_.line(".ident \"text {}\"", number);
    }
  }

  void data() {
    if (empty_) return text_.line(".skip {}", 1 + text_.below(9));
    switch (text_.below(8)) {
      case 0: return text_.line(".byte {}", text_.below(256));
      case 1: return text_.line(".p2align {}", (code_ && !is_x86() ? 2 : 0) + text_.below(4));
      case 2: return text_.line("{} {}+{}", text_.any({".rva", ".secrel32", ".secrel32"}), name(), text_.below(20));
      case 3: return text_.line(".secidx {}", name());
      case 4: return text_.line(".long {}-.", with_addend());
      case 5: {
        const unsigned number = text_.below(3);
        ahead_.insert(number);
        return text_.line(".long {}f", number);
      }
      case 6:
        if (text_.machine == Machine::x86_64 || text_.machine == Machine::arm64)
          return text_.line(".quad {}", with_addend());
        [[fallthrough]];
      default: return text_.line(".long {}", with_addend());
    }
  }

  void instruction() {
    switch (text_.machine) {
      case Machine::x86_64:
      case Machine::i386: return x86_instruction();
      case Machine::arm64: return arm64_instruction();
      default: return text_.line("{}", arm_instruction());
    }
  }

  void x86_instruction() {
    const bool wide = text_.machine == Machine::x86_64;
    switch (text_.below(6)) {
      case 0: return text_.line("call {}", name());
      case 1: return text_.line("jmp {}", name());
      case 2: return text_.line("jne {}", name());
      case 3:
        return wide ? text_.line("leaq {}(%rip), %rax", with_addend()) : text_.line("movl ${}, %eax", with_addend());
      case 4: return wide ? text_.line("movb $1, {}(%rip)", with_addend()) : text_.line("movb $1, {}", with_addend());
      default: return text_.line("movl {}(%{}), %eax", with_addend(), wide ? "rbx" : "ebx");
    }
  }

  void arm64_instruction() {
    text_.line(".p2align 2");
    const std::string of = name();
    switch (text_.below(5)) {
      case 0: return text_.line("bl {}", of);
      case 1: return text_.line("adrp x0, {}\nadd x0, x0, :lo12:{}", of, of);
      case 2: return text_.line("adrp x0, {}\nldr x0, [x0, :lo12:{}]", of, of);
      case 3:
        // The upper part of the place of a name that the linker does not see could not be written.
        if (of.starts_with('.')) return text_.line("adr x0, {}", of);
        return text_.line("add x0, x0, :secrel_hi12:{}\nadd x0, x0, :secrel_lo12:{}", of, of);
      default: return text_.line("b {}", of);
    }
  }

  std::string arm_instruction() {
    const std::string of = name();
    switch (text_.below(3)) {
      case 0: return fmt::format(".p2align 2\nbl {}", of);
      case 1: return fmt::format(".p2align 2\nmovw r0, :lower16:{}\nmovt r0, :upper16:{}", of, of);
      default: return fmt::format(".p2align 2\nb.w {}", of);
    }
  }

  Text& text_;
  const std::string_view local_;
  bool code_ = true, empty_ = false;
  const std::string_view kinds_[3] = {text_.any({"discard", "one_only"}), "discard",
                                      text_.llvm ? "largest" : "same_size"};
  std::set<unsigned> comdats_, defined_, locals_, wanted_, described_, values_, commons_, weak_, ahead_;
  std::set<std::string> bound_;
};

}  // namespace

void coff_symbols(Text& text) { Writer(text).write(); }

}  // namespace xas::corpus::texts
