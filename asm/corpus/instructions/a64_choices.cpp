// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/instructions/a64_choices.h"

#include <algorithm>
#include <cstring>

namespace xas::corpus::a64forms {

namespace {

std::string num(i64 v) { return std::to_string(v); }

/// `{v1.4s, v2.4s}` for the list that begins with register n.
std::string list_of(Atom list, Atom reg, i64 n) {
  unsigned count = 1, step = 1;
  if (list == atom_list2_stride8)
    count = 2, step = 8;
  else if (list == atom_list4_stride4)
    count = 4, step = 4;
  else
    count = unsigned(list - atom_list1) + 1;
  const i64 registers = reg >= atom_p && reg < atom_za ? 16 : 32;
  std::string text = "{ ";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", " : "") + register_name(reg, (n + i64(i * step)) % registers);
  return text + " }";
}

bool register_fits(const Encoder* e, i64 n) {
  if (!e) return true;
  if (e->encoding != enc_linear) return e->encoding != enc_constant || n == e->low;
  if (n < e->low || n > e->high || (n - e->base) % e->scale != 0) return false;
  u64 v = u64((n - e->base) / e->scale);
  for (unsigned i = e->segments; i-- > 0;) {
    if (e->segment[i].lsb == 255 && (v & 1)) return false;
    v >>= e->segment[i].width;
  }
  return true;
}

/// Numbers of registers: those the encoder takes, and some of those it does not.
void add_registers(Choice& c, Atom a, u8 mask, const Encoder* e, Atom list, Random* random, unsigned draws) {
  const bool general = a >= atom_w && a < atom_imm;
  const bool wide = general && a >= atom_x;
  const Atom plain = general ? (wide ? atom_x : atom_w) : a;
  i64 registers = 32;
  if (a >= atom_p && a < atom_za) registers = 16;
  if (a >= atom_tile && a < atom_zt0) registers = i64(1) << ((a & 7) ? (a & 7) - 1 : 0);
  auto text = [&](i64 n) { return list ? list_of(list, plain, n) : register_name(plain, n); };
  const bool takes_zero = !general || mask == u8(~1) || (a == atom_wzr || a == atom_xzr);
  std::vector<i64> in, out;
  for (i64 n = 0; n < registers; ++n) (register_fits(e, n) && !(n == 31 && !takes_zero) ? in : out).push_back(n);
  if (general && (a & 3) == 2) in.clear();  // the stack pointer alone
  if (!in.empty()) {
    c.inside.push_back({text(in[in.size() / 2]), "register"});
    if (random) {
      for (unsigned k = 0; k < draws; ++k) c.inside.push_back({text(in[random->below(u32(in.size()))]), "random"});
    } else {
      c.inside.push_back({text(in.front()), "first register"});
      c.inside.push_back({text(in.back()), general && in.back() == 31 ? "zero register" : "last register"});
      if (in.size() > 2 && in.back() == 31) c.inside.push_back({text(in[in.size() - 2]), "register 30"});
    }
  }
  const bool takes_sp = general && (mask == u8(~2) || (a & 3) == 2);
  if (general) (takes_sp ? c.inside : c.beyond).push_back({wide ? "sp" : "wsp", "stack pointer"});
  for (std::size_t i = 0; i < out.size(); ++i)  // neighbours of what fits, and the ends
    if (i == 0 || i + 1 == out.size() || register_fits(e, out[i] - 1) || register_fits(e, out[i] + 1))
      c.beyond.push_back({text(out[i]), "another register"});
  if (c.beyond.size() > 6) c.beyond.resize(6);
}

/// What expressions may stand for, if the row takes one here.
void add_symbols(Choice& c, const Encoder& e, const std::string& before) {
  auto put = [&](std::string_view text) { c.inside.push_back({before + std::string(text), "symbol"}); };
  switch (e.encoding) {
    case enc_branch26:
    case enc_call26:
    case enc_branch19:
    case enc_branch14:
    case enc_literal19:
    case enc_adr:
    case enc_adrp: c.inside.push_back({"symbol", "symbol"}); return;
    case enc_add12:
    case enc_offset: return put(":lo12:symbol");
    case enc_mov16: return put(":abs_g1:symbol");
    default: return;
  }
}

/// Numbers `e` takes, and those beside its ends.
void add_numbers(Choice& c, const Encoder& e, bool takes_symbol, const std::string& before, const std::string& after,
                 Random* random, unsigned draws) {
  if (e.encoding == enc_float_constant) {
    double d;
    std::memcpy(&d, &e.low, 8);
    c.inside.push_back({before + fmt::format("{:.1f}", d), "number"});
    for (auto t : {"0.25", "3"}) c.beyond.push_back({before + t, "another number"});
    return;
  }
  if (e.encoding == enc_fp8) {
    for (auto t : {"1.0", "0.125", "31.0", "-0.125", "-31.0", "1.9375"}) c.inside.push_back({before + t, "number"});
    for (auto t : {"0.0", "32.0", "1.03125", "0.0625"}) c.beyond.push_back({before + t, "another number"});
    return;
  }
  const Numbers n = numbers_of(e);
  if (n.inside.empty()) return;
  const auto [low, high] = std::minmax_element(n.inside.begin(), n.inside.end());
  for (const i64& v : n.inside) {
    const std::string_view edge = &v == n.inside.data() ? "number"
                                  : v == *low           ? "least number"
                                  : v == *high          ? "greatest number"
                                                        : "number at a limit";
    c.inside.push_back({before + num(v) + after, edge});
    if (random) break;
  }
  if (random && n.inside.size() > 1)
    for (unsigned k = 0; k < draws; ++k)
      c.inside.push_back({before + num(draw_number(*random, e, n)) + after, "random"});
  for (i64 v : n.beyond) {
    const std::string_view edge = v < *low    ? "below the least number"
                                  : v > *high ? "beyond the greatest number"
                                              : "no such number";
    c.beyond.push_back({before + num(v) + after, edge});
  }
  if (takes_symbol) add_symbols(c, e, before);
}

void add_names(Choice& c, const Encoder& e) {
  if (e.encoding == enc_system) {
    for (auto t : {"nzcv", "s3_7_c15_c15_7", "S2_0_c0_c0_0"}) c.inside.push_back({t, "system register"});
    for (auto t : {"s4_0_c0_c0_0", "nosuch"}) c.beyond.push_back({t, "no system register"});
    return;
  }
  if (e.encoding == enc_flags) {
    for (auto t : {"nzcv", "NZCV", "NzCv"}) c.inside.push_back({t, "flags"});
    for (auto t : {"nzv", "nzcx"}) c.beyond.push_back({t, "no flags"});
    return;
  }
  const unsigned first = a64_name_sets[e.low][0], last = a64_name_sets[e.low][1];
  for (unsigned k = first; k < last; ++k) c.inside.push_back({std::string(a64_name_entries[k].name), "name"});
  c.beyond.push_back({"nosuch", "no name"});
}

void add_ranges(Choice& c, Atom a, const Encoder& e) {
  auto range = [&](i64 v) { return num(v) + ":" + num(v + (a == atom_range2 ? 1 : 3)); };
  if (e.encoding == enc_constant) {
    c.inside = {{range(e.low), "range"}};
    c.beyond = {{range(e.low + 1), "another range"}};
    return;
  }
  c.inside = {{range(e.low), "first range"}, {range(e.high), "last range"}};
  c.beyond = {{range(e.high + e.scale), "range beyond the last"}, {range(e.low + 1), "range that is not aligned"}};
}

/// Atoms that are words or brackets.
Choice words(Atom a, u8 mask, const Encoder* e) {
  constexpr std::string_view shifts[] = {"lsl", "lsr", "asr", "ror"};
  constexpr std::string_view extensions[] = {"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};
  Choice c;
  auto one = [&](std::string_view text) { c.inside.push_back({std::string(text), "plain"}); };
  auto add = [&](auto& names, unsigned count, unsigned low_bits) {
    for (unsigned s = 0; s < count; ++s)
      ((s ^ (a & low_bits)) & mask & low_bits ? c.beyond : c.inside).push_back({std::string(names[s]), names[s]});
  };
  switch (a) {
    case atom_lsl:
    case atom_lsr:
    case atom_asr:
    case atom_ror:
      add(shifts, 4, 3);
      if (e && e->encoding == enc_linear && e->high < 3 && c.inside.size() == 4) {
        c.inside.pop_back();
        c.beyond.push_back({"ror", "ror"});
      }
      return c;
    case atom_msl: one("msl"); return c;
    case atom_mul: one("mul"); return c;
    case atom_mul_vl: one("mul vl"); return c;
    case atom_vgx2:
    case atom_vgx4:
      one(a == atom_vgx2 ? "vgx2" : "vgx4");
      c.beyond.push_back({a == atom_vgx2 ? "vgx4" : "vgx2", "another group"});
      return c;
    case atom_open: one("["); return c;
    case atom_close: one("]"); return c;
    case atom_close_write: one("]!"); return c;
    case atom_write: one("!"); return c;
    case atom_empty_list: one("{}"); return c;
    default: break;
  }
  if (a >= atom_uxtb && a <= atom_sxtx) add(extensions, 8, 7);
  return c;
}

}  // namespace

std::string register_name(Atom a, i64 n) {
  constexpr std::string_view arrangements[] = {"",    ".8b", ".16b", ".4h", ".8h", ".2s", ".4s", ".1d", ".2d",
                                               ".1q", ".2h", ".4b",  ".2b", ".b",  ".h",  ".s",  ".d",  ".q"};
  constexpr std::string_view elements[] = {"", ".b", ".h", ".s", ".d", ".q", "/z", "/m"};
  const std::string number = num(n);
  if (a == atom_w) return n == 31 ? "wzr" : "w" + number;
  if (a == atom_x) return n == 31 ? "xzr" : "x" + number;
  if (a >= atom_b && a <= atom_q) return std::string(1, "bhsdq"[a - atom_b]) + number;
  if (a >= atom_v && a < atom_z) return "v" + number + std::string(arrangements[a - atom_v]);
  if (a >= atom_z && a < atom_p) return "z" + number + std::string(elements[a - atom_z]);
  if (a >= atom_p && a < atom_pn) return "p" + number + std::string(elements[a - atom_p]);
  if (a >= atom_pn && a < atom_za) return "pn" + number + std::string(elements[a - atom_pn]);
  if (a >= atom_za && a < atom_tile) return "za" + std::string(elements[a - atom_za]);
  if (a >= atom_tile && a < atom_row) return "za" + number + std::string(elements[a - atom_tile]);
  if (a >= atom_row && a < atom_col) return "za" + number + "h" + std::string(elements[a - atom_row]);
  if (a >= atom_col && a < atom_zt0) return "za" + number + "v" + std::string(elements[a - atom_col]);
  return "zt0";
}

Choice choices(const Row& row, unsigned i, Atom list, Random* random, unsigned draws) {
  const Atom a = atom_of(row, i);
  const u8 mask = mask_of(row, i);
  const Encoder* e = encoder_of(row, i);
  Choice c;
  if (e && (e->encoding == enc_same || e->encoding == enc_pair_next)) return c;  // follows another
  if (is_register(a) && a != atom_zt0 && !(a >= atom_za && a < atom_tile)) {
    if (a == atom_tile_d && e && e->segments == 1 && e->segment[0].width == 8) {
      for (auto t : {"{za0.d}", "{}", "{za}", "{za1.d, za7.d}"}) c.inside.push_back({t, "list of tiles"});
      return c;
    }
    add_registers(c, a, mask, e, list, random, draws);
    return c;
  }
  if (is_register(a)) return c.inside = {{register_name(a, 0), "register"}}, c;
  switch (a) {
    case atom_imm:
    case atom_float:
    case atom_expr: {
      // zt0[1, mul vl] has no #
      const bool bare =
          i + 1 < max_atoms && atom_of(row, i + 1) == atom_mul_vl && i > 1 && atom_of(row, i - 2) == atom_zt0;
      const bool expression = a == atom_expr || !(mask & (atom_imm ^ atom_expr));
      if (e) add_numbers(c, *e, expression, bare ? "" : "#", "", random, draws);
      if (a == atom_expr) std::erase_if(c.inside, [](auto& t) { return t.edge != "symbol"; });
      return c;
    }
    case atom_index:
      if (e) add_numbers(c, *e, false, "[", "]", random, draws);
      return c;
    case atom_range2:
    case atom_range4:
      if (e) add_ranges(c, a, *e);
      return c;
    case atom_name:
      if (e) add_names(c, *e);
      return c;
    default: return words(a, mask, e);
  }
}

}  // namespace xas::corpus::a64forms
