// SPDX-License-Identifier: Apache-2.0
// Functions with unwind tables of Windows: prologues as compilers write them and others, epilogues that mirror them or
// not, handlers with data, COMDATs; for x86-64 both versions and chained regions, for ARM64 and ARM what can be packed.
#include <string>
#include <vector>

#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

/// A directive without `.seh_`, and the instruction that it describes.
struct Operation {
  std::string instruction, name, operands;
  void write(Text& text) const { text.line("{}\n.seh_{} {}", instruction, name, operands); }
};
using Operations = std::vector<Operation>;

// What the machines share

/// The function's section and head; returns the section.
std::string begin_function(Text& text, unsigned number) {
  std::string section = ".text";
  switch (text.below(5)) {
    case 0: section = fmt::format(".section .text$b,\"{}\"", text.llvm ? "xr" : "x"); break;
    case 1:
      section = text.llvm ? fmt::format(".section .text,\"xr\",discard,f{}", number)
                          : fmt::format(".section .text$f{},\"x\"", number);
      break;
    default: break;
  }
  text.line("{}", section);
  if (!text.llvm && section.find("$f") != section.npos) text.line(".linkonce {}", text.any({"discard", "same_size"}));
  text.line(".globl f{}", number);
  if (text.machine == Machine::arm) text.line(".p2align 1\n.thumb_func");
  if (text.machine == Machine::arm64) text.line(".p2align 2");
  if (text.machine == Machine::x86_64) {
    text.line(".def f{}; .scl {}; .type 32; .endef", number, text.any({"2", "3"}));
    if (text.one_in(2)) text.line(".p2align 4");
  }
  text.line("f{}:\n.seh_proc f{}", number, number);
  return section;
}

bool handler(Text& text) {
  if (!text.one_in(4)) return false;
  const char at = text.machine == Machine::arm ? '%' : '@';
  text.line(".seh_handler hand{}, {}{}", text.below(3), at, text.any({"unwind", "except"}));
  return true;
}

/// The handler's data, and back to the function.
void handler_data(Text& text, const std::string& section, unsigned number) {
  if (!text.one_in(2)) return;
  text.line(".seh_handlerdata");
  const unsigned words = text.below(4);
  for (unsigned i = 0; i < words; ++i) text.line(".long {}", text.below(9));
  if (text.one_in(2) && text.machine != Machine::arm) text.line(".rva f{}", number);
  text.line("{}", section);
}

// x86-64

std::string x64_register(Text& text) {
  return std::string(text.any({"%rax", "%rcx", "%rbx", "%rbp", "%rsi", "%rdi", "%r8", "%r12", "%r13", "%r15"}));
}

Operation x64_operation(Text& text) {
  switch (text.below(10)) {
    case 0: {
      const auto size = text.any({"8", "24", "120", "128", "136", "512", "4096", "524280", "524288", "0x7ffffff8"});
      return {fmt::format("subq ${}, %rsp", size), "stackalloc", std::string(size)};
    }
    case 1: {
      const unsigned size = 8 + 8 * text.below(20000);
      return {fmt::format("subq ${}, %rsp", size), "stackalloc", std::to_string(size)};
    }
    case 2: {
      const std::string to = fmt::format("{}, {}", x64_register(text), text.any({"0", "8", "800", "524280", "524288"}));
      return {"movq %rax, 8(%rsp)", "savereg", to};
    }
    case 3: {
      const auto offset = text.any({"0", "16", "1600", "1048560", "1048576"});
      return {"movups %xmm6, 16(%rsp)", "savexmm", fmt::format("%xmm{}, {}", text.below(16), offset)};
    }
    default: {
      const std::string pushed = x64_register(text);
      return {fmt::format("push {}", pushed), "pushreg", pushed};
    }
  }
}

void x64_code(Text& text, unsigned max) {
  const unsigned lines = text.below(max);
  for (unsigned i = 0; i < lines; ++i) {
    switch (text.below(9)) {
      case 0: text.line(".p2align {}", 1 + text.below(5)); break;
      case 1: text.line("jmp 9f\nnop\n9:"); break;
      case 2: text.line("jne 9f\n.skip {}\n9:", 100 + text.below(40)); break;
      case 3: text.line(".skip {}", text.below(300)); break;
      case 4: text.line("call ext"); break;
      case 5: text.line("leaq sym(%rip), %rax"); break;
      default: text.line("movl $1, %eax"); break;
    }
  }
}

void x64_prologue(Text& text, bool whole) {
  const unsigned count = text.below(7);
  if (whole && text.one_in(12)) text.line(".seh_pushframe {}", text.any({"", text.llvm ? "@code" : "code"}));
  for (unsigned i = 0; i < count; ++i) x64_operation(text).write(text);
  if (whole && text.one_in(4)) text.line("leaq 32(%rsp), %rbp\n.seh_setframe %rbp, {}", 16 * text.below(16));
  text.line(".seh_endprologue");
}

/// Version 2 tells the epilogues too.
void x64_epilogues(Text& text) {
  const unsigned count = text.below(4), pops = text.below(3);
  for (unsigned i = 0; i < count; ++i) {
    text.line(".seh_startepilogue\naddq $32, %rsp\n.seh_unwindv2start");
    for (unsigned p = 0; p < pops; ++p) text.line("popq %rbx");
    text.line(".seh_endepilogue\nret");
    x64_code(text, 3);
  }
}

void x64_function(Text& text, unsigned number) {
  const std::string section = begin_function(text, number);
  const bool handles = handler(text);
  const bool version_2 = text.llvm && text.one_in(4);
  if (version_2) text.line(".seh_unwindversion 2");
  x64_prologue(text, true);
  x64_code(text, 6);
  if (version_2) {
    x64_epilogues(text);
  } else if (text.llvm && text.one_in(5)) {
    text.line(".seh_startchained");
    x64_prologue(text, false);
    x64_code(text, 4);
    text.line(".seh_endchained");
    x64_code(text, 2);
  }
  if (handles) handler_data(text, section, number);
  text.line("ret");
  if (text.llvm && text.one_in(9)) {
    text.line(".seh_endfunclet");
    x64_code(text, 3);
  }
  text.line(".seh_endproc");
  if (text.one_in(3)) x64_code(text, 2);
}

// ARM64

Operation a64(std::string name, std::string operands = "") { return {"nop", std::move(name), std::move(operands)}; }

Operation arm64_operation(Text& text) {
  const auto offset = [&](unsigned unit, unsigned min, unsigned end) { return unit * (min + text.below(end - min)); };
  switch (text.below(20)) {
    case 0: return a64("stackalloc", std::string(text.any({"16", "496", "512", "32752", "32768", "1048560"})));
    case 1: return a64("save_regp_x", fmt::format("x{}, {}", text.any({"19", "21", "23", "25"}), offset(16, 1, 33)));
    case 2: return a64("save_regp", fmt::format("x{}, {}", text.any({"19", "21", "23", "25"}), offset(8, 0, 64)));
    case 3: return a64("save_reg", fmt::format("x{}, {}", 19 + text.below(12), offset(8, 0, 64)));
    case 4: return a64("save_reg_x", fmt::format("x{}, {}", 19 + text.below(12), offset(16, 1, 17)));
    case 5: return a64("save_lrpair", fmt::format("x{}, {}", text.any({"19", "21", "25"}), offset(8, 0, 64)));
    case 6: return a64("save_fplr", std::to_string(offset(8, 0, 64)));
    case 7: return a64("save_fplr_x", std::to_string(offset(16, 1, 33)));
    case 8: return a64("save_r19r20_x", std::to_string(offset(16, 0, 16)));
    case 9: return a64("save_freg", fmt::format("d{}, {}", 8 + text.below(8), offset(8, 0, 64)));
    case 10: return a64("save_freg_x", fmt::format("d{}, {}", 8 + text.below(8), offset(16, 1, 17)));
    case 11: return a64("save_fregp", fmt::format("d{}, {}", 8 + text.below(7), offset(8, 0, 64)));
    case 12: return a64("save_fregp_x", fmt::format("d{}, {}", 8 + text.below(7), offset(16, 1, 33)));
    case 13: return a64("add_fp", std::to_string(offset(8, 0, 256)));
    case 14:
      return a64("save_any_reg", fmt::format("{}{}, {}", text.any({"x", "d", "q"}), text.below(30), offset(16, 0, 32)));
    case 15: return a64("save_any_reg_px", fmt::format("q{}, {}", text.below(30), offset(16, 1, 32)));
    case 16: return a64(std::string(text.any({"allocz 3", "save_zreg z8, 2", "save_preg p4, 7"})));
    case 17: return a64(std::string(text.any({"trap_frame", "pushframe", "context", "ec_context"})));
    default: return a64(std::string(text.any({"set_fp", "nop", "save_next", "pac_sign_lr"})));
  }
}

/// As the documentation lays prologues down, so that many are packed.
Operations arm64_canonical(Text& text) {
  Operations o;
  if (text.one_in(4)) o.push_back(a64("pac_sign_lr"));
  const unsigned integers = text.below(7), floats = text.below(4), link = text.below(3), locals = 16 * text.below(21);
  const unsigned room = ((integers + (link == 1)) * 8 + floats * 16 + 15) / 16 * 16;
  unsigned offset = 0, i = 0;
  const auto save = [&](const char* what, std::string registers, unsigned size) {
    const bool first = offset == 0;
    o.push_back(
        a64(fmt::format("{}{}", what, first ? "_x" : ""), fmt::format("{}, {}", registers, first ? room : offset)));
    offset += size;
  };
  for (; integers - i >= 2 && i < integers; i += 2) {
    if (i == 0 && text.one_in(3))
      o.push_back(a64("save_r19r20_x", std::to_string(room))), offset = 16;
    else
      save("save_regp", fmt::format("x{}", 19 + i), 16);
  }
  if (i < integers && link == 1 && offset) {
    o.push_back(a64("save_lrpair", fmt::format("x{}, {}", 19 + i, offset)));
    offset += 16;
  } else {
    if (i < integers) save("save_reg", fmt::format("x{}", 19 + i), 8);
    if (link == 1) save("save_reg", "x30", 8);
  }
  for (unsigned f = 0; f < floats; ++f) save("save_fregp", fmt::format("d{}", 8 + 2 * f), 16);
  if (link == 2 && locals && text.one_in(2)) {
    o.push_back(a64("save_fplr_x", std::to_string(locals)));
    o.push_back(a64("set_fp"));
  } else if (locals) {
    if (text.one_in(4)) o.push_back(a64("stackalloc", "4080"));
    o.push_back(a64("stackalloc", std::to_string(locals)));
    if (link == 2) o.push_back(a64("save_fplr", "0")), o.push_back(a64("set_fp"));
  }
  return o;
}

void arm64_code(Text& text, unsigned max) {
  const unsigned lines = text.below(max);
  for (unsigned i = 0; i < lines; ++i) {
    switch (text.below(6)) {
      case 0: text.line(".zero {}", 4 * text.below(40)); break;
      case 1: text.line("adrp x0, sym\nadd x0, x0, :lo12:sym"); break;
      case 2: text.line("b 9f\nnop\n9:"); break;
      case 3: text.line("bl ext"); break;
      default: text.line("add x0, x0, #1"); break;
    }
  }
  if (text.one_in(25)) text.line(".zero {}", 800000 + 4 * text.below(200000));
}

// ARM

Operation arm_operation(Text& text) {
  switch (text.below(9)) {
    case 0: return {"sub sp, #8", "stackalloc", std::to_string(4 * (1 + text.below(127)))};
    case 1:
      return {"sub.w sp, sp, #8", "stackalloc_w",
              std::string(text.any({"4", "512", "4000", "4092", "4096", "262140", "262144"}))};
    case 2: return {"nop", "save_regs", std::string(text.any({"{r4-r7, lr}", "{r0-r3}", "{r4}", "{r1, r5, lr}"}))};
    case 3:
      return {"nop.w", "save_regs_w", std::string(text.any({"{r4-r11, lr}", "{r4-r8}", "{r0, r9, lr}", "{r12}"}))};
    case 4: return {"nop", "save_sp", fmt::format("r{}", text.below(13))};
    case 5: return {"nop.w", "save_fregs", std::string(text.any({"{d8}", "{d8-d15}", "{d0-d5}", "{d16-d20}"}))};
    case 6: return {"nop.w", "save_lr", std::to_string(4 * text.below(16))};
    case 7: return {"nop", "nop", ""};
    default: return {"nop.w", "nop_w", ""};
  }
}

Operations arm_canonical(Text& text) {
  Operations o;
  if (text.one_in(5)) o.push_back({"nop", "save_regs", "{r0-r3}"});
  const unsigned saved = text.below(9);
  const bool frame = text.one_in(2), wide = saved > 4 || frame;
  if (saved || frame) {
    std::string registers = saved ? fmt::format("r4-r{}", 3 + saved) : "";
    if (frame && saved < 8) registers += saved ? ", r11" : "r11";
    if (frame || text.one_in(2)) registers += ", lr";
    o.push_back({wide ? "nop.w" : "nop", wide ? "save_regs_w" : "save_regs", fmt::format("{{{}}}", registers)});
  }
  if (frame) text.one_in(2) ? o.push_back({"nop", "nop", ""}) : o.push_back({"nop.w", "nop_w", ""});
  if (text.one_in(4)) o.push_back({"nop.w", "save_fregs", fmt::format("{{d8-d{}}}", 8 + text.below(8))});
  if (text.one_in(2)) o.push_back({"sub sp, #8", "stackalloc", std::to_string(4 * (1 + text.below(127)))});
  return o;
}

void arm_code(Text& text, unsigned max) {
  const unsigned lines = text.below(max);
  for (unsigned i = 0; i < lines; ++i) {
    switch (text.below(6)) {
      case 0: text.line(".zero {}", 2 * text.below(30)); break;
      case 1: text.line("movw r0, :lower16:sym\nmovt r0, :upper16:sym"); break;
      case 2: text.line(".p2align 2"); break;
      case 3: text.line("bl ext"); break;
      default: text.line("nop"); break;
    }
  }
}

// ARM64 and ARM: every instruction of prologue and epilogue has its directive.

struct ByInstruction {
  Operation (*operation)(Text&);
  Operations (*canonical)(Text&);
  void (*code)(Text&, unsigned);
};
constexpr ByInstruction arm64 = {arm64_operation, arm64_canonical, arm64_code};
constexpr ByInstruction arm = {arm_operation, arm_canonical, arm_code};

void epilogue(Text& text, const ByInstruction& machine, const Operations& prologue) {
  Operations o(prologue.rbegin(), prologue.rend());
  switch (text.below(6)) {
    case 0: o.erase(o.begin(), o.begin() + std::min<std::ptrdiff_t>(1, std::ptrdiff_t(o.size()))); break;
    case 1:
      if (!o.empty()) o.pop_back();
      break;
    case 2:
      o.clear();
      for (unsigned n = text.below(4); n; --n) o.push_back(machine.operation(text));
      break;
    default: break;
  }
  if (text.one_in(2)) std::erase_if(o, [](const Operation& p) { return p.name == "set_fp" || p.name == "nop"; });
  const bool conditional = text.machine == Machine::arm && text.one_in(5);
  if (conditional)
    text.line(".seh_startepilogue_cond {}", text.any({"eq", "ne", "gt", "al"}));
  else
    text.line(".seh_startepilogue");
  for (const Operation& p : o) p.write(text);
  if (text.machine == Machine::arm && text.one_in(2)) text.line("bx lr\n.seh_nop");
  text.line(".seh_endepilogue");
  if (text.machine == Machine::arm64) text.line("ret");
}

void function_by_instruction(Text& text, unsigned number, const ByInstruction& machine) {
  const std::string section = begin_function(text, number);
  const bool handles = handler(text);
  Operations prologue;
  if (text.one_in(2)) {
    prologue = machine.canonical(text);
  } else {
    for (unsigned n = text.below(7); n; --n) prologue.push_back(machine.operation(text));
  }
  for (const Operation& o : prologue) o.write(text);
  text.line(".seh_endprologue");
  machine.code(text, 6);
  for (unsigned n = text.one_in(3) ? text.below(5) : 1; n; --n) {
    epilogue(text, machine, prologue);
    if (text.one_in(2)) machine.code(text, 4);
  }
  if (handles) handler_data(text, section, number);
  text.line(".seh_endproc");
  if (text.one_in(3)) machine.code(text, 2);
}

}  // namespace

void unwind_tables(Text& text) {
  const unsigned functions = 1 + text.below(5);
  if (text.machine == Machine::arm) text.line(".syntax unified\n.thumb");
  for (unsigned f = 0; f < functions; ++f) {
    if (text.machine == Machine::x86_64)
      x64_function(text, f);
    else
      function_by_instruction(text, f, text.machine == Machine::arm64 ? arm64 : arm);
  }
}

}  // namespace xas::corpus::texts
