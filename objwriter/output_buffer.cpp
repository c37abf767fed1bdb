// SPDX-License-Identifier: Apache-2.0
// OutputBuffer's memory.
#include "objwriter/output_buffer.h"

#include <limits>

#include "objwriter/big_memory.h"

namespace xas {

void OutputBuffer::release() {
  if (memory_) big_free(memory_, capacity_);
  memory_ = nullptr;
  size_ = capacity_ = 0;
}

bool OutputBuffer::set_size(u64 size) {
  if (size > capacity_ || memory_ == nullptr) {
    release();
    if (size > std::numeric_limits<std::size_t>::max() / 2) return false;
    const u64 capacity = size < 4096 ? 4096 : size;
    memory_ = static_cast<u8*>(big_allocate(capacity));
    if (memory_ == nullptr) return false;
    capacity_ = capacity;
  }
  size_ = size;
  return true;
}

}  // namespace xas
