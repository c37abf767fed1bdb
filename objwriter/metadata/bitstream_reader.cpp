// SPDX-License-Identifier: Apache-2.0
// Reading bitstreams. The bytes may be hostile: a count is compared with the bits that are left before memory is taken,
// and elements of arrays that have no bits (of a literal) are counted against the stream's size.
#include <fmt/format.h>

#include <cstring>

#include "objwriter/endian.h"
#include "xas/bitstream.hpp"

namespace xas::bitstream {

using Kind = Operand::Kind;

namespace {

/// Any field of a record fits into so many bits, which one load gives, wherever they begin.
constexpr unsigned window_bits = 57;

constexpr u64 low_bits(unsigned width) { return width < 64 ? (u64(1) << width) - 1 : ~u64(0); }

/// The fewest bits that a value can have.
u64 min_bits(const Operand& operand) {
  switch (operand.kind) {
    case Kind::fixed:
    case Kind::vbr: return operand.value;
    case Kind::char6: return 6;
    default: return 0;
  }
}

}  // namespace

Reader::Reader(std::span<const u8> bytes) : bytes_(bytes), end_(u64(bytes.size()) * 8), empty_elements_(end_) {
  if (bytes.size() < 4)
    fail(0, "a bitstream begins with four bytes");
  else
    position_ = 32;
  start_ = position_;
}

std::string_view Reader::magic() const {
  return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size() < 4 ? bytes_.size() : 4};
}

Item Reader::fail(u64 bit, std::string message) {
  if (!failed()) error_ = {bit, std::move(message)};
  return Item::error;
}

u64 Reader::peek(u64 bit, unsigned width) const {
  const u64 at = bit / 8;
  const unsigned shift = bit % 8;
  u64 value = 0;
  if (at + 9 <= bytes_.size()) {
    ul64 field;
    std::memcpy(&field, bytes_.data() + at, sizeof field);
    value = field >> shift;
    if (shift) value |= u64(bytes_[at + 8]) << (64 - shift);
  } else {
    for (u64 i = 0; at + i < bytes_.size() && i < 9; ++i) {
      const u64 byte = bytes_[at + i];
      if (8 * i >= shift)
        value |= 8 * i - shift < 64 ? byte << (8 * i - shift) : 0;
      else
        value |= byte >> shift;
    }
  }
  return value & low_bits(width);
}

/// The next bits, at least `window_bits` of them; zeros stand for those beyond the end.
[[gnu::always_inline]] inline u64 Reader::window() const {
  const u64 at = position_ / 8;
  if (at + 8 > bytes_.size()) return peek(position_, window_bits);
  ul64 field;
  std::memcpy(&field, bytes_.data() + at, sizeof field);
  return field >> (position_ % 8);
}

[[gnu::always_inline]] inline u64 Reader::read(unsigned width) {
  if (width > left()) {
    position_ = end_;
    beyond_ = true;
    return 0;
  }
  const u64 value = width <= window_bits ? window() & low_bits(width) : peek(position_, width);
  position_ += width;
  return value;
}

[[gnu::always_inline]] inline u64 Reader::read_vbr(unsigned width) {
  const u64 more = u64(1) << (width - 1);
  const u64 bits = window();
  u64 value = 0;
  for (unsigned at = 0, shift = 0; at + width <= window_bits && at + width <= left(); shift += width - 1) {
    const u64 chunk = bits >> at;
    at += width;
    value |= (chunk & (more - 1)) << shift;
    if (chunk & more) continue;
    if (at > width && !(chunk & (more - 1))) canonical_ = false;
    position_ += at;
    return value;
  }
  return read_long_vbr(width);
}

u64 Reader::read_long_vbr(unsigned width) {
  const u64 place = position_;
  const u64 more = u64(1) << (width - 1);
  u64 chunk = read(width);
  u64 value = chunk & (more - 1);
  for (unsigned shift = width - 1; chunk & more; shift += width - 1) {
    chunk = read(width);
    const u64 part = chunk & (more - 1);
    if (part && (shift >= 64 || part << shift >> shift != part))
      fail(place, "a number of more than 64 bits");
    else if (part)
      value |= part << shift;
    if (chunk == 0) canonical_ = false;
    if (shift >= 64) shift = 64;  // only zeros can follow
  }
  return value;
}

void Reader::align32() {
  const unsigned rest = unsigned(-position_ % 32);
  if (rest && read(rest) != 0) canonical_ = false;
}

Item Reader::next() {
  if (failed()) return Item::error;
  start_ = position_;
  canonical_ = true;
  beyond_ = false;
  const detail::Scope& scope = scopes_.current();
  block_ = scope.block;
  if (scopes_.depth() == 0 && (left() < 64 || peek(position_, 2) != ENTER_SUBBLOCK)) return Item::end;
  const u64 id = read(scope.width);
  Item item;
  switch (beyond_ ? UNABBREV_RECORD : id) {
    case END_BLOCK: item = read_leave(); break;
    case ENTER_SUBBLOCK: item = read_enter(); break;
    case DEFINE_ABBREV: item = read_definition(); break;
    case UNABBREV_RECORD: item = beyond_ ? Item::record : read_unabbreviated(); break;
    default: item = read_abbreviated(id); break;
  }
  if (!failed() && beyond_) {
    return fail(start_, scopes_.depth() ? fmt::format("the stream ends in block {}", scopes_.current().block)
                                        : std::string("the stream ends in a block's header"));
  }
  return failed() ? Item::error : item;
}

Item Reader::read_enter() {
  const u64 block = read_vbr(8);
  const u64 width = read_vbr(4);
  align32();
  words_ = u32(read(32));
  if (beyond_) return Item::error;
  if (block > 0xffffffff) return fail(start_, fmt::format("a block has the number {}, of more than 32 bits", block));
  if (width < 2 || width > max_width) {
    return fail(start_, fmt::format("block {}: abbreviation ids of {} bits; they have 2 to 32", block, width));
  }
  if (scopes_.depth() == max_depth) return fail(start_, fmt::format("blocks are nested deeper than {}", max_depth));
  detail::Scope& scope = scopes_.enter(block, unsigned(width));
  scope.length_at = position_ - 32;
  scope.words = words_;
  block_ = block;
  width_ = unsigned(width);
  body_ = position_;
  return Item::enter;
}

bool Reader::skip() {
  const u64 size = u64(words_) * 32;
  if (failed()) return false;
  if (size > left()) {
    fail(start_, fmt::format("block {} has {} words, {} are left", block_, words_, left() / 32));
    return false;
  }
  position_ += size;
  scopes_.leave();
  return true;
}

Item Reader::read_leave() {
  align32();
  words_ = scopes_.current().words;
  body_ = scopes_.current().length_at + 32;
  block_ = scopes_.current().block;
  scopes_.leave();
  return Item::leave;
}

Item Reader::read_definition() {
  const u64 count = read_vbr(5);
  if (count > left())
    return fail(start_, fmt::format("an abbreviation of {} operands, {} bits are left", count, left()));
  abbreviation_.clear();
  for (u64 i = 0; i < count && !beyond_; ++i) {
    Operand operand;
    if (read(1)) {
      operand.value = read_vbr(8);
    } else {
      const u64 kind = read(3);
      if (kind < u64(Kind::fixed) || kind > u64(Kind::blob)) {
        return fail(start_, fmt::format("an abbreviation's operand has the encoding {}; it is 1 to 5", kind));
      }
      operand.kind = Kind(kind);
      if (operand.kind == Kind::fixed || operand.kind == Kind::vbr) operand.value = read_vbr(5);
    }
    abbreviation_.push_back(operand);
  }
  if (beyond_) return Item::error;
  if (std::string wrong = detail::check_operands(abbreviation_); !wrong.empty()) {
    return fail(start_, std::move(wrong));
  }
  if (!scopes_.define(abbreviation_)) return fail(start_, "block 0 defines an abbreviation before SETBID");
  return Item::abbreviation;
}

Item Reader::read_unabbreviated() {
  record_.abbreviation = UNABBREV_RECORD;
  record_.definition = nullptr;
  record_.has_blob = false;
  record_.blob = {};
  record_.values.clear();
  record_.code = read_vbr(6);
  const u64 count = read_vbr(6);
  if (count > left() / 6) {
    return fail(start_, fmt::format("block {}: a record of {} values, {} bits are left", block_, count, left()));
  }
  for (u64 i = 0; i < count && !beyond_; ++i) record_.values.push_back(read_vbr(6));
  record_.array_at = record_.values.size();
  if (!beyond_) scopes_.note_record(record_.code, record_.values);
  return Item::record;
}

u64 Reader::read_scalar(const Operand& operand) {
  switch (operand.kind) {
    case Kind::literal: return operand.value;
    case Kind::fixed: return operand.value ? read(unsigned(operand.value)) : 0;
    case Kind::vbr: return operand.value ? read_vbr(unsigned(operand.value)) : 0;
    case Kind::char6: return u8(char6_text[read(6)]);
    default: return 0;
  }
}

bool Reader::read_array(const Operand& element) {
  const u64 count = read_vbr(6);
  const u64 width = min_bits(element);
  if (width ? count > left() / width : count > empty_elements_) {
    fail(start_, fmt::format("block {}: an array of {} elements, {} bits are left", block_, count, left()));
    return false;
  }
  if (!width) empty_elements_ -= count;
  record_.values.reserve(record_.values.size() + count);
  for (u64 i = 0; i < count && !beyond_; ++i) record_.values.push_back(read_scalar(element));
  return true;
}

bool Reader::read_blob() {
  const u64 size = read_vbr(6);
  align32();
  if (size > left() / 8) {
    fail(start_, fmt::format("block {}: a blob of {} bytes, {} are left", block_, size, left() / 8));
    return false;
  }
  record_.has_blob = true;
  record_.blob = bytes_.subspan(position_ / 8, size);
  position_ += size * 8;
  align32();
  return true;
}

Item Reader::read_abbreviated(u64 number) {
  const Abbreviation* abbreviation = scopes_.find(number);
  if (!abbreviation) return fail(start_, scopes_.unknown(number));
  if (const std::string wrong = detail::check_usable(*abbreviation); !wrong.empty()) {
    return fail(start_, fmt::format("block {}: no record can be read by abbreviation {}: {}", block_, number, wrong));
  }
  record_.abbreviation = number;
  record_.definition = abbreviation;
  record_.has_blob = false;
  record_.blob = {};
  record_.values.clear();
  record_.code = read_scalar((*abbreviation)[0]);
  record_.array_at = ~std::size_t(0);
  for (std::size_t i = 1; i < abbreviation->size(); ++i) {
    const Operand& operand = (*abbreviation)[i];
    if (operand.kind == Kind::array) {
      record_.array_at = record_.values.size();
      if (!read_array((*abbreviation)[i + 1])) return Item::error;
      break;
    }
    if (operand.kind == Kind::blob) {
      if (!read_blob()) return Item::error;
      break;
    }
    record_.values.push_back(read_scalar(operand));
  }
  if (record_.array_at == ~std::size_t(0)) record_.array_at = record_.values.size();
  if (!beyond_) scopes_.note_record(record_.code, record_.values);
  return Item::record;
}

}  // namespace xas::bitstream
