// SPDX-License-Identifier: Apache-2.0
// Reading expressions. What their constants are, expr_constants.h reads; what operators make of values,
// expr_operators.h.
//
// Both reference assemblers use GNU as's table of precedences, which is not C's: shifts bind like multiplication, and
// the bit operators bind tighter than + and -. Comparisons give -1, logical operators 1.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "asm/program/expr_pool.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/expr_constants.h"
#include "asm/read/expr_operators.h"
#include "asm/read/parse.h"
#include "asm/read/plain_operand.h"
#include "asm/read/reader.h"
#include "targets/advice.h"

namespace xas {

namespace {

struct Operator {
  ExprOp op;
  u8 precedence;  ///< higher binds tighter; 0: no operator
  u8 length;
};

/// operator := '*' | '/' | '%' | '<<' | '>>' | '|' | '&' | '^' | '!' | '+' | '-' | '==' | '!=' | '<>' | ...
Operator operator_at(const char* p, bool bangs_are_xor) {
  switch (*p) {
    case '*': return {ExprOp::mul, 6, 1};
    case '/': return p[1] == '*' || p[1] == '/' ? Operator{} : Operator{ExprOp::div, 6, 1};
    case '%': return {ExprOp::mod, 6, 1};
    case '<':
      if (p[1] == '<') return {ExprOp::shl, 6, 2};
      if (p[1] == '=') return {ExprOp::le, 3, 2};
      if (p[1] == '>') return {ExprOp::ne, 3, 2};
      return {ExprOp::lt, 3, 1};
    case '>':
      if (p[1] == '>') return {ExprOp::shr, 6, 2};
      if (p[1] == '=') return {ExprOp::ge, 3, 2};
      return {ExprOp::gt, 3, 1};
    case '|': return p[1] == '|' ? Operator{ExprOp::log_or, 1, 2} : Operator{ExprOp::bit_or, 5, 1};
    case '&': return p[1] == '&' ? Operator{ExprOp::log_and, 2, 2} : Operator{ExprOp::bit_and, 5, 1};
    case '^': return {ExprOp::bit_xor, 5, 1};
    case '!':
      if (p[1] == '=') return {ExprOp::ne, 3, 2};
      if (bangs_are_xor) {
        u8 n = 1;
        while ((p[n] == ' ' || p[n] == '\t') && n < 100) ++n;
        if (p[n] == '!') return {ExprOp::bit_xor, 5, u8(n + 1)};
      }
      return {ExprOp::bit_or_not, 5, 1};
    case '+': return {ExprOp::add, 4, 1};
    case '-': return {ExprOp::sub, 4, 1};
    case '=': return p[1] == '=' ? Operator{ExprOp::eq, 3, 2} : Operator{};
    default: return {};
  }
}

/// The same for the words that Intel's syntax has, which GNU as then knows in all expressions.
Operator operator_word(const char* p) {
  struct Word {
    char text[4];
    Operator op;
  };
  static constexpr Word words[] = {
      {"mod", {ExprOp::mod, 6, 3}},    {"shl", {ExprOp::shl, 6, 3}},     {"shr", {ExprOp::shr, 6, 3}},
      {"and", {ExprOp::bit_and, 5, 3}}, {"or", {ExprOp::bit_or, 5, 2}},   {"xor", {ExprOp::bit_xor, 5, 3}},
      {"eq", {ExprOp::eq, 3, 2}},       {"ne", {ExprOp::ne, 3, 2}},       {"lt", {ExprOp::lt, 3, 2}},
      {"le", {ExprOp::le, 3, 2}},       {"gt", {ExprOp::gt, 3, 2}},       {"ge", {ExprOp::ge, 3, 2}}};
  char text[4] = {};
  for (unsigned n = 0; u8((p[n] | 0x20) - 'a') <= 25 && n < 4; ++n) text[n] = char(p[n] | 0x20);
  for (const Word& w : words)
    if (std::memcmp(w.text, text, sizeof text) == 0) return w.op;
  return {};
}

/// `not` with an operand behind it.
bool is_not_word(const CharTable& chars, const char* p) {
  if ((p[0] | 0x20) != 'n' || (p[1] | 0x20) != 'o' || (p[2] | 0x20) != 't' || chars.is(p[3], char_name)) return false;
  p = skip_blanks(chars, p + 3);
  return chars.is(*p, char_name) || *p == '(' || *p == '-' || *p == '~' || *p == '"';
}

class ExpressionReader {
 public:
  ExpressionReader(Reader& reader, const char*& p) : reader_(reader), p_(p) {}

  bool signs_number = false;             ///< it has a modifier that a number can have
  SymbolId late_got_symbol = no_symbol;  ///< its modifier has made the symbol of the GOT

  /// The text that the name stands for, with what its symbols, and '.', mean by now.
  bool equation(SymbolId id, Value& out) {
    const Equation e = reader_.equations.at(id);
    const SourceBuffer* const outer = std::exchange(reader_.program().sources.current, e.source);
    const char* q = e.text;
    ExpressionReader inner(reader_, q);
    inner.depth_ = depth_ + 1;
    const bool ok = inner.read(out, 1);
    reader_.program().sources.current = outer;
    return ok;
  }

  bool read(Value& out, unsigned min_precedence) {
    if (++depth_ > max_depth) {
      reader_.error(p_, fmt::format("expression is nested deeper than {} levels", max_depth));
      return false;
    }
    const bool ok = primary(out) && binary(out, min_precedence);
    --depth_;
    return ok;
  }

  /// A primary by itself: a term of Intel's syntax, where GNU as looks at the modifier when it has the name.
  bool term(Value& out) {
    name_comes_first_ = true;
    return primary(out);
  }

 private:
  static constexpr unsigned max_depth = 400;

  void blanks() {
    while (reader_.program().chars.is(*p_, char_blank)) ++p_;
    if (*p_ == '/' && p_[1] == '*') at_cursor([&] { skip_blanks(reader_); });
  }

  /// `read` works at the Reader's cursor: that is put here and back. p_ may be that cursor itself, and is set last.
  template <class Read>
  void at_cursor(const Read& read) {
    const char* const saved = std::exchange(reader_.p, p_);
    read();
    const char* const after = std::exchange(reader_.p, saved);
    p_ = after;
  }

  bool is_not(const char* p) {
    return is_not_word(reader_.program().chars, p) && reader_.program().target.dollar_is_here();
  }

  /// Nothing is left of the operand.
  bool missing() {
    blanks();
    return *p_ == ',' || *p_ == ')' || ends_statement();
  }

  bool ends_statement() {
    bool ends = false;
    at_cursor([&] { ends = at_end(reader_); });
    return ends;
  }

  /// binary := { operator primary }, by precedence climbing
  bool binary(Value& lhs, unsigned min_precedence) {
    for (;;) {
      blanks();
      Operator o = operator_at(p_, reader_.program().profile.bangs_are_xor);
      if (o.precedence == 0 && reader_.program().chars.is(*p_, char_name_start) &&
          reader_.program().target.dollar_is_here())
        o = operator_word(p_);
      if (o.precedence == 0 || o.precedence < min_precedence) return true;
      const char* at = p_;
      p_ += o.length;
      Value rhs;
      if (o.op == ExprOp::bit_or_not && reader_.out.bang_may_follow && (blanks(), ends_statement())) {
        p_ = at;
        return true;
      }
      if (reader_.program().profile.missing_is_zero && missing()) {
        reader_.warning(p_, "an operand is missing; it is taken as 0");
      } else if (!read(rhs, o.precedence + 1u)) {
        return false;
      }
      if (!apply_operator(reader_.out, o.op, lhs, rhs, at)) return false;
    }
  }

  /// primary := number | character | name | '.' | '(' expression ')' | '[' expression ']' | ('-' | '+' | '~' | '!')
  /// primary
  bool primary(Value& out) {
    blanks();
    const char c = *p_;
    if (u8(c - '0') <= 9) return read_number(reader_, p_, out) && modifier_of_all(out);
    if ((c | 0x20) == 'n' && is_not(p_)) return signed_primary(out, ExprOp::bit_not, 3);
    if (reader_.program().chars.is(c, char_name_start)) return name(out);
    switch (c) {
      case '-': return signed_primary(out, ExprOp::neg, 1);
      case '~': return signed_primary(out, ExprOp::bit_not, 1);
      case '!': return signed_primary(out, ExprOp::log_not, 1);
      case '+': return signed_primary(out, ExprOp::leaf, 1);
      case '(':
      case '[': {
        if (parenthesized_number(out)) return true;
        return in_brackets(out) && modifier_of_all(out);
      }
      case '\'': return read_character(reader_, p_, out);
      case '$':
      case '%':
        if (reader_.program().options.motorola_integers) return read_motorola_number(reader_, p_, out);
        if (c == '%' && reader_.program().info.syntax.percent_modifiers) return percent_modifier(out);
        if (c == '%' && compared_registers(out)) return true;
        break;
      case '"': return quoted(out);
      default: break;
    }
    reader_.expected(p_, "an expression");
    return false;
  }

  /// '(' expression ')' | '[' expression ']'
  bool in_brackets(Value& out) {
    const char* const open = p_++;
    if (!read(out, 1)) return false;
    blanks();
    if (*p_ != (*open == '(' ? ')' : ']')) {
      reader_.expected(p_, *open == '(' ? "')'" : "']'");
      reader_.note(open, "to close this");
      return false;
    }
    ++p_;
    return true;
  }

  /// ((17)): macros put parentheses around all that they are given. False, nothing read, if it is something else.
  bool parenthesized_number(Value& out) {
    if (p_ < searched_ || reader_.program().options.masm_integers) return false;
    const char* q = p_;
    while (*q == '(') ++q;
    searched_ = q;
    auto left = unsigned(q - p_);
    u64 v;
    if (left == 0 || left > max_depth - depth_ || !(q = plain_number(q, v))) return false;
    for (; left; --left)
      if (*q++ != ')') return false;
    if (*q == '@' || *q == '(') return false;
    p_ = q;
    out.constant = i64(v);
    return true;
  }

  /// An operator of `length` characters and what it is for; the leaf stands for one that does nothing.
  bool signed_primary(Value& out, ExprOp op, unsigned length) {
    const char* const at = p_;
    p_ += length;
    if (++depth_ > max_depth) {
      reader_.error(at, fmt::format("expression is nested deeper than {} levels", max_depth));
      return false;
    }
    if (reader_.program().profile.missing_is_zero && missing() && *p_ != ')') {
      reader_.warning(at, "an operand is missing; it is taken as 0");
      --depth_;
      return true;
    }
    if (!primary(out)) return false;
    --depth_;
    return op == ExprOp::leaf || apply_operator(reader_.out, op, out, at);
  }

  /// register ('==' | '!=' | '<>') register, which is all that registers are good for here: macros ask which one they
  /// were given. False, nothing read, if it is something else.
  bool compared_registers(Value& out) {
    const char* q = p_;
    const int left = parse_any_register(reader_, q);
    if (left < 0) return false;
    q = skip_blanks(reader_.program().chars, q);
    const bool equal = q[0] == '=' && q[1] == '=';
    if (!equal && !(q[1] == (q[0] == '!' ? '=' : '>') && (q[0] == '!' || q[0] == '<'))) return false;
    q = skip_blanks(reader_.program().chars, q + 2);
    const int right = parse_any_register(reader_, q);
    if (right < 0) return false;
    p_ = q;
    out.constant = -i64((left == right) == equal);
    return true;
  }

  bool quoted(Value& out) {
    Name n;
    bool ok = false;
    at_cursor([&] { ok = parse_name(reader_, n, "symbol name"); });
    return ok && symbol_with_modifier(n, out);
  }

  bool name(Value& out) {
    Name n = scan_name(reader_.program().chars, p_);
    if (reader_.program().chars.wide_names) n = before_modifier(n);
    if (n.size == 1 && (*p_ == '.' || (*p_ == '$' && reader_.program().target.dollar_is_here()))) {
      ++p_;
      if (reader_.out.in_absolute_space()) {
        out.constant = i64(reader_.out.current->size);
        return true;
      }
      out.add = dot_symbol;
      return true;
    }
    p_ += n.size;
    if (n.p[n.size - 1] == '.' && n.size > 1 && is_section_fact(n)) return section_fact(n, out);
    return symbol_with_modifier(n, out);
  }

  /// The name has been passed.
  bool symbol_with_modifier(const Name& n, Value& out) {
    pass_blanks_before_modifier();
    const char* const at = p_;
    const bool has_modifier = *at == '@' && reader_.program().profile.got_symbol_from_modifier;
    if (has_modifier && !name_comes_first_) make_got_symbol(at);
    if (!symbol(n, out)) return false;
    if (has_modifier && name_comes_first_) make_got_symbol(at);
    return modifier(out);
  }

  /// `foo @GOTOFF(%ebx)`: blanks may stand there.
  void pass_blanks_before_modifier() {
    if (!reader_.program().chars.is(*p_, char_blank)) [[likely]]
      return;
    const char* const at = skip_blank_run(reader_.program().chars, p_);
    if (*at == '@' && !reader_.program().info.syntax.paren_modifiers) p_ = at;
  }

  /// The part of a name with '@' that stands before a modifier, if what follows the first '@' is one.
  Name before_modifier(const Name& n) const {
    const void* at = std::memchr(n.p, '@', n.size);
    if (!at || at == n.p) return n;
    const u32 size = u32(static_cast<const char*>(at) - n.p);
    if (reader_.program().target.modifier({n.p + size + 1, n.size - size - 1}) == 0) return n;
    return {n.p, size, hash_name_padded(n.p, size)};
  }

  /// Of .startof. or .sizeof. has been read, and a section's name in parentheses follows, behind blanks or not.
  bool is_section_fact(const Name& n) const {
    return (n.text() == ".startof." || n.text() == ".sizeof.") && *skip_blanks(reader_.program().chars, p_) == '(';
  }

  /// .startof.(section), .sizeof.(section): symbols that the linker makes
  bool section_fact(const Name& kind, Value& out) {
    const char* start = skip_blanks(reader_.program().chars, p_) + 1;
    const char* q = start;
    while (*q != ')' && *q != '\n' && !reader_.program().chars.is(*q, char_blank) &&
           q < reader_.program().sources.current->end)
      ++q;
    if (*q != ')') {
      reader_.expected(q, "')'");
      return false;
    }
    out.add = reader_.program().symbols.intern_copy(std::string(kind.text()) + std::string(start, q));
    reader_.program().symbols[out.add].flags |= symbol_referenced;
    p_ = q + 1;
    return true;
  }

  /// GNU as looks ahead for a modifier that needs the GOT, and makes its symbol before the one that it belongs to.
  void make_got_symbol(const char* at) {
    const u16 m = reader_.program().target.modifier({at + 1, name_length(at + 1)});
    if (m == 0 || !reader_.program().target.uses_got(m)) return;
    Symbol& s = reader_.program().symbols[reader_.program().symbols.intern_copy("_GLOBAL_OFFSET_TABLE_")];
    s.flags |= symbol_referenced;
    if (s.loc == 0) s.mention(reader_.loc_of(at));
  }

  bool symbol(const Name& n, Value& out) {
    const SymbolId id = reader_.program().symbols.intern(n);
    Symbol& s = reader_.program().symbols[id];
    if (reader_.program().info.syntax.numbers_have_names && s.kind == SymbolKind::undefined &&
        reader_.program().target.named_number(n.text(), out.constant)) [[unlikely]]
      return true;
    s.flags |= reader_.reference_flag;
    if (s.loc == 0) s.mention(reader_.loc_of(n.p));
    // With a modifier the linker is asked for the symbol.
    if (s.kind == SymbolKind::absolute && *p_ != '@' &&
        !(*p_ == '(' && reader_.program().info.syntax.paren_modifiers)) {
      out.constant = i64(s.value);
      return true;
    }
    if (s.kind == SymbolKind::register_) {
      const char* const behind = std::exchange(p_, n.p);
      if (compared_registers(out)) return true;
      p_ = behind;
      reader_.error(n.p, fmt::format("'{}' stands for a register and can't be part of an expression", n.text()));
      return false;
    }
    if (s.has(symbol_equation)) return equation(id, out);
    out.add = id;
    return true;
  }

  /// A modifier behind a number or brackets: foo+4@GOT is foo@GOT+4.
  bool modifier_of_all(Value& out) {
    if (*p_ == '@' && reader_.program().profile.got_symbol_from_modifier) [[unlikely]] {
      const SymbolId known = reader_.program().symbols.size();
      make_got_symbol(p_);
      if (known < reader_.program().symbols.size()) late_got_symbol = known;
    }
    return modifier(out);
  }

  /// '@' "AUTH" '(' parameters ')', with blanks between: how a pointer is signed. p_ is moved behind it.
  bool signing(const char* at, Value& out) {
    constexpr std::string_view name = "AUTH";
    const CharTable& chars = reader_.program().chars;
    const char* const q = skip_blanks(chars, at + 1);
    if (*q != name[0] || std::string_view(q, name_length(q)) != name) return false;
    const char* const open = skip_blanks(chars, q + name.size());
    if (*open != '(') return false;
    const char* end = open + 1;
    while (*end != ')' && *end != '\n' && *end != '\0') ++end;
    if (*end != ')') return false;
    const std::string_view parameters(open, end + 1);
    out.modifier = reader_.program().target.modifier(std::string(name).append(parameters));
    if (out.modifier == 0) return false;
    p_ = end + 1;
    signs_number |= out.is_constant();  // a number that is to be signed
    return true;
  }

  /// modifier := [ '@' name ]
  bool modifier(Value& out) {
    if (reader_.program().info.syntax.paren_modifiers) return modifier_in_parentheses(out);
    const char* at = p_;
    while (*at == ' ' || *at == '\t') ++at;
    if (*at != '@' || signing(at, out) || at != p_) return true;
    const u32 length = name_length(p_ + 1);
    const std::string_view text{p_ + 1, length};
    const u16 m = reader_.program().target.modifier(text);
    if (m == 0) {
      reader_.error(at, fmt::format("unknown relocation modifier '@{}'{}", text,
                                    modifier_advice(reader_.program().target, text)));
      return false;
    }
    if (!reader_.program().info.syntax.at_modifiers) {
      reader_.error(at, fmt::format("in this release '@{}' stands in front: %pltpcrel(symbol), %gotpcrel(symbol) or "
                                    "%funcinit(symbol)",
                                    text));
      return false;
    }
    p_ += 1 + length;
    out.modifier = m;
    return true;
  }

  /// '%' name '(' expression ')'
  bool percent_modifier(Value& out) {
    const char* const start = p_++;
    blanks();
    bool from_here = false;
    const std::string_view name(p_, name_length(p_));
    const u16 m = reader_.program().target.percent_modifier(name, from_here);
    if (m == 0) return reader_.error(start, fmt::format("unknown relocation specifier '%{}'", name)), false;
    p_ += name.size();
    blanks();
    if (*p_ != '(') return reader_.expected(p_, "'('"), false;
    if (!in_brackets(out)) return false;
    if (out.add == no_symbol || out.sub != no_symbol || out.modifier) {
      reader_.error(start, fmt::format("%{} takes a symbol, to which a number may be added", name));
      return false;
    }
    out.modifier = m;
    if (from_here) out.sub = dot_symbol;
    return true;
  }

  /// modifier := '(' name ')', with blanks before and between them
  bool modifier_in_parentheses(Value& out) {
    const CharTable& chars = reader_.program().chars;
    const char* const open = skip_blanks(chars, p_);
    if (*open != '(') return true;
    const char* const name = skip_blanks(chars, open + 1);
    const u32 length = name_length(name);
    const u16 m = reader_.program().target.modifier({name, length});
    const char* const close = skip_blanks(chars, name + length);
    if (m == 0 || *close != ')') return true;
    p_ = close + 1;
    out.modifier = m;
    return true;
  }

  Reader& reader_;
  const char*& p_;
  unsigned depth_ = 0;
  const char* searched_ = nullptr;  ///< parentheses before this hold more than a plain number
  bool name_comes_first_ = false;  ///< the symbol of the GOT stands behind that whose modifier needs it
};

}  // namespace

bool Reader::equation_value(SymbolId id, Value& value) {
  const char* unused = nullptr;
  return ExpressionReader(*this, unused).equation(id, value);
}

bool Reader::apply(ExprOp op, Value& v, const char* where) { return apply_operator(out, op, v, where); }

bool Reader::apply(ExprOp op, Value& l, const Value& r, const char* where) {
  return apply_operator(out, op, l, r, where);
}

bool Reader::plain_name(const char*& q, SymbolId& id, i64& number) {
  const u32 size = name_length(program().chars, q);
  const char after = q[size];
  if (after == '@' || (after == ' ' && q[size + 1] == '@') || !names_symbol(program(), q, size)) return false;
  if (q[size - 1] == '.' && size > 1 && *skip_blanks(program().chars, q + size) == '(')
    return false;  // .startof.(section)
  const SymbolId named = program().symbols.intern(q, size);
  Symbol& s = program().symbols[named];
  if (s.kind > SymbolKind::absolute) return false;
  if (s.kind == SymbolKind::absolute)
    number = i64(u64(number) + s.value);
  else
    id = named;
  s.flags |= reference_flag;
  if (s.loc == 0) s.mention(loc_of(q));
  q += size;
  return true;
}

bool Reader::expression(const char*& q, Value& value) {
  const Streamer::OperandOfInstruction operand(out);
  ++counts.meanings;
  value = {};
  while (program().chars.is(*q, char_blank)) ++q;
  // Nearly all expressions are a name, to which a number may be added, a number, or the difference of two names.
  if (program().chars.is(*q, char_name_start)) {
    const char* r = q;
    const bool word = (*q | 0x20) == 'n' && is_not_word(program().chars, q) && program().target.dollar_is_here();
    if (!word && plain_name(r, value.add, value.constant)) {
      if (*r == '-' && program().chars.is(r[1], char_name_start)) {
        ++r;
        i64 less = 0;
        if (plain_name(r, value.sub, less) && ends_expression(program().chars, r)) {
          q = r;
          value.constant = i64(u64(value.constant) - u64(less));
          out.fold(value);
          return true;
        }
      } else if ((ends_expression(program().chars, r) || plain_addend(program().chars, r, value.constant)) &&
                 !(*r == '(' && program().info.syntax.paren_modifiers)) {
        q = r;
        return true;
      }
      value = {};
    }
  } else if (u64 number; const char* r = plain_number(q, number)) {
    if (ends_expression(program().chars, r)) {
      q = r;
      value.constant = i64(number);
      return true;
    }
  }
  const char* const start = q;
  ExpressionReader reader(*this, q);
  if (!reader.read(value, 1)) return false;
  if (reader.late_got_symbol != no_symbol && value.add != no_symbol &&
      !program().sources.is_before(program().symbols[value.add].loc, loc_of(start)))
    list_before(out, value.add, reader.late_got_symbol);
  // In foo + 5(GOT) it is the sum's.
  if (value.modifier && value.add == no_symbol && !reader.signs_number) [[unlikely]]
    return error(start, "a relocation modifier needs a symbol"), false;
  return true;
}

bool Reader::term(const char*& q, Value& value) {
  const Streamer::OperandOfInstruction operand(out);
  value = {};
  const bool number = *q >= '0' && *q <= '9';
  const bool read = ExpressionReader(*this, q).term(value);
  if (!number || !value.is_constant()) ++counts.meanings;  // numbers mean the same each time, but for 1b
  return read;
}

bool Reader::absolute_of(Value value, i64& result, std::string_view what, SourceLoc loc) {
  out.fold(value);
  program().values.new_state();
  if (out.number_by_now(value, result)) return true;
  program().diags.error(
      loc, fmt::format("{} must be a constant known at this point{}", what, program().values.explain_unknown(value)));
  return false;
}

bool Reader::absolute(i64& result, std::string_view what) {
  const SourceLoc loc = here();
  Value value;
  if (program().profile.missing_is_zero && (*p == ',' || at_end_of_statement(*this))) {
    out.warning(p, fmt::format("{} is missing and taken as 0", what));
    result = 0;
    return true;
  }
  return expression(p, value) && absolute_of(value, result, what, loc);
}

}  // namespace xas
