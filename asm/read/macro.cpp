// SPDX-License-Identifier: Apache-2.0
// Macros and loops: definitions, calls, rounds, and the stack of buffers that they open.
//
// A body is kept as text and cut into pieces when it is first used: literal text, and what is to be put in between. A
// call then is a few copies into a new buffer. Loops whose rounds are all alike are not expanded at all: their one copy
// is read again and again.
#include "asm/read/macro.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/directives/directives.h"
#include "asm/read/cond.h"
#include "asm/read/listing.h"
#include "asm/read/parse.h"
#include "asm/text/append.h"

namespace xas {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = char(c | 0x20);
  }
  return lower;
}

bool equals_folded(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? char(a | 0x20) : a) == b;
         });
}

/// The body's pieces for the mode that is on now.
void cut(Reader& reader, Body& body, const MacroParameters& parameters, bool is_macro) {
  if (body.cut && body.cut_alternate == reader.macros.alternate && body.cut_mri == reader.macros.mri) return;
  body.pieces.clear();
  body.locals = 0;
  if (reader.program().profile.scrubs_macros) {
    using gnu_macro::BodyOf;
    gnu_macro::cut(reader, body, parameters,
                   is_macro             ? BodyOf::macro
                   : parameters.empty() ? BodyOf::plain_loop
                                        : BodyOf::loop);
  } else {
    llvm_macro::cut(reader, body, parameters, is_macro || !parameters.empty());
  }
  body.cut = true;
  body.cut_alternate = reader.macros.alternate;
  body.cut_mri = reader.macros.mri;
}

/// What \@ and \+ stand for.
struct Counters {
  u64 calls, iteration;
};

void write_body(Reader& reader, const Body& body, const MacroParameters& parameters, const MacroArguments& arguments,
                Counters counters, std::string& out) {
  Macros& m = reader.macros;
  const u32 first_local = m.locals + 1;
  m.locals += body.locals;
  for (const BodyPiece& piece : body.pieces) {
    out.append(body.text, piece.begin, piece.size);
    if (piece.what == piece_invocation) {
      append(out, "{}", counters.calls);
    } else if (piece.what == piece_iteration) {
      append(out, "{}", counters.iteration);
    } else if (piece.what >= i32(parameters.size())) {
      append(out, ".LL{:04x}", first_local + u32(piece.what) - u32(parameters.size()));
    } else if (piece.what >= 0) {
      out += arguments[u32(piece.what)];
    }
    if (out.size() > max_expansion_bytes) return;  // reported by who opens it
  }
  if (out.empty() || out.back() != '\n') out += '\n';
}

/// What a round of a loop whose rounds are all alike counts: it is only read.
u64 round_cost(const Body& body) { return std::max<u64>(body.text.size(), 8); }

/// The name of a label before the statement, in the same line; empty if there is none.
Name label_before(const Program& program) {
  const char* end = program.sources.statement;
  const auto back = [&] {
    while (end > program.sources.current->begin && program.chars.is(end[-1], char_blank)) --end;
  };
  back();
  if (end == program.sources.current->begin || *--end != ':') return {};
  back();
  const char* start = end;
  while (start > program.sources.current->begin && program.chars.is(start[-1], char_name)) --start;
  const u32 size = u32(end - start);
  return {start, size, hash_name({start, size})};
}

/// GNU as counts from the last alignment, or what else had no fixed size, on.
void note_odd_bytes(Reader& reader) {
  const u64 from = reader.out.current->fragments.empty() ? 0 : reader.out.current->fragments.back().pos;
  if (std::exchange(reader.macros.after_bytes, false) && ((reader.out.current->size - from) & 1))
    reader.macros.after_odd_bytes = true;
}

/// MRI mode: behind an odd number of bytes, what is not bytes is aligned; and so is each expansion.
void align_in_mri_mode(Reader& reader) {
  note_odd_bytes(reader);
  if (!std::exchange(reader.macros.after_odd_bytes, false)) return;
  const u64 before = reader.out.current->size;
  reader.out.emit_align(1, reader.out.current_section().is_code() ? 0 : 1, 0, 0, reader.here());
  const Name label = label_before(reader.program());
  const SymbolId id = label.size ? reader.program().symbols.find(label) : no_symbol;
  if (id == no_symbol || reader.program().symbols[id].kind != SymbolKind::label ||
      reader.program().symbols[id].where != reader.out.current->id)
    return;
  Symbol& s = reader.program().symbols[id];
  if (s.value != before || s.fragment + 1 < reader.out.current->fragments.size()) return;
  s.value = reader.out.current->size;
  s.fragment = u32(reader.out.current->fragments.size());
}

/// All expansions are left: reading goes on behind the statement in a file that started it all.
void abandon_expansions(Reader& reader) {
  while (!reader.program().sources.open.empty() && reader.macros.depth > 0) {
    reader.conditionals.resize(
        std::min<std::size_t>(reader.conditionals.size(), reader.program().sources.open.back().conditionals));
    reader.leave();
  }
}

/// After a limit was reached: nothing of what is open is read further.
void stop_expanding(Reader& reader) {
  abandon_expansions(reader);
  std::string error;
  // An empty expansion brings its newline, which ends the statement that is being read.
  if (const SourceBuffer* empty = reader.program().sources.add_expansion({}, {}, reader.here(), 0, error)) {
    reader.enter(*empty, SourceKind::include);
  } else {
    reader.finished = true;
  }
}

}  // namespace

// The table

Macro* Macros::find(const Name& name, bool fold_case) {
  auto it = table_.find(name.text());
  if (it != table_.end()) return it->second;
  if (!fold_case) return nullptr;
  it = table_.find(lower_case(name.text()));
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

// The stack of buffers

void Reader::enter(const SourceBuffer& buffer, SourceKind kind) {
  program().sources.open.push_back({program().sources.current, p, kind, at_line_start, u32(conditionals.size())});
  if (kind != SourceKind::include) ++macros.depth;
  program().sources.current = &buffer;
  p = buffer.begin;
  at_line_start = true;
}

void Reader::leave() {
  const OpenSource outer = program().sources.open.back();
  program().sources.open.pop_back();
  if (outer.inner != SourceKind::include) --macros.depth;
  if (program().sources.current->kind == BufferKind::expansion)
    program().sources.end_expansion(*program().sources.current);
  if (outer.inner == SourceKind::loop) {
    macros.loops.pop_back();
    program().sources.round = macros.loops.empty() ? 0 : macros.loops.back().next;
  }
  program().sources.current = outer.buffer;
  p = outer.p;
  at_line_start = outer.at_line_start;
}

bool Reader::next_source(std::size_t depth) {
  if (program().sources.open.size() == depth) return false;
  const OpenSource& outer = program().sources.open.back();
  if (outer.inner == SourceKind::loop && next_round(*this)) return true;
  if (outer.inner != SourceKind::include && program().profile.conditional_ends_in_macro &&
      conditionals.size() > outer.conditionals) {
    program().diags.error(conditionals.back().loc, "this conditional is not closed where the macro ends");
    conditionals.resize(outer.conditionals);
  }
  const bool ends_loop = outer.inner == SourceKind::loop;
  leave();
  if (program().listing.on && ends_loop) [[unlikely]]
    list_loop_end(*this);
  if (!conditionals.empty() && !conditionals.back().active) skip_inactive(*this);
  return true;
}

bool enter_expansion(Reader& reader, std::string_view name, std::string_view text, SourceLoc call, SourceLoc origin,
                     SourceKind kind) {
  const u32 limit = reader.program().options.max_macro_depth ? reader.program().options.max_macro_depth
                                                             : reader.program().profile.macro_depth;
  std::string error;
  if (reader.macros.depth >= limit) {
    error = fmt::format(
        "macros are nested deeper than the limit of {} levels; raise it with -asm-macro-max-nesting-depth", limit);
  } else if (count_expansion(reader, text.size(), reader.macros.depth, call)) {
    if (const SourceBuffer* buffer = reader.program().sources.add_expansion(name, text, call, origin, error)) {
      reader.enter(*buffer, kind);
      return true;
    }
  }
  if (!error.empty()) reader.program().diags.error(call, std::move(error));
  stop_expanding(reader);
  return false;
}

bool count_expansion(Reader& reader, u64 size, u64 depth, SourceLoc call) {
  constexpr u64 overhead = 256;  // what a buffer takes besides its text
  if (depth) size += depth * (size + overhead);
  if (size > max_expansion_bytes - reader.macros.expanded) {
    reader.macros.expanded = max_expansion_bytes;
    reader.program().diags.error(
        call, fmt::format("the expansions of macros and loops exceed the limit of {} bytes, each counted once more "
                          "for every one that it stands in",
                          max_expansion_bytes));
    return false;
  }
  reader.macros.expanded += size;
  return true;
}

// Blocks

#if defined(__SSE2__)
const char* skip_plain_lines(const char* p, const char* end) {
  const auto equals = [](__m128i v, char c) { return _mm_cmpeq_epi8(v, _mm_set1_epi8(c)); };
  const char* line = p;
  for (; p < end; p += 16) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i next = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 1));
    const __m128i lower = _mm_or_si128(next, _mm_set1_epi8(0x20));
    const __m128i letter = _mm_or_si128(_mm_or_si128(equals(lower, 'i'), equals(lower, 'e')),
                                        _mm_or_si128(equals(lower, 'm'), equals(lower, 'r')));
    const __m128i dotted = _mm_and_si128(equals(c, '.'), letter);
    const __m128i comment = _mm_and_si128(equals(c, '/'), equals(next, '*'));
    const __m128i hit = _mm_or_si128(_mm_or_si128(dotted, comment), _mm_or_si128(equals(c, '"'), equals(c, '#')));
    u32 hits = u32(_mm_movemask_epi8(hit));
    u32 newlines = u32(_mm_movemask_epi8(equals(c, '\n')));
    if (hits) newlines &= (hits & -hits) - 1;
    if (newlines) line = p + std::bit_width(newlines);
    if (hits) return std::min(line, end);
  }
  return end;
}
#else
const char* skip_plain_lines(const char* p, const char* end) {
  const char* line = p;
  for (; p < end; ++p) {
    const char c = *p, lower = char(p[1] | 0x20);
    if (c == '\n') line = p + 1;
    if (c == '"' || c == '#' || (c == '/' && p[1] == '*')) return line;
    if (c == '.' && (lower == 'i' || lower == 'e' || lower == 'm' || lower == 'r')) return line;
  }
  return end;
}
#endif

namespace {

constexpr std::string_view loop_openers[] = {".rept", ".rep", ".irp", ".irep", ".irpc", ".irepc"};

/// Change of depth that a directive of this name means to a block: 1, -1 or 0.
int block_step(BlockKind kind, std::string_view name) {
  if (kind == BlockKind::macro) {
    if (equals_folded(name, ".macro")) return 1;
    return equals_folded(name, ".endm") || equals_folded(name, ".endmacro") ? -1 : 0;
  }
  if (equals_folded(name, ".endr")) return -1;
  return std::any_of(std::begin(loop_openers), std::end(loop_openers), [&](auto o) { return equals_folded(name, o); });
}

}  // namespace

bool read_block(Reader& reader, BlockKind kind, std::string_view& text, SourceLoc opened) {
  const char* const begin = reader.p;
  reader.program().sources.wait_for_all();
  const char* const end = reader.program().sources.current->end;
  unsigned depth = 1;
  while (reader.p < end) {
    const char* line = skip_plain_lines(reader.p, end);
    reader.p = line;
    if (line >= end) break;
    const void* newline = std::memchr(line, '\n', std::size_t(end - line));
    const char* const line_end = newline ? static_cast<const char*>(newline) : end;
    while (reader.p <= line_end && reader.p < end) {
      const char* start = reader.p;
      if (kind == BlockKind::macro && *start == '#' && start == line) {  // a line marker counts for what follows
        reader.line_comment();
        pass_statement_end(reader);
        continue;
      }
      skip_blanks(reader);
      Name name = scan_name(reader.p);
      // Labels may stand before the directive.
      while (name.size != 0 && reader.p[name.size] == ':') {
        reader.p += name.size + 1;
        start = reader.p;
        skip_blanks(reader);
        name = scan_name(reader.p);
      }
      if (name.size > 3 && *name.p == '.') {
        const int step = block_step(kind, name.text());
        if (step == 1) ++depth;
        if (step == -1 && --depth == 0) {
          text = {begin, std::size_t(start - begin)};
          reader.p += name.size;
          return true;
        }
      }
      reader.skip_statement();
      pass_statement_end(reader);
    }
  }
  reader.p = end;
  reader.program().diags.error(opened,
                               kind == BlockKind::macro ? "this .macro has no .endm" : "this loop has no .endr");
  return false;
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
    const char* start = reader.p;
    reader.skip_statement();
    std::string header;
    gnu_macro::scrub(reader.program(), {start, std::size_t(reader.p - start)}, header, true);
    name = macro_label(reader.program());
    gnu_macro::parse_header(reader, header, name, parameters);
    name = reader.program().symbols.keep(lower_case(name));
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
  reader.line_cache.forget();
  if (!m) {
    reader.program().diags.error(loc, fmt::format("macro '{}' is already defined", name));
    reader.program().diags.note(reader.macros.find({name.data(), u32(name.size()), 0}, false)->loc,
                                "it was defined here");
    return;
  }
  m->loc = loc;
  m->title = reader.program().symbols.keep(fmt::format("macro '{}'", name));
  m->parameters = std::move(parameters);
  m->body = std::move(body);
  m->body.text = text;
  if (reader.macros.mri) add_mri_parameters(*m);
}

void before_mri_statement(Reader& reader, const Name& name, const char* after) {
  constexpr std::string_view bytes[] = {".byte", ".dc.b", ".ds.b", ".dcb.b"};
  constexpr std::string_view indifferent[] = {".globl", ".global", ".xdef"};
  const auto is = [&](std::string_view directive) { return equals_folded(name.text(), directive); };
  const Directive* d = find_directive(name, reader.program().is_coff);
  const bool is_bytes = std::any_of(std::begin(bytes), std::end(bytes), is);
  const auto kind = d && d->handler == directive_conditional ? ConditionalKind(d->arg) : ConditionalKind::otherwise_if;
  const bool is_condition = kind != ConditionalKind::otherwise_if && kind != ConditionalKind::if_blank &&
                            kind != ConditionalKind::if_not_blank;
  note_odd_bytes(reader);
  if (!is_bytes && !is_condition && *after != '=' && !std::any_of(std::begin(indifferent), std::end(indifferent), is)) {
    align_in_mri_mode(reader);
  }
  reader.macros.after_bytes = is_bytes || (d && d->handler == directive_space);
}

bool call_macro(Reader& reader, const Name& name, const char* after) {
  if (reader.macros.mri) [[unlikely]]
    before_mri_statement(reader, name, skip_blanks(reader.program().chars, after));
  if (!reader.macros.enabled) return false;
  Macro* m = reader.macros.find(name, reader.program().profile.macro_names_fold_case);
  if (!m) return false;
  const char* next = skip_blanks(reader.program().chars, after);
  if (*next == '=' || *next == ':') return false;
  const SourceLoc call = reader.loc_of(name.p);
  if (reader.program().lines.pending) reader.program().lines.before_macro(reader.out);
  reader.p = after;
  const u32 errors = reader.program().diags.errors();
  MacroArguments& arguments = reader.macros.arguments;
  arguments.resize(m->parameters.size());
  for (std::string& argument : arguments) argument.clear();
  bool ok;
  if (reader.program().profile.scrubs_macros) {
    reader.skip_statement();
    std::string& text = reader.macros.scratch;
    text.clear();
    gnu_macro::scrub(reader.program(), {after, std::size_t(reader.p - after)}, text, *after != '(');
    ok = gnu_macro::parse_arguments(reader, *m, text, arguments);
  } else {
    skip_blanks(reader);
    ok = llvm_macro::parse_arguments(reader, *m, arguments);
  }
  if (!ok || reader.program().diags.errors() != errors) {
    reader.p = after;
    reader.skip_statement();
    if (!ok) return true;
  }
  reader.end_statement();
  cut(reader, m->body, m->parameters, true);
  std::string& text = reader.macros.scratch;
  text.clear();
  write_body(reader, m->body, m->parameters, arguments, {reader.macros.calls, m->uses++}, text);
  ++reader.macros.calls;
  enter_expansion(reader, m->title, text, call, m->body.loc, SourceKind::macro);
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
    if (reader.macros.purge(reader.program().profile.macro_names_fold_case ? lower_case(name.text())
                                                                   : std::string(name.text())))
      continue;
    std::string message = fmt::format("there is no macro '{}'", name.text());
    if (!reader.program().profile.macro_slips_warn) return reader.error(where, std::move(message));
    reader.warning(where, std::move(message));
  } while (accept_comma(reader));
}

void directive_altmacro(Reader& reader, u32 on) { reader.macros.alternate = on != 0; }

void directive_macros_enabled(Reader& reader, u32 on) { reader.macros.enabled = on != 0; }

// Loops

namespace {

bool needs_rounds(const Body& body) {
  return body.pieces.size() > 1 || (!body.pieces.empty() && body.pieces[0].what != piece_none);
}

}  // namespace

bool next_round(Reader& reader) {
  Loop& loop = reader.macros.loops.back();
  if (loop.next >= loop.rounds) return false;
  const u64 round = loop.next++;
  reader.program().sources.round = loop.next;
  align_in_mri_mode(reader);
  if (loop.constant) {
    if (!count_expansion(reader, round_cost(loop.body), 0, loop.call)) return loop.rounds = 0, false;
    reader.p = reader.program().sources.current->begin;
    return true;
  }
  std::string& text = reader.macros.scratch;
  text.clear();
  reader.macros.arguments.resize(1);
  reader.macros.arguments[0] = loop.values.empty() ? std::string() : loop.values[round];
  write_body(reader, loop.body, loop.parameters, reader.macros.arguments, {loop.calls, round}, text);
  if (!count_expansion(reader, text.size(), reader.macros.depth, loop.call)) return loop.rounds = 0, false;
  std::string error;
  const SourceBuffer* buffer = reader.program().sources.add_expansion(loop.name, text, loop.call, loop.body.loc, error);
  if (!buffer) {
    reader.program().diags.error(loop.call, std::move(error));
    return loop.rounds = 0, false;
  }
  reader.program().sources.current = buffer;
  reader.p = buffer->begin;
  reader.at_line_start = true;
  return true;
}

namespace {

/// Reads the body behind a loop's head and starts it.
void start_loop(Reader& reader, Loop loop) {
  reader.end_statement();
  loop.body.loc = reader.here();
  std::string_view text;
  if (!read_block(reader, BlockKind::loop, text, loop.call)) return;
  if (reader.program().profile.scrubs_macros && !loop.parameters.empty()) {
    std::string scrubbed;
    gnu_macro::scrub(reader.program(), text, scrubbed, false);
    text = reader.program().symbols.keep(scrubbed);
  }
  loop.body.text = text;
  if (reader.program().profile.text_may_follow_endr) reader.skip_statement();
  if (loop.rounds == 0 || text.empty()) return;
  // Told at once, and not when the limit has been reached by assembling.
  if (loop.rounds > (max_expansion_bytes - reader.macros.expanded) / round_cost(loop.body)) {
    return reader.program().diags.error(
        loop.call, fmt::format("{} rounds of {} bytes exceed the limit of {} bytes of expansions", loop.rounds,
                               text.size(), max_expansion_bytes));
  }
  reader.end_statement();
  cut(reader, loop.body, loop.parameters, false);
  loop.constant = !needs_rounds(loop.body);
  loop.next = 1;
  loop.calls = reader.macros.calls;
  std::string& first = reader.macros.scratch;
  first.clear();
  reader.macros.arguments.resize(1);
  reader.macros.arguments[0] = loop.values.empty() ? std::string() : loop.values[0];
  write_body(reader, loop.body, loop.parameters, reader.macros.arguments, {loop.calls, 0}, first);
  const std::size_t open_loops = reader.macros.loops.size();
  reader.macros.loops.push_back(std::move(loop));
  reader.program().sources.round = reader.macros.loops.back().next;
  const Loop& open = reader.macros.loops.back();
  const SourceLoc call = open.call;
  if (enter_expansion(reader, open.name, first, call, open.body.loc, SourceKind::loop)) {
    if (reader.program().listing.on) [[unlikely]]
      list_line(reader);
    return;
  }
  reader.macros.loops.resize(open_loops);
  reader.program().sources.round = reader.macros.loops.empty() ? 0 : reader.macros.loops.back().next;
}

}  // namespace

/// .rept count
void directive_rept(Reader& reader, u32) {
  Loop loop;
  loop.call = reader.program().sources.statement_loc();
  loop.name = ".rept";
  i64 count = 0;
  const char* where = reader.p;
  const bool ok = reader.absolute(count, "the number of repetitions");
  if ((!ok || count < 0) && !reader.program().profile.skips_bad_blocks) {
    if (ok) reader.error(where, fmt::format("negative number of repetitions: {}", count));
    return reader.skip_statement();
  }
  if (ok && count < 0) {
    if (reader.program().profile.macro_slips_warn) {
      reader.warning(where, fmt::format("negative number of repetitions, {}, is taken as 0", count));
    } else {
      reader.error(where, fmt::format("negative number of repetitions: {}", count));
    }
    count = 0;
  }
  if (!ok) reader.skip_statement();
  loop.rounds = ok ? u64(count) : 0;
  start_loop(reader, std::move(loop));
}

/// .irp name [,] [value [,] ...]; .irpc: the value's characters one by one
void directive_irp(Reader& reader, u32 characters) {
  Loop loop;
  loop.call = reader.program().sources.statement_loc();
  loop.name = characters ? ".irpc" : ".irp";
  std::string name;
  bool ok;
  if (reader.program().profile.scrubs_macros) {
    const char* start = reader.p;
    reader.skip_statement();
    std::string head;
    gnu_macro::scrub(reader.program(), {start, std::size_t(reader.p - start)}, head, true);
    ok = gnu_macro::parse_values(reader, characters != 0, head, name, loop.values);
  } else {
    ok = llvm_macro::parse_values(reader, characters != 0, name, loop.values);
    if (!ok) {
      reader.skip_statement();
      if (!reader.program().profile.skips_bad_blocks) return;
    }
  }
  loop.parameters.add({.name = reader.program().symbols.keep(name)});
  loop.rounds = ok ? loop.values.size() : 0;
  start_loop(reader, std::move(loop));
}

/// .endr outside of a loop
void directive_endr(Reader& reader, u32) {
  constexpr const char* text = ".endr without .rept, .irp or .irpc";
  reader.program().profile.macro_slips_warn ? reader.warning(text) : reader.error(text);
}

}  // namespace xas
