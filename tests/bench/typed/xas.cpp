// SPDX-License-Identifier: Apache-2.0
// The ways of xas: xas_emit, xas_instruction, xas_feed, and bytes alone by xas_encode and xas_encode_instruction.
#include <cstdlib>
#include <string>

#include "tests/bench/typed/ways.h"
#include "xas/aarch64.h"
#include "xas/x86.h"
#include "xas/xas.hpp"

namespace typed_bench {

namespace {

using namespace xas::operands;

xas::Context& aarch64_context() {
  static xas::Context context = [] {
    xas::Context c;
    c.option("--target=aarch64-linux-gnu");
    return c;
  }();
  return context;
}

void check(bool good) {
  if (!good) std::abort();
}

void emit(int rounds, int times) {
  using namespace xas::x86;
  static xas::Context context;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(context);
    for (int i = 0; i < times; ++i) {
      s.emit(pushq, {rbp});
      s.emit(movq, {rsp, rbp});
      s.emit(subq, {imm(32), rsp});
      s.emit(movl, {mem(rbp, -4), eax});
      s.emit(addl, {imm(1000), eax});
      s.emit(cmpl, {eax, ecx});
      s.emit(imull, {mem(rdi, rcx, 4, 8), eax});
      s.emit(movups, {xmm1, mem(rsp, 16)});
      s.emit(leaq, {mem(rax, 64), rdx});
      s.emit(ret);
    }
    check(s.finish());
  }
}

void instruction(int rounds, int times) {
  static xas::Context context;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(context);
    const auto rbp = s.reg("rbp"), rsp = s.reg("rsp"), eax = s.reg("eax"), ecx = s.reg("ecx"), rdi = s.reg("rdi"),
               rcx = s.reg("rcx"), xmm1 = s.reg("xmm1"), rax = s.reg("rax"), rdx = s.reg("rdx");
    for (int i = 0; i < times; ++i) {
      s.instruction("pushq", {reg(rbp)});
      s.instruction("movq", {reg(rsp), reg(rbp)});
      s.instruction("subq", {imm(32), reg(rsp)});
      s.instruction("movl", {mem(rbp, -4), reg(eax)});
      s.instruction("addl", {imm(1000), reg(eax)});
      s.instruction("cmpl", {reg(eax), reg(ecx)});
      s.instruction("imull", {mem(rdi, rcx, 4, 8), reg(eax)});
      s.instruction("movups", {reg(xmm1), mem(rsp, 16)});
      s.instruction("leaq", {mem(rax, 64), reg(rdx)});
      s.instruction("ret");
    }
    check(s.finish());
  }
}

void feed(int rounds, int times) {
  static xas::Context context;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(context);
    for (int i = 0; i < times; ++i)
      for (const char* t : plain_texts) s.feed(t);
    check(s.finish());
  }
}

void encode(int rounds, int times) {
  static xas::Context context;
  for (int i = 0; i < rounds * times; ++i)
    for (const char* t : plain_texts) check(bool(context.encode(t)));
}

/// Lines that all differ: numbers count up, registers go round.
std::vector<std::string> different_lines() {
  const std::string registers[] = {"ax", "bx", "cx", "dx", "si", "di"};
  std::vector<std::string> lines;
  for (int n = 100'000; n < 150'000; ++n) {
    const std::string number = std::to_string(n), a = registers[n % 6], b = registers[n / 6 % 6];
    switch (n % 5) {
      case 0: lines.push_back("movl " + number + "(%r" + a + "), %e" + b); break;
      case 1: lines.push_back("addq $" + number + ", %r" + a); break;
      case 2: lines.push_back("leaq " + number + "(%r" + a + "), %r" + b); break;
      case 3: lines.push_back("cmpl $" + number + ", %e" + a); break;
      default: lines.push_back("movq %r" + a + ", " + number + "(%r" + b + ")"); break;
    }
  }
  return lines;
}

void encode_new(int rounds, int times) {
  static const std::vector<std::string> lines = different_lines();
  static std::size_t next = 0;
  static xas::Context context;
  for (int i = 0; i < 10 * rounds * times; ++i) {
    check(bool(context.encode(lines[next])));
    if (++next == lines.size()) next = 0;
  }
}

void encode_instruction(int rounds, int times) {
  using namespace xas::x86;
  static xas::Context c;
  for (int i = 0; i < rounds * times; ++i) {
    check(bool(c.encode(pushq, {rbp})));
    check(bool(c.encode(movq, {rsp, rbp})));
    check(bool(c.encode(subq, {imm(32), rsp})));
    check(bool(c.encode(movl, {mem(rbp, -4), eax})));
    check(bool(c.encode(addl, {imm(1000), eax})));
    check(bool(c.encode(cmpl, {eax, ecx})));
    check(bool(c.encode(imull, {mem(rdi, rcx, 4, 8), eax})));
    check(bool(c.encode(movups, {xmm1, mem(rsp, 16)})));
    check(bool(c.encode(leaq, {mem(rax, 64), rdx})));
    check(bool(c.encode(ret, {})));
  }
}

void emit_named(int rounds, int times) {
  using namespace xas::x86;
  static xas::Context context;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(context);
    const xas::SymbolHandle f = s.new_label(), table = s.new_label();
    s.label(f);
    for (int i = 0; i < times; ++i) {
      const xas::SymbolHandle head = s.new_label(), end = s.new_label();
      s.label(head);
      s.emit(leaq, {mem(rip, table), rdi});
      s.emit(movl, {mem(rip, table + 4), eax});
      s.emit(call, {to(f)});
      s.emit(testl, {eax, eax});
      s.emit(je, {to(end)});
      s.emit(movl, {eax, mem(rip, table + 8)});
      s.emit(call, {to(f)});
      s.emit(jne, {to(head)});
      s.emit(jmp, {to(end)});
      s.emit(cmpl, {imm(16), mem(rip, table)});
      s.label(end);
    }
    s.label(table);
    check(s.finish());
  }
}

void emit_a64(int rounds, int times) {
  using namespace xas::aarch64;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(aarch64_context());
    for (int i = 0; i < times; ++i) {
      s.emit(stp, {x29, x30, mem(sp, -32).write_back()});
      s.emit(mov, {x29, sp});
      s.emit(sub, {sp, sp, imm(48)});
      s.emit(ldr, {w0, mem(x1, 16)});
      s.emit(add, {x2, x3, imm(100)});
      s.emit(cmp, {w0, w4});
      s.emit(madd, {x0, x1, x2, x3});
      s.emit(str, {q1, mem(sp, 16)});
      s.emit(mov, {w5, imm(7)});
      s.emit(ret);
    }
    check(s.finish());
  }
}

void emit_a64_named(int rounds, int times) {
  using namespace xas::aarch64;
  for (int round = 0; round < rounds; ++round) {
    xas::Stream s(aarch64_context());
    const xas::SymbolHandle f = s.new_label(), table = s.new_label();
    s.label(f);
    for (int i = 0; i < times; ++i) {
      const xas::SymbolHandle head = s.new_label(), end = s.new_label();
      s.label(head);
      s.emit(adr, {x0, to(table)});
      s.emit(add, {x0, x0, imm(16)});
      s.emit(ldr, {w1, to(table + 4)});
      s.emit(bl, {to(f)});
      s.emit(cbz, {w0, to(end)});
      s.emit(bl, {to(f)});
      s.emit(b_ne, {to(head)});
      s.emit(b, {to(end)});
      s.emit(cmp, {w0, imm(16)});
      s.emit(b_eq, {to(head)});
      s.label(end);
    }
    s.label(table);
    check(s.finish());
  }
}

}  // namespace

void add_xas(std::vector<Way>& ways) {
  ways.insert(ways.end(), {{Set::plain, "emit", "xas_emit", emit},
                           {Set::plain, "instruction", "xas_instruction", instruction},
                           {Set::plain, "feed", "xas_feed, lines that have stood before", feed},
                           {Set::plain, "encode", "xas_encode, lines that have stood before", encode},
                           {Set::plain, "encode-new", "xas_encode, new lines (other instructions)", encode_new},
                           {Set::plain, "encode-instruction", "xas_encode_instruction", encode_instruction},
                           {Set::named, "emit", "xas_emit", emit_named},
                           {Set::a64, "emit", "xas_emit", emit_a64},
                           {Set::a64_named, "emit", "xas_emit", emit_a64_named}});
}

}  // namespace typed_bench
