// SPDX-License-Identifier: Apache-2.0
// Response files, as GNU's tools and the compiler drivers read them.

#include "asm/cli/arguments.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include "asm/text/host.h"

namespace xas::cli {
namespace {

constexpr unsigned max_files = 2000;
constexpr std::size_t max_bytes = std::size_t(1) << 26;

/// Up to a block more than `max_bytes`, so that a device without an end is told from a file.
bool read_file(const char* path, std::string& text) {
  int fd = host::open_to_read(path);
  if (fd < 0) return false;
  struct stat st;
  bool good = ::fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode);
  char block[4096];
  while (good && text.size() <= max_bytes) {
    ssize_t n = ::read(fd, block, sizeof block);
    if (n <= 0) {
      good = n == 0;
      break;
    }
    text.append(block, std::size_t(n));
  }
  ::close(fd);
  return good;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    std::string word;
    char quote = 0;
    for (; i < text.size() && (quote || !is_space(text[i])); ++i) {
      char c = text[i];
      if (c == '\\' && i + 1 < text.size()) {
        word += text[++i];
      } else if (quote ? c == quote : c == '"' || c == '\'') {
        quote = quote ? 0 : c;
      } else {
        word += c;
      }
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::string expand_response_files(std::vector<std::string>& arguments) {
  unsigned files = 0;
  for (std::size_t i = 0; i < arguments.size();) {
    std::string text;
    if (arguments[i].size() < 2 || arguments[i][0] != '@' || !read_file(arguments[i].c_str() + 1, text)) {
      ++i;
      continue;
    }
    if (++files > max_files) return "too many @files; do they refer to each other?";
    if (text.size() > max_bytes)
      return fmt::format("{} exceeds the limit of {} bytes for an @file", arguments[i], max_bytes);
    std::vector<std::string> words = split_words(text);
    auto at = arguments.erase(arguments.begin() + long(i));
    arguments.insert(at, words.begin(), words.end());
  }
  return {};
}

}  // namespace xas::cli
