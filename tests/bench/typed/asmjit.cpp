// SPDX-License-Identifier: Apache-2.0
// AsmJit's Assemblers, which are told forms, and make code in memory.
#include <asmjit/arm/a64assembler.h>
#include <asmjit/x86.h>

#include "tests/bench/typed/ways.h"

namespace typed_bench {

namespace {

/// Objects one after the other, each of which `say(assembler)` says.
template <class Assembler, class Say>
void objects(::asmjit::Arch arch, int rounds, const Say& say) {
  for (int round = 0; round < rounds; ++round) {
    ::asmjit::CodeHolder holder;
    Assembler assembler;
    holder.init(::asmjit::Environment(arch));
    holder.attach(&assembler);
    say(assembler);
  }
}

void plain(int rounds, int times) {
  using namespace ::asmjit::x86;
  objects<Assembler>(::asmjit::Arch::kX64, rounds, [&](Assembler& a) {
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
  });
}

void named(int rounds, int times) {
  using namespace ::asmjit::x86;
  objects<Assembler>(::asmjit::Arch::kX64, rounds, [&](Assembler& a) {
    const ::asmjit::Label f = a.newLabel(), table = a.newLabel();
    a.bind(f);
    for (int i = 0; i < times; ++i) {
      const ::asmjit::Label head = a.newLabel(), end = a.newLabel();
      a.bind(head);
      a.lea(rdi, ptr(table));
      a.mov(eax, dword_ptr(table, 4));
      a.call(f);
      a.test(eax, eax);
      a.je(end);
      a.mov(dword_ptr(table, 8), eax);
      a.call(f);
      a.jne(head);
      a.jmp(end);
      a.cmp(dword_ptr(table), 16);
      a.bind(end);
    }
    a.bind(table);
  });
}

void a64(int rounds, int times) {
  using namespace ::asmjit::a64;
  objects<Assembler>(::asmjit::Arch::kAArch64, rounds, [&](Assembler& a) {
    for (int i = 0; i < times; ++i) {
      a.stp(x29, x30, ptr_pre(sp, -32));
      a.mov(x29, sp);
      a.sub(sp, sp, 48);
      a.ldr(w0, ptr(x1, 16));
      a.add(x2, x3, 100);
      a.cmp(w0, w4);
      a.madd(x0, x1, x2, x3);
      a.str(q1, ptr(sp, 16));
      a.mov(w5, 7);
      a.ret(x30);
    }
  });
}

void a64_named(int rounds, int times) {
  using namespace ::asmjit::a64;
  objects<Assembler>(::asmjit::Arch::kAArch64, rounds, [&](Assembler& a) {
    const ::asmjit::Label f = a.newLabel(), table = a.newLabel();
    a.bind(f);
    for (int i = 0; i < times; ++i) {
      const ::asmjit::Label head = a.newLabel(), end = a.newLabel();
      a.bind(head);
      a.adr(x0, table);
      a.add(x0, x0, 16);
      a.ldr(w1, ptr(table, 4));
      a.bl(f);
      a.cbz(w0, end);
      a.bl(f);
      a.b_ne(head);
      a.b(end);
      a.cmp(w0, 16);
      a.b_eq(head);
      a.bind(end);
    }
    a.bind(table);
  });
}

}  // namespace

void add_asmjit(std::vector<Way>& ways) {
  constexpr const char* what = "AsmJit, Assembler";
  ways.insert(ways.end(), {{Set::plain, "asmjit", what, plain},
                           {Set::named, "asmjit", what, named},
                           {Set::a64, "asmjit", what, a64},
                           {Set::a64_named, "asmjit", what, a64_named}});
}

}  // namespace typed_bench
