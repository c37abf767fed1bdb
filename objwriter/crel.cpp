// SPDX-License-Identifier: Apache-2.0
// The encoding: ULEB128 of count * 8 + has_addends * 4 + shift, where all offsets are multiples of 1 << shift. Then for
// each relocation a byte with three flags (symbol, type, addend differ from the one before) below the low four bits of
// the offset's difference, which goes on as a ULEB128 if the byte's top bit is set; then the differences that there
// are, as SLEB128.
#include "objwriter/crel.h"

#include <bit>

#include "xas/leb128.hpp"

namespace xas::obj {

namespace {

constexpr u64 has_addends = 4;

struct Counter {
  u64 size = 0;
  void put(u8) { ++size; }
  void uleb(u64 value) { size += uleb128_size(value); }
  void sleb(i64 value) { size += sleb128_size(value); }
};

struct Writer {
  u8* out;
  void put(u8 byte) { *out++ = byte; }
  void uleb(u64 value) { out += write_uleb128(out, value); }
  void sleb(i64 value) { out += write_sleb128(out, value); }
};

template <typename Offset, typename Sink>
void encode(std::span<const Reloc> relocs, Sink& sink) {
  using Addend = std::make_signed_t<Offset>;
  u64 offsets = 8;  // the shift is three at most: it has two bits
  for (const Reloc& r : relocs) offsets |= r.offset;
  const int shift = std::countr_zero(offsets);
  sink.uleb(relocs.size() * 8 + has_addends + unsigned(shift));

  Offset offset = 0;
  Offset addend = 0;
  u32 symbol = 0;
  u32 type = 0;
  for (const Reloc& r : relocs) {
    const u32 r_symbol = r.symbol + 1;  // `none` becomes the null symbol
    const Offset delta = Offset(Offset(r.offset) - offset) >> shift;
    const u8 flags = u8((symbol != r_symbol ? 1 : 0) | (type != r.type ? 2 : 0) | (addend != Offset(r.addend) ? 4 : 0));
    const u8 first = u8(delta << 3 | flags);
    if (delta < 0x10) {
      sink.put(first);
    } else {
      sink.put(first | 0x80);
      sink.uleb(delta >> 4);
    }
    if (flags & 1) sink.sleb(i32(r_symbol - symbol));
    if (flags & 2) sink.sleb(i32(r.type - type));
    if (flags & 4) sink.sleb(Addend(Offset(r.addend) - addend));
    offset = Offset(r.offset);
    addend = Offset(r.addend);
    symbol = r_symbol;
    type = r.type;
  }
}

}  // namespace

u64 crel_size(std::span<const Reloc> relocs, bool wide) {
  Counter counter;
  if (wide) encode<u64>(relocs, counter);
  else encode<u32>(relocs, counter);
  return counter.size;
}

void write_crel(std::span<const Reloc> relocs, bool wide, u8* out) {
  Writer writer{out};
  if (wide) encode<u64>(relocs, writer);
  else encode<u32>(relocs, writer);
}

}  // namespace xas::obj
