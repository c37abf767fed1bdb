// SPDX-License-Identifier: Apache-2.0
// xas_instruction, xas_emit and xas_encode_instruction against the lists of instructions with their bytes
// (tests/cases/instructions-*.txt): each line is taken apart here, operands become values, mnemonics numbers, and the
// bytes have to be those that the list has from the reference assemblers. Operands that have no value (conditions,
// shifts, names) are handed over as text; what cannot be taken apart is counted. Then mistakes, and what is refused.
//
//     typed_test [--show] LIST...      --show: lines of which some operand had to stay text
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "xas/aarch64.h"
#include "xas/arm.h"
#include "xas/x86.h"
#include "xas/xas.hpp"

namespace {

using std::string;
using xas::Arg;

long passed = 0, failed = 0, typed = 0, partly = 0, skipped = 0, numbered = 0, unnumbered = 0, alone = 0, together = 0;
bool show = false;

void check(bool good, const string& what) {
  ++(good ? passed : failed);
  if (!good && (failed <= 60 || show)) std::fprintf(stderr, "%s\n", what.c_str());
}

string trimmed(const string& s) {
  const std::size_t from = s.find_first_not_of(" \t"), to = s.find_last_not_of(" \t");
  return from == s.npos ? "" : s.substr(from, to - from + 1);
}

std::vector<string> split(const string& s, const char* by) {
  std::vector<string> parts;
  for (std::size_t at = 0, end; at <= s.size(); at = end + std::strlen(by)) {
    end = std::min(s.find(by, at), s.size());
    parts.push_back(trimmed(s.substr(at, end - at)));
  }
  return parts;
}

/// At commas that stand in no brackets.
std::vector<string> split_operands(const string& s) {
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

bool is_number(const string& s) {
  char* end;
  if (s.empty() || s == "-") return false;
  std::strtoull(s.c_str() + (s[0] == '-'), &end, 0);
  return *end == '\0' && std::isdigit(s[s[0] == '-']);
}

/// One line, taken apart for a stream.
class Line {
 public:
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
      args.push_back(xas::word(keep(line.substr(at, end - at))));
      has_text = true;
      at = end;
    }
    for (const string& o : split_operands(line.substr(at))) {
      if (o.empty()) return false;
      std::optional<Arg> arg = !x86_ ? atom_operand(o) : intel_ ? intel_operand(o) : att_operand(o);
      if (!arg) {
        has_text = true;
        arg = xas::word(keep(o));
      }
      args.push_back(*arg);
    }
    return true;
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

  std::optional<xas_value> value(const string& text) {
    if (is_number(text)) {
      const bool negative = text[0] == '-';
      const std::uint64_t n = std::strtoull(text.c_str() + negative, nullptr, 0);
      return xas_value{std::int64_t(negative ? 0 - n : n), 0, 0, 0};
    }
    if (text.empty() || (text[0] == '.' && text.size() > 1 && std::isdigit(text[1]))) return {};  // .5
    if (!(std::isalpha(text[0]) || text[0] == '_' || text[0] == '.')) return {};
    if (text.find_first_of("()[]{}%$#* ") != text.npos) return {};
    return s_.expression(text);
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
      arg = xas::imm(*v);
    } else if (const xas_register r = o[0] == '%' ? reg(o) : 0) {
      arg = xas::reg(r);
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
    std::optional<xas_value> v = before.empty() ? xas_value{} : value(before);
    if (!v) return {};
    if (open == o.npos) return memory ? xas::mem(0, *v) : xas::to(*v);
    if (!o.ends_with(')')) return {};
    const std::vector<string> parts = split(o.substr(open + 1, o.size() - open - 2), ",");
    Arg arg = xas::mem(0, *v);
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
      arg = xas::reg(r);
    } else if (is_number(o)) {
      arg = xas::imm(*value(o));
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
    Arg arg = xas::mem(0);
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
  std::optional<xas_value> atom_value(string o) {
    if (o[0] == '#') o = trimmed(o.substr(1));
    if (o[0] != ':') return value(o);
    const std::size_t end = o.find(':', 1);
    if (end == o.npos) return {};
    const std::uint32_t modifier = s_.modifier(o.substr(1, end - 1).c_str());
    auto v = value(trimmed(o.substr(end + 1)));
    if (!v || !modifier || !v->add || v->modifier) return {};
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
    Arg arg = xas::reg(r);
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
    Arg arg = xas::list(one->reg, unsigned(names.size()));
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
    Arg arg = xas::mem(base);
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

  std::optional<Arg> atom_operand(const string& o) {
    if (o[0] == '[') return atom_memory(o);
    if (o[0] == '{') return vector_list(o);
    if (const auto arg = element(o)) return arg;
    if (const xas_register r = o[0] == '-' ? reg(o.substr(1)) : 0) return xas::reg(r).subtracted();
    if (o[0] != '#' && o[0] != ':' && !is_number(o)) return {};  // a name, or a symbol
    const auto v = atom_value(o);
    if (!v || o == "#-0" || mnemonic == "fmov") return {};  // the bits of a floating-point number are text
    return xas::imm(*v);
  }

  xas::Stream& s_;
  bool intel_, x86_;
};

/// The contents of .text in an ELF object, in hexadecimal.
string text_section(std::span<const std::uint8_t> o) {
  const auto number = [&](std::size_t at, unsigned size) {
    std::uint64_t n = 0;
    for (unsigned i = size; i-- > 0;) n = n << 8 | o[at + i];
    return n;
  };
  const bool wide = o[4] == 2;
  const std::size_t table = number(wide ? 0x28 : 0x20, wide ? 8 : 4), entry = wide ? 64 : 40;
  const auto field = [&](std::size_t section, unsigned at64, unsigned at32) {
    return number(table + section * entry + (wide ? at64 : at32), wide ? 8 : 4);
  };
  const std::size_t names = field(number(wide ? 0x3E : 0x32, 2), 0x18, 0x10);
  for (std::size_t i = 0; i < number(wide ? 0x3C : 0x30, 2); ++i) {
    const char* name = reinterpret_cast<const char*>(o.data() + names + number(table + i * entry, 4));
    if (std::strcmp(name, ".text") != 0) continue;
    const std::size_t at = field(i, 0x18, 0x10), size = field(i, 0x20, 0x14);
    string hex;
    char two[3];
    for (std::size_t k = 0; k < size; ++k) std::snprintf(two, sizeof two, "%02x", o[at + k]), hex += two;
    return hex;
  }
  return "";
}

/// A list's targets, as in encode.cpp.
struct ListTarget {
  const char* name;
  std::vector<const char*> gnu, llvm;
  bool x86;
};

const ListTarget targets[] = {
    {"x64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}, true},
    {"x86_64", {"--target=x86_64-linux-gnu"}, {"--target=x86_64-linux-gnu"}, true},
    {"i386", {"--target=i386-linux-gnu"}, {"--target=i386-linux-gnu"}, true},
    {"all-a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}, false},
    {"a64", {"--target=aarch64-linux-gnu"}, {"--target=aarch64-linux-gnu"}, false},
    {"all-a32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=armv8a-linux-gnueabihf"}, false},
    {"all-t32", {"--target=arm-linux-gnueabihf", "-mcpu=all"}, {"--target=thumbv8a-linux-gnueabihf"}, false},
};

/// A mnemonic as a number and what stands beside it.
struct Numbered {
  xas_mnemonic number;
  std::uint32_t how;
};

/// x86's, with prefixes; nothing if one of them has no number.
std::vector<Numbered> x86_numbers(const string& mnemonic) {
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
std::vector<Numbered> arm_numbers(const string& mnemonic) {
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

/// An instruction of numbers alone, and its bytes.
struct Plain {
  Numbered mnemonic;
  std::vector<Arg> args;
  string bytes;
};

string encoded(xas::Context& context, const Numbered& n, const std::vector<Arg>& args) {
  const xas::Encoding e = context.encode(xas::Mnemonic(n.number), args, 0, n.how);
  string bytes;
  char two[3];
  for (std::size_t i = 0; e && i < e.raw.size; ++i)
    std::snprintf(two, sizeof two, "%02x", e.raw.bytes[i]), bytes += two;
  return bytes;
}

/// The same instruction by its number: in a stream, and alone, if it can be; then it is added to `plain`.
void run_numbers(xas::Context& context, const string& before, const string& line, const string& expected, bool x86,
                 bool intel, const string& what, std::vector<Plain>& plain) {
  bool known = false;
  for (int attempt = 0; !known; ++attempt) {
    xas::Stream s(context);
    s.feed(before);
    Line said(s, intel, x86);
    said.take(line);
    const bool is_arm = what.find("a32") != string::npos || what.find("t32") != string::npos;
    const std::vector<Numbered> all = x86      ? x86_numbers(said.mnemonic)
                                      : is_arm ? arm_numbers(said.mnemonic)
                                               : std::vector<Numbered>{{xas_mnemonic_named(said.mnemonic.c_str()), 0}};
    if (std::size_t(attempt) >= all.size()) {
      s.finish();
      ++unnumbered;
      if (show) std::printf("no number: %s\n", line.c_str());
      return;
    }
    const Numbered n = all[std::size_t(attempt)];
    s.emit(xas::Mnemonic(n.number), said.args, n.how);
    const string found = s.finish() ? text_section(context.object()) : "error";
    if (found == "error" && context.text().find("no instruction with the number") != string::npos) continue;
    known = true;
    if (expected == "error" && said.has_text) return;
    if (is_arm && found != expected && std::size_t(attempt) + 1 < all.size()) {
      known = false;  // the suffix may be another one
      continue;
    }
    ++numbered;
    check(found == expected, what + ": " + line + ": by its number " + found + " and not " + expected +
                                 (found == "error" ? ": " + string(context.text()) : ""));
    bool can_be_alone = before.empty() && expected != "error";
    for (const Arg& a : said.args)
      can_be_alone &= !a.value.add && !a.value.subtract && a.kind != XAS_ARG_TARGET && a.kind != XAS_ARG_WORD;
    if (!can_be_alone) return;
    const string bytes = encoded(context, n, said.args);
    plain.push_back({n, said.args, expected});
    ++alone;
    check(bytes == expected, what + ": " + line + ": alone " + bytes + " and not " + expected + string(context.text()));
  }
}

void run_line(xas::Context& context, const string& before, const string& line, const string& expected, bool x86,
              const string& header, std::vector<Plain>& plain) {
  xas::Stream s(context);
  const string lower = before + " " + header;
  const bool intel = lower.find("intel") != lower.npos;
  s.feed(before);
  Line said(s, intel, x86);
  if (!said.take(line)) {
    s.finish();
    ++skipped;
    return;
  }
  s.instruction(said.mnemonic.c_str(), said.args);
  const string found = s.finish() ? text_section(context.object()) : "error";
  if (expected == "error" && said.has_text) return;
  ++(said.has_text ? partly : typed);
  if (show && said.has_text) std::printf("%s\n", line.c_str());
  check(found == expected, header + ": " + line + ": " + found + " and not " + expected +
                               (found == "error" ? ": " + string(context.text()) : ""));
  run_numbers(context, before, line, expected, x86, intel, header, plain);
}

/// All of them in one stream, which knows what most of them come to from those of the same shape before.
void run_together(xas::Context& context, const std::vector<Plain>& all, const string& what) {
  std::vector<std::size_t> ends;
  xas::Stream s(context);
  for (const Plain& p : all) {
    s.emit(xas::Mnemonic(p.mnemonic.number), p.args, p.mnemonic.how);
    ends.push_back(std::size_t(s.offset().value_or(0)));
  }
  const string found = s.finish() ? text_section(context.object()) : "";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t at = i ? ends[i - 1] : 0;
    const string bytes = 2 * ends[i] <= found.size() ? found.substr(2 * at, 2 * (ends[i] - at)) : "nothing";
    ++together;
    check(bytes == all[i].bytes,
          what + ": instruction " + std::to_string(i) + " among others is " + bytes + " and not " + all[i].bytes);
  }
}

/// The same with other registers of their kind and other numbers; what these come to is found out one by one.
std::vector<Plain> vary(xas::Context& context, const std::vector<Plain>& all) {
  static std::vector<std::vector<xas_register>> kinds;
  if (kinds.empty()) {
    using namespace xas::x86;
    kinds = {{al, cl, dl, bl, ah, bh, spl, bpl, sil, dil, r8b, r12b, r13b, r15b},
             {ax, cx, dx, bx, sp, bp, si, di, r8w, r12w, r13w, r15w},
             {eax, ecx, edx, ebx, esp, ebp, esi, edi, r8d, r12d, r13d, r15d},
             {rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r12, r13, r15, r16, r20, r21, r31},
             {xmm0, xmm1, xmm4, xmm5, xmm7, xmm8, xmm12, xmm15, xmm16, xmm31},
             {ymm0, ymm1, ymm4, ymm5, ymm7, ymm8, ymm12, ymm15, ymm16, ymm31},
             {zmm0, zmm1, zmm7, zmm8, zmm15, zmm16, zmm31},
             {k0, k1, k2, k7}};
  }
  constexpr std::int64_t numbers[] = {
      0,     1,     2,     3,      4,         8,          15,         16,         64,         100,          127,
      128,   200,   255,   256,    -1,        -128,       -129,       -32768,     -32769,     -70000,       32767,
      32768, 65535, 65536, 100000, 999999999, 1000000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, -0x80000000ll};
  static std::uint32_t state = 1;
  const auto random = [](std::size_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  const auto other = [&](xas_register& r) {
    for (const auto& kind : kinds)
      if (std::ranges::find(kind, r) != kind.end()) r = kind[random(kind.size())];
  };
  std::vector<Plain> varied;
  for (const Plain& p : all) {
    for (int round = 0; round < 4; ++round) {
      Plain v = p;
      for (Arg& a : v.args) {
        other(a.reg);
        other(a.index);
        if (random(2) && (a.kind == XAS_ARG_VALUE || a.kind == XAS_ARG_MEMORY))
          a.value.constant = numbers[random(std::size(numbers))];
      }
      v.bytes = encoded(context, v.mnemonic, v.args);
      if (!v.bytes.empty() && context.diagnostic_count() == 0) varied.push_back(v);
    }
  }
  return varied;
}

void run_list(const string& header, const std::vector<string>& lines) {
  const std::vector<string> fields = split(header, "|");
  if (fields.size() < 3 || fields.back() != "instructions") return;
  const ListTarget* target = nullptr;
  for (const ListTarget& t : targets)
    if (fields[1] == t.name) target = &t;
  if (!target) return;
  for (const bool llvm : {false, true}) {
    xas::Context context;
    bool left_out = false, good = context.option(llvm ? "--compat=llvm" : "--compat=gnu");
    for (const char* option : llvm ? target->llvm : target->gnu) good &= context.option(option);
    for (const string& field : fields) {
      if (!field.starts_with(llvm ? "llvm" : "gnu")) continue;
      for (const string& option : split(field.substr(llvm ? 4 : 3), " ")) {
        left_out |= option == "-";
        if (!option.empty() && option != "-") good &= context.option(option.c_str());
      }
    }
    if (left_out) continue;
    check(good, header + ": " + context.error());
    string before;
    std::vector<Plain> plain;
    for (const string& given : lines) {
      const string line = trimmed(given);
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '.') {
        before += line + "\n";
        continue;
      }
      const std::vector<string> parts = split(line, "//");
      string expected = parts.size() > 1 ? parts[1] : "error";
      if (llvm && parts.size() > 2 && parts[2].starts_with("llvm ")) expected = parts[2].substr(5);
      run_line(context, before, parts[0], expected, target->x86, header + (llvm ? " (llvm)" : " (gnu)"), plain);
    }
    run_together(context, plain, header);
    if (target->x86) run_together(context, vary(context, plain), header + ", varied");
  }
}

void run_file(const char* path) {
  std::ifstream file(path);
  string header;
  std::vector<string> lines;
  for (string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      if (!header.empty()) run_list(header, lines);
      header = line.substr(4);
      lines.clear();
    } else {
      lines.push_back(line);
    }
  }
  if (!header.empty()) run_list(header, lines);
}

/// Places of mistakes, and what is no operand.
void run_mistakes() {
  xas::Context context;
  context.option("--target=x86_64-linux-gnu");
  {
    xas::Stream s(context);
    const xas_register eax = s.reg("eax"), rsp = s.reg("%rsp");
    check(eax && rsp && eax == s.reg("eax") && !s.reg("ebz") && !s.reg(""), "registers");
    s.place("a.toy", 70);
    check(s.instruction("movl", {xas::imm(1), xas::reg(eax)}), "right");
    s.place(nullptr, 71);
    check(!s.instruction("movb", {xas::imm(1), xas::reg(eax)}), "no such form");
    check(!s.instruction("mowl", {xas::imm(1), xas::reg(eax)}), "no such mnemonic");
    check(!s.instruction("movl", {xas::mem(0, rsp, 4), xas::reg(eax)}), "the stack pointer as index");
    check(!s.instruction("movl", {xas::mem(rsp, eax, 3), xas::reg(eax)}), "a scale of 3");
    check(!s.instruction("movl", {xas::word("(%rsp"), xas::reg(eax)}), "text without its end");
    check(!s.instruction("movl", {xas::word("$1, %eax")}), "two operands in one");
    check(!s.instruction("lock", {xas::reg(eax)}), "a prefix with operands");
    check(!s.instruction("movl", std::vector<Arg>(17, xas::reg(eax))), "too many");
    check(xas_instruction(context.get(), nullptr, nullptr, 0) == XAS_BAD_ARGUMENT, "no mnemonic");
    Arg bad = xas::reg(1000);
    check(xas_instruction(context.get(), "push", &bad, 1) == XAS_BAD_ARGUMENT, "no register");
    bad = xas::word(nullptr);
    check(xas_instruction(context.get(), "push", &bad, 1) == XAS_BAD_ARGUMENT, "no text");
    check(!s.finish(), "mistakes");
  }
  check(context.diagnostic_count() == 8, "their number: " + string(context.text()));
  for (std::size_t i = 0; i < context.diagnostic_count(); ++i) {
    const xas_diagnostic& d = context.diagnostic(i);
    check(d.line == 71 && std::strcmp(d.file, "a.toy") == 0, "the place of " + string(d.message));
  }
  check(xas_register_named(context.get(), "eax") == XAS_X86_EAX, "a register outside of an assembly");
}

/// The numbers of the headers: registers' are those of their names, and stay what they are.
void run_numbers_of_headers() {
  struct Register {
    const char* target;
    const char* name;
    std::uint32_t number;
    std::uint32_t fixed;
  };
  constexpr Register registers[] = {{"x86_64-linux-gnu", "al", XAS_X86_AL, 1},
                                    {"x86_64-linux-gnu", "rax", XAS_X86_RAX, 4},
                                    {"x86_64-linux-gnu", "r31", XAS_X86_R31, 136},
                                    {"x86_64-linux-gnu", "bnd3", XAS_X86_BND3, 331},
                                    {"x86_64-linux-gnu", "xmm31", XAS_X86_XMM31, 247},
                                    {"aarch64-linux-gnu", "x30", XAS_AARCH64_X30, 2079},
                                    {"aarch64-linux-gnu", "sp", XAS_AARCH64_SP, 2592},
                                    {"aarch64-linux-gnu", "v31.16b", XAS_AARCH64_V31_16B, 16928},
                                    {"aarch64-linux-gnu", "za3v.s", XAS_AARCH64_ZA3V_S, 35588},
                                    {"arm-linux-gnueabihf", "lr", XAS_ARM_LR, 2063},
                                    {"arm-linux-gnueabihf", "q15", XAS_ARM_Q15, 16927}};
  for (const Register& r : registers) {
    xas::Context context;
    context.option((string("--target=") + r.target).c_str());
    check(xas_register_named(context.get(), r.name) == r.number && r.number == r.fixed,
          string(r.name) + ": the number has changed to " + std::to_string(r.number));
  }
  check(xas_mnemonic_named("addl") == XAS_X86_ADDL && XAS_X86_ADDL == 2144182052, "the number of addl");
  check(unsigned(XAS_AARCH64_ADD) == unsigned(XAS_ARM_ADD), "a name has one number");
  xas::Context context;
  using namespace xas::x86;
  check(bool(context.encode(addl, {xas::imm(1), eax})) && !context.encode(addl, {eax}), "a result of encode");
  check(!context.encode(xas::Mnemonic(77), {}), "no mnemonic");
  check(context.encode(incl, {xas::mem(rax, rcx, 4)}, 0, XAS_LOCK).raw.size == 4, "a prefix");
  check(!context.encode(incl, {eax}, 0, 1u << 20), "no prefix");
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--show") == 0)
      show = true;
    else
      run_file(argv[i]);
  run_mistakes();
  run_numbers_of_headers();
  std::printf(
      "typed: %ld passed, %ld failed; %ld instructions of values alone, %ld with operands as text, %ld not said; "
      "%ld by numbers (%ld have none), %ld of them without an object, %ld in one stream\n",
      passed, failed, typed, partly, skipped, numbered, unnumbered, alone, together);
  return failed != 0;
}
