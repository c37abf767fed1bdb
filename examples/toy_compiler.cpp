// SPDX-License-Identifier: Apache-2.0
// A compiler for a language with one statement: each line of the source is text to be printed. It says sections,
// labels, data and x86-64 instructions by functions (xas::Stream); no assembly text in between.
//
//     printf 'hello\nworld\n' | toy_compiler hello.o && cc hello.o -o hello && ./hello
//     printf 'hello\nworld\n' | toy_compiler hello.obj windows && x86_64-w64-mingw32-gcc hello.obj -o hello.exe
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "xas/x86.h"
#include "xas/xas.hpp"

using namespace xas::x86;  // mnemonics and registers
using namespace xas::operands;

// What differs between the systems: the register of the first argument, the stack that a call needs, and the section of
// constants with its flags.
struct Platform {
  const char* target;
  xas::RegisterNumber argument;
  int frame;
  const char *constants, *flags;
};
constexpr Platform linux_x86_64 = {"x86_64-linux-gnu", rdi, 8, ".rodata", "a"};
constexpr Platform windows_x86_64 = {"x86_64-w64-mingw32", rcx, 40, ".rdata", "dr"};

static void compile(xas::Stream& s, const Platform& p, bool windows) {
  const xas::SymbolHandle main = s.symbol("main"), puts = s.symbol("puts");
  const xas_section strings = s.open_section(p.constants, {.flags = p.flags});
  const xas_section code = s.open_section(".text");

  s.declare(main, XAS_GLOBAL);
  if (!windows) s.declare(main, XAS_FUNCTION);
  s.label(main);
  s.emit(subq, {imm(p.frame), rsp});
  std::string line;
  std::uint32_t number = 1;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      line += char(c);
      continue;
    }
    s.place("standard input", number++);
    const xas::SymbolHandle string = s.new_label();
    s.switch_section(strings);
    s.label(string);
    s.bytes(std::string_view(line.c_str(), line.size() + 1));
    line.clear();

    s.switch_section(code);
    s.emit(leaq, {mem(rip, string), p.argument});
    s.emit(call, {to(puts)});
  }
  s.emit(xorl, {eax, eax});
  s.emit(addq, {imm(p.frame), rsp});
  s.emit(ret);
  if (windows) return;
  s.size_to_here(main);
  s.open_section(".note.GNU-stack", {.flags = ""});
}

int main(int argc, char** argv) {
  const bool windows = argc == 3 && std::string_view(argv[2]) == "windows";
  if (argc != 2 && !windows) {
    std::fprintf(stderr, "usage: toy_compiler OUTPUT [windows] < SOURCE\n");
    return 1;
  }
  const Platform& p = windows ? windows_x86_64 : linux_x86_64;
  xas::Context context;
  context.option("--target", p.target);
  xas::Stream stream(context);
  compile(stream, p, windows);
  if (!stream.finish()) {
    std::fprintf(stderr, "%s", context.text().data());
    return 1;
  }
  const auto object = context.object();
  std::FILE* f = std::fopen(argv[1], "wb");
  const bool written = f && std::fwrite(object.data(), 1, object.size(), f) == object.size();
  if (!f || std::fclose(f) != 0 || !written) {
    std::perror(argv[1]);
    return 1;
  }
}
