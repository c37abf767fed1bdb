// SPDX-License-Identifier: Apache-2.0
// Threads that take what is next until nothing is left. They live for one piece of work: to start one takes some 30 us,
// and whoever calls this has milliseconds to do.
#include "objwriter/threads.h"

#include <atomic>
#include <exception>
#include <new>
#include <thread>
#include <vector>

namespace xas {

void run_in_threads(u32 threads, u32 jobs, void (*job)(void* user, u32 i), void* user) {
  std::atomic<u32> next = 0;
  std::atomic<bool> no_memory = false;
  const auto work = [&] {
    try {
      for (u32 i;
           !no_memory.load(std::memory_order_relaxed) && (i = next.fetch_add(1, std::memory_order_relaxed)) < jobs;)
        job(user, i);
    } catch (const std::bad_alloc&) {
      no_memory.store(true, std::memory_order_relaxed);
    }
  };
  std::vector<std::thread> others;
  try {
    const u32 wanted = std::min(threads, jobs) - 1;
    others.reserve(wanted);
    while (others.size() < wanted) others.emplace_back(work);
  } catch (const std::exception&) {
    // There are fewer, then.
  }
  work();
  for (std::thread& other : others) other.join();
  if (no_memory) throw std::bad_alloc();
}

}  // namespace xas
