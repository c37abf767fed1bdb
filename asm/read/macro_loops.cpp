// SPDX-License-Identifier: Apache-2.0
// Loops: .rept, .irp, .irpc, and their rounds.
#include <fmt/format.h>

#include <algorithm>

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
  cut_body(reader, loop.body, loop.parameters, false);
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
