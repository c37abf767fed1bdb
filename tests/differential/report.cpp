// SPDX-License-Identifier: Apache-2.0
// See report.h.
#include "report.h"

#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <fstream>
#include <map>

namespace diff {
namespace {

struct Cause {
  std::size_t first = 0;  ///< cases whose first difference it is
  std::size_t all = 0;    ///< cases that have it
  std::vector<std::string> examples;
};

struct Family {
  std::size_t total = 0, equal = 0, order = 0, errors = 0, explained = 0, failed = 0, skipped = 0;
};

}  // namespace

std::size_t report(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes, Known& known,
                   const ReportOptions& options) {
  std::map<std::string, Cause> causes;
  std::map<std::string, Cause> orders;
  std::map<std::string, std::size_t> explained, skipped;
  std::map<std::string, Family> families;
  Family total;
  std::ofstream table;
  if (!options.table.empty()) table.open(options.table);
  auto count = [&](Family& family, std::size_t Family::*field, bool once = true) {
    family.*field += 1;
    if (once) total.*field += 1;
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& test = cases[i];
    const Outcome& outcome = outcomes[i];
    Family& family = families[test.family];
    count(family, &Family::total);
    if (outcome.status == Status::skipped) {
      ++skipped[outcome.skipped];
      count(family, &Family::skipped);
      continue;
    }
    if (outcome.status == Status::equal) {
      count(family, outcome.both_failed ? &Family::errors : &Family::equal);
      continue;
    }
    if (outcome.status == Status::order) {
      count(family, &Family::order);
      Cause& cause = orders[outcome.differences.front().cause];
      ++cause.first;
      if (cause.examples.size() < options.examples)
        cause.examples.push_back(test.name + ": " + outcome.differences.front().detail);
      continue;
    }
    std::map<std::string, const Difference*> open;  // causes of this case
    const Difference* primary = nullptr;
    for (const Difference& difference : outcome.differences) {
      std::string why = known.explanation(test.name, difference.cause);
      if (!why.empty()) {
        ++explained[why];
        continue;
      }
      if (primary == nullptr) primary = &difference;
      if (!difference.consequence) open.emplace(difference.cause, &difference);
    }
    if (primary == nullptr) {
      count(family, &Family::explained);
      continue;
    }
    count(family, &Family::failed);
    ++causes[primary->cause].first;
    for (auto& [name, difference] : open) {
      Cause& cause = causes[name];
      ++cause.all;
      std::string example = test.name + ": " + difference->detail;
      if (cause.examples.size() < options.examples) cause.examples.push_back(example);
      if (table)
        table << one_line(test.name) << '\t' << (difference == primary ? "first" : "other") << '\t' << one_line(name)
              << '\t' << one_line(difference->detail) << '\n';
    }
  }

  auto line = [](const std::string& name, const Family& f) {
    fmt::print("  {:<34} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6} {:>7}\n", name, f.total, f.equal, f.order, f.errors,
               f.explained, f.failed, f.skipped);
  };
  fmt::print("  {:<34} {:>6} {:>6} {:>6} {:>6} {:>9} {:>6} {:>7}\n", "", "cases", "equal", "order", "errors",
             "explained", "failed", "skipped");
  if (options.families && families.size() > 1) {
    for (auto& [name, family] : families) line(name, family);
  }
  line("all", total);
  fmt::print("(order: the same content in another order; errors: rejected by both, at the same lines)\n");

  auto show = [&](const char* title, const std::map<std::string, Cause>& counted, bool with_all) {
    if (counted.empty()) return;
    std::vector<std::pair<std::string, const Cause*>> sorted;
    for (auto& [name, cause] : counted) sorted.emplace_back(name, &cause);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) {
      return std::pair(a.second->first, a.second->all) > std::pair(b.second->first, b.second->all);
    });
    fmt::print("\n{}\n", title);
    for (std::size_t i = 0; i < std::min(sorted.size(), options.causes); ++i) {
      auto& [name, cause] = sorted[i];
      fmt::print("{:>6}  {}{}\n", cause->first, name,
                 with_all && cause->all != cause->first ? fmt::format("  ({} files with it)", cause->all) : "");
      for (const std::string& example : cause->examples) fmt::print("          {}\n", one_line(example));
    }
    if (sorted.size() > options.causes) fmt::print("        ... and {} more causes\n", sorted.size() - options.causes);
  };
  show("Differences by cause (files whose first difference it is):", causes, true);
  show("Order only:", orders, false);
  if (!explained.empty()) {
    fmt::print("\nExplained differences:\n");
    for (auto& [why, number] : explained) fmt::print("{:>6}  {}\n", number, why);
  }
  if (!skipped.empty()) {
    fmt::print("\nSkipped:\n");
    for (auto& [why, number] : skipped) fmt::print("{:>6}  {}\n", number, why);
  }
  return total.failed;
}

}  // namespace diff
