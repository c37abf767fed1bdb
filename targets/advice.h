// SPDX-License-Identifier: Apache-2.0
// What is said of text that is another machine's or another assembler's.
#pragma once

#include <string>
#include <string_view>

#include "targets/target.h"

namespace xas {

/// The machines but `own` whose mnemonics this is (in lower case), in words: "AArch64 and ARM"; empty if there is none.
std::string_view other_machines(std::string_view mnemonic, Machine own);

/// What may be meant by what stands at p, behind the operands, where `comment` begins comments: "; ..."; empty if that
/// can't be told.
std::string unexpected_advice(const char* p, std::string_view comment);

/// How a relocation modifier that the target does not know may be meant: "; ..."; empty if no other one is near.
std::string modifier_advice(const Target& target, std::string_view name);

/// What stands from `open` on, which is to be closed before `end`: "; as in '[x1]'"; empty if it is long.
std::string closing_advice(const char* open, const char* end, char close);

/// In brackets, which begin at `open`, stands at p what is neither a comma nor the end of them.
void report_open_bracket(const char* open, const char* p, bool at_end, Emitter& out);

namespace x86 {
bool has_mnemonic(std::string_view name);
}
namespace aarch64 {
bool has_mnemonic(std::string_view name);
}
namespace arm {
bool has_mnemonic(std::string_view name);
}

}  // namespace xas
