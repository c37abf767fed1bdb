// Counting outcomes by cause, and the known differences.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case.h"

namespace diff {

/// Differences that are known and explained: a file of lines "CASE <tab> CAUSE <tab> explanation", the first two being
/// regular expressions that have to match all of the case's name and all of the cause.
class Expectations {
 public:
  /// Throws std::runtime_error with the line number if the file is not well-formed.
  explicit Expectations(const std::filesystem::path& file);
  Expectations() = default;

  /// The explanation of this difference in this case, or empty.
  std::string explanation(const std::string& test, const std::string& cause);

  /// Patterns that have matched nothing.
  std::vector<std::string> unused() const;

 private:
  struct Line {
    std::string test;
    std::string cause;
    std::string explanation;
    bool used = false;
  };
  std::vector<Line> lines_;
};

struct ReportOptions {
  std::size_t examples = 2;    ///< shown with each cause
  std::size_t causes = 60;     ///< shown at most
  bool families = true;        ///< a line for each family of cases
  std::filesystem::path table; ///< a machine-readable list of everything that failed, if not empty
};

/// Prints the summary; the number of cases that failed.
std::size_t report(const std::vector<Case>& cases, const std::vector<Outcome>& outcomes, Expectations& expectations,
                   const ReportOptions& options);

}  // namespace diff
