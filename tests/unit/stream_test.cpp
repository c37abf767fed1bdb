// SPDX-License-Identifier: Apache-2.0
// Assembly by functions (xas/stream.h): places, handles, values, and what is refused. That objects are those of texts
// is shown by tests/embedding/replay.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

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

TEST_CASE("stream: Windows") {
  xas::Context context;
  context.option("--target", "x86_64-w64-mingw32");
  xas::Stream s(context);
  using xas::Operand;
  const xas::SymbolHandle f = s.symbol("f");
  CHECK(s.directive(".globl", {f}));
  CHECK(s.directive(".seh_proc", {f}));
  CHECK(s.label(f));
  CHECK(s.feed("push %rbx"));
  CHECK(s.directive(".seh_pushreg", {Operand::word("%rbx")}));
  CHECK(s.feed("sub $32, %rsp"));
  CHECK(s.directive(".seh_stackalloc", {32}));
  CHECK(s.directive(".seh_endprologue"));
  CHECK(s.feed("ret"));
  CHECK(s.directive(".seh_endproc"));
  CHECK(s.finish());
  CHECK(object_of(context) == object_of(" .globl f\n .seh_proc f\nf: push %rbx\n .seh_pushreg %rbx\n sub $32, %rsp\n"
                                        " .seh_stackalloc 32\n .seh_endprologue\n ret\n .seh_endproc\n",
                                        "x86_64-w64-mingw32"));
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
  CHECK(std::string(context.diagnostic(0).message) == "xas_label: a null pointer, or no such handle or number");
  context.option("-a");
  CHECK(xas_begin(context.get()) == XAS_BAD_OPTION);
}
