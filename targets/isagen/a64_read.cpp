// Reads the A64 tables. The notation is told in the legend of targets/aarch64/general.isa. A row's families and optional
// parts are replaced as text first; what is left has one signature and one pattern.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "targets/isagen/a64_table.h"
#include "targets/isagen/notation.h"

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

struct NamedEncoding {
  std::string_view name;
  Encoding encoding;
  Atom atom;
  u8 mask;     ///< bits of the atom that do not matter
  i64 low = 0;
  i32 scale = 1;
};

constexpr u8 or_expr = 2, or_float = 1;

constexpr NamedEncoding named_encodings[] = {
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
    {"bytes", enc_bytes, atom_imm, 0},
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
    {"sve16", enc_sve_shifted, atom_imm, 0, 16},
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
        while (end < operands.size() && !std::strchr(" ,[]!", operands[end])) ++end;
        if (c == '{') end = operands.find('}', i) + 1;
        std::string token = operands.substr(i, end - i);
        i = end;
        one(token, comma);
        if (i + 1 < operands.size() && operands[i] == '[' && operands[i + 1] == '#' && c != '#' && c != '{') {
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
    for (auto [word, atom] : plain_words) {
      if (token != word) continue;
      plain(atom);
      return;
    }
    if (token[0] == '{') fail("unknown list '{}'", token);
    if (token[0] == '#') return immediate(token.substr(1), atom_imm, 0);
    if (token[0] == '@') {
      const std::size_t colon = token.find(':');
      if (colon == token.npos) fail("'{}' needs letters", token);
      const std::string set = token.substr(1, colon - 1);
      form_.name_operands.push_back(comma);
      Encoder e{.encoding = set == "sysreg" ? enc_system : enc_name};
      if (set != "sysreg") {
        auto it = table_.name_sets.find(set);
        if (it == table_.name_sets.end()) fail("unknown set of names '{}'", set);
        e.low = it->second;
      }
      return field(plain(atom_name), e, token.substr(colon + 1));
    }
    if (std::isupper(u8(token[0]))) return reg(token);
    // Fixed registers.
    if (token == "sp") return void(plain(atom_sp));
    if (token == "wsp") return void(plain(atom_wsp));
    if (token == "xzr") return void(plain(atom_xzr));
    if (token == "wzr") return void(plain(atom_wzr));
    if ((token[0] == 'x' || token[0] == 'w' || token[0] == 'p') && token.size() > 1 && std::isdigit(u8(token[1]))) {
      const Atom atom = token[0] == 'x' ? atom_x : token[0] == 'w' ? atom_w : atom_p;
      return field(plain(atom), {.encoding = enc_constant, .low = std::stoi(token.substr(1))}, "");
    }
    const std::size_t colon = token.find(':');
    for (const NamedEncoding& n : named_encodings) {
      if (n.name != token.substr(0, colon)) continue;
      Encoder e{.encoding = n.encoding, .scale = n.scale, .low = n.low};
      if (n.encoding == enc_linear) {
        e.low = 0;
        e.high = n.low < 0 ? n.mask - 1 : n.mask;
      }
      return field(plain(n.atom, n.mask), e, colon == token.npos ? "" : token.substr(colon + 1));
    }
    fail("unknown operand '{}'", token);
  }

  /// CLASSletters[(base*scale..most)][.suffix][|sp|~]
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
      i64 base = 0, scale = 1, most = 0;
      if (const std::size_t open = rest.find('('); open != rest.npos) {
        std::string inside = rest.substr(open + 1, rest.size() - open - 2);
        rest = rest.substr(0, open);
        if (const std::size_t dots = inside.find(".."); dots != inside.npos) {
          most = std::stoll(inside.substr(dots + 2));
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
        field(at, {.encoding = enc_linear, .scale = i32(scale), .low = base, .high = most, .base = base}, letters);
      return;
    }
    fail("unknown register '{}'", token);
  }

  /// [BASE (+|-)] (u|s) [(..MOST)] [*SCALE] : letters, or a constant
  void immediate(const std::string& text, Atom atom, u8 mask) {
    const std::size_t colon = text.find(':');
    if (text.starts_with("r2=") || text.starts_with("r4=")) {
      const Encoder first{.encoding = enc_constant, .low = std::stoll(text.substr(3))};
      return field(plain(text[1] == '2' ? atom_range2 : atom_range4), first, "");
    }
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
    Encoder e{.encoding = enc_linear, .scale = 1};
    if (spec.starts_with("r2") || spec.starts_with("r4")) {
      atom = spec[1] == '2' ? atom_range2 : atom_range4;
      if (spec.size() > 3) e.scale = std::stoi(spec.substr(3));
      return field(plain(atom), e, text.substr(colon + 1));
    }
    for (const NamedEncoding& n : named_encodings)
      if (n.name == spec) return one(text, 0);
    std::size_t at = 0;
    if (std::isdigit(u8(spec[0])) || spec[0] == '-') e.base = std::stoll(spec, &at);
    bool negative = false;
    if (at < spec.size() && (spec[at] == '+' || spec[at] == '-')) negative = spec[at++] == '-';
    if (at >= spec.size()) fail("unknown immediate '{}'", text);
    const char sign = spec[at++];
    if (sign != 'u' && sign != 's' && sign != 'U' && sign != 'S') fail("unknown immediate '{}'", text);
    if (std::isupper(u8(sign))) {
      e.encoding = enc_imm_expr;
      mask |= or_expr;
    }
    if (spec.compare(at, 3, "(..") == 0) {
      const std::size_t close = spec.find(')', at);
      if (close == spec.npos) fail("')' is missing");
      e.high = std::stoll(spec.substr(at + 3, close - at - 3));
      at = close + 1;
    }
    if (at < spec.size()) {
      if (spec[at] != '*') fail("unknown immediate '{}'", text);
      e.scale = std::stoi(spec.substr(at + 1));
    }
    if (negative) e.scale = -e.scale;
    signed_ = std::tolower(sign) == 's';
    field(plain(atom, mask), e, text.substr(colon + 1));
    signed_ = false;
  }
  bool signed_ = false;

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
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const char c = letters[i];
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
    for (std::size_t i = 0; i < 32; ++i) {
      const u32 bit = u32(1) << (31 - i);
      const char c = pattern_[i];
      if (c == '1') form_.row.opcode |= bit;
      if (c != '0' && c != '1' && !(covered_ & bit)) fail("bit '{}' of the pattern is covered by no operand", c);
    }
  }
};

class Reader {
 public:
  explicit Reader(Table& table) : table_(table) {}

  void begin_file() { section_.clear(); }

  void declaration(std::string_view line) {
    const std::size_t equals = line.find('=');
    std::vector<std::string> w = words(line.substr(0, equals));
    if (w.size() < 2) fail("a declaration needs a name");
    if (w[0] == "feature") {
      // feature NAME FEATURE...: brings them; feature NAME = FEATURE...: is another name for them
      const bool alias = equals != line.npos;
      const std::vector<std::string> brings = alias ? words(line.substr(equals + 1)) : std::vector(w.begin() + 2, w.end());
      Feature f{w[1], {}};
      for (const std::string& name : brings) f.implies.push_back(feature_number(name));
      if (alias) table_.feature_aliases.push_back(unsigned(table_.features.size()));
      if (!table_.feature_index.emplace(w[1], unsigned(table_.features.size())).second) fail("feature '{}' is declared twice", w[1]);
      table_.features.push_back(std::move(f));
      return;
    }
    if (equals == line.npos) fail("'=' is missing");
    unsigned features = 0;  // names SET [FEATURES] = ...
    if (const std::size_t open = line.substr(0, equals).find('['); open != line.npos) {
      const std::size_t close = line.substr(0, equals).find(']');
      if (close == line.npos || w[0] != "names") fail("']' is missing");
      features = needs_index(needs(line.substr(open + 1, close - open - 1)));
    }
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
        table_.names[it->second].push_back({name, unsigned(std::stoul(v.substr(colon + 1), nullptr, 0)), features});
    }
  }

  void section(std::string_view line) {
    if (line.back() != ']') fail("']' is missing");
    section_ = needs(line.substr(1, line.size() - 2));
  }

  void row(std::string_view line, const std::string& file, unsigned number) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 2 || columns.size() > 4) fail("a row has 2 to 4 columns, this one has {}", columns.size());
    file_ = file;
    line_ = number;
    std::string pattern;
    for (char c : columns[1])
      if (c != ' ') pattern += c;
    if (pattern.size() != 32) fail("the pattern has {} bits", pattern.size());
    flags_ = 0;
    prefix_ = prefix_none;
    needs_ = section_;
    if (columns.size() > 2)
      for (auto& clause : needs(columns[2])) needs_.push_back(clause);
    std::vector<std::pair<std::string, Family>> families;
    if (columns.size() > 3)
      for (const std::string& w : words(columns[3])) {
        const std::size_t equals = w.find('=');
        if (w == "gnu") flags_ |= row_gnu;
        else if (w == "llvm") flags_ |= row_llvm;
        else if (w == "distinct") flags_ |= row_distinct;
        else if (w == "prefix") prefix_ = prefix_itself;
        else if (w == "prefixed") prefix_ = prefix_b;
        else if (w == "prefixed_plain") prefix_ = prefix_plain;
        else if (equals == w.npos) fail("unknown flag '{}'", w);
        else families.emplace_back(w.substr(0, equals), family_of(w.substr(equals + 1)));
      }
    multiply(columns[0], pattern, families, 0, [this](const std::string& l, const std::string& p) { form(l, p); });
  }

 private:
  Table& table_;
  Needs section_, needs_;
  u8 flags_ = 0;
  Prefix prefix_ = prefix_none;
  std::string file_;
  unsigned line_ = 0;

  unsigned feature_number(const std::string& name) {
    auto it = table_.feature_index.find(name);
    if (it == table_.feature_index.end()) fail("unknown feature '{}'", name);
    return it->second;
  }

  static bool is_scalable(const Row& row) {
    for (unsigned i = 0; i < max_atoms; ++i) {
      const u8 atom = u8(row.signature[i >> 3] >> (8 * (i & 7)));
      if (atom >= atom_z && atom < atom_za) return true;
    }
    return false;
  }

  /// The size of the elements that the row's predicate governs: the destination's, or the wider one of a conversion.
  static Prefix element_prefix(const Row& row) {
    const auto atom = [&](unsigned i) { return u8(row.signature[0] >> (8 * i)); };
    const bool predicated = atom(1) >= atom_p && atom(1) < atom_pn;
    if (!predicated) return prefix_plain;
    if (atom(0) < atom_z_b || atom(0) > atom_z_d) fail("the destination has no elements");
    const bool conversion = atom(2) >= atom_z_b && atom(2) <= atom_z_d && atom(3) == 0;
    return Prefix(prefix_b + (conversion ? std::max(atom(0), atom(2)) : atom(0)) - atom_z_b);
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

  unsigned needs_index(const Needs& n) {
    auto it = std::find(table_.needs.begin(), table_.needs.end(), n);
    const std::size_t index = std::size_t(it - table_.needs.begin());
    if (it == table_.needs.end()) table_.needs.push_back(n);
    return unsigned(index);
  }

  Family family_of(const std::string& text) {
    if (text.find(':') != text.npos) return parse_family(split(text, ','));
    auto it = table_.families.find(text);
    if (it == table_.families.end()) fail("unknown family '{}'", text);
    return it->second;
  }

  void form(const std::string& left, const std::string& pattern) {
    const std::size_t blank = left.find(' ');
    Form form = Row_reader(table_, pattern).read(blank == left.npos ? "" : left.substr(blank));
    form.mnemonic = left.substr(0, blank);
    if (form.mnemonic.empty() || form.mnemonic.find('%') != form.mnemonic.npos) fail("bad mnemonic '{}'", form.mnemonic);
    form.file = file_;
    form.line = line_;
    form.row.flags = flags_;
    form.row.prefix = prefix_ == prefix_b ? element_prefix(form.row) : prefix_;
    if (prefix_ == prefix_none && is_scalable(form.row)) form.row.prefix = prefix_never;
    form.row.features = u16(needs_index(needs_));
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

}  // namespace xas::isagen::a64
