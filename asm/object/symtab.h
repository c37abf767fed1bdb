// SPDX-License-Identifier: Apache-2.0
// Choosing and ordering the symbols of the object.
#pragma once

#include <vector>

#include "asm/object/emit.h"

namespace xas {

class SymbolTableMaker {
 public:
  SymbolTableMaker(Program& program, obj::Object& object, ObjectStorage& storage)
      : program_(program), object_(object), storage_(storage) {}

  /// Aliases become what they stand for: labels or numbers. Done before fixups are decided.
  void resolve_expressions();
  /// Fills Object::symbols. `kept` are the .L symbols that relocations name, in the order of those.
  void make(const std::vector<SymbolId>& kept);
  /// Position of a symbol in Object::symbols; obj::none if it is not listed.
  u32 index_of(SymbolId id) const { return index_[id]; }

 private:
  class Walk;

  void apply_versions();
  void hide_versioned();
  void apply_aliases();
  void apply_sizes();
  void keep_names();
  bool is_listed(const Symbol& s) const;
  bool stays_in_group(const Symbol& s) const;
  bool waits_for_end(const Symbol& s) const;
  bool is_listed_as_operand(SymbolId id) const;
  bool waits_for_other_locals(SymbolId id) const;
  u8 binding_of(const Symbol& s) const;
  u8 type_of(const Symbol& s) const;
  void put(SymbolId id);
  void put_other_sections();
  std::vector<bool> take_replaced();
  void link_signatures();
  void put_later_sections(const std::vector<SymbolId>& kept);
  void put_kept_labels(const std::vector<SymbolId>& kept);
  void put_kept(SymbolId id);
  void put_branch_targets();
  void put_all_kept(const std::vector<SymbolId>& kept);
  std::vector<bool> take_late();
  void list(const std::vector<SymbolId>& kept);
  void put_file(const FileSymbol& f);
  std::vector<NumericInstance>::const_iterator numeric_label(SymbolId id) const;
  std::string numeric_name(SymbolId id) const;
  void check(const Symbol& s);

  Program& program_;
  obj::Object& object_;
  ObjectStorage& storage_;
  std::vector<u32> index_;
  std::vector<std::pair<SymbolId, SymbolId>> replaced_;  ///< by .symver: old, new
  std::vector<SymbolId> unused_;  ///< have a version, are not defined, and no relocation names them
  std::vector<std::pair<SymbolId, std::string_view>> renamed_;
};

}  // namespace xas
