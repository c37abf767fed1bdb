// SPDX-License-Identifier: Apache-2.0
// All directives: one table, made at compile time, from name to handler. Each topic has a file of its own in this
// folder; a target's own directives are the target's.
#pragma once

#include <array>
#include <bit>
#include <span>

#include "asm/read/reader.h"

namespace xas {

/// The directive of this name; names in other case are found too. Null if there is none.
const Directive* find_directive(const Name& name, bool coff);
/// Offers the names of all directives but the target's own.
void offer_directives(NearestName& nearest, bool coff);

/// Reads the right side of an assignment (`= value`, `.set name, value`), which may be a register.
void assign_from_text(Reader& reader, SymbolId id, SourceLoc loc, bool redefinable);
/// Of `name == value` and `.eqv name, value`.
void equate_from_text(Reader& reader, SymbolId id, SourceLoc loc);
/// At the end of the text: what is listed of such names is what they come to there.
void resolve_equations(Reader& reader);

/// The string of .print, .error, .ifeqs, ...; whether its escapes are undone is the profile's.
bool parse_message(Reader& reader, std::string& out);

/// llvm-mc: a list of symbols that has none.
bool is_empty_list(Reader& reader);
/// [,] size: that of common storage in bytes. False, reported: it is none.
bool parse_storage_size(Reader& reader, u64& bytes);

// data.cpp
void directive_data(Reader& reader, u32 size);  // .byte .2byte .4byte .8byte .short .long .quad ...
void directive_word(Reader& reader, u32);       // .word: the target's size
void directive_address(Reader& reader, u32);    // .dc.a
void directive_leb(Reader& reader, u32 is_signed);
void directive_ascii(Reader& reader, u32 flags);  // string_*
void directive_octa(Reader& reader, u32);
void directive_slong(Reader& reader, u32);
void directive_no_rva(Reader& reader, u32);
void directive_base64(Reader& reader, u32);
void directive_incbin(Reader& reader, u32);

/// A number of up to 128 bits, without symbols.
struct Number128 {
  u64 low = 0, high = 0;  ///< two's complement
  bool negative = false;  ///< a sign stood before it
  bool fits_64 = false;   ///< as data of 8 bytes take it
  bool overflow = false;  ///< it has more than 128 bits
};
/// Such a number, if it is all of its operand; the cursor moves behind it.
bool scan_number_128(Reader& reader, Number128& out);

// space.cpp
void directive_fill(Reader& reader, u32);
void directive_space(Reader& reader, u32);
void directive_units(Reader& reader, u32 unit);
void directive_extended_units(Reader& reader, u32);
void directive_org(Reader& reader, u32);
void directive_align(Reader& reader, u32 flags);  // align_*
void directive_even(Reader& reader, u32);
void directive_prefalign(Reader& reader, u32);
void directive_nop(Reader& reader, u32);
void directive_nops(Reader& reader, u32);

// reloc.cpp
void directive_reloc(Reader& reader, u32);
void directive_vtable_inherit(Reader& reader, u32);
void directive_vtable_entry(Reader& reader, u32);

// bitstream.cpp
void directive_bs_begin(Reader& reader, u32);
void directive_bs_block(Reader& reader, u32);
void directive_bs_end_block(Reader& reader, u32);
void directive_bs_abbrev(Reader& reader, u32);
void directive_bs_record(Reader& reader, u32);
void directive_bs_record_as(Reader& reader, u32);
void directive_bs_position(Reader& reader, u32);
void directive_bs_bits(Reader& reader, u32);
void directive_bs_end(Reader& reader, u32);
/// At the end of the text.
void check_stream_closed(Streamer& out);

// float.cpp
/// A floating-point constant, of one of FloatKind; the cursor moves behind it.
bool emit_float_constant(Reader& reader, u32 format);
void directive_float(Reader& reader, u32 format);  // float_*
void directive_float_block(Reader& reader, u32 format);

// section.cpp
void directive_section(Reader& reader, u32 push);
void directive_standard_section(Reader& reader, u32 which);
void directive_popsection(Reader& reader, u32);
void directive_previous(Reader& reader, u32);
void directive_subsection(Reader& reader, u32);
void directive_struct(Reader& reader, u32);
void directive_attach_to_group(Reader& reader, u32);

// symbol.cpp
void directive_binding(Reader& reader, u32 binding);
void directive_visibility(Reader& reader, u32 visibility);
void directive_type(Reader& reader, u32);
void directive_size(Reader& reader, u32);
void directive_set(Reader& reader, u32 kind);  // SetKind
void directive_lsym(Reader& reader, u32);
void directive_lto_discard(Reader& reader, u32);
void directive_lto_set_conditional(Reader& reader, u32);
void directive_memtag(Reader& reader, u32);
void directive_comm(Reader& reader, u32 flags);
void directive_lcomm(Reader& reader, u32);
void directive_weakref(Reader& reader, u32);
void directive_symver(Reader& reader, u32);
void directive_addrsig(Reader& reader, u32);
void directive_addrsig_sym(Reader& reader, u32);
void directive_cg_profile(Reader& reader, u32);

// misc.cpp
void directive_ident(Reader& reader, u32);
void directive_version(Reader& reader, u32);
void directive_ignore(Reader& reader, u32);
void directive_noopt(Reader& reader, u32);
void directive_end(Reader& reader, u32);
void directive_error(Reader& reader, u32 severity);

void directive_include(Reader& reader, u32);
void directive_print(Reader& reader, u32);
void directive_abort(Reader& reader, u32);
void directive_fail(Reader& reader, u32);
void directive_page_size(Reader& reader, u32);
void directive_list(Reader& reader, u32 arg);
void directive_eject(Reader& reader, u32 arg);
void directive_title(Reader& reader, u32 arg);
void directive_mri(Reader& reader, u32);
void directive_line(Reader& reader, u32);
void directive_linefile(Reader& reader, u32);
void directive_bundle_align_mode(Reader& reader, u32);
void directive_bundle_lock(Reader& reader, u32);
void directive_bundle_unlock(Reader& reader, u32);
void directive_mach_o(Reader& reader, u32);
void directive_no_linkonce(Reader& reader, u32);

// probe.cpp
void directive_pseudoprobe(Reader& reader, u32);

// pc_section.cpp
void directive_pcsection(Reader& reader, u32);
void directive_pcsection_offset(Reader& reader, u32);
// stack_map.cpp
void directive_stackmap_function(Reader& reader, u32);
void directive_stackmap(Reader& reader, u32);
void directive_patchpoint(Reader& reader, u32 begins);
void directive_patchpoint_end(Reader& reader, u32);
void directive_statepoint(Reader& reader, u32);
void directive_stackmap_section(Reader& reader, u32);

// stabs.cpp
void directive_stab(Reader& reader, u32 kind);  // StabKind
void directive_func(Reader& reader, u32);
void directive_gnu_attribute(Reader& reader, u32);
void directive_aeabi_subsection(Reader& reader, u32);
void directive_aeabi_attribute(Reader& reader, u32);

// Of macros, loops and conditionals: asm/read/macro.h, asm/read/cond.h

enum StringFlags : u32 { string_zero = 1, string_wide2 = 2, string_wide4 = 4, string_wide8 = 8 };
enum AlignFlags : u32 { align_target = 1, align_bytes = 2, align_log2 = 4, align_fill2 = 8, align_fill4 = 16 };
/// The number of an alignment's directive is its logarithm.
inline bool aligns_to_log2(u32 flags, const TargetInfo& info) {
  return (flags & align_log2) || ((flags & align_target) && info.syntax.align_is_log2);
}
/// The bytes of the number that it fills with.
constexpr unsigned align_fill_size(u32 flags) { return flags & align_fill2 ? 2 : flags & align_fill4 ? 4 : 1; }
enum StabKind : u32 { stab_string, stab_number, stab_here, stab_in_section };
enum SetKind : u32 { set_once, set_again, set_equation };
enum CommonFlags : u32 { common_large = 1, common_tls = 2, common_mri = 4 };
enum FloatKind : u32 { float_4, float_8, float_10, float_2, float_brain };
enum StandardSection : u32 { section_text, section_data, section_bss, section_rodata, section_tdata, section_tbss };

inline constexpr Directive data_directives[] = {
    {".byte", directive_data, 1},
    {".2byte", directive_data, 2},
    {".4byte", directive_data, 4},
    {".8byte", directive_data, 8},
    {".short", directive_data, 2},
    {".hword", directive_data, 2},
    {".value", directive_data, 2},
    {".word", directive_word, 0},
    {".int", directive_data, 4},
    {".long", directive_data, 4},
    {".quad", directive_data, 8},
    {".xword", directive_data, 8},
    {".dword", directive_data, 8},
    {".dc", directive_data, 2},
    {".dc.b", directive_data, 1},
    {".dc.w", directive_data, 2},
    {".dc.l", directive_data, 4},
    {".dc.a", directive_address, 0},
    {".uleb128", directive_leb, 0},
    {".sleb128", directive_leb, 1},
    {".octa", directive_octa, 0},
    {".ascii", directive_ascii, 0},
    {".asciz", directive_ascii, string_zero},
    {".string", directive_ascii, string_zero},
    {".string8", directive_ascii, string_zero},
    {".string16", directive_ascii, string_zero | string_wide2},
    {".string32", directive_ascii, string_zero | string_wide4},
    {".string64", directive_ascii, string_zero | string_wide8},
    {".fill", directive_fill, 0},
    {".skip", directive_space, 0},
    {".space", directive_space, 0},
    {".zero", directive_space, 0},
    {".org", directive_org, 0},
    {".align", directive_align, align_target},
    {".balign", directive_align, align_bytes},
    {".balignw", directive_align, align_bytes | align_fill2},
    {".balignl", directive_align, align_bytes | align_fill4},
    {".p2align", directive_align, align_log2},
    {".p2alignw", directive_align, align_log2 | align_fill2},
    {".p2alignl", directive_align, align_log2 | align_fill4},
    {".align32", directive_align, align_target | align_fill4},
    {".even", directive_even, 0},
    {".prefalign", directive_prefalign, 0},
    {".incbin", directive_incbin, 0},
    {".reloc", directive_reloc, 0},
    {".nops", directive_nops, 0},
    {".slong", directive_slong, 0},
    {".rva", directive_no_rva, 0},
    {".nop", directive_nop, 0},
    {".base64", directive_base64, 0},
    {".ds", directive_units, 2},
    {".ds.b", directive_units, 1},
    {".ds.w", directive_units, 2},
    {".ds.l", directive_units, 4},
    {".ds.s", directive_units, 4},
    {".ds.d", directive_units, 8},
    {".ds.p", directive_extended_units, 0},
    {".ds.x", directive_extended_units, 0},
    {".dcb", directive_units, 2},
    {".dcb.b", directive_units, 1},
    {".dcb.w", directive_units, 2},
    {".dcb.l", directive_units, 4},
    {".vtable_inherit", directive_vtable_inherit, 0},
    {".vtable_entry", directive_vtable_entry, 0},
};

inline constexpr Directive bitstream_directives[] = {
    {".bs_begin", directive_bs_begin, 0},
    {".bs_block", directive_bs_block, 0},
    {".bs_end_block", directive_bs_end_block, 0},
    {".bs_abbrev", directive_bs_abbrev, 0},
    {".bs_record", directive_bs_record, 0},
    {".bs_record_as", directive_bs_record_as, 0},
    {".bs_position", directive_bs_position, 0},
    {".bs_bits", directive_bs_bits, 0},
    {".bs_end", directive_bs_end, 0},
};

inline constexpr Directive float_directives[] = {
    {".float", directive_float, float_4},        {".single", directive_float, float_4},
    {".ffloat", directive_float, float_4},       {".dc.s", directive_float, float_4},
    {".double", directive_float, float_8},       {".dfloat", directive_float, float_8},
    {".dc.d", directive_float, float_8},         {".tfloat", directive_float, float_10},
    {".dc.x", directive_float, float_10},        {".hfloat", directive_float, float_2},
    {".float16", directive_float, float_2},      {".bfloat16", directive_float, float_brain},
    {".dcb.s", directive_float_block, float_4},  {".dcb.d", directive_float_block, float_8},
    {".dcb.x", directive_float_block, float_10},
};

inline constexpr Directive section_directives[] = {
    {".section", directive_section, 0},
    {".pushsection", directive_section, 1},
    {".popsection", directive_popsection, 0},
    {".previous", directive_previous, 0},
    {".subsection", directive_subsection, 0},
    {".text", directive_standard_section, section_text},
    {".data", directive_standard_section, section_data},
    {".bss", directive_standard_section, section_bss},
    {".rodata", directive_standard_section, section_rodata},
    {".tdata", directive_standard_section, section_tdata},
    {".tbss", directive_standard_section, section_tbss},
    {".section.s", directive_section, 0},
    {".sect", directive_section, 0},
    {".sect.s", directive_section, 0},
    {".struct", directive_struct, 0},
    {".offset", directive_struct, 0},
    {".attach_to_group", directive_attach_to_group, 0},
    {".linkonce", directive_no_linkonce, 0},
};

inline constexpr Directive symbol_directives[] = {
    {".globl", directive_binding, u32(Binding::global)},
    {".global", directive_binding, u32(Binding::global)},
    {".weak", directive_binding, u32(Binding::weak)},
    {".local", directive_binding, u32(Binding::local)},
    {".hidden", directive_visibility, 2},
    {".internal", directive_visibility, 1},
    {".protected", directive_visibility, 3},
    {".type", directive_type, 0},
    {".size", directive_size, 0},
    {".set", directive_set, set_again},
    {".equ", directive_set, set_again},
    {".equiv", directive_set, set_once},
    {".eqv", directive_set, set_equation},
    {".lsym", directive_lsym, 0},
    {".comm", directive_comm, 0},
    {".common", directive_comm, common_mri},
    {".common.s", directive_comm, common_mri},
    {".xcom", directive_comm, 0},
    {".largecomm", directive_comm, common_large},
    {".tls_common", directive_comm, common_tls},
    {".xdef", directive_binding, u32(Binding::global)},
    {".weak_reference", directive_binding, u32(Binding::weak)},
    {".no_dead_strip", directive_memtag, 0},
    {".memtag", directive_memtag, 1},
    {".lto_discard", directive_lto_discard, 0},
    {".lto_set_conditional", directive_lto_set_conditional, 0},
    {".cold", directive_mach_o, 0},
    {".lazy_reference", directive_mach_o, 0},
    {".private_extern", directive_mach_o, 0},
    {".reference", directive_mach_o, 0},
    {".symbol_resolver", directive_mach_o, 0},
    {".weak_definition", directive_mach_o, 0},
    {".weak_def_can_be_hidden", directive_mach_o, 0},
    {".lcomm", directive_lcomm, 0},
    {".weakref", directive_weakref, 0},
    {".symver", directive_symver, 0},
    {".addrsig", directive_addrsig, 0},
    {".addrsig_sym", directive_addrsig_sym, 0},
    {".cg_profile", directive_cg_profile, 0},
};

inline constexpr Directive misc_directives[] = {
    {".ident", directive_ident, 0},
    {".version", directive_version, 0},
    {".end", directive_end, 0},
    {".extern", directive_ignore, 0},
    {".err", directive_error, 2},
    {".error", directive_error, 1},
    {".warning", directive_error, 0},
    {".include", directive_include, 0},
    {".print", directive_print, 0},
    {".abort", directive_abort, 0},
    {".fail", directive_fail, 0},
    {".mri", directive_mri, 0},
    {".line", directive_line, 0},
    {".linefile", directive_linefile, 0},
    {".pseudoprobe", directive_pseudoprobe, 0},
    {".pcsection", directive_pcsection, 0},
    {".pcsection_offset", directive_pcsection_offset, 0},
    {".stabs", directive_stab, stab_string},
    {".stabn", directive_stab, stab_number},
    {".stabd", directive_stab, stab_here},
    {".xstabs", directive_stab, stab_in_section},
    {".func", directive_func, 0},
    {".endfunc", directive_func, 1},
    {".gnu_attribute", directive_gnu_attribute, 0},
    {".aeabi_subsection", directive_aeabi_subsection, 0},
    {".aeabi_attribute", directive_aeabi_attribute, 0},
    {".list", directive_list, 1},
    {".nolist", directive_list, 0},
    {".eject", directive_eject, 1},
    {".page", directive_eject, 1},
    {".nopage", directive_eject, 0},
    {".psize", directive_page_size, 0},
    {".plen", directive_page_size, 0},
    {".llen", directive_page_size, 1},
    {".title", directive_title, 0},
    {".ttl", directive_title, 0},
    {".sbttl", directive_title, 1},
    {".bundle_align_mode", directive_bundle_align_mode, 0},
    {".bundle_lock", directive_bundle_lock, 0},
    {".bundle_unlock", directive_bundle_unlock, 0},
    // Read and ignored, as in GNU as.
    {".xref", directive_ignore, 0},
    {".debug", directive_ignore, 0},
    {".format", directive_ignore, 0},
    {".lflags", directive_ignore, 0},
    {".name", directive_ignore, 0},
    {".noformat", directive_ignore, 0},
    {".spc", directive_ignore, 0},
    {".optim", directive_ignore, 0},
    {".noopt", directive_noopt, 0},
    {".this_gcc_requires_the_gnu_assembler", directive_ignore, 0},
};

inline constexpr Directive stack_map_directives[] = {
    {".stackmap_function", directive_stackmap_function, 0},
    {".stackmap", directive_stackmap, 0},
    {".patchpoint", directive_patchpoint, 0},
    {".patchpoint_begin", directive_patchpoint, 1},
    {".patchpoint_end", directive_patchpoint_end, 0},
    {".statepoint", directive_statepoint, 0},
    {".stackmap_section", directive_stackmap_section, 0},
};

inline constexpr Directive macro_directives[] = {
    {".macro", directive_macro, 0},
    {".endm", directive_endm, 0},
    {".endmacro", directive_endm, 0},
    {".exitm", directive_exitm, 0},
    {".mexit", directive_exitm, 0},
    {".purgem", directive_purgem, 0},
    {".altmacro", directive_altmacro, 1},
    {".noaltmacro", directive_altmacro, 0},
    {".macros_on", directive_macros_enabled, 1},
    {".macros_off", directive_macros_enabled, 0},
    {".rept", directive_rept, 0},
    {".rep", directive_rept, 0},
    {".irp", directive_irp, 0},
    {".irep", directive_irp, 0},
    {".irpc", directive_irp, 1},
    {".irepc", directive_irp, 1},
    {".endr", directive_endr, 0},
};

inline constexpr Directive conditional_directives[] = {
    {".if", directive_conditional, u32(ConditionalKind::if_ne)},
    {".ifne", directive_conditional, u32(ConditionalKind::if_ne)},
    {".ifeq", directive_conditional, u32(ConditionalKind::if_eq)},
    {".ifge", directive_conditional, u32(ConditionalKind::if_ge)},
    {".ifgt", directive_conditional, u32(ConditionalKind::if_gt)},
    {".ifle", directive_conditional, u32(ConditionalKind::if_le)},
    {".iflt", directive_conditional, u32(ConditionalKind::if_lt)},
    {".ifb", directive_conditional, u32(ConditionalKind::if_blank)},
    {".ifnb", directive_conditional, u32(ConditionalKind::if_not_blank)},
    {".ifc", directive_conditional, u32(ConditionalKind::if_same)},
    {".ifnc", directive_conditional, u32(ConditionalKind::if_not_same)},
    {".ifeqs", directive_conditional, u32(ConditionalKind::if_equal_strings)},
    {".ifnes", directive_conditional, u32(ConditionalKind::if_unequal_strings)},
    {".ifdef", directive_conditional, u32(ConditionalKind::if_defined)},
    {".ifndef", directive_conditional, u32(ConditionalKind::if_not_defined)},
    {".ifnotdef", directive_conditional, u32(ConditionalKind::if_not_defined)},
    {".else", directive_conditional, u32(ConditionalKind::otherwise)},
    {".elsec", directive_conditional, u32(ConditionalKind::otherwise)},
    {".elseif", directive_conditional, u32(ConditionalKind::otherwise_if)},
    {".endif", directive_conditional, u32(ConditionalKind::end)},
    {".endc", directive_conditional, u32(ConditionalKind::end)},
};

/// Arrays of directives, each of one topic.
using DirectiveTopics = std::span<const std::span<const Directive>>;

constexpr std::size_t count_directives(DirectiveTopics topics) {
  std::size_t n = 0;
  for (const std::span<const Directive> topic : topics) n += topic.size();
  return n;
}

/// An open-addressing table over any number of directive arrays, laid out at compile time.
template <std::size_t Count>
class DirectiveTable {
 public:
  static constexpr std::size_t slots = std::bit_ceil(Count * 4);

  constexpr explicit DirectiveTable(DirectiveTopics topics) {
    std::array<bool, slots> taken{};  // GCC's sanitizer takes no comparison of an address with null for a constant
    for (std::span<const Directive> topic : topics) {
      for (const Directive& d : topic) {
        const u64 hash = hash_name(d.name);
        std::size_t at = hash & (slots - 1);
        while (taken[at]) at = (at + 1) & (slots - 1);
        taken[at] = true;
        slots_[at] = {hash, NameKey(d.name.data(), u32(d.name.size())), &d};
      }
    }
  }

  constexpr const Directive* find(const Name& name) const {
    const NameKey key(name.p, name.size);
    for (std::size_t at = name.hash & (slots - 1);; at = (at + 1) & (slots - 1)) {
      const Slot& slot = slots_[at];
      if (!slot.directive) return nullptr;
      if (slot.hash != name.hash || slot.key != key) continue;
      if (key.is_exact() || slot.directive->name == name.text()) return slot.directive;
    }
  }

 private:
  struct Slot {
    u64 hash = 0;
    NameKey key;
    const Directive* directive = nullptr;
  };
  std::array<Slot, slots> slots_ = {};
};

}  // namespace xas
