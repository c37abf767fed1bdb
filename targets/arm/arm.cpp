// SPDX-License-Identifier: Apache-2.0
// The ARM target's facts: what does not change during an assembly, padding, and the initial frame rules.
#include "targets/arm/arm.h"

#include <cstring>

#include "objwriter/coff_constants.h"

namespace xas {

std::unique_ptr<Target> make_arm_target(const TargetOptions& options, OptionProblems& problems) {
  return std::make_unique<arm::ArmTarget>(options, problems);
}

namespace arm {

using namespace elf;

/// -meabi=gnu: what e_flags said before there was an EABI.
u32 ArmTarget::old_abi_flags() const {
  u32 flags = 0;
  bool maverick = false;
  for (const auto& [name, value] : options_.extra) {
    if (name == "mthumb-interwork") flags |= EF_ARM_INTERWORK;
    if (name == "mapcs-26") flags |= EF_ARM_APCS_26;
    if (name == "mapcs-float") flags |= EF_ARM_APCS_FLOAT;
    if (name == "mapcs-reentrant" || name == "k") flags |= EF_ARM_PIC;
    if (name == "mfloat-abi" && value != "hard") flags |= EF_ARM_SOFT_FLOAT;
    if (name == "mfpu") maverick = value == "maverick";
  }
  if (maverick) return flags | EF_ARM_MAVERICK_FLOAT;
  const bool vfp = chosen("vfp2sp"), fpa = chosen("fpa1");
  if (!vfp && !fpa) flags |= EF_ARM_SOFT_FLOAT;
  return fpa && !vfp ? flags : flags | EF_ARM_VFP_FLOAT;
}

static bool adds_attributes(const TargetOptions& options) {
  return std::ranges::any_of(options.extra, [](const auto& o) { return o.first == "arm-add-build-attributes"; });
}

ArmTarget::ArmTarget(const TargetOptions& options, OptionProblems& problems)
    : options_(options), thumb_(options.thumb) {
  info_.elf.flags = EF_ARM_EABI_VER5;
  foreign_rows_ = !options.gnu ? row_gnu | row_gnu_244 | row_gnu_247
                               : row_llvm | (options.gnu_before(244) ? row_gnu_244 : 0u) |
                                     (options.gnu_before(247) ? row_gnu_247 : 0u);
  const bool is_elf = options.format == ObjectFormat::elf;
  processor_.has_nops = !is_elf;
  syntax_.divided = options.gnu && is_elf;  // until .syntax unified
  choose_processor(problems);
  for (const auto& [name, value] : options.extra) read_option(name, value, problems.errors);
  if (!has_eabi()) info_.elf.flags = old_abi_flags();
  choose_mode();
  fill_info();
}

void ArmTarget::choose_processor(OptionProblems& problems) {
  std::string error;
  // To GNU as a processor counts more than an architecture.
  for (const bool is_cpu : {!options_.gnu, options_.gnu}) {
    const std::string& name = is_cpu ? options_.cpu : options_.arch;
    if (name.empty() || processor_.set_arch(name, is_cpu, error)) continue;
    is_cpu ? problems.unknown_processor(options_, error) : problems.errors.push_back(error);
    if (!is_cpu || options_.gnu) continue;
    options_.cpu.clear();
    processor_.set_arch(options_.thumb ? "armv4t" : "armv4", false, error);  // LLVM does not look at the triple then
  }
  if (adds_attributes(options_) && !processor_.is_gated() && !processor_.set_arch("generic", true, error))
    problems.errors.push_back(error);
  if (!options_.gnu && options_.format == ObjectFormat::elf && !processor_.is_gated()) processor_.prefer_triple();
}

/// The triple's architecture, which GNU as does not look at.
void ArmTarget::set_triple(std::string_view arch) {
  if (options_.gnu || !options_.cpu.empty()) return;
  const auto has = [arch](std::string_view part) { return arch.find(part) != arch.npos; };
  const bool newer = has("v6t2") || has("v7") || has("v8") || has("v9");
  processor_.has_nops = newer && !has("m.base");
  processor_.a32_hints = newer || has("v6k") || has("v6zk");
  processor_.t16_hints = newer || has("v6m") || has("v6-m") || has("v6sm") || has("v6s-m");
}

void ArmTarget::set_eabi(const std::string& version, std::vector<std::string>& errors) {
  if (version == "gnu") {
    info_.elf.flags = 0;  // those of the old ABI, when all options have been read
    info_.elf.os_abi = ELFOSABI_ARM;
  } else if (version == "4") {
    info_.elf.flags = EF_ARM_EABI_VER4;
  } else if (version != "5") {
    errors.push_back("-meabi=" + version + " is not available; 4, 5 and gnu are");
  }
}

void ArmTarget::read_option(std::string_view name, const std::string& value, std::vector<std::string>& errors) {
  if (name == "EL" || name == "mlittle-endian") {
    options_.big_endian = false;
  } else if (name == "EB" || name == "mbig-endian") {
    options_.big_endian = true;
  } else if (name == "architecture") {
    set_triple(value);
  } else if (name == "msvc") {
    info_.names.dot_l_temporary = false;
    info_.names.dollar_m_temporary = true;
  } else if (name == "android") {
    info_.elf.marks_routines = options_.gnu;
  } else if (name == "fix-v4bx") {
    switches_.fix_v4bx = true;
  } else if (name == "fdpic") {
    switches_.fdpic = true;
    info_.elf.os_abi = ELFOSABI_ARM_FDPIC;
  } else if (name == "mccs") {
    info_.syntax.labels_begin_lines = true;
  } else if (name == "mthumb-interwork") {
    switches_.interwork = true;
  } else if (name == "mthumb") {
    thumb_ = true;
  } else if (name == "mimplicit-it" || name == "arm-implicit-it") {
    if (value != "always" && value != "never" && value != "arm" && value != "thumb")
      errors.push_back("-mimplicit-it must be always, never, arm or thumb");
    switches_.implicit_thumb = value == "always" || value == "thumb";
    switches_.implicit_arm = value == "always" || value == "arm";
  } else if (name == "meabi") {
    set_eabi(value, errors);
  } else if (name == "mfp16-format") {
    if (value != "ieee" && value != "alternative") errors.push_back("-mfp16-format must be ieee or alternative");
  } else if (name == "mfloat-abi") {
    if (value != "hard" && value != "soft" && value != "softfp")
      errors.push_back("-mfloat-abi must be hard, soft or softfp");
  } else if (name == "arm-add-build-attributes") {
    // In choose_processor and choose_mode.
  } else if (name == "mattr") {
    set_attributes(value);
  } else if (name == "mfpu") {
    if (!set_fpu(value, false)) errors.push_back("unknown floating-point unit '" + value + "'");
  } else if (name.starts_with("mapcs-") || name == "mwarn-syms" || name == "mno-warn-syms" ||
             name == "mwarn-restrict-it" || name == "mno-warn-restrict-it" || name == "k" ||
             name == "no-deprecated-warn" || name == "mwarn-deprecated" || name == "mno-warn-deprecated") {
    // What is deprecated is not told.
  } else {
    errors.push_back("option '-" + std::string(name) + (value.empty() ? "" : "=" + value) +
                     "' is not available for ARM");
  }
}

/// ARM or Thumb at first, when all features are known.
void ArmTarget::choose_mode() {
  if (!options_.gnu && options_.cpu.empty() && processor_.is_gated()) {
    // What -mattr= has brought.
    processor_.a32_hints |= chosen("v6k");
    processor_.t16_hints |= chosen("v6m");
    processor_.has_nops |= chosen("v6t2");
  }
  if (adds_attributes(options_)) add_processor_attributes();
  if (options_.gnu && options_.format != ObjectFormat::elf) thumb_ = true;  // Windows has nothing else
  if (!options_.gnu && !thumb_ && Processor::is_mprofile(options_)) thumb_ = true;
  if (!processor_.has_mode(thumb_)) {
    if (!options_.gnu && options_.thumb) {
      std::string error;
      processor_.set_extension("v4t", error, true);  // LLVM: the triple's mode, whether the processor has it or not
    } else {
      thumb_ = !thumb_;
      if (options_.gnu && thumb_) info_.code.text_log2 = 1;
    }
  }
  marks_.thumb = options_.gnu ? thumb_ : options_.thumb;
}

void ArmTarget::fill_info() {
  const bool is_elf = options_.format == ObjectFormat::elf;
  info_.name = options_.big_endian ? "armeb" : "arm";
  info_.address_size = 4;
  info_.big_endian = options_.big_endian;
  info_.syntax.word_size = 4;
  info_.syntax.align_is_log2 = true;
  info_.syntax.align_alone_log2 = 2;
  info_.syntax.comment = "@";
  if (info_.syntax.labels_begin_lines) {
    info_.syntax.comment = ";";
    info_.syntax.separator = '\n';  // there is none
  }
  info_.syntax.line_comment = '#';
  info_.syntax.operand_start = "[]{}";
  info_.syntax.arm_directives = true;
  info_.syntax.paren_modifiers = true;
  info_.elf.machine = EM_ARM;
  info_.elf.is_64 = false;
  info_.elf.rela = false;
  info_.elf.all_section_symbols = options_.gnu;
  info_.elf.merge_keeps_symbols = is_elf;
  info_.elf.execute_only = SHF_ARM_PURECODE;
  if (is_elf) {
    info_.elf.attributes_section = ".ARM.attributes";
    info_.elf.attributes_type = SHT_ARM_ATTRIBUTES;
    info_.elf.attributes_vendor = "aeabi";
  }
  info_.coff.machine = is_elf ? 0 : coff::IMAGE_FILE_MACHINE_ARMNT;
  info_.labels.watched = true;
  info_.labels.thumb = is_elf;
  if (options_.gnu && is_elf) info_.labels.data_names = DataNames::not_listed;
  info_.relocations.by_function = true;
  info_.relocations.data_keeps_symbol = is_elf;
  info_.relocations.marks_addends = true;
  info_.mapping.symbols = is_elf;
  info_.mapping.late_first_data = is_elf;
  info_.mapping.fills_are_data = is_elf;
  info_.mapping.fixups_are_data = is_elf;
  info_.mapping.after_operands = is_elf;
  info_.code.min_instruction = options_.gnu ? 2 : 1;
  info_.code.padded_at_end = is_elf;
  info_.code.branches_stay = true;
  info_.code.branches_settle = is_elf && options_.gnu;
  info_.code.late_alignments = options_.gnu && is_elf;  // so that no-ops are those of the processor selected last
  info_.literals.are_words = is_elf;
  info_.literals.begin_lines = is_elf;
  info_.lines.words = true;
  info_.lines.branch_letter = 'b';
}

Target::FragmentSizes ArmTarget::fragment_sizes() const {
  if (!options_.gnu) return {};
  FragmentSizes sizes{.header = 128, .branch_room = 4, .max_padding_room = 63};
  if (options_.gnu_since(247)) sizes.header = 120, sizes.max_padding_room = 7;
  return sizes;
}

unsigned ArmTarget::written_pieces(const u8* code, u64 left, u8 (&sizes)[max_written_pieces]) const {
  constexpr u8 first_wide = 0xE8;  // of the first halfword's high byte
  const bool is_wide = !thumb_ || (left >= 2 && code[info_.big_endian ? 0 : 1] >= first_wide);
  sizes[0] = is_wide ? 4 : 2;
  return 1;
}

/// No-ops proper came with ARMv6T2 (GNU as: ARMv6K, ARMv6-M); before it, a register is moved to itself. GNU as goes by
/// the processor that is selected last, for it fills gaps at the end; LLVM by the one selected at the gap. What does
/// not divide is zeros, which GNU as puts first. In Thumb-2 code it takes wide no-ops behind at most one narrow one. Of
/// what is longer than it keeps room for, whole rooms are zeros, before 2.47.
void ArmTarget::write_nops(u8* out, const NopRequest& request) const {
  constexpr u64 gnu_room = 64;
  const u64 zeros = request.gnu && options_.gnu_before(247) ? request.size / gnu_room * gnu_room : 0;
  const u64 size = request.size - zeros;
  std::memset(out + size, 0, zeros);
  const u16 style = request.style ? request.style : nop_style();
  const bool thumb = style & thumb_nops;
  const u64 unit = thumb ? 2 : 4;
  const u64 odd = size % unit;
  if (request.gnu) {
    for (u64 i = 0; i < odd; ++i) *out++ = 0;
  }
  const bool wide = request.gnu && thumb && selects("v6t2");
  const bool proper = !request.gnu ? (style & proper_nops) != 0 : thumb ? wide : processor_.has_nops;
  const u32 nop = thumb ? proper ? 0xBF00 : 0x46C0 : proper ? 0xE320F000 : 0xE1A00000;
  u64 left = size - odd;
  const auto put = [&](u32 word, unsigned bytes) {
    for (unsigned i = 0; i < bytes; ++i) out[options_.big_endian ? bytes - 1 - i : i] = u8(word >> (8 * i));
    out += bytes;
    left -= bytes;
  };
  if (wide && left % 4) put(nop, 2);
  while (left) {
    if (wide) {
      put(0xF3AF, 2);
      put(0x8000, 2);
    } else {
      put(nop, unsigned(unit));
    }
  }
  if (!request.gnu) {
    for (u64 i = 0; i < odd; ++i) *out++ = odd == 3 && i == 2 ? 0xA0 : 0;
  }
}

Target::CfiDefaults ArmTarget::cfi_defaults() const {
  return {u8(options_.gnu ? 2 : 1), -4, 14, 13, 0, false, 0};
}

}  // namespace arm
}  // namespace xas
