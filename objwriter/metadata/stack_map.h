// SPDX-License-Identifier: Apache-2.0
// Stack maps (LLVM, "Stack maps and patch points in LLVM"), version 3: where the values are that a runtime asks for, at
// given places of functions.
//
//   u8 3, u8 0, u16 0, u32 functions, u32 constants, u32 records
//   functions: u64 address, u64 stack size, u64 number of its records
//   constants: u64
//   records:   u64 id, u32 offset in the function, u16 0, u16 locations
//     locations: u8 kind, u8 0, u16 size, u16 register, u16 0, i32 offset, constant or index; then zeros to 8 bytes
//     u16 0, u16 live-outs; live-outs: u16 register, u8 0, u8 size; then zeros to 8 bytes
//
// Linking puts several of these behind each other in one section.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "objwriter/read/bytes.h"
#include "xas/types.hpp"

namespace xas::stack_map {

inline constexpr u8 version = 3;
inline constexpr u64 header_size = 16;
inline constexpr u64 function_size = 24;
inline constexpr u64 dynamic_size = ~u64(0);  ///< stack size of a function whose frame varies

enum class Kind : u8 { reg = 1, direct, indirect, constant, constant_index };

struct Location {
  Kind kind = Kind::reg;
  u16 size = 0;    ///< of the value, in bytes
  u16 dwarf = 0;   ///< the register's number
  i32 offset = 0;  ///< of direct and indirect; the constant; the index of a large constant
};

struct LiveOut {
  u16 dwarf = 0;
  u8 size = 0;
};

struct Record {
  u64 id = 0;
  u32 offset = 0;  ///< from the function's start
  std::vector<Location> locations;
  std::vector<LiveOut> live_outs;
  u64 at = 0;  ///< where it stands in the section
};

struct Function {
  u64 address = 0;  ///< before relocation
  u64 stack_size = 0;
  u64 records = 0;  ///< how many of the map's records are its
};

struct Map {
  u64 at = 0;  ///< where its header stands in the section
  u64 end = 0;
  std::vector<Function> functions;
  std::vector<u64> constants;
  std::vector<Record> records;

  /// Where in the section the address of function `i` stands.
  u64 address_place(u64 i) const { return at + header_size + i * function_size; }
};

/// Something that no writer should have written; the map can be read nevertheless.
struct Problem {
  u64 offset = 0;  ///< in the section
  std::string message;
};

/// The map at `at`. False, with `error` (its offset is that in the section), if it cannot be read. What is wrong
/// otherwise is added to `problems`, up to `max_problems`.
inline constexpr std::size_t max_problems = 100;
bool decode(std::span<const u8> section, u64 at, bool big_endian, Map& map, std::vector<Problem>& problems,
            read::Error& error);

/// All maps of a section. Zeros behind the last one are a problem, other bytes an error.
bool decode_all(std::span<const u8> section, bool big_endian, std::vector<Map>& maps, std::vector<Problem>& problems,
                read::Error& error);

/// Collects the records of functions, in any order, and makes a map of them.
class Encoder {
 public:
  /// A function, whose handle is a number from 0.
  u32 function(u64 address, u64 stack_size);
  /// Adds a record of a function. False if it has more than 65,535 locations or live-outs. Live-outs are sorted, with
  /// one entry for a register, of the largest size.
  bool record(u32 function, u64 id, u32 offset, std::vector<Location> locations, std::vector<LiveOut> live_outs = {});
  /// A constant as a location: in the location itself if it fits, else in the pool.
  Location constant(i64 value);
  /// A constant in the pool, however small.
  Location pooled_constant(u64 value);

  bool empty() const { return order_.empty(); }
  /// The functions that have records, in the order of their first ones, each with its records.
  Map map() const;
  /// The handles of the functions of `map`.
  std::span<const u32> functions() const { return order_; }

 private:
  struct Open {
    Function function;
    std::vector<Record> records;
  };
  std::vector<Open> functions_;
  std::vector<u32> order_;
  std::vector<u64> constants_;
  std::unordered_map<u64, u32> pool_;  ///< constant to index
};

/// The same bytes that were decoded, if there were no problems.
std::vector<u8> encode(const Map& map, bool big_endian);

}  // namespace xas::stack_map
