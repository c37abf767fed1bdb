// SPDX-License-Identifier: Apache-2.0
// What operators of expressions make of values.
#pragma once

#include "targets/value.h"

namespace xas {

class Streamer;

/// Applies an operator with one operand, which `v` is. It stands at `at`. False: an error, which has been reported.
bool apply_operator(Streamer& out, ExprOp op, Value& v, const char* at);
/// The same of an operator with two: `l` becomes what it makes of `l` and `r`.
bool apply_operator(Streamer& out, ExprOp op, Value& l, Value r, const char* at);

}  // namespace xas
