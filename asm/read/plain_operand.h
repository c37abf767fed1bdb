// SPDX-License-Identifier: Apache-2.0
// Operands as most are spelled, a name or a name and a number: what the expression reader (expr.cpp) and the line cache
// (cache/known_spelling.cpp) ask of them.
#pragma once

#include <cstring>

#include "asm/program/program.h"
#include "asm/text/scan.h"

namespace xas {

/// Whether the name at q, of `size` characters, means its symbol wherever it is an operand.
inline bool names_symbol(const Program& program, const char* q, u32 size) {
  return !program.info.syntax.numbers_have_names && !(size == 1 && (*q == '$' || *q == '.')) &&
         !(program.chars.wide_names && std::memchr(q, '@', size));
}

/// Whether simple text ends at p: no operator and no modifier follows.
inline bool ends_expression(const CharTable& chars, const char*& p) {
  const auto ends = [](char c) { return c == ',' || c == '\n' || c == '(' || c == ')' || c == ';'; };
  if (ends(*p)) return true;
  if (*p != ' ' && *p != '\t') return false;
  const char* q = skip_blanks(chars, p);
  if (!ends(*q) && !chars.starts_comment(q)) return false;
  p = q;
  return true;
}

/// ( '+' | '-' ) number, and nothing behind it: `sum` changes by it, and p moves there. False, nothing read: it is
/// something else.
inline bool plain_addend(const CharTable& chars, const char*& p, i64& sum) {
  const char* const sign = skip_blanks(chars, p);
  if (*sign != '+' && *sign != '-') return false;
  u64 number;
  const char* q = plain_number(skip_blanks(chars, sign + 1), number);
  if (!q || !ends_expression(chars, q)) return false;
  sum = i64(*sign == '+' ? u64(sum) + number : u64(sum) - number);
  p = q;
  return true;
}

}  // namespace xas
