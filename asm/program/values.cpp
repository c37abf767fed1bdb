// SPDX-License-Identifier: Apache-2.0
// What values come to once sizes are known: symbols, sums and differences of them, and the trees of the expression
// pool, all reduced to at most one symbol added and one subtracted.
//
// During layout the answers are provisional: they are of the sizes as they stand. Symbols that stand for a tree are
// remembered for one state of the layout (`layout_version`), since a tree may name another tree's symbol many times.
// Trees are small, but chains of symbols that name each other's are as long as a sum of a hundred thousand terms, so
// what a symbol stands on is worked out before it, and not by recursion.
#include "asm/program/values.h"

#include <fmt/format.h>

#include <utility>

#include "asm/program/program.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

constexpr CodePlace nowhere = {~u32(0), 0, 0};
constexpr const char* depends_on_itself = "the expression depends on itself";
constexpr const char* not_known_yet = "the value is not known yet";
constexpr const char* too_complex = "the expression is not a sum of one symbol, less one symbol, and a constant";

bool is_unary(ExprOp op) { return op == ExprOp::neg || op == ExprOp::bit_not || op == ExprOp::log_not; }

/// A sum on its way to the form of a Value.
struct Sum {
  static constexpr unsigned room = 4;
  i64 constant = 0;
  SymbolId plus[room], minus[room];
  unsigned pluses = 0, minuses = 0;
  u16 modifier = 0;

  bool put(SymbolId id, bool negative) {
    SymbolId* others = negative ? plus : minus;
    unsigned& n_others = negative ? pluses : minuses;
    for (unsigned i = 0; i < n_others; ++i) {
      if (others[i] == id) return others[i] = others[--n_others], true;
    }
    unsigned& n = negative ? minuses : pluses;
    if (n == room) return false;
    (negative ? minus : plus)[n++] = id;
    return true;
  }
};

}  // namespace

bool Values::keeps_thumb_bit(const Symbol& s) const {
  return program_.info.labels.thumb && !program_.profile.thumb_differences_relocate && (s.other & other_thumb);
}

bool Values::keeps_indirect() const {
  return program_.profile.indirect_differences_relocate && !program_.is_coff;
}

bool Values::is_indirect_difference(const Value& v) const {
  if (!program_.gnu_abi || v.add == v.sub || v.add == no_symbol || v.sub == no_symbol) [[likely]] return false;
  const auto indirect = [&](SymbolId id) {
    return id != dot_symbol && program_.symbols[id].type == elf::STT_GNU_IFUNC;
  };
  return keeps_indirect() && (indirect(v.add) || indirect(v.sub));
}

bool Values::reduce(Value& v, const char*& why) {
  if (v.add != no_symbol && v.sub != no_symbol && v.modifier == 0) {
    // Nearly all are differences of two labels of one subsection.
    const Symbol& plus = program_.symbols[v.add];
    const Symbol& minus = program_.symbols[v.sub];
    if (plus.kind == SymbolKind::label && minus.kind == SymbolKind::label && plus.where == minus.where) {
      const Subsection& sub = program_.sections.sub(plus.where);
      v.constant =
          i64(u64(v.constant) + sub.offset(plus.value, plus.fragment) - sub.offset(minus.value, minus.fragment));
      if (keeps_thumb_bit(plus)) v.constant |= 1;
      v.add = v.sub = no_symbol;
      return true;
    }
  }
  Sum sum;
  sum.constant = v.constant;
  sum.modifier = v.modifier;
  for (const auto& [given, negative] : {std::pair{v.add, false}, std::pair{v.sub, true}}) {
    const SymbolId id = given;
    if (id == no_symbol) continue;
    const Symbol& s = program_.symbols[id];
    switch (s.kind) {
      case SymbolKind::register_: why = "a register is not a number"; return false;
      case SymbolKind::absolute:
        sum.constant = i64(negative ? u64(sum.constant) - s.value : u64(sum.constant) + s.value);
        break;
      case SymbolKind::expression: {
        Value inner;
        if (!expand(id, inner, why)) return false;
        sum.constant =
            i64(negative ? u64(sum.constant) - u64(inner.constant) : u64(sum.constant) + u64(inner.constant));
        if (inner.modifier) sum.modifier = inner.modifier;
        if ((inner.add != no_symbol && !sum.put(inner.add, negative)) ||
            (inner.sub != no_symbol && !sum.put(inner.sub, !negative))) {
          why = too_complex;
          return false;
        }
        break;
      }
      default:
        if (!sum.put(id, negative)) return why = too_complex, false;
    }
  }
  // Differences within a section are numbers.
  for (unsigned i = 0; i < sum.pluses;) {
    const Symbol& plus = program_.symbols[sum.plus[i]];
    bool gone = false;
    for (unsigned j = 0; j < sum.minuses && plus.kind == SymbolKind::label && !gone; ++j) {
      const Symbol& minus = program_.symbols[sum.minus[j]];
      if (minus.kind != SymbolKind::label ||
          program_.sections.sub(minus.where).section != program_.sections.sub(plus.where).section)
        continue;
      sum.constant = i64(u64(sum.constant) + program_.label_offset(plus) - program_.label_offset(minus));
      if (keeps_thumb_bit(plus)) sum.constant |= 1;
      sum.plus[i] = sum.plus[--sum.pluses];
      sum.minus[j] = sum.minus[--sum.minuses];
      gone = true;
    }
    i += !gone;
  }
  if (sum.pluses > 1 || sum.minuses > 1) return why = too_complex, false;
  v.constant = sum.constant;
  v.add = sum.pluses ? sum.plus[0] : no_symbol;
  v.sub = sum.minuses ? sum.minus[0] : no_symbol;
  v.modifier = sum.modifier;
  return true;
}

/// The symbols of a tree that `table` does not have yet.
void Values::push_unresolved(const ExpandedSymbols& table, u32 version, u32 index) {
  const ExprNode& node = program_.exprs[index];
  if (node.op != ExprOp::leaf) {
    if (!is_unary(node.op)) push_unresolved(table, version, node.rhs);
    return push_unresolved(table, version, node.lhs);
  }
  for (const SymbolId id : {node.value.sub, node.value.add}) {
    if (id >= dot_symbol || program_.symbols[id].kind != SymbolKind::expression) continue;
    const auto known = table.find(id);
    if (known == table.end() || known->second.version != version) unresolved_.push_back(id);
  }
}

/// What `work(tree, result)` makes of a symbol that stands for a tree; what the tree names is worked out before.
template <class Work>
const Values::Expanded& Values::resolve(ExpandedSymbols& table, u32 version, SymbolId root, Work&& work) {
  Expanded& result = table[root];
  if (result.version == version) return result;
  const std::size_t base = unresolved_.size();
  unresolved_.push_back(root);
  while (unresolved_.size() > base) {
    const SymbolId id = unresolved_.back();
    const u32 tree = u32(program_.symbols[id].value);
    Expanded& e = table[id];
    if (e.version != version) {
      e = {.version = version, .open = true, .why = depends_on_itself, .value = {}};
      const std::size_t before = unresolved_.size();
      push_unresolved(table, version, tree);
      if (unresolved_.size() != before) continue;
    }
    unresolved_.pop_back();
    if (std::exchange(e.open, false)) work(tree, e);
  }
  return result;
}

const Symbol* Values::register_of(SymbolId id) const {
  constexpr unsigned longest_chain = 100;
  for (unsigned i = 0; id != no_symbol && i < longest_chain; ++i) {
    const Symbol& s = program_.symbols[id];
    if (s.kind == SymbolKind::register_) return &s;
    if (s.kind != SymbolKind::expression) return nullptr;
    const ExprNode& node = program_.exprs[u32(s.value)];
    const Value& value = node.value;
    if (node.op != ExprOp::leaf || value.sub != no_symbol || value.constant || value.modifier) return nullptr;
    id = value.add;
  }
  return nullptr;
}

bool Values::expand(SymbolId id, Value& out, const char*& why) {
  const Expanded& e = resolve(expanded_, program_.layout_version, id, [&](u32 tree, Expanded& result) {
    const char* problem = nullptr;
    evaluate(tree, result.value, problem);
    result.why = problem;
  });
  out = e.value;
  if (e.why) why = e.why;
  return !e.why;
}

bool Values::number_by_now(const Value& given, i64& result) {
  Value value = given;
  fold_to_number(value, nowhere);
  if (value.modifier) return false;
  result = value.constant;
  for (const auto& [id, negative] : {std::pair{value.add, false}, std::pair{value.sub, true}}) {
    if (id == no_symbol) continue;
    if (id == dot_symbol) return false;
    const Symbol& s = program_.symbols[id];
    i64 part = i64(s.value);
    if (s.kind == SymbolKind::expression) {
      const Expanded& e = resolve(by_now_, states_by_now_, id, [&](u32 tree, Expanded& known) {
        known.why = node_by_now(tree, known.value.constant) ? nullptr : not_known_yet;
      });
      if (e.why) return false;
      part = e.value.constant;
    } else if (s.kind != SymbolKind::absolute) {
      return false;
    }
    result = i64(negative ? u64(result) - u64(part) : u64(result) + u64(part));
  }
  return true;
}

bool Values::node_by_now(u32 index, i64& result) {
  const ExprNode node = program_.exprs[index];
  if (node.op == ExprOp::leaf) return number_by_now(node.value, result);
  i64 l, r = 0;
  return node_by_now(node.lhs, l) && (is_unary(node.op) || node_by_now(node.rhs, r)) &&
         fold_constants(node.op, l, r, result, node.loc);
}

/// Whether == has to ask for the distance of two values: a number, places in several sections, and what is not defined
/// are never the same, as in GNU as.
bool Values::comparable(const Value& l, const Value& r) const {
  if (l.is_constant() || r.is_constant()) return l.is_constant() && r.is_constant();
  if (l.sub != no_symbol || r.sub != no_symbol || l.modifier || r.modifier) return true;
  const Symbol &a = program_.symbols[l.add], &b = program_.symbols[r.add];
  if (a.kind != SymbolKind::label || b.kind != SymbolKind::label) return l.add == r.add;
  return program_.sections.sub(a.where).section == program_.sections.sub(b.where).section;
}

bool Values::evaluate(u32 index, Value& out, const char*& why) {
  const ExprNode& node = program_.exprs[index];
  if (node.op == ExprOp::leaf) {
    out = node.value;
    return reduce(out, why);
  }
  Value r;
  if (!evaluate(node.lhs, out, why)) return false;
  if (!is_unary(node.op) && !evaluate(node.rhs, r, why)) return false;
  switch (node.op) {
    case ExprOp::neg: std::swap(out, r); [[fallthrough]];
    case ExprOp::sub:
      std::swap(r.add, r.sub);
      r.constant = i64(0 - u64(r.constant));
      [[fallthrough]];
    case ExprOp::add: return join(out, r, why);
    case ExprOp::eq:
    case ExprOp::ne:
      if (!comparable(out, r)) {
        out = {.constant = node.op == ExprOp::eq ? 0 : -1};
        return true;
      }
      [[fallthrough]];
    case ExprOp::lt:
    case ExprOp::le:
    case ExprOp::gt:
    case ExprOp::ge:
      // Two places in one section compare by their distance.
      if (!out.is_constant() && !r.is_constant()) {
        std::swap(r.add, r.sub);
        r.constant = i64(0 - u64(r.constant));
        if (!join(out, r, why)) return false;
        r = {};
      }
      [[fallthrough]];
    default: break;
  }
  if (!out.is_constant() || !r.is_constant()) {
    why = "the operands of this operator must come to numbers";
    return false;
  }
  if ((node.op == ExprOp::div || node.op == ExprOp::mod) && r.constant == 0) {
    why = "division by zero";  // late, it is an error in GNU as too
    return false;
  }
  if (!fold_constants(node.op, out.constant, r.constant, out.constant, node.loc)) {
    out.constant = 0;  // reported
  }
  return true;
}

std::string Values::explain_unknown(const Value& value) const {
  constexpr std::size_t most = 1000;
  std::vector<SymbolId> symbols;
  std::vector<u32> nodes;
  const auto add = [&](const Value& v) {
    for (const SymbolId id : {v.sub, v.add})
      if (id != no_symbol && id != dot_symbol) symbols.push_back(id);
  };
  std::string label;
  add(value);
  for (std::size_t n = 0; n < most && !(symbols.empty() && nodes.empty()); ++n) {
    if (!nodes.empty()) {
      const ExprNode& node = program_.exprs[nodes.back()];
      nodes.pop_back();
      if (node.op == ExprOp::leaf) {
        add(node.value);
      } else {
        if (!is_unary(node.op)) nodes.push_back(node.rhs);
        nodes.push_back(node.lhs);
      }
      continue;
    }
    const Symbol& s = program_.symbols[symbols.back()];
    symbols.pop_back();
    if (s.kind == SymbolKind::expression) nodes.push_back(u32(s.value));
    if (s.has(symbol_anonymous)) continue;
    if (s.kind == SymbolKind::undefined) return fmt::format("; '{}' is not defined", s.text());
    if (s.kind == SymbolKind::label && label.empty())
      label = fmt::format("; '{}' is an address, and no number", s.text());
  }
  return label;
}

/// l += r
bool Values::join(Value& l, const Value& r, const char*& why) {
  // Labels that cancel must meet before symbols are counted, so both sides go through one sum.
  Value both = l;
  Value rest = r;
  both.constant = i64(u64(l.constant) + u64(r.constant));
  if (both.add == no_symbol) std::swap(both.add, rest.add);
  if (both.sub == no_symbol) std::swap(both.sub, rest.sub);
  if (!reduce(both, why)) return false;
  if (both.add == no_symbol) std::swap(both.add, rest.add);
  if (both.sub == no_symbol) std::swap(both.sub, rest.sub);
  if (rest.add != no_symbol && rest.sub != no_symbol) {
    rest.constant = both.constant;
    if (!reduce(rest, why)) return false;
    both.constant = rest.constant;
  }
  if (rest.add != no_symbol && both.sub != no_symbol) {
    Value crossed{.constant = both.constant, .add = rest.add, .sub = both.sub};
    if (!reduce(crossed, why)) return false;
    both.constant = crossed.constant, rest.add = crossed.add, both.sub = crossed.sub;
  }
  if (rest.sub != no_symbol && both.add != no_symbol) {
    Value crossed{.constant = both.constant, .add = both.add, .sub = rest.sub};
    if (!reduce(crossed, why)) return false;
    both.constant = crossed.constant, both.add = crossed.add, rest.sub = crossed.sub;
  }
  if (rest.add != no_symbol || rest.sub != no_symbol) {
    why = too_complex;
    return false;
  }
  if (r.modifier) both.modifier = r.modifier;
  l = both;
  return true;
}

Resolved Values::resolve(const Value& given) {
  Resolved r;
  Value v = given;
  if (!reduce(v, r.message)) return r;
  if (v.sub != no_symbol) {
    r.message = v.add == no_symbol ? "the expression subtracts a symbol that nothing cancels"
                                   : "the symbols of this difference are not in one section";
    return r;
  }
  r.value = v.constant;
  if (v.add == no_symbol) {
    r.kind = Resolved::number;
    return r;
  }
  const Symbol& s = program_.symbols[v.add];
  r.symbol = v.add;
  r.addend = v.constant;
  if (s.kind == SymbolKind::label) {
    r.kind = Resolved::place;
    r.section = program_.sections.sub(s.where).section;
    r.value = i64(u64(v.constant) + program_.label_offset(s));
  } else {
    r.kind = Resolved::undefined;
  }
  return r;
}

Resolved Values::resolve(SymbolId id) {
  Resolved r = resolve(Value{.add = id});
  if (r.kind == Resolved::place) {
    // An alias is a place of its own: relocations name it, not what it was set to.
    r.symbol = id;
    r.addend = 0;
  }
  return r;
}

bool Values::places(const Value& difference, const CodePlace& dot, CodePlace& end, CodePlace& start) const {
  const auto find = [&](SymbolId id, CodePlace& place) {
    if (id == dot_symbol) return place = dot, true;
    const Symbol& s = program_.symbols[id];
    place = {s.where, s.fragment, s.value};
    return s.kind == SymbolKind::label;
  };
  return find(difference.add, end) && find(difference.sub, start);
}

void Values::fold(Value& v, const CodePlace& dot) const {
  if (v.add == no_symbol || v.sub == no_symbol || v.modifier) return;
  if (is_indirect_difference(v)) return;
  const bool relocates = program_.info.labels.thumb && program_.profile.thumb_differences_relocate;
  if (relocates && v.add != dot_symbol && v.add != v.sub) [[unlikely]] {
    // The linker adds the lowest bit to the address of a Thumb function.
    const Symbol& s = program_.symbols[v.add];
    if ((s.type == elf::STT_FUNC && (s.other & other_thumb_marks)) || (s.other & other_thumb)) return;
  }
  fold_to_number(v, dot);
}

void Values::fold_to_number(Value& v, const CodePlace& dot) const {
  if (v.add == no_symbol || v.sub == no_symbol || v.modifier) return;
  if (v.add == v.sub) {
    v.add = v.sub = no_symbol;
    return;
  }
  CodePlace a, b;
  if (!places(v, dot, a, b) || a.subsection != b.subsection || a.fragment != b.fragment) return;
  v.constant = i64(u64(v.constant) + a.pos - b.pos);
  if (v.add != dot_symbol && keeps_thumb_bit(program_.symbols[v.add])) v.constant |= 1;
  v.add = v.sub = no_symbol;
}

bool Values::fold_constants(ExprOp op, i64 l, i64 r, i64& result, SourceLoc loc) {
  const u64 a = u64(l), b = u64(r);
  switch (op) {
    case ExprOp::mul: result = i64(a * b); return true;
    case ExprOp::div:
    case ExprOp::mod:
      if (r == 0) {
        if (!program_.profile.division_by_zero_warns) {
          program_.diags.error(loc, "division by zero");
          return false;
        }
        program_.diags.warning(loc, "division by zero; the divisor is taken as 1");
        r = 1;
      }
      if (r == -1) {
        result = op == ExprOp::div ? i64(0 - a) : 0;
      } else {
        result = op == ExprOp::div ? l / r : l % r;
      }
      return true;
    case ExprOp::shl:
    case ExprOp::shr:
      if (b >= 64 && !program_.profile.host_shifts) {
        program_.diags.warning(loc, fmt::format("shift by {}; the result is 0", r));
        result = 0;
      } else {
        const bool keeps_sign = program_.is_coff && program_.profile.coff_signed_shifts;
        result = op == ExprOp::shl ? i64(a << (b & 63)) : keeps_sign ? l >> (b & 63) : i64(a >> (b & 63));
      }
      return true;
    case ExprOp::bit_or: result = l | r; return true;
    case ExprOp::bit_and: result = l & r; return true;
    case ExprOp::bit_xor: result = l ^ r; return true;
    case ExprOp::bit_or_not: result = l | ~r; return true;
    case ExprOp::add: result = i64(a + b); return true;
    case ExprOp::sub: result = i64(a - b); return true;
    case ExprOp::eq: result = -(l == r); return true;
    case ExprOp::ne: result = -(l != r); return true;
    case ExprOp::lt: result = -(l < r); return true;
    case ExprOp::le: result = -(l <= r); return true;
    case ExprOp::gt: result = -(l > r); return true;
    case ExprOp::ge: result = -(l >= r); return true;
    case ExprOp::log_and: result = l && r; return true;
    case ExprOp::log_or: result = l || r; return true;
    case ExprOp::neg: result = i64(0 - a); return true;
    case ExprOp::bit_not: result = ~l; return true;
    case ExprOp::log_not: result = !l; return true;
    case ExprOp::leaf: break;
  }
  return false;
}

bool branch_target(const Program& program, SymbolId id, i64& constant, SymbolId& label) {
  constexpr unsigned max_alias_depth = 64;
  for (unsigned depth = 0; depth < max_alias_depth; ++depth) {
    const Symbol& s = program.symbols[id];
    if (s.kind != SymbolKind::expression) return label = id, true;
    const ExprNode& node = program.exprs[u32(s.value)];
    if (node.op != ExprOp::leaf || !node.value.is_symbol_plus_constant()) return false;
    id = node.value.add;
    constant = i64(u64(constant) + u64(node.value.constant));
  }
  return false;
}

}  // namespace xas
