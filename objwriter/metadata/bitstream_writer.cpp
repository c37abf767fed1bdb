// SPDX-License-Identifier: Apache-2.0
// Writing bitstreams. Every record is checked as a whole before its first bit is written.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "objwriter/endian.h"
#include "xas/bitstream.hpp"

namespace xas::bitstream {

using Kind = Operand::Kind;

/// A record's values: numbers, then bytes.
class Writer::Values {
 public:
  Values(std::span<const u64> numbers, std::string_view tail) : numbers_(numbers), tail_(tail) {}
  u64 size() const { return numbers_.size() + tail_.size(); }
  u64 operator[](u64 i) const { return i < numbers_.size() ? numbers_[i] : u8(tail_[i - numbers_.size()]); }

 private:
  std::span<const u64> numbers_;
  std::string_view tail_;
};

namespace {

constexpr std::size_t spare = 16;  ///< bytes behind the last one, so that a field is one store

/// What is wrong with a value for a field that is neither array nor blob; empty if nothing is.
std::string check_scalar(const Operand& operand, u64 value) {
  switch (operand.kind) {
    case Kind::literal:
      if (value != operand.value) return fmt::format("value {} is not the abbreviation's {}", value, operand.value);
      break;
    case Kind::fixed:
      if (value >> operand.value) {
        return fmt::format("value {} does not fit in fixed({}) (0 to {})", value, operand.value,
                           (u64(1) << operand.value) - 1);
      }
      break;
    case Kind::vbr:
      if (operand.value == 0 && value != 0) return fmt::format("value {} does not fit in vbr(0), which is 0", value);
      break;
    case Kind::char6:
      if (char6_value(value) == 64) return fmt::format("value {} is not a char6 (a-z, A-Z, 0-9, '.', '_')", value);
      break;
    case Kind::array:
    case Kind::blob: break;
  }
  return {};
}

}  // namespace

Writer::Writer(std::string_view magic) {
  bytes_.resize(4 + spare);
  std::memcpy(bytes_.data(), magic.data(), std::min<std::size_t>(magic.size(), 4));
  position_ = 32;
}

bool Writer::fail(std::string message) {
  error_ = {position_, std::move(message)};
  return false;
}

void Writer::put(u64 value, unsigned width) {
  const std::size_t at = position_ / 8;
  if (at + spare > bytes_.size()) bytes_.resize(bytes_.size() * 2);
  ul64 field;
  std::memcpy(&field, &bytes_[at], sizeof field);
  field = field | value << (position_ % 8);
  std::memcpy(&bytes_[at], &field, sizeof field);
  position_ += width;
}

void Writer::put_vbr(u64 value, unsigned width) {
  const u64 more = u64(1) << (width - 1);
  for (; value >= more; value >>= width - 1) put((value & (more - 1)) | more, width);
  put(value, width);
}

void Writer::align32() {
  position_ = (position_ + 31) & ~u64(31);
  if (position_ / 8 + spare > bytes_.size()) bytes_.resize(bytes_.size() * 2);
}

bool Writer::enter(u64 block, u64 width, std::optional<u32> words) {
  if (block > 0xffffffff) return fail(fmt::format("block {}: a number of 32 bits is wanted", block));
  if (width < 2 || width > max_width)
    return fail(fmt::format("a width of {}: abbreviation ids have 2 to 32 bits", width));
  if (scopes_.depth() == max_depth) return fail(fmt::format("blocks are nested {} deep at most", max_depth));
  put(ENTER_SUBBLOCK, scopes_.current().width);
  put_vbr(block, 8);
  put_vbr(width, 4);
  align32();
  detail::Scope& scope = scopes_.enter(block, unsigned(width));
  scope.length_at = position_;
  scope.length_given = words.has_value();
  put(words.value_or(0), 32);
  return true;
}

bool Writer::leave() {
  if (scopes_.depth() == 0) return fail("no block is open");
  const u64 kept = position_;
  put(END_BLOCK, scopes_.current().width);
  align32();
  const detail::Scope& scope = scopes_.current();
  const u64 words = (position_ - scope.length_at) / 32 - 1;
  if (words > 0xffffffff && !scope.length_given) {
    position_ = kept;
    return fail(fmt::format("block {} has {} words; its length has 32 bits", scope.block, words));
  }
  if (!scope.length_given) patch(scope.length_at, 32, words);
  scopes_.leave();
  return true;
}

bool Writer::abbreviation(std::span<const Operand> operands, bool usable) {
  if (scopes_.depth() == 0) return fail("an abbreviation outside of all blocks");
  std::string wrong = detail::check_operands(operands);
  if (wrong.empty() && usable) wrong = detail::check_usable(operands);
  if (!wrong.empty()) return fail(std::move(wrong));
  const unsigned width = scopes_.current().width;
  if (!scopes_.define({operands.begin(), operands.end()})) {
    return fail("in block 0, SETBID (record 1) says which block an abbreviation is for");
  }
  put(DEFINE_ABBREV, width);
  put_vbr(operands.size(), 5);
  for (const Operand& operand : operands) {
    put(operand.kind == Kind::literal, 1);
    if (operand.kind == Kind::literal) {
      put_vbr(operand.value, 8);
      continue;
    }
    put(u64(operand.kind), 3);  // the kinds are numbered as in the stream
    if (operand.kind == Kind::fixed || operand.kind == Kind::vbr) put_vbr(operand.value, 5);
  }
  return true;
}

bool Writer::record(u64 code, std::span<const u64> numbers, std::string_view tail) {
  if (scopes_.depth() == 0) return fail("a record outside of all blocks");
  const Values values(numbers, tail);
  put(UNABBREV_RECORD, scopes_.current().width);
  put_vbr(code, 6);
  put_vbr(values.size(), 6);
  for (u64 i = 0; i < values.size(); ++i) put_vbr(values[i], 6);
  fields_.clear();
  const u64 first = values.size() ? values[0] : 0;
  scopes_.note_record(code, {&first, values.size() ? 1u : 0u});
  return true;
}

bool Writer::record_as(u64 number, std::span<const u64> numbers, std::string_view tail) {
  if (scopes_.depth() == 0) return fail("a record outside of all blocks");
  const Abbreviation* abbreviation = scopes_.find(number);
  if (!abbreviation) return fail(scopes_.unknown(number));
  const unsigned width = scopes_.current().width;
  if (width < 64 && number >> width) {
    return fail(
        fmt::format("abbreviation {} does not fit in the {} bits that abbreviation ids have here", number, width));
  }
  const Values values(numbers, tail);
  u64 at = ~u64(0);
  if (std::string wrong = check_record(*abbreviation, number, values, at); !wrong.empty()) {
    fail(std::move(wrong));
    error_.value = at;
    return false;
  }
  put(number, width);
  put_record(*abbreviation, values);
  const u64 first = values.size() > 1 ? values[1] : 0;
  scopes_.note_record(values[0], {&first, values.size() > 1 ? 1u : 0u});
  return true;
}

std::string Writer::check_record(const Abbreviation& abbreviation, u64 number, const Values& values,
                                 u64& wrong_value) const {
  if (const std::string wrong = detail::check_usable(abbreviation); !wrong.empty()) {
    return fmt::format("no record can be written by abbreviation {}: {}", number, wrong);
  }
  u64 scalars = abbreviation.size();
  const bool is_array = scalars >= 2 && abbreviation[scalars - 2].kind == Kind::array;
  const bool is_blob = abbreviation[scalars - 1].kind == Kind::blob;
  scalars -= is_array ? 2 : is_blob ? 1 : 0;
  if (values.size() < scalars || (values.size() > scalars && !is_array && !is_blob)) {
    return fmt::format("abbreviation {} takes {}{} values with the code, {} are given", number, scalars,
                       is_array || is_blob ? " or more" : "", values.size());
  }
  for (u64 i = 0; i < values.size(); ++i) {
    wrong_value = i;
    if (i >= scalars && is_blob) {
      if (values[i] > 0xff) return fmt::format("value {} is not a byte of a blob (0 to 255)", values[i]);
    } else if (std::string wrong = check_scalar(i < scalars ? abbreviation[i] : abbreviation.back(), values[i]);
               !wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

void Writer::put_scalar(const Operand& operand, u64 value) {
  if (operand.kind == Kind::fixed) {
    if (operand.value) put(value, unsigned(operand.value));
  } else if (operand.kind == Kind::vbr) {
    if (operand.value) put_vbr(value, unsigned(operand.value));
  } else if (operand.kind == Kind::char6) {
    put(char6_value(value), 6);
  }
}

void Writer::put_record(const Abbreviation& abbreviation, const Values& values) {
  fields_.clear();
  for (u64 i = 0; i < abbreviation.size(); ++i) {
    const Operand& operand = abbreviation[i];
    if (operand.kind == Kind::array) {
      put_vbr(values.size() - i, 6);
      for (u64 k = i; k < values.size(); ++k) put_scalar(abbreviation[i + 1], values[k]);
      return;
    }
    if (operand.kind == Kind::blob) {
      put_vbr(values.size() - i, 6);
      align32();
      for (u64 k = i; k < values.size(); ++k) put(values[k], 8);
      align32();
      return;
    }
    fields_.push_back(operand.kind == Kind::fixed && operand.value ? position_ : 0);
    put_scalar(operand, values[i]);
  }
}

bool Writer::bits(u64 value, u64 width) {
  if (width > 64) return fail(fmt::format("{} bits: 0 to 64 can be given", width));
  if (width < 64 && value >> width) return fail(fmt::format("value {} does not fit in {} bits", value, width));
  if (width > 32) {
    put(value & 0xffffffff, 32);
    put(value >> 32, unsigned(width - 32));
  } else {
    put(value, unsigned(width));
  }
  return true;
}

bool Writer::patch(u64 bit, unsigned width, u64 value) {
  if (width == 0 || width > 32 || bit > position_ || width > position_ - bit) {
    return fail(fmt::format("{} bits at {} have not been written", width, bit));
  }
  if (value >> width) return fail(fmt::format("value {} does not fit in fixed({})", value, width));
  ul64 field;
  std::memcpy(&field, &bytes_[bit / 8], sizeof field);
  field = (field & ~(((u64(1) << width) - 1) << (bit % 8))) | value << (bit % 8);
  std::memcpy(&bytes_[bit / 8], &field, sizeof field);
  return true;
}

bool Writer::finish() {
  if (scopes_.depth() != 0) {
    return fail(fmt::format("block {} is not closed ({} open)", scopes_.current().block, scopes_.depth()));
  }
  align32();
  return true;
}

}  // namespace xas::bitstream
