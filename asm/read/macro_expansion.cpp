// SPDX-License-Identifier: Apache-2.0
// Expansions of macros and loops: their text, their limits, and the stack of buffers that they open.
#include "asm/read/macro_expansion.h"

#include <fmt/format.h>

#include <algorithm>

#include "asm/read/cond.h"
#include "asm/read/listing.h"
#include "asm/read/reader.h"
#include "asm/text/append.h"

namespace xas {

// Text

/// The body's pieces for the mode that is on now.
void cut_body(Reader& reader, Body& body, const MacroParameters& parameters, bool is_macro) {
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

void write_body(Reader& reader, const Body& body, const MacroParameters& parameters, const MacroArguments& arguments,
                Counters counters, std::string& out) {
  Macros& m = reader.macros;
  const u32 first_local = m.locals + 1;
  m.locals += body.locals;
  const u64 limit = reader.program().options.max_expansion_bytes;
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
    if (out.size() > limit) return;  // reported by who opens it
  }
  if (!out.empty() && out.back() != '\n') out += '\n';
}

// The stack of buffers

namespace {

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

void Reader::enter(const SourceBuffer& buffer, SourceKind kind) {
  program().sources.open.push_back({program().sources.current, p, kind, at_line_start, u32(conditionals.size()),
                                    program().symbols.size(), program().diags.list().size()});
  if (kind != SourceKind::include) ++macros.depth;
  program().sources.current = &buffer;
  p = buffer.begin;
  at_line_start = true;
}

void Reader::leave() {
  const OpenSource outer = program().sources.open.back();
  const SourceBuffer& left = *program().sources.current;
  program().sources.open.pop_back();
  if (outer.inner != SourceKind::include) --macros.depth;
  if (outer.inner == SourceKind::loop) {
    macros.loops.pop_back();
    program().sources.round = macros.loops.empty() ? 0 : macros.loops.back().next;
  }
  program().sources.current = outer.buffer;
  p = outer.p;
  at_line_start = outer.at_line_start;
  if (outer.inner == SourceKind::macro && outer.symbols == program().symbols.size() &&
      outer.messages == program().diags.list().size() && outer.conditionals == conditionals.size() &&
      !program().listing.on)
    program().sources.take_back(left);
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

const SourceBuffer* expansion_buffer(Reader& reader, const Expansion& expansion) {
  if (!count_expansion(reader, expansion.text.size(), reader.macros.depth, expansion.call)) return nullptr;
  if (expansion.buffer) return expansion.buffer;
  std::string error;
  const SourceBuffer* const made =
      reader.program().sources.add_expansion(expansion.name, expansion.text, expansion.call, expansion.origin, error);
  if (!made) reader.program().diags.error(expansion.call, std::move(error));
  return made;
}

bool enter_expansion(Reader& reader, const Expansion& expansion, SourceKind kind) {
  const u32 limit = reader.program().options.max_macro_depth ? reader.program().options.max_macro_depth
                                                             : reader.program().profile.macro_depth;
  if (reader.macros.depth >= limit) {
    reader.program().diags.error(
        expansion.call,
        fmt::format("macros are nested deeper than the limit of {} levels; raise it with -asm-macro-max-nesting-depth",
                    limit));
  } else if (const SourceBuffer* const buffer = expansion_buffer(reader, expansion)) {
    reader.enter(*buffer, kind);
    return true;
  }
  stop_expanding(reader);
  return false;
}

bool count_expansion(Reader& reader, u64 size, u64 depth, SourceLoc call) {
  constexpr u64 overhead = 256;  // what a buffer takes besides its text
  if (depth) size += depth * (size + overhead);
  const u64 limit = reader.program().options.max_expansion_bytes;
  if (size > limit - reader.macros.expanded) {
    reader.macros.expanded = limit;
    reader.program().diags.error(
        call, fmt::format("the expansions of macros and loops exceed the limit of {} bytes, each counted once more "
                          "for every one that it stands in",
                          limit));
    return false;
  }
  reader.macros.expanded += size;
  return true;
}

}  // namespace xas
