// SPDX-License-Identifier: Apache-2.0
#include "asm/corpus/objects/sample.h"

#include "objwriter/elf_constants.h"
#include "objwriter/endian.h"

namespace xas::corpus::objects {

Sample::Sample(const Target& of, u64 with_param, u64 seed, std::string_view name)
    : target(of), param(with_param), random(seed, hash_text(name), 0),
      o(of.builder, of.format >= Format::coff ? object::Format::coff : object::Format::elf) {
  if (of.format == Format::bigobj) o.big_object(true);
}

void Sample::program() {
  text = o.section(".text", object::code_section);
  const u32 word = target.machine == "aarch64" ? 0xd65f03c0 : target.machine == "arm" ? 0xe12fff1e : 0x909090c3;
  const bool swapped = target.machine == "arm" && big_endian();  // A64 instructions are little endian always
  u8 code[4];
  store_int(code, word, sizeof code, swapped);
  o.append(text, std::span<const u8>(code));
  start = o.symbol("_start");
  o.define(start, text, 0);
  o.set_type(start, object::SymbolType::function);
  o.set_size(start, 4);
  data = o.section(".data", object::data_section);
  o.pointer(data, start);
}

Builder::Section Sample::constants(std::string_view name, std::string_view contents) {
  const auto s = o.section(name, {.flags = elf::SHF_ALLOC, .align = 4});
  o.append(s, contents);
  return s;
}

Builder::Section Sample::section(std::string_view name, u32 type, std::string_view contents, u64 flags, u64 align,
                                 u64 entsize) {
  const auto s = o.section(name, {.type = type, .flags = flags, .align = align, .entsize = entsize});
  o.append(s, contents);
  return s;
}

Builder::Symbol Sample::object(std::string_view name, Builder::Section section) {
  const auto s = o.symbol(name);
  o.define(s, section, 0);
  o.set_type(s, object::SymbolType::object);
  o.set_size(s, 4);
  return s;
}

void Sample::uleb(Builder::Section section, u64 value) {
  for (; value >= 0x80; value >>= 7) o.integer(section, (value & 0x7f) | 0x80, 1);
  o.integer(section, value, 1);
}

bool Sample::finish() {
  const auto bytes = o.write();
  if (bytes.empty()) {
    if (error.empty()) error = o.error();
    return false;
  }
  image.open(bytes);
  if (target.format == Format::coff && image.is_bigobj() && error.empty()) error = "only bigobj has so many sections";
  return error.empty();
}

void Sample::set(std::string_view field, u64 value) {
  if (!image.set(field, value) && error.empty()) error = fmt::format("{} can't become {:#x}", field, value);
}

void Sample::set_section(std::string_view name, std::string_view field, u64 value) {
  set(fmt::format("section[{}].{}", image.section(name), field), value);
}

void Sample::set_symbol(std::string_view name, std::string_view field, u64 value) {
  set(fmt::format("symbol[{}].{}", image.symbol(name), field), value);
}

u64 Sample::relocations_of(std::string_view section) const {
  if (is_coff()) return image.section(section);
  const u64 rela = image.section(fmt::format(".rela{}", section));
  return rela ? rela : image.section(fmt::format(".rel{}", section));
}

void Sample::set_relocation(std::string_view section, u64 number, std::string_view field, u64 value) {
  set(fmt::format("section[{}].relocation[{}].{}", relocations_of(section), number, field), value);
}

void Sample::cut(u64 size) {
  image.resize(size);
  image.note(fmt::format("file size = {:#x}", size));
}

void Sample::fact_section(std::string_view name, std::string_view field) {
  const auto value = image.get(fmt::format("section[{}].{}", image.section(name), field));
  fact(fmt::format("{} {}", field, name), value.value_or(0));
}

void Sample::fact_symbol(std::string_view name, std::string_view field) {
  const auto value = image.get(fmt::format("symbol[{}].{}", image.symbol(name), field));
  fact(fmt::format("{} {}", field, name), value.value_or(0));
}

}  // namespace xas::corpus::objects
