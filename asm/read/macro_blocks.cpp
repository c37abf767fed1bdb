// SPDX-License-Identifier: Apache-2.0
// Blocks: the lines between .macro and .endm, or .rept and .endr. They are found, and not read; other blocks may stand
// in them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "asm/read/macro.h"
#include "asm/read/parse.h"
#include "targets/text.h"

namespace xas {

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
    if (text::equals_ignoring_case(name, ".macro")) return 1;
    return text::equals_ignoring_case(name, ".endm") || text::equals_ignoring_case(name, ".endmacro") ? -1 : 0;
  }
  if (text::equals_ignoring_case(name, ".endr")) return -1;
  return std::any_of(std::begin(loop_openers), std::end(loop_openers),
                     [&](auto o) { return text::equals_ignoring_case(name, o); });
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

}  // namespace xas
