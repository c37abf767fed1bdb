// SPDX-License-Identifier: Apache-2.0
// What an assembly is asked to do. Filled by the public API or the command line; never changed during the assembly.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "asm/options/listing_options.h"
#include "asm/options/releases.h"
#include "asm/text/source_limits.h"
#include "objwriter/threads.h"
#include "targets/target.h"

namespace xas {

enum class CompressDebug : u8 { none, zlib, zlib_gnu, zstd };

struct Options {
  Profile profile = default_release().elf;
  TargetOptions target;
  std::vector<std::string> include_dirs;
  std::vector<std::pair<std::string, i64>> defsyms;
  std::vector<std::pair<std::string, std::string>> prefix_map;  ///< --debug-prefix-map OLD=NEW, last one first
  std::string working_dir;   ///< DW_AT_comp_dir and directory 0 of line tables; empty: asked of the system
  std::string main_file;     ///< name of the input for line tables, if not the one that was read
  std::string producer;      ///< DW_AT_producer of -g
  bool debug_lines = false;  ///< -g, --gdwarf-N: line information for the assembly source itself
  u8 dwarf_version = 0;      ///< --gdwarf-N, -dwarf-version; 0: the profile's default
  u8 cie_version = 0;        ///< --gdwarf-cie-version
  u8 least_dwarf_version = 0;  ///< what that asks for, unless an option behind it says which DWARF it shall be
  bool dwarf64 = false;
  bool line_sections = false;  ///< --gdwarf-sections
  bool gsframe = false;
  u8 sframe_version = 0;  ///< that --gsframe-N asks for; 0: the profile's
  bool stabs = false, stabs_gnu = false;           ///< --gstabs, --gstabs+
  bool codeview_lines = false;                     ///< --gcodeview
  std::string object_name;                         ///< where the object goes, for CodeView
  bool build_notes = false;                        ///< --generate-missing-build-notes
  bool exec_stack = false, no_exec_stack = false;  ///< --execstack, --noexecstack: add .note.GNU-stack
  bool keep_locals = false;                        ///< -L: .L symbols go to the symbol table
  bool strip_local_absolute = false;
  bool no_warnings = false, fatal_warnings = false;
  bool size_errors_are_warnings = false;  ///< --size-check=warning
  bool mshared = false;                   ///< -mshared: branches to global symbols are left to the linker
  bool elf_stt_common = false;
  bool no_pad_sections = false;
  bool start_in_altmacro = false;
  bool mri = false;                ///< --mri
  bool motorola_integers = false;  ///< -motorola-integers: $ff, %101
  bool masm_integers = false;      ///< -masm-integers: 0ffh, 101b, 17o
  bool incremental = false;        ///< COFF: llvm-mc's -incremental-linker-compatible
  bool big_obj = false;            ///< COFF
  bool msvc = false;               ///< COFF: the triple's environment is Microsoft's, not GNU's or another
  bool associative_tables = false;  ///< COFF: unwind tables of a COMDAT function are associated with it, not named so
  u8 os_abi = 0;                   ///< ELF: EI_OSABI, if the target system demands one
  bool crel = false;
  bool data_in_text = false;    ///< -R
  bool sectname_subst = false;  ///< --sectname-subst: %S in a section's name is the current one's
  bool multibyte_warn = false, multibyte_warn_symbols = false;
  bool pic = false;  ///< -position-independent, -k
  /// What is written: the object, the bytes of its only section, or as text the bytes of each line or instruction.
  /// `lines`: nothing; what lines have made is kept for who asks for it, also if there are errors (line_bytes.h).
  enum class Output : u8 { object, raw, hex, encodings, lines } output = Output::object;
  bool large_code_model = false;
  bool large_eh_encoding = false;   ///< --large-eh-encoding: so is .eh_frame, if nothing else
  /// --reloc-section-sym: for which local symbols relocations name the section: all, those that begin with .L, or none.
  enum class SectionSymbols : u8 { all, internal, none } section_symbols = SectionSymbols::all;
  bool no_initial_section = false;  ///< llvm-mc's -n: the text chooses a section before it puts anything there
  bool implicit_mapping_symbols = false;  ///< AArch64: code begins and ends as code, what is no code as data
  bool save_temp_labels = false;
  CompressDebug compress = CompressDebug::none;
  ListingOptions listing;  ///< -a
  u32 max_errors = 100;
  u32 max_macro_depth = 0;  ///< 0: the profile's
  u32 max_include_depth = 200;
  /// Bytes that all expansions of an assembly together may have, each reading of a loop's body counted. One that stands
  /// in others counts for each of them once more: macros that multiply themselves are stopped while they are small.
  u64 max_expansion_bytes = u64(1) << 30;
  SourceLimits sources;
  Threads threads;  ///< --threads
};

}  // namespace xas
