// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/reference.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

extern char** environ;

namespace xas::corpus {

namespace {

/// Runs a program with all that it says going to a file. The exit status; -1 after a signal.
int run_program(std::vector<std::string> words, const std::string& messages) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t child = 0;
  const int wrong = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (wrong) throw std::runtime_error(fmt::format("cannot run '{}': {}", words[0], std::strerror(wrong)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) return -1;
  if (WEXITSTATUS(status) == 127) throw std::runtime_error(fmt::format("cannot run '{}'", words[0]));
  return WEXITSTATUS(status);
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The first line of a text that tells an error.
std::string error_line(const std::string& path) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);)
    if (line.find("rror") != line.npos) return line;
  return "it does not say why";
}

}  // namespace

Reference::Reference(const Request& request, std::string program) : request_(request), program_(std::move(program)) {
  const std::size_t slash = program_.rfind('/');
  is_llvm_ = std::string_view(program_).substr(slash == program_.npos ? 0 : slash + 1).starts_with("llvm-mc");
  const char* place = std::getenv("TMPDIR");
  folder_ = fmt::format("{}/xas-corpus-XXXXXX", place && *place ? place : "/tmp");
  if (!::mkdtemp(folder_.data())) throw std::runtime_error(fmt::format("{}: {}", folder_, std::strerror(errno)));
}

Reference::~Reference() {
  for (const char* name : {"/text.s", "/object.o", "/messages"}) ::unlink((folder_ + name).c_str());
  ::rmdir(folder_.c_str());
}

std::vector<std::string> Reference::command(const Dialect& dialect) const {
  std::vector<std::string> words = dialect.gnu_command;
  if (is_llvm_) {
    words = {program_, "-filetype=obj"};
    words.insert(words.end(), dialect.llvm_options.begin(), dialect.llvm_options.end());
  } else if (program_ != "as") {
    words[0] = program_;
  }
  return words;
}

void Reference::check() {
  const Dialect dialect = dialect_of(request_, 0);
  const std::string messages = folder_ + "/messages";
  const std::string name = command(dialect)[0];
  run_program({name, "--version"}, messages);
  if (contents(messages).find(is_llvm_ ? "LLVM" : "GNU assembler") == std::string::npos)
    throw std::runtime_error(fmt::format("'{}' is neither GNU as nor llvm-mc", name));
  Labelled nothing;
  std::vector<bool> dropped;
  std::ofstream(folder_ + "/text.s", std::ios::binary) << nothing.text(dialect, {}, dropped);
  if (run(dialect, nothing, {}, dropped) == Outcome::made) return;
  throw std::runtime_error(fmt::format("'{}' assembles nothing for the target: {}", name, error_line(messages)));
}

/// Marks the lines that the messages call errors. Behind an IT whose instruction is refused, llvm-mc takes the next
/// instruction for it: what is refused there waits for the next round.
Reference::Outcome Reference::run(const Dialect& dialect, Labelled& labelled, std::span<const std::string_view> lines,
                                  std::vector<bool>& dropped) {
  const std::string text = folder_ + "/text.s", object = folder_ + "/object.o", messages = folder_ + "/messages";
  std::vector<std::string> words = command(dialect);
  words.insert(words.end(), {"-o", object, text});
  ::unlink(object.c_str());
  const int status = run_program(std::move(words), messages);
  if (status == 0) return Outcome::made;
  std::vector<bool> wrong(lines.size());
  std::ifstream in(messages);
  for (std::string message; std::getline(in, message);) {
    if (!message.starts_with(text) || message.find("rror: ") == message.npos) continue;
    const unsigned long number = std::strtoul(message.c_str() + text.size() + 1, nullptr, 10);
    const std::size_t line = labelled.line_at(u32(number));
    if (line < dropped.size()) wrong[line] = true;
  }
  bool any = false, behind_refused_it = false;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (dropped[line]) continue;
    dropped[line] = wrong[line] && !behind_refused_it;
    any |= dropped[line];
    behind_refused_it = wrong[line] && (behind_refused_it || lines[line].find(';') != std::string_view::npos);
  }
  return any && status > 0 ? Outcome::refused : Outcome::broken;
}

/// A part that the program breaks off without saying why is halved until the line is found.
void Reference::assemble_part(std::span<const std::string_view> lines, std::span<Assembled> result,
                              const Dialect& dialect) {
  Part& part = parts_.emplace_back();
  std::vector<bool> dropped(lines.size());
  for (;;) {
    std::ofstream(folder_ + "/text.s", std::ios::binary) << part.labelled.text(dialect, lines, dropped);
    const Outcome outcome = run(dialect, part.labelled, lines, dropped);
    if (outcome == Outcome::refused) continue;
    if (outcome == Outcome::made) break;
    if (lines.size() == 1) return;
    const std::size_t half = lines.size() / 2;
    assemble_part(lines.first(half), result.first(half), dialect);
    return assemble_part(lines.subspan(half), result.subspan(half), dialect);
  }
  std::ifstream in(folder_ + "/object.o", std::ios::binary);
  part.object.assign(std::istreambuf_iterator<char>(in), {});
  std::vector<Assembled> made(lines.size());
  if (!part.labelled.read(part.object, made)) throw std::runtime_error(fmt::format("the object of '{}'", program_));
  std::copy(made.begin(), made.end(), result.begin());
}

std::span<const Assembled> Reference::assemble(std::span<const std::string_view> lines, unsigned group) {
  parts_.clear();
  result_.assign(lines.size(), {});
  assemble_part(lines, result_, dialect_of(request_, group));
  return result_;
}

bool same_code(Machine machine, const Assembled& a, const Assembled& b) {
  if (a.bytes.size() != b.bytes.size() || a.relocations.size() != b.relocations.size()) return false;
  if (a.relocations.empty()) return std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin());
  std::vector<u8> mask, other;
  fixed_bits(machine, a, mask);
  fixed_bits(machine, b, other);
  for (std::size_t i = 0; i < mask.size(); ++i)
    if ((a.bytes[i] ^ b.bytes[i]) & mask[i] & other[i]) return false;
  return true;
}

}  // namespace xas::corpus
