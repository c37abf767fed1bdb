// SPDX-License-Identifier: Apache-2.0
// Stabs (.stabs and its like, .func), and .gnu_attribute. asm/program/stab_lines.cpp writes the records.
#include "asm/directives/directives.h"
#include "asm/program/attribute_verbs.h"
#include "asm/program/stab_lines.h"
#include "asm/read/parse.h"

namespace xas {

/// .stabs "text",type,other,description,value    .stabn type,other,description,value    .stabd type,other,description
/// .xstabs "section","text",type,other,description,value
void directive_stab(Reader& reader, u32 kind) {
  std::string section = ".stab", text;
  if (kind == stab_in_section) {
    section.clear();
    if (!parse_string(reader, section) || !expect_comma(reader, "the section's name")) return;
    if (section.empty()) return reader.error("the section's name is empty");
  }
  if (kind == stab_in_section || kind == stab_string) {
    if (!parse_string(reader, text) || !expect_comma(reader, "the string")) return;
  }
  const SourceLoc loc = reader.program().sources.statement_loc();
  i64 type, other, description;
  if (!parse_absolute(reader, type, "the type") || !expect_comma(reader, "the type")) return;
  if (!parse_absolute(reader, other, "the second number") || !expect_comma(reader, "the second number")) return;
  if (!parse_absolute(reader, description, "the description")) return;
  Value value{.add = dot_symbol};
  if (kind != stab_here && (!expect_comma(reader, "the description") || !reader.expression_value(value))) return;
  if (kind == stab_here) reader.out.pin_dot(value);  // in the value of others, `.` is the place of its field
  if (reader.program().listing.on) [[unlikely]] {
    constexpr i64 n_sline = 68, n_so = 100, n_sol = 132;
    if (type == n_sline) reader.program().listing.source({}, u32(description));
    if ((type == n_so || type == n_sol) && kind == stab_string) reader.program().listing.source_file(text);
  }
  put_stab(reader.out, section, text, {u8(type), u8(other), u16(description)}, value, loc);
}

/// .func name [, label]; .endfunc: only the assembler's own stabs (--gstabs) tell of it.
void directive_func(Reader& reader, u32 ends) {
  StabLines& lines = reader.program().stab_lines;
  if (ends) return lines.end_function(reader.out);
  Name name;
  if (at_end_of_statement(reader) || !parse_name(reader, name, "the function's name")) return;
  Name label = name;
  if (accept_comma(reader) && !parse_name(reader, label, "the label where the function starts")) return;
  lines.begin_function(reader.out, name, label);
}

/// .gnu_attribute tag, value: a number where the tag is even, a string where it is odd; 32 has both.
void directive_gnu_attribute(Reader& reader, u32) {
  constexpr i64 compatibility = 32;
  i64 tag;
  const char* const where = reader.p;
  if (!reader.absolute(tag, "the attribute's tag") || !expect_comma(reader, "the tag")) return;
  if (tag < 0 || tag > ~u32(0)) return reader.error(where, "an attribute's tag has 32 bits");
  GnuAttribute value;
  if (tag == compatibility || tag % 2 == 0) {
    i64 number;
    if (!reader.absolute(number, "the attribute's value")) return;
    value.number = u64(number);
    if (tag == compatibility && !expect_comma(reader, "the number")) return;
  }
  if (tag == compatibility || tag % 2 != 0) {
    if (!parse_string(reader, value.text)) return;
  }
  set_gnu_attribute(reader.out, u32(tag), std::move(value));
}

}  // namespace xas
