// SPDX-License-Identifier: Apache-2.0
// xas-corpus texts: random texts of directives, so many of each topic, for both reference assemblers, laid out as a
// corpus for xas-diff (tests/differential), and what each has to come to. The same seed makes the same texts.
#include "asm/corpus/corpus.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <span>

#include "asm/corpus/texts/expectation.h"
#include "asm/corpus/texts/text.h"

namespace xas::corpus::texts {
namespace {

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
constexpr Topic line_topics[] = {{"view-resets", view_resets}};  // GNU as alone has views
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
  std::string_view triple = {};  ///< of the GNU as whose name has it in front; empty: as
};

constexpr Variant variants[] = {
    {"random", false, "--64\n", elf_topics},
    {"random", true, "-triple=x86_64-linux-gnu\n", elf_topics},
    {"debug", false, "--64\n--gdwarf-5\n", debug_topics},
    {"debug", true, "-triple=x86_64-linux-gnu\n-g\n-dwarf-version=5\n", debug_topics},
    {"compressed", false, "--64\n-g\n--compress-debug-sections=zlib\n", debug_topics},
    {"compressed", true, "-triple=x86_64-linux-gnu\n-g\n--compress-debug-sections=zlib\n", debug_topics},
    {"mingw64", false, "", windows_gnu64, Machine::x86_64, "x86_64-w64-mingw32"},
    {"mingw32", false, "", windows_gnu32, Machine::i386, "i686-w64-mingw32"},
    {"mingw64", true, "-triple=x86_64-w64-windows-gnu\n", windows_llvm},
    {"msvc64", true, "-triple=x86_64-pc-windows-msvc\n", windows_llvm},
    {"msvc32", true, "-triple=i686-pc-windows-msvc\n", windows_llvm32, Machine::i386},
    {"mingw-arm64", true, "-triple=aarch64-w64-windows-gnu\n", windows_llvm, Machine::arm64},
    {"msvc-arm64", true, "-triple=aarch64-pc-windows-msvc\n", windows_llvm, Machine::arm64},
    {"msvc-arm", true, "-triple=thumbv7-pc-windows-msvc\n", windows_llvm, Machine::arm},
    {"lines64", false, "--64\n", line_topics},
    {"lines32", false, "--32\n", line_topics, Machine::i386},
    {"lines-mingw64", false, "", line_topics, Machine::x86_64, "x86_64-w64-mingw32"},
    {"lines-arm64", false, "", line_topics, Machine::arm64, "aarch64-linux-gnu"},
    {"lines-arm", false, "", line_topics, Machine::arm, "arm-linux-gnueabihf"},
};

/// What llvm-mc of LLVM 23 is asked, in a corpus of its own: DIRECTORY/llvm-23/llvm.
constexpr Topic newer_topics[] = {{"prefalign", preferred_alignments}};
constexpr Variant newer_variants[] = {
    {"x64", true, "-triple=x86_64-linux-gnu\n", newer_topics},
    {"i386", true, "-triple=i386-linux-gnu\n", newer_topics, Machine::i386},
    {"a64", true, "-triple=aarch64-linux-gnu\n", newer_topics, Machine::arm64},
    {"arm", true, "-triple=armv7a-linux-gnueabihf\n", newer_topics, Machine::arm},
};

/// Throws if it can't be written.
void write(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path folder = file.parent_path();
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code) throw std::runtime_error(fmt::format("{}: {}", folder.string(), code.message()));
  errno = 0;
  std::ofstream out(file, std::ios::binary);
  if (!out.write(text.data(), std::streamsize(text.size())).flush())
    throw std::runtime_error(fmt::format("{}: {}", file.string(), std::strerror(errno)));
}

/// `release` is that of the assembler, as --compat spells it.
void write_variant(const std::filesystem::path& folder, const Variant& v, std::string_view release, u64 texts,
                   u64 seed) {
  write(folder / "options", v.options);
  if (!v.triple.empty()) write(folder / "assembler", fmt::format("{}-as\n", v.triple));
  const std::string target = v.triple.empty() ? "" : fmt::format("--target={}", v.triple);
  Expectation expectation({fmt::format("--compat={}", release), target, "-fmax-errors=0", v.options});
  for (const Topic& topic : v.topics) {
    for (u64 i = 0; i < texts; ++i) {
      Text text(seed + i, v.llvm, v.machine);
      topic.make(text);
      const std::string name = fmt::format("{}/{:05}.s", topic.name, i);
      write(folder / name, text.out);
      expectation.add(name, text.out);
    }
  }
  write(folder / "expected.jsonl", expectation.lines());
}

void write_variants(const std::filesystem::path& place, std::span<const Variant> variants, std::string_view llvm,
                    u64 texts, u64 seed) {
  for (const Variant& v : variants)
    write_variant(place / (v.llvm ? "llvm" : "gnu") / v.name, v, v.llvm ? llvm : "gnu-2.40", texts,
                  seed * 1000003 + u64(&v - variants.data()) * 50021);
}

}  // namespace
}  // namespace xas::corpus::texts

namespace xas::corpus {

int run_texts(Arguments& arguments) {
  u64 count = 100, seed = 1;
  std::string directory;
  while (arguments.next()) {
    if (arguments.is("count")) count = arguments.number(1, 1'000'000);
    else if (arguments.is("seed")) seed = arguments.number();
    else if (arguments.is("o")) directory = arguments.value();
    else arguments.unknown();
  }
  if (!arguments.error.empty()) return fail(arguments.error);
  if (directory.empty()) return fail("texts are written to a folder: name it with -o");
  const std::filesystem::path place = directory;
  texts::write_variants(place, texts::variants, "llvm-22", count, seed);
  texts::write_variants(place / "llvm-23", texts::newer_variants, "llvm-23", count, seed);
  return 0;
}

}  // namespace xas::corpus
