// SPDX-License-Identifier: Apache-2.0
// What an instruction costs that is said to xas by numbers and values, by names, or by text, and to other libraries.
//
//     typed_bench                      nanoseconds of each way, of which 9 turns are taken one after the other: median
//     typed_bench ways                 their names
//     typed_bench WAY ROUNDS TIMES     ROUNDS objects, in which the set's ten instructions stand TIMES times
//
// tests/bench/typed.sh counts the instructions that each way executes.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/bench/typed/ways.h"

namespace {

using namespace typed_bench;

const char* title(Set set) {
  switch (set) {
    case Set::plain: return "x86-64, without symbols";
    case Set::named: return "x86-64, with labels and functions";
    case Set::a64: return "AArch64, without symbols";
    default: return "AArch64, with labels and functions";
  }
}

std::string id(const Way& way) {
  constexpr const char* sets[] = {"plain", "named", "a64", "a64-named"};
  return std::string(sets[int(way.set)]) + ":" + way.name;
}

/// Nanoseconds of an instruction, in objects of 10 * times.
double measure(const Way& way, int rounds, int times) {
  const auto start = std::chrono::steady_clock::now();
  way.run(rounds, times);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return took.count() / (10.0 * rounds * times);
}

void compare(const std::vector<Way>& ways, int times) {
  constexpr int turns = 9;
  const int rounds = 2000 / times;
  std::vector<std::vector<double>> taken(ways.size());
  for (int turn = 0; turn < turns; ++turn)
    for (std::size_t i = 0; i < ways.size(); ++i) taken[i].push_back(measure(ways[i], rounds, times));
  const Set* set = nullptr;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!set || *set != ways[i].set) std::printf("%s, objects of %d\n", title(ways[i].set), 10 * times);
    set = &ways[i].set;
    std::ranges::sort(taken[i]);
    std::printf("  %10.1f ns  %s\n", taken[i][turns / 2], ways[i].what);
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Way> ways;
  add_xas(ways);
#if HAS_ASMJIT
  add_asmjit(ways);
#endif
#if HAS_FADEC
  add_fadec(ways);
#endif
#if HAS_ZYDIS
  add_zydis(ways);
#endif
#if HAS_LLVM
  add_llvm(ways);
#endif
  std::ranges::stable_sort(ways, {}, &Way::set);
  if (argc == 1) {
    for (const int times : {400, 2000}) compare(ways, times);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "ways") == 0) {
    for (const Way& way : ways) std::printf("%s\t%s, %s\n", id(way).c_str(), title(way.set), way.what);
    return 0;
  }
  const auto way = std::ranges::find(ways, argv[1], id);
  if (argc != 4 || way == ways.end())
    return std::fprintf(stderr, "usage: typed_bench [ways | WAY ROUNDS TIMES]\n"), 1;
  way->run(std::atoi(argv[2]), std::atoi(argv[3]));
}
