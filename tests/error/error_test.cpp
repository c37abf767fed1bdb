// Runs the inputs of this folder and compares what xas says about them with what their comments expect:
//
//     movl $1, %ebz       # ERROR 18 unknown register '%ebz'
//
// is an error in this line, at column 18, whose message contains a match of the regular expression. WARNING and NOTE
// are the same for warnings and notes. A place in another line is written line:column, one in another file
// file:line:column, and "-" stands for no place. Every error and warning must be expected; of notes, those that are
// expected must be there. "# OPTIONS --32 ..." gives options; without any ERROR there must be an object.
//
//     error_test FOLDER     runs all *.s in the folder; the last line is "N passed, N failed"
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "xas/xas.hpp"

namespace {

struct Expectation {
  xas_severity severity;
  std::string file;  // "": no place
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
  bool met = false;
};

/// One input and what it expects.
struct Test {
  std::string path;
  std::vector<std::string> options;
  std::vector<Expectation> expectations;
  bool has_errors = false;
  std::vector<std::string> failures;

  void fail(unsigned line, std::string_view message) {
    failures.push_back(fmt::format("{}:{}: {}", path, line, message));
  }
};

void read_expectations(Test& test, std::string_view text, unsigned line) {
  static const RE2 start(R"((?:#|//|@)\s*(ERROR|WARNING|NOTE)\s+(\S+)\s+)");
  re2::StringPiece rest(text.data(), text.size());
  std::string severity, place;
  while (RE2::FindAndConsume(&rest, start, &severity, &place)) {
    Expectation e;
    e.severity = severity == "ERROR" ? XAS_ERROR : severity == "WARNING" ? XAS_WARNING : XAS_NOTE;
    e.file = test.path;
    e.line = line;
    std::string file;
    if (place == "-") {
      e.file.clear();
      e.line = 0;
    } else if (!RE2::FullMatch(place, R"((\d+))", &e.column) &&
               !RE2::FullMatch(place, R"((\d+):(\d+))", &e.line, &e.column) &&
               !RE2::FullMatch(place, R"((.+):(\d+):(\d+))", &e.file, &e.line, &e.column)) {
      test.fail(line, "this is no place: " + place);
    }
    // The message goes on to the next expectation, or to the end of the line.
    re2::StringPiece following = rest;
    std::string ignored;
    std::size_t size = rest.size();
    if (RE2::FindAndConsume(&following, start, &ignored, &ignored)) {
      re2::StringPiece whole;
      start.Match(rest, 0, rest.size(), RE2::UNANCHORED, &whole, 1);
      size = std::size_t(whole.data() - rest.data());
    }
    e.message.assign(rest.data(), size);
    while (!e.message.empty() && (e.message.back() == ' ' || e.message.back() == '\r')) e.message.pop_back();
    test.has_errors |= e.severity == XAS_ERROR;
    test.expectations.push_back(std::move(e));
  }
}

void read_options(Test& test, const std::string& text) {
  std::string options;
  if (!RE2::PartialMatch(text, R"(^(?:#|//|@)\s*OPTIONS\s+(.*))", &options)) return;
  std::istringstream words(options);
  for (std::string word; words >> word;) test.options.push_back(word);
}

/// Marks the expectation that a diagnostic meets; false if there is none.
bool meets(Test& test, const xas_diagnostic& d) {
  for (Expectation& e : test.expectations) {
    if (e.met || e.severity != d.severity || e.file != d.file || e.line != d.line) continue;
    if (e.line && e.column != d.column) continue;
    if (!RE2::PartialMatch(d.message, e.message)) continue;
    return e.met = true;
  }
  return false;
}

void run(Test& test) {
  std::ifstream in(test.path);
  if (!in) return test.fail(0, "cannot be read");
  unsigned line = 0;
  for (std::string text; std::getline(in, text);) {
    read_options(test, text);
    read_expectations(test, text, ++line);
  }
  xas::Context context;
  for (const std::string& option : test.options) {
    if (!context.option(option.c_str())) test.fail(0, context.error());
  }
  const char* path = test.path.c_str();
  bool good = context.assemble_files({&path, 1});
  if (*context.error()) test.fail(0, context.error());
  if (good == test.has_errors) test.fail(0, good ? "there is an object" : "there is no object");
  if (good == context.object().empty()) test.fail(0, "the result and the object disagree");

  for (std::size_t i = 0; i < context.diagnostic_count(); ++i) {
    const xas_diagnostic& d = context.diagnostic(i);
    if (!meets(test, d)) {
      test.fail(d.line, fmt::format("unexpected {} in column {}: {}", d.severity == XAS_ERROR ? "error" : "warning",
                                    d.column, d.message));
    }
    for (std::size_t n = 0; n < d.note_count; ++n) meets(test, d.notes[n]);
  }
  for (const Expectation& e : test.expectations) {
    if (!e.met) test.fail(e.line, fmt::format("missing in column {}: {}", e.column, e.message));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: error_test FOLDER\n"), 2;
  std::filesystem::current_path(argv[1]);
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    if (entry.path().extension() == ".s") paths.push_back(entry.path().filename());
  }
  std::sort(paths.begin(), paths.end());

  std::size_t failures = 0, expectations = 0;
  for (const std::string& path : paths) {
    Test test{path, {}, {}, false, {}};
    run(test);
    expectations += test.expectations.size();
    failures += test.failures.size();
    for (const std::string& f : test.failures) std::printf("%s\n", f.c_str());
  }
  std::size_t passed = expectations > failures ? expectations - failures : 0;
  std::printf("%zu passed, %zu failed\n", passed, failures);
  return failures ? 1 : 0;
}
