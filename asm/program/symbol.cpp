// SPDX-License-Identifier: Apache-2.0
// The symbol table. Two structures, and a name is always in the same one:
//
// - Names that compilers number (.LVL120, .Ltmp7: ".L" and up to sixteen characters, with a number of up to seven
//   digits at the end) are found by their number, in pages of handles. With 400,000 symbols, cache misses are what
//   look-ups cost, and here 16 neighbours share a line.
// - All others by linear probing over slots that hold the whole hash. A look-up of a short name touches neither the
//   symbol nor its text (see targets/hash.h).
#include "asm/program/symbol.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "asm/text/byte_masks.h"
#include "asm/text/digits.h"

namespace xas {

namespace {

constexpr u64 first_slots = 256;
constexpr u32 max_digits = 7;  ///< of the number of a numbered name

}  // namespace

inline bool SymbolTable::Slot::holds(const Name& name, NameKey with_key, const BigVector<Symbol>& symbols) const {
  if (hash != name.hash || key != with_key) return false;
  return key.is_exact() || std::memcmp(symbols[id].name, name.p, name.size) == 0;
}

void SymbolTable::reserve(std::size_t names) {
  constexpr u64 usual_slots = 1 << 14;  // more are for texts that turn out to need them
  u64 slots = first_slots;
  while (slots < std::min<u64>(names / 12, usual_slots)) slots *= 2;  // most names of big inputs are numbered
  if (!slots_ || slots > mask_ + 1) grow(slots);
  symbols_.reserve(names);
}

namespace {

/// Where a name goes whose slot is taken. Names with consecutive hashes (hash.h) stand in up to eight slots side by
/// side: one that meets such a group is behind it at once.
constexpr u64 probe_step = 9;
constexpr u64 steps_per_slot = 0x8E38E38E38E38E39;  ///< of steps that come to the next slot, with all wrapping around
static_assert(probe_step * steps_per_slot == 1);

}  // namespace

void SymbolTable::grow(std::size_t slots) {
  ZeroedMemory memory(slots * sizeof(Slot));
  Slot* const fresh = static_cast<Slot*>(memory.get());
  if (!fresh) throw std::bad_alloc();
  const u64 mask = slots - 1;
  if (slots_) {
    for (u64 i = 0; i <= mask_; ++i) {
      const Slot& s = slots_[i];
      if (!s.key.bits) continue;
      u64 at = s.hash & mask;
      while (fresh[at].key.bits) at = (at + probe_step) & mask;
      fresh[at] = s;
    }
  }
  slot_memory_ = std::move(memory);
  slots_ = fresh;
  mask_ = mask;
}

/// BFD's local labels beside .L, which some compilers have made.
inline bool SymbolTable::is_bfd_local(std::string_view name) const {
  return name.starts_with("..") || name.starts_with("_.L_") || (dot_x_temporary && name.starts_with(".X"));
}

inline SymbolId SymbolTable::add(const char* p, u32 size) {
  const SymbolId id = SymbolId(symbols_.size());
  Symbol& s = symbols_.emplace_back();
  s.name = p;
  s.name_size = size;
  if (size >= 2 && p[0] == '.' && p[1] == 'L') {
    if (dot_l_temporary) s.flags = symbol_temporary;
  } else if (dollar_m_temporary ? p[0] == '$' && p[1] == 'M' : plain_l_temporary && p[0] == 'L') {
    s.flags = symbol_temporary;
  } else if (bfd_temporary && is_bfd_local({p, size})) {
    s.flags = symbol_temporary;
  }
  return id;
}

static inline bool split(const char* p, u32 name_size, u64 (&prefix)[2], u32& number) {
  constexpr u32 max_size = 16;
  const char* const start = p + 2;
  const u32 size = name_size - 2;  // of what stands behind ".L"
  if (name_size < 3 || size > max_size || p[0] != '.' || p[1] != 'L') return false;
  const auto low_bytes = [](u64 word, u32 n) { return n >= 8 ? word : word & ((u64(1) << (8 * n)) - 1); };

  u32 digits = 0;  // how many stand at the end
#if defined(__SSE2__)
  const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(start));
  const __m128i beyond = _mm_subs_epu8(_mm_sub_epi8(c, _mm_set1_epi8('0')), _mm_set1_epi8(9));
  const u32 is_digit = u32(_mm_movemask_epi8(_mm_cmpeq_epi8(beyond, _mm_setzero_si128())));
  digits = u32(std::countl_one(is_digit << (32 - size)));
#else
  while (digits < size && u8(start[size - digits - 1] - '0') <= 9) ++digits;
#endif
  const u32 letters = size - digits;
  if (digits == 0 || digits > max_digits || (start[letters] == '0' && digits > 1)) return false;

  number = value_of_digits(eight_characters(start + letters) << (64 - 8 * digits));
  prefix[0] = low_bytes(eight_characters(start), letters);
  prefix[1] = letters > 8 ? low_bytes(eight_characters(start + 8), letters - 8) : 0;
  return true;
}

[[gnu::noinline]] SymbolTable::Series* SymbolTable::add_series(const u64 (&prefix)[2]) {
  const u64 end = prefix[prefix[1] != 0];  // of the prefix: its last character is the highest that is not zero
  const bool is_function = end != 0 && (end >> (63 - std::countl_zero(end)) / 8 * 8) == '_';
  const bool is_long = !is_function && long_series_ < max_long_series;
  long_series_ += is_long;
  series_.push_back({.prefix = {prefix[0], prefix[1]},
                     .end = is_long ? ~u32(0) : short_series_end,
                     .page_log2 = is_long ? long_page_log2 : short_page_log2,
                     .pages = {}});
  if (2 * series_.size() > series_index_.size()) {
    series_index_.assign(2 * series_index_.size(), 0);
    --series_shift_;
    for (u32 i = 0; i + 1 < series_.size(); ++i) index_series(i);
  }
  index_series(u32(series_.size() - 1));
  return &series_.back();
}

std::string SymbolTable::numbered_name(const Series& series, u32 number) {
  std::string name = ".L";
  for (unsigned i = 0; i < sizeof series.prefix; ++i)
    if (const char c = char(series.prefix[i / 8] >> 8 * (i % 8))) name += c;
  return name + std::to_string(number);
}

void SymbolTable::index_series(u32 number) {
  u64 slot = series_slot(series_[number].prefix);
  while (series_index_[slot]) slot = next_series_slot(slot);
  series_index_[slot] = number + 1;
}

[[gnu::noinline]] void SymbolTable::add_page(Series& series, u32 page) {
  if (page >= series.pages.size()) {
    series.pages.resize(std::max<std::size_t>(page + 1, std::min<std::size_t>(2 * series.pages.size(), 1 << 18)));
  }
  if (series.pages[page]) return;
  series.pages[page] = u32(pages_.size()) + 1;
  make_room(pages_, std::size_t(1) << series.page_log2);
  pages_.resize(pages_.size() + (u32(1) << series.page_log2));
}

inline u32* SymbolTable::numbered(const char* p, u32 size, bool make) {
  u64 prefix[2];
  u32 number;
  if (!split(p, size, prefix, number)) return nullptr;
  Series* series = find_series(prefix);
  if (!series) {
    if (!make) return nullptr;
    series = add_series(prefix);
  }
  const u32 page = number >> series->page_log2;
  if (page >= series->pages.size() || series->pages[page] == 0) [[unlikely]] {
    if (!make || number >= series->end) return nullptr;
    add_page(*series, page);
  }
  u32& known = pages_[series->pages[page] - 1 + (number & ((u32(1) << series->page_log2) - 1))];
  if (known & is_number) [[unlikely]]
    make_symbol(known, p, size);
  return &known;
}

/// A number's name gets a handle.
[[gnu::noinline]] void SymbolTable::make_symbol(u32& known, const char* p, u32 size) {
  const Number number = numbers_[known & ~is_number];
  const SymbolId id = add(keep({p, size}).data(), size);
  symbols_[id].kind = SymbolKind::absolute;
  symbols_[id].value = number.value;
  symbols_[id].loc = number.loc;
  known = id + 1;
}

/// Where the handle of the numbered name at p is kept. Null if there is none; with a size if it is kept elsewhere.
[[gnu::always_inline]] inline u32* SymbolTable::numbered_at([[maybe_unused]] const char* p, u32& size) {
  size = 0;
#if defined(__SSE2__)
  constexpr u64 ends = u64(1) << ' ' | u64(1) << '\t' | u64(1) << '\n' | u64(1) << ':' | u64(1) << ',' | u64(1) << '-' |
                       u64(1) << '+' | u64(1) << ')';
  if (p[0] != '.' || p[1] != 'L') return nullptr;
  const char* const start = p + 2;
  const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(start));
  const __m128i beyond = _mm_subs_epu8(_mm_sub_epi8(c, _mm_set1_epi8('0')), _mm_set1_epi8(9));
  const u32 is_digit = u32(_mm_movemask_epi8(_mm_cmpeq_epi8(beyond, _mm_setzero_si128())));
  if (is_digit == 0) return nullptr;
  constexpr u32 no_digit = 1 << 16;
  u32 letters = u32(std::countr_zero(is_digit));
  u32 digits = u32(std::countr_zero(~(is_digit >> letters) | no_digit));
  if (start[letters + digits] == '_') {  // .LBB12_34
    letters += digits + 1;
    digits = u32(std::countr_zero(~(is_digit >> letters) | no_digit));
  }
  const char* const first = start + letters;
  const u8 behind = u8(first[digits]);
  if (letters + digits >= 16 || digits - 1 >= max_digits || behind >= 64 || !(ends >> behind & 1)) return nullptr;
  if (*first == '0' && digits > 1) return nullptr;
  u64 prefix[2];
  _mm_storeu_si128(reinterpret_cast<__m128i*>(prefix), first_bytes(c, letters));
  const Series* const series = find_series(prefix);
  if (!series) return nullptr;
  const u32 number = value_of_digits(eight_characters(first) << (64 - 8 * digits));
  const u32 page = number >> series->page_log2;
  size = 2 + letters + digits;
  if (page >= series->pages.size() || series->pages[page] == 0) [[unlikely]]
    return nullptr;
  return &pages_[series->pages[page] - 1 + (number & ((u32(1) << series->page_log2) - 1))];
#else
  return nullptr;
#endif
}

SymbolId SymbolTable::intern_numbered(const char* p, u32& size) {
  u32* const known = numbered_at(p, size);
  if (!known) [[unlikely]]
    return size ? intern(p, size) : no_symbol;
  if (*known == 0)
    *known = add(p, size) + 1;
  else if (*known & is_number) [[unlikely]]
    make_symbol(*known, p, size);
  return *known - 1;
}

SymbolId SymbolTable::intern_numbered(const char* p, u32& size, const u32*& number) {
  u32* const known = numbered_at(p, size);
  number = nullptr;
  if (!known) [[unlikely]]
    return size ? intern(p, size) : no_symbol;
  if (*known & is_number) return number = &numbers_[*known & ~is_number].value, no_symbol;
  if (*known == 0) *known = add(p, size) + 1;
  return *known - 1;
}

u32 SymbolTable::place_of_unmet(const char* p, u32& size) {
  if (numbers_are_listed) return 0;
  u32* known = numbered_at(p, size);
  if (!known && size) [[unlikely]]
    known = numbered(p, size, true);  // the first of its page
  return known && *known == 0 ? u32(known - pages_.data()) + 1 : 0;
}

SymbolId SymbolTable::intern(const char* p, u32 size) {
  if (u32* known = numbered(p, size, true)) {
    if (*known == 0) *known = add(p, size) + 1;
    return *known - 1;
  }
  return intern_hashed({p, size, hash_name_padded(p, size)});
}

SymbolId SymbolTable::intern(const Name& name) {
  if (u32* known = numbered(name.p, name.size, true)) {
    if (*known == 0) *known = add(name.p, name.size) + 1;
    return *known - 1;
  }
  return intern_hashed(name);
}

[[gnu::noinline]] SymbolId SymbolTable::intern_hashed(const Name& name) {
  if (2 * (used_ + 1) > mask_ || !slots_) grow(slots_ ? 2 * (mask_ + 1) : first_slots);
  const NameKey key(name.p, name.size);
  for (u64 at = name.hash & mask_;; at = (at + probe_step) & mask_) {
    Slot& slot = slots_[at];
    if (slot.holds(name, key, symbols_)) return slot.id;
    if (slot.key.bits == 0) {
      ++used_;
      slot = {name.hash, add(copies_names ? keep(name.text()).data() : name.p, name.size), key};
      const SymbolId id = slot.id;
      if (!forgotten_.empty()) [[unlikely]]
        recall(id);
      return id;
    }
  }
}

SymbolId SymbolTable::find(const Name& name) const {
  if (const u32* known = const_cast<SymbolTable*>(this)->numbered(name.p, name.size, false)) return *known - 1;
  if (!slots_) return no_symbol;
  const NameKey key(name.p, name.size);
  for (u64 at = name.hash & mask_;; at = (at + probe_step) & mask_) {
    const Slot& slot = slots_[at];
    if (slot.holds(name, key, symbols_)) return slot.id;
    if (slot.key.bits == 0) return no_symbol;
  }
}

SymbolId SymbolTable::find(std::string_view name) const {
  constexpr std::size_t short_size = 32, padding = 16;
  if (name.size() > short_size) return find(Name{name.data(), u32(name.size()), hash_name(name)});  // no numbered name
  char padded[short_size + padding] = {};
  std::memcpy(padded, name.data(), name.size());
  return find(Name{padded, u32(name.size()), hash_name(name)});
}

std::string_view SymbolTable::keep(std::string_view name) {
  constexpr std::size_t padding = 16, chunk = 16 << 10;
  const std::size_t size = name.size() + 1;
  if (size + padding > copies_left_) {
    copies_left_ = std::max(size + padding, chunk);
    copies_.push_back(std::make_unique_for_overwrite<char[]>(copies_left_));
    next_copy_ = copies_.back().get();
  }
  char* const copy = next_copy_;
  std::memcpy(copy, name.data(), name.size());
  copy[name.size()] = 0;
  next_copy_ += size;
  copies_left_ -= size;
  return {copy, name.size()};
}

SymbolId SymbolTable::intern_copy(std::string_view name) {
  const SymbolId known = find(name);
  if (known != no_symbol) return known;
  return intern(keep(name).data(), u32(name.size()));
}

SymbolId SymbolTable::make_anonymous() {
  const SymbolId id = SymbolId(symbols_.size());
  Symbol& s = symbols_.emplace_back();
  s.name = "";
  s.flags = symbol_anonymous | symbol_temporary;
  return id;
}

SymbolId SymbolTable::rebind(SymbolId old) {
  const SymbolId id = SymbolId(symbols_.size());
  const Symbol copy = symbols_[old];
  const u64 hash = hash_name(copy.text());
  symbols_.push_back(copy);
  symbols_[old].flags |= symbol_anonymous | symbol_temporary;
  if (u32* known = numbered(copy.name, copy.name_size, false)) {
    *known = id + 1;
    return id;
  }
  for (u64 at = hash & mask_;; at = (at + probe_step) & mask_) {
    if (slots_[at].id == old && slots_[at].key.bits) {
      slots_[at].id = id;
      return id;
    }
  }
}

namespace {

/// Takes a name out, and moves up those behind it that could not have the slot they wanted: a mark in its place would
/// have to be passed by all later searches, and a name that is forgotten again and again leaves many.
template <class Slot>
void vacate(Slot* slots, u64 mask, u64 at) {
  const auto steps = [mask](u64 from, u64 to) { return (to - from) * steps_per_slot & mask; };
  for (u64 next = (at + probe_step) & mask; slots[next].key.bits; next = (next + probe_step) & mask) {
    if (steps(slots[next].hash, next) < steps(at, next)) continue;
    slots[at] = slots[next];
    at = next;
  }
  slots[at].key = {};
}

}  // namespace

void SymbolTable::forget_last() {
  const SymbolId id = SymbolId(symbols_.size() - 1);
  Symbol& s = symbols_[id];
  s.flags |= symbol_anonymous | symbol_temporary;
  if (u32* known = numbered(s.name, s.name_size, false)) {
    *known = 0;
    return;
  }
  if (Slot* const slot = slot_of(id)) {
    vacate(slots_, mask_, u64(slot - slots_));
    --used_;
  }
}

void SymbolTable::truncate(u32 size) {
  for (const Number& number : numbers_) pages_[number.place - 1] = 0;
  numbers_.clear();
  while (symbols_.size() > size) {
    forget_last();
    symbols_.pop_back();
  }
}

void SymbolTable::forget(SymbolId id) {
  if (Slot* const slot = slot_of(id)) {
    vacate(slots_, mask_, u64(slot - slots_));
    --used_;
    forgotten_.emplace(symbols_[id].text(), id);
  }
}

/// Null if the name is kept elsewhere, or forgotten.
SymbolTable::Slot* SymbolTable::slot_of(SymbolId id) {
  for (u64 at = hash_name(symbols_[id].text()) & mask_; slots_[at].key.bits; at = (at + probe_step) & mask_) {
    if (slots_[at].id == id) return &slots_[at];
  }
  return nullptr;
}

void SymbolTable::recall(SymbolId id) {
  const auto known = forgotten_.find(symbols_[id].text());
  if (known == forgotten_.end()) return;
  recalled.emplace_back(known->second, id);
  forgotten_.erase(known);
}

void SymbolTable::recall_all() {
  std::vector<SymbolId> in_order;
  for (const auto& [name, id] : forgotten_) in_order.push_back(id);
  std::sort(in_order.begin(), in_order.end());
  for (SymbolId id : in_order) {
    const Symbol& s = symbols_[id];
    intern_hashed({s.name, s.name_size, hash_name(s.text())});
  }
}

void SymbolTable::end_lookup() {
  if ((mask_ + 1) * sizeof(Slot) < min_big_array) return;
  slot_memory_ = {};
  slots_ = nullptr;
  mask_ = used_ = 0;
}

void SymbolTable::clear() {
  forgotten_.clear();
  recalled.clear();
  symbols_.clear();
  copies_.clear();
  copies_left_ = 0;
  series_.clear();
  long_series_ = 0;
  pages_.clear();
  numbers_.clear();
  copies_names = false;
  std::fill(std::begin(series_index_), std::end(series_index_), 0);
  if (slots_) std::memset(static_cast<void*>(slots_), 0, (mask_ + 1) * sizeof(Slot));
  used_ = 0;
}

}  // namespace xas
