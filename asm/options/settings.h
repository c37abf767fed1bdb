// SPDX-License-Identifier: Apache-2.0
// All that options set: what an assembly is asked to do, what the program around it is, and which target is meant.
#pragma once

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
  std::string listing;                                        ///< -a=FILE; empty: standard output
  bool help = false, version = false, print_version = false, target_help = false, dump_config = false;
  bool statistics = false;
  bool no_output = false;  ///< -filetype=null, -fsyntax-only
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

}  // namespace xas
