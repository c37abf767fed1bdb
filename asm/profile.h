// The two behaviours of xas. Where GNU as 2.40 and llvm-mc 22 make different objects from the same text, the
// difference is one named field here, and every place that follows it reads that field. docs/differences.md lists them.
#pragma once

#include <string_view>

#include "xas/types.hpp"

namespace xas {

struct Profile {
  bool gnu;  ///< for what the target and the writer decide as a whole (TargetOptions::gnu); never tested in asm/

  std::string_view standard_input;  ///< its name: "{standard input}" (gnu), "<stdin>" (llvm)
  std::string_view default_output;  ///< where the program writes without -o: a.out (gnu), standard output (llvm)

  // Sections
  bool defsyms_last_first;    ///< --defsym: symbols are listed from the last option to the first (gnu)
  bool zstd_stream;           ///< zstd: the size is not told first, and the level is the default (gnu)
  bool default_data_bss;      ///< .data and .bss exist from the start (gnu)
  u32 text_align;             ///< alignment of .text as it starts: 1 (gnu), 4 (llvm)
  bool a64_code_starts_aligned;  ///< AArch64: sections of code are aligned to 4 (llvm), or once they have code
  bool gnu_section_defaults;  ///< special names, entry sizes and changed flags as GNU as treats them
  bool one_string_table;      ///< ELF: section names in .strtab, which comes first (llvm)
  bool eh_frame_unwind_type;  ///< .eh_frame has type SHT_X86_64_UNWIND on x86-64 (llvm)

  // Symbols
  u8 local_common_subsection;  ///< of .bss, where local commons and .lcomm go: 1 (gnu), 0 (llvm)
  bool natural_common_align;   ///< .comm/.lcomm without alignment: by size, up to 16 (gnu); 1 (llvm)
  bool common_not_weak;        ///< a symbol that is weak and common is an error (gnu)
  bool types_combine;          ///< a second .type may not take away what the first said: a function stays one (llvm)
  bool redefinition_is_new;    ///< a symbol that .set gives another value is listed as one first met there (llvm)
  bool weak_wins;              ///< .weak and .globl in any order: weak (gnu); else a warning or an error
  bool drop_unused_weak;       ///< an undefined .weak that nothing refers to is left out (gnu)
  bool undefined_local_is_global;  ///< undefined .local x, or unique x: global (gnu); else as it says
  bool label_twice_same_place;     ///< defining a label twice at one address is accepted (gnu)
  bool aliases_copy_at_once;       ///< .set copies type and size of a defined symbol as they are by then (gnu); else as
                                   ///< they are in the end, and the size only to aliases without one of their own
  bool kept_temporaries_last;      ///< .L symbols that relocations need come where an instruction first names them, or
                                   ///< behind all other locals (gnu); else where they were first met
  bool undefined_temporary_is_error;  ///< an undefined .L symbol is an error (llvm), or a global (gnu); common
                                      ///< ones are listed there
  bool signature_last;                ///< a group's signature that is nothing else is the last local symbol (gnu)
  bool weakref_targets_last;          ///< symbols known through .weakref only come last (llvm)
  bool versions_replace;          ///< the symbol of a .symver moves to the end with its new name (llvm), or is renamed
  bool sizes_are_no_mention;      ///< what only .skip, .org, .uleb128, ... mention is listed where it is defined (llvm)
  bool ifdef_needs_place;         ///< .ifdef is false of a symbol that is set to one not defined by then (llvm)
  bool size_is_mention;           ///< .size of an undefined symbol lists it (gnu)
  bool reloc_lists_section;       ///< .reloc with a number as its offset lists its section's symbol (gnu)
  bool reloc_names_section;       ///< .reloc names the section of a .L symbol (gnu)
  bool undefined_temporaries_last;  ///< undefined .L symbols are listed last, in the order of relocations (gnu)
  bool signature_stays_in_group;    ///< an undefined signature that no relocation names is in its group (llvm)
  bool got_symbol_from_modifier;  ///< GOT and TLS modifiers add an undefined _GLOBAL_OFFSET_TABLE_ (gnu)

  // Relocations
  bool resolve_global_branches;  ///< jmp/jcc to a global of the same section needs no relocation (gnu)
  bool branch_relocations_last;  ///< relocations of branches that can grow come after all others (gnu)

  bool calls_choose_at_once;       ///< the relocation of a call depends on what was known of its target by then (gnu)
  bool group_members_keep_names;   ///< named locals of COMDAT sections are not replaced by the section symbol when
                                   ///< another section refers to them (gnu)
  bool pcrel_merge_keeps_symbol;   ///< PC-relative references to SHF_MERGE sections name the symbol, RELA only (gnu)
  bool global_absolutes_relocate;  ///< a global absolute symbol is named by relocations (gnu); else it is its number

  // Layout
  bool moves_while_relaxing;    ///< a pass sees what it has moved (gnu); else it decides on one state (llvm)
  bool leb128_shrinks;          ///< .uleb128 follows its value (gnu); else it only grows, and is padded (llvm)
  bool pads_merge_sections;     ///< subsections of SHF_MERGE sections are padded to the entry's alignment (gnu)
  bool negative_fill_is_empty;  ///< .fill, .skip of a negative size: warning (gnu), error (llvm)
  bool execute_only_text;      ///< an empty .text is execute-only where another section is (llvm)
  bool align_zero_is_word;      ///< ARM: .align 0 is .align 2 (gnu)
  bool no_op_fill_is_code;      ///< in code, a fill value that is a no-op asks for the usual no-ops (gnu)

  bool maps_all_data;        ///< $d stands before any data (llvm); else where GNU as puts it, see mapping.cpp
  bool aligns_instructions;  ///< with mapping symbols: an instruction behind data is aligned (gnu)
  bool pool_by_size;         ///< a literal pool is one table for each size (gnu); else in order, each entry aligned
  bool pool_mentions_late;  ///< a symbol of a literal pool is listed when that is written (llvm); else where it is used
  bool pool_shares_sums;     ///< loads of one symbol plus one number have one entry (gnu); else each its own
  bool pool_stays_known;     ///< AArch64: what .ltorg has written serves later loads too (llvm)

  // Macros and conditionals
  bool gnu_macros;  ///< text of macros, loops and .ifc is split and replaced as GNU as does; else as LLVM does
  u32 macro_depth;  ///< how deep expansions nest: 100 (gnu), 20 (llvm)
  bool
      conditional_ends_in_macro;  ///< an .if without .endif in a macro ends with it, as an error (gnu); else it goes on

  bool line_renumbers;    ///< .line says what the next line is called (gnu)
  bool bangs_are_xor;     ///< `!!` between two operands is one operator (gnu), or two (llvm)
  bool skips_bad_blocks;  ///< a .macro or loop with a wrong head is passed over (gnu); else its body is read (llvm)
  bool failed_condition_holds;  ///< an .if with an error in its condition counts as true (llvm)
  bool reports_open_at_end;     ///< what is not closed is reported where the text ends (llvm), not where it was opened
  bool abort_stops;             ///< nothing is read behind .abort (gnu)
  bool message_escapes;  ///< escapes count in .print, .error, .warning, .ifeqs, .ident and names of sections (gnu)

  // Expressions and data
  bool wide_leb;               ///< a number of .sleb128 from 2^63 on is positive (gnu); else it has 64 bits
  bool truncate_data;          ///< .byte 256: warning (gnu), error (llvm)
  bool divide_by_zero_is_one;  ///< x/0 is x with a warning (gnu), error (llvm)
  bool unknown_is_unequal;     ///< .if a == b holds for no undefined a and other b (gnu); else it is an error
  bool float_ties_away;        ///< floating-point constants between two others: away from zero (gnu), to even (llvm)
  bool float_range_error;      ///< those out of range are errors (gnu); else infinity or zero
  bool float_letter_prefix;    ///< 0x in front of a floating-point constant is skipped like 0f and 0d (gnu)
  bool x87_space;              ///< units of .ds.x and .ds.p are the target's extended precision (gnu); else 12 bytes
  bool missing_is_zero;        ///< an operand that is missing is 0, with a warning (gnu); else an error
  bool names_join;             ///< "a""b" is the name ab (gnu)
  bool octal_eight;            ///< 8 and 9 are octal digits in the escapes of strings (gnu)
  bool question_names;         ///< '?' is a character of names in ELF too (llvm)
  bool host_shifts;            ///< shift counts modulo 64 (llvm); else 0 with a warning (gnu)

  // Compressed debug sections
  u8 compress_from;           ///< bytes from which a debug section is worth compressing: 32 (gnu), 1 (llvm)
  bool gnu_compressed_place;  ///< a compressed section stands by its new alignment in the file (gnu)

  // CFI
  bool late_cfi_symbols;     ///< a symbol that only .cfi_personality has named is listed when frames are written (llvm)
  bool rules_in_cie;         ///< rules that hold from a function's first instruction become the CIE's (gnu)
  bool sort_frames;          ///< descriptions are ordered by their CIE (llvm); else in the order of the source (gnu)
  bool one_debug_frame_cie;  ///< .debug_frame has one CIE, that of the first description (llvm)
  bool sections_of_frame;    ///< .cfi_sections counts for the frames begun after it (gnu); the last for all (llvm)
  bool debug_frame_signal;   ///< .cfi_signal_frame shows in .debug_frame too (gnu)
  bool cie_version_by_dwarf;  ///< .debug_frame's CIE version follows -dwarf-version (llvm)
  bool cie_address_size_8;    ///< a version 4 CIE says that addresses have 8 bytes, whatever the target's (gnu)
  bool restore_cfa_offset;    ///< .cfi_restore_state restores what .cfi_adjust_cfa_offset counts from (gnu)
  bool signed_cfa_offset;     ///< negative CFA offsets are written in the signed, factored forms (gnu)
  bool round_save_offset;     ///< save offsets are rounded to the data alignment (llvm), else an error (gnu)
  bool gnu_sframe;            ///< .sframe is of version 1, with the rows that GNU as makes (gnu), else of version 2
  bool frames_before_lines;   ///< .eh_frame is made before .debug_line (llvm)

  // DWARF
  u8 default_line_version;        ///< 3 (gnu), 4 (llvm)
  u8 least_line_version;          ///< of line tables: 3 (gnu), 2 (llvm)
  u8 default_debug_version;       ///< of -g without a version: 2 (gnu), 4 (llvm)
  bool invent_debug_info;         ///< .loc without .debug_info makes the other sections too (gnu)
  bool line_table_if_debug_info;  ///< a non-empty .debug_info gets a .debug_line, rows or none (gnu)
  bool line_table_if_files;       ///< .file N makes a .debug_line, rows or none (llvm)
  bool lines_by_subsection;       ///< rows are in the order of subsections (gnu), else of the source (llvm)
  bool shortens_advances;  ///< advances of hand-written .eh_frame and .debug_frame take their shortest form (gnu)
  bool lines_in_code_only;        ///< rows are made in executable sections and for instructions only (gnu)
  bool line_0_is_no_row;          ///< `.loc 1 0` makes no row (gnu)
  bool loops_have_lines;       ///< -g: instructions in a loop are on lines of their own (gnu), else on that of the loop
  bool repeat_generated_rows;  ///< -g makes a row for each instruction (llvm), else for each line (gnu)
  bool split_file_0;           ///< tables of directories and files as GNU as numbers them; see dwarf_files.cpp
  bool loc_ends_with_section;  ///< a .loc that waits is forgotten when the section changes (llvm)
  bool loc_keeps_fields;       ///< isa stays from .loc to .loc, and column where there is none (gnu); else 0 (llvm)
  bool share_line_strings;     ///< equal strings are one in .debug_line_str (llvm)
  bool md5_reversed;           ///< bytes of the md5 number are written lowest first (gnu)
  bool md5_by_first_byte;      ///< there are checksums if the first byte of one is not 0 (gnu); if all have one (llvm)
  bool discriminator_needs_dwarf4;  ///< they are dropped in earlier versions (llvm)

  // COFF
  bool coff_section_alignments;    ///< sections start with an alignment that their name decides (gnu)
  bool coff_pads_sections;         ///< sections end at a multiple of their alignment (gnu)
  bool coff_sections_for_globals;  ///< relocations name the section in place of global symbols too (gnu); else any
                                   ///< symbol that is not temporary itself (llvm)
  bool coff_value_in_field;      ///< the field of a relocation that names a defined symbol holds its value too (gnu)
  bool coff_functions_relocate;  ///< what refers to a function is left to the linker, even in its own section (llvm)
  bool coff_gnu_symbols;         ///< order, storage classes and weak defaults of symbols as GNU as chooses them
  bool coff_absolute_frames;     ///< .eh_frame refers to code by its address (llvm), else by the distance to it (gnu)
  bool coff_lines_of_text_only;  ///< -g tells of .text and of no other section (llvm)
  bool coff_debug_is_stabs;      ///< -g without a format means stabs (gnu)
  bool coff_signed_shifts;       ///< `>>` keeps the sign in COFF (llvm)
  u8 coff_weak_search;           ///< of .weak symbols: IMAGE_WEAK_EXTERN_SEARCH_NOLIBRARY (gnu), _ALIAS (llvm)
};

inline constexpr Profile gnu_profile = {
    .gnu = true,
    .standard_input = "{standard input}",
    .default_output = "a.out",
    .defsyms_last_first = true,
    .zstd_stream = true,
    .default_data_bss = true,
    .text_align = 1,
    .a64_code_starts_aligned = false,
    .gnu_section_defaults = true,
    .one_string_table = false,
    .eh_frame_unwind_type = false,
    .local_common_subsection = 1,
    .natural_common_align = true,
    .common_not_weak = true,
    .types_combine = false,
    .redefinition_is_new = false,
    .weak_wins = true,
    .drop_unused_weak = true,
    .undefined_local_is_global = true,
    .label_twice_same_place = true,
    .aliases_copy_at_once = true,
    .kept_temporaries_last = true,
    .undefined_temporary_is_error = false,
    .signature_last = true,
    .weakref_targets_last = false,
    .versions_replace = false,
    .sizes_are_no_mention = false,
    .ifdef_needs_place = false,
    .size_is_mention = true,
    .reloc_lists_section = true,
    .reloc_names_section = true,
    .undefined_temporaries_last = true,
    .signature_stays_in_group = false,
    .got_symbol_from_modifier = true,
    .resolve_global_branches = true,
    .branch_relocations_last = true,
    .calls_choose_at_once = true,
    .group_members_keep_names = true,
    .pcrel_merge_keeps_symbol = true,
    .global_absolutes_relocate = true,
    .moves_while_relaxing = true,
    .leb128_shrinks = true,
    .pads_merge_sections = true,
    .negative_fill_is_empty = true,
    .execute_only_text = false,
    .align_zero_is_word = true,
    .no_op_fill_is_code = true,
    .maps_all_data = false,
    .aligns_instructions = true,
    .pool_by_size = true,
    .pool_mentions_late = false,
    .pool_shares_sums = true,
    .pool_stays_known = false,
    .gnu_macros = true,
    .macro_depth = 100,
    .conditional_ends_in_macro = true,
    .line_renumbers = true,
    .bangs_are_xor = true,
    .skips_bad_blocks = true,
    .failed_condition_holds = false,
    .reports_open_at_end = false,
    .abort_stops = true,
    .message_escapes = true,
    .wide_leb = true,
    .truncate_data = true,
    .divide_by_zero_is_one = true,
    .unknown_is_unequal = true,
    .float_ties_away = true,
    .float_range_error = true,
    .float_letter_prefix = true,
    .x87_space = true,
    .missing_is_zero = true,
    .names_join = true,
    .octal_eight = true,
    .question_names = false,
    .host_shifts = false,
    .compress_from = 32,
    .gnu_compressed_place = true,
    .late_cfi_symbols = false,
    .rules_in_cie = true,
    .sort_frames = false,
    .one_debug_frame_cie = false,
    .sections_of_frame = true,
    .debug_frame_signal = true,
    .cie_version_by_dwarf = false,
    .cie_address_size_8 = true,
    .restore_cfa_offset = true,
    .signed_cfa_offset = true,
    .round_save_offset = false,
    .gnu_sframe = true,
    .frames_before_lines = false,
    .default_line_version = 3,
    .least_line_version = 3,
    .default_debug_version = 2,
    .invent_debug_info = true,
    .line_table_if_debug_info = true,
    .line_table_if_files = false,
    .lines_by_subsection = true,
    .shortens_advances = true,
    .lines_in_code_only = true,
    .line_0_is_no_row = true,
    .loops_have_lines = true,
    .repeat_generated_rows = false,
    .split_file_0 = true,
    .loc_ends_with_section = false,
    .loc_keeps_fields = true,
    .share_line_strings = false,
    .md5_reversed = true,
    .md5_by_first_byte = true,
    .discriminator_needs_dwarf4 = false,
    .coff_section_alignments = true,
    .coff_pads_sections = true,
    .coff_sections_for_globals = true,
    .coff_value_in_field = true,
    .coff_functions_relocate = false,
    .coff_gnu_symbols = true,
    .coff_absolute_frames = false,
    .coff_lines_of_text_only = false,
    .coff_debug_is_stabs = true,
    .coff_signed_shifts = false,
    .coff_weak_search = 1,
};

inline constexpr Profile llvm_profile = {
    .gnu = false,
    .standard_input = "<stdin>",
    .default_output = "-",
    .defsyms_last_first = false,
    .zstd_stream = false,
    .default_data_bss = false,
    .text_align = 4,
    .a64_code_starts_aligned = true,
    .gnu_section_defaults = false,
    .one_string_table = true,
    .eh_frame_unwind_type = true,
    .local_common_subsection = 0,
    .natural_common_align = false,
    .common_not_weak = false,
    .types_combine = true,
    .redefinition_is_new = true,
    .weak_wins = false,
    .drop_unused_weak = false,
    .undefined_local_is_global = false,
    .label_twice_same_place = false,
    .aliases_copy_at_once = false,
    .kept_temporaries_last = false,
    .undefined_temporary_is_error = true,
    .signature_last = false,
    .weakref_targets_last = true,
    .versions_replace = true,
    .sizes_are_no_mention = true,
    .ifdef_needs_place = true,
    .size_is_mention = false,
    .reloc_lists_section = false,
    .reloc_names_section = false,
    .undefined_temporaries_last = false,
    .signature_stays_in_group = true,
    .got_symbol_from_modifier = false,
    .resolve_global_branches = false,
    .branch_relocations_last = false,
    .calls_choose_at_once = false,
    .group_members_keep_names = false,
    .pcrel_merge_keeps_symbol = false,
    .global_absolutes_relocate = false,
    .moves_while_relaxing = false,
    .leb128_shrinks = false,
    .pads_merge_sections = false,
    .negative_fill_is_empty = false,
    .execute_only_text = true,
    .align_zero_is_word = false,
    .no_op_fill_is_code = false,
    .maps_all_data = true,
    .aligns_instructions = false,
    .pool_by_size = false,
    .pool_mentions_late = true,
    .pool_shares_sums = false,
    .pool_stays_known = true,
    .gnu_macros = false,
    .macro_depth = 20,
    .conditional_ends_in_macro = false,
    .line_renumbers = false,
    .bangs_are_xor = false,
    .skips_bad_blocks = false,
    .failed_condition_holds = true,
    .reports_open_at_end = true,
    .abort_stops = false,
    .message_escapes = false,
    .wide_leb = false,
    .truncate_data = false,
    .divide_by_zero_is_one = false,
    .unknown_is_unequal = false,
    .float_ties_away = false,
    .float_range_error = false,
    .float_letter_prefix = false,
    .x87_space = false,
    .missing_is_zero = false,
    .names_join = false,
    .octal_eight = false,
    .question_names = true,
    .host_shifts = true,
    .compress_from = 1,
    .gnu_compressed_place = false,
    .late_cfi_symbols = true,
    .rules_in_cie = false,
    .sort_frames = true,
    .one_debug_frame_cie = true,
    .sections_of_frame = false,
    .debug_frame_signal = false,
    .cie_version_by_dwarf = true,
    .cie_address_size_8 = false,
    .restore_cfa_offset = false,
    .signed_cfa_offset = false,
    .round_save_offset = true,
    .gnu_sframe = false,
    .frames_before_lines = true,
    .default_line_version = 4,
    .least_line_version = 2,
    .default_debug_version = 4,
    .invent_debug_info = false,
    .line_table_if_debug_info = false,
    .line_table_if_files = true,
    .lines_by_subsection = false,
    .shortens_advances = false,
    .lines_in_code_only = false,
    .line_0_is_no_row = false,
    .loops_have_lines = false,
    .repeat_generated_rows = true,
    .split_file_0 = false,
    .loc_ends_with_section = true,
    .loc_keeps_fields = false,
    .share_line_strings = true,
    .md5_reversed = false,
    .md5_by_first_byte = false,
    .discriminator_needs_dwarf4 = true,
    .coff_section_alignments = false,
    .coff_pads_sections = false,
    .coff_sections_for_globals = false,
    .coff_value_in_field = false,
    .coff_functions_relocate = true,
    .coff_gnu_symbols = false,
    .coff_absolute_frames = true,
    .coff_lines_of_text_only = true,
    .coff_debug_is_stabs = false,
    .coff_signed_shifts = true,
    .coff_weak_search = 3,
};

}  // namespace xas
