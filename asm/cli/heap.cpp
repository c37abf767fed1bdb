// Linux gives memory when it is first touched, at 0.6 us for each page of 4 KB, and takes as long for a huge page as
// for a hundred of those. glibc's heap never asks for huge pages by itself, so the part of it that a large input is
// going to need is made, begins at the border of a huge page, and is asked for here. What is not used is never touched.
#include "asm/cli/heap.h"

#include <algorithm>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "objwriter/big_memory.h"

namespace xas::cli {

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)

void prepare_heap(const std::vector<std::string>& inputs) {
  constexpr u64 large_input = 192 << 10;  // reads into some hundred pages
  constexpr u64 most = 32 * huge_page;    // big arrays are not on the heap
  u64 text = 0;
  for (const std::string& input : inputs) {
    struct stat st;
    if (::stat(input.c_str(), &st) == 0 && S_ISREG(st.st_mode)) text += u64(st.st_size);
  }
  if (text < large_input) return;
  const u64 size = std::min(most, (2 * text + huge_page - 1) & ~(huge_page - 1));
  // A block of that size becomes the end of the heap when it is freed. The words that malloc keeps in front of it and
  // behind it must not touch the huge pages before they are asked for.
  constexpr u64 page = 4096;
  const auto heap_end = [] { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); };
  ::mallopt(M_MMAP_THRESHOLD, int(2 * most));
  ::mallopt(M_TRIM_THRESHOLD, int(4 * most));
  ::sbrk(std::intptr_t((0 - heap_end() - page) & (huge_page - 1)));
  const std::uintptr_t start = heap_end() + page;
  void* volatile const block = std::malloc(size + page);
  if (start % huge_page == 0 && heap_end() >= start + size) {
    ::madvise(reinterpret_cast<void*>(start), size, MADV_HUGEPAGE);
  }
  std::free(block);
  ::mallopt(M_MMAP_THRESHOLD, int(least_big_array));
}

#else

void prepare_heap(const std::vector<std::string>&) {}

#endif

}  // namespace xas::cli
