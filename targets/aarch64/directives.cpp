// SPDX-License-Identifier: Apache-2.0
// Directives that only AArch64 has, and `name .req register`.
#include <fmt/format.h>

#include "objwriter/elf_constants.h"
#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/aarch64/word.h"
#include "targets/nearest_name.h"

namespace xas::aarch64 {

using namespace text;

/// .inst number [, number]...
void AArch64Target::directive_inst(const char*& p, unsigned, Emitter& out) {
  for (;;) {
    i64 word;
    if (!atoms::read_instruction_number(p, -0x80000000ll, word, out) || !out.start_instruction()) return;
    put_word(out.out, u32(word));
    out.advance(4);
    p = skip_blanks(p);
    if (*p != ',') return;
    ++p;
  }
}

void AArch64Target::directive_ltorg(const char*&, unsigned, Emitter& out) { out.flush_literals(); }

void AArch64Target::directive_unreq(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  text::unbind_register(rest(p, at_end), read_register, options_.gnu, at, out);
}

/// .tlsdesccall symbol and its kin: a relocation at the next instruction
void AArch64Target::directive_tlsdesc(const char*& p, unsigned kind, Emitter& out) {
  const char* at = p;
  Value v;
  if (!out.expression(p, v) || !out.start_fixup()) return;
  if (!options_.gnu) v.modifier = modifier("tlsdesc");  // LLVM: the symbol is of a TLS type
  if (lfi_.on && lfi_.rewrites) {
    if (kind == fixup_tls_call) return void(lfi_.tls_call = v);
    return out.error(at, "in the code of a sandbox (LFI) only calls can be marked, by .tlsdesccall");
  }
  out.fixup({.kind = u16(kind), .at = 0}, v, at);
}

void AArch64Target::directive_variant_pcs(const char*& p, unsigned, Emitter& out) {
  out.mark_symbol(p, elf::STO_AARCH64_VARIANT_PCS);
}

/// .lfi_rewrite_disable, .lfi_rewrite_enable
void AArch64Target::directive_lfi_rewrite(const char*&, unsigned on, Emitter&) { lfi_.rewrites = on; }

/// .arch name, .cpu name: what may be used from here on.
void AArch64Target::directive_arch(const char*& p, unsigned is_cpu, Emitter& out) {
  const char* at = p;
  std::string error;
  if (!set_arch(rest(p, at_end), is_cpu, error)) out.error(at, error);
  lfi_.confines_loads = lfi_.confines_stores = true;  // to LLVM, features like others
}

void AArch64Target::directive_arch_extension(const char*& p, unsigned, Emitter& out) {
  const char* at = p;
  std::string error;
  if (!set_extension(rest(p, at_end), error)) out.error(at, error);
}

std::span<const DirectiveRow<AArch64Target>> AArch64Target::directives() {
  static constexpr DirectiveRow<AArch64Target> rows[] = {
      {".inst", &AArch64Target::directive_inst},
      {".ltorg", &AArch64Target::directive_ltorg},
      {".pool", &AArch64Target::directive_ltorg},
      {".unreq", &AArch64Target::directive_unreq},
      {".tlsdesccall", &AArch64Target::directive_tlsdesc, fixup_tls_call},
      {".tlsdescadd", &AArch64Target::directive_tlsdesc, fixup_tls_add},
      {".tlsdescldr", &AArch64Target::directive_tlsdesc, fixup_tls_load},
      {".variant_pcs", &AArch64Target::directive_variant_pcs},
      {".arch", &AArch64Target::directive_arch, false},
      {".cpu", &AArch64Target::directive_arch, true},
      {".arch_extension", &AArch64Target::directive_arch_extension},
  };
  return rows;
}

std::span<const DirectiveRow<AArch64Target>> AArch64Target::lfi_directives() {
  static constexpr DirectiveRow<AArch64Target> rows[] = {
      {".lfi_rewrite_disable", &AArch64Target::directive_lfi_rewrite, false},
      {".lfi_rewrite_enable", &AArch64Target::directive_lfi_rewrite, true},
  };
  return rows;
}

bool AArch64Target::directive(Name name, const char*& p, Emitter& out) {
  return read_directive(*this, directives(), name.text(), p, out) ||
         (lfi_.on && read_directive(*this, lfi_directives(), name.text(), p, out));
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
  const char* const at = q;
  const auto read = [&](const char*& from, Register& to) { return read_any_register(from, to, out); };
  if (!atoms::read_named_register(q, p, ".req", options_.gnu, r, read, at_end, out)) return true;
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
