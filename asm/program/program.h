// SPDX-License-Identifier: Apache-2.0
// Program: what has been said so far. Sections with their fragments, symbols, expressions, and the records of which the
// made sections and the symbol table come. The Streamer writes it while text is read, or while a program calls its
// verbs; the phases behind the text (layout, frames and line tables, relocations, symbols, the object) read it, and add
// what they make.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/options/options.h"
#include "asm/program/branch_padding.h"
#include "asm/program/codeview.h"
#include "asm/program/coff.h"
#include "asm/program/dwarf_line.h"
#include "asm/program/ehabi.h"
#include "asm/program/encodings.h"
#include "asm/program/expr_pool.h"
#include "asm/program/frame_text.h"
#include "asm/program/frames.h"
#include "asm/program/line_bytes.h"
#include "asm/program/listing.h"
#include "asm/program/pc_section.h"
#include "asm/program/pieces.h"
#include "asm/program/pseudo_probe.h"
#include "asm/program/section.h"
#include "asm/program/stab_lines.h"
#include "asm/program/stack_map.h"
#include "asm/program/symbol.h"
#include "asm/program/values.h"
#include "asm/program/win_unwind.h"
#include "asm/text/scan.h"
#include "asm/text/source.h"
#include "targets/target.h"

namespace xas {

/// `.size symbol, value`
struct SizeRecord {
  SymbolId symbol;
  Value value;
  SourceLoc loc;
  bool over_padding = false;  ///< a number to xas, but to GNU as an expression: see Streamer::crossed_padding
};

/// `.set symbol, base + constant`: the symbol takes over the type and the size of its base.
struct Alias {
  SymbolId symbol, base;
  u32 sizes_before;    ///< how many .size had been read
  bool plain;          ///< without a constant
  bool takes_at_once;  ///< it has the type and size that the base has by then; else those that it has in the end
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
  u8 field_size = 0;  ///< its place becomes a data field of so many bytes (Target::relocated_field); 0: it has a type
  bool at_addend = false;  ///< .vtable_entry: where there is no addend, it stands in the place of the offset
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

/// What directives say of symbols and sections and what becomes of it at the end: attributes, tables, aliases.
struct Records {
  std::vector<SizeRecord> sizes;
  std::vector<SymbolVersion> versions;
  std::vector<Alias> aliases;
  /// Labels that became global or weak after they stood somewhere, and where that was said: calls before that are of
  /// a local label (Profile::calls_choose_at_once).
  std::unordered_map<SymbolId, SourceLoc> made_global;
  /// Signatures of groups and symbols that sections are linked to, which nothing else has named yet: text to GNU as,
  /// which lists them where something names them.
  std::unordered_map<std::string_view, SymbolId> texts;
  std::unordered_set<SymbolId> comdat_groups;  ///< those of the first sections, as far as .attach_to_group has looked
  u32 searched_for_groups = 0;                 ///< how many sections that are
  std::vector<CallGraphEdge> call_graph;
  std::vector<SymbolId> address_significant;
  std::vector<SymbolId> memory_tagged;  ///< by .memtag
  bool emit_addrsig = false;
  std::map<u32, GnuAttribute> gnu_attributes;  ///< by tag
  BuildAttributes build_attributes;
};

/// A numeric label's instance: `1:`
struct NumericInstance {
  SymbolId symbol;
  u32 number;
  u32 instance;  ///< which one it is of those with its number, from 1
};

/// Where llvm-mc begins another fragment of a subsection, and none here shows it.
struct FragmentEnd {
  u32 subsection;
  u32 pos;        ///< bytes before it
  SourceLoc loc;  ///< of what ends it: labels at its end belong to it if they stand before
  auto operator<=>(const FragmentEnd&) const = default;
};

/// Where symbols stand in the symbol table, if not in the order in which they were met.
struct SymbolOrder {
  std::vector<FileSymbol> file_symbols;  ///< in order
  std::vector<OperandTemporary> operand_temporaries;
  /// Symbols that .set defined anew, by handle, and the handle in whose place they are listed (gnu).
  std::vector<std::pair<SymbolId, SymbolId>> redefined;
  std::vector<std::pair<SymbolId, SymbolId>> listed_late;  ///< before which handle, ~0: behind all; the symbol
  std::vector<std::pair<SymbolId, SymbolId>> listed_behind;  ///< directly behind which handle; the symbol
  std::vector<NumericInstance> numeric_instances;          ///< by symbol
  /// .L symbols that data were the first to name, with an operator, where that does not list them.
  std::unordered_set<SymbolId> named_by_data;
  /// From this handle on, symbols of sections that GNU as lists when it comes upon them in relocations.
  SymbolId late_sections = no_symbol;
};

/// Where symbols were met, for what GNU as lists in that order. It meets a .L symbol where .type, .size or an operand
/// makes a symbol of it (note_temporary), and not where it is named first.
class MeetingOrder {
 public:
  /// Behind how many other symbols, and which of the .L symbols it is; other symbols stand before those.
  using Place = std::pair<SymbolId, std::size_t>;

  explicit MeetingOrder(const Program& program);
  /// Of a .L symbol that nothing has made one: behind all others.
  Place place(SymbolId id) const;

 private:
  const Program& program_;
  std::unordered_map<SymbolId, Place> temporaries_;
};

struct MappingSymbol {
  SymbolId symbol;
  u32 section;
};

/// Padding of code that may start at no multiple of an instruction's size.
struct CodePadding {
  u32 subsection;
  u32 fragment;  ///< fragments before it
  u64 pos;
  u64 size;          ///< ~0: that of the fragment
  const char* mark;  ///< the mapping symbol of no-ops there
  u8 unit;           ///< bytes of one
};

class Program {
 public:
  Program(const Options& options, Target& target);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // What it is made for; never changed

  const Options& options;
  const Profile& profile;
  Target& target;
  const TargetInfo& info;
  const bool is_coff;

  /// The exponent of the largest alignment that an address of the target can have.
  unsigned largest_log2_align() const { return info.elf.is_64 ? 63 : 31; }
  /// Bytes that a section may have.
  u64 section_limit(bool nobits) const {
    if (!nobits) return max_section_bytes;
    return is_coff || !info.elf.is_64 ? ~u32(0) : ~u64(0);
  }

  // Text and what was found wrong with it

  CharTable chars;
  Sources sources;
  Diags diags;
  Listing listing;
  Encodings encodings;
  LineBytes line_bytes;

  // What was said

  SymbolTable symbols;
  ExprPool exprs;
  SectionTable sections;
  SectionIndex section_index;  ///< by name, group, ... (elf_section, coff_section)
  Section* text = nullptr;
  Section* data = nullptr;
  Section* bss = nullptr;
  /// The section in which nothing but labels can be made, and those are numbers: .struct and .offset.
  Subsection* absolute_space = nullptr;
  bool text_chosen = false;  ///< .text was current
  bool gnu_abi = false;      ///< a symbol's type is one that only GNU systems know, whether it is listed or not

  // Records that become sections or symbol attributes at the end

  Records records;
  SymbolOrder order;
  BigVector<RelocRecord> relocs;
  void add_reloc(const RelocRecord& r) {
    make_room(relocs);
    relocs.push_back(r);
  }
  std::vector<FragmentEnd> fragment_ends;  ///< what .reloc asks of (llvm)
  DwarfLines lines;
  StabLines stab_lines;
  CodeView codeview;
  Pieces pieces;
  PseudoProbes pseudo_probes;
  PcSections pc_sections;
  StackMaps stack_maps;
  CfiTable cfi;
  FrameText frame_texts[2];  ///< of .eh_frame and .debug_frame
  UnwindTable unwind;
  CoffState coff;  ///< what only COFF objects have
  EhabiTables ehabi;  ///< exception tables of ARM
  BranchPadding padding;
  std::vector<MappingSymbol> mapping_symbols;
  /// Only what is not what its kind of section begins and ends with gets a mapping symbol.
  bool maps_implicitly() const {
    return options.implicit_mapping_symbols && info.mapping.symbols && !info.mapping.late_first_data;
  }
  std::vector<CodePadding> code_paddings;
  /// A mapping as Section::mapping has it, from one that means the encoding that is selected, and back.
  Mapping as_selected(Mapping m) const {
    if (m != Mapping::code && m != Mapping::other_code) return m;
    return target.thumb() == (m == Mapping::code) ? Mapping::other_code : Mapping::code;
  }
  Mapping mapping_of(const Section& s) const { return as_selected(s.mapping); }

  Values values{*this};    ///< what expressions come to
  u32 layout_version = 0;  ///< counts the states of the layout
  bool fields_decided = false;  ///< fields have their values, or relocations (make_object)

  /// The section of this name with default attributes for it, made if needed.
  Section& section_named(std::string_view name);
  SymbolId section_symbol(Section& section);
  /// The symbol table has the section's symbol even if nothing needs it.
  void list_section(Section& section) { symbols[section_symbol(section)].flags |= symbol_in_relocation; }
  /// An anonymous symbol standing for the expression.
  SymbolId symbol_for(u32 node);
  /// A local symbol that is this number, by which relocations name it: `*ABS*0x100`.
  SymbolId symbol_of_number(i64 number);
  /// GNU as lists a .L symbol here, should a relocation keep it; only the first call for a symbol counts.
  void note_temporary(SymbolId id);
  /// What defines `s`, which is defined, once more stands at `loc`: an error, and a note that says where the first was.
  [[gnu::cold]] void report_redefinition(const Symbol& s, SourceLoc loc);
  /// A section that is made from records has data at `pos`.
  void map_written(Subsection& sub, u64 pos);
  /// GNU as ends subsections with an alignment, if only to a byte, of no-ops where the section is code: marks the first
  /// of the section's, if it is something else than what stands before it.
  void map_end_padding(const Section& section);

  /// At the end of the text: names that sizes and LEB128 numbers refer to mean the symbols of these names.
  void resolve_quiet_references();
  void resolve_texts();  ///< at the end of the text: they mean the symbols of their names

  /// After layout: what a symbol, or add - sub + constant, comes to.
  Resolved resolve(SymbolId id) { return values.resolve(id); }
  Resolved resolve(const Value& value) { return values.resolve(value); }
  bool reduce(Value& value, const char*& why) { return values.reduce(value, why); }
  u64 label_offset(const Symbol& label) const {  ///< in its section
    return sections.sub(label.where).offset(label.value, label.fragment);
  }
};

/// After layout: drops mapping symbols that nothing follows (gnu).
void finish_mapping(Program& program);

}  // namespace xas
