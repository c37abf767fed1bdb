// SPDX-License-Identifier: Apache-2.0
// bitstream-test roundtrip FILE...: each file (a bitstream, or an object or archive with some in it) is printed as
// text, and the text assembled; the bytes must be the same.
//
// bitstream-test analyzer FILE DUMP: the blocks and records that the reader finds in FILE are those that
// `llvm-bcanalyzer
// --dump FILE` has written to DUMP: sizes, abbreviation ids, values; and names, where it knows one.
//
// bitstream-test names: a bitcode file with every block and record that has a name, for `llvm-bcanalyzer`, to standard
// output.
//
// The last line is "N passed, N failed".
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "objwriter/metadata/bitcode_names.h"
#include "objwriter/metadata/bitstream_text.h"
#include "objwriter/read/archive.h"
#include "objwriter/read/object.h"
#include "tests/metadata/assemble_stream.h"

using namespace xas;
using namespace xas::bitstream;

namespace {

int passed = 0, failed = 0;

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    fmt::print(stderr, "bitstream-test: cannot open {}\n", path);
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

std::span<const u8> as_bytes(const std::string& text) {
  return {reinterpret_cast<const u8*>(text.data()), text.size()};
}

void fail(const std::string& what, const std::string& message) {
  fmt::print("FAIL: {}: {}\n", what, message);
  ++failed;
}

void round_trip(const std::string& name, std::span<const u8> bytes) {
  std::string text;
  Error error;
  if (!print_file(
          bytes, [&](std::string_view part) { text += part; }, error)) {
    return fail(name, fmt::format("bit {}: {}", error.bit, error.message));
  }
  std::vector<u8> made;
  TextError wrong;
  if (!assemble_text(text, made, wrong)) return fail(name, fmt::format("line {}: {}", wrong.line, wrong.message));
  if (!std::equal(made.begin(), made.end(), bytes.begin(), bytes.end())) return fail(name, "other bytes");
  if (text.find(".bs_bits") != text.npos) fmt::print("{}: some bits are not what LLVM writes\n", name);
  ++passed;
}

/// The streams of a file, however deep they are in it.
void round_trip_of(const std::string& name, std::span<const u8> bytes) {
  const read::FileKind kind = read::identify(bytes);
  read::Error error;
  if (kind == read::FileKind::archive) {
    std::vector<read::Member> members;
    if (!read::read_archive(bytes, members, error)) return fail(name, error.message);
    for (const read::Member& member : members) {
      // Archives of Rust have a member with other contents.
      if (member.name.ends_with(".rmeta")) continue;
      round_trip_of(fmt::format("{}({})", name, member.name), member.data);
    }
    return;
  }
  if (kind != read::FileKind::elf && kind != read::FileKind::coff) return round_trip(name, bytes);
  read::Object object;
  if (!read::read_object(bytes, object, error)) return fail(name, error.message);
  for (const read::Section& section : object.sections) {
    if (section.name == ".llvmbc" || section.name == ".llvm.lto") {
      round_trip(fmt::format("{}, {}", name, section.name), section.data);
    }
  }
}

/// The next line of the dump that has a block or record in it.
class Dump {
 public:
  explicit Dump(const char* path) : file_(path) {}
  bool next() {
    while (std::getline(file_, line_)) {
      const std::size_t start = line_.find_first_not_of(' ');
      if (start == line_.npos || line_[start] != '<' || line_.find("<BITCODE_WRAPPER") != line_.npos) continue;
      at_ = start + 1;
      is_end_ = line_[at_] == '/';
      if (is_end_) ++at_;
      // A name may have blanks.
      std::size_t end = line_.find_first_of("/>", at_);
      for (const char* first : {" (", " abbrevid=", " op0=", " NumWords="}) end = std::min(end, line_.find(first, at_));
      name_ = line_.substr(at_, end - at_);
      at_ = end;
      return true;
    }
    return false;
  }
  const std::string& line() const { return line_; }
  const std::string& name() const { return name_; }
  bool is_end() const { return is_end_; }
  /// The next "key=value" of the line.
  bool field(std::string& key, u64& value) {
    while (at_ < line_.size() && line_[at_] == ' ') ++at_;
    const std::size_t equals = line_.find('=', at_);
    if (at_ >= line_.size() || line_[at_] == '/' || line_[at_] == '>' || equals == line_.npos) return false;
    key = line_.substr(at_, equals - at_);
    char* end = nullptr;
    value = std::strtoull(line_.c_str() + equals + 1, &end, 10);
    at_ = std::size_t(end - line_.c_str());
    return true;
  }

 private:
  std::ifstream file_;
  std::string line_, name_;
  std::size_t at_ = 0;
  bool is_end_ = false;
};

/// bcanalyzer's name is ours but for its prefix or suffix, or says that it knows none.
bool same_name(std::string_view theirs, std::string_view ours, const char* unknown, u64 number) {
  if (theirs == fmt::format("{}{}", unknown, number)) return true;
  for (std::string_view prefix : {"CST_CODE_", "USELIST_CODE_"}) {
    if (theirs.starts_with(prefix)) theirs.remove_prefix(prefix.size());
  }
  theirs = theirs.substr(0, theirs.find('('));
  for (std::string_view suffix : {"_ID", "_BLOCK"}) {
    if (theirs.ends_with(suffix) && !ours.ends_with(suffix)) theirs.remove_suffix(suffix.size());
  }
  if (ours.ends_with("_OLD") && !theirs.ends_with("_OLD")) ours.remove_suffix(4);
  return theirs == ours;
}

void compare_with_analyzer(const char* path, const char* dump_path) {
  const std::string text = read_file(path);
  std::vector<Part> parts;
  std::vector<StreamFacts> facts;
  Error error;
  if (!split(as_bytes(text), parts, facts, error)) return fail(path, error.message);
  Dump dump(dump_path);
  std::size_t stream = 0;
  u64 items = 0;
  const auto differs = [&](const Reader& reader, const std::string& what) {
    fail(path, fmt::format("bit {}: {}; bcanalyzer: {}", reader.start(), what, dump.line()));
  };
  for (const Part& part : parts) {
    if (part.kind != Part::Kind::stream) continue;
    Reader reader(as_bytes(text).subspan(part.offset, part.size));
    const StreamFacts& known = facts[stream++];
    for (Item item = reader.next(); item != Item::end; item = reader.next()) {
      if (item == Item::error) return differs(reader, reader.error().message);
      if (item == Item::abbreviation) continue;
      if (!dump.next()) return differs(reader, "the dump has ended");
      std::string key;
      u64 value;
      ++items;
      if (item == Item::leave) {
        if (!dump.is_end()) return differs(reader, "a block's end");
        continue;
      }
      if (item == Item::enter) {
        const auto name = block_name(known, reader.magic(), reader.block());
        if (!same_name(dump.name(), name, "UnknownBlock", reader.block())) {
          return differs(reader, fmt::format("block {} {}", reader.block(), name));
        }
        if (reader.block() == BLOCKINFO) {
          // bcanalyzer shows nothing of it; what it defines is needed.
          for (const unsigned outside = reader.depth() - 1; reader.depth() > outside;) {
            if (reader.next() == Item::error) return differs(reader, reader.error().message);
          }
          continue;
        }
        if (!dump.field(key, value) || value != reader.words() || !dump.field(key, value) || value != reader.width()) {
          return differs(reader, fmt::format("{} words, width {}", reader.words(), reader.width()));
        }
        continue;
      }
      const Record& record = reader.record();
      const auto name = record_name(known, reader.magic(), reader.block(), record.code);
      if (!same_name(dump.name(), name, "UnknownCode", record.code)) {
        return differs(reader, fmt::format("record {} {} of block {}", record.code, name, reader.block()));
      }
      std::size_t i = 0;
      u64 abbreviation = UNABBREV_RECORD;
      while (dump.field(key, value)) {
        if (key == "abbrevid")
          abbreviation = value;
        else if (i == record.values.size() || value != record.values[i++])
          return differs(reader, "another value");
      }
      if (i != record.values.size() || abbreviation != record.abbreviation) return differs(reader, "other values");
    }
  }
  fmt::print("{}: {} blocks and records\n", path, items);
  ++passed;
}

void write_names() {
  Writer writer("BC\xc0\xde");
  for (u64 block = 8; block < 40; ++block) {
    writer.enter(block, 3);
    for (u64 code = 1; code < 100; ++code) writer.record(code);
    writer.leave();
  }
  writer.finish();
  std::fwrite(writer.bytes().data(), 1, writer.bytes().size(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode == "names") return write_names(), 0;
  if (mode == "roundtrip") {
    for (int i = 2; i < argc; ++i) {
      const std::string text = read_file(argv[i]);
      round_trip_of(argv[i], as_bytes(text));
    }
  } else if (mode == "analyzer" && argc == 4) {
    compare_with_analyzer(argv[2], argv[3]);
  } else {
    fmt::print(stderr, "usage: bitstream-test roundtrip FILE... | analyzer FILE DUMP | names\n");
    return 1;
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed != 0;
}
