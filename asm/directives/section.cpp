// .section and its kin, for ELF.
//
// What is strange: names have default types and flags, which both reference assemblers add to the flags that are
// written; two sections may have one name if their group, linked section or unique number differs; and an unquoted
// section name runs to the next comma or blank, so that it may contain characters no symbol may (.note.GNU-stack).
#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

namespace {

constexpr u64 os_and_processor = 0xFFF00000;  // SHF_MASKOS, SHF_MASKPROC

struct NamedDefault {
  std::string_view prefix;
  enum Match : u8 { exact, dotted, prefixed } match;  ///< dotted: the prefix itself, or followed by a dot
  u32 type;
  u64 flags;
  u8 reader = both;
  static constexpr u8 gnu = 1, llvm = 2, both = 3;
};

// The first match counts. gABI "Special Sections", and what the two assemblers add to them.
constexpr NamedDefault named_defaults[] = {
    {".note.GNU-stack", NamedDefault::exact, SHT_PROGBITS, 0, NamedDefault::gnu},
    {".text", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".data1", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".data", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE},
    {".bss", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE},
    {".rodata1", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC},
    {".rodata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC},
    {".tdata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".tbss", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_TLS},
    {".init_array", NamedDefault::dotted, SHT_INIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".fini_array", NamedDefault::dotted, SHT_FINI_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".preinit_array", NamedDefault::dotted, SHT_PREINIT_ARRAY, SHF_ALLOC | SHF_WRITE},
    {".init", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".fini", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR},
    {".note", NamedDefault::prefixed, SHT_NOTE, 0},
    {".gnu.linkonce.b", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.linkonce.n", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.linkonce.p", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".gnu.lto_", NamedDefault::prefixed, SHT_PROGBITS, SHF_EXCLUDE, NamedDefault::gnu},
    {".noinit", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".persistent.bss", NamedDefault::exact, SHT_NOBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".persistent", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".stabstr", NamedDefault::exact, SHT_STRTAB, 0, NamedDefault::gnu},
    {".got", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, NamedDefault::gnu},
    {".plt", NamedDefault::exact, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, NamedDefault::gnu},
    {".lbss", NamedDefault::dotted, SHT_NOBITS, SHF_ALLOC | SHF_WRITE | SHF_X86_64_LARGE, NamedDefault::gnu},
    {".ldata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE | SHF_X86_64_LARGE, NamedDefault::gnu},
    {".lrodata", NamedDefault::dotted, SHT_PROGBITS, SHF_ALLOC | SHF_X86_64_LARGE, NamedDefault::gnu},
};

bool matches(const NamedDefault& d, std::string_view name) {
  if (!name.starts_with(d.prefix)) return false;
  if (name.size() == d.prefix.size() || d.match == NamedDefault::prefixed) return true;
  return d.match == NamedDefault::dotted && name[d.prefix.size()] == '.';
}

const NamedDefault* default_for(const Program& program, std::string_view name) {
  for (const NamedDefault& d : named_defaults) {
    if ((d.reader & (program.profile.bfd_section_names ? NamedDefault::gnu : NamedDefault::llvm)) && matches(d, name))
      return &d;
  }
  return nullptr;
}

struct NamedType {
  std::string_view name;
  u32 type;
  bool has_entries = false;  ///< an entry size follows it
};

constexpr NamedType section_types[] = {
    {"progbits", SHT_PROGBITS},
    {"nobits", SHT_NOBITS},
    {"note", SHT_NOTE},
    {"init_array", SHT_INIT_ARRAY},
    {"fini_array", SHT_FINI_ARRAY},
    {"preinit_array", SHT_PREINIT_ARRAY},
    {"unwind", SHT_X86_64_UNWIND},
    {"llvm_odrtab", SHT_LLVM_ODRTAB},
    {"llvm_linker_options", SHT_LLVM_LINKER_OPTIONS},
    {"llvm_call_graph_profile", SHT_LLVM_CALL_GRAPH_PROFILE},
    {"llvm_dependent_libraries", SHT_LLVM_DEPENDENT_LIBRARIES},
    {"llvm_sympart", SHT_LLVM_SYMPART},
    {"llvm_bb_addr_map", SHT_LLVM_BB_ADDR_MAP},
    {"llvm_offloading", SHT_LLVM_OFFLOADING},
    {"llvm_lto", SHT_LLVM_LTO},
    {"llvm_jt_sizes", SHT_LLVM_JT_SIZES},
    {"llvm_cfi_jump_table", SHT_LLVM_CFI_JUMP_TABLE, true},
    {"llvm_call_graph", SHT_LLVM_CALL_GRAPH},
};

/// What .section's operands said.
struct Request {
  std::string_view name;
  u64 flags = 0;
  u32 type = SHT_NULL;
  bool has_flags = false;
  const Section* group_of = nullptr;  ///< flag '?': the current section, whose group it is to be in
  bool implied = false;            ///< no directive opened it
  bool has_entries = false;        ///< by its type, as named; others have entries if they are merged
  u64 entsize = 0;
  SymbolId group = no_symbol;
  bool comdat = false;
  SymbolId link_order = no_symbol;
  bool link_order_zero = false;
  u64 unique = ~u64(0);
  u32 info = 0;  ///< sh_info of SHF_GNU_MBIND sections
  SourceLoc loc = 0;
};

bool parse_flags(Reader& reader, Request& r, std::string_view text, const char* where) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case 'a': r.flags |= SHF_ALLOC; break;
      case 'w': r.flags |= SHF_WRITE; break;
      case 'x': r.flags |= SHF_EXECINSTR; break;
      case 'e': r.flags |= SHF_EXCLUDE; break;
      case 'M': r.flags |= SHF_MERGE; break;
      case 'S': r.flags |= SHF_STRINGS; break;
      case 'G': r.flags |= SHF_GROUP; break;
      case 'T': r.flags |= SHF_TLS; break;
      case 'o': r.flags |= SHF_LINK_ORDER; break;
      case 'R': r.flags |= SHF_GNU_RETAIN; break;
      case 'd': r.flags |= SHF_GNU_MBIND; break;
      case 'l': r.flags |= SHF_X86_64_LARGE; break;
      case 'y': r.flags |= reader.program().info.elf.machine == EM_ARM ? SHF_ARM_PURECODE : SHF_AARCH64_PURECODE; break;
      case '?': r.group_of = &reader.out.current_section(); break;
      case ',':
      case ' ': break;
      default: {
        if (u8(text[i] - '0') <= 9) {
          const std::string digits(text.substr(i));
          const char* q = digits.c_str();
          u64 number;
          bool overflow;
          const char* start = q;
          if (scan_number(q, number, overflow) && !overflow) {
            r.flags |= number;
            i += std::size_t(q - start) - 1;
            break;
          }
        }
        reader.error(where, fmt::format("unknown section flag '{}'", text[i]));
        return false;
      }
    }
  }
  return true;
}

/// type := '@' name | '%' name | '"' name '"' | number
bool parse_type(Reader& reader, Request& r) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string_view name;
  std::string storage;
  if (*reader.p == '"') {
    if (!parse_string(reader, name, storage)) return false;
  } else {
    if (at_end(reader)) return reader.error_here("expected the section's type"), false;
    if (*reader.p == '@' || *reader.p == '%' || *reader.p == '#') ++reader.p;
    u64 number;
    bool overflow;
    if (scan_number(reader.p, number, overflow)) {
      if (overflow || number > ~u32(0)) {
        reader.error(where, "section type does not fit in 32 bits");
        return false;
      }
      r.type = u32(number);
      return true;
    }
    const u32 n = name_length(reader.p);
    name = {reader.p, n};
    reader.p += n;
  }
  for (const NamedType& t : section_types) {
    if (t.name == name) return r.type = t.type, r.has_entries = t.has_entries, true;
  }
  const char* digits = storage.assign(name).c_str();
  u64 number;
  bool overflow;
  if (scan_number(digits, number, overflow) && *digits == '\0' && !overflow && number <= ~u32(0)) {
    return r.type = u32(number), true;
  }
  if (reader.program().profile.unknown_section_type_is_data && !name.empty()) {
    reader.warning(where, fmt::format("unknown section type '{}', taken as 'progbits'", name));
    return r.type = SHT_PROGBITS, true;
  }
  reader.error(where, fmt::format("unknown section type '{}'", name));
  return false;
}

/// What signs a group.
SymbolId signature_symbol(Program& program, const Name& name) {
  if (!program.profile.signature_last) return program.symbols.intern(name);
  if (const auto known = program.records.signatures.find(name.text()); known != program.records.signatures.end())
    return known->second;
  SymbolId id = program.symbols.find(name);
  if (id != no_symbol) return id;
  id = program.symbols.make_anonymous();
  program.symbols[id].name = name.p;
  program.symbols[id].name_size = name.size;
  program.records.signatures.emplace(name.text(), id);
  return id;
}

/// ',' entry size. GNU as keeps 32 bits of it, and takes a section whose size it cannot use for one without entries.
bool parse_entry_size(Reader& reader, Request& r) {
  // Of types that GNU as does not know, LLVM's rule holds.
  const bool warns = reader.program().profile.bad_entry_size_warns && !r.has_entries;
  std::string problem = "the entry size is not given";
  const char* where = reader.p;
  if (accept_comma(reader)) {
    i64 size;
    where = reader.p;
    if (!reader.absolute(size, "entry size")) return false;
    if (warns) size = i32(size);
    if (size >= (warns ? 0 : 1) && size <= ~u32(0)) return r.entsize = u64(size), true;
    problem = fmt::format("the entry size {} is not between 1 and {}", size, ~u32(0));
  }
  if (!warns) return reader.error(where, std::move(problem)), false;
  reader.warning(problem + "; the section is taken as one without entries");
  r.flags &= ~u64(SHF_MERGE);
  return true;
}

/// After the type: [,entsize] [,linked symbol] [,group [,comdat]] [,info] [,unique,N]
bool parse_section_tail(Reader& reader, Request& r) {
  if ((r.flags & SHF_MERGE || r.has_entries) && !parse_entry_size(reader, r)) return false;
  if (r.flags & SHF_LINK_ORDER && !(reader.program().profile.link_order_optional && at_end_of_statement(reader))) {
    if (!expect_comma(reader, "the section type ('o' needs a symbol)")) return false;
    if (*reader.p == '0' && !reader.program().chars.is(reader.p[1], char_name)) {
      ++reader.p;
      r.link_order_zero = true;
    } else if (!parse_symbol(reader, r.link_order, "the symbol of the linked-to section")) {
      return false;
    }
  }
  if (r.flags & SHF_GROUP) {
    if (!expect_comma(reader, "the section type ('G' needs a group name)")) return false;
    Name group;
    if (u8(*reader.p - '0') <= 9) {
      const u32 n = name_length(reader.p);
      group = {reader.p, n, hash_name_padded(reader.p, n)};
      reader.p += n;
    } else if (!parse_name(reader, group, "the group's name")) {
      return false;
    }
    // GNU as knows a signature as text only, so that the section's symbol comes before it.
    if (reader.program().profile.signature_last && !reader.program().info.elf.all_section_symbols)
      reader.program().symbols.intern_copy(r.name);
    r.group = signature_symbol(reader.program(), group);
    if (reader.program().symbols[r.group].loc == 0) reader.program().symbols[r.group].loc = r.loc;
    if (accept_comma(reader)) {
      const Name word = scan_name(reader.p);
      if (word.text() != "comdat") return reader.error_here("expected 'comdat'"), false;
      reader.p += word.size;
      r.comdat = true;
    }
  }
  bool more = accept_comma(reader);
  if (more && r.flags & SHF_GNU_MBIND && u8(*reader.p - '0') <= 9) {
    u64 info;
    bool overflow;
    const char* where = reader.p;
    if (!scan_number(reader.p, info, overflow) || overflow || info > ~u32(0))
      return reader.error(where, "the section's info has 32 bits"), false;
    r.info = u32(info);
    more = accept_comma(reader);
  }
  if (more) {
    const Name word = scan_name(reader.p);
    if (word.text() != "unique") {
      reader.error_here("expected 'unique'");
      return false;
    }
    reader.p += word.size;
    if (!expect_comma(reader, "'unique'")) return false;
    i64 number;
    if (!reader.absolute(number, "the unique number")) return false;
    if (number < 0 || number > i64(reader.program().profile.max_unique_section)) {
      reader.error_here(fmt::format("the unique number must be between 0 and {}",
                                i64(reader.program().profile.max_unique_section)));
      return false;
    }
    r.unique = u64(number);
  }
  return true;
}

std::string_view parse_section_name(Reader& reader, std::string& storage) {
  skip_blanks(reader);
  std::string_view name;
  if (*reader.p == '"') {
    storage.clear();
    if (!parse_message(reader, storage)) return {};
    name = storage;
  } else {
    const char* start = reader.p;
    while (*reader.p != ',' && !reader.program().chars.is(*reader.p, char_blank) && !at_end(reader)) ++reader.p;
    name = {start, std::size_t(reader.p - start)};
    if (reader.program().options.sectname_subst && name.find("%S") != name.npos) {
      storage = name;
      const std::string_view current = reader.out.current_section().name;
      for (std::size_t at = 0; (at = storage.find("%S", at)) != storage.npos; at += current.size())
        storage.replace(at, 2, current);
      name = storage;
    }
  }
  if (name.empty()) reader.error_here("expected a section name");
  return name;
}

/// What else tells sections of one name apart: GNU as keeps those with and without R apart, and those of other info.
u64 variant(const Program& program, u64 flags, u32 info) {
  return program.profile.section_variants ? (flags & SHF_GNU_RETAIN) | info : 0;
}

u64 section_key(const Program& program, const Request& r) {
  u64 h = hash_step(hash_name(r.name), variant(program, r.flags, r.info));
  h = hash_step(hash_step(h, r.group), r.unique);
  return hash_step(h, u64(r.link_order) << 1 | r.link_order_zero);
}

Section* find_section(Program& program, const Request& r, u64 key) {
  const u32 found = program.section_index.find(key, [&](u32 number) {
    const Section& s = program.sections[number];
    return s.name == r.name && s.group == r.group && s.unique == r.unique && s.link_order == r.link_order &&
           s.link_order_zero == r.link_order_zero &&
           variant(program, s.flags, s.info) == variant(program, r.flags, r.info);
  });
  return found == ~u32(0) ? nullptr : &program.sections[found];
}

bool is_array(u32 type) {
  return type == SHT_INIT_ARRAY || type == SHT_FINI_ARRAY || type == SHT_PREINIT_ARRAY;
}

Section& make_section(Program& program, const Request& r, u64 key) {
  const std::string_view kept(program.symbols.keep(r.name), r.name.size());
  const SymbolId id =
      program.symbols.find(Name{kept.data(), u32(kept.size()), hash_name_padded(kept.data(), kept.size())});
  const Symbol* named = id == no_symbol ? nullptr : &program.symbols[id];
  if (named && named->kind == SymbolKind::label && !named->has(symbol_section)) {
    program.diags.error(program.sources.statement_loc(), fmt::format("section {} has the name of a symbol", r.name));
    program.diags.note(named->loc, "which is defined here");
  }
  Section& s = program.sections.create(kept);
  const NamedDefault* d = default_for(program, r.name);
  s.type = r.type;
  s.flags = r.flags;
  if (d) {
    if (s.type == SHT_NULL) s.type = d->type;
    // In GNU as what is written replaces the defaults, if it has what they have not; .rodata.str may hold strings.
    const bool suffixed = d->match == NamedDefault::dotted && s.name.size() > d->prefix.size();
    const u64 neutral = os_and_processor | SHF_LINK_ORDER | (suffixed ? SHF_MERGE | SHF_STRINGS : 0);
    const bool overrides = program.profile.written_flags_replace && (r.flags & ~neutral & ~d->flags) != 0;
    if (!overrides) s.flags |= d->flags;
    if (program.profile.bfd_section_names && is_array(d->type)) s.type = d->type;
  }
  if (s.type == SHT_NULL) s.type = SHT_PROGBITS;
  if (r.name == ".eh_frame" && program.profile.eh_frame_unwind_type) {
    if (program.info.elf.machine == EM_X86_64) s.type = SHT_X86_64_UNWIND;
    s.flags |= SHF_ALLOC;
  }
  s.entsize = r.entsize                                                  ? r.entsize
              : is_array(s.type) && program.profile.bfd_section_names ? program.info.address_size
                                                                         : 0;
  s.group = r.group;
  s.comdat = r.comdat;
  s.link_order = r.link_order;
  s.link_order_zero = r.link_order_zero;
  s.unique = r.unique;
  s.info = r.info;
  s.loc = r.loc;
  s.nobits = s.type == SHT_NOBITS;
  program.sections.sub(s.default_subsection).nobits = s.nobits;
  program.section_index.add(key, program.sections.index_of(s));
  if (!program.info.elf.all_section_symbols) {
    program.section_symbol(s);
  } else if (!r.implied) {
    program.list_section(s);
  }
  return s;
}

/// Names to which GNU as gives a type and flags of its own, whatever is said of them.
bool is_known_name(const Program& program, std::string_view name) {
  constexpr std::string_view plain[] = {".comment",     ".debug",         ".debug_abbrev", ".debug_aranges",
                                        ".debug_info",  ".debug_line",    ".dynamic",      ".dynstr",
                                        ".dynsym",      ".gnu.version",   ".gnu.version_d", ".gnu.version_r",
                                        ".hash",        ".interp",        ".line",         ".symtab"};
  return default_for(program, name) || std::find(std::begin(plain), std::end(plain), name) != std::end(plain);
}

/// What is said of a section that exists has to be what was said before. Of names that it knows, GNU as ignores the
/// rest.
void check_reopened(Program& program, const Request& r, const Section& s) {
  if (!r.has_flags) return;
  const bool keeps = program.profile.known_sections_keep_flags;
  constexpr u64 compared = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_TLS | SHF_EXCLUDE;
  const NamedDefault* d = default_for(program, r.name);
  const u64 wanted = keeps ? r.flags & compared : r.flags | (d ? d->flags : 0);
  const u64 had = keeps ? s.flags & compared : s.flags;
  const bool fewer = s.type == SHT_X86_64_UNWIND && (had | wanted) == had;  // may be said
  const bool silent = keeps ? r.flags == 0 : fewer;
  const bool same_type =
      r.type == SHT_NULL || r.type == s.type || (s.type == SHT_X86_64_UNWIND && r.type == SHT_PROGBITS);
  std::string problem;
  bool ignored = keeps && is_known_name(program, r.name);
  if (r.entsize && r.entsize != s.entsize) {
    problem = fmt::format("changed entry size for {}: {}, was {}", s.name, r.entsize, s.entsize);
    ignored = false;
  } else if (wanted != had && !silent) {
    problem = fmt::format("changed section flags for {}: 0x{:x}, were 0x{:x}", s.name, wanted, had);
  } else if (!same_type) {
    problem = fmt::format("changed section type for {}: 0x{:x}, was 0x{:x}", s.name, r.type, s.type);
  }
  if (problem.empty()) return;
  if (ignored) return program.diags.warning(program.sources.statement_loc(), problem + "; ignored");
  program.diags.error(program.sources.statement_loc(), std::move(problem));
}

Section& section_for(Program& program, Request& r) {
  if (r.group_of && r.group_of->group != no_symbol) {
    r.group = r.group_of->group;
    r.comdat = r.group_of->comdat;
    r.flags |= SHF_GROUP;
  }
  const u64 key = section_key(program, r);
  if (Section* known = find_section(program, r, key)) {
    check_reopened(program, r, *known);
    if (program.profile.section_variants && r.has_flags) known->flags |= r.flags & os_and_processor;
    return *known;
  }
  return make_section(program, r, key);
}

/// Optional subsection number at the cursor.
bool parse_subsection(Reader& reader, i64& number) {
  number = 0;
  if (at_end_of_statement(reader)) return true;
  if (!reader.absolute(number, "the subsection number")) return false;
  const i64 low = reader.program().profile.min_subsection;
  if (number < low || number > 0x7fffffff) {
    reader.error(fmt::format("subsection number {} is not between {} and 2147483647", number, low));
    return false;
  }
  return true;
}

}  // namespace

Section& Program::section_named(std::string_view name) {
  if (is_coff) return coff_section(*this, name, coff_default_characteristics(*this, name));
  Request r{.name = name, .implied = true};
  r.loc = sources.statement_loc();
  if (name == ".comment") {
    r.flags = SHF_MERGE | SHF_STRINGS;
    r.entsize = 1;
    r.has_flags = true;
  }
  return section_for(*this, r);
}

void make_initial_sections(Streamer& out) {
  out.program.text = &out.program.section_named(".text");
  if (out.program.info.elf.all_section_symbols) out.program.list_section(*out.program.text);
  const u32 align = out.program.options.no_initial_section ? 1 : out.program.profile.text_align;
  out.program.text->log2_align = std::max(u8(std::countr_zero(align)), out.program.info.code.text_log2);
  if (out.program.profile.default_data_bss) {
    out.program.data = &out.program.section_named(".data");
    out.program.bss = &out.program.section_named(".bss");
    for (Section* s : {out.program.data, out.program.bss})
      if (out.program.info.elf.all_section_symbols) out.program.list_section(*s);
    if (out.program.is_coff) out.program.data->log2_align = out.program.bss->log2_align = out.program.text->log2_align;
  }
  out.current = out.previous = &out.program.sections.sub(out.program.text->default_subsection);
}

void report_linked_section(Program& program, const Section& section) {
  program.diags.error(section.loc, fmt::format("section {} is linked to '{}', which is not in a section", section.name,
                                               program.symbols[section.link_order].text()));
}

void check_linked_sections(Program& program) {
  for (u32 i = 0; i < program.sections.size(); ++i) {
    const Section& section = program.sections[i];
    if (section.link_order == no_symbol) continue;
    const Symbol& to = program.symbols[section.link_order];
    if (to.kind != SymbolKind::label && to.kind != SymbolKind::expression) report_linked_section(program, section);
  }
}

/// #word [, #word]...: flags as Solaris has them, where '#' begins no comment.
bool parse_flag_words(Reader& reader, Request& r) {
  static constexpr struct {
    std::string_view name;
    u64 flag;
  } words[] = {{"alloc", SHF_ALLOC}, {"write", SHF_WRITE}, {"execinstr", SHF_EXECINSTR}, {"exclude", SHF_EXCLUDE},
               {"tls", SHF_TLS}};
  do {
    const char* const where = reader.p;
    if (*reader.p == '#') ++reader.p;
    const Name word = scan_name(reader.p);
    const auto* found =
        std::find_if(std::begin(words), std::end(words), [&](const auto& w) { return w.name == word.text(); });
    if (found == std::end(words))
      return reader.error(where, "expected #alloc, #write, #execinstr, #exclude or #tls"), false;
    r.flags |= found->flag;
    reader.p += word.size;
  } while (accept_comma(reader));
  return true;
}

/// .section name [, "flags" [, type [, ...]]]      .pushsection name [, subsection] [, "flags" ...]
void directive_section(Reader& reader, u32 push) {
  Request r;
  std::string storage;
  r.loc = reader.program().sources.statement_loc();
  if (reader.macros.mri) return reader.error("MRI mode has no named sections on this target; .mri 0 leaves it");
  r.name = parse_section_name(reader, storage);
  if (r.name.empty()) return;
  i64 subsection = 0;
  bool more = accept_comma(reader);
  if (push && more && *reader.p != '"') {
    if (!parse_subsection(reader, subsection)) return;
    more = accept_comma(reader);
  }
  if (more) {
    r.has_flags = true;
    std::string_view flags;
    std::string flag_storage;
    const char* where = reader.p;
    if (*reader.p == '"') {
      if (!parse_string(reader, flags, flag_storage) || !parse_flags(reader, r, flags, where)) return;
    } else if (*reader.p == '#') {
      if (!parse_flag_words(reader, r)) return;
    } else if (*reader.p != '@' && *reader.p != '%') {
      reader.error_here("expected section flags in double quotes");
      return;
    }
    const char* const behind_flags = reader.p;
    if (*reader.p == '@' || *reader.p == '%' || accept_comma(reader)) {
      const bool typed =
          !at_end(reader) && (*reader.p == '@' || *reader.p == '%' || *reader.p == '"');  // '@' may begin a comment
      if (!typed && reader.program().profile.section_type_optional) {
        reader.p = behind_flags;
      } else if (!parse_type(reader, r)) {
        return;
      }
      if (!parse_section_tail(reader, r)) return;
      if (r.flags & SHF_GNU_MBIND && !(r.flags & SHF_ALLOC)) {
        return reader.error(fmt::format("section {} has flag d, but not a", r.name));
      }
    } else if (reader.program().profile.link_order_optional && r.flags & SHF_LINK_ORDER &&
               !(r.flags & (SHF_MERGE | SHF_GROUP))) {
      // The linked-to section may be left open.
    } else if (r.flags & (SHF_MERGE | SHF_GROUP | SHF_LINK_ORDER)) {
      if (!reader.program().profile.bad_entry_size_warns || !(r.flags & SHF_MERGE)) {
        reader.error_here("flags M, G and o need the section's type");
        return;
      }
      reader.warning("entry size for SHF_MERGE is not given");
      r.flags &= ~u64(SHF_MERGE);
    }
  }
  if (push) reader.out.section_stack.emplace_back(reader.out.current, reader.out.previous);
  Section& s = section_for(reader.program(), r);
  reader.out.switch_to(reader.program().sections.subsection(s, i32(subsection)));
}

void directive_standard_section(Reader& reader, u32 which) {
  constexpr std::string_view names[] = {".text", ".data", ".bss", ".rodata", ".tdata", ".tbss"};
  i64 subsection;
  if (!parse_subsection(reader, subsection)) return;
  if (which == section_data && reader.program().options.data_in_text && !reader.program().is_coff) {  // -R
    constexpr i64 first_of_data = 1000;
    which = section_text;
    subsection += first_of_data;
  }
  Section& s = reader.program().section_named(names[which]);
  if (reader.program().info.elf.all_section_symbols) reader.program().list_section(s);
  if (which == section_data && !reader.program().data) reader.program().data = &s;
  if (which == section_bss && !reader.program().bss) reader.program().bss = &s;
  reader.out.switch_to(reader.program().sections.subsection(s, i32(subsection)));
}

namespace {

Subsection& absolute_space(Program& program) {
  if (!program.absolute_space) {
    Section& s = program.sections.create(program.symbols.keep("*ABS*"));
    s.nobits = s.absolute = true;
    program.absolute_space = &program.sections.sub(s.default_subsection);
    program.absolute_space->nobits = true;
  }
  return *program.absolute_space;
}

}  // namespace

void Streamer::begin_without_section() {
  watches_labels = true;
  switch_to(xas::absolute_space(program));
  previous = current;
  needs_section = true;
}

/// .struct offset, .offset offset: what follows up to the next section directive only counts bytes.
void directive_struct(Reader& reader, u32) {
  i64 offset = 0;
  if (!at_end_of_statement(reader) && !reader.absolute(offset, "the offset")) return;
  reader.out.watches_labels = true;
  reader.out.switch_to(absolute_space(reader.program()));
  reader.out.current->size = u64(offset);
  reader.out.current->fragments.clear();
}

/// .attach_to_group name: the current section becomes a member of the group.
void directive_attach_to_group(Reader& reader, u32) {
  std::string storage;
  const std::string_view name = parse_section_name(reader, storage);
  if (name.empty()) return;
  Section& s = reader.out.current_section();
  if (s.group != no_symbol) {
    return reader.warning(
        fmt::format("section {} is in group {} already", s.name, reader.program().symbols[s.group].text()));
  }
  s.group =
      signature_symbol(reader.program(), Name{reader.program().symbols.keep(name), u32(name.size()), hash_name(name)});
  s.comdat = false;
  s.flags |= SHF_GROUP;
  const auto [known, first] = reader.program().records.attached_groups.try_emplace(s.group, false);
  for (u32 i = 0; first && i < reader.program().sections.size() && !known->second; ++i) {
    known->second = reader.program().sections[i].group == s.group && reader.program().sections[i].comdat;
  }
  s.comdat = known->second;
}

void directive_popsection(Reader& reader, u32) {
  if (reader.out.section_stack.empty()) {
    constexpr const char* text = ".popsection without .pushsection";
    return reader.program().profile.popsection_of_none_warns ? reader.warning(text) : reader.error(text);
  }
  const auto [to, before] = reader.out.section_stack.back();
  reader.out.section_stack.pop_back();
  reader.out.return_to(*to, before);
}

void directive_previous(Reader& reader, u32) { reader.out.switch_to(*reader.out.previous); }

void directive_subsection(Reader& reader, u32) {
  i64 number;
  if (!parse_subsection(reader, number)) return;
  reader.out.switch_to(reader.program().sections.subsection(reader.out.current_section(), i32(number)));
}

}  // namespace xas
