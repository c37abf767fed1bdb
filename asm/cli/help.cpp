// SPDX-License-Identifier: Apache-2.0
// Version and help.
//
// The version lines are read by programs that ask whether the assembler is "GNU as or the like", and each looks at
// another part of them:
//   - Linux (scripts/as-version.sh): the first words are "GNU assembler", the last word is the version
//   - CMake: one of "GNU assembler", "GCC", "Free Software Foundation" somewhere
//   - glibc's configure: "GNU assembler", then anything, a blank and a version
//   - GCC's configure: the first line contains "GNU"
//   - OpenSSL, Crypto++: "GNU assembler version" and a version, in the output of -v
//   - pwntools: the first blank with digit, dot and digits behind it is the version
//   - others: the first number of the first line
// So the version of GNU as whose behaviour this is is the only number in the first line, and its last word.

#include "asm/cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/options/table.h"
#include "asm/options/triple.h"
#include "asm/text/append.h"
#include "xas/xas.h"

namespace xas::cli {
namespace {

/// The version of GNU as that programs are told: the release's, or of another family's the one that --compat=gnu means.
std::string_view compatible_version(const Settings& settings) {
  const Release& gnu = settings.release->family == "gnu" ? *settings.release : *find_release("gnu");
  return gnu.name.substr(gnu.family.size() + 1);
}

std::string shown_form(const OptionRow& row) {
  std::string form(row.spelling);
  std::string_view meta = row.meta.empty() ? row.values : row.meta;
  std::string choices;
  for (char c : meta) choices += c == ',' && row.meta.empty() ? '|' : c;
  switch (row.value) {
    case OptionValue::none:
    case OptionValue::boolean: break;
    case OptionValue::required: form += "=" + choices; break;
    case OptionValue::optional: form += "[=" + choices + "]"; break;
    case OptionValue::short_joined: form += " " + choices; break;
    case OptionValue::short_optional: form += choices; break;
    case OptionValue::optional_file: form += " [" + choices + "]"; break;
  }
  return form;
}

constexpr struct {
  OptionMachines machines;
  Machine machine;
  std::string_view name;
} machines[] = {
    {on_x86, Machine::x86, "x86"}, {on_aarch64, Machine::aarch64, "AArch64"}, {on_arm, Machine::arm, "ARM"}};

/// "ARM: ", of an option that not all targets have.
std::string machines_prefix(const OptionRow& row) {
  std::string prefix;
  if (row.machines == on_all) return prefix;
  for (const auto& m : machines)
    if (row.machines & m.machines) append(prefix, "{}{}", prefix.empty() ? "" : ", ", m.name);
  return prefix.empty() ? prefix : prefix + ": ";
}

/// "with --compat=llvm: ", of an option that is another one in the other family.
std::string family_prefix(const OptionRow& row) {
  const auto is_other = [&row](const OptionRow& r) { return r.spelling == row.spelling && r.dialect != row.dialect; };
  if (std::ranges::none_of(option_table(), is_other)) return {};
  return fmt::format("with --compat={}: ", row.dialect == OptionDialect::llvm ? "llvm" : "gnu");
}

void add_row(std::string& out, const OptionRow& row, std::string_view prefix) {
  constexpr std::size_t column = 34;
  std::string form = shown_form(row);
  if (form.size() + 4 > column) {
    append(out, "  {}\n{:{}}{}{}\n", form, "", column, prefix, row.help);
  } else {
    append(out, "  {:{}}{}{}\n", form, column - 2, prefix, row.help);
  }
}

}  // namespace

std::string version_text(const Settings& settings) {
  return fmt::format(
      "GNU assembler compatible (xas) {}\n"
      "This is xas {}, not GNU as: it takes its options and makes its objects. Licensed under the Apache License 2.0.\n"
      "Objects are those of {} (--compat).\n"
      "This assembler is set up for a target of `{}'.\n",
      compatible_version(settings), xas_version(), settings.release->name, settings.effective_triple());
}

std::string version_line(const Settings& settings) {
  return fmt::format("GNU assembler version {} compatible (xas-{}, {})\n", compatible_version(settings), xas_version(),
                     settings.effective_triple());
}

std::string config_text(const Settings& settings) {
  const std::string triple = settings.effective_triple();
  return fmt::format(
      "alias = {0}\ncanonical = {0}\ncpu-type = {1}\nversion = xas-{2}\ncompatible = {3}\ncompat = {4}\n", triple,
      triple.substr(0, triple.find('-')), xas_version(), compatible_version(settings), settings.release->name);
}

std::string help_text(std::string_view program) {
  std::string out = fmt::format(
      "Usage: {} [option...] [file...]\n"
      "Assembles the files, one after the other, to one object. No file, or -, is standard input.\n"
      "@FILE stands for the options in FILE. Long options may have one dash or two.\n\n"
      "Options of xas and GNU as:\n",
      program);
  for (const OptionRow& row : option_table()) {
    if (row.dialect != OptionDialect::llvm) add_row(out, row, family_prefix(row) + machines_prefix(row));
  }
  out += "\nOptions of llvm-mc, accepted too:\n";
  for (const OptionRow& row : option_table()) {
    if (row.dialect == OptionDialect::llvm) add_row(out, row, family_prefix(row) + machines_prefix(row));
  }
  return out;
}

std::string target_help_text(const Settings& settings) {
  const Machine machine = parse_triple(settings.effective_triple()).machine;
  std::string out;
  for (const auto& m : machines) {
    if (m.machine != machine) continue;
    append(out, "{} options:\n", m.name);
    for (const OptionRow& row : option_table())
      if (row.machines & m.machines) add_row(out, row, {});
  }
  return out;
}

}  // namespace xas::cli
