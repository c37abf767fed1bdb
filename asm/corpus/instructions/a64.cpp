// SPDX-License-Identifier: Apache-2.0
// Lines for the rows of the A64 tables.
#include <algorithm>

#include "asm/corpus/instructions/a64_choices.h"
#include "asm/corpus/instructions/needs.h"

namespace xas::corpus {

namespace {

using namespace a64forms;

constexpr unsigned most_draws = 48;

bool is_shift(Atom a) { return (a >= atom_lsl && a <= atom_sxtx) || a == atom_msl || a == atom_mul; }

/// The same number, in another class or as a list.
void retype(std::string& text, Atom a, bool list) {
  if (list || text[0] == '{') return;
  const Atom cls = a >= atom_x && a < atom_imm ? atom_x : a >= atom_w && a < atom_x ? atom_w : a;
  const std::size_t digits = text.find_first_of("0123456789");
  text = register_name(cls, digits == text.npos ? 31 : std::stoll(text.substr(digits)));
}

class Walker {
 public:
  Walker(const Request& request, Sink& sink) : request_(request), sink_(sink) {}
  void form(std::string_view name, const Row& row);

 private:
  /// The line with `value` in the places; values that follow others are filled in. False if it can't be.
  bool write(std::vector<std::string>& value);
  bool follow(std::vector<std::string>& value, unsigned i) const;
  void join(const std::vector<std::string>& value);
  void put(std::string_view edge);
  void random(u64 stream);
  Form describe();
  bool vector_index(unsigned open) const;

  const Request& request_;
  Sink& sink_;
  const Row* row_ = nullptr;
  std::string_view name_;
  unsigned count_ = 0;
  Choice choice_[max_atoms];
  std::vector<std::string> value_;
  std::string text_;
};

/// What may stand in atom i's place, in a word.
std::string word_of(const Row& row, unsigned i) {
  const Atom a = atom_of(row, i);
  if (a >= atom_w && a < atom_imm) {
    const std::string name = a >= atom_x ? "x" : "w", pointer = a >= atom_x ? "sp" : "wsp";
    if ((a & 3) == 2) return pointer;
    return mask_of(row, i) == u8(~2) ? name + "|" + pointer : name;
  }
  if (is_register(a)) {
    std::string name = register_name(a, 0);
    if (const std::size_t digit = name.find('0'); digit != name.npos && a != atom_zt0) name.erase(digit, 1);
    const bool first = i && is_list(atom_of(row, i - 1)) && a < atom_tile;
    constexpr std::string_view lists[] = {"{1 ", "{2 ", "{3 ", "{4 ", "{2 by 8 ", "{4 by 4 "};
    return first ? std::string(lists[atom_of(row, i - 1) - atom_list1]) + name + "}" : name;
  }
  switch (a) {
    case atom_imm: return "#n";
    case atom_float: return "#float";
    case atom_expr: return "#expr";
    case atom_literal: return "=expr";
    case atom_index: return "[n]";
    case atom_range2: return "n:n+1";
    case atom_range4: return "n:n+3";
    case atom_name: return "name";
    default: break;
  }
  const Choice c = choices(row, i, atom_none, nullptr, 0);
  return c.inside.empty() ? "?" : c.inside[0].text;
}

Form Walker::describe() {
  Form form;
  form.mnemonic = name_;
  std::vector<std::string> words(count_);
  for (unsigned i = 0; i < count_; ++i)
    if (!is_list(atom_of(*row_, i))) words[i] = word_of(*row_, i);
  join(words);
  form.text = fmt::format("{} = {:08x}", text_, row_->opcode);
  add_features(form.features, a64_needs + a64_needs_start[row_->features], a64_feature_names);
  form.hash = hash_text(form.text, u64(Machine::aarch64) * 2);
  return form;
}

void Walker::form(std::string_view name, const Row& row) {
  row_ = &row;
  name_ = name;
  count_ = 0;
  while (count_ < max_atoms && atom_of(row, count_)) ++count_;
  Form form = describe();
  const u64 stream = form.hash;
  const bool is_random = request_.values == Values::random && !request_.invalid;
  Random draws(request_.seed, stream, ~u64(0));
  for (unsigned i = 0; i < count_; ++i) {
    choice_[i] = {};
    if (is_list(atom_of(row, i))) continue;
    const bool first_of_list = i && is_list(atom_of(row, i - 1)) && atom_of(row, i) < atom_tile;
    choice_[i] = choices(row, i, first_of_list ? atom_of(row, i - 1) : atom_none, is_random ? &draws : nullptr,
                         unsigned(std::min<u64>(request_.count, most_draws)));
  }
  if (!sink_.begin(std::move(form))) return;
  if (is_random) return random(stream);
  auto simple = [&] {
    value_.assign(count_, {});
    for (unsigned i = 0; i < count_; ++i)
      if (!choice_[i].inside.empty()) value_[i] = choice_[i].inside[0].text;
  };
  simple();
  if (!write(value_)) return;
  if (!request_.invalid) put("plain");
  if (request_.values == Values::one && !request_.invalid) return;
  for (unsigned i = 0; i < count_; ++i) {
    const std::vector<a64forms::Text>& texts = request_.invalid ? choice_[i].beyond : choice_[i].inside;
    for (std::size_t k = request_.invalid ? 0 : 1; k < texts.size(); ++k) {
      simple();
      value_[i] = texts[k].text;
      if (write(value_)) put(texts[k].edge);
    }
  }
}

void Walker::random(u64 stream) {
  const u64 draws = count_ ? request_.count : 1;
  for (u64 draw = 0; draw < draws; ++draw) {
    Random random(request_.seed, stream, draw);
    value_.assign(count_, {});
    for (unsigned i = 0; i < count_; ++i)
      if (const auto& texts = choice_[i].inside; !texts.empty())
        value_[i] = texts[random.below(u32(texts.size()))].text;
    if (!write(value_)) return;
    put("random");
  }
}

/// The rule of movprfx is about the instruction behind it, so that it comes with one that it may stand before.
void Walker::put(std::string_view edge) {
  if (name_ == "movprfx" && !request_.invalid) {
    const std::size_t z = text_.find('z') + 1;
    const unsigned n = unsigned(std::strtoul(text_.c_str() + z, nullptr, 10));
    const std::size_t point = text_.find('.');
    if (point == text_.npos) {
      append(text_, "; add z{0}.b, z{0}.b, #1", n);
    } else {
      const std::size_t p = text_.find(", p") + 2;
      const std::string predicate = text_.substr(p, text_.find('/') - p);
      append(text_, "; add z{0}.{1}, {2}/m, z{0}.{1}, z{3}.{1}", n, text_[point + 1], predicate, (n + 1) % 32);
    }
  }
  sink_.line(text_, {edge});
}

bool Walker::follow(std::vector<std::string>& value, unsigned i) const {
  const Atom a = atom_of(*row_, i);
  const Encoder* e = encoder_of(*row_, i);
  if (e && e->encoding == enc_same) {
    value[i] = value[std::size_t(e->low)];
    if (value[i].empty()) return false;
    if (is_register(a)) retype(value[i], a, i && is_list(atom_of(*row_, i - 1)));
  } else if (e && e->encoding == enc_pair_next) {
    const std::string& v = value[std::size_t(e->low)];
    if (v.find_first_of("0123456789z") == v.npos) return false;
    value[i] = register_name(a >= atom_x && a < atom_imm ? atom_x : atom_w,
                             v == "xzr" || v == "wzr" ? 31 : std::stoi(v.substr(1)) + 1);
  }
  return !value[i].empty();
}

bool Walker::write(std::vector<std::string>& value) {
  for (unsigned i = 0; i < count_; ++i)
    if (!is_list(atom_of(*row_, i)) && !follow(value, i)) return false;
  join(value);
  return true;
}

void Walker::join(const std::vector<std::string>& value) {
  text_ = name_;
  Atom before = atom_none;
  bool in_braces = false;
  for (unsigned i = 0; i < count_; ++i) {
    const Atom a = atom_of(*row_, i);
    if (is_list(a)) {
      if (i + 1 < count_ && atom_of(*row_, i + 1) >= atom_tile) {  // {za0h.b[w12, 0]}
        text_ += i ? ", {" : " {";
        in_braces = true;
        before = atom_open;
      }
      continue;
    }
    const bool glued =
        i == 0 || before == atom_open || a == atom_close || a == atom_close_write || a == atom_write || a == atom_index;
    if (before == atom_none)
      text_ += ' ';
    else if (is_shift(before) && (a == atom_imm || a == atom_expr))
      text_ += ' ';
    else if (a == atom_open && before >= atom_v && before < atom_zt0)
      text_ += before >= atom_za || vector_index(i) ? "" : ", ";
    else if (!glued)
      text_ += ", ";
    text_ += value[i];
    if (in_braces && a == atom_close) {
      text_ += '}';
      in_braces = false;
    }
    before = a;
  }
}

/// `z0.h[w12, 1]`, not `z0.h, [x1]`: what stands behind the bracket is a 32-bit register.
bool Walker::vector_index(unsigned open) const {
  const Atom next = open + 1 < count_ ? atom_of(*row_, open + 1) : atom_none;
  return next == atom_w || next == atom_imm;
}

}  // namespace

std::vector<std::string_view> a64_features() { return user_features(a64_feature_names); }

void walk_a64(const Request& request, Sink& sink) {
  std::vector<const Spelling*> spellings;
  for (const Spelling& s : a64_spellings)
    if (s.count) spellings.push_back(&s);
  auto name = [](const Spelling* s) { return std::string_view(a64_names + s->name, s->length); };
  std::sort(spellings.begin(), spellings.end(), [&](auto a, auto b) { return name(a) < name(b); });
  Walker walker(request, sink);
  for (const Spelling* s : spellings) {
    if (!sink.wants(name(s))) continue;
    for (unsigned r = s->first; r < unsigned(s->first + s->count); ++r) {
      const Row& row = a64_rows[r];
      if (row.flags & (request.llvm ? row_gnu : row_llvm)) continue;
      walker.form(name(s), row);
    }
  }
}

}  // namespace xas::corpus
