// SPDX-License-Identifier: Apache-2.0
// Sections of stack maps; their format is told in objwriter/metadata/stack_map.h. All offsets are final by now, and
// addresses of functions are left to the linker, as data would be.
#include <fmt/format.h>

#include "asm/debug/debug.h"
#include "asm/program/section_writer.h"

namespace xas {

namespace {

/// The record's distance from its function. False, reported: it is not in it.
bool find_offset(Program& program, const StackMapRecord& record, u32& offset) {
  const Symbol& function = program.symbols[program.stack_maps.functions[record.function].symbol];
  const auto fail = [&](std::string message) {
    program.diags.error(record.loc, std::move(message));
    program.diags.note(program.stack_maps.functions[record.function].loc, "its function is named here");
    return false;
  };
  if (function.kind != SymbolKind::label)
    return fail(fmt::format("'{}', the function of this record, is not defined here", function.text()));
  const u32 code = program.sections.sub(record.subsection).section;
  const u32 home = program.sections.sub(function.where).section;
  if (code != home) {
    return fail(fmt::format("record is in '{}', its function '{}' in '{}'", program.sections[code].name,
                            function.text(), program.sections[home].name));
  }
  const u64 at = program.sections.sub(record.subsection).offset(record.pos, record.fragment);
  const u64 begin = program.label_offset(function);
  if (at < begin) return fail(fmt::format("record stands before its function '{}'", function.text()));
  if (at - begin > ~u32(0))
    return fail(fmt::format("record is more than 4 GiB behind its function '{}'", function.text()));
  offset = u32(at - begin);
  return true;
}

stack_map::Location encode(stack_map::Encoder& encoder, const StackMapLocation& given) {
  using stack_map::Kind;
  stack_map::Location location{given.kind, given.size, given.dwarf, i32(given.value)};
  if (given.kind == Kind::constant) location = encoder.constant(given.value);
  if (given.kind == Kind::constant_index) location = encoder.pooled_constant(u64(given.value));
  location.size = given.size;
  return location;
}

/// The map of a section, and the functions of its table. False: something has been reported.
bool make_map(Program& program, u32 code, stack_map::Map& map, std::vector<StackMapFunction>& functions) {
  const StackMaps& all = program.stack_maps;
  stack_map::Encoder encoder;
  for (const StackMapFunction& f : all.functions) encoder.function(0, f.stack_size);
  bool good = true;
  for (const StackMapRecord& record : all.records) {
    if (code != StackMapSection::all_code && program.sections.sub(record.subsection).section != code) continue;
    u32 offset = 0;
    if (!find_offset(program, record, offset)) {
      good = false;
      continue;
    }
    std::vector<stack_map::Location> locations;
    for (const StackMapLocation& location : record.locations) locations.push_back(encode(encoder, location));
    encoder.record(record.function, record.id, offset, std::move(locations), record.live_outs);
  }
  map = encoder.map();
  for (u32 function : encoder.functions()) functions.push_back(all.functions[function]);
  return good;
}

void write_map(Program& program, Section& section, u32 code) {
  stack_map::Map map;
  std::vector<StackMapFunction> functions;
  if (!make_map(program, code, map, functions)) return;
  SectionWriter out(program, section);
  out.pad(8);
  const std::vector<u8> bytes = stack_map::encode(map, program.info.big_endian);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const unsigned size = program.info.address_size;
  const u64 low_half = program.info.big_endian ? 8 - size : 0;
  std::size_t done = 0;
  for (u64 i = 0; i < functions.size(); ++i) {
    const std::size_t place = map.address_place(i) + low_half;
    out.put_bytes(text.substr(done, place - done));
    out.put_reference(size, functions[i].symbol, 0, false, functions[i].loc);
    done = place + size;
  }
  out.put_bytes(text.substr(done));
}

}  // namespace

void generate_stack_maps(Program& program) {
  const StackMaps& all = program.stack_maps;
  for (const StackMapSection& s : all.sections) {
    Section& section = program.sections[s.section];
    if (all.records.empty()) {  // .stackmap_section alone
      section.absolute = program.sections.sub(section.first).size == 0;
      if (section.absolute) program.symbols[all.symbol].kind = SymbolKind::undefined;
      continue;
    }
    write_map(program, section, s.code);
  }
}

}  // namespace xas
