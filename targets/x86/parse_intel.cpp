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
// operand is follows from the whole: with a register, a bracket or a segment it is memory, a bare symbol is memory and
// a branch target, OFFSET and bare numbers are immediates. Operators bind differently in the two assemblers: in LLVM
// shifts are weaker than + and the bit operators weakest; in GNU as they bind as everywhere else.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "targets/advice.h"
#include "targets/text.h"
#include "targets/x86/address.h"
#include "targets/x86/blanks.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

using text::is_digit, text::is_letter, text::is_name_char;

namespace {

/// The word at p in lower case; empty if there is none, or if it is longer than any keyword.
struct Word {
  char text[10];
  unsigned size = 0;
  const char* end;
  /// Reads on at p, but no more than `limit` characters.
  explicit Word(const char* p, std::size_t limit = ~std::size_t(0)) {
    unsigned n = 0;
    while (n < limit && is_name_char(p[n])) ++n;
    end = p + n;
    if (n > sizeof text) return;
    for (; size < n; ++size) text[size] = char(p[size] >= 'A' && p[size] <= 'Z' ? p[size] + 32 : p[size]);
  }
  std::string_view view() const { return {text, size}; }
};

enum class Binary : u8 { none, add, sub, mul, div, mod, shl, shr, bit_or, bit_and, bit_xor, eq, ne, lt, le, gt, ge };

struct Operator {
  Binary op = Binary::none;
  u8 gnu = 0, llvm = 0;  ///< precedence: higher binds tighter
  u8 length = 0;
};

struct OperatorWord {
  std::string_view text;
  Operator op;
};

constexpr OperatorWord operator_words[] = {
    {"mod", {Binary::mod, 6, 8, 3}},    {"shl", {Binary::shl, 6, 6, 3}},     {"shr", {Binary::shr, 6, 6, 3}},
    {"and", {Binary::bit_and, 5, 4, 3}}, {"or", {Binary::bit_or, 5, 2, 2}},   {"xor", {Binary::bit_xor, 5, 3, 3}},
    {"eq", {Binary::eq, 3, 5, 2}},       {"ne", {Binary::ne, 3, 5, 2}},       {"lt", {Binary::lt, 3, 5, 2}},
    {"le", {Binary::le, 3, 5, 2}},       {"gt", {Binary::gt, 3, 5, 2}},       {"ge", {Binary::ge, 3, 5, 2}}};

Operator operator_at(const char* p) {
  switch (*p) {
    case '+': return {Binary::add, 4, 7, 1};
    case '-': return {Binary::sub, 4, 7, 1};
    case '*': return {Binary::mul, 6, 8, 1};
    case '/': return p[1] == '/' || p[1] == '*' ? Operator{} : Operator{Binary::div, 6, 8, 1};
    case '%': return {Binary::mod, 6, 8, 1};
    case '|': return {Binary::bit_or, 5, 2, 1};
    case '^': return {Binary::bit_xor, 5, 3, 1};
    case '&': return {Binary::bit_and, 5, 4, 1};
    case '<':
      if (p[1] == '<') return {Binary::shl, 6, 6, 2};
      if (p[1] == '=') return {Binary::le, 3, 5, 2};
      if (p[1] == '>') return {Binary::ne, 3, 5, 2};
      return {Binary::lt, 3, 5, 1};
    case '>':
      if (p[1] == '>') return {Binary::shr, 6, 6, 2};
      if (p[1] == '=') return {Binary::ge, 3, 5, 2};
      return {Binary::gt, 3, 5, 1};
    case '=': return p[1] == '=' ? Operator{Binary::eq, 3, 5, 2} : Operator{};
    case '!': return p[1] == '=' ? Operator{Binary::ne, 3, 5, 2} : Operator{};
    default: break;
  }
  if (!is_letter(*p)) return {};
  const Word w(p);
  for (const OperatorWord& o : operator_words)
    if (o.text == w.view()) return o.op;
  return {};
}

bool fold(Binary op, i64 l, i64 r, i64& out) {
  const u64 a = u64(l), b = u64(r);
  switch (op) {
    case Binary::add: out = i64(a + b); return true;
    case Binary::sub: out = i64(a - b); return true;
    case Binary::mul: out = i64(a * b); return true;
    case Binary::div:
    case Binary::mod:
      if (r == 0) return false;
      out = r == -1 ? (op == Binary::div ? i64(0 - a) : 0) : op == Binary::div ? l / r : l % r;
      return true;
    case Binary::shl: out = b < 64 ? i64(a << b) : 0; return true;
    case Binary::shr: out = b < 64 ? i64(a >> b) : 0; return true;
    case Binary::bit_or: out = l | r; return true;
    case Binary::bit_and: out = l & r; return true;
    case Binary::bit_xor: out = l ^ r; return true;
    case Binary::eq: out = -(l == r); return true;
    case Binary::ne: out = -(l != r); return true;
    case Binary::lt: out = -(l < r); return true;
    case Binary::le: out = -(l <= r); return true;
    case Binary::gt: out = -(l > r); return true;
    case Binary::ge: out = -(l >= r); return true;
    case Binary::none: break;
  }
  return false;
}

/// What stands before PTR: the memory class it means, and its size in bytes as a number. Where only one of the
/// assemblers has a word, or means something by it, both profiles have it, but for `xword`, which is LLVM's.
struct SizeWord {
  std::string_view text;
  u64 memory;
  u8 bytes;
  bool of_llvm = false;  ///< GNU as does not know it
};

constexpr SizeWord size_words[] = {
    {"byte", class_bit("m8"), 1},         {"word", class_bit("m16"), 2},         {"dword", class_bit("m32"), 4},
    {"qword", class_bit("m64"), 8},       {"fword", class_bit("m"), 6},          {"tbyte", class_bit("m80"), 10},
    {"xmmword", class_bit("m128"), 16},   {"ymmword", class_bit("m256"), 32},    {"zmmword", class_bit("m512"), 64},
    {"mmword", class_bit("m64"), 8},      {"oword", class_bit("m128"), 16},      {"xword", class_bit("m80"), 10, true},
    {"float", class_bit("m32"), 4, true}, {"double", class_bit("m64"), 8, true}, {"long", class_bit("m32"), 4, true}};

/// A partial result: numbers and symbols, and up to two registers with their scales.
struct Term {
  Value value;
  const Reg* reg[2] = {};
  i64 scale[2] = {};     ///< 0: none was written
  unsigned regs = 0;
  bool bracket = false;  ///< or a segment
  bool offset = false;   ///< OFFSET, or SHORT and its like
};

}  // namespace

class IntelReader {
 public:
  IntelReader(X86Target& target, const char*& p, Statement& s, Operand& o, Emitter& out)
      : t_(target), p_(p), s_(s), o_(o), out_(out) {}

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
    Term term;
    if (!expression(term, 1)) return false;
    blanks();
    if (*p_ == ':') return far_pointer(term);
    return finish(term);
  }

  /// SHORT, NEAR, FAR and fword memory choose among branches.
  bool far = false;
  const char* distance = nullptr;  ///< where `short`, `near` or `far` stands
  u8 bytes = 0;                ///< of PTR, 0: none
  bool bare_symbol = false;    ///< nothing but a symbol or a number
  bool exchanged = false;      ///< IntelFacts::exchanged
  bool has_second = false;     ///< seg:offset was read; this is the offset
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
  bool add_registers(Term& l, const Term& r, const char* at) {
    for (unsigned i = 0; i < r.regs; ++i) {
      if (l.regs == 2) return fail(at, "an address has at most two registers");
      l.reg[l.regs] = r.reg[i];
      l.scale[l.regs++] = r.scale[i];
    }
    l.bracket |= r.bracket;
    l.offset |= r.offset;
    return true;
  }

  bool add(Term& l, Term r, bool minus, const char* at) {
    if (minus) {
      if (r.regs) return fail(at, "a register cannot be subtracted");
      if (r.value.modifier) return fail(at, "a symbol with a relocation modifier can only be added to");
      std::swap(r.value.add, r.value.sub);
      r.value.constant = i64(0 - u64(r.value.constant));
    }
    if (!add_registers(l, r, at)) return false;
    Value& v = l.value;
    const Value& w = r.value;
    if ((v.add != no_symbol && w.add != no_symbol) || (v.sub != no_symbol && w.sub != no_symbol))
      return out_.add_values(v, w, at);
    v.constant = i64(u64(v.constant) + u64(w.constant));
    if (w.add != no_symbol) v.add = w.add;
    if (w.sub != no_symbol) v.sub = w.sub;
    if (w.modifier) v.modifier = w.modifier;
    if (v.add != no_symbol && v.sub != no_symbol) resolve(v);
    return true;
  }

  /// Makes a number of the value if it is one.
  bool resolve(Value& v) {
    if (v.is_constant()) return true;
    i64 number;
    if (v.modifier || !out_.known_constant(v, number)) return false;
    v = Value{};
    v.constant = number;
    return true;
  }

  bool multiply(Term& l, Term& r, const char* at) {
    if (l.regs == 0 && resolve(l.value)) std::swap(l, r);
    if (r.regs || !resolve(r.value)) return fail(at, "one side of a product must be a number");
    const i64 factor = r.value.constant;
    if (!resolve(l.value)) {
      if (factor != 1) return fail(at, "a symbol's address cannot be multiplied");
    } else {
      l.value.constant = i64(u64(l.value.constant) * u64(factor));
    }
    // In LLVM only a register by itself is scaled; in a sum it stands apart from what happens to the number.
    if (!t_.options_.gnu && l.regs && (l.regs > 1 || l.value.constant)) return true;
    for (unsigned i = 0; i < l.regs; ++i) l.scale[i] = (l.scale[i] ? l.scale[i] : 1) * factor;
    l.bracket |= r.bracket;
    return true;
  }

  bool combine(Binary op, Term& l, Term& r, const char* at) {
    if (op == Binary::add || op == Binary::sub) return add(l, r, op == Binary::sub, at);
    if (op == Binary::mul) return multiply(l, r, at);
    if (!resolve(l.value) || !resolve(r.value)) return fail(at, "this operator takes numbers that are known here");
    if (l.regs + r.regs && t_.options_.gnu) return fail(at, "registers of an address can only be added and scaled");
    i64 result;
    if (!fold(op, l.value.constant, r.value.constant, result)) return fail(at, "division by zero");
    l.value.constant = result;
    return add_registers(l, r, at);
  }

  bool expression(Term& out, unsigned min_precedence) {
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
      const Operator o = operator_at(p_);
      const unsigned precedence = t_.options_.gnu ? o.gnu : o.llvm;
      if (!precedence || precedence < min_precedence) break;
      const char* at = p_;
      p_ += o.length;
      Term right;
      behind_operator_ = true;
      if (!expression(right, precedence + 1) || !combine(o.op, out, right, at)) return false;
      behind_operator_ = false;
    }
    --depth_;
    return true;
  }

  /// primary { '[' expression ']' }
  bool primary(Term& out) {
    if (++depth_ > 200) return fail(p_, "expression is nested deeper than 200 levels");
    if (!simple(out) || !subscripts(out)) return false;
    --depth_;
    return true;
  }

  /// A primary behind PTR or a segment: brackets around these do not count for the registers in it.
  bool outside_brackets(Term& out) {
    const unsigned opened = std::exchange(brackets_, 0);
    const bool ok = primary(out);
    brackets_ = opened;
    return ok;
  }

  bool subscripts(Term& out) {
    for (blanks(); *p_ == '[' || (out.bracket && *p_ == '.' && is_digit(p_[1])); blanks()) {
      const char* at = p_;
      if (*p_ == '.') {  // [ebx].4
        ++p_;
        Term field;
        if (!out_.term(p_, field.value) || !add(out, field, false, at)) return false;
        continue;
      }
      Term inner;
      if (!bracketed(inner, ']') || !add(out, inner, false, at)) return false;
      out.bracket = true;
    }
    return true;
  }

  bool bracketed(Term& out, char close) {
    const char* open = p_++;
    brackets_ += close == ']';
    if (!expression(out, 1)) return false;
    brackets_ -= close == ']';
    blanks();
    if (*p_ != close) {
      const char* const first = skip_blanks(open + 1);
      if (Word(first).view() == "rel" && is_name_char(*p_))  // read as a symbol
        return fail(first, "'rel' is the syntax of NASM; an address relative to the place is [rip + name]");
      fail(p_, fmt::format("expected '{}', found {}{}", close, text::found(p_, ends_operand(*p_)),
                           closing_advice(open, p_, close)));
      out_.note(open, "to close this");
      return false;
    }
    ++p_;
    return true;
  }

  bool unary(Term& out, char op, unsigned length) {
    const char* at = p_;
    p_ += length;
    if (++depth_ > 200) return fail(p_, "expression is nested deeper than 200 levels");
    Term inner;
    if (!simple(inner)) return false;  // -8[rbp] is (-8)[rbp]
    --depth_;
    if (op == '+') return out = inner, true;
    if (op == '-') return add(out, inner, true, at);
    if (inner.regs || !resolve(inner.value)) return fail(at, "this operator takes a number that is known here");
    out = inner;
    out.value.constant = op == '~' ? ~inner.value.constant : !inner.value.constant;
    return true;
  }

  bool simple(Term& out) {
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
        if (std::string text = t_.explain_stack_register(p_); !text.empty()) return fail(p_, std::move(text));
        bool done = false;
        const bool ok = keyword(out, done);
        if (done) return ok;
      }
    }
    if (*p_ == '%') {
      while (is_name_char(*++p_)) {}
      return fail(start, t_.explain_register({start, std::size_t(p_ - start)}));
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
    return t_.explain_missing(*p_ == ',' ? ',' : 0, s_);
  }

  /// A register in an expression: a part of an address, or a segment in front of one.
  bool a_register(Term& out, const Reg& r, const char* where) {
    blanks();
    if (r.cls == RegClass::segment && *p_ == ':') {
      ++p_;
      if (!o_.segment) o_.segment = u8(r.number + 1);
      return outside_brackets(out) && (out.bracket = true);
    }
    out.reg[0] = &r;
    out.regs = 1;
    if (!brackets_) loose_register_ = where;
    if (r.cls == RegClass::segment) return fail(where, "a segment register stands before ':'");
    return true;
  }

  /// Words with a meaning; `done` is false, and nothing is read, if there is none.
  bool keyword(Term& out, bool& done) {
    const Word w(p_);
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
        distance = p_;
        p_ = after;
        if (const Word ptr(p_); ptr.view() == "ptr") p_ = ptr.end;
        if (text == "short" && (s_.mnemonic[0] | 0x20) == 'j') s_.prefixes |= want_disp8;
        if (text == "far") far = true;
        return primary(out);
      }
    }
    for (const SizeWord& size : size_words) {
      if (text != size.text || (text == "xword" && t_.options_.gnu)) continue;
      const Word ptr(after);
      if (ptr.view() == "ptr" || ptr.view() == "bcst") {
        p_ = ptr.end;
        if (!outside_brackets(out)) return false;
        if (out.regs == 1 && !out.bracket)
          return fail(o_.where,
                      fmt::format("memory is expected behind PTR, not a register; what {0} points to is [{0}]",
                                  register_name(*out.reg[0])));
        memory_ = size.memory;
        bytes = size.bytes;
        broadcast_ = ptr.view() == "bcst";
        return true;
      }
      const bool constant = t_.options_.gnu && !size.of_llvm;
      if (!constant && !is_name_char(*after) && *after != '[') break;
      p_ = w.end;
      if (!constant) {  // `dword [eax]`, without PTR
        memory_ = size.memory;
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
  bool far_pointer(Term& segment) {
    const char* at = p_++;
    Term offset;
    if (!expression(offset, 1)) return false;
    if (segment.regs || offset.regs) return fail(at, "both sides of a far pointer are numbers or symbols");
    second = offset.value;
    has_second = true;
    immediate(o_, segment.value);
    return true;
  }

 public:
  void immediate(Operand& o, const Value& value) {
    o.is_immediate = true;
    o.space = space_other;
    o.value = value;
    resolve(o.value);
    o.symbolic = !o.value.is_constant();
    if (o.symbolic) t_.classify_symbolic_immediate(o);
    else t_.classify_immediate(o);
  }

 private:
  /// What the whole operand is.
  bool finish(Term& term) {
    resolve(term.value);
    const bool gnu = t_.options_.gnu;
    if (loose_register_) {
      const bool lone = term.regs == 1 && !term.scale[0] && !term.bracket && !memory_ && !o_.segment && !term.offset;
      if (!lone || !term.value.is_constant() || term.value.constant)
        return fail(loose_register_, "a register of an address stands in brackets");
      o_.set_register(*term.reg[0]);  // (ecx)
      return true;
    }
    const bool symbolic = !term.value.is_constant();
    bool memory = term.regs || o_.segment || (term.bracket && !term.offset) || (symbolic && !term.offset);
    if (!gnu && ((term.bracket && term.offset) || (memory_ && symbolic))) memory = true;
    const Word name(s_.mnemonic.data(), s_.mnemonic.size());
    const bool indirect = memory_ && (name.view() == "call" || name.view() == "jmp");  // call dword ptr [offset f]
    if (gnu && term.offset && !term.regs && !o_.segment && !indirect) memory = false;
    if (gnu && term.offset && indirect) memory = true;
    bare_symbol = !term.bracket && !term.regs && !memory_ && !o_.segment;
    if (!memory) {
      immediate(o_, term.value);
      if (bare_symbol ? gnu || !term.offset : gnu && term.offset) o_.classes |= class_bit("rel");
      if (gnu && term.offset && !memory_) bare_symbol = true;  // call [offset f] is call f
      return true;
    }
    o_.is_memory = true;
    o_.space = space_other;
    o_.value = term.value;
    o_.symbolic = symbolic;
    o_.has_displacement = symbolic || term.value.constant || !term.regs;
    if (!registers(term)) return false;
    if (!t_.finish_memory(s_, o_, out_)) return false;
    if (!o_.is_memory) return true;
    if (!bare_symbol) o_.classes &= ~class_bit("rel");
    if (memory_ && !o_.vector_index) o_.classes = (o_.classes & ~memory_classes) | memory_;
    if (broadcast_) {
      if (o_.vector_index) return fail(o_.where, "a vector index cannot be broadcast");
      o_.classes = class_bit("bc2") | class_bit("bc4") | class_bit("bc8") | class_bit("bc16") | class_bit("bc32");
      o_.broadcast = 1;
    }
    if (o_.is_memory) s_.memory = int(s_.count);
    return true;
  }

  bool registers(Term& t) {
    auto is_vector = [](const Reg& r) {
      return r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm;
    };
    // Which is the index: the vector, the one with a scale, the one that can be nothing else; else the second.
    if (t.regs == 2) {
      auto bad_index = [](const Reg& r) {
        return (r.number == 4 && (r.cls == RegClass::r64 || r.cls == RegClass::r32)) ||
               (r.cls == RegClass::r16 && (r.number == 3 || r.number == 5)) || r.cls == RegClass::ip64 ||
               r.cls == RegClass::ip32;
      };
      auto no_base = [](const Reg& r) { return r.cls == RegClass::no_index64 || r.cls == RegClass::no_index32; };
      const bool first = is_vector(*t.reg[0]) || no_base(*t.reg[0]) ||
                         (!is_vector(*t.reg[1]) && !t.scale[1] && (t.scale[0] || bad_index(*t.reg[1])));
      if (first) {
        exchanged = !t.scale[0] && !is_vector(*t.reg[0]) && !no_base(*t.reg[0]);
        std::swap(t.reg[0], t.reg[1]);
        std::swap(t.scale[0], t.scale[1]);
      }
      if (t.scale[0] > 1) return fail(o_.where, "only one register of an address can be scaled");
    }
    const bool single_index =
        t.regs == 1 && (t.scale[0] || is_vector(*t.reg[0]) || t.reg[0]->cls == RegClass::no_index64 ||
                        t.reg[0]->cls == RegClass::no_index32);
    const Reg* base = t.regs && !single_index ? t.reg[0] : nullptr;
    const Reg* index = single_index ? t.reg[0] : t.regs == 2 ? t.reg[1] : nullptr;
    const i64 scale = single_index ? t.scale[0] : t.scale[1];
    if (base && !set_base(*base, index)) return false;
    return !index || set_index(*index, scale);
  }

  bool width(const Reg& r, AddressRegs& w) {
    switch (r.cls) {
      case RegClass::r64: case RegClass::no_index64: w = AddressRegs::r64; return true;
      case RegClass::r32: case RegClass::no_index32: w = AddressRegs::r32; return true;
      case RegClass::r16: w = AddressRegs::r16; return true;
      default: return fail(o_.where, t_.explain_in_address(register_name(r)));
    }
  }

  bool set_base(const Reg& r, const Reg* index) {
    o_.has_base = true;
    if (r.cls == RegClass::ip64 || r.cls == RegClass::ip32) {
      if (t_.mode_ != 64) return fail(o_.where, "addresses relative to rip need 64-bit code");
      if (index) return fail(o_.where, "an address relative to rip takes no index");
      o_.regs = r.cls == RegClass::ip64 ? AddressRegs::rip : AddressRegs::eip;
      return true;
    }
    if (!width(r, o_.regs)) return false;
    o_.base = r.number;
    return true;
  }

  bool set_index(const Reg& r, i64 scale) {
    const bool scaled = scale != 0;
    if (!scaled) scale = 1;
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
      return fail(o_.where, fmt::format("scale {} is not 1, 2, 4 or 8", scale));
    o_.has_index = true;
    o_.index = r.number;
    o_.scale = scale == 8 ? 3 : u8(scale >> 1);
    if (r.cls == RegClass::xmm || r.cls == RegClass::ymm || r.cls == RegClass::zmm) {
      o_.vector_index = r.cls == RegClass::xmm ? 1 : r.cls == RegClass::ymm ? 2 : 3;
      return true;
    }
    AddressRegs w{};
    if (!width(r, w)) return false;
    if (o_.has_base && w != o_.regs)
      return fail(o_.where,
                  t_.explain_index("base and index registers of an address must have the same size", r, o_.regs));
    o_.regs = w;
    if (r.number == 4 && (r.cls == RegClass::r64 || r.cls == RegClass::r32))
      return fail(o_.where, fmt::format("the stack pointer cannot be an index; as a base it takes no scale: [{}]",
                                        register_name(r)));
    if (w == AddressRegs::r16 && scaled) return fail(o_.where, "16-bit addresses have no scale");
    return true;
  }

  X86Target& t_;
  const char*& p_;
  Statement& s_;
  Operand& o_;
  Emitter& out_;
  u64 memory_ = 0;  ///< class that PTR or BCST asks for
  bool broadcast_ = false;
  unsigned depth_ = 0;
  bool behind_operator_ = false;      ///< what is read next is the second operand of an operator
  unsigned brackets_ = 0;             ///< `[` that have been opened
  const char* loose_register_ = nullptr;  ///< a register that stands outside of brackets
};

bool X86Target::parse_intel_operand(const char*& p, Statement& s, IntelFacts& facts, Emitter& out) {
  if (s.count == Statement::max_operands) return out.error(p, "too many operands"), false;
  Operand& o = s.ops[s.count];
  static_cast<OperandFacts&>(o) = {};
  o.value = {};
  o.where = p;
  IntelReader reader(*this, p, s, o, out);
  if (!reader.read()) return false;
  facts.far |= reader.far;
  if (reader.distance) facts.distance = reader.distance;
  if (o.is_memory) facts.memory_bytes = reader.bytes;
  facts.bare |= reader.bare_symbol;
  facts.exchanged |= reader.exchanged;
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
    reader.immediate(second, reader.second);
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

/// GNU as: the words that stand before PTR are numbers, those of memory its size.
bool X86Target::named_number(std::string_view name, i64& number) const {
  if (!intel_ || !options_.gnu) return false;
  const Word word(name.data(), name.size());
  constexpr i64 pointer = 0xFF00;
  if (word.view() == "near") return number = pointer + mode_ / 8, true;
  if (word.view() == "far") return number = pointer + (mode_ == 16 ? 5 : 6), true;
  const auto* const size = std::ranges::find(size_words, word.view(), &SizeWord::text);
  if (size == std::end(size_words) || size->of_llvm) return false;
  number = size->bytes;
  return true;
}

/// The operands in AT&T's order, which is that of the rows.
static void reverse_operands(Statement& s) {
  for (unsigned i = 0; i < s.count / 2; ++i) std::swap(s.ops[i], s.ops[s.count - 1 - i]);
  if (s.memory >= 0) s.memory = int(s.count) - 1 - s.memory;
  for (unsigned i = 0; i < s.count; ++i)
    if (s.ops[i].is_memory) s.memory = int(i);
  if (s.deco & (deco_mask | deco_zero)) s.mask_operand = u8(s.count - 1 - s.mask_operand);
  s.before_rounding = u8(s.count - s.before_rounding);
}

/// `call fword ptr [eax]`, `jmp far ptr x`, `jmp 3:5`: AT&T's lcall and ljmp, whose suffix is the offset's size.
const Spelling* X86Target::far_spelling(const Statement& s, const IntelFacts& facts) const {
  const Word name(s.mnemonic.data(), s.mnemonic.size());
  const bool call = name.view() == "call", sized = name.view() == "callw" || name.view() == "jmpw";
  if (!call && name.view() != "jmp" && !(sized && facts.far_pointer)) return nullptr;
  char size = mode_ == 16 || sized ? 'w' : 'l';
  if (!facts.far_pointer) {
    const bool dword_is_far = mode_ != 32 && facts.memory_bytes == 4 && (options_.gnu || mode_ == 64);
    const bool tbyte_is_far = facts.memory_bytes == 10 && (!options_.gnu || (x86_options_.intel64 && mode_ == 64));
    if (!facts.far && facts.memory_bytes != 6 && !tbyte_is_far && !dword_is_far) return nullptr;
    if (facts.memory_bytes && options_.gnu)
      size = facts.memory_bytes == 4 ? 'w' : facts.memory_bytes == 10 && x86_options_.intel64 ? 'q' : 'l';
    else if (facts.memory_bytes)
      size = 'l';
  }
  std::string far = name.view()[0] == 'c' ? "lcall" : "ljmp";
  far += size;
  return find_spelling(far, hash_name(far));
}

/// lcall and ljmp of memory. GNU as takes it without a size only, LLVM does not look at it.
const Spelling* X86Target::far_default(const Statement& s, const IntelFacts& facts, const Spelling* spelling) const {
  if ((s.mnemonic[0] | 0x20) != 'l' || mode_ == 16) return spelling;
  const bool call = s.mnemonic.size() == 5;
  if (!options_.gnu && !call && mode_ == 64) return find_spelling("ljmpq", hash_name("ljmpq"));
  const bool words = options_.gnu && facts.memory_bytes == 4;
  const std::string_view name = call ? (words ? "lcallw" : "lcalll") : (words ? "ljmpw" : "ljmpl");
  return find_spelling(name, hash_name(name));
}

/// Of far pointers and jmpabs: a bare symbol is no memory there.
static void symbols_as_numbers(Statement& s) {
  bool has_memory = false;
  for (unsigned i = 0; i < s.count; ++i) {
    Operand& o = s.ops[i];
    has_memory |= o.is_memory && !(o.classes & class_bit("rel"));
    if (!o.is_memory || !(o.classes & class_bit("rel"))) continue;
    o.is_memory = false;
    o.is_immediate = true;
    o.classes = class_bit("sym");
  }
  if (!has_memory) s.memory = -1;
}

/// The operands in the order of the rows, and the spelling of far branches.
const Spelling* X86Target::arrange_intel(const Spelling* spelling, Statement& s, IntelFacts facts) const {
  const Word name(s.mnemonic.data(), s.mnemonic.size());
  if (s.count == 2 && (name.view() == "call" || name.view() == "jmp")) {  // call 3, x is call 3:x
    symbols_as_numbers(s);
    facts.far_pointer = s.memory < 0;
  }
  if (name.view() == "jmpabs") symbols_as_numbers(s);
  if (const Spelling* far = far_spelling(s, facts)) {
    if (s.memory >= 0) {
      s.ops[0].classes = memory_classes;
      s.star = true;
    }
    return far;
  }
  bool indirect = false, straight = false;
  for (unsigned i = 0; i < spelling->count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling->first + i]];
    indirect |= (row.flags & row_indirect) != 0;
    if (row.count == s.count) straight |= (row.flags & row_straight) != 0;
  }
  // lcall and ljmp of two numbers or symbols: the segment is the first.
  if (indirect && s.count == 2) symbols_as_numbers(s);
  const bool pointer = indirect && s.count == 2 && s.memory < 0;
  s.star = indirect && !pointer && !(facts.bare && s.count == 1);
  if (!straight && !pointer) reverse_operands(s);
  return indirect && s.memory >= 0 ? far_default(s, facts, spelling) : spelling;
}

/// Behind an error: registers without % are symbols, where that is not what they are written for.
static void note_naked_registers(const char* p, Emitter& out) {
  for (char before = ' '; *p != '\0' && *p != '\n' && *p != ';' && *p != '#'; before = *p++) {
    if (!is_letter(*p)) continue;
    u64 word = 0;
    unsigned n = 0;
    for (; is_letter(p[n]) || is_digit(p[n]); ++n)
      if (n < 8) word |= u64(u8(p[n] | (is_letter(p[n]) ? 0x20 : 0))) << (8 * n);
    if (before != '%' && n <= 8 && find_register(word) >= 0)
      return out.note(p,
                      fmt::format("'{0}' is a symbol here; the register is %{0}, or {0} with the option -mnaked-reg or "
                                  "behind '.intel_syntax noprefix'",
                                  std::string_view(p, n)));
    p += n - 1;
  }
}

/// GNU as: where movd or shld do not take these operands, mov and shl do, with AT&T's suffix. Null if they do.
const Spelling* X86Target::with_suffix(const Spelling& spelling, const Statement& s) const {
  struct Twofold {
    std::string_view name, suffixed;
    u32 since;
  };
  constexpr Twofold twofold[] = {
      {"movd", "movl", 240}, {"movq", "movq", 240}, {"shld", "shll", 244}, {"shrd", "shrl", 244}};
  const Word name(s.mnemonic.data(), s.mnemonic.size());
  const auto* const found = std::ranges::find(twofold, name.view(), &Twofold::name);
  if (found == std::end(twofold) || options_.release < found->since) return nullptr;
  const auto takes = [&](const Spelling& it) {
    for (unsigned i = 0; i < it.count; ++i)
      if (accepts_all(x86_rows[x86_lists[it.first + i]], s)) return true;
    return false;
  };
  const Spelling* const other = find_spelling(found->suffixed, hash_name(found->suffixed));
  return !takes(spelling) && takes(*other) ? other : nullptr;
}

bool X86Target::intel_instruction(const Name& mnemonic, const char*& p, Emitter& out) {
  Statement s;
  s.where = mnemonic.p;
  s.mnemonic = mnemonic.text();
  bool done = false;
  const Spelling* spelling = slow_spelling(mnemonic, p, s, out, done);
  if (!spelling) return done;
  if (*p == ',') branch_hint(p, s);
  IntelFacts facts;
  const char* const operands = p;
  const Spelling* const unarranged = spelling;
  naked_egprs_ = options_.gnu && mode_ == 64 && names_egprs(p);
  std::optional<Statement> unread;  // of what can be read in two ways
  if (naked_egprs_ && options_.release < 244) [[unlikely]]
    unread = s;
  const bool read = parse_intel_operands(p, s, facts, out);
  naked_egprs_ = false;
  if (!read) {
    if (!naked_registers_) note_naked_registers(operands, out);
    return true;
  }
  spelling = arrange_intel(spelling, s, facts);
  if (unread && takes_egprs_as_symbols(*spelling, s, facts)) [[unlikely]] {
    p = operands;
    s = *unread;
    facts = {};
    if (!parse_intel_operands(p, s, facts, out)) return true;
    spelling = arrange_intel(unarranged, s, facts);
  }
  constexpr std::size_t movd_size = 4;
  if (options_.gnu && s.mnemonic.size() == movd_size)
    if (const Spelling* const other = with_suffix(*spelling, s)) spelling = other;
  if (!finish_intel(*spelling, s, facts, out) && !naked_registers_) note_naked_registers(operands, out);
  return true;
}

/// The operands have been arranged. False: no form takes them.
bool X86Target::finish_intel(const Spelling& spelling, Statement& s, const IntelFacts& facts, Emitter& out) {
  const Row* row = match_intel(spelling, s, facts.sized, facts.memory_bytes, out);
  // GNU as: `lgdt fword ptr [bx]` in 16-bit code reads all 32 bits of the address, as lgdtd does.
  const bool fword = options_.gnu && mode_ == 16 && facts.memory_bytes == 6;
  if (fword && row && facts_of(*row).has(trait_dtable)) s.prefixes |= prefix_data;
  if (!row) return false;
  if (facts.exchanged && row->op == op_norip) [[unlikely]]
    return out.error(s.ops[s.memory].where, fmt::format("the first register of this address is the base of `{}`, and "
                                                        "the second one can't be its index",
                                                        s.mnemonic)),
           true;
  if (facts.distance) [[unlikely]] {
    const Branch branch = facts_of(*row).branch;
    if (branch == Branch::none || branch == Branch::ret || branch == Branch::ret_far)
      return out.error(facts.distance,
                       fmt::format("SHORT, NEAR and FAR belong to jumps and calls, not to `{}`", s.mnemonic)),
             true;
  }
  finish_instruction(*row, s, out);
  return true;
}

}  // namespace xas::x86
