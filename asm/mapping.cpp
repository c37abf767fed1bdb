// Mapping symbols, which tell instructions ($x, on ARM $a or $t) from data ($d) for targets that have them, and literal
// pools.
//
// LLVM is plain: a symbol wherever instructions and data change over, counted for each section. GNU as is not: data at
// the start of a section that is not code have none, but fills and alignments have; alignment in code counts as
// instructions, whatever it is filled with; what does not fill up an instruction there is data again; and a symbol with
// nothing behind it is taken back at the end. ELF for the Arm 64-bit Architecture, 5.5.4.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>

#include "asm/assembler.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

SymbolId mapping_symbol(Assembler& a, Mapping to, const Subsection& sub, u64 pos, u32 flex) {
  const SymbolId id = a.symbols.make_anonymous();
  Symbol& s = a.symbols[id];
  s.name = to != Mapping::code ? "$d" : !a.info.arm_labels ? "$x" : a.target.thumb() ? "$t" : "$a";
  s.name_size = 2;
  s.flags = 0;
  s.kind = SymbolKind::label;
  s.binding = Binding::local;
  s.where = sub.id;
  s.value = pos;
  s.flex = flex;
  if (a.listing.on && a.current) s.loc = a.loc_of(a.statement_start);
  a.mapping_symbols.push_back({id, sub.section});
  return id;
}

}  // namespace

void Assembler::map(Mapping to) { map(to, current->size, u32(current->flexes.size())); }

void Assembler::map(Mapping to, u64 pos, u32 flex) {
  // LLVM on ARM: data at the start of a section are marked when code follows, if ever.
  const bool tentative = to == Mapping::data && mapping == Mapping::none && info.arm_labels && profile.maps_all_data;
  mapping = to;
  const SymbolId id = mapping_symbol(*this, to, *current, pos, flex);
  if (tentative) symbols[id].flags = symbol_anonymous;
}

void Assembler::map_code() { map_code(current->size, u32(current->flexes.size())); }

void Assembler::map_code(u64 pos, u32 flex) {
  Section& section = current_section();
  if (profile.aligns_instructions) {
    const unsigned log2 =
        info.arm_labels ? target.thumb() ? 1 : 2 : unsigned(std::countr_zero(unsigned(info.min_instruction)));
    if (mapping == Mapping::data && section.is_code() && !info.arm_labels)
      emit_align(log2, 0, 0, 0, loc_of(statement_start));
    if (section.log2_align < log2) section.log2_align = u8(log2);
    // What stands before the first instruction was data all along.
    if (mapping == Mapping::none && (pos || flex)) {
      mapping_symbol(*this, Mapping::data, sections.sub(section.default_subsection), 0, 0);
    }
  }
  if (mapping == Mapping::code) return;
  if (mapping == Mapping::data && info.arm_labels && profile.maps_all_data) {
    for (std::size_t i = mapping_symbols.size(); i-- > 0;) {
      if (mapping_symbols[i].section != current->section) continue;
      const Symbol s = symbols[mapping_symbols[i].symbol];
      if (s.has(symbol_anonymous)) mapping_symbol(*this, Mapping::data, sections.sub(s.where), s.value, s.flex);
      break;
    }
  }
  map(Mapping::code, pos, flex);
}

void Assembler::map_data() {
  if (mapping == Mapping::none && !marks_first_data()) return;
  map(Mapping::data);
}

void Assembler::map_code_padding(u64 pad) {
  const bool was_code = mapping == Mapping::code;
  if (!was_code) map(Mapping::code);
  if (was_code && current->size % info.min_instruction == 0) return;
  code_paddings.push_back({.subsection = current->id,
                           .flex = u32(current->flexes.size()),
                           .pos = current->size,
                           .size = pad,
                           .symbol = was_code ? no_symbol : mapping_symbols.back().symbol});
}

void Assembler::map_written(Subsection& sub, u64 pos) {
  if (mapping == Mapping::off || (info.arm_labels && profile.maps_all_data)) return;
  Section& section = sections[sub.section];
  if (!profile.maps_all_data && !(section.flags & elf::SHF_ALLOC)) return;  // GNU as has none in debugging information
  Mapping& state = current && current->section == sub.section ? mapping : section.mapping;
  if (state == Mapping::data) return;
  state = Mapping::data;
  mapping_symbol(*this, Mapping::data, sub, pos, u32(sub.flexes.size()));
}

/// GNU as on ARM: A32 behind Thumb begins at a multiple of 4, behind zeros.
void Assembler::align_for_mode() {
  constexpr unsigned a32_log2 = 2, least_log2 = 1;
  Section& section = current_section();
  const u8 aligned = std::max<u8>(section.log2_align, least_log2);
  if (!target.thumb() && !current->nobits) emit_align(a32_log2, 1, 0, 0, loc_of(statement_start));
  section.log2_align = aligned;
}

/// After a change, what was code of the selected encoding is of the other one, in all sections.
void Assembler::mode_selected(bool changed, unsigned log2_align) {
  forget_instructions();
  if (log2_align) emit_align(log2_align, 0, 0, 0, loc_of(statement_start));
  if (changed && profile.aligns_instructions) align_for_mode();
  if (!changed || mapping == Mapping::off) return;
  const auto change = [](Mapping& m) {
    if (m == Mapping::code) m = Mapping::other_code;
    else if (m == Mapping::other_code) m = Mapping::code;
  };
  change(mapping);
  for (u32 i = 0; i < sections.size(); ++i) change(sections[i].mapping);
}

namespace {

/// Sections that no directive opened come last: tables of addresses, what was made of records, then .eh_frame and
/// stabs, then what an option asks for; .comment and .note behind even the temporary labels that are kept (symtab.cpp).
void list_other_sections(Assembler& a) {
  const auto order = [](const Section& s) {
    if (s.name == ".debug_aranges") return 0;
    if (s.name == ".eh_frame" || s.name == ".sframe") return 2;
    return s.name == ".stab" ? 3 : s.name == ".note.GNU-stack" ? 4 : 1;
  };
  for (const int turn : {0, 1, 2, 3, 4}) {
    for (u32 i = 0; i < a.sections.size(); ++i) {
      Section& s = a.sections[i];
      if (s.absolute || order(s) != turn) continue;
      if (s.name == ".comment" || s.name == ".note" || s.name == ".ARM.attributes") a.section_symbol(s);
      else a.list_section(s);
    }
  }
}

/// GNU as has the sections that only relocations name behind the mapping symbols of padding and of .eh_frame.
void list_late_sections(Assembler& a) {
  constexpr std::string_view named_by_relocations[] = {".debug_line_str", ".debug_rnglists", ".debug_ranges",
                                                       ".debug_str",      ".debug_frame",    ".stabstr"};
  std::vector<u32> late;
  const Section* frames = nullptr;  // .eh_frame, if it has no symbol yet
  for (u32 i = 0; i < a.sections.size(); ++i) {
    const Section& s = a.sections[i];
    if (s.symbol == no_symbol) {
      if (s.name == ".eh_frame") frames = &s;
    } else if (std::ranges::find(named_by_relocations, s.name) != std::end(named_by_relocations) &&
               !a.symbols[s.symbol].has(symbol_in_relocation)) {
      late.push_back(i);
    }
  }
  const SymbolId first = a.symbols.size();
  const bool behind_aranges = a.lines.generating();
  list_other_sections(a);
  std::vector<std::pair<SymbolId, SymbolId>> moved;  // before which, and what
  for (const u32 i : late) {
    const Section& s = a.sections[i];
    const SymbolId behind_frames = frames ? frames->symbol + 1 : first + behind_aranges;
    moved.emplace_back(s.name == ".stabstr" ? no_symbol : s.name == ".debug_frame" ? behind_frames : first, s.symbol);
  }
  std::ranges::sort(moved);
  a.listed_late.insert(a.listed_late.end(), moved.begin(), moved.end());
}

}  // namespace

void Assembler::finish_mapping() {
  if (info.arm_labels && !profile.maps_all_data) {
    if (current) current_section().mapping = mapping;
    for (u32 i = 0; i < sections.size(); ++i) {
      const Section& s = sections[i];
      if (s.mapping != Mapping::none || !s.is_code() || s.size == 0 || s.absolute) continue;
      mapping_symbol(*this, Mapping::data, sections.sub(s.default_subsection), 0, 0);
    }
  }
  if (!profile.maps_all_data && !mapping_symbols.empty()) drop_mapping_symbols();
  if (!info.all_section_symbols) return;
  list_late_sections(*this);
}

void Assembler::drop_mapping_symbols() {
  // The last symbol of each place is kept, but none at the end of its section.
  std::vector<u32> last(sections.size(), ~u32(0));
  for (u32 i = u32(mapping_symbols.size()); i-- > 0;) {
    const auto [id, section] = mapping_symbols[i];
    const u64 offset = label_offset(symbols[id]);
    bool drop = offset >= sections[section].size;
    if (last[section] != ~u32(0)) drop |= label_offset(symbols[mapping_symbols[last[section]].symbol]) == offset;
    if (drop) {
      symbols[id].flags |= symbol_anonymous;
    } else {
      last[section] = i;
    }
  }
  map_odd_paddings();
}

/// Padding that is no whole number of instructions begins with zeros, which are data.
void Assembler::map_odd_paddings() {
  std::unordered_set<u64> taken;  // places with a symbol, of sections with such padding
  const auto place = [&](u32 section, u64 offset) { return u64(section) << 40 ^ offset; };
  for (const CodePadding& padding : code_paddings) {
    Subsection& sub = sections.sub(padding.subsection);
    u64 size = padding.size;
    if (size == ~u64(0)) size = sub.offset(padding.pos, padding.flex + 1) - sub.offset(padding.pos, padding.flex);
    const u64 zeros = size % info.min_instruction;
    if (zeros == 0) continue;
    if (taken.empty()) {
      for (const auto [id, section] : mapping_symbols)
        if (!symbols[id].has(symbol_anonymous)) taken.insert(place(section, label_offset(symbols[id])));
    }
    if (padding.symbol != no_symbol) symbols[padding.symbol].flags |= symbol_anonymous;
    mapping_symbol(*this, Mapping::data, sub, padding.pos, padding.flex);
    const u64 behind = sub.offset(padding.pos + zeros, padding.flex);
    if (behind < sections[sub.section].size && !taken.contains(place(sub.section, behind)))
      mapping_symbol(*this, Mapping::code, sub, padding.pos + zeros, padding.flex);
  }
}

bool Assembler::start_instruction() {
  if (!can_emit()) return false;
  if (mapping < Mapping::code) map_code();
  out = current->reserve(2 * max_instruction);
  if (lines.pending) lines.before_instruction(*this);
  current_section().has_instructions = true;
  return true;
}

// Names of registers
//
// They are no symbols: a label may have the name of a register's alias, and the text around it tells which one is
// meant. In the table they stand behind a character that no name in a text begins with.

namespace {

std::string alias_key(std::string_view name) { return '\x01' + std::string(name); }

}  // namespace

int Assembler::register_alias(std::string_view name) {
  ++meanings_read;
  for (const SymbolId id : {symbols.find(alias_key(name)), symbols.find(name)})
    if (id != no_symbol && symbols[id].kind == SymbolKind::register_) return int(symbols[id].value);
  return -1;
}

bool Assembler::bind_register(std::string_view name, int number, const char* where) {
  const SymbolId id = symbols.intern_copy(alias_key(name));
  Symbol& s = symbols[id];
  if (number < 0) {
    if (s.kind == SymbolKind::register_) s.kind = SymbolKind::undefined;
    return true;
  }
  if (s.kind == SymbolKind::register_ && s.value != u64(number)) {
    warning(where, fmt::format("'{}' already stands for another register", name));
    return true;
  }
  s.kind = SymbolKind::register_;
  s.value = u64(number);
  has_register_aliases = true;
  return true;
}

bool Assembler::mark_symbol(const char*& q, u8 other) {
  const char* saved = p;
  p = q;
  SymbolId id;
  const bool ok = parse_symbol(*this, id, "symbol name");
  q = p;
  p = saved;
  if (ok) {
    symbols[id].other |= other;
    symbols[id].flags |= symbol_declared;
  }
  return ok;
}

// Literal pools

bool Assembler::same_literal(const Literal& l, const Value& value, unsigned size) const {
  const bool same_symbol = l.value.add == value.add || (l.forgotten && value.add < symbols.size() &&
                                                        symbols[l.value.add].text() == symbols[value.add].text());
  return l.size == size && l.value.constant == value.constant && same_symbol && l.value.sub == value.sub &&
         l.value.modifier == value.modifier;
}

/// The same for all that may be the same literal: names count, as a symbol may have had another handle.
u64 Assembler::literal_key(const Value& value, unsigned size) const {
  const auto of_symbol = [&](SymbolId id) -> u64 {
    if (id >= symbols.size() || symbols[id].name_size == 0) return id;
    return std::hash<std::string_view>()(symbols[id].text());
  };
  u64 key = u64(value.constant) ^ u64(value.modifier) << 8 ^ size;
  for (const u64 part : {of_symbol(value.add), of_symbol(value.sub)}) key = (key ^ part) * hash_multiplier;
  return key;
}

/// The entry of a pool that .ltorg has written, if a load from here reaches it.
SymbolId Assembler::written_literal(const LiteralPool& pool, u64 key, const Value& value, unsigned size) const {
  constexpr u64 reach = 1 << 19;
  const auto found = pool.written.find(key);
  if (found == pool.written.end()) return no_symbol;
  const Literal& l = found->second;
  return same_literal(l, value, size) && current->size - symbols[l.label].value < reach ? l.label : no_symbol;
}

namespace {

/// A symbol and something else, be it `0 +`.
bool is_sum(Assembler& a, const Value& value, const char* text) {
  if (value.add == no_symbol) return false;
  if (value.constant != 0 || value.sub != no_symbol) return true;
  while (*text == '=' || *text == '(' || a.chars.is(*text, char_blank)) ++text;
  const u32 name = name_length(a.chars, text);
  text += name;
  while (*text == ')' || a.chars.is(*text, char_blank)) ++text;
  return name == 0 || *text == '+' || *text == '-';
}

}  // namespace

SymbolId Assembler::literal(const Value& given, unsigned size, const char* where) {
  Value value = given;
  fold(value);
  pin_dot(value);
  auto pool =
      std::find_if(pools_.begin(), pools_.end(), [&](const LiteralPool& l) { return l.subsection == current->id; });
  if (pool == pools_.end()) pool = pools_.insert(pool, {.subsection = current->id});
  const u64 key = literal_key(value, size);
  const bool shares = profile.pool_shares_sums || !is_sum(*this, value, where);
  const SymbolId known = shares ? written_literal(*pool, key, value, size) : no_symbol;
  if (known != no_symbol) return known;
  // llvm-mc lists a symbol that has been met here first only when it writes the pool.
  constexpr std::ptrdiff_t longest_name = 256;
  bool forgotten = false;
  if (profile.pool_mentions_late && value.add != no_symbol && value.add + 1 == symbols.size()) {
    const std::ptrdiff_t distance = symbols[value.add].name - where;
    forgotten = distance >= 0 && distance < longest_name && !symbols[value.add].is_defined();
    if (forgotten) symbols.forget_last();
  }
  if (shares) {
    const auto [at, is_new] = pool->index.try_emplace(key, u32(pool->literals.size()));
    if (!is_new && same_literal(pool->literals[at->second], value, size)) return pool->literals[at->second].label;
  }
  const SymbolId label = symbols.make_anonymous();
  pool->literals.push_back({value, size, label, loc_of(where), forgotten});
  return label;
}

/// GNU as on ARM: in order, two words where their number is even; the word left out takes the next one alone.
template <class Write>
void Assembler::write_word_pool(const LiteralPool& pool, const Write& write) {
  std::vector<const Literal*> words;
  std::size_t hole = 0;
  bool has_doubles = false;
  for (const Literal& l : pool.literals) {
    if (l.size == 4 && hole) {
      words[std::exchange(hole, 0)] = &l;
      continue;
    }
    if (l.size == 8 && words.size() % 2) {
      if (!hole) hole = words.size();
      words.push_back(nullptr);
    }
    words.push_back(&l);
    if (l.size == 8) words.push_back(&l);
    has_doubles |= l.size == 8;
  }
  const u8 aligned = std::max<u8>(current_section().log2_align, 2);
  emit_align(has_doubles ? 3 : 2, 1, 0, 0, pool.literals.front().loc);
  current_section().log2_align = aligned;  // of two words GNU as does not tell the section
  map(Mapping::data);  // again, behind the padding
  for (std::size_t i = 0; i < words.size(); i += words[i] ? words[i]->size / 4 : 1) {
    if (words[i]) write(*words[i]);
    else data_follows(), emit_int(0, 4);
  }
}

void Assembler::write_literals(LiteralPool& pool) {
  const auto align = [&](const Literal& l) { emit_align(unsigned(std::countr_zero(l.size)), 1, 0, 0, l.loc); };
  for (Literal& l : pool.literals) {
    if (!std::exchange(l.forgotten, false)) continue;
    const Symbol forgotten = symbols[l.value.add];
    l.value.add = symbols.intern(forgotten.name, forgotten.name_size);
    Symbol& s = symbols[l.value.add];
    s.flags |= symbol_referenced;
    if (s.loc == 0) s.loc = forgotten.loc;
  }
  const auto write = [&](const Literal& l) {
    define_label(l.label, l.loc);
    data_follows();
    if (info.arm_labels) lines.before_literal(*this, l.loc);
    const bool negative = l.value.is_constant() && l.value.constant < 0;
    const auto upper = [&] {
      for (unsigned done = 8; done < l.size; done += 8) emit_int(negative ? ~u64(0) : 0, 8);
    };
    if (info.big_endian) upper();
    emit_value(l.value, std::min(l.size, 8u), l.loc);
    if (!info.big_endian) upper();
  };
  if (profile.pool_by_size && info.arm_labels) {
    write_word_pool(pool, write);
  } else if (profile.pool_by_size) {
    for (unsigned size : {4u, 8u, 16u}) {
      bool aligned = false;
      for (const Literal& l : pool.literals) {
        if (l.size != size) continue;
        if (!std::exchange(aligned, true)) align(l);
        write(l);
      }
    }
  } else {
    for (const Literal& l : pool.literals) align(l), write(l);
  }
  if (profile.pool_stays_known && options.target.machine == Machine::aarch64) {
    for (const Literal& l : pool.literals) pool.written.insert_or_assign(literal_key(l.value, l.size), l);
  }
  pool.literals.clear();
  pool.index.clear();
}

void Assembler::flush_literals() {
  for (LiteralPool& pool : pools_)
    if (pool.subsection == current->id && !pool.literals.empty()) write_literals(pool);
}

void Assembler::finish_literals() {
  for (std::size_t i = 0; i < pools_.size(); ++i) {
    if (pools_[i].literals.empty()) continue;
    switch_to(sections.sub(pools_[i].subsection));
    write_literals(pools_[i]);
  }
}

}  // namespace xas
