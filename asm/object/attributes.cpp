// SPDX-License-Identifier: Apache-2.0
// Sections of attributes: of the architecture (.ARM.attributes), of .gnu_attribute, AArch64's of .aeabi_subsection, and
// those of --generate-missing-build-notes.
//
// Sources: "Addenda to, and Errata in, the ABI for the Arm Architecture", 3; "Build Attributes for the Arm 64-bit
// Architecture", 5.
#include <utility>

#include "asm/object/made_sections.h"
#include "asm/program/section_writer.h"
#include "asm/program/streamer.h"
#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

namespace {

/// The attributes of one vendor in the current section, all for the whole file.
void emit_vendor_attributes(Streamer& out, std::string_view vendor, std::string_view body) {
  constexpr u64 length = 4, tag_file = 1;
  out.emit_int(length + vendor.size() + 1 + 1 + length + body.size(), length);
  out.emit_bytes(vendor.data(), vendor.size());
  out.emit_int(0, 1);
  out.emit_int(tag_file, 1);
  out.emit_int(1 + length + body.size(), length);
  out.emit_bytes(body.data(), body.size());
}

/// What .gnu_attribute collected, as sections of attributes hold it.
std::string gnu_attributes(const Program& program) {
  std::string body;
  for (const auto& [tag, value] : program.records.gnu_attributes) {
    if (value.number == 0 && value.text.empty()) continue;
    append_uleb128(body, tag);
    if (tag == 32 || tag % 2 == 0) append_uleb128(body, value.number);
    if (tag == 32 || tag % 2 != 0) body.append(value.text).push_back('\0');
  }
  return body;
}

}  // namespace

void make_attributes_section(Streamer& out) {
  const TargetInfo& info = out.program.info;
  if (info.elf.attributes_section.empty()) return;
  const Profile& profile = out.program.profile;
  const std::string body = out.program.target.attributes({.of_used = profile.arm_attributes_of_used,
                                                          .omit_zero = profile.arm_attributes_omit_zero,
                                                          .nodefaults_first = profile.arm_nodefaults_first});
  const std::string gnu = gnu_attributes(out.program);
  if (body.empty() && gnu.empty()) return;
  Section& s = out.program.sections.create(out.program.symbols.keep(info.elf.attributes_section));
  s.type = info.elf.attributes_type;
  s.flags = 0;
  Subsection* const before = out.current;
  const Mapping mapping = std::exchange(out.mapping, Mapping::off);
  out.current = &out.program.sections.sub(s.default_subsection);
  out.emit_int('A', 1);
  if (!body.empty()) emit_vendor_attributes(out, info.elf.attributes_vendor, body);
  if (!gnu.empty()) emit_vendor_attributes(out, "gnu", gnu);
  out.current = before;
  out.mapping = mapping;
}

/// Where the architecture's attributes have a section, these are in it; on AArch64 the section is called like ARM's.
void make_gnu_attributes(Streamer& out) {
  if (!out.program.info.elf.attributes_section.empty()) return;
  const std::string body = gnu_attributes(out.program);
  if (body.empty()) return;
  Section& s = out.program.section_named(out.program.info.elf.machine == elf::EM_AARCH64 ? ".ARM.attributes"
                                                                                         : ".gnu.attributes");
  s.type = elf::SHT_GNU_ATTRIBUTES;
  Subsection* const before = out.current;
  out.current = &out.program.sections.sub(s.default_subsection);
  out.emit_int('A', 1);
  emit_vendor_attributes(out, "gnu", body);
  out.current = before;
}

void make_build_attributes(Program& program) {
  if (program.records.build_attributes.subsections.empty()) return;
  Section& section = program.section_named(".ARM.attributes");
  section.type = elf::SHT_AARCH64_ATTRIBUTES;
  std::string all = "A";
  for (const BuildAttributes::Subsection& s : program.records.build_attributes.subsections) {
    std::string body = s.name;
    body.push_back('\0');
    body.push_back(s.optional ? 1 : 0);
    body.push_back(s.strings ? 1 : 0);
    for (const BuildAttributes::Attribute& attribute : s.attributes) {
      append_uleb128(body, attribute.tag);
      if (s.strings) body.append(attribute.text).push_back('\0');
      else
        append_uleb128(body, attribute.number);
    }
    append_int(all, 4 + body.size(), 4, program.info.big_endian);
    all += body;
  }
  SectionWriter(program, section).put_bytes(all);
}

/// --generate-missing-build-notes: for each code section that the linker keeps, a note that it was made by an
/// assembler, unless the text has notes. A note's name is "GA$", the kind "version" and the format 3, written by a1;
/// its contents are where the section starts and ends.
void make_build_notes(Program& program) {
  if (!program.options.build_notes) return;
  Section& notes = program.section_named(".gnu.build.attributes");
  if (program.sections.sub(notes.default_subsection).size != 0) return;
  notes.type = elf::SHT_NOTE;
  notes.log2_align = 2;
  SectionWriter w(program, notes);
  constexpr std::string_view name{"GA$\1" "3a1\0", 8};
  constexpr u32 note_of_region = 0x100;
  const TargetOptions& target = program.options.target;
  const unsigned word = target.bits == 64 && (program.info.elf.is_64 || target.x32) ? 8 : 4;
  for (u32 i = 0; i < program.sections.size(); ++i) {
    Section& s = program.sections[i];
    if (!s.is_code() || s.absolute || s.comdat || s.name.starts_with(".gnu.linkonce")) continue;
    w.put4(name.size());
    w.put4(2 * word);
    w.put4(note_of_region);
    w.put_bytes(name);
    w.put_reference(word, s, 0);
    w.put_reference(word, s, s.size);
  }
}

}  // namespace xas
