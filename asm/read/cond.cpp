// Conditional assembly. What is not to be assembled is never parsed: lines without anything that may be a directive of
// interest are passed sixteen bytes at a time, the others are looked at for their first word only.
#include "asm/read/cond.h"

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/read/parse.h"

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

Standing standing(const Program& program, u32 node, unsigned& steps);

Standing standing(const Program& program, const Value& v, unsigned& steps) {
  if (v.add == no_symbol || v.sub != no_symbol) return Standing::number;
  if (v.add == dot_symbol) return Standing::place;
  const Symbol& s = program.symbols[v.add];
  if (s.kind == SymbolKind::expression) return standing(program, u32(s.value), steps);
  return s.kind == SymbolKind::absolute ? Standing::number : s.is_defined() ? Standing::place : Standing::unknown;
}

Standing standing(const Program& program, u32 node, unsigned& steps) {
  constexpr unsigned most_steps = 400;  // trees may share parts, so that their size says nothing about the time
  const ExprNode& n = program.exprs[node];
  if (++steps > most_steps) return Standing::place;
  if (n.op == ExprOp::leaf) return standing(program, n.value, steps);
  const Standing l = standing(program, n.lhs, steps);
  if (n.op == ExprOp::neg || n.op == ExprOp::bit_not || n.op == ExprOp::log_not) return l;
  const Standing r = standing(program, n.rhs, steps);
  if (l == Standing::number) return r;
  if (r == Standing::number) return l;
  return n.op == ExprOp::sub ? Standing::number : l != Standing::unknown ? l : r;
}

bool is_defined(const Program& program, const Name& name) {
  const SymbolId id = program.symbols.find(name);
  if (id == no_symbol || !program.symbols[id].is_defined() || program.symbols[id].kind == SymbolKind::register_)
    return false;
  unsigned steps = 0;
  return !program.profile.ifdef_needs_place || standing(program, {.add = id}, steps) != Standing::unknown;
}

/// What a symbol stands for, as far as it is another symbol and a number.
Value through_aliases(const Program& program, Value v) {
  constexpr unsigned deepest = 64;
  for (unsigned depth = 0; depth < deepest && v.add < dot_symbol; ++depth) {
    const Symbol& s = program.symbols[v.add];
    if (s.kind != SymbolKind::expression) break;
    const ExprNode& node = program.exprs[u32(s.value)];
    if (node.op != ExprOp::leaf || !node.value.is_symbol_plus_constant()) break;
    v.add = node.value.add;
    v.constant += node.value.constant;
  }
  return v;
}

/// True if two values are the same whatever their symbols come to.
bool same_value(const Program& program, Value l, Value r) {
  l = through_aliases(program, l);
  r = through_aliases(program, r);
  if (l.add == r.add) return l.constant == r.constant;
  if (l.add >= dot_symbol || r.add >= dot_symbol) return false;
  const Symbol& x = program.symbols[l.add];
  const Symbol& y = program.symbols[r.add];
  return x.kind == SymbolKind::label && y.kind == SymbolKind::label && x.where == y.where && x.fragment == y.fragment &&
         x.value + u64(l.constant) == y.value + u64(r.constant);
}

/// GNU as knows whether two values are equal even if it knows neither: different symbols are not. A difference of
/// labels that may still change is none of these.
bool equality_of_unknowns(const Program& program, const Value& value, i64& result) {
  if (!program.profile.unknown_is_unequal || !value.is_symbol_plus_constant() || value.constant ||
      value.add >= dot_symbol)
    return false;
  const Symbol& s = program.symbols[value.add];
  if (s.kind != SymbolKind::expression || !s.has(symbol_anonymous)) return false;
  const ExprNode& node = program.exprs[u32(s.value)];
  if (node.op != ExprOp::eq && node.op != ExprOp::ne) return false;
  const ExprNode& l = program.exprs[node.lhs];
  const ExprNode& r = program.exprs[node.rhs];
  if (l.op != ExprOp::leaf || r.op != ExprOp::leaf) return false;
  if (l.value.sub != no_symbol || r.value.sub != no_symbol) return false;
  result = -i64(same_value(program, l.value, r.value) == (node.op == ExprOp::eq));
  return true;
}

/// .if expression
bool expression_holds(Reader& in, ConditionalKind kind) {
  const SourceLoc loc = in.here();
  Value value;
  if (!in.expression_value(value)) {
    in.skip_statement();
    return false;
  }
  in.out.fold(value);
  i64 constant;
  if (equality_of_unknowns(in.program(), value, constant)) return comparison(kind, constant);
  return in.absolute_of(value, constant, "the condition", loc) && comparison(kind, constant);
}

/// Text up to a comma, or to the end of the statement; blanks around it do not count.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// .ifc text, text
bool texts_are_equal(Reader& in) {
  const char* start = in.p;
  in.skip_statement();
  std::string_view text(start, std::size_t(in.p - start));
  std::string scrubbed;
  if (in.program().profile.scrubs_macros) {
    gnu_macro::scrub(in.program(), text, scrubbed, true);
    text = scrubbed;
  }
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && !in.program().profile.scrubs_macros) in_string = !in_string;
    if (text[i] == ',' && !in_string) return trimmed(text.substr(0, i)) == trimmed(text.substr(i + 1));
  }
  in.error(start, "expected two texts with a comma between them");
  return false;
}

/// .ifeqs "text", "text"
bool strings_are_equal(Reader& in, bool& ok) {
  std::string first, second;
  ok = parse_message(in, first) && expect_comma(in, "the first string") && parse_message(in, second);
  return first == second;
}

bool name_is_defined(Reader& in) {
  Name name;
  return parse_name(in, name, "a symbol name") && is_defined(in.program(), name);
}

bool holds(Reader& in, ConditionalKind kind) {
  bool ok;
  switch (kind) {
    case ConditionalKind::if_blank: return at_end_of_statement(in) || (in.skip_statement(), false);
    case ConditionalKind::if_not_blank: return !at_end_of_statement(in) && (in.skip_statement(), true);
    case ConditionalKind::if_same: return texts_are_equal(in);
    case ConditionalKind::if_not_same: return !texts_are_equal(in);
    case ConditionalKind::if_equal_strings: return strings_are_equal(in, ok) && ok;
    case ConditionalKind::if_unequal_strings: return !strings_are_equal(in, ok) && ok;
    case ConditionalKind::if_defined: return name_is_defined(in);
    case ConditionalKind::if_not_defined: return !name_is_defined(in);
    default: return expression_holds(in, kind);
  }
}

bool active(const Reader& in) { return in.conditionals.empty() || in.conditionals.back().active; }

bool parent_active(const Reader& in) {
  return in.conditionals.size() < 2 || in.conditionals[in.conditionals.size() - 2].active;
}

void otherwise(Reader& in, ConditionalKind kind, SourceLoc loc) {
  const char* name = kind == ConditionalKind::otherwise ? ".else" : ".elseif";
  if (in.conditionals.empty()) {
    in.program().diags.error(loc, fmt::format("{} without .if", name));
    return in.skip_statement();
  }
  Conditional& c = in.conditionals.back();
  if (c.else_loc) {
    in.program().diags.error(loc, fmt::format("{} after .else", name));
    in.program().diags.note(c.else_loc, "here is the .else");
    in.program().diags.note(c.loc, "of this .if");
    return in.skip_statement();
  }
  if (kind == ConditionalKind::otherwise) c.else_loc = loc;
  if (c.taken || !parent_active(in)) {
    c.active = false;
    if (kind == ConditionalKind::otherwise_if) in.skip_statement();
    return;
  }
  c.active = kind == ConditionalKind::otherwise || holds(in, ConditionalKind::if_ne);
  c.taken = c.active;
}

/// One directive; changes the state only.
void conditional(Reader& in, ConditionalKind kind, SourceLoc loc) {
  switch (kind) {
    case ConditionalKind::end:
      if (!in.conditionals.empty()) return in.conditionals.pop_back();
      in.program().diags.error(loc, ".endif without .if");
      return;
    case ConditionalKind::otherwise:
    case ConditionalKind::otherwise_if: return otherwise(in, kind, loc);
    default: break;
  }
  if (!active(in)) {
    in.conditionals.push_back({.loc = loc, .taken = true});
    return in.skip_statement();
  }
  const u32 errors = in.program().diags.errors();
  const bool taken =
      holds(in, kind) || (in.program().diags.errors() != errors && in.program().profile.failed_condition_holds);
  in.conditionals.push_back({.loc = loc, .taken = taken, .active = taken});
}

}  // namespace

namespace {

/// MRI mode: what stands behind the operand is a comment.
void skip_mri_comment(Reader& in, ConditionalKind kind) {
  const bool of_a_name = kind == ConditionalKind::if_defined || kind == ConditionalKind::if_not_defined;
  if (!of_a_name) in.skip_statement();
}

/// Tells the listing where lines are left out, and where that ends (-ac).
void list_conditional(Reader& in, ConditionalKind kind, bool was_active) {
  const bool outer_active = kind == ConditionalKind::end ? active(in) : parent_active(in);
  const bool is_otherwise = kind == ConditionalKind::otherwise || kind == ConditionalKind::otherwise_if;
  if (!outer_active || (kind == ConditionalKind::end && was_active)) return;
  const bool now = active(in);
  if (now && !is_otherwise && kind != ConditionalKind::end) return;
  in.program().listing.skip(in.program(), !now);
}

}  // namespace

void directive_conditional(Reader& in, u32 arg) {
  const bool was_active = active(in);
  conditional(in, ConditionalKind(arg), in.program().sources.statement_loc());
  if (in.macros.mri) [[unlikely]]
    skip_mri_comment(in, ConditionalKind(arg));
  if (in.program().listing.on) [[unlikely]]
    list_conditional(in, ConditionalKind(arg), was_active);
  if (active(in)) return;
  in.end_statement();
  skip_inactive(in);
}

void skip_inactive(Reader& in) {
  const char* const end = in.program().sources.current->end;
  while (in.p < end) {
    // The cursor may stand within a line, behind a separator; the rest of it is passed like a line.
    const char* line = skip_plain_lines(in.p, end);
    in.p = line;
    if (line >= end) return;
    if (*line == in.program().chars.line_comment && line[-1] == '\n') in.line_comment();
    const void* newline = std::memchr(line, '\n', std::size_t(end - line));
    const char* const line_end = newline ? static_cast<const char*>(newline) : end;
    while (in.p <= line_end && in.p < end) {
      skip_blanks(in);
      in.program().sources.statement = in.p;
      if (*in.p == '.') {
        const Name name = scan_name(in.p);
        const Directive* d = find_directive(name, false);
        if (d && d->handler == directive_conditional) {
          in.p += name.size;
          skip_blanks(in);
          if (in.macros.mri) [[unlikely]]
            before_mri_statement(in, name, in.p);
          conditional(in, ConditionalKind(d->arg), in.program().sources.statement_loc());
          if (in.macros.mri) skip_mri_comment(in, ConditionalKind(d->arg));
          if (in.program().listing.on) [[unlikely]] {
            in.program().listing.skipped_line(in, in.program().sources.statement);
            list_conditional(in, ConditionalKind(d->arg), false);
          }
          if (active(in)) return;
        }
      }
      in.skip_statement();
      pass_statement_end(in);
    }
  }
}

void finish_conditionals(Reader& in) {
  if (in.conditionals.empty()) return;
  const Conditional& c = in.conditionals.back();
  const bool at_end = in.program().profile.reports_open_at_end && in.program().sources.current;
  in.program().diags.error(at_end ? in.here() : c.loc, "this conditional has no .endif");
  if (at_end) in.program().diags.note(c.loc, "it was opened here");
  if (c.else_loc) in.program().diags.note(c.else_loc, "its .else is here");
  in.conditionals.clear();
}

}  // namespace xas
