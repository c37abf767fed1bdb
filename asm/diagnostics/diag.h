// SPDX-License-Identifier: Apache-2.0
// Diagnostics as values: collected here, shown by whoever asked for the assembly.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "asm/text/source_loc.h"
#include "xas/types.hpp"

namespace xas {

enum class Severity : u8 { note, warning, error };

struct Note {
  SourceLoc loc;
  std::string message;
};

struct Diag {
  Severity severity;
  SourceLoc loc;
  std::string message;
  std::vector<Note> notes;
};

/// The sink. Errors beyond `limit` are counted, not kept.
class Diags {
 public:
  u32 limit = 1000;
  bool no_warnings = false;
  bool fatal_warnings = false;

  // Cold: what leads to them is moved out of the way of what does not.
  [[gnu::cold]] void error(SourceLoc loc, std::string message) { add(Severity::error, loc, std::move(message)); }
  [[gnu::cold]] void warning(SourceLoc loc, std::string message) {
    add(fatal_warnings && !no_warnings ? Severity::error : Severity::warning, loc, std::move(message));
  }
  /// A warning that says nothing of the text: it is never fatal.
  [[gnu::cold]] void remark(std::string message) { add(Severity::warning, 0, std::move(message)); }
  [[gnu::cold]] void note(SourceLoc loc, std::string message) {
    if (!dropped_last_) list_.back().notes.push_back({loc, std::move(message)});
  }

  /// False if a further error would only be counted: it needs no text.
  bool keeps_errors() const { return errors_ < limit; }
  u32 errors() const { return errors_; }
  u32 warnings() const { return warnings_; }
  const std::vector<Diag>& list() const { return list_; }
  void clear() { *this = Diags{}; }
  /// Takes errors from number `first` of the list on back, unless `is_kept(loc)`.
  template <class IsKept>
  void drop_errors(std::size_t first, IsKept is_kept) {
    const auto end = std::remove_if(list_.begin() + std::ptrdiff_t(first), list_.end(), [&](const Diag& d) {
      return d.severity == Severity::error && !is_kept(d.loc);
    });
    errors_ -= u32(list_.end() - end);
    list_.erase(end, list_.end());
  }

 private:
  [[gnu::cold]] void add(Severity severity, SourceLoc loc, std::string message) {
    bool error = severity == Severity::error;
    if (error && errors_ >= limit) return ++errors_, void(dropped_last_ = true);
    if (!error && (no_warnings || warnings_ >= limit)) return void(dropped_last_ = true);
    (error ? errors_ : warnings_)++;
    dropped_last_ = false;
    list_.push_back({severity, loc, std::move(message), {}});
  }

  std::vector<Diag> list_;
  u32 errors_ = 0;
  u32 warnings_ = 0;
  bool dropped_last_ = true;
};

}  // namespace xas
