// SPDX-License-Identifier: Apache-2.0
// Pseudo probes: marks that a compiler leaves in code for profiles of sampled execution (.pseudoprobe), and the
// .pseudo_probe sections made of them. LLVM's "Pseudo instrumentation"; the encoding is told in
// asm/debug/pseudo_probe_section.cpp.
#pragma once

#include <vector>

#include "asm/diagnostics/diag.h"
#include "targets/value.h"

namespace xas {

class Program;

/// A call that was inlined: the caller, and the probe of the call in it.
struct ProbeInlining {
  u64 guid;
  u64 index;
};

struct PseudoProbe {
  u64 guid;            ///< of the function that the probe was in before inlining
  u64 index;
  u64 discriminator;   ///< 0: none
  SymbolId function;   ///< that its code is in
  u32 subsection, pos, fragment;
  u32 first_inlining;  ///< in PseudoProbes::inlinings, the outermost first
  u32 inlining_count;
  u8 type, attributes;
  SourceLoc loc;
};

struct PseudoProbes {
  std::vector<PseudoProbe> probes;
  std::vector<ProbeInlining> inlinings;
};

}  // namespace xas
