// random-texts DIRECTORY COUNT [SEED]: random texts of directives, COUNT of each topic, for both reference assemblers,
// laid out as a corpus for xas-diff. The same seed makes the same texts. tests/random/run.sh makes them and compares.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "text.h"

namespace {

using namespace random_texts;

struct Topic {
  const char* name;
  void (*make)(Text&);
};

constexpr Topic topics[] = {{"symbols", symbols_and_sections}, {"frames", frames},           {"lines", line_tables},
                            {"layout", layout},                {"expressions", expressions}, {"macros", macros}};

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
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
  for (const bool llvm : {false, true}) {
    const std::filesystem::path variant = place / (llvm ? "llvm" : "gnu") / "random";
    write(variant / "options", llvm ? "-triple=x86_64-linux-gnu\n" : "--64\n");
    for (const Topic& topic : topics) {
      for (unsigned long i = 0; i < texts; ++i) {
        Text text(seed * 1000003 + i, llvm);
        topic.make(text);
        write(variant / topic.name / fmt::format("{:05}.s", i), text.out);
      }
    }
  }
}
