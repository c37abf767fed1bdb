// SPDX-License-Identifier: Apache-2.0
// Deciding fixups.
//
// A field whose value is known is patched where it stands; the others become relocations, each against a symbol or,
// to keep local symbols out of the symbol table, against the symbol's section. What is known and what is replaced is
// not a matter of taste: linkers tell functions and merged strings apart by it. The rules are those of GNU as
// and of llvm-mc; where they differ, a field of the profile says which is followed.
#include "asm/object/fixup.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/layout/layout.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

namespace {

/// COFF: the text has what GNU as can't read, and so no answer to what becomes of it.
bool is_llvm_text(const Program& program) {
  const CoffState& c = program.coff;
  if (program.records.emit_addrsig || !c.address_significant.empty() || !c.calls.empty()) return true;
  if (!c.safe_handlers.empty() || !c.symbol_indices.empty()) return true;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    if (!program.sections[i].absolute && has_llvm_form(program.sections[i])) return true;
  }
  return std::any_of(program.unwind.frames.begin(), program.unwind.frames.end(),
                     [](const UnwindFrame& f) { return !f.epilogues.empty(); });
}

}  // namespace

Fixups::Fixups(Program& program)
    : program_(program),
      profile_(program.profile),
      rela_(program.info.elf.rela),
      crel_(program.options.crel && !rela_ && !program.is_coff) {
  got_symbol_ = program.symbols.find("_GLOBAL_OFFSET_TABLE_");
  if (program.is_coff) {
    section_index_ = program.target.modifier("SECIDX");
    section_relative_ = program.target.modifier("SECREL32");
    image_relative_ = program.target.modifier("IMGREL");
    coff_value_in_field_ = profile_.coff_value_in_field && !is_llvm_text(program);
  }
  for (u16 kind = 0; kind < first_target_kind; ++kind) {
    constexpr u8 sizes[] = {1, 2, 4, 8};
    const bool pcrel = kind >= fixup_pcrel1 && kind <= fixup_pcrel8;
    infos_.push_back({.size = u8(kind < fixup_none ? sizes[kind & 3] : 0), .pcrel = pcrel});
  }
  target_resolves_.resize(first_target_kind);
  find_directed();
}

void Fixups::load_infos(u16 kind) {
  while (infos_.size() <= kind) infos_.push_back(program_.target.fixup_info(u16(infos_.size())));
  target_resolves_.resize(infos_.size(), {2, 2, 2, 2, 2, 2, 2, 2});
}

void Fixups::problem(const Field& f, std::string message) { program_.diags.error(f.loc, std::move(message)); }

// One section

/// Layout has not found where it goes.
static bool is_open_branch(const Fragment& f) {
  return f.kind == FragmentKind::insn && !f.as<InsnFragment>().has_distance;
}

void Fixups::decide(std::vector<BigVector<obj::Reloc>>& relocs) {
  relocs.resize(program_.sections.size());
  for (u32 i = 0; i < program_.sections.size(); ++i) {
    decide(program_.sections[i], relocs[i]);
    for (u32 id = program_.sections[i].first; id != ~u32(0); id = program_.sections.sub(id).next)
      program_.sections.sub(id).fixups = {};
  }
}

void Fixups::decide(Section& section, BigVector<obj::Reloc>& relocs) {
  out_ = &relocs;
  section_ = program_.sections.index_of(section);
  const auto by_section = [](const Directed& d, u32 s) { return d.section < s; };
  auto d = std::lower_bound(directed_.begin(), directed_.end(), section_, by_section);
  const auto mine = [&] { return d != directed_.end() && d->section == section_; };
  const bool by_place = profile_.branch_relocations_last, by_offset = profile_.reloc_listed_by_offset;
  // GNU as puts a .reloc before the first relocation behind it, and only one at a time is looked at.
  const auto directed_before_last = [&] {
    if (!mine() || d->offset >= relocs.back().offset) return;
    const obj::Reloc last = relocs.back();
    relocs.pop_back();
    while (mine() && d->offset < last.offset) directed(*d++);
    relocs.push_back(last);
  };

  for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
    Subsection& sub = program_.sections.sub(id);
    relocs.reserve(relocs.size() + sub.fixups.size());
    u32 fragment = 0;
    while (!by_place && mine() && d->comes_first) directed(*d++);
    const auto fragments_up_to = [&](u32 end) {
      for (; fragment < end; ++fragment) {
        while (mine() && d->sub == id && d->fragment <= fragment) directed(*d++);
        Fragment& f = sub.fragments[fragment];
        if (is_open_branch(f)) branch(sub, f);
      }
    };
    for (std::size_t i = 0; i < sub.fixups.size(); ++i) {
      const Fixup& f = sub.fixups[i];
      program_.symbols.prefetch(sub.fixups[std::min(i + prefetch_distance, sub.fixups.size() - 1)].add);
      if (by_place) {
        const std::size_t had = relocs.size();
        one(sub, f);
        if (relocs.size() > had) directed_before_last();
      } else {
        fragments_up_to(f.fragment);
        const u64 at = by_offset && mine() ? sub.offset(f.pos, f.fragment) : 0;
        const auto comes_first = [&] { return d->end <= f.pos || (d->fragment == f.fragment && d->offset < at); };
        while (mine() && d->sub == id && comes_first()) directed(*d++);
        one(sub, f);
      }
    }
    if (!by_place) {
      fragments_up_to(u32(sub.fragments.size()));
      while (mine() && d->sub == id) directed(*d++);
    }
  }
  if (by_place) {
    struct Open {
      unsigned pass;
      Subsection* sub;
      Fragment* branch;
    };
    std::vector<Open> open;
    for (u32 id = section.first; id != ~u32(0); id = program_.sections.sub(id).next) {
      Subsection& sub = program_.sections.sub(id);
      for (Fragment& f : sub.fragments) {
        if (!is_open_branch(f)) continue;
        const u8 pass = f.as<InsnFragment>().settled;
        open.push_back({pass ? pass : ~0u, &sub, &f});
      }
    }
    if (!std::ranges::is_sorted(open, {}, &Open::pass)) std::ranges::stable_sort(open, {}, &Open::pass);
    for (const Open& o : open) {
      const std::size_t had = relocs.size();
      branch(*o.sub, *o.branch);
      if (relocs.size() > had) directed_before_last();
    }
  }
  while (mine()) directed(*d++);
  const int last = program_.target.last_relocation();
  if (last < 0 || d == directed_.begin() || (d - 1)->section != section_) return;
  std::stable_partition(relocs.begin(), relocs.end(), [&](const obj::Reloc& r) { return r.type != u32(last); });
}

/// What most fields hold that are no data: the distance to a label of their own section, for which the linker is not
/// asked. False: this is another one, or its target does not know yet whether it is.
inline bool Fixups::put_distance(const Subsection& sub, const Fixup& f) {
  if (f.kind < first_target_kind || placed_ || program_.is_coff) return false;
  if (f.sub != no_symbol || f.add == no_symbol || f.modifier) return false;
  constexpr unsigned local = 1;
  if (f.kind >= infos_.size() || target_resolves_[f.kind][local] != 1) return false;
  if (!infos_[f.kind].pcrel || infos_[f.kind].aligned) return false;
  const Symbol& s = program_.symbols[f.add];
  if (s.kind != SymbolKind::label || !s.is_local() || s.type == STT_GNU_IFUNC) return false;
  if (program_.info.relocations.by_function && (is_function(s.type) || (s.other & other_thumb))) return false;
  const Subsection& where = s.where == sub.id ? sub : program_.sections.sub(s.where);
  if (where.section != section_) return false;
  const u64 distance = where.offset(s.value, s.fragment) + u64(f.addend) - sub.offset(f.pos, f.fragment);
  return program_.target.apply_distance(f.kind, i64(distance), sub.data + f.pos);
}

void Fixups::one(const Subsection& sub, const Fixup& f) {
  if (put_distance(sub, f)) return;
  Field field_{.kind = f.kind,
               .modifier = f.modifier,
               .place = sub.offset(f.pos, f.fragment),
               .bytes = sub.data + f.pos,
               .loc = f.loc,
               .constant = f.addend,
               .has_symbol = f.add != no_symbol};
  field(field_, f.add, f.sub, true);
}

/// There is a relocation for the field; of an immediate there is none.
bool Fixups::relocates(const Field& f) {
  return program_.target.relocation(query(f, info(f.kind).pcrel)).error.empty();
}

/// Another object may define the alias otherwise. What is no reason to load a library's member, LLVM names too.
static bool names_weak_alias(const Program& program, const Symbol& s) {
  return program.is_coff && s.binding == Binding::weak &&
         (program.profile.coff_weak_alias_relocates || s.type == coff::IMAGE_WEAK_EXTERN_ANTI_DEPENDENCY);
}

/// add - sub + f.constant goes into the field.
void Fixups::field(Field& f, SymbolId add, SymbolId sub, bool may_resolve) {
  if (sub != no_symbol || add == no_symbol) return combined(f, add, sub, may_resolve);
  const Symbol& s = program_.symbols[add];
  switch (s.kind) {
    case SymbolKind::label:
    case SymbolKind::undefined:
    case SymbolKind::common: return to_symbol(f, add, f.constant, info(f.kind).pcrel, may_resolve);
    case SymbolKind::absolute:
      if ((profile_.global_absolutes_relocate && !s.is_local() && relocates(f)) ||
          (f.modifier && program_.target.keeps_absolute(f.modifier, s.is_local())) ||
          (f.modifier && f.modifier == image_relative_ && profile_.coff_imgrel_of_absolutes)) {
        return to_symbol(f, add, f.constant, info(f.kind).pcrel, false);
      }
      if (info(f.kind).to_address)
        return to_symbol(f, program_.symbol_of_number(i64(s.value)), f.constant, true, false);
      return to_number(f, i64(s.value + u64(f.constant)), info(f.kind).pcrel);
    case SymbolKind::expression:
      if (names_weak_alias(program_, s))
        return to_symbol(f, add, f.constant, info(f.kind).pcrel, false);
      [[fallthrough]];
    default: return combined(f, add, sub, may_resolve);
  }
}

/// A difference that is left to the linker although both places are known: with a function, or an operator. False if it
/// is none.
bool Fixups::kept_difference(Field& f, SymbolId add, SymbolId sub) {
  const Symbol &to = program_.symbols[add], &from = program_.symbols[sub];
  const auto indirect = [&](const Symbol& s) {
    return s.type == STT_GNU_IFUNC && s.kind == SymbolKind::label && program_.values.keeps_indirect();
  };
  if (from.kind != SymbolKind::label) return false;
  const bool here = program_.sections.sub(from.where).section == section_;
  // An entry of a table, say, which no number can stand for.
  const bool wanted =
      f.modifier != 0 && to.kind == SymbolKind::label && !program_.target.may_resolve(query(f, false));
  if (here && !indirect(from) && (wanted || indirect(to) ? !info(f.kind).pcrel : keeps_function(f, to))) {
    f.constant = i64(u64(f.constant) + f.place - program_.label_offset(from));
    to_symbol(f, add, f.constant, true, false);
    return true;
  }
  if (to.kind != SymbolKind::label || (!indirect(to) && !indirect(from))) return false;
  problem(f, indirect(from) ? fmt::format("{} can't be subtracted: it is an indirect function, whose address the "
                                          "linker chooses",
                                          from.text())
                            : fmt::format("{} is an indirect function: only a label of this section can be "
                                          "subtracted from it",
                                          to.text()));
  return true;
}

/// The general case: differences, expressions, aliases of undefined symbols.
void Fixups::combined(Field& f, SymbolId add, SymbolId sub, bool may_resolve) {
  if (add != no_symbol && program_.symbols[add].has(symbol_weakref)) {
    SymbolId to;
    i64 ignored = 0;
    if (branch_target(program_, add, ignored, to)) program_.symbols[to].flags |= symbol_weakly_referenced;
    f.as_local = profile_.weakref_is_local && !program_.is_coff;
  }
  if (add != no_symbol && sub != no_symbol && kept_difference(f, add, sub)) return;
  Value v{.constant = f.constant, .add = add, .sub = sub, .modifier = f.modifier};
  const char* why;
  if (!program_.reduce(v, why)) return problem(f, why + program_.values.explain_unknown({.add = add, .sub = sub}));
  f.modifier = v.modifier;
  bool pcrel = info(f.kind).pcrel;
  // As it was written, or the symbol that stands for the value of an instruction that can grow.
  if (v.sub != no_symbol && v.sub == got_symbol_ && v.add != no_symbol && !f.modifier &&
      (v.sub == sub || (!f.bytes && program_.symbols[add].has(symbol_anonymous)))) {
    f.modifier = program_.target.got_distance(f.kind);
    f.from_got = f.modifier != 0;
    if (f.from_got) v.sub = no_symbol, may_resolve = false;
  }
  if (v.sub != no_symbol) {
    // Something, or a number, minus a label of this section: the distance from the field, corrected by the label's.
    const Symbol& s = program_.symbols[v.sub];
    const bool here = s.kind == SymbolKind::label && program_.sections.sub(s.where).section == section_;
    if (!here || (pcrel && !program_.info.relocations.subtracts_twice)) {
      const std::string_view name = s.has(symbol_anonymous) ? "a label" : s.text();
      return problem(f, s.kind == SymbolKind::label
                            ? fmt::format("{} can't be subtracted here: it is not in the section of this field", name)
                            : fmt::format("{} can't be subtracted: it is not defined", name));
    }
    pcrel = true;
    v.constant = i64(u64(v.constant) + f.place - program_.label_offset(s));
    may_resolve = false;
    f.constant = v.constant;
  }
  if (v.add == no_symbol) return to_number(f, v.constant, pcrel);
  to_symbol(f, v.add, v.constant, pcrel, may_resolve);
}

bool Fixups::resolves(const Field& f, const Symbol& s) {
  if (!program_.is_coff && s.type == STT_GNU_IFUNC) return false;
  if (f.kind < first_target_kind) {
    // A difference with a function is left to the linker as branches to it are.
    const bool left = program_.is_coff && profile_.coff_functions_relocate && !branch_resolves(program_, s, f.modifier);
    return f.modifier == 0 && !left && !keeps_function(f, s);
  }
  if (program_.is_coff && !branch_resolves(program_, s, f.modifier)) return false;
  const bool by_function = program_.info.relocations.by_function;
  // GNU as resolves what reads near-by globals too.
  const bool globals = by_function && profile_.arm_resolves_globals && s.binding != Binding::weak;
  const bool local = program_.is_coff || f.as_local || s.is_local();
  if (!local && !globals) return false;
  const unsigned function =
      by_function ? unsigned(is_function(s.type)) << 1 | unsigned((s.other & other_thumb) != 0) << 2 : 0;
  u8& known = target_resolves_[f.kind][unsigned(local) | function];
  if (f.modifier == 0 && known != 2) return known;
  RelocQuery q = by_function ? function_query(f, s, true) : query(f, true);
  q.local = local;
  const bool answer = program_.target.may_resolve(q);
  if (f.modifier == 0) known = answer;
  return answer;
}

/// GNU as on ARM leaves the addresses of Thumb functions in data to the linker.
bool Fixups::keeps_function(const Field& f, const Symbol& s) const {
  const bool data = f.kind == fixup_data4 || f.kind == fixup_pcrel4;
  return program_.info.labels.thumb && profile_.thumb_differences_relocate && data && (s.other & other_thumb) &&
         !((s.other & other_thumb_untyped) && s.is_local());
}

RelocQuery Fixups::function_query(const Field& f, const Symbol& s, bool pcrel) const {
  RelocQuery q = query(f, pcrel);
  q.local = program_.is_coff || s.is_local();  // nothing takes the place of what an object for Windows defines
  // GNU as: a distance from a place is no reference to the function that .thumb_func alone makes of a label.
  const bool counts = !(pcrel && f.kind < first_target_kind && (s.other & other_thumb_untyped));
  q.function = counts && is_function(s.type);
  q.thumb_function = counts && (s.other & other_thumb);
  return q;
}

RelocQuery Fixups::query(const Field& f, bool pcrel) const {
  return {.kind = f.kind,
          .modifier = f.modifier,
          .pcrel = pcrel,
          .has_symbol = f.has_symbol,
          .constant = f.constant,
          .from_got = f.from_got,
          .format = program_.options.target.format,
          .gnu = profile_.gnu_target,
          .relax = program_.options.target.relax_relocations};
}

/// Where the section's address is known: the field takes what a linker would make of `value`. False if that is more
/// than a number.
bool Fixups::at_address(const Field& f, i64 value, bool pcrel) {
  constexpr u64 page = 4096;
  const FixupInfo field = info(f.kind);
  u64 place = address_ + f.place, to = u64(value);
  if (field.page) to &= ~(page - 1), place &= ~(page - 1);
  if (field.aligned) place &= ~u64(3);
  value = i64(pcrel ? to - place : to);
  if (!f.bytes || !program_.target.final_value(f.kind, f.modifier, value)) return false;
  patch(f, value);
  return true;
}

/// In objects for Windows. A number is no place in the image, and its own distance.
bool Fixups::is_coff_distance(u16 modifier) const {
  return modifier && (modifier == section_relative_ || modifier == image_relative_ || modifier == section_index_);
}

void Fixups::to_number(Field& f, i64 value, bool pcrel) {
  if (placed_ && at_address(f, value, pcrel)) return;
  if (!pcrel && is_coff_distance(f.modifier)) return patch(f, value);
  if (!pcrel) {
    if (f.kind < first_target_kind && f.modifier == 0) return patch(f, value);
    if (f.kind != fixup_none && program_.target.may_resolve(query(f, false))) return patch(f, value);
  }
  RelocQuery q = query(f, pcrel);
  q.local = !f.bytes && profile_.calls_choose_at_once;  // a branch that could grow: its target is known by then
  relocate(f, q, obj::none, value);
}

bool Fixups::was_local_label(const Field& f, SymbolId id) const {
  const Symbol& s = program_.symbols[id];
  if (!program_.sources.is_before(s.loc, f.loc)) return false;
  if (s.is_local()) return true;
  const auto& made_global = program_.records.made_global;
  const auto late = made_global.empty() ? made_global.end() : made_global.find(id);
  return late != made_global.end() && program_.sources.is_before(f.loc, late->second);
}

void Fixups::to_symbol(Field& f, SymbolId id, i64 addend, bool pcrel, bool may_resolve) {
  const Symbol& s = program_.symbols[id];
  const bool by_function = program_.info.relocations.by_function;
  if (f.modifier && f.modifier == section_index_ && addend != 0 &&
      (s.is_defined() || !profile_.coff_section_index_addend)) {
    return problem(f, fmt::format("the number of a section takes no addend, and {} is added to it", addend));
  }
  if (s.kind == SymbolKind::label) {
    const Subsection& where = program_.sections.sub(s.where);
    const bool placed = placed_ && where.section == section_;
    if (placed && at_address(f, i64(address_ + where.offset(s.value, s.fragment) + u64(addend)), pcrel)) return;
    if (pcrel && may_resolve && where.section == section_ && resolves(f, s)) {
      if (by_function && is_function(s.type) && f.bytes &&
          program_.target.match_call(function_query(f, s, pcrel), f.kind, f.bytes)) {
        program_.diags.warning(f.loc,
                               fmt::format("blx to '{}' changed to bl: it is of the same instruction set", s.text()));
      }
      const u64 place = info(f.kind).aligned ? f.place & ~u64(3) : f.place;
      u64 distance = where.offset(s.value, s.fragment) + u64(addend) - place;
      const bool subtracts = f.kind < first_target_kind || f.modifier;  // the text says `f - .`
      if (subtracts && program_.values.keeps_thumb_bit(s)) distance |= 1;
      return patch(f, i64(distance));
    }
  }
  if (f.modifier != 0 && program_.target.is_tls(f.modifier)) program_.symbols[id].type = STT_TLS;
  RelocQuery q = by_function ? function_query(f, s, pcrel) : query(f, pcrel);
  q.is_got_symbol = id == got_symbol_;
  if (s.kind == SymbolKind::label) {
    const Subsection& where = program_.sections.sub(s.where);
    const bool placed = placed_ && where.section == section_;  // it has a name that whoever made the code knows
    const bool chooses = profile_.calls_choose_at_once && f.bytes && (f.kind >= first_target_kind || f.modifier);
    q.local = f.as_local || (chooses ? was_local_label(f, id) : s.is_local());
    const Section& to = program_.sections[where.section];
    q.merge_section = to.flags & SHF_MERGE;
    q.function = s.type == STT_FUNC && (q.function || !by_function);
    const auto& tagged = program_.records.memory_tagged;  // sorted: make_memory_tags
    const bool is_tagged = !tagged.empty() && std::ranges::binary_search(tagged, id);
    const bool may_be_section =
        (program_.is_coff || f.as_local || s.is_local()) && f.kind != fixup_none && !placed && may_name_section(s);
    if (may_be_section && !is_tagged && use_section_symbol(q, s, to, addend)) {
      q.section_symbol = true;
      addend = i64(u64(addend) + where.offset(s.value, s.fragment));
      id = program_.section_symbol(program_.sections[where.section]);
    }
  }
  relocate(f, q, id, addend);
}

// Branches that can grow

/// One whose target layout has not found. Leaves in `constant` what writing it takes: its target's offset in the
/// section, or, where the linker decides (in_field), what the field holds.
void Fixups::branch(Subsection& sub, Fragment& fragment) {
  InsnFragment& insn = fragment.as<InsnFragment>();
  u8 scratch[2 * Emitter::max_instruction];  // an immediate changes the opcode before it
  const u64 start = sub.offset(fragment);
  const FieldFixup where = program_.target.relax_write(insn.form, insn.state, scratch + Emitter::max_instruction);
  Field f{.kind = where.kind,
          .modifier = insn.modifier,
          .place = start + where.at,
          .bytes = nullptr,
          .loc = fragment.loc,
          .constant = insn.constant + where.addend,
          .has_symbol = true};
  const bool pcrel = program_.target.relax_pcrel(insn.form);
  Value v{.constant = insn.constant, .add = insn.target};
  const char* why;
  if (!program_.reduce(v, why)) return problem(f, why);
  if (!pcrel && v.is_constant()) {
    insn.constant = v.constant;
    insn.in_field = false;
    return;
  }
  if (pcrel && v.is_symbol_plus_constant() && program_.symbols[v.add].kind == SymbolKind::label) {
    const Symbol& label = program_.symbols[v.add];
    const Symbol& named = binding_symbol(program_, program_.symbols[insn.target], label);
    if (program_.sections.sub(label.where).section == section_ && insn_resolves(program_, named, insn, false)) {
      insn.constant = i64(program_.label_offset(label) + u64(v.constant));
      insn.in_field = false;
      return;
    }
  }
  f.has_symbol = v.add != no_symbol || program_.symbols[insn.target].name_size != 0;
  in_field_ = 0;
  field(f, insn.target, no_symbol, false);
  insn.in_field = true;
  insn.constant = in_field_;
}

}  // namespace xas
