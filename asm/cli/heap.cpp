// SPDX-License-Identifier: Apache-2.0
// Linux gives memory when it is first touched, at 0.6 us for each page of 4 KB, and takes as long for a huge page as
// for a hundred of those. glibc's heap never asks for huge pages by itself, so the part of it that a large input is
// going to need is made, begins at the border of a huge page, and is asked for here. What is not used is never touched.
#include "asm/cli/heap.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>

#include <sys/stat.h>
#include <unistd.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

#include "objwriter/big_memory.h"

namespace xas::cli {

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)

namespace {

/// Whether a large file looks like a table of data, whose lines come to a few bytes each and to nothing else: huge
/// pages would be more than all of it takes. That is so if nine of ten lines in its middle begin with one directive.
bool is_table(const std::string& path) {
  char text[4096];
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat st;
  const ssize_t size = ::fstat(fd, &st) == 0 ? ::pread(fd, text, sizeof text, st.st_size / 2) : -1;
  ::close(fd);
  if (size <= 0) return false;
  std::string_view rest(text, std::size_t(size));
  std::string_view directive;
  unsigned lines = 0, same = 0;
  for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
    std::string_view line = rest.substr(0, end);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_first_of(" \t"));
    ++lines;
    if (line == directive) ++same;
    if (lines == 2) directive = line;
  }
  return !directive.empty() && directive[0] == '.' && 10 * same >= 9 * lines;
}

}  // namespace

void prepare_heap(const std::vector<std::string>& inputs) {
  constexpr u64 large_input = 192 << 10;  // reads into some hundred pages
  constexpr u64 size = 64 * huge_page;    // of the part; big arrays are not on the heap
  u64 text = 0;
  for (const std::string& input : inputs) {
    struct stat st;
    if (::stat(input.c_str(), &st) == 0 && S_ISREG(st.st_mode)) text += u64(st.st_size);
  }
  if (text < large_input || is_table(inputs.front())) return;
  constexpr u64 page = 4096;
  const auto heap_end = [] { return reinterpret_cast<std::uintptr_t>(::sbrk(0)); };
  ::mallopt(M_MMAP_THRESHOLD, int(2 * size));
  ::mallopt(M_TRIM_THRESHOLD, int(4 * size));
  ::sbrk(std::intptr_t((0 - heap_end() - page) & (huge_page - 1)));
  const std::uintptr_t start = heap_end() + page;
  void* volatile const block = std::malloc(size + page);
  if (start % huge_page == 0 && heap_end() >= start + size) {
    ask_for_huge_pages(reinterpret_cast<void*>(start), size);
  }
  std::free(block);
  ::mallopt(M_MMAP_THRESHOLD, int(min_big_array));
}

#else

void prepare_heap(const std::vector<std::string>&) {}

#endif

}  // namespace xas::cli
