// SPDX-License-Identifier: Apache-2.0
// Assembly by functions (xas/stream.h): places, handles, values, and what is refused. That objects are those of texts
// is shown by tests/embedding/replay.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "xas/aarch64.h"
#include "xas/x86.h"
#include "xas/xas.hpp"

namespace {

/// The object of a text, with the same options.
std::string object_of(const char* text, const char* target = "x86_64-linux-gnu") {
  xas::Context context;
  context.option("--target", target);
  REQUIRE(context.assemble(text));
  const auto object = context.object();
  return {object.begin(), object.end()};
}

std::string object_of(const xas::Context& context) {
  const auto object = context.object();
  return {object.begin(), object.end()};
}

}  // namespace

TEST_CASE("stream: a function with a frame, a line table and data") {
  xas::Context context;
  xas::Stream s(context);
  REQUIRE(s);
  const xas::SymbolHandle f = s.symbol("f"), g = s.symbol("g"), table = s.symbol("table");
  using xas::Operand;
  CHECK(s.directive(".file", {Operand::word("1 \"a.c\"")}));
  CHECK(s.directive(".globl", {f}));
  CHECK(s.directive(".type", {f, Operand::word("@function")}));
  CHECK(s.label(f));
  CHECK(s.cfi_begin());
  CHECK(s.loc(1, 3, 7, XAS_LINE_PROLOGUE_END));
  CHECK(s.feed("push %rbp"));
  CHECK(s.cfi(XAS_CFI_ADJUST_CFA_OFFSET, 0, 8));
  CHECK(s.cfi(XAS_CFI_REL_OFFSET, 6, 0));
  CHECK(s.feed("call g@PLT\n pop %rbp"));
  CHECK(s.cfi(XAS_CFI_DEF_CFA_OFFSET, 0, 8));
  CHECK(s.feed("ret"));
  CHECK(s.cfi_end());
  CHECK(s.directive(".size", {f, xas::here - f}));
  CHECK(s.directive(".section", {Operand::word(".rodata"), Operand::string("a"), Operand::word("@progbits")}));
  CHECK(s.align(3));
  CHECK(s.label(table));
  CHECK(s.data(f + 4, 8));
  CHECK(s.data(g - xas::here, 4));
  CHECK(s.data(xas::Expression(g).with(s.modifier("GOTPCREL")), 4));
  CHECK(s.integer(0x1234, 2));
  CHECK(s.leb128(-200, true));
  CHECK(s.fill(3, 2, 0xABCD));
  CHECK(s.bytes("text"));
  CHECK(s.finish());
  CHECK(object_of(context) == object_of(R"(
    .file 1 "a.c"
    .globl f
    .type f, @function
f:  .cfi_startproc
    .loc 1 3 7 prologue_end
    push %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset 6, 0
    call g@PLT
    pop %rbp
    .cfi_def_cfa_offset 8
    ret
    .cfi_endproc
    .size f, .-f
    .section .rodata, "a", @progbits
    .p2align 3
table: .quad f+4
    .long g-.
    .long g@GOTPCREL
    .2byte 0x1234
    .sleb128 -200
    .fill 3, 2, 0xABCD
    .ascii "text")"));
}

/// What `say` says of the function f is what `text` says.
template <class Say>
void check_unwinding(const char* target, const char* text, const Say& say) {
  xas::Context context;
  context.option("--target", target);
  xas::Stream s(context);
  const xas::SymbolHandle f = s.symbol("f");
  s.declare(f, XAS_GLOBAL);
  s.label(f);
  CHECK(s.seh_begin());
  say(s);
  CHECK(s.seh_end());
  CHECK(s.finish());
  INFO(context.text());
  CHECK(object_of(context) ==
        object_of((std::string(" .globl f\nf: .seh_proc f\n") + text + " .seh_endproc\n").c_str(), target));
}

TEST_CASE("stream: unwinding on Windows, x86-64") {
  for (const char* target : {"x86_64-w64-mingw32", "x86_64-pc-windows-msvc"}) {
    check_unwinding(target,
                    " push %rbx\n .seh_pushreg %rbx\n sub $64, %rsp\n .seh_stackalloc 64\n lea 32(%rsp), %rbp\n"
                    " .seh_setframe %rbp, 32\n nop\n .seh_savereg %rsi, 16\n nop\n .seh_savexmm %xmm6, 32\n"
                    " .seh_endprologue\n ret\n .seh_handler h, @unwind, @except\n .seh_handlerdata\n .long 7\n"
                    " .seh_code\n",
                    [](xas::Stream& s) {
                      using namespace xas::x86;
                      s.feed("push %rbx");
                      CHECK(s.seh(XAS_SEH_PUSHREG, rbx));
                      s.feed("sub $64, %rsp");
                      CHECK(s.seh(XAS_SEH_STACKALLOC, 0, 64));
                      s.feed("lea 32(%rsp), %rbp");
                      CHECK(s.seh(XAS_SEH_SETFRAME, rbp, 32));
                      s.feed("nop");
                      CHECK(s.seh(XAS_SEH_SAVEREG, rsi, 16));
                      s.feed("nop");
                      CHECK(s.seh(XAS_SEH_SAVEXMM, xmm6, 32));
                      CHECK(s.seh(XAS_SEH_ENDPROLOGUE));
                      s.feed("ret");
                      CHECK(s.seh_handler(s.symbol("h"), XAS_SEH_UNWIND | XAS_SEH_EXCEPT));
                      CHECK(s.seh(XAS_SEH_HANDLERDATA));
                      s.integer(7, 4);
                      CHECK(s.seh(XAS_SEH_CODE));
                    });
  }
}

TEST_CASE("stream: unwinding on Windows, ARM64 and ARM") {
  check_unwinding("aarch64-w64-windows-gnu",
                  " nop\n .seh_save_fplr_x 32\n nop\n .seh_save_any_reg_p q8, 16\n nop\n .seh_stackalloc 16\n"
                  " .seh_endprologue\n .seh_startepilogue\n nop\n .seh_save_regp x19, 16\n .seh_endepilogue\n ret\n",
                  [](xas::Stream& s) {
                    using namespace xas::aarch64;
                    s.feed("nop");
                    CHECK(s.seh(XAS_SEH_SAVE_FPLR_X, 0, 32));
                    s.feed("nop");
                    CHECK(s.seh(XAS_SEH_SAVE_ANY_REG_P, q8, 16));
                    s.feed("nop");
                    CHECK(s.seh(XAS_SEH_STACKALLOC, 0, 16));
                    CHECK(s.seh(XAS_SEH_ENDPROLOGUE));
                    CHECK(s.seh(XAS_SEH_STARTEPILOGUE));
                    s.feed("nop");
                    CHECK(s.seh(XAS_SEH_SAVE_REGP, x19, 16));
                    CHECK(s.seh(XAS_SEH_ENDEPILOGUE));
                    s.feed("ret");
                  });
  check_unwinding("thumbv7-w64-windows-gnu",
                  " push {r4-r7, lr}\n .seh_save_regs {r4-r7, lr}\n nop.w\n .seh_nop_w\n vpush {d8, d9}\n"
                  " .seh_save_fregs {d8, d9}\n .seh_endprologue\n it eq\n .seh_startepilogue_cond eq\n"
                  " popeq {r4-r7, pc}\n .seh_save_regs {r4-r7, pc}\n .seh_endepilogue\n nop\n",
                  [](xas::Stream& s) {
                    s.feed("push {r4-r7, lr}");
                    CHECK(s.seh(XAS_SEH_SAVE_REGS, 0, 0x40F0));
                    s.feed("nop.w");
                    CHECK(s.seh(XAS_SEH_NOP_W));
                    s.feed("vpush {d8, d9}");
                    CHECK(s.seh(XAS_SEH_SAVE_FREGS, 0, 0x300));
                    CHECK(s.seh(XAS_SEH_ENDPROLOGUE));
                    s.feed("it eq");
                    CHECK(s.seh(XAS_SEH_STARTEPILOGUE, 0, XAS_EQ));
                    s.feed("popeq {r4-r7, pc}");
                    CHECK(s.seh(XAS_SEH_SAVE_REGS, 0, 0x80F0));
                    CHECK(s.seh(XAS_SEH_ENDEPILOGUE));
                    s.feed("nop");
                  });
}

TEST_CASE("stream: unwinding on Windows, said wrong") {
  xas::Context elf;
  xas::Stream in_elf(elf);
  CHECK_FALSE(in_elf.seh_begin());
  CHECK_FALSE(in_elf.finish());
  CHECK(std::string(elf.diagnostic(0).message).find("COFF") != std::string::npos);

  xas::Context context;
  context.option("--target", "x86_64-w64-mingw32");
  xas::Stream s(context);
  CHECK_FALSE(s.seh(XAS_SEH_PUSHREG, xas::x86::rbx));  // no function is open
  CHECK(s.seh_begin());
  CHECK_FALSE(s.seh_begin());
  CHECK_FALSE(s.seh(XAS_SEH_PUSHREG, xas::x86::eax));
  CHECK_FALSE(s.seh(XAS_SEH_SAVEXMM, xas::x86::rbx, 16));
  CHECK_FALSE(s.seh(XAS_SEH_SETFRAME, xas::x86::rbp, 8));
  CHECK_FALSE(s.seh(XAS_SEH_SAVE_FPLR, 0, 16));
  CHECK_FALSE(s.seh(XAS_SEH_SAVE_LR, 0, 16));
  CHECK_FALSE(s.seh(XAS_SEH_UNWINDVERSION, 0, 4));
  CHECK_FALSE(s.seh(XAS_SEH_PUSH2REGS, xas::x86::rbx, std::int64_t(xas::x86::rsi)));  // version 1
  CHECK_FALSE(s.seh(XAS_SEH_STARTEPILOGUE, 0, XAS_EQ));
  CHECK(xas_seh(context.get(), xas_seh_rule(99), 0, 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_seh(context.get(), XAS_SEH_PUSHREG, 100000, 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_seh_handler(context.get(), nullptr, XAS_SEH_EXCEPT) == XAS_BAD_ARGUMENT);
  CHECK(s.seh_end());
  CHECK_FALSE(s.finish());
  CHECK(context.diagnostic_count() == 13);
}

TEST_CASE("stream: sections and symbols of ELF") {
  xas::Context context;
  xas::Stream s(context);
  const xas::SymbolHandle f = s.symbol("f"), g = s.symbol("g"), h = s.symbol("h"), t = s.symbol("t"), c = s.symbol("c");
  const xas_section text = s.open_section(".text");
  CHECK(s.declare(f, XAS_GLOBAL));
  CHECK(s.declare(f, XAS_PROTECTED));
  CHECK(s.declare(f, XAS_FUNCTION));
  CHECK(s.label(f));
  CHECK(s.feed("ret"));
  CHECK(s.size_to_here(f));
  CHECK(s.open_section(".text.g", {.flags = "ax", .group = g.handle(), .selection = 1}));
  CHECK(s.declare(g, XAS_WEAK));
  CHECK(s.label(g));
  CHECK(s.open_section(".rodata.str", {.flags = "aMS", .entry_size = 1}));
  CHECK(s.bytes({"text", 5}));
  CHECK(s.open_section(".init_array", {.flags = "aw", .type = 14}));
  CHECK(s.data(f, 8));
  CHECK(s.open_section(".links", {.flags = "a", .linked_to = f.handle(), .unique = 8}));
  CHECK(s.open_section(".text", {.subsection = 2}));
  CHECK(s.declare(t, XAS_TLS_OBJECT));
  CHECK(s.assign(h, f + 4, true));
  CHECK(s.assign(h, f + 5, true));
  CHECK_FALSE(s.assign(h, f + 6));
  CHECK(s.common(c, 24, 4));
  CHECK(s.open_section(".text") == text);
  CHECK_FALSE(s.finish());  // `h` has two values
  CHECK(context.diagnostic_count() == 1);
  xas::Stream again(context);
  const xas::SymbolHandle a = again.symbol("a"), b = again.symbol("b"), d = again.symbol("d");
  CHECK(again.open_section(".text.a", {.flags = "axG", .group = a.handle(), .selection = 1}));
  CHECK(again.declare(a, XAS_WEAK));
  CHECK(again.label(a));
  CHECK(again.open_section(".links", {.flags = "ao", .linked_to = a.handle(), .unique = 8}));
  CHECK(again.open_section(".strings", {.flags = "aMS", .entry_size = 2}));
  CHECK(again.open_section(".text", {.subsection = 2}));
  CHECK(again.assign(b, a + 4));
  CHECK(again.common(d, 24, 4));
  CHECK(again.declare(d, XAS_HIDDEN));
  CHECK(again.finish());
  CHECK(object_of(context) == object_of(R"( .section .text.a,"axG",@progbits,a,comdat
    .weak a
a:  .section .links,"ao",@progbits,a,unique,7
    .section .strings,"aMS",@progbits,2
    .text 2
    .set b, a+4
    .comm d, 24, 16
    .hidden d)"));
}

TEST_CASE("stream: sections and symbols of COFF") {
  xas::Context context;
  context.option("--target", "x86_64-w64-windows-gnu");
  xas::Stream s(context);
  const xas::SymbolHandle f = s.symbol("f"), w = s.symbol("w");
  CHECK(s.open_section(".text$f", {.flags = "xr", .group = f.handle(), .selection = 2}));
  CHECK(s.declare(f, XAS_GLOBAL));
  CHECK(s.declare(f, XAS_FUNCTION));
  CHECK(s.label(f));
  CHECK(s.open_section(".rdata", {.flags = "dr"}));
  CHECK(s.declare(w, XAS_WEAK));
  CHECK(s.data(w, 8));
  CHECK(s.finish());
  CHECK(object_of(context) == object_of(R"( .section .text$f,"xr",discard,f
    .globl f
    .def f; .type 32; .endef
f:  .section .rdata,"dr"
    .weak w
    .quad w)",
                                        "x86_64-w64-windows-gnu"));
}

TEST_CASE("stream: sections and attributes that make no sense") {
  xas::Context context;
  xas::Stream s(context);
  const xas::SymbolHandle f = s.symbol("f"), nameless = s.new_label();
  CHECK_FALSE(s.open_section(".a", {.flags = "aM"}));
  CHECK_FALSE(s.open_section(".a", {.flags = "aG"}));
  CHECK_FALSE(s.open_section(".a", {.flags = "ao"}));
  CHECK_FALSE(s.open_section(".a", {.flags = "aJ"}));
  CHECK_FALSE(s.open_section(".a", {.entry_size = 4}));
  CHECK_FALSE(s.open_section({"a\0b", 3}));
  CHECK_FALSE(s.common(f, 8, 40));
  CHECK_FALSE(s.open_section(""));
  CHECK_FALSE(s.open_section(".a", {.flags = "a", .group = nameless.handle()}));
  CHECK_FALSE(s.declare(xas::SymbolHandle(99), XAS_GLOBAL));
  CHECK_FALSE(s.declare(f, xas_attribute(99)));
  CHECK_FALSE(s.size(f, xas::SymbolHandle(99)));
  CHECK_FALSE(s.finish());
  CHECK(context.diagnostic_count() == 12);  // bad arguments are errors of the assembly too
  context.option("--target", "x86_64-w64-windows-gnu");
  xas::Stream coff(context);
  const xas::SymbolHandle g = coff.symbol("g");
  CHECK_FALSE(coff.declare(g, XAS_HIDDEN));
  CHECK_FALSE(coff.size_to_here(g));
  CHECK_FALSE(coff.open_section(".a", {.flags = "dr", .type = 1}));
  CHECK_FALSE(coff.open_section(".a", {.flags = "dr", .selection = 2}));
  CHECK_FALSE(coff.open_section(".a", {.flags = "dr", .group = g.handle(), .selection = 8}));
  CHECK_FALSE(coff.finish());
  CHECK(context.diagnostic_count() == 5);
}

TEST_CASE("stream: diagnostics stand where the caller says") {
  xas::Context context;
  xas::Stream s(context);
  const xas::SymbolHandle twice = s.symbol("twice");
  s.place("one.toy", 5);
  CHECK(s.label(twice));
  CHECK(s.integer(0, 1));
  s.place("two.toy", 4000000000u);
  CHECK_FALSE(s.label(twice));
  s.place(nullptr, 17);
  CHECK_FALSE(s.feed("nop\n mov %eax\n nop"));
  s.place(nullptr, 21);
  CHECK(s.data(300, 2));
  CHECK_FALSE(s.cfi_end());
  CHECK_FALSE(s.finish());
  CHECK(context.object().empty());
  REQUIRE(context.diagnostic_count() == 3);
  const auto is_at = [&](std::size_t i, const char* file, std::uint32_t line) {
    return std::string(context.diagnostic(i).file) == file && context.diagnostic(i).line == line;
  };
  CHECK(is_at(0, "two.toy", 4000000000u));
  REQUIRE(context.diagnostic(0).note_count >= 1);
  CHECK(std::string(context.diagnostic(0).notes[0].file) == "one.toy");
  CHECK(context.diagnostic(0).notes[0].line == 5);
  CHECK(is_at(1, "two.toy", 18));
  CHECK(std::string(context.diagnostic(1).source_line, context.diagnostic(1).source_line_size) == " mov %eax");
  CHECK(is_at(2, "two.toy", 21));
}

TEST_CASE("stream: mistakes that show at the end have the caller's places too") {
  xas::Context context;
  xas::Stream s(context);
  s.place("far.toy", 9);
  CHECK(s.data(s.symbol("a") - s.symbol("b"), 4));  // neither is ever defined
  CHECK_FALSE(s.finish());
  REQUIRE(context.diagnostic_count() == 1);
  CHECK(context.diagnostic(0).line == 9);
}

TEST_CASE("stream: a handle stands for what its name means by now") {
  xas::Context context;
  xas::Stream s(context);
  const xas::SymbolHandle x = s.symbol("x");
  CHECK(s.feed(".set x, 1"));
  CHECK(s.data(x, 1));
  CHECK(s.directive(".set", {x, x + 1}));
  CHECK(s.data(x, 1));
  CHECK(s.feed(".eqv y, x+1"));
  CHECK(s.data(s.symbol("y"), 1));
  CHECK(s.finish());
  CHECK(object_of(context) == object_of(" .set x, 1\n .byte x\n .set x, x+1\n .byte x\n .eqv y, x+1\n .byte y\n"));
}

TEST_CASE("stream: labels without names, sections, offsets, expressions") {
  xas::Context context;
  xas::Stream s(context);
  const xas::SymbolHandle begin = s.new_label(), end = s.new_label();
  CHECK(s.label(begin));
  const xas_section text = s.section();
  CHECK(s.feed("nop; nop; nop"));
  CHECK(s.offset() == 3);
  CHECK(s.directive(".data"));
  CHECK(s.data(end - begin, 4));
  const auto sum = s.expression("(1 << 4) + 2");
  REQUIRE(sum);
  CHECK(sum->constant == 18);
  CHECK_FALSE(s.directive(".globl", {begin}));  // it has no name
  CHECK(s.switch_section(text));
  CHECK(s.feed("jmp far"));
  CHECK_FALSE(s.expression("(1").has_value());
  CHECK_FALSE(s.label(begin));  // it stands elsewhere
  CHECK_FALSE(s.data(xas::Expression(begin).with(s.modifier("nonesuch")), 4));
  CHECK(s.modifier("@GOTPCREL") == s.modifier("GOTPCREL"));
  CHECK_FALSE(s.finish());
  CHECK(context.error_count() == 5);  // `end` stands nowhere
}

TEST_CASE("stream: options that make no sense are told as diagnostics, too") {
  xas::Context context;
  context.option("--target", "sparc");
  xas::Stream s(context);
  CHECK_FALSE(s);
  CHECK(std::string(context.error()).find("sparc") != std::string::npos);
  CHECK(context.text().find("sparc") != std::string_view::npos);
}

TEST_CASE("stream: what is refused") {
  xas::Context context;
  CHECK(xas_label(context.get(), 1) == XAS_BAD_ARGUMENT);
  CHECK(std::string(context.error()) == "xas_begin has not been called");
  CHECK(xas_symbol_named(context.get(), "a", 1) == 0);
  CHECK(xas_finish(context.get()) == XAS_BAD_ARGUMENT);
  CHECK(xas_begin(nullptr) == XAS_BAD_ARGUMENT);
  xas::Stream s(context);
  CHECK(xas_label(context.get(), 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_label(context.get(), 7) == XAS_BAD_ARGUMENT);
  CHECK(xas_label(context.get(), XAS_HERE) == XAS_BAD_ARGUMENT);
  CHECK(xas_switch_section(context.get(), 1000) == XAS_BAD_ARGUMENT);
  CHECK(xas_integer(context.get(), 1, 9) == XAS_BAD_ARGUMENT);
  CHECK(xas_data(context.get(), nullptr, 4) == XAS_BAD_ARGUMENT);
  const xas_value no_such = {0, 3, 0, 0};
  CHECK(xas_data(context.get(), &no_such, 4) == XAS_BAD_ARGUMENT);
  CHECK(xas_cfi(context.get(), xas_cfi_rule(99), 0, 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_place(context.get(), "a", 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_feed(context.get(), nullptr, 3) == XAS_BAD_ARGUMENT);
  CHECK(xas_directive(context.get(), "text", nullptr, 0) == XAS_BAD_ARGUMENT);
  CHECK(xas_align(context.get(), 64, 0) == XAS_ERRORS);
  CHECK(s.loc(4, 1) == false);
  CHECK_FALSE(s.finish());
  REQUIRE(context.diagnostic_count() == 13);
  CHECK(std::string(context.diagnostic(0).message) == "xas_label: `symbol` is no handle that this assembly has given");
  CHECK(std::string(context.diagnostic(4).message) == "xas_integer: the size is not 1 to 8 bytes");
  CHECK(std::string(context.diagnostic(7).message) == "xas_cfi: `rule` is none of xas_cfi_rule");
  context.option("-a");
  CHECK(xas_begin(context.get()) == XAS_BAD_OPTION);
}

TEST_CASE("stream: functions that give handles and numbers tell why they give none") {
  xas::Context context;
  xas_context* const c = context.get();
  const auto reason = [c] { return std::string(xas_error(c)); };
  CHECK(xas_modifier(c, "GOTPCREL") == XAS_NO_MODIFIER);
  CHECK(reason() == "xas_begin has not been called");
  CHECK(xas_register_named(c, nullptr) == 0);
  CHECK(reason() == "xas_register_named: `name` is a null pointer");
  CHECK(xas_register_named(c, "eax\nebx") == 0);
  CHECK(reason() == "xas_register_named: the target has no register 'eax<0a>ebx'");
  CHECK(xas_dwarf_number(c, 0) == -1);
  CHECK(reason() == "xas_dwarf_number: `reg` is no register of the target");
  CHECK(xas_dwarf_number(c, XAS_X86_CR0) == -1);
  CHECK(reason() == "xas_dwarf_number: the register has no number in DWARF");
  CHECK(xas_symbol_named(c, "", 0) == 0);
  CHECK(xas_new_label(c) == 0);
  CHECK(xas_current_section(c) == 0);
  std::uint64_t offset = 7;
  CHECK(xas_offset(c, &offset) == 0);
  CHECK(offset == 0);
  CHECK(reason() == "xas_begin has not been called");

  xas::Stream s(context);
  CHECK(xas_symbol_named(c, "", 0) == 0);
  CHECK(reason() == "xas_symbol_named: the name is empty");
  CHECK(xas_symbol_named(c, nullptr, 3) == 0);
  CHECK(reason() == "xas_symbol_named: `name` is a null pointer");
  CHECK(xas_modifier(c, nullptr) == XAS_NO_MODIFIER);
  CHECK(reason() == "xas_modifier: `name` is a null pointer");
  CHECK(xas_modifier(c, "nonesuch") == XAS_NO_MODIFIER);
  CHECK(reason() == "xas_modifier: the target has no modifier 'nonesuch'");
  CHECK(xas_modifier(c, "GOTPCREL") != XAS_NO_MODIFIER);
  CHECK(reason().empty());
  xas_value value = {1, 2, 3, 4};
  CHECK(xas_expression(c, nullptr, 1, &value) == XAS_BAD_ARGUMENT);
  CHECK(value.constant == 0);
  CHECK_FALSE(s.finish());
  CHECK(context.error_count() == 3);  // a name and an expression that are none are errors of the assembly
}

TEST_CASE("stream: handles of an assembly before are none of the next one") {
  xas::Context context;
  xas_context* const c = context.get();
  xas_symbol f = 0;
  xas_section data = 0;
  for (int round = 0; round < 3; ++round) {
    xas::Stream s(context);
    if (round) {
      CHECK(xas_label(c, f) == XAS_BAD_ARGUMENT);
      CHECK(std::string(context.error()) == "xas_label: `symbol` is no handle that this assembly has given");
      CHECK(xas_switch_section(c, data) == XAS_BAD_ARGUMENT);
      CHECK(std::string(context.error()) == "xas_switch_section: `section` is no handle that this assembly has given");
      using namespace xas::operands;
      CHECK_FALSE(s.emit(xas::x86::call, {to(xas::SymbolHandle(f))}));
      CHECK(std::string(context.error()) ==
            "xas_emit: operand 1: a value's symbol is no handle that this assembly has given");
    }
    f = xas_symbol_named(c, "f", 1);
    data = s.open_section(".data");
    CHECK(s.open_section(".text"));
    CHECK(s.label(xas::SymbolHandle(f)));
    CHECK(s.emit(xas::x86::call, {xas::operands::to(xas::SymbolHandle(f))}));
    CHECK(s.switch_section(data));
    if (round == 1) context.reset();  // which ends it
  }
}

TEST_CASE("stream: an option that is set meanwhile is the next assembly's") {
  using namespace xas::operands;
  using namespace xas::x86;
  xas::Context context;
  {
    xas::Stream s(context);
    for (int i = 0; i < 3; ++i) CHECK(s.emit(addl, {imm(1), eax}));
    CHECK(context.option("-msyntax=intel"));
    CHECK(s.emit(addl, {imm(1), eax}));
    CHECK(s.finish());
  }
  xas::Stream s(context);
  CHECK(s.emit(add, {eax, imm(1)}));
  CHECK_FALSE(s.emit(addl, {imm(1), eax}));  // what the first one has learnt is gone
}

TEST_CASE("stream: a section goes with the one that a label without a name is in") {
  for (const char* const compat : {"--compat=gnu", "--compat=llvm"}) {
    xas::Context context;
    context.option(compat);
    xas::Stream s(context);
    const xas::SymbolHandle label = s.new_label();
    CHECK(s.open_section(".text.f", {.flags = "ax"}));
    CHECK(s.label(label));
    CHECK(s.feed("ret"));
    CHECK(s.open_section(".links", {.flags = "ao", .linked_to = label.handle()}));
    CHECK(s.integer(1, 8));
    CHECK(s.finish());
  }
}

TEST_CASE("stream: a place before the section's start is told at once") {
  xas::Context context;
  xas::Stream s(context);
  CHECK_FALSE(s.org(-3));
  CHECK_FALSE(s.finish());
  REQUIRE(context.diagnostic_count() == 1);
  CHECK(std::string(context.diagnostic(0).message) == "the place -3 is before the section's start");
}

TEST_CASE("stream: a context has one at a time") {
  xas::Context context;
  {
    xas::Stream s(context);
    REQUIRE(s);
    xas::Stream second(context);
    CHECK_FALSE(second);
    CHECK(std::string(context.error()) == "xas_begin: the context has an assembly that xas_finish has not ended");
    CHECK(s.integer(1, 1));
    CHECK(s.finish());
    CHECK_FALSE(context.object().empty());
    xas::Stream given_up(context);
    CHECK(given_up);
  }
  xas::Stream next(context);
  CHECK(next);
}

TEST_CASE("stream: one that has not begun, or has been ended by other means, leaves another's alone") {
  xas::Context context;
  CHECK(xas_assembly(context.get()) == 0);
  xas::Stream first(context);
  CHECK(xas_assembly(context.get()) == 1);
  {
    xas::Stream second(context);
    CHECK_FALSE(second.feed("nop"));
    CHECK_FALSE(second.finish());
  }
  CHECK(first.integer(7, 1));
  CHECK(context.assemble("ret"));  // ends it
  CHECK_FALSE(first.finish());
  CHECK_FALSE(context.object().empty());
  {
    xas::Stream third(context);
    CHECK(xas_assembly(context.get()) == 2);
    CHECK_FALSE(first.finish());
    CHECK(third.integer(1, 1));
    CHECK(third.finish());
    CHECK_FALSE(third.finish());
  }
  CHECK_FALSE(context.object().empty());
}

TEST_CASE("stream: instructions are not encoded while there is one") {
  xas::Context context;
  xas::Stream s(context);
  CHECK(s.integer(1, 1));
  CHECK(context.encode("nop").status == XAS_BAD_ARGUMENT);
  CHECK(std::string(context.error()) == "xas_encode: the context has an assembly that xas_finish has not ended");
  CHECK(context.encode(xas::x86::nop, {}).status == XAS_BAD_ARGUMENT);
  CHECK(std::string(context.error()).starts_with("xas_encode_instruction: "));
  CHECK_FALSE(context.load("nop"));
  CHECK(std::string(context.error()).starts_with("xas_load: "));
  CHECK(s.finish());
  CHECK(object_of(context) == object_of(".byte 1"));
}

TEST_CASE("stream: mnemonics that are none") {
  xas::Context context;
  xas::Stream s(context);
  for (const char* none : {"", " ", " nop", "\tnop"}) {
    CHECK(xas_instruction(context.get(), none, nullptr, 0) == XAS_BAD_ARGUMENT);
    CHECK(std::string(context.error()) == "xas_instruction: `mnemonic` is empty, or begins with a blank");
  }
  CHECK(xas_instruction(context.get(), ".byte", nullptr, 0) == XAS_BAD_ARGUMENT);
  CHECK(std::string(context.error()).ends_with("`mnemonic` is a directive's name; xas_directive takes those"));
  CHECK_FALSE(s.finish());
  CHECK(context.error_count() == 5);
}

TEST_CASE("stream: names with a zero byte") {
  xas::Context context;
  xas::Stream s(context);
  CHECK_FALSE(s.symbol({"a\0b", 3}));
  CHECK(std::string(context.error()) == "xas_symbol_named: a symbol's name has a zero byte in it");
  CHECK_FALSE(s.finish());
}

TEST_CASE("stream: labels without names have no attributes and sizes") {
  for (const char* target : {"x86_64-linux-gnu", "x86_64-w64-mingw32"}) {
    xas::Context context;
    context.option("--target", target);
    xas::Stream s(context);
    const xas::SymbolHandle label = s.new_label();
    CHECK(s.label(label));
    for (const xas_attribute attribute : {XAS_GLOBAL, XAS_WEAK, XAS_HIDDEN, XAS_FUNCTION})
      CHECK(xas_declare(context.get(), label.handle(), attribute) == XAS_BAD_ARGUMENT);
    const xas_value four = {4, 0, 0, 0};
    CHECK(xas_assign(context.get(), label.handle(), &four, 1) == XAS_BAD_ARGUMENT);
    CHECK(xas_set_size(context.get(), label.handle(), &four) == XAS_BAD_ARGUMENT);
    CHECK(xas_common(context.get(), label.handle(), 4, 2) == XAS_BAD_ARGUMENT);
    CHECK_FALSE(s.finish());
    CHECK(context.error_count() == 7);
    // A handle of an expression's symbol is none of them.
    xas::Stream other(context);
    CHECK(other.feed("f: ret"));
    const auto f = other.expression("f");
    REQUIRE(f);
    CHECK(other.declare(xas::SymbolHandle(f->add), XAS_FUNCTION));
    CHECK(other.finish());
  }
}

TEST_CASE("stream: modifiers that the target does not have") {
  for (const char* target : {"x86_64-linux-gnu", "i386-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf"}) {
    xas::Context context;
    context.option("--target", target);
    xas::Stream s(context);
    const xas::SymbolHandle f = s.symbol("f");
    for (const std::uint32_t modifier : {0x1FFu, 0x3FFu, 0x7FFFu, 0x8001u, 0xFFFFu, 0x10000u}) {
      const xas_value v = xas::Expression(f).with(modifier);
      CHECK(xas_data(context.get(), &v, 4) == XAS_BAD_ARGUMENT);
      CHECK(xas_instruction(context.get(), "call", std::array{static_cast<xas_arg>(xas::operands::to(v))}.data(), 1) ==
            XAS_BAD_ARGUMENT);
    }
    CHECK_FALSE(s.finish());
  }
}

TEST_CASE("stream: an expression is all of its text") {
  xas::Context context;
  xas::Stream s(context);
  CHECK(s.expression("1 # comment\n")->constant == 1);
  CHECK_FALSE(s.expression("1;nop"));
  CHECK_FALSE(s.expression("1\nbogus"));
  CHECK_FALSE(s.expression("1 2"));
  CHECK_FALSE(s.finish());
  CHECK(context.error_count() == 3);
  REQUIRE(context.diagnostic_count() == 3);
  CHECK(std::string(context.diagnostic(0).message) == "this stands behind the expression");
  CHECK(context.diagnostic(0).column == 3);
}

TEST_CASE("stream: a section that is not opened has no handle") {
  xas::Context context;
  xas::Stream s(context);
  xas_section_request request = {.struct_size = sizeof request, .name = ".x", .name_size = 2, .flags = "z"};
  xas_section section = 99;
  CHECK(xas_open_section(context.get(), &request, &section) == XAS_ERRORS);
  CHECK(section == 0);
  section = 99;
  CHECK(xas_open_section(context.get(), nullptr, &section) == XAS_BAD_ARGUMENT);
  CHECK(section == 0);
}

TEST_CASE("stream: .org in a section without contents, and registers of rules") {
  xas::Context context;
  xas::Stream s(context);
  CHECK(s.open_section(".bss"));
  CHECK(s.org(8, 1));
  CHECK(s.open_section(".text"));
  CHECK(s.cfi_begin());
  CHECK(xas_cfi(context.get(), XAS_CFI_REGISTER, 1, 5) == XAS_OK);
  CHECK(s.cfi_end());
  CHECK(s.finish());
  CHECK(context.warning_count() == 1);
  CHECK(object_of(context) ==
        object_of(" .bss\n .org 8, 1\n .text\n .cfi_startproc\n .cfi_register 1, 5\n .cfi_endproc"));
  xas::Stream wrong(context);
  for (const std::int64_t value : {std::int64_t(-1), std::int64_t(1) << 32})
    CHECK(xas_cfi(context.get(), XAS_CFI_REGISTER, 1, value) == XAS_BAD_ARGUMENT);
  CHECK(xas_cfi(context.get(), XAS_CFI_OFFSET, std::uint32_t(-1), -16) == XAS_BAD_ARGUMENT);
  CHECK(xas_cfi(context.get(), XAS_CFI_RESTORE, 3, 55) == XAS_BAD_ARGUMENT);
  CHECK(xas_cfi(context.get(), XAS_CFI_REMEMBER_STATE, 1, 0) == XAS_BAD_ARGUMENT);
}

TEST_CASE("stream: in ELF a group keeps one, or all") {
  xas::Context context;
  xas::Stream s(context);
  const xas_symbol f = xas_symbol_named(context.get(), "f", 1);
  const auto open = [&](unsigned selection, xas_symbol group) {
    const xas_section_request request = {.struct_size = sizeof request, .name = ".x", .name_size = 2, .flags = "aG",
                                         .group = group, .selection = selection};
    xas_section section = 0;
    return xas_open_section(context.get(), &request, &section);
  };
  CHECK(open(7, f) == XAS_ERRORS);
  CHECK(open(1, f) == XAS_OK);
}

TEST_CASE("stream: what an assembly before has known, and distances to labels without names") {
  xas::Context context;
  for (int round = 0; round < 3; ++round) {
    using namespace xas::x86;
    using namespace xas::operands;
    xas::Stream s(context);
    const xas::SymbolHandle head = s.new_label(), end = s.new_label();
    s.label(head);
    for (int i = 0; i < 3; ++i) {
      s.emit(leaq, {mem(rip, head + i), rdi});
      s.emit(call, {to(head)});
      s.emit(leaq, {mem(rip, end), rdi});
      s.emit(jmp, {to(end)});
      s.emit(leaq, {mem(rip, head + i), rdi});
      s.align(4);
    }
    s.label(end);
    REQUIRE(s.finish());
    CHECK(object_of(context) ==
          object_of(".Lh: .irp i, 0, 1, 2\n leaq .Lh+\\i(%rip), %rdi\n call .Lh\n leaq .Le(%rip), "
                    "%rdi\n jmp .Le\n leaq .Lh+\\i(%rip), %rdi\n .p2align 4\n .endr\n.Le:\n"));
    // Another meaning of instructions ends with its assembly.
    xas::Stream other(context);
    for (int i = 0; i < 3; ++i) other.emit(incl, {eax});
    if (round == 0) other.feed(".code32");
    for (int i = 0; i < 3; ++i) other.emit(incl, {eax});
    REQUIRE(other.finish());
    CHECK(object_of(context) ==
          object_of(round ? ".rept 6\n incl %eax\n .endr\n"
                          : ".rept 3\n incl %eax\n .endr\n .code32\n .rept 3\n incl %eax\n .endr\n"));
  }
  context.option("--target", "aarch64-linux-gnu");
  for (int round = 0; round < 2; ++round) {
    using namespace xas::aarch64;
    using namespace xas::operands;
    xas::Stream s(context);
    const xas::SymbolHandle head = s.new_label(), end = s.new_label();
    s.label(head);
    for (int i = 0; i < 3; ++i) {
      s.emit(bl, {to(head)});
      s.emit(cbz, {w0, to(end)});
      s.emit(b_ne, {to(head + 4)});
      s.emit(adr, {x0, to(end)});
      s.emit(adr, {x0, to(head)});
      s.emit(ldr, {x1, to(head)});
      s.emit(tbz, {x1, imm(3), to(head)});
    }
    s.label(end);
    REQUIRE(s.finish());
    CHECK(object_of(context) ==
          object_of(".Lh: .rept 3\n bl .Lh\n cbz w0, .Le\n b.ne .Lh+4\n adr x0, .Le\n adr x0, .Lh\n"
                    " ldr x1, .Lh\n tbz x1, #3, .Lh\n .endr\n.Le:\n",
                    "aarch64-linux-gnu"));
  }
}

TEST_CASE("stream: the registers' numbers in DWARF") {
  xas::Context context;
  {
    using namespace xas::x86;
    xas::Stream s(context);
    CHECK(s.dwarf(rbp) == 6);
    CHECK(s.dwarf(xmm0) == 17);
    CHECK(s.dwarf(cr0) == -1);
    CHECK(xas_dwarf_number(context.get(), 0) == -1);
    CHECK(xas_dwarf_number(context.get(), 100'000) == -1);
    s.cfi_begin();
    CHECK(s.cfi(XAS_CFI_OFFSET, rbp, -16));
    s.cfi_end();
    REQUIRE(s.finish());
    CHECK(object_of(context) == object_of(".cfi_startproc\n.cfi_offset %rbp, -16\n.cfi_endproc\n"));
  }
  context.option("--32");
  CHECK(xas_dwarf_number(context.get(), XAS_X86_EBP) == 5);
  context.option("--target", "aarch64-linux-gnu");
  xas::Stream s(context);
  CHECK(s.dwarf(xas::aarch64::x29) == 29);
  CHECK(s.dwarf(xas::aarch64::d8) == 72);
  // Of modifiers, as they are written.
  CHECK(s.modifier(":lo12:") == s.modifier("lo12"));
  CHECK(s.modifier(":lo12") == s.modifier("lo12"));
  CHECK(s.modifier(":lo13:") == XAS_NO_MODIFIER);
}

TEST_CASE("stream: messages about operands that have no text") {
  xas::Context context;
  context.option("--target", "aarch64-linux-gnu");
  const auto message = [&](xas::Mnemonic mnemonic, std::initializer_list<xas::Arg> args) -> std::string {
    xas::Stream s(context);
    CHECK_FALSE(s.emit(mnemonic, args));
    CHECK_FALSE(s.finish());
    REQUIRE(context.diagnostic_count() == 1);
    return context.diagnostic(0).message;
  };
  using namespace xas::aarch64;
  using namespace xas::operands;
  CHECK(message(ldr, {x0, mem(x1, 7'777'777)})
            .starts_with("`ldr` does not take '#7777777' here; it takes a multiple of"));
  CHECK(message(add, {x0, imm(5)}).starts_with("'#5' is a number, but `add` takes a 64-bit register here"));
  CHECK(message(add, {reg(v0_4s), reg(v1_8b), reg(v2_4s)}).starts_with("`add` does not take 'v1.8b' here, but v1.4s"));
  CHECK(message(csel, {x0, x1, x2, word("eqq")}).starts_with("`csel` does not take 'eqq' here; it takes one of al,"));
  CHECK(message(ldr, {x0, mem(x1, x2, "lsl #2")})
            .starts_with("`ldr` does not take '#2' here; it takes 0 or 3; nearest form: `ldr w0, [x1, x2, lsl #2]`"));
  CHECK(message(xas::x86::addl, {x0}) == "the target has no instruction `addl`; its number is of xas/x86.h");
  CHECK(message(xas::Mnemonic(7), {x0}) == "the target has no instruction with the number 7");
  context.option("--target", "x86_64-linux-gnu");
  context.option("-msyntax=intel");
  CHECK(message(xas::x86::movl, {}) == "the target has no instruction `movl` in this syntax, AT&T's or Intel's");
}

namespace {

/// Says instructions by xas_emit, and keeps their text.
class SaidTwice {
 public:
  SaidTwice(const char* target, const char* profile) : options_{target, profile} {
    for (const char* o : options_) context_.option(o);
    s.emplace(context_);
    for (const char* name : {"before", "later", "nowhere", "number"}) symbols_.emplace(name, s->symbol(name));
    s->label(symbols_["before"]);
    s->assign(symbols_["number"], 5, true);
    text_ = "before:\n.set number, 5\n";
  }

  /// For each symbol with each constant: `say(value, "symbol+constant")`.
  template <class Say>
  void for_values(const Say& say) {
    for (int round = 0; round < 2; ++round) {
      for (const auto& [name, symbol] : symbols_)
        for (const int n : {0, 8, -4}) say(symbol + n, n ? name + (n < 0 ? "-4" : "+8") : name);
      s->emit(xas::Mnemonic(xas_mnemonic_named("nop")), {});
      text_ += "nop\n";
    }
  }

  void emit(xas::Mnemonic mnemonic, std::initializer_list<xas::Arg> args, const std::string& line) {
    s->emit(mnemonic, args);
    text_ += line + "\n";
  }

  void check() {
    s->label(symbols_["later"]);
    text_ += "later:\n";
    xas::Context written;
    for (const char* o : options_) written.option(o);
    CHECK(s->finish() == written.assemble(text_));
    INFO(context_.text());
    REQUIRE(context_.object().size() != 0);
    CHECK(object_of(context_) == object_of(written));
  }

  std::optional<xas::Stream> s;

 private:
  const char* options_[2];
  xas::Context context_;
  std::map<std::string, xas::SymbolHandle> symbols_;
  std::string text_;
};

}  // namespace

TEST_CASE("stream: x86 instructions that have stood before, with other symbols") {
  using namespace xas::x86;
  using namespace xas::operands;
  for (const char* profile : {"--compat=gnu", "--compat=llvm"}) {
    SaidTwice said("--target=x86_64-linux-gnu", profile);
    const std::uint32_t got = said.s->modifier("GOTPCREL"), plt = said.s->modifier("PLT");
    said.for_values([&](const xas::Expression& v, const std::string& t) {
      const xas::Expression in_got = v.with(got);
      said.emit(movl, {mem(rip, v), eax}, "movl " + t + "(%rip), %eax");
      said.emit(movl, {mem(rip, v), r9d}, "movl " + t + "(%rip), %r9d");
      said.emit(leaq, {mem(rbx, v), rcx}, "leaq " + t + "(%rbx), %rcx");
      said.emit(leaq, {mem(rbp, v), rcx}, "leaq " + t + "(%rbp), %rcx");
      said.emit(leaq, {mem(r13, v), r12}, "leaq " + t + "(%r13), %r12");
      said.emit(leaq, {mem(rsp, v), rdx}, "leaq " + t + "(%rsp), %rdx");
      said.emit(movq, {mem(0, rax, 8, v), rdx}, "movq " + t + "(,%rax,8), %rdx");
      said.emit(movl, {imm(v), edx}, "movl $" + t + ", %edx");
      said.emit(cmpq, {imm(v), rsi}, "cmpq $" + t + ", %rsi");
      said.emit(movl, {imm(7), mem(rip, v)}, "movl $7, " + t + "(%rip)");
      said.emit(movl, {imm(700), mem(rip, v)}, "movl $700, " + t + "(%rip)");
      said.emit(pushq, {imm(v)}, "pushq $" + t);
      said.emit(movl, {to(v), eax}, "movl " + t + ", %eax");
      said.emit(jmp, {to(v)}, "jmp " + t);
      said.emit(jne, {to(v)}, "jne " + t);
      said.emit(call, {to(v)}, "call " + t);
      if (t.find("number") != t.npos) return;
      said.emit(movq, {mem(rip, in_got), rax}, "movq " + t.substr(0, t.find_first_of("+-")) + "@GOTPCREL" +
                                                   (v.constant ? t.substr(t.find_first_of("+-")) : "") +
                                                   "(%rip), %rax");
      if (!v.constant) said.emit(call, {to(v.with(plt))}, "call " + t + "@PLT");
    });
    said.check();
  }
}

TEST_CASE("stream: x86 instructions that have stood before, with other registers and numbers") {
  using namespace xas::x86;
  using namespace xas::operands;
  const std::vector<std::pair<xas::Arg, std::string>> doubles = {
      {eax, "%eax"}, {ecx, "%ecx"}, {ebx, "%ebx"}, {esp, "%esp"}, {esi, "%esi"}, {r8d, "%r8d"}, {r12d, "%r12d"}};
  const std::vector<std::pair<xas_register, std::string>> bases = {{rax, "%rax"}, {rcx, "%rcx"}, {rsp, "%rsp"},
                                                                   {rbp, "%rbp"}, {rdi, "%rdi"}, {r8, "%r8"},
                                                                   {r12, "%r12"}, {r13, "%r13"}};
  const std::int64_t numbers[] = {0,     1,     3,     4,  15,   16,   127,    128,    255,     256,      32767,
                                  32768, 65535, 65536, -1, -128, -129, -32768, -32769, 1000000, -99999999};
  SaidTwice said("--target=x86_64-linux-gnu", "--compat=gnu");
  for (const auto& [d, double_name] : doubles) {
    for (const auto& [e, other_name] : doubles) {
      said.emit(movl, {d, e}, "movl " + double_name + ", " + other_name);
      said.emit(xchgl, {d, e}, "xchgl " + double_name + ", " + other_name);
      said.emit(vaddps, {xmm1, xmm9, xmm3}, "vaddps %xmm1, %xmm9, %xmm3");
    }
    for (const std::int64_t n : numbers) {
      const std::string number = std::to_string(n);
      said.emit(addl, {imm(n), d}, "addl $" + number + ", " + double_name);
      said.emit(imull, {imm(n), ecx, d}, "imull $" + number + ", %ecx, " + double_name);
      for (const auto& [base, base_name] : bases) {
        said.emit(movl, {mem(base, n), d}, "movl " + number + "(" + base_name + "), " + double_name);
        said.emit(cmpl, {imm(n), mem(base, xas_register(rcx), 4, n)},
                  "cmpl $" + number + ", " + number + "(" + base_name + ",%rcx,4)");
        said.emit(leaq, {mem(xas_register(rdx), base_name == "%rsp" ? xas_register(rbx) : base, 8, n), rsi},
                  "leaq " + number + "(%rdx," + (base_name == "%rsp" ? "%rbx" : base_name) + ",8), %rsi");
      }
    }
  }
  for (const std::int64_t n : numbers) {
    if (n > 127 || n < -128) continue;
    const std::string number = std::to_string(n);
    said.emit(shll, {imm(n & 31), edx}, "shll $" + std::to_string(n & 31) + ", %edx");
    said.emit(vpternlogd, {imm(n), zmm1, zmm17, zmm2}, "vpternlogd $" + number + ", %zmm1, %zmm17, %zmm2");
    said.emit(pushq, {imm(n)}, "pushq $" + number);
  }
  said.check();
}

TEST_CASE("stream: fields that an operand's kind does not have are not read") {
  const auto object = [](bool strange) {
    xas::Context context;
    xas::Stream s(context);
    for (int i = 0; i < 3; ++i) {
      xas_arg number = xas::operands::imm(5), reg = xas::operands::reg(xas::x86::ecx);
      if (strange) {
        number.reg = 77'777, number.index = 3, number.segment = ~0u, number.mask = 5, number.scale = 9,
        number.text = "x";
        number.flags = 0xFF, number.element = 7;
        reg.index = 88'888, reg.segment = 4, reg.scale = 3, reg.size = 8, reg.count = 9, reg.text = "y";
        reg.value = {1, 99, 98, 97};
      }
      const xas_arg args[] = {number, reg};
      CHECK(xas_emit(context.get(), xas_mnemonic(xas::x86::addl), 0, args, 2) == XAS_OK);
      CHECK(xas_instruction(context.get(), "addl", args, 2) == XAS_OK);
    }
    REQUIRE(s.finish());
    return object_of(context);
  };
  CHECK(object(true) == object(false));
}

TEST_CASE("stream: AArch64 instructions that have stood before, with other symbols, registers and numbers") {
  using namespace xas::aarch64;
  using namespace xas::operands;
  for (const char* profile : {"--compat=gnu", "--compat=llvm"}) {
    SaidTwice said("--target=aarch64-linux-gnu", profile);
    const std::uint32_t lo12 = said.s->modifier("lo12");
    said.for_values([&](const xas::Expression& v, const std::string& t) {
      if (t.find("number") != t.npos) return;
      const xas::Expression low = v.with(lo12);
      said.emit(adrp, {x0, imm(v)}, "adrp x0, " + t);
      said.emit(adrp, {x17, imm(v)}, "adrp x17, " + t);
      said.emit(add, {x0, x1, imm(low)}, "add x0, x1, :lo12:" + t);
      said.emit(add, {sp, x1, imm(low)}, "add sp, x1, :lo12:" + t);
      said.emit(ldr, {w3, mem(x4, low)}, "ldr w3, [x4, :lo12:" + t + "]");
      said.emit(ldr, {x5, mem(x6, low)}, "ldr x5, [x6, :lo12:" + t + "]");
      said.emit(str, {q5, mem(sp, low)}, "str q5, [sp, :lo12:" + t + "]");
      said.emit(bl, {to(v)}, "bl " + t);
      said.emit(b, {to(v)}, "b " + t);
      said.emit(b_eq, {to(v)}, "b.eq " + t);
      said.emit(cbz, {w3, to(v)}, "cbz w3, " + t);
      said.emit(tbnz, {x3, imm(33), to(v)}, "tbnz x3, #33, " + t);
      said.emit(tbnz, {w7, imm(2), to(v)}, "tbnz w7, #2, " + t);
    });
    const xas::Arg registers[] = {x0, x1, x2, x28, x30, xzr};
    const char* const names[] = {"x0", "x1", "x2", "x28", "x30", "xzr"};
    for (int i = 0; i < 72; ++i) {
      const xas::Arg a = registers[i % 6], b = registers[i / 6 % 6], c = registers[i / 2 % 6];
      const std::string d = names[i % 6], e = names[i / 6 % 6], f = names[i / 2 % 6], n = std::to_string(8 * i);
      said.emit(add, {a, b, c}, "add " + d + ", " + e + ", " + f);
      said.emit(csel, {a, b, c, xas::operands::word("eq")}, "csel " + d + ", " + e + ", " + f + ", eq");
      said.emit(add, {a, b, c, xas::operands::word("lsl #3")}, "add " + d + ", " + e + ", " + f + ", lsl #3");
      said.emit(and_, {x9, b, imm(1LL << i % 60)}, "and x9, " + e + ", #" + std::to_string(1LL << i % 60));
      said.emit(mov, {a, imm(i * 900 - 20)}, "mov " + d + ", #" + std::to_string(i * 900 - 20));
      said.emit(ldr, {a, mem(sp, 8 * i)}, "ldr " + d + ", [sp, #" + n + "]");
      said.emit(ldur, {a, mem(x3, i - 60)}, "ldur " + d + ", [x3, #" + std::to_string(i - 60) + "]");
      said.emit(ldr, {x7, mem(x8), imm(i)}, "ldr x7, [x8], #" + std::to_string(i));
      said.emit(ldp, {x7, x8, mem(sp, 8 * (i - 40)).write_back()},
                "ldp x7, x8, [sp, #" + std::to_string(8 * (i - 40)) + "]!");
      said.emit(str, {a, mem(x5, x6, "lsl #3")}, "str " + d + ", [x5, x6, lsl #3]");
      said.emit(ubfx, {x1, b, imm(i % 32), imm(7)}, "ubfx x1, " + e + ", #" + std::to_string(i % 32) + ", #7");
      said.emit(lsl, {x1, x2, imm(i % 64)}, "lsl x1, x2, #" + std::to_string(i % 64));
    }
    said.check();
  }
}
