// SPDX-License-Identifier: Apache-2.0
// Reads the ARM tables: what they have besides the common notation of atom_read.h, which are three encodings,
// conditions, the suffix s and IT blocks. It is told in the legend of targets/arm/a32.isa.
#include "targets/isagen/arm_table.h"
#include "targets/isagen/atom_read.h"

namespace xas::isagen::arm {
namespace {

/// Registers by the letter in front of the pattern's: the atom, and its bits that do not matter.
struct RegisterClass {
  char letter;
  Atom atom;
  u8 mask;
  i32 scale = 1;  ///< what is encoded is the number less `base`, divided by this
  i64 base = 0;
};

constexpr RegisterClass register_classes[] = {
    {'R', atom_low, 7}, {'G', atom_low, 3}, {'X', atom_low, 1}, {'L', atom_low, 0}, {'H', atom_high, 0},
    {'S', atom_s, 0}, {'D', atom_d, 0}, {'Q', atom_q, 0}, {'P', atom_coprocessor, 0},
    {'C', atom_coprocessor_register, 0}, {'V', atom_q, 0, 2}, {'E', atom_low, 1, 2}, {'O', atom_low, 3, 2, 1},
};

constexpr u8 or_expr = Isa::or_expr, or_float = Isa::or_float;
constexpr u8 number = Isa::or_minus_zero, value = Isa::or_minus_zero | or_expr;

constexpr NamedEncoding<Isa> named_encodings[] = {
    {"a32imm", enc_a32_imm, atom_imm, value},
    {"a32minus", enc_a32_minus, atom_imm, number},
    {"a32not", enc_a32_not, atom_imm, number},
    {"t32imm", enc_t32_imm, atom_imm, value},
    {"t32minus", enc_t32_minus, atom_imm, number},
    {"t32not", enc_t32_not, atom_imm, number},
    {"offset", enc_signed, atom_imm, value},
    {"upto32", enc_shift32, atom_imm, number},
    {"msb", enc_msb, atom_imm, number},
    {"width", enc_width, atom_imm, number},
    {"list", enc_list, atom_list, 0, 0xFFFF},
    {"list_low", enc_list, atom_list, 0, 0x00FF},
    {"list_with", enc_list_with, atom_list, 0},
    {"list_but", enc_list_but, atom_list, 0},
    {"list_push", enc_list, atom_list, 0, 0x40FF},
    {"list_pop", enc_list, atom_list, 0, 0x80FF},
    {"list_t32", enc_list, atom_list, 0, 0xDFFF},
    {"list_stm", enc_list, atom_list, 0, 0x5FFF},
    {"clrlist", enc_clear_list, atom_list, 0, 0x15FFF},
    {"svlist", enc_s_list, atom_s_vpr, 0},
    {"dvlist", enc_d_list, atom_d_vpr, 0},
    {"only_vpr", enc_constant, atom_s_vpr, 0, 0},
    {"d0_15", enc_constant, atom_d_list, 0, 16 << 8},
    {"d0_31", enc_constant, atom_d_list, 0, 32 << 8},
    {"one", enc_single, atom_list, 0, 0xFFFF},
    {"one_push", enc_single, atom_list, 0, 0xDFFF},
    {"one_low", enc_single, atom_list, 0, 0x00FF},
    {"one_t32", enc_single, atom_list, 0, 0xDFFF},
    {"one_stm", enc_single, atom_list, 0, 0x5FFF},
    {"slist", enc_s_list, atom_s_list, 0},
    {"pair", enc_count, atom_s_list, 0, 2},
    {"dlist", enc_d_list, atom_d_list, 0},
    {"dlistx", enc_d_list, atom_d_list, 0, 1},
    {"mov16", enc_mov16, atom_imm, value},
    {"mov16t", enc_mov16_top, atom_imm, value},
    {"byte", enc_byte, atom_expr, 0},
    {"fpa8", enc_fpa_imm, atom_imm, number | or_float},
    {"vfp8", enc_vfp_imm, atom_imm, number | or_float},
    {"vfp8point", enc_vfp_imm, atom_imm, number | or_float, 1},
    {"simd8", enc_simd_imm, atom_imm, number, 8},
    {"simd16", enc_simd_imm, atom_imm, number, 16},
    {"simd32", enc_simd_imm, atom_imm, number, 32},
    {"simd32shift", enc_simd_imm, atom_imm, number, 32 | 1 << 16},
    {"simd64", enc_simd_imm, atom_imm, number, 64},
    {"simd16of8", enc_simd_imm, atom_imm, number, 16 | 8 << 8},
    {"simd32of8", enc_simd_imm, atom_imm, number, 32 | 8 << 8},
    {"simd64of8", enc_simd_imm, atom_imm, number, 64 | 8 << 8},
    {"simd32of16", enc_simd_imm, atom_imm, number, 32 | 16 << 8},
    {"simd64of16", enc_simd_imm, atom_imm, number, 64 | 16 << 8},
    {"simd64of32", enc_simd_imm, atom_imm, number, 64 | 32 << 8},
    {"simd64of32shift", enc_simd_imm, atom_imm, number, 64 | 32 << 8 | 1 << 16},
    {"simdnot16", enc_simd_not, atom_imm, number, 16},
    {"simdnot8", enc_simd_not, atom_imm, number, 8},
    {"simdnot64", enc_simd_not, atom_imm, number, 64},
    {"simdnot32", enc_simd_not, atom_imm, number, 32},
    {"simdnot32shift", enc_simd_not, atom_imm, number, 32 | 1 << 16},
    {"simdnot16of8", enc_simd_not, atom_imm, number, 16 | 8 << 8},
    {"simdnot32of8", enc_simd_not, atom_imm, number, 32 | 8 << 8},
    {"simdnot64of8", enc_simd_not, atom_imm, number, 64 | 8 << 8},
    {"simdnot32of16", enc_simd_not, atom_imm, number, 32 | 16 << 8},
    {"simdnot64of16", enc_simd_not, atom_imm, number, 64 | 16 << 8},
    {"simdnot64of32", enc_simd_not, atom_imm, number, 64 | 32 << 8},
    {"simdnot64of32shift", enc_simd_not, atom_imm, number, 64 | 32 << 8 | 1 << 16},
    {"branch", enc_a32_branch, atom_imm, value},
    {"call", enc_a32_call, atom_imm, value},
    {"blx", enc_a32_blx, atom_imm, value},
    {"load", enc_a32_load, atom_expr, 0},
    {"load8", enc_a32_load8, atom_expr, 0},
    {"adr", enc_a32_adr, atom_imm, value},
    {"adrl", enc_a32_adrl, atom_expr, 0},
    {"vload", enc_vfp_load, atom_expr, 0},
    {"t16b8", enc_t16_b8, atom_imm, value},
    {"t16b11", enc_t16_b11, atom_imm, value},
    {"t16cbz", enc_t16_cbz, atom_imm, value},
    {"t16load", enc_t16_load, atom_expr, 0},
    {"t16adr", enc_t16_adr, atom_imm, value},
    {"t32b20", enc_t32_b20, atom_imm, value},
    {"t32b24", enc_t32_b24, atom_imm, value},
    {"t32bl", enc_t32_bl, atom_imm, value},
    {"t32blx", enc_t32_blx, atom_imm, value},
    {"t32load", enc_t32_load, atom_expr, 0},
    {"t32load8", enc_t32_load8, atom_expr, 0},
    {"t32adr", enc_t32_adr, atom_imm, value},
    {"t32wls", enc_t32_wls, atom_imm, value},
    {"t32le", enc_t32_le, atom_imm, value},
    {"t32bf", enc_t32_bf, atom_imm, value, 0},
    {"t32else", enc_t32_bf, atom_imm, value, 1},
    {"t32bf12", enc_t32_bf, atom_imm, value, 12},
    {"t32bf16", enc_t32_bf, atom_imm, value, 16},
    {"t32bf18", enc_t32_bf, atom_imm, value, 18},
    {"literal", enc_literal_pool, atom_literal, 0},
    {"literal8", enc_literal_pool8, atom_literal, 0},
    {"other", enc_other_than, atom_low, 7},
    {"+-", enc_linear, atom_plus, 1},
    {"shift", enc_linear, atom_lsl, 3},
};

constexpr std::pair<std::string_view, Atom> plain_words[] = {
    {"lsl", atom_lsl}, {"lsr", atom_lsr}, {"asr", atom_asr}, {"ror", atom_ror}, {"rrx", atom_rrx}, {"uxtw", atom_uxtw},
    {"+", atom_plus},
    {"^", atom_user}, {"sp", atom_sp}, {"pc", atom_pc},
};

/// One row after families and optional parts are replaced.
class RowReader : public OperandReader<Isa> {
 public:
  RowReader(Table& table, const std::string& pattern) : OperandReader(table, pattern) { form_.row.condition = 255; }

 private:
  void one(const std::string& token, unsigned comma) override {
    for (auto [word, atom] : plain_words)
      if (token == word) return void(plain(atom));
    if (token == "lr") return constant(atom_high, 14);
    if (token[0] == '{') return list(token);
    if (token[0] == ':') return constant(atom_align, std::stoi(token.substr(1)));
    if (token[0] == '#') return immediate(token.substr(1), atom_imm, number);
    if (token[0] == '@') return name(token, comma);
    if (token.starts_with("next")) {
      const bool single = token[4] == 's';
      const Encoder e{.encoding = enc_next, .low = i64(atoms_) - 1, .high = token[4] == '*'};
      return field(plain(single ? atom_s : atom_low, single ? 0 : 7), e, letters_of(token));
    }
    if (named(token)) return;
    if (std::isupper(u8(token[0]))) return reg(token);
    if (token[0] == 'r' && token.size() > 1 && std::isdigit(u8(token[1]))) {
      const int n = std::stoi(token.substr(1));
      return constant(n < 8 ? atom_low : atom_high, n);
    }
    fail("unknown operand '{}'", token);
  }

  /// NAME[*SCALE][:letters]
  bool named(const std::string& token) {
    std::string name = token.substr(0, token.find(':'));
    i32 scale = 1;
    if (const std::size_t star = name.find('*'); star != name.npos) {
      scale = std::stoi(name.substr(star + 1));
      name.resize(star);
    }
    for (const NamedEncoding<Isa>& n : named_encodings) {
      if (n.name != name) continue;
      Encoder e{.encoding = n.encoding, .scale = scale, .low = n.low};
      if (n.encoding == enc_linear) e.high = n.mask;
      if (n.encoding == enc_other_than) e.low = i64(atoms_) - 1;
      field(plain(n.atom, n.mask), e, letters_of(token));
      return true;
    }
    return false;
  }

  /// {COUNT}:letters {COUNTx2} {COUNT[]} {COUNT[i]}, and {#u:i}
  void list(const std::string& token) {
    const std::size_t close = token.find('}');
    const std::string inside = token.substr(1, close - 1);
    if (inside.starts_with("#")) return immediate(inside.substr(1), atom_option, 0);
    std::string kind = inside.substr(1);
    bool spaced = kind.starts_with("x2");
    if (spaced) kind = kind.substr(2);
    Atom atom = atom_d_list;
    if (kind == "[]") atom = atom_d_all;
    else if (kind == "[i]") atom = atom_d_lane;
    else if (!kind.empty()) fail("unknown list '{}'", token);
    const bool counted = !inside.empty() && ((inside[0] >= '1' && inside[0] <= '4') || inside[0] == '8');
    if (!counted || close + 1 >= token.size() || token[close + 1] != ':')
      fail("unknown list '{}'", token);
    field(plain(Atom(atom + spaced)), {.encoding = enc_count, .low = inside[0] - '0'}, token.substr(close + 2));
  }

  /// CLASSletters[&letters[+1]]
  void reg(const std::string& token) {
    for (const RegisterClass& c : register_classes) {
      if (token[0] != c.letter) continue;
      const std::string rest = token.substr(1);
      if (rest.empty()) fail("register '{}' has no letter", token);
      const unsigned at = plain(c.atom, c.mask);
      for (const std::string& letters : split(rest, '&')) {
        const bool next = letters.ends_with("+1");
        field(at, {.encoding = enc_linear, .scale = c.scale, .base = next ? -1 : c.base},
              next ? letters.substr(0, letters.size() - 2) : letters);
      }
      return;
    }
    fail("unknown register '{}'", token);
  }

  void limits(Encoder& e, unsigned width) const override {
    if (e.encoding == enc_signed) e.high = ((i64(1) << (width - 1)) - 1) * e.scale;
    else OperandReader::limits(e, width);
  }

  /// cccc: the place of the condition.
  std::size_t uncovered(std::size_t first) override {
    if (pattern_[first] != 'c') return OperandReader::uncovered(first);
    if (pattern_.compare(first, 4, "cccc") != 0) fail("a condition has four bits");
    form_.row.condition = u8(28 - first);
    return 4;
  }
};

class Reader : public TableReader<Isa> {
 public:
  using TableReader::TableReader;

  void begin_file() override {
    TableReader::begin_file();
    set_.clear();
  }

  /// [SET features...]
  void section(std::string_view line) override {
    const std::string_view inside = inside_brackets(line);
    const std::size_t blank = inside.find(' ');
    set_ = inside.substr(0, blank);
    section_flags_ = set_ == "mve" ? row_vpt | row_no_it : 0;
    if (set_ == "mve") set_ = "t32";
    if (set_ != "a32" && set_ != "t16" && set_ != "t32" && set_ != "both") fail("unknown instruction set '{}'", set_);
    section_ = blank == inside.npos ? Needs() : needs(inside.substr(blank));
  }

 private:
  std::string set_;
  u32 flags_ = 0, section_flags_ = 0;

  std::size_t begin_row() override {
    if (set_.empty()) fail("no instruction set has been named");
    flags_ = section_flags_;
    return set_ == "t16" ? 16 : 32;
  }

  bool flag(const std::string& w) override {
    constexpr std::pair<std::string_view, RowFlag> names[] = {{"gnu", row_gnu},
                                                              {"gnu-2.44", row_gnu_244},
                                                              {"gnu-2.47", row_gnu_247},
                                                              {"llvm", row_llvm},
                                                              {"noit", row_no_it},
                                                              {"lastit", row_last_it},
                                                              {"outit", row_outside_it},
                                                              {"init", row_inside_it},
                                                              {"wide", row_wide},
                                                              {"narrow", row_narrow},
                                                              {"plain", row_plain},
                                                              {"divided", row_divided},
                                                              {"anyit", row_any_it},
                                                              {"neutral", row_neutral},
                                                              {"typed", row_typed},
                                                              {"exact", row_exact},
                                                              {"unified", row_unified},
                                                              {"old", row_old},
                                                              {"nop", row_nop},
                                                              {"lowv6", row_low_v6},
                                                              {"v4bx", row_v4bx},
                                                              {"llvmnoit", row_no_it_llvm},
                                                              {"coprocessor", row_coprocessor},
                                                              {"nopc", row_no_pc},
                                                              {"custom", row_custom}};
    for (const auto& [name, bit] : names) {
      if (name != w) continue;
      flags_ |= bit;
      return true;
    }
    return false;
  }

  /// `Rd, Rn=, ...`: the second may be left out, and is the first then.
  void form(const std::string& left, const std::string& pattern) override {
    const std::size_t mark = left.find("=,");
    if (mark == left.npos) return suffixes(left, pattern);
    const std::size_t second = left.rfind(' ', mark), comma = left.rfind(',', second), first = left.rfind(' ', comma);
    if (comma == left.npos || first == left.npos) fail("nothing stands before the operand that may be left out");
    const std::string letters = left.substr(second + 2, mark - second - 2);
    suffixes(left.substr(0, mark) + left.substr(mark + 1), pattern);
    suffixes(left.substr(0, comma) + "&" + letters + left.substr(mark + 1), pattern);
  }

  /// The mnemonic's {s}, {S}, +s.
  void suffixes(const std::string& left, const std::string& pattern) {
    const std::size_t blank = left.find(' ');
    std::string name = left.substr(0, blank);
    const std::string operands = blank == left.npos ? "" : left.substr(blank);
    const auto without = [&](std::string_view mark) {
      const std::size_t at = name.find(mark);
      if (at == name.npos) return false;
      name.erase(at, mark.size());
      return true;
    };
    const u32 flags = flags_;
    if (without("{s}")) {
      const std::size_t s = pattern.find('S');
      if (s == pattern.npos) fail("the pattern has no 'S'");
      std::string with = pattern;
      with[s] = '0';
      sets(name, operands, with);
      with[s] = '1';
      flags_ |= row_flags;
      sets(name, operands, with);
    } else {
      if (without("{S}")) flags_ |= row_flags_outside;
      else if (without("+s")) flags_ |= row_flags;
      sets(name, operands, pattern);
    }
    flags_ = flags;
  }

  /// For one instruction set, or for A32 and T32.
  void sets(const std::string& name, const std::string& operands, const std::string& pattern) {
    if (set_ != "both")
      return one(name, operands, pattern, set_ == "a32" ? set_a32 : set_ == "t16" ? set_t16 : set_t32);
    one(name, operands, pattern, set_a32);
    // The same in Thumb, where there is no condition and Advanced SIMD has another place.
    std::string thumb = pattern;
    if (thumb.starts_with("cccc")) thumb.replace(0, 4, "1110");
    if (thumb.starts_with("1111001")) thumb = std::string("111") + thumb[7] + "1111" + thumb.substr(8);
    if (thumb.starts_with("11110100")) thumb.replace(0, 8, "11111001");
    one(name, operands, thumb, set_t32);
  }

  void one(const std::string& name, const std::string& operands, const std::string& pattern, InstructionSet set) {
    Form form = RowReader(table_, pattern).read(operands);
    form.row.flags = flags_;
    form.row.set = set;
    // Thumb's half of what both have is of Thumb-2.
    const bool sets_flags = flags_ & (row_flags | row_flags_outside);
    const Needs further = set_ == "both" && set == set_t32 ? needs("thumb2|(llvm)") : Needs();
    add(std::move(form), name, pattern, sets_flags, further);
    Form& added = table_.forms.back();
    if (added.facts.traits >> block_count_at & 7) added.row.flags |= row_vpt_block;
  }
};

}  // namespace

bool Isa::is_register(Atom a) {
  return (a >= atom_low && a <= atom_pc) || (a >= atom_list && a <= atom_d_vpr) || (a >= atom_s && a <= atom_q);
}

/// Words of enum Trait; block:te, the letters of a VPT block behind its first.
bool Isa::trait(std::string_view word, std::string_view value, u32& traits) {
  constexpr std::pair<std::string_view, Trait> names[] = {
      {"grow_move", grow_move},     {"grow_compare", grow_compare}, {"grow_add", grow_add},
      {"grow_sub", grow_sub},       {"grow_load", grow_load},       {"grow_store", grow_store},
      {"grow_small", grow_small},   {"list_number", list_number},   {"list_first", list_first},
      {"list_second", list_second}, {"minus_zero", minus_zero},     {"wraps", wraps}};
  if (word == "block") {
    if (value.size() > 3 || value.find_first_not_of("te") != value.npos)
      fail("'{}' is not of the letters t and e", value);
    traits |= u32(value.size() + 1) << block_count_at;
    for (std::size_t i = 0; i < value.size(); ++i) traits |= u32(value[i] == 'e') << (block_pattern_at + i + 1);
    return true;
  }
  for (const auto& [name, bit] : names) {
    if (name != word || !value.empty()) continue;
    traits |= bit;
    return true;
  }
  return false;
}

u8 Isa::instruction_set(std::string_view name) {
  return name == "a32" ? set_a32 : name == "t16" ? set_t16 : name == "t32" ? set_t32 : 0;
}

Table read(const std::vector<SourceText>& files) { return read_table<Isa, Reader>(files); }

}  // namespace xas::isagen::arm
