// SPDX-License-Identifier: Apache-2.0
// .section and its kin, for COFF.
//
// What is strange: flags are switches that act in the order in which they are written, and GNU as and LLVM let them act
// on different things: 'w' makes a section writable in both, but 'r' after 'x' means one thing here and another there.
// Sections of one name are one section, unless they are COMDATs of different symbols.
#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/directives/sections.h"
#include "asm/program/coff_verbs.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/parse.h"
#include "asm/unwind/win_unwind.h"
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

void load(CoffSectionFlags& l) {
  if (!(l.set & switch_no_load)) l.set |= switch_load;
}

bool read_letter(Streamer& out, CoffSectionFlags& l, char c, const char* where) {
  const bool lenient = out.program.profile.coff_section_letters_combine;
  const auto conflict = [&](u32 other) {
    if (lenient || !(l.set & other)) return false;
    out.error(where, "section flags 'b' and 'd' exclude each other");
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
      load(l);
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
      load(l);
      return true;
    case 'x':
      l.set |= switch_code;
      load(l);
      if (!l.readonly_removed) l.set |= switch_read_only;
      return true;
    case 'w':
      l.set &= ~u32(switch_read_only);
      l.readonly_removed = true;
      return true;
    case 'y': l.set |= switch_no_read | switch_read_only; return true;
    default:
      if (lenient && u8(c - '0') <= 9) return l.alignment = c - '0', true;
      if (!lenient) return out.error(where, fmt::format("unknown section flag '{}'", c)), false;
      out.warning(where, fmt::format("unknown section flag '{}'; ignored", c));
      return true;
  }
}

u32 characteristics_of(const Program& program, u32 set, std::string_view name) {
  const bool bfd = program.profile.coff_bfd_section_flags;
  const bool named_debug =
      name.starts_with(".debug") ||
      (bfd && (name.starts_with(".zdebug") || name.starts_with(".stab") || name.starts_with(".gnu.linkonce.wi.") ||
               name.starts_with(".gnu.linkonce.wt.")));
  if (set == 0) set = switch_data | (bfd ? u32(switch_load) : 0);
  if (bfd && named_debug) set = switch_data | switch_read_only | switch_load;
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
bool parse_selection(Reader& reader, u8& selection) {
  skip_blanks(reader);
  const char* where = reader.p;
  const std::string_view word(reader.p, name_length(reader.p));
  for (const NamedSelection& s : selections) {
    if (s.name != word) continue;
    reader.p += word.size();
    selection = s.selection;
    return true;
  }
  reader.error(where,
           fmt::format("unknown COMDAT selection '{}'; it is one of one_only, discard, same_size, same_contents, "
                       "associative, largest, newest",
                       word));
  return false;
}

/// 'unique' ',' number: tells sections of one name apart. In `unique` the number plus one, as coff_section takes it.
bool parse_unique(Reader& reader, u32& unique) {
  reader.p += std::string_view("unique").size();
  if (!expect_comma(reader, "'unique'")) return false;
  const char* where = reader.p;
  i64 number;
  if (!reader.absolute(number, "the section's number")) return false;
  if (number < 0 || number >= i64(~u32(0))) {
    return reader.error(where, fmt::format("the section's number {} is not between 0 and 4294967294", number)), false;
  }
  return unique = u32(number) + 1, true;
}

/// A COMDAT's symbol belongs to its section; if it is defined already, then somewhere else.
bool check_comdat_symbol(Streamer& out, u8 selection, SymbolId comdat, const char* where) {
  const Symbol& s = out.program.symbols[comdat];
  if (selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE || !s.is_defined()) return true;
  if (s.kind == SymbolKind::label) {
    const Section& in = out.program.sections[out.program.sections.sub(s.where).section];
    if (in.group == comdat && in.selection != IMAGE_COMDAT_SELECT_ASSOCIATIVE) return true;
  }
  out.error(where, fmt::format("'{}' is defined already, outside of the section that it is to be the COMDAT symbol of",
                               s.text()));
  return false;
}

/// symbol | '""', which is a COMDAT without a symbol as .linkonce makes it
bool parse_comdat_symbol(Reader& reader, u8 selection, SymbolId& comdat) {
  skip_blanks(reader);
  const char* where = reader.p;
  if (where[0] == '"' && where[1] == '"' && selection != IMAGE_COMDAT_SELECT_ASSOCIATIVE) {
    reader.p += 2;
    return true;
  }
  return parse_symbol(reader, comdat, "the COMDAT symbol") &&
         take_comdat_symbol(reader.out, {.selection = selection, .comdat = comdat}, where);
}

/// The section that .section's operands name; null after an error.
Section* parse_section(Reader& reader) {
  skip_blanks(reader);
  std::string_view name;
  if (*reader.p == '"') {
    Name quoted;
    if (!parse_name(reader, quoted, "a section name")) return nullptr;
    name = quoted.text();
  } else {
    const char* start = reader.p;
    while (*reader.p != ',' && !reader.program().chars.is(*reader.p, char_blank) && !at_end(reader)) ++reader.p;
    name = {start, std::size_t(reader.p - start)};
  }
  if (name.empty()) return reader.error_here("expected a section name"), nullptr;

  CoffSectionRequest r{.name = name};
  if (accept_comma(reader)) {
    const char* where = reader.p;
    std::string_view flags;
    std::string flag_storage;
    if (!parse_string(reader, flags, flag_storage)) return nullptr;
    r.has_flags = true;
    if (!read_coff_section_flags(reader.out, r.flags, flags, where)) return nullptr;
    const auto at_unique = [&] { return std::string_view(reader.p, name_length(reader.p)) == "unique"; };
    bool more = accept_comma(reader);
    if (more && !at_unique()) {
      if (!parse_selection(reader, r.selection) || !expect_comma(reader, "the COMDAT selection"))
        return nullptr;
      if (!parse_comdat_symbol(reader, r.selection, r.comdat)) return nullptr;
      more = accept_comma(reader);
      if (more && !at_unique()) return reader.error_here("expected 'unique'"), nullptr;
    }
    if (more && !parse_unique(reader, r.unique)) return nullptr;
  }
  return &open_coff_section(reader, r);
}

}  // namespace

bool read_coff_section_flags(Streamer& out, CoffSectionFlags& flags, std::string_view letters, const char* where) {
  for (char c : letters)
    if (!read_letter(out, flags, c, where)) return false;
  return true;
}

bool take_comdat_symbol(Streamer& out, const CoffSectionRequest& r, const char* where) {
  if (!check_comdat_symbol(out, r.selection, r.comdat, where)) return false;
  if (r.selection != IMAGE_COMDAT_SELECT_ASSOCIATIVE) declare(out, r.comdat);
  return true;
}

Section& open_coff_section(Reader& reader, const CoffSectionRequest& r) {
  const auto& [name, letters, has_flags, selection, comdat, unique] = r;
  u32 characteristics = characteristics_of(reader.program(), letters.set, name);
  if (!has_flags && !reader.program().profile.coff_bfd_section_flags)
    characteristics = IMAGE_SCN_CNT_INITIALIZED_DATA | IMAGE_SCN_MEM_READ | IMAGE_SCN_MEM_WRITE;
  if (!selection && !unique) {
    if (const u32 predefined = predefined_characteristics(reader.program(), name)) characteristics = predefined;
  }
  if (selection) characteristics |= IMAGE_SCN_LNK_COMDAT;
  const u32 known = reader.program().sections.size();
  Section& s = coff_section(reader.program(), name, characteristics, selection, comdat, unique);
  if (letters.alignment >= 0) s.log2_align = u8(letters.alignment);
  const bool changed = ((characteristics ^ s.characteristics) & ~u32(IMAGE_SCN_LNK_COMDAT)) != 0;
  if (known == reader.program().sections.size() && changed && has_flags && letters.set &&
      reader.program().profile.coff_bfd_section_flags) {
    reader.warning(fmt::format("changed section flags for {}; ignored", s.name));
  }
  return s;
}

/// .section name [, "flags" [, selection, symbol]]
void directive_coff_section(Reader& reader, u32 push) {
  Section* s = parse_section(reader);
  if (!s) return;
  if (push) reader.out.push_section();
  reader.out.switch_to(unwind_data_or_start(reader.program(), *s));
}

void directive_coff_standard_section(Reader& reader, u32 which) {
  constexpr std::string_view names[] = {".text", ".data", ".bss"};
  i64 number;
  if (!parse_subsection(reader, number)) return;
  if (which == 1 && reader.program().options.data_in_text) {
    constexpr i64 first_of_data = 1000;
    which = 0;
    number += first_of_data;
  }
  reader.out.switch_to(reader.program().sections.subsection(reader.program().section_named(names[which]), i32(number)));
}

/// .linkonce [selection]: makes the current section a COMDAT.
void directive_linkonce(Reader& reader, u32) {
  u8 selection = IMAGE_COMDAT_SELECT_ANY;
  if (!at_end_of_statement(reader) && !parse_selection(reader, selection)) return;
  Section& s = reader.out.current_section();
  if (selection == IMAGE_COMDAT_SELECT_ASSOCIATIVE) {
    return reader.error("a section is made associative by .section, which names the symbol it goes with");
  }
  const bool combines = reader.program().profile.linkonce_combines && !has_llvm_form(s);
  if ((s.characteristics & IMAGE_SCN_LNK_COMDAT) && !combines) {
    return reader.error(fmt::format("section {} is a COMDAT already", s.name));
  }
  make_comdat(reader.out, selection);
}

}  // namespace xas
