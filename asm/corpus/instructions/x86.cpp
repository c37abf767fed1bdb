// SPDX-License-Identifier: Apache-2.0
// Lines for the rows of the x86 tables, in AT&T and Intel syntax.
#include "asm/corpus/instructions/x86_operands.h"

#include <algorithm>
#include <array>

namespace xas::corpus {

namespace {

using namespace x86forms;

constexpr std::size_t max_operands = 5;

/// What stands beside the operands.
struct Extras {
  std::string_view prefix;  ///< "lock ", "{nf} "
  std::string_view mask;    ///< "{%k1}" behind the destination
  bool zeroing = false;
  std::string_view rounding;  ///< "{rn-sae}"
  std::string_view flags;     ///< "{dfv=of}"
};

/// Whether it has one of the registers r16 to r31, which APX adds.
bool names_extended(const Operand& o) {
  return std::ranges::any_of(std::array{o.name, o.base, o.index}, [](std::string_view name) {
    if (name.size() < 3 || name[0] != 'r' || name[2] < '0' || name[2] > '9') return false;
    return name[1] == '2' || name[1] == '3' || (name[1] == '1' && name[2] >= '6');
  });
}

class Walker {
 public:
  Walker(const Request& request, Sink& sink)
      : request_(request), sink_(sink), intel_(request.syntax == Syntax::intel) {}

  /// `suffixed`: the name has an AT&T suffix.
  void form(std::string_view name, const x86::Row& row, bool suffixed);

 private:
  const Row& row() const { return *row_; }
  unsigned count() const { return row_->count; }
  void write(const Operand* operands, const Extras& extras);
  void put(const Operand* operands, const Extras& extras, LineKind kind) {
    if (!request_.invalid && is_ambiguous(operands)) return;
    Operand apart[max_operands];
    if (row().flags & row_distinct) operands = keep_apart(operands, apart);
    write(operands, extras);
    if (std::any_of(operands, operands + count(), names_extended)) kind.feature = "apx";
    sink_.line(text_, kind);
  }
  const Operand* keep_apart(const Operand* operands, Operand* apart) const;
  /// Without a suffix nothing tells the size of memory in AT&T syntax.
  bool is_ambiguous(const Operand* operands) const {
    if (intel_ || suffixed_ || !row().suffix || row().flags & row_sized) return false;
    bool memory = false;
    for (unsigned i = 0; i < count(); ++i) {
      if (operands[i].kind == Operand::reg) return false;
      memory |= operands[i].kind == Operand::mem;
    }
    return memory;
  }
  void edges();
  void extras_of(const Operand* base);
  void encodings(const Operand* base);
  void random(u64 draw, u64 stream);
  void invalid();
  void invalid_operands(const Operand* base);
  void invalid_extras(const Operand* base);

  const Request& request_;
  Sink& sink_;
  bool intel_;
  bool suffixed_ = false;
  const Row* row_ = nullptr;
  std::string_view name_;
  std::string text_;
  std::vector<Choice> choices_[max_operands];
  Operand base_[max_operands];
  Extras plain_;
};

bool is_general(const Operand& o) {
  return o.kind == Operand::reg && o.name.find("mm") == o.name.npos && o.name[0] != 'k';
}

/// The number in the name of a vector register or a tile; -1 of other names.
int vector_number(std::string_view name) {
  if (name.size() < 4 || name.substr(1, 2) != "mm" || name[0] == 'm') return -1;
  int n = 0;
  for (char c : name.substr(3)) n = 10 * n + (c - '0');
  return n;
}

/// Operands whose vector registers all differ: one that has stood before becomes the next that has not.
const Operand* Walker::keep_apart(const Operand* operands, Operand* apart) const {
  std::copy(operands, operands + count(), apart);
  u64 taken = 0;
  for (unsigned i = 0; i < count(); ++i)
    if (const int n = vector_number(apart[i].index); n >= 0) taken |= u64(1) << n;
  for (unsigned i = 0; i < count(); ++i) {
    Operand& o = apart[i];
    if (o.kind != Operand::reg || !o.file || vector_number(o.name) < 0) continue;
    const unsigned all = request_.machine == Machine::x86_64 ? unsigned(o.file->names.size()) : o.file->narrow_count;
    const unsigned first = unsigned(vector_number(o.file->names[0]));
    unsigned n = unsigned(vector_number(o.name)) - first;
    while (taken >> (first + n) & 1) n = (n + 1) % all;
    o.name = o.file->names[n];
    taken |= u64(1) << (first + n);
  }
  return apart;
}

/// The text of a statement, operands in the manual's order.
void Walker::write(const Operand* operands, const Extras& extras) {
  text_ = extras.prefix;
  text_ += name_;
  bool first = true;
  auto separate = [&] {
    text_ += first ? " " : ", ";
    first = false;
  };
  if (!extras.flags.empty()) (text_ += ' ') += extras.flags;
  auto decorate = [&] {
    for (char c : extras.mask)
      if (!intel_ || c != '%') text_ += c;
    if (extras.zeroing) text_ += "{z}";
  };
  if (intel_) {
    const bool last_number = count() && operands[count() - 1].kind == Operand::imm;
    for (unsigned i = 0; i < count(); ++i) {
      if (!extras.rounding.empty() && last_number && i + 1 == count()) separate(), text_ += extras.rounding;
      separate();
      write_intel(text_, row(), i, operands[i]);
      if (i == 0) decorate();
    }
    if (!extras.rounding.empty() && !last_number) separate(), text_ += extras.rounding;
    return;
  }
  if (row().flags & row_straight) {
    for (unsigned i = 0; i < count(); ++i) separate(), write_att(text_, operands[i]);
    return;
  }
  bool rounded = extras.rounding.empty();
  for (unsigned i = count(); i-- > 0;) {
    const bool vector = operands[i].kind != Operand::imm && !is_general(operands[i]);
    if (!rounded && vector) separate(), text_ += extras.rounding, rounded = true;
    separate();
    write_att(text_, operands[i]);
    if (i == 0) decorate();
    if (!rounded && is_general(operands[i])) separate(), text_ += extras.rounding, rounded = true;
  }
}

void Walker::form(std::string_view name, const Row& row, bool suffixed) {
  suffixed_ = suffixed;
  row_ = &row;
  name_ = name;
  const Context context{request_.machine, row};
  for (unsigned i = 0; i < row.count; ++i) {
    choices_[i].clear();
    add_choices(choices_[i], context, i);
    if (choices_[i].empty()) return;
    base_[i] = choices_[i][0].operand;
  }
  Form form = describe(name, row, request_);
  const u64 stream = form.hash;
  if (!sink_.begin(std::move(form))) return;
  plain_ = {};
  if (row.deco & deco_mask_required) plain_.mask = "{%k1}";
  if (row.op == op_ccmp) plain_.flags = "{dfv=}";
  // Registers start out different, so that an exchange of two operands is seen.
  for (unsigned i = 0; i < row.count; ++i) {
    unsigned same = 0;
    for (unsigned k = 0; k < i; ++k) same += base_[k].kind == Operand::reg && base_[k].file == base_[i].file;
    if (base_[i].kind == Operand::reg && base_[i].file) base_[i].name = register_name(*base_[i].file, 1 + same);
  }
  if (request_.invalid) return invalid();
  if (request_.values == Values::random) {
    for (u64 draw = 0; draw < (row.count ? request_.count : 1); ++draw) random(draw, stream);
    return;
  }
  if (!(row.flags & row_alt)) put(base_, plain_, {});
  if (request_.values == Values::edges && !(row.flags & row_alt)) edges();
  if (request_.all_encodings) encodings(base_);
}

void Walker::edges() {
  Operand operands[max_operands];
  for (unsigned i = 0; i < count(); ++i) operands[i] = choices_[i].back().operand;
  if (count()) put(operands, plain_, {"all at their last"});
  for (unsigned i = 0; i < count(); ++i) {
    std::copy(base_, base_ + count(), operands);
    for (std::size_t k = 1; k < choices_[i].size(); ++k) {
      operands[i] = choices_[i][k].operand;
      put(operands, plain_, {choices_[i][k].edge});
    }
  }
  extras_of(base_);
}

/// Masks, rounding, prefixes.
void Walker::extras_of(const Operand* base) {
  Extras e = plain_;
  auto with = [&](auto Extras::*member, auto value, std::string_view edge) {
    e = plain_;
    e.*member = value;
    put(base, e, {edge});
  };
  if (row().deco & deco_mask) {
    with(&Extras::mask, std::string_view("{%k1}"), "mask");
    with(&Extras::mask, std::string_view("{%k7}"), "last mask");
  }
  if (row().deco & deco_zero) {
    e = plain_;
    e.mask = "{%k2}";
    e.zeroing = true;
    put(base, e, {"zeroing"});
  }
  const bool registers = std::all_of(base, base + count(), [](auto& o) { return o.kind != Operand::mem; });
  if (registers && (row().deco & deco_er)) {
    for (std::string_view r : {"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}) with(&Extras::rounding, r, "rounding");
  } else if (registers && (row().deco & deco_sae)) {
    with(&Extras::rounding, std::string_view("{sae}"), "no exceptions");
  }
  if (row().op == op_ccmp)
    for (std::string_view f : {"{dfv=of}", "{dfv=sf}", "{dfv=zf}", "{dfv=cf}", "{dfv=of,sf,zf,cf}"})
      with(&Extras::flags, f, "default flags");
  if (row().flags & row_nf) with(&Extras::prefix, std::string_view("{nf} "), "no flags");
  Operand memory[max_operands];
  std::copy(base, base + count(), memory);
  for (unsigned i = 0; i < count(); ++i)
    for (const Choice& c : choices_[i])
      if (c.operand.kind == Operand::mem && memory[i].kind != Operand::mem) memory[i] = c.operand;
  auto prefixed = [&](u32 flag, std::string_view prefix, const Operand* operands) {
    if (!(row().flags & flag)) return;
    e = plain_;
    e.prefix = prefix;
    put(operands, e, {"prefix"});
  };
  prefixed(row_lock, "lock ", memory);
  prefixed(row_hle, "xacquire lock ", memory);
  prefixed(row_hle, "xrelease lock ", memory);
  prefixed(row_rep, "rep ", base);
  prefixed(row_repne, "repne ", base);
  prefixed(row_bnd, "bnd ", base);
  prefixed(row_notrack, "notrack ", base);
}

/// Encodings that are only chosen when they are asked for. A line comes only if its bytes are others than those of the
/// preferred line before it.
void Walker::encodings(const Operand* base) {
  Operand operands[max_operands];
  std::copy(base, base + count(), operands);
  auto all = [&] {
    put(operands, plain_, {"plain", true});
    constexpr std::pair<std::string_view, std::string_view> asked[] = {
        {"{load} ", "{load}"}, {"{store} ", "{store}"}, {"{vex} ", "{vex}"},
        {"{vex3} ", "{vex3}"}, {"{evex} ", "{evex}"},   {"{rex} ", "{rex}"},
        {"{rex2} ", "{rex2}"}, {"{disp8} ", "{disp8}"}, {"{disp32} ", "{disp32}"}};
    for (const auto& [prefix, edge] : asked) {
      Extras e = plain_;
      e.prefix = prefix;
      put(operands, e, {edge, false});
    }
  };
  all();
  for (unsigned i = 0; i < count(); ++i) {
    const auto memory =
        std::find_if(choices_[i].begin(), choices_[i].end(), [](auto& c) { return c.operand.kind == Operand::mem; });
    if (memory == choices_[i].end()) continue;
    operands[i] = memory->operand;
    if (base[i].kind != Operand::mem) all();
    return;
  }
}

void Walker::random(u64 draw, u64 stream) {
  Random random(request_.seed, stream, draw);
  const Context context{request_.machine, row()};
  Operand operands[max_operands];
  bool registers = true;
  for (unsigned i = 0; i < count(); ++i) {
    operands[i] = draw_operand(random, context, i, choices_[i]);
    registers &= operands[i].kind != Operand::mem;
  }
  Extras e = plain_;
  static constexpr std::string_view masks[] = {"{%k1}", "{%k2}", "{%k3}", "{%k4}", "{%k5}", "{%k6}", "{%k7}"};
  if (row().deco & (deco_mask | deco_mask_required)) {
    if (row().deco & deco_mask_required || random.below(2)) e.mask = masks[random.below(7)];
    e.zeroing = (row().deco & deco_zero) && !e.mask.empty() && random.below(2);
  }
  static constexpr std::string_view roundings[] = {"{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"};
  if (registers && (row().deco & deco_er) && random.below(2))
    e.rounding = roundings[random.below(4)];
  else if (registers && (row().deco & deco_sae) && random.below(2))
    e.rounding = "{sae}";
  static constexpr std::string_view flags[] = {"{dfv=}", "{dfv=of}", "{dfv=sf}", "{dfv=zf,cf}", "{dfv=of,sf,zf,cf}"};
  if (row().op == op_ccmp) e.flags = flags[random.below(5)];
  if ((row().flags & row_nf) && random.one_in(4))
    e.prefix = "{nf} ";
  else if ((row().flags & row_lock) && !registers && random.one_in(4))
    e.prefix = "lock ";
  else if ((row().flags & row_rep) && random.one_in(4))
    e.prefix = "rep ";
  else if ((row().flags & row_repne) && random.one_in(4))
    e.prefix = "repne ";
  put(operands, e, {"random"});
}

/// Lines beside what the row takes. Another row of the mnemonic may take one; it does not come out then.
void Walker::invalid() {
  if (row().flags & row_alt) return;
  invalid_operands(base_);
  invalid_extras(base_);
}

void Walker::invalid_operands(const Operand* base) {
  Operand operands[max_operands];
  for (unsigned i = 0; i < count(); ++i) {
    std::copy(base, base + count(), operands);
    const Context context{request_.machine, row()};
    for (const Choice& c : beyond(context, i)) {
      operands[i] = c.operand;
      put(operands, plain_, {c.edge});
    }
  }
  write(base, plain_);
  if (count() < max_operands) {
    text_ += count() ? (intel_ ? ", eax" : ", %eax") : (intel_ ? " eax" : " %eax");
    sink_.line(text_, {"an operand too many"});
  }
  if (count()) {
    write(base, plain_);
    const std::size_t comma = text_.rfind(", "), blank = text_.find(' ');
    text_.resize(comma != text_.npos ? comma : blank);
    sink_.line(text_, {"an operand too few"});
  }
}

void Walker::invalid_extras(const Operand* base) {
  if (!count()) return;
  auto with = [&](auto Extras::*member, auto value, std::string_view edge) {
    Extras e = plain_;
    e.*member = value;
    put(base, e, {edge});
  };
  if (!(row().deco & (deco_mask | deco_mask_required)))
    with(&Extras::mask, std::string_view("{%k1}"), "a mask");
  else
    with(&Extras::mask, std::string_view("{%k0}"), "mask k0");
  if (!(row().deco & deco_zero)) {
    Extras e = plain_;
    e.mask = "{%k1}";
    e.zeroing = true;
    put(base, e, {"zeroing"});
  } else {
    with(&Extras::zeroing, true, "zeroing without a mask");
  }
  if (row().deco & deco_mask_required) with(&Extras::mask, std::string_view(), "no mask");
  if (!(row().deco & deco_er)) with(&Extras::rounding, std::string_view("{rn-sae}"), "rounding");
  if (!(row().flags & row_lock)) with(&Extras::prefix, std::string_view("lock "), "lock");
}

bool wanted(const Request& request, const Row& row) {
  const u32 mode = request.machine == Machine::x86_64 ? row_mode64
                   : request.machine == Machine::i386 ? row_mode32
                                                      : row_mode16;
  if (!(row.flags & mode) || !(row.flags & (request.syntax == Syntax::intel ? row_intel : row_att))) return false;
  // A flag says that the row is of this profile alone.
  if (row.flags & (request.llvm ? row_gnu : row_llvm) && !(row.flags & (request.llvm ? row_llvm : row_gnu)))
    return false;
  return request.all_encodings || !(row.flags & row_alt);
}

}  // namespace

std::vector<std::string_view> x86_features() {
  return {std::begin(x86_feature_names), std::end(x86_feature_names)};
}

void walk_x86(const Request& request, Sink& sink) {
  const bool intel = request.syntax == Syntax::intel;
  std::vector<const Spelling*> spellings;
  for (const Spelling& s : intel ? std::span(x86::x86_intel_spellings) : std::span(x86::x86_spellings))
    if (s.count) spellings.push_back(&s);
  auto name = [](const Spelling* s) { return std::string_view(x86::x86_names + s->name, s->length); };
  std::sort(spellings.begin(), spellings.end(), [&](auto a, auto b) { return name(a) < name(b); });
  Walker walker(request, sink);
  for (const Spelling* s : spellings) {
    if (!sink.wants(name(s))) continue;
    for (unsigned i = 0; i < s->count; ++i) {
      const Row& row = x86::x86_rows[x86::x86_lists[s->first + i]];
      if (wanted(request, row)) walker.form(name(s), row, s->suffix != 0);
    }
  }
}

}  // namespace xas::corpus
