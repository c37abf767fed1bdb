// SPDX-License-Identifier: Apache-2.0
// The operators of Intel operands, and what they come to.
//
// They bind differently in the two assemblers: in LLVM shifts are weaker than + and the bit operators weakest; in GNU
// as they bind as everywhere else.
#include <algorithm>
#include <iterator>

#include "targets/x86/intel_words.h"

namespace xas::x86 {

namespace {

struct OperatorWord {
  std::string_view text;
  IntelOperator op;
};

constexpr OperatorWord operator_words[] = {
    {"mod", {Binary::mod, 6, 8, 3}},     {"shl", {Binary::shl, 6, 6, 3}},   {"shr", {Binary::shr, 6, 6, 3}},
    {"and", {Binary::bit_and, 5, 4, 3}}, {"or", {Binary::bit_or, 5, 2, 2}}, {"xor", {Binary::bit_xor, 5, 3, 3}},
    {"eq", {Binary::eq, 3, 5, 2}},       {"ne", {Binary::ne, 3, 5, 2}},     {"lt", {Binary::lt, 3, 5, 2}},
    {"le", {Binary::le, 3, 5, 2}},       {"gt", {Binary::gt, 3, 5, 2}},     {"ge", {Binary::ge, 3, 5, 2}}};

}  // namespace

IntelOperator intel_operator_at(const char* p) {
  switch (*p) {
    case '+': return {Binary::add, 4, 7, 1};
    case '-': return {Binary::sub, 4, 7, 1};
    case '*': return {Binary::mul, 6, 8, 1};
    case '/': return p[1] == '/' || p[1] == '*' ? IntelOperator{} : IntelOperator{Binary::div, 6, 8, 1};
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
    case '=': return p[1] == '=' ? IntelOperator{Binary::eq, 3, 5, 2} : IntelOperator{};
    case '!': return p[1] == '=' ? IntelOperator{Binary::ne, 3, 5, 2} : IntelOperator{};
    default: break;
  }
  if (!text::is_letter(*p)) return {};
  const IntelWord w(p);
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

/// GNU as: the words that stand before PTR are numbers, those of memory its size.
bool X86Target::named_number(std::string_view name, i64& number) const {
  if (!intel_ || !options_.gnu) return false;
  const IntelWord word(name.data(), name.size());
  constexpr i64 pointer = 0xFF00;
  if (word.view() == "near") return number = pointer + mode_ / 8, true;
  if (word.view() == "far") return number = pointer + (mode_ == 16 ? 5 : 6), true;
  const auto* const size = std::ranges::find(size_words, word.view(), &SizeWord::text);
  if (size == std::end(size_words) || size->of_llvm) return false;
  number = size->bytes;
  return true;
}

}  // namespace xas::x86
