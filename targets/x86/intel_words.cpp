// SPDX-License-Identifier: Apache-2.0
// The operators of Intel operands.
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
    {"mod", {ExprOp::mod, 6, 8, 3}},     {"shl", {ExprOp::shl, 6, 6, 3}},   {"shr", {ExprOp::shr, 6, 6, 3}},
    {"and", {ExprOp::bit_and, 5, 4, 3}}, {"or", {ExprOp::bit_or, 5, 2, 2}}, {"xor", {ExprOp::bit_xor, 5, 3, 3}},
    {"eq", {ExprOp::eq, 3, 5, 2}},       {"ne", {ExprOp::ne, 3, 5, 2}},     {"lt", {ExprOp::lt, 3, 5, 2}},
    {"le", {ExprOp::le, 3, 5, 2}},       {"gt", {ExprOp::gt, 3, 5, 2}},     {"ge", {ExprOp::ge, 3, 5, 2}}};

}  // namespace

IntelOperator intel_operator_at(const char* p) {
  switch (*p) {
    case '+': return {ExprOp::add, 4, 7, 1};
    case '-': return {ExprOp::sub, 4, 7, 1};
    case '*': return {ExprOp::mul, 6, 8, 1};
    case '/': return p[1] == '/' || p[1] == '*' ? IntelOperator{} : IntelOperator{ExprOp::div, 6, 8, 1};
    case '%': return {ExprOp::mod, 6, 8, 1};
    case '|': return {ExprOp::bit_or, 5, 2, 1};
    case '^': return {ExprOp::bit_xor, 5, 3, 1};
    case '&': return {ExprOp::bit_and, 5, 4, 1};
    case '<':
      if (p[1] == '<') return {ExprOp::shl, 6, 6, 2};
      if (p[1] == '=') return {ExprOp::le, 3, 5, 2};
      if (p[1] == '>') return {ExprOp::ne, 3, 5, 2};
      return {ExprOp::lt, 3, 5, 1};
    case '>':
      if (p[1] == '>') return {ExprOp::shr, 6, 6, 2};
      if (p[1] == '=') return {ExprOp::ge, 3, 5, 2};
      return {ExprOp::gt, 3, 5, 1};
    case '=': return p[1] == '=' ? IntelOperator{ExprOp::eq, 3, 5, 2} : IntelOperator{};
    case '!': return p[1] == '=' ? IntelOperator{ExprOp::ne, 3, 5, 2} : IntelOperator{};
    default: break;
  }
  if (!text::is_letter(*p)) return {};
  const IntelWord w(p);
  for (const OperatorWord& o : operator_words)
    if (o.text == w.view()) return o.op;
  return {};
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
