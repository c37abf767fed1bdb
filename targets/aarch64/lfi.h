// SPDX-License-Identifier: Apache-2.0
// Lightweight Fault Isolation (the triple aarch64_lfi): code that only reaches the 4 GB of its sandbox. What
// instructions become is told in lfi.cpp.
#pragma once

#include <optional>

#include "targets/value.h"
#include "xas/types.hpp"

namespace xas::aarch64 {

/// What the rewriting of instructions depends on.
struct Lfi {
  static constexpr int no_guard = -1;

  bool on = false;              ///< the target is aarch64_lfi
  bool rewrites = true;         ///< false between .lfi_rewrite_disable and .lfi_rewrite_enable
  bool confines_loads = true;   ///< -mattr=+no-lfi-loads clears it,
  bool confines_stores = true;  ///< and +no-lfi-stores this one
  bool shares_guards = true;    ///< -aarch64-lfi-guard-elim
  int guarded = no_guard;       ///< x28 holds this register's address in the sandbox
  u64 places = 0;               ///< Emitter::places() behind the last instruction
  std::optional<Value> tls_call;  ///< .tlsdesccall, which waits for the branch
};

}  // namespace xas::aarch64
