// SPDX-License-Identifier: Apache-2.0
#include "objwriter/metadata/pc_section.h"

#include "objwriter/endian.h"
#include "xas/leb128.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace xas::pc_section {
namespace {

void put_integer(std::vector<u8>& out, u64 low, u64 high, unsigned size, bool big_endian) {
  if (size <= 8) return append_int(out, low, size, big_endian);
  append_int(out, big_endian ? high : low, big_endian ? size - 8 : 8, big_endian);
  append_int(out, big_endian ? low : high, big_endian ? 8 : size - 8, big_endian);
}

}  // namespace

bool parse_name(std::string_view text, Name& name, std::string& error) {
  const std::size_t mark = std::min(text.find('!'), text.size());
  name = {text.substr(0, mark), false};
  if (name.section.empty()) return error = "a PC section has a name", false;
  for (char option : text.substr(std::min(mark + 1, text.size()))) {
    if (option != 'C') return error = fmt::format("unknown option '{}' in \"{}\" (known: C)", option, text), false;
    name.compress = true;
  }
  return true;
}

unsigned constant_size(unsigned bits) {
  unsigned size = 1;
  while (size * 8 < bits) size *= 2;
  return size;
}

std::string misfit(i64 value, unsigned bits) {
  if (bits >= 64) return {};
  const i64 low = -(i64(1) << (bits - 1)), high = i64((u64(1) << bits) - 1);
  if (low <= value && value <= high) return {};
  return fmt::format("value {} does not fit in i{} ({} to {})", value, bits, low, high);
}

void encode_constant(std::vector<u8>& out, const Constant& constant, bool compress, bool big_endian) {
  u64 low = constant.low, high = constant.high;
  if (constant.bits < 64) low &= (u64(1) << constant.bits) - 1;
  const unsigned size = constant_size(constant.bits);
  if (compress && constant.is_integer && size >= 2 && size <= 8)
    append_uleb128(out, low);
  else
    put_integer(out, low, high, size, big_endian);
}

void encode_range_size(std::vector<u8>& out, u32 size, bool compress, bool big_endian) {
  if (compress)
    append_uleb128(out, size);
  else
    put_integer(out, size, 0, 4, big_endian);
}

namespace {

struct FieldName {
  std::string_view name;
  Field field;
};
constexpr std::array field_names = {
    FieldName{"range", {Field::Kind::range}},    FieldName{"rangeu", {Field::Kind::range_uleb}},
    FieldName{"u", {Field::Kind::uleb}},         FieldName{"i8", {Field::Kind::integer, 1}},
    FieldName{"i16", {Field::Kind::integer, 2}}, FieldName{"i32", {Field::Kind::integer, 4}},
    FieldName{"i64", {Field::Kind::integer, 8}}, FieldName{"i128", {Field::Kind::integer, 16}},
    FieldName{"ptr", {Field::Kind::pointer}},
};

}  // namespace

bool parse_schema(std::string_view text, Schema& schema, std::string& error) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0) return error = fmt::format("'{}' is not NAME=FIELD,...", text), false;
  schema = {};
  schema.table = text.substr(0, equals);
  std::string_view rest = text.substr(equals + 1);
  for (bool first = true; !rest.empty(); first = false) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view name = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (first && (name == "pc4" || name == "pc8")) {
      schema.pc_size = name == "pc8" ? 8 : 4;
      continue;
    }
    const auto found = std::find_if(field_names.begin(), field_names.end(),
                                    [&](const FieldName& known) { return known.name == name; });
    if (found == field_names.end()) {
      error = fmt::format(
          "'{}' is no field of a PC table (known: pc4 and pc8 in front, range, rangeu, u, i8, i16, i32, "
          "i64, i128, ptr)",
          name);
      return false;
    }
    schema.fields.push_back(found->field);
  }
  return true;
}

std::optional<Schema> built_in_schema(std::string_view table) {
  // The number in the name is the version; 65536 is added where PCs have 8 bytes.
  for (std::string_view kind : {"sanmd_atomics", "sanmd_covered"}) {
    if (!table.starts_with(kind)) continue;
    const std::string_view digits = table.substr(kind.size());
    u64 version = 0;
    if (digits.empty() || digits.size() > 9) return {};
    for (char c : digits) {
      if (c < '0' || c > '9') return {};
      version = version * 10 + u64(c - '0');
    }
    constexpr u64 wide = 65536;
    if (version % wide != 2 || version > wide + 2) return {};
    Schema schema{std::string(table), u8(version > wide ? 8 : 4), {}};
    if (kind == "sanmd_covered") schema.fields = {{Field::Kind::range_uleb}, {Field::Kind::sanitizer_flags}};
    return schema;
  }
  return {};
}

namespace {

/// Takes fields off the front of an entry.
class EntryReader {
 public:
  EntryReader(std::span<const u8> table, u64 offset, bool big_endian) : bytes_(table, big_endian), at_(offset) {}
  u64 at() const { return at_; }
  bool failed() const { return failed_; }

  Value integer(unsigned size) {
    Value value{0, 0, u8(size)};
    if (!bytes_.holds(at_, size)) return failed_ = true, value;
    const unsigned low_at = size == 16 && bytes_.big_endian() ? 8 : 0;
    value.low = bytes_.number(at_ + low_at, std::min(size, 8u));
    if (size == 16) value.high = bytes_.number(at_ + 8 - low_at, 8);
    at_ += size;
    return value;
  }
  u64 uleb() {
    u64 value = 0;
    if (!bytes_.holds(at_, 1)) return failed_ = true, value;
    const u8* p = bytes_.data() + at_;
    failed_ |= !read_leb128(p, bytes_.data() + bytes_.size(), false, value);
    at_ = u64(p - bytes_.data());
    return value;
  }

 private:
  read::Bytes bytes_;
  u64 at_;
  bool failed_ = false;
};

}  // namespace

bool decode_entry(std::span<const u8> table, u64 offset, const Schema& schema, unsigned pc_size, unsigned pointer_size,
                  bool big_endian, Entry& entry, read::Error& error) {
  EntryReader reader(table, offset, big_endian);
  entry = {};
  entry.offset = offset;
  const u64 distance = reader.integer(pc_size).low;
  entry.distance = pc_size == 4 ? i64(i32(u32(distance))) : i64(distance);
  for (const Field& field : schema.fields) {
    switch (field.kind) {
      case Field::Kind::range: entry.size = reader.integer(4).low; break;
      case Field::Kind::range_uleb: entry.size = reader.uleb(); break;
      case Field::Kind::uleb: entry.constants.push_back({reader.uleb(), 0, 0}); break;
      case Field::Kind::integer: entry.constants.push_back(reader.integer(field.size)); break;
      case Field::Kind::pointer: entry.constants.push_back(reader.integer(pointer_size)); break;
      case Field::Kind::sanitizer_flags: {
        constexpr u64 has_stack_size = 4;
        entry.constants.push_back(reader.integer(1));
        if (entry.constants.back().low & has_stack_size) entry.constants.push_back({reader.uleb(), 0, 0});
        break;
      }
    }
  }
  entry.end = reader.at();
  if (!reader.failed()) return true;
  return read::fail(error, offset, fmt::format("the entry does not end: the table has {} bytes", table.size()));
}

}  // namespace xas::pc_section
