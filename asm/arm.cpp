// ARM: labels of Thumb code.
#include "asm/arm.h"

#include "asm/assembler.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// A function in Thumb code is marked: by .thumb_func, or (LLVM) because its type is known by then, or (GNU as) in the
/// end.
void on_arm_label(Assembler& a, SymbolId id) {
  Symbol& s = a.symbols[id];
  const bool typed =
      !a.profile.gnu && a.target.thumb() && !a.is_coff && (s.type == STT_FUNC || s.type == STT_GNU_IFUNC);
  if (a.arm.next_is_thumb || typed) {
    if (!a.is_coff) {
      s.other |= other_thumb;
      if (s.type == 0 && !a.profile.gnu) s.type = STT_FUNC;
    }
  }
  if (a.profile.gnu && a.target.thumb()) s.other |= other_thumb_code;
  a.arm.next_is_thumb = false;
  ++a.arm.labels;
}

namespace {

/// GNU as sets bit 0 in what `adr` makes of a Thumb function, if it may choose the instruction's width; if it may not,
/// only of one that stands before it.
void set_thumb_bits(Assembler& a) {
  const auto is_thumb_function = [&](SymbolId id) {
    if (id == no_symbol) return false;
    const Symbol& s = a.symbols[id];
    return s.kind == SymbolKind::label && s.type == STT_FUNC && (s.other & other_thumb);
  };
  const auto is_adr = [&](u16 kind) { return kind >= first_target_kind && a.target.fixup_info(kind).is_thumb_adr; };
  for (u32 id = 0; id < a.sections.subsections(); ++id) {
    Subsection& sub = a.sections.sub(id);
    for (Flex& f : sub.flexes) {
      u8 bytes[Emitter::max_instruction];
      if (f.kind == FlexKind::insn && is_thumb_function(f.add) && is_adr(a.target.relax_write(f.form, 0, bytes).kind))
        ++f.constant;
    }
    for (Fixup& f : sub.fixups)
      if (is_thumb_function(f.add) && is_adr(f.kind) && a.symbols[f.add].loc < f.loc) ++f.addend;
  }
}

}  // namespace

/// To LLVM another name of a Thumb function is one too, and so is a place that counts from it.
static void mark_thumb_aliases(Assembler& a) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Alias& alias : a.aliases) {
      u8& other = a.symbols[alias.symbol].other;
      if ((other & other_thumb) || !(a.symbols[alias.base].other & other_thumb)) continue;
      other |= other_thumb;
      changed = true;
    }
  }
}

void mark_thumb_functions(Assembler& a) {
  if (a.options.target.machine != Machine::arm || a.is_coff) return;
  if (!a.profile.gnu) return mark_thumb_aliases(a);
  for (const Alias& alias : a.aliases) {
    if (alias.plain && !a.symbols[alias.base].has(symbol_anonymous))
      a.symbols[alias.symbol].other |= a.symbols[alias.base].other & other_thumb_code;
  }
  for (SymbolId id = 0; id < a.symbols.size(); ++id) {
    Symbol& s = a.symbols[id];
    if ((s.other & other_thumb) && s.type == 0) s.type = STT_FUNC, s.other |= other_thumb_untyped;
    if ((s.other & other_thumb_code) && (s.type == STT_FUNC || s.type == STT_GNU_IFUNC)) s.other |= other_thumb;
  }
  set_thumb_bits(a);
}

}  // namespace xas
