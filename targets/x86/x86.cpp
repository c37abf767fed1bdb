// SPDX-License-Identifier: Apache-2.0
// The x86 target's facts, and the way of one instruction through parsing, matching and encoding.
#include "targets/x86/x86.h"

#include <algorithm>
#include <iterator>

#include "objwriter/coff_constants.h"
#include "objwriter/elf_constants.h"
#include "targets/x86/shapes.h"
#include "targets/x86/tables.h"

namespace xas {

std::unique_ptr<Target> make_x86_target(const TargetOptions& options, OptionProblems& problems) {
  return std::make_unique<x86::X86Target>(options, problems);
}

namespace x86 {

X86Target::X86Target(const TargetOptions& options, OptionProblems& problems) : options_(options) {
  const bool wide = options.bits == 64;
  info_.name = wide ? "x86_64" : "i386";
  info_.address_size = wide && !options.x32 ? 8 : 4;
  info_.syntax.comment = "#";
  info_.syntax.registers_are_values = true;
  info_.syntax.slash_line_comment = true;
  info_.syntax.extended_size = 10;
  info_.syntax.operand_start = options.gnu_before(244) ? "*%-([{}" : "*%-([";
  info_.elf.machine = wide ? elf::EM_X86_64 : elf::EM_386;
  info_.elf.is_64 = wide && !options.x32;
  info_.elf.rela = wide;
  info_.elf.merge_keeps_symbols = wide;
  info_.relocations.marks_addends = !wide;
  info_.relocations.words_wrap = !wide;
  info_.code.fixed_opcode = 1;
  if (info_.elf.is_64) {
    info_.sframe = {.abi = SFRAME_ABI_AMD64_ENDIAN_LITTLE, .stack = 7, .frame = 6, .return_address = 16,
                    .fixed_return = -8, .flexible = true};
  }
  info_.names.dot_x_temporary = options.gnu && !wide && options.format != ObjectFormat::coff;
  info_.names.at_sign = !options.gnu && options.format != ObjectFormat::coff;
  info_.labels.operands_list = options.gnu;
  // In 64-bit code, no relocation names what branches do.
  info_.labels.branches_list = options.gnu_before(244) && !wide;
  info_.coff.machine = wide ? coff::IMAGE_FILE_MACHINE_AMD64 : coff::IMAGE_FILE_MACHINE_I386;
  info_.lines.branch_letter = 'j';
  info_.lines.registers = &grouped_registers;
  if (options.format == ObjectFormat::coff) {
    info_.elf.rela = false;
    info_.names.wide = true;
    // C symbols of 32-bit Windows begin with '_', so compilers need no dot in front of their own labels; GNU as makes
    // no difference for 64 bits.
    info_.names.plain_l_temporary = !wide || options.gnu;
    info_.names.dot_l_temporary = wide || options.gnu;
  }
  intel_ = options.intel_syntax;
  set_mode(options.bits);
  naked_registers_ = options.naked_registers || (intel_ && !options.gnu);
  for (u64& word : features_.word) word = ~u64(0);
  std::string error;
  if (!options.cpu.empty() && !set_cpu(options.cpu, error)) problems.unknown_processor(options, error);
  if (!options.arch.empty() && !set_arch(options.arch, error))
    problems.errors.push_back(error);
  else if (!options.arch.empty() && options.gnu && options.bits == 64 && !has_long_mode())
    problems.errors.push_back("'" + options.arch + "' has no 64-bit code; --32 selects 32-bit code");
  if (!options.tune.empty() && !set_tune(options.tune))
    problems.errors.push_back("unknown processor '" + options.tune + "' for -mtune");
  if (!wide && options.arch.starts_with("iamcu")) {
    info_.elf.machine = em_iamcu;
    if (options.gnu_since(247)) problems.errors.push_back("there are no objects for Intel MCU from GNU as 2.47 on");
  }
  x86_options_.lfi = options.lfi;
  x86_options_.any = options.optimize != 0 || options.frame_steps || options.lfi;
  // Options that would change the object are refused; these change at most what is warned of.
  constexpr std::string_view harmless[] = {"k", "q", "mattr", "mcu"};
  for (const auto& [name, value] : options.extra) {
    if (name == "mattr") set_attributes(value);
    if (name == "mcu") info_.elf.machine = em_iamcu;
    if (set_option(name, value)) continue;
    if (std::ranges::find(harmless, name) != std::end(harmless)) continue;
    const std::string text = value.empty() ? name : name + "=" + value;
    problems.errors.push_back("option '-" + text + "' is not available with this value");
  }
  const bool fences = x86_options_.before_branch != BeforeBranch::none || x86_options_.before_ret != BeforeRet::none;
  info_.mapping.notes_data = options.gnu && (options.gnu_since(244) || fences);
  info_.mapping.notes_subsections = options.gnu_since(244);
  info_.code.single_bundle_nops = options.gnu_before(247);
  info_.code.paddings_stay_open = options.gnu;
}

Target::AbiNote X86Target::abi_note() const {
  if (!options_.lfi) return {};
  return {.section = ".note.LFI.ABI.x86_64", .owner = "LFI", .description = "x86_64"};
}

void X86Target::set_mode(unsigned bits, bool gcc16) {
  mode_ = bits;
  // GNU as decides at the end: no-ops are those of 16 bits if and only if the text ends in 16-bit code.
  if (bits == 16 && options_.gnu) info_.code.late_nops = true;
  gcc16_ = gcc16;
  row_needs_ = mode_bit() | (options_.gnu ? row_gnu : row_llvm) | (intel_ ? row_intel : row_att);
  info_.syntax.numbers_have_names = intel_ && options_.gnu;
  info_.labels.data_names = intel_ && options_.gnu_before(247) ? DataNames::operands : DataNames::listed;
  ignored_.vex_sizing_w = mode_ == 64 ? 0 : ignored_.vex_wig;
  ignored_.evex_sizing_w = mode_ == 64 ? 0 : ignored_.evex_wig;
  is_foreign_ = (bits == 64) != (options_.bits == 64);
  native_regs_ = bits == 64 ? AddressRegs::r64 : bits == 32 ? AddressRegs::r32 : AddressRegs::r16;
  update_registers();
}

bool X86Target::instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  if (intel_) [[unlikely]] return intel_instruction(mnemonic, p, out);
  fields_ = {};
  Statement s;
  s.where = mnemonic.p;
  const Spelling* spelling = mnemonic.size ? find_spelling(mnemonic.text(), mnemonic.hash) : nullptr;
  if (spelling) [[likely]] {
    s.mnemonic = mnemonic.text();
  } else {
    bool done = false;
    spelling = slow_spelling(mnemonic, p, s, out, done);
    if (!spelling) return done;
  }
  s.spelling = spelling;
  if (*p == ',') [[unlikely]] branch_hint(p, s);
  if (!parse_operands(p, s, out)) return true;
  const Row* row = match(*spelling, s, out);
  if (row) finish_instruction(*row, s, out);
  return true;
}

void X86Target::finish_instruction(const Row& row, Statement& s, Emitter& out) {
  if ((s.prefixes & meant_prefixes) && !can_have_prefixes(row, s, out)) [[unlikely]] return;
  if (x86_options_.any) [[unlikely]] return instruction_with_options(row, s, out);
  if (row.flags & row_grows)
    branch(row, s, out);
  else
    encode(row, s, out);
}

}  // namespace x86
}  // namespace xas
