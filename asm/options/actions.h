// SPDX-License-Identifier: Apache-2.0
// What options do, once an argument has been found to be a row of the table (OptionRow::set): each puts its value into
// the Settings, and returns what is wrong with it, or an empty text.
#pragma once

#include <string>
#include <string_view>

#include "asm/options/settings.h"
#include "asm/options/table.h"

namespace xas::option_actions {

using Row = const OptionRow&;
using Text = std::string_view;

std::string ignore(Settings&, Row, Text);
/// An error: it would change the object.
std::string unavailable(Settings&, Row row, Text);
/// A warning.
std::string not_followed(Settings& s, Row row, Text);

// One field of the options, the target's or the program's

template <auto Member, bool value = true>
std::string set_flag(Settings& s, Row, Text) {
  s.options.*Member = value;
  return {};
}

template <auto Member, bool value = true>
std::string set_target_flag(Settings& s, Row, Text) {
  s.options.target.*Member = value;
  return {};
}

template <auto Member>
std::string set_program_flag(Settings& s, Row, Text) {
  s.program.*Member = true;
  return {};
}

template <auto Member>
std::string set_text(Settings& s, Row, Text value) {
  s.options.*Member = value;
  return {};
}

template <auto Member>
std::string set_target_text(Settings& s, Row, Text value) {
  s.options.target.*Member = value;
  return {};
}

/// -march=, and -mcpu= for which `IsArch` is false.
template <bool IsArch>
std::string set_processor(Settings& s, Row, Text value) {
  (IsArch ? s.options.target.arch : s.options.target.cpu) = value;
  s.options.target.arch_is_last = IsArch;
  return {};
}

// For the target

/// Handed to the target under its own name, unless it is the default.
std::string to_target(Settings& s, Row row, Text value);
/// The same for LLVM's name of an option that GNU as has too: `name` is GNU as's.
std::string as_target_option(Settings& s, Text name, Text value);
/// An option that a compiler hands to the assembler of one architecture only.
std::string to_aarch64(Settings& s, Row row, Text value);
std::string to_arm(Settings& s, Row row, Text value);
std::string set_triple(Settings& s, Row, Text value);

template <unsigned bits, bool x32>
std::string set_mode(Settings& s, Row, Text) {
  s.word_mode = bits;
  s.x32_mode = x32;
  return {};
}

std::string add_features(Settings& s, Row, Text value);
std::string set_vendor(Settings& s, Row row, Text);
std::string set_relax_relocations(Settings& s, Row, Text value);
std::string set_intel_syntax(Settings& s, Row, Text value);
std::string set_optimization(Settings& s, Row, Text value);

// For the object

std::string set_release(Settings& s, Row, Text value);
std::string define_symbol(Settings& s, Row, Text value);
std::string map_prefix(Settings& s, Row, Text value);
std::string add_include_dir(Settings& s, Row, Text value);
std::string set_compression(Settings& s, Row, Text value);

// The last option for debugging information decides its format and its version.
std::string set_debug_lines(Settings& s, Row, Text);
std::string set_stabs(Settings& s, Row row, Text);
std::string set_codeview(Settings& s, Row, Text);
std::string set_cie_version(Settings& s, Row, Text value);
std::string set_fatal_warnings(Settings& s, Row, Text);

template <u8 version>
std::string set_dwarf(Settings& s, Row row, Text value) {
  set_debug_lines(s, row, value);
  s.options.dwarf_version = version;
  return {};
}

std::string set_dwarf_version(Settings& s, Row, Text value);

template <bool executable>
std::string set_stack(Settings& s, Row, Text) {
  s.options.exec_stack = executable;
  s.options.no_exec_stack = !executable;
  return {};
}

std::string set_section_symbols(Settings& s, Row, Text value);
std::string set_macro_depth(Settings& s, Row, Text value);
std::string set_multibyte(Settings& s, Row, Text value);
std::string set_threads(Settings& s, Row, Text value);

// For the program, and what it writes beside the object

std::string set_output(Settings& s, Row, Text value);
std::string set_filetype(Settings& s, Row, Text value);
std::string set_show_encoding(Settings& s, Row, Text);
std::string set_max_errors(Settings& s, Row, Text value);
std::string set_color(Settings& s, Row, Text value);
std::string set_diagnostics_format(Settings& s, Row, Text value);
/// -a[cdghlmns][=FILE]; no letter: hls
std::string set_listing(Settings& s, Row, Text value);

std::string set_listing_size(Settings& s, u32 ListingOptions::*member, Text value);
template <auto Member>
std::string set_listing_size(Settings& s, Row, Text value) {
  return set_listing_size(s, Member, value);
}

std::string set_depfile(Settings& s, Row, Text value);
std::string make_dependencies(Settings& s, Row, Text value);
std::string make_user_dependencies(Settings& s, Row, Text);

template <bool quoted>
std::string add_depfile_target(Settings& s, Row, Text value) {
  if (value.empty()) return "the target has no name";
  s.program.depfile_targets.emplace_back(value, quoted);
  return {};
}

std::string to_preprocessor(Settings& s, Row row, Text value);

}  // namespace xas::option_actions
