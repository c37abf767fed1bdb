// SPDX-License-Identifier: Apache-2.0
// xas/object.hpp's stack maps: records are collected, and become sections in `write`, when functions have their places.
#include "fmt/format.h"
#include "objwriter/builder_impl.h"
#include "objwriter/metadata/stack_map.h"

namespace xas::object {

using namespace elf;

namespace {

constexpr std::size_t max_entries = 0xffff;
constexpr u64 all_code = ~u64(0);

}  // namespace

void Builder::stack_map_section(std::string_view name, u64 flags) {
  StackMapData& maps = impl_->stack_maps;
  if (!maps.records.empty()) return impl_->fail("the section of stack maps is chosen behind the first record");
  if (flags & SHF_LINK_ORDER && impl_->format == Format::coff)
    return impl_->fail("COFF has no sections of stack maps that are linked to code");
  if (impl_->good_name(name)) maps.name = name;
  maps.flags = flags;
}

void Builder::stack_map_function(Symbol function, u64 stack_size) {
  const SymbolData* s = impl_->at(function);
  if (!s) return;
  StackMapData& maps = impl_->stack_maps;
  for (u32 i = 0; i < maps.functions.size(); ++i) {
    if (maps.functions[i].symbol != u32(function)) continue;
    maps.open = i;
    if (maps.functions[i].stack_size != stack_size)
      impl_->fail(fmt::format("function {} has another stack size already", s->name));
    return;
  }
  maps.open = u32(maps.functions.size());
  maps.functions.push_back({u32(function), stack_size});
}

void Builder::stack_map(Section code, u64 offset, u64 id, std::span<const Location> locations,
                        std::span<const LiveOut> live_outs) {
  StackMapData& maps = impl_->stack_maps;
  const SectionData* s = impl_->at(code);
  if (!s) return;
  if (maps.open == obj::none) return impl_->fail(fmt::format("stack map {} is of no function", id));
  if (offset > s->size())
    return impl_->fail(
        fmt::format("stack map {} is at {} in section {}, which has {} bytes", id, offset, s->name, s->size()));
  if (locations.size() > max_entries || live_outs.size() > max_entries)
    return impl_->fail(fmt::format("stack map {} has more than {} locations or live-outs", id, max_entries));
  for (const Location& l : locations) {
    if (l.size == 0) return impl_->fail(fmt::format("a location of stack map {} has size 0", id));
    if (l.kind < Location::reg || l.kind > Location::constant_index)
      return impl_->fail(fmt::format("a location of stack map {} is of kind {}", id, u8(l.kind)));
    if (l.kind <= Location::indirect && l.value != i32(l.value))
      return impl_->fail(fmt::format("the offset {} of stack map {} does not fit in 32 bits", l.value, id));
  }
  for (const LiveOut& l : live_outs)
    if (l.size == 0) return impl_->fail(fmt::format("a live-out of stack map {} has size 0", id));
  maps.records.push_back(
      {maps.open, u32(code), offset, id, {locations.begin(), locations.end()}, {live_outs.begin(), live_outs.end()}});
  const u64 key = maps.flags & SHF_LINK_ORDER ? u64(code) : all_code;
  for (const auto& [of, section] : maps.sections)
    if (of == key) return;
  const Section made = section(maps.name, {.flags = maps.flags, .align = 8});
  if (key != all_code) link_order(made, code);
  if (maps.sections.empty()) define(symbol("__LLVM_StackMaps", Binding::local), made, 0);
  maps.sections.push_back({key, u32(made)});
}

/// The map of one section of them: contents and relocations.
bool Builder::Impl::make_stack_map(u64 code, u32 section) {
  stack_map::Encoder encoder;
  for (const auto& f : stack_maps.functions) encoder.function(0, f.stack_size);
  for (const StackMapRecordData& record : stack_maps.records) {
    if (code != all_code && record.code != code) continue;
    const SymbolData& function = symbols[stack_maps.functions[record.function].symbol];
    if (function.symbol.section != record.code || function.symbol.value > record.offset ||
        record.offset - function.symbol.value > ~u32(0)) {
      fail(fmt::format("stack map {} is not in its function {}, or more than 4 GiB behind its start", record.id,
                       function.name));
      return false;
    }
    std::vector<stack_map::Location> locations;
    for (const Location& given : record.locations) {
      stack_map::Location l{stack_map::Kind(given.kind), given.size, given.dwarf, i32(given.value)};
      if (given.kind == Location::constant) l = encoder.constant(given.value);
      if (given.kind == Location::constant_index) l = encoder.pooled_constant(u64(given.value));
      l.size = given.size;
      locations.push_back(l);
    }
    std::vector<stack_map::LiveOut> live_outs;
    for (const LiveOut& l : record.live_outs) live_outs.push_back({l.dwarf, l.size});
    encoder.record(record.function, record.id, u32(record.offset - function.symbol.value), std::move(locations),
                   std::move(live_outs));
  }
  const stack_map::Map map = encoder.map();
  SectionData& s = sections[section];
  s.bytes = stack_map::encode(map, info.big_endian);
  s.relocs.clear();
  const u64 low_half = info.big_endian ? 8u - info.pointer_size : 0;
  u64 i = 0;
  for (u32 function : encoder.functions())
    s.relocs.push_back({map.address_place(i++) + low_half, stack_maps.functions[function].symbol, info.pointer, 0});
  if (code != all_code && sections[u32(code)].group != obj::none) s.group = sections[u32(code)].group;
  return true;
}

bool Builder::Impl::make_stack_maps() {
  for (const auto& [code, section] : stack_maps.sections)
    if (!make_stack_map(code, section)) return false;
  return true;
}

}  // namespace xas::object
