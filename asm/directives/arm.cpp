// SPDX-License-Identifier: Apache-2.0
// Directives of ARM that make or mark symbols and sections.
#include "asm/directives/arm.h"

#include <fmt/format.h>

#include <span>
#include <utility>

#include "asm/directives/directives.h"
#include "asm/program/thumb_labels.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"
#include "targets/arm/arm.h"
#include "targets/nearest_name.h"

namespace xas {

namespace {

/// .thumb_set alias, symbol: as .set, and the alias is a function in Thumb code.
void thumb_set(Reader& reader) {
  const SourceLoc loc = reader.here();
  SymbolId id;
  if (!parse_symbol(reader, id, "symbol name") || !expect_comma(reader, "the symbol")) return;
  assign_from_text(reader, id, loc, true);
  if (!reader.program().is_coff) mark_thumb_alias(reader.program(), id);
}

/// .rel31 bit, expression: a word with that highest bit, and the distance to the expression in the others.
void rel31(Reader& reader) {
  i64 bit;
  const char* where = reader.p;
  if (!reader.absolute(bit, "the highest bit")) return;
  if (bit != 0 && bit != 1) return reader.error(where, "the highest bit is 0 or 1");
  if (!expect_comma(reader, "the bit")) return;
  const SourceLoc loc = reader.here();
  Value to;
  if (!reader.expression(reader.p, to)) return;
  reader.out.pin_dot(to);
  reader.out.emit_int(u64(bit) << 31, 4);
  reader.out.add_fixup(u32(reader.out.current->size) - 4, arm::fixup_prel31, to, loc);
}

/// .eabi_attribute tag, value
void eabi_attribute(Reader& reader) {
  skip_blanks(reader);
  const auto is_missing = [&reader] { return *reader.p == ',' || at_end(reader); };
  if (is_missing()) return reader.expected("an attribute's tag");
  i64 tag;
  const char* where = reader.p;
  if (std::string_view(reader.p, 4) == "Tag_") {
    const std::string_view name(reader.p + 4, name_length(reader.p + 4));
    tag = arm::attribute_tag(name);
    if (tag < 0) return reader.error(where, fmt::format("unknown attribute 'Tag_{}'", name));
    reader.p += 4 + name.size();
  } else if (!reader.absolute(tag, "the attribute's tag")) {
    return;
  }
  if (tag < 0 || tag > i64(~u32(0))) return reader.error(where, fmt::format("{} is no tag", tag));
  if (!expect_comma(reader, "the tag")) return;
  skip_blanks(reader);
  i64 number = 0;
  std::string text;
  const bool has_text = arm::attribute_has_text(u32(tag));
  if (arm::attribute_has_number(u32(tag))) {
    if (is_missing()) return reader.expected("the attribute's value");
    if (!reader.absolute(number, "the attribute's value")) return;
    if (has_text && !expect_comma(reader, "the number")) return;
  }
  if (has_text && !parse_string(reader, text)) return;
  reader.program().target.set_attribute(u32(tag), u64(number), text);
}

// Directives of Code Composer Studio's syntax.

/// .def name, ...: it is defined here, for others.
void def(Reader& reader) { directive_binding(reader, u32(Binding::global)); }

/// .ref name, ...: it is defined elsewhere, as all is that is defined nowhere.
void ref(Reader& reader) { reader.skip_statement(); }

/// .asmfunc and .endasmfunc, between which a function is.
void asmfunc(Reader& reader) {
  if (std::exchange(reader.in_asm_function, true)) reader.error(".asmfunc within a function; .endasmfunc ends it");
}

void endasmfunc(Reader& reader) {
  if (!std::exchange(reader.in_asm_function, false)) reader.error(".endasmfunc without a .asmfunc");
}

void extended(Reader& reader) { directive_float(reader, float_10); }

struct ArmDirective {
  std::string_view name;
  void (*handler)(Reader&);
};

constexpr ArmDirective arm_directives[] = {{".thumb_set", thumb_set},
                                           {".rel31", rel31},
                                           {".extend", extended},
                                           {".ldouble", extended},
                                           {".eabi_attribute", eabi_attribute}};

constexpr ArmDirective composer_directives[] = {
    {".def", def}, {".ref", ref}, {".asmfunc", asmfunc}, {".endasmfunc", endasmfunc}};

bool handled(std::span<const ArmDirective> directives, Reader& reader, std::string_view name) {
  for (const ArmDirective& d : directives) {
    if (!text::equals_ignoring_case(name, d.name)) continue;
    d.handler(reader);
    return true;
  }
  return false;
}

}  // namespace

bool arm_directive(Reader& reader, std::string_view name) {
  if (handled(arm_directives, reader, name)) return true;
  if (reader.program().info.syntax.labels_begin_lines && handled(composer_directives, reader, name)) return true;
  return ehabi_directive(reader, name);
}

void offer_arm_directives(NearestName& nearest) {
  for (const ArmDirective& d : arm_directives) nearest.offer(d.name);
  offer_ehabi_directives(nearest);
}

}  // namespace xas
