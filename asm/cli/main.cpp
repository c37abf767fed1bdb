// SPDX-License-Identifier: Apache-2.0
// The program: arguments to options, the library's work, its object to a file and its diagnostics to standard error.
//
// Exit status: 0, or 1 after any error; then no object is left behind, not even one of an earlier run (GNU as does the
// same, so that make never takes an old object for a new one).

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "asm/cli/arguments.h"
#include "asm/cli/dependencies.h"
#include "asm/cli/heap.h"
#include "asm/cli/help.h"
#include "asm/cli/output.h"
#include "asm/cli/preprocess.h"
#include "asm/context.h"
#include "asm/options/table.h"
#include "asm/options/triple.h"
#include "asm/text/host.h"

namespace xas::cli {
namespace {

/// All of it, or false (errno).
bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(std::size_t(n));
  }
  return true;
}

int fail(std::string_view message) {
  write_all(STDERR_FILENO, fmt::format("xas: error: {}\n", message));
  return 1;
}

/// The same in the format that was asked for.
int fail(const ProgramOptions& program, std::string_view message) {
  if (program.format == DiagnosticsFormat::text) return fail(message);
  Report report;
  report.add_error(std::string(message));
  std::string out;
  report.write(out, program.format);
  write_all(STDERR_FILENO, out);
  return 1;
}

int show(std::string_view text) {
  return write_all(STDOUT_FILENO, text) ? 0 : fail(fmt::format("standard output: {}", std::strerror(errno)));
}

/// What is to be known before the options are read: whose option a spelling is depends on the profile, and the first
/// error may be one of the options.
void read_decisive_arguments(Settings& settings, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string_view argument = arguments[i];
    const std::size_t dashes = std::min(argument.find_first_not_of('-'), argument.size());
    if (dashes < 1 || dashes > 2) continue;
    const std::string_view name = argument.substr(dashes, argument.find('=') - dashes);
    const char* const next = i + 1 < arguments.size() ? arguments[i + 1].c_str() : nullptr;
    if (name == "compat" && argument.size() > dashes + name.size())
      settings.select_release(argument.substr(dashes + name.size() + 1));
    else if (name == "diagnostics-format")
      apply_option(settings, arguments[i], next, true);
  }
}

/// Options and inputs. An empty text, or what is wrong with them.
std::string read_arguments(Settings& settings, const std::vector<std::string>& arguments,
                           std::vector<std::string>& inputs) {
  read_decisive_arguments(settings, arguments);
  bool options_end = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!options_end && argument == "--") {
      options_end = true;
    } else if (options_end || argument.size() < 2 || argument[0] != '-') {
      if (argument.empty()) return "an input has no name";
      inputs.push_back(argument);
    } else {
      const char* next = i + 1 < arguments.size() ? arguments[i + 1].c_str() : nullptr;
      OptionResult result = apply_option(settings, argument, next, true);
      if (!result.error.empty()) return result.error;
      i += result.took_next;
    }
  }
  if (inputs.empty()) inputs.push_back("-");
  return {};
}

/// What the environment says in place of options. An empty text, or what is wrong with it.
std::string read_environment(Settings& settings) {
  const char* const threads = std::getenv("XAS_THREADS");
  if (!threads || !*threads) return {};
  const OptionResult result = apply_option(settings, "--threads", threads, true);
  return result.error.empty() ? result.error : fmt::format("XAS_THREADS: {}", result.error);
}

/// An output that would overwrite an input, or an empty text.
std::string check_outputs(const ProgramOptions& program, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    for (const std::string* output : {&program.output, &program.depfile, &program.listing}) {
      if (!output->empty() && *output != "-" && input != "-" && host::is_same_file(input.c_str(), output->c_str())) {
        return fmt::format("'{}' is both an input and the output", input);
      }
    }
  }
  if (!program.depfile.empty() && program.depfile == program.output) {
    return fmt::format("'{}' is both the object and the list of dependencies", program.output);
  }
  return {};
}

bool wants_color(const ProgramOptions& program) {
  if (program.color != ProgramOptions::Color::automatic) return program.color == ProgramOptions::Color::always;
  if (!::isatty(STDERR_FILENO)) return false;
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return !(no_color && *no_color) && term && std::strcmp(term, "dumb") != 0;
}

/// What -ag shows: who assembles what, how and when.
std::string listing_heading(const Settings& settings, const std::vector<std::string>& arguments,
                            const std::vector<std::string>& inputs) {
  std::string options;
  for (const std::string& argument : arguments) {
    if (std::find(inputs.begin(), inputs.end(), argument) == inputs.end()) options += argument + ' ';
  }
  const std::time_t now = std::time(nullptr);
  char stamp[64];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S.000%z", std::localtime(&now));
  return fmt::format(
      " {}\n options passed\t: {}\n input file    \t: {}\n output file   \t: {}\n target        \t: {}\n time stamp    "
      "\t: {}\n\n",
      version_line(settings), options, inputs.back(), settings.program.output,
      settings.effective_triple(), stamp);
}

std::string statistics_text(const xas_context* context, const timespec& start) {
  timespec now;
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  double ms = double(now.tv_sec - start.tv_sec) * 1e3 + double(now.tv_nsec - start.tv_nsec) / 1e6;
  std::size_t object = 0;
  xas_object(context, &object);
  return fmt::format("xas: total time in assembly: {:.6f}, {} KiB of memory at most, {} bytes of object\n", ms / 1e3,
                     host::peak_memory(), object);
}

/// Removes what an earlier run may have left under the object's name.
void remove_output(const ProgramOptions& program) {
  if (program.no_output || program.output == "-") return;
  if (host::is_regular_file(program.output.c_str())) ::unlink(program.output.c_str());
}

void show_diagnostics(const xas_context* context) {
  const ProgramOptions& program = context->settings.program;
  std::string text;
  if (program.format == DiagnosticsFormat::text) {
    context->report.write_text(text, wants_color(program));
  } else {
    context->report.write(text, program.format);
  }
  write_all(STDERR_FILENO, text);
}

int assemble(xas_context* context, const std::vector<std::string>& inputs, const timespec& start) {
  const ProgramOptions& program = context->settings.program;
  xas_status status;
  std::string preprocessed;
  if (wants_preprocessor(program, inputs)) {
    if (inputs.size() != 1) return fail(program, "the C preprocessor takes one input at a time");
    if (std::string error = preprocess(context->settings, inputs[0], preprocessed); !error.empty())
      return remove_output(program), fail(program, error);
    status = xas_assemble(context, preprocessed.data(), preprocessed.size(), inputs[0].c_str());
  } else {
    std::vector<const char*> paths;
    for (const std::string& input : inputs) paths.push_back(input.c_str());
    prepare_heap(inputs);
    status = xas_assemble_files(context, paths.data(), paths.size());
  }
  if (status != XAS_OK && status != XAS_ERRORS) return fail(program, xas_error(context));

  // A program that reads them is to find one array or log, with what goes wrong below.
  const bool in_one = program.format == DiagnosticsFormat::json || program.format == DiagnosticsFormat::sarif;
  if (!in_one) show_diagnostics(context);
  std::size_t size = 0;
  std::string error;
  if (const char* printed = xas_printed(context, &size); size && !write_all(STDOUT_FILENO, {printed, size}))
    error = fmt::format("standard output: {}", std::strerror(errno));
  const std::uint8_t* object = xas_object(context, &size);
  if (object && !program.no_output && error.empty()) {
    error = write_file_atomically(program.output, {object, size}).value_or("");
  }
  if (error.empty() && status == XAS_OK && !program.depfile.empty()) {
    std::string text = dependencies_text(context, inputs[0], preprocessed);
    std::span<const u8> bytes(reinterpret_cast<const u8*>(text.data()), text.size());
    error = write_file_atomically(program.depfile, bytes).value_or("");
  }
  if (const char* listing = xas_listing(context, &size); listing && error.empty()) {
    const std::string_view text(listing, size);
    if (program.listing.empty()) {
      if (!write_all(STDOUT_FILENO, text)) error = fmt::format("standard output: {}", std::strerror(errno));
    } else {
      error = write_file_atomically(program.listing, {reinterpret_cast<const u8*>(listing), size}).value_or("");
    }
  }
  if (program.statistics) write_all(STDERR_FILENO, statistics_text(context, start));
  if (in_one) {
    if (!error.empty()) context->report.add_error(error);
    show_diagnostics(context);
  } else if (!error.empty()) {
    fail(program, error);
  }
  if (!error.empty() || !object) remove_output(program);
  return status == XAS_OK && error.empty() ? 0 : 1;
}

int run(int argc, char** argv) {
  timespec start;
  ::clock_gettime(CLOCK_MONOTONIC, &start);
  host::set_standard_streams();
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);

  // Nothing is freed at the end: the process is, at once.
  xas_context* context = xas_create();
  if (!context) return fail("out of memory");
  Settings& settings = context->settings;
  if (std::string error = expand_response_files(arguments); !error.empty()) {
    read_decisive_arguments(settings, arguments);
    return fail(settings.program, error);
  }
  std::string_view name = argc > 0 ? argv[0] : "xas";
  settings.triple = triple_of_program(name);
  if (base_name(name).ends_with("llvm-mc")) settings.select_release("llvm");

  std::vector<std::string> inputs;
  ProgramOptions& program = settings.program;
  program.preprocess_by_name = base_name(name).ends_with("xas");
  if (std::string error = read_environment(settings); !error.empty()) return fail(program, error);
  if (std::string error = read_arguments(settings, arguments, inputs); !error.empty()) return fail(program, error);
  if (program.help) return show(help_text(base_name(name)));
  if (program.version) return show(version_text(settings));
  if (program.target_help) return show(target_help_text(settings));
  if (program.dump_config) return show(config_text(settings));
  if (program.print_version) write_all(STDERR_FILENO, version_line(settings));
  const bool is_text = settings.options.output == Options::Output::encodings;
  if (!program.output_given) program.output = is_text ? "-" : settings.options.profile.default_output;
  if (settings.options.listing.parts & listing_general) {
    settings.options.listing.heading = listing_heading(settings, arguments, inputs);
  }
  settings.options.object_name = program.output;
  if (program.make_dependencies && program.depfile.empty()) program.depfile = default_depfile(program, inputs[0]);
  if (std::string error = check_outputs(program, inputs); !error.empty()) return fail(program, error);
  return assemble(context, inputs, start);
}

}  // namespace
}  // namespace xas::cli

int main(int argc, char** argv) {
  try {
    return xas::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return xas::cli::fail("out of memory");
  }
}
