// SPDX-License-Identifier: Apache-2.0
// The line cache (asm/read/cache/line_cache.h): instructions come to the same bytes whether they are
// read, copied from a line that has stood before, or put together from a template of their shape. Each line of
// tests/cases/instructions-*.txt, and the same with other registers and numbers, stands in one text in which a
// directive makes the assembler forget what it knows before every line, and in one without. Those of Thumb stand in IT
// blocks, too.
//
//   repeated-test FILE...     the last line printed is "N passed, N failed"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "targets/x86/registers.h"
#include "xas/xas.hpp"

using namespace xas;
using namespace xas::x86;

namespace {

using Lines = std::vector<std::string>;

std::mt19937 random_number(1);

/// Another register of the same kind, for a name behind '%'.
std::string other_register(const std::string& name, unsigned bits) {
  const int i = name.size() < 8 ? find_register(name_word(name.data(), name.size())) : -1;
  if (i < 0) return name;
  const Reg& was = registers.regs[i];
  if (was.cls > RegClass::r64 && was.cls != RegClass::xmm && was.cls != RegClass::ymm && was.cls != RegClass::zmm)
    return name;
  std::vector<std::string> others;
  for (unsigned k = 0; k < registers.count; ++k) {
    const Reg& r = registers.regs[k];
    const bool has_mode = bits == 64 || !(r.flags & reg_only64 || r.number >= 8);
    if (r.cls == was.cls && r.number >> 4 == was.number >> 4 && has_mode) others.push_back(register_name(r));
  }
  return others.empty() ? name : others[random_number() % others.size()];
}

/// In the place of the bits of x86.
constexpr unsigned aarch64 = 0, arm = 1;

/// What the lines of a mode are assembled with.
struct Mode {
  const char* name;    ///< in the messages of this test
  const char* target;  ///< in the data files
  unsigned bits;
  const char* option;
  const char* directive;  ///< makes the assembler forget, and changes nothing else
  const char* first = "";  ///< directives before all lines
};
constexpr Mode modes[] = {
    {"16", "i386", 16, "--32", ".code16"},
    {"32", "i386", 32, "--32", ".code32"},
    {"64", "x64", 64, "--64", ".code64"},
    {"aarch64", "all-a64", aarch64, "--triple=aarch64", ".arch all"},
    {"a32", "all-a32", arm, "--triple=armv8a-linux-gnueabihf", ".syntax divided; .syntax unified", ".arm;"},
    {"t32", "all-t32", arm, "--triple=thumbv8a-linux-gnueabihf", ".syntax divided; .syntax unified", ".thumb;"},
};

/// A line of A64 or ARM with other registers and numbers.
std::string vary_arm(const std::string& line, unsigned bits) {
  const std::string_view registers = bits == arm ? "rsdq" : "xwbhsdqvzp";
  static const char* const numbers[] = {"0",  "1",   "2",    "3",    "4",    "8",      "16",     "31",     "32",
                                        "63", "64",  "255",  "4095", "4096", "4098",   "32760",  "65535",  "-1",
                                        "-8", "-16", "-256", "-257", "-512", "-32768", "-32769", "-65536", "65536"};
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    const char before = i == 0 ? 'a' : line[i - 1];
    const bool starts = !std::isalnum(u8(before)) && before != '.' && before != '_' && before != '-';
    std::size_t end = i + 1;
    while (end < line.size() && std::isalnum(u8(line[end]))) ++end;
    const auto is_number = [&](std::size_t from) {
      return from < end &&
             std::all_of(line.begin() + long(from), line.begin() + long(end), [](u8 c) { return std::isdigit(c); });
    };
    if (starts && registers.find(line[i]) != registers.npos && is_number(i + 1)) {
      const unsigned count = line[i] == 'r' || (line[i] == 'q' && bits == arm) ? 16 : 32;
      // Often the low ones, which the short instructions have.
      const unsigned number = random_number() % (bits == arm && random_number() % 2 ? 8 : count);
      static const char* const names[] = {"r8", "sb", "sl", "fp", "ip", "sp", "lr", "pc"};  // of ARM, from r8 on
      const bool has_name = bits == arm && line[i] == 'r' && number >= 8 && random_number() % 2;
      out += has_name ? names[number - 8] : line[i] + std::to_string(number);
    } else if (starts && (line[i] == '-' || std::isdigit(u8(line[i]))) && is_number(i + (line[i] == '-')) &&
               (end == line.size() || line[end] != '.')) {
      out += random_number() % 3 ? numbers[random_number() % std::size(numbers)] : line.substr(i, end - i);
    } else {
      end = i + 1;
      out += line[i];
    }
    i = end;
  }
  return out;
}

std::string vary(const std::string& line, unsigned bits) {
  if (bits == aarch64 || bits == arm) return vary_arm(line, bits);
  static const char* const numbers[] = {"0", "1", "-1", "8", "100", "-128", "200", "4096", "-70000"};
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i + 1;
    if (line[i] == '%') {
      while (end < line.size() && std::isalnum(u8(line[end]))) ++end;
      out += '%' + other_register(line.substr(i + 1, end - i - 1), bits);
    } else if (std::isdigit(u8(line[i])) && i > 0 && !std::isalnum(u8(line[i - 1])) && line[i - 1] != '-') {
      while (end < line.size() && std::isalnum(u8(line[end]))) ++end;
      const bool displacement = end < line.size() && line[end] == '(';
      out += displacement ? numbers[random_number() % std::size(numbers)] : line.substr(i, end - i);
    } else {
      out += line[i];
    }
    i = end;
  }
  return out;
}

/// The line with a condition; empty if it has none to take.
std::string with_condition(const std::string& line, const char* condition) {
  const std::size_t end = line.find_first_of(". ");
  if (end == line.npos || line.starts_with("b") || line.find(';') != line.npos) return {};
  return line.substr(0, end) + condition + line.substr(end);
}

/// One to four of the lines in an IT block, as one entry of several lines.
std::string it_block(const Lines& lines) {
  static const char* const conditions[] = {"eq", "ne", "cs", "cc", "hi", "ls", "gt", "le"};
  const unsigned condition = random_number() % std::size(conditions);
  std::string name = "i", block;
  for (std::size_t left = random_number() % 4 + 1; left != 0; --left) {
    const bool otherwise = name != "i" && random_number() % 2;
    const std::string line = with_condition(lines[random_number() % lines.size()], conditions[condition ^ otherwise]);
    if (line.empty()) continue;
    name += otherwise ? 'e' : 't';
    block += '\n' + line;
  }
  return block.empty() ? "nop" : name + " " + conditions[condition] + block;
}

/// The text of these, of which each may be several lines; `begins` becomes the number of the first line of each.
std::string text_of(const Lines& lines, const Mode& mode, bool forgets, std::vector<u32>* begins = nullptr) {
  const std::string directive = std::string("\t") + mode.directive + "\n";
  std::string text = mode.first + directive;
  u32 number = 2;
  for (const std::string& line : lines) {
    if (begins) begins->push_back(number);
    for (std::size_t from = 0, end; from <= line.size(); from = end + 1, number += 2) {
      end = std::min(line.find('\n', from), line.size());
      text += (forgets ? directive : "\n") + "\t" + line.substr(from, end - from) + "\n";
    }
  }
  return text;
}

struct Result {
  std::string object;
  std::set<u32> bad;  ///< indices of lines with errors
  std::size_t warnings;
};

Result assemble(const Lines& lines, const Mode& mode, const char* profile, bool forgets) {
  Context context;
  context.option(mode.option);
  context.option(profile);
  context.option("-fmax-errors=0");
  std::vector<u32> begins;
  context.assemble(text_of(lines, mode, forgets, &begins), "x.s");
  Result r{{}, {}, context.warning_count()};
  for (std::size_t i = 0; i < context.diagnostic_count(); ++i)
    if (const xas_diagnostic& d = context.diagnostic(i); d.severity == XAS_ERROR)
      r.bad.insert(u32(std::upper_bound(begins.begin(), begins.end(), d.line) - begins.begin() - 1));
  r.object.assign(context.object().begin(), context.object().end());
  return r;
}

bool is_same(Lines lines, const Mode& mode, const char* profile) {
  for (std::set<u32> bad; bad = assemble(lines, mode, profile, true).bad, !bad.empty();)  // some are found later
    for (auto i = bad.rbegin(); i != bad.rend(); ++i) lines.erase(lines.begin() + *i);
  const Result read = assemble(lines, mode, profile, true), repeated = assemble(lines, mode, profile, false);
  return !read.object.empty() && read.object == repeated.object && read.warnings == repeated.warnings;
}

}  // namespace

int main(int argc, char** argv) {
  Lines by_mode[std::size(modes)];
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    Lines* lines = nullptr;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("=== ")) {
        // A block without options, in AT&T's syntax: "=== NAME | TARGET | instructions".
        const auto mode = std::find_if(std::begin(modes), std::end(modes), [&](const Mode& m) {
          return m.bits != 16 && line.find(std::string(" | ") + m.target + " | ") != line.npos;
        });
        lines = mode != std::end(modes) && line.find(" | gnu ") == line.npos ? &by_mode[mode - modes] : nullptr;
      } else if (line.starts_with(" .")) {
        if (line == " .code16" && lines) lines = &by_mode[0];
        if (line == " .intel_syntax noprefix") lines = nullptr;
      } else if (lines && !line.empty() && line[0] != '#' && line[0] != '.') {
        line = line.substr(0, line.find("//"));
        if (modes[lines - by_mode].bits == arm && line.starts_with("it")) continue;
        line.erase(line.find_last_not_of(' ') + 1);
        lines->push_back(line);
      }
    }
  }
  int passed = 0, failed = 0;
  for (const Mode& mode : modes) {
    Lines& all = by_mode[&mode - modes];
    std::shuffle(all.begin(), all.end(), random_number);
    // A line and its variants stand in one text, so that templates are put to use.
    constexpr std::size_t part = 250;
    constexpr int variants = 6;
    for (std::size_t from = 0; from < all.size(); from += part) {
      Lines lines;
      for (std::size_t i = from; i < std::min(all.size(), from + part); ++i) {
        lines.push_back(all[i]);
        for (int k = 0; k < variants; ++k) lines.push_back(vary(all[i], mode.bits));
      }
      if (std::string_view(mode.name) == "t32") {
        const Lines plain = lines;
        for (std::size_t k = 0; k < 4 * plain.size(); ++k) lines.push_back(it_block(plain));
      }
      std::shuffle(lines.begin(), lines.end(), random_number);
      for (const char* profile : {"--compat=gnu", "--compat=llvm"}) {
        const bool same = is_same(lines, mode, profile);
        ++(same ? passed : failed);
        if (!same)
          std::printf("%s, %s: lines differ among these:\n%s", mode.name, profile, text_of(lines, mode, false).c_str());
      }
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
