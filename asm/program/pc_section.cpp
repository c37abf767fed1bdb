// SPDX-License-Identifier: Apache-2.0
// Places that .pcsection describes: of the next instruction, and of symbols.
#include "asm/program/pc_section.h"

#include <fmt/format.h>

#include "asm/program/streamer.h"
#include "objwriter/metadata/pc_section.h"

namespace xas {

namespace {

/// It is no instruction and no data; layout or the text puts it between instructions.
bool is_padding(FragmentKind kind) {
  switch (kind) {
    case FragmentKind::align: case FragmentKind::org: case FragmentKind::fill: case FragmentKind::nops:
    case FragmentKind::prefalign: case FragmentKind::padding: return true;
    case FragmentKind::insn: case FragmentKind::leb: case FragmentKind::piece: return false;
  }
  return false;
}

/// Moves a label over padding whose size is not known; true if the subsection has no fixed bytes there up to `end`.
bool skip_padding(const Subsection& sub, Symbol& place, u64 end) {
  while (place.fragment < sub.fragments.size() && sub.fragments[place.fragment].pos == place.value &&
         is_padding(sub.fragments[place.fragment].kind))
    ++place.fragment;
  return place.value == end && place.fragment == sub.fragments.size();
}

void put(Symbol& place, u32 subsection, u64 value, u32 fragment) {
  place.kind = SymbolKind::label;
  place.where = subsection;
  place.value = value;
  place.fragment = fragment;
}

}  // namespace

SymbolId place_of_next_instruction(Streamer& out) {
  PcSections& all = out.program.pc_sections;
  const Subsection& sub = *out.current;
  std::vector<SymbolId>& waiting = all.waiting[sub.id];
  if (!waiting.empty() && !skip_padding(sub, out.program.symbols[waiting.back()], sub.size)) waiting.clear();
  const SourceLoc loc = out.program.sources.statement_loc();
  const SymbolId place = out.program.symbols.make_anonymous();
  put(out.program.symbols[place], sub.id, sub.size, u32(sub.fragments.size()));
  waiting.push_back(place);
  all.next.push_back({place, loc});
  return place;
}

void pass_over_padding(Streamer& out, u64 pos) {
  auto& waiting = out.program.pc_sections.waiting;
  const auto here = waiting.find(out.current->id);
  if (here == waiting.end()) return;
  // Their numbers of fragments may be behind; those of this padding are no instruction either.
  for (SymbolId id : here->second) {
    Symbol& place = out.program.symbols[id];
    if (!skip_padding(*out.current, place, pos)) return void(waiting.erase(here));
    place.value = out.current->size;
    place.fragment = u32(out.current->fragments.size());
  }
}

SymbolId place_of_address(Program& program, SymbolId symbol, i64 constant, u32 section, SourceLoc loc) {
  const SymbolId place = program.symbols.make_anonymous();  // undefined until then, so that nothing is made of it
  program.pc_sections.addresses.push_back({place, symbol, constant, section, loc});
  return place;
}

namespace {

void settle_address(Program& program, const PcSections::Address& address) {
  SymbolId id = address.symbol;
  i64 constant = address.constant;
  const std::string_view name = program.symbols[address.symbol].text();
  if (!branch_target(program, address.symbol, constant, id) || program.symbols[id].kind != SymbolKind::label) {
    return program.diags.error(
        address.loc, name.empty() ? "this is no place in the file; '.pcsection' needs a label that is defined here"
                                  : fmt::format("'{}' is no place in this file; '.pcsection' needs a label that is "
                                                "defined here", name));
  }
  const Symbol& label = program.symbols[id];
  const u32 section = program.sections.sub(label.where).section;
  if (section != address.section) {
    return program.diags.error(
        address.loc, fmt::format("'{}' is in section '{}', but the table is linked to '{}'; define it before "
                                 "'.pcsection', or choose its section first",
                                 name, program.sections[section].name, program.sections[address.section].name));
  }
  put(program.symbols[address.place], label.where, label.value + u64(constant), label.fragment);
}

}  // namespace

void settle_pc_places(Program& program) {
  PcSections& all = program.pc_sections;
  if (program.diags.errors()) return;  // statements that were not read leave nothing to follow
  for (const PcSections::Next& next : all.next) {
    Symbol& place = program.symbols[next.place];
    const Subsection& sub = program.sections.sub(place.where);
    if (skip_padding(sub, place, sub.size)) {
      program.diags.error(next.loc, fmt::format("no instruction follows '.pcsection' in section '{}'",
                                                program.sections[sub.section].name));
    }
  }
  for (const PcSections::Address& address : all.addresses) settle_address(program, address);
}

std::string misfit(i64 value, unsigned bits) {
  if (bits == 64 || pc_section::fits(value, false, bits)) return {};
  const i64 low = -(i64(1) << (bits - 1)), high = i64((u64(1) << bits) - 1);
  return fmt::format("value {} does not fit in i{} ({} to {})", value, bits, low, high);
}

void check_pc_sections(Program& program) {
  const PcSections& all = program.pc_sections;
  for (const PcSections::Range& range : all.ranges) {
    const u64 begin = program.label_offset(program.symbols[range.begin]);
    const u64 end = program.label_offset(program.symbols[range.end]);
    if (end < begin) {
      program.diags.error(range.loc, fmt::format("the range ends before it begins, by {} bytes", begin - end));
    } else if (end - begin > ~u32(0)) {
      program.diags.error(range.loc, fmt::format("a range of {} bytes; its size has 32 bits", end - begin));
    }
  }
  for (const PcSections::Compressed& c : all.compressed) {
    const Resolved value = program.resolve(c.value);
    if (value.kind != Resolved::number) {
      program.diags.error(c.loc, "a compressed constant must be known by the end of the text");
    } else if (std::string problem = misfit(value.value, c.bits); !problem.empty()) {
      program.diags.error(c.loc, std::move(problem));
    }
  }
}

}  // namespace xas
