// SPDX-License-Identifier: Apache-2.0
// Listings (-a, asm/program/listing.h) as text.
#pragma once

#include <string>

namespace xas {

class Program;
namespace obj {
struct Object;
}

/// The whole listing. `object`, whose contents are in memory, is null if there were errors: then lines have bytes as
/// far as they were known.
std::string listing_text(Program& program, const obj::Object* object);

/// -filetype=hex: a line for each line of the text that has made bytes, `0x0f,0x05 # syscall`, in the order of the
/// text. The object has its contents in memory.
std::string listing_hex(Program& program, const obj::Object& object);

}  // namespace xas
