// SPDX-License-Identifier: Apache-2.0
// See coff_sdb.h.
#include "asm/program/coff_sdb.h"

#include <algorithm>

#include "objwriter/coff_constants.h"
#include "objwriter/endian.h"

namespace xas {

using namespace coff;

namespace {

constexpr u32 none = ~u32(0);

/// IMAGE_SYM_CLASS_*
enum SdbClass : u8 {
  automatic = 1,
  register_variable = 4,
  member_of_struct = 8,
  argument = 9,
  struct_tag = 10,
  member_of_union = 11,
  union_tag = 12,
  type_definition = 13,
  enum_tag = 15,
  member_of_enum = 16,
  register_argument = 17,
  bit_field = 18,
  block = 100,
  function = 101,
  end_of_struct = 102,
  end_of_function = 255,
};

/// Walks the entries and remembers what is open.
class Linker {
 public:
  Linker(std::vector<SdbEntry>& entries, bool chain) : entries_(entries), chain_(chain) {}

  void link() {
    for (u32 i = 0; i < entries_.size(); ++i) {
      SdbEntry& e = entries_[i];
      e.has_record = e.fields && e.fields->any;
      const u32 ended = visit(i);
      const bool listed = !(e.own && e.storage_class == end_of_function);
      if (waiting_ != none && listed && e.stays) {
        end_at(waiting_, i);
        waiting_ = none;
      }
      if (ended != none) waiting_ = ended;
      if (e.own && e.storage_class == SdbClass::function && e.name == ".bf") {
        if (start_ != none) end_at(start_, i);
        start_ = i;
      }
    }
  }

 private:
  /// The entry that this one ends, if it does.
  u32 visit(u32 i) {
    SdbEntry& e = entries_[i];
    if (e.function && (function_ == none || chain_)) {
      if (function_ != none) end_at(function_, i);
      function_ = i;
      e.has_record = true;
    }
    if (!e.own) return none;
    if (is_sdb_tag(e.storage_class)) tag_ = i;
    switch (e.storage_class) {
      case end_of_struct: return tag_;
      case block:
        if (e.name == ".bb") {
          blocks_.push_back(i);
        } else if (e.name == ".eb" && !blocks_.empty()) {
          const u32 begin = blocks_.back();
          blocks_.pop_back();
          return begin;
        }
        return none;
      case end_of_function: {
        const u32 begin = function_;
        if (begin != none) entries_[begin].function_size = e.value - entries_[begin].value;
        function_ = none;
        return begin;
      }
    }
    return none;
  }

  void end_at(u32 begin, u32 end) {
    entries_[begin].end = end;
    entries_[begin].has_record = true;
  }

  std::vector<SdbEntry>& entries_;
  const bool chain_;
  u32 function_ = none;  ///< the first one that has not ended, or the last one
  u32 tag_ = none;       ///< the last one
  u32 start_ = none;     ///< the last .bf
  u32 waiting_ = none;   ///< ends with the next entry that stays
  std::vector<u32> blocks_;
};

}  // namespace

bool is_sdb_class(u8 storage_class) {
  constexpr u8 classes[] = {automatic, register_variable, member_of_struct, argument, struct_tag, member_of_union,
                            union_tag, type_definition, enum_tag, member_of_enum, register_argument, bit_field,
                            block, function, end_of_struct, end_of_function};
  return std::find(std::begin(classes), std::end(classes), storage_class) != std::end(classes);
}

bool is_sdb_tag(u8 storage_class) {
  return storage_class == struct_tag || storage_class == union_tag || storage_class == enum_tag;
}

bool is_sdb_absolute(u8 storage_class) {
  return storage_class == member_of_struct || storage_class == member_of_union || storage_class == member_of_enum ||
         storage_class == end_of_struct || storage_class == bit_field;
}

bool is_sdb_place(u8 storage_class) { return storage_class == block || storage_class == function; }

bool is_sdb_end_of_function(u8 storage_class) { return storage_class == end_of_function; }

void link_sdb(std::vector<SdbEntry>& entries, bool chain) { Linker(entries, chain).link(); }

std::string sdb_record(const SdbEntry& e, u32 tag, u32 end, bool big_obj) {
  constexpr std::size_t size = 18;
  std::string bytes(size, '\0');
  const auto put = [&](unsigned at, u64 value, unsigned n) { store_int(&bytes[at], value, n); };
  static constexpr SdbFields no_fields;
  const SdbFields& f = e.fields ? *e.fields : no_fields;
  put(0, tag, 4);
  if (big_obj) {
    put(4, IMAGE_WEAK_EXTERN_SEARCH_NOLIBRARY, 4);
    return bytes;
  }
  if (is_function_type(e.type)) {
    put(4, e.function_size, 4);
  } else {
    put(4, f.line, 2);
    put(6, f.size, 2);
  }
  const bool goes_on = is_function_type(e.type) || is_sdb_place(e.storage_class) || is_sdb_tag(e.storage_class);
  if (goes_on) {
    put(12, end, 4);
  } else {
    for (unsigned i = 0; i < 4; ++i) put(8 + 2 * i, f.dimensions[i], 2);
  }
  return bytes;
}

}  // namespace xas
