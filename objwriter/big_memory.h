// Memory for arrays that grow to many megabytes. From a few megabytes up it is asked for in huge pages, where Linux
// gives them on request: the first touch of 6 MB in pages of 4 KB was measured at 3.3 ms, in huge pages at 0.5 ms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "xas/types.hpp"

namespace xas {

inline constexpr u64 huge_page = u64(2) << 20;

/// Arrays from this size on are big.
inline constexpr u64 least_big_array = huge_page;

/// Memory of at least `bytes`, to be freed by std::free; null if there is not so much.
inline void* big_allocate(u64 bytes) {
  if (bytes < least_big_array) return std::malloc(bytes);
  const u64 rounded = (bytes + huge_page - 1) & ~(huge_page - 1);
  void* const memory = std::aligned_alloc(huge_page, rounded);
#ifdef MADV_HUGEPAGE
  if (memory) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
  return memory;
}

/// Memory of zeros that is given back when this ends. Where it is big it comes fresh from the system in huge pages:
/// with calloc, each small page costs a fault to read it and another to write it.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  /// Null (see `get`) if there is not so much.
  explicit ZeroedMemory(u64 bytes) {
#ifdef MADV_HUGEPAGE
    if (bytes >= least_big_array) {
      // Somewhere in a mapping of one huge page more, there is one that begins with a huge page.
      const u64 mapped = ((bytes + huge_page - 1) & ~(huge_page - 1)) + huge_page;
      void* const p = ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (p == MAP_FAILED) return;
      memory_ = p;
      mapped_ = mapped;
      start_ = reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(p) + huge_page - 1) &
                                       ~std::uintptr_t(huge_page - 1));
      madvise(start_, mapped - huge_page, MADV_HUGEPAGE);
      return;
    }
#endif
    start_ = memory_ = std::calloc(1, bytes);
  }
  ZeroedMemory(ZeroedMemory&& other) noexcept { swap(other); }
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ZeroedMemory() {
#ifdef MADV_HUGEPAGE
    if (mapped_) {
      ::munmap(memory_, mapped_);
      return;
    }
#endif
    std::free(memory_);
  }
  void* get() const { return start_; }

 private:
  void swap(ZeroedMemory& other) {
    std::swap(memory_, other.memory_);
    std::swap(start_, other.start_);
    std::swap(mapped_, other.mapped_);
  }

  void* memory_ = nullptr;
  void* start_ = nullptr;
  u64 mapped_ = 0;
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
  void deallocate(T* p, std::size_t) { std::free(p); }
  bool operator==(const BigAllocator&) const { return true; }
};

/// A std::vector for what may become big.
template <typename T>
using BigVector = std::vector<T, BigAllocator<T>>;

/// Makes room for one more. Where it is big, there is room for many: what is not touched costs nothing, and to move
/// what is there costs more than all else that is done with it.
template <typename T>
void make_room(BigVector<T>& v) {
  constexpr std::size_t big = (64 << 10) / sizeof(T), much = huge_page / sizeof(T);
  if (v.size() == v.capacity() && v.size() >= big) [[unlikely]] v.reserve(std::max(8 * v.size(), much));
}

}  // namespace xas
