// SPDX-License-Identifier: Apache-2.0
// xas-dump: arguments, files and archive members; each kind of metadata is in a file of its own.
//
// Exit status: 0, or 1 after any error.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "asm/dump/dump.h"
#include "asm/text/host.h"
#include "objwriter/read/archive.h"

namespace xas::dump {

void Session::error(const Input& input, std::string_view place, std::string_view message) {
  failed = true;
  out.flush();
  const std::string text = place.empty() ? fmt::format("{}: error: {}\n", input.name(), message)
                                         : fmt::format("{}: {}: error: {}\n", input.name(), place, message);
  if (::write(STDERR_FILENO, text.data(), text.size()) < 0) return;
}

void Session::json_start(const Input& input) {
  out.json_begin();
  out.json_field("file", input.file);
  if (!input.member.empty()) out.json_field("member", input.member);
}

namespace {

void tell(std::string_view message) {
  const std::string text = fmt::format("xas-dump: {}\n", message);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

int fail(std::string_view message) {
  tell(fmt::format("error: {}", message));
  return 1;
}

/// A file's bytes, for as long as this lives.
class File {
 public:
  File() = default;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (mapped_) host::unmap(mapped_, room_);
  }

  /// What is wrong, or an empty text.
  std::string open(const std::string& path) {
    const int fd = path == "-" ? STDIN_FILENO : host::open_to_read(path.c_str());
    if (fd < 0) return std::strerror(errno);
    const std::string wrong = read(fd);
    if (fd != STDIN_FILENO) ::close(fd);
    return wrong;
  }

  std::span<const u8> bytes() const {
    if (mapped_) return {reinterpret_cast<const u8*>(mapped_), size_};
    return {reinterpret_cast<const u8*>(text_.data()), text_.size()};
  }

 private:
  std::string read(int fd) {
    struct stat st;
    if (::fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) return std::strerror(EISDIR);
    if (S_ISREG(st.st_mode) && st.st_size > 0) {
      size_ = std::size_t(st.st_size);
      mapped_ = host::map_padded(fd, size_, room_);
      if (mapped_) return {};
    }
    char buffer[65536];
    for (;;) {
      const ssize_t n = ::read(fd, buffer, sizeof buffer);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return std::strerror(errno);
      if (n == 0) return {};
      text_.append(buffer, std::size_t(n));
    }
  }

  char* mapped_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;  ///< of the mapping
  std::string text_;
};

void split_list(std::string_view text, std::vector<std::string>& list) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    if (comma) list.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
}

/// An empty text, or what is wrong with the arguments.
std::string read_arguments(int argc, char** argv, Options& options, bool& help, bool& version) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "-" || argument.empty() || argument[0] != '-') {
      if (argument.empty()) return "an input has no name";
      options.files.emplace_back(argument);
      continue;
    }
    if (argument == "--") {
      for (++i; i < argc; ++i) options.files.emplace_back(argv[i]);
      break;
    }
    std::string_view name = argument.substr(0, argument.find('='));
    const bool has_value = name.size() < argument.size();
    std::string_view value = has_value ? argument.substr(name.size() + 1) : std::string_view();
    name.remove_prefix(name.starts_with("--") ? 2 : 1);
    bool* flag = name == "stackmaps"   ? &options.stack_maps
                 : name == "bitstream" ? &options.bitstream
                 : name == "bitcode"   ? &options.bitcode
                 : name == "json"      ? &options.json
                 : name == "tree"      ? &options.tree
                 : name == "verify"    ? &options.verify
                 : name == "help"      ? &help
                 : name == "version"   ? &version
                                       : nullptr;
    if (flag) {
      if (has_value) return fmt::format("'--{}' takes no value", name);
      *flag = true;
    } else if (name == "pc-sections") {
      options.pc_sections = true;
      split_list(value, options.tables);
    } else if (name == "schema" || name == "section" || name == "member") {
      if (!has_value) {
        if (++i == argc) return fmt::format("'--{}' takes a value", name);
        value = argv[i];
      }
      if (name == "section")
        options.section = value;
      else if (name == "member")
        options.member = value;
      else {
        std::string wrong;
        pc_section::Schema schema;
        if (!pc_section::parse_schema(value, schema, wrong)) return wrong;
        options.schemas.push_back(std::move(schema));
      }
    } else {
      return fmt::format("unknown option '{}'; --help lists those that there are", argument);
    }
  }
  if (help || version) return {};
  if (options.files.empty()) return "no input; --help tells how it is used";
  if (!options.pc_sections && !options.stack_maps && !options.bitstream && !options.bitcode) {
    if (!options.verify) return "what is to be shown? --pc-sections, --stackmaps, --bitstream or --bitcode";
    options.pc_sections = options.stack_maps = true;
  }
  return {};
}

void dump_input(Session& session, Input input) {
  using read::FileKind;
  const Options& options = session.options;
  input.kind = read::identify(input.bytes);
  if (input.kind == FileKind::import_object) return;
  read::Object object;
  const read::Object* read_object = nullptr;
  const bool is_object = input.kind == FileKind::elf || input.kind == FileKind::coff ||
                         input.kind == FileKind::bigobj || input.kind == FileKind::pe;
  if (is_object) {
    read::Error error;
    if (!read::read_object(input.bytes, object, error)) {
      return session.error(input, fmt::format("offset {:#x}", error.offset), error.message);
    }
    read_object = &object;
  } else if (!options.bitstream && !options.bitcode) {
    // In an archive, a file of names or of bitcode stands beside objects.
    if (input.member.empty()) {
      session.error(input, "", fmt::format("not an object: it is {}", read::kind_name(input.kind)));
    }
    return;
  }
  if (options.pc_sections) dump_pc_sections(session, input, read_object);
  if (options.stack_maps) dump_stack_maps(session, input, read_object);
  const bool is_bitcode = input.kind == FileKind::bitcode || input.kind == FileKind::bitcode_wrapper;
  if (!read_object && !is_bitcode && !input.member.empty()) return;
  if (options.bitstream) dump_bitstreams(session, input, read_object);
  if (options.bitcode) dump_bitcode(session, input, read_object);
}

void dump_archive(Session& session, const std::string& path, std::span<const u8> bytes) {
  std::vector<read::Member> members;
  read::Error error;
  const bool whole = read::read_archive(bytes, members, error);
  bool found = false;
  for (const read::Member& member : members) {
    if (!session.options.member.empty() && session.options.member != member.name) continue;
    found = true;
    Input input{path, std::string(member.name), member.data};
    File outside;
    if (member.external) {
      const bool relative = !host::is_absolute(member.name);
      const std::string file = (relative ? path.substr(0, host::last_name(path)) : "") + input.member;
      if (const std::string wrong = outside.open(file); !wrong.empty()) {
        session.error(input, "", fmt::format("{}: {}", file, wrong));
        continue;
      }
      input.bytes = outside.bytes();
    }
    dump_input(session, std::move(input));
  }
  if (!whole)
    session.error({path, {}, bytes}, fmt::format("offset {:#x}", error.offset), error.message);
  else if (!found && !session.options.member.empty()) {
    session.error({path, {}, bytes}, "", fmt::format("no member '{}'", session.options.member));
  }
}

void dump_file(Session& session, const std::string& path) {
  File file;
  Input input{path, {}, {}};
  if (const std::string wrong = file.open(path); !wrong.empty()) return session.error(input, "", wrong);
  input.bytes = file.bytes();
  const read::FileKind kind = read::identify(input.bytes);
  if (kind == read::FileKind::archive || kind == read::FileKind::thin_archive) {
    return dump_archive(session, path, input.bytes);
  }
  dump_input(session, std::move(input));
}

int run(int argc, char** argv) {
  host::set_standard_streams();
  Options options;
  bool help = false, version = false;
  if (const std::string wrong = read_arguments(argc, argv, options, help, version); !wrong.empty()) return fail(wrong);
  Output out;
  if (help) out.write(help_text());
  if (version) out.print("xas-dump {}\n", XAS_VERSION);
  Session session{options, out};
  if (!help && !version) {
    for (const std::string& file : options.files) dump_file(session, file);
    if (!out.has_text() && !session.failed && !options.verify) tell("nothing of what is asked for is there");
  }
  if (!out.flush()) return fail(fmt::format("standard output: {}", std::strerror(errno)));
  return session.failed ? 1 : 0;
}

}  // namespace
}  // namespace xas::dump

int main(int argc, char** argv) {
  try {
    return xas::dump::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return xas::dump::fail("out of memory");
  }
}
