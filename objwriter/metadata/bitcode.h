// SPDX-License-Identifier: Apache-2.0
// What is asked of LLVM bitcode before a program of the right LLVM is at hand: who wrote it, for what, and which
// symbols it has. Unknown records and blocks are passed over, so that bitcode of later releases can be read too.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "xas/bitstream.hpp"

namespace xas::bitstream {

struct ModuleSymbol {
  char letter = '?';  ///< nm's
  std::string name;
};

struct Module {
  enum class Kind : u8 { plain, thin_lto, full_lto, index } kind = Kind::plain;
  std::string producer;
  u64 epoch = 0;
  std::string triple, data_layout, source_file;
  u64 version = 0;
  bool has_assembly = false;  ///< assembler text, whose symbols are not among `symbols`
  std::vector<ModuleSymbol> symbols;
};

std::string_view module_kind_name(Module::Kind kind);

/// Adds the modules of one stream. False, with `error`, if it cannot be read.
bool read_modules(std::span<const u8> stream, std::vector<Module>& modules, Error& error);

}  // namespace xas::bitstream
