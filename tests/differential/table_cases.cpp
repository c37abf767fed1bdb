// SPDX-License-Identifier: Apache-2.0
// Cases from tables: text files of small inputs, each under a line that says what it is for, who has to take it and
// what is compared.
//
//   === NAME | TARGETS | gnu OPTIONS | llvm OPTIONS | CHECK...
//   === | TARGETS | gnu OPTIONS | llvm OPTIONS | CHECK...
//   the text, in which a line "--- FILE" begins a further file
//
// Targets are those of `targets` below, or `elf`, `x86`, `coff`, `all`; an option -triple= or --target= takes the place
// of the target's own. A header without a name asks for the same text once more. A profile with a field of its own is
// compared with its assembler, both being given the options; after "error" both have to reject the text, at the same
// lines; "-" leaves the profile out. A profile without a field is of an assembler that does not know what is tested: it
// has to reject the text, and xas to take it, for xas takes the union of both inputs. Without any field both are
// compared.
//
// Where there are options, the assembler's own object has to be another one without them, or the test shows nothing.
// Checks:
//
//   ignored       but this option changes nothing
//   warnings      warnings stand at the same lines
//   listing       standard output is the same
//   prints TEXT   both print it
//   file NAME     both write this file, and the same into it
//   lines         each line is tried by itself (line_cases.cpp); of each line of a part "--- places" there is one for
//                 each word of the part "--- names", in the place of $$; a word with ## stands for one with each number
//                 of the part "--- values". The lines of a part "--- last" stand behind all others
//   cut           of these lines, xas may refuse what one assembler alone takes: numbers that do not fit, which it cuts
//   instructions  each line has its bytes (instruction_cases.cpp)
//   messages      comments say what xas says, word for word and with columns; no assembler is asked (message_cases.cpp)
//   section NAME WHAT VALUE...
//                 what no assembler knows yet: of this section, type, entsize, align, flags or bytes
//   as-other SECTION...
//                 where a profile's assembler does not know what is tested, or is left out: what these sections are,
//                 their bytes and relocations are those of the other's object
#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

struct TableTarget {
  const char* name;
  const char* groups;
  Words gnu;            ///< GNU as; empty if there is none
  const char* triple;   ///< xas' for the gnu profile
  const char* llvm;     ///< llvm-mc's triple, and xas'
  Words gnu_features = {}, llvm_features = {};  ///< the assemblers' options for every extension, which xas takes anyway
};

constexpr const char* arm_features =
    "-mattr=+neon,+crypto,+fullfp16,+dotprod,+crc,+fp16fml,+bf16,+i8mm,+v8.9a,+clrbhb,+hwdiv,+hwdiv-arm,+mp,"
    "+trustzone,+virtualization,+ras,+sb";
constexpr const char* m_profile =
    "-march=armv8.1-m.main+mve.fp+fp.dp+pacbti+cdecp0+cdecp1+cdecp2+cdecp3+cdecp4+cdecp5+cdecp6+cdecp7";

const std::vector<TableTarget>& targets() {
  static const std::vector<TableTarget> all = {
      {"x64", " elf x86 all ", {"as", "--64"}, "x86_64-linux-gnu", "x86_64-linux-gnu"},
      {"i386", " elf x86 all ", {"as", "--32"}, "i386-linux-gnu", "i386-linux-gnu"},
      {"x32", "", {"as", "--x32"}, "x86_64-linux-gnux32", "x86_64-linux-gnux32"},
      {"a64", " elf all ", {"aarch64-linux-gnu-as"}, "aarch64-linux-gnu", "aarch64-linux-gnu"},
      {"arm", " elf all ", {"arm-linux-gnueabihf-as"}, "arm-linux-gnueabihf", "armv7a-linux-gnueabihf"},
      {"thumb", "", {"arm-linux-gnueabihf-as", "-mthumb"}, "arm-linux-gnueabihf", "thumbv7a-linux-gnueabihf"},
      {"w64", " coff all ", {"x86_64-w64-mingw32-as"}, "x86_64-w64-mingw32", "x86_64-w64-windows-gnu"},
      {"w32", " coff all ", {"i686-w64-mingw32-as"}, "i686-w64-mingw32", "i686-w64-windows-gnu"},
      {"wa64", "", {}, "", "aarch64-w64-windows-gnu"},
      {"warm", "", {}, "", "thumbv7-w64-windows-gnu"},
      {"m64", "", {}, "", "x86_64-pc-windows-msvc"},
      {"m32", "", {}, "", "i686-pc-windows-msvc"},
      {"ma64", "", {}, "", "aarch64-pc-windows-msvc"},
      {"ma64ec", "", {}, "", "arm64ec-pc-windows-msvc"},
      {"marm", "", {}, "", "thumbv7-pc-windows-msvc"},
      // With every extension, for instructions.
      {"all-a64",
       "",
       {"aarch64-linux-gnu-as"},
       "aarch64-linux-gnu",
       "aarch64-linux-gnu",
       {"-march=all"},
       {"-mattr=+all"}},
      {"all-a32",
       "",
       {"arm-linux-gnueabihf-as", "-mcpu=all"},
       "arm-linux-gnueabihf",
       "armv8a-linux-gnueabihf",
       {"-mfpu=crypto-neon-fp-armv8"},
       {arm_features}},
      {"all-t32",
       "",
       {"arm-linux-gnueabihf-as", "-mcpu=all"},
       "arm-linux-gnueabihf",
       "thumbv8a-linux-gnueabihf",
       {"-mfpu=crypto-neon-fp-armv8"},
       {arm_features}},
      {"all-m",
       "",
       {"arm-linux-gnueabihf-as"},
       "arm-linux-gnueabihf",
       "thumbv8a-linux-gnueabihf",
       {m_profile},
       {arm_features}},
  };
  return all;
}

Words split(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  return from == text.npos ? "" : text.substr(from, to - from + 1);
}

/// What a profile is asked.
struct Ask {
  bool given = false, left_out = false, error = false;
  Words options;
};

struct Block {
  std::string name;
  Words targets;
  Ask gnu, llvm;
  Checks checks;
  bool ignored = false;
  Method method = Method::object;
  std::size_t line = 0;  ///< of the text
  bool again = false;    ///< a header without a name
  std::vector<std::pair<std::string, std::string>> files = {{"in.s", ""}};
};

void read_ask(Ask& ask, Words words) {
  ask.given = true;
  for (std::string& word : words) {
    if (word == "-") ask.left_out = true;
    else if (word == "error") ask.error = true;
    else ask.options.push_back(std::move(word));
  }
}

Block read_header(const std::string& line) {
  Words fields;
  std::size_t at = line.starts_with("| ") ? 2 : 0;
  if (at != 0) fields.emplace_back();
  for (std::size_t bar; (bar = line.find(" | ", at)) != line.npos; at = bar + 3)
    fields.push_back(trimmed(line.substr(at, bar - at)));
  fields.push_back(trimmed(line.substr(at)));
  if (fields.size() < 2) throw std::runtime_error("no targets: " + line);
  Block block;
  block.name = fields[0];
  block.again = block.name.empty();
  block.targets = split(fields[1]);
  for (std::size_t i = 2; i < fields.size(); ++i) {
    Words words = split(fields[i]);
    const std::string what = words.empty() ? "" : words[0];
    if (!words.empty()) words.erase(words.begin());
    if (what == "gnu") read_ask(block.gnu, words);
    else if (what == "llvm") read_ask(block.llvm, words);
    else if (what == "ignored") block.ignored = true;
    else if (what == "lines") block.method = Method::lines;
    else if (what == "cut") block.checks.cut = true;
    else if (what == "instructions") block.method = Method::instructions;
    else if (what == "messages") block.method = Method::alone;
    else if (what == "section") block.method = Method::alone, block.checks.sections.push_back(fields[i].substr(8));
    else if (what == "as-other") block.checks.as_other = words;
    else if (what == "warnings") block.checks.warnings = true;
    else if (what == "listing") block.checks.listing = true;
    else if (what == "prints") block.checks.prints = fields[i].substr(7);
    else if (what == "file" && !words.empty()) block.checks.file = words[0];
    else throw std::runtime_error(fmt::format("unknown field {}: {}", fields[i], line));
  }
  if (!block.gnu.given && !block.llvm.given) block.gnu.given = block.llvm.given = true;
  return block;
}

std::vector<Block> read_table(const fs::path& path) {
  std::vector<Block> blocks;
  std::size_t number = 0;
  for (const std::string& line : lines_of(read_file(path).value_or(""))) {
    ++number;
    if (line.starts_with("=== ")) {
      blocks.push_back(read_header(line.substr(4)));
      blocks.back().line = number;
    } else if (blocks.empty()) {
      continue;
    } else if (line.starts_with("--- ")) {
      blocks.back().files.emplace_back(line.substr(4), "");
    } else {
      blocks.back().files.back().second += line + "\n";
    }
  }
  // What is asked again about one text.
  int times = 1;
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    times = blocks[i].again ? times + 1 : 1;
    if (blocks[i].again)
      blocks[i].name = fmt::format("{} ({})", blocks[i + 1 - static_cast<std::size_t>(times)].name, times);
  }
  for (std::size_t i = blocks.size(); i-- > 1;)
    if (blocks[i].again) blocks[i - 1].files = blocks[i].files;
  if (blocks.empty()) throw std::runtime_error("no table: " + path.string());
  return blocks;
}

struct Product {
  std::string text;
  Words names;  ///< of its lines: the line; what stands for several values has ## in it
};

/// The lines of "places" with the words of "names" in them, between those of the block itself and those of "last". A
/// word with ## stands for one with each of "values".
Product product(const Block& block) {
  std::string names, values, places, last;
  for (const auto& [name, part] : block.files) {
    if (name == "names") names = part;
    if (name == "values") values = part;
    if (name == "places") places = part;
    if (name == "last") last = part;
  }
  Product made{block.files.front().second, lines_of(block.files.front().second)};
  const auto add = [&](const std::string& line, const std::string& name) {
    made.text += line + "\n";
    made.names.push_back(name);
  };
  const auto filled = [](std::string text, std::string_view mark, const std::string& with) {
    const std::size_t at = text.rfind(mark);  // the last: of $$$ the first $ makes an immediate
    return at == text.npos ? text : text.replace(at, mark.size(), with);
  };
  for (const std::string& place : lines_of(places)) {
    if (place.find("$$") == place.npos) continue;
    for (const std::string& word : split(names)) {
      const std::string line = filled(place, "$$", word);
      if (word.find("##") == word.npos) add(line, line);
      else for (const std::string& value : split(values)) add(filled(line, "##", value), line);
    }
  }
  for (const std::string& line : lines_of(last)) add(line, line);
  return made;
}

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

bool has_target(const Words& options) {
  for (const std::string& option : options)
    if (option.starts_with("-triple=") || option.starts_with("--target=")) return true;
  return false;
}

/// The command of the release that is asked for.
Words gnu_command(const Programs& programs, const TableTarget& target) {
  Words command = target.gnu;
  if (command.empty()) return command;
  std::string& as = command[0];
  as = as == "as" ? programs.gnu_as : programs.gnu_as_for(as.substr(0, as.size() - 3));
  return command;
}

Case table_case(const Programs& programs, const Block& block, const TableTarget& target, bool gnu) {
  const Ask &ask = gnu ? block.gnu : block.llvm, &other = gnu ? block.llvm : block.gnu;
  const Words& options = ask.given ? ask.options : other.options;
  Case test;
  test.gnu = gnu;
  test.line = block.line;
  test.method = block.method;
  test.files = block.files;
  test.source = "in.s";
  test.whole_file = true;
  test.checks = block.checks;
  test.checks.oracle_rejects = !ask.given || ask.error;
  test.checks.oracle_takes = !test.checks.oracle_rejects;
  test.checks.xas_takes = !ask.given;
  const bool own_target = has_target(options);
  test.subject = {programs.xas, programs.compat(gnu)};
  if (gnu) {
    test.oracle = gnu_command(programs, target);
    if (!own_target) test.subject.push_back(fmt::format("--target={}", target.triple));
    append(test.oracle, target.gnu_features);
    if (!own_target && !target.gnu.empty())
      test.subject.insert(test.subject.end(), target.gnu.begin() + 1, target.gnu.end());
  } else {
    test.oracle = {programs.llvm_mc, "-filetype=obj"};
    if (!own_target)
      for (Words* command : {&test.oracle, &test.subject}) command->push_back(fmt::format("-triple={}", target.llvm));
    append(test.oracle, target.llvm_features);
  }
  if (programs.self) test.subject = test.oracle;
  if (!options.empty() && ask.given && !block.ignored && !ask.error && block.checks.prints.empty()) {
    test.checks.without = test.oracle;
    test.checks.without.push_back("in.s");
  }
  append(test.oracle, options);
  append(test.subject, options);
  test.oracle.push_back("in.s");
  test.subject.push_back("in.s");
  if (block.method == Method::instructions) test.subject.push_back("-fmax-errors=0");
  if (block.method == Method::lines) {
    Product made = product(block);
    test.files = {{"in.s", std::move(made.text)}};
    test.line_names = std::move(made.names);
    test.subject.push_back("-fmax-errors=0");
  }
  if (block.method == Method::lines || !block.checks.as_other.empty()) {
    if (gnu || !target.gnu.empty()) {
      test.other_oracle = gnu_command(programs, target);
      if (gnu) {
        test.other_oracle = {programs.llvm_mc, "-filetype=obj"};
        if (!has_target(other.options)) test.other_oracle.push_back(fmt::format("-triple={}", target.llvm));
      }
      append(test.other_oracle, gnu ? target.llvm_features : target.gnu_features);
      append(test.other_oracle, other.options);
      test.other_oracle.push_back("in.s");
    }
  }
  if (ask.left_out) {
    test.oracle = test.other_oracle;
    test.checks.oracle_of_other = true;
  }
  return test;
}

bool in_group(const TableTarget& target, const Words& wanted) {
  for (const std::string& word : wanted) {
    if (word == target.name || std::string(target.groups).find(" " + word + " ") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::vector<Case> table_cases(const Programs& programs, const fs::path& path) {
  std::vector<Case> cases;
  for (const Block& block : read_table(path)) {
    for (const TableTarget& target : targets()) {
      if (!in_group(target, block.targets)) continue;
      for (bool gnu : {true, false}) {
        const bool alone = block.method == Method::alone && has_target(block.gnu.options);
        const Ask& ask = gnu ? block.gnu : block.llvm;
        if ((gnu && target.gnu.empty() && !alone) || (ask.left_out && block.checks.as_other.empty())) continue;
        if (ask.left_out && !gnu && target.gnu.empty()) continue;
        if (block.method == Method::alone && !ask.given) continue;
        cases.push_back(table_case(programs, block, target, gnu));
        cases.back().family = path.stem().string();
        cases.back().name =
            fmt::format("{}/{}/{}/{}", path.stem().string(), block.name, target.name, gnu ? "gnu" : "llvm");
      }
    }
  }
  return cases;
}

}  // namespace diff
