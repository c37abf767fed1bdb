// SPDX-License-Identifier: Apache-2.0
// .section and its kin, for ELF.
//
// What is strange: an unquoted section name runs to the next comma or blank, so that it may contain characters no
// symbol may (.note.GNU-stack). What the operands ask for is made by asm/program/elf_sections.h.
#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/directives/sections.h"
#include "asm/program/elf_sections.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"
#include "targets/text.h"

namespace xas {

using namespace elf;

namespace {

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

}  // namespace

bool read_section_flags(Reader& reader, SectionRequest& r, std::string_view text, const char* where) {
  const u16 machine = reader.program().info.elf.machine;
  const u64 code_alone = machine == EM_ARM       ? u64(SHF_ARM_PURECODE)
                         : machine == EM_AARCH64 ? u64(SHF_AARCH64_PURECODE)
                                                 : 0;
  const u64 large = machine == EM_X86_64 ? u64(SHF_X86_64_LARGE) : 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case 'a': r.flags |= SHF_ALLOC; break;
      case 'w': r.flags |= SHF_WRITE; break;
      case 'x': r.flags |= SHF_EXECINSTR; break;
      case 'e': r.flags |= SHF_EXCLUDE; break;
      case 'E': r.sizes_entries = true; break;
      case 'M':
      case 'm': r.flags |= SHF_MERGE; break;
      case 'S': r.flags |= SHF_STRINGS; break;
      case 'G': r.flags |= SHF_GROUP; break;
      case 'T': r.flags |= SHF_TLS; break;
      case 'o': r.flags |= SHF_LINK_ORDER; break;
      case 'R':
        r.flags |= reader.program().options.os_abi == ELFOSABI_SOLARIS ? SHF_SUNW_NODISCARD : SHF_GNU_RETAIN;
        break;
      case 'd': r.flags |= SHF_GNU_MBIND; break;
      case '?': r.group_of = &reader.out.current_section(); break;
      case ',':
      case ' ': break;
      default: {
        if (const u64 flag = text[i] == 'l' ? large : text[i] == 'y' ? code_alone : 0) {
          r.flags |= flag;
          break;
        }
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
        const std::string_view of_machine = large ? ", l" : code_alone ? ", y" : "";
        constexpr std::string_view known = "a, d, e, E, G, M, o, R, S, T, w, x, ?";
        reader.error(where, fmt::format("unknown section flag '{}' (known: {}{})", text[i], known, of_machine));
        return false;
      }
    }
  }
  return true;
}

void join_group(Reader& reader, SectionRequest& r, const Name& group) {
  Program& program = reader.program();
  // GNU as knows a signature as text only, so that the section's symbol comes before it.
  if (program.profile.signatures_are_text && !program.info.elf.all_section_symbols) program.symbols.intern_copy(r.name);
  r.group = symbol_of_text(program, group);
  if (program.symbols[r.group].loc == 0) program.symbols[r.group].loc = r.loc;
}

namespace {

/// type := '@' name | '%' name | '"' name '"' | number
bool parse_type(Reader& reader, SectionRequest& r) {
  skip_blanks(reader);
  const char* where = reader.p;
  std::string_view name;
  std::string storage;
  if (*reader.p == '"') {
    if (!parse_string(reader, name, storage)) return false;
  } else {
    if (at_end(reader)) return reader.expected("the section's type"), false;
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

/// Flags that begin with '+' or '-': the section is as the current one, with these flags more or less.
bool read_section_changes(Reader& reader, SectionRequest& r, std::string_view text, const char* where) {
  SectionRequest change;
  if (!read_section_flags(reader, change, text.substr(1), where)) return false;
  const Section& from = reader.out.current_section();
  r.type = from.type;
  r.flags = text[0] == '+' ? from.flags | change.flags : from.flags & ~change.flags;
  r.said = text[0] == '+' ? change.flags : 0;
  r.info = from.info;
  if (r.flags & (SHF_MERGE | SHF_STRINGS) & ~r.said) r.entsize = from.entsize;
  if (r.flags & SHF_GROUP & ~r.said) {
    r.group = from.group;
    r.comdat = from.comdat;
  }
  if (r.flags & SHF_LINK_ORDER & ~r.said) {
    r.link_order = from.link_order;
    r.link_order_zero = from.link_order_zero;
  }
  r.group_of = change.group_of;
  r.sizes_entries = text[0] == '+' && change.sizes_entries;
  return true;
}

/// Entries without a size can't be merged; where strings have one, they are no strings either then.
void drop_entries(const Reader& reader, SectionRequest& r) {
  r.flags &= ~u64(SHF_MERGE);
  if (reader.program().profile.string_entry_size) r.flags &= ~u64(SHF_STRINGS);
}

/// ',' entry size. GNU as keeps 32 bits of it, and takes a section whose size it cannot use for one without entries.
bool parse_entry_size(Reader& reader, SectionRequest& r) {
  // Of types that GNU as does not know, LLVM's rule holds.
  const bool warns = reader.program().profile.bad_entry_size_warns && !r.has_entries;
  std::string problem = "the entry size is not given";
  const char* where = reader.p;
  if (accept_comma(reader)) {
    i64 size;
    where = reader.p;
    if (!reader.absolute(size, "entry size")) return false;
    const i64 kept = warns ? i32(size) : size;
    const i64 least = warns && !reader.program().profile.string_entry_size ? 0 : 1;
    const i64 most = warns ? 0x7fffffff : i64(~u32(0));
    if (kept >= least && kept <= most) return r.entsize = u64(kept), true;
    problem = fmt::format("the entry size {} is not between {} and {}", size, least, most);
  }
  if (!warns) return reader.error(where, std::move(problem)), false;
  reader.warning(problem + "; the section is taken as one without entries");
  drop_entries(reader, r);
  return true;
}

/// A name in quotes or without, which `storage` may keep.
bool parse_section_name(Reader& reader, std::string& storage, std::string_view& name,
                        std::string_view what = "a section name") {
  skip_blanks(reader);
  if (*reader.p == '"') {  // what stands in quotes may be empty
    storage.clear();
    if (!parse_message(reader, storage)) return false;
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
    if (name.empty()) return reader.expected(what), false;
  }
  return true;
}

/// The name of a group: text, in LLVM a name or a number.
bool parse_signature(Reader& reader, SectionRequest& r) {
  constexpr const char* what = "the group's name";
  Name name;
  if (!reader.program().profile.signatures_are_text && u8(*reader.p - '0') > 9) {
    if (!parse_name(reader, name, what)) return false;
  } else {
    std::string storage;
    std::string_view text;
    if (!parse_section_name(reader, storage, text, what)) return false;
    if (text.empty()) return reader.expected(what), false;
    if (text.data() == storage.data()) text = reader.program().symbols.keep(text);
    name = {text.data(), u32(text.size()), hash_name(text)};
  }
  return join_group(reader, r, name), true;
}

/// After the type: [,entsize] [,linked symbol] [,group [,comdat]] [,info] [,unique,N]
bool parse_section_tail(Reader& reader, SectionRequest& r) {
  const bool may_say_size = r.flags & (SHF_MERGE | SHF_STRINGS) && *reader.p == ',' &&
                            u8(*skip_blanks(reader.program().chars, reader.p + 1) - '0') <= 9;
  const bool has_entries = r.said & SHF_MERGE || r.sizes_entries || r.has_entries;
  if ((has_entries || may_say_size) && !parse_entry_size(reader, r)) return false;
  if (r.said & SHF_LINK_ORDER && !(reader.program().profile.link_order_optional && at_end_of_statement(reader))) {
    if (!expect_comma(reader, "the section type ('o' needs a symbol)")) return false;
    if (*reader.p == '0' && !reader.program().chars.is(reader.p[1], char_name)) {
      ++reader.p;
      r.link_order_zero = true;
    } else {
      Name name;
      if (!parse_name(reader, name, "the symbol of the linked-to section")) return false;
      r.link_order = symbol_of_text(reader.program(), name);
    }
  }
  if (r.said & SHF_GROUP) {
    if (!expect_comma(reader, "the section type ('G' needs a group name)")) return false;
    if (!parse_signature(reader, r)) return false;
    if (accept_comma(reader)) {
      const Name word = scan_name(reader.p);
      if (word.text() != "comdat") return reader.expected("'comdat'"), false;
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
      const bool is_number = u8(*reader.p - '0') <= 9;
      reader.error_here(fmt::format("expected 'unique' and a number, found {}{}", text::found(reader.p, at_end(reader)),
                                    is_number ? "; an entry size needs flag M" : ""));
      return false;
    }
    reader.p += word.size;
    if (!expect_comma(reader, "'unique'")) return false;
    i64 number;
    if (!reader.absolute(number, "the unique number")) return false;
    if (std::string problem = wrong_unique_number(reader.program(), number); !problem.empty())
      return reader.error_here(std::move(problem)), false;
    r.unique = u64(number);
  }
  return true;
}

}  // namespace

bool parse_subsection(Reader& reader, i64& number) {
  number = 0;
  if (at_end_of_statement(reader)) return true;
  if (*reader.p == '?') {
    reader.error_here("a section's name has no '?' here; write '.bss' for what MASM calls '.data?'");
    return false;
  }
  if (!reader.absolute(number, "the subsection number")) return false;
  if (std::string problem = wrong_subsection_number(reader.program(), number); !problem.empty())
    return reader.error(std::move(problem)), false;
  number = i32(number);
  return true;
}

/// #word [, #word]...: flags as Solaris has them, where '#' begins no comment.
bool parse_flag_words(Reader& reader, SectionRequest& r) {
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
    if (found == std::end(words)) return reader.expected(where, "#alloc, #write, #execinstr, #exclude or #tls"), false;
    r.flags |= found->flag;
    reader.p += word.size;
  } while (accept_comma(reader));
  return true;
}

/// .section name [, "flags" [, type [, ...]]]      .pushsection name [, subsection] [, "flags" ...]
void directive_section(Reader& reader, u32 push) {
  SectionRequest r;
  std::string storage;
  r.loc = reader.program().sources.statement_loc();
  if (reader.macros.mri) return reader.error("MRI mode has no named sections on this target; .mri 0 leaves it");
  if (!parse_section_name(reader, storage, r.name)) return;
  i64 subsection = 0;
  bool more = accept_comma(reader);
  if (push && more && *reader.p != '"') {
    if (!parse_subsection(reader, subsection)) return;
    if (subsection == -1 && !reader.program().profile.pushes_minus_one) subsection = 0;
    more = accept_comma(reader);
  }
  if (more && reader.program().profile.section_flags_optional && at_end_of_statement(reader)) more = false;
  if (more) {
    r.has_flags = true;
    std::string_view flags;
    std::string flag_storage;
    const char* where = reader.p;
    if (*reader.p == '"') {
      if (!parse_string(reader, flags, flag_storage)) return;
      const bool changes = flags.starts_with('+') || flags.starts_with('-');
      if (!(changes ? read_section_changes : read_section_flags)(reader, r, flags, where)) return;
      if (!changes) r.said = r.flags;
    } else if (*reader.p == '#') {
      if (!parse_flag_words(reader, r)) return;
      r.said = r.flags;
    } else if (*reader.p != '@' && *reader.p != '%') {
      if (r.name.starts_with("__"))
        reader.error_here(
            fmt::format("'{}' is a segment of Mach-O objects; write .text, .data or a section's name alone", r.name));
      else
        reader.expected("section flags in double quotes");
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
    } else if (reader.program().profile.link_order_optional && r.said & SHF_LINK_ORDER &&
               !(r.said & (SHF_MERGE | SHF_GROUP))) {
      // The linked-to section may be left open.
    } else if (r.said & (SHF_MERGE | SHF_GROUP | SHF_LINK_ORDER) || r.sizes_entries) {
      if (!reader.program().profile.bad_entry_size_warns || !(r.said & SHF_MERGE || r.sizes_entries)) {
        reader.error_here("flags E, M, G and o need the section's type");
        return;
      }
      reader.warning("the entry size is not given");
      drop_entries(reader, r);
    }
  }
  if (push) reader.out.push_section();
  Section& s = elf_section(reader.program(), r);
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
  choose_standard_section(reader.out, names[which], i32(subsection));
}

/// .struct offset, .offset offset: what follows up to the next section directive only counts bytes.
void directive_struct(Reader& reader, u32) {
  i64 offset = 0;
  if (!at_end_of_statement(reader) && !reader.absolute(offset, "the offset")) return;
  begin_absolute_space(reader.out, u64(offset));
}

/// .attach_to_group name: the current section becomes a member of the group.
void directive_attach_to_group(Reader& reader, u32) {
  std::string storage;
  std::string_view name;
  if (!parse_section_name(reader, storage, name)) return;
  attach_to_group(reader.out, name);
}

void directive_popsection(Reader& reader, u32) {
  if (reader.out.pop_section()) return;
  constexpr const char* text = ".popsection without .pushsection";
  return reader.program().profile.popsection_of_none_warns ? reader.warning(text) : reader.error(text);
}

void directive_previous(Reader& reader, u32) {
  if (reader.out.previous) return reader.out.switch_to(*reader.out.previous);
  constexpr const char* text = "no section has been left that .previous could go back to";
  return reader.program().profile.popsection_of_none_warns ? reader.warning(text) : reader.error(text);
}

void directive_subsection(Reader& reader, u32) {
  i64 number;
  if (!parse_subsection(reader, number)) return;
  reader.out.switch_to(reader.program().sections.subsection(reader.out.current_section(), i32(number)));
}

}  // namespace xas
