// Macros and loops: definitions, calls, rounds, and the stack of buffers that they open.
//
// A body is kept as text and cut into pieces when it is first used: literal text, and what is to be put in between. A
// call then is a few copies into a new buffer. Loops whose rounds are all alike are not expanded at all: their one copy
// is read again and again.
#include "asm/macro.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "asm/cond.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"

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

std::string_view kept(Assembler& a, std::string_view text) { return {a.symbols.keep(text), text.size()}; }

/// The body's pieces for the mode that is on now.
void cut(Assembler& a, Body& body, const MacroParameters& parameters, bool is_macro) {
  if (body.cut && body.cut_alternate == a.macros.alternate && body.cut_mri == a.macros.mri) return;
  body.pieces.clear();
  body.locals = 0;
  if (a.profile.gnu_macros) {
    using gnu_macro::BodyOf;
    gnu_macro::cut(a, body, parameters,
                   is_macro             ? BodyOf::macro
                   : parameters.empty() ? BodyOf::plain_loop
                                        : BodyOf::loop);
  } else {
    llvm_macro::cut(a, body, parameters, is_macro || !parameters.empty());
  }
  body.cut = true;
  body.cut_alternate = a.macros.alternate;
  body.cut_mri = a.macros.mri;
}

void write_body(Assembler& a, const Body& body, const MacroParameters& parameters,
                const MacroArguments& arguments, u64 iteration, std::string& out) {
  Macros& m = a.macros;
  const u32 first_local = m.locals + 1;
  m.locals += body.locals;
  for (const BodyPiece& piece : body.pieces) {
    out.append(body.text, piece.begin, piece.size);
    if (piece.what == piece_invocation) {
      fmt::format_to(std::back_inserter(out), "{}", m.calls);
    } else if (piece.what == piece_iteration) {
      fmt::format_to(std::back_inserter(out), "{}", iteration);
    } else if (piece.what >= i32(parameters.size())) {
      fmt::format_to(std::back_inserter(out), ".LL{:04x}", first_local + u32(piece.what) - u32(parameters.size()));
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
Name label_before(const Assembler& a) {
  const char* end = a.statement_start;
  const auto back = [&] {
    while (end > a.source->begin && a.chars.is(end[-1], char_blank)) --end;
  };
  back();
  if (end == a.source->begin || *--end != ':') return {};
  back();
  const char* start = end;
  while (start > a.source->begin && a.chars.is(start[-1], char_name)) --start;
  const u32 size = u32(end - start);
  return {start, size, hash_name({start, size})};
}

/// GNU as counts from the last alignment, or what else had no fixed size, on.
void note_odd_bytes(Assembler& a) {
  const u64 from = a.current->flexes.empty() ? 0 : a.current->flexes.back().pos;
  if (std::exchange(a.macros.after_bytes, false) && ((a.current->size - from) & 1)) a.macros.after_odd_bytes = true;
}

/// MRI mode: behind an odd number of bytes, what is not bytes is aligned; and so is each expansion.
void align_in_mri_mode(Assembler& a) {
  note_odd_bytes(a);
  if (!std::exchange(a.macros.after_odd_bytes, false)) return;
  const u64 before = a.current->size;
  a.emit_align(1, a.current_section().is_code() ? 0 : 1, 0, 0, a.here());
  const Name label = label_before(a);
  const SymbolId id = label.size ? a.symbols.find(label) : no_symbol;
  if (id == no_symbol || a.symbols[id].kind != SymbolKind::label || a.symbols[id].where != a.current->id) return;
  Symbol& s = a.symbols[id];
  if (s.value != before || s.flex + 1 < a.current->flexes.size()) return;
  s.value = a.current->size;
  s.flex = u32(a.current->flexes.size());
}

/// All expansions are left: reading goes on behind the statement in a file that started it all.
void abandon_expansions(Assembler& a) {
  while (!a.open_sources.empty() && a.macros.depth > 0) {
    a.conditionals.resize(std::min<std::size_t>(a.conditionals.size(), a.open_sources.back().conditionals));
    a.leave();
  }
}

/// After a limit was reached: nothing of what is open is read further.
void stop_expanding(Assembler& a) {
  abandon_expansions(a);
  std::string error;
  // An empty expansion brings its newline, which ends the statement that is being read.
  if (const SourceBuffer* empty = a.sources.add_expansion({}, {}, a.here(), 0, error)) {
    a.enter(*empty, SourceKind::include);
  } else {
    a.finished = true;
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

void Assembler::enter(const SourceBuffer& buffer, SourceKind kind) {
  open_sources.push_back({source, p, kind, at_line_start, u32(conditionals.size())});
  if (kind != SourceKind::include) ++macros.depth;
  source = &buffer;
  p = buffer.begin;
  at_line_start = true;
}

void Assembler::leave() {
  const OpenSource outer = open_sources.back();
  open_sources.pop_back();
  if (outer.inner != SourceKind::include) --macros.depth;
  if (source->kind == BufferKind::expansion) sources.end_expansion(*source);
  if (outer.inner == SourceKind::loop) macros.loops.pop_back();
  source = outer.buffer;
  p = outer.p;
  at_line_start = outer.at_line_start;
}

bool Assembler::next_source(std::size_t depth) {
  if (open_sources.size() == depth) return false;
  const OpenSource& outer = open_sources.back();
  if (outer.inner == SourceKind::loop && next_round(*this)) return true;
  if (outer.inner != SourceKind::include && profile.conditional_ends_in_macro &&
      conditionals.size() > outer.conditionals) {
    diags.error(conditionals.back().loc, "this conditional is not closed where the macro ends");
    conditionals.resize(outer.conditionals);
  }
  const bool ends_loop = outer.inner == SourceKind::loop;
  leave();
  if (listing.on && ends_loop) [[unlikely]]
    listing.loop_end(*this);
  if (!conditionals.empty() && !conditionals.back().active) skip_inactive(*this);
  return true;
}

bool enter_expansion(Assembler& a, std::string_view name, std::string_view text, SourceLoc call, SourceLoc origin,
                     SourceKind kind) {
  const u32 limit = a.options.max_macro_depth ? a.options.max_macro_depth : a.profile.macro_depth;
  std::string error;
  if (a.macros.depth >= limit) {
    error = fmt::format(
        "macros are nested deeper than the limit of {} levels; raise it with -asm-macro-max-nesting-depth", limit);
  } else if (count_expansion(a, text.size(), a.macros.depth, call)) {
    if (const SourceBuffer* buffer = a.sources.add_expansion(name, text, call, origin, error)) {
      a.enter(*buffer, kind);
      return true;
    }
  }
  if (!error.empty()) a.diags.error(call, std::move(error));
  stop_expanding(a);
  return false;
}

bool count_expansion(Assembler& a, u64 size, u64 depth, SourceLoc call) {
  constexpr u64 overhead = 256;  // what a buffer takes besides its text
  if (depth) size += depth * (size + overhead);
  if (size > max_expansion_bytes - a.macros.expanded) {
    a.macros.expanded = max_expansion_bytes;
    a.diags.error(call,
                  fmt::format("the expansions of macros and loops exceed the limit of {} bytes, each counted once more "
                              "for every one that it stands in",
                              max_expansion_bytes));
    return false;
  }
  a.macros.expanded += size;
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

bool read_block(Assembler& a, BlockKind kind, std::string_view& text, SourceLoc opened) {
  const char* const begin = a.p;
  const char* const end = a.source->end;
  unsigned depth = 1;
  while (a.p < end) {
    const char* line = skip_plain_lines(a.p, end);
    a.p = line;
    if (line >= end) break;
    const void* newline = std::memchr(line, '\n', std::size_t(end - line));
    const char* const line_end = newline ? static_cast<const char*>(newline) : end;
    while (a.p <= line_end && a.p < end) {
      const char* start = a.p;
      if (kind == BlockKind::macro && *start == '#' && start == line) {  // a line marker counts for what follows
        a.line_comment();
        pass_statement_end(a);
        continue;
      }
      skip_blanks(a);
      Name name = scan_name(a.p);
      // Labels may stand before the directive.
      while (name.size != 0 && a.p[name.size] == ':') {
        a.p += name.size + 1;
        start = a.p;
        skip_blanks(a);
        name = scan_name(a.p);
      }
      if (name.size > 3 && *name.p == '.') {
        const int step = block_step(kind, name.text());
        if (step == 1) ++depth;
        if (step == -1 && --depth == 0) {
          text = {begin, std::size_t(start - begin)};
          a.p += name.size;
          return true;
        }
      }
      a.skip_statement();
      pass_statement_end(a);
    }
  }
  a.p = end;
  a.diags.error(opened, kind == BlockKind::macro ? "this .macro has no .endm" : "this loop has no .endr");
  return false;
}

// Macros

namespace {

/// `name: .macro`: the label names the macro, in GNU as. It is a label nevertheless, of the value 0.
std::string_view macro_label(Assembler& a) {
  const Name name = label_before(a);
  const SymbolId id = name.size ? a.symbols.find(name) : no_symbol;
  if (id == no_symbol || a.symbols[id].kind != SymbolKind::label) return {};
  a.symbols[id].kind = SymbolKind::absolute;
  a.symbols[id].value = 0;
  return name.text();
}

void add_mri_parameters(Macro& m) {
  m.mri = true;
  while (m.parameters.size() < mri_arguments) m.parameters.add({});
  m.parameters.add({.name = "NARG"});
}

}  // namespace

/// .macro name [,] [parameter[:req|:vararg][=default] [,] ...]      name: .macro [parameter ...]
void directive_macro(Assembler& a, u32) {
  const SourceLoc loc = a.loc_of(a.statement_start);
  std::string_view name;
  MacroParameters parameters;
  const u32 errors = a.diags.errors();
  if (a.profile.gnu_macros) {
    const char* start = a.p;
    a.skip_statement();
    std::string header;
    gnu_macro::scrub(a, {start, std::size_t(a.p - start)}, header, true);
    name = macro_label(a);
    gnu_macro::parse_header(a, header, name, parameters);
    name = kept(a, lower_case(name));
  } else {
    llvm_macro::parse_header(a, name, parameters);
  }
  if (a.diags.errors() != errors) {
    a.skip_statement();
    if (!a.profile.skips_bad_blocks) return;
  }
  a.end_statement();
  Body body;
  body.loc = a.here();
  std::string_view text;
  const bool complete = read_block(a, BlockKind::macro, text, loc);
  a.skip_statement();  // a name may follow .endm
  if (!complete || a.diags.errors() != errors) return;
  if (a.profile.gnu_macros) {
    std::string scrubbed;
    gnu_macro::scrub(a, text, scrubbed, false);
    text = kept(a, scrubbed);
  }
  if (a.profile.gnu_macros && find_directive({name.data(), u32(name.size()), hash_name(name)}, a.is_coff)) {
    a.diags.warning(loc, fmt::format("macro '{}' has a directive's name and can't be called", name));
    return;
  }
  Macro* m = a.macros.define(name);
  a.forget_instructions();
  if (!m) {
    a.diags.error(loc, fmt::format("macro '{}' is already defined", name));
    a.diags.note(a.macros.find({name.data(), u32(name.size()), 0}, false)->loc, "here");
    return;
  }
  m->loc = loc;
  m->title = kept(a, fmt::format("macro '{}'", name));
  m->parameters = std::move(parameters);
  m->body = std::move(body);
  m->body.text = text;
  if (a.macros.mri) add_mri_parameters(*m);
}

void before_mri_statement(Assembler& a, const Name& name, const char* after) {
  constexpr std::string_view bytes[] = {".byte", ".dc.b", ".ds.b", ".dcb.b"};
  constexpr std::string_view indifferent[] = {".globl", ".global", ".xdef"};
  const auto is = [&](std::string_view directive) { return equals_folded(name.text(), directive); };
  const Directive* d = find_directive(name, a.is_coff);
  const bool is_bytes = std::any_of(std::begin(bytes), std::end(bytes), is);
  const auto kind = d && d->handler == directive_conditional ? ConditionalKind(d->arg) : ConditionalKind::otherwise_if;
  const bool is_condition = kind != ConditionalKind::otherwise_if && kind != ConditionalKind::if_blank &&
                            kind != ConditionalKind::if_not_blank;
  note_odd_bytes(a);
  if (!is_bytes && !is_condition && *after != '=' && !std::any_of(std::begin(indifferent), std::end(indifferent), is)) {
    align_in_mri_mode(a);
  }
  a.macros.after_bytes = is_bytes || (d && d->handler == directive_space);
}

bool call_macro(Assembler& a, const Name& name, const char* after) {
  if (a.macros.mri) [[unlikely]]
    before_mri_statement(a, name, skip_blanks(a.chars, after));
  if (!a.macros.enabled) return false;
  Macro* m = a.macros.find(name, a.profile.gnu_macros);
  if (!m) return false;
  const char* next = skip_blanks(a.chars, after);
  if (*next == '=' || *next == ':') return false;
  const SourceLoc call = a.loc_of(name.p);
  if (a.lines.pending) a.lines.before_macro(a);
  a.p = after;
  const u32 errors = a.diags.errors();
  MacroArguments& arguments = a.macros.arguments;
  arguments.resize(m->parameters.size());
  for (std::string& argument : arguments) argument.clear();
  bool ok;
  if (a.profile.gnu_macros) {
    a.skip_statement();
    std::string& text = a.macros.scratch;
    text.clear();
    gnu_macro::scrub(a, {after, std::size_t(a.p - after)}, text, *after != '(');
    ok = gnu_macro::parse_arguments(a, *m, text, arguments);
  } else {
    skip_blanks(a);
    ok = llvm_macro::parse_arguments(a, *m, arguments);
  }
  if (!ok || a.diags.errors() != errors) {
    a.p = after;
    a.skip_statement();
    if (!ok) return true;
  }
  a.end_statement();
  cut(a, m->body, m->parameters, true);
  std::string& text = a.macros.scratch;
  text.clear();
  write_body(a, m->body, m->parameters, arguments, m->uses++, text);
  ++a.macros.calls;
  enter_expansion(a, m->title, text, call, m->body.loc, SourceKind::macro);
  return true;
}

/// .endm outside of a definition
void directive_endm(Assembler& a, u32) {
  if (!a.profile.gnu_macros && a.macros.depth > 0) return directive_exitm(a, 0);
  constexpr const char* text = ".endm without .macro";
  a.profile.gnu_macros ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
}

/// .exitm: the innermost expansion ends here, and with it the conditionals that it opened.
void directive_exitm(Assembler& a, u32) {
  if (a.macros.depth == 0) {
    constexpr const char* text = ".exitm outside of a macro";
    return a.profile.gnu_macros ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
  }
  while (a.open_sources.back().inner == SourceKind::include) a.leave();
  a.conditionals.resize(std::min<std::size_t>(a.conditionals.size(), a.open_sources.back().conditionals));
  if (a.open_sources.back().inner == SourceKind::loop) a.macros.loops.back().next = a.macros.loops.back().rounds;
  a.p = a.source->end;
}

/// .purgem name [, name]...
void directive_purgem(Assembler& a, u32) {
  if (at_end_of_statement(a)) return;
  do {
    Name name;
    const char* where = a.p;
    if (!parse_name(a, name, "a macro's name")) return;
    if (a.macros.purge(a.profile.gnu_macros ? lower_case(name.text()) : std::string(name.text()))) continue;
    std::string message = fmt::format("there is no macro '{}'", name.text());
    if (!a.profile.gnu_macros) return a.error(where, std::move(message));
    a.warning(where, std::move(message));
  } while (accept_comma(a));
}

void directive_altmacro(Assembler& a, u32 on) { a.macros.alternate = on != 0; }

void directive_macros_enabled(Assembler& a, u32 on) { a.macros.enabled = on != 0; }

// Loops

namespace {

bool needs_rounds(const Body& body) {
  return body.pieces.size() > 1 || (!body.pieces.empty() && body.pieces[0].what != piece_none);
}

}  // namespace

bool next_round(Assembler& a) {
  Loop& loop = a.macros.loops.back();
  if (loop.next >= loop.rounds) return false;
  const u64 round = loop.next++;
  align_in_mri_mode(a);
  if (loop.constant) {
    if (!count_expansion(a, round_cost(loop.body), 0, loop.call)) return loop.rounds = 0, false;
    a.p = a.source->begin;
    return true;
  }
  std::string& text = a.macros.scratch;
  text.clear();
  a.macros.arguments.resize(1);
  a.macros.arguments[0] = loop.values.empty() ? std::string() : loop.values[round];
  write_body(a, loop.body, loop.parameters, a.macros.arguments, round, text);
  if (!count_expansion(a, text.size(), a.macros.depth, loop.call)) return loop.rounds = 0, false;
  std::string error;
  const SourceBuffer* buffer = a.sources.add_expansion(loop.name, text, loop.call, loop.body.loc, error);
  if (!buffer) {
    a.diags.error(loop.call, std::move(error));
    return loop.rounds = 0, false;
  }
  a.source = buffer;
  a.p = buffer->begin;
  a.at_line_start = true;
  return true;
}

namespace {

/// Reads the body behind a loop's head and starts it.
void start_loop(Assembler& a, Loop loop) {
  a.end_statement();
  loop.body.loc = a.here();
  std::string_view text;
  if (!read_block(a, BlockKind::loop, text, loop.call)) return;
  if (a.profile.gnu_macros && !loop.parameters.empty()) {
    std::string scrubbed;
    gnu_macro::scrub(a, text, scrubbed, false);
    text = kept(a, scrubbed);
  }
  loop.body.text = text;
  if (a.profile.gnu_macros) a.skip_statement();
  if (loop.rounds == 0 || text.empty()) return;
  // Told at once, and not when the limit has been reached by assembling.
  if (loop.rounds > (max_expansion_bytes - a.macros.expanded) / round_cost(loop.body)) {
    return a.diags.error(loop.call, fmt::format("{} rounds of {} bytes exceed the limit of {} bytes of expansions",
                                                loop.rounds, text.size(), max_expansion_bytes));
  }
  a.end_statement();
  cut(a, loop.body, loop.parameters, false);
  loop.constant = !needs_rounds(loop.body);
  loop.next = 1;
  std::string& first = a.macros.scratch;
  first.clear();
  a.macros.arguments.resize(1);
  a.macros.arguments[0] = loop.values.empty() ? std::string() : loop.values[0];
  write_body(a, loop.body, loop.parameters, a.macros.arguments, 0, first);
  const std::size_t open_loops = a.macros.loops.size();
  a.macros.loops.push_back(std::move(loop));
  const Loop& open = a.macros.loops.back();
  const SourceLoc call = open.call;
  if (enter_expansion(a, open.name, first, call, open.body.loc, SourceKind::loop)) {
    if (a.listing.on) [[unlikely]]
      a.listing.line(a);
    return;
  }
  a.macros.loops.resize(open_loops);
}

}  // namespace

/// .rept count
void directive_rept(Assembler& a, u32) {
  Loop loop;
  loop.call = a.loc_of(a.statement_start);
  loop.name = ".rept";
  i64 count = 0;
  const char* where = a.p;
  const bool ok = a.absolute(count, "the number of repetitions");
  if ((!ok || count < 0) && !a.profile.skips_bad_blocks) {
    if (ok) a.error(where, fmt::format("negative number of repetitions: {}", count));
    return a.skip_statement();
  }
  if (ok && count < 0) {
    if (a.profile.gnu_macros) {
      a.warning(where, fmt::format("negative number of repetitions, {}, is taken as 0", count));
    } else {
      a.error(where, fmt::format("negative number of repetitions: {}", count));
    }
    count = 0;
  }
  if (!ok) a.skip_statement();
  loop.rounds = ok ? u64(count) : 0;
  start_loop(a, std::move(loop));
}

/// .irp name [,] [value [,] ...]; .irpc: the value's characters one by one
void directive_irp(Assembler& a, u32 characters) {
  Loop loop;
  loop.call = a.loc_of(a.statement_start);
  loop.name = characters ? ".irpc" : ".irp";
  std::string name;
  bool ok;
  if (a.profile.gnu_macros) {
    const char* start = a.p;
    a.skip_statement();
    std::string head;
    gnu_macro::scrub(a, {start, std::size_t(a.p - start)}, head, true);
    ok = gnu_macro::parse_values(a, characters != 0, head, name, loop.values);
  } else {
    ok = llvm_macro::parse_values(a, characters != 0, name, loop.values);
    if (!ok) {
      a.skip_statement();
      if (!a.profile.skips_bad_blocks) return;
    }
  }
  loop.parameters.add({.name = kept(a, name)});
  loop.rounds = ok ? loop.values.size() : 0;
  start_loop(a, std::move(loop));
}

/// .endr outside of a loop
void directive_endr(Assembler& a, u32) {
  constexpr const char* text = ".endr without .rept, .irp or .irpc";
  a.profile.gnu_macros ? a.warning(a.statement_start, text) : a.error(a.statement_start, text);
}

}  // namespace xas
