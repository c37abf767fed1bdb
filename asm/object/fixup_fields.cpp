// SPDX-License-Identifier: Apache-2.0
// What a fixup leaves behind (fixup.cpp decides which): a number in its field, or a relocation. Of that, which of
// symbol and section it names, what number the target gives it, and what of the addend goes into the field.
#include <fmt/format.h>

#include <bit>

#include "asm/layout/layout.h"
#include "asm/object/fixup.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas {

using namespace elf;

/// --reloc-section-sym
bool Fixups::may_name_section(const Symbol& s) const {
  using enum Options::SectionSymbols;
  if (program_.options.section_symbols == all || s.has(symbol_section)) return true;
  return program_.options.section_symbols == internal && is_local_name(s, program_.options.keep_locals);
}

bool Fixups::use_section_symbol(const RelocQuery& q, const Symbol& s, const Section& to, i64 addend) {
  if (program_.is_coff && profile_.coff_sections_for_globals && q.modifier == section_index_) return true;
  if (program_.is_coff && (profile_.coff_sections_for_globals ? s.binding == Binding::weak : !is_coff_temporary(s)))
    return false;
  if (s.type == STT_GNU_IFUNC || (to.flags & SHF_TLS)) return false;
  if (to.flags & SHF_MERGE) {
    if (profile_.pcrel_merge_keeps_symbol && q.pcrel) {
      if (program_.info.elf.merge_keeps_symbols) return false;
      if (q.kind < first_target_kind) return false;  // a difference (x - .)
      if (!rela_) addend += program_.target.fixup_info(q.kind).size;  // what a branch adds is not the source's
    }
    if (addend != 0) return false;
  }
  if (profile_.group_members_keep_names && (to.comdat || to.name.starts_with(".gnu.linkonce")) &&
      !is_local_name(s, program_.options.keep_locals) && !s.has(symbol_section) &&
      &to != &program_.sections[section_]) {
    return false;
  }
  if (q.modifier == 0 && q.kind < first_target_kind && !program_.info.relocations.data_keeps_symbol) return true;
  return !program_.target.needs_symbol(q);
}

bool Fixups::relocation_type(const RelocQuery& q, RelocType& type, SourceLoc loc) {
  const u64 key = u64(q.kind) | u64(q.modifier) << 16 | u64(q.pcrel) << 32 | u64(q.has_symbol) << 33 |
                  u64(q.section_symbol) << 34 | u64(q.local) << 35 | u64(q.merge_section) << 36 |
                  u64(q.is_got_symbol) << 37;
  CachedChoice& known = choices_[((key ^ u64(q.constant)) * hash_multiplier) >> 58];
  static_assert(cached_choices == 1 << (64 - 58));
  if (known.key != key || known.constant != q.constant) {
    RelocChoice choice = program_.target.relocation(q);
    if (!choice.error.empty()) {
      program_.diags.error(loc, std::move(choice.error));
      return false;
    }
    known = {key,
             q.constant,
             {choice.type, choice.bias, choice.no_addend, choice.zero_addend, choice.covered, choice.symbol_size}};
  }
  type = known.type;
  return true;
}

/// GNU as leaves a symbol's value in the field of a relocation that names it, and linkers add it once more. It does not
/// for weak symbols that .def has called functions since, and takes the value out for weak symbols that data refer to,
/// but for those in code sections of 32-bit objects.
i64 Fixups::coff_symbol_value(const Symbol& s, bool pcrel) const {
  if (s.kind != SymbolKind::label) return 0;
  const bool weak = s.binding == Binding::weak;
  int times = weak && coff::is_function_type(s.coff_type) && s.other != coff::IMAGE_SYM_CLASS_WEAK_EXTERNAL ? 0 : 1;
  if (weak && !pcrel &&
      (program_.info.address_size == 8 || !program_.sections[program_.sections.sub(s.where).section].is_code())) {
    --times;
  }
  return times * i64(program_.label_offset(s));
}

/// What the last .size says, as far as it is known now; of a section, what it has come to.
i64 Fixups::symbol_size(SymbolId symbol) {
  const Symbol& s = program_.symbols[symbol];
  if (s.has(symbol_section)) return i64(program_.sections[program_.sections.sub(s.where).section].size);
  if (last_sizes_.empty()) {
    for (const SizeRecord& record : program_.records.sizes) last_sizes_[record.symbol] = &record;
  }
  const auto record = last_sizes_.find(symbol);
  if (record == last_sizes_.end()) return 0;
  const Resolved r = program_.resolve(record->second->value);
  return r.kind == Resolved::number ? r.value : 0;
}

/// What data add to a symbol is in the field where relocations have no addends. LLVM leaves out what does not fit, but
/// for relocations that COFF's directives and modifiers ask for.
bool Fixups::fits_in_field(const Field& f, i64 addend) {
  const unsigned size = info(f.kind).size;
  if (f.kind >= first_target_kind || size == 0 || size == 8) return true;
  if (profile_.addends_fit_fields ? size == 4 && program_.info.address_size == 4 : f.modifier == 0) return true;
  if (program_.info.address_size == 4) addend = i64(i32(u32(addend)));  // addresses wrap
  const i64 bound = i64(1) << (8 * size);
  return addend > -bound && addend < bound;
}

void Fixups::relocate(Field& f, RelocQuery& q, SymbolId symbol, i64 addend) {
  RelocType type;
  if (!relocation_type(q, type, f.loc)) return;
  if (type.symbol_size && profile_.local_sizes_known && symbol != obj::none && program_.symbols[symbol].is_defined() &&
      program_.symbols[symbol].is_local()) {
    const i64 size = symbol_size(symbol) + addend;
    if (rela_ && info(f.kind).size == 4 && u64(size) > 0xFFFFFFFF)  // where there are no addends, it wraps
      return problem(f, fmt::format("{} is no size of 32 bits", size));
    return patch(f, size);
  }
  if (coff_value_in_field_ && symbol != obj::none) addend += coff_symbol_value(program_.symbols[symbol], q.pcrel);
  // The linker takes away where the field is in its section, as of all that is PC-relative.
  if (coff_value_in_field_ && symbol == obj::none && q.pcrel && program_.info.address_size == 4) addend += i64(f.place);
  if (program_.info.coff.offset_labels && program_.is_coff && symbol != obj::none &&
      program_.symbols[symbol].has(symbol_section)) {
    symbol = coff_anchor(program_, program_.sections.sub(program_.symbols[symbol].where).section, addend);
  }
  if (type.zero_addend && addend != 0) {
    return problem(
        f, fmt::format("the linker finds a symbol here, and not the place {} bytes from it: give that a name", addend));
  }
  const i64 bias = type.bias;
  addend = (type.no_addend ? 0 : addend) + bias;
  in_field_ = rela_ ? 0 : addend;
  if (crel_) {  // LLVM leaves in the field what is not the source's
    in_field_ = bias - (f.kind < first_target_kind ? 0 : info(f.kind).pc_ahead);
    addend -= in_field_;
  }
  if (!rela_ && !fits_in_field(f, in_field_)) {
    const unsigned size = info(f.kind).size;
    return problem(f, fmt::format("{} does not fit in {} byte{}", in_field_, size, size == 1 ? "" : "s"));
  }
  if (symbol != obj::none) {
    name(symbol);
    Symbol& s = program_.symbols[symbol];
    // An instruction was the first to name it, which is when GNU as on ARM lists it.
    if (!profile_.kept_temporaries_last && f.kind >= first_target_kind && s.has(symbol_temporary) && !s.is_defined() &&
        !program_.sources.is_before(s.loc, f.loc))
      s.flags |= symbol_operand;
    if (is_no_symbol(s)) symbol = obj::none;
  }
  if (f.modifier != 0 && profile_.got_symbol_from_modifier && program_.target.uses_got(f.modifier)) got_needed_ = true;
  if (!type.covered) out_->push_back({.offset = f.place, .symbol = symbol, .type = type.number, .addend = addend});
  if (!rela_ && f.bytes && info(f.kind).size) {
    if (f.kind < first_target_kind) {
      store_int(f.bytes, u64(in_field_), info(f.kind).size, program_.info.big_endian);
    } else {
      const u16 mark = program_.info.relocations.marks_addends ? modifier_relocated : 0;
      std::string error = program_.target.apply(f.kind, u16(f.modifier | mark), in_field_, f.bytes);
      if (!error.empty()) problem(f, std::move(error));
    }
  }
}

/// Relocations have no symbol for it (Profile::zero_is_no_symbol).
bool Fixups::is_no_symbol(const Symbol& s) const {
  return s.kind == SymbolKind::absolute && s.value == 0 && profile_.zero_is_no_symbol && !program_.is_coff;
}

/// A relocation names the symbol, so it must be listed.
void Fixups::name(SymbolId id) {
  Symbol& s = program_.symbols[id];
  if (s.has(symbol_in_relocation)) return;
  s.flags |= symbol_in_relocation;
  if (s.has(symbol_temporary) || s.is_later_section()) kept_.push_back(id);
}

void Fixups::patch(const Field& f, i64 value) {
  if (f.kind >= first_target_kind) {
    std::string error = program_.target.apply(f.kind, f.modifier, value, f.bytes);
    if (!error.empty()) program_.diags.error(f.loc, std::move(error));
    return;
  }
  const unsigned size = info(f.kind).size;
  if (size == 8) {
    if (program_.info.big_endian) value = i64(__builtin_bswap64(u64(value)));
    if constexpr (std::endian::native == std::endian::big) value = i64(__builtin_bswap64(u64(value)));
    std::memcpy(f.bytes, &value, 8);
    return;
  }
  const i64 bound = i64(1) << (8 * size);
  if (value >= bound || value < -(bound >> 1)) {
    const bool wraps = size == 4 && program_.info.relocations.words_wrap && profile_.i386_words_wrap;
    const bool tolerated = profile_.truncate_data && value > -bound && value < bound;
    if (!tolerated && !wraps) {
      program_.diags.error(f.loc, fmt::format("{} does not fit in {} byte{}", value, size, size == 1 ? "" : "s"));
      return;
    }
  }
  store_int(f.bytes, u64(value), size, program_.info.big_endian);
}

}  // namespace xas
