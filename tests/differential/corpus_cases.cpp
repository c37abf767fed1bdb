// SPDX-License-Identifier: Apache-2.0
// Cases from compiler output. The path tells the oracle: .../gnu/COMPILER-BITS-VARIANT/PACKAGE/FILE.s or .../llvm/...;
// the file `options` in the variant's folder has the assembler options, one in a line; the file `assembler`, if there
// is one, the name of the GNU as to compare with (x86_64-w64-mingw32-as), whose target xas is told.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

/// The triple of Debian's cross assembler for what stands in place of BITS; empty: the machine's own.
std::string_view cross_triple(const std::string& variant) {
  if (variant.find("-arm64-") != variant.npos) return "aarch64-linux-gnu";
  if (variant.find("-arm-") != variant.npos || variant.find("-thumb-") != variant.npos) return "arm-linux-gnueabihf";
  return {};
}

Case corpus_case(const Programs& programs, const fs::path& file, bool llvm, const std::vector<std::string>& options) {
  const std::string_view triple = cross_triple(file.parent_path().parent_path().filename().string());
  Case test;
  test.source = file;
  test.whole_file = llvm;
  test.oracle =
      llvm ? std::vector<std::string>{programs.llvm_mc, "-filetype=obj"}
           : std::vector<std::string>{triple.empty() ? programs.gnu_as : programs.gnu_as_for(std::string(triple))};
  test.subject = test.oracle;
  if (!programs.self) {
    test.subject[0] = programs.xas;
    test.subject.insert(test.subject.begin() + 1, programs.compat(!llvm));
    if (!triple.empty() && !llvm) test.subject.insert(test.subject.begin() + 1, fmt::format("--target={}", triple));
  }
  for (auto* command : {&test.oracle, &test.subject}) {
    command->insert(command->end(), options.begin(), options.end());
    command->push_back(file.string());
  }
  return test;
}

}  // namespace

std::vector<Case> corpus_cases(const Programs& programs, const std::vector<fs::path>& places, const std::string& kind,
                               const std::vector<std::string>& options) {
  std::vector<Case> cases;
  for (const fs::path& place : places) {
    if (!fs::is_directory(place)) {
      cases.push_back(corpus_case(programs, fs::absolute(place), kind == "llvm", options));
      cases.back().name = place.string();
      cases.back().family = kind;
      continue;
    }
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.path().extension() == ".s") files.push_back(fs::absolute(entry.path()).lexically_normal());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      fs::path variant = file.parent_path().parent_path();
      std::string oracle = variant.parent_path().filename().string();
      if (oracle != "gnu" && oracle != "llvm") continue;
      std::vector<std::string> all = options;
      std::istringstream lines(read_file(variant / "options").value_or(""));
      for (std::string line; std::getline(lines, line);) {
        if (!line.empty()) all.push_back(line);
      }
      Case test = corpus_case(programs, file, oracle == "llvm", all);
      if (std::string as = read_file(variant / "assembler").value_or(""); !as.empty()) {
        as.erase(as.find_last_not_of("\n") + 1);
        const std::string own_triple = as.substr(0, as.rfind('-'));
        test.oracle[0] = programs.gnu_as_for(own_triple);
        test.subject.insert(test.subject.begin() + 1, "--target=" + own_triple);
      }
      test.family = fmt::format("{}/{}", oracle, variant.filename().string());
      test.name =
          fmt::format("{}/{}/{}", test.family, file.parent_path().filename().string(), file.filename().string());
      cases.push_back(std::move(test));
    }
  }
  return cases;
}

}  // namespace diff
