// SPDX-License-Identifier: Apache-2.0
// Directives of the instruction set: which encoding, which syntax, instructions as numbers, names of registers.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "targets/arm/arm.h"
#include "targets/nearest_name.h"

namespace xas::arm {

using namespace text;

namespace {

enum Verb {
  verb_inst,
  verb_inst_n,
  verb_inst_w,
  verb_ltorg,
  verb_unreq,
  verb_thumb,
  verb_arm,
  verb_code,
  verb_syntax,
  verb_arch,
  verb_cpu,
  verb_fpu,
  verb_extension,
  verb_object_arch,
  verb_tls_call,
  verb_half,
  verb_thumb_func,
  verb_none
};

constexpr struct {
  std::string_view name;
  Verb verb;
} verbs[] = {{".inst", verb_inst}, {".inst.n", verb_inst_n}, {".inst.w", verb_inst_w}, {".ltorg", verb_ltorg},
             {".pool", verb_ltorg}, {".unreq", verb_unreq}, {".thumb", verb_thumb}, {".arm", verb_arm},
             {".code", verb_code}, {".syntax", verb_syntax}, {".arch", verb_arch}, {".cpu", verb_cpu},
             {".fpu", verb_fpu}, {".force_thumb", verb_thumb},
             {".arch_extension", verb_extension}, {".object_arch", verb_object_arch}, {".tlsdescseq", verb_tls_call},
             {".float16_format", verb_half}, {".thumb_func", verb_thumb_func}};

}  // namespace

void offer_directives(NearestName& nearest) {
  for (const auto& verb : verbs) nearest.offer(verb.name);
}

/// .inst[.n|.w] number [, number]...
void ArmTarget::inst(const char*& p, unsigned width, Emitter& out) {
  for (;;) {
    p = skip_blanks(p);
    const char* at = p;
    Value v;
    i64 word;
    if (!out.expression(p, v)) return;
    if (!out.known_constant(v, word)) return out.error(at, ".inst needs a number that is known here");
    const i64 lowest = width == 2 ? -0x8000 : -0x80000000ll;
    if (word < 0 && word >= lowest) word = width == 2 ? u16(word) : u32(word);
    if (word < 0 || word > 0xFFFFFFFFll)
      return out.error(at, fmt::format("{} does not fit in an instruction of 32 bits", word));
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
  if (!has_mode(thumb) && (!options_.gnu || thumb != thumb_)) {
    out.error(where, lacks_mode(thumb));
    if (!options_.gnu) return;
  }
  it_ = {};
  thumb_ = thumb;
  const bool changed = marks_thumb_ != thumb;
  marks_thumb_ = thumb;
  // LLVM aligns where .arm and .thumb stand, but not where .code does.
  if (changed || (log2_align && !options_.gnu)) out.mode_selected(changed, options_.gnu ? 0 : log2_align);
}

bool ArmTarget::directive(Name name, const char*& p, Emitter& out) {
  Verb verb = verb_none;
  for (const auto& v : verbs)
    if (equals_ignoring_case(name.text(), v.name)) verb = v.verb;
  // Compilers say before each function which instructions it has.
  const auto mode = [this] { return std::tuple(thumb_, marks_thumb_, unified_, divided_); };
  const auto before = mode();
  enter(out.block);
  std::string error;
  const char* at = p;
  switch (verb) {
    case verb_none: return false;
    case verb_inst: inst(p, 0, out); break;
    case verb_inst_n: inst(p, 2, out); break;
    case verb_inst_w: inst(p, 4, out); break;
    case verb_ltorg: out.flush_literals(); break;
    case verb_unreq: text::unbind_register(rest(p, at_operands_end), read_register, options_.gnu, at, out); break;
    case verb_thumb: set_thumb(true, at, out, 1); break;
    case verb_arm:
      if (options_.format == ObjectFormat::coff) out.error(at, "Windows has Thumb code only");
      else set_thumb(false, at, out, 2);
      break;
    case verb_code: {
      const std::string_view bits = rest(p, at_operands_end);
      if (bits != "16" && bits != "32") {
        out.error(at, ".code must be followed by 16 or 32");
      } else if (bits == "32" && options_.format == ObjectFormat::coff) {
        out.error(at, "Windows has Thumb code only");
      } else {
        set_thumb(bits == "16", at, out);
      }
      break;
    }
    case verb_syntax: {
      const std::string_view which = rest(p, at_operands_end);
      if (equals_ignoring_case(which, "unified")) divided_ = false, unified_ = true;
      else if (equals_ignoring_case(which, "divided")) divided_ = true, unified_ = false;
      else out.error(at, ".syntax must be followed by unified or divided");
      break;
    }
    case verb_arch:
    case verb_cpu:
    case verb_object_arch: {
      const std::string_view text = rest(p, at_operands_end);
      // What the object says it is for does not change what may be used.
      const bool gated = gated_, nops = has_nops_, selected = selected_;
      const FeatureSet features = features_, unit = processor_unit_;
      processor_unit_.reset();
      if (!set_arch(text, verb == verb_cpu, error)) {
        out.error(at, error);
      } else if (verb == verb_object_arch) {
        attributes_.object_arch = text;
      } else {
        (verb == verb_cpu ? attributes_.cpu : attributes_.arch) = text;
        attributes_.cpu_is_last = verb == verb_cpu;
        attributes_.fpu_is_last = false;
      }
      if (verb == verb_object_arch) {
        object_is_old_ = !selects("v5t");
        gated_ = gated, has_nops_ = nops, selected_ = selected, features_ = features;
        processor_unit_ = unit;
        features_changed();
      } else if (!options_.gnu && !has_mode(thumb_)) {
        set_thumb(!thumb_, at, out);
      }
      break;
    }
    case verb_fpu: {
      const std::string_view text = rest(p, at_operands_end);
      processor_unit_.reset();
      if (set_fpu(text)) {
        attributes_.fpu = text;
        attributes_.fpu_is_last = true;
      } else {
        const std::string lower = text::lower(text);
        NearestName nearest(lower);
        offer_fpus(nearest);
        out.error(at, fmt::format("unknown floating-point unit '{}'{}", text, nearest.question()));
      }
      break;
    }
    case verb_extension: {
      const std::string_view text = rest(p, at_operands_end);
      attributes_.fpu_is_last = false;
      if (!set_extension(text, error)) out.error(at, error);
      break;
    }
    case verb_thumb_func:  // it selects Thumb as well
      if (!marks_thumb_) set_thumb(true, at, out);
      if (!at_operands_end(skip_blanks(p))) out.error(skip_blanks(p), ".thumb_func has no operand");
      else next_is_thumb_ = true;
      break;
    case verb_half: {
      const std::string_view format = rest(p, at_operands_end);
      if (format != "ieee" && format != "alternative")
        out.error(at, "expected ieee or alternative");
      else if (has_half_format())
        out.warning(at, "the format has been chosen before, and stays that");
      else
        set_half_format(format == "alternative");
      break;
    }
    case verb_tls_call: {
      Value v;
      if (!out.expression(p, v) || !out.start_instruction()) break;
      if (options_.gnu) v.modifier = mod_tlsdescseq;  // the symbol is thread-local
      out.fixup({.kind = thumb_ ? fixup_thumb_tls_call : fixup_tls_call, .at = 0}, v, at);
      break;
    }
  }
  const bool chooses_mode = verb == verb_thumb || verb == verb_arm || verb == verb_code || verb == verb_syntax ||
                            verb == verb_thumb_func;
  out.block = block();
  const bool is_number = verb == verb_inst || verb == verb_inst_n || verb == verb_inst_w;
  keeps_meanings_ = is_number || (chooses_mode && mode() == before);
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
  const char* at = q;
  if (!read_any_register(q, r, out)) {
    out.error(at, fmt::format("expected a register behind {}", word.substr(0, length)));
    p = q;
    return true;
  }
  p = q;
  text::bind_register(name.text(), r.packed(), name.p, out);
  return true;
}

}  // namespace xas::arm
