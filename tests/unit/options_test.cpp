// SPDX-License-Identifier: Apache-2.0
// The command line: a row of this table for every row of the option table, and the ways in which GNU as and LLVM let
// options be written.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

#include "asm/options/table.h"
#include "asm/options/triple.h"

using namespace xas;

namespace {

struct Parsed {
  Settings settings;
  std::vector<std::string> inputs;
  std::string error;
};

/// As the program reads its command line, "--compat" first.
Parsed parse(std::vector<const char*> arguments) {
  Parsed p;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i][0] != '-') {
      p.inputs.push_back(arguments[i]);
      continue;
    }
    const char* next = i + 1 < arguments.size() ? arguments[i + 1] : nullptr;
    OptionResult r = apply_option(p.settings, arguments[i], next, true);
    if (!r.error.empty()) {
      p.error = r.error;
      break;
    }
    i += r.took_next;
  }
  return p;
}

std::string extra(const Settings& s, std::string_view name) {
  for (const auto& [key, value] : s.options.target.extra) {
    if (key == name) return value.empty() ? "set" : value;
  }
  return "";
}

struct Case {
  std::vector<const char*> arguments;
  bool (*holds)(const Settings& s);
};

#define HOLDS(condition) [](const Settings& s) -> bool { return condition; }
#define ACCEPTED HOLDS((void(s), true))

/// Every option that is accepted, and what it does.
const Case cases[] = {
    {{"--target=i386-linux-gnu"}, HOLDS(s.triple == "i386-linux-gnu")},
    {{"--target", "i386-linux-gnu"}, HOLDS(s.triple == "i386-linux-gnu")},
    {{"--compat=llvm"}, HOLDS(!s.options.profile.gnu_target && !s.options.target.gnu)},
    {{"--compat=llvm-22"}, HOLDS(!s.options.profile.gnu_target && s.release == find_release("llvm"))},
    {{"--compat=gnu-2.40"}, HOLDS(s.options.profile.gnu_target&& s.release == find_release("gnu"))},
    {{"--compat=llvm", "--compat=gnu"}, HOLDS(s.options.profile.gnu_target&& s.options.target.gnu)},
    {{"-fsyntax-only"}, HOLDS(s.program.no_output)},
    {{"-fmax-errors=7"}, HOLDS(s.options.max_errors == 7)},
    {{"-fmax-errors=0"}, HOLDS(s.options.max_errors == ~0u)},
    {{"--threads=4"}, HOLDS(s.options.threads.most == 4)},
    {{"--threads=0"}, HOLDS(s.options.threads.most >= 1)},
    {{"--diagnostics-format=json"}, HOLDS(s.program.format == DiagnosticsFormat::json)},
    {{"--diagnostics-format=gnu"}, HOLDS(s.program.format == DiagnosticsFormat::gnu)},
    {{"--diagnostics-format=sarif"}, HOLDS(s.program.format == DiagnosticsFormat::sarif)},
    {{"--diagnostics-format=gnu", "--diagnostics-format=text"}, HOLDS(s.program.format == DiagnosticsFormat::text)},
    {{"--color=never"}, HOLDS(s.program.color == ProgramOptions::Color::never)},
    {{"--color"}, HOLDS(s.program.color == ProgramOptions::Color::always)},
    {{"-ffile-prefix-map=/a=/b"}, HOLDS(s.options.prefix_map.at(0).second == "/b")},
    {{"-fmacro-prefix-map=/a=/b"}, HOLDS(s.program.preprocessor_options.at(0) == "-fmacro-prefix-map=/a=/b")},
    {{"--preprocess"}, HOLDS(s.program.preprocess)},
    {{"-DN=1", "-UM"},
     HOLDS(s.program.preprocessor_options.at(0) == "-DN=1" && s.program.preprocessor_options.at(1) == "-UM")},
    {{"-MD"}, HOLDS(s.program.make_dependencies&& s.program.depfile.empty())},
    {{"-MD", "-MF", "x.d", "-MP"},
     HOLDS(s.program.make_dependencies&& s.program.depfile == "x.d" && s.program.phony_dependencies)},
    {{"-MMD", "-MT", "a b", "-MQ", "c"},
     HOLDS(s.program.no_system_dependencies && !s.program.depfile_targets.at(0).second &&
           s.program.depfile_targets.at(1) == std::pair(std::string("c"), true))},
    {{"-Wall"}, HOLDS(!s.options.no_warnings && s.warnings.empty())},

    {{"-a"}, HOLDS(s.options.listing.parts == (listing_lines | listing_source | listing_symbols))},
    {{"-acdm"}, HOLDS(s.options.listing.parts == (listing_no_skipped | listing_no_debug | listing_expansions))},
    {{"-alh=x.lst"},
     HOLDS(s.options.listing.parts == (listing_lines | listing_source) && s.program.listing == "x.lst")},
    {{"-a=x.lst"}, HOLDS(s.program.listing == "x.lst")},
    {{"--mri"}, HOLDS(s.options.mri)},
    {{"-M"}, HOLDS(s.options.mri)},
    {{"-masm-integers"}, HOLDS(s.options.masm_integers)},
    {{"-motorola-integers"}, HOLDS(s.options.motorola_integers)},
    {{"--alternate"}, HOLDS(s.options.start_in_altmacro)},
    {{"--compress-debug-sections"}, HOLDS(s.options.compress == CompressDebug::zlib)},
    {{"-c"}, HOLDS(s.options.compress == CompressDebug::zlib)},
    {{"--compress-debug-sections=zlib-gabi"}, HOLDS(s.options.compress == CompressDebug::zlib)},
    {{"--compress-debug-sections=zlib-gnu"}, HOLDS(s.options.compress == CompressDebug::zlib_gnu)},
    {{"--compress-debug-sections=zstd"}, HOLDS(s.options.compress == CompressDebug::zstd)},
    {{"--compress-debug-sections=zstd", "--compress-debug-sections=none"},
     HOLDS(s.options.compress == CompressDebug::none)},
    {{"--compress-debug-sections", "--nocompress-debug-sections"}, HOLDS(s.options.compress == CompressDebug::none)},
    {{"-D"}, HOLDS(s.program.preprocessor_options.empty())},
    {{"--debug-prefix-map", "/a=/b"}, HOLDS(s.options.prefix_map.at(0).first == "/a")},
    {{"--debug-prefix-map=/a=/b", "--debug-prefix-map=/c=/d=e"},
     HOLDS(s.options.prefix_map.at(0).first == "/c" && s.options.prefix_map[0].second == "/d=e")},
    {{"--defsym", "a=0x10"}, HOLDS(s.options.defsyms.at(0).first == "a" && s.options.defsyms[0].second == 16)},
    {{"--defsym=a=-1"}, HOLDS(s.options.defsyms.at(0).second == -1)},
    {{"-defsym=a=010"}, HOLDS(s.options.defsyms.at(0).second == 8)},
    {{"--defsym=a=0xffffffffffffffff"}, HOLDS(s.options.defsyms.at(0).second == -1)},
    {{"--dump-config"}, HOLDS(s.program.dump_config)},
    {{"--elf-stt-common=yes"}, HOLDS(s.options.elf_stt_common)},
    {{"--execstack"}, HOLDS(s.options.exec_stack && !s.options.no_exec_stack)},
    {{"--execstack", "--noexecstack"}, HOLDS(!s.options.exec_stack && s.options.no_exec_stack)},
    {{"--size-check=warning"}, HOLDS(s.options.size_errors_are_warnings)},
    {{"--generate-missing-build-notes=no"}, HOLDS(!s.options.build_notes)},
    {{"--generate-missing-build-notes=yes"}, HOLDS(s.options.build_notes)},
    {{"--sectname-subst"}, HOLDS(s.options.sectname_subst)},
    {{"--gcodeview"}, HOLDS(s.options.codeview_lines)},
    {{"--gstabs"}, HOLDS(s.options.stabs && !s.options.stabs_gnu)},
    {{"--gstabs+"}, HOLDS(s.options.stabs&& s.options.stabs_gnu)},
    {{"--gsframe"}, HOLDS(s.options.gsframe)},
    {{"--gsframe-3"}, HOLDS(s.options.gsframe && s.options.sframe_version == 3)},
    {{"--reloc-section-sym=none"}, HOLDS(s.options.section_symbols == Options::SectionSymbols::none)},
    {{"--reloc-section-sym=internal"}, HOLDS(s.options.section_symbols == Options::SectionSymbols::internal)},
    {{"--scfi=experimental"}, HOLDS(s.options.target.frame_steps)},
    {{"-f"}, ACCEPTED},
    {{"-g"}, HOLDS(s.options.debug_lines&& s.options.dwarf_version == 0)},
    {{"--gen-debug"}, HOLDS(s.options.debug_lines)},
    {{"--gdwarf-2"}, HOLDS(s.options.dwarf_version == 2)},
    {{"--gdwarf2"}, HOLDS(s.options.dwarf_version == 2)},
    {{"--gdwarf-3"}, HOLDS(s.options.dwarf_version == 3)},
    {{"-gdwarf-4"}, HOLDS(s.options.debug_lines&& s.options.dwarf_version == 4)},
    {{"--gdwarf-5", "--64"}, HOLDS(s.options.debug_lines&& s.options.dwarf_version == 5 && s.word_mode == 64)},
    {{"--gdwarf-sections"}, HOLDS(s.options.line_sections)},
    {{"--gdwarf-cie-version=4"}, HOLDS(s.options.cie_version == 4)},
    {{"--hash-size=7"}, ACCEPTED},
    {{"--reduce-memory-overheads"}, ACCEPTED},
    {{"--help"}, HOLDS(s.program.help)},
    {{"-h"}, HOLDS(s.program.help)},
    {{"--target-help"}, HOLDS(s.program.target_help)},
    {{"-Iinclude"}, HOLDS(s.options.include_dirs.at(0) == "include")},
    {{"-I", "include", "-I="}, HOLDS(s.options.include_dirs.size() == 2 && s.options.include_dirs[1] == "=")},
    {{"-J"}, ACCEPTED},
    {{"-L"}, HOLDS(s.options.keep_locals)},
    {{"--keep-locals"}, HOLDS(s.options.keep_locals)},
    {{"--MD", "x.d"}, HOLDS(s.program.depfile == "x.d")},
    {{"--multibyte-handling=warn"}, HOLDS(s.options.multibyte_warn && !s.options.multibyte_warn_symbols)},
    {{"--multibyte-handling=warn-sym-only"}, HOLDS(!s.options.multibyte_warn && s.options.multibyte_warn_symbols)},
    {{"--nocpp"}, ACCEPTED},
    {{"--no-pad-sections"}, HOLDS(s.options.no_pad_sections)},
    {{"-o", "x.o"}, HOLDS(s.program.output == "x.o" && s.program.output_given)},
    {{"-ox.o"}, HOLDS(s.program.output == "x.o")},
    {{"-o=x.o"}, HOLDS(s.program.output == "=x.o")},
    {{"--compat=llvm", "-o=x.o"}, HOLDS(s.program.output == "x.o")},
    {{"-R"}, HOLDS(s.options.data_in_text)},
    {{"--statistics"}, HOLDS(s.program.statistics)},
    {{"--strip-local-absolute"}, HOLDS(s.options.strip_local_absolute)},
    {{"--traditional-format"}, HOLDS(s.warnings.size() == 1)},
    {{"-v"}, HOLDS(s.program.print_version && !s.program.version)},
    {{"-verbose"}, HOLDS(s.program.print_version)},
    {{"--version"}, HOLDS(s.program.version)},
    {{"-W"}, HOLDS(s.options.no_warnings)},
    {{"--no-warn"}, HOLDS(s.options.no_warnings)},
    {{"--no-warn", "--warn"}, HOLDS(!s.options.no_warnings)},
    {{"--fatal-warnings"}, HOLDS(s.options.fatal_warnings)},
    {{"-w"}, ACCEPTED},
    {{"-X"}, ACCEPTED},
    {{"-Z"}, HOLDS(s.warnings.size() == 1)},
    {{"--listing-lhs-width=4"}, HOLDS(s.options.listing.lhs_width == 4 && s.options.listing.lhs_width2 == 4)},
    {{"--listing-lhs-width2", "4"}, HOLDS(s.options.listing.lhs_width2 == 4)},
    {{"--listing-rhs-width=4"}, HOLDS(s.options.listing.rhs_width == 4)},
    {{"--listing-cont-lines=4"}, HOLDS(s.options.listing.cont_lines == 4)},

    {{"-EL"}, HOLDS(extra(s, "EL") == "set")},
    {{"-EB"}, HOLDS(extra(s, "EB") == "set")},
    {{"-mlittle-endian"}, HOLDS(extra(s, "mlittle-endian") == "set")},
    {{"-mbig-endian"}, HOLDS(extra(s, "mbig-endian") == "set")},
    {{"-mabi=ilp32"}, HOLDS(extra(s, "mabi") == "ilp32")},
    {{"-mthumb"}, HOLDS(extra(s, "mthumb") == "set")},
    {{"-mimplicit-it=thumb"}, HOLDS(extra(s, "mimplicit-it") == "thumb")},
    {{"-mfpu=neon"}, HOLDS(extra(s, "mfpu") == "neon")},
    {{"-mfloat-abi=soft"}, HOLDS(extra(s, "mfloat-abi") == "soft")},
    {{"-meabi=5"}, HOLDS(s.options.target.extra.empty() && s.effective_triple() == "arm-linux-gnueabi")},
    {{"-EL", "-mabi=lp64"}, HOLDS(s.effective_triple() == "aarch64-linux-gnu")},
    {{"-mabi=lp64", "--target=arm-linux-gnueabi"}, HOLDS(s.effective_triple() == "arm-linux-gnueabi")},
    {{"--fix-v4bx"}, HOLDS(extra(s, "fix-v4bx") == "set")},
    {{"--fdpic"}, HOLDS(extra(s, "fdpic") == "set")},
    {{"-mthumb-interwork"}, HOLDS(extra(s, "mthumb-interwork") == "set")},
    {{"-mccs"}, HOLDS(extra(s, "mccs") == "set")},
    {{"-mapcs-32"}, HOLDS(extra(s, "mapcs-32") == "set")},
    {{"-mapcs-26"}, HOLDS(extra(s, "mapcs-26") == "set")},
    {{"-mapcs-float"}, HOLDS(extra(s, "mapcs-float") == "set")},
    {{"-mapcs-reentrant"}, HOLDS(extra(s, "mapcs-reentrant") == "set")},
    {{"-mapcs-frame"}, HOLDS(extra(s, "mapcs-frame") == "set")},
    {{"-mapcs-stack-check"}, HOLDS(extra(s, "mapcs-stack-check") == "set")},
    {{"-mwarn-restrict-it"}, HOLDS(extra(s, "mwarn-restrict-it") == "set")},
    {{"-mno-warn-restrict-it"}, HOLDS(extra(s, "mno-warn-restrict-it") == "set")},
    {{"-mwarn-syms"}, HOLDS(extra(s, "mwarn-syms") == "set")},
    {{"-mno-warn-syms"}, HOLDS(extra(s, "mno-warn-syms") == "set")},
    {{"-mfp16-format=ieee"}, HOLDS(extra(s, "mfp16-format") == "ieee")},
    {{"-mwarn-deprecated"}, HOLDS(extra(s, "mwarn-deprecated") == "set")},
    {{"-mno-warn-deprecated"}, HOLDS(extra(s, "mno-warn-deprecated") == "set")},
    {{"--32"}, HOLDS(s.word_mode == 32 && !s.x32_mode)},
    {{"--64"}, HOLDS(s.word_mode == 64 && !s.x32_mode)},
    {{"--x32"}, HOLDS(s.word_mode == 64 && s.x32_mode)},
    {{"--divide"}, ACCEPTED},
    {{"-n"}, HOLDS(!s.options.target.no_op_fills)},
    {{"-q"}, HOLDS(extra(s, "q") == "set")},
    {{"-O"}, HOLDS(s.options.target.optimize == 1)},
    {{"-O0"}, HOLDS(s.options.target.optimize == 0)},
    {{"-O2"}, HOLDS(s.options.target.optimize == 2)},
    {{"-Os"}, HOLDS(s.options.target.optimize == 3)},
    {{"-O3"}, HOLDS(s.options.target.optimize == 2)},
    {{"-O2", "-Og"}, HOLDS(s.options.target.optimize == 0)},
    {{"-Qy"}, ACCEPTED},
    {{"-Qn"}, ACCEPTED},
    {{"-V"}, HOLDS(s.program.print_version)},
    {{"-k"}, ACCEPTED},
    {{"-s"}, ACCEPTED},
    {{"-march=znver4+noavx"}, HOLDS(s.options.target.arch == "znver4+noavx")},
    {{"-EL"}, HOLDS(extra(s, "EL") == "set")},
    {{"-EB"}, HOLDS(s.options.target.extra.size() == 1)},
    {{"-mlittle-endian"}, HOLDS(s.options.target.extra.size() == 1)},
    {{"-mbig-endian"}, HOLDS(s.options.target.extra.size() == 1)},
    {{"-mabi=lp64"}, HOLDS(s.options.target.extra.empty())},
    {{"-mabi=ilp32"}, HOLDS(extra(s, "mabi") == "ilp32")},
    {{"-mtune=core2"}, HOLDS(s.options.target.tune == "core2")},
    {{"-msse2avx"}, HOLDS(extra(s, "msse2avx") == "set")},
    {{"-muse-unaligned-vector-move"}, HOLDS(extra(s, "muse-unaligned-vector-move") == "set")},
    {{"-msse-check=error"}, HOLDS(extra(s, "msse-check") == "error")},
    {{"-msse-check=error", "-msse-check=none"}, HOLDS(s.options.target.extra.empty())},
    {{"-moperand-check=none"}, HOLDS(extra(s, "moperand-check") == "none")},
    {{"-moperand-check=warning"}, HOLDS(s.options.target.extra.empty())},
    {{"-mtls-check=no"}, HOLDS(extra(s, "mtls-check") == "no")},
    {{"--info"}, HOLDS(s.warnings.empty())},
    {{"--no-info"}, HOLDS(s.warnings.empty())},
    {{"-mavxscalar=256"}, HOLDS(extra(s, "mavxscalar") == "256")},
    {{"-mvexwig=1"}, HOLDS(extra(s, "mvexwig") == "1")},
    {{"-mevexlig=512"}, HOLDS(extra(s, "mevexlig") == "512")},
    {{"-mevexwig=1"}, HOLDS(extra(s, "mevexwig") == "1")},
    {{"-mevexrcig=rz"}, HOLDS(extra(s, "mevexrcig") == "rz")},
    {{"-mmnemonic=intel"}, HOLDS(extra(s, "mmnemonic") == "intel")},
    {{"-msyntax=intel"}, HOLDS(s.options.target.intel_syntax)},
    {{"-mindex-reg"}, ACCEPTED},
    {{"-mverbose-error"}, ACCEPTED},
    {{"-menable-sysreg-checking"}, HOLDS(extra(s, "menable-sysreg-checking") == "set")},
    {{"-mno-verbose-error"}, ACCEPTED},
    {{"-mnaked-reg"}, HOLDS(s.options.target.naked_registers)},
    {{"-madd-bnd-prefix"}, HOLDS(extra(s, "madd-bnd-prefix") == "set")},
    {{"-mshared"}, HOLDS(s.options.mshared)},
    {{"-mx86-used-note=yes"}, HOLDS(extra(s, "mx86-used-note") == "yes")},
    {{"-mbig-obj"}, HOLDS(s.options.big_obj)},
    {{"-momit-lock-prefix=yes"}, HOLDS(extra(s, "momit-lock-prefix") == "yes")},
    {{"-mfence-as-lock-add=yes"}, HOLDS(extra(s, "mfence-as-lock-add") == "yes")},
    {{"-mrelax-relocations=no"}, HOLDS(!s.options.target.relax_relocations)},
    {{"-mrelax-relocations=no", "-mrelax-relocations=yes"}, HOLDS(s.options.target.relax_relocations)},
    {{"-malign-branch-boundary=32"}, HOLDS(extra(s, "malign-branch-boundary") == "32")},
    {{"-malign-branch=jcc+jmp"}, HOLDS(extra(s, "malign-branch") == "jcc+jmp")},
    {{"-malign-branch-prefix-size=4"}, HOLDS(extra(s, "malign-branch-prefix-size") == "4")},
    {{"-mbranches-within-32B-boundaries"}, HOLDS(extra(s, "mbranches-within-32B-boundaries") == "set")},
    {{"-mlfence-after-load=yes"}, HOLDS(extra(s, "mlfence-after-load") == "yes")},
    {{"-mlfence-before-indirect-branch=all"}, HOLDS(extra(s, "mlfence-before-indirect-branch") == "all")},
    {{"-mlfence-before-ret=or"}, HOLDS(extra(s, "mlfence-before-ret") == "or")},
    {{"-mintel64"}, HOLDS(extra(s, "mintel64") == "set")},
    {{"-mintel64", "-mamd64"}, HOLDS(extra(s, "mintel64").empty() && extra(s, "mamd64") == "set")},

    {{"-triple=i386-pc-linux"}, HOLDS(s.triple == "i386-pc-linux" && s.options.profile.gnu_target)},
    {{"--triple", "i386"}, HOLDS(s.triple == "i386")},
    {{"-arch=x86"}, HOLDS(s.effective_triple() == "x86-linux-gnu")},
    {{"-mcpu=knl"}, HOLDS(s.options.target.cpu == "knl")},
    {{"-mattr=+avx,-sse", "-mattr", "+amx"},
     HOLDS(extra(s, "mattr") == "+avx,-sse" && s.options.target.extra.size() == 2)},
    {{"-filetype=obj"}, HOLDS(!s.program.no_output)},
    {{"--filetype=null"}, HOLDS(s.program.no_output)},
    {{"-assemble"}, ACCEPTED},
    {{"-x86-asm-syntax=intel"}, HOLDS(s.options.target.intel_syntax)},
    {{"-mc-relax-all"}, HOLDS(s.options.target.relax_all)},
    {{"-mc-relax-all=false"}, HOLDS(!s.options.target.relax_all)},
    {{"-dwarf-version=5"}, HOLDS(s.options.dwarf_version == 5 && !s.options.debug_lines)},
    {{"-dwarf64"}, HOLDS(s.options.dwarf64)},
    {{"-position-independent"}, HOLDS(s.options.pic)},
    {{"-large-code-model"}, HOLDS(s.options.large_code_model)},
    {{"-large-eh-encoding"}, HOLDS(s.options.large_eh_encoding)},
    {{"-implicit-mapsyms=1"}, HOLDS(s.options.implicit_mapping_symbols)},
    {{"-save-temp-labels=1"}, HOLDS(s.options.save_temp_labels)},
    {{"-x86-relax-relocations=0"}, HOLDS(!s.options.target.relax_relocations)},
    {{"-x86-relax-relocations"}, HOLDS(s.options.target.relax_relocations)},
    {{"-relax-relocations=false"}, HOLDS(!s.options.target.relax_relocations)},
    {{"-fdebug-prefix-map=/a=/b"}, HOLDS(s.options.prefix_map.at(0).first == "/a")},
    {{"-fdebug-compilation-dir=/src"}, HOLDS(s.options.working_dir == "/src")},
    {{"-main-file-name", "a.s"}, HOLDS(s.options.main_file == "a.s")},
    {{"-dwarf-debug-producer=me 1.0"}, HOLDS(s.options.producer == "me 1.0")},
    {{"-no-exec-stack"}, HOLDS(s.options.no_exec_stack)},
    {{"-crel"}, HOLDS(s.options.crel)},
    {{"-incremental-linker-compatible"}, HOLDS(s.options.incremental)},
    {{"-arm-implicit-it=always"}, HOLDS(extra(s, "mimplicit-it") == "always")},
    {{"-aarch64-mark-bti-property"}, HOLDS(extra(s, "aarch64-mark-bti-property") == "set")},
    {{"-aarch64-lfi-guard-elim=false"}, HOLDS(extra(s, "lfi-guard-elim") == "false")},
    {{"-arm-add-build-attributes"}, HOLDS(extra(s, "arm-add-build-attributes") == "set")},
    {{"-x86-sse2avx"}, HOLDS(extra(s, "msse2avx") == "set")},
    {{"-x86-align-branch-boundary=32"}, HOLDS(extra(s, "malign-branch-boundary") == "32")},
    {{"-x86-align-branch=jcc"}, HOLDS(extra(s, "malign-branch") == "jcc")},
    {{"-x86-pad-max-prefix-size=3"}, HOLDS(extra(s, "malign-branch-prefix-size") == "3")},
    {{"-x86-branches-within-32B-boundaries"}, HOLDS(extra(s, "mbranches-within-32B-boundaries") == "set")},
    {{"-x86-pad-for-branch-align=false"}, ACCEPTED},
    {{"-x86-pad-for-align"}, HOLDS(extra(s, "x86-pad-for-align") == "set")},
    {{"-asm-macro-max-nesting-depth=5"}, HOLDS(s.options.max_macro_depth == 5)},
    {{"--compat=llvm", "-n"}, HOLDS(s.options.target.no_op_fills&& s.options.no_initial_section)},
    {{"-target-abi=x"}, ACCEPTED},
    {{"-emit-dwarf-unwind=always"}, ACCEPTED},
    {{"-emit-compact-unwind-non-canonical"}, ACCEPTED},
    {{"-show-encoding"}, HOLDS(s.options.output == Options::Output::encodings)},
    {{"-show-encoding", "-filetype=asm"}, HOLDS(s.options.output == Options::Output::encodings)},
    {{"-show-encoding", "-filetype=obj"}, HOLDS(s.options.output == Options::Output::object)},
    {{"-filetype=obj", "-show-encoding"}, HOLDS(s.options.output == Options::Output::object)},
    {{"-show-encoding=false"}, HOLDS(s.options.output == Options::Output::object)},
    {{"-show-inst"}, ACCEPTED},
    {{"-show-inst-operands"}, ACCEPTED},
    {{"-asm-show-inst"}, ACCEPTED},
    {{"-output-asm-variant=1"}, ACCEPTED},
    {{"-preserve-comments"}, ACCEPTED},
    {{"-print-imm-hex"}, ACCEPTED},
    {{"--compat=llvm", "-M", "no-aliases"}, ACCEPTED},
    {{"-validate-cfi"}, ACCEPTED},
    {{"-no-deprecated-warn"}, ACCEPTED},
    {{"-no-type-check"}, ACCEPTED},
    {{"-runs=1"}, ACCEPTED},
    {{"-stats"}, HOLDS(s.program.statistics)},

    // Shortened, run together
    {{"--fatal"}, HOLDS(s.options.fatal_warnings)},
    {{"--defs=a=1"}, HOLDS(s.options.defsyms.size() == 1)},
    {{"--noexec"}, HOLDS(s.options.no_exec_stack)},
    {{"-LR"}, HOLDS(s.options.keep_locals&& s.options.data_in_text)},
};

/// Arguments that are refused, and a part of the message that has to say why.
const std::pair<std::vector<const char*>, const char*> refused[] = {
    {{"--bogus-option"}, "unknown option '--bogus-option'"},
    {{"--noexecstak"}, "did you mean '--noexecstack'?"},
    {{"-mrelax-relocation=no"}, "did you mean '-mrelax-relocations'?"},
    {{"-foo"}, "unknown option '-foo'"},  // GNU as: -f -o o
    {{"-Wextra"}, "unknown option"},
    {{"-Werror"}, "unknown option '-Werror'; '--fatal-warnings' is its name"},
    {{"--defsym"}, "needs a value: --defsym=NAME=NUMBER"},
    {{"--defsym", "a"}, "NAME=NUMBER"},
    {{"--defsym=a=1+1"}, "'1+1' is not a number"},  // GNU as: 1
    {{"--defsym=a=b"}, "'b' is not a number"},      // GNU as: 0
    {{"--defsym=a=0x10000000000000000"}, "not a number that fits"},
    {{"-o"}, "needs a value: -o FILE"},
    {{"-I"}, "needs a value: -I DIR"},
    {{"--32=1"}, "takes no value"},
    {{"-crel=maybe"}, "true or false"},
    {{"-msyntax=masm"}, "can't be 'masm'; it is one of att,intel"},
    {{"--compat=masm"}, "one of gnu,gnu-2.40,gnu-2.44,gnu-2.47,llvm,llvm-22,llvm-23"},
    {{"-Oq"}, "-O0 -O1 -O2 -Os"},
    {{"-ax"}, "no kind of listing"},
    {{"--listing-lhs-width=-1"}, "not a number between"},
    {{"-Qx"}, "one of y,n"},
    {{"-fmax-errors=many"}, "not a number"},
    {{"--threads=many"}, "not a number"},
    {{"-dwarf-version=1"}, "DWARF versions are 2 to 6"},
    {{"--debug-prefix-map=x"}, "OLD=NEW"},
    {{"-filetype=asm"}, "no other assembly"},
    {{"--gdw"}, "ambiguous"},
    {{"--emulation=elf_i386"}, "not available"},
    {{"-K"}, "not available"},
    {{"--itbl=x"}, "not available"},
    {{"-tx"}, "not available"},
    {{"-disassemble"}, "not available"},
    {{"-mdis"}, "not available"},
    {{"-cdis"}, "not available"},
    {{"-as-lex"}, "not available"},
    {{"-hex"}, "not available"},
    {{"-split-dwarf-file=x"}, "not available"},
    {{"-masm-hexfloats"}, "not available"},
};

}  // namespace

TEST_CASE("options do what the table says") {
  for (const Case& c : cases) {
    std::string line;
    for (const char* a : c.arguments) line += std::string(a) + ' ';
    CAPTURE(line);
    Parsed p = parse(c.arguments);
    CHECK(p.error == "");
    CHECK(p.inputs.empty());
    CHECK(c.holds(p.settings));
  }
}

TEST_CASE("options that are refused, and why") {
  for (const auto& each : refused) {
    CAPTURE(each.first[0]);
    Parsed p = parse(each.first);
    CAPTURE(p.error);
    CHECK(p.error.find(each.second) != std::string::npos);
  }
}

TEST_CASE("every row of the option table is tested") {
  std::set<const OptionRow*> tested;
  auto add = [&](const std::vector<const char*>& arguments) {
    bool llvm = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i][0] != '-') continue;
      tested.insert(find_option(arguments[i], llvm));
      llvm |= std::string_view(arguments[i]) == "--compat=llvm";
    }
  };
  for (const Case& c : cases) add(c.arguments);
  for (const auto& [arguments, message] : refused) add(arguments);
  for (const OptionRow& row : option_table()) {
    CAPTURE(row.spelling);
    CHECK(tested.count(&row) == 1);
  }
}

TEST_CASE("spellings are unique within a dialect") {
  std::set<std::pair<std::string_view, bool>> seen;
  for (const OptionRow& row : option_table()) {
    CAPTURE(row.spelling);
    if (row.dialect != OptionDialect::gnu) CHECK(seen.insert({row.name(), true}).second);
    if (row.dialect != OptionDialect::llvm) CHECK(seen.insert({row.name(), false}).second);
  }
}

TEST_CASE("options of the program are refused by the library") {
  Settings s;
  CHECK(apply_option(s, "-o", "x", false).error.find("belongs to the program") != std::string::npos);
  CHECK(apply_option(s, "--32", nullptr, false).error.empty());
}

TEST_CASE("-MD takes the argument behind it where GNU as does, unless that is the source") {
  Settings s;
  CHECK(apply_option(s, "-MD", "x.d", true).took_next);
  CHECK(s.program.depfile == "x.d");
  CHECK(!apply_option(s, "-MD", "x.S", true).took_next);
  CHECK(!apply_option(s, "-MD", "-MF", true).took_next);
}

TEST_CASE("byte orders of other targets are explained") {
  Settings s;
  Options to;
  to.target.extra.emplace_back("EL", "");
  CHECK(s.finish(to).find("-Wa,--target=TRIPLE") != std::string::npos);
}

TEST_CASE("triples") {
  auto is = [](const char* text, unsigned bits, bool x32, ObjectFormat format, bool known = true) {
    CAPTURE(text);
    Triple t = parse_triple(text);
    CHECK(t.machine == Machine::x86);
    CHECK(t.bits == bits);
    CHECK(t.x32 == x32);
    CHECK(t.known_format == known);
    if (known) CHECK(t.format == format);
  };
  is("x86_64", 64, false, ObjectFormat::elf);
  is("x86-64", 64, false, ObjectFormat::elf);
  is("amd64-unknown-freebsd14", 64, false, ObjectFormat::elf);
  is("x86_64-linux-gnux32", 64, true, ObjectFormat::elf);
  is("x86_64-pc-linux-muslx32", 64, true, ObjectFormat::elf);
  is("i686-linux-gnu", 32, false, ObjectFormat::elf);
  is("i386-unknown-unknown-code16", 16, false, ObjectFormat::elf);
  is("x86", 32, false, ObjectFormat::elf);
  is("x86_64-w64-mingw32", 64, false, ObjectFormat::coff);
  is("i686-pc-windows-msvc", 32, false, ObjectFormat::coff);
  CHECK(parse_triple("aarch64-w64-windows-gnu").format == ObjectFormat::coff);
  CHECK(parse_triple("arm64ec-pc-windows-msvc").machine == Machine::aarch64);
  CHECK(parse_triple("arm64ec-pc-windows-msvc").arm64ec);
  is("x86_64-pc-windows-elf", 64, false, ObjectFormat::elf);
  is("x86_64-apple-darwin", 64, false, ObjectFormat::elf, false);
  CHECK(parse_triple("riscv64-linux-gnu").machine == Machine::unknown);
  CHECK(parse_triple("").machine == Machine::unknown);
}

TEST_CASE("targets by the program's name") {
  CHECK(triple_of_program("/usr/bin/x86_64-linux-gnu-as") == "x86_64-linux-gnu");
  CHECK(triple_of_program("aarch64-linux-gnu-as") == "aarch64-linux-gnu");
  CHECK(triple_of_program("i686-w64-mingw32-as.exe") == "i686-w64-mingw32");
  CHECK(triple_of_program("x86_64-linux-gnu-llvm-mc") == "x86_64-linux-gnu");
  CHECK(triple_of_program("/usr/bin/aarch64-linux-gnu-as-2.40") == "aarch64-linux-gnu");
  CHECK(triple_of_program("arm-linux-gnueabihf-as-2.40.50") == "arm-linux-gnueabihf");
  CHECK(triple_of_program("as-2.40").empty());
  CHECK(triple_of_program("as").empty());
  CHECK(triple_of_program("xas").empty());
  CHECK(triple_of_program("llvm-mc").empty());
  CHECK(triple_of_program("my-own-as").empty());
}

TEST_CASE("a release has a profile for each kind of target") {
  const Release* const gnu = find_release("gnu");
  const Release* const llvm = find_release("llvm-22");
  REQUIRE(gnu);
  REQUIRE(llvm);
  CHECK(gnu == find_release("gnu-2.40"));
  CHECK(llvm == find_release("llvm"));
  CHECK(!find_release("gnu-2"));
  CHECK(!find_release(""));
  for (const Release& r : releases) {
    CHECK(find_release(r.name) == &r);
    CHECK(find_release(r.family)->family == r.family);
  }
  CHECK(default_release().name == "gnu-2.40");
  CHECK(find_release("gnu-2.44")->elf.target_release == 244);
  CHECK(find_release("gnu-2.47")->elf.producer == "GNU AS 2.47");
  CHECK(find_release("llvm-23")->elf.target_release == 23);
  using enum ObjectFormat;
  CHECK(profile_for(*gnu, Machine::x86, elf, 64).text_align == 1);
  CHECK(profile_for(*gnu, Machine::x86, coff, 64).text_align == 16);
  CHECK(profile_for(*gnu, Machine::x86, coff, 32).text_align == 4);
  CHECK(profile_for(*llvm, Machine::x86, coff, 64).text_align == 4);
  CHECK(profile_for(*gnu, Machine::x86, elf, 32).kept_temporaries_last);
  CHECK(!profile_for(*gnu, Machine::arm, elf, 32).kept_temporaries_last);
  // Windows on ARM is unknown to GNU as: its language, LLVM's object.
  const Profile& mixed = profile_for(*gnu, Machine::aarch64, coff, 64);
  CHECK(mixed.scrubs_macros);
  CHECK(!mixed.gnu_target);
  CHECK(mixed.coff_functions_relocate);
}
