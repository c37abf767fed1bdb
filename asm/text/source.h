// SPDX-License-Identifier: Apache-2.0
// All text that is read: files, standard input, the expansions of macros and loops. Every byte of it has a SourceLoc,
// from which file, line, column and the chain of inclusions and expansions are found again, only when they are needed.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asm/text/source_limits.h"
#include "asm/text/source_loc.h"

namespace xas {

/// Bytes that can be read behind the end of any buffer. The first one is zero, and so are the others if the text does
/// not end with a newline.
inline constexpr std::size_t source_padding = 64;

enum class BufferKind : u8 { file, memory, expansion };

struct SourceBuffer {
  const char* begin = nullptr;
  const char* end = nullptr;  ///< *end is NUL; source_padding bytes from there can be read
  SourceLoc base = 0;         ///< the loc of *begin
  BufferKind kind = BufferKind::file;
  bool is_piece = false;      ///< of a text that comes in pieces, or a place
  SourceLoc parent = 0;       ///< where it was included or expanded
  std::string_view name;      ///< path as given; of an expansion: what was expanded
  SourceLoc text_origin = 0;  ///< of an expansion: where its text was written (the macro's body)
  u32 first_line = 1;
  mutable bool stays = false;                ///< something may remember a place in it, or a part of its text
  mutable const char* window = nullptr;      ///< of a mapped file: start of the part that was fetched last (read_on)
  mutable const char* window_end = nullptr;  ///< up to where the text has been fetched; of all others, `end`

  SourceLoc loc(const char* p) const {
    stays = true;
    return passing_loc(p);
  }
  /// The same, to be remembered only while the buffer is read.
  SourceLoc passing_loc(const char* p) const { return base + u32(p - begin); }
  u32 size() const { return u32(end - begin); }
};

/// `# 12 "file.c"`: from here on, lines count as lines of another file.
struct LineMarker {
  SourceLoc loc;     ///< start of the line after the marker
  u32 line;          ///< what that line is called
  std::string file;
};

/// A place as a person is told it.
struct Location {
  std::string_view file;
  u32 line = 0;
  u32 column = 0;          ///< 1-based, in bytes
  std::string_view text;   ///< the whole source line
  u32 text_column = 0;     ///< 1-based, where `column` is in `text`
};

/// What a source buffer was left for.
enum class SourceKind : u8 { include, macro, loop };

/// A buffer that was left for another: where reading goes on when that one is at its end.
struct OpenSource {
  const SourceBuffer* buffer;
  const char* p;
  SourceKind inner;  ///< what it was left for
  bool at_line_start;
  u32 conditionals;  ///< how many were open then
  u32 symbols;       ///< how many there were then
  std::size_t messages;
};

class Sources {
 public:
  // Where reading is; null while there is no text

  const SourceBuffer* current = nullptr;  ///< the buffer that is being read
  const char* statement = nullptr;        ///< the start of the current statement, in it
  std::vector<OpenSource> open;           ///< below the current one
  u64 round = 0;                          ///< of the innermost loop that is being read, from 1; 0: there is none
  SourceLoc loc_of(const char* at) const { return current ? current->loc(at) : 0; }
  SourceLoc statement_loc() const { return loc_of(statement); }
  SourceLoc passing_loc_of(const char* at) const { return current ? current->passing_loc(at) : 0; }

  ~Sources();
  Sources() = default;
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  /// Reads files in place of the file system: false if there is no such file; the text must stay until `clear`.
  using Reader = bool (*)(void* user, const std::string& path, std::string_view& text);
  void set_reader(Reader reader, void* user) {
    reader_ = reader;
    reader_user_ = user;
  }

  void set_limits(const SourceLimits& limits) { limits_ = limits; }

  /// Maps a file. Null, and why in `error`, if it cannot be read or all sources together exceed the limit.
  const SourceBuffer* add_file(const std::string& path, SourceLoc parent, std::string& error);
  /// Reading has come to p, the end of a mapped file's window or behind it: the next one is fetched, and what lies
  /// before p need not stay in memory; who asks for it again gets it from the file. With `keep`, all of the rest is
  /// fetched, to stay.
  void read_on(const SourceBuffer& buffer, const char* p, bool keep);
  /// Reads a file descriptor (standard input). The buffer of a long text ends behind the lines that have come so far:
  /// `wait_for_more` adds the next ones. The descriptor must stay open until then.
  const SourceBuffer* add_descriptor(int fd, std::string name, std::string& error);
  /// Waits for further lines of the text that is still coming in, and adds them to its buffer. False if it has come to
  /// its end, or there is no such text. Any buffer that is added makes it come whole.
  bool wait_for_more();
  /// The same for all that is left of it.
  bool wait_for_all();
  /// Why the text that was coming in has ended before its end; empty if it has not.
  const std::string& input_error() const { return input_error_; }
  /// Copies text that takes the place of all that was there before, in the same memory. A blank stands before the
  /// buffer and is not counted. The name is not copied.
  const SourceBuffer* set_text(std::string_view name, std::string_view text, std::string& error);
  /// Copies text. This and those that follow throw std::bad_alloc if there is no memory for it.
  const SourceBuffer* add_memory(std::string name, std::string_view text, std::string& error);
  /// Copies a piece of a text that comes in pieces, with a newline at its end. Its first line is called `line`. A blank
  /// stands before the buffer and is not counted. The name is not copied.
  const SourceBuffer* add_piece(std::string_view name, u32 line, std::string_view text, std::string& error);
  /// A place in no text, which is called this. The name is not copied.
  const SourceBuffer* add_place(std::string_view name, u32 line, std::string& error);
  /// Copies the text of an expansion, behind a newline that ends the statement which asked for it: reading goes on at
  /// the buffer's start as if behind that statement's operands.
  /// The name is not copied.
  const SourceBuffer* add_expansion(std::string_view name, std::string_view text, SourceLoc parent,
                                    SourceLoc text_origin, std::string& error);

  /// Gives back what an expansion takes that has been read, unless it stays. Nothing of it may be in use.
  void take_back(const SourceBuffer& expansion);

  void add_marker(SourceLoc loc, u32 line, std::string file) { markers_.push_back({loc, line, std::move(file)}); }

  /// How many line markers there were so far: what `locate` says changes with each.
  std::size_t markers() const { return markers_.size(); }
  const LineMarker& first_marker() const { return markers_.front(); }
  /// The one that says what the line of this place is called, if there is one.
  const LineMarker* marker_at(SourceLoc loc) const;

  /// All that was read or expanded, in that order.
  const std::deque<SourceBuffer>& buffers() const { return buffers_; }
  const SourceBuffer* buffer_of(SourceLoc loc) const;
  /// Whether what stands at `a` was read before what stands at `b`: an expansion where it was asked for, although its
  /// locs come behind those of all that was there by then.
  bool is_before(SourceLoc a, SourceLoc b) const;
  /// File, line and column of a place, line markers honoured.
  Location locate(SourceLoc loc) const;
  /// Text at a place.
  const char* text_at(SourceLoc loc) const;

  /// Forgets everything, for the next assembly.
  void clear();

 private:
  /// A text that is still coming in. It lies in a mapping of its own, where it will stay.
  struct Incoming {
    SourceBuffer* buffer = nullptr;  ///< null: there is none
    int fd = -1;
    char* lines_end = nullptr;       ///< the buffer's end
    char* end = nullptr;             ///< of what has come; the last line is not whole
    const char* limit = nullptr;     ///< there is room up to here
    char held[source_padding] = {};  ///< what the last line begins with; zeros stand in its place
  };
  SourceBuffer* place(SourceBuffer buffer, std::string& error);
  std::string too_much_text() const;
  char* add_small(char before, std::string_view text, std::string_view after);
  std::string_view keep(std::string name) { return names_.emplace_back(std::move(name)); }

  /// A text's memory, which it frees.
  struct Memory {
    void* p = nullptr;
    std::size_t mapped = 0;  ///< bytes of a mapping; 0: from malloc

    Memory() = default;
    explicit Memory(void* from_malloc) : p(from_malloc) {}
    Memory(Memory&& m) noexcept : p(std::exchange(m.p, nullptr)), mapped(m.mapped) {}
    Memory& operator=(Memory&& m) = delete;
    ~Memory();
  };
  char* own(Memory memory);

  std::deque<SourceBuffer> buffers_;  ///< by base
  std::deque<std::string> names_;     ///< of files
  std::vector<Memory> memory_;
  char* text_ = nullptr;  ///< of set_text
  std::size_t text_room_ = 0;
  char* chunk_ = nullptr;       ///< where the next expansion's text goes
  std::size_t chunk_left_ = 0;
  std::vector<LineMarker> markers_;
  /// The line that was located last: thousands of diagnostics in one file are not counted from its start each.
  struct Counted {
    const char* from = nullptr;  ///< where counting began
    const char* line = nullptr;
    u32 number = 0;              ///< newlines between them
  };
  mutable Counted counted_;
  Incoming incoming_;
  std::string input_error_;
  u64 next_base_ = 1;
  SourceLimits limits_;
  Reader reader_ = nullptr;
  void* reader_user_ = nullptr;
};

}  // namespace xas
