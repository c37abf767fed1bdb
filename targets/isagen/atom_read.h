// SPDX-License-Identifier: Apache-2.0
// Reading tables whose operands are atoms. The notation is told in docs/tables.md. Two classes: OperandReader turns one
// row (families and optional parts are replaced already) into a signature and fields, TableReader reads the lines
// around it. What a target does in its own way it overrides: its operands, flags and sections.
#pragma once

#include <cstring>
#include <optional>

#include "targets/isagen/atom_table.h"
#include "targets/isagen/facts_read.h"

namespace xas::isagen {

/// An operand that is written as a name: `name:letters`.
template <class Isa>
struct NamedEncoding {
  std::string_view name;
  typename Isa::Encoding encoding;
  typename Isa::Atom atom;
  u8 mask;  ///< bits of the atom that do not matter
  i64 low = 0;
  i32 scale = 1;
};

/// The operands of one row as tokens.
template <class Isa>
class OperandReader {
 public:
  using Atom = typename Isa::Atom;
  using Encoder = typename Isa::Encoder;
  using Encoding = typename Isa::Encoding;
  using Table = AtomTable<Isa>;
  using Form = AtomForm<Isa>;

  OperandReader(Table& table, const std::string& pattern) : table_(table), pattern_(pattern) {}
  virtual ~OperandReader() = default;

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
        plain(Atom::atom_open);
        ++depth;
        ++i;
      } else if (c == ']') {
        const bool write = operands.compare(i, 2, "]!") == 0;
        plain(write ? Atom::atom_close_write : Atom::atom_close);
        if (depth) --depth;
        i += write ? 2 : 1;
      } else if (c == '!') {
        plain(Atom::atom_write);
        ++i;
      } else {
        std::size_t end = i;
        if (c == '{') {  // behind it stands a register, or the letters of the first register
          end = operands.find('}', i);
          if (end == operands.npos) fail("'}}' is missing");
          ++end;
        }
        if (c != '{' || (end < operands.size() && operands[end] == ':'))
          while (end < operands.size() && !std::strchr(" ,[]!", operands[end])) ++end;
        const std::string token = operands.substr(i, end - i);
        i = end;
        one(token, comma);
        if (operands.compare(i, 2, "[#") == 0 && std::isupper(u8(c))) {
          const std::size_t close = operands.find(']', i);
          if (close == std::string::npos) fail("']' is missing");
          immediate(operands.substr(i + 2, close - i - 2), Atom::atom_index, 0);
          i = close + 1;
        }
      }
    }
    finish();
    return std::move(form_);
  }

 protected:
  Table& table_;
  const std::string& pattern_;
  Form form_;
  unsigned atoms_ = 0;

  /// Reads one operand, or one part of one; `comma` is its number.
  virtual void one(const std::string& token, unsigned comma) = 0;

  /// What the operand `e` of `width` bits accepts.
  virtual void limits(Encoder& e, unsigned width) const {
    if (e.encoding == Encoding::enc_linear || e.encoding == Encoding::enc_imm_expr) range(e, width);
  }

  /// Bits of the pattern from `first` on that no operand covers; returns how many have a meaning of their own.
  virtual std::size_t uncovered(std::size_t first) {
    fail("bit '{}' of the pattern is covered by no operand", pattern_[first]);
  }

  /// An atom that nothing more is asked of than that it is there.
  unsigned plain(Atom atom, u8 mask = 0) {
    if (atoms_ >= Isa::max_atoms) fail("more than {} atoms", Isa::max_atoms);
    const unsigned shift = 8 * (atoms_ & 7);
    form_.row.signature[atoms_ >> 3] |= u64(atom) << shift;
    form_.row.mask[atoms_ >> 3] |= u64(u8(~mask)) << shift;
    return atoms_++;
  }

  /// An atom whose value is fixed.
  void constant(Atom atom, i64 value, u8 mask = 0) {
    field(plain(atom, mask), {.encoding = Encoding::enc_constant, .low = value}, "");
  }

  /// @SET[:letters]
  void name(const std::string& token, unsigned comma) {
    const std::size_t colon = token.find(':');
    const std::string set = token.substr(1, colon == token.npos ? token.npos : colon - 1);
    auto it = table_.name_sets.find(set);
    if (it == table_.name_sets.end()) fail("unknown set of names '{}'", set);
    form_.name_operands.push_back(comma);
    const unsigned at = plain(Atom::atom_name);
    for (const std::string& letters : split(letters_of(token), '&'))
      field(at, {.encoding = Encoding::enc_name, .low = it->second}, letters);
  }

  static std::string letters_of(const std::string& token) {
    const std::size_t colon = token.find(':');
    return colon == token.npos ? "" : token.substr(colon + 1);
  }

  /// [BASE (+|-)] (u|s|U|S) [(..MOST)] [*SCALE] : letters, or LOW..HIGH [*SCALE] : letters, or a constant
  void immediate(const std::string& text, Atom atom, u8 mask) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) {
      if (text.find('.') == text.npos) return constant(atom, std::stoll(text, nullptr, 0), mask);
      const double d = std::stod(text);
      i64 bits;
      std::memcpy(&bits, &d, 8);
      return field(plain(Atom::atom_imm, Isa::or_float), {.encoding = Encoding::enc_float_constant, .low = bits}, "");
    }
    const std::string spec = text.substr(0, colon), letters = text.substr(colon + 1);
    Encoder e{.encoding = Encoding::enc_linear, .scale = 1};
    std::size_t at = 0;
    if (std::isdigit(u8(spec[0])) || spec[0] == '-') e.base = std::stoll(spec, &at);
    if (spec.compare(at, 2, "..") == 0) {
      min_ = e.base;
      e.base = 0;
      e.high = std::stoll(spec.substr(at + 2));
      if (const std::size_t star = spec.find('*'); star != spec.npos) e.scale = std::stoi(spec.substr(star + 1));
      field(plain(atom, mask), e, letters);
      min_.reset();
      return;
    }
    bool negative = false;
    if (at < spec.size() && (spec[at] == '+' || spec[at] == '-')) negative = spec[at++] == '-';
    if (at >= spec.size()) fail("unknown immediate '{}'", text);
    const char sign = spec[at++];
    if (sign != 'u' && sign != 's' && sign != 'U' && sign != 'S') fail("unknown immediate '{}'", text);
    if (std::isupper(u8(sign))) {
      e.encoding = Encoding::enc_imm_expr;
      mask |= Isa::or_expr;
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
    field(plain(atom, mask), e, letters);
    signed_ = false;
  }

  /// Puts the value of atom number `atom` into the pattern's `letters`, highest part first; 0 is a bit that must be
  /// zero. Letters that an atom before this one has mean the same value again.
  void field(unsigned atom, Encoder e, const std::string& letters) {
    if (!letters.empty()) {
      auto [it, fresh] = seen_.emplace(letters, atom);
      if (!fresh) {
        e = {.encoding = Encoding::enc_same, .low = it->second};
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
    limits(e, width);
    form_.fields.push_back({u8(atom), 0, encoder(e)});
  }

 private:
  std::map<std::string, unsigned> seen_;  // letters to the atom that has them
  u32 covered_ = 0;
  bool signed_ = false;
  std::optional<i64> min_;

  void range(Encoder& e, unsigned width) const {
    if (width == 0) fail("an operand has no bits");
    if (width > 32) fail("an operand has more than 32 bits");
    const i64 count = i64(1) << width;
    const i64 high = e.high;
    e.low = e.base - (signed_ ? e.scale * (count / 2) : 0);
    e.high = e.low + e.scale * (count - 1);
    if (high) e.high = high;
    if (min_) e.low = *min_;
    if (e.low > e.high) std::swap(e.low, e.high);
    if (e.scale < 0 && e.base > 0 && e.low < 0) e.low = 0;
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
    for (std::size_t i = 0; i < 32;) {
      const u32 bit = u32(1) << (31 - i);
      const char c = pattern_[i];
      if (c == '1') form_.row.opcode |= bit;
      i += c == '0' || c == '1' || (covered_ & bit) ? 1 : uncovered(i);
    }
  }
};

/// Declarations, sections, and the columns of rows.
template <class Isa>
class TableReader {
 public:
  using Table = AtomTable<Isa>;
  using Form = AtomForm<Isa>;

  explicit TableReader(Table& table) : table_(table), facts_(table) {}
  virtual ~TableReader() = default;

  virtual void begin_file() { section_.clear(); }
  /// [features], which all rows below need
  virtual void section(std::string_view line) { section_ = needs(inside_brackets(line)); }

  static bool is_declaration(std::string_view word) {
    return word == "family" || word == "names" || word == "feature" || word == "gnu" || word == "facts" ||
           word == "clash" || word == "shown" || word == "unit";
  }

  void declaration(std::string_view line) {
    if (line.starts_with("clash ")) return facts_.declare_clash(line);
    if (line.starts_with("facts ")) return facts_.declare(line);
    const std::size_t equals = line.find('=');
    const std::string_view left = line.substr(0, equals);
    const std::vector<std::string> w = words(left);
    if (w.size() < 2) fail("a declaration needs a name");
    if (w[0] == "feature") return feature(w, line, equals);
    if (w[0] == "gnu") return gnu(w);
    if (equals == line.npos) fail("'=' is missing");
    const std::vector<std::string> values = words(line.substr(equals + 1));
    if (w[0] == "names") return names(w[1], left, values);
    if (w[0] == "shown") {
      table_.shown_names.emplace_back(feature_number(w[1]), trim(line.substr(equals + 1)));
      return;
    }
    if (w[0] == "unit") {
      for (std::size_t i = 1; i < w.size(); ++i)
        table_.units.emplace_back(feature_number(w[i]), feature_number(std::string(trim(line.substr(equals + 1)))));
      return;
    }
    if (!table_.families.emplace(w[1], parse_family(values)).second) fail("family '{}' is declared twice", w[1]);
  }

  /// mnemonic operands | pattern | features | flags
  void row(std::string_view line, const std::string& file, unsigned number) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() < 2 || columns.size() > 4) fail("a row has 2 to 4 columns, this one has {}", columns.size());
    file_ = file;
    line_ = number;
    const std::size_t bits = begin_row();
    std::string pattern;
    for (char c : columns[1])
      if (c != ' ') pattern += c;
    if (pattern.size() != bits) fail("the pattern has {} bits", pattern.size());
    pattern.insert(0, 32 - bits, '0');
    needs_ = section_;
    if (columns.size() > 2)
      for (auto& clause : needs(columns[2])) needs_.push_back(clause);
    std::vector<std::pair<std::string, Family>> families;
    std::string flags;
    if (columns.size() > 3)
      for (const std::string& w : words(columns[3])) {
        const std::size_t equals = w.find('=');
        if (equals == w.npos) flags += w + ' ';
        else families.emplace_back(w.substr(0, equals), family_of(w.substr(equals + 1)));
      }
    // Flags may have parts that a family puts there, so they are multiplied out with the operands.
    const auto done = [&](const std::string& text, const std::string& p) {
      const std::size_t mark = text.find(behind_operands);
      begin_row();
      own_ = {};
      for (const std::string& w : words(std::string_view(text).substr(mark + 1)))
        if (w != "-" && !flag(w) && !facts_.word(w, own_)) fail("unknown flag '{}'", w);
      form(text.substr(0, mark), p);
    };
    multiply(columns[0] + behind_operands + flags, pattern, families, 0, done);
  }

 protected:
  Table& table_;
  Needs section_;

  /// Forgets the flags of the row before; returns how many bits the pattern must have, 32 at most.
  virtual std::size_t begin_row() = 0;
  /// Takes note of a flag; false if there is no such flag.
  virtual bool flag(const std::string& word) = 0;
  /// A row's mnemonic and operands, and its pattern, with families and optional parts replaced.
  virtual void form(const std::string& left, const std::string& pattern) = 0;

  static std::string_view inside_brackets(std::string_view line) {
    if (line.back() != ']') fail("']' is missing");
    return line.substr(1, line.size() - 2);
  }

  Needs needs(std::string_view text) const {
    Needs out;
    for (const std::string& w : words(text)) {
      std::vector<unsigned> clause;
      for (const std::string& name : split(w, '|')) clause.push_back(feature_number(name));
      out.push_back(clause);
    }
    return out;
  }

  /// Completes the form that the row's operands gave; `pattern` is its encoding.
  void add(Form&& form, const std::string& mnemonic, const std::string& pattern, bool sets_flags = false,
           const Needs& further = {}) {
    if (mnemonic.empty() || mnemonic.find_first_of("%{+") != mnemonic.npos) fail("bad mnemonic '{}'", mnemonic);
    form.mnemonic = mnemonic;
    form.file = file_;
    form.line = line_;
    Needs all = needs_;
    all.insert(all.end(), further.begin(), further.end());
    form.row.features = u16(needs_index(all));
    facts_.complete(form, own_, pattern, sets_flags);
    if (!form.clashes.empty()) form.row.flags |= Isa::distinct_flag;
    table_.forms.push_back(std::move(form));
  }

 private:
  static constexpr char behind_operands = '\1';

  FactReader<Isa> facts_;
  FactWords own_;  // of the row
  Needs needs_;
  std::string file_;
  unsigned line_ = 0;

  /// feature NAME FEATURE...: brings them; feature NAME = FEATURE...: is another name for them
  void feature(const std::vector<std::string>& w, std::string_view line, std::size_t equals) {
    const bool alias = equals != line.npos;
    if (alias && !Isa::features_have_rules) fail("a feature has no other names");
    const std::vector<std::string> brings =
        alias ? words(line.substr(equals + 1)) : std::vector(w.begin() + 2, w.end());
    Feature f{w[1], {}};
    for (const std::string& name : brings) f.implies.push_back(feature_number(name));
    const unsigned number = unsigned(table_.features.size());
    if (alias) table_.feature_aliases.push_back(number);
    if (!table_.feature_index.emplace(w[1], number).second) fail("feature '{}' is declared twice", w[1]);
    table_.features.push_back(std::move(f));
  }

  /// gnu NAME FEATURE...: brings them in that profile
  void gnu(const std::vector<std::string>& w) {
    if (!Isa::features_have_rules) fail("a feature brings the same in all profiles");
    const unsigned from = feature_number(w[1]);
    for (std::size_t i = 2; i < w.size(); ++i) table_.gnu_brings.emplace_back(from, feature_number(w[i]));
  }

  /// names SET [FEATURES] = NAME:NUMBER...; a set may be declared in several lines
  void names(const std::string& set, std::string_view left, const std::vector<std::string>& values) {
    unsigned features = 0;
    if (const std::size_t open = left.find('['); open != left.npos) {
      const std::size_t close = left.find(']');
      if (close == left.npos) fail("']' is missing");
      if (!Isa::names_have_features) fail("names have no features");
      features = needs_index(needs(left.substr(open + 1, close - open - 1)));
    }
    auto [it, fresh] = table_.name_sets.emplace(set, unsigned(table_.names.size()));
    if (fresh) {
      table_.names.emplace_back();
      table_.name_set_names.push_back(set);
    }
    for (const std::string& v : values) {
      const std::size_t colon = v.find(':');
      if (colon == v.npos) fail("'{}' has no number", v);
      const unsigned value = unsigned(std::stoul(v.substr(colon + 1), nullptr, 0));
      for (const std::string& name : split(v.substr(0, colon), '|'))
        table_.names[it->second].push_back({name, value, features});
    }
  }

  unsigned feature_number(const std::string& name) const {
    auto it = table_.feature_index.find(name);
    if (it == table_.feature_index.end()) fail("unknown feature '{}'", name);
    return it->second;
  }

  unsigned needs_index(const Needs& n) {
    auto it = std::find(table_.needs.begin(), table_.needs.end(), n);
    const std::size_t index = std::size_t(it - table_.needs.begin());
    if (it == table_.needs.end()) table_.needs.push_back(n);
    return unsigned(index);
  }

  Family family_of(const std::string& text) const {
    if (text.find(':') != text.npos) return parse_family(split(text, ','));
    auto it = table_.families.find(text);
    if (it == table_.families.end()) fail("unknown family '{}'", text);
    return it->second;
  }
};

/// A whole set of tables.
template <class Isa, class Reader>
AtomTable<Isa> read_table(const std::vector<SourceText>& files) {
  AtomTable<Isa> table;
  table.needs.push_back({});
  Reader reader(table);
  read_lines(files, ';', reader, table.errors);
  if (table.errors.empty()) FactReader<Isa>(table).finish();
  return table;
}

}  // namespace xas::isagen
