// SPDX-License-Identifier: Apache-2.0
// PC sections metadata (LLVM, "PC Sections Metadata"): tables of program counters, each with constants behind it.
//
// An entry is the distance from its own first byte to the PC, in 4 or 8 bytes; for a range also its size, in 4 bytes or
// as a ULEB128; then the constants, not aligned. A table does not say what is in it: a reader needs a schema.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "objwriter/read/bytes.h"
#include "xas/types.hpp"

namespace xas::pc_section {

/// "name!C" in parts.
struct Name {
  std::string_view section;
  bool compress = false;  ///< C: integers of 2 to 8 bytes, and sizes of ranges, are ULEB128
};
/// False, with `error`, for an empty name or an unknown option.
bool parse_name(std::string_view text, Name& name, std::string& error);

/// An integer of `bits` (1 to 64, or 128), a pointer or a floating-point number, as its bits.
struct Constant {
  u64 low = 0, high = 0;
  unsigned bits = 8;
  bool is_integer = true;  ///< others are never compressed
};

/// The bytes that `bits` take when they are not compressed: 1, 2, 4, 8 or 16.
unsigned constant_size(unsigned bits);

/// "value 300 does not fit in i8 (-128 to 255)", or empty for -2^(bits - 1) to 2^bits - 1, which do. `bits` is 1 to 64.
std::string misfit(i64 value, unsigned bits);

void encode_constant(std::vector<u8>& out, const Constant& constant, bool compress, bool big_endian);
void encode_range_size(std::vector<u8>& out, u32 size, bool compress, bool big_endian);

struct Field {
  enum class Kind : u8 {
    range,            ///< the size of a range, 4 bytes
    range_uleb,       ///< ... ULEB128
    uleb,             ///< a ULEB128
    integer,          ///< of `size` bytes
    pointer,          ///< as large as the target's
    sanitizer_flags,  ///< a byte; if its bit 2 is set, a ULEB128 follows
  } kind = Kind::integer;
  u8 size = 0;
};

/// What is in the entries of a table.
struct Schema {
  std::string table;
  u8 pc_size = 4;
  std::vector<Field> fields;
};

/// "NAME=FIELD,FIELD,...", each one of pc4 (in front), pc8 (in front), range, rangeu, u, i8, i16, i32, i64, i128, ptr.
bool parse_schema(std::string_view text, Schema& schema, std::string& error);

/// The schema of the tables of clang's -fexperimental-sanitize-metadata.
std::optional<Schema> built_in_schema(std::string_view table);

struct Value {
  u64 low = 0, high = 0;
  u8 size = 0;  ///< bytes, at most 16; of a ULEB128 0
};

struct Entry {
  u64 offset = 0;  ///< in the table
  u64 end = 0;
  i64 distance = 0;  ///< from the entry to the PC, before relocation
  std::optional<u64> size;
  std::vector<Value> constants;
};

/// The entry at `offset`; its PC has `pc_size` bytes, whatever the schema says. False, with `error` (its offset is that
/// in the table), if it does not end in `table`.
bool decode_entry(std::span<const u8> table, u64 offset, const Schema& schema, unsigned pc_size, unsigned pointer_size,
                  bool big_endian, Entry& entry, read::Error& error);

}  // namespace xas::pc_section
