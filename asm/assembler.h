// The state of one assembly, and the verbs that directives are written in. `assemble` (assemble.cpp) tells the whole
// story from text to object; this header is what all of asm/ shares.
#pragma once

#include <bit>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asm/arm.h"
#include "asm/branch_padding.h"
#include "asm/cfi.h"
#include "asm/codeview.h"
#include "asm/coff.h"
#include "asm/diag.h"
#include "asm/dwarf_line.h"
#include "asm/expr.h"
#include "asm/frame_text.h"
#include "asm/instruction_memo.h"
#include "asm/known_directive.h"
#include "asm/listing.h"
#include "asm/macro.h"
#include "asm/options.h"
#include "asm/pseudo_probe.h"
#include "asm/scan.h"
#include "asm/section.h"
#include "asm/source.h"
#include "asm/stab_lines.h"
#include "asm/symbol.h"
#include "asm/win_unwind.h"
#include "asm/word_shape.h"
#include "targets/target.h"

namespace xas {

/// `.size symbol, value`
struct SizeRecord {
  SymbolId symbol;
  Value value;
  SourceLoc loc;
};

/// `.set symbol, base + constant`: the symbol takes over the type and the size of its base.
struct Alias {
  SymbolId symbol, base;
  u32 sizes_before;   ///< how many .size had been read
  bool plain;         ///< without a constant
  bool base_defined;  ///< by then
};

/// `.file "name"`
struct FileSymbol {
  std::string_view name;
  SymbolId before;  ///< the first symbol that was met behind it
};

/// The first instruction that names a defined .L symbol, or the first .type or .size of one.
struct OperandTemporary {
  SymbolId symbol;
  SymbolId before;  ///< the first symbol that was met behind it
};

/// `.reloc offset, type, value`
struct RelocRecord {
  u32 subsection;  ///< the current one; a constant offset counts from its section's start
  Value offset;
  u32 type;
  Value value;
  SourceLoc loc;
};

/// `.cg_profile from, to, count`
struct CallGraphEdge {
  Name from_name, to_name;  ///< not met as symbols by this: they are listed as if first met at the end of the text
  SymbolId from, to;
  u64 count;
  SourceLoc loc;
  SourceLoc from_loc = 0, to_loc = 0;
};

/// `.symver symbol, name@version`
struct SymbolVersion {
  SymbolId symbol;
  std::string_view versioned_name;
  bool keep_original;
  SourceLoc loc;
  enum Original : u8 { as_it_is, local, hidden } original = as_it_is;  ///< what becomes of the symbol itself
};

/// `.lto_set_conditional symbol, target`: waits for the target to be defined
struct ConditionalAlias {
  Name symbol;
  SourceLoc loc;
};

/// `.gnu_attribute tag, value`
struct GnuAttribute {
  u64 number = 0;
  std::string text;
};

/// .aeabi_subsection and .aeabi_attribute (AArch64)
struct BuildAttributes {
  struct Attribute {
    u64 tag = 0;
    u64 number = 0;
    std::string text;
  };
  struct Subsection {
    std::string name;
    bool optional;
    bool strings;  ///< ntbs, else uleb128
    std::vector<Attribute> attributes;
  };
  std::vector<Subsection> subsections;
  std::size_t active = 0;
};

/// The right side of `.eqv name, expression`
struct Equation {
  const SourceBuffer* source;
  const char* text;
  bool has_dot;  ///< what is listed is its value at the end
};

/// One open .if (cond.cpp).
struct Conditional {
  SourceLoc loc;
  bool taken = false;     ///< some branch of it has been assembled, or none will be
  bool active = false;    ///< the current branch is assembled
  SourceLoc else_loc = 0;
};

/// A buffer that was left for another: where reading goes on when that one is at its end.
struct OpenSource {
  const SourceBuffer* buffer;
  const char* p;
  SourceKind inner;   ///< what it was left for
  bool at_line_start;
  u32 conditionals;   ///< how many were open then
};

struct Directive;

class Assembler final : public Emitter {
 public:
  Assembler(const Options& options, Target& target);

  const Options& options;
  const Profile& profile;
  Target& target;
  const TargetInfo& info;

  Diags diags;
  Sources sources;
  SymbolTable symbols;
  ExprPool exprs;
  SectionTable sections;
  CharTable chars;

  DwarfLines lines;
  StabLines stab_lines;
  CfiTable cfi;
  const bool is_coff;
  CoffState coff;  ///< what only COFF objects have
  UnwindTable unwind;
  ArmState arm;      ///< what only ARM objects have
  CodeView codeview;

  // Reading

  const char* p = nullptr;              ///< the cursor: next character of the current statement
  const SourceBuffer* source = nullptr; ///< what it points into
  const char* statement_start = nullptr;
  bool finished = false;                ///< .end was seen
  std::vector<OpenSource> open_sources; ///< below the current one
  std::vector<Conditional> conditionals;
  Macros macros;
  InstructionMemo memo;
  InstructionTemplates templates;
  WordTemplates word_templates;
  /// Instructions may mean something else from here on.
  void forget_instructions() {
    memo.forget();
    templates.forget();
    word_templates.forget();
  }
  Listing listing;
  FrameText frame_texts[2];         ///< of .eh_frame and .debug_frame
  FrameText* frame_text = nullptr;  ///< the current section's
  u32 instructions_read = 0;  ///< and how often a target asked for what a name or an expression means
  u32 meanings_read = 0;

  /// Assembles the text of a buffer and all it includes.
  void read(const SourceBuffer& buffer);
  bool at_line_start = true;            ///< the next statement is the first of its line
  void statement();                     ///< one statement, up to its end
  void end_statement();                 ///< moves over the end; reports what does not belong there
  void line_comment();                  ///< a comment that is a whole line, perhaps a line marker; p goes to its end
  /// Goes on in another buffer; where the current one goes on is p. The buffer starts with the end of a statement.
  void enter(const SourceBuffer& buffer, SourceKind kind);
  /// Back to where the current buffer was entered from, whatever is left of it.
  void leave();
  /// The current buffer is at its end: the next round of a loop, or back. False if that is the end of `read`.
  bool next_source(std::size_t depth);
  /// Opens a file for .include or .incbin: as named, then in the include directories. Null with the reason.
  const SourceBuffer* find_included(const std::string& name, std::string& error);
  std::string printed;                  ///< by .print: for standard output
  std::vector<std::string> inputs;      ///< every file that was opened, in order (for --MD)
  void skip_statement();                ///< moves p to the end of the statement, over strings and comments
  SourceLoc here() const { return source ? source->loc(p) : 0; }
  SourceLoc loc_of(const char* at) const { return source ? source->loc(at) : 0; }

  // Sections (directives/section.cpp, section.cpp)

  Subsection* current = nullptr;        ///< where everything goes
  Subsection* previous = nullptr;       ///< .previous
  std::vector<std::pair<Subsection*, Subsection*>> section_stack;  ///< .pushsection: current and previous
  Section& current_section() { return sections[current->section]; }
  SectionIndex section_index;  ///< by name, group, ... (directives/section.cpp, coff.cpp)
  /// Makes `to` current; `previous` becomes what was current.
  void switch_to(Subsection& to);
  bool needs_section = false;  ///< -n: none has been chosen yet
  bool text_chosen = false;    ///< .text was current
  void begin_without_section();
  /// Reports that nothing has said where this goes; it goes to .text.
  void report_missing_section();
  /// Makes `to` current again after other sections were; `before` is what was previous then.
  void return_to(Subsection& to, Subsection* before) {
    if (&to != current) switch_to(to);
    previous = before;
  }
  /// The section of this name with default attributes for it, made if needed.
  Section& section_named(std::string_view name);
  SymbolId section_symbol(Section& section);
  /// The symbol table has the section's symbol even if nothing needs it.
  void list_section(Section& section) { symbols[section_symbol(section)].flags |= symbol_in_relocation; }

  /// The section in which nothing but labels can be made, and those are numbers: .struct and .offset.
  Subsection* absolute_space = nullptr;
  bool in_absolute_space() const { return current == absolute_space; }
  u8 absolute_bytes_[2 * max_instruction];  ///< what instructions there would be

  // Emitting

  /// The current section has no contents. That none has been chosen yet is an error.
  bool holds_nothing() {
    if (current->nobits && needs_section) [[unlikely]]
      report_missing_section();
    return current->nobits;
  }
  /// Fails (with an error) in sections without contents.
  bool can_emit();
  void emit_bytes(const void* p, u64 n);
  void emit_int(u64 value, unsigned size);                ///< in the target's byte order
  void emit_value(const Value& value, unsigned size, SourceLoc loc);  ///< a data field: constant, or a fixup
  /// As emit_value for labels and undefined symbols, where nothing is to be seen to: sections, lines, mapping symbols.
  void emit_labels(SymbolId add, SymbolId sub, i64 constant, unsigned size, SourceLoc loc);
  void emit_leb(const Value& value, bool is_signed, SourceLoc loc);
  /// count * size bytes; a Flex if the count is large or unknown.
  void emit_fill(const Value& count, unsigned size, u64 value, SourceLoc loc);
  void emit_align(unsigned log2, unsigned fill_size, u64 fill, u32 max_skip,
                  SourceLoc loc);  ///< fill_size 0: by section
  void emit_org(const Value& to, u8 fill, SourceLoc loc);
  Flex& add_flex(FlexKind kind, SourceLoc loc);
  void add_fixup(u32 pos, u16 kind, SymbolId add, SymbolId sub, i64 constant, u16 modifier, SourceLoc loc);
  void add_fixup(u32 pos, u16 kind, const Value& value, SourceLoc loc) {
    add_fixup(pos, kind, value.add, value.sub, value.constant, value.modifier, loc);
  }

  // Bundles: blocks of code that no instruction, and no locked run of instructions, crosses the border of (.bundle_*)

  struct Bundles {
    u8 log2 = 0;                  ///< of their size; 0: there are none
    u32 locks = 0;                ///< .bundle_lock still open
    Subsection* locked = nullptr; ///< where that is
    u32 flex = 0;                 ///< the padding before the locked run
    SourceLoc loc = 0;
  } bundles;
  /// Padding that `end_bundled` settles: number of its flex in the current subsection.
  u32 begin_bundled();
  /// What lies between the padding and here does not cross a border.
  void end_bundled(u32 flex, SourceLoc loc);

  BranchPadding padding;

  // Mapping symbols and literal pools (mapping.cpp)

  Mapping mapping = Mapping::off;       ///< of the current section
  /// Bytes that are no instruction follow.
  void data_follows() {
    if (mapping < Mapping::off && mapping != Mapping::data) [[unlikely]] map_data();
  }
  void map(Mapping to);                 ///< a mapping symbol here
  void map(Mapping to, u64 pos, u32 flex);
  void map_code();                      ///< an instruction follows
  void map_code(u64 pos, u32 flex);     ///< one stands there
  void align_for_mode();
  void map_data();                      ///< data follow
  /// GNU as marks no data at the start of a section that is not code. On ARM they have their mark where instructions or
  /// fills follow, or in the end.
  bool marks_first_data() const {
    return profile.maps_all_data || (!info.arm_labels && sections[current->section].is_code());
  }
  void map_code_padding(u64 pad);       ///< no-ops follow, up to a boundary; ~0: how many is not known yet (gnu)
  void map_written(Subsection& sub, u64 pos);  ///< a section that is made from records has data at `pos`
  void finish_literals();
  /// After layout: drops mapping symbols that nothing follows (gnu).
  void finish_mapping();
  void drop_mapping_symbols();
  void map_odd_paddings();

  // Symbols

  void define_label(SymbolId id, SourceLoc loc);
  /// Some labels need more than a place: those of .lto_discard, of .lto_set_conditional, of .struct, and those that are
  /// listed where they are defined.
  bool watches_labels = false;
  /// `.set`: sym = value. `redefinable` is false for .equiv.
  void assign(SymbolId id, const Value& value, SourceLoc loc, bool redefinable);
  void keep_place(SymbolId old, SymbolId fresh);
  /// GNU as lists a .L symbol here, should a relocation keep it; only the first call for a symbol counts.
  void note_temporary(SymbolId id);
  /// A new anonymous label at the current location.
  SymbolId make_label_here();
  /// Replaces dot_symbol by such a label.
  void pin_dot(Value& value);
  /// An anonymous symbol standing for the expression.
  SymbolId symbol_for(u32 node);

  // Values

  /// Settles labels of one flexless stretch, absolute symbols, ... as far as is possible now.
  void fold(Value& value);
  /// l op r, or op l; false with an error where it has no value.
  bool fold_constants(ExprOp op, i64 l, i64 r, i64& result, SourceLoc loc);
  /// A constant known now; reports an error that says `what` had to be constant otherwise.
  bool absolute(i64& result, std::string_view what);
  bool absolute_of(Value value, i64& result, std::string_view what, SourceLoc loc);
  bool expression_value(Value& value) { return expression(p, value); }
  u16 mention = symbol_referenced;  ///< the flag of names in expressions: none where a mention lists nothing
  /// What the text of `.eqv id, text` comes to here.
  bool equation_value(SymbolId id, Value& value);
  /// The number that a value comes to by now: absolute symbols and what is made of them.
  bool number_by_now(const Value& value, i64& result);

  /// After layout: what a symbol, or add - sub + constant, comes to.
  Resolved resolve(SymbolId id);
  Resolved resolve(const Value& value);
  /// After layout: brings a value to its simplest form, in which only labels, undefined and common symbols are left,
  /// and no two labels of one section. False, and why, if it has no such form.
  bool reduce(Value& value, const char*& why);
  u64 label_offset(const Symbol& label) const;  ///< in its section
  u32 layout_version = 0;                       ///< counts the states of the layout

  // Records that become sections or symbol attributes at the end

  std::vector<SizeRecord> sizes;
  BigVector<RelocRecord> relocs;
  void add_reloc(const RelocRecord& r) {
    make_room(relocs);
    relocs.push_back(r);
  }
  /// Where llvm-mc, after a .reloc, begins another piece of a subsection, and no flex shows it: id, bytes before it.
  std::vector<std::pair<u32, u64>> pieces;
  void end_piece(u64 pos) {
    if (!relocs.empty() && !profile.branch_relocations_last) [[unlikely]]
      pieces.emplace_back(current->id, pos);
  }
  /// Signatures of groups that nothing else has named yet: text to GNU as, which lists them where something names them.
  std::unordered_map<std::string_view, SymbolId> signatures;
  void settle_signatures();  ///< at the end of the text: they mean the symbols of their names
  std::unordered_map<SymbolId, bool> attached_groups;  ///< of .attach_to_group, and whether they are COMDATs
  std::vector<CallGraphEdge> call_graph;
  std::vector<SymbolId> address_significant;
  std::vector<SymbolId> memory_tagged;  ///< by .memtag
  bool emit_addrsig = false;
  bool gnu_abi = false;  ///< a symbol's type is one that only GNU systems know, whether it is listed or not
  std::vector<SymbolVersion> versions;
  std::vector<Alias> aliases;
  std::vector<FileSymbol> file_symbols;  ///< in order
  std::vector<OperandTemporary> operand_temporaries;
  std::vector<SymbolId> lto_discarded;   ///< symbols that .lto_discard named last
  std::unordered_map<SymbolId, std::vector<ConditionalAlias>> conditional_aliases;  ///< by target
  std::unordered_map<SymbolId, Equation> equations;
  /// llvm-mc does not list a symbol for its mention in a size or a LEB128 number, but where it is defined. Those whose
  /// handles, from `first` on, are older than that:
  void mentioned_quietly(SymbolId first) {
    if (profile.sizes_are_no_mention && first != symbols.size()) [[unlikely]]
      note_quiet_mentions(first);
  }
  void note_quiet_mentions(SymbolId first);
  void settle_quiet_mentions();  ///< at the end of the text: all mean the symbols of their names
  /// Symbols that .set defined anew, by handle, and the handle in whose place they are listed (gnu).
  std::vector<std::pair<SymbolId, SymbolId>> redefined;
  std::vector<std::pair<SymbolId, SymbolId>> listed_late;  ///< before which handle, ~0: behind all; the symbol
  std::map<u32, GnuAttribute> gnu_attributes;  ///< by tag
  BuildAttributes build_attributes;
  PseudoProbes pseudo_probes;
  Section* text = nullptr;
  Section* data = nullptr;
  Section* bss = nullptr;

  // Emitter

  void advance(unsigned n) override;
  bool expression(const char*& p, Value& value) override;
  bool term(const char*& p, Value& value) override;
  void fixup(FieldFixup field, const Value& value, const char* where) override;
  void relaxable(u16 form, const Value& value, const char* where) override;
  void begin_padded(const PaddedInstruction& insn) override { padding.begin(*this, insn); }
  void end_padded(const PaddedInstruction& insn, u8 prefix, unsigned room) override {
    padding.end(*this, insn, prefix, room);
  }
  void pin(Value& value) override { pin_dot(value); }
  bool known_constant(const Value& value, i64& constant) override;
  int register_alias(std::string_view name) override;
  bool bind_register(std::string_view name, int number, const char* where) override;
  bool start_instruction() override;
  SymbolId literal(const Value& value, unsigned size, const char* where) override;
  SymbolId number_symbol(i64 number) override;
  Place place() const override { return {current->id, arm.labels, current->size, current->flexes.size()}; }
  void flush_literals() override;
  void mode_selected(bool changed, unsigned log2_align) override;
  void selected(std::string_view what, std::string_view value) override;
  void stands_alone(unsigned n) override {
    lines.on_fragment(current->id, u32(current->size - n), u32(current->size), u32(current->flexes.size()));
  }
  bool mark_symbol(const char*& p, u8 other) override;
  [[gnu::cold]] void error(const char* where, std::string message) override {
    diags.error(loc_of(where), std::move(message));
  }
  [[gnu::cold]] void warning(const char* where, std::string message) override {
    diags.warning(loc_of(where), std::move(message));
  }
  [[gnu::cold]] void note(const char* where, std::string message) override {
    diags.note(loc_of(where), std::move(message));
  }
  [[gnu::cold]] void error_here(std::string message) { error(p, std::move(message)); }

  // Numeric labels: `1:`, `1b`, `1f`
  void define_numeric_label(u32 number, SourceLoc loc);
  SymbolId numeric_label(u32 number, bool forward);  ///< no_symbol: no such label before this
  void report_undefined_numeric_labels();
  struct NumericInstance {
    SymbolId symbol;
    u32 number;
    u32 instance;  ///< which one it is of those with its number, from 1
  };
  std::vector<NumericInstance> numeric_instances;  ///< by symbol

  struct MappingSymbol {
    SymbolId symbol;
    u32 section;
  };
  std::vector<MappingSymbol> mapping_symbols;
  /// Padding of code that may start at no multiple of an instruction's size.
  struct CodePadding {
    u32 subsection;
    u32 flex;         ///< flexes before it
    u64 pos;
    u64 size;         ///< ~0: that of the flex
    SymbolId symbol;  ///< made for it; or none
  };
  std::vector<CodePadding> code_paddings;

 private:
  struct Literal {
    Value value;
    unsigned size;
    SymbolId label;
    SourceLoc loc;
    bool forgotten = false;  ///< its symbol has no name until the pool is written
  };
  struct LiteralPool {
    u32 subsection;
    std::vector<Literal> literals = {};
    std::unordered_map<u64, u32> index = {};        ///< of `literals`, by literal_key
    std::unordered_map<u64, Literal> written = {};  ///< by .ltorg, the last of each key, if later loads may use them
  };
  std::vector<LiteralPool> pools_;
  bool same_literal(const Literal& l, const Value& value, unsigned size) const;
  u64 literal_key(const Value& value, unsigned size) const;
  SymbolId written_literal(const LiteralPool& pool, u64 key, const Value& value, unsigned size) const;
  void write_literals(LiteralPool& pool);
  template <class Write>
  void write_word_pool(const LiteralPool& pool, const Write& write);
  void define_watched_label(SymbolId id, SourceLoc loc);
  bool assignment(const Name& name, const char* after);
  void warn_of_multibyte(const SourceBuffer& buffer);
  bool target_directive(const Name& name);
  void instruction(const Name& name);
  void first_instruction(const Name& name, const char* operands, bool counted);
  void read_instruction(const Name& name, const char* operands, bool counted);
  void reserve_names(std::size_t text);
  void read_on();
  std::size_t names_before_ = 0;  ///< read_on: symbols when the last part was begun
  bool quick_statement();
  const char* next_line(const char* q) const;
  bool repeated_instruction(const char* text);
  void remember_branch(const InstructionTemplate& t, const InstructionShape& shape, const char* text);
  bool from_template(const InstructionTemplate& t, const InstructionShape& shape, const char* text);
  bool from_template(const WordTemplate& t, const WordShape& shape, const char* text);
  /// The symbol of a template that is put to use.
  struct TemplateSymbol {
    SymbolId id = no_symbol;
    bool is_known = false;  ///< it has stood before
  };
  bool template_symbol(const SymbolTemplate& t, std::string_view name, TemplateSymbol& s);
  void begin_template(const char* text, const char* end);
  void template_fixup(const SymbolTemplate& t, const TemplateSymbol& s, const char* where);
  /// What an instruction that is read finds.
  struct BeforeInstruction {
    const Subsection* where;
    bool mapped;  ///< or its first bytes could be padding
    u64 size;
    std::size_t flexes, fixups, said;
    u32 instructions, meanings;
  };
  BeforeInstruction before_instruction() const;
  bool read_alone(const BeforeInstruction& before, const char* text, const char* next);
  template <class Shape, class Templates>
  bool repeated_shape(const Shape& shape, bool shaped, Templates& table, const char* text, const InstructionLine& line,
                      bool is_short);
  /// What the line came to, which starts at `size`.
  void remember_line(const InstructionLine& line, u64 size);
  void remember_shape(const InstructionShape& shape, const BeforeInstruction& before);
  void remember_shape(const WordShape& shape, const BeforeInstruction& before);
  bool remember_symbol(SymbolTemplate& t, std::string_view name, const BeforeInstruction& before);
  /// FieldFixup::lists of the last fixup, as far as its operand allows.
  LabelListing fixup_lists_ = LabelListing::never;
  bool directive_line(const char* text);
  bool known_directive(const KnownDirective& known, const char* text);
  void classify(KnownDirective& e) const;

  KnownDirectives known_directives_;
  KnownBranches known_branches_;

  // plain.cpp
  /// Reads as many plain lines as stand at p, the start of a line. What directive stands at the start of the first
  /// other line, if that is known.
  const KnownDirective* plain_lines();
  /// Data go into the current section as they are, without anything else to be seen to.
  bool plain_data_fits() const {
    return !current->nobits && !info.big_endian && !frame_text && std::endian::native == std::endian::little &&
           (mapping == Mapping::off || mapping == Mapping::data || (mapping == Mapping::none && !marks_first_data()));
  }
  bool plain_loc_line(const char* text, const char* operand, const char* newline);
  bool plain_branch_line(const char* text);
  bool plain_number_line(const KnownDirective& known, const char* operand, const char* newline);
  bool plain_data_line(const KnownDirective& known, const char* operand, const char* newline);
  /// Where the line ends of which q is the rest: there, or behind a comment. Null: elsewhere.
  const char* plain_line_end(const char* q, const char* newline) const;
  const char* plain_label(const char* q, SymbolId& id, u64& number);
  void bundled_instruction(const Name& name);
  /// A name that is a label or undefined so far; q moves behind it.
  bool plain_name(const char*& q, SymbolId& id);

  struct NumericLabel {
    SymbolId last = no_symbol;  ///< the newest definition
    SymbolId next = no_symbol;  ///< the one that `Nf` refers to, if something does
    u32 instances = 0;
  };
  std::unordered_map<u32, NumericLabel> numeric_labels_;
  SymbolId new_numeric_label(NumericLabel& label, u32 number);

  // resolve.cpp
  bool expand(SymbolId id, Value& out, const char*& why);
  bool evaluate(u32 node, Value& out, const char*& why);
  bool comparable(const Value& l, const Value& r) const;
  bool join(Value& l, const Value& r, const char*& why);
  bool node_by_now(u32 node, i64& result);
  /// What a symbol that stands for an expression has come to, in one state of things.
  struct Expanded {
    u32 version = ~u32(0);
    bool open = false;  ///< it is being worked out
    const char* why;    ///< it has no value, and why; else null
    Value value;
  };
  using ExpandedSymbols = std::unordered_map<SymbolId, Expanded>;
  template <class Work>
  const Expanded& settle(ExpandedSymbols& table, u32 version, SymbolId root, Work&& work);
  void push_unsettled(const ExpandedSymbols& table, u32 version, u32 node);
  ExpandedSymbols expanded_, by_now_;
  std::vector<SymbolId> unsettled_;  ///< that settle still has to look at
  u32 states_by_now_ = 0;            ///< the version of by_now_
};

/// A directive's handler: the cursor `a.p` stands behind the name and the blanks after it; the handler reads its
/// operands and leaves the cursor behind them (the caller reports what is left on the statement). `arg` is from the
/// table, so that one handler serves several names.
using DirectiveHandler = void (*)(Assembler& a, u32 arg);

struct Directive {
  std::string_view name;  ///< lower case, with the dot
  DirectiveHandler handler;
  u32 arg = 0;
};

}  // namespace xas
