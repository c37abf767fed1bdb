// SPDX-License-Identifier: Apache-2.0
// The behaviours of xas. Where GNU as and llvm-mc make different objects from the same text, the difference is one
// named field here, and every place that follows it reads that field. docs/differences.md lists them;
// base_profiles.h and releases.h give them their values.
#pragma once

#include <span>
#include <string_view>

#include "xas/types.hpp"

namespace xas {

/// What a pass of relaxation (asm/layout/relax.cpp) sees of the section.
enum class RelaxOrder : u8 {
  one_state,  ///< all branches are decided on one state of it, then everything is placed anew (llvm)
  moving,     ///< a pass moves what it comes by; what lies ahead is taken to move along (llvm, from 23 on)
  waiting,    ///< so, but a branch waits for an alignment that it crosses; what stays long starts long (gnu)
};

struct Profile {
  /// What targets decide as a whole: they and the writers of no-ops are told (TargetOptions::gnu, RelocQuery::gnu,
  /// NopRequest::gnu), and choose rows of their tables by it. Nothing in asm/ asks it.
  bool gnu_target;
  u32 target_release;  ///< of that assembler, for targets too (TargetOptions::release): 240 is 2.40 (gnu), 22 (llvm)

  std::string_view producer;           ///< DW_AT_producer of -g: "GNU AS 2.40" (gnu), llvm-mc's (llvm)
  std::string_view codeview_producer;  ///< the compiler of --gcodeview, which GNU as alone has: "GNU AS 2.40"
  std::string_view standard_input;  ///< its name: "{standard input}" (gnu), "<stdin>" (llvm)
  std::string_view default_output;  ///< where the program writes without -o: a.out (gnu), standard output (llvm)
  bool llvm_options;                ///< options that both have (-n, -M) mean what they do in llvm-mc (llvm)

  // Sections
  u32 version_symbol;            ///< what the symbol "GAS(version)" stands for (gnu, 2.47); 0: it is not there
  bool defsyms_last_first;       ///< --defsym: symbols are listed from the last option to the first (gnu)
  bool zstd_stream;              ///< zstd: the size is not told first, and the level is the default (gnu)
  bool default_data_bss;         ///< .data and .bss exist from the start (gnu)
  u32 text_align;                ///< alignment of .text as it starts: 1 (gnu), 4 (llvm)
  bool a64_code_starts_aligned;  ///< AArch64: sections of code are aligned to 4 (llvm), or once they have code
  bool bfd_section_names;      ///< names that only BFD knows (.stabstr, .dynsym, .lbss, ...) decide types and flags;
                               ///< arrays have entry sizes (gnu)
  bool alloc_relocs_link_symbols;  ///< SHT_REL, SHT_RELA with flag `a` in a text: linked to .symtab (gnu, before 2.44)
  bool written_flags_replace;  ///< flags that are written replace those that the name decides, if they have others
                               ///< (gnu); else they are added
  bool known_sections_keep_flags;  ///< other flags for a section that exists, and whose name is known: warning (gnu),
                                   ///< error (llvm)
  bool section_variants;           ///< sections of one name are two if one has R, or another number of type (gnu)
  bool unknown_section_type_is_data;  ///< a section type that nobody knows: progbits with a warning (gnu), error (llvm)
  bool section_type_optional;         ///< behind a comma after the flags the type may be missing (gnu)
  bool section_flags_optional;  ///< `.section x,` with nothing behind the comma is accepted (gnu from 2.44 on)
  u8 string_entry_size;               ///< of sections with flag S that say none
  bool object_only_section;           ///< .gnu_object_only has a type of its own
  bool stack_mark_is_note;  ///< --execstack and --noexecstack make .note.GNU-stack a SHT_NOTE (gnu from 2.47 on)
  bool bad_entry_size_warns;  ///< M with a wrong entry size, or none: no merging, with a warning (gnu), error (llvm)
  bool link_order_optional;   ///< flag o without a symbol: the linked-to section is left open (gnu), error (llvm)
  u32 max_unique_section;     ///< the largest N of `unique, N`
  bool subsection_numbers_wrap;  ///< numbers of subsections are cut to 32 bits with a sign (gnu); else they are
                                 ///< checked, and not negative (llvm)
  bool popsection_of_none_warns;  ///< .popsection or .previous where there is none: warning (gnu), error (llvm)
  bool pushes_minus_one;  ///< .pushsection name, -1 goes to subsection -1 (gnu from 2.44 on); else to 0
  std::span<const std::string_view>
      open_directives;            ///< behind their operands another statement may follow in the line
  bool attributes_are_final;      ///< another value for a tag of .aeabi_attribute: error (gnu); else it counts
  bool one_comdat_makes_group;    ///< a group is COMDAT if one of its sections says so (gnu); else if the first does
  bool one_string_table;          ///< ELF: section names in .strtab, which comes first (llvm)
  bool predefines_sections;       ///< .rodata.cst8, .debug_str, .eh_frame, ... have a type, flags and an entry size
                                  ///< before they are opened (llvm)

  // Symbols
  bool sections_take_names;  ///< a section has the symbol of its name, if that was not defined or only set, and it
                             ///< stays local (gnu); else if nothing was said of it
  bool bfd_local_names;  ///< ELF: names that begin with .. or _.L_ are temporary, as BFD has it (gnu)
  bool set_symbols_outlive_name;  ///< one that was set stays in the symbol table then (gnu from 2.47 on)
  u8 local_common_subsection;    ///< of .bss, where local commons and .lcomm go: 1 (gnu), 0 (llvm)
  bool natural_common_align;     ///< .comm/.lcomm without alignment: by size, up to 16 (gnu); 1 (llvm)
  bool common_align_unchecked;  ///< .comm takes any alignment, 0 for none, and a negative one for 0 with a warning
                                ///< (gnu); else powers of two
  bool common_not_weak;          ///< a symbol that is weak and common is an error (gnu)
  bool visibility_tightens;  ///< .protected behind .hidden changes nothing, with a warning (gnu, 2.47); else the last
                             ///< counts
  bool common_sizes_may_differ;  ///< a second .comm of another size: a warning, and the last alignment counts (gnu); an
                                 ///< error (llvm)
  bool labels_define_commons;  ///< a label may define a common symbol: in .data, or anywhere if that has no size
                               ///< (gnu)
  bool type_makes_common;        ///< .type x, @common makes a common symbol (gnu); else an object
  bool types_combine;            ///< a second .type may not take away what the first said: a function stays one (llvm)
  bool redefinition_is_new;      ///< a symbol that .set gives another value is listed as one first met there (llvm)
  bool symbol_lists_may_be_empty;  ///< .globl, .weak, .hidden and their kin without a symbol do nothing (llvm); else
                                   ///< error
  bool weak_wins;                ///< .weak and .globl in any order: weak; .globl and .local: the last one (gnu); else a
                                 ///< warning or an error
  bool drop_unused_weak;         ///< an undefined .weak that nothing refers to is left out (gnu)
  bool undefined_local_is_global;  ///< undefined .local x, or unique x: global (gnu); else as it says
  bool label_twice_same_place;     ///< defining a label twice at one address is accepted (gnu)
  bool aliases_copy_at_once;       ///< .set copies type and size of a defined symbol as they are by then (gnu); else as
                                   ///< they are in the end, and the size only to aliases without one of their own
  bool kept_temporaries_last;      ///< .L symbols that relocations need come where an instruction first names them, or
                                   ///< behind all other locals (gnu); else where they were first met
  bool repeated_sections_last;  ///< so does the section symbol of another section of the same name (gnu, before 2.47)
  bool kept_before_late_sections;  ///< kept .L symbols come before the section symbols that only relocations name (gnu
                                   ///< from 2.47 on)
  bool undefined_temporary_is_error;  ///< an undefined .L symbol is an error (llvm), or a global (gnu); common
                                      ///< ones are listed there
  bool signatures_are_text;        ///< a group's signature has any characters, and is the last local symbol if it is
                                   ///< nothing else (gnu)
  bool weakref_is_local;              ///< a .weakref alias of a global label is a local name for it (llvm)
  bool weakref_targets_last;          ///< symbols known through .weakref only come last (llvm)
  bool versions_replace;      ///< the symbol of a .symver moves to the end with its new name (llvm), or is renamed
  bool sizes_are_no_reference;  ///< what only .skip, .org, .uleb128, ... refer to is listed where it is defined (llvm)
  bool ifdef_needs_place;     ///< .ifdef is false of a symbol that is set to one not defined by then (llvm)
  bool size_is_reference;     ///< .size of an undefined symbol lists it (gnu)
  bool reloc_lists_section;   ///< .reloc with a number as its offset lists its section's symbol (gnu)
  bool reloc_names_section;   ///< .reloc names the section of a .L symbol (gnu)
  bool reloc_names_absolute;  ///< .reloc names a symbol that is set to a number behind it (gnu), or is that number
  bool undefined_temporaries_last;  ///< undefined .L symbols are listed last, in the order of relocations (gnu)
  bool signature_stays_in_group;    ///< an undefined signature that no relocation names is in its group (llvm)
  bool got_symbol_from_modifier;    ///< GOT and TLS modifiers add an undefined _GLOBAL_OFFSET_TABLE_ (gnu)
  bool label_names_hold_numbers;    ///< a numeric label that is listed has its number and instance in its name (gnu);
                                    ///< else .LtmpN

  // Relocations
  bool resolve_global_branches;  ///< jmp/jcc to a global of the same section needs no relocation (gnu)
  bool branch_relocations_last;  ///< relocations of branches that can grow come after all others (gnu)

  bool calls_choose_at_once;       ///< the relocation of a call depends on what was known of its target by then (gnu)
  bool group_members_keep_names;   ///< named locals of COMDAT sections are not replaced by the section symbol when
                                   ///< another section refers to them (gnu)
  bool pcrel_merge_keeps_symbol;   ///< PC-relative references to SHF_MERGE sections name the symbol, RELA only (gnu)
  bool global_absolutes_relocate;  ///< a global absolute symbol is named by relocations (gnu); else it is its number
  bool indirect_differences_relocate;  ///< a difference with an indirect function (STT_GNU_IFUNC) is left to the linker
                                       ///< (gnu); else it is a number
  bool zero_is_no_symbol;          ///< relocations have no symbol for an absolute one that is 0, listed as it is (gnu)
  bool local_sizes_known;          ///< @SIZE of a local symbol is a number (gnu); else left to the linker
  bool addends_fit_fields;    ///< an addend that does not fit in its field is an error, but in addresses of 32 bits
                              ///< (gnu); else only with modifiers
  bool i386_words_wrap;       ///< numbers in 4 bytes wrap in 32-bit code (gnu); else they have to fit
  bool reloc_offset_checked;  ///< .reloc behind the end of its section is an error (gnu)
  bool
      reloc_listed_by_offset;  ///< .reloc comes before the first relocation behind it (gnu; llvm from 23 on, of those
                               ///< that stand in the same piece as its label); else it is the last of its label's piece

  // Layout
  RelaxOrder relax_order;       ///< what a pass of relaxation sees
  bool branch_padding_widens;   ///< branches are padded by making instructions longer, after layout (llvm); else no-ops
                                ///< and prefixes take part in it (gnu)
  bool leb128_shrinks;          ///< .uleb128 follows its value (gnu); else it only grows, and is padded (llvm)
  bool pads_merge_sections;     ///< subsections of SHF_MERGE sections are padded to the entry's alignment (gnu)
  bool negative_fill_is_empty;  ///< .fill, .skip of a negative size: warning (gnu), error (llvm)
  bool execute_only_text;       ///< an empty .text is execute-only where another section is (llvm)
  bool bss_ignores_fills;       ///< in sections without contents, the fill value of .skip and .org is ignored (gnu), or
                                ///< an error
  bool wide_fills_are_data;     ///< .skip and its kin with a value that is missing or no byte, .dcb.w and its kin with
                                ///< one that is not 0: as if they were written as data (gnu); else fills
  bool float_blocks_are_fills;  ///< .dcb.d and its kin of several numbers are fills (gnu from 2.47 on); else data
  bool fills_fit_padding;       ///< .balignw and its kin: padding is whole numbers of the fill, where its size is known
                                ///< at once (gnu); else the end is cut
  bool align_zero_is_word;      ///< ARM: .align 0 is .align 2 (gnu)
  bool incbin_zero_is_rest;     ///< .incbin: a count of 0 takes the rest of the file, a negative one is an error (gnu)
  bool no_op_fill_is_code;      ///< in code, a fill value that is a no-op asks for the usual no-ops (gnu)

  bool maps_all_data;        ///< $d stands before any data (llvm); else where GNU as puts it, see mapping.cpp
  bool aligns_instructions;  ///< with mapping symbols: an instruction behind data is aligned (gnu)
  bool pool_by_size;         ///< a literal pool is one table for each size (gnu); else in order, each entry aligned
  bool newest_pool_first;    ///< of the literal pools that the end of the text writes (gnu); else the oldest
  bool subsections_share_pool;  ///< a literal pool, in subsection 0, where .ltorg stays (llvm)
  bool pool_references_late;  ///< a symbol of a literal pool is listed when that is written (llvm); else where it is
                              ///< used
  bool pool_shares_sums;    ///< loads of one symbol plus one number have one entry (gnu); else each its own
  bool pool_stays_known;    ///< AArch64: what .ltorg has written serves later loads too (llvm)

  // ARM
  bool arm_resolves_globals;  ///< what refers to global labels near by is resolved, and branches by the processor's
                              ///< abilities (gnu); else left to the linker
  bool thumb_by_label_type;  ///< labels in Thumb code whose type is STT_FUNC by then are functions in Thumb code (llvm)
  bool thumb_func_sets_type;  ///< .thumb_func and .thumb_set make STT_FUNC at once, .thumb_set of what is defined
                              ///< (llvm); else in the end
  bool marks_thumb_labels;    ///< labels in Thumb code are functions there if they have the type in the end (gnu); else
                              ///< aliases of such are
  bool thumb_differences_relocate;  ///< data that count from a Thumb function are left to the linker (gnu); else
                                    ///< resolved, with the lowest bit set
  bool pads_arm_code;               ///< code is padded to a multiple of 4, if the alignment is as large (gnu)
  bool arm_attributes_of_used;    ///< .ARM.attributes tell of options and of instructions that were used (gnu); else of
                                  ///< directives
  bool arm_attributes_omit_zero;  ///< attributes of 0 are left out (gnu)
  bool
      arm_nodefaults_first;  ///< Tag_nodefaults comes first, behind Tag_conformance (gnu); else in the order of numbers
  bool arm_attributes_last;  ///< .ARM.attributes comes behind all sections (gnu); else before debug sections
  bool ehabi_range_pops_alone;  ///< .save {r4-r7, lr}: what a range completes is popped by itself (gnu)
  bool ehabi_stores_moved_sp;   ///< .movsp ip, and ip in .save: what is stored is called sp (gnu)
  bool ehabi_routine_once;  ///< a section refers once to each routine of the exception tables (gnu); else each function
                            ///< does
  bool ehabi_routine_second;  ///< the reference to a routine stands at the second word of an entry (gnu), or the first
                              ///< (llvm)
  bool ehabi_extab_always;    ///< .ARM.extab exists where there are entries (gnu), or where it is needed (llvm)
  bool ehabi_shares_extab;    ///< sections of one name and group have one .ARM.extab (gnu), or each its own (llvm)
  bool ehabi_empty_data;      ///< a routine of .personality without .handlerdata has a word of zeros for it (gnu)
  bool even_is_data;          ///< .even of ARM fills code with zeros that are data (gnu), or with no-ops (llvm)
  bool ehabi_keeps_subsection;  ///< behind .fnend goes on what was current (gnu), or subsection 0 of the function's
                                ///< section (llvm)
  u8 ehabi_pacspval_operation;  ///< of .pacspval

  // Macros and conditionals
  bool scrubs_macros;  ///< text of macros, loops and .ifc is GNU as's scrubbed text, split and replaced as it does;
                       ///< else LLVM's tokens
  u32 macro_depth;     ///< how deep expansions nest: 100 (gnu), 20 (llvm)
  bool directives_hide_macros;  ///< a macro with a directive's name is never called (gnu)
  bool macro_names_fold_case;   ///< names of macros in any case (gnu)
  bool endm_is_exitm;           ///< .endm in an expansion ends it (llvm)
  bool macro_slips_warn;  ///< stray .endm, .endr, .exitm, .purgem of no macro, loops of negative number: warning (gnu),
                          ///< error (llvm)
  bool counts_uses_in_strings;  ///< \\+ within a string, too, is how often a body was used before (llvm; gnu from 2.44
                                ///< on); else it is an escape
  bool comments_separate;  ///< where '/' may begin a line's comment, one of several lines separates arguments (gnu from
                           ///< 2.44 on); else it is nothing
  bool irpc_passes_quotes;    ///< .irpc has no rounds for quotes within its text (gnu from 2.44 on)
  bool text_may_follow_endr;  ///< text behind .endr is ignored (gnu)
  bool conditional_ends_in_macro;  ///< an .if that a macro leaves open ends with it, as an error (gnu); else it goes on

  bool line_renumbers;    ///< .line says what the next line is called (gnu)
  bool bangs_are_xor;     ///< `!!` between two operands is one operator (gnu), or two (llvm)
  bool skips_bad_blocks;  ///< a .macro or loop with a wrong head is passed over (gnu); else its body is read (llvm)
  bool failed_condition_holds;  ///< an .if with an error in its condition counts as true (llvm)
  bool reports_each_use;  ///< an undefined numeric label is an error wherever it is used (llvm), else where it first
                          ///< is (gnu)
  bool reports_open_at_end;     ///< a conditional or frame that is not closed is reported where the text ends (llvm),
                                ///< else where it was opened (gnu)
  bool abort_stops;             ///< nothing is read behind .abort, nor said of what was read (gnu)
  bool checks_after_errors;     ///< sizes and fields are looked at after errors in the text, too (gnu)
  bool message_escapes;  ///< escapes count in .print, .error, .warning, .ifeqs, .ident and names of sections (gnu)

  // Expressions and data
  bool wide_leb;               ///< a number of .sleb128 from 2^63 on is positive (gnu); else it has 64 bits
  bool truncate_data;          ///< .byte 256: warning (gnu), error (llvm)
  bool division_by_zero_warns;  ///< x/0 is x with a warning (gnu), error (llvm)
  bool unknown_is_unequal;     ///< .if a == b holds for no undefined a and other b (gnu); else it is an error
  bool truncates_decimals;     ///< decimal floating-point constants as GNU as computes them; else exactly
  bool float_letter_prefix;    ///< 0x in front of a floating-point constant is skipped like 0f and 0d (gnu)
  bool x87_space;              ///< units of .ds.x and .ds.p are the target's extended precision (gnu); else 12 bytes
  bool missing_is_zero;        ///< an operand that is missing is 0, with a warning (gnu); else an error
  bool names_join;             ///< "a""b" is the name ab (gnu)
  bool nul_in_strings;         ///< strings and quoted names may have NUL characters (llvm)
  bool octal_eight;            ///< 8 and 9 are octal digits in the escapes of strings (gnu)
  bool question_names;         ///< '?' is a character of names in ELF too (llvm)
  bool host_shifts;            ///< shift counts modulo 64 (llvm); else 0 with a warning (gnu)

  // Compressed debug sections
  u8 compress_from;           ///< bytes from which a debug section is worth compressing: 32 (gnu), 1 (llvm)
  bool sections_aligned_in_file;  ///< a section stands in the file at a multiple of its alignment; else of a word's
                                  ///< (gnu from 2.44 on)
  bool compressed_aligned_in_file;  ///< a compressed section stands by its new alignment in the file (gnu)

  // CFI
  bool late_cfi_symbols;     ///< a symbol that only .cfi_personality has named is listed when frames are written (llvm)
  bool cfi_omit_takes_back;  ///< .cfi_personality 0xff and .cfi_lsda 0xff take back what was said before (gnu)
  bool rules_in_cie;         ///< rules that hold from a function's first instruction become the CIE's (gnu)
  bool sort_frames;          ///< descriptions are ordered by their CIE (llvm); else in the order of the source (gnu)
  bool one_debug_frame_cie;  ///< .debug_frame has one CIE, that of the first description (llvm 22)
  bool debug_frame_own_order;  ///< descriptions in .debug_frame are sorted by what its CIEs say (llvm from 23 on), else
                               ///< as in .eh_frame
  bool signal_letter_last;  ///< S stands behind AArch64's letters in an augmentation (gnu), else before them
  bool eh_frame_asked_first;  ///< .eh_frame can't be asked for once a frame has gone elsewhere (gnu)
  bool sections_of_frame;    ///< .cfi_sections counts for the frames begun after it (gnu); the last for all (llvm)
  bool debug_frame_signal;   ///< .cfi_signal_frame shows in .debug_frame too (gnu)
  bool cie_version_by_dwarf;      ///< .debug_frame's CIE version follows -dwarf-version (llvm)
  bool cie_address_size_8;        ///< a version 4 CIE says that addresses have 8 bytes, whatever the target's (gnu)
  bool restore_cfa_offset;        ///< .cfi_restore_state restores what .cfi_adjust_cfa_offset counts from (gnu)
  bool signed_cfa_offset;         ///< negative CFA offsets are written in the signed, factored forms (gnu)
  bool round_save_offset;         ///< save offsets are rounded to the data alignment (llvm), else an error (gnu)
  u8 sframe_version;              ///< of .sframe
  bool sframe_own_type;           ///< its type is SHT_GNU_SFRAME, and a flag says from where it counts (llvm); else
                                  ///< SHT_PROGBITS (gnu up to 2.44)
  bool sframe_rows_by_directive;  ///< .sframe: a row for each place with directives that matter, states remembered as
                                  ///< of the row before (gnu); else for each change
  bool sframe_checks_registers;   ///< .sframe: functions whose rows would need other registers than the stack and the
                                  ///< frame pointer, or that save the latter alone, are left out (gnu from 2.44 on)
  bool sframe_target_checked;     ///< .sframe for a target that has none is an error (gnu); else nothing is made
  bool sframe_sections_checked;  ///< so it is if .cfi_sections asks for it (gnu, before 2.47)
  bool frames_before_lines;       ///< .eh_frame is made before .debug_line (llvm)

  // DWARF
  u8 default_line_version;        ///< 3 (gnu), 4 (llvm)
  u8 min_line_version;            ///< of line tables: 3 (gnu), 2 (llvm)
  u8 newest_dwarf_version;        ///< 5; 6 (llvm from 23 on)
  u8 default_debug_version;       ///< of -g without a version: 2 (gnu), 4 (llvm)
  bool dwarf2_opcodes;            ///< a line table of version 2 has no more than that version's opcodes (gnu from 2.44
                                  ///< on)
  bool invent_debug_info;         ///< .loc without .debug_info makes the other sections too (gnu)
  bool line_table_if_debug_info;  ///< a non-empty .debug_info gets a .debug_line, rows or none (gnu)
  bool line_table_if_files;       ///< .file N makes a .debug_line, rows or none (llvm)
  bool lines_by_subsection;       ///< rows are in the order of subsections (gnu), else of the source (llvm)
  bool shortens_advances;       ///< advances of hand-written .eh_frame and .debug_frame take their shortest form (gnu)
  bool lines_in_code_only;      ///< rows are made in executable sections and for instructions only (gnu)
  bool rows_for_unloaded_code;  ///< -g makes rows in code that is not loaded (gnu)
  bool line_0_is_no_row;        ///< `.loc 1 0` makes no row (gnu)
  bool loops_have_lines;       ///< -g: instructions in a loop are on lines of their own (gnu), else on that of the loop
  bool repeat_generated_rows;  ///< -g makes a row for each instruction (llvm), else for each line (gnu)
  bool inst_is_generated_code;     ///< -g takes `.inst` for an instruction, with a row (gnu)
  bool generated_row_of_nothing;   ///< and for an instruction without bytes: `it` in A32 code (llvm)
  bool generated_rows_stay;        ///< -g: rows before a `.file N` stay, as ones of the file of their number (llvm);
                                   ///< else they are forgotten
  bool split_file_0;           ///< tables of directories and files as GNU as numbers them; see dwarf_files.cpp
  bool root_is_no_directory_0;  ///< .file 0 "/" "name": the file's own directory is number 0 (gnu from 2.47 on), else
                                ///< the working one
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
  bool coff_weak_names_global;     ///< the default of a weak alias of a global symbol is that symbol (llvm)
  bool coff_weak_alias_relocates;  ///< a weak alias of what is not defined is what relocations name (gnu), or that
                                   ///< (llvm)
  bool coff_imgrel_of_absolutes;   ///< .rva and @IMGREL name a symbol that is a number (llvm), or are that number
  bool coff_value_in_field;        ///< the field of a relocation that names a defined symbol holds its value too (gnu)
  bool coff_functions_relocate;    ///< what refers to a function is left to the linker, even in its own section (llvm)
  bool coff_symbols_by_reference;  ///< symbols in the order of reference, undefined ones last, .file first (gnu); else
                                   ///< sections' first, .file last
  bool coff_symbol_classes;        ///< .weak and .lcomm choose storage classes, as far as .def does not (gnu)
  bool coff_weak_wins;             ///< .globl of a weak symbol: does not name the weak defaults of the object (gnu)
  bool coff_common_first;        ///< of several .comm, the first size counts (gnu), or the last (llvm)
  bool coff_msvc_commons;   ///< for Microsoft's environments, alignment of .comm raises its size and is not told to the
                            ///< linker (llvm)
  bool coff_ident_is_data;  ///< .ident goes to .rdata$zzz (gnu); else it is ignored
  bool coff_def_slips_warn;            ///< .def within .def, fields without one: warning (gnu), error (llvm)
  bool coff_def_may_stay_open;         ///< .def without .endef: counts, with a warning (llvm); else error
  bool coff_def_keeps_labels;          ///< .val does not move what has a place (gnu)
  bool coff_sdb;                       ///< .size, .dim, .tag and classes of SDB debug information are kept (gnu)
  bool coff_labels_named_as_sections;  ///< a label may have the name of a section (gnu)
  bool coff_bfd_section_flags;  ///< names of sections decide flags as in BFD (.stab, .zdebug, .gnu.linkonce) (gnu);
                                ///< else as in LLVM (.drectve)
  bool coff_removes_dwo;        ///< .debug_info.dwo and its kin are no part of an image (llvm from 23 on)
  bool coff_section_letters_combine;  ///< b and d combine, digits are alignments, others warn (gnu); else errors
  bool linkonce_combines;          ///< a second .linkonce of a section is combined with the first (gnu); else an error
  bool coff_section_index_addend;  ///< .secidx of an undefined symbol may have an addend (gnu)
  bool coff_frame_sections_first;  ///< sections of .cfi frames stand before other tables (llvm)
  bool coff_tables_by_name;        ///< unwind tables of .text$x stand in .xdata$x, .pdata$x, .eh_frame$x (gnu); else as
                                   ///< llvm-mc chooses
  bool coff_functions_chain;       ///< each function has an auxiliary record, which tells the next one (gnu, 2.47), or
                                   ///< the first one alone
  bool coff_cuts_file_names;       ///< the name of .file has at most 14 bytes of a record's 18 (gnu, before 2.47)
  bool coff_bfd_file;              ///< header and order within the file are BFD's (gnu), or LLVM's
  bool coff_compresses;            ///< debug sections are compressed, and named .zdebug_* (gnu)
  bool coff_absolute_frames;     ///< .eh_frame refers to code by its address (llvm), else by the distance to it (gnu)
  bool coff_lines_of_text_only;  ///< -g tells of .text and of no other section (llvm)
  bool coff_debug_is_stabs;      ///< -g without a format means stabs (gnu)
  bool coff_signed_shifts;       ///< `>>` keeps the sign in COFF (llvm)
  u8 coff_weak_search;           ///< of .weak symbols: IMAGE_WEAK_EXTERN_SEARCH_NOLIBRARY (gnu), _ALIAS (llvm)

  // .seh_*, and the tables of Windows
  bool seh_chained_regions;      ///< .seh_startchained is there (gnu; llvm until 22)
  bool seh_epilogues_from_end;   ///< version 2 counts epilogues from .seh_endproc, and none is last if .seh_handlerdata
                                 ///< stands before it (llvm from 23 on); else from .seh_endfunclet
  bool seh_stays_in_section;     ///< directives must stand in their function's section (gnu)
  bool seh_any_size;             ///< sizes and offsets that are 0 or no multiple are taken (gnu), errors (llvm)
  bool seh_scaled_vector_limit;  ///< offsets of vector registers are short up to 64k units of 16 (gnu), or of 8 (llvm)
  bool seh_frame_anywhere;       ///< .seh_pushframe behind other operations (gnu); else an error
  bool seh_first_endprologue;    ///< a second .seh_endprologue: warning (gnu), or moves the end (llvm)
  bool seh_handler_constants;    ///< .seh_handler takes @0, @1, @null, without @unwind or @except (gnu)
  bool seh_data_apart;           ///< .seh_handlerdata goes behind all tables (gnu), or behind its function's (llvm)
  bool seh_pdata_at_once;        ///< .pdata is written at each .seh_endproc (gnu), or at the end (llvm)
  bool seh_ends_in_function;     ///< .seh_endproc goes back to its function's section (llvm)
  bool unwind_info_min_8;        ///< UNWIND_INFO has eight bytes at least (llvm)
};

}  // namespace xas
