// SPDX-License-Identifier: Apache-2.0
// Choosing and ordering the symbols of an object for Windows.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "asm/object/emit.h"
#include "objwriter/coff_constants.h"

namespace xas {

class CoffSymbolTable {
 public:
  CoffSymbolTable(Program& program, obj::Object& object, ObjectStorage& storage)
      : program_(program), object_(object), storage_(storage) {
    index_.assign(program.symbols.size(), obj::none);
    for (const Alias& alias : program.records.aliases)
      if (alias.plain && serves_weak(alias.base)) bases_.try_emplace(alias.symbol, alias.base);
  }

  void make() { program_.profile.coff_symbols_by_reference ? make_gnu() : make_llvm(); }
  /// Position in Object::coff_symbols; obj::none if it is not listed.
  u32 index_of(SymbolId id) const { return index_[id]; }
  std::vector<u32> record_numbers() const {
    std::vector<u32> numbers;
    u32 records = 0;
    for (const obj::CoffSymbol& s : object_.coff_symbols) {
      numbers.push_back(records);
      records += s.aux == obj::CoffSymbol::Aux::none ? 1 : 2;
    }
    return numbers;
  }

 private:
  static bool is_function(const Symbol& s) { return coff::is_function_type(s.coff_type); }
  bool is_weak(const Symbol& s) const { return s.binding == Binding::weak; }
  bool is_external(const Symbol& s) const {
    return s.binding == Binding::global || s.binding == Binding::weak || s.kind == SymbolKind::undefined ||
           s.kind == SymbolKind::common;
  }
  u32 section_of(const Symbol& s) const { return program_.sections.sub(s.where).section; }
  /// The section is the one that belongs to its COMDAT symbol.
  static bool names_comdat(const Section& s) {
    return s.group != no_symbol && s.selection != coff::IMAGE_COMDAT_SELECT_ASSOCIATIVE;
  }

  /// Where it is and what its value is.
  void place(obj::CoffSymbol& o, const Symbol& s) const {
    o.section = obj::section_undefined;
    o.value = 0;
    if (s.kind == SymbolKind::label) {
      o.section = section_of(s);
      o.value = program_.sections.sub(s.where).offset(s.value, s.fragment);
    } else if (s.kind == SymbolKind::absolute) {
      o.section = obj::section_absolute;
      o.value = s.value;
    } else if (s.kind == SymbolKind::common) {
      o.value = s.value;
    }
  }
  std::string_view keep(std::string text) { return storage_.names.emplace_back(std::move(text)); }
  u32 add(obj::CoffSymbol symbol) {
    object_.coff_symbols.push_back(symbol);
    return u32(object_.coff_symbols.size() - 1);
  }
  obj::CoffSymbol section_symbol(u32 section, bool aux = true) const {
    return {.name = program_.sections[section].name,
            .section = section,
            .storage_class = coff::IMAGE_SYM_CLASS_STATIC,
            .aux = aux ? obj::CoffSymbol::Aux::section : obj::CoffSymbol::Aux::none};
  }
  bool is_referenced(const Symbol& s) const {
    return s.is_defined() || (s.flags & (symbol_referenced | symbol_declared | symbol_in_relocation));
  }

  // llvm-mc

  void make_llvm();
  void put_llvm(SymbolId id);
  void put_offset_labels(u32 section);
  void put_llvm_weak(SymbolId id, obj::CoffSymbol& o);
  u32 reserve(SymbolId id) {
    if (index_[id] == obj::none) index_[id] = add({.name = program_.symbols[id].text()});
    return index_[id];
  }
  void name_llvm_defaults();

  // GNU as

  /// An entry of the list before it is divided; exactly one of the three is meant.
  struct Entry {
    SymbolId symbol = no_symbol;
    u32 section = obj::none;
    u32 sdb = obj::none;
    bool comdat = false;  ///< the symbol is that of the COMDAT whose section's stands before it
  };
  static constexpr unsigned ranks = 3, unlisted = ranks;
  struct Made {
    obj::CoffSymbol symbol;
    Entry entry;
    unsigned rank;
    bool is_listed() const { return rank != unlisted; }
  };
  void make_gnu();
  class GnuList;
  void put_files_gnu();
  bool listed_gnu(const Symbol& s) const;
  Made make_entry(const Entry& e, std::string_view& unique);
  static bool is_defined_function(const Symbol& s);
  bool is_plain_function(const Made& m) const;  ///< defined, listed, and without a record yet
  void put_first_function_record(std::vector<Made>& made);
  std::vector<SdbEntry> sdb_entries(const std::vector<Made>& made) const;
  void put_sdb_records(std::vector<Made>& made);
  void list_for_listing(const std::vector<Made>& made);
  obj::CoffSymbol gnu_symbol(SymbolId id) const;
  obj::CoffSymbol sdb_symbol(const SdbSymbol& d) const;
  obj::CoffSymbol gnu_default(SymbolId id, std::string_view unique);
  bool serves_weak(SymbolId base) const;
  SymbolId weak_alias_target(SymbolId id) const;

  Program& program_;
  obj::Object& object_;
  ObjectStorage& storage_;
  std::vector<u32> index_;
  std::unordered_map<SymbolId, SymbolId> bases_;  ///< of aliases, where a weak one would stand for its base
  std::vector<u32> defaults_;  ///< invented symbols, in their order
};

}  // namespace xas
