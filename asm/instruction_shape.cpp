// Reading shapes.
//
//   line    := mnemonic blanks piece { piece } [ blanks comment ] newline
//   piece   := register | number | name [ '@' modifier ] [ ('+' | '-') digits ] | '$' | '*' | ':' | ',' | '(' | ')'
#include "asm/instruction_shape.h"

#include <cstdlib>

namespace xas {

namespace {

/// Room for the longest piece that is copied without asking: a register of 16 characters.
constexpr u32 key_room = InstructionShape::max_key + 24;

constexpr u8 mark_displacement = 0x80, mark_immediate = 0x90, mark_name = 0xA0;

bool is_digit(char c) { return u8(c - '0') <= 9; }
bool is_alphanumeric(char c) { return u8((c | 0x20) - 'a') <= 25 || is_digit(c); }

/// All numbers of a class are in the same ranges, whatever the ranges of immediates and displacements are on x86.
/// 0: the number has no class.
u8 number_class(i64 v) {
  if (v >= 0) return v <= 15 ? 1 : v <= 127 ? 2 : v <= 255 ? 3 : v <= 32767 ? 4 : v <= 65535 ? 0 : 5;
  return v >= -128 ? 6 : v >= -32768 ? 7 : 8;
}

constexpr i64 highest_exact = 3;

/// What ends a number or a name in an operand.
bool ends_piece(char c) { return c == '(' || c == ',' || c == '\n' || c == ' ' || c == '\t'; }

}  // namespace

bool InstructionShape::number(const char*& p, bool is_immediate, u8*& k) {
  const char* const start = p;
  const bool negative = *p == '-';
  if (negative) ++p;
  if (*p == '0' && is_digit(p[1])) return false;  // octal
  i64 v = 0;
  const char* const digits = p;
  while (is_digit(*p)) v = v * 10 + (*p++ - '0');
  if (p - digits > 9 || p == digits || !ends_piece(*p)) return false;
  if (v <= highest_exact && !(negative && v > 0)) {
    for (const char* q = start; q != p; ++q) *k++ = u8(*q);
    return true;
  }
  if (negative) v = -v;
  const u8 of = number_class(v);
  if (of == 0) return false;
  bool& has = is_immediate ? has_immediate : has_displacement;
  if (has) return false;
  has = true;
  (is_immediate ? immediate : displacement) = i32(v);
  *k++ = (is_immediate ? mark_immediate : mark_displacement) + of;
  return true;
}

bool InstructionShape::read(const CharTable& chars, const char* p, const char* limit) {
  u8 key[key_room] = {};
  u8* k = key;
  const u8* const last = key + max_key;
  while (is_alphanumeric(*p) && k != last) *k++ = u8(*p++);
  if (*p != '\t' && *p != ' ') return false;
  *k++ = ' ';
  while (*p == '\t' || *p == ' ') ++p;

  bool in_address = false;   // between parentheses
  bool fresh = true;         // an operand, or what stands behind a prefix character of it, starts here
  for (;;) {
    if (k > last) return false;
    const char c = *p;
    if (c == '%') {
      do *k++ = u8(*p++);
      while (is_alphanumeric(*p) && k < last);
      fresh = false;
    } else if (c == ',') {
      *k++ = ',';
      ++p;
      while (*p == ' ' || *p == '\t') ++p;
      fresh = true;
    } else if (c == '(') {
      if (in_address) return false;
      in_address = true;
      *k++ = u8(*p++);
      fresh = false;
    } else if (c == ')') {
      in_address = false;
      *k++ = u8(*p++);
      fresh = false;
    } else if (c == '\n') {
      break;
    } else if (is_digit(c) && in_address) {
      *k++ = u8(*p++);  // a scale
    } else if (!fresh) {
      if (c == ':') {
        *k++ = u8(*p++);
        fresh = true;
        continue;
      }
      if (c != ' ' && c != '\t') return false;
      while (*p == ' ' || *p == '\t') ++p;
      if (*p == '\n') break;
      if (*p != '#' || chars.comment != "#") return false;
      p = static_cast<const char*>(std::memchr(p, '\n', std::size_t(limit - p)));
      if (!p) return false;
      break;
    } else if (in_address) {
      return false;
    } else if (is_digit(c) || c == '-') {
      if (!number(p, p[-1] == '$', k)) return false;
      fresh = false;
    } else if ((c == '$' || c == '*') && p[-1] != '$') {
      *k++ = u8(*p++);
    } else if (chars.is(c, char_name_start) && c != '$') {
      if (name.size) return false;
      name = scan_name(chars, p);
      if (chars.wide_names && std::memchr(p, '@', name.size)) return false;
      if (p[name.size - 1] == '.') return false;  // the current place, or .startof.(section)
      p += name.size;
      *k++ = mark_name;
      if (*p == '@')
        do *k++ = u8(*p++);
        while (is_alphanumeric(*p) && k < last);
      if (*p == '+' || *p == '-') {
        do *k++ = u8(*p++);
        while (is_digit(*p) && k < last);
        if (!is_digit(p[-1])) return false;
      }
      if (!ends_piece(*p)) return false;
      fresh = false;
    } else {
      return false;
    }
  }
  if (in_address || k > last) return false;
  end = p;
  std::memcpy(words, key, max_key);
  return true;
}

void InstructionTemplates::put(const InstructionShape& shape, InstructionTemplate made) {
  if (!entries_) {
    // calloc, because pages that are not touched then cost nothing.
    entries_.reset(static_cast<InstructionTemplate*>(std::calloc(u64(1) << entries_log2, sizeof(InstructionTemplate))));
    if (!entries_) return;
  }
  std::memcpy(made.words, shape.words, sizeof made.words);
  made.generation = generation_;
  entries_[slot(shape)] = made;
}

}  // namespace xas
