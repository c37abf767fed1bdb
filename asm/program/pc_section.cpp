// SPDX-License-Identifier: Apache-2.0
// Places that .pcsection describes: of the next instruction, and of symbols.
#include "asm/program/pc_section.h"

#include <fmt/format.h>

#include <utility>

#include "asm/program/elf_sections.h"
#include "asm/program/streamer.h"
#include "objwriter/metadata/pc_section.h"

namespace xas {

namespace {

/// It is no instruction and no data; layout or the text puts it between instructions.
bool is_padding(FragmentKind kind) {
  switch (kind) {
    case FragmentKind::align: case FragmentKind::org: case FragmentKind::fill: case FragmentKind::nops:
    case FragmentKind::prefalign: case FragmentKind::padding: return true;
    case FragmentKind::insn: case FragmentKind::leb: case FragmentKind::piece: case FragmentKind::grown: return false;
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

}  // namespace

std::string set_pc_offset_size(Program& program, i64 bytes) {
  if (bytes != 4 && bytes != 8) return fmt::format("an offset has 4 or 8 bytes, not {}", bytes);
  if (bytes == 8 && (program.is_coff || !program.info.elf.is_64))
    return "an offset of 8 bytes needs a 64-bit ELF target";
  program.pc_sections.offset_size = u8(bytes);
  return {};
}

PcSubject next_instruction_as_subject(Streamer& out) {
  PcSections& all = out.program.pc_sections;
  const Subsection& sub = *out.current;
  std::vector<SymbolId>& waiting = all.waiting[sub.id];
  if (!waiting.empty() && !skip_padding(sub, out.program.symbols[waiting.back()], sub.size)) waiting.clear();
  const SourceLoc loc = out.program.sources.statement_loc();
  const SymbolId place = out.program.symbols.make_anonymous();
  out.program.symbols[place].become_label(sub.id, sub.size, u32(sub.fragments.size()));
  waiting.push_back(place);
  all.next.push_back({place, loc});
  return {.begin = place, .section = sub.section, .loc = loc};
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

bool PcAddress::set(Streamer& out, Value value) {
  out.pin_dot(value);
  symbol = value.add;
  constant = value.constant;
  return value.modifier == 0 && value.is_symbol_plus_constant();
}

namespace {

/// The section that a symbol is defined in by now; else the current one.
u32 section_of(const Streamer& out, SymbolId symbol) {
  i64 constant = 0;
  SymbolId label;
  const Program& program = out.program;
  if (!branch_target(program, symbol, constant, label) || program.symbols[label].kind != SymbolKind::label)
    return out.current->section;
  return program.sections.sub(program.symbols[label].where).section;
}

/// A label for the address, which has to turn up in this section. It has no other properties of the symbol: neither is
/// it global nor a function of Thumb code.
SymbolId place_of(Program& program, const PcAddress& address, u32 section) {
  const SymbolId place = program.symbols.make_anonymous();  // undefined until then, so that nothing is made of it
  program.pc_sections.addresses.push_back({place, address.symbol, address.constant, section, address.loc});
  return place;
}

}  // namespace

bool addresses_as_subject(Streamer& out, const PcAddress& begin, const PcAddress* end, PcSubject& subject) {
  Program& program = out.program;
  subject = {.section = section_of(out, begin.symbol), .loc = program.sources.statement_loc()};
  if (program.sections[subject.section].absolute) return out.can_emit(), false;
  subject.begin = place_of(program, begin, subject.section);
  if (end) {
    subject.end = place_of(program, *end, subject.section);
    program.pc_sections.ranges.push_back({subject.begin, subject.end, end->loc});
  }
  return true;
}

PcEntry::PcEntry(Streamer& out, const PcSubject& subject, const pc_section::Name& table)
    : out_(out),
      back_(*out.current),
      previous_(out.previous),
      pending_data_(std::exchange(out.program.lines.pending_data, false)),
      wants_sections_(std::exchange(out.program.lines.wants_sections, false)),
      good_(begin(subject, table)) {}

PcEntry::~PcEntry() {
  out_.return_to(back_, previous_);
  out_.program.lines.pending_data = pending_data_;
  out_.program.lines.wants_sections = wants_sections_;
}

bool PcEntry::begin(const PcSubject& subject, const pc_section::Name& name) {
  Program& program = out_.program;
  const u32 errors = program.diags.errors();
  Section& table = section_about(program, name.section, program.sections[subject.section]);
  if (program.diags.errors() != errors) return false;
  out_.switch_to(program.sections.sub(table.default_subsection));
  if (!out_.can_emit()) return false;
  out_.emit_value({.add = subject.begin, .sub = dot_symbol}, program.pc_sections.offset_size, subject.loc);
  if (subject.end != no_symbol) {
    const Value size{.add = subject.end, .sub = subject.begin};
    name.compress ? out_.emit_leb(size, false, subject.loc) : out_.emit_value(size, 4, subject.loc);
  }
  return true;
}

namespace {

/// `bits` up to 64: what is behind the field's width is cut off.
u64 low_bits(u64 value, unsigned bits) { return bits < 64 ? value & ((u64(1) << bits) - 1) : value; }

/// A compressed number that is not known yet: it is cut to its bits when it is.
void emit_later(Streamer& out, Value value, unsigned bits, SourceLoc loc) {
  Program& program = out.program;
  out.pin_dot(value);
  const u32 whole = program.exprs.leaf(value, loc);
  program.pc_sections.compressed.push_back({program.symbol_for(whole), bits, loc});
  u32 cut = whole;
  if (bits < 64) {
    const u32 mask = program.exprs.leaf({.constant = i64(low_bits(~u64(0), bits))}, loc);
    cut = program.exprs.node(ExprOp::bit_and, whole, mask, loc);
  }
  out.emit_leb({.add = program.symbol_for(cut)}, false, loc);
}

}  // namespace

std::string emit_pc_constant(Streamer& out, Value value, const PcField& field, SourceLoc loc) {
  i64 number;
  if (value.modifier == 0 && out.number_by_now(value, number)) {
    if (std::string problem = pc_section::misfit(number, field.bits); !problem.empty()) return problem;
    const u64 cut = low_bits(u64(number), field.bits);
    field.leb ? out.emit_leb({.constant = i64(cut)}, false, loc) : out.emit_int(cut, field.size);
    return {};
  }
  if (field.leb && value.modifier == 0) return emit_later(out, value, field.bits, loc), std::string();
  if (field.leb || field.bits != field.size * 8)
    return fmt::format("a value of i{} must be a number{}", field.bits, field.leb ? "" : " known here");
  out.emit_value(value, field.size, loc);
  return {};
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
  program.symbols[address.place].become_label(label.where, label.value + u64(constant), label.fragment);
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
    } else if (std::string problem = pc_section::misfit(value.value, c.bits); !problem.empty()) {
      program.diags.error(c.loc, std::move(problem));
    }
  }
}

}  // namespace xas
