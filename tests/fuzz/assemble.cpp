// libFuzzer target: the whole assembler through its public interface.
//
// The first byte of an input chooses the options ('0' stands for none), the rest is the text. One context is used for all inputs, as a program
// would that assembles many files, so that what one input leaves behind can show in the next; now and then the same text
// is assembled in a fresh context as well, and must give the same object and the same messages.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

void configure(xas::Context& context, unsigned choice) {
  context.reset();
  context.include_callback(include, nullptr);
  bool llvm = (choice & 1) != 0;
  if (llvm) context.option("--compat=llvm");
  switch (choice >> 1 & 3) {
    case 1: context.option(llvm ? "-triple=i386-linux-gnu" : "--32"); break;
    case 2: context.option(llvm ? "-triple=x86_64-linux-gnux32" : "--x32"); break;
    default: context.option(llvm ? "-triple=x86_64-linux-gnu" : "--64"); break;
  }
  if ((choice & 8) != 0) context.option("-g");
  if ((choice & 16) != 0) context.option(llvm ? "-dwarf-version=5" : "--gdwarf-5");
  if ((choice & 32) != 0) context.option(llvm ? "-mc-relax-all" : "-march=i686");
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
  } else if (context.error_count() == 0) {
    std::abort();  // a failure that says nothing
  }
  result.messages = context.text();
  return result;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static xas::Context kept;
  static unsigned runs = 0;
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const unsigned choice = data[0] ^ unsigned('0');
  configure(kept, choice);
  Result result = assemble(kept, text);
  if (++runs % 8 == 0) {
    xas::Context fresh;
    configure(fresh, choice);
    Result again = assemble(fresh, text);
    if (again.object != result.object || again.messages != result.messages) {
      std::fprintf(stderr, "a fresh context gives another result\n%s---\n%s\n", result.messages.c_str(), again.messages.c_str());
      std::abort();
    }
  }
  return 0;
}
