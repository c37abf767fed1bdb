// SPDX-License-Identifier: Apache-2.0
// Rules for make: of --MD as GNU as writes them, of -MD, -MMD, -MT, -MQ and -MP as compilers do.

#include "asm/cli/dependencies.h"

#include <algorithm>
#include <vector>

#include "asm/context.h"
#include "asm/text/host.h"

namespace xas::cli {
namespace {

/// A file name as make reads it.
std::string quoted_for_make(std::string_view name) {
  std::string quoted;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == ' ' || name[i] == '\t') {
      // Backslashes in front of a quoted blank count double, all others stand for themselves.
      for (std::size_t k = i; k > 0 && name[k - 1] == '\\'; --k) quoted += '\\';
      quoted += '\\';
    } else if (name[i] == '$') {
      quoted += '$';
    } else if (name[i] == '#') {
      quoted += '\\';
    }
    quoted += name[i];
  }
  return quoted;
}

void add_once(std::vector<std::string>& files, std::string file) {
  if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
}

/// A file that a line marker of the preprocessor names: `# 1 "stdio.h" 1 3`. The flag 3 marks headers of the system.
/// Empty if the line is no marker, or one of text that is in no file ("<built-in>").
std::string file_of_marker(std::string_view line, bool& of_system) {
  if (!line.starts_with("# ") || line.size() < 3 || line[2] < '0' || line[2] > '9') return {};
  const std::size_t quote = line.find('"');
  if (quote == line.npos) return {};
  std::string name;
  std::size_t at = quote + 1;
  for (; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size()) ++at;
    name += line[at];
  }
  of_system = line.substr(std::min(at, line.size())).find(" 3") != line.npos;
  return name.starts_with('<') || name.ends_with('/') ? std::string() : name;
}

void add_headers(std::vector<std::string>& files, std::string_view preprocessed, bool with_system) {
  while (!preprocessed.empty()) {
    const std::string_view line = preprocessed.substr(0, preprocessed.find('\n'));
    preprocessed.remove_prefix(std::min(line.size() + 1, preprocessed.size()));
    bool of_system = false;
    std::string file = file_of_marker(line, of_system);
    if (!file.empty() && (with_system || !of_system)) add_once(files, std::move(file));
  }
}

}  // namespace

std::string default_depfile(const ProgramOptions& program, const std::string& input) {
  const std::string& from = program.output_given && program.output != "-" ? program.output : input;
  const std::size_t dot = from.rfind('.');
  return (dot == from.npos || dot < host::last_name(from) ? from : from.substr(0, dot)) + ".d";
}

std::string dependencies_text(const xas_context* context, const std::string& input, std::string_view preprocessed) {
  const ProgramOptions& program = context->settings.program;
  std::vector<std::string> files;
  if (input != "-") files.push_back(input);
  add_headers(files, preprocessed, !program.no_system_dependencies);
  const char* name;
  for (std::size_t i = 0; (name = xas_dependency_at(context, i)); ++i) add_once(files, name);

  std::string out;
  for (const auto& [target, quote] : program.depfile_targets)
    (out += out.empty() ? "" : " ") += quote ? quoted_for_make(target) : target;
  if (out.empty()) out = quoted_for_make(program.output);
  out += ':';
  std::size_t column = out.size();
  for (const std::string& file : files) {
    const std::string quoted = quoted_for_make(file);
    if (column + quoted.size() > 72) {
      out += " \\\n";
      column = 0;
    }
    (out += ' ') += quoted;
    column += quoted.size() + 1;
  }
  out += '\n';
  if (program.phony_dependencies)
    for (const std::string& file : files)
      if (file != input) (out += quoted_for_make(file)) += ":\n";
  return out;
}

}  // namespace xas::cli
