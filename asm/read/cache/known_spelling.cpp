// SPDX-License-Identifier: Apache-2.0
// Known spellings: lines that are known by their first word, most of compiler output. Each is one of
//
//   .LVL120:  main:                      a label, first thing in its line
//   <tab>.long 0x1f  .quad .LC1  .quad f one number, name, or difference of two .L labels, in any directive that
//   <tab>.uleb128 .LVL2-.LVL1            makes integers of a fixed size or LEB128 numbers
//   <tab>.word .LC1-(.LPIC2+8)
//   <tab>.asciz "text"  .ascii "a", "b"  strings without escapes
//   <tab>.loc 1 12 3 is_stmt 0 view .LVU7
//   <tab>.cv_loc 0 1 12 3
//   <tab>jne .L12                        a branch to a numbered label
//   <tab>.p2align 4,,10  .align 8        an alignment that is filled as usual, or with zeros
//   <tab>.cfi_offset 6, -16              a rule of a frame, of registers and numbers
//   <tab>.if 1 > 0  .else  .endif        a condition of numbers, and what it leaves out
//   <tab>.globl f  .weak f               a name that is bound
//   s2 = s1 + 1                          an assignment that comes to a number
//   <tab>.type f, @function              a directive that has stood before: its handler is known
//
// and its newline, or a comment that runs up to it. Runs of them, and of instructions (template.cpp), are taken in one
// loop. What a line means, and what it costs when it is read, is in statement.cpp and directives/; nothing here is more
// than a shorter way to the same calls. A line that is not quite so is left to the reader. Labels, numbers, branches,
// assignments and conditions are here, and other directives in known_directives.cpp.
#include "asm/directives/codeview.h"
#include "asm/directives/debug.h"
#include "asm/directives/directives.h"
#include "asm/read/cache/line_cache.h"
#include "asm/read/cache/line_end.h"
#include "asm/read/cache/put_together.h"
#include "asm/read/plain_operand.h"
#include "asm/text/digits.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

/// Of a name with .L that has no number, or is too long for that: .Lloclists_table_base0. no_symbol: it is no such
/// name.
[[gnu::noinline]] static SymbolId unnumbered_label(Program& program, const char* q, u32& size) {
  if (q[0] != '.' || q[1] != 'L') return no_symbol;
  size = name_length(q);  // a modifier may follow
  constexpr std::string_view ends = " \t\n-+),";
  return ends.find(q[size]) == ends.npos ? no_symbol : program.symbols.intern(q, size);
}

/// label := name that begins with .L; its symbol, or the number that it stands for and no_symbol.
inline const char* LineCache::label(const char* q, SymbolId& id, u64& number) {
  u32 size;
  const u32* known;
  id = program().symbols.intern_numbered(q, size, known);
  if (known) {
    number = *known;
    return q + size;
  }
  if (id == no_symbol && (id = unnumbered_label(program(), q, size)) == no_symbol) return nullptr;
  return referenced(q, size, id, number);
}

/// Any name that is an operand of its own; what `label` finds.
inline const char* LineCache::name(const char* q, const char* newline, SymbolId& id, u64& number) {
  const u32 size = name_length(program().chars, q);
  if (!line_end(program(), q + size, newline) || !names_symbol(program(), q, size)) return nullptr;
  id = program().symbols.intern(q, size);
  return referenced(q, size, id, number);
}

/// The name at q, of `size` characters, is an operand.
inline const char* LineCache::referenced(const char* q, u32 size, SymbolId& id, u64& number) {
  Symbol& s = program().symbols[id];
  if (s.kind > SymbolKind::absolute) return nullptr;
  s.flags |= symbol_referenced;
  if (s.loc == 0) s.loc = program().sources.loc_of(q);
  number = 0;
  if (s.kind == SymbolKind::absolute) {
    number = s.value;
    id = no_symbol;
  }
  return q + size;
}

/// numbers := number { ',' number }
[[gnu::noinline]] const char* number_list(const Program& program, Subsection& to, const KnownDirective& known,
                                          const char* operands, const char* newline) {
  const u64 before = to.size;
  for (const char* q = operands;; q = skip_blanks(program.chars, q + 1)) {
    u64 number;
    q = plain_number(q, number);
    if (!q || !fits_in_bytes(i64(number), known.arg)) break;
    const ul64 stored = number;
    std::memcpy(to.reserve(8), &stored, 8);
    to.size += known.arg;
    if (*q == ',') continue;
    if (const char* const end = *q == '\n' ? q : line_end(program, q, newline)) return end;
    break;
  }
  to.size = before;
  return nullptr;
}

/// The number at p, which is small, and the place behind it; null if it is no such number.
inline const char* small_number(const char* p, u64& value) {
  u32 few;
  if (const char* const end = few_digits(p, few); end && *end != 'x') [[likely]]
    return value = few, end;
  return plain_number(p, value);
}

/// Tables: the lines behind one of one number that say the same up to a number. `line` and `operand` are where the
/// first one and its number begin, `newline` is where it ends; so the last of them does.
inline const char* number_lines([[maybe_unused]] const Program& program, [[maybe_unused]] Subsection& to,
                                [[maybe_unused]] const KnownDirective& known, [[maybe_unused]] const char* line,
                                [[maybe_unused]] const char* operand, const char* newline,
                                [[maybe_unused]] const char* window_end) {
#if defined(__SSE2__)
  const u32 size = u32(operand - line);
  if (size > 16) return newline;
  const auto load = [](const char* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); };
  const __m128i said = load(line);
  const u32 same = (u32(1) << size) - 1;
  while (newline + 1 < window_end) {
    const char* const next = newline + 1;
    if (~u32(_mm_movemask_epi8(_mm_cmpeq_epi8(load(next), said))) & same) break;
    u64 number;
    const char* q = small_number(next + size, number);
    if (!q || (known.arg < 8 && number >> (8 * known.arg))) break;
    if (*q != '\n') {
      q = skip_blanks(program.chars, q);
      if (!program.chars.starts_comment(q) || !(q = near_newline(q))) break;
    }
    const ul64 stored = number;
    std::memcpy(to.reserve(8), &stored, 8);
    to.size += known.arg;
    newline = q;
  }
#endif
  return newline;
}

/// Numbers in bytes, and nothing else: most of the data. Null, with nothing done, if it is something else.
[[gnu::always_inline]] inline const char* number_line(const Program& program, Subsection& to,
                                                      const KnownDirective& known, const char* operand,
                                                      const char* newline) {
  u64 number;
  if (known.kind != LineKind::data) return nullptr;
  const char* const after = plain_number(operand, number);
  const char* const end = line_end(program, after, newline);
  if (!end) return after && *after == ',' ? number_list(program, to, known, operand, newline) : nullptr;
  if (known.arg < 8 && number >> (8 * known.arg) && !fits_in_bytes(i64(number), known.arg)) return nullptr;
  const ul64 stored = number;
  std::memcpy(to.reserve(8), &stored, 8);
  to.size += known.arg;
  return end;
}

/// operand := number | name | label [ '-' ( label | '(' label '+' number ')' ) ]
/// What it comes to stays in registers: a Value would be put together in memory, and copied before it is there.
inline const char* LineCache::data_line(const KnownDirective& known, const char* operand, const char* newline) {
  u64 constant = 0;
  SymbolId add = no_symbol, sub = no_symbol;
  const char* q;
  if (*operand == '.') {
    q = label(operand, add, constant);
    if (q && *q == '-') {
      const bool in_parentheses = q[1] == '(';
      u64 number, more = 0;
      q = label(q + 1 + in_parentheses, sub, number);
      if (q && in_parentheses) {
        if (*q == '+') q = plain_number(q + 1, more);
        q = q && *q == ')' ? q + 1 : nullptr;
      }
      if (!q) return nullptr;
      constant -= number + more;
      if (add != no_symbol && sub != no_symbol) {
        const Symbol& plus = program().symbols[add];
        const Symbol& minus = program().symbols[sub];
        const bool labels = plus.kind == SymbolKind::label && minus.kind == SymbolKind::label;
        if (add == sub || (labels && plus.where == minus.where && plus.fragment == minus.fragment)) {
          if (program().info.labels.thumb) return nullptr;  // what kind of code they mark counts
          constant += plus.value - minus.value;
          add = sub = no_symbol;
        }
      }
    }
  } else if (known.kind == LineKind::data && program().chars.is(*operand, char_name_start)) {
    q = name(operand, newline, add, constant);
  } else {
    q = plain_number(operand, constant);
  }
  const char* const end = line_end(program(), q, newline);
  if (!end) return nullptr;
  const bool is_constant = (add & sub) == no_symbol;
  if (known.kind == LineKind::leb128) {
    if (is_constant) {
      u8* const at = out_.current->reserve(max_leb128_size);
      out_.current->size += known.arg ? write_sleb128(at, i64(constant)) : write_uleb128(at, constant);
    } else {
      const Value number{.constant = i64(constant), .add = add, .sub = sub};
      out_.add_fragment(LebFragment{.number = number, .encoding = leb_encoding(known.arg)},
                        program().sources.loc_of(operand));
    }
  } else if (is_constant) {
    if (known.arg < 8 && constant >> (8 * known.arg)) return nullptr;
    const ul64 stored = constant;
    std::memcpy(out_.current->reserve(8), &stored, 8);
    out_.current->size += known.arg;
  } else {
    out_.emit_labels(add, sub, i64(constant), known.arg, program().sources.loc_of(operand));
  }
  return end;
}

/// Branches: one in five instructions.
inline const char* LineCache::branch_line(const char* text) {
  const KnownBranch* const known = instructions.find_branch(text);
  if (!known) return nullptr;
  const char* const operand = text + known->size + 1;
  SymbolId id;
  u64 number;
  const char* const end = label(operand, id, number);
  if (!end || id == no_symbol || *end != '\n' || out_.current->nobits || out_.bundles.log2) return nullptr;
  instructions.take_branch(*known, text, operand, id);
  return end;
}

/// Data go into the current section as they are, without anything else to be seen to.
inline bool LineCache::data_fits() const {
  return !out_.current->nobits && !program().info.big_endian && !out_.frame_text &&
         std::endian::native == std::endian::little &&
         (out_.mapping == Mapping::off || out_.mapping == Mapping::data ||
          (out_.mapping == Mapping::none && !out_.marks_first_data()));
}

/// The end of the name at p, often a mnemonic of a few letters.
inline const char* end_of_name(const CharTable& chars, const char* p) {
  const char* q = p;
  while (u8((*q | 0x20) - 'a') <= 25) ++q;
  return *q == ' ' || *q == '\t' || *q == '\n' || *q == ':' ? q : p + name_length(chars, p);
}

inline const char* LineCache::numbered_label_line(const char* p) {
  u32 size;
  const SymbolId id = program().symbols.intern_numbered(p, size);
  return label_line(p, id == no_symbol ? name_length(program().chars, p) : size, id);
}

/// The name at p, of `size` characters, is that of a label if a colon follows; `id`: its symbol, if that is known.
inline const char* LineCache::label_line(const char* p, u32 size, SymbolId id) {
  if (p[size] != ':') return nullptr;
  const char* const end = line_end(program(), p + size + 1, near_newline(p));
  if (!end) return nullptr;
  if (id == no_symbol) id = program().symbols.intern(p, size);
  program().sources.statement = p;
  out_.define_label(id, program().sources.current->loc(p));
  return end;
}

/// name '=' ( number | name [ ( '+' | '-' ) number ] ), where the second name is that of a number. The first one is at
/// `text`, of `size` characters, and `value` is behind the sign.
const char* LineCache::assignment_line(const char* text, u32 size, const char* value) {
  const CharTable& chars = program().chars;
  if (macros_.any()) return nullptr;
  const char* const base = skip_blanks(chars, value);
  const u32 base_size = chars.is(*base, char_name_start) ? name_length(chars, base) : 0;
  const char* q = base + base_size;
  i64 number = 0;
  if (base_size) {
    const char* any = base;
    if (!names_symbol(program(), base, base_size) ||
        (program().info.syntax.registers_are_values && program().target.parse_register(any) >= 0))
      return nullptr;
    plain_addend(chars, q, number);
  } else {
    u64 alone = 0;
    q = plain_number(q, alone);
    number = i64(alone);
  }
  const char* const end = line_end(program(), q, near_newline(text));
  if (!end) return nullptr;
  const SymbolId id = program().symbols.intern(text, size);
  if (program().symbols[id].has(symbol_lto_discarded)) return nullptr;
  if (base_size) {
    SymbolId other = program().symbols.intern(base, base_size);
    if (program().symbols[other].kind != SymbolKind::absolute) return nullptr;
    u64 of_base;
    referenced(base, base_size, other, of_base);
    number = i64(u64(number) + of_base);
  }
  program().sources.statement = text;
  program().note_temporary(id);
  out_.assign(id, Value{.constant = number}, program().sources.loc_of(text), true);
  return end;
}

/// Where the lines end that the conditional takes; null: its handler reads it.
inline const char* LineCache::conditional_line(const KnownDirective& known, const char* text, const char* newline) {
  const char* const operand = skip_blanks(program().chars, text + known.size);
  return plain_conditional(program(), conditionals_, ConditionalKind(known.arg), text, operand, newline);
}

inline LineCache::Answer LineCache::handled(const KnownDirective& known, const char*& p, const char* text) {
  program().sources.statement = text;
  p = text + known.size;
  return {Answer::directive, known.directive};
}

/// As many lines as are known from `at` on. `other` only if that is none.
LineCache::Answer LineCache::take_lines(const char*& at) {
  const Program& program = out_.program;
  Subsection& to = *out_.current;
  const char* p = at;
  const char* const window_end = program.sources.current->window_end;
  bool takes_data = data_fits();
  for (const char* end;; p = end + 1) {
    if (p >= window_end) [[unlikely]]
      break;
    const char* text = p + 1;  // most lines begin with a tab
    if (*p == '.' && p[1] == 'L') {
      end = numbered_label_line(p);
      if (!end) break;
      continue;
    }
    if (*p != '\t') {
      text = skip_blanks(program.chars, p);
      if (text == p && *p != '.') {
        if (!program.chars.is(*p, char_name_start)) break;
        const char* const behind = end_of_name(program.chars, p);
        if (*behind == ':' && (end = label_line(p, u32(behind - p), no_symbol))) continue;
        if (*behind == '=' || (*behind == ' ' && behind[1] == '=')) {
          if ((end = assignment_line(p, u32(behind - p), behind + 1 + (*behind == ' ')))) continue;
          if (p == at) return {Answer::no_instruction};
          break;
        }
      }
    }
    if (*text == '.') {
      const KnownDirective* const known = directives_.find(text);
      if (!known) break;
      if (known->kind == LineKind::other) return handled(*known, at, text);
      const char* const operand = text + known->size + 1;
      fetch_text_ahead(text);
      const char* const newline = near_newline(text);
      if (known->kind >= LineKind::loc) {
        switch (known->kind) {
          case LineKind::loc: end = loc_line(text, operand, newline); break;
          case LineKind::codeview_line: end = codeview_line(text, operand, newline); break;
          case LineKind::conditional: end = conditional_line(*known, text, newline); break;
          case LineKind::align: end = align_line(*known, text, newline); break;
          case LineKind::binding: end = binding_line(*known, text, newline); break;
          default: end = cfi_line(*known, text, newline); break;
        }
        if (!end) return handled(*known, at, text);
        if (known->kind == LineKind::align) takes_data = data_fits();
      } else if (!takes_data || program.lines.pending_data) {
        return handled(*known, at, text);
      } else if ((end = number_line(program, to, *known, operand, newline))) {
        constexpr std::size_t enough = 4;  // to tell most others
        if (std::memcmp(p, end + 1, enough) == 0)
          end = number_lines(program, to, *known, p, operand, end, window_end);
      } else if (known->kind == LineKind::string) {
        if (!(end = string_line(*known, operand, newline))) return handled(*known, at, text);
      } else if (!(end = data_line(*known, operand, newline))) {
        return handled(*known, at, text);
      }
    } else if (program.chars.starts_comment(text)) {
      fetch_text_ahead(p);
      end = near_newline(p);
      if (!end) end = static_cast<const char*>(std::memchr(p, '\n', std::size_t(program.sources.current->end - p)));
      if (!end) break;
    } else if (u8((*text | 0x20) - 'a') <= 25) {
      if (*text == program.info.lines.branch_letter && (end = branch_line(text))) continue;
      end = instructions.line(text);
      if (!end) {
        at = p;
        return {unanswered()};
      }
      takes_data = data_fits();
    } else {
      break;
    }
  }
  const bool taken = p != at;
  at = p;
  return {taken ? Answer::taken : Answer::other};
}

/// A line that take_bytes takes. Where it ends; null: it is another one.
const char* LineCache::bytes_line(const char* text, bool takes_data, bool takes_code) {
  if (*text == '\n') return text;
  if (*text == '.') {
    const KnownDirective* const known = takes_data ? directives_.find(text) : nullptr;
    return known ? number_line(program(), *out_.current, *known, text + known->size + 1, near_newline(text)) : nullptr;
  }
  ExactLine line;
  const FinalBytes* const known = takes_code && line.read(text) ? instructions.find_exact(line) : nullptr;
  if (!known || known->block) return nullptr;
  out_.current->append(known->bytes, known->size);
  return text + line.size;
}

bool LineCache::take_bytes(const char* p, const char* end) {
  Subsection& to = *out_.current;
  if (out_.reserved.watching || out_.frame_synthesis || macros_.mri || program().lines.pending ||
      program().lines.pending_data || program().listing.on || program().encodings.on)
    return false;
  const u64 before = to.size;
  const bool takes_data = data_fits(), takes_code = instructions.knows_values();
  while (p < end) {
    const char* const line_end = bytes_line(skip_blanks(program().chars, p), takes_data, takes_code);
    if (!line_end) {
      to.size = before;
      return false;
    }
    p = line_end + 1;
  }
  return true;
}

/// The directive at `text`, the first thing in its line. `other` if it is not known by its spelling.
LineCache::Answer LineCache::directive_line(const char*& p, const char* text) {
  Spelling spelling;
  u32 size;
  KnownDirective* const known = directives_.entry(text, spelling, size);
  if (!known) return {Answer::other};
  if (known->spelling != spelling) {
    if (calls_.begins(text)) return {Answer::call};
    const Name name = scan_name(program().chars, text);
    const Directive* d = name.size == size ? find_directive(name, program().is_coff) : nullptr;
    if (!d) return {Answer::other};
    *known = {spelling, d, LineKind::other, u8(size), u8(d->arg)};
    classify(*known);
  }
  return handled(*known, p, text);
}

/// Whether its lines may be taken without its handler.
void LineCache::classify(KnownDirective& e) const {
  const DirectiveHandler handler = e.directive->handler;
  if (handler == directive_data || handler == directive_word || handler == directive_address) {
    e.kind = LineKind::data;
    if (handler != directive_data)
      e.arg = u8(handler == directive_word ? program().info.syntax.word_size : program().info.address_size);
  } else if (handler == directive_leb) {
    e.kind = LineKind::leb128;
  } else if (handler == directive_ascii && e.arg <= string_zero) {
    e.kind = LineKind::string;
  } else if (handler == directive_loc) {
    e.kind = LineKind::loc;
  } else if (handler == directive_cv_loc) {
    e.kind = LineKind::codeview_line;
  } else if (handler == directive_conditional) {
    e.kind = LineKind::conditional;
  } else if (handler == directive_align) {
    e.kind = LineKind::align;
  } else if (handler == directive_binding) {
    e.kind = LineKind::binding;
  } else if (handler == directive_cfi) {
    e.kind = LineKind::cfi;
  }
}

}  // namespace xas
