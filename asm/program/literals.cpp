// SPDX-License-Identifier: Apache-2.0
// Literal pools: values that instructions load from memory near them (`ldr x0, =value`), until .ltorg or the end of the
// text writes them.
#include "asm/program/literals.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "asm/program/streamer.h"

namespace xas {

u64 literal_key(const Program& program, const Value& value, unsigned size) {
  const auto of_symbol = [&](SymbolId id) -> u64 {
    if (id >= program.symbols.size() || program.symbols[id].name_size == 0) return id;
    return std::hash<std::string_view>()(program.symbols[id].text());
  };
  u64 key = u64(value.constant) ^ u64(value.modifier) << 8 ^ size;
  for (const u64 part : {of_symbol(value.add), of_symbol(value.sub)}) key = (key ^ part) * hash_multiplier;
  return key;
}

namespace {

bool same_literal(const Program& program, const Literal& l, const Value& value, unsigned size) {
  const bool same_symbol =
      l.value.add == value.add || (l.forgotten && value.add < program.symbols.size() &&
                                   program.symbols[l.value.add].text() == program.symbols[value.add].text());
  return l.size == size && !l.high && l.value.constant == value.constant && same_symbol && l.value.sub == value.sub &&
         l.value.modifier == value.modifier;
}

/// The entry of a pool that .ltorg has written, if a load from here reaches it.
SymbolId written_literal(const Program& program, const Subsection& current, const LiteralPool& pool, u64 key,
                         const Value& value, unsigned size) {
  constexpr u64 reach = 1 << 19;
  const auto found = pool.written.find(key);
  if (found == pool.written.end()) return no_symbol;
  const Literal& l = found->second;
  return same_literal(program, l, value, size) && current.size - program.symbols[l.label].value < reach ? l.label
                                                                                                        : no_symbol;
}

/// A symbol and something else, be it `0 +`.
bool is_sum(Program& program, const Value& value, const char* text) {
  if (value.add == no_symbol) return false;
  if (value.constant != 0 || value.sub != no_symbol) return true;
  while (*text == '=' || *text == '(' || program.chars.is(*text, char_blank)) ++text;
  const u32 name = name_length(program.chars, text);
  text += name;
  while (*text == ')' || program.chars.is(*text, char_blank)) ++text;
  return name == 0 || *text == '+' || *text == '-';
}

}  // namespace

u32 Streamer::subsection_of_pool() const {
  return program.profile.subsections_share_pool ? program.sections[current->section].default_subsection : current->id;
}

LiteralPool& Streamer::current_pool() {
  const u32 subsection = subsection_of_pool();
  if (pool_of_.size() <= subsection) pool_of_.resize(subsection + 1, no_pool);
  u32& pool = pool_of_[subsection];
  if (pool == no_pool) {
    pool = u32(pools_.size());
    pools_.push_back({.subsection = subsection});
  }
  return pools_[pool];
}

/// GNU as, which alone has them, gives each an entry of its own.
SymbolId Streamer::wide_literal(u64 low, u64 high, const char* where) {
  const SymbolId label = program.symbols.make_anonymous();
  current_pool().literals.push_back({.value = {.constant = i64(low)},
                                     .size = 16,
                                     .label = label,
                                     .loc = program.sources.loc_of(where),
                                     .high = high});
  return label;
}

SymbolId Streamer::literal(const Value& given, unsigned size, const char* where) {
  Value value = given;
  fold(value);
  pin_dot(value);
  LiteralPool* const pool = &current_pool();
  const u64 key = literal_key(program, value, size);
  const bool shares = program.profile.pool_shares_sums || !is_sum(program, value, where);
  const SymbolId known = shares ? written_literal(program, *current, *pool, key, value, size) : no_symbol;
  if (known != no_symbol) return known;
  // llvm-mc lists a symbol that has been met here first only when it writes the pool.
  constexpr std::ptrdiff_t longest_name = 256;
  bool forgotten = false;
  if (program.profile.pool_references_late && value.add != no_symbol && value.add + 1 == program.symbols.size()) {
    const Symbol& s = program.symbols[value.add];
    const std::ptrdiff_t distance = program.symbols.copies_names
                                        ? std::ptrdiff_t(s.loc) - std::ptrdiff_t(program.sources.loc_of(where))
                                        : s.name - where;
    forgotten = distance >= 0 && distance < longest_name && !s.is_defined();
    if (forgotten) program.symbols.forget_last();
  }
  if (program.profile.pool_by_size && program.info.literals.are_words) return word_literal(*pool, value, size, where);
  if (shares) {
    const auto [at, is_new] = pool->index.try_emplace(key, u32(pool->literals.size()));
    if (!is_new && same_literal(program, pool->literals[at->second], value, size))
      return pool->literals[at->second].label;
  }
  const SymbolId label = program.symbols.make_anonymous();
  pool->literals.push_back({value, size, label, program.sources.loc_of(where), forgotten});
  return label;
}

/// The words at `at` and behind it are one number, if they stand at a multiple of 8.
static void note_double(LiteralPool& pool, u32 at) {
  if (at % 2 || at + 1 >= pool.literals.size()) return;
  const Literal &first = pool.literals[at], &second = pool.literals[at + 1];
  if (second.word == Literal::padding || !first.value.is_constant() || !second.value.is_constant()) return;
  const u64 parts[] = {u64(first.value.constant), u64(second.value.constant)};
  if ((parts[0] | parts[1]) >> 32) return;  // GNU as compares words without a sign
  const auto [known, is_new] = pool.doubles.try_emplace(parts[0] << 32 | parts[1], at);
  if (!is_new) known->second = std::min(known->second, at);
}

/// GNU as on ARM: a pool is a table of words. A number of two stands where their number is even, and what is left out
/// there takes the next word alone. Words are shared whether they belong to such a number or not.
SymbolId Streamer::word_literal(LiteralPool& pool, const Value& value, unsigned size, const char* where) {
  const SourceLoc loc = program.sources.loc_of(where);
  const auto append = [&](const Value& word) -> Literal& {
    return pool.literals.emplace_back(
        Literal{.value = word, .size = 4, .label = program.symbols.make_anonymous(), .loc = loc});
  };
  const auto index = [&](u32 at) {
    pool.index.try_emplace(literal_key(program, pool.literals[at].value, 4), at);
    note_double(pool, at & ~1u);
  };
  if (size == 4) {
    const auto found = pool.index.find(literal_key(program, value, 4));
    const bool is_known = found != pool.index.end() && same_literal(program, pool.literals[found->second], value, 4);
    if (is_known && found->second < pool.padding) return pool.literals[found->second].label;
    u32 at = std::exchange(pool.padding, ~u32(0));
    if (at != ~u32(0)) {
      Literal& l = pool.literals[at];
      l = {.value = value, .size = 4, .label = l.label, .loc = loc};
      const auto is_padding = [](const Literal& other) { return other.word == Literal::padding; };
      const auto next = std::find_if(pool.literals.begin() + at, pool.literals.end(), is_padding);
      if (next != pool.literals.end()) pool.padding = u32(next - pool.literals.begin());
    } else {
      at = u32(pool.literals.size());
      append(value);
    }
    index(at);
    return pool.literals[at].label;
  }
  const u64 number = u64(value.constant), first = program.info.big_endian ? number >> 32 : u32(number);
  const u64 second = program.info.big_endian ? u32(number) : number >> 32;
  if (const auto known = pool.doubles.find(first << 32 | second); known != pool.doubles.end())
    return pool.literals[known->second].label;
  if (pool.literals.size() % 2) {
    pool.padding = std::min(pool.padding, u32(pool.literals.size()));
    append({}).word = Literal::padding;
  }
  const u32 at = u32(pool.literals.size());
  append({.constant = i64(first)});
  append({.constant = i64(second)}).word = Literal::second;
  index(at);
  index(at + 1);
  pool.has_doubles = true;
  return pool.literals[at].label;
}

template <class Write>
void Streamer::write_word_pool(LiteralPool& pool, const Write& write) {
  const u8 aligned = std::max<u8>(current_section().log2_align, 2);
  emit_align(pool.has_doubles ? 3 : 2, 1, 0, 0, pool.literals.front().loc);
  current_section().log2_align = aligned;  // of two words GNU as does not tell the section
  map(Mapping::data);                      // again, behind the padding
  for (Literal& l : pool.literals) write(l);
}

void Streamer::write_literals(LiteralPool& pool) {
  const auto align = [&](const Literal& l) { emit_align(unsigned(std::countr_zero(l.size)), 1, 0, 0, l.loc); };
  const auto remember = [&](Literal& l) {
    if (!std::exchange(l.forgotten, false)) return;
    const Symbol forgotten = program.symbols[l.value.add];
    l.value.add = program.symbols.intern(forgotten.name, forgotten.name_size);
    Symbol& s = program.symbols[l.value.add];
    s.flags |= symbol_referenced;
    if (s.loc == 0) s.loc = forgotten.loc;
  };
  const auto write = [&](Literal& l) {
    define_label(l.label, l.loc);
    data_follows();
    remember(l);
    if (program.info.literals.begin_lines && l.word == Literal::own) program.lines.before_literal(*this, l.loc);
    const bool negative = l.value.is_constant() && l.value.constant < 0;
    const auto upper = [&] {
      for (unsigned done = 8; done < l.size; done += 8) emit_int(l.high ? *l.high : negative ? ~u64(0) : 0, 8);
    };
    if (program.info.big_endian) upper();
    emit_value(l.value, std::min(l.size, 8u), l.loc);
    if (!program.info.big_endian) upper();
  };
  if (program.profile.pool_by_size && program.info.literals.are_words) {
    write_word_pool(pool, write);
  } else if (program.profile.pool_by_size) {
    for (unsigned size : {4u, 8u, 16u}) {
      bool aligned = false;
      for (Literal& l : pool.literals) {
        if (l.size != size) continue;
        if (!std::exchange(aligned, true)) align(l);
        write(l);
      }
    }
  } else {
    for (Literal& l : pool.literals) align(l), write(l);
  }
  if (program.profile.pool_stays_known && program.info.literals.are_reused) {
    for (const Literal& l : pool.literals) pool.written.insert_or_assign(literal_key(program, l.value, l.size), l);
  }
  pool.literals.clear();
  pool.index.clear();
  pool.doubles.clear();
  pool.padding = ~u32(0);
  pool.has_doubles = false;
}

void Streamer::flush_literals() {
  if (reserved.watching) [[unlikely]] reserved.close_shadow(*this, "a literal pool", program.sources.statement_loc());
  const u32 subsection = subsection_of_pool();
  if (subsection >= pool_of_.size() || pool_of_[subsection] == no_pool) return;
  LiteralPool& pool = pools_[pool_of_[subsection]];
  if (pool.literals.empty()) return;
  if (current->id != subsection) switch_to(program.sections.sub(subsection));
  write_literals(pool);
}

void Streamer::finish_text() {
  reserved.finish(*this);
  if (program.profile.newest_pool_first) std::ranges::reverse(pools_);
  for (LiteralPool& pool : pools_) {
    if (pool.literals.empty()) continue;
    switch_to(program.sections.sub(pool.subsection));
    write_literals(pool);
  }
  if (mapping != Mapping::off) current_section().mapping = program.as_selected(mapping);
  if (program.maps_implicitly()) map_ends();
}

}  // namespace xas
