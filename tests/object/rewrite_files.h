// SPDX-License-Identifier: Apache-2.0
// What rewrite.cpp and rewrite_coff.cpp share: whole files, and the end of a program that cannot go on.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "objwriter/output_buffer.h"
#include "xas/types.hpp"

namespace xas {

[[noreturn]] inline void fail(const std::string& message) {
  std::fprintf(stderr, "rewrite: %s\n", message.c_str());
  std::exit(1);
}

inline std::vector<u8> read_file(const char* path) {
  std::FILE* f = std::fopen(path, "rb");
  if (!f) fail(std::string("can't open ") + path);
  std::vector<u8> bytes;
  u8 buffer[65536];
  while (std::size_t n = std::fread(buffer, 1, sizeof buffer, f)) bytes.insert(bytes.end(), buffer, buffer + n);
  std::fclose(f);
  return bytes;
}

inline void write_file(const char* path, const OutputBuffer& out) {
  std::FILE* f = std::fopen(path, "wb");
  if (!f || std::fwrite(out.data(), 1, out.size(), f) != out.size() || std::fclose(f) != 0) fail("can't write");
}

}  // namespace xas
