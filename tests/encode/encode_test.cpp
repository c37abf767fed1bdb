// Instructions and their bytes, one line each:
//
//   vaddpd %xmm15, %xmm2, %xmm1     // c4c16958cf // llvm c58158ca
//   vcvtpd2ps (%rax), %xmm1         // error
//
// The first result is the gnu profile's and, if no other follows, the llvm profile's too; where the reference assembler
// of a profile rejects what the other takes, the other's result holds for both. `!` starts a line that says how many
// bits the lines below it have, whether they are in Intel syntax, and options (then only the gnu profile counts):
//
//   ! 64 intel
//   ! 32 -msse2avx
//   ! aarch64
//
//   encode-test FILE...            checks; the last line printed is "N passed, N failed"
//   encode-test --record FILE...   replaces all results by what GNU as and llvm-mc say
//   encode-test --compare 64|32|16|64-intel|32-intel|16-intel|aarch64
//                                  reads instructions from standard input, asks the reference assemblers, and prints
//                                  the lines that xas does differently: for the whole output of x86-forms and a64-forms
//                                  (of A64 also what xas takes and both reject)
#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "targets/hash.h"
#include "targets/target.h"
#include "tests/differential/elf.h"
#include "tests/differential/process.h"

using namespace xas;

namespace {

/// Hex of the bytes; nothing if the instruction is rejected.
using Result = std::optional<std::string>;
using Lines = std::vector<std::string>;

// xas: the target alone, without the assembler around it.

/// Takes bytes; knows numbers and, as an unknown value, names.
struct Collector final : Emitter {
  u8 bytes[max_instruction];
  std::string hex;
  bool failed = false;

  Collector() { out = bytes; }
  void advance(unsigned n) override {
    for (unsigned i = 0; i < n; ++i) hex += fmt::format("{:02x}", out[i]);
    out += n;
  }
  bool expression(const char*& p, Value& value) override {
    while (*p == ' ') ++p;
    const bool negative = *p == '-';
    p += negative;
    if (std::isdigit(u8(*p))) {
      char* end;
      u64 number = std::strtoull(p, &end, 0);
      value.constant = i64(negative ? 0 - number : number);
      p = end;
      return true;
    }
    const char* from = p;
    while (std::isalnum(u8(*p)) || *p == '_' || *p == '.') ++p;
    value.add = 0;
    return p != from;
  }
  bool term(const char*& p, Value& value) override { return expression(p, value); }
  void fixup(FieldFixup, const Value&, const char*) override {}
  void relaxable(u16, const Value&, const char*) override { hex = "relaxable"; }
  bool known_constant(const Value& value, i64& constant) override {
    constant = value.constant;
    return value.is_constant();
  }
  int register_alias(std::string_view) override { return -1; }
  void error(const char*, std::string) override { failed = true; }
  void warning(const char*, std::string) override {}
  void note(const char*, std::string) override {}
};

/// What a `!` line says: bits, syntax, and options of GNU as (then only its profile is tested).
struct Mode {
  unsigned bits = 64;
  bool aarch64 = false;
  bool arm = false, thumb = false, mprofile = false;
  bool intel = false;
  Lines options;
  auto operator<=>(const Mode&) const = default;
};

std::unique_ptr<Target> target_of(const Mode& mode, bool gnu) {
  TargetOptions options;
  options.machine = mode.arm ? Machine::arm : mode.aarch64 ? Machine::aarch64 : Machine::x86;
  options.thumb = mode.thumb;
  options.bits = mode.bits;
  options.gnu = gnu;
  options.intel_syntax = mode.intel;
  options.naked_registers = mode.intel;
  for (const std::string& o : mode.options) {
    const std::size_t equals = std::min(o.find('='), o.size());
    if (o.starts_with("-O")) options.optimize = o == "-O" ? 1 : o == "-Os" ? 3 : o[2] - '0';
    else if (o.starts_with("-march")) options.arch = o.substr(equals + 1);
    else options.extra.emplace_back(o.substr(1, equals - 1), equals < o.size() ? o.substr(equals + 1) : "");
  }
  if (mode.arm) options.cpu = gnu ? "all" : "";
  std::vector<std::string> errors;
  auto target = make_target(options, errors);
  if (mode.arm) {
    Collector ignored;
    const std::string text = " unified" + std::string(32, '\0');
    const char* p = text.data();
    target->directive({".syntax", 7, hash_name(".syntax")}, p, ignored);
  }
  return target;
}

Result by_xas(Target& target, const std::string& line) {
  std::string text = line + std::string(32, '\0');
  Collector out;
  const char* p = text.data();
  Name name{p, 0, 0};
  while (*p && *p != ' ' && *p != '{') ++p;
  name.size = u32(p - name.p);
  if (name.size) name.hash = hash_name(name.text());
  while (*p == ' ') ++p;
  if (!target.instruction(name, p, out) || out.failed || *p) return {};
  return out.hex;
}

// The reference assemblers. Each line gets a label, whose address in the object tells where its bytes are; lines that
// are rejected are taken out, and the rest is tried again (several times: only the first megabytes of messages are
// seen).

std::vector<Result> by_reference(const std::vector<std::string>& command, const Lines& lines, const Mode& mode) {
  const bool half = mode.bits == 16;
  diff::ScratchDirectory scratch;
  const auto source = scratch.path() / "in.s", object = scratch.path() / "out.o";
  std::vector<Result> results(lines.size());
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < lines.size(); ++i) left.push_back(i);
  for (;;) {
    std::ofstream text(source);
    text << (half         ? ".code16"
             : mode.thumb ? ".syntax unified; .thumb"
             : mode.arm   ? ".syntax unified"
                          : "")
         << (mode.intel ? "; .intel_syntax noprefix\n" : "\n");
    for (std::size_t i : left) text << "I" << i << ": " << lines[i] << "\n";
    text << "I" << lines.size() << ":\n";
    text.close();
    std::vector<std::string> arguments = command;
    arguments.insert(arguments.end(), {"-o", object, source});
    diff::RunResult run = diff::run(arguments, scratch.path(), {}, scratch.path());
    std::vector<bool> bad(left.size() + 1);
    bool any = false;
    for (std::size_t at = 0; at < run.errors.size();) {
      std::size_t end = run.errors.find('\n', at);
      std::string_view message = std::string_view(run.errors).substr(at, end - at);
      at = end == std::string::npos ? run.errors.size() : end + 1;
      std::size_t colon = message.find(':');
      const bool fatal = message.find("Internal error") != message.npos;  // GNU as stops there
      if (colon == message.npos || (message.find("rror:") == message.npos && !fatal)) continue;
      std::size_t line = std::strtoul(message.data() + colon + 1, nullptr, 10);
      if (line < 2 || line > left.size() + 1) continue;
      bad[line - 2] = any = true;
    }
    if (!any) break;
    std::vector<std::size_t> rest;
    for (std::size_t k = 0; k < left.size(); ++k)
      if (!bad[k]) rest.push_back(left[k]);
    left = rest;
  }
  std::optional<std::string> bytes = diff::read_file(object);
  if (!bytes) {
    fmt::print(stderr, "encode-test: {} made no object\n", command[0]);
    std::exit(1);
  }
  diff::ElfFile elf = diff::read_elf(diff::as_bytes(*bytes));
  std::vector<std::size_t> address(lines.size() + 1);
  std::span<const u8> code;
  for (const diff::ElfSymbol& s : elf.symbols)
    if (s.name.size() > 1 && s.name[0] == 'I' && !s.special) {
      address[std::strtoul(s.name.c_str() + 1, nullptr, 10)] = s.value;
      code = elf.sections[s.section].data;
    }
  for (std::size_t k = 0; k < left.size(); ++k) {
    std::size_t end = address[k + 1 < left.size() ? left[k + 1] : lines.size()];
    results[left[k]].emplace();
    for (std::size_t a = address[left[k]]; a < end; ++a) *results[left[k]] += fmt::format("{:02x}", code[a]);
  }
  return results;
}

struct Expected {
  Result gnu, llvm;
};

/// What each says by itself.
std::vector<Expected> by_each(const Mode& mode, const Lines& lines) {
  std::vector<std::string> as = {"as", mode.bits == 64 ? "--64" : "--32"};
  if (mode.aarch64) as = {"aarch64-linux-gnu-as", "-march=all"};
  if (mode.mprofile)
    as = {"arm-linux-gnueabihf-as",
          "-march=armv8.1-m.main+mve.fp+fp.dp+pacbti+cdecp0+cdecp1+cdecp2+cdecp3+cdecp4+cdecp5+cdecp6+cdecp7"};
  else if (mode.arm) as = {"arm-linux-gnueabihf-as", "-mcpu=all", "-mfpu=crypto-neon-fp-armv8"};
  as.insert(as.end(), mode.options.begin(), mode.options.end());
  auto gnu = by_reference(as, lines, mode);
  auto llvm = gnu;
  if (mode.options.empty()) {
    std::vector<std::string> mc = {"llvm-mc-22", "-filetype=obj", mode.bits == 64 ? "-triple=x86_64" : "-triple=i386"};
    if (mode.aarch64) mc = {"llvm-mc-22", "-filetype=obj", "-triple=aarch64", "-mattr=+all"};
    if (mode.arm) {
      mc = {"llvm-mc-22", "-filetype=obj",
            mode.thumb ? "-triple=thumbv8a-linux-gnueabihf" : "-triple=armv8a-linux-gnueabihf",
            "-mattr=+neon,+crypto,+fullfp16,+dotprod,+crc,+fp16fml,+bf16,+i8mm,+v8.9a,+clrbhb,+hwdiv,+hwdiv-arm,+mp,+"
            "trustzone,+virtualization,+ras,+sb"};
    }
    llvm = by_reference(mc, lines, mode);
  }
  std::vector<Expected> all;
  for (std::size_t i = 0; i < lines.size(); ++i) all.push_back({gnu[i], llvm[i]});
  return all;
}

/// What one rejects is as the other has it.
std::vector<Expected> by_references(const Mode& mode, const Lines& lines) {
  std::vector<Expected> all = by_each(mode, lines);
  for (Expected& e : all) {
    if (!e.gnu) e.gnu = e.llvm;
    if (!e.llvm) e.llvm = e.gnu;
  }
  return all;
}

// Data files

struct Test {
  unsigned line;
  Mode mode;
  std::string instruction;
  Expected expected;
};

std::string trimmed(std::string s) {
  while (!s.empty() && s.back() == ' ') s.pop_back();
  s.erase(0, s.find_first_not_of(' ') == s.npos ? 0 : s.find_first_not_of(' '));
  return s;
}

std::vector<Test> read_tests(const char* path, Lines& text) {
  std::ifstream in(path);
  if (!in) {
    fmt::print(stderr, "encode-test: cannot read {}\n", path);
    std::exit(1);
  }
  std::vector<Test> tests;
  Mode mode;
  for (std::string line; std::getline(in, line);) {
    text.push_back(line);
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == '!') {
      std::istringstream words(line.substr(1));
      mode = {};
      std::string machine;
      words >> machine;
      if (machine == "aarch64") mode.aarch64 = true;
      else if (machine == "arm" || machine == "thumb" || machine == "mprofile") {
        mode.arm = true;
        mode.mprofile = machine == "mprofile";
        mode.thumb = machine != "arm";
      }
      else mode.bits = unsigned(std::strtoul(machine.c_str(), nullptr, 10));
      for (std::string word; words >> word;) {
        if (word == "intel") mode.intel = true;
        else mode.options.push_back(word);
      }
      continue;
    }
    Lines parts;
    for (std::size_t at = 0, end; at <= line.size(); at = end + 2) {
      end = std::min(line.find("//", at), line.size());
      parts.push_back(trimmed(line.substr(at, end - at)));
    }
    Test t{unsigned(text.size()), mode, parts[0], {}};
    if (parts.size() > 1 && parts[1] != "error") t.expected.gnu = t.expected.llvm = parts[1];
    if (parts.size() > 2 && parts[2].starts_with("llvm ")) t.expected.llvm = parts[2].substr(5);
    tests.push_back(t);
  }
  return tests;
}

std::string shown(const Result& r) { return r ? *r : "error"; }

int check(const std::vector<const char*>& files) {
  unsigned passed = 0, failed = 0;
  for (const char* path : files) {
    Lines text;
    std::vector<Test> tests = read_tests(path, text);
    for (bool gnu : {true, false}) {
      std::map<Mode, std::unique_ptr<Target>> targets;
      for (const Test& t : tests) {
        if (!gnu && !t.mode.options.empty()) continue;
        auto& target = targets[t.mode];
        if (!target) target = target_of(t.mode, gnu);
        Result got = by_xas(*target, t.instruction);
        const Result& want = gnu ? t.expected.gnu : t.expected.llvm;
        if (got == want) {
          ++passed;
          continue;
        }
        if (++failed <= 20)
          fmt::print("{}:{}: {}: {} gives {}, not {}\n", path, t.line, gnu ? "gnu" : "llvm", t.instruction, shown(got),
                     shown(want));
      }
    }
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed != 0;
}

void record(const char* path) {
  Lines text;
  std::vector<Test> tests = read_tests(path, text);
  std::set<Mode> modes;
  for (const Test& t : tests) modes.insert(t.mode);
  for (const Mode& mode : modes) {
    Lines lines;
    std::vector<unsigned> where;
    for (const Test& t : tests)
      if (t.mode == mode) {
        lines.push_back(t.instruction);
        where.push_back(t.line);
      }
    std::vector<Expected> expected = by_references(mode, lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::string& line = text[where[i] - 1];
      line = fmt::format("{:<46} // {}", lines[i], shown(expected[i].gnu));
      if (expected[i].llvm != expected[i].gnu) line += " // llvm " + shown(expected[i].llvm);
    }
  }
  std::ofstream out(path);
  for (const std::string& line : text) out << line << "\n";
}

int compare(std::string_view machine) {
  Lines lines;
  for (std::string line; std::getline(std::cin, line);)
    if (!line.empty()) lines.push_back(line);
  Mode mode;
  mode.mprofile = machine == "mprofile";
  mode.arm = machine == "arm" || machine == "thumb" || mode.mprofile;
  mode.thumb = machine == "thumb" || mode.mprofile;
  mode.aarch64 = machine == "aarch64";
  mode.intel = machine.ends_with("-intel");
  mode.bits = machine.starts_with("32") ? 32 : machine.starts_with("16") ? 16 : 64;
  std::vector<Expected> expected = by_each(mode, lines);
  unsigned counts[2] = {0, 0};
  for (bool gnu : {true, false}) {
    auto target = target_of(mode, gnu);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const Result& want = gnu ? expected[i].gnu : expected[i].llvm;
      const Result& other = gnu ? expected[i].llvm : expected[i].gnu;
      if (!want && !other && !mode.aarch64) continue;
      Result got = by_xas(*target, lines[i]);
      // What only the other one takes may be taken, but as the other takes it.
      const bool good = got == want || (!want && got == other);
      ++counts[!good];
      if (!good)
        fmt::print("{}: {} gives {}, not {}\n", gnu ? "gnu" : "llvm", lines[i], shown(got), shown(want ? want : other));
    }
  }
  fmt::print("{} passed, {} failed\n", counts[0], counts[1]);
  return counts[1] != 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "--compare" && argc == 3) return compare(argv[2]);
  if (first == "--record" && argc > 2) {
    for (int i = 2; i < argc; ++i) record(argv[i]);
    return 0;
  }
  if (argc < 2 || first.starts_with("--")) {
    fmt::print(stderr,
               "usage: encode-test FILE... | --record FILE... | --compare "
               "64|32|16|64-intel|32-intel|16-intel|aarch64|arm|thumb|mprofile\n");
    return 2;
  }
  return check({argv + 1, argv + argc});
}
