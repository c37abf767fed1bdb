// .section and its kin, for ELF.
//
// What is strange: names have default types and flags, which both reference assemblers add to the flags that are
// written; two sections may have one name if their group, linked section or unique number differs; and an unquoted
// section name runs to the next comma or blank, so that it may contain characters no symbol may (.note.GNU-stack).
#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/parse.h"
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
  u8 in = both;
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

const NamedDefault* default_for(const Assembler& a, std::string_view name) {
  for (const NamedDefault& d : named_defaults) {
    if ((d.in & (a.profile.gnu_section_defaults ? NamedDefault::gnu : NamedDefault::llvm)) && matches(d, name))
      return &d;
  }
  return nullptr;
}

struct NamedType {
  std::string_view name;
  u32 type;
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
    {"llvm_cfi_jump_table", SHT_LLVM_CFI_JUMP_TABLE},
    {"llvm_call_graph", SHT_LLVM_CALL_GRAPH},
};

/// What .section's operands said.
struct Request {
  std::string_view name;
  u64 flags = 0;
  u32 type = SHT_NULL;
  bool has_flags = false;
  bool use_current_group = false;  ///< flag '?'
  bool implied = false;            ///< no directive opened it
  u64 entsize = 0;
  SymbolId group = no_symbol;
  bool comdat = false;
  SymbolId link_order = no_symbol;
  bool link_order_zero = false;
  u64 unique = ~u64(0);
  u32 info = 0;  ///< sh_info of SHF_GNU_MBIND sections
  SourceLoc loc = 0;
};

bool parse_flags(Assembler& a, Request& r, std::string_view text, const char* where) {
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
      case 'y': r.flags |= a.info.elf_machine == EM_ARM ? SHF_ARM_PURECODE : SHF_AARCH64_PURECODE; break;
      case '?': r.use_current_group = true; break;
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
        a.error(where, fmt::format("unknown section flag '{}'", text[i]));
        return false;
      }
    }
  }
  return true;
}

/// type := '@' name | '%' name | '"' name '"' | number
bool parse_type(Assembler& a, Request& r) {
  skip_blanks(a);
  const char* where = a.p;
  std::string_view name;
  std::string storage;
  if (*a.p == '"') {
    if (!parse_string(a, name, storage)) return false;
  } else {
    if (at_end(a)) return a.error_here("expected the section's type"), false;
    if (*a.p == '@' || *a.p == '%' || *a.p == '#') ++a.p;
    u64 number;
    bool overflow;
    if (scan_number(a.p, number, overflow)) {
      if (overflow || number > ~u32(0)) {
        a.error(where, "section type does not fit in 32 bits");
        return false;
      }
      r.type = u32(number);
      return true;
    }
    const u32 n = name_length(a.p);
    name = {a.p, n};
    a.p += n;
  }
  for (const NamedType& t : section_types) {
    if (t.name == name) return r.type = t.type, true;
  }
  const char* digits = storage.assign(name).c_str();
  u64 number;
  bool overflow;
  if (scan_number(digits, number, overflow) && *digits == '\0' && !overflow && number <= ~u32(0)) {
    return r.type = u32(number), true;
  }
  if (a.profile.gnu_section_defaults && !name.empty()) {
    a.warning(where, fmt::format("unknown section type '{}', taken as 'progbits'", name));
    return r.type = SHT_PROGBITS, true;
  }
  a.error(where, fmt::format("unknown section type '{}'", name));
  return false;
}

/// What signs a group.
SymbolId signature_symbol(Assembler& a, const Name& name) {
  if (!a.profile.signature_last) return a.symbols.intern(name);
  if (const auto known = a.signatures.find(name.text()); known != a.signatures.end()) return known->second;
  SymbolId id = a.symbols.find(name);
  if (id != no_symbol) return id;
  id = a.symbols.make_anonymous();
  a.symbols[id].name = name.p;
  a.symbols[id].name_size = name.size;
  a.signatures.emplace(name.text(), id);
  return id;
}

/// After the type: [,entsize] [,linked symbol] [,group [,comdat]] [,unique,N]
bool parse_section_tail(Assembler& a, Request& r) {
  if (r.flags & SHF_MERGE) {
    if (accept_comma(a)) {
      i64 entsize;
      const char* where = a.p;
      if (!a.absolute(entsize, "entry size")) return false;
      if (entsize < 0 || (entsize == 0 && !a.profile.gnu_section_defaults)) {
        a.error(where, "entry size must be positive");
        return false;
      }
      r.entsize = u64(entsize);
    } else {
      const char* text = "entry size for SHF_MERGE is not given";
      if (!a.profile.gnu_section_defaults) return a.error_here(text), false;
      a.warning(a.statement_start, text);
      r.flags &= ~u64(SHF_MERGE);
    }
  }
  if (r.flags & SHF_LINK_ORDER && !(a.profile.gnu_section_defaults && at_end_of_statement(a))) {
    if (!expect_comma(a, "the section type ('o' needs a symbol)")) return false;
    if (*a.p == '0' && !a.chars.is(a.p[1], char_name)) {
      ++a.p;
      r.link_order_zero = true;
    } else if (!parse_symbol(a, r.link_order, "the symbol of the linked-to section")) {
      return false;
    }
  }
  if (r.flags & SHF_GROUP) {
    if (!expect_comma(a, "the section type ('G' needs a group name)")) return false;
    Name group;
    if (u8(*a.p - '0') <= 9) {
      const u32 n = name_length(a.p);
      group = {a.p, n, hash_name_padded(a.p, n)};
      a.p += n;
    } else if (!parse_name(a, group, "the group's name")) {
      return false;
    }
    // GNU as knows a signature as text only, so that the section's symbol comes before it.
    if (a.profile.signature_last && !a.info.all_section_symbols) a.symbols.intern_copy(r.name);
    r.group = signature_symbol(a, group);
    if (a.symbols[r.group].loc == 0) a.symbols[r.group].loc = r.loc;
    const char* before = a.p;
    if (accept_comma(a)) {
      const Name word = scan_name(a.p);
      if (word.text() == "comdat") {
        a.p += word.size;
        r.comdat = true;
      } else if (word.text() == "unique") {
        a.p = before;
      } else {
        a.error_here("expected 'comdat'");
        return false;
      }
    }
  }
  bool more = accept_comma(a);
  if (more && r.flags & SHF_GNU_MBIND && u8(*a.p - '0') <= 9) {
    u64 info;
    bool overflow;
    const char* where = a.p;
    if (!scan_number(a.p, info, overflow) || overflow || info > ~u32(0))
      return a.error(where, "the section's info has 32 bits"), false;
    r.info = u32(info);
    more = accept_comma(a);
  }
  if (more) {
    const Name word = scan_name(a.p);
    if (word.text() != "unique") {
      a.error_here("expected 'unique'");
      return false;
    }
    a.p += word.size;
    if (!expect_comma(a, "'unique'")) return false;
    i64 number;
    if (!a.absolute(number, "the unique number")) return false;
    if (number < 0 || number > i64(~u32(0)) - !a.profile.gnu_section_defaults) {
      a.error_here(
          fmt::format("the unique number must be between 0 and {}", i64(~u32(0)) - !a.profile.gnu_section_defaults));
      return false;
    }
    r.unique = u64(number);
  }
  return true;
}

std::string_view parse_section_name(Assembler& a, std::string& storage) {
  skip_blanks(a);
  std::string_view name;
  if (*a.p == '"') {
    storage.clear();
    if (!parse_message(a, storage)) return {};
    name = storage;
  } else {
    const char* start = a.p;
    while (*a.p != ',' && !a.chars.is(*a.p, char_blank) && !at_end(a)) ++a.p;
    name = {start, std::size_t(a.p - start)};
    if (a.options.sectname_subst && name.find("%S") != name.npos) {
      storage = name;
      const std::string_view current = a.current_section().name;
      for (std::size_t at = 0; (at = storage.find("%S", at)) != storage.npos; at += current.size())
        storage.replace(at, 2, current);
      name = storage;
    }
  }
  if (name.empty()) a.error_here("expected a section name");
  return name;
}

/// What else tells sections of one name apart: GNU as keeps those with and without R apart, and those of other info.
u64 variant(const Assembler& a, u64 flags, u32 info) {
  return a.profile.gnu_section_defaults ? (flags & SHF_GNU_RETAIN) | info : 0;
}

u64 section_key(const Assembler& a, const Request& r) {
  u64 h = hash_step(hash_name(r.name), variant(a, r.flags, r.info));
  h = hash_step(hash_step(h, r.group), r.unique);
  return hash_step(h, u64(r.link_order) << 1 | r.link_order_zero);
}

Section* find_section(Assembler& a, const Request& r, u64 key) {
  const u32 found = a.section_index.find(key, [&](u32 number) {
    const Section& s = a.sections[number];
    return s.name == r.name && s.group == r.group && s.unique == r.unique && s.link_order == r.link_order &&
           s.link_order_zero == r.link_order_zero && variant(a, s.flags, s.info) == variant(a, r.flags, r.info);
  });
  return found == ~u32(0) ? nullptr : &a.sections[found];
}

bool is_array(u32 type) {
  return type == SHT_INIT_ARRAY || type == SHT_FINI_ARRAY || type == SHT_PREINIT_ARRAY;
}

Section& make_section(Assembler& a, const Request& r, u64 key) {
  const std::string_view kept(a.symbols.keep(r.name), r.name.size());
  const SymbolId id = a.symbols.find(Name{kept.data(), u32(kept.size()), hash_name_padded(kept.data(), kept.size())});
  const Symbol* named = id == no_symbol ? nullptr : &a.symbols[id];
  if (named && named->kind == SymbolKind::label && !named->has(symbol_section)) {
    a.error(a.statement_start, fmt::format("section {} has the name of a symbol", r.name));
    a.diags.note(named->loc, "which is defined here");
  }
  Section& s = a.sections.create(kept);
  const NamedDefault* d = default_for(a, r.name);
  s.type = r.type;
  s.flags = r.flags;
  if (d) {
    if (s.type == SHT_NULL) s.type = d->type;
    // In GNU as what is written replaces the defaults, if it has what they have not; .rodata.str may hold strings.
    const bool suffixed = d->match == NamedDefault::dotted && s.name.size() > d->prefix.size();
    const u64 neutral = os_and_processor | SHF_LINK_ORDER | (suffixed ? SHF_MERGE | SHF_STRINGS : 0);
    const bool overrides = a.profile.gnu_section_defaults && (r.flags & ~neutral & ~d->flags) != 0;
    if (!overrides) s.flags |= d->flags;
    if (a.profile.gnu_section_defaults && is_array(d->type)) s.type = d->type;
  }
  if (s.type == SHT_NULL) s.type = SHT_PROGBITS;
  if (r.name == ".eh_frame" && a.profile.eh_frame_unwind_type) {
    if (a.info.elf_machine == EM_X86_64) s.type = SHT_X86_64_UNWIND;
    s.flags |= SHF_ALLOC;
  }
  s.entsize = r.entsize ? r.entsize : is_array(s.type) && a.profile.gnu_section_defaults ? a.info.address_size : 0;
  s.group = r.group;
  s.comdat = r.comdat;
  s.link_order = r.link_order;
  s.link_order_zero = r.link_order_zero;
  s.unique = r.unique;
  s.info = r.info;
  s.loc = r.loc;
  s.nobits = s.type == SHT_NOBITS;
  a.sections.sub(s.default_subsection).nobits = s.nobits;
  a.section_index.add(key, a.sections.index_of(s));
  if (!a.info.all_section_symbols) {
    a.section_symbol(s);
  } else if (!r.implied) {
    a.list_section(s);
  }
  return s;
}

/// Names to which GNU as gives a type and flags of its own, whatever is said of them.
bool is_known_name(const Assembler& a, std::string_view name) {
  constexpr std::string_view plain[] = {".comment",     ".debug",         ".debug_abbrev", ".debug_aranges",
                                        ".debug_info",  ".debug_line",    ".dynamic",      ".dynstr",
                                        ".dynsym",      ".gnu.version",   ".gnu.version_d", ".gnu.version_r",
                                        ".hash",        ".interp",        ".line",         ".symtab"};
  return default_for(a, name) || std::find(std::begin(plain), std::end(plain), name) != std::end(plain);
}

/// What is said of a section that exists has to be what was said before. Of names that it knows, GNU as ignores the
/// rest.
void check_reopened(Assembler& a, const Request& r, const Section& s) {
  if (!r.has_flags) return;
  const bool gnu = a.profile.gnu_section_defaults;
  constexpr u64 compared = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS | SHF_TLS | SHF_EXCLUDE;
  const NamedDefault* d = default_for(a, r.name);
  const u64 wanted = gnu ? r.flags & compared : r.flags | (d ? d->flags : 0);
  const u64 had = gnu ? s.flags & compared : s.flags;
  const bool fewer = s.type == SHT_X86_64_UNWIND && (had | wanted) == had;  // may be said
  const bool silent = gnu ? r.flags == 0 : fewer;
  const bool same_type =
      r.type == SHT_NULL || r.type == s.type || (s.type == SHT_X86_64_UNWIND && r.type == SHT_PROGBITS);
  std::string problem;
  bool ignored = gnu && is_known_name(a, r.name);
  if (r.entsize && r.entsize != s.entsize && (!gnu || (r.flags & SHF_MERGE))) {
    problem = fmt::format("changed entry size for {}: {}, was {}", s.name, r.entsize, s.entsize);
    ignored = false;
  } else if (wanted != had && !silent) {
    problem = fmt::format("changed section flags for {}: 0x{:x}, were 0x{:x}", s.name, wanted, had);
  } else if (!same_type) {
    problem = fmt::format("changed section type for {}: 0x{:x}, was 0x{:x}", s.name, r.type, s.type);
  }
  if (problem.empty()) return;
  if (ignored) return a.warning(a.statement_start, problem + "; ignored");
  a.error(a.statement_start, std::move(problem));
}

Section& section_for(Assembler& a, Request& r) {
  if (r.use_current_group && a.current_section().group != no_symbol) {
    r.group = a.current_section().group;
    r.comdat = a.current_section().comdat;
    r.flags |= SHF_GROUP;
  }
  const u64 key = section_key(a, r);
  if (Section* known = find_section(a, r, key)) {
    check_reopened(a, r, *known);
    if (a.profile.gnu_section_defaults && r.has_flags) known->flags |= r.flags & os_and_processor;
    return *known;
  }
  return make_section(a, r, key);
}

/// Optional subsection number at the cursor.
bool parse_subsection(Assembler& a, i64& number) {
  number = 0;
  if (at_end_of_statement(a)) return true;
  if (!a.absolute(number, "the subsection number")) return false;
  const i64 low = a.profile.gnu_section_defaults ? -(i64(1) << 31) : 0;
  if (number < low || number > 0x7fffffff) {
    a.error(a.statement_start, fmt::format("subsection number {} is not between {} and 2147483647", number, low));
    return false;
  }
  return true;
}

}  // namespace

Section& Assembler::section_named(std::string_view name) {
  if (is_coff) return coff_section(*this, name, coff_default_characteristics(*this, name));
  Request r{.name = name, .implied = true};
  r.loc = here();
  if (name == ".comment") {
    r.flags = SHF_MERGE | SHF_STRINGS;
    r.entsize = 1;
    r.has_flags = true;
  }
  return section_for(*this, r);
}

void make_initial_sections(Assembler& a) {
  a.text = &a.section_named(".text");
  if (a.info.all_section_symbols) a.list_section(*a.text);
  const u32 align = a.options.no_initial_section ? 1 : a.profile.text_align;
  a.text->log2_align = std::max(u8(std::countr_zero(align)), a.info.text_log2);
  if (a.profile.default_data_bss) {
    a.data = &a.section_named(".data");
    a.bss = &a.section_named(".bss");
    for (Section* s : {a.data, a.bss})
      if (a.info.all_section_symbols) a.list_section(*s);
    if (a.is_coff) a.data->log2_align = a.bss->log2_align = a.text->log2_align;
  }
  a.current = a.previous = &a.sections.sub(a.text->default_subsection);
}

void report_linked_section(Assembler& a, const Section& section) {
  a.diags.error(section.loc, fmt::format("section {} is linked to '{}', which is not in a section", section.name,
                                         a.symbols[section.link_order].text()));
}

void check_linked_sections(Assembler& a) {
  for (u32 i = 0; i < a.sections.size(); ++i) {
    const Section& section = a.sections[i];
    if (section.link_order == no_symbol) continue;
    const Symbol& to = a.symbols[section.link_order];
    if (to.kind != SymbolKind::label && to.kind != SymbolKind::expression) report_linked_section(a, section);
  }
}

/// #word [, #word]...: flags as Solaris has them, where '#' begins no comment.
bool parse_flag_words(Assembler& a, Request& r) {
  static constexpr struct {
    std::string_view name;
    u64 flag;
  } words[] = {{"alloc", SHF_ALLOC}, {"write", SHF_WRITE}, {"execinstr", SHF_EXECINSTR}, {"exclude", SHF_EXCLUDE},
               {"tls", SHF_TLS}};
  do {
    const char* const where = a.p;
    if (*a.p == '#') ++a.p;
    const Name word = scan_name(a.p);
    const auto* found =
        std::find_if(std::begin(words), std::end(words), [&](const auto& w) { return w.name == word.text(); });
    if (found == std::end(words)) return a.error(where, "expected #alloc, #write, #execinstr, #exclude or #tls"), false;
    r.flags |= found->flag;
    a.p += word.size;
  } while (accept_comma(a));
  return true;
}

/// .section name [, "flags" [, type [, ...]]]      .pushsection name [, subsection] [, "flags" ...]
void directive_section(Assembler& a, u32 push) {
  Request r;
  std::string storage;
  r.loc = a.loc_of(a.statement_start);
  if (a.macros.mri)
    return a.error(a.statement_start, "MRI mode has no named sections on this target; .mri 0 leaves it");
  r.name = parse_section_name(a, storage);
  if (r.name.empty()) return;
  i64 subsection = 0;
  bool more = accept_comma(a);
  if (push && more && *a.p != '"') {
    if (!parse_subsection(a, subsection)) return;
    more = accept_comma(a);
  }
  if (more) {
    r.has_flags = true;
    std::string_view flags;
    std::string flag_storage;
    const char* where = a.p;
    if (*a.p == '"') {
      if (!parse_string(a, flags, flag_storage) || !parse_flags(a, r, flags, where)) return;
    } else if (*a.p == '#') {
      if (!parse_flag_words(a, r)) return;
    } else if (*a.p != '@' && *a.p != '%') {
      a.error_here("expected section flags in double quotes");
      return;
    }
    const char* const behind_flags = a.p;
    if (*a.p == '@' || *a.p == '%' || accept_comma(a)) {
      const bool typed = !at_end(a) && (*a.p == '@' || *a.p == '%' || *a.p == '"');  // '@' may begin a comment
      if (!typed && a.profile.gnu_section_defaults) {
        a.p = behind_flags;
      } else if (!parse_type(a, r)) {
        return;
      }
      if (!parse_section_tail(a, r)) return;
      if (r.flags & SHF_GNU_MBIND && !(r.flags & SHF_ALLOC)) {
        return a.error(a.statement_start, fmt::format("section {} has flag d, but not a", r.name));
      }
    } else if (a.profile.gnu_section_defaults && r.flags & SHF_LINK_ORDER && !(r.flags & (SHF_MERGE | SHF_GROUP))) {
      // The linked-to section may be left open.
    } else if (r.flags & (SHF_MERGE | SHF_GROUP | SHF_LINK_ORDER)) {
      if (!a.profile.gnu_section_defaults || !(r.flags & SHF_MERGE)) {
        a.error_here("flags M, G and o need the section's type");
        return;
      }
      a.warning(a.statement_start, "entry size for SHF_MERGE is not given");
      r.flags &= ~u64(SHF_MERGE);
    }
  }
  if (push) a.section_stack.emplace_back(a.current, a.previous);
  Section& s = section_for(a, r);
  a.switch_to(a.sections.subsection(s, i32(subsection)));
}

void directive_standard_section(Assembler& a, u32 which) {
  constexpr std::string_view names[] = {".text", ".data", ".bss", ".rodata", ".tdata", ".tbss"};
  i64 subsection;
  if (!parse_subsection(a, subsection)) return;
  if (which == section_data && a.options.data_in_text && !a.is_coff) {  // -R
    constexpr i64 first_of_data = 1000;
    which = section_text;
    subsection += first_of_data;
  }
  Section& s = a.section_named(names[which]);
  if (a.info.all_section_symbols) a.list_section(s);
  if (which == section_data && !a.data) a.data = &s;
  if (which == section_bss && !a.bss) a.bss = &s;
  a.switch_to(a.sections.subsection(s, i32(subsection)));
}

namespace {

Subsection& absolute_space(Assembler& a) {
  if (!a.absolute_space) {
    Section& s = a.sections.create(a.symbols.keep("*ABS*"));
    s.nobits = s.absolute = true;
    a.absolute_space = &a.sections.sub(s.default_subsection);
    a.absolute_space->nobits = true;
  }
  return *a.absolute_space;
}

}  // namespace

void Assembler::begin_without_section() {
  watches_labels = true;
  switch_to(xas::absolute_space(*this));
  previous = current;
  needs_section = true;
}

/// .struct offset, .offset offset: what follows up to the next section directive only counts bytes.
void directive_struct(Assembler& a, u32) {
  i64 offset = 0;
  if (!at_end_of_statement(a) && !a.absolute(offset, "the offset")) return;
  a.watches_labels = true;
  a.switch_to(absolute_space(a));
  a.current->size = u64(offset);
  a.current->flexes.clear();
}

/// .attach_to_group name: the current section becomes a member of the group.
void directive_attach_to_group(Assembler& a, u32) {
  std::string storage;
  const std::string_view name = parse_section_name(a, storage);
  if (name.empty()) return;
  Section& s = a.current_section();
  if (s.group != no_symbol) {
    return a.warning(a.statement_start,
                     fmt::format("section {} is in group {} already", s.name, a.symbols[s.group].text()));
  }
  s.group = signature_symbol(a, Name{a.symbols.keep(name), u32(name.size()), hash_name(name)});
  s.comdat = false;
  s.flags |= SHF_GROUP;
  const auto [known, first] = a.attached_groups.try_emplace(s.group, false);
  for (u32 i = 0; first && i < a.sections.size() && !known->second; ++i) {
    known->second = a.sections[i].group == s.group && a.sections[i].comdat;
  }
  s.comdat = known->second;
}

void directive_popsection(Assembler& a, u32) {
  if (a.section_stack.empty()) {
    constexpr const char* text = ".popsection without .pushsection";
    return a.profile.gnu_section_defaults ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
  }
  const auto [to, before] = a.section_stack.back();
  a.section_stack.pop_back();
  a.return_to(*to, before);
}

void directive_previous(Assembler& a, u32) { a.switch_to(*a.previous); }

void directive_subsection(Assembler& a, u32) {
  i64 number;
  if (!parse_subsection(a, number)) return;
  a.switch_to(a.sections.subsection(a.current_section(), i32(number)));
}

}  // namespace xas
