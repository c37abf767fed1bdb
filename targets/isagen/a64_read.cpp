// SPDX-License-Identifier: Apache-2.0
// Reads the A64 tables: what they have besides the common notation of atom_read.h. It is told in the legend of
// targets/aarch64/general.isa.
#include "targets/isagen/a64_table.h"
#include "targets/isagen/atom_read.h"

namespace xas::isagen::a64 {
namespace {

using namespace aarch64;

/// Registers by the letters in front of the pattern's: class and what the suffix makes of it.
struct RegisterClass {
  std::string_view prefix;
  Atom first;                 ///< without a suffix, or the only one
  std::string_view suffixes;  ///< of the atoms that follow it
};

constexpr RegisterClass register_classes[] = {
    {"ZAH", atom_row, ".b .h .s .d .q"},
    {"ZAV", atom_col, ".b .h .s .d .q"},
    {"ZAT", atom_tile, ".b .h .s .d .q"},
    {"ZA", atom_za, ".b .h .s .d .q"},
    {"ZT", atom_zt0, ""},
    {"PN", atom_pn, ".b .h .s .d .q /z /m"},
    {"P", atom_p, ".b .h .s .d .q /z /m"},
    {"Z", atom_z, ".b .h .s .d .q"},
    {"V", atom_v, ".8b .16b .4h .8h .2s .4s .1d .2d .1q .2h .4b .2b .b .h .s .d .q"},
    {"W", atom_w, ""},
    {"X", atom_x, ""},
    {"B", atom_b, ""},
    {"H", atom_h, ""},
    {"S", atom_s, ""},
    {"D", atom_d, ""},
    {"Q", atom_q, ""},
};

constexpr u8 or_expr = Isa::or_expr, or_float = Isa::or_float;

constexpr NamedEncoding<Isa> named_encodings[] = {
    {"logical8", enc_logical, atom_imm, 0, 8},
    {"logical16", enc_logical, atom_imm, 0, 16},
    {"logical32", enc_logical, atom_imm, or_expr, 32},
    {"logical64", enc_logical, atom_imm, or_expr, 64},
    {"mov_logical32", enc_mov, atom_imm, or_expr, 32},
    {"mov_logical64", enc_mov, atom_imm, or_expr, 64},
    {"not_logical8", enc_logical_not, atom_imm, 0, 8},
    {"not_logical16", enc_logical_not, atom_imm, 0, 16},
    {"not_logical32", enc_logical_not, atom_imm, 0, 32},
    {"not_logical64", enc_logical_not, atom_imm, 0, 64},
    {"fp8", enc_fp8, atom_imm, or_float},
    {"movz32", enc_movz, atom_imm, 0, 32},
    {"movz64", enc_movz, atom_imm, 0, 64},
    {"movn32", enc_movn, atom_imm, 0, 32},
    {"movn64", enc_movn, atom_imm, 0, 64},
    {"bytes", enc_bytes, atom_imm, or_expr},
    {"left32", enc_shift_left, atom_imm, 0, 32},
    {"left64", enc_shift_left, atom_imm, 0, 64},
    {"lsb32", enc_field_left, atom_imm, 0, 32},
    {"lsb64", enc_field_left, atom_imm, 0, 64},
    {"width32", enc_width, atom_imm, 0, 32},
    {"width64", enc_width, atom_imm, 0, 64},
    {"end32", enc_width_end, atom_imm, 0, 32},
    {"end64", enc_width_end, atom_imm, 0, 64},
    {"branch26", enc_branch26, atom_imm, or_expr},
    {"call26", enc_call26, atom_imm, or_expr},
    {"branch19", enc_branch19, atom_imm, or_expr},
    {"branch14", enc_branch14, atom_imm, or_expr},
    {"branch9", enc_branch9, atom_imm, or_expr},
    {"literal19", enc_literal19, atom_imm, or_expr},
    {"adr", enc_adr, atom_imm, or_expr},
    {"adrp", enc_adrp, atom_imm, or_expr},
    {"back16", enc_back16, atom_imm, or_expr},
    {"add12", enc_add12, atom_imm, or_expr},
    {"offset1", enc_offset, atom_imm, or_expr, 0, 1},
    {"offset2", enc_offset, atom_imm, or_expr, 0, 2},
    {"offset4", enc_offset, atom_imm, or_expr, 0, 4},
    {"offset8", enc_offset, atom_imm, or_expr, 0, 8},
    {"offset16", enc_offset, atom_imm, or_expr, 0, 16},
    {"unscaled", enc_offset_unscaled, atom_imm, or_expr},
    {"mov16", enc_mov16, atom_imm, or_expr},
    {"mov16op", enc_mov16_op, atom_imm, or_expr},
    {"sve16", enc_sve_shifted, atom_imm, 0, 0},
    {"sveu8", enc_sve_shifted, atom_imm, 0, 8},
    {"sveu16", enc_sve_shifted, atom_imm, 0, 16},
    {"sveu32", enc_sve_shifted, atom_imm, 0, 32},
    {"sveu64", enc_sve_shifted, atom_imm, 0, 64},
    {"sves8", enc_sve_signed, atom_imm, 0, 8},
    {"sves16", enc_sve_signed, atom_imm, 0, 16},
    {"sves32", enc_sve_signed, atom_imm, 0, 32},
    {"sves64", enc_sve_signed, atom_imm, 0, 64},
    {"pool32", enc_literal_pool, atom_literal, 0, 32},
    {"pool64", enc_literal_pool, atom_literal, 0, 64},
    {"poolfp32", enc_literal_pool, atom_literal, 0, 33},
    {"poolfp64", enc_literal_pool, atom_literal, 0, 65},
    {"poolfp128", enc_literal_pool, atom_literal, 0, 129},
    {"shift", enc_linear, atom_lsl, 3},
    {"shift3", enc_linear, atom_lsl, 3, -1},
    {"ext", enc_linear, atom_uxtb, 7},
    {"tlscall", enc_tls_call, atom_imm, or_expr},
};

constexpr std::pair<std::string_view, Atom> plain_words[] = {
    {"[", atom_open}, {"]", atom_close}, {"]!", atom_close_write}, {"lsl", atom_lsl}, {"lsr", atom_lsr},
    {"asr", atom_asr}, {"ror", atom_ror}, {"uxtb", atom_uxtb}, {"uxth", atom_uxth}, {"uxtw", atom_uxtw},
    {"uxtx", atom_uxtx}, {"sxtb", atom_sxtb}, {"sxth", atom_sxth}, {"sxtw", atom_sxtw}, {"sxtx", atom_sxtx},
    {"msl", atom_msl}, {"mul", atom_mul}, {"mulvl", atom_mul_vl}, {"vgx2", atom_vgx2}, {"vgx4", atom_vgx4},
    {"{1}", atom_list1}, {"{2}", atom_list2}, {"{3}", atom_list3}, {"{4}", atom_list4},
    {"{2s}", atom_list2_stride8}, {"{4s}", atom_list4_stride4}, {"{}", atom_empty_list},
};

/// One row after families and optional parts are replaced.
class RowReader : public OperandReader<Isa> {
 public:
  using OperandReader::OperandReader;

 private:
  void one(const std::string& token, unsigned comma) override {
    for (auto [word, atom] : plain_words)
      if (token == word) return void(plain(atom));
    if (token[0] == '{') fail("unknown list '{}'", token);
    if (token[0] == '#') return number(token.substr(1));
    if (token[0] == '@') {
      if (token.find(':') == token.npos) fail("'{}' needs letters", token);
      const bool system = token.starts_with("@sysreg:"), flags = token.starts_with("@flags:");
      if (!system && !flags) return name(token, comma);
      form_.name_operands.push_back(comma);
      return field(plain(atom_name), {.encoding = system ? enc_system : enc_flags}, letters_of(token));
    }
    if (std::isupper(u8(token[0]))) return reg(token);
    // Fixed registers.
    if (token == "sp") return void(plain(atom_sp));
    if (token == "wsp") return void(plain(atom_wsp));
    if (token == "xzr") return void(plain(atom_xzr));
    if (token == "wzr") return void(plain(atom_wzr));
    if ((token[0] == 'x' || token[0] == 'w' || token[0] == 'p') && token.size() > 1 && std::isdigit(u8(token[1])))
      return constant(token[0] == 'x' ? atom_x : token[0] == 'w' ? atom_w : atom_p, std::stoi(token.substr(1)));
    if (!named(token)) fail("unknown operand '{}'", token);
  }

  bool named(const std::string& token) {
    const std::string name = token.substr(0, token.find(':'));
    for (const NamedEncoding<Isa>& n : named_encodings) {
      if (n.name != name) continue;
      Encoder e{.encoding = n.encoding, .scale = n.scale, .low = n.low};
      if (n.encoding == enc_linear) {
        e.low = 0;
        e.high = n.low < 0 ? n.mask - 1 : n.mask;
      }
      field(plain(n.atom, n.mask), e, letters_of(token));
      return true;
    }
    return false;
  }

  /// CLASSletters[(base*scale..max)][.suffix][|sp|~]
  void reg(std::string token) {
    if (token == "X+1" || token == "W+1") {
      const Encoder e{.encoding = enc_pair_next, .low = i64(atoms_) - 1};
      return field(plain(token[0] == 'X' ? atom_x : atom_w, 1), e, "");
    }
    bool or_sp = false, no_31 = false;
    if (token.ends_with("~")) {
      no_31 = true;
      token.pop_back();
    }
    if (token.ends_with("|sp")) {
      or_sp = true;
      token.resize(token.size() - 3);
    }
    for (const RegisterClass& c : register_classes) {
      if (!token.starts_with(c.prefix)) continue;
      std::string rest = token.substr(c.prefix.size());
      std::size_t end = rest.find(')');
      end = rest.find_first_of("./", end == rest.npos ? 0 : end);
      const std::string suffix = end == rest.npos ? "" : rest.substr(end);
      rest = rest.substr(0, end);
      int atom = c.first;
      if (!suffix.empty()) {
        std::vector<std::string> all = words(c.suffixes);
        auto it = std::find(all.begin(), all.end(), suffix);
        if (it == all.end()) fail("'{}' has no form '{}'", c.prefix, suffix);
        atom += int(it - all.begin()) + 1;
      }
      i64 base = 0, scale = 1, max = 0;
      if (const std::size_t open = rest.find('('); open != rest.npos) {
        std::string inside = rest.substr(open + 1, rest.size() - open - 2);
        rest = rest.substr(0, open);
        if (const std::size_t dots = inside.find(".."); dots != inside.npos) {
          max = std::stoll(inside.substr(dots + 2));
          inside.resize(dots);
        }
        const std::size_t star = inside.find('*');
        if (star != 0 && !inside.empty()) base = std::stoll(inside.substr(0, star));
        if (star != inside.npos) scale = std::stoll(inside.substr(star + 1));
      }
      u8 mask = 0;
      if (c.first == atom_w || c.first == atom_x) mask = or_sp ? 2 : 1;
      if (rest.empty()) {
        if (c.first == atom_za || c.first == atom_zt0) return void(plain(Atom(atom)));
        fail("register '{}' has no letter", token);
      }
      if (base || scale != 1 || no_31) mask = 0;
      const unsigned at = plain(Atom(atom), mask);
      for (const std::string& letters : split(rest, '&'))
        field(at, {.encoding = enc_linear, .scale = i32(scale), .low = base, .high = max, .base = base}, letters);
      return;
    }
    fail("unknown register '{}'", token);
  }

  /// FIRST:LAST as r2=FIRST, r2:letters, r2*SCALE:letters (r4 alike); a computed encoding; else a number.
  void number(const std::string& text) {
    if (text.starts_with("r2") || text.starts_with("r4")) {
      const Atom atom = text[1] == '2' ? atom_range2 : atom_range4;
      if (text[2] == '=') return constant(atom, std::stoll(text.substr(3)));
      Encoder e{.encoding = enc_linear, .scale = 1};
      if (text[2] == '*') e.scale = std::stoi(text.substr(3));
      return field(plain(atom), e, letters_of(text));
    }
    if (text.find(':') == text.npos || !named(text)) immediate(text, atom_imm, 0);
  }
};

bool is_scalable(const Row& row) {
  for (unsigned i = 0; i < max_atoms; ++i) {
    const u8 atom = u8(row.signature[i >> 3] >> (8 * (i & 7)));
    if (atom >= atom_z && atom < atom_za) return true;
  }
  return false;
}

/// The size of the elements that the row's predicate governs: the destination's, or the wider one of a conversion.
Prefix element_prefix(const Row& row) {
  const auto atom = [&](unsigned i) { return u8(row.signature[0] >> (8 * i)); };
  const bool predicated = atom(1) >= atom_p && atom(1) < atom_pn;
  if (!predicated) return prefix_plain;
  if (atom(0) < atom_z_b || atom(0) > atom_z_d) fail("the destination has no elements");
  const bool conversion = atom(2) >= atom_z_b && atom(2) <= atom_z_d && atom(3) == 0;
  return Prefix(prefix_b + (conversion ? std::max(atom(0), atom(2)) : atom(0)) - atom_z_b);
}

class Reader : public TableReader<Isa> {
 public:
  using TableReader::TableReader;

 private:
  u8 flags_ = 0;
  Prefix prefix_ = prefix_none;

  std::size_t begin_row() override {
    flags_ = 0;
    prefix_ = prefix_none;
    return 32;
  }

  bool flag(const std::string& w) override {
    if (w == "gnu") flags_ |= row_gnu;
    else if (w == "llvm") flags_ |= row_llvm;
    else if (w == "prefix") prefix_ = prefix_itself;
    else if (w == "prefixed") prefix_ = prefix_b;
    else if (w == "prefix_anywhere") prefix_ = prefix_anywhere;
    else if (w == "prefixed_plain") prefix_ = prefix_plain;
    else return false;
    return true;
  }

  void form(const std::string& left, const std::string& pattern) override {
    const std::size_t blank = left.find(' ');
    Form form = RowReader(table_, pattern).read(blank == left.npos ? "" : left.substr(blank));
    form.row.flags = flags_;
    form.row.prefix = prefix_ == prefix_b ? element_prefix(form.row) : prefix_;
    if (prefix_ == prefix_none && is_scalable(form.row)) form.row.prefix = prefix_never;
    add(std::move(form), left.substr(0, blank), pattern);
  }
};

}  // namespace

bool Isa::is_register(Atom a) {
  return (a >= atom_w && a <= atom_sp) || (a >= atom_b && a <= atom_q) || (a >= atom_v && a <= atom_zt0);
}

bool Isa::has_slices(Atom a) { return (a >= atom_p_b && a <= atom_p_q) || (a >= atom_za && a < atom_zt0); }

Table read(const std::vector<SourceText>& files) { return read_table<Isa, Reader>(files); }

}  // namespace xas::isagen::a64
