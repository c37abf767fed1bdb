// SPDX-License-Identifier: Apache-2.0
// xas/object.hpp's PC sections: entries are written at once; in `write` the tables join the groups of their code.
#include "fmt/format.h"
#include "objwriter/builder_impl.h"
#include "objwriter/coff_constants.h"
#include "objwriter/metadata/pc_section.h"

namespace xas::object {

using namespace elf;

namespace {

/// The relocation of a field that holds the distance to a place; 0 if the machine has none of this size.
u32 elf_distance(u16 machine, unsigned size) {
  switch (machine) {
    case EM_X86_64: return size == 4 ? 2 : 24;      // R_X86_64_PC32, R_X86_64_PC64
    case EM_AARCH64: return size == 4 ? 261 : 260;  // R_AARCH64_PREL32, R_AARCH64_PREL64
    case EM_386: return size == 4 ? 2 : 0;          // R_386_PC32
    case EM_ARM: return size == 4 ? 3 : 0;          // R_ARM_REL32
  }
  return 0;
}

u32 coff_distance(u16 machine) {  // IMAGE_REL_*_REL32
  switch (machine) {
    case coff::IMAGE_FILE_MACHINE_AMD64: return 4;
    case coff::IMAGE_FILE_MACHINE_I386: return 0x14;
    case coff::IMAGE_FILE_MACHINE_ARM64: return 0x11;
    case coff::IMAGE_FILE_MACHINE_ARMNT: return 0xA;
  }
  return 0;
}

}  // namespace

void Builder::pc_offset_size(unsigned bytes) {
  if (bytes != 4 && bytes != 8) return impl_->fail(fmt::format("an offset has 4 or 8 bytes, not {}", bytes));
  if (bytes == 8 && (impl_->format == Format::coff || !impl_->info.elf64))
    return impl_->fail("an offset of 8 bytes needs a 64-bit ELF target");
  impl_->pcs.offset_size = u8(bytes);
}

void Builder::tag_pc(Section code, u64 offset, std::span<const PcTag> tags) {
  for (const PcTag& tag : tags) impl_->tag(*this, {u32(code), offset}, tag);
}

void Builder::tag_range(Section code, u64 begin, u64 end, std::span<const PcTag> tags) {
  if (end < begin) return impl_->fail(fmt::format("the range ends before it begins, by {} bytes", begin - end));
  if (end - begin > ~u32(0)) return impl_->fail(fmt::format("a range of {} bytes; its size has 32 bits", end - begin));
  for (const PcTag& tag : tags) impl_->tag(*this, {u32(code), begin, end}, tag);
}

/// The table of this name for a section of code, made when it is first asked for.
Builder::Section Builder::Impl::pc_table(Builder& builder, u32 code, std::string_view name) {
  const auto [known, is_new] = pcs.tables.try_emplace({code, std::string(name)}, 0);
  if (is_new) {
    const Section made = builder.section(name, {.flags = SHF_WRITE | SHF_ALLOC});
    if (format == Format::elf) builder.link_order(made, Section(code));
    known->second = u32(made);
  }
  return Section(known->second);
}

void Builder::Impl::tag(Builder& builder, const PcTagged& place, const PcTag& tag) {
  if (!at(Section(place.code))) return;
  if (tag.section.empty()) return fail("a PC section has a name");
  for (const PcConstant& c : tag.constants) {
    if (c.size != 1 && c.size != 2 && c.size != 4 && c.size != 8)
      return fail(fmt::format("a constant of {} bytes; 1, 2, 4 and 8 are possible", c.size));
    if (std::string problem = pc_section::misfit(i64(c.value), c.size * 8u); !problem.empty())
      return fail(std::move(problem));
  }
  pcs.tagged.push_back(place);
  const Section table = pc_table(builder, place.code, tag.section);
  const Symbol start = builder.section_symbol(Section(place.code));
  SectionData& s = sections[u32(table)];
  const bool is_coff = format == Format::coff;
  const u32 type = is_coff ? coff_distance(info.machine) : elf_distance(info.machine, pcs.offset_size);
  s.relocs.push_back({s.bytes.size(), u32(start), type, i64(place.begin + (is_coff ? 4 : 0))});
  s.bytes.resize(s.bytes.size() + pcs.offset_size);
  if (place.end) pc_section::encode_range_size(s.bytes, u32(*place.end - place.begin), tag.compress, info.big_endian);
  for (const PcConstant& c : tag.constants)
    pc_section::encode_constant(s.bytes, {.low = c.value, .bits = c.size * 8u}, tag.compress, info.big_endian);
}

bool Builder::Impl::finish_pc_tables() {
  for (const PcTagged& place : pcs.tagged) {
    const SectionData& code = sections[place.code];
    if (place.end ? *place.end > code.size() : place.begin >= code.size()) {
      fail(fmt::format("a PC tag at {} in section {}, which has {} bytes", place.end.value_or(place.begin), code.name,
                       code.size()));
      return false;
    }
  }
  for (const auto& [key, table] : pcs.tables) {
    const u32 group = sections[key.first].group;
    if (group == obj::none) continue;
    sections[table].group = group;
  }
  return true;
}

}  // namespace xas::object
