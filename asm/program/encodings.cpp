// SPDX-License-Identifier: Apache-2.0
#include "asm/program/encodings.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/program/program.h"
#include "targets/text.h"

namespace xas {

namespace {

constexpr std::size_t comment_column = 40;

std::string symbol_text(const Program& program, SymbolId id) {
  if (id == dot_symbol) return ".";
  const std::string_view name = program.symbols[id].text();
  const bool plain = std::ranges::all_of(name, text::is_name_char);
  return name.empty() ? ".Ltmp" : plain ? std::string(name) : fmt::format("\"{}\"", name);
}

/// foo@PLT+4, :lo12:foo, foo-bar
std::string value_text(const Program& program, const Value& value, i64 constant) {
  if (value.is_constant()) return program.target.operator_text(value.modifier, fmt::format("{}", constant));
  std::string text;
  if (value.add != no_symbol) text = program.target.operator_text(value.modifier, symbol_text(program, value.add));
  if (value.sub != no_symbol) text += "-" + symbol_text(program, value.sub);
  return constant ? text + fmt::format("{:+}", constant) : text;
}

/// A statement with one blank for each run of blanks.
std::string squeezed(std::string_view statement) {
  std::string text;
  for (const char c : statement) {
    const bool blank = c == ' ' || c == '\t' || c == '\r';
    if (!blank || (!text.empty() && text.back() != ' ')) text += blank ? ' ' : c;
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  if (const std::size_t first = text.find(' '); first != text.npos) text[first] = '\t';
  return text;
}

/// The column that a text ends in, with tabs at every eighth.
std::size_t width(std::string_view text) {
  std::size_t column = 0;
  for (const char c : text) column = c == '\t' ? (column | 7) + 1 : column + 1;
  return column;
}

}  // namespace

void Encodings::begin(const Subsection& current) {
  begin_ = current.size;
  relaxed_ = false;
  bytes_.clear();
  fields_.clear();
}

void Encodings::relaxable(const Program& program, const Subsection& current, u16 form, const Value& value) {
  if (!current.data) return;
  // What is written may change bytes before it: an opcode.
  const std::size_t before = current.size - begin_;
  bytes_.assign(current.data + begin_, current.data + current.size);
  bytes_.resize(before + Emitter::max_instruction);
  FieldFixup fixup = program.target.relax_write(form, 0, bytes_.data() + before);
  bytes_.resize(before + program.target.relax_size(form, 0));
  fixup.at = u8(fixup.at + before);
  relaxed_ = true;
  fields_.push_back({fixup, value});
}

std::string Encodings::bytes_text(const std::vector<EncodedField>& names) const {
  std::vector<u8> letter(bytes_.size() * 8);  // 0: a bit that is decided
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t k = 0; k < names[i].bits; ++k)
      if (const std::size_t bit = fields_[i].fixup.at * 8 + names[i].first_bit + k; bit < letter.size())
        letter[bit] = u8('A' + i);
  std::string text;
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (i) text += ',';
    const u8* const bits = &letter[i * 8];
    bool whole = true;
    for (unsigned k = 1; k < 8; ++k) whole &= bits[k] == bits[0];
    if (whole && bits[0]) {
      text += bytes_[i] ? fmt::format("0x{:02x}'{}'", bytes_[i], char(bits[0])) : std::string(1, char(bits[0]));
    } else if (whole) {
      text += fmt::format("0x{:02x}", bytes_[i]);
    } else {
      text += "0b";
      for (unsigned k = 8; k-- > 0;) text += bits[k] ? char(bits[k]) : char('0' + (bytes_[i] >> k & 1));
    }
  }
  return text;
}

void Encodings::end(const Program& program, const Subsection& current, std::string_view statement) {
  if (!relaxed_ && current.data) bytes_.assign(current.data + begin_, current.data + current.size);
  if (bytes_.empty()) return;
  std::vector<EncodedField> names;
  for (const Field& field : fields_)
    names.push_back(program.target.encoded_field(field.fixup, field.value, bytes_.data()));
  const std::string_view comment = program.info.syntax.comment;
  std::string line = "\t" + squeezed(statement);
  const std::size_t column = width(line);
  line.append(column < comment_column ? comment_column - column : 1, ' ');
  text += fmt::format("{}{} encoding: [{}]\n", line, comment, bytes_text(names));
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const auto& [fixup, value] = fields_[i];
    text += fmt::format(
        "{:{}}{}   fixup {} - offset: {}, value: {}, kind: {}\n", "", comment_column, comment, char('A' + i), fixup.at,
        value_text(program, value, value.constant + names[i].addend_told * fixup.addend + names[i].distance),
        names[i].name);
  }
}

}  // namespace xas
