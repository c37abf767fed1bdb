// SPDX-License-Identifier: Apache-2.0
// Directives of the instruction set: which encoding, which syntax, instructions as numbers, names of registers.
#include <fmt/format.h>

#include <tuple>

#include "targets/arm/arm.h"
#include "targets/nearest_name.h"

namespace xas::arm {

using namespace text;

/// .inst[.n|.w] number [, number]...
void ArmTarget::directive_inst(const char*& p, unsigned width, Emitter& out) {
  keeps_meanings_ = true;
  for (;;) {
    const char* const at = p = skip_blanks(p);
    i64 word;
    if (!atoms::read_instruction_number(p, width == 2 ? -0x8000 : -0x80000000ll, word, out)) return;
    if (word < 0) word = width == 2 ? u16(word) : u32(word);
    unsigned size = thumb_ ? width : 4;
    if (thumb_ && size == 0) {
      if (word <= 0xFFFF && word < 0xE800) size = 2;
      else if (word >= 0xE8000000ll) size = 4;
      else return out.error(at, "the width of this instruction can't be told; .inst.n and .inst.w say it");
    }
    if (size == 2 && word > 0xFFFF)
      return out.error(at, fmt::format("{} does not fit in an instruction of 16 bits", word));
    if (!thumb_ && width) return out.error(at, ".inst.n and .inst.w are for Thumb");
    if (!out.start_instruction()) return;
    out.advance(write(u32(word), size == 2, out.out));
    leave_it();
    leave_vpt();
    p = skip_blanks(p);
    if (*p != ',') return;
    ++p;
  }
}

void ArmTarget::set_thumb(bool thumb, const char* where, Emitter& out, unsigned log2_align) {
  if (!processor_.has_mode(thumb) && (!options_.gnu || thumb != thumb_)) {
    out.error(where, Processor::lacks_mode(thumb));
    if (!options_.gnu) return;
  }
  blocks_.it = {};
  thumb_ = thumb;
  const bool changed = marks_.thumb != thumb;
  marks_.thumb = thumb;
  // LLVM aligns where .arm and .thumb stand, but not where .code does.
  if (changed || (log2_align && !options_.gnu)) out.mode_selected(changed, options_.gnu ? 0 : log2_align);
}

void ArmTarget::directive_ltorg(const char*&, unsigned, Emitter& out) { out.flush_literals(); }

void ArmTarget::directive_unreq(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  text::unbind_register(rest(p, at_operands_end), read_register, options_.gnu, at, out);
}

void ArmTarget::directive_thumb(const char*& p, unsigned, Emitter& out) {
  keeps_meanings_ = true;
  set_thumb(true, p, out, 1);
}

void ArmTarget::directive_arm(const char*& p, unsigned, Emitter& out) {
  keeps_meanings_ = true;
  if (options_.format == ObjectFormat::coff) out.error(p, "Windows has Thumb code only");
  else set_thumb(false, p, out, 2);
}

/// .code 16, .code 32
void ArmTarget::directive_code(const char*& p, unsigned, Emitter& out) {
  keeps_meanings_ = true;
  const char* at = p;
  const std::string_view bits = rest(p, at_operands_end);
  if (bits != "16" && bits != "32") {
    out.error(at, ".code must be followed by 16 or 32");
  } else if (bits == "32" && options_.format == ObjectFormat::coff) {
    out.error(at, "Windows has Thumb code only");
  } else {
    set_thumb(bits == "16", at, out);
  }
}

void ArmTarget::directive_syntax(const char*& p, unsigned, Emitter& out) {
  keeps_meanings_ = true;
  const char* at = p;
  const std::string_view which = rest(p, at_operands_end);
  if (equals_ignoring_case(which, "unified")) syntax_.divided = false, syntax_.unified = true;
  else if (equals_ignoring_case(which, "divided")) syntax_.divided = true, syntax_.unified = false;
  else out.error(at, ".syntax must be followed by unified or divided");
}

/// .arch name, .cpu name: what may be used from here on.
void ArmTarget::directive_arch(const char*& p, unsigned is_cpu, Emitter& out) {
  const char* at = p;
  const std::string_view text = rest(p, at_operands_end);
  std::string error;
  processor_.forget_unit();
  if (processor_.set_arch(text, is_cpu, error)) {
    (is_cpu ? attributes_.cpu : attributes_.arch) = text;
    attributes_.cpu_is_last = is_cpu;
    attributes_.fpu_is_last = false;
  } else {
    out.error(at, error);
  }
  if (!options_.gnu && !processor_.has_mode(thumb_)) set_thumb(!thumb_, at, out);
}

/// .object_arch name: what the object says it is for, which does not change what may be used.
void ArmTarget::directive_object_arch(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  const std::string_view text = rest(p, at_operands_end);
  std::string error;
  const Processor::State before = processor_.state();
  if (processor_.set_arch(text, false, error)) attributes_.object_arch = text;
  else out.error(at, error);
  object_is_old_ = !selects("v5t");
  processor_.restore(before);
}

void ArmTarget::directive_fpu(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  const std::string_view text = rest(p, at_operands_end);
  processor_.forget_unit();
  if (set_fpu(text, options_.gnu)) {
    attributes_.fpu = text;
    attributes_.fpu_is_last = true;
    return;
  }
  const std::string lower = text::lower(text);
  NearestName nearest(lower);
  processor_.offer_fpus(nearest);
  out.error(at, fmt::format("unknown floating-point unit '{}'{}", text, nearest.question()));
}

void ArmTarget::directive_arch_extension(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  const std::string_view text = rest(p, at_operands_end);
  std::string error;
  attributes_.fpu_is_last = false;
  processor_.restore_extensions();  // which .fpu has taken back
  if (!processor_.set_extension(text, error)) out.error(at, error);
}

/// The next label is a function in Thumb code, which is selected as well.
void ArmTarget::directive_thumb_func(const char*& p, unsigned, Emitter& out) {
  keeps_meanings_ = true;
  if (!marks_.thumb) set_thumb(true, p, out);
  if (!at_operands_end(skip_blanks(p))) out.error(skip_blanks(p), ".thumb_func has no operand");
  else marks_.next_is_thumb = true;
}

/// .float16_format ieee, .float16_format alternative
void ArmTarget::directive_float16_format(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  const std::string_view format = rest(p, at_operands_end);
  if (format != "ieee" && format != "alternative") out.error(at, "expected ieee or alternative");
  else if (has_half_format()) out.warning(at, "the format has been chosen before, and stays that");
  else set_half_format(format == "alternative");
}

/// .tlsdescseq symbol: a relocation at the next instruction
void ArmTarget::directive_tlsdescseq(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  Value v;
  if (!out.expression(p, v) || !out.start_fixup()) return;
  if (options_.gnu) v.modifier = mod_tlsdescseq;  // the symbol is thread-local
  out.fixup({.kind = thumb_ ? fixup_thumb_tls_call : fixup_tls_call, .at = 0}, v, at);
}

std::span<const DirectiveRow<ArmTarget>> ArmTarget::directives() {
  static constexpr DirectiveRow<ArmTarget> rows[] = {
      {".inst", &ArmTarget::directive_inst, 0},
      {".inst.n", &ArmTarget::directive_inst, 2},
      {".inst.w", &ArmTarget::directive_inst, 4},
      {".ltorg", &ArmTarget::directive_ltorg},
      {".pool", &ArmTarget::directive_ltorg},
      {".unreq", &ArmTarget::directive_unreq},
      {".thumb", &ArmTarget::directive_thumb},
      {".force_thumb", &ArmTarget::directive_thumb},
      {".arm", &ArmTarget::directive_arm},
      {".code", &ArmTarget::directive_code},
      {".syntax", &ArmTarget::directive_syntax},
      {".arch", &ArmTarget::directive_arch, false},
      {".cpu", &ArmTarget::directive_arch, true},
      {".fpu", &ArmTarget::directive_fpu},
      {".arch_extension", &ArmTarget::directive_arch_extension},
      {".object_arch", &ArmTarget::directive_object_arch},
      {".tlsdescseq", &ArmTarget::directive_tlsdescseq},
      {".float16_format", &ArmTarget::directive_float16_format},
      {".thumb_func", &ArmTarget::directive_thumb_func},
  };
  return rows;
}

bool ArmTarget::directive(Name name, const char*& p, Emitter& out) {
  const auto* const row = find_directive(directives(), name.text());
  if (!row) return false;
  // Compilers say before each function which instructions it has, mostly the same again.
  const auto mode = [this] { return std::tuple(thumb_, marks_.thumb, syntax_.unified, syntax_.divided); };
  const auto before = mode();
  keeps_meanings_ = false;
  enter(out.block);
  (this->*row->read)(p, row->argument, out);
  out.block = block();
  if (mode() != before) keeps_meanings_ = false;
  return true;
}

/// name .req register, name .dn d0, name .qn q0
bool ArmTarget::alias_statement(Name name, const char*& p, Emitter& out) {
  const char* q = skip_blanks(p);
  if (q[0] != '.') return false;
  const std::string_view word(q, 4);
  unsigned length = 0;
  if (equals_ignoring_case(word, ".req")) length = 4;
  else if (equals_ignoring_case(word.substr(0, 3), ".dn") || equals_ignoring_case(word.substr(0, 3), ".qn")) length = 3;
  if (length == 0 || (q[length] != ' ' && q[length] != '\t')) return false;
  q = skip_blanks(q + length);
  if (length == 3) {
    typed_alias(name, p = q, out);
    return true;
  }
  Register r;
  const auto read = [&](const char*& from, Register& to) { return read_any_register(from, to, out); };
  const std::string_view directive = word.substr(0, length);
  if (!atoms::read_named_register(q, p, directive, options_.gnu, r, read, at_operands_end, out)) return true;
  text::bind_register(name.text(), r.packed(), name.p, out);
  return true;
}

}  // namespace xas::arm
