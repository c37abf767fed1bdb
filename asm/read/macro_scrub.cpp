// SPDX-License-Identifier: Apache-2.0
// What GNU as's macros see of a text.
//
// What is strange: GNU as runs a preprocessor over all text before anything else sees it, and its macros work on what
// is left. That preprocessor removes comments, turns 'c into a decimal number, and keeps a blank between operands only
// where two characters that may belong to names meet; which blanks are left decides where one argument ends and the
// next begins. On x86, // within a line is no comment for it. xas reads text as it is, so only what macros see goes
// through `scrub`: their bodies, their calls.
#include "asm/program/program.h"
#include "asm/read/macro.h"
#include "asm/read/reader.h"
#include "asm/text/append.h"

namespace xas::gnu_macro {

namespace {

/// Where in a line the preprocessor is.
enum class At : u8 {
  line_start,
  before_opcode,  ///< behind the blank that starts a line, or behind a label
  opcode,
  operands,
  name,  ///< behind a character of a name in the operands
  gap,   ///< behind blanks that follow one
};

class Scrubber {
 public:
  Scrubber(const Program& program, std::string_view text, std::string& out)
      : chars_(program.chars),
        operand_start_(program.info.syntax.operand_start),
        slash_comments_(program.info.syntax.slash_line_comment),
        comments_separate_(!slash_comments_ || program.profile.comments_separate),
        p_(text.data()),
        end_(text.data() + text.size()),
        out_(out) {}

  void run(At at) {
    at_ = at;
    while (p_ < end_) {
      const char c = *p_;
      if (c == '\n' || c == chars_.separator) {
        out_ += c;
        ++p_;
        at_ = At::line_start;
      } else if (chars_.is(c, char_blank)) {
        blanks();
      } else if (c == '"') {
        string();
      } else if (c == '\'') {
        character();
      } else if (c == ':') {
        at_ = at_ >= At::operands ? At::operands : At::before_opcode;
        out_ += c;
        ++p_;
      } else if (!comment()) {
        other();
      }
    }
  }

 private:
  bool in_name(char c) const { return chars_.is(c, char_name) || operand_start_.find(c) != std::string_view::npos; }

  void blanks() {
    while (p_ < end_ && chars_.is(*p_, char_blank)) ++p_;
    blank();
  }

  void blank() {
    switch (at_) {
      case At::line_start:
        out_ += ' ';
        at_ = At::before_opcode;
        break;
      case At::opcode:
        if (p_ >= end_ || *p_ == ':' || *p_ == '\n' || *p_ == chars_.separator || starts_comment()) break;
        out_ += ' ';
        at_ = At::operands;
        break;
      case At::name: at_ = At::gap; break;
      default: break;
    }
  }

  bool starts_comment() const {
    return *p_ == chars_.comment[0] && (chars_.comment.size() == 1 || p_[1] == chars_.comment[1]);
  }

  /// The text at p_, if it is a comment, is passed.
  bool comment() {
    if (*p_ == '/' && p_[1] == '*') {
      const char* q = p_ + 2;
      while (q < end_ && !(q[0] == '*' && q[1] == '/')) {
        if (*q++ == '\n') out_ += '\n';
      }
      p_ = q < end_ ? q + 2 : end_;
      if (comments_separate_) {
        blank();
      } else {
        at_ = At::operands;  // it counts as an operand
      }
      return true;
    }
    const bool first = at_ == At::line_start || at_ == At::before_opcode;
    if (first && *p_ == chars_.line_comment && at_ == At::line_start) {
      const char* q = skip_blanks(chars_, p_ + 1);
      if (u8(*q - '0') <= 9) {  // a line marker
        while (p_ < end_ && *p_ != '\n') out_ += *p_++;
        return true;
      }
    }
    const bool here = starts_comment() || (first && (*p_ == chars_.line_comment || (slash_comments_ && *p_ == '/'))) ||
                      (!slash_comments_ && *p_ == '/' && p_[1] == '/');
    if (!here || (!out_.empty() && out_.back() == '\\')) return false;
    while (p_ < end_ && *p_ != '\n') ++p_;
    return true;
  }

  void string() {
    if (at_ == At::gap) out_ += ' ';
    if (at_ >= At::operands) at_ = At::name;
    out_ += *p_++;
    while (p_ < end_) {
      const char c = *p_++;
      if (c == '\\' && p_ < end_) {
        out_ += c;
        // A line that ends in a backslash goes on: the newline is part of the string.
        out_ += *p_ == '\n' ? 'n' : *p_;
        ++p_;
        continue;
      }
      out_ += c;
      if (c == '"') return;
    }
  }

  void character() {
    if (at_ == At::gap) {
      out_ += ' ';
      at_ = At::operands;
    }
    ++p_;
    u8 value = 0;
    if (p_ < end_) value = u8(*p_++);
    if (value == '\\' && p_ < end_) {
      static constexpr std::string_view from = "bfnrt", to = "\b\f\n\r\t";
      value = u8(*p_++);
      if (const auto i = from.find(char(value)); i != from.npos) value = u8(to[i]);
    }
    if (p_ < end_ && *p_ == '\'') ++p_;
    append(out_, "{}", value);
    if (value >= 10 && at_ == At::name) at_ = At::operands;
  }

  void other() {
    const char c = *p_;
    const bool name = in_name(c);
    switch (at_) {
      case At::line_start:
      case At::before_opcode: at_ = At::opcode; break;
      case At::opcode: break;
      case At::gap:
        if (name || c == '\\') out_ += ' ';
        [[fallthrough]];
      default: at_ = name ? At::name : At::operands; break;
    }
    const char* const start = p_++;
    // The rest of a word changes nothing.
    if (at_ == At::opcode || at_ == At::name)
      while (p_ < end_ && is_word(*p_)) ++p_;
    out_.append(start, std::size_t(p_ - start));
  }

  const CharTable& chars_;
  const std::string_view operand_start_;
  const bool slash_comments_;  ///< '/' begins a comment at the start of a line, and "//" none within it
  const bool comments_separate_;
  const char* p_;
  const char* const end_;
  std::string& out_;
  At at_ = At::line_start;
};

}  // namespace

std::string_view take_operands(Reader& reader) {
  const char* const start = reader.p;
  reader.skip_statement();
  while (reader.program().info.syntax.slash_line_comment && reader.p[0] == '/' && reader.p[1] == '/') {
    reader.p += 2;
    reader.skip_statement();
  }
  return {start, std::size_t(reader.p - start)};
}

void scrub(const Program& program, std::string_view text, std::string& out, bool operands) {
  Scrubber(program, text, out).run(operands ? At::operands : At::line_start);
}

}  // namespace xas::gnu_macro
