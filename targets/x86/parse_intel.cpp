// SPDX-License-Identifier: Apache-2.0
// Intel operands, as both reference assemblers read them.
//
//   operand := register | expression { decoration }
//   expression: the usual operators and their words (shl, and, mod, eq, ...), over these primaries:
//     number | symbol [ '@' modifier ] | register | '(' expression ')' | '[' expression ']' | primary '[' expression
//     ']' | segment ':' primary | FLAT ':' primary | OFFSET primary | size PTR primary | size BCST primary | SHORT
//     primary | NEAR [PTR] primary | FAR [PTR] primary
//
// Registers are values: [4 + rax*8][rcx], [(ecx+2)*4] and 8[eax] are addresses wherever their parts stand. What an
// operand is follows from the whole of it (intel_operand.cpp).
#include <fmt/format.h>

#include <utility>

#include "targets/advice.h"
#include "targets/text.h"
#include "targets/x86/blanks.h"
#include "targets/x86/explain.h"
#include "targets/x86/intel_operand.h"
#include "targets/x86/intel_words.h"

namespace xas::x86 {

using text::is_digit, text::is_letter, text::is_name_char;

class IntelReader {
 public:
  IntelReader(X86Target& target, const char*& p, Statement& s, Operand& o, IntelFacts& facts, Emitter& out)
      : t_(target), p_(p), s_(s), o_(o), facts_(facts), out_(out) {}

  /// Reads one operand into o_.
  bool read() {
    const char* q = p_;
    if (const Reg* r = register_at(q)) {
      const char* after = skip_blanks(q);
      if (ends_operand(*after)) {
        t_.check_alias(*r, p_, out_);
        p_ = after;
        t_.set_register(s_, o_, *r);
        return true;
      }
    }
    if (!expression(whole_.term, 1)) return false;
    blanks();
    if (*p_ == ':') return far_pointer(whole_.term);
    return t_.finish_intel_operand(whole_, s_, o_, facts_, out_);
  }

  u8 bytes = 0;             ///< of PTR, 0: none
  bool has_second = false;  ///< seg:offset was read; this is the offset
  Value second;

 private:
  static bool ends_operand(char c) { return c == ',' || c == '\n' || c == ';' || c == '#' || c == '{' || c == '\0'; }

  void blanks() {
    if (is_blank(*p_) || *p_ == '/') p_ = skip_blanks(p_);
  }

  const Reg* register_at(const char*& q) {
    const Reg* r = t_.slow_register(q);
    return r ? r : t_.aliased_register(q, out_);
  }

  bool fail(const char* where, std::string message) {
    out_.error(where, std::move(message));
    return false;
  }

  /// The registers of r go to l, which must have room.
  bool add_registers(IntelTerm& l, const IntelTerm& r, const char* at) {
    for (unsigned i = 0; i < r.regs; ++i) {
      if (l.regs == 2) return fail(at, "an address has at most two registers");
      l.reg[l.regs] = r.reg[i];
      l.scale[l.regs++] = r.scale[i];
    }
    l.bracket |= r.bracket;
    l.offset |= r.offset;
    l.joined |= r.joined;
    return true;
  }

  bool add(IntelTerm& l, IntelTerm r, bool minus, const char* at) {
    if (minus) {
      if (r.regs) return fail(at, "a register cannot be subtracted");
      if (r.value.modifier) return fail(at, "a symbol with a relocation modifier can only be added to");
      std::swap(r.value.add, r.value.sub);
      r.value.constant = i64(0 - u64(r.value.constant));
    }
    if (!add_registers(l, r, at)) return false;
    Value& v = l.value;
    const Value& w = r.value;
    l.joined |= w.sub != no_symbol || (!v.is_constant() && !w.is_constant());
    if ((v.add != no_symbol && w.add != no_symbol) || (v.sub != no_symbol && w.sub != no_symbol))
      return out_.apply(ExprOp::add, v, w, at);
    v.constant = i64(u64(v.constant) + u64(w.constant));
    if (w.add != no_symbol) v.add = w.add;
    if (w.sub != no_symbol) v.sub = w.sub;
    if (w.modifier) v.modifier = w.modifier;
    if (v.add != no_symbol && v.sub != no_symbol && make_number(v, out_)) l.joined = false;
    return true;
  }

  /// What is no sum, of numbers and symbols.
  bool join(ExprOp op, IntelTerm& l, const IntelTerm& r, const char* at) {
    l.joined |= !l.value.is_constant() || !r.value.is_constant();
    return out_.apply(op, l.value, r.value, at) && add_registers(l, r, at);
  }

  bool multiply(IntelTerm& l, IntelTerm& r, const char* at) {
    if (l.regs == 0 && make_number(l.value, out_)) std::swap(l, r);
    if (l.regs + r.regs == 0) return join(ExprOp::mul, l, r, at);
    if (r.regs || !make_number(r.value, out_)) return fail(at, "a register's scale is a number that is known here");
    const i64 factor = r.value.constant;
    if (!out_.apply(ExprOp::mul, l.value, r.value, at)) return false;
    // In LLVM only a register by itself is scaled; in a sum it stands apart from what happens to the number.
    if (!t_.options_.gnu && l.regs && (l.regs > 1 || l.value.constant)) return true;
    for (unsigned i = 0; i < l.regs; ++i) l.scale[i] = (l.scale[i] ? l.scale[i] : 1) * factor;
    l.bracket |= r.bracket;
    return true;
  }

  bool combine(ExprOp op, IntelTerm& l, IntelTerm& r, const char* at) {
    if (op == ExprOp::add || op == ExprOp::sub) return add(l, r, op == ExprOp::sub, at);
    if (op == ExprOp::mul) return multiply(l, r, at);
    if (l.regs + r.regs && t_.options_.gnu) return fail(at, "registers of an address can only be added and scaled");
    return join(op, l, r, at);
  }

  bool expression(IntelTerm& out, unsigned min_precedence) {
    if (++depth_ > 200) return fail(p_, "expression is nested deeper than 200 levels");
    // A bracket adds to all that stands before it: x-4[ebx] is (x-4)[ebx].
    const bool takes_brackets = min_precedence <= (t_.options_.gnu ? 4u : 7u);
    if (takes_brackets ? !primary(out) : !simple(out)) return false;
    for (;;) {
      blanks();
      if (*p_ == '[' && takes_brackets) {
        if (!subscripts(out)) return false;
        continue;
      }
      const IntelOperator o = intel_operator_at(p_);
      const unsigned precedence = t_.options_.gnu ? o.gnu : o.llvm;
      if (!precedence || precedence < min_precedence) break;
      const char* at = p_;
      p_ += o.length;
      IntelTerm right;
      behind_operator_ = true;
      if (!expression(right, precedence + 1) || !combine(o.op, out, right, at)) return false;
      behind_operator_ = false;
    }
    --depth_;
    return true;
  }

  /// primary { '[' expression ']' }
  bool primary(IntelTerm& out) {
    if (++depth_ > 200) return fail(p_, "expression is nested deeper than 200 levels");
    if (!simple(out) || !subscripts(out)) return false;
    --depth_;
    return true;
  }

  /// A primary behind PTR or a segment: brackets around these do not count for the registers in it.
  bool outside_brackets(IntelTerm& out) {
    const unsigned opened = std::exchange(brackets_, 0);
    const bool ok = primary(out);
    brackets_ = opened;
    return ok;
  }

  bool subscripts(IntelTerm& out) {
    for (blanks(); *p_ == '[' || (out.bracket && *p_ == '.' && is_digit(p_[1])); blanks()) {
      const char* at = p_;
      if (*p_ == '.') {  // [ebx].4
        ++p_;
        IntelTerm field;
        if (!out_.term(p_, field.value) || !add(out, field, false, at)) return false;
        continue;
      }
      IntelTerm inner;
      if (!bracketed(inner, ']') || !add(out, inner, false, at)) return false;
      out.bracket = true;
    }
    return true;
  }

  bool bracketed(IntelTerm& out, char close) {
    const char* open = p_++;
    brackets_ += close == ']';
    if (!expression(out, 1)) return false;
    brackets_ -= close == ']';
    blanks();
    if (*p_ != close) {
      const char* const first = skip_blanks(open + 1);
      if (IntelWord(first).view() == "rel" && is_name_char(*p_))  // read as a symbol
        return fail(first, "'rel' is the syntax of NASM; an address relative to the place is [rip + name]");
      fail(p_, fmt::format("expected '{}', found {}{}", close, text::found(p_, ends_operand(*p_)),
                           closing_advice(open, p_, close)));
      out_.note(open, "to close this");
      return false;
    }
    ++p_;
    return true;
  }

  bool unary(IntelTerm& out, char op, unsigned length) {
    const char* at = p_;
    p_ += length;
    if (++depth_ > 200) return fail(p_, "expression is nested deeper than 200 levels");
    IntelTerm inner;
    if (!simple(inner)) return false;  // -8[rbp] is (-8)[rbp]
    --depth_;
    if (op == '+') return out = inner, true;
    if (op == '-') return add(out, inner, true, at);
    if (inner.regs) return fail(at, "this operator takes a number");
    out = inner;
    out.joined |= !out.value.is_constant();
    return out_.apply(op == '~' ? ExprOp::bit_not : ExprOp::log_not, out.value, at);
  }

  bool simple(IntelTerm& out) {
    blanks();
    switch (*p_) {
      case '[': out.bracket = true; return bracketed(out, ']') && (out.bracket = true);
      case '(': return bracketed(out, ')');
      case '-': case '+': case '~': case '!': return unary(out, *p_, 1);
      default: break;
    }
    const char* start = p_;
    if (is_letter(*p_) || *p_ == '%') {
      const char* q = p_;
      if (const Reg* r = register_at(q)) {
        t_.check_alias(*r, p_, out_);
        p_ = q;
        return a_register(out, *r, start);
      }
      if (is_letter(*p_)) {
        std::string text = X86Target::Explainer(t_).explain_stack_register(p_);
        if (!text.empty()) return fail(p_, std::move(text));
        bool done = false;
        const bool ok = keyword(out, done);
        if (done) return ok;
      }
    }
    if (*p_ == '%') {
      while (is_name_char(*++p_)) {}
      return fail(start, X86Target::Explainer(t_).explain_register({start, std::size_t(p_ - start)}));
    }
    if (ends_operand(*p_) && *p_ != '{' && behind_operator_ && t_.options_.gnu) {
      out_.warning(p_, "an operand is missing; it is taken as 0");
      return true;
    }
    if (ends_operand(*p_)) return fail(p_, explain_missing());
    if (!out_.term(p_, out.value)) return false;
    if (!out.value.is_constant() && !is_got(o_)) o_.where = start;
    return true;
  }

  /// What is missing at p.
  std::string explain_missing() const {
    if (*p_ == '{') return "expected an operand, found '{'";
    return X86Target::Explainer(t_).explain_missing(*p_ == ',' ? ',' : 0, s_);
  }

  /// A register in an expression: a part of an address, or a segment in front of one.
  bool a_register(IntelTerm& out, const Reg& r, const char* where) {
    blanks();
    if (r.cls == RegClass::segment && *p_ == ':') {
      ++p_;
      if (!o_.segment) o_.segment = u8(r.number + 1);
      return outside_brackets(out) && (out.bracket = true);
    }
    out.reg[0] = &r;
    out.regs = 1;
    if (!brackets_) whole_.loose_register = where;
    if (r.cls == RegClass::segment) return fail(where, "a segment register stands before ':'");
    return true;
  }

  /// Words with a meaning; `done` is false, and nothing is read, if there is none.
  bool keyword(IntelTerm& out, bool& done) {
    const IntelWord w(p_);
    const char* after = skip_blanks(w.end);
    const std::string_view text = w.view();
    done = true;
    if (text == "offset" && !ends_operand(*after)) {
      p_ = after;
      const u8 segment = o_.segment;
      if (!primary(out)) return false;
      if (out.regs && out.value.is_constant()) return fail(p_, "OFFSET is of a symbol, not of a register");
      out.offset = true;
      // What the brackets, segments and sizes inside say does not count.
      out.bracket = false;
      o_.segment = segment;
      return true;
    }
    if (text == "not") return unary(out, '~', 3);
    if (text == "flat" && *after == ':') {
      p_ = after + 1;
      if (!primary(out)) return false;
      out.offset = false;
      return out.bracket = true;
    }
    if (text == "short" || text == "near" || text == "far") {
      const bool starts = is_name_char(*after) || *after == '[' || *after == '(' || *after == '"' || *after == '%';
      if (starts) {
        facts_.distance = p_;
        p_ = after;
        if (const IntelWord ptr(p_); ptr.view() == "ptr") p_ = ptr.end;
        if (text == "short" && (s_.mnemonic[0] | 0x20) == 'j') s_.prefixes |= want_disp8;
        if (text == "far") facts_.far = true;
        return primary(out);
      }
    }
    for (const SizeWord& size : size_words) {
      if (text != size.text || (text == "xword" && t_.options_.gnu)) continue;
      const IntelWord ptr(after);
      if (ptr.view() == "ptr" || ptr.view() == "bcst") {
        p_ = ptr.end;
        if (!outside_brackets(out)) return false;
        if (out.regs == 1 && !out.bracket)
          return fail(o_.where,
                      fmt::format("memory is expected behind PTR, not a register; what {0} points to is [{0}]",
                                  register_name(*out.reg[0])));
        whole_.memory = size.memory;
        bytes = size.bytes;
        whole_.broadcast = ptr.view() == "bcst";
        return true;
      }
      const bool constant = t_.options_.gnu && !size.of_llvm;
      if (!constant && !is_name_char(*after) && *after != '[') break;
      p_ = w.end;
      if (!constant) {  // `dword [eax]`, without PTR
        whole_.memory = size.memory;
        bytes = size.bytes;
        return primary(out);
      }
      out.value.constant = size.bytes;
      return true;
    }
    done = false;
    return false;
  }

  /// `3:5`
  bool far_pointer(IntelTerm& segment) {
    const char* at = p_++;
    IntelTerm offset;
    if (!expression(offset, 1)) return false;
    if (segment.regs || offset.regs) return fail(at, "both sides of a far pointer are numbers or symbols");
    second = offset.value;
    has_second = true;
    t_.set_immediate(o_, segment.value, out_);
    return true;
  }

  X86Target& t_;
  const char*& p_;
  Statement& s_;
  Operand& o_;
  IntelFacts& facts_;
  Emitter& out_;
  IntelExpression whole_;
  unsigned depth_ = 0;
  bool behind_operator_ = false;  ///< what is read next is the second operand of an operator
  unsigned brackets_ = 0;         ///< `[` that have been opened
};

bool X86Target::parse_intel_operand(const char*& p, Statement& s, IntelFacts& facts, Emitter& out) {
  if (s.count == Statement::max_operands) return out.error(p, "too many operands"), false;
  Operand& o = s.ops[s.count];
  static_cast<OperandFacts&>(o) = {};
  o.value = {};
  o.where = p;
  IntelReader reader(*this, p, s, o, facts, out);
  if (!reader.read()) return false;
  if (o.is_memory) facts.memory_bytes = reader.bytes;
  facts.sized |= reader.bytes != 0 || o.broadcast;
  if (facts.rounding && !o.is_immediate)
    return out.error(facts.rounding, "rounding control stands behind the last operand that is no immediate"), false;
  p = skip_blanks(p);
  while (*p == '{') {
    const char kind = *skip_blanks(p + 1);
    const bool rounding = (kind | 0x20) == 'r' || (kind | 0x20) == 's';
    if (rounding) facts.rounding = p;
    if (!(rounding ? parse_rounding(p, s, out) : parse_decorations(p, s, o, out))) return false;
    if (rounding) s.before_rounding = u8(s.count + !o.is_immediate);
    p = skip_blanks(p);
  }
  ++s.count;
  if (reader.has_second) {
    Operand& second = s.ops[s.count++];
    static_cast<OperandFacts&>(second) = {};
    second.where = o.where;
    set_immediate(second, reader.second, out);
    facts.far_pointer = true;
  }
  return true;
}

/// All operands, in the order of the text.
bool X86Target::parse_intel_operands(const char*& p, Statement& s, IntelFacts& facts, Emitter& out) {
  p = skip_blanks(p);
  if (*p == '\n' || *p == ';' || *p == '#' || *p == '\0' || *p == '/') return true;
  for (;;) {
    if (*p == '{') {
      if ((*skip_blanks(p + 1) | 0x20) == 'd') {
        if (!parse_default_flags(p, s, out)) return false;
        continue;
      }
      if (!parse_rounding(p, s, out)) return false;
    } else {
      if (!parse_intel_operand(p, s, facts, out)) return false;
    }
    p = skip_blanks(p);
    if (*p != ',') {
      s.end = p;
      return true;
    }
    p = skip_blanks(p + 1);
  }
}

}  // namespace xas::x86
