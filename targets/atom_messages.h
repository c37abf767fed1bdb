// SPDX-License-Identifier: Apache-2.0
// What is said of operands that no form of a mnemonic takes, for the targets whose operands are atoms (atoms.h): which
// operand it is, what would be taken in its place, and the nearest form, written with the statement's own operands as
// far as they fit. Nothing that is correct comes here, so nothing here is fast.
//
// `Words` is what a target knows of its atoms:
//   bool is_usable(row)                          the profile, features and instruction set have it
//   bool encode(row, operands, failed)           else the number of the field that does not hold its value
//   fields(row), encoder(field)                  of the tables
//   std::string_view describe(atom)              "a 64-bit register"; empty: it is not told
//   std::string_view describe_taken(atom, with_next, given)  the same of what a row takes, with the next atom or
//                                               without it; `given` stands in its place
//   std::string spell(atom, value, where)        as it is written; empty if that depends on more
//   unsigned group(atom)                         registers of one group can take each other's place; 0: no register
//   bool is_variant(atom)                        one of a group that are told by their spelling (v0.4s)
//   unsigned bits(atom)                          how many a register has; 0: it does not matter
//   bool is_plain(atom)                          a register of which another width may be meant
//   bool is_fixed(atom)                          one register alone: the stack pointer
//   i64 number(atom, value)                      the same number as another register's, if there is such a one
//   Glue glue(atom)                              what stands between it and its neighbours
//   std::string accepted(encoder)                what a field takes, in words
//   bool is_range(encoder)                       ... which is a number in a range
//   bool is_label(encoder)                       ... which is the distance to a label
//   bool list_of(list, atom, value)             makes the value of one register that of a list of it
//   std::string excess(encoder, value)           what of a list the field does not take; empty: not told
//   void offer_names(encoder, nearest)           the names that a field takes
//   void set_default(row, encoder, operands, i)  makes atom i something that the field takes
//   bool is_end(p)                               the statement ends at p
//   std::string_view comment                     what begins a comment
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "targets/advice.h"
#include "targets/atoms.h"
#include "targets/nearest_name.h"
#include "targets/operand_text.h"

namespace xas::atoms {

/// How an atom's text joins its neighbours'. Otherwise there is a comma between two.
enum Glue : u8 {
  glue_none = 0,
  glue_left = 1,    ///< stands at the one before it
  glue_right = 2,   ///< the one behind it stands at it
  glue_blank = 4,   ///< the one behind it follows after a blank: lsl #2
  glue_hidden = 8,  ///< is no text of its own
  glue_list = 16,   ///< a list's, of registers of the next atom's kind
};

/// Some row may be used, and takes the operands.
template <class Row, class Operands, class Words>
bool any_takes(std::span<const Row> rows, const Operands& o, const Words& words) {
  unsigned failed;
  return std::ranges::any_of(rows, [&](const Row& row) {
    return words.is_usable(row) && first_difference(row, o) == max_atoms && words.encode(row, o, failed);
  });
}

/// The mnemonic `kin`, and not `name`, takes the operands, of which the first is `operand`, in words `what`.
inline std::string kin_message(std::string_view name, std::string_view kin, std::string_view operand,
                               std::string_view what) {
  return fmt::format("'{}' is {}, which `{}` does not take here; `{}` does", operand,
                     what.substr(0, what.find(" like ")), name, kin);
}

template <class Row, class Operands, class Words>
class Refusal {
  using Atom = decltype(Operands().atom(0));

 public:
  /// `start` is where the statement begins: there stand operands that are said by values, and have no text.
  Refusal(std::string_view name, const char* start, std::span<const Row> rows, const Operands& o, const Words& words)
      : name_(name), start_(start), rows_(rows), o_(o), words_(words) {}

  /// Tells as a note behind another message why no form takes the operands.
  void note(const char* where, Emitter& out) {
    is_note_ = true;
    report(where, "\n", out);
  }

  /// Reports it; `where` is the mnemonic, `end` where the operands end.
  void report(const char* where, const char* end, Emitter& out) const {
    if (!words_.is_end(end))
      return out.error(end, fmt::format("expected ',' or the end of the statement, found '{}'{}", found_at(end),
                                        unexpected_advice(end, Words::comment)));
    unsigned field_at = 0;
    if (field_mistake(field_at)) {
      Refusal others = *this;
      others.name_at_ = field_at;
      const bool name_is_known = o_.atom(field_at) == Atom::atom_name &&
                                 std::ranges::any_of(rows_, [&](const Row& row) { return others.is_usable(row); });
      return name_is_known ? others.report_operand(where, out) : report_field(field_at, out);
    }
    report_operand(where, out);
  }

 private:
  static constexpr unsigned no_name = ~0u;

  void say(Emitter& out, const char* where, std::string text) const {
    is_note_ ? out.note(where, std::move(text)) : out.error(where, std::move(text));
  }

  /// Whether the statement can be meant to be of this form.
  bool is_usable(const Row& row) const { return words_.is_usable(row) && (name_at_ == no_name || takes_name(row)); }

  /// Whether the row takes the name at `name_at_`, and differs behind it.
  bool takes_name(const Row& row) const {
    const unsigned difference = first_difference(row, o_);
    Operands o = o_;
    return difference > name_at_ && difference != max_atoms && change(row, o) &&
           o.where[name_at_] == o_.where[name_at_];
  }

  std::string_view written_at(unsigned at) const {
    if (o_.where[at] == start_) return {};
    return words_.group(o_.atom(at)) ? written_word(o_.where[at], words_) : written_operand(o_.where[at], words_);
  }

  /// An operand as it is written; one that is said by a value, as it would be.
  std::string shown(unsigned at) const {
    const std::string_view written = written_at(at);
    return quoted(written.empty() ? words_.spell(o_.atom(at), o_.value[at], nullptr) : std::string(written));
  }

  /// An operand of another kind than the forms take.
  void report_operand(const char* where, Emitter& out) const {
    std::vector<std::string> others;
    const std::string form = nearest_form(&others);
    const std::string advice = form.empty() ? form : fmt::format("; nearest form: `{}`", form);
    if (o_.count == 0) return say(out, where, fmt::format("`{}` needs operands{}", name_, advice));
    unsigned at = 0;
    for (const Row& row : rows_)
      if (is_usable(row)) at = std::max(at, first_difference(row, o_));
    if (at >= o_.count) return say(out, where, fmt::format("too few operands for `{}`{}", name_, advice));
    const Atom given = o_.atom(at);
    bool variants = false;
    const std::vector<std::string> all = wanted_at(at, variants);
    const std::string wanted = alternatives(all, variants ? 8 : 5);
    const std::string_view is = without_example(words_.describe(given));
    const auto tell_others = [&] {
      if (!others.empty()) out.note(where, fmt::format("other forms: `{}`", fmt::join(others, "`, `")));
    };
    if (variants) {
      say(out, o_.where[at], fmt::format("`{}` does not take {} here, but {}{}", name_, shown(at), wanted, advice));
      if (std::ranges::count(wanted, ' ') == 0) tell_others();
      return;
    }
    std::string text = words_.glue(given) & glue_left
                           ? fmt::format("'{}' is not expected here", words_.spell(given, 0, nullptr))
                           : fmt::format("{} is {}", shown(at), is.empty() ? "not expected here" : is);
    if (wanted.empty())
      text += fmt::format(", but `{}` takes no operand{}", name_, at == 0 ? "s" : " more");
    else
      text += fmt::format(", but `{}` takes {} here", name_, wanted);
    say(out, o_.where[at], text + advice);
    if (words_.group(given)) tell_others();
  }

  std::string_view found_at(const char* p) const {
    const std::string_view operand = written_operand(p, words_);
    return operand.empty() ? std::string_view(p, 1) : operand;
  }
  /// "a vector register" of "a vector register like v0.4s".
  static std::string_view without_example(std::string_view text) { return text.substr(0, text.find(" like ")); }

  Atom row_atom(const Row& row, unsigned i) const { return Atom(row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
  bool takes(const Row& row, unsigned i, Atom atom) const {
    return !((u64(atom) ^ row.signature[i >> 3] >> (8 * (i & 7))) & row.mask[i >> 3] >> (8 * (i & 7)) & 0xFF);
  }
  unsigned size(const Row& row) const {
    unsigned n = max_atoms;
    while (n > 0 && row_atom(row, n - 1) == 0) --n;
    return n;
  }

  /// Some rows take all atoms, but not a value; `at`: the last atom of which that is true.
  bool field_mistake(unsigned& at) const {
    bool any = false;
    for (const Row& row : rows_) {
      unsigned failed;
      if (!words_.is_usable(row) || first_difference(row, o_) != max_atoms || words_.encode(row, o_, failed)) continue;
      const unsigned atom = words_.fields(row)[failed].atom;
      at = any ? std::max(at, atom) : atom;
      any = true;
    }
    return any;
  }

  using Encoder = std::remove_cvref_t<decltype(std::declval<Words>().encoder(
      std::declval<Words>().fields(std::declval<Row>())[0]))>;

  /// Whether the numbers that one field takes are among those of the other.
  bool is_within(const Encoder& inner, const Encoder& outer) const {
    return &inner != &outer && words_.is_range(inner) && words_.is_range(outer) && inner.low >= outer.low &&
           inner.high <= outer.high && outer.scale == 1 &&
           (inner.low != outer.low || inner.high != outer.high || inner.scale != outer.scale);
  }

  void report_field(unsigned at, Emitter& out) const {
    std::vector<const Encoder*> encoders;
    for (const Row& row : rows_) {
      unsigned failed;
      if (!words_.is_usable(row) || first_difference(row, o_) != max_atoms || words_.encode(row, o_, failed)) continue;
      const auto& field = words_.fields(row)[failed];
      if (field.atom == at) encoders.push_back(&words_.encoder(field));
    }
    std::vector<std::string> wanted;
    for (const Encoder* e : encoders)
      if (std::ranges::none_of(encoders, [&](const Encoder* other) { return is_within(*e, *other); }))
        add_once(wanted, words_.accepted(*e, o_.atom(at)));
    if (o_.atom(at) == Atom::atom_name) add_numbers(at, wanted);
    const std::string_view written = written_at(at);
    const std::string excess = least_excess(encoders, o_.value[at]);
    std::string text =
        fmt::format("`{}` does not take {}{} here", name_, excess.empty() ? excess : excess + " in ", shown(at));
    if (!wanted.empty()) text += fmt::format("; it takes {}", alternatives(wanted, 5));
    say(out, o_.where[at], text + field_advice(at, encoders, written));
  }

  /// What of a list is too much, for the field that takes most of it.
  std::string least_excess(const std::vector<const Encoder*>& encoders, i64 value) const {
    std::string least;
    for (const Encoder* e : encoders)
      if (std::string excess = words_.excess(*e, value);
          least.empty() || (!excess.empty() && excess.size() < least.size()))
        least = std::move(excess);
    return least;
  }

  /// What to write in the place of something that a field does not take.
  std::string field_advice(unsigned at, const std::vector<const Encoder*>& encoders, std::string_view written) const {
    if (words_.group(o_.atom(at))) {
      const std::string form = nearest_form();
      return form.empty() ? form : fmt::format("; nearest form: `{}`", form);
    }
    if (o_.atom(at) == Atom::atom_name) {
      const std::string lower = text::lower(written);
      NearestName nearest(lower);
      for (const Encoder* e : encoders) words_.offer_names(*e, nearest);
      return nearest.question();
    }
    if (o_.atom(at) != Atom::atom_imm) return {};
    if (const std::string form = other_width(); !form.empty()) return fmt::format("; nearest form: `{}`", form);
    return offset_advice(at);
  }

  /// The statement with registers of another width, if a form takes its numbers then.
  std::string other_width() const {
    for (const Row& row : rows_) {
      if (!is_usable(row) || size(row) != o_.count) continue;
      Operands o = o_;
      bool alike = true;
      for (unsigned i = 0; i < o.count && alike; ++i) {
        const Atom given = o_.atom(i), wanted = row_atom(row, i);
        if (takes(row, i, given)) continue;
        alike = words_.is_plain(given) && words_.is_plain(wanted);
        o.set_atom(i, wanted);
        o.where[i] = nowhere;
      }
      unsigned failed;
      if (!alike || first_difference(row, o) != max_atoms || !words_.encode(row, o, failed)) continue;
      if (const std::string text = write(o); !text.empty()) return fmt::format("{} {}", name_, text);
    }
    return {};
  }

  /// What is done with an offset that the address at atom `at` does not take.
  std::string offset_advice(unsigned at) const {
    if (at && o_.atom(at - 1) == Atom::atom_close) return "; other steps are added to the base behind it";
    if (at < 2 || o_.atom(at - 2) != Atom::atom_open) return {};
    std::string shortest;
    for (const Row& row : rows_) {
      if (!is_usable(row) || first_difference(row, o_) != at || !words_.group(row_atom(row, at))) continue;
      Operands o = o_;
      if (!change(row, o)) continue;
      if (std::string text = write(o); shortest.empty() || (!text.empty() && text.size() < shortest.size()))
        shortest = std::move(text);
    }
    return shortest.empty() ? "; other offsets are added to the base before"
                            : fmt::format("; other offsets stand in a register: `{} {}`", name_, shortest);
  }

  /// The numbers that can stand in the place of a name.
  void add_numbers(unsigned at, std::vector<std::string>& wanted) const {
    for (const Row& row : rows_) {
      if (!words_.is_usable(row) || first_difference(row, o_) != at || row_atom(row, at) != Atom::atom_imm) continue;
      for (unsigned f = 0; f < row.field_count; ++f)
        if (words_.fields(row)[f].atom == at)
          add_once(wanted, words_.accepted(words_.encoder(words_.fields(row)[f]), Atom::atom_imm));
    }
  }

  /// What the rows take as atom `at` that take those before it, registers of the given one's group first; `variants`:
  /// these are told by their spelling.
  std::vector<std::string> wanted_at(unsigned at, bool& variants) const {
    std::vector<std::string> spelled, alike, others;
    const unsigned given = words_.group(o_.atom(at));
    for (const Row& row : rows_) {
      if (!is_usable(row) || first_difference(row, o_) != at) continue;
      const Atom atom = row_atom(row, at);
      if (atom == 0) continue;
      const bool is_alike = given && words_.group(atom) == given;
      if (is_alike && words_.is_variant(atom))
        add_once(spelled, words_.spell(atom, o_.value[at], nullptr));
      else
        add_once(is_alike ? alike : others, describe_taken(row, at));
    }
    variants = !spelled.empty();
    if (variants) return spelled;
    alike.insert(alike.end(), others.begin(), others.end());
    std::erase_if(alike, [all = alike](const std::string& each) {
      return std::ranges::any_of(all, [&](const std::string& other) { return other.starts_with(each + " with "); });
    });
    return alike;
  }

  std::string describe_taken(const Row& row, unsigned at) const {
    const Atom atom = row_atom(row, at);
    for (unsigned f = 0; f < row.field_count; ++f)
      if (words_.fields(row)[f].atom == at && words_.is_label(words_.encoder(words_.fields(row)[f]))) return "a label";
    if (words_.glue(atom) & glue_blank && is_in_address(at)) {
      for (unsigned f = 0; f < row.field_count; ++f)
        if (words_.fields(row)[f].atom == at + 1)
          return fmt::format("{} with {}", words_.spell(atom, 0, nullptr),
                             words_.accepted(words_.encoder(words_.fields(row)[f]), Atom::atom_imm));
      return words_.spell(atom, 0, nullptr);
    }
    return std::string(words_.describe_taken(atom, takes(row, at, Atom(atom + 1)), o_.atom(at)));
  }

  bool is_in_address(unsigned at) const {
    while (at-- > 0)
      if (o_.atom(at) == Atom::atom_open || o_.atom(at) == Atom::atom_close) return o_.atom(at) == Atom::atom_open;
    return false;
  }

  /// How far the atoms are from those of a row. The first one tells best what is meant.
  unsigned distance(const Row& row) const {
    constexpr unsigned other_register = 2, other_bits = 3, other_shift = 4, other_kind = 5, other_mark = 9, missing = 4,
                       excess = 6, no_brackets = 4;
    if (wants_brackets(row)) return no_brackets;
    const unsigned n = size(row);
    unsigned sum = 0;
    for (unsigned i = 0; i < std::max(n, o_.count); ++i) {
      if (i >= n)
        sum += excess;
      else if (i >= o_.count)
        sum += missing;
      else if (!takes(row, i, o_.atom(i))) {
        const Atom given = o_.atom(i), wanted = row_atom(row, i);
        const unsigned group = words_.group(given);
        const bool shifts = words_.glue(given) & words_.glue(wanted) & glue_blank;
        const bool marks = words_.glue(given) && words_.glue(wanted) & (glue_left | glue_blank);
        if (group && group == words_.group(wanted) && !words_.is_fixed(wanted))
          sum += i > 0 && words_.bits(given) == words_.bits(wanted) ? other_register : other_bits;
        else
          sum += shifts ? other_shift : marks ? other_mark : other_kind;
      }
    }
    return sum;
  }

  /// The last operand is a register that the row takes in brackets.
  bool wants_brackets(const Row& row) const {
    if (o_.count < 2 || o_.overflow || size(row) != o_.count + 2) return false;
    const unsigned last = o_.count - 1;
    return first_difference(row, o_) == last && row_atom(row, last) == Atom::atom_open &&
           row_atom(row, last + 2) == Atom::atom_close && words_.group(o_.atom(last)) &&
           takes(row, last + 1, o_.atom(last));
  }

  /// Where an atom stands that is not in the text: encoders look at what is written there.
  static constexpr char nowhere[] = "";

  /// Atom `i` is not what the text has; of a name, no character.
  static void invent(Operands& o, unsigned i) {
    o.where[i] = nowhere;
    if (o.atom(i) == Atom::atom_name) o.value[i] = 0;
  }

  /// The operands with what the row takes in the place of what it does not.
  bool change(const Row& row, Operands& o) const {
    const unsigned n = size(row);
    if (o.overflow) return false;
    if (wants_brackets(row)) {
      const unsigned last = o.count - 1;
      const Atom atom = o.atom(last);
      const i64 value = o.value[last];
      const char* const where = o.where[last];
      o.truncate(last);
      o.push(Atom::atom_open, 0, nowhere);
      o.push(atom, value, where);
      o.push(Atom::atom_close, 0, nowhere);
      unsigned failed;
      return words_.encode(row, o, failed);
    }
    o.truncate(std::min(o.count, n));
    const unsigned own = o.count;
    unsigned number = 0;
    for (unsigned i = 0; i < n; ++i) {
      const bool fits = i < own && takes(row, i, o.atom(i));
      if (fits) {
        if (words_.group(o.atom(i))) number = unsigned(o.value[i]) + 1;
        continue;
      }
      const Atom atom = row_atom(row, i);
      if (i >= own) o.push(atom, 0, nowhere);
      const bool was_register = i < own && words_.group(o.atom(i));
      if (words_.group(atom)) o.value[i] = words_.number(atom, was_register ? o.value[i] : number & 7);
      if (words_.group(atom)) number = unsigned(o.value[i]) + 1;
      const bool is_list = was_register && words_.list_of(atom, o.atom(i), o.value[i]);
      o.set_atom(i, atom);
      invent(o, i);
      if (words_.group(atom) || words_.glue(atom) || is_list) continue;
      for (unsigned f = 0; f < row.field_count; ++f)
        if (words_.fields(row)[f].atom == i) words_.set_default(row, words_.encoder(words_.fields(row)[f]), o, i);
    }
    constexpr int max_repairs = 6;
    for (int k = 0; k < max_repairs; ++k) {
      unsigned failed;
      if (words_.encode(row, o, failed)) return true;
      const auto& field = words_.fields(row)[failed];
      invent(o, field.atom);
      words_.set_default(row, words_.encoder(field), o, field.atom);
    }
    return false;
  }

  std::string write(const Operands& o) const {
    std::string text;
    u8 before = glue_right;
    for (unsigned i = 0; i < o.count; ++i) {
      const Atom atom = o.atom(i);
      const u8 glue = words_.glue(atom);
      if (glue & glue_hidden) continue;
      std::string piece;
      const bool is_written = o.where[i] != nowhere && o.where[i] != start_;
      if (glue & glue_list) {
        piece = words_.spell_list(o, i);
        if (words_.list_has_register(o, i)) ++i;
      } else if (is_written && !(glue & (glue_left | glue_right)) && !words_.group(atom) && !(glue & glue_blank)) {
        piece = written_operand(o.where[i], words_);
      } else if (is_written && words_.group(atom) && *o.where[i] != '{') {
        piece = written_word(o.where[i], words_);
      } else {
        piece = words_.spell(atom, o.value[i], is_written ? o.where[i] : nullptr);
      }
      if (piece.empty()) return {};
      if (!(before & glue_right) && !(glue & glue_left)) text += before & glue_blank ? " " : ", ";
      text += piece;
      before = glue;
    }
    return text;
  }

  /// The operands in another order, or without one of them, if a form takes these.
  std::string rearranged() const {
    if (o_.overflow) return {};
    std::vector<unsigned> starts;  // the first atoms of operands
    unsigned depth = 0;
    for (unsigned i = 0; i < o_.count; ++i) {
      const u8 before = i ? u8(words_.glue(o_.atom(i - 1))) : u8(glue_none);
      const bool joined =
          words_.glue(o_.atom(i)) & glue_left || before & (glue_right | glue_blank | glue_list | glue_hidden);
      if (!joined && depth == 0) starts.push_back(i);
      depth += o_.atom(i) == Atom::atom_open;
      if (depth && (o_.atom(i) == Atom::atom_close || o_.atom(i) == Atom::atom_close_write)) --depth;
    }
    const auto of_operands = [&](const std::vector<std::size_t>& order) {
      std::vector<unsigned> atoms;
      for (const std::size_t k : order)
        for (unsigned i = starts[k]; i < (k + 1 < starts.size() ? starts[k + 1] : o_.count); ++i)
          if (!(words_.glue(o_.atom(i)) & glue_hidden)) atoms.push_back(i);
      return of_atoms(atoms);
    };
    std::vector<std::size_t> order(starts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    if (order.size() > 1) {
      std::swap(order[order.size() - 2], order.back());
      if (std::string text = of_operands(order); !text.empty()) return text;
      std::swap(order[order.size() - 2], order.back());
      std::ranges::reverse(order);
      if (std::string text = of_operands(order); !text.empty()) return text;
    }
    for (unsigned k = o_.count; k-- > 1;) {
      const bool has_amount = words_.glue(o_.atom(k)) & glue_blank && o_.is_number(k + 1);
      const bool is_part = words_.glue(o_.atom(k - 1)) & (glue_blank | glue_list);
      if (!has_amount && (!words_.group(o_.atom(k)) || is_part)) continue;
      std::vector<unsigned> atoms;
      for (unsigned i = 0; i < o_.count; ++i)
        if (i != k && !(has_amount && i == k + 1)) atoms.push_back(i);
      if (std::string text = of_atoms(atoms); !text.empty()) return text;
    }
    return {};
  }

  /// The operands with one more before a mark that comes too early: [x1, w2, uxtw] of [x1, w2].
  std::string completed() const {
    if (o_.overflow || o_.count == max_atoms) return {};
    for (const Row& row : rows_) {
      const unsigned at = first_difference(row, o_);
      if (!is_usable(row) || size(row) != o_.count + 1 || at >= o_.count || !(words_.glue(o_.atom(at)) & glue_left))
        continue;
      bool alike = true;
      for (unsigned i = at; i < o_.count; ++i) alike &= takes(row, i + 1, o_.atom(i));
      if (!alike) continue;
      Operands o = o_;
      o.truncate(at);
      o.push(row_atom(row, at), 0, nowhere);
      for (unsigned i = at; i < o_.count; ++i) o.push(o_.atom(i), o_.value[i], o_.where[i]);
      invent(o, at);
      for (unsigned f = 0; f < row.field_count; ++f)
        if (words_.fields(row)[f].atom == at) words_.set_default(row, words_.encoder(words_.fields(row)[f]), o, at);
      unsigned failed;
      if (!words_.encode(row, o, failed)) continue;
      if (const std::string text = write(o); !text.empty()) return fmt::format("{} {}", name_, text);
    }
    return {};
  }

  /// The form of these atoms; empty if there is none.
  std::string of_atoms(const std::vector<unsigned>& atoms) const {
    Operands o = o_;
    o.truncate(0);
    for (const unsigned i : atoms) o.push(o_.atom(i), o_.value[i], o_.where[i]);
    for (const Row& row : rows_) {
      unsigned failed;
      if (is_usable(row) && first_difference(row, o) == max_atoms && words_.encode(row, o, failed)) {
        const std::string text = write(o);
        return text.empty() ? text : fmt::format("{} {}", name_, text);
      }
    }
    return {};
  }

  /// The nearest form that can be written; empty if none is near. `others`: up to some more that are about as near,
  /// with other registers.
  std::string nearest_form(std::vector<std::string>* others = nullptr) const {
    constexpr unsigned far = 13, near = 4, as_near = 3;
    constexpr std::size_t max_tried = 12, max_others = 4;
    std::vector<std::pair<unsigned, const Row*>> order;  // of those that are as near, what keeps the first operands
    for (const Row& row : rows_)
      if (is_usable(row)) order.emplace_back(distance(row), &row);
    std::ranges::stable_sort(order, {}, [&](const auto& each) {
      return std::pair(each.first, max_atoms - first_difference(*each.second, o_));
    });
    std::string form = completed();
    if (form.empty() && (order.empty() || order[0].first > near)) form = rearranged();
    unsigned nearest = far;
    for (std::size_t i = 0; i < std::min(order.size(), max_tried); ++i) {
      const auto& [distance, row] = order[i];
      if (distance > (form.empty() ? far : nearest + as_near) || (!form.empty() && !others)) break;
      if (!form.empty() && (size(*row) != o_.count || others->size() == max_others)) continue;
      Operands o = o_;
      if (!change(*row, o)) continue;
      const std::string text = write(o);
      if (text.empty()) continue;
      std::string whole = fmt::format("{} {}", name_, text);
      if (form.empty()) {
        form = std::move(whole);
        nearest = distance;
      } else if (whole != form && nearest != far) {
        add_once(*others, std::move(whole));
      }
    }
    return form;
  }

  std::string_view name_;
  const char* start_;
  std::span<const Row> rows_;
  const Operands& o_;
  const Words& words_;
  bool is_note_ = false;
  unsigned name_at_ = no_name;  ///< a name that only some rows know: what they take behind it is told
};

}  // namespace xas::atoms
