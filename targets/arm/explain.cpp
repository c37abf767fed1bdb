// SPDX-License-Identifier: Apache-2.0
// Why no row of a mnemonic takes the operands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>

#include "targets/arm/arm.h"
#include "targets/arm/tables.h"
#include "targets/atom_messages.h"

namespace xas::arm {

using namespace atoms;

namespace {

bool is_between(Atom a, Atom first, Atom behind) { return a >= first && a < behind; }

std::string general_name(i64 number) {
  if (number == reg_sp) return "sp";
  if (number == reg_lr) return "lr";
  return number == reg_pc ? "pc" : fmt::format("r{}", number);
}

/// r0-r3, r8, lr: the registers of a mask.
std::string general_names(i64 mask) {
  std::vector<std::string> parts;
  for (unsigned i = 0; i < 16; ++i) {
    if (!(mask >> i & 1)) continue;
    unsigned last = i;
    while (last < 12 && mask >> (last + 1) & 1) ++last;
    if (last < i + 2)
      parts.push_back(general_name(i));
    else
      parts.push_back(fmt::format("{}-{}", general_name(std::exchange(i, last)), general_name(last)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string general_list(i64 mask) { return fmt::format("{{{}}}", general_names(mask)); }

/// {d0, d1} of the first register and how many there are; of the first element, if it has one.
std::string extension_list(char letter, i64 value, const char* behind = "") {
  const i64 first = value & 0xFF, count = value >> 8;
  std::string text = "{";
  for (i64 i = 0; i < std::max<i64>(count, 1); ++i)
    text += fmt::format("{}{}{}{}", i ? ", " : "", letter, first + i, behind);
  return text + "}";
}

/// Operands in words (see targets/atom_messages.h).
struct Words {
  static constexpr std::string_view comment = "'@'";
  const ArmTarget& target;
  const Mnemonic& mnemonic;

  bool is_usable(const Row& row) const { return target.is_usable(row, mnemonic); }
  bool encode(const Row& row, const Operands& o, unsigned& failed) const {
    return target.fits(row, mnemonic, o, failed);
  }
  const Field* fields(const Row& row) const { return arm_fields + row.fields; }
  const Encoder& encoder(const Field& f) const { return arm_encoders[f.encoder]; }
  bool is_end(const char* p) const { return at_operands_end(p); }

  unsigned group(Atom a) const {
    enum { none, general, extension };
    if (a >= atom_low && a <= atom_pc) return general;
    return is_between(a, atom_s, atom_coprocessor) ? extension : none;
  }
  bool is_variant(Atom) const { return false; }

  bool is_plain(Atom) const { return false; }
  bool is_fixed(Atom a) const { return a == atom_sp || a == atom_pc; }
  unsigned bits(Atom a) const { return a; }

  i64 number(Atom a, i64 n) const {
    if (a == atom_low) return n & 7;
    return a == atom_high ? 8 | (n & 3) : a == atom_q ? n & 15 : n & 31;
  }

  Glue glue(Atom a) const {
    if (a == atom_open || a == atom_minus) return glue_right;
    if (a == atom_plus) return glue_hidden;
    if (is_between(a, atom_lsl, atom_rrx) || a == atom_uxtw) return glue_blank;
    if (a == atom_close || a == atom_close_write || a == atom_write || a == atom_index) return glue_left;
    return a == atom_user || a == atom_align ? glue_left : glue_none;
  }

  std::string_view describe(Atom a) const;
  std::string_view describe_taken(Atom a, bool with_next, Atom given) const {
    if (a == atom_low && !with_next) return "a register from r0 to r7";
    if (a == atom_option && given != atom_option) return {};  // nop {1}: hardly what was meant
    constexpr std::string_view shifts[] = {"lsl", "lsr", "asr", "ror"};
    const bool other_shift = is_between(a, atom_lsl, atom_rrx) && is_between(given, atom_lsl, atom_uxtw);
    return other_shift && !with_next ? shifts[a - atom_lsl] : describe(a);
  }
  std::string spell(Atom a, i64 value, const char* where) const;
  bool list_has_register(const Operands&, unsigned) const { return false; }
  std::string spell_list(const Operands&, unsigned) const { return {}; }
  std::string accepted(const Encoder& e, Atom given) const;
  bool is_range(const Encoder& e) const { return e.encoding == enc_linear || e.encoding == enc_imm_expr; }
  bool is_label(const Encoder& e) const { return accepted(e, atom_imm).starts_with("a label"); }
  bool list_of(Atom list, Atom a, i64& value) const {
    if (list != atom_list || is_between(a, atom_s, atom_coprocessor)) return false;
    value = i64(1) << (value & 15);
    return true;
  }
  std::string excess(const Encoder& e, i64 value) const;
  void offer_names(const Encoder& e, NearestName& nearest) const;
  void set_default(const Row&, const Encoder& e, Operands& o, unsigned i) const;
};

std::string_view Words::describe(Atom a) const {
  switch (a) {
    case atom_low: return "a general register";
    case atom_high: return "a register from r8 on";
    case atom_sp: return "the stack pointer";
    case atom_pc: return "the program counter";
    case atom_imm:
    case atom_minus_zero: return "a number";
    case atom_float: return "a floating-point number";
    case atom_expr: return "a symbol or an expression";
    case atom_literal: return "a literal like =value";
    case atom_s: return "an S register";
    case atom_d: return "a D register";
    case atom_q: return "a Q register";
    case atom_name: return "a name";
    case atom_open: return "an address in brackets";
    case atom_close: return "']'";
    case atom_close_write: return "']!'";
    case atom_write: return "'!'";
    case atom_plus:
    case atom_minus: return "an offset register";
    case atom_index: return "an index like [0]";
    case atom_option: return "an option in braces";
    case atom_user: return "'^'";
    case atom_align: return "an alignment like :64";
    case atom_list: return "a list of general registers like {r0, r1}";
    case atom_s_list: return "a list of S registers like {s0, s1}";
    case atom_d_list: return "a list of D registers like {d0, d1}";
    case atom_d_list2: return "a list of every other D register like {d0, d2}";
    case atom_d_all: return "a list like {d0[]}";
    case atom_d_all2: return "a list of every other register like {d0[], d2[]}";
    case atom_d_lane: return "a list like {d0[1]}";
    case atom_d_lane2: return "a list of every other register like {d0[1], d2[1]}";
    case atom_lsl:
    case atom_lsr:
    case atom_asr:
    case atom_ror: return "a shift like lsl #1";
    case atom_rrx: return "rrx";
    case atom_coprocessor: return "a coprocessor, p0 to p15";
    case atom_coprocessor_register: return "a coprocessor's register, c0 to c15";
    default: return {};
  }
}

std::string Words::spell(Atom a, i64 value, const char* where) const {
  switch (a) {
    case atom_low:
    case atom_high: return general_name(value & 15);
    case atom_sp: return "sp";
    case atom_pc: return "pc";
    case atom_imm: return fmt::format("#{}", value);
    case atom_s: return fmt::format("s{}", value);
    case atom_d: return fmt::format("d{}", value);
    case atom_q: return fmt::format("q{}", value & 15);
    case atom_name: return where ? std::string(where, std::size_t(value)) : std::string();
    case atom_open: return "[";
    case atom_close: return "]";
    case atom_close_write: return "]!";
    case atom_write: return "!";
    case atom_minus: return "-";
    case atom_index: return fmt::format("[{}]", value);
    case atom_align: return fmt::format(":{}", value);
    case atom_user: return "^";
    case atom_lsl: return "lsl";
    case atom_lsr: return "lsr";
    case atom_asr: return "asr";
    case atom_ror: return "ror";
    case atom_rrx: return "rrx";
    case atom_list: return general_list(value);
    case atom_s_list: return extension_list('s', value);
    case atom_d_list: return extension_list('d', value);
    case atom_d_all: return extension_list('d', value, "[]");
    case atom_coprocessor: return fmt::format("p{}", value);
    case atom_coprocessor_register: return fmt::format("c{}", value);
    default: return {};
  }
}

std::string Words::accepted(const Encoder& e, Atom given) const {
  const bool is_register = group(given) != 0;
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr:
      if (!is_register) return accepted_numbers(e);
      if (e.scale == 2) return e.base ? "a register with an odd number" : "a register with an even number";
      return fmt::format("registers with numbers from {} to {}", e.low, e.high);
    case enc_signed:
      if (e.scale == 1) return fmt::format("a number from {} to {}", -e.high, e.high);
      return fmt::format("a multiple of {} from {} to {}", e.scale, -e.high, e.high);
    case enc_constant: return fmt::format("{}", e.low);
    case enc_float_constant: return fmt::format("{:.1f}", std::bit_cast<double>(e.low));
    case enc_same: return "the same register as before";
    case enc_other_than: return "another register than before";
    case enc_name: return accepted_names(names_begin(unsigned(e.low)), names_end(unsigned(e.low)));
    case enc_next: return e.high ? "an even register and the one after it" : "the register after the one before it";
    case enc_a32_imm: return "8 bits rotated right by an even number, like 255, 0x3fc or 0xff000000";
    case enc_a32_minus:
    case enc_a32_not: return "the negative or complement of one";
    case enc_t32_imm: return "8 bits shifted left, or repeated like 0x00ab00ab, 0xab00ab00 or 0xabababab";
    case enc_t32_minus:
    case enc_t32_not: return "the negative or complement of one";
    case enc_shift32: return "a number from 1 to 32";
    case enc_msb:
    case enc_width: return "a width from 1 to 32 less the lowest bit";
    case enc_list: {
      if (e.low == 0xFFFF) return "a list of registers";
      return fmt::format("a list of some of {}", general_list(e.low));
    }
    case enc_list_with:
    case enc_list_but: return "a list of registers from r0 to r7";
    case enc_single: return "a list of one register";
    case enc_count: return fmt::format("a list of {} register{}", e.low, e.low == 1 ? "" : "s");
    case enc_s_list: return "a list of at most 32 registers";
    case enc_d_list: return "a list of at most 16 registers";
    case enc_mov16:
    case enc_mov16_top: return "a number from 0 to 65535";
    case enc_vfp_imm:
      return "a floating-point number n/16 * 2^e with n from 16 to 31 and e from -3 to 4, like 0.125, 1.0 or 31.0";
    case enc_simd_imm:
    case enc_simd_not: return "a byte in an element, shifted by whole bytes";
    case enc_fpa_imm: return "one of 0, 1, 2, 3, 4, 5, 0.5 and 10";
    case enc_a32_branch:
    case enc_a32_call:
    case enc_a32_blx: return "a label, or a multiple of 4 within 32 MB";
    case enc_t16_b8: return "a label, or an even number from -256 to 254";
    case enc_t16_b11: return "a label, or an even number from -2048 to 2046";
    case enc_t32_b20: return "a label, or an even number from -1048576 to 1048574";
    case enc_t32_b24:
    case enc_t32_bl:
    case enc_t32_blx: return "a label, or an even number from -16777216 to 16777214";
    case enc_t16_cbz: return "a label, or an even number from 0 to 126";
    case enc_a32_adr:
    case enc_a32_adrl:
    case enc_t16_adr:
    case enc_t32_adr: return "a label near by, or a number";
    default: return {};
  }
}

/// The registers of a list that can't stand in it.
std::string Words::excess(const Encoder& e, i64 value) const {
  if (e.encoding != enc_list) return {};
  return general_names(value & ~e.low & 0xFFFF);
}

void Words::offer_names(const Encoder& e, NearestName& nearest) const {
  if (e.encoding == enc_name)
    for (const NameEntry* n = names_begin(unsigned(e.low)); n < names_end(unsigned(e.low)); ++n) nearest.offer(n->name);
}

void Words::set_default(const Row&, const Encoder& e, Operands& o, unsigned i) const {
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: o.value[i] = std::clamp<i64>(0, e.low, e.high); return;
    case enc_constant: o.value[i] = e.low; return;
    case enc_same: o.value[i] = o.value[e.low]; return;
    case enc_next: o.value[i] = o.value[e.low] + 1; return;
    case enc_other_than: o.value[i] = (o.value[e.low] + 1) & 7; return;
    case enc_count: o.value[i] = (o.value[i] & 0xFF) | e.low << 8; return;
    case enc_s_list:
    case enc_d_list: o.value[i] = (o.value[i] & 0xFF) | 1 << 8; return;
    case enc_list:
    case enc_clear_list: o.value[i] = e.low & 0x10 ? 0x10 : 1; return;
    case enc_list_with:
    case enc_list_but: o.value[i] = 0x10; return;
    case enc_shift32:
    case enc_msb:
    case enc_width: o.value[i] = 1; return;
    case enc_vfp_imm: o.value[i] = std::bit_cast<i64>(1.0); return;
    case enc_name: {
      const NameEntry* name = names_begin(unsigned(e.low));
      for (const std::string_view usual : {"apsr", "cpsr", "fpscr", "sy"})
        if (const NameEntry* const found = find_name(unsigned(e.low), usual)) name = found;
      o.value[i] = i64(name->name.size());
      o.where[i] = name->name.data();
      return;
    }
    default:
      if (e.encoding >= enc_a32_branch && e.encoding < enc_literal_pool) o.where[i] = "label\n";
      if (o.atom(i) != atom_name) o.value[i] = 0;
      return;
  }
}

/// Why a name is no register, if it looks like one that is meant to be; otherwise empty.
std::string explain_name(std::string_view name) {
  const std::string s = text::lower(name);
  std::size_t digits = 1;
  unsigned number = 0;
  constexpr unsigned enough = 1000;
  for (; digits < s.size() && text::is_digit(s[digits]); ++digits)
    number = std::min(number * 10 + unsigned(s[digits] - '0'), enough);
  if (s.starts_with('%')) return "registers have no '%' here: r0, sp, d0";
  if (s.size() < 2 || digits == 1 || digits != s.size()) {
    constexpr std::string_view x86[] = {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp", "rax", "rbx"};
    if (std::ranges::find(x86, s) != std::end(x86))
      return fmt::format("'{}' is a register of x86; ARM has r0 to r12, sp, lr and pc", name);
    constexpr std::string_view shifts[] = {"lsl", "lsr", "asr", "ror"};
    if (std::ranges::find(shifts, s) != std::end(shifts))
      return fmt::format("'{0}' needs an amount, as in {1} #1", name, s);
    return {};
  }
  switch (s[0]) {
    case 'r': return fmt::format("'{}' is no register: r0 to r15 are", name);
    case 'x':
    case 'w': return fmt::format("'{}' is a register of AArch64; ARM has r0 to r12, sp, lr and pc", name);
    case 's':
    case 'd': return number > 31 ? fmt::format("'{}' is no register: {:.1}0 to {:.1}31 are", name, s, s) : "";
    case 'q': return fmt::format("'{}' is no register: q0 to q15 are", name);
    case 'v': return fmt::format("'{}' is a register of AArch64; ARM has s0 to s31, d0 to d31 and q0 to q15", name);
    case 'p': return fmt::format("'{}' is no coprocessor: p0 to p15 are", name);
    case 'c': return fmt::format("'{}' is no register of a coprocessor: c0 to c15 are", name);
    default: return {};
  }
}

}  // namespace

bool ArmTarget::is_usable(const Row& row, const Mnemonic& m) const {
  return usable(row, m) && (!processor_.is_gated() || processor_.has_all(row.features));
}

bool ArmTarget::fits(const Row& row, const Mnemonic& m, const Operands& o, unsigned& failed) const {
  Encoded e;
  return encode(row, m, o, e, failed);
}

/// An instruction has another condition than its IT block asks for.
std::string ArmTarget::explain_condition(const Mnemonic& m, u8 wanted) const {
  const std::string_view name(arm_names + m.spelling->name, m.spelling->length);
  const std::size_t dot = std::min(name.find('.'), name.size());
  const auto with = [&](std::string_view condition) {
    return fmt::format("{}{}{}", name.substr(0, dot), condition, name.substr(dot));
  };
  const bool opposite = (m.condition ^ wanted) == 1;
  const std::string has =
      m.condition == 14 ? "no condition" : fmt::format("the condition {}", condition_names[m.condition]);
  return fmt::format("`{}` has {}, but its IT block asks for {}: `{}`{}",
                     m.condition == 14 ? with("") : with(condition_names[m.condition]), has, condition_names[wanted],
                     with(condition_names[wanted]), opposite ? ", or the other of t and e in `it`" : "");
}

/// What enables a feature whose name is not that of an option.
static std::string_view enabled_by(std::string_view feature) {
  if (feature.starts_with("hwdiv")) return "'.arch_extension idiv' enables it";
  if (feature == "v8m.base") return "'.arch armv8-m.base' and later ones enable it";
  if (feature == "vfp2sp" || feature == "fpregs") return "'.fpu vfpv2' and later ones enable it";
  return ".arch, .fpu or .arch_extension enables it";
}

/// What stands against a row that takes the operands.
std::string ArmTarget::explain_unusable(const Row& row, const Mnemonic& m, std::string_view name) const {
  if (processor_.is_gated() && !processor_.has_all(row.features)) {
    const std::string feature = processor_.missing(row.features);
    return fmt::format("`{}` requires {}; {}", name, feature, enabled_by(feature));
  }
  if (m.condition != 14 && row.set == set_a32 && !may_be_conditional(row))
    return fmt::format("`{}` can't be conditional", name);
  if (row.condition == 255 && thumb_ && m.condition != 14 && !blocks_.it.state)
    return fmt::format("`{0}` with a condition needs an IT block before it: `it {1}`, or -mimplicit-it=always", name,
                       condition_names[m.condition]);
  if ((row.flags & (row_no_it | row_no_it_llvm)) && blocks_.it.state)
    return fmt::format("`{}` can't stand in an IT block", name);
  if ((row.flags & row_last_it) && blocks_.it.left() > 1)
    return fmt::format("`{}` must be the last of its IT block", name);
  if (m.sets_flags) return fmt::format("`{}` with these operands can't have the suffix s here", name);
  if (m.width == 2) return fmt::format("`{}` with these operands has no form of 16 bits; leave out .n", name);
  if ((row.flags & (row_flags | row_flags_outside)) && !blocks_.it.state)
    return fmt::format("`{0}` with these operands exists only with the suffix s here: `{0}s`", name);
  return fmt::format("`{}` with these operands has no form of this width here", name);
}

/// Thumb without Thumb-2 has most forms only with flags: tells as a note why these do not fit either.
void ArmTarget::explain_with_flags(std::span<const Row> rows, Mnemonic m, const Operands& o, const char* where,
                                   Emitter& out) const {
  if (m.sets_flags) return;
  m.sets_flags = true;
  const bool is_near = std::ranges::any_of(
      rows, [&](const Row& row) { return is_usable(row, m) && first_difference(row, o) == max_atoms; });
  const std::string name = fmt::format("{}s", std::string_view(arm_names + m.spelling->name, m.spelling->length));
  const Words words{*this, m};
  if (is_near) Refusal(std::string_view(name), where, rows, o, words).note(where, out);
}

/// Reports that the operands are those of the mnemonic with a v, with a type perhaps.
bool ArmTarget::explain_vector_kin(std::string_view name, const Mnemonic& m, const Operands& o, Emitter& out) const {
  if (name.starts_with('v')) return false;
  for (const std::string_view type : {"", ".f32", ".f64", ".i32"}) {
    const std::string kin = fmt::format("v{}{}", name, type);
    const Spelling* const s = find_spelling(kin, hash_name(kin));
    if (!s) continue;
    const Row* const first = arm_rows + s->first + (thumb_ ? s->a32_count : 0);
    Mnemonic vector = m;
    vector.spelling = s;
    const Words words{*this, vector};
    if (!any_takes(std::span(first, thumb_ ? s->thumb_count : s->a32_count), o, words)) continue;
    out.error(o.where[0], kin_message(name, kin, written_operand(o.where[0], words), words.describe(o.atom(0))));
    return true;
  }
  return false;
}

/// Why no row fits; `end` is where the operands end.
void ArmTarget::explain(const Mnemonic& m, const Operands& o, const char* where, const char* end, Emitter& out) const {
  const Spelling& s = *m.spelling;
  const std::string_view name(arm_names + s.name, s.length);
  const Row* const first = arm_rows + s.first + (thumb_ ? s.a32_count : 0);
  const std::span<const Row> rows(first, thumb_ ? s.thumb_count : s.a32_count);
  if (rows.empty())
    return out.error(where, fmt::format("`{}` is no instruction of {}; {} selects {}", name, thumb_ ? "Thumb" : "A32",
                                        thumb_ ? ".arm" : ".thumb", thumb_ ? "A32" : "Thumb"));
  end = text::skip_blanks(end);
  const Words words{*this, m};
  if (at_operands_end(end)) {
    const Row* unusable = nullptr;
    for (const Row& row : rows) {
      unsigned failed;
      if (first_difference(row, o) == max_atoms && fits(row, m, o, failed)) unusable = &row;
    }
    if (unusable) {
      const bool lacks_feature = processor_.is_gated() && !processor_.has_all(unusable->features);
      const bool others = lacks_feature && std::ranges::any_of(rows, [&](const Row& row) { return is_usable(row, m); });
      Refusal refusal(name, where, rows, o, words);
      if (others && thumb_ && !processor_.has_it()) {  // the processor has fewer forms of it
        refusal.report(where, end, out);
        explain_with_flags(rows, m, o, where, out);
        return out.note(where,
                        fmt::format("`{}` with these operands is of {}", name, processor_.missing(unusable->features)));
      }
      out.error(where, explain_unusable(*unusable, m, name));
      if (others) refusal.note(where, out);
      return;
    }
  }
  for (unsigned i = 0; i < o.count; ++i) {
    if (o.atom(i) != atom_expr || !o.where[i]) continue;
    if (std::string text = explain_name(written_word(o.where[i], words)); !text.empty())
      return out.error(o.where[i], std::move(text));
  }
  const bool has_text = o.count && o.where[0] != where;  // and is not said by values
  if (at_operands_end(end) && has_text && explain_vector_kin(name, m, o, out)) return;
  const bool has_name = text::is_name_char(*where);  // a mnemonic may be said by its number
  const std::string_view written = has_name ? written_word(where, words) : std::string_view();
  Refusal(written.empty() ? name : written, where, rows, o, words).report(where, end, out);
  constexpr i64 words_end = i64(1) << 32;
  if (name == "mov" && o.count == 2 && o.atom(1) == atom_imm && o.value[1] > 0 && o.value[1] < words_end) {
    const std::string_view to = written_word(o.where[0], words);
    out.note(where, fmt::format("in two: `movw {0}, #{1:#x}; movt {0}, #{2:#x}`; or as a literal: `ldr {0}, ={3:#x}`",
                                to, o.value[1] & 0xFFFF, o.value[1] >> 16, o.value[1]));
  }
}

}  // namespace xas::arm
