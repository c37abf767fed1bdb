// SPDX-License-Identifier: Apache-2.0
// Cases from LLVM's MC tests. A test is an assembler file whose comments say how it is run:
//
//   # RUN: llvm-mc -filetype=obj -triple=x86_64 %s | llvm-readobj -S - | FileCheck %s
//
// Only the llvm-mc command is of use here, and always with -filetype=obj: whether the object is the same is asked
// directly. Tests for Mach-O that test no more than instructions are run for ELF, if the oracle takes them so.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

/// The commands of the RUN lines, continuation lines joined.
std::vector<std::string> run_lines(const std::string& text) {
  static const RE2 pattern("RUN:\\s*(.*?)\\s*(?:\\*/)?\\s*$");
  std::vector<std::string> lines;
  std::istringstream stream(text);
  bool continued = false;
  for (std::string line; std::getline(stream, line);) {
    std::string command;
    if (!RE2::PartialMatch(line, pattern, &command)) continue;
    bool more = command.ends_with("\\");
    if (more) command.pop_back();
    if (continued) lines.back() += " " + command;
    else lines.push_back(command);
    continued = more;
  }
  return lines;
}

/// Splits a shell command at the operators | ; && < > outside of quotes. Operators are words of their own; words with
/// quotes lose them.
struct Word {
  std::string text;
  bool is_operator = false;
};

std::vector<Word> shell_words(const std::string& command) {
  std::vector<Word> words;
  bool in_word = false;
  auto letter = [&](char c) {
    if (!in_word) words.push_back({});
    in_word = true;
    words.back().text += c;
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    char c = command[i];
    if (c == '\'' || c == '"') {
      if (!in_word) words.push_back({});
      in_word = true;
      for (++i; i < command.size() && command[i] != c; ++i) {
        if (c == '"' && command[i] == '\\' && i + 1 < command.size()) ++i;
        words.back().text += command[i];
      }
    } else if (c == '\\' && i + 1 < command.size()) {
      letter(command[++i]);
    } else if (c == ' ' || c == '\t') {
      in_word = false;
    } else if (c == '|' || c == ';' || c == '<' || c == '>' ||
               (c == '&' && i + 1 < command.size() && command[i + 1] == '&')) {
      std::string op(1, c);
      if ((c == '|' || c == '&' || c == '>') && i + 1 < command.size() && command[i + 1] == c) op += command[++i];
      if (c == '>' && in_word && (words.back().text == "2" || words.back().text == "1")) {
        op = words.back().text + op;
        words.pop_back();
      }
      if (c == '>' && i + 1 < command.size() && command[i + 1] == '&') op += '&', ++i;
      words.push_back({op, true});
      in_word = false;
    } else {
      letter(c);
    }
  }
  return words;
}

/// The parts of a file for split-file: "#--- name" starts one; lines keep their numbers.
std::vector<std::pair<std::string, std::string>> split_parts(const std::string& text) {
  static const RE2 pattern("^[^\\w]*--- (\\S+)\\s*$");
  std::vector<std::pair<std::string, std::string>> parts;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::string name;
    if (RE2::FullMatch(line, pattern, &name))
      parts.emplace_back(name, std::string(static_cast<std::size_t>(number), '\n'));
    else if (!parts.empty()) parts.back().second += line + "\n";
  }
  return parts;
}

/// The triple's architecture is one that xas has (x86, AArch64), and its format ELF or COFF; `other_format` tells the
/// second.
bool known_triple(const std::string& triple, bool& other_format) {
  static const RE2 known(
      "^(i[3-9]86|x86_64|x86|x86-64|amd64|x86_64h|aarch64|aarch64_be|arm64|arm64ec|arm(eb|v[^-]*)?|thumb(eb|v[^-]*)?)(["
      "-_.].*)?$");
  static const RE2 other("(darwin|macos|ios|apple|macho)");
  other_format = RE2::PartialMatch(triple, other) && triple.find("elf") == std::string::npos;
  return triple.empty() || RE2::FullMatch(triple, known);
}

/// Options of llvm-mc that only change what it prints; with `true`, the next word belongs to it.
bool printing_option(const std::string& option, bool& takes_next) {
  takes_next = false;
  std::string name = option.substr(option.find_first_not_of('-'));
  if (name == "o") {
    takes_next = true;
    return true;
  }
  for (const char* known : {"show-encoding", "show-inst", "show-inst-operands", "filetype=obj", "filetype=asm",
                            "filetype=null", "print-imm-hex", "assemble", "show-encoding=true", "no-warn-asm"}) {
    if (name == known) return true;
  }
  if (name == "filetype") return takes_next = true;
  if (name == "output-asm-variant") return takes_next = true;
  return name.starts_with("o=") || name.starts_with("output-asm-variant=") || name.starts_with("print-imm-hex=");
}

class TestFile {
 public:
  TestFile(const Programs& programs, const fs::path& root, const fs::path& file, std::vector<Case>& cases)
      : programs_(programs), root_(root), file_(file), cases_(cases) {}

  void read() {
    auto text = read_file(file_, 4 << 20);
    if (!text) return;
    text_ = *text;
    std::vector<std::string> lines = run_lines(text_);
    // The commands that make files for later ones ("cp", "sed ... > %t", ...) are collected on the way.
    for (const std::string& line : lines) read_line(line);
  }

 private:
  std::string substituted(std::string command) const {
    auto all = [&](const char* from, const std::string& to) {
      for (std::size_t at = 0; (at = command.find(from, at)) != std::string::npos; at += to.size())
        command.replace(at, std::strlen(from), to);
    };
    all("%%", "\x01");
    all("%/s", file_.string());
    all("%s", file_.string());
    all("%/S", file_.parent_path().string());
    all("%S", file_.parent_path().string());
    all("%p", file_.parent_path().string());
    all("%/t", "{scratch}/t");
    all("%t", "{scratch}/t");
    all("%T", "{scratch}");
    all("\x01", "%");
    return command;
  }

  void read_line(const std::string& line) {
    std::vector<Word> words = shell_words(substituted(line));
    // One command list: pipelines separated by ; and &&.
    std::size_t start = 0;
    for (std::size_t i = 0; i <= words.size(); ++i) {
      if (i < words.size() && !(words[i].is_operator && (words[i].text == ";" || words[i].text == "&&"))) continue;
      read_pipeline(
          {words.begin() + static_cast<std::ptrdiff_t>(start), words.begin() + static_cast<std::ptrdiff_t>(i)});
      start = i + 1;
    }
  }

  static std::string quoted(const Word& word) {
    if (word.is_operator) return word.text;
    std::string text = "'";
    for (char c : word.text) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
  }

  void read_pipeline(const std::vector<Word>& words) {
    std::vector<std::vector<Word>> commands(1);
    for (const Word& word : words) {
      if (word.is_operator && word.text == "|") commands.emplace_back();
      else commands.back().push_back(word);
    }
    for (std::size_t i = 0; i < commands.size(); ++i) {
      auto& command = commands[i];
      std::size_t first = 0;
      while (first < command.size() && (command[first].text == "not" || command[first].text == "env")) ++first;
      if (first >= command.size()) return;
      if (command[first].text == "llvm-mc") {
        std::string feed;  // what stands before it in the pipeline
        for (std::size_t before = 0; before < i; ++before) {
          for (const Word& word : commands[before]) feed += quoted(word) + " ";
          feed += before + 1 < i ? "| " : "";
        }
        llvm_mc({command.begin() + static_cast<std::ptrdiff_t>(first) + 1, command.end()}, feed);
        return;
      }
    }
    if (words.empty()) return;
    const std::string& name = words.front().text;
    if (name == "split-file" && words.size() >= 3) {
      std::string prefix = words[2].text;
      for (auto& [part, text] : split_parts(text_))
        files_.emplace_back(prefix.substr(std::min<std::size_t>(10, prefix.size())) + "/" + part, text);
      return;
    }
    for (const char* simple : {"rm", "mkdir", "cp", "echo", "sed", "cat", "printf", "touch"}) {
      if (name != simple) continue;
      for (const Word& word : words) prepare_ += quoted(word) + " ";
      prepare_ += "\n";
      return;
    }
  }

  void llvm_mc(const std::vector<Word>& words, const std::string& feed) {
    Case test;
    test.whole_file = true;
    test.prepare = prepare_;
    test.files = files_;
    std::vector<std::string> options;
    std::string triple, input;
    bool altered = false, has_triple = false, has_processor = false, has_attributes = false, is_input_named = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      if (word.is_operator) {
        if (word.text == "<" && i + 1 < words.size()) test.input = words[i + 1].text;
        ++i;  // a redirection's file, or the number behind >&
        continue;
      }
      std::string text = word.text;
      if (text.empty()) continue;
      if (text == "-" || text[0] != '-') {
        is_input_named = true;
        input = text;
        options.push_back(text);
        continue;
      }
      std::string name = text.substr(std::min(text.find_first_not_of('-'), text.size()));
      bool takes_next = false;
      if (printing_option(text, takes_next)) {
        if (takes_next) ++i;
        continue;
      }
      if (name.starts_with("disassemble") || name == "cdis" || name == "mdis" || name == "hdis" || name == "as-lex" ||
          name.starts_with("split-dwarf-file") || name.starts_with("preserve-comments") || name == "version" ||
          name == "help" || name.starts_with("print-")) {
        return skip(words, "not assembling to one object: -" + name.substr(0, name.find('=')));
      }
      if (name.starts_with("triple") || name.starts_with("arch")) {
        bool is_triple = name.starts_with("triple");
        std::string value;
        if (auto equals = name.find('='); equals != std::string::npos) value = name.substr(equals + 1);
        else if (i + 1 < words.size()) value = words[++i].text;
        if (is_triple) {
          has_triple = true;
          triple = value;
          bool other_format = false;
          if (!known_triple(triple, other_format)) return skip(words, "another architecture");
          if (other_format) {
            altered = true;
            value = value.substr(0, value.find('-')) + "-unknown-linux-gnu";
          }
        } else {
          bool ignored = false;
          if (!known_triple(value, ignored)) return skip(words, "another architecture");
        }
        options.push_back(fmt::format("-{}={}", is_triple ? "triple" : "arch", value));
        continue;
      }
      has_processor |= name.starts_with("mcpu");
      has_attributes |= name.starts_with("mattr");
      options.push_back(text);
    }
    (void)has_triple;
    // llvm-mc's default processor, said aloud: xas takes every instruction as long as none is chosen.
    if (triple.starts_with("aarch64") || triple.starts_with("arm64")) {
      if (!has_processor && !has_attributes) options.push_back("-mattr=+v8a");
      if (!has_processor) options.push_back("-mcpu=generic");
    }
    if ((triple.starts_with("arm") || triple.starts_with("thumb")) && triple.find("windows") == triple.npos &&
        !has_processor) {
      options.push_back("-mcpu=generic");
    }
    if (!feed.empty()) {
      test.prepare += feed + "> {scratch}/stdin.s\n";
      test.input = "{scratch}/stdin.s";
    } else if (!is_input_named && test.input.empty()) {
      return;
    }
    test.skip_if_oracle_fails = altered;
    test.source = input == file_.string() || test.input == file_ ? file_ : fs::path();
    test.oracle = {programs_.llvm_mc, "-filetype=obj"};
    test.oracle.insert(test.oracle.end(), options.begin(), options.end());
    test.subject = test.oracle;
    if (!programs_.self) {
      test.subject[0] = programs_.xas;
      test.subject.insert(test.subject.begin() + 1, {programs_.compat(false), "-fmax-errors=0"});
    }
    name(test, options);
    // The same object is asked for once, however many checks the test makes on it.
    for (const Case& other : cases_) {
      if (other.oracle == test.oracle && other.input == test.input && other.prepare == test.prepare) return;
    }
    cases_.push_back(std::move(test));
  }

  void name(Case& test, const std::vector<std::string>& options) {
    fs::path relative = file_.lexically_relative(root_);
    test.family = relative.has_parent_path() ? relative.begin()->string() : ".";
    std::string shown;
    for (const std::string& option : options) {
      if (option != file_.string()) shown += " " + option;
    }
    test.name = relative.string() + " [" + (shown.empty() ? "" : shown.substr(1)) + "]";
    // Wherever the suite is.
    for (std::size_t at; (at = test.name.find(root_.string())) != test.name.npos;)
      test.name.replace(at, root_.string().size(), ".");
  }

  void skip(const std::vector<Word>&, const std::string& why) {
    Case test;
    test.skipped = why;
    name(test, {});
    cases_.push_back(std::move(test));
  }

  const Programs& programs_;
  const fs::path& root_;
  const fs::path file_;
  std::vector<Case>& cases_;
  std::string text_;
  std::string prepare_;
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

std::vector<Case> mc_cases(const Programs& programs, const fs::path& directory) {
  fs::path root = fs::absolute(directory).lexically_normal();
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    std::string parent = entry.path().parent_path().filename().string();
    if (entry.is_regular_file() && (entry.path().extension() == ".s" || entry.path().extension() == ".test") &&
        parent != "Inputs") {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Case> cases;
  for (const fs::path& file : files) {
    std::vector<Case> of_file;
    TestFile(programs, root, file, of_file).read();
    std::move(of_file.begin(), of_file.end(), std::back_inserter(cases));
  }
  return cases;
}

}  // namespace diff
