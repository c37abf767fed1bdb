// SPDX-License-Identifier: Apache-2.0
// Reads the x86 tables. The notation is told in the legend of targets/x86/general.isa; a row is parsed into a
// RowText, still with its families; x86_multiply.cpp makes forms of it.
#include <fmt/format.h>

#include <algorithm>

#include "targets/isagen/x86_row_text.h"

namespace xas::isagen {
namespace {

using namespace x86;

bool is_hex_byte(std::string_view s) {
  auto hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F'); };
  return s.size() == 2 && hex(s[0]) && hex(s[1]);
}

unsigned hex_byte(std::string_view s) {
  if (!is_hex_byte(s)) fail("'{}' is not a byte of two upper-case hex digits", s);
  return unsigned(std::stoul(std::string(s), nullptr, 16));
}

class Reader {
 public:
  explicit Reader(Table& table) : table_(table) {}

  void declaration(std::string_view line) {
    std::vector<std::string> w = words(line);
    if (w.size() < 2) fail("a declaration needs a name");
    if (w[0] == "family") return family(w);
    if (w[0] == "feature") return feature(w);
    if (w[0] == "effect") return effect(w);
    kind(line, w);
  }

  void section(std::string_view line) {
    if (line.back() != ']') fail("']' is missing");
    begin_file();
    const std::vector<std::string> columns = split(line.substr(1, line.size() - 2), '|');
    if (columns.size() > 2) fail("a section has features and, behind a bar, facts");
    for (const std::string& name : words(columns[0])) section_.push_back(needed(name));
    if (columns.size() > 1) section_facts_ = words(columns[1]);
  }

  void begin_file() {
    section_.clear();
    section_facts_.clear();
  }

  static bool is_declaration(std::string_view word) {
    return word == "family" || word == "kind" || word == "feature" || word == "effect";
  }

  void row(std::string_view line, const std::string& file, unsigned number) {
    std::vector<std::string> columns = split(line, '|');
    if (columns.size() < 2 || columns.size() > 5) fail("a row has 2 to 5 columns, this one has {}", columns.size());
    RowText r;
    std::size_t blank = columns[0].find_first_of(" \t");
    mnemonic(r, columns[0].substr(0, blank));
    if (blank != std::string::npos) operands(r, std::string_view(columns[0]).substr(blank));
    encoding(r, words(columns[1]));
    r.features = section_;
    if (columns.size() > 2)
      for (const std::string& name : words(columns[2])) r.features.push_back(needed(name));
    if (columns.size() > 3)
      for (const std::string& name : words(columns[3])) flag(r, name);
    r.facts = section_facts_;
    if (columns.size() > 4)
      for (const std::string& word : words(columns[4])) r.facts.push_back(word);
    check(r);
    multiply(table_, r, file, number, std::string(line));
  }

 private:
  Table& table_;
  std::vector<NeededFeature> section_;
  std::vector<std::string> section_facts_;

  // Declarations

  void family(const std::vector<std::string>& w) {
    std::vector<Member> members;
    for (std::size_t i = 2; i < w.size(); ++i) {
      std::size_t colon = w[i].find(':');
      if (colon == std::string::npos) fail("family member '{}' has no number", w[i]);
      members.push_back({split(w[i].substr(0, colon), '/'), unsigned(std::stoul(w[i].substr(colon + 1)))});
    }
    if (members.empty()) fail("family '{}' has no members", w[1]);
    if (!table_.families.emplace(w[1], std::move(members)).second) fail("family '{}' is declared twice", w[1]);
  }

  void feature(const std::vector<std::string>& w) {
    Feature f{w[1], {}};
    for (std::size_t i = 2; i < w.size(); ++i) f.implies.push_back(feature_number(table_, w[i]));
    if (!table_.feature_index.emplace(w[1], unsigned(table_.features.size())).second)
      fail("feature '{}' is declared twice", w[1]);
    table_.features.push_back(std::move(f));
    if (table_.features.size() > feature_words * 64) fail("too many features: raise feature_words in row.h");
  }

  /// effect NAME = WORDS, or effect NAME of MEMBERS = WORDS
  void effect(const std::vector<std::string>& w) {
    const auto equals = std::find(w.begin(), w.end(), "=");
    if (equals == w.end()) fail("'=' is missing in the declaration of an effect");
    const std::vector<std::string> said(equals + 1, w.end());
    Effect& e = table_.effects[w[1]];
    std::vector<std::string> members{""};
    if (equals != w.begin() + 2) {
      if (w[2] != "of") fail("'of' is expected, not '{}'", w[2]);
      members.assign(w.begin() + 3, equals);
      e.by_member = true;
    }
    for (const std::string& m : members)
      if (!e.words.emplace(m, said).second) fail("effect '{}' is declared twice for '{}'", w[1], m);
  }

  NeededFeature needed(const std::string& text) {
    if (text.size() > 2 && text[1] == ':' && std::string_view("xyz").find(text[0]) != std::string_view::npos)
      return {feature_number(table_, text.substr(2)), text[0]};
    return {feature_number(table_, text), 0};
  }

  void kind(std::string_view line, const std::vector<std::string>& w) {
    Kind k;
    std::size_t equals = line.find('=');
    if (equals == line.npos) fail("'=' is missing in the declaration of a kind");
    if (w.size() > 2 && w[2] == "v") k.axis = Axis::size;
    if (w.size() > 2 && w[2] == "xyz") k.axis = Axis::length;
    std::vector<std::string> variants = split(line.substr(equals + 1), ',');
    if (variants.size() != (k.axis == Axis::none ? 1u : 3u))
      fail("kind '{}' has {} variants, its axis {}", w[1], variants.size(), k.axis == Axis::none ? 1 : 3);
    for (std::size_t i = 0; i < variants.size(); ++i)
      for (const std::string& name : words(variants[i])) {
        u64 bit = class_bit(name);
        if (!bit) fail("unknown operand class '{}'", name);
        for (const ClassName& c : class_names)
          if (c.name == name) k.masks[i].space[c.space] |= bit;
      }
    if (!table_.kinds.emplace(w[1], k).second) fail("kind '{}' is declared twice", w[1]);
  }

  // The left column

  void mnemonic(RowText& r, std::string text) {
    if (text.ends_with('!')) {
      r.bare = false;
      text.pop_back();
    }
    if (std::size_t at = text.find_first_of("=~"); at != std::string::npos) {
      std::string intel = text.substr(0, at);
      r.intel_names = split(intel, '/');
      bool both = text[at] == '~';
      text = text.substr(at + 1);
      if (both) {
        std::size_t dot = text.find_first_of(".:");
        std::string tail = dot == std::string::npos ? "" : text.substr(dot);
        text = intel + "/" + text.substr(0, dot) + tail;
      }
    }
    if (std::size_t dot = text.find_first_of(".:"); dot != std::string::npos) {
      r.suffixes = text[dot] == '.';
      r.sizes = text.substr(dot + 1);
      text = text.substr(0, dot);
      if (r.sizes == "v") r.sizes = "wlq";
      if (r.sizes == "xyz" || r.sizes == "xy" || r.sizes == "yz") {
        r.length_suffix = true;
        r.sizes.clear();
      } else if (r.sizes.size() > 1) {
        for (char c : r.sizes)
          if (std::string_view("wlq").find(c) == std::string_view::npos)
            fail("a size family has the letters w, l, q, not '{}'", c);
      } else if (r.sizes.empty() || std::string_view("bwlqstxyz").find(r.sizes[0]) == std::string_view::npos) {
        fail("unknown suffix '{}'", r.sizes);
      }
    }
    for (const std::string& name : split(text, '/')) {
      std::size_t open = name.find('{');
      if (open == std::string::npos) {
        r.att_names.push_back(name);
        continue;
      }
      std::size_t close = name.find('}');
      if (close == std::string::npos) fail("'}}' is missing in '{}'", name);
      r.family = name.substr(open + 1, close - open - 1);
      if (!table_.families.contains(r.family)) fail("unknown family '{}'", r.family);
      r.att_names.push_back(name);
    }
    for (const std::string& name : r.att_names)
      if (name.empty()) fail("empty mnemonic");
  }

  void operands(RowText& r, std::string_view text) {
    text = trim(text);
    if (text.empty()) return;
    for (std::string o : split(text, ',')) {
      OperandText operand;
      if (o.starts_with('*')) {
        operand.star = true;
        o.erase(0, 1);
      }
      for (std::size_t open; (open = o.find('{')) != std::string::npos;) {
        std::size_t close = o.find('}', open);
        if (close == std::string::npos) fail("'}}' is missing in '{}'", o);
        std::string deco = o.substr(open, close - open + 1);
        o.erase(open, close - open + 1);
        if (deco == "{k}") operand.deco |= deco_mask;
        else if (deco == "{kz}") operand.deco |= deco_mask | deco_zero;
        else if (deco == "{k!}") operand.deco |= deco_mask | deco_mask_required;
        else if (deco == "{er}") operand.deco |= deco_er | deco_sae;
        else if (deco == "{sae}") operand.deco |= deco_sae;
        else fail("unknown decoration '{}'", deco);
      }
      operand.kind = trim(o);
      if (!table_.kinds.contains(operand.kind)) fail("unknown operand kind '{}'", operand.kind);
      r.operands.push_back(operand);
    }
    if (r.operands.size() > 5) fail("more than five operands");
  }

  // The encoding

  /// HEX, HEX+fam, HEX+N*fam, +fam alone, fam alone; `plus_r` for +r and +i.
  FamilyByte family_byte(const RowText& r, std::string_view s, bool* plus_r) {
    FamilyByte b;
    std::size_t plus = s.find('+');
    std::string_view head = s.substr(0, plus);
    if (plus == s.npos && !is_hex_byte(s)) {
      if (s == r.family) return {0, 1};
      if (s.size() == 1 && s[0] >= '0' && s[0] <= '7') return {unsigned(s[0] - '0'), 0};
      fail("'{}' is neither a byte nor the row's family", s);
    }
    b.base = hex_byte(head);
    if (plus == s.npos) return b;
    std::string_view tail = s.substr(plus + 1);
    if (plus_r && (tail == "r" || tail == "i")) {
      *plus_r = true;
      return b;
    }
    if (plus_r && (tail.ends_with("+r") || tail.ends_with("+i"))) {
      *plus_r = true;
      tail.remove_suffix(2);
    }
    b.factor = 1;
    if (std::size_t star = tail.find('*'); star != tail.npos) {
      b.factor = unsigned(std::stoul(std::string(tail.substr(0, star))));
      tail = tail.substr(star + 1);
    }
    if (tail != r.family) fail("'{}' is not the family of this row", tail);
    return b;
  }

  /// APX.pp.W and NDD.pp.W, or with v for both: legacy instructions in map 4 of EVEX.
  void promoted_prefix(RowText& r, const std::string& text) {
    std::vector<std::string> p = split(text, '.');
    if (p.size() == 2 && p[1] == "v") {
      r.size_prefix = true;
      p = {p[0], "NP", "Wv"};
    }
    if (p.size() != 3) fail("'{}' must have the three parts ENC.pp.W, or be ENC.v", text);
    vector_prefix(r, fmt::format("EVEX.LIG.{}.MAP4.{}", p[1], p[2]));
    r.only64 = true;
    r.disp_size = 1;
    if (p[0] == "NDD") r.flags |= row_nd;
  }

  void vector_prefix(RowText& r, const std::string& text) {
    std::vector<std::string> p = split(text, '.');
    if (p.size() != 5) fail("'{}' must have the five parts ENC.len.pp.map.W", text);
    r.encoding = p[0] == "VEX" ? encoding_vex : p[0] == "XOP" ? encoding_xop : encoding_evex;
    static const std::map<std::string, std::string> lengths = {
        {"LIG", "i"}, {"L0", "x"},  {"LZ", "x"},  {"128", "x"}, {"x", "x"},   {"L1", "y"}, {"256", "y"},
        {"y", "y"},   {"512", "z"}, {"z", "z"},   {"L2", "z"},  {"xy", "xy"}, {"yz", "yz"}, {"xyz", "xyz"}};
    auto length = lengths.find(p[1]);
    if (length == lengths.end()) fail("unknown vector length '{}'", p[1]);
    r.lengths = length->second;
    if (r.encoding != encoding_evex && r.lengths.find('z') != std::string::npos) fail("{} has no 512-bit forms", p[0]);
    static const std::map<std::string, unsigned> pps = {{"NP", pp_none}, {"66", pp_66}, {"F3", pp_f3}, {"F2", pp_f2}};
    auto pp = pps.find(p[2]);
    if (pp == pps.end()) fail("unknown prefix '{}'", p[2]);
    r.pp = pp->second;
    static const std::map<std::string, unsigned> maps = {{"0F", 1},   {"0F38", 2}, {"0F3A", 3}, {"MAP4", 4},
                                                         {"MAP5", 5}, {"MAP6", 6}, {"08", 8},   {"09", 9},
                                                         {"0A", 10},  {"MAP7", 7}};
    auto map = maps.find(p[3]);
    if (map == maps.end() || (map->second >= 8) != (r.encoding == encoding_xop)) fail("{} has no map '{}'", p[0], p[3]);
    r.map = map->second;
    if (p[4] != "W0" && p[4] != "W1" && p[4] != "WIG" && p[4] != "Wv") fail("unknown W '{}'", p[4]);
    r.w = p[4] == "WIG" ? "i" : p[4].substr(1);
  }

  void encoding(RowText& r, std::vector<std::string> w) {
    if (w.empty()) fail("the encoding is missing");
    if (w[0] != ".") r.roles = w[0];
    w.erase(w.begin());
    std::size_t i = 0;
    auto at_opcode = [&] {
      return i + 1 < w.size() && (is_hex_byte(std::string_view(w[i + 1]).substr(0, 2)) || w[i + 1] == "REX.W");
    };
    for (bool more = true; more && i < w.size();) {
      const std::string& t = w[i];
      if (t.starts_with("VEX.") || t.starts_with("XOP.") || t.starts_with("EVEX.")) vector_prefix(r, t);
      else if (t.starts_with("APX.") || t.starts_with("NDD.")) promoted_prefix(r, t);
      else if (t == "o16" || t == "a16") (t[0] == 'o' ? r.operand_size : r.address_size) = size_16;
      else if (t == "o32" || t == "a32") (t[0] == 'o' ? r.operand_size : r.address_size) = size_32;
      else if (t == "o64" || t == "a64") (t[0] == 'o' ? r.operand_size : r.address_size) = size_64;
      else if (t == "REX.W") r.rex_w = true;
      else if (t == "NP") {}
      else if (t == "66" && at_opcode()) r.pp = pp_66;
      else if (t == "F3" && at_opcode()) r.pp = pp_f3;
      else if (t == "F2" && at_opcode()) r.pp = pp_f2;
      else if (t == "9B" && at_opcode()) r.fwait = true;
      else more = false;
      i += more;
    }
    if (r.encoding == encoding_legacy) {
      if (i + 1 < w.size() && w[i] == "0F" && is_hex_byte(std::string_view(w[i + 1]).substr(0, 2))) {
        r.map = map_0f;
        ++i;
        if (i + 1 < w.size() && (w[i] == "38" || w[i] == "3A") && is_hex_byte(std::string_view(w[i + 1]).substr(0, 2)))
          r.map = w[i++] == "38" ? map_0f38 : map_0f3a;
      } else if (i < w.size() && (w[i] == "0F38" || w[i] == "0F3A")) {
        r.map = w[i++] == "0F38" ? map_0f38 : map_0f3a;
      }
    }
    if (i >= w.size()) fail("the opcode is missing");
    r.opcode = family_byte(r, w[i++], &r.opcode_r);
    if (i < w.size() && is_hex_byte(std::string_view(w[i]).substr(0, 2)) &&
        (w[i].size() == 2 || w[i][2] == '+')) {
      r.has_fixed_modrm = true;
      r.fixed_modrm = family_byte(r, w[i++], &r.fixed_r);
    }
    for (; i < w.size(); ++i) {
      const std::string& t = w[i];
      if (t == "/r") r.slash_r = true;
      else if (t.starts_with('/')) {
        r.has_digit = true;
        r.digit = family_byte(r, std::string_view(t).substr(1), nullptr);
      } else if (t.starts_with("scc=")) {
        r.trailer = family_byte(r, std::string_view(t).substr(4), nullptr);
      } else if (t.starts_with("ib=")) {
        r.has_trailer = true;
        r.trailer = family_byte(r, std::string_view(t).substr(3), nullptr);
      } else if (t == "ib" || t == "iw" || t == "id" || t == "iq" || t == "iz" || t == "iv" || t == "is4") {
        r.immediates.push_back(t);
      } else if (t == "cb" || t == "cw" || t == "cd" || t == "cz" || t == "mo") {
        r.target = t;
      } else if (t == ">") {
        grown(r, {w.begin() + long(i) + 1, w.end()});
        return;
      } else {
        fail("'{}' is not understood in an encoding", t);
      }
    }
  }

  void grown(RowText& r, std::vector<std::string> w) {
    std::size_t i = 0;
    r.grows = true;
    if (w.size() > 2 && w[0] == "0F") {
      r.grow_map = map_0f;
      i = 1;
    }
    if (i + 2 != w.size() || w[i + 1] != "cz") fail("behind '>' stand an opcode and cz");
    r.grow_opcode = family_byte(r, w[i], nullptr);
    if (r.target != "cb") fail("only a form with cb can grow");
  }

  void flag(RowText& r, const std::string& name) {
    static const std::map<std::string, u32> bits = {
        {"lock", row_lock},   {"rep", row_rep},           {"repne", row_repne}, {"bnd", row_bnd},
        {"notrack", row_notrack}, {"hle", row_hle},       {"gotx", row_gotx},   {"straight", row_straight},
        {"alt", row_alt},     {"load", row_load},         {"store", row_store}, {"sized", row_sized},
        {"sib", row_sib},     {"distinct", row_distinct}, {"att", row_att},     {"intel", row_intel},
        {"gnu", row_gnu},     {"llvm", row_llvm},         {"comm", row_comm},   {"commf", row_commf},
        {"nf", row_nf}};
    if (auto it = bits.find(name); it != bits.end()) r.flags |= it->second;
    else if (name == "64") r.only64 = true;
    else if (name == "!64") r.not64 = true;
    else if (name == "d64" || name == "f64") r.d64 = true;
    else if (name == "norexw") r.norexw = true;
    else if (name == "novl") r.novl = true;
    else if (name.starts_with("disp8=")) r.disp_size = std::stoi(name.substr(6));
    else if (name == "op=double") r.op = op_double;
    else if (name == "op=pair") r.op = op_pair;
    else if (name == "op=rex2") r.op = op_rex2;
    else if (name == "op=norip") r.op = op_norip;
    else if (name == "op=ccmp") r.op = op_ccmp;
    else if (name == "op=cfcmov") r.op = op_cfcmov;
    else if (name == "op=llvm_imm8") r.op = op_llvm_imm8;
    else if (name == "op=llvm_narrow") r.op = op_llvm_narrow;
    else if (name == "op=lock_high") r.op = op_lock_high;
    else if (name == "op=intel64") r.op = op_intel64;
    else if (name == "op=amd64") r.op = op_amd64;
    else if (name == "op=intel64q") r.op = op_intel64q;
    else if (name == "op=not_amd64")
      r.op = op_not_amd64;
    else if (name == "op=addressed")
      r.op = op_addressed;
    else if (name == "op=later")
      r.op = op_later;
    else if (name == "op=newer")
      r.op = op_newer;
    else if (name == "op=tiles") r.op = op_tiles;
    else if (name == "op=named") r.op = op_named;
    else if (name == "op=two") r.op = op_two;
    else if (name == "op=unsigned") r.op = op_unsigned;
    else fail("unknown flag '{}'", name);
  }

  // Checks of one row

  void check(const RowText& r) {
    if (r.roles.size() != r.operands.size())
      fail("{} operands, but op/en '{}' has {}", r.operands.size(), r.roles, r.roles.size());
    std::map<char, unsigned> count;
    for (std::size_t i = 0; i < r.roles.size(); ++i) {
      char c = r.roles[i];
      if (std::string_view("RMVOISDAXYBC-").find(c) == std::string_view::npos) fail("unknown op/en letter '{}'", c);
      ++count[c];
      if (c != '-' && c != 'I' && count[c] > 1) fail("two operands in field '{}'", c);
      const Kind& k = table_.kinds.find(r.operands[i].kind)->second;
      check_role(c, k, r.operands[i].kind);
      if (k.axis == Axis::size && r.sizes.empty()) fail("kind '{}' needs a size family", r.operands[i].kind);
      if (k.axis == Axis::length && r.lengths.empty()) fail("kind '{}' needs a vector length", r.operands[i].kind);
    }
    bool modrm = r.slash_r || r.has_digit;
    if ((count['R'] || count['M']) && !modrm) fail("/r or /digit is missing: no field holds the operand");
    if (modrm && !count['R'] && !count['M']) fail("ModRM has no operand");
    if (count['R'] && r.has_digit) fail("ModRM.reg holds both an operand and /digit");
    if (r.slash_r && r.has_digit) fail("both /r and /digit");
    if (modrm && r.has_fixed_modrm) fail("ModRM holds both operands and a fixed byte");
    if (count['V'] && r.encoding == encoding_legacy) fail("a legacy encoding has no vvvv");
    if (bool(count['O']) != (r.opcode_r || r.fixed_r)) fail("an O operand and +r or +i go together");
    if (count['S'] && (r.immediates.empty() || r.immediates[0] != "is4")) fail("an S operand needs is4");
    unsigned immediates = 0;
    bool is4 = false;
    for (const std::string& t : r.immediates) (t == "is4" ? is4 : (++immediates, is4)) |= t == "is4";
    if (is4 && !count['S']) fail("is4 without an S operand");
    if (!is4 && immediates != count['I']) fail("{} immediate fields for {} I operands", immediates, count['I']);
    if (is4 && (immediates || count['I'] > 1)) fail("is4 leaves room for one u4 operand only");
    if (count['D'] && (r.target.empty() || r.target == "mo")) fail("a D operand needs cb, cw, cd or cz");
    if (!r.target.empty() && !count['D'] && !count['A']) fail("'{}' without an operand", r.target);
    bool family_used = r.opcode.factor || r.fixed_modrm.factor || r.digit.factor || r.trailer.factor;
    if (!r.family.empty() && !family_used) fail("the number of family '{}' is not used", r.family);
    if (r.w == "v" && r.sizes.empty()) fail("Wv needs a size family");
    for (const OperandText& o : r.operands)
      if (o.deco && r.encoding != encoding_evex) fail("masks and rounding need EVEX");
    if (r.length_suffix && r.lengths.size() < 2) fail("a length suffix needs a vector length family");
    if (r.only64 && r.not64) fail("both 64 and !64");
  }

  void check_role(char c, const Kind& k, const std::string& name) {
    Mask all;
    for (const Mask& m : k.masks)
      for (int s = 0; s < 2; ++s) all.space[s] |= m.space[s];
    u64 immediates = 0, memory = 0;
    for (const ClassName& n : class_names) {
      if (n.space != space_other) continue;
      bool is_memory = (n.name[0] == 'm' && n.name != "moffs" && n.name != "moffs64") || n.name[0] == 'v' ||
                       n.name.starts_with("bc");
      if (is_memory) memory |= class_bit(n.name);
      else if (n.name != "rel" && !n.name.starts_with("moffs")) immediates |= class_bit(n.name);
    }
    u64 other = all.space[space_other];
    bool fits = true;
    switch (c) {
      case 'R': case 'V': case 'O': case 'S': fits = !other && all.space[space_register]; break;
      case 'M': fits = !(other & ~memory); break;
      case 'X': case 'Y': case 'B': case 'C': fits = other && !(other & ~memory) && !all.space[space_register]; break;
      case 'I': fits = !(other & ~immediates) && other && !all.space[space_register]; break;
      case 'D': fits = other == class_bit("rel"); break;
      case 'A': fits = other == class_bit("moffs") || other == class_bit("moffs64"); break;
      default: break;
    }
    if (!fits) fail("an operand of kind '{}' cannot be encoded as '{}'", name, c);
  }
};

}  // namespace

unsigned feature_number(const Table& table, const std::string& name) {
  auto it = table.feature_index.find(name);
  if (it == table.feature_index.end()) fail("unknown feature '{}'", name);
  return it->second;
}

Table read_x86(const std::vector<SourceText>& files) {
  Table table;
  table.sets.push_back({});
  Reader reader(table);
  read_lines(files, '#', reader, table.errors);
  return table;
}

}  // namespace xas::isagen
