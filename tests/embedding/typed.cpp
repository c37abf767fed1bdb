// SPDX-License-Identifier: Apache-2.0
// xas_instruction, xas_emit and xas_encode_instruction against the lists of instructions with their bytes
// (tests/cases/instructions-*.txt): each line is taken apart here, operands become values, mnemonics numbers, and the
// bytes have to be those that the list has from the reference assemblers. Operands that have no value (conditions,
// shifts, names) are handed over as text; what cannot be taken apart is counted. Then mistakes, and what is refused.
//
//     typed_test [--show] LIST...      --show: lines of which some operand had to stay text
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/embedding/said_line.h"
#include "xas/aarch64.h"
#include "xas/arm.h"
#include "xas/x86.h"
#include "xas/xas.hpp"

namespace {

using said::arm_numbers, said::Line, said::Numbered, said::split, said::trimmed, said::x86_numbers;
using std::string;
using xas::Arg;

long passed = 0, failed = 0, typed = 0, partly = 0, skipped = 0, numbered = 0, unnumbered = 0, alone = 0, together = 0;
bool show = false;

void check(bool good, const string& what) {
  ++(good ? passed : failed);
  if (!good && (failed <= 60 || show)) std::fprintf(stderr, "%s\n", what.c_str());
}

/// The contents of .text in an ELF object, in hexadecimal.
string text_section(std::span<const std::uint8_t> o) {
  const auto number = [&](std::size_t at, unsigned size) {
    std::uint64_t n = 0;
    for (unsigned i = size; i-- > 0;) n = n << 8 | o[at + i];
    return n;
  };
  const bool wide = o[4] == 2;
  const std::size_t table = number(wide ? 0x28 : 0x20, wide ? 8 : 4), entry = wide ? 64 : 40;
  const auto field = [&](std::size_t section, unsigned at64, unsigned at32) {
    return number(table + section * entry + (wide ? at64 : at32), wide ? 8 : 4);
  };
  const std::size_t names = field(number(wide ? 0x3E : 0x32, 2), 0x18, 0x10);
  for (std::size_t i = 0; i < number(wide ? 0x3C : 0x30, 2); ++i) {
    const char* name = reinterpret_cast<const char*>(o.data() + names + number(table + i * entry, 4));
    if (std::strcmp(name, ".text") != 0) continue;
    const std::size_t at = field(i, 0x18, 0x10), size = field(i, 0x20, 0x14);
    string hex;
    char two[3];
    for (std::size_t k = 0; k < size; ++k) std::snprintf(two, sizeof two, "%02x", o[at + k]), hex += two;
    return hex;
  }
  return "";
}

/// A list's targets, as in encode.cpp.
struct ListTarget {
  const char* name;
  std::vector<const char*> gnu, llvm;
  bool x86;
};

const ListTarget targets[] = {
    {"x64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}, true},
    {"x86_64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}, true},
    {"i386", {"--target=i386-linux-gnu"}, {"--target=i386-linux-gnu"}, true},
    {"all-a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}, false},
    {"a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}, false},
    {"all-a32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=armv8a-linux-gnueabihf"}, false},
    {"all-t32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=thumbv8a-linux-gnueabihf"}, false},
};

/// An instruction of numbers alone, and its bytes.
struct Plain {
  Numbered mnemonic;
  std::vector<Arg> args;
  string bytes;
};

string encoded(xas::Context& context, const Numbered& n, const std::vector<Arg>& args) {
  const xas::Encoding e = context.encode(xas::Mnemonic(n.number), args, 0, n.how);
  string bytes;
  char two[3];
  for (std::size_t i = 0; e && i < e.raw.size; ++i)
    std::snprintf(two, sizeof two, "%02x", e.raw.bytes[i]), bytes += two;
  return bytes;
}

/// The same instruction by its number: in a stream, and alone, if it can be; then it is added to `plain`.
void run_numbers(xas::Context& context, const string& before, const string& line, const string& expected, bool x86,
                 bool intel, const string& what, std::vector<Plain>& plain) {
  bool known = false;
  for (int attempt = 0; !known; ++attempt) {
    xas::Stream s(context);
    s.feed(before);
    Line said(s, intel, x86);
    said.take(line);
    const bool is_arm = what.find("a32") != string::npos || what.find("t32") != string::npos;
    const std::vector<Numbered> all = x86      ? x86_numbers(said.mnemonic)
                                      : is_arm ? arm_numbers(said.mnemonic)
                                               : std::vector<Numbered>{{xas_mnemonic_named(said.mnemonic.c_str()), 0}};
    if (std::size_t(attempt) >= all.size()) {
      s.finish();
      ++unnumbered;
      if (show) std::printf("no number: %s\n", line.c_str());
      return;
    }
    const Numbered n = all[std::size_t(attempt)];
    s.emit(xas::Mnemonic(n.number), said.args, n.how);
    const string found = s.finish() ? text_section(context.object()) : "error";
    if (found == "error" && context.text().find("the target has no instruction") != string::npos) continue;
    known = true;
    if (expected == "error" && said.has_text) return;
    if (is_arm && found != expected && std::size_t(attempt) + 1 < all.size()) {
      known = false;  // the suffix may be another one
      continue;
    }
    ++numbered;
    check(found == expected, what + ": " + line + ": by its number " + found + " and not " + expected +
                                 (found == "error" ? ": " + string(context.text()) : ""));
    bool can_be_alone = before.empty() && expected != "error";
    for (const Arg& a : said.args)
      can_be_alone &= !a.value.add && !a.value.subtract && a.kind != XAS_ARG_TARGET && a.kind != XAS_ARG_WORD;
    if (!can_be_alone) return;
    const string bytes = encoded(context, n, said.args);
    plain.push_back({n, said.args, expected});
    ++alone;
    check(bytes == expected, what + ": " + line + ": alone " + bytes + " and not " + expected + string(context.text()));
  }
}

void run_line(xas::Context& context, const string& before, const string& line, const string& expected, bool x86,
              const string& header, std::vector<Plain>& plain) {
  xas::Stream s(context);
  const string lower = before + " " + header;
  const bool intel = lower.find("intel") != lower.npos;
  s.feed(before);
  Line said(s, intel, x86);
  if (!said.take(line)) {
    s.finish();
    ++skipped;
    return;
  }
  s.instruction(said.mnemonic.c_str(), said.args);
  const string found = s.finish() ? text_section(context.object()) : "error";
  if (expected == "error" && said.has_text) return;
  ++(said.has_text ? partly : typed);
  if (show && said.has_text) std::printf("%s\n", line.c_str());
  check(found == expected, header + ": " + line + ": " + found + " and not " + expected +
                               (found == "error" ? ": " + string(context.text()) : ""));
  run_numbers(context, before, line, expected, x86, intel, header, plain);
}

/// All of them in one stream, which knows what most of them come to from those of the same shape before.
void run_together(xas::Context& context, const std::vector<Plain>& all, const string& what) {
  std::vector<std::size_t> ends;
  xas::Stream s(context);
  for (const Plain& p : all) {
    s.emit(xas::Mnemonic(p.mnemonic.number), p.args, p.mnemonic.how);
    ends.push_back(std::size_t(s.offset().value_or(0)));
  }
  const bool good = s.finish();
  check(good, what + ": " + string(context.text()));
  const string found = good ? text_section(context.object()) : "";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t at = i ? ends[i - 1] : 0;
    const string bytes = 2 * ends[i] <= found.size() ? found.substr(2 * at, 2 * (ends[i] - at)) : "nothing";
    ++together;
    check(bytes == all[i].bytes,
          what + ": instruction " + std::to_string(i) + " among others is " + bytes + " and not " + all[i].bytes);
  }
}

/// Registers of which one may stand for another in most instructions, or in few.
std::vector<std::vector<xas_register>> x86_kinds() {
  using namespace xas::x86;
  return {{al, cl, dl, bl, ah, bh, spl, bpl, sil, dil, r8b, r12b, r13b, r15b},
          {ax, cx, dx, bx, sp, bp, si, di, r8w, r12w, r13w, r15w},
          {eax, ecx, edx, ebx, esp, ebp, esi, edi, r8d, r12d, r13d, r15d},
          {rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r12, r13, r15, r16, r20, r21, r31},
          {xmm0, xmm1, xmm4, xmm5, xmm7, xmm8, xmm12, xmm15, xmm16, xmm31},
          {ymm0, ymm1, ymm4, ymm5, ymm7, ymm8, ymm12, ymm15, ymm16, ymm31},
          {zmm0, zmm1, zmm7, zmm8, zmm15, zmm16, zmm31},
          {k0, k1, k2, k7}};
}
std::vector<std::vector<xas_register>> aarch64_kinds() {
  using namespace xas::aarch64;
  return {{w0, w1, w15, w29, w30, wzr, wsp},
          {x0, x1, x15, x29, x30, xzr, sp},
          {b0, b7, b31},
          {h0, h7, h15, h31},
          {s0, s7, s15, s31},
          {d0, d7, d15, d31},
          {q0, q7, q15, q31},
          {p0, p1, p7, p8, p15}};
}

/// The same with other registers of their kind and other numbers; what these come to is found out one by one.
std::vector<Plain> vary(xas::Context& context, const std::vector<std::vector<xas_register>>& kinds,
                        const std::vector<Plain>& all) {
  constexpr std::int64_t numbers[] = {
      0,     1,     2,     3,      4,         8,          15,         16,         64,         100,          127,
      128,   200,   255,   256,    -1,        -128,       -129,       -32768,     -32769,     -70000,       32767,
      32768, 65535, 65536, 100000, 999999999, 1000000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, -0x80000000ll};
  static std::uint32_t state = 1;
  const auto random = [](std::size_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  const auto other = [&](xas_register& r) {
    for (const auto& kind : kinds)
      if (std::ranges::find(kind, r) != kind.end()) r = kind[random(kind.size())];
  };
  std::vector<Plain> varied;
  for (const Plain& p : all) {
    if (p.mnemonic.number == XAS_AARCH64_MOVPRFX) continue;  // what may follow it depends on its registers
    for (int round = 0; round < 4; ++round) {
      Plain v = p;
      for (Arg& a : v.args) {
        other(a.reg);
        other(a.index);
        if (random(2) && (a.kind == XAS_ARG_VALUE || a.kind == XAS_ARG_MEMORY))
          a.value.constant = numbers[random(std::size(numbers))];
      }
      v.bytes = encoded(context, v.mnemonic, v.args);
      if (!v.bytes.empty() && context.diagnostic_count() == 0) varied.push_back(v);
    }
  }
  return varied;
}

void run_list(const string& header, const std::vector<string>& lines) {
  const std::vector<string> fields = split(header, "|");
  if (fields.size() < 3 || fields.back() != "instructions") return;
  const ListTarget* target = nullptr;
  for (const ListTarget& t : targets)
    if (fields[1] == t.name) target = &t;
  if (!target) return;
  for (const bool llvm : {false, true}) {
    xas::Context context;
    bool left_out = false, good = context.option(llvm ? "--compat=llvm" : "--compat=gnu");
    for (const char* option : llvm ? target->llvm : target->gnu) good &= context.option(option);
    for (const string& field : fields) {
      if (!field.starts_with(llvm ? "llvm" : "gnu")) continue;
      for (const string& option : split(field.substr(llvm ? 4 : 3), " ")) {
        left_out |= option == "-";
        if (!option.empty() && option != "-") good &= context.option(option.c_str());
      }
    }
    if (left_out) continue;
    check(good, header + ": " + context.error());
    string before;
    std::vector<Plain> plain;
    for (const string& given : lines) {
      const string line = trimmed(given);
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '.') {
        before += line + "\n";
        continue;
      }
      const std::vector<string> parts = split(line, "//");
      string expected = parts.size() > 1 ? parts[1] : "error";
      if (llvm && parts.size() > 2 && parts[2].starts_with("llvm ")) expected = parts[2].substr(5);
      run_line(context, before, parts[0], expected, target->x86, header + (llvm ? " (llvm)" : " (gnu)"), plain);
    }
    run_together(context, plain, header);
    const string varied = header + ", varied";
    if (target->x86) run_together(context, vary(context, x86_kinds(), plain), varied);
    if (std::string_view(target->name).ends_with("a64"))
      run_together(context, vary(context, aarch64_kinds(), plain), varied);
  }
}

void run_file(const char* path) {
  std::ifstream file(path);
  string header;
  std::vector<string> lines;
  for (string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      if (!header.empty()) run_list(header, lines);
      header = line.substr(4);
      lines.clear();
    } else {
      lines.push_back(line);
    }
  }
  if (!header.empty()) run_list(header, lines);
}

/// Places of mistakes, and what is no operand.
void run_mistakes() {
  xas::Context context;
  context.option("--target=x86_64-linux-gnu");
  {
    xas::Stream s(context);
    const xas_register eax = s.reg("eax"), rsp = s.reg("%rsp");
    check(eax && rsp && eax == s.reg("eax") && !s.reg("ebz") && !s.reg(""), "registers");
    s.place("a.toy", 70);
    check(s.instruction("movl", {xas::operands::imm(1), xas::operands::reg(eax)}), "right");
    s.place(nullptr, 71);
    check(!s.instruction("movb", {xas::operands::imm(1), xas::operands::reg(eax)}), "no such form");
    check(!s.instruction("mowl", {xas::operands::imm(1), xas::operands::reg(eax)}), "no such mnemonic");
    check(!s.instruction("movl", {xas::operands::mem(0, rsp, 4), xas::operands::reg(eax)}),
          "the stack pointer as index");
    check(!s.instruction("movl", {xas::operands::mem(rsp, eax, 3), xas::operands::reg(eax)}), "a scale of 3");
    check(!s.instruction("movl", {xas::operands::word("(%rsp"), xas::operands::reg(eax)}), "text without its end");
    check(!s.instruction("movl", {xas::operands::word("$1, %eax")}), "two operands in one");
    check(!s.instruction("lock", {xas::operands::reg(eax)}), "a prefix with operands");
    check(!s.instruction("movl", std::vector<Arg>(17, xas::operands::reg(eax))), "too many");
    const Arg one = xas::operands::reg(eax);  // no other one is read
    check(xas_emit(context.get(), XAS_X86_INCL, 0, &one, SIZE_MAX) == XAS_BAD_ARGUMENT, "far too many");
    check(xas_emit(context.get(), XAS_X86_INCL, XAS_LOCK, &one, 17) == XAS_BAD_ARGUMENT, "too many with a prefix");
    check(xas_instruction(context.get(), nullptr, nullptr, 0) == XAS_BAD_ARGUMENT, "no mnemonic");
    Arg bad = xas::operands::reg(1000);
    check(xas_instruction(context.get(), "push", &bad, 1) == XAS_BAD_ARGUMENT, "no register");
    bad = xas::operands::word(nullptr);
    check(xas_instruction(context.get(), "push", &bad, 1) == XAS_BAD_ARGUMENT, "no text");
    check(!s.finish(), "mistakes");
  }
  // Of bad arguments too, so that no object comes of them.
  check(context.diagnostic_count() == 13, "their number: " + string(context.text()));
  const std::string_view text = context.text();
  for (std::string_view part :
       {"error: unknown instruction or directive 'mowl'; did you mean 'movl'?\n", "\n movl (%rsp,\n",
        "\na.toy:71:1: error: xas_instruction: `mnemonic` is a null pointer\n",
        "\na.toy:71:1: error: xas_emit: `count` is more than 16, which is the most operands that an instruction has\n",
        "error: xas_instruction: operand 1: its register is none of the target\n"})
    check(text.find(part) != text.npos, string(part) + " is not in " + string(text));
  for (std::size_t i = 0; i < context.diagnostic_count(); ++i) {
    const xas_diagnostic& d = context.diagnostic(i);
    check(d.line == 71 && std::strcmp(d.file, "a.toy") == 0, "the place of " + string(d.message));
  }
  check(xas_register_named(context.get(), "eax") == XAS_X86_EAX, "a register outside of an assembly");
}

/// The numbers of the headers: registers' are those of their names, and stay what they are.
void run_numbers_of_headers() {
  struct Register {
    const char* target;
    const char* name;
    std::uint32_t number;
    std::uint32_t fixed;
  };
  constexpr Register registers[] = {{"x86_64-linux-gnu", "al", XAS_X86_AL, 1},
                                    {"x86_64-linux-gnu", "rax", XAS_X86_RAX, 4},
                                    {"x86_64-linux-gnu", "r31", XAS_X86_R31, 136},
                                    {"x86_64-linux-gnu", "bnd3", XAS_X86_BND3, 331},
                                    {"x86_64-linux-gnu", "xmm31", XAS_X86_XMM31, 247},
                                    {"aarch64-linux-gnu", "x30", XAS_AARCH64_X30, 2079},
                                    {"aarch64-linux-gnu", "sp", XAS_AARCH64_SP, 2592},
                                    {"aarch64-linux-gnu", "v31.16b", XAS_AARCH64_V31_16B, 16928},
                                    {"aarch64-linux-gnu", "za3v.s", XAS_AARCH64_ZA3V_S, 35588},
                                    {"arm-linux-gnueabihf", "lr", XAS_ARM_LR, 2063},
                                    {"arm-linux-gnueabihf", "q15", XAS_ARM_Q15, 16927}};
  for (const Register& r : registers) {
    xas::Context context;
    context.option((string("--target=") + r.target).c_str());
    check(xas_register_named(context.get(), r.name) == r.number && r.number == r.fixed,
          string(r.name) + ": the number has changed to " + std::to_string(r.number));
  }
  check(xas_mnemonic_named("addl") == XAS_X86_ADDL && XAS_X86_ADDL == 2144182052, "the number of addl");
  check(unsigned(XAS_AARCH64_ADD) == unsigned(XAS_ARM_ADD), "a name has one number");
  xas::Context context;
  using namespace xas::x86;
  check(bool(context.encode(addl, {xas::operands::imm(1), eax})) && !context.encode(addl, {eax}), "a result of encode");
  check(!context.encode(xas::Mnemonic(77), {}), "no mnemonic");
  check(context.encode(incl, {xas::operands::mem(rax, rcx, 4)}, 0, XAS_LOCK).raw.size == 4, "a prefix");
  check(!context.encode(incl, {eax}, 0, 1u << 20), "no prefix");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--show") == 0)
      show = true;
    else
      run_file(argv[i]);
  run_mistakes();
  run_numbers_of_headers();
  std::printf(
      "typed: %ld passed, %ld failed; %ld instructions of values alone, %ld with operands as text, %ld not said; "
      "%ld by numbers (%ld have none), %ld of them without an object, %ld in one stream\n",
      passed, failed, typed, partly, skipped, numbered, unnumbered, alone, together);
  return failed != 0;
}
