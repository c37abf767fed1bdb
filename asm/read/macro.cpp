// SPDX-License-Identifier: Apache-2.0
// Macros: definitions and calls. What a call's text becomes is in macro_expansion.h, loops are in macro_loops.cpp.
#include "asm/read/macro.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/read/macro_expansion.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

// The table

Macro* Macros::find(const Name& name, bool fold_case) const {
  auto it = table_.find(name);
  if (it != table_.end()) return it->second;
  if (!fold_case) return nullptr;
  it = table_.find(std::string_view(text::lower(name.text())));
  return it == table_.end() ? nullptr : it->second;
}

Macro* Macros::define(std::string_view name) {
  if (table_.contains(name)) return nullptr;
  Macro& m = macros_.emplace_back();
  m.name = name;
  table_.emplace(name, &m);
  filter_ |= u64(1) << slot({name.data(), u32(name.size()), 0});
  return &m;
}

bool Macros::purge(std::string_view name) { return table_.erase(name) != 0; }

// Parameters

void MacroParameters::add(MacroParameter p) {
  all_.push_back(std::move(p));
  if (all_.size() <= few) return;
  for (std::size_t i = by_name_.empty() ? 0 : all_.size() - 1; i < all_.size(); ++i) {
    by_name_.emplace(all_[i].name, i32(i));
  }
}

i32 MacroParameters::find_in_table(std::string_view name) const {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? i32(piece_none) : it->second;
}

// Macros

namespace {

/// `name: .macro`: the label names the macro, in GNU as. It is a label nevertheless, of the value 0.
std::string_view macro_label(Program& program) {
  const Name name = label_before(program);
  const SymbolId id = name.size ? program.symbols.find(name) : no_symbol;
  if (id == no_symbol || program.symbols[id].kind != SymbolKind::label) return {};
  program.symbols[id].kind = SymbolKind::absolute;
  program.symbols[id].value = 0;
  return name.text();
}

void add_mri_parameters(Macro& m) {
  m.mri = true;
  while (m.parameters.size() < mri_arguments) m.parameters.add({});
  m.parameters.add({.name = "NARG"});
}

}  // namespace

/// .macro name [,] [parameter[:req|:vararg][=default] [,] ...]      name: .macro [parameter ...]
void directive_macro(Reader& reader, u32) {
  const SourceLoc loc = reader.program().sources.statement_loc();
  std::string_view name;
  MacroParameters parameters;
  const u32 errors = reader.program().diags.errors();
  if (reader.program().profile.scrubs_macros) {
    std::string header;
    gnu_macro::scrub(reader.program(), gnu_macro::take_operands(reader), header, true);
    name = macro_label(reader.program());
    gnu_macro::parse_header(reader, header, name, parameters);
    name = reader.program().symbols.keep(text::lower(name));
  } else {
    llvm_macro::parse_header(reader, name, parameters);
  }
  if (reader.program().diags.errors() != errors) {
    reader.skip_statement();
    if (!reader.program().profile.skips_bad_blocks) return;
  }
  reader.end_statement();
  Body body;
  body.loc = reader.here();
  std::string_view text;
  const bool complete = read_block(reader, BlockKind::macro, text, loc);
  reader.skip_statement();  // a name may follow .endm
  if (!complete || reader.program().diags.errors() != errors) return;
  if (reader.program().profile.scrubs_macros) {
    std::string scrubbed;
    gnu_macro::scrub(reader.program(), text, scrubbed, false);
    text = reader.program().symbols.keep(scrubbed);
  }
  if (reader.program().profile.directives_hide_macros &&
      find_directive({name.data(), u32(name.size()), hash_name(name)}, reader.program().is_coff)) {
    reader.program().diags.warning(loc, fmt::format("macro '{}' has a directive's name and can't be called", name));
    return;
  }
  Macro* m = reader.macros.define(name);
  reader.line_cache.forget_names();
  if (!m) {
    reader.program().diags.error(loc, fmt::format("macro '{}' is already defined", name));
    const Name same{name.data(), u32(name.size()), hash_name(name)};
    reader.program().diags.note(reader.macros.find(same, false)->loc, "it was defined here");
    return;
  }
  m->loc = loc;
  m->title = reader.program().symbols.keep(fmt::format("macro '{}'", name));
  m->parameters = std::move(parameters);
  m->body = std::move(body);
  m->body.text = text;
  if (reader.macros.mri) add_mri_parameters(*m);
}

bool call_macro(Reader& reader, const Name& name, const char* after) {
  if (reader.macros.mri) [[unlikely]]
    before_mri_statement(reader, name, skip_blanks(reader.program().chars, after));
  if (!reader.macros.enabled) return false;
  Macro* const m = reader.macros.find(name, reader.program().profile.macro_names_fold_case);
  return m && call_macro(reader, *m, name, after);
}

bool call_macro(Reader& reader, Macro& m, const Name& name, const char* after) {
  const char* next = skip_blanks(reader.program().chars, after);
  if (*next == '=' || *next == ':') return false;
  const SourceLoc call = reader.program().sources.passing_loc_of(name.p);
  if (reader.program().lines.pending) reader.program().lines.before_macro(reader.out);
  reader.p = after;
  const u32 errors = reader.program().diags.errors();
  MacroArguments& arguments = reader.macros.arguments;
  arguments.resize(m.parameters.size());
  for (std::string& argument : arguments) argument.clear();
  bool ok;
  if (reader.program().profile.scrubs_macros && gnu_macro::take_plain_call(reader, m, arguments)) {
    ok = true;
  } else if (reader.program().profile.scrubs_macros) {
    std::string& text = reader.macros.scratch;
    text.clear();
    gnu_macro::scrub(reader.program(), gnu_macro::take_operands(reader), text, *after != '(');
    ok = gnu_macro::parse_arguments(reader, m, text, arguments);
  } else {
    skip_blanks(reader);
    ok = llvm_macro::parse_arguments(reader, m, arguments);
  }
  if (!ok || reader.program().diags.errors() != errors) {
    reader.p = after;
    reader.skip_statement();
    if (!ok) return true;
  }
  reader.end_statement();
  cut_body(reader, m.body, m.parameters, true);
  std::string& text = reader.macros.scratch;
  text.clear();
  write_body(reader, m.body, m.parameters, arguments, {reader.macros.calls, m.uses++}, text);
  ++reader.macros.calls;
  enter_expansion(reader, {m.title, text, call, m.body.loc}, SourceKind::macro);
  return true;
}

/// .endm outside of a definition
void directive_endm(Reader& reader, u32) {
  if (reader.program().profile.endm_is_exitm && reader.macros.depth > 0) return directive_exitm(reader, 0);
  constexpr const char* text = ".endm without .macro";
  reader.program().profile.macro_slips_warn ? reader.warning(text) : reader.error(text);
}

/// .exitm: the innermost expansion ends here, and with it the conditionals that it opened.
void directive_exitm(Reader& reader, u32) {
  if (reader.macros.depth == 0) {
    constexpr const char* text = ".exitm outside of a macro";
    return reader.program().profile.macro_slips_warn ? reader.warning(text) : reader.error(text);
  }
  while (reader.program().sources.open.back().inner == SourceKind::include) reader.leave();
  reader.conditionals.resize(
      std::min<std::size_t>(reader.conditionals.size(), reader.program().sources.open.back().conditionals));
  if (reader.program().sources.open.back().inner == SourceKind::loop)
    reader.macros.loops.back().next = reader.macros.loops.back().rounds;
  reader.p = reader.program().sources.current->end;
}

/// .purgem name [, name]...
void directive_purgem(Reader& reader, u32) {
  if (at_end_of_statement(reader)) return;
  do {
    Name name;
    const char* where = reader.p;
    if (!parse_name(reader, name, "a macro's name")) return;
    if (reader.macros.purge(reader.program().profile.macro_names_fold_case ? text::lower(name.text())
                                                                           : std::string(name.text())))
      continue;
    std::string message = fmt::format("there is no macro '{}'", name.text());
    if (!reader.program().profile.macro_slips_warn) return reader.error(where, std::move(message));
    reader.warning(where, std::move(message));
  } while (accept_comma(reader));
}

void directive_altmacro(Reader& reader, u32 on) { reader.macros.alternate = on != 0; }

void directive_macros_enabled(Reader& reader, u32 on) {
  reader.macros.enabled = on != 0;
  reader.line_cache.forget_names();
}

}  // namespace xas
