// SPDX-License-Identifier: Apache-2.0
// The releases of the reference assemblers: the profile of each, and what it becomes for a target. A newer release is a
// function that takes the profile of the release before (of the first: base_profiles.h), changes the fields in which it
// differs, and returns it; and a row in `releases`, from which --compat takes its names. Which of them is the default,
// releases.cpp says.
#pragma once

#include <string_view>

#include "asm/options/base_profiles.h"
#include "targets/target.h"

namespace xas {

/// As 2.40, but for what came up to 2.44.
constexpr Profile gnu_2_44(Profile p) {
  p.target_release = 244;
  p.producer = p.codeview_producer = "GNU AS 2.44";
  p.alloc_relocs_link_symbols = false;
  p.sections_aligned_in_file = false;
  p.string_entry_size = 1;
  p.object_only_section = true;
  p.section_flags_optional = true;
  p.pushes_minus_one = true;
  p.counts_uses_in_strings = true;
  p.comments_separate = true;
  p.irpc_passes_quotes = true;
  p.sframe_version = 2;
  p.sframe_checks_registers = true;
  p.min_line_version = 2;
  p.dwarf2_opcodes = true;
  return p;
}

/// As 2.44, but for what came up to 2.47.
constexpr Profile gnu_2_47(Profile p) {
  p.target_release = 247;
  p.producer = p.codeview_producer = "GNU AS 2.47";
  p.version_symbol = 247'000'000;
  p.octal_eight = false;
  p.set_symbols_outlive_name = true;
  p.stack_mark_is_note = true;
  p.sframe_version = 3;
  p.sframe_own_type = true;
  p.sframe_sections_checked = false;
  p.repeated_sections_last = false;
  p.kept_before_late_sections = true;
  p.float_blocks_are_fills = true;
  p.root_is_no_directory_0 = true;
  p.visibility_tightens = true;
  p.coff_functions_chain = true;
  p.coff_cuts_file_names = false;
  return p;
}

/// As 22, but for what came with 23.
constexpr Profile llvm_23(Profile p) {
  p.target_release = 23;
  p.producer = "llvm-mc (based on LLVM 23.1.4)";
  p.reloc_listed_by_offset = true;
  p.relax_order = RelaxOrder::moving;
  p.newest_dwarf_version = 6;
  p.one_debug_frame_cie = false;
  p.debug_frame_own_order = true;
  p.coff_removes_dwo = true;
  p.seh_chained_regions = false;
  p.seh_epilogues_from_end = true;
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
  p.sections_take_names = false;
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
  object.counts_uses_in_strings = language.counts_uses_in_strings;
  object.comments_separate = language.comments_separate;
  object.irpc_passes_quotes = language.irpc_passes_quotes;
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
  object.nul_in_strings = language.nul_in_strings;
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
