// SPDX-License-Identifier: Apache-2.0
// Takes a line with an instruction apart: its operands become values, its mnemonic a number.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xas/xas.hpp"

namespace said {

using std::string;
using xas::Arg;

inline string trimmed(const string& s) {
  const std::size_t from = s.find_first_not_of(" \t"), to = s.find_last_not_of(" \t");
  return from == s.npos ? "" : s.substr(from, to - from + 1);
}

inline std::vector<string> split(const string& s, const char* by) {
  std::vector<string> parts;
  for (std::size_t at = 0, end; at <= s.size(); at = end + std::strlen(by)) {
    end = std::min(s.find(by, at), s.size());
    parts.push_back(trimmed(s.substr(at, end - at)));
  }
  return parts;
}

/// At commas that stand in no brackets.
inline std::vector<string> split_operands(const string& s) {
  std::vector<string> parts;
  string part;
  int depth = 0;
  for (char c : s) {
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (c == ',' && depth == 0) {
      parts.push_back(trimmed(part));
      part.clear();
    } else {
      part += c;
    }
  }
  if (!trimmed(part).empty() || !parts.empty()) parts.push_back(trimmed(part));
  return parts;
}

inline bool is_number(const string& s) {
  char* end;
  if (s.empty() || s == "-") return false;
  std::strtoull(s.c_str() + (s[0] == '-'), &end, 0);
  return *end == '\0' && std::isdigit(s[s[0] == '-']);
}

/// One line, taken apart for a stream.
class Line {
 public:
  virtual ~Line() = default;
  Line(xas::Stream& stream, bool intel, bool x86) : s_(stream), intel_(intel), x86_(x86) {}

  bool has_text = false;  ///< some operand had to stay text

  std::vector<Arg> args;
  string mnemonic;

  /// False: it can't be said.
  bool take(const string& line) {
    std::size_t at = 0;
    for (;;) {
      const bool braced = line[at] == '{';
      std::size_t end = braced ? line.find('}', at) + 1 : line.find_first_of(" \t", at);
      end = std::min(end, line.size());
      const string word = line.substr(at, end - at);
      at = std::min(line.find_first_not_of(" \t", end), line.size());
      mnemonic += (mnemonic.empty() ? "" : " ") + word;
      if (!x86_ || (!braced && !is_prefix(word)) || at == line.size()) break;
    }
    for (char& c : mnemonic) c = char(std::tolower(c));
    if (const std::size_t flags = line.find("{dfv="); x86_ && flags == at) {  // no comma behind it
      const std::size_t end = line.find('}', at) + 1;
      args.push_back(xas::operands::word(keep(line.substr(at, end - at))));
      has_text = true;
      at = end;
    }
    for (const string& o : split_operands(line.substr(at))) {
      if (o.empty()) return false;
      std::optional<Arg> arg = !x86_ ? atom_operand(o) : intel_ ? intel_operand(o) : att_operand(o);
      if (!arg) {
        has_text = true;
        arg = xas::operands::word(keep(o));
      }
      args.push_back(*arg);
    }
    return true;
  }

 protected:
  /// A number, a symbol, or what an expression comes to.
  virtual std::optional<xas::Expression> value(const string& text) {
    if (is_number(text)) {
      const bool negative = text[0] == '-';
      const std::uint64_t n = std::strtoull(text.c_str() + negative, nullptr, 0);
      return xas::Expression(negative ? 0 - n : n);
    }
    if (text.empty() || (text[0] == '.' && text.size() > 1 && std::isdigit(text[1]))) return {};  // .5
    if (!(std::isalpha(text[0]) || text[0] == '_' || text[0] == '.')) return {};
    if (text.find_first_of("()[]{}%$#* ") != text.npos) return {};
    return s_.expression(text);
  }

 private:
  static bool is_prefix(const string& word) {
    static const char* const prefixes[] = {
        "lock",    "rep", "repe", "repz", "repne", "repnz", "bnd", "data16", "data32", "addr16",   "addr32",
        "notrack", "cs",  "ds",   "es",   "fs",    "gs",    "ss",  "rex",    "rex64",  "xacquire", "xrelease"};
    return word.starts_with("rex.") || std::ranges::find(prefixes, word) != std::end(prefixes);
  }

  const char* keep(const string& text) {
    static std::map<string, bool> kept;
    return kept.emplace(text, true).first->first.c_str();
  }

  xas_register reg(const string& name) {
    string lower = name;
    for (char& c : lower) c = char(std::tolower(c));
    return s_.reg(lower.c_str());
  }

  /// {%k1}, {z}, {1to8} behind an operand, which are taken off.
  bool decorations(string& o, xas_register& mask, bool& zeroing, unsigned& broadcast) {
    for (std::size_t at; o.ends_with('}') && (at = o.rfind('{')) != o.npos && at != 0;) {
      const string d = trimmed(o.substr(at + 1, o.size() - at - 2));
      if (d == "z" ? zeroing : d.starts_with("1to") ? broadcast != 0 : mask != 0) return false;  // twice
      if (d == "z")
        zeroing = true;
      else if (d.starts_with("1to"))
        broadcast = unsigned(std::atoi(d.c_str() + 3));
      else if (!(mask = reg(d)))
        return false;
      o = trimmed(o.substr(0, at));
    }
    return true;
  }

  std::optional<Arg> att_operand(string o) {
    xas_register mask = 0, segment = 0;
    bool zeroing = false;
    unsigned broadcast = 0;
    if (o[0] == '{' || !decorations(o, mask, zeroing, broadcast)) return {};
    const bool star = o[0] == '*';
    if (star) o = trimmed(o.substr(1));
    std::optional<Arg> arg;
    if (o[0] == '$') {
      const auto v = value(trimmed(o.substr(1)));
      if (!v) return {};
      arg = xas::operands::imm(*v);
    } else if (const xas_register r = o[0] == '%' ? reg(o) : 0) {
      arg = xas::operands::reg(r);
    } else {
      if (const std::size_t colon = o.find(':'); o[0] == '%' && colon != o.npos) {
        segment = reg(trimmed(o.substr(0, colon)));
        if (!segment) return {};
        o = trimmed(o.substr(colon + 1));
      }
      arg = att_memory(o, star || segment);
      if (!arg) return {};
      arg->segment = segment;
    }
    arg->mask = mask;
    if (zeroing) arg->flags |= XAS_ARG_ZEROING;
    arg->broadcast = std::uint8_t(broadcast);
    return arg;
  }

  std::optional<Arg> att_memory(const string& o, bool memory) {
    const std::size_t open = o.find('(');
    const string before = trimmed(o.substr(0, open));
    std::optional<xas::Expression> v = before.empty() ? xas::Expression() : value(before);
    if (!v) return {};
    if (open == o.npos) return memory ? xas::operands::mem(0, *v) : xas::operands::to(*v);
    if (!o.ends_with(')')) return {};
    const std::vector<string> parts = split(o.substr(open + 1, o.size() - open - 2), ",");
    Arg arg = xas::operands::mem(0, *v);
    if (!parts[0].empty() && !(arg.reg = reg(parts[0]))) return {};
    if (parts.size() > 1 && !(arg.index = reg(parts[1]))) return {};
    if (parts.size() > 2 && !is_number(parts[2])) return {};
    if (parts.size() > 2) arg.scale = std::uint8_t(std::atoi(parts[2].c_str()));
    return arg;
  }

  std::optional<Arg> intel_operand(string o) {
    static const std::map<string, unsigned> sizes = {{"byte", 1},     {"word", 2},     {"dword", 4},
                                                     {"qword", 8},    {"tbyte", 10},   {"fword", 6},
                                                     {"xmmword", 16}, {"ymmword", 32}, {"zmmword", 64}};
    xas_register mask = 0;
    bool zeroing = false;
    unsigned broadcast = 0;
    if (o[0] == '{' || !decorations(o, mask, zeroing, broadcast)) return {};
    std::optional<Arg> arg;
    if (const xas_register r = reg(o)) {
      arg = xas::operands::reg(r);
    } else if (is_number(o)) {
      arg = xas::operands::imm(*value(o));
    } else {
      unsigned size = 0;
      string lower = o;
      for (char& c : lower) c = char(std::tolower(c));
      const std::size_t ptr = lower.find(" ptr ");
      if (ptr != o.npos) {
        const auto known = sizes.find(lower.substr(0, ptr));
        if (known == sizes.end()) return {};
        size = known->second;
        o = trimmed(o.substr(ptr + 5));
      }
      xas_register segment = 0;
      if (const std::size_t colon = o.find(':'); colon != o.npos) {
        if (!(segment = reg(trimmed(o.substr(0, colon))))) return {};
        o = trimmed(o.substr(colon + 1));
      }
      if (o[0] != '[' || !o.ends_with(']')) return {};
      arg = intel_memory(o.substr(1, o.size() - 2));
      if (!arg) return {};
      arg->segment = segment;
      arg->size = std::uint8_t(size);
    }
    arg->mask = mask;
    if (zeroing) arg->flags |= XAS_ARG_ZEROING;
    arg->broadcast = std::uint8_t(broadcast);
    return arg;
  }

  std::optional<Arg> intel_memory(string o) {
    Arg arg = xas::operands::mem(0);
    for (std::size_t at; (at = o.find('-')) != o.npos && (at == 0 || o[at - 1] != '+');) o.insert(at, "+");
    for (const string& term : split(o, "+")) {
      if (term.empty()) continue;
      if (const std::size_t star = term.find('*'); star != term.npos) {
        string a = trimmed(term.substr(0, star)), b = trimmed(term.substr(star + 1));
        if (is_number(a)) std::swap(a, b);
        if (arg.index || !is_number(b) || !(arg.index = reg(a))) return {};
        if (arg.index == reg("si") || arg.index == reg("di")) return {};  // 16-bit addresses have no scale, not even 1
        arg.scale = std::uint8_t(std::atoi(b.c_str()));
      } else if (is_number(term)) {
        arg.value.constant += value(term)->constant;
      } else if (const xas_register r = reg(term)) {
        if (!arg.reg)
          arg.reg = r;
        else if (!arg.index)
          arg.index = r;
        else
          return {};
        // [si+bx], [rax+rsp]
        const bool is_base = r == reg("bx") || r == reg("bp") || r == reg("esp") || (reg("rsp") && r == reg("rsp"));
        if (arg.index && is_base) std::swap(arg.reg, arg.index);
      } else {
        return {};
      }
    }
    return arg;
  }

  /// AArch64, ARM: a number or symbol, with an operator in front of it.
  std::optional<xas::Expression> atom_value(string o) {
    if (o[0] == '#') o = trimmed(o.substr(1));
    if (o[0] != ':') return value(o);
    const std::size_t end = o.find(':', 1);
    if (end == o.npos) return {};
    const std::uint32_t modifier = s_.modifier(o.substr(1, end - 1).c_str());
    auto v = value(trimmed(o.substr(end + 1)));
    if (!v || modifier == XAS_NO_MODIFIER || !v->add || v->modifier) return {};
    v->modifier = modifier;
    return v;
  }

  std::optional<Arg> element(string o) {
    std::size_t open = o.npos;
    if (o.ends_with(']')) open = o.rfind('[');
    const string index = open == o.npos ? "" : trimmed(o.substr(open + 1, o.size() - open - 2));
    if (open != o.npos && !is_number(index)) return {};
    if (open != o.npos) o = trimmed(o.substr(0, open));
    const bool write_back = o.ends_with('!');
    if (write_back) o = trimmed(o.substr(0, o.size() - 1));
    const xas_register r = reg(o);
    if (!r) return {};
    Arg arg = xas::operands::reg(r);
    if (write_back) arg = arg.write_back();
    return open == o.npos || index.empty() ? arg : arg.at(unsigned(std::atoi(index.c_str())));
  }

  /// { v0.4s, v1.4s }: consecutive registers of one kind.
  std::optional<Arg> vector_list(const string& o) {
    const std::size_t close = o.find('}');
    const string inner = trimmed(o.substr(1, close - 1)), behind = trimmed(o.substr(close + 1));
    std::vector<string> names = split(inner, ",");
    if (names.size() == 1 && names[0].find('-') != string::npos) return {};
    const char kind = names[0].empty() ? 0 : char(std::tolower(names[0][0]));
    if (kind != 'v' && kind != 'z') return {};
    const std::size_t dot = names[0].find('.');
    const int first = std::atoi(names[0].c_str() + 1);
    const string tail = dot == string::npos ? "" : names[0].substr(dot);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] != names[0][0] + std::to_string((first + int(i)) % 32) + tail) return {};
    if (names.size() > 4) return {};
    const auto one = element(names[0] + behind);
    if (!one) return {};
    Arg arg = xas::operands::list(one->reg, unsigned(names.size()));
    arg.flags = one->flags, arg.element = one->element;
    return arg;
  }

  std::optional<Arg> atom_memory(string o) {
    const bool write_back = o.ends_with('!');
    if (write_back) o = trimmed(o.substr(0, o.size() - 1));
    if (!o.ends_with(']')) return {};
    const std::vector<string> parts = split(o.substr(1, o.size() - 2), ",");
    const xas_register base = reg(parts[0]);
    if (!base || parts.size() > 3) return {};
    Arg arg = xas::operands::mem(base);
    if (write_back) arg = arg.write_back();
    if (parts.size() == 1) return arg;
    string second = parts[1];
    const bool minus = second[0] == '-' && !is_number(second);
    if (minus) second = trimmed(second.substr(1));
    if (const xas_register index = reg(second)) {
      arg.index = index;
      if (minus) arg = arg.subtracted();
      if (parts.size() == 3) arg.text = keep(parts[2]);
      return arg;
    }
    if (parts.size() == 3) return {};
    if (std::isalpha(second[0]) && second.find("vl") != string::npos) return {};
    const auto v = atom_value(second);
    if (!v || minus || second == "#-0") return {};
    arg.value = *v;
    return arg;
  }

  /// AArch64: branches, and the addresses of places.
  bool goes_somewhere() const {
    static const char* const names[] = {"b", "bl", "cbz", "cbnz", "tbz", "tbnz", "adr", "adrp"};
    return mnemonic.starts_with("b.") || std::ranges::find(names, mnemonic) != std::end(names);
  }

  std::optional<Arg> atom_operand(const string& o) {
    if (o[0] == '[') return atom_memory(o);
    if (o[0] == '{') return vector_list(o);
    if (const auto arg = element(o)) return arg;
    if (const xas_register r = o[0] == '-' ? reg(o.substr(1)) : 0) return xas::operands::reg(r).subtracted();
    if (o[0] != '#' && o[0] != ':' && !is_number(o)) {  // a name, or a symbol
      if (!goes_somewhere() || o.ends_with("+0")) return {};  // LLVM takes it for a sum, which a value is not
      const auto v = value(o);
      return v ? std::optional(Arg(xas::operands::to(*v))) : std::nullopt;
    }
    const auto v = atom_value(o);
    if (!v || o == "#-0" || mnemonic == "fmov") return {};  // the bits of a floating-point number are text
    return xas::operands::imm(*v);
  }

  xas::Stream& s_;
  bool intel_, x86_;
};

/// A mnemonic as a number and what stands beside it.
struct Numbered {
  xas_mnemonic number;
  std::uint32_t how;
};

/// x86's, with prefixes; nothing if one of them has no number.
inline std::vector<Numbered> x86_numbers(const string& mnemonic) {
  static const std::map<string, std::uint32_t> prefixes = {
      {"bnd", XAS_BND},     {"notrack", XAS_NOTRACK}, {"xacquire", XAS_XACQUIRE}, {"xrelease", XAS_XRELEASE},
      {"rep", XAS_REP},     {"repe", XAS_REP},        {"repz", XAS_REP},          {"repne", XAS_REPNE},
      {"repnz", XAS_REPNE}, {"lock", XAS_LOCK},       {"{vex}", XAS_VEX},         {"{vex3}", XAS_VEX3},
      {"{evex}", XAS_EVEX}, {"{nf}", XAS_NF}};
  std::uint32_t how = 0;
  const std::vector<string> words = split(mnemonic, " ");
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto known = prefixes.find(words[i]);
    if (known == prefixes.end()) return {};
    constexpr std::uint32_t encodings = XAS_VEX | XAS_VEX3 | XAS_EVEX;
    if (known->second & encodings) how &= ~encodings;  // the last one counts
    how |= known->second;
  }
  return {{xas_mnemonic_named(words.back().c_str()), how}};
}

/// ARM's: what it may be, with suffixes taken off.
inline std::vector<Numbered> arm_numbers(const string& mnemonic) {
  static const char conditions[] = "eqnehslomiplvsvchilsgeltgtleal";
  std::vector<Numbered> all;
  const std::size_t dot = std::min(mnemonic.find('.'), mnemonic.size());
  string head = mnemonic.substr(0, dot), types = mnemonic.substr(dot);
  std::uint32_t width = 0;
  if (const std::size_t at = types.find(".w"); at != string::npos)
    width = XAS_WIDE, types.erase(at, 2);
  else if (const std::size_t n = types.find(".n"); n != string::npos)
    width = XAS_NARROW, types.erase(n, 2);
  const auto add = [&](const string& name, std::uint32_t how) {
    all.push_back({xas_mnemonic_named((name + types).c_str()), how | width});
  };
  const auto with_condition = [&](const string& name, std::uint32_t how) {
    add(name, how);
    if (name.size() < 3) return;
    const string last = name.substr(name.size() - 2);
    for (std::uint32_t c = 0; c < 15; ++c)
      if (last[0] == conditions[2 * c] && last[1] == conditions[2 * c + 1]) {
        const string rest = name.substr(0, name.size() - 2);
        add(rest, how | (c + 1));
        if (rest.ends_with('s')) add(rest.substr(0, rest.size() - 1), how | (c + 1) | XAS_SETS_FLAGS);
      }
  };
  with_condition(head, 0);
  if (head.ends_with('s')) with_condition(head.substr(0, head.size() - 1), XAS_SETS_FLAGS);
  if (head[0] == 'v' && head.ends_with('t')) add(head.substr(0, head.size() - 1), XAS_THEN);
  if (head[0] == 'v' && head.ends_with('e')) add(head.substr(0, head.size() - 1), XAS_ELSE);
  return all;
}

}  // namespace said
