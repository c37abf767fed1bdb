// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the whole assembler through its public interface.
//
// The first byte of an input chooses the options ('0' stands for none), the second the target, the rest is the text.
// One context is used for all inputs, as a program would that assembles many files, so that what one input leaves
// behind can show in the next; now and then the same text is assembled in a fresh context as well, with two threads,
// and must give the same object and the same messages.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "xas/xas.hpp"

namespace {

/// No file of the machine is read: `.include` and `.incbin` find one small text under the name "seed".
int include(void*, const char* path, const char** text, std::size_t* size) {
  static constexpr char seed[] = ".byte 1, 2\nincluded: nop\n";
  if (std::strcmp(path, "seed") != 0) return 0;
  *text = seed;
  *size = sizeof seed - 1;
  return 1;
}

struct Input {
  unsigned options, target;
  std::string_view text;
};

constexpr const char* targets[] = {
    "x86_64-linux-gnu",    "i386-linux-gnu",       "x86_64-linux-gnux32",   "x86_64-pc-windows-msvc",
    "i686-w64-mingw32",    "aarch64-linux-gnu",    "aarch64_be-linux-gnu",  "aarch64-pc-windows-msvc",
    "x86_64-linux-gnu",    "i386-linux-gnu-code16", "armv7-linux-gnueabihf", "thumbv7-pc-windows-msvc",
    "x86_64-w64-mingw32",  "armeb-linux-gnueabi",
};
constexpr unsigned intel_target = 8;  ///< starts with Intel syntax

void configure(xas::Context& context, const Input& input) {
  context.reset();
  context.include_callback(include, nullptr);
  const unsigned choice = input.options, target = input.target % std::size(targets);
  const bool llvm = (choice & 1) != 0;
  if (llvm) context.option("--compat=llvm");
  context.option("--target", targets[target]);
  if (target == intel_target) context.option(llvm ? "-x86-asm-syntax=intel" : "-msyntax=intel");
  if ((choice & 2) != 0) context.option("--gsframe");
  if ((choice & 4) != 0 && !llvm) context.option("-aghlmsc");
  if ((choice & 4) != 0 && llvm) context.option("-crel");
  if ((choice & 8) != 0) context.option("-g");
  if ((choice & 16) != 0) context.option(llvm ? "-dwarf-version=5" : "--gdwarf-5");
  if ((choice & 32) != 0) context.option(llvm ? "-mc-relax-all" : "-O2");
  if ((choice & 64) != 0) context.option("--compress-debug-sections=zlib");
}

struct Result {
  std::string object;
  std::string messages;
};

Result assemble(xas::Context& context, std::string_view text) {
  Result result;
  if (context.assemble(text, "fuzz.s")) {
    auto object = context.object();
    if (object.empty()) std::abort();
    result.object.assign(object.begin(), object.end());
  } else if (context.error_count() == 0 && *context.error() == '\0') {
    std::abort();  // a failure that says nothing
  }
  result.messages = context.text();
  result.messages += context.listing();
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static xas::Context kept;
  static unsigned runs = 0;
  if (size < 2) return 0;
  const Input input{
      data[0] ^ unsigned('0'), data[1] ^ unsigned('0'), {reinterpret_cast<const char*>(data) + 2, size - 2}};
  configure(kept, input);
  Result result = assemble(kept, input.text);
  if (++runs % 8 == 0) {
    xas::Context fresh;
    configure(fresh, input);
    fresh.option("--threads=2");
    Result again = assemble(fresh, input.text);
    if (again.object != result.object || again.messages != result.messages) {
      std::fprintf(stderr, "a fresh context gives another result\n%s---\n%s\n", result.messages.c_str(),
                   again.messages.c_str());
      std::abort();
    }
  }
  return 0;
}
