// SPDX-License-Identifier: Apache-2.0
// Mapping symbols, which tell instructions ($x, on ARM $a or $t) from data ($d) for targets that have them, and literal
// pools.
//
// LLVM is plain: a symbol wherever instructions and data change over, counted for each section. GNU as is not: data at
// the start of a section that is not code have none, but fills and alignments have; alignment in code counts as
// instructions, whatever it is filled with; what does not fill up an instruction there is data again; and a symbol with
// nothing behind it is taken back at the end. ELF for the Arm 64-bit Architecture, 5.5.4.

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

SymbolId mapping_symbol(Program& program, const char* mark, const Subsection& sub, u64 pos, u32 fragment) {
  const SymbolId id = program.symbols.make_anonymous();
  Symbol& s = program.symbols[id];
  s.name = mark;
  s.name_size = 2;
  s.flags = 0;
  s.become_label(sub.id, pos, fragment);
  s.binding = Binding::local;
  if (program.listing.on) s.loc = program.sources.statement_loc();
  program.mapping_symbols.push_back({id, sub.section});
  return id;
}

SymbolId mapping_symbol(Program& program, Mapping to, const Subsection& sub, u64 pos, u32 fragment) {
  return mapping_symbol(program, to == Mapping::code ? program.target.code_mapping() : "$d", sub, pos, fragment);
}

/// Data at the start, which are marked late: to a listing, on no line.
void map_first_data(Program& program, const Subsection& sub) {
  program.symbols[mapping_symbol(program, Mapping::data, sub, 0, 0)].loc = 0;
}

}  // namespace

void Streamer::map(Mapping to) { map(to, current->size, u32(current->fragments.size())); }

void Streamer::map(Mapping to, u64 pos, u32 fragment) {
  if (program.info.mapping.notes_data) return note_mapping(to);
  // LLVM on ARM: data at the start of a section are marked when code follows, if ever.
  const bool tentative = to == Mapping::data && mapping == Mapping::none && program.info.mapping.late_first_data &&
                         program.profile.maps_all_data;
  mapping = to;
  const SymbolId id = mapping_symbol(program, to, *current, pos, fragment);
  if (tentative) program.symbols[id].flags = symbol_anonymous;
}

void Streamer::map_ends() {
  std::vector<SymbolId> last(program.sections.size(), no_symbol);
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    const Symbol& s = program.symbols[id];
    if (s.kind == SymbolKind::label) last[program.sections.sub(s.where).section] = id;
  }
  for (u32 i = 0; i < last.size(); ++i) {
    const Section& section = program.sections[i];
    const Mapping to = implicit_mapping(section);
    if (section.mapping == to) continue;
    const Subsection& end = program.sections.sub(section.default_subsection);
    program.order.listed_behind.emplace_back(last[i],
                                             mapping_symbol(program, to, end, end.size, u32(end.fragments.size())));
  }
  std::ranges::sort(program.order.listed_behind);
}

/// The section has instructions.
static void align_for_code(const Program& program, Section& section) {
  section.log2_align = std::max(section.log2_align, u8(program.target.code_log2()));
}

void Streamer::map_code() { map_code(current->size, u32(current->fragments.size())); }

void Streamer::map_code(u64 pos, u32 fragment) {
  if (program.info.mapping.notes_data) {
    if (mapping == Mapping::data) data_end = {current->id, fragment, pos};
    return note_mapping(Mapping::code);
  }
  Section& section = current_section();
  if (program.profile.aligns_instructions) {
    if (mapping == Mapping::data && section.is_code() && program.info.code.aligned_behind_data)
      emit_align(program.target.code_log2(), 0, 0, 0, program.sources.statement_loc());
    align_for_code(program, section);
    mark_first_data(pos, fragment);
  }
  if (mapping == Mapping::code) return;
  if (mapping == Mapping::data && program.info.mapping.late_first_data && program.profile.maps_all_data) {
    for (std::size_t i = program.mapping_symbols.size(); i-- > 0;) {
      if (program.mapping_symbols[i].section != current->section) continue;
      const Symbol s = program.symbols[program.mapping_symbols[i].symbol];
      if (s.has(symbol_anonymous))
        mapping_symbol(program, Mapping::data, program.sections.sub(s.where), s.value, s.fragment);
      break;
    }
  }
  map(Mapping::code, pos, fragment);
}

void Streamer::map_data() {
  if (mapping == Mapping::none && !program.info.mapping.notes_data && !marks_first_data()) return;
  map(Mapping::data);
}

/// What stands before the section's first instruction, which is there, was data all along.
void Streamer::mark_first_data(u64 pos, u32 fragment) {
  if (mapping != Mapping::none || (pos == 0 && fragment == 0 && current->id == current_section().first)) return;
  map_first_data(program, program.sections.sub(current_section().default_subsection));
}

/// GNU as pads with no-ops of the encoding that the last instruction before the padding has, as long as no other
/// padding stands between; which one is selected since does not matter.
bool Streamer::pads_as_before() const {
  return mapping == Mapping::other_code && program.profile.aligns_instructions && current_section().is_code() &&
         !current->ends_in_padding();
}

u16 Streamer::padding_style() const {
  return pads_as_before() ? program.target.end_nop_style(true) : program.target.nop_style();
}

void Streamer::map_code_padding(u64 pad) {
  const bool as_before = pads_as_before();
  const bool was_code = mapping == Mapping::code || as_before;
  if (program.info.mapping.late_first_data) mark_first_data(current->size, u32(current->fragments.size()));
  if (!was_code) map(Mapping::code);
  const u8 unit = program.target.nop_unit(padding_style());
  if (was_code && pad != ~u64(0) && pad % unit == 0) return;
  program.code_paddings.push_back(
      {.subsection = current->id,
       .fragment = u32(current->fragments.size()),
       .pos = current->size,
       .size = pad,
       .mark = as_before ? program.target.other_code_mapping() : program.target.code_mapping(),
       .unit = unit});
}

void Program::map_written(Subsection& sub, u64 pos) {
  if (!info.mapping.symbols || (info.mapping.late_first_data && profile.maps_all_data)) return;
  Section& section = sections[sub.section];
  if (!profile.maps_all_data && !(section.flags & elf::SHF_ALLOC)) return;  // GNU as has none in debugging information
  if (section.mapping == Mapping::data) return;
  section.mapping = Mapping::data;
  mapping_symbol(*this, Mapping::data, sub, pos, u32(sub.fragments.size()));
}

void Program::map_end_padding(const Section& section) {
  const auto [from, to] =
      section.is_code() ? std::pair(Mapping::data, Mapping::code) : std::pair(Mapping::code, Mapping::data);
  if (mapping_of(section) != from) return;
  const Subsection& first = sections.sub(section.first);
  mapping_symbol(*this, to, first, first.size, u32(first.fragments.size()));
}

/// GNU as on ARM: A32 behind Thumb begins at a multiple of 4, behind zeros.
void Streamer::align_for_mode() {
  constexpr unsigned a32_log2 = 2, min_log2 = 1;
  Section& section = current_section();
  const u8 aligned = std::max<u8>(section.log2_align, min_log2);
  if (!program.target.thumb() && !current->nobits) emit_align(a32_log2, 1, 0, 0, program.sources.statement_loc());
  section.log2_align = aligned;
}

/// After a change, what was code of the selected encoding is of the other one.
void Streamer::mode_selected(bool changed, unsigned log2_align) {
  if (log2_align) emit_align(log2_align, 0, 0, 0, program.sources.statement_loc());
  if (changed && program.profile.aligns_instructions) align_for_mode();
  if (!changed) return;
  if (mapping == Mapping::code) mapping = Mapping::other_code;
  else if (mapping == Mapping::other_code) mapping = Mapping::code;
}

namespace {

/// Sections that no directive opened come last: tables of addresses, what was made of records, then .eh_frame and
/// stabs, then what an option asks for; .comment, .note and attributes behind even the temporary labels that are kept
/// (symtab.cpp).
void list_other_sections(Program& program) {
  const auto order = [](const Section& s) {
    if (s.name == ".debug_aranges") return 0;
    if (s.name == ".eh_frame" || s.name == ".sframe") return 2;
    return s.name == ".stab" ? 3 : s.name == ".note.GNU-stack" ? 4 : 1;
  };
  for (const int turn : {0, 1, 2, 3, 4}) {
    for (u32 i = 0; i < program.sections.size(); ++i) {
      Section& s = program.sections[i];
      if (s.absolute || order(s) != turn) continue;
      if (s.name == ".comment" || s.name == ".note" || s.name == ".ARM.attributes" ||
          s.name == ".gnu.build.attributes")
        program.section_symbol(s);
      else
        program.list_section(s);
    }
  }
}

/// GNU as has the sections that only relocations name behind the mapping symbols of padding and of .eh_frame.
void list_late_sections(Program& program) {
  constexpr std::string_view named_by_relocations[] = {".debug_line_str", ".debug_line_end", ".debug_rnglists",
                                                       ".debug_ranges",   ".debug_str",      ".debug_frame",
                                                       ".stabstr"};
  std::vector<u32> late;
  const Section* frames = nullptr;  // .eh_frame, if it has no symbol yet
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& s = program.sections[i];
    if (s.symbol == no_symbol) {
      if (s.name == ".eh_frame") frames = &s;
    } else if (std::ranges::find(named_by_relocations, s.name) != std::end(named_by_relocations) &&
               !program.symbols[s.symbol].has(symbol_in_relocation)) {
      late.push_back(i);
    }
  }
  const SymbolId first = program.order.late_sections = program.symbols.size();
  const bool behind_aranges = program.lines.generating();
  list_other_sections(program);
  SymbolId behind_stabs = no_symbol;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& s = program.sections[i];
    if (s.name == ".note.GNU-stack" && s.symbol != no_symbol && s.symbol >= first) behind_stabs = s.symbol;
  }
  std::vector<std::pair<SymbolId, SymbolId>> moved;  // before which, and what
  for (const u32 i : late) {
    const Section& s = program.sections[i];
    const SymbolId behind_frames = frames ? frames->symbol + 1 : first + behind_aranges;
    const SymbolId place = s.name == ".stabstr" ? behind_stabs : s.name == ".debug_frame" ? behind_frames : first;
    moved.emplace_back(place, s.symbol);
  }
  std::ranges::sort(moved);
  program.order.listed_late.insert(program.order.listed_late.end(), moved.begin(), moved.end());
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const SymbolId id = program.sections[i].symbol;  // of a later section, relocations tell the place
    if (id != no_symbol && program.symbols[id].is_later_section())
      program.symbols[id].flags &= u16(~symbol_in_relocation);
  }
}

/// Padding that is no whole number of instructions begins with zeros, which are data. Their mark takes the place of one
/// that stands there.
void map_odd_paddings(Program& program) {
  std::unordered_map<u64, SymbolId> marks;  // by place; made for the first such padding
  const auto place = [&](u32 section, u64 offset) { return u64(section) << 40 ^ offset; };
  for (const CodePadding& padding : program.code_paddings) {
    Subsection& sub = program.sections.sub(padding.subsection);
    u64 size = padding.size;
    if (size == ~u64(0)) size = sub.fragments[padding.fragment].size;
    const u64 zeros = size % padding.unit;
    if (zeros == 0) continue;
    if (marks.empty()) {
      for (const auto [id, section] : program.mapping_symbols)
        if (!program.symbols[id].has(symbol_anonymous))
          marks[place(section, program.label_offset(program.symbols[id]))] = id;
    }
    const auto [there, is_new] =
        marks.try_emplace(place(sub.section, sub.offset(padding.pos, padding.fragment)), no_symbol);
    if (!is_new) program.symbols[there->second].flags |= symbol_anonymous;
    there->second = mapping_symbol(program, Mapping::data, sub, padding.pos, padding.fragment);
    const u64 behind = sub.offset(padding.pos + zeros, padding.fragment);
    const u64 mark = place(sub.section, behind);
    if (behind < program.sections[sub.section].size && !marks.contains(mark))
      marks[mark] = mapping_symbol(program, padding.mark, sub, padding.pos + zeros, padding.fragment);
  }
}

/// Puts mapping symbols and paddings in the order of their places: the text may have left a section or a subsection,
/// and come back.
void sort_by_place(Program& program) {
  std::vector<u32> rank(program.sections.subsections());  // the order of the object
  u32 n = 0;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    for (u32 id = program.sections[i].first; id != ~u32(0); id = program.sections.sub(id).next) rank[id] = n++;
  }
  // Within a subsection they are in order already.
  const auto sort = [](auto& all, auto rank_of) {
    if (!std::ranges::is_sorted(all, {}, rank_of)) std::ranges::stable_sort(all, {}, rank_of);
  };
  sort(program.mapping_symbols, [&](const MappingSymbol& m) { return rank[program.symbols[m.symbol].where]; });
  sort(program.code_paddings, [&](const CodePadding& p) { return rank[p.subsection]; });
}

void drop_mapping_symbols(Program& program) {
  sort_by_place(program);
  // The last symbol of each place is kept, but none at the end of its section.
  std::vector<u32> last(program.sections.size(), ~u32(0));
  for (u32 i = u32(program.mapping_symbols.size()); i-- > 0;) {
    const auto [id, section] = program.mapping_symbols[i];
    const u64 offset = program.label_offset(program.symbols[id]);
    bool drop = offset >= program.sections[section].size;
    if (last[section] != ~u32(0))
      drop |= program.label_offset(program.symbols[program.mapping_symbols[last[section]].symbol]) == offset;
    if (drop) {
      program.symbols[id].flags |= symbol_anonymous;
    } else {
      last[section] = i;
    }
  }
  map_odd_paddings(program);
}

/// What nothing has marked yet. GNU as ends each subsection with an alignment, which counts as code or as data; that of
/// the first one stays if another subsection has contents.
void mark_unmarked(Program& program) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& s = program.sections[i];
    if (s.mapping != Mapping::none || s.size == 0 || s.absolute) continue;
    const Subsection& first = program.sections.sub(s.first);
    if (s.is_code() && program.info.mapping.late_first_data && first.total() != 0)
      map_first_data(program, first);
    mapping_symbol(program, s.is_code() ? Mapping::code : Mapping::data, first, first.size,
                   u32(first.fragments.size()));
  }
}

}  // namespace

void finish_mapping(Program& program) {
  if (program.info.mapping.symbols && !program.profile.maps_all_data) mark_unmarked(program);
  if (!program.profile.maps_all_data && !program.mapping_symbols.empty()) drop_mapping_symbols(program);
  if (program.profile.aligns_instructions && program.info.code.aligned_behind_data) {
    // Those that a padding of no-ops has marked already have not aligned their section (Streamer::map_code).
    for (u32 i = 0; i < program.sections.size(); ++i) {
      Section& s = program.sections[i];
      if (program.sections.has_instructions(s)) align_for_code(program, s);
    }
  }
  if (!program.info.elf.all_section_symbols) return;
  list_late_sections(program);
}

/// To LLVM, what has a fixup alone is code; to GNU as on ARM, data without bytes.
bool Streamer::start_fixup() {
  if (!can_emit()) return false;
  if (program.profile.maps_all_data) {
    if (mapping < Mapping::code) map_code();
  } else if (program.info.mapping.fixups_are_data) {
    data_follows();
  }
  return true;
}

bool Streamer::start_instruction() {
  if (!can_emit()) return false;
  if (mapping < Mapping::code) map_code();
  if (program.lines.generating() && !program.profile.inst_is_generated_code)
    out = current->reserve(2 * max_instruction);
  else
    next_instruction();
  return true;
}

void Streamer::next_instruction() {
  if (in_absolute_space()) return;  // what it would be goes behind what is there
  out = current->reserve(2 * max_instruction);
  if (program.lines.pending) program.lines.before_instruction(*this);
  current->has_instructions = true;
}

}  // namespace xas
