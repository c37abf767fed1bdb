// SPDX-License-Identifier: Apache-2.0
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
  std::string gnu_producer;  ///< what GNU as calls itself in -g, where that is not "GNU AS RELEASE": a snapshot
  std::string gnu_release = "2.40", llvm_release = "22";  ///< the oracles', and so xas' profiles

  /// GNU as for a triple: TRIPLE-as in the machine's own release, as-RELEASE-TRIPLE in others.
  std::string gnu_as_for(const std::string& triple) const {
    return gnu_release == "2.40" ? triple + "-as" : "as-" + gnu_release + "-" + triple;
  }
  std::string compat(bool gnu) const { return gnu ? "--compat=gnu-" + gnu_release : "--compat=llvm-" + llvm_release; }
};

/// What is asked for beyond equal objects (table_cases.cpp).
struct Checks {
  bool oracle_takes = false, oracle_rejects = false;  ///< what the oracle has to do
  bool xas_takes = false;       ///< although the oracle does not
  bool warnings = false;        ///< stand at the same lines
  bool listing = false;         ///< on standard output, the same
  bool cut = false;             ///< xas may refuse a line that one oracle alone takes
  std::string prints;           ///< this is in what both print
  std::string file;             ///< both write it, and the same into it
  /// What no oracle knows: a section's name, and "type", "entsize", "align", "bytes" with values.
  std::vector<std::string> sections;
  std::vector<std::string> as_other;  ///< these sections are those of the other profile's assembler
  bool oracle_of_other = false;       ///< that one is the oracle
  std::vector<std::string> without;  ///< the oracle's command without what is tested; its object has to be another one
};

/// How a case is compared.
enum class Method {
  object,        ///< the whole object, or the lines of errors
  lines,         ///< each line of the first file by itself (line_cases.cpp)
  instructions,  ///< each line's bytes with those that the line says (instruction_cases.cpp)
  alone,         ///< no oracle is asked: messages as comments say (message_cases.cpp), sections as the header says
};

struct Case {
  std::string name;    ///< as reports and expectations call it
  std::string family;  ///< for the summary: the corpus' kind, or the test's directory
  std::filesystem::path source;
  std::filesystem::path directory;  ///< where both programs run
  std::filesystem::path input;      ///< standard input, if not empty
  std::vector<std::string> oracle;  ///< without -o
  std::vector<std::string> subject;
  std::vector<std::string> line_names;  ///< of `lines`: what differences call them, in place of their texts
  bool whole_file = false;  ///< every byte has to be equal, not only the content
  /// Parts of `source` to be written to `directory` first (split-file): name and text.
  std::vector<std::pair<std::string, std::string>> files;
  std::string prepare;         ///< shell commands to run in `directory` first
  bool skip_if_oracle_fails = false;  ///< an input that was altered to be usable, or that needs what is not here
  std::string skipped;         ///< not to be run, for this reason
  Checks checks;
  Method method = Method::object;
  std::vector<std::string> other_oracle;  ///< the other profile's, for Method::lines and Checks::as_other
  bool gnu = true;                        ///< the profile
  std::size_t line = 0;                   ///< where the text of the first file begins in its table, from 0
};

enum class Status { equal, order, different, skipped };

struct Outcome {
  Status status = Status::equal;
  std::string skipped;
  std::vector<Difference> differences;
  bool both_failed = false;  ///< the oracle rejects the input, and so does xas
  std::size_t checks = 1;    ///< how many there are in the case
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

/// Runs a list of instructions.
Outcome run_instructions(const Case& test, const std::filesystem::path& scratch);

/// Replaces the bytes in a table's lists of instructions by what the reference assemblers say. `cases` are the table's.
void record_instructions(const std::filesystem::path& table, const std::vector<Case>& cases);

/// Runs a case that is compared with what stands in it.
Outcome run_alone(const Case& test, const std::filesystem::path& scratch);

/// The lines of a text.
std::vector<std::string> lines_of(const std::string& text);

/// "file:line" of each error.
std::set<std::string> error_lines(const std::string& messages);

/// Writes the files of a case to `scratch`.
void write_inputs(const Case& test, const std::filesystem::path& scratch);

/// `text` with the name of the scratch directory in place of {scratch}.
std::string placed(std::string text, const std::filesystem::path& scratch);

/// Runs a case's subject and `old_build` with the same arguments; what differs, or nothing (same_builds.cpp).
std::string compare_builds(const Case& test, const std::string& old_build, const std::filesystem::path& scratch,
                           double seconds);

/// Runs one case in `scratch`, which is empty and nobody else's.
Outcome run_case(const Case& test, const std::filesystem::path& scratch, double seconds);

}  // namespace diff
