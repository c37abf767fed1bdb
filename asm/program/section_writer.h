// SPDX-License-Identifier: Apache-2.0
// Appends to a section after layout, for the sections that are made from collected records (.debug_line, .eh_frame,
// ...). All sizes are known by then, so there are only fixed bytes and fixups, and every offset is final.
#pragma once

#include <bit>
#include <string_view>

#include "asm/program/program.h"
#include "objwriter/endian.h"
#include "xas/leb128.hpp"

namespace xas {

class SectionWriter {
 public:
  SectionWriter(Program& program, Section& section)
      : program_(program),
        sub_(program.sections.sub(section.default_subsection)),
        big_endian_(program.info.big_endian) {
    if (program.profile.maps_all_data) program.map_written(sub_, sub_.size);
    base_ = sub_.offset(sub_.size, u32(sub_.fragments.size())) - sub_.size;
  }

  /// Offset in the section of the next byte.
  u64 offset() const { return base_ + sub_.size; }
  Subsection& subsection() { return sub_; }

  void put1(u64 v) {
    *sub_.reserve(1) = u8(v);
    ++sub_.size;
  }
  void put2(u64 v) { put(v, 2); }
  void put4(u64 v) { put(v, 4); }
  void put(u64 v, unsigned size) {
    store_int_in_8(sub_.reserve(8), v, size, big_endian_);
    sub_.size += size;
  }
  void put_uleb(u64 v) { sub_.size += u64(write_uleb128(sub_.reserve(max_leb128_size), v)); }
  void put_sleb(i64 v) { sub_.size += u64(write_sleb128(sub_.reserve(max_leb128_size), v)); }
  void put_bytes(std::string_view s) { sub_.append(s.data(), s.size()); }
  void put_string(std::string_view s) {
    put_bytes(s);
    put1(0);
  }
  void put_zeros(u64 n) {
    if (n == 0) return;
    std::memset(sub_.reserve(n), 0, n);
    sub_.size += n;
  }
  /// Zeros up to a multiple of `alignment` (a power of two) of the section's offset.
  void pad(u64 alignment) {
    program_.map_written(sub_, sub_.size);  // GNU as: alignment tells that these are data
    put_zeros((0 - offset()) & (alignment - 1));
  }

  /// A field left to the linker: the symbol's address plus `addend`, or (pcrel) its distance from the field.
  void put_reference(unsigned size, SymbolId symbol, i64 addend, bool pcrel = false, SourceLoc loc = 0) {
    sub_.fixups.push_back({.pos = u32(sub_.size),
                           .fragment = u32(sub_.fragments.size()),
                           .addend = addend,
                           .add = symbol,
                           .sub = no_symbol,
                           .kind = u16((pcrel ? fixup_pcrel1 : fixup_data1) + std::countr_zero(size)),
                           .modifier = 0,
                           .loc = loc});
    put_zeros(size);
  }
  /// Any value: a number, or left to the linker.
  void put_value(unsigned size, const Value& value, bool pcrel, SourceLoc loc) {
    if (value.is_constant() && !pcrel) return put(u64(value.constant), size);
    put_reference(size, value.add, value.constant, pcrel, loc);
    sub_.fixups.back().sub = value.sub;
    sub_.fixups.back().modifier = value.modifier;
  }
  void put_reference(unsigned size, Section& section, u64 offset, bool pcrel = false) {
    put_reference(size, program_.section_symbol(section), i64(offset), pcrel);
    // Debug sections have no addresses in a COFF image: what refers to them is an offset in the section.
    if (program_.is_coff && section.name.starts_with(".debug"))
      sub_.fixups.back().modifier = program_.target.modifier("SECREL32");
  }

  /// A length field of `size` bytes, which `end_length` sets; it counts what follows the field.
  struct Length {
    u64 at;
    unsigned size;
  };
  Length begin_length(unsigned size) {
    const Length length{sub_.size, size};
    put_zeros(size);
    return length;
  }
  void end_length(Length length) {
    store_int(sub_.data + length.at, sub_.size - length.at - length.size, length.size, big_endian_);
  }

 private:
  Program& program_;
  Subsection& sub_;
  u64 base_;
  bool big_endian_;
};

}  // namespace xas
