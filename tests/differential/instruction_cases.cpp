// SPDX-License-Identifier: Apache-2.0
// Lists of instructions with their bytes:
//
//   === NAME | TARGET | gnu OPTIONS | llvm OPTIONS | instructions
//    .intel_syntax noprefix
//   vaddpd xmm1, xmm2, xmm15        // c4c16958cf // llvm c58158ca
//   vcvtpd2ps xmm1, [rax]           // error
//
// The first result is the gnu profile's and, if no other follows, the llvm profile's too; where the reference assembler
// of a profile rejects what the other takes, the other's result holds for both; but a line that says `error // llvm
// ...` stays so, for GNU as knows the instruction and refuses it. They are written by `--record`. Lines that
// begin with a point are directives and hold for all below; lines that begin with '#' are comments.
//
// Each instruction gets a label, whose address in the object tells where its bytes are; lines that are rejected are
// taken out, and the rest is tried again, because some errors are only found when the others are gone.
#include <fmt/format.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "case.h"
#include "objwriter/read/object.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

/// Hex of the bytes; nothing if the instruction is rejected.
using Result = std::optional<std::string>;

struct Instruction {
  std::size_t line = 0;  ///< in the case's text, from 0
  std::string text;      ///< empty: a directive
  Result gnu, llvm;
};

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
  return from == text.npos ? "" : text.substr(from, to - from + 1);
}

std::vector<Instruction> read_list(const Lines& lines) {
  std::vector<Instruction> list;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = trimmed(lines[i]);
    if (line.empty() || line[0] == '#' || line[0] == '.') continue;
    Lines parts;
    for (std::size_t at = 0, end; at <= line.size(); at = end + 2) {
      end = std::min(line.find("//", at), line.size());
      parts.push_back(trimmed(line.substr(at, end - at)));
    }
    Instruction one{i, parts[0], {}, {}};
    if (parts.size() > 1 && parts[1] != "error") one.gnu = one.llvm = parts[1];
    if (parts.size() > 2 && parts[2].starts_with("llvm ")) {
      one.llvm = parts[2].substr(5);
      if (one.llvm == "error") one.llvm.reset();
    }
    list.push_back(std::move(one));
  }
  return list;
}

/// What `command` makes of each instruction.
std::vector<Result> results(const Lines& command, const Lines& lines, const std::vector<Instruction>& list,
                            const fs::path& scratch) {
  const fs::path source = scratch / "in.s", object = scratch / "out.o";
  std::vector<bool> rejected(lines.size());
  Lines arguments = command;
  arguments.insert(arguments.end(), {"-o", object.string()});
  for (;;) {
    std::ofstream text(source, std::ios::binary);
    std::size_t next = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (next < list.size() && list[next].line == i) {
        text << (rejected[i] ? "" : fmt::format("I{}: {}", next, list[next].text));
        ++next;
      } else if (trimmed(lines[i]).starts_with(".")) {
        text << lines[i];
      }
      text << "\n";
    }
    text << "I" << list.size() << ":\n";
    text.close();
    const RunResult run = diff::run(arguments, scratch, {}, scratch);
    bool any = false;
    for (const std::string& place : error_lines(run.errors)) {
      const std::size_t line = std::stoul(place.substr(place.rfind(':') + 1)) - 1;
      if (line < lines.size() && !rejected[line]) rejected[line] = any = true;
    }
    if (run.succeeded()) break;
    if (!any) throw std::runtime_error(fmt::format("{}: {} {}", command[0], run.ending(), run.errors.substr(0, 200)));
  }
  const std::optional<std::string> bytes = read_file(object);
  if (!bytes) throw std::runtime_error(command[0] + " made no object");
  xas::read::Object elf;
  if (xas::read::Error error; !xas::read::read_object(as_bytes(*bytes), elf, error))
    throw std::runtime_error(error.message);
  std::vector<std::size_t> address(list.size() + 1);
  std::span<const std::uint8_t> code;
  for (const xas::read::Symbol& s : elf.symbols)
    if (s.name.size() > 1 && s.name[0] == 'I' && s.name.find_first_not_of("0123456789", 1) == s.name.npos &&
        !s.special) {
      address.at(std::stoul(std::string(s.name.substr(1)))) =
          s.value & ~std::size_t(elf.machine == 40);  // ARM: Thumb code's bit 0
      code = elf.sections[s.section].data;
    }
  std::vector<Result> all(list.size());
  std::size_t end = address.back();
  for (std::size_t i = list.size(); i-- > 0;) {
    if (rejected[list[i].line]) continue;
    all[i].emplace();
    for (std::size_t a = address[i]; a < end; ++a) *all[i] += fmt::format("{:02x}", code[a]);
    end = address[i];
  }
  return all;
}

std::string shown(const Result& result) { return result ? *result : "error"; }

}  // namespace

Outcome run_instructions(const Case& test, const fs::path& scratch) {
  const Lines lines = lines_of(test.files.front().second);
  const std::vector<Instruction> list = read_list(lines);
  const std::vector<Result> found = results(test.subject, lines, list, scratch);
  Outcome outcome;
  outcome.checks = list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Result& expected = test.gnu ? list[i].gnu : list[i].llvm;
    if (found[i] == expected) continue;
    outcome.status = Status::different;
    outcome.differences.push_back({fmt::format("{}: {}, not {}", list[i].text, shown(found[i]), shown(expected)),
                                   fmt::format("line {} of the table", test.line + list[i].line + 1)});
  }
  return outcome;
}

void record_instructions(const fs::path& table, const std::vector<Case>& cases) {
  struct Answers {
    const Case* test = nullptr;
    std::vector<Result> gnu, llvm;
  };
  std::map<std::size_t, Answers> all;  // by the text's place
  ScratchDirectory scratch;
  for (const Case& test : cases) {
    if (test.method != Method::instructions) continue;
    const Lines lines = lines_of(test.files.front().second);
    Answers& answers = all[test.line];
    answers.test = &test;
    (test.gnu ? answers.gnu : answers.llvm) = results(test.oracle, lines, read_list(lines), scratch.path());
  }
  if (all.empty()) return;
  Lines text = lines_of(read_file(table).value_or(""));
  for (auto& [line, answers] : all) {
    std::vector<Instruction> list = read_list(lines_of(answers.test->files.front().second));
    for (std::size_t i = 0; i < list.size(); ++i) {
      Result gnu = answers.gnu.empty() ? Result() : answers.gnu[i];
      Result llvm = answers.llvm.empty() ? Result() : answers.llvm[i];
      const bool known_refusal = !list[i].gnu && list[i].llvm && list[i].llvm == llvm;
      if (!gnu && !known_refusal) gnu = llvm;
      if (!llvm) llvm = gnu;
      std::string& written = text.at(line + list[i].line);
      written = fmt::format("{:<46} // {}", list[i].text, shown(gnu));
      if (llvm != gnu) written += " // llvm " + shown(llvm);
    }
  }
  std::ofstream out(table, std::ios::binary);
  for (const std::string& line : text) out << line << "\n";
}

}  // namespace diff
