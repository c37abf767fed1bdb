// SPDX-License-Identifier: Apache-2.0
// The one table of options. The program's command line and the public API both read it, and `--help` and the tests
// walk it. It holds GNU as's options for every supported target, llvm-mc's spellings of what changes an object, and a
// few of our own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asm/diagnostics/format.h"
#include "asm/options/options.h"

namespace xas {

/// What options decide for the program around an assembly. The library only carries it.
struct ProgramOptions {
  enum class Color : u8 { automatic, always, never };

  std::string output;  ///< -o; "-" is standard output
  bool output_given = false;
  bool filetype_given = false;          ///< -filetype=
  std::string depfile;                  ///< --MD, -MF
  bool make_dependencies = false;       ///< -MD, -MMD: the depfile has a name of its own unless it is given
  bool no_system_dependencies = false;  ///< -MMD: no headers of the system
  bool phony_dependencies = false;      ///< -MP: a rule without prerequisites for each file but the first
  std::vector<std::pair<std::string, bool>> depfile_targets;  ///< -MT; true: -MQ, to be quoted for make
  bool preprocess = false;                                    ///< --preprocess
  bool preprocess_by_name = false;                            ///< called as xas: .S and .sx are preprocessed
  std::vector<std::string> preprocessor_options;              ///< -D, -U
  std::string listing;  ///< -a=FILE; empty: standard output
  bool help = false, version = false, print_version = false, target_help = false, dump_config = false;
  bool statistics = false;
  bool no_output = false;    ///< -filetype=null, -fsyntax-only
  DiagnosticsFormat format = DiagnosticsFormat::text;
  Color color = Color::automatic;
};

/// All that options can set. `finish` finds out which target is meant, when all of them are known.
struct Settings {
  Options options;
  ProgramOptions program;
  std::string triple;                 ///< --target, -triple or the program's name; empty: this machine's
  std::string implied_triple;         ///< the target that only one compiler's options fit; used where none is named
  std::string architecture;           ///< -arch: replaces the triple's first part
  unsigned word_mode = 0;             ///< --32, --64: 32 or 64
  bool x32_mode = false;              ///< --x32
  std::vector<std::string> warnings;  ///< about options that are accepted but not followed

  const Release* release = &default_release();  ///< --compat: whose profile is meant

  /// Selects a release of a reference assembler by name; false if there is none of that name.
  bool select_release(std::string_view name);
  /// Decides which target `to` is for, from the triple and the word mode. Returns why that is not possible, or an empty
  /// text.
  std::string finish(Options& to) const;
  std::string effective_triple() const;
};

/// How an option takes its value.
enum class OptionValue : u8 {
  none,            ///< --fatal-warnings
  boolean,         ///< -crel, -crel=false
  required,        ///< --defsym=a=1, --defsym a=1
  optional,        ///< --compress-debug-sections, --compress-debug-sections=zlib
  short_joined,    ///< -Idir, -I dir
  short_optional,  ///< -O, -O2: what follows the letter in the same word
  optional_file    ///< --MD FILE as GNU as has it, -MD without a value as compilers do
};

/// Whose option it is. Where two options share a spelling (-n, -M), the profile's own wins.
enum class OptionDialect : u8 { both, gnu, llvm };

struct OptionRow {
  std::string_view spelling;  ///< with the dashes of its usual form; long options may have one or two
  OptionValue value;
  OptionDialect dialect;
  bool program;  ///< concerns the program, not the library: the public API refuses it
  /// Allowed values separated by commas, the default first; empty: any.
  std::string_view values;
  std::string_view meta;  ///< what the value is called in --help
  std::string_view help;
  /// Puts it into effect. Returns what is wrong with the value, or an empty text.
  std::string (*set)(Settings& settings, const OptionRow& row, std::string_view value);

  std::string_view name() const { return spelling.substr(spelling.find_first_not_of('-')); }
  bool is_short() const { return name().size() == 1; }
};

std::span<const OptionRow> option_table();

/// What became of one argument.
struct OptionResult {
  bool took_next = false;  ///< its value was the following argument
  std::string error;       ///< not empty: it was not accepted, and why
};

/// Applies the option `argument` (which begins with '-'). `next` is the argument behind it, null if there is none.
OptionResult apply_option(Settings& settings, std::string_view argument, const char* next, bool in_program);

/// The row an argument means, ignoring its value; null if none. For tests and for looking ahead.
const OptionRow* find_option(std::string_view argument, bool llvm);

}  // namespace xas
