// SPDX-License-Identifier: Apache-2.0
// Labels of Thumb code, whose functions' addresses have the lowest bit set (TargetInfo::Labels::thumb).
#pragma once

#include "targets/value.h"

namespace xas {

class Program;

/// A label has been defined, if TargetInfo::Labels::watched. .thumb_func is for the next one that stands in the text.
void mark_thumb_label(Program& program, SymbolId id, bool is_written);

/// The symbol has been given a type. To LLVM what is defined by then is a function of the code that is selected.
void mark_typed_thumb_label(Program& program, SymbolId id, u8 type);

/// The symbol, which has just been assigned, is a function in Thumb code (.thumb_set). To GNU as it is no more than an
/// assignment if it stands for what is not defined yet.
void mark_thumb_alias(Program& program, SymbolId id);

/// At the end of the text, the labels of Thumb code that have become functions by then (GNU as), or are other names of
/// functions (LLVM).
void mark_thumb_functions(Program& program);

}  // namespace xas
