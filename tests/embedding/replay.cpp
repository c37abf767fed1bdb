// SPDX-License-Identifier: Apache-2.0
// Reads texts and says them by the functions of xas/stream.h, statement by statement; the object has to be the one that
// the text gives, byte for byte, or be refused as it is.
//
//     replay cases FILE...              the cases of tests/cases, for every target and profile that they name
//     replay OPTION... -- FILE...       files, with these options; in XAS_KEEP both objects of one that differs
//
// What a line says is recognized here only in its plain forms; everything else is fed as text. Instructions are said by
// xas_emit, and by xas_instruction where mnemonics have no number (ARM's, with their suffixes).
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/embedding/said_line.h"
#include "tests/embedding/said_text.h"
#include "xas/xas.hpp"

namespace {

using namespace said_text;
using std::string;
using std::string_view;

long lines = 0, verbs = 0;  // that were said, and how many of them by other functions than xas_feed

class Replay {
 public:
  /// `probe` has the same options, and begins no assembly.
  Replay(xas::Stream& stream, xas::Context& context, xas::Context& probe, string_view target)
      : stream_(stream), x_(context.get()), probe_(probe), arm_(target.starts_with("arm") || target == "thumb") {
    word_ = target.find("64") != string::npos && target[0] != 'x' && target[0] != 'w' && target[0] != 'm' ? 4
            : arm_                                                                                        ? 4
                                                                                                          : 2;
    if (target == "wa64" || target == "ma64" || target == "ma64ec") word_ = 4;
    if (target == "warm" || target == "marm") word_ = 4;
    comments_ = word_ == 2 ? "#" : arm_ || target == "warm" || target == "marm" ? "@" : "//";
  }

  bool says_instructions = true;

  void text(string_view text, const char* name) {
    std::uint32_t line = 0;
    plain_ = says_instructions && text.find("_syntax") == text.npos && text.find(".code") == text.npos &&
             text.find(".req") == text.npos && text.find("\t.dn\t") == text.npos && text.find(" .dn ") == text.npos &&
             (comments_[0] != '@' || text.find(".syntax unified") != text.npos);
    for (std::size_t at = 0; at < text.size();) {
      ++line;
      std::size_t end = std::min(text.find('\n', at), text.size());
      string_view s = text.substr(at, end - at);
      const std::uint32_t first = line;
      if (needs_rest(s)) {
        end = text.size();
      } else {
        for (int open = nesting(s); open > 0 && end < text.size();) {
          const std::size_t next = end + 1;
          end = std::min(text.find('\n', next), text.size());
          ++line;
          const string_view more = text.substr(next, end - next);
          if (needs_rest(more)) {
            end = text.size();
            break;
          }
          open += nesting(more);
        }
      }
      s = text.substr(at, end - at);
      ++lines;
      xas_place(x_, name, first);
      if (first == line && end != text.size() ? say(s) : end == text.size() && s.find('\n') == s.npos && say(s))
        ++verbs;
      else
        xas_feed(x_, s.data(), s.size());
      at = end + 1;
    }
  }

 private:
  static string_view word(string_view s) {
    s = trimmed(s);
    std::size_t n = 0;
    while (n < s.size() && is_name(s[n])) ++n;
    return s.substr(0, n);
  }
  static string lower(string_view s) {
    string result(s);
    for (char& c : result) c = char(std::tolower(static_cast<unsigned char>(c)));
    return result;
  }
  /// What follows hangs together with this line in ways that are not looked into.
  static bool needs_rest(string_view s) {
    if (s.find("/*") != s.npos || std::count(s.begin(), s.end(), '"') % 2) return true;
    if (s.find("\\\"") != s.npos && s.find(".mac") != s.npos) return true;
    const string l = lower(s);
    for (const char* w : {".mri", ".end ", ".include", ".altmacro", ".linefile", ".line "})
      if (l.find(w) != l.npos) return true;
    const string_view marker = trimmed(l);  // # 12 "file"
    if (marker.size() > 2 && marker[0] == '#' && std::isdigit(static_cast<unsigned char>(trimmed(marker.substr(1))[0])))
      return true;
    return trimmed(l) == ".end";
  }
  /// How many blocks the line opens or closes.
  static int nesting(string_view s) {
    int n = 0;
    const string l = lower(s);
    for (std::size_t i = 0; i < l.size(); ++i) {
      if (l[i] != '.' || (i && is_name(l[i - 1]))) continue;
      const string_view w = word(string_view(l).substr(i));
      if (w == ".macro" || w == ".rept" || w == ".rep" || w.starts_with(".irp") || w.starts_with(".irep") ||
          w.starts_with(".if"))
        ++n;
      if (w == ".endm" || w == ".endmacro" || w == ".endr" || w == ".endif" || w == ".endc") --n;
      i += w.size();
    }
    if (n > 0 && l.find(".macro") != l.npos) macros_ = true;
    return n;
  }

  xas_symbol symbol(string_view name) {
    auto known = symbols_.find(string(name));
    if (known != symbols_.end()) return known->second;
    return symbols_[string(name)] = xas_symbol_named(x_, name.data(), name.size());
  }

  /// name | '.'
  bool term(string_view& s, xas_symbol& out) {
    if (s.empty() || !is_name_start(s[0])) return false;
    std::size_t n = 0;
    while (n < s.size() && is_name(s[n])) ++n;
    const string_view w = s.substr(0, n);
    if (w.find("$") != w.npos) return false;
    out = w == "." ? XAS_HERE : symbol(w);
    s.remove_prefix(n);
    return true;
  }

  /// number | term [ '@' modifier ] [ '-' term ] [ ('+' | '-') number ]
  bool value(string_view s, xas_value& v) {
    v = {};
    if (number(s, v.constant)) return true;
    if (s.starts_with("-") && number(s.substr(1), v.constant)) return v.constant = -v.constant, v.constant != 0;
    if (!term(s, v.add)) return false;
    if (v.add == XAS_HERE && s.empty()) return true;
    if (s.starts_with("@") && !arm_) {
      const string_view name = word(s.substr(1));
      v.modifier = xas_modifier(x_, string(name).c_str());
      if (!v.modifier) return false;
      s.remove_prefix(1 + name.size());
    } else if (s.size() > 1 && s[0] == '-' && is_name_start(s[1])) {
      s.remove_prefix(1);
      if (!term(s, v.subtract)) return false;
    }
    if (s.empty()) return true;
    const bool minus = s[0] == '-';
    if (s[0] != '+' && !minus) return false;
    if (!number(s.substr(1), v.constant)) return false;
    if (minus) v.constant = -v.constant;
    return true;
  }

  bool data(const std::vector<string_view>& list, unsigned size) {
    std::vector<xas_value> values(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!value(list[i], values[i])) return false;
    for (const xas_value& v : values) {
      const bool plain =
          !v.add && !v.subtract && (size == 8 || (v.constant >= 0 && v.constant < std::int64_t(1) << 8 * size));
      if (plain ? xas_integer(x_, std::uint64_t(v.constant), size) : xas_data(x_, &v, size)) break;
    }
    return !list.empty();
  }

  bool cfi(string_view name, const std::vector<string_view>& list) {
    struct Rule {
      xas_cfi_rule rule;
      int operands;  ///< 1: a register, 2: a number, 3: both
    };
    static const std::map<string_view, Rule> rules = {{"def_cfa", {XAS_CFI_DEF_CFA, 3}},
                                                      {"def_cfa_register", {XAS_CFI_DEF_CFA_REGISTER, 1}},
                                                      {"def_cfa_offset", {XAS_CFI_DEF_CFA_OFFSET, 2}},
                                                      {"adjust_cfa_offset", {XAS_CFI_ADJUST_CFA_OFFSET, 2}},
                                                      {"offset", {XAS_CFI_OFFSET, 3}},
                                                      {"rel_offset", {XAS_CFI_REL_OFFSET, 3}},
                                                      {"val_offset", {XAS_CFI_VAL_OFFSET, 3}},
                                                      {"register", {XAS_CFI_REGISTER, 3}},
                                                      {"return_column", {XAS_CFI_RETURN_COLUMN, 1}},
                                                      {"restore", {XAS_CFI_RESTORE, 1}},
                                                      {"undefined", {XAS_CFI_UNDEFINED, 1}},
                                                      {"same_value", {XAS_CFI_SAME_VALUE, 1}},
                                                      {"remember_state", {XAS_CFI_REMEMBER_STATE, 0}},
                                                      {"restore_state", {XAS_CFI_RESTORE_STATE, 0}},
                                                      {"negate_ra_state", {XAS_CFI_NEGATE_RA_STATE, 0}},
                                                      {"window_save", {XAS_CFI_NEGATE_RA_STATE, 0}},
                                                      {"negate_ra_state_with_pc", {XAS_CFI_NEGATE_RA_STATE_WITH_PC, 0}},
                                                      {"signal_frame", {XAS_CFI_SIGNAL_FRAME, 0}},
                                                      {"b_key_frame", {XAS_CFI_B_KEY_FRAME, 0}},
                                                      {"mte_tagged_frame", {XAS_CFI_MTE_TAGGED_FRAME, 0}}};
    if (name == "startproc" && list.empty()) return xas_cfi_begin(x_, 0), true;
    if (name == "startproc" && list.size() == 1 && list[0] == "simple") return xas_cfi_begin(x_, 1), true;
    if (name == "endproc" && list.empty()) return xas_cfi_end(x_), true;
    const auto rule = rules.find(name);
    if (rule == rules.end() || list.size() != std::size_t((rule->second.operands + 1) / 2)) return false;
    const int has = rule->second.operands;
    std::int64_t reg = 0, offset = 0;
    if ((has & 1) && (!number(list[0], reg) || reg > 1000)) return false;
    xas_value v = {};
    if ((has & 2) && (!value(list.back(), v) || v.add)) return false;
    offset = v.constant;
    if (rule->second.rule == XAS_CFI_REGISTER && offset < 0) return false;
    xas_cfi(x_, rule->second.rule, std::uint32_t(reg), offset);
    return true;
  }

  bool loc(string_view s) {
    std::istringstream words{string(s)};
    std::vector<string> w;
    for (string one; words >> one;) w.push_back(one);
    xas_line line = {sizeof line, 0, 0, 0, 0, 0};
    std::int64_t n[3] = {};
    if (w.size() < 3) return false;
    for (int i = 0; i < 3; ++i)
      if (!number(w[i], n[i]) || n[i] > 0xFFFFFFF) return false;
    if (n[0] == 0 || n[2] == 0) return false;
    line.file = std::uint32_t(n[0]), line.line = std::uint32_t(n[1]), line.column = std::uint32_t(n[2]);
    for (std::size_t i = 3; i < w.size(); ++i) {
      std::int64_t is;
      if (w[i] == "prologue_end")
        line.flags |= XAS_LINE_PROLOGUE_END;
      else if (w[i] == "epilogue_begin")
        line.flags |= XAS_LINE_EPILOGUE_BEGIN;
      else if (w[i] == "is_stmt" && i + 1 < w.size() && number(w[i + 1], is) && is < 2)
        line.flags |= is ? XAS_LINE_STATEMENT : XAS_LINE_NO_STATEMENT, ++i;
      else if (w[i] == "discriminator" && i + 1 < w.size() && number(w[i + 1], is))
        line.discriminator = std::uint32_t(is), ++i;
      else
        return false;
    }
    xas_loc(x_, &line);
    return true;
  }

  bool align(string_view name, const std::vector<string_view>& list) {
    std::int64_t n, fill = 0, most = 0;
    if (list.empty() || list.size() > 3 || !number(list[0], n)) return false;
    const bool has_fill = list.size() > 1 && !list[1].empty();
    if (list.size() == 2 && !has_fill) return false;
    if (has_fill && (!number(list[1], fill) || fill > 255 || fill == 0x90)) return false;
    if (list.size() > 2 && (!number(list[2], most) || most > 0xFFFF)) return false;
    if (name == ".balign") {
      if (n <= 0 || (n & (n - 1))) return false;
      int log2 = 0;
      while ((1 << log2) < n) ++log2;
      n = log2;
    }
    if (n > 12) return false;
    if (has_fill)
      xas_align_filled(x_, unsigned(n), std::uint8_t(fill), std::uint32_t(most));
    else
      xas_align(x_, unsigned(n), std::uint32_t(most));
    return true;
  }

  bool strings(const std::vector<string_view>& list, bool zero) {
    std::vector<string> texts(list.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!unquoted(list[i], texts[i])) return false;
    for (const string& t : texts)
      if (xas_bytes(x_, t.data(), t.size()) || (zero && xas_bytes(x_, "", 1))) break;
    return !list.empty();
  }

  bool generic(const string& name, const std::vector<string_view>& list) {
    std::vector<xas_operand> operands;
    std::vector<string> texts(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      xas_operand o = {};
      o.kind = XAS_OPERAND_WORD;
      o.text = list[i].data(), o.text_size = list[i].size();
      const bool string_plain = list[i].find('\\') == list[i].npos && unquoted(list[i], texts[i]);
      if (string_plain) {
        o.kind = XAS_OPERAND_STRING;
        o.text = texts[i].data(), o.text_size = texts[i].size();
      } else if ((name == ".size" || name == ".globl" || name == ".set" || name == ".hidden") &&
                 value(list[i], o.value) && !o.value.modifier) {
        o.kind = XAS_OPERAND_VALUE;
      }
      operands.push_back(o);
    }
    return xas_directive(x_, name.c_str(), operands.data(), operands.size()) != XAS_BAD_ARGUMENT;
  }

  /// Without the comment at its end; false if it is more than one statement.
  bool cut(string_view& s) const {
    bool quoted = false;
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (quoted && s[i] == '\\')
        ++i;
      else if (s[i] == '"')
        quoted = !quoted;
      else if (!quoted && s[i] == ';')
        return false;
      else if (!quoted && s.substr(i).starts_with(comments_))
        return s = trimmed(s.substr(0, i)), !arm_ || s[0] != '.';  // of versions, '@' is a part
    }
    return true;
  }

  /// Whether the tables have a mnemonic of this number.
  bool is_known(xas_mnemonic number) {
    const auto [known, is_new] = numbers_.try_emplace(number, false);
    if (!is_new) return known->second;
    probe_.encode(xas::Mnemonic(number), {});
    return known->second = probe_.text().find("no instruction with the number") == string::npos;
  }

  /// Its symbols are handles.
  class HandledLine : public said::Line {
   public:
    explicit HandledLine(Replay& replay) : Line(replay.stream_, false, replay.word_ == 2), replay_(replay) {}

   protected:
    std::optional<xas_value> value(const string& text) override {
      xas_value v;
      if (replay_.value(text, v)) return v;
      return Line::value(text);
    }

   private:
    Replay& replay_;
  };

  bool instruction(string_view s) {
    if (!plain_ || macros_ || s.find('"') != s.npos) return false;
    HandledLine line(*this);
    if (!line.take(string(s))) return false;
    // What a branch goes to may have a register's name.
    const string_view m = line.mnemonic;
    const bool goes = m == "bl" || m == "b" || m.starts_with("b.") || m.starts_with("cb") || m.starts_with("tb") ||
                      m.starts_with("adr");
    if (word_ != 2 && goes && (line.args.empty() || line.args.back().kind == XAS_ARG_REGISTER)) return false;
    std::vector<said::Numbered> number;
    if (word_ == 2)
      number = said::x86_numbers(line.mnemonic);
    else if (comments_ == "//")
      number = {{xas_mnemonic_named(line.mnemonic.c_str()), 0}};
    if (number.size() == 1 && is_known(number[0].number))
      stream_.emit(xas::Mnemonic(number[0].number), line.args, number[0].how);
    else
      stream_.instruction(line.mnemonic.c_str(), line.args);
    return true;
  }

  /// True if the line has been said by functions.
  bool say(string_view line) {
    string_view s = trimmed(line);
    if (!cut(s)) return false;
    const string_view whole = s;
    const string_view w = word(s);
    if (w.empty() || !is_name_start(w[0])) return false;
    s.remove_prefix(w.size());
    if (s.starts_with(":")) {
      if (w == "." || w.find('$') != w.npos || macros_ || !trimmed(s.substr(1)).empty()) return false;
      xas_label(x_, symbol(w));
      return true;
    }
    s = trimmed(s);
    if (s.starts_with(":") || s.starts_with("=")) return plain_ &= s.find('%') == s.npos, false;
    if (w.size() != whole.size() && !std::isspace(static_cast<unsigned char>(whole[w.size()]))) return false;
    if (w[0] != '.') return instruction(whole);
    if (macros_) return false;
    // Names of registers.
    if ((w == ".set" || w == ".equ") && s.find('%') != s.npos) plain_ = false;
    const string name = lower(w);
    const auto list = operands_of(s);
    static const std::map<string_view, unsigned> sizes = {{".byte", 1},  {".short", 2}, {".value", 2}, {".2byte", 2},
                                                          {".hword", 2}, {".long", 4},  {".int", 4},   {".4byte", 4},
                                                          {".quad", 8},  {".8byte", 8}, {".xword", 8}};
    if (name == ".word") return data(list, word_);
    if (const auto size = sizes.find(name); size != sizes.end()) return data(list, size->second);
    if (name.starts_with(".cfi_")) return cfi(string_view(name).substr(5), list);
    if (name == ".loc") return loc(s);
    if (name == ".p2align" || name == ".balign") return align(name, list);
    if (name == ".ascii") return strings(list, false);
    if (name == ".asciz" || name == ".string") return strings(list, true);
    xas_value v;
    if (name == ".zero" || name == ".skip")
      return list.size() == 1 && value(list[0], v) && v.constant >= 0 && (xas_fill(x_, &v, 1, 0), true);
    if (name == ".uleb128" || name == ".sleb128")
      return list.size() == 1 && value(list[0], v) && (xas_leb128(x_, &v, name == ".sleb128"), true);
    if (name == ".popsection") return list.empty() && (xas_pop_section(x_), true);
    static const std::set<string_view> others = {".globl",        ".global",
                                                 ".weak",         ".local",
                                                 ".hidden",       ".protected",
                                                 ".type",         ".size",
                                                 ".set",          ".section",
                                                 ".pushsection",  ".text",
                                                 ".data",         ".bss",
                                                 ".file",         ".ident",
                                                 ".comm",         ".lcomm",
                                                 ".def",          ".scl",
                                                 ".endef",        ".linkonce",
                                                 ".seh_proc",     ".seh_endproc",
                                                 ".seh_pushreg",  ".seh_stackalloc",
                                                 ".seh_setframe", ".seh_savereg",
                                                 ".seh_savexmm",  ".seh_endprologue",
                                                 ".seh_handler",  ".seh_handlerdata",
                                                 ".weakref",      ".symver",
                                                 ".previous"};
    return others.count(name) && generic(name, list);
  }

  xas::Stream& stream_;
  xas_context* x_;
  xas::Context& probe_;
  bool arm_;
  bool plain_ = true;  ///< instructions are as usual in every line
  std::unordered_map<xas_mnemonic, bool> numbers_;
  unsigned word_;
  string comments_;
  static inline bool macros_ = false;
  std::unordered_map<string, xas_symbol> symbols_;

 public:
  static void forget_macros() { macros_ = false; }
};

long passed = 0, failed = 0, refused = 0;

void keep(const string& path, std::span<const std::uint8_t> object) {
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(object.data()), std::ssize(object));
}

void compare(const std::vector<string>& options, string_view target, const string& text, const string& what) {
  // Line markers in a text hold for the rest of it; here xas_place takes their place. What comes in pieces has no
  // checksum, which LLVM puts into line tables that it makes.
  const bool makes_lines =
      std::ranges::any_of(options, [](const string& o) { return o.starts_with("-g") || o.starts_with("--g"); });
  if (makes_lines && (options[0] == "--compat=llvm" || text.find("\n# ") != string::npos)) return;
  // LLVM asks whether a directive stands between two instructions of an IT block that it makes: not to be seen here.
  if (options[0] == "--compat=llvm" && what.find("implicit-it") != what.npos) return;
  xas::Context direct, said, probe;
  for (const string& o : options) {
    if (!direct.option(o.c_str())) return;
    said.option(o.c_str());
    probe.option(o.c_str());
  }
  const bool good = direct.assemble(text, "text.s");
  xas::Stream stream(said);
  if (!stream) return;  // listings
  Replay::forget_macros();
  Replay replay(stream, said, probe, target);
  // Operands in another syntax, and symbols that are named as registers are, are left to texts.
  replay.says_instructions = what.find(" names | a") == what.npos && std::ranges::none_of(options, [](const string& o) {
    return o.find("syntax") != o.npos || o.find("mnemonic") != o.npos;
  });
  replay.text(text, "text.s");
  const bool same_status = stream.finish() == good;
  const auto a = direct.object(), b = said.object();
  if (same_status && std::ranges::equal(a, b)) {
    ++passed;
    refused += !good;
    return;
  }
  if (++failed <= 40) {
    std::fprintf(stderr, "FAIL %s (%s%s)\n", what.c_str(), options[0].c_str(),
                 options.size() > 1 ? options[1].c_str() : "");
    if (!same_status) std::fprintf(stderr, "%s", (good ? said : direct).text().data());
    if (const char* folder = std::getenv("XAS_KEEP"); folder && same_status) {
      keep(string(folder) + "/text.o", a);
      keep(string(folder) + "/said.o", b);
    }
  }
}

string file_text(const char* path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<string> words_of(const string& s) {
  std::istringstream in(s);
  std::vector<string> w;
  for (string one; in >> one;) w.push_back(one);
  return w;
}

struct CaseTarget {
  const char *name, *groups, *gnu, *llvm;
};
constexpr CaseTarget case_targets[] = {
    {"x64", " elf x86 all ", "x86_64-linux-gnu", "x86_64-linux-gnu"},
    {"i386", " elf x86 all ", "i386-linux-gnu", "i386-linux-gnu"},
    {"x32", "", "x86_64-linux-gnux32", "x86_64-linux-gnux32"},
    {"a64", " elf all ", "aarch64-linux-gnu", "aarch64-linux-gnu"},
    {"arm", " elf all ", "arm-linux-gnueabihf", "armv7a-linux-gnueabihf"},
    {"thumb", "", "arm-linux-gnueabihf", "thumbv7a-linux-gnueabihf"},
    {"w64", " coff all ", "x86_64-w64-mingw32", "x86_64-w64-windows-gnu"},
    {"w32", " coff all ", "i686-w64-mingw32", "i686-w64-windows-gnu"},
    {"wa64", "", "", "aarch64-w64-windows-gnu"},
    {"m64", "", "", "x86_64-pc-windows-msvc"},
    {"ma64", "", "", "aarch64-pc-windows-msvc"},
};

/// One header with its text, for the targets and profiles that it names.
void one_case(const string& header, const string& text, const string& file) {
  std::vector<string> fields;
  for (std::size_t at = 4; at <= header.size();) {
    const std::size_t end = std::min(header.find(" | ", at), header.size());
    fields.push_back(string(trimmed(string_view(header).substr(at, end - at))));
    at = end + 3;
  }
  if (fields.size() < 2 || text.find("\n--- ") != text.npos || text.starts_with("--- ")) return;
  const auto named = words_of(fields[1]);
  for (const CaseTarget& t : case_targets) {
    const bool asked = std::ranges::any_of(
        named, [&](const string& w) { return w == t.name || string(t.groups).find(" " + w + " ") != string::npos; });
    if (!asked) continue;
    for (const char* profile : {"gnu", "llvm"}) {
      const bool gnu = profile[0] == 'g';
      if (gnu && !*t.gnu) continue;
      std::vector<string> options = {gnu ? "--compat=gnu" : "--compat=llvm",
                                     string("--target=") + (gnu ? t.gnu : t.llvm)};
      for (const string& f : fields)
        if (f.starts_with(string(profile) + " -") && f.size() > std::strlen(profile) + 2)
          for (const string& o : words_of(f.substr(std::strlen(profile)))) options.push_back(o);
      compare(options, t.name, text, file + ": " + header + " [" + t.name + " " + profile + "]");
    }
  }
}

void cases(const char* path) {
  std::istringstream in(file_text(path));
  string line, text;
  std::vector<string> headers;
  const auto finish = [&] {
    if (!text.empty())
      for (const string& h : headers) one_case(h, text, path);
  };
  while (std::getline(in, line)) {
    if (line.starts_with("=== ")) {
      if (!text.empty()) finish(), headers.clear(), text.clear();
      headers.push_back(line);
    } else if (!headers.empty()) {
      text += line + "\n";
    }
  }
  finish();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && string_view(argv[1]) == "cases") {
    for (int i = 2; i < argc; ++i) cases(argv[i]);
  } else {
    std::vector<string> options;
    int i = 1;
    string target = "x64";
    for (; i < argc && string_view(argv[i]) != "--"; ++i) {
      options.push_back(argv[i]);
      const string o = argv[i];
      if (o.starts_with("--target=aarch64")) target = "a64";
      if (o.starts_with("--target=arm") || o.starts_with("--target=thumb")) target = "arm";
    }
    for (++i; i < argc; ++i) compare(options, target, file_text(argv[i]), argv[i]);
  }
  std::printf("%ld passed, %ld failed; %ld of them refused; %ld statements, %ld of them by functions\n", passed, failed,
              refused, lines, verbs);
  return failed != 0 || passed == 0;
}
