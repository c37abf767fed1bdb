// Stabs, the debugging information of old: records of 12 bytes, .stab, and their strings, .stabstr.
//
//   record := offset of the string (4) | type (1) | other (1) | description (2) | value (4)
//
// The first record of .stab is a header: the name of the source file, the number of records behind it, and the size of
// the strings. What types and descriptions mean is told in "The stabs debug format" of GDB.
#include <fmt/format.h>

#include <utility>

#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "asm/section_writer.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

constexpr u32 record_size = 12;

/// A place to come back to after another section has been written to.
class SavedPlace {
 public:
  explicit SavedPlace(Assembler& a) : a_(a), current_(a.current), previous_(a.previous) {}
  ~SavedPlace() { a_.current = current_, a_.previous = previous_; }

 private:
  Assembler& a_;
  Subsection *current_, *previous_;
};

Subsection& contents(Assembler& a, Section& s) { return a.sections.sub(s.default_subsection); }

void store_header(Assembler& a, Section& records, Section& strings) {
  Subsection& sub = contents(a, records);
  const u64 count = sub.size / record_size - 1, size = contents(a, strings).size;
  for (unsigned i = 0; i < 2; ++i) sub.data[6 + i] = u8(count >> 8 * (a.info.big_endian ? 1 - i : i));
  for (unsigned i = 0; i < 4; ++i) sub.data[8 + i] = u8(size >> 8 * (a.info.big_endian ? 3 - i : i));
}

/// Where the string is; the empty one is at 0.
u64 add_string(Assembler& a, Section& strings, std::string_view text) {
  SavedPlace saved(a);
  a.current = &contents(a, strings);
  if (a.current->size == 0) a.emit_int(0, 1);
  if (text.empty()) return 0;
  const u64 at = a.current->size;
  a.emit_bytes(text.data(), text.size());
  a.emit_int(0, 1);
  return at;
}

struct StabSections {
  Section* records;
  Section* strings;
};

StabSections stab_sections(Assembler& a, const std::string& name) {
  const u32 before = a.sections.size();
  StabSections s{&a.section_named(name), nullptr};
  const bool is_new = a.sections.size() != before;
  s.strings = &a.section_named(name + "str");
  if (!a.is_coff) s.records->log2_align = 2;
  if (name != ".stab") {
    if (is_new) add_string(a, *s.strings, {});
  } else if (is_new && !a.is_coff) {
    s.records->entsize = record_size;
  }
  if (contents(a, *s.records).size != 0) return s;
  const u64 file = add_string(a, *s.strings, a.stab_lines.source_name.of_numbered(a));
  SavedPlace saved(a);
  a.current = &contents(a, *s.records);
  a.emit_int(file, 4);
  a.emit_int(0, 8);
  return s;
}

/// What a record says beside its string and its value.
struct Stab {
  u8 type = 0, other = 0;
  u16 description = 0;
};

/// Stabs have no mapping symbols, whatever the text was in the midst of.
void put_stab(Assembler& a, const std::string& section, std::string_view text, Stab stab, const Value& value,
              SourceLoc loc) {
  const Mapping mapping = std::exchange(a.mapping, Mapping::off);
  const StabSections s = stab_sections(a, section);
  if (s.records->nobits || s.strings->nobits)
    return a.error(a.statement_start, fmt::format("section {} has no contents", section));
  const u64 string = add_string(a, *s.strings, text);
  {
    SavedPlace saved(a);
    a.current = &contents(a, *s.records);
    a.emit_int(string, 4);
    a.emit_int(stab.type, 1);
    a.emit_int(stab.other, 1);
    a.emit_int(stab.description, 2);
    a.emit_value(value, 4, loc);
  }
  a.mapping = mapping;
  if (section == ".stab") store_header(a, *s.records, *s.strings);
}

}  // namespace

/// .stabs "text",type,other,description,value    .stabn type,other,description,value    .stabd type,other,description
/// .xstabs "section","text",type,other,description,value
void directive_stab(Assembler& a, u32 kind) {
  std::string section = ".stab", text;
  if (kind == stab_in_section) {
    section.clear();
    if (!parse_string(a, section) || !expect_comma(a, "the section's name")) return;
    if (section.empty()) return a.error(a.statement_start, "the section's name is empty");
  }
  if (kind == stab_in_section || kind == stab_string) {
    if (!parse_string(a, text) || !expect_comma(a, "the string")) return;
  }
  const SourceLoc loc = a.loc_of(a.statement_start);
  i64 type, other, description;
  if (!parse_absolute(a, type, "the type") || !expect_comma(a, "the type")) return;
  if (!parse_absolute(a, other, "the second number") || !expect_comma(a, "the second number")) return;
  if (!parse_absolute(a, description, "the description")) return;
  Value value{.add = dot_symbol};
  if (kind != stab_here) {
    if (!expect_comma(a, "the description") || !a.expression_value(value)) return;
  }
  a.fold(value);
  a.pin_dot(value);
  if (a.listing.on) [[unlikely]] {
    constexpr i64 n_sline = 68, n_so = 100, n_sol = 132;
    if (type == n_sline) a.listing.source({}, u32(description));
    if ((type == n_so || type == n_sol) && kind == stab_string) a.listing.source_file(text);
  }
  put_stab(a, section, text, {u8(type), u8(other), u16(description)}, value, loc);
}

// --gstabs: stabs for the assembly source itself

namespace {

enum : u8 { N_FUN = 0x24, N_SLINE = 0x44, N_SO = 0x64, N_LSYM = 0x80, N_SOL = 0x84 };

/// The current place; in a .func, its distance from the function's start.
Value stab_place(Assembler& a) {
  Value here{.add = a.make_label_here(), .sub = a.stab_lines.function};
  a.fold(here);
  return here;
}

}  // namespace

void StabLines::begin(Assembler& a, const SourceBuffer& input) {
  a.source = &input;
  a.p = a.statement_start = input.begin;
  file_ = input.name;
  if (a.options.stabs_gnu) put_stab(a, ".stab", a.lines.working_dir(a) + "/", {N_SO}, stab_place(a), 0);
  put_stab(a, ".stab", file_, {N_SO}, stab_place(a), 0);
}

void StabLines::statement(Assembler& a, std::string_view file, u32 line) {
  if (file != file_) {
    file_ = file;
    line_ = ~u32(0);
    const SymbolId in_function = std::exchange(function, no_symbol);
    put_stab(a, ".stab", file_, {N_SOL}, stab_place(a), 0);
    function = in_function;
  }
  if (line == line_) return;
  line_ = line;
  put_stab(a, ".stab", {}, {N_SLINE, 0, u16(line)}, stab_place(a), 0);
}

namespace {

/// Of the statement that is being read, or of the call of the macro that it stands in.
SourceLoc outermost_place(const Assembler& a) {
  SourceLoc loc = a.loc_of(a.statement_start);
  for (const SourceBuffer* b = a.source; b && b->kind == BufferKind::expansion; b = a.sources.buffer_of(loc))
    loc = b->parent;
  return loc;
}

}  // namespace

void SourceFileName::named(Assembler& a, std::string_view name) {
  name_ = name;
  loc_ = a.loc_of(a.statement_start);
}

bool SourceFileName::is_known(Assembler& a) const { return loc_ != 0 || a.sources.marker_at(outermost_place(a)); }

std::string_view SourceFileName::of_numbered(Assembler& a) const {
  const SourceLoc here = outermost_place(a);
  const LineMarker* const marker = a.sources.marker_at(here);
  if (loc_ != 0 && (!marker || marker->loc <= loc_)) return name_;
  return marker && !marker->file.empty() ? std::string_view(marker->file)
                                         : std::string_view(a.sources.buffer_of(here)->name);
}

std::string_view SourceFileName::of_statement(Assembler& a) const {
  const SourceLoc here = outermost_place(a);
  bool in_loop = false;  // which no macro has made
  for (std::size_t i = a.open_sources.size(); i > 0 && a.open_sources[i - 1].inner != SourceKind::include; --i) {
    in_loop = a.open_sources[i - 1].inner == SourceKind::loop;
  }
  if (in_loop || a.sources.marker_at(here)) return of_numbered(a);
  return a.sources.buffer_of(here)->name;
}

void link_stabs(Assembler& a) {
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& s = a.sections[i];
    if (s.name != ".stab" || s.entsize != record_size || s.link_order != no_symbol) continue;
    s.link_order = a.section_symbol(a.section_named(".stabstr"));
  }
}

/// .func name [, label]; .endfunc: only the assembler's own stabs (--gstabs) tell of it.
void directive_func(Assembler& a, u32 ends) {
  StabLines& lines = a.stab_lines;
  if (ends) {
    if (!lines.on || lines.function == no_symbol) return;
    put_stab(a, ".stab", {}, {N_FUN}, stab_place(a), a.loc_of(a.statement_start));
    lines.function = no_symbol;
    return;
  }
  Name name;
  if (at_end_of_statement(a) || !parse_name(a, name, "the function's name")) return;
  Name label = name;
  if (accept_comma(a) && !parse_name(a, label, "the label where the function starts")) return;
  if (!lines.on) return;
  const SourceLoc loc = a.loc_of(a.statement_start);
  if (!std::exchange(lines.void_known, true)) put_stab(a, ".stab", "void:t1=1", {N_LSYM}, Value{}, loc);
  const SymbolId start = a.symbols.intern(label);
  a.symbols[start].flags |= symbol_referenced;
  const u32 line = a.sources.locate(loc).line;
  put_stab(a, ".stab", fmt::format("{}:F1", name.text()), {N_FUN, 0, u16(line + 1)}, Value{.add = start}, loc);
  lines.function = start;
}

/// .gnu_attribute tag, value: a number where the tag is even, a string where it is odd; 32 has both.
void directive_gnu_attribute(Assembler& a, u32) {
  constexpr i64 compatibility = 32;
  i64 tag;
  const char* const where = a.p;
  if (!a.absolute(tag, "the attribute's tag") || !expect_comma(a, "the tag")) return;
  if (tag < 0 || tag > ~u32(0)) return a.error(where, "an attribute's tag has 32 bits");
  GnuAttribute value;
  if (tag == compatibility || tag % 2 == 0) {
    i64 number;
    if (!a.absolute(number, "the attribute's value")) return;
    value.number = u64(number);
    if (tag == compatibility && !expect_comma(a, "the number")) return;
  }
  if (tag == compatibility || tag % 2 != 0) {
    if (!parse_string(a, value.text)) return;
  }
  a.gnu_attributes[u32(tag)] = std::move(value);
}

void emit_vendor_attributes(Assembler& a, std::string_view vendor, std::string_view body) {
  constexpr u64 length = 4, tag_file = 1;
  a.emit_int(length + vendor.size() + 1 + 1 + length + body.size(), length);
  a.emit_bytes(vendor.data(), vendor.size());
  a.emit_int(0, 1);
  a.emit_int(tag_file, 1);
  a.emit_int(1 + length + body.size(), length);
  a.emit_bytes(body.data(), body.size());
}

std::string gnu_attributes(const Assembler& a) {
  std::string body;
  const auto uleb = [&](u64 v) {
    do body.push_back(char((v & 0x7f) | (v > 0x7f ? 0x80 : 0)));
    while (v >>= 7);
  };
  for (const auto& [tag, value] : a.gnu_attributes) {
    if (value.number == 0 && value.text.empty()) continue;
    uleb(tag);
    if (tag == 32 || tag % 2 == 0) uleb(value.number);
    if (tag == 32 || tag % 2 != 0) body.append(value.text).push_back('\0');
  }
  return body;
}

/// On ARM, where the architecture's attributes have a section, these are in it (arm_attributes.cpp); on AArch64 the
/// section is called like that one.
void make_gnu_attributes(Assembler& a) {
  if (a.info.elf_machine == elf::EM_ARM) return;
  const std::string body = gnu_attributes(a);
  if (body.empty()) return;
  Section& s = a.section_named(a.info.elf_machine == elf::EM_AARCH64 ? ".ARM.attributes" : ".gnu.attributes");
  s.type = elf::SHT_GNU_ATTRIBUTES;
  SavedPlace saved(a);
  a.current = &contents(a, s);
  a.emit_int('A', 1);
  emit_vendor_attributes(a, "gnu", body);
}

/// --generate-missing-build-notes: for each code section a note that it was made by an assembler, unless the text has
/// notes. A note's name is "GA$", the kind "version" and the format 3, written by a1; its contents are where the
/// section starts and ends.
void make_build_notes(Assembler& a) {
  if (!a.options.build_notes) return;
  Section& notes = a.section_named(".gnu.build.attributes");
  if (contents(a, notes).size != 0) return;
  notes.type = elf::SHT_NOTE;
  notes.log2_align = 2;
  SectionWriter w(a, notes);
  constexpr std::string_view name{"GA$\1" "3a1\0", 8};
  constexpr u32 note_of_region = 0x100;
  const unsigned word = a.options.target.bits == 64 ? 8 : 4;
  for (u32 i = 0; i < a.sections.size(); ++i) {
    Section& s = a.sections[i];
    if (!s.is_code() || s.absolute) continue;
    w.put4(name.size());
    w.put4(2 * word);
    w.put4(note_of_region);
    w.put_bytes(name);
    w.put_reference(word, s, 0);
    w.put_reference(word, s, s.size);
  }
}

}  // namespace xas
