// SPDX-License-Identifier: Apache-2.0
// What kind of file it is, and whose reader it gets.
#include "objwriter/read/object.h"

#include "objwriter/coff_constants.h"
#include "objwriter/coff_format.h"

namespace xas::read {
namespace {

bool starts_with(std::span<const u8> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

bool is_coff_machine(u64 machine) {
  switch (machine) {
    case coff::IMAGE_FILE_MACHINE_I386:
    case coff::IMAGE_FILE_MACHINE_ARMNT:
    case coff::IMAGE_FILE_MACHINE_AMD64:
    case coff::IMAGE_FILE_MACHINE_ARM64EC:
    case coff::IMAGE_FILE_MACHINE_ARM64: return true;
    default: return false;
  }
}

/// A header with the signature of files that are no regular objects: bigobj, or an import library's member.
FileKind anonymous_kind(const Bytes& bytes) {
  using namespace std::string_view_literals;
  constexpr u64 class_id = 12;
  if (bytes.size() >= sizeof(coff::BigObjHeader) && bytes.number(4, 2) >= 2 &&
      std::memcmp(bytes.data() + class_id, coff::bigobj_class_id, sizeof coff::bigobj_class_id) == 0) {
    return FileKind::bigobj;
  }
  return bytes.number(4, 2) == 0 ? FileKind::import_object : FileKind::unknown;
}

}  // namespace

FileKind identify(std::span<const u8> data) {
  using namespace std::string_view_literals;
  if (starts_with(data,
                  "\x7f"
                  "ELF"sv))
    return FileKind::elf;
  if (starts_with(data, "!<arch>\n"sv)) return FileKind::archive;
  if (starts_with(data, "!<thin>\n"sv)) return FileKind::thin_archive;
  if (starts_with(data, "BC\xc0\xde"sv)) return FileKind::bitcode;
  if (starts_with(data, "\xde\xc0\x17\x0b"sv)) return FileKind::bitcode_wrapper;
  const Bytes bytes(data, false);
  if (data.size() < sizeof(coff::Header)) return FileKind::unknown;
  if (bytes.number(0, 4) == 0xffff0000) return anonymous_kind(bytes);
  if (starts_with(data, "MZ"sv) && data.size() >= 64) {
    const u64 at = bytes.number(0x3c, 4);
    if (bytes.holds(at, 4) && bytes.number(at, 4) == 0x4550) return FileKind::pe;
  }
  return is_coff_machine(bytes.number(0, 2)) ? FileKind::coff : FileKind::unknown;
}

std::string_view kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::unknown: break;
    case FileKind::elf: return "an ELF file";
    case FileKind::coff: return "a COFF object";
    case FileKind::bigobj: return "a COFF object (bigobj)";
    case FileKind::pe: return "a PE image";
    case FileKind::import_object: return "a member of an import library";
    case FileKind::archive: return "an archive";
    case FileKind::thin_archive: return "a thin archive";
    case FileKind::bitcode: return "LLVM bitcode";
    case FileKind::bitcode_wrapper: return "wrapped LLVM bitcode";
  }
  return "a file of unknown kind";
}

bool read_object(std::span<const u8> bytes, Object& object, Error& error) {
  object = {};
  object.kind = identify(bytes);
  object.bytes_ = Bytes(bytes, false);
  switch (object.kind) {
    case FileKind::elf: return object.read_elf(error);
    case FileKind::coff:
    case FileKind::bigobj:
    case FileKind::pe: return object.read_coff(error);
    default: return fail(error, 0, "not an object: it is " + std::string(kind_name(object.kind)));
  }
}

bool Object::relocations(const Section& section, std::vector<Reloc>& relocs, Error& error) const {
  if (is_coff()) return coff_relocations(section, relocs, error);
  for (u32 i = section.first_relocations; i != 0; i = sections[i].next_relocations) {
    if (!relocation_section(sections[i], relocs, error)) return false;
  }
  return true;
}

}  // namespace xas::read
