// SPDX-License-Identifier: Apache-2.0
// xas/bitstream.hpp: LLVM's bitstream container, read and written: bitcode, precompiled headers, serialized
// diagnostics, remarks, and formats of your own.
//
//     bitstream::Writer w("MINE");
//     w.enter(8, 3);                                    // block 8, abbreviation ids of 3 bits
//     w.abbreviation({bitstream::literal(1), bitstream::array(), bitstream::char6()});
//     w.record_as(4, {1}, "a_name");                  // by the block's first abbreviation
//     w.record(2, {70, 80});                          // without one
//     w.leave();
//     if (w.finish()) save(w.bytes());
//     else std::fputs(w.error().message.c_str(), stderr);
//
//     bitstream::Reader r(bytes);
//     for (;;) {
//       switch (r.next()) {
//         case bitstream::Item::enter: if (r.block() != 8) r.skip(); break;
//         case bitstream::Item::record: use(r.record()); break;
//         case bitstream::Item::leave:
//         case bitstream::Item::abbreviation: break;
//         case bitstream::Item::end: return;
//         case bitstream::Item::error: report(r.error()); return;
//       }
//     }
//
// The stream is little endian on every machine. Positions are in bits from the start of the magic. Nothing throws but
// for want of memory; a mistake is an Error and leaves the writer as it was. A reader can be given hostile bytes: it
// reads nothing beyond their end, tests every count before it takes memory, and takes time linear in their number.
// Specification: LLVM, "LLVM Bitcode File Format", "Bitstream Format".
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "xas/types.hpp"

#pragma GCC visibility push(default)
namespace xas::bitstream {

/// Abbreviation ids that every block has.
enum : u64 { END_BLOCK = 0, ENTER_SUBBLOCK = 1, DEFINE_ABBREV = 2, UNABBREV_RECORD = 3, first_abbreviation = 4 };

/// The block that says which abbreviations other blocks have, and names: records SETBID, BLOCKNAME, SETRECORDNAME.
inline constexpr u64 BLOCKINFO = 0;
enum : u64 { SETBID = 1, BLOCKNAME = 2, SETRECORDNAME = 3 };

inline constexpr unsigned max_depth = 256;  ///< of blocks in blocks
inline constexpr unsigned max_width = 32;   ///< of an abbreviation id, a fixed or vbr field

/// What is wrong, and at which bit of the stream.
struct Error {
  u64 bit = 0;
  std::string message;
  u64 value = ~u64(0);  ///< of Writer::record_as: which of the values is wrong, if it is one of them
};

/// How an abbreviation writes one value; an array is followed by how it writes each element.
struct Operand {
  enum class Kind : u8 { literal, fixed, vbr, array, char6, blob } kind = Kind::literal;
  u64 value = 0;  ///< of a literal the value; of fixed and vbr the width in bits
  bool operator==(const Operand&) const = default;
};
constexpr Operand literal(u64 value) { return {Operand::Kind::literal, value}; }
constexpr Operand fixed(u64 width) { return {Operand::Kind::fixed, width}; }
constexpr Operand vbr(u64 width) { return {Operand::Kind::vbr, width}; }
constexpr Operand array() { return {Operand::Kind::array}; }
constexpr Operand char6() { return {Operand::Kind::char6}; }
constexpr Operand blob() { return {Operand::Kind::blob}; }

using Abbreviation = std::vector<Operand>;

/// "fixed(3)", "char6", "array": operand `i` by itself.
std::string operand_text(std::span<const Operand> operands, std::size_t i);

/// The 64 characters of char6 by their value; 64 for a character that is none of them.
inline constexpr char char6_text[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
unsigned char6_value(u64 character);

namespace detail {

/// The blocks that are open, and which abbreviations are known in them. Reader and writer share it.
struct Scope {
  u64 block = 0;
  unsigned width = 2;
  std::shared_ptr<const std::vector<Abbreviation>> inherited;  ///< from BLOCKINFO
  std::vector<Abbreviation> own;
  u64 length_at = 0;  ///< the bit at which the block's length stands
  u32 words = 0;      ///< its length, as it was read
  bool length_given = false;
  std::optional<u64> described;  ///< in BLOCKINFO: the block that SETBID chose
};

class Scopes {
 public:
  Scopes() : scopes_(1) {}
  Scope& current() { return scopes_.back(); }
  const Scope& current() const { return scopes_.back(); }
  unsigned depth() const { return unsigned(scopes_.size() - 1); }
  Scope& enter(u64 block, unsigned width);
  void leave() { scopes_.pop_back(); }
  /// Abbreviation `number` here, or null.
  const Abbreviation* find(u64 number) const;
  /// Why there is no abbreviation `number`.
  std::string unknown(u64 number) const;
  /// False in BLOCKINFO before SETBID.
  bool define(Abbreviation abbreviation);
  /// A record has been read or written; in BLOCKINFO it may be SETBID.
  void note_record(u64 code, std::span<const u64> values);

 private:
  std::vector<Scope> scopes_;
  std::map<u64, std::shared_ptr<std::vector<Abbreviation>>> block_info_;
};

/// What no stream may define; empty if nothing is wrong.
std::string check_operands(std::span<const Operand> operands);

/// Why no record can be written by an abbreviation; empty if one can.
std::string check_usable(std::span<const Operand> operands);

}  // namespace detail

class Writer {
 public:
  /// A stream that begins with these four bytes (others are cut off, or are NUL).
  explicit Writer(std::string_view magic);

  // Each returns whether it could be done. If not, nothing has been written, and `error` says why.

  /// Begins a block. `leave` fills in its length, unless `words` is given.
  bool enter(u64 block, u64 width, std::optional<u32> words = {});
  bool leave();

  /// Defines an abbreviation for the rest of the block; in BLOCKINFO, for the blocks that SETBID named last. One by
  /// which no record can be written (an array in the middle) is a mistake, unless `usable` is false: clang's
  /// precompiled headers have some.
  bool abbreviation(std::span<const Operand> operands, bool usable = true);

  bool abbreviation(std::initializer_list<Operand> operands) {
    return abbreviation(std::span<const Operand>(operands.begin(), operands.size()));
  }

  /// A record without an abbreviation. The bytes of `tail` are values, too, behind the others.
  bool record(u64 code, std::span<const u64> values, std::string_view tail = {});
  bool record(u64 code, std::initializer_list<u64> values = {}, std::string_view tail = {}) {
    return record(code, std::span<const u64>(values.begin(), values.size()), tail);
  }

  /// A record by abbreviation `number`, from 4: first those that BLOCKINFO gives the block, then its own. The first of
  /// `values` is the code; also those that are literals are given. `tail` is more values, one a byte: what an array of
  /// characters or a blob holds.
  bool record_as(u64 number, std::span<const u64> values, std::string_view tail = {});
  bool record_as(u64 number, std::initializer_list<u64> values, std::string_view tail = {}) {
    return record_as(number, std::span<const u64>(values.begin(), values.size()), tail);
  }

  /// Abbreviation `number` as it is defined here; null if it is not. Good until something is written.
  const Abbreviation* definition(u64 number) const { return scopes_.find(number); }

  /// 0 to 64 bits as they are.
  bool bits(u64 value, u64 width);

  /// The number of bits so far, with the magic's 32.
  u64 position() const { return position_; }

  /// Where the last record's value number `i` stands, the code being number 0; 0 if it has no bits of its own, or is in
  /// an array or blob. Only fixed fields may be patched.
  u64 field_position(std::size_t i) const { return i < fields_.size() ? fields_[i] : 0; }

  /// Overwrites `width` bits (1 to 32) that were written before.
  bool patch(u64 bit, unsigned width, u64 value);

  /// Ends the stream: all blocks must be closed.
  bool finish();

  std::span<const u8> bytes() const { return {bytes_.data(), std::size_t((position_ + 7) / 8)}; }
  const Error& error() const { return error_; }
  unsigned depth() const { return scopes_.depth(); }

 private:
  class Values;
  bool fail(std::string message);
  void put(u64 value, unsigned width);
  void put_vbr(u64 value, unsigned width);
  void align32();
  std::string check_record(const Abbreviation& abbreviation, u64 number, const Values& values, u64& wrong) const;
  void put_record(const Abbreviation& abbreviation, const Values& values);
  void put_scalar(const Operand& operand, u64 value);

  std::vector<u8> bytes_;
  u64 position_ = 0;
  detail::Scopes scopes_;
  std::vector<u64> fields_;
  Error error_;
};

enum class Item : u8 { end, enter, leave, abbreviation, record, error };

struct Record {
  u64 abbreviation = UNABBREV_RECORD;
  u64 code = 0;
  std::vector<u64> values;   ///< without the code; elements of an array are values
  std::size_t array_at = 0;  ///< the first value that is an array's element; values.size() without an array
  bool has_blob = false;
  std::span<const u8> blob;
  const Abbreviation* definition = nullptr;  ///< until the next call of `next`
};

class Reader {
 public:
  /// Reads the stream that begins with `bytes`, whatever its magic; they must outlive the reader.
  explicit Reader(std::span<const u8> bytes);

  /// Goes on to the next item. `end` is where no more top-level block begins; there may be bytes left.
  Item next();

  /// Behind `enter`: goes to the block's end by its length; there will be no `leave`.
  bool skip();

  // What the item is
  u64 start() const { return start_; }        ///< its first bit
  u64 position() const { return position_; }  ///< the bit behind it
  unsigned depth() const { return scopes_.depth(); }
  /// The block that was entered, or that the item is in; behind `leave`, the block that was left.
  u64 block() const { return block_; }
  unsigned width() const { return width_; }  ///< behind `enter`: of abbreviation ids in the block
  u32 words() const { return words_; }       ///< behind `enter` and `leave`: the length that the block gives itself
  u64 body() const { return body_; }         ///< behind `enter` and `leave`: the first bit of what is in the block
  const Abbreviation& abbreviation() const { return abbreviation_; }
  const bitstream::Record& record() const { return record_; }
  /// The writer of LLVM would have made the same bits of the item: no number is longer than needed, and padding is
  /// zero.
  bool canonical() const { return canonical_; }

  const Error& error() const { return error_; }
  std::string_view magic() const;
  std::span<const u8> bytes() const { return bytes_; }
  /// `width` bits, up to 64, at any place; they must be there.
  u64 peek(u64 bit, unsigned width) const;

 private:
  Item fail(u64 bit, std::string message);
  bool failed() const { return !error_.message.empty(); }
  u64 left() const { return end_ - position_; }
  u64 window() const;
  u64 read(unsigned width);
  u64 read_vbr(unsigned width);
  u64 read_long_vbr(unsigned width);
  void align32();
  Item read_enter();
  Item read_leave();
  Item read_definition();
  Item read_unabbreviated();
  Item read_abbreviated(u64 number);
  u64 read_scalar(const Operand& operand);
  bool read_array(const Operand& element);
  bool read_blob();

  std::span<const u8> bytes_;
  u64 end_ = 0, position_ = 0, start_ = 0;
  u64 block_ = 0;
  unsigned width_ = 2;
  u32 words_ = 0;
  u64 body_ = 0;
  u64 empty_elements_ = 0;  ///< how many elements without bits arrays may still have
  bool canonical_ = true;
  bool beyond_ = false;  ///< something was asked for beyond the end
  Abbreviation abbreviation_;
  bitstream::Record record_;
  detail::Scopes scopes_;
  Error error_;
};

}  // namespace xas::bitstream
#pragma GCC visibility pop
