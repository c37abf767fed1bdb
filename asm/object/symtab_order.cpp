// SPDX-License-Identifier: Apache-2.0
// The order in which the object lists its symbols: one walk over all of them, in the order in which they were met, and
// what is put elsewhere on its way.
#include <algorithm>
#include <span>

#include "asm/object/symtab.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// Branches that may grow make GNU as list what they go to in their own section, before it looks at fixups.
void SymbolTableMaker::put_branch_targets() {
  for (u32 id = 0; id < program_.sections.subsections(); ++id) {
    for (const Fragment& f : program_.sections.sub(id).fragments) {
      if (f.kind != FragmentKind::insn) continue;
      const SymbolId target = f.as<InsnFragment>().target;
      const Symbol& s = program_.symbols[target];
      if (s.has(symbol_temporary) && s.kind == SymbolKind::label &&
          program_.sections.sub(s.where).section == program_.sections.sub(id).section) {
        put_kept(target);
      }
    }
  }
}

/// By symbol, whether another is listed in its place, or none; empty if there are no such. What relocations name is the
/// other then.
std::vector<bool> SymbolTableMaker::take_replaced() {
  std::vector<bool> replaced(replaced_.empty() && unused_.empty() ? 0 : program_.symbols.size());
  for (SymbolId id : unused_) replaced[id] = true;
  for (auto [old, fresh] : replaced_) {
    replaced[old] = true;
    if (program_.symbols[old].has(symbol_in_relocation)) program_.symbols[fresh].flags |= symbol_in_relocation;
  }
  return replaced;
}

/// Sorts those that are listed before a symbol met later than themselves, and tells which these are.
std::vector<bool> SymbolTableMaker::take_late() {
  auto& late = program_.order.listed_late;
  for (auto [id, place] : program_.order.redefined) late.emplace_back(place, id);
  std::stable_sort(late.begin(), late.end(), [](auto l, auto r) { return l.first < r.first; });
  const auto& behind_others = program_.order.listed_behind;
  std::vector<bool> is_late(late.empty() && behind_others.empty() ? 0 : program_.symbols.size());
  for (auto [before, id] : late) is_late[id] = true;
  for (auto [behind, id] : behind_others) is_late[id] = true;
  return is_late;
}

/// A local symbol that is listed because something needs it, if it is not listed yet.
void SymbolTableMaker::put_kept(SymbolId id) {
  const Symbol& s = program_.symbols[id];
  if (index_[id] == obj::none && is_listed(s) && binding_of(s) == STB_LOCAL) put(id);
}

/// Sections that share a name with another one, in the order in which relocations name them.
void SymbolTableMaker::put_later_sections(const std::vector<SymbolId>& kept) {
  for (SymbolId id : kept) {
    if (program_.symbols[id].has(symbol_section)) put_kept(id);
  }
}

void SymbolTableMaker::put_kept_labels(const std::vector<SymbolId>& kept) {
  for (SymbolId id : kept) {
    if (!program_.symbols[id].has(symbol_section)) put_kept(id);
  }
}

/// GNU as's order: targets of branches, sections' symbols, other symbols of relocations, and then what -L keeps.
void SymbolTableMaker::put_all_kept(const std::vector<SymbolId>& kept) {
  if (program_.info.labels.branches_list && !kept.empty()) put_branch_targets();
  put_later_sections(kept);
  put_kept_labels(kept);
  for (SymbolId id = 0; program_.options.keep_locals && id < program_.symbols.size(); ++id) {
    if (program_.symbols[id].has(symbol_temporary)) put_kept(id);
  }
}

/// Goes over all symbols once: local ones are put into the table at once, others when all local ones are in it.
class SymbolTableMaker::Walk {
 public:
  Walk(SymbolTableMaker& table, const std::vector<SymbolId>& kept);
  void run();

 private:
  void take(SymbolId id);
  void take_global(SymbolId id, const Symbol& s);
  void take_undefined_operands(SymbolId before);
  void take_late(SymbolId before);
  void put_local(SymbolId id);
  void put_files(SymbolId before);
  void put_operands(SymbolId before);
  void put_behind(SymbolId id);
  template <class T>
  static const T& take_first(std::span<const T>& items) {
    const T& first = items.front();
    items = items.subspan(1);
    return first;
  }

  SymbolTableMaker& table_;
  Program& program_;
  const Profile& profile_;
  const std::vector<SymbolId>& kept_;
  std::vector<bool> replaced_;   ///< another symbol is listed in its place
  std::vector<bool> signs_;      ///< a group
  std::vector<bool> elsewhere_;  ///< listed at another symbol's place
  std::vector<SymbolId> globals_, last_locals_, last_globals_;
  // What is still to come:
  std::span<const FileSymbol> files_;
  std::span<const OperandTemporary> operands_;            ///< .L symbols of operands, to be kept
  std::span<const OperandTemporary> undefined_operands_;  ///< the same, to be listed where they are undefined
  std::span<const std::pair<SymbolId, SymbolId>> late_, behind_;
};

SymbolTableMaker::Walk::Walk(SymbolTableMaker& table, const std::vector<SymbolId>& kept)
    : table_(table),
      program_(table.program_),
      profile_(table.program_.profile),
      kept_(kept),
      replaced_(table.take_replaced()),
      signs_(table.object_.groups.empty() ? 0 : table.program_.symbols.size()),
      elsewhere_(table.take_late()),
      files_(program_.order.file_symbols),
      operands_(program_.order.operand_temporaries),
      undefined_operands_(operands_),
      late_(program_.order.listed_late),
      behind_(program_.order.listed_behind) {
  for (const auto& group : table.object_.groups) signs_[group.signature] = true;
}

void SymbolTableMaker::Walk::run() {
  const SymbolId count = program_.symbols.size();
  table_.object_.symbols.reserve(files_.size() + count / 2);
  for (SymbolId id = 0; id < count; ++id) {
    if (id == program_.order.late_sections) {
      table_.put_later_sections(kept_);
      if (profile_.kept_before_late_sections) table_.put_kept_labels(kept_);
    }
    if (!late_.empty()) take_late(id);
    if (elsewhere_.empty() || !elsewhere_[id]) take(id);
    if (!behind_.empty()) put_behind(id);
  }
  if (program_.order.late_sections == count) table_.put_later_sections(kept_);
  take_late(no_symbol);
  put_files(no_symbol);
  put_operands(no_symbol);
  if (profile_.kept_temporaries_last) table_.put_all_kept(kept_);
  for (SymbolId id : last_locals_) table_.put(id);
  if (program_.info.elf.all_section_symbols) table_.put_other_sections();
  table_.object_.local_symbols = u32(table_.object_.symbols.size());

  take_undefined_operands(count);
  for (SymbolId id : globals_) table_.put(id);
  for (SymbolId id : last_globals_) table_.put(id);
  if (!profile_.undefined_temporaries_last) return;
  for (SymbolId id : kept_) {
    if (table_.waits_for_end(program_.symbols[id]) && !table_.is_listed_as_operand(id)) table_.put(id);
  }
}

/// Takes a symbol at its place among the others.
void SymbolTableMaker::Walk::take(SymbolId id) {
  const Symbol& s = program_.symbols[id];
  const bool signature = !signs_.empty() && signs_[id];
  const bool listed =
      table_.is_listed(s) && !(signature && s.binding == Binding::unset && table_.stays_in_group(s));
  if (!signature && !listed) return;
  if (table_.waits_for_end(s) || (!replaced_.empty() && replaced_[id])) return;
  table_.check(s);
  if (!listed && !s.is_defined()) {  // known as a signature only: a local symbol, "defined" in the group's header
    if (profile_.signatures_are_text) last_locals_.push_back(id);
    else put_local(id);
  } else if (table_.binding_of(s) != STB_LOCAL) {
    take_global(id, s);
  } else if (!table_.waits_for_other_locals(id)) {
    put_local(id);
  }
}

void SymbolTableMaker::Walk::take_global(SymbolId id, const Symbol& s) {
  if (!undefined_operands_.empty()) take_undefined_operands(id);
  const bool last = profile_.weakref_targets_last && s.has(symbol_weakly_referenced) && !s.is_defined() &&
                    !(s.flags & (symbol_referenced | symbol_declared));
  (last ? last_globals_ : globals_).push_back(id);
}

/// Operands of instructions list undefined .L symbols too.
void SymbolTableMaker::Walk::take_undefined_operands(SymbolId before) {
  while (!undefined_operands_.empty() && undefined_operands_.front().before <= before) {
    const SymbolId id = take_first(undefined_operands_).symbol;
    if (table_.is_listed_as_operand(id)) globals_.push_back(id);
  }
}

void SymbolTableMaker::Walk::put_local(SymbolId id) {
  put_files(id);
  put_operands(id);
  table_.put(id);
}

/// The first .file comes first of all, others where they stood.
void SymbolTableMaker::Walk::put_files(SymbolId before) {
  const bool first = files_.size() == program_.order.file_symbols.size();
  if (first && !files_.empty()) table_.put_file(take_first(files_));
  while (!files_.empty() && files_.front().before <= before) table_.put_file(take_first(files_));
}

void SymbolTableMaker::Walk::put_operands(SymbolId before) {
  if (!profile_.kept_temporaries_last) return;
  while (!operands_.empty() && operands_.front().before <= before) table_.put_kept(take_first(operands_).symbol);
}

/// Symbols that are listed before one that was met later, up to this one.
void SymbolTableMaker::Walk::take_late(SymbolId before) {
  while (!late_.empty() && late_.front().first <= before) take(take_first(late_).second);
}

void SymbolTableMaker::Walk::put_behind(SymbolId id) {
  while (!behind_.empty() && behind_.front().first == id) table_.put(take_first(behind_).second);
}

void SymbolTableMaker::list(const std::vector<SymbolId>& kept) { Walk(*this, kept).run(); }

}  // namespace xas
