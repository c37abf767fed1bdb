// SPDX-License-Identifier: Apache-2.0
// The text of a listing, in GNU as's format: pages with a head, lines with their number, address and bytes, lines of
// the high-level source, the symbols.
//
// Files are read line by line as far as the entries go. What an entry's line has made is known from the places of the
// entry and of the next one in the same subsection.
#include "asm/listing/listing_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "asm/program/program.h"
#include "asm/text/append.h"
#include "objwriter/elf_constants.h"
#include "objwriter/object.h"

namespace xas {

namespace {

class ListingWriter {
 public:
  ListingWriter(Program& program, const obj::Object* object)
      : l_(program.listing), program_(program), options_(program.options.listing), object_(object) {
    const std::size_t paper = l_.paper_width;
    most_bytes_ = (u64(options_.lhs_width) + u64(options_.lhs_width2) * options_.cont_lines) * word_size;
    width_ = std::max<std::size_t>(1, std::min<std::size_t>(options_.rhs_width, paper));
    if (options_.parts & listing_no_forms) l_.paper_height = 0;
    for (const std::string& name : l_.files) files_.push_back({.name = name});
    for (const auto& buffer : program_.sources.buffers()) {
      if (buffer.parent == 0 && buffer.kind != BufferKind::expansion) input_name_ = buffer.name;
    }
    if (input_name_ == program_.profile.standard_input) input_name_ = {};
  }

  std::string run() {
    if (options_.parts & listing_general) {
      eject_ = true;
      page(l_.entries.size());
      out_ += options_.heading;
    }
    if (options_.parts & listing_lines) {
      measure();
      attach_messages();
      lines();
    }
    if (options_.parts & listing_symbols) symbols();
    return std::move(out_);
  }

  std::string hex() {
    measure();
    most_bytes_ = ~u64(0);
    for (std::size_t i = 0; i < l_.entries.size(); ++i) {
      bytes_of(i);
      if (bytes_.empty()) continue;
      for (std::size_t k = 0; k < bytes_.size(); ++k) print("{}0x{:02x}", k ? "," : "", bytes_[k]);
      print(" # {}\n", source_line(l_.entries[i].loc));
    }
    return std::move(out_);
  }

 private:
  using Entry = Listing::Entry;
  static constexpr u32 none = Listing::none;
  static constexpr u64 no_address = ~u64(0);
  static constexpr unsigned word_size = 4;

  struct File {
    std::string_view name;
    const SourceBuffer* buffer = nullptr;
    const char* p = nullptr;
    u32 line = 0;
    bool opened = false, at_end = false;
    std::vector<const char*> starts;  ///< of the lines read so far
  };

  /// Where what an entry has made ends.
  struct End {
    u64 pos;
    u32 fragment;
  };

  // Pages

  void page(std::size_t entry) {
    if (!(eject_ || on_page_ >= l_.paper_height) || l_.paper_height == 0) return;
    ++page_;
    bool had_title = false, had_subtitle = false;
    constexpr std::size_t looked_ahead = 10;  // a title just behind the head of a page is the page's
    for (std::size_t i = entry; i < l_.entries.size() && i < entry + looked_ahead; ++i) {
      const Entry& e = l_.entries[i];
      if (e.edict == ListingEdict::title && !had_title) had_title = true, title_ = l_.edict_texts[e.edict_text];
      if (e.edict == ListingEdict::subtitle && !had_subtitle)
        had_subtitle = true, subtitle_ = l_.edict_texts[e.edict_text];
    }
    if (page_ > 1) out_ += '\f';
    const std::string_view title = program_.info.elf.machine == elf::EM_AARCH64 ? "AARCH64 GAS "
                                   : program_.info.elf.machine == elf::EM_ARM   ? "ARM GAS "
                                                                                : "GAS LISTING";
    print("{} {} \t\t\tpage {}\n{}\n{}\n", title, input_name_, page_, title_, subtitle_);
    on_page_ = 3;
    eject_ = false;
  }

  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    append(out_, format, std::forward<Arguments>(arguments)...);
  }

  void end_line() {
    ++on_page_;
    page(l_.entries.size());
  }

  // Files

  std::string_view read_line(File& file, SourceLoc loc) {
    if (!file.opened) {
      file.opened = true;
      for (const auto& buffer : program_.sources.buffers()) {
        if (buffer.kind != BufferKind::expansion && buffer.name == file.name) file.buffer = &buffer;
      }
      std::string error;
      if (!file.buffer) file.buffer = program_.sources.add_file(std::string(file.name), loc, error);
      if (file.buffer) file.p = file.buffer->begin;
      file.at_end = !file.buffer;
    }
    if (file.at_end) return {};
    const char* const begin = file.p;
    if (file.starts.size() == file.line) file.starts.push_back(begin);
    const char* const end = file.buffer->end;
    const char* q = begin;
    while (q < end && *q != '\n' && *q != '\r') ++q;
    std::string_view line(begin, std::min<std::size_t>(std::size_t(q - begin), width_ - 1));
    ++file.line;
    if (q < end) {
      file.p = q + 1 < end && (q[1] == '\n' || q[1] == '\r') && q[1] != *q ? q + 2 : q + 1;
      return line;
    }
    file.at_end = true;
    file.p = end;
    cut_line_ = line;
    if (std::size_t(q - begin) + 2 < width_ - 1) cut_line_ += "...";
    return cut_line_;
  }

  // Bytes

  void measure() {
    std::unordered_map<u32, End> next;
    ends_.resize(l_.entries.size());
    for (std::size_t i = l_.entries.size(); i-- > 0;) {
      const Entry& e = l_.entries[i];
      const Subsection& sub = program_.sections.sub(e.subsection);
      const auto [known, last] = next.try_emplace(e.subsection, End{sub.size, u32(sub.fragments.size())});
      ends_[i] = known->second;
      known->second = {e.pos, e.fragment};
    }
  }

  /// The bytes that an entry's line has made, in `bytes_`, as many as are shown; their address, or none.
  u64 bytes_of(std::size_t i) {
    const Entry& e = l_.entries[i];
    const Subsection& sub = program_.sections.sub(e.subsection);
    const u64 max = most_bytes_;
    bytes_.clear();
    if (!object_) {
      const u64 size = std::min(ends_[i].pos - e.pos, max);
      if (sub.data) bytes_.assign(sub.data + e.pos, sub.data + e.pos + size);
      return size ? e.pos : no_address;
    }
    const u64 begin = sub.offset(e.pos, e.fragment), end = sub.offset(ends_[i].pos, ends_[i].fragment);
    if (begin == end) return no_address;
    const bool one_fragment = ends_[i].pos == e.pos && ends_[i].fragment == e.fragment + 1;
    // GNU as shows nothing of .nops.
    if (one_fragment && sub.fragments[e.fragment].kind == FragmentKind::nops) return no_address;
    const u64 size = std::min(end - begin, max);
    const u8* const contents = object_->sections[sub.section].contents.data;
    if (contents && !sub.nobits) {
      bytes_.assign(contents + begin, contents + begin + size);
    } else {
      bytes_.assign(size, 0);
    }
    return begin;
  }

  /// The text from a place to the end of its line, without the blanks around it.
  std::string_view source_line(SourceLoc loc) const {
    const SourceBuffer* const buffer = program_.sources.buffer_of(loc);
    if (!buffer) return {};
    const char* const begin = buffer->begin + (loc - buffer->base);
    const std::string_view rest(begin, std::size_t(buffer->end - begin));
    std::string_view line = rest.substr(0, rest.find_first_of("\n\r"));
    const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
    return first == line.npos ? std::string_view() : line.substr(first, last + 1 - first);
  }

  // Lines

  void attach_messages() {
    const auto& list = program_.diags.list();
    if (list.empty()) return;
    std::vector<std::pair<SourceLoc, std::size_t>> by_loc;
    for (std::size_t i = 0; i < l_.entries.size(); ++i) by_loc.emplace_back(l_.entries[i].loc, i);
    std::sort(by_loc.begin(), by_loc.end());
    for (const Diag& d : list) {
      if (d.severity == Severity::warning && program_.options.no_warnings) continue;
      if (const std::size_t entry = entry_of(by_loc, d.loc); entry != by_loc.size()) messages_.emplace(entry, &d);
    }
  }

  /// The entry of the line that a place is on, or of the call that led there; their number if there is none.
  std::size_t entry_of(const std::vector<std::pair<SourceLoc, std::size_t>>& by_loc, SourceLoc loc) const {
    while (const SourceBuffer* buffer = program_.sources.buffer_of(loc)) {
      auto it = std::upper_bound(by_loc.begin(), by_loc.end(), std::pair{loc, ~std::size_t(0)});
      if (it != by_loc.begin() && std::prev(it)->first >= buffer->base) {
        const std::string_view between(buffer->begin + (std::prev(it)->first - buffer->base),
                                       loc - std::prev(it)->first);
        return between.find('\n') == between.npos ? std::prev(it)->second : by_loc.size();
      }
      loc = buffer->parent;
    }
    return by_loc.size();
  }

  void print_line(std::size_t i, u32 number, std::string_view text, u64 address) {
    page(i);
    constexpr unsigned word_width = word_size * 2 + 1;
    const std::size_t first_width = std::size_t(word_width) * options_.lhs_width;
    if (address == no_address) {
      print("{: 4d}     {:{}}\t{}\n", i64(number), "", first_width, text);
      return end_line();
    }
    program_.diags.errors() ? print("{: 4d} ???? ", i64(number)) : print("{: 4d} {:04x} ", i64(number), address);
    std::size_t at = 0;
    std::size_t width = words(at, first_width);
    print("{:{}}\t{}\n", "", first_width - std::min(width, first_width), text);
    end_line();
    for (auto [m, last] = messages_.equal_range(i); m != last; ++m) {
      print("****  {}: {}\n", m->second->severity == Severity::error ? "Error" : "Warning", m->second->message);
      end_line();
    }
    for (u32 line = 0; line < options_.cont_lines && at < bytes_.size(); ++line) {
      print("{: 4d}      ", i64(number));
      words(at, std::size_t(word_width) * options_.lhs_width2 - 1);
      out_ += '\n';
      end_line();
    }
  }

  /// Bytes from `at` on, up to `limit` columns; how many columns they took.
  std::size_t words(std::size_t& at, std::size_t limit) {
    std::size_t width = 0;
    for (unsigned in_word = 0; at < bytes_.size() && width < limit; ++at) {
      print("{:02X}", bytes_[at]);
      width += 2;
      if (++in_word == word_size) {
        out_ += ' ';
        ++width;
        in_word = 0;
      }
    }
    return width;
  }

  void print_source(std::size_t i, File& file, u32 line) {
    const auto show = [&](u32 number, std::string_view text) {
      print("{:4}:{:<13} **** {}\n", number, file.name, text);
      end_line();
    };
    if (file.line > line && line > 0) {  // shown before: that line alone once more
      File again{.name = file.name, .buffer = file.buffer, .p = file.starts[line - 1], .line = line, .opened = true};
      return show(line, read_line(again, l_.entries[i].loc));
    }
    while (file.line < line && !file.at_end) {
      const u32 number = file.line + 1;  // a file that is not there has one, empty, line
      show(number, read_line(file, l_.entries[i].loc));
    }
  }

  void lines() {
    int showing = 1;
    u32 current_source = none;
    eject_ = true;
    for (std::size_t i = 0; i < l_.entries.size(); ++i) {
      const Entry& e = l_.entries[i];
      File& file = files_[e.file];
      u32 last = e.line;
      switch (e.edict) {
        case ListingEdict::list: --last; break;
        case ListingEdict::nolist: --showing; break;
        case ListingEdict::nolist_next: last -= showing == 0; break;
        case ListingEdict::title: title_ = l_.edict_texts[e.edict_text]; break;
        case ListingEdict::subtitle: subtitle_ = l_.edict_texts[e.edict_text]; break;
        default: break;
      }
      if (showing <= 0) {
        while (file.line < last && !file.at_end) read_line(file, e.loc);
      }
      if (e.edict == ListingEdict::list || (e.edict == ListingEdict::nolist_next && showing == 0)) {
        ++last;
        ++showing;
      }
      if (showing > 0) {
        if (e.source_file != none) current_source = e.source_file;
        if (current_source != none && e.source_line && (options_.parts & listing_source)) {
          print_source(i, files_[current_source], e.source_line);
        }
        print_entry(i, file, last);
        if (e.edict == ListingEdict::eject) eject_ = true;
      }
      if (e.edict == ListingEdict::nolist_next && showing == 1) --showing;
    }
  }

  void print_entry(std::size_t i, File& file, u32 last) {
    const Entry& e = l_.entries[i];
    const bool reads = e.text == none || (file.line != 0 && file.name != program_.profile.standard_input);
    while (reads && file.line < last && !file.at_end) {
      const std::string_view text = read_line(file, e.loc);
      const u64 address = file.line < last ? no_address : bytes_of(i);
      if (!is_left_out(i, text)) print_line(i, file.line, text, address);
    }
    if (e.text == none) return;
    const std::string_view text = std::string_view(l_.texts).substr(e.text, e.text_size);
    if (is_left_out(i, text)) return;
    const u64 address = bytes_of(i);
    print_line(i, e.line, text, address);
  }

  /// -ad: lines in debug sections, and those whose directive begins like one of debug information.
  bool is_left_out(std::size_t i, std::string_view text) {
    if (!(options_.parts & listing_no_debug)) return false;
    const bool was_debug = std::exchange(in_debug_, l_.entries[i].is_debug);
    if (in_debug_) return true;
    const std::size_t first = text.find_first_not_of(" \t\r\f\v");
    if (first == text.npos) {
      in_debug_ = was_debug && i + 1 < l_.entries.size() && l_.entries[i + 1].is_debug;
      return in_debug_;
    }
    if (text[first] != '.') return false;
    const std::string_view directive = text.substr(first + 1);
    constexpr std::string_view words[] = {"def",  "val",  "scl", "line", "endef", "ln",
                                          "type", "size", "dim", "tag",  "stabs", "stabn"};
    return std::any_of(std::begin(words), std::end(words), [&](auto w) { return directive.starts_with(w); });
  }

  // Symbols

  void symbols() {
    const std::size_t no_entry = l_.entries.size();
    std::vector<std::pair<SourceLoc, std::size_t>> by_loc;
    for (std::size_t i = 0; i < no_entry; ++i) by_loc.emplace_back(l_.entries[i].loc, i);
    std::sort(by_loc.begin(), by_loc.end());
    eject_ = true;
    page(no_entry);
    bool some = false;
    const int digits = program_.info.elf.is_64 && !(program_.is_coff && program_.info.address_size == 4) ? 16 : 8;
    for (const Listing::SymbolRow& row : l_.symbol_rows) {
      if (row.undefined) continue;
      if (!some) print("DEFINED SYMBOLS\n"), ++on_page_;
      some = true;
      const std::size_t entry = row.place ? entry_of(by_loc, row.place) : by_loc.size();
      if (entry != by_loc.size()) {
        const Entry& e = l_.entries[entry];
        print("{:>20}:{:<5}  {}:{:0{}x} {}\n", l_.files[e.file], e.line, row.section, row.value, digits, row.name);
      } else {
        print("{:>33}:{:0{}x} {}\n", row.section, row.value, digits, row.name);
      }
      end_line();
    }
    if (!some) print("NO DEFINED SYMBOLS\n"), ++on_page_;
    out_ += '\n';
    end_line();
    some = false;
    for (const Listing::SymbolRow& row : l_.symbol_rows) {
      if (!row.undefined) continue;
      if (!some) print("UNDEFINED SYMBOLS\n"), end_line();
      some = true;
      print("{}\n", row.name);
      end_line();
    }
    if (!some) print("NO UNDEFINED SYMBOLS\n"), end_line();
  }

  Listing& l_;
  Program& program_;
  const ListingOptions& options_;
  const obj::Object* object_;
  std::string out_;
  std::vector<File> files_;
  std::vector<End> ends_;
  std::unordered_multimap<std::size_t, const Diag*> messages_;
  std::vector<u8> bytes_;
  u64 most_bytes_ = 0;  ///< of a line that are shown
  std::string cut_line_;
  std::string title_, subtitle_;
  std::string_view input_name_;
  std::size_t width_ = 0;
  u32 on_page_ = 0, page_ = 0;
  bool eject_ = false;
  bool in_debug_ = false;
};

}  // namespace

std::string listing_text(Program& program, const obj::Object* object) { return ListingWriter(program, object).run(); }

std::string listing_hex(Program& program, const obj::Object& object) { return ListingWriter(program, &object).hex(); }

}  // namespace xas
