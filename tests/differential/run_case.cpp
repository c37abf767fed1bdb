// One case: both programs, then the comparison of their objects, or of their errors when the oracle rejects the input.
#include <fmt/format.h>
#include <re2/re2.h>

#include <fstream>
#include <set>
#include <sstream>
#include <system_error>

#include "case.h"
#include "process.h"

namespace diff {
namespace {

namespace fs = std::filesystem;

/// Where errors were reported.
struct ErrorPlaces {
  std::set<std::string> lines;  ///< "file:line"
  bool elsewhere = false;       ///< an error of the file as a whole, or of the command line
};

/// An error in an expansion counts as one in the outermost call, whose line llvm-mc tells in notes.
ErrorPlaces error_places(const std::string& messages) {
  static const RE2 pattern("^(?:.*/)?([^:/]+):(\\d+)(?::\\d+)?: +(?:(?i)fatal )?((?i)error|note|info): (.*)$");
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
      if (!current.empty() && (message == "while in macro instantiation" || message == "macro invoked from here" ||
                               message.starts_with("in expansion of")))
        current = file + ":" + line;
      continue;
    }
    flush();
    current = file + ":" + line;
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
  const ErrorPlaces oracle_places = error_places(oracle.errors), subject_places = error_places(subject.errors);
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

/// A listing without the lines that name the program and the file.
std::string listing_text(const std::string& output) {
  std::string text, line;
  for (std::istringstream lines(output); std::getline(lines, line);) {
    if (!line.starts_with("GAS LISTING")) text += line + "\n";
  }
  return text;
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
  if (checks.listing && listing_text(oracle.output) != listing_text(subject.output))
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

Outcome run_case(const Case& test, const fs::path& scratch, double seconds) {
  Outcome outcome;
  if (!test.skipped.empty()) {
    outcome.status = Status::skipped;
    outcome.skipped = test.skipped;
    return outcome;
  }
  if (test.by_lines) return run_lines(test, scratch);
  const fs::path directory = test.directory.empty() ? scratch : test.directory;
  for (const auto& [name, text] : test.files) {
    fs::path file = scratch / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  RunLimits limits;
  limits.seconds = seconds;
  auto placed = [&](std::string text) {
    for (std::size_t at; (at = text.find("{scratch}")) != std::string::npos;) text.replace(at, 9, scratch.string());
    return text;
  };
  if (!test.prepare.empty()) run({"/bin/sh", "-c", placed(test.prepare)}, directory, "", scratch, limits);
  auto start = [&](std::vector<std::string> arguments, const fs::path& object) {
    for (std::string& argument : arguments) argument = placed(argument);
    arguments.push_back("-o");
    arguments.push_back(object.string());
    return run(arguments, directory, placed(test.input.string()), scratch, limits);
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
  if ((oracle.signal != 0 && !test.checks.xas_takes) || oracle.exit_status == 127 ||
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
  if (test.checks.oracle_rejects) return compare_rejected(test.checks, oracle, subject);
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
