// SPDX-License-Identifier: Apache-2.0
// Deciding fixups: which fields are known now, and what relocations the others become.
#pragma once

#include <array>
#include <unordered_map>
#include <vector>

#include "asm/program/program.h"
#include "objwriter/object.h"

namespace xas {

/// GNU as's notion of a label that is not worth keeping; with -L only numbered ones are.
inline bool is_local_name(const Symbol& s, bool keep_locals) {
  if (!s.is_local()) return false;
  if (keep_locals) return s.has(symbol_anonymous);
  return s.has(symbol_temporary) || s.text().starts_with("..") || s.text().starts_with("_.L_");
}

class Fixups {
 public:
  explicit Fixups(Program& program);

  /// Patches what is known of a section into its fixed bytes and appends the relocations of the rest, in the order they
  /// are to be written in. Until the symbol table exists, Reloc::symbol is the assembler's SymbolId.
  /// Branches that can grow get what `write_contents` needs.
  void decide(Section& section, BigVector<obj::Reloc>& relocs);
  /// The same of every section, by its index. They need their fixups no longer, and give them back.
  void decide(std::vector<BigVector<obj::Reloc>>& relocs);

  /// The section stands at this address: what depends on it is known, too.
  void stand_at(u64 address) {
    placed_ = true;
    address_ = address;
  }
  /// For the next text (Encoder): nothing is known of an address, and no symbol has been named.
  void restart() {
    placed_ = false;
    kept_.clear();
  }

  /// A modifier was met that makes GNU as put _GLOBAL_OFFSET_TABLE_ into the symbol table.
  bool got_needed() const { return got_needed_; }
  /// How many relocations of a section `.reloc` has asked for.
  void count_asked(obj::Object& object) const;
  /// .L symbols that relocations name, in the order of these.
  const std::vector<SymbolId>& kept_temporaries() const { return kept_; }

 private:
  /// A field that wants a value.
  struct Field {
    u16 kind;
    u16 modifier;
    u64 place;     ///< its offset in the section (P)
    u8* bytes;
    SourceLoc loc;
    i64 constant;  ///< beside the symbol, as written
    bool has_symbol;
    bool from_got = false;  ///< the modifier was a difference in the text: RelocQuery::from_got
    bool as_local = false;  ///< it names a .weakref alias, which is local whatever its target is
  };

  /// A relocation's number, and what RelocChoice says of its addend.
  struct RelocType {
    u32 number = 0;
    i8 bias = 0;
    bool no_addend = false;
    bool zero_addend = false;
    bool covered = false;
    bool symbol_size = false;
  };

  /// A `.reloc`, its offset found, or a relocation in a Piece.
  struct Directed {
    u64 offset;
    u32 section;
    u32 sub, fragment;  ///< the fragment before which it stands; numbers stand at the section's start
    u32 end;            ///< of the piece that it stands in: fixups behind it come later
    u32 number;         ///< in Program::relocs or CodeView::relocs
    bool comes_first;   ///< before all fixups
    bool in_piece;
  };

  class DirectedFinder;  // directed_relocs.cpp
  void find_directed();
  void relocated_field(const Directed& d, const RelocRecord& r);
  void one(const Subsection& sub, const Fixup& f);
  bool put_distance(const Subsection& sub, const Fixup& f);
  bool relocates(const Field& f);
  void field(Field& f, SymbolId add, SymbolId sub, bool may_resolve);
  void combined(Field& f, SymbolId add, SymbolId sub, bool may_resolve);
  void to_symbol(Field& f, SymbolId id, i64 addend, bool pcrel, bool may_resolve);
  void to_number(Field& f, i64 value, bool pcrel);
  bool is_coff_distance(u16 modifier) const;
  bool at_address(const Field& f, i64 value, bool pcrel);
  bool resolves(const Field& f, const Symbol& s);
  bool fits_in_field(const Field& f, i64 addend);
  /// When the call was read, its target was a label that was neither global nor weak.
  bool was_local_label(const Field& f, SymbolId id) const;
  bool may_name_section(const Symbol& s) const;
  bool use_section_symbol(const RelocQuery& query, const Symbol& s, const Section& to, i64 addend);
  RelocQuery query(const Field& f, bool pcrel) const;
  bool keeps_function(const Field& f, const Symbol& s) const;
  bool kept_difference(Field& f, SymbolId add, SymbolId sub);
  RelocQuery function_query(const Field& f, const Symbol& s, bool pcrel) const;
  void relocate(Field& f, RelocQuery& q, SymbolId symbol, i64 addend);
  bool relocation_type(const RelocQuery& q, RelocType& type, SourceLoc loc);
  i64 symbol_size(SymbolId symbol);
  i64 coff_symbol_value(const Symbol& s, bool pcrel) const;
  void patch(const Field& f, i64 value);
  void branch(Subsection& sub, Fragment& f);
  void directed(const Directed& d);
  void directed(const Directed& d, const Value& value, u32 type, SourceLoc loc);
  void add_to_field(const Directed& d, const Value& v, u32 type, SourceLoc loc);
  bool is_no_symbol(const Symbol& s) const;
  void name(SymbolId id);
  [[gnu::cold]] void problem(const Field& f, std::string message);

  const FixupInfo& info(u16 kind) {
    if (kind >= infos_.size()) load_infos(kind);
    return infos_[kind];
  }
  void load_infos(u16 kind);

  struct CachedChoice {
    u64 key = ~u64(0);
    i64 constant = 0;
    RelocType type;
  };
  static constexpr unsigned cached_choices = 64;

  Program& program_;
  const Profile& profile_;
  BigVector<obj::Reloc>* out_ = nullptr;
  u32 section_ = 0;
  bool rela_;
  bool crel_;         ///< records have the source's addends, of machines whose fields have them otherwise
  i64 in_field_ = 0;  ///< what the newest relocation's field holds
  std::unordered_map<SymbolId, const SizeRecord*> last_sizes_;  ///< of symbols; made when one is asked for
  bool placed_ = false;  ///< address_ is that of the section
  u64 address_ = 0;
  bool got_needed_ = false;
  SymbolId got_symbol_;
  bool coff_value_in_field_ = false;  ///< Profile::coff_value_in_field, where the text is GNU as's
  // COFF: the modifiers of a section's number, of distances from it and from the image's start
  u16 section_index_ = 0, section_relative_ = 0, image_relative_ = 0;
  std::vector<FixupInfo> infos_;
  /// By kind, for fields without modifier, and by the symbol: local, a function (2), a Thumb function (4). The target's
  /// answer; 2: not asked yet.
  std::vector<std::array<u8, 8>> target_resolves_;
  BigVector<Directed> directed_;
  std::vector<SymbolId> kept_;
  CachedChoice choices_[cached_choices];
};

}  // namespace xas
