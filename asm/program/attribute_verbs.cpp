// SPDX-License-Identifier: Apache-2.0
#include "asm/program/attribute_verbs.h"

#include <algorithm>

namespace xas {

void set_gnu_attribute(Streamer& out, u32 tag, GnuAttribute value) {
  out.program.records.gnu_attributes[tag] = std::move(value);
}

const BuildAttributes::Subsection* find_attributes(const Streamer& out, std::string_view name) {
  for (const BuildAttributes::Subsection& s : out.program.records.build_attributes.subsections)
    if (s.name == name) return &s;
  return nullptr;
}

void choose_attributes(Streamer& out, std::string_view name, bool optional, bool strings) {
  BuildAttributes& all = out.program.records.build_attributes;
  if (const BuildAttributes::Subsection* known = find_attributes(out, name)) {
    all.active = std::size_t(known - all.subsections.data());
    return;
  }
  all.active = all.subsections.size();
  all.subsections.push_back({std::string(name), optional, strings, {}});
}

const BuildAttributes::Subsection* active_attributes(const Streamer& out) {
  const BuildAttributes& all = out.program.records.build_attributes;
  return all.subsections.empty() ? nullptr : &all.subsections[all.active];
}

bool add_attribute(Streamer& out, BuildAttributes::Attribute attribute) {
  BuildAttributes& all = out.program.records.build_attributes;
  std::vector<BuildAttributes::Attribute>& known = all.subsections[all.active].attributes;
  const auto same = [&](const BuildAttributes::Attribute& other) { return other.tag == attribute.tag; };
  const auto old = std::find_if(known.begin(), known.end(), same);
  if (old == known.end()) {
    known.push_back(std::move(attribute));
    return true;
  }
  if (out.program.profile.attributes_are_final) return old->number == attribute.number && old->text == attribute.text;
  *old = std::move(attribute);
  return true;
}

}  // namespace xas
