// SPDX-License-Identifier: Apache-2.0
// Code that runs at once: memory that a process may execute, and what stands in it.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "asm/encode.h"

/// What xas_load gives.
struct xas_code {
  xas_code() = default;
  xas_code(const xas_code&) = delete;
  xas_code& operator=(const xas_code&) = delete;
  ~xas_code();

  unsigned char* memory = nullptr;  ///< executable, not writable
  std::size_t mapped = 0;
  std::size_t size = 0;
  std::map<std::string, std::size_t, std::less<>> labels;  ///< their offsets
};

namespace xas {

/// This machine can execute what the options ask for.
bool runs_here(const Options& options);

/// Encodes the text into `code`. What is wrong is in `report`; a lack of memory is thrown.
xas_status load(Encoder& encoder, std::string_view text, const xas_encode_options& how, xas_code& code, Report& report);

}  // namespace xas
