// SPDX-License-Identifier: Apache-2.0
// Loops: .rept, .irp, .irpc, and their rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "asm/directives/directives.h"
#include "asm/read/listing.h"
#include "asm/read/macro_expansion.h"
#include "asm/read/parse.h"

namespace xas {

namespace {

/// What a round of a loop whose rounds are all alike counts: it is only read.
u64 round_cost(const Body& body) { return std::max<u64>(body.text.size(), 8); }

bool needs_rounds(const Body& body) {
  return body.pieces.size() > 1 || (!body.pieces.empty() && body.pieces[0].what != piece_none);
}

/// Whatever the rounds before came to, its expansions have the same text.
bool may_keep(const LoopText& text) {
  const i32 parameters = i32(text.parameters.size());
  return std::ranges::all_of(text.body.pieces, [&](const BodyPiece& piece) {
    return piece.what == piece_none || (piece.what >= 0 && piece.what < parameters);
  });
}

/// The expansion of the round; null: there is none yet, and its text is written to Macros::scratch.
const SourceBuffer* expand(Reader& reader, const Loop& loop, u64 round, std::string_view& text) {
  const LoopText& t = *loop.text;
  if (loop.keeps && round < t.rounds.size()) {
    const SourceBuffer* const kept = t.rounds[round];
    text = {kept->begin + 1, kept->end};
    return kept;
  }
  std::string& written = reader.macros.scratch;
  written.clear();
  reader.macros.arguments.resize(1);
  reader.macros.arguments[0] = t.values.empty() ? std::string() : t.values[round];
  write_body(reader, t.body, t.parameters, reader.macros.arguments, {loop.calls, round}, written);
  text = written;
  return nullptr;
}

/// Keeps the expansion that has been opened for the round.
void keep(const Loop& loop, u64 round, const SourceBuffer& expansion) {
  if (loop.keeps && round == loop.text->rounds.size()) loop.text->rounds.push_back(&expansion);
}

/// After the first round of a loop whose rounds have the same text: if that text comes to bytes, and to nothing else,
/// the bytes of the other rounds are copied. False if it does not, or there are no other rounds.
bool copy_rounds(Reader& reader, Loop& loop) {
  Subsection& to = *reader.out.current;
  const SourceBuffer& text = *reader.program().sources.current;
  const u64 rounds = loop.rounds - 1, first = to.size;
  if (rounds == 0 || !reader.line_cache.take_bytes(text.begin, text.end)) return false;
  loop.next = loop.rounds;
  if (!count_expansion(reader, rounds * round_cost(loop.text->body), 0, loop.call)) return true;
  for (u64 left = (rounds - 1) * (to.size - first); left != 0;) {
    const u64 n = std::min(left, to.size - first);  // whole rounds, but for the last time
    u8* const at = to.reserve(n);
    std::memcpy(at, to.data + first, n);
    to.size += n;
    left -= n;
  }
  return true;
}

}  // namespace

bool next_round(Reader& reader) {
  Loop& loop = reader.macros.loops.back();
  const LoopText& t = *loop.text;
  if (loop.next >= loop.rounds || (t.constant && loop.next == 1 && copy_rounds(reader, loop))) return false;
  const u64 round = loop.next++;
  reader.program().sources.round = loop.next;
  align_in_mri_mode(reader);
  if (t.constant) {
    if (!count_expansion(reader, round_cost(t.body), 0, loop.call)) return loop.rounds = 0, false;
    reader.p = reader.program().sources.current->begin;
    return true;
  }
  std::string_view text;
  const SourceBuffer* const kept = expand(reader, loop, round, text);
  const SourceBuffer* const buffer = expansion_buffer(reader, {loop.name, text, loop.call, t.body.loc, kept});
  if (!buffer) return loop.rounds = 0, false;
  keep(loop, round, *buffer);
  reader.program().sources.current = buffer;
  reader.p = buffer->begin;
  reader.at_line_start = true;
  return true;
}

namespace {

/// The loop that the current statement stands directly in, if what stands in it is read again.
Loop* loop_around(Reader& reader) {
  const std::vector<OpenSource>& open = reader.program().sources.open;
  if (open.empty() || open.back().inner != SourceKind::loop || reader.program().listing.on) return nullptr;
  Loop& outer = reader.macros.loops.back();
  return outer.is_read_again() ? &outer : nullptr;
}

/// The loop that begins here, if it has been met before; else null.
LoopText* known_loop(Reader& reader) {
  const Loop* const outer = loop_around(reader);
  if (!outer) return nullptr;
  const Macros& m = reader.macros;
  for (const std::unique_ptr<LoopText>& known : outer->text->inner)
    if (known->at == reader.program().sources.statement && known->body.cut_alternate == m.alternate &&
        known->body.cut_mri == m.mri)
      return known.get();
  return nullptr;
}

/// Reads the loop's first round, and then the others.
void start_loop(Reader& reader, Loop loop) {
  reader.p = loop.text->end;
  // Told at once, and not when the limit has been reached by assembling.
  const u64 limit = reader.program().options.max_expansion_bytes;
  if (loop.rounds > (limit - reader.macros.expanded) / round_cost(loop.text->body)) {
    return reader.program().diags.error(
        loop.call, fmt::format("{} rounds of {} bytes exceed the limit of {} bytes of expansions", loop.rounds,
                               loop.text->body.text.size(), limit));
  }
  reader.end_statement();
  loop.next = 1;
  loop.calls = reader.macros.calls;
  std::string_view text;
  const SourceBuffer* const kept = expand(reader, loop, 0, text);
  if (!enter_expansion(reader, {loop.name, text, loop.call, loop.text->body.loc, kept}, SourceKind::loop)) return;
  keep(loop, 0, *reader.program().sources.current);
  reader.macros.loops.push_back(std::move(loop));
  reader.program().sources.round = 1;
  if (reader.program().listing.on) [[unlikely]]
    list_line(reader);
}

/// Reads the body behind a loop's head and starts it.
void read_loop(Reader& reader, std::string_view name, u64 rounds, std::unique_ptr<LoopText> t) {
  Program& program = reader.program();
  const SourceLoc call = program.sources.statement_loc();
  t->at = program.sources.statement;
  const std::size_t messages = program.diags.list().size();
  reader.end_statement();
  t->body.loc = reader.here();
  std::string_view text;
  if (!read_block(reader, BlockKind::loop, text, call)) return;
  if (program.profile.scrubs_macros && !t->parameters.empty()) {
    std::string scrubbed;
    gnu_macro::scrub(program, text, scrubbed, false);
    text = program.symbols.keep(scrubbed);
  }
  t->body.text = text;
  if (program.profile.text_may_follow_endr) reader.skip_statement();
  if (rounds == 0 || text.empty()) return;
  t->end = reader.p;
  cut_body(reader, t->body, t->parameters, false);
  t->constant = !needs_rounds(t->body);
  // What has been said of it is said in each round of the loop around it.
  Loop* const outer =
      program.diags.list().size() == messages && !reader.macros.alternate ? loop_around(reader) : nullptr;
  const bool keeps = outer && may_keep(*t);
  Loop loop{.text = t.get(), .keeps = keeps, .rounds = rounds, .call = call, .name = name};
  if (keeps)
    outer->text->inner.push_back(std::move(t));
  else
    loop.own = std::move(t);
  start_loop(reader, std::move(loop));
}

/// The same of one that has been met before.
void read_again(Reader& reader, std::string_view name, u64 rounds, LoopText& text) {
  if (rounds == 0) {
    reader.p = text.end;
    return;
  }
  start_loop(
      reader,
      {.text = &text, .keeps = true, .rounds = rounds, .call = reader.program().sources.statement_loc(), .name = name});
}

}  // namespace

/// .rept count
void directive_rept(Reader& reader, u32) {
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
  constexpr std::string_view name = ".rept";
  LoopText* const known = ok && at_end_of_statement(reader) ? known_loop(reader) : nullptr;
  if (known) return read_again(reader, name, u64(count), *known);
  read_loop(reader, name, ok ? u64(count) : 0, std::make_unique<LoopText>());
}

/// .irp name [,] [value [,] ...]; .irpc: the value's characters one by one
void directive_irp(Reader& reader, u32 characters) {
  const std::string_view directive = characters ? ".irpc" : ".irp";
  if (LoopText* const known = known_loop(reader)) return read_again(reader, directive, known->values.size(), *known);
  auto text = std::make_unique<LoopText>();
  std::string name;
  bool ok;
  if (reader.program().profile.scrubs_macros) {
    std::string head;
    gnu_macro::scrub(reader.program(), gnu_macro::take_operands(reader), head, true);
    ok = gnu_macro::parse_values(reader, characters != 0, head, name, text->values);
  } else {
    ok = llvm_macro::parse_values(reader, characters != 0, name, text->values);
    if (!ok) {
      reader.skip_statement();
      if (!reader.program().profile.skips_bad_blocks) return;
    }
  }
  text->parameters.add({.name = reader.program().symbols.keep(name)});
  const u64 rounds = ok ? text->values.size() : 0;
  read_loop(reader, directive, rounds, std::move(text));
}

/// .endr outside of a loop
void directive_endr(Reader& reader, u32) {
  constexpr const char* text = ".endr without .rept, .irp or .irpc";
  reader.program().profile.macro_slips_warn ? reader.warning(text) : reader.error(text);
}

}  // namespace xas
