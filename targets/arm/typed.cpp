// SPDX-License-Identifier: Apache-2.0
// Types of Advanced SIMD on operands in place of the mnemonic, and the names that .dn and .qn give to registers:
//
//   vmul q0.s16, q1.s16, q2.s16        x .dn d0.f32        y .dn x[1]
//   vcvt q1.s32, q2.f32                vmul x, x, y
//
// The types of all operands are found before the mnemonic is looked up, because the tables have one entry for each
// type: that of the last operand counts, and those of the first and the last where they differ and the mnemonic has
// two.
#include <fmt/format.h>

#include "targets/arm/arm.h"

namespace xas::arm {

using namespace text;

namespace {

constexpr std::string_view types[] = {"",    "8",   "16",  "32",  "64",  "s8",  "s16",  "s32",
                                      "s64", "u8",  "u16", "u32", "u64", "i8",  "i16",  "i32",
                                      "i64", "f16", "f32", "f64", "p8",  "p64", "bf16", "f"};

unsigned type_number(std::string_view text) {
  for (unsigned i = 1; i < std::size(types); ++i)
    if (equals_ignoring_case(text, types[i])) return i;
  return 0;
}

constexpr unsigned type_shift = 16, index_shift = 24;

}  // namespace

/// register [ '.' type ], with the type and the index of an alias; p moved behind it. False if there is no register, or
/// if what follows its point is no type.
bool ArmTarget::read_typed_register(const char*& p, Register& r, unsigned& type, unsigned& index, Emitter& out) {
  const char* end = p;
  while (is_name_char(*end)) ++end;
  const std::string_view word(p, std::size_t(end - p));
  const std::size_t dot = std::min(word.find('.'), word.size());
  char name[24];
  if (dot == 0 || dot >= sizeof name) return false;
  std::memcpy(name, p, dot);
  name[dot] = '\0';
  const char* q = name;
  type = index = 0;
  if (!read_register(q, r)) {
    const int number = out.has_register_aliases ? out.register_alias(word.substr(0, dot)) : -1;
    if (number < 0) return false;
    r = Register::unpack(number);
    type = unsigned(number) >> type_shift & 0xFF;
    index = unsigned(number) >> index_shift;
  }
  if (dot < word.size() && !(type = type_number(word.substr(dot + 1)))) return false;
  p = end;
  return true;
}

/// name .dn register [ '.' type ] [ '[' index ']' ], p behind the directive.
void ArmTarget::typed_alias(Name name, const char*& p, Emitter& out) {
  Register r;
  unsigned type, index;
  const char* at = p;
  if (!read_typed_register(p, r, type, index, out) || (r.atom != atom_d && r.atom != atom_q))
    return out.error(at, "expected a register of Advanced SIMD");
  const char* q = skip_blanks(p);
  if (*q == '[') {
    i64 number;
    q = skip_blanks(q + 1);
    if (!read_decimal(q, number) || number < 0 || number > 7 || *(q = skip_blanks(q)) != ']')
      return out.error(p, "an index is a number in brackets");
    index = unsigned(number) + 1;
    p = q + 1;
  }
  typed_.any = true;
  text::bind_register(name.text(), int(unsigned(r.packed()) | type << type_shift | index << index_shift), name.p, out);
}

/// Looks up a mnemonic without types by those of its operands. False: these have none.
bool ArmTarget::resolve_typed(std::string_view name, const char* p, Mnemonic& m, Emitter& out) {
  unsigned first = 0, last = 0;
  while (!at_operands_end(p)) {
    Register r;
    unsigned type, index;
    if (!is_name_char(*p)) {
      ++p;
    } else if (!read_typed_register(p, r, type, index, out)) {
      while (is_name_char(*p)) ++p;
    } else if (type) {
      if (!first) first = type;
      last = type;
    }
  }
  if (!first) return false;
  const auto resolves = [&](std::string_view a, std::string_view b) {
    return resolve(fmt::format("{}.{}{}{}", name, a, b.empty() ? "" : ".", b), m);
  };
  // resolve() knows .f alone, as .f32.
  const auto text = [](unsigned type) { return types[type] == "f" ? std::string_view("f32") : types[type]; };
  return (first != last && resolves(text(first), text(last))) || resolves(text(last), "") ||
         resolves(text(first), "") || resolve(name, m);
}

}  // namespace xas::arm
