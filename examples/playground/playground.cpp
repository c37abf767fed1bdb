// SPDX-License-Identifier: Apache-2.0
// What the page calls: a text in, as JSON what xas says of it and what is in the object.
#include <new>

#include "asm/context.h"
#include "asm/lsp/analysis.h"
#include "asm/text/output.h"
#include "objwriter/read/object.h"

namespace {

using namespace xas;

constexpr std::size_t shown_bytes = 4096;  ///< of a section's contents

void write_range(Output& out, const lsp::Range& range) {
  out.json_field("line", u64(range.start.line));
  out.json_field("character", u64(range.start.character));
  out.json_field("end", u64(range.end.line == range.start.line ? range.end.character : range.start.character + 1));
}

void write_problems(Output& out, const lsp::Analysis& analysis) {
  out.json_key("problems");
  out.json_begin('[');
  for (const lsp::Problem& p : analysis.problems) {
    out.json_begin();
    out.json_field("severity", u64(p.severity));
    write_range(out, p.range);
    out.json_field("message", p.message);
    out.json_key("notes");
    out.json_begin('[');
    for (const lsp::Problem::Related& note : p.related) {
      out.json_begin();
      write_range(out, note.range);
      out.json_field("message", note.message);
      out.json_end();
    }
    out.json_end(']');
    out.json_end();
  }
  out.json_end(']');
}

void write_sections(Output& out, const read::Object& object) {
  out.json_key("sections");
  out.json_begin('[');
  for (const read::Section& s : object.sections) {
    if (s.name.empty()) continue;
    out.json_begin();
    out.json_field("index", u64(s.index));
    out.json_field("name", s.name);
    out.json_field("type", u64(s.type));
    out.json_field("flags", s.flags);
    out.json_field("size", s.size);
    out.json_field("align", s.align);
    out.json_hex("bytes", s.data.first(std::min(s.data.size(), shown_bytes)));
    out.json_end();
  }
  out.json_end(']');
}

void write_symbols(Output& out, const read::Object& object) {
  out.json_key("symbols");
  out.json_begin('[');
  for (const read::Symbol& s : object.symbols) {
    if (s.auxiliary || (s.name.empty() && s.section == 0)) continue;
    const read::Section* const section = s.special ? nullptr : object.section(s.section);
    out.json_begin();
    out.json_field("name", s.name.empty() && section ? section->name : s.name);
    out.json_field("value", s.value);
    out.json_field("size", s.size);
    out.json_field("section", section ? section->name : s.special ? "absolute or common" : "undefined");
    // COFF: 2 is an external symbol, 105 a weak one.
    const bool is_global = object.is_elf() ? s.binding == 1 : s.storage_class == 2;
    const bool is_weak = object.is_elf() ? s.binding == 2 : s.storage_class == 105;
    out.json_field("binding", is_global ? "global" : is_weak ? "weak" : "local");
    out.json_end();
  }
  out.json_end(']');
}

void write_relocations(Output& out, const read::Object& object) {
  out.json_key("relocations");
  out.json_begin('[');
  for (const read::Section& s : object.sections) {
    std::vector<read::Reloc> relocs;
    read::Error error;
    if (s.name.empty() || !object.relocations(s, relocs, error)) continue;
    for (const read::Reloc& r : relocs) {
      const read::Symbol* const symbol = r.symbol < object.symbols.size() ? &object.symbols[r.symbol] : nullptr;
      const bool is_section = symbol && symbol->name.empty() && object.section(symbol->section);
      out.json_begin();
      out.json_field("section", s.name);
      out.json_field("offset", r.offset);
      out.json_field("type", u64(r.type));
      out.json_field("symbol", is_section ? object.section(symbol->section)->name : symbol ? symbol->name : "");
      out.json_key("addend");
      out.json_signed(r.addend);
      out.json_end();
    }
  }
  out.json_end(']');
}

std::string describe(const char* text, const lsp::Settings& settings) {
  const lsp::Text document{std::string(text)};
  std::span<const u8> file;
  lsp::Analysis analysis = lsp::analyse(document, "input.s", settings);
  xas_context* const context = xas_create();
  if (!context) throw std::bad_alloc();
  for (const std::string& option : settings.options) xas_set_option(context, option.c_str(), nullptr);
  const std::string_view all = document.all();
  std::size_t size = 0;
  if (xas_assemble(context, all.data(), all.size(), "input.s") == XAS_OK) {
    const u8* const bytes = xas_object(context, &size);
    file = {bytes, size};
  }
  Output out;
  out.json_begin();
  write_problems(out, analysis);
  out.json_key("lines");
  out.json_begin('[');
  for (const std::string& bytes : analysis.bytes) out.json_string(bytes);
  out.json_end(']');
  read::Object object;
  read::Error error;
  out.json_field("size", u64(size));
  if (!file.empty() && read::read_object(file, object, error)) {
    out.json_field("format", read::kind_name(object.kind));
    out.json_field("machine", u64(object.machine));
    write_sections(out, object);
    write_symbols(out, object);
    write_relocations(out, object);
  }
  out.json_end();
  std::string json = out.take();
  xas_destroy(context);
  return json;
}

}  // namespace

/// `options`: one a line. What is returned is good until the next call.
extern "C" const char* playground(const char* text, const char* options) {
  static std::string json;
  lsp::Settings settings;
  for (std::string_view rest = options; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (end) settings.options.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  json = describe(text, settings);
  return json.c_str();
}
