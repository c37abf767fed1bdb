// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/arm_choices.h"

#include <algorithm>

namespace xas::corpus::armforms {

namespace {

std::string num(i64 v) { return std::to_string(v); }

std::string general(i64 n) { return n == 13 ? "sp" : n == 14 ? "lr" : n == 15 ? "pc" : "r" + num(n); }

/// The register behind this one, of a general or extension register.
std::string next_of(const std::string& reg) {
  if (reg == "lr") return "pc";
  const i64 n = std::stoi(reg.substr(1)) + 1;
  return reg[0] == 'r' ? general(n) : reg.substr(0, 1) + num(n);
}

/// Numbers that the encoder takes, from within its range first.
std::vector<i64> values(const Encoder& e) {
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: {
      const i64 step = e.scale < 0 ? -e.scale : e.scale;
      const i64 middle = e.low + (e.high - e.low) / step / 2 * step;
      return {middle, e.low, e.high, e.low + step <= e.high ? e.low + step : e.low};
    }
    case enc_constant: return {e.low};
    case enc_a32_imm: return {0xAB00, 0, 0xFF, 0xF000000F, 0xFF000000};
    case enc_a32_minus: return {-0xAB00, -1, -0xFF};
    case enc_a32_not: return {~0xAB00, ~0xFF, ~0};
    case enc_t32_imm: return {0xAB00, 0, 0xFF, 0x00AB00AB, 0xAB00AB00, 0xABABABAB, 0x80000000, 0x1FE};
    case enc_t32_minus: return {-0xAB00, -1, -0xFF};
    case enc_t32_not: return {~0xAB00, ~0xFF};
    case enc_signed: return {4 * e.scale, -4 * e.scale, e.high, -e.high, 0};
    case enc_shift32: return {3, 1, 32};
    case enc_fpa_imm: return {3, 0, 5, 10};
    case enc_msb:
    case enc_width: return {1, 3};
    case enc_mov16:
    case enc_mov16_top: return {0xABCD, 0, 0xFFFF};
    case enc_simd_imm:
      return e.low == 64   ? std::vector<i64>{0xFF, -1}
             : e.low == 16 ? std::vector<i64>{0xAB, 0xAB00}
             : e.low == 32 ? std::vector<i64>{0xAB, 0xAB00, 0xABFF, 0xABFFFF}
             : e.low == (32 | 1 << 16) ? std::vector<i64>{0xAB, 0xAB00, 0xAB0000, 0xAB000000}
                           : std::vector<i64>{0xAB};
    case enc_vfp_imm: return {1, 2, -31};
    default: return {};
  }
}

i64 draw(Random& random, const Encoder& e, const std::vector<i64>& known) {
  auto between = [&](i64 low, i64 high, i64 step) {
    return low + i64(random.next() % (u64(high - low) / u64(step) + 1)) * step;
  };
  const i64 step = e.scale < 0 ? -e.scale : e.scale;
  auto rotated = [&] {
    const u32 byte = random.below(256), turn = 2 * random.below(16);
    return i64(turn ? byte >> turn | byte << (32 - turn) : byte);
  };
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: return between(e.low, e.high, step);
    case enc_a32_imm: return rotated();
    case enc_a32_not: return i64(~u32(rotated()));
    case enc_t32_imm: return i64((0x80u | random.below(128)) << random.below(24));
    case enc_signed: return between(-e.high, e.high, e.scale ? e.scale : 1);
    case enc_shift32: return between(1, 32, 1);
    case enc_mov16:
    case enc_mov16_top: return between(0, 0xFFFF, 1);
    default: return known[random.below(u32(known.size()))];
  }
}

/// The one text that fits.
Texts only(std::string_view text) {
  Texts t;
  t.push_back({std::string(text)});
  return t;
}

/// Fields that hold distances.
bool is_distance(const Encoder& e) { return e.encoding >= enc_a32_branch && e.encoding < enc_t32_bf; }

/// Distances from the instruction's address rounded down to a multiple of four: of these a line's bytes would depend on
/// where it stands.
bool counts_from_word(const Row& row, const Encoder& e) {
  switch (e.encoding) {
    case enc_t16_load:
    case enc_t16_adr:
    case enc_t32_load:
    case enc_t32_load8:
    case enc_t32_adr:
    case enc_t32_blx: return true;
    default: return e.encoding == enc_vfp_load && row.set != set_a32;
  }
}

std::string number_text(Atom a, const Encoder& e, i64 v) {
  const std::string n = num(v);
  return a == atom_imm      ? "#" + n + (e.encoding == enc_vfp_imm ? ".0" : "")
         : a == atom_index  ? "[" + n + "]"
         : a == atom_option ? "{" + n + "}"
                            : ":" + n;
}

Texts numbers(Atom a, const Encoder& e, Random* random) {
  Texts t;
  const std::vector<i64> known = values(e);
  if (known.empty()) return t;
  const auto [low, high] = std::minmax_element(known.begin(), known.end());
  for (const i64& v : known) {
    const std::string_view edge = &v == known.data() ? "plain"
                                  : v == *low        ? "least number"
                                  : v == *high       ? "greatest number"
                                                     : "number";
    t.push_back({number_text(a, e, v), edge});
  }
  if (random && known.size() > 1)
    for (unsigned k = 0; k < 16; ++k) t.push_back({number_text(a, e, draw(*random, e, known)), "random"});
  return t;
}

/// A general register: r0 to r7, and where the row takes them the others.
Texts low_registers(const Row& row, unsigned i, const std::vector<std::string>& before, Random* random) {
  const u8 dont_care = u8(~mask_of(row, i));
  const Encoder* e = encoder_of(row, i);
  if (e && e->encoding == enc_next) return {{next_of(before[unsigned(e->low)])}};
  if (e && e->encoding == enc_constant) return {{general(e->low)}};
  if (e && e->encoding == enc_linear && e->scale == 2)
    return {{"r" + num(2 * (i % 3) + 2 + e->base)}, {"r" + num(e->base + 10), "register 10"}};
  Texts t{{"r" + num(2 * (i % 3) + 2 > 7 ? 4 : 2 * (i % 3) + 2)}, {"r0", "register 0"}, {"r7", "register 7"}};
  if (dont_care & 1) t.insert(t.end(), {{"r8", "register 8"}, {"r12", "register 12"}, {"lr", "lr"}});
  if (dont_care & 2) t.push_back({"sp", "sp"});
  if (dont_care & 4) t.push_back({"pc", "pc"});
  if (random)
    for (unsigned k = 0; k < 12; ++k) t.push_back({general(random->below(dont_care & 1 ? 13 : 8)), "random"});
  return t;
}

Texts register_lists(const Encoder* e) {
  if (e && e->encoding == enc_clear_list) return {{"{r1, r3, apsr}"}, {"{r0}", "one register"}};
  if (e && e->encoding == enc_single) return {{"{r3}"}, {"{r8}", "register 8"}};
  if (e && e->low == 0xFF) return {{"{r1, r3}"}, {"{r0}", "one register"}, {"{r0-r7}", "all registers"}};
  if (e && e->low == 0x40FF) return {{"{r1, r3, lr}"}, {"{r0-r7, lr}", "all registers"}};
  if (e && e->low == 0x80FF) return {{"{r1, r3, pc}"}, {"{r0-r7, pc}", "all registers"}};
  return {
      {"{r1, r3, r8}"}, {"{r1, r2, lr}", "with lr"}, {"{r0-r12, lr}", "all registers"}, {"{r1, r2, pc}", "with pc"}};
}

Texts vector_lists(Atom a, const Encoder* e) {
  if (!e || e->encoding != enc_count) return {{"{d3, d4, d5}"}, {"{d31}", "register 31"}, {"{d0-d15}", "16 registers"}};
  if (e->segments == 2 && e->segment[0].width == 3) return {{e->low == 4 ? "{q1, q2}" : "{q4, q5, q6, q7}"}};
  const bool spaced = a == atom_d_list2 || a == atom_d_all2 || a == atom_d_lane2;
  Texts t;
  for (const int first : {1, 17}) {
    std::string s = "{";
    for (int n = 0; n < e->low; ++n)
      s += (n ? ", d" : "d") + num(first + n * (spaced ? 2 : 1)) +
           (a >= atom_d_lane  ? "[@]"
            : a >= atom_d_all ? "[]"
                              : "");
    t.push_back({s + "}", first == 1 ? "plain" : "register 17"});
  }
  return t;
}

Texts vector_registers(const Row& row, unsigned i, const std::vector<std::string>& before, Random* random) {
  const Atom a = atom_of(row, i);
  const Encoder* e = encoder_of(row, i);
  if (e && e->encoding == enc_next) return {{next_of(before[unsigned(e->low)])}};
  const i64 high = e && e->encoding == enc_linear ? e->high : 31;
  const std::string letter = a == atom_s ? "s" : a == atom_d ? "d" : "q";
  const i64 last = a == atom_q ? (high == 14 ? 7 : 15) : high;
  Texts t{{letter + num(i % 5 + 1)}, {letter + "0", "register 0"}, {letter + num(last), "last register"}};
  if (random)
    for (unsigned k = 0; k < 12; ++k) t.push_back({letter + num(random->below(u32(last) + 1)), "random"});
  return t;
}

}  // namespace

Texts choices(const Row& row, unsigned i, const std::vector<std::string>& before, Random* random) {
  const Atom a = atom_of(row, i);
  const u8 dont_care = u8(~mask_of(row, i));
  const Encoder* e = encoder_of(row, i);
  if (e && e->encoding == enc_same) return {{before[unsigned(e->low)]}};
  if (e && is_distance(*e)) {
    if (counts_from_word(row, *e)) return {{"symbol", "symbol"}};
    return {{"symbol", "symbol"}, {". + 8", "near"}};
  }
  switch (a) {
    case atom_low: return low_registers(row, i, before, random);
    case atom_high: return {{e && e->encoding == enc_constant ? general(e->low) : "r9"}};
    case atom_sp: return only("sp");
    case atom_pc: return only("pc");
    case atom_imm:
    case atom_index:
    case atom_option:
    case atom_align: {
      if (!e) return only("#0");
      Texts t = numbers(a, *e, random);
      if (a == atom_imm && e->encoding == enc_mov16) t.push_back({"#:lower16:symbol", "symbol"});
      if (a == atom_imm && e->encoding == enc_mov16_top) t.push_back({"#:upper16:symbol", "symbol"});
      return t;
    }
    case atom_plus:
      if (!(dont_care & 1)) return only("");
      return {{""}, {"-", "subtracted"}};
    case atom_write: return only("!");
    case atom_open: return only("[");
    case atom_close: return only("]");
    case atom_close_write: return only("]!");
    case atom_lsl:
      if (!(dont_care & 3)) return only("lsl ");
      return {{"lsl "}, {"lsr ", "lsr"}, {"asr ", "asr"}, {"ror ", "ror"}};
    case atom_lsr: return only("lsr ");
    case atom_asr: return only("asr ");
    case atom_ror: return only("ror ");
    case atom_rrx: return only("rrx");
    case atom_uxtw: return only("uxtw ");
    case atom_user: return only("^");
    case atom_name: {
      Texts t;
      if (e && e->encoding == enc_name)
        for (unsigned n = arm_name_sets[e->low][0]; n < arm_name_sets[e->low][1]; ++n)
          t.push_back({std::string(arm_name_entries[n].name), "name"});
      return t;
    }
    case atom_list: return register_lists(e);
    case atom_s_vpr: return only("{s3, s4, vpr}");
    case atom_d_vpr: return only("{d3, d4, vpr}");
    case atom_s_list: return {{"{s3, s4, s5}"}, {"{s31}", "register 31"}, {"{s0-s31}", "all registers"}};
    case atom_d_list:
    case atom_d_list2:
    case atom_d_all:
    case atom_d_all2:
    case atom_d_lane:
    case atom_d_lane2: return vector_lists(a, e);
    case atom_s:
    case atom_d:
    case atom_q: return vector_registers(row, i, before, random);
    case atom_coprocessor: return {{"p7"}, {"p15", "last register"}, {"p0", "register 0"}};
    case atom_coprocessor_register: return {{"c3"}, {"c15", "last register"}, {"c0", "register 0"}};
    default: return {};
  }
}

Texts beyond(const Row& row, unsigned i) {
  const Atom a = atom_of(row, i);
  const Encoder* e = encoder_of(row, i);
  if (e && (is_distance(*e) || e->encoding == enc_same)) return {};
  Texts t;
  if ((a == atom_imm || a == atom_index || a == atom_option || a == atom_align) && e) {
    std::vector<i64> known = values(*e);
    if (known.empty()) return {};
    const auto [low, high] = std::minmax_element(known.begin(), known.end());
    const i64 step = e->scale < 0 ? -e->scale : e->scale ? e->scale : 1;
    t.push_back({number_text(a, *e, *low - step), "below the least number"});
    t.push_back({number_text(a, *e, *high + step), "beyond the greatest number"});
    if (step > 1) t.push_back({number_text(a, *e, *low + 1), "no such number"});
  }
  if (a == atom_low || a == atom_high || a == atom_sp) {
    for (auto name : {"r8", "sp", "pc", "d1", "q1", "s1", "#1"}) t.push_back({name, "another operand"});
  } else if (a == atom_s || a == atom_d || a == atom_q) {
    for (auto name : {"s1", "d1", "q1", "d32", "q16", "s32", "r1", "#1"}) t.push_back({name, "another operand"});
  } else if (a == atom_name) {
    t.push_back({"nosuch", "no name"});
  } else if (a == atom_list) {
    for (auto name : {"{}", "{r3, d1}", "r1", "{r1, sp}", "{r8}"}) t.push_back({name, "another list"});
  } else if (a >= atom_s_list && a <= atom_d_lane2) {
    for (auto name : {"{}", "{d31, d0}", "{r1}", "{d1, d5}"}) t.push_back({name, "another list"});
  }
  return t;
}

std::string word_of(const Row& row, unsigned i) {
  const Atom a = atom_of(row, i);
  const Encoder* e = encoder_of(row, i);
  switch (a) {
    case atom_low: return mask_of(row, i) & 1 ? "r0-r7" : "r";
    case atom_high: return "r8-lr";
    case atom_imm: return "#n";
    case atom_expr: return "expr";
    case atom_literal: return "=expr";
    case atom_index: return "[n]";
    case atom_option: return "{n}";
    case atom_align: return ":n";
    case atom_name: return "name";
    case atom_s: return "s";
    case atom_d: return "d";
    case atom_q: return "q";
    case atom_coprocessor: return "p";
    case atom_coprocessor_register: return "c";
    case atom_list: return "{r}";
    case atom_s_list: return "{s}";
    default: break;
  }
  if (e && is_distance(*e)) return "label";
  const std::vector<std::string> before(max_atoms, "r2");
  const Texts t = choices(row, i, before, nullptr);
  return t.empty() ? "?" : t[0].text;
}

void join(std::string& out, const Row& row, const std::vector<std::string>& t) {
  const std::size_t start = out.size();
  bool comma = false;
  for (unsigned i = 0; i < t.size(); ++i) {
    const Atom a = atom_of(row, i);
    const Atom last = i ? atom_of(row, i - 1) : atom_none;
    if ((last == atom_d_lane || last == atom_d_lane2) && t[i].size() > 1) {
      for (std::size_t at; (at = out.find("[@]", start)) != out.npos;) out.replace(at, 3, "[" + t[i].substr(1) + "]");
      continue;
    }
    const bool joins = a == atom_write || a == atom_close || a == atom_close_write || a == atom_index ||
                       a == atom_align || a == atom_user;
    const bool behind = last == atom_open || last == atom_plus || (last >= atom_lsl && last <= atom_ror);
    if (comma && !joins && !behind) out += ", ";
    out += t[i];
    comma = true;
  }
}

}  // namespace xas::corpus::armforms
