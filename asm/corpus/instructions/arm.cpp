// SPDX-License-Identifier: Apache-2.0
// Lines for the rows of the ARM tables: A32, and Thumb in both its sizes.
#include <algorithm>

#include "asm/corpus/instructions/arm_choices.h"
#include "asm/corpus/instructions/needs.h"

namespace xas::corpus {

namespace {

using namespace armforms;

constexpr std::string_view conditions[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs",
                                           "vc", "hi", "ls", "ge", "lt", "gt", "le"};

/// Whether the row is for the M profile only.
bool is_mprofile(const Row& row) {
  for (const u16* p = arm_needs + arm_needs_start[row.features]; *p != 0xFFFF; ++p)
    for (; *p != 0xFFFF; ++p)
      for (const std::string_view name : {"mve", "mve.fp", "mclass", "v8m.base", "v8.1m.main", "lob", "pacbti", "cde"})
        if (arm_feature_names[*p] == name) return true;
  return false;
}

class Walker {
 public:
  Walker(const Request& request, Sink& sink)
      : request_(request), sink_(sink), thumb_(request.machine == Machine::thumb) {}
  void form(std::string_view name, const Row& row);

 private:
  bool simple();
  void fill_block();
  Form describe(std::string_view name);
  std::string mnemonic(std::string_view condition, bool set_flags) const;
  void put(std::string_view edge, std::string_view condition = {}) { put(edge, condition, condition, needs_flags()); }
  void put(std::string_view edge, std::string_view condition, std::string_view block, bool set_flags);
  bool needs_flags() const { return row_->flags & (row_flags | row_flags_outside); }
  void follow(std::vector<std::string>& value, unsigned from) const;
  void edges();
  void put_in_vpt_block();
  void random(u64 stream);
  void invalid();

  const Request& request_;
  Sink& sink_;
  bool thumb_;
  const Row* row_ = nullptr;
  std::string_view name_;
  std::vector<Texts> all_;
  std::vector<std::string> base_, value_;
  std::string text_;
};

/// The mnemonic with what the row has it written with.
std::string Walker::mnemonic(std::string_view condition, bool set_flags) const {
  std::string m(name_.substr(0, name_.find('.')));
  const std::string_view types = name_.substr(m.size());
  if (set_flags) m += 's';
  m += condition;
  if (row_->set == set_t32 && types.empty() && m[0] != 'v') m += ".w";
  m += types;
  return m;
}

/// `condition` is written behind the mnemonic; in Thumb code, where it is no part of the encoding, an IT instruction
/// with `block` comes first.
void Walker::put(std::string_view edge, std::string_view condition, std::string_view block, bool set_flags) {
  text_.clear();
  if (thumb_ && !block.empty() && row_->condition == 255) append(text_, "it {}; ", block);
  text_ += mnemonic(condition, set_flags);
  if (!value_.empty()) text_ += ' ';
  join(text_, *row_, value_);
  if (row_->flags & row_vpt_block) fill_block();
  sink_.line(text_, {edge});
}

/// A VPT block is not over before it has its instructions.
void Walker::fill_block() {
  const u32 traits = facts_of(*row_).traits;
  const unsigned count = traits >> block_count_at & 7, otherwise = traits >> block_pattern_at;
  for (unsigned i = 0; i < count; ++i) text_ += otherwise >> i & 1 ? "; vorre q0, q1, q2" : "; vorrt q0, q1, q2";
}

/// The simplest operands; false if the row can't be shown.
bool Walker::simple() {
  all_.clear();
  base_.clear();
  for (unsigned i = 0; i < max_atoms && atom_of(*row_, i) != atom_none; ++i) {
    all_.push_back(choices(*row_, i, base_, nullptr));
    if (all_.back().empty()) return false;
    base_.push_back(all_.back()[0].text);
  }
  return true;
}

Form Walker::describe(std::string_view name) {
  Form form;
  form.mnemonic = name;
  value_.clear();
  for (unsigned i = 0; i < max_atoms && atom_of(*row_, i) != atom_none; ++i) value_.push_back(word_of(*row_, i));
  text_ = mnemonic({}, needs_flags());
  if (!value_.empty()) text_ += ' ';
  join(text_, *row_, value_);
  form.text = fmt::format("{} = {:0{}x}", text_, row_->opcode, row_->set == set_t16 ? 4 : 8);
  add_features(form.features, arm_needs + arm_needs_start[row_->features], arm_feature_names);
  form.group = thumb_ && is_mprofile(*row_);
  form.hash = hash_text(form.text, u64(request_.machine) * 2 + form.group);
  if (form.group) form.text += " (M profile)";
  return form;
}

void Walker::form(std::string_view name, const Row& row) {
  row_ = &row;
  name_ = name;
  if (!simple()) return;
  Form form = describe(name);
  const u64 stream = form.hash;
  if (!sink_.begin(std::move(form))) return;
  if (request_.invalid) return invalid();
  if (request_.values == Values::random) return random(stream);
  value_ = base_;
  const bool always = thumb_ && row.condition != 255;  // a conditional branch
  if (row.flags & row_inside_it)
    put("inside IT", "ne", "ne", (row.flags & row_flags) != 0);
  else
    put("plain", always ? "ne" : "");
  if (request_.values == Values::edges) edges();
}

void Walker::follow(std::vector<std::string>& value, unsigned from) const {
  for (unsigned j = from; j < all_.size(); ++j)
    if (const Encoder* e = encoder_of(*row_, j); e && (e->encoding == enc_same || e->encoding == enc_next))
      value[j] = choices(*row_, j, value, nullptr)[0].text;
}

void Walker::edges() {
  const bool inside = row_->flags & row_inside_it;
  const std::string_view condition = inside || (thumb_ && row_->condition != 255) ? "ne" : "";
  const bool set_flags = inside ? (row_->flags & row_flags) != 0 : needs_flags();
  for (unsigned i = 0; i < all_.size(); ++i)
    for (std::size_t k = 1; k < all_[i].size(); ++k) {
      value_ = base_;
      value_[i] = all_[i][k].text;
      follow(value_, i + 1);
      put(all_[i][k].edge, condition, inside ? condition : "", set_flags);
    }
  value_ = base_;
  // Every condition, where it is a part of the encoding; elsewhere in Thumb code one, in an IT block.
  if (row_->condition != 255) {
    for (std::string_view c : conditions) put("condition", c, {}, needs_flags());
  } else if (row_->flags & row_vpt) {
    put_in_vpt_block();
  } else if (thumb_ && !(row_->flags & (row_no_it | row_outside_it | row_inside_it))) {
    put("inside IT", "ne", "ne", (row_->flags & row_flags) != 0);
  }
}

void Walker::put_in_vpt_block() {
  std::string m = mnemonic({}, needs_flags());
  m.insert(std::min(m.find('.'), m.size()), "t");
  text_ = "vpst; " + m;
  if (!value_.empty()) text_ += ' ';
  join(text_, *row_, value_);
  sink_.line(text_, {"inside VPT"});
}

void Walker::random(u64 stream) {
  Random pool(request_.seed, stream, ~u64(0));
  std::vector<Texts> drawn;
  for (unsigned i = 0; i < all_.size(); ++i) drawn.push_back(choices(*row_, i, base_, &pool));
  const bool inside = row_->flags & row_inside_it;
  const u64 draws = all_.empty() ? 1 : request_.count;
  for (u64 draw = 0; draw < draws; ++draw) {
    Random random(request_.seed, stream, draw);
    value_ = base_;
    for (unsigned i = 0; i < all_.size(); ++i) value_[i] = drawn[i][random.below(u32(drawn[i].size()))].text;
    follow(value_, 0);
    std::string_view condition;
    if (row_->condition != 255 && (thumb_ || random.below(2))) condition = conditions[random.below(14)];
    if (inside) condition = conditions[random.below(14)];
    put("random", condition, inside ? condition : "", inside ? (row_->flags & row_flags) != 0 : needs_flags());
  }
}

/// Lines beside what the row takes. Another row of the mnemonic may take one; it does not come out then.
void Walker::invalid() {
  if (row_->flags & row_inside_it) return;
  const std::string_view condition = thumb_ && row_->condition != 255 ? "ne" : "";
  for (unsigned i = 0; i < all_.size(); ++i)
    for (const Text& text : beyond(*row_, i)) {
      value_ = base_;
      value_[i] = text.text;
      put(text.edge, condition, {}, needs_flags());
    }
}

}  // namespace

std::vector<std::string_view> arm_features() { return user_features(arm_feature_names); }

void walk_arm(const Request& request, Sink& sink) {
  const bool thumb = request.machine == Machine::thumb;
  std::vector<const Spelling*> spellings;
  for (const Spelling& s : arm_spellings)
    if (s.a32_count || s.thumb_count) spellings.push_back(&s);
  auto name = [](const Spelling* s) { return std::string_view(arm_names + s->name, s->length); };
  std::sort(spellings.begin(), spellings.end(), [&](auto a, auto b) { return name(a) < name(b); });
  Walker walker(request, sink);
  // What only the M profile has needs other options, and comes last.
  for (const bool mprofile : {false, true}) {
    if (mprofile && !thumb) break;
    for (const Spelling* s : spellings) {
      if (!sink.wants(name(s))) continue;
      const unsigned first = s->first + (thumb ? s->a32_count : 0), count = thumb ? s->thumb_count : s->a32_count;
      for (unsigned i = 0; i < count; ++i) {
        const Row& row = arm_rows[first + i];
        if ((thumb && is_mprofile(row) != mprofile) || (row.flags & (request.llvm ? row_gnu : row_llvm))) continue;
        walker.form(name(s), row);
      }
    }
  }
}

}  // namespace xas::corpus
