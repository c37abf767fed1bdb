// SPDX-License-Identifier: Apache-2.0
// xas-lsp: a language server for assembly. Messages of JSON-RPC come on standard input and go to standard output.
//
// Exit status: 0 behind `shutdown` and `exit`, else 1.
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <iostream>

#include "asm/lsp/server.h"
#include "targets/text.h"

namespace xas::lsp {

namespace {

constexpr std::size_t max_message = std::size_t(1) << 28;

// The address sanitizer takes terabytes of the address space for itself, with GCC or with clang.
#if defined __SANITIZE_ADDRESS__
constexpr bool takes_address_space = true;
#elif defined __has_feature
constexpr bool takes_address_space = __has_feature(address_sanitizer);
#else
constexpr bool takes_address_space = false;
#endif

constexpr std::string_view help =
    "Usage: xas-lsp [OPTION...]\n"
    "A language server for assembly: diagnostics, hover, completion, definitions, references, rename, and the\n"
    "bytes of instructions as inlay hints. Editors start it; docs/editors.md says how.\n"
    "\n"
    "Options are those of xas (xas --help), each value behind '=': --target=aarch64-linux-gnu. The client may send\n"
    "more ({\"options\": [...]} as initializationOptions or settings), and a comment in a file's first ten lines:\n"
    "  # xas-options: --target=arm-linux-gnueabihf\n"
    "\n"
    "  --help, --version\n";

void send(const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  fmt::print("Content-Length: {}\r\n\r\n{}", text.size(), text);
  std::fflush(stdout);
}

void complain(std::string_view message) { fmt::print(stderr, "xas-lsp: error: {}\n", message); }

/// The next message's text. False at the end of the input, or behind a header that is none.
bool receive(std::string& text) {
  std::size_t size = 0;
  bool has_size = false;
  for (std::string line; std::getline(std::cin, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) {
      if (!has_size) return complain("a message without Content-Length"), false;
      text.resize(size);
      std::cin.read(text.data(), std::streamsize(size));
      return std::size_t(std::cin.gcount()) == size;
    }
    constexpr std::string_view name = "content-length:";
    if (!text::lower(line.substr(0, name.size())).starts_with(name)) continue;
    const std::size_t digits = line.find_first_not_of(" \t", name.size());
    const char* const end = line.data() + line.size();
    const auto [behind, wrong] = std::from_chars(digits == line.npos ? end : line.data() + digits, end, size);
    if (wrong != std::errc() || behind != end || size > max_message)
      return complain(fmt::format("'{}' is no length of a message (at most {} bytes)", line, max_message)), false;
    has_size = true;
  }
  return false;
}

/// Editors send a message for each key that is pressed: only the last one's text is assembled.
bool message_waits() {
  if (std::cin.rdbuf()->in_avail() > 0) return true;
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

/// See max_memory.
void limit_memory() {
#ifdef RLIMIT_AS
  rlimit limit;
  if (takes_address_space || ::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur <= max_memory) return;
  limit.rlim_cur = max_memory;
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

int run(Settings settings) {
  Server server(std::move(settings), send);
  std::ios::sync_with_stdio(false);
  for (std::string text; receive(text);) {
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_discarded()) {
      constexpr int parse_error = -32700;
      send({{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", parse_error}, {"message", "this is no JSON"}}}});
    } else if (!server.receive(message)) {
      return server.exit_status();
    }
    if (!message_waits()) server.idle();
  }
  return 1;
}

}  // namespace

}  // namespace xas::lsp

int main(int argc, char** argv) {
  xas::lsp::Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    if (option == "--help") return fmt::print("{}", xas::lsp::help), 0;
    if (option == "--version") return fmt::print("xas-lsp {}\n", XAS_VERSION), 0;
    if (option == "--stdio") continue;  // what some clients say, and the only way there is
    if (!option.starts_with('-')) {
      xas::lsp::complain(fmt::format("'{}' is no option; see --help", option));
      return 1;
    }
    settings.options.emplace_back(option);
  }
  xas::lsp::limit_memory();
  return xas::lsp::run(std::move(settings));
}
