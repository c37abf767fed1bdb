// SPDX-License-Identifier: Apache-2.0
// Lists of registers: general ones, which are a set, and extension registers, which are a first one, how many they are,
// and whether each is used or every second one.
//
//   list    := '{' element { ',' element } '}' [ '^' ]
//   element := register [ index ] | register '-' register | 'apsr' | 'vpr'
//   index   := '[' [ number ] ']'
//
// What is strange: q0 in a list is d0 and d1.
#include <fmt/format.h>

#include <utility>

#include "targets/advice.h"
#include "targets/arm/arm.h"
#include "targets/hash.h"

namespace xas::arm {

using namespace text;

namespace {

/// What follows the word at p, in any case; null if it is another.
const char* behind_word(const char* p, std::string_view word) {
  for (const char c : word)
    if ((*p++ | 0x20) != c) return nullptr;
  return is_name_char(*p) ? nullptr : p;
}

/// The kind of list that a register belongs to.
Atom kind_of(const Register& r) { return r.atom == atom_q ? atom_d : r.atom; }
unsigned last_of(const Register& r) { return r.number + unsigned(r.atom == atom_q); }

}  // namespace

/// What has been read of a list.
struct ArmTarget::RegisterList {
  Atom kind = atom_none;
  u32 general = 0;  ///< a bit for each
  u64 set = 0;      ///< of extension registers, a bit for each
  unsigned first = 0, count = 0, stride = 0, last = 0;
  enum { none, all, lane } element = none;
  i64 index = 0;    ///< of the element,
  bool has_index = false;  ///< if one has been read
  const char* index_at = nullptr;
  bool apsr = false, vpr = false;  ///< of clrm and vscclrm
  bool wide = false;               ///< of vscclrm: words up to s31, then double words

  static constexpr unsigned no_stride = 3;

  void add_general(unsigned n, const char* at, Emitter& out) {
    if (general >> n & 1) out.warning(at, "a register stands twice in the list");
    else if (general >> n) out.warning(at, "the registers of a list are stored in ascending order");
    general |= 1u << n;
  }

  void add_extension(unsigned n) {
    if (count == 0) first = n;
    else if (count == 1) stride = n - last;
    else if (n - last != stride) stride = no_stride;
    if (set >> n & 1) stride = no_stride;
    set |= u64(1) << n;
    last = n;
    ++count;
  }

  i64 packed() const { return i64(first | count << 8); }
  Atom atom() const {
    const Atom each =
        kind == atom_s ? atom_s_list : element == all ? atom_d_all : element == lane ? atom_d_lane : atom_d_list;
    return stride == 2 ? Atom(each + 1) : each;
  }
};

/// '[' [ number ] ']' behind a register of a list, p at the bracket.
bool ArmTarget::parse_list_index(const char*& p, RegisterList& list, Operands& o, Emitter& out) {
  p = skip_blanks(p + 1);
  if (*p == ']') {
    list.element = RegisterList::all;
  } else {
    const unsigned mark = o.count;
    list.index_at = p;
    if (!parse_immediate(p, o, out)) return false;
    if (!o.is_number(mark) || (list.has_index && o.value[mark] != list.index)) {
      out.error(list.index_at, "the elements of a list must be of one index, a number");
      return false;
    }
    list.index = o.value[mark];
    list.has_index = true;
    o.truncate(mark);
    list.element = RegisterList::lane;
    p = skip_blanks(p);
  }
  if (*p != ']') {
    out.error(p, fmt::format("expected ']', found {}", found(p, at_operands_end(p))));
    return false;
  }
  p = skip_blanks(p + 1);
  return true;
}

/// register [ index ] | register '-' register. All have an index, or none.
bool ArmTarget::parse_list_element(const char*& p, RegisterList& list, Operands& o, Emitter& out) {
  Register r;
  const char* at = p;
  if (!read_any_register(p, r, out)) {
    out.error(p, fmt::format("expected a register in the list, found {}", found(p, at_operands_end(p))));
    return false;
  }
  const bool is_first = list.kind == atom_none;
  const auto element = std::exchange(list.element, RegisterList::none);
  if (is_first) list.kind = kind_of(r);
  if (list.kind == atom_s && r.atom == atom_d && r.number == 16 && list.last == 31 && !options_.gnu) list.wide = true;
  if ((list.wide ? Atom(atom_d) : list.kind) != kind_of(r) ||
      (list.kind != atom_low && list.kind != atom_s && list.kind != atom_d)) {
    out.error(at, "the registers of a list must be of one kind");
    return false;
  }
  unsigned to = last_of(r);
  p = skip_blanks(p);
  if (typed_.index) [[unlikely]] {
    list.index = i64(typed_.index) - 1;
    list.index_at = at;
    list.element = RegisterList::lane;
    typed_.index = 0;
  }
  if (*p == '[' && !parse_list_index(p, list, o, out)) return false;
  if (!is_first && list.element != element) {
    out.error(at, "all registers of a list have the same index, or none has one");
    return false;
  }
  if (*p == '-' && list.element == RegisterList::none) {
    p = skip_blanks(p + 1);
    Register end;
    const char* end_at = p;
    if (!read_any_register(p, end, out) || end.atom != r.atom || end.number < r.number) {
      out.error(end_at, "a range ends with a register of the same kind and a higher number");
      return false;
    }
    to = last_of(end);
    p = skip_blanks(p);
  }
  for (unsigned n = r.number; n <= to; ++n) {
    if (list.kind == atom_low) list.add_general(n, at, out);
    else if (!list.wide)
      list.add_extension(n);
    else
      list.add_extension(2 * n), list.add_extension(2 * n + 1);
  }
  return true;
}

/// The atoms of a list that has been read.
bool ArmTarget::push_list(const RegisterList& list, const char* open, Operands& o, Emitter& out) {
  if (list.kind == atom_low || (list.apsr && !list.vpr && list.kind == atom_none)) {
    o.push(atom_list, list.general | u32(list.apsr) << 16, open);
    return true;
  }
  if (list.apsr || (list.vpr && (list.element != RegisterList::none || list.stride > 1))) {
    out.error(open, "apsr and vpr stand in lists of general and of extension registers");
    return false;
  }
  if (list.vpr) {
    o.push(list.kind == atom_d ? atom_d_vpr : atom_s_vpr, list.packed(), open);
    return true;
  }
  if (list.wide) {
    out.error(open, "the registers of a list must be of one kind");
    return false;
  }
  constexpr unsigned max_of_every_second = 4;
  if (list.stride > 2 || (list.stride == 2 && (list.kind == atom_s || list.count > max_of_every_second))) {
    out.error(open, "the registers of a list must be consecutive");
    return false;
  }
  o.push(list.atom(), list.packed(), open);
  if (list.element == RegisterList::lane) o.push(atom_imm, list.index, list.index_at);
  return true;
}

/// Behind a list of general registers: { ( '|' | '+' ) ( list | number ) }, of which the number has a bit for each.
bool ArmTarget::parse_further_registers(const char*& p, Operands& o, Emitter& out) {
  const unsigned list = o.count - 1, further = o.count;
  for (const char* q = skip_blanks(p); *q == '|' || *q == '+'; q = skip_blanks(p)) {
    p = skip_blanks(q + 1);
    const char* const where = p;
    if (!(*p == '{' ? parse_list(p, o, out) : parse_immediate(p, o, out))) return false;
    const bool is_set = o.count == further + 1 && (o.atom(further) == atom_list || o.atom(further) == atom_imm);
    constexpr i64 all = 0xFFFF;
    if (!is_set || o.value[further] < 0 || o.value[further] > all) {
      out.error(where, "expected another list of general registers, or a number with a bit for each");
      return false;
    }
    o.value[list] |= o.value[further];
    o.truncate(further);
  }
  return true;
}

/// The registers of a list, p behind the brace.
bool ArmTarget::parse_register_list(const char*& p, const char* open, Operands& o, Emitter& out) {
  RegisterList list;
  for (;;) {
    if (const char* q = behind_word(p, "vpr"); list.vpr && q && !options_.gnu) {
      out.warning(p, "vpr stands twice in the list");
    } else if (list.vpr) {
      out.error(p, "vpr is the last of its list");
      return false;
    }
    if (const char* q = behind_word(p, "apsr")) list.apsr = true, p = skip_blanks(q);
    else if ((q = behind_word(p, "vpr"))) list.vpr = true, p = skip_blanks(q);
    else if (!parse_list_element(p, list, o, out)) return false;
    if (*p != ',') break;
    p = skip_blanks(p + 1);
  }
  if (*p != '}') {
    out.error(p, fmt::format("expected ',' or '}}' in the list, found {}{}", found(p, at_operands_end(p)),
                             is_name_char(*p) ? "; is a comma missing before it?" : closing_advice(open, p, '}')));
    out.note(open, "the list begins here");
    return false;
  }
  ++p;
  if (!push_list(list, open, o, out)) return false;
  if (o.atom(o.count - 1) == atom_list && !parse_further_registers(p, o, out)) return false;
  const char* q = skip_blanks(p);
  if (*q == '^' && o.atom(o.count - 1) == atom_list) {
    o.push(atom_user, 0, q);
    p = q + 1;
  }
  return true;
}

/// What stands in braces: registers, or a number, which is an option of coprocessor instructions.
bool ArmTarget::parse_list(const char*& p, Operands& o, Emitter& out) {
  const char* open = p;
  p = skip_blanks(p + 1);
  if (*p == '}') {
    out.error(open, "the list is empty");
    return false;
  }
  Register r;
  const char* probe = p;
  if (read_any_register(probe, r, out) || behind_word(p, "apsr") || behind_word(p, "vpr"))
    return parse_register_list(p, open, o, out);
  return parse_number_before(p, '}', atom_option, open, "expected a list of registers", o, out);
}

}  // namespace xas::arm
