// Instructions of x86 come to the same bytes whether they are read, copied from a line that has stood before, or put
// together from one of the same shape (asm/repeated.cpp): each line of the data files, and the same with other
// registers and numbers, stands in one text in which a directive makes the assembler forget what it knows before every
// line, and in one without.
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

std::string vary(const std::string& line, unsigned bits) {
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

std::string text_of(const Lines& lines, unsigned bits, bool forgets) {
  const std::string directive = "\t.code" + std::to_string(bits) + "\n";
  std::string text = directive;
  for (const std::string& line : lines) text += (forgets ? directive : "\n") + "\t" + line + "\n";
  return text;
}

struct Result {
  std::string object;
  std::set<u32> bad;  ///< indices of lines with errors
  std::size_t warnings;
};

Result assemble(const Lines& lines, unsigned bits, const char* profile, bool forgets) {
  Context context;
  context.option(bits == 64 ? "--64" : "--32");
  context.option(profile);
  context.option("-fmax-errors=0");
  context.assemble(text_of(lines, bits, forgets), "x.s");
  Result r{{}, {}, context.warning_count()};
  for (std::size_t i = 0; i < context.diagnostic_count(); ++i)
    if (const xas_diagnostic& d = context.diagnostic(i); d.severity == XAS_ERROR) r.bad.insert((d.line - 2) / 2);
  r.object.assign(context.object().begin(), context.object().end());
  return r;
}

bool is_same(Lines lines, unsigned bits, const char* profile) {
  for (std::set<u32> bad; bad = assemble(lines, bits, profile, true).bad, !bad.empty();)  // some are found later
    for (auto i = bad.rbegin(); i != bad.rend(); ++i) lines.erase(lines.begin() + *i);
  const Result read = assemble(lines, bits, profile, true), repeated = assemble(lines, bits, profile, false);
  return !read.object.empty() && read.object == repeated.object && read.warnings == repeated.warnings;
}

}  // namespace

int main(int argc, char** argv) {
  Lines by_bits[3];
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i]);
    Lines* lines = nullptr;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("! ")) {
        const bool plain = line.find_first_not_of("0123456789", 2) == std::string::npos;
        lines = plain ? &by_bits[std::stoi(line.substr(2)) / 32] : nullptr;
      } else if (lines && !line.empty() && line[0] != '#') {
        line = line.substr(0, line.find("//"));
        line.erase(line.find_last_not_of(' ') + 1);
        lines->push_back(line);
      }
    }
  }
  int passed = 0, failed = 0;
  for (unsigned mode = 0; mode < 3; ++mode) {
    const unsigned bits = mode == 0 ? 16 : 32 * mode;
    Lines all;
    for (const std::string& line : by_bits[mode]) {
      all.push_back(line);
      for (int k = 0; k < 3; ++k) all.push_back(vary(line, bits));
    }
    std::shuffle(all.begin(), all.end(), random_number);
    constexpr std::size_t part = 1000;
    for (std::size_t from = 0; from < all.size(); from += part) {
      const Lines lines(all.begin() + long(from), all.begin() + long(std::min(all.size(), from + part)));
      for (const char* profile : {"--compat=gnu", "--compat=llvm"}) {
        const bool same = is_same(lines, bits, profile);
        ++(same ? passed : failed);
        if (!same) std::printf("%u bits, %s: lines differ among these:\n%s", bits, profile,
                               text_of(lines, bits, false).c_str());
      }
    }
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed != 0 || passed == 0;
}
