// SPDX-License-Identifier: Apache-2.0
// Work on one large object that several threads share. Nothing that they make depends on who makes which part.
#pragma once

#include <algorithm>
#include <type_traits>

#include "xas/types.hpp"

namespace xas {

/// How many threads may work at once, the caller's among them.
struct Threads {
  u32 most = 1;
  bool any_size = false;  ///< for tests: however little there is to do

  /// How many of them are worth starting for so many bytes, if one is for `share` of these.
  u32 count(u64 bytes, u64 share) const { return any_size ? most : u32(std::clamp<u64>(bytes / share, 1, most)); }
};

/// Calls `job(user, i)` for every i below `jobs`, as `in_threads` does.
void run_in_threads(u32 threads, u32 jobs, void (*job)(void* user, u32 i), void* user);

/// Calls `job(i)` once for every i below `jobs`: by the caller, and by up to `threads` - 1 threads that are started for
/// it and have ended when this returns. They begin in the order of i. A thread that can't be started leaves its part to
/// the others. A job may throw std::bad_alloc and nothing else: no more are begun then, and the caller gets it.
template <typename Job>
void in_threads(u32 threads, u32 jobs, Job&& job) {
  if (threads <= 1 || jobs <= 1) {
    for (u32 i = 0; i < jobs; ++i) job(i);
    return;
  }
  run_in_threads(
      threads, jobs, [](void* user, u32 i) { (*static_cast<std::remove_reference_t<Job>*>(user))(i); }, &job);
}

}  // namespace xas
