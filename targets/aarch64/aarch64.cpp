// SPDX-License-Identifier: Apache-2.0
// The AArch64 target's facts: what does not change during an assembly, padding, and the initial frame rules.
#include "targets/aarch64/aarch64.h"

#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "targets/property_note.h"

namespace xas {

std::unique_ptr<Target> make_aarch64_target(const TargetOptions& options, OptionProblems& problems) {
  return std::make_unique<aarch64::AArch64Target>(options, problems);
}

namespace aarch64 {

AArch64Target::AArch64Target(const TargetOptions& options, OptionProblems& problems) : options_(options) {
  info_.coff.machine = coff::IMAGE_FILE_MACHINE_ARM64;
  checks_system_registers_ = !options.gnu_since(247);
  lfi_.on = options.lfi;
  all_features();
  std::string error;
  // To GNU as a processor counts more than an architecture.
  for (const bool is_cpu : {!options.gnu, options.gnu}) {
    const std::string& name = is_cpu ? options.cpu : options.arch;
    if (name.empty() || set_arch(name, is_cpu, error)) continue;
    is_cpu ? problems.unknown_processor(options, error) : problems.errors.push_back(error);
  }
  for (const auto& [name, value] : options.extra) read_option(name, value, problems.errors);
  fill_info();
}

void AArch64Target::read_option(std::string_view name, const std::string& value, std::vector<std::string>& errors) {
  if (name == "EL" || name == "mlittle-endian") {
    options_.big_endian = false;
  } else if (name == "EB" || name == "mbig-endian") {
    options_.big_endian = true;
  } else if (name == "mabi" && value == "ilp32") {
    options_.x32 = true;
  } else if (name == "mattr") {
    set_attributes(value);
  } else if (name == "aarch64-mark-bti-property" && !is_coff()) {
    marks_bti_ = true;
  } else if (name == "menable-sysreg-checking") {
    checks_system_registers_ = true;
  } else if (name == "lfi-guard-elim") {
    lfi_.shares_guards = value.empty() || value == "1" || value == "true";
  } else if (name == "arm64ec") {
    info_.coff.machine = coff::IMAGE_FILE_MACHINE_ARM64EC;
  } else {
    errors.push_back("option '-" + std::string(name) + (value.empty() ? "" : "=" + value) +
                     "' is not available for AArch64");
  }
}

void AArch64Target::fill_info() {
  info_.name = options_.big_endian ? "aarch64_be" : "aarch64";
  info_.address_size = options_.x32 ? 4 : 8;
  info_.big_endian = options_.big_endian;
  info_.syntax.word_size = 4;
  info_.syntax.align_is_log2 = true;
  info_.syntax.comment = "//";
  info_.syntax.line_comment = '#';
  info_.syntax.percent_modifiers = (options_.llvm_since(23) || options_.gnu_since(247)) && !is_coff();
  info_.syntax.at_modifiers = !options_.llvm_since(23) || is_coff();
  info_.names.wide = is_coff();
  info_.elf.machine = elf::EM_AARCH64;
  info_.elf.is_64 = !options_.x32;
  info_.elf.rela = !is_coff();
  info_.elf.all_section_symbols = options_.gnu;
  info_.elf.execute_only = elf::SHF_AARCH64_PURECODE;
  info_.coff.offset_labels = true;
  info_.relocations.subtracts_twice = options_.gnu;
  info_.relocations.data_keeps_symbol = names_functions();
  info_.labels.watched = options_.lfi;
  info_.mapping.symbols = !is_coff();
  info_.code.min_instruction = options_.gnu ? 4 : 1;
  info_.code.section_log2 = 2;
  info_.code.aligned_behind_data = true;
  info_.literals.are_reused = true;
  info_.sframe = {.abi = info_.big_endian ? SFRAME_ABI_AARCH64_ENDIAN_BIG : SFRAME_ABI_AARCH64_ENDIAN_LITTLE,
                  .signs_return = true, .stack = 31, .frame = 29, .return_address = 30};
  info_.lines.words = true;
  info_.lines.branch_letter = 'b';
}

Target::AbiNote AArch64Target::abi_note() const {
  if (!lfi_.on) return {};
  return {.section = ".note.LFI.ABI.aarch64", .owner = "LFI", .description = "aarch64"};
}

Target::FragmentSizes AArch64Target::fragment_sizes() const {
  if (!options_.gnu) return {};
  return {.header = u16(options_.gnu_since(247) ? 120 : 128), .max_padding_room = 7};
}

unsigned AArch64Target::written_pieces(const u8*, u64, u8 (&sizes)[max_written_pieces]) const {
  sizes[0] = 4;
  return 1;
}

void AArch64Target::write_nops(u8* out, const NopRequest& request) const {
  constexpr u8 nop[] = {0x1F, 0x20, 0x03, 0xD5};
  const u64 odd = request.size & 3;
  for (u64 i = 0; i < odd; ++i) out[i] = 0;
  for (u64 i = odd; i < request.size; ++i) out[i] = nop[(i - odd) & 3];
}

std::string AArch64Target::property_note() const {
  if (!marks_bti_) return {};
  constexpr u32 GNU_PROPERTY_AARCH64_FEATURE_1_AND = 0xC0000000, BTI = 1;
  return gnu_property_note({{GNU_PROPERTY_AARCH64_FEATURE_1_AND, BTI}}, 8, info_.big_endian);
}

Target::CfiDefaults AArch64Target::cfi_defaults() const {
  return {u8(options_.gnu ? 4 : 1), i8(options_.gnu ? -8 : -4), 30, 31, 0, false, 0};
}

}  // namespace aarch64
}  // namespace xas
