// SPDX-License-Identifier: Apache-2.0
// From bits to text. A stream is walked twice: what can be said in directives is known at the end of a block only.
#include "objwriter/metadata/bitstream_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "objwriter/endian.h"
#include "objwriter/metadata/bitcode_names.h"

namespace xas::bitstream {
namespace {

constexpr std::string_view bitcode_magic = "BC\xc0\xde";
constexpr u64 wrapper_magic = 0x0b17c0de;
constexpr u64 wrapper_header = 20;

u64 word(std::span<const u8> bytes, u64 at) { return load_int(&bytes[at], 4); }

bool is_printable(u64 value) { return value >= 0x20 && value < 0x7f; }

std::string as_name(std::span<const u64> values) {
  constexpr std::size_t longest = 80;
  std::string name;
  for (u64 value : values.subspan(0, std::min(values.size(), longest))) {
    // Nothing that would end a comment.
    name += is_printable(value) && value != '*' && value != '/' ? char(value) : '?';
  }
  return name;
}

void learn_names(StreamFacts& facts, const Reader& reader, u64 described) {
  const Record& record = reader.record();
  const std::span<const u64> values(record.values);
  if (record.code == BLOCKNAME)
    facts.names[described].block = as_name(values);
  else if (record.code == SETRECORDNAME && !values.empty())
    facts.names[described].records.try_emplace(values[0], as_name(values.subspan(1)));
}

}  // namespace

bool examine(std::span<const u8> bytes, StreamFacts& facts, Error& error) {
  struct Open {
    std::size_t block;
    bool has_block_info;  // it is BLOCKINFO, or one is in it
  };
  facts = {};
  Reader reader(bytes);
  std::vector<Open> open;
  u64 described = ~u64(0);
  for (;;) {
    const Item item = reader.next();
    if (item == Item::error) return error = reader.error(), false;
    if (item == Item::end) break;
    if (item == Item::enter) {
      open.push_back({facts.blocks.size(), reader.block() == BLOCKINFO});
      facts.blocks.push_back({});
      described = ~u64(0);
    }
    StreamFacts::Block& block = facts.blocks[open.back().block];
    if (item == Item::record && reader.block() == BLOCKINFO) {
      const Record& record = reader.record();
      if (record.code == SETBID && !record.values.empty())
        described = record.values[0];
      else if (described != ~u64(0))
        learn_names(facts, reader, described);
    }
    // A record alone can be raw, unless it says what later abbreviations are for.
    if (!reader.canonical() && (item != Item::record || reader.block() == BLOCKINFO)) block.raw = true;
    if (item == Item::leave) {
      block.wrong_length = u64(reader.words()) * 32 != reader.position() - reader.body();
      block.end = reader.position();
      const bool has_block_info = open.back().has_block_info;
      open.pop_back();
      if (has_block_info && !open.empty()) open.back().has_block_info = true;
      // All that follows depends on BLOCKINFO, which raw bits would hide.
      if (has_block_info && block.raw) facts.raw = true;
    }
  }
  facts.end = reader.position();
  return true;
}

bool split(std::span<const u8> bytes, std::vector<Part>& parts, std::vector<StreamFacts>& facts, Error& error) {
  u64 at = 0, end = bytes.size();
  if (bytes.size() >= wrapper_header && word(bytes, 0) == wrapper_magic) {
    const u64 offset = word(bytes, 8), size = word(bytes, 12);
    if (offset < wrapper_header || offset > bytes.size() || size > bytes.size() - offset) {
      error = {64, fmt::format("the wrapper's stream has {} bytes at {}, the file has {}", size, offset, bytes.size())};
      return false;
    }
    parts.push_back({Part::Kind::wrapper, 0, wrapper_header});
    if (offset > wrapper_header) parts.push_back({Part::Kind::bytes, wrapper_header, offset - wrapper_header});
    at = offset;
    end = offset + size;
  }
  const u64 first = at;
  const auto is_magic = [&](u64 place) {
    if (end - place < 4) return false;
    const std::string_view magic(reinterpret_cast<const char*>(bytes.data()) + place, 4);
    return magic == bitcode_magic || std::equal(magic.begin(), magic.end(), bytes.begin() + i64(first));
  };
  while (at < end) {
    if (at == first || is_magic(at)) {
      StreamFacts found;
      if (!examine(bytes.subspan(at, end - at), found, error)) {
        error.bit += at * 8;
        return false;
      }
      parts.push_back({Part::Kind::stream, at, found.end / 8});
      facts.push_back(std::move(found));
      at += parts.back().size;
      continue;
    }
    u64 next = at;
    do next = std::min(next + 4, end);
    while (next < end && !is_magic(next));
    parts.push_back({Part::Kind::bytes, at, next - at});
    at = next;
  }
  if (end < bytes.size()) parts.push_back({Part::Kind::bytes, end, bytes.size() - end});
  return true;
}

std::string_view block_name(const StreamFacts& facts, std::string_view magic, u64 block) {
  if (const auto own = facts.names.find(block); own != facts.names.end() && !own->second.block.empty())
    return own->second.block;
  if (block == BLOCKINFO) return "BLOCKINFO_BLOCK";
  return magic == bitcode_magic ? bitcode_block_name(block) : std::string_view();
}

std::string_view record_name(const StreamFacts& facts, std::string_view magic, u64 block, u64 code) {
  if (block == BLOCKINFO) {
    return code == SETBID ? "SETBID" : code == BLOCKNAME ? "BLOCKNAME" : code == SETRECORDNAME ? "SETRECORDNAME" : "";
  }
  if (const auto own = facts.names.find(block); own != facts.names.end()) {
    const auto record = own->second.records.find(code);
    if (record != own->second.records.end() && !record->second.empty()) return record->second;
  }
  return magic == bitcode_magic ? bitcode_record_name(block, code) : std::string_view();
}

namespace {

/// Prints one stream, whose facts are known.
class Printer {
 public:
  Printer(std::span<const u8> bytes, const StreamFacts& facts, const Sink& sink)
      : reader_(bytes), facts_(facts), sink_(sink) {}

  void print() {
    line(0, ".bs_begin");
    out_ += ' ';
    string(reader_.bytes().subspan(0, 4));
    out_ += '\n';
    if (facts_.raw) {
      bits(1, 32, facts_.end);
    } else {
      print_items();
    }
    out_ += "        .bs_end\n";
    sink_(out_);
  }

 private:
  void line(unsigned depth, std::string_view directive) {
    out_.append(8 + 2 * std::size_t(std::min(depth, 40u)), ' ');
    out_ += directive;
  }

  /// Always with octal escapes, which end by themselves.
  template <typename Values>
  void string(const Values& values) {
    out_ += '"';
    for (u64 value : values) {
      if (value == '"' || value == '\\')
        (out_ += '\\') += char(value);
      else if (is_printable(value))
        out_ += char(value);
      else
        out_ += fmt::format("\\{:03o}", value);
    }
    out_ += '"';
  }

  void number(u64 value) {
    const fmt::format_int text(value);
    out_.append(text.data(), text.size());
  }

  void comment(std::string_view name) {
    if (!name.empty()) ((out_ += "  /* ") += name) += " */";
    out_ += '\n';
    if (out_.size() > (1 << 16)) {
      sink_(out_);
      out_.clear();
    }
  }

  void bits(unsigned depth, u64 from, u64 to) {
    for (; from < to;) {
      const unsigned width = unsigned(std::min<u64>(64, to - from));
      line(depth, ".bs_bits ");
      out_ += fmt::format("{:#x}, {}", reader_.peek(from, width), width);
      comment({});
      from += width;
    }
  }

  void print_items() {
    std::size_t block = 0;
    unsigned raw_depth = 0;  // of the raw block that this is in, or 0
    for (;;) {
      const Item item = reader_.next();
      if (item == Item::end || item == Item::error) return;
      const unsigned depth = reader_.depth();
      if (item == Item::enter) {
        const StreamFacts::Block& facts = facts_.blocks[block++];
        if (raw_depth) continue;
        if (facts.raw) {
          raw_depth = depth;
          bits(depth, reader_.start(), facts.end);
          continue;
        }
        line(depth, ".bs_block ");
        number(reader_.block());
        out_ += ", ";
        number(reader_.width());
        if (facts.wrong_length) out_ += fmt::format(", words={}", reader_.words());
        comment(block_name(facts_, reader_.magic(), reader_.block()));
      } else if (raw_depth) {
        if (item == Item::leave && depth < raw_depth) raw_depth = 0;
      } else if (item == Item::leave) {
        line(depth + 1, ".bs_end_block");
        comment({});
      } else if (!reader_.canonical()) {
        bits(depth + 1, reader_.start(), reader_.position());
      } else if (item == Item::abbreviation) {
        print_definition(depth + 1);
      } else {
        print_record(depth + 1);
      }
    }
  }

  void print_definition(unsigned depth) {
    line(depth, ".bs_abbrev ");
    const Abbreviation& operands = reader_.abbreviation();
    const bool usable = detail::check_usable(operands).empty();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (i) out_ += ", ";
      out_ += operand_text(operands, i);
      if (!usable || operands[i].kind != Operand::Kind::array) continue;
      out_ += fmt::format("({})", operand_text(operands, ++i));
    }
    if (!usable) out_ += ", unusable";
    comment({});
  }

  void print_record(unsigned depth) {
    const Record& record = reader_.record();
    if (record.abbreviation == UNABBREV_RECORD) {
      line(depth, ".bs_record ");
    } else {
      line(depth, ".bs_record_as ");
      number(record.abbreviation);
      out_ += ", ";
    }
    number(record.code);
    const std::span<const u64> values(record.values);
    const std::size_t text_at = std::max(text_start(record), record.values.size() - printable_tail(values));
    for (std::size_t i = 0; i < std::min(text_at, values.size()); ++i) {
      out_ += ", ";
      number(values[i]);
    }
    if (text_at < values.size()) {
      out_ += ", ";
      string(values.subspan(text_at));
    }
    if (record.has_blob) {
      out_ += ", ";
      string(record.blob);
    }
    comment(record_name(facts_, reader_.magic(), reader_.block(), record.code));
  }

  static std::size_t printable_tail(std::span<const u64> values) {
    std::size_t n = 0;
    while (n < values.size() && is_printable(values[values.size() - 1 - n])) ++n;
    return n;
  }

  /// The first value that may be printed as a character. An array of char6, or of 7 or 8 bits, is text if all of it can
  /// be; a record without an abbreviation, if all but at most one value in front can be, and there are some.
  static std::size_t text_start(const Record& record) {
    const std::span<const u64> values(record.values);
    const std::size_t tail = printable_tail(values);
    if (record.definition) {
      const std::size_t in_array = values.size() - record.array_at;
      if (in_array == 0 || tail < in_array) return values.size();
      const Operand& element = record.definition->back();
      const bool characters = element.kind == Operand::Kind::char6 ||
                              (element.kind == Operand::Kind::fixed && (element.value == 7 || element.value == 8));
      return characters ? record.array_at : values.size();
    }
    return tail >= 4 && tail + 1 >= values.size() ? values.size() - tail : values.size();
  }

  Reader reader_;
  const StreamFacts& facts_;
  const Sink& sink_;
  std::string out_;
};

/// Bytes that are in no stream.
void print_bytes(std::span<const u8> bytes, const Sink& sink) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size();) {
    std::size_t zeros = 0;
    while (at + zeros < bytes.size() && bytes[at + zeros] == 0) ++zeros;
    if (zeros >= 16 || at + zeros == bytes.size()) {
      out += fmt::format("        .zero {}\n", zeros);
      at += zeros;
      continue;
    }
    const std::size_t size = std::min<std::size_t>(16, bytes.size() - at);
    out += "        .byte ";
    for (const std::size_t end = at + size; at < end; ++at)
      out += fmt::format("{:#04x}{}", bytes[at], at + 1 < end ? ", " : "\n");
    if (out.size() > (1 << 16)) {
      sink(out);
      out.clear();
    }
  }
  sink(out);
}

}  // namespace

void print_parts(std::span<const u8> bytes, std::span<const Part> parts, std::span<const StreamFacts> facts,
                 const Sink& sink) {
  std::size_t stream = 0;
  for (const Part& part : parts) {
    const auto in_part = bytes.subspan(part.offset, part.size);
    switch (part.kind) {
      case Part::Kind::stream: Printer(in_part, facts[stream++], sink).print(); break;
      case Part::Kind::bytes: print_bytes(in_part, sink); break;
      case Part::Kind::wrapper:
        sink(fmt::format(
            "        .long {:#x}, {}, {}, {}, {:#x}  /* wrapper: magic, version, offset, size, CPU type */\n",
            word(in_part, 0), word(in_part, 4), word(in_part, 8), word(in_part, 12), word(in_part, 16)));
        break;
    }
  }
}

bool print_file(std::span<const u8> bytes, const Sink& sink, Error& error) {
  std::vector<Part> parts;
  std::vector<StreamFacts> facts;
  if (!split(bytes, parts, facts, error)) return false;
  print_parts(bytes, parts, facts, sink);
  return true;
}

}  // namespace xas::bitstream
