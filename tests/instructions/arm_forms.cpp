// Prints instructions for every form in the ARM tables: each operand in turn takes the values at the ends of its range,
// while the others keep a value from within. What the lines assemble to is for the reference assemblers to say:
//
//   (echo '=== A32 | all-a32 | lines'; arm-forms arm) > forms.txt; xas-diff --tables forms.txt      (thumb: all-t32, mprofile: all-m)
//   arm-forms arm|thumb|mprofile --brief      one line a form
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "targets/arm/tables.h"

using namespace xas;
using namespace xas::arm;

namespace {

using Texts = std::vector<std::string>;

std::string num(i64 v) { return std::to_string(v); }

Atom atom_of(const Row& row, unsigned i) { return Atom(row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
u8 mask_of(const Row& row, unsigned i) { return u8(row.mask[i >> 3] >> (8 * (i & 7))); }

const Encoder* encoder_of(const Row& row, unsigned atom) {
  for (unsigned f = 0; f < row.field_count; ++f)
    if (arm_fields[row.fields + f].atom == atom) return &arm_encoders[arm_fields[row.fields + f].encoder];
  return nullptr;
}

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
    case enc_linear: case enc_imm_expr: {
      const i64 step = e.scale < 0 ? -e.scale : e.scale;
      const i64 middle = e.low + (e.high - e.low) / step / 2 * step;
      return {middle, e.low, e.high};
    }
    case enc_constant: return {e.low};
    case enc_a32_imm: return {0xAB00, 0, 0xFF, 0xF000000F, 0xFF000000};
    case enc_a32_minus: return {-0xAB00};
    case enc_a32_not: return {~0xAB00};
    case enc_t32_imm: return {0xAB00, 0, 0xFF, 0x00AB00AB, 0xAB00AB00, 0xABABABAB, 0x80000000, 0x1FE};
    case enc_t32_minus: return {-0xAB00};
    case enc_t32_not: return {~0xAB00};
    case enc_signed: return {4 * e.scale, -4 * e.scale, e.high, -e.high};
    case enc_shift32: return {3, 1, 32};
    case enc_fpa_imm: return {3, 10};
    case enc_msb: case enc_width: return {1, 3};
    case enc_mov16: case enc_mov16_top: return {0xABCD, 0, 0xFFFF};
    case enc_simd_imm:
      return e.low == 64   ? std::vector<i64>{0xFF, -1}
             : e.low == 16 ? std::vector<i64>{0xAB, 0xAB00}
             : e.low == 32 ? std::vector<i64>{0xAB, 0xAB00, 0xABFF, 0xABFFFF}
                           : std::vector<i64>{0xAB};
    case enc_vfp_imm: return {1, 2, -31};
    default: return {};
  }
}

/// What may stand in an atom's place; empty: the form can't be shown.
Texts choices(const Row& row, unsigned i, const Texts& before) {
  const Atom a = atom_of(row, i);
  const u8 dont_care = u8(~mask_of(row, i));
  const Encoder* e = encoder_of(row, i);
  if (e && e->encoding == enc_same) return {before[unsigned(e->low)]};
  switch (a) {
    case atom_low: {
      if (e && e->encoding == enc_next) return {next_of(before[unsigned(e->low)])};
      if (e && e->encoding == enc_constant) return {general(e->low)};
      if (e && e->encoding == enc_linear && e->scale == 2)
        return {"r" + num(2 * (i % 3) + 2 + e->base), "r" + num(e->base + 10)};
      Texts t{"r" + num(2 * (i % 3) + 2 > 7 ? 4 : 2 * (i % 3) + 2)};
      if (dont_care & 1) t.insert(t.end(), {"r8", "lr"});
      return t;
    }
    case atom_high: return {e && e->encoding == enc_constant ? general(e->low) : "r9"};
    case atom_sp: return {"sp"};
    case atom_pc: return {"pc"};
    case atom_imm: case atom_index: case atom_option: case atom_align: {
      if (!e) return {"#0"};
      Texts t;
      for (const i64 v : values(*e)) {
        const std::string n = num(v);
        t.push_back(a == atom_imm      ? "#" + n + (e->encoding == enc_vfp_imm ? ".0" : "")
                    : a == atom_index  ? "[" + n + "]"
                    : a == atom_option ? "{" + n + "}"
                                       : ":" + n);
      }
      return t;
    }
    case atom_plus: return dont_care & 1 ? Texts{"", "-"} : Texts{""};
    case atom_write: return {"!"};
    case atom_open: return {"["};
    case atom_close: return {"]"};
    case atom_close_write: return {"]!"};
    case atom_lsl: return dont_care & 3 ? Texts{"lsl ", "lsr ", "asr ", "ror "} : Texts{"lsl "};
    case atom_lsr: return {"lsr "};
    case atom_asr: return {"asr "};
    case atom_ror: return {"ror "};
    case atom_rrx: return {"rrx"};
    case atom_uxtw: return {"uxtw "};
    case atom_user: return {"^"};
    case atom_name: {
      Texts t;
      if (e && e->encoding == enc_name)
        for (unsigned n = arm_name_sets[e->low][0]; n < arm_name_sets[e->low][1]; ++n)
          t.emplace_back(arm_name_entries[n].name);
      return t;
    }
    case atom_list:
      if (e && e->encoding == enc_clear_list) return {"{r1, r3, apsr}"};
      if (e && e->encoding == enc_single) return {"{r3}", "{r8}"};
      return e && e->low == 0xFF     ? Texts{"{r1, r3}"}
             : e && e->low == 0x40FF ? Texts{"{r1, r3, lr}"}
             : e && e->low == 0x80FF ? Texts{"{r1, r3, pc}"}
                                     : Texts{"{r1, r3, r8}", "{r1, r2, lr}"};
    case atom_s_vpr: return {"{s3, s4, vpr}"};
    case atom_d_vpr: return {"{d3, d4, vpr}"};
    case atom_s_list: return {"{s3, s4, s5}", "{s31}"};
    case atom_d_list: case atom_d_list2: case atom_d_all: case atom_d_all2: case atom_d_lane: case atom_d_lane2: {
      if (!e || e->encoding != enc_count) return {"{d3, d4, d5}", "{d31}"};
      if (e->segments == 2 && e->segment[0].width == 3)
        return e->low == 4 ? Texts{"{q1, q2}"} : Texts{"{q4, q5, q6, q7}"};
      const bool spaced = a == atom_d_list2 || a == atom_d_all2 || a == atom_d_lane2;
      Texts t;
      for (const int first : {1, 17}) {
        std::string s = "{";
        for (int n = 0; n < e->low; ++n)
          s += (n ? ", d" : "d") + num(first + n * (spaced ? 2 : 1)) +
               (a >= atom_d_lane  ? "[@]"
                : a >= atom_d_all ? "[]"
                                  : "");
        t.push_back(s + "}");
      }
      return t;
    }
    case atom_s: case atom_d: case atom_q: {
      if (e && e->encoding == enc_next) return {next_of(before[unsigned(e->low)])};
      const i64 high = e && e->encoding == enc_linear ? e->high : 31;
      if (a == atom_q && high == 14) return {"q" + num(i % 5 + 1), "q7"};
      if (a == atom_q) return {"q" + num(i % 5 + 1), "q15"};
      return {(a == atom_s ? "s" : "d") + num(i % 5 + 1), (a == atom_s ? "s" : "d") + num(high)};
    }
    case atom_coprocessor: return {"p7", "p15"};
    case atom_coprocessor_register: return {"c3", "c15"};
    default: return {};
  }
}

std::string joined(const Row& row, const Texts& t) {
  std::string out;
  bool comma = false;
  for (unsigned i = 0; i < t.size(); ++i) {
    const Atom a = atom_of(row, i);
    const Atom last = i ? atom_of(row, i - 1) : atom_none;
    const bool lane = last == atom_d_lane || last == atom_d_lane2;
    if (lane) {
      for (std::size_t at; (at = out.find("[@]")) != out.npos;) out.replace(at, 3, "[" + t[i].substr(1) + "]");
      continue;
    }
    const bool joins = a == atom_write || a == atom_close || a == atom_close_write || a == atom_index ||
                       a == atom_align || a == atom_user;
    const bool behind = last == atom_open || last == atom_plus || (last >= atom_lsl && last <= atom_ror);
    if (comma && !joins && !behind) out += ", ";
    out += t[i];
    comma = true;
  }
  return out;
}

/// Whether the row is for the M profile only.
bool is_mprofile(const Row& row) {
  for (const u16* p = arm_needs + arm_needs_start[row.features]; *p != 0xFFFF; ++p)
    for (; *p != 0xFFFF; ++p)
      for (const std::string_view name : {"mve", "mve.fp", "mclass", "v8m.base", "v8.1m.main", "lob", "pacbti", "cde"})
        if (arm_feature_names[*p] == name) return true;
  return false;
}

void form(std::string_view name, const Row& row, bool thumb, bool brief) {
  for (unsigned f = 0; f < row.field_count; ++f)
    if (arm_encoders[arm_fields[row.fields + f].encoder].encoding >= enc_a32_branch) return;
  std::vector<Texts> all;
  Texts base;
  for (unsigned i = 0; i < max_atoms && atom_of(row, i) != atom_none; ++i) {
    all.push_back(choices(row, i, base));
    if (all.back().empty()) return;
    base.push_back(all.back()[0]);
  }
  if (row.flags & row_inside_it) return;
  std::string mnemonic(name.substr(0, name.find('.')));
  const std::string types(name.substr(mnemonic.size()));
  if (row.flags & (row_flags | row_flags_outside)) mnemonic += "s";
  if (thumb && row.condition != 255) mnemonic += "ne";
  if (row.set == set_t32 && types.empty() && mnemonic[0] != 'v') mnemonic += ".w";
  mnemonic += types;
  std::printf("%s %s\n", mnemonic.c_str(), joined(row, base).c_str());
  if (brief) return;
  for (unsigned i = 0; i < all.size(); ++i)
    for (std::size_t k = 1; k < all[i].size(); ++k) {
      Texts t = base;
      t[i] = all[i][k];
      for (unsigned j = i + 1; j < all.size(); ++j)
        if (const Encoder* e = encoder_of(row, j); e && (e->encoding == enc_same || e->encoding == enc_next))
          t[j] = choices(row, j, t)[0];
      std::printf("%s %s\n", mnemonic.c_str(), joined(row, t).c_str());
    }
}

}  // namespace

int main(int argc, char** argv) {
  const bool mprofile = argc > 1 && std::strcmp(argv[1], "mprofile") == 0;
  const bool thumb = mprofile || (argc > 1 && std::strcmp(argv[1], "thumb") == 0);
  const bool brief = argc > 2 && std::strcmp(argv[2], "--brief") == 0;
  for (const Spelling& s : arm_spellings) {
    const unsigned first = s.first + (thumb ? s.a32_count : 0), count = thumb ? s.thumb_count : s.a32_count;
    for (unsigned i = 0; i < count; ++i)
      if (is_mprofile(arm_rows[first + i]) == mprofile)
        form({arm_names + s.name, s.length}, arm_rows[first + i], thumb, brief);
  }
}
