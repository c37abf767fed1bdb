// SPDX-License-Identifier: Apache-2.0
// .bs_begin to .bs_end: any LLVM bitstream as text (docs/bitstreams.md).
//
//   .bs_begin "MAGI"                      .bs_record CODE [, VALUE]...
//   .bs_block ID, WIDTH [, words=N]       .bs_record_as N, CODE [, VALUE]...
//   .bs_end_block                         .bs_position NAME
//   .bs_abbrev OP [, OP]...               .bs_bits VALUE, WIDTH
//   .bs_end
//
//   VALUE := number | "string" | file("name")
//   OP    := number | fixed(N) | vbr(N) | char6 | array(OP) | blob
//
// What a stream may have in it is the Writer's to know (xas/bitstream.hpp). LLVM, "LLVM Bitcode File Format".
#include "asm/program/open_stream.h"

#include <fmt/format.h>

#include "asm/directives/directives.h"
#include "asm/program/elf_sections.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

using bitstream::Abbreviation;
using bitstream::Operand;

/// The open stream, or null after an error. While it is open, the section in which nothing can be put is current.
OpenStream* open_stream(Reader& reader) {
  Streamer& out = reader.out;
  if (!out.stream) {
    const u32 length = name_length(reader.program().sources.statement);
    reader.error(fmt::format("'{}' outside of '.bs_begin' and '.bs_end'",
                             std::string_view(reader.program().sources.statement, length)));
    return nullptr;
  }
  Subsection& nowhere = absolute_space(reader.program());
  if (out.current == &nowhere && (nowhere.size != 0 || !nowhere.fragments.empty())) out.report_missing_section();
  nowhere.size = 0;
  nowhere.fragments.clear();
  out.current = &nowhere;
  out.needs_section = true;
  return out.stream.get();
}

/// Reports what the writer has refused.
bool check(Reader& reader, const OpenStream& stream, bool done, const char* where) {
  if (!done) reader.error(where, stream.writer.error().message);
  return done;
}

/// A number of 64 bits; its sign is not kept. `known` is false if it depends on what comes later.
bool parse_value(Reader& reader, u64& number, Value& value, bool& known) {
  skip_blanks(reader);
  known = true;
  u64 plain;
  if (const char* const q = plain_number(reader.p, plain); q && *reader.p != '-') {
    const char* const after = skip_blanks(reader.program().chars, q);
    if (*after == ',' || *after == '\n' || (*after == '/' && after[1] == '*')) {
      reader.p = after;
      number = plain;
      return true;
    }
  }
  const char* const where = reader.p;
  Number128 literal;
  if (scan_number_128(reader, literal)) {
    const bool below = literal.negative && i64(literal.low) > 0;
    if (!literal.fits_64 || below) return reader.error(where, "the number does not fit in 64 bits"), false;
    number = literal.low;
    return true;
  }
  if (*where == '.' && name_length(where) == 1)
    return reader.error(where, "'.' has no value in a stream; '.bs_position NAME' tells a position"), false;
  if (!reader.expression_value(value)) return false;
  if (value.modifier != 0) return reader.error(where, "a stream has no relocations"), false;
  i64 result = 0;
  known = reader.out.number_by_now(value, result);
  number = u64(result);
  return true;
}

bool parse_known(Reader& reader, u64& number, std::string_view what) {
  Value value;
  bool known;
  const char* const where = skip_blanks(reader.program().chars, reader.p);
  if (!parse_value(reader, number, value, known)) return false;
  if (!known) reader.error(where, fmt::format("{} must be known here", what));
  return known;
}

/// `word` and an opening parenthesis; the cursor moves behind them.
bool accept_call(Reader& reader, std::string_view word) {
  const char* const q = reader.p;
  if (name_length(q) != word.size() || std::string_view(q, word.size()) != word) return false;
  const char* const open = skip_blanks(reader.program().chars, q + word.size());
  if (*open != '(') return false;
  reader.p = open + 1;
  return true;
}

bool expect_closing(Reader& reader, std::string_view what) {
  skip_blanks(reader);
  if (*reader.p != ')') return reader.error_here(fmt::format("expected ')' behind {}", what)), false;
  ++reader.p;
  return true;
}

/// The values of a record, as the writer takes them: numbers, and then bytes.
struct RecordValues {
  struct Unknown {
    std::size_t index;
    Value value;
    SourceLoc loc;
  };
  std::vector<u64> numbers;
  std::string tail;
  std::vector<Unknown> unknown;
  std::vector<std::pair<u64, const char*>> places;  ///< the first value of each operand, and where it stands

  u64 size() const { return numbers.size() + tail.size(); }
  const char* place(u64 index) const {
    const auto behind = std::upper_bound(places.begin(), places.end(), index,
                                         [](u64 i, const auto& place) { return i < place.first; });
    return behind == places.begin() ? places.front().second : std::prev(behind)->second;
  }
};

/// VALUE [, VALUE]...
bool parse_values(Reader& reader, RecordValues& values) {
  do {
    skip_blanks(reader);
    values.places.emplace_back(values.size(), reader.p);
    if (*reader.p == '"') {
      if (!parse_string(reader, values.tail)) return false;
      continue;
    }
    if (accept_call(reader, "file")) {
      std::string name, error;
      const char* const where = reader.p;
      if (!parse_string(reader, name)) return false;
      const SourceBuffer* const file = reader.find_included(name, error);
      if (!file) return reader.error(where, std::move(error)), false;
      values.tail.append(file->begin, file->size());
      if (!expect_closing(reader, "the file's name")) return false;
      continue;
    }
    // Strings stay bytes as long as they come last.
    for (char c : values.tail) values.numbers.push_back(u8(c));
    values.tail.clear();
    u64 number;
    Value value;
    bool known;
    if (!parse_value(reader, number, value, known)) return false;
    if (!known) values.unknown.push_back({values.numbers.size(), value, reader.loc_of(values.places.back().second)});
    values.numbers.push_back(known ? number : 0);
  } while (accept_comma(reader));
  return true;
}

/// OP; `element` is that of an array.
bool parse_operand(Reader& reader, Abbreviation& operands, bool& usable, bool element) {
  skip_blanks(reader);
  const u32 length = name_length(reader.p);
  const std::string_view word(reader.p, length);
  const auto plain = [&](Operand operand) {
    operands.push_back(operand);
    reader.p += length;
    return true;
  };
  if (word == "char6") return plain(bitstream::char6());
  if (word == "blob") return plain(bitstream::blob());
  if (word == "unusable" && !element) return usable = false, reader.p += length, true;
  if (accept_call(reader, "array")) {
    operands.push_back(bitstream::array());
    return parse_operand(reader, operands, usable, true) && expect_closing(reader, "the array's element");
  }
  if (word == "array") return plain(bitstream::array());
  for (const bool is_fixed : {true, false}) {
    if (!accept_call(reader, is_fixed ? "fixed" : "vbr")) continue;
    u64 width;
    if (!parse_known(reader, width, "the width")) return false;
    operands.push_back(is_fixed ? bitstream::fixed(width) : bitstream::vbr(width));
    return expect_closing(reader, "the width");
  }
  if (word == "fixed" || word == "vbr") return reader.error_here(fmt::format("expected {}(WIDTH)", word)), false;
  u64 number;
  if (at_end(reader) || *reader.p == ',') {
    reader.error_here("expected a number, fixed(N), vbr(N), char6, array(OP) or blob");
    return false;
  }
  if (!parse_known(reader, number, "a literal")) return false;
  operands.push_back(bitstream::literal(number));
  return true;
}

void begin_block(OpenStream& stream, SourceLoc loc, u64 id) {
  if (id == bitstream::BLOCKINFO) stream.described.clear();
  const auto known = stream.described.find(id);
  stream.blocks.push_back({.loc = loc, .id = id});
  if (known != stream.described.end()) stream.blocks.back().definitions = known->second;
}

/// In BLOCKINFO, SETBID.
void note_record(OpenStream& stream, u64 code, const RecordValues& values, std::size_t first) {
  OpenStream::Block& block = stream.blocks.back();
  if (block.id != bitstream::BLOCKINFO || code != bitstream::SETBID || values.size() <= first) return;
  block.described =
      first < values.numbers.size() ? values.numbers[first] : u8(values.tail[first - values.numbers.size()]);
}

}  // namespace

/// .bs_begin "MAGI"
void directive_bs_begin(Reader& reader, u32) {
  Streamer& out = reader.out;
  if (out.stream) {
    reader.error("'.bs_begin' in a stream");
    return reader.program().diags.note(out.stream->loc, "which begins here");
  }
  const char* const where = reader.p;
  std::string magic;
  if (*where != '"') return reader.error_here("expected the four bytes of the magic, in double quotes");
  if (!parse_string(reader, magic)) return;
  if (magic.size() != 4)
    return reader.error(where, fmt::format("the magic of a stream has four bytes, not {}", magic.size()));
  if (!out.can_emit()) return;
  out.stream = std::make_unique<OpenStream>(magic, reader.program().sources.statement_loc());
  out.stream->into = out.current;
  out.stream->watched_labels = std::exchange(out.watches_labels, true);
  open_stream(reader);
}

/// .bs_block ID, WIDTH [, words=N]
void directive_bs_block(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  u64 id, width, words = 0;
  if (!stream || !parse_known(reader, id, "the block's number") || !expect_comma(reader, "the block's number")) return;
  const char* where = reader.p;
  if (!parse_known(reader, width, "the width of abbreviation ids")) return;
  std::optional<u32> length;
  if (accept_comma(reader)) {
    where = reader.p;
    if (scan_name(reader.p).text() != "words") return reader.error_here("expected 'words=N'");
    reader.p = skip_blanks(reader.program().chars, reader.p + 5);
    if (*reader.p != '=') return reader.error_here("expected '=' behind 'words'");
    ++reader.p;
    if (!parse_known(reader, words, "the block's length")) return;
    if (words >> 32) return reader.error(where, "a block's length has 32 bits");
    length = u32(words);
  }
  if (check(reader, *stream, stream->writer.enter(id, width, length), where))
    begin_block(*stream, reader.program().sources.statement_loc(), id);
}

void directive_bs_end_block(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  if (stream && check(reader, *stream, stream->writer.leave(), reader.program().sources.statement))
    stream->blocks.pop_back();
}

/// .bs_abbrev OP [, OP]...
void directive_bs_abbrev(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  if (!stream) return;
  Abbreviation operands;
  bool usable = true;
  const char* const where = reader.p;
  do {
    if (!parse_operand(reader, operands, usable, false)) return;
  } while (accept_comma(reader));
  if (!check(reader, *stream, stream->writer.abbreviation(operands, usable), where)) return;
  OpenStream::Block& block = stream->blocks.back();
  std::vector<SourceLoc>& known =
      block.id == bitstream::BLOCKINFO ? stream->described[block.described] : block.definitions;
  known.push_back(reader.program().sources.statement_loc());
}

/// .bs_record CODE [, VALUE]...
void directive_bs_record(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  if (!stream) return;
  const char* const where = reader.p;
  RecordValues values;
  if (at_end_of_statement(reader)) return reader.error(where, "expected the record's code");
  if (!parse_values(reader, values)) return;
  if (!values.unknown.empty())
    return reader.program().diags.error(values.unknown[0].loc,
                                        "the value must be known here; only a fixed field of '.bs_record_as' can wait");
  if (values.numbers.empty()) return reader.error(where, "a record begins with its code, a number");
  const u64 code = values.numbers[0];
  const std::span<const u64> numbers(values.numbers);
  if (check(reader, *stream, stream->writer.record(code, numbers.subspan(1), values.tail), where))
    note_record(*stream, code, values, 1);
}

/// .bs_record_as N, CODE [, VALUE]...
void directive_bs_record_as(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  u64 id;
  RecordValues values;
  const char* const where = reader.p;
  if (!stream || !parse_known(reader, id, "the abbreviation's number")) return;
  if (!expect_comma(reader, "the abbreviation's number") || !parse_values(reader, values)) return;
  bitstream::Writer& writer = stream->writer;
  const Abbreviation* const abbreviation = writer.definition(id);
  for (const RecordValues::Unknown& unknown : values.unknown) {
    const bool can_wait = abbreviation && unknown.index < abbreviation->size() &&
                          (*abbreviation)[unknown.index].kind == Operand::Kind::fixed &&
                          (unknown.index == 0 || (*abbreviation)[unknown.index - 1].kind != Operand::Kind::array);
    if (abbreviation && !can_wait)
      return reader.program().diags.error(unknown.loc, "the value must be known here; only a fixed field can wait");
  }
  if (!writer.record_as(id, values.numbers, values.tail)) {
    const u64 wrong = writer.error().value;
    reader.error(wrong < values.size() ? values.place(wrong) : where, writer.error().message);
    const std::vector<SourceLoc>& definitions = stream->blocks.back().definitions;
    if (abbreviation && id - bitstream::first_abbreviation < definitions.size())
      reader.program().diags.note(definitions[id - bitstream::first_abbreviation],
                                  fmt::format("abbreviation {} is defined here", id));
    return;
  }
  for (const RecordValues::Unknown& unknown : values.unknown) {
    const u64 width = (*abbreviation)[unknown.index].value;
    stream->later.push_back({writer.field_position(unknown.index), unsigned(width), unknown.value, unknown.loc});
  }
  if (values.size() != 0) note_record(*stream, values.numbers.empty() ? ~u64(0) : values.numbers[0], values, 1);
}

/// .bs_position NAME: the number of bits before this.
void directive_bs_position(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  SymbolId name;
  const SourceLoc loc = reader.here();
  if (stream && parse_symbol(reader, name, "the name of the position"))
    reader.out.assign(name, {.constant = i64(stream->writer.position())}, loc, false);
}

/// .bs_bits VALUE, WIDTH
void directive_bs_bits(Reader& reader, u32) {
  OpenStream* const stream = open_stream(reader);
  u64 value, width;
  const char* const where = reader.p;
  if (!stream || !parse_known(reader, value, "the value") || !expect_comma(reader, "the value")) return;
  if (parse_known(reader, width, "the width")) check(reader, *stream, stream->writer.bits(value, width), where);
}

namespace {

/// Fills in what had to wait.
void settle_fields(Reader& reader, OpenStream& stream) {
  Diags& diags = reader.program().diags;
  reader.program().values.new_state();
  for (const OpenStream::Later& field : stream.later) {
    i64 number;
    if (field.width == 0 || !reader.out.number_by_now(field.value, number)) {
      diags.error(field.loc, "the value is not known by the end of the stream");
    } else if (!stream.writer.patch(field.bit, field.width, u64(number))) {
      diags.error(field.loc, stream.writer.error().message);
    }
  }
}

/// What was current before it is so again.
std::unique_ptr<OpenStream> close_stream(Streamer& out) {
  out.current = out.stream->into;
  out.needs_section = false;
  out.watches_labels = out.stream->watched_labels;
  return std::move(out.stream);
}

}  // namespace

void directive_bs_end(Reader& reader, u32) {
  OpenStream* const open = open_stream(reader);
  if (!open) return;
  if (!open->writer.finish()) {
    reader.error(open->writer.error().message);
    reader.program().diags.note(open->blocks.back().loc, "the block begins here");
  }
  settle_fields(reader, *open);
  const std::unique_ptr<OpenStream> stream = close_stream(reader.out);
  const std::span<const u8> bytes = stream->writer.bytes();
  reader.out.emit_bytes(bytes.data(), bytes.size());
}

void check_stream_closed(Streamer& out) {
  if (!out.stream) return;
  out.program.diags.error(out.stream->loc, "this '.bs_begin' has no '.bs_end'");
  close_stream(out);
}

}  // namespace xas
