// SPDX-License-Identifier: Apache-2.0
// Relaxation (relax.cpp): what will not move any more. Differences of labels in final sections are constants, and a
// section whose sizes do not depend on what follows takes one pass.
#include "asm/layout/relax_final.h"

#include <algorithm>

#include "asm/layout/layout.h"
#include "asm/layout/relax.h"

namespace xas {

namespace {

/// Parts of an expression that are looked at to find out whether it moves.
constexpr unsigned max_steps = 32;

bool is_final_node(const Program& program, u32 index, unsigned& steps);

/// Nothing that its value depends on will move. Big trees (of view numbers, they are small) are not looked through.
bool is_final(const Program& program, SymbolId id, unsigned& steps) {
  if (id == no_symbol) return true;
  const Symbol& s = program.symbols[id];
  switch (s.kind) {
    case SymbolKind::label: return program.sections.sub(s.where).is_final();
    case SymbolKind::absolute: return true;
    case SymbolKind::expression: return ++steps < max_steps && is_final_node(program, u32(s.value), steps);
    default: return false;
  }
}

bool is_final_node(const Program& program, u32 index, unsigned& steps) {
  if (++steps > max_steps) return false;
  const ExprNode& node = program.exprs[index];
  if (node.op == ExprOp::leaf)
    return is_final(program, node.value.add, steps) && is_final(program, node.value.sub, steps);
  const bool unary = node.op == ExprOp::neg || node.op == ExprOp::bit_not || node.op == ExprOp::log_not;
  return is_final_node(program, node.lhs, steps) && (unary || is_final_node(program, node.rhs, steps));
}

}  // namespace

// Most sizes in `gcc -g` output are such numbers, and each would be worked out half a dozen times otherwise.
bool finalize_leb(Program& program, Fragment& f) {
  LebFragment& leb = f.as<LebFragment>();
  FragmentValue& number = leb.number;
  if (!number.is_constant()) {
    const SymbolId only = number.add != no_symbol ? number.add : number.sub;
    const Symbol& plus = program.symbols[only];
    const Symbol& minus = program.symbols[number.sub != no_symbol ? number.sub : only];
    if (plus.kind == SymbolKind::label && minus.kind == SymbolKind::label && plus.where == minus.where &&
        number.add != no_symbol && number.sub != no_symbol && !program.info.labels.thumb) [[likely]] {
      const Subsection& sub = program.sections.sub(plus.where);
      if (!sub.is_final()) return false;
      number.constant =
          i64(u64(number.constant) + sub.offset(plus.value, plus.fragment) - sub.offset(minus.value, minus.fragment));
    } else {
      unsigned steps = 0;
      if (!is_final(program, number.add, steps) || !is_final(program, number.sub, steps)) return false;
      Value v = number;
      const char* why;
      if (!program.reduce(v, why) || !v.is_constant()) return false;
      number.constant = v.constant;
    }
    number.add = number.sub = no_symbol;
  }
  f.size = leb_size(leb.encoding, number.constant);
  return true;
}

bool is_final(const Program& program, const Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    if (!program.sections.sub(id).is_final()) return false;
  }
  return true;
}

void make_final(Program& program, const Section& section) {
  for (u32 id = section.first; id != ~u32(0); id = program.sections.sub(id).next) {
    Subsection& sub = program.sections.sub(id);
    sub.final_size = sub.size;
    sub.final_fragments = u32(sub.fragments.size());
  }
}

bool finalize_in_order(Program& program, Section& section) {
  const auto next = [&](u32 id) { return program.sections.sub(id).next; };
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    BigVector<Fragment>& fragments = program.sections.sub(id).fragments;
    for (std::size_t i = 0; i < fragments.size(); ++i) {
      const Fragment& ahead = fragments[std::min(i + prefetch_distance, fragments.size() - 1)];
      for (SymbolId id : ahead.symbol_hints()) program.symbols.prefetch(id);
      const FragmentKind kind = fragments[i].kind;
      if (kind == FragmentKind::leb ? !finalize_leb(program, fragments[i])
                                    : kind != FragmentKind::align && kind != FragmentKind::piece)
        return false;
    }
  }
  section.size = 0;
  for (u32 id = section.first; id != ~u32(0); id = next(id)) {
    Subsection& sub = program.sections.sub(id);
    sub.base = section.size;
    sub.growth = 0;
    sub.before.clear();
    sub.before.reserve(sub.fragments.size());
    for (Fragment& f : sub.fragments) {
      sub.before.push_back(sub.growth);
      if (f.kind == FragmentKind::align) {
        const AlignFragment& align = f.as<AlignFragment>();
        const u64 pad = alignment_padding(sub.base + f.pos + sub.growth, align.log2);
        f.size = align.max_skip && pad > align.max_skip ? 0 : pad;
      } else if (f.kind == FragmentKind::piece) {
        f.size = f.as<PieceFragment>().bytes;
      }
      sub.growth += f.size;
    }
    section.size += sub.total();
  }
  ++program.layout_version;
  return true;
}

}  // namespace xas
