// SPDX-License-Identifier: Apache-2.0
// One assembly by several threads: however small the input, object, status and messages are those of one thread, with
// debug sections compressed and not.
//
//     threaded [OPTION...] -- FILE...
#include <cstdio>
#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "asm/context.h"

namespace {

using Result = std::tuple<xas_status, std::string, std::string>;

Result assemble(xas_context* context, const char* file, xas::Threads threads) {
  context->settings.options.threads = threads;
  const xas_status status = xas_assemble_files(context, &file, 1);
  std::size_t size;
  const std::uint8_t* object = xas_object(context, &size);
  std::string bytes;
  if (object) bytes.assign(object, object + size);
  return {status, bytes, xas_diagnostics_text(context, 0, nullptr)};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<const char*> options;
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at) options.push_back(argv[at]);
  unsigned passed = 0, failed = 0;
  for (const char* how :
       {"--compress-debug-sections=none", "--compress-debug-sections=zlib", "--compress-debug-sections=zstd"}) {
    xas_context* context = xas_create();
    options.push_back(how);
    for (const char* option : options)
      if (xas_set_option(context, option, nullptr) != XAS_OK)
        return std::printf("%s\n0 passed, 1 failed\n", xas_error(context)), 1;
    options.pop_back();
    for (int i = at + 1; i < argc; ++i) {
      const Result one = assemble(context, argv[i], {});
      const bool same = assemble(context, argv[i], {.most = 4, .any_size = true}) == one;
      if (!same) std::printf("FAIL %s %s\n", how, argv[i]);
      (same ? passed : failed)++;
    }
    xas_destroy(context);
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed != 0;
}
