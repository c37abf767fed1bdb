// Plain lines: those that most of compiler output consists of, read as a whole. Each is one of
//
//   .LVL120:                             a label with .L, first thing in its line
//   <tab>.long 0x1f  .quad .LC1          one number, numbered label, or difference of two, in any directive that
//   <tab>.uleb128 .LVL2-.LVL1            makes integers of a fixed size or LEB128 numbers
//   <tab>.loc 1 12 3 is_stmt 0 view .LVU7
//   <tab>jne .L12                        a branch that may grow, to a numbered label
//   <tab>addq $8, %rsp                   any other instruction (repeated.cpp)
//
// and its newline, or a comment that runs up to it. What a line means, and what it costs when it is read in the usual
// way, is in statement.cpp and directives/; nothing here is more than a shorter way to the same calls. A line that is
// not quite so is left alone, for the usual way.
#include "asm/assembler.h"
#include "asm/directives/debug.h"
#include "asm/leb128.h"

namespace xas {

/// label := numbered name; its symbol, or the number that it stands for and no_symbol.
inline const char* Assembler::plain_label(const char* q, SymbolId& id, u64& number) {
  u32 size;
  id = symbols.intern_numbered(q, size);
  if (id == no_symbol) return nullptr;
  Symbol& s = symbols[id];
  if (s.kind > SymbolKind::absolute) return nullptr;
  s.flags |= symbol_referenced;
  if (s.loc == 0) s.loc = loc_of(q);
  number = 0;
  if (s.kind == SymbolKind::absolute) {
    number = s.value;
    id = no_symbol;
  }
  return q + size;
}

/// Where the line at p ends, if that is near; else null. The next line is found by this and not by reading this one up
/// to its end, because then the processor can begin with the next before it is through with this.
inline const char* near_newline(const char* p) {
#if defined(__SSE2__)
  constexpr int near = 64;  // what can be read behind the text, at the least
  for (int i = 0; i < near; i += 32) {
    const auto newlines = [](const char* at) {
      const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      return u32(_mm_movemask_epi8(_mm_cmpeq_epi8(c, _mm_set1_epi8('\n'))));
    };
    if (const u32 found = newlines(p + i) | newlines(p + i + 16) << 16) return p + i + std::countr_zero(found);
  }
#endif
  return nullptr;
}

inline const char* Assembler::plain_line_end(const char* q, const char* newline) const {
  if (!q || q == newline) return q;
  q = skip_blanks(chars, q);
  if (q == newline) return q;
  if (!chars.starts_comment(q)) return nullptr;
  return newline ? newline : static_cast<const char*>(std::memchr(q, '\n', std::size_t(source->end - q)));
}

/// A number in bytes, and nothing else: most of the data. False, with nothing done, if it is something else.
[[gnu::always_inline]] inline bool Assembler::plain_number_line(const KnownDirective& known, const char* operand,
                                                                const char* newline) {
  u64 number;
  if (known.plain != PlainDirective::data) return false;
  const char* const end = plain_line_end(plain_number(operand, number), newline);
  if (!end || (known.arg < 8 && number >> (8 * known.arg))) return false;
  std::memcpy(current->reserve(8), &number, 8);
  current->size += known.arg;
  p = end + 1;
  return true;
}

bool Assembler::plain_loc_line(const char* text, const char* operand, const char* newline) {
  LocDirective loc;
  const char* const end = plain_line_end(plain_loc(*this, operand, loc), newline);
  if (!end) return false;
  statement_start = text;
  record_loc(*this, loc, operand);
  p = end + 1;
  return true;
}

/// operand := number | label [ '-' label ]
/// What it comes to stays in registers: a Value would be put together in memory, and copied before it is there.
inline bool Assembler::plain_data_line(const KnownDirective& known, const char* operand, const char* newline) {
  u64 constant = 0;
  SymbolId add = no_symbol, sub = no_symbol;
  const char* q;
  if (*operand == '.') {
    q = plain_label(operand, add, constant);
    if (q && *q == '-') {
      u64 number;
      q = plain_label(q + 1, sub, number);
      if (!q || info.arm_labels) return false;
      constant -= number;
      if (add != no_symbol && sub != no_symbol) {
        const Symbol& plus = symbols[add];
        const Symbol& minus = symbols[sub];
        const bool labels = plus.kind == SymbolKind::label && minus.kind == SymbolKind::label;
        if (add == sub || (labels && plus.where == minus.where && plus.flex == minus.flex)) {
          constant += plus.value - minus.value;
          add = sub = no_symbol;
        }
      }
    }
  } else {
    q = plain_number(operand, constant);
  }
  const char* const end = plain_line_end(q, newline);
  if (!end) return false;
  const bool is_constant = (add & sub) == no_symbol;
  if (known.plain == PlainDirective::leb128) {
    if (is_constant) {
      u8* const at = current->reserve(max_leb128_size);
      current->size += known.arg ? write_sleb128(at, i64(constant)) : write_uleb128(at, constant);
    } else {
      Flex& f = add_flex(FlexKind::leb, loc_of(operand));
      f.constant = i64(constant);
      f.add = add;
      f.sub = sub;
      f.state = known.arg;
    }
  } else if (is_constant) {
    if (known.arg < 8 && constant >> (8 * known.arg)) return false;
    std::memcpy(current->reserve(8), &constant, 8);
    current->size += known.arg;
  } else {
    emit_labels(add, sub, i64(constant), known.arg, loc_of(operand));
  }
  p = end + 1;
  return true;
}

/// Branches of x86, which are one in five of its instructions.
inline bool Assembler::plain_branch_line(const char* text) {
  const KnownBranch* const known = known_branches_.find(text);
  if (!known || known->generation != templates.generation()) return false;
  const char* const operand = text + known->size + 1;
  SymbolId id;
  u64 number;
  const char* const end = plain_label(operand, id, number);
  if (!end || id == no_symbol || *end != '\n' || current->nobits || bundles.log2) return false;
  statement_start = text;
  if (lines.pending) lines.before_instruction(*this);
  current_section().has_instructions = true;
  if (!symbols[id].is_defined()) {
    if (info.branches_list_labels && symbols[id].loc != loc_of(operand)) note_temporary(id);
    Flex& f = add_flex(FlexKind::insn, loc_of(operand));
    f.form = known->form;
    f.add = id;
  } else {
    Value value;
    value.add = id;
    relaxable(known->form, value, operand);
  }
  p = end + 1;
  return true;
}

const KnownDirective* Assembler::plain_lines() {
  if (macros.any() || listing.on) return nullptr;  // which want to see every line
  bool takes_data = plain_data_fits();  // .loc is the only directive here that may change this
  for (;;) {
    if (*p == '.' && p[1] == 'L') {
      u32 size;
      SymbolId id = symbols.intern_numbered(p, size);
      if (id == no_symbol) size = name_length(chars, p);
      if (p[size] != ':') return nullptr;
      const char* const end = plain_line_end(p + size + 1, near_newline(p));
      if (!end) return nullptr;
      if (id == no_symbol) id = symbols.intern(p, size);
      statement_start = p;
      define_label(id, source->loc(p));
      p = end + 1;
    } else if (*p == '\t' && p[1] == '.') {
      const char* const text = p + 1;
      const KnownDirective* const known = known_directives_.find(text);
      if (!known || known->plain == PlainDirective::other) return known;
      const char* const operand = text + known->size + 1;
      fetch_text_ahead(text);
      const char* const newline = near_newline(text);
      if (known->plain == PlainDirective::loc) {
        if (!plain_loc_line(text, operand, newline)) return known;
      } else if (!takes_data || lines.pending_data) {
        return known;
      } else if (plain_number_line(*known, operand, newline)) {
        if (p >= source->window_end) return nullptr;  // nothing else goes on for longer than a window
      } else if (!plain_data_line(*known, operand, newline)) {
        return known;
      }
    } else if (*p == '\t' && chars.starts_comment(p + 1)) {
      fetch_text_ahead(p);
      const char* const newline = near_newline(p);
      const char* const end =
          newline ? newline : static_cast<const char*>(std::memchr(p, '\n', std::size_t(source->end - p)));
      if (!end) return nullptr;
      p = end + 1;
    } else if (*p == '\t' && u8((p[1] | 0x20) - 'a') <= 25) {
      if (p[1] == 'j' && plain_branch_line(p + 1)) continue;
      if (!repeated_instruction(p + 1) || !at_line_start) return nullptr;
      takes_data = plain_data_fits();
    } else {
      return nullptr;
    }
  }
}

}  // namespace xas
