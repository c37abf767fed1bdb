// SPDX-License-Identifier: Apache-2.0
// Section groups, and COFF's COMDAT sections.
#include "asm/corpus/objects/sample.h"
#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"

namespace xas::corpus::objects {

using namespace xas::elf;

namespace {

constexpr std::string_view gabi = "gABI, Section Groups";
constexpr std::string_view pe = "PE Format, COMDAT Sections; Auxiliary Format 5: Section Definitions";

Builder::Section function_section(Sample& s, std::string_view name) {
  const auto section = s.o.section(fmt::format("{}{}", s.is_coff() ? ".text$" : ".text.", name), object::code_section);
  s.o.integer(section, 0x909090c3, 4);
  return section;
}

/// Function `name` in a COMDAT group of its own.
Builder::Group comdat(Sample& s, std::string_view name) {
  const auto section = function_section(s, name);
  const auto symbol = s.o.symbol(name, s.is_coff() ? object::Binding::global : object::Binding::weak);
  s.o.define(symbol, section, 0);
  s.o.set_type(symbol, object::SymbolType::function);
  const auto group = s.o.group(symbol);
  s.o.add_to_group(group, section);
  return group;
}

/// Functions f and g in a COMDAT each.
bool two(Sample& s) {
  s.program();
  comdat(s, "f");
  comdat(s, "g");
  return s.finish();
}

/// The group that has section `member` first.
u64 group_of(const Sample& s, std::string_view member) {
  const u64 section = s.image.section(member);
  for (u64 i = 1; i < s.image.sections(); ++i) {
    const std::string in = fmt::format("section[{}].", i);
    if (s.image.get(in + "sh_type") == u64(SHT_GROUP) && s.image.get(in + "word[1]") == section) return i;
  }
  return 0;
}
void set_group(Sample& s, std::string_view member, std::string_view field, u64 value) {
  s.set(fmt::format("section[{}].{}", group_of(s, member), field), value);
}

void comdats(Sample& s) {
  s.program();
  for (u64 i = 0; i < s.param; ++i) comdat(s, fmt::format("f{}", i));
  if (!s.finish()) return;
  s.fact(s.is_coff() ? "comdats" : "groups", s.param);
}

void members(Sample& s) {
  s.program();
  const auto group = comdat(s, "f");
  for (u64 i = 1; i < s.param; ++i)
    s.o.add_to_group(group, s.o.section(fmt::format("m.{}", i), object::constants_section));
  if (!s.finish()) return;
  s.fact("members f", s.param);
}

void empty(Sample& s) {
  if (!two(s)) return;
  set_group(s, ".text.f", "sh_size", 4);
  s.set_section(".text.f", "sh_flags", SHF_ALLOC | SHF_EXECINSTR);
  s.fact("members f", 0);
}

void plain(Sample& s) {
  s.program();
  const auto section = function_section(s, "f");
  const auto symbol = s.o.symbol("f");
  s.o.define(symbol, section, 0);
  s.o.add_to_group(s.o.group(symbol, false), section);
  if (s.finish()) s.fact("members f", 1);
}

void signature_twice(Sample& s) {
  if (two(s)) set_group(s, ".text.g", "sh_info", s.image.symbol("f"));
}

void member_of_two(Sample& s) {
  if (two(s)) set_group(s, ".text.g", "word[1]", s.image.section(".text.f"));
}

template <u32 Member>
void member(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "word[1]", Member);
}

void member_itself(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "word[1]", group_of(s, ".text.f"));
}

void signature_undefined(Sample& s) {
  s.program();
  const auto section = function_section(s, "f");
  s.o.add_to_group(s.o.group(s.o.symbol("f")), section);
  if (s.finish()) s.fact("members f", 1);
}

void signature_local(Sample& s) {
  s.program();
  const auto section = function_section(s, "f");
  const auto symbol = s.o.symbol("f", object::Binding::local);
  s.o.define(symbol, section, 0);
  s.o.add_to_group(s.o.group(symbol), section);
  if (s.finish()) s.fact("members f", 1);
}

void signature_section(Sample& s) {
  s.program();
  const auto section = function_section(s, "f");
  s.o.add_to_group(s.o.group(s.o.section_symbol(section)), section);
  if (s.finish()) s.fact("members .text.f", 1);
}

void signature_null(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_info", 0);
}
void signature_beyond(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_info", 0x10000000);
}
void flags_unknown(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "word[0]", 0x80);
}
void size_remainder(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_size", 7);
}
void size_zero(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_size", 0);
}
void entsize_wrong(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_entsize", 3);
}
void link_not_symbols(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_link", s.image.section(".text"));
}
void link_beyond(Sample& s) {
  if (two(s)) set_group(s, ".text.f", "sh_link", 0x10000000);
}
void not_flagged(Sample& s) {
  if (two(s)) s.set_section(".text.f", "sh_flags", SHF_ALLOC | SHF_EXECINSTR);
}
void flagged_alone(Sample& s) {
  if (two(s)) s.set_section(".data", "sh_flags", SHF_ALLOC | SHF_WRITE | SHF_GROUP);
}

// COFF

/// A function in a COMDAT, and two sections associated with it.
bool associated(Sample& s) {
  s.program();
  const auto group = comdat(s, "f");
  for (const char* name : {".xdata$a", ".xdata$b"}) {
    const auto section = s.constants(name);
    s.o.add_to_group(group, section);
  }
  return s.finish();
}
void associative(Sample& s) {
  if (!associated(s)) return;
  s.fact("Selection .xdata$a", coff::IMAGE_COMDAT_SELECT_ASSOCIATIVE);
  s.fact("Number .xdata$a", s.image.section(".text$f"));
}
void associative_ring(Sample& s) {
  if (!associated(s)) return;
  s.set_symbol(".xdata$a", "aux.Number", s.image.section(".xdata$b"));
  s.set_symbol(".xdata$b", "aux.Number", s.image.section(".xdata$a"));
}
void associative_self(Sample& s) {
  if (associated(s)) s.set_symbol(".xdata$a", "aux.Number", s.image.section(".xdata$a"));
}
void associative_beyond(Sample& s) {
  if (associated(s)) s.set_symbol(".xdata$a", "aux.Number", 0x7fff);
}
void associative_zero(Sample& s) {
  if (associated(s)) s.set_symbol(".xdata$a", "aux.Number", 0);
}
void associative_plain(Sample& s) {
  if (associated(s)) s.set_symbol(".xdata$a", "aux.Number", s.image.section(".data"));
}
void associative_chain(Sample& s) {
  if (associated(s)) s.set_symbol(".xdata$b", "aux.Number", s.image.section(".xdata$a"));
}

template <u8 Selection>
void selection(Sample& s) {
  if (!two(s)) return;
  s.set_symbol(".text$f", "aux.Selection", Selection);
  s.fact("Selection .text$f", Selection);
}

void no_definition(Sample& s) {
  if (two(s)) s.set_symbol(".text$f", "NumberOfAuxSymbols", 0);
}

using enum Verdict;
constexpr Case cases[] = {
    {"comdats-60000", "60,000 COMDAT groups of a function each", gabi, valid, elf, comdats, 60000,
     "{} COMDAT groups of a function each"},
    {"group-members-100000", "a group of 100,000 sections", gabi, valid, elf, members, 100000,
     "a group of {} sections"},
    {"group-plain", "a group that is no COMDAT", gabi, valid, elf, plain},
    {"group-empty", "a group without members", gabi, tolerated, elf, empty},
    {"group-signature-twice", "two COMDAT groups of one signature in one file", gabi, tolerated, elf, signature_twice},
    {"group-signature-undefined", "the signature is defined nowhere", gabi, valid, elf, signature_undefined},
    {"group-signature-local", "the signature is a local symbol", gabi, valid, elf, signature_local},
    {"group-signature-section", "the signature is the symbol of a section, which has no name", gabi, tolerated, elf,
     signature_section},
    {"group-signature-null", "the signature is symbol 0", gabi, malformed, elf, signature_null},
    {"group-signature-beyond", "the signature is beyond the last symbol", gabi, malformed, elf, signature_beyond},
    {"group-member-of-two", "a section is a member of two groups", gabi, malformed, elf, member_of_two},
    {"group-member-beyond", "a member is beyond the last section", gabi, malformed, elf, member<0x10000000>},
    {"group-member-null", "a member is section 0", gabi, malformed, elf, member<0>},
    {"group-member-itself", "a group is its own member", gabi, malformed, elf, member_itself},
    {"group-member-last", "a member has the number 0xffffffff", gabi, malformed, elf, member<0xffffffff>},
    {"group-flags-unknown", "the group's flags have a bit without meaning, and not GRP_COMDAT", gabi, tolerated, elf,
     flags_unknown},
    {"group-size-remainder", "the group's size is no multiple of 4", gabi, malformed, elf, size_remainder},
    {"group-size-zero", "the group has not even flags", gabi, malformed, elf, size_zero},
    {"group-entsize", "sh_entsize of the group is 3", gabi, malformed, elf, entsize_wrong},
    {"group-link-not-symbols", "sh_link of the group is .text", gabi, malformed, elf, link_not_symbols},
    {"group-link-beyond", "sh_link of the group is beyond the last section", gabi, malformed, elf, link_beyond},
    {"group-not-flagged", "a member has no SHF_GROUP", gabi, malformed, elf, not_flagged},
    {"group-flag-alone", "a section has SHF_GROUP, and is in no group", gabi, malformed, elf, flagged_alone},
    {"coff-comdats-30000", "30,000 COMDAT sections", pe, valid, coffs, comdats, 30000, "{} COMDAT sections"},
    {"coff-associative", "two sections associated with a COMDAT", pe, valid, coffs, associative},
    {"coff-associative-chain", "a section associated with an associated one", pe, tolerated, coffs, associative_chain},
    {"coff-associative-ring", "two sections associated with each other", pe, malformed, coffs, associative_ring},
    {"coff-associative-self", "a section associated with itself", pe, malformed, coffs, associative_self},
    {"coff-associative-beyond", "a section associated with one beyond the last", pe, malformed, coffs,
     associative_beyond},
    {"coff-associative-zero", "a section associated with section 0", pe, malformed, coffs, associative_zero},
    {"coff-associative-plain", "a section associated with one that is no COMDAT", pe, tolerated, coffs,
     associative_plain},
    {"coff-select-no-duplicates", "IMAGE_COMDAT_SELECT_NODUPLICATES", pe, valid, coffs, selection<1>},
    {"coff-select-same-size", "IMAGE_COMDAT_SELECT_SAME_SIZE", pe, valid, coffs, selection<3>},
    {"coff-select-exact-match", "IMAGE_COMDAT_SELECT_EXACT_MATCH", pe, valid, coffs, selection<4>},
    {"coff-select-largest", "IMAGE_COMDAT_SELECT_LARGEST", pe, valid, coffs, selection<6>},
    {"coff-select-newest", "IMAGE_COMDAT_SELECT_NEWEST, which no linker has", pe, tolerated, coffs, selection<7>},
    {"coff-select-none", "a COMDAT whose selection is 0", pe, malformed, coffs, selection<0>},
    {"coff-select-unknown", "a COMDAT whose selection is 200", pe, malformed, coffs, selection<200>},
    {"coff-comdat-no-definition", "a COMDAT section without a section definition", pe, malformed, coffs, no_definition},
};

}  // namespace

std::span<const Case> group_cases() { return cases; }

}  // namespace xas::corpus::objects
