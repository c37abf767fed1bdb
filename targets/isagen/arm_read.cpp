// Reads the ARM tables. The notation is told in the legend of targets/arm/a32.isa; it is A64's (a64_read.cpp) with what
// ARM has besides: three encodings, conditions, the suffix s, and IT blocks.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "targets/isagen/arm_table.h"

namespace xas::isagen::arm {
namespace {

/// Registers by the letter in front of the pattern's: the atom, and its bits that do not matter.
struct RegisterClass {
  char letter;
  Atom atom;
  u8 mask;
};

constexpr RegisterClass register_classes[] = {
    {'R', atom_low, 7}, {'G', atom_low, 3}, {'X', atom_low, 1}, {'L', atom_low, 0}, {'S', atom_s, 0}, {'D', atom_d, 0},
    {'Q', atom_q, 0},   {'P', atom_coprocessor, 0}, {'C', atom_coprocessor_register, 0},
};

constexpr u8 or_minus_zero = 1, or_expr = 2, or_float = 4;
constexpr u8 number = or_minus_zero, value = or_minus_zero | or_expr;

struct NamedEncoding {
  std::string_view name;
  Encoding encoding;
  Atom atom;
  u8 mask;     ///< bits of the atom that do not matter
  i64 low = 0;
};

constexpr NamedEncoding named_encodings[] = {
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
    {"list_push", enc_list, atom_list, 0, 0x40FF},
    {"list_pop", enc_list, atom_list, 0, 0x80FF},
    {"list_t32", enc_list, atom_list, 0, 0xDFFF},
    {"list_stm", enc_list, atom_list, 0, 0x5FFF},
    {"one", enc_single, atom_list, 0},
    {"slist", enc_s_list, atom_s_list, 0},
    {"dlist", enc_d_list, atom_d_list, 0},
    {"dlistx", enc_d_list, atom_d_list, 0, 1},
    {"mov16", enc_mov16, atom_imm, value},
    {"vfp8", enc_vfp_imm, atom_imm, number | or_float},
    {"simd8", enc_simd_imm, atom_imm, number, 8},
    {"simd16", enc_simd_imm, atom_imm, number, 16},
    {"simd32", enc_simd_imm, atom_imm, number, 32},
    {"simd64", enc_simd_imm, atom_imm, number, 64},
    {"branch", enc_a32_branch, atom_imm, value},
    {"call", enc_a32_call, atom_imm, value},
    {"blx", enc_a32_blx, atom_imm, value},
    {"load", enc_a32_load, atom_expr, 0},
    {"load8", enc_a32_load8, atom_expr, 0},
    {"adr", enc_a32_adr, atom_imm, value},
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
    {"literal", enc_literal_pool, atom_literal, 0},
    {"other", enc_other_than, atom_low, 7},
    {"+-", enc_linear, atom_plus, 1},
    {"shift", enc_linear, atom_lsl, 3},
};

constexpr std::pair<std::string_view, Atom> plain_words[] = {
    {"lsl", atom_lsl}, {"lsr", atom_lsr}, {"asr", atom_asr}, {"ror", atom_ror}, {"rrx", atom_rrx}, {"+", atom_plus},
    {"^", atom_user}, {"sp", atom_sp}, {"pc", atom_pc},
};

/// One row after families and optional parts are replaced: its operands as tokens.
class Row_reader {
 public:
  Row_reader(Table& table, const std::string& pattern) : table_(table), pattern_(pattern) {}

  Form read(const std::string& operands) {
    unsigned comma = 0, depth = 0;
    for (std::size_t i = 0; i < operands.size();) {
      const char c = operands[i];
      if (c == ' ') {
        ++i;
      } else if (c == ',') {
        if (!depth) ++comma;
        ++i;
      } else if (c == '[') {
        plain(atom_open);
        ++depth;
        ++i;
      } else if (c == ']') {
        const bool write = operands.compare(i, 2, "]!") == 0;
        plain(write ? atom_close_write : atom_close);
        if (depth) --depth;
        i += write ? 2 : 1;
      } else if (c == '!') {
        plain(atom_write);
        ++i;
      } else {
        std::size_t end = i;
        if (c == '{') end = operands.find('}', i);
        if (end == operands.npos) fail("'}}' is missing");
        while (end < operands.size() && !std::strchr(" ,[]!", operands[end])) ++end;
        const std::string token = operands.substr(i, end - i);
        i = end;
        one(token, comma);
        if (i + 1 < operands.size() && operands[i] == '[' && operands[i + 1] == '#' && std::isupper(u8(c))) {
          const std::size_t close = operands.find(']', i);
          if (close == std::string::npos) fail("']' is missing");
          immediate(operands.substr(i + 2, close - i - 2), atom_index, 0);
          i = close + 1;
        }
      }
    }
    finish();
    return std::move(form_);
  }

 private:
  Table& table_;
  const std::string& pattern_;
  Form form_;
  unsigned atoms_ = 0;
  std::map<std::string, unsigned> seen_;  // letters to the atom that has them
  u32 covered_ = 0;

  unsigned plain(Atom atom, u8 mask = 0) {
    if (atoms_ >= max_atoms) fail("more than {} atoms", max_atoms);
    const unsigned shift = 8 * (atoms_ & 7);
    form_.row.signature[atoms_ >> 3] |= u64(atom) << shift;
    form_.row.mask[atoms_ >> 3] |= u64(u8(~mask)) << shift;
    return atoms_++;
  }

  void one(const std::string& token, unsigned comma) {
    for (auto [word, atom] : plain_words)
      if (token == word) return void(plain(atom));
    if (token == "lr") return field(plain(atom_high), {.encoding = enc_constant, .low = 14}, "");
    if (token[0] == '{') return list(token);
    if (token[0] == ':') return field(plain(atom_align), {.encoding = enc_constant, .low = std::stoi(token.substr(1))}, "");
    if (token[0] == '#') return immediate(token.substr(1), atom_imm, number);
    if (token[0] == '@') {
      const std::size_t colon = token.find(':');
      const std::string set = token.substr(1, colon == token.npos ? token.npos : colon - 1);
      form_.name_operands.push_back(comma);
      auto it = table_.name_sets.find(set);
      if (it == table_.name_sets.end()) fail("unknown set of names '{}'", set);
      const Encoder e{.encoding = enc_name, .low = it->second};
      return field(plain(atom_name), e, colon == token.npos ? "" : token.substr(colon + 1));
    }
    const std::size_t colon = token.find(':');
    if (token.starts_with("next")) {
      return field(plain(atom_low, 7), {.encoding = enc_next, .low = i64(atoms_) - 1, .high = token[4] == '*'}, colon == token.npos ? "" : token.substr(colon + 1));
    }
    for (const NamedEncoding& n : named_encodings) {
      std::string name = token.substr(0, colon);
      i32 scale = 1;
      if (const std::size_t star = name.find('*'); star != name.npos) {
        scale = std::stoi(name.substr(star + 1));
        name.resize(star);
      }
      if (n.name != name) continue;
      Encoder e{.encoding = n.encoding, .scale = scale, .low = n.low};
      if (n.encoding == enc_linear) e.high = n.mask;
      if (n.encoding == enc_other_than) e.low = i64(atoms_) - 1;
      return field(plain(n.atom, n.mask), e, colon == token.npos ? "" : token.substr(colon + 1));
    }
    if (std::isupper(u8(token[0]))) return reg(token);
    if (token[0] == 'r' && token.size() > 1 && std::isdigit(u8(token[1]))) {
      const int n = std::stoi(token.substr(1));
      return field(plain(n < 8 ? atom_low : atom_high), {.encoding = enc_constant, .low = n}, "");
    }
    fail("unknown operand '{}'", token);
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
    if (inside.empty() || inside[0] < '1' || inside[0] > '4' || close + 1 >= token.size() || token[close + 1] != ':') fail("unknown list '{}'", token);
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
        field(at, {.encoding = enc_linear, .scale = 1, .base = next ? -1 : 0}, next ? letters.substr(0, letters.size() - 2) : letters);
      }
      return;
    }
    fail("unknown register '{}'", token);
  }

  /// [BASE (+|-)] (u|s|U|S) [*SCALE] : letters, or LOW..HIGH : letters, or a constant
  void immediate(const std::string& text, Atom atom, u8 mask) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) {
      if (text.find('.') != text.npos) {
        const double d = std::stod(text);
        i64 bits;
        std::memcpy(&bits, &d, 8);
        return field(plain(atom_imm, or_float), {.encoding = enc_float_constant, .low = bits}, "");
      }
      return field(plain(atom, mask), {.encoding = enc_constant, .low = std::stoll(text, nullptr, 0)}, "");
    }
    std::string spec = text.substr(0, colon);
    const std::string letters = text.substr(colon + 1);
    Encoder e{.encoding = enc_linear, .scale = 1};
    if (const std::size_t dots = spec.find(".."); dots != spec.npos) {
      const std::size_t star = spec.find('*');
      if (star != spec.npos) e.scale = std::stoi(spec.substr(star + 1));
      least_ = std::stoll(spec.substr(0, dots));
      e.high = std::stoll(spec.substr(dots + 2));
      limited_ = true;
      field(plain(atom, mask), e, letters);
      limited_ = false;
      return;
    }
    std::size_t at = 0;
    if (std::isdigit(u8(spec[0]))) e.base = std::stoll(spec, &at);
    bool negative = false;
    if (at < spec.size() && (spec[at] == '+' || spec[at] == '-')) negative = spec[at++] == '-';
    if (at >= spec.size()) fail("unknown immediate '{}'", text);
    const char sign = spec[at++];
    if (sign != 'u' && sign != 's' && sign != 'U' && sign != 'S') fail("unknown immediate '{}'", text);
    if (std::isupper(u8(sign))) {
      e.encoding = enc_imm_expr;
      mask |= or_expr;
    }
    if (at < spec.size()) {
      if (spec[at] != '*') fail("unknown immediate '{}'", text);
      e.scale = std::stoi(spec.substr(at + 1));
    }
    if (negative) e.scale = -e.scale;
    signed_ = std::tolower(sign) == 's';
    field(plain(atom, mask), e, letters);
    signed_ = false;
  }
  bool signed_ = false, limited_ = false;
  i64 least_ = 0;

  void field(unsigned atom, Encoder e, const std::string& letters) {
    if (!letters.empty()) {
      auto [it, fresh] = seen_.emplace(letters, atom);
      if (!fresh) {
        e = {.encoding = enc_same, .low = it->second};
        form_.fields.push_back({u8(atom), 0, encoder(e)});
        return;
      }
    }
    unsigned width = 0;
    for (const char c : letters) {
      if (e.segments == std::size(e.segment)) fail("'{}' has too many parts", letters);
      if (c == '0') {
        e.segment[e.segments++] = {255, 1};
        ++width;
        continue;
      }
      const std::size_t first = pattern_.find(c), last = pattern_.rfind(c);
      if (first == pattern_.npos) fail("the pattern has no '{}'", c);
      for (std::size_t k = first; k <= last; ++k) {
        if (pattern_[k] != c) fail("'{}' is not contiguous in the pattern", c);
        const u32 bit = u32(1) << (31 - k);
        if (covered_ & bit) fail("two operands in '{}'", c);
        covered_ |= bit;
      }
      e.segment[e.segments++] = {u8(31 - last), u8(last - first + 1)};
      width += unsigned(last - first + 1);
    }
    if (e.encoding == enc_linear || e.encoding == enc_imm_expr) range(e, width);
    if (e.encoding == enc_signed) e.high = ((i64(1) << (width - 1)) - 1) * e.scale;
    form_.fields.push_back({u8(atom), 0, encoder(e)});
  }

  void range(Encoder& e, unsigned width) const {
    if (width == 0) fail("an operand has no bits");
    if (width > 32) fail("an operand has more than 32 bits");
    const i64 count = i64(1) << width;
    const i64 high = e.high;
    if (signed_) {
      e.low = e.base + e.scale * (-(count / 2));
      e.high = e.base + e.scale * (count / 2 - 1);
    } else {
      e.low = e.base;
      e.high = e.base + e.scale * (count - 1);
    }
    if (high) e.high = high;
    if (limited_) e.low = least_;
    if (e.low > e.high) std::swap(e.low, e.high);
  }

  u16 encoder(const Encoder& e) {
    Encoder clean;
    std::memset(&clean, 0, sizeof clean);  // padding too, so that equal ones compare equal
    clean.encoding = e.encoding, clean.segments = e.segments, clean.scale = e.scale;
    clean.low = e.low, clean.high = e.high, clean.base = e.base;
    std::memcpy(clean.segment, e.segment, sizeof e.segment);
    auto equal = [&](const Encoder& o) { return std::memcmp(&o, &clean, sizeof clean) == 0; };
    auto it = std::find_if(table_.encoders.begin(), table_.encoders.end(), equal);
    const std::size_t index = std::size_t(it - table_.encoders.begin());
    if (it == table_.encoders.end()) table_.encoders.push_back(clean);
    if (index > 65535) fail("too many encoders");
    return u16(index);
  }

  void finish() {
    for (unsigned w = 0; w < 2; ++w)  // nothing may stand behind the last atom
      for (unsigned i = 0; i < 8; ++i)
        if (8 * w + i >= atoms_) form_.row.mask[w] |= u64(0xFF) << (8 * i);
    form_.row.condition = 255;
    for (std::size_t i = 0; i < 32; ++i) {
      const u32 bit = u32(1) << (31 - i);
      const char c = pattern_[i];
      if (c == '1') form_.row.opcode |= bit;
      if (c == '0' || c == '1' || (covered_ & bit)) continue;
      if (c != 'c') fail("bit '{}' of the pattern is covered by no operand", c);
      if (pattern_.compare(i, 4, "cccc") != 0) fail("a condition has four bits");
      form_.row.condition = u8(28 - i);
      i += 3;
    }
  }
};

class Reader {
 public:
  explicit Reader(Table& table) : table_(table) {}

  void begin_file() {
    section_.clear();
    set_.clear();
  }

  void declaration(std::string_view line) {
    const std::size_t equals = line.find('=');
    std::vector<std::string> w = words(line.substr(0, equals));
    if (w.size() < 2) fail("a declaration needs a name");
    if (w[0] == "feature") {
      Feature f{w[1], {}};
      for (std::size_t i = 2; i < w.size(); ++i) f.implies.push_back(feature_number(w[i]));
      if (!table_.feature_index.emplace(w[1], unsigned(table_.features.size())).second) fail("feature '{}' is declared twice", w[1]);
      table_.features.push_back(std::move(f));
      return;
    }
    if (equals == line.npos) fail("'=' is missing");
    std::vector<std::string> values = words(line.substr(equals + 1));
    if (w[0] == "family") {
      if (!table_.families.emplace(w[1], parse_family(values)).second) fail("family '{}' is declared twice", w[1]);
      return;
    }
    auto [it, fresh] = table_.name_sets.emplace(w[1], unsigned(table_.names.size()));
    if (fresh) {
      table_.names.emplace_back();
      table_.name_set_names.push_back(w[1]);
    }
    for (const std::string& v : values) {  // a set may be declared in several lines
      const std::size_t colon = v.find(':');
      if (colon == v.npos) fail("'{}' has no number", v);
      for (const std::string& name : split(v.substr(0, colon), '|'))
        table_.names[it->second].emplace_back(name, unsigned(std::stoul(v.substr(colon + 1), nullptr, 0)));
    }
  }

  /// [SET features...]
  void section(std::string_view line) {
    if (line.back() != ']') fail("']' is missing");
    const std::string inside(line.substr(1, line.size() - 2));
    const std::size_t blank = inside.find(' ');
    set_ = inside.substr(0, blank);
    if (set_ != "a32" && set_ != "t16" && set_ != "t32" && set_ != "both") fail("unknown instruction set '{}'", set_);
    section_ = blank == inside.npos ? Needs() : needs(inside.substr(blank));
  }

  void row(std::string_view line, const std::string& file, unsigned number) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 2 || columns.size() > 4) fail("a row has 2 to 4 columns, this one has {}", columns.size());
    if (set_.empty()) fail("no instruction set has been named");
    file_ = file;
    line_ = number;
    std::string pattern;
    for (char c : columns[1])
      if (c != ' ') pattern += c;
    const std::size_t size = set_ == "t16" ? 16 : 32;
    if (pattern.size() != size) fail("the pattern has {} bits", pattern.size());
    pattern.insert(0, 32 - size, '0');
    flags_ = 0;
    needs_ = section_;
    if (columns.size() > 2)
      for (auto& clause : needs(columns[2])) needs_.push_back(clause);
    std::vector<std::pair<std::string, Family>> families;
    if (columns.size() > 3)
      for (const std::string& w : words(columns[3])) {
        constexpr std::pair<std::string_view, RowFlag> flag_names[] = {
            {"gnu", row_gnu}, {"llvm", row_llvm}, {"noit", row_no_it}, {"lastit", row_last_it}, {"outit", row_outside_it},
            {"init", row_inside_it}, {"wide", row_wide}, {"narrow", row_narrow}};
        auto flag = std::find_if(std::begin(flag_names), std::end(flag_names), [&](const auto& f) { return f.first == w; });
        const std::size_t equals = w.find('=');
        if (flag != std::end(flag_names)) flags_ |= flag->second;
        else if (equals == w.npos) fail("unknown flag '{}'", w);
        else families.emplace_back(w.substr(0, equals), family_of(w.substr(equals + 1)));
      }
    multiply(columns[0], pattern, families, 0, [this](const std::string& l, const std::string& p) { two_operands(l, p); });
  }

 private:
  Table& table_;
  Needs section_, needs_;
  std::string set_;
  u16 flags_ = 0;
  std::string file_;
  unsigned line_ = 0;

  unsigned feature_number(const std::string& name) {
    auto it = table_.feature_index.find(name);
    if (it == table_.feature_index.end()) fail("unknown feature '{}'", name);
    return it->second;
  }

  Needs needs(std::string_view text) {
    Needs out;
    for (const std::string& w : words(text)) {
      std::vector<unsigned> clause;
      for (const std::string& name : split(w, '|')) clause.push_back(feature_number(name));
      out.push_back(clause);
    }
    return out;
  }

  Family family_of(const std::string& text) {
    if (text.find(':') != text.npos) return parse_family(split(text, ','));
    auto it = table_.families.find(text);
    if (it == table_.families.end()) fail("unknown family '{}'", text);
    return it->second;
  }

  /// `Rd, Rn=, ...`: the second may be left out, and is the first then.
  void two_operands(const std::string& left, const std::string& pattern) {
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
    const u16 flags = flags_;
    if (without("{s}")) {
      const std::size_t s = pattern.find('S');
      if (s == pattern.npos) fail("the pattern has no 'S'");
      std::string with = pattern;
      with[s] = '0';
      form(name, operands, with);
      with[s] = '1';
      flags_ |= row_flags;
      form(name, operands, with);
    } else {
      if (without("{S}")) flags_ |= row_flags_outside;
      else if (without("+s")) flags_ |= row_flags;
      form(name, operands, pattern);
    }
    flags_ = flags;
  }

  void form(const std::string& name, const std::string& operands, const std::string& pattern) {
    if (set_ != "both") return one(name, operands, pattern, set_ == "a32" ? set_a32 : set_ == "t16" ? set_t16 : set_t32);
    one(name, operands, pattern, set_a32);
    // The same in Thumb, where there is no condition and Advanced SIMD has another place.
    std::string thumb = pattern;
    if (thumb.starts_with("cccc")) thumb.replace(0, 4, "1110");
    if (thumb.starts_with("1111001")) thumb = std::string("111") + thumb[7] + "1111" + thumb.substr(8);
    if (thumb.starts_with("11110100")) thumb.replace(0, 8, "11111001");
    one(name, operands, thumb, set_t32);
  }

  void one(const std::string& name, const std::string& operands, const std::string& pattern, InstructionSet set) {
    Form form = Row_reader(table_, pattern).read(operands);
    form.mnemonic = name;
    if (form.mnemonic.empty() || form.mnemonic.find_first_of("%{+") != form.mnemonic.npos) fail("bad mnemonic '{}'", form.mnemonic);
    form.file = file_;
    form.line = line_;
    form.row.flags = flags_;
    form.row.set = set;
    auto it = std::find(table_.needs.begin(), table_.needs.end(), needs_);
    form.row.features = u16(it - table_.needs.begin());
    if (it == table_.needs.end()) table_.needs.push_back(needs_);
    table_.forms.push_back(std::move(form));
  }
};

}  // namespace

Table read(const std::vector<SourceText>& files) {
  Table table;
  table.needs.push_back({});
  Reader reader(table);
  for (bool declarations : {true, false})
    for (const SourceText& file : files) {
      reader.begin_file();
      unsigned number = 0;
      for (std::string_view rest = file.text; !rest.empty();) {
        ++number;
        const std::size_t end = rest.find('\n');
        std::string_view line = rest.substr(0, end);
        rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
        line = trim(line);
        if (line.empty() || line[0] == ';') continue;
        const bool is_declaration = line.starts_with("family ") || line.starts_with("names ") || line.starts_with("feature ");
        if (is_declaration != declarations) continue;
        try {
          if (is_declaration) reader.declaration(line);
          else if (line[0] == '[') reader.section(line);
          else reader.row(line, file.name, number);
        } catch (const Mistake& m) {
          table.errors.push_back({file.name, number, m.message});
        } catch (const std::exception&) {
          table.errors.push_back({file.name, number, "malformed number"});
        }
      }
    }
  return table;
}

}  // namespace xas::isagen::arm
