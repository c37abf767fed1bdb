// SPDX-License-Identifier: Apache-2.0
// Diagnostics for readers: records with places found, and those as text or as JSON.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "asm/diagnostics/diag.h"
#include "asm/diagnostics/format.h"
#include "asm/text/source.h"
#include "xas/xas.h"

namespace xas {

class Places;

/// Appends the character that `text` begins with as it is shown: bytes that are no UTF-8, and control characters,
/// become <hex>, invisible ones <U+hex>, and `code` 0. How many bytes it has.
unsigned show_character(std::string_view text, std::string& shown, u32& code);
/// The same of a whole message: names of the input may have any bytes.
std::string shown(std::string_view message);

/// The diagnostics of an assembly as the public API gives them. Records borrow from the Sources they were made from.
class Report {
 public:
  /// Finds the places of all diagnostics, and the expansions and inclusions that led to them.
  void fill(const Diags& diags, const Sources& sources);
  void clear();
  /// Adds an error without a place.
  void add_error(const std::string& message);

  const std::vector<xas_diagnostic>& list() const { return list_; }
  u32 errors() const { return errors_; }
  u32 warnings() const { return warnings_; }

  /// Adds all of it to `out`, as a person reads it.
  void write_text(std::string& out, bool color) const;
  void write_json(std::string& out) const;
  /// `file: Assembler messages:` and `file:line: Error: message`, as GNU as writes them.
  void write_gnu(std::string& out) const;
  /// A log of SARIF 2.1.0.
  void write_sarif(std::string& out) const;
  void write(std::string& out, DiagnosticsFormat format) const;

 private:
  xas_diagnostic record(Severity severity, SourceLoc loc, const std::string& message, const Places& places);
  void add_chain(SourceLoc loc, const Places& places, std::vector<xas_diagnostic>& notes);

  std::vector<xas_diagnostic> list_;
  std::deque<std::vector<xas_diagnostic>> notes_;
  std::deque<std::string> texts_;
  u32 errors_ = 0, warnings_ = 0;
  u32 shown_errors_ = 0;
};

}  // namespace xas
