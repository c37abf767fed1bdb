// What only ARM objects have: symbols of Thumb functions, build attributes (arm_attributes.cpp), and exception tables
// (arm_ehabi.cpp).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "asm/diag.h"
#include "targets/target.h"

namespace xas {

class Assembler;

/// In Symbol::other: a function in Thumb code, whose address has the lowest bit set. Not written to the object.
inline constexpr u8 other_thumb = 0x80;
/// In Symbol::other: a label of Thumb code. Not written either.
inline constexpr u8 other_thumb_code = 0x40;
/// In Symbol::other, at the end: a function by .thumb_func alone, without a type of its own (GNU as).
inline constexpr u8 other_thumb_untyped = 0x20;
inline constexpr u8 other_thumb_marks = other_thumb | other_thumb_code | other_thumb_untyped;

/// One of .ARM.attributes; which of the two parts there is, is up to the tag.
struct ArmAttribute {
  u64 number = 0;
  std::string text;
  bool explicit_ = false;  ///< .eabi_attribute
};

/// What lies between .fnstart and .fnend.
struct ArmFunction {
  SourceLoc loc = 0;
  SymbolId start = no_symbol;
  u32 section = 0;             ///< index of the code's section
  SymbolId table = no_symbol;  ///< its entry of .ARM.extab, once it has one
  SymbolId personality = no_symbol;
  int personality_index = -1;
  bool cant_unwind = false;
  bool has_data = false;       ///< .handlerdata
  bool uses_frame = false;     ///< .setfp
  u8 frame_register = 13;
  i64 stack = 0,
      frame = 0;  ///< of the stack pointer and of the frame pointer: bytes from where the former was at first
  i64 pending = 0;             ///< bytes of stack for which no operation has been written yet
  std::vector<std::vector<u8>> operations;  ///< in the order of the prologue
};

struct ArmState {
  u32 labels = 0;              ///< so many have been defined
  bool next_is_thumb = false;  ///< .thumb_func: the next label is a Thumb function
  std::map<u32, ArmAttribute> attributes;  ///< by tag
  std::string arch, cpu, fpu, object_arch; ///< as .arch and its kin say
  bool cpu_is_last = false;                ///< .cpu stands behind any .arch
  bool in_function = false;
  ArmFunction function;
  std::vector<u32> marked[3];              ///< GNU as, by number of __aeabi_unwind_cpp_prN: tables that refer to it
};

/// Directives of ARM that are not the target's. False if there is none of that name.
bool arm_directive(Assembler& a, std::string_view name);

/// Half precision is ARM's own format, with larger numbers in place of infinities.
bool has_alternative_half(const Assembler& a);

/// A label of ARM code has been defined.
void on_arm_label(Assembler& a, SymbolId id);
/// At the end of the text: GNU as marks the labels of Thumb code that have become functions by then.
void mark_thumb_functions(Assembler& a);

/// .eabi_attribute tag, value
void directive_eabi_attribute(Assembler& a);
/// Makes .ARM.attributes.
void make_arm_attributes(Assembler& a);

/// .fnstart and what may follow it up to .fnend.
bool ehabi_directive(Assembler& a, std::string_view name);

}  // namespace xas
