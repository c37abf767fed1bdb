// SPDX-License-Identifier: Apache-2.0
// Reads texts and says them by the functions of xas/stream.h, statement by statement; the object has to be the one that
// the text gives, byte for byte, or be refused as it is.
//
//     replay cases FILE...              the cases of tests/cases, for every target and profile that they name
//     replay OPTION... -- FILE...       files, with these options; in XAS_KEEP both objects of one that differs
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/embedding/replay.h"
#include "xas/xas.hpp"

namespace {

using namespace said_text;
using std::string;
using std::string_view;

long passed = 0, failed = 0, refused = 0;

void keep(const string& path, std::span<const std::uint8_t> object) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(object.data()), std::ssize(object));
}

void compare(const std::vector<string>& options, string_view target, const string& text, const string& what) {
  // Line markers in a text hold for the rest of it; here xas_place takes their place. What comes in pieces has no
  // checksum, which LLVM puts into line tables that it makes.
  const bool makes_lines =
      std::ranges::any_of(options, [](const string& o) { return o.starts_with("-g") || o.starts_with("--g"); });
  if (makes_lines && (options[0] == "--compat=llvm" || text.find("\n# ") != string::npos)) return;
  // LLVM asks whether a directive stands between two instructions of an IT block that it makes: not to be seen here.
  if (options[0] == "--compat=llvm" && what.find("implicit-it") != what.npos) return;
  xas::Context direct, said, probe;
  for (const string& o : options) {
    if (!direct.option(o.c_str())) return;
    said.option(o.c_str());
    probe.option(o.c_str());
  }
  const bool good = direct.assemble(text, "text.s");
  xas::Stream stream(said);
  if (!stream) return;  // listings
  Replay::forget_macros();
  Replay replay(stream, said, probe, target);
  // Operands in another syntax, and symbols that are named as registers are, are left to texts.
  replay.says_instructions = what.find(" names | a") == what.npos && std::ranges::none_of(options, [](const string& o) {
    return o.find("syntax") != o.npos || o.find("mnemonic") != o.npos;
  });
  replay.text(text, "text.s");
  const bool same_status = stream.finish() == good;
  const auto a = direct.object(), b = said.object();
  if (same_status && std::ranges::equal(a, b)) {
    ++passed;
    refused += !good;
    return;
  }
  if (++failed <= 40) {
    std::fprintf(stderr, "FAIL %s (%s%s)\n", what.c_str(), options[0].c_str(),
                 options.size() > 1 ? options[1].c_str() : "");
    if (!same_status) std::fprintf(stderr, "%s", (good ? said : direct).text().data());
    if (const char* folder = std::getenv("XAS_KEEP"); folder && same_status) {
      keep(string(folder) + "/text.o", a);
      keep(string(folder) + "/said.o", b);
    }
  }
}

string file_text(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<string> words_of(const string& s) {
  std::istringstream in(s);
  std::vector<string> w;
  for (string one; in >> one;) w.push_back(one);
  return w;
}

struct CaseTarget {
  const char *name, *groups, *gnu, *llvm;
};
constexpr CaseTarget case_targets[] = {
    {"x64", " elf x86 all ", "x86_64-linux-gnu", "x86_64-linux-gnu"},
    {"i386", " elf x86 all ", "i386-linux-gnu", "i386-linux-gnu"},
    {"x32", "", "x86_64-linux-gnux32", "x86_64-linux-gnux32"},
    {"a64", " elf all ", "aarch64-linux-gnu", "aarch64-linux-gnu"},
    {"arm", " elf all ", "arm-linux-gnueabihf", "armv7a-linux-gnueabihf"},
    {"thumb", "", "arm-linux-gnueabihf", "thumbv7a-linux-gnueabihf"},
    {"w64", " coff all ", "x86_64-w64-mingw32", "x86_64-w64-windows-gnu"},
    {"w32", " coff all ", "i686-w64-mingw32", "i686-w64-windows-gnu"},
    {"wa64", "", "", "aarch64-w64-windows-gnu"},
    {"m64", "", "", "x86_64-pc-windows-msvc"},
    {"ma64", "", "", "aarch64-pc-windows-msvc"},
};

/// One header with its text, for the targets and profiles that it names.
void one_case(const string& header, const string& text, const string& file) {
  std::vector<string> fields;
  for (std::size_t at = 4; at <= header.size();) {
    const std::size_t end = std::min(header.find(" | ", at), header.size());
    fields.push_back(string(trimmed(string_view(header).substr(at, end - at))));
    at = end + 3;
  }
  if (fields.size() < 2 || text.find("\n--- ") != text.npos || text.starts_with("--- ")) return;
  const auto named = words_of(fields[1]);
  for (const CaseTarget& t : case_targets) {
    const bool asked = std::ranges::any_of(
        named, [&](const string& w) { return w == t.name || string(t.groups).find(" " + w + " ") != string::npos; });
    if (!asked) continue;
    for (const char* profile : {"gnu", "llvm"}) {
      const bool gnu = profile[0] == 'g';
      if (gnu && !*t.gnu) continue;
      std::vector<string> options = {gnu ? "--compat=gnu" : "--compat=llvm",
                                     string("--target=") + (gnu ? t.gnu : t.llvm)};
      for (const string& f : fields)
        if (f.starts_with(string(profile) + " -") && f.size() > std::strlen(profile) + 2)
          for (const string& o : words_of(f.substr(std::strlen(profile)))) options.push_back(o);
      compare(options, t.name, text, file + ": " + header + " [" + t.name + " " + profile + "]");
    }
  }
}

void cases(const char* path) {
  std::istringstream in(file_text(path));
  string line, text;
  std::vector<string> headers;
  const auto finish = [&] {
    if (!text.empty())
      for (const string& h : headers) one_case(h, text, path);
  };
  while (std::getline(in, line)) {
    if (line.starts_with("=== ")) {
      if (!text.empty()) finish(), headers.clear(), text.clear();
      headers.push_back(line);
    } else if (!headers.empty()) {
      text += line + "\n";
    }
  }
  finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && string_view(argv[1]) == "cases") {
    for (int i = 2; i < argc; ++i) cases(argv[i]);
  } else {
    std::vector<string> options;
    int i = 1;
    string target = "x64";
    for (; i < argc && string_view(argv[i]) != "--"; ++i) {
      options.push_back(argv[i]);
      const string o = argv[i];
      const bool windows = o.find("windows") != o.npos;
      if (windows) target = "w64";
      if (o.starts_with("--target=aarch64")) target = windows ? "wa64" : "a64";
      if (o.starts_with("--target=arm") || o.starts_with("--target=thumb")) target = windows ? "warm" : "arm";
    }
    for (++i; i < argc; ++i) compare(options, target, file_text(argv[i]), argv[i]);
  }
  std::printf("%ld passed, %ld failed; %ld of them refused; %ld statements, %ld of them by functions\n", passed, failed,
              refused, Replay::lines, Replay::verbs);
  return failed != 0 || passed == 0;
}
