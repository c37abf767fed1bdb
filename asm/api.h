// SPDX-License-Identifier: Apache-2.0
// What the functions of the C interface share.
#pragma once

#include <new>
#include <string>

#include "asm/context.h"

namespace xas {

inline xas_status fail(xas_context* context, xas_status status, std::string_view message) {
  context->error = shown(message);
  return status;
}

/// Refuses a call of the public function, with what is `wrong` with an argument.
xas_status refuse(xas_context* context, const char* function, const char* wrong);

/// There is no memory: what the context was at is given up.
xas_status out_of_memory(xas_context* context);

/// Stands while a callback of the program runs.
class InCallback {
 public:
  explicit InCallback(xas_context* context) : context_(context) { context->in_callback = true; }
  ~InCallback() {
    context_->in_callback = false;
    context_->error.clear();
  }
  InCallback(const InCallback&) = delete;
  InCallback& operator=(const InCallback&) = delete;

 private:
  xas_context* context_;
};

/// Runs `body`, which returns a status, and turns a lack of memory into one. Refuses calls from a callback.
template <typename Body>
xas_status guarded(xas_context* context, Body body) {
  try {
    if (context->in_callback) [[unlikely]]
      return fail(context, XAS_BAD_ARGUMENT, "a callback can't use the context that it is called from");
    context->error.clear();
    return body();
  } catch (const std::bad_alloc&) {
    return out_of_memory(context);
  }
}

/// What xas_begin has begun is over.
void end_stream(xas_context* context);
/// Forgets the last assembly and makes ready for the next.
xas_status begin(xas_context* context);
/// Makes ready for `function`, xas_encode or one of its kin: what xas_assemble has made goes.
xas_status begin_encoding(xas_context* context, const char* function);
/// Refuses what `function` asks for, as xas_finish has not ended the assembly that xas_begin has begun.
xas_status still_open(xas_context* context, const char* function);
/// Collects what came of the assembly. Returns what xas_assemble does.
xas_status collect(xas_context* context);

}  // namespace xas
