// SPDX-License-Identifier: Apache-2.0
// Labels of Thumb code: which are functions, and what follows from that.
#include "asm/program/thumb_labels.h"

#include "asm/program/aliases.h"
#include "asm/program/program.h"
#include "objwriter/elf_constants.h"

namespace xas {

using namespace elf;

/// To GNU as .thumb_func is for the next label of code that has a name of its own, and says nothing of one in A32.
static bool takes_thumb_func(const Program& program, const Symbol& s) {
  if (!program.profile.marks_thumb_labels) return true;
  return s.kind == SymbolKind::label && !(s.flags & (symbol_temporary | symbol_anonymous)) &&
         program.sections[program.sections.sub(s.where).section].is_code();
}

/// A function in Thumb code is marked: by .thumb_func, or (LLVM) because its type is known by then, or (GNU as) in the
/// end.
void mark_thumb_label(Program& program, SymbolId id, bool is_written) {
  Symbol& s = program.symbols[id];
  const bool typed = program.profile.thumb_by_label_type && program.target.thumb() && is_function(s.type);
  const bool declared = is_written && takes_thumb_func(program, s) && program.target.on_label() &&
                        (program.target.thumb() || !program.profile.marks_thumb_labels);
  if (program.info.labels.thumb && (declared || typed)) {
    s.other |= other_thumb;
    if (s.type == 0 && program.profile.thumb_func_sets_type) s.type = STT_FUNC;
  }
  if (program.profile.marks_thumb_labels && program.target.thumb()) s.other |= other_thumb_code;
}

void mark_typed_thumb_label(Program& program, SymbolId id, u8 type) {
  Symbol& s = program.symbols[id];
  if (is_function(type) && s.kind != SymbolKind::undefined && program.profile.thumb_by_label_type &&
      program.target.thumb())
    s.other |= other_thumb;
}

namespace {

/// GNU as sets bit 0 in what `adr` makes of a Thumb function, if it may choose the instruction's width; if it may not,
/// only of one that stands before it.
void set_thumb_bits(Program& program) {
  const auto is_thumb_function = [&](SymbolId id) {
    if (id == no_symbol) return false;
    const Symbol& s = program.symbols[id];
    return s.kind == SymbolKind::label && s.type == STT_FUNC && (s.other & other_thumb);
  };
  const auto is_adr = [&](u16 kind) {
    return kind >= first_target_kind && program.target.fixup_info(kind).is_thumb_adr;
  };
  for (u32 id = 0; id < program.sections.subsections(); ++id) {
    Subsection& sub = program.sections.sub(id);
    for (Fragment& f : sub.fragments) {
      u8 bytes[Emitter::max_instruction];
      if (f.kind != FragmentKind::insn) continue;
      InsnFragment& insn = f.as<InsnFragment>();
      if (is_thumb_function(insn.target) && is_adr(program.target.relax_write(insn.form, 0, bytes).kind))
        ++insn.constant;
    }
    for (Fixup& f : sub.fixups)
      if (is_thumb_function(f.add) && is_adr(f.kind) && program.sources.is_before(program.symbols[f.add].loc, f.loc))
        ++f.addend;
  }
}

}  // namespace

void mark_thumb_alias(Program& program, SymbolId id) {
  Symbol& s = program.symbols[id];
  if (program.profile.thumb_func_sets_type) {
    if (s.kind == SymbolKind::undefined) return;
    if (s.kind == SymbolKind::expression) {
      const ExprNode& node = program.exprs[u32(s.value)];
      if (node.op == ExprOp::leaf && node.value.is_symbol_plus_constant() && node.value.constant == 0) return;
    }
    s.type = STT_FUNC;
  }
  s.other |= other_thumb;
}

/// To LLVM another name of a Thumb function is one too, and so is a place that counts from it.
static void mark_thumb_aliases(Program& program) {
  for (const Alias& alias : aliases_behind_their_bases(program))
    program.symbols[alias.symbol].other |= program.symbols[alias.base].other & other_thumb;
}

void mark_thumb_functions(Program& program) {
  if (!program.info.labels.thumb) return;
  if (!program.profile.marks_thumb_labels) return mark_thumb_aliases(program);
  for (SymbolId id = 0; id < program.symbols.size(); ++id) {
    Symbol& s = program.symbols[id];
    if ((s.other & other_thumb) && s.type <= STT_OBJECT) s.type = STT_FUNC, s.other |= other_thumb_untyped;
    if ((s.other & other_thumb_code) && is_function(s.type)) s.other |= other_thumb;
  }
  set_thumb_bits(program);
}

}  // namespace xas
