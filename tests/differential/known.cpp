// SPDX-License-Identifier: Apache-2.0
// Known differences: reading, asking and recording them. See report.h.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

#include "report.h"

namespace diff {
namespace {

constexpr const char* not_explained = "not explained";

}  // namespace

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 32) c = ' ';
  }
  return text;
}

Known::Known(const std::filesystem::path& file, bool baseline, bool record) : file_(file), baseline_(baseline) {
  std::ifstream stream(file);
  if (!stream && record) return;
  if (!stream) throw std::runtime_error(fmt::format("cannot read {}", file.string()));
  int number = 0;
  for (std::string text; std::getline(stream, text);) {
    ++number;
    if (text.empty()) continue;
    if (text[0] == '#' && groups_.empty()) head_ += text + "\n";
    else if (text.starts_with("% ")) least_cases_ = std::stoul(text.substr(2));
    else if (text.starts_with("= ") || text.starts_with("~ ")) groups_.push_back({text.substr(2), text[0] == '~', {}});
    else if (const std::size_t tab = text.find('\t'); tab != text.npos && !groups_.empty())
      groups_.back().rows.push_back({text.substr(0, tab), text.substr(tab + 1)});
    else
      throw std::runtime_error(
          fmt::format("{}:{}: neither an explanation nor CASE <tab> CAUSE", file.string(), number));
  }
  index();
}

void Known::index() {
  places_.clear();
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (std::size_t r = 0; r < groups_[g].rows.size(); ++r) {
      const Row& row = groups_[g].rows[r];
      places_.try_emplace({row.test, baseline_ ? "" : row.cause}, g, r);
    }
}

Known::Row* Known::find(const std::string& test, const std::string& cause, std::size_t& group) {
  const auto found = places_.find({one_line(test), baseline_ ? "" : one_line(cause)});
  if (found == places_.end()) return nullptr;
  group = found->second.first;
  return &groups_[group].rows[found->second.second];
}

std::string Known::explanation(const std::string& test, const std::string& cause) {
  std::size_t group = 0;
  Row* row = find(test, cause, group);
  if (row == nullptr) return "";
  row->used = true;
  return groups_[group].explanation == not_explained ? "" : groups_[group].explanation;
}

std::vector<std::string> Known::unused(const std::vector<Case>& cases) const {
  std::set<std::string> run;
  for (const Case& test : cases) run.insert(one_line(test.name));
  std::vector<std::string> rows;
  for (const Group& group : groups_)
    for (const Row& row : group.rows)
      if (!row.used && !group.sometimes && run.contains(row.test)) rows.push_back(row.test + ": " + row.cause);
  return rows;
}

void Known::record(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes) {
  std::set<std::string> run;
  std::set<std::pair<std::string, std::string>> found;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    run.insert(one_line(cases[i].name));
    if (outcomes[i].status != Status::different) continue;
    for (const Difference& difference : outcomes[i].differences) {
      found.insert({one_line(cases[i].name), one_line(difference.cause)});
      if (baseline_) break;
    }
  }
  const auto is_there = [&](const Row& row) {
    if (!baseline_) return found.contains({row.test, row.cause});
    const auto at = found.lower_bound({row.test, ""});
    return at != found.end() && at->first == row.test;
  };
  for (Group& group : groups_)
    std::erase_if(group.rows,
                  [&](const Row& row) { return run.contains(row.test) && !group.sometimes && !is_there(row); });
  index();
  std::vector<Row> fresh;
  for (const auto& [test, cause] : found) {
    std::size_t group = 0;
    if (Row* row = find(test, cause, group)) row->cause = cause;
    else fresh.push_back({test, cause});
  }
  if (!fresh.empty()) {
    if (groups_.empty() || groups_.back().explanation != not_explained) groups_.push_back({not_explained, false, {}});
    auto& rows = groups_.back().rows;
    rows.insert(rows.end(), fresh.begin(), fresh.end());
  }
  if (baseline_) least_cases_ = cases.size();
  if (file_.empty()) return;
  std::ofstream out(file_);
  out << head_;
  if (least_cases_ != 0) out << fmt::format("% {} cases\n", least_cases_);
  for (Group& group : groups_) {
    if (group.rows.empty()) continue;
    out << (group.sometimes ? "~ " : "= ") << group.explanation << "\n";
    std::stable_sort(group.rows.begin(), group.rows.end(), [](const Row& a, const Row& b) { return a.test < b.test; });
    for (const Row& row : group.rows) out << row.test << "\t" << row.cause << "\n";
  }
}

}  // namespace diff
