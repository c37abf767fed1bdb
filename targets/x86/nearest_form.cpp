// SPDX-License-Identifier: Apache-2.0
// The form of a mnemonic that is nearest to a statement that is none, written with the statement's own operands: what
// is missing is put in, what is too much is left out. For messages; nothing that is correct comes here.
#include <fmt/format.h>

#include <algorithm>

#include "targets/x86/explain.h"
#include "targets/x86/tables.h"

namespace xas::x86 {

namespace {

constexpr unsigned most = Statement::max_operands;

/// The operand at p as it is written, up to the comma behind it.
std::string_view written_operand(const char* p) {
  const char* q = p;
  for (int depth = 0; *q != '\n' && *q != '\0' && *q != ';' && *q != '#' && *q != '\r'; ++q) {
    if (*q == ',' && depth <= 0) break;
    depth += (*q == '(' || *q == '[') - (*q == ')' || *q == ']');
  }
  while (q > p && (q[-1] == ' ' || q[-1] == '\t')) --q;
  return {p, std::size_t(q - p)};
}

/// Which of the statement's operands stands in each place of a row; `none`: another one is put in.
struct Alignment {
  static constexpr i8 none = -1;
  i8 given[most] = {none, none, none, none, none};
  unsigned cost = ~0u;
};

class FormWriter {
 public:
  FormWriter(const Statement& s, unsigned mode, bool intel, u8 bad_registers)
      : s_(s), mode_(mode), intel_(intel), bad_registers_(bad_registers) {}

  /// How the statement's operands fit into the row.
  Alignment align(const Row& row, FormKind kind) const {
    if (row.count == 0) return {};
    if (kind == FormKind::begun) return align_first(row);
    return kind == FormKind::around_memory ? align_around(row) : align_all(row);
  }

  /// The operands; empty if one of them can't be written.
  std::string write(const Row& row, const Alignment& alignment) {
    std::string pieces[most];
    for (unsigned i = row.count; i-- > 0;) {
      const int given = alignment.given[i];
      pieces[i] = given >= 0 ? std::string(written_operand(s_.ops[given].where)) : invent(row, i, alignment);
      if (pieces[i].empty()) return {};
    }
    std::string text;
    for (unsigned i = 0; i < row.count; ++i) text += (i ? ", " : " ") + pieces[intel_ ? row.count - 1 - i : i];
    return text;
  }

 private:
  /// The statement's operands are the first ones, and all of them.
  Alignment align_first(const Row& row) const {
    Alignment a;
    if (row.count < s_.count) return a;
    const unsigned from = intel_ ? row.count - s_.count : 0;
    a.cost = 0;
    for (unsigned i = 0; i < row.count; ++i) {
      const bool is_given = i >= from && i < from + s_.count;
      if (is_given) a.given[i] = i8(i - from);
      a.cost += !is_given ? cost_of_missing(row, int(i)) : fits(row, int(i), int(i - from)) ? 0 : cost_unwritable;
    }
    return a;
  }

  /// Finds how the statement's operands fit into the row at the least cost, from the last ones on.
  Alignment align_all(const Row& row) const {
    Alignment best, now;
    choose(row, int(row.count) - 1, int(s_.count) - 1, 0, now, best);
    return best;
  }

  /// The statement's memory, whose index tells what the other operands are, stands where the row has such, and these
  /// around it in their order, as far as they fit there.
  Alignment align_around(const Row& row) const {
    Alignment a;
    int memory = 0;
    while (memory < int(s_.count) && !s_.ops[memory].vector_index) ++memory;
    if (row.count != s_.count || memory == int(s_.count)) return a;
    a.cost = 0;
    int next = 0;
    for (int i = 0; i < int(row.count); ++i) {
      if (fits(row, i, memory)) {
        a.given[i] = i8(memory);
        continue;
      }
      if (next == memory) ++next;
      if (next < int(s_.count) && fits(row, i, next))
        a.given[i] = i8(next);
      else
        a.cost += cost_of_missing(row, i);
      ++next;
    }
    if (std::ranges::count(a.given, i8(memory)) != 1) a.cost = ~0u;
    return a;
  }

  static constexpr unsigned cost_middle = 3, cost_missing = 4, cost_memory = 6, cost_byte = 5, cost_fixed = 5,
                            cost_dropped = 5, cost_wrong = 9, cost_unwritable = 50;
  static constexpr u64 memory = class_bit("m8") | class_bit("m16") | class_bit("m32") | class_bit("m64") |
                                class_bit("m80") | class_bit("m128") | class_bit("m256") | class_bit("m512") |
                                class_bit("m");
  static constexpr u64 numbers = class_bit("i8") | class_bit("i16") | class_bit("i32") | class_bit("i32s") |
                                 class_bit("imm") | class_bit("one") | class_bit("u4") | class_bit("s8_16") |
                                 class_bit("s8_32") | class_bit("s8_64");

  /// The source that vector instructions have since AVX; without it, the destination is a source too.
  static bool is_added_source(const Row& row, unsigned place) {
    return row.count >= 3 && place == row.count - 2u && row.encoding != encoding_legacy;
  }

  unsigned cost_of_missing(const Row& row, int place) const {
    const u8 kind = row.kind[place];
    constexpr u64 fixed = class_bit("al") | class_bit("ax") | class_bit("eax") | class_bit("rax") | class_bit("xmm0") |
                          class_bit("cl") | class_bit("dx") | class_bit("st0");
    const u64 registers = x86_kinds[kind][space_register], others = x86_kinds[kind][space_other];
    if (!registers && !(others & (memory | numbers | class_bit("rel")))) return cost_unwritable;
    if (!registers) return others & memory ? cost_memory : cost_missing;
    if (is_added_source(row, unsigned(place))) return cost_middle;
    if (registers & class_bit("r8")) return cost_byte;
    return registers & ~fixed ? cost_missing : cost_fixed;
  }

  /// Places up to `place` take operands up to `operand`.
  void choose(const Row& row, int place, int operand, unsigned cost, Alignment& now, Alignment& best) const {
    if (cost >= best.cost) return;
    if (place < 0) {
      cost += cost_dropped * unsigned(operand + 1);
      if (cost >= best.cost) return;
      best = now;
      best.cost = cost;
      return;
    }
    if (operand >= 0 && fits(row, place, operand)) {
      now.given[place] = i8(operand);
      choose(row, place - 1, operand - 1, cost, now, best);
      now.given[place] = Alignment::none;
    }
    choose(row, place - 1, operand, cost + cost_of_missing(row, place), now, best);
    if (operand < 0) return;
    choose(row, place - 1, operand - 1, cost + cost_wrong, now, best);
    choose(row, place, operand - 1, cost + cost_dropped, now, best);
  }

  bool fits(const Row& row, int place, int operand) const {
    const Operand& o = s_.ops[operand];
    return (x86_kinds[row.kind[place]][o.space] & o.classes) != 0;
  }

  bool is_used(u8 number) const { return used_ >> number & 1; }

  /// What stands in a place that the statement has nothing for.
  std::string invent(const Row& row, unsigned i, const Alignment& alignment) {
    const u64 registers_taken = x86_kinds[row.kind[i]][space_register], others = x86_kinds[row.kind[i]][space_other];
    if (registers_taken) return invent_register(row, i, alignment, registers_taken);
    if (others & memory) {
      const std::string_view base = mode_ == 64 ? "rax" : mode_ == 32 ? "eax" : "bx";
      return intel_ ? fmt::format("[{}]", base) : fmt::format("(%{})", base);
    }
    if (others & class_bit("rel")) return "label";
    return others & numbers ? intel_ ? "1" : "$1" : "";
  }

  std::string invent_register(const Row& row, unsigned i, const Alignment& alignment, u64 taken) {
    const int destination = alignment.given[row.count - 1];
    if (is_added_source(row, i) && destination >= 0 && s_.ops[destination].space == space_register &&
        (s_.ops[destination].classes & taken))
      return fmt::format("{}{}", intel_ ? "" : "%", register_name(*s_.ops[destination].reg));
    for (unsigned k = 0; k < s_.count; ++k)
      if (s_.ops[k].space == space_register) used_ |= u64(1) << (s_.ops[k].number & 63);
    for (const bool may_be_used : {false, true}) {
      for (unsigned k = 0; k < registers.count; ++k) {
        const Reg& r = registers.regs[k];
        if (!r.name || !(r.classes & taken) || (r.flags & bad_registers_) || (r.flags & reg_no_rex)) continue;
        if (!may_be_used && is_used(r.number)) continue;
        used_ |= u64(1) << (r.number & 63);
        return fmt::format("{}{}", intel_ ? "" : "%", register_name(r));
      }
    }
    return {};
  }

  const Statement& s_;
  const unsigned mode_;
  const bool intel_;
  const u8 bad_registers_;  ///< RegFlag of those that the mode does not have
  u64 used_ = 0;            ///< numbers of registers that stand somewhere
};

bool have_texts(const Statement& s) {
  return std::all_of(s.ops, s.ops + s.count, [](const Operand& o) { return o.where && *o.where; });
}

}  // namespace

std::string X86Target::Explainer::nearest_form(const Spelling& spelling, const Statement& s, FormKind kind) const {
  const u8 excluded = kind == FormKind::around_memory ? 0xFF : deco_er | deco_sae | deco_dfv;
  if (!have_texts(s) || s.star || (s.deco & excluded)) return {};
  FormWriter writer(s, x_.mode_, x_.intel_, u8(x_.bad_registers_ & ~reg_gated));
  const Row* nearest = nullptr;
  Alignment alignment;
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if (!is_offered(row)) continue;
    const Alignment its = writer.align(row, kind);
    if (its.cost >= alignment.cost) continue;
    alignment = its;
    nearest = &row;
  }
  if (!nearest) return {};
  const std::string operands = writer.write(*nearest, alignment);
  return operands.empty() ? std::string() : fmt::format("; nearest form: `{}{}`", s.mnemonic, operands);
}

/// The row may stand in messages: it is one of this mode, syntax and profile, and is available.
bool X86Target::Explainer::is_offered(const Row& row) const {
  return (row.flags & x_.row_needs_) == x_.row_needs_ && !(row.flags & row_alt) && (!x_.gated_ || x_.available(row));
}

/// The statement with its operands the other way round, if some row takes them so; else empty.
std::string X86Target::Explainer::turned_round(const Spelling& spelling, const Statement& s) const {
  if (!have_texts(s) || s.count < 2 || s.star || s.deco) return {};
  for (unsigned i = 0; i < spelling.count; ++i) {
    const Row& row = x86_rows[x86_lists[spelling.first + i]];
    if (row.count != s.count || !is_offered(row)) continue;
    bool fits = true;
    for (unsigned k = 0; k < s.count; ++k) {
      const Operand& o = s.ops[s.count - 1 - k];
      fits &= (x86_kinds[row.kind[k]][o.space] & o.classes) != 0;
    }
    if (!fits) continue;
    std::string text(s.mnemonic);
    for (unsigned k = 0; k < s.count; ++k) {
      const Operand& o = s.ops[x_.intel_ ? k : s.count - 1 - k];
      text += fmt::format("{}{}", k ? ", " : " ", written_operand(o.where));
    }
    return text;
  }
  return {};
}

}  // namespace xas::x86
