// SPDX-License-Identifier: Apache-2.0
// Arguments to rows of the option table.
//
// GNU as reads its command line with getopt_long_only: long options may have one dash or two, may be shortened as long
// as that is unique, and take a value behind '=' or as the next argument; one-letter options may be run together.
// LLVM's reader allows one dash or two as well. Both are followed here but for one trap: GNU as takes a long option
// that it does not know apart into letters ("-foo" becomes -f -o o, which writes a file named "o"). Here letters that
// are run together must all be options without values; anything else is an unknown option.

#include <fmt/format.h>

#include <algorithm>

#include "asm/options/table.h"
#include "targets/nearest_name.h"

namespace xas {
namespace {

bool of_dialect(const OptionRow& row, bool llvm) {
  return row.dialect == OptionDialect::both || (row.dialect == OptionDialect::llvm) == llvm;
}

bool takes_short_value(const OptionRow& row) {
  return row.value == OptionValue::short_joined || row.value == OptionValue::short_optional;
}

/// An argument taken apart: what row it means and where its value begins.
struct Match {
  const OptionRow* row = nullptr;
  bool has_value = false;
  std::string_view value;
  bool ambiguous = false;
};

/// The row of exactly this name. The profile's own come first.
const OptionRow* find_exact(std::string_view name, bool two_dashes, bool llvm) {
  const OptionRow* other = nullptr;
  for (const OptionRow& row : option_table()) {
    if (row.name() != name) continue;
    // "--o" is not "-o" to getopt, but it is to LLVM.
    if (two_dashes && row.is_short() && row.dialect == OptionDialect::gnu) continue;
    if (of_dialect(row, llvm)) return &row;
    if (!other) other = &row;
  }
  return other;
}

/// The only GNU long option that begins so.
Match find_abbreviation(std::string_view name, bool has_value) {
  Match m;
  for (const OptionRow& row : option_table()) {
    if (row.dialect == OptionDialect::llvm || row.is_short() || row.name().substr(0, name.size()) != name) continue;
    if (has_value && row.value == OptionValue::none) continue;
    if (m.row && m.row->set != row.set) m.ambiguous = true;
    if (!m.row) m.row = &row;
  }
  return m;
}

Match match(std::string_view argument, bool llvm) {
  bool two_dashes = argument.substr(0, 2) == "--";
  std::string_view body = argument.substr(two_dashes ? 2 : 1);
  std::size_t equals = body.find('=');
  Match m;
  m.has_value = equals != std::string_view::npos;
  if (m.has_value) m.value = body.substr(equals + 1);
  std::string_view name = body.substr(0, equals);

  m.row = find_exact(name, two_dashes, llvm);
  // "-o=x" names a file "=x" to GNU as and "x" to LLVM.
  if (m.row && m.has_value && takes_short_value(*m.row) && !two_dashes && !llvm) m.row = nullptr;
  if (m.row) return m;

  if (!two_dashes && !body.empty()) {
    if (const OptionRow* row = find_exact(body.substr(0, 1), false, llvm); row && takes_short_value(*row)) {
      m.row = row;
      m.has_value = body.size() > 1;
      m.value = body.substr(1);
      return m;
    }
    return m;
  }
  if (name.size() < 2) return m;
  Match abbreviation = find_abbreviation(name, m.has_value);
  m.row = abbreviation.row;
  m.ambiguous = abbreviation.ambiguous;
  return m;
}

bool is_one_of(std::string_view value, std::string_view values) {
  for (std::size_t at = 0; at <= values.size();) {
    std::size_t comma = std::min(values.find(',', at), values.size());
    if (values.substr(at, comma - at) == value) return true;
    at = comma + 1;
  }
  return false;
}

/// Whether the argument behind -MD is the file to write: it is not where a compiler's -MD is meant, which has an option
/// or the source behind it.
bool is_depfile(std::string_view next) {
  if (next.starts_with('-')) return false;
  constexpr std::string_view endings[] = {".s", ".S", ".sx", ".asm", ".o", ".obj"};
  return std::ranges::none_of(endings, [&](std::string_view ending) { return next.ends_with(ending); });
}

std::string unknown_option(std::string_view argument) {
  std::string_view name = argument;
  while (name.starts_with('-')) name.remove_prefix(1);
  name = name.substr(0, name.find('='));
  const OptionRow* best = nullptr;
  unsigned best_distance = name.size() < 4 ? 2 : unsigned(std::min<std::size_t>(4, name.size() / 3 + 2));
  for (const OptionRow& row : option_table()) {
    if (row.is_short()) continue;
    unsigned distance = edit_distance(name, row.name(), best_distance);
    if (distance < best_distance) {
      best_distance = distance;
      best = &row;
    }
  }
  // A compiler's name for it, which no option here is like.
  if (name.starts_with("Werror")) return fmt::format("unknown option '{}'; '--fatal-warnings' is its name", argument);
  if (best) return fmt::format("unknown option '{}'; did you mean '{}'?", argument, best->spelling);
  return fmt::format("unknown option '{}'", argument);
}

/// "-LR": one-letter options without values, run together.
bool apply_bundle(Settings& settings, std::string_view letters, bool llvm) {
  for (char letter : letters) {
    const OptionRow* row = find_exact(std::string_view(&letter, 1), false, llvm);
    if (!row || row->value != OptionValue::none || row->dialect == OptionDialect::llvm) return false;
  }
  for (char letter : letters) {
    const OptionRow* row = find_exact(std::string_view(&letter, 1), false, llvm);
    row->set(settings, *row, {});
  }
  return true;
}

}  // namespace

const OptionRow* find_option(std::string_view argument, bool llvm) {
  Match m = match(argument, llvm);
  return m.ambiguous ? nullptr : m.row;
}

OptionResult apply_option(Settings& settings, std::string_view argument, const char* next, bool in_program) {
  bool llvm = settings.options.profile.llvm_options;
  Match m = match(argument, llvm);
  if (!m.row) {
    if (argument.size() > 2 && argument[1] != '-' && apply_bundle(settings, argument.substr(1), llvm)) return {};
    return {false, unknown_option(argument)};
  }
  const OptionRow& row = *m.row;
  std::string_view spelling = argument.substr(0, argument.find('='));
  auto refuse = [](std::string message) { return OptionResult{false, std::move(message)}; };
  if (m.ambiguous) return refuse(fmt::format("option '{}' is ambiguous: it may stand for {}", spelling, row.spelling));
  if (row.program && !in_program) {
    return refuse(fmt::format("option '{}' belongs to the program, not to the library", spelling));
  }

  OptionResult result;
  switch (row.value) {
    case OptionValue::none:
      if (m.has_value) return refuse(fmt::format("option '{}' takes no value", spelling));
      break;
    case OptionValue::boolean:
      if (!m.has_value) break;
      if (is_one_of(m.value, "false,FALSE,False,0")) return {};  // all of them are off to begin with
      if (!is_one_of(m.value, "true,TRUE,True,1,")) {
        return refuse(fmt::format("option '{}' is true or false, not '{}'", spelling, m.value));
      }
      m.value = {};
      break;
    case OptionValue::required:
    case OptionValue::short_joined:
      if (m.has_value) break;
      if (!next) {
        return refuse(fmt::format("option '{}' needs a value: {}{}{}", spelling, row.spelling,
                                  row.is_short() ? " " : "=", row.meta.empty() ? row.values : row.meta));
      }
      m.value = next;
      result.took_next = true;
      break;
    case OptionValue::optional_file:
      if (m.has_value || !next || !is_depfile(next)) break;
      m.value = next;
      result.took_next = true;
      break;
    case OptionValue::optional:
    case OptionValue::short_optional: break;
  }
  if (!row.values.empty() && (m.has_value || result.took_next) && !is_one_of(m.value, row.values)) {
    return refuse(fmt::format("option '{}' can't be '{}'; it is one of {}", spelling, m.value, row.values));
  }
  std::string error = row.set(settings, row, m.value);
  if (!error.empty()) return refuse(fmt::format("option '{}': {}", argument, error));
  return result;
}

}  // namespace xas
