// SPDX-License-Identifier: Apache-2.0
// Lines that the line cache knows by their spelling (asm/read/cache/known_spelling.cpp) come to the same as when they
// are read. A listing turns runs of lines off, so every text is assembled twice: as it is, and with a listing.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "xas/xas.hpp"

namespace {

struct Result {
  bool ok;
  std::string object, messages;
};

/// With a listing, every line is read on its own. In these texts a frame begins with an instruction: before the first
/// one, a listing also changes which rules are the CIE's.
Result assemble(std::string_view text, std::vector<const char*> options, bool lists) {
  xas::Context context;
  for (const char* option : options) REQUIRE(context.option(option));
  if (lists) REQUIRE(context.option("-al"));
  Result r{context.assemble(text, "x.s"), {}, {}};
  r.object.assign(context.object().begin(), context.object().end());
  r.messages = context.text();
  return r;
}

unsigned good = 0;  // texts that made objects

void check(std::string_view text, const std::vector<const char*>& options) {
  const Result taken = assemble(text, options, false), read = assemble(text, options, true);
  CAPTURE(text);
  good += taken.ok;
  CHECK(taken.ok == read.ok);
  CHECK(taken.object == read.object);
  CHECK(taken.messages == read.messages);
}

const std::vector<std::vector<const char*>> profiles = {
    {}, {"--compat=llvm"}, {"--32"}, {"--target=aarch64-linux-gnu"}, {"--target=aarch64_be-linux-gnu"},
    {"--target=aarch64-linux-gnu", "--compat=llvm"}, {"--target=x86_64-w64-mingw32"}};

/// Numbers that are the same on every machine.
class Random {
 public:
  std::uint32_t below(std::uint32_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return std::uint32_t(state_ >> 33) % n;
  }
  template <std::size_t n>
  const char* one_of(const char* const (&list)[n]) {
    return list[below(n)];
  }

 private:
  std::uint64_t state_ = 1;
};

/// The files and functions that lines name by their numbers.
const std::string numbered = "\t.file 1 \"a.c\"\n\t.cv_file 1 \"a.c\"\n\t.cv_func_id 0\n\t.cv_func_id 1\n";

constexpr const char* names[] = {".L1",     ".L2",   ".LVL7",  ".LVL10", ".LVU3",     ".LLST100",   ".L01",
                                 ".LBB1_2", ".Ltmp", ".Ltmp0", ".La1b2", ".L1234567", ".L12345678", ".Linfo_string12",
                                 "f1",      ".L9$",  ".LX_1",  "_L1",    ".L3.4",     ".Labsolute1"};
constexpr const char* numbers[] = {"0",    "1",   "0x7f", "0x80",  "255", "256", "-1", "-128", "-129",  "010", "0x",
                                   "0xffffffffffffffff", "0x10000000000000000", "999999999999999999",
                                   "9999999999999999999",
                                   "0x12345678", "08", "1b", "12u", "--1", "-0", "0b11", "'a'", "1+1"};
constexpr const char* directives[] = {".byte", ".value", ".long",  ".quad", ".uleb128", ".sleb128", ".2byte", ".hword",
                                      ".word", ".4byte", ".8byte", ".dc.a", ".LONG",    ".octa",    ".loc 1", ".space"};
constexpr const char* sums[] = {"", "+1", " + 2", " - 0x10", "-3", "*2", " + later", "@PLT", " +", "-f1", " 3"};
constexpr const char* rules[] = {".cfi_def_cfa_offset 16", ".cfi_offset 6, -16",      ".cfi_restore 6",
                                 ".cfi_remember_state",    ".cfi_def_cfa 7, 8",       ".cfi_adjust_cfa_offset 8",
                                 ".cfi_rel_offset 3, 0",   ".cfi_def_cfa_register 6", ".cfi_same_value 5",
                                 ".cfi_undefined 4",       ".cfi_val_offset 5, -32",  ".cfi_register 3, 4"};
constexpr const char* odd_rules[] = {".cfi_offset x19, -16", ".cfi_offset %rbx, -16",   ".cfi_restore 3, 4",
                                     ".cfi_offset 6,-13",    ".cfi_offset -1, 8",       ".cfi_offset 6 -16",
                                     ".cfi_def_cfa_offset",  ".cfi_def_cfa_offset .",   ".cfi_remember_state 1",
                                     ".cfi_def_cfa rsp, 8",  ".cfi_def_cfa_offset 9-1", ".cfi_restore 4294967296",
                                     ".cfi_restore_state",   ".cfi_window_save",        ".cfi_endproc",
                                     ".cfi_startproc"};
constexpr const char* alignments[] = {"4", "4,,10", "4,0", "2, 0x0", "3,,7 ", "0", "1,0,1"};
constexpr const char* odd_alignments[] = {"4,1", "4, 0x90", "32", "3,", "4,,", "-1", "4,0,", "5, 1 - 1", "4, -1", "07"};
constexpr const char* strings[] = {R"("text")", R"("")", R"("a", "b")", R"("sixteen letters.")",
                                   R"("a longer string, of more than thirty-two characters", "s")"};
constexpr const char* odd_strings[] = {
    R"("a\n\0")", R"("a" "b")", R"("a",)",     R"("a)", R"(<65>)", R"("a",, "b")", R"("sixteen letters.\"")",
    R"("a"b)",    R"('a')",     R"("a" , "b")"};
constexpr const char* codeview_lines[] = {"0 1 7 3", "0 1 7", "1 1 70000 0", "0 1 7 3 prologue_end", "1 1 8 is_stmt 1"};
constexpr const char* odd_codeview_lines[] = {"0 2 7",          "0",         "2 1 7 3",     "0 1 4294967295",
                                              "0 1 0x10 08",    "0 1 7 3 4", "0 1,7",       "-1 1 7",
                                              "0 1 4294967294", "0  1  7",   "0 1 7 \"a\"", "0 1 1b"};
constexpr const char* bindings[] = {".globl", ".global", ".weak", ".local"};
constexpr const char* ends[] = {"",           "",   "",   "",      " ",        "\t# comment", "  // comment",
                                " ; .byte 7", "\r", ",2", ", .L1", " /* c */", "@PLT"};

constexpr const char* sane_names[] = {".L1",     ".L2",    ".LVL7",           ".LVL10", ".LLST100",
                                      ".LBB1_2", ".Ltmp0", ".Linfo_string12", "f1"};
constexpr const char* sane_numbers[] = {"0", "1", "0x7f", "0x80", "255", "77", "12", "0x1f"};
constexpr const char* sane_directives[] = {".byte",    ".long",  ".quad",  ".uleb128",
                                           ".sleb128", ".4byte", ".8byte", ".value"};
constexpr const char* sane_ends[] = {"", "", "", " ", "\t/* comment */"};

/// `odd`: it may be no line at all.
std::string line(Random& random, bool odd) {
  const auto name = [&] { return std::string(odd ? random.one_of(names) : random.one_of(sane_names)); };
  const std::string directive = odd ? random.one_of(directives) : random.one_of(sane_directives);
  const std::string end = std::string(odd ? random.one_of(ends) : random.one_of(sane_ends)) + "\n";
  const auto operand = [&](const auto& usual, const auto& unusual) {
    return std::string(odd && random.below(3) == 0 ? random.one_of(unusual) : random.one_of(usual)) + end;
  };
  switch (random.below(15)) {
    case 12: return "\t.p2align\t" + operand(alignments, odd_alignments);
    case 13:
      return random.below(2) ? "\t.asciz\t" + operand(strings, odd_strings)
                             : "\t.ascii " + operand(strings, odd_strings);
    case 14: return "\t.cv_loc\t" + operand(codeview_lines, odd_codeview_lines);
    case 10:
    case 11:
      return "\t" + std::string(odd && random.below(3) == 0 ? random.one_of(odd_rules) : random.one_of(rules)) +
             (random.below(5) ? "\n" : end);
    case 8: return "\t" + std::string(random.one_of(bindings)) + " " + name() + end;
    case 9:
      return "n" + std::to_string(random.below(20)) + (random.below(2) ? " = " : "=") +
             (random.below(3) ? "n" + std::to_string(random.below(20)) + (odd ? random.one_of(sums) : " + 1")
                              : std::string(odd ? random.one_of(numbers) : random.one_of(sane_numbers))) +
             end;
    case 0: return odd ? name() + ":" + end : ".Lhere" + std::to_string(random.below(100000)) + ":" + end;
    case 1: return "\t.loc 1 " + std::to_string(random.below(50)) + (random.below(2) ? " 3" : "") +
                   (random.below(3) ? "" : " is_stmt 0") +
                   (random.below(3) ? "" : " view .LVU" + std::to_string(random.below(odd ? 9 : 100000))) +
                   (random.below(9) ? "" : " prologue_end") + (random.below(9) ? "" : " discriminator 2") + end;
    case 2: return "\tnop" + end;
    case 3: return "\t" + directive + "\t" + (odd ? name() + "-" + name() : std::string(".L2-.L1")) + end;
    case 4: return "\t" + (odd ? directive : std::string(".quad")) + " " + name() + end;
    default: return std::string(random.below(9) ? "\t" : "  ") + directive + (random.below(5) ? " " : "\t ") +
                    (odd ? random.one_of(numbers) : random.one_of(sane_numbers)) + end;
  }
}

}  // namespace

TEST_CASE("line cache: known spellings of all kinds, one by one") {
  Random random;
  for (unsigned i = 0; i < 4000; ++i) {
    const std::string text = numbered + ".set .Labsolute1, 200\n.L1:\n.Ltmp0:\n\t.long 1\n\t.cfi_startproc\n\tnop\n" +
                             line(random, true) + ".L2:\n\t.cfi_endproc\n";
    check(text, profiles[random.below(profiles.size())]);
  }
  CHECK(good > 300);  // most are not rejected
  good = 0;
}

TEST_CASE("line cache: runs of known spellings") {
  Random random;
  constexpr const char* sections[] = {"\t.data\n", "\t.text\n", "\t.bss\n", "\t.section .debug_info,\"\",%progbits\n",
                                      "\t.section .debug_loclists,\"\",%progbits\n"};
  for (unsigned i = 0; i < 1000; ++i) {
    std::string text = numbered + ".L1:\n\tnop\n.L2:\n\t.cfi_startproc\n\tnop\n";
    for (unsigned n = random.below(40); n > 0; --n)
      text += random.below(6) ? line(random, random.below(100) == 0)
                              : "\t.cfi_endproc\n" + std::string(random.one_of(sections)) + "\t.cfi_startproc\n\tnop\n";
    text += "\t.cfi_endproc\n";
    if (random.below(4) == 0) text.pop_back();  // the last line has no newline
    check(text, profiles[random.below(profiles.size())]);
  }
  CHECK(good > 300);  // most are not rejected
  good = 0;
}
