// Conditional assembly. What is not to be assembled is never parsed: lines without anything that may be a directive of
// interest are passed sixteen bytes at a time, the others are looked at for their first word only.
#include "asm/cond.h"

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/parse.h"

namespace xas {

namespace {

bool comparison(ConditionalKind kind, i64 value) {
  switch (kind) {
    case ConditionalKind::if_eq: return value == 0;
    case ConditionalKind::if_ge: return value >= 0;
    case ConditionalKind::if_gt: return value > 0;
    case ConditionalKind::if_le: return value <= 0;
    case ConditionalKind::if_lt: return value < 0;
    default: return value != 0;
  }
}

/// What LLVM makes of an expression before anything is laid out: a number, something in a section, or neither yet.
enum class Standing : u8 { unknown, number, place };

Standing standing(const Assembler& a, u32 node, unsigned& steps);

Standing standing(const Assembler& a, const Value& v, unsigned& steps) {
  if (v.add == no_symbol || v.sub != no_symbol) return Standing::number;
  if (v.add == dot_symbol) return Standing::place;
  const Symbol& s = a.symbols[v.add];
  if (s.kind == SymbolKind::expression) return standing(a, u32(s.value), steps);
  return s.kind == SymbolKind::absolute ? Standing::number : s.is_defined() ? Standing::place : Standing::unknown;
}

Standing standing(const Assembler& a, u32 node, unsigned& steps) {
  constexpr unsigned most_steps = 400;  // trees may share parts, so that their size says nothing about the time
  const ExprNode& n = a.exprs[node];
  if (++steps > most_steps) return Standing::place;
  if (n.op == ExprOp::leaf) return standing(a, n.value, steps);
  const Standing l = standing(a, n.lhs, steps);
  if (n.op == ExprOp::neg || n.op == ExprOp::bit_not || n.op == ExprOp::log_not) return l;
  const Standing r = standing(a, n.rhs, steps);
  if (l == Standing::number) return r;
  if (r == Standing::number) return l;
  return n.op == ExprOp::sub ? Standing::number : l != Standing::unknown ? l : r;
}

bool is_defined(const Assembler& a, const Name& name) {
  const SymbolId id = a.symbols.find(name);
  if (id == no_symbol || !a.symbols[id].is_defined() || a.symbols[id].kind == SymbolKind::register_) return false;
  unsigned steps = 0;
  return !a.profile.ifdef_needs_place || standing(a, {.add = id}, steps) != Standing::unknown;
}

/// What a symbol stands for, as far as it is another symbol and a number.
Value through_aliases(const Assembler& a, Value v) {
  constexpr unsigned deepest = 64;
  for (unsigned depth = 0; depth < deepest && v.add < dot_symbol; ++depth) {
    const Symbol& s = a.symbols[v.add];
    if (s.kind != SymbolKind::expression) break;
    const ExprNode& node = a.exprs[u32(s.value)];
    if (node.op != ExprOp::leaf || !node.value.is_symbol_plus_constant()) break;
    v.add = node.value.add;
    v.constant += node.value.constant;
  }
  return v;
}

/// True if two values are the same whatever their symbols come to.
bool same_value(const Assembler& a, Value l, Value r) {
  l = through_aliases(a, l);
  r = through_aliases(a, r);
  if (l.add == r.add) return l.constant == r.constant;
  if (l.add >= dot_symbol || r.add >= dot_symbol) return false;
  const Symbol& x = a.symbols[l.add];
  const Symbol& y = a.symbols[r.add];
  return x.kind == SymbolKind::label && y.kind == SymbolKind::label && x.where == y.where && x.flex == y.flex &&
         x.value + u64(l.constant) == y.value + u64(r.constant);
}

/// GNU as knows whether two values are equal even if it knows neither: different symbols are not. A difference of
/// labels that may still change is none of these.
bool equality_of_unknowns(const Assembler& a, const Value& value, i64& result) {
  if (!a.profile.unknown_is_unequal || !value.is_symbol_plus_constant() || value.constant || value.add >= dot_symbol)
    return false;
  const Symbol& s = a.symbols[value.add];
  if (s.kind != SymbolKind::expression || !s.has(symbol_anonymous)) return false;
  const ExprNode& node = a.exprs[u32(s.value)];
  if (node.op != ExprOp::eq && node.op != ExprOp::ne) return false;
  const ExprNode& l = a.exprs[node.lhs];
  const ExprNode& r = a.exprs[node.rhs];
  if (l.op != ExprOp::leaf || r.op != ExprOp::leaf) return false;
  if (l.value.sub != no_symbol || r.value.sub != no_symbol) return false;
  result = -i64(same_value(a, l.value, r.value) == (node.op == ExprOp::eq));
  return true;
}

/// .if expression
bool expression_holds(Assembler& a, ConditionalKind kind) {
  const SourceLoc loc = a.here();
  Value value;
  if (!a.expression_value(value)) {
    a.skip_statement();
    return false;
  }
  a.fold(value);
  i64 constant;
  if (equality_of_unknowns(a, value, constant)) return comparison(kind, constant);
  return a.absolute_of(value, constant, "the condition", loc) && comparison(kind, constant);
}

/// Text up to a comma, or to the end of the statement; blanks around it do not count.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// .ifc text, text
bool texts_are_equal(Assembler& a) {
  const char* start = a.p;
  a.skip_statement();
  std::string_view text(start, std::size_t(a.p - start));
  std::string scrubbed;
  if (a.profile.gnu_macros) {
    gnu_macro::scrub(a, text, scrubbed, true);
    text = scrubbed;
  }
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && !a.profile.gnu_macros) in_string = !in_string;
    if (text[i] == ',' && !in_string) return trimmed(text.substr(0, i)) == trimmed(text.substr(i + 1));
  }
  a.error(start, "expected two texts with a comma between them");
  return false;
}

/// .ifeqs "text", "text"
bool strings_are_equal(Assembler& a, bool& ok) {
  std::string first, second;
  ok = parse_message(a, first) && expect_comma(a, "the first string") && parse_message(a, second);
  return first == second;
}

bool name_is_defined(Assembler& a) {
  Name name;
  return parse_name(a, name, "a symbol name") && is_defined(a, name);
}

bool holds(Assembler& a, ConditionalKind kind) {
  bool ok;
  switch (kind) {
    case ConditionalKind::if_blank: return at_end_of_statement(a) || (a.skip_statement(), false);
    case ConditionalKind::if_not_blank: return !at_end_of_statement(a) && (a.skip_statement(), true);
    case ConditionalKind::if_same: return texts_are_equal(a);
    case ConditionalKind::if_not_same: return !texts_are_equal(a);
    case ConditionalKind::if_equal_strings: return strings_are_equal(a, ok) && ok;
    case ConditionalKind::if_unequal_strings: return !strings_are_equal(a, ok) && ok;
    case ConditionalKind::if_defined: return name_is_defined(a);
    case ConditionalKind::if_not_defined: return !name_is_defined(a);
    default: return expression_holds(a, kind);
  }
}

bool active(const Assembler& a) { return a.conditionals.empty() || a.conditionals.back().active; }

bool parent_active(const Assembler& a) {
  return a.conditionals.size() < 2 || a.conditionals[a.conditionals.size() - 2].active;
}

void otherwise(Assembler& a, ConditionalKind kind, SourceLoc loc) {
  const char* name = kind == ConditionalKind::otherwise ? ".else" : ".elseif";
  if (a.conditionals.empty()) {
    a.diags.error(loc, fmt::format("{} without .if", name));
    return a.skip_statement();
  }
  Conditional& c = a.conditionals.back();
  if (c.else_loc) {
    a.diags.error(loc, fmt::format("{} after .else", name));
    a.diags.note(c.else_loc, "here is the .else");
    a.diags.note(c.loc, "of this .if");
    return a.skip_statement();
  }
  if (kind == ConditionalKind::otherwise) c.else_loc = loc;
  if (c.taken || !parent_active(a)) {
    c.active = false;
    if (kind == ConditionalKind::otherwise_if) a.skip_statement();
    return;
  }
  c.active = kind == ConditionalKind::otherwise || holds(a, ConditionalKind::if_ne);
  c.taken = c.active;
}

/// One directive; changes the state only.
void conditional(Assembler& a, ConditionalKind kind, SourceLoc loc) {
  switch (kind) {
    case ConditionalKind::end:
      if (!a.conditionals.empty()) return a.conditionals.pop_back();
      a.diags.error(loc, ".endif without .if");
      return;
    case ConditionalKind::otherwise:
    case ConditionalKind::otherwise_if: return otherwise(a, kind, loc);
    default: break;
  }
  if (!active(a)) {
    a.conditionals.push_back({.loc = loc, .taken = true});
    return a.skip_statement();
  }
  const u32 errors = a.diags.errors();
  const bool taken = holds(a, kind) || (a.diags.errors() != errors && a.profile.failed_condition_holds);
  a.conditionals.push_back({.loc = loc, .taken = taken, .active = taken});
}

}  // namespace

namespace {

/// MRI mode: what stands behind the operand is a comment.
void skip_mri_comment(Assembler& a, ConditionalKind kind) {
  const bool of_a_name = kind == ConditionalKind::if_defined || kind == ConditionalKind::if_not_defined;
  if (!of_a_name) a.skip_statement();
}

/// Tells the listing where lines are left out, and where that ends (-ac).
void list_conditional(Assembler& a, ConditionalKind kind, bool was_active) {
  const bool outer_active = kind == ConditionalKind::end ? active(a) : parent_active(a);
  const bool is_otherwise = kind == ConditionalKind::otherwise || kind == ConditionalKind::otherwise_if;
  if (!outer_active || (kind == ConditionalKind::end && was_active)) return;
  const bool now = active(a);
  if (now && !is_otherwise && kind != ConditionalKind::end) return;
  a.listing.skip(a, !now);
}

}  // namespace

void directive_conditional(Assembler& a, u32 arg) {
  const bool was_active = active(a);
  conditional(a, ConditionalKind(arg), a.loc_of(a.statement_start));
  if (a.macros.mri) [[unlikely]]
    skip_mri_comment(a, ConditionalKind(arg));
  if (a.listing.on) [[unlikely]]
    list_conditional(a, ConditionalKind(arg), was_active);
  if (active(a)) return;
  a.end_statement();
  skip_inactive(a);
}

void skip_inactive(Assembler& a) {
  const char* const end = a.source->end;
  while (a.p < end) {
    // The cursor may stand within a line, behind a separator; the rest of it is passed like a line.
    const char* line = skip_plain_lines(a.p, end);
    a.p = line;
    if (line >= end) return;
    if (*line == a.chars.line_comment && line[-1] == '\n') a.line_comment();
    const void* newline = std::memchr(line, '\n', std::size_t(end - line));
    const char* const line_end = newline ? static_cast<const char*>(newline) : end;
    while (a.p <= line_end && a.p < end) {
      skip_blanks(a);
      a.statement_start = a.p;
      if (*a.p == '.') {
        const Name name = scan_name(a.p);
        const Directive* d = find_directive(name, false);
        if (d && d->handler == directive_conditional) {
          a.p += name.size;
          skip_blanks(a);
          if (a.macros.mri) [[unlikely]]
            before_mri_statement(a, name, a.p);
          conditional(a, ConditionalKind(d->arg), a.loc_of(a.statement_start));
          if (a.macros.mri) skip_mri_comment(a, ConditionalKind(d->arg));
          if (a.listing.on) [[unlikely]] {
            a.listing.skipped_line(a, a.statement_start);
            list_conditional(a, ConditionalKind(d->arg), false);
          }
          if (active(a)) return;
        }
      }
      a.skip_statement();
      pass_statement_end(a);
    }
  }
}

void finish_conditionals(Assembler& a) {
  if (a.conditionals.empty()) return;
  const Conditional& c = a.conditionals.back();
  const bool at_end = a.profile.reports_open_at_end && a.source;
  a.diags.error(at_end ? a.here() : c.loc, "this conditional has no .endif");
  if (at_end) a.diags.note(c.loc, "it was opened here");
  if (c.else_loc) a.diags.note(c.else_loc, "its .else is here");
  a.conditionals.clear();
}

}  // namespace xas
