// SPDX-License-Identifier: Apache-2.0
// xas_load: see execute.h. The size of code depends on where it stands, and where it can stand on its size: it is
// encoded for the place that the system has given, and anew in the rare case that it has grown out of it there.
#include "asm/execute.h"

#include <algorithm>
#include <cstring>
#include <new>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace xas {

bool runs_here(const Options& options) {
  const TargetOptions& t = options.target;
#if defined(__linux__) && defined(__x86_64__) && !defined(__ILP32__)
  return t.machine == Machine::x86 && t.bits == 64 && !t.x32;
#elif defined(__linux__) && defined(__aarch64__) && !defined(__ILP32__)
  return t.machine == Machine::aarch64 && !t.big_endian && !t.x32;
#else
  return (void)t, false;
#endif
}

#ifdef __linux__

namespace {

/// Memory to write to; `code` frees it.
void map(xas_code& code, std::size_t size) {
  const std::size_t page = std::size_t(::sysconf(_SC_PAGESIZE));
  const std::size_t wanted = (std::max<std::size_t>(size, 1) + page - 1) & ~(page - 1);
  if (wanted <= code.mapped) return;
  if (code.memory) ::munmap(code.memory, code.mapped);
  code.memory = nullptr;
  code.mapped = 0;
  void* const p = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  code.memory = static_cast<unsigned char*>(p);
  code.mapped = wanted;
}

}  // namespace

xas_status load(Encoder& encoder, std::string_view text, const xas_encode_options& how, xas_code& code,
                Report& report) {
  xas_encoding made = {};
  map(code, text.size());
  for (;;) {
    const u64 address = reinterpret_cast<std::uintptr_t>(code.memory);
    const xas_status status = encoder.encode(text, address, how, made, report);
    if (status != XAS_OK) return status;
    if (made.size <= code.mapped) break;
    map(code, made.size);
  }
  if (made.relocation_count) {
    encoder.report_unknown(report);
    return XAS_ERRORS;
  }
  if (made.size) std::memcpy(code.memory, made.bytes, made.size);
  code.size = made.size;
  encoder.each_label([&code](std::string_view name, u64 offset) { code.labels.emplace(name, std::size_t(offset)); });
  if (::mprotect(code.memory, code.mapped, PROT_READ | PROT_EXEC) != 0) throw std::bad_alloc();
  __builtin___clear_cache(reinterpret_cast<char*>(code.memory), reinterpret_cast<char*>(code.memory) + code.size);
  return XAS_OK;
}

#else

xas_status load(Encoder&, std::string_view, const xas_encode_options&, xas_code&, Report&) { return XAS_BAD_OPTION; }

#endif

}  // namespace xas

xas_code::~xas_code() {
#ifdef __linux__
  if (memory) ::munmap(memory, mapped);
#endif
}
