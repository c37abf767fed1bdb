// SPDX-License-Identifier: Apache-2.0
// rewrite gnu|llvm IN OUT: reads the ELF object IN, hands what it contains to the ELF writer, and writes OUT. If IN was
// made by the reference assembler of that style, OUT must be the same file, byte for byte.
#include <cstring>
#include <string>
#include <vector>

#include "objwriter/elf.h"
#include "objwriter/elf_constants.h"
#include "objwriter/elf_format.h"
#include "tests/object/rewrite_files.h"

using namespace xas;
using namespace xas::elf;

namespace {

/// What an obj::Object only borrows.
struct Parsed {
  obj::Object object;
  std::vector<std::vector<obj::Reloc>> relocs;
};

u64 uleb(const u8*& p) {
  u64 value = 0;
  for (unsigned shift = 0;; shift += 7) {
    value |= u64(*p & 0x7f) << shift;
    if (!(*p++ & 0x80)) return value;
  }
}

i64 sleb(const u8*& p) {
  u64 value = 0;
  for (unsigned shift = 0;;) {
    u8 byte = *p++;
    value |= u64(byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    return i64(shift < 64 && byte & 0x40 ? value | ~u64(0) << shift : value);
  }
}

template <typename F>
void parse_crel(const u8* p, std::vector<obj::Reloc>& relocs) {
  u64 header = uleb(p);
  obj::Reloc r{0, 0, 0, 0};
  for (u64 i = 0; i < header / 8; ++i) {
    u8 b = *p++;
    u64 delta = b >> 3 & 0xf;
    if (b & 0x80) delta |= uleb(p) << 4;
    r.offset += delta << (header & 3);
    if (b & 1) r.symbol += u32(sleb(p));
    if (b & 2) r.type += u32(sleb(p));
    if (b & 4) r.addend += sleb(p);
    relocs.push_back(r);
    --relocs.back().symbol;
  }
}

template <typename F>
void parse_relocs(const u8* file, const typename F::Shdr& h, std::vector<obj::Reloc>& relocs) {
  const u8* p = file + h.sh_offset;
  if (h.sh_type == SHT_CREL) return parse_crel<F>(p, relocs);
  const std::size_t entsize = h.sh_entsize;
  for (u64 at = 0; at < h.sh_size; at += entsize) {
    typename F::Rela r;
    std::memset(&r, 0, sizeof r);
    std::memcpy(&r, p + at, entsize);
    u64 info = r.r_info;
    u32 symbol = F::is_64 ? u32(info >> 32) : u32(info >> 8);
    u32 type = F::is_64 ? u32(info) : u32(info & 0xff);
    relocs.push_back({r.r_offset, symbol - 1, type, i64(u64(r.r_addend))});
  }
}

template <typename F>
void parse(const std::vector<u8>& file, Parsed& parsed) {
  obj::Object& o = parsed.object;
  typename F::Ehdr e;
  std::memcpy(&e, file.data(), sizeof e);
  const auto* headers = reinterpret_cast<const typename F::Shdr*>(file.data() + e.e_shoff);
  const u32 n = e.e_shnum ? u32(e.e_shnum) : u32(headers[0].sh_size);
  const u32 names = e.e_shstrndx == SHN_XINDEX ? u32(headers[0].sh_link) : u32(e.e_shstrndx);
  auto text = [&](u32 strtab, u32 at) {
    return std::string_view(reinterpret_cast<const char*>(file.data() + headers[strtab].sh_offset + at));
  };
  o.elf64 = F::is_64;
  o.machine = e.e_machine;
  o.flags = e.e_flags;
  o.os_abi = e.e_ident[7];
  o.abi_version = e.e_ident[8];

  // Headers to sections and groups
  std::vector<u32> section_of(n, obj::none), group_of(n, obj::none);
  u32 symtab = 0, shndx = 0;
  for (u32 i = 1; i < n; ++i) {
    const auto& h = headers[i];
    switch (u32(h.sh_type)) {
      case SHT_SYMTAB: symtab = i; break;
      case SHT_SYMTAB_SHNDX: shndx = i; break;
      case SHT_REL:
      case SHT_CREL: o.rela = false; break;
      case SHT_RELA: break;
      case SHT_GROUP: {
        const auto* words = reinterpret_cast<const typename F::Word*>(file.data() + h.sh_offset);
        group_of[i] = u32(o.groups.size());
        o.groups.push_back({h.sh_info - 1, words[0] == GRP_COMDAT});
        break;
      }
      case SHT_STRTAB:
        if (i == names || (symtab && i == headers[symtab].sh_link)) break;
        [[fallthrough]];
      default: section_of[i] = u32(o.sections.size()); o.sections.push_back({});
    }
  }
  for (u32 i = 1; i < n; ++i)
    if (headers[i].sh_type == SHT_RELA) o.rela = true;
  parsed.relocs.resize(o.sections.size());
  for (u32 i = 1; i < n; ++i) {
    const auto& h = headers[i];
    if (h.sh_type == SHT_REL || h.sh_type == SHT_RELA || h.sh_type == SHT_CREL) {
      auto& relocs = parsed.relocs[section_of[h.sh_info]];
      parse_relocs<F>(file.data(), h, relocs);
      o.sections[section_of[h.sh_info]].relocs = relocs;
      if (h.sh_type == SHT_CREL) o.elf.crel = true;
    }
    if (h.sh_type == SHT_GROUP) {
      const auto* words = reinterpret_cast<const typename F::Word*>(file.data() + h.sh_offset);
      for (u32 k = 1; k < h.sh_size / 4; ++k)
        if (section_of[words[k]] != obj::none) o.sections[section_of[words[k]]].group = group_of[i];
    }
    if (section_of[i] == obj::none) continue;
    obj::Section& s = o.sections[section_of[i]];
    s.name = text(names, h.sh_name);
    s.type = h.sh_type;
    s.flags = h.sh_flags;
    s.size = h.sh_size;
    s.align = h.sh_addralign;
    s.entsize = h.sh_entsize;
    if (h.sh_flags & SHF_COMPRESSED && o.elf.one_string_table) s.file_align = 1;
    if (h.sh_link != 0 && h.sh_link == symtab) s.link_to_symtab = true;
    else if (h.sh_link != 0) s.link_section = section_of[h.sh_link];
    s.after_relocs = h.sh_type == SHT_LLVM_ADDRSIG && symtab && h.sh_offset > headers[symtab].sh_offset;
    s.info = h.sh_info;
    s.contents.data = file.data() + h.sh_offset;
  }
  if (symtab == 0) {
    o.elf.always_symtab = false;
    return;
  }

  const auto& h = headers[symtab];
  const auto* symbols = reinterpret_cast<const typename F::Sym*>(file.data() + h.sh_offset);
  const auto* large = reinterpret_cast<const typename F::Word*>(file.data() + headers[shndx].sh_offset);
  o.local_symbols = h.sh_info - 1;
  for (u32 i = 1; i < h.sh_size / sizeof(typename F::Sym); ++i) {
    const auto& from = symbols[i];
    obj::Symbol s{text(h.sh_link, from.st_name), from.st_value, from.st_size, 0, u8(from.st_info >> 4),
                  u8(from.st_info & 15), from.st_other};
    const u32 at = from.st_shndx == SHN_XINDEX ? u32(large[i]) : u32(from.st_shndx);
    if (from.st_shndx == SHN_UNDEF) s.section = obj::section_undefined;
    else if (from.st_shndx == SHN_ABS) s.section = obj::section_absolute;
    else if (from.st_shndx == SHN_COMMON) s.section = obj::section_common;
    else if (from.st_shndx == SHN_X86_64_LCOMMON) s.section = obj::section_large_common;
    else if (group_of[at] != obj::none) s.section = obj::section_first_group + group_of[at];
    else s.section = section_of[at];
    o.symbols.push_back(s);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) fail("usage: rewrite gnu|llvm IN OUT");
  const std::vector<u8> file = read_file(argv[2]);
  if (file.size() < 52) fail("not an object");
  Parsed parsed;
  parsed.object.elf = std::strcmp(argv[1], "llvm") == 0 ? obj::llvm_elf_style : obj::gnu_elf_style;
  parsed.object.big_endian = file[5] == ELFDATA2MSB;
  if (file[4] == ELFCLASS64) parsed.object.big_endian ? parse<Elf64be>(file, parsed) : parse<Elf64le>(file, parsed);
  else parsed.object.big_endian ? parse<Elf32be>(file, parsed) : parse<Elf32le>(file, parsed);
  OutputBuffer out;
  if (auto error = obj::write_elf(parsed.object, out)) fail(error->message);
  write_file(argv[3], out);
}
