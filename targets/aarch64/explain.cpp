// SPDX-License-Identifier: Apache-2.0
// Why no row of a mnemonic takes the operands.
#include <fmt/format.h>

#include <cstring>

#include "targets/aarch64/aarch64.h"
#include "targets/aarch64/tables.h"
#include "targets/atom_messages.h"

namespace xas::aarch64 {

using namespace atoms;

namespace {

bool is_between(Atom a, Atom first, Atom behind) { return a >= first && a < behind; }

/// Operands in words (see targets/atom_messages.h).
struct Words {
  static constexpr std::string_view comment = "'//'";
  const AArch64Target& target;

  bool is_usable(const Row& row) const { return target.is_usable(row); }
  bool encode(const Row& row, const Operands& o, unsigned& failed) const { return target.fits(row, o, failed); }
  const Field* fields(const Row& row) const { return a64_fields + row.fields; }
  const Encoder& encoder(const Field& f) const { return a64_encoders[f.encoder]; }
  bool is_end(const char* p) const { return at_end(p); }

  unsigned group(Atom a) const {
    enum { none, general, scalar, vector, scalable, predicate, counter, matrix };
    if (a >= atom_w && a <= atom_sp) return general;
    if (a >= atom_b && a <= atom_q) return scalar;
    if (is_between(a, atom_v, atom_z)) return vector;
    if (is_between(a, atom_z, atom_p)) return scalable;
    if (is_between(a, atom_p, atom_pn)) return predicate;
    if (is_between(a, atom_pn, atom_za)) return counter;
    return a >= atom_za && a <= atom_zt0 ? matrix : none;
  }
  bool is_variant(Atom a) const { return is_between(a, atom_v, atom_za); }

  bool is_plain(Atom a) const { return a >= atom_w && a <= atom_sp; }
  bool is_fixed(Atom a) const { return a == atom_wzr || a == atom_wsp || a == atom_xzr || a == atom_sp; }
  unsigned bits(Atom a) const {
    enum { unknown, half, whole, w, x };
    if (is_between(a, atom_v, atom_v_b)) {
      constexpr u8 of_arrangement[] = {unknown, half, whole, half, whole, half, whole, half, whole, whole};
      const unsigned n = unsigned(a - atom_v);
      return n < std::size(of_arrangement) ? of_arrangement[n] : unsigned(unknown);
    }
    return a == atom_w || a == atom_wzr || a == atom_wsp ? w : is_plain(a) ? x : unknown;
  }

  i64 number(Atom a, i64 n) const {
    constexpr i64 last_general = 30;
    return n > last_general && (a == atom_w || a == atom_x) ? 0 : is_between(a, atom_p, atom_za) ? n & 15 : n & 31;
  }

  Glue glue(Atom a) const {
    if (a == atom_open) return glue_right;
    if (a == atom_close || a == atom_close_write || a == atom_write || a == atom_index) return glue_left;
    if (is_between(a, atom_lsl, atom_mul_vl)) return glue_blank;
    return is_between(a, atom_list1, atom_v) ? glue_list : glue_none;
  }

  std::string_view describe(Atom a) const;
  std::string_view describe_taken(Atom a, bool, Atom) const { return describe(a); }
  std::string spell(Atom a, i64 value, const char* where) const;
  bool list_has_register(const Operands& o, unsigned i) const { return i + 1 < o.count && is_variant(o.atom(i + 1)); }
  std::string spell_list(const Operands& o, unsigned i) const;
  std::string accepted(const Encoder& e, Atom given) const;
  bool is_range(const Encoder& e) const { return e.encoding == enc_linear || e.encoding == enc_imm_expr; }
  bool is_label(const Encoder& e) const { return accepted(e, atom_imm).starts_with("a label"); }
  bool list_of(Atom, Atom, i64&) const { return false; }
  std::string excess(const Encoder&, i64) const { return {}; }
  void offer_names(const Encoder& e, NearestName& nearest) const;
  void set_default(const Row&, const Encoder& e, Operands& o, unsigned i) const;
};

constexpr std::string_view vector_suffixes[] = {"",    ".8b", ".16b", ".4h", ".8h", ".2s", ".4s", ".1d", ".2d",
                                                ".1q", ".2h", ".4b",  ".2b", ".b",  ".h",  ".s",  ".d",  ".q"};
constexpr std::string_view element_suffixes[] = {"", ".b", ".h", ".s", ".d", ".q", "/z", "/m"};
constexpr std::string_view shift_names[] = {"lsl", "lsr", "asr", "ror"};
constexpr std::string_view extension_names[] = {"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};

std::string_view Words::describe(Atom a) const {
  if (a == atom_v) return "a vector register without an arrangement";
  if (is_between(a, atom_v_b, atom_z)) return "an element of a vector";
  if (is_between(a, atom_v, atom_z)) return "a vector register like v0.4s";
  if (a == atom_z) return "a scalable vector register without an element size";
  if (is_between(a, atom_z, atom_p)) return "a scalable vector register like z0.s";
  if (a == atom_p_z || a == atom_p_m) return "a predicate like p0/z or p0/m";
  if (a == atom_p) return "a predicate register";
  if (is_between(a, atom_p, atom_pn)) return "a predicate register like p0.s";
  if (is_between(a, atom_pn, atom_za)) return "a predicate-as-counter register like pn8";
  if (is_between(a, atom_za, atom_tile)) return "the matrix za";
  if (a >= atom_tile && a <= atom_zt0) return "a tile or slice of the matrix za";
  if (is_between(a, atom_lsl, atom_uxtb)) return "a shift like lsl #1";
  if (is_between(a, atom_uxtb, atom_msl)) return "an extension like sxtw";
  if (is_between(a, atom_list1, atom_v)) return "a list of vector registers in braces";
  switch (a) {
    case atom_w: return "a 32-bit register";
    case atom_x: return "a 64-bit register";
    case atom_wzr:
    case atom_xzr: return "the zero register";
    case atom_wsp:
    case atom_sp: return "the stack pointer";
    case atom_imm: return "a number";
    case atom_float: return "a floating-point number";
    case atom_expr: return "a symbol or an expression";
    case atom_literal: return "a literal like =value";
    case atom_b: return "an 8-bit scalar register";
    case atom_h: return "a 16-bit floating-point register";
    case atom_s: return "a 32-bit floating-point register";
    case atom_d: return "a 64-bit floating-point register";
    case atom_q: return "a 128-bit floating-point register";
    case atom_name: return "a name";
    case atom_open: return "an address in brackets";
    case atom_close: return "']'";
    case atom_close_write: return "']!'";
    case atom_write: return "'!'";
    case atom_index: return "an index like [0]";
    case atom_mul: return "mul #n";
    case atom_mul_vl: return "mul vl";
    case atom_msl: return "msl #8 or #16";
    case atom_range2:
    case atom_range4: return "a range of numbers like 0:1";
    default: return {};
  }
}

std::string Words::spell(Atom a, i64 value, const char* where) const {
  const auto number = [&](const char* letters, std::string_view suffix) {
    return fmt::format("{}{}{}", letters, value, suffix);
  };
  if (is_between(a, atom_v, atom_z)) return number("v", vector_suffixes[a - atom_v]);
  if (is_between(a, atom_z, atom_p)) return number("z", element_suffixes[a - atom_z]);
  if (is_between(a, atom_p, atom_pn)) return number("p", element_suffixes[a - atom_p]);
  if (is_between(a, atom_pn, atom_za)) return number("pn", element_suffixes[a - atom_pn]);
  if (is_between(a, atom_lsl, atom_uxtb)) return std::string(shift_names[a - atom_lsl]);
  if (is_between(a, atom_uxtb, atom_msl)) return std::string(extension_names[a - atom_uxtb]);
  switch (a) {
    case atom_w: return number("w", "");
    case atom_x: return number("x", "");
    case atom_wzr: return "wzr";
    case atom_xzr: return "xzr";
    case atom_wsp: return "wsp";
    case atom_sp: return "sp";
    case atom_b: return number("b", "");
    case atom_h: return number("h", "");
    case atom_s: return number("s", "");
    case atom_d: return number("d", "");
    case atom_q: return number("q", "");
    case atom_imm: return number("#", "");
    case atom_float: {
      double d;
      std::memcpy(&d, &value, sizeof d);
      return fmt::format("#{:.1f}", d);
    }
    case atom_name: return where ? std::string(where, std::size_t(value)) : std::string();
    case atom_open: return "[";
    case atom_close: return "]";
    case atom_close_write: return "]!";
    case atom_write: return "!";
    case atom_index: return fmt::format("[{}]", value);
    case atom_msl: return "msl";
    case atom_mul: return "mul";
    case atom_mul_vl: return "mul vl";
    default: return {};
  }
}

std::string Words::spell_list(const Operands& o, unsigned i) const {
  const Atom list = o.atom(i);
  if (list > atom_list4 || !list_has_register(o, i)) return {};
  std::string text = "{";
  for (unsigned k = 0; k <= unsigned(list - atom_list1); ++k)
    text += fmt::format("{}{}", k ? ", " : "", spell(o.atom(i + 1), (o.value[i + 1] + k) & 31, nullptr));
  return text + "}";
}

std::string Words::accepted(const Encoder& e, Atom given) const {
  const bool is_register = group(given) != 0;
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr:
      if (!is_register) return accepted_numbers(e);
      if (e.segments && e.segment[e.segments - 1].lsb == 255) return "a register with an even number";
      if (e.scale != 1)
        return fmt::format("registers {} to {} whose number is a multiple of {}", e.low, e.high, e.scale);
      return fmt::format("only registers {} to {}", e.low, e.high);
    case enc_constant: return fmt::format("{}", e.low);
    case enc_float_constant: {
      double d;
      std::memcpy(&d, &e.low, sizeof d);
      return fmt::format("{:.1f}", d);
    }
    case enc_same: return "the same register as before";
    case enc_name: return accepted_names(names_begin(unsigned(e.low)), names_end(unsigned(e.low)));
    case enc_logical:
    case enc_logical_not:
    case enc_mov: return "a bitmask immediate (a run of ones, rotated and repeated, but neither 0 nor all ones)";
    case enc_fp8:
      return "a floating-point number n/16 * 2^e with n from 16 to 31 and e from -3 to 4, like 0.125, 1.0 or 31.0";
    case enc_movz: return "a number of 16 bits, shifted by a multiple of 16";
    case enc_movn: return "the complement of one";
    case enc_bytes: return "a number whose bytes are 0x00 or 0xff";
    case enc_shift_left:
    case enc_field_left: return fmt::format("a number from 0 to {}", e.low - 1);
    case enc_width:
    case enc_width_end: return fmt::format("a width from 1 to {} less the lowest bit", e.low);
    case enc_add12: return "a number from 0 to 4095";
    case enc_offset:
      if (e.scale == 1) return fmt::format("a number from 0 to {}", 4095);
      return fmt::format("a multiple of {} from 0 to {}", e.scale, e.scale * 4095);
    case enc_offset_unscaled: return "a number from -256 to 255";
    case enc_mov16: return "a number from 0 to 65535";
    case enc_sve_shifted: return "a number from 0 to 255, or one of those times 256";
    case enc_sve_signed: return "a number from -128 to 127, or one of those times 256";
    case enc_flags: return "the letters nzcv, a capital one for each flag that is set";
    case enc_system: return "a system register like tpidr_el0, or s3_0_c1_c2_3";
    case enc_pair_next: return "the register after the one before it";
    case enc_adr: return "a label, or a number from -1048576 to 1048575";
    case enc_adrp: return "a label, or a multiple of 4096 from -4294967296 to 4294963200";
    case enc_branch26:
    case enc_call26: return "a label, or a multiple of 4 from -134217728 to 134217724";
    case enc_branch19:
    case enc_literal19: return "a label, or a multiple of 4 from -1048576 to 1048572";
    case enc_branch14: return "a label, or a multiple of 4 from -32768 to 32764";
    default: return {};
  }
}

void Words::offer_names(const Encoder& e, NearestName& nearest) const {
  if (e.encoding == enc_name)
    for (const NameEntry* n = names_begin(unsigned(e.low)); n < names_end(unsigned(e.low)); ++n)
      if (target.is_selectable(n->features)) nearest.offer(n->name);
  if (e.encoding != enc_system) return;
  for (const unsigned set : {unsigned(names_sysreg), unsigned(names_sysreg_read), unsigned(names_sysreg_write)})
    for (const NameEntry* n = names_begin(set); n < names_end(set); ++n)
      if (target.is_selectable(n->features)) nearest.offer(n->name);
}

void Words::set_default(const Row&, const Encoder& e, Operands& o, unsigned i) const {
  const auto bits = [](double d) {
    i64 v;
    std::memcpy(&v, &d, sizeof v);
    return v;
  };
  const auto name = [&](const NameEntry& n) {
    o.value[i] = i64(n.name.size());
    o.where[i] = n.name.data();
  };
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr:
    case enc_constant:
    case enc_float_constant:
      o.value[i] = e.encoding > enc_linear && e.encoding != enc_imm_expr ? e.low : std::clamp<i64>(0, e.low, e.high);
      return;
    case enc_same: o.value[i] = o.value[e.low]; return;
    case enc_pair_next: o.value[i] = o.value[e.low] + 1; return;
    case enc_fp8: o.value[i] = bits(1.0); return;
    case enc_name: {
      const NameEntry* const condition = find_name(unsigned(e.low), "eq");
      return name(condition ? *condition : *names_begin(unsigned(e.low)));
    }
    case enc_logical:
    case enc_logical_not:
    case enc_mov:
    case enc_width:
    case enc_width_end: o.value[i] = 1; return;
    case enc_system: {
      static constexpr std::string_view any = "tpidr_el0";
      o.value[i] = any.size();
      o.where[i] = any.data();
      return;
    }
    case enc_branch26:
    case enc_call26:
    case enc_branch19:
    case enc_branch14:
    case enc_branch9:
    case enc_literal19:
    case enc_adr:
    case enc_adrp: o.where[i] = "label\n"; [[fallthrough]];
    default: o.value[i] = 0; return;
  }
}

/// How a number of 24 bits is added, which is too much for one instruction.
std::string two_sums(std::string_view name, const char* const* operands, i64 value, const Words& words) {
  constexpr i64 bits12 = 0xFFF, bits24 = 0xFFFFFF;
  if (value <= 0 || value > bits24 || !(value & bits12)) return {};
  const std::string_view to = written_word(operands[0], words), from = written_word(operands[1], words);
  return fmt::format("in two: `{0} {1}, {2}, #{3}, lsl #12`; `{0} {1}, {1}, #{4}`", name, to, from, value >> 12,
                     value & bits12);
}

/// How a number that no mov takes comes into a register.
std::string other_moves(std::string_view target, bool is_w, i64 value) {
  const u64 bits = u64(value);
  if (is_w && bits >> 32 && i64(i32(value)) != value)
    return fmt::format("{} has 32 bits, and {:#x} does not fit", target, bits);
  std::string moves;
  for (unsigned shift = 0; shift < (is_w ? 32u : 64u); shift += 16) {
    const u64 part = bits >> shift & 0xFFFF;
    if (!part) continue;
    moves += fmt::format("{}{} {}, #{:#x}{}", moves.empty() ? "" : "; ", moves.empty() ? "movz" : "movk", target, part,
                         shift ? fmt::format(", lsl #{}", shift) : "");
  }
  return fmt::format("instead: `{}`; or as a literal: `ldr {}, ={:#x}`", moves, target,
                     is_w ? bits & 0xFFFFFFFF : bits);
}

constexpr std::string_view suffix_advice = "the arrangements are .8b, .16b, .4h, .8h, .2s, .4s, .1d and .2d";

/// Why a name is no register, if it looks like one that is meant to be; otherwise empty.
std::string explain_name(std::string_view name) {
  const std::string lower = text::lower(name);
  const std::string_view s = lower;
  std::size_t digits = 1;
  while (digits < s.size() && text::is_digit(s[digits])) ++digits;
  const bool numbered = s.size() > 1 && digits > 1 && (digits == s.size() || s[digits] == '.');
  if (s.starts_with('%')) return "registers have no '%' here: x0, w0, v0";
  if (!numbered) {
    constexpr std::string_view x86[] = {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp",
                                        "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"};
    if (std::ranges::find(x86, s) != std::end(x86))
      return fmt::format("'{}' is a register of x86; A64 has x0 to x30", name);
    if (s == "pc") return "'pc' is no operand in A64; adr gives an address near it";
    return {};
  }
  const bool suffixed = digits < s.size();
  switch (s[0]) {
    case 'r':
      return fmt::format("'{}' is no register of A64; it has x{} (64 bits) and w{} (32 bits)", name,
                         s.substr(1, digits - 1), s.substr(1, digits - 1));
    case 'x':
    case 'w':
      return suffixed                   ? std::string()
             : s == "x31" || s == "w31" ? fmt::format("'{}' is no register: number 31 is {:.1}zr or sp", name, name)
                                        : fmt::format("'{}' is no register: {:.1}0 to {:.1}30 are", name, name, name);
    case 'v':
    case 'q':
    case 'd':
    case 's':
    case 'h':
    case 'b':
    case 'z': {
      const unsigned n = unsigned(std::min<std::size_t>(digits, 4));
      unsigned number = 0;
      for (unsigned i = 1; i < n; ++i) number = number * 10 + unsigned(s[i] - '0');
      constexpr unsigned last = 31;
      if (number > last) return fmt::format("'{}' is no register: {:.1}0 to {:.1}31 are", name, name, name);
      if (suffixed && s[0] == 'v') return fmt::format("'{}' is no arrangement; {}", name.substr(digits), suffix_advice);
      if (suffixed)
        return fmt::format("'{}' is no size of elements; they are .b, .h, .s, .d and .q", name.substr(digits));
      return {};
    }
    case 'p': return fmt::format("'{}' is no register: predicates are p0 to p15", name);
    default: return {};
  }
}

}  // namespace

bool AArch64Target::is_usable(const Row& row) const {
  return !(row.flags & (options_.gnu ? row_llvm : row_gnu)) && (!gated_ || available(row.features));
}

bool AArch64Target::fits(const Row& row, const Operands& o, unsigned& failed) const {
  Encoded e;
  return encode(row, o, e, failed);
}

/// The entry of the name that stands in the field's place, if it is one of the field's; allowed or not.
const NameEntry* AArch64Target::name_of(const Field& f, const Operands& o) const {
  const Encoder& e = a64_encoders[f.encoder];
  if (o.atom(f.atom) != atom_name) return nullptr;
  const std::string_view word(o.where[f.atom], std::size_t(o.value[f.atom]));
  if (e.encoding == enc_name) return find_name(unsigned(e.low), word);
  return e.encoding == enc_system ? system_name(word, f.atom == 0, false) : nullptr;
}

/// Reports what only the features that are not enabled stand against, or a name that is meant for a register.
bool AArch64Target::explain_features(const Spelling& s, const Operands& o, const char* where, Emitter& out) const {
  const std::string_view name(a64_names + s.name, s.length);
  const u8 other_profile = options_.gnu ? row_llvm : row_gnu;
  for (const Row* row = a64_rows + s.first; row != a64_rows + s.first + s.count; ++row) {
    unsigned failed;
    if ((row->flags & other_profile) || first_difference(*row, o) != max_atoms) continue;
    if (fits(*row, o, failed)) {
      if (no_negative_ && !is_selectable(row->features)) {
        out.error(where, fmt::format("-mattr=+no-neg-immediates forbids `{}` of this number", name));
        return true;
      }
      if (!is_selectable(row->features)) {
        out.error(where,
                  fmt::format("`{}` with these operands is not in this release of the reference assembler", name));
        return true;
      }
      const std::string need = missing(row->features);
      out.error(where,
                fmt::format("`{}` with these operands requires {}; .arch_extension or -march= enables it", name, need));
      return true;
    }
    const Field* f = a64_fields + row->fields + failed;
    if (const NameEntry* n = gated_ ? name_of(*f, o) : nullptr) {  // known, so it may not be used
      if (!is_selectable(n->features)) continue;
      out.error(o.where[f->atom],
                fmt::format("`{}` requires {}; .arch_extension or -march= enables it", n->name, missing(n->features)));
      return true;
    }
  }
  return false;
}

/// Reports that the operands are those of the mnemonic for floating-point numbers, or of that for whole numbers.
bool AArch64Target::explain_kin(std::string_view name, const Operands& o, Emitter& out) const {
  const std::string kin = name.starts_with('f') ? std::string(name.substr(1)) : fmt::format("f{}", name);
  const Spelling* const s = find_spelling(kin, hash_name(kin));
  const Words words{*this};
  if (!s || !any_takes(std::span(a64_rows + s->first, s->count), o, words)) return false;
  out.error(o.where[0], kin_message(name, kin, written_operand(o.where[0], words), words.describe(o.atom(0))));
  return true;
}

void AArch64Target::explain(const Spelling& s, const Operands& o, const char* where, const char* end,
                            Emitter& out) const {
  const bool ended = at_end(text::skip_blanks(end));
  if (ended && explain_features(s, o, where, out)) return;
  const Words words{*this};
  const std::string_view name(a64_names + s.name, s.length);
  const bool is_general = o.count && (o.atom(0) == atom_w || o.atom(0) == atom_x);
  for (unsigned i = 0; i < o.count; ++i) {
    if (o.atom(i) != atom_expr || !o.where[i]) continue;
    if (std::string text = explain_name(written_word(o.where[i], words)); !text.empty())
      return out.error(o.where[i], std::move(text));
  }
  const bool has_text = o.count && o.where[0] != where;  // and is not said by values
  if (ended && has_text && explain_kin(name, o, out)) return;
  const std::span<const Row> rows(a64_rows + s.first, s.count);
  // A mnemonic may be said by its number: a word of an operand can stand there then.
  const std::string_view written = text::is_name_char(*where) ? written_word(where, words) : std::string_view();
  const bool has_name = !written.empty() && (has_text || text::lower(written) == name);
  Refusal(has_name ? written : name, where, rows, o, words).report(where, text::skip_blanks(end), out);
  if (ended && (name == "mov" || name == "movz") && o.count == 2 && is_general && o.atom(1) == atom_imm)
    out.note(where, other_moves(written_word(o.where[0], words), o.atom(0) == atom_w, o.value[1]));
  const bool adds = name == "add" || name == "sub" || name == "adds" || name == "subs";
  if (ended && adds && o.count == 3 && words.is_plain(o.atom(1)) && o.atom(2) == atom_imm)
    if (const std::string two = two_sums(name, o.where, o.value[2], words); !two.empty()) out.note(where, two);
  if (ended && name == "mrs" && o.count == 2 && (o.atom(1) == atom_x || o.atom(1) == atom_xzr))
    out.note(where, fmt::format("`msr {}, {}` writes a system register", written_word(o.where[0], words),
                                written_word(o.where[1], words)));
}

}  // namespace xas::aarch64
