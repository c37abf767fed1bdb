// SPDX-License-Identifier: Apache-2.0
// Diagnostics for programs: JSON, SARIF, and the lines that GNU as writes.

#include <algorithm>

#include "asm/diagnostics/render.h"
#include "asm/text/json.h"

namespace xas {
namespace {

constexpr std::size_t max_source_bytes = 1024;  // a longer line is left out

void write_json_diagnostic(std::string& out, const xas_diagnostic& d) {
  constexpr const char* severities[] = {"note", "warning", "error"};
  ((out += "{\"severity\":\"") += severities[d.severity]) += "\",\"message\":";
  append_json_string(out, d.message);
  if (d.line) {
    out += ",\"file\":";
    append_json_string(out, d.file);
    (out += ",\"line\":") += std::to_string(d.line);
    (out += ",\"column\":") += std::to_string(d.column);
    (out += ",\"length\":") += std::to_string(d.length);
  }
  if (d.source_line && d.column) {
    std::string_view line(d.source_line, d.source_line_size);
    if (line.size() <= max_source_bytes) {
      out += ",\"source\":";
      append_json_string(out, line);
    }
  }
  if (d.note_count) {
    out += ",\"notes\":[";
    for (std::size_t i = 0; i < d.note_count; ++i) {
      if (i) out += ',';
      write_json_diagnostic(out, d.notes[i]);
    }
    out += ']';
  }
  out += '}';
}

const char* gnu_severity(xas_severity severity) {
  return severity == XAS_ERROR ? "Error" : severity == XAS_WARNING ? "Warning" : " Info";
}

void write_gnu_diagnostic(std::string& out, const xas_diagnostic& d) {
  if (d.line) (((out += d.file) += ':') += std::to_string(d.line)) += ": ";
  ((out += gnu_severity(d.severity)) += ": ") += d.message;
  out += '\n';
  for (std::size_t i = 0; i < d.note_count; ++i) write_gnu_diagnostic(out, d.notes[i]);
}

/// Bytes of the line in front of a column, as characters: what SARIF counts in.
std::size_t characters_before(const xas_diagnostic& d, std::size_t column) {
  const std::string_view line(d.source_line ? d.source_line : "", d.source_line ? d.source_line_size : 0);
  const std::string_view before = line.substr(0, column - 1);
  std::size_t count = column - 1 - before.size();
  for (std::size_t i = 0; i < before.size(); ++count) {
    u32 code = 0;
    i += std::max(decode_utf8(before.substr(i), code), 1u);
  }
  return count;
}

void write_sarif_location(std::string& out, const xas_diagnostic& d, bool with_message) {
  out += "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":";
  append_json_string(out, d.file);
  (out += "},\"region\":{\"startLine\":") += std::to_string(d.line);
  if (d.column) {
    (out += ",\"startColumn\":") += std::to_string(characters_before(d, d.column) + 1);
    (out += ",\"endColumn\":") += std::to_string(characters_before(d, d.column + d.length) + 1);
  }
  out += "}}";
  if (with_message) {
    out += ",\"message\":{\"text\":";
    append_json_string(out, d.message);
    out += '}';
  }
  out += '}';
}

void write_sarif_result(std::string& out, const xas_diagnostic& d) {
  out += "{\"level\":\"";
  out += d.severity == XAS_ERROR ? "error" : "warning";
  out += "\",\"message\":{\"text\":";
  append_json_string(out, d.message);
  out += '}';
  if (d.line) {
    out += ",\"locations\":[";
    write_sarif_location(out, d, false);
    out += ']';
  }
  bool related = false;
  for (std::size_t i = 0; i < d.note_count; ++i) {
    if (!d.notes[i].line) continue;
    out += related ? "," : ",\"relatedLocations\":[";
    related = true;
    write_sarif_location(out, d.notes[i], true);
  }
  if (related) out += ']';
  out += '}';
}

}  // namespace

void Report::write_json(std::string& out) const {
  out += '[';
  for (const xas_diagnostic& d : list_) {
    if (&d != list_.data()) out += ",\n ";
    write_json_diagnostic(out, d);
  }
  out += "]\n";
}

void Report::write_gnu(std::string& out) const {
  if (list_.empty()) return;
  // The heading names the file of the first message that has one.
  for (const xas_diagnostic& d : list_) {
    if (!d.line) continue;
    (out += d.file) += ": ";
    break;
  }
  out += "Assembler messages:\n";
  for (const xas_diagnostic& d : list_) write_gnu_diagnostic(out, d);
}

void Report::write_sarif(std::string& out) const {
  out +=
      "{\"version\":\"2.1.0\",\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"runs\":[{\"tool\":"
      "{\"driver\":{\"name\":\"xas\",\"version\":";
  append_json_string(out, xas_version());
  out += "}},\"columnKind\":\"unicodeCodePoints\",\"results\":[";
  for (const xas_diagnostic& d : list_) {
    if (&d != list_.data()) out += ",\n ";
    write_sarif_result(out, d);
  }
  out += "]}]}\n";
}

void Report::write(std::string& out, DiagnosticsFormat format) const {
  switch (format) {
    case DiagnosticsFormat::text: return write_text(out, false);
    case DiagnosticsFormat::json: return write_json(out);
    case DiagnosticsFormat::gnu: return write_gnu(out);
    case DiagnosticsFormat::sarif: return write_sarif(out);
  }
}

}  // namespace xas
