// SPDX-License-Identifier: Apache-2.0
// Memory for arrays that grow to many megabytes. From a few megabytes up it is asked for in huge pages, where Linux
// gives them on request, as long as these come quickly (docs/performance.md).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#include <time.h>
#endif

#include "xas/types.hpp"

namespace xas {

inline constexpr u64 huge_page = u64(2) << 20;

/// Arrays from this size on are big.
inline constexpr u64 min_big_array = huge_page;

#ifdef MADV_HUGEPAGE
/// Asks for huge pages in fresh memory that begins at the border of one, and touches the first. To clear it takes a
/// tenth of a millisecond where Linux has it at hand, and twenty times as long where it must be put together first, or
/// where the host of a virtual machine must find it: then this memory, and all that comes later, is in small pages,
/// which are mostly at hand and cost 0.8 to 1 ms for as much.
inline void ask_for_huge_pages(void* memory, u64 bytes) {
  constexpr u64 slow = 800'000;  // ns
  static constinit std::atomic<bool> quick = true;
  if (!quick.load(std::memory_order_relaxed)) return;
  const auto now = [] {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return u64(t.tv_sec) * 1'000'000'000 + u64(t.tv_nsec);
  };
  ::madvise(memory, bytes, MADV_HUGEPAGE);
  const u64 before = now();
  *static_cast<volatile char*>(memory) = 0;
  if (now() - before < slow) return;
  ::madvise(memory, bytes, MADV_NOHUGEPAGE);
  quick.store(false, std::memory_order_relaxed);
}
#endif

/// Memory of zeros in huge pages, a whole number of them; null if there is not so much.
inline void* map_huge_pages(u64 bytes) {
#ifdef MADV_HUGEPAGE
  const auto map = [](u64 size) -> std::uintptr_t {
    void* const p = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? 0 : reinterpret_cast<std::uintptr_t>(p);
  };
  const auto unmap = [](std::uintptr_t p, u64 size) {
    if (size) ::munmap(reinterpret_cast<void*>(p), size);
  };
  std::uintptr_t p = map(bytes);
  if (p % huge_page) {  // Linux before 6.7; somewhere in a mapping of one huge page more, there is one that does
    unmap(p, bytes);
    const std::uintptr_t wide = map(bytes + huge_page);
    if (!wide) return nullptr;
    p = (wide + huge_page - 1) & ~std::uintptr_t(huge_page - 1);
    unmap(wide, p - wide);
    unmap(p + bytes, wide + huge_page - p);
  }
  void* const memory = reinterpret_cast<void*>(p);
  if (p) ask_for_huge_pages(memory, bytes);
  return memory;
#else
  return std::calloc(1, bytes);
#endif
}

inline void unmap_huge_pages(void* memory, [[maybe_unused]] u64 bytes) {
#ifdef MADV_HUGEPAGE
  ::munmap(memory, bytes);
#else
  std::free(memory);
#endif
}

inline u64 in_huge_pages(u64 bytes) { return (bytes + huge_page - 1) & ~(huge_page - 1); }

/// Memory of at least `bytes`, to be given back by big_free; null if there is not so much. Big arrays are not on the
/// heap, which would keep what they leave.
inline void* big_allocate(u64 bytes) {
  return bytes < min_big_array ? std::malloc(bytes) : map_huge_pages(in_huge_pages(bytes));
}
/// `bytes` as big_allocate was given.
inline void big_free(void* memory, u64 bytes) {
  bytes < min_big_array ? std::free(memory) : unmap_huge_pages(memory, in_huge_pages(bytes));
}

/// Memory that is given back when this ends.
class RawMemory {
 public:
  RawMemory() = default;
  /// Null (see `get`) if there is not so much.
  explicit RawMemory(u64 bytes) : RawMemory(big_allocate(bytes), bytes) {}
  RawMemory(RawMemory&& other) noexcept { swap(other); }
  RawMemory& operator=(RawMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~RawMemory() {
    if (memory_) big_free(memory_, bytes_);
  }
  void* get() const { return memory_; }

 protected:
  RawMemory(void* memory, u64 bytes) : memory_(memory), bytes_(bytes) {}

 private:
  void swap(RawMemory& other) {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
  }

  void* memory_ = nullptr;
  u64 bytes_ = 0;
};

/// The same, of zeros. Where it is big it comes fresh from the system in huge pages: with calloc, each small page costs
/// a fault to read it and another to write it.
class ZeroedMemory : public RawMemory {
 public:
  ZeroedMemory() = default;
  explicit ZeroedMemory(u64 bytes)
      : RawMemory(bytes < min_big_array ? std::calloc(1, bytes) : map_huge_pages(in_huge_pages(bytes)), bytes) {}
};

template <typename T>
struct BigAllocator {
  using value_type = T;
  BigAllocator() = default;
  template <typename U>
  BigAllocator(const BigAllocator<U>&) {}
  T* allocate(std::size_t n) {
    if (n > ~std::size_t(0) / 2 / sizeof(T)) throw std::bad_alloc();
    void* const memory = big_allocate(n * sizeof(T));
    if (!memory) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) { big_free(p, n * sizeof(T)); }
#ifndef __cpp_aggregate_paren_init
  /// emplace_back of an aggregate's members, which later compilers know by themselves.
  template <typename U, typename... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U{std::forward<Arguments>(arguments)...};
  }
#endif
  bool operator==(const BigAllocator&) const { return true; }
};

/// A std::vector for what may become big.
template <typename T>
using BigVector = std::vector<T, BigAllocator<T>>;

/// Makes room for `n` more. Where it is big, there is room for many: what is not touched costs nothing, and to move
/// what is there costs more than all else that is done with it. The first huge page is only touched when a fourth of it
/// is full: to clear it takes as long as an object of some thousand instructions.
template <typename T>
void make_room(BigVector<T>& v, std::size_t n = 1) {
  constexpr std::size_t big = (64 << 10) / sizeof(T), huge = huge_page / 4 / sizeof(T);
  constexpr std::size_t much = 8 * huge_page / sizeof(T);
  if (v.capacity() - v.size() < n && v.size() >= big) [[unlikely]]
    v.reserve(v.size() < huge ? 8 * (v.size() + n) : std::max(8 * (v.size() + n), much));
}

}  // namespace xas
