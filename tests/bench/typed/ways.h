// SPDX-License-Identifier: Apache-2.0
// The ways of making instructions that typed_bench compares: those of xas, and those of other libraries.
#pragma once

#include <cstdint>
#include <vector>

namespace typed_bench {

/// What is made; all ways of one set make the same.
enum class Set {
  plain,  ///< ten typical instructions of x86-64, without symbols
  named,  ///< ten of x86-64, nine of which name labels and functions of the section, with two labels defined
  a64,    ///< ten typical instructions of AArch64, without symbols
  a64_named
};

struct Way {
  Set set;
  const char* name;
  const char* what;
  /// Makes the ten instructions `times` times in each of `rounds` objects (buffers, assemblies).
  void (*run)(int rounds, int times);
};

void add_xas(std::vector<Way>& ways);
// Those of libraries that are there (tests/bench/CMakeLists.txt).
void add_asmjit(std::vector<Way>& ways);
void add_fadec(std::vector<Way>& ways);
void add_zydis(std::vector<Way>& ways);
void add_llvm(std::vector<Way>& ways);

inline constexpr const char* plain_texts[10] = {"pushq %rbp",
                                                "movq %rsp, %rbp",
                                                "subq $32, %rsp",
                                                "movl -4(%rbp), %eax",
                                                "addl $1000, %eax",
                                                "cmpl %eax, %ecx",
                                                "imull 8(%rdi,%rcx,4), %eax",
                                                "movups %xmm1, 16(%rsp)",
                                                "leaq 64(%rax), %rdx",
                                                "ret"};

}  // namespace typed_bench
