// SPDX-License-Identifier: Apache-2.0
// Every allocation fails once. For each input, the first allocation of an assembly fails, then in another one the
// second, and so on, until none is left; and again with all allocations behind it failing too. Each time the library
// has to say so, or to do without; afterwards the same context makes the object that it always makes.
//
// The linker leads malloc and its kin here (--wrap).
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <sys/mman.h>

#include "xas/object.hpp"
#include "xas/xas.h"

namespace {

struct Failing {
  bool on = false;
  bool all_behind = false;  ///< not only that one
  long at = 0;              ///< the allocation that fails, from 1
  std::atomic<long> count = 0;
  std::atomic<bool> reached = false;

  void start(long number, bool and_all_behind) {
    all_behind = and_all_behind;
    at = number;
    count = 0;
    reached = false;
    on = true;
  }
  bool now() {
    if (!on) return false;
    const long number = ++count;
    if (number != at && !(all_behind && number > at)) return false;
    reached = true;
    return true;
  }
} failing;

}  // namespace

extern "C" {
void* __real_malloc(std::size_t size);
void* __real_calloc(std::size_t count, std::size_t size);
void* __real_realloc(void* memory, std::size_t size);
void* __real_mmap(void* at, std::size_t size, int protection, int flags, int fd, off_t offset);

void* __wrap_malloc(std::size_t size) { return failing.now() ? nullptr : __real_malloc(size); }
void* __wrap_calloc(std::size_t count, std::size_t size) {
  return failing.now() ? nullptr : __real_calloc(count, size);
}
void* __wrap_realloc(void* memory, std::size_t size) { return failing.now() ? nullptr : __real_realloc(memory, size); }
void* __wrap_mmap(void* at, std::size_t size, int protection, int flags, int fd, off_t offset) {
  return failing.now() ? MAP_FAILED : __real_mmap(at, size, protection, flags, fd, offset);
}
}

void* operator new(std::size_t size) {
  if (void* memory = failing.now() ? nullptr : __real_malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return failing.now() ? nullptr : __real_malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

struct Case {
  const char* name;
  std::vector<const char*> options;
  std::string text;
  bool said = false;  ///< by the functions of xas/stream.h, line by line
};

std::string repeated(const char* line, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += line;
  return text;
}

std::vector<Case> cases() {
  const std::string program =
      "\t.file 1 \"a.c\"\n\t.text\n\t.globl main\n\t.type main, %function\nmain:\n\t.cfi_startproc\n\t.loc 1 2 3\n"
      "\tnop\n\t.loc 1 3 1\n\tnop\n\t.cfi_endproc\n\t.size main, .-main\n"
      "\t.macro twice a\n\t.byte \\a\n\t.long \\a\n\t.endm\n\ttwice 3\n\t.rept 5\n\ttwice 7\n\t.endr\n"
      "\t.section .rodata.str1.1,\"aMS\",%progbits,1\n.LC0:\n\t.string \"text\"\n"
      "\t.section .foo,\"axG\",%progbits,sig,comdat\n\t.p2align 4\n\tnop\n\t.text\n1:\n\t.data\n\t.uleb128 "
      "1b-main\n\t.long .LC0\n"
      "\t.set alias, main\n\t.weak alias\n\t.comm common,8,8\n\t.section .debug_info,\"\",%progbits\n" +
      repeated("\t.long 0x11223344\n", 300);
  const std::string x86 =
      program +
      "\t.text\n\tmovl $1, %eax\n\tmovl $2, 8(%rsp)\n\tmovl $3, 16(%rsp)\n\tcall puts@PLT\n\tjmp 2f\n\t.zero 200\n2:\n"
      "\tleaq name(%rip), %rdi\n\tleaq other(%rip), %rdi\n\tvaddps %zmm1, %zmm2, %zmm3{%k1}\n\t.p2align 5\n"
      "\t.if 1\n\tret\n\t.else\n\tfoo\n\t.endif\n";
  return {
      {"x86-64", {}, x86},
      {"x86-64, -g and zlib", {"-g", "--compress-debug-sections=zlib"}, "\t.text\n" + repeated("\tpush %rax\n", 400)},
      {"x86-64, zstd by GNU as", {"--compress-debug-sections=zstd"}, x86},
      {"x86-64, zstd by llvm-mc", {"--compat=llvm", "--compress-debug-sections=zstd"}, x86},
      {"x86-64, zlib by two threads",
       {"--threads=2", "--compress-debug-sections=zlib"},
       "\t.section .debug_info\n" + repeated("\t.zero 9999, 7\n", 8) + "\t.section .debug_loc\n" +
           repeated("\t.zero 9999, 9\n", 7)},
      {"i386, listing", {"--32", "-al"}, program},
      {"AArch64",
       {"--target=aarch64-linux-gnu"},
       program + "\t.text\n\tadd x0, x1, #2\n\tadd x0, x1, #3\n\tadrp x0, sym\n\tldr x0, =0x123456789\n\tbl f\n"},
      {"ARM",
       {"--target=arm-linux-gnueabihf"},
       program +
           "\t.text\n\t.fnstart\n\tpush {r4, lr}\n\t.save {r4, lr}\n\tldr r0, =sym\n\t.fnend\n\t.thumb\n\tbl f\n"},
      {"Windows",
       {"--target=x86_64-w64-mingw32"},
       "\t.text\n\t.globl f\n\t.def f; .scl 2; .type 32; .endef\n\t.seh_proc f\nf:\n\tpushq %rbp\n\t.seh_pushreg %rbp\n"
       "\t.seh_endprologue\n\tret\n\t.seh_endproc\n\t.section .data$x,\"dw\"\n\t.long f\n"},
      {"by functions", {}, x86, true},
      {"errors", {}, "\tfoo\n\t.macro m\n\tmovl $1, %ebz\n\t.endm\n\tm\n\t.long undefined-other\n\t.if 1\n"},
  };
}

/// The text by pieces, with a few other things said in between.
xas_status say(xas_context* context, const std::string& text) {
  xas_status status = xas_begin(context);
  const auto ask = [&](xas_status s) {
    if (status == XAS_OK) status = s;
  };
  for (std::size_t at = 0, line = 1; at < text.size() && status == XAS_OK; ++line) {
    std::size_t end = text.find('\n', at);
    if (text.compare(at, 7, "\t.macro") == 0) end = text.find(".endm\n", at) + 5;
    if (text.compare(at, 6, "\t.rept") == 0) end = text.find(".endr\n", at) + 5;
    if (text.compare(at, 4, "\t.if") == 0) end = text.find(".endif\n", at) + 6;
    ask(xas_place(context, line % 2 ? "odd" : "even", unsigned(line)));
    ask(xas_feed(context, text.data() + at, end - at));
    at = end + 1;
  }
  if (status == XAS_OK) {
    const xas_symbol label = xas_new_label(context), name = xas_symbol_named(context, "named", 5);
    if (!label || !name) return XAS_OUT_OF_MEMORY;
    const xas_value value = {4, name, label, 0};
    const xas_operand operand = {XAS_OPERAND_VALUE, {0, name, 0, 0}, nullptr, 0};
    ask(xas_label(context, label));
    ask(xas_cfi_begin(context, 0));
    ask(xas_cfi(context, XAS_CFI_DEF_CFA_OFFSET, 0, 16));
    const xas_arg two[2] = {{XAS_ARG_WORD, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, 0, 0, 0}, "$1"},
                            {XAS_ARG_VALUE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {0, name, 0, 0}, nullptr}};
    for (int i = 0; i < 3; ++i) ask(xas_emit(context, xas_mnemonic_named("nop"), 0, nullptr, 0));
    for (const xas_arg& a : two) ask(xas_emit(context, xas_mnemonic_named("pushq"), 0, &a, 1));
    ask(xas_integer(context, 7, 4));
    ask(xas_label(context, name));
    ask(xas_data(context, &value, 8));
    ask(xas_directive(context, ".globl", &operand, 1));
    ask(xas_cfi_end(context));
  }
  return status == XAS_OK || status == XAS_ERRORS ? xas_finish(context) : status;
}

struct Result {
  xas_status status = XAS_OUT_OF_MEMORY;
  std::string object, text;
};

Result assemble(xas_context* context, const Case& c) {
  Result r;
  for (const char* option : c.options)
    if ((r.status = xas_set_option(context, option, nullptr)) != XAS_OK) return r;
  r.status = c.said ? say(context, c.text) : xas_assemble(context, c.text.data(), c.text.size(), "x.s");
  const bool was_on = failing.on;
  failing.on = false;  // what follows is this test's
  std::size_t size;
  if (const std::uint8_t* object = xas_object(context, &size)) r.object.assign(object, object + size);
  failing.on = was_on;
  if (const char* text = xas_diagnostics_text(context, 0, nullptr)) {
    failing.on = false;
    r.text = text;
    failing.on = was_on;
  }
  return r;
}

long failures = 0, runs = 0;

void fail(const Case& c, const char* what) {
  std::fprintf(stderr, "%s, allocation %ld%s: %s\n", c.name, failing.at, failing.all_behind ? " and on" : "", what);
  ++failures;
}

/// One assembly in which allocation `at` fails. False if there was none.
bool run(const Case& c, const Result& expected, long at, bool all_behind) {
  failing.start(at, all_behind);
  ++runs;
  xas_context* context = xas_create();
  Result r;
  if (context) r = assemble(context, c);
  failing.on = false;
  const bool reached = failing.reached;
  if (!context) {
    if (!reached) fail(c, "no context");
    return reached;
  }
  if (r.status == XAS_OK && r.object != expected.object) fail(c, "another object");
  if (r.status == XAS_ERRORS && expected.status != XAS_ERRORS)
    fail(c, ("errors that are none: " + r.text).c_str());
  if (r.status == XAS_BAD_OPTION || r.status == XAS_BAD_ARGUMENT) fail(c, xas_error(context));
  if (r.status != XAS_OK && !r.object.empty()) fail(c, "an object in spite of the status");
  xas_reset(context);
  const Result again = assemble(context, c);
  if (again.status != expected.status || again.object != expected.object || again.text != expected.text)
    fail(c, "the context can't be used further");
  xas_destroy(context);
  return reached;
}

}  // namespace

int main() {
  for (const Case& c : cases()) {
    xas_context* context = xas_create();
    const Result expected = assemble(context, c);
    xas_destroy(context);
    if ((expected.status == XAS_ERRORS) != (std::strcmp(c.name, "errors") == 0)) {
      std::fprintf(stderr, "%s: %s\n", c.name, expected.text.c_str());
      ++failures;
    }
    for (const bool all_behind : {false, true})
      for (long at = 1; run(c, expected, at, all_behind); ++at) {
      }
  }
  std::printf("%ld passed, %ld failed\n", runs - failures, failures);
  return failures != 0;
}
