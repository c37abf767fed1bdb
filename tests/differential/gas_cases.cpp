// SPDX-License-Identifier: Apache-2.0
// Cases from the tests of GNU as. A dump test NAME.d opens with lines like "#as: -march=i8086" and "#source: other.s";
// a list test is a line `run_list_test "NAME" "OPTIONS"` in an .exp file. What objdump is expected to say is of no use
// here: GNU as itself is the oracle.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>
#include <cstring>
#include <sstream>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Options that make a listing, which is not what is compared.
bool listing_option(const std::string& option) { return option.starts_with("-a") || option.starts_with("--listing"); }

struct ListTest {
  std::string name;
  std::string options;
};

/// What an .exp file says: its list tests, and for each dump test the options in force where it stands.
struct Script {
  std::vector<ListTest> lists;
  std::map<std::string, std::string> options;
};

Script read_script(const fs::path& file) {
  Script script;
  static const RE2 list("run_list_test\\s+\"([^\"]+)\"(?:\\s+\"([^\"]*)\")?");
  static const RE2 dump("run_dump_test\\s+\"([^\"]+)\"");
  static const RE2 flags(R"re(set ASFLAGS "\$\w+ +(--(?:32|64|x32)\b[^"]*)")re");
  std::istringstream stream(read_file(file).value_or(""));
  std::string in_force;
  for (std::string line; std::getline(stream, line);) {
    std::string name, options, found;
    if (RE2::PartialMatch(line, flags, &found)) in_force = found;
    if (RE2::PartialMatch(line, dump, &name)) script.options[name] = in_force;
    if (RE2::PartialMatch(line, list, &name, &options)) script.lists.push_back({name, in_force + " " + options});
  }
  return script;
}

class Suite {
 public:
  Suite(const Programs& programs, const fs::path& root, const fs::path& directory, std::vector<Case>& cases)
      : programs_(programs), root_(root), directory_(directory), cases_(cases) {}

  void read() {
    Script script;
    for (const fs::path& file : files(".exp")) {
      Script one = read_script(file);
      script.lists.insert(script.lists.end(), one.lists.begin(), one.lists.end());
      script.options.merge(one.options);
    }
    for (const fs::path& file : files(".d")) dump_test(file, script);
    for (const ListTest& test : script.lists) {
      fs::path source = directory_ / (test.name + ".s");
      if (fs::exists(source)) add(test.name + ".l", source, words_of(test.options));
    }
  }

 private:
  bool is_aarch64() const { return directory_.filename() == "aarch64"; }
  bool is_arm() const { return directory_.filename() == "arm"; }
  std::string oracle() const {
    return is_aarch64() || is_arm() ? programs_.gnu_as_for(triple()) : programs_.gnu_as;
  }
  /// Of the oracle: GNU as for another target is called TRIPLE-as.
  std::string triple() const {
    if (is_aarch64()) return "aarch64-linux-gnu";
    if (is_arm()) return "arm-linux-gnueabihf";
    std::string name = fs::path(programs_.gnu_as).filename().string();
    return name.ends_with("-as") ? name.substr(0, name.size() - 3) : "";
  }

  std::vector<fs::path> files(const char* extension) const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void dump_test(const fs::path& file, const Script& script) {
    std::string name = file.stem().string();
    if (name.find("-aarch64") != name.npos) return;  // in folders that several targets share
    std::string source = name + ".s", options, target;
    std::istringstream stream(read_file(file).value_or(""));
    static const RE2 field("^#\\s*([a-z_]+)\\s*:\\s*(.*?)\\s*$");
    for (std::string line; std::getline(stream, line) && line.starts_with("#");) {
      std::string key, value;
      if (!RE2::FullMatch(line, field, &key, &value)) continue;
      if (key == "as") options += value + " ";
      if (key == "source") source = value;
      if (key == "target") target += value + " ";
    }
    static const RE2 aarch64("(aarch64|\\*-\\*-\\*|\\*-\\*-linux|\\*-\\*-elf|\\[)");
    static const RE2 arm("(arm\\*?-|\\*-\\*-\\*|\\*-\\*-linux|\\*-\\*-elf|\\*-\\*-.*eabi|\\[)");
    static const RE2 here("(\\*-\\*-\\*|x86_64|i\\?86|i\\*86|\\*-\\*-linux|\\*-\\*-gnu|\\[)");
    bool windows = triple().find("mingw") != std::string::npos;
    if (!target.empty() && !windows && !RE2::PartialMatch(target, is_aarch64() ? aarch64 : is_arm() ? arm : here))
      return;
    const auto in_force = script.options.find(name);
    if (in_force != script.options.end()) options = in_force->second + " " + options;
    const std::vector<std::string> words = words_of(options);
    fs::path path = (directory_ / source).lexically_normal();
    if (fs::exists(path)) add(name + ".d", path, words);
  }

  void add(const std::string& name, const fs::path& source, const std::vector<std::string>& options) {
    Case test;
    test.family = directory_.lexically_relative(root_).string();
    test.name = test.family + "/" + name;
    test.source = source;
    test.directory = directory_;
    test.oracle = {oracle()};
    for (std::string option : options) {
      if (listing_option(option)) continue;
      for (const char* variable : {"${srcdir}/$subdir", "$srcdir/$subdir", "${srcdir}/${subdir}"}) {
        if (auto at = option.find(variable); at != std::string::npos)
          option.replace(at, std::strlen(variable), directory_.string());
      }
      test.oracle.push_back(option);
    }
    test.oracle.push_back(source.string());
    std::string key = fmt::format("{}", fmt::join(test.oracle, " "));
    if (!seen_.insert(key).second) return;
    test.subject = test.oracle;
    if (!programs_.self) {
      test.subject[0] = programs_.xas;
      test.subject.insert(test.subject.begin() + 1, {programs_.compat(true), "-fmax-errors=0"});
      if (!programs_.gnu_producer.empty())
        test.subject.insert(test.subject.begin() + 1, "-dwarf-debug-producer=" + programs_.gnu_producer);
      // What GNU as takes without an option; xas takes every instruction then.
      const auto selects = [](const std::string& option) {
        return option.starts_with("-march=") || option.starts_with("-mcpu=");
      };
      if (is_aarch64() && std::none_of(options.begin(), options.end(), selects))
        test.subject.insert(test.subject.begin() + 1, "-march=armv8-a");
      if (!triple().empty()) test.subject.insert(test.subject.begin() + 1, fmt::format("--target={}", triple()));
    }
    cases_.push_back(std::move(test));
  }

  const Programs& programs_;
  const fs::path& root_;
  const fs::path directory_;
  std::vector<Case>& cases_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Case> gas_cases(const Programs& programs, const fs::path& directory) {
  fs::path root = fs::absolute(directory).lexically_normal();
  std::vector<Case> cases;
  for (const char* part : {"all", "elf", "macros", "cfi", "symver", "cfi-sframe", "scfi/x86_64", "scfi/aarch64", "pe",
                           "i386", "aarch64", "arm"}) {
    if (fs::is_directory(root / part)) Suite(programs, root, root / part, cases).read();
  }
  if (cases.empty()) Suite(programs, root, root, cases).read();
  return cases;
}

}  // namespace diff
