// The x86 target's facts, and the way of one instruction through parsing, matching and encoding.
#include "targets/x86/x86.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "targets/x86/tables.h"

namespace xas {

std::unique_ptr<Target> make_x86_target(const TargetOptions& options, std::vector<std::string>& errors) {
  return std::make_unique<x86::X86Target>(options, errors);
}

namespace x86 {

X86Target::X86Target(const TargetOptions& options, std::vector<std::string>& errors) : options_(options) {
  const bool wide = options.bits == 64;
  info_.name = wide ? "x86_64" : "i386";
  info_.address_size = wide && !options.x32 ? 8 : 4;
  info_.comment = "#";
  info_.registers_are_values = true;
  info_.slash_line_comment = true;
  info_.extended_size = 10;
  info_.operand_start = "*%-([{}";
  info_.elf_machine = wide ? 62 : 3;
  info_.elf64 = wide && !options.x32;
  info_.rela = wide;
  info_.marks_addends = !wide;
  info_.operands_list_labels = options.gnu;
  info_.branches_list_labels = options.gnu && !wide;  // in 64-bit code, no relocation names what they do
  info_.coff_machine = wide ? 0x8664 : 0x14C;
  if (options.format == ObjectFormat::coff) {
    info_.rela = false;
    info_.wide_names = true;
    // C symbols of 32-bit Windows begin with '_', so compilers need no dot in front of their own labels; GNU as makes
    // no difference for 64 bits.
    info_.plain_l_temporary = !wide || options.gnu;
    info_.dot_l_temporary = wide || options.gnu;
  }
  intel_ = options.intel_syntax;
  set_mode(options.bits);
  naked_registers_ = options.naked_registers || (intel_ && !options.gnu);
  for (u64& word : features_.word) word = ~u64(0);
  for (const std::string& text : {options.cpu, options.arch}) {
    std::string error;
    if (!text.empty() && !set_arch(text, error)) errors.push_back(error);
  }
  if (!options.tune.empty() && !set_tune(options.tune))
    errors.push_back("unknown processor '" + options.tune + "' for -mtune");
  if (!wide && options.arch.starts_with("iamcu")) info_.elf_machine = 6;  // EM_IAMCU
  tweaks_.any = options.optimize != 0;
  // Options that would change the object are refused; these change at most what is warned of.
  constexpr std::string_view harmless[] = {"q", "mattr"};
  for (const auto& [name, value] : options.extra) {
    if (name == "mattr") set_attributes(value);
    if (set_tweak(name, value)) continue;
    if (std::ranges::find(harmless, name) != std::end(harmless)) continue;
    errors.push_back("option '-" + name + (value.empty() ? "" : "=" + value) + "' is not available with this value");
  }
}

void X86Target::set_mode(unsigned bits, bool gcc16) {
  mode_ = bits;
  // GNU as decides at the end: no-ops are those of 16 bits if and only if the text ends in 16-bit code.
  if (bits == 16 && options_.gnu) info_.late_nops = true;
  gcc16_ = gcc16;
  row_needs_ = mode_bit() | (options_.gnu ? row_gnu : row_llvm) | (intel_ ? row_intel : row_att);
  native_regs_ = bits == 64 ? AddressRegs::r64 : bits == 32 ? AddressRegs::r32 : AddressRegs::r16;
  bad_registers_ = u8(reg_cfi_only | (bits == 64 ? 0 : reg_only64));
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
  if ((s.prefixes & prefix_lock) && !((row.flags & row_lock) && s.memory >= 0 && row.encoding == encoding_legacy))
    out.warning(s.where, fmt::format("`lock` before `{}`, which cannot be locked with these operands", s.mnemonic));
  if (tweaks_.any) [[unlikely]] return tweaked_instruction(row, s, out);
  if (row.flags & row_grows)
    branch(row, s, out);
  else
    encode(row, s, out);
}

}  // namespace x86
}  // namespace xas
