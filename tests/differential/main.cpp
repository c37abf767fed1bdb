// SPDX-License-Identifier: Apache-2.0
// xas-diff: xas against the reference assemblers, object by object.
//
// The last line is "N passed, N failed"; the exit status is 1 if any failed. See `usage` below.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <re2/re2.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "case.h"
#include "process.h"
#include "report.h"

namespace {

namespace fs = std::filesystem;
using namespace diff;

constexpr const char* usage = R"(usage: xas-diff [options] PLACE...
PLACE is a corpus folder (tests/corpus/make.sh), or a file to compare.
  --xas PROGRAM        the program under test (default: xas)
  --as PROGRAM, --llvm-mc PROGRAM   the oracles (default: as, llvm-mc-22)
  --gnu N, --llvm N    the oracles' releases, and xas' profiles (default: 2.40 and 22); of others they are called
                       as-N-TRIPLE and llvm-mc-N
  --kind gnu|llvm      which oracle, for single files
  --option TEXT        an option for both programs, for single files
  --mc-tests           the places are folders of LLVM's MC tests
  --gas-tests          the places are gas/testsuite/gas or one of its folders
  --tables             the places are tables of small inputs (table_cases.cpp)
  --record             write the references' answers into the tables, and what differs into --known or --baseline
  --filter REGEX       only cases whose name matches
  --sample N           only every N-th case
  --known FILE         differences that are known, and why (report.h)
  --baseline FILE      cases that are known to fail; only a further one is a failure
  --report FILE        a table of all failures: case, first|other, cause, detail
  --examples N, --causes N   how much of the summary is shown
  --no-families        no line for each family of cases
  --jobs N             how many at a time (default: 2)
  --seconds N          time limit of one program (default: 60)
  --list               print the commands instead of running them
  --keep DIR           leave both objects of every failed case in DIR
  --same OLD           compare two builds of xas, OLD and --xas, in both profiles; no oracle is asked (same_builds.cpp)
  --self               the oracle in xas' place too, to test the runner
)";

struct Options {
  Programs programs;
  std::vector<fs::path> places;
  std::string kind = "gnu";
  std::vector<std::string> extra;
  std::string mode = "corpus";
  std::string filter;
  std::size_t sample = 1;
  fs::path known, baseline;
  bool record = false;
  ReportOptions report;
  unsigned jobs = 2;
  double seconds = 60;
  bool list = false;
  fs::path keep;
  std::string same;
};

[[noreturn]] void fail(const std::string& message) {
  fmt::print(stderr, "xas-diff: {}\n", message);
  std::exit(2);
}

/// "GNU AS 2.47.50" of an assembler whose --version says 2.47.50.20261021.
std::string producer_of(const std::string& gnu_as) {
  const ScratchDirectory scratch;
  const std::string text = run({gnu_as, "--version"}, scratch.path(), {}, scratch.path()).output;
  std::string version;
  return RE2::PartialMatch(text, "^[^\\n]* ([0-9]+\\.[0-9]+\\.[0-9]+)", &version) ? "GNU AS " + version : "";
}

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    std::string name = arguments[i];
    auto value = [&]() -> std::string {
      if (auto equals = name.find('='); equals != std::string::npos) return name.substr(equals + 1);
      if (++i >= count) fail(name + " needs a value");
      return arguments[i];
    };
    auto is = [&](const char* option) { return name == option || name.starts_with(std::string(option) + "="); };
    if (is("--xas")) options.programs.xas = value();
    else if (is("--as")) options.programs.gnu_as = value();
    else if (is("--llvm-mc")) options.programs.llvm_mc = value();
    else if (is("--gnu")) {
      options.programs.gnu_release = value();
      options.programs.gnu_as = options.programs.gnu_as_for("x86_64-linux-gnu");
      options.programs.gnu_producer = producer_of(options.programs.gnu_as);
    } else if (is("--llvm")) {
      options.programs.llvm_release = value();
      options.programs.llvm_mc = "llvm-mc-" + options.programs.llvm_release;
    } else if (is("--kind")) options.kind = value();
    else if (is("--option")) options.extra.push_back(value());
    else if (is("--filter")) options.filter = value();
    else if (is("--sample")) options.sample = std::stoul(value());
    else if (is("--known")) options.known = value();
    else if (is("--baseline")) options.baseline = value();
    else if (name == "--record") options.record = true;
    else if (is("--report")) options.report.table = value();
    else if (is("--examples")) options.report.examples = std::stoul(value());
    else if (is("--causes")) options.report.causes = std::stoul(value());
    else if (is("--jobs")) options.jobs = static_cast<unsigned>(std::stoul(value()));
    else if (is("--seconds")) options.seconds = std::stod(value());
    else if (is("--same")) options.same = value();
    else if (is("--keep")) options.keep = value();
    else if (name == "--mc-tests" || name == "--gas-tests" || name == "--tables") options.mode = name.substr(2);
    else if (name == "--no-families") options.report.families = false;
    else if (name == "--list") options.list = true;
    else if (name == "--self") options.programs.self = true;
    else if (name == "--help") fmt::print("{}", usage), std::exit(0);
    else if (name.starts_with("-")) fail("unknown option " + name);
    else options.places.emplace_back(name);
  }
  if (options.places.empty()) fail(std::string("nothing to compare\n") + usage);
  // A program given by a path stays that program wherever it is run.
  for (std::string* program :
       {&options.same, &options.programs.xas, &options.programs.gnu_as, &options.programs.llvm_mc}) {
    if (program->find('/') != std::string::npos) *program = fs::absolute(*program).string();
  }
  return options;
}

std::vector<Case> table_cases_recorded(const Options& options, const fs::path& table) {
  if (options.record) record_instructions(table, table_cases(options.programs, table));
  return table_cases(options.programs, table);
}

std::vector<Case> collect(const Options& options) {
  std::vector<Case> cases;
  if (options.mode == "corpus") {
    cases = corpus_cases(options.programs, options.places, options.kind, options.extra);
  } else {
    for (const fs::path& place : options.places) {
      std::vector<Case> some =
          options.mode == "tables"     ? table_cases_recorded(options, place)
          : options.mode == "mc-tests" ? mc_cases(options.programs, place)
                                       : gas_cases(options.programs, place);
      std::move(some.begin(), some.end(), std::back_inserter(cases));
    }
  }
  if (!options.filter.empty()) {
    RE2 filter(options.filter);
    if (!filter.ok()) fail(filter.error());
    std::erase_if(cases, [&](const Case& test) { return !RE2::PartialMatch(test.name, filter); });
  }
  if (options.sample > 1) {
    std::vector<Case> some;
    for (std::size_t i = 0; i < cases.size(); i += options.sample) some.push_back(std::move(cases[i]));
    cases = std::move(some);
  }
  return cases;
}

void keep_objects(const fs::path& scratch, const fs::path& keep, std::size_t number, const std::string& name) {
  std::error_code ignored;
  fs::create_directories(keep, ignored);
  for (const char* object : {"oracle.o", "xas.o"}) {
    fs::copy_file(scratch / object, keep / fmt::format("{}-{}", number, object), fs::copy_options::overwrite_existing,
                  ignored);
  }
  fmt::print("{} is number {} in {}\n", name, number, keep.string());
}

/// Calls `work(i, scratch)` for each of `count` cases, several at a time, each with an empty directory of its own.
template <typename Work>
void for_each_case(std::size_t count, unsigned jobs, Work work) {
  ScratchDirectory scratch;
  std::atomic<std::size_t> next = 0;
  auto worker = [&](unsigned number) {
    for (std::size_t i = next++; i < count; i = next++) {
      fs::path own = scratch.path() / fmt::format("{}", number);
      fs::remove_all(own);
      fs::create_directories(own);
      work(i, own);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < jobs; ++number) threads.emplace_back(worker, number);
  for (std::thread& thread : threads) thread.join();
}

std::vector<Outcome> run_all(const Options& options, const std::vector<Case>& cases) {
  std::vector<Outcome> outcomes(cases.size());
  for_each_case(cases.size(), options.jobs, [&](std::size_t i, const fs::path& scratch) {
    try {
      outcomes[i] = run_case(cases[i], scratch, options.seconds);
    } catch (const std::exception& error) {
      outcomes[i].status = Status::different;
      outcomes[i].differences.push_back({fmt::format("the runner failed: {}", error.what()), ""});
    }
    if (!options.keep.empty() && outcomes[i].status == Status::different)
      keep_objects(scratch, options.keep, i, cases[i].name);
  });
  return outcomes;
}

/// Each case's command in both profiles, with both builds; the number of differences.
int compare_all_builds(const Options& options, const std::vector<Case>& cases) {
  std::vector<Case> commands;
  std::set<std::vector<std::string>> seen;  // the commands whose input stands in a file
  for (const Case& test : cases) {
    if (!test.skipped.empty()) continue;
    for (const char* profile : {"gnu", "llvm"}) {
      Case one = test;
      one.name += fmt::format(" --compat={}", profile);
      std::erase_if(one.subject, [](const std::string& word) { return word.starts_with("--compat="); });
      one.subject.push_back(fmt::format("--compat={}", profile));
      std::vector<std::string> key = one.subject;
      key.insert(key.end(), {one.directory.string(), one.input.string(), one.prepare});
      if (!one.files.empty() || seen.insert(std::move(key)).second) commands.push_back(std::move(one));
    }
  }
  std::atomic<std::size_t> failed = 0;
  std::mutex printing;
  for_each_case(commands.size(), options.jobs, [&](std::size_t i, const fs::path& scratch) {
    const std::string found = compare_builds(commands[i], options.same, scratch, options.seconds);
    if (found.empty()) return;
    ++failed;
    std::lock_guard lock(printing);
    fmt::print("{}: {}\n", commands[i].name, found);
  });
  fmt::print("{} passed, {} failed\n", commands.size() - failed, failed.load());
  return failed != 0;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    Options options = parse(count, arguments);
    std::vector<Case> cases = collect(options);
    if (options.list) {
      for (const Case& test : cases) {
        fmt::print("{}: {}\n", test.name,
                   test.skipped.empty() ? fmt::format("{}", fmt::join(test.subject, " ")) : "skipped, " + test.skipped);
      }
      return 0;
    }
    if (!options.same.empty()) return compare_all_builds(options, cases);
    Known known;
    if (!options.known.empty()) known = Known(options.known, false, options.record);
    if (!options.baseline.empty()) known = Known(options.baseline, true, options.record);
    const std::vector<Outcome> outcomes = run_all(options, cases);
    if (options.record) known.record(cases, outcomes);
    std::size_t failed = report(cases, outcomes, known, options.report);
    std::size_t passed = 0;
    for (const Outcome& outcome : outcomes) passed += outcome.status == Status::skipped ? 0 : outcome.checks;
    const std::vector<std::string> unused = known.unused(cases);
    if (!unused.empty()) fmt::print("\nNo longer so (--record takes it out):\n");
    for (const std::string& row : unused) fmt::print("  {}\n", row);
    if (!known.is_baseline()) failed += unused.size();
    if (cases.size() < known.least_cases() && options.filter.empty() && options.sample == 1) {
      fmt::print("\n{} cases, and there were {}\n", cases.size(), known.least_cases());
      ++failed;
    }
    fmt::print("\n{} passed, {} failed\n", passed - std::min(passed, failed), failed);
    return failed == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fail(error.what());
  }
}
