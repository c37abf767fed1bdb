// SPDX-License-Identifier: Apache-2.0
// The way into the line cache, and what it learns from.
#include "asm/read/cache/line_cache.h"

#include "asm/text/scan.h"

namespace xas {

bool LineCache::finds_macro(const char* text) {
  if (!macros_.enabled) return false;
  Name name{text, name_length(program().chars, text), 0};
  if (!macros_.may_be(name)) return false;
  name.hash = hash_name_padded(name.p, name.size);
  call_ = {name, macros_.find(name, program().profile.macro_names_fold_case)};
  return call_.macro != nullptr;
}

/// One line, which may be of any kind.
LineCache::Answer LineCache::take_line(const char*& p, bool takes_directives) {
  const char* text = p;
  while (*text == ' ' || *text == '\t') ++text;
  if (*text == '.') return takes_directives ? directive_line(p, text) : Answer{Answer::other};
  if (program().chars.starts_comment(text)) {
    // One that does not start its line can't be a line marker.
    const char* const next = text == p ? nullptr : next_line(program().chars, text, program().sources.current->end);
    if (!next) return {Answer::other};
    p = next;
    return {Answer::taken};
  }
  if (u8((*text | 0x20) - 'a') > 25) return {Answer::other};
  if (const char* const end = instruction_line(text)) {
    p = end + 1;
    return {Answer::taken};
  }
  return {unanswered()};
}

bool LineCache::is_repeatable() const {
  const Subsection& s = *out_.current;
  return unknown_.mapped && &s == unknown_.where && s.size - unknown_.size <= FinalBytes::max_bytes && s.data &&
         program().diags.list().size() == unknown_.messages &&
         program().lines.rows.size() <= unknown_.rows + 1 &&  // a prefix may have had one of its own
         program().target.is_context_free() &&
         !program().encodings.on &&                  // each is to be seen
         !program().info.syntax.labels_begin_lines;  // where a line begins says what it is
}

void LineCache::learn(const char* p, ReadCounts before, ReadCounts after) {
  const Subsection& s = *out_.current;
  const Unknown& line = unknown_;
  // Nothing but one instruction, all of it in the place where it began, of which nothing was said.
  const char* const next = line.is_short ? line.text + line.exact.size + 1 : line.end() + 1;
  if (after.instructions != before.instructions + 1 || program().sources.statement != line.text || p != next) return;
  if (!is_repeatable()) return;
  // Final bytes, whatever names mean. Where line tables want pieces, the shape tells whether it is one.
  const u32 meanings = after.meanings - before.meanings;
  const bool may_be_piece = program().lines.wants_pieces && program().info.code.branches_settle;
  if (line.is_short && meanings == 0 && !may_be_piece && s.size > line.size && s.fragments.size() == line.fragments &&
      s.fixups.size() == line.fixups)
    learn_exact_line(line.size);
  // Nothing but the name that was taken out may mean something.
  switch (line.shaped) {
    case Shaped::no: break;
    case Shaped::bytes:
      if (meanings == !line.shape.name.empty()) learn_shape(line.shape);
      break;
    case Shaped::words:
      if (meanings == !line.word_shape.name.empty()) learn_shape(line.word_shape);
      break;
  }
}

}  // namespace xas
