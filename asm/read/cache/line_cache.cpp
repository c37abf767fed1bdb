// SPDX-License-Identifier: Apache-2.0
// The way into the line cache.
#include "asm/read/cache/line_cache.h"

#include "asm/text/scan.h"

namespace xas {

bool MacroCalls::finds(const char* text) {
  if (!macros_.enabled) return false;
  Name name{text, name_length(out_.program.chars, text), 0};
  if (!macros_.may_be(name)) return false;
  name.hash = hash_name_padded(name.p, name.size);
  call_ = {name, macros_.find(name, out_.program.profile.macro_names_fold_case)};
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
  if (const char* const end = instructions.line(text)) {
    p = end + 1;
    return {Answer::taken};
  }
  return {unanswered()};
}

}  // namespace xas
