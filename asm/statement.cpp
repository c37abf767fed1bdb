// The statement loop: labels, assignments, directives, instructions; one pass, no tokens.
//
//   statement := { label } [ assignment | directive | instruction ] end
//   label     := name ':' | number ':'
//   end       := newline | separator | comment | end of text
#include <bit>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "asm/directives/debug.h"
#include "asm/directives/directives.h"
#include "asm/parse.h"

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

/// `# 12 "file.c" 1 3`: what follows belongs to that line of that file. a.p stands behind the '#'.
void line_marker(Assembler& a) {
  const char* line_end = end_of_line(a.p, a.source->end);
  const char* q = skip_blanks(a.chars, a.p);
  u64 line = 0;
  bool overflow = false;
  if (!scan_number(q, line, overflow) || overflow || line > ~u32(0)) return;
  q = skip_blanks(a.chars, q);
  if (*q != '"') return;
  a.p = q;
  std::string file;
  if (!parse_string(a, file)) return;
  // In the text of a macro it has been read with the definition.
  if (a.source->kind == BufferKind::expansion) return;
  if (line_end < a.source->end) a.sources.add_marker(a.source->loc(line_end + 1), u32(line), std::move(file));
}

}  // namespace

void Assembler::line_comment() {
  ++p;
  const char c = *skip_blanks(chars, p);
  if (u8(c - '0') <= 9) line_marker(*this);
  p = end_of_line(p, source->end);
}

void Assembler::skip_statement() {
  for (;; ++p) {
    const char c = *p;
    if (c == '"') {
      const char* q = p + 1;
      while (*q != '"' && *q != '\n' && q < source->end) q += *q == '\\' && q[1] != '\n' ? 2 : 1;
      p = q < source->end ? q : source->end;
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
    if (chars.is(c, char_end) && at_end(*this)) return;
  }
}

void Assembler::end_statement() {
  for (;;) {
    skip_blanks(*this);
    const char c = *p;
    if (c == '\n') {
      ++p;
      at_line_start = true;
      return;
    }
    if (c == chars.separator) {
      ++p;
      at_line_start = false;
      return;
    }
    if (c == '\0' && p >= source->end) return;
    if (at_end(*this)) {  // a comment
      p = end_of_line(p, source->end);
      continue;
    }
    // GNU as takes a comment that goes on in the next line for the end of the statement.
    if (behind_long_comment(p, statement_start)) {
      at_line_start = false;
      return;
    }
    if (c == '\0') {
      error_here("NUL character in the text");
    } else {
      const u32 length = std::max<u32>(1, std::min<u32>(name_length(p), 20));
      error_here(fmt::format("unexpected '{}' after the end of the statement", std::string_view(p, length)));
    }
    skip_statement();
  }
}

bool Assembler::assignment(const Name& name, const char* after) {
  // assignment := name '=' expression | name '==' expression
  p = after + 1;
  const bool once = *p == '=';
  if (once) ++p;
  const SourceLoc loc = loc_of(name.p);
  if (name.size == 1 && *name.p == '.') {
    Value value;
    if (expression_value(value)) emit_org(value, 0, loc);
    return true;
  }
  once ? equate_from_text(*this, symbols.intern(name), loc) : assign_from_text(*this, symbols.intern(name), loc, true);
  return true;
}

u32 Assembler::begin_bundled() {
  Flex& f = add_flex(FlexKind::align, loc_of(statement_start));
  f.add = 0;
  if (target.nop_fill() >= 0) {
    f.fill_size = 1;  // single no-ops, as GNU as
    f.constant = target.nop_fill();
  }
  return u32(&f - current->flexes.data());
}

void Assembler::end_bundled(u32 number, SourceLoc loc) {
  const u64 limit = u64(1) << bundles.log2;
  u64 size = current->size - current->flexes[number].pos;
  for (u32 i = number + 1; i < current->flexes.size() && size <= limit; ++i) {
    const Flex& f = current->flexes[i];
    if (f.kind == FlexKind::insn) {
      u8 state = 0;  // branches count in their longest form
      while (target.relax_range(f.form, state).high != INT64_MAX) ++state;
      size += target.relax_size(f.form, state);
    }
  }
  if (size > limit) return diags.error(loc, fmt::format("these {} bytes do not fit in a bundle of {}", size, limit));
  Section& section = current_section();
  section.log2_align = std::max(section.log2_align, bundles.log2);
  if (size <= 1) return;
  // The same as an alignment with a limit: padding as long as what follows would stay within the bundle is not made.
  Flex& f = current->flexes[number];
  f.state = bundles.log2;
  f.add = u32(size - 1);
}

void Assembler::bundled_instruction(const Name& name) {
  if (bundles.locks && bundles.locked != current) {
    error(statement_start, "the section is another than that of the .bundle_lock");
    bundles.locked = current;
    bundles.flex = begin_bundled();
  }
  const SourceLoc loc = loc_of(statement_start);
  const u8 log2 = std::exchange(bundles.log2, 0);
  const bool alone = !bundles.locks && !current->nobits;
  const u32 flex = alone ? begin_bundled() : 0;
  instruction(name);
  bundles.log2 = log2;
  if (alone) end_bundled(flex, loc);
}

void Assembler::instruction(const Name& name) {
  if (bundles.log2) [[unlikely]] return bundled_instruction(name);
  const bool nothing = holds_nothing();
  const bool counted = nothing && in_absolute_space();
  if (nothing && !counted) [[unlikely]] {
    can_emit();
    return skip_statement();
  }
  const char* operands = skip_blanks(chars, p);
  if (mapping < Mapping::code && !names_register(operands)) [[unlikely]] {
    // GNU as on ARM has read the operands, with the symbols they name, before it marks the place.
    if (info.arm_labels && !profile.maps_all_data) return first_instruction(name, operands, counted);
    map_code();
  }
  read_instruction(name, operands, counted);
}

void Assembler::first_instruction(const Name& name, const char* operands, bool counted) {
  const u64 pos = current->size;
  const u32 flex = u32(current->flexes.size());
  read_instruction(name, operands, counted);
  map_code(pos, flex);
}

void Assembler::read_instruction(const Name& name, const char* operands, bool counted) {
  // In a .struct, only the instruction's size counts.
  out = counted ? absolute_bytes_ : current->reserve(2 * max_instruction);
  if (lines.pending && !counted && !names_register(operands)) lines.before_instruction(*this);
  const u32 errors = diags.errors();
  ++instructions_read;
  if (target.instruction(name, operands, *this)) {
    p = operands;
    current_section().has_instructions = true;
    if (counted) [[unlikely]] current->fixups.clear();
    if (diags.errors() != errors) skip_statement();
    return;
  }
  error(name.p, fmt::format("unknown instruction or directive '{}'", name.text()));
  skip_statement();
}

void Assembler::statement() {
  for (;;) {
    skip_blanks(*this);
    const char c = *p;
    statement_start = p;
    if (chars.is(c, char_name_start)) [[likely]] {
      const u32 size = name_length(chars, p);
      const char* after = p + size;
      if (*after == ':') {
        if (size == 1 && c == '.') [[unlikely]]
          return error_here("'.' is the current place, and no label"), skip_statement();
        const SourceLoc loc = source->loc(p);
        const SymbolId id = symbols.intern(p, size);
        p = after + 1;
        define_label(id, loc);
        continue;
      }
      const Name name{p, size, hash_name_padded(p, size)};
      if (macros.may_be(name)) [[unlikely]] {
        if (call_macro(*this, name, after)) return;
      }
      if (c == '.') {
        if (const Directive* d = find_directive(name, is_coff)) {
          p = after;
          skip_blanks(*this);
          const u32 errors = diags.errors();
          d->handler(*this, d->arg);
          if (diags.errors() != errors) skip_statement();
          return;
        }
      }
      const char* next = skip_blanks(chars, after);
      if (*next == '=' || *next == ':') [[unlikely]] {
        if (*next == '=') return void(assignment(name, next));
        p = next + 1;
        define_label(symbols.intern(name), source->loc(name.p));
        continue;
      }
      if (c == '.') {
        p = after;
        if (target_directive(name)) return;
      }
      p = after;
      return instruction(name);
    }
    if (c == '\n' || c == chars.separator) return;
    if (at_end(*this)) return;
    if (u8(c - '0') <= 9) {
      u64 number;
      bool overflow;
      const char* q = p;
      if (scan_decimal(q, number, overflow) && *(q = skip_blanks(chars, q)) == ':' && !overflow && number <= ~u32(0)) {
        define_numeric_label(u32(number), loc_of(p));
        p = q + 1;
        continue;
      }
    }
    if (c == '"') {
      Name name;
      if (!parse_name(*this, name, "symbol name")) return skip_statement();
      skip_blanks(*this);
      if (*p == ':') {
        ++p;
        define_label(symbols.intern(name), loc_of(statement_start));
        continue;
      }
      if (*p == '=') return void(assignment(name, p));
    }
    if ((c == '/' && info.slash_line_comment) || c == chars.line_comment) {
      p = end_of_line(p, source->end);
      return;
    }
    if (c == '{') return instruction(Name{p, 0, 0});  // {vex3} and other pseudo prefixes are the target's
    if (c == '\0') {
      error_here("NUL character in the text");
    } else {
      error_here(fmt::format("expected a label, a directive or an instruction, found '{}'", c));
    }
    return skip_statement();
  }
}

bool Assembler::target_directive(const Name& name) {
  if (options.target.machine == Machine::arm) [[unlikely]] {
    const char* const at = p;
    const u32 errors = diags.errors();
    skip_blanks(*this);
    if (arm_directive(*this, name.text())) {
      memo.forget();
      if (diags.errors() != errors) skip_statement();
      return true;
    }
    p = at;
  }
  const char* operands = skip_blanks(chars, p);
  const u32 errors = diags.errors();
  if (!target.directive(name, operands, *this)) return false;
  forget_instructions();
  p = operands;
  if (diags.errors() != errors) skip_statement();
  return true;
}

/// The statement at p, the start of its line, and its end, if it is one of the usual ones; else false.
bool Assembler::quick_statement() {
  if (*p == '.' || *p == '\t') {
    const char* const before = p;
    const KnownDirective* const known = plain_lines();
    if (known) return known_directive(*known, p + 1);
    if (p != before) return true;
  }
  const char* text = p;
  while (*text == ' ' || *text == '\t') ++text;
  if (*text == '.') return directive_line(text);
  if (chars.starts_comment(text)) {
    // One that does not start its line can't be a line marker.
    const char* const next = text == p ? nullptr : next_line(text);
    if (!next) return false;
    p = next;
    return true;
  }
  return u8((*text | 0x20) - 'a') <= 25 && repeated_instruction(text);
}

/// Behind the newline, if nothing but blanks and a comment stands between it and q; else null.
const char* Assembler::next_line(const char* q) const {
  if (*q != '\n') {
    q = skip_blanks(chars, q);
    if (chars.starts_comment(q)) q = static_cast<const char*>(std::memchr(q, '\n', std::size_t(source->end - q)));
    if (!q || *q != '\n') return nullptr;
  }
  return q + 1;
}

/// The directive at `text`, the first thing in its line, and its end. False if it is not known by its spelling.
bool Assembler::directive_line(const char* text) {
  if (macros.any()) return false;
  u64 words[2];
  u32 size;
  KnownDirective* const known = known_directives_.entry(text, words, size);
  if (!known) return false;
  if (known->words[0] != words[0] || known->words[1] != words[1]) {
    const Name name = scan_name(chars, text);
    const Directive* d = name.size == size ? find_directive(name, is_coff) : nullptr;
    if (!d) return false;
    *known = {{words[0], words[1]}, d, PlainDirective::other, u8(size), u8(d->arg)};
    classify(*known);
  }
  return known_directive(*known, text);
}

bool Assembler::known_directive(const KnownDirective& known, const char* text) {
  statement_start = text;
  p = text + known.size;
  skip_blanks(*this);
  const u32 errors = diags.errors();
  known.directive->handler(*this, known.directive->arg);
  if (diags.errors() != errors) [[unlikely]] skip_statement();
  if (finished) return true;
  if (const char* const next = next_line(p)) [[likely]] {
    p = next;
    at_line_start = true;
  } else {
    end_statement();
  }
  return true;
}

/// Whether plain lines may begin with it.
void Assembler::classify(KnownDirective& e) const {
  const DirectiveHandler handler = e.directive->handler;
  if (handler == directive_data || handler == directive_word || handler == directive_address) {
    e.plain = PlainDirective::data;
    if (handler != directive_data) e.arg = u8(handler == directive_word ? info.word_size : info.address_size);
  } else if (handler == directive_leb) {
    e.plain = PlainDirective::leb128;
  } else if (handler == directive_loc) {
    e.plain = PlainDirective::loc;
  }
}

/// --multibyte-handling=warn: where the text has bytes that are not ASCII.
void Assembler::warn_of_multibyte(const SourceBuffer& buffer) {
  constexpr unsigned most = 10;
  unsigned found = 0;
  for (const char* q = buffer.begin; q < buffer.end; ++q) {
    if (u8(*q) < 0x80) continue;
    if (found++ == most) return diags.warning(0, "there are more multibyte characters");
    diags.warning(buffer.loc(q), fmt::format("multibyte character ({:#x})", u8(*q)));
  }
}

void Assembler::reserve_names(std::size_t text) {
  constexpr std::size_t bytes_per_name = 100;  // compiler output has a name for each 120 to 180 bytes
  symbols.reserve(symbols.size() + text / bytes_per_name);
}

/// The next part of a large file. Text that makes names is kept, since they stay where they stand; the tables of data
/// that some programs are made of go by.
void Assembler::read_on() {
  constexpr std::size_t few_names = 32;
  const bool makes_names = symbols.size() - names_before_ > few_names;
  if (makes_names) reserve_names(std::size_t(source->end - p));
  sources.read_on(*source, p, makes_names);
  names_before_ = symbols.size();
}

void Assembler::read(const SourceBuffer& buffer) {
  if (options.multibyte_warn) warn_of_multibyte(buffer);
  if (buffer.window_end == buffer.end) reserve_names(buffer.size());
  names_before_ = symbols.size();
  const std::size_t depth = open_sources.size();
  source = &buffer;
  p = buffer.begin;
  at_line_start = true;
  for (;;) {
    if (p >= source->window_end) [[unlikely]] {
      if (p < source->end) {
        read_on();
      } else if (!next_source(depth)) {
        return;
      }
      continue;
    }
    if (listing.on && at_line_start) [[unlikely]] listing.line(*this);
    if (*p == chars.line_comment && (at_line_start || (p > source->begin && p[-1] == chars.separator))) {
      line_comment();
    } else if (at_line_start && quick_statement()) {
      if (!finished) [[likely]] continue;
    } else {
      statement();
    }
    if (finished) [[unlikely]] {
      finished = false;
      while (open_sources.size() > depth) leave();
      return;
    }
    end_statement();
  }
}

}  // namespace xas
