// SPDX-License-Identifier: Apache-2.0
// Says a text by the functions of xas/stream.h, statement by statement: what a line says is recognized in its plain
// forms; everything else is fed as text. Instructions are said by xas_emit, and by xas_instruction where mnemonics have
// no number (ARM's, with their suffixes).
#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/embedding/said_line.h"
#include "tests/embedding/said_text.h"
#include "tests/embedding/said_unwinding.h"
#include "xas/xas.hpp"

namespace said_text {

class Replay {
 public:
  /// That were said, and how many of them by other functions than xas_feed.
  static inline long lines = 0, verbs = 0;

  /// `probe` has the same options, and begins no assembly.
  Replay(xas::Stream& stream, xas::Context& context, xas::Context& probe, string_view target)
      : stream_(stream), x_(context.get()), probe_(probe), arm_(target.starts_with("arm") || target == "thumb") {
    word_ = target.find("64") != string::npos && target[0] != 'x' && target[0] != 'w' && target[0] != 'm' ? 4
            : arm_                                                                                        ? 4
                                                                                                          : 2;
    if (target == "wa64" || target == "ma64" || target == "ma64ec") word_ = 4;
    if (target == "warm" || target == "marm") word_ = 4;
    coff_ = target.starts_with("w") || target.starts_with("m");
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
      if (v.modifier == XAS_NO_MODIFIER) return false;
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
    return v.constant != 0 || v.modifier == 0;  // a sum is something else than its symbol then
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

  bool seh_handler(const std::vector<string_view>& list) {
    xas_value v = {};
    unsigned when = 0;
    if (list.empty() || !value(list[0], v) || !v.add || v.constant) return false;
    for (std::size_t i = 1; i < list.size(); ++i) {
      const string_view w = list[i].substr(list[i].find_first_of("@%") == 0);
      if (w != "unwind" && w != "except") return false;
      when |= w == "unwind" ? XAS_SEH_UNWIND : XAS_SEH_EXCEPT;
    }
    return xas_seh_handler(x_, &v, when) != XAS_BAD_ARGUMENT;
  }

  /// `s`: the operands as they stand.
  bool seh(string_view name, const std::vector<string_view>& list, string_view s) {
    if (!coff_) return false;
    if (name == "proc") return list.size() == 1 && (xas_seh_begin(x_), true);
    if (name == "endproc") return list.empty() && (xas_seh_end(x_), true);
    return name == "handler" ? seh_handler(list) : say_unwinding(x_, name, list, s);
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

  /// What is said of symbols.
  bool symbols_say(const string& name, const std::vector<string_view>& list) {
    static const std::map<string_view, xas_attribute> attributes = {
        {".globl", XAS_GLOBAL}, {".global", XAS_GLOBAL},     {".weak", XAS_WEAK},          {".local", XAS_LOCAL},
        {".hidden", XAS_HIDDEN}, {".internal", XAS_INTERNAL}, {".protected", XAS_PROTECTED}};
    static const std::map<string_view, xas_attribute> types = {{"function", XAS_FUNCTION},
                                                               {"object", XAS_OBJECT},
                                                               {"tls_object", XAS_TLS_OBJECT},
                                                               {"notype", XAS_NO_TYPE},
                                                               {"gnu_indirect_function", XAS_INDIRECT_FUNCTION},
                                                               {"gnu_unique_object", XAS_UNIQUE_OBJECT}};
    xas_symbol s;
    string_view named = list.empty() ? "" : list[0];
    if (!term(named, s) || !named.empty() || s == XAS_HERE) return false;
    if (const auto known = attributes.find(name); known != attributes.end() && list.size() == 1)
      return !(coff_ && known->second > XAS_WEAK) && xas_declare(x_, s, known->second) != XAS_BAD_ARGUMENT;
    if (list.size() < 2 || coff_) return false;
    if (name == ".type") {
      const auto type = types.find(list[1].substr(list[1].find_first_of("@%") == 0));
      return type != types.end() && xas_declare(x_, s, type->second) != XAS_BAD_ARGUMENT;
    }
    xas_value v = {};
    if (plain_ && list.size() == 2 && (name == ".size" || name == ".set") && value(list[1], v) && !v.modifier)
      return (name == ".size" ? xas_set_size(x_, s, &v) : xas_assign(x_, s, &v, 1)) != XAS_BAD_ARGUMENT;
    std::int64_t size, align;
    if (name != ".comm" || list.size() != 3 || !number(list[1], size) || !number(list[2], align)) return false;
    if (align <= 0 || (align & (align - 1))) return false;
    return xas_common(x_, s, std::uint64_t(size), unsigned(std::countr_zero(std::uint64_t(align)))) != XAS_BAD_ARGUMENT;
  }

  /// name [, "flags" [, @type [, entry size] [, group, comdat]]], or COFF's name, "flags", selection, symbol
  bool section(const std::vector<string_view>& list) {
    static const std::map<string_view, std::uint32_t> types = {
        {"progbits", 1}, {"note", 7}, {"nobits", 8}, {"init_array", 14}, {"fini_array", 15}, {"preinit_array", 16}};
    static const string_view selections[] = {"one_only", "discard", "same_size", "same_contents", "associative",
                                             "largest"};
    xas_section_request r = {};
    string flags;
    if (list.empty() || list[0].empty() || list[0].find_first_of("\"% \t") != string_view::npos) return false;
    r.struct_size = sizeof r;
    r.name = list[0].data(), r.name_size = list[0].size();
    if (list.size() > 1 && (list[1].find('\\') != string_view::npos || !unquoted(list[1], flags))) return false;
    if (list.size() > 1) r.flags = flags.c_str();
    const auto take_group = [&](string_view text) {
      return term(text, r.group) && text.empty() && r.group != XAS_HERE;
    };
    if (coff_) {
      if (list.size() == 4) {
        const auto known = std::ranges::find(selections, list[2]);
        if (known == std::end(selections) || !take_group(list[3])) return false;
        r.selection = std::uint32_t(known - selections) + 1;
      } else if (list.size() > 2) {
        return false;
      }
      return xas_open_section(x_, &r, nullptr) != XAS_BAD_ARGUMENT;
    }
    std::size_t next = 2;
    if (flags.find_first_not_of("awxMSGTe") != string::npos) return false;
    if (list.size() > next) {
      const auto type = types.find(list[next].substr(list[next].find_first_of("@%") == 0));
      if (type == types.end()) return false;
      r.type = type->second, ++next;
    }
    if (flags.find('M') != string::npos) {
      std::int64_t size;
      if (next >= list.size() || !number(list[next++], size) || size == 0) return false;
      r.entry_size = std::uint32_t(size);
    }
    if (flags.find('G') != string::npos) {
      if (next >= list.size() || !take_group(list[next++])) return false;
      if (next < list.size() && list[next] == "comdat") r.selection = 1, ++next;
    }
    return next == list.size() && xas_open_section(x_, &r, nullptr) != XAS_BAD_ARGUMENT;
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
    return known->second = probe_.text().find("the target has no instruction") == string::npos;
  }

  /// Its symbols are handles.
  class HandledLine : public said::Line {
   public:
    explicit HandledLine(Replay& replay) : Line(replay.stream_, false, replay.word_ == 2), replay_(replay) {}

   protected:
    std::optional<xas::Expression> value(const string& text) override {
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
    if (name.starts_with(".seh_")) return seh(string_view(name).substr(5), list, s);
    if (name == ".loc") return loc(s);
    if (name == ".p2align" || name == ".balign") return align(name, list);
    if (name == ".ascii") return strings(list, false);
    if (name == ".asciz" || name == ".string") return strings(list, true);
    xas_value v;
    if (name == ".zero" || name == ".skip")
      return list.size() == 1 && value(list[0], v) && v.constant >= 0 && (xas_fill(x_, &v, 1, 0), true);
    if (name == ".uleb128" || name == ".sleb128")
      return list.size() == 1 && value(list[0], v) && (xas_leb128(x_, &v, name == ".sleb128"), true);
    if (symbols_say(name, list)) return true;
    if (name == ".section" && section(list)) return true;
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
                                                 ".weakref",      ".symver",
                                                 ".previous"};
    return others.count(name) && generic(name, list);
  }

  xas::Stream& stream_;
  xas_context* x_;
  xas::Context& probe_;
  bool arm_;
  bool coff_ = false;
  bool plain_ = true;  ///< instructions are as usual in every line
  std::unordered_map<xas_mnemonic, bool> numbers_;
  unsigned word_;
  string comments_;
  static inline bool macros_ = false;
  std::unordered_map<string, xas_symbol> symbols_;

 public:
  static void forget_macros() { macros_ = false; }
};

}  // namespace said_text
