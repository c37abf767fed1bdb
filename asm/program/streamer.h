// SPDX-License-Identifier: Apache-2.0
// Streamer: the verbs in which everything is said, be it by the directives and instructions of a text or by a program
// that has none. They write the Program, and know no text but where a statement stands, for diagnostics.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "asm/program/frame_synthesis.h"
#include "asm/program/literals.h"
#include "asm/program/open_stream.h"
#include "asm/program/program.h"
#include "asm/program/reserved_code.h"
#include "targets/target.h"

namespace xas {

/// `.lto_set_conditional symbol, target`: waits for the target to be defined
struct ConditionalAlias {
  Name symbol;
  SourceLoc loc;
};

/// Blocks of code that no instruction, and no locked run of instructions, crosses the border of (.bundle_*).
struct Bundles {
  u8 log2 = 0;                   ///< of their size; 0: there are none
  u32 locks = 0;                 ///< .bundle_lock still open
  Subsection* locked = nullptr;  ///< where that is
  u32 fragment = 0;                  ///< the padding before the locked run
  SourceLoc loc = 0;
};

class Streamer final : public Emitter {
 public:
  Streamer(const Options& options, Target& target);
  Streamer(const Streamer&) = delete;
  Streamer& operator=(const Streamer&) = delete;

  Program program;

  // Sections

  Subsection* current = nullptr;                                   ///< where everything goes
  Subsection* previous = nullptr;                                  ///< .previous; null: there is none
  Section& current_section() { return program.sections[current->section]; }
  const Section& current_section() const { return program.sections[current->section]; }
  /// Makes `to` current; `previous` becomes what was current.
  void switch_to(Subsection& to);
  /// Remembers what is current and previous, for pop_section.
  void push_section() { section_stack_.emplace_back(current, previous); }
  /// Back to what push_section has remembered last. False: nothing is left of that.
  bool pop_section();
  bool needs_section = false;  ///< -n: none has been chosen yet; or a stream is open, into which nothing else goes
  void begin_without_section();
  /// Reports that nothing has said where this goes, so that it goes to .text; or that it stands in an open stream.
  void report_missing_section();
  /// Makes `to` current again after other sections were; `before` is what was previous then.
  void return_to(Subsection& to, Subsection* before) {
    if (&to != current) switch_to(to);
    previous = before;
  }
  bool in_absolute_space() const { return current == program.absolute_space; }
  FrameText* frame_text = nullptr;  ///< the current section's, if it describes frames as data

  // Bytes

  /// The current section has no contents. That none has been chosen yet is an error.
  bool holds_nothing() {
    if (current->nobits && needs_section) [[unlikely]]
      report_missing_section();
    return current->nobits;
  }
  /// Fails (with an error) in sections without contents.
  bool can_emit();
  /// Such a section reserves the space alone, with a warning (Profile::bss_ignores_fills).
  bool ignores_fill(SourceLoc loc);
  void emit_bytes(const void* p, u64 n);
  void emit_int(u64 value, unsigned size);                            ///< in the target's byte order
  void emit_value(const Value& value, unsigned size, SourceLoc loc);  ///< a data field: constant, or a fixup
  /// As emit_value for labels and undefined symbols, where nothing is to be seen to: sections, lines, mapping symbols.
  void emit_labels(SymbolId add, SymbolId sub, i64 constant, unsigned size, SourceLoc loc);
  void emit_leb(const Value& value, bool is_signed, SourceLoc loc);
  /// count * size bytes; a Fragment if the count is large or unknown.
  void emit_fill(const Value& count, unsigned size, u64 value, SourceLoc loc);
  /// To a multiple of 2^log2. `fill_size` 0: filled as the section is. Nothing is done if it would take more than
  /// `most` bytes; 0, or more than 32 bits: it takes what it takes.
  void emit_align(unsigned log2, unsigned fill_size, u64 fill, u64 most, SourceLoc loc);
  void emit_org(const Value& to, u8 fill, SourceLoc loc);
  /// What lies between here and the symbol `f.end` is aligned by its size.
  void emit_prefalign(const PrefalignFragment& f, SourceLoc loc) {
    program.symbols[f.end].flags |= symbol_referenced;
    current_section().has_prefalign = true;
    add_fragment(f, loc);
  }
  /// A fragment here; its payload says of which kind.
  template <class Payload>
  Payload& add_fragment(const Payload& payload, SourceLoc loc) {
    if constexpr (Payload::kind != FragmentKind::insn && Payload::kind != FragmentKind::padding) {
      if (reserved.watching) [[unlikely]] reserved.close_shadow(*this, "what has no known size", loc);
    }
    make_room(current->fragments);
    return current->fragments.emplace_back(current->size, loc, payload).template as<Payload>();
  }
  void add_fixup(u32 pos, u16 kind, SymbolId add, SymbolId sub, i64 constant, u16 modifier, SourceLoc loc) {
    BigVector<Fixup>& fixups = current->fixups;
    if (fixups.size() == fixups.capacity()) [[unlikely]]
      make_room_for_fixups(fixups);
    // Spares the vector's own growth, for which registers would be saved each time.
    if (fixups.size() == fixups.capacity()) __builtin_unreachable();
    // Made where it stays, of values in registers: to copy what has just been put together in memory costs a stall.
    fixups.emplace_back(pos, u32(current->fragments.size()), constant, add, sub, kind, modifier, loc);
  }
  void add_fixup(u32 pos, u16 kind, const Value& value, SourceLoc loc) {
    add_fixup(pos, kind, value.add, value.sub, value.constant, value.modifier, loc);
  }
  void end_fragment(u64 pos) {
    if (program.profile.branch_relocations_last) return;
    const FragmentEnd end{current->id, u32(pos), program.sources.statement_loc()};
    if (program.fragment_ends.empty() || program.fragment_ends.back() != end) program.fragment_ends.push_back(end);
  }

  std::unique_ptr<OpenStream> stream;  ///< between .bs_begin and .bs_end

  Bundles bundles;
  ReservedCode reserved;
  /// Padding that `end_bundled` decides: number of its fragment in the current subsection.
  u32 begin_bundled();
  /// Bytes between the padding and here, or more than fit if they do not.
  u64 bundled_size(u32 fragment) const;
  /// What lies between the padding and here has room in a bundle; an error if not.
  bool fits_bundle(u32 fragment, SourceLoc loc);
  /// The same, and it does not cross a border.
  void end_bundled(u32 fragment, SourceLoc loc);

  std::unique_ptr<FrameSynthesis> frame_synthesis;  ///< --scfi

  // Mapping symbols (mapping.cpp)

  Mapping mapping = Mapping::off;  ///< of the current section
  CodePlace data_end{~u32(0), 0, 0};  ///< where code follows data, of what the target asks for (notes_data)
  /// Bytes that are no instruction follow.
  void data_follows() {
    if (mapping < Mapping::off && mapping != Mapping::data) [[unlikely]]
      map_data();
  }
  /// So do bytes that GNU as takes for a fill.
  void fill_follows() {
    if (mapping < Mapping::off && mapping != Mapping::data && !in_absolute_space()) [[unlikely]]
      map(Mapping::data);
  }
  bool only_counts() const override { return in_absolute_space(); }
  bool is_behind_data() const override {
    return mapping == Mapping::data || (data_end.subsection == current->id && data_end.pos == current->size &&
                                        data_end.fragment == current->fragments.size());
  }
  void ends_in_data() override {
    if (program.info.mapping.notes_data) note_mapping(Mapping::data);
  }
  /// Where no-ops have to know what stands before them. Behind data the line cache puts no instruction together, which
  /// would leave no note.
  void note_mapping(Mapping to) {
    mapping = to;
    block = to == Mapping::data ? other_block : u8(0);
  }
  void map(Mapping to);  ///< a mapping symbol here
  /// Sections end with what they begin with, so that a linker may put them together (maps_implicitly).
  void map_ends();
  void map(Mapping to, u64 pos, u32 fragment);
  void map_code();                   ///< an instruction follows
  void map_code(u64 pos, u32 fragment);  ///< one stands there
  void map_data();                   ///< data follow
  /// GNU as marks no data at the start of a section that is not code. On ARM they have their mark where instructions or
  /// fills follow, or in the end.
  bool marks_first_data() const {
    return program.profile.maps_all_data ||
           (!program.info.mapping.late_first_data && program.sections[current->section].is_code());
  }
  void mark_first_data(u64 pos, u32 fragment);
  bool pads_as_before() const;
  u16 padding_style() const;  ///< Target::nop_style of the no-ops of an alignment here
  void map_code_padding(u64 pad);  ///< no-ops follow, up to a boundary; ~0: how many is not known yet (gnu)
  /// The text is at its end: literals that wait are written, and sections know what their last mapping symbol says.
  void finish_text();

  // Symbols

  void define_label(SymbolId id, SourceLoc loc);
  /// Some labels need more than a place: those of .lto_discard, of .lto_set_conditional, of .struct, and those that are
  /// listed where they are defined.
  bool watches_labels = false;
  std::vector<SymbolId> lto_discarded;  ///< symbols that .lto_discard named last
  std::unordered_map<SymbolId, std::vector<ConditionalAlias>> conditional_aliases;  ///< by target
  /// `.set`: sym = value. `redefinable` is false for .equiv.
  void assign(SymbolId id, const Value& value, SourceLoc loc, bool redefinable);
  /// A new anonymous label at the current location.
  SymbolId make_label_here();
  /// Replaces dot_symbol by such a label.
  void pin_dot(Value& value);
  /// The symbols from handle `first` on were first referenced in a size or a LEB128 number. llvm-mc does not list them
  /// there, but where they are defined.
  void referenced_quietly(SymbolId first) {
    if (program.profile.sizes_are_no_reference && first != program.symbols.size()) [[unlikely]]
      note_quiet_references(first);
  }
  // Numeric labels: `1:`, `1b`, `1f`
  void define_numeric_label(u32 number, SourceLoc loc);
  SymbolId numeric_label(u32 number, bool forward, SourceLoc loc);  ///< no_symbol: no such label before this
  void report_undefined_numeric_labels();

  // Values

  /// Makes a number of what is one by now: labels with no fragment between them, absolute symbols.
  void fold(Value& value) { fold(value, &Values::fold); }
  /// The same where a number is needed.
  void fold_to_number(Value& value) { fold(value, &Values::fold_to_number); }
  /// Looks, while it is set, at the differences that `fold` makes a number of: is there an alignment between the ends,
  /// whose padding is known at once? To GNU as, which decides on paddings at the end, that is no number yet.
  bool watches_padding = false;
  bool crossed_padding = false;  ///< there was
  /// Sets it while a size is read.
  class PaddingWatch {
   public:
    explicit PaddingWatch(Streamer& out) : out_(out) {
      out_.crossed_padding = false;
      out_.watches_padding = true;
    }
    ~PaddingWatch() { out_.watches_padding = false; }
    PaddingWatch(const PaddingWatch&) = delete;
    PaddingWatch& operator=(const PaddingWatch&) = delete;

   private:
    Streamer& out_;
  };
  /// The same where the operand of an instruction is read: such a difference stays one, where the processor has fields
  /// of several sizes and GNU as takes the full one for what is not known.
  bool reads_operand = false;
  class OperandOfInstruction {
   public:
    explicit OperandOfInstruction(Streamer& out)
        : out_(out), outer_(std::exchange(out.reads_operand, out.program.info.code.paddings_stay_open)) {}
    ~OperandOfInstruction() { out_.reads_operand = outer_; }
    OperandOfInstruction(const OperandOfInstruction&) = delete;
    OperandOfInstruction& operator=(const OperandOfInstruction&) = delete;

   private:
    Streamer& out_;
    bool outer_;
  };
  CodePlace here() const { return {current->id, u32(current->fragments.size()), current->size}; }
  bool spans_padding(const Value& difference) const;
  /// A difference that operands do not know, whoever asks first.
  bool stays_open(const Value& value) const {
    return program.info.code.paddings_stay_open && value.add != no_symbol && value.sub != no_symbol &&
           spans_padding(value);
  }
  /// The number that a value comes to by now: absolute symbols and what is made of them.
  bool number_by_now(const Value& value, i64& result);

  // Emitter

  void advance(unsigned n) override {
    current->size += n;
    out += n;
  }
  void fixup(FieldFixup field, const Value& value, const char* where) override;
  void relaxable(u16 form, const Value& value, const char* where) override;
  void begin_padded(const PaddedInstruction& insn) override { program.padding.begin(*this, insn); }
  void end_padded(const PaddedInstruction& insn, u8 prefix, unsigned room) override {
    program.padding.end(*this, insn, prefix, room);
  }
  void pin(Value& value) override { pin_dot(value); }
  bool known_constant(const Value& value, i64& constant) override;
  bool start_instruction() override;
  void next_instruction() override;
  void begins_behind(unsigned n) override { program.lines.move_row(*this, u32(n)); }
  bool start_fixup() override;
  SymbolId literal(const Value& value, unsigned size, const char* where) override;
  SymbolId wide_literal(u64 low, u64 high, const char* where) override;
  SymbolId number_symbol(i64 number) override;
  Place place() const override { return {current->id, watched_labels_, current->size, current->fragments.size()}; }
  u64 places() const override;
  void flush_literals() override;
  void frame_step(const FrameStep& step, const char* where) override;
  void no_frame_steps(const char* where, std::string why) override;
  void mode_selected(bool changed, unsigned log2_align) override;
  void stands_alone(unsigned n) override {
    constexpr u64 least = 2, most = 4;  // bytes that such an instruction may come to
    if (program.lines.wants_pieces) program.lines.add_piece(*current, n, 0, most);
    if (n > least) add_fragment(GrownFragment{.fewer = u8(n - least)}, program.sources.statement_loc());
  }
  [[gnu::cold]] void error(const char* where, std::string message) override {
    program.diags.error(program.sources.loc_of(where), std::move(message));
  }
  [[gnu::cold]] void warning(const char* where, std::string message) override {
    program.diags.warning(program.sources.loc_of(where), std::move(message));
  }
  [[gnu::cold]] void note(const char* where, std::string message) override {
    program.diags.note(program.sources.loc_of(where), std::move(message));
  }
  /// Of an instruction that is said by values: symbols that nothing has named before it.
  std::optional<std::span<const SymbolId>> first_named;
  /// FieldFixup::lists of the last fixup, as far as its operand allows.
  LabelListing fixup_lists = LabelListing::never;

  /// `fresh` is listed where `old` would have been, which is not listed any more.
  void keep_place(SymbolId old, SymbolId fresh);

 private:
  [[gnu::noinline]] static void make_room_for_fixups(BigVector<Fixup>& fixups);
  /// An operand that is no text; such a text stands behind the start of the statement.
  bool is_value(const char* where) const { return first_named && where == program.sources.statement; }
  /// Whether something before this operand, which stands at `where`, has named the symbol.
  bool was_named(SymbolId id, const char* where) const {
    if (is_value(where)) return std::ranges::find(*first_named, id) == first_named->end();
    return program.symbols[id].loc != program.sources.loc_of(where);
  }
  void align_for_mode();
  void define_watched_label(SymbolId id, SourceLoc loc, bool is_written = true);
  void note_data_name(SymbolId id);
  void list_here_if_data_named(SymbolId id);
  void note_quiet_references(SymbolId first);

  u32 subsection_of_pool() const;  ///< to which the literals of the current one belong
  LiteralPool& current_pool();
  SymbolId word_literal(LiteralPool& pool, const Value& value, unsigned size, const char* where);
  void write_literals(LiteralPool& pool);
  template <class Write>
  void write_word_pool(LiteralPool& pool, const Write& write);
  std::vector<LiteralPool> pools_;
  static constexpr u32 no_pool = ~u32(0);
  std::vector<u32> pool_of_;  ///< by subsection: its place in pools_

  using Fold = void (Values::*)(Value& value, const CodePlace& dot) const;
  void fold(Value& value, Fold how);

  std::vector<std::pair<Subsection*, Subsection*>> section_stack_;  ///< current and previous

  struct NumericLabel {
    SymbolId last = no_symbol;  ///< the newest definition
    SymbolId next = no_symbol;  ///< the one that `Nf` refers to, if something does
    u32 instances = 0;
  };
  std::unordered_map<u32, NumericLabel> numeric_labels_;
  std::vector<std::pair<SymbolId, SourceLoc>> further_uses_;  ///< of labels to come, if Profile::reports_each_use
  u32 watched_labels_ = 0;  ///< so many labels have been defined, if TargetInfo::Labels::watched
  SymbolId new_numeric_label(NumericLabel& label, u32 number);
};

/// Makes the aliases that have waited for this symbol (.lto_set_conditional).
void define_conditional_aliases(Streamer& out, SymbolId target);

}  // namespace xas
