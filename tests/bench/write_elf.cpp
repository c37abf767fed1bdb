// SPDX-License-Identifier: Apache-2.0
// write_elf: how long the ELF writer takes for a large object (5 MB, 50,000 symbols, 100,000 relocations) and for
// 100,000 and 200,000 sections with a relocation each. Best of several runs, with memory fresh and reused.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string>

#include "objwriter/elf.h"
#include "objwriter/elf_constants.h"

using namespace xas;
using namespace xas::elf;

namespace {

/// CPU time of this thread: other work on the machine does not count.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using time_point = std::chrono::time_point<ThreadClock, duration>;
  static time_point now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
  }
};

struct Input {
  obj::Object object;
  std::string names;
  std::vector<u8> bytes;
  std::vector<obj::Reloc> relocs;
};

void add_names(Input& in, u32 count, const char* prefix) {
  std::vector<std::size_t> ends;
  for (u32 i = 0; i < count; ++i) {
    in.names += prefix + std::to_string(u64(i) * 7919 % 1000003);
    ends.push_back(in.names.size());
  }
  for (u32 i = 0; i < count; ++i) {
    std::size_t start = i ? ends[i - 1] : 0;
    obj::Symbol s;
    s.name = std::string_view(in.names).substr(start, ends[i] - start);
    s.section = 0;
    s.binding = STB_GLOBAL;
    s.type = STT_FUNC;
    in.object.symbols.push_back(s);
  }
}

Input large_object() {
  Input in;
  add_names(in, 50000, "sqlite3_function_");
  in.bytes.assign(800000, 0x90);
  for (u32 i = 0; i < 100000; ++i) in.relocs.push_back({u64(i) * 7, i % 50000, 2, -4});
  obj::Section text{.name = ".text", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR, .size = in.bytes.size()};
  text.contents.data = in.bytes.data();
  text.relocs = in.relocs;
  in.object.sections.push_back(text);
  return in;
}

Input many_sections(u32 count) {
  Input in;
  add_names(in, count, ".text.f");
  in.bytes.assign(16, 0x90);
  in.relocs.push_back({1, 0, 2, -4});
  for (u32 i = 0; i < count; ++i) {
    obj::Section s{
        .name = in.object.symbols[i].name, .type = SHT_PROGBITS, .flags = SHF_ALLOC, .size = in.bytes.size()};
    s.contents.data = in.bytes.data();
    s.relocs = in.relocs;
    in.object.sections.push_back(s);
    in.object.symbols[i].name.remove_prefix(6);
    in.object.symbols[i].section = i;
  }
  return in;
}

double milliseconds_since(ThreadClock::time_point start) {
  return std::chrono::duration<double, std::milli>(ThreadClock::now() - start).count();
}

void run(const char* what, const Input& in, const char* style_name, const obj::ElfStyle& style) {
  obj::Object object = in.object;
  object.machine = EM_X86_64;
  object.elf = style;
  double fresh = 1e9, reused = 1e9;
  obj::ElfWriter kept;
  OutputBuffer kept_buffer;
  for (int i = 0; i < 15; ++i) {
    auto start = ThreadClock::now();
    {
      OutputBuffer buffer;
      if (obj::write_elf(object, buffer)) std::printf("error\n");
    }
    fresh = std::min(fresh, milliseconds_since(start));
    start = ThreadClock::now();
    if (kept.write(object, kept_buffer)) std::printf("error\n");
    reused = std::min(reused, milliseconds_since(start));
  }
  std::printf("%-18s %-5s %10.2f MB  fresh %7.2f ms  reused %7.2f ms\n", what, style_name,
              double(kept_buffer.size()) / 1e6, fresh, reused);
}

}  // namespace

int main() {
  for (auto [name, style] : {std::pair{"gnu", &obj::gnu_elf_style}, std::pair{"llvm", &obj::llvm_elf_style}}) {
    run("50,000 symbols", large_object(), name, *style);
    run("100,000 sections", many_sections(100000), name, *style);
    run("200,000 sections", many_sections(200000), name, *style);
  }
}
