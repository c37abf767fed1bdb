// A compiler for a language with one statement: each line of the source is text to be printed. It encodes x86-64
// instructions itself and builds the object with xas/object.hpp; no assembly text in between.
//
//     printf 'hello\nworld\n' | toy_compiler hello.o && cc hello.o -o hello && ./hello
#include <cstdio>
#include <string>

#include "xas/object.hpp"

using namespace xas::object;
using xas::u32;
using xas::u64;
using xas::u8;

// Relocation types of the x86-64 psABI
constexpr u32 R_X86_64_PC32 = 2;
constexpr u32 R_X86_64_PLT32 = 4;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: toy_compiler OUTPUT < SOURCE\n");
    return 1;
  }
  Builder o(Machine::x86_64);
  o.file("standard input");
  const auto text = o.section(".text", code_section);
  const auto strings = o.section(".rodata", constants_section);
  const auto string_pool = o.section_symbol(strings);
  const auto puts = o.symbol("puts");

  const auto main = o.symbol("main");
  o.set_type(main, SymbolType::function);
  o.define(main, text);
  o.append(text, "\x48\x83\xec\x08");  // sub $8, %rsp
  std::string line;
  for (int c = std::getchar(); c != EOF; c = std::getchar()) {
    if (c != '\n') {
      line += char(c);
      continue;
    }
    const u64 string = o.size(strings);
    o.append(strings, std::string_view(line.c_str(), line.size() + 1));
    line.clear();

    // Both fields are relative to their own end, four bytes on: hence -4.
    o.append(text, "\x48\x8d\x3d");  // lea string(%rip), %rdi
    o.relocate(text, o.size(text), R_X86_64_PC32, string_pool, xas::i64(string) - 4);
    o.zeros(text, 4);
    o.append(text, "\xe8");  // call puts
    o.relocate(text, o.size(text), R_X86_64_PLT32, puts, -4);
    o.zeros(text, 4);
  }
  o.append(text, "\x31\xc0\x48\x83\xc4\x08\xc3");  // xor %eax, %eax; add $8, %rsp; ret
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
