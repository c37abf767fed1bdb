// random-texts DIRECTORY COUNT [SEED]: random texts of directives, COUNT of each topic, for both reference assemblers,
// laid out as a corpus for xas-diff. The same seed makes the same texts. tests/random/run.sh makes them and compares.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>

#include "text.h"

namespace {

using namespace random_texts;

struct Topic {
  const char* name;
  void (*make)(Text&);
};

constexpr Topic symbols{"symbols", symbols_and_sections}, macro_calls{"macros", macros};
constexpr Topic elf_topics[] = {symbols,
                                {"frames", frames},
                                {"lines", line_tables},
                                {"layout", layout},
                                {"expressions", expressions},
                                macro_calls,
                                {"data", data},
                                {"relocations", relocations},
                                {"conditionals", conditionals},
                                {"alternate", alternate_macros},
                                {"kinds", section_kinds},
                                {"sizes", late_sizes},
                                {"bundles", bundles},
                                {"rare-frames", rare_frames},
                                {"rare-lines", rare_lines},
                                {"versions", versions},
                                {"nested", nested_macros}};
constexpr Topic debug_topics[] = {{"numbered", numbered_lines}, macro_calls, symbols};  // what -g makes something of
constexpr Topic unwind{"unwind", unwind_tables}, views{"codeview", codeview}, coff{"coff", coff_symbols};
constexpr Topic windows_gnu64[] = {unwind, coff};
constexpr Topic windows_gnu32[] = {coff};
constexpr Topic windows_llvm[] = {unwind, views, coff};
constexpr Topic windows_llvm32[] = {views, coff};

/// An assembler and what it is asked.
struct Variant {
  const char* name;
  bool llvm;
  const char* options;
  std::span<const Topic> topics;
  Machine machine = Machine::x86_64;
  const char* assembler = nullptr;  ///< other than the usual one
};

constexpr Variant variants[] = {
    {"random", false, "--64\n", elf_topics},
    {"random", true, "-triple=x86_64-linux-gnu\n", elf_topics},
    {"debug", false, "--64\n--gdwarf-5\n", debug_topics},
    {"debug", true, "-triple=x86_64-linux-gnu\n-g\n-dwarf-version=5\n", debug_topics},
    {"compressed", false, "--64\n-g\n--compress-debug-sections=zlib\n", debug_topics},
    {"compressed", true, "-triple=x86_64-linux-gnu\n-g\n--compress-debug-sections=zlib\n", debug_topics},
    {"mingw64", false, "", windows_gnu64, Machine::x86_64, "x86_64-w64-mingw32-as\n"},
    {"mingw32", false, "", windows_gnu32, Machine::i386, "i686-w64-mingw32-as\n"},
    {"mingw64", true, "-triple=x86_64-w64-windows-gnu\n", windows_llvm},
    {"msvc64", true, "-triple=x86_64-pc-windows-msvc\n", windows_llvm},
    {"msvc32", true, "-triple=i686-pc-windows-msvc\n", windows_llvm32, Machine::i386},
    {"mingw-arm64", true, "-triple=aarch64-w64-windows-gnu\n", windows_llvm, Machine::arm64},
    {"msvc-arm64", true, "-triple=aarch64-pc-windows-msvc\n", windows_llvm, Machine::arm64},
    {"msvc-arm", true, "-triple=thumbv7-pc-windows-msvc\n", windows_llvm, Machine::arm},
};

/// What llvm-mc of LLVM 23 is asked, in a corpus of its own: DIRECTORY/llvm-23.
constexpr Topic newer_topics[] = {{"prefalign", preferred_alignments}};
constexpr Variant newer_variants[] = {
    {"x64", true, "-triple=x86_64-linux-gnu\n", newer_topics},
    {"i386", true, "-triple=i386-linux-gnu\n", newer_topics, Machine::i386},
    {"a64", true, "-triple=aarch64-linux-gnu\n", newer_topics, Machine::arm64},
    {"arm", true, "-triple=armv7a-linux-gnueabihf\n", newer_topics, Machine::arm},
};

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void write_variants(const std::filesystem::path& place, std::span<const Variant> variants, unsigned long texts,
                    std::uint64_t seed) {
  for (const Variant& v : variants) {
    const std::filesystem::path variant = place / (v.llvm ? "llvm" : "gnu") / v.name;
    write(variant / "options", v.options);
    if (v.assembler) write(variant / "assembler", v.assembler);
    for (const Topic& topic : v.topics) {
      for (unsigned long i = 0; i < texts; ++i) {
        Text text(seed * 1000003 + std::uint64_t(&v - variants.data()) * 50021 + i, v.llvm, v.machine);
        topic.make(text);
        write(variant / topic.name / fmt::format("{:05}.s", i), text.out);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "usage: random-texts DIRECTORY COUNT [SEED]\n");
    return 2;
  }
  const std::filesystem::path place = arguments[1];
  const auto texts = std::strtoul(arguments[2], nullptr, 10);
  const auto seed = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1;
  write_variants(place, variants, texts, seed);
  write_variants(place / "llvm-23", newer_variants, texts, seed);
}
