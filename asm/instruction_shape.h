// Lines of instructions that are the same but for numbers, registers and a name, and the templates they come to.
//
// Compiler output repeats some hundred shapes: `movq N(%rsp), R`, `call NAME`, `leaq NAME(%rip), R`. A shape is the
// line with its numbers, registers and its name taken out. A number leaves the class it is of, and all numbers of a
// class take the same form of an instruction; those that can mean a form of their own (immediates from 0 to 3) stay as
// they are. So it is with registers and their groups (targets/instruction_fields.h), and a template says for which of a
// group it is good. What the first line of a shape came to is remembered, and the next is put together from it: bytes,
// numbers, registers, one fixup or branch.
//
// What is not understood stays in the key as it is written, so a shape need not understand a line; what its text means
// is found out by assembling the first one. Lines in which a name could end elsewhere have no shape.
#pragma once

#include <cstring>

#include "asm/instruction_memo.h"
#include "asm/scan.h"
#include "targets/target.h"

namespace xas {

struct InstructionShape {
  TextKey key;                 ///< the line, with a byte above 127 for what was taken out
  const char* end;             ///< of the line: its newline
  std::string_view name;       ///< what was taken out; empty if there is no name
  bool has_displacement = false, has_immediate = false;
  i32 displacement, immediate;
  u32 register_count = 0;      ///< those in a group, whether they were taken out or not
  struct {
    u8 number;                 ///< within its group
    bool taken;
  } registers[InstructionFields::max_registers];

  /// Reads the line at p, an instruction in AT&T syntax, in text that ends at `limit`; false if it has no shape.
  /// max_shape_line bytes behind `limit` can be read.
  bool read(const CharTable& chars, const ShapeRegisters& groups, const char* p, const char* limit);

 private:
  u8 take_number(const char* p, unsigned& begin, unsigned end);
};

/// What a template knows of the name that was taken out.
struct SymbolTemplate {
  i64 constant;      ///< beside the symbol
  FieldFixup field;  ///< the fixup; of a branch only `kind`: its form
  u16 modifier;
  i8 where;          ///< from the name to the place the fixup is reported at
  bool has_symbol, is_branch;
};

struct InstructionTemplate : SymbolTemplate {
  static constexpr u32 max_bytes = 16;

  u8 bytes[max_bytes];
  u8 size;                 ///< bytes; 0 with a branch
  u8 displacement_at, displacement_size, immediate_at, immediate_size;
  RegisterField registers[InstructionFields::max_registers];
};

/// By key.
using InstructionTemplates = TextTable<InstructionTemplate>;

}  // namespace xas
