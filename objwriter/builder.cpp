// SPDX-License-Identifier: Apache-2.0
// xas/object.hpp: collects what an object is to contain, checks it, and hands it to the writer of its format (ELF's
// model is made here, COFF's in builder_coff.cpp).
//
// What the writer wants and callers of the interface do not care for happens in `write`: local symbols first, symbols
// numbered anew, relocations by offset, addends in the fields where the format has no place for them, unused undefined
// symbols dropped.
#include <algorithm>
#include <bit>
#include <optional>

#include "fmt/format.h"
#include "objwriter/builder_impl.h"
#include "objwriter/endian.h"

namespace xas::object {

using namespace elf;

MachineInfo elf_machine(Machine machine) {
  switch (machine) {
    case Machine::x86_64: return {EM_X86_64, true, false, true, 0, 8, 1};                  // R_X86_64_64
    case Machine::x32: return {EM_X86_64, false, false, true, 0, 4, 10};                   // R_X86_64_32
    case Machine::i386: return {EM_386, false, false, false, 0, 4, 1};                     // R_386_32
    case Machine::aarch64: return {EM_AARCH64, true, false, true, 0, 8, 257};              // R_AARCH64_ABS64
    case Machine::aarch64_be: return {EM_AARCH64, true, true, true, 0, 8, 257};
    case Machine::arm: return {EM_ARM, false, false, false, EF_ARM_EABI_VER5, 4, 2};       // R_ARM_ABS32
    case Machine::arm_be: return {EM_ARM, false, true, false, EF_ARM_EABI_VER5, 4, 2};
  }
  return {};
}

unsigned elf_plain_field(u16 machine, u32 type) {
  if (machine == EM_386) {
    switch (type) {
      case 20: case 21: return 2;  // R_386_16, R_386_PC16
      case 22: case 23: return 1;  // R_386_8, R_386_PC8
      default: return 4;
    }
  }
  switch (type) {
    case 2: case 3: case 24: case 25: case 26: case 38: case 96: return 4;  // R_ARM_ABS32, REL32, GOTOFF32, ...
    case 5: return 2;                                                      // R_ARM_ABS16
    case 8: return 1;                                                      // R_ARM_ABS8
    default: return 0;
  }
}

Builder::Builder(Machine machine, Format format) : impl_(std::make_unique<Impl>()) { impl_->start(machine, format); }
Builder::~Builder() = default;
Builder::Builder(Builder&&) noexcept = default;
Builder& Builder::operator=(Builder&&) noexcept = default;

void Builder::reset(Machine machine, Format format) { impl_->start(machine, format); }

void Builder::Impl::start(Machine for_machine, Format for_format) {
  machine = for_machine;
  format = for_format;
  info = format == Format::coff ? coff_machine(machine) : elf_machine(machine);
  sections.clear();
  symbols.clear();
  groups.clear();
  by_name.clear();
  stack_maps = {};
  pcs = {};
  mark_stack = true;
  compact_relocations = big_object = false;
  error.clear();
  if (info.machine == 0) fail("there are no COFF objects for this machine");
}

// Sections

Builder::Section Builder::section(std::string_view name, const SectionOptions& options) {
  SectionData s;
  if (impl_->good_name(name)) s.name = name;
  s.options = options;
  if (!std::has_single_bit(options.align)) {
    impl_->fail(
        fmt::format("section {} can't be aligned to {} bytes; powers of two are possible", name, options.align));
    s.options.align = 1;
  }
  switch (options.type) {
    case SHT_NULL: case SHT_SYMTAB: case SHT_RELA: case SHT_REL: case SHT_GROUP: case SHT_SYMTAB_SHNDX: case SHT_CREL:
      impl_->fail(fmt::format("section {} has type {}, of which the builder makes the sections", name, options.type));
  }
  impl_->sections.push_back(std::move(s));
  return Section(impl_->sections.size() - 1);
}

void Builder::append(Section section, std::span<const u8> bytes) {
  if (SectionData* s = impl_->with_bytes(section)) s->bytes.insert(s->bytes.end(), bytes.begin(), bytes.end());
}

void Builder::append(Section section, std::string_view text) {
  append(section, std::span(reinterpret_cast<const u8*>(text.data()), text.size()));
}

void Builder::integer(Section section, u64 value, unsigned size) {
  if (size < 1 || size > 8) return impl_->fail(fmt::format("an integer of {} bytes; 1 to 8 are possible", size));
  u8 bytes[8];
  store_int(bytes, value, size, impl_->info.big_endian);
  append(section, std::span(bytes, size));
}

void Builder::zeros(Section section, u64 count) {
  SectionData* s = impl_->at(section);
  if (!s) return;
  constexpr u64 limit = u64(1) << 40;
  if (count > limit || s->size() > limit)
    return impl_->fail(fmt::format("section {} would have more than {} bytes", s->name, limit));
  if (s->nobits()) s->zeros += count;
  else s->bytes.resize(s->bytes.size() + count);
}

void Builder::align(Section section, u64 align, u8 fill) {
  SectionData* s = impl_->at(section);
  if (!s) return;
  if (!std::has_single_bit(align) || align > u64(1) << 31)
    return impl_->fail(fmt::format(
        "section {} can't be aligned to {} bytes; powers of two up to 2147483648 are possible", s->name, align));
  s->options.align = std::max(s->options.align, align);
  const u64 padded = (s->size() + align - 1) & ~(align - 1);
  if (s->nobits()) s->zeros = padded;
  else s->bytes.resize(padded, fill);
}

void Builder::patch(Section section, u64 offset, std::span<const u8> bytes) {
  SectionData* s = impl_->with_bytes(section);
  if (!s) return;
  if (offset > s->bytes.size() || bytes.size() > s->bytes.size() - offset)
    return impl_->fail(fmt::format("a patch of {} bytes at {} in section {}, which has {} bytes", bytes.size(), offset,
                                   s->name, s->bytes.size()));
  std::copy(bytes.begin(), bytes.end(), s->bytes.begin() + std::ptrdiff_t(offset));
}

u64 Builder::size(Section section) const {
  SectionData* s = impl_->at(section);
  return s ? s->size() : 0;
}

void Builder::link_order(Section section, Section other) {
  SectionData* s = impl_->at(section);
  if (!s || !impl_->at(other)) return;
  s->link = u32(other);
  s->options.flags |= SHF_LINK_ORDER;
}

void Builder::link_to_symbols(Section section) {
  SectionData* s = impl_->at(section);
  if (!s) return;
  if (impl_->format == Format::coff) return impl_->fail("COFF has no sections that name symbols by their numbers");
  s->link_to_symbols = true;
}

// Symbols

u32 Builder::Impl::new_symbol(std::string_view name, u8 binding) {
  SymbolData s;
  if (good_name(name)) s.name = name;
  s.symbol.binding = binding;
  symbols.push_back(std::move(s));
  return u32(symbols.size() - 1);
}

Builder::Symbol Builder::symbol(std::string_view name, Binding binding) {
  if (name.empty()) impl_->fail("a symbol without a name");
  if (binding == Binding::local) return Symbol(impl_->new_symbol(name, STB_LOCAL));
  const u8 stb = binding == Binding::weak ? STB_WEAK : binding == Binding::unique ? STB_GNU_UNIQUE : STB_GLOBAL;
  auto [it, added] = impl_->by_name.try_emplace(std::string(name), u32(impl_->symbols.size()));
  if (added) return Symbol(impl_->new_symbol(name, stb));
  u8& had = impl_->symbols[it->second].symbol.binding;
  if (had == STB_GLOBAL) had = stb;
  else if (stb != STB_GLOBAL && stb != had) impl_->fail(fmt::format("symbol {} can't be both weak and unique", name));
  return Symbol(it->second);
}

void Builder::Impl::define(Symbol symbol, u32 section, u64 value) {
  SymbolData* s = at(symbol);
  if (!s) return;
  if (s->symbol.section != obj::section_undefined || s->symbol.type == STT_SECTION)
    return fail(fmt::format("symbol {} is defined twice", s->name));
  s->symbol.section = section;
  s->symbol.value = value;
}

void Builder::define(Symbol symbol, Section section, u64 offset) {
  if (impl_->at(section)) impl_->define(symbol, u32(section), offset);
}

void Builder::define(Symbol symbol, Section section) {
  if (SectionData* s = impl_->at(section)) impl_->define(symbol, u32(section), s->size());
}

void Builder::define_absolute(Symbol symbol, u64 value) { impl_->define(symbol, obj::section_absolute, value); }

void Builder::define_common(Symbol symbol, u64 size, u64 align) {
  SymbolData* s = impl_->at(symbol);
  if (!s) return;
  if (s->symbol.binding == STB_LOCAL) return impl_->fail(fmt::format("common symbol {} is local", s->name));
  if (!std::has_single_bit(align))
    return impl_->fail(fmt::format("common symbol {} can't be aligned to {} bytes", s->name, align));
  impl_->define(symbol, obj::section_common, align);
  s->symbol.size = size;
  s->symbol.type = STT_OBJECT;
}

void Builder::set_type(Symbol symbol, SymbolType type) {
  constexpr u8 types[] = {STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_TLS, STT_GNU_IFUNC};
  if (u8(type) >= std::size(types)) return impl_->fail(fmt::format("{} is no type of a symbol", u8(type)));
  if (SymbolData* s = impl_->settable(symbol)) s->symbol.type = types[u8(type)];
}

void Builder::set_size(Symbol symbol, u64 size) {
  if (SymbolData* s = impl_->settable(symbol)) s->symbol.size = size;
}

void Builder::set_visibility(Symbol symbol, Visibility visibility) {
  if (u8(visibility) > 3) return impl_->fail(fmt::format("{} is no visibility of a symbol", u8(visibility)));
  if (SymbolData* s = impl_->settable(symbol)) s->symbol.other = u8((s->symbol.other & ~3) | u8(visibility));
}

Builder::Symbol Builder::section_symbol(Section section) {
  SectionData* s = impl_->at(section);
  if (!s) return Symbol(obj::none);
  if (s->symbol == obj::none) {
    s->symbol = impl_->new_symbol("", STB_LOCAL);
    impl_->symbols[s->symbol].symbol.section = u32(section);
    impl_->symbols[s->symbol].symbol.type = STT_SECTION;
  }
  return Symbol(s->symbol);
}

void Builder::file(std::string_view name) {
  obj::Symbol& s = impl_->symbols[impl_->new_symbol(name, STB_LOCAL)].symbol;
  s.section = obj::section_absolute;
  s.type = STT_FILE;
}

// Relocations and groups

void Builder::relocate(Section section, u64 offset, u32 type, Symbol symbol, i64 addend) {
  SectionData* s = impl_->with_bytes(section);
  if (!s || !impl_->at(symbol)) return;
  if (!has_relocation(impl_->format, impl_->info.machine, type))
    return impl_->fail(fmt::format("section {} would have a relocation of type {}, which the machine does not have",
                                   s->name, type));
  s->relocs.push_back({offset, u32(symbol), type, addend});
}

void Builder::pointer(Section section, Symbol symbol, i64 addend) {
  const u64 offset = size(section);
  integer(section, 0, impl_->info.pointer_size);
  relocate(section, offset, impl_->info.pointer, symbol, addend);
}

Builder::Group Builder::group(Symbol signature, bool comdat) {
  if (impl_->at(signature)) impl_->groups.push_back({u32(signature), comdat});
  return Group(impl_->groups.size() - 1);
}

void Builder::add_to_group(Group group, Section section) {
  SectionData* s = impl_->at(section);
  if (!s) return;
  if (u32(group) >= impl_->groups.size()) return impl_->fail(fmt::format("there is no group {}", u32(group)));
  if (s->group != obj::none) return impl_->fail(fmt::format("section {} is put into a group twice", s->name));
  s->group = u32(group);
}

// The result

void Builder::mark_stack_not_executable(bool mark) { impl_->mark_stack = mark; }

void Builder::compact_relocations(bool on) {
  if (on && impl_->format == Format::coff) return impl_->fail("COFF has no compact relocations");
  impl_->compact_relocations = on;
}

void Builder::big_object(bool on) {
  if (on && impl_->format == Format::elf) return impl_->fail("a big object (bigobj) is one of COFF's formats");
  impl_->big_object = on;
}

const std::string& Builder::error() const { return impl_->error; }

/// What can only be judged when everything is there.
bool Builder::Impl::check() {
  for (SymbolData& s : symbols) s.referred = false;
  std::vector<bool> has_members(groups.size());
  for (const SectionData& s : sections) {
    if (s.group != obj::none) has_members[s.group] = true;
    for (const obj::Reloc& r : s.relocs) {
      symbols[r.symbol].referred = true;
      if (r.offset >= s.bytes.size())
        fail(fmt::format("a relocation at {} in section {}, which has {} bytes", r.offset, s.name, s.bytes.size()));
    }
  }
  for (const SymbolData& s : symbols) {
    const obj::Symbol& symbol = s.symbol;
    if (symbol.section < sections.size() && symbol.value > sections[symbol.section].size())
      fail(fmt::format("symbol {} is defined at {} in section {}, which has {} bytes", s.name, symbol.value,
                       sections[symbol.section].name, sections[symbol.section].size()));
    if (symbol.section == obj::section_undefined && symbol.binding == STB_LOCAL && s.referred)
      fail(fmt::format("local symbol {} is not defined", s.name));
  }
  for (u32 g = 0; g < groups.size(); ++g)
    if (!has_members[g]) fail(fmt::format("the group of {} has no sections", symbols[groups[g].signature].name));
  return error.empty();
}

/// Symbols in the object's order: files, other local ones, global ones.
void Builder::Impl::add_symbols(obj::Object& object) {
  // A signature that is defined nowhere and only names its group is a local symbol in the group's header.
  std::vector<u32> signature_of(symbols.size(), obj::none);
  for (u32 g = 0; g < groups.size(); ++g) {
    const SymbolData& s = symbols[groups[g].signature];
    if (s.symbol.section == obj::section_undefined && !s.referred) signature_of[groups[g].signature] = g;
  }
  std::vector<u32> order;
  for (u32 i = 0; i < symbols.size(); ++i)
    if (symbols[i].symbol.section != obj::section_undefined || symbols[i].referred || signature_of[i] != obj::none)
      order.push_back(i);
  auto is_local = [&](u32 i) { return symbols[i].symbol.binding == STB_LOCAL || signature_of[i] != obj::none; };
  auto globals = std::stable_partition(order.begin(), order.end(), is_local);
  std::stable_partition(order.begin(), globals, [&](u32 i) { return symbols[i].symbol.type == STT_FILE; });

  object.local_symbols = u32(globals - order.begin());
  number.assign(symbols.size(), obj::none);
  for (u32 i : order) {
    number[i] = u32(object.symbols.size());
    obj::Symbol s = symbols[i].symbol;
    s.name = symbols[i].name;
    if (signature_of[i] != obj::none) {
      s.section = obj::section_first_group + signature_of[i];
      s.binding = STB_LOCAL;
    }
    if (s.type == STT_GNU_IFUNC || s.binding == STB_GNU_UNIQUE) object.os_abi = ELFOSABI_GNU;
    object.symbols.push_back(s);
  }
}

/// Name, size, contents and relocations, the same in both formats. Symbols have their numbers.
bool Builder::Impl::borrow_contents(u32 section, obj::Section& out) {
  const SectionData& from = sections[section];
  out.name = from.name;
  out.align = from.options.align;
  out.size = from.size();
  out.contents.data = from.bytes.data();
  if (from.relocs.empty()) return true;
  if (!info.rela && !compact_relocations) {
    if (!put_addends(from, patched[section])) return false;
    out.contents.data = patched[section].data();
  }
  std::vector<obj::Reloc>& own = relocs[section] = from.relocs;
  for (obj::Reloc& r : own) r.symbol = number[r.symbol];
  std::stable_sort(own.begin(), own.end(),
                   [](const obj::Reloc& x, const obj::Reloc& y) { return x.offset < y.offset; });
  out.relocs = own;
  return true;
}

bool Builder::Impl::add_sections(obj::Object& object) {
  for (u32 i = 0; i < sections.size(); ++i) {
    const SectionData& from = sections[i];
    obj::Section s;
    s.type = from.options.type;
    s.flags = from.options.flags;
    s.entsize = from.options.entsize;
    s.link_section = from.link;
    s.link_to_symtab = from.link_to_symbols;
    s.group = from.group;
    if (!borrow_contents(i, s)) return false;
    object.sections.push_back(s);
  }
  if (mark_stack) object.sections.push_back({.name = ".note.GNU-stack", .type = SHT_PROGBITS});
  return true;
}

/// The section's bytes with the addends of its relocations in their fields.
bool Builder::Impl::put_addends(const SectionData& section, std::vector<u8>& bytes) {
  bytes = section.bytes;
  for (const obj::Reloc& r : section.relocs) {
    if (r.addend == 0) continue;
    const unsigned width = format == Format::coff ? coff_plain_field(info.machine, r.type)
                                                  : elf_plain_field(info.machine, r.type);
    const i64 limit = width < 8 ? i64(1) << (8 * width) : 0;  // 0: all fit
    if (width == 0)
      fail(fmt::format("relocation {} at {} in section {} has an addend, which belongs into the instruction's own bits",
                       r.type, r.offset, section.name));
    else if (limit && (r.addend < -limit / 2 || r.addend >= limit))
      fail(fmt::format("addend {} at {} in section {} does not fit the field's {} bytes", r.addend, r.offset,
                       section.name, width));
    else if (width > bytes.size() - r.offset)
      fail(fmt::format("the field at {} in section {} has {} bytes, but the section ends behind {}", r.offset,
                       section.name, width, bytes.size() - r.offset));
    if (!error.empty()) return false;
    store_int(&bytes[r.offset], u64(r.addend), width, info.big_endian);
  }
  return true;
}

std::span<const u8> Builder::write() {
  Impl& b = *impl_;
  if (!b.error.empty() || !b.make_stack_maps() || !b.finish_pc_tables() || !b.check()) return {};
  obj::Object object;
  object.machine = b.info.machine;
  b.relocs.assign(b.sections.size(), {});
  b.patched.assign(b.sections.size(), {});
  std::optional<obj::WriteError> error;
  if (b.format == Format::coff) {
    if (!b.make_coff(object)) return {};
    error = b.coff_writer.write(object, b.out);
  } else {
    object.elf64 = b.info.elf64;
    object.big_endian = b.info.big_endian;
    object.rela = b.info.rela;
    object.flags = b.info.flags;
    object.elf.crel = b.compact_relocations;
    b.add_symbols(object);
    for (const obj::Group& g : b.groups) object.groups.push_back({b.number[g.signature], g.comdat});
    if (!b.add_sections(object)) return {};
    error = b.elf_writer.write(object, b.out);
  }
  if (!error) return b.out.bytes();
  b.fail(error->message);
  return {};
}

}  // namespace xas::object
