// SPDX-License-Identifier: Apache-2.0
#include "objwriter/metadata/stack_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "objwriter/endian.h"

namespace xas::stack_map {
namespace {

constexpr u64 constant_size = 8, location_size = 12, live_out_size = 4;
constexpr u64 min_record = 24;

u64 aligned(u64 at) { return (at + 7) & ~u64(7); }

class Decoder {
 public:
  Decoder(std::span<const u8> section, u64 at, bool big_endian, Map& map, std::vector<Problem>& problems,
          read::Error& error)
      : bytes_(section, big_endian), at_(at), map_(map), problems_(problems), error_(error) {}

  bool decode() {
    map_ = {};
    map_.at = at_;
    if (!read_header()) return false;
    for (Record& record : map_.records) {
      if (!read_record(record)) return false;
    }
    map_.end = at_;
    u64 records = 0;
    for (const Function& function : map_.functions) records += std::min<u64>(function.records, map_.records.size() + 1);
    if (records != map_.records.size()) {
      problem(map_.at, fmt::format("the functions have {} records together, the map {}", records, map_.records.size()));
    }
    return true;
  }

 private:
  void problem(u64 offset, std::string message) {
    if (problems_.size() < max_problems) problems_.push_back({offset, std::move(message)});
  }
  u64 take(unsigned size) {
    const u64 value = bytes_.number(at_, size);
    at_ += size;
    return value;
  }
  void reserved(unsigned size, const char* where) {
    const u64 place = at_;
    if (const u64 value = take(size); value != 0) {
      problem(place, fmt::format("a reserved field of {} is {:#x}, not 0", where, value));
    }
  }
  u64 left() const { return bytes_.size() - at_; }

  bool read_header() {
    if (left() < header_size) return read::fail(error_, at_, "the section ends in a stack map's header");
    if (const u64 found = take(1); found != version) {
      return read::fail(error_, map_.at,
                        found == 1 || found == 2
                            ? fmt::format("a stack map of version {}, which LLVM has not written since 2017", found)
                            : fmt::format("a stack map of version {}; only 3 is known", found));
    }
    reserved(1, "the header");
    reserved(2, "the header");
    const u64 functions = take(4), constants = take(4), records = take(4);
    const u64 tables = functions * function_size + constants * constant_size;
    if (tables > left() || records > (left() - tables) / min_record) {
      return read::fail(error_, map_.at,
                        fmt::format("{} functions, {} constants and {} records do not fit in the {} bytes that follow",
                                    functions, constants, records, left()));
    }
    map_.functions.resize(functions);
    for (Function& function : map_.functions) {
      function.address = take(8);
      function.stack_size = take(8);
      function.records = take(8);
    }
    map_.constants.resize(constants);
    for (u64& constant : map_.constants) constant = take(8);
    map_.records.resize(records);
    return true;
  }

  bool read_record(Record& record) {
    record.at = at_;
    constexpr u64 record_header = 16;
    if (left() < record_header) return read::fail(error_, at_, "the section ends in a record");
    record.id = take(8);
    record.offset = u32(take(4));
    reserved(2, "a record");
    const u64 locations = take(2);
    if (locations * location_size > left()) {
      return read::fail(error_, record.at,
                        fmt::format("record {} has {} locations, {} bytes are left", record.id, locations, left()));
    }
    record.locations.resize(locations);
    for (Location& location : record.locations) read_location(record, location);
    if (!pad("the locations") || left() < 4) return read::fail(error_, at_, "the section ends in a record");
    reserved(2, "a record");
    const u64 live_outs = take(2);
    if (live_outs * live_out_size > left()) {
      return read::fail(error_, record.at,
                        fmt::format("record {} has {} live-outs, {} bytes are left", record.id, live_outs, left()));
    }
    record.live_outs.resize(live_outs);
    for (u64 i = 0; i < live_outs; ++i) {
      LiveOut& live_out = record.live_outs[i];
      const u64 place = at_;
      live_out.dwarf = u16(take(2));
      reserved(1, "a live-out");
      live_out.size = u8(take(1));
      if (live_out.size == 0) problem(place, fmt::format("a live-out of record {} has size 0", record.id));
      if (i != 0 && live_out.dwarf <= record.live_outs[i - 1].dwarf) {
        problem(place, fmt::format("the live-outs of record {} are not in order: {} behind {}", record.id,
                                   live_out.dwarf, record.live_outs[i - 1].dwarf));
      }
    }
    return pad("the live-outs") || read::fail(error_, at_, "the section ends in a record");
  }

  void read_location(const Record& record, Location& location) {
    const u64 place = at_;
    const u64 kind = take(1);
    reserved(1, "a location");
    location.kind = Kind(kind);
    location.size = u16(take(2));
    location.dwarf = u16(take(2));
    reserved(2, "a location");
    location.offset = i32(take(4));
    if (kind < u64(Kind::reg) || kind > u64(Kind::constant_index)) {
      problem(place, fmt::format("a location of record {} is of kind {}; it is 1 to 5", record.id, kind));
    }
    if (location.size == 0) problem(place, fmt::format("a location of record {} has size 0", record.id));
    if (location.kind == Kind::constant_index && u32(location.offset) >= map_.constants.size()) {
      problem(place, fmt::format("a location of record {} is constant {}, of {}", record.id, u32(location.offset),
                                 map_.constants.size()));
    }
    if (location.kind == Kind::reg && location.offset < 0) {
      problem(place, fmt::format("a register of record {} has offset {}", record.id, location.offset));
    }
  }

  /// Maps are aligned to 8 bytes, and so is what is in them.
  bool pad(const char* behind) {
    const u64 to = map_.at + aligned(at_ - map_.at);
    if (to > bytes_.size()) return false;
    if (to != at_ && bytes_.number(at_, unsigned(to - at_)) != 0) {
      problem(at_, fmt::format("the padding behind {} is not zero", behind));
    }
    at_ = to;
    return true;
  }

  read::Bytes bytes_;
  u64 at_;
  Map& map_;
  std::vector<Problem>& problems_;
  read::Error& error_;
};

class Writer {
 public:
  explicit Writer(bool big_endian) : big_endian_(big_endian) {}
  void put(u64 value, unsigned size) { append_int(bytes, value, size, big_endian_); }
  void pad() { bytes.resize(aligned(bytes.size())); }
  std::vector<u8> bytes;

 private:
  bool big_endian_;
};

}  // namespace

bool decode(std::span<const u8> section, u64 at, bool big_endian, Map& map, std::vector<Problem>& problems,
            read::Error& error) {
  return Decoder(section, at, big_endian, map, problems, error).decode();
}

bool decode_all(std::span<const u8> section, bool big_endian, std::vector<Map>& maps, std::vector<Problem>& problems,
                read::Error& error) {
  for (u64 at = 0; at < section.size(); at = maps.back().end) {
    const auto rest = section.subspan(at);
    if (std::all_of(rest.begin(), rest.end(), [](u8 byte) { return byte == 0; })) {
      problems.push_back({at, fmt::format("{} bytes are left over", rest.size())});
      return true;
    }
    Map map;
    if (!decode(section, at, big_endian, map, problems, error)) return false;
    maps.push_back(std::move(map));
  }
  return true;
}

u32 Encoder::function(u64 address, u64 stack_size) {
  functions_.push_back({{address, stack_size, 0}, {}});
  return u32(functions_.size() - 1);
}

bool Encoder::record(u32 function, u64 id, u32 offset, std::vector<Location> locations,
                     std::vector<LiveOut> live_outs) {
  constexpr std::size_t max = 0xffff;
  std::sort(live_outs.begin(), live_outs.end(), [](const LiveOut& a, const LiveOut& b) {
    return a.dwarf != b.dwarf ? a.dwarf < b.dwarf : a.size > b.size;
  });
  const auto same = [](const LiveOut& a, const LiveOut& b) { return a.dwarf == b.dwarf; };
  live_outs.erase(std::unique(live_outs.begin(), live_outs.end(), same), live_outs.end());
  if (locations.size() > max || live_outs.size() > max) return false;
  Open& open = functions_[function];
  if (open.records.empty()) order_.push_back(function);
  ++open.function.records;
  open.records.push_back({id, offset, std::move(locations), std::move(live_outs), 0});
  return true;
}

Location Encoder::constant(i64 value) {
  if (value == i32(value)) return {Kind::constant, 8, 0, i32(value)};
  return pooled_constant(u64(value));
}

Location Encoder::pooled_constant(u64 value) {
  const auto [found, is_new] = pool_.try_emplace(value, u32(constants_.size()));
  if (is_new) constants_.push_back(value);
  return {Kind::constant_index, 8, 0, i32(found->second)};
}

Map Encoder::map() const {
  Map map;
  map.constants = constants_;
  for (u32 i : order_) {
    map.functions.push_back(functions_[i].function);
    map.records.insert(map.records.end(), functions_[i].records.begin(), functions_[i].records.end());
  }
  return map;
}

std::vector<u8> encode(const Map& map, bool big_endian) {
  Writer out(big_endian);
  out.put(version, 1);
  out.put(0, 3);
  out.put(map.functions.size(), 4);
  out.put(map.constants.size(), 4);
  out.put(map.records.size(), 4);
  for (const Function& function : map.functions) {
    out.put(function.address, 8);
    out.put(function.stack_size, 8);
    out.put(function.records, 8);
  }
  for (u64 constant : map.constants) out.put(constant, 8);
  for (const Record& record : map.records) {
    out.put(record.id, 8);
    out.put(record.offset, 4);
    out.put(0, 2);
    out.put(record.locations.size(), 2);
    for (const Location& location : record.locations) {
      out.put(u64(location.kind), 1);
      out.put(0, 1);
      out.put(location.size, 2);
      out.put(location.dwarf, 2);
      out.put(0, 2);
      out.put(u32(location.offset), 4);
    }
    out.pad();
    out.put(0, 2);
    out.put(record.live_outs.size(), 2);
    for (const LiveOut& live_out : record.live_outs) {
      out.put(live_out.dwarf, 2);
      out.put(0, 1);
      out.put(live_out.size, 1);
    }
    out.pad();
  }
  return out.bytes;
}

}  // namespace xas::stack_map
