// SPDX-License-Identifier: Apache-2.0
// Directives that only AArch64 has, and `name .req register`.
#include <fmt/format.h>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/nearest_name.h"

namespace xas::aarch64 {

using namespace text;

namespace {

enum Verb { verb_inst, verb_ltorg, verb_unreq, verb_tls_call, verb_tls_add, verb_tls_load, verb_variant_pcs, verb_arch,
            verb_cpu, verb_extension, verb_none };

constexpr struct {
  std::string_view name;
  Verb verb;
} verbs[] = {{".inst", verb_inst}, {".ltorg", verb_ltorg}, {".pool", verb_ltorg}, {".unreq", verb_unreq},
             {".tlsdesccall", verb_tls_call}, {".tlsdescadd", verb_tls_add}, {".tlsdescldr", verb_tls_load},
             {".variant_pcs", verb_variant_pcs}, {".arch", verb_arch}, {".cpu", verb_cpu},
             {".arch_extension", verb_extension}};

}  // namespace

void offer_directives(NearestName& nearest) {
  for (const auto& verb : verbs) nearest.offer(verb.name);
}

/// .inst number [, number]...
void AArch64Target::inst(const char*& p, Emitter& out) {
  for (;;) {
    p = skip_blanks(p);
    const char* at = p;
    Value v;
    i64 word;
    if (!out.expression(p, v)) return;
    if (!out.known_constant(v, word)) return out.error(at, ".inst needs a number that is known here");
    if (word < -0x80000000ll || word > 0xFFFFFFFFll)
      return out.error(at, fmt::format("{} does not fit in an instruction of 32 bits", word));
    if (!out.start_instruction()) return;
    for (unsigned i = 0; i < 4; ++i) out.out[i] = u8(word >> (8 * i));
    out.advance(4);
    p = skip_blanks(p);
    if (*p != ',') return;
    ++p;
  }
}

bool AArch64Target::directive(Name name, const char*& p, Emitter& out) {
  Verb verb = verb_none;
  for (const auto& v : verbs)
    if (equals_ignoring_case(name.text(), v.name)) verb = v.verb;
  std::string error;
  const char* at = p;
  switch (verb) {
    case verb_none: return false;
    case verb_inst: inst(p, out); break;
    case verb_ltorg: out.flush_literals(); break;
    case verb_unreq: text::unbind_register(rest(p, at_end), read_register, options_.gnu, at, out); break;
    case verb_tls_call:
    case verb_tls_add:
    case verb_tls_load: {
      Value v;
      if (!out.expression(p, v) || !out.start_fixup()) break;
      const u16 kind = verb == verb_tls_call ? fixup_tls_call : verb == verb_tls_add ? fixup_tls_add : fixup_tls_load;
      if (!options_.gnu) v.modifier = modifier("tlsdesc");  // LLVM: the symbol is of a TLS type
      out.fixup({.kind = kind, .at = 0}, v, at);
      break;
    }
    case verb_variant_pcs: {
      constexpr u8 STO_AARCH64_VARIANT_PCS = 0x80;
      out.mark_symbol(p, STO_AARCH64_VARIANT_PCS);
      break;
    }
    case verb_arch:
      if (!set_arch(rest(p, at_end), false, error)) out.error(at, error);
      break;
    case verb_cpu:
      if (!set_arch(rest(p, at_end), true, error)) out.error(at, error);
      break;
    case verb_extension:
      if (!set_extension(rest(p, at_end), error)) out.error(at, error);
      break;
  }
  return true;
}

/// name .req register
bool AArch64Target::alias_statement(Name name, const char*& p, Emitter& out) {
  const char* q = skip_blanks(p);
  if (q[0] != '.' || (q[1] | 0x20) != 'r' || (q[2] | 0x20) != 'e' || (q[3] | 0x20) != 'q' ||
      (q[4] != ' ' && q[4] != '\t'))
    return false;
  if (options_.gnu && name.text().find('.') != std::string_view::npos) return false;
  q = skip_blanks(q + 4);
  Register r;
  const char* at = q;
  if (!read_any_register(q, r, out)) {
    out.error(at, "expected a register behind .req");
    p = q;
    return true;
  }
  p = q;
  constexpr Atom plain[] = {atom_v, atom_z, atom_p, atom_pn, atom_za};
  if (r.atom > atom_v && r.atom < atom_za && std::find(std::begin(plain), std::end(plain), r.atom) == std::end(plain)) {
    out.error(at, "a name stands for a register without an arrangement or element size");
    return true;
  }
  text::bind_register(name.text(), r.packed(), name.p, out);
  return true;
}

/// add.8b v0, v1, v2: the arrangement is that of the first register that has none; the others' follow from the form.
bool AArch64Target::assemble_suffixed(const Spelling& s, std::string_view suffix, const char* where, const char*& p,
                                      Emitter& out) {
  Operands o;
  if (!parse_operands(p, s.names, o, out)) return true;
  std::string text = "v0";
  text += suffix;
  const char* t = text.c_str();
  Register r;
  if (o.overflow || !read_register(t, r) || *t || r.atom == atom_v) {
    const bool branch = std::string_view(a64_names + s.name, s.length) == "b";
    out.error(where, fmt::format("unknown suffix '{}': {}", suffix,
                                 branch ? "the conditions are eq, ne, cs, cc, mi, pl, vs, vc, hi, ls, ge, lt, gt and le"
                                        : "it is no arrangement like .8b"));
    return true;
  }
  match_suffixed(s, o, r.atom, where, p, out);
  return true;
}

}  // namespace xas::aarch64
