// SPDX-License-Identifier: Apache-2.0
// Relocations that are asked for: .reloc, and those in pieces. Each has a place in a section, and is listed
// between those of fixups, before the first one behind it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "asm/object/fixup.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// So many bytes of a subsection at an offset in its section; null if they are not all there, between two fragments.
static u8* fixed_bytes(const Subsection& sub, u64 offset, u64 size) {
  const auto ends_before = [&](const Fragment& f) { return sub.offset(f) <= offset; };
  const auto behind = std::partition_point(sub.fragments.begin(), sub.fragments.end(), ends_before);
  const u64 pos = offset - sub.base -
                  (behind == sub.fragments.end() ? sub.growth : sub.before[u32(behind - sub.fragments.begin())]);
  const u64 start = behind == sub.fragments.begin() ? 0 : (behind - 1)->pos;
  const u64 end = behind == sub.fragments.end() ? sub.size : behind->pos;
  return offset >= sub.base && pos >= start && pos <= end && end - pos >= size ? sub.data + pos : nullptr;
}

/// Finds where they stand.
class Fixups::DirectedFinder {
 public:
  DirectedFinder(Program& program, BigVector<Directed>& found)
      : program_(program), found_(found), ends_(program.fragment_ends) {
    std::sort(ends_.begin(), ends_.end());
  }
  void find_asked();
  void find_in_pieces();

 private:
  void set_end(Directed& d, u32 pos, SourceLoc loc) const;

  Program& program_;
  BigVector<Directed>& found_;
  std::vector<FragmentEnd> ends_;  ///< of pieces, sorted
};

void Fixups::DirectedFinder::find_asked() {
  for (u32 i = 0; i < program_.relocs.size(); ++i) {
    const RelocRecord& r = program_.relocs[i];
    Directed d{.offset = 0,
               .section = program_.sections.sub(r.subsection).section,
               .sub = 0,
               .fragment = 0,
               .end = ~u32(0),
               .number = i,
               .comes_first = false,
               .in_piece = false};
    const Resolved at = program_.resolve(r.offset);
    if (at.kind == Resolved::number) {
      const Section& section = program_.sections[d.section];
      d.comes_first = &section == program_.text;  // LLVM's begins with an empty piece
      d.sub = section.default_subsection;
      set_end(d, 0, 0);
    } else if (at.kind == Resolved::place) {
      d.section = at.section;
      d.sub = program_.symbols[at.symbol].where;
      d.fragment = program_.symbols[at.symbol].fragment;
      set_end(d, u32(program_.symbols[at.symbol].value), program_.symbols[at.symbol].loc);
    } else {
      program_.diags.error(r.loc, "the offset of .reloc must be a number or a place in a section");
      continue;
    }
    d.offset = u64(at.value);
    const Section& section = program_.sections[d.section];
    if ((program_.profile.reloc_offset_checked && d.offset > section.size) || section.nobits) {
      program_.diags.error(r.loc, fmt::format("the offset of .reloc is not in section {}", section.name));
      continue;
    }
    found_.push_back(d);
  }
}

void Fixups::DirectedFinder::find_in_pieces() {
  const Pieces& pieces = program_.pieces;
  for (u32 i = 0; i < pieces.relocs.size(); ++i) {
    const PieceReloc& r = pieces.relocs[i];
    const Piece& piece = pieces.all[r.piece];
    const Subsection& sub = program_.sections.sub(piece.subsection);
    const Fragment& f = sub.fragments[piece.fragment];
    Directed d{.offset = sub.offset(f) + r.at,
               .section = sub.section,
               .sub = piece.subsection,
               .fragment = piece.fragment,
               .end = ~u32(0),
               .number = i,
               .comes_first = false,
               .in_piece = true};
    if (!ends_.empty()) set_end(d, f.pos, piece.loc);
    found_.push_back(d);
  }
}

void Fixups::DirectedFinder::set_end(Directed& d, u32 pos, SourceLoc loc) const {
  const auto end = std::lower_bound(ends_.begin(), ends_.end(), FragmentEnd{d.sub, pos, loc});
  if (end != ends_.end() && end->subsection == d.sub) d.end = end->pos;
}

void Fixups::find_directed() {
  directed_.reserve(program_.relocs.size() + program_.pieces.relocs.size());
  DirectedFinder finder(program_, directed_);
  finder.find_asked();
  finder.find_in_pieces();
  const bool in_order = profile_.branch_relocations_last;
  const auto is_before = [&](const Directed& l, const Directed& r) {
    if (l.section != r.section) return l.section < r.section;
    if (in_order || l.comes_first != r.comes_first) return !in_order && l.comes_first;
    if (l.sub != r.sub) return l.sub < r.sub;
    return l.fragment != r.fragment ? l.fragment < r.fragment : l.end < r.end;
  };
  if (std::is_sorted(directed_.begin(), directed_.end(), is_before)) return;  // those in pieces are
  std::stable_sort(directed_.begin(), directed_.end(), is_before);
}

void Fixups::directed(const Directed& d) {
  if (d.in_piece) {
    const PieceReloc& r = program_.pieces.relocs[d.number];
    return directed(d, {.add = r.symbol}, r.type, program_.pieces.all[r.piece].loc);
  }
  const RelocRecord& r = program_.relocs[d.number];
  if (r.field_size) return relocated_field(d, r);
  directed(d, r.value, r.type, r.loc);
  if (r.at_addend && !rela_ && !out_->empty()) out_->back().offset = u64(std::exchange(out_->back().addend, 0));
}

void Fixups::count_asked(obj::Object& object) const {
  for (const Directed& d : directed_) object.sections[d.section].asked_relocs += !d.in_piece;
}

void Fixups::relocated_field(const Directed& d, const RelocRecord& r) {
  u8* const bytes = fixed_bytes(program_.sections.sub(d.sub), d.offset, r.field_size);
  if (!bytes) return program_.diags.error(r.loc, "the offset of .reloc must be a place in the contents of a section");
  Field f{.kind = u16(fixup_data1 + std::countr_zero(r.field_size)),
          .modifier = r.value.modifier,
          .place = d.offset,
          .bytes = bytes,
          .loc = r.loc,
          .constant = r.value.constant,
          .has_symbol = r.value.add != no_symbol};
  if (r.value.is_constant()) return patch(f, f.constant);
  if (f.modifier && f.modifier == section_index_) f.constant = 0;
  field(f, r.value.add, r.value.sub, true);
}

/// GNU as: the addend, and in objects for Windows the symbol's value as of any relocation.
void Fixups::add_to_field(const Directed& d, const Value& v, u32 type, SourceLoc loc) {
  const unsigned size = program_.target.relocation_size(type);
  u64 addend = u64(v.constant);
  if (coff_value_in_field_ && v.add != no_symbol) addend += u64(coff_symbol_value(program_.symbols[v.add], false));
  if (size == 0 || addend == 0) return;
  u8* field = nullptr;
  for (u32 id = program_.sections[d.section].first; id != ~u32(0) && !field; id = program_.sections.sub(id).next)
    field = fixed_bytes(program_.sections.sub(id), d.offset, size);
  if (!field) return program_.diags.error(loc, "the offset of .reloc must be a place in the contents of a section");
  for (unsigned i = 0; i < size; ++i, addend >>= 8) {
    addend += field[i];
    field[i] = u8(addend);
  }
}

void Fixups::directed(const Directed& d, const Value& value, u32 type, SourceLoc loc) {
  Value v = value;
  const char* why;
  if (!program_.reduce(v, why)) return program_.diags.error(loc, why);
  if (v.sub != no_symbol) return program_.diags.error(loc, "the value of .reloc must be a symbol plus a constant");
  const bool has_addend = rela_ || program_.is_coff || type == 0 || program_.target.relocation_size(type) != 0;
  // The symbol as it was named, be it an alias.
  const auto keeps_name = [&](const Symbol& s) {
    if (s.kind != SymbolKind::absolute) return s.kind == SymbolKind::label;
    return profile_.reloc_names_absolute && !(has_addend && is_local_name(s, program_.options.keep_locals));
  };
  if (value.is_symbol_plus_constant() && keeps_name(program_.symbols[value.add])) v = value;
  if (v.add != no_symbol && profile_.reloc_names_section) {
    const Symbol& s = program_.symbols[v.add];
    if (s.kind == SymbolKind::label && is_local_name(s, program_.options.keep_locals)) {
      const Subsection& where = program_.sections.sub(s.where);
      const Section& to = program_.sections[where.section];
      const u64 offset = where.offset(s.value, s.fragment);
      if (!(to.flags & SHF_TLS) && (!(to.flags & SHF_MERGE) || v.constant == 0) && (has_addend || offset == 0)) {
        v.constant = i64(u64(v.constant) + offset);
        v.add = program_.section_symbol(program_.sections[where.section]);
      }
    }
  }
  if (v.add != no_symbol) name(v.add);
  if (!rela_ && profile_.reloc_names_section && !d.in_piece) add_to_field(d, v, type, loc);
  if (v.add != no_symbol && is_no_symbol(program_.symbols[v.add])) v.add = obj::none;
  out_->push_back({.offset = d.offset, .symbol = v.add, .type = type, .addend = v.constant});
}

}  // namespace xas
