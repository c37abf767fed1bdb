// SPDX-License-Identifier: Apache-2.0
// Layout: sizes that depend on distances, alignment, expressions and on each other.
#include "asm/layout/layout.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <random>

#include "asm/options/releases.h"
#include "fake_target.h"

using namespace xas;
using namespace xas::test;

namespace {

const Profile* const profiles[] = {&gnu_2_40_profile, &llvm_22_profile, &llvm_23_profile};

u64 size_of_text(const std::string& text, const Profile& profile = gnu_2_40_profile) {
  Assembled t(text, profile);
  layout(t.program());
  CHECK(t.errors() == "");
  return t.section(".text").size;
}

/// Every branch reaches its target, and every alignment pads as it must.
void check_consistent(Assembled& t) {
  Subsection& sub = t.text();
  u64 before = 0;
  for (const Fragment& f : sub.fragments) {
    REQUIRE(sub.before[u32(&f - sub.fragments.data())] == before);
    const u64 here = sub.offset(f);
    if (f.kind == FragmentKind::insn && f.as<InsnFragment>().state == 0) {
      const i64 distance = i64(t.program().label_offset(t.program().symbols[f.as<InsnFragment>().target])) - i64(here);
      REQUIRE(t.target.relax_range(0, 0).contains(distance));
    } else if (f.kind == FragmentKind::align) {
      const AlignFragment& align = f.as<AlignFragment>();
      const u64 pad = (0 - here) & ((u64(1) << align.log2) - 1);
      REQUIRE(f.size == (align.max_skip && pad > align.max_skip ? 0 : pad));
    }
    before += f.size;
  }
  REQUIRE(sub.growth == before);
}

unsigned grown(const Assembled& t) {
  unsigned n = 0;
  for (const Fragment& f : const_cast<Assembled&>(t).text().fragments)
    n += f.kind == FragmentKind::insn && f.as<InsnFragment>().state;
  return n;
}

}  // namespace

TEST_CASE("a branch is short up to its reach") {
  for (const Profile* p : profiles) {
    CHECK(size_of_text("jmp .L1\n.skip 127\n.L1:\n", *p) == 129);
    CHECK(size_of_text("jmp .L1\n.skip 128\n.L1:\n", *p) == 133);
    CHECK(size_of_text(".L1: .skip 126\njmp .L1\n", *p) == 128);
    CHECK(size_of_text(".L1: .skip 127\njmp .L1\n", *p) == 132);
    // Behind something that can grow, the same.
    CHECK(size_of_text("jmp .L0\n.L0:\n.L1: .skip 126\njmp .L1\n", *p) == 130);
    CHECK(size_of_text("jmp .L0\n.L0:\n.L1: .skip 127\njmp .L1\n", *p) == 134);
  }
}

TEST_CASE("targets elsewhere are left to the linker, in the long form") {
  CHECK(size_of_text("jmp undefined\n") == 5);
  CHECK(size_of_text("jmp .L1\n.data\n.L1:\n") == 5);
  CHECK(size_of_text(".weak w\njmp w\nw:\n") == 5);
  CHECK(size_of_text(".globl g\njmp g\ng:\n", gnu_2_40_profile) == 2);
  CHECK(size_of_text(".globl g\njmp g\ng:\n", llvm_22_profile) == 5);
  CHECK(size_of_text("jmp alias\n.set alias, .L1\n.L1:\n") == 2);
  CHECK(size_of_text("jmp alias\n.set alias, undefined\n") == 5);
}

TEST_CASE("a growing branch makes those around it grow") {
  // The inner branch is long; with that the outer one is too.
  const std::string text = "jmp .L1\njmp .L2\n.skip 123\n.L1:\n.skip 10\n.L2:\n";
  for (const Profile* p : profiles) CHECK(size_of_text(text, *p) == 5 + 5 + 133);
}

TEST_CASE("chains of growing branches") {
  for (const Profile* p : profiles) {
    for (unsigned n : {3u, 40u, 50000u}) {
      std::string text;
      // Branch i jumps over 125 bytes and branch i + 1, as far as it can; the last one has to jump too far.
      for (unsigned i = 0; i < n; ++i) text += fmt::format("jmp .L{}\n.L{}: .skip 125\n", i + 2, i + 1);
      text += fmt::format(".skip 3\n.L{}: one\n", n + 1);
      Assembled t(text, *p);
      layout(t.program());
      check_consistent(t);
      CHECK(grown(t) == n);
    }
  }
}

TEST_CASE("sixty thousand alignments") {
  std::string text;
  for (unsigned i = 0; i < 60000; ++i) text += fmt::format("jmp .L{}\n.p2align {}\n.L{}: one\n", i, 1 + i % 6, i);
  for (const Profile* p : profiles) {
    Assembled t(text, *p);
    layout(t.program());
    CHECK(t.errors() == "");
    check_consistent(t);
  }
}

TEST_CASE("random branches and alignments settle consistently") {
  std::mt19937 random(1);
  for (unsigned run = 0; run < 60; ++run) {
    const unsigned n = 20 + run * 10;
    const bool aligned = run % 2;
    std::string text;
    for (unsigned i = 0; i < n; ++i) {
      const int to = int(i) + int(random() % 9) - 4;
      text += fmt::format(".L{}: .skip {}\njmp .L{}\n", i, random() % 60, to < 0 ? 0 : to >= int(n) ? n - 1 : to);
      if (aligned && random() % 4 == 0)
        text += fmt::format(".p2align {},,{}\n", random() % 6, random() % 3 ? 0 : random() % 40);
    }
    u64 size[std::size(profiles)];
    unsigned i = 0;
    for (const Profile* p : profiles) {
      Assembled t(text, *p);
      layout(t.program());
      CHECK(t.errors() == "");
      check_consistent(t);
      size[i++] = t.section(".text").size;
    }
    // Without alignment there is one smallest solution.
    if (!aligned) {
      CHECK(size[0] == size[1]);
      CHECK(size[0] == size[2]);
    }
  }
}

TEST_CASE("a backward branch sees what the pass has moved, or not") {
  const std::string text = ".skip 8\njmp .L3\n.L1: .skip 44\njmp .L1\n.p2align 5\n.L2: .skip 74\njmp .L1\n"
                           ".L3: .skip 105\njmp .L2\n";
  CHECK(size_of_text(text, gnu_2_40_profile) == 250);
  CHECK(size_of_text(text, llvm_22_profile) == 253);
  CHECK(size_of_text(text, llvm_23_profile) == 250);
}

TEST_CASE("LEB128 numbers of distances in other sections") {
  const std::string text = ".data\n.uleb128 .L2-.L1\n.uleb128 .L3-.L1\n.sleb128 .L1-.L3\n.text\n"
                           ".L1: jmp .L9\n.skip 120\n.L2: .skip 10\n.L3:.skip 100\n.L9:\n";
  for (const Profile* p : profiles) {
    Assembled t(text, *p);
    layout(t.program());
    CHECK(t.errors() == "");
    CHECK(t.label(".L3") == 135);
    CHECK(t.section(".data").size == 1 + 2 + 2);  // 125, 135, -135
  }
}

TEST_CASE("fills, skips and origins by expressions") {
  CHECK(size_of_text("jmp .L1\n.skip 200\n.L1: .skip .L1-.L0, 1\n.L0=.\n.set .Lx, 0\n") == 205);
  CHECK(size_of_text(".La: jmp .L1\n.skip 200\n.L1:\n.skip .L1-.La\n") == 410);
  CHECK(size_of_text(".La: jmp .L1\n.skip 200\n.L1:\n.fill (.L1-.La)*2/5, 4\n") == 205 + 82 * 4);
  CHECK(size_of_text("jmp .L1\n.skip 200\n.L1:\n.org 300\none\n") == 301);
  CHECK(size_of_text("jmp .L1\n.skip 200\n.L1:\n.org .L1+7\none\n") == 213);
  std::string origins = "jmp .L1\n.skip 200\n.L1:\n";
  for (unsigned i = 1; i <= 2000; ++i) origins += fmt::format(".org {}\none\n", 300 * i);
  CHECK(size_of_text(origins) == 600001);
}

TEST_CASE("sizes without a solution are told") {
  const auto problem = [](const std::string& text) {
    Assembled t(text);
    layout(t.program());
    return t.errors();
  };
  CHECK(problem("jmp .L1\n.L1: .org 1\n") != "");
  CHECK(problem("jmp .L1\n.L1: .skip .L1-.L2-10\n.L2:\n").find("negative") != std::string::npos);
  CHECK(problem(".L1: jmp .L2\n.skip .L2-.L1\n.L2:\n") != "");
  CHECK(problem("jmp .L2\n.org .L2\n.L2:\n").find("depends on itself") == std::string::npos);
  CHECK(problem("jmp .L2\n.org .L2+1\n.L2:\n").find("depends on itself") != std::string::npos);
  CHECK(problem(".uleb128 a-b\n").find("LEB128") != std::string::npos);
  CHECK(problem(".org .L1\n.data\n.L1:\n").find("section") != std::string::npos);
  CHECK(problem(".skip undefined\n") != "");
  CHECK(problem("jmp .L1\n.L1: .set a, b+1\n.set b, a+1\n.skip a\n") != "");
}

TEST_CASE("subsections stand in the order of their numbers") {
  Assembled t(".text 2\nc: one\n.text 0\na: jmp c\none\n.text 1\nb: .skip 3\n");
  layout(t.program());
  CHECK(t.label("a") == 0);
  CHECK(t.label("b") == 3);
  CHECK(t.label("c") == 6);
  CHECK(t.section(".text").size == 7);
}

TEST_CASE("sections are laid out again only where something was added") {
  Assembled t("a: jmp b\n.skip 200\nb:\n.data\n.uleb128 b-a\n");
  layout(t.program());
  CHECK(t.section(".data").size == 2);
  t.reader->out.current = &t.text();
  t.reader->out.emit_int(0, 4);
  layout(t.program());
  CHECK(t.section(".text").size == 209);
  check_consistent(t);
}

TEST_CASE("merge sections are padded to their entries") {
  const std::string text = ".section .rodata.cst16,\"aM\",@progbits,16\n.long 1\n";
  Assembled g(text, gnu_2_40_profile), l(text, llvm_22_profile);
  layout(g.program());
  layout(l.program());
  layout(g.program());
  CHECK(g.section(".rodata.cst16").size == 16);
  CHECK(l.section(".rodata.cst16").size == 4);
}
