// SPDX-License-Identifier: Apache-2.0
// One process, many uses. 10^5 calls of every kind leave no memory behind; 16 contexts in 16 threads make the objects
// that one makes alone (built with -fsanitize=thread, this finds what they share).
//
//     endurance [CALLS]
#include <malloc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "xas/object.hpp"
#include "xas/xas.hpp"

namespace {

constexpr const char* targets[] = {"x86_64-linux-gnu", "aarch64-linux-gnu", "arm-linux-gnueabihf",
                                   "x86_64-w64-mingw32"};

/// Something of everything; `kind` says which. Returns what came of it.
std::string use(xas::Context& context, unsigned kind) {
  const bool fresh = kind % 16 == 0;
  if (fresh) {
    context.reset();
    context.option("--target", targets[kind / 16 % 4]);
  }
  switch (kind % 5) {
    case 0:
      context.assemble(
          ".file \"a.c\"\nf: .cfi_startproc\n nop\n .cfi_endproc\n .data\n .long f, g-.\n .macro m a\n"
          " .byte \\a\n .endm\n m 1\n .rept 3\n m 2\n .endr\n");
      break;
    case 1: {
      const auto code = context.encode("1: nop; nop; .long 1b");
      std::string all(code.bytes().begin(), code.bytes().end());
      const auto nop = context.encode(xas::Mnemonic(xas_mnemonic_named("nop")), {});
      return all.append(nop.bytes().begin(), nop.bytes().end());
    }
    case 2: {
      xas::Stream s(context);
      const xas::SymbolHandle f = s.symbol("f");
      s.place("a.toy", kind + 1);
      s.label(f);
      s.cfi_begin();
      s.feed("nop");
      for (int i = 0; i < 3; ++i) s.emit(xas::Mnemonic(xas_mnemonic_named("nop")));  // read, learnt, known
      s.cfi_end();
      s.data(f + 1, 4);
      s.directive(".globl", {f});
      s.finish();
      break;
    }
    case 3: context.assemble(" nop\n what is this\n .if 1\n"); return std::string(context.text());
    default: {
      xas::object::Builder o(xas::object::Machine::x86_64);
      const auto text = o.section(".text", {});
      o.append(text, "code");
      const auto object = o.write();
      return {object.begin(), object.end()};
    }
  }
  const auto object = context.object();
  return {object.begin(), object.end()};
}

/// Bytes that are in use, or mapped.
std::size_t in_use() {
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned calls = argc > 1 ? unsigned(std::atoi(argv[1])) : 100000;
  constexpr unsigned period = 5 * 64, threads = 16;
  std::vector<std::string> expected;
  {
    xas::Context context;
    for (unsigned i = 0; i < period; ++i) expected.push_back(use(context, i));
  }
  int failed = 0;
  {
    std::size_t before = 0, after = 0;
    constexpr unsigned warm = 10;  // rounds
    for (unsigned i = 0, round = 0; i < calls || round <= warm; ++round) {
      xas::Context context;
      after = in_use();
      if (round == warm) before = after;
      for (unsigned k = 0; k < period; ++k, ++i)
        if (use(context, k) != expected[k]) failed = 1;
    }
    if (after > before) {
      std::printf("%zu bytes are left behind\n", after - before);
      failed = 1;
    }
  }
  std::vector<int> bad(threads);
  std::vector<std::thread> running;
  for (unsigned t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      xas::Context context;
      for (unsigned i = 0; i < std::max(calls / threads / period, 1u) * period; ++i)
        if (use(context, i % period) != expected[i % period]) bad[t] = 1;
    });
  }
  for (std::thread& t : running) t.join();
  for (int b : bad) failed |= b;
  std::printf("%s\n", failed ? "failed" : "passed");
  return failed;
}
