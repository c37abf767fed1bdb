// What is compared: a case is one input, the oracle's command and xas' command.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compare.h"

namespace diff {

/// Which programs are run.
struct Programs {
  std::string xas = "xas";
  std::string gnu_as = "as";
  std::string llvm_mc = "llvm-mc-22";
  bool self = false;  ///< the oracle in xas' place too: shows the runner's own faults
};

/// What is asked for beyond equal objects (table_cases.cpp).
struct Checks {
  bool oracle_takes = false, oracle_rejects = false;  ///< what the oracle has to do
  bool xas_takes = false;       ///< although the oracle does not
  bool warnings = false;        ///< stand at the same lines
  bool listing = false;         ///< on standard output, the same
  std::string prints;           ///< this is in what both print
  std::string file;             ///< both write it, and the same into it
  std::vector<std::string> without;  ///< the oracle's command without what is tested; its object has to be another one
};

struct Case {
  std::string name;    ///< as reports and expectations call it
  std::string family;  ///< for the summary: the corpus' kind, or the test's directory
  std::filesystem::path source;
  std::filesystem::path directory;  ///< where both programs run
  std::filesystem::path input;      ///< standard input, if not empty
  std::vector<std::string> oracle;  ///< without -o
  std::vector<std::string> subject;
  bool whole_file = false;  ///< every byte has to be equal, not only the content
  /// Parts of `source` to be written to `directory` first (split-file): name and text.
  std::vector<std::pair<std::string, std::string>> files;
  std::string prepare;         ///< shell commands to run in `directory` first
  bool skip_if_oracle_fails = false;  ///< an input that was altered to be usable, or that needs what is not here
  std::string skipped;         ///< not to be run, for this reason
  Checks checks;
  bool by_lines = false;                  ///< each line of the first file by itself (line_cases.cpp)
  std::vector<std::string> other_oracle;  ///< then: the other profile's
};

enum class Status { equal, order, different, skipped };

struct Outcome {
  Status status = Status::equal;
  std::string skipped;
  std::vector<Difference> differences;
  bool both_failed = false;  ///< the oracle rejects the input, and so does xas
};

/// The corpus under `directories` or single files (see corpus/make.sh); a single file's kind is `kind` ("gnu" or
/// "llvm").
std::vector<Case> corpus_cases(const Programs& programs, const std::vector<std::filesystem::path>& places,
                               const std::string& kind, const std::vector<std::string>& options);

/// The tests under llvm/test/MC that xas can take.
std::vector<Case> mc_cases(const Programs& programs, const std::filesystem::path& directory);

/// The tests of gas/testsuite/gas.
std::vector<Case> gas_cases(const Programs& programs, const std::filesystem::path& directory);

/// The cases of a table of small inputs (table_cases.cpp). Throws std::runtime_error if it is not well-formed.
std::vector<Case> table_cases(const Programs& programs, const std::filesystem::path& path);

/// Runs a case whose lines are tried one by one.
Outcome run_lines(const Case& test, const std::filesystem::path& scratch);

/// "file:line" of each error.
std::set<std::string> error_lines(const std::string& messages);

/// Runs one case in `scratch`, which is empty and nobody else's.
Outcome run_case(const Case& test, const std::filesystem::path& scratch, double seconds);

}  // namespace diff
