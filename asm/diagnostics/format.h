// SPDX-License-Identifier: Apache-2.0
// The formats of diagnostics.
#pragma once

#include "xas/types.hpp"

namespace xas {

/// How errors and warnings are written.
enum class DiagnosticsFormat : u8 { text, json, gnu, sarif };

}  // namespace xas
