// .section and its kin, for COFF.
//
// What is strange: flags are switches that act in the order in which they are written, and GNU as and LLVM let them act
// on different things: 'w' makes a section writable in both, but 'r' after 'x' means one thing here and another there.
// Sections of one name are one section, unless they are COMDATs of different symbols.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/parse.h"
#include "objwriter/coff_constants.h"

namespace xas {

using namespace coff;

namespace {

/// What flag letters switch, before it becomes IMAGE_SCN_*.
enum SectionSwitch : u32 {
  switch_alloc = 1,
  switch_load = 2,
  switch_code = 4,
  switch_data = 8,
  switch_shared = 16,
  switch_no_load = 32,
  switch_no_read = 64,
  switch_read_only = 128,
  switch_discardable = 256,
  switch_info = 512,
  switch_exclude = 1024,
};

/// What both assemblers read from the letters.
struct Letters {
  u32 set = 0;
  bool readonly_removed = false;
  int alignment = -1;  ///< a digit, GNU as's log2 of the alignment

  void load() {
    if (!(set & switch_no_load)) set |= switch_load;
  }
};

bool read_letter(Assembler& a, Letters& l, char c, const char* where) {
  const bool gnu = a.profile.gnu_section_defaults;
  const auto conflict = [&](u32 other) {
    if (gnu || !(l.set & other)) return false;
    a.error(where, "section flags 'b' and 'd' exclude each other");
    return true;
  };
  switch (c) {
    case 'a': return true;
    case 'b':
      if (conflict(switch_data)) return false;
      l.set = (l.set | switch_alloc) & ~u32(switch_load);
      return true;
    case 'd':
      if (conflict(switch_alloc)) return false;
      [[fallthrough]];
    case 's':
      l.set = (l.set | switch_data | (c == 's' ? u32(switch_shared) : 0)) & ~u32(switch_read_only);
      l.load();
      return true;
    case 'n': l.set = (l.set | switch_no_load) & ~u32(switch_load); return true;
    case 'D': l.set |= switch_discardable; return true;
    case 'e': l.set |= switch_exclude; return true;
    case 'i':
      l.set |= switch_info;
      return true;
    case 'r':
      if (!(l.set & switch_code)) l.set |= switch_data;
      l.readonly_removed = false;
      l.set |= switch_read_only;
      l.load();
      return true;
    case 'x':
      l.set |= switch_code;
      l.load();
      if (!l.readonly_removed) l.set |= switch_read_only;
      return true;
    case 'w':
      l.set &= ~u32(switch_read_only);
      l.readonly_removed = true;
      return true;
    case 'y': l.set |= switch_no_read | switch_read_only; return true;
    default:
      if (gnu && u8(c - '0') <= 9) return l.alignment = c - '0', true;
      if (!gnu) return a.error(where, fmt::format("unknown section flag '{}'", c)), false;
      a.warning(where, fmt::format("unknown section flag '{}'; ignored", c));
      return true;
  }
}

u32 characteristics_of(const Assembler& a, u32 set, std::string_view name) {
  const bool gnu = a.profile.gnu_section_defaults;
  const bool named_debug =
      name.starts_with(".debug") ||
      (gnu && (name.starts_with(".zdebug") || name.starts_with(".stab") || name.starts_with(".gnu.linkonce.wi.") ||
               name.starts_with(".gnu.linkonce.wt.")));
  if (set == 0) set = switch_data | (gnu ? u32(switch_load) : 0);
  if (gnu && named_debug) set = switch_data | switch_read_only | switch_load;
  u32 c = 0;
  if (set & switch_code) c |= IMAGE_SCN_CNT_CODE | IMAGE_SCN_MEM_EXECUTE;
  if (set & switch_data) c |= IMAGE_SCN_CNT_INITIALIZED_DATA;
  if ((set & switch_alloc) && !(set & switch_load)) c |= IMAGE_SCN_CNT_UNINITIALIZED_DATA;
  if (set & (switch_no_load | switch_exclude)) c |= IMAGE_SCN_LNK_REMOVE;
  if ((set & switch_discardable) || named_debug) c |= IMAGE_SCN_MEM_DISCARDABLE;
  if (!(set & switch_no_read)) c |= IMAGE_SCN_MEM_READ;
  if (!(set & switch_read_only)) c |= IMAGE_SCN_MEM_WRITE;
  if (set & switch_shared) c |= IMAGE_SCN_MEM_SHARED;
  if (set & switch_info) c |= IMAGE_SCN_LNK_INFO;
  return c;
}

struct NamedSelection {
  std::string_view name;
  u8 selection;
  bool gnu;  ///< GNU as's .linkonce knows it
};

constexpr NamedSelection selections[] = {
    {"one_only", IMAGE_COMDAT_SELECT_NODUPLICATES, true},
    {"discard", IMAGE_COMDAT_SELECT_ANY, true},
    {"same_size", IMAGE_COMDAT_SELECT_SAME_SIZE, true},
    {"same_contents", IMAGE_COMDAT_SELECT_EXACT_MATCH, true},
    {"associative", IMAGE_COMDAT_SELECT_ASSOCIATIVE, false},
    {"largest", IMAGE_COMDAT_SELECT_LARGEST, false},
    {"newest", IMAGE_COMDAT_SELECT_NEWEST, false},
};

/// selection := 'discard' | 'one_only' | ...
bool parse_selection(Assembler& a, u8& selection) {
  skip_blanks(a);
  const char* where = a.p;
  const std::string_view word(a.p, name_length(a.p));
  for (const NamedSelection& s : selections) {
    if (s.name != word) continue;
    a.p += word.size();
    selection = s.selection;
    return true;
  }
  a.error(where, fmt::format("unknown COMDAT selection '{}'; it is one of one_only, discard, same_size, same_contents, "
                             "associative, largest, newest", word));
  return false;
}

/// 'unique' ',' number: tells sections of one name apart. In `unique` the number plus one, as coff_section takes it.
bool parse_unique(Assembler& a, u32& unique) {
  a.p += std::string_view("unique").size();
  if (!expect_comma(a, "'unique'")) return false;
  const char* where = a.p;
  i64 number;
  if (!a.absolute(number, "the section's number")) return false;
  if (number < 0 || number >= i64(~u32(0))) {
    return a.error(where, fmt::format("the section's number {} is not between 0 and 4294967294", number)), false;
  }
  return unique = u32(number) + 1, true;
}

/// A COMDAT's symbol belongs to its section; if it is defined already, then somewhere else.
bool check_comdat_symbol(Assembler& a, u8 selection, SymbolId comdat, const char* where) {
  const Symbol& s = a.symbols[comdat];
  if (selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE || !s.is_defined()) return true;
  if (s.kind == SymbolKind::label) {
    const Section& in = a.sections[a.sections.sub(s.where).section];
    if (in.group == comdat && in.selection != IMAGE_COMDAT_SELECT_ASSOCIATIVE) return true;
  }
  a.error(where, fmt::format("'{}' is defined already, outside of the section that it is to be the COMDAT symbol of",
                             s.text()));
  return false;
}

/// The section that .section's operands name; null after an error.
Section* parse_section(Assembler& a) {
  skip_blanks(a);
  std::string_view name;
  if (*a.p == '"') {
    Name quoted;
    if (!parse_name(a, quoted, "a section name")) return nullptr;
    name = quoted.text();
  } else {
    const char* start = a.p;
    while (*a.p != ',' && !a.chars.is(*a.p, char_blank) && !at_end(a)) ++a.p;
    name = {start, std::size_t(a.p - start)};
  }
  if (name.empty()) return a.error_here("expected a section name"), nullptr;

  Letters letters;
  bool has_flags = false;
  u8 selection = 0;
  SymbolId comdat = no_symbol;
  u32 unique = 0;
  if (accept_comma(a)) {
    const char* where = a.p;
    std::string_view flags;
    std::string flag_storage;
    if (!parse_string(a, flags, flag_storage)) return nullptr;
    has_flags = true;
    for (char c : flags) {
      if (!read_letter(a, letters, c, where)) return nullptr;
    }
    const auto at_unique = [&] { return std::string_view(a.p, name_length(a.p)) == "unique"; };
    bool more = accept_comma(a);
    if (more && !at_unique()) {
      if (!parse_selection(a, selection) || !expect_comma(a, "the COMDAT selection")) return nullptr;
      where = a.p;
      if (!parse_symbol(a, comdat, "the COMDAT symbol")) return nullptr;
      if (!check_comdat_symbol(a, selection, comdat, where)) return nullptr;
      more = accept_comma(a);
      if (more && !at_unique()) return a.error_here("expected 'unique'"), nullptr;
    }
    if (more && !parse_unique(a, unique)) return nullptr;
  }
  u32 characteristics = characteristics_of(a, letters.set, name);
  if (!has_flags && !a.profile.gnu_section_defaults)
    characteristics = IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_READ | IMAGE_SCN_MEM_WRITE;
  if (!selection && !unique && !a.profile.gnu_section_defaults && is_predefined_coff_section(name)) {
    characteristics = coff_default_characteristics(a, name);
  }
  if (selection) characteristics |= IMAGE_SCN_LNK_COMDAT;
  const u32 known = a.sections.size();
  Section& s = coff_section(a, name, characteristics, selection, comdat, unique);
  if (letters.alignment >= 0) s.log2_align = u8(letters.alignment);
  const bool changed = ((characteristics ^ s.characteristics) & ~u32(IMAGE_SCN_LNK_COMDAT)) != 0;
  if (known == a.sections.size() && changed && has_flags && letters.set && a.profile.gnu_section_defaults) {
    a.warning(a.statement_start, fmt::format("changed section flags for {}; ignored", s.name));
  }
  return &s;
}

/// Optional subsection number at the cursor.
bool parse_subsection(Assembler& a, i64& number) {
  number = 0;
  return at_end_of_statement(a) || a.absolute(number, "the subsection number");
}

}  // namespace

/// .section name [, "flags" [, selection, symbol]]
void directive_coff_section(Assembler& a, u32 push) {
  Section* s = parse_section(a);
  if (!s) return;
  if (push) a.section_stack.emplace_back(a.current, a.previous);
  a.switch_to(unwind_data_or_start(a, *s));
}

void directive_coff_standard_section(Assembler& a, u32 which) {
  constexpr std::string_view names[] = {".text", ".data", ".bss"};
  i64 number;
  if (!parse_subsection(a, number)) return;
  if (which == 1 && a.options.data_in_text) {
    constexpr i64 first_of_data = 1000;
    which = 0;
    number += first_of_data;
  }
  a.switch_to(a.sections.subsection(a.section_named(names[which]), i32(number)));
}

namespace {

/// GNU as: of several .linkonce of a section, what each asks for holds. Two bits stand for the selections in BFD.
u8 combined_selection(u8 first, u8 second) {
  constexpr u8 selections_of_bits[] = {IMAGE_COMDAT_SELECT_ANY, IMAGE_COMDAT_SELECT_NODUPLICATES,
                                       IMAGE_COMDAT_SELECT_SAME_SIZE, IMAGE_COMDAT_SELECT_EXACT_MATCH};
  unsigned bits = 0;
  for (unsigned i = 0; i < std::size(selections_of_bits); ++i) {
    if (selections_of_bits[i] == first || selections_of_bits[i] == second) bits |= i;
  }
  const bool known = first <= IMAGE_COMDAT_SELECT_EXACT_MATCH && second <= IMAGE_COMDAT_SELECT_EXACT_MATCH;
  return known ? selections_of_bits[bits] : second;
}

}  // namespace

/// .linkonce [selection]: makes the current section a COMDAT.
void directive_linkonce(Assembler& a, u32) {
  u8 selection = IMAGE_COMDAT_SELECT_ANY;
  if (!at_end_of_statement(a) && !parse_selection(a, selection)) return;
  Section& s = a.current_section();
  if (selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE) {
    return a.error(a.statement_start, "a section is made associative by .section, which names the symbol it goes with");
  }
  if ((s.characteristics & IMAGE_SCN_LNK_COMDAT) && !a.profile.gnu_section_defaults) {
    return a.error(a.statement_start, fmt::format("section {} is a COMDAT already", s.name));
  }
  s.selection = s.selection ? combined_selection(s.selection, selection) : selection;
  s.characteristics |= IMAGE_SCN_LNK_COMDAT;
  s.comdat = true;
}

}  // namespace xas
