// SPDX-License-Identifier: Apache-2.0
// The verbs that directives and instructions are made of: bytes, fixups and fragments into the current subsection.
// Those that define symbols are in streamer_definitions.cpp.
#include "asm/program/streamer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "asm/program/elf_sections.h"
#include "objwriter/coff_constants.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

/// Bytes of fills and paddings that are written at once; larger ones cost no memory until the object is written.
static constexpr u64 inline_limit = 4096;

/// --defsym. GNU as goes from the last option to the first, which counts; ELF lists what others of that name have said.
static void define_option_symbols(Streamer& out, const std::vector<std::pair<std::string, i64>>& defsyms) {
  SymbolTable& symbols = out.program.symbols;
  const bool last_first = out.program.profile.defsyms_last_first;
  for (std::size_t i = 0; i < defsyms.size(); ++i) {
    const auto& [name, value] = defsyms[last_first ? defsyms.size() - 1 - i : i];
    SymbolId id = symbols.intern_copy(name);
    if (symbols[id].is_defined() && !last_first) {
      symbols[id].value = u64(value);
      continue;
    }
    if (symbols[id].is_defined()) {
      const SymbolId other = std::exchange(id, symbols.rebind(id));
      if (!out.program.is_coff) symbols[other].flags = symbols[id].flags;
      symbols[id].kind = SymbolKind::undefined;
    }
    out.assign(id, {.constant = value}, 0, true);
  }
}

Streamer::Streamer(const Options& o, Target& t) : program(o, t) {
  wants_fragments = program.info.code.branches_settle;
  define_option_symbols(*this, o.defsyms);
  if (const u32 version = program.profile.version_symbol) {
    const SymbolId symbol = program.symbols.intern_copy("GAS(version)");
    assign(symbol, {.constant = version}, 0, false);
    program.symbols[symbol].flags |= symbol_anonymous;  // even -L does not list it
  }
  watches_labels = program.info.labels.watched;
  if (o.target.frame_steps) {
    frame_synthesis = std::make_unique<FrameSynthesis>();
    wants_frame_steps = watches_labels = true;
  }
  if (o.large_code_model && !program.is_coff && program.info.elf.is_64) program.pc_sections.offset_size = 8;
  make_initial_sections(*this);
  if (program.info.mapping.symbols || program.info.mapping.notes_data) mapping = program.text->mapping;
  program.text_chosen = !o.no_initial_section;
  if (o.no_initial_section) begin_without_section();
}

// Sections

/// To llvm-mc a section begins with a piece of subsection 0, which is empty if another subsection is chosen first.
static void end_first_fragment(Program& program, const Subsection& chosen) {
  const auto is_empty = [](const Subsection& sub) { return sub.size == 0 && sub.fragments.empty(); };
  const Subsection& first = program.sections.sub(program.sections[chosen.section].default_subsection);
  if (program.profile.branch_relocations_last || &first == &chosen || !is_empty(first) || !is_empty(chosen)) return;
  program.fragment_ends.push_back({first.id, 0, program.sources.statement_loc()});
}

void Streamer::switch_to(Subsection& to) {
  if (stream) [[unlikely]]
    return report_missing_section();
  if (program.lines.wants_sections && current != &to) program.lines.on_section_change();
  if (current && current != &to) {
    end_fragment(current->size);
    if (to.number != 0) end_first_fragment(program, to);
    if (reserved.watching && reserved.in_patch_point(*this)) [[unlikely]]
      reserved.close_shadow(*this, "a change of the section", program.sources.statement_loc());
  }
  if (mapping != Mapping::off) {
    if (current) {
      current->mapping = mapping;
      current_section().mapping = program.as_selected(mapping);
    }
    Section& section = program.sections[to.section];
    mapping = program.mapping_of(section);
    if (program.info.mapping.notes_data)
      note_mapping(program.info.mapping.notes_subsections ? to.mapping
                   : to.size == 0 && to.fragments.empty() ? Mapping::none
                                                          : section.mapping);
    if (program.profile.a64_code_starts_aligned && section.is_code())
      section.log2_align = std::max(section.log2_align, program.info.code.section_log2);
  }
  previous = current;
  current = &to;
  frame_text = program.profile.shortens_advances ? frame_text_of(program, current_section().name) : nullptr;
  needs_section = false;
  if (reserved.any()) [[unlikely]] reserved.switched(*this);
  program.text_chosen |= program.text && to.id == program.text->first;
}

bool Streamer::pop_section() {
  if (section_stack_.empty()) return false;
  const auto [to, before] = section_stack_.back();
  section_stack_.pop_back();
  return_to(*to, before);
  return true;
}

void Streamer::report_missing_section() {
  if (stream) {
    needs_section = false;
    current = stream->into;
    program.diags.error(program.sources.statement_loc(), "a stream is open; it takes '.bs_*' directives only");
    return program.diags.note(stream->loc, "it begins here");
  }
  switch_to(program.sections.sub(program.text->first));
  error(program.sources.statement, "no section has been chosen for this yet (-n); .text and .section choose one");
}

bool Streamer::can_emit() {
  if (!holds_nothing()) return true;
  if (in_absolute_space()) {
    error(program.sources.statement, "there is nothing to be stored in a .struct; only space can be reserved");
    return false;
  }
  error(program.sources.statement,
        fmt::format("section {} has no contents; only space can be reserved in it", current_section().name));
  return false;
}

bool Streamer::ignores_fill(SourceLoc loc) {
  if (!holds_nothing() || in_absolute_space() || !program.profile.bss_ignores_fills) return false;
  program.diags.warning(
      loc, fmt::format("section {} has no contents; the fill value is ignored", current_section().name));
  return true;
}

// Bytes

std::string beyond_limit(const Section& section, u64 limit) {
  return limit == ~u64(0) ? fmt::format("section {} exceeds 2^64 bytes", section.name)
                          : fmt::format("section {} exceeds the limit of {} bytes", section.name, limit);
}

std::string beyond_alignment(i64 log2, unsigned largest) {
  return fmt::format("alignment 2^{} exceeds the limit of 2^{}", log2, largest);
}

void Streamer::emit_bytes(const void* bytes, u64 n) {
  if (program.lines.pending_data) [[unlikely]]
    program.lines.before_data(*this);
  if (n == 0) return;
  data_follows();
  if (holds_nothing()) [[unlikely]] {
    const char* const p = static_cast<const char*>(bytes);
    if (std::all_of(p, p + n, [](char c) { return c == 0; })) return void(current->size += n);
    return void(can_emit());
  }
  if (current->size + n > max_section_bytes) {
    return error(program.sources.statement, beyond_limit(current_section(), max_section_bytes));
  }
  current->append(bytes, n);
}

namespace {

u16 data_kind(unsigned size, bool pcrel) { return u16((pcrel ? fixup_pcrel1 : fixup_data1) + std::countr_zero(size)); }

}  // namespace

void Streamer::emit_int(u64 value, unsigned size) {
  if (program.lines.pending_data) [[unlikely]]
    program.lines.before_data(*this);
  data_follows();
  if (holds_nothing()) [[unlikely]] {
    if (value != 0) return void(can_emit());
    current->size += size;
    return;
  }
  store_int_in_8(current->reserve(8), value, size, program.info.big_endian);
  current->size += size;
}

void Streamer::emit_value(const Value& given, unsigned size, SourceLoc loc) {
  if (given.is_constant() && given.modifier == 0) {
    const i64 v = given.constant;
    if (size < 8) {
      const i64 low = -(i64(1) << (8 * size - 1)), high = (i64(1) << (8 * size)) - 1;
      // GNU as takes anything whose sign-extension or zero-extension fits, and down to -(2^n - 1) too.
      if (v > high || v < (program.profile.truncate_data ? -high : low)) {
        std::string message =
            fmt::format("{} does not fit in {} byte{} ({} to {})", v, size, size == 1 ? "" : "s", low, high);
        if (!program.profile.truncate_data) return program.diags.error(loc, std::move(message));
        const u64 mask = (u64(1) << (8 * size)) - 1;
        program.diags.warning(loc, fmt::format("{}; truncated to 0x{:x}", message, u64(v) & mask));
      }
    }
    return emit_int(u64(v), size);
  }
  if (!can_emit()) return;
  if (program.lines.pending_data) [[unlikely]]
    program.lines.before_data(*this);
  data_follows();
  Value value = given;
  bool pcrel = false;
  if (value.sub == dot_symbol && value.add != dot_symbol) {
    value.sub = no_symbol;
    pcrel = true;
  }
  if (value.modifier && value.add != no_symbol && value.add != dot_symbol) note_data_name(value.add);
  pin_dot(value);
  store_int_in_8(current->reserve(8), value.modifier ? program.target.field_bits(value.modifier) : 0, size,
        program.info.big_endian);
  add_fixup(u32(current->size), data_kind(size, pcrel), value, loc);
  current->size += size;
}

/// Data name a symbol with a modifier.
void Streamer::note_data_name(SymbolId id) {
  if (program.info.labels.data_names == DataNames::operands) program.note_temporary(id);
  if (program.info.labels.data_names != DataNames::not_listed) return;
  const Symbol& s = program.symbols[id];
  if (program.sources.is_before(s.loc, program.sources.statement_loc())) return;  // known before
  if (s.has(symbol_temporary) && !s.is_defined()) program.order.named_by_data.insert(id);
}

void Streamer::emit_labels(SymbolId add, SymbolId sub, i64 constant, unsigned size, SourceLoc loc) {
  std::memset(current->reserve(8), 0, 8);
  add_fixup(u32(current->size), data_kind(size, false), add, sub, constant, 0, loc);
  current->size += size;
}

void Streamer::emit_leb(const Value& given, bool is_signed, SourceLoc loc) {
  Value value = given;
  fold(value);
  if (holds_nothing()) {
    if (!value.is_constant() || value.constant != 0) return void(can_emit());
    return void(++current->size);
  }
  if (!value.is_constant()) {
    pin_dot(value);
    if (!program.profile.maps_all_data) data_follows();  // LLVM does not look at it
    add_fragment(LebFragment{.number = value, .encoding = leb_encoding(is_signed)}, loc);
    return;
  }
  if (program.lines.pending_data) [[unlikely]]
    program.lines.before_data(*this);
  data_follows();
  u8* const out = current->reserve(max_leb128_size);
  current->size += is_signed ? write_sleb128(out, value.constant) : write_uleb128(out, u64(value.constant));
}

namespace {

/// Around what adds padding: labels that wait for an instruction move behind it.
class Padding {
 public:
  explicit Padding(Streamer& out) : out_(out), pos_(out.current->size) {}
  ~Padding() {
    if (!out_.program.pc_sections.waiting.empty()) [[unlikely]]
      pass_over_padding(out_, pos_);
  }
  Padding(const Padding&) = delete;
  Padding& operator=(const Padding&) = delete;

 private:
  Streamer& out_;
  u64 pos_;
};

}  // namespace

void Streamer::emit_fill(const Value& given, unsigned size, u64 fill, SourceLoc loc) {
  const Padding padding(*this);
  Value count = given;
  fold(count);
  if (mapping < Mapping::off) [[unlikely]] {
    // LLVM marks all but nothing; GNU as leaves out first data that are nothing, or whose size it does not know.
    const bool is_known = count.is_constant(), is_nothing = is_known && count.constant == 0;
    const bool first_is_marked = is_known && (!is_nothing || marks_first_data());
    const bool marked = program.profile.maps_all_data ? !is_nothing : mapping != Mapping::none || first_is_marked;
    if (marked) fill_follows();
  }
  if (count.is_constant()) {
    const u64 n = u64(count.constant);
    u64 bytes;
    if (__builtin_mul_overflow(n, u64(size), &bytes) || (!current->nobits && bytes > max_section_bytes)) {
      return program.diags.error(
          loc, fmt::format("{} times {} bytes exceed the limit of {} bytes for a section", n, size, max_section_bytes));
    }
    if (holds_nothing() && (fill == 0 || bytes == 0)) {
      const u64 limit = in_absolute_space() ? ~u64(0) : program.section_limit(true);
      if (bytes > limit || current->size > limit - bytes)
        return program.diags.error(loc, beyond_limit(current_section(), limit));
      current->size += bytes;
      return;
    }
    if (!can_emit()) return;
    if (program.codeview.source_lines.on && bytes) [[unlikely]]
      program.codeview.source_lines.end_piece(*current);
    end_fragment(current->size);
    if (bytes <= inline_limit) {
      u8* out = current->reserve(bytes + 8);
      if (size == 1 || fill == 0) {  // zeros may be wider than 8 bytes (.ds.x)
        std::memset(out, int(fill), bytes);
      } else {
        for (u64 i = 0; i < n; ++i) store_int_in_8(out + i * size, fill, size, program.info.big_endian);
      }
      current->size += bytes;
      if (program.lines.wants_pieces && bytes) [[unlikely]]
        program.lines.add_piece(*current, bytes, 0, size);
      return;
    }
  } else if (current->nobits && fill != 0) {
    can_emit();
    return;
  }
  pin_dot(count);
  add_fragment(FillFragment{.count = count, .pattern = u32(fill), .unit = u8(size)}, loc);
}

static void raise_alignment(Program& program, Section& section, unsigned log2, SourceLoc loc) {
  if (program.is_coff && log2 > coff::largest_log2_alignment && !section.absolute) {
    return program.diags.error(loc, beyond_alignment(log2, coff::largest_log2_alignment) + " for a section of COFF");
  }
  section.log2_align = u8(log2);
}

void Streamer::emit_align(unsigned log2, unsigned fill_size, u64 fill, u64 most, SourceLoc loc) {
  const Padding padding(*this);
  const u32 max_skip = most > ~u32(0) || most >= u64(1) << log2 ? 0 : u32(most);
  if (reserved.watching) [[unlikely]] reserved.close_shadow(*this, "an alignment", loc);
  Section& section = current_section();
  if (section.log2_align < log2) raise_alignment(program, section, log2, loc);
  if (log2 == 0) return end_fragment(current->size);
  const u64 mask = (u64(1) << log2) - 1;
  const bool known = current->fragments.empty() && current->number == 0;  // nothing before this can grow
  u64 pad = known ? (0 - current->size) & mask : ~u64(0);
  if (known && max_skip && pad > max_skip) pad = 0;
  if (mapping < Mapping::off && !program.profile.maps_all_data && program.info.mapping.symbols) [[unlikely]] {
    if (section.is_code() && fill_size == 0) {
      map_code_padding(pad);
    } else {
      const Mapping to = section.is_code() && !program.info.mapping.fills_are_data ? Mapping::code : Mapping::data;
      if (mapping != to) map(to);
    }
  }
  if (known && fill_size > 1 && pad % fill_size && program.profile.fills_fit_padding && !holds_nothing())
    program.diags.error(
        loc, fmt::format("the padding has {} bytes, which is not a multiple of the fill's {}", pad, fill_size));
  if (holds_nothing()) {
    const bool pads = !known || (current->size & mask) != 0;
    if (fill_size && fill && pads && !ignores_fill(loc)) return void(can_emit());
    fill_size = 1;
  }
  // What unwind information says of a function depends on whether llvm-mc can tell its length, and a padding keeps it
  // from that.
  const bool late = (program.info.code.late_alignments && !current->nobits) || program.unwind.open != ~u32(0);
  const bool after_data = mapping == Mapping::data && program.info.mapping.notes_data;
  const bool is_kept = pad == 0 || current->nobits ||
                       (pad <= inline_limit && (fill_size == 1 || (fill_size == 0 && !program.info.code.late_nops)));
  if (known && !late && is_kept) {
    current->note_padding(current->size + pad);
    if (program.codeview.source_lines.on) [[unlikely]]
      program.codeview.source_lines.end_piece(*current);
    end_fragment(current->size + pad);
    if (pad == 0 && program.cfi.in_use) [[unlikely]]
      end_initial_rules(*this);
    if (pad != 0 && !current->nobits) {
      u8* const padding_bytes = current->reserve(pad + 16);
      if (fill_size) {
        std::memset(padding_bytes, int(fill), pad);
      } else {
        program.target.write_nops(
            padding_bytes,
            {.size = pad, .gnu = program.profile.gnu_target, .after_data = after_data, .style = padding_style()});
      }
    }
    current->size += pad;
    if (program.lines.wants_pieces)
      program.lines.add_piece(*current, pad, 0,
                              fill_size ? fill_size : program.target.fragment_sizes().padding_room(log2, max_skip));
    return;
  }
  add_fragment(AlignFragment{.pattern = fill,
                             .max_skip = max_skip,
                             .nop_style = fill_size ? u16(0) : padding_style(),
                             .log2 = u8(log2),
                             .pattern_size = u8(fill_size),
                             .after_data = after_data},
               loc);
}

void Streamer::emit_org(const Value& to, u8 fill, SourceLoc loc) {
  if (reserved.watching) [[unlikely]] reserved.close_shadow(*this, "what has no known size", loc);
  Value value = to;
  fold(value);
  pin_dot(value);
  if (holds_nothing() && fill) return void(can_emit());
  if (in_absolute_space() && value.is_constant()) return void(current->size = u64(value.constant));
  add_fragment(OrgFragment{.to = value, .fill = fill}, loc);
}

void Streamer::make_room_for_fixups(BigVector<Fixup>& fixups) {
  make_room(fixups);
  constexpr std::size_t first = 16;
  if (fixups.size() == fixups.capacity()) fixups.reserve(std::max(2 * fixups.size(), first));
}

// Instructions

void Streamer::fixup(FieldFixup field, const Value& given, const char* where) {
  if (program.encodings.on) [[unlikely]]
    program.encodings.field(field, given);
  Value value = given;
  value.constant = i64(u64(value.constant) + u64(field.addend));
  fixup_lists = program.info.labels.operands_list ? field.lists : LabelListing::never;
  const char* name = where;
  if (fixup_lists == LabelListing::known && !is_value(where)) {
    if (*name == '*') name = skip_blanks(program.chars, name + 1);
    if (!program.chars.is(*name, char_name_start)) fixup_lists = LabelListing::never;
  }
  pin_dot(value);
  if (value.add != no_symbol && fixup_lists != LabelListing::never &&
      (fixup_lists == LabelListing::always || was_named(value.add, name) == (fixup_lists == LabelListing::known))) {
    program.note_temporary(value.add);
  }
  add_fixup(u32(current->size + field.at), field.kind, value, program.sources.loc_of(where));
}

SymbolId Streamer::number_symbol(i64 number) {
  if (mapping < Mapping::code) map_code();  // the instruction stands here, and its mark comes first
  return program.symbol_of_number(number);
}

void Streamer::relaxable(u16 form, const Value& given, const char* where) {
  if (program.encodings.on) [[unlikely]]
    program.encodings.relaxable(program, *current, form, given);
  const Symbol* s = given.is_symbol_plus_constant() && given.add != dot_symbol ? &program.symbols[given.add] : nullptr;
  if (s && program.info.labels.branches_list && program.info.labels.operands_list && was_named(given.add, where))
    program.note_temporary(given.add);
  if (s && s->kind == SymbolKind::label && s->where == current->id && s->fragment == current->fragments.size() &&
      s->has(symbol_temporary) && given.modifier == 0 && program.target.relax_pcrel(form) &&
      !program.padding.widens() &&
      // Unwind tables of ARM ask which functions have such instructions.
      !program.info.code.branches_stay && !program.codeview.source_lines.on) {
    // Backwards, over nothing that can grow: decided here. But llvm-mc's alignments show that all branches began small.
    const i64 distance = i64(s->value) + given.constant - i64(current->size);
    u8 state = 0;
    while (!program.target.relax_range(form, state).contains(distance)) ++state;
    if (state == 0 || program.profile.relax_order == RelaxOrder::waiting) {
      const unsigned size = program.target.relax_size(form, state);
      u8* at = current->reserve(max_instruction);
      if (i32(distance) != distance || !program.target.relax_write_known(form, state, i32(distance), at)) {
        const FieldFixup field = program.target.relax_write(form, state, at);
        std::string problem = program.target.apply(field.kind, 0, distance - field.at + field.addend, at + field.at);
        if (!problem.empty()) error(where, std::move(problem));
      }
      current->size += size;
      if (program.lines.wants_pieces) {
        const Target::FragmentSizes sizes = program.target.fragment_sizes();
        program.lines.add_piece(*current, size, sizes.branch_fixed, sizes.branch_room);
      }
      return;
    }
  }
  if (current->nobits) [[unlikely]]
    return error(where, "the size of this branch is not known in a .struct");
  Value value = given;
  pin_dot(value);
  SymbolId to = value.add;
  if (value.sub != no_symbol || to == no_symbol) {
    // A number or a difference: stands as an expression, so that a fragment needs one symbol only.
    const i64 constant = value.constant;
    value.constant = 0;
    to = program.symbol_for(program.exprs.leaf(value, program.sources.loc_of(where)));
    value.constant = constant;
  }
  add_fragment(InsnFragment{.constant = value.constant, .target = to, .form = form, .modifier = value.modifier},
               program.sources.loc_of(where));
}

bool Streamer::known_constant(const Value& given, i64& constant) {
  const OperandOfInstruction operand(*this);
  if (program.gnu_abi && program.values.is_indirect_difference(given)) return false;
  Value value = given;
  fold_to_number(value);
  constant = value.constant;
  return value.is_constant() && value.modifier == 0;
}

void Streamer::frame_step(const FrameStep& step, const char* where) {
  frame_synthesis->note_step(*this, step, program.sources.loc_of(where));
}

void Streamer::no_frame_steps(const char* where, std::string why) {
  if (frame_synthesis->in_function(*this)) error(where, std::move(why));
}

// Values

void Streamer::fold(Value& value, Fold how) {
  if (value.add == no_symbol || value.sub == no_symbol || value.modifier) return;
  if (watches_padding || reads_operand) [[unlikely]] {
    const bool over_padding = spans_padding(value);
    if (over_padding && reads_operand) return;
    crossed_padding |= over_padding;
  }
  (program.values.*how)(value, here());
}

bool Streamer::spans_padding(const Value& difference) const {
  CodePlace end, start;
  return program.values.places(difference, here(), end, start) && end.subsection == start.subsection &&
         program.sections.sub(end.subsection).has_padding_between(start.pos, end.pos);
}

bool Streamer::number_by_now(const Value& given, i64& result) {
  Value value = given;
  fold_to_number(value);
  return program.values.number_by_now(value, result);
}

}  // namespace xas
