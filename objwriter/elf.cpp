// SPDX-License-Identifier: Apache-2.0
// The ELF writer. It numbers all section headers, collects their names, gives every region of the file its offset, then
// allocates the file and writes the regions in the same order; `in_file_order` is that order, once for both.
//
// What is strange: the specification leaves the order of nearly everything open, the two reference assemblers have
// filled that in differently (ElfStyle), and both are matched to the byte:
//
//   GNU as    headers: groups, each section followed by its relocation section, .symtab, .symtab_shndx, .strtab,
//   .shstrtab
//             contents: groups, sections, .symtab, .symtab_shndx, .strtab, relocations, .shstrtab
//   llvm-mc   headers: .strtab, each section followed by its relocation section and, if it is the first of its group,
//             preceded by the group, .symtab, .symtab_shndx
//             contents: sections, groups, .symtab, .symtab_shndx, relocations, .strtab
//
// Indices that do not fit 16 bits: from SHN_LORESERVE (0xff00) on, a symbol's section is in .symtab_shndx, and the
// number of headers and the index of the section names' table are in the null header.
//
// Specification: System V gABI, chapter 4.
#include "objwriter/elf.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

#include "fmt/format.h"
#include "objwriter/crel.h"
#include "objwriter/elf_constants.h"
#include "objwriter/elf_format.h"

namespace xas::obj {

using namespace elf;

namespace {

constexpr u64 max_file_align = u64(1) << 31, usual_page = 4096;

constexpr u64 write_step = u64(64) << 10;  ///< bytes that a thread writes at a time

constexpr u64 align_up(u64 value, u64 align) { return (value + align - 1) & ~(align - 1); }

enum class RelocForm : u8 { rel, rela, crel };

/// The call graph profile's relocations only say which symbols are meant: llvm-mc makes them SHT_REL everywhere.
RelocForm reloc_form(const Object& object, const Section& section) {
  if (object.elf.crel) return RelocForm::crel;
  return object.rela && section.type != SHT_LLVM_CALL_GRAPH_PROFILE ? RelocForm::rela : RelocForm::rel;
}

std::string_view reloc_prefix(RelocForm form) {
  return form == RelocForm::crel ? ".crel" : form == RelocForm::rela ? ".rela" : ".rel";
}

u64 reloc_entsize(RelocForm form, bool wide) {
  if (form == RelocForm::crel) return 1;
  return (form == RelocForm::rela ? 3 : 2) * (wide ? 8 : 4);
}

u64 symbol_entsize(bool wide) { return wide ? 24 : 16; }

}  // namespace

// Section headers

void ElfWriter::number_group(u32 group) {
  if (group == none || groups_[group].index != 0) return;
  groups_[group].index = headers_++;
  group_order_.push_back(group);
}

/// Numbers all headers. No new sections after this.
void ElfWriter::number_headers() {
  const Object& o = *object_;
  sections_.assign(o.sections.size(), {});
  groups_.assign(o.groups.size(), {});
  group_order_.clear();
  symtab_header_ = shndx_header_ = strtab_header_ = shstrtab_header_ = {};
  headers_ = 1;

  if (style().one_string_table) strtab_header_.index = headers_++;
  if (style().groups_first)
    for (const Section& s : o.sections) number_group(s.group);
  bool relocs = false;
  for (u32 i = 0; i < o.sections.size(); ++i) {
    const Section& s = o.sections[i];
    if (s.omitted) continue;
    number_group(s.group);
    sections_[i].index = headers_++;
    if (!s.relocs.empty()) {
      ++headers_;
      relocs = true;
    }
    if (s.group != none) groups_[s.group].size += s.relocs.empty() ? 4 : 8;
  }
  for (u32 group : group_order_) groups_[group].size += 4;

  bool has_symtab = style().always_symtab || relocs || !o.symbols.empty();
  if (has_symtab) {
    symtab_header_.index = headers_++;
    symtab_header_.size = (o.symbols.size() + 1) * symbol_entsize(wide());
    if (needs_shndx()) {
      shndx_header_.index = headers_++;
      shndx_header_.size = (o.symbols.size() + 1) * 4;
    }
  }
  if (!style().one_string_table) {
    if (has_symtab) strtab_header_.index = headers_++;
    shstrtab_header_.index = headers_++;
  }
}

bool ElfWriter::needs_shndx() const {
  if (style().shndx_by_count) return headers_ >= SHN_LORESERVE - 1;  // GNU as has two more headers to come
  if (headers_ < SHN_LORESERVE) return false;
  return std::any_of(object_->symbols.begin(), object_->symbols.end(), [this](const Symbol& s) {
    return s.section < section_debug && header_of(s.section) >= SHN_LORESERVE;
  });
}

/// Header number of a symbol's section that is not special.
u32 ElfWriter::header_of(u32 section) const {
  return section < section_first_group ? sections_[section].index : groups_[section - section_first_group].index;
}

/// Puts all names into the string tables, in GNU as's order.
void ElfWriter::collect_names() {
  const Object& o = *object_;
  strtab_.clear();
  shstrtab_.clear();
  strtab_.reserve(o.symbols.size() + (style().one_string_table ? headers_ : 0));
  for (const Symbol& s : o.symbols) strtab_.add(s.name);

  StringTable& names = section_names();
  if (!style().one_string_table) names.reserve(headers_ + 3);
  if (symtab_header_.index) symtab_header_.name = names.add(".symtab");
  if (strtab_header_.index) strtab_header_.name = names.add(".strtab");
  if (shstrtab_header_.index) shstrtab_header_.name = names.add(".shstrtab");

  u64 bytes = 0;
  for (const Section& s : o.sections)
    if (!s.relocs.empty()) bytes += s.name.size() + 5;
  reloc_names_.clear();
  reloc_names_.reserve(bytes);
  for (u32 i = 0; i < o.sections.size(); ++i) {
    const Section& s = o.sections[i];
    if (s.omitted) continue;
    sections_[i].name = names.add(s.name);
    if (s.relocs.empty()) continue;
    std::size_t start = reloc_names_.size();
    reloc_names_ += reloc_prefix(reloc_form(o, s));
    reloc_names_ += s.name;
    names.add(std::string_view(reloc_names_).substr(start));
  }
  if (!group_order_.empty()) group_name_ = names.add(".group");
  if (shndx_header_.index) shndx_header_.name = names.add(".symtab_shndx");

  auto order = style().sorted_strings ? StringTable::Order::sorted : StringTable::Order::as_added;
  strtab_.finish(order);
  strtab_header_.size = strtab_.size();
  if (!style().one_string_table) {
    shstrtab_.finish(order);
    shstrtab_header_.size = shstrtab_.size();
  }
}

// Layout

/// Calls `visit(region, i)` for everything behind the ELF header.
template <typename Visit>
void ElfWriter::in_file_order(Visit visit) const {
  const u32 n = u32(object_->sections.size());
  if (style().groups_first)
    for (u32 group : group_order_) visit(Region::group, group);
  for (u32 i = 0; i < n; ++i)
    if (!object_->sections[i].after_relocs && !object_->sections[i].omitted) visit(Region::section, i);
  if (!style().groups_first)
    for (u32 group : group_order_) visit(Region::group, group);
  if (symtab_header_.index) visit(Region::symtab, 0);
  if (shndx_header_.index) visit(Region::shndx, 0);
  if (strtab_header_.index && style().relocs_after_strtab) visit(Region::strtab, 0);
  for (u32 i = 0; i < n; ++i)
    if (!object_->sections[i].relocs.empty()) visit(Region::relocs, i);
  for (u32 i = 0; i < n; ++i)
    if (object_->sections[i].after_relocs) visit(Region::section, i);
  if (strtab_header_.index && !style().relocs_after_strtab) visit(Region::strtab, 0);
  if (shstrtab_header_.index) visit(Region::shstrtab, 0);
  visit(Region::headers, 0);
}

ElfWriter::Extent ElfWriter::extent(Region region, u32 i) const {
  switch (region) {
    case Region::section: {
      const Section& s = object_->sections[i];
      // Files stay small where addresses are aligned to more than a file can be.
      const u64 align = s.align > max_file_align ? usual_page : std::max<u64>(s.align, 1);
      return {s.file_align ? s.file_align : align, s.type == SHT_NOBITS ? 0 : s.size};
    }
    case Region::relocs: return {style().crel ? 1 : word_size(), sections_[i].relocs_size};
    case Region::group: return {4, groups_[i].size};
    case Region::symtab: return {word_size(), symtab_header_.size};
    case Region::shndx: return {4, shndx_header_.size};
    case Region::strtab: return {1, strtab_header_.size};
    case Region::shstrtab: return {1, shstrtab_header_.size};
    case Region::headers:
      return {word_size(), u64(headers_) * (wide() ? sizeof(Elf64le::Shdr) : sizeof(Elf32le::Shdr))};
  }
  __builtin_unreachable();
}

u64& ElfWriter::offset(Region region, u32 i) {
  switch (region) {
    case Region::section: return sections_[i].offset;
    case Region::relocs: return sections_[i].relocs_offset;
    case Region::group: return groups_[i].offset;
    case Region::symtab: return symtab_header_.offset;
    case Region::shndx: return shndx_header_.offset;
    case Region::strtab: return strtab_header_.offset;
    case Region::shstrtab: return shstrtab_header_.offset;
    case Region::headers: return headers_offset_;
  }
  __builtin_unreachable();
}

/// Gives every region its offset. Sections without contents get one too, aligned, as both reference assemblers do.
std::optional<WriteError> ElfWriter::place() {
  for (u32 i = 0; i < sections_.size(); ++i) {
    const Section& s = object_->sections[i];
    const RelocForm form = reloc_form(*object_, s);
    if (s.relocs.empty()) continue;
    sections_[i].relocs_size = form == RelocForm::crel ? crel_size(s.relocs, wide())
                                                       : s.relocs.size() * reloc_entsize(form, wide());
  }

  constexpr u64 limit = u64(1) << 60;  // keeps the sums below from wrapping
  u64 position = wide() ? sizeof(Elf64le::Ehdr) : sizeof(Elf32le::Ehdr);
  bool too_big = false;
  in_file_order([&](Region region, u32 i) {
    Extent e = extent(region, i);
    if (position > limit || e.size > limit || e.align > limit) {
      too_big = true;
      return;
    }
    position = align_up(position, e.align);
    offset(region, i) = position;
    position += e.size;
  });
  if (too_big) return WriteError{"the object file would have more than 2^60 bytes"};
  if (strtab_.size() > ~u32(0) || shstrtab_.size() > ~u32(0))
    return WriteError{"the names have more than 4294967295 bytes, which is all that ELF string tables hold"};
  file_size_ = position;
  return wide() ? std::nullopt : check_elf32();
}

std::optional<WriteError> ElfWriter::check_elf32() const {
  constexpr u64 max = ~u32(0);
  for (const Section& s : object_->sections) {
    if (s.size > max && !s.omitted)
      return WriteError{fmt::format("section {} has {} bytes; sections of ELF32 files hold {}", s.name, s.size, max)};
    if (s.align > max)
      return WriteError{
          fmt::format("section {} is aligned to {} bytes; ELF32 files allow 2147483648", s.name, s.align)};
    if (object_->elf.crel) continue;
    for (const Reloc& r : s.relocs) {
      if (r.type > 0xff)
        return WriteError{
            fmt::format("section {} has a relocation of type {}; those of ELF32 files go up to 255", s.name, r.type)};
      if (r.symbol != none && r.symbol >= 0xffffff)
        return WriteError{
            fmt::format("section {} has a relocation against symbol number {}; those of ELF32 files go up "
                        "to 16777215",
                        s.name, u64(r.symbol) + 1)};
    }
  }
  if (file_size_ > max)
    return WriteError{fmt::format("the object file has {} bytes; ELF32 files hold {}", file_size_, max)};
  return std::nullopt;
}

// Writing

template <typename F>
void ElfWriter::write_file_header(u8* out) const {
  const Object& o = *object_;
  typename F::Ehdr h;
  std::memset(&h, 0, sizeof h);
  std::memcpy(h.e_ident, "\177ELF", 4);
  h.e_ident[4] = wide() ? ELFCLASS64 : ELFCLASS32;
  h.e_ident[5] = o.big_endian ? ELFDATA2MSB : ELFDATA2LSB;
  h.e_ident[6] = EV_CURRENT;
  h.e_ident[7] = o.os_abi;
  h.e_ident[8] = o.abi_version;
  h.e_type = ET_REL;
  h.e_machine = o.machine;
  h.e_version = EV_CURRENT;
  h.e_shoff = typename F::Native(headers_offset_);
  h.e_flags = o.flags;
  h.e_ehsize = sizeof(typename F::Ehdr);
  h.e_shentsize = sizeof(typename F::Shdr);
  h.e_shnum = headers_ < SHN_LORESERVE ? u16(headers_) : 0;
  u32 names = style().one_string_table ? strtab_header_.index : shstrtab_header_.index;
  h.e_shstrndx = names < SHN_LORESERVE ? u16(names) : u16(SHN_XINDEX);
  std::memcpy(out, &h, sizeof h);
}

template <typename F>
void ElfWriter::write_headers(u8* out) const {
  using Shdr = typename F::Shdr;
  using Native = typename F::Native;
  const Object& o = *object_;
  Shdr* headers = reinterpret_cast<Shdr*>(out);
  std::memset(headers, 0, sizeof(Shdr));
  if (headers_ >= SHN_LORESERVE) headers[0].sh_size = headers_;
  if (shstrtab_header_.index >= SHN_LORESERVE) headers[0].sh_link = shstrtab_header_.index;

  auto fill = [&](u32 index, u32 name, u32 type, u64 flags, u64 offset, u64 size, u32 link, u32 info, u64 align,
                  u64 entsize) {
    headers[index] = {.sh_name = section_names().offset(name), .sh_type = type, .sh_flags = Native(flags), .sh_addr = 0,
                      .sh_offset = Native(offset), .sh_size = Native(size), .sh_link = link, .sh_info = info,
                      .sh_addralign = Native(align), .sh_entsize = Native(entsize)};
  };
  const u32 symtab = symtab_header_.index;

  for (u32 i = 0; i < o.sections.size(); ++i) {
    const Section& s = o.sections[i];
    if (s.omitted) continue;
    const Placed& p = sections_[i];
    u64 entsize = s.entsize;
    if (entsize == 0 && style().array_entsize && s.type >= SHT_INIT_ARRAY && s.type <= SHT_PREINIT_ARRAY)
      entsize = word_size();
    u32 link = s.link_section != none ? sections_[s.link_section].index : s.link_to_symtab ? symtab : 0;
    u64 in_group = s.group != none ? u64(SHF_GROUP) : 0;
    const u32 info = s.info_section != none ? sections_[s.info_section].index : s.info;
    const u64 flags = s.flags | in_group | (s.info_section != none ? u64(SHF_INFO_LINK) : 0);
    fill(p.index, p.name, s.type, flags, p.offset, s.size, link, info, s.align, entsize);
    if (s.relocs.empty()) continue;
    const RelocForm form = reloc_form(o, s);
    const u32 type = form == RelocForm::crel ? SHT_CREL : form == RelocForm::rela ? SHT_RELA : SHT_REL;
    const u64 info_link = !in_group || style().info_link_in_groups ? u64(SHF_INFO_LINK) : 0;
    fill(p.index + 1, p.name + 1, type, info_link | in_group, p.relocs_offset, p.relocs_size, symtab, p.index,
         form == RelocForm::crel ? 1 : word_size(), reloc_entsize(form, wide()));
  }
  for (u32 g : group_order_)
    fill(groups_[g].index, group_name_, SHT_GROUP, 0, groups_[g].offset, groups_[g].size, symtab,
         o.groups[g].signature + 1, 4, 4);
  if (const Made& m = symtab_header_; m.index)
    fill(m.index, m.name, SHT_SYMTAB, 0, m.offset, m.size, strtab_header_.index, o.local_symbols + 1, word_size(),
         symbol_entsize(wide()));
  if (const Made& m = shndx_header_; m.index)
    fill(m.index, m.name, SHT_SYMTAB_SHNDX, 0, m.offset, m.size, symtab, 0, 4, 4);
  for (const Made& m : {strtab_header_, shstrtab_header_})
    if (m.index) fill(m.index, m.name, SHT_STRTAB, 0, m.offset, m.size, 0, 0, 1, 0);
}

template <typename F>
void ElfWriter::write_symbols(u8* out) const {
  using Sym = typename F::Sym;
  using Native = typename F::Native;
  Sym* to = reinterpret_cast<Sym*>(out);
  std::memset(to, 0, sizeof(Sym));
  u32 number = 0;
  for (const Symbol& s : object_->symbols) {
    ++to;
    to->st_name = strtab_.offset(number++);
    to->st_info = u8(s.binding << 4 | (s.type & 0xf));
    to->st_other = s.other;
    to->st_value = Native(s.value);
    to->st_size = Native(s.size);
    u32 shndx;
    switch (s.section) {
      case section_undefined: shndx = SHN_UNDEF; break;
      case section_absolute: shndx = SHN_ABS; break;
      case section_common: shndx = SHN_COMMON; break;
      case section_large_common: shndx = SHN_X86_64_LCOMMON; break;
      default: shndx = std::min<u32>(header_of(s.section), SHN_XINDEX);
        if (shndx >= SHN_LORESERVE) shndx = SHN_XINDEX;
    }
    to->st_shndx = u16(shndx);
  }
}

template <typename F>
void ElfWriter::write_shndx(u8* out) const {
  using Word = typename F::Word;
  Word* to = reinterpret_cast<Word*>(out);
  *to++ = 0;
  for (const Symbol& s : object_->symbols) {
    const u32 header = s.section < section_debug ? header_of(s.section) : 0;
    *to++ = header >= SHN_LORESERVE ? header : 0;
  }
}

template <typename F>
void ElfWriter::write_relocs(const Section& section, u8* out) const {
  using Native = typename F::Native;
  const RelocForm form = reloc_form(*object_, section);
  if (form == RelocForm::crel) return write_crel(section.relocs, F::is_64, out);
  if (form == RelocForm::rela) {
    auto* to = reinterpret_cast<typename F::Rela*>(out);
    for (const Reloc& r : section.relocs)
      *to++ = {.r_offset = Native(r.offset), .r_info = F::r_info(r.symbol + 1, r.type), .r_addend = Native(r.addend)};
  } else {
    auto* to = reinterpret_cast<typename F::Rel*>(out);
    for (const Reloc& r : section.relocs)
      *to++ = {.r_offset = Native(r.offset), .r_info = F::r_info(r.symbol + 1, r.type)};
  }
}

/// Contents of all groups: members are listed in the order of their headers.
template <typename F>
void ElfWriter::write_groups(u8* file) const {
  using Word = typename F::Word;
  if (group_order_.empty()) return;
  std::vector<Word*> next(groups_.size());
  for (u32 g : group_order_) {
    next[g] = reinterpret_cast<Word*>(file + groups_[g].offset);
    *next[g]++ = object_->groups[g].comdat ? u32(GRP_COMDAT) : 0;
  }
  for (u32 i = 0; i < sections_.size(); ++i) {
    const Section& s = object_->sections[i];
    if (s.group == none) continue;
    *next[s.group]++ = sections_[i].index;
    if (!s.relocs.empty()) *next[s.group]++ = sections_[i].index + 1;
  }
}

void write_contents(const Section& section, u8* out) {
  if (section.type == SHT_NOBITS || section.size == 0) return;
  const Contents& c = section.contents;
  if (c.write) c.write(c.producer, c.id, out);
  else if (c.data) std::memcpy(out, c.data, section.size);
  else std::memset(out, 0, section.size);
}

/// Gives where it ends.
template <typename F>
inline u64 ElfWriter::write_piece(Piece piece, u8* out) {
  const auto [region, i, from] = piece;
  const u64 start = offset(region, i);
  assert(start == align_up(from, extent(region, i).align));
  std::memset(out + from, 0, start - from);
  u8* to = out + start;
  switch (region) {
    case Region::section: write_contents(object_->sections[i], to); break;
    case Region::relocs: write_relocs<F>(object_->sections[i], to); break;
    case Region::group: break;  // all at once, in write_file
    case Region::symtab: write_symbols<F>(to); break;
    case Region::shndx: write_shndx<F>(to); break;
    case Region::strtab:
    case Region::shstrtab:
      *to = 0;
      (region == Region::strtab ? strtab_ : shstrtab_).write(to);
      break;
    case Region::headers: write_headers<F>(to); break;
  }
  return start + extent(region, i).size;
}

template <typename F>
void ElfWriter::write_file(u8* out) {
  write_file_header<F>(out);
  const u32 threads = object_->threads.count(file_size_, write_share);
  std::vector<Piece> pieces;
  std::vector<u32> steps;  // the first piece of each
  u64 position = sizeof(typename F::Ehdr), step_end = 0;
  in_file_order([&](Region region, u32 i) {
    const Piece piece{region, i, position};
    if (threads == 1) return void(position = write_piece<F>(piece, out));
    if (position >= step_end) {
      steps.push_back(u32(pieces.size()));
      step_end = position + write_step;
    }
    pieces.push_back(piece);
    position = offset(region, i) + extent(region, i).size;
  });
  assert(position == file_size_);
  in_threads(threads, u32(steps.size()), [&](u32 step) {
    const std::size_t end = step + 1 < steps.size() ? steps[step + 1] : pieces.size();
    for (std::size_t i = steps[step]; i < end; ++i) write_piece<F>(pieces[i], out);
  });
  write_groups<F>(out);
}

std::optional<WriteError> ElfWriter::write(const Object& object, OutputBuffer& out) {
  object_ = &object;
  number_headers();
  collect_names();
  if (auto error = place()) return error;
  // Every offset and size is final.
  if (!out.set_size(file_size_)) throw std::bad_alloc();
  if (object.elf64) object.big_endian ? write_file<Elf64be>(out.data()) : write_file<Elf64le>(out.data());
  else object.big_endian ? write_file<Elf32be>(out.data()) : write_file<Elf32le>(out.data());
  return std::nullopt;
}

std::optional<WriteError> write_elf(const Object& object, OutputBuffer& out) { return ElfWriter().write(object, out); }

}  // namespace xas::obj
