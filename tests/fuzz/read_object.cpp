// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: the reader of objects, images and archives. It must not crash, read beyond the end, or take more
// time than the input's size allows; an error must have a place in the file, and everything that was read must be
// inside of it.
#include <cstdint>
#include <cstdlib>

#include "objwriter/elf_constants.h"
#include "objwriter/read/archive.h"
#include "objwriter/read/object.h"

using namespace xas;
using namespace xas::read;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

bool inside(std::span<const u8> whole, const void* part, std::size_t size) {
  const auto* begin = static_cast<const u8*>(part);
  return size == 0 || (begin >= whole.data() && begin + size <= whole.data() + whole.size());
}

void check_error(std::span<const u8> bytes, const Error& error) {
  require(!error.message.empty() && error.offset <= bytes.size());
}

void read_file(std::span<const u8> bytes) {
  Object object;
  Error error;
  if (!read_object(bytes, object, error)) return check_error(bytes, error);
  for (const Section& section : object.sections) {
    require(inside(bytes, section.name.data(), section.name.size()));
    require(inside(bytes, section.data.data(), section.data.size()));
    std::vector<Reloc> relocs;
    if (!object.relocations(section, relocs, error)) check_error(bytes, error);
    const bool dynamic = section.type == elf::SHT_RELA || section.type == elf::SHT_REL;
    if (object.is_elf() && dynamic && !object.relocation_section(section, relocs, error)) check_error(bytes, error);
  }
  for (const auto* table : {&object.symbols, &object.dynamic_symbols}) {
    for (u32 i = 0; i < table->size(); ++i) {
      const Symbol& symbol = (*table)[i];
      require(inside(bytes, symbol.name.data(), symbol.name.size()));
      require(symbol.special || symbol.section == 0 || object.section(symbol.section));
      if (object.is_coff() && !symbol.auxiliary) {
        const auto aux = object.auxiliary(i);
        require(inside(bytes, aux.data(), aux.size()));
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const u8> bytes(data, size);
  const FileKind kind = identify(bytes);
  if (kind != FileKind::archive && kind != FileKind::thin_archive) {
    read_file(bytes);
    return 0;
  }
  std::vector<Member> members;
  Error error;
  if (!read_archive(bytes, members, error)) check_error(bytes, error);
  for (const Member& member : members) {
    require(inside(bytes, member.name.data(), member.name.size()));
    require(inside(bytes, member.data.data(), member.data.size()));
    read_file(member.data);
  }
  return 0;
}
