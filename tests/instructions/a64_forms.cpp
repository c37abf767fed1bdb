// Prints instructions for every form in the A64 tables: each operand in turn takes the values at the ends of its range,
// those just beyond them, and registers of number 31 under their several names, while the others keep a value from
// within. What the lines assemble to, and which must be rejected, is for the reference assemblers to say:
//
//   (echo '=== A64 | all-a64 | lines'; a64-forms) > forms.txt; xas-diff --tables forms.txt
//   a64-forms --brief      one line a form, all operands in range
//   a64-forms --logical    all bitmask immediates of 64 and 32 bits, and numbers beside them
//   a64-forms --float      all floating-point immediates, as decimal numbers
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "targets/aarch64/tables.h"

using namespace xas;
using namespace xas::aarch64;

namespace {

using Texts = std::vector<std::string>;

/// What may stand in an atom's place: `inside` fits the row, `beyond` does not.
struct Choice {
  Texts inside, beyond;
};

std::string num(i64 v) { return std::to_string(v); }

Atom atom_of(const Row& row, unsigned i) { return Atom(row.signature[i >> 3] >> (8 * (i & 7)) & 0xFF); }
u8 mask_of(const Row& row, unsigned i) { return u8(row.mask[i >> 3] >> (8 * (i & 7))); }

const Encoder* encoder_of(const Row& row, unsigned atom) {
  for (unsigned f = 0; f < row.field_count; ++f)
    if (a64_fields[row.fields + f].atom == atom) return &a64_encoders[a64_fields[row.fields + f].encoder];
  return nullptr;
}

std::string register_name(Atom a, i64 n) {
  constexpr std::string_view arrangements[] = {"", ".8b", ".16b", ".4h", ".8h", ".2s", ".4s", ".1d", ".2d", ".1q",
                                               ".2h", ".4b", ".2b", ".b", ".h", ".s", ".d", ".q"};
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

/// `{v1.4s, v2.4s}` for the list that begins with register n.
std::string list_of(Atom list, Atom reg, i64 n) {
  unsigned count = 1, step = 1;
  if (list == atom_list2_stride8) count = 2, step = 8;
  else if (list == atom_list4_stride4) count = 4, step = 4;
  else count = unsigned(list - atom_list1) + 1;
  const i64 registers = reg >= atom_p && reg < atom_za ? 16 : 32;
  std::string text = "{ ";
  for (unsigned i = 0; i < count; ++i) text += (i ? ", " : "") + register_name(reg, (n + i64(i * step)) % registers);
  return text + " }";
}

bool is_register(Atom a) { return (a >= atom_w && a < atom_imm) || (a >= atom_b && a <= atom_q) || a >= atom_v; }

/// Numbers of registers: those the encoder takes, and some of those it does not.
void add_registers(Choice& c, Atom a, u8 mask, const Encoder* e, Atom list) {
  const bool general = a >= atom_w && a < atom_imm;
  const bool wide = general && a >= atom_x;
  const Atom plain = general ? (wide ? atom_x : atom_w) : a;
  i64 registers = 32;
  if (a >= atom_p && a < atom_za) registers = 16;
  if (a >= atom_tile && a < atom_zt0) registers = i64(1) << ((a & 7) ? (a & 7) - 1 : 0);
  auto text = [&](i64 n) { return list ? list_of(list, plain, n) : register_name(plain, n); };
  auto fits = [&](i64 n) {
    if (!e || e->encoding != enc_linear) return e == nullptr || e->encoding != enc_constant || n == e->low;
    return n >= e->low && n <= e->high && (n - e->base) % e->scale == 0 &&
           (e->segments == 0 || [&] {
             u64 v = u64((n - e->base) / e->scale);
             for (unsigned i = e->segments; i-- > 0;) {
               if (e->segment[i].lsb == 255 && (v & 1)) return false;
               v >>= e->segment[i].width;
             }
             return true;
           }());
  };
  const bool takes_zero = !general || mask == u8(~1) || (a == atom_wzr || a == atom_xzr);
  std::vector<i64> in, out;
  for (i64 n = 0; n < registers; ++n) (fits(n) && !(n == 31 && !takes_zero) ? in : out).push_back(n);
  if (general && (a & 3) == 2) in.clear();  // the stack pointer alone
  if (!in.empty()) {
    c.inside.push_back(text(in[in.size() / 2]));
    c.inside.push_back(text(in.front()));
    c.inside.push_back(text(in.back()));
    if (in.size() > 2 && in.back() == 31) c.inside.push_back(text(in[in.size() - 2]));
  }
  const bool takes_sp = general && (mask == u8(~2) || (a & 3) == 2);
  if (general) (takes_sp ? c.inside : c.beyond).push_back(wide ? "sp" : "wsp");
  for (std::size_t i = 0; i < out.size(); ++i)  // neighbours of what fits, and the ends
    if (i == 0 || i + 1 == out.size() || fits(out[i] - 1) || fits(out[i] + 1)) c.beyond.push_back(text(out[i]));
  if (c.beyond.size() > 6) c.beyond.resize(6);
}

/// Numbers `e` takes, and those beside its ends.
void add_numbers(Choice& c, const Encoder& e, const std::string& before, const std::string& after = "") {
  auto put = [&](bool inside, i64 v) { (inside ? c.inside : c.beyond).push_back(before + num(v) + after); };
  const i64 step = e.scale < 0 ? -e.scale : e.scale;
  switch (e.encoding) {
    case enc_linear:
    case enc_imm_expr: {
      const i64 count = (e.high - e.low) / step;
      put(true, e.low + count / 2 * step);
      put(true, e.low);
      put(true, e.high);
      if (count > 2) put(true, e.low + step);
      put(false, e.low - step);
      put(false, e.high + step);
      if (step > 1) put(false, e.low + 1), put(false, e.high - 1);
      return;
    }
    case enc_constant: put(true, e.low), put(false, e.low + 1), put(false, e.low - 1); return;
    case enc_float_constant: {
      double d;
      std::memcpy(&d, &e.low, 8);
      char text[16];
      std::snprintf(text, sizeof text, "%.1f", d);
      c.inside.push_back(before + text);
      c.beyond.push_back(before + "0.25");
      c.beyond.push_back(before + "3");
      return;
    }
    case enc_logical: case enc_logical_not: case enc_mov: {
      const u64 ones = e.low == 64 ? ~u64(0) : (u64(1) << e.low) - 1;
      for (u64 v : {u64(1), u64(0x3C), ones >> 1, ones - 1, ones / 3}) put(true, i64(v & ones));
      put(false, 0), put(false, i64(ones)), put(false, 5);
      return;
    }
    case enc_fp8:
      for (auto t : {"1.0", "0.125", "31.0", "-0.125", "-31.0", "1.9375"}) c.inside.push_back(before + t);
      for (auto t : {"0.0", "32.0", "1.03125", "0.0625"}) c.beyond.push_back(before + t);
      return;
    case enc_movz:
      for (i64 v : {i64(0x1234), i64(0), i64(0xFFFF), i64(0x10000)}) put(true, v);
      return put(false, 0x10001);
    case enc_movn:
      for (i64 v : {i64(-2), i64(-1), i64(-0x10000), i64(-0xFFFF0001ll)}) put(e.low == 64 || v > -0x80000000ll, v);
      return put(false, -0x10002);
    case enc_bytes:
      for (i64 v : {i64(0xFF), i64(0), i64(-1), i64(0xFF00FF00FF)}) put(true, v);
      return put(false, 1);
    case enc_shift_left: case enc_field_left:
      for (i64 v : {i64(3), i64(0), e.low - 1}) put(true, v);
      return put(false, e.low), put(false, -1);
    case enc_width: case enc_width_end:
      for (i64 v : {i64(2), i64(1)}) put(true, v);
      for (i64 v : {i64(0), e.low + 1}) put(false, v);
      return put(true, e.low), put(true, e.low - 3);
    case enc_branch26: case enc_call26:
      for (i64 v : {i64(64), i64(0), i64(-0x8000000), i64(0x7FFFFFC)}) put(true, v);
      return put(false, 2), put(false, 0x8000000), put(false, -0x8000004);
    case enc_branch19: case enc_literal19:
      for (i64 v : {i64(64), i64(0), i64(-0x100000), i64(0xFFFFC)}) put(true, v);
      return put(false, 2), put(false, 0x100000), put(false, -0x100004);
    case enc_branch14:
      for (i64 v : {i64(64), i64(0), i64(-0x8000), i64(0x7FFC)}) put(true, v);
      return put(false, 2), put(false, 0x8000), put(false, -0x8004);
    case enc_branch9:
      for (i64 v : {i64(64), i64(0), i64(-0x400), i64(0x3FC)}) put(true, v);
      return put(false, 2), put(false, 0x400), put(false, -0x404);
    case enc_back16:
      for (i64 v : {i64(-64), i64(0), i64(-0x3FFFC)}) put(true, v);
      return put(false, -2), put(false, 4), put(false, -0x40000);
    case enc_adr:
      for (i64 v : {i64(65), i64(0), i64(-0x100000), i64(0xFFFFF)}) put(true, v);
      return put(false, 0x100000), put(false, -0x100001);
    case enc_adrp:
      for (i64 v : {i64(0x5000), i64(0), i64(-0x100000000ll), i64(0xFFFFF000ll)}) put(true, v);
      return put(false, 0x1001), put(false, 0x100000000ll), put(false, -0x100001000ll);
    case enc_add12:
      for (i64 v : {i64(7), i64(0), i64(4095)}) put(true, v);
      return put(false, 4097), put(false, -4097);
    case enc_offset:
      for (i64 v : {i64(2), i64(0), i64(4095)}) put(true, v * e.scale);
      put(false, 4096ll * e.scale);
      if (e.scale > 1) put(false, 4095 * e.scale - 1), put(false, -257);
      return;
    case enc_offset_unscaled:
      for (i64 v : {i64(-3), i64(-256), i64(255)}) put(true, v);
      return put(false, -257);
    case enc_mov16:
      for (i64 v : {i64(0x1234), i64(0), i64(65535)}) put(true, v);
      return put(false, 65536), put(false, -1);
    case enc_sve_shifted:
      for (i64 v : {i64(7), i64(0), i64(255), i64(256), i64(65280)}) put(true, v);
      return put(false, 257), put(false, 65536), put(false, -1);
    case enc_sve_signed:
      for (i64 v : {i64(7), i64(0), i64(127), i64(-128)}) put(true, v);
      if (e.low != 8) put(true, -256), put(true, 32512), put(true, -32768), put(true, 65280);
      return put(false, 128), put(false, -129), put(false, 255), put(false, 65536);
    case enc_tls_call: case enc_literal_pool: return;
    default: return;
  }
}

/// The choices of atom i, as the text that stands in its place; empty if the row can't be printed.
Choice choices(const Row& row, unsigned i, Atom list) {
  const Atom a = atom_of(row, i);
  const u8 mask = mask_of(row, i);
  const Encoder* e = encoder_of(row, i);
  Choice c;
  if (e && (e->encoding == enc_same || e->encoding == enc_pair_next)) return c;  // follows another
  if (is_register(a) && a != atom_zt0 && !(a >= atom_za && a < atom_tile)) {
    if (a == atom_tile_d && e && e->segments == 1 && e->segment[0].width == 8) {
      c.inside = {"{za0.d}", "{}", "{za}", "{za1.d, za7.d}"};
      return c;
    }
    add_registers(c, a, mask, e, list);
    return c;
  }
  if (is_register(a)) return c.inside = {register_name(a, 0)}, c;
  constexpr std::string_view shifts[] = {"lsl", "lsr", "asr", "ror"};
  constexpr std::string_view extensions[] = {"uxtb", "uxth", "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};
  switch (a) {
    case atom_imm: case atom_float:
      // zt0[1, mul vl] has no #
      if (e)
        add_numbers(c, *e,
                    i + 1 < max_atoms && atom_of(row, i + 1) == atom_mul_vl && i > 1 && atom_of(row, i - 2) == atom_zt0
                        ? ""
                        : "#");
      return c;
    case atom_index:
      if (e) add_numbers(c, *e, "[", "]");
      return c;
    case atom_range2: case atom_range4:
      if (e) {
        const i64 more = a == atom_range2 ? 1 : 3;
        auto range = [&](i64 v) { return num(v) + ":" + num(v + more); };
        if (e->encoding == enc_constant) return c.inside = {range(e->low)}, c.beyond = {range(e->low + 1)}, c;
        c.inside = {range(e->low), range(e->high)};
        c.beyond = {range(e->high + e->scale), range(e->low + 1)};
      }
      return c;
    case atom_name:
      if (e && e->encoding == enc_system)
        return c.inside = {"nzcv", "s3_7_c15_c15_7", "S2_0_c0_c0_0"}, c.beyond = {"s4_0_c0_c0_0", "nosuch"}, c;
      if (e) {
        const unsigned first = a64_name_sets[e->low][0], last = a64_name_sets[e->low][1];
        for (unsigned k = first; k < last; ++k) c.inside.emplace_back(a64_name_entries[k].name);
        c.beyond = {"nosuch"};
      }
      return c;
    case atom_lsl: case atom_lsr: case atom_asr: case atom_ror:
      for (unsigned s = 0; s < 4; ++s) ((s ^ (a & 3)) & mask & 3 ? c.beyond : c.inside).emplace_back(shifts[s]);
      if (e && e->encoding == enc_linear && e->high < 3 && c.inside.size() == 4)
        c.inside.pop_back(), c.beyond.emplace_back("ror");
      return c;
    case atom_msl: return c.inside = {"msl"}, c;
    case atom_mul: return c.inside = {"mul"}, c;
    case atom_mul_vl: return c.inside = {"mul vl"}, c;
    case atom_vgx2: return c.inside = {"vgx2"}, c.beyond = {"vgx4"}, c;
    case atom_vgx4: return c.inside = {"vgx4"}, c.beyond = {"vgx2"}, c;
    case atom_open: return c.inside = {"["}, c;
    case atom_close: return c.inside = {"]"}, c;
    case atom_close_write: return c.inside = {"]!"}, c;
    case atom_write: return c.inside = {"!"}, c;
    case atom_empty_list: return c.inside = {"{}"}, c;
    default: break;
  }
  if (a >= atom_uxtb && a <= atom_sxtx)
    for (unsigned s = 0; s < 8; ++s) ((s ^ (a & 7)) & mask & 7 ? c.beyond : c.inside).emplace_back(extensions[s]);
  return c;
}

bool is_list(Atom a) { return a >= atom_list1 && a <= atom_list4_stride4; }
bool is_shift(Atom a) { return (a >= atom_lsl && a <= atom_sxtx) || a == atom_msl || a == atom_mul; }

struct Form {
  const Row& row;
  std::string mnemonic;
  unsigned count = 0;
  Choice choice[max_atoms];

  Form(const Row& r, std::string m) : row(r), mnemonic(std::move(m)) {
    while (count < max_atoms && atom_of(row, count)) ++count;
    for (unsigned i = 0; i < count; ++i)
      if (!is_list(atom_of(row, i)))
        choice[i] = choices(
            row, i, i && is_list(atom_of(row, i - 1)) && atom_of(row, i) < atom_tile ? atom_of(row, i - 1) : atom_none);
  }

  /// Text of the operands with atom `varied` as `text`; empty if some atom has none.
  std::string print(unsigned varied, const std::string& text) const {
    std::string line = mnemonic;
    Texts value(count);
    Atom before = atom_none;
    bool in_braces = false;
    for (unsigned i = 0; i < count; ++i) {
      const Atom a = atom_of(row, i);
      if (is_list(a)) {
        if (i + 1 < count && atom_of(row, i + 1) >= atom_tile) {  // {za0h.b[w12, 0]}
          line += (i ? ", {" : " {");
          in_braces = true;
          before = atom_open;
        }
        continue;
      }
      const Encoder* e = encoder_of(row, i);
      if (i == varied) {
        value[i] = text;
      } else if (e && e->encoding == enc_same) {
        value[i] = value[e->low];
        if (value[i].empty()) return "";
        if (is_register(a)) retype(value[i], a, i && is_list(atom_of(row, i - 1)));
      } else if (e && e->encoding == enc_pair_next) {
        const std::string& v = value[e->low];
        if (v.find_first_of("0123456789z") == v.npos) return "";
        value[i] = register_name(a >= atom_x && a < atom_imm ? atom_x : atom_w,
                                 v == "xzr" || v == "wzr" ? 31 : std::stoi(v.substr(1)) + 1);
      } else if (choice[i].inside.empty()) {
        return "";
      } else {
        value[i] = choice[i].inside[0];
      }
      const bool glued = i == 0 || before == atom_open || a == atom_close || a == atom_close_write || a == atom_write ||
                         a == atom_index;
      if (before == atom_none) line += ' ';
      else if (is_shift(before) && (a == atom_imm || a == atom_expr)) line += ' ';
      else if (a == atom_open && before >= atom_v && before < atom_zt0)
        line += before >= atom_za || vector_index(i) ? "" : ", ";
      else if (!glued) line += ", ";
      line += value[i];
      if (in_braces && (a == atom_close)) {
        line += "}";
        in_braces = false;
      }
      before = a;
    }
    return line;
  }

  /// `z0.h[w12, 1]`, not `z0.h, [x1]`: what stands behind the bracket is a 32-bit register.
  bool vector_index(unsigned open) const {
    const Atom next = open + 1 < count ? atom_of(row, open + 1) : atom_none;
    return next == atom_w || next == atom_imm;
  }

  /// The same number, in another class or as a list.
  static void retype(std::string& text, Atom a, bool list) {
    if (list || text[0] == '{') return;
    std::size_t digits = text.find_first_of("0123456789");
    if (digits == text.npos) {
      text = register_name(a >= atom_x && a < atom_imm ? atom_x : a >= atom_w && a < atom_x ? atom_w : a, 31);
      return;
    }
    const i64 n = std::stoll(text.substr(digits));
    text = register_name(a >= atom_x && a < atom_imm ? atom_x : a >= atom_w && a < atom_x ? atom_w : a, n);
  }
};

void print_line(const std::string& line) {
  // llvm-mc 22 crashes on a list that begins with an odd register here.
  const std::size_t list = line.rfind("zt0, { z");
  if (list != line.npos && line.starts_with("luti4 {") && (line[line.find(',', list + 8) - 1] & 1)) return;
  if (!line.empty()) std::puts(line.c_str());
}

void print_form(const Form& form, bool brief) {
  if (form.mnemonic == "movprfx") return;  // the line behind it would be judged by it
  const std::string base = form.print(max_atoms, "");
  if (base.empty() && form.count) return;
  std::puts(form.count ? base.c_str() : form.mnemonic.c_str());
  if (brief) return;
  for (unsigned i = 0; i < form.count; ++i) {
    const Choice& c = form.choice[i];
    for (std::size_t k = 1; k < c.inside.size(); ++k) print_line(form.print(i, c.inside[k]));
    for (const std::string& text : c.beyond) print_line(form.print(i, text));
  }
}

/// A rotated run of ones in elements of every size, and what stands beside it.
void print_logical() {
  for (unsigned size = 2; size <= 64; size *= 2)
    for (unsigned ones = 1; ones < size; ++ones)
      for (unsigned turn = 0; turn < size; ++turn) {
        const u64 mask = size == 64 ? ~u64(0) : (u64(1) << size) - 1;
        const u64 run = (u64(1) << ones) - 1;
        const u64 element = (run >> turn | run << ((size - turn) % size)) & mask;
        u64 v = 0;
        for (unsigned at = 0; at < 64; at += size) v |= element << at;
        std::printf("and x1, x2, #%#llx\n", (unsigned long long)v);
        if (size < 64) std::printf("orr w1, w2, #%#llx\n", (unsigned long long)(v & 0xFFFFFFFF));
        if (turn == 0) std::printf("eor x1, x2, #%#llx\n", (unsigned long long)(v ^ 0x10100));
      }
}

void print_float() {
  for (unsigned imm = 0; imm < 256; ++imm) {
    const int exponent = int((imm >> 4 & 7) ^ 4) - 3;
    double d = (16 + (imm & 15)) / 16.0;
    for (int i = 0; i < exponent; ++i) d *= 2;
    for (int i = exponent; i < 0; ++i) d /= 2;
    if (imm & 0x80) d = -d;
    for (auto reg : {"h", "s", "d"}) std::printf("fmov %s1, #%.10g%s\n", reg, d, d == i64(d) ? ".0" : "");
    std::printf("fmov v1.4s, #%.12e\n", d);
    std::printf("fmov z1.d, #%.12e\n", d * 1.03);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc > 1 ? argv[1] : "";
  if (option == "--logical") return print_logical(), 0;
  if (option == "--float") return print_float(), 0;
  for (const Spelling& s : a64_spellings)
    for (unsigned r = s.first; r < unsigned(s.first + s.count); ++r)
      print_form({a64_rows[r], std::string(a64_names + s.name, s.length)}, option == "--brief");
}
