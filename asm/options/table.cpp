// SPDX-License-Identifier: Apache-2.0
// The option table, row by row, and what each row does.
//
// An option that a reference assembler ignores is ignored here too. One that would change the object, and is not
// available, is an error: an object other than the one asked for is worse than none.

#include "asm/options/table.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <thread>

#include "asm/options/triple.h"
#include "asm/text/host.h"

namespace xas {
namespace {

using Row = const OptionRow&;
using Text = std::string_view;

// What rows do

std::string ignore(Settings&, Row, Text) { return {}; }

std::string unavailable(Settings&, Row row, Text) { return fmt::format("not available: {}", row.help); }

std::string not_followed(Settings& s, Row row, Text) {
  s.warnings.push_back(fmt::format("option '{}' is ignored: {}", row.spelling, row.help));
  return {};
}

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

template <u8 version>
std::string set_dwarf(Settings& s, Row, Text) {
  s.options.debug_lines = true;
  s.options.dwarf_version = version;
  return {};
}

/// Handed to the target under its own name, unless it is the default.
std::string to_target(Settings& s, Row row, Text value) {
  bool is_default = !row.values.empty() && value == row.values.substr(0, row.values.find(','));
  auto& extra = s.options.target.extra;
  std::erase_if(extra, [&](const auto& e) { return e.first == row.name(); });
  if (!is_default) extra.emplace_back(row.name(), value);
  return {};
}

/// The same for LLVM's name of an option that GNU as has too: `name` is GNU as's.
std::string as_target_option(Settings& s, Text name, Text value) {
  std::erase_if(s.options.target.extra, [&](const auto& e) { return e.first == name; });
  s.options.target.extra.emplace_back(name, value);
  return {};
}

/// An option that a compiler hands to the assembler of one architecture only.
std::string to_aarch64(Settings& s, Row row, Text value) {
  s.implied_triple = "aarch64-linux-gnu";
  return to_target(s, row, value);
}

std::string to_arm(Settings& s, Row row, Text value) {
  s.implied_triple = "arm-linux-gnueabi";
  return to_target(s, row, value);
}

template <typename Integer>
bool parse_number(Text text, Integer& value) {
  bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
    text.remove_prefix(1);
  }
  u64 number = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (code != std::errc() || end != text.data() + text.size()) return false;
  if (negative) number = -number;
  value = Integer(number);
  return sizeof(Integer) == 8 || u64(value) == number;
}

std::string not_a_number(Text value) { return fmt::format("'{}' is not a number that fits", value); }

/// GNU as cuts the value where it stops being a number (a=1+1 is 1, a=b is 0); that is an error here, as in LLVM.
std::string define_symbol(Settings& s, Row, Text value) {
  std::size_t equals = value.find('=');
  if (equals == Text::npos || equals == 0) return "a definition has the form NAME=NUMBER";
  i64 number = 0;
  if (!parse_number(value.substr(equals + 1), number)) return not_a_number(value.substr(equals + 1));
  s.options.defsyms.emplace_back(value.substr(0, equals), number);
  return {};
}

/// The map that was given last is tried first.
std::string map_prefix(Settings& s, Row, Text value) {
  std::size_t equals = value.find('=');
  if (equals == Text::npos) return "a prefix map has the form OLD=NEW";
  s.options.prefix_map.emplace(s.options.prefix_map.begin(), value.substr(0, equals), value.substr(equals + 1));
  return {};
}

std::string add_include_dir(Settings& s, Row, Text value) {
  if (value.empty()) return "the name of the folder is empty";
  s.options.include_dirs.emplace_back(value);
  return {};
}

std::string set_output(Settings& s, Row, Text value) {
  if (value.empty()) return "the output has no name";
  s.program.output = value;
  s.program.output_given = true;
  return {};
}

std::string set_compression(Settings& s, Row, Text value) {
  s.options.compress = value == "none"       ? CompressDebug::none
                       : value == "zlib-gnu" ? CompressDebug::zlib_gnu
                       : value == "zstd"     ? CompressDebug::zstd
                                             : CompressDebug::zlib;
  return {};
}

/// -a[cdghlmns][=FILE]; no letter: hls
std::string set_listing(Settings& s, Row, Text value) {
  constexpr Text letters = "cdghlmns";
  constexpr u16 parts[] = {listing_no_skipped, listing_no_debug,   listing_general,  listing_source,
                           listing_lines,      listing_expansions, listing_no_forms, listing_symbols};
  const std::size_t equals = value.find('=');
  for (char c : value.substr(0, equals)) {
    const std::size_t at = letters.find(c);
    if (at == Text::npos) return fmt::format("'{}' is no kind of listing; c d g h l m n s are", c);
    s.options.listing.parts |= parts[at];
  }
  if (!s.options.listing.parts) s.options.listing.parts = listing_lines | listing_source | listing_symbols;
  if (equals != Text::npos) s.program.listing = value.substr(equals + 1);
  return {};
}

template <auto Member>
std::string set_listing_size(Settings& s, Row, Text value) {
  constexpr u32 max = 10000;
  u32 n = 0;
  if (!parse_number(value, n) || n == 0 || n > max)
    return fmt::format("'{}' is not a number between 1 and {}", value, max);
  ListingOptions& l = s.options.listing;
  if (Member != &ListingOptions::lhs_width2 || n > l.lhs_width) l.*Member = n;
  l.lhs_width2 = std::max(l.lhs_width, l.lhs_width2);
  return {};
}

/// Beside its own levels GNU as takes the compilers' that it has no use for.
std::string set_optimization(Settings& s, Row, Text value) {
  int& level = s.options.target.optimize;
  if (value.empty())
    level = 1;
  else if (value == "s")
    level = 3;
  else if (value == "g" || value == "z" || value == "fast")
    level = 0;
  else if (value.size() == 1 && value[0] >= '0' && value[0] <= '9')
    level = std::min(value[0] - '0', 2);
  else
    return "it is one of -O0 -O1 -O2 -Os";
  return {};
}

/// -filetype= decides whether it is before or behind this.
std::string set_show_encoding(Settings& s, Row, Text) {
  if (!s.program.filetype_given) s.options.output = Options::Output::encodings;
  return {};
}

std::string set_filetype(Settings& s, Row, Text value) {
  if (value == "asm") {
    if (s.options.output == Options::Output::encodings) return {};
    return "xas prints instructions with -show-encoding before this, and no other assembly; -filetype=obj, "
           "-filetype=raw, "
           "-filetype=hex and -filetype=null are available";
  }
  s.program.filetype_given = true;
  s.program.no_output = value == "null";
  s.options.output = value == "raw"   ? Options::Output::raw
                     : value == "hex" ? Options::Output::hex
                                      : Options::Output::object;
  return {};
}

std::string set_dwarf_version(Settings& s, Row, Text value) {
  u8 version = 0;
  if (!parse_number(value, version) || version < 2 || version > 6) return "DWARF versions are 2 to 6";
  s.options.dwarf_version = version;
  return {};
}

std::string set_threads(Settings& s, Row, Text value) {
  u32 n = 0;
  if (!parse_number(value, n)) return not_a_number(value);
  s.options.threads.most = n ? n : std::max(1u, std::thread::hardware_concurrency());
  return {};
}

std::string set_max_errors(Settings& s, Row, Text value) {
  u32 n = 0;
  if (!parse_number(value, n)) return not_a_number(value);
  s.options.max_errors = n == 0 ? ~u32(0) : n;
  return {};
}

std::string set_macro_depth(Settings& s, Row, Text value) {
  return parse_number(value, s.options.max_macro_depth) ? std::string() : not_a_number(value);
}

std::string set_release(Settings& s, Row, Text value) {
  return s.select_release(value) ? "" : "there is no such release";
}

std::string set_color(Settings& s, Row, Text value) {
  using enum ProgramOptions::Color;
  s.program.color = value == "auto" ? automatic : value == "never" || value == "false" ? never : always;
  return {};
}

std::string set_multibyte(Settings& s, Row, Text value) {
  s.options.multibyte_warn = value == "warn";
  s.options.multibyte_warn_symbols = value.size() > 5;
  return {};
}

std::string set_depfile(Settings& s, Row, Text value) {
  if (value.empty()) return "the file has no name";
  s.program.depfile = value;
  return {};
}

std::string make_dependencies(Settings& s, Row, Text value) {
  s.program.make_dependencies = true;
  if (!value.empty()) s.program.depfile = value;
  return {};
}

std::string make_user_dependencies(Settings& s, Row, Text) {
  s.program.make_dependencies = s.program.no_system_dependencies = true;
  return {};
}

template <bool quoted>
std::string add_depfile_target(Settings& s, Row, Text value) {
  if (value.empty()) return "the target has no name";
  s.program.depfile_targets.emplace_back(value, quoted);
  return {};
}

/// GNU as ignores a -D without a name.
std::string to_preprocessor(Settings& s, Row row, Text value) {
  if (!value.empty()) s.program.preprocessor_options.push_back(fmt::format("{}{}", row.spelling, value));
  return {};
}

std::string set_diagnostics_format(Settings& s, Row, Text value) {
  using enum DiagnosticsFormat;
  s.program.format = value == "json" ? json : value == "gnu" ? gnu : value == "sarif" ? sarif : text;
  return {};
}

template <bool executable>
std::string set_stack(Settings& s, Row, Text) {
  s.options.exec_stack = executable;
  s.options.no_exec_stack = !executable;
  return {};
}

std::string set_relax_relocations(Settings& s, Row, Text value) {
  s.options.target.relax_relocations = value != "no" && value != "0" && value != "false";
  return {};
}

std::string set_intel_syntax(Settings& s, Row, Text value) {
  s.options.target.intel_syntax = value == "intel";
  return {};
}

std::string set_vendor(Settings& s, Row row, Text) {
  auto& extra = s.options.target.extra;
  std::erase_if(extra, [](const auto& e) { return e.first == "mintel64" || e.first == "mamd64"; });
  extra.emplace_back(row.name(), "");
  return {};
}

std::string set_triple(Settings& s, Row, Text value) {
  s.triple = value;
  return {};
}

template <unsigned bits, bool x32>
std::string set_mode(Settings& s, Row, Text) {
  s.word_mode = bits;
  s.x32_mode = x32;
  return {};
}

std::string add_features(Settings& s, Row, Text value) {
  s.options.target.extra.emplace_back("mattr", value);
  return {};
}

using enum OptionValue;
using enum OptionDialect;

/// The names that --compat takes, separated by commas: a family's in front of the first of its releases.
constexpr auto joined_release_names = [] {
  constexpr auto join = [](char* to) {
    std::size_t size = 0;
    const auto put = [&](std::string_view name) {
      if (size != 0) to ? void(to[size++] = ',') : void(++size);
      for (const char c : name) to ? void(to[size++] = c) : void(++size);
    };
    std::string_view family;
    for (const Release& r : releases) {
      if (r.family != family) put(family = r.family);
      put(r.name);
    }
    return size;
  };
  std::array<char, join(nullptr)> names{};
  join(names.data());
  return names;
}();
constexpr std::string_view release_names(joined_release_names.data(), joined_release_names.size());

// clang-format off
constexpr OptionRow rows[] = {
    // Ours
    {"--target", required, both, false, "", "TRIPLE",
     "make objects for this target (x86_64-linux-gnu, i386-linux-gnu, x86_64-linux-gnux32, ...)", set_triple},
    {"--compat", required, both, false, release_names, "",
     "whose object to make where the assemblers differ: GNU as's or llvm-mc's, of a release (--version names the default)",
     set_release},
    {"-fsyntax-only", none, both, true, "", "",
     "check the input and write nothing", set_program_flag<&ProgramOptions::no_output>},
    {"-fmax-errors", required, both, false, "", "N",
     "stop showing errors after N (default 100; 0: show all)", set_max_errors},
    {"--threads", required, both, false, "", "N",
     "use up to N threads for large inputs (default: $XAS_THREADS, or 1; 0: as many as there are processors)",
     set_threads},
    {"--diagnostics-format", required, both, true, "text,json,sarif,gnu", "",
     "how errors and warnings are written to standard error; gnu: in GNU as's words", set_diagnostics_format},
    {"--color", optional, both, true, "auto,always,never,true,false", "WHEN",
     "colour errors and warnings (default: on a terminal)", set_color},
    {"-ffile-prefix-map", required, both, false, "", "OLD=NEW", "same as --debug-prefix-map", map_prefix},
    {"-fmacro-prefix-map", required, both, true, "", "OLD=NEW", "for the C preprocessor: __FILE__",
     [](Settings& s, Row r, Text v) { return to_preprocessor(s, r, fmt::format("={}", v)); }},
    {"--preprocess", none, both, true, "", "",
     "run the C preprocessor ($XAS_CPP, TRIPLE-gcc -E or cc -E) first; xas does so by itself for .S and .sx",
     set_program_flag<&ProgramOptions::preprocess>},
    {"-D", short_optional, both, true, "", "[NAME[=VALUE]]", "for the C preprocessor", to_preprocessor},
    {"-U", short_joined, both, true, "", "NAME", "for the C preprocessor", to_preprocessor},
    {"-MF", required, both, true, "", "FILE", "where -MD and -MMD write", set_depfile},
    {"-MMD", none, both, true, "", "", "as -MD, without headers of the system", make_user_dependencies},
    {"-MP", none, both, true, "", "", "with -MD: a rule without prerequisites for each included file",
     set_program_flag<&ProgramOptions::phony_dependencies>},
    {"-MT", required, both, true, "", "TARGET", "with -MD: the target of the rule", add_depfile_target<false>},
    {"-MQ", required, both, true, "", "TARGET", "the same, quoted for make", add_depfile_target<true>},
    // To GNU as it means -W -a -l -l. Whoever writes it wants warnings, and they are on.
    {"-Wall", none, both, false, "", "", "ignored: warnings are on", ignore},

    // GNU as, all targets
    {"-a", short_optional, gnu, false, "", "[cdghlmns][=FILE]",
     "listing; to FILE, or standard output", set_listing},
    {"--alternate", none, both, false, "", "", "start as after .altmacro", set_flag<&Options::start_in_altmacro>},
    {"--compress-debug-sections", optional, both, false, "zlib,none,zlib-gabi,zlib-gnu,zstd", "",
     "compress debug sections", set_compression},
    // What is left of the name when it is abbreviated as far as GNU as lets one.
    {"-c", none, gnu, false, "", "", "same as --compress-debug-sections",
     [](Settings& s, Row r, Text) { return set_compression(s, r, "zlib"); }},
    {"--nocompress-debug-sections", none, gnu, false, "", "", "don't compress debug sections",
     [](Settings& s, Row r, Text) { return set_compression(s, r, "none"); }},
    {"--debug-prefix-map", required, both, false, "", "OLD=NEW",
     "write NEW for paths that begin with OLD in debug information", map_prefix},
    {"--defsym", required, both, false, "", "NAME=NUMBER", "define an absolute symbol", define_symbol},
    {"--dump-config", none, gnu, true, "", "",
     "say what xas is set up for, and exit", set_program_flag<&ProgramOptions::dump_config>},
    {"--emulation", required, gnu, false, "", "NAME", "xas has no emulations; see --target", unavailable},
    {"--elf-stt-common", required, gnu, false, "no,yes", "", "give common symbols the type STT_COMMON",
     [](Settings& s, Row, Text v) { s.options.elf_stt_common = v == "yes"; return std::string(); }},
    {"--execstack", none, gnu, false, "", "", "mark the object as needing an executable stack", set_stack<true>},
    {"--noexecstack", none, both, false, "", "",
     "mark the object as not needing an executable stack", set_stack<false>},
    {"--size-check", required, gnu, false, "error,warning", "", "what a .size that can't be computed is",
     [](Settings& s, Row, Text v) { s.options.size_errors_are_warnings = v == "warning"; return std::string(); }},
    {"--sectname-subst", none, gnu, false, "", "", "%S in a section's name is the current section's",
     set_flag<&Options::sectname_subst>},
    {"--generate-missing-build-notes", required, gnu, false, "no,yes", "", "GNU build attribute notes",
     [](Settings& s, Row, Text v) { s.options.build_notes = v == "yes"; return std::string(); }},
    {"--gsframe", none, both, false, "", "", "write .sframe from call frame information", set_flag<&Options::gsframe>},
    {"--scfi", required, gnu, false, "experimental", "",
     "x86-64 and AArch64: make call frame information from what instructions do, and ignore .cfi_ directives",
     set_target_flag<&TargetOptions::frame_steps>},
    {"-f", none, gnu, false, "", "", "ignored", ignore},
    {"--info", none, gnu, false, "", "", "ignored: there are no messages of this kind", ignore},
    {"--no-info", none, gnu, false, "", "", "ignored: there are no messages of this kind", ignore},
    {"-g", none, both, false, "", "", "line information for the assembly source", set_flag<&Options::debug_lines>},
    {"--gen-debug", none, gnu, false, "", "", "same as -g", set_flag<&Options::debug_lines>},
    {"--gstabs", none, gnu, false, "", "", "line information for the assembly source as stabs",
     set_flag<&Options::stabs>},
    {"--gstabs+", none, gnu, false, "", "", "the same, and the working folder",
     [](Settings& s, Row, Text) { s.options.stabs = s.options.stabs_gnu = true; return std::string(); }},
    {"--gdwarf-2", none, gnu, false, "", "", "-g in DWARF 2; also the line table's version", set_dwarf<2>},
    {"--gdwarf2", none, gnu, false, "", "", "same as --gdwarf-2", set_dwarf<2>},
    {"--gdwarf-3", none, gnu, false, "", "", "-g in DWARF 3; also the line table's version", set_dwarf<3>},
    {"--gdwarf-4", none, gnu, false, "", "", "-g in DWARF 4; also the line table's version", set_dwarf<4>},
    {"--gdwarf-5", none, gnu, false, "", "", "-g in DWARF 5; also the line table's version", set_dwarf<5>},
    {"--gdwarf-sections", none, gnu, false, "", "",
     "a .debug_line section for each code section", set_flag<&Options::line_sections>},
    {"--gdwarf-cie-version", required, gnu, false, "1,3,4", "", "version of call frame information",
     [](Settings& s, Row, Text v) { s.options.cie_version = u8(v[0] - '0'); return std::string(); }},
    {"--gcodeview", none, gnu, false, "", "", "line information for the assembly source as CodeView (COFF)",
     set_flag<&Options::codeview_lines>},
    {"--hash-size", required, gnu, false, "", "N", "ignored", ignore},
    {"--reduce-memory-overheads", none, gnu, false, "", "", "ignored", ignore},
    {"--help", none, both, true, "", "", "show this and exit", set_program_flag<&ProgramOptions::help>},
    {"-h", none, both, true, "", "", "same as --help", set_program_flag<&ProgramOptions::help>},
    {"--target-help", none, gnu, true, "", "",
     "show the targets' options and exit", set_program_flag<&ProgramOptions::target_help>},
    {"-I", short_joined, both, false, "", "DIR", "look for .include and .incbin files here", add_include_dir},
    {"-J", none, gnu, false, "", "", "ignored", ignore},
    {"-K", none, gnu, false, "", "", "altered .word tables are unknown to these targets", unavailable},
    {"-L", none, gnu, false, "", "", "same as --keep-locals", set_flag<&Options::keep_locals>},
    {"--keep-locals", none, gnu, false, "", "", "keep local (.L) symbols", set_flag<&Options::keep_locals>},
    {"-M", none, gnu, false, "", "", "same as --mri", set_flag<&Options::mri>},
    {"--mri", none, gnu, false, "", "", "MRI mode: macros with numbered arguments", set_flag<&Options::mri>},
    {"--MD", optional_file, both, true, "", "FILE",
     "write what the object depends on there, as a rule for make (default: the object's name with .d)",
     make_dependencies},
    {"--multibyte-handling", required, gnu, false, "allow,warn,warn-sym-only,warn_sym_only", "",
     "what to do about bytes above 127", set_multibyte},
    {"--nocpp", none, gnu, false, "", "", "ignored", ignore},
    {"--no-pad-sections", none, gnu, false, "", "",
     "don't pad sections to their alignment", set_flag<&Options::no_pad_sections>},
    {"-o", short_joined, both, true, "", "FILE",
     "write the object there (default: a.out; standard output with --compat=llvm)", set_output},
    {"-R", none, gnu, false, "", "", "put .data into .text", set_flag<&Options::data_in_text>},
    {"--statistics", none, both, true, "", "",
     "say how much time and memory was used", set_program_flag<&ProgramOptions::statistics>},
    {"--strip-local-absolute", none, gnu, false, "", "",
     "leave local absolute symbols out", set_flag<&Options::strip_local_absolute>},
    {"--traditional-format", none, gnu, false, "", "", "there is no native assembler to be like", not_followed},
    {"-v", none, both, true, "", "", "show the version and go on", set_program_flag<&ProgramOptions::print_version>},
    {"--verbose", none, gnu, true, "", "", "same as -v", set_program_flag<&ProgramOptions::print_version>},
    {"--version", none, both, true, "", "", "show the version and exit", set_program_flag<&ProgramOptions::version>},
    {"-W", none, gnu, false, "", "", "same as --no-warn", set_flag<&Options::no_warnings>},
    {"--no-warn", none, both, false, "", "", "no warnings", set_flag<&Options::no_warnings>},
    {"--warn", none, gnu, false, "", "", "warnings (default)",
     [](Settings& s, Row, Text) { s.options.no_warnings = s.options.fatal_warnings = false; return std::string(); }},
    {"--fatal-warnings", none, both, false, "", "", "warnings are errors", set_flag<&Options::fatal_warnings>},
    {"-w", none, gnu, false, "", "", "ignored", ignore},
    {"-X", none, gnu, false, "", "", "ignored", ignore},
    {"-Z", none, gnu, true, "", "", "an object is never written after errors", not_followed},
    {"--listing-lhs-width", required, gnu, false, "", "N", "words of data beside a listing's line (default 1)",
     set_listing_size<&ListingOptions::lhs_width>},
    {"--listing-lhs-width2", required, gnu, false, "", "N", "words of data on the lines that continue it",
     set_listing_size<&ListingOptions::lhs_width2>},
    {"--listing-rhs-width", required, gnu, false, "", "N", "characters of a listing's source lines (default 100)",
     set_listing_size<&ListingOptions::rhs_width>},
    {"--listing-cont-lines", required, gnu, false, "", "N", "lines that continue a line's data (default 4)",
     set_listing_size<&ListingOptions::cont_lines>},
    {"--itbl", required, gnu, false, "", "FILE", "tables of further instructions", unavailable},
    {"-t", short_joined, gnu, false, "", "FILE", "tables of further instructions", unavailable},

    // GNU as, AArch64
    {"-EL", none, gnu, false, "", "", "AArch64, ARM: data are little-endian", to_target},
    {"-EB", none, gnu, false, "", "", "AArch64, ARM: data are big-endian", to_target},
    {"-mlittle-endian", none, gnu, false, "", "", "AArch64, ARM: data are little-endian", to_target},
    {"-mbig-endian", none, gnu, false, "", "", "AArch64, ARM: data are big-endian", to_target},
    {"-mabi", required, gnu, false, "lp64,ilp32", "", "AArch64: size of addresses", to_aarch64},

    // GNU as, ARM (-march, -mcpu and the byte orders are the other targets' too)
    {"-mthumb", none, gnu, false, "", "", "ARM: begin with Thumb code", to_target},
    {"-mimplicit-it", required, gnu, false, "arm,always,never,thumb", "",
     "ARM: where conditional instructions may stand outside of IT blocks", to_target},
    {"-mfpu", required, gnu, false, "", "NAME", "ARM: the floating-point unit, for the build attributes", to_target},
    {"-mfloat-abi", required, gnu, false, "soft,softfp,hard", "", "ARM: ignored", to_arm},
    {"-meabi", required, gnu, false, "5,4,gnu", "", "ARM: version of the ABI", to_arm},
    {"--fix-v4bx", none, gnu, false, "", "", "ARM: bx may be used on Armv4, where linkers replace it", to_target},
    {"--fdpic", none, both, false, "", "", "ARM: objects of the ABI with function descriptors", to_target},
    {"-mthumb-interwork", none, gnu, false, "", "", "ARM: `adr` of a function in Thumb code has bit 0", to_target},
    {"-mccs", none, gnu, false, "", "", "ARM: the syntax of Code Composer Studio", to_target},
    {"-mwarn-deprecated", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mno-warn-deprecated", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-32", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-26", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-float", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-reentrant", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-frame", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mapcs-stack-check", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mwarn-restrict-it", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mno-warn-restrict-it", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mwarn-syms", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mno-warn-syms", none, gnu, false, "", "", "ARM: ignored", to_target},
    {"-mfp16-format", required, gnu, false, "", "ieee|alternative", "ARM: format of half precision",
     to_target},

    // GNU as, x86
    {"--32", none, gnu, false, "", "", "x86: 32-bit code, ELF32", set_mode<32, false>},
    {"--64", none, gnu, false, "", "", "x86: 64-bit code, ELF64", set_mode<64, false>},
    {"--x32", none, gnu, false, "", "", "x86: 64-bit code with 32-bit addresses, ELF32", set_mode<64, true>},
    // On Linux, GNU as ignores it: '/' begins a comment only at the start of a line, with it or without.
    {"--divide", none, gnu, false, "", "", "x86: ignored", ignore},
    {"-n", none, gnu, false, "", "", "x86: alignment filled with no-ops keeps them single",
     set_target_flag<&TargetOptions::no_op_fills, false>},
    {"-q", none, gnu, false, "", "", "x86: fewer warnings", to_target},
    {"-O", short_optional, gnu, false, "", "[012s]", "x86: choose shorter encodings", set_optimization},
    {"-Q", short_joined, gnu, false, "y,n", "", "x86: ignored", ignore},
    {"-V", none, gnu, true, "", "", "x86: same as -v", set_program_flag<&ProgramOptions::print_version>},
    {"-k", none, gnu, false, "", "", "ARM: with -meabi=gnu, code is position-independent; x86: ignored", to_target},
    {"-s", none, gnu, false, "", "", "x86: ignored", ignore},
    {"-march", required, gnu, false, "", "CPU[+EXT|+noEXT]...",
     "accept only what this processor has (default: everything)", set_target_text<&TargetOptions::arch>},
    {"-mtune", required, gnu, false, "", "CPU", "x86: whose no-ops to pad with", set_target_text<&TargetOptions::tune>},
    {"-msse2avx", none, gnu, false, "", "", "x86: encode SSE instructions as AVX", to_target},
    {"-muse-unaligned-vector-move", none, gnu, false, "", "",
     "x86: encode aligned vector moves as unaligned ones", to_target},
    {"-msse-check", required, gnu, false, "none,warning,error", "", "x86: what an SSE instruction is", to_target},
    {"-moperand-check", required, gnu, false, "warning,none,error", "",
     "x86: what an odd combination of operands is", to_target},
    {"-mtls-check", required, gnu, false, "yes,no", "",
     "x86: whether relocations for thread-local storage stand in sequences that linkers know (from 2.44 on)", to_target},
    {"-mavxscalar", required, gnu, false, "128,256", "", "x86: VEX.L of scalar AVX instructions", to_target},
    {"-mvexwig", required, gnu, false, "0,1", "", "x86: VEX.W where it is ignored", to_target},
    {"-mevexlig", required, gnu, false, "128,256,512", "", "x86: EVEX.LL of scalar instructions", to_target},
    {"-mevexwig", required, gnu, false, "0,1", "", "x86: EVEX.W where it is ignored", to_target},
    {"-mevexrcig", required, gnu, false, "rne,rd,ru,rz", "", "x86: EVEX.RC where it is ignored", to_target},
    {"-mmnemonic", required, gnu, false, "att,intel", "", "x86: whose names instructions have", to_target},
    {"-msyntax", required, gnu, false, "att,intel", "", "x86: syntax of operands at the start", set_intel_syntax},
    {"-mindex-reg", none, gnu, false, "", "", "x86: eiz and riz are registers without %, too", to_target},
    {"-mnaked-reg", none, gnu, false, "", "",
     "x86: registers need no %", set_target_flag<&TargetOptions::naked_registers>},
    {"-madd-bnd-prefix", none, gnu, false, "", "", "x86: BND prefix on all branches", to_target},
    {"-mshared", none, gnu, false, "", "",
     "x86: branches to global symbols are left to the linker", set_flag<&Options::mshared>},
    {"-mx86-used-note", required, gnu, false, "no,yes", "", "x86: note of the features that are used", to_target},
    {"-mbig-obj", none, gnu, false, "", "", "COFF: more than 32768 sections", set_flag<&Options::big_obj>},
    {"-momit-lock-prefix", required, gnu, false, "no,yes", "", "x86: leave LOCK prefixes out", to_target},
    {"-mfence-as-lock-add", required, gnu, false, "no,yes", "", "x86: fences as lock addl $0x0, (%rsp)", to_target},
    {"-mrelax-relocations", required, gnu, false, "yes,no", "",
     "x86: relocations that let the linker relax GOT accesses", set_relax_relocations},
    {"-malign-branch-boundary", required, gnu, false, "", "N",
     "x86: keep branches within blocks of N bytes", to_target},
    {"-malign-branch", required, gnu, false, "", "KIND[+KIND]...",
     "x86: which: jcc fused jmp call ret indirect", to_target},
    {"-malign-branch-prefix-size", required, gnu, false, "5,0,1,2,3,4", "",
     "x86: how many prefixes may pad an instruction", to_target},
    {"-mbranches-within-32B-boundaries", none, gnu, false, "", "",
     "x86: keep jumps within blocks of 32 bytes", to_target},
    {"-mlfence-after-load", required, gnu, false, "no,yes", "", "x86: lfence after loads", to_target},
    {"-mlfence-before-indirect-branch", required, gnu, false, "none,all,register,memory", "",
     "x86: lfence before indirect branches", to_target},
    {"-mlfence-before-ret", required, gnu, false, "none,or,not,shl,yes", "", "x86: lfence before ret", to_target},
    {"-mamd64", none, gnu, false, "", "", "x86: far branches as AMD encodes them (default), no sysenter",
     set_vendor},
    {"-mintel64", none, gnu, false, "", "", "x86: far branches as Intel encodes them", set_vendor},

    // llvm-mc
    {"-triple", required, llvm, false, "", "TRIPLE",
     "same as --target", set_triple},
    {"-arch", required, llvm, false, "", "NAME",
     "the target's architecture", [](Settings& s, Row, Text v) { s.architecture = v; return std::string(); }},
    {"-arm-implicit-it", required, llvm, false, "arm,always,never,thumb", "", "same as -mimplicit-it",
     [](Settings& s, Row, Text value) { return as_target_option(s, "mimplicit-it", value); }},
    {"-mcpu", required, llvm, false, "", "CPU", "the processor", set_target_text<&TargetOptions::cpu>},
    {"-mattr", required, llvm, false, "", "+A,-B,...",
     "features",
     add_features},
    {"-filetype", required, llvm, false, "obj,null,raw,hex,asm", "",
     "what to write: an object (default), the bytes of its only section, or of each line in hexadecimal", set_filetype},
    {"-assemble", none, llvm, true, "", "", "ignored: it is what xas does", ignore},
    {"-disassemble", none, llvm, true, "", "", "xas doesn't disassemble", unavailable},
    {"-mdis", none, llvm, true, "", "", "xas doesn't disassemble", unavailable},
    {"-cdis", none, llvm, true, "", "", "xas doesn't disassemble", unavailable},
    {"-as-lex", none, llvm, true, "", "", "xas has no tokens to show", unavailable},
    {"-hex", none, llvm, true, "", "", "xas doesn't disassemble", unavailable},
    {"-x86-asm-syntax", required, llvm, false, "att,intel", "", "same as -msyntax", set_intel_syntax},
    {"-mc-relax-all", boolean, llvm, false, "", "",
     "every branch in its longest form", set_target_flag<&TargetOptions::relax_all>},
    {"-dwarf-version", required, llvm, false, "", "N", "version of line tables and of -g", set_dwarf_version},
    {"-dwarf64", boolean, llvm, false, "", "", "the 64-bit format of DWARF", set_flag<&Options::dwarf64>},
    {"-position-independent", boolean, llvm, false, "", "", "position-independent code", set_flag<&Options::pic>},
    {"-large-code-model", boolean, llvm, false, "", "",
     "8-byte pointers in .eh_frame", set_flag<&Options::large_code_model>},
    {"-save-temp-labels", boolean, llvm, false, "", "",
     "keep local (.L) symbols", set_flag<&Options::save_temp_labels>},
    {"-implicit-mapsyms", boolean, llvm, false, "", "",
     "AArch64: no mapping symbols for what a section begins with as a rule", set_flag<&Options::implicit_mapping_symbols>},
    {"-x86-relax-relocations", optional, llvm, false, "1,0,true,false", "",
     "same as -mrelax-relocations", set_relax_relocations},
    {"-relax-relocations", optional, llvm, false, "1,0,true,false", "",
     "same as -mrelax-relocations", set_relax_relocations},
    {"-fdebug-prefix-map", required, llvm, false, "", "OLD=NEW", "same as --debug-prefix-map", map_prefix},
    {"-fdebug-compilation-dir", required, llvm, false, "", "DIR",
     "the working folder to write into debug information", set_text<&Options::working_dir>},
    {"-main-file-name", required, llvm, false, "", "NAME",
     "the input's name to write into debug information", set_text<&Options::main_file>},
    {"-dwarf-debug-producer", required, llvm, false, "", "TEXT",
     "DW_AT_producer of -g, in place of the assembler's name", set_text<&Options::producer>},
    {"-no-exec-stack", boolean, llvm, false, "", "", "same as --noexecstack", set_flag<&Options::no_exec_stack>},
    {"-crel", boolean, llvm, false, "", "", "compact relocations (SHT_CREL)", set_flag<&Options::crel>},
    {"-incremental-linker-compatible", boolean, llvm, false, "", "",
     "COFF: a time stamp", set_flag<&Options::incremental>},
    {"-x86-sse2avx", boolean, llvm, false, "", "",
     "same as -msse2avx", [](Settings& s, Row, Text) { return as_target_option(s, "msse2avx", ""); }},
    {"-arm-add-build-attributes", boolean, llvm, false, "", "",
     "ARM: build attributes begin with those of the processor",
     [](Settings& s, Row, Text) { return as_target_option(s, "arm-add-build-attributes", ""); }},
    {"-x86-align-branch-boundary", required, llvm, false, "", "N", "same as -malign-branch-boundary",
     [](Settings& s, Row, Text v) { return as_target_option(s, "malign-branch-boundary", v); }},
    {"-x86-align-branch", required, llvm, false, "", "KIND[+KIND]...", "same as -malign-branch",
     [](Settings& s, Row, Text v) { return as_target_option(s, "malign-branch", v); }},
    {"-x86-pad-max-prefix-size", required, llvm, false, "", "N", "same as -malign-branch-prefix-size",
     [](Settings& s, Row, Text v) { return as_target_option(s, "malign-branch-prefix-size", v); }},
    {"-x86-branches-within-32B-boundaries", boolean, llvm, false, "", "", "same as -mbranches-within-32B-boundaries",
     [](Settings& s, Row, Text) { return as_target_option(s, "mbranches-within-32B-boundaries", ""); }},
    {"-x86-pad-for-align", boolean, llvm, false, "", "", "x86: longer instructions in place of no-ops",
     [](Settings& s, Row, Text v) { return as_target_option(s, "x86-pad-for-align", v); }},
    {"-x86-pad-for-branch-align", optional, llvm, false, "true,false,1,0", "", "ignored", ignore},
    {"-asm-macro-max-nesting-depth", required, llvm, false, "", "N", "how deep macros may nest", set_macro_depth},
    {"-split-dwarf-file", required, llvm, false, "", "FILE", "a second object for .dwo sections", unavailable},
    {"-n", none, llvm, false, "", "", "the text does not begin in .text, but chooses a section first",
     set_flag<&Options::no_initial_section>},
    {"-masm-hexfloats", boolean, llvm, false, "", "", "MASM's hexadecimal floating-point numbers", unavailable},
    {"-masm-integers", boolean, llvm, false, "", "", "numbers like 0ffh, 101b, 17o and 12t",
     set_flag<&Options::masm_integers>},
    {"-motorola-integers", boolean, llvm, false, "", "", "numbers like $ff and %101",
     set_flag<&Options::motorola_integers>},
    {"-target-abi", required, llvm, false, "", "NAME", "ignored", ignore},
    {"-emit-dwarf-unwind", required, llvm, false, "", "WHEN", "ignored", ignore},
    {"-emit-compact-unwind-non-canonical", boolean, llvm, false, "", "", "ignored", ignore},
    {"-show-encoding", boolean, llvm, true, "", "",
     "write each instruction with its bytes and fields, in place of an object", set_show_encoding},
    {"-show-inst", boolean, llvm, true, "", "", "ignored: no assembly is printed", ignore},
    {"-show-inst-operands", boolean, llvm, true, "", "", "ignored: no assembly is printed", ignore},
    {"-asm-show-inst", boolean, llvm, true, "", "", "ignored: no assembly is printed", ignore},
    {"-output-asm-variant", required, llvm, true, "", "N", "ignored: no assembly is printed", ignore},
    {"-preserve-comments", boolean, llvm, true, "", "", "ignored: no assembly is printed", ignore},
    {"-print-imm-hex", boolean, llvm, true, "", "", "ignored: no assembly is printed", ignore},
    {"-M", short_joined, llvm, true, "", "OPTION", "ignored: no assembly is printed", ignore},
    {"-validate-cfi", boolean, llvm, false, "", "", "ignored", ignore},
    {"-no-deprecated-warn", boolean, llvm, false, "", "", "ignored", ignore},
    {"-no-type-check", boolean, llvm, false, "", "", "ignored", ignore},
    {"-runs", required, llvm, true, "", "N", "ignored", ignore},
    {"-stats", boolean, llvm, true, "", "", "same as --statistics", set_program_flag<&ProgramOptions::statistics>},
};
// clang-format on

}  // namespace

std::span<const OptionRow> option_table() { return rows; }

namespace {

/// The profile for the target, of which the target is told what it decides as a whole.
void choose_profile(const Release& release, Options& to) {
  to.profile = profile_for(release, to.target.machine, to.target.format, to.target.bits);
  to.target.gnu = to.profile.gnu_target;
  to.target.release = to.profile.target_release;
}

}  // namespace

bool Settings::select_release(std::string_view name) {
  const Release* const found = find_release(name);
  if (!found) return false;
  release = found;
  choose_profile(*release, options);
  return true;
}

std::string Settings::effective_triple() const {
  std::string t(!triple.empty() ? triple : !implied_triple.empty() ? implied_triple : host::default_triple());
  if (!architecture.empty()) t.replace(0, t.find('-'), architecture);
  return t;
}

std::string Settings::finish(Options& to) const {
  std::string name = effective_triple();
  Triple t = parse_triple(name);
  if (t.machine == Machine::unknown) {
    return fmt::format(
        "target '{}' is not supported; x86_64, i386, aarch64 and arm are (x86_64-linux-gnu, arm-linux-gnueabihf, ...)",
        name);
  }
  if (!t.known_format)
    return fmt::format("target '{}' uses an object format that xas does not write; it writes ELF and COFF", name);
  to.target.format = t.format;
  to.os_abi = t.os_abi;
  to.target.bits = t.bits;
  to.target.x32 = t.x32;
  to.target.big_endian = t.big_endian;
  to.target.machine = t.machine;
  to.target.thumb = t.thumb;
  if (t.mcu) to.target.extra.emplace_back("mcu", "");
  if (t.machine == Machine::arm) {
    to.target.extra.emplace_back("architecture", t.sub_architecture);
    const bool itanium = name.find("itanium") != name.npos;  // GNU's names of labels
    if (t.msvc && !itanium) to.target.extra.emplace_back("msvc", "");
    if (name.find("android") != name.npos) to.target.extra.emplace_back("android", "");
  }
  if (word_mode) {
    to.target.bits = word_mode;
    to.target.x32 = x32_mode;
  }
  to.msvc = t.msvc;
  if (t.format == ObjectFormat::coff && to.dwarf64)
    return "COFF objects have no 64-bit DWARF: sections are not that large";
  if (to.dwarf64 && to.dwarf_version && to.dwarf_version < 3) return "DWARF 2 has no 64-bit format";
  if (t.arm64ec) to.target.extra.emplace_back("arm64ec", "");
  if (t.machine == Machine::x86) {
    for (const auto& [option, value] : to.target.extra) {
      if (option == "EL" || option == "EB" || option == "mlittle-endian" || option == "mbig-endian")
        return fmt::format(
            "'-{}' is for AArch64 and ARM, and the target is {}; a compiler for another target needs "
            "-Wa,--target=TRIPLE, or xas under the name TRIPLE-as",
            option, name);
    }
  }
  choose_profile(*release, to);
  if (to.dwarf_version > to.profile.newest_dwarf_version)
    return fmt::format("DWARF {} is not what this release has; the newest is {}", to.dwarf_version,
                       to.profile.newest_dwarf_version);
  const bool has_frame_steps =
      t.format == ObjectFormat::elf &&
      (t.machine == Machine::aarch64 || (t.machine == Machine::x86 && to.target.bits == 64 && !to.target.x32));
  if (to.target.frame_steps && !has_frame_steps)
    return fmt::format("--scfi makes frames for ELF objects of x86-64 and AArch64, and the target is {}", name);
  if (t.format != ObjectFormat::coff && to.codeview_lines) return "--gcodeview: CodeView is for COFF objects";
  if (t.format == ObjectFormat::coff && to.profile.coff_debug_is_stabs && to.debug_lines && !to.dwarf_version)
    to.stabs = true;
  return {};
}

}  // namespace xas
