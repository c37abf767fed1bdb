// SPDX-License-Identifier: Apache-2.0
// Conditional assembly. What is not to be assembled is never parsed: lines without anything that may be a directive of
// interest are passed sixteen bytes at a time, the others are looked at for their first word only.
#include "asm/read/cond.h"

#include <fmt/format.h>

#include <cstring>

#include "asm/directives/directives.h"
#include "asm/read/listing.h"
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
  constexpr unsigned max_steps = 400;  // trees may share parts, so that their size says nothing about the time
  const ExprNode& n = program.exprs[node];
  if (++steps > max_steps) return Standing::place;
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
    v.constant = i64(u64(v.constant) + u64(node.value.constant));
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

/// The condition at p, if it is the kind that macros make: number [ operator number ], and nothing else in the line.
/// Where the line ends; null: it is another one.
const char* plain_condition(const CharTable& chars, const char* p, i64& value) {
  u64 l, r;
  const char* q = plain_number(p, l);
  if (!q) return nullptr;
  q = skip_blanks(chars, q);
  if (*q != '\n') {
    const char first = *q++;
    const bool or_equal = *q == '=';
    if ((first == '=' || first == '!') && !or_equal) return nullptr;
    if (first != '=' && first != '!' && first != '<' && first != '>') return nullptr;
    q = plain_number(skip_blanks(chars, q + or_equal), r);
    if (!q) return nullptr;
    q = skip_blanks(chars, q);
    if (*q != '\n') return nullptr;
    const i64 a = i64(l), b = i64(r);
    const bool holds = first == '=' ? a == b : first == '!' ? a != b : first == '<' ? a < b : a > b;
    l = holds || (or_equal && a == b && first != '!') ? ~u64(0) : 0;
  }
  value = i64(l);
  return q;
}

/// .if expression
bool expression_holds(Reader& reader, ConditionalKind kind) {
  const SourceLoc loc = reader.program().sources.passing_loc_of(reader.p);
  i64 constant;
  const char* const plain = reader.macros.mri ? nullptr : plain_condition(reader.program().chars, reader.p, constant);
  if (plain) {
    reader.p = plain;
    return comparison(kind, constant);
  }
  Value value;
  if (!reader.expression_value(value)) {
    reader.skip_statement();
    return false;
  }
  reader.out.fold(value);
  reader.program().values.new_state();
  if (reader.out.number_by_now(value, constant)) return comparison(kind, constant);
  if (equality_of_unknowns(reader.program(), value, constant)) return comparison(kind, constant);
  return reader.absolute_of(value, constant, "the condition", loc) && comparison(kind, constant);
}

/// Text up to a comma, or to the end of the statement; blanks around it do not count.
std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\f\v";
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// .ifc text, text
bool texts_are_equal(Reader& reader) {
  const char* const start = reader.p;
  std::string_view text;
  std::string scrubbed;
  if (reader.program().profile.scrubs_macros) {
    gnu_macro::scrub(reader.program(), gnu_macro::take_operands(reader), scrubbed, true);
    text = scrubbed;
  } else {
    reader.skip_statement();
    text = {start, std::size_t(reader.p - start)};
  }
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' && !reader.program().profile.scrubs_macros) in_string = !in_string;
    if (text[i] == ',' && !in_string) return trimmed(text.substr(0, i)) == trimmed(text.substr(i + 1));
  }
  reader.expected(start, "two texts with a comma between them");
  return false;
}

/// .ifeqs "text", "text"
bool strings_are_equal(Reader& reader, bool& ok) {
  std::string first, second;
  ok = parse_message(reader, first) && expect_comma(reader, "the first string") && parse_message(reader, second);
  return first == second;
}

bool name_is_defined(Reader& reader) {
  Name name;
  if (parse_name(reader, name, "a symbol name")) return is_defined(reader.program(), name);
  reader.skip_statement();
  return false;
}

bool holds(Reader& reader, ConditionalKind kind) {
  bool ok;
  switch (kind) {
    case ConditionalKind::if_blank: return at_end_of_statement(reader) || (reader.skip_statement(), false);
    case ConditionalKind::if_not_blank: return !at_end_of_statement(reader) && (reader.skip_statement(), true);
    case ConditionalKind::if_same: return texts_are_equal(reader);
    case ConditionalKind::if_not_same: return !texts_are_equal(reader);
    case ConditionalKind::if_equal_strings: return strings_are_equal(reader, ok) && ok;
    case ConditionalKind::if_unequal_strings: return !strings_are_equal(reader, ok) && ok;
    case ConditionalKind::if_defined: return name_is_defined(reader);
    case ConditionalKind::if_not_defined: return !name_is_defined(reader);
    default: return expression_holds(reader, kind);
  }
}

bool active(const Reader& reader) { return reader.conditionals.empty() || reader.conditionals.back().active; }

bool parent_active(const Reader& reader) {
  return reader.conditionals.size() < 2 || reader.conditionals[reader.conditionals.size() - 2].active;
}

/// The innermost conditional goes on or ends. If it was opened before the current buffer, places in this one may be
/// remembered in its stead.
void change_innermost(const Sources& sources, const Conditionals& conditionals) {
  if (!sources.open.empty() && conditionals.size() <= sources.open.back().conditionals) sources.current->stays = true;
}

void otherwise(Reader& reader, ConditionalKind kind, SourceLoc loc) {
  const char* name = kind == ConditionalKind::otherwise ? ".else" : ".elseif";
  if (reader.conditionals.empty()) {
    reader.program().diags.error(loc, fmt::format("{} without .if", name));
    return reader.skip_statement();
  }
  Conditional& c = reader.conditionals.back();
  if (c.else_loc) {
    reader.program().diags.error(loc, fmt::format("{} after .else", name));
    reader.program().diags.note(c.else_loc, "here is the .else");
    reader.program().diags.note(c.loc, "of this .if");
    return reader.skip_statement();
  }
  if (kind == ConditionalKind::otherwise) c.else_loc = loc;
  change_innermost(reader.program().sources, reader.conditionals);
  if (c.taken || !parent_active(reader)) {
    c.active = false;
    if (kind == ConditionalKind::otherwise_if) reader.skip_statement();
    return;
  }
  c.active = kind == ConditionalKind::otherwise || holds(reader, ConditionalKind::if_ne);
  c.taken = c.active;
}

/// One directive; changes the state only.
void conditional(Reader& reader, ConditionalKind kind) {
  const Sources& sources = reader.program().sources;
  const SourceLoc loc = sources.passing_loc_of(sources.statement);
  switch (kind) {
    case ConditionalKind::end:
      change_innermost(sources, reader.conditionals);
      if (!reader.conditionals.empty()) return reader.conditionals.pop_back();
      reader.program().diags.error(loc, ".endif without .if");
      return;
    case ConditionalKind::otherwise:
    case ConditionalKind::otherwise_if: return otherwise(reader, kind, loc);
    default: break;
  }
  if (!active(reader)) {
    reader.conditionals.push_back({.loc = loc, .taken = true});
    return reader.skip_statement();
  }
  const u32 errors = reader.program().diags.errors();
  const bool taken = holds(reader, kind) ||
                     (reader.program().diags.errors() != errors && reader.program().profile.failed_condition_holds);
  reader.conditionals.push_back({.loc = loc, .taken = taken, .active = taken});
}

}  // namespace

namespace {

/// MRI mode: what stands behind the operand is a comment.
void skip_mri_comment(Reader& reader, ConditionalKind kind) {
  const bool of_a_name = kind == ConditionalKind::if_defined || kind == ConditionalKind::if_not_defined;
  if (!of_a_name) reader.skip_statement();
}

/// Tells the listing where lines are left out, and where that ends (-ac).
void list_conditional(Reader& reader, ConditionalKind kind, bool was_active) {
  const bool outer_active = kind == ConditionalKind::end ? active(reader) : parent_active(reader);
  const bool is_otherwise = kind == ConditionalKind::otherwise || kind == ConditionalKind::otherwise_if;
  if (!outer_active || (kind == ConditionalKind::end && was_active)) return;
  const bool now = active(reader);
  if (now && !is_otherwise && kind != ConditionalKind::end) return;
  reader.program().listing.skip(reader.program(), !now);
}

}  // namespace

void directive_conditional(Reader& reader, u32 arg) {
  const bool was_active = active(reader);
  conditional(reader, ConditionalKind(arg));
  if (reader.macros.mri) [[unlikely]]
    skip_mri_comment(reader, ConditionalKind(arg));
  if (reader.program().listing.on) [[unlikely]]
    list_conditional(reader, ConditionalKind(arg), was_active);
  if (active(reader)) return;
  reader.end_statement();
  skip_inactive(reader);
}

void skip_inactive(Reader& reader) {
  reader.program().sources.wait_for_all();
  const char* const end = reader.program().sources.current->end;
  while (reader.p < end) {
    // The cursor may stand within a line, behind a separator; the rest of it is passed like a line.
    const char* line = skip_plain_lines(reader.p, end);
    reader.p = line;
    if (line >= end) return;
    if (*line == reader.program().chars.line_comment && line[-1] == '\n') reader.line_comment();
    const void* newline = std::memchr(line, '\n', std::size_t(end - line));
    const char* const line_end = newline ? static_cast<const char*>(newline) : end;
    while (reader.p <= line_end && reader.p < end) {
      skip_blanks(reader);
      reader.program().sources.statement = reader.p;
      if (*reader.p == '.') {
        const Name name = scan_name(reader.p);
        const Directive* d = find_directive(name, false);
        if (d && d->handler == directive_conditional) {
          reader.p += name.size;
          skip_blanks(reader);
          if (reader.macros.mri) [[unlikely]]
            before_mri_statement(reader, name, reader.p);
          conditional(reader, ConditionalKind(d->arg));
          if (reader.macros.mri) skip_mri_comment(reader, ConditionalKind(d->arg));
          if (reader.program().listing.on) [[unlikely]] {
            list_skipped_line(reader, reader.program().sources.statement);
            list_conditional(reader, ConditionalKind(d->arg), false);
          }
          if (active(reader)) return;
        }
      }
      reader.skip_statement();
      pass_statement_end(reader);
    }
  }
}

namespace {

/// A line that is .else or .endif and nothing else.
struct BranchEnd {
  const char* text;  ///< null: there may be more to see
  const char* newline;
  bool is_else;
};

/// Where the branch ends that begins at p, the start of a line, if no other conditional stands in it.
BranchEnd plain_branch_end(const CharTable& chars, const char* p, const char* end) {
  constexpr std::string_view otherwise = ".else\n", endif = ".endif\n";
  const char* const line = skip_plain_lines(p, end);
  if (line >= end) return {};
  const char* const text = skip_blanks(chars, line);
  for (const std::string_view word : {otherwise, endif}) {
    if (std::memcmp(text, word.data(), word.size()) != 0) continue;
    const char* const newline = text + word.size() - 1;
    return newline < end ? BranchEnd{text, newline, word == otherwise} : BranchEnd{};
  }
  return {};
}

}  // namespace

const char* plain_conditional(const Program& program, Conditionals& open, ConditionalKind kind, const char* text,
                              const char* operand, const char* newline) {
  const Sources& sources = program.sources;
  const char* const window_end = sources.current->window_end;
  if (kind == ConditionalKind::end || kind == ConditionalKind::otherwise) {
    if (operand != newline || open.empty()) return nullptr;
    if (kind == ConditionalKind::otherwise) {
      const BranchEnd end = plain_branch_end(program.chars, newline + 1, window_end);
      if (open.back().else_loc || !end.text || end.is_else) return nullptr;
      newline = end.newline;
    }
    change_innermost(sources, open);
    open.pop_back();
    return newline;
  }
  i64 value;
  if (kind > ConditionalKind::if_lt) return nullptr;
  newline = plain_condition(program.chars, operand, value);
  if (!newline) return nullptr;
  Conditional opened = {.loc = sources.passing_loc_of(text), .taken = true, .active = true};
  if (!comparison(kind, value)) {
    const BranchEnd end = plain_branch_end(program.chars, newline + 1, window_end);
    if (!end.text) return nullptr;
    newline = end.newline;
    if (!end.is_else) return newline;
    opened.else_loc = sources.passing_loc_of(end.text);
  }
  open.push_back(opened);
  return newline;
}

void finish_conditionals(Reader& reader) {
  if (reader.conditionals.empty()) return;
  const Conditional& c = reader.conditionals.back();
  const bool at_end = reader.program().profile.reports_open_at_end && reader.program().sources.current;
  reader.program().diags.error(at_end ? reader.here() : c.loc, "this conditional has no .endif");
  if (at_end) reader.program().diags.note(c.loc, "it was opened here");
  if (c.else_loc) reader.program().diags.note(c.else_loc, "its .else is here");
  reader.conditionals.clear();
}

}  // namespace xas
