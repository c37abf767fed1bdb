// SPDX-License-Identifier: Apache-2.0
// An archive is its magic, then members on even offsets: a header of 60 characters and the bytes.
//
// The name is the field up to "/" (GNU, Windows) or a blank (BSD), or "/123", a place in the member "//", whose names
// end in "/\n" (NUL on Windows), or "#1/20": the first 20 bytes of the member are the name (BSD).
#include "objwriter/read/archive.h"

#include <fmt/format.h>

#include <algorithm>

namespace xas::read {
namespace {

constexpr u64 magic_size = 8, header_size = 60;

std::string_view trimmed(std::string_view text) {
  const std::size_t end = text.find_last_not_of(' ');
  return text.substr(0, end == text.npos ? 0 : end + 1);
}

bool decimal(std::string_view text, u64& value) {
  if (text.empty() || text.size() > 18) return false;
  value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return false;
    value = value * 10 + u64(c - '0');
  }
  return true;
}

class ArchiveReader {
 public:
  ArchiveReader(std::span<const u8> bytes, std::vector<Member>& members, Error& error)
      : text_(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
        bytes_(bytes),
        thin_(text_.starts_with("!<thin>")),
        members_(members),
        error_(error) {}

  bool read() {
    for (u64 at = magic_size; at < bytes_.size();) {
      if (bytes_.size() - at == 1 && text_[at] == '\n') break;  // padding behind the last member
      if (!read_member(at)) return false;
    }
    return true;
  }

 private:
  /// The member at `at`, which becomes the place of the next one.
  bool read_member(u64& at) {
    if (bytes_.size() - at < header_size) return fail(error_, at, "the file ends in an archive member's header");
    const std::string_view header = text_.substr(at, header_size);
    if (header.substr(58) != "`\n") return fail(error_, at + 58, "an archive member's header does not end in \"`\\n\"");
    Member member;
    member.header = at;
    if (!decimal(trimmed(header.substr(48, 10)), member.size)) {
      return fail(error_, at + 48, fmt::format("an archive member's size is '{}'", trimmed(header.substr(48, 10))));
    }
    const std::string_view field = trimmed(header.substr(0, 16));
    const bool table = field == "/" || field == "//" || field == "/SYM64/" || field == "/<ECSYMBOLS>/";
    member.external = thin_ && !table;
    const u64 contents = at + header_size;
    if (!member.external) {
      if (member.size > bytes_.size() - contents) {
        return fail(error_, at + 48,
                    fmt::format("an archive member of {} bytes reaches beyond the end of the file", member.size));
      }
      member.data = bytes_.subspan(contents, member.size);
    }
    at = contents + member.data.size();
    at += at & 1;
    if (field == "//") {
      names_ = text_.substr(contents, member.size);
      return true;
    }
    if (table || !name_member(member, field)) return table;
    if (member.name.starts_with("__.SYMDEF")) return true;
    members_.push_back(member);
    return true;
  }

  bool name_member(Member& member, std::string_view field) {
    u64 number;
    if (field.starts_with("#1/") && !member.external) {
      if (!decimal(field.substr(3), number) || number > member.data.size()) {
        return fail(error_, member.header, fmt::format("an archive member's name is '{}'", field));
      }
      member.name = text_.substr(member.header + header_size, number);
      member.name = member.name.substr(0, std::min(member.name.find('\0'), member.name.size()));
      member.data = member.data.subspan(number);
      member.size -= number;
    } else if (field.size() > 1 && field[0] == '/') {
      if (!decimal(field.substr(1), number) || number >= names_.size()) {
        return fail(error_, member.header,
                    fmt::format("an archive member's name is '{}', and the table of names has "
                                "{} bytes",
                                field, names_.size()));
      }
      // A name ends within the longest path that there is; so a damaged table costs no more for each member.
      constexpr std::size_t longest = 4096;
      member.name = names_.substr(number, longest);
      member.name = member.name.substr(0, member.name.find_first_of(std::string_view("\n\0", 2)));
      if (member.name.ends_with('/')) member.name.remove_suffix(1);
    } else {
      member.name = field.ends_with('/') ? field.substr(0, field.size() - 1) : field;
    }
    return true;
  }

  std::string_view text_;
  std::span<const u8> bytes_;
  bool thin_;
  std::string_view names_;
  std::vector<Member>& members_;
  Error& error_;
};

}  // namespace

bool read_archive(std::span<const u8> bytes, std::vector<Member>& members, Error& error) {
  return ArchiveReader(bytes, members, error).read();
}

}  // namespace xas::read
