// SPDX-License-Identifier: Apache-2.0
// Sections of all kinds and symbols with everything that can be said of them; what is left to the end is what
// assemblers order and name in their own ways: the symbol table, groups, relocations.
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

struct Place {
  const char* name;
  const char* rest;  ///< behind the name, always the same
  bool code = false;
  bool empty = false;  ///< has no contents
};

constexpr Place places[] = {
    {".text", "", true},
    {".text.a", ",\"ax\",@progbits", true},
    {".text.g", ",\"axG\",@progbits,sig1,comdat", true},
    {".text.h", ",\"axG\",@progbits,s3,comdat", true},
    {".data", ""},
    {".data.r", ",\"aw\""},
    {".rodata", ""},
    {".rodata.s", ",\"aMS\",@progbits,1"},
    {".rodata.g", ",\"aG\",@progbits,sig2"},
    {".note.x", ",\"\",@note"},
    {".bss", "", false, true},
    {".bss.x", ",\"aw\",@nobits", false, true},
    {".tdata", ",\"awT\",@progbits"},
    {".init_array", ",\"aw\",@init_array"},
    {".lo", ",\"ao\",@progbits,.text"},
    {".gone", ",\"e\""},
    {".u", ",\"a\",@progbits,unique,1"},
    {".u", ",\"a\",@progbits,unique,2"},
    {".debug_x", ",\"\",@progbits"},
};
constexpr unsigned symbols = 14, undefined = 5, temporaries = 6;

class Writer {
 public:
  explicit Writer(Text& text) : text_(text) {}

  void write() {
    const unsigned steps = 12 + text_.below(40);
    for (unsigned i = 0; i < steps; ++i) step();
    finish();
  }

 private:
  void step() {
    switch (text_.below(9)) {
      case 0: return section();
      case 1: return label();
      case 2: return attribute();
      case 3: return value();
      case 4: return text_.one_in(3) ? rare() : contents();
      default: return contents();
    }
  }

  void section() {
    if (text_.one_in(8) && depth_) {
      --depth_;
      text_.line(".popsection");
      std::tie(here_, previous_) = stack_.back();
      stack_.pop_back();
    } else if (text_.one_in(9)) {
      text_.line(".subsection {}", text_.below(3));
      previous_ = here_;
    } else if (text_.one_in(9) && previous_) {
      text_.line(".previous");
      std::swap(here_, previous_);
    } else {
      const Place& to = places[text_.below(std::size(places))];
      const bool push = text_.one_in(4);
      if (push) stack_.emplace_back(here_, previous_), ++depth_;
      if (push) text_.line(".pushsection {}{}", to.name, to.rest);
      else text_.line(".section {}{}", to.name, to.rest);
      previous_ = here_;
      here_ = &to;
    }
  }

  void label() {
    if (text_.one_in(4)) {
      text_.line("{}:", text_.below(3));
      return;
    }
    const unsigned number = text_.below(symbols);
    if (text_.one_in(3)) {
      if (temporaries_.insert(number % temporaries).second) text_.line(".L{}:", number % temporaries);
    } else if (defined_.insert(number).second) {
      text_.line("s{}:", number);
      in_[number] = here_;
    }
  }

  std::string name() {
    switch (text_.below(8)) {
      case 0: return fmt::format("u{}", text_.below(undefined));
      case 1: return fmt::format(".L{}", text_.below(temporaries));
      case 2: return fmt::format("a{}", text_.below(9));
      default: return fmt::format("s{}", text_.below(symbols));
    }
  }

  std::string with_addend(std::string of) {
    return text_.one_in(3)
               ? fmt::format("{}{:+}", of, text_.one_in(2) ? 1 + int(text_.below(40)) : -1 - int(text_.below(40)))
               : of;
  }

  void attribute() {
    const std::string of = fmt::format("{}{}", text_.one_in(5) ? 'u' : 's', text_.below(undefined));
    switch (text_.below(5)) {
      case 0:
        if (!bound_.insert(of).second) return;
        return text_.line("{} {}", text_.any({".globl", ".weak", ".local", ".globl"}), of);
      case 1: return text_.line("{} {}", text_.any({".hidden", ".protected", ".internal"}), of);
      case 2: return text_.line(".type {}, {}", of, text_.any({"@function", "@object", "@notype", "@tls_object"}));
      case 3: return text_.line(".size {}, {}", of, text_.below(99));
      default: {
        const unsigned number = text_.below(symbols);
        if (in_[number] == here_ && here_->code) text_.line(".size s{}, .-s{}", number, number);
      }
    }
  }

  void value() {
    const unsigned number = text_.below(3);
    switch (text_.below(5)) {
      case 0: return text_.line(".set a{}, {}", number, text_.below(300));
      case 1:
        if (!fixed_.insert(number + 3).second) return;
        return text_.line(".set a{}, {}", number + 3, with_addend(fmt::format("s{}", text_.below(symbols))));
      case 2:
        if (fixed_.insert(number + 6).second) text_.line("a{} = .", number + 6);
        return;
      case 3:
        if (fixed_.insert(number).second) text_.line(".equiv e{}, s{}+{}", number, text_.below(symbols), 1 + number);
        return;
      default:
        if (!commons_.insert(number).second) return;
        // Behind it, .previous goes to .bss in llvm-mc.
        if (!text_.llvm && !here_->empty && text_.one_in(2))
          return text_.line(".lcomm c{}, {}", number, 1 + text_.below(40));
        text_.line(".comm c{}, {}{}", number, 1 + text_.below(40), text_.any({"", ",4", ",16"}));
    }
  }

  void rare() {
    const unsigned number = text_.below(3);
    switch (text_.below(text_.llvm ? 6 : 5)) {
      case 0:
        if (versions_.insert(number).second && (!text_.llvm || defined_.contains(number)))
          text_.line(".symver s{}, s{}{}V{}", number, number,
                     text_.any({"@", defined_.contains(number) ? "@@" : "@", "@@@"}), number);
        return;
      case 1:
        if (weak_.insert(number).second) text_.line(".weakref w{}, {}{}", number, text_.any({"u", "s"}), number);
        return;
      case 2:
        if (here_->empty) return;
        // llvm-mc looks at the end of a piece of contents for these, so that no alignment may follow at once.
        return text_.line(".reloc ., R_X86_64_NONE, {}\n.byte 1", with_addend(name()));
      case 3: return text_.line(".ident \"text {}\"", number);
      case 4:
        if (!text_.llvm && here_ != &places[1]) return;
        if (text_.llvm) return text_.line(".addrsig\n.addrsig_sym s{}", text_.below(symbols));
        return text_.line(".attach_to_group sig{}{}", 1 + number, number == 2 ? ",comdat" : "");
      default: return text_.line(".cg_profile s{}, u{}, {}", text_.below(symbols), number, text_.below(99));
    }
  }

  void contents() {
    if (here_->empty) return text_.line(".skip {}", 1 + text_.below(9));
    if (here_->code && text_.one_in(2)) {
      switch (text_.below(6)) {
        case 0: return text_.line("call {}", with_addend(name()));
        case 1: return text_.line("jmp {}", name());
        case 2: return text_.line("jne {}", name());
        case 3: return text_.line("mov {}(%rip), %eax", with_addend(name()));
        case 4: return text_.line("mov s{}@GOTPCREL(%rip), %rax", text_.below(symbols));
        default: return text_.line("jmp {}f", number());
      }
    }
    switch (text_.below(6)) {
      case 0: return text_.line(".byte {}", text_.below(256));
      case 1: return text_.line(".p2align {}", text_.below(5));
      case 2: return text_.line(".long {}-.", with_addend(name()));
      case 3: return text_.line(".long {}", with_addend(name()));
      case 4: return text_.line(".quad {}f", number());
      default: return text_.line(".quad {}", with_addend(name()));
    }
  }

  unsigned number() {
    const unsigned of = text_.below(3);
    ahead_.insert(of);
    return of;
  }

  /// What has been promised: numeric labels ahead, and temporary symbols, which llvm-mc wants defined.
  void finish() {
    text_.line(".text");
    for (unsigned of : ahead_) text_.line("{}: nop", of);
    for (unsigned i = 0; i < temporaries; ++i) {
      if (!temporaries_.contains(i) && (text_.llvm || !text_.one_in(4))) text_.line(".L{}: nop", i);
    }
  }

  Text& text_;
  const Place* here_ = &places[0];
  const Place* previous_ = nullptr;
  std::vector<std::pair<const Place*, const Place*>> stack_;
  unsigned depth_ = 0;
  const Place* in_[symbols] = {};
  std::set<unsigned> defined_, temporaries_, fixed_, commons_, versions_, weak_, ahead_;
  std::set<std::string> bound_;
};

}  // namespace

void symbols_and_sections(Text& text) { Writer(text).write(); }

}  // namespace xas::corpus::texts
