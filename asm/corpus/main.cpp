// SPDX-License-Identifier: Apache-2.0
// xas-corpus: the verbs, each in files of its own.
//
// Exit status: 0, or 1 after any error.
#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "asm/corpus/corpus.h"

namespace xas::corpus {
namespace {

struct Verb {
  std::string_view name;
  int (*run)(Arguments& arguments);
};

constexpr Verb verbs[] = {
    {"instructions", run_instructions},
    {"objects", run_objects},
    {"texts", run_texts},
};

int show(std::string_view text) {
  Output out;
  out.write(text);
  return out.flush() ? 0 : fail(fmt::format("standard output: {}", std::strerror(errno)));
}

int run(std::vector<std::string> words) {
  for (const std::string& word : words) {
    if (word == "--help" || word == "-help") return show(help_text());
    if (word == "--version" || word == "-version") return show("xas-corpus " XAS_VERSION "\n");
  }
  std::string names;
  for (const Verb& verb : verbs) {
    if (!words.empty() && words[0] == verb.name) {
      Arguments arguments({words.begin() + 1, words.end()});
      return verb.run(arguments);
    }
    append(names, "{}{}", names.empty() ? "" : ", ", verb.name);
  }
  if (words.empty()) return fail(fmt::format("what is to be made? One of: {}; --help tells more", names));
  return fail(fmt::format("unknown verb '{}' (known: {})", words[0], names));
}

}  // namespace
}  // namespace xas::corpus

int main(int argc, char** argv) {
  try {
    return xas::corpus::run({argv + (argc > 0), argv + argc});
  } catch (const std::bad_alloc&) {
    return xas::corpus::fail("out of memory");
  } catch (const std::exception& wrong) {
    return xas::corpus::fail(wrong.what());
  }
}
