// SPDX-License-Identifier: Apache-2.0
// SDB: what debuggers knew of a program before stabs and DWARF. It lives in the symbol table: records for tags,
// members, variables on the stack, blocks and ends of functions, each with an auxiliary record that says sizes,
// dimensions and lines, and how far what has begun goes on. Only GNU as writes it. Line numbers of functions (.ln) are
// not written.
//
// Source: "Understanding and Using COFF"; what is in which field is as GNU as has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "targets/value.h"

namespace xas {

/// Of .def: what goes into the auxiliary record.
struct SdbFields {
  bool any = false;
  u16 line = 0, size = 0, dimensions[4] = {};
  u32 tag = ~u32(0);                 ///< index in CoffState::sdb
  SymbolId tag_symbol = no_symbol;   ///< a tag that had not been defined by then
};

/// A definition that is no symbol of the text.
struct SdbSymbol {
  std::string_view name;
  u16 type;
  u8 storage_class;
  Value value;
  SdbFields fields;
};

/// Tags, members, variables on the stack or in registers, type definitions, blocks, ends of functions.
bool is_sdb_class(u8 storage_class);
bool is_sdb_tag(u8 storage_class);
/// In no section of the object: the section number says that it is an absolute number, or for debuggers alone.
bool is_sdb_absolute(u8 storage_class);
bool is_sdb_place(u8 storage_class);
bool is_sdb_end_of_function(u8 storage_class);

/// A symbol in the order of the text, as the records that belong together see it.
struct SdbEntry {
  std::string_view name;
  u16 type = 0;
  u8 storage_class = 0;
  bool own = false;         ///< made by SdbSymbol, not by a symbol of the text
  bool function = false;    ///< and defined here
  bool stays = false;       ///< local symbols and functions are not moved behind the others
  u64 value = 0;
  const SdbFields* fields = nullptr;
  // What link_sdb finds:
  bool has_record = false;
  u32 end = ~u32(0);        ///< the entry behind what begins here
  u64 function_size = 0;
};

/// Finds which entries have an auxiliary record, and where what begins in one ends. `chain`: a function ends where the
/// next one begins (Profile::coff_functions_chain).
void link_sdb(std::vector<SdbEntry>& entries, bool chain);

/// The 18 bytes of an entry's record, given the numbers of the symbol records of its tag and of its end. In a bigobj,
/// GNU as writes as if it were a weak symbol's.
std::string sdb_record(const SdbEntry& entry, u32 tag, u32 end, bool big_obj);

}  // namespace xas
