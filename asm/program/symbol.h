// SPDX-License-Identifier: Apache-2.0
// Symbols: one open-addressing table from names to handles, and a flat array of what is known of each.
#pragma once

#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "objwriter/big_memory.h"
#include "targets/hash.h"
#include "targets/value.h"

namespace xas {

enum class SymbolKind : u8 {
  undefined,
  label,       ///< a place in a subsection
  absolute,    ///< a number
  expression,  ///< stands for a node of the expression pool; resolved after layout
  common,
  register_,  ///< `.set name, %reg`
};

enum class Binding : u8 { unset, local, global, weak, unique };

enum SymbolFlags : u16 {
  symbol_referenced = 1,      ///< used in an expression
  symbol_in_relocation = 2,   ///< a relocation names it: it must be in the symbol table
  symbol_temporary = 4,       ///< .L name: not in the symbol table unless a relocation names it
  symbol_anonymous = 8,       ///< made by the assembler
  symbol_redefinable = 16,    ///< .set and =, as against labels and .equiv
  symbol_weakref = 32,        ///< an alias made by .weakref; `value` is the target's id
  symbol_declared = 64,       ///< a directive named it (.globl, .type, .size, ...)
  symbol_local_common = 128,  ///< .local before .comm
  symbol_section = 256,       ///< stands for its section (STT_SECTION)
  symbol_large_common = 512,
  symbol_weakly_referenced = 1024,  ///< a .weakref alias of it was used
  symbol_sized = 2048,              ///< .size named it
  symbol_operand = 4096,  ///< .L symbol that note_temporary has seen; of symbol_section: another section has the name
  symbol_coff_default = 8192,    ///< COFF: stands for what a weak symbol is by default
  symbol_lto_discarded = 16384,  ///< .lto_discard: it is neither defined nor declared
  symbol_equation = 32768,       ///< .eqv and ==: Reader::equations has its text, which is read at every use
};

struct Symbol {
  const char* name = nullptr;  ///< not terminated
  u32 name_size = 0;
  u32 where = 0;    ///< label: id of the subsection
  u64 value = 0;    ///< label: fixed bytes before it in its subsection; absolute: the number; expression: the node;
                    ///< common: size in bytes; register_: its number
  u32 fragment = 0;     ///< label: fragments before it in its subsection; common: alignment in bytes
  SourceLoc loc = 0;    ///< definition, or first reference; 0: an option or xas itself defined it
  SymbolKind kind = SymbolKind::undefined;
  Binding binding = Binding::unset;
  u8 type = 0;      ///< STT_*; COFF: weak_search()
  u8 other = 0;     ///< STV_* and target bits (st_other); COFF: storage_class()
  u16 flags = 0;
  u16 coff_type = 0;  ///< of COFF symbols

  // What COFF keeps where ELF has something else.
  u8& storage_class() { return other; }  ///< IMAGE_SYM_CLASS_*
  u8 storage_class() const { return other; }
  u8& weak_search() { return type; }  ///< IMAGE_WEAK_EXTERN_*: where linkers look for a weak symbol
  u8 weak_search() const { return type; }

  std::string_view text() const { return {name, name_size}; }
  /// Its name stands at `at`: where an undefined symbol is first said to be.
  void mention(SourceLoc at) {
    if (loc == 0 && !is_defined()) loc = at;
  }
  bool is_defined() const { return kind != SymbolKind::undefined; }
  /// Nothing has made it global or weak.
  bool is_local() const { return binding == Binding::unset || binding == Binding::local; }
  /// It stands in this subsection, behind `pos` fixed bytes and so many fragments.
  void become_label(u32 subsection, u64 pos, u32 fragments) {
    kind = SymbolKind::label;
    where = subsection;
    value = pos;
    fragment = fragments;
  }
  bool has(SymbolFlags f) const { return flags & f; }
  /// Stands for a section whose name another one had before.
  bool is_later_section() const { return has(symbol_section) && has(symbol_operand); }
};
static_assert(sizeof(Symbol) <= 40);

class SymbolTable {
 public:
  /// Makes room for about this many names, so that the table need not grow.
  void reserve(std::size_t names);

  /// Handle of a name, made if it is new. `name.p` must live as long as the table (source text does), and 16 more bytes
  /// must be readable behind it.
  SymbolId intern(const Name& name);
  /// The same for a name that has not been hashed; most need no hash.
  SymbolId intern(const char* p, u32 size);
  /// The same for a name of ".L", letters and a number, up to a character that ends names; gives its size. no_symbol
  /// if there is none at p, or it is the first of its kind: then it may have a handle all the same.
  SymbolId intern_numbered(const char* p, u32& size);
  /// The same, but a name that is a number without a handle (`define_number`) gets none: then this is no_symbol, and
  /// `number` what it stands for; else that is null.
  SymbolId intern_numbered(const char* p, u32& size, const u32*& number);
  /// The place that is kept for a numbered name that has not been met, for define_number; 0 if it is another.
  u32 place_of_unmet(const char* p, u32& size);
  /// The name stands for this number. It becomes a symbol when something asks for its handle: of the view numbers of
  /// GCC, one for each line of code, most are not named again.
  void define_number(u32 place, u32 number, SourceLoc loc) {
    make_room(numbers_);
    numbers_.emplace_back(number, loc, place);
    pages_[place - 1] = is_number | u32(numbers_.size() - 1);
  }
  /// Copies the name if it is new.
  SymbolId intern_copy(std::string_view name);
  /// no_symbol if there is none. The name must be padded as for `intern`.
  SymbolId find(const Name& name) const;
  SymbolId find(std::string_view name) const;
  /// A symbol without a name.
  SymbolId make_anonymous();

  Symbol& operator[](SymbolId id) { return symbols_[id]; }
  const Symbol& operator[](SymbolId id) const { return symbols_[id]; }
  u32 size() const { return u32(symbols_.size()); }
  /// It will be looked at soon. Symbols of a big input don't fit in caches, and passes over fixups know early what
  /// comes.
  void prefetch(SymbolId id) const {
    if (id < symbols_.size()) __builtin_prefetch(&symbols_[id]);
  }
  /// The name gets a new handle with the same attributes; the old handle keeps the old value for those that refer to
  /// it, and is not listed any more. This is how `.set x, 1` ... `.set x, 2` gives each use its own value.
  SymbolId rebind(SymbolId old);
  /// The newest name is forgotten again. Its handle keeps the text, and is a symbol without a name.
  void forget_last();
  /// Forgets all symbols but the first `size`, and all numbers, as if they had never been met. Nothing may refer to
  /// them any more.
  void truncate(u32 size);
  /// The name, which is in no series, counts as not met yet. The next reference to it gets a handle of its own, and
  /// both are noted in `recalled`.
  void forget(SymbolId id);
  /// Names that were forgotten are met now.
  void recall_all();
  std::vector<std::pair<SymbolId, SymbolId>> recalled;  ///< what was forgotten, and its handle now
  /// Calls f(handle, name) for each numbered name that has a handle; name() is its text.
  template <class F>
  void for_each_numbered(const F& f) const {
    for (const Series& series : series_) {
      for (u32 page = 0; page < series.pages.size(); ++page) {
        if (series.pages[page] == 0) continue;
        for (u32 i = 0; i < u32(1) << series.page_log2; ++i) {
          const u32 known = pages_[series.pages[page] - 1 + i];
          if (known == 0 || (known & is_number)) continue;
          f(known - 1, [&] { return numbered_name(series, (page << series.page_log2) + i); });
        }
      }
    }
  }
  /// No name is looked up from here on: gives back what only that needs, if it is much.
  void end_lookup();
  /// A copy of text, and a NUL behind it, that lives as long as the table. 16 more bytes can be read.
  std::string_view keep(std::string_view text);
  void clear();

  bool numbers_are_listed = false;  ///< all that are met have handles: they are in the symbol table (-L)
  bool copies_names = false;        ///< names that may be asked for are copied: the text is not going to stay in memory
  bool dot_l_temporary = true;     ///< .L names are temporary
  bool plain_l_temporary = false;  ///< L names are
  bool bfd_temporary = false;      ///< .. and _.L_ names are
  bool dot_x_temporary = false;    ///< .X names are, if those are
  bool dollar_m_temporary = false; ///< $M names are

 private:
  struct Slot {
    u64 hash;
    u32 id;
    NameKey key;  ///< 0: the slot is free

    bool holds(const Name& name, NameKey with_key, const BigVector<Symbol>& symbols) const;
  };
  /// The names that differ in the number at their end: .LVL1, .LVL2, ...; .LBB12_1, .LBB12_2, ...
  struct Series {
    u64 prefix[2];  ///< the characters between ".L" and the number, zeros behind
    u32 end;                 ///< numbers below it are kept so; others hashed
    u32 page_log2;           ///< numbers of a page
    std::vector<u32> pages;  ///< by number >> page_log2: where the page begins in pages_, plus one
  };
  /// A name that stands for a number and has no handle.
  struct Number {
    u32 value;
    SourceLoc loc;  ///< definition
    u32 place;      ///< in pages_, plus one
  };
  static constexpr u32 is_number = u32(1) << 31;  ///< in pages_: the rest counts numbers_
  static constexpr u8 first_series_log2 = 7;  ///< size of series_index_ in the beginning
  /// So many series take all numbers, in big pages; the rest, and those of functions (with a '_' before the number),
  /// only small ones, so that none takes much memory.
  static constexpr u32 max_long_series = 64;
  static constexpr u32 short_series_end = 512;
  static constexpr u32 long_page_log2 = 6, short_page_log2 = 4;

  void grow(std::size_t slots);
  bool is_bfd_local(std::string_view name) const;
  SymbolId add(const char* p, u32 size);
  SymbolId intern_hashed(const Name& name);
  u32* numbered_at(const char* p, u32& size);
  void make_symbol(u32& known, const char* p, u32 size);
  void recall(SymbolId id);
  Slot* slot_of(SymbolId id);
  /// Where the handle of a numbered name is kept, plus one; null if it is not kept so, or (without `make`) not known.
  u32* numbered(const char* p, u32 size, bool make);
  u64 series_slot(const u64 (&prefix)[2]) const {
    return ((prefix[0] + 3 * prefix[1]) * hash_multiplier) >> series_shift_;
  }
  u64 next_series_slot(u64 slot) const { return slot + 1 == series_index_.size() ? 0 : slot + 1; }
  /// The series with this prefix; null if there is none.
  Series* find_series(const u64 (&prefix)[2]) {
    for (u64 slot = series_slot(prefix);; slot = next_series_slot(slot)) {
      if (series_index_[slot] == 0) return nullptr;
      Series& series = series_[series_index_[slot] - 1];
      if (series.prefix[0] == prefix[0] && series.prefix[1] == prefix[1]) [[likely]] return &series;
    }
  }
  Series* add_series(const u64 (&prefix)[2]);
  static std::string numbered_name(const Series& series, u32 number);
  void index_series(u32 number);
  void add_page(Series& series, u32 page);

  BigVector<Symbol> symbols_;
  ZeroedMemory slot_memory_;
  Slot* slots_ = nullptr;
  u64 mask_ = 0;
  u64 used_ = 0;
  std::vector<Series> series_;
  u32 long_series_ = 0;  ///< how many there are
  u8 series_shift_ = 64 - first_series_log2;
  /// By hash of the prefix: the series, plus one.
  std::vector<u32> series_index_ = std::vector<u32>(1 << first_series_log2);
  BigVector<u32> pages_;  ///< handles, plus one, or is_number
  BigVector<Number> numbers_;
  std::vector<std::unique_ptr<char[]>> copies_;  ///< blocks of memory for names that are kept
  char* next_copy_ = nullptr;
  std::size_t copies_left_ = 0;  ///< bytes from there
  std::unordered_map<std::string_view, SymbolId> forgotten_;
};

}  // namespace xas
