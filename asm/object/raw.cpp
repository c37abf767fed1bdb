// SPDX-License-Identifier: Apache-2.0
// -filetype=raw: an object's bytes without the object.
#include <fmt/format.h>

#include <cstring>
#include <new>

#include "asm/object/emit.h"
#include "objwriter/elf_constants.h"

namespace xas {

namespace {

/// No line of the text has asked for it.
bool is_added(const Program& program, const obj::Section& section) {
  return !program.is_coff && (section.type == elf::SHT_ARM_ATTRIBUTES || section.type == elf::SHT_AARCH64_ATTRIBUTES);
}

}  // namespace

bool write_raw(Program& program, const obj::Object& object, OutputBuffer& out) {
  const obj::Section* only = nullptr;
  const auto refuse = [&](std::string why) {
    program.diags.error(0, fmt::format("-filetype=raw takes a single section without relocations, but {}", why));
    return false;
  };
  for (const obj::Section& section : object.sections) {
    if (section.omitted || section.size == 0 || is_added(program, section)) continue;
    if (only) return refuse(fmt::format("{} and {} both have contents", only->name, section.name));
    only = &section;
  }
  if (!only) return out.set_size(0);
  if (!only->relocs.empty()) {
    return refuse(fmt::format("{} has {}, the first at offset {:#x}", only->name,
                              only->relocs.size() == 1 ? "one" : fmt::format("{} of them", only->relocs.size()),
                              only->relocs[0].offset));
  }
  const obj::Contents& contents = only->contents;
  if (!contents.data && !contents.write) return refuse(fmt::format("{} has no contents", only->name));
  if (!out.set_size(only->size)) throw std::bad_alloc();
  if (contents.data) {
    std::memcpy(out.data(), contents.data, only->size);
  } else {
    contents.write(contents.producer, contents.id, out.data());
  }
  return program.diags.errors() == 0;
}

}  // namespace xas
