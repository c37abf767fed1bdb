// SPDX-License-Identifier: Apache-2.0
// A compiler for a language with one statement: each line of the source is text to be printed. It encodes x86-64
// instructions itself and builds the object with xas/object.hpp; no assembly text in between.
//
//     printf 'hello\nworld\n' | toy_compiler hello.o && cc hello.o -o hello && ./hello
//     printf 'hello\nworld\n' | toy_compiler hello.obj windows && x86_64-w64-mingw32-gcc hello.obj -o hello.exe
#include <cstdio>
#include <string>

#include "xas/object.hpp"

using namespace xas::object;
using xas::u32;
using xas::u64;
using xas::u8;

// What differs between the systems: relocation types, what is added in them because fields are relative to their own
// end (COFF's relocation knows that), the register of the first argument, and the stack that a call needs.
struct Platform {
  Format format;
  u32 relative, call;
  int to_end;
  std::string_view load;  ///< lea string(%rip), first argument
  u8 frame;
};
constexpr Platform linux_x86_64 = {Format::elf, 2, 4, -4, "\x48\x8d\x3d", 8};      // R_X86_64_PC32, PLT32
constexpr Platform windows_x86_64 = {Format::coff, 4, 4, 0, "\x48\x8d\x0d", 40};  // IMAGE_REL_AMD64_REL32

int main(int argc, char** argv) {
  const bool windows = argc == 3 && std::string_view(argv[2]) == "windows";
  if (argc != 2 && !windows) {
    std::fprintf(stderr, "usage: toy_compiler OUTPUT [windows] < SOURCE\n");
    return 1;
  }
  const Platform& p = windows ? windows_x86_64 : linux_x86_64;
  Builder o(Machine::x86_64, p.format);
  o.file("standard input");
  const auto text = o.section(".text", code_section);
  const auto strings = o.section(".rodata", constants_section);
  const auto string_pool = o.section_symbol(strings);
  const auto puts = o.symbol("puts");

  const auto main = o.symbol("main");
  o.set_type(main, SymbolType::function);
  o.define(main, text);
  o.append(text, "\x48\x83\xec");  // sub $frame, %rsp
  o.integer(text, p.frame, 1);
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      line += char(c);
      continue;
    }
    const u64 string = o.size(strings);
    o.append(strings, std::string_view(line.c_str(), line.size() + 1));
    line.clear();

    o.append(text, p.load);
    o.relocate(text, o.size(text), p.relative, string_pool, xas::i64(string) + p.to_end);
    o.zeros(text, 4);
    o.append(text, "\xe8");  // call puts
    o.relocate(text, o.size(text), p.call, puts, p.to_end);
    o.zeros(text, 4);
  }
  o.append(text, "\x31\xc0\x48\x83\xc4");  // xor %eax, %eax; add $frame, %rsp
  o.integer(text, p.frame, 1);
  o.append(text, "\xc3");  // ret
  o.set_size(main, o.size(text));

  const auto object = o.write();
  if (object.empty()) {
    std::fprintf(stderr, "toy_compiler: %s\n", o.error().c_str());
    return 1;
  }
  std::FILE* f = std::fopen(argv[1], "wb");
  const bool written = f && std::fwrite(object.data(), 1, object.size(), f) == object.size();
  if (!f || std::fclose(f) != 0 || !written) {
    std::perror(argv[1]);
    return 1;
  }
}
