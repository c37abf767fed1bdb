// SPDX-License-Identifier: Apache-2.0
// Counting outcomes by cause, and the known differences.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "case.h"

namespace diff {

/// Differences that are known, each under its explanation:
///
///     # a comment
///     % 1234 cases
///     = why these differ
///     CASE <tab> CAUSE
///     ~ why these differ in some runs and in others not
///     CASE <tab> CAUSE
///
/// Rows are what a run has found (`record`), word for word; explanations are written by hand. A row that is not found
/// any more, or has no explanation, is a failure. In a baseline, which says what of another project's suite fails, only
/// the case counts, whatever its cause. "%" says how many cases there have to be at least.
class Known {
 public:
  /// Throws std::runtime_error with the line number if the file is not well-formed; to `record`, it need not exist.
  Known(const std::filesystem::path& file, bool baseline, bool record);
  Known() = default;

  /// The explanation of this difference in this case, or empty.
  std::string explanation(const std::string& test, const std::string& cause);

  /// Rows of `cases` that have not been asked for.
  std::vector<std::string> unused(const std::vector<Case>& cases) const;

  bool is_baseline() const { return baseline_; }
  std::size_t least_cases() const { return least_cases_; }

  /// Writes the file again, with the differences of `outcomes` as rows. Rows of other cases stay.
  void record(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes);

 private:
  struct Row {
    std::string test, cause;
    bool used = false;
  };
  struct Group {
    std::string explanation;
    bool sometimes = false;
    std::vector<Row> rows;
  };
  Row* find(const std::string& test, const std::string& cause, std::size_t& group);
  void index();

  std::filesystem::path file_;
  bool baseline_ = false;
  std::size_t least_cases_ = 0;
  std::string head_;  ///< comments before the first group
  std::vector<Group> groups_;
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::size_t>> places_;  ///< group and row
};

/// Text without line ends and tabs.
std::string one_line(std::string text);

struct ReportOptions {
  std::size_t examples = 2;    ///< shown with each cause
  std::size_t causes = 60;     ///< shown at most
  bool families = true;        ///< a line for each family of cases
  std::filesystem::path table; ///< a machine-readable list of everything that failed, if not empty
};

/// Prints the summary; the number of cases that failed.
std::size_t report(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes, Known& known,
                   const ReportOptions& options);

}  // namespace diff
