// SPDX-License-Identifier: Apache-2.0
// The verbs of the Streamer that define symbols: labels, assignments, numeric labels.
//
// A definition may change what symbol a name stands for: after a second `.set`, or where a section has the label's
// name, the name gets a new symbol, and what has been read so far keeps the old one.
#include "asm/program/streamer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/program/aliases.h"
#include "asm/program/thumb_labels.h"
#include "objwriter/elf_constants.h"

namespace xas {

/// A symbol is being defined: it is listed here if nothing but data has named it.
void Streamer::list_here_if_data_named(SymbolId id) {
  if (!program.order.named_by_data.empty() && program.order.named_by_data.erase(id))
    program.order.listed_late.emplace_back(program.symbols.size(), id);
}

// Labels

void Streamer::define_label(SymbolId id, SourceLoc loc) {
  Symbol& s = program.symbols[id];
  if (s.is_defined() || watches_labels) [[unlikely]]
    return define_watched_label(id, loc);
  s.become_label(current->id, current->size, u32(current->fragments.size()));
  s.loc = loc;
  if (program.lines.wants_labels) [[unlikely]]
    program.lines.on_label(*this, id);
}

namespace {

/// A common symbol may be defined after all: anywhere if it has no size yet, else in .data.
bool becomes_data(const Streamer& out, const Symbol& s) {
  if (!out.program.profile.labels_define_commons || s.binding != Binding::global) return false;
  return s.value == 0 || &out.current_section() == out.program.data;
}

}  // namespace

/// A label that is defined already, or while some labels mean more than a place. `is_written`: it stands in the text.
void Streamer::define_watched_label(SymbolId id, SourceLoc loc, bool is_written) {
  if (needs_section) report_missing_section();
  if (reserved.watching && !program.symbols[id].has(symbol_anonymous)) reserved.close_shadow(*this, "a label", loc);
  if (program.symbols[id].has(symbol_lto_discarded)) return;
  if (program.symbols[id].has(symbol_redefinable) && program.symbols[id].is_defined()) {
    // .set, then a label: what has been read so far keeps the old value.
    const SymbolId old = std::exchange(id, program.symbols.rebind(id));
    keep_place(old, id);
    program.symbols[id].flags &= u16(~symbol_redefinable);
    program.symbols[id].kind = SymbolKind::undefined;
  }
  if (program.is_coff && program.symbols[id].has(symbol_section) && program.profile.coff_labels_named_as_sections) {
    id = program.symbols.rebind(id);  // a label may have a section's name
    program.symbols[id].flags = 0;
    program.symbols[id].kind = SymbolKind::undefined;
  }
  Symbol& s = program.symbols[id];
  if (s.kind == SymbolKind::common && becomes_data(*this, s)) s.kind = SymbolKind::undefined;
  if (s.is_defined()) {
    const bool is_place = s.kind == SymbolKind::label ||
                          (s.kind == SymbolKind::absolute && in_absolute_space() && !s.has(symbol_redefinable));
    const bool same_place = is_place && s.where == current->id && s.value == current->size &&
                            s.fragment == current->fragments.size();
    if (same_place && program.profile.label_twice_same_place && !s.has(symbol_section)) return;
    program.report_redefinition(s, loc);
    return;
  }
  s.kind = in_absolute_space() ? SymbolKind::absolute : SymbolKind::label;
  s.where = current->id;
  s.value = current->size;
  s.fragment = u32(current->fragments.size());
  s.loc = loc;
  if (s.kind == SymbolKind::absolute && s.fragment != 0) {
    program.diags.error(
        loc, fmt::format("the value of '{}' is not known here: what is before it in the .struct has no known size",
                         s.text()));
  }
  if (frame_synthesis && !s.has(symbol_anonymous)) frame_synthesis->note_label(*this, id, loc);
  if (program.lines.wants_labels) program.lines.on_label(*this, id);
  list_here_if_data_named(id);
  if (program.info.labels.watched) {
    mark_thumb_label(program, id, is_written);
    ++watched_labels_;
  }
  define_conditional_aliases(*this, id);
}

void Streamer::note_quiet_references(SymbolId first) {
  for (SymbolId id = first; id < program.symbols.size(); ++id) {
    if (!program.symbols[id].is_defined() && !(program.symbols[id].flags & (symbol_temporary | symbol_anonymous)))
      program.symbols.forget(id);
  }
}

SymbolId Streamer::make_label_here() {
  const SymbolId id = program.symbols.make_anonymous();
  const SourceLoc loc = program.sources.statement_loc();
  watches_labels ? define_watched_label(id, loc, false) : define_label(id, loc);
  return id;
}

u64 Streamer::places() const {
  const BigVector<LineRow>& rows = program.lines.rows;
  const bool row_here =
      !rows.empty() && rows.back().pos == current->size && rows.back().fragment == current->fragments.size();
  const std::vector<u32>& open = program.cfi.open_in;
  const bool frame_open = current->id < open.size() && open[current->id];
  const u64 steps = program.cfi.insns.size() + 2 * program.cfi.frames.size() - frame_open;
  return watched_labels_ + program.mapping_symbols.size() + steps + rows.size() - row_here;
}

void Streamer::pin_dot(Value& value) {
  if (value.add != dot_symbol && value.sub != dot_symbol) return;
  const SymbolId here = make_label_here();
  if (value.add == dot_symbol) value.add = here;
  if (value.sub == dot_symbol) value.sub = here;
}

// Assignments

void Streamer::keep_place(SymbolId old, SymbolId fresh) {
  const auto by_handle = [](const auto& r, SymbolId id) { return r.first < id; };
  const auto last =
      program.order.redefined.empty() || program.order.redefined.back().first != old
          ? std::lower_bound(program.order.redefined.begin(), program.order.redefined.end(), old, by_handle)
          : program.order.redefined.end() - 1;
  if (last == program.order.redefined.end() || last->first != old) {
    program.order.redefined.emplace_back(fresh, old);
  } else if (last == program.order.redefined.end() - 1) {
    last->first = fresh;  // counters, most often
  } else {
    program.order.redefined.emplace_back(fresh, last->second);
  }
}

void Streamer::assign(SymbolId id, const Value& given, SourceLoc loc, bool redefinable) {
  if (given.add == no_symbol && given.sub == no_symbol && given.modifier == 0 && !program.symbols[id].is_defined()) {
    Symbol& s = program.symbols[id];  // nearly all: view numbers
    s.loc = loc;
    s.kind = SymbolKind::absolute;
    s.value = u64(given.constant);
    if (redefinable) s.flags |= symbol_redefinable;
    return;
  }
  if (reserved.watching && given.add == dot_symbol) reserved.close_shadow(*this, "a label", loc);
  Value value = given;
  if (!stays_open(value)) fold(value);
  pin_dot(value);
  if (program.symbols[id].is_defined()) {
    const Symbol& old = program.symbols[id];
    if (!redefinable || !old.has(symbol_redefinable)) {
      program.report_redefinition(old, loc);
      return;
    }
    if (value.add == id || value.sub == id || old.has(symbol_referenced) || program.profile.redefinition_is_new) {
      const SymbolId fresh = program.symbols.rebind(id);
      if (!program.profile.redefinition_is_new) keep_place(id, fresh);
      id = fresh;
    }
    if (!program.profile.redefinition_is_new && !program.is_coff)
      program.symbols[id].other = 0;  // GNU as has a new one, which is visible
  }
  list_here_if_data_named(id);
  Symbol& s = program.symbols[id];
  s.loc = loc;
  if (redefinable) s.flags |= symbol_redefinable;
  if (value.is_symbol_plus_constant() && value.modifier == 0) {
    const Symbol& base = program.symbols[value.add];
    const bool waits = program.profile.aliases_copy_at_once && base.kind == SymbolKind::expression;
    // GNU as: what is later has what the base has in the end, but not behind a constant.
    const bool behind = program.profile.aliases_copy_at_once && value.constant != 0;
    const bool takes_at_once = !waits && (base.is_defined() || behind);
    program.records.aliases.push_back(
        {id, value.add, u32(program.records.sizes.size()), value.constant == 0, takes_at_once});
    program.note_temporary(value.add);
    if (program.profile.aliases_copy_at_once && takes_at_once && given.add != dot_symbol && !base.has(symbol_section))
      take_from_base(program, s, base);
  }
  if (value.is_constant() && value.modifier == 0) {
    s.kind = SymbolKind::absolute;
    s.value = u64(value.constant);
    return;
  }
  if (value.is_symbol_plus_constant() && value.modifier == 0 && program.symbols[value.add].kind == SymbolKind::label) {
    const Symbol& to = program.symbols[value.add];
    s.become_label(to.where, to.value + u64(value.constant), to.fragment);
    return;
  }
  s.kind = SymbolKind::expression;
  s.value = program.exprs.leaf(value, loc);
}

// Numeric labels

SymbolId Streamer::new_numeric_label(NumericLabel& label, u32 number) {
  const SymbolId id = program.symbols.make_anonymous();
  program.order.numeric_instances.push_back({id, number, ++label.instances});
  return id;
}

void Streamer::define_numeric_label(u32 number, SourceLoc loc) {
  NumericLabel& l = numeric_labels_[number];
  l.last = l.next != no_symbol ? l.next : new_numeric_label(l, number);
  l.next = no_symbol;
  if (reserved.watching) [[unlikely]]
    reserved.close_shadow(*this, "a label", loc);
  program.lines.any_label = true;
  define_label(l.last, loc);
  if (frame_synthesis) [[unlikely]]
    frame_synthesis->note_label(*this, l.last, loc);
}

SymbolId Streamer::numeric_label(u32 number, bool forward, SourceLoc loc) {
  NumericLabel& l = numeric_labels_[number];
  if (!forward) return l.last;
  if (l.next == no_symbol) {
    l.next = new_numeric_label(l, number);
    program.symbols[l.next].loc = loc;
  } else if (program.profile.reports_each_use) {
    further_uses_.emplace_back(l.next, loc);
  }
  return l.next;
}

void Streamer::report_undefined_numeric_labels() {
  std::ranges::stable_sort(further_uses_, {}, [](const auto& use) { return use.first; });
  std::vector<std::pair<SourceLoc, std::string>> errors;
  for (const auto& [number, label] : numeric_labels_) {
    if (label.next == no_symbol) continue;
    const std::string message =
        fmt::format("there is no label {0}: after this{1}", number,
                    label.last != no_symbol ? fmt::format("; '{}b' is the one before it", number) : "");
    errors.emplace_back(program.symbols[label.next].loc, message);
    for (const auto& [symbol, loc] :
         std::ranges::equal_range(further_uses_, label.next, {}, [](const auto& use) { return use.first; }))
      errors.emplace_back(loc, message);
  }
  std::ranges::sort(errors);
  for (auto& [loc, message] : errors) program.diags.error(loc, std::move(message));
}

}  // namespace xas
