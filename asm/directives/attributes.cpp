// SPDX-License-Identifier: Apache-2.0
// Build attributes of AArch64: .aeabi_subsection and .aeabi_attribute, collected while the text is read and written
// into .ARM.attributes at its end (asm/object/attributes.cpp).
//
// What is strange: the first value of a tag counts, and strings are stored with their quotes, as they are written; both
// are LLVM's (GNU as 2.40 has none of it). "Build Attributes for the Arm 64-bit Architecture", 5.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "asm/directives/directives.h"
#include "asm/program/attribute_verbs.h"
#include "asm/read/parse.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// What the architecture's own subsections must be, and their tags by name.
struct KnownSubsection {
  std::string_view name;
  bool optional;
  std::string_view tags[3];  ///< "" has no name
  u64 last_value;
};
constexpr KnownSubsection known_subsections[] = {
    {"aeabi_feature_and_bits", true, {"Tag_Feature_BTI", "Tag_Feature_PAC", "Tag_Feature_GCS"}, 1},
    {"aeabi_pauthabi", false, {"", "Tag_PAuth_Platform", "Tag_PAuth_Schema"}, ~u64(0)},
};

const KnownSubsection* known_subsection(std::string_view name) {
  for (const KnownSubsection& k : known_subsections)
    if (k.name == name) return &k;
  return nullptr;
}

bool available(Streamer& out) {
  if (out.program.info.elf.machine == elf::EM_AARCH64) return true;
  out.error(out.program.sources.statement, "AArch64's build attributes are for AArch64 only");
  return false;
}

/// A word among `names`; -1 after an error.
int choice(Reader& reader, std::string_view what, std::initializer_list<std::string_view> names) {
  const char* const where = reader.p;
  Name n;
  if (!parse_name(reader, n, what)) return -1;
  const auto* found = std::find(names.begin(), names.end(), n.text());
  if (found != names.end()) return int(found - names.begin());
  reader.error(where, fmt::format("{} must be {}", what, fmt::join(names, " or ")));
  return -1;
}

/// The number of a tag, given as such or by its name in the subsection `s`.
bool parse_tag(Reader& reader, const BuildAttributes::Subsection& s, u64& tag) {
  const char* const where = reader.p;
  if (reader.program().chars.is(*reader.p, char_name_start)) {
    Name n;
    if (!parse_name(reader, n, "a tag")) return false;
    if (const KnownSubsection* k = known_subsection(s.name)) {
      for (tag = 0; tag < std::size(k->tags); ++tag)
        if (k->tags[tag] == n.text()) return true;
    }
    return reader.error(where, fmt::format("subsection '{}' has no tag '{}'", s.name, n.text())), false;
  }
  i64 number;
  if (!reader.absolute(number, "the tag")) return false;
  if (number < 0) return reader.error(where, "a tag must not be negative"), false;
  tag = u64(number);
  return true;
}

/// A string with its quotes, or a word.
bool parse_text(Reader& reader, std::string& text) {
  const char* q = reader.p;
  if (*q == '"') {
    for (++q; *q != '"' && *q != '\n' && *q != '\0'; ++q)
      if (*q == '\\' && q[1] != '\n') ++q;
    if (*q != '"') return reader.error_here("the string is not closed"), false;
    ++q;
  } else if (reader.program().chars.is(*q, char_name_start)) {
    q += name_length(q);
  }
  if (q == reader.p) return reader.error_here("this subsection's attributes are strings (ntbs)"), false;
  text.assign(reader.p, q);
  reader.p = q;
  return true;
}

/// Of a number both assemblers keep 32 bits.
bool parse_number(Reader& reader, const BuildAttributes::Subsection& s, u64& value) {
  const char* const where = reader.p;
  if (*reader.p == '"') return reader.error_here("this subsection's attributes are numbers (uleb128)"), false;
  i64 number;
  if (!reader.absolute(number, "the attribute's value")) return false;
  value = u64(number);
  const KnownSubsection* k = known_subsection(s.name);
  if (number < 0 || (k && value > k->last_value)) {
    return reader.error(where, k && k->last_value == 1 ? "the value must be 0 or 1" : "the value must not be negative"),
           false;
  }
  if (value > ~u32(0)) {
    value = u32(value);
    reader.warning(where, fmt::format("{} is cut to 32 bits: {}", number, value));
  }
  return true;
}

}  // namespace

/// .aeabi_subsection name [, required | optional, uleb128 | ntbs]
void directive_aeabi_subsection(Reader& reader, u32) {
  if (!available(reader.out)) return;
  const char* const where = reader.p;
  Name n;
  if (!parse_name(reader, n, "the subsection's name")) return;
  const BuildAttributes::Subsection* const found = find_attributes(reader.out, n.text());
  if (at_end_of_statement(reader)) {
    if (!found) return reader.error(where, fmt::format("there is no subsection '{}' yet", n.text()));
    return choose_attributes(reader.out, n.text(), found->optional, found->strings);
  }
  if (!expect_comma(reader, "the subsection's name")) return;
  const char* const optional_at = reader.p;
  const int optional = choice(reader, "the optionality", {"required", "optional"});
  if (optional < 0 || !expect_comma(reader, "the optionality")) return;
  const char* const type_at = reader.p;
  const int type = choice(reader, "the type", {"uleb128", "ULEB128", "ntbs", "NTBS"});
  if (type < 0) return;
  const bool strings = type >= 2;
  if (const KnownSubsection* k = known_subsection(n.text())) {
    if (k->optional != bool(optional)) {
      return reader.error(optional_at, fmt::format("{} must be {}", k->name, k->optional ? "optional" : "required"));
    }
    if (strings) return reader.error(type_at, fmt::format("{} must be uleb128", k->name));
  }
  if (found && found->optional != bool(optional)) {
    return reader.error(optional_at,
                    fmt::format("subsection '{}' is {} already", n.text(), found->optional ? "optional" : "required"));
  }
  if (found && found->strings != strings) {
    return reader.error(type_at,
                    fmt::format("subsection '{}' is of {} already", n.text(), found->strings ? "ntbs" : "uleb128"));
  }
  choose_attributes(reader.out, n.text(), optional, strings);
}

/// .aeabi_attribute tag, value
void directive_aeabi_attribute(Reader& reader, u32) {
  if (!available(reader.out)) return;
  skip_blanks(reader);
  const BuildAttributes::Subsection* const active = active_attributes(reader.out);
  if (!active) return reader.error_here("an attribute must stand behind an .aeabi_subsection");
  BuildAttributes::Attribute attribute;
  if (!parse_tag(reader, *active, attribute.tag) || !expect_comma(reader, "the tag")) return;
  if (active->strings ? !parse_text(reader, attribute.text) : !parse_number(reader, *active, attribute.number)) return;
  const u64 tag = attribute.tag;
  if (!add_attribute(reader.out, std::move(attribute)))
    reader.error(fmt::format("attribute {} has another value already", tag));
}

}  // namespace xas
