// SPDX-License-Identifier: Apache-2.0
// The handlers of directives, each topic a file of its own in this folder, and how to find one by its name (topics.h
// has the names). A target's own directives are the target's.
#pragma once

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
/// Passes the comma behind a symbol of such a list: true, if another one follows. GNU as takes a comma behind the last.
bool next_in_list(Reader& reader);
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

}  // namespace xas
