// SPDX-License-Identifier: Apache-2.0
// What an instruction costs that is said by numbers and values, by text, or to AsmJit: ROUNDS objects of 10 typical
// ones of x86-64, TIMES (100) times. Count instructions executed with ROUNDS of 10 and of 110; the difference is that
// of 100,000 instructions:
//
//     valgrind --tool=cachegrind --cache-sim=no typed_bench (numbers | values | text | encode | asmjit) ROUNDS [TIMES]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "xas/x86.h"
#include "xas/xas.hpp"

#if __has_include(<asmjit/x86.h>)
#include <asmjit/x86.h>
#define HAS_ASMJIT 1
#endif

namespace {

constexpr const char* texts[10] = {"pushq %rbp",
                                   "movq %rsp, %rbp",
                                   "subq $32, %rsp",
                                   "movl -4(%rbp), %eax",
                                   "addl $1000, %eax",
                                   "cmpl %eax, %ecx",
                                   "imull 8(%rdi,%rcx,4), %eax",
                                   "movups %xmm1, 16(%rsp)",
                                   "leaq 64(%rax), %rdx",
                                   "ret"};

void values(int rounds, int times) {
  using xas::imm, xas::mem, xas::reg;
  for (int round = 0; round < rounds; ++round) {
    static xas::Context context;
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
    if (!s.finish()) std::abort();
  }
}

void numbers(int rounds, int times) {
  using namespace xas::x86;
  using xas::imm, xas::mem;
  for (int round = 0; round < rounds; ++round) {
    static xas::Context context;
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
    if (!s.finish()) std::abort();
  }
}

void text(int rounds, int times) {
  for (int round = 0; round < rounds; ++round) {
    static xas::Context context;
    xas::Stream s(context);
    for (int i = 0; i < times; ++i)
      for (const char* t : texts) s.feed(t);
    if (!s.finish()) std::abort();
  }
}

void encode(int rounds, int times) {
  xas::Context context;
  for (int i = 0; i < rounds * times; ++i)
    for (const char* t : texts)
      if (!context.encode(t)) std::abort();
}

#if HAS_ASMJIT
void with_asmjit(int rounds, int times) {
  using namespace ::asmjit::x86;
  for (int round = 0; round < rounds; ++round) {
    ::asmjit::CodeHolder code;
    code.init(::asmjit::Environment(::asmjit::Arch::kX64));
    Assembler a(&code);
    for (int i = 0; i < times; ++i) {
      a.push(rbp);
      a.mov(rbp, rsp);
      a.sub(rsp, 32);
      a.mov(eax, dword_ptr(rbp, -4));
      a.add(eax, 1000);
      a.cmp(ecx, eax);
      a.imul(eax, dword_ptr(rdi, rcx, 2, 8));
      a.movups(xmmword_ptr(rsp, 16), xmm1);
      a.lea(rdx, ptr(rax, 64));
      a.ret();
    }
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4)
    return std::fprintf(stderr, "usage: typed_bench (numbers | values | text | encode | asmjit) ROUNDS [TIMES]\n"), 1;
  const std::string what = argv[1];
  const int rounds = std::atoi(argv[2]), times = argc > 3 ? std::atoi(argv[3]) : 100;
  if (what == "numbers")
    numbers(rounds, times);
  else if (what == "values")
    values(rounds, times);
  else if (what == "text")
    text(rounds, times);
  else if (what == "encode")
    encode(rounds, times);
#if HAS_ASMJIT
  else if (what == "asmjit")
    with_asmjit(rounds, times);
#endif
  else
    return std::fprintf(stderr, "typed_bench: no such way: %s\n", argv[1]), 1;
}
