// From the text of `print_file` to bits. It has the syntax of the assembler's `.bs_*` directives without expressions,
// and leaves every check of a stream to the Writer, as those directives do.
#include <fmt/format.h>

#include <optional>

#include "objwriter/metadata/bitstream_text.h"

namespace xas::bitstream {
namespace {

bool is_digit(char c) { return u8(c - '0') <= 9; }
bool is_word(char c) { return is_digit(c) || u8((c | 0x20) - 'a') <= 25 || c == '_' || c == '.'; }

class TextAssembler {
 public:
  TextAssembler(std::string_view text, std::vector<u8>& bytes, TextError& error)
      : text_(text), bytes_(bytes), error_(error) {}

  bool assemble() {
    for (blanks(); at_ < text_.size(); blanks()) {
      if (accept('\n')) {
        ++line_;
        continue;
      }
      if (accept(';')) continue;
      if (!statement()) return false;
      blanks();
      if (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ';') return fail("junk at the end of the line");
    }
    return !writer_ || fail("'.bs_begin' without '.bs_end'");
  }

 private:
  bool fail(std::string message) {
    error_ = {line_, std::move(message)};
    return false;
  }
  bool check(bool done) { return done || fail(writer_->error().message); }

  // Characters

  void blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.substr(at_, 2) == "/*") {
        const std::size_t end = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
        for (; at_ < end; ++at_) line_ += text_[at_] == '\n';
      } else {
        return;
      }
    }
  }
  bool accept(char c) {
    blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    blanks();
    const std::size_t start = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  bool number(u64& value) {
    const bool negative = accept('-');
    const std::string_view digits = word();
    unsigned base = 10;
    std::size_t i = 0;
    if (digits.starts_with("0x"))
      base = 16, i = 2;
    else if (digits.size() > 1 && digits[0] == '0')
      base = 8, i = 1;
    if (i == digits.size()) return fail("a number is wanted");
    value = 0;
    for (; i < digits.size(); ++i) {
      const char c = digits[i];
      const unsigned digit = c >= '0' && c <= '9'   ? unsigned(c - '0')
                             : c >= 'a' && c <= 'f' ? unsigned(c - 'a' + 10)
                                                    : 99;
      if (digit >= base) return fail(fmt::format("'{}' is no number", digits));
      if (value > (~u64(0) - digit) / base) return fail(fmt::format("'{}' has more than 64 bits", digits));
      value = value * base + digit;
    }
    if (negative) value = u64(0) - value;
    return true;
  }

  /// Behind the opening quote.
  bool string(std::string& text) {
    text.clear();
    for (; at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n'; ++at_) {
      if (text_[at_] != '\\') {
        text += text_[at_];
        continue;
      }
      if (!escape(text)) return false;
    }
    return accept('"') || fail("a string without its end");
  }

  /// At a backslash; goes to the last character of the escape.
  bool escape(std::string& text) {
    const auto digit = [&](std::size_t i, unsigned base) -> int {
      if (i >= text_.size()) return -1;
      const char c = text_[i];
      const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
      return value < int(base) ? value : -1;
    };
    if (++at_ >= text_.size()) return fail("a string without its end");
    if (text_[at_] == '"' || text_[at_] == '\\') return text += text_[at_], true;
    const bool hexadecimal = text_[at_] == 'x';
    const std::size_t first = at_ + hexadecimal, longest = hexadecimal ? 2 : 3;
    unsigned value = 0;
    std::size_t n = 0;
    for (int d; n < longest && (d = digit(first + n, hexadecimal ? 16 : 8)) >= 0; ++n) {
      value = value * (hexadecimal ? 16 : 8) + unsigned(d);
    }
    if (n == 0) return fail("an escape is \\ooo, \\xhh, \\\\ or \\\"");
    at_ = first + n - 1;
    text += char(value);
    return true;
  }

  // Statements

  bool statement() {
    const std::string_view name = word();
    if (name == ".byte") return data(1);
    if (name == ".long") return data(4);
    if (name == ".zero") {
      u64 count;
      if (!number(count)) return false;
      if (count > u64(1) << 40) return fail("'.zero' of more than 2^40 bytes");
      if (writer_) return fail("'.zero' in a stream");
      bytes_.resize(bytes_.size() + count);
      return true;
    }
    if (name == ".bs_begin") return begin();
    if (!name.starts_with(".bs_")) return fail(fmt::format("unknown directive '{}'", name));
    if (!writer_) return fail(fmt::format("'{}' outside of '.bs_begin' and '.bs_end'", name));
    if (name == ".bs_block") return block();
    if (name == ".bs_end_block") return check(writer_->leave());
    if (name == ".bs_abbrev") return abbreviation();
    if (name == ".bs_record" || name == ".bs_record_as") return record(name == ".bs_record_as");
    if (name == ".bs_bits") return raw_bits();
    if (name == ".bs_end") return end();
    return fail(fmt::format("unknown directive '{}'", name));
  }

  bool data(unsigned size) {
    if (writer_) return fail("data in a stream: '.bs_bits' gives raw bits");
    do {
      u64 value;
      if (!number(value)) return false;
      if (i64(value) < 0 ? i64(value) < -(i64(1) << (8 * size - 1)) : value >> (8 * size)) {
        return fail(fmt::format("{} does not fit in {} bytes", value, size));
      }
      for (unsigned i = 0; i < size; ++i) bytes_.push_back(u8(value >> (8 * i)));
    } while (accept(','));
    return true;
  }

  bool begin() {
    if (writer_) return fail("'.bs_begin' in a stream");
    std::string magic;
    if (!accept('"')) return fail("'.bs_begin' takes a string of four bytes");
    if (!string(magic)) return false;
    if (magic.size() != 4)
      return fail(fmt::format("'.bs_begin' takes a string of four bytes, this has {}", magic.size()));
    writer_.emplace(magic);
    return true;
  }

  bool block() {
    u64 id, width, words = 0;
    if (!number(id)) return false;
    if (!accept(',')) return fail("'.bs_block' takes ID, WIDTH");
    if (!number(width)) return false;
    if (!accept(',')) return check(writer_->enter(id, width));
    if (word() != "words" || !accept('=')) return fail("'words=N' is wanted");
    if (!number(words)) return false;
    if (words >> 32) return fail("a block's length has 32 bits");
    return check(writer_->enter(id, width, u32(words)));
  }

  bool operand(Abbreviation& operands, bool is_element = false) {
    blanks();
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '-')) {
      u64 value;
      if (!number(value)) return false;
      operands.push_back(literal(value));
      return true;
    }
    const std::string_view kind = word();
    if (kind == "char6") return operands.push_back(char6()), true;
    if (kind == "blob") return operands.push_back(bitstream::blob()), true;
    if (kind == "unusable") return usable_ = false, true;
    if (kind == "array") {
      operands.push_back(array());
      if (is_element || !accept('(')) return true;
      return operand(operands, true) && (accept(')') || fail("')' is wanted behind an array's element"));
    }
    if (kind != "fixed" && kind != "vbr") {
      return fail(
          fmt::format("'{}' is no operand of an abbreviation (known: a number, fixed(N), vbr(N), char6, "
                      "array(OP), blob)",
                      kind));
    }
    u64 width;
    if (!accept('(')) return fail(fmt::format("'(' is wanted behind '{}'", kind));
    if (!number(width)) return false;
    operands.push_back(kind == "fixed" ? fixed(width) : vbr(width));
    return accept(')') || fail(fmt::format("')' is wanted at the end of '{}'", kind));
  }

  bool abbreviation() {
    Abbreviation operands;
    usable_ = true;
    do {
      if (!operand(operands)) return false;
    } while (accept(','));
    return check(writer_->abbreviation(operands, usable_));
  }

  bool record(bool by_abbreviation) {
    u64 id = 0;
    std::vector<u64> values;
    std::string tail, text;
    if (by_abbreviation && (!number(id) || !(accept(',') || fail("'.bs_record_as' takes N, CODE")))) return false;
    do {
      if (accept('"')) {
        if (!string(text)) return false;
        tail += text;
        continue;
      }
      u64 value;
      if (!number(value)) return false;
      // Strings stay bytes as long as they come last.
      for (char c : tail) values.push_back(u8(c));
      tail.clear();
      values.push_back(value);
    } while (accept(','));
    if (by_abbreviation) return check(writer_->record_as(id, values, tail));
    if (values.empty()) return fail("a record begins with its code, a number");
    return check(writer_->record(values[0], std::span<const u64>(values).subspan(1), tail));
  }

  bool raw_bits() {
    u64 value, width;
    if (!number(value)) return false;
    if (!accept(',')) return fail("'.bs_bits' takes VALUE, WIDTH");
    return number(width) && check(writer_->bits(value, width));
  }

  bool end() {
    if (!check(writer_->finish())) return false;
    const auto made = writer_->bytes();
    bytes_.insert(bytes_.end(), made.begin(), made.end());
    writer_.reset();
    return true;
  }

  std::string_view text_;
  std::vector<u8>& bytes_;
  TextError& error_;
  std::optional<Writer> writer_;
  std::size_t at_ = 0;
  u64 line_ = 1;
  bool usable_ = true;  ///< of the abbreviation that is read
};

}  // namespace

bool assemble_text(std::string_view text, std::vector<u8>& bytes, TextError& error) {
  return TextAssembler(text, bytes, error).assemble();
}

}  // namespace xas::bitstream
