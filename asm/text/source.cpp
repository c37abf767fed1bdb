// SPDX-License-Identifier: Apache-2.0
// Reading text. Large files are mapped, not copied, where the system allows it; a mapping ends in zeros whatever the
// file's size is.
#include "asm/text/source.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "asm/text/host.h"

namespace xas {

namespace {

constexpr std::size_t map_from = 256 * 1024;  // below this, reading is cheaper than mapping
constexpr std::size_t max_read = 1 << 30;     // at a time; some systems take no more than an int

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

std::string system_error(int error) { return std::strerror(error); }

/// What malloc, calloc or realloc has returned.
char* got(void* memory) {
  if (!memory) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

/// What has been read of a descriptor, in malloc'd memory with zeros behind it.
struct ReadText {
  char* text = nullptr;
  std::size_t size = 0, capacity = 0;
  bool at_end = false;

  ~ReadText() { std::free(text); }
  char* take() { return std::exchange(text, nullptr); }
};

/// Reads on, to the end or until there are `enough` bytes. False on error (errno), or if there are more than `most`.
bool read_text(int fd, ReadText& t, std::size_t expected, std::size_t most, std::size_t enough = ~std::size_t(0)) {
  while (!t.at_end && t.size < enough && t.size <= most) {
    if (t.capacity - t.size <= source_padding) {
      t.capacity = t.text ? t.capacity * 2 + 65536 : expected + source_padding + 1;
      t.text = got(std::realloc(t.text, t.capacity));
    }
    const ssize_t n = ::read(fd, t.text + t.size, std::min(t.capacity - t.size - source_padding, max_read));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    t.size += std::size_t(n);
    t.at_end = n == 0;
  }
  if (t.size > most) return errno = EFBIG, false;
  std::memset(t.text + t.size, 0, source_padding);
  return true;
}

/// What is read of a mapped file at a time: few enough pages to be no burden, many enough to be worth a system call.
constexpr std::size_t window_size = 256 << 10;

}  // namespace

Sources::Memory::~Memory() {
  if (p && mapped)
    host::unmap(p, mapped);
  else
    std::free(p);
}

Sources::~Sources() { clear(); }

void Sources::clear() {
  memory_.clear();
  std::free(text_);
  text_ = nullptr;
  text_room_ = 0;
  chunk_ = nullptr;
  chunk_left_ = 0;
  counted_ = {};
  incoming_ = {};
  input_error_.clear();
  buffers_.clear();
  names_.clear();
  markers_.clear();
  next_base_ = 1;
}

std::string Sources::too_much_text() const {
  return fmt::format("all source text together, expansions included, exceeds the limit of {} bytes", limits_.bytes);
}

char* Sources::own(Memory memory) {
  memory_.push_back(std::move(memory));
  return static_cast<char*>(memory_.back().p);
}

SourceBuffer* Sources::place(SourceBuffer buffer, std::string& error) {
  wait_for_all();
  const u64 size = u64(buffer.end - buffer.begin) + 1;
  if (next_base_ + size > limits_.bytes) {
    error = too_much_text();
    return nullptr;
  }
  buffer.base = SourceLoc(next_base_);
  if (!buffer.window_end) buffer.window_end = buffer.end;
  next_base_ += size;
  return &buffers_.emplace_back(buffer);
}

const SourceBuffer* Sources::add_file(const std::string& path, SourceLoc parent, std::string& error) {
  if (reader_ && parent) {  // inputs are read from where the caller said; what they include, through the reader
    std::string_view text;
    if (!reader_(reader_user_, path, text)) {
      error = fmt::format("cannot open '{}': {}", path, system_error(ENOENT));
      return nullptr;
    }
    const SourceBuffer* buffer = add_memory(path, text, error);
    if (buffer) buffers_.back().parent = parent;
    return buffer;
  }
  struct stat st;
  if (limits_.regular_files && ::stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode)) {  // to open it may wait
    error = fmt::format("cannot read '{}': it is no regular file", path);
    return nullptr;
  }
  Descriptor file{host::open_to_read(path.c_str())};
  if (file.fd < 0 || ::fstat(file.fd, &st) != 0) {
    error = fmt::format("cannot open '{}': {}", path, system_error(errno));
    return nullptr;
  }
  if (S_ISDIR(st.st_mode)) {
    error = fmt::format("cannot read '{}': it is a directory", path);
    return nullptr;
  }
  if (u64(st.st_size) > limits_.bytes) {
    error = fmt::format("'{}' has {} bytes; the limit is {}", path, st.st_size, limits_.bytes);
    return nullptr;
  }
  SourceBuffer buffer{.kind = BufferKind::file, .parent = parent, .name = keep(path)};
  Memory memory;
  std::size_t size = std::size_t(st.st_size);
  if (S_ISREG(st.st_mode) && size >= map_from) memory.p = host::map_padded(file.fd, size, memory.mapped);
  if (!memory.p) {
    ReadText read;
    if (read_text(file.fd, read, S_ISREG(st.st_mode) ? size : 4096, limits_.bytes)) {
      memory.p = read.take();
      size = read.size;
    }
  }
  if (!memory.p) {
    error = fmt::format("cannot read '{}': {}", path, system_error(errno));
    return nullptr;
  }
  buffer.begin = static_cast<const char*>(memory.p);
  buffer.end = buffer.begin + size;
  if (memory.mapped) buffer.window = buffer.window_end = buffer.begin;
  own(std::move(memory));
  return place(buffer, error);
}

void Sources::read_on(const SourceBuffer& buffer, const char* p, bool keep) {
  const std::size_t page = host::page_size();
  const char* const begin = p - reinterpret_cast<std::uintptr_t>(p) % page;
  const std::size_t rest = std::size_t(buffer.end - begin);
  constexpr std::size_t most_windows = 128;
  const std::size_t size =
      keep ? rest : std::min(rest, std::max<std::size_t>(window_size, buffer.size() / most_windows));
  if (!keep) host::release_pages(buffer.window, std::size_t(begin - buffer.window));
  host::fetch_pages(begin, size);
  buffer.window = begin;
  buffer.window_end = begin + size;
}

const SourceBuffer* Sources::add_descriptor(int fd, std::string name, std::string& error) {
  constexpr std::size_t small = 65536;  // a pipe's worth: not worth beginning before it is there
  ReadText read;
  const auto failed = [&] {
    error = fmt::format("cannot read {}: {}", name, system_error(errno));
    return nullptr;
  };
  host::widen_pipe(fd);
  if (!read_text(fd, read, small, limits_.bytes, small)) return failed();
  const std::size_t room = std::size_t(limits_.bytes - next_base_);
  Memory memory;
  if (!read.at_end) memory.p = host::reserve_memory(room + source_padding, memory.mapped);
  if (!memory.p && !read_text(fd, read, 0, limits_.bytes)) return failed();
  if (!memory.p) {
    const char* const text = own(Memory(read.take()));
    return place(
        {.begin = text, .end = text + read.size, .kind = BufferKind::file, .name = keep(std::move(name))},
        error);
  }
  char* const text = own(std::move(memory));
  std::memcpy(text, read.text, read.size);
  SourceBuffer* const buffer =
      place({.begin = text, .end = text, .kind = BufferKind::file, .name = keep(std::move(name))}, error);
  if (!buffer) return nullptr;
  incoming_ = {.buffer = buffer, .fd = fd, .lines_end = text, .end = text + read.size, .limit = text + room};
  std::memcpy(incoming_.held, text, source_padding);
  wait_for_more();
  return buffer;
}

bool Sources::wait_for_more() {
  Incoming& in = incoming_;
  if (!in.buffer) return false;
  const char* const before = in.lines_end;
  std::memcpy(in.lines_end, in.held, source_padding);
  bool at_end = false;
  for (const char* searched = in.lines_end; !at_end;) {
    const std::size_t newline = std::string_view(searched, std::size_t(in.end - searched)).rfind('\n');
    if (newline != std::string_view::npos) {
      in.lines_end += searched + newline + 1 - in.lines_end;
      break;
    }
    searched = in.end;
    const std::size_t room = std::size_t(in.limit - in.end);
    const ssize_t n = room ? ::read(in.fd, in.end, std::min(room, window_size)) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) input_error_ = fmt::format("cannot read {}: {}", in.buffer->name, system_error(errno));
    if (!room) input_error_ = too_much_text();
    if (n > 0)
      in.end += n;
    else
      at_end = true;
  }
  if (at_end) in.lines_end = in.end;
  std::memcpy(in.held, in.lines_end, source_padding);
  std::memset(in.lines_end, 0, source_padding);
  in.buffer->end = in.buffer->window_end = in.lines_end;
  next_base_ = in.buffer->base + u64(in.lines_end - in.buffer->begin) + 1;
  if (at_end) in.buffer = nullptr;
  return in.lines_end != before;
}

bool Sources::wait_for_all() {
  bool more = false;
  while (wait_for_more()) more = true;
  return more;
}

const SourceBuffer* Sources::set_text(std::string_view name, std::string_view text, std::string& error) {
  const std::size_t need = text.size() + 2 + source_padding;
  constexpr std::size_t max_usual_text = 4096;
  if (need > text_room_) {
    const std::size_t room = std::max(2 * need, max_usual_text);
    char* const fresh = got(std::malloc(room));
    std::free(text_);
    text_ = fresh;
    text_room_ = room;
  }
  char* const begin = text_ + 1;
  text_[0] = '\t';
  if (!text.empty()) std::memcpy(begin, text.data(), text.size());
  char* const end = begin + text.size() + 1;
  end[-1] = '\n';
  std::memset(end, 0, source_padding);
  counted_ = {};
  markers_.clear();
  constexpr u64 first_base = 2;  // the blank has a place, too
  if (buffers_.size() != 1 || text.size() > max_usual_text) {
    buffers_.clear();
    next_base_ = first_base;
    return place({.begin = begin, .end = end, .kind = BufferKind::memory, .name = name}, error);
  }
  SourceBuffer& again = buffers_.front();
  again = {.begin = begin, .end = end, .base = first_base, .kind = BufferKind::memory, .name = name};
  again.window_end = end;
  next_base_ = first_base + again.size() + 1;
  return &again;
}

const SourceBuffer* Sources::add_memory(std::string name, std::string_view text, std::string& error) {
  if (text.size() > limits_.bytes) return error = too_much_text(), nullptr;
  char* const copy = own(Memory(got(std::malloc(text.size() + source_padding))));
  if (!text.empty()) std::memcpy(copy, text.data(), text.size());
  std::memset(copy + text.size(), 0, source_padding);
  const char* const end = copy + text.size();
  return place({.begin = copy, .end = end, .kind = BufferKind::memory, .name = keep(std::move(name))}, error);
}

/// Copies one of many small texts, which share blocks of memory: `before`, text, `after`, a zero.
/// What is read behind it may be the next one, which does no harm behind a newline and the zero.
char* Sources::add_small(char before, std::string_view text, std::string_view after) {
  const std::size_t need = 1 + text.size() + after.size() + 1;
  if (need > chunk_left_) {
    constexpr std::size_t usual = 64 * 1024 - source_padding;
    const std::size_t size = std::max(need, usual);
    chunk_ = own(Memory(got(std::calloc(size + source_padding, 1))));
    chunk_left_ = size;
  }
  char* const begin = chunk_;
  begin[0] = before;
  if (!text.empty()) std::memcpy(begin + 1, text.data(), text.size());
  char* const end = begin + 1 + text.size();
  if (!after.empty()) std::memcpy(end, after.data(), after.size());
  end[after.size()] = '\0';
  chunk_ += need;
  chunk_left_ -= need;
  return begin;
}

const SourceBuffer* Sources::add_piece(std::string_view name, u32 line, std::string_view text, std::string& error) {
  const char* const blank = add_small('\t', text, "\n");
  ++next_base_;  // the blank has a place, too
  return place({.begin = blank + 1,
                .end = blank + 2 + text.size(),
                .kind = BufferKind::memory,
                .is_piece = true,
                .name = name,
                .first_line = line},
               error);
}

const SourceBuffer* Sources::add_place(std::string_view name, u32 line, std::string& error) {
  static constexpr char nothing[source_padding + 1] = {};
  return place({.begin = nothing,
                .end = nothing,
                .kind = BufferKind::memory,
                .is_piece = true,
                .name = name,
                .first_line = line},
               error);
}

const SourceBuffer* Sources::add_expansion(std::string_view name, std::string_view text, SourceLoc parent,
                                           SourceLoc text_origin, std::string& error) {
  const char* const begin = add_small('\n', text, {});
  return place({.begin = begin,
                .end = begin + 1 + text.size(),
                .kind = BufferKind::expansion,
                .parent = parent,
                .name = name,
                .text_origin = text_origin,
                .first_line = 0},
               error);
}

void Sources::take_back(const SourceBuffer& expansion) {
  char* const begin = const_cast<char*>(expansion.begin);
  const std::size_t size = expansion.size() + 1;
  if (expansion.stays || &expansion != &buffers_.back() || chunk_ != begin + size) return;
  chunk_ = begin;
  chunk_left_ += size;
  next_base_ = expansion.base;
  if (counted_.from == begin) counted_ = {};
  buffers_.pop_back();
}

const SourceBuffer* Sources::buffer_of(SourceLoc loc) const {
  if (loc == 0) return nullptr;
  auto it = std::upper_bound(buffers_.begin(), buffers_.end(), loc,
                             [](SourceLoc l, const SourceBuffer& b) { return l < b.base; });
  if (it == buffers_.begin()) return nullptr;
  const SourceBuffer* b = &*std::prev(it);
  return loc <= b->base + b->size() ? b : nullptr;
}

bool Sources::is_before(SourceLoc a, SourceLoc b) const {
  if (buffers_.size() <= 1) return a < b;
  const SourceBuffer *in_a = buffer_of(a), *in_b = buffer_of(b);
  SourceLoc left_a = 0, left_b = 0;  // the buffers that were left last; 0: none, which comes before what it asks for
  while (in_a && in_b && in_a != in_b) {
    const bool a_opened_last = in_a->base > in_b->base;
    const SourceBuffer*& in = a_opened_last ? in_a : in_b;
    if (in->parent == 0) break;
    (a_opened_last ? left_a : left_b) = in->base;
    (a_opened_last ? a : b) = in->parent;
    in = buffer_of(in->parent);
  }
  return a != b ? a < b : left_a < left_b;
}

const char* Sources::text_at(SourceLoc loc) const {
  const SourceBuffer* b = buffer_of(loc);
  return b ? b->begin + (loc - b->base) : nullptr;
}

const LineMarker* Sources::marker_at(SourceLoc loc) const {
  auto marker = std::upper_bound(markers_.begin(), markers_.end(), loc,
                                 [](SourceLoc l, const LineMarker& m) { return l < m.loc; });
  if (marker == markers_.begin()) return nullptr;
  const SourceBuffer* b = buffer_of(loc);
  return b && std::prev(marker)->loc >= b->base ? &*std::prev(marker) : nullptr;
}

Location Sources::locate(SourceLoc loc) const {
  const SourceBuffer* b = buffer_of(loc);
  if (!b) return {};
  const char* at = b->begin + (loc - b->base);
  const char* line = at;
  while (line > b->begin && line[-1] != '\n') --line;
  const char* line_end = static_cast<const char*>(std::memchr(at, '\n', std::size_t(b->end - at)));
  if (!line_end) line_end = b->end;
  Location result{.file = b->name,
                  .line = b->first_line,
                  .column = u32(at - line) + 1,
                  .text = {line, std::size_t(line_end - line)},
                  .text_column = u32(at - line) + 1};
  const char* count_from = b->begin;
  // GCC ends what it has inlined with `# 0 "" 2`: from there on the file that is read counts again. `# 0 "file"` gives
  // only another name.
  if (const LineMarker* m = marker_at(loc); m && !m->file.empty()) {
    result.file = m->file;
    if (m->line != 0) {
      result.line = m->line;
      count_from = b->begin + (m->loc - b->base);
    }
  }
  if (count_from < line) {
    if (counted_.from != count_from || counted_.line > line) counted_ = {count_from, count_from, 0};
    counted_.number += u32(std::count(counted_.line, line, '\n'));
    counted_.line = line;
    result.line += counted_.number;
  }
  return result;
}

}  // namespace xas
