// --gstabs: line numbers of the assembly source as stabs, made while the text is read (directives/stabs.cpp).
#pragma once

#include <string>

#include "asm/source.h"
#include "targets/target.h"

namespace xas {

class Assembler;

struct StabLines {
  bool on = false;
  bool void_known = false;          ///< the type of functions has been described
  SymbolId function = no_symbol;    ///< start of the .func that is open

  /// The records for the first input.
  void begin(Assembler& a, const SourceBuffer& input);
  /// An instruction of this line follows.
  void instruction(Assembler& a, u32 line);

 private:
  std::string file_;
  u32 line_ = ~u32(0);
  const SourceBuffer* source_ = nullptr;
  std::size_t markers_ = 0;
};

}  // namespace xas
