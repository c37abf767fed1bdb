// SPDX-License-Identifier: Apache-2.0
// Known spellings (known_spelling.cpp): directives with operands of their own.
#include "asm/directives/codeview.h"
#include "asm/directives/debug.h"
#include "asm/directives/directives.h"
#include "asm/program/codeview_verbs.h"
#include "asm/program/symbol_verbs.h"
#include "asm/read/cache/line_cache.h"
#include "asm/read/cache/line_end.h"

namespace xas {

/// string { ',' string }
const char* LineCache::string_line(const KnownDirective& known, const char* operand, const char* newline) {
  Subsection& to = *out_.current;
  const u64 before = to.size;
  for (const char* q = operand; *q == '"'; q = skip_blanks(program().chars, q + 1)) {
    const char* const text = q + 1;
    q = end_of_plain_string(text);
    if (*q != '"') break;
    const u64 size = u64(q - text);
    u8* const at = to.reserve(size + 1);
    std::memcpy(at, text, size);
    at[size] = 0;
    to.size += size + (known.arg == string_zero);
    ++q;
    if (*q == ',') continue;
    if (const char* const end = line_end(program(), q, *q == '\n' ? q : newline)) return end;
    break;
  }
  to.size = before;
  return nullptr;
}

const char* LineCache::loc_line(const char* text, const char* operand, const char* newline) {
  LocDirective loc;
  const char* const end = line_end(program(), plain_loc(program(), operand, loc), newline);
  if (!end) return nullptr;
  program().sources.statement = text;
  record_loc(out_, loc, operand);
  return end;
}

/// function file line [ column ]
const char* LineCache::codeview_line(const char* text, const char* operand, const char* newline) {
  u32 function;
  CodeViewPlace place;
  const char* const end = line_end(program(), plain_codeview_line(program(), operand, function, place), newline);
  if (!end) return nullptr;
  program().sources.statement = text;
  if (std::string problem = add_codeview_line(out_, function, place, false); !problem.empty())
    out_.error(text, std::move(problem));
  return end;
}

/// [ register [ ',' number ] ] or number
const char* LineCache::cfi_line(const KnownDirective& known, const char* text, const char* newline) {
  const CfiDirective said = CfiDirective(known.arg);
  const CfiForm form = form_of(said);
  if (form > CfiForm::register_and_offset) return nullptr;
  const bool has_offset = form == CfiForm::offset || form == CfiForm::register_and_offset;
  const char* const operand = skip_blanks(program().chars, text + known.size);
  const char* q = operand;
  u64 reg = 0, offset = 0;
  if (form >= CfiForm::reg) {
    const char* behind = q;
    const int named = u8(*q - '0') > 9 ? program().target.dwarf_register(behind) : -1;
    if (named >= 0) {
      reg = u64(named);
      q = behind;
    } else if (!(q = plain_number(q, reg)) || reg > ~u32(0)) {
      return nullptr;
    }
    if (has_offset) {
      if (*q != ',') return nullptr;
      q = skip_blanks(program().chars, q + 1);
    }
  }
  if (has_offset) q = plain_number(q, offset);
  const char* const end = line_end(program(), q, newline);
  if (!end || !frame_open_in(program().cfi, out_.current->id)) return nullptr;
  CfiFrame* const frame = frame_for(out_, said);
  if (!frame) return nullptr;
  program().sources.statement = text;
  say_of_frame(out_, *frame, said, {.reg = u32(reg), .offset = i64(offset)}, operand);
  return end;
}

/// alignment [ ',,' number | ',' 0 ]; the second where what is filled is no code
const char* LineCache::align_line(const KnownDirective& known, const char* text, const char* newline) {
  const bool log2 = aligns_to_log2(known.arg, program().info);
  const bool is_code = out_.current_section().is_code();
  u64 n, max = 0;
  const char* q = plain_number(text + known.size + 1, n);
  if (!q || n == 0) return nullptr;
  if (*q == ',' && q[1] == ',') {
    q = plain_number(q + 2, max);
  } else if (*q == ',') {
    u64 fill;
    q = plain_number(skip_blanks(program().chars, q + 1), fill);
    if (!q || fill != 0 || is_code) return nullptr;
  }
  if (!(q = line_end(program(), q, newline))) return nullptr;
  const u64 exponent = log2 ? n : u64(std::countr_zero(n));
  constexpr u64 largest = 31;
  if (exponent > largest || (!log2 && !std::has_single_bit(n))) return nullptr;
  const unsigned fill_size = is_code ? 0 : align_fill_size(known.arg);
  program().sources.statement = text;
  out_.emit_align(unsigned(exponent), fill_size, 0, max, program().sources.statement_loc());
  return q;
}

/// name
const char* LineCache::binding_line(const KnownDirective& known, const char* text, const char* newline) {
  const char* const name = text + known.size + 1;
  if (!program().chars.is(*name, char_name_start) || *name == '.') return nullptr;
  const u32 size = name_length(program().chars, name);
  const char* const end = line_end(program(), name + size, newline);
  if (!end) return nullptr;
  const SymbolId id = program().symbols.intern(name, size);
  Symbol& s = program().symbols[id];
  if (s.loc == 0) s.loc = program().sources.loc_of(name);
  program().sources.statement = text;
  set_binding(out_, id, Binding(known.arg));
  return end;
}

}  // namespace xas
