// SPDX-License-Identifier: Apache-2.0
// The one table of options. The program's command line and the public API both read it, and `--help` and the tests
// walk it. It holds GNU as's options for every supported target, llvm-mc's spellings of what changes an object, and a
// few of our own.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "asm/options/settings.h"

namespace xas {

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

/// Whose code an option is about. No machine: it is no option of a target.
enum OptionMachines : u8 { on_x86 = 1, on_aarch64 = 2, on_arm = 4, on_all = on_x86 | on_aarch64 | on_arm };

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
  u8 machines = 0;  ///< a sum of OptionMachines

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
