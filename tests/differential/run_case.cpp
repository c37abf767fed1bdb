// SPDX-License-Identifier: Apache-2.0
// One case: both programs, then the comparison of their objects, or of their errors when the oracle rejects the input.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "case.h"
#include "elf_names.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/read/object.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

/// Where errors were reported.
struct ErrorPlaces {
  std::set<std::string> lines;  ///< "file:line"
  bool elsewhere = false;       ///< an error of the file as a whole, or of the command line
};

constexpr std::string_view llvm_note = "while in macro instantiation";

/// An error in an expansion counts as one in the outermost call, whose line is told in notes. llvm-mc has such notes of
/// loops too; GNU as tells the line inside, so that xas' notes of loops do not count beside it (`loops` is false).
ErrorPlaces error_places(const std::string& messages, bool loops = true) {
  static const RE2 pattern("^(?:.*/)?([^:/]+):(\\d+)(?::\\d+)?: +(?:(?i)fatal )?((?i)error|warning|note|info): (.*)$");
  static const RE2 without_line("^[^\\s].*: (?:(?i)fatal )?(?i)error: ");
  ErrorPlaces places;
  std::string current;
  const auto flush = [&] {
    if (current.ends_with(":0")) {
      places.elsewhere = true;
    } else if (!current.empty()) {
      places.lines.insert(current);
    }
    current.clear();
  };
  std::istringstream stream(messages);
  for (std::string text; std::getline(stream, text);) {
    std::string file, line, what, message;
    if (!RE2::FullMatch(text, pattern, &file, &line, &what, &message)) {
      if (RE2::PartialMatch(text, without_line)) places.elsewhere = true;
      continue;
    }
    if (file == "<stdin>" || file == "{standard input}" || file == "-" || file == "<unknown>" || file == "stdin")
      file = "<stdin>";
    if (what == "note" || what == "Info") {
      if (!current.empty() && (message == llvm_note || message == "macro invoked from here" ||
                               message.starts_with(loops ? "in expansion of " : "in expansion of macro ")))
        current = file + ":" + line;
      continue;
    }
    flush();
    if (!what.starts_with('W') && !what.starts_with('w')) current = file + ":" + line;
  }
  flush();
  return places;
}

/// The first error message without its place and without what it quotes, so that like is counted with like.
std::string error_cause(const std::string& messages) {
  static const RE2 pattern("(?i)error: ([^\\n]*)");
  std::string message;
  if (!RE2::PartialMatch(messages, pattern, &message)) return messages.substr(0, messages.find('\n')).substr(0, 120);
  static const RE2 number("\\b(0x)?[0-9][0-9a-fA-F]*\\b");
  RE2::GlobalReplace(&message, number, "N");
  return message.substr(0, 160);
}

std::string first_error_line(const std::string& messages) {
  static const RE2 pattern("(?m)^([^\\n]*(?i)error: [^\\n]*(\\n[^\\n]*)?)");
  std::string line;
  if (!RE2::PartialMatch(messages, pattern, &line)) return messages.substr(0, 200);
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  return line.substr(0, 300);
}

Outcome different(std::string cause, std::string detail) {
  Outcome outcome;
  outcome.status = Status::different;
  outcome.differences.push_back({std::move(cause), std::move(detail)});
  return outcome;
}

std::string join(const std::set<std::string>& lines) {
  std::string text;
  int count = 0;
  for (const std::string& line : lines) {
    if (++count > 8) return text + " ...";
    text += (text.empty() ? "" : " ") + line.substr(line.find(':') + 1);
  }
  return text;
}

Outcome compare_errors(const RunResult& oracle, const RunResult& subject) {
  if (subject.succeeded())
    return different(fmt::format("accepted by xas: {}", error_cause(oracle.errors)), first_error_line(oracle.errors));
  const bool loops = oracle.errors.find(llvm_note) != std::string::npos;
  const ErrorPlaces oracle_places = error_places(oracle.errors), subject_places = error_places(subject.errors, loops);
  const std::set<std::string>&expected = oracle_places.lines, &found = subject_places.lines;
  std::set<std::string> missing, extra;
  for (const auto& line : expected) if (!found.contains(line)) missing.insert(line);
  for (const auto& line : found) if (!expected.contains(line)) extra.insert(line);
  // An error without a line has to be an error, wherever xas reports it; and the other way round.
  const bool told_elsewhere = oracle_places.elsewhere || expected.empty();
  if ((missing.empty() || subject_places.elsewhere) && (extra.empty() || told_elsewhere)) {
    Outcome outcome;
    outcome.both_failed = true;
    return outcome;
  }
  if (!missing.empty() && !extra.empty())
    return different("errors at other lines", fmt::format("not at {}; instead at {}", join(missing), join(extra)));
  if (!missing.empty()) return different("fewer errors than the oracle", fmt::format("not at {}", join(missing)));
  return different("more errors than the oracle",
                   fmt::format("also at {}: {}", join(extra), first_error_line(subject.errors)));
}

/// What stands in the lines of `messages` that warn, "file:line" for each.
std::set<std::string> warning_places(const std::string& messages) {
  static const RE2 pattern("(?m)^(?:.*/)?([^:/\\n]+:\\d+)(?::\\d+)?: +(?i)warning: ");
  std::set<std::string> places;
  std::string place;
  for (re2::StringPiece rest = messages; RE2::FindAndConsume(&rest, pattern, &place);) places.insert(place);
  return places;
}

/// A file that tells make of dependencies, whose order means nothing.
std::string sorted_words(const std::string& text) {
  std::istringstream stream(text);
  std::multiset<std::string> words;
  for (std::string word; stream >> word;) words.insert(word);
  return fmt::format("{}", fmt::join(words, " "));
}

/// What a table asks for beyond the object.
std::vector<Difference> compare_checks(const Checks& checks, const RunResult& oracle, const RunResult& subject,
                                       const fs::path& directory) {
  std::vector<Difference> differences;
  if (checks.warnings) {
    const auto expected = warning_places(oracle.errors), found = warning_places(subject.errors);
    if (expected != found)
      differences.push_back({"warnings at other lines", fmt::format("at {}, not {}", join(found), join(expected))});
  }
  if (checks.listing && oracle.output != subject.output)
    differences.push_back({"another listing", subject.output.substr(0, 200)});
  if (!checks.prints.empty()) {
    if ((oracle.output + oracle.errors).find(checks.prints) == std::string::npos)
      differences.push_back({"the oracle does not print it", checks.prints});
    if ((subject.output + subject.errors).find(checks.prints) == std::string::npos)
      differences.push_back({"xas does not print it", checks.prints});
  }
  if (!checks.file.empty()) {
    const auto expected = read_file(directory / (checks.file + ".oracle")), found = read_file(directory / checks.file);
    if (!expected) differences.push_back({"the oracle writes no such file", checks.file});
    else if (!found) differences.push_back({"xas writes no such file", checks.file});
    else if (checks.file.ends_with(".d") ? sorted_words(*expected) != sorted_words(*found) : *expected != *found)
      differences.push_back(
          {"another file", fmt::format("{}, not {}", found->substr(0, 200), expected->substr(0, 200))});
  }
  return differences;
}

/// What a relocation refers to, whether by a local symbol or by that of its section.
std::string target_text(const xas::read::Object& object, const xas::read::Reloc& reloc) {
  const xas::read::Symbol& symbol = object.symbols.at(reloc.symbol);
  if (const xas::read::Section* section = object.section(symbol.section);
      section && object.is_elf() && !symbol.special && symbol.binding == xas::elf::STB_LOCAL)
    return fmt::format("{}+{:#x}", section->name, symbol.value + xas::u64(reloc.addend));
  return fmt::format("{}({})+{:#x}", symbol.name, symbol.binding, reloc.addend);
}

/// The symbols of an address-significance table.
std::string significant_names(const xas::read::Object& object, std::span<const std::uint8_t> table) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at < table.size();) {
    std::size_t index = 0;
    for (unsigned shift = 0; at < table.size() && shift < 64; shift += 7) {
      index |= std::size_t(table[at] & 0x7f) << shift;
      if ((table[at++] & 0x80) == 0) break;
    }
    names.push_back(object.symbols.at(index).name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// Sections of a name: what they are, their bytes and their relocations, by the names of the symbols.
std::string section_text(const std::string& file, const std::string& name) {
  xas::read::Object object;
  xas::read::Error error;
  if (!xas::read::read_object(as_bytes(file), object, error)) return error.message;
  std::string text;
  for (const xas::read::Section& section : object.sections) {
    if (section.name != name) continue;
    // Of COFF without the alignment, whose default is another one.
    const xas::u64 flags =
        object.is_elf() ? section.flags : section.flags & ~xas::u64(xas::coff::IMAGE_SCN_ALIGN_MASK);
    text += fmt::format("type {:#x} flags {:#x} entries {} ", section.type, flags, section.entsize);
    if (const auto* linked = object.section(section.link); linked && object.is_elf())
      text += fmt::format("link {} ", linked->name);
    if (const auto* associated = object.section(section.associated)) text += fmt::format("with {} ", associated->name);
    if (section.selection != 0) text += fmt::format("selection {} ", section.selection);
    if (section.comdat_symbol != xas::read::none) text += object.symbols.at(section.comdat_symbol).name;
    if (section.type == xas::elf::SHT_LLVM_ADDRSIG) text += significant_names(object, section.data);
    else
      for (const std::uint8_t byte : section.data) text += fmt::format("{:02x}", byte);
    std::vector<xas::read::Reloc> relocs;
    if (!object.relocations(section, relocs, error)) return error.message;
    for (const xas::read::Reloc& reloc : relocs)
      text += fmt::format(" {:#x} {} {}", reloc.offset, reloc_name(object.machine, reloc.type),
                          target_text(object, reloc));
    text += "; ";
  }
  return text;
}

/// The sections that have to be those of the other assembler's object.
std::vector<Difference> compare_with_other(const Checks& checks, const fs::path& subject, const fs::path& other) {
  const auto mine = read_file(subject), theirs = read_file(other);
  if (!mine || !theirs) return {{"one object only", ""}};
  std::vector<Difference> differences;
  for (const std::string& name : checks.as_other) {
    const std::string expected = section_text(*theirs, name), found = section_text(*mine, name);
    if (expected.empty() || expected != found)
      differences.push_back({name + " is not as in the other assembler's object", found + ", not " + expected});
  }
  return differences;
}

/// A text that the oracle must not take.
Outcome compare_rejected(const Checks& checks, const RunResult& oracle, const RunResult& subject) {
  if (oracle.succeeded()) return different("the oracle takes it", "");
  if (!checks.xas_takes) return compare_errors(oracle, subject);
  if (!subject.succeeded())
    return different(fmt::format("rejected by xas, as by the oracle: {}", error_cause(subject.errors)),
                     first_error_line(subject.errors));
  return {};
}

}  // namespace

std::set<std::string> error_lines(const std::string& messages) { return error_places(messages).lines; }

void write_inputs(const Case& test, const fs::path& scratch) {
  for (const auto& [name, text] : test.files) {
    fs::path file = scratch / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
}

std::string placed(std::string text, const fs::path& scratch) {
  for (std::size_t at; (at = text.find("{scratch}")) != std::string::npos;) text.replace(at, 9, scratch.string());
  return text;
}

Outcome run_case(const Case& test, const fs::path& scratch, double seconds) {
  Outcome outcome;
  if (!test.skipped.empty()) {
    outcome.status = Status::skipped;
    outcome.skipped = test.skipped;
    return outcome;
  }
  if (test.method == Method::lines) return run_lines(test, scratch);
  if (test.method == Method::instructions) return run_instructions(test, scratch);
  if (test.method == Method::alone) return run_alone(test, scratch);
  const fs::path directory = test.directory.empty() ? scratch : test.directory;
  write_inputs(test, scratch);
  RunLimits limits;
  limits.seconds = seconds;
  if (!test.prepare.empty()) run({"/bin/sh", "-c", placed(test.prepare, scratch)}, directory, "", scratch, limits);
  auto start = [&](std::vector<std::string> arguments, const fs::path& object) {
    for (std::string& argument : arguments) argument = placed(argument, scratch);
    arguments.push_back("-o");
    arguments.push_back(object.string());
    return run(arguments, directory, placed(test.input.string(), scratch), scratch, limits);
  };
  const fs::path oracle_object = scratch / "oracle.o", subject_object = scratch / "xas.o";
  /// Under one name for both, which objects may repeat.
  auto start_as = [&](const std::vector<std::string>& arguments, const fs::path& object) {
    RunResult result = start(arguments, scratch / "object.o");
    std::error_code none;
    fs::rename(scratch / "object.o", object, none);
    return result;
  };
  RunResult oracle = start_as(test.oracle, oracle_object);
  if (!test.checks.file.empty()) {
    std::error_code none;
    fs::rename(directory / test.checks.file, directory / (test.checks.file + ".oracle"), none);
  }
  if (oracle.exit_status == 127) return different("the oracle cannot be started", test.oracle.front());
  if ((oracle.signal != 0 && !test.checks.xas_takes) ||
      (test.skip_if_oracle_fails && !oracle.succeeded())) {
    outcome.status = Status::skipped;
    outcome.skipped =
        oracle.signal != 0 ? "the oracle crashes or takes too long" : "the oracle rejects the altered test";
    return outcome;
  }
  RunResult subject = start_as(test.subject, subject_object);
  if (subject.exit_status == 127) return different("xas cannot be started", test.subject.front());
  if (subject.timed_out) return different("xas takes too long", fmt::format("more than {} s", seconds));
  if (subject.crashed() || subject.exit_status > 1)
    return different(fmt::format("xas crashes: {}", subject.ending()), subject.errors.substr(0, 200));
  std::error_code ignored;
  if (!subject.succeeded() && fs::exists(subject_object, ignored))
    return different("xas failed and left an object", "");
  if (test.checks.oracle_rejects) {
    outcome = compare_rejected(test.checks, oracle, subject);
    if (test.checks.xas_takes && !test.checks.as_other.empty() && outcome.status == Status::equal) {
      start_as(test.other_oracle, oracle_object);
      outcome.differences = compare_with_other(test.checks, subject_object, oracle_object);
      if (!outcome.differences.empty()) outcome.status = Status::different;
    }
    return outcome;
  }
  if (test.checks.oracle_of_other && oracle.succeeded() && subject.succeeded()) {
    outcome.differences = compare_with_other(test.checks, subject_object, oracle_object);
    if (!outcome.differences.empty()) outcome.status = Status::different;
    return outcome;
  }
  if (!oracle.succeeded() && test.checks.oracle_takes)
    return different("the oracle rejects it", first_error_line(oracle.errors));
  if (!oracle.succeeded()) return compare_errors(oracle, subject);
  if (!subject.succeeded())
    return different(fmt::format("rejected by xas: {}", error_cause(subject.errors)), first_error_line(subject.errors));
  std::error_code none;
  if (fs::exists(oracle_object, none) != fs::exists(subject_object, none))
    return different("one object only", fs::exists(oracle_object, none) ? "the oracle's" : "that of xas");
  if (fs::exists(oracle_object, none))
    outcome.differences = compare_objects({oracle_object, subject_object, test.source, scratch});
  for (Difference& difference : compare_checks(test.checks, oracle, subject, directory))
    outcome.differences.push_back(std::move(difference));
  if (!test.checks.without.empty()) {
    const fs::path plain = scratch / "plain.o";
    start_as(test.checks.without, plain);
    if (read_file(plain) == read_file(oracle_object) && test.checks.file.empty() && !test.checks.listing &&
        !test.checks.warnings)
      outcome.differences.push_back({"the option changes nothing in the oracle's object", ""});
  }
  if (!outcome.differences.empty()) {
    bool only_order = true;
    for (const Difference& difference : outcome.differences) only_order = only_order && difference.order;
    outcome.status = only_order && !test.whole_file ? Status::order : Status::different;
  }
  return outcome;
}

}  // namespace diff
