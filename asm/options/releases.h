// SPDX-License-Identifier: Apache-2.0
// The profiles: one constant for each release of a reference assembler, and what it becomes for a target. A newer
// release is a function that takes the constant of the release before, changes the fields in which it differs, and
// returns it; and a row in `releases`, from which --compat takes its names. Which of them is the default, releases.cpp says.
#pragma once

#include <string_view>

#include "asm/options/profile.h"
#include "targets/target.h"

namespace xas {

inline constexpr std::string_view gnu_open_directives[] = {
    ".previous",       ".popsection",      ".attach_to_group",    ".list",   ".nolist",    ".eject",  ".page",
    ".intel_mnemonic", ".allow_index_reg", ".disallow_index_reg", ".code16", ".code16gcc", ".code32", ".code64",
    ".att_mnemonic",
};

inline constexpr std::string_view llvm_open_directives[] = {
    ".previous",         ".popsection",      ".att_syntax", ".intel_syntax", ".version",        ".cfi_escape",
    ".cfi_lsda",         ".cfi_personality", ".ifeqs",      ".ifnes",        ".cv_stringtable", ".cv_linetable",
    ".cv_filechecksums", ".cv_string",       ".symver",     ".weakref",
};

inline constexpr Profile gnu_2_40_profile = {
    .gnu_target = true,
    .target_release = 240,
    .producer = "GNU AS 2.40",
    .codeview_producer = "GNU AS 2.40",
    .standard_input = "{standard input}",
    .default_output = "a.out",
    .llvm_options = false,
    .defsyms_last_first = true,
    .zstd_stream = true,
    .default_data_bss = true,
    .text_align = 1,
    .a64_code_starts_aligned = false,
    .bfd_section_names = true,
    .alloc_relocs_link_symbols = true,
    .written_flags_replace = true,
    .known_sections_keep_flags = true,
    .section_variants = true,
    .unknown_section_type_is_data = true,
    .section_type_optional = true,
    .string_entry_size = 0,
    .object_only_section = false,
    .bad_entry_size_warns = true,
    .link_order_optional = true,
    .max_unique_section = ~u32(0),
    .min_subsection = -(i64(1) << 31),
    .popsection_of_none_warns = true,
    .open_directives = gnu_open_directives,
    .attributes_are_final = true,
    .one_comdat_makes_group = true,
    .one_string_table = false,
    .eh_frame_unwind_type = false,
    .local_common_subsection = 1,
    .natural_common_align = true,
    .common_not_weak = true,
    .common_sizes_may_differ = true,
    .type_makes_common = true,
    .types_combine = false,
    .redefinition_is_new = false,
    .weak_wins = true,
    .drop_unused_weak = true,
    .undefined_local_is_global = true,
    .label_twice_same_place = true,
    .aliases_copy_at_once = true,
    .kept_temporaries_last = true,
    .repeated_sections_last = true,
    .kept_before_late_sections = false,
    .undefined_temporary_is_error = false,
    .signature_last = true,
    .weakref_is_local = false,
    .weakref_targets_last = false,
    .versions_replace = false,
    .sizes_are_no_reference = false,
    .ifdef_needs_place = false,
    .size_is_reference = true,
    .reloc_lists_section = true,
    .reloc_names_section = true,
    .undefined_temporaries_last = true,
    .signature_stays_in_group = false,
    .got_symbol_from_modifier = true,
    .label_names_hold_numbers = true,
    .resolve_global_branches = true,
    .branch_relocations_last = true,
    .calls_choose_at_once = true,
    .group_members_keep_names = true,
    .pcrel_merge_keeps_symbol = true,
    .global_absolutes_relocate = true,
    .local_sizes_known = true,
    .addends_fit_fields = true,
    .i386_words_wrap = true,
    .reloc_offset_checked = true,
    .reloc_listed_by_offset = true,
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
    .newest_pool_first = true,
    .pool_references_late = false,
    .pool_shares_sums = true,
    .pool_stays_known = false,
    .arm_resolves_globals = true,
    .thumb_by_label_type = false,
    .thumb_func_sets_type = false,
    .marks_thumb_labels = true,
    .thumb_differences_relocate = true,
    .pads_arm_code = true,
    .arm_attributes_of_used = true,
    .arm_attributes_omit_zero = true,
    .arm_nodefaults_first = true,
    .arm_attributes_last = true,
    .ehabi_range_pops_alone = true,
    .ehabi_stores_moved_sp = true,
    .ehabi_routine_once = true,
    .ehabi_routine_second = true,
    .ehabi_extab_always = true,
    .ehabi_pacspval_operation = 0xB5,
    .scrubs_macros = true,
    .macro_depth = 100,
    .directives_hide_macros = true,
    .macro_names_fold_case = true,
    .endm_is_exitm = false,
    .macro_slips_warn = true,
    .text_may_follow_endr = true,
    .conditional_ends_in_macro = true,
    .line_renumbers = true,
    .bangs_are_xor = true,
    .skips_bad_blocks = true,
    .failed_condition_holds = false,
    .reports_each_use = false,
    .reports_open_at_end = false,
    .abort_stops = true,
    .checks_after_errors = true,
    .message_escapes = true,
    .wide_leb = true,
    .truncate_data = true,
    .division_by_zero_warns = true,
    .unknown_is_unequal = true,
    .truncates_decimals = true,
    .float_letter_prefix = true,
    .x87_space = true,
    .missing_is_zero = true,
    .names_join = true,
    .octal_eight = true,
    .question_names = false,
    .host_shifts = false,
    .compress_from = 32,
    .sections_aligned_in_file = true,
    .compressed_aligned_in_file = true,
    .late_cfi_symbols = false,
    .rules_in_cie = true,
    .sort_frames = false,
    .one_debug_frame_cie = false,
    .eh_frame_asked_first = true,
    .sections_of_frame = true,
    .debug_frame_signal = true,
    .cie_version_by_dwarf = false,
    .cie_address_size_8 = true,
    .restore_cfa_offset = true,
    .signed_cfa_offset = true,
    .round_save_offset = false,
    .sframe_version = 1,
    .sframe_own_type = false,
    .sframe_rows_by_directive = true,
    .sframe_target_checked = true,
    .frames_before_lines = false,
    .default_line_version = 3,
    .min_line_version = 3,
    .newest_dwarf_version = 5,
    .default_debug_version = 2,
    .dwarf2_opcodes = false,
    .invent_debug_info = true,
    .line_table_if_debug_info = true,
    .line_table_if_files = false,
    .lines_by_subsection = true,
    .shortens_advances = true,
    .lines_in_code_only = true,
    .rows_for_unloaded_code = true,
    .line_0_is_no_row = true,
    .loops_have_lines = true,
    .repeat_generated_rows = false,
    .split_file_0 = true,
    .root_is_no_directory_0 = false,
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
    .coff_symbols_by_reference = true,
    .coff_symbol_classes = true,
    .coff_weak_wins = true,
    .coff_common_largest = true,
    .coff_msvc_commons = false,
    .coff_ident_is_data = true,
    .coff_def_slips_warn = true,
    .coff_def_keeps_labels = true,
    .coff_sdb = true,
    .coff_labels_named_as_sections = true,
    .coff_bfd_section_flags = true,
    .coff_section_letters_combine = true,
    .linkonce_combines = true,
    .coff_section_index_addend = true,
    .coff_frame_sections_first = false,
    .coff_tables_by_name = true,
    .coff_bfd_file = true,
    .coff_compresses = true,
    .coff_absolute_frames = false,
    .coff_lines_of_text_only = false,
    .coff_debug_is_stabs = true,
    .coff_signed_shifts = false,
    .coff_weak_search = 1,
    .seh_chained_regions = true,
    .seh_stays_in_section = true,
    .seh_any_size = true,
    .seh_scaled_vector_limit = true,
    .seh_frame_anywhere = true,
    .seh_first_endprologue = true,
    .seh_handler_constants = true,
    .seh_data_apart = true,
    .seh_pdata_at_once = true,
    .seh_ends_in_function = false,
    .unwind_info_min_8 = false,
};

inline constexpr Profile llvm_22_profile = {
    .gnu_target = false,
    .target_release = 22,
    .producer = "llvm-mc (based on LLVM 22.1.8)",
    .codeview_producer = "GNU AS 2.40",
    .standard_input = "<stdin>",
    .default_output = "-",
    .llvm_options = true,
    .defsyms_last_first = false,
    .zstd_stream = false,
    .default_data_bss = false,
    .text_align = 4,
    .a64_code_starts_aligned = true,
    .bfd_section_names = false,
    .alloc_relocs_link_symbols = false,
    .written_flags_replace = false,
    .known_sections_keep_flags = false,
    .section_variants = false,
    .unknown_section_type_is_data = false,
    .section_type_optional = false,
    .string_entry_size = 0,
    .object_only_section = false,
    .bad_entry_size_warns = false,
    .link_order_optional = false,
    .max_unique_section = ~u32(0) - 1,
    .min_subsection = 0,
    .popsection_of_none_warns = false,
    .open_directives = llvm_open_directives,
    .attributes_are_final = false,
    .one_comdat_makes_group = false,
    .one_string_table = true,
    .eh_frame_unwind_type = true,
    .local_common_subsection = 0,
    .natural_common_align = false,
    .common_not_weak = false,
    .common_sizes_may_differ = false,
    .type_makes_common = false,
    .types_combine = true,
    .redefinition_is_new = true,
    .weak_wins = false,
    .drop_unused_weak = false,
    .undefined_local_is_global = false,
    .label_twice_same_place = false,
    .aliases_copy_at_once = false,
    .kept_temporaries_last = false,
    .repeated_sections_last = false,
    .kept_before_late_sections = false,
    .undefined_temporary_is_error = true,
    .signature_last = false,
    .weakref_is_local = true,
    .weakref_targets_last = true,
    .versions_replace = true,
    .sizes_are_no_reference = true,
    .ifdef_needs_place = true,
    .size_is_reference = false,
    .reloc_lists_section = false,
    .reloc_names_section = false,
    .undefined_temporaries_last = false,
    .signature_stays_in_group = true,
    .got_symbol_from_modifier = false,
    .label_names_hold_numbers = false,
    .resolve_global_branches = false,
    .branch_relocations_last = false,
    .calls_choose_at_once = false,
    .group_members_keep_names = false,
    .pcrel_merge_keeps_symbol = false,
    .global_absolutes_relocate = false,
    .local_sizes_known = false,
    .addends_fit_fields = false,
    .i386_words_wrap = false,
    .reloc_offset_checked = false,
    .reloc_listed_by_offset = false,
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
    .newest_pool_first = false,
    .pool_references_late = true,
    .pool_shares_sums = false,
    .pool_stays_known = true,
    .arm_resolves_globals = false,
    .thumb_by_label_type = true,
    .thumb_func_sets_type = true,
    .marks_thumb_labels = false,
    .thumb_differences_relocate = false,
    .pads_arm_code = false,
    .arm_attributes_of_used = false,
    .arm_attributes_omit_zero = false,
    .arm_nodefaults_first = false,
    .arm_attributes_last = false,
    .ehabi_range_pops_alone = false,
    .ehabi_stores_moved_sp = false,
    .ehabi_routine_once = false,
    .ehabi_routine_second = false,
    .ehabi_extab_always = false,
    .ehabi_pacspval_operation = 0xB4,
    .scrubs_macros = false,
    .macro_depth = 20,
    .directives_hide_macros = false,
    .macro_names_fold_case = false,
    .endm_is_exitm = true,
    .macro_slips_warn = false,
    .text_may_follow_endr = false,
    .conditional_ends_in_macro = false,
    .line_renumbers = false,
    .bangs_are_xor = false,
    .skips_bad_blocks = false,
    .failed_condition_holds = true,
    .reports_each_use = true,
    .reports_open_at_end = true,
    .abort_stops = false,
    .checks_after_errors = false,
    .message_escapes = false,
    .wide_leb = false,
    .truncate_data = false,
    .division_by_zero_warns = false,
    .unknown_is_unequal = false,
    .truncates_decimals = false,
    .float_letter_prefix = false,
    .x87_space = false,
    .missing_is_zero = false,
    .names_join = false,
    .octal_eight = false,
    .question_names = true,
    .host_shifts = true,
    .compress_from = 1,
    .sections_aligned_in_file = true,
    .compressed_aligned_in_file = false,
    .late_cfi_symbols = true,
    .rules_in_cie = false,
    .sort_frames = true,
    .one_debug_frame_cie = true,
    .eh_frame_asked_first = false,
    .sections_of_frame = false,
    .debug_frame_signal = false,
    .cie_version_by_dwarf = true,
    .cie_address_size_8 = false,
    .restore_cfa_offset = false,
    .signed_cfa_offset = false,
    .round_save_offset = true,
    .sframe_version = 2,
    .sframe_own_type = true,
    .sframe_rows_by_directive = false,
    .sframe_target_checked = false,
    .frames_before_lines = true,
    .default_line_version = 4,
    .min_line_version = 2,
    .newest_dwarf_version = 5,
    .default_debug_version = 4,
    .dwarf2_opcodes = false,
    .invent_debug_info = false,
    .line_table_if_debug_info = false,
    .line_table_if_files = true,
    .lines_by_subsection = false,
    .shortens_advances = false,
    .lines_in_code_only = false,
    .rows_for_unloaded_code = false,
    .line_0_is_no_row = false,
    .loops_have_lines = false,
    .repeat_generated_rows = true,
    .split_file_0 = false,
    .root_is_no_directory_0 = false,
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
    .coff_symbols_by_reference = false,
    .coff_symbol_classes = false,
    .coff_weak_wins = false,
    .coff_common_largest = false,
    .coff_msvc_commons = true,
    .coff_ident_is_data = false,
    .coff_def_slips_warn = false,
    .coff_def_keeps_labels = false,
    .coff_sdb = false,
    .coff_labels_named_as_sections = false,
    .coff_bfd_section_flags = false,
    .coff_section_letters_combine = false,
    .linkonce_combines = false,
    .coff_section_index_addend = false,
    .coff_frame_sections_first = true,
    .coff_tables_by_name = false,
    .coff_bfd_file = false,
    .coff_compresses = false,
    .coff_absolute_frames = true,
    .coff_lines_of_text_only = true,
    .coff_debug_is_stabs = false,
    .coff_signed_shifts = true,
    .coff_weak_search = 3,
    .seh_chained_regions = true,
    .seh_stays_in_section = false,
    .seh_any_size = false,
    .seh_scaled_vector_limit = false,
    .seh_frame_anywhere = false,
    .seh_first_endprologue = false,
    .seh_handler_constants = false,
    .seh_data_apart = false,
    .seh_pdata_at_once = false,
    .seh_ends_in_function = true,
    .unwind_info_min_8 = true,
};

/// As 2.40, but for what came up to 2.44.
constexpr Profile gnu_2_44(Profile p) {
  p.target_release = 244;
  p.producer = p.codeview_producer = "GNU AS 2.44";
  p.alloc_relocs_link_symbols = false;
  p.sections_aligned_in_file = false;
  p.string_entry_size = 1;
  p.object_only_section = true;
  p.sframe_version = 2;
  p.min_line_version = 2;
  p.dwarf2_opcodes = true;
  return p;
}

/// As 2.44, but for what came up to 2.47.
constexpr Profile gnu_2_47(Profile p) {
  p.target_release = 247;
  p.producer = p.codeview_producer = "GNU AS 2.47";
  p.sframe_version = 3;
  p.sframe_own_type = true;
  p.repeated_sections_last = false;
  p.kept_before_late_sections = true;
  p.root_is_no_directory_0 = true;
  return p;
}

/// As 22, but for what came with 23.
constexpr Profile llvm_23(Profile p) {
  p.target_release = 23;
  p.producer = "llvm-mc (based on LLVM 23.1.4)";
  p.reloc_listed_by_offset = true;
  p.newest_dwarf_version = 6;
  p.seh_chained_regions = false;
  return p;
}

inline constexpr Profile gnu_2_44_profile = gnu_2_44(gnu_2_40_profile);
inline constexpr Profile gnu_2_47_profile = gnu_2_47(gnu_2_44_profile);
inline constexpr Profile llvm_23_profile = llvm_23(llvm_22_profile);

/// As that one, but for ARM: labels stand where they are first met, for GNU as marks each of them.
constexpr Profile for_arm(Profile p) {
  p.kept_temporaries_last = false;
  return p;
}

/// As that one, but for COFF: all three sections exist from the start, and there is no group, visibility or symbol
/// type.
constexpr Profile for_coff(Profile p, u32 text_align) {
  p.default_data_bss = true;
  p.text_align = text_align;
  p.got_symbol_from_modifier = false;
  p.global_absolutes_relocate = false;
  p.calls_choose_at_once = false;
  p.pads_merge_sections = false;
  p.kept_temporaries_last = false;
  return p;
}

/// As `object`, but for the language, and what the program does: those of `language`.
constexpr Profile in_language_of(const Profile& language, Profile object) {
  object.standard_input = language.standard_input;
  object.default_output = language.default_output;
  object.scrubs_macros = language.scrubs_macros;
  object.macro_depth = language.macro_depth;
  object.directives_hide_macros = language.directives_hide_macros;
  object.macro_names_fold_case = language.macro_names_fold_case;
  object.endm_is_exitm = language.endm_is_exitm;
  object.macro_slips_warn = language.macro_slips_warn;
  object.text_may_follow_endr = language.text_may_follow_endr;
  object.conditional_ends_in_macro = language.conditional_ends_in_macro;
  object.line_renumbers = language.line_renumbers;
  object.bangs_are_xor = language.bangs_are_xor;
  object.skips_bad_blocks = language.skips_bad_blocks;
  object.failed_condition_holds = language.failed_condition_holds;
  object.reports_each_use = language.reports_each_use;
  object.reports_open_at_end = language.reports_open_at_end;
  object.abort_stops = language.abort_stops;
  object.checks_after_errors = language.checks_after_errors;
  object.message_escapes = language.message_escapes;
  object.wide_leb = language.wide_leb;
  object.truncate_data = language.truncate_data;
  object.division_by_zero_warns = language.division_by_zero_warns;
  object.unknown_is_unequal = language.unknown_is_unequal;
  object.float_letter_prefix = language.float_letter_prefix;
  object.missing_is_zero = language.missing_is_zero;
  object.names_join = language.names_join;
  object.octal_eight = language.octal_eight;
  object.host_shifts = language.host_shifts;
  object.coff_signed_shifts = language.coff_signed_shifts;
  object.negative_fill_is_empty = language.negative_fill_is_empty;
  return object;
}

/// A reference assembler at one of its releases, for each kind of target.
struct Release {
  std::string_view name;    ///< for --compat: the family, a dash and the version
  std::string_view family;  ///< for --compat too
  Profile elf;
  Profile elf_arm;
  Profile coff_x86_32;
  Profile coff_x86_64;
  Profile coff_arm;  ///< ARM and AArch64
};

/// GNU as knows nothing of Windows on ARM and ARM64. The language stays its own, and the object is LLVM's.
constexpr Release gnu_release(std::string_view name, const Profile& p, const Profile& llvm) {
  return {.name = name,
          .family = "gnu",
          .elf = p,
          .elf_arm = for_arm(p),
          .coff_x86_32 = for_coff(p, 4),
          .coff_x86_64 = for_coff(p, 16),
          .coff_arm = for_coff(in_language_of(p, llvm), 4)};
}

constexpr Release llvm_release(std::string_view name, const Profile& p) {
  return {.name = name,
          .family = "llvm",
          .elf = p,
          .elf_arm = for_arm(p),
          .coff_x86_32 = for_coff(p, 4),
          .coff_x86_64 = for_coff(p, 4),
          .coff_arm = for_coff(p, 4)};
}

/// Of a family, from the oldest to the newest.
inline constexpr Release releases[] = {
    gnu_release("gnu-2.40", gnu_2_40_profile, llvm_22_profile),
    gnu_release("gnu-2.44", gnu_2_44_profile, llvm_22_profile),
    gnu_release("gnu-2.47", gnu_2_47_profile, llvm_23_profile),
    llvm_release("llvm-22", llvm_22_profile),
    llvm_release("llvm-23", llvm_23_profile),
};

/// The release without --compat: the first of those that were chosen when xas was built (XAS_COMPAT in CMake).
const Release& default_release();

/// The release that --compat=NAME means, which may be a family's name: that is the one of the family that was chosen
/// when xas was built, else its newest. Null if there is none.
const Release* find_release(std::string_view name);

/// The one place where a profile is chosen.
constexpr const Profile& profile_for(const Release& release, Machine machine, ObjectFormat format, unsigned bits) {
  if (format == ObjectFormat::coff) {
    if (machine != Machine::x86) return release.coff_arm;
    return bits == 64 ? release.coff_x86_64 : release.coff_x86_32;
  }
  return machine == Machine::arm ? release.elf_arm : release.elf;
}

}  // namespace xas
