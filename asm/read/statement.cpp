// SPDX-License-Identifier: Apache-2.0
// The statement loop: labels, assignments, directives, instructions; one pass, no tokens.
//
//   statement := { label } [ assignment | directive | instruction ] end
//   label     := name ':' | number ':'
//   end       := newline | separator | comment | end of text

#include <fmt/format.h>

#include <utility>

#include "asm/directives/arm.h"
#include "asm/directives/debug.h"
#include "asm/directives/directives.h"
#include "asm/read/listing.h"
#include "asm/read/parse.h"
#include "asm/read/unknown.h"
#include "asm/text/host.h"

namespace xas {

namespace {

const char* end_of_line(const char* p, const char* end) {
  const void* newline = std::memchr(p, '\n', std::size_t(end - p));
  return newline ? static_cast<const char*>(newline) : end;
}

/// `name .req register` is no instruction (nor are ARM's .dn and .qn).
bool names_register(const char* operands) {
  if (*operands != '.') return false;
  const auto is = [&](std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((operands[1 + i] | 0x20) != word[i]) return false;
    return operands[1 + word.size()] == ' ' || operands[1 + word.size()] == '\t';
  };
  return is("req") || is("dn") || is("qn");
}

/// A comment that began in another line ends before p, perhaps with blanks between.
bool behind_long_comment(const char* p, const char* begin) {
  while (p > begin && (p[-1] == ' ' || p[-1] == '\t')) --p;
  if (p - begin < 4 || p[-1] != '/' || p[-2] != '*') return false;
  bool newline = false;
  for (p -= 3; p > begin; --p) {
    if (p[-1] == '/' && p[0] == '*') return newline;
    newline |= p[-1] == '\n';
  }
  return false;
}

/// `# 12 "file.c" 1 3`: what follows belongs to that line of that file. in.p stands behind the '#'.
void line_marker(Reader& reader) {
  const char* line_end = end_of_line(reader.p, reader.program().sources.current->end);
  const char* q = skip_blanks(reader.program().chars, reader.p);
  u64 line = 0;
  bool overflow = false;
  if (!scan_number(q, line, overflow) || overflow || line > ~u32(0)) return;
  q = skip_blanks(reader.program().chars, q);
  if (*q != '"') return;
  reader.p = q;
  std::string file;
  if (!parse_string(reader, file)) return;
  // In the text of a macro it has been read with the definition.
  if (reader.program().sources.current->kind == BufferKind::expansion) return;
  if (line_end < reader.program().sources.current->end) reader.mark_line(line_end + 1, u32(line), std::move(file));
}

}  // namespace

Reader::Reader(const Options& options, Target& target) : out(options, target) {
  out.text = this;
  macros.alternate = options.start_in_altmacro;
  if (options.mri) macros.set_mri(true);
}

void Reader::line_comment() {
  ++p;
  const char c = *skip_blanks(program().chars, p);
  if (u8(c - '0') <= 9) line_marker(*this);
  p = end_of_line(p, program().sources.current->end);
}

void Reader::mark_line(const char* next, u32 line, std::string file) {
  Sources& sources = program().sources;
  const SourceLoc loc = sources.current->loc(next);
  if (line == 0 && !file.empty() && program().profile.line_renumbers) {
    if (!sources.marker_at(loc)) return;
    line = sources.locate(loc).line;
  }
  sources.add_marker(loc, line, std::move(file));
}

void Reader::skip_statement() {
  for (const char* const start = p;; ++p) {
    const char c = *p;
    if (c == '"') {
      const char* q = p + 1;
      while (*q != '"' && *q != '\n' && q < program().sources.current->end) q += *q == '\\' && q[1] != '\n' ? 2 : 1;
      p = q < program().sources.current->end ? q : program().sources.current->end;
      if (*p == '"') continue;
      return;
    }
    if (c == '\'' && p[1] != '\n' && p[1] != '\0' && p[2] == '\'') {
      p += 2;
      continue;
    }
    if (c == '/' && p[1] == '*') {
      skip_block_comment(*this);
      --p;
      continue;
    }
    if (!program().chars.is(c, char_end) || !at_end(*this)) continue;
    const bool counts_calls =
        p > start && p[-1] == '\\' && program().chars.starts_comment(p);  // \@, where @ is a comment's
    if (!counts_calls) return;
  }
}

void Reader::end_statement() {
  for (;;) {
    skip_blanks(*this);
    const char c = *p;
    if (c == '\n') {
      ++p;
      at_line_start = true;
      return;
    }
    if (c == program().chars.separator) {
      ++p;
      at_line_start = false;
      return;
    }
    if (c == '\0' && p >= program().sources.current->end) return;
    if (at_end(*this)) {  // a comment
      p = end_of_line(p, program().sources.current->end);
      continue;
    }
    // GNU as takes a comment that goes on in the next line for the end of the statement.
    if (behind_long_comment(p, program().sources.statement)) {
      at_line_start = false;
      return;
    }
    if (c == '\0') {
      error_here("NUL character in the text");
    } else if (another_statement_follows(*this)) {
      at_line_start = false;
      return;
    } else {
      report_unexpected(*this);
    }
    skip_statement();
  }
}

bool Reader::begins_line(const char* at) const { return at == program().sources.current->begin || at[-1] == '\n'; }

bool Reader::assignment(const Name& name, const char* after) {
  // assignment := name '=' expression | name '==' expression
  p = after + 1;
  const bool once = *p == '=';
  if (once) ++p;
  const SourceLoc loc = loc_of(name.p);
  if (name.size == 1 && *name.p == '.') {
    Value value;
    if (expression_value(value)) out.emit_org(value, 0, loc);
    return true;
  }
  once ? equate_from_text(*this, program().symbols.intern(name), loc)
       : assign_from_text(*this, program().symbols.intern(name), loc, true);
  return true;
}

void Reader::bundled_instruction(const Name& name) {
  if (out.bundles.locks && out.bundles.locked != out.current) {
    error("the section is another than that of the .bundle_lock");
    out.bundles.locked = out.current;
    out.bundles.fragment = out.begin_bundled();
  }
  const SourceLoc loc = program().sources.statement_loc();
  const u8 log2 = std::exchange(out.bundles.log2, 0);
  const bool alone = !out.bundles.locks && !out.current->nobits;
  const u32 fragment = alone ? out.begin_bundled() : 0;
  instruction(name);
  out.bundles.log2 = log2;
  if (alone) out.end_bundled(fragment, loc);
  else if (out.bundles.locks)
    out.fits_bundle(out.bundles.fragment, loc);
}

/// In code that a runtime may overwrite.
void Reader::reserved_instruction(const Name& name) {
  const ReservedCode::Mark mark = out.reserved.begin_instruction(out);
  instruction(name);
  out.reserved.end_instruction(out, mark);
}

void Reader::instruction(const Name& name) {
  if (out.bundles.log2 || out.reserved.watching) [[unlikely]]
    return out.reserved.watching ? reserved_instruction(name) : bundled_instruction(name);
  const bool nothing = out.holds_nothing();
  const bool counted = nothing && out.in_absolute_space();
  if (nothing && !counted) [[unlikely]] {
    out.can_emit();
    return skip_statement();
  }
  const char* operands = skip_blanks(program().chars, p);
  if (out.mapping < Mapping::code && !names_register(operands)) [[unlikely]] {
    // The operands are read, with the symbols they name, before the place is marked.
    if (program().info.mapping.after_operands && !program().profile.maps_all_data)
      return first_instruction(name, operands, counted);
    out.map_code();
  }
  read_instruction(name, operands, counted);
}

void Reader::first_instruction(const Name& name, const char* operands, bool counted) {
  const u64 pos = out.current->size;
  const u32 fragment = u32(out.current->fragments.size());
  read_instruction(name, operands, counted);
  out.map_code(pos, fragment);
}

void Reader::read_instruction(const Name& name, const char* operands, bool counted) {
  const bool is_alias = names_register(operands);
  // In a .struct, only the instruction's size counts.
  out.out = counted ? absolute_bytes_ : out.current->reserve(2 * Emitter::max_instruction);
  const bool has_row = program().lines.pending && !counted && !is_alias;
  const u64 pos = out.current->size, fragments = out.current->fragments.size();
  const DwarfLines::GeneratedRow row = has_row ? program().lines.newest() : DwarfLines::GeneratedRow{};
  if (has_row) program().lines.before_instruction(out);
  const u32 errors = program().diags.errors();
  ++counts.instructions;
  if (program().encodings.on) [[unlikely]]
    program().encodings.begin(*out.current);
  const bool known =
      typed_ ? program().target.typed_instruction(*typed_, out) : program().target.instruction(name, operands, out);
  if (known) [[likely]] {
    p = operands;
    if (!is_alias) out.current->has_instructions = true;
    if (has_row && out.current->size == pos && out.current->fragments.size() == fragments &&
        !program().profile.generated_row_of_nothing) [[unlikely]]
      program().lines.take_back(row);
    if (counted) [[unlikely]]
      out.current->fixups.clear();
    if (program().encodings.on) [[unlikely]]
      program().encodings.end(program(), *out.current, {name.p, std::size_t(p - name.p)});
    if (program().diags.errors() != errors) skip_statement();
    return;
  }
  p = operands;
  if (typed_ && typed_->number)
    report_unknown(*this, typed_->number);
  else
    report_unknown(*this, typed_ ? typed_->mnemonic.text() : name.text(), name.p);
  skip_statement();
}

void Reader::typed_instruction(const TypedInstruction& instruction) {
  p = program().sources.current->end;
  typed_ = &instruction;
  this->instruction({instruction.where, 0, 0});
  typed_ = nullptr;
}

/// `1:`, at the cursor, which moves behind it; false if it is something else.
static bool numeric_label(Reader& reader) {
  u64 number;
  bool overflow;
  const char* q = reader.p;
  if (!scan_decimal(q, number, overflow) || *(q = skip_blanks(reader.program().chars, q)) != ':' || overflow ||
      number > ~u32(0))
    return false;
  reader.out.define_numeric_label(u32(number), reader.loc_of(reader.p));
  reader.p = q + 1;
  return true;
}

void Reader::statement() {
  program().sources.current->stays = true;
  for (;;) {
    skip_blanks(*this);
    const char c = *p;
    program().sources.statement = p;
    if (program().chars.is(c, char_name_start)) [[likely]] {
      const u32 size = whole_name_length(program().chars, p);
      const char* after = p + size;
      if (*after == ':') {
        if (size == 1 && c == '.') [[unlikely]]
          return error_here("'.' is the current place, and no label"), skip_statement();
        const SourceLoc loc = program().sources.current->loc(p);
        const SymbolId id = program().symbols.intern(p, size);
        p = after + 1;
        out.define_label(id, loc);
        continue;
      }
      const Name name{p, size, hash_name_padded(p, size)};
      if (macros.may_be(name)) [[unlikely]] {
        if (call_macro(*this, name, after)) return;
      }
      if (c == '.') {
        if (const Directive* d = find_directive(name, program().is_coff)) {
          p = after;
          skip_blanks(*this);
          const u32 errors = program().diags.errors();
          d->handler(*this, d->arg);
          if (program().diags.errors() != errors) skip_statement();
          return;
        }
      }
      const char* next = skip_blanks(program().chars, after);
      if (*next == '=' || *next == ':') [[unlikely]] {
        if (*next == '=') return void(assignment(name, next));
        p = next + 1;
        out.define_label(program().symbols.intern(name), program().sources.current->loc(name.p));
        continue;
      }
      if (c == '.') {
        p = after;
        if (target_directive(name)) return;
      }
      p = after;
      if (program().info.syntax.labels_begin_lines && begins_line(name.p)) [[unlikely]] {
        out.define_label(program().symbols.intern(name), program().sources.current->loc(name.p));
        continue;
      }
      return instruction(name);
    }
    if (c == '\n' || c == program().chars.separator) return;
    if (at_end(*this)) return;
    if (u8(c - '0') <= 9 && numeric_label(*this)) continue;
    if (c == '"') {
      Name name;
      if (!parse_name(*this, name, "symbol name")) return skip_statement();
      skip_blanks(*this);
      if (*p == ':') {
        ++p;
        out.define_label(program().symbols.intern(name), program().sources.statement_loc());
        continue;
      }
      if (*p == '=') return void(assignment(name, p));
    }
    if ((c == '/' && program().info.syntax.slash_line_comment) || c == program().chars.line_comment) {
      p = end_of_line(p, program().sources.current->end);
      return;
    }
    if (c == '{') return instruction(Name{p, 0, 0});  // {vex3} and other pseudo prefixes are the target's
    if (c == '\0') {
      error_here("NUL character in the text");
    } else {
      report_unknown(*this, c);
    }
    return skip_statement();
  }
}

bool Reader::target_directive(const Name& name) {
  if (program().info.syntax.arm_directives) [[unlikely]] {
    const char* const at = p;
    const u32 errors = program().diags.errors();
    skip_blanks(*this);
    if (arm_directive(*this, name.text())) {
      if (program().diags.errors() != errors) skip_statement();
      return true;
    }
    p = at;
  }
  const char* operands = skip_blanks(program().chars, p);
  const u32 errors = program().diags.errors();
  if (!program().target.directive(name, operands, out)) return false;
  if (!program().target.keeps_meanings()) line_cache.instructions.forget();
  p = operands;
  if (program().diags.errors() != errors) skip_statement();
  return true;
}

/// False: it is something else.
inline bool Reader::call(const MacroCall& call) {
  if (macros.mri) return false;
  program().sources.statement = call.name.p;
  return call_macro(*this, *call.macro, call.name, call.name.p + call.name.size);
}

/// The rest of the statement behind the directive's name, and its end.
inline void Reader::handle(const Directive& directive) {
  skip_blanks(*this);
  if (directive.handler != directive_conditional) program().sources.current->stays = true;
  const u32 errors = program().diags.errors();
  directive.handler(*this, directive.arg);
  if (program().diags.errors() != errors) [[unlikely]]
    skip_statement();
  if (finished) return;
  if (const char* const next = next_line(program().chars, p, program().sources.current->end)) [[likely]] {
    p = next;
    at_line_start = true;
  } else {
    end_statement();
  }
}

/// --multibyte-handling=warn: where the text has bytes that are not ASCII.
void Reader::warn_of_multibyte(const SourceBuffer& buffer) {
  program().sources.wait_for_all();
  constexpr unsigned max_shown = 10;
  unsigned found = 0;
  for (const char* q = buffer.begin; q < buffer.end; ++q) {
    if (u8(*q) < 0x80) continue;
    if (found++ == max_shown) return program().diags.warning(0, "there are more multibyte characters");
    program().diags.warning(buffer.loc(q), fmt::format("multibyte character ({:#x})", u8(*q)));
  }
}

void Reader::reserve_names(std::size_t text) {
  constexpr std::size_t bytes_per_name = 64;  // compiler output has a name for each 80 to 180 bytes
  program().symbols.reserve(program().symbols.size() + text / bytes_per_name);
}

/// The next part of a mapped file. The text of a large one goes by: its names are copied, but for those that are only
/// asked for in messages. Of others, only tables of data go by, and text that makes names is kept with them.
void Reader::read_on() {
  constexpr std::size_t few_names = 32, large = 1 << 20;
  const SourceBuffer& buffer = *program().sources.current;
  const bool goes_by = buffer.size() >= large;
  if (goes_by) program().symbols.copies_names = true;
  const bool makes_names = program().symbols.size() - names_before_ > few_names;
  if (makes_names && !names_reserved_) {
    names_reserved_ = true;
    reserve_names(std::size_t(buffer.end - p));
  }
  program().sources.read_on(buffer, p, makes_names && !goes_by);
  names_before_ = program().symbols.size();
}

/// A statement, or what `take` takes of the lines at p. False behind .end.
template <class Take>
[[gnu::always_inline]] inline bool Reader::read_some(const Take& take) {
  if (*p == program().chars.line_comment &&
      (at_line_start || (p > program().sources.current->begin && p[-1] == program().chars.separator))) {
    line_comment();
    end_statement();
    return true;
  }
  using Answer = LineCache::Answer;
  const Answer line = at_line_start && !out.reserved.watching ? take() : Answer{Answer::other};
  if (line.kind == Answer::taken) return true;
  if (line.kind == Answer::directive) {
    handle(*line.handler);
  } else if (line.kind == Answer::unknown) {
    const ReadCounts before = counts;
    statement();
    end_statement();
    line_cache.instructions.learn(p, before, counts);
  } else {
    if (line.kind != Answer::call || !call(line_cache.call())) statement();
    if (!finished) end_statement();
  }
  if (finished) [[unlikely]] {
    finished = false;
    return false;
  }
  return true;
}

/// The current buffer, from p on.
void Reader::read_to_end() {
  const std::size_t depth = program().sources.open.size();
  for (;;) {
    if (p >= program().sources.current->window_end) [[unlikely]] {
      if (p < program().sources.current->end) {
        read_on();
      } else if (!program().sources.wait_for_more() && !next_source(depth)) {
        return;
      }
      continue;
    }
    if (program().listing.on) [[unlikely]]
      list_statement(*this);
    if (!read_some([this] { return line_cache.take(p); })) [[unlikely]] {
      while (program().sources.open.size() > depth) leave();
      return;
    }
  }
}

void Reader::read(const SourceBuffer& buffer) {
  if (program().options.multibyte_warn) warn_of_multibyte(buffer);
  if (program().listing.on) program().sources.wait_for_all();  // it looks ahead
  names_reserved_ = buffer.window_end == buffer.end;
  if (names_reserved_) reserve_names(buffer.size());
  names_before_ = program().symbols.size();
  program().sources.current = &buffer;
  p = buffer.begin;
  at_line_start = true;
  read_to_end();
}

void Reader::read_piece(const SourceBuffer& buffer) {
  if (program().options.multibyte_warn) warn_of_multibyte(buffer);
  begin(buffer);
  read_to_end();
}

void Reader::begin(const SourceBuffer& buffer) {
  program().sources.current = &buffer;
  p = buffer.begin - 1;  // the blank: cached lines begin with one
  at_line_start = true;
}

bool Reader::read_statement() {
  while (p >= program().sources.current->end)
    if (!next_source(0)) return false;
  if (read_some([this] { return line_cache.take_instruction(p); })) return true;
  while (!program().sources.open.empty()) leave();
  return false;
}

// Files

const SourceBuffer* Reader::find_included(const std::string& name, std::string& error) {
  const SourceLoc from = program().sources.statement_loc();
  const SourceBuffer* file = program().sources.add_file(name, from, error);
  if (file) return inputs.push_back(name), file;
  if (!host::is_absolute(name)) {
    for (const std::string& directory : program().options.include_dirs) {
      const std::string path = directory + "/" + name;
      std::string ignored;
      if ((file = program().sources.add_file(path, from, ignored))) return inputs.push_back(path), file;
    }
  }
  return nullptr;
}

}  // namespace xas
