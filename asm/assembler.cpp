// The verbs that directives and instructions are made of: bytes, fixups and flexes into the current subsection,
// definitions into the symbol table.
#include "asm/assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

Assembler::Assembler(const Options& o, Target& t)
    : options(o),
      profile(o.profile),
      target(t),
      info(t.info()),
      chars(t.info()),
      is_coff(o.target.format == ObjectFormat::coff) {
  symbols.dot_l_temporary = info.dot_l_temporary;
  symbols.plain_l_temporary = info.plain_l_temporary;
  symbols.dollar_m_temporary = info.dollar_m_temporary;
  if (profile.question_names && !chars.wide_names) {
    chars.wide_names = true;
    chars.of[u8('?')] = char_name_start | char_name;
  }
  diags.no_warnings = o.no_warnings;
  diags.fatal_warnings = o.fatal_warnings;
  diags.limit = o.max_errors;
  macros.alternate = o.start_in_altmacro;
  if (o.mri) macros.set_mri(true);
  if (o.motorola_integers) chars.of[u8('$')] &= u8(~char_name_start);
  listing.on = o.listing.parts != 0;
  lines.start(*this);
  padding.start(target.padding(), o.profile);
  if (profile.defsyms_last_first) {
    for (auto it = o.defsyms.rbegin(); it != o.defsyms.rend(); ++it) symbols.intern_copy(it->first);
  }
  for (const auto& [name, value] : o.defsyms) assign(symbols.intern_copy(name), {.constant = value}, 0, true);
  if (info.mapping_symbols) mapping = Mapping::none;
  watches_labels = o.target.machine == Machine::arm;
  make_initial_sections(*this);
  text_chosen = !o.no_initial_section;
  if (o.no_initial_section) begin_without_section();
}

// Sections

void Assembler::switch_to(Subsection& to) {
  if (lines.wants_sections && current != &to) lines.on_section_change();
  if (current && current != &to) end_piece(current->size);
  if (mapping != Mapping::off) {
    if (current) current_section().mapping = mapping;
    Section& section = sections[to.section];
    mapping = section.mapping;
    if (profile.a64_code_starts_aligned && section.is_code() && options.target.machine == Machine::aarch64) {
      section.log2_align = std::max<u8>(section.log2_align, 2);
    }
  }
  previous = current;
  current = &to;
  frame_text = profile.shortens_advances ? frame_text_of(*this, current_section().name) : nullptr;
  needs_section = false;
  text_chosen |= text && to.id == text->first;
}

void Assembler::report_missing_section() {
  switch_to(sections.sub(text->first));
  error(statement_start, "no section has been chosen for this yet (-n); .text and .section choose one");
}

bool Assembler::can_emit() {
  if (!holds_nothing()) return true;
  if (in_absolute_space()) {
    error(statement_start, "there is nothing to be stored in a .struct; only space can be reserved");
    return false;
  }
  error(statement_start,
        fmt::format("section {} has no contents; only space can be reserved in it", current_section().name));
  return false;
}

// Bytes

void Assembler::emit_bytes(const void* bytes, u64 n) {
  if (lines.pending_data) [[unlikely]]
    lines.before_data(*this);
  if (n == 0) return;
  data_follows();
  if (holds_nothing()) [[unlikely]] {
    const char* const p = static_cast<const char*>(bytes);
    if (std::all_of(p, p + n, [](char c) { return c == 0; })) return void(current->size += n);
    return void(can_emit());
  }
  if (current->size + n > max_section_bytes) {
    error(statement_start,
          fmt::format("section {} would exceed the limit of {} bytes", current_section().name, max_section_bytes));
    return;
  }
  current->append(bytes, n);
}

namespace {

void store(u8* out, u64 value, unsigned size, bool big_endian) {
  if (big_endian) value = __builtin_bswap64(value) >> (64 - 8 * size);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(out, &value, 8);
}

u16 data_kind(unsigned size, bool pcrel) { return u16((pcrel ? fixup_pcrel1 : fixup_data1) + std::countr_zero(size)); }

}  // namespace

void Assembler::emit_int(u64 value, unsigned size) {
  if (lines.pending_data) [[unlikely]]
    lines.before_data(*this);
  data_follows();
  if (holds_nothing()) [[unlikely]] {
    if (value != 0) return void(can_emit());
    current->size += size;
    return;
  }
  store(current->reserve(8), value, size, info.big_endian);
  current->size += size;
}

void Assembler::emit_value(const Value& given, unsigned size, SourceLoc loc) {
  if (given.is_constant() && given.modifier == 0) {
    const i64 v = given.constant;
    if (size < 8) {
      const i64 low = -(i64(1) << (8 * size - 1)), high = (i64(1) << (8 * size)) - 1;
      // GNU as takes anything whose sign-extension or zero-extension fits, and down to -(2^n - 1) too.
      if (v > high || v < (profile.truncate_data ? -high : low)) {
        std::string message =
            fmt::format("{} does not fit in {} byte{} ({} to {})", v, size, size == 1 ? "" : "s", low, high);
        if (!profile.truncate_data) return diags.error(loc, std::move(message));
        const u64 mask = (u64(1) << (8 * size)) - 1;
        diags.warning(loc, fmt::format("{}; truncated to 0x{:x}", message, u64(v) & mask));
      }
    }
    return emit_int(u64(v), size);
  }
  if (!can_emit()) return;
  if (lines.pending_data) [[unlikely]]
    lines.before_data(*this);
  data_follows();
  Value value = given;
  bool pcrel = false;
  if (value.sub == dot_symbol && value.add != dot_symbol) {
    value.sub = no_symbol;
    pcrel = true;
  }
  pin_dot(value);
  store(current->reserve(8), value.modifier ? target.field_bits(value.modifier) : 0, size, info.big_endian);
  add_fixup(u32(current->size), data_kind(size, pcrel), value, loc);
  current->size += size;
}

void Assembler::emit_labels(SymbolId add, SymbolId sub, i64 constant, unsigned size, SourceLoc loc) {
  std::memset(current->reserve(8), 0, 8);
  add_fixup(u32(current->size), data_kind(size, false), add, sub, constant, 0, loc);
  current->size += size;
}

void Assembler::emit_leb(const Value& given, bool is_signed, SourceLoc loc) {
  Value value = given;
  fold(value);
  if (holds_nothing()) {
    if (!value.is_constant() || value.constant != 0) return void(can_emit());
    return void(++current->size);
  }
  if (!value.is_constant()) {
    pin_dot(value);
    if (!profile.maps_all_data) data_follows();  // LLVM does not look at it
    Flex& f = add_flex(FlexKind::leb, loc);
    f.constant = value.constant;
    f.add = value.add;
    f.sub = value.sub;
    f.state = is_signed;
    return;
  }
  if (lines.pending_data) [[unlikely]]
    lines.before_data(*this);
  data_follows();
  u8* out = current->reserve(10);
  unsigned n = 0;
  i64 v = value.constant;
  for (bool more = true; more;) {
    u8 byte = v & 0x7f;
    if (is_signed) {
      v >>= 7;
      more = !((v == 0 && !(byte & 0x40)) || (v == -1 && (byte & 0x40)));
    } else {
      v = i64(u64(v) >> 7);
      more = v != 0;
    }
    out[n++] = more ? byte | 0x80 : byte;
  }
  current->size += n;
}

void Assembler::emit_fill(const Value& given, unsigned size, u64 fill, SourceLoc loc) {
  constexpr u64 inline_limit = 4096;  // larger fills cost no memory until the object is written
  Value count = given;
  fold(count);
  if (mapping < Mapping::off && !(profile.maps_all_data && count.is_constant() && count.constant == 0)) [[unlikely]] {
    if (mapping != Mapping::data && !in_absolute_space()) map(Mapping::data);
  }
  if (count.is_constant()) {
    const u64 n = u64(count.constant);
    u64 bytes;
    if (__builtin_mul_overflow(n, u64(size), &bytes) || (!current->nobits && bytes > max_section_bytes)) {
      return diags.error(
          loc, fmt::format("{} times {} bytes exceed the limit of {} bytes for a section", n, size, max_section_bytes));
    }
    if (holds_nothing() && (fill == 0 || bytes == 0)) {
      if (current->size + bytes < bytes) return diags.error(loc, "section exceeds 2^64 bytes");
      current->size += bytes;
      return;
    }
    if (!can_emit()) return;
    if (codeview.source_lines.on && bytes) [[unlikely]]
      codeview.source_lines.end_piece(*current);
    if (bytes <= inline_limit) {
      u8* out = current->reserve(bytes + 8);
      if (size == 1 || fill == 0) {  // zeros may be wider than 8 bytes (.ds.x)
        std::memset(out, int(fill), bytes);
      } else {
        for (u64 i = 0; i < n; ++i) store(out + i * size, fill, size, info.big_endian);
      }
      current->size += bytes;
      return;
    }
  } else if (current->nobits && fill != 0) {
    can_emit();
    return;
  }
  pin_dot(count);
  Flex& f = add_flex(FlexKind::fill, loc);
  f.constant = count.constant;
  f.add = count.add;
  f.sub = count.sub;
  f.fill = u32(fill);
  f.fill_size = u8(size);
}

void Assembler::emit_align(unsigned log2, unsigned fill_size, u64 fill, u32 max_skip, SourceLoc loc) {
  Section& section = current_section();
  if (section.log2_align < log2) section.log2_align = u8(log2);
  if (log2 == 0) return end_piece(current->size);
  const u64 mask = (u64(1) << log2) - 1;
  if (mapping < Mapping::off && !profile.maps_all_data) [[unlikely]] {
    if (section.is_code() && fill_size == 0) {
      const bool known = current->flexes.empty() && current->number == 0;
      map_code_padding(known ? (0 - current->size) & mask : ~u64(0));
    } else {
      const Mapping to = section.is_code() && !info.arm_labels ? Mapping::code : Mapping::data;
      if (mapping != to) map(to);
    }
  }
  if (holds_nothing()) {
    const bool pads = !current->flexes.empty() || current->number != 0 || (current->size & mask) != 0;
    if (fill_size && fill && pads) return void(can_emit());
    fill_size = 1;
  }
  // What unwind information says of a function depends on whether llvm-mc can tell its length, and a padding keeps it
  // from that.
  const bool late = (info.late_alignments && !current->nobits) || unwind.open != ~u32(0);
  if (current->flexes.empty() && current->number == 0 && !late) {
    // Nothing before this can grow, so the padding is known.
    u64 pad = (0 - current->size) & mask;
    if (max_skip && pad > max_skip) pad = 0;
    if (lines.any_loc) lines.on_fragment(current->id, u32(current->size), u32(current->size + pad), 0);
    if (codeview.source_lines.on) [[unlikely]]
      codeview.source_lines.end_piece(*current);
    end_piece(current->size + pad);
    if (pad == 0 && cfi.in_use) [[unlikely]]
      note_empty_alignment(*this);
    if (pad == 0) return;
    if (current->nobits) return void(current->size += pad);
    if (fill_size == 1 && pad <= 4096) {
      std::memset(current->reserve(pad), int(fill), pad);
      return void(current->size += pad);
    }
    if (fill_size == 0 && pad <= 4096 && !info.late_nops) {
      target.write_nops(current->reserve(pad + 16), {.size = pad, .gnu = profile.gnu});
      return void(current->size += pad);
    }
  }
  Flex& f = add_flex(FlexKind::align, loc);
  f.state = u8(log2);
  f.fill_size = u8(fill_size);
  f.constant = i64(fill);
  f.fill = fill_size ? 0 : target.nop_style();
  f.add = max_skip;
}

void Assembler::emit_org(const Value& to, u8 fill, SourceLoc loc) {
  Value value = to;
  fold(value);
  pin_dot(value);
  if (holds_nothing() && fill) return void(can_emit());
  if (in_absolute_space() && value.is_constant()) return void(current->size = u64(value.constant));
  Flex& f = add_flex(FlexKind::org, loc);
  f.constant = value.constant;
  f.add = value.add;
  f.sub = value.sub;
  f.fill = fill;
}

Flex& Assembler::add_flex(FlexKind kind, SourceLoc loc) {
  make_room(current->flexes);
  Flex& f = current->flexes.emplace_back();
  f.pos = current->size;
  f.kind = kind;
  f.loc = loc;
  return f;
}

void Assembler::add_fixup(u32 pos, u16 kind, SymbolId add, SymbolId sub, i64 constant, u16 modifier, SourceLoc loc) {
  make_room(current->fixups);
  // Made where it stays, of values in registers: to copy what has just been put together in memory costs a stall.
  current->fixups.emplace_back(pos, u32(current->flexes.size()), constant, add, sub, kind, modifier, loc);
}

// Instructions

void Assembler::advance(unsigned n) {
  current->size += n;
  out += n;
}

void Assembler::fixup(FieldFixup field, const Value& given, const char* where) {
  Value value = given;
  value.constant += field.addend;
  fixup_lists_ = info.operands_list_labels ? field.lists : LabelListing::never;
  const char* name = where;
  if (fixup_lists_ == LabelListing::known) {
    if (*name == '*') name = skip_blanks(chars, name + 1);
    if (!chars.is(*name, char_name_start)) fixup_lists_ = LabelListing::never;
  }
  pin_dot(value);
  if (value.add != no_symbol && fixup_lists_ != LabelListing::never &&
      (fixup_lists_ == LabelListing::always || symbols[value.add].loc != loc_of(name))) {
    note_temporary(value.add);
  }
  add_fixup(u32(current->size + field.at), field.kind, value, loc_of(where));
}

void Assembler::note_temporary(SymbolId id) {
  Symbol& s = symbols[id];
  if (!s.has(symbol_temporary) || s.has(symbol_operand)) return;
  s.flags |= symbol_operand;
  operand_temporaries.push_back({id, symbols.size()});
}

SymbolId Assembler::number_symbol(i64 number) {
  if (mapping < Mapping::code) map_code();  // the instruction stands here, and its mark comes first
  const SymbolId id = symbols.intern_copy(fmt::format("*ABS*{:#x}", u64(number)));
  Symbol& s = symbols[id];
  if (s.kind == SymbolKind::undefined) {
    s.kind = SymbolKind::absolute;
    s.value = u64(number);
  }
  return id;
}

void Assembler::relaxable(u16 form, const Value& given, const char* where) {
  const Symbol* s = given.is_symbol_plus_constant() && given.add != dot_symbol ? &symbols[given.add] : nullptr;
  if (s && info.branches_list_labels && s->loc != loc_of(where)) note_temporary(given.add);
  if (s && s->kind == SymbolKind::label && s->where == current->id && s->flex == current->flexes.size() &&
      s->has(symbol_temporary) && given.modifier == 0 && target.relax_pcrel(form) && !padding.widens() &&
      // Unwind tables of ARM ask which functions have such instructions.
      options.target.machine != Machine::arm && !codeview.source_lines.on) {
    // Backwards, over nothing that can grow: decided here. But llvm-mc's alignments show that all branches began small.
    const i64 distance = i64(s->value) + given.constant - i64(current->size);
    u8 state = 0;
    while (!target.relax_range(form, state).contains(distance)) ++state;
    if (state == 0 || profile.moves_while_relaxing) {
      const unsigned size = target.relax_size(form, state);
      u8* at = current->reserve(max_instruction);
      if (i32(distance) != distance || !target.relax_write_known(form, state, i32(distance), at)) {
        const FieldFixup field = target.relax_write(form, state, at);
        std::string problem = target.apply(field.kind, 0, distance - field.at + field.addend, at + field.at);
        if (!problem.empty()) error(where, std::move(problem));
      }
      current->size += size;
      return;
    }
  }
  if (current->nobits) [[unlikely]] return error(where, "the size of this branch is not known in a .struct");
  Value value = given;
  pin_dot(value);
  SymbolId to = value.add;
  if (value.sub != no_symbol || to == no_symbol) {
    // A number or a difference: stands as an expression, so that a flex needs one symbol only.
    const i64 constant = value.constant;
    value.constant = 0;
    to = symbol_for(exprs.leaf(value, loc_of(where)));
    value.constant = constant;
  }
  Flex& f = add_flex(FlexKind::insn, loc_of(where));
  f.form = form;
  f.add = to;
  f.constant = value.constant;
  f.fill = value.modifier;
}

bool Assembler::known_constant(const Value& given, i64& constant) {
  Value value = given;
  fold(value);
  constant = value.constant;
  return value.is_constant() && value.modifier == 0;
}

// Symbols

void Assembler::define_label(SymbolId id, SourceLoc loc) {
  Symbol& s = symbols[id];
  if (s.is_defined() || watches_labels) [[unlikely]]
    return define_watched_label(id, loc);
  s.kind = SymbolKind::label;
  s.where = current->id;
  s.value = current->size;
  s.flex = u32(current->flexes.size());
  s.loc = loc;
  if (lines.wants_labels) [[unlikely]]
    lines.on_label(*this, id);
}

/// A label that is defined already, or while some labels mean more than a place.
void Assembler::define_watched_label(SymbolId id, SourceLoc loc) {
  if (needs_section) report_missing_section();
  if (symbols[id].has(symbol_lto_discarded)) return;
  if (symbols[id].has(symbol_redefinable) && symbols[id].is_defined()) {
    // .set, then a label: what has been read so far keeps the old value.
    id = symbols.rebind(id);
    symbols[id].flags &= u16(~symbol_redefinable);
    symbols[id].kind = SymbolKind::undefined;
  }
  if (is_coff && symbols[id].has(symbol_section) && profile.coff_gnu_symbols) {
    id = symbols.rebind(id);  // a label may have a section's name
    symbols[id].flags = 0;
    symbols[id].kind = SymbolKind::undefined;
  }
  Symbol& s = symbols[id];
  if (s.is_defined()) {
    const bool same_place = s.kind == SymbolKind::label && s.where == current->id && s.value == current->size &&
                            s.flex == current->flexes.size();
    if (same_place && profile.label_twice_same_place && !s.has(symbol_section)) return;
    diags.error(loc, fmt::format("symbol '{}' is already defined", s.text()));
    diags.note(s.loc, "here");
    return;
  }
  s.kind = in_absolute_space() ? SymbolKind::absolute : SymbolKind::label;
  s.where = current->id;
  s.value = current->size;
  s.flex = u32(current->flexes.size());
  s.loc = loc;
  if (s.kind == SymbolKind::absolute && s.flex != 0) {
    diags.error(loc,
                fmt::format("the value of '{}' is not known here: what is before it in the .struct has no known size",
                            s.text()));
  }
  if (lines.wants_labels) lines.on_label(*this, id);
  if (options.target.machine == Machine::arm) on_arm_label(*this, id);
  define_conditional_aliases(*this, id);
}

void Assembler::note_quiet_mentions(SymbolId first) {
  for (SymbolId id = first; id < symbols.size(); ++id) {
    if (!symbols[id].is_defined() && !(symbols[id].flags & (symbol_temporary | symbol_anonymous))) symbols.forget(id);
  }
}

void Assembler::settle_quiet_mentions() {
  symbols.recall_all();
  if (symbols.recalled.empty()) return;
  std::unordered_map<SymbolId, SymbolId> now;
  for (auto r = symbols.recalled.rbegin(); r != symbols.recalled.rend(); ++r) {
    const auto further = now.find(r->second);  // it has been forgotten again
    now.emplace(r->first, further == now.end() ? r->second : further->second);
  }
  for (const auto& [before, id] : symbols.recalled) {
    symbols[id].flags |= symbols[before].flags & (symbol_sized | symbol_weakly_referenced);
    Symbol& s = symbols[before];
    s.kind = SymbolKind::expression;
    s.value = exprs.leaf({.add = id}, s.loc);
    s.flags |= symbol_anonymous | symbol_temporary;
  }
  const auto follow = [&](SymbolId& id) {
    if (const auto known = now.find(id); known != now.end()) id = known->second;
  };
  for (SizeRecord& record : sizes) follow(record.symbol);
  for (SymbolId& id : address_significant) follow(id);
  for (SymbolVersion& version : versions) follow(version.symbol);
}

void Assembler::settle_signatures() {
  if (signatures.empty()) return;
  for (u32 i = 0; i < sections.size(); ++i) {
    Section& section = sections[i];
    if (section.group == no_symbol || !symbols[section.group].has(symbol_anonymous)) continue;
    const SymbolId named = symbols.find(symbols[section.group].text());
    if (named != no_symbol) section.group = named;
  }
  for (const auto& [name, id] : signatures) {
    if (symbols.find(name) == no_symbol) symbols[id].flags &= u16(~u32(symbol_anonymous | symbol_temporary));
  }
}

SymbolId Assembler::make_label_here() {
  const SymbolId id = symbols.make_anonymous();
  define_label(id, here());
  return id;
}

void Assembler::pin_dot(Value& value) {
  if (value.add != dot_symbol && value.sub != dot_symbol) return;
  const SymbolId here = make_label_here();
  if (value.add == dot_symbol) value.add = here;
  if (value.sub == dot_symbol) value.sub = here;
}

SymbolId Assembler::symbol_for(u32 node) {
  const SymbolId id = symbols.make_anonymous();
  Symbol& s = symbols[id];
  s.kind = SymbolKind::expression;
  s.value = node;
  s.loc = exprs[node].loc;
  return id;
}

/// `fresh` is listed where `old` would have been, which is not listed any more.
void Assembler::keep_place(SymbolId old, SymbolId fresh) {
  const auto by_handle = [](const auto& r, SymbolId id) { return r.first < id; };
  const auto last = redefined.empty() || redefined.back().first != old
                        ? std::lower_bound(redefined.begin(), redefined.end(), old, by_handle)
                        : redefined.end() - 1;
  if (last == redefined.end() || last->first != old) {
    redefined.emplace_back(fresh, old);
  } else if (last == redefined.end() - 1) {
    last->first = fresh;  // counters, most often
  } else {
    redefined.emplace_back(fresh, last->second);
  }
}

void Assembler::assign(SymbolId id, const Value& given, SourceLoc loc, bool redefinable) {
  if (given.add == no_symbol && given.sub == no_symbol && given.modifier == 0 && !symbols[id].is_defined()) {
    Symbol& s = symbols[id];  // nearly all: view numbers
    s.loc = loc;
    s.kind = SymbolKind::absolute;
    s.value = u64(given.constant);
    if (redefinable) s.flags |= symbol_redefinable;
    return;
  }
  Value value = given;
  fold(value);
  pin_dot(value);
  if (symbols[id].is_defined()) {
    const Symbol& old = symbols[id];
    if (!redefinable || !old.has(symbol_redefinable)) {
      diags.error(loc, fmt::format("symbol '{}' is already defined", old.text()));
      diags.note(old.loc, "here");
      return;
    }
    if (value.add == id || value.sub == id || old.has(symbol_referenced) || profile.redefinition_is_new) {
      const SymbolId fresh = symbols.rebind(id);
      if (!profile.redefinition_is_new) keep_place(id, fresh);
      id = fresh;
    }
    if (!profile.redefinition_is_new && !is_coff) symbols[id].other = 0;  // GNU as has a new one, which is visible
  }
  Symbol& s = symbols[id];
  s.loc = loc;
  if (redefinable) s.flags |= symbol_redefinable;
  if (value.is_symbol_plus_constant() && value.modifier == 0) {
    const Symbol& base = symbols[value.add];
    aliases.push_back({id, value.add, u32(sizes.size()), value.constant == 0, base.is_defined()});
    note_temporary(value.add);
    if (profile.aliases_copy_at_once && base.is_defined() && base.type != 0 && s.type != elf::STT_GNU_IFUNC)
      s.type = base.type;
  }
  if (value.is_constant() && value.modifier == 0) {
    s.kind = SymbolKind::absolute;
    s.value = u64(value.constant);
    return;
  }
  if (value.is_symbol_plus_constant() && value.modifier == 0 && symbols[value.add].kind == SymbolKind::label) {
    const Symbol& to = symbols[value.add];
    s.kind = SymbolKind::label;
    s.where = to.where;
    s.value = to.value + u64(value.constant);
    s.flex = to.flex;
    return;
  }
  s.kind = SymbolKind::expression;
  s.value = exprs.leaf(value, loc);
}

SymbolId Assembler::new_numeric_label(NumericLabel& label, u32 number) {
  const SymbolId id = symbols.make_anonymous();
  numeric_instances.push_back({id, number, ++label.instances});
  return id;
}

void Assembler::define_numeric_label(u32 number, SourceLoc loc) {
  NumericLabel& l = numeric_labels_[number];
  l.last = l.next != no_symbol ? l.next : new_numeric_label(l, number);
  l.next = no_symbol;
  define_label(l.last, loc);
}

SymbolId Assembler::numeric_label(u32 number, bool forward) {
  NumericLabel& l = numeric_labels_[number];
  if (!forward) return l.last;
  if (l.next == no_symbol) {
    l.next = new_numeric_label(l, number);
    symbols[l.next].loc = here();
  }
  return l.next;
}

void Assembler::report_undefined_numeric_labels() {
  for (const auto& [number, label] : numeric_labels_) {
    if (label.next != no_symbol)
      diags.error(symbols[label.next].loc, fmt::format("there is no label {}: after this", number));
  }
}

// Files

const SourceBuffer* Assembler::find_included(const std::string& name, std::string& error) {
  const SourceLoc from = loc_of(statement_start);
  const SourceBuffer* file = sources.add_file(name, from, error);
  if (file) return inputs.push_back(name), file;
  if (!name.starts_with('/')) {
    for (const std::string& directory : options.include_dirs) {
      const std::string path = directory + "/" + name;
      std::string ignored;
      if ((file = sources.add_file(path, from, ignored))) return inputs.push_back(path), file;
    }
  }
  return nullptr;
}

// Values

void Assembler::fold(Value& v) {
  if (v.add == no_symbol || v.sub == no_symbol || v.modifier) return;
  if (v.add == v.sub) {
    v.add = v.sub = no_symbol;
    return;
  }
  struct Place {
    u32 where, flex;
    u64 pos;
    bool known;
  };
  const auto place = [&](SymbolId id) -> Place {
    if (id == dot_symbol) return {current->id, u32(current->flexes.size()), current->size, true};
    const Symbol& s = symbols[id];
    return {s.where, s.flex, s.value, s.kind == SymbolKind::label};
  };
  if (info.arm_labels && profile.gnu && v.add != dot_symbol) [[unlikely]] {
    // The linker adds the lowest bit to the address of a Thumb function.
    const Symbol& s = symbols[v.add];
    if (s.type == elf::STT_FUNC && (s.other & other_thumb_marks)) return;
  }
  const Place a = place(v.add), b = place(v.sub);
  if (!a.known || !b.known || a.where != b.where || a.flex != b.flex) return;
  v.constant = i64(u64(v.constant) + a.pos - b.pos);
  if (info.arm_labels && !profile.gnu && v.add != dot_symbol && (symbols[v.add].other & other_thumb)) v.constant |= 1;
  v.add = v.sub = no_symbol;
}

bool Assembler::absolute_of(Value value, i64& result, std::string_view what, SourceLoc loc) {
  fold(value);
  ++states_by_now_;
  if (number_by_now(value, result)) return true;
  diags.error(loc, fmt::format("{} must be a constant known at this point", what));
  return false;
}

bool Assembler::absolute(i64& result, std::string_view what) {
  const SourceLoc loc = here();
  Value value;
  if (profile.missing_is_zero && (*p == ',' || at_end_of_statement(*this))) {
    warning(p, fmt::format("{} is missing and taken as 0", what));
    result = 0;
    return true;
  }
  return expression(p, value) && absolute_of(value, result, what, loc);
}

}  // namespace xas
