// SPDX-License-Identifier: Apache-2.0
// Operators of expressions applied to values: what is known is folded, a sum of one symbol and the difference of two
// stay a Value, and all else becomes a node of the expression pool with an anonymous symbol for it.
#include "asm/read/expr_operators.h"

#include <utility>

#include "asm/program/expr_pool.h"
#include "asm/program/streamer.h"

namespace xas {

namespace {

u32 node_of(Streamer& out, const Value& v, const char* at) {
  return out.program.exprs.leaf(v, out.program.sources.loc_of(at));
}

/// What is no sum, or a sum of more symbols than a Value has: a number if both sides are numbers, else a node of the
/// expression pool.
bool combine_by_node(Streamer& out, ExprOp op, Value& l, Value& r, const char* at) {
  out.fold(l);
  out.fold(r);
  if (l.is_constant() && r.is_constant()) {
    if (r.modifier) l.modifier = r.modifier;
    return out.program.values.fold_constants(op, l.constant, r.constant, l.constant, out.program.sources.loc_of(at));
  }
  if (op == ExprOp::add && l.modifier && !r.modifier && l.sub == no_symbol && r.add != no_symbol) {
    // symbol(GOT_PREL) - (label - label), symbol@secrel32 + name: a number that is not known yet
    Value distance{.constant = i64(0 - u64(r.constant)), .add = r.sub, .sub = r.add};
    out.pin_dot(distance);
    l.sub = out.program.symbol_for(node_of(out, distance, at));
    return true;
  }
  if (l.modifier || r.modifier) {
    out.error(at, "a symbol with a relocation modifier can only be added to");
    return false;
  }
  out.pin_dot(l);
  out.pin_dot(r);
  const u32 node = out.program.exprs.node(op, node_of(out, l, at), node_of(out, r, at), out.program.sources.loc_of(at));
  l = {.add = out.program.symbol_for(node)};
  return true;
}

}  // namespace

bool apply_operator(Streamer& out, ExprOp op, Value& v, const char* at) {
  out.fold(v);
  if (v.is_constant()) {
    v.constant = op == ExprOp::neg ? i64(0 - u64(v.constant)) : op == ExprOp::bit_not ? ~v.constant : !v.constant;
    return true;
  }
  if (op == ExprOp::neg && v.modifier == 0 && v.add != no_symbol && v.sub != no_symbol) {
    std::swap(v.add, v.sub);
    v.constant = i64(0 - u64(v.constant));
    return true;
  }
  out.pin_dot(v);
  v = {.add =
           out.program.symbol_for(out.program.exprs.node(op, node_of(out, v, at), 0, out.program.sources.loc_of(at)))};
  return true;
}

bool apply_operator(Streamer& out, ExprOp op, Value& l, Value r, const char* at) {
  if (op == ExprOp::sub && (r.modifier == 0 || r.is_constant())) {
    std::swap(r.add, r.sub);
    r.constant = i64(0 - u64(r.constant));
  } else if (op != ExprOp::add) {
    return combine_by_node(out, op, l, r, at);
  }
  // A sum. Symbols of both sides must find room in one add and one sub; a difference that is known makes room.
  if (l.add != no_symbol && l.sub != no_symbol) out.fold(l);
  if (r.add != no_symbol && r.sub != no_symbol) out.fold(r);
  if ((l.add != no_symbol && r.add != no_symbol) || (l.sub != no_symbol && r.sub != no_symbol)) {
    if (l.add == r.sub && l.add != no_symbol) l.add = r.sub = no_symbol;
    if (l.sub == r.add && l.sub != no_symbol) l.sub = r.add = no_symbol;
  }
  if ((l.add != no_symbol && r.add != no_symbol) || (l.sub != no_symbol && r.sub != no_symbol)) {
    return combine_by_node(out, ExprOp::add, l, r, at);
  }
  l.constant = i64(u64(l.constant) + u64(r.constant));
  if (r.add != no_symbol) l.add = r.add;
  if (r.sub != no_symbol) l.sub = r.sub;
  if (r.modifier) l.modifier = r.modifier;
  if (l.modifier && l.constant == 0 && l.sub == no_symbol)
    l.modifier = out.program.target.modifier_with_zero(l.modifier);
  if (l.add != no_symbol && l.sub != no_symbol) out.fold(l);
  return true;
}

}  // namespace xas
