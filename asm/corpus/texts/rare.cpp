// SPDX-License-Identifier: Apache-2.0
// What few programs write: sections with every flag and type, sizes that are known late, bundles, the rarer directives
// of frames and line tables, versions of symbols, and macros that define macros.
#include <set>
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

struct Kind {
  std::string_view flags, type, arguments;
};

/// What a section can be, by the letters of its flags; GNU as and LLVM name some of them by themselves.
Kind any_kind(Text& text) {
  static constexpr Kind both[] = {
      {"a", "@progbits", ""},
      {"aw", "@progbits", ""},
      {"ax", "@progbits", ""},
      {"awx", "@progbits", ""},
      {"", "@progbits", ""},
      {"w", "@progbits", ""},
      {"aM", "@progbits", ",4"},
      {"aMS", "@progbits", ",1"},
      {"MS", "@progbits", ",2"},
      {"aG", "@progbits", ",g1"},
      {"axG", "@progbits", ",g2,comdat"},
      {"aMG", "@progbits", ",8,g3,comdat"},
      {"ao", "@progbits", ",.text"},
      {"awo", "@progbits", ",.text"},
      {"awT", "@progbits", ""},
      {"awT", "@nobits", ""},
      {"aw", "@nobits", ""},
      {"e", "@progbits", ""},
      {"aR", "@progbits", ""},
      {"awR", "@nobits", ""},
      {"a", "@note", ""},
      {"", "@note", ""},
      {"aw", "@init_array", ""},
      {"aw", "@fini_array", ""},
      {"aw", "@preinit_array", ""},
      {"al", "@progbits", ""},
      {"awl", "@nobits", ""},
      {"a", "@0x7fff1234", ""},
      {"aw", "@0x60000001", ""},
      {"ax", "@progbits", ",unique,3"},
      {"aMS", "@progbits", ",1,unique,4"},
      {"axG", "@progbits", ",g2,comdat,unique,5"},
      {"a", "@unwind", ""},
  };
  return both[text.below(std::size(both))];
}

std::string number(Text& text) { return fmt::format("{}", text.below(40)); }

/// Some value that is known where it stands, or only in the end; `labels` of them have stood.
std::string size(Text& text, unsigned labels) {
  switch (text.below(5)) {
    case 0: return fmt::format("k{}", text.below(3));
    case 1: return fmt::format("(.L{}-.L0)&31", text.below(labels));
    case 2: return fmt::format("late-{}", text.below(9));
    case 3: return fmt::format("k{}*{}+{}", text.below(3), text.below(4), text.below(4));
    default: return number(text);
  }
}

}  // namespace

void section_kinds(Text& text) {
  const unsigned names = 3 + text.below(6);
  std::vector<Kind> kinds;
  for (unsigned i = 0; i < names; ++i) kinds.push_back(any_kind(text));
  unsigned depth = 0;
  bool empty = false;
  std::vector<bool> stack;
  for (unsigned n = 6 + text.below(30); n; --n) {
    switch (text.below(6)) {
      case 0:
      case 1: {
        const unsigned which = text.below(names);
        const Kind& k = kinds[which];
        const bool push = text.one_in(3);
        if (push) ++depth, stack.push_back(empty);
        text.line(".{} .s{},\"{}\",{}{}", push ? "pushsection" : "section", which, k.flags, k.type, k.arguments);
        empty = k.type == "@nobits";
        break;
      }
      case 2:
        if (!depth) break;
        --depth;
        text.line(".popsection");
        empty = stack.back();
        stack.pop_back();
        break;
      case 3:
        if (text.one_in(2))
          text.line(".subsection {}", text.below(3));
        else
          text.line("l{}:", n);
        break;
      default:
        if (empty)
          text.line(".skip {}", text.below(20));
        else
          text.line("{}", text.any({".byte 1", ".long l", ".quad .text", ".p2align 3", ".asciz \"ab\"", ".long .-4",
                                    ".balign 16", ".quad l-."}));
    }
  }
  for (unsigned i = 0; i < names && i < 3; ++i)
    if (text.one_in(2)) text.line(".section .s{}\n.skip 4", i);
}

void late_sizes(Text& text) {
  const unsigned labels = 3 + text.below(8);
  text.line("k0 = 3\nk1 = 8\nk2 = 0");
  for (unsigned i = 0; i < labels; ++i) {
    text.line(".L{}:", i);
    for (unsigned n = text.below(4); n; --n) {
      switch (text.below(11)) {
        case 0: text.line("{} {}", text.any({".skip", ".space", ".zero"}), size(text, i + 1)); break;
        case 1: text.line("{} {}, {}", text.any({".skip", ".space"}), size(text, i + 1), text.below(256)); break;
        case 2: text.line(".fill {}, {}, {}", size(text, i + 1), 1 + text.below(8), text.below(100000)); break;
        case 3: text.line(".fill {}", size(text, i + 1)); break;
        case 4: text.line(".org .L{}+{}{}", i, 200 + text.below(40), text.any({"", ", 0x90", ", 1"})); return;
        case 5: text.line(".p2align {}, {}, {}", text.below(6), text.below(256), 1 + text.below(3)); break;
        case 6: text.line("{} .L{}-.L{}", text.any({".uleb128", ".long", ".2byte"}), labels - 1, i); break;
        case 7: text.line("k{} = {}", text.below(3), text.below(12)); break;
        case 8: text.line(".balign {}, {}", text.any({"4", "8"}), text.below(256)); break;
        case 9: text.line("jmp .L{}", text.below(labels)); break;
        default: text.line(".byte {}", number(text)); break;
      }
    }
  }
  text.line("late = {}", 9 + text.below(30));
}

void bundles(Text& text) {
  // LLVM 22 has none.
  const unsigned log2 = 4 + text.below(2);
  if (!text.llvm) text.line(".bundle_align_mode {}", log2);
  for (unsigned n = 5 + text.below(25); n; --n) {
    const bool lock = !text.llvm && text.one_in(3);
    if (lock) text.line(".bundle_lock");
    for (unsigned k = lock ? 1 + text.below(2) : 1; k; --k) {
      switch (text.below(7)) {
        case 0: text.line("jmp .L{}", text.below(4)); break;
        case 1: text.line("call f"); break;
        case 2: text.line("movl ${}, %eax", text.below(999)); break;
        case 3: text.line("nop"); break;
        default: text.line("addl %eax, {}(%rbx)", text.below(200)); break;
      }
    }
    if (lock) text.line(".bundle_unlock");
    if (text.one_in(9)) text.line(".p2align {}", text.below(6));
  }
  text.line(".L0: .L1: nop\n.L2: .L3: ret");
}

void rare_frames(Text& text) {
  if (text.one_in(3)) text.line(".cfi_sections {}", text.any({".eh_frame, .debug_frame", ".debug_frame", ".eh_frame"}));
  for (unsigned f = 0, functions = 1 + text.below(4); f < functions; ++f) {
    text.line("f{}: .cfi_startproc{}", f, text.any({"", " simple", ""}));
    for (unsigned n = 2 + text.below(10); n; --n) {
      switch (text.below(16)) {
        case 0:
          text.line(".cfi_val_offset {}, {}", text.any({"%rbx", "%r12", "33"}), 8 * int(text.below(9)) - 32);
          break;
        case 1: text.line(".cfi_escape {}", text.any({"0x16,3,2,0x77,8", "0x0f, 0x03, 0x77, 0x10, 0x06", "1"})); break;
        case 2:
          if (text.llvm)
            text.line(".cfi_llvm_def_aspace_cfa %rsp, {}, {}", 8 * text.below(9), text.below(7));
          else
            text.line(".cfi_val_encoded_addr %rbx, {}, {}", text.any({"0x1b", "0x03", "0"}), text.any({"f0", "x"}));
          break;
        case 4: text.line(".cfi_adjust_cfa_offset {}", 8 * text.below(40)); break;
        case 5: text.line(".cfi_window_save"); break;
        case 6: text.line(".cfi_same_value {}", text.any({"%rbx", "64", "63"})); break;
        case 7: text.line(".cfi_return_column {}", text.any({"16", "%rip", "8"})); break;
        case 8: text.line(".cfi_signal_frame"); break;
        case 9: text.line(".cfi_restore {}", text.any({"%rbx", "40", "130"})); break;
        case 10: text.line(".cfi_undefined {}", text.any({"%rip", "70", "200"})); break;
        case 11: text.line(".cfi_register {}, {}", text.any({"%rbx", "17"}), text.any({"%xmm3", "%r9"})); break;
        case 12: text.line(".cfi_personality {}", text.any({"0xff", "0x9b, p", "0x1b, p", "0, p", "0x3, q"})); break;
        case 13: text.line(".cfi_lsda {}", text.any({"0xff", "0x1b, x", "0x3, .Lx", "0, .Lx"})); break;
        case 14: text.line(".cfi_def_cfa {}, {}", text.any({"%r13", "5", "99"}), int(text.below(90)) * 8 - 80); break;
        default: text.line("{}", text.any({"nop", ".skip 70", "call g", ".p2align 4", ".skip 300", ".skip 70000"}));
      }
    }
    text.line("ret\n.cfi_endproc");
  }
  text.line(".data\n.Lx: .long 0");
}

void rare_lines(Text& text) {
  const bool version_5 = text.one_in(2);
  if (version_5) text.line(".file 0 \"/d\" \"a.c\"");
  text.line(".file 1 \"x.c\"\n.file 2 {}\"b.c\"", version_5 ? "\"/e\" " : "");
  for (unsigned n = 5 + text.below(25); n; --n) {
    switch (text.below(4)) {
      case 0: text.line("{}", text.any({".skip 40", "call f", ".p2align 4", "nop", ".skip 300"})); break;
      case 1: text.line("{}", text.any({".text", ".section .text.x,\"ax\"", ".text"})); break;
      default: {
        std::string loc =
            fmt::format(".loc {} {} {}", 1 + text.below(2), text.below(4) ? text.below(200) : 0u, text.below(30));
        for (unsigned k = text.below(4); k; --k) {
          switch (text.below(7)) {
            case 0: loc += " basic_block"; break;
            case 1: loc += " prologue_end"; break;
            case 2: loc += " epilogue_begin"; break;
            case 3: loc += fmt::format(" is_stmt {}", text.below(2)); break;
            case 4: loc += fmt::format(" isa {}", text.below(130)); break;
            case 5: loc += fmt::format(" discriminator {}", text.below(300)); break;
            default:
              if (!text.llvm) loc += fmt::format(" view {}", text.any({"0", "-0"}));
          }
        }
        text.line("{}\nnop", loc);
        if (!text.llvm && text.one_in(9)) text.line(".loc_mark_labels {}", text.below(2));
        if (text.one_in(5)) text.line("label{}:", n);
      }
    }
  }
  text.line(".text\nf: ret");
}

namespace {

/// What stands before the version of symbol `s`. One with a default version must be defined: it is one of `defaults`.
std::string_view version(Text& text, unsigned s, std::set<unsigned>& defaults) {
  const std::string_view at = text.any({"@", "@@", "@@@", "@"});
  if (at == "@@") defaults.insert(s);
  return at;
}

}  // namespace

void versions(Text& text) {
  std::set<unsigned> defined, versioned, defaults;
  const unsigned symbols = 6;
  for (unsigned n = 5 + text.below(25); n; --n) {
    const unsigned s = text.below(symbols);
    switch (text.below(7)) {
      case 0:
        if (defined.insert(s).second) text.line("s{}: nop", s);
        break;
      case 1:  // GNU as looks at a call's target when it reads the call
        if (!defined.contains(s)) text.line("{} s{}", text.any({".globl", ".weak", ".hidden", ".protected"}), s);
        break;
      case 2:
      case 3:
        if (!versioned.insert(s).second) break;
        text.line(".symver s{}, {}{}{}V{}{}", s, text.any({"s", "t", "v"}), s, version(text, s, defaults),
                  text.below(3),
                  text.any({"", "", "", ", remove", text.llvm ? "" : ", local", text.llvm ? "" : ", hidden"}));
        break;
      case 4: text.line(".long s{}", s); break;
      case 5: text.line("call s{}", s); break;
      default: text.line(".set a{}, s{}", text.below(3), s); break;
    }
  }
  for (unsigned s : defaults)
    if (!defined.contains(s)) text.line("s{}: nop", s);
}

namespace {

/// What a macro within another one does; both have parameters, some of them with one name.
void inner_macro(Text& text, unsigned number, unsigned depth) {
  struct Head {
    std::string_view parameters, last;
  };
  static constexpr Head heads[] = {{"p", "p"},           {"p=5", "p"},        {"p, q=\\a", "q"}, {"p:req", "p"},
                                   {"p, q:vararg", "q"}, {"p:req, q=1", "q"}, {"p, a", "a"},     {"p, a=\\b", "a"}};
  const Head& head = heads[text.below(std::size(heads))];
  text.line(".macro i{} {}", number, head.parameters);
  for (unsigned n = 1 + text.below(3); n; --n) {
    switch (text.below(7)) {
      case 0: text.line(".ascii \"<\\p \\a \\b>\""); break;
      case 1: text.line(".ascii \"\\{}\"", head.last); break;
      case 2: text.line(".ifb \\{}\n.byte 2\n.endif", head.last); break;
      case 3: text.line(".ascii \"\\@\""); break;
      case 4: text.line(".ascii \"\\()\\p\\()\""); break;
      case 5: text.line(".irp z, \\{}, 4\n.ascii \"\\z\"\n.endr", head.last); break;
      default: text.line(".byte {}", number); break;
    }
  }
  if (depth) {
    inner_macro(text, number + 10, depth - 1);
    if (text.one_in(2)) text.line("i{} 7", number + 10);
    text.line(".purgem i{}", number + 10);
  }
  text.line(".endm");
}

}  // namespace

void nested_macros(Text& text) {
  text.line(".data");
  const unsigned count = 1 + text.below(2);
  for (unsigned m = 0; m < count; ++m) {
    text.line(".macro m{} {}", m, text.any({"a, b", "a b=x", "a:req b", "a=1, b:vararg", "a,b=2"}));
    text.line("{}", text.any({".byte 9", ".ascii \"\\a|\\b\"", ".ascii \"\\@\"", ".rept 2\n.ascii \"\\a\"\n.endr"}));
    inner_macro(text, m, text.below(2));
    text.line("i{} {}", m, text.any({"\\a", "3", "\"x y\"", "1", "p=2"}));
    if (text.one_in(4)) text.line("i{} 3, 4", m);
    text.line(".purgem i{}\n.endm", m);
  }
  for (unsigned n = 1 + text.below(4); n; --n) {
    const std::string_view plus = text.llvm ? "\\+" : "1";
    switch (text.below(5)) {
      case 0:
        text.line(".rept {}\n.byte {}\n.rept {}\n.byte {}\n.endr\n.endr", text.below(4), plus, text.below(3), plus);
        break;
      case 1:
        text.line(".irpc c, {}\n.ascii \"\\c\\()\\c {}\"\n.endr",
                  text.llvm ? text.any({"abc", "a", "0"}) : text.any({"abc", "1-2", "x.y", "0", "a b", ""}), plus);
        break;
      case 2:
        text.line(".irp v, {}\n.ascii \"[\\v]\"\n.endr",
                  text.any({"a, b", "\"a, b\", c", "a+1, (2)", "1", "x y, z", "\"\", a"}));
        break;
      default: text.line("m{} {}", text.below(count), text.any({"1, 2", "a b", "\"q r\", s", "1, b=3", "x"})); break;
    }
  }
}

}  // namespace xas::corpus::texts
