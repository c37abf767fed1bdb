// SPDX-License-Identifier: Apache-2.0
// The memory that an object file is written into: allocated once at its full size, not zeroed, and kept for the next
// file. A std::vector would write every byte twice (3 ms for 20 MB).
#pragma once

#include <span>
#include <utility>

#include "xas/types.hpp"

namespace xas {

class OutputBuffer {
 public:
  OutputBuffer() = default;
  OutputBuffer(OutputBuffer&& other) noexcept { *this = std::move(other); }
  OutputBuffer& operator=(OutputBuffer&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~OutputBuffer() { release(); }

  /// Makes it `size` bytes of unspecified content. False if there is not so much memory; it is empty then.
  [[nodiscard]] bool set_size(u64 size);

  u8* data() { return memory_; }
  const u8* data() const { return memory_; }
  u64 size() const { return size_; }
  std::span<const u8> bytes() const { return {memory_, std::size_t(size_)}; }

 private:
  void release();

  u8* memory_ = nullptr;
  u64 size_ = 0;
  u64 capacity_ = 0;
};

}  // namespace xas
